"""What has happened, as everybody may know it: frozen records for the log, the screen and the bots.

An event never holds a face that is not public. A drawn card is a slot; a seat's own program finds the face in its
knowledge.
"""

from __future__ import annotations

import msgspec

from rummy_p2p.cards import Card
from rummy_p2p.melds import Meld
from rummy_p2p.rules.position import Ending, ScoreLine


class Event(msgspec.Struct, frozen=True, tag_field="event", tag=lambda name: name.lower()):
    """Base of all events."""


class Dealt(Event, frozen=True):
    """Cards were dealt: so many to each seat (0 for a seat that does not play)."""

    sizes: tuple[int, ...]
    dealer: int


class Upcard(Event, frozen=True):
    """The first card of the pile was turned up."""

    card: Card


class Turn(Event, frozen=True):
    """A seat's turn begins."""

    seat: int


class Drew(Event, frozen=True):
    """A seat drew from the stock; ``why`` tells a normal draw from a penalty or a bought card."""

    seat: int
    slot: int
    why: str = "draw"


class Took(Event, frozen=True):
    """A seat took cards from the pile, the deepest first."""

    seat: int
    cards: tuple[Card, ...]


class TurnedOver(Event, frozen=True):
    """The pile became the stock, unshuffled."""

    seat: int
    count: int


class Reshuffled(Event, frozen=True):
    """The pile without its top (laid longest ago first) was shuffled into a new stock that has these slots."""

    cards: tuple[Card, ...]
    slots: tuple[int, ...]


class MeldLaid(Event, frozen=True):
    """A new meld lies on the table with this number."""

    seat: int
    number: int
    meld: Meld
    points: int
    opens: bool = False


class LaidOff(Event, frozen=True):
    """A card was laid off on a meld."""

    seat: int
    card: Card
    number: int
    meld: Meld


class Swapped(Event, frozen=True):
    """A joker was taken off the table for the card that it stood for."""

    seat: int
    card: Card
    number: int


class Discarded(Event, frozen=True):
    """A card was put on the pile."""

    seat: int
    card: Card


class Asked(Event, frozen=True):
    """A seat asks for the discard."""

    seat: int
    card: Card
    late: bool = False


class Claimed(Event, frozen=True):
    """A seat got the discard out of turn, with so many penalty cards."""

    seat: int
    card: Card
    penalty: int = 0


class Answered(Event, frozen=True):
    """The drawer answered a late call."""

    seat: int
    gives: bool


class Passed(Event, frozen=True):
    """A seat declined to draw."""

    seat: int


class Knocked(Event, frozen=True):
    """A seat ended the play by a knock, with this deadwood."""

    seat: int
    deadwood: int


class Finished(Event, frozen=True):
    """The defender lays off no more."""

    seat: int


class TimedOut(Event, frozen=True):
    """A seat's turn ended by the clock."""

    seat: int


class WentOut(Event, frozen=True):
    """A seat got rid of its last card; ``all_at_once``: nothing of its was on the table before this turn."""

    seat: int
    all_at_once: bool = False


class HandEnded(Event, frozen=True):
    """No more moves; the cards are counted."""

    ending: Ending
    winner: int | None


class Shown(Event, frozen=True):
    """A seat turned over what it had left."""

    seat: int
    cards: tuple[Card, ...]


class Scored(Event, frozen=True):
    """The hand has been counted; ``sheet`` says why, per seat."""

    points: tuple[int, ...]
    sheet: tuple[tuple[ScoreLine, ...], ...]
    winner: int | None


class Eliminated(Event, frozen=True):
    """A seat is out of the match."""

    seat: int
    total: int


class MatchEnded(Event, frozen=True):
    """The match is over."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]
