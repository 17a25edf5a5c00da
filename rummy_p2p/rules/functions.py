"""Function knobs: where data cannot say a rule, a plugin's pure function is asked; a failing one is named, never fatal.

The functions and what they answer::

    meld_points(meld) -> int            what a meld counts on the table
    left_points(cards) -> int           what cards left in hand count
    may_open(melds) -> bool             whether these melds are a lawful first lay-down
    may_go_out(summary) -> bool         whether a seat may end the hand now
    hand_bonus(summary) -> int          what a seat gets on top when the hand is counted
"""

from __future__ import annotations

import msgspec

from rummy_p2p.cards import Card
from rummy_p2p.melds import Meld, meld_points
from rummy_p2p.ruleset import Ruleset


class HandSummary(msgspec.Struct, frozen=True):
    """What a function knob is told about a seat and a hand."""

    seat: int
    winner: int | None
    ending: str
    melds: tuple[Meld, ...]
    left: tuple[Card, ...]
    points_laid: int
    all_at_once: bool


class KnobFailed(RuntimeError):
    """A function knob of a plugin raised: the hand is void. Names plugin, knob and cause."""

    def __init__(self, plugin: str, knob: str, cause: str) -> None:
        """Keep whom to name."""
        super().__init__(f"The rule {knob!r} of the plugin {plugin!r} failed: {cause}")
        self.plugin = plugin
        self.knob = knob
        self.cause = cause


def ask_function(rules: Ruleset, name: str, *arguments: object) -> int | None:
    """Call a function knob; None when the Ruleset has none of that name. Raises KnobFailed when it gives no int."""
    function = rules.function(name)
    if function is None:
        return None
    try:
        answer = function.call(*arguments)
    except Exception as error:
        raise KnobFailed(function.plugin, name, f"{type(error).__name__}: {error}") from error
    if not isinstance(answer, int):
        raise KnobFailed(function.plugin, name, f"it answered {type(answer).__name__} where a number is needed")
    return answer


def laid_points(meld: Meld, rules: Ruleset) -> int:
    """Return what a meld counts on the table."""
    asked = ask_function(rules, "meld_points", meld)
    return meld_points(meld, rules.scoring.in_play) if asked is None else asked
