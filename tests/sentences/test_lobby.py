"""What is told away from a table."""

import pytest

from rummy_p2p.sentences.lobby import (
    _TEXTS,
    LOBBY_WORDS,
    ledger_text,
    lobby_help,
    lobby_text,
    row_text,
    rules_text,
    seats_text,
)
from rummy_p2p.sentences.refusals import placeholders


@pytest.mark.parametrize("code", sorted(_TEXTS))
def test_every_sentence_can_be_said(code: str) -> None:
    facts = dict.fromkeys(placeholders(_TEXTS[code]), "?")
    told = lobby_text(code, **facts)
    assert told
    assert "{" not in told


def test_help_has_a_line_for_every_word_within_eighty_columns_or_so() -> None:
    told = lobby_help()
    assert [line.split()[0] for line in told] == list(LOBBY_WORDS)
    assert max(map(len, told)) < 100


def test_a_row_of_the_list_fits_into_eighty_columns() -> None:
    row = row_text(3, "A title that is much too long", "1/3", "open", "A nick that is too long", "rummy-no")
    assert row == "  3  A title that is much  1/3 open      A nick that is rummy-no"
    assert len(row) <= 80


@pytest.mark.parametrize(
    ("fit", "told"),
    [
        ("same", "Gin rummy"),
        ("missing", "Gin rummy (not installed here)"),
        ("different", "Gin rummy (rules differ)"),
    ],
)
def test_what_is_played_and_whether_it_can_be_played_here(fit: str, told: str) -> None:
    assert rules_text("Gin rummy", fit) == told


def test_numbers() -> None:
    assert (seats_text(1), seats_text(3)) == ("1 seat", "3 seats")
    assert ledger_text(1, 0, in_order=True) == "1 record, 0 hands: in order."
    assert ledger_text(9, 1, in_order=False) == "9 records, 1 hand: NOT in order."
