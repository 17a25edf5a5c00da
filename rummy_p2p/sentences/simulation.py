"""What a simulation tells: how it gets on, what it came to, how two games differ."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rummy_p2p.sentences.language import N_, _

_TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "head": N_("{title}: {hands} hands of bots against bots."),
        "bot": N_("{level} on seat {seat}: {gain} points a hand against the others; wins {won} of decided hands."),
        "fair": N_("No seat is better than another beyond what chance explains."),
        "unfair": N_("The seat matters: playing {place} is worth {gain} points a hand."),
        "turns": N_("A hand takes {turns} turns."),
        "endings": N_("How hands end: {endings}."),
        "row-turns": N_("turns of a hand"),
        "row-first": N_("playing first, points"),
        "row-bot": N_("{level} on seat {seat}, points"),
        "row-ending": N_("{ending}, % of hands"),
        "difference": N_("difference"),
        "beyond": N_("* More than chance explains; all intervals are of 95 %."),
        # why not
        "no-level": N_("There is no level {level}. Levels: {levels}."),
        "few-hands": N_("--hands is how many hands are played, at least 1, not {hands}."),
        "few-jobs": N_("--jobs is how many processes play, at least 1, not {jobs}."),
        "wrong-bots": N_("{title} is for {least} to {most} players; --bots names {count}."),
        "no-cluster": N_("--cluster needs the extra cluster: pip install 'rummy-p2p[cluster]'."),
        "lost-cluster": N_("The scheduler at {address} cannot be reached: {why}. Is it running?"),
        "other-rules": N_(
            "A worker has other rules for {game} than this program. Install the same version and plugins there."
        ),
    }
)
_ENDINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "out": N_("somebody goes out"),
        "knock": N_("a knock"),
        "gin": N_("gin"),
        "big-gin": N_("big gin"),
        "stock": N_("the stock runs out"),
        "void": N_("nobody scores"),
    }
)


def simulation_text(code: str, **facts: str | int) -> str:
    """Return a sentence about a simulation."""
    return _(_TEXTS[code]).format_map(facts)


def endings_text(endings: Mapping[str, int]) -> str:
    """Return how often hands ended in which way, the most frequent first."""
    total = max(1, sum(endings.values()))
    often = sorted(endings.items(), key=lambda pair: -pair[1])
    return ", ".join(f"{_(_ENDINGS[ending])} {100 * count / total:.0f} %" for ending, count in often)


def ending_text(ending: str) -> str:
    """Return how a hand ended."""
    return _(_ENDINGS[ending])


def with_interval(mean: float, around: float) -> str:
    """Return ``+2.5 ± 1.1``."""
    return f"{mean:+.1f} ± {around:.1f}"


def plain_interval(mean: float, around: float) -> str:
    """Return ``2.5 ± 1.1``."""
    return f"{mean:.1f} ± {around:.1f}"


def share_text(mean: float, around: float) -> str:
    """Return ``57.5 % ± 1.2``."""
    return f"{100 * mean:.1f} % ± {100 * around:.1f}"
