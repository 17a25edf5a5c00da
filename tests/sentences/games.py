"""Six games that differ in every knob that sentences speak of, and positions in them."""

from __future__ import annotations

from msgspec.structs import replace

from rummy_p2p.cards import Card
from rummy_p2p.engine import View, open_hand, reveal, start_match, view_for
from rummy_p2p.ruleset import (
    Claim,
    Deck,
    Draw,
    GoingOut,
    JokerSwap,
    Labels,
    MatchEnd,
    Melds,
    Opening,
    Players,
    Round,
    Ruleset,
    Scoring,
    StockOut,
)
from variants_plugins.rummy_no import RULES

NAMES = ("Ada", "Bea", "Cem")

GIN = Ruleset(
    players=Players(min=2, max=2),
    hand_size=(10,),
    lay="at-knock",
    lay_off="after-knock",
    going_out=GoingOut(how="knock", big_gin=True),
    stock_out=StockOut(what="void", at=2),
    scoring=Scoring(kind="gin", gin_bonus=25, undercut_bonus=25),
)
SWEDISH = Ruleset(
    deck=Deck(packs=2, jokers=6),
    hand_size=(13,),
    melds=Melds(max_jokers=1, min_naturals=2),
    opening=Opening(points=30),
    joker_swap=JokerSwap(who="any-missing"),
    claim=Claim(kind="knock-claim", penalty=2, source="pile"),
    labels=Labels(call="Knock"),
    scoring=Scoring(take_all_factor=2),
    match=MatchEnd(limit=50),
)
CONTRACT = Ruleset(
    deck=Deck(packs=2, jokers=4),
    rounds=(Round(contract="33", hand_size=10), Round(contract="444", hand_size=12, go_out="all-at-once")),
    melds=Melds(run_min=4, distinct_suits=False, ace="high"),
    opening=Opening(further_melds=False),
    claim=Claim(kind="buy", penalty=1, after_opening=False),
    joker_swap=JokerSwap(who="both-missing"),
    going_out=GoingOut(how="may-lay"),
)
ROMANIAN = Ruleset(
    players=Players(min=2, max=2),
    hand_size=(13,),
    draw=Draw(pile="many", must_use="before-discard"),
    lay_off="always",
    stock_out=StockOut(what="hand-ends"),
    scoring=Scoring(kind="meld-points"),
    match=MatchEnd(target=200, winner="highest"),
)
PLAIN = Ruleset(lay_off="never", match=MatchEnd(deals=3), joker_swap=JokerSwap(who="declared"), deck=Deck(jokers=2))
GAMES = {"rummy-no": RULES, "gin": GIN, "sv": SWEDISH, "contract": CONTRACT, "ro": ROMANIAN, "plain": PLAIN}


def view_of(seat: int, rules: Ruleset = RULES) -> View:
    """Return the view of a seat in a fresh hand of two; seat 0 holds 7h in slot 0 and has drawn 8h."""
    step = open_hand(rules, start_match(rules, 2, 1))
    state = reveal(step.state, {slot: Card.parse("Kc") for slot in step.state.pile}).state
    return view_for(state, seat, {0: Card.parse("7h")} if seat == 0 else {})


def changed(view: View, **changes: object) -> View:
    return replace(view, state=replace(view.state, **changes))
