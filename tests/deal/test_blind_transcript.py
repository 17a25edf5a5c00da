"""The public transcript: what is not due is refused, what is wrong convicts, and a refusal changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import pytest

from rummy_p2p.cards import Card, pack
from rummy_p2p.deal import Opening
from rummy_p2p.deal.blind_messages import (
    OPENING_SIZE,
    BlindMessage,
    CardFault,
    DeckOk,
    Draw,
    HandOverFault,
    HandOverShown,
    SharePart,
    Shares,
    ShuffleDeck,
    ShuffleFault,
)
from rummy_p2p.deal.blind_transcript import BlindStage, begin_blind
from rummy_p2p.deal.breach import CONVICTING, SENTENCES, Breach
from rummy_p2p.deal.group import minus, plus, read_point
from rummy_p2p.deal.shuffle import MAX_DECK
from tests.deal.blind_table import IDS, SMALL, STRANGER, Table, dealt_table, made_key, refusal, spec

ADA, BEA, CEM = IDS[:3]
RECORD = b"r" * 32


def refused(table: Table, author: bytes, message: BlindMessage) -> tuple[str, bytes | None]:
    """How the transcript refuses a message; it is the same afterwards."""
    before = table.public
    found = refusal(table.public.receive, author, message, RECORD)
    assert table.public is before
    return found


def drawn_table(count: int = 3, slots: Sequence[int] = (0, 1)) -> Table:
    table = dealt_table(count)
    table.draw(0, *slots)
    return table


# ---------------------------------------------------------------- shuffling and signing


def test_a_shuffle_out_of_turn_or_on_another_deck_is_not_due() -> None:
    table = Table(2)
    (turn,) = table[0].messages()
    assert isinstance(turn, ShuffleDeck)
    assert refused(table, BEA, turn) == ("deal-not-due", None)
    assert refused(table, STRANGER, turn) == ("deal-not-due", None)
    assert refused(table, ADA, msgspec.structs.replace(turn, epoch=1)) == ("deal-not-due", None)
    assert refused(table, ADA, msgspec.structs.replace(turn, after=RECORD)) == ("deal-not-due", None)
    table.hear(0, turn)
    assert refused(table, ADA, turn) == ("deal-not-due", None)
    assert refused(dealt_table(2), ADA, turn) == ("deal-not-due", None)


def test_a_shuffle_of_another_size_or_with_bad_points_convicts() -> None:
    table = Table(2)
    (turn,) = table[0].messages()
    assert isinstance(turn, ShuffleDeck)
    changes: list[dict[str, object]] = [{"deck": turn.deck[:-64]}, {"proof": turn.proof[:-32]}]
    for change in changes:
        assert refused(table, ADA, msgspec.structs.replace(turn, **change)) == ("bad-shuffle", ADA)
    bad = msgspec.structs.replace(turn, deck=bytes(32) + turn.deck[32:])
    assert refused(table, ADA, bad) == ("bad-point", ADA)


def test_a_deck_is_signed_once_by_each_when_all_have_shuffled() -> None:
    table = Table(2)
    assert refused(table, ADA, DeckOk(RECORD)) == ("deal-not-due", None)
    for number in (0, 1):
        table.hear(number, table[number].messages()[0])
    table[0].check_all()
    (ok,) = table[0].messages()
    assert refused(table, ADA, DeckOk(RECORD)) == ("deck-disagreed", None)
    table.hear(0, ok)
    assert refused(table, ADA, ok) == ("deal-not-due", None)
    assert table.public.commitment is None
    assert refused(dealt_table(2), ADA, ok) == ("deal-not-due", None)


def test_a_fault_is_found_in_a_turn_that_was_taken() -> None:
    table = Table(2)
    assert refused(table, BEA, ShuffleFault(0, 0)) == ("deal-not-due", None)
    table.hear(0, table[0].messages()[0])
    assert refused(table, BEA, ShuffleFault(1, 0)) == ("deal-not-due", None)
    assert refused(table, BEA, ShuffleFault(0, 0)) == ("false-fault", BEA)


def test_a_shuffle_that_is_found_wrong_voids_the_hand_and_names_who_made_it() -> None:
    table = Table(2)
    (turn,) = table[0].messages()
    assert isinstance(turn, ShuffleDeck)
    table.hear(0, msgspec.structs.replace(turn, deck=turn.deck[64:] + turn.deck[:64]))
    table.check(table[1])
    (fault,) = table[1].messages()
    assert fault == ShuffleFault(0, 0)
    table.hear(1, fault)
    assert table.public.verdict is not None
    assert (table.public.verdict.code, table.public.verdict.culprit) == ("bad-shuffle", ADA)
    assert table[0].messages() == table[1].messages() == ()


def test_a_deck_that_is_too_large_is_none() -> None:
    cards = pack(4, 0)[: MAX_DECK + 1]
    assert refusal(begin_blind, spec(2, cards)) == ("too-many-cards", None)


# ---------------------------------------------------------------- drawing


def changed(draw: Draw, **changes: object) -> Draw:
    return msgspec.structs.replace(draw, **changes)


def test_a_slot_is_drawn_once() -> None:
    table = drawn_table()
    assert refused(table, BEA, table[1].draw((1,))) == ("slot-taken", None)
    table.flip(2)
    assert refused(table, BEA, table[1].draw((2,))) == ("slot-taken", None)
    table.set(table.public.flip((3,), RECORD))
    assert refused(table, BEA, table[1].draw((3,))) == ("slot-taken", None)


def test_a_draw_names_each_slot_once_and_has_all_its_parts() -> None:
    table = dealt_table(2)
    draw = table[0].draw((0, 1))
    assert refused(table, ADA, changed(draw, slots=(0, 0))) == ("deal-not-due", None)
    assert refused(table, ADA, changed(draw, slots=(0, 9))) == ("no-such-slot", None)
    for wrong in ({"points": draw.points[:32]}, {"proofs": draw.proofs[:64]}, {"slots": (0, 1, 2)}):
        assert refused(table, ADA, changed(draw, **wrong)) == ("bad-draw", ADA)
    assert refused(Table(2), ADA, draw) == ("deck-hidden", None)


def test_a_factor_hides_one_card_only() -> None:
    """The difference of two points with one factor is that of the hidden cards: who knows one knows the other."""
    table = dealt_table(2)
    pairs = [table.public.layers[0].pair(slot) for slot in range(3)]
    first = table[0].draw((0,))
    factor = minus(read_point(first.points), pairs[0].c1)
    again = [plus(pair.c1, factor) for pair in pairs]
    twice = changed(first, slots=(1, 2), points=again[1] + again[2], proofs=first.proofs * 2)
    assert refused(table, BEA, twice) == ("repeated-factor", BEA)
    table.hear(0, first)
    for thief in (ADA, BEA):
        assert refused(table, thief, changed(first, slots=(1,), points=again[1])) == ("repeated-factor", thief)


def test_slots_of_two_layers_are_not_drawn_at_once() -> None:
    table = drawn_table()
    known = list(table.show(0, 0, 1).values())
    table.set(table.public.reshuffle(len(SMALL), known))
    table.talk()
    draw = changed(table[0].draw((2,)), slots=(2, 5), points=bytes(64), proofs=bytes(128))
    assert refused(table, ADA, draw) == ("deal-not-due", None)
    table.draw(0, 2)
    table.draw(0, 5)
    assert table.look(0, 5) in known


# ---------------------------------------------------------------- shares


def asked_of(table: Table, number: int) -> SharePart:
    """The share that a peer owes for the last request."""
    (shares,) = (message for message in table[number].messages() if isinstance(message, Shares))
    return shares.parts[0]


def test_a_share_is_given_once_for_a_request_of_another_peer() -> None:
    table = dealt_table(3)
    table.hear(0, table[0].draw((0, 1)))
    table.certify()
    part = asked_of(table, 1)
    assert refused(table, BEA, Shares((msgspec.structs.replace(part, request=RECORD),))) == ("no-such-request", None)
    assert refused(table, ADA, Shares((part,))) == ("no-such-request", None)
    assert refused(table, CEM, Shares((part,))) == ("bad-share", CEM)
    assert refused(table, BEA, Shares((part, part))) == ("share-twice", None)
    table.hear(1, Shares((part,)))
    assert refused(table, BEA, Shares((part,))) == ("share-twice", None)


def test_a_wrong_share_convicts() -> None:
    table = dealt_table(3)
    table.hear(0, table[0].draw((0, 1)))
    table.certify()
    part, other = asked_of(table, 1), asked_of(table, 2)
    for wrong, code in (
        ({"points": other.points}, "bad-share"),
        ({"points": part.points[:32]}, "bad-share"),
        ({"proof": other.proof}, "bad-share"),
        ({"points": bytes(64)}, "bad-point"),
        ({"proof": b"\xff" * 64}, "bad-scalar"),
    ):
        assert refused(table, BEA, Shares((msgspec.structs.replace(part, **wrong),))) == (code, BEA)


# ---------------------------------------------------------------- cards for all


def test_a_slot_is_opened_for_all_once() -> None:
    table = drawn_table()
    table.flip(3)
    assert refusal(table.public.flip, (3,), RECORD) == ("slot-taken", None)
    table.set(table.public.flip((2,), RECORD))
    assert refusal(table.public.flip, (2,), RECORD) == ("slot-taken", None)
    table.show(0, 0)
    assert refusal(table.public.flip, (0,), RECORD) == ("slot-taken", None)
    assert refusal(table.public.flip, (), RECORD) == ("deal-not-due", None)
    assert refusal(table.public.flip, (9,), RECORD) == ("no-such-slot", None)


def test_a_card_that_its_owner_shows_first_is_opened_for_all_as_well() -> None:
    table = drawn_table()
    table.set(table.public.flip((0, 1), RECORD))
    card = table.show(0, 0)[0]
    table.certify()
    table.talk()
    assert table.public.face(0) == card
    assert table.public.face(1) == table.look(0, 1)
    assert table.public.verdict is None


def test_shares_beyond_the_t_th_change_nothing() -> None:
    table = dealt_table(3)
    table.flip(0)
    assert len(table.public.requests[0].shares) == 3
    assert len(table.public.faces) == 1


# ---------------------------------------------------------------- reshuffles


@pytest.mark.parametrize(
    ("first", "cards"),
    [(5, ()), (4, SMALL[:2]), (5, (SMALL[0], SMALL[0])), (5, (Card.parse("Kh"),))],
    ids=["nothing", "elsewhere", "one twice", "a foreign card"],
)
def test_a_reshuffle_of_other_cards_or_into_other_slots_is_none(first: int, cards: tuple[Card, ...]) -> None:
    assert refusal(dealt_table(2).public.reshuffle, first, cards) == ("no-reshuffle", None)


def test_a_reshuffle_waits_for_the_one_before_and_for_known_peers() -> None:
    table = dealt_table(2)
    public = table.public.reshuffle(len(SMALL), SMALL[:2])
    assert refusal(public.reshuffle, len(SMALL) + 2, SMALL[2:]) == ("no-reshuffle", None)
    assert refusal(table.public.reshuffle, len(SMALL), SMALL, (ADA, STRANGER)) == ("deal-not-due", None)
    assert refusal(table.public.again, (ADA,)) == ("deal-not-due", None)
    assert refusal(public.again, ()) == ("deal-not-due", None)
    assert refusal(public.again, (ADA, ADA)) == ("deal-not-due", None)
    again = public.again((BEA,))
    assert (again.layers[-1].epoch, again.layers[-1].order, again.stage) == (2, (BEA,), BlindStage.SHUFFLE)


# ---------------------------------------------------------------- openings


def changed_opening(opening: Opening, at: int, data: bytes) -> Opening:
    proof = opening.proof[:at] + data + opening.proof[at + len(data) :]
    return msgspec.structs.replace(opening, proof=proof)


def test_only_the_owner_shows_a_slot_and_only_its_card() -> None:
    table = drawn_table()
    opening, other = (table[0].open_private(slot, 0) for slot in (0, 1))
    assert refusal(table.public.show, BEA, [opening]) == ("not-yours", BEA)
    assert refusal(table.public.show, ADA, [msgspec.structs.replace(opening, slot=3)]) == ("not-yours", ADA)
    for wrong in (
        msgspec.structs.replace(opening, card=other.card),
        msgspec.structs.replace(opening, proof=other.proof),
        msgspec.structs.replace(opening, proof=b""),
        changed_opening(opening, 0, bytes(32)),
        changed_opening(opening, 32, other.proof[32:64]),
    ):
        assert refusal(table.public.show, ADA, [wrong]) == ("bad-opening", ADA)
    assert refusal(table.public.show, ADA, [changed_opening(opening, 0, b"\xff" * 32)]) == ("bad-scalar", ADA)
    assert refusal(table.public.show, ADA, [changed_opening(opening, 32, bytes(32))]) == ("bad-point", ADA)
    assert refusal(table.public.verify, 0, other) == ("bad-opening", None)
    assert table.public.show(ADA, [opening, other])[1] == {0: Card(opening.card), 1: Card(other.card)}
    assert len(opening.proof) == OPENING_SIZE


def test_a_card_that_all_know_is_verified_by_its_face() -> None:
    table = drawn_table()
    opening = table[0].open_private(0, 0)
    table.show(0, 0)
    wrong = msgspec.structs.replace(opening, card=table[0].open_private(1, 0).card)
    assert refusal(table.public.show, ADA, [wrong]) == ("bad-opening", ADA)
    assert table.public.noting(0, Card(wrong.card)) is table.public


def test_what_cannot_be_opened_yet_is_hidden() -> None:
    table = dealt_table(3)
    table.hear(0, table[0].draw((0,)))
    table.certify()
    before = table.public
    table.talk()
    opening = table[0].open_private(0, 0)
    assert refusal(before.verify, 0, opening) == ("too-few-shares", None)
    assert refusal(before.show, ADA, [opening]) == ("too-few-shares", None)
    assert refusal(before.verify, 1, opening) == ("deck-hidden", None)
    assert refusal(before.verify, 9, opening) == ("no-such-slot", None)
    assert refusal(begin_blind(spec(3)).verify, 0, opening) == ("deck-hidden", None)


# ---------------------------------------------------------------- hand-overs and faults


def test_only_the_owner_hands_a_hidden_slot_over_and_to_another_peer() -> None:
    table = drawn_table()
    over = table[0].hand_over(0, BEA)
    assert refused(table, BEA, over) == ("not-yours", BEA)
    assert refused(table, ADA, msgspec.structs.replace(over, slot=3)) == ("not-yours", ADA)
    for to in (ADA, STRANGER):
        assert refused(table, ADA, msgspec.structs.replace(over, to=to)) == ("deal-not-due", None)
    assert refused(table, ADA, msgspec.structs.replace(over, slot=1)) == ("bad-share", ADA)
    table.show(0, 0)
    assert refused(table, ADA, over) == ("deal-not-due", None)


def test_only_the_new_owner_doubts_a_hand_over_and_only_the_giver_answers() -> None:
    table = drawn_table()
    assert refused(table, BEA, HandOverFault(0)) == ("no-hand-over", None)
    table.hear(0, table[0].hand_over(0, BEA))
    assert refused(table, CEM, HandOverFault(0)) == ("no-hand-over", None)
    assert refused(table, ADA, HandOverShown(0, bytes(32))) == ("no-hand-over", None)
    table.hear(1, HandOverFault(0))
    assert refused(table, BEA, HandOverFault(0)) == ("no-hand-over", None)
    assert refused(table, BEA, HandOverShown(0, bytes(32))) == ("no-hand-over", None)
    for factor in (bytes(32), b"\xff" * 32, b"\x01" + bytes(31)):
        assert refused(table, ADA, HandOverShown(0, factor)) == ("bad-hand-over", ADA)


def test_a_false_card_fault_convicts_its_author() -> None:
    table = drawn_table()
    proofs = tuple(table[0].open_private(slot, 0).proof for slot in (0, 1))
    assert refused(table, ADA, CardFault((0, 1), proofs)) == ("false-fault", ADA)
    assert refused(table, ADA, CardFault((0, 1), proofs[::-1])) == ("bad-opening", ADA)
    assert refused(table, BEA, CardFault((0,), proofs[:1])) == ("not-yours", BEA)
    assert refused(table, ADA, CardFault((0,), proofs)) == ("deal-not-due", None)
    assert refused(table, ADA, CardFault((0, 0), proofs)) == ("deal-not-due", None)
    table.show(0, 0)
    assert refused(table, ADA, CardFault((0,), proofs[:1])) == ("not-yours", ADA)


# ---------------------------------------------------------------- breaches


def test_every_code_has_a_sentence_and_whoever_convicts_is_known() -> None:
    for code, sentence in SENTENCES.items():
        assert sentence.endswith(".")
        breach = Breach(code, slot=1, cards=2, limit=3)
        breach.blame(ADA)
        assert (breach.culprit == ADA) is (code in CONVICTING)


def test_every_stage_waits_for_whom_it_says() -> None:
    table = Table(2)
    waits: Callable[[], tuple[bytes, ...]] = table.public.missing
    assert waits() == (ADA,)
    assert dealt_table(2).public.missing() == ()
    assert made_key(2)[0].index_of(BEA) == 2
