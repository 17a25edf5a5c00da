"""Who sits where: the seats of a Start with names that can be told apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.messages import SeatEntry, Start
from rummy_p2p.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat: its number at the table, its peer, the name on the screen, whether a program plays it."""

    number: int
    owner: bytes
    name: str
    bot: bool


def name_seats(entries: Iterable[SeatEntry]) -> tuple[Seat, ...]:
    """Give every seat a name of its own: Ada, Ada (2), Bot 1 (Ada), Bot 1 (Ada) (2). What tells bots apart comes first."""
    taken: set[str] = set()
    seats = []
    for number, entry in enumerate(entries):
        name = _free_name(f"Bot {entry.number} ({entry.nick})" if entry.number else entry.nick, taken)
        taken.add(name)
        seats.append(Seat(number, entry.owner, name, entry.bot))
    return tuple(seats)


def _free_name(wanted: str, taken: set[str]) -> str:
    count = 1
    name = wanted
    while name in taken:
        count += 1
        name = f"{wanted} ({count})"
    return name


def check_start(start: Start, rules: Ruleset) -> None:
    """Refuse a Start that no table could have agreed on; Fault bad-roster or rules-differ."""
    if start.fingerprint.hex() != rules.fingerprint:
        raise Fault("rules-differ")
    peers = [entry.peer for entry in start.peers]
    places = {(seat.owner, seat.number) for seat in start.seats}
    if (
        len(set(peers)) < len(peers)
        or len(places) < len(start.seats)
        or {seat.owner for seat in start.seats} != set(peers)
        or not rules.players.min <= len(start.seats) <= rules.players.max
    ):
        raise Fault("bad-roster")
