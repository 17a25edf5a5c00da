"""What is said over a ledger that is looked through again, and at one screen that several players share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rummy_p2p.cards import Card
from rummy_p2p.engine import View
from rummy_p2p.engine import events as ev
from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.events import card_text, cards_line, event_line
from rummy_p2p.sentences.language import N_, _, cards, listed
from rummy_p2p.sentences.titles import title_text

# --- records of a ledger ---------------------------------------------------------------------------------------------

# By the tag of what stands in the record; what has no line of its own is told by its events.
_RECORDS: Final[Mapping[str, str]] = {
    "roster": N_("{players} begin a match of {title}."),
    "host-change": N_("{name} is host from here on."),
    "hand-open": N_("{name} opens hand {hand}."),
    "entropy-commit": N_("{name} is bound to a share of the chance in the deck."),
    "entropy-open": N_("{name} shows that share."),
    "deck-laid": N_("{name} lays the deck out, bound to every card of it."),
    "key-commit": N_("{name} is bound to a part of the table's key."),
    "key-open": N_("{name} shows that part."),
    "key-shares": N_("{name} gives everybody a share of it."),
    "key-ok": N_("{name} has the shares of all."),
    "shuffle-deck": N_("{name} shuffles the deck and proves it."),
    "deck-ok": N_("{name} has checked every shuffle and signs the deck."),
    "draw": N_("{name} takes up cards, still face down for everybody."),
    "shares": N_("{name} gives a share to open cards."),
    "away": N_("A player cannot be reached; the table goes on."),
    "back": N_("{name} is back."),
    "audit": N_("{name} has checked the whole hand."),
    "score": N_("Hand {hand} is counted, and its deal is in order."),
    "departure": N_("{name} leaves the match."),
}
_OTHER: Final = N_("{name} takes part in the deal ({kind}).")
_SAID: Final[Mapping[str, str]] = {
    "no-record": N_("The records are 1 to {last}. Type a number, as in: record 12"),
    "no-hand": N_("The hands are 1 to {last}. Type a number, as in: hand 2"),
    "no-hands": N_("No hand was begun in this ledger."),
    "no-seat": N_("There is no seat {name}. The players are {names}; all shows every hand that is known."),
    "first": N_("This is the first record."),
    "last": N_("This is the last record."),
    "over": N_("The match is over. It was won by {names}."),
    "over-nobody": N_("The match ends here."),
    "nothing": N_("This file holds no record that could be shown: {why}"),
    "stops": N_("The file is in order up to here. Record {seq} is not: {why}"),
    "next": N_("show the next record; Enter does the same"),
    "previous": N_("go back by one record"),
    "record": N_("go to a record: record 12"),
    "hand": N_("go to the beginning of a hand: hand 2"),
    "seat": N_("look on from a seat: seat Bea, or seat all"),
    "table": N_("show the cards as they lie at this record"),
    "help": N_("show this list"),
    "quit": N_("stop looking"),
    "unknown": N_("I do not know {word}. Type help to see what can be typed."),
    "hidden": N_("{name}: {count}, not known"),
    "known": N_("{name}: {cards} ({count})"),
    "partly": N_("{name}: {cards} and {count} not known"),
    "heading": N_("Record {number} of {last}, hand {hand}, {author}"),
    "heading-before": N_("Record {number} of {last}, {author}"),
}
_DREW: Final = N_("{name} drew {card}.")


def replay_text(code: str, **facts: str | int) -> str:
    """Return what is said while a ledger is looked through."""
    return _(_SAID[code]).format_map(facts)


def record_line(kind: str, name: str, hand: int, names: Sequence[str], rules: Ruleset) -> str:
    """Return what a record is, where it is no move of the game; empty where its events say it all."""
    if kind in _TOLD_BY_EVENTS:
        return ""
    players = listed([clean(player, NICK_LIMIT) for player in names])
    text = _(_RECORDS.get(kind, _OTHER))
    return text.format(
        name=clean(name, NICK_LIMIT), hand=hand, players=players, title=title_text(rules), kind=clean(kind, 40)
    )


_TOLD_BY_EVENTS: Final = frozenset({"act", "flip", "time-out", "void"})


def replay_line(event: ev.Event, names: Sequence[str], view: View | None, card: Card | None) -> str:
    """Return the line of an event for who looks on: as a seat (``view``), or as nobody, with a drawn card if known."""
    if view is None and isinstance(event, ev.Drew) and card is not None:
        name = names[event.seat] if event.seat < len(names) else "?"
        return _(_DREW).format(name=clean(name, NICK_LIMIT), card=card_text(card))
    return event_line(event, names, view)


def known_cards(name: str, known: Sequence[Card], hidden: int) -> str:
    """Return the cards of a seat as far as they are known."""
    shown = cards_line(sorted(known, key=lambda card: card.face))
    facts = {"name": clean(name, NICK_LIMIT), "cards": shown, "count": cards(hidden or len(known))}
    code = "known" if not hidden else "partly" if known else "hidden"
    return replay_text(code, **facts)


# --- one screen ------------------------------------------------------------------------------------------------------

_CURTAIN: Final[Mapping[str, str]] = {
    "pass": N_("Pass the keyboard to {name}. Nobody's cards are on the screen."),
    "ready": N_("{name}: press Enter when you are ready."),
    "claim": N_("Before that {card} may be claimed by {names}. Type {word} and a name, as in: {word} {first}"),
    "claimed": N_("{name} calls for {card}."),
    "no-claim": N_("{name} cannot claim anything now. These players can: {names}."),
    "nobody": N_("Nothing can be claimed now."),
    "over": N_("The hand is over. Press Enter for the next one, or type leave."),
    "match-over": N_("The match is over. Press Enter to leave."),
    "leave": N_("end the game for all at this screen"),
    "next": N_("deal the next hand"),
    "names": N_("{title} is for {least} to {most} players, not {count}. Give one name for each."),
    "names-exact": N_("{title} is for {most} players, not {count}. Give one name for each."),
    "twins": N_("Two players are called {name}. Give everybody a name of their own."),
    "since": N_("Since your last turn:"),
    "title": N_("One screen"),
}


def curtain_text(code: str, **facts: str | int) -> str:
    """Return what is said between two turns at one screen."""
    return _(_CURTAIN[code]).format_map(facts)
