"""The guided hand: tips when they apply, each once, made from the rules; all of them on one page."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Sequence

import msgspec
import pytest

from rummy_p2p.bots import LEVELS
from rummy_p2p.engine import View
from rummy_p2p.offline.lesson_guide import TIPS, GuidedSeat, guide_page, guided_seat, tip_lines
from rummy_p2p.offline.scenario import Scenario, position
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences import Notice
from rummy_p2p.sentences.lessons import tip_text
from tests.cases.positions import CATALOGUE

GAMES = ("rummy-no", "rummy-sv", "rummi-tr", "rum-500-ro", "contract-no", "gin")
BOT = LEVELS["normal"]


def at(game: str, text: str, house: Sequence[str] = ()) -> View:
    """What the first seat sees at a position."""
    rules = CATALOGUE.compile(game, house)
    return position(msgspec.convert({"game": game, **tomllib.loads(text)}, Scenario), rules).view(0)


def told(code: str, view: View) -> str | None:
    """The tip, if it fits the game and applies now."""
    tip = TIPS[code]
    facts = tip.when(view, ("Ada", "Bea", "Cem")) if tip.fits(view.state.rules) else None
    return None if facts is None else tip_text(code, **facts)


def hand(cards: str, more: str = "", phase: str = "play", seats: str = '"A", "B"') -> str:
    return f'seats = [{seats}]\nphase = "{phase}"\n[deal]\nhands = {{ A = "{cards}", B = "Qc Qh 8s 8d" }}\n{more}'


JOKER = 'opened = ["A"]\ntable = [{ owner = "B", cards = "9s 10s JK=Js" }]'
TWO_LEFT = 'seats = ["A", "B"]\n[deal]\nhands = { A = "2s", B = "3c 4c" }'
PILE = 'pile = "5c 9h 2d"'
THREE = '"A", "B", "C"'
AFTER_B = 'first = "C"\n'  # what lies on the pile, the second seat has thrown
LAID = 'table = [{ owner = "B", cards = "7c 8c 9c" }]'


@pytest.mark.parametrize(
    ("code", "game", "text", "words"),
    [
        ("opening", "rummy-sv", hand("7s 7h 7d Kc 2c"), "7s 7h 7d is worth 21 points"),
        ("opening-ready", "rummy-sv", hand("10s 10h 10d Kc 2c"), "you have 30 points): meld 10s 10h 10d"),
        ("joker-cost", "rummy-sv", hand("JK 4c 2s"), "counts 30 points"),
        ("one-joker", "rummy-sv", hand("JK JK 2s"), "one joker at most"),
        ("two-naturals", "rummi-tr", hand("JK JK 2s"), "two real cards"),
        ("no-twins", "rummy-sv", hand("10s 10d 10s' 4c"), "the second 10s does not"),
        ("corner", "gin", hand("Kc Ac 2c 9d"), "goes round the corner"),
        ("ace-cost", "rum-500-ro", hand("As 9d 3c"), "counts 15 points"),
        ("swap", "rummy-sv", hand("Js 4c 2s", JOKER), "swap Js 1"),
        ("lay-off", "rummy-no", hand("10c 4h 2s", LAID), "10c fits meld 1"),
        ("guard", "rummy-no", hand("10c 4h 2s", LAID), "whoever calls RUMMY first"),
        ("take-all", "rummy-sv", hand("4c 2s 9h"), "count 2 times"),
        ("few-left", "rummy-no", TWO_LEFT, "Bea has 2 cards left"),
        ("take-many", "rum-500-ro", hand("5s 5h 9d Kc", PILE, "draw"), "take 3 cards of the pile here"),
        ("contract", "contract-no", hand("4c 2s 9h"), "2 sets"),
        ("contract-ready", "contract-no", hand("4c 4s 4h 9h 9s 9d 2c"), "what this round asks for"),
        ("split-run", "contract-no", "round = 3\n" + hand("2h 3h 4h 5h 6h 7h 8h 9h Kc"), "two runs of four"),
        ("last-round", "contract-no", "round = 7\n" + hand("4c 2s"), "laid at once"),
        ("knock-early", "gin", hand("Ac 2c 3c 5h 6h 7h 9s 9h 9d 4d Kc"), "knock with 4 points"),
        ("claim", "rummy-no", AFTER_B + hand("4h 2s", LAID + '\npile = "10c"', "draw", THREE), "type rummy before"),
        ("buy", "contract-no", AFTER_B + hand("4h 2s", 'pile = "10c"', "draw", THREE), "Buying 10c costs 1 card"),
    ],
)  # fmt: skip
def test_a_tip_comes_when_it_applies(code: str, game: str, text: str, words: str) -> None:
    house = ["take-all"] if code == "take-all" else []
    tip = told(code, at(game, text, house))
    assert tip is not None
    assert words in tip


@pytest.mark.parametrize(
    ("code", "game", "text"),
    [
        ("opening", "rummy-sv", hand("10s 10h 10d Kc 2c")),
        ("opening", "rummy-no", hand("7s 7h 7d Kc 2c")),
        ("opening-ready", "rummy-sv", hand("7s 7h 7d Kc 2c")),
        ("opening-ready", "rummy-sv", hand("10s 10h 10d Kc 2c", phase="draw")),
        ("joker-cost", "rummy-sv", hand("4c 2s")),
        ("one-joker", "rummi-tr", hand("JK JK 2s")),
        ("no-twins", "rummy-sv", hand("10s 10d 4c 4c'")),
        ("corner", "gin", hand("Kc Ad 2c 9d")),
        ("ace-cost", "rummy-no", hand("As 9d 3c")),
        ("swap", "rummy-sv", hand("Qs 4c 2s", 'opened = ["A"]\ntable = [{ owner = "B", cards = "9s 10s JK=Js" }]')),
        ("lay-off", "rummy-sv", hand("10c 4h 2s", LAID)),
        ("guard", "rummy-sv", hand("10c 4h 2s", 'opened = ["A"]\n' + LAID)),
        ("take-all", "rummy-sv", hand("4c 2s 9h")),
        ("few-left", "gin", TWO_LEFT),
        ("take-many", "rum-500-ro", hand("5s 6h 9d Kc", PILE, "draw")),
        ("take-many", "rummy-no", hand("5s 5h 9d Kc", PILE, "draw")),
        ("contract-ready", "contract-no", hand("4c 4s 4h 9h 9s 2d 2c")),
        ("split-run", "contract-no", "round = 3\n" + hand("2h 3h 4h 5h 6h 7h 8h Kc")),
        ("last-round", "contract-no", hand("4c 2s")),
        ("knock-early", "gin", hand("Ac 2c 3c 5h 6h 7h 9s 9h Jd 4d Kc")),
        ("claim", "rummy-no", AFTER_B + hand("4h 2s", LAID + '\npile = "Jc"', "draw", THREE)),
        ("no-return", "rummy-no", hand("4c 2s")),
    ],
)
def test_a_tip_stays_away_when_it_does_not_apply(code: str, game: str, text: str) -> None:
    assert told(code, at(game, text)) is None


async def played(seat: GuidedSeat, most: int = 400) -> list[str]:
    """Let a bot play the learner's hand to its end; return what was said besides events."""
    said: list[str] = []
    for number in range(most):
        asking = asyncio.ensure_future(seat.next())
        await asyncio.sleep(0)
        if not asking.done():
            action = BOT(seat.view(), number)
            if action is not None:
                seat.act(str(action))
        item = await asking
        if item is None:
            return said
        said += [item.text] if isinstance(item, Notice) else []
    raise AssertionError("no end")


def guided(game: str, seed: int = 3, house: Sequence[str] = ()) -> GuidedSeat:
    rules = CATALOGUE.compile(game, house)
    rules = rules.with_(claim__window_ms=0)
    return guided_seat(rules, max(2, rules.players.min), "Ada", seed, BOT)


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_comes_with_tips_each_once(game: str) -> None:
    said = asyncio.run(played(guided(game)))
    assert said[0].startswith(CATALOGUE.compile(game).meta.title)
    assert said[1].startswith("This is a first hand of ")
    tips = [line for line in said if line.startswith("Tip: ")]
    assert len(tips) >= 3
    assert len(set(tips)) == len(tips)


def test_the_same_seed_is_the_same_hand() -> None:
    assert asyncio.run(played(guided("rummy-sv", 4))) == asyncio.run(played(guided("rummy-sv", 4)))


def test_all_tips_can_be_asked_for() -> None:
    seat = guided("rummy-no")
    before = len(seat._lines)
    help_line, command = seat.commands()["tips"]
    command("")
    assert help_line == "show every tip for this game"
    assert [item.text for item in list(seat._lines)[before:] if isinstance(item, Notice)] == list(tip_lines(seat.rules))
    assert set(seat.commands()) == {"next", "hint", "leave", "tips"}


@pytest.mark.parametrize("game", GAMES)
def test_the_guide_fits_on_one_page(game: str) -> None:
    rules = CATALOGUE.compile(game)
    page = guide_page(rules)
    assert rules.meta.title in page[0]
    assert "Tips" in page
    assert not any("{" in line for line in page)


def test_a_house_rule_brings_its_tips() -> None:
    plain = CATALOGUE.compile("rummy-no")
    with_rules = CATALOGUE.compile("rummy-no", ["joker-20:jokers=4", "game-clock"])
    assert not any("joker" in tip for tip in tip_lines(plain))
    assert any("joker" in tip for tip in tip_lines(with_rules))
    assert any("clock" in tip for tip in tip_lines(with_rules))


def test_every_tip_is_for_some_game_and_fills_in() -> None:
    tables: list[Ruleset] = [CATALOGUE.compile(game) for game in GAMES]
    tables += [CATALOGUE.compile("rummy-sv", house) for house in (["take-all"], ["knock-claim"], ["game-clock"])]
    seen = {code for rules in tables for code, tip in TIPS.items() if tip.fits(rules)}
    assert seen == set(TIPS)
