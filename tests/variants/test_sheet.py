from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

from rummy_p2p.ruleset import KNOB_FUNCTIONS, KnobFunction, Knobs, Round, Ruleset, differences
from rummy_p2p.variants.manager import installed, make_catalogue
from rummy_p2p.variants.sheet import sheet

CATALOGUE = make_catalogue(installed())
WORDS: Final = ("game", "house", "meta", "labels")

PLAIN = Ruleset()
JOKERS = PLAIN.with_(deck__packs=2, deck__jokers=6, joker_swap__who="declared")
OPENING = PLAIN.with_(opening__points=30)
MANY = PLAIN.with_(draw__pile="many", draw__must_use="before-discard")
KNOCK = PLAIN.with_(players__max=2, lay="at-knock", lay_off="after-knock", going_out__how="knock", scoring__kind="gin")
BIG_GIN = KNOCK.with_(going_out__big_gin=True)
MANY_SUITS = PLAIN.with_(deck__packs=2, melds__distinct_suits=False, melds__set_max=8)
LAID = PLAIN.with_(scoring__kind="meld-points")
RUMMY = PLAIN.with_(claim__kind="rummy-call")
CLAIM = PLAIN.with_(claim__kind="knock-claim", claim__penalty=2)
BUY = PLAIN.with_(claim__kind="buy", claim__penalty=1)
VOID = PLAIN.with_(stock_out__what="void", stock_out__at=2)
TARGET = PLAIN.with_(match__target=100)
TIMED = PLAIN.with_(clock__game_s=600)
ROUNDS = (Round("33", 10), Round("34", 10), Round("444", 12))

# Every knob: a Ruleset in which it matters, and values that must each read differently there (with the one it has).
# A knob that takes one of a few words needs no values: all of them are tried.
KNOBS: Final[Mapping[str, tuple[Ruleset, tuple[object, ...]]]] = {
    "players.min": (PLAIN, (3, 4)),
    "players.max": (PLAIN, (2, 3, 6)),
    "deck.packs": (PLAIN, (2, 3)),
    "deck.jokers": (PLAIN, (1, 2, 6)),
    "hand_size": (PLAIN, ((10,), (10, 7), (10, 7, 6))),
    "upcard": (PLAIN, (False,)),
    "rounds": (PLAIN, (ROUNDS[:1], ROUNDS[:2], ROUNDS, (*ROUNDS[:2], Round("444", 12, "all-at-once")))),
    "melds.set_min": (PLAIN, (2, 4)),
    "melds.set_max": (PLAIN, (3,)),
    "melds.distinct_suits": (PLAIN, (False,)),
    "melds.run_min": (PLAIN, (2, 4)),
    "melds.run_max": (JOKERS, (3, 5, 13)),
    "melds.ace": (PLAIN, ()),
    "melds.max_jokers": (JOKERS, (0, 1, 2)),
    "melds.min_naturals": (JOKERS, (2, 3)),
    "opening.points": (PLAIN, (30, 40)),
    "opening.waived_when_going_out": (OPENING, (True,)),
    "opening.layoffs_count": (OPENING, (True,)),
    "opening.further_melds": (PLAIN, (False,)),
    "draw.pile": (PLAIN, ()),
    "draw.must_use": (MANY, ()),
    "draw.must_use_top": (MANY, (False,)),
    "draw.must_use_who": (MANY, ()),
    "draw.may_return": (PLAIN, (True,)),
    "draw.other_taken": (MANY, ()),
    "draw.first_upcard_offer": (PLAIN, (True,)),
    "draw.upcard_cap": (PLAIN, (50,)),
    "lay_off": (KNOCK, ()),
    "joker_swap.who": (JOKERS, ()),
    "joker_swap.needs_opening": (JOKERS, (False,)),
    "claim.kind": (PLAIN, ()),
    "claim.penalty": (CLAIM, (0, 1, 3)),
    "claim.source": (CLAIM, ()),
    "claim.priority": (CLAIM, ()),
    "claim.turn_returns": (CLAIM, (True,)),
    "claim.after_opening": (BUY, (False,)),
    "claim.window_ms": (RUMMY, (0, 500, 3000)),
    "going_out.how": (PLAIN, ()),
    "going_out.knock_limit": (KNOCK, (0, 1, 5)),
    "going_out.big_gin": (KNOCK, (True,)),
    "stock_out.what": (PLAIN, ()),
    "stock_out.at": (VOID, (0, 1, 5)),
    "stock_out.max_times": (PLAIN, (0, 1, 2)),
    "stock_out.last_card_action": (VOID, (True,)),
    "scoring.kind": (PLAIN, ()),
    "scoring.in_play.ace_low": (LAID, (2,)),
    "scoring.in_play.ace_high": (OPENING, (15,)),
    "scoring.in_play.face": (LAID, (11,)),
    "scoring.in_hand.ace": (PLAIN, (15,)),
    "scoring.in_hand.face": (LAID, (5,)),
    "scoring.in_hand.joker": (JOKERS, (30,)),
    "scoring.take_all_factor": (PLAIN, (2, 3)),
    "scoring.gin_bonus": (KNOCK, (25,)),
    "scoring.undercut_bonus": (KNOCK, (25,)),
    "scoring.undercut_on_tie": (KNOCK, (False,)),
    "scoring.game_bonus": (KNOCK, (100,)),
    "scoring.box_bonus": (KNOCK, (25,)),
    "scoring.big_gin_bonus": (BIG_GIN, (31,)),
    "match.target": (PLAIN, (1, 100, 500)),
    "match.limit": (PLAIN, (1, 50)),
    "match.deals": (PLAIN, (1, 5)),
    "match.winner": (PLAIN, ()),
    "match.tie": (TARGET, ()),
    "match.dealer": (PLAIN, ()),
    "clock.move_s": (PLAIN, (1, 30)),
    "clock.game_s": (PLAIN, (600,)),
    "clock.game_loses": (TIMED, (True,)),
}


def told(rules: Ruleset) -> str:
    return "\n".join(sheet(rules, {}))


def words_of(path: str) -> Iterator[object]:
    """Yield every word that a knob can be, when it is one of a few."""
    kind: object = Ruleset
    for name in path.split("."):
        assert isinstance(kind, type)
        kind = get_type_hints(kind)[name]
    yield from get_args(kind) if get_origin(kind) is Literal else ()


def changed(rules: Ruleset, path: str, value: object) -> Ruleset:
    return rules.with_(**{path.replace(".", "__"): value})


def test_every_knob_is_tried() -> None:
    paths = {path for path in Ruleset().knobs() if path.split(".")[0] not in WORDS}
    assert paths == KNOBS.keys() | {"lay"}


def test_melds_are_laid_in_play_or_at_a_knock() -> None:
    assert "Melds: " in told(KNOCK)
    assert "Melds stay in the hand until somebody knocks." in told(KNOCK)
    assert "Melds are laid on the table during one's own turn" in told(PLAIN)


@pytest.mark.parametrize("path", KNOBS)
def test_every_value_of_a_knob_reads_differently(path: str) -> None:
    rules, values = KNOBS[path]
    tried = [changed(rules, path, value) for value in (*values, *words_of(path)) if possible(rules, path, value)]
    texts = {rules.fingerprint: told(rules)} | {one.fingerprint: told(one) for one in tried}
    assert len(texts) > 1
    assert len(set(texts.values())) == len(texts)


def possible(rules: Ruleset, path: str, value: object) -> bool:
    """Whether a value goes with the others; a knock, say, goes with gin alone."""
    try:
        changed(rules, path, value)
    except ValueError:
        assert any(words_of(path)), f"{path} = {value}"
        return False
    return True


@pytest.mark.parametrize("path", KNOBS)
def test_what_differs_comes_first_with_what_it_replaces(path: str) -> None:
    rules, values = KNOBS[path]
    for value in (*values, *words_of(path)):
        if not possible(rules, path, value):
            continue
        here = changed(rules, path, value)
        paragraphs = sheet(here, differences(rules, here))
        told_apart = [text for text in paragraphs[1:] if text.startswith(("Different here", "Not here"))]
        assert paragraphs[1 : 1 + len(told_apart)] == told_apart
        assert bool(told_apart) == (here.fingerprint != rules.fingerprint)
        assert paragraphs[1 + len(told_apart) :] == sheet(here, {})[1:]


def test_a_difference_names_its_matter_and_what_it_replaces() -> None:
    here = JOKERS.with_(melds__max_jokers=1)
    assert sheet(here, differences(JOKERS, here))[1] == (
        "Different here (Jokers): A meld may hold 1 joker at most. Instead of: A meld may hold any number of jokers."
    )
    without = JOKERS.with_(deck__jokers=0)
    assert "Not here (Swapping jokers): Whoever has the card" in "\n".join(sheet(without, differences(JOKERS, without)))


def test_a_difference_that_no_sentence_tells_is_named_by_its_knob() -> None:
    here = PLAIN.with_(claim__penalty=3)
    assert sheet(here, differences(PLAIN, here))[1] == "Different here: claim.penalty is 3, not 0."


@pytest.mark.parametrize("name", KNOB_FUNCTIONS)
def test_a_function_is_told_with_its_plugin(name: str) -> None:
    function = KnobFunction(name=name, plugin="sunday", version="1", source_hash="0", call=len)
    here = PLAIN.with_function(function)
    first = sheet(here, differences(PLAIN, here))[1]
    assert first.startswith("Different here")
    assert "sunday" in first
    assert "sunday" not in told(PLAIN)


def test_the_title_names_game_and_house_rules() -> None:
    rules = msgspec.structs.replace(CATALOGUE.compile("rummy-no", ["joker-20:jokers=4"]))
    assert sheet(rules, {})[0] == "Norwegian rummy, with the house rules joker-20:jokers=4."
    assert sheet(CATALOGUE.compile("rummy-no"), {})[0] == "Norwegian rummy."
    assert sheet(PLAIN.with_(game="nameless"), {})[0] == "nameless."
    assert sheet(PLAIN, {})[0] == "Rummy."


CONTEXTS = (PLAIN, JOKERS, OPENING, MANY, KNOCK, BIG_GIN, LAID, RUMMY, CLAIM, BUY, VOID, TARGET, TIMED)


@pytest.mark.parametrize("rules", [*CONTEXTS, *(game.rules for game in CATALOGUE.games.values())])
def test_paragraphs_are_whole_sentences(rules: Ruleset) -> None:
    for paragraph in sheet(rules, {}):
        assert paragraph.endswith(".")
        assert "{" not in paragraph
        assert "  " not in paragraph
        assert ".." not in paragraph
        assert paragraph[0].isalpha()


@pytest.mark.parametrize("game", CATALOGUE.games)
def test_every_matter_of_a_shipped_game_is_told(game: str) -> None:
    headings = [paragraph.partition(":")[0] for paragraph in sheet(CATALOGUE.compile(game), {})[1:]]
    assert len(set(headings)) == len(headings)
    assert {"Players and deck", "Deal", "Aim", "Melds", "The ace", "A turn", "Going out", "Points"} <= set(headings)


def test_knobs_are_found_in_the_structs() -> None:
    assert issubclass(Ruleset, Knobs)
    assert list(words_of("melds.ace")) == ["low", "high", "either"]
    assert list(words_of("deck.packs")) == []


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (PLAIN.with_(melds__set_min=5, melds__set_max=5), "There are no sets, only runs."),
        (PLAIN.with_(melds__set_max=3), "A set is 3 cards of one rank, no suit twice."),
        (PLAIN.with_(melds__set_max=6), "A set is 3 to 4 cards of one rank, no suit twice."),
        (MANY_SUITS.with_(melds__set_max=3), "A set is 3 cards of one rank, of whatever suits."),
        (MANY_SUITS.with_(melds__set_max=5), "A set is 3 to 5 cards of one rank, of whatever suits."),
        (MANY_SUITS, "A set is 3 or more cards of one rank, of whatever suits."),
        (PLAIN.with_(melds__run_max=3), "A run is 3 cards of one suit in a row."),
        (PLAIN.with_(rounds=ROUNDS[:1]), "Round 1: 2 sets."),
        (
            PLAIN.with_(rounds=ROUNDS, opening__waived_when_going_out=True),
            "Whoever goes out at once may lay other melds.",
        ),
        (PLAIN.with_(rounds=(Round("33", 10, "may-lay"),)), "In round 1: A hand ends when somebody lays or discards"),
        (JOKERS.with_(melds__max_jokers=0), "Jokers cannot be used in melds."),
    ],
)
def test_what_is_said_in_rarer_games(rules: Ruleset, sentence: str) -> None:
    assert sentence in told(rules)
