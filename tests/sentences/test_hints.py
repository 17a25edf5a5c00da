from __future__ import annotations

import pytest

from rummy_p2p.bots.hints import Hint
from rummy_p2p.cards import Card
from rummy_p2p.rules import actions as act
from rummy_p2p.sentences import hints
from rummy_p2p.sentences.hints import hint_help, hint_text

KING = act.Discard(Card.parse("Kd"))


def test_it_says_why() -> None:
    keeps = Hint(KING, "keeps-ways", {"card": "Kd", "ways": 2, "cards": "7h 8h"})
    assert hint_text(keeps) == "Throw Kd: it keeps 2 ways to complete 7h 8h."
    one = Hint(KING, "keeps-ways", {"card": "Kd", "ways": 1, "cards": "7h 9h"})
    assert hint_text(one) == "Throw Kd: it keeps 1 way to complete 7h 9h."
    costs = Hint(KING, "costs-most", {"card": "Kd", "points": 10})
    assert hint_text(costs).startswith("Throw Kd: it would cost 10 points in hand")
    out = Hint(KING, "goes-out", {"card": "Kd"})
    assert hint_text(out) == "Throw Kd: you go out and win the hand."


@pytest.mark.parametrize("reason", sorted(hints._TEXTS))
def test_every_reason_has_its_sentence(reason: str) -> None:
    told = hint_text(Hint(KING, reason, {"card": "Kd", "cards": "7h 8h", "points": 3, "ways": 2, "number": 1}))
    assert told.startswith("Throw Kd: ")
    assert told.endswith(".")


def test_there_may_be_nothing_to_do() -> None:
    assert hint_text(None) == "There is nothing for you to do just now."
    assert hint_help() == hints.HINT
