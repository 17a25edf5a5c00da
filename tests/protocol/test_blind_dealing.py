"""The records of a blind deal: what a hand-written ledger may hold, and everything that it may not."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import msgspec
import pytest

from rummy_p2p.cards import Card
from rummy_p2p.deal import Opening
from rummy_p2p.deal.blind_messages import (
    MAX_SLOTS,
    CardFault,
    DeckOk,
    Draw,
    HandOverFault,
    HandOverShown,
    Shares,
    ShuffleDeck,
    ShuffleFault,
)
from rummy_p2p.deal.keys import KeyAnswer, KeyCommit, KeyComplaint, KeyOk, KeyOpen, KeyShares
from rummy_p2p.deal.shuffle import Shuffled, prove_shuffle, shuffle, write_deck
from rummy_p2p.engine import IllegalAction, KnobFailed, Phase, unshown
from rummy_p2p.protocol import blind_dealing
from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.events import (
    CameBack,
    Dealing,
    DeckCommitted,
    FaultFound,
    HandOver,
    HandStarted,
    HandVoid,
    MatchOver,
    WentAway,
)
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.fold import advance
from rummy_p2p.protocol.gossip import Gossip
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.messages import PeerEntry, Records, SeatEntry, sign
from rummy_p2p.protocol.records import Act, Audit, Away, Back, Body, Departure, HandOpen, Score, TimeOut, Void
from rummy_p2p.protocol.state import Fold, Stage, hand_of
from rummy_p2p.protocol.verify import verify
from rummy_p2p.protocol.watching import WatchedMatch
from tests.deal.tampering import foreign, swapped
from tests.protocol.blind_forge import GAMES, BlindForge, dealt, laid
from tests.protocol.lan import rummy

FRESH = bytes(32)


def refused(forge: BlindForge, author: int, body: Body, **changes: object) -> tuple[str, int | None]:
    """The code of a refusal, and whom it convicts; nothing has changed by it."""
    before = forge.fold
    with pytest.raises((Fault, IllegalAction, KnobFailed)) as caught:
        advance(forge.fold, forge.motion(author, body, **changes))
    assert forge.fold == before
    assert str(caught.value)
    culprit = getattr(caught.value, "culprit", None)
    return getattr(caught.value, "code", "knob-failed"), None if culprit is None else forge.ids.index(culprit)


def told(forge: BlindForge, kind: type) -> list[object]:
    return [event for step in forge.steps for event in step.events if isinstance(event, kind)]


def void_of(forge: BlindForge) -> tuple[str, bytes | None]:
    """Why, and through whose fault, the last record has ended the hand."""
    (void,) = [event for event in forge.steps[-1].events if isinstance(event, HandVoid)]
    assert void.sentence
    return void.code, void.culprit


def playing_of(fold: Fold) -> tuple[bool, ...]:
    return hand_of(fold).playing


def is_ready(forge: BlindForge) -> bool:
    """Whether cards may move."""
    return forge.fold.is_dealt


# ---------------------------------------------------------------- opening a hand


def test_a_hand_is_opened_in_its_turn_with_those_who_are_here_and_without_a_promise() -> None:
    forge = BlindForge(4).opened()
    good = forge.hand_open()
    for changes in ({"hand": 2}, {"epoch": 1}, {"without": (forge.ids[3],)}, {"promise": b"p" * 32}):
        assert refused(forge, 0, msgspec.structs.replace(good, **changes)) == ("bad-hand-open", None)
    for absent in (3, 1):
        forge.add(0, Away(peer=forge.ids[absent]))
    for without in ((), (forge.ids[3], forge.ids[1]), (forge.ids[1],)):
        assert refused(forge, 0, forge.hand_open(without=without))[0] == "bad-hand-open"
    forge.add(0, forge.hand_open(without=(forge.ids[1], forge.ids[3])))
    assert forge.fold.stage is Stage.KEYING
    assert forge.fold.keying is not None
    assert forge.fold.keying.peers == (forge.ids[0], forge.ids[2])


def test_no_hand_is_opened_for_too_few() -> None:
    forge = BlindForge(2).opened()
    forge.add(0, Away(peer=forge.ids[1]))
    assert refused(forge, 0, forge.hand_open(without=(forge.ids[1],))) == ("bad-hand-open", None)


def test_another_attempt_leaves_out_only_those_for_whom_all_have_waited() -> None:
    forge = BlindForge(4).keying()
    forge.quiet = {2, 3}
    forge.talk()
    host, prompt, late, other = forge.ids
    good = forge.hand_open(1, (late, other))
    for changes in (
        {"without": (prompt,)},
        {"without": (other, late)},
        {"without": (host, late)},
        {"epoch": 2},
        {"hand": 2, "epoch": 1},
        {"promise": b"p" * 32},
    ):
        body = msgspec.structs.replace(good, **changes)
        assert refused(forge, 0, body)[0] == "bad-hand-open"
    step = forge.add(0, good)
    assert [(e.hand, e.attempt) for e in step.events if isinstance(e, HandStarted)] == [(1, 1)]
    assert forge.fold.without == (late, other)
    forge.talk(lambda: forge.fold.stage is Stage.PLAYING)
    assert playing_of(forge.fold) == (True, True, False, False)
    assert forge.fold.opened_at == 3


def test_another_attempt_for_too_few_is_none() -> None:
    forge = BlindForge(2).keying()
    forge.quiet = {1}
    forge.talk()
    assert refused(forge, 0, forge.hand_open(1, (forge.ids[1],)))[0] == "bad-hand-open"


def test_when_nobody_can_be_spared_all_begin_the_hand_anew() -> None:
    forge = BlindForge(2).keying()
    forge.quiet = {1}
    forge.talk()
    step = forge.add(0, forge.hand_open(1))
    assert [(e.hand, e.attempt) for e in step.events if isinstance(e, HandStarted)] == [(1, 1)]
    assert forge.fold.without == ()
    forge.quiet = set()
    forge.talk()
    assert playing_of(forge.fold) == (True, True)


def test_a_host_that_has_lost_its_part_in_the_key_begins_the_hand_anew() -> None:
    forge = BlindForge().keying()
    forge.quiet = {0}
    forge.talk()
    assert forge.fold.waits_for == (forge.ids[0],)
    forge.quiet = set()
    forge.add(0, forge.hand_open(1))
    forge.talk()
    assert playing_of(forge.fold) == (True, True, True)


def test_a_hand_that_waits_for_nobody_is_not_begun_anew() -> None:
    forge = laid()
    assert refused(forge, 0, forge.hand_open(1)) == ("out-of-place", None)


def test_who_vanishes_before_its_shuffle_is_left_out_of_the_next_attempt() -> None:
    forge = BlindForge().keyed()
    last = forge.fold.blind.layers[-1].order
    vanished = forge.ids.index(next(peer for peer in reversed(last) if peer != forge.fold.host))
    forge.quiet = {vanished}
    forge.talk()
    assert forge.fold.waits_for == (forge.ids[vanished],)
    forge.add(0, forge.hand_open(1, (forge.ids[vanished],)))
    forge.talk()
    assert forge.fold.stage is Stage.PLAYING
    assert not playing_of(forge.fold)[vanished]


# ---------------------------------------------------------------- the key


def test_a_key_is_kept_as_long_as_the_same_peers_take_part() -> None:
    forge = dealt().closed()
    key = forge.fold.key
    assert key is not None
    forge.hand_opened()
    assert (forge.fold.stage, forge.fold.key) == (Stage.DEALING, key)
    forge.talk()
    forge.closed()
    forge.add(0, Away(peer=forge.ids[2]))
    forge.hand_opened()
    assert (forge.fold.stage, forge.fold.key) == (Stage.KEYING, None)


def test_how_many_open_a_card_is_what_the_table_has_agreed_on() -> None:
    for trust, threshold in (("quorum", 3), ("all", 4)):
        forge = BlindForge(4, start={"trust": trust}).keyed()
        assert forge.fold.key is not None
        assert forge.fold.key.threshold == threshold


def key_stage(until: type) -> BlindForge:
    """A key in the making of which everybody owes such a message."""
    forge = BlindForge().keying()
    return forge.talk(lambda: all(any(isinstance(body, until) for body in forge.duties(n)) for n in range(3)))


def test_a_part_of_the_key_that_is_not_right_convicts_its_author() -> None:
    forge = key_stage(KeyOpen)
    opened = forge.duty(1, KeyOpen)
    other = forge.duty(2, KeyOpen)
    assert refused(forge, 1, other) == ("key-mismatch", 1)
    forge.add(1, opened)
    assert refused(forge, 1, opened) == ("key-not-due", None)
    forge = key_stage(KeyShares)
    assert refused(forge, 1, KeyShares(())) == ("bad-key-share", 1)
    forge = key_stage(KeyOk)
    assert refused(forge, 1, KeyOk(b"d" * 32)) == ("key-differs", None)
    forge.quiet = {0}
    forge.add(0, KeyComplaint((forge.ids[1],)))
    assert refused(forge, 1, KeyAnswer(forge.ids[0], bytes(31) + b"\x01")) == ("bad-key-share", 1)
    forge.add(1, forge.duty(1, KeyAnswer))
    forge.quiet = set()
    assert forge.talk(lambda: forge.fold.stage is Stage.DEALING).fold.key is not None


def test_a_stranger_to_the_key_has_nothing_to_say_about_it() -> None:
    forge = BlindForge().opened()
    forge.add(0, Away(peer=forge.ids[2]))
    forge.hand_opened()
    assert refused(forge, 2, KeyCommit(b"c" * 32)) == ("key-not-due", None)


def test_a_bad_share_of_the_key_is_complained_about_and_the_answer_is_good_enough() -> None:
    forge = key_stage(KeyShares)
    good = forge.duty(0, KeyShares)
    bad = KeyShares((b"x" * 72, good.boxes[1]))
    forge.add(0, bad)
    forge.talk(lambda: forge.fold.stage is Stage.PLAYING)
    kinds = [type(entry.body) for entry in forge.ledger.entries]
    assert KeyComplaint in kinds
    assert KeyAnswer in kinds


# ---------------------------------------------------------------- the deck


def cheat_turn(forge: BlindForge, tamper: Callable[..., None]) -> tuple[int, ShuffleDeck]:
    """Who shuffles next, and a turn of it that is no shuffle, with the best proof for it that there is."""
    deal, key = forge.fold.blind, forge.fold.key
    assert key is not None
    last = deal.layers[-1]
    turn = len(last.proofs)
    made = shuffle(last.decks[-1], key.public, b"c" * 32)
    deck = list(made.deck)
    tamper(deck, key.public)
    lie = Shuffled(tuple(deck), made.order, made.factors)
    proof = prove_shuffle(last.about_turn(deal.hand, turn), key.public, last.decks[-1], lie, FRESH)
    return forge.ids.index(last.order[turn]), ShuffleDeck(last.epoch, last.chain[-1], write_deck(lie.deck), proof)


def turns_until(forge: BlindForge, cheat: int) -> None:
    """Everybody shuffles until it is this peer's turn."""
    forge.talk(lambda: forge.fold.blind.layers[-1].shuffler == forge.ids[cheat])


def test_the_progress_of_the_deck_is_told_until_all_have_signed() -> None:
    forge = laid()
    progress = [(e.shuffled, e.signed, e.peers) for e in told(forge, Dealing) if isinstance(e, Dealing)]
    assert progress == [(1, 0, 3), (2, 0, 3), (3, 0, 3), (3, 1, 3), (3, 2, 3), (3, 3, 3)]
    (committed,) = told(forge, DeckCommitted)
    assert isinstance(committed, DeckCommitted)
    assert committed.commitment == forge.fold.blind.commitment


def test_shuffles_and_signatures_come_in_their_turn() -> None:
    forge = BlindForge().keyed()
    first = forge.ids.index(forge.fold.waits_for[0])
    other = (first + 1) % 3
    turn = forge.duty(first, ShuffleDeck)
    assert refused(forge, other, turn) == ("deal-not-due", None)
    assert refused(forge, first, msgspec.structs.replace(turn, proof=turn.proof + b"\0" * 32)) == ("bad-shuffle", first)
    assert refused(forge, first, DeckOk(b"c" * 32)) == ("deal-not-due", None)
    assert refused(forge, 0, Draw((0,), b"p" * 32, b"p" * 64)) == ("out-of-place", None)
    forge.talk(lambda: forge.fold.blind.layers[-1].shuffler is None)
    assert refused(forge, 1, DeckOk(b"c" * 32)) == ("deck-disagreed", None)


@pytest.mark.parametrize("cheat", [1, 2])
def test_a_guest_whose_deck_was_not_just_shuffled_is_out(cheat: int) -> None:
    forge = BlindForge().keyed()
    turns_until(forge, cheat)
    forge.add(*cheat_turn(forge, foreign))
    forge.talk(lambda: forge.fold.stage is Stage.BETWEEN)
    assert isinstance(forge.ledger.entries[-1].body, ShuffleFault)
    assert void_of(forge) == ("bad-shuffle", forge.ids[cheat])
    assert forge.fold.peers == tuple(peer for n, peer in enumerate(forge.ids) if n != cheat)
    forge.dealt()
    assert not playing_of(forge.fold)[cheat]
    assert verify(forge.file()).ok


def test_a_host_whose_deck_was_not_just_shuffled_ends_the_match() -> None:
    forge = BlindForge().keyed()
    turns_until(forge, 0)
    forge.add(*cheat_turn(forge, swapped))
    forge.talk(lambda: forge.fold.stage is Stage.OVER)
    assert void_of(forge) == ("bad-shuffle", forge.ids[0])
    over = forge.steps[-1].events[-1]
    assert isinstance(over, MatchOver)
    assert (over.code, over.winners) == ("host-cheated", ())


def test_who_says_of_a_good_shuffle_that_it_is_none_is_to_blame() -> None:
    forge = BlindForge().keyed()
    turns_until(forge, 2)
    assert refused(forge, 2, ShuffleFault(0, 0)) == ("false-fault", 2)
    assert refused(forge, 2, ShuffleFault(0, 9)) == ("deal-not-due", None)


def careless(tamper: Callable[..., None]) -> BlindForge:
    """A deck with something in it that nobody has looked for."""
    forge = BlindForge()
    forge.careless = True
    forge.keyed().talk(lambda: len(forge.fold.blind.layers[-1].proofs) == 2)
    forge.add(*cheat_turn(forge, tamper))
    return forge


def test_a_place_that_holds_no_card_voids_the_hand_and_convicts_nobody() -> None:
    forge = careless(foreign)
    forge.talk(lambda: forge.fold.stage is Stage.BETWEEN)
    assert isinstance(forge.ledger.entries[-1].body, CardFault)
    assert void_of(forge) == ("no-card", None)
    assert forge.fold.peers == tuple(forge.ids)
    assert forge.fold.voids == 1


def test_a_card_for_all_that_is_none_voids_the_hand() -> None:
    upcard = laid().fold.flips[0]

    def last_place(deck: list[object], key: object) -> None:
        foreign(deck, key)  # type: ignore[arg-type]  # passed on
        deck[0], deck[upcard] = deck[upcard], deck[0]

    forge = careless(last_place)
    forge.talk(lambda: forge.fold.stage is Stage.BETWEEN)
    assert isinstance(forge.ledger.entries[-1].body, Shares)
    assert void_of(forge) == ("no-card", None)


# ---------------------------------------------------------------- drawing, opening, showing


def test_what_is_owed_by_the_rules_is_drawn_and_nothing_else() -> None:
    forge = laid()
    draw = forge.duty(1, Draw)
    assert len(draw.slots) == 7
    assert {want.slot for want in forge.fold.owed if want.seat == 1} == set(draw.slots)
    assert refused(forge, 2, draw) == ("not-due", None)
    undealt = msgspec.structs.replace(draw, slots=(*draw.slots[:-1], 50))
    assert refused(forge, 1, undealt) == ("not-due", None)
    forged = msgspec.structs.replace(draw, proofs=draw.proofs[:-1] + bytes([draw.proofs[-1] ^ 1]))
    assert refused(forge, 1, forged)[1] == 1
    forge.add(1, draw)
    assert not [want for want in forge.fold.owed if want.seat == 1]
    assert refused(forge, 1, draw) == ("not-due", None)


def test_shares_are_for_what_was_drawn_and_once() -> None:
    forge = laid()
    forge.talk(lambda: bool(forge.fold.blind.requests) and not forge.fold.owed)
    shares = forge.duty(1, Shares)
    (first, *_) = shares.parts
    unknown = Shares((msgspec.structs.replace(first, request=b"r" * 32),))
    assert refused(forge, 1, unknown) == ("no-such-request", None)
    wrong = Shares((msgspec.structs.replace(first, points=first.points[:-32] + first.points[:32]),))
    assert refused(forge, 1, wrong) == ("bad-share", 1)
    forge.add(1, shares)
    assert refused(forge, 1, shares) == ("share-twice", None)


def test_the_upcard_is_open_as_soon_as_enough_have_given_their_shares() -> None:
    forge = laid()
    assert hand_of(forge.fold).phase is Phase.DEALING
    (slot,) = forge.fold.flips
    forge.talk()
    assert forge.fold.flips == ()
    hand = hand_of(forge.fold)
    assert hand.phase is Phase.DRAW
    assert hand.faces[slot] == forge.fold.blind.face(slot)


def drawing(forge: BlindForge) -> tuple[int, Act]:
    """The seat on turn, and its draw from the stock."""
    return forge.turn, forge.act(forge.turn, "draw")


def test_a_move_draws_exactly_what_it_gives_its_seat() -> None:
    forge = dealt()
    seat, act = drawing(forge)
    assert act.draw is not None
    hand = forge.fold.hand
    assert hand is not None
    elsewhere = msgspec.structs.replace(act.draw, slots=(hand.stock[-1] if act.draw.slots[0] != hand.stock[-1] else 0,))
    assert refused(forge, seat, msgspec.structs.replace(act, draw=elsewhere)) == ("not-due", None)
    forged = msgspec.structs.replace(act.draw, points=act.draw.points[::-1])
    assert refused(forge, seat, msgspec.structs.replace(act, draw=forged))[1] == seat
    forge.add(seat, act)
    assert forge.fold.owed == ()


def test_a_draw_may_also_come_by_itself() -> None:
    forge = dealt()
    seat, act = drawing(forge)
    forge.add(seat, msgspec.structs.replace(act, draw=None))
    (owed,) = forge.fold.owed
    assert owed.seat == seat
    assert act.draw is not None
    forge.add(seat, forge.duty(seat, Draw))
    assert forge.fold.owed == ()


def test_a_move_that_gives_nothing_takes_nothing_along() -> None:
    forge = dealt()
    seat, act = drawing(forge)
    draw = act.draw
    forge.add(seat, act)
    forge.talk()
    move = forge.a_discard(seat)
    assert refused(forge, seat, msgspec.structs.replace(move, draw=draw)) == ("not-due", None)
    deal = forge.parties[seat]._deal
    assert deal is not None
    given = deal.hand_over(forge.view(seat).state.hands[seat][0], forge.ids[(seat + 1) % 3])
    assert refused(forge, seat, msgspec.structs.replace(move, hand_over=given)) == ("not-due", None)


def test_what_is_shown_is_proven_to_be_in_ones_own_place() -> None:
    forge = dealt()
    seat, act = drawing(forge)
    forge.add(seat, act)
    forge.talk()
    move = forge.a_discard(seat)
    (opening,) = move.openings
    other = int(Card.parse("7h")) if opening.card != int(Card.parse("7h")) else int(Card.parse("8h"))
    renamed = Opening(opening.slot, other, opening.proof)
    assert refused(forge, seat, msgspec.structs.replace(move, openings=(renamed,))) == ("bad-opening", seat)
    hand = forge.fold.hand
    assert hand is not None
    own = next(slot for slot in hand.hands[seat] if slot != opening.slot)
    moved = Opening(own, opening.card, opening.proof)
    assert refused(forge, seat, msgspec.structs.replace(move, openings=(moved,))) == ("bad-opening", seat)
    (foreign_slot, *_) = hand.hands[(seat + 1) % 3]
    stolen = Opening(foreign_slot, opening.card, opening.proof)
    assert refused(forge, seat, msgspec.structs.replace(move, openings=(stolen,))) == ("needless-opening", None)
    forge.add(seat, move)
    assert forge.fold.blind.face(opening.slot) == Card(opening.card)


# ---------------------------------------------------------------- handing over


def asked_for() -> tuple[BlindForge, int, int]:
    """Somebody has drawn, and another has called late: the drawer may give the card away. Drawer and caller."""
    forge = dealt(game="buy")
    forge.take_a_turn()
    drawer = forge.turn
    forge.add(drawer, forge.act(drawer, "draw"))
    forge.talk()
    caller = (drawer + 1) % 3
    forge.add(caller, forge.act(caller, "call"))
    return forge, drawer, caller


def test_a_drawn_card_is_handed_over_with_the_move_that_gives_it_away() -> None:
    forge, drawer, caller = asked_for()
    act = forge.act(drawer, "give")
    assert act.hand_over is not None
    assert act.draw is not None
    third = 3 - drawer - caller
    assert refused(forge, drawer, msgspec.structs.replace(act, hand_over=None)) == ("not-due", None)
    astray = msgspec.structs.replace(act.hand_over, to=forge.ids[third])
    assert refused(forge, drawer, msgspec.structs.replace(act, hand_over=astray)) == ("not-due", None)
    forged = msgspec.structs.replace(act.hand_over, proof=b"\1" * 64)
    code, culprit = refused(forge, drawer, msgspec.structs.replace(act, hand_over=forged))
    assert culprit == drawer
    assert code
    forge.add(drawer, act)
    assert forge.fold.blind.owner(act.hand_over.slot) == forge.ids[caller]
    forge.talk()
    assert forge.parties[caller].knows_hand(forge.fold, caller)
    assert forge.parties[drawer].knows_hand(forge.fold, drawer)
    forge.closed()
    assert forge.fold.stage is Stage.BETWEEN


def test_a_box_with_the_wrong_number_is_doubted_and_shown() -> None:
    forge, drawer, caller = asked_for()
    act = forge.act(drawer, "give")
    assert act.hand_over is not None
    wrong = msgspec.structs.replace(act.hand_over, box=b"x" * 72)
    forge.add(drawer, msgspec.structs.replace(act, hand_over=wrong))
    slot = wrong.slot
    assert refused(forge, drawer, HandOverShown(slot, b"\1" * 32)) == ("no-hand-over", None)
    assert refused(forge, drawer, HandOverFault(slot)) == ("no-hand-over", None)
    forge.add(caller, HandOverFault(slot))
    assert refused(forge, drawer, HandOverShown(slot, bytes(31) + b"\1")) == ("bad-hand-over", drawer)
    forge.talk()
    assert forge.parties[caller].knows_hand(forge.fold, caller)


def test_between_two_seats_of_one_peer_nothing_is_handed_over() -> None:
    rules = GAMES["buy"]
    ids = BlindForge(2, rules=rules).ids
    seats = (
        SeatEntry(owner=ids[0], nick="Ada", number=0, bot=False),
        SeatEntry(owner=ids[0], nick="Ada", number=1, bot=True),
        SeatEntry(owner=ids[1], nick="Bea", number=0, bot=False),
    )
    peers = tuple(PeerEntry(peer=peer, wish="never", ready=True) for peer in ids)
    forge = BlindForge(2, rules=rules, start={"seats": seats, "peers": peers}).dealt()
    while forge.turn != 0:
        forge.take_a_turn()
    drawer = forge.turn
    forge.add(0, forge.act(drawer, "draw"))
    forge.talk()
    forge.add(0, forge.act(1 - drawer, "call"))
    act = forge.act(drawer, "give")
    assert act.hand_over is None
    forge.add(0, act)
    forge.talk()
    assert all(forge.parties[0].knows_hand(forge.fold, seat) for seat in (0, 1))


# ---------------------------------------------------------------- a pile that is shuffled anew


def reshuffling(count: int = 3, away: int | None = None) -> BlindForge:
    """A draw has had the pile shuffled; nobody has had its turn at that."""
    forge = dealt(count, "reshuffle")
    if away is not None:
        forge.quiet = {away}
        forge.add(0, Away(peer=forge.ids[away]))
    while len(forge.fold.blind.layers) == 1:
        forge.take_a_turn(until=lambda: len(forge.fold.blind.layers) == 2)
    return forge


def test_a_pile_is_shuffled_by_all_before_anybody_moves() -> None:
    forge = reshuffling()
    seat = forge.turn
    assert forge.fold.blind.layers[-1].order
    assert set(forge.fold.blind.layers[-1].order) == set(forge.ids)
    assert not is_ready(forge)
    assert refused(forge, seat, Act(seat=seat, move="discard 7h", openings=())) == ("not-due", None)
    assert [want.seat for want in forge.fold.owed] == [seat]
    commitment = forge.fold.blind.commitment
    forge.talk()
    assert is_ready(forge)
    assert forge.parties[seat].knows_hand(forge.fold, seat)
    assert forge.fold.blind.commitment == commitment
    forge.closed()
    assert isinstance(told(forge, HandOver)[-1], HandOver)


def test_a_pile_is_shuffled_by_those_who_are_here() -> None:
    forge = reshuffling(4, away=3)
    assert forge.ids[3] not in forge.fold.blind.layers[-1].order
    forge.closed()
    assert forge.fold.stage is Stage.BETWEEN


@pytest.mark.parametrize("taken", [0, 2])
def test_who_goes_away_while_the_pile_is_shuffled_is_left_out_of_that(taken: int) -> None:
    forge = reshuffling(4)
    order = forge.fold.blind.layers[-1].order
    guest = next(n for n in (3, 2, 1) if forge.ids[n] != order[0])
    forge.talk(lambda: len(forge.fold.blind.layers[-1].proofs) == taken)
    before = forge.fold.blind.layers[-1]
    forge.quiet = {guest}
    forge.add(0, Away(peer=forge.ids[guest]))
    after = forge.fold.blind.layers[-1]
    assert (after.epoch, after.first, after.proofs) == (before.epoch + 1, before.first, ())
    assert forge.ids[guest] not in after.order
    forge.talk()
    assert is_ready(forge)
    another = next(n for n in (1, 2, 3) if n != guest)
    deal = forge.fold.blind
    forge.add(0, Away(peer=forge.ids[another]))
    assert forge.fold.blind.layers == deal.layers


# ---------------------------------------------------------------- away and back


def stage_with(place: str) -> BlindForge:
    return {
        "between": lambda: BlindForge(4).opened(),
        "keying": lambda: BlindForge(4).keying(),
        "dealing": lambda: BlindForge(4).keyed(),
        "playing": lambda: dealt(4),
        "counted": lambda: dealt(4).play(),
    }[place]()


@pytest.mark.parametrize("place", ["between", "keying", "dealing", "playing", "counted"])
def test_a_peer_goes_away_and_comes_back_at_every_stage(place: str) -> None:
    forge = stage_with(place)
    stage, epoch = forge.fold.stage, forge.fold.epoch
    assert refused(forge, 3, Back()) == ("not-due", None)
    for nobody in (forge.ids[0], b"x" * 32):
        assert refused(forge, 0, Away(peer=nobody)) == ("not-due", None)
    assert refused(forge, 1, Away(peer=forge.ids[3])) == ("wrong-author", None)
    forge.quiet = {3}
    step = forge.add(0, Away(peer=forge.ids[3]))
    (went,) = [event for event in step.events if isinstance(event, WentAway)]
    assert (went.peer, went.name) == (forge.ids[3], "Dag")
    assert refused(forge, 0, Away(peer=forge.ids[3])) == ("not-due", None)
    begun_anew = stage in {Stage.KEYING, Stage.DEALING}
    assert forge.fold.epoch == epoch + begun_anew
    assert forge.fold.without == ((forge.ids[3],) if begun_anew else ())
    assert forge.fold.stage is (Stage.KEYING if begun_anew else stage)
    step = forge.add(3, Back())
    assert [(e.peer, e.name) for e in step.events if isinstance(e, CameBack)] == [(forge.ids[3], "Dag")]
    assert forge.fold.away == frozenset()
    forge.quiet = set()
    if stage is Stage.BETWEEN:
        forge.hand_opened().talk()
    forge.closed()
    assert forge.fold.stage is Stage.BETWEEN
    forge.dealt()
    assert playing_of(forge.fold) == (True,) * 4


def test_who_sits_a_hand_out_may_go_away_without_disturbing_it() -> None:
    forge = BlindForge(4).opened()
    forge.add(0, Away(peer=forge.ids[3]))
    forge.hand_opened()
    forge.add(3, Back())
    before = forge.fold
    forge.add(0, Away(peer=forge.ids[3]))
    assert (forge.fold.epoch, forge.fold.keying) == (before.epoch, before.keying)
    forge.quiet = {3}
    forge.talk()
    forge.closed()
    assert forge.fold.scores[3] == -(-sum(forge.fold.scores[:3]) // 3)


@pytest.mark.parametrize("place", ["keying", "dealing"])
def test_when_too_few_are_left_to_make_a_deck_the_table_waits_between_two_hands(place: str) -> None:
    forge = {"keying": BlindForge(2).keying, "dealing": BlindForge(2).keyed}[place]()
    forge.add(0, Away(peer=forge.ids[1]))
    assert void_of(forge) == ("too-few-here", None)
    assert (forge.fold.stage, forge.fold.voids) == (Stage.BETWEEN, 0)
    assert forge.duties(0) == []
    forge.add(1, Back())
    forge.add(0, forge.duty(0, HandOpen))
    forge.talk()
    assert playing_of(forge.fold) == (True, True)


def test_an_absent_seat_is_passed_over_and_counted_by_the_others() -> None:
    forge = dealt()
    forge.quiet = {2}
    assert refused(forge, 0, TimeOut(seat=forge.turn)) == ("not-due", None)
    forge.add(0, Away(peer=forge.ids[2]))
    while forge.turn == 2:
        forge.add(0, TimeOut(seat=2))
    assert refused(forge, 0, TimeOut(seat=forge.turn)) == ("not-due", None)
    forge.play()
    assert forge.fold.stage is Stage.COUNTED
    assert not any(entry.author == forge.ids[2] for entry in forge.ledger.entries[-20:])
    hand = forge.fold.hand
    assert hand is not None
    assert all(hand.faces[slot] is not None for slot in hand.hands[2])
    forge.talk(unsaid=(HandOpen,))
    over = told(forge, HandOver)[-1]
    assert isinstance(over, HandOver)
    assert over.totals == forge.fold.scores
    assert verify(forge.file()).ok


def counting() -> tuple[BlindForge, int]:
    """The hand is over, and a guest owes its show."""
    for seed in range(20):
        forge = dealt()
        forge.play(seed=seed, until=partial(owing, forge))
        if any(owing(forge)):
            return forge, max(owing(forge))
    raise AssertionError("nobody owes anything")


def owing(forge: BlindForge) -> tuple[int, ...]:
    return unshown(forge.fold.hand) if forge.fold.hand else ()


def test_who_goes_away_at_the_count_is_counted_by_the_others() -> None:
    forge, guest = counting()
    hand = forge.fold.hand
    assert hand is not None
    forge.quiet = {guest}
    forge.add(0, Away(peer=forge.ids[guest]))
    hidden = [slot for slot in hand.hands[guest] if hand.faces[slot] is None]
    assert sorted(forge.fold.flips) == sorted(hidden)
    before = forge.fold.blind.requests
    forge.add(guest, Back())
    forge.add(0, Away(peer=forge.ids[guest]))
    assert forge.fold.blind.requests == before
    forge.talk()
    assert forge.fold.stage is Stage.COUNTED


def test_many_cards_for_all_are_asked_for_in_parts_and_layer_by_layer() -> None:
    rules = rummy(deck__packs=2)
    forge = BlindForge(2, rules=rules).laid()
    motion = forge.motion(0, Away(peer=forge.ids[1]))
    owed = set(forge.fold.flips)
    slots = [slot for slot in range(90) if slot not in owed]
    fold = blind_dealing.flipped(forge.fold, slots, motion)
    fresh = fold.blind.requests[len(forge.fold.blind.requests) :]
    assert [len(asked.slots) for asked in fresh] == [MAX_SLOTS, len(slots) - MAX_SLOTS]
    two = reshuffling().talk()
    first = next(slot for slot in range(52) if two.fold.blind.face(slot) is None)
    second = two.fold.blind.layers[1].first
    fold = blind_dealing.flipped(two.fold, [second, first], two.motion(0, Away(peer=two.ids[1])))
    fresh = fold.blind.requests[len(two.fold.blind.requests) :]
    assert [asked.slots for asked in fresh] == [(first,), (second,)]


# ---------------------------------------------------------------- the end


def test_no_score_before_all_who_are_here_have_audited() -> None:
    forge = dealt().play()
    assert forge.fold.stage is Stage.COUNTED
    commitment = forge.fold.blind.commitment
    assert commitment is not None
    assert refused(forge, 0, forge.score()) == ("not-due", None)
    assert refused(forge, 1, Audit(commitment=b"c" * 32)) == ("deck-disagreed", None)
    forge.add(1, Audit(commitment=commitment))
    assert refused(forge, 1, Audit(commitment=commitment)) == ("not-due", None)
    forge.add(0, forge.duty(0, Audit))
    assert refused(forge, 0, forge.score()) == ("not-due", None)
    forge.add(0, Away(peer=forge.ids[2]))
    assert refused(forge, 0, msgspec.structs.replace(forge.score(), secret=b"s" * 32)) == ("not-due", None)
    wrong = Score(secret=b"", totals=(1, 2, 3))
    assert refused(forge, 0, wrong) == ("score-differs", None)
    forge.add(0, forge.score())
    assert (forge.fold.stage, forge.fold.settled) == (Stage.BETWEEN, 1)


def test_a_shuffle_may_be_found_out_until_the_score_stands() -> None:
    forge = careless(swapped)
    forge.talk(lambda: forge.fold.stage is Stage.PLAYING).play()
    assert forge.fold.stage is Stage.COUNTED
    cheat = forge.ids.index(forge.fold.blind.layers[0].order[2])
    forge.add((cheat + 1) % 3, ShuffleFault(0, 2))
    assert void_of(forge) == ("bad-shuffle", forge.ids[cheat])
    report = verify(forge.file())
    assert [(problem.code, problem.culprit) for problem in report.problems] == [
        ("bad-shuffle", "AdaBeaCem"[3 * cheat :][:3])
    ]


def test_a_wrong_shuffle_that_no_player_has_checked_is_found_by_who_looks_on() -> None:
    forge = careless(swapped)
    forge.talk(lambda: forge.fold.stage is Stage.PLAYING)
    cheat = forge.fold.blind.layers[0].order[2]
    watcher = Identity(b"w" * 32)
    gossip = Gossip(watcher, b"t" * 32, bytes(32))
    watched = WatchedMatch(watcher, forge.start, forge.rules, gossip, 0.0, late=False)
    answer = Records(
        match=forge.match, to=gossip.me, number=1, records=tuple(pack(entry.record) for entry in forge.ledger.entries)
    )
    watched.receive(sign(forge.host, answer), answer, 0.0)
    for peer in range(3):
        watched.receive(*forge.ack(peer, forge.ledger.tail), 0.0)
    watched.crank(0.0)
    assert watched.replica.ledger.committed == forge.ledger.tail
    for job in watched.take_jobs():
        job.finish(job.run())
    faults = [event for event in watched.events if isinstance(event, FaultFound)]
    assert [(fault.code, fault.culprit) for fault in faults] == [("bad-shuffle", cheat)]


# ---------------------------------------------------------------- convictions


def drafts_that_convict() -> dict[str, tuple[BlindForge, Body]]:
    """What a guest (peer 1) may say that convicts it, by the code."""
    draws = laid()
    draw = draws.duty(1, Draw)
    shares = laid()
    shares.talk(lambda: not shares.fold.owed)
    given = shares.duty(1, Shares)
    (part, *_) = given.parts
    opens = key_stage(KeyOpen)
    return {
        "bad-draw": (draws, msgspec.structs.replace(draw, proofs=draw.proofs[64:] + draw.proofs[:64])),
        "bad-share": (shares, Shares((msgspec.structs.replace(part, proof=draw.proofs[:64]),))),
        "key-mismatch": (opens, opens.duty(2, KeyOpen)),
    }


@pytest.mark.parametrize("code", ["bad-draw", "bad-share", "key-mismatch"])
def test_a_draft_that_cannot_come_from_an_honest_program_puts_its_author_out(code: str) -> None:
    forge, body = drafts_that_convict()[code]
    assert refused(forge, 1, body) == (code, 1)
    evidence = (pack(forge.draft(1, body)),)
    assert refused(forge, 0, Void(code="bad-hand-over", evidence=evidence)) == ("bad-evidence", None)
    assert refused(forge, 0, Void(code=code, evidence=())) == ("bad-evidence", None)
    assert refused(forge, 0, Void(code=code, evidence=(b"x",))) == ("bad-evidence", None)
    assert refused(forge, 1, Void(code=code, evidence=evidence)) == ("wrong-author", None)
    forge.add(0, Void(code=code, evidence=evidence))
    assert void_of(forge) == (code, forge.ids[1])
    assert forge.ids[1] not in forge.fold.peers
    assert refused(forge, 0, Away(peer=forge.ids[1])) == ("not-due", None)


def test_a_draft_that_is_in_order_or_merely_late_convicts_nobody() -> None:
    forge = laid()
    good = pack(forge.draft(1, forge.duty(1, Draw)))
    late = pack(forge.draft(1, DeckOk(b"c" * 32)))
    illegal = pack(forge.draft(1, Act(seat=1, move="frobnicate", openings=())))
    nested = pack(forge.draft(1, Void(code="bad-draw", evidence=(good,))))
    vote = pack(forge.vote(1))
    for evidence in (good, late, illegal, nested, vote):
        assert refused(forge, 0, Void(code="bad-draw", evidence=(evidence,))) == ("bad-evidence", None)


def test_a_host_does_not_convict_itself_by_a_void() -> None:
    forge = laid()
    draw = forge.duty(0, Draw)
    forged = msgspec.structs.replace(draw, proofs=draw.proofs[64:] + draw.proofs[:64])
    evidence = (pack(forge.draft(0, forged)),)
    assert refused(forge, 0, Void(code="bad-draw", evidence=evidence)) == ("bad-evidence", None)


# ---------------------------------------------------------------- leaving


def test_who_leaves_while_the_key_or_the_deck_is_made_has_it_made_anew() -> None:
    for place in ("keying", "dealing", "playing", "counted"):
        forge = stage_with(place)
        forge.add(3, Departure())
        assert void_of(forge) == ("left", forge.ids[3])
        forge.dealt()
        assert playing_of(forge.fold) == (True, True, True, False)


@pytest.mark.parametrize("place", ["keying", "dealing", "reshuffle"])
def test_an_eliminated_peer_that_leaves_in_the_making_of_a_deck_does_not_stop_it(place: str) -> None:
    """Its seat plays no more, but its shuffle is still to come: nobody else could do that."""
    forge = reshuffling(4) if place == "reshuffle" else dealt(4).closed()
    if place != "reshuffle":
        assert forge.fold.match is not None
        out = msgspec.structs.replace(forge.fold.match, out=frozenset({3}))
        key = None if place == "keying" else forge.fold.key
        forge.fold = msgspec.structs.replace(forge.fold, match=out, key=key)
        forge.hand_opened()
        if place == "keying":
            forge.talk(lambda: forge.ids[3] not in forge.fold.waits_for)
    assert forge.fold.match is not None
    if place == "reshuffle":
        out = msgspec.structs.replace(forge.fold.match, out=frozenset({3}))
        forge.fold = msgspec.structs.replace(forge.fold, match=out)
    if forge.ids[3] in forge.fold.waits_for:
        forge.talk(lambda: forge.ids[3] not in forge.fold.waits_for)
    forge.add(3, Departure())
    assert void_of(forge) == ("left", forge.ids[3])
    forge.dealt()
    assert playing_of(forge.fold) == (True, True, True, False)


def test_an_eliminated_peer_may_go_when_nothing_hangs_on_it() -> None:
    forge = dealt(4)
    assert forge.fold.match is not None
    out = msgspec.structs.replace(forge.fold.match, out=frozenset({3}))
    forge.fold = msgspec.structs.replace(forge.fold, match=out)
    step = forge.add(3, Departure())
    assert step.events == ()
    assert forge.fold.stage is Stage.PLAYING
