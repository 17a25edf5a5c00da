import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rummy_p2p.protocol.text import CHAT_LIMIT, NICK_LIMIT, clean, shared_words, words
from rummy_p2p.protocol.words import WORDS


@pytest.mark.parametrize(
    ("dirty", "expected"),
    [
        ("Ada", "Ada"),
        ("  Ada\t", "Ada"),
        ("A\x1b[31mda\x1b[0m", "A[31mda[0m"),
        ("\x9b2JBea", "2JBea"),
        ("Be\ra\nCem", "Be a Cem"),
        ("Cem\u2028Dag\u2029", "Cem Dag"),
        ("\u202eadA", "adA"),
        ("A\u200bd\u200da\ufeff", "Ada"),
        ("A\u0301\u0302\u0303da", "\u00c1\u0302da"),
        ("\u0301Ada", "Ada"),
        (" \u0301 \u0301Ada", "Ada"),
        ("A\u030a", "\u00c5"),
        ("\ue000\U000e0041", ""),
        ("\x00", ""),
        ("Ünal Çelik", "Ünal Çelik"),
        ("四季", "四季"),
    ],
)
def test_examples(dirty: str, expected: str) -> None:
    assert clean(dirty, NICK_LIMIT) == expected


@pytest.mark.parametrize("limit", [NICK_LIMIT, CHAT_LIMIT])
def test_cut_at_the_limit(limit: int) -> None:
    assert clean("é" * 500, limit) == "é" * limit
    assert clean("ab " * 500, limit) == ("ab " * 500)[:limit].rstrip()


@given(st.text())
@example(" \u0301\u0301 a")
@example("\u0958\u0301")
def test_law(text: str) -> None:
    cleaned = clean(text, NICK_LIMIT)
    categories = [unicodedata.category(character) for character in cleaned]
    assert not any(category[0] == "C" or category in {"Zl", "Zp"} for category in categories)
    assert "MM" not in "".join(category[0] for category in ["Mx", *categories])
    assert len(cleaned) <= NICK_LIMIT
    assert cleaned == cleaned.strip() == unicodedata.normalize("NFC", cleaned)
    assert clean(cleaned, NICK_LIMIT) == cleaned


def test_three_words() -> None:
    assert words(bytes(32)) == words(bytes(32)) != words(bytes(31) + b"\x01")
    assert all(word in WORDS for word in words(bytes(32)).split())
    assert len(words(bytes(32)).split()) == 3


def test_two_players_see_the_same_words_and_somebody_in_between_makes_them_differ() -> None:
    ada, bea, eve = (bytes([number]) * 32 for number in range(3))
    assert shared_words(ada, bea) == shared_words(bea, ada)
    assert shared_words(ada, eve) != shared_words(eve, bea)


def test_the_words_are_256_different_short_plain_ones() -> None:
    assert len(WORDS) == len(set(WORDS)) == 256
    assert all(word.isascii() and word.isalpha() and word.islower() and 3 <= len(word) <= 8 for word in WORDS)


def test_the_order_of_the_words_is_part_of_the_protocol() -> None:
    assert list(WORDS) == sorted(WORDS)
    assert words(bytes(32)) == "amber tomato tulip"
