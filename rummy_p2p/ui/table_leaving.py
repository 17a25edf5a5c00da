"""Before a player leaves the table: what comes of it, and that a bot may play on meanwhile."""

from __future__ import annotations

from typing import Protocol

from rummy_p2p.engine import MatchState
from rummy_p2p.sentences.screen import TableFacts, table_text


class Substitute(Protocol):
    """Lets a bot play the player's own seat, or no longer."""

    def __call__(self, *, wanted: bool) -> None:
        """Begin, or end it."""
        ...


def is_running(facts: TableFacts, match: MatchState | None) -> bool:
    """Whether a match is being played that somebody would leave."""
    return not (facts.over is not None or facts.forming or match is None or match.over)


def leave_question(facts: TableFacts, match: MatchState | None, name: str, *, substitute: bool) -> str:
    """Return the question: what comes of leaving depends on who else is there, and on where one's cards are known."""
    if not is_running(facts, match):
        return table_text("leave-question")
    if facts.place != "lan":
        return table_text("leave-here-question")
    others = [bot for other, _ready, bot in facts.sitting if other != name]
    if others and all(others):
        return table_text("leave-bots-question")
    return table_text("leave-or-bot-question" if substitute else "leave-match-question")
