"""Who has been seen by mDNS: one list, whatever is announced. Does no I/O.

* A player who takes another name is one neighbour: an announcement of the same key from the same door replaces the old
  one.
* A key that is announced at two doors is shown once: at the door that answers, of several that do at the one that is
  known longest, so that a copied announcement takes nobody's place.
* There are never more than MAX_SIGHTINGS. Of those that never answered the one gives way first at whose address most
  knocks were in vain, and of several the oldest.
"""

from collections.abc import Collection
from dataclasses import replace

from rummy_p2p.node.announcement import Sighting
from rummy_p2p.node.liveness import Liveness

MAX_SIGHTINGS = 1024


class Neighbours:
    """By the name of their announcement; `doors` knows who answers."""

    def __init__(self) -> None:
        self.doors = Liveness()
        self._seen: dict[str, Sighting] = {}

    def __len__(self) -> int:
        return len(self._seen)

    def get(self, key: str) -> Sighting | None:
        return self._seen.get(key)

    def of(self, player: str) -> list[Sighting]:
        """Those that are announced with this key."""
        return [each for each in self._seen.values() if each.id == player]

    def note(self, sighting: Sighting, now: float) -> bool:
        """Take in what was announced; True when that changes the list."""
        key = sighting.instance
        before = self._seen.get(key)
        self._seen[key] = sighting
        if before is None:
            self._drop_old_names(sighting)
        if len(self._seen) > MAX_SIGHTINGS:
            self.forget(self._least_wanted(key))
        if before is not None and _door(before) != _door(sighting):
            self.doors.moved(key, now, sighting.addresses[0])
        self.doors.heard(key, now, sighting.addresses[0])
        return before != sighting

    def forget(self, key: str) -> bool:
        """It is announced no longer; True when it was."""
        self.doors.forget(key)
        return self._seen.pop(key, None) is not None

    def shown(self, own_id: str, of: Collection[str] | None = None) -> list[Sighting]:
        """Those that are, or may be, there, but for ourselves: the longest known first. ``of``: these players alone."""
        best: dict[tuple[str, str], Sighting] = {}
        for key, each in self._seen.items():
            if each.id == own_id or (of is not None and each.id not in of) or self.doors.is_gone(key):
                continue
            sighting = replace(each, live=self.doors.is_live(key))
            known = best.setdefault((each.id, each.pin), sighting)
            if sighting.live and not known.live:
                best[each.id, each.pin] = sighting
        return list(best.values())

    def _drop_old_names(self, new: Sighting) -> None:
        old = [key for key, each in self._seen.items() if key != new.instance and _is_same(each, new)]
        for key in old:
            self.forget(key)

    def _least_wanted(self, newest: str) -> str:
        """A flood of inventions does not drive out the real ones."""
        silent = [key for key in self._seen if key != newest and not self.doors.is_live(key)]
        vain = self.doors.in_vain()
        worst = max(silent, key=lambda key: vain[self._seen[key].addresses[0]], default=None)
        return worst or next(iter(self._seen))


def _door(sighting: Sighting) -> tuple[tuple[str, ...], int]:
    return sighting.addresses, sighting.port


def _is_same(one: Sighting, other: Sighting) -> bool:
    """The same key at the same door."""
    same_key = (one.id, one.pin, one.port) == (other.id, other.pin, other.port)
    return same_key and bool(set(one.addresses) & set(other.addresses))
