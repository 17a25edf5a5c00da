"""What is announced follows the table, and is said only when it has changed."""

import asyncio
import itertools

import pytest

from rummy_p2p.node import announcing as announcing_module
from rummy_p2p.node.announcement import Announcement, TableState
from rummy_p2p.node.announcing import own_table
from rummy_p2p.protocol.forming import Guest
from rummy_p2p.protocol.settings import Settings
from tests.node.party import RULES, open_table, party, played, seated_table, start, until


def test_only_who_opened_a_table_tells_of_it_and_until_it_is_closed() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = await seated_table(made)
            told = [own_table(each) for each in (None, bea, ada)]
            assert told[:2] == [None, None]
            table = told[2]
            assert table is not None
            assert (table.title, table.taken, table.state) == ("Friday", 2, TableState.OPEN)
            start(made.peers[0])
            playing = own_table(ada)
            assert playing is not None
            assert playing.state is TableState.PLAYING
            made.peers[0].leave()
            await until(lambda: own_table(ada) is None, made.peers[0])

    played(scene)


def test_a_table_with_a_password_is_told_to_be_closed() -> None:
    async def scene() -> None:
        async with party("Ada") as made:
            session = made.peers[0].open_table(RULES, Guest("Ada"), Settings("Friday", 2, password="ox yak"))  # noqa: S106 - of a test
            table = own_table(session)
            assert table is not None
            assert table.state is TableState.CODE

    played(scene)


def test_nothing_is_said_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcing_module, "ANNOUNCE_GAP", 0.0)
    said: list[Announcement] = []

    async def scene() -> None:
        async with party("Ada") as made:
            ada = made.peers[0]

            async def note(wanted: Announcement) -> None:
                said.append(wanted)

            monkeypatch.setattr(ada.discovery, "announce", note)
            open_table(ada, 2)
            async with asyncio.timeout(5):
                while not said:
                    ada.tell_watchers()
                    await asyncio.sleep(0)
            for _ in range(50):
                ada.tell_watchers()
                await asyncio.sleep(0)
            tables = [each.table for each in said]
            assert all(one != other for one, other in itertools.pairwise(tables))
            assert tables[-1] == own_table(ada.session)

    played(scene)
