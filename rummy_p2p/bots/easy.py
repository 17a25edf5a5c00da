"""The weak strategy: it plays as the normal one does, but overlooks things, as somebody new to the game would.

It overlooks every other card that it could take and every other meld that it could lay, never claims what was thrown,
and does not look at what the others could use.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from rummy_p2p.arrange import discards, least_deadwood
from rummy_p2p.bots import simple
from rummy_p2p.cards import Card
from rummy_p2p.engine import Action, Phase, View
from rummy_p2p.rules import actions as act

_OVERLOOKS: Final = 0.4
_THROWS_ANY: Final = 0.3
_AT_ONCE: Final = (act.Take, act.Lay, act.Add, act.Knock)


def decide(view: View, seed: int) -> Action | None:
    """Return what the normal strategy would do, unless it is overlooked."""
    wish = simple.decide(view, seed)
    if wish is None or isinstance(wish, act.Call):
        return None
    dice = _dice(view, seed)
    overlooked = isinstance(wish, act.Discard) or (isinstance(wish, _AT_ONCE) and dice.random() < _OVERLOOKS)
    if not overlooked or view.state.owed is not None:
        return wish
    return next((other for other in _instead(view, dice) if simple.is_allowed(view, other)), wish)


def _dice(view: View, seed: int) -> Random:
    state = view.state
    return Random(seed * 1_000_003 + len(state.stock) * 4_099 + len(state.pile) * 61 + len(view.hand))


def _instead(view: View, dice: Random) -> Iterator[Action]:
    phase = view.state.phase
    if phase in (Phase.OFFER, Phase.DRAW):
        yield from (act.Draw(), act.Pass())
    elif phase is Phase.PLAY:
        yield from (act.Discard(card) for card in _to_throw(view, dice))
    elif phase is Phase.LAY_OFF:
        yield act.Done()


def _to_throw(view: View, dice: Random) -> Sequence[Card]:
    """Return the loose cards as they come, now and then; else the hand, first what leaves least."""
    if dice.random() < _THROWS_ANY:
        loose = list(least_deadwood(view.hand, view.state.rules).left)
        dice.shuffle(loose)
        return loose
    left = discards(view.hand, view.state.rules)
    return sorted(view.hand, key=lambda card: left[card])
