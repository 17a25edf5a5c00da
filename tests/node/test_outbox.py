"""The way out of a peer: nothing leaves before what must not be lost is on the disk."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence

import pytest

from rummy_p2p.node.outbox import Outbox
from tests.node.party import played


class Desk:
    """An outbox whose disk is held until it is let go; ``seen`` is what happened, in order."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.seen: list[str] = []
        self.disk = threading.Semaphore(0)
        self.writes = threading.Semaphore(0)
        self.refuses = refuses
        self.box: Outbox[str] = Outbox(self._write, self._tell)

    def _write(self, pages: Sequence[str]) -> list[str]:
        self.writes.release()
        assert self.disk.acquire(timeout=10)
        self.seen.append("+".join(pages))
        return ["The disk is full."] if self.refuses else []

    def _tell(self, sentences: Sequence[str]) -> None:
        self.seen += sentences

    def put(self, page: str | None, leaves: str) -> None:
        self.box.put(page, lambda: self.seen.append(leaves))

    async def has_seen(self, *what: str) -> None:
        async with asyncio.timeout(10):
            while len(self.seen) < len(what):  # noqa: ASYNC110 - a thread does it
                await asyncio.sleep(0)
        assert self.seen == list(what)

    def is_writing(self) -> bool:
        return self.writes.acquire(timeout=10)


def scene(play: Callable[[Desk], Coroutine[object, object, None]], *, refuses: bool = False) -> None:
    async def run() -> None:
        desk = Desk(refuses=refuses)
        try:
            await play(desk)
        finally:
            desk.disk.release()  # whoever still writes
            desk.box.close()

    played(run)


def test_what_waits_for_no_disk_leaves_at_once() -> None:
    async def play(desk: Desk) -> None:
        desk.put(None, "a")
        assert desk.seen == ["a"]

    scene(play)


def test_nothing_leaves_while_the_disk_is_held_not_even_what_waits_for_nothing() -> None:
    async def play(desk: Desk) -> None:
        desk.put("vote", "a")
        desk.put(None, "b")
        assert desk.is_writing()
        for _ in range(100):
            await asyncio.sleep(0)
        assert desk.seen == []
        desk.disk.release()
        await desk.has_seen("vote", "a", "b")

    scene(play)


def test_what_comes_while_the_disk_is_busy_is_written_together() -> None:
    async def play(desk: Desk) -> None:
        desk.put("1", "a")
        assert desk.is_writing()
        for page, leaves in (("2", "b"), (None, "c"), ("3", "d")):
            desk.put(page, leaves)
        desk.disk.release()
        await desk.has_seen("1", "a")
        desk.disk.release()
        await desk.has_seen("1", "a", "2+3", "b", "c", "d")

    scene(play)


def test_what_the_disk_did_not_take_is_told_and_then_what_waited_leaves() -> None:
    async def play(desk: Desk) -> None:
        desk.put("1", "a")
        desk.disk.release()
        await desk.has_seen("1", "The disk is full.", "a")

    scene(play, refuses=True)


def test_what_comes_of_what_leaves_leaves_after_it() -> None:
    async def play(desk: Desk) -> None:
        def answer() -> None:
            desk.put(None, "c")
            desk.seen.append("a")

        desk.box.put(None, answer)
        desk.put(None, "d")
        assert desk.seen == ["a", "c", "d"]

    scene(play)


def test_who_cannot_wait_has_all_written_and_let_out() -> None:
    async def play(desk: Desk) -> None:
        desk.put("1", "a")
        assert desk.is_writing()
        desk.put("2", "b")
        desk.disk.release(2)
        desk.box.flush()
        assert desk.seen == ["1", "a", "2", "b"]
        for _ in range(100):  # the thread's own word of it comes late and changes nothing
            await asyncio.sleep(0)
        assert desk.seen == ["1", "a", "2", "b"]

    scene(play)


def test_what_leaves_may_ask_for_all_to_be_let_out() -> None:
    async def play(desk: Desk) -> None:
        def last() -> None:
            desk.put("1", "b")
            desk.disk.release()
            desk.box.flush()
            desk.seen.append("a")

        desk.box.put(None, last)
        assert desk.seen == ["1", "b", "a"]

    scene(play)


def test_what_has_not_left_at_the_end_stays() -> None:
    async def play(desk: Desk) -> None:
        desk.put("1", "a")
        assert desk.is_writing()
        desk.put(None, "b")
        desk.disk.release()
        desk.box.close()
        desk.put(None, "c")
        desk.put("2", "d")
        await asyncio.sleep(0)
        assert desk.seen == ["1"]

    scene(play)


def test_a_fault_in_what_leaves_does_not_close_the_way_for_the_rest() -> None:
    async def play(desk: Desk) -> None:
        def fail() -> None:
            raise RuntimeError("a fault of ours")

        with pytest.raises(RuntimeError, match="of ours"):
            desk.box.put(None, fail)
        desk.put(None, "b")
        assert desk.seen == ["b"]

    scene(play)
