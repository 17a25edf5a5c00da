"""How much of each package its own tests take, lines and branches: `make coverage`.

python -m tests.covered               all packages, one after the other: a quarter of an hour
python -m tests.covered deal ui       these alone

What falls below its floor is told with the lines that were missed, and the command fails in the end.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PURE: Final = ("cards", "ruleset", "melds", "arrange", "rules", "engine", "deal", "protocol")
FLOORS: Final = {**dict.fromkeys(PURE, 100), "node": 85, "ui": 85}


def own_tests(package: str) -> Path:
    """Return the folder or the file with the tests of a package: nothing of what tests several at once."""
    folder = ROOT / "tests" / package
    return folder if folder.is_dir() else folder.with_name(f"test_{package}.py")


def coverage(data: str, *arguments: str) -> bool:
    """Run one command of coverage.py; whether it was content."""
    command = [sys.executable, "-m", "coverage", *arguments]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, "COVERAGE_FILE": data}, check=False).returncode == 0


def reached(package: str) -> bool:
    """Measure a package and tell what its tests have missed; whether they pass and reach its floor."""
    print(f"\n== {package}, to reach {FLOORS[package]} %", flush=True)
    with TemporaryDirectory() as folder:
        data = f"{folder}/data"
        source = f"--source=rummy_p2p.{package}"
        passed = coverage(data, "run", source, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(own_tests(package)))
        coverage(data, "combine", "-q")
        return coverage(data, "report", f"--fail-under={FLOORS[package]}") and passed


def main(wanted: list[str]) -> int:
    """Measure what is wanted; 1 when something falls short."""
    if unknown := [package for package in wanted if package not in FLOORS]:
        print(f"no floor is set for {', '.join(unknown)}; there is one for {', '.join(FLOORS)}")
        return 2
    short = [package for package in wanted or FLOORS if not reached(package)]
    print(f"\nfalls short: {', '.join(short)}" if short else "\neach reaches its floor")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
