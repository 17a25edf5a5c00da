"""Legality: the only home of "why not".

``verify_*`` raises IllegalAction with a code of the closed list, the path of the knob that demands it, and parameters
for the sentence; it returns what it has worked out, so that the engine need not do so again. When several codes apply,
the first of ``CODES`` is given. The faces that a verify function needs must be attached to the position: on a peer that
applies a record they have been opened with it, on the actor's own side they come from its hand.
"""

from __future__ import annotations

from typing import Final

from rummy_p2p.arrange import lay_all
from rummy_p2p.cards import Card, cards_text
from rummy_p2p.melds import Meld, MeldError, Piece, Side, fitting_faces, grow, read_meld, swap_joker
from rummy_p2p.rules.actions import Add, Call, Discard, Knock, Lay, Swap, Take
from rummy_p2p.rules.functions import ask_function, laid_points
from rummy_p2p.rules.position import DRAW, LAY_OFF, OFFER, HandState
from rummy_p2p.rules.scoring import cards_left, hand_points
from rummy_p2p.ruleset import Ruleset

CODES: Final = (
    "parse-error", "match-over", "gin-no-layoff", "hand-over", "not-your-turn",
    "draw-first", "already-drawn", "must-discard-last", "must-lay-all",
    "not-in-hand", "not-that-joker", "no-joker", "no-such-meld",
    "option-off", "stock-empty", "pile-empty", "no-claim-open", "claim-own-discard", "claim-too-late",
    "around-the-corner", "duplicate-card", "too-many-jokers", "too-few-naturals", "joker-place", "not-a-meld",
    "does-not-fit", "ambiguous-place",
    "open-first", "opening-minimum", "contract-not-met", "knock-limit", "cannot-knock",
    "may-not-return", "must-use-taken", "nothing-to-use-it-for", "would-leave-no-discard",
    "invalid-deal", "rule-conflict", "unknown-rule", "bad-option",
)  # fmt: skip


class IllegalAction(ValueError):
    """The action is not allowed now, and nothing has changed. ``code`` is one of CODES."""

    def __init__(self, code: str, knob: str = "", **parameters: object) -> None:
        """Keep the code, the knob that demands it, and what the sentence needs."""
        super().__init__(code)
        self.code = code
        self.knob = knob
        self.parameters = parameters


def first_of(codes: list[IllegalAction]) -> IllegalAction:
    """Return the refusal that comes first in the closed list."""
    return min(codes, key=lambda refusal: CODES.index(refusal.code))


def slots_of(state: HandState, seat: int, cards: tuple[Card, ...]) -> tuple[int, ...]:
    """Return the slots of cards in a seat's hand; not-in-hand when one is not there or is named too often."""
    found: list[int] = []
    for card in cards:
        slot = slot_of(state, seat, card)
        if slot in found:
            raise IllegalAction("not-in-hand", card=str(card))
        found.append(slot)
    return tuple(found)


def slot_of(state: HandState, seat: int, card: Card) -> int:
    """Return the slot of a card in a seat's hand; not-in-hand when it is not there."""
    slot = state.slot_in_hand(seat, card)
    if slot is None:
        raise IllegalAction("not-in-hand", card=str(card))
    return slot


def verify_draw(state: HandState) -> bool:
    """Check that a card can be drawn from the stock; return whether the pile must be shuffled into a stock first."""
    knob = state.rules.stock_out
    if knob.what == "void" and len(state.stock) <= knob.at:
        raise IllegalAction("stock-empty", "stock_out.at")
    if state.stock:
        return False
    if not can_reshuffle(state):
        raise IllegalAction("stock-empty", "stock_out.what", turn_over=can_turn_over(state), top=_shown(state.top()))
    return True


def can_reshuffle(state: HandState) -> bool:
    """Whether a draw from the empty stock would shuffle the pile without its top into a new one."""
    knob = state.rules.stock_out
    return knob.what == "reshuffle" and len(state.pile) > 1 and state.shuffles < knob.max_times


def can_turn_over(state: HandState) -> bool:
    """Whether the pile may be turned over now."""
    knob = state.rules.stock_out
    return knob.what == "turn-over" and not state.stock and bool(state.pile) and state.shuffles < knob.max_times


def verify_turn_over(state: HandState) -> None:
    """Check that the pile may become the stock."""
    knob = state.rules.stock_out
    if knob.what != "turn-over":
        raise IllegalAction("option-off", "stock_out.what")
    if state.stock:
        raise IllegalAction("option-off", "stock_out.what", stock=len(state.stock))
    if state.shuffles >= knob.max_times:
        raise IllegalAction("stock-empty", "stock_out.max_times", times=knob.max_times)
    if not state.pile:
        raise IllegalAction("pile-empty")


def verify_take(state: HandState, action: Take) -> None:
    """Check that so many cards may be taken from the pile."""
    if state.phase is DRAW and state.declined and state.discarder is None:
        raise IllegalAction("option-off", "draw.first_upcard_offer")
    if action.count > 1 and state.rules.draw.pile != "many":
        raise IllegalAction("option-off", "draw.pile", count=action.count)
    if not 1 <= action.count <= len(state.pile):
        raise IllegalAction("pile-empty", "draw.pile", count=action.count, pile=len(state.pile))


def can_pass(state: HandState) -> bool:
    """Whether declining is possible: the first upcard is offered, or there is nothing but the discard to draw."""
    knob = state.rules.stock_out
    if knob.what == "void" and len(state.stock) <= knob.at:
        return True
    stuck = not state.stock and not can_reshuffle(state) and not can_turn_over(state)
    return stuck or state.phase is OFFER


def verify_pass(state: HandState) -> None:
    """Check that declining is possible."""
    if not can_pass(state):
        raise IllegalAction("option-off", "stock_out.what")


def verify_lay(state: HandState, seat: int, action: Lay) -> tuple[Meld, ...]:
    """Check new melds and return them."""
    rules = state.rules
    everything = _names_whole_hand(state, seat, action.cards())
    if going_out(state) == "must-discard" and everything:
        raise IllegalAction("must-discard-last", "going_out.how")
    if going_out(state) == "all-at-once" and not everything:
        raise IllegalAction("must-lay-all", "going_out.how", cards=len(action.cards()))
    slots = slots_of(state, seat, action.cards())
    if rules.lay == "at-knock":
        raise IllegalAction("option-off", "lay")
    if state.opened[seat] and not rules.opening.further_melds:
        raise IllegalAction("option-off", "opening.further_melds")
    melds = _read_all(action.melds, rules)
    if not state.opened[seat]:
        _verify_opening(state, seat, melds, len(state.hands[seat]) - len(slots))
    _verify_uses_owed(state, slots)
    _verify_discard_left(state, seat, slots, (*_melds(state), *melds), opened=True)
    return melds


def _names_whole_hand(state: HandState, seat: int, cards: tuple[Card, ...]) -> bool:
    return all(state.faces[slot] in cards for slot in state.hands[seat])


def _melds(state: HandState) -> tuple[Meld, ...]:
    return tuple(laid.meld for laid in state.table)


def _verify_opening(state: HandState, seat: int, melds: tuple[Meld, ...], left: int) -> None:
    rules = state.rules
    opens = ask_function(rules, "may_open", melds)
    if opens is not None and not opens:
        raise IllegalAction("opening-minimum", "functions.may_open")
    if rules.opening.waived_when_going_out and left <= 1:
        return
    if rules.rounds and not rules.opening.points:
        wanted = rules.rounds[state.round_index].contract
        if not meets_contract(melds, wanted, rules):
            raise IllegalAction("contract-not-met", "rounds", contract=wanted)
        return
    points = sum(laid_points(meld, rules) for meld in melds)
    if rules.opening.layoffs_count:
        points += state.laid_points[seat] - state.laid_before
    if points < rules.opening.points:
        raise IllegalAction("opening-minimum", "opening.points", points=points, minimum=rules.opening.points)


def meets_contract(melds: tuple[Meld, ...], contract: str, rules: Ruleset) -> bool:
    """Whether the melds are what the contract asks for; a run of eight may serve as two runs of four."""
    sets = sum(meld.kind == "set" for meld in melds)
    runs = [meld for meld in melds if meld.kind == "run"]
    parts = sum(len(meld.cards) // rules.melds.run_min for meld in runs)
    return sets == contract.count("3") and len(runs) <= contract.count("4") <= parts


def going_out(state: HandState) -> str:
    """Return how this hand is won: the knob, or what the round says instead."""
    if state.rules.rounds and (special := state.rules.rounds[state.round_index].go_out):
        return special
    return state.rules.going_out.how


def _verify_uses_owed(state: HandState, slots: tuple[int, ...]) -> None:
    """Refuse any other move while a card from the pile must be used by the very next one."""
    if state.rules.draw.must_use == "next-action" and state.owed is not None and state.owed not in slots:
        raise IllegalAction("must-use-taken", "draw.must_use", card=_shown(state.faces[state.owed]))


def _verify_discard_left(
    state: HandState, seat: int, gone: tuple[int, ...], table: tuple[Meld, ...], *, opened: bool
) -> None:
    """Refuse when all that stays in hand was taken from the pile this turn, may not go back and cannot be laid."""
    left = [slot for slot in state.hands[seat] if slot not in gone]
    if not left or any(may_discard(state, slot, len(left)) for slot in left):
        return
    cards = [card for slot in left if (card := state.faces[slot]) is not None]
    if going_out(state) == "may-lay":
        rest = lay_all(cards, state.rules, table=table, discard=False, round_index=state.round_index, opened=opened)
        if rest is not None:
            return
    raise IllegalAction("would-leave-no-discard", "draw.may_return", card=str(cards[0]))


def may_discard(state: HandState, slot: int, hand_size: int) -> bool:
    """Whether the slot may be discarded as far as cards taken from the pile this turn are concerned."""
    draw = state.rules.draw
    if slot not in state.taken or draw.may_return:
        return True
    if draw.must_use == "no" or len(state.taken) == 1 or slot == state.owed:
        return False
    return draw.other_taken == "free" or hand_size <= len([s for s in state.taken if s in state.hands[state.turn]])


def _read_all(melds: tuple[tuple[Piece, ...], ...], rules: Ruleset) -> tuple[Meld, ...]:
    read: list[Meld] = []
    refusals: list[IllegalAction] = []
    for pieces in melds:
        try:
            read.append(read_meld(pieces, rules.melds))
        except MeldError as error:
            text = cards_text([piece.card for piece in pieces])
            refusals.append(IllegalAction(error.code, error.knob, cards=text, size=len(pieces)))
    if refusals:
        raise first_of(refusals)
    return tuple(read)


def verify_add(state: HandState, seat: int, action: Add) -> tuple[int, Meld]:
    """Check a lay-off; return the index of the table meld and what it becomes."""
    rules = state.rules
    how = going_out(state)
    if how == "must-discard" and _names_whole_hand(state, seat, action.cards()):
        raise IllegalAction("must-discard-last", "going_out.how")
    if how == "all-at-once" and not state.opened[seat]:
        raise IllegalAction("must-lay-all", "going_out.how")
    slots = slots_of(state, seat, action.cards())
    if action.number > len(state.table):
        raise IllegalAction("no-such-meld", number=action.number, melds=len(state.table))
    after_knock = state.phase is LAY_OFF
    if rules.lay_off == "never" or (rules.lay_off == "after-knock") != after_knock:
        raise IllegalAction("option-off", "lay_off")
    index, grown = _choose_meld(state, action)
    if after_knock:
        return index, grown
    if rules.lay_off == "after-opening" and not state.opened[seat]:
        raise IllegalAction("open-first", "lay_off")
    _verify_uses_owed(state, slots)
    table = _melds(state)
    after = (*table[:index], grown, *table[index + 1 :])
    _verify_discard_left(state, seat, slots, after, opened=state.opened[seat])
    return index, grown


def _choose_meld(state: HandState, action: Add) -> tuple[int, Meld]:
    """Return the meld that is named, or the only one that takes the card; of several refusals the first in the list."""
    if action.number:
        return action.number - 1, grow_on(state, action.number - 1, action.piece, action.side)
    refusals: list[IllegalAction] = []
    fits: list[tuple[int, Meld]] = []
    for index in range(len(state.table)):
        try:
            fits.append((index, grow_on(state, index, action.piece, action.side)))
        except IllegalAction as refusal:
            refusals.append(refusal)
    if len(fits) > 1:
        numbers = ", ".join(str(index + 1) for index, _ in fits)
        raise IllegalAction("ambiguous-place", card=str(action.piece.card), numbers=numbers)
    if not fits:
        ambiguous = [refusal for refusal in refusals if refusal.code == "ambiguous-place"]
        nowhere = IllegalAction("does-not-fit", card=str(action.piece.card))
        raise first_of(ambiguous or [refusal for refusal in refusals if refusal.code != nowhere.code] or [nowhere])
    return fits[0]


def grow_on(state: HandState, index: int, piece: Piece, side: Side | None) -> Meld:
    """Return what a table meld becomes with one more card, or say why it does not go there."""
    meld = state.table[index].meld
    try:
        return grow(meld, piece, side, state.rules.melds)
    except MeldError as error:
        raise IllegalAction(error.code, error.knob, card=str(piece.card), cards=str(meld), number=index + 1) from error


def verify_swap(state: HandState, seat: int, action: Swap) -> tuple[int, Meld, Card]:
    """Check a joker swap; return the index of the meld, what it becomes, and the joker."""
    rules = state.rules
    slots = slots_of(state, seat, action.cards())
    if action.number > len(state.table) or not state.table:
        raise IllegalAction("no-such-meld", number=action.number, melds=len(state.table))
    swapped = _swap_on_table(state, action)
    if rules.joker_swap.who == "never":
        raise IllegalAction("option-off", "joker_swap.who")
    if rules.joker_swap.needs_opening and not state.opened[seat]:
        raise IllegalAction("open-first", "joker_swap.needs_opening")
    _verify_uses_owed(state, slots)
    return swapped


def _swap_on_table(state: HandState, action: Swap) -> tuple[int, Meld, Card]:
    """Return the first swap that is possible on the meld that is named, or on any."""
    who = state.rules.joker_swap.who
    refusals: list[IllegalAction] = []
    for number in [action.number] if action.number else range(1, len(state.table) + 1):
        try:
            meld, joker = swap_joker(
                state.table[number - 1].meld, action.card, "any-missing" if who == "never" else who, state.rules.melds
            )
        except MeldError as error:
            refusals.append(IllegalAction(error.code, "joker_swap.who", card=str(action.card), number=number))
        else:
            return number - 1, meld, joker
    raise first_of(refusals)


def verify_discard(state: HandState, seat: int, action: Discard) -> int:
    """Check a discard; return the slot."""
    if going_out(state) == "all-at-once" and len(state.hands[seat]) == 1:
        raise IllegalAction("must-lay-all", "going_out.how")
    slot = slot_of(state, seat, action.card)
    if not may_discard(state, slot, len(state.hands[seat])):
        raise IllegalAction("may-not-return", "draw.may_return", card=str(action.card))
    if state.owed is not None:
        raise IllegalAction("must-use-taken", "draw.must_use", card=_shown(state.faces[state.owed]))
    return slot


def verify_knock(state: HandState, seat: int, action: Knock) -> tuple[int | None, tuple[Meld, ...], tuple[Card, ...]]:
    """Check a knock with declared melds, the whole hand shown; return the discarded slot, the melds, the deadwood."""
    rules = state.rules
    cards = action.cards()
    slots = slots_of(state, seat, cards)
    hand = cards_left(state, seat)
    if len(hand) < len(state.hands[seat]):
        raise IllegalAction("not-in-hand")
    if going_out(state) != "knock":
        raise IllegalAction("option-off", "going_out.how")
    melds = _read_all(action.melds or (), rules)
    deadwood = tuple(card for card in hand if card not in cards)
    if action.card is None:
        if not rules.going_out.big_gin or deadwood:
            raise IllegalAction("cannot-knock", "going_out.big_gin")
        return None, melds, ()
    points = hand_points(deadwood, rules)
    if points > rules.going_out.knock_limit:
        raise IllegalAction("knock-limit", "going_out.knock_limit", points=points, limit=rules.going_out.knock_limit)
    if not may_discard(state, slots[0], len(state.hands[seat])):
        raise IllegalAction("may-not-return", "draw.may_return", card=str(action.card))
    return slots[0], melds, deadwood


def verify_call(state: HandState, seat: int, _action: Call) -> None:
    """Check that a seat may claim the discard now."""
    claim = state.rules.claim
    if claim.kind == "none":
        raise IllegalAction("option-off", "claim.kind")
    if claim.kind == "buy" and not claim.after_opening and state.opened[seat]:
        raise IllegalAction("option-off", "claim.after_opening")
    on_turn = seat == state.turn and claim.kind != "rummy-call" and state.claim != "closed"
    if state.claim == "none" or on_turn:
        raise IllegalAction("no-claim-open", "claim.kind", on_turn=on_turn)
    if seat == state.discarder:
        raise IllegalAction("claim-own-discard", "claim.kind")
    late = claim.kind == "buy" and state.claim == "late" and not state.callers
    if state.claim != "open" and not late:
        raise IllegalAction("claim-too-late", "claim.kind")
    if seat in state.callers:
        raise IllegalAction("claim-too-late", "claim.kind", again=True)
    if claim.kind == "rummy-call" and not fits_table(state, state.top()):
        raise IllegalAction("does-not-fit", "claim.kind", card=_shown(state.top()))


def claimants(state: HandState) -> tuple[int, ...]:
    """Return the seats that may call now."""
    return tuple(seat for seat in range(state.seats) if state.playing[seat] and _may_call(state, seat))


def _may_call(state: HandState, seat: int) -> bool:
    try:
        verify_call(state, seat, Call())
    except IllegalAction:
        return False
    return True


def fits_table(state: HandState, card: Card | None) -> bool:
    """Whether a single card extends some meld on the table now."""
    if card is None:
        return False
    if card.is_joker:
        return any(_takes_joker(laid.meld, card, state.rules) for laid in state.table)
    return any(card.face in fitting_faces(laid.meld, state.rules.melds) for laid in state.table)


def _takes_joker(meld: Meld, joker: Card, rules: Ruleset) -> bool:
    try:
        grow(meld, Piece(joker), None, rules.melds)
    except MeldError:
        return False
    return True


def _shown(card: Card | None) -> str:
    return "" if card is None else str(card)
