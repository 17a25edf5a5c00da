"""Every scenario file below this folder holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from rummy_p2p.offline.scenario import run_file, scenario_files
from rummy_p2p.variants.manager import installed, make_catalogue

HERE = Path(__file__).parent
CATALOGUE = make_catalogue(installed())


@pytest.mark.parametrize("path", scenario_files([HERE]), ids=lambda path: path.relative_to(HERE).as_posix())
def test_a_scenario_holds(path: Path) -> None:
    outcome = run_file(path, CATALOGUE)
    assert outcome.ok, f"step {outcome.step}: expected {outcome.expected}, got {outcome.got}"
