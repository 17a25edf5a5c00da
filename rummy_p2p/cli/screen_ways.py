"""How others come to the own table, as the screen shows it."""

from __future__ import annotations

from rummy_p2p.cli.network import code_of
from rummy_p2p.cli.qr import has_qr, qr_lines, this_python
from rummy_p2p.cli.screen_sitting import title_of
from rummy_p2p.node.peer import Peer
from rummy_p2p.protocol.forming import Phase
from rummy_p2p.sentences.titles import joining_word
from rummy_p2p.sentences.typed import shell_word
from rummy_p2p.ui.ways_room import Ways


def ways_to(peer: Peer, password: str, ssh: tuple[str, str], *, ascii_only: bool) -> Ways | None:
    """Return the ways to the table that this player has opened; None when there is none."""
    session = peer.session
    if session is None or session.creator != session.me or session.phase is Phase.CLOSED:
        return None
    return Ways(
        title_of(session),
        code_of(peer) or "",
        peer.address,
        f"rummy-p2p join {shell_word(joining_word(session.info.title, session.rules.game, session.opener))}",
        qr_lines(peer.address, ascii_only=ascii_only) if has_qr() else (),
        password,
        ssh,
        this_python(),
    )
