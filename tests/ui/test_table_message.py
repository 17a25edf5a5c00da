"""The message line: what is asked of the player comes before what can be done, and each phase has its word."""

from __future__ import annotations

from asyncio import create_task
from collections.abc import Mapping

import msgspec
import pytest

from rummy_p2p.engine import Phase, View
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.ui.console import Console
from rummy_p2p.ui.table_message import claim_text, message
from rummy_p2p.ui.table_moves import Fit, fits
from rummy_p2p.ui.table_play import Play
from rummy_p2p.ui.table_state import TableState
from tests.ui.table import CLAIMED, TableSeat, position
from variants_plugins.gin import RULES as GIN


class Scene:
    """A seat with what its player has selected."""

    def __init__(
        self, rules: Ruleset = CLAIMED, *, state: Mapping[str, object] | None = None, **changes: object
    ) -> None:
        hand, order = position(rules, **changes)  # type: ignore[arg-type]  # any of its arguments
        self.seat = TableSeat(msgspec.structs.replace(hand, **(state or {})), order)
        self.state = TableState()
        self.state.follow(self.view)
        console = Console(self.seat)
        self.play = Play(self.seat, self.state, console, lambda _lines: None, lambda work, _name: create_task(work))

    @property
    def view(self) -> View:
        view = self.seat.view()
        assert view is not None
        return view

    def look_at(self, face: str) -> None:
        self.state.focus(self.view, self.slot(face))

    def slot(self, face: str) -> int:
        return next(slot for slot in self.state.fan.slots if str(self.view.card(slot)) == face)

    def says(self) -> str:
        return message(self.view, self.state, self.play.options(self.view))


PLAIN = "3c 9s Kd Kc"  # of which nothing fits anywhere


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"phase": Phase.DRAW}, "d draws from the stock, t takes Jd."),
        ({"phase": Phase.DRAW, "pile": ""}, "d draws from the stock."),
        ({"phase": Phase.OFFER}, "t takes Jd, p passes."),
        ({"hand": PLAIN, "pile": "Jd"}, "x discards 9s and ends your turn."),
        ({"turn": 1}, ""),
    ],
)
def test_each_phase_has_its_word(changes: dict[str, object], said: str) -> None:
    scene = Scene(**changes)  # type: ignore[arg-type]  # of position
    if "hand" in changes:
        scene.look_at("9s")
    assert scene.says() == said


def test_an_empty_stock_is_turned_over_or_the_pile_is_taken() -> None:
    turned = Scene(CLAIMED.with_(stock_out__what="turn-over"), phase=Phase.DRAW, state={"stock": ()})
    assert turned.says() == "d turns the pile over, t takes Jd."
    ends = Scene(CLAIMED.with_(stock_out__what="play-on"), phase=Phase.DRAW, state={"stock": ()})
    assert ends.says() == "t takes Jd, p passes: then the hand ends."


def test_a_card_that_fits_names_the_melds() -> None:
    scene = Scene()
    scene.look_at("4c")
    assert scene.says() == "4c fits meld 1: press a."
    scene.look_at("JK")
    assert scene.says() == "JK fits melds 1 3 4: press a, then the number."


def test_a_question_comes_before_everything() -> None:
    scene = Scene()
    scene.look_at("JK")
    scene.state.armed = scene.slot("JK")
    scene.state.asking = fits(scene.view, scene.view.hand[-1])
    assert scene.says().startswith("Which meld takes JK?")
    scene.state.asking = (Fit(3, "left"), Fit(3, "right"))
    assert scene.says() == "Which end of meld 3? Left or Right; Esc: neither."


def test_a_joker_tells_what_it_counts_before_it_is_thrown() -> None:
    scene = Scene()
    scene.state.armed = scene.slot("JK")
    assert scene.says() == "A joker in hand counts 30: press x once more to throw it away."


def test_a_card_that_is_carried_by_the_mouse_tells_where_it_may_go() -> None:
    scene = Scene()
    scene.state.dragged = scene.slot("9s")
    assert scene.says() == "9s: drop it on a card, a meld, the pile"


def test_a_claim_tells_its_price() -> None:
    scene = Scene(turn=1, phase=Phase.DRAW, state={"claim": "open", "discarder": 2})
    assert scene.says() == "c (Knock) takes Jd from the pile, and 2 cards more."
    free = Scene(CLAIMED.with_(claim__penalty=0), turn=1, phase=Phase.DRAW, state={"claim": "open", "discarder": 2})
    assert claim_text(free.view) == "c (Knock) takes Jd from the pile."


def test_a_card_that_must_be_used_is_named() -> None:
    scene = Scene(hand=PLAIN)
    owed = scene.slot("9s")
    again = Scene(hand=PLAIN, state={"owed": owed})
    again.look_at("9s")
    assert again.says() == "9s must be used this turn."


def test_in_gin_the_knock_is_offered_when_it_is_allowed() -> None:
    near = Scene(GIN, hand="7h 8h 9h 10h 2c 2d 2s 3s 4s 5s Kd", others=("3d 3h 8s",), melds=(), pile="4c Jh")
    near.look_at("Kd")
    assert near.says() == "x discards Kd and ends your turn; c knocks with Kd."
    far = Scene(GIN, hand="7h 9h 10d 2c Qd 4s Js 5s Kd Ah 8c", others=("3d 3h 8s",), melds=(), pile="4c Jh")
    far.look_at("Kd")
    assert far.says() == "x discards Kd and ends your turn."


def test_what_may_still_be_laid_off_after_a_knock() -> None:
    state = {"knocker": 1}
    scene = Scene(GIN, hand="7d 9s Kd", others=("3d 3h 8s",), melds=(), pile="4c", phase=Phase.LAY_OFF, state=state)
    assert scene.says() == "Add what fits with a, then o."


def test_who_is_out_watches() -> None:
    scene = Scene(turn=1, hand="", others=("3c 4c", "3d 3h 8s"))
    assert scene.says() == "You are out, watching."


def test_what_m_does_is_said_only_when_it_does_something() -> None:
    scene = Scene()
    scene.look_at("2h")
    assert scene.says() == "m lays what is marked; x discards 2h and ends your turn."
    for face in ("7h", "8h"):
        scene.state.toggle(scene.slot(face))
    assert scene.says() == "The selected cards are not a meld; Esc takes the selection back."
    scene.state.toggle(scene.slot("9h"))
    assert scene.says() == "m lays the selected cards; Esc takes the selection back."


def test_the_last_card_goes_out() -> None:
    assert Scene(hand="9s").says() == "x discards 9s: you go out and win the hand."


def test_who_types_is_told_words() -> None:
    def typed(scene: Scene) -> str:
        return message(scene.view, scene.state, scene.play.options(scene.view), typing=True)

    assert typed(Scene(phase=Phase.DRAW)) == "Type draw (stock) or take (pile)."
    assert typed(Scene()) == "Type meld or add, then discard and a card."
    assert typed(Scene(turn=1)) == ""
