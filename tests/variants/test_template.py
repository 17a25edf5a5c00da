from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rummy_p2p.store import Paths, Store
from rummy_p2p.variants.folder import file_source
from rummy_p2p.variants.manager import FileError, installed, make_catalogue
from rummy_p2p.variants.template import new_plugin

ROOT = Path(__file__).parents[2]


def test_the_plugin_works_as_it_is_written(tmp_path: Path) -> None:
    path, test = new_plugin("empty-hand", tmp_path / "mine")
    assert (path.name, test.name) == ("empty_hand.py", "test_empty_hand.py")
    store = Store(Paths.of(tmp_path / "home"))
    store.trust(path)
    catalogue = make_catalogue([*installed(), file_source(path, store)])
    assert [plugin.error for plugin in catalogue.plugins if not plugin.ok] == []
    rule = catalogue.house_rules["empty-hand"]
    assert rule.title == "Empty hand"
    assert set(catalogue.fits(rule)) == set(catalogue.games)
    assert 15 <= len(path.read_text("utf-8").splitlines()) <= 25


def test_its_test_passes(tmp_path: Path) -> None:
    _, test = new_plugin("empty-hand", tmp_path)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-W",
        "error",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:asyncio",
        test.name,
    ]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed" in done.stdout


def test_what_is_written_stands_up_to_the_checks_of_this_repository(tmp_path: Path) -> None:
    new_plugin("empty-hand", tmp_path)
    config = ["--config", str(ROOT / "pyproject.toml")]
    for words in (["check", *config, "--ignore", "INP001,D,S101"], ["format", "--check", *config]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *words, "--no-cache", "."],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("there", ["empty_hand.py", "test_empty_hand.py"])
def test_nothing_is_overwritten(tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("mine", encoding="utf-8")
    with pytest.raises(FileError, match="is there already, and nothing is overwritten"):
        new_plugin("empty-hand", tmp_path)
    assert [(path.name, path.read_text("utf-8")) for path in tmp_path.iterdir()] == [(there, "mine")]


@pytest.mark.parametrize("name", ["Empty", "empty_hand", "7up", "", "../x", "a" * 41, "é"])
def test_a_name_that_is_no_id_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError, match="is not an id of a house rule; they are made of small letters, digits"):
        new_plugin(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["class", "random", "json"])
def test_a_name_that_python_has_itself_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError, match=f"'{name}' is a word of Python itself; choose another name, such as my-{name}"):
        new_plugin(name, tmp_path)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(FileError, match=r"cannot be written: .*\. Choose another folder with --into\."):
        new_plugin("empty-hand", tmp_path / "file" / "below")
