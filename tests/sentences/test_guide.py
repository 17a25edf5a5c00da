"""Help, hints and the rules in short are made from the Ruleset."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from rummy_p2p.engine import Phase
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences import help_lines, labelled_call, practice_notice, rules_lines, turn_hint, verbs
from rummy_p2p.variants.matters import matters
from tests.sentences.games import CONTRACT, GAMES, GIN, SWEDISH, changed, view_of
from variants_plugins.rummy_no import RULES


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("rummy-no", "draw take turn-over meld add discard call pass"),
        ("gin", "draw take add discard knock done pass"),
        ("sv", "draw take meld add swap discard call pass"),
        ("contract", "draw take meld add swap discard call pass keep give"),
        ("ro", "draw take meld add discard pass"),
        ("plain", "draw take meld swap discard pass"),
    ],
)
def test_help_knows_the_moves_of_each_game(game: str, words: str) -> None:
    assert verbs(GAMES[game]) == tuple(words.split())
    assert len(help_lines(GAMES[game])) >= len(words.split())


@pytest.mark.parametrize(
    ("rules", "changes", "hint"),
    [
        (RULES, {}, "Type draw (stock) or take (pile)."),
        (RULES, {"pile": ()}, "Type draw (stock)."),
        (RULES, {"stock": ()}, "Type turn-over (make the pile the stock) or take (pile)."),
        (RULES, {"stock": (), "shuffles": 2}, "Type take (pile) or pass (end the hand)."),
        (SWEDISH, {"stock": ()}, "Type take (pile) or pass (end the hand)."),
        (SWEDISH, {"stock": (), "pile": (26, 27)}, "Type draw (stock) or take (pile)."),
        (GIN, {"stock": (21, 22)}, "Type take (pile) or pass (end the hand)."),
        (RULES, {"phase": Phase.PLAY}, "Lay what you can (meld, add), then discard a card to end your turn."),
        (GIN, {"phase": Phase.PLAY}, "Discard a card to end your turn, or knock."),
        (
            CONTRACT,
            {"phase": Phase.PLAY, "round_index": 1},
            "Discard a card to end your turn, or lay all your cards at once (meld ...).",
        ),
        (GIN, {"phase": Phase.OFFER}, "Take the first card of the pile (take), or decline it (pass)."),
        (GIN, {"phase": Phase.LAY_OFF}, "Lay off what fits (add 10h 2), then type done."),
        (RULES, {"turn": 1}, ""),
        (SWEDISH, {"turn": 1, "claim": "open", "discarder": 1}, "You may claim Kc now (Knock): type knock."),
        (CONTRACT, {"turn": 1, "claim": "open", "discarder": 1}, "You may claim Kc now (Call): type call."),
        (SWEDISH, {"turn": 1, "claim": "closed", "discarder": 1}, ""),
    ],
)
def test_the_hint_says_what_can_be_done_now(rules: Ruleset, changes: Mapping[str, object], hint: str) -> None:
    assert turn_hint(changed(view_of(0, rules), **changes)) == hint


@pytest.mark.parametrize(
    ("rules", "word"),
    [
        (RULES, "rummy"),
        (SWEDISH, "knock"),
        (RULES.with_(labels__call="El al"), ""),
        (RULES.with_(labels__call="Draw"), ""),
        (RULES.with_(claim__kind="none"), ""),
        (CONTRACT, ""),
    ],
)
def test_a_call_has_the_word_of_the_game_when_it_is_free(rules: Ruleset, word: str) -> None:
    assert labelled_call(rules) == word


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_in_short_leave_nothing_open(game: str) -> None:
    lines = rules_lines(GAMES[game])
    assert all("{" not in line and line.isprintable() for line in lines)
    assert len(lines) > 5


def test_the_rules_in_short_of_norwegian_rummy_with_the_20_point_joker() -> None:
    rules = RULES.with_(deck__jokers=4, house=["joker-20:jokers=4"])
    assert rules_lines(rules) == (
        "Norwegian rummy, with joker-20:jokers=4",
        "2-6 players, 1 pack of 52, 4 jokers, 6/7/10 cards each.",
        (
            "A set is 3 to 4 cards of one rank, no suit twice. A run is 3 or more cards of one suit in a row. "
            "The ace is low."
        ),
        "Cards may be laid off on any meld from the start.",
        "A meld has 1 joker at most. A joker left in hand counts 20 points.",
        "Whoever first calls RUMMY gets a discard that fits on a meld on the table, until the next player draws.",
        "To go out, discard your last card.",
        "When the stock is empty the pile is turned over unshuffled, at most 2 times.",
        "In hand an ace counts 1, a face card 10, the others as printed.",
        "The match ends when somebody has 100 points. The lowest total wins.",
    )


def test_the_practice_table_speaks() -> None:
    assert practice_notice("next") == "deal the next hand"
    assert practice_notice("hand-over").startswith("Type next for the next hand")


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_rules_in_short_say_the_same_of_sets_and_runs_as_the_whole_rules(game: str) -> None:
    rules = GAMES[game]
    short = " ".join(rules_lines(rules))
    whole = [line for lines in matters(rules).values() for line in lines]
    assert [line for line in whole if line.startswith(("A set is", "A run is")) and line not in short] == []


def test_the_rules_in_short_tell_of_the_clock() -> None:
    timed = rules_lines(RULES.with_(clock__move_s=30, clock__game_s=600, clock__game_loses=True))
    assert timed[-3:] == (
        "A turn lasts 30 s at most; then it ends, and cards taken from the pile and not used go back.",
        "Everybody has 600 s for all turns of a match together.",
        "Whoever has used them up loses the match.",
    )
