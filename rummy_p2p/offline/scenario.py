"""Scenario files: a position in TOML, moves, and what must come of it.

A position is laid out over the slots of a scripted deck: hands, stock, pile and table as named, every card that is
named nowhere at the end of the stock in pack order. Before the draw the top of the pile is what the seat before has
discarded, so that it can be claimed. Comparisons are by face unless a copy mark is written. The structs below are the
format: a table or a key that they do not have is an error.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import msgspec

from rummy_p2p.cards import Card, CardError, pack
from rummy_p2p.engine import (
    HandState,
    IllegalAction,
    KnobFailed,
    MatchState,
    ParseError,
    Phase,
    parse_action,
    read_action,
    start_match,
)
from rummy_p2p.melds import Meld, MeldError, Piece, read_meld
from rummy_p2p.offline.game import Game, with_scores
from rummy_p2p.rules.actions import Lay
from rummy_p2p.rules.position import Laid
from rummy_p2p.ruleset import Ruleset, RulesetError
from rummy_p2p.variants.manager import Catalogue

_Value = TypeVar("_Value")


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of the tables of a scenario file."""


class TableMeld(_Strict, frozen=True):
    """A meld that lies on the table beforehand."""

    owner: str
    cards: str


class Deal(_Strict, frozen=True):
    """Where the cards lie."""

    stock: str = ""
    pile: str = ""
    table: tuple[TableMeld, ...] = ()
    opened: tuple[str, ...] = ()
    scores: dict[str, int] = {}
    hands: dict[str, str] = {}


class Expect(_Strict, frozen=True):
    """What must hold in the end; every key is optional."""

    turn: str | None = None
    phase: str | None = None
    hands: dict[str, str] | None = None
    hand_size: dict[str, int] | None = None
    table: tuple[str, ...] | None = None
    pile: str | None = None
    stock: int | None = None
    points: dict[str, int] | None = None
    scores: dict[str, int] | None = None
    out: tuple[str, ...] | None = None
    hand_over: bool | None = None
    match_over: bool | None = None
    winner: str | tuple[str, ...] | None = None
    dealer: str | None = None


class Scenario(_Strict, frozen=True):
    """One file. ``refused`` at the top: setting the table up must be refused with this code."""

    game: str
    seats: tuple[str, ...]
    house: tuple[str, ...] = ()
    title: str = ""
    first: str | None = None
    dealer: str | None = None
    round: Annotated[int, msgspec.Meta(ge=1)] = 1
    phase: Literal["draw", "play", "offer"] = "draw"
    deal: Deal = Deal()
    step: tuple[dict[str, str], ...] = ()
    expect: Expect = Expect()
    refused: str | None = None


class Outcome(msgspec.Struct, frozen=True):
    """How a file fared; ``step`` counts from 1, 0 is the set-up, None the expectations."""

    file: str
    ok: bool
    step: int | None = None
    expected: str | None = None
    got: str | None = None


class Mismatch(Exception):
    """Something came out otherwise than the file says."""

    def __init__(self, expected: object, got: object, step: int | None = None) -> None:
        """Keep both sides as text."""
        super().__init__(f"expected {expected}, got {got}")
        self.expected = str(expected)
        self.got = str(got)
        self.step = step


def scenario_files(paths: Iterable[Path]) -> list[Path]:
    """Return the files, folders replaced by the scenarios (``*.toml``) below them."""
    found: list[Path] = []
    for path in paths:
        found += [file for file in sorted(path.rglob("*.toml")) if _may_be_one(file)] if path.is_dir() else [path]
    return found


def _may_be_one(path: Path) -> bool:
    """Whether a file names seats or steps (a house rule beside it does not), or cannot be read: that must be told."""
    try:
        return not {"seats", "step"}.isdisjoint(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return True


def run_file(path: Path, catalogue: Catalogue) -> Outcome:
    """Play one file; whatever is wrong with it is an outcome that says so."""
    try:
        scenario = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Scenario)
        play(scenario, catalogue)
    except Mismatch as miss:
        return Outcome(str(path), ok=False, step=miss.step, expected=miss.expected, got=miss.got)
    except (OSError, ValueError) as error:  # not to be read, not UTF-8, not TOML, not of this format
        return Outcome(str(path), ok=False, step=0, expected="a scenario file", got=str(error))
    return Outcome(str(path), ok=True)


def play(scenario: Scenario, catalogue: Catalogue) -> Game | None:
    """Set the position up, carry the steps out, compare; raises Mismatch. Returns the game for a closer look."""
    game = _set_up(scenario, catalogue)
    if game is None:
        return None
    for number, step in enumerate(scenario.step, 1):
        _carry_out(game, scenario, number, step)
    _compare(game, scenario)
    return game


def _set_up(scenario: Scenario, catalogue: Catalogue) -> Game | None:
    got, sentence, game = None, "", None
    try:
        game = position(scenario, catalogue.compile(scenario.game, scenario.house))
    except (IllegalAction, RulesetError) as error:
        got, sentence = error.code, str(error)
    if got != scenario.refused:
        raise Mismatch(scenario.refused or "accepted", f"{got}: {sentence}" if got else "accepted", 0)
    return game


def position(scenario: Scenario, rules: Ruleset) -> Game:
    """Return a game at the position that a scenario describes; ``invalid-deal`` when it is none."""
    seats = _Seats(scenario.seats)
    match = _match(scenario, rules, seats)
    layout = _Layout(rules, scenario, seats)
    hand = _hand(scenario, rules, seats, match, layout)
    game = Game(rules, match)
    game.place(hand, layout.order)
    return game


class _Seats:
    """Seat letters and their numbers."""

    def __init__(self, letters: Sequence[str]) -> None:
        self.letters = tuple(letters)
        if len(set(letters)) != len(letters):
            raise IllegalAction("invalid-deal", "seats")

    def number(self, letter: str) -> int:
        if letter not in self.letters:
            raise IllegalAction("invalid-deal", "seats", seat=letter)
        return self.letters.index(letter)

    def flags(self, letters: Iterable[str]) -> tuple[bool, ...]:
        named = {self.number(letter) for letter in letters}
        return tuple(seat in named for seat in range(len(self.letters)))


def _match(scenario: Scenario, rules: Ruleset, seats: _Seats) -> MatchState:
    count = len(seats.letters)
    first = seats.number(scenario.first) if scenario.first else 0
    dealer = seats.number(scenario.dealer) if scenario.dealer else (first - 1) % count
    match = start_match(rules, count, dealer)
    scores = [0] * count
    for letter, score in scenario.deal.scores.items():
        scores[seats.number(letter)] = score
    return msgspec.structs.replace(with_scores(match, scores), hand_number=scenario.round)


class _Layout:
    """The deck of a scenario: which card lies in which slot, and where each named group begins."""

    def __init__(self, rules: Ruleset, scenario: Scenario, seats: _Seats) -> None:
        deal = scenario.deal
        self.free = list(pack(rules.deck.packs, rules.deck.jokers))
        self.order: list[Card] = []
        self.pieces = [self._pieces(meld.cards) for meld in deal.table]
        self.melds = [self._meld(pieces, rules) for pieces in self.pieces]
        for pieces in self.pieces:
            self._lay([piece.card for piece in pieces])
        named = {seats.number(letter): cards for letter, cards in deal.hands.items()}
        self.hands = tuple(self._lay(self._cards(named.get(seat, ""))) for seat in range(len(seats.letters)))
        self.pile = self._lay(self._cards(deal.pile))
        stock = self._lay(self._cards(deal.stock))
        self.stock = (*stock, *self._lay(list(self.free)))

    def _lay(self, cards: Sequence[Card]) -> tuple[int, ...]:
        first = len(self.order)
        self.order += cards
        return tuple(range(first, len(self.order)))

    def _cards(self, text: str) -> list[Card]:
        return [self._claim(word) for word in text.split()]

    def _claim(self, word: str) -> Card:
        """Take a card out of the pack: exactly the copy that is written, otherwise the first that is free."""
        try:
            card = Card.parse(word)
        except CardError:
            raise IllegalAction("invalid-deal", card=word) from None
        free = [own for own in self.free if own == card or (own.face == card.face and not word.endswith("'"))]
        if not free:
            raise IllegalAction("invalid-deal", card=word)
        self.free.remove(free[0])
        return free[0]

    def _pieces(self, text: str) -> tuple[Piece, ...]:
        """Take the cards of one meld out of the pack; they are written as in a move."""
        try:
            lay = parse_action(f"meld {text}", self.free)
        except ParseError as error:
            raise IllegalAction("invalid-deal", cards=text) from error
        if not isinstance(lay, Lay) or len(lay.melds) != 1:
            raise IllegalAction("invalid-deal", cards=text)
        for card in lay.cards():
            if card not in self.free:
                raise IllegalAction("invalid-deal", card=str(card))
            self.free.remove(card)
        return lay.melds[0]

    def _meld(self, pieces: tuple[Piece, ...], rules: Ruleset) -> Meld:
        try:
            return read_meld(_by_position(pieces, rules), rules.melds)
        except MeldError as error:
            raise IllegalAction("invalid-deal", cards=" ".join(map(str, pieces))) from error


def _by_position(pieces: tuple[Piece, ...], rules: Ruleset) -> tuple[Piece, ...]:
    """Declare undeclared jokers of a run by where they are written (``9s JK Js``), when that makes a meld."""
    naturals = [(i, piece.card) for i, piece in enumerate(pieces) if not piece.card.is_joker]
    if len({card.suit for _, card in naturals}) != 1 or len({card.rank for _, card in naturals}) == 1:
        return pieces
    place, card = naturals[0]
    lows = [card.rank - place] + ([14 - place] if card.rank == 1 else [])
    for low in lows:
        if low < 1 or low + len(pieces) - 1 > 14:
            continue
        written = tuple(
            Piece(piece.card, card.suit * 13 + (low + i - 1) % 13) if piece.card.is_joker else piece
            for i, piece in enumerate(pieces)
        )
        try:
            if read_meld(written, rules.melds).low == low:
                return written
        except MeldError:
            continue
    return pieces


def _hand(scenario: Scenario, rules: Ruleset, seats: _Seats, match: MatchState, layout: _Layout) -> HandState:
    count = len(seats.letters)
    turn = seats.number(scenario.first) if scenario.first else 0
    phase = _phase(scenario, rules, layout)
    claimable = phase is Phase.DRAW and bool(layout.pile) and rules.claim.kind != "none"
    owners = [seats.number(meld.owner) for meld in scenario.deal.table]
    down = seats.flags([*scenario.deal.opened, *(meld.owner for meld in scenario.deal.table)])
    hidden = {slot for hand in layout.hands for slot in hand} | set(layout.stock)
    return HandState(
        rules=rules,
        seats=count,
        dealer=match.dealer,
        playing=(True,) * count,
        round_index=min(scenario.round, max(1, len(rules.rounds))) - 1,
        phase=phase,
        turn=turn,
        stock=layout.stock,
        pile=layout.pile,
        hands=layout.hands,
        table=tuple(Laid(owner, meld) for owner, meld in zip(owners, layout.melds, strict=True)),
        faces=tuple(None if slot in hidden else card for slot, card in enumerate(layout.order)),
        opened=down,
        down=down,
        was_down=down[turn],
        ready=(False,) * count,
        discarder=(turn - 1) % count if claimable else None,
        claim="open" if claimable else "none",
        laid_points=(0,) * count,
    )


def _phase(scenario: Scenario, rules: Ruleset, layout: _Layout) -> Phase:
    """Return where the hand stands: with the offer of the upcard when it has just been dealt and the rules have one."""
    dealt = scenario.phase == "draw" and len(layout.pile) == 1 and not layout.melds
    return Phase.OFFER if dealt and rules.draw.first_upcard_offer else Phase(scenario.phase)


def _carry_out(game: Game, scenario: Scenario, number: int, step: Mapping[str, str]) -> None:
    wanted = step.get("refused")
    moves = [(letter, text) for letter, text in step.items() if letter != "refused"]
    if len(moves) != 1:
        raise Mismatch("one seat and its move", dict(step), number)
    letter, text = moves[0]
    if letter not in scenario.seats:
        raise Mismatch(f"a seat of {', '.join(scenario.seats)}", letter, number)
    got = _refusal(game, scenario.seats.index(letter), text)
    if got != wanted:
        raise Mismatch(wanted or "accepted", got or "accepted", number)


def _refusal(game: Game, seat: int, text: str) -> str | None:
    """Carry a move out; return the code with which it was refused, None when it was accepted."""
    try:
        if text.strip().lower() == "time-out":
            game.time_out(seat)
        else:
            game.act(seat, read_action(text, game.view(seat)))
    except ParseError:
        return "parse-error"
    except IllegalAction as refusal:
        return refusal.code
    except KnobFailed as failure:
        return str(failure)
    return None


def _compare(game: Game, scenario: Scenario) -> None:
    wanted = msgspec.structs.asdict(scenario.expect)
    actual = _Actual(game, scenario)
    for key, value in wanted.items():
        if value is None:
            continue
        expected, got = getattr(actual, key)(value)
        if expected != got:
            raise Mismatch(f"{key} {expected}", f"{key} {got}")


class _Actual:
    """What has come of it; each method is named for a key of [expect] and returns (expected, actual) to compare."""

    def __init__(self, game: Game, scenario: Scenario) -> None:
        if game.hand is None:
            raise Mismatch("a hand", "none")
        self.game = game
        self.hand: HandState = game.hand
        self.letters = scenario.seats

    def turn(self, wanted: str) -> tuple[object, object]:
        return wanted, self.letters[self.hand.turn]

    def dealer(self, wanted: str) -> tuple[object, object]:
        return wanted, self.letters[self.game.match.dealer]

    def phase(self, wanted: str) -> tuple[object, object]:
        return wanted, str(self.hand.phase)

    def hands(self, wanted: dict[str, str]) -> tuple[object, object]:
        return self._by_seat(wanted, lambda seat, text: _faces(text, [str(card) for card in self.game.view(seat).hand]))

    def hand_size(self, wanted: dict[str, int]) -> tuple[object, object]:
        return wanted, {letter: len(self.hand.hands[self._seat(letter)]) for letter in wanted}

    def table(self, wanted: tuple[str, ...]) -> tuple[object, object]:
        melds = [laid.meld for laid in self.hand.table]
        pairs = [
            _faces(text, str(meld).split(), ordered=meld.kind == "run")
            for text, meld in zip(wanted, melds, strict=False)
        ]
        rest = [str(meld) for meld in melds[len(pairs) :]]
        return [one for one, _ in pairs] + list(wanted[len(pairs) :]), [other for _, other in pairs] + rest

    def pile(self, wanted: str) -> tuple[object, object]:
        return _faces(wanted, [str(self.hand.faces[slot]) for slot in self.hand.pile], ordered=True)

    def stock(self, wanted: int) -> tuple[object, object]:
        return wanted, len(self.hand.stock)

    def points(self, wanted: dict[str, int]) -> tuple[object, object]:
        points = self.hand.points or self._laid()
        return wanted, {letter: points[self._seat(letter)] for letter in wanted}

    def _laid(self) -> tuple[int, ...]:
        """What a hand that is being played has brought so far, where cards count as they are laid."""
        counts = self.hand.rules.scoring.kind == "meld-points" and not self.hand.over
        return self.hand.laid_points if counts else (0,) * self.hand.seats

    def scores(self, wanted: dict[str, int]) -> tuple[object, object]:
        totals = [total + laid for total, laid in zip(self.game.match.scores, self._laid(), strict=True)]
        return wanted, {letter: totals[self._seat(letter)] for letter in wanted}

    def out(self, wanted: tuple[str, ...]) -> tuple[object, object]:
        return sorted(wanted), sorted(self.letters[seat] for seat in self.game.match.out)

    def hand_over(self, wanted: bool) -> tuple[object, object]:  # noqa: FBT001 - named for the key, called by name
        return wanted, self.hand.over

    def match_over(self, wanted: bool) -> tuple[object, object]:  # noqa: FBT001 - named for the key, called by name
        return wanted, self.game.match.over

    def winner(self, wanted: str | tuple[str, ...]) -> tuple[object, object]:
        if self.game.match.over:
            winners = [self.letters[seat] for seat in self.game.match.winners]
        else:
            winners = [] if self.hand.winner is None else [self.letters[self.hand.winner]]
        names = [wanted] if isinstance(wanted, str) and wanted else list(wanted)
        return sorted(names), sorted(winners)

    def _by_seat(
        self, wanted: Mapping[str, _Value], pair: Callable[[int, _Value], tuple[str, str]]
    ) -> tuple[object, object]:
        pairs = {letter: pair(self._seat(letter), value) for letter, value in wanted.items()}
        return {letter: one for letter, (one, _) in pairs.items()}, {letter: got for letter, (_, got) in pairs.items()}

    def _seat(self, letter: str) -> int:
        if letter not in self.letters:
            raise Mismatch(f"a seat of {', '.join(self.letters)}", letter)
        return self.letters.index(letter)


def _faces(wanted: str, actual: Sequence[str], *, ordered: bool = False) -> tuple[str, str]:
    """Return two texts to compare, equal when the cards agree: copies and joker places count where they are written."""
    words = wanted.split()
    if len(words) != len(actual):
        return wanted, " ".join(actual)
    left = list(actual)
    for word in words if ordered else sorted(words, key=lambda word: "'" not in word):
        found = next((got for got in (left[:1] if ordered else left) if _agrees(word, got)), None)
        if found is None:
            return wanted, " ".join(actual)
        left.remove(found)
    return wanted, wanted


def _agrees(wanted: str, actual: str) -> bool:
    """Whether a card as the program writes it is the one that an expectation names."""
    (name, equals, face), (got, _, place) = wanted.partition("="), actual.partition("=")
    try:
        card, other = Card.parse(name), Card.parse(got)
        agrees = card == other if name.endswith("'") else card.face == other.face
        return agrees and (not equals or str(Card.parse(face)) == place)
    except CardError:
        raise Mismatch("a card", wanted) from None
