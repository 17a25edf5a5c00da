"""Every refusal has its sentence: what, why, what to do; whatever is known of it and under whatever rules."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_p2p.engine import IllegalAction, ParseError
from rummy_p2p.rules.actions import parse_action
from rummy_p2p.rules.functions import KnobFailed
from rummy_p2p.rules.legality import CODES
from rummy_p2p.ruleset import Ruleset, RulesetError
from rummy_p2p.sentences import refusal
from rummy_p2p.sentences.faces import on_screen
from rummy_p2p.sentences.refusals import SENTENCES, contract_words
from rummy_p2p.ui.glyphs import UNICODE
from tests.sentences.games import CONTRACT, GAMES, GIN, NAMES, ROMANIAN, SWEDISH
from variants_plugins.rummy_no import RULES

PACKAGE = Path(__file__).parents[2] / "rummy_p2p"


class Raised(NamedTuple):
    """One place in the rules that refuses: code, knob, names of the parameters."""

    code: str
    knob: str
    parameters: tuple[str, ...]


SAMPLES: Mapping[str, object] = {
    "card": "7h'",
    "cards": "7h' 8h JK=9h",
    "number": 2,
    "numbers": "1, 3",
    "melds": 1,
    "size": 2,
    "points": 21,
    "minimum": 30,
    "limit": 10,
    "contract": "334",
    "count": 4,
    "pile": 3,
    "stock": 12,
    "times": 2,
    "turn": 1,
    "seats": 7,
    "seat": "A",
    "top": "Kd",
    "turn_over": True,
    "on_turn": True,
    "again": True,
}
FROM_MELDS = (("cards", "size"), ("card", "cards", "number"), ("card", "number"))


def raised_in_the_rules() -> list[Raised]:
    """Return every refusal that stands in the source below the line, with the knob and the parameters it carries."""
    paths = [*(PACKAGE / "rules").glob("*.py"), *(PACKAGE / "engine").glob("*.py"), *(PACKAGE / "offline").glob("*.py")]
    found = [raised for path in paths for raised in raised_in(path, "IllegalAction")]
    bare = raised_in(PACKAGE / "melds.py", "MeldError")
    found += [each._replace(parameters=parameters) for each in bare for parameters in FROM_MELDS]
    return sorted(set(found))


def raised_in(path: Path, error: str) -> Iterator[Raised]:
    tree = ast.parse(path.read_text("utf-8"))
    named = {
        ast.unparse(target): node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == error and node.args:
            code, *knob = (named.get(ast.unparse(argument), argument) for argument in node.args[:2])
            parameters = tuple(keyword.arg for keyword in node.keywords if keyword.arg)
            for pair in itertools.product(texts(code), texts(*knob) or [""]):
                yield Raised(*pair, parameters)


def texts(*nodes: ast.expr) -> list[str]:
    """Return the texts that an argument can be, also behind a condition; none for what is worked out elsewhere."""
    inner = [leaf for node in nodes for leaf in ast.walk(node)]
    conditions = [leaf for node in inner if isinstance(node, ast.IfExp) for leaf in ast.walk(node.test)]
    return [n.value for n in inner if isinstance(n, ast.Constant) and isinstance(n.value, str) and n not in conditions]


RAISED = raised_in_the_rules()


def check_sentence(text: str) -> None:
    assert "{" not in text, text
    assert "}" not in text, text
    assert "'" not in text.replace("'s", ""), text
    assert text[0].isupper() or text[0].isdigit(), text
    assert text.isprintable()
    assert text.count(". ") >= 1 or text.endswith((".", "left", "right")) or ":" in text, text


def test_every_code_has_its_sentences_and_nothing_else_has() -> None:
    assert set(SENTENCES) == set(CODES)
    for code, wordings in SENTENCES.items():
        assert list(wordings)[-1] == "", f"{code} has no sentence for when nothing is known"


def test_the_places_that_refuse_are_found() -> None:
    assert {raised.code for raised in RAISED} <= set(CODES)
    assert len(RAISED) > 60
    assert {raised.code for raised in RAISED} >= {
        "must-use-taken",
        "nothing-to-use-it-for",
        "joker-place",
        "does-not-fit",
    }


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "raised", RAISED, ids=lambda raised: f"{raised.code}:{raised.knob}:{'-'.join(raised.parameters)}"
)
def test_whatever_refuses_there_is_a_sentence_for_it(raised: Raised, game: str) -> None:
    everything = {name: SAMPLES[name] for name in raised.parameters}
    nothing = {name: "" if isinstance(value, str) else value for name, value in everything.items()}
    for parameters in (everything, nothing, {}):
        for rules in (GAMES[game], None):
            error = IllegalAction(raised.code, raised.knob, **parameters)
            check_sentence(refusal(error, rules, NAMES))
            check_sentence(refusal(error, rules))


@given(
    code=st.sampled_from(CODES),
    knob=st.sampled_from(["", *sorted({raised.knob for raised in RAISED})]),
    parameters=st.sets(st.sampled_from(sorted(SAMPLES))),
    game=st.sampled_from([*GAMES, ""]),
)
def test_no_combination_leaves_a_gap(code: str, knob: str, parameters: set[str], game: str) -> None:
    error = IllegalAction(code, knob, **{name: SAMPLES[name] for name in parameters})
    assert "{" not in refusal(error, GAMES.get(game), NAMES)


@pytest.mark.parametrize("knob", sorted({raised.knob for raised in RAISED if raised.code == "option-off"} - {""}))
def test_what_an_option_forbids_is_told_for_each_option(knob: str) -> None:
    assert refusal(IllegalAction("option-off", knob), RULES) != refusal(IllegalAction("option-off"), RULES)


@pytest.mark.parametrize(
    ("error", "rules", "sentence"),
    [
        (
            IllegalAction("opening-minimum", "opening.points", points=21, minimum=30),
            SWEDISH,
            (
                "The first lay-down must be worth 30 points in one go; this is 21. "
                "Lay more at once: meld 7h 8h 9h | 4s 4h 4d"
            ),
        ),
        (IllegalAction("not-your-turn", turn=1), RULES, "It is not your turn: Bea is playing. Wait for your turn."),
        (IllegalAction("not-your-turn", turn=9), RULES, "It is not your turn. Wait for your turn."),
        (
            IllegalAction("does-not-fit", "claim.kind", card="9c"),
            RULES,
            "9c fits on no meld on the table, so there is nothing to call RUMMY for. Play on.",
        ),
        (
            IllegalAction("contract-not-met", "rounds", contract="334"),
            CONTRACT,
            (
                "The first lay-down of this round must be 2 sets and 1 run, all at once. "
                "Lay them together: meld 7h 7s 7d | 4s 4h 4d"
            ),
        ),
        (
            IllegalAction("knock-limit", "going_out.knock_limit", points=12, limit=10),
            GIN,
            "You may knock with 10 points in loose cards at most; you would have 12. Discard another card, or play on.",
        ),
        (
            IllegalAction("too-many-jokers", "melds.max_jokers", cards="7h JK JK'", size=3),
            SWEDISH,
            "A meld may have 1 joker at most. Use other cards in place of the rest.",
        ),
        (
            IllegalAction("ambiguous-place", card="7h'", numbers="1, 3"),
            SWEDISH,
            "7h fits on the melds 1, 3. Say which one, as in: add 7h 1",
        ),
        (
            IllegalAction("no-such-meld", number=5, melds=2),
            RULES,
            "There is no meld 5: the table has 2 melds. Type table to see their numbers.",
        ),
        (
            IllegalAction("no-such-meld", number=1, melds=0),
            RULES,
            (
                "There is no meld on the table yet, so there is nothing to use. "
                "Lay one of your own, or wait for somebody to do so."
            ),
        ),
        (
            IllegalAction("stock-empty", "stock_out.what", turn_over=True, top="Kd"),
            RULES,
            "The stock is empty. Type turn-over to make the pile the stock, or take for Kd.",
        ),
        (
            IllegalAction("pile-empty", "draw.pile", count=1, pile=0),
            RULES,
            "There is no card on the pile to take. Type draw.",
        ),
        (
            IllegalAction("pile-empty", "draw.pile", count=5, pile=3),
            ROMANIAN,
            "You cannot take 5 from the pile: it has 3 cards. Take fewer, or type draw.",
        ),
        (
            IllegalAction("around-the-corner", "melds.ace", cards="Kh Ah 2h", size=3),
            RULES,
            "A run does not go round the corner: the ace is low only, as in A-2-3. Use other cards.",
        ),
        (
            IllegalAction("invalid-deal", "players", seats=7),
            RULES,
            "This game is for 2 to 6 players, not for 7. Let somebody in, or choose another game.",
        ),
    ],
    ids=lambda value: value.code if isinstance(value, IllegalAction) else "",
)
def test_a_sentence_says_what_why_and_what_to_do(error: IllegalAction, rules: Ruleset, sentence: str) -> None:
    assert refusal(error, rules, NAMES) == sentence


def test_what_cannot_be_read_is_quoted_with_what_was_wanted() -> None:
    with pytest.raises(ParseError) as caught:
        parse_action("discard 7x")
    assert refusal(caught.value, RULES) == (
        "I cannot read 'discard 7x': '7x' is not a card; cards look like 7h, 10s, Qd or JK."
    )
    assert refusal(ParseError("\x1b[2J\n" * 99, "say \x1b more"), None).isprintable()


def test_a_rule_that_fails_is_named_with_its_plugin() -> None:
    sentence = refusal(KnobFailed("my-rules", "may_open", "ValueError: \x1b[31mno"), RULES)
    assert "the rule may_open of the plugin my-rules failed (ValueError: [31mno)" in sentence


def test_rules_that_do_not_fit_bring_their_own_sentence() -> None:
    assert refusal(RulesetError("bad-option", "There is no knob called 'x'.")) == "There is no knob called 'x'."


def test_a_name_with_terminal_codes_or_braces_does_no_harm() -> None:
    error = IllegalAction("not-your-turn", turn=0)
    assert (
        refusal(error, RULES, ["B\x1b[31mea\n{turn}"])
        == "It is not your turn: B[31mea {turn} is playing. Wait for your turn."
    )


@pytest.mark.parametrize(
    ("contract", "words"), [("3", "1 set"), ("33", "2 sets"), ("34", "1 set and 1 run"), ("444", "3 runs")]
)
def test_a_contract_in_words(contract: str, words: str) -> None:
    assert contract_words(contract) == words


# --- on a screen -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "rules", "sentence"),
    [
        (
            IllegalAction("draw-first"),
            RULES,
            (
                "You have not drawn yet, and every turn begins with that. Press d to draw from the stock, or t to take "
                "from the pile."
            ),
        ),
        (
            IllegalAction("ambiguous-place", card="7h'", numbers="1, 3"),
            SWEDISH,
            "7♥ fits on the melds 1, 3. Press a, then the number of one.",
        ),
        (
            IllegalAction("not-a-meld", cards="7h' 8h JK=9h", size=3),
            SWEDISH,
            (
                "7♥ 8♥ JK=9♥ is not a meld. A set is cards of one rank, a run is cards of one suit in a row; choose "
                "such cards."
            ),
        ),
    ],
    ids=lambda value: value.code if isinstance(value, IllegalAction) else "",
)
def test_on_a_screen_keys_are_named_and_cards_look_as_on_the_table(
    error: IllegalAction, rules: Ruleset, sentence: str
) -> None:
    with on_screen(UNICODE.face):
        assert refusal(error, rules, NAMES) == sentence
    assert "♥" not in refusal(error, rules, NAMES)


def test_on_a_screen_no_sentence_says_type_where_there_is_a_key() -> None:
    with on_screen(UNICODE.face):
        for raised in RAISED:
            parameters = {name: SAMPLES[name] for name in raised.parameters}
            for game in GAMES:
                text = refusal(IllegalAction(raised.code, raised.knob, **parameters), GAMES[game], NAMES)
                assert not [word for word in ("Type draw", "type draw", "Type take") if word in text], text
