"""The house stands: who imports whom, and that nothing below the line can reach I/O, a clock or dice."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.covered import FLOORS, own_tests

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CONTRACTS = {contract["id"]: contract for contract in PROJECT["tool"]["importlinter"]["contracts"]}

# time and datetime are loaded by Python and msgspec themselves: those two are looked for in the text alone.
NEVER_LOADED = ("asyncio", "socket", "ssl", "random", "secrets", "zeroconf", "prompt_toolkit")
NEVER_CALLED = ("open", "print", "input", "eval", "exec", "__import__", "breakpoint")


def sources(folder: str) -> list[Path]:
    """Return a package's files, or the one file of a module."""
    place = ROOT / folder
    return sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]


def below_the_line() -> list[Path]:
    """Return the files of the pure layers: in the contract everything from ``protocol`` down."""
    layers = CONTRACTS["layers"]["layers"]
    pure = " | ".join(layers[layers.index("protocol") :]).split(" | ")
    return [path for layer in pure for path in sources(f"rummy_p2p/{layer}")]


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(path: Path) -> Iterator[str]:
    """Yield the full name of everything that a file imports, at its top or inside a function."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute here, so that the layer is seen"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_within(name: str, packages: list[str] | tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def test_the_contract_of_the_line_names_every_pure_layer() -> None:
    layers = {module_name(path).split(".")[1] for path in below_the_line()}
    assert {name.removeprefix("rummy_p2p.") for name in CONTRACTS["purity"]["source_modules"]} == layers


def test_every_pure_layer_is_to_be_taken_whole_by_tests_of_its_own() -> None:
    whole = {f"rummy_p2p.{package}" for package, floor in FLOORS.items() if floor == 100}
    assert whole == set(CONTRACTS["purity"]["source_modules"])
    assert all(own_tests(package).exists() for package in FLOORS)


def test_a_fresh_process_that_imports_the_core_has_loaded_no_io_and_no_dice() -> None:
    names = [module_name(path) for path in below_the_line()]
    code = f"import sys, {', '.join(names)}; print(*(name for name in {NEVER_LOADED} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")


@pytest.mark.parametrize("path", below_the_line(), ids=module_name)
def test_the_text_below_the_line_has_no_io_no_clock_and_no_dice(path: Path) -> None:
    forbidden = [*CONTRACTS["purity"]["forbidden_modules"], "importlib", "io", "shutil", "signal", "sys", "zoneinfo"]
    assert [name for name in imports(path) if is_within(name, forbidden)] == []
    calls = [node.func for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    assert [call.id for call in calls if isinstance(call, ast.Name) and call.id in NEVER_CALLED] == []


def test_import_linter_holds() -> None:
    code = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"
    command = [sys.executable, "-c", code, "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", sources("variants_plugins"), ids=module_name)
def test_a_shipped_plugin_imports_of_ours_the_api_alone(path: Path) -> None:
    ours = [name for name in imports(path) if is_within(name, ("rummy_p2p", "variants_plugins"))]
    assert [name for name in ours if not is_within(name, ("rummy_p2p.variants.api",))] == []


def test_every_shipped_plugin_is_an_entry_point_under_its_own_name() -> None:
    listed = PROJECT["project"]["entry-points"]["rummy_p2p.variants"]
    files = [path.stem for path in sources("variants_plugins") if path.stem != "__init__"]
    assert listed == {stem.replace("_", "-"): f"variants_plugins.{stem}" for stem in files}
