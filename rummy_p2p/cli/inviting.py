"""An invitation as a line of text for whoever sits at a prompt: who invites, to what, what is typed to go there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from rummy_p2p.cli import CommandError
from rummy_p2p.cli.meeting import require_known
from rummy_p2p.node.invitations import Invited
from rummy_p2p.node.peer import Peer
from rummy_p2p.protocol.messages import TableInfo
from rummy_p2p.protocol.text import NICK_LIMIT, TITLE_LIMIT, clean
from rummy_p2p.sentences.screen_lobby import lobby_say
from rummy_p2p.sentences.titles import title_text
from rummy_p2p.store import Store
from rummy_p2p.variants.manager import Catalogue


def tell_invitations(
    peer: Peer, files: Store, games: Catalogue, tell: Callable[[str], None], *, at_table: bool
) -> Callable[[], None]:
    """Tell of every invitation in a line, until what is returned is called."""
    which: Literal["invited-line-later", "invited-line"] = "invited-line-later" if at_table else "invited-line"

    def hear(invited: Invited) -> None:
        try:
            require_known(peer, files, invited.nick, invited.inviter)
        except CommandError as error:
            tell(str(error))
        else:
            tell(lobby_say(which, address=invited.address, **facts_of(games, invited)))

    return peer.invitations.listen(hear)


def facts_of(games: Catalogue, invited: Invited) -> dict[str, str]:
    """Return who invites, to which table and to what, fit for a terminal."""
    return {
        "name": clean(invited.nick, NICK_LIMIT),
        "title": clean(invited.info.title, TITLE_LIMIT),
        "game": what_is_played(games, invited.info),
    }


def what_is_played(games: Catalogue, info: TableInfo) -> str:
    """Return game and house rules in a few words, as far as they are installed here."""
    from rummy_p2p.cli.screen_offer import house_titles, offered_rules

    rules = offered_rules(games, info).rules
    if rules is None:
        return lobby_say("unknown-game")
    return " + ".join((title_text(rules), *house_titles(games, rules.house)))
