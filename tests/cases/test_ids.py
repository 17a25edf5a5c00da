"""No case and no rule is forgotten: every id is a scenario file, a unit test, or decided otherwise with a reason.

``ids.txt`` lists the cases; the rules are the numbered decisions on the games' rules, ``A21`` and the like. A scenario
file is called after its case or rule (``O015.toml``, ``X004-take.toml``, ``A21.toml``); a unit test has the id in its
name (``test_c006_...``) or among its parameters (``id="M003"``). What is decided otherwise here, or belongs elsewhere,
stands in ``otherwise.toml`` with the reason.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

HERE = Path(__file__).parent
CASES: Final = dict(line.split() for line in (HERE / "ids.txt").read_text("utf-8").splitlines())
OTHERWISE: Final[dict[str, str]] = tomllib.loads((HERE / "otherwise.toml").read_text("utf-8"))

# K: where the two texts of one game differ; A: that game; B: gin; R: Romanian; N: Norwegian; C: contracts; D: notation.
LAST_RULE: Final = {"K": 7, "A": 34, "B": 17, "R": 16, "N": 12, "C": 6, "D": 15}
RULES: Final = frozenset(f"{letter}{number}" for letter, last in LAST_RULE.items() for number in range(1, last + 1))
ID = re.compile(r"\b[A-Z]\d{1,3}\b")


def of_files() -> set[str]:
    return {path.stem.partition("-")[0] for path in HERE.rglob("*.toml")} - {"otherwise"}


def of_tests() -> set[str]:
    return {case for path in HERE.glob("test_*.py") if path.name != Path(__file__).name for case in _named(path)}


def _named(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef) and (match := re.match(r"test_([a-z]\d{1,3})_", node.name)):
            yield match[1].upper()
        if isinstance(node, ast.keyword) and node.arg == "id":
            yield from ID.findall(ast.unparse(node.value))


@pytest.mark.parametrize("one", sorted(CASES.keys() | RULES))
def test_a_case_or_rule_is_tested_or_decided_otherwise(one: str) -> None:
    assert one in of_files() | of_tests() | OTHERWISE.keys()


def test_every_id_that_is_used_is_a_case_or_a_rule() -> None:
    assert (of_files() | of_tests() | OTHERWISE.keys()) - CASES.keys() - RULES == set()


def test_what_is_decided_otherwise_has_a_reason_and_no_test() -> None:
    assert all(len(reason.split()) > 3 for reason in OTHERWISE.values())
    assert OTHERWISE.keys() & (of_files() | of_tests()) == set()


def test_the_list_is_complete() -> None:
    assert len(CASES) == 177
