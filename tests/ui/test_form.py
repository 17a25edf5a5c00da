"""The form of a new table: made from the catalogue, always something that a table allows."""

from __future__ import annotations

import random

import pytest

from rummy_p2p.ui.form import AUTO, Field, Form, Plan
from tests.ui.lobby import GAMES


def form(game: str = "rummy-sv") -> Form:
    made = Form(GAMES, ("normal", "hard"))
    assert made.write("game", game) == ""
    return made


def field(made: Form, key: str) -> Field:
    return next(each for each in made.fields() if each.key == key)


def test_it_begins_with_what_is_easy() -> None:
    made = Form(GAMES, ("normal",))
    assert made.plan() == Plan("rummy-no")
    assert made.problem() == ""
    assert field(made, "level").kind == "fixed"
    assert field(made, "level").why == "There is one level so far."
    assert field(made, "password").value == "anyone on this network"


@pytest.mark.parametrize("game", GAMES.games)
def test_every_house_rule_that_fits_has_its_line(game: str) -> None:
    made = form(game)
    lines = {each.key for each in made.fields() if each.kind == "switch"} - {"ssh"}
    assert lines == {rule.id for rule in GAMES.house_rules.values() if game in GAMES.fits(rule)}
    assert all(each.explain and each.label for each in made.fields() if each.usable)


def test_a_house_rule_is_switched_on_with_its_options() -> None:
    made = form()
    made.toggle("limit")
    assert made.house == ("limit",)
    assert field(made, "limit.points").value == "50"  # what the game has
    made.step("limit.points", 1)
    assert (made.house, made.rules().match.limit) == (("limit:points=60",), 60)
    made.step("limit.points", -1)
    made.step("limit.points", -1)
    assert made.rules().match.limit == 45
    made.toggle("limit")
    assert not made.plan().house


def test_options_of_every_type_are_stepped_through() -> None:
    made = form()
    made.toggle("knock-claim")
    made.step("knock-claim.penalty", 1)
    made.step("knock-claim.turn-returns", 1)
    made.step("knock-claim.count", 1)
    assert made.house == ("knock-claim:penalty=stock,turn-returns=yes,count=3",)
    made.step("knock-claim.turn-returns", 1)
    assert field(made, "knock-claim.turn-returns").value == "no"
    made.step("knock-claim.nothing", 1)
    made.step("limit.points", 1)  # which is off
    made.step("nothing", 1)
    assert len(made.house) == 1


def test_what_does_not_go_together_stays_with_its_reason() -> None:
    made = form()
    made.toggle("contract-rounds")
    blocked = field(made, "limit")
    assert not blocked.on
    assert "a match with contracts ends after the last of them" in blocked.why
    made.toggle("limit")
    assert made.house == ("contract-rounds",)


def test_a_house_rule_that_needs_another_one_is_there_with_it() -> None:
    made = form()
    made.write("game", "rummy-sv")
    assert "claim-window" not in {one.key for one in made.fields()}
    made.toggle("knock-claim")
    made.toggle("claim-window")
    assert made.rules().claim.window_ms == 5000
    made.step("claim-window.seconds", 1)
    assert made.house == ("knock-claim", "claim-window:seconds=6")
    made.toggle("knock-claim")
    assert not made.plan().house


def test_another_game_keeps_what_fits_it() -> None:
    made = form()
    for key in ("take-all", "knock-claim", "turn-timer"):
        made.toggle(key)
    made.write("seats", "4")
    made.write("bots", "3")
    made.write("game", "Gin rummy")
    assert (made.game, made.house, made.seats, made.bots) == ("gin", ("turn-timer",), 2, 1)
    made.step("game", 1)
    assert made.game == "rum-500-ro"
    made.step("game", -1)
    assert made.game == "gin"


@pytest.mark.parametrize(
    ("key", "text", "why"),
    [
        ("game", "canasta", "There is no game canasta."),
        ("seats", "9", "These rules are for 2-4 players, not for 9."),
        ("seats", "many", "many is not a number that fits here."),
        ("bots", "²", "² is not a number"),
        ("nothing", "1", "There is no line nothing in this form."),
        ("limit", "-3", "The house rule 'limit': points is a whole number from 1, not '-3'."),
        ("limit.points", "0", "points is a whole number from 1"),
        ("short-game", "5", "Short game has nothing to set: it is on or off."),
        ("contract-rounds", "77", "The house rule 'contract-rounds' does not go with"),
    ],
)
def test_what_cannot_be_written_is_refused_and_changes_nothing(key: str, text: str, why: str) -> None:
    made = form()
    before = made.plan()
    assert why in made.write(key, text)
    assert made.plan() == before


def test_what_can_be_written() -> None:
    made = form()
    given = {"seats": "3", "bots": "9", "hands": "5", "title": " Friday\x1b[2J ", "be-host": "never", "level": "hard"}
    for key, text in (*given.items(), ("limit", "60"), ("take-all", ""), ("joker-20", "off"), ("joker-20.jokers", "4")):
        assert made.write(key, text) == ""
    house = ("limit:points=60", "take-all", "joker-20:jokers=4")
    more = {"grace": "90", "spectators": "next-hand"}
    assert [made.write(key, text) for key, text in more.items()] == ["", ""]
    plan = Plan("rummy-sv", house, "Friday[2J", 3, 2, "hard", 5, "never", spectators="next-hand", grace=90)
    assert made.plan() == plan
    assert made.write("take-all", "off") == ""
    assert made.house == ("limit:points=60", "joker-20:jokers=4")
    again = Form(GAMES, ("normal", "hard"))
    again.take(made.plan())
    assert (again.plan(), again.rules()) == (made.plan(), made.rules())


def test_the_counts_stay_within_what_there_is() -> None:
    made = form()
    for _ in range(9):
        made.step("seats", 1)
        made.step("bots", 1)
    assert (made.seats, made.bots) == (4, 3)
    for _ in range(9):
        made.step("seats", -1)
    assert (made.seats, made.bots) == (2, 1)
    for key in ("hands", "level", "be-host"):
        made.step(key, -1)
    assert (made.hands, made.level, made.wish) == (20, "hard", "never")
    graces = []
    for by in (1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1):
        made.step("grace", by)
        graces.append(made.grace)
    assert graces == [120, 300, 600, 600, 600, 300, 120, 60, 30, 15, 15]
    made.write("grace", "999")
    made.step("grace", -1)
    assert made.grace == 600
    made.write("grace", "0")
    assert made.grace == 1
    made.seats = 7
    assert made.problem() == "These rules are for 2-4 players, not for 7."


def test_a_plan_is_words_of_a_command_line() -> None:
    plan = Plan("gin", ("turn-timer:seconds=30",), "Gin corner", 2, 1, "normal", 3, "always")
    assert plan.words() == [
        *("gin", "--house", "turn-timer:seconds=30", "--seats", "2", "--bots", "1", "--be-host", "always"),
        *("--deal", "blind", "--spectators", "yes", "--grace", "60", "--level", "normal"),
        *("--title", "Gin corner", "--hands", "3"),
    ]


def test_guests_by_ssh_are_a_line_of_the_table() -> None:
    made = form()
    for wanted in (True, False):
        made.toggle("ssh")
        assert (field(made, "ssh").on, made.plan().ssh) == (wanted, wanted)
    made.step("ssh", -1)
    assert made.plan().words()[-1] == "--ssh"
    assert (made.write("ssh", "off"), made.plan().ssh) == ("", False)
    assert (made.write("ssh", ""), made.plan().ssh) == ("", True)
    again = form()
    again.take(made.plan())
    assert again.plan() == made.plan()


def test_where_the_extra_is_missing_the_line_can_be_stood_on_and_says_so() -> None:
    made = form()
    made.no_ssh = "Guests by ssh need a package."
    made.toggle("ssh")
    assert made.write("ssh", "on") == "Guests by ssh need a package."
    line = field(made, "ssh")
    assert (line.on, line.usable, line.why) == (False, True, "Guests by ssh need a package.")
    made.take(Plan("gin", ssh=True))
    assert not made.plan().ssh


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_pressed_can_be_played(seed: int) -> None:
    dice = random.Random(seed)
    made = Form(GAMES, ("normal", "hard"))
    for _ in range(150):
        one = dice.choice([each for each in made.fields() if each.usable])
        if dice.random() < 0.5:
            made.step(one.key, dice.choice((-1, 1)))
        else:
            made.toggle(one.key)
        assert made.rules().players.min <= made.seats
        assert made.bots < made.seats


def test_a_table_is_closed_by_words_that_are_made_or_by_ones_own() -> None:
    made = form()
    made.step("password", 1)
    assert (made.plan().password, field(made, "password").value) == (AUTO, "who knows three words")
    made.step("password", -1)
    assert made.plan().password == ""
    assert made.write("password", "  Kestrel-Amber  ") == ""
    assert (made.plan().password, field(made, "password").value) == ("kestrel amber", "kestrel amber")
    assert made.plan().words()[-2:] == ["--password", "kestrel amber"]
    again = form()
    again.take(made.plan())
    assert again.plan() == made.plan()
    for nothing in ("none", "off", ""):
        made.write("password", "auto")
        made.write("password", nothing)
        assert made.plan().password == ""


def test_who_may_look_on_is_chosen_unless_the_table_has_a_password() -> None:
    made, seen = form(), []
    for _ in range(5):
        made.step("spectators", 1)
        seen.append(next(field.value for field in made.fields() if field.key == "spectators"))
    assert seen == ["anyone, without chat", "anyone, not mid-hand", "nobody", "anyone", "anyone, without chat"]
    made.step("password", 1)
    line = next(field for field in made.fields() if field.key == "spectators")
    assert (line.value, line.kind, line.why) == ("nobody", "fixed", "Nobody looks on at a table with a password.")
    assert made.plan().spectators == "quiet"
