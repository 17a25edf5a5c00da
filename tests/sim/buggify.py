"""Hooks that make rare things frequent: tight limits and bad moments, which no law may depend on.

Each is a switch on a constant of the protocol, or on how the simulated machine behaves. A scenario names those that are
on, so that a failure can be told without those that it does not take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal

import pytest

from rummy_p2p.protocol import gossip, match, proposals, replica, waiting

Hook = Literal[
    "small-answers",  # who is behind gets a record or two at a time
    "few-waiting",  # records of the future are soon forgotten, and have to be asked for again
    "forgetful",  # a message that comes again is soon taken for a new one
    "impatient",  # what is not answered at once is proposed again
    "hasty",  # what is missing is asked for at once
    "late-wakes",  # a program wakes up long after it wanted to
    "slow-jobs",  # proofs take seconds
]

LATE: Final = 0.4
SLOW: Final = 3.0


def _small_answers(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(match, "RECORDS_BYTES", 1200)


def _few_waiting(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(replica, "WAITING_KEPT", 6)


def _forgetful(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(gossip, "SEEN_KEPT", 60)


def _impatient(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(proposals, "ANSWER_TIMEOUT", 0.7)


def _hasty(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(waiting, "GAP_PATIENCE", 0.02)
    patch.setattr(waiting, "ASK_AGAIN_AFTER", 0.2)


def _nothing(patch: pytest.MonkeyPatch) -> None:
    """What the simulated machine does by itself."""
    del patch


HOOKS: Final[Mapping[Hook, Callable[[pytest.MonkeyPatch], None]]] = {
    "small-answers": _small_answers,
    "few-waiting": _few_waiting,
    "forgetful": _forgetful,
    "impatient": _impatient,
    "hasty": _hasty,
    "late-wakes": _nothing,
    "slow-jobs": _nothing,
}


def turn_on(patch: pytest.MonkeyPatch, hooks: Iterable[Hook]) -> None:
    """Turn these on, until the patch is undone."""
    for hook in hooks:
        HOOKS[hook](patch)
