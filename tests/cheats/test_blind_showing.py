"""Attacks with shares, with cards that are shown, and with false words, done by a peer at a table of sessions."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from rummy_p2p.cards import Card
from rummy_p2p.deal import Opening
from rummy_p2p.deal.blind_messages import CardFault, Shares
from rummy_p2p.deal.breach import CONVICTING
from rummy_p2p.deal.group import times, write_scalar
from rummy_p2p.deal.proofs import prove_equal
from rummy_p2p.engine import IllegalAction, View, parse_action
from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.fold import advance
from rummy_p2p.protocol.ledger import Entry
from rummy_p2p.protocol.records import Act, Away, Void
from rummy_p2p.protocol.state import Fold, Motion, Stage, motion_of
from tests.cheats.cheating import (
    FRESH,
    begun,
    deal_of,
    dealt,
    deposed,
    instead,
    lying,
    nothing_happened,
    one_ledger,
    ordered,
    play,
    put_out,
    share_of,
    shares_with,
    shifted,
    told,
)
from tests.protocol.lan import Lan, Peer, play_out
from tests.protocol.tampering import match_of

DRAW = parse_action("draw")
T2 = (2**255 - 20).to_bytes(32, "little")
counts = pytest.mark.parametrize("count", [2, 3])
few = pytest.mark.parametrize("count", [2, pytest.param(3, marks=pytest.mark.nightly)])


# ---------------------------------------------------------------- shares


def first_part(body: Shares, **changes: object) -> Shares:
    return Shares((msgspec.structs.replace(body.parts[0], **changes), *body.parts[1:]))


def of_another(cheat: Peer, others: list[Peer], body: Shares) -> Shares:
    """What the third one at the table would say, in the cheat's name."""
    third = others[2]
    secret = deal_of(third)._share.scalar
    return Shares(tuple(share_of(cheat, part.request, secret, third) for part in body.parts))


WRONG_SHARES: dict[str, tuple[Callable[[Peer, list[Peer], Shares], Shares], str]] = {
    "another secret": (lambda cheat, _, body: shares_with(cheat, 5)(body), "bad-share"),
    "another player's": (of_another, "bad-share"),
    "one more": (lambda _c, _p, body: first_part(body, points=body.parts[0].points + T2), "bad-share"),
    "small order": (lambda _c, _p, body: first_part(body, points=T2 + body.parts[0].points[32:]), "bad-point"),
    "k + L": (lambda _c, _p, body: first_part(body, proof=shifted(body.parts[0].proof, 1)), "bad-scalar"),
}


@pytest.mark.parametrize("wrong", WRONG_SHARES.values(), ids=WRONG_SHARES)
def test_a_share_that_opens_nothing(wrong: tuple[Callable[[Peer, list[Peer], Shares], Shares], str]) -> None:
    change, code = wrong
    lan, peers = begun(3, 200)
    lying(peers[1], instead(Shares, lambda body: change(peers[1], peers, body)))
    put_out(lan, peers, peers[1], code)


def test_a_wrong_share_among_two_players() -> None:
    lan, peers = begun(2, 201)
    lying(peers[1], instead(Shares, shares_with(peers[1], 5)))
    put_out(lan, peers, peers[1], "bad-share")


def test_a_host_that_gives_a_wrong_share_is_found_out_by_all_guests() -> None:
    lan, peers = begun(3, 202)
    host, guests = peers[0], peers[1:]
    held: list[Shares] = []
    lying(host, instead(Shares, held.append))
    lan.run(lambda: bool(held))
    lan.settle()
    ordered(lan, host, guests, shares_with(host, 5)(held[0]))
    deposed(lan, guests, host, "bad-share")


def test_a_share_for_a_draw_that_is_not_in_the_ledger_is_declined() -> None:
    lan, peers = begun(3, 203)
    lying(peers[1], instead(Shares, lambda body: first_part(body, request=FRESH)))
    play_out(lan, peers)
    nothing_happened(peers)
    one_ledger(peers)


@pytest.mark.nightly
def test_who_gives_no_shares_holds_nobody_up_where_others_are_enough() -> None:
    lan, peers = begun(3, 204)
    lying(peers[1], instead(Shares, lambda _: None))
    play_out(lan, peers)
    nothing_happened(peers)
    one_ledger(peers)


# ---------------------------------------------------------------- showing what one does not hold


def about_to_discard(lan: Lan, peers: list[Peer], cheat: Peer) -> View:
    """Go on until the cheat has drawn and would have to discard: what it sees then."""
    play(peers)
    cheat.think = lambda view, _: DRAW if view.on_turn and view.state.phase == "draw" else None
    lan.run(lambda: must_discard(cheat))
    for peer in peers:
        peer.plays = False
    lan.settle()
    assert must_discard(cheat)
    return cheat.table.view(cheat.table.own_seats[0])


def must_discard(peer: Peer) -> bool:
    fold = match_of(peer).replica.committed
    if fold.hand is None or fold.hand.phase != "play" or not peer.table.seats_to_think():
        return False
    view = peer.table.view(peer.table.own_seats[0])
    return view.on_turn and any(view.state.faces[slot] is None for slot in view.state.hands[view.seat])


def a_lie(peer: Peer, view: View, change: Callable[[Opening, Card], Opening]) -> Act:
    """A discard of a card that the cheat would like to have, from a slot that it holds."""
    slot = next(slot for slot in view.state.hands[view.seat] if view.state.faces[slot] is None)
    honest = deal_of(peer).open_private(slot, view.seat)
    wished = next(card for card in deal_of(peer).public.spec.cards if card not in view.hand)
    return Act(seat=view.seat, move=f"discard {wished}", openings=(change(honest, wished),))


def renamed(peer: Peer) -> Callable[[Opening, Card], Opening]:
    return lambda honest, wished: msgspec.structs.replace(honest, card=int(wished))


def forged(peer: Peer, *, more: int, secret: int) -> Callable[[Opening, Card], Opening]:
    """With a factor or a secret of one's own choice: some pair of them would open the slot to the wished card."""

    def forge(honest: Opening, wished: Card) -> Opening:
        deal, public = deal_of(peer), deal_of(peer).public
        drawn = public.drawn(honest.slot)
        assert drawn is not None
        factor, scalar = int.from_bytes(honest.proof[:32], "little") + more, deal._share.scalar + secret
        point = drawn.point(honest.slot)
        product, about = times(scalar, point), drawn.about(public.hand, peer.id, (honest.slot,))
        proof = prove_equal(about, scalar, public.spec.key.share_of(peer.id), (point,), (product,), FRESH)
        return Opening(slot=honest.slot, card=int(wished), proof=write_scalar(factor) + product + proof)

    return forge


def mended(at: int, data: bytes) -> Callable[[Peer], Callable[[Opening, Card], Opening]]:
    def change(honest: Opening, _: Card) -> Opening:
        return msgspec.structs.replace(honest, proof=honest.proof[:at] + data + honest.proof[at + 32 :])

    return lambda _: change


def second_scalar(place: int) -> Callable[[Peer], Callable[[Opening, Card], Opening]]:
    return lambda _: lambda honest, _: msgspec.structs.replace(honest, proof=shifted(honest.proof, place))


FALSE_CARDS: dict[str, tuple[Callable[[Peer], Callable[[Opening, Card], Opening]], str]] = {
    "another name": (renamed, "bad-opening"),
    "another factor": (lambda peer: forged(peer, more=1, secret=0), "bad-opening"),
    "another share": (lambda peer: forged(peer, more=0, secret=1), "bad-opening"),
    "k + L for the factor": (second_scalar(0), "bad-scalar"),
    "k + L in the proof": (second_scalar(3), "bad-scalar"),
    "a share of small order": (mended(32, T2), "bad-point"),
}
each_lie = pytest.mark.parametrize("lie", FALSE_CARDS.values(), ids=FALSE_CARDS)


@each_lie
def test_one_of_two_shows_a_card_that_it_does_not_hold(
    lie: tuple[Callable[[Peer], Callable[[Opening, Card], Opening]], str],
) -> None:
    """With t = 2 of 2 the cheat's own share is half of what opens the card: only its proof keeps it honest."""
    make, code = lie
    lan, peers = dealt(2, 210)
    view = about_to_discard(lan, peers, peers[1])
    told(lan, peers[1], peers[:1], a_lie(peers[1], view, make(peers[1])))
    put_out(lan, peers, peers[1], code)


@pytest.mark.parametrize("count", [3, pytest.param(4, marks=pytest.mark.nightly)])
def test_a_guest_shows_a_card_that_it_does_not_hold(count: int) -> None:
    lan, peers = dealt(count, 211)
    cheat = peers[1]
    view = about_to_discard(lan, peers, cheat)
    told(lan, cheat, [peer for peer in peers if peer is not cheat], a_lie(cheat, view, renamed(cheat)))
    put_out(lan, peers, cheat, "bad-opening", fully=True)


@few
@each_lie
def test_a_host_that_shows_a_card_that_it_does_not_hold(
    count: int, lie: tuple[Callable[[Peer], Callable[[Opening, Card], Opening]], str]
) -> None:
    make, code = lie
    lan, peers = dealt(count, 212)
    host, guests = peers[0], peers[1:]
    view = about_to_discard(lan, peers, host)
    ordered(lan, host, guests, a_lie(host, view, make(host)))
    deposed(lan, guests, host, code)


def somebody_elses(view: View, opening: Opening) -> Act:
    hand = view.state
    other = next(slots for seat, slots in enumerate(hand.hands) if seat != view.seat and slots)
    shown = msgspec.structs.replace(opening, slot=other[0])
    return Act(seat=view.seat, move=f"discard {Card(opening.card)}", openings=(shown,))


def an_opening(peer: Peer, view: View) -> Opening:
    slot = next(slot for slot in view.state.hands[view.seat] if view.state.faces[slot] is None)
    return deal_of(peer).open_private(slot, view.seat)


@pytest.mark.nightly
def test_a_slot_of_somebody_else_is_not_shown_by_a_guest() -> None:
    lan, peers = dealt(3, 213)
    cheat = peers[1]
    view = about_to_discard(lan, peers, cheat)
    told(lan, cheat, peers[:1], somebody_elses(view, an_opening(cheat, view)))
    lan.settle()
    cheat.think = None
    play(peers)
    play_out(lan, peers)
    nothing_happened(peers)
    one_ledger(peers)


def test_a_host_that_shows_a_slot_of_somebody_else_is_found_out() -> None:
    lan, peers = dealt(3, 213)
    host, guests = peers[0], peers[1:]
    view = about_to_discard(lan, peers, host)
    ordered(lan, host, guests, somebody_elses(view, an_opening(host, view)))
    deposed(lan, guests, host, "needless-opening")


# ---------------------------------------------------------------- false words


@counts
def test_a_false_fault_about_an_own_card(count: int) -> None:
    lan, peers = dealt(count, 220)
    cheat = peers[1]
    opening = an_opening(cheat, cheat.table.view(cheat.table.own_seats[0]))
    told(lan, cheat, [peers[0]], CardFault((opening.slot,), (opening.proof,)))
    put_out(lan, peers, cheat, "false-fault")


def test_a_false_fault_of_the_host_about_an_own_card() -> None:
    lan, peers = dealt(3, 221)
    host, guests = peers[0], peers[1:]
    opening = an_opening(host, host.table.view(host.table.own_seats[0]))
    ordered(lan, host, guests, CardFault((opening.slot,), (opening.proof,)))
    deposed(lan, guests, host, "false-fault")


def test_a_fault_about_somebody_elses_card() -> None:
    lan, peers = dealt(3, 222)
    cheat, victim = peers[1:]
    opening = an_opening(victim, victim.table.view(victim.table.own_seats[0]))
    told(lan, cheat, [peers[0]], CardFault((opening.slot,), (opening.proof,)))
    put_out(lan, peers, cheat, "not-yours")


@pytest.mark.parametrize("code", ["bad-draw", "bad-share", "two-bodies", "no-such-code"])
def test_a_host_that_accuses_an_honest_guest_convicts_itself(code: str) -> None:
    """Every honest draft of the hand is tried as evidence in turn, old ones included."""
    lan, peers = dealt(3, 223)
    host, guests = peers[0], peers[1:]
    entries = match_of(host).replica.ledger.entries
    drafts = [entry.draft_message for entry in entries if entry.author == guests[0].id]
    assert len(drafts) > 5
    evidence = tuple(pack(draft) for draft in drafts[-2:])
    ordered(lan, host, guests, Void(code=code, evidence=evidence))
    deposed(lan, guests, host, "bad-evidence")


def judged_again(seed: int, every: int) -> int:
    """What a host could try: each honest draft of a hand as evidence, at this and every later place of the ledger."""
    lan, peers = dealt(3, seed)
    play(peers)
    lan.run(lambda: match_of(peers[0]).replica.committed.stage is Stage.COUNTED)
    entries, tried = match_of(peers[0]).replica.ledger.entries, 0
    fold, places = Fold(peers[0].rules, match_of(peers[0]).id), {entry.hash: entry.seq for entry in entries}
    for at, entry in enumerate(entries):
        motion = motion_of(entry, places.get(entry.draft.head, 0))
        if at % every == 0 and fold.stage not in {Stage.EMPTY, Stage.ROSTER}:
            older = [each for each in entries if places.get(each.draft.head, 0) <= at]
            assert not [each for each in older if convicts(fold, motion, each)]
            tried += len(older)
        fold = advance(fold, motion).fold
    return tried


def convicts(fold: Fold, motion: Motion, entry: Entry) -> bool:
    given = msgspec.structs.replace(
        motion, author=entry.author, draft=entry.draft, seen=motion.seq, digest=entry.draft_message.digest
    )
    try:
        advance(fold, given)
    except Fault as fault:
        return fault.code in CONVICTING and fault.culprit is not None
    except IllegalAction:
        return False
    return False


def test_no_honest_draft_convicts_its_author_at_a_later_place() -> None:
    assert judged_again(224, every=40) > 100


@pytest.mark.nightly
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(3))
def test_no_honest_draft_convicts_its_author_at_any_later_place(seed: int) -> None:
    assert judged_again(seed, every=1) > 5000


@counts
def test_a_false_away_convicts_the_host(count: int) -> None:
    lan, peers = dealt(count, 225)
    host, guests = peers[0], peers[1:]
    since = lan.now
    ordered(lan, host, guests, Away(peer=guests[-1].id))
    deposed(lan, guests, host, "false-away")
    assert 10 <= lan.now - since <= 15


def test_only_a_host_says_who_is_away() -> None:
    lan, peers = dealt(3, 226)
    told(lan, peers[1], [peers[0]], Away(peer=peers[2].id))
    lan.settle(12)
    nothing_happened(peers)
    assert not match_of(peers[0]).replica.committed.away
