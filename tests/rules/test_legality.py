"""Legality: every refusal with its code and the knob that demands it, and which of several is given."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rummy_p2p.cards import Card
from rummy_p2p.engine import IllegalAction, Phase, apply, parse_action
from rummy_p2p.rules.legality import (
    CODES,
    can_reshuffle,
    can_turn_over,
    claimants,
    first_of,
    fits_table,
    meets_contract,
)
from rummy_p2p.ruleset import KnobFunction, Round, Ruleset
from tests.engine.play import Play, melds

Knobs = dict[str, Any]
BASE = Ruleset().with_(players__max=4, deck__packs=2, deck__jokers=4)
GIN: Knobs = {
    "players__max": 2,
    "lay": "at-knock",
    "lay_off": "after-knock",
    "going_out__how": "knock",
    "scoring__kind": "gin",
}
BIG_GIN: Knobs = {**GIN, "going_out__big_gin": True}
TURN_OVER: Knobs = {"stock_out__what": "turn-over"}
PLAY_ON: Knobs = {"stock_out__what": "play-on"}
VOID_AT_2: Knobs = {"stock_out__what": "void", "stock_out__at": 2}
MANY: Knobs = {"draw__pile": "many"}
MAY_RETURN: Knobs = {"draw__may_return": True}
MUST_USE: Knobs = {"draw__must_use": "before-discard", "lay_off": "always", "draw__pile": "many"}
BARRED: Knobs = {**MUST_USE, "draw__other_taken": "barred"}
NEXT: Knobs = {**MUST_USE, "draw__must_use": "next-action"}
OPEN_30: Knobs = {"opening__points": 30}
WAIVED: Knobs = {**OPEN_30, "opening__waived_when_going_out": True}
WITH_LAYOFFS: Knobs = {**OPEN_30, "opening__layoffs_count": True}
NO_MORE: Knobs = {"opening__further_melds": False}
ONE_JOKER: Knobs = {"melds__max_jokers": 1}
TWO_NATURALS: Knobs = {"melds__min_naturals": 2}
SWAPS: Knobs = {"joker_swap__who": "any-missing"}
SWAPS_AT_ONCE: Knobs = {**SWAPS, "joker_swap__needs_opening": False}
NEVER: Knobs = {"lay_off": "never"}
ALWAYS: Knobs = {"lay_off": "always"}
MAY_LAY: Knobs = {"going_out__how": "may-lay"}
ROUND_33: Knobs = {"rounds": (Round(contract="33", hand_size=10),)}
ROUND_444: Knobs = {"rounds": (Round(contract="444", hand_size=12, go_out="all-at-once"),)}
CALL: Knobs = {"claim__kind": "rummy-call"}
BUY: Knobs = {"claim__kind": "buy", "claim__penalty": 1}
NO_BUY_AFTER: Knobs = {**BUY, "claim__after_opening": False}
NOBODY_OPENS = KnobFunction(name="may_open", plugin="seven", version="1", source_hash="00", call=lambda _melds: False)


class Setup(msgspec.Struct, frozen=True):
    """A position and the moves that lead to the one that is looked at; played anew by every test."""

    knobs: Knobs
    hands: tuple[str, ...]
    where: dict[str, Any]
    moves: tuple[str, ...] = ()
    rules: Ruleset = BASE

    def do(self, *moves: str) -> Setup:
        return msgspec.structs.replace(self, moves=self.moves + moves)

    def play(self) -> Play:
        return Play(self.rules.with_(**self.knobs), *self.hands, **self.where).do(*self.moves)


def at(knobs: Knobs, *hands: str, rules: Ruleset = BASE, **where: object) -> Setup:
    """A is to draw."""
    return Setup(knobs, hands, where, rules=rules)


def drawn(knobs: Knobs, *hands: str, rules: Ruleset = BASE, **where: object) -> Setup:
    """A has drawn."""
    return Setup(knobs, hands, {"phase": Phase.PLAY, **where}, rules=rules)


def discarded(knobs: Knobs, card: str, *hands: str, **where: object) -> Setup:
    """A has just discarded the card; B is on turn."""
    return Setup(knobs, (f"{card} Ks", *hands), {"phase": Phase.PLAY, **where}, (f"A discard {card}",))


# play, move, code, knob
Refusal = tuple[Setup, str, str, str]

DRAWING: list[Refusal] = [
    (at({}, "2s", "3s", stock="", pile="4s"), "A draw", "stock-empty", "stock_out.what"),
    (at({}, "2s", "3s", stock="", pile="4s 5s", shuffles=3), "A draw", "stock-empty", "stock_out.what"),
    (at(PLAY_ON, "2s", "3s", stock="", pile="4s 5s"), "A draw", "stock-empty", "stock_out.what"),
    (at(TURN_OVER, "2s", "3s", stock="", pile="4s"), "A draw", "stock-empty", "stock_out.what"),
    (
        at(VOID_AT_2, "2s", "3s", stock="5s 6s"),
        "A draw",
        "stock-empty",
        "stock_out.at",
    ),
    (at({}, "2s", "3s"), "A take", "pile-empty", "draw.pile"),
    (at({}, "2s", "3s", pile="4s 5s"), "A take 2", "option-off", "draw.pile"),
    (at(MANY, "2s", "3s", pile="4s 5s"), "A take 3", "pile-empty", "draw.pile"),
    (at({}, "2s", "3s", pile="4s", declined=2), "A take", "option-off", "draw.first_upcard_offer"),
    (at({}, "2s", "3s", stock="", pile="4s 5s"), "A turn-over", "option-off", "stock_out.what"),
    (at(TURN_OVER, "2s", "3s", pile="4s"), "A turn-over", "option-off", "stock_out.what"),
    (
        at(TURN_OVER, "2s", "3s", stock="", pile="4s", shuffles=3),
        "A turn-over",
        "stock-empty",
        "stock_out.max_times",
    ),
    (at(TURN_OVER, "2s", "3s", stock=""), "A turn-over", "pile-empty", ""),
    (at({}, "2s", "3s"), "A pass", "option-off", "stock_out.what"),
    (at({}, "2s", "3s", stock="", pile="4s 5s"), "A pass", "option-off", "stock_out.what"),
    (at(TURN_OVER, "2s", "3s", stock="", pile="4s"), "A pass", "option-off", "stock_out.what"),
]

LAYING: list[Refusal] = [
    (drawn({}, "4d 5d 6d", "2s"), "A meld 4d 5d 6d", "must-discard-last", "going_out.how"),
    (drawn({}, "9s 9h 9d 4d 5d 6d", "2s"), "A meld 9s 9h 9d | 4d 5d 6d", "must-discard-last", "going_out.how"),
    (drawn(ROUND_444, "4d 5d 6d 7d 9s", "2s"), "A meld 4d 5d 6d 7d", "must-lay-all", "going_out.how"),
    (drawn({}, "9s 9h 9d 2s", "3s"), "A meld 9s 9h 9c", "not-in-hand", ""),
    (drawn({}, "9s 9h 9d 2s", "3s"), "A meld 9s 9s 9d", "not-in-hand", ""),
    (drawn({}, "9s 9h 9d", "3s"), "A meld 4d 5d 6d", "not-in-hand", ""),
    (drawn(GIN, "9s 9h 9d 2s", "3s"), "A meld 9s 9h 9d", "option-off", "lay"),
    (
        drawn(NO_MORE, "9s 9h 9d 2s", "3s", opened="A"),
        "A meld 9s 9h 9d",
        "option-off",
        "opening.further_melds",
    ),
    (drawn({}, "Ks As 2s 5h", "3s"), "A meld Ks As 2s", "around-the-corner", "melds.ace"),
    (drawn({}, "8h 9d 2c Ks As 2s", "3s"), "A meld 8h 9d | Ks As 2s", "around-the-corner", "melds.ace"),
    (drawn({}, "9s 9h 9s' 5h", "3s"), "A meld 9s 9h 9s'", "duplicate-card", "melds.distinct_suits"),
    (drawn(ONE_JOKER, "9s JK JK' 5h", "3s"), "A meld 9s JK JK", "too-many-jokers", "melds.max_jokers"),
    (drawn(TWO_NATURALS, "9s JK JK' 5h", "3s"), "A meld 9s JK JK", "too-few-naturals", "melds.min_naturals"),
    (drawn({}, "8h 9h JK 5h", "3s"), "A meld 8h 9h JK=9h", "joker-place", ""),
    (drawn({}, "8h 9h 5h", "3s"), "A meld 8h 9h", "not-a-meld", "melds.run_min"),
    (drawn(OPEN_30, "7s 7h 7d 2s", "3s"), "A meld 7s 7h 7d", "opening-minimum", "opening.points"),
    (
        drawn(WITH_LAYOFFS, "9s 10s Js 4h", "3s", laid_points=(10, 0), laid_before=10),
        "A meld 9s 10s Js",
        "opening-minimum",
        "opening.points",
    ),
    (
        drawn(WAIVED, "7s 7h 7d 2s 3s", "4s"),
        "A meld 7s 7h 7d",
        "opening-minimum",
        "opening.points",
    ),
    (drawn(ROUND_33, "9s 9h 9d 2s 2h 2d 5h", "3s"), "A meld 9s 9h 9d", "contract-not-met", "rounds"),
    (
        drawn({}, "9s 9h 9d 2s", "3s", rules=BASE.with_function(NOBODY_OPENS)),
        "A meld 9s 9h 9d",
        "opening-minimum",
        "functions.may_open",
    ),
    (at({}, "9s 9h 9d", "3s", pile="4d").do("A take"), "A meld 9s 9h 9d", "would-leave-no-discard", "draw.may_return"),
]

LAYING_OFF: list[Refusal] = [
    (drawn({}, "10c", "2s", table="7c 8c 9c", opened="A"), "A add 10c 1", "must-discard-last", "going_out.how"),
    (drawn({}, "10c", "2s", table="7c 8c 9c", opened="A"), "A add 6c 1", "not-in-hand", ""),
    (drawn(ROUND_444, "10c 2s", "3s", table="7c 8c 9c 10c'"), "A add 10c 1", "must-lay-all", "going_out.how"),
    (drawn({}, "10c 2s", "3s", table="7c 8c 9c", opened="A"), "A add 10c 2", "no-such-meld", ""),
    (drawn(NEVER, "10c 2s", "3s", table="7c 8c 9c", opened="A"), "A add 10c 1", "option-off", "lay_off"),
    (drawn(GIN, "10c 2s", "3s"), "A add 10c", "option-off", "lay_off"),
    (
        at({**GIN, **NEVER}, "2s", "10c", table="7c 8c 9c", phase=Phase.LAY_OFF, turn=1),
        "B add 10c 1",
        "option-off",
        "lay_off",
    ),
    (drawn({}, "2c 4s", "3s", table="Qc Kc Ac", opened="A"), "A add 2c", "around-the-corner", "melds.ace"),
    (drawn({}, "8c' 4s", "3s", table="7c 8c 9c", opened="A"), "A add 8c 1", "duplicate-card", ""),
    (
        drawn(ONE_JOKER, "JK' 4s", "3s", table="7c JK 9c", opened="A"),
        "A add JK 1",
        "too-many-jokers",
        "melds.max_jokers",
    ),
    (drawn({}, "JK 4s", "3s", table="Qc Kc Ac", opened="A"), "A add JK 1 right", "joker-place", ""),
    (drawn({}, "Jc 4s", "3s", table="7c 8c 9c", opened="A"), "A add Jc 1", "does-not-fit", ""),
    (drawn({}, "Jc 4s", "3s", table="7c 8c 9c | 2s 3s 4s'", opened="A"), "A add Jc", "does-not-fit", ""),
    (drawn({}, "Jc 4s", "3s", opened="A"), "A add Jc", "does-not-fit", ""),
    (drawn({}, "10c 4s", "3s", table="7c 8c 9c | 10s 10h 10d", opened="A"), "A add 10c", "ambiguous-place", ""),
    (
        drawn({}, "Ac 4s", "3s", table="2c 3c 4c 5c 6c 7c 8c 9c 10c Jc Qc Kc | 2s 2h 2d", opened="A"),
        "A add Ac",
        "ambiguous-place",
        "",
    ),
    (drawn({}, "10c 4s", "3s", table="7c 8c 9c"), "A add 10c", "open-first", "lay_off"),
    (
        at({}, "10c", "3s", table="7c 8c 9c", opened="A", pile="2d").do("A take"),
        "A add 10c",
        "would-leave-no-discard",
        "draw.may_return",
    ),
]

SWAPPING: list[Refusal] = [
    (drawn(SWAPS, "10s 4s", "3s", table="9s JK Js", opened="A"), "A swap 10d 1", "not-in-hand", ""),
    (drawn(SWAPS, "10d 4s", "3s", table="9s JK Js", opened="A"), "A swap 10d 1", "not-that-joker", "joker_swap.who"),
    (
        drawn(SWAPS, "10d 4s", "3s", table="9s JK Js | 9s' 10s Js'", opened="A"),
        "A swap 10d",
        "not-that-joker",
        "joker_swap.who",
    ),
    (drawn(SWAPS, "10s 4s", "3s", table="7c 8c 9c", opened="A"), "A swap 10s 1", "no-joker", "joker_swap.who"),
    (drawn(SWAPS, "10s 4s", "3s", table="9s JK Js", opened="A"), "A swap 10s 2", "no-such-meld", ""),
    (drawn(SWAPS, "10s 4s", "3s", opened="A"), "A swap 10s", "no-such-meld", ""),
    (drawn({}, "10s 4s", "3s", table="9s JK Js", opened="A"), "A swap 10s", "option-off", "joker_swap.who"),
    (drawn(SWAPS, "10s 4s", "3s", table="9s JK Js"), "A swap 10s", "open-first", "joker_swap.needs_opening"),
]

DISCARDING: list[Refusal] = [
    (drawn({}, "10s 4s", "3s"), "A discard 9c", "not-in-hand", ""),
    (drawn(ROUND_444, "10s", "3s"), "A discard 10s", "must-lay-all", "going_out.how"),
    (at({}, "10s", "3s", pile="4d").do("A take"), "A discard 4d", "may-not-return", "draw.may_return"),
    (at(MUST_USE, "7h 7d Ks", "3s", pile="7s").do("A take"), "A discard Ks", "must-use-taken", "draw.must_use"),
    (at(MUST_USE, "7h 7d Ks", "3s", pile="7s").do("A take"), "A discard 7s", "may-not-return", "draw.may_return"),
    (
        at({**MUST_USE, **MAY_RETURN}, "7h 7d Ks", "3s", pile="7s").do("A take"),
        "A discard 7s",
        "must-use-taken",
        "draw.must_use",
    ),
    (at(MUST_USE, "7h 7d Ks", "3s", pile="7s 2h").do("A take 2"), "A discard 7s", "may-not-return", "draw.may_return"),
    (
        at(BARRED, "7h 7d Ks", "3s", pile="7s 2h").do("A take 2", "A meld 7s 7h 7d"),
        "A discard 2h",
        "may-not-return",
        "draw.may_return",
    ),
    (at(NEXT, "7h 7d 4h 4d 4c Ks", "3s", pile="7s").do("A take"), "A meld 4h 4d 4c", "must-use-taken", "draw.must_use"),
    (
        at(NEXT, "7h 7d 10c Ks", "3s", pile="7s", table="7c 8c 9c").do("A take"),
        "A add 10c 1",
        "must-use-taken",
        "draw.must_use",
    ),
    (
        at({**NEXT, **SWAPS}, "7h 7d 10d Ks", "3s", pile="7s", table="9d JK Jd", opened="A").do("A take"),
        "A swap 10d 1",
        "must-use-taken",
        "draw.must_use",
    ),
]

KNOCKING: list[Refusal] = [
    (drawn(GIN, "2s 3s", "4s"), "A knock 5h", "not-in-hand", ""),
    (drawn(GIN, "2s 3s", "4s"), "A knock 2s | 2s 3s 4s", "not-in-hand", ""),
    (drawn({}, "2s 3s", "4s"), "A knock 2s", "option-off", "going_out.how"),
    (drawn(GIN, "2s 2h 3s 5d", "4s"), "A knock 5d | 2s 2h 3s", "not-a-meld", ""),
    (drawn({**GIN, "going_out__knock_limit": 2}, "9s 3s", "4s"), "A knock 9s", "knock-limit", "going_out.knock_limit"),
    (
        drawn({**GIN, "going_out__knock_limit": 9}, "9s 9h 9d 2s", "4s"),
        "A knock 2s |",
        "knock-limit",
        "going_out.knock_limit",
    ),
    (drawn(GIN, "9s 9h 9d", "4s"), "A knock", "cannot-knock", "going_out.big_gin"),
    (drawn(BIG_GIN, "9s 9h 9d 2s", "4s"), "A knock", "cannot-knock", "going_out.big_gin"),
    (at(GIN, "9s 9h 9d", "4s", pile="2s").do("A take"), "A knock 2s", "may-not-return", "draw.may_return"),
]

CLAIMING: list[Refusal] = [
    (discarded({}, "10c", "2s", "3s"), "C call", "option-off", "claim.kind"),
    (discarded(NO_BUY_AFTER, "10c", "2s", "3s", opened="C"), "C call", "option-off", "claim.after_opening"),
    (at(CALL, "2s", "3s", "4s", pile="10c", table="7c 8c 9c"), "C call", "no-claim-open", "claim.kind"),
    (discarded(BUY, "10c", "2s", "3s"), "B call", "no-claim-open", "claim.kind"),
    (discarded(BUY, "10c", "2s", "3s"), "A call", "claim-own-discard", "claim.kind"),
    (discarded(BUY, "10c", "2s", "3s").do("B take"), "C call", "claim-too-late", "claim.kind"),
    (discarded(BUY, "10c", "2s", "3s").do("C call"), "C call", "claim-too-late", "claim.kind"),
    (discarded(BUY, "10c", "2s", "3s", "4s").do("B draw", "C call"), "D call", "claim-too-late", "claim.kind"),
    (discarded(CALL, "10c", "2s", "3s", table="7c 8c 9c").do("B draw"), "C call", "claim-too-late", "claim.kind"),
    (discarded(CALL, "Jc", "2s", "3s", table="7c 8c 9c"), "C call", "does-not-fit", "claim.kind"),
    (discarded(CALL, "JK", "2s", "3s"), "C call", "does-not-fit", "claim.kind"),
]

ALL: list[Refusal] = [*DRAWING, *LAYING, *LAYING_OFF, *SWAPPING, *DISCARDING, *KNOCKING, *CLAIMING]


def name(value: object) -> str:
    return value.replace(" ", "-") if isinstance(value, str) else ""


@pytest.mark.parametrize(("setup", "move", "code", "knob"), ALL, ids=name)
def test_a_refusal_names_its_reason_and_the_knob_that_demands_it(setup: Setup, move: str, code: str, knob: str) -> None:
    refusal = setup.play().refusal(move)
    assert (refusal.code, refusal.knob) == (code, knob)


# Two reasons at once: the first of the closed list is given.
TWO_REASONS: list[tuple[Setup, str, str, str]] = [
    (drawn(GIN, "9s 9h 9d 2s", "10s").do("A knock 2s"), "B add 10s 1", "gin-no-layoff", "hand-over"),
    (drawn({}, "2s", "3s", "4s", ending="out").do("A discard 2s"), "B draw", "hand-over", "not-your-turn"),
    (at({}, "2s", "3s", "4s"), "B discard 3s", "not-your-turn", "draw-first"),
    (at({}, "2s", "3s", "4s"), "A discard 9c", "draw-first", "not-in-hand"),
    (drawn({}, "2s", "3s", stock="", pile="9c"), "A draw", "already-drawn", "stock-empty"),
    (drawn({}, "2s 9h", "3s"), "A meld 2s 9h", "must-discard-last", "not-a-meld"),
    (drawn(ROUND_444, "2s 9h", "3s"), "A meld 4c 5c 6c", "must-lay-all", "not-in-hand"),
    (drawn(ROUND_444, "2s", "3s"), "A discard 4c", "must-lay-all", "not-in-hand"),
    (drawn({}, "2s 9h", "3s"), "A add 4c 5", "not-in-hand", "no-such-meld"),
    (drawn({}, "2s 9h", "3s"), "A swap 4c 5", "not-in-hand", "no-such-meld"),
    (drawn({}, "2s 9h", "3s"), "A knock 4c", "not-in-hand", "option-off"),
    (drawn(SWAPS, "2s 9h", "3s", table="9s JK Js"), "A swap 2s 1", "not-that-joker", "open-first"),
    (drawn({}, "2s 9h", "3s", table="7c 8c 9c"), "A swap 2s 1", "no-joker", "option-off"),
    (drawn({}, "2s 9h", "3s", table="7c 8c 9c"), "A swap 2s 5", "no-such-meld", "option-off"),
    (drawn(NEVER, "2s 9h", "3s"), "A add 2s 1", "no-such-meld", "option-off"),
    (at({}, "2s", "3s"), "A take 2", "option-off", "pile-empty"),
    (at({}, "2s", "3s", stock=""), "A turn-over", "option-off", "pile-empty"),
    (
        at(TURN_OVER, "2s", "3s", stock="", shuffles=3),
        "A turn-over",
        "stock-empty",
        "pile-empty",
    ),
    (discarded({}, "10c", "2s", "3s"), "A call", "option-off", "claim-own-discard"),
    (discarded(BUY, "10c", "2s", "3s").do("B draw"), "B call", "no-claim-open", "claim-too-late"),
    (discarded(CALL, "10c", "2s", "3s").do("B draw"), "A call", "claim-own-discard", "claim-too-late"),
    (discarded(CALL, "10c", "2s", "3s").do("B draw"), "C call", "claim-too-late", "does-not-fit"),
    (drawn(OPEN_30, "Ks As 2s 4h", "3s"), "A meld Ks As 2s", "around-the-corner", "opening-minimum"),
    (drawn(ONE_JOKER, "9s 9s' JK JK' 4h", "3s"), "A meld 9s 9s JK JK", "duplicate-card", "too-many-jokers"),
    (
        drawn({**ONE_JOKER, **TWO_NATURALS}, "9s JK JK' 4h", "3s"),
        "A meld 9s JK JK",
        "too-many-jokers",
        "too-few-naturals",
    ),
    (drawn({"melds__min_naturals": 3}, "9s 8h JK 4h", "3s"), "A meld 9s 8h JK", "too-few-naturals", "not-a-meld"),
    (drawn(OPEN_30, "2s 3s JK 4h", "9c"), "A meld 2s 3s JK=3s", "joker-place", "opening-minimum"),
    (drawn(ROUND_33, "2s 3s 4h", "9c"), "A meld 2s 3s", "not-a-meld", "contract-not-met"),
    (drawn({}, "2s 9h", "3s", table="7c 8c 9c"), "A add 2s 1", "does-not-fit", "open-first"),
    (drawn({}, "10c 4s", "3s", table="7c 8c 9c | 10s 10h 10d"), "A add 10c", "ambiguous-place", "open-first"),
    (
        drawn({}, "8c' 4s", "3s", table="7c 8c 9c | 2s 2h 2d", opened="A"),
        "A add 8c'",
        "duplicate-card",
        "does-not-fit",
    ),
    (
        at({}, "10c", "3s", table="7c 8c 9c", pile="2d").do("A take"),
        "A add 10c",
        "open-first",
        "would-leave-no-discard",
    ),
    (
        at(OPEN_30, "7s 7h 7d", "3s", pile="2d").do("A take"),
        "A meld 7s 7h 7d",
        "opening-minimum",
        "would-leave-no-discard",
    ),
    (
        at({**NEXT, **OPEN_30}, "Ks Kh 4h 4d 4c 5h", "3s", pile="Kd").do("A take"),
        "A meld 4h 4d 4c",
        "opening-minimum",
        "must-use-taken",
    ),
    (
        at({**GIN, "going_out__knock_limit": 2}, "9s 8s", "4s", pile="2s").do("A take"),
        "A knock 2s",
        "knock-limit",
        "may-not-return",
    ),
    (at(MUST_USE, "7h 7d Ks", "3s", pile="7s").do("A take"), "A discard 7s", "may-not-return", "must-use-taken"),
    (
        at(NEXT, "7h 7d 4h 4d 4c", "3s", pile="7s", table="7c 8c 9c").do("A take"),
        "A meld 7h 7d JK",
        "not-in-hand",
        "must-use-taken",
    ),
    (
        at(NEXT, "4h 4d 4c", "3s", pile="10c", table="7c 8c 9c").do("A take"),
        "A meld 4h 4d 4c",
        "must-use-taken",
        "would-leave-no-discard",
    ),
]


@pytest.mark.parametrize(("setup", "move", "first", "second"), TWO_REASONS, ids=name)
def test_of_two_reasons_the_first_in_the_list_is_given(setup: Setup, move: str, first: str, second: str) -> None:
    assert CODES.index(first) < CODES.index(second)
    assert setup.play().refused(move) == first


def test_every_code_of_play_is_shown_above() -> None:
    elsewhere = {"parse-error", "match-over", "nothing-to-use-it-for"}  # actions, the match, the actor's own hand
    setting_up = {"invalid-deal", "rule-conflict", "unknown-rule", "bad-option"}
    shown = {code for _, _, code, _ in (*ALL, *TWO_REASONS)}
    assert shown | elsewhere | setting_up == set(CODES)
    assert len(set(CODES)) == len(CODES)


def test_the_first_refusal_is_the_first_in_the_list() -> None:
    refusals = [IllegalAction(code) for code in ("open-first", "not-in-hand", "does-not-fit")]
    assert first_of(refusals).code == "not-in-hand"


def test_a_refusal_keeps_what_the_sentence_needs() -> None:
    play = drawn(OPEN_30, "7s 7h 7d 2s", "3s").play()
    assert play.refusal("A meld 7s 7h 7d").parameters == {"points": 21, "minimum": 30}
    assert play.refusal("A meld 7s 2s").parameters == {"cards": "7s 2s", "size": 2}
    empty = at(TURN_OVER, "2s", "3s", stock="", pile="4s").play()
    assert empty.refusal("A draw").parameters == {"turn_over": True, "top": "4s"}
    nothing = at({}, "2s", "3s", stock="").play()
    assert nothing.refusal("A draw").parameters == {"turn_over": False, "top": ""}


def test_who_knocks_shows_the_whole_hand() -> None:
    play = drawn(GIN, "9s 9h 9d 2s", "4s").play()
    shown = {slot: play.order[slot] for slot in play.state.hands[0][:-1]}
    for action in ("knock 9s", "knock 9s |"):
        with pytest.raises(IllegalAction) as refused:
            apply(play.state, 0, parse_action(action), shown)
        assert refused.value.code == "not-in-hand"


# --- what is allowed -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setup", "move"),
    [
        (at({}, "2s", "3s", stock="", pile="4s 5s"), "A draw"),
        (at(VOID_AT_2, "2s", "3s", stock="5s 6s 7s"), "A draw"),
        (at(MANY, "2s", "3s", pile="4s 5s"), "A take 2"),
        (at(TURN_OVER, "2s", "3s", stock="", pile="4s 5s"), "A turn-over"),
        (at({}, "2s", "3s", stock=""), "A pass"),
        (at({}, "2s", "3s", stock="", pile="4s 5s", shuffles=3), "A pass"),
        (at(PLAY_ON, "2s", "3s", stock="", pile="4s 5s"), "A pass"),
        (at(TURN_OVER, "2s", "3s", stock="", pile="4s 5s", shuffles=3), "A pass"),
        (at(VOID_AT_2, "2s", "3s", stock="5s 6s"), "A pass"),
        (at({"draw__first_upcard_offer": True}, "2s", "3s", pile="4s", phase=Phase.OFFER), "A pass"),
        (drawn(OPEN_30, "10s 10h 10d 2s", "3s"), "A meld 10s 10h 10d"),
        (drawn(OPEN_30, "5s 6s 7s 4h 4d 4c 2s", "3s"), "A meld 5s 6s 7s | 4h 4d 4c"),
        (drawn(OPEN_30, "As 2s 3s 4h", "3s'", opened="A"), "A meld As 2s 3s"),
        (drawn(WAIVED, "7s 7h 7d 2s", "3s"), "A meld 7s 7h 7d"),
        (drawn({**WAIVED, **MAY_LAY}, "7s 7h 7d", "3s"), "A meld 7s 7h 7d"),
        (drawn({**ROUND_33, "opening__waived_when_going_out": True}, "9s 9h 9d 2s", "3s"), "A meld 9s 9h 9d"),
        (drawn(WITH_LAYOFFS, "9s 10s Js 4h", "3s", laid_points=(10, 0)), "A meld 9s 10s Js"),
        (drawn(NO_MORE, "7s 7h 7d 2s", "3s"), "A meld 7s 7h 7d"),
        (drawn(ROUND_33, "9s 9h 9d 2s 2h 2d 5h", "3s"), "A meld 9s 9h 9d | 2s 2h 2d"),
        (at(GIN, "2s", "10c", table="7c 8c 9c", phase=Phase.LAY_OFF, turn=1), "B add 10c"),
        (drawn(MAY_LAY, "7s 7h 7d", "3s"), "A meld 7s 7h 7d"),
        (drawn(MAY_LAY, "10c", "2s", table="7c 8c 9c", opened="A"), "A add 10c"),
        (drawn(ALWAYS, "10c 4s", "3s", table="7c 8c 9c"), "A add 10c"),
        (drawn(SWAPS_AT_ONCE, "10s 4s", "3s", table="9s JK Js"), "A swap 10s"),
        (drawn(SWAPS, "10s", "3s", table="7c 8c 9c | 9s JK Js", opened="A"), "A swap 10s"),
        (drawn(ROUND_33, "10s 4s", "3s"), "A discard 4s"),
        (at(MAY_RETURN, "10s", "3s", pile="4d").do("A take"), "A discard 4d"),
        (at({}, "9c'", "3s", pile="9c").do("A take"), "A discard 9c'"),
        (at({**MUST_USE, "draw__must_use_top": False}, "7h Ks", "3s", pile="7s").do("A take"), "A discard Ks"),
        (at(MUST_USE, "7h 7d Ks", "3s", pile="7s 2h").do("A take 2", "A meld 7s 7h 7d"), "A discard 2h"),
        (
            at(BARRED, "7h 7d", "3s", pile="7s 2h").do("A take 2", "A meld 7s 7h 7d"),
            "A discard 2h",
        ),
        (at(NEXT, "7h 7d Ks", "3s", pile="7s").do("A take"), "A meld 7s 7h 7d"),
        (drawn(GIN, "Ac 2c 3c 10s Kd", "4s"), "A knock Kd"),
        (drawn(GIN, "9s 9h 9d 2s", "4s"), "A knock 2s | 9s 9h 9d"),
        (drawn(BIG_GIN, "9s 9h 9d", "4s"), "A knock"),
        (drawn(BIG_GIN, "9s 9h 9d", "4s"), "A knock | 9s 9h 9d"),
        (discarded(CALL, "10c", "2s", "3s", table="7c 8c 9c"), "C call"),
        (discarded(CALL, "10c", "2s", "3s", table="7c 8c 9c"), "B call"),
        (discarded(CALL, "JK", "2s", "3s", table="7c 8c 9c"), "C call"),
        (discarded(BUY, "10c", "2s", "3s", opened="C"), "C call"),
        (discarded(BUY, "10c", "2s", "3s").do("B draw"), "C call"),
    ],
    ids=name,
)
def test_what_is_allowed(setup: Setup, move: str) -> None:
    play = setup.play()
    before = play.state
    assert play.do(move).state != before


def test_where_the_last_card_may_be_laid_a_card_that_cannot_go_back_may_be_laid_later() -> None:
    # The ten fits only after the nine, and the ten may not be discarded: but both can be laid.
    may_lay = at(MAY_LAY, "9c", "3s", table="6c 7c 8c", opened="A", pile="10c").do("A take").play()
    assert may_lay.do("A add 9c", "A add 10c").state.ending == "out"
    stuck = at(MAY_LAY, "9c", "3s", table="6c 7c 8c", opened="A", pile="Jc").do("A take").play()
    assert stuck.refused("A add 9c") == "would-leave-no-discard"
    must_discard = at({}, "9c", "3s", table="6c 7c 8c", opened="A", pile="10c").do("A take").play()
    assert must_discard.refused("A add 9c") == "would-leave-no-discard"


# --- questions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("contract", "laid", "met"),
    [
        ("33", "9s 9h 9d | 2s 2h 2d", True),
        ("33", "9s 9h 9d", False),
        ("33", "9s 9h 9d | 2s 2h 2d | 4s 4h 4d", False),
        ("34", "9s 9h 9d 9c | 4h 5h 6h 7h 8h", True),
        ("34", "9s 9h 9d", False),
        ("44", "4h 5h 6h 7h 8h 9h 10h Jh", True),
        ("44", "4h 5h 6h 7h 8h 9h 10h", False),
        ("44", "4h 5h 6h 7h | 8s 9s 10s Js", True),
        ("4", "4h 5h 6h 7h 8h 9h 10h Jh", True),
        ("4", "4h 5h 6h 7h | 8s 9s 10s Js", False),
        ("444", "4s 5s 6s 7s | 4d 5d 6d 7d 8d | 4h 5h 6h 7h", True),
    ],
)
def test_a_contract_is_a_minimum_of_cards_in_exactly_its_melds(contract: str, laid: str, *, met: bool) -> None:
    rules = BASE.with_(melds__run_min=4)
    assert meets_contract(melds(laid, rules), contract, rules) is met


def test_who_may_claim() -> None:
    assert claimants(discarded(CALL, "10c", "2s", "3s", table="7c 8c 9c").play().state) == (1, 2)
    assert claimants(discarded(CALL, "Jc", "2s", "3s", table="7c 8c 9c").play().state) == ()
    buying = discarded(BUY, "10c", "2s", "3s", "4s").play()
    assert claimants(buying.state) == (2, 3)
    assert claimants(msgspec.structs.replace(buying.state, playing=(True, True, False, True))) == (3,)
    assert claimants(buying.do("B take").state) == ()


def test_with_two_players_a_discard_is_claimed_only_by_the_rummy_call() -> None:
    assert claimants(discarded({"claim__kind": "knock-claim"}, "10c", "2s").play().state) == ()
    assert claimants(discarded(CALL, "10c", "2s", table="7c 8c 9c").play().state) == (1,)


@pytest.mark.parametrize(
    ("card", "fits"), [("10c", True), ("6c", True), ("2d", True), ("Jc", False), ("2s'", False), ("JK", True)]
)
def test_whether_a_single_card_fits_on_the_table(card: str, *, fits: bool) -> None:
    state = at({}, "3s", "4s", table="7c 8c 9c | 2s 2h 2c").play().state
    assert fits_table(state, Card.parse(card)) is fits


def test_nothing_fits_on_an_empty_table_and_no_card_fits_anywhere() -> None:
    state = at(ONE_JOKER, "3s", "4s", table="7c JK 9c").play().state
    assert not fits_table(state, None)
    assert not fits_table(state, Card.parse("JK'"))
    assert not fits_table(at({}, "3s", "4s").play().state, Card.parse("10c"))


@pytest.mark.parametrize(
    ("what", "stock", "pile", "shuffles", "reshuffle", "turn_over"),
    [
        ("reshuffle", "", "4s 5s", 0, True, False),
        ("reshuffle", "", "4s", 0, False, False),
        ("reshuffle", "", "4s 5s", 3, False, False),
        ("turn-over", "", "4s", 0, False, True),
        ("turn-over", "", "4s", 3, False, False),
        ("turn-over", "6s", "4s", 0, False, False),
        ("turn-over", "", "", 0, False, False),
        ("hand-ends", "", "4s 5s", 0, False, False),
        ("play-on", "", "4s 5s", 0, False, False),
        ("void", "", "4s 5s", 0, False, False),
    ],
)
def test_when_the_pile_becomes_the_stock(
    what: str, stock: str, pile: str, shuffles: int, *, reshuffle: bool, turn_over: bool
) -> None:
    state = at({"stock_out__what": what}, "2s", "3s", stock=stock, pile=pile, shuffles=shuffles).play().state
    assert (can_reshuffle(state), can_turn_over(state)) == (reshuffle, turn_over)
