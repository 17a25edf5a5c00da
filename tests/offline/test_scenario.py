from __future__ import annotations

from pathlib import Path

import pytest

from rummy_p2p.offline.scenario import Outcome, run_file, scenario_files
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.variants.api import knob_function
from rummy_p2p.variants.manager import installed, make_catalogue
from tests.variants.plugins import game, of_games

HEAD = 'game = "rummy-no"\nhouse = ["joker-20:jokers=4"]\nseats = ["A", "B"]\n'
POSITION = (
    HEAD
    + """
phase = "play"
[deal]
stock = "2c 3d"
pile = "7c Jd"
table = [{ owner = "B", cards = "8c 9c 10c" }, { owner = "B", cards = "9s JK Js" }]
scores = { A = 10, B = 49 }
hands = { A = "7h 8h 9h JK Jc", B = "Kd Ks" }
"""
)


def breaks(_given: object) -> int:
    raise ZeroDivisionError("division by zero")


BREAKING = Ruleset().with_function(knob_function("may_open", breaks, plugin="strange"))
CATALOGUE = make_catalogue([*installed(), of_games("breaking", game("breaking", BREAKING))])


def run(tmp_path: Path, text: str) -> Outcome:
    path = tmp_path / "one.toml"
    path.write_text(text, encoding="utf-8")
    return run_file(path, CATALOGUE)


def holds(tmp_path: Path, text: str) -> None:
    outcome = run(tmp_path, text)
    assert outcome == Outcome(str(tmp_path / "one.toml"), ok=True)


def misses(tmp_path: Path, text: str) -> tuple[int | None, str | None, str | None]:
    outcome = run(tmp_path, text)
    assert not outcome.ok
    return outcome.step, outcome.expected, outcome.got


# --- positions -------------------------------------------------------------------------------------------------------


def test_a_position_is_laid_out_as_it_is_written(tmp_path: Path) -> None:
    holds(
        tmp_path,
        POSITION
        + """
[expect]
turn = "A"
dealer = "B"
phase = "play"
hands = { A = "9h 7h 8h Jc JK", B = "Ks Kd" }
hand_size = { B = 2 }
table = ["8c 9c 10c", "9s JK=10s Js"]
pile = "7c Jd"
stock = 41
scores = { A = 10, B = 49 }
points = { A = 0, B = 0 }
hand_over = false
match_over = false
out = []
winner = ""
""",
    )


def test_cards_that_are_named_nowhere_follow_in_pack_order(tmp_path: Path) -> None:
    text = HEAD + '[deal]\nstock = "2c"\nhands = { A = "As", B = "3s" }\n'
    for turn, card in (("A", "2c"), ("B", "2s"), ("A", "4s")):
        text += f'[[step]]\n{turn} = "draw"\n[[step]]\n{turn} = "discard {card}"\n'
    holds(tmp_path, text)


def test_who_is_on_turn_and_who_deals_can_be_said(tmp_path: Path) -> None:
    text = 'game = "rummy-no"\nseats = ["A", "B", "C"]\n'
    hands = '[deal]\nhands = { A = "As", B = "3s", C = "4s" }\n'
    holds(tmp_path, text + hands + '[expect]\nturn = "A"\ndealer = "C"\n')
    holds(tmp_path, text + 'first = "B"\n' + hands + '[expect]\nturn = "B"\ndealer = "A"\n')
    holds(tmp_path, text + 'first = "B"\ndealer = "B"\n' + hands + '[expect]\nturn = "B"\ndealer = "B"\n')


def test_a_copy_can_be_named(tmp_path: Path) -> None:
    two = HEAD.replace("rummy-no", "two").replace('house = ["joker-20:jokers=4"]\n', "")
    catalogue = make_catalogue(
        [*installed(), of_games("two", game("two", Ruleset().with_(deck__packs=2, lay_off="always")))]
    )
    path = tmp_path / "two.toml"
    position = (
        two
        + 'phase = \'play\'\n[deal]\nhands = { A = "7h\' 7h 8h", B = "Ks" }\n[[step]]\nA = "discard 7h\'"\n[expect]\n'
    )
    for expected, ok in (
        ('pile = "7h\'"', True),
        ('pile = "7h"', True),
        ("pile = \"7h''\"", False),
        ('hands = { A = "7h 8h" }', True),
        ('hands = { A = "7h\' 8h" }', False),
    ):
        path.write_text(position + expected, encoding="utf-8")
        assert run_file(path, catalogue).ok == ok, expected


@pytest.mark.parametrize(
    "deal",
    [
        'hands = { A = "7h 7h" }',
        'hands = { A = "7h\'" }',
        'hands = { A = "7x" }',
        'hands = { C = "7h" }',
        'pile = "7h"\nhands = { A = "7h" }',
        'opened = ["C"]',
        "scores = { C = 1 }",
        'table = [{ owner = "C", cards = "7h 8h 9h" }]',
        'table = [{ owner = "A", cards = "7h 8h" }]',
        'table = [{ owner = "A", cards = "7h 8h 9x" }]',
        'table = [{ owner = "A", cards = "7h 8h 9h | 4s 4d 4c" }]',
        'table = [{ owner = "A", cards = "7h 8h 9h" }, { owner = "A", cards = "9h 9s 9d" }]',
        'table = [{ owner = "A", cards = "7h=6h 8h 9h" }]',
        'table = [{ owner = "A", cards = "JK=JK 8h 9h" }]',
        'table = [{ owner = "A", cards = "" }]',
    ],
)
def test_a_position_that_cannot_be(deal: str, tmp_path: Path) -> None:
    step, expected, got = misses(tmp_path, f"{HEAD}[deal]\n{deal}\n")
    assert (step, expected) == (0, "accepted")
    assert str(got).startswith("invalid-deal")
    holds(tmp_path, f'{HEAD}refused = "invalid-deal"\n[deal]\n{deal}\n')


@pytest.mark.parametrize(
    ("head", "code"),
    [
        ('game = "nothing"\nseats = ["A", "B"]', "unknown-rule"),
        ('game = "rummy-no"\nhouse = ["nothing"]\nseats = ["A", "B"]', "unknown-rule"),
        ('game = "rummy-no"\nhouse = ["joker-20=x"]\nseats = ["A", "B"]', "bad-option"),
        ('game = "rummy-no"\nhouse = ["joker-20=99"]\nseats = ["A", "B"]', "rule-conflict"),
        ('game = "rummy-no"\nseats = ["A"]', "invalid-deal"),
        ('game = "rummy-no"\nseats = ["A", "A"]', "invalid-deal"),
        ('game = "rummy-no"\nseats = ["A", "B"]\nfirst = "C"', "invalid-deal"),
        ('game = "rummy-no"\nseats = ["A", "B"]\ndealer = "C"', "invalid-deal"),
    ],
)
def test_a_table_that_cannot_be_set_up(head: str, code: str, tmp_path: Path) -> None:
    assert misses(tmp_path, head)[:2] == (0, "accepted")
    holds(tmp_path, f'{head}\nrefused = "{code}"')
    assert misses(tmp_path, f'{head}\nrefused = "match-over"')[1] == "match-over"


def test_a_table_that_should_have_been_refused(tmp_path: Path) -> None:
    assert misses(tmp_path, f'{HEAD}refused = "rule-conflict"') == (0, "rule-conflict", "accepted")


# --- steps -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "miss"),
    [
        ('[[step]]\nA = "discard 2s"', (1, "accepted", "not-in-hand")),
        ('[[step]]\nA = "discard 7h"\nrefused = "not-in-hand"', (1, "not-in-hand", "accepted")),
        ('[[step]]\nA = "draw"\nrefused = "already-drawn"\n[[step]]\nB = "draw"', (2, "accepted", "not-your-turn")),
        ('[[step]]\nC = "draw"', (1, "a seat of A, B", "C")),
        ('[[step]]\nA = "draw"\nB = "draw"', (1, "one seat and its move", "{'A': 'draw', 'B': 'draw'}")),
        ('[[step]]\nrefused = "draw-first"', (1, "one seat and its move", "{'refused': 'draw-first'}")),
        ('[[step]]\nA = "dance"', (1, "accepted", "parse-error")),
    ],
)
def test_a_step_that_comes_out_otherwise(steps: str, miss: tuple[int, str, str], tmp_path: Path) -> None:
    assert misses(tmp_path, POSITION + steps) == miss


def test_a_turn_can_end_by_the_clock(tmp_path: Path) -> None:
    holds(tmp_path, POSITION + '[[step]]\nA = "time-out"\n[expect]\nturn = "B"\nphase = "draw"\nhand_size = { A = 5 }')
    over = HEAD + 'phase = "play"\n[deal]\nhands = { A = "7h", B = "8h" }\n[[step]]\nA = "discard 7h"\n'
    holds(tmp_path, over + '[[step]]\nA = "time-out"\nrefused = "hand-over"\n[expect]\nhand_over = true')


def test_a_function_that_fails_is_told(tmp_path: Path) -> None:
    text = 'game = "breaking"\nseats = ["A", "B"]\nphase = "play"\n[deal]\nhands = { A = "7h 8h 9h Ks" }\n'
    step, _, got = misses(tmp_path, text + '[[step]]\nA = "meld 7h 8h 9h"')
    assert step == 1
    assert got == "The rule 'may_open' of the plugin 'strange' failed: ZeroDivisionError: division by zero"


# --- expectations ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expect", "expected", "got"),
    [
        ('turn = "B"', "turn B", "turn A"),
        ('dealer = "A"', "dealer A", "dealer B"),
        ('phase = "draw"', "phase draw", "phase play"),
        ('hands = { B = "Kd" }', "hands {'B': 'Kd'}", "hands {'B': 'Kd Ks'}"),
        ('hands = { B = "Kd Kd" }', "hands {'B': 'Kd Kd'}", "hands {'B': 'Kd Ks'}"),
        ('hands = { C = "Kd" }', "a seat of A, B", "C"),
        ('hands = { B = "Kd X" }', "a card", "X"),
        ("hand_size = { A = 4 }", "hand_size {'A': 4}", "hand_size {'A': 5}"),
        ('table = ["8c 9c 10c"]', "table ['8c 9c 10c']", "table ['8c 9c 10c', '9s JK=10s Js']"),
        ('table = ["8c 9c 10c", "9s JK=10h Js"]', "table ['8c 9c 10c', '9s JK=10h Js']", None),
        ('table = ["10c 9c 8c", "9s JK Js"]', "table ['10c 9c 8c', '9s JK Js']", "table ['8c 9c 10c', '9s JK Js']"),
        ('pile = "Jd 7c"', "pile Jd 7c", "pile 7c Jd"),
        ('pile = ""', "pile ", "pile 7c Jd"),
        ("stock = 3", "stock 3", "stock 41"),
        ("points = { A = 3 }", "points {'A': 3}", "points {'A': 0}"),
        ("scores = { B = 0 }", "scores {'B': 0}", "scores {'B': 49}"),
        ('out = ["A"]', "out ['A']", "out []"),
        ("hand_over = true", "hand_over True", "hand_over False"),
        ("match_over = true", "match_over True", "match_over False"),
        ('winner = "A"', "winner ['A']", "winner []"),
    ],
)
def test_what_is_expected_and_is_not_so(expect: str, expected: str, got: str | None, tmp_path: Path) -> None:
    miss = misses(tmp_path, f"{POSITION}[expect]\n{expect}\n")
    assert miss[:2] == (None, expected)
    assert got is None or miss[2] == got


def test_a_set_compares_in_any_order_and_a_run_as_it_lies(tmp_path: Path) -> None:
    table = '[deal]\ntable = [{ owner = "A", cards = "4d 4s 4c" }, { owner = "A", cards = "JK=6h 7h 8h" }]\n'
    for one in ("4s 4d 4c", "4c 4d 4s"):
        holds(tmp_path, f'{HEAD}{table}[expect]\ntable = ["{one}", "JK 7h 8h"]')
    assert not run(tmp_path, f'{HEAD}{table}[expect]\ntable = ["4s 4d 4c", "7h 8h JK"]').ok


def test_the_third_joker_is_a_joker_like_the_first(tmp_path: Path) -> None:
    melds = ", ".join(f'{{ owner = "A", cards = "7{suit} JK 9{suit}" }}' for suit in "shd")
    expected = ", ".join(f'"7{suit} JK=8{suit} 9{suit}"' for suit in "shd")
    holds(tmp_path, f"{HEAD}[deal]\ntable = [{melds}]\n[expect]\ntable = [{expected}]")


@pytest.mark.parametrize(
    ("scores", "winner"),
    [("{ A = 100, B = 40 }", '"B"'), ("{ A = 100, B = 92 }", '["A", "B"]'), ("{ A = 0, B = 0 }", '"A"')],
)
def test_the_winner_is_of_the_match_once_it_is_over(scores: str, winner: str, tmp_path: Path) -> None:
    text = f'{HEAD}phase = "play"\n[deal]\nscores = {scores}\nhands = {{ A = "7h", B = "8h" }}\n'
    holds(tmp_path, f'{text}[[step]]\nA = "discard 7h"\n[expect]\nwinner = {winner}')


# --- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("game = ", "Invalid value"),
        ('game = "rummy-no"', "missing required field `seats`"),
        (HEAD + "seat = 3", "unknown field `seat`"),
        (HEAD + 'phase = "count"', "Invalid enum value 'count'"),
        (HEAD + "round = 0", "`int` >= 1"),
        (HEAD + "[expect]\nstock = true", "Expected `int | null`"),
    ],
)
def test_a_file_that_is_no_scenario(text: str, told: str, tmp_path: Path) -> None:
    step, expected, got = misses(tmp_path, text)
    assert (step, expected) == (0, "a scenario file")
    assert told in str(got)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    assert not run_file(tmp_path / "nowhere.toml", CATALOGUE).ok
    (tmp_path / "bytes.toml").write_bytes(b"game = '\xff'")
    assert not run_file(tmp_path / "bytes.toml", CATALOGUE).ok


def test_a_folder_stands_for_the_scenarios_below_it(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name, text in (
        ("b.toml", HEAD),
        ("deep/a.toml", HEAD),
        ("rule.toml", 'title = "x"'),
        ("bad.toml", "="),
        ("t.txt", ""),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = scenario_files([tmp_path])
    assert [path.relative_to(tmp_path).as_posix() for path in found] == ["b.toml", "bad.toml", "deep/a.toml"]
    assert scenario_files([tmp_path / "rule.toml"]) == [tmp_path / "rule.toml"]
