from __future__ import annotations

import pytest

from rummy_p2p.bots.traces import next_hand, traces
from rummy_p2p.cards import Card, cards_text, pack
from rummy_p2p.engine import start_match
from rummy_p2p.offline.game import Game
from rummy_p2p.rules import actions as act
from rummy_p2p.ruleset import Ruleset
from tests.cases.positions import CATALOGUE, KNOCKING

MOVES = {"draw": act.Draw(), "take": act.Take()}
OFFERED = CATALOGUE.compile("gin", ("first-upcard-offer",))


def game(rules: Ruleset = KNOCKING) -> Game:
    """Return a hand in pack order: 2s to Js against Qs to 8h; 9h lies up, then come 10h, Jh and so on."""
    order = [*pack(1, 0)[1:], pack(1, 0)[0]]
    found = Game(rules, start_match(rules, 2, dealer=1), lambda _: order)
    found.next_hand()
    return found


def told(found: Game, seat: int = 0) -> tuple[str, str]:
    seen = traces(found.view(seat))
    return cards_text(seen.thrown), cards_text(seen.refused)


def play(found: Game, *words: str) -> Game:
    for word in words:
        action = MOVES[word] if word in MOVES else act.Discard(Card.parse(word))
        found.act(found.view(0).state.turn, action)
    return found


def test_nobody_has_refused_what_nobody_was_offered() -> None:
    assert told(game()) == ("", "")


def test_who_passed_has_refused_the_upcard() -> None:
    found = game(OFFERED)
    found.act(0, act.Pass())
    assert told(found, 1) == ("", "9h")


def test_cards_were_thrown_in_turn() -> None:
    found = play(game(), "draw", "2s", "draw", "Qs", "draw")
    assert told(found) == ("Qs", "2s 9h")
    assert told(found, 1) == ("2s", "Qs 9h")
    assert told(play(found, "3s", "draw", "Ks")) == ("Ks Qs", "3s 2s 9h")


def test_who_takes_a_card_has_its_own_last_one_on_top_and_then_two_in_a_row() -> None:
    found = play(game(), "draw", "2s", "draw", "Qs", "take")
    assert told(found) == ("", "2s 9h")
    assert told(play(found, "3s", "draw", "Ks", "draw")) == ("Ks", "3s 2s 9h")


@pytest.mark.parametrize("seat", [0, 1])
def test_the_one_who_has_just_thrown_knows_its_own_card_on_top(seat: int) -> None:
    found = play(game(), "draw", "2s")
    assert told(found, seat) == (("", "2s 9h") if seat == 0 else ("2s", "9h"))


def test_of_the_next_hand_only_what_was_taken_openly_is_known() -> None:
    found = game()
    assert next_hand(found.view(1)) == ((), 10)
    play(found, "take", "2s")
    shown, others = next_hand(found.view(1))
    assert (cards_text(shown), others) == ("9h", 9)
