"""The blind deal as one peer has it: what it says, what it sees, what it can never see."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Iterable, Sequence
from itertools import combinations

import pytest

from rummy_p2p.cards import Card, pack
from rummy_p2p.deal import Opening
from rummy_p2p.deal.blind import BlindDeal
from rummy_p2p.deal.blind_deck import cards_by_point, open_pair
from rummy_p2p.deal.blind_messages import CardFault, DeckOk, HandOver, Shares, ShuffleDeck
from rummy_p2p.deal.blind_transcript import BlindStage, BlindTranscript, begin_blind
from rummy_p2p.deal.breach import Breach
from rummy_p2p.deal.group import Point, times
from rummy_p2p.deal.keys import KeyShare
from tests.deal.blind_table import IDS, POSTBOXES, SMALL, Table, dealt_table, dice, made_key, record_of, refusal, spec

ADA, BEA, CEM = IDS[:3]


def restarted(table: Table, number: int, label: str = "table") -> BlindDeal:
    """A peer's deal after a restart: what is on its disk, beside the ledger."""
    peer, old = table.ids[number], table[number]
    secret = hashlib.sha256(label.encode() + peer).digest()
    share = KeyShare.from_bytes(made_key(len(table.ids))[1][peer].to_bytes())
    return BlindDeal(table.public, peer, share, secret, POSTBOXES[peer], dice("again"), old.released)


# ---------------------------------------------------------------- whole deals


@pytest.mark.parametrize("cards", [pack(1, 0), pack(2, 6)], ids=["52", "110"])
@pytest.mark.parametrize("count", [2, 3, 6])
def test_a_whole_deal(count: int, cards: tuple[Card, ...]) -> None:
    table = Table(count, cards).dealt()
    hands = [range(7 * number, 7 * number + 7) for number in range(count)]
    for number, hand in enumerate(hands):
        table.hear(number, table[number].draw(hand))
    table.certify()
    bundles = [message for deal in table.deals.values() for message in deal.messages()]
    assert len(bundles) == count
    assert {type(message) for message in bundles} == {Shares}
    table.talk()
    seen = [table.look(number, slot) for number, hand in enumerate(hands) for slot in hand]
    table.flip(len(cards) - 1)
    shown = [card for number, hand in enumerate(hands) for card in table.show(number, *hand).values()]
    assert shown == seen
    assert len({*seen, table.public.face(len(cards) - 1)}) == 7 * count + 1
    assert table.public.verdict is None
    table.public.audit()


def test_every_slot_opens_to_another_card_of_the_deck() -> None:
    table = dealt_table(3)
    table.draw(0, *range(len(SMALL)))
    assert sorted(table.look(0, slot) for slot in range(len(SMALL))) == sorted(SMALL)


def test_peers_that_fold_for_themselves_come_to_the_same() -> None:
    table = Table(2)
    public = {peer: begin_blind(spec(2)) for peer in table.ids}
    for author, message in everything(table):
        for peer in table.ids:
            public[peer] = public[peer].receive(author, message, record_of(author, message))
    assert public[ADA] == public[BEA] == table.public
    assert public[ADA].commitment == table[0].commitment is not None


def everything(table: Table) -> Iterable[tuple[bytes, ShuffleDeck | DeckOk]]:
    """What is said until the deck is signed."""
    while table.stage() is not BlindStage.DEALT:
        for number, peer in enumerate(table.ids):
            table[number].check_all()
            for message in table[number].messages():
                assert isinstance(message, ShuffleDeck | DeckOk)
                table.hear(peer, message)
                yield peer, message


def test_a_deal_receives_what_is_said() -> None:
    table = Table(2)
    other = Table(2)
    for author, message in everything(table):
        other[1].receive(author, message, record_of(author, message))
    assert other[1].public == table.public


def test_the_next_hand_is_shuffled_by_another_first_and_has_another_deck() -> None:
    one, other = Table(3, hand=0), Table(3, hand=1)
    assert one.public.missing() == (ADA,)
    assert other.public.missing() == (BEA,)
    assert one.public.hand != other.public.hand
    assert one.dealt().public.commitment != other.dealt().public.commitment
    assert one.public.joint == other.public.joint


# ---------------------------------------------------------------- what is said, and when


def test_a_shuffle_is_made_once_and_its_proof_is_checked_before_the_deck_is_signed() -> None:
    table = Table(2)
    assert table[1].messages() == ()
    (turn,) = table[0].messages()
    assert table[0].messages() == (turn,)
    table.hear(0, turn)
    table.hear(1, table[1].messages()[0])
    assert table.stage() is BlindStage.SIGN
    assert table.public.missing() == table.ids
    assert table[0].messages() == ()
    (check,) = table[0].checks()
    table[0].note(check, holds=check.holds())
    assert table[0].checks() == ()
    (ok,) = table[0].messages()
    assert isinstance(ok, DeckOk)
    table.hear(0, ok)
    assert table.public.missing() == (BEA,)
    assert table[0].messages() == ()
    assert table.public.commitment is None
    table.talk()
    assert table.public.commitment == ok.commitment


def test_a_shuffle_and_its_checks_can_be_made_elsewhere() -> None:
    table = Table(2)
    assert table[1].turn() is None
    turn = table[0].turn()
    assert turn is not None
    assert repr(turn) == "ShuffleTurn(epoch=0)"
    assert table[0].turn() is None
    assert table[0].messages() == ()
    made = turn.run()
    table[0].lay(made)
    assert table[0].messages() == (made,)
    table.hear(0, made)
    assert table[0].turn() is None
    (check,) = table[1].checks()
    assert pickle.loads(pickle.dumps(check)).holds()  # noqa: S301 -- our own bytes
    table.dealt()


def test_no_share_goes_out_before_its_draw_is_under_a_certificate() -> None:
    table = dealt_table(2)
    table.hear(0, table[0].draw((0,)))
    assert table[1].messages() == ()
    table[1].certify([b"another request"])
    assert table[1].messages() == ()
    assert not table[1].released
    assert table[1].certified == {b"another request"}
    table.certify()
    (shares,) = table[1].messages()
    assert isinstance(shares, Shares)
    assert table[1].messages() == (shares,)
    assert table[1].released == ((0, 0, table.public.requests[0].points[0]),)
    assert refusal(table[0].open_private, 0, 0) == ("too-few-shares", None)
    table.hear(1, shares)
    assert table[1].messages() == ()
    assert table.look(0, 0) in SMALL


def test_what_becomes_due_later_goes_into_another_bundle() -> None:
    table = dealt_table(2)
    for slot in (0, 1):
        table.hear(0, table[0].draw((slot,)))
        table.certify()
        assert len(table[1].messages()) == slot + 1
    first, second = table[1].messages()
    table.hear(1, first)
    assert table[1].messages() == (second,)


def test_a_draw_is_the_same_until_it_is_in_the_ledger() -> None:
    table = dealt_table(2)
    assert table[0].draw((0, 1)) is table[0].draw((0, 1))
    assert table[0].draw((0,)).points != table[0].draw((1,)).points
    assert table[0].draw((0,)).points != table[1].draw((0,)).points
    assert refusal(table[0].draw, (9,)) == ("no-such-slot", None)
    assert refusal(Table(2)[0].draw, (0,)) == ("deck-hidden", None)


def test_a_second_point_for_a_slot_gets_no_share() -> None:
    """The ledger was forked: the draw that was answered is gone, and another one stands in its place."""
    table = dealt_table(3)
    before = table.public
    table.draw(0, 0)
    table.set(before)
    table.hear(1, table[1].draw((0,)))
    table.certify()
    assert table[2].messages() == ()
    (conflict,) = table[2].conflicts()
    assert (conflict.code, conflict.parameters) == ("second-point", {"slot": 0})
    again = restarted(table, 2)
    again.certify(each.id for each in table.public.requests)
    assert again.messages() == ()
    assert len(again.conflicts()) == 1


def test_the_same_draw_again_gets_the_same_share() -> None:
    table = dealt_table(2)
    before = table.public
    draw = table[0].draw((0,))
    table.draw(0, 0)
    first = table.public.requests[0].shares
    table.set(before)
    table.hear(0, draw)
    table.talk()
    assert table.public.requests[0].shares == first
    assert table[1].conflicts() == ()


def test_a_card_for_all_is_answered_although_its_slot_was_drawn() -> None:
    table = dealt_table(3)
    table.draw(0, 0)
    card = table.look(0, 0)
    table.flip(0)
    assert table.public.face(0) == card
    assert table[1].conflicts() == ()


def test_whoever_was_away_at_the_shuffle_checks_it_before_giving_a_share() -> None:
    table = Table(3)
    table.set(begin_blind(spec(3, present=IDS[:2])))
    table.talk()
    assert table.stage() is BlindStage.DEALT
    fresh = restarted(table, 2)
    table.hear(0, table[0].draw((0,)))
    fresh.public = table.public
    fresh.certify([table.public.requests[0].id])
    assert len(fresh.checks()) == 2
    assert fresh.messages() == ()
    fresh.check_all()
    assert {type(message) for message in fresh.messages()} == {Shares}


def test_a_peer_that_signed_the_deck_need_not_check_it_again_after_a_restart() -> None:
    table = dealt_table(2)
    assert restarted(table, 1).checks() == ()


# ---------------------------------------------------------------- seeing and not seeing


def test_only_the_owner_sees_a_drawn_card() -> None:
    table = dealt_table(3)
    table.draw(0, 0)
    assert table.look(0, 0) in SMALL
    for number in (1, 2):
        assert refusal(table[number].open_private, 0, 0) == ("deck-hidden", None)
        assert refusal(table[number].open_public, 0) == ("deck-hidden", None)
        assert refusal(table[number].hand_over, 0, ADA) == ("deck-hidden", None)
        assert table[number].messages() == ()
    assert refusal(table[0].open_public, 0) == ("deck-hidden", None)
    assert refusal(table[0].open_private, 1, 0) == ("deck-hidden", None)


def test_everybody_verifies_a_shown_card() -> None:
    table = dealt_table(3)
    table.draw(0, 0)
    opening = table[0].open_private(0, 0)
    assert table[1].verify(0, opening) == table[2].verify(0, opening) == Card(opening.card)
    assert table.show(0, 0) == {0: Card(opening.card)}
    assert table[2].open_public(0) == Opening(slot=0, card=opening.card, proof=b"")
    assert table[1].verify(0, table[2].open_public(0)) == Card(opening.card)
    assert table.show_openings(0, [opening]) == {0: Card(opening.card)}


def cards_within_reach(public: BlindTranscript, states: Sequence[BlindDeal], slot: int) -> set[Card]:
    """Every card that the code at hand computes for a slot from the whole state of some peers."""
    key, layer, drawn = public.spec.key, public.layer_of(slot), public.drawn(slot)
    pair, table = layer.pair(slot), cards_by_point(layer.cards)
    scalars = {key.index_of(state._me): state._share.scalar for state in states}
    over_c1 = {index: times(scalar, pair.c1) for index, scalar in scalars.items()}
    found = [open_pair(pair, shares, key.public, 0) for shares in choices(over_c1, key.threshold)]
    if drawn is not None:
        over_b = public.shares_of(slot) | {i: times(scalar, drawn.point(slot)) for i, scalar in scalars.items()}
        own = [state._derived(layer, other) for state in states for other in range(layer.first, layer.end)]
        for shares in choices(over_b, key.threshold):
            found += [open_pair(pair, shares, key.public, factor) for factor in (0, *own)]
    return {table[point] for point in found if point in table}


def choices(shares: dict[int, Point], size: int) -> Iterable[tuple[tuple[int, Point], ...]]:
    """Every t shares; when there are fewer, those there are (which is what a guess would have to do with)."""
    return combinations(sorted(shares.items()), min(size, len(shares))) if shares else ()


@pytest.mark.parametrize(("count", "cards"), [(2, SMALL), (3, SMALL), (5, SMALL)], ids=["2", "3", "5"])
def test_t_minus_1_peers_together_see_no_foreign_card_and_t_do(count: int, cards: tuple[Card, ...]) -> None:
    table = dealt_table(count, cards)
    table.draw(0, 0)
    truth = table.look(0, 0)
    threshold = table.public.spec.key.threshold
    others = [table[number] for number in range(1, count)]
    for coalition in combinations(others, threshold - 1):
        assert cards_within_reach(table.public, coalition, 0) == set()
        assert cards_within_reach(table.public, coalition, 4) == set()
    for coalition in combinations([table[number] for number in range(count)], threshold):
        assert cards_within_reach(table.public, coalition, 0) >= {truth}
        assert len(cards_within_reach(table.public, coalition, 4)) == 1


@pytest.mark.parametrize("count", [2, 6])
def test_the_hosts_whole_state_in_mid_hand_opens_no_foreign_card(count: int) -> None:
    table = dealt_table(count, pack(1, 0)[:16])
    for number in range(count):
        table.draw(number, 2 * number, 2 * number + 1)
    table.show(1, 2)
    host = table[0]
    for slot in range(16):
        reached = cards_within_reach(table.public, [host], slot)
        assert reached == ({table.look(0, slot)} if slot in {0, 1} else set())
        if slot not in {0, 1}:
            assert refusal(host.open_private, slot, 0)[0] == "deck-hidden"


def test_secrets_are_not_shown_by_accident() -> None:
    table = dealt_table(2)
    table.draw(0, 0)
    table.look(0, 0)
    assert repr(table[0]) == "BlindDeal(BlindStage.DEALT, cards=1)"


# ---------------------------------------------------------------- peers that are away


def test_any_quorum_opens_the_next_card() -> None:
    table = dealt_table(3)
    table.draw(0, 0, silent=[2])
    assert table.look(0, 0) in SMALL
    table.draw(1, 1, silent=[0, 2])
    assert refusal(table[1].open_private, 1, 0) == ("too-few-shares", None)
    table.talk(2)
    assert table.look(1, 1) in SMALL


def test_with_the_secret_of_another_hand_nothing_opens_and_nobody_is_accused() -> None:
    table = dealt_table(3)
    table.draw(2, 0, 1)
    other = restarted(table, 2, "another hand")
    assert refusal(other.look, 0) == ("no-factor", None)
    assert other.messages() == ()


def test_whoever_comes_back_has_its_cards_again() -> None:
    table = dealt_table(3)
    table.draw(2, 0, 1)
    before = [table.look(2, slot) for slot in (0, 1)]
    again = restarted(table, 2)
    assert [Card(again.open_private(slot, 0).card) for slot in (0, 1)] == before
    assert table.public.verify(0, again.open_private(0, 0)) == before[0]
    assert again.draw((2,)).points == table[2].draw((2,)).points


def test_an_absent_seat_is_counted_by_the_others() -> None:
    table = dealt_table(3)
    table.draw(2, 0, 1)
    cards = [table.look(2, slot) for slot in (0, 1)]
    table[0].flip((0, 1), b"r" * 32)
    table.set(table[0].public)
    table.certify()
    table.talk(2)
    assert [table.public.face(slot) for slot in (0, 1)] == cards
    openings = [table[2].open_private(slot, 0) for slot in (0, 1)]
    assert list(table.show_openings(2, openings).values()) == cards


def test_who_is_not_of_this_table_owes_nothing() -> None:
    table = dealt_table(2)
    table.draw(0, 0)
    assert table.public.unanswered(b"s" * 32) == ()


# ---------------------------------------------------------------- reshuffles


def reshuffled(count: int = 3, present: Sequence[bytes] = ()) -> tuple[Table, list[Card]]:
    table = dealt_table(count)
    table.draw(0, 0, 1, 2)
    known = sorted(table.show(0, 0, 1, 2).values())
    table[0].reshuffle(len(SMALL), known, present)
    table.set(table[0].public)
    return table, known


def test_known_cards_are_shuffled_anew_in_new_slots() -> None:
    table, known = reshuffled()
    before = table.public.commitment
    assert table.stage() is BlindStage.SHUFFLE
    assert table.public.missing() == (BEA,)
    assert refusal(table[0].draw, (5,)) == ("deck-hidden", None)
    table.draw(1, 3)
    table.talk()
    assert table.stage() is BlindStage.DEALT
    assert table.public.commitment == before
    table.draw(1, 5, 6)
    table.draw(2, 7)
    assert sorted([table.look(1, 5), table.look(1, 6), table.look(2, 7)]) == known
    assert next(iter(table.show(1, 5).values())) in known
    assert table[1].messages() == ()
    table.public.audit()


def test_those_who_are_present_shuffle_anew() -> None:
    table, known = reshuffled(present=(ADA, CEM))
    assert table.public.layers[-1].order == (CEM, ADA)
    table.talk()
    table.draw(0, 5)
    assert table.look(0, 5) in known


def test_a_shuffle_begins_again_without_a_peer_that_vanished() -> None:
    table = Table(3)
    table.talk(1)
    assert table.public.missing() == (BEA,)
    table.set(table.public.again((ADA, CEM)))
    table.talk(1)
    assert table.stage() is BlindStage.DEALT
    assert (table.public.layers[0].epoch, table.public.layers[0].order) == (1, (CEM, ADA))
    table.draw(0, 0, silent=[1])
    assert table.look(0, 0) in SMALL


# ---------------------------------------------------------------- hand-overs


@pytest.mark.parametrize("count", [2, 3])
def test_a_drawn_card_is_handed_over(count: int) -> None:
    table = dealt_table(count)
    table.draw(0, 0)
    card = table.look(0, 0)
    table.hear(0, table[0].hand_over(0, BEA))
    assert table.public.owner(0) == BEA
    assert table.look(1, 0) == card
    assert refusal(table[0].open_private, 0, 0) == ("deck-hidden", None)
    assert table[1].messages() == ()
    assert table.show(1, 0) == {0: card}


def test_a_card_is_handed_on_and_back() -> None:
    table = dealt_table(3)
    table.draw(0, 0)
    card = table.look(0, 0)
    for giver, taker in ((0, 1), (1, 2), (2, 0)):
        table.hear(giver, table[giver].hand_over(0, IDS[taker]))
        assert table.look(taker, 0) == card
    assert table.show(0, 0) == {0: card}


def test_a_wrong_box_is_answered_by_showing_what_was_in_it() -> None:
    table = dealt_table(3)
    table.draw(0, 0)
    card = table.look(0, 0)
    honest = table[0].hand_over(0, BEA)
    table.hear(0, HandOver(0, BEA, bytes(72), honest.share, honest.proof))
    assert refusal(table[1].open_private, 0, 0) == ("no-hand-over", None)
    table.talk(0)
    assert table.public.owed() == ((ADA, 0),)
    assert table[1].messages() == ()
    table.talk()
    assert table.public.owed() == ()
    assert table.look(1, 0) == card
    assert table.show(1, 0) == {0: card}


# ---------------------------------------------------------------- a deck that all but one have spoilt


def spoilt(which: str) -> Table:
    """A deck with a wrong slot, signed although the proof is wrong, which no honest peer would do.

    One slot holds the same card as another ("twice"), or the halves of two ("mixed").
    """
    table = Table(2)
    table.careless = True
    (turn,) = table[0].messages()
    assert isinstance(turn, ShuffleDeck)
    first, second, rest = turn.deck[:64], turn.deck[64:128], turn.deck[64:]
    deck = (second if which == "twice" else first[:32] + second[32:]) + rest
    table.hear(0, ShuffleDeck(turn.epoch, turn.after, deck, turn.proof))
    table.talk()
    assert table.stage() is BlindStage.DEALT
    return table


def drawn_by(table: Table, number: int, *slots: int) -> list[CardFault]:
    """A peer draws slots of a spoilt deck: what it then has to say about them."""
    table.hear(number, table[number].draw(slots))
    table.certify()
    table.hear(1 - number, table[1 - number].messages()[0])
    said = table[number].messages()
    assert table[number].messages() == said
    return [message for message in said if isinstance(message, CardFault)]


def wrong_slots(which: str) -> tuple[int, ...]:
    """The slots of a spoilt deck that hold no card, or the same one."""
    (fault,) = drawn_by(spoilt(which), 0, *range(len(SMALL)))
    return fault.slots


def test_a_slot_that_holds_no_card_voids_the_hand() -> None:
    (slot,) = wrong_slots("mixed")
    table = spoilt("mixed")
    (fault,) = drawn_by(table, 0, slot)
    assert refusal(table[0].open_private, slot, 0) == ("no-card", None)
    shown = Opening(slot=slot, card=int(SMALL[0]), proof=fault.proofs[0])
    assert refusal(table.public.show, ADA, [shown]) == ("not-in-deck", None)
    table.hear(0, fault)
    assert table.public.verdict is not None
    assert (table.public.verdict.code, table.public.verdict.culprit) == ("no-card", None)
    assert table[0].messages() == ()
    assert refusal(table.public.receive, ADA, fault, b"") == ("hand-void", None)


def test_two_slots_with_one_card_void_the_hand() -> None:
    table = spoilt("twice")
    (fault,) = drawn_by(table, 0, *wrong_slots("twice"))
    assert len(fault.slots) == 2
    table.hear(0, fault)
    assert table.public.verdict is not None


def test_a_card_that_was_seen_in_another_slot_voids_the_hand() -> None:
    one, other = wrong_slots("twice")
    table = spoilt("twice")
    assert drawn_by(table, 0, one) == []
    assert drawn_by(table, 1, other) == []
    table.show(0, one)
    assert refusal(table.public.verify, other, table[1].open_private(other, 0)) == ("seen-before", None)
    (fault,) = table[1].messages()
    assert isinstance(fault, CardFault)
    table.hear(1, fault)
    assert table.public.verdict is not None


def test_a_card_for_all_that_is_none_voids_the_hand() -> None:
    (slot,) = wrong_slots("mixed")
    table = spoilt("mixed")
    table.flip(slot)
    assert table.public.verdict is not None
    assert table.public.verdict.code == "no-card"


def test_an_audit_names_whose_shuffle_was_wrong() -> None:
    with pytest.raises(Breach) as caught:
        spoilt("mixed").public.audit()
    assert (caught.value.code, caught.value.culprit) == ("bad-shuffle", ADA)
