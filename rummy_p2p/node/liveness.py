"""Who is still there: at whom to knock next, and the knock itself. `Liveness` does no I/O."""

import asyncio
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass

FIRST_TIMEOUT = 0.3
KNOCK_TIMEOUT = 1.0


@dataclass(slots=True)
class _Door:
    due: float
    heard: float
    place: str
    knocked: float = float("-inf")
    open: bool = False
    failures: int = 0
    waiting: bool = False


class Liveness:
    """At whom to knock next and who counts as there. `now` is in seconds of any clock that goes forward.

    A new peer is due at once, one that answered after EVERY, one that did not after AGAIN; after FAILURES in a row it
    is gone and due after LATER: a crashed one within ten seconds. What is announced again makes it due earlier, but not
    within AGAIN of the last knock. Those who are open come first. Of the others those where nobody has failed to answer
    yet, at their address, by turns the one that is due longest and the one that was heard last: so nobody waits behind
    a flood.
    """

    EVERY, AGAIN, LATER, FAILURES = 5.0, 1.0, 10.0, 2

    def __init__(self) -> None:
        self._doors: dict[str, _Door] = {}
        self._newest = False

    def heard(self, key: str, now: float, place: str = "") -> None:
        """Something was announced by `key`, which is at this address."""
        door = self._doors.setdefault(key, _Door(now, now, place))
        door.heard, door.place = now, place
        if not door.open:
            door.due = min(door.due, max(now, door.knocked + self.AGAIN))

    def moved(self, key: str, now: float, place: str = "") -> None:
        """`key` is at another place now: what is known of the old one says little."""
        self.heard(key, now, place)
        self._doors[key].due = now
        self._doors[key].failures = 0

    def forget(self, key: str) -> None:
        self._doors.pop(key, None)

    def due(self, now: float, *, only_open: bool = False) -> str | None:
        """The peer to knock at now, if any; it stays out until `answer`."""
        ready = [key for key, door in self._doors.items() if door.due <= now and not door.waiting]
        found = [key for key in ready if self._doors[key].open]
        if found:
            key = min(found, key=lambda each: self._doors[each].due)
        elif ready and not only_open:
            key = self._one_of(ready)
        else:
            return None
        self._doors[key].waiting = True
        self._doors[key].knocked = now
        return key

    def _one_of(self, ready: list[str]) -> str:
        silent = self.in_vain()
        least = min(silent[self._doors[key].place] for key in ready)
        best = [key for key in ready if silent[self._doors[key].place] == least]
        self._newest = not self._newest
        if self._newest:
            return min(best, key=lambda each: self._doors[each].due)
        return max(best, key=lambda each: self._doors[each].heard)

    def in_vain(self) -> Counter[str]:
        """How many knocks at each address were not answered, of those who are waited for."""
        counts = Counter[str]()
        for door in self._doors.values():
            counts[door.place] += door.failures
        return counts

    def patience(self, key: str) -> float:
        """How long to wait for an answer: in a LAN nobody needs long, and whoever is slow gets a second chance."""
        door = self._doors.get(key)
        return FIRST_TIMEOUT if door is not None and not door.open and not door.failures else KNOCK_TIMEOUT

    def answer(self, key: str, now: float, *, there: bool) -> bool:
        """Note what came of it; True when `key` appeared or disappeared by this."""
        door = self._doors.get(key)
        if door is None:
            return False
        before = (door.open, self.is_gone(key))
        door.waiting = False
        door.failures = 0 if there else door.failures + 1
        door.open = there or (door.open and not self.is_gone(key))
        door.due = now + (self.EVERY if there else self.LATER if self.is_gone(key) else self.AGAIN)
        return before != (door.open, self.is_gone(key))

    def is_live(self, key: str) -> bool:
        return key in self._doors and self._doors[key].open

    def is_gone(self, key: str) -> bool:
        return key in self._doors and self._doors[key].failures >= self.FAILURES

    def wait(self, now: float, *, only_open: bool = False) -> float | None:
        """Seconds until the next one is due, None when nobody is."""
        times = [door.due for door in self._doors.values() if not door.waiting and (door.open or not only_open)]
        return max(0.0, min(times) - now) if times else None


async def probe(address: str, port: int, timeout: float = KNOCK_TIMEOUT) -> bool:  # noqa: ASYNC109 - the answer is False
    """Whether something accepts a connection there within `timeout` seconds."""
    try:
        async with asyncio.timeout(timeout):
            _, writer = await asyncio.open_connection(address, port)
    except (OSError, ValueError, OverflowError):  # TimeoutError is an OSError
        return False
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return True
