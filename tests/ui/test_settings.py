"""What holds: flags before the environment, then the file, then what is usual."""

from __future__ import annotations

import msgspec
import pytest

from rummy_p2p.cards import RANKS, Card
from rummy_p2p.sentences import use_language
from rummy_p2p.store import Config
from rummy_p2p.ui.glyphs import ASCII, UNICODE
from rummy_p2p.ui.settings import SETTINGS, choose, read_value, setting
from rummy_p2p.ui.style import Look


def test_without_a_word_everything_is_as_usual() -> None:
    chosen = choose({}, {}, Config())
    assert set(chosen.sources.values()) == {"default"}
    assert chosen.look() == Look()
    assert chosen.word("nick") is chosen.word("lang") is chosen.word("interface") is None
    assert not chosen.flag("plain")


@pytest.mark.parametrize(
    ("given", "environment", "file", "value", "source"),
    [
        ("two", "safe", "mono", "two", "flag"),
        (None, "safe", "mono", "safe", "env"),
        (None, "nonsense", "mono", "mono", "file"),
        (None, None, None, "four", "default"),
    ],
)
def test_who_has_the_last_word(
    given: str | None, environment: str | None, file: str | None, value: str, source: str
) -> None:
    around = {"RUMMY_P2P_DECK": environment} if environment else {}
    chosen = choose({"deck": given}, around, Config(deck=file))  # type: ignore[arg-type]  # one of its words
    assert (chosen.values["deck"], chosen.sources["deck"]) == (value, source)


@pytest.mark.parametrize(
    ("around", "colours"),
    [
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, "never"),
        ({"FORCE_COLOR": "1"}, "always"),
        ({"NO_COLOR": ""}, "auto"),
        ({"NO_COLOR": "1", "RUMMY_P2P_COLOR": "always"}, "always"),
    ],
)
def test_what_other_programs_know_as_well(around: dict[str, str], colours: str) -> None:
    assert choose({}, around, Config()).look().colours == colours


def test_the_file_makes_the_look() -> None:
    config = Config(ascii=True, deck="safe", bell=False, mouse=False, lang="sv", color="never")
    look = choose({}, {}, config).look()
    assert look == Look(ASCII, "safe", "never", bell=False, mouse=False, lang="sv")
    assert choose({"ascii": False}, {}, config).look().glyphs == UNICODE


def test_court_cards_are_those_of_the_language_when_they_are_wanted() -> None:
    use_language("sv")
    try:
        own = choose({"faces": "own"}, {}, Config()).look().glyphs
        assert own.ranks == ("E", *RANKS[1:10], "Kn", "D", "K")
        assert [own.face(Card.parse(card)) for card in ("As", "10h", "Jd", "Qc")] == ["E♠", "10♥", "Kn♦", "D♣"]
        assert [own.face(Card.parse(card), narrow=True) for card in ("10h", "Jd")] == ["T♥", "J♦"]
        assert choose({}, {}, Config()).look().glyphs == UNICODE
    finally:
        use_language("en")


def test_every_setting_can_be_kept_in_the_file() -> None:
    assert {each.key for each in SETTINGS} <= {field.name for field in msgspec.structs.fields(Config)}


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("bell", "On", True),
        ("bell", "0", False),
        ("bell", "perhaps", None),
        ("deck", "SAFE", "safe"),
        ("deck", "blue", None),
        ("nick", " Ada ", "Ada"),
        ("nick", "  ", None),
        ("lang", "sv", "sv"),
        ("lang", "xx", None),
    ],
)
def test_what_a_text_stands_for(key: str, text: str, value: object) -> None:
    assert read_value(setting(key), text) == value
