"""Programs are killed, frozen, unplugged, delayed, left without disk in mid-match; it goes on to its end."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.lan.namespaces import lan
from tests.lan.nemesis import KINDS, LONG, SHORT, Evening, Length, machines, plan, small_disk
from tests.lan.programs import NICKS

pytestmark = pytest.mark.timeout(400)

IN_CI = 5
IN_NIGHTLY = 50


def play(seed: int, length: Length, folder: Path) -> None:
    planned = plan(seed, length)
    with ExitStack() as stack:
        if "disk-full" in planned.kinds:
            stack.enter_context(small_disk(folder / NICKS[0]))
        evening = Evening(stack.enter_context(lan(planned.peers + 1, machines(planned))), folder, planned)
        evening.play()
        print(evening.story())


@pytest.mark.parametrize("seed", range(IN_CI))
def test_a_match_goes_on_to_its_end(seed: int, tmp_path: Path) -> None:
    play(seed, SHORT, tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(100, 100 + IN_NIGHTLY))
def test_a_match_goes_on_to_its_end_whatever_happens(seed: int, tmp_path: Path) -> None:
    play(seed, LONG, tmp_path)


def test_the_short_rounds_hold_every_kind_of_trouble() -> None:
    rounds = [plan(seed, SHORT) for seed in range(IN_CI)]
    assert {kind for planned in rounds for kind in planned.kinds} == set(KINDS)
    assert {planned.deal for planned in rounds} == {"blind", "host"}
    assert rounds == [plan(seed, SHORT) for seed in range(IN_CI)]
