"""What a peer says waits for its disk: whoever is killed has written down all that anybody has heard of it."""

import asyncio
import threading
from pathlib import Path

import msgspec
import pytest

from rummy_p2p.journal import Journal
from rummy_p2p.node.transport import Connection
from rummy_p2p.protocol.disk import Unsaved
from rummy_p2p.protocol.events import MatchOver, Played
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.messages import Ack, Ordered, Signed, Vote, read
from rummy_p2p.store import Paths, Store
from tests.node.party import heard, played, until
from tests.node.test_peer_resume import plays_to_the_end, programs


class Held:
    """The disk of one peer, which can be held; what was sent, and what was on the disk by then."""

    def __init__(self, folder: Path, nick: str, monkeypatch: pytest.MonkeyPatch) -> None:
        files = Store(Paths.of(folder / nick))
        self._path, self._me = files.journal_file, Identity(files.identity()).player_id
        self.free = threading.Event()
        self.free.set()
        self.waits = threading.Event()
        self.sent: list[Signed] = []
        self.unwritten: list[Signed] = []
        self._kept: set[bytes] = set()
        write, send = Journal.write, Connection.send

        def slow(this: Journal, unsaved: Unsaved, port: int = 0) -> None:
            if this.path == self._path and not self.free.is_set():
                self.waits.set()
                assert self.free.wait(20)
            write(this, unsaved, port)
            if this.path == self._path:
                self._kept |= {each.digest for each in (*unsaved.records, *unsaved.votes)}

        def noted(this: Connection, message: msgspec.Struct) -> None:
            if isinstance(message, Signed) and this._link._me.player_id == self._me:
                self.sent.append(message)
                self._check(message)
            send(this, message)

        monkeypatch.setattr(Journal, "write", slow)
        monkeypatch.setattr(Connection, "send", noted)

    def _check(self, message: Signed) -> None:
        payload = read(message)
        if message.author != self._me:
            return
        head = payload.head if isinstance(payload, Ack) else message.digest
        if isinstance(payload, Ack | Vote | Ordered) and head not in self._kept:
            self.unwritten.append(message)


@pytest.mark.parametrize("who", [0, 1])
def test_while_the_disk_is_held_nothing_is_sent_and_then_the_match_goes_on(
    who: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nicks = ("Ada", "Bea", "Cem")
    held = Held(tmp_path, nicks[who], monkeypatch)

    async def scene() -> None:
        async with programs(tmp_path, *nicks) as made:
            peer = made.peers[who]
            made.let_bots_play(*made.peers)
            await heard(peer, Played)
            held.free.clear()
            await until(held.waits.is_set, *made.peers)
            held.sent.clear()
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.3):
                    await until(lambda: bool(held.sent), *made.peers)
            held.free.set()
            await until(lambda: bool(held.sent), *made.peers)
            assert (await heard(peer, MatchOver)).code == ""

    played(scene)


@pytest.mark.parametrize("nick", ["Ada", "Bea"])
def test_every_vote_record_and_acknowledgement_is_on_the_disk_before_it_is_sent(
    nick: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(tmp_path, nick, monkeypatch)

    async def scene() -> None:
        async with programs(tmp_path, "Ada", "Bea") as made:
            await plays_to_the_end(made)

    played(scene)
    said = {type(read(message)) for message in held.sent}
    assert said >= {Vote, Ack} | ({Ordered} if nick == "Ada" else set())
    assert held.unwritten == []
