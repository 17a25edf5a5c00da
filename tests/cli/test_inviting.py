"""An invitation at a prompt: a line that says what to type, and nothing else happens."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from rummy_p2p.cli import network
from rummy_p2p.cli.inviting import Inviting, tell_invitations
from rummy_p2p.cli.lan import on_the_lan
from rummy_p2p.cli.parser import make_parser
from rummy_p2p.node.announcement import Sighting
from rummy_p2p.node.invitations import Invited, decline
from rummy_p2p.node.peer import Peer
from rummy_p2p.people import People
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.store import Paths, Store
from tests.cli.tables import options
from tests.node.party import RULES, open_table, party, played
from tests.node.test_invitations import asking_for, first, invited_by, knows, listening
from tests.ui.lobby import GAMES


async def told(ada: Peer, bea: Peer, files: Store, rules: Ruleset = RULES, *, at_table: bool = False) -> str:
    """What Bea reads when Ada invites her."""
    lines: list[str] = []
    stop = tell_invitations(bea, files, GAMES, lines.append, at_table=at_table)
    open_table(ada, 2, rules=rules)
    await invited_by(ada, bea)
    stop()
    assert bea.invitations._listeners[:-1] == []  # only the test's own
    assert bea.session is None
    return "\n".join(lines)


@pytest.mark.parametrize("at_table", [False, True])
def test_a_line_says_what_to_type(tmp_path: Path, *, at_table: bool) -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            line = await told(ada, bea, Store(Paths.of(tmp_path)), at_table=at_table)
            assert line.startswith("Ada invites you to Friday: Norwegian rummy. To join,")
            words = line.rpartition("type: ")[2].removeprefix("rummy-p2p ").split()
            assert make_parser().parse_args(words).table == ada.address
            assert ("leave this table" in line) is at_table

    played(scene)


def test_who_is_somebody_else_than_the_name_says_is_told_of(tmp_path: Path) -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            files = Store(Paths.of(tmp_path))
            People(files.paths).meet("Ada", bytes(32), 1)
            ada, bea = made.peers
            assert "is known here with another key" in await told(ada, bea, files)

    played(scene)


def test_rules_that_are_not_here_are_named_as_that(tmp_path: Path) -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            other = RULES.with_(match__target=250)
            ada, bea = made.peers
            line = await told(ada, bea, Store(Paths.of(tmp_path)), other)
            assert "a game that is not installed here" in line

    played(scene)


def test_it_is_told_at_a_table_as_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command host, in lines: an invitation to another table comes among what happens at its own."""

    async def scene() -> None:
        given = options(tmp_path, "Bea", "host", "rummy-no", "--plain")
        async with party("Ada") as made, on_the_lan(given) as (bea, files):
            rules, settings = network.plan(given)
            place = network.open_table(given, bea, files, rules, settings)
            sitting = asyncio.create_task(network.play_in_person(given, place, None))
            while not bea.invitations._listeners:  # noqa: ASYNC110 -- nobody tells when a table is sat down at
                await asyncio.sleep(0)
            open_table(made.peers[0], 2)
            await invited_by(made.peers[0], bea)
            bea.invitations._listeners.pop()
            bea.leave()
            async with asyncio.timeout(20):
                await sitting
            assert bea.invitations._listeners == []

    near, far = os.pipe()
    with os.fdopen(near, encoding="utf-8") as typed, os.fdopen(far, "w", encoding="utf-8"):
        monkeypatch.setattr("sys.stdin", typed)
        asyncio.run(scene())
    assert "Ada invites you to Friday: Norwegian rummy. To join, leave this table" in capsys.readouterr().out


async def typed_at_table(files: Store, ada: Peer, bea: Peer) -> tuple[list[str], Invited]:
    """What Ada is told when she types invite, alone and with names; Bea says no to what comes of it."""
    lines: asyncio.Queue[str] = asyncio.Queue()
    inviting, heard = Inviting(ada, files, lines.put_nowait), listening(bea)
    ada.discovery.sightings = lambda of=None: []  # type: ignore[method-assign]  # nobody is seen yet
    inviting.typed("")
    pin = bea.transport.fingerprint.hex()
    here = ("127.0.0.1",), bea.transport.port, 1
    seen = Sighting("", "Bea", bea.identity.player_id.hex(), pin, *here, live=True)
    ada.discovery.sightings = lambda of=None: [seen]  # type: ignore[method-assign]  # as if mDNS had shown it
    knows(ada, bea)
    inviting.typed("")
    inviting.typed("Cem")
    inviting.typed("bea")  # at no table
    told = [await lines.get() for _ in range(4)]
    open_table(ada, 2)
    inviting.typed("bea")
    invited, asking = await first(heard), asking_for(bea)
    await decline(bea, asking, invited)
    told += [await lines.get() for _ in range(2)]
    await asking.stop()
    inviting.close()
    return told, invited


def test_a_name_typed_at_a_table_invites(tmp_path: Path) -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made, asyncio.timeout(20):
            told, invited = await typed_at_table(Store(Paths.of(tmp_path)), *made.peers)
        assert told[0].startswith("Nobody else is here to be asked.")
        assert told[1:4] == [
            "To ask somebody to your table, type: invite NAME. You can ask: Bea.",
            "Nobody here is called Cem, or sits at the table already.",
            "You can invite others while you sit at a table that waits for players.",
        ]
        assert set(told[4:]) == {"Bea has been asked, and sits down if the answer is yes.", "Bea says no."}
        assert invited.nick == "Ada"

    played(scene)
