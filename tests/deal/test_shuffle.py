"""The shuffle: an honest one is proven, every other is refused, and every order is equally likely."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_p2p.deal.breach import Breach
from rummy_p2p.deal.group import SIZE, G, L, Point, hash_to_point, minus, plus, times, times_base
from rummy_p2p.deal.proofs import About
from rummy_p2p.deal.shuffle import (
    MAX_DECK,
    Deck,
    Pair,
    Shuffled,
    check_shuffle,
    generators,
    permutation,
    proof_size,
    prove_shuffle,
    read_deck,
    shuffle,
    write_deck,
)
from tests.deal import plain_verifier as plain
from tests.deal.blind_table import dice, refusal
from tests.deal.tampering import TAMPERINGS

ABOUT = About(b"H" * 32, 0, (2,), b"A" * 32, b"R" * 32)
PLAIN_ABOUT = (ABOUT.hand, ABOUT.epoch, ABOUT.slots, ABOUT.author, ABOUT.record)
SECRET = 987654321
KEY = times_base(SECRET)
FRESH = bytes(32)
FEW = settings().max_examples // 8  # the plain verifier is slow


def fresh_deck(size: int) -> Deck:
    """E_0 of so many cards."""
    return tuple(Pair(G, plus(card(number), KEY)) for number in range(size))


def card(number: int) -> Point:
    return hash_to_point(b"test card %d" % number)


def open_deck(deck: Deck) -> list[Point]:
    """The cards under the key, by the secret that nobody has."""
    return [minus(pair.c2, times(SECRET, pair.c1)) for pair in deck]


def plain_check(before: Deck, after: Deck, proof: bytes, about: plain.About = PLAIN_ABOUT) -> None:
    plain.check_shuffle(about, KEY, write_deck(before), write_deck(after), proof)


def both_refuse(before: Deck, after: Deck, proof: bytes) -> bool:
    """Whether both verifiers refuse; they must agree."""
    refused = []
    for check, errors in ((check_ours, Breach), (plain_check, plain.Wrong)):
        try:
            check(before, after, proof)
        except errors:
            refused.append(True)
        else:
            refused.append(False)
    assert refused[0] == refused[1]
    return refused[0]


def check_ours(before: Deck, after: Deck, proof: bytes) -> None:
    check_shuffle(ABOUT, KEY, before, after, proof)


# ---------------------------------------------------------------- honest shuffles


@pytest.mark.parametrize("size", [1, 2, 3, 52])
def test_an_honest_shuffle_is_proven_and_keeps_the_cards(size: int) -> None:
    before = fresh_deck(size)
    made = shuffle(before, KEY, b"s" * 32)
    proof = prove_shuffle(ABOUT, KEY, before, made, FRESH)
    check_ours(before, made.deck, proof)
    assert len(proof) == proof_size(size)
    assert open_deck(made.deck) == [card(source) for source in made.order]
    assert not set(made.deck) & set(before)


def test_shuffles_on_top_of_each_other_are_proven() -> None:
    deck = fresh_deck(6)
    for turn in range(3):
        made = shuffle(deck, KEY, bytes([turn]) * 32)
        check_ours(deck, made.deck, prove_shuffle(ABOUT, KEY, deck, made, FRESH))
        deck = made.deck
    assert sorted(open_deck(deck)) == sorted(map(card, range(6)))


@pytest.mark.nightly
def test_the_largest_deck_is_proven_and_fits_into_a_record() -> None:
    before = fresh_deck(MAX_DECK)
    made = shuffle(before, KEY, b"s" * 32)
    proof = prove_shuffle(ABOUT, KEY, before, made, FRESH)
    check_ours(before, made.deck, proof)
    assert len(proof) + len(write_deck(made.deck)) < 31 * 1024 + 512


def test_the_largest_shuffle_fits_into_a_record() -> None:
    assert proof_size(MAX_DECK) + 2 * SIZE * MAX_DECK < 31 * 1024


@settings(max_examples=FEW)
@given(st.integers(1, 6), st.binary(min_size=32, max_size=32))
def test_both_verifiers_accept_honest_shuffles(size: int, seed: bytes) -> None:
    agree_on_honest(size, seed)


@pytest.mark.nightly
def test_both_verifiers_agree_on_hundreds_of_decks() -> None:
    roll = dice("decks")
    for number in range(300):
        size = 1 + number % 9
        agree_on_honest(size, roll(32))
        before, after, proof = tampered(roll(1)[0] % len(TAMPERINGS), max(size, 3), roll(32))
        assert both_refuse(before, after, proof)


def agree_on_honest(size: int, seed: bytes) -> None:
    before = shuffle(fresh_deck(size), KEY, seed[::-1]).deck
    made = shuffle(before, KEY, seed)
    assert not both_refuse(before, made.deck, prove_shuffle(ABOUT, KEY, before, made, seed))


def test_a_shuffle_hides_its_secrets_and_depends_on_its_seed() -> None:
    one, other = shuffle(fresh_deck(8), KEY, b"s" * 32), shuffle(fresh_deck(8), KEY, b"t" * 32)
    assert repr(one) == "Shuffled(8 cards)"
    assert one.order != other.order
    assert not set(one.factors) & set(other.factors)


# ---------------------------------------------------------------- tampered decks


def tampered(which: int, size: int, seed: bytes) -> tuple[Deck, Deck, bytes]:
    """A deck that is no shuffle of the one before, with the proof that a cheat can make for it."""
    before = fresh_deck(size)
    made = shuffle(before, KEY, seed)
    deck = list(made.deck)
    TAMPERINGS[which](deck, KEY)
    lie = Shuffled(tuple(deck), made.order, made.factors)
    return before, lie.deck, prove_shuffle(ABOUT, KEY, before, lie, FRESH)


@pytest.mark.parametrize("which", range(len(TAMPERINGS)), ids=[each.__name__ for each in TAMPERINGS])
def test_a_tampered_deck_is_refused_by_both_verifiers(which: int) -> None:
    before, after, proof = tampered(which, 4, b"s" * 32)
    assert both_refuse(before, after, proof)
    assert refusal(check_ours, before, after, proof) == ("bad-shuffle", None)


@settings(max_examples=FEW)
@given(st.integers(2, 6), st.binary(min_size=32, max_size=32), st.data())
def test_no_deck_with_a_random_change_is_accepted(size: int, seed: bytes, data: st.DataObject) -> None:
    before = fresh_deck(size)
    made = shuffle(before, KEY, seed)
    at, half = data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, 1))
    shift = times_base(data.draw(st.integers(1, L - 1)))
    changed = [list(pair) for pair in made.deck]
    changed[at][half] = plus(changed[at][half], shift)
    lie = Shuffled(tuple(Pair(*pair) for pair in changed), made.order, made.factors)
    assert refusal(check_ours, before, lie.deck, prove_shuffle(ABOUT, KEY, before, lie, FRESH)) == ("bad-shuffle", None)


@pytest.mark.parametrize(
    "order", [(0, 0, 1, 2), (1, 1, 1, 1), (3, 2, 1, 1)], ids=["one twice", "one for all", "one left out"]
)
def test_what_is_no_permutation_cannot_be_proven(order: tuple[int, ...]) -> None:
    """The pairs are honest re-encryptions, but of a row in which a card is missing."""
    before = fresh_deck(4)
    factors = (3, 5, 7, 9)
    moved = tuple(
        Pair(plus(before[source].c1, times_base(k)), plus(before[source].c2, times(k, KEY)))
        for source, k in zip(order, factors, strict=True)
    )
    honest = shuffle(before, KEY, b"s" * 32)
    lie = Shuffled(moved, honest.order, factors)
    assert both_refuse(before, moved, prove_shuffle(ABOUT, KEY, before, lie, FRESH))


# ---------------------------------------------------------------- tampered proofs


@pytest.fixture(scope="module", name="honest")
def honest_shuffle() -> tuple[Deck, Deck, bytes]:
    before = fresh_deck(4)
    made = shuffle(before, KEY, b"s" * 32)
    return before, made.deck, prove_shuffle(ABOUT, KEY, before, made, FRESH)


@settings(max_examples=3 * FEW)
@given(data=st.data())
def test_no_proof_with_a_flipped_bit_is_accepted(honest: tuple[Deck, Deck, bytes], data: st.DataObject) -> None:
    before, after, proof = honest
    bit = data.draw(st.integers(0, 8 * len(proof) - 1))
    flipped = (int.from_bytes(proof, "little") ^ 1 << bit).to_bytes(len(proof), "little")
    code, _ = refusal(check_ours, before, after, flipped)
    assert code in {"bad-shuffle", "bad-point", "bad-scalar", "bad-proof"}


@pytest.mark.parametrize(
    "change",
    [{"hand": b"I" * 32}, {"epoch": 1}, {"slots": (3,)}, {"author": b"B" * 32}, {"record": b"S" * 32}],
    ids=lambda change: next(iter(change)),
)
def test_a_proof_holds_for_one_turn_of_one_hand(honest: tuple[Deck, Deck, bytes], change: dict[str, object]) -> None:
    before, after, proof = honest
    other = msgspec.structs.replace(ABOUT, **change)
    assert refusal(check_shuffle, other, KEY, before, after, proof) == ("bad-shuffle", None)


def test_a_proof_for_another_key_or_deck_is_none(honest: tuple[Deck, Deck, bytes]) -> None:
    before, after, proof = honest
    assert refusal(check_shuffle, ABOUT, times_base(5), before, after, proof) == ("bad-shuffle", None)
    assert refusal(check_ours, before[::-1], after, proof) == ("bad-shuffle", None)
    assert refusal(check_ours, before, after[::-1], proof) == ("bad-shuffle", None)
    assert refusal(check_ours, before, after[:3], proof) == ("bad-shuffle", None)
    assert refusal(check_ours, before, after, proof[:-32]) == ("bad-shuffle", None)


def test_a_scalar_or_point_of_the_proof_in_a_second_form_is_refused(honest: tuple[Deck, Deck, bytes]) -> None:
    before, after, proof = honest
    last = int.from_bytes(proof[-32:], "little")
    assert refusal(check_ours, before, after, proof[:-32] + (last + L).to_bytes(32, "little"))[0] == "bad-scalar"
    assert refusal(check_ours, before, after, bytes(32) + proof[32:])[0] == "bad-point"


# ---------------------------------------------------------------- decks as bytes


def test_a_deck_round_trips_and_every_point_in_it_is_read() -> None:
    deck = shuffle(fresh_deck(3), KEY, b"s" * 32).deck
    assert read_deck(write_deck(deck), 3) == deck
    assert refusal(read_deck, write_deck(deck), 4) == ("bad-shuffle", None)
    assert refusal(read_deck, write_deck(deck[:2]) + bytes(64), 3) == ("bad-point", None)


def test_the_generators_are_all_different_and_none_is_a_card() -> None:
    found = generators(MAX_DECK)
    assert len(set(found)) == MAX_DECK + 1
    assert generators(5) == found[:6]
    assert G not in found


# ---------------------------------------------------------------- chance


def test_a_permutation_is_one_and_long_ones_need_more_than_one_block() -> None:
    assert sorted(permutation(600, b"s")) == list(range(600))
    assert permutation(1, b"s") == (0,)
    assert permutation(9, b"s") == permutation(9, b"s") != permutation(9, b"t")


def test_every_permutation_of_four_is_equally_likely() -> None:
    seen = Counter(permutation(4, number.to_bytes(4, "big")) for number in range(4800))
    assert set(seen) == set(permutations(range(4)))
    assert chi_square(seen, 24) < 49.7  # 23 degrees of freedom, 0.1 %


def orders_with_one_honest_peer(count: int) -> Counter[tuple[int, ...]]:
    """Three cards shuffled by a cheat, an honest peer and a cheat again: the cheats always do the same."""
    cards = {card(number): number for number in range(3)}
    before = shuffle(fresh_deck(3), KEY, b"c" * 32).deck
    roll = dice("chance")
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(count):
        middle = shuffle(before, KEY, roll(32)).deck
        last = middle[1:] + middle[:1]
        seen[tuple(cards[point] for point in open_deck(last))] += 1
    return seen


def chi_square(seen: Counter[tuple[int, ...]], cells: int) -> float:
    expected = sum(seen.values()) / cells
    return sum((count - expected) ** 2 / expected for count in seen.values()) + expected * (cells - len(seen))


def test_one_honest_shuffle_makes_every_order_equally_likely() -> None:
    assert chi_square(orders_with_one_honest_peer(600), 6) < 20.5  # 5 degrees of freedom, 0.1 %


@pytest.mark.nightly
def test_one_honest_shuffle_among_20000_makes_every_order_equally_likely() -> None:
    assert chi_square(orders_with_one_honest_peer(20_000), 6) < 20.5
