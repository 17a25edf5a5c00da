"""The committed deal: nobody chooses the shuffle, every opening is checked, the whole is recomputed."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_p2p.cards import Card, pack
from rummy_p2p.deal import Deal, DealError, DealMessage, DeckLaid, EntropyCommit, EntropyOpen, Opening
from rummy_p2p.deal.committed import (
    NEXT,
    CommittedDeal,
    Spec,
    Stage,
    Transcript,
    begin,
    digest,
    promise_entropy,
    promise_secret,
    shuffle,
)

CONTEXT = digest("test", b"match 1, hand 1")
PEERS = tuple(bytes([n]) * 32 for n in (1, 2, 3))
HOST, BEA, CEM = PEERS
STRANGER = bytes([9]) * 32
SECRET = b"S" * 32
CARDS = pack(1, 2)


def spec(peers: tuple[bytes, ...] = PEERS, context: bytes = CONTEXT) -> Spec:
    return Spec(context=context, cards=CARDS, host=HOST, peers=peers)


def fresh(peers: tuple[bytes, ...] = PEERS, context: bytes = CONTEXT) -> Transcript:
    return begin(spec(peers, context), promise_secret(context, SECRET))


def table(peers: tuple[bytes, ...] = PEERS) -> dict[bytes, CommittedDeal]:
    return {
        peer: CommittedDeal(fresh(peers), peer, bytes([peer[0] + 100]) * 32, SECRET if peer == HOST else None)
        for peer in peers
    }


def step(deals: dict[bytes, CommittedDeal]) -> list[DealMessage]:
    """Let everybody say what is due, and everybody hear all of it."""
    said = [(peer, message) for peer, deal in deals.items() for message in deal.messages()]
    for author, message in said:
        for deal in deals.values():
            deal.receive(author, message)
    return [message for _, message in said]


def dealt(peers: tuple[bytes, ...] = PEERS) -> dict[bytes, CommittedDeal]:
    deals = table(peers)
    for _ in range(3):
        step(deals)
    return deals


def code_of(act: object, *arguments: object) -> str:
    assert callable(act)
    with pytest.raises(DealError) as caught:
        act(*arguments)
    assert str(caught.value)
    return caught.value.code


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_deal_goes_through_its_stages_and_all_end_with_the_same_deck_commitment(count: int) -> None:
    deals = table(PEERS[:count])
    stages = [Stage.COMMIT, Stage.OPEN, Stage.LAY]
    kinds: list[type] = [EntropyCommit, EntropyOpen, DeckLaid]
    for stage, kind in zip(stages, kinds, strict=True):
        assert {deal.public.stage for deal in deals.values()} == {stage}
        assert {deal.commitment for deal in deals.values()} == {None}
        assert {type(message) for message in step(deals)} == {kind}
    assert all(deal.messages() == () for deal in deals.values())
    assert len({deal.commitment for deal in deals.values()}) == 1
    assert deals[HOST].commitment is not None
    assert len({deal.public for deal in deals.values()}) == 1


def test_the_host_opens_every_slot_and_everybody_verifies_it() -> None:
    deals = dealt()
    faces = [deals[BEA].verify(slot, deals[HOST].open_private(slot, 1)) for slot in range(len(CARDS))]
    assert sorted(faces) == sorted(CARDS)
    assert faces != list(CARDS)
    assert deals[CEM].verify(3, deals[HOST].open_public(3)) == faces[3]


def test_saying_it_again_is_saying_the_same() -> None:
    deals = table()
    assert deals[BEA].messages() == deals[BEA].messages()
    step(deals)
    assert deals[HOST].messages() == deals[HOST].messages()


def test_the_joint_value_is_equal_public_and_fresh_for_other_bytes() -> None:
    deals = table()
    assert code_of(lambda: deals[BEA].public.joint) == "deck-hidden"
    step(deals)
    step(deals)
    assert len({deal.public.joint for deal in deals.values()}) == 1
    other = {peer: CommittedDeal(fresh(), peer, b"x" * 32, None) for peer in PEERS}
    step(other)
    step(other)
    assert other[BEA].public.joint != deals[BEA].public.joint


def test_the_audit_of_an_honest_deal_passes() -> None:
    dealt()[BEA].public.audit(SECRET)


def test_another_secret_after_the_hand_is_found() -> None:
    assert code_of(dealt()[BEA].public.audit, b"T" * 32) == "secret-differs"


def test_a_stacked_deck_is_found_by_its_first_wrong_slot() -> None:
    deals = table()
    step(deals)
    step(deals)
    public = deals[BEA].public
    stacked = list(public.lay_out(public.layers[0], SECRET))
    stacked[4], stacked[9] = (
        msgspec.structs.replace(stacked[9], slot=4),
        msgspec.structs.replace(stacked[4], slot=9),
    )
    public = public.receive(HOST, commit_to(public, stacked))
    assert public.verify(4, stacked[4]) == Card(stacked[4].card)
    assert code_of(public.audit, SECRET) == "deck-differs"


def test_a_card_that_the_deck_does_not_have_is_found_when_it_is_opened() -> None:
    deals = table()
    step(deals)
    step(deals)
    public = deals[BEA].public
    cards = list(public.lay_out(public.layers[0], SECRET))
    cards[0] = msgspec.structs.replace(cards[0], card=int(Card.parse("7h'")))
    public = public.receive(HOST, commit_to(public, cards))
    assert code_of(public.verify, 0, cards[0]) == "not-in-deck"


def commit_to(public: Transcript, openings: list[Opening]) -> DeckLaid:
    return DeckLaid(b"".join(public.commit_to(opening) for opening in openings))


@given(st.data())
def test_no_changed_opening_is_accepted(data: st.DataObject) -> None:
    deals = dealt()
    slot = data.draw(st.integers(0, len(CARDS) - 1))
    good = deals[HOST].open_public(slot)
    other = data.draw(st.sampled_from([int(card) for card in CARDS if card != good.card]))
    bit = data.draw(st.integers(0, 255))
    flipped = (int.from_bytes(good.proof, "big") ^ 1 << bit).to_bytes(32, "big")
    for wrong in (
        msgspec.structs.replace(good, card=other),
        msgspec.structs.replace(good, proof=flipped),
        msgspec.structs.replace(good, slot=(slot + 1) % len(CARDS)),
        msgspec.structs.replace(good, proof=b""),
    ):
        assert code_of(deals[BEA].verify, slot, wrong) == "bad-opening"


def test_nothing_of_one_hand_fits_another() -> None:
    one = dealt()
    public = fresh(context=digest("test", b"match 1, hand 2"))
    promise = promise_entropy(CONTEXT, BEA, b"e" * 32)
    for peer in PEERS:
        public = public.receive(peer, EntropyCommit(promise))
    assert code_of(public.receive, BEA, EntropyOpen(b"e" * 32)) == "entropy-mismatch"
    assert one[BEA].public.promise != public.promise


def test_only_the_host_opens_and_only_when_the_deck_is_out() -> None:
    deals = table()
    assert code_of(deals[HOST].open_public, 0) == "deck-hidden"
    assert code_of(deals[BEA].verify, 0, Opening(0, 0, b"")) == "deck-hidden"
    deals = dealt()
    assert code_of(deals[BEA].open_public, 0) == "deck-hidden"
    assert code_of(deals[HOST].open_public, len(CARDS)) == "no-such-slot"
    assert code_of(deals[BEA].verify, len(CARDS), Opening(0, 0, b"")) == "no-such-slot"


def test_what_a_peer_says_must_be_due() -> None:
    public = fresh()
    commit, show, lay = EntropyCommit(b"c" * 32), EntropyOpen(b"e" * 32), DeckLaid(b"d" * 32)
    for early in (show, lay):
        assert code_of(public.receive, HOST, early) == "entropy-early"
    assert code_of(public.receive, STRANGER, commit) == "entropy-stranger"
    once = public.receive(BEA, commit)
    assert code_of(once.receive, BEA, commit) == "entropy-twice"
    assert code_of(dealt()[BEA].receive, BEA, commit) == "entropy-early"


def test_only_the_host_lays_the_deck_and_lays_all_of_it() -> None:
    deals = table()
    step(deals)
    step(deals)
    (lay,) = deals[HOST].messages()
    assert code_of(deals[BEA].receive, BEA, lay) == "not-the-dealer"
    assert code_of(deals[BEA].receive, HOST, DeckLaid(b"d" * 32)) == "bad-deck"
    assert deals[BEA].messages() == ()


def reshuffled() -> tuple[dict[bytes, CommittedDeal], tuple[Card, ...]]:
    deals = dealt()
    known = tuple(deals[BEA].verify(slot, deals[HOST].open_public(slot)) for slot in (5, 9, 20, 21, 22))
    for deal in deals.values():
        deal.reshuffle(len(CARDS), known)
    return deals, known


def test_known_cards_are_laid_out_anew_in_new_slots() -> None:
    deals, known = reshuffled()
    before = deals[BEA].commitment
    assert code_of(deals[HOST].open_public, len(CARDS)) == "deck-hidden"
    assert deals[BEA].public.missing() == (HOST,)
    assert {type(message) for message in step(deals)} == {DeckLaid}
    opened = [deals[CEM].verify(slot, deals[HOST].open_public(slot)) for slot in range(len(CARDS), len(CARDS) + 5)]
    assert sorted(opened) == sorted(known)
    assert deals[BEA].verify(0, deals[HOST].open_public(0)) in CARDS
    assert deals[BEA].commitment == before
    deals[BEA].public.audit(SECRET)


def test_a_stacked_reshuffle_is_found() -> None:
    deals, _ = reshuffled()
    public = deals[BEA].public
    stacked = list(public.lay_out(public.layers[-1], SECRET))
    stacked[0], stacked[1] = (
        msgspec.structs.replace(stacked[1], slot=stacked[0].slot),
        msgspec.structs.replace(stacked[0], slot=stacked[1].slot),
    )
    public = public.receive(HOST, commit_to(public, stacked))
    assert code_of(public.audit, SECRET) == "deck-differs"


@pytest.mark.parametrize(("first", "count"), [(len(CARDS) + 1, 2), (len(CARDS), 0)])
def test_a_reshuffle_into_other_slots_is_none(first: int, count: int) -> None:
    assert code_of(dealt()[BEA].reshuffle, first, CARDS[:count]) == "no-reshuffle"
    assert code_of(table()[BEA].reshuffle, len(CARDS), CARDS) == "no-reshuffle"


def test_the_stage_tells_for_whom_it_waits() -> None:
    public = fresh().receive(BEA, EntropyCommit(b"c" * 32))
    assert public.missing() == (HOST, CEM)
    deals = table()
    step(deals)
    step(deals)
    assert deals[BEA].public.missing() == (HOST,)
    step(deals)
    assert deals[BEA].public.missing() == ()
    assert set(NEXT) == set(Stage) - {Stage.DEALT}


def test_the_order_of_messages_does_not_matter_for_the_deck() -> None:
    one, other = table(), table()
    messages = [(peer, message) for peer, deal in one.items() for message in deal.messages()]
    for author, message in messages:
        one[BEA].receive(author, message)
    for author, message in reversed(messages):
        other[BEA].receive(author, message)
    shown = [(peer, EntropyOpen(bytes([peer[0] + 100]) * 32)) for peer in PEERS]
    for author, show in shown:
        one[BEA].receive(author, show)
    for author, show in reversed(shown):
        other[BEA].receive(author, show)
    for deals in (one, other):
        layer = deals[BEA].public.layers[0]
        assert deals[BEA].public.lay_out(layer, SECRET) == one[BEA].public.lay_out(layer, SECRET)


def test_a_secret_is_not_shown_by_accident() -> None:
    deal = dealt()[HOST]
    assert SECRET.decode() not in repr(deal)
    assert deal.secret == SECRET
    assert dealt()[BEA].secret is None


def test_the_deal_keeps_the_interface() -> None:
    deal: Deal = dealt()[HOST]
    assert deal.commitment


def test_known_answer_of_the_shuffle() -> None:
    order = shuffle(pack(1, 0), b"\x00" * 32)
    assert " ".join(map(str, order[:6])) == KNOWN
    assert sorted(order) == sorted(pack(1, 0))


KNOWN = "Kh 5c 10d Ac 4s 3c"


def test_a_deck_longer_than_one_block_of_randomness_is_shuffled_too() -> None:
    cards = pack(6, 0)
    assert sorted(shuffle(cards, b"s" * 32)) == sorted(cards)


def test_every_order_of_four_cards_is_equally_likely() -> None:
    cards = pack(1, 0)[:4]
    seen = Counter(shuffle(cards, n.to_bytes(32, "big")) for n in range(4800))
    assert set(seen) == set(permutations(cards))
    expected = 4800 / 24
    assert sum((count - expected) ** 2 / expected for count in seen.values()) < 49.7  # chi-square, 23 degrees, 0.1 %


@pytest.mark.parametrize("extra", [{"x": 1}, {}])
def test_a_message_with_unknown_fields_is_none(extra: dict[str, int]) -> None:
    raw = {"type": "entropy-open", "entropy": b"e" * 32} | extra
    if extra:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(raw, EntropyOpen, builtin_types=(bytes,))
    else:
        assert msgspec.convert(raw, EntropyOpen, builtin_types=(bytes,)) == EntropyOpen(b"e" * 32)
