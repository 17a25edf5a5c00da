"""Every sentence is there in every language, says the same as in English, and fits where it is drawn."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from gettext import GNUTranslations, NullTranslations

import pytest
from babel.messages.catalog import Catalog, Message
from wcwidth import wcswidth

from docs import catalogues
from rummy_p2p.cli.parser import LANGUAGES as OFFERED
from rummy_p2p.engine import IllegalAction, ParseError, start_match
from rummy_p2p.rules.actions import VERBS, parse_action
from rummy_p2p.rules.legality import CODES
from rummy_p2p.sentences import (
    COMMANDS,
    help_lines,
    refusal,
    rules_lines,
    screen,
    screen_lobby,
    screen_network,
    standings,
    use_language,
)
from rummy_p2p.sentences import language as language_module
from rummy_p2p.sentences.faces import TYPED, court_letters
from rummy_p2p.sentences.faults import _AROUND, _TEMPLATES, retold
from rummy_p2p.sentences.language import LANGUAGES, current_language, known_language, language_of
from rummy_p2p.sentences.lobby import LOBBY_WORDS
from rummy_p2p.sentences.refusals import placeholders
from rummy_p2p.sentences.titles import label_text, title_text
from rummy_p2p.variants.manager import installed, make_catalogue
from rummy_p2p.variants.sheet import sheet
from tests.sentences.games import GAMES, NAMES

TRANSLATED = [language for language in LANGUAGES if language != "en"]
EACH = pytest.mark.parametrize("language", TRANSLATED)

OPTION = re.compile(r"--[a-z][a-z-]+|rummy-p2p [a-z]+|rummy://[\w.:#]*|chmod 600")
CARD = re.compile(r"\b(?:10|[2-9JQK])[shdc]\b|\bJK\b")  # not the aces: "as" is a word, and "ad" another
TYPED_WORD = re.compile(r"\b[Tt]ype (?P<word>[a-z-]+)")
COMMAND_WORDS = {
    *VERBS,
    *COMMANDS,
    *LOBBY_WORDS,
    "ready",
    "start",
    "rematch",
    "leave",
    "next",
    "again",
    "record",
    "seat",
}


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    use_language("en")


@cache
def messages(language: str) -> tuple[Message, ...]:
    return tuple(message for message in catalogues.read(language) if message.id)


def english(message: Message) -> tuple[str, ...]:
    key = catalogues.key(message)
    return (key,) if isinstance(key, str) else key


@cache
def compiled(language: str) -> GNUTranslations:
    with catalogues.po_file(language).with_suffix(".mo").open("rb") as file:
        return GNUTranslations(file)


# --- everything is there ---------------------------------------------------------------------------------------------


def test_the_languages_are_the_same_everywhere() -> None:
    assert tuple(LANGUAGES) == OFFERED
    assert sorted(TRANSLATED) == sorted(catalogues.LANGUAGES)
    assert sorted(path.name for path in catalogues.LOCALES.iterdir()) == sorted(TRANSLATED)


@EACH
def test_nothing_is_missing_and_nothing_is_left_over(language: str) -> None:
    catalog = catalogues.read(language)
    assert catalogues.missing(catalog) == [], "make languages, then fill in what is empty"
    assert {catalogues.key(message) for message in messages(language)} == set(catalogues.found())
    assert [message.id for message in messages(language) if message.fuzzy] == []
    assert not catalog.obsolete


@EACH
def test_what_is_compiled_is_what_is_written(language: str) -> None:
    made = compiled(language)
    for message in messages(language):
        key = catalogues.key(message)
        if isinstance(key, str):
            assert made.gettext(key) == message.string
        else:
            said = {made.ngettext(*key, count) for count in range(200)}
            assert said == set(catalogues.forms(message))


# --- it says the same ------------------------------------------------------------------------------------------------


def needed(message: Message, number: int, catalog: Catalog) -> set[str]:
    """Return what a form has to leave open; a form for exactly one may say it in a word."""
    names = [placeholders(text) for text in english(message)]
    counts = [count for count in range(200) if compiled(str(catalog.locale)).plural(count) == number]  # type: ignore[attr-defined]  # set by gettext
    return names[0] & names[-1] - {"n"} if counts == [1] else names[-1]


@EACH
def test_the_same_is_left_open(language: str) -> None:
    catalog = catalogues.read(language)
    for message in messages(language):
        for number, form in enumerate(catalogues.forms(message)):
            least = needed(message, number, catalog) if message.pluralizable else placeholders(english(message)[0])
            assert least <= placeholders(form) <= least | {"n"} if message.pluralizable else least == placeholders(form)


@EACH
def test_what_is_typed_stays_what_is_typed(language: str) -> None:
    for message in messages(language):
        for form in catalogues.forms(message):
            assert set(OPTION.findall(english(message)[-1])) <= set(OPTION.findall(form)), form
            assert set(CARD.findall(english(message)[-1])) == set(CARD.findall(form)), form
            typed = COMMAND_WORDS & set(TYPED_WORD.findall(english(message)[-1]))
            assert typed <= set(re.findall(r"[a-z-]+", form)), form


@EACH
def test_no_text_holds_what_a_terminal_would_obey(language: str) -> None:
    for message in messages(language):
        for form in catalogues.forms(message):
            assert [character for character in form if unicodedata.category(character)[0] in "CM"] == [], form
            assert unicodedata.is_normalized("NFC", form)
            assert (form[:1] == " ", form[-1:] == " ") == (
                english(message)[0][:1] == " ",
                english(message)[0][-1:] == " ",
            )


@EACH
def test_sentences_end_as_sentences(language: str) -> None:
    for message in messages(language):
        for form in catalogues.forms(message):
            assert form.endswith(".") == english(message)[-1].endswith("."), form


def test_plural_forms() -> None:
    use_language("ro")
    said = [language_module.cards(count) for count in (0, 1, 2, 19, 20, 101, 119, 120)]
    assert said == [
        "0 cărți",
        "1 carte",
        "2 cărți",
        "19 cărți",
        "20 de cărți",
        "101 cărți",
        "119 cărți",
        "120 de cărți",
    ]
    use_language("tr")
    assert [language_module.cards(count) for count in (1, 2)] == ["1 kart", "2 kart"]


# --- it is looked up where it is shown -------------------------------------------------------------------------------


class Marked(NullTranslations):
    """A language in which every message wears brackets."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"


@pytest.fixture
def _marked() -> Iterator[None]:
    before = language_module._current.set(Marked())
    yield
    language_module._current.reset(before)


@pytest.mark.usefixtures("_marked")
@pytest.mark.parametrize("game", GAMES)
def test_no_sentence_goes_past_the_catalogue(game: str) -> None:
    rules = GAMES[game]
    match = start_match(rules, rules.players.min, 0)
    lines = [*rules_lines(rules), *sheet(rules, {}), *help_lines(rules), *standings(match, NAMES, rules)]
    assert [line for line in lines if line and "⟦" not in line] == []


@pytest.mark.usefixtures("_marked")
@pytest.mark.parametrize("code", CODES)
def test_every_refusal_is_looked_up(code: str) -> None:
    assert refusal(IllegalAction(code)).startswith("⟦")


@EACH
def test_what_the_layers_below_say_is_recognised(language: str) -> None:
    use_language(language)
    made = compiled(language)
    for template in (*_TEMPLATES.values(), *_AROUND):
        facts = {name: "table-full" if name == "code" else "1" for name in placeholders(template)}
        assert retold(template.format_map(facts)) == made.gettext(template).format_map(facts), template
    assert retold("No layer below says this.") == "No layer below says this."


def test_a_sentence_within_a_sentence_is_told_as_well() -> None:
    use_language("sv")
    inner = "All seats of this table are taken."
    outer = f"The other side ended the connection and gave this reason: {inner}"
    assert retold(outer) == "Den andra sidan bröt anslutningen och angav som skäl: Alla platser vid bordet är tagna."
    use_language("en")
    assert retold(outer) == outer


@pytest.mark.parametrize(
    "text",
    ["", "done 4h", "fly", "meld 7h Qd=Kd", "meld 7x", "take x", "add 7h x", "meld 7h | | 8h", "take 1 2", "add",
     "swap", "discard", "knock 7h 8h"],
)  # fmt: skip
def test_how_a_move_is_written_is_told_in_every_language(text: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_action(text)
    use_language("nb")
    assert caught.value.wanted not in refusal(caught.value)


# --- which language --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "sv_SE.UTF-8"}, "sv"),
        ({"LANG": "no_NO"}, "nb"),
        ({"LANG": "nn_NO.UTF-8"}, "nb"),
        ({"LANG": "tr_TR", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "sv_SE", "LC_MESSAGES": "ro_RO"}, "ro"),
        ({"LANGUAGE": "fi:tr:sv", "LANG": "nb_NO"}, "tr"),
        ({"LANGUAGE": "en:sv"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
    ],
)
def test_the_language_of_an_environment(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language


def test_names_of_languages() -> None:
    assert [known_language(name) for name in ("nb-NO", "SV", "en", "tlh", "")] == ["nb", "sv", "en", "", ""]
    use_language("ro")
    assert current_language() == "ro"
    use_language("tlh")
    assert current_language() == "en"
    assert language_module._("") == "", "not the head of the catalogue"


def test_court_cards() -> None:
    assert court_letters() == TYPED
    use_language("tr")
    assert court_letters() == ("A", "V", "K", "P")
    for language in LANGUAGES:
        use_language(language)
        assert max(map(wcswidth, court_letters())) <= 2


# --- it fits ---------------------------------------------------------------------------------------------------------

# What stands in a place of the screen that has so many cells at 80 columns.
CELLS = {
    "stock": 6, "pile": 7, "table": 8, "draw": 5, "take": 5, "opened": 8, "eliminated": 20, "chat-head": 20,
    "log-head": 20, "scores-head": 20, "no-clock": 22, "sum": 5, "set": 5, "run": 8,
}  # fmt: skip
BUTTONS = 46


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_fit_their_cells(language: str) -> None:
    use_language(language)
    wide = {key: text for key, cells in CELLS.items() if wcswidth(text := screen.table_text(key)) > cells}
    assert wide == {}
    assert max(wcswidth(screen.score_text(which)) for which in ("went-out", "won-hand", "you")) <= 11
    labels = {key: screen.table_text(key) for key in screen._TABLE if f"{key}-help" in screen._TABLE}
    labels |= {key: screen_lobby.lobby_say(key) for key in screen_lobby._LOBBY if key.startswith("key-")}
    labels |= {key: screen_network.network_say(key) for key in screen_network._TEXTS if key.startswith("key-")}
    assert {key: label for key, label in labels.items() if wcswidth(label) > 14} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_buttons_of_a_turn_fit_beside_each_other(language: str) -> None:
    use_language(language)
    for call in {game.rules.labels.call for game in make_catalogue(installed()).games.values()} | {"Knock", "Buy"}:
        labels = [screen.table_text("meld"), screen.table_text("add"), screen.table_text("discard"), label_text(call)]
        assert wcswidth(" ".join(f"[x {label}]" for label in labels)) <= BUTTONS, labels


@EACH
def test_titles_fit_where_english_ones_do(language: str) -> None:
    use_language(language)
    for game in make_catalogue(installed()).games.values():
        assert wcswidth(title_text(game.rules)) <= 40
        assert title_text(game.rules) != game.rules.meta.title or game.id == "gin"
