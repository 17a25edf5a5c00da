"""The table room of somebody who looks on, and of one who waits for the other of two."""

from __future__ import annotations

from rummy_p2p.engine import events as ev
from rummy_p2p.ui.console import Console
from rummy_p2p.ui.table_room import TableRoom
from tests.ui.table import SIZES, Onlooker, TableSeat, facts_with, make_room, position, text_of


def watching(**changes: object) -> TableRoom:
    return make_room(Onlooker(), facts=facts_with(looks_on="Gus", watching=2, **changes))


def test_all_players_are_shown_and_no_hand() -> None:
    for size in SIZES:
        text = text_of(watching(), size)
        for name in ("Ada", "Bea", "Cem", "Dag"):
            assert name in text
        assert "You look on: b asks for a seat, q leaves." in text
        assert "nobody's hidden" in text
        assert "To get a seat press b, or type sit" in text
        assert "Gus" in text
        assert "2 watching" in text
        assert "Bea's turn" in text
        assert "YOUR TURN" not in text
        assert "7♥" not in text.splitlines()[-4]


def test_the_keys_are_those_of_somebody_without_cards() -> None:
    room = watching()
    labels = {key.keys[0]: key for key in list(room.keys())}
    assert not {"d", "t", "m", "a", "x", "c", "s", "H", "u", "space"} & labels.keys()
    seat = room.seat
    assert isinstance(seat, Onlooker)
    labels["b"].act()
    assert seat.asked == ["sit"]
    for name in ("i", "g", "r"):
        labels[name].act()
        room.screen.leave()
    labels["pagedown"].act()
    assert text_of(room)
    room.ask_to_leave()
    assert seat.asked == ["sit", "leave"]


def test_who_has_asked_for_a_seat_reads_when_it_comes_and_need_not_ask_again() -> None:
    room = watching(wants_seat=True)
    for size in SIZES:
        text = text_of(room, size)
        assert "You have asked for a seat" in text
        assert "You look on, and have asked for a seat; q leaves." in text
        assert "[b Sit down]" not in text
    assert "b" not in {name for key in list(room.keys()) for name in key.keys}


def test_enter_leaves_a_table_that_is_closed() -> None:
    room = watching()
    room.state.closed = True
    assert "The table is closed: Enter leaves." in text_of(room)
    assert "[Enter Leave]" in text_of(room)
    next(key for key in list(room.keys()) if "enter" in key.keys).act()
    assert room.screen.room is None


def test_a_hand_is_followed_and_its_score_shown_with_the_way_back_to_watching() -> None:
    room = watching()
    for event in (
        ev.Turn(2),
        ev.HandEnded("out", 2),
        ev.Scored((10, 5, 0, 0), ((), (), (), ()), 2),
    ):
        room.hear(event)
    score = room.screen.room
    assert score is not None
    assert {key.keys[0]: key.label for key in list(score.keys())}["enter"] == "Watch"
    assert text_of(score)


def test_the_conversation_knows_no_own_hand() -> None:
    console = Console(Onlooker())
    assert console.answer("turn").lines == ("It is Bea's turn.",)
    assert console.answer("hand").lines == ("Hand: no cards.",)
    assert console.prompt() == "wait> "
    assert not console.hear(ev.Turn(1)).bell


def test_a_claim_says_how_long_is_left_and_is_typed_by_its_key() -> None:
    seat = TableSeat(*position(turn=1))
    asked: list[str] = []
    seat.commands = lambda: {"claim": ("claim", lambda _text: asked.append("claim"))}  # type: ignore[method-assign]  # as a table on the LAN has them
    room = make_room(seat, facts=facts_with(missing=("Bea",), why="Bea cannot be reached.", claim_opens=42.0))
    assert "Claim 0:42" in text_of(room)
    room.facts = lambda: facts_with(missing=("Bea",), why="Bea cannot be reached.", claim_opens=0.0)
    assert "f Claim" in text_of(room)
    next(key for key in list(room.keys()) if "f" in key.keys).act()
    assert asked == ["claim"]
    room.state.closed = True
    assert "f" not in {name for key in list(room.keys()) for name in key.keys}
