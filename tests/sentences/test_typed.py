"""A title on a command line: what a shell hands on is what was meant, whatever quotes it has."""

from __future__ import annotations

import shlex

import pytest

from rummy_p2p.sentences.typed import shell_word, typed_title


@pytest.mark.parametrize(
    ("title", "word"),
    [
        ("Friday", "Friday"),
        ("Friday LAN", '"Friday LAN"'),
        ("root\u2019s table", '"root\'s table"'),
        ("root's table", '"root\'s table"'),
        ("100$ table", "'100$ table'"),
        ("Ada's 100$", "'Ada'\"'\"'s 100$'"),
        ("no\u2026", "no..."),
        ("Köket", '"Köket"'),
    ],
)
def test_a_title_is_quoted_so_that_a_shell_hands_it_on(title: str, word: str) -> None:
    assert shell_word(title) == word
    assert typed_title(shlex.split(word)[0]) == typed_title(title)


def test_curly_and_straight_quotes_and_capitals_are_the_same() -> None:
    assert typed_title("Root\u2019s Table") == typed_title("root's table")
    assert typed_title("\u201cA\u201d \u2013 b") == typed_title('"a" - B')
