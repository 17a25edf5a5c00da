"""A table room in memory: positions in the middle of a hand, and the room on a screen that writes nowhere."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec
from prompt_toolkit.input import DummyInput
from prompt_toolkit.output import DummyOutput

from rummy_p2p.cards import Card, pack, parse_cards
from rummy_p2p.engine import NOBODY, MatchState, Phase, View, public_view
from rummy_p2p.melds import Piece, read_meld
from rummy_p2p.rules.position import HandState, Laid
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.screen import TableFacts
from rummy_p2p.ui.canvas import Canvas
from rummy_p2p.ui.console import Command
from rummy_p2p.ui.glyphs import ASCII, UNICODE
from rummy_p2p.ui.room import Mouse, Room
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.style import Look
from rummy_p2p.ui.table_room import TableRoom
from rummy_p2p.ui.table_scene import Around, Scene, scene_of
from tests.ui.seat import FakeSeat
from variants_plugins.rummy_sv import RULES as SWEDISH

GOLDEN = Path(__file__).parents[1] / "golden" / "screens"
WRITE = os.environ.get("RUMMY_P2P_GOLDEN") == "write"
SIZES = ((80, 22), (120, 38))  # of the board: command line and help bar are below it
NAMES = ("Ada", "Bea", "Cem", "Dag")
FACTS = TableFacts(
    title="Friday LAN",
    place="lan",
    host="Ada",
    deal="host",
    audit="ok",
    joining=("Friday LAN", "rummy://10.0.0.1:1#ab"),
)
CLAIMED = SWEDISH.with_(claim__kind="knock-claim", claim__penalty=2, labels__call="Knock", match__limit=100)
HAND = "7h 8h 9h 10h 3c 4c 6d Kd Kh As 9s 2h JK"
MELDS = ((1, "4s 4h 4d"), (1, "8c 9c JK' Jc"), (1, "5d 6d' 7d"), (0, "Qs Qd Qc"))


class Clock:
    """A clock that stands still unless a test moves it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def position(  # a hand in the middle, with everything that a screen can show
    rules: Ruleset = CLAIMED,
    hand: str = HAND,
    others: Sequence[str] = ("3d 3h 8s", "Ac 2c 2s 5c 5s 6s 7s 10d Js Qh Ks 4h' 5h", ""),
    melds: Sequence[tuple[int, str]] = MELDS,
    pile: str = "2h' 4c' 9s' Jd",
    turn: int = 0,
    phase: Phase = Phase.PLAY,
) -> tuple[HandState, list[Card]]:
    """Return the state and the order of the deck: slot n is the n-th card of it."""
    held = [parse_cards(text) for text in (hand, *others)]
    heap = parse_cards(pile)
    laid = tuple(
        Laid(owner, read_meld([Piece(card) for card in parse_cards(text)], rules.melds)) for owner, text in melds
    )
    down = [card for one in laid for card in one.meld.cards]
    named = [*(card for cards in held for card in cards), *heap, *down]
    assert len(set(named)) == len(named), "a card is named twice"
    rest = [card for card in pack(rules.deck.packs, rules.deck.jokers) if card not in named]
    order = [*named, *rest]
    faces: list[Card | None] = [None] * len(order)
    slots, start = [], 0
    for cards in held:
        slots.append(tuple(range(start, start + len(cards))))
        start += len(cards)
    heap_slots = tuple(range(start, start + len(heap)))
    for slot in (*heap_slots, *range(start + len(heap), len(named))):
        faces[slot] = order[slot]
    seats = len(held)
    opened = tuple(any(one.owner == seat for one in laid) for seat in range(seats))
    state = HandState(
        rules=rules,
        seats=seats,
        dealer=seats - 1,
        playing=tuple(bool(cards) for cards in held),
        phase=phase,
        turn=turn,
        stock=tuple(range(len(named), len(order))),
        pile=heap_slots,
        hands=tuple(slots),
        table=laid,
        faces=tuple(faces),
        opened=opened,
        down=opened,
        was_down=opened[turn],
        ready=(False,) * seats,
        laid_points=(0,) * seats,
        drawn=slots[turn][-1] if phase is Phase.PLAY and slots[turn] else None,
    )
    return state, order


class TableSeat(FakeSeat):
    """A seat in the middle of a hand."""

    def __init__(self, state: HandState, order: list[Card], names: tuple[str, ...] = NAMES, seat: int = 0) -> None:
        super().__init__(rules=state.rules, names=names[: state.seats], seat=seat)
        self.game.place(state, order)
        self.totals((31, 42, 67, 104)[: state.seats])

    def totals(self, scores: tuple[int, ...]) -> None:
        limit = self.rules.match.limit
        out = frozenset(seat for seat, total in enumerate(scores) if limit is not None and total > limit)
        changes: dict[str, object] = {"scores": scores, "out": out, "hand_number": 3}
        self.game.match = msgspec.structs.replace(self.game.match, **changes)

    def match(self) -> MatchState | None:
        return self.game.match


class Onlooker(TableSeat):
    """A place without a seat."""

    def __init__(self) -> None:
        super().__init__(*position(turn=1))
        self.seat = NOBODY
        self.asked: list[str] = []

    def view(self) -> View | None:
        return None if self.game.hand is None else public_view(self.game.hand)

    def commands(self) -> Mapping[str, tuple[str, Command]]:
        return {name: (name, partial(self._note, name)) for name in ("chat", "sit", "leave")}

    def _note(self, name: str, text: str) -> None:
        self.asked.append(f"{name} {text}".strip())


def make_screen(*, ascii_only: bool = False, output: DummyOutput | None = None) -> Screen:
    look = Look(glyphs=ASCII if ascii_only else UNICODE)
    return Screen(look, input=DummyInput(), output=output or DummyOutput())


def make_room(
    seat: FakeSeat, *, facts: TableFacts = FACTS, ascii_only: bool = False, clock: Clock | None = None
) -> TableRoom:
    """Return a room on top of a screen, with some rounds and some chat behind it."""
    screen = make_screen(ascii_only=ascii_only)
    room = TableRoom(screen, seat, facts=lambda: facts, clock=clock or Clock(), vote=lambda _number: None)
    screen.enter(room)
    view = room.seat.view()
    if view is not None:
        room.state.follow(view)
        room.state.at["hand"] = len(room.state.fan.slots) - 1
    return room


def with_talk(room: TableRoom) -> TableRoom:
    room.state.rounds += [(18, 30, 0, 60), (13, 12, 67, 44)]
    for name, text in (
        ("Cem", "gg last round"),
        ("", "Dag is out of the match with 104 points."),
        ("Bea", "who has 9s?"),
    ):
        room.state.say(name, text)
    return room


def facts_with(**changes: object) -> TableFacts:
    return msgspec.structs.replace(FACTS, **changes)


def make_scene(**changes: object) -> Scene:
    """Return what is drawn of the position in the middle of a hand, with some things changed."""
    room = make_room(TableSeat(*position()))
    view = room.view()
    assert view is not None
    around = Around(NAMES, room.seat.match(), FACTS, (), (None, None), (), "", 0.0)
    return replace(scene_of(view, room.state, around), **changes)  # type: ignore[arg-type]  # any field


def drawn(room: Room, size: tuple[int, int] = SIZES[0], *, ascii_only: bool = False) -> Canvas:
    canvas = Canvas(*size, ASCII if ascii_only else UNICODE)
    room.draw(canvas)
    return canvas


def text_of(room: Room, size: tuple[int, int] = SIZES[0]) -> str:
    return "\n".join(drawn(room, size).rows())


def find(canvas: Canvas, wanted: tuple[object, ...]) -> tuple[int, int]:
    """Return the first cell under which the target lies."""
    cells = ((x, y) for y in range(canvas.height) for x in range(canvas.width))
    return next(cell for cell in cells if canvas.target_at(*cell) == wanted)


def click(room: Room, *target: str | int) -> None:
    """Press and let go over something that is drawn."""
    drag(room, tuple(target), tuple(target))


def drag(room: Room, start: tuple[str | int, ...], end: tuple[str | int, ...]) -> None:
    canvas = drawn(room)
    for kind, target in (("down", start), ("move", end), ("up", end)):
        x, y = find(canvas, target)
        room.mouse(Mouse(kind, target, x, y))  # type: ignore[arg-type]  # one of the kinds


def check_golden(name: str, canvas: Canvas) -> None:
    """Compare with the file of that name; RUMMY_P2P_GOLDEN=write writes it anew."""
    path = GOLDEN / f"{name}.txt"
    text = "\n".join(canvas.rows()) + "\n"
    if WRITE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"{path.name} is missing: write it with RUMMY_P2P_GOLDEN=write"
    assert text == path.read_text("utf-8")


def look_with(look: Look, **changes: object) -> Look:
    return replace(look, **changes)  # type: ignore[arg-type]  # any field
