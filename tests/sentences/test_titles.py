"""What a table is called, and by which word it is joined."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rummy_p2p.sentences.language import use_language
from rummy_p2p.sentences.titles import joining_word, table_title


@pytest.fixture(autouse=True)
def _in_english_again() -> Iterator[None]:
    yield
    use_language("en")


def test_a_table_without_a_name_is_called_after_its_opener_in_the_readers_language() -> None:
    assert table_title("Friday LAN", "gin", "Ada") == "Friday LAN"
    assert table_title("gin", "gin", "Ada") == "Ada's table"
    assert table_title("gin", "gin", "") == "gin"
    use_language("sv")
    assert table_title("gin", "gin", "Ada") == "Bord: Ada"
    assert table_title("Friday LAN", "gin", "Ada") == "Friday LAN"


def test_it_is_joined_by_a_word_that_is_the_same_in_all_languages() -> None:
    assert joining_word("Friday LAN", "gin", "Ada") == "Friday LAN"
    assert joining_word("gin", "gin", "Ada") == "Ada"
    assert joining_word("gin", "gin", "") == "gin"
