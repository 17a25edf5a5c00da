"""The strong strategy: it looks ahead over worlds that agree with all it has seen (determinised search).

Law of the file. What is allowed is asked of the engine (``check``), what cards can become of ``arrange``, what the game
is of its Ruleset; no game is known by its name. A choice is judged by its ``Outlook``, the mean over the same sampled
worlds for every candidate. The number of worlds is the budget, not the clock: the same view and seed give the same
decision on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rummy_p2p.arrange import discards, least_deadwood_value, with_lay_offs
from rummy_p2p.bots import simple
from rummy_p2p.bots.outlook import Outlook
from rummy_p2p.bots.playout import Playout
from rummy_p2p.bots.worlds import World, worlds
from rummy_p2p.cards import Card
from rummy_p2p.engine import Action, Phase, View, legal_actions
from rummy_p2p.rules import actions as act
from rummy_p2p.ruleset import Ruleset

SAMPLES: Final = 150
SAMPLES_WITH_JOKERS: Final = 40  # a joker makes an arrangement several times dearer
RIVALS: Final = 40  # a likely hand of somebody else takes as long as a dozen draws, and fewer of them will do
PLAYED_OUT: Final = 150  # ... where a hand can be played to its end in a world, that tells more
FINALISTS: Final = 3
CANDIDATES: Final = 7
TAKES: Final = 6
_DANGER: Final = 0.5  # how much of what a discard gives to the next player counts against it
_DANGER_OF_A_KNOCK: Final = 1.5  # ... where one meld more may end the hand
_OUTLOOK_COUNTS: Final = 2.0  # beside what comes of playing on simply, which thinks nothing of what may become a meld
_NEAR: Final = 5.0  # a discard whose outlook is worse by more than that is not played out
_FED: Final = 6.0  # what it costs to throw a card that others can lay off at once
_SHOWN: Final = 1.0  # others see a card that is taken from the pile


def decide(view: View, seed: int, samples: int | None = None) -> Action | None:
    """Return the action of the best outlook; ``samples``: how many worlds are looked at."""
    return next((wish for wish in _wishes(view, seed, samples) if simple.is_allowed(view, wish)), None)


def budget(rules: Ruleset, samples: int | None) -> int:
    """Return how many worlds are looked at, so that a decision takes some 30 ms."""
    if samples is not None:
        return samples
    return SAMPLES_WITH_JOKERS if rules.deck.jokers else SAMPLES


def _wishes(view: View, seed: int, samples: int | None) -> Iterator[Action]:
    state, phase = view.state, view.state.phase
    count = budget(state.rules, samples)
    if phase is Phase.COUNT:
        yield act.Show()
    elif not view.on_turn:
        if state.claim in ("open", "late") and simple.is_allowed(view, act.Call()) and _buys(view, seed, count):
            yield act.Call()
    elif phase in (Phase.OFFER, Phase.DRAW):
        yield from _draws(view, seed, count)
    elif phase is Phase.ANSWER:
        yield act.Keep()
    elif phase is Phase.PLAY:
        yield from _plays(view, seed, count)
    elif phase is Phase.LAY_OFF:
        yield from _lay_offs_after_knock(view)
        yield act.Done()
    if view.on_turn:
        yield from legal_actions(view)  # a card that must be used may call for a move that nobody would wish for


# --- drawing ---------------------------------------------------------------------------------------------------------


def _draws(view: View, seed: int, count: int) -> Iterator[Action]:
    """Take from the pile what is expected to leave less than a card of the stock would."""
    outlook = Outlook(view, worlds(view, count, seed, with_rival=False))
    prices = {take: outlook.after_draw(with_taken(view, take)) for take in _takes(view, outlook)}
    if prices:
        best = min(prices, key=lambda take: prices[take])
        if may_knock_with(view, best) or prices[best] + _SHOWN < outlook.before_draw(view.hand):
            yield best
    yield from (act.Draw(), act.TurnOver(), act.Pass(), act.Take())


def _takes(view: View, outlook: Outlook) -> list[act.Take]:
    """Return the ways to take from the pile that leave least as the hand is now."""
    state = view.state
    most = len(state.pile) if state.rules.draw.pile == "many" else min(1, len(state.pile))
    allowed = [take for number in range(1, most + 1) if simple.is_allowed(view, take := act.Take(number))]
    return sorted(allowed, key=lambda take: outlook.cost(with_taken(view, take), 1))[:TAKES]


def may_knock_with(view: View, take: act.Take) -> bool:
    """Whether the seat may knock at once with what it takes."""
    rules = view.state.rules
    if rules.going_out.how != "knock":
        return False
    hand = with_taken(view, take)
    left = discards(hand, rules)
    return min(left[card] for card in view.hand) <= rules.going_out.knock_limit


def with_taken(view: View, take: act.Take) -> tuple[Card, ...]:
    """Return the hand with what would be taken, the deepest card first."""
    cards = (view.card(slot) for slot in view.state.pile[-take.count :])
    return (*view.hand, *(card for card in cards if card is not None))


def _buys(view: View, seed: int, count: int) -> bool:
    """Whether the discard is worth its price: the cards that come with it stay in hand."""
    top = view.state.top()
    if top is None:
        return False
    found = worlds(view, count, seed, with_rival=False)
    outlook, price = Outlook(view, found), view.state.rules.claim.penalty
    bought = sum(outlook.bought((*view.hand, top), world, price) for world in found)
    return bought + _SHOWN * len(found) < sum(outlook.bought(view.hand, world, 0) for world in found)


# --- playing ---------------------------------------------------------------------------------------------------------


def _plays(view: View, seed: int, count: int) -> Iterator[Action]:
    rules = view.state.rules
    if rules.lay == "in-play":
        yield from _swaps(view)
        yield from simple.lays(view)
        yield from simple.lay_offs(view)
    knocking = rules.going_out.how == "knock"
    met = worlds(view, min(count, PLAYED_OUT if knocking else RIVALS), seed)
    found = (*met, *worlds(view, count - len(met), seed + 1, with_rival=False))
    outlook = Outlook(view, found)
    if knocking:
        yield from _knocks(view, met)
    yield from (act.Discard(card) for card in by_outlook(view, outlook))


def _swaps(view: View) -> Iterator[Action]:
    """Yield swaps that leave less in hand, the joker counted where it goes."""
    state = view.state
    with_jokers = [number for number, laid in enumerate(state.table, 1) if laid.meld.jokers]
    if not with_jokers:
        return
    before = least_deadwood_value(view.hand, state.rules)
    for number in with_jokers:
        joker = next(card for card in state.table[number - 1].meld.cards if card.is_joker)
        for card in view.hand:
            swap = act.Swap(card, number)
            if not card.is_joker and simple.is_allowed(view, swap):
                after = [joker if other == card else other for other in view.hand]
                if least_deadwood_value(after, state.rules) < before:
                    yield swap


def _knocks(view: View, found: Sequence[World]) -> Iterator[Action]:
    """Yield the knock that leaves least, when it wins more than it loses over the worlds."""
    rules = view.state.rules
    yield act.Knock()
    card = simple.by_cost(view, 0)[0]
    points = discards(view.hand, rules)[card]
    if points <= rules.going_out.knock_limit and (not points or _knock_wins(view, card, found)):
        yield act.Knock(card)


def _knock_wins(view: View, card: Card, found: Sequence[World]) -> bool:
    """Whether a knock is expected to win more than it loses."""
    kept = [other for other in view.hand if other != card]
    return Playout(view.state.rules, found).after_knock(kept) >= 0


def by_outlook(view: View, outlook: Outlook) -> list[Card]:
    """Return the hand, first the card whose discard has the best outlook."""
    order = list(simple.by_cost(view, 0))
    faces: dict[int, Card] = {}
    for card in order:
        faces.setdefault(card.face, card)
    candidates = list(faces.values())[:CANDIDATES]
    kept = outlook.after_discards(view.hand, candidates)
    price = {card: kept[card] + _price_of_throwing(view, outlook, card) for card in candidates}
    chosen = sorted(candidates, key=lambda card: price[card])
    if outlook.rules.going_out.how == "knock":
        rivals = [card for card in chosen[:FINALISTS] if price[card] < price[chosen[0]] + _NEAR]
        chosen[: len(rivals)] = _by_playing_out(view, outlook, rivals, price)
    return [*chosen, *(card for card in order if card not in price)]


def _by_playing_out(view: View, outlook: Outlook, best: list[Card], price: Mapping[Card, float]) -> list[Card]:
    """Return the best few, first what does best when every world is played to its end; the outlook counts as well."""
    if len(best) == 1:
        return best
    playout = Playout(outlook.rules, [world for world in outlook.worlds if world.stock])
    judged = {}
    for card in best:
        kept = [other for other in view.hand if other != card]
        judged[card] = _OUTLOOK_COUNTS * price[card] - playout.after_discard(kept, card)
    return sorted(best, key=lambda card: judged[card])


def _price_of_throwing(view: View, outlook: Outlook, card: Card) -> float:
    """Return what it costs that others get a card."""
    danger = _DANGER_OF_A_KNOCK if outlook.rules.going_out.how == "knock" else _DANGER
    price = danger * _gift(outlook, card)
    return price + _FED if simple.helps_others(view.state, card) else price


def _gift(outlook: Outlook, card: Card) -> float:
    """Return by how much the card would better the next player's hand, the mean over the worlds."""
    rules, value = outlook.rules, outlook.value(card)
    met = [world for world in outlook.worlds if world.rival]
    total = 0
    for world in met:
        before = least_deadwood_value(world.rival, rules)
        after = least_deadwood_value((*world.rival, card), rules)
        if after <= before:
            total += before - after + value
    return total / max(1, len(met))


# --- after a knock ---------------------------------------------------------------------------------------------------


def _lay_offs_after_knock(view: View) -> Iterator[Action]:
    """Yield the first lay-off of the arrangement that leaves least."""
    state = view.state
    best = with_lay_offs(view.hand, state.rules, tuple(laid.meld for laid in state.table))
    for piece, index, side in best.lay_offs:
        yield act.Add(piece, index + 1, side)
        yield act.Add(piece, index + 1, None)
