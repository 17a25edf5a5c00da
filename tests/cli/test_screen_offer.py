"""Whether the rules of somebody else's table can be played here, and what is told when they cannot."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rummy_p2p.cli.finding import Row, Seats
from rummy_p2p.cli.screen_offer import offered_rules, table_row
from rummy_p2p.protocol.messages import PROTOCOL_VERSION, PluginMark, TableInfo
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.variants.manager import installed, make_catalogue

GAMES = make_catalogue(installed())


def info(rules: Ruleset, *plugins: str, **names: object) -> TableInfo:
    """What the creator of a table tells; ``names`` stand in place of what its rules are called."""
    told: dict[str, Any] = msgspec.json.decode(rules.canonical())
    return TableInfo(
        table=bytes(32),
        nonce=bytes(32),
        version=PROTOCOL_VERSION,
        title="Friday",
        rules=msgspec.json.encode(told | names, order="sorted"),
        fingerprint=bytes.fromhex(rules.fingerprint),
        plugins=tuple(PluginMark(name=name, version="1.2") for name in plugins),
        seats=2,
        deal="host",
        trust="quorum",
        hands=0,
    )


def test_rules_that_are_here_are_played() -> None:
    rules = GAMES.compile("rummy-no", ["take-all"])
    offered = offered_rules(GAMES, info(rules, "rummy-no", "match-rules"))
    assert (offered.rules, offered.told) == (rules, ())


def test_rules_that_are_missing_come_with_the_way_to_get_them() -> None:
    rules = GAMES.compile("rummy-no")
    offered = offered_rules(GAMES, info(rules, "canasta", "rummy-no", "--evil; rm", game="canasta"))
    assert offered.rules is None
    told = "\n".join(offered.told)
    assert "This table plays canasta, which this installation does not have." in told
    assert "  pipx inject rummy-p2p rummy-p2p-canasta" in offered.told
    assert "rummy-p2p-rummy-no" not in told
    assert "pipx inject rummy-p2p rummy-p2p---evil" not in told
    assert "Nothing is ever fetched from another player." in told


def test_missing_rules_without_a_name_that_can_be_shown() -> None:
    offered = offered_rules(GAMES, info(GAMES.compile("rummy-no"), game="canasta"))
    assert offered.rules is None
    assert not any("pipx" in line for line in offered.told)


def test_rules_of_the_same_name_that_differ_are_told_knob_by_knob() -> None:
    theirs = GAMES.compile("rummy-no").with_(match__target=250)
    offered = offered_rules(GAMES, info(theirs, "rummy-no"))
    told = "\n".join(offered.told)
    assert offered.rules is None
    assert offered.told[0] == "The rules of this table are not those that you have under the same names:"
    assert "250" in told
    assert "rummy-no 1.2" in offered.told[-1]


ROW = Row("4d", "Friday", "rummy-sv", (), Seats(1, 2), "open", "Ada", "rummy://10.0.0.7:1", "2b", "same")


@pytest.mark.parametrize(
    ("changes", "rules", "limit"),
    [
        ({}, "Swedish rummy", "50"),
        ({"house": ("limit=70", "take-all")}, "Swedish rummy + Point limit + Take all", "70"),
        ({"game": "contract-no"}, "Norwegian contract rummy", "-"),
        ({"rules": "different"}, "Swedish rummy", "-"),
        ({"game": "canasta", "house": ("frozen", "joker:"), "rules": "missing"}, "canasta + frozen + joker:", "-"),
    ],
)
def test_what_stands_in_the_row(changes: dict[str, object], rules: str, limit: str) -> None:
    row = table_row(GAMES, msgspec.structs.replace(ROW, **changes), 7)
    assert (row.number, row.rules, row.limit, row.taken, row.total) == (7, rules, limit, 1, 2)
