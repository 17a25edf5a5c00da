"""How the tree is laid out and how its files read, as far as a program can tell."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("rummy_p2p", "variants_plugins")
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))

# Folders whose tests are about the whole and not about one file.
WHOLE = {"architecture", "bench", "cases", "cheats", "golden", "lan", "laws", "rivals", "sim"}
DRAWERS = {"common", "helper", "helpers", "misc", "tools", "util", "utils"}
LONGEST_FUNCTION = 70
SILENCED = re.compile(r"#\s*(?:noqa|type:\s*ignore)(?P<rest>.*)")
CODES = re.compile(r"\[[\w, -]*\]|\b[A-Z]+\d+\b")
LEFT_OPEN = re.compile(r"\b(?:TODO|FIXME|XXX|NotImplementedError)\b|pragma: no cover")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def silenced_without_reason(line: str) -> bool:
    """Whether a line turns a check off and says nothing but which."""
    match = SILENCED.search(line)
    return match is not None and not re.search(r"[a-z]{2}", CODES.sub("", match["rest"]))


def mirrored(test: Path) -> list[str]:
    """Return the source files or packages that a test file may belong to.

    ``tests/protocol/test_table_forming.py`` belongs to ``protocol/table_forming.py``, to ``protocol/table.py`` or
    to ``protocol`` when it is called after the package; ``tests/variants_plugins`` mirrors the plugins.
    """
    folder = test.parent.relative_to(ROOT / "tests")
    base = ROOT if folder.parts[:1] == ("variants_plugins",) else ROOT / "rummy_p2p"
    words = test.stem.removeprefix("test_").split("_")
    stems = ["_".join(words[:count]) for count in range(len(words), 0, -1)]
    places = [base / folder / stem for stem in stems] + [base / folder for stem in stems if stem == folder.name]
    return [name(place) for place in places if place.with_suffix(".py").exists() or (place / "__init__.py").exists()]


def mirroring() -> list[Path]:
    tests = [path for path in TESTS if path.name.startswith("test_")]
    return [path for path in tests if path.relative_to(ROOT / "tests").parts[0] not in WHOLE]


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_no_module_is_a_drawer(path: Path) -> None:
    assert DRAWERS.isdisjoint(path.relative_to(ROOT).with_suffix("").parts)


@pytest.mark.parametrize("path", mirroring(), ids=name)
def test_a_test_file_mirrors_a_source_file(path: Path) -> None:
    assert mirrored(path), f"{name(path)}: call it after the file it tests, or put it into one of {sorted(WHOLE)}"


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_no_function_is_longer_than_one_can_take_in(path: Path) -> None:
    lengths = {node.name: (node.end_lineno or node.lineno) - node.lineno + 1 for node in functions(path)}
    assert {function: lines for function, lines in lengths.items() if lines > LONGEST_FUNCTION} == {}


@pytest.mark.parametrize("path", [*SOURCES, *TESTS], ids=name)
def test_what_is_silenced_has_its_reason_beside_it(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert [line for line in lines if silenced_without_reason(line)] == []


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_nothing_is_left_open(path: Path) -> None:
    assert LEFT_OPEN.findall(path.read_text("utf-8")) == []


@pytest.mark.parametrize("path", [path for path in TESTS if not {"lan", "bench"} & {*path.parts}], ids=name)
def test_no_test_sleeps_outside_the_lan(path: Path) -> None:
    calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    sleeps = [call for call in calls if ast.unparse(call.func).split(".")[-1] == "sleep"]
    assert [call.lineno for call in sleeps if [ast.unparse(argument) for argument in call.args] != ["0"]] == []


@pytest.mark.parametrize(
    ("comment", "given"),
    [
        ("noqa: BLE001 -- a plugin may raise anything", True),
        ("noqa: S104  # the LAN is the point", True),
        ("type: ignore[arg-type]  # checked above", True),
        ("type: ignore[arg-type]", False),
        ("noqa: S104, S105", False),
        ("noqa", False),
    ],
)
def test_what_counts_as_a_reason(comment: str, *, given: bool) -> None:
    assert silenced_without_reason(f"value = 1  # {comment}") is not given
