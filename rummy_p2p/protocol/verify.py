"""Checking a ledger file, with no network and nobody's word: signatures, chain, votes, deal, every card, every rule.

The file is folded by the very code that a peer runs before it acknowledges. The rules are those that stand in the file;
function knobs cannot stand there, so a game that has some is checked with a Ruleset that brings them. What comes after
a record that does not hold cannot be judged, so the first problem of the records is the last one; acknowledgements are
checked each by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rummy_p2p.deal.blind_messages import DeckOk
from rummy_p2p.engine import IllegalAction, KnobFailed
from rummy_p2p.protocol.election import check_votes
from rummy_p2p.protocol.errors import ProtocolError, RemoteProtocolError
from rummy_p2p.protocol.events import HandOver
from rummy_p2p.protocol.faults import Fault, say
from rummy_p2p.protocol.fold import advance
from rummy_p2p.protocol.ledger import Entry, Ledger, read_stream, take_apart
from rummy_p2p.protocol.messages import (
    Ack,
    Draft,
    Ordered,
    Payload,
    Signed,
    Start,
    is_genuine,
    match_id,
    read,
    read_packed,
)
from rummy_p2p.protocol.records import HostChange, Roster
from rummy_p2p.protocol.roster import name_seats
from rummy_p2p.protocol.state import Fold, motion_of
from rummy_p2p.ruleset import KnobFunction, Ruleset, RulesetError, from_canonical


@dataclass(frozen=True, slots=True)
class Problem:
    """What does not hold: number of the record, code, sentence, name of the peer at fault if it is known."""

    seq: int
    code: str
    sentence: str
    culprit: str | None


@dataclass(frozen=True, slots=True)
class Report:
    """What a check came to. ``records`` and ``hands`` count what holds; ``fold``: the state after the last of them."""

    ok: bool
    records: int
    hands: int
    problems: tuple[Problem, ...]
    fold: Fold | None


def verify(data: bytes, rules: Ruleset | None = None) -> Report:
    """Check a ledger file. ``rules`` brings the function knobs, where the game has some."""
    checker = _Checker(rules.functions if rules else ())
    checker.check(read_stream(data))
    return checker.report()


class _Checker:
    """Folds a file, record by record, and notes what does not hold."""

    def __init__(self, functions: tuple[KnobFunction, ...]) -> None:
        self._functions = functions
        self._problems: list[Problem] = []
        self._ledger: Ledger | None = None
        self._fold: Fold | None = None
        self._hands = 0

    def report(self) -> Report:
        """What has been found."""
        records = self._ledger.tail if self._ledger else 0
        if not records and not self._problems:
            self._problem(0, "empty-ledger", None)
        return Report(not self._problems, records, self._hands, tuple(self._problems), self._fold)

    def check(self, messages: Iterator[Signed]) -> None:
        """Take in all messages of a file, up to the first record that does not hold."""
        try:
            for message in messages:
                payload = read(message)
                if isinstance(payload, Ordered):
                    self._record(message)
                else:
                    self._acknowledgement(message, payload)
        except RulesetError as error:
            self._problems.append(Problem(self._next(), error.code, str(error), None))
        except IllegalAction as error:
            self._problem(
                self._next(), "illegal-action", self._ledger.host if self._ledger else None, reason=error.code
            )
        except KnobFailed as error:
            words = {"plugin": error.plugin, "knob": error.knob, "cause": error.cause}
            self._problem(self._next(), "knob-failed", None, **words)
        except ProtocolError as error:
            culprit = error.culprit if isinstance(error, Fault) else None
            self._problems.append(Problem(self._next(), error.code, str(error), self._name(culprit)))

    def _record(self, message: Signed) -> None:
        entry = take_apart(message)
        ledger, fold = self._ledger, self._fold
        if ledger is None or fold is None:
            ledger, fold = self._open(entry)
        if isinstance(entry.body, HostChange) and entry.ordered.term > ledger.term:
            check_votes(ledger.match, fold.peers, entry.author, entry.ordered.term, entry.body.votes)
            ledger.open_term(entry.ordered.term, entry.host)
        ledger.check(entry)
        step = advance(fold, motion_of(entry, ledger.place_of(entry.draft.head) or 0))
        _check_shuffles(entry, step.fold)
        ledger.store(entry)
        ledger.voters = step.fold.peers
        self._ledger, self._fold = ledger, step.fold
        self._hands += sum(isinstance(event, HandOver) for event in step.events)

    def _open(self, entry: Entry) -> tuple[Ledger, Fold]:
        """The first record says who plays what; its host has to prove by the second one that it was elected."""
        if not isinstance(entry.body, Roster):
            raise Fault("bad-roster", entry.host)
        signed = read_packed(entry.body.start)
        start = read(signed)
        if not isinstance(start, Start):
            raise Fault("bad-roster", entry.host)
        rules = from_canonical(entry.body.rules, self._functions)
        ledger = Ledger(match_id(signed), (peer.peer for peer in start.peers))
        ledger.open_term(entry.ordered.term, entry.host)
        return ledger, Fold(rules, ledger.match)

    def _acknowledgement(self, message: Signed, payload: Payload) -> None:
        seq = payload.seq if isinstance(payload, Ack) else self._next()
        if not isinstance(payload, Ack):
            raise RemoteProtocolError("unknown-message")
        if not is_genuine(message):
            self._problem(seq, "bad-signature", None)
        elif self._ledger is None or not self._is_of_this_ledger(message, payload, self._ledger):
            self._problem(seq, "bad-certificate", message.author)

    def _is_of_this_ledger(self, message: Signed, ack: Ack, ledger: Ledger) -> bool:
        known = ack.match == ledger.match and 0 < ack.seq <= ledger.tail
        seated = (
            self._fold is not None
            and self._fold.start is not None
            and message.author in {peer.peer for peer in self._fold.start.peers}
        )
        return known and seated and ledger.hash_at(ack.seq) == ack.head

    def _next(self) -> int:
        return (self._ledger.tail if self._ledger else 0) + 1

    def _problem(self, seq: int, code: str, culprit: bytes | None, **words: str | int) -> None:
        self._problems.append(Problem(seq, code, say(code, words), self._name(culprit)))

    def _name(self, peer: bytes | None) -> str | None:
        """The name on the screen, or the beginning of the id."""
        if peer is None:
            return None
        start = self._fold.start if self._fold else None
        seats = name_seats(start.seats) if start else ()
        return next((seat.name for seat in seats if seat.owner == peer), peer.hex()[:12])


def _check_shuffles(entry: Entry, fold: Fold) -> None:
    """The proofs of shuffles are not judged by the fold: every peer has checked them before it signed the deck.

    A deck that was found out, and that nobody went on with, is no problem.
    """
    if not isinstance(entry.body, DeckOk) or not fold.is_dealt:
        return
    for check in fold.blind.checks(fold.blind.layers[-1]):
        if not check.holds():
            raise Fault("bad-shuffle", check.about.author)


def rules_in(data: bytes) -> bytes | None:
    """The canonical rules that a ledger file names, unchecked; None when it does not begin as a ledger does."""
    try:
        record = read(next(read_stream(data)))
        draft = read(read_packed(record.draft)) if isinstance(record, Ordered) else None
    except (ProtocolError, StopIteration):
        return None
    return draft.body.rules if isinstance(draft, Draft) and isinstance(draft.body, Roster) else None
