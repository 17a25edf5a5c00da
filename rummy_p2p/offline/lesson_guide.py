"""A guided first hand: a real hand against bots, with tips at the moments when they help.

A tip is a sentence and a condition on what the seat sees, made from the rules: what a house rule adds gets its tip, and
what it takes away has none. Every tip comes once, and at most one for each thing that happens.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from rummy_p2p.arrange import discards, least_deadwood, opening
from rummy_p2p.bots import Strategy
from rummy_p2p.cards import Card
from rummy_p2p.engine import Action, IllegalAction, Phase, View, check, claimants, legal_actions, start_match
from rummy_p2p.engine import events as ev
from rummy_p2p.melds import Piece, meld_points
from rummy_p2p.offline.game import Game
from rummy_p2p.offline.practice import PracticeSeat
from rummy_p2p.rules.actions import Add, Swap, Take
from rummy_p2p.rules.legality import going_out
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences import Notice, labelled_call, rules_lines
from rummy_p2p.sentences.events import card_text, meld_text
from rummy_p2p.sentences.language import cards, points
from rummy_p2p.sentences.lessons import TipNotice, game_header, lesson_text, tip_text
from rummy_p2p.sentences.refusals import contract_words
from rummy_p2p.sentences.titles import label_text, title_text

Facts = Mapping[str, str | int]
When = Callable[[View, Sequence[str]], Facts | None]
Command = Callable[[str], None]

FEW: Final = 3
SPLITS: Final = 8
NOTHING: Final[Facts] = {}


class Tip(NamedTuple):
    """When a tip is given, in which games at all, and what fills it in where there is no hand to speak of."""

    when: When
    fits: Callable[[Ruleset], bool]
    example: Callable[[Ruleset], Facts] = lambda _rules: NOTHING


class GuidedSeat(PracticeSeat):
    """A practice seat with somebody experienced looking on."""

    def __init__(self, game: Game, names: tuple[str, ...], bot: Strategy, seed: int, *, stays: bool = False) -> None:
        """Deal a hand, and say what this is; ``stays`` as for a practice seat."""
        super().__init__(game, names, bot, seed, 1, stays=stays)
        self._given: set[str] = set()
        self._lines.extendleft(
            map(Notice, (lesson_text("guide", title=title_text(self.rules)), game_header(self.rules)))
        )

    def commands(self) -> Mapping[str, tuple[str, Command]]:
        """Return the commands of the practice seat, and the one that shows all tips."""
        return {**super().commands(), "tips": (lesson_text("tips"), self._tell_all)}

    async def next(self) -> ev.Event | Notice | None:
        """Return what happened next; a tip comes behind what it is about."""
        item = await super().next()
        if isinstance(item, ev.Event) and (found := self._tip(item)):
            self._lines.appendleft(found)
        return item

    def _tip(self, event: ev.Event) -> TipNotice | None:
        view = self.view()
        if not _is_a_moment(event, self.seat) or view.state.over:
            return None
        for code, tip in TIPS.items():
            if code in self._given or not tip.fits(self.rules):
                continue
            facts = tip.when(view, self.names)
            if facts is not None:
                self._given.add(code)
                text = tip_text(code, **facts)
                return TipNotice(lesson_text("tip", text=text), text, code)
        return None

    def _tell_all(self, _text: str) -> None:
        self._lines += map(Notice, tip_lines(self.rules))
        self._acted.set()


def guided_seat(rules: Ruleset, seats: int, nick: str, seed: int, bot: Strategy, *, stays: bool = False) -> GuidedSeat:
    """Return a guided seat against ``seats - 1`` bots that plays first; the same ``seed``, the same deals."""
    dice = random.Random(seed)
    names = (nick, *(f"Bot {n}" for n in range(1, seats)))
    game = Game(rules, start_match(rules, seats, seats - 1), lambda cards: dice.sample(list(cards), len(cards)))
    return GuidedSeat(game, names, bot, seed, stays=stays)


def tip_lines(rules: Ruleset) -> tuple[str, ...]:
    """Return every tip that these rules can come to, with examples in the place of cards."""
    return tuple(tip_text(code, **tip.example(rules)) for code, tip in TIPS.items() if tip.fits(rules))


def guide_page(rules: Ruleset) -> tuple[str, ...]:
    """Return the guide on one page: the header, the rules in short, every tip."""
    return (game_header(rules), "", *rules_lines(rules)[1:], "", lesson_text("all-tips"), *tip_lines(rules))


def _is_a_moment(event: ev.Event, seat: int) -> bool:
    """Whether a tip may follow: the learner's turn begins or goes on, or somebody's discard can be claimed."""
    if isinstance(event, ev.Discarded):
        return event.seat != seat
    return isinstance(event, ev.Turn | ev.Drew | ev.Took | ev.MeldLaid | ev.LaidOff | ev.Swapped) and event.seat == seat


# --- conditions: what fills the tip in, or None when it does not apply ------------------------------------------------


def _plays(view: View) -> bool:
    return view.on_turn and view.state.phase is Phase.PLAY


def _allowed(view: View, action: Action) -> bool:
    try:
        check(view, action)
    except IllegalAction:
        return False
    return True


def _claim(view: View, _names: Sequence[str]) -> Facts | None:
    top = view.state.top()
    if top is None or view.on_turn or view.seat not in claimants(view.state):
        return None
    return {**_claim_example(view.state.rules), "card": card_text(top)}


def _swap(view: View, _names: Sequence[str]) -> Facts | None:
    if not _plays(view):
        return None
    found = next((action for action in legal_actions(view) if isinstance(action, Swap)), None)
    return None if found is None else {"card": card_text(found.card), "number": found.number or 1}


def _first_lay(view: View) -> bool:
    return _plays(view) and view.state.rules.lay == "in-play" and not view.state.opened[view.seat]


def _opening_ready(view: View, _names: Sequence[str]) -> Facts | None:
    rules = view.state.rules
    if not _first_lay(view):
        return None
    found = opening(view.hand, rules, view.state.round_index)
    if found is None or not found.melds:
        return None
    melds = " | ".join(meld_text(meld) for meld in found.melds)
    return {"melds": melds, "worth": points(found.points), "minimum": points(rules.opening.points)}


def _opening(view: View, _names: Sequence[str]) -> Facts | None:
    rules = view.state.rules
    if not _first_lay(view):
        return None
    melds = least_deadwood(view.hand, rules).melds
    if not melds or opening(view.hand, rules, view.state.round_index) is not None:
        return None
    best = max(melds, key=lambda meld: meld_points(meld, rules.scoring.in_play))
    worth = points(meld_points(best, rules.scoring.in_play))
    return {"meld": meld_text(best), "worth": worth, "minimum": points(rules.opening.points)}


def _contract_ready(view: View, _names: Sequence[str]) -> Facts | None:
    if not _first_lay(view) or going_out(view.state) == "all-at-once":
        return None
    found = opening(view.hand, view.state.rules, view.state.round_index)
    return NOTHING if found is not None and found.melds else None


def _contract(view: View, _names: Sequence[str]) -> Facts | None:
    return {"contract": contract_words(view.state.rules.rounds[view.state.round_index].contract)}


def _split_run(view: View, _names: Sequence[str]) -> Facts | None:
    if "44" not in view.state.rules.rounds[view.state.round_index].contract:
        return None
    melds = least_deadwood(view.hand, view.state.rules).melds
    return NOTHING if any(meld.kind == "run" and len(meld.cards) >= SPLITS for meld in melds) else None


def _last_round(view: View, _names: Sequence[str]) -> Facts | None:
    return NOTHING if going_out(view.state) == "all-at-once" else None


def _take_many(view: View, _names: Sequence[str]) -> Facts | None:
    pile = view.state.pile
    if not view.on_turn or view.state.phase is not Phase.DRAW:
        return None
    count = next((n for n in range(len(pile), 1, -1) if _allowed(view, Take(n))), 0)
    deepest = view.card(pile[-count]) if count else None
    return None if deepest is None else {"count": count, "card": card_text(deepest)}


def _no_return(view: View, _names: Sequence[str]) -> Facts | None:
    return NOTHING if _plays(view) and view.state.taken else None


def _fits(view: View) -> Iterator[tuple[Card, int]]:
    for card in least_deadwood(view.hand, view.state.rules).left:
        for number in range(1, len(view.state.table) + 1):
            if _allowed(view, Add(Piece(card), number, None)):
                yield card, number


def _lay_off(view: View, _names: Sequence[str]) -> Facts | None:
    if not _plays(view):
        return None
    found = next(_fits(view), None)
    return None if found is None else {"card": card_text(found[0]), "number": found[1]}


def _guard(view: View, _names: Sequence[str]) -> Facts | None:
    if not _plays(view):
        return None
    found = next(_fits(view), None)
    return None if found is None else {**_claim_example(view.state.rules), "card": card_text(found[0])}


def _few_left(view: View, names: Sequence[str]) -> Facts | None:
    state = view.state
    near = [s for s in range(state.seats) if s != view.seat and state.playing[s] and len(state.hands[s]) <= FEW]
    return {"name": names[near[0]], "left": cards(len(state.hands[near[0]]))} if near else None


def _jokers(view: View) -> int:
    return sum(card.is_joker for card in view.hand)


def _joker_cost(view: View, _names: Sequence[str]) -> Facts | None:
    return {"worth": points(view.state.rules.scoring.in_hand.joker)} if _jokers(view) else None


def _two_jokers(view: View, _names: Sequence[str]) -> Facts | None:
    return NOTHING if _jokers(view) > 1 else None


def _ace_cost(view: View, _names: Sequence[str]) -> Facts | None:
    holds = any(card.rank == 1 for card in view.hand)
    return {"worth": points(view.state.rules.scoring.in_hand.ace)} if holds else None


def _corner(view: View, _names: Sequence[str]) -> Facts | None:
    held = {(card.suit, card.rank) for card in view.hand if not card.is_joker}
    return NOTHING if any({(suit, 13), (suit, 1), (suit, 2)} <= held for suit in range(4)) else None


def _no_twins(view: View, _names: Sequence[str]) -> Facts | None:
    naturals = [card for card in view.hand if not card.is_joker]
    faces = [card.face for card in naturals]
    ranks = [card.rank for card in naturals]
    twin = next((c for c in naturals if faces.count(c.face) > 1 and ranks.count(c.rank) > 2), None)
    return None if twin is None else {"card": card_text(twin)}


def _take_all(view: View, _names: Sequence[str]) -> Facts | None:
    return {"factor": view.state.rules.scoring.take_all_factor} if _first_lay(view) else None


def _knock_early(view: View, _names: Sequence[str]) -> Facts | None:
    going = view.state.rules.going_out
    if not _plays(view):
        return None
    least = min(discards(view.hand, view.state.rules).values())
    return None if least > going.knock_limit else {"worth": points(least)}


def _always(_view: View, _names: Sequence[str]) -> Facts | None:
    return NOTHING


def _every(_rules: Ruleset) -> bool:
    return True


def _lays(rules: Ruleset) -> bool:
    return rules.lay == "in-play"


def _lays_off(rules: Ruleset) -> bool:
    return _lays(rules) and rules.lay_off in ("always", "after-opening")


def _claims(kind: str) -> Callable[[Ruleset], bool]:
    return lambda rules: rules.claim.kind == kind


def _has_points(rules: Ruleset) -> bool:
    return bool(rules.opening.points) and not rules.rounds


def _many_jokers(rules: Ruleset) -> bool:
    return rules.deck.jokers > 1


def _claim_example(rules: Ruleset) -> Facts:
    facts: Facts = {"card": "8h", "word": labelled_call(rules) or "call", "call": label_text(rules.labels.call)}
    return {**facts, "cards": cards(rules.claim.penalty)}


def _opening_example(rules: Ruleset) -> Facts:
    return {"meld": "7s 7h 7d", "worth": points(21), "minimum": points(rules.opening.points)}


def _first_contract(rules: Ruleset) -> Facts:
    return {"contract": contract_words(rules.rounds[0].contract)}


# The first that applies is given: what is urgent first, then what this hand shows, then what holds always.
TIPS: Final[Mapping[str, Tip]] = {
    "claim": Tip(_claim, _claims("rummy-call"), _claim_example),
    "knock-claim": Tip(_claim, _claims("knock-claim"), _claim_example),
    "buy": Tip(_claim, _claims("buy"), _claim_example),
    "knock-early": Tip(
        _knock_early,
        lambda rules: rules.going_out.how == "knock",
        lambda rules: {"worth": points(rules.going_out.knock_limit)},
    ),
    "swap": Tip(
        _swap,
        lambda rules: rules.joker_swap.who != "never" and rules.deck.jokers > 0,
        lambda _rules: {"number": 2, "card": "Qd"},
    ),
    "opening-ready": Tip(
        _opening_ready,
        _has_points,
        lambda rules: {"melds": "10s 10h 10d", "worth": points(30), "minimum": points(rules.opening.points)},
    ),
    "contract-ready": Tip(_contract_ready, lambda rules: bool(rules.rounds)),
    "take-many": Tip(_take_many, lambda rules: rules.draw.pile == "many", lambda _rules: {"count": 3, "card": "5c"}),
    "no-return": Tip(_no_return, lambda rules: not rules.draw.may_return),
    "lay-off": Tip(_lay_off, _lays_off, lambda _rules: {"card": "8h", "number": 2}),
    "guard": Tip(_guard, _claims("rummy-call"), _claim_example),
    "few-left": Tip(_few_left, _lays, lambda _rules: {"name": "Bea", "left": cards(2)}),
    "contract": Tip(_contract, lambda rules: bool(rules.rounds), _first_contract),
    "last-round": Tip(_last_round, lambda rules: any(one.go_out == "all-at-once" for one in rules.rounds)),
    "split-run": Tip(_split_run, lambda rules: any("44" in one.contract for one in rules.rounds)),
    "opening": Tip(_opening, _has_points, _opening_example),
    "one-joker": Tip(_two_jokers, lambda rules: _many_jokers(rules) and rules.melds.max_jokers == 1),
    "two-naturals": Tip(
        _two_jokers,
        lambda rules: _many_jokers(rules) and rules.melds.max_jokers != 1 and rules.melds.min_naturals > 1,
    ),
    "joker-cost": Tip(
        _joker_cost,
        lambda rules: rules.deck.jokers > 0,
        lambda rules: {"worth": points(rules.scoring.in_hand.joker)},
    ),
    "no-twins": Tip(
        _no_twins, lambda rules: rules.deck.packs > 1 and rules.melds.distinct_suits, lambda _rules: {"card": "10s"}
    ),
    "corner": Tip(_corner, _every),
    "ace-cost": Tip(
        _ace_cost,
        lambda rules: rules.scoring.in_hand.ace > rules.scoring.in_hand.face,
        lambda rules: {"worth": points(rules.scoring.in_hand.ace)},
    ),
    "take-all": Tip(
        _take_all,
        lambda rules: rules.scoring.take_all_factor > 1,
        lambda rules: {"factor": rules.scoring.take_all_factor},
    ),
    "sort": Tip(_always, _every),
    "melds-score": Tip(_always, lambda rules: rules.scoring.kind == "meld-points"),
    "last-discard": Tip(_always, lambda rules: _lays(rules) and rules.going_out.how == "must-discard"),
    "may-lay-last": Tip(_always, lambda rules: _lays(rules) and rules.going_out.how == "may-lay"),
    "hide": Tip(_always, _every),
    "watch": Tip(_always, _every),
    "clock": Tip(_always, lambda rules: rules.clock.game_s > 0 and rules.clock.game_loses),
}
