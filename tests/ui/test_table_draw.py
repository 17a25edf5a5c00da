"""The table as it looks: golden screens of the board at 80x24 and 120x40."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from rummy_p2p.cards import pack
from rummy_p2p.engine import Phase
from rummy_p2p.sentences.language import use_language
from rummy_p2p.sentences.screen import Making
from rummy_p2p.ui.canvas import Canvas
from rummy_p2p.ui.glyphs import UNICODE
from rummy_p2p.ui.table_draw import draw_table
from rummy_p2p.ui.table_room import TableRoom
from rummy_p2p.ui.table_scene import Opponent
from tests.ui.seat import FakeSeat
from tests.ui.table import (
    CLAIMED,
    FACTS,
    HAND,
    MELDS,
    NAMES,
    SIZES,
    Clock,
    Onlooker,
    TableSeat,
    check_golden,
    drawn,
    facts_with,
    make_room,
    make_scene,
    position,
    text_of,
    with_talk,
)

LONG_NAMES = ("Alexandra-Charlotte", "Bot 1 (Alexandra)", "Maximilian den store", "Odegard", "Sebnem Y", "Stefan A.")
TIMED = CLAIMED.with_(clock__move_s=60)


def my_turn(*, ascii_only: bool = False) -> TableRoom:
    clock = Clock()
    room = with_talk(make_room(TableSeat(*position(TIMED)), ascii_only=ascii_only, clock=clock))
    room.state.toggle(room.state.fan.slots[-1])
    room.state.turn_since, clock.now = 0.0, 37.0
    return room


def not_my_turn(*, ascii_only: bool = False) -> TableRoom:
    room = make_room(TableSeat(*position(turn=1, phase=Phase.PLAY)), ascii_only=ascii_only)
    return with_talk(room)


def claim_open(*, ascii_only: bool = False) -> TableRoom:
    state, order = position(turn=1, phase=Phase.DRAW)
    state = msgspec.structs.replace(state, claim="open", discarder=2)
    room = with_talk(make_room(TableSeat(state, order), ascii_only=ascii_only))
    room.state.claim_since = 0.0
    return room


def eliminated(*, ascii_only: bool = False) -> TableRoom:
    state, order = position(turn=1, hand="", others=(HAND, "3d 3h 8s"), phase=Phase.DRAW)
    seat = TableSeat(state, order)
    seat.totals((104, 42, 67))
    return with_talk(make_room(seat, ascii_only=ascii_only))


def host_lost(*, ascii_only: bool = False) -> TableRoom:
    why = "Bea, who is host, cannot be reached. The table waits. If you would rather not wait, type leave."
    facts, clock = facts_with(host="Bea", missing=("Bea",), why=why), Clock()
    room = with_talk(make_room(TableSeat(*position(turn=1)), facts=facts, ascii_only=ascii_only, clock=clock))
    room.look()
    clock.now = 12.0
    return room


def host_lost_tight(*, ascii_only: bool = False) -> TableRoom:
    room = host_lost(ascii_only=ascii_only)
    full = tight(ascii_only=ascii_only)
    full.facts, full.state.gone_since = room.facts, {"Bea": -75.0}
    return full


def goes_on_without(*, ascii_only: bool = False) -> TableRoom:
    clock = Clock()
    facts = facts_with(deal="blind", away=("Cem",))
    room = with_talk(make_room(TableSeat(*position(turn=0)), facts=facts, ascii_only=ascii_only, clock=clock))
    room.look()
    clock.now = 83.0
    return room


def making(*, ascii_only: bool = False) -> TableRoom:
    sitting = tuple((name, True, False) for name in ("Ada", "Bea", "Cem", "Dag"))
    facts = facts_with(deal="blind", sitting=sitting, making=Making("shuffle", 2, 4, ("Cem",)))
    room = make_room(FakeSeat(rules=CLAIMED, names=NAMES), facts=facts, ascii_only=ascii_only)
    room.state.say("", "4 players shuffle the deck, one after the other ...")
    return room


def making_lost(*, ascii_only: bool = False) -> TableRoom:
    room = making(ascii_only=ascii_only)
    why = "Cem cannot be reached. The table waits a moment and goes on by itself."
    facts = msgspec.structs.replace(room.facts(), missing=("Cem",), why=why)
    room.facts = lambda: facts
    return room


def audit(*, ascii_only: bool = False) -> TableRoom:
    facts = facts_with(deal="blind", audit="", making=Making("audit", 1, 4, ("Bea", "Cem", "Dag")))
    return with_talk(make_room(TableSeat(*position(phase=Phase.COUNT)), facts=facts, ascii_only=ascii_only))


def tight(*, ascii_only: bool = False) -> TableRoom:
    down = "4s 4h 4d 8c 9c Jc 5d 6d' 7d Qs Qd Qc Jd 9s' 4c' 2h' 3d 3h 8s"
    cards = [str(card) for card in pack(2, 0) if str(card) not in down.split()][:26]
    state, order = position(hand=" ".join(cards), others=("3d 3h 8s", "", ""), melds=MELDS)
    return with_talk(make_room(TableSeat(state, order), ascii_only=ascii_only))


def long_names(*, ascii_only: bool = False) -> TableRoom:
    """Six players with long names, 26 cards, a discard that can be claimed: all that is tight at once."""
    down = "4s 4h 4d 8c 9c Jc 5d 6d' 7d Qs Qd Qc Jd 9s' 4c' 2h' 3d 3h 8s"
    cards = [str(card) for card in pack(2, 0) if str(card) not in down.split()][:26]
    others = ("3d 3h 8s", "4h'", "5h'", "6s' 7s'", "8d'")
    rules = CLAIMED.with_(players__max=6)
    state, order = position(rules, " ".join(cards), others, turn=1, phase=Phase.DRAW)
    seat = TableSeat(msgspec.structs.replace(state, claim="open", discarder=2), order, LONG_NAMES)
    seat.totals((31, 42, 67, 10, 88, 99))
    facts = facts_with(title="The big table of Friday evening", host=LONG_NAMES[2], deal="blind")
    room = with_talk(make_room(seat, facts=facts, ascii_only=ascii_only))
    room.state.claim_since = 0.0
    return room


def forming(*, ascii_only: bool = False) -> TableRoom:
    sitting = (("Ada", True, False), ("Bea", False, False), ("Bot 1 (Ada)", False, True))
    facts = facts_with(forming=True, sitting=sitting, free=1, may_start=False, may_ready=True, host="")
    room = make_room(TableSeat(*position()), facts=facts, ascii_only=ascii_only)
    room.state.say("", "Bea sits down. At the table: Ada, Bot 1 (Ada), Bea. Not ready yet: Bea.")
    return room


def looking_on(*, ascii_only: bool = False) -> TableRoom:
    facts = facts_with(looks_on="Gus", watching=2)
    return with_talk(make_room(Onlooker(), facts=facts, ascii_only=ascii_only))


def looking_on_waits(*, ascii_only: bool = False) -> TableRoom:
    room = looking_on(ascii_only=ascii_only)
    facts = msgspec.structs.replace(room.facts(), wants_seat=True)
    room.facts = lambda: facts
    return room


ROOMS: dict[str, Callable[..., TableRoom]] = {
    "table-my-turn": my_turn,
    "table-not-my-turn": not_my_turn,
    "table-claim-open": claim_open,
    "table-eliminated": eliminated,
    "table-host-lost": host_lost,
    "table-host-lost-tight": host_lost_tight,
    "table-goes-on-without": goes_on_without,
    "table-making": making,
    "table-making-lost": making_lost,
    "table-audit": audit,
    "table-tight": tight,
    "table-forming": forming,
    "table-long-names": long_names,
    "table-looking-on": looking_on,
    "table-looking-on-waits": looking_on_waits,
}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1] + 2}")
@pytest.mark.parametrize("name", ROOMS)
def test_the_table_looks_as_it_did(name: str, size: tuple[int, int]) -> None:
    check_golden(f"{name}-{size[0]}x{size[1] + 2}", drawn(ROOMS[name](), size))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1] + 2}")
@pytest.mark.parametrize("name", ROOMS)
def test_the_table_in_plain_characters(name: str, size: tuple[int, int]) -> None:
    canvas = drawn(ROOMS[name](ascii_only=True), size, ascii_only=True)
    assert all(row.isascii() for row in canvas.rows())
    check_golden(f"{name}-{size[0]}x{size[1] + 2}-ascii", canvas)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1] + 2}")
@pytest.mark.parametrize("name", ROOMS)
def test_the_table_in_swedish(name: str, size: tuple[int, int]) -> None:
    use_language("sv")
    try:
        check_golden(f"{name}-{size[0]}x{size[1] + 2}-sv", drawn(ROOMS[name](), size))
    finally:
        use_language("en")


def test_without_the_side_there_is_room_for_wider_cards() -> None:
    room = tight()
    room.state.side = False
    check_golden("table-tight-no-side-80x24", drawn(room))


def test_the_real_cursor_stands_on_the_face_of_the_card_under_the_cursor() -> None:
    room = not_my_turn()
    for place in (0, 5, 12):
        room.state.at["hand"] = place
        canvas = drawn(room)
        cursor = room.cursor()
        assert cursor is not None
        assert canvas.target_at(*cursor) == ("slot", room.state.fan.slots[place])


@pytest.mark.parametrize("zone", ["piles", "table"])
def test_the_cursor_leaves_the_hand(zone: str) -> None:
    room = not_my_turn()
    room.state.zone = zone  # type: ignore[assignment]  # one of the zones
    for size in SIZES:
        canvas = drawn(room, size)
        cursor = room.cursor()
        assert cursor is not None
        assert (canvas.target_at(*cursor) or ("",))[0] in ("stock", "meld")


@pytest.mark.parametrize("height", [22, 24, 30, 34, 38, 58])
@pytest.mark.parametrize("width", [80, 93, 100, 119, 120, 200])
@pytest.mark.parametrize("name", ROOMS)
def test_every_size_can_be_drawn(name: str, width: int, height: int) -> None:
    room = ROOMS[name]()
    for side in (True, False):
        room.state.side = side
        assert text_of(room, (width, height)).strip()


def test_a_stranger_cannot_write_terminal_codes() -> None:
    room = make_room(TableSeat(*position(), names=("Ada", "\x1b[2JBea", "C\u202eem", "Dag")))
    room.state.say("Bea", "\x1b]0;title\x07 hello")
    assert not [character for character in text_of(room) if not character.isprintable() and character != "\n"]
    assert FACTS.title in text_of(room)


def test_of_a_long_name_so_much_is_left_out_that_what_is_said_can_be_read() -> None:
    said = "One sentence that has to be read to its end."
    for name, shown in (("Bea", "▶ Bea's turn ─ "), ("B" * 40, "▶ BB")):
        waits_for = Opponent(1, name, 3, opened=True, score="42/100", state="turn")
        canvas = Canvas(*SIZES[0], UNICODE)
        draw_table(canvas, make_scene(my_turn=False, message=said, opponents=(waits_for,)))
        assert canvas.rows()[-1].startswith(f"─ {shown}")
        assert f" ─ {said}" in canvas.rows()[-1]


def test_who_is_host_is_named_by_the_first_word_where_it_is_tight() -> None:
    narrow, wide = (text_of(long_names(), size).splitlines()[0] for size in SIZES)
    assert "host Maximilian ·" in narrow
    assert "round 3" in narrow
    assert "host Maximilian den store ·" in wide
