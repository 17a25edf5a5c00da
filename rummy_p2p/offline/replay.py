"""A ledger file looked through again: frame by frame, with every face that the file lets one know.

The law of the file
    The file is folded by the very code that peers run, so a frame holds what everybody at the table had then. A record
    that does not hold ends the film: what came before it is shown, and ``problem`` says what is wrong with it.
    Faces come from the file alone. What was shown in a hand, at whatever moment, and what the host's secret at its end
    opens, is known in the whole hand; where there is no such secret only what was shown is known. Who looks on from a
    seat sees what this seat saw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final

import msgspec

from rummy_p2p.cards import Card
from rummy_p2p.deal.committed import Transcript
from rummy_p2p.engine import IllegalAction, KnobFailed, MatchState, View, view_for
from rummy_p2p.engine import events as ev
from rummy_p2p.protocol.errors import ProtocolError
from rummy_p2p.protocol.events import HandOver, HandVoid, Happened, MatchOver, Played, TableEvent
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.fold import advance
from rummy_p2p.protocol.ledger import Entry, Ledger, read_stream, take_apart
from rummy_p2p.protocol.messages import Ordered, Start, match_id, read, read_packed
from rummy_p2p.protocol.records import Roster, Score
from rummy_p2p.protocol.state import Fold, motion_of
from rummy_p2p.protocol.verify import Problem, verify
from rummy_p2p.ruleset import KnobFunction, Ruleset, RulesetError, from_canonical
from rummy_p2p.sentences import standings, table_lines
from rummy_p2p.sentences.language import listed
from rummy_p2p.sentences.replays import known_cards, record_line, replay_line, replay_text

Faces = Mapping[int, Card]
HAND_OPEN: Final = "hand-open"


class Frame(msgspec.Struct, frozen=True):
    """One record: what stands in it, whose it is, what it came to, and the state after it."""

    number: int
    kind: str
    author: str
    hand: int
    events: tuple[TableEvent, ...]
    fold: Fold
    move: str = ""

    @property
    def happened(self) -> tuple[ev.Event, ...]:
        """What happened in the game."""
        return tuple(
            event for told in self.events if isinstance(told, Happened | Played | HandOver) for event in told.events
        )


class Replay:
    """A ledger file as a film."""

    def __init__(self, data: bytes, rules: Ruleset | None = None) -> None:
        """Read a file; ``rules`` brings the function knobs, where the game has some."""
        self.frames: tuple[Frame, ...] = ()
        self.problem: Problem | None = None
        reader = _Reader(rules.functions if rules else ())
        # What is wrong is said by the check of the whole file, which counts acknowledgements as well.
        with suppress(ProtocolError, RulesetError, IllegalAction, KnobFailed):
            for message in read_stream(data):
                if isinstance(read(message), Ordered):
                    reader.take(take_apart(message))
        self.frames = tuple(reader.frames)
        self.problem = next(iter(verify(data, rules).problems), None)
        self._faces = reader.faces

    @property
    def rules(self) -> Ruleset:
        """The rules that stand in the file; those of no game when there is no record that holds."""
        return self.frames[0].fold.rules if self.frames else Ruleset()

    @property
    def names(self) -> tuple[str, ...]:
        """The players, by seat."""
        return tuple(seat.name for seat in self.frames[0].fold.seats) if self.frames else ()

    @property
    def last(self) -> int:
        """How many records can be shown."""
        return len(self.frames)

    def hands(self) -> tuple[int, ...]:
        """Return the record with which each hand begins, by hand number from 1; of several attempts the last one."""
        begins = {frame.hand: frame.number for frame in self.frames if frame.kind == HAND_OPEN}
        return tuple(begins[hand] for hand in sorted(begins))

    def faces(self, number: int) -> Faces:
        """Return every face of the hand of a record that is known from the file."""
        frame = self.frames[number - 1]
        return self._faces.get((frame.fold.number, frame.fold.epoch), {})

    def view(self, number: int, seat: int) -> View | None:
        """Return what a seat saw after a record, as far as the file tells; None between hands."""
        hand = self.frames[number - 1].fold.hand
        return None if hand is None else view_for(hand, seat, self.faces(number))

    def match(self, number: int) -> MatchState | None:
        """Return the totals after a record; None before the first hand."""
        return self.frames[number - 1].fold.match

    def lines(self, number: int, seat: int | None = None) -> tuple[str, ...]:
        """Return what a record came to; ``seat``: in the eyes of that seat, None: of somebody who sees all there is."""
        frame = self.frames[number - 1]
        head = record_line(frame.kind, frame.author, frame.hand, self.names, self.rules)
        told = [self._line(frame, event, seat) for event in frame.happened]
        return tuple(line for line in (head, *told, *self._ending(frame)) if line)

    def _ending(self, frame: Frame) -> Iterator[str]:
        """Yield the totals when a hand was counted, and who has won when it was the last."""
        for event in frame.events:
            if isinstance(event, HandOver | HandVoid) and frame.fold.match is not None:
                yield event.sentence if isinstance(event, HandVoid) else ""
                yield standings(frame.fold.match, self.names, self.rules)[0]
            if isinstance(event, MatchOver):
                winners = listed([self.names[seat] for seat in event.winners])
                yield event.sentence
                yield replay_text("over", names=winners) if winners else replay_text("over-nobody")

    def _line(self, frame: Frame, event: ev.Event, seat: int | None) -> str:
        view = None if seat is None else self.view(frame.number, seat)
        card = self.faces(frame.number).get(event.slot) if isinstance(event, ev.Drew) else None
        return replay_line(event, self.names, view, card)

    def table(self, number: int, seat: int | None = None) -> tuple[str, ...]:
        """Return everybody's cards after a record, as far as they are known to who looks on."""
        frame = self.frames[number - 1]
        hand = frame.fold.hand
        if hand is None:
            return ()
        known = self.faces(number)
        views = [view_for(hand, at, known if seat in (None, at) else {}) for at in range(hand.seats)]
        shown = [
            known_cards(self.names[view.seat], view.hand, len(hand.hands[view.seat]) - len(view.hand))
            for view in views
            if hand.playing[view.seat]
        ]
        return (*shown, *table_lines(views[0], self.names))

    def heading(self, number: int) -> str:
        """Return which record this is."""
        frame = self.frames[number - 1]
        code = "heading" if frame.hand else "heading-before"
        return replay_text(code, number=number, last=self.last, hand=frame.hand, author=frame.author)

    def stop(self) -> str:
        """Return why the film ends where it does; empty when the file is in order."""
        if self.problem is None:
            return ""
        return replay_text("stops" if self.frames else "nothing", seq=self.problem.seq, why=self.problem.sentence)


class _Reader:
    """Folds record after record and gathers the frames and the faces."""

    def __init__(self, functions: tuple[KnobFunction, ...]) -> None:
        self._functions = functions
        self._ledger: Ledger | None = None
        self._fold: Fold | None = None
        self.frames: list[Frame] = []
        self.faces: dict[tuple[int, int], dict[int, Card]] = {}

    def take(self, entry: Entry) -> None:
        """Fold one more record in."""
        ledger, fold = self._ledger, self._fold
        if ledger is None or fold is None:
            ledger, fold = self._open(entry)
        ledger.check(entry)
        step = advance(fold, motion_of(entry, ledger.place_of(entry.draft.head) or 0))
        ledger.store(entry)
        ledger.voters = step.fold.peers
        self._learn(fold, entry)
        self._learn_public(step.fold)
        self._ledger, self._fold = ledger, step.fold
        self.frames.append(self._frame(entry, step.events, step.fold))

    def _open(self, entry: Entry) -> tuple[Ledger, Fold]:
        body = entry.body
        start = read(read_packed(body.start)) if isinstance(body, Roster) else None
        if not isinstance(body, Roster) or not isinstance(start, Start):
            raise Fault("bad-roster", entry.host)
        ledger = Ledger(match_id(read_packed(body.start)), (peer.peer for peer in start.peers))
        ledger.open_term(entry.ordered.term, entry.host)
        return ledger, Fold(from_canonical(body.rules, self._functions), ledger.match)

    def _frame(self, entry: Entry, events: tuple[TableEvent, ...], fold: Fold) -> Frame:
        kind = entry.body.__struct_config__.tag
        author = next((seat.name for seat in fold.seats if seat.owner == entry.author), entry.author.hex()[:12])
        move = getattr(entry.body, "move", "")
        return Frame(entry.seq, str(kind), author, entry.draft.hand, events, fold, move)

    def _learn_public(self, fold: Fold) -> None:
        """Note the faces that everybody can see after a record."""
        if fold.hand is not None:
            known = self._known(fold)
            known.update((slot, card) for slot, card in enumerate(fold.hand.faces) if card is not None)

    def _learn(self, before: Fold, entry: Entry) -> None:
        """Note what a record opens besides: the host's secret opens the whole deck."""
        if isinstance(entry.body, Score) and isinstance(before.deal, Transcript) and entry.body.secret:
            self._known(before).update(_opened(before.deal, entry.body.secret))

    def _known(self, fold: Fold) -> dict[int, Card]:
        return self.faces.setdefault((fold.number, fold.epoch), {})


def _opened(deal: Transcript, secret: bytes) -> Iterator[tuple[int, Card]]:
    """Yield the whole deck, as the host's secret tells it."""
    for layer in deal.layers:
        yield from ((opening.slot, Card(opening.card)) for opening in deal.lay_out(layer, secret))
