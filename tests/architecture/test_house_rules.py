"""docs/house-rules.md is what the program says of itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_of_house_rules_is_fresh() -> None:
    command = [sys.executable, "docs/house_rules.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    page = (ROOT / "docs" / "house-rules.md").read_text("utf-8")
    assert page == done.stdout, "the games or house rules have changed: make docs"
