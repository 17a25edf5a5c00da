"""Every known attack on the blind deal, done by a peer at a table of sessions: how the hand, the match, the cheat end.

Of the deal alone the same attacks are tried in test_blind_deal; here it is the table that has to draw the consequence:
one named code, the right culprit, one ledger at all who are honest, and a game that goes on where it can. What a cheat
does with the ledger itself stands in test_blind_ledger.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from rummy_p2p.deal.blind_deck import Layer, card_point
from rummy_p2p.deal.blind_messages import DeckOk, Draw, ShuffleDeck, ShuffleFault
from rummy_p2p.deal.group import Point, hash_to_point, plus, times, times_base, write_scalar
from rummy_p2p.deal.keys import KeyAnswer, KeyCommit, KeyComplaint, KeyOpen, KeyShares
from rummy_p2p.deal.shuffle import Pair
from rummy_p2p.protocol.events import DeckCommitted, HandVoid, MatchOver
from rummy_p2p.protocol.state import Stage
from rummy_p2p.ruleset import Players, StockOut
from tests.cheats.cheating import (
    FRESH,
    Tampering,
    begun,
    bodies,
    deal_of,
    dealt,
    deposed,
    draw_with,
    false_shuffle,
    instead,
    instead_of_draw,
    joined,
    keying_of,
    lying,
    nobody_else,
    nothing_happened,
    one_ledger,
    ordered,
    play,
    put_out,
    shifted,
    told,
)
from tests.deal import plain_verifier as plain
from tests.deal.tampering import TAMPERINGS, combined, doubled, spoiled, stacked, swapped
from tests.protocol.lan import Lan, Peer, play_out, rummy
from tests.protocol.tampering import match_of

T2 = (plain.P - 1).to_bytes(32, "little")
POINTLESS = {"neutral": plain.encode(plain.ZERO), "order 2": T2, "order 4": bytes(32)}
RARE = {spoiled, stacked, swapped}  # test_blind_deal tries them every time
each_pointless = pytest.mark.parametrize("point", POINTLESS.values(), ids=POINTLESS)


# ---------------------------------------------------------------- the key


def rogue(peer: Peer, change: Callable[[KeyOpen], KeyOpen]) -> None:
    """A peer binds itself to another vector or proof, and opens that."""

    def commit(_: KeyCommit) -> KeyCommit:
        keying = keying_of(peer)
        keying._opened = change(keying._opened)
        return keying._commitment()

    lying(peer, instead(KeyCommit, commit))


def unknown(opened: KeyOpen) -> KeyOpen:
    """What a rogue key needs: a first point of which nobody knows the logarithm."""
    return KeyOpen(hash_to_point(b"rogue") + opened.vector[32:], opened.proof)


def one_more(opened: KeyOpen) -> KeyOpen:
    return KeyOpen(opened.vector + times_base(5), opened.proof)


def one_less(opened: KeyOpen) -> KeyOpen:
    return KeyOpen(opened.vector[:-32], opened.proof)


def small_order(opened: KeyOpen) -> KeyOpen:
    return KeyOpen(opened.vector[:32] + T2, opened.proof)


def second_scalar(opened: KeyOpen) -> KeyOpen:
    return KeyOpen(opened.vector, shifted(opened.proof, 1))


WRONG_VECTORS = [
    (unknown, "bad-proof"),
    (one_more, "bad-key-vector"),
    (one_less, "bad-key-vector"),
    (small_order, "bad-point"),
    (second_scalar, "bad-scalar"),
]
each_vector = pytest.mark.parametrize(
    ("change", "code"), WRONG_VECTORS, ids=[change.__name__ for change, _ in WRONG_VECTORS]
)


@each_vector
def test_a_rogue_key_or_a_vector_that_is_none(change: Callable[[KeyOpen], KeyOpen], code: str) -> None:
    lan, peers = begun(3, 100)
    rogue(peers[2], change)
    put_out(lan, peers, peers[2], code)


def test_a_vector_that_was_chosen_after_the_others_were_seen() -> None:
    lan, peers = begun(3, 101)
    lying(peers[1], instead(KeyOpen, unknown))
    put_out(lan, peers, peers[1], "key-mismatch", fully=True)


def test_a_host_whose_vector_is_too_long_is_found_out_by_all_guests() -> None:
    lan, peers = begun(3, 102)
    host, guests = peers[0], peers[1:]
    opened: list[KeyOpen] = []
    lying(host, instead(KeyOpen, opened.append))
    lan.run(lambda: len(bodies(host, KeyOpen)) == 2)
    lan.settle()
    ordered(lan, host, guests, one_more(opened[0]))
    deposed(lan, guests, host, "key-mismatch")


def spoil_box(cheat: Peer, victim: Peer) -> None:
    """The victim gets a share that is none."""

    def spoil(body: KeyShares) -> KeyShares:
        others = [peer for peer in keying_of(cheat).public.peers if peer != cheat.id]
        at = others.index(victim.id)
        wrong = keying_of(cheat)._postbox.seal(victim.id, write_scalar(5), bytes(24))
        return KeyShares((*body.boxes[:at], wrong, *body.boxes[at + 1 :]))

    lying(cheat, instead(KeyShares, spoil))


def dealt_without(lan: Lan, peers: list[Peer], left_out: Peer | None) -> None:
    """The hand is dealt, without one of the peers, and nobody is to blame."""
    lan.run(lambda: all(peer.all(DeckCommitted) for peer in peers))
    lan.settle()
    nothing_happened(peers)
    without = match_of(peers[0]).replica.committed.without
    assert without == ((left_out.id,) if left_out else ())
    one_ledger(peers)


def test_a_bad_share_that_is_put_right_on_a_complaint() -> None:
    lan, peers = begun(3, 103)
    spoil_box(peers[1], peers[2])
    dealt_without(lan, peers, None)
    assert [body.against for body in bodies(peers[0], KeyComplaint)] == [(peers[1].id,)]
    assert [body.to for body in bodies(peers[0], KeyAnswer)] == [peers[2].id]


def test_a_bad_share_that_is_shown_to_all() -> None:
    lan, peers = begun(3, 104)
    spoil_box(peers[1], peers[2])
    lying(peers[1], instead(KeyAnswer, lambda body: KeyAnswer(body.to, write_scalar(5))))
    put_out(lan, peers, peers[1], "bad-key-share")


@pytest.mark.parametrize("count", [2, pytest.param(4, marks=pytest.mark.nightly)])
def test_shares_for_too_few(count: int) -> None:
    lan, peers = begun(count, 105)
    lying(peers[1], instead(KeyShares, lambda body: KeyShares(body.boxes[1:])))
    put_out(lan, peers, peers[1], "bad-key-share")


@pytest.mark.parametrize(
    "kept_back",
    [
        KeyOpen,
        KeyAnswer,
        pytest.param(KeyCommit, marks=pytest.mark.nightly),
        pytest.param(KeyShares, marks=pytest.mark.nightly),
    ],
    ids=["KeyOpen", "KeyAnswer", "KeyCommit", "KeyShares"],
)
def test_who_keeps_its_part_of_the_key_back_is_left_out_and_not_convicted(kept_back: type) -> None:
    lan, peers = begun(3, 106)
    if kept_back is KeyAnswer:
        spoil_box(peers[1], peers[2])
    lying(peers[1], instead(kept_back, lambda _: None))
    dealt_without(lan, peers, peers[1])


@pytest.mark.parametrize("kept_back", [KeyOpen, ShuffleDeck], ids=lambda kind: kind.__name__)
def test_one_of_two_that_keeps_its_part_back_is_waited_for(kept_back: type) -> None:
    """There is nobody to play with without it: the host goes on waiting, and accuses nobody, itself least of all."""
    lan, peers = begun(2, 107)
    is_silent = [True]
    lying(peers[1], instead(kept_back, lambda body: None if is_silent[0] else body))
    lan.settle(40)
    nothing_happened(peers)
    is_silent[0] = False
    match_of(peers[1])._resting.clear()
    dealt_without(lan, peers, None)


# ---------------------------------------------------------------- the shuffle


@pytest.mark.parametrize(
    "tamper",
    [pytest.param(each, id=each.__name__, marks=[pytest.mark.nightly] * (each in RARE)) for each in TAMPERINGS],
)
def test_a_guest_lays_out_a_deck_that_is_no_shuffle(tamper: Tampering) -> None:
    lan, peers = begun(3, 110)
    cheat = peers[1]
    lying(cheat, instead(ShuffleDeck, lambda _: false_shuffle(cheat, tamper)))
    put_out(lan, peers, cheat, "bad-shuffle")


def in_my_order(peer: Peer) -> Tampering:
    """The cards as they should be, in an order of one's own, freshly encrypted: every slot opens to a good card."""

    def stack(deck: list[Pair], key: Point) -> None:
        for at, card in enumerate(deal_of(peer).public.spec.cards):
            deck[at] = Pair(times_base(3 + at), plus(card_point(card), times(3 + at, key)))

    return stack


@pytest.mark.parametrize("count", [2, 3])
def test_the_last_shuffler_stacks_the_deck(count: int) -> None:
    lan, peers = begun(count, 111, host="Bea")
    cheat = peers[0]
    lying(cheat, instead(ShuffleDeck, lambda _: false_shuffle(cheat, in_my_order(cheat))))
    put_out(lan, peers, cheat, "bad-shuffle", fully=True)


@pytest.mark.parametrize("count", [2, 3])
def test_a_host_that_lays_out_a_false_deck_ends_the_match(count: int) -> None:
    lan, peers = begun(count, 112)
    host = peers[0]
    lying(host, instead(ShuffleDeck, lambda _: false_shuffle(host, doubled)))
    lan.run(lambda: all(peer.all(MatchOver) for peer in peers))
    for peer in peers:
        assert [(void.code, void.culprit) for void in peer.all(HandVoid)] == [("bad-shuffle", host.id)]
        assert [(over.code, over.winners) for over in peer.all(MatchOver)] == [("host-cheated", ())]
    nobody_else(peers, host)
    one_ledger(peers)


def test_who_signs_another_deck_is_left_out_and_not_convicted() -> None:
    lan, peers = begun(3, 113)
    lying(peers[1], instead(DeckOk, lambda _: DeckOk(FRESH)))
    dealt_without(lan, peers, peers[1])


def test_a_shuffle_of_the_wrong_length() -> None:
    lan, peers = begun(3, 114)
    lying(peers[1], instead(ShuffleDeck, lambda body: msgspec.structs.replace(body, proof=body.proof[:-32])))
    put_out(lan, peers, peers[1], "bad-shuffle")


def test_a_pile_that_is_shuffled_anew_into_a_deck_of_ones_own() -> None:
    rules = rummy(players=Players(min=2, max=3), hand_size=(15,), stock_out=StockOut(what="reshuffle"))
    lan, peers = dealt(3, 115, rules)
    cheat = peers[2]
    lying(cheat, instead(ShuffleDeck, lambda _: false_shuffle(cheat, combined)))
    play(peers)
    lan.run(lambda: len(deal_of(cheat).public.layers) == 2)
    put_out(lan, peers, cheat, "bad-shuffle")


def test_a_false_alarm_about_a_shuffle() -> None:
    lan, peers = begun(3, 116)
    cheat = peers[2]
    lan.run(lambda: bool(bodies(cheat, ShuffleDeck)))
    told(lan, cheat, peers[:2], ShuffleFault(0, 0))
    put_out(lan, peers, cheat, "false-fault")


# ---------------------------------------------------------------- draws


def drawing(change: Callable[[Peer, Draw], Draw], code: str, count: int = 3) -> None:
    lan, peers = begun(count, 120)
    cheat = peers[1]
    lying(cheat, instead_of_draw(lambda draw: change(cheat, draw)))
    put_out(lan, peers, cheat, code)


def other_slots(peer: Peer, draw: Draw) -> Draw:
    """The points of the slots beside: their shares would open those."""
    public = deal_of(peer).public
    layer = public.layers[0]
    beside = {slot: layer.pair((slot + 1) % len(layer.cards)).c1 for slot in draw.slots}
    return joined([draw_with(public, peer.id, slot, 7 + slot, beside[slot]) for slot in draw.slots])


def one_factor(peer: Peer, draw: Draw) -> Draw:
    return joined([draw_with(deal_of(peer).public, peer.id, slot, 7) for slot in draw.slots])


def no_factor(peer: Peer, draw: Draw) -> Draw:
    """Over c1 itself: its shares would open the card to everybody."""
    c1 = deal_of(peer).public.layers[0].pair(draw.slots[0]).c1
    return msgspec.structs.replace(draw, points=c1 + draw.points[32:])


def second_proof(peer: Peer, draw: Draw) -> Draw:
    return msgspec.structs.replace(draw, proofs=shifted(draw.proofs, 1))


def too_short(peer: Peer, draw: Draw) -> Draw:
    return msgspec.structs.replace(draw, points=draw.points[:32])


WRONG_DRAWS = [
    (other_slots, "bad-draw"),
    (one_factor, "repeated-factor"),
    (no_factor, "bad-draw"),
    (second_proof, "bad-scalar"),
    (too_short, "bad-draw"),
]
each_draw = pytest.mark.parametrize(("change", "code"), WRONG_DRAWS, ids=[change.__name__ for change, _ in WRONG_DRAWS])


@each_draw
def test_a_draw_that_is_none(change: Callable[[Peer, Draw], Draw], code: str) -> None:
    drawing(change, code)


@pytest.mark.parametrize("count", [2, pytest.param(4, marks=pytest.mark.nightly)])
def test_the_blinded_points_of_other_slots(count: int) -> None:
    drawing(other_slots, "bad-draw", count)


@each_pointless
def test_a_draw_with_a_point_of_small_order(point: bytes) -> None:
    drawing(lambda _, draw: msgspec.structs.replace(draw, points=point + draw.points[32:]), "bad-point")


@pytest.mark.parametrize("count", [2, pytest.param(3, marks=pytest.mark.nightly)])
def test_the_factor_of_an_earlier_draw(count: int) -> None:
    """The first draw is in order; the one that comes with a move later repeats a number of it."""
    lan, peers = begun(count, 121)
    cheat = peers[1]
    lan.run(lambda: match_of(cheat).replica.committed.stage is Stage.DEALING)
    factors: dict[int, int] = {}
    dealt_slots = rummy().hand_size[count - 2]

    def derived(layer: Layer, slot: int) -> int:
        return factors.setdefault(slot, 7 + len(factors) % dealt_slots)

    deal_of(cheat)._derived = derived  # type: ignore[method-assign]  # a cheat
    lan.run(lambda: any(peer.all(HandVoid) for peer in peers))
    put_out(lan, peers, cheat, "repeated-factor")


def test_somebody_elses_draw_said_again() -> None:
    lan, peers = begun(3, 122)
    cheat, victim = peers[2], peers[1]

    def copied(draw: Draw) -> Draw:
        (theirs,) = [entry.body for entry in match_of(cheat).replica.ledger.entries if _draws(entry.author, entry.body)]
        return Draw(draw.slots, theirs.points, theirs.proofs) if isinstance(theirs, Draw) else draw

    def _draws(author: bytes, body: object) -> bool:
        return author == victim.id and isinstance(body, Draw)

    held: list[Draw] = []
    lying(cheat, instead(Draw, held.append))
    lan.run(lambda: any(_draws(e.author, e.body) for e in match_of(cheat).replica.ledger.entries))
    lan.settle()
    told(lan, cheat, peers[:2], copied(held[0]))
    put_out(lan, peers, cheat, "bad-draw", fully=True)


def test_a_draw_that_nobody_is_owed_is_declined_and_the_hand_goes_on() -> None:
    lan, peers = dealt(3, 123)
    cheat = peers[1]
    hand = match_of(cheat).replica.committed.hand
    assert hand is not None
    for number, slot in enumerate((hand.stock[0], hand.hands[0][0]), 5000):
        told(lan, cheat, [peers[0]], draw_with(deal_of(cheat).public, cheat.id, slot, 5), number=number)
        lan.settle()
        assert match_of(peers[0]).replica.committed.stage is Stage.PLAYING
    play(peers)
    play_out(lan, peers)
    nothing_happened(peers)
    one_ledger(peers)


@pytest.mark.parametrize(
    ("change", "code"),
    [pytest.param(*each, marks=[pytest.mark.nightly] * (each[0] is not other_slots)) for each in WRONG_DRAWS],
)
def test_a_host_whose_draw_is_none_is_found_out_by_all_guests(change: Callable[[Peer, Draw], Draw], code: str) -> None:
    lan, peers = begun(3, 124)
    host, guests = peers[0], peers[1:]
    held: list[Draw] = []
    lying(host, instead(Draw, held.append))
    lan.run(lambda: bool(held))
    lan.settle()
    ordered(lan, host, guests, change(host, held[0]))
    deposed(lan, guests, host, code)
