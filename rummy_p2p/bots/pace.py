"""How long a bot seems to think, so that people can follow: longer where a person would be in doubt."""

from __future__ import annotations

from random import Random
from typing import Final

from rummy_p2p.engine import Action
from rummy_p2p.rules import actions as act

_SECONDS: Final[dict[type[Action], tuple[float, float]]] = {
    act.Draw: (0.4, 1.0),
    act.Take: (0.6, 1.4),
    act.Discard: (0.8, 2.2),
    act.Knock: (1.0, 2.5),
    act.Lay: (0.7, 1.6),
    act.Show: (0.0, 0.0),
}
_ELSE: Final = (0.4, 1.2)


def thinking_time(action: Action, seed: int) -> float:
    """Return the seconds before an action; the same seed, the same time."""
    return Random(seed).uniform(*_SECONDS.get(type(action), _ELSE))
