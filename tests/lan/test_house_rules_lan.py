"""House rules that a player has written are played by real programs: a file that travels, and code that does not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rummy_p2p.store import Paths, Store

pytestmark = pytest.mark.lan

ROOT = Path(__file__).resolve().parents[2]
EVENING = 'title = "Long evening"\ngame = "rummy-no"\n[knobs]\nscoring.in_hand.ace = 5\n'
CODE = """
from rummy_p2p.variants.api import HandSummary, HouseRule, Options, Ruleset, hookimpl, knob_function


def hand_bonus(summary: HandSummary) -> int:
    return 1000


def change(rules: Ruleset, _options: Options) -> Ruleset:
    return rules.with_function(knob_function("hand_bonus", hand_bonus, plugin="thousand"))


@hookimpl
def rummy_house_rules() -> list[HouseRule]:
    return [HouseRule("thousand", "Thousand", "A thousand points for everybody.", change)]
"""


@pytest.mark.timeout(120)
def test_a_demo_plays_by_a_file_and_by_code_of_the_player(tmp_path: Path) -> None:
    store = Store(Paths.of(tmp_path / "home"))
    store.variants_folder.mkdir(parents=True)
    (store.variants_folder / "thousand.py").write_text(CODE, encoding="utf-8")
    store.trust(store.variants_folder / "thousand.py")
    (tmp_path / "long-evening.toml").write_text(EVENING, encoding="utf-8")
    found, errors = demo(tmp_path, "--house", "long-evening.toml", "--house", "thousand")
    assert (found["game"], found["house"]) == ("rummy-no", ["long-evening", "thousand"])
    assert [hand["audit"] for hand in found["hands"]] == ["ok"]
    assert min(found["hands"][0]["scores"].values()) >= 1000
    assert "Bea: rummy-p2p: This table plays by a file of its creator: long-evening." in errors
    assert "Left in hand an ace counts 5" in errors


def demo(folder: Path, *words: str) -> tuple[dict[str, Any], str]:
    command = [
        sys.executable,
        "-m",
        "rummy_p2p",
        "demo",
        "--game",
        "rummy-no",
        "--peers",
        "2",
        "--hands",
        "1",
        "--json",
    ]
    done = subprocess.run(
        [*command, "--data", str(folder / "home"), *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found, done.stderr
