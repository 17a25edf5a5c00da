"""The table as it is to be drawn: plain data, made of what the seat sees and what its player has selected.

``scene_of`` is a pure function; everything that draws takes a ``Scene`` and knows no rule of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rummy_p2p.cards import Card
from rummy_p2p.engine import NOBODY, MatchState, Phase, View
from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.rules.position import Laid
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.language import points
from rummy_p2p.sentences.refusals import contract_words
from rummy_p2p.sentences.screen import Making, TableFacts, table_text, watching_text
from rummy_p2p.sentences.titles import label_text, title_text
from rummy_p2p.ui.room import Key
from rummy_p2p.ui.table_cards import best
from rummy_p2p.ui.table_claim import Claiming
from rummy_p2p.ui.table_moves import Fit, fits, points_of, worth
from rummy_p2p.ui.table_state import TableState
from rummy_p2p.ui.table_waiting import Gone, pause_line


class Opponent(NamedTuple):
    """The row of another player. ``state``: turn, out, missing or nothing."""

    seat: int
    name: str
    cards: int
    opened: bool
    score: str
    state: str = ""
    gone: float | None = None  # since how many seconds it cannot be reached


class Laying(NamedTuple):
    """One card of a meld on the table; ``stands_for`` is the card whose place a joker takes."""

    card: Card
    stands_for: Card | None = None


class TableMeld(NamedTuple):
    """A meld on the table (number 0: put ready and not laid), and where the selected card fits."""

    number: int
    owner: str
    kind: str
    points: int
    cards: tuple[Laying, ...]
    left: bool = False
    right: bool = False
    swap: bool = False


_SHORT_NAME: Final = 12


class HandCard(NamedTuple):
    """A card of the fan; ``meld`` numbers the melds of the hand from 0."""

    slot: int
    card: Card | None
    raised: bool = False
    focus: bool = False
    fresh: bool = False
    pointed: bool = False  # the cursor was here, and comes back here from the melds and the piles
    meld: int | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that is on the screen."""

    title: str
    status: str
    short_status: str  # with the first word of a long name
    alarm: bool
    opponents: tuple[Opponent, ...]
    stock: int
    pile: tuple[Card, ...]  # the top card last
    labels: tuple[Key | None, Key | None]  # of the stock, of the pile
    melds: tuple[TableMeld, ...]
    hand: tuple[HandCard, ...]
    hand_melds: tuple[str, ...]
    hand_title: str
    name: str
    score: str
    my_turn: bool
    out: bool
    buttons: tuple[Key, ...]
    message: str
    time: tuple[float, float] | None
    match_time: tuple[float, float] | None  # of the seat on turn, for all turns of the match
    claim: Claiming | None  # what the player may claim just now
    facts: tuple[str, ...]
    side_keys: tuple[Key, ...]
    timeline: tuple[tuple[str, str], ...]
    talks: bool  # whether anybody can be talked to
    log: tuple[str, ...]
    names: tuple[str, ...]
    rounds: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]
    outs: frozenset[int]
    zone: str
    at: int
    side: bool
    scroll: int
    pile_wanted: bool = False
    pause: str = ""  # why nothing goes on
    gone: tuple[Gone, ...] = ()
    making: Making | None = None
    lays: bool = True  # whether melds are laid before the hand ends
    no_seat: tuple[str, ...] = ()  # what is said in place of a hand to who looks on


@dataclass(frozen=True, slots=True)
class Around:
    """What a scene is made of besides the view and the player's own state."""

    names: Sequence[str]
    match: MatchState | None
    facts: TableFacts
    buttons: tuple[Key, ...]
    labels: tuple[Key | None, Key | None]
    side_keys: tuple[Key, ...]
    message: str
    now: float
    gone: tuple[Gone, ...] = ()
    claim: Claiming | None = None


def scene_of(view: View, state: TableState, around: Around) -> Scene:
    """Return the table as it is to be drawn."""
    hand, match, names = view.state, around.match, around.names
    me = view.seat
    return Scene(
        title=_title(hand.rules, around),
        status=_status(around.facts, clean(around.facts.host, NICK_LIMIT)),
        short_status=_status(around.facts, _short(clean(around.facts.host, NICK_LIMIT))),
        alarm=bool(around.facts.missing or around.facts.wants_pause or around.facts.agreed)
        or around.facts.audit not in ("", "ok"),
        opponents=tuple(_opponent(view, around, seat) for seat in _others(view)),
        stock=len(hand.stock),
        pile=tuple(card for slot in hand.pile if (card := view.card(slot)) is not None),
        labels=around.labels,
        melds=_melds(view, state, names),
        hand=_hand(view, state),
        hand_melds=_hand_melds(view),
        hand_title=_hand_title(view, state),
        name=around.facts.looks_on if me == NOBODY else name_of(names, me),
        score="" if me == NOBODY else score_of(match, hand.rules, me),
        my_turn=is_my_turn(view) and not around.facts.why,
        out=me != NOBODY and not hand.playing[me],
        buttons=around.buttons,
        message=around.message,
        time=state.time_left(hand, around.now),
        match_time=state.match_left(hand, hand.turn, around.now),
        claim=around.claim,
        facts=rule_facts(hand.rules, hand.round_index),
        side_keys=around.side_keys,
        timeline=tuple(state.heard()),
        talks=around.facts.place == "lan",
        log=tuple(state.log),
        names=tuple(name_of(names, seat) for seat in range(hand.seats)),
        rounds=tuple(state.rounds),
        scores=(0,) * hand.seats if match is None else match.scores,
        outs=frozenset() if match is None else match.out,
        zone=state.zone,
        at=state.at[state.zone],
        side=state.side,
        scroll=state.scroll,
        pause=around.facts.why,
        gone=waited_for(around.facts, around.gone),
        making=around.facts.making,
        lays=hand.rules.lay == "in-play",
        no_seat=_no_seat(around.facts) if me == NOBODY else (),
    )


def _no_seat(facts: TableFacts) -> tuple[str, ...]:
    """Return that there is no hand, and how one gets a seat."""
    return table_text("looks-on-sees"), table_text("looks-on-waits" if facts.wants_seat else "looks-on-sit")


def waited_for(facts: TableFacts, gone: Sequence[Gone]) -> tuple[Gone, ...]:
    """Return those of the players who are gone for whom the table waits."""
    return tuple(one for one in gone if one.name in facts.missing)


def waiting_line(facts: TableFacts, gone: Sequence[Gone]) -> str:
    """Return for whom the table waits, or that everybody wants it to wait, and the way out."""
    return table_text("pause-agreed") if facts.agreed else pause_line(waited_for(facts, gone))


def is_my_turn(view: View) -> bool:
    """Whether the table waits for this seat."""
    return view.on_turn and view.state.phase not in (Phase.DEALING, Phase.COUNT, Phase.OVER)


def name_of(names: Sequence[str], seat: int) -> str:
    """Return a player's name, fit to be shown."""
    return clean(names[seat], NICK_LIMIT) if 0 <= seat < len(names) else str(seat + 1)


def score_of(match: MatchState | None, rules: Ruleset, seat: int) -> str:
    """Return ``42/100``, or the total alone where no number ends the match."""
    total = 0 if match is None or seat >= len(match.scores) else match.scores[seat]
    end = rules.match.limit or rules.match.target
    return f"{total}/{end}" if end else str(total)


def rule_facts(rules: Ruleset, round_index: int) -> tuple[str, ...]:
    """Return what of the rules stands at the side, in a few words each; behind a NUL in more, where there is room."""
    end = rules.match
    found = []
    if end.limit:
        found.append(table_text("limit", n=end.limit))
    elif end.target:
        found.append(table_text("target", n=end.target))
    elif end.deals:
        found.append(table_text("deals", n=end.deals))
    if rules.rounds:
        contract = rules.rounds[min(round_index, len(rules.rounds) - 1)].contract
        short = table_text("contract", contract="+".join(contract))
        found.append(f"{short}\0{table_text('contract', contract=contract_words(contract))}")
    elif rules.opening.points:
        found.append(table_text("open", n=rules.opening.points))
    if rules.scoring.take_all_factor > 1:
        found.append(table_text("take-all", n=rules.scoring.take_all_factor))
    if rules.claim.kind != "none":
        found.append(table_text("call-on", label=label_text(rules.labels.call)))
    return tuple(found)


def _title(rules: Ruleset, around: Around) -> str:
    game = title_text(rules)
    title = clean(around.facts.title, 40)
    number = 1 if around.match is None else around.match.hand_number
    parts = [*([title] if title and title != game else []), game, table_text("round", n=number)]
    return "\0".join(parts)


def _short(name: str) -> str:
    """Return a long name by its first word."""
    return name if len(name) <= _SHORT_NAME else name.split(maxsplit=1)[0][:_SHORT_NAME]


def _status(facts: TableFacts, host: str) -> str:
    if facts.missing:
        return table_text("missing", names=", ".join(clean(name, NICK_LIMIT) for name in facts.missing))
    if facts.agreed:
        return table_text("pause-status")
    if facts.wants_pause:
        return table_text("pause-wanted", names=", ".join(clean(name, NICK_LIMIT) for name in facts.wants_pause))
    if facts.place == "here":
        return table_text("here")
    host = table_text("host", name=host) if host else table_text("no-host")
    audit = {"": "", "ok": table_text("audit-ok")}.get(facts.audit, table_text("audit-bad"))
    deal = table_text("deal-blind") if facts.deal == "blind" else table_text("deal-host")
    return "\0".join(part for part in (host, deal, audit, watching_text(facts.watching)) if part)


def _others(view: View) -> list[int]:
    """Return the other seats in the order of play after this one; all of them to who has none."""
    seats = view.state.seats
    if view.seat == NOBODY:
        return list(range(seats))
    return [(view.seat + step) % seats for step in range(1, seats)]


def _opponent(view: View, around: Around, seat: int) -> Opponent:
    hand, name = view.state, name_of(around.names, seat)
    state = ""
    gone = next((one.seconds for one in around.gone if clean(one.name, NICK_LIMIT) == name), None)
    if not hand.playing[seat]:
        state = "out"
    elif gone is not None or name in around.facts.missing:
        state = "missing"
    elif hand.turn == seat and hand.phase not in (Phase.DEALING, Phase.COUNT, Phase.OVER):
        state = "turn"
    score = score_of(around.match, hand.rules, seat)
    return Opponent(seat, name, len(hand.hands[seat]), hand.opened[seat], score, state, gone)


def _melds(view: View, state: TableState, names: Sequence[str]) -> tuple[TableMeld, ...]:
    card = state.one_card(view)
    places = fits(view, card) if card is not None else ()
    laid = [_meld(view, number, laid, places, names) for number, laid in enumerate(view.state.table, 1)]
    ready = [
        TableMeld(
            0,
            "",
            "",
            points_of(view, (pieces,)),
            tuple(Laying(piece.card, _face(piece.stands_for)) for piece in pieces),
        )
        for pieces in state.staged
    ]
    return (*laid, *ready)


def _meld(view: View, number: int, laid: Laid, places: Sequence[Fit], names: Sequence[str]) -> TableMeld:
    meld, here = laid.meld, [fit for fit in places if fit.number == number]
    cards = tuple(
        Laying(card, _face(meld.stands_for(index)) if card.is_joker else None) for index, card in enumerate(meld.cards)
    )
    return TableMeld(
        number,
        name_of(names, laid.owner),
        table_text(meld.kind),
        worth(view, meld),
        cards,
        left=any(fit.side == "left" and not fit.swap for fit in here),
        right=any(fit.side in ("right", None) and not fit.swap for fit in here),
        swap=any(fit.swap for fit in here),
    )


def _face(face: int | None) -> Card | None:
    return None if face is None or face >= 52 else Card.of(face)


def _hand(view: View, state: TableState) -> tuple[HandCard, ...]:
    melded = {card: n for n, meld in enumerate(best(view.hand, view.state.rules).melds) for card in meld.cards}
    focused = state.focused(view)
    return tuple(
        HandCard(
            slot,
            card,
            raised=slot in state.selected,
            focus=slot == focused and state.zone == "hand",
            pointed=slot == focused,
            fresh=slot in state.fan.fresh,
            meld=None if card is None else melded.get(card),
        )
        for slot in state.loose(view)
        for card in [view.card(slot)]
    )


def _hand_melds(view: View) -> tuple[str, ...]:
    melds = best(view.hand, view.state.rules).melds
    return tuple(f"{table_text(meld.kind)} {worth(view, meld)}" for meld in melds)


def _hand_title(view: View, state: TableState) -> str:
    if view.seat == NOBODY:
        return table_text("looks-on")
    found = best(view.hand, view.state.rules)
    mode = state.fan.mode
    order = table_text("by-hand") if mode == "manual" else table_text("sorted", mode=table_text(f"mode-{mode}"))
    if mode != "manual" and state.fan.fresh:
        order = table_text("new-last", mode=table_text(f"mode-{mode}"))
    count = table_text("hand", n=len(view.slots))
    return "\0".join((count, order, table_text("outside", points=points(found.deadwood))))
