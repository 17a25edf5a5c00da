"""What a hand came to: collected from its events as they are heard, for the score room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from rummy_p2p.cards import Card
from rummy_p2p.engine import MatchState, View
from rummy_p2p.engine import events as ev
from rummy_p2p.rules.position import ScoreLine
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences import score_lines
from rummy_p2p.sentences.language import listed
from rummy_p2p.sentences.screen import Over, score_text
from rummy_p2p.ui.table_scene import name_of


@dataclass(slots=True)
class Results:
    """One hand, from its deal to its score; ``ended`` when the match is over with it."""

    rules: Ruleset
    names: tuple[str, ...]
    seat: int
    number: int = 1
    shown: dict[int, tuple[Card, ...]] = field(default_factory=dict)
    hand_ended: ev.HandEnded | None = None
    all_at_once: bool = False
    scored: ev.Scored | None = None
    ended: ev.MatchEnded | None = None
    over: Over | None = None  # the match, whatever has ended it
    rounds: list[tuple[int, ...]] = field(default_factory=list)
    sums: tuple[int, ...] = ()
    played: tuple[bool, ...] = ()
    since: float = 0.0
    dealt: bool = False  # the next hand

    def hear(self, event: ev.Event) -> None:
        """Take in an event of the hand."""
        if isinstance(event, ev.Dealt):
            self.played = tuple(size > 0 for size in event.sizes)
        elif isinstance(event, ev.Shown):
            self.shown[event.seat] = event.cards
        elif isinstance(event, ev.HandEnded):
            self.hand_ended = event
        elif isinstance(event, ev.WentOut):
            self.all_at_once = event.all_at_once
        elif isinstance(event, ev.Scored):
            self.scored = event
        elif isinstance(event, ev.MatchEnded):
            self.ended = event

    def see(self, view: View, only: int | None = None) -> None:
        """Take in what is to be seen of hands that nobody has to show: a knocker's, and the player's own."""
        for seat, slots in enumerate(view.state.hands):
            cards = tuple(card for slot in slots if (card := view.card(slot)) is not None)
            if only in (None, seat) and cards and len(cards) == len(slots):
                self.shown.setdefault(seat, cards)

    def add_up(self, match: MatchState | None) -> None:
        """Take over the totals after this hand; the match may not have been told of it yet."""
        if match is None or self.scored is None:
            self.sums = () if match is None else match.scores
        elif match.hand_number > self.number or match.over:
            self.sums = match.scores
        else:
            self.sums = tuple(map(sum, zip(match.scores, self.scored.points, strict=True)))

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self.ended is not None or self.over is not None

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won the match that is over."""
        if self.ended is not None:
            return self.ended.winners
        return () if self.over is None else self.over.winners

    @property
    def winner(self) -> int | None:
        """Who has won the hand."""
        if self.scored is not None:
            return self.scored.winner
        return None if self.hand_ended is None else self.hand_ended.winner

    def reasons(self, seat: int) -> str:
        """Return what the points of a seat are for, without the cards, which are to be seen."""
        if self.scored is None or seat >= len(self.scored.sheet):
            return ""
        bare = tuple(msgspec.structs.replace(line, cards=()) for line in self.scored.sheet[seat])
        alone = ev.Scored(self.scored.points, _only(seat, bare, len(self.scored.sheet)), self.scored.winner)
        lines = score_lines(alone, [""] * len(self.names))
        return lines[0].removeprefix(": ").removeprefix(":").strip() if lines else ""

    def headline(self) -> str:
        """Return how the hand ended."""
        ending = "void" if self.hand_ended is None else self.hand_ended.ending or "void"
        factor = self.rules.scoring.take_all_factor
        which = "ended-all" if ending == "out" and self.all_at_once and factor > 1 else f"ended-{ending}"
        winner = self.winner
        if winner is None:
            return score_text(which, name="", n=factor)
        if winner == self.seat and which not in ("ended-stock", "ended-void"):
            return score_text(f"{which}-you", n=factor)
        return score_text(which, name=name_of(self.names, winner), n=factor)

    def outcome(self) -> tuple[str, ...]:
        """Return who has won the match, and before it why it ended before its time; nothing while it goes on."""
        if not self.is_over:
            return ()
        why = (self.over.why,) if self.over is not None and self.over.why else ()
        names = [name_of(self.names, seat) for seat in self.winners]
        if self.winners == (self.seat,):
            return (*why, score_text("you-won"))
        return (*why, score_text("won", names=listed(names)) if names else score_text("nobody-won"))

    def hand_winner(self) -> str:
        """Return what stands with the winner of the hand: that this player went out, or won it otherwise."""
        out = self.hand_ended is not None and self.hand_ended.ending == "out"
        return score_text("went-out" if out else "won-hand")

    def sat_out(self, seat: int) -> bool:
        """Whether a seat did not play this hand."""
        return seat < len(self.played) and not self.played[seat]

    def totals(self) -> tuple[int, ...]:
        """Return the sums after the hand."""
        if self.ended is not None:
            return self.ended.scores
        if self.over is not None and self.scored is None:
            return self.over.scores
        return self.sums or (0,) * len(self.names)


def _only(seat: int, lines: tuple[ScoreLine, ...], seats: int) -> tuple[tuple[ScoreLine, ...], ...]:
    return tuple(lines if other == seat else () for other in range(seats))


def values_text(rules: Ruleset) -> str:
    """Return what the cards count in hand."""
    values = rules.scoring.in_hand
    which = "values" if rules.deck.jokers else "values-plain"
    return score_text(which, ace=values.ace, face=values.face, joker=values.joker)


def order_of(names: Sequence[str], seat: int) -> list[int]:
    """Return the seats, the player's own first; in their order for who has none."""
    seat = max(seat, 0)
    return [(seat + step) % len(names) for step in range(len(names))] if names else []
