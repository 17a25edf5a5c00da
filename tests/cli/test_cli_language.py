"""The language of a command: of the flag, else of the environment, else of the config file, else of the system."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rummy_p2p.cli import USAGE, main
from rummy_p2p.sentences import use_language
from rummy_p2p.store import Paths, Store

TITLES = {"en": "2 players", "sv": "2 spelare", "nb": "2 spillere", "tr": "2 oyuncu", "ro": "2 jucători"}


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    use_language("en")


@pytest.mark.parametrize(
    ("said", "language"),  # said: by the flag, by RUMMY_P2P_LANG, by the config file, by the system
    [
        (("ro", "tr", "nb", "sv"), "ro"),
        ((None, "tr", "nb", "sv"), "tr"),
        ((None, "klingon", "nb", "sv"), "nb"),
        ((None, None, "nb", "sv"), "nb"),
        ((None, None, None, "sv_SE.UTF-8"), "sv"),
        ((None, None, None, "de_DE.UTF-8"), "en"),
        (("en", None, "nb", "sv"), "en"),
    ],
)
def test_who_has_the_last_word(
    said: tuple[str | None, str | None, str | None, str],
    language: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    flag, word, kept, system = said
    monkeypatch.setenv("LANGUAGE", system)
    if word is not None:
        monkeypatch.setenv("RUMMY_P2P_LANG", word)
    if kept is not None:
        Store(Paths.of(tmp_path)).set_option("lang", kept)
    assert main(["games", "--data", str(tmp_path), *(["--lang", flag] if flag else [])]) == 0
    assert TITLES[language] in capsys.readouterr().out


def test_an_error_of_a_lower_layer_is_told_in_the_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "whist", "--lang", "sv", "--data", str(tmp_path)]) != 0
    assert "Det finns inget spel som heter 'whist'." in capsys.readouterr().err
    assert main(["join", "rummy://127.0.0.1:9", "--interface", "lo", "--lang", "ro", "--data", str(tmp_path)]) != 0
    assert "127.0.0.1" in capsys.readouterr().err


def test_a_house_rule_that_does_not_fit_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "gin", "--house", "take-all", "--lang", "nb", "--data", str(tmp_path)]) == USAGE
    told = capsys.readouterr().err
    assert "Husregelen 'take-all' passer ikke sammen med 'gin': alt legges uansett ut i én tur der." in told


def test_a_config_file_that_is_not_understood_does_not_hide_the_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = Store(Paths.of(tmp_path))
    files.set_option("lang", "sv")
    files.config_file.write_text("lang = [", encoding="utf-8")
    assert main(["games", "--data", str(tmp_path)]) == 0
    assert TITLES["en"] in capsys.readouterr().out


@pytest.mark.parametrize(
    ("language", "words"), [("sv", "öppna ett bord"), ("tr", "bir masa aç"), ("en", "open a table")]
)
def test_the_help_speaks_the_language(language: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["host", "--help", f"--lang={language}"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert words in told
    assert "rummy-p2p host" in told
    assert "--seats N" in told
    assert ("show this help" in told) is (language == "en")
