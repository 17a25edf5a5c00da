"""What every test may rely on: data folders of its own, repeatable Hypothesis, one LAN at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

LAN = Path(__file__).parent / "lan"
FOLDERS = ("HOME", "LOCALAPPDATA", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")

settings.register_profile("default", deadline=None, derandomize=True, database=None, print_blob=True)
settings.register_profile("nightly", deadline=None, max_examples=2_000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session", autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the player's identity, settings and matches out of reach, also of the programs that a test starts."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for variable in FOLDERS:
            patch.setenv(variable, str(home))
        patch.setenv("LANGUAGE", "en")  # whatever this machine speaks, the tests read English
        patch.delenv("RUMMY_P2P_LANG", raising=False)
        yield


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores: the one on tests/lan mostly waits for programs and the clock."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything in tests/lan, and keep it on one worker: what shares a machine's networks is run in a row."""
    for item in items:
        if LAN in item.path.parents:
            item.add_marker(pytest.mark.lan)
            item.add_marker(pytest.mark.xdist_group("lan"))
