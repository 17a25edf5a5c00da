"""Every known attack on the blind deal, done by a peer that runs a changed program: how it ends, and who is named.

What belongs to the ledger (two bodies, forks, dropped actions, false away) is tried elsewhere; here each cheat speaks
in turn and in the right form, as its ledger would let it.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from rummy_p2p.cards import Card
from rummy_p2p.deal import Opening
from rummy_p2p.deal.blind_deck import card_point, cards_by_point, open_pair
from rummy_p2p.deal.blind_messages import BlindMessage, CardFault, DeckOk, Draw, SharePart, Shares, ShuffleDeck
from rummy_p2p.deal.blind_transcript import BlindStage, BlindTranscript, begin_blind
from rummy_p2p.deal.group import L, Point, minus, plus, times, times_base, write_scalar
from rummy_p2p.deal.proofs import prove_equal, prove_log
from rummy_p2p.deal.shuffle import Pair, Shuffled, prove_shuffle, shuffle, write_deck
from tests.deal import plain_verifier as plain
from tests.deal.blind_table import CONTEXT, IDS, SMALL, Table, dealt_table, dice, refusal, spec
from tests.deal.tampering import TAMPERINGS

ADA, BEA, CEM = IDS[:3]
RECORD = b"r" * 32
FRESH = bytes(32)
SMALL_ORDER = [plain.encode(plain.ZERO), (plain.P - 1).to_bytes(32, "little"), bytes(32)]


def judged(table: Table, author: bytes, message: BlindMessage) -> tuple[str, bytes | None]:
    return refusal(table.public.receive, author, message, RECORD)


# ---------------------------------------------------------------- stacking the deck


def cheat_turn(table: Table, number: int, tamper: Callable[[list[Pair], Point], None]) -> ShuffleDeck:
    """A turn with a deck that is no shuffle, and the best proof for it that there is."""
    last, key = table.public.layers[-1], table.public.spec.key.public
    made = shuffle(last.decks[-1], key, dice("cheat")(32))
    deck = list(made.deck)
    tamper(deck, key)
    lie = Shuffled(tuple(deck), made.order, made.factors)
    proof = prove_shuffle(last.about_turn(table.public.hand, number), key, last.decks[-1], lie, FRESH)
    return ShuffleDeck(last.epoch, last.chain[-1], write_deck(lie.deck), proof)


@pytest.mark.parametrize("tamper", TAMPERINGS, ids=[each.__name__ for each in TAMPERINGS])
def test_a_deck_with_duplicate_foreign_multiplied_or_combined_points(tamper: Callable[..., None]) -> None:
    table = Table(2)
    table.hear(0, cheat_turn(table, 0, tamper))
    table.talk(0)
    assert table.public.verdict is not None
    assert (table.public.verdict.code, table.public.verdict.culprit) == ("bad-shuffle", ADA)
    assert table.public.commitment is None


def test_the_last_shuffler_stacks_the_deck() -> None:
    """Bea lays out the same cards in an order of her own, freshly encrypted: every slot would open to a good card."""

    def in_my_order(deck: list[Pair], key: Point) -> None:
        for at, card in enumerate(SMALL):
            deck[at] = Pair(times_base(3 + at), plus(card_point(card), times(3 + at, key)))

    table = Table(2)
    table.hear(0, table[0].messages()[0])
    table.hear(1, cheat_turn(table, 1, in_my_order))
    table.talk(1)
    assert table.public.verdict is not None
    assert (table.public.verdict.code, table.public.verdict.culprit) == ("bad-shuffle", BEA)


def test_a_deck_that_was_changed_after_the_proof_is_signed_by_nobody_else() -> None:
    table = Table(2)
    table.talk(1)
    (turn,) = table[1].messages()
    table.hear(1, turn)
    table[0].check_all()
    assert judged(table, BEA, DeckOk(RECORD)) == ("deck-disagreed", None)
    assert table.public.stage is BlindStage.SIGN


def test_a_false_alarm_about_a_shuffle() -> None:
    table = Table(2)
    table.hear(0, table[0].messages()[0])
    for check in table[1].checks():
        table[1].note(check, holds=False)
    (fault,) = table[1].messages()
    assert judged(table, BEA, fault) == ("false-fault", BEA)


def test_a_shuffle_from_another_hand_or_epoch() -> None:
    other = Table(2)
    (turn,) = other[0].messages()
    assert isinstance(turn, ShuffleDeck)
    for public in (
        begin_blind(spec(2, context=b"another hand")),
        begin_blind(spec(2)).again(IDS[:2]).again(IDS[:2]),
    ):
        assert refusal(public.receive, ADA, turn, RECORD) == ("deal-not-due", None)
        last = public.layers[-1]
        table = Table(2)
        table.set(public)
        table.hear(0, msgspec.structs.replace(turn, epoch=last.epoch, after=last.chain[-1]))
        table.talk(0)
        assert table.public.verdict is not None
        assert (table.public.verdict.code, table.public.verdict.culprit) == ("bad-shuffle", ADA)


# ---------------------------------------------------------------- drawing


def draw_of(public: BlindTranscript, author: bytes, slot: int, factor: int, base: Point | None = None) -> Draw:
    """A draw with a factor of one's own choice, over the c1 of this slot or over ``base``, proven for this slot."""
    layer = public.layer_of(slot)
    proof = prove_log(public.about_draw(layer, slot, author), factor, times_base(factor), FRESH)
    return Draw((slot,), plus(base or layer.pair(slot).c1, times_base(factor)), proof)


def test_the_blinded_point_of_another_slot() -> None:
    """With s*b of slot 1 the cheat would see the card in slot 1 although slot 0 is drawn."""
    table = dealt_table(2)
    other = table.public.layers[0].pair(1).c1
    assert judged(table, ADA, draw_of(table.public, ADA, 0, 5, base=other)) == ("bad-draw", ADA)


def test_somebody_elses_blinded_point_and_proof() -> None:
    table = dealt_table(2)
    honest = table[0].draw((0,))
    assert judged(table, BEA, honest) == ("bad-draw", BEA)
    assert judged(table, BEA, msgspec.structs.replace(honest, slots=(1,))) == ("bad-draw", BEA)


def test_a_repeated_factor() -> None:
    table = dealt_table(2)
    table.hear(0, draw_of(table.public, ADA, 0, 5))
    assert judged(table, ADA, draw_of(table.public, ADA, 1, 5)) == ("repeated-factor", ADA)
    assert judged(table, BEA, draw_of(table.public, BEA, 1, 5)) == ("repeated-factor", BEA)
    one, other = (draw_of(table.public, BEA, slot, 7) for slot in (1, 2))
    both = Draw((1, 2), one.points + other.points, one.proofs + other.proofs)
    assert judged(table, BEA, both) == ("repeated-factor", BEA)


def test_a_draw_without_a_factor() -> None:
    """b = c1 itself: its shares would open the card to everybody."""
    table = dealt_table(2)
    c1 = table.public.layers[0].pair(0).c1
    assert judged(table, ADA, Draw((0,), c1, bytes(64))) == ("bad-draw", ADA)


@pytest.mark.parametrize("point", SMALL_ORDER, ids=["neutral", "T2", "T4"])
def test_a_draw_with_a_small_order_point(point: bytes) -> None:
    table = dealt_table(2)
    honest = table[0].draw((0,))
    mixed = plain.encode(plain.add(plain.decode(honest.points), plain_small(point)))
    for wrong in (point, mixed) if point != SMALL_ORDER[0] else (point,):
        assert judged(table, ADA, msgspec.structs.replace(honest, points=wrong)) == ("bad-point", ADA)


def plain_small(data: bytes) -> plain.Point:
    """A small-order point, which the plain reader refuses as well."""
    if data == SMALL_ORDER[1]:
        return 0, plain.P - 1, 1, 0
    return plain.ROOT, 0, 1, 0


def test_a_draw_from_another_hand() -> None:
    table, other = dealt_table(2), Table(2, hand=1).dealt()
    assert judged(table, ADA, other[0].draw((0,))) == ("bad-draw", ADA)


def test_a_draw_from_another_epoch() -> None:
    first = Table(2)
    first.set(first.public.again(IDS[:2]))
    first.dealt()
    assert judged(dealt_table(2), ADA, first[0].draw((0,))) == ("bad-draw", ADA)


def test_k_plus_l_in_every_scalar() -> None:
    table = dealt_table(2)
    draw = table[0].draw((0,))
    assert judged(table, ADA, msgspec.structs.replace(draw, proofs=shifted(draw.proofs, 1))) == ("bad-scalar", ADA)
    table.draw(0, 0)
    opening = table[0].open_private(0, 0)
    for place in (0, 2, 3):
        lie = msgspec.structs.replace(opening, proof=shifted(opening.proof, place))
        assert refusal(table.public.show, ADA, [lie]) == ("bad-scalar", ADA)


def shifted(data: bytes, place: int) -> bytes:
    """The scalar at a place said in a second way."""
    at = 32 * place
    value = int.from_bytes(data[at : at + 32], "little") + L
    return data[:at] + value.to_bytes(32, "little") + data[at + 32 :]


# ---------------------------------------------------------------- shares


def asked_share(table: Table, number: int, *, scalar: int | None = None, name: bytes | None = None) -> Shares:
    """A share of the last request, with a secret of one's own choice when asked to."""
    asked = table.public.requests[-1]
    author, key = table.ids[number], table.public.spec.key
    secret = table[number]._share.scalar if scalar is None else scalar
    shares = tuple(times(secret, point) for point in asked.points)
    about = asked.about(table.public.hand, author)
    proof = prove_equal(about, secret, key.share_of(author), asked.points, shares, FRESH)
    return Shares((SharePart(name or asked.id, b"".join(shares), proof),))


def test_a_wrong_share() -> None:
    table = dealt_table(3)
    table.hear(0, table[0].draw((0, 1)))
    assert judged(table, BEA, asked_share(table, 1, scalar=5)) == ("bad-share", BEA)
    table.hear(1, asked_share(table, 1))


def test_a_share_in_somebody_elses_name() -> None:
    table = dealt_table(3)
    table.hear(0, table[0].draw((0,)))
    assert judged(table, CEM, asked_share(table, 1)) == ("bad-share", CEM)


def test_a_share_for_a_draw_that_is_not_in_the_ledger() -> None:
    table = dealt_table(3)
    table.hear(0, table[0].draw((0,)))
    assert judged(table, BEA, asked_share(table, 1, name=RECORD)) == ("no-such-request", None)


def test_a_host_that_asks_for_shares_of_a_draw_without_a_certificate_gets_none() -> None:
    table = dealt_table(3)
    table.hear(0, table[0].draw((0,)))
    assert [table[number].messages() for number in (1, 2)] == [(), ()]


def test_a_host_that_rewinds_after_a_draw_gets_no_share_of_a_second_point() -> None:
    """The host shows its own draw of slot 0, collects the shares, erases it, and lets another seat draw slot 0."""
    table = dealt_table(3)
    erased = table.public
    table.draw(0, 0)
    table.set(erased)
    table.hear(1, table[1].draw((0,)))
    table.certify()
    assert table[2].messages() == ()
    assert [breach.code for breach in table[2].conflicts()] == ["second-point"]


def test_a_share_from_another_hand() -> None:
    table, other = dealt_table(3), Table(3, hand=1).dealt()
    for each in (table, other):
        each.hear(0, each[0].draw((0,)))
    replayed = asked_share(other, 1, name=table.public.requests[-1].id)
    assert judged(table, BEA, replayed) == ("bad-share", BEA)


# ---------------------------------------------------------------- showing what one does not hold


def forged_opening(table: Table, number: int, slot: int, factor: int, share: int, card: Card) -> Opening:
    """An opening with a factor and a secret of one's own choice."""
    public, author = table.public, table.ids[number]
    drawn = public.drawn(slot)
    assert drawn is not None
    point = drawn.point(slot)
    product = times(share, point)
    key = public.spec.key.share_of(author)
    proof = prove_equal(drawn.about(public.hand, author, (slot,)), share, key, (point,), (product,), FRESH)
    return Opening(slot=slot, card=int(card), proof=write_scalar(factor) + product + proof)


def test_two_players_and_one_shows_a_card_that_it_does_not_hold() -> None:
    """With t = 2 of 2 the cheat's own share is half of what opens the card: only its proof keeps it honest."""
    table = dealt_table(2)
    table.draw(0, 0)
    honest = table[0].open_private(0, 0)
    wished = next(card for card in SMALL if card != honest.card)
    secret, factor = table[0]._share.scalar, int.from_bytes(honest.proof[:32], "little")
    lies = [
        msgspec.structs.replace(honest, card=int(wished)),
        forged_opening(table, 0, 0, factor + 1, secret, wished),
        forged_opening(table, 0, 0, factor, secret + 1, wished),
    ]
    for lie in lies:
        assert refusal(table.public.show, ADA, [lie]) == ("bad-opening", ADA)
        assert refusal(table[1].verify, 0, lie) == ("bad-opening", None)
    assert forged_share_would_open(table, wished, factor)
    assert table.public.show(ADA, [honest])[1] == {0: Card(honest.card)}


def forged_share_would_open(table: Table, wished: Card, factor: int) -> bool:
    """That the attack is a real one: without the proof some share does open slot 0 to the card wished for."""
    public = table.public
    key, pair = public.spec.key, public.layers[0].pair(0)
    (other,) = public.shares_of(0).items()
    aim = plus(minus(pair.c2, card_point(wished)), times(factor, key.public))  # what w1*d1 + w2*d2 would have to be
    forged = times(pow(2, -1, L), plus(aim, other[1]))  # the weights at 1 and 2 are 2 and -1
    found = open_pair(pair, ((1, forged), other), key.public, factor)
    return cards_by_point(SMALL)[found] == wished


def test_showing_a_slot_of_somebody_else_or_one_that_nobody_drew() -> None:
    table = dealt_table(2)
    table.draw(0, 0)
    opening = table[0].open_private(0, 0)
    assert refusal(table.public.show, BEA, [opening]) == ("not-yours", BEA)
    assert refusal(table.public.show, BEA, [msgspec.structs.replace(opening, slot=1)]) == ("not-yours", BEA)


def test_showing_a_card_again_that_was_handed_over() -> None:
    table = dealt_table(3)
    table.draw(0, 0)
    opening = table[0].open_private(0, 0)
    table.hear(0, table[0].hand_over(0, BEA))
    assert refusal(table.public.show, ADA, [opening]) == ("not-yours", ADA)


def test_an_opening_from_another_hand() -> None:
    table, other = dealt_table(2), Table(2, hand=1).dealt()
    for each in (table, other):
        each.draw(0, 0)
    assert refusal(table.public.show, ADA, [other[0].open_private(0, 0)]) == ("bad-opening", ADA)


# ---------------------------------------------------------------- false words


def test_a_false_fault_convicts_the_accuser_and_play_goes_on() -> None:
    table = dealt_table(2)
    table.draw(0, 0)
    fault = CardFault((0,), (table[0].open_private(0, 0).proof,))
    assert judged(table, ADA, fault) == ("false-fault", ADA)
    assert table.public.verdict is None
    table.draw(1, 1)
    assert table.look(1, 1) in SMALL


def test_a_wrong_number_in_a_hand_over() -> None:
    table = dealt_table(3)
    table.draw(0, 0)
    honest = table[0].hand_over(0, BEA)
    box = table[0]._postbox.seal(BEA, write_scalar(5), bytes(24))
    table.hear(0, msgspec.structs.replace(honest, box=box))
    (doubt,) = table[1].messages()
    table.hear(1, doubt)
    (answer,) = table[0].messages()
    lie = msgspec.structs.replace(answer, factor=write_scalar(5))
    assert judged(table, ADA, lie) == ("bad-hand-over", ADA)
    table.hear(0, answer)
    assert table.look(1, 0) in SMALL


def test_a_wrong_share_in_a_hand_over() -> None:
    table = dealt_table(3)
    table.draw(0, 0, 1)
    one, other = (table[0].hand_over(slot, BEA) for slot in (0, 1))
    lie = msgspec.structs.replace(one, share=other.share)
    assert judged(table, ADA, lie) == ("bad-share", ADA)


def test_the_hash_of_a_hand_covers_all_that_it_is_about() -> None:
    made = {
        spec(2).digest(),
        spec(3).digest(),
        spec(2, SMALL[:4]).digest(),
        spec(2, number=1).digest(),
        spec(2, context=b"other").digest(),
        spec(2, present=IDS[:1]).digest(),
    }
    assert len(made) == 6
    assert spec(2).context == CONTEXT
