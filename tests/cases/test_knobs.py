"""The shipped games, knob by knob, and every house rule over every game: laid over it, or refused with a reason."""

from __future__ import annotations

from typing import Final

import pytest

from rummy_p2p.engine import open_hand, start_match
from rummy_p2p.offline.game import with_scores
from rummy_p2p.ruleset import RulesetError
from tests.cases.positions import CATALOGUE, after

GAMES: Final = ("rummy-sv", "rummi-tr", "gin", "rum-500-ro", "rummy-no", "contract-no")
ROUNDS: Final = (("33", 10), ("34", 10), ("44", 10), ("333", 12), ("334", 12), ("344", 12), ("444", 12))
OFF = "-"

# A row for each knob, a column for each game in the order of GAMES; OFF: the game does not have the matter.
TABLE: Final[list[tuple[str, tuple[object, ...]]]] = [
    ("players.min", (2, 2, 2, 2, 2, 2)),
    ("players.max", (4, 4, 2, 2, 6, 6)),
    ("deck.packs", (2, 2, 1, 1, 1, 2)),
    ("deck.jokers", (6, 6, 0, 0, 0, 4)),
    ("upcard", (True, True, True, True, True, True)),
    ("melds.ace", ("either", "either", "either", "either", "low", "either")),
    ("melds.set_min", (3, 3, 3, 3, 3, 3)),
    ("melds.set_max", (4, 4, 4, 4, 4, 12)),
    ("melds.distinct_suits", (True, True, True, True, True, False)),
    ("melds.run_min", (3, 3, 3, 3, 3, 4)),
    ("melds.max_jokers", (1, None, OFF, OFF, OFF, None)),
    ("melds.min_naturals", (2, 2, OFF, OFF, OFF, 2)),
    ("opening.points", (30, 30, 0, 0, 0, 0)),
    ("opening.waived_when_going_out", (False, False, OFF, OFF, OFF, False)),
    ("opening.layoffs_count", (False, False, OFF, OFF, OFF, False)),
    ("opening.further_melds", (True, True, True, True, True, False)),
    ("lay", ("in-play", "in-play", "at-knock", "in-play", "in-play", "in-play")),
    ("lay_off", ("after-opening", "after-opening", "after-knock", "always", "always", "after-opening")),
    ("draw.pile", ("top", "top", "top", "many", "top", "top")),
    ("draw.must_use", ("no", "no", "no", "before-discard", "no", "no")),
    ("draw.must_use_top", (OFF, OFF, OFF, True, OFF, OFF)),
    ("draw.other_taken", (OFF, OFF, OFF, "barred", OFF, OFF)),
    ("draw.may_return", (False, False, False, False, False, False)),
    ("draw.first_upcard_offer", (False, False, False, False, False, False)),
    ("draw.upcard_cap", (None, None, 50, None, None, None)),
    ("joker_swap.who", ("any-missing", "any-missing", OFF, OFF, OFF, "never")),
    ("joker_swap.needs_opening", (True, True, OFF, OFF, OFF, OFF)),
    ("claim.kind", ("none", "none", "none", "none", "rummy-call", "buy")),
    ("claim.penalty", (OFF, OFF, OFF, OFF, 0, 1)),
    ("claim.priority", (OFF, OFF, OFF, OFF, "ledger", "seat")),
    ("claim.window_ms", (OFF, OFF, OFF, OFF, 1500, 1500)),
    ("claim.after_opening", (OFF, OFF, OFF, OFF, True, True)),
    ("going_out.how", ("must-discard", "may-lay", "knock", "must-discard", "must-discard", "must-discard")),
    ("going_out.knock_limit", (OFF, OFF, 10, OFF, OFF, OFF)),
    ("going_out.big_gin", (OFF, OFF, False, OFF, OFF, OFF)),
    ("stock_out.what", ("reshuffle", "reshuffle", "void", "hand-ends", "turn-over", "reshuffle")),
    ("stock_out.at", (OFF, OFF, 2, OFF, OFF, OFF)),
    ("stock_out.max_times", (3, 3, OFF, OFF, 2, 3)),
    ("stock_out.last_card_action", (OFF, OFF, False, OFF, OFF, OFF)),
    ("scoring.kind", ("penalty", "penalty", "gin", "meld-points", "penalty", "penalty")),
    ("scoring.in_play.ace_low", (1, 1, OFF, 1, OFF, OFF)),
    ("scoring.in_play.ace_high", (11, 11, OFF, 15, OFF, OFF)),
    ("scoring.in_play.face", (10, 10, OFF, 10, OFF, OFF)),
    ("scoring.in_hand.ace", (15, 15, 1, 15, 1, 1)),
    ("scoring.in_hand.face", (10, 10, 10, 10, 10, 10)),
    ("scoring.in_hand.joker", (30, 30, OFF, OFF, OFF, 20)),
    ("scoring.take_all_factor", (1, 1, 1, 1, 1, 1)),
    ("scoring.gin_bonus", (OFF, OFF, 25, OFF, OFF, OFF)),
    ("scoring.undercut_bonus", (OFF, OFF, 25, OFF, OFF, OFF)),
    ("scoring.undercut_on_tie", (OFF, OFF, True, OFF, OFF, OFF)),
    ("scoring.game_bonus", (0, 0, 100, 0, 0, 0)),
    ("scoring.box_bonus", (0, 0, 25, 0, 0, 0)),
    ("match.target", (None, None, 100, 200, 100, None)),
    ("match.limit", (50, 50, None, None, None, None)),
    ("match.deals", (None, None, None, None, None, None)),
    ("match.winner", ("lowest", "lowest", "highest", "highest", "lowest", "lowest")),
    ("match.tie", ("shared", "shared", OFF, "one-more-hand", "shared", "shared")),
    ("clock.move_s", (0, 0, 0, 0, 0, 0)),
    ("clock.game_s", (0, 0, 0, 0, 0, 0)),
]

# Every house rule, what it may be given besides its defaults, and over which games it cannot be laid.
HOUSE: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "ace": (("=low", "=high", "=either"), ""),
    "big-gin": (("", "=no", ":bonus=50"), "rummy-sv rummi-tr rum-500-ro rummy-no contract-no"),
    "buy": (("", "=2", ":price=0,after-opening=no,priority=ledger"), "gin rummy-no"),
    "claim-window": (("", "=0", "=60"), "rummy-sv rummi-tr gin rum-500-ro"),
    "contract-rounds": (("", "=33,34,44", "=33", ":rounds=344,444"), "gin"),
    "deals": (("", "=1"), "contract-no"),
    "fiftieth-card-action": (("", "=no"), "rummy-sv rummi-tr rum-500-ro rummy-no contract-no"),
    "first-upcard-offer": (("", "=no"), ""),
    "further-melds": (("", "=no"), "gin"),
    "game-clock": (("", "=30"), ""),
    "going-out": (("=must-discard", "=may-lay", "=may_lay"), "gin"),
    "joker-20": (("", ":jokers=4"), ""),
    "joker-swap": (("=never", "=declared", "=any_missing", "=both-missing", ":needs-opening=no"), "gin"),
    "knock-claim": (("", "=pile", ":penalty=stock,count=3,turn-returns=yes"), "gin rum-500-ro rummy-no contract-no"),
    "knock-limit": (("=5",), "rummy-sv rummi-tr rum-500-ro rummy-no contract-no"),
    "lay-off": (("=always", "=after-opening"), "gin"),
    "limit": (("", "=1", "=77"), "gin rum-500-ro contract-no"),
    "max-jokers": (("=0", "=3"), ""),
    "max-reshuffles": (("=0", "=9"), "gin rum-500-ro"),
    "may-return": (("", "=no"), ""),
    "min-naturals": (("=1", "=3"), ""),
    "must-use": (("=no", "=next-action", ":when=before-discard,top=no,who=not-opened,others=free"), "gin"),
    "opening": (("=40",), "gin contract-no"),
    "opening-waived-when-going-out": (("", "=no"), "gin rum-500-ro rummy-no"),
    "rummy-call": (("", "=seat"), "gin contract-no"),
    "short-game": (("",), "contract-no"),
    "stock-out": (("", "=turn-over", "=hand-ends", "=play-on"), "gin"),
    "take-all": (("", "=3"), "gin"),
    "target": (("", "=500"), "contract-no"),
    "turn-timer": (("", "=20"), ""),
    "undercut-on-tie": (("", "=no"), "rummy-sv rummi-tr rum-500-ro rummy-no contract-no"),
    "upcard-cap": (("=8",), "rummy-sv rummi-tr rum-500-ro rummy-no contract-no"),
}


@pytest.mark.parametrize(("knob", "values"), TABLE, ids=[row[0] for row in TABLE])
def test_a_knob_of_every_shipped_game(knob: str, values: tuple[object, ...]) -> None:
    for game, value in zip(GAMES, values, strict=True):
        if value != OFF:
            assert CATALOGUE.compile(game).knobs()[knob] == value, game


@pytest.mark.parametrize(
    ("game", "sizes"),
    [
        ("rummy-sv", (13, 13, 13)),
        ("rummi-tr", (13, 13, 13)),
        ("gin", (10,)),
        ("rum-500-ro", (13,)),
        ("rummy-no", (10, 7, 7, 6, 6)),
        ("contract-no", (10,) * 5),
    ],
)
def test_how_many_cards_everybody_is_dealt(game: str, sizes: tuple[int, ...]) -> None:
    rules = CATALOGUE.compile(game)
    assert tuple(rules.cards_each(seats) for seats in range(rules.players.min, rules.players.max + 1)) == sizes


def test_c5_the_rounds_of_a_contract_match() -> None:
    rules = CATALOGUE.compile("contract-no")
    assert tuple((one.contract, one.hand_size) for one in rules.rounds) == ROUNDS
    assert [one.go_out for one in rules.rounds] == [""] * 6 + ["all-at-once"]
    assert [rules.cards_each(6, number) for number in range(7)] == [size for _, size in ROUNDS]


def test_d15_the_games_and_house_rules_are_these() -> None:
    assert set(CATALOGUE.games) == set(GAMES)
    assert CATALOGUE.house_rules.keys() == HOUSE.keys()
    assert all(info.ok for info in CATALOGUE.plugins)


@pytest.mark.parametrize("rule", HOUSE)
def test_a_house_rule_is_laid_over_every_game_that_it_fits(rule: str) -> None:
    settings, unfit = HOUSE[rule]
    for game in GAMES:
        for setting in settings:
            if game in unfit.split():
                with pytest.raises(RulesetError) as caught:
                    CATALOGUE.compile(game, [rule + setting])
                assert caught.value.code == "rule-conflict"
                assert repr(rule) in str(caught.value)
                assert repr(game) in str(caught.value)
            else:
                CATALOGUE.compile(game, [rule + setting])


@pytest.mark.parametrize(
    ("house", "code"),
    [
        ("ace=middle", "bad-option"),
        ("limit=0", "bad-option"),
        ("limit=many", "bad-option"),
        ("take-all:by=3", "bad-option"),
        ("claim-window=-1", "bad-option"),
        ("claim-window=9", "rule-conflict"),
        ("short-game=2", "bad-option"),
        ("contract-rounds=35", "rule-conflict"),
        ("opening:layoffs-count=yes", "rule-conflict"),
        ("joker-20:jokers=99", "rule-conflict"),
        ("canasta", "unknown-rule"),
    ],
)
def test_a_house_rule_that_cannot_be(house: str, code: str) -> None:
    with pytest.raises(RulesetError) as caught:
        CATALOGUE.compile("rummy-sv", [house])
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("game", "one", "other"),
    [
        ("rummy-sv", ["limit=50"], []),
        ("rummy-sv", ["take-all", "limit=80"], ["limit=80", "take-all"]),
        ("rummi-tr", ["limit=1", "short-game"], ["short-game"]),
        ("rum-500-ro", ["target=500"], ["target=100", "target=500"]),
        ("rummy-no", ["deals=3", "target=60"], ["target=60", "deals=3", "target=60"]),
    ],
)
def test_the_fingerprint_is_of_the_content(game: str, one: list[str], other: list[str]) -> None:
    assert CATALOGUE.compile(game, one).fingerprint == CATALOGUE.compile(game, other).fingerprint
    assert CATALOGUE.compile(game, one).fingerprint != CATALOGUE.compile(game, ["may-return"]).fingerprint


# --- who begins, who deals -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [pytest.param(game, id=f"A30 {game}") for game in GAMES])
def test_the_seat_after_the_dealer_begins_and_the_deal_goes_round(game: str) -> None:
    rules = CATALOGUE.compile(game)
    seats = rules.players.max
    match = start_match(rules, seats, dealer=0)
    for number in range(seats + 1):
        assert match.dealer == number % seats
        assert open_hand(rules, match).state.turn == (number + 1) % seats
        match = after(rules, match, winner=0)


def test_r16_the_other_player_of_two_begins_and_the_deal_alternates() -> None:
    rules = CATALOGUE.compile("rum-500-ro")
    first = start_match(rules, 2, dealer=0)
    assert open_hand(rules, first).state.turn == 1
    assert open_hand(rules, after(rules, first, winner=1)).state.turn == 0


def test_who_is_out_neither_deals_nor_plays() -> None:
    rules = CATALOGUE.compile("rummy-sv")
    match = after(rules, with_scores(start_match(rules, 4, dealer=0), (0, 50, 0, 0)), winner=1, points=1)
    assert (match.out, match.dealer) == (frozenset({1}), 2)
    hand = open_hand(rules, match).state
    assert (hand.turn, hand.playing, hand.hands[1]) == (3, (True, False, True, True), ())


def test_the_time_to_claim_goes_with_the_claim_of_the_game_or_of_a_house_rule() -> None:
    assert CATALOGUE.compile("rummy-no", ["claim-window=8"]).claim.window_ms == 8000
    assert CATALOGUE.compile("rummy-no", ["claim-window=8", "rummy-call=seat"]).claim.window_ms == 8000
    assert CATALOGUE.compile("rummy-sv", ["knock-claim", "claim-window"]).claim.window_ms == 5000
    with pytest.raises(RulesetError, match="no longer than a minute"):
        CATALOGUE.compile("rummy-no", ["claim-window=61"])
