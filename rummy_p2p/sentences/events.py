"""What has happened, and what it counts: a line for every event, the reasons for points, the standings.

An event is told in one of two ways: to the seat that did it, and to the others. Only who drew is told which card.
``_told`` knows for each event which of its wordings it is and what is filled in; the wordings are one table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import singledispatch
from typing import Final, NamedTuple

from rummy_p2p.cards import Card
from rummy_p2p.engine import MatchState, View
from rummy_p2p.engine import events as ev
from rummy_p2p.melds import Meld
from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.rules.position import ScoreLine
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.faces import shown_card, shown_cards
from rummy_p2p.sentences.language import N_, _, cards, listed, plural, points
from rummy_p2p.sentences.titles import label_text


def event_line(event: ev.Event, names: Sequence[str], view: View | None, seat: int | None = None) -> str:
    """Return the line of an event. ``seat`` is who reads it (default: the seat of ``view``; None: an onlooker)."""
    reader = view.seat if seat is None and view is not None else seat
    teller = _Teller(names, reader, view)
    told = _told(event, teller)
    wording = _WORDINGS[f"{type(event).__name__} {told.variant}".rstrip()]
    doer = getattr(event, "dealer" if isinstance(event, ev.Dealt) else "seat", None)
    if doer is None:
        return _(wording.other).format_map(told.facts)
    return _(wording.own if doer == reader else wording.other).format(name=teller.name(doer), **told.facts)


def card_text(card: Card) -> str:
    """Return a card as players write it, or see it on a screen; a joker is JK, and of twins either will do."""
    return shown_card(card)


def cards_line(several: Iterable[Card]) -> str:
    """Return cards separated by blanks."""
    return " ".join(card_text(card) for card in several)


def meld_text(meld: Meld) -> str:
    """Return a meld as players write it; a joker in a run with the card that it stands for."""
    return shown_cards(str(meld))


class _Teller(NamedTuple):
    """Who is told, and what the words for seats and cards are to them."""

    names: Sequence[str]
    reader: int | None
    view: View | None

    def name(self, seat: int) -> str:
        if 0 <= seat < len(self.names):
            return clean(self.names[seat], NICK_LIMIT)
        return _("Seat {number}").format(number=seat + 1)

    def drawn(self, drew: ev.Drew) -> Card | None:
        """Return the face of a drawn card for the seat that drew it, None for others."""
        if self.view is None or self.view.seat != drew.seat or drew.slot >= len(self.view.state.faces):
            return None
        return self.view.card(drew.slot)

    def worth(self, count: int) -> str:
        """Return what melds are worth in brackets, where a game cares for it while it is played."""
        rules = None if self.view is None else self.view.state.rules
        if rules is None or not (rules.opening.points or rules.scoring.kind == "meld-points"):
            return ""
        return f" ({points(count)})"

    def scores(self, totals: Sequence[int]) -> str:
        return ", ".join(f"{self.name(seat)}: {total}" for seat, total in enumerate(totals))


# --- the wordings ----------------------------------------------------------------------------------------------------


class _Wording(NamedTuple):
    """An event's sentence for the seat whose doing it is, and for everybody else."""

    own: str
    other: str


_WORDINGS: Final[Mapping[str, _Wording]] = {
    "Dealt": _Wording(N_("You deal {cards} to each player."), N_("{name} deals {cards} to each player.")),
    "Dealt unequal": _Wording(N_("You deal: {sizes}."), N_("{name} deals: {sizes}.")),
    "Upcard": _Wording("", N_("The first card of the pile is {card}.")),
    "Turn": _Wording(N_("It is your turn."), N_("It is {name}'s turn.")),
    "Drew": _Wording(N_("You drew a card."), N_("{name} drew a card.")),
    "Drew known": _Wording(N_("You drew {card}."), ""),
    "Drew penalty": _Wording(N_("You got a stock card for it."), N_("{name} got a stock card for it.")),
    "Drew penalty known": _Wording(N_("You got {card} for it."), ""),
    "Took": _Wording(N_("You took {cards} from the pile."), N_("{name} took {cards} from the pile.")),
    "TurnedOver": _Wording(
        N_("You turned the pile over: the stock has {cards} again."),
        N_("{name} turned the pile over: the stock has {cards} again."),
    ),
    "Reshuffled": _Wording("", N_("The stock was empty: the pile was shuffled, the stock has {cards} again.")),
    "MeldLaid": _Wording(N_("You laid meld {number}: {meld}{worth}."), N_("{name} laid meld {number}: {meld}{worth}.")),
    "MeldLaid opens": _Wording(
        N_("You laid down for the first time, meld {number}: {meld}{worth}."),
        N_("{name} laid down for the first time, meld {number}: {meld}{worth}."),
    ),
    "LaidOff": _Wording(
        N_("You added {card}: meld {number} is {meld}."), N_("{name} added {card}: meld {number} is {meld}.")
    ),
    "Swapped": _Wording(
        N_("You put {card} into meld {number} and took its joker."),
        N_("{name} put {card} into meld {number} and took its joker."),
    ),
    "Discarded": _Wording(N_("You discarded {card}."), N_("{name} discarded {card}.")),
    "Asked": _Wording(N_("You asked for {card}."), N_("{name} asks for {card}.")),
    "Asked late": _Wording(
        N_("You asked for {card} after the draw."),
        N_("{name} asks for {card} after the draw: the player who drew may keep the card, or give both away."),
    ),
    "Claimed": _Wording(N_("You claimed {card}."), N_("{name} claimed {card}.")),
    "Claimed called": _Wording(N_("You called {call} and got {card}."), N_("{name} called {call} and got {card}.")),
    "Claimed penalty": _Wording(
        N_("You claimed {card} and got {cards} more for it."),
        N_("{name} claimed {card} and got {cards} more for it."),
    ),
    "Answered gives": _Wording(N_("You gave both cards away."), N_("{name} gave both cards away.")),
    "Answered keeps": _Wording(N_("You kept the card."), N_("{name} kept the card.")),
    "Passed": _Wording(N_("You passed."), N_("{name} passed.")),
    "Knocked": _Wording(N_("You knocked with {points} loose."), N_("{name} knocked with {points} loose.")),
    "Finished": _Wording(N_("You lay off no more."), N_("{name} lays off no more.")),
    "TimedOut": _Wording(N_("Your time is up: your turn is over."), N_("{name}'s time is up: the turn is over.")),
    "WentOut": _Wording(N_("You went out."), N_("{name} went out.")),
    "WentOut at once": _Wording(N_("You went out, all in one turn."), N_("{name} went out, all in one turn.")),
    "HandEnded out": _Wording("", N_("The hand is over. What is left in the others' hands is counted.")),
    "HandEnded knock": _Wording("", N_("The hand is over. The loose cards of both are compared.")),
    "HandEnded gin": _Wording("", N_("The hand is over: gin, no loose card is left.")),
    "HandEnded big-gin": _Wording("", N_("The hand is over: big gin, not even a discard was needed.")),
    "HandEnded stock": _Wording("", N_("The hand is over: nothing is left to draw. All cards in hand are counted.")),
    "HandEnded void": _Wording("", N_("The hand is void: nobody got anywhere. Nothing is counted.")),
    "Shown": _Wording(N_("You had {cards} left."), N_("{name} had {cards} left.")),
    "Shown nothing": _Wording(N_("You had nothing left."), N_("{name} had nothing left.")),
    "Scored": _Wording("", N_("Points of this hand: {scores}.")),
    "Eliminated": _Wording(
        N_("You are out of the match with {points}. You may go on watching."),
        N_("{name} is out of the match with {points}."),
    ),
    "MatchEnded": _Wording("", N_("The match is over: {scores}. It was won by {winners}.")),
    "MatchEnded yours": _Wording("", N_("The match is over: {scores}. You have won.")),
    "MatchEnded nobody": _Wording("", N_("The match is over: {scores}. Nobody has won.")),
}


# --- which wording, and what is filled in ----------------------------------------------------------------------------


class _Case(NamedTuple):
    """The variant of an event's wording and what its placeholders stand for, the seat's name aside."""

    variant: str = ""
    facts: Mapping[str, str] = {}


@singledispatch
def _told(_event: ev.Event, _teller: _Teller) -> _Case:
    return _Case()


@_told.register(ev.Dealt)  # by name: to read 20 annotations takes 2 ms of each start
def _dealt(event: ev.Dealt, teller: _Teller) -> _Case:
    sizes = {seat: size for seat, size in enumerate(event.sizes) if size}
    if len(set(sizes.values())) > 1:
        return _Case("unequal", {"sizes": ", ".join(f"{teller.name(seat)} {size}" for seat, size in sizes.items())})
    return _Case("", {"cards": cards(max(event.sizes, default=0))})


@_told.register(ev.Upcard)
def _upcard(event: ev.Upcard, _teller: _Teller) -> _Case:
    return _Case("", {"card": card_text(event.card)})


@_told.register(ev.Drew)
def _drew(event: ev.Drew, teller: _Teller) -> _Case:
    why = "penalty" if event.why == "penalty" else ""
    card = teller.drawn(event)
    if card is None:
        return _Case(why)
    return _Case(f"{why} known".lstrip(), {"card": card_text(card)})


@_told.register(ev.Took)
def _took(event: ev.Took, _teller: _Teller) -> _Case:
    return _Case("", {"cards": cards_line(event.cards)})


@_told.register(ev.TurnedOver)
def _turned_over(event: ev.TurnedOver, _teller: _Teller) -> _Case:
    return _Case("", {"cards": cards(event.count)})


@_told.register(ev.Reshuffled)
def _reshuffled(event: ev.Reshuffled, _teller: _Teller) -> _Case:
    return _Case("", {"cards": cards(len(event.slots))})


@_told.register(ev.MeldLaid)
def _meld_laid(event: ev.MeldLaid, teller: _Teller) -> _Case:
    facts = {"number": str(event.number), "meld": meld_text(event.meld), "worth": teller.worth(event.points)}
    return _Case("opens" if event.opens else "", facts)


@_told.register(ev.LaidOff)
def _laid_off(event: ev.LaidOff, _teller: _Teller) -> _Case:
    return _Case("", {"number": str(event.number), "card": card_text(event.card), "meld": meld_text(event.meld)})


@_told.register(ev.Swapped)
def _swapped(event: ev.Swapped, _teller: _Teller) -> _Case:
    return _Case("", {"number": str(event.number), "card": card_text(event.card)})


@_told.register(ev.Discarded)
def _discarded(event: ev.Discarded, _teller: _Teller) -> _Case:
    return _Case("", {"card": card_text(event.card)})


@_told.register(ev.Asked)
def _asked(event: ev.Asked, _teller: _Teller) -> _Case:
    return _Case("late" if event.late else "", {"card": card_text(event.card)})


@_told.register(ev.Claimed)
def _claimed(event: ev.Claimed, teller: _Teller) -> _Case:
    card = card_text(event.card)
    if event.penalty:
        return _Case("penalty", {"card": card, "cards": cards(event.penalty)})
    if teller.view is None:
        return _Case("", {"card": card})
    return _Case("called", {"card": card, "call": label_text(teller.view.state.rules.labels.call)})


@_told.register(ev.Answered)
def _answered(event: ev.Answered, _teller: _Teller) -> _Case:
    return _Case("gives" if event.gives else "keeps")


@_told.register(ev.Knocked)
def _knocked(event: ev.Knocked, _teller: _Teller) -> _Case:
    return _Case("", {"points": points(event.deadwood)})


@_told.register(ev.WentOut)
def _went_out(event: ev.WentOut, _teller: _Teller) -> _Case:
    return _Case("at once" if event.all_at_once else "")


@_told.register(ev.HandEnded)
def _hand_ended(event: ev.HandEnded, _teller: _Teller) -> _Case:
    return _Case(event.ending or "void")


@_told.register(ev.Shown)
def _shown(event: ev.Shown, _teller: _Teller) -> _Case:
    return _Case("", {"cards": cards_line(sorted(event.cards, key=_by_face))}) if event.cards else _Case("nothing")


@_told.register(ev.Scored)
def _scored(event: ev.Scored, teller: _Teller) -> _Case:
    return _Case("", {"scores": teller.scores(event.points)})


@_told.register(ev.Eliminated)
def _eliminated(event: ev.Eliminated, _teller: _Teller) -> _Case:
    return _Case("", {"points": points(event.total)})


@_told.register(ev.MatchEnded)
def _match_ended(event: ev.MatchEnded, teller: _Teller) -> _Case:
    scores = {"scores": teller.scores(event.scores)}
    if not event.winners:
        return _Case("nobody", scores)
    if event.winners == (teller.reader,):
        return _Case("yours", scores)
    return _Case("", scores | {"winners": listed([teller.name(seat) for seat in event.winners])})


# --- points ----------------------------------------------------------------------------------------------------------

_REASONS: Final[Mapping[str, str]] = {
    "left": N_("{points} for cards left in hand"),
    "laid": N_("{points} for what was laid"),
    "take-all": N_("{points} more because the winner went out in one turn"),
    "deadwood": N_("{points} for the difference in loose cards"),
    "gin": N_("{points} for the gin"),
    "big-gin": N_("{points} for the big gin"),
    "undercut": N_("{points} for the undercut"),
    "bonus": N_("{points} by a special rule of this game"),
}


def score_lines(event: ev.Scored, names: Sequence[str]) -> tuple[str, ...]:
    """Return a line for each seat whose cards counted: what for, and how much."""
    teller = _Teller(names, None, None)
    sheets = ((seat, lines) for seat, lines in enumerate(event.sheet) if lines)
    return tuple(f"{teller.name(seat)}: {_reasons(lines, event.points[seat])}" for seat, lines in sheets)


def _reasons(lines: Sequence[ScoreLine], total: int) -> str:
    text = ", ".join(_reason(line) for line in lines)
    return f"{text} = {total}" if len(lines) > 1 else text


def _reason(line: ScoreLine) -> str:
    text = _(_REASONS.get(line.what, _REASONS["bonus"])).format(points=line.points)
    return f"{text} ({cards_line(sorted(line.cards, key=_by_face))})" if line.cards else text


def _by_face(card: Card) -> int:
    return card.face


def standings(match: MatchState, names: Sequence[str], rules: Ruleset) -> tuple[str, ...]:
    """Return the totals so far, the best first, and what ends the match."""
    teller = _Teller(names, None, None)
    order = sorted(range(match.seats), key=lambda seat: match.scores[seat], reverse=rules.match.winner == "highest")
    totals = [
        _("{name}: {total} (out)").format(name=teller.name(seat), total=match.scores[seat])
        if seat in match.out
        else f"{teller.name(seat)}: {match.scores[seat]}"
        for seat in order
    ]
    hands = match.hand_number - 1
    head = plural("{totals} after {n} hand.", "{totals} after {n} hands.", hands, totals=", ".join(totals))
    if not match.over:
        return (head, match_end_words(rules))
    winners = listed([teller.name(seat) for seat in match.winners]) or _("nobody")
    return (head, _("The match is over. It was won by {winners}.").format(winners=winners))


def match_end_words(rules: Ruleset) -> str:
    """Return what ends a match and who wins it."""
    knobs = rules.match
    best = _("The lowest total wins.") if knobs.winner == "lowest" else _("The highest total wins.")
    if rules.rounds:
        return _("The match has {n} rounds. {best}").format(n=len(rules.rounds), best=best)
    if knobs.limit is not None:
        return _("Whoever has more than {limit} is out; the last one left wins.").format(limit=points(knobs.limit))
    if knobs.deals is not None:
        return plural("The match has {n} hand.", "The match has {n} hands.", knobs.deals) + f" {best}"
    if knobs.target is not None:
        return _("The match ends when somebody has {target}. {best}").format(target=points(knobs.target), best=best)
    return best
