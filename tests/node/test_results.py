"""Whoever comes back to a match after its end is told how it went, by whoever knows."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from rummy_p2p.node import results as results_module
from rummy_p2p.node.peer import Peer
from rummy_p2p.node.results import TRIES, LoadLedger, Results
from rummy_p2p.node.transport import Connection
from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.events import MatchOver, MatchStarted
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.ledger import write_stream
from rummy_p2p.protocol.messages import Presence, Records, Signed, read, sign
from rummy_p2p.store import StoreError
from tests.node.party import heard, played
from tests.node.test_peer_resume import back, ended, journal, program, programs
from tests.protocol.forge import Forge

# ---------------------------------------------------------------- what is answered


class Link:
    """A link to a player, and what was sent over it."""

    def __init__(self, player: Identity) -> None:
        self.player_id = player.player_id
        self.sent: list[Signed] = []

    def send(self, message: Signed) -> None:
        self.sent.append(message)


class Scene:
    """A match of three that is over; one of them knows it, another comes back."""

    def __init__(self, load: LoadLedger | None = None) -> None:
        self.forge = Forge().dealt()
        self.tail = self.forge.ledger.tail
        self.records = [entry.record for entry in self.forge.ledger.entries]
        self.acks = [self.forge.ack(peer, self.tail)[0] for peer in (0, 1)]
        self.results = Results(self.forge.peers[0])
        self.results.load = load or (lambda _match: write_stream(self.records + self.acks))
        self.link = Link(self.forge.peers[2])

    def presence(self, committed: int, seq: int = 0, *, by: Identity | None = None, match: bytes = b"") -> Signed:
        nobody = bytes(32)
        said = Presence(
            table=nobody,
            run=nobody,
            number=1,
            links=(),
            match=match or self.forge.match,
            seq=max(seq, committed),
            last_term=1,
            committed=committed,
            follows=0,
            rests=False,
        )
        return sign(by or self.forge.peers[2], said)

    def answer(self, message: Signed, now_at: bytes = b"", link: Link | None = None) -> list[Signed]:
        link = link or self.link
        link.sent.clear()
        self.results.hear(cast("Connection", link), message, now_at)
        return link.sent


def told(answer: list[Signed]) -> int:
    """How many records are in an answer."""
    return sum(len(said.records) for said in map(read, answer) if isinstance(said, Records))


def test_what_is_missing_comes_with_what_makes_it_stand() -> None:
    scene = Scene()
    answer = scene.answer(scene.presence(3))
    assert told(answer) == scene.tail - 3
    assert answer[-2:] == scene.acks
    first = read(answer[0])
    assert isinstance(first, Records)
    assert (first.match, first.to, answer[0].author) == (scene.forge.match, scene.link.player_id, scene.forge.ids[0])


@pytest.mark.parametrize("chunk", [1, 700, 3000])
def test_it_comes_in_messages_that_are_not_too_large(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results_module, "CHUNK", chunk)
    scene = Scene()
    answer = [said for said in map(read, scene.answer(scene.presence(0))) if isinstance(said, Records)]
    assert all(len(said.records) == 1 or sum(map(len, said.records)) <= chunk for said in answer)
    assert sum(len(said.records) for said in answer) == scene.tail


def test_no_more_is_sent_at_once_than_a_link_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene()
    monkeypatch.setattr(results_module, "AT_ONCE", len(pack(scene.records[3])) + 1)
    assert told(scene.answer(scene.presence(3))) == 1


def test_every_other_time_the_question_is_taken_to_be_about_the_end_of_what_is_there() -> None:
    scene = Scene()
    asked = scene.presence(2, 5)
    assert [told(scene.answer(asked)) for _ in range(3)] == [scene.tail - 2, scene.tail - 5, scene.tail - 2]


def test_over_one_link_it_is_read_only_so_many_times() -> None:
    scene = Scene()
    asked = scene.presence(0)
    assert [bool(scene.answer(asked)) for _ in range(TRIES + 1)] == [True] * TRIES + [False]
    assert scene.answer(asked, link=Link(scene.forge.peers[2]))


def test_nothing_is_said_to_who_is_not_concerned() -> None:
    scene, stranger = Scene(), Identity(b"x" * 32)
    assert scene.answer(scene.presence(0, by=stranger), link=Link(stranger)) == []
    assert scene.answer(scene.presence(0, by=scene.forge.peers[1])) == []  # passed on: its author has a link of its own
    assert scene.answer(scene.presence(0), now_at=scene.forge.match) == []
    assert scene.answer(scene.presence(0, match=bytes(32))) == []
    assert scene.answer(scene.presence(scene.tail)) == []
    assert scene.answer(scene.forge.ack(2, 1)[0]) == []
    assert scene.answer(Signed(author=scene.link.player_id, payload=b"presence", signature=bytes(64))) == []
    scene.results.load = None
    assert scene.answer(scene.presence(0)) == []


def _missing(_match: bytes) -> bytes:
    raise StoreError("file-missing", path="x.ledger")


@pytest.mark.parametrize("load", [_missing, lambda _match: b"\x00\x00\x00\x03abc", lambda _match: b""])
def test_a_file_that_is_missing_or_damaged_is_no_answer(load: LoadLedger) -> None:
    scene = Scene(load)
    assert scene.answer(scene.presence(0)) == []


def test_a_file_of_something_else_is_no_answer() -> None:
    scene = Scene()
    scene.records = scene.records[1:]
    assert scene.answer(scene.presence(0)) == []
    scene.records = scene.acks
    assert scene.answer(scene.presence(0)) == []


# ---------------------------------------------------------------- whole peers


@pytest.mark.parametrize("others", ["in the lobby", "at the next match", "restarted"])
def test_who_comes_back_after_the_end_is_told_who_won(others: str, tmp_path: Path) -> None:
    async def scene() -> None:
        async with programs(tmp_path, "Ada", "Bea", "Cem") as made:
            ada, bea, cem = made.peers
            await ended(cem)
            for peer in (ada, bea):
                assert peer.session is not None
                assert peer.session.match is not None
                peer.session.match.grace = 1
            made.let_bots_play(ada, bea)
            ends = [await heard(peer, MatchOver) for peer in (ada, bea)]
            if others == "at the next match":
                for peer in (ada, bea):
                    peer.do(lambda table, now: table.rematch(now))
                await heard(ada, MatchStarted)
            else:
                ada.rise()
                bea.rise()
            if others == "restarted":
                await bea.stop()
                await ended(ada)
                made.peers[0] = ada = await restarted(tmp_path, ada)
            cem = await back(made, tmp_path, cem)
            over = await heard(cem, MatchOver)
            assert (over.winners, over.scores) == (ends[0].winners, ends[0].scores)
            assert journal(cem).unfinished(cem.identity.player_id) == ()
            if others == "restarted":
                journal(ada).close()

    played(scene)


async def restarted(folder: Path, gone: Peer) -> Peer:
    peer = program(folder, gone.nick, "lo")
    await peer.start()
    return peer
