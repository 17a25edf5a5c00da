"""Another language is a file beside the program; it may be chosen while the program runs."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from rummy_p2p.engine import IllegalAction
from rummy_p2p.engine import events as ev
from rummy_p2p.sentences import event_line, refusal, use_language
from rummy_p2p.sentences import language as language_module
from tests.sentences.games import NAMES
from variants_plugins.rummy_no import RULES


def catalogue(sentences: Mapping[str, str]) -> bytes:
    """Return a compiled catalogue (GNU .mo) of translations."""
    head = {"": "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=n != 1;\n"}
    pairs = sorted((key.encode(), text.encode()) for key, text in (head | dict(sentences)).items())
    start = 28 + 16 * len(pairs)
    tables, body = [b"", b""], b""
    for column in (0, 1):
        for pair in pairs:
            tables[column] += struct.pack("<II", len(pair[column]), start + len(body))
            body += pair[column] + b"\0"
    return struct.pack("<7I", 0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, start) + b"".join(tables) + body


@pytest.fixture
def norwegian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path / "nb" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    words = {
        "It is your turn.": "Det er din tur.",
        "It is {name}'s turn.": "Det er {name} sin tur.",
        "It is not your turn: {name} is playing. Wait for your turn.": "Det er ikke din tur: {name} spiller.",
        "{n} card\0{n} cards": "{n} kort\0{n} kort",
        "You deal {cards} to each player.": "Du gir {cards} til hver.",
    }
    (folder / "rummy_p2p.mo").write_bytes(catalogue(words))
    monkeypatch.setattr(language_module, "LOCALES", tmp_path)
    yield
    use_language("en")


@pytest.mark.usefixtures("norwegian")
def test_the_language_changes_while_the_program_runs() -> None:
    assert event_line(ev.Turn(0), NAMES, None, 0) == "It is your turn."
    use_language("nb")
    assert event_line(ev.Turn(0), NAMES, None, 0) == "Det er din tur."
    assert event_line(ev.Turn(1), NAMES, None, 0) == "Det er Bea sin tur."
    assert event_line(ev.Dealt((7, 7), 0), NAMES, None, 0) == "Du gir 7 kort til hver."
    assert refusal(IllegalAction("not-your-turn", turn=1), RULES, NAMES) == "Det er ikke din tur: Bea spiller."
    assert event_line(ev.Passed(0), NAMES, None, 0) == "You passed.", "what is not translated stays English"
    use_language("tlh")
    assert event_line(ev.Turn(0), NAMES, None, 0) == "It is your turn."


@pytest.mark.usefixtures("norwegian")
def test_without_a_choice_the_language_is_that_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "nb_NO.UTF-8")
    use_language(None)
    assert event_line(ev.Turn(0), NAMES, None, 0) == "Det er din tur."
