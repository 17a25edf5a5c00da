"""What the creator decides, and what everybody is told of it."""

from __future__ import annotations

import pytest

from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.messages import TableInfo, table_id
from rummy_p2p.protocol.settings import Settings, describe_table
from tests.protocol.lan import rummy

CREATOR, NONCE = b"a" * 32, b"n" * 32


def described(**changes: object) -> TableInfo:
    return describe_table(CREATOR, NONCE, rummy(), Settings(**{"title": "Ada's", "seats": 2, **changes}))  # type: ignore[arg-type] # by name


def test_the_table_is_the_creators_and_so_are_the_rules() -> None:
    info, rules = described(plugins=(("gin", "1"),), hands=3), rummy()
    assert info.table == table_id(CREATOR, NONCE)
    assert (info.rules, info.fingerprint.hex()) == (rules.canonical(), rules.fingerprint)
    assert [(mark.name, mark.version) for mark in info.plugins] == [("gin", "1")]
    assert (info.title, info.seats, info.hands, info.closed, info.spectators) == ("Ada's", 2, 3, False, "yes")


def test_a_title_of_nothing_that_can_be_shown_is_that_of_the_game() -> None:
    assert described(title="\x1b\x07").title == rummy().game


def test_nobody_looks_on_at_a_table_with_a_password_which_itself_is_not_told() -> None:
    info = described(password="three short words")  # noqa: S106 - of a table that is made here
    assert (info.closed, info.spectators) == (True, "no")
    assert "three short words" not in repr(info)


def test_a_table_for_more_than_the_game_allows_cannot_be_opened() -> None:
    with pytest.raises(Refusal):
        described(seats=7)
    with pytest.raises(Refusal):
        described(seats=1)
