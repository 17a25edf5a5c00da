"""Function knobs: a plugin's function is asked where it is set; one that fails is named with plugin, knob and cause."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rummy_p2p.cards import parse_cards
from rummy_p2p.melds import Meld, Piece, read_meld
from rummy_p2p.rules.functions import KnobFailed, ask_function, laid_points
from rummy_p2p.ruleset import KnobFunction, Melds, Ruleset

RUN = read_meld([Piece(card) for card in parse_cards("7h 8h 9h")], Melds())


def rules_with(name: str, call: Callable[..., object]) -> Ruleset:
    return Ruleset().with_function(KnobFunction(name=name, plugin="seven", version="1", source_hash="00", call=call))


def test_without_a_function_there_is_no_answer() -> None:
    assert ask_function(Ruleset(), "meld_points", RUN) is None


def test_a_function_is_given_the_arguments_and_its_answer_counts() -> None:
    rules = rules_with("meld_points", lambda meld: 10 * len(meld.cards))
    assert ask_function(rules, "meld_points", RUN) == 30
    assert ask_function(rules, "left_points", ()) is None


def test_what_a_meld_counts_is_as_printed_or_as_the_function_says() -> None:
    assert laid_points(RUN, Ruleset()) == 24
    assert laid_points(RUN, rules_with("meld_points", lambda _meld: 50)) == 50


def raises(_meld: Meld) -> int:
    raise ZeroDivisionError("by nought")


@pytest.mark.parametrize(
    ("call", "cause"),
    [
        (raises, "ZeroDivisionError: by nought"),
        (lambda: 1, "TypeError: "),
        (lambda _meld: None, "it answered NoneType where a number is needed"),
        (lambda _meld: 1.5, "it answered float where a number is needed"),
    ],
)
def test_a_function_that_fails_is_named(call: Callable[..., object], cause: str) -> None:
    with pytest.raises(KnobFailed) as failed:
        ask_function(rules_with("meld_points", call), "meld_points", RUN)
    assert (failed.value.plugin, failed.value.knob) == ("seven", "meld_points")
    assert failed.value.cause.startswith(cause)
    assert str(failed.value) == f"The rule 'meld_points' of the plugin 'seven' failed: {failed.value.cause}"
