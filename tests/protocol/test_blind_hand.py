"""One peer's own part in a blind hand: what it says and when, what is on its disk before, what a restart brings."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import msgspec
import pytest

from rummy_p2p.deal.blind_messages import MAX_SLOTS, Draw, Shares, ShuffleDeck
from rummy_p2p.deal.keys import KeyCommit, KeyOk, KeyOpen
from rummy_p2p.engine import Want, parse_action, unshown
from rummy_p2p.protocol.blind_hand import HELD_FOR, BlindParty, Kept
from rummy_p2p.protocol.codec import pack, unpack
from rummy_p2p.protocol.events import HandVoid
from rummy_p2p.protocol.faults import Fault, Refusal
from rummy_p2p.protocol.records import Act, Audit, Away, Back, Body, Departure, HandOpen, Score, Void
from rummy_p2p.protocol.state import Advance, Stage, voided
from tests.protocol.blind_forge import BlindForge, dealt, laid


def kept_of(forge: BlindForge, peer: int = 1) -> Kept:
    data = forge.kept[peer]
    assert data is not None
    return unpack(data, Kept)


def duties(party: BlindParty, forge: BlindForge) -> list[Body]:
    return [body for _, body in party.duties(forge.fold)]


def kinds(bodies: Sequence[Body]) -> set[type]:
    return {type(body) for body in bodies}


def alarms(party: BlindParty) -> list[str]:
    return [fault.code for fault in party.take_alarms()]


# ---------------------------------------------------------------- what is on the disk before it is used


def test_the_share_of_the_key_is_on_the_disk_before_it_is_confirmed() -> None:
    forge = BlindForge().keying()
    party = forge.parties[1]
    forge.talk(lambda: KeyOk in kinds(forge.duties(1)))
    kept = kept_of(forge)
    assert forge.fold.keying is not None
    assert kept.key == forge.fold.keying.digest()
    assert len(kept.share) == 32
    assert (kept.hand, kept.secret) == (0, b"")
    assert party.take_secrets() is None


def test_the_secret_of_a_hand_is_on_the_disk_before_the_first_draw() -> None:
    forge = BlindForge().keyed()
    kept = kept_of(forge)
    assert (kept.hand, kept.epoch, len(kept.secret)) == (1, 0, 32)
    assert forge.fold.stage is Stage.DEALING
    assert kept.released == ()


def test_a_point_is_on_the_disk_before_its_share_is_sent() -> None:
    forge = laid()
    forge.talk(lambda: not forge.fold.owed)
    asked = {
        slot for each in forge.fold.blind.requests if each.owner not in {None, forge.ids[1]} for slot in each.slots
    }
    fresh = forge.restarted(1, forge.kept[1])
    fresh.certify(forge.ledger.tail, forge.now)
    fresh.certify(forge.ledger.tail, forge.now + HELD_FOR)
    assert Shares in kinds(duties(fresh, forge))
    assert {point.slot for point in kept_of(forge).released} == asked
    assert Shares in kinds(forge.duties(1))


def test_secrets_are_told_when_they_change_and_never_shown() -> None:
    forge = dealt()
    party = forge.parties[1]
    assert party.take_secrets() is None
    assert repr(party) == "BlindParty(hand=1, attempt=0)"
    secret = kept_of(forge).secret
    assert secret.hex() not in repr(vars(party)["_deal"])


# ---------------------------------------------------------------- started again


def test_a_program_that_was_started_again_sees_the_same_cards_and_gives_the_same_draws() -> None:
    forge = dealt()
    again = forge.restarted(1, forge.kept[1])
    assert again.view(forge.fold, 1).hand == forge.view(1).hand
    assert again.take_fresh() == (1,)
    assert alarms(again) == []
    seat = forge.turn
    anew = forge.restarted(seat, forge.kept[seat])
    act = forge.act(seat, "draw")
    same = anew.move(forge.fold, anew.view(forge.fold, seat), parse_action("draw"))
    assert act.draw is not None
    assert same.draw is not None
    assert (same.draw.slots, same.draw.points) == (act.draw.slots, act.draw.points)


def test_shares_after_a_restart_are_those_of_before() -> None:
    forge = laid()
    forge.talk(lambda: not forge.fold.owed)
    before = forge.duty(1, Shares)
    again = forge.restarted(1, forge.kept[1])
    for now in (0.0, HELD_FOR):
        again.certify(forge.ledger.tail, forge.now + now)
    (after,) = [body for body in duties(again, forge) if isinstance(body, Shares)]
    assert [(part.request, part.points) for part in after.parts] == [(p.request, p.points) for p in before.parts]
    forge.add(1, after)


def test_a_second_point_of_a_place_gets_no_share_and_is_named() -> None:
    """The ledger that was answered is not the one that is followed now."""
    forge = laid()
    fork = copy.deepcopy(forge)
    forge.talk(lambda: not forge.fold.owed)
    assert Shares in kinds(forge.duties(1))
    kept = kept_of(fork, 2)
    fork.parties[2] = fork.restarted(2, pack(msgspec.structs.replace(kept, secret=b"o" * 32)))
    fork.talk(lambda: not fork.fold.owed)
    again = fork.restarted(1, forge.kept[1])
    again.certify(fork.ledger.tail, fork.now)
    again.certify(fork.ledger.tail, fork.now + HELD_FOR)
    given = [part.request for body in duties(again, fork) if isinstance(body, Shares) for part in body.parts]
    foreign = {each.id for each in fork.fold.blind.requests if each.owner == fork.ids[2]}
    assert not foreign & set(given)
    assert alarms(again) == ["second-point"]


@pytest.mark.parametrize("kept", [None, b"", b"damaged"])
def test_without_its_secrets_a_program_says_so_once_and_its_seat_waits(kept: bytes | None) -> None:
    forge = dealt()
    again = forge.restarted(1, kept)
    assert alarms(again) == ["secrets-gone"]
    assert not again.knows_hand(forge.fold, 1)
    assert duties(again, forge) == []
    with pytest.raises(Refusal, match="no longer has"):
        again.move(forge.fold, forge.view(1), parse_action("draw"))
    again.certify(forge.ledger.tail, forge.now)
    again.follow(forge.steps[-1], forge.ledger.tail)
    assert alarms(again) == []


def test_with_the_secret_of_another_run_a_program_cannot_see_its_cards_and_says_so() -> None:
    forge = dealt()
    again = forge.restarted(1, pack(msgspec.structs.replace(kept_of(forge), secret=b"o" * 32)))
    assert alarms(again) == ["secrets-gone"]
    assert not again.knows_hand(forge.fold, 1)


def test_nobody_has_cards_of_others_to_box() -> None:
    forge = dealt()
    assert all(list(party.boxes_again(forge.fold, forge.ids[1])) == [] for party in forge.parties)


def test_what_is_kept_for_a_later_hand_is_no_loss_in_an_earlier_one() -> None:
    forge = dealt().closed()
    first = len(forge.steps)
    forge.dealt()
    again = forge.party(1, forge.kept[1], seed=1)
    for seq, step in enumerate(forge.steps[:first], 1):
        again.follow(step, seq)
    assert alarms(again) == []
    assert again.take_secrets() is None
    for seq, step in enumerate(forge.steps[first:], first + 1):
        again.follow(step, seq)
    assert again.knows_hand(forge.fold, 1)
    assert alarms(again) == []


def test_a_key_that_was_begun_by_an_earlier_run_is_not_gone_on_with() -> None:
    forge = BlindForge().keying()
    forge.talk(lambda: KeyOpen in kinds(forge.duties(1)))
    again = forge.restarted(1, None)
    assert duties(again, forge) == []
    forge.talk(lambda: KeyOk in kinds(forge.duties(1)))
    again = forge.restarted(1, None)
    assert again.take_secrets() is None
    assert duties(again, forge) == []


# ---------------------------------------------------------------- certificates


def test_no_share_below_a_certificate() -> None:
    forge = laid()
    forge.certifies = False
    forge.talk()
    assert forge.fold.owed == ()
    assert not any(Shares in kinds(forge.duties(n)) for n in range(3))
    party = forge.parties[1]
    first = forge.steps.index(next(step for step in forge.steps if step.fold.is_dealt)) + 1
    party.certify(first, forge.now)
    flips = next(each for each in forge.fold.blind.requests if each.owner is None)
    (shares,) = [body for body in duties(party, forge) if isinstance(body, Shares)]
    assert [part.request for part in shares.parts] == [flips.id]
    party.certify(forge.ledger.tail - 1, forge.now)
    last = forge.fold.blind.requests[-1]
    given = [part.request for body in duties(party, forge) if isinstance(body, Shares) for part in body.parts]
    assert last.id not in given
    party.certify(forge.ledger.tail, forge.now)
    given = [part.request for body in duties(party, forge) if isinstance(body, Shares) for part in body.parts]
    assert len(given) == len([each for each in forge.fold.blind.requests if each.owner != forge.ids[1]])


def test_the_first_shares_wait_until_everybody_has_drawn_or_for_a_moment() -> None:
    forge = BlindForge()
    forge.certifies = False
    forge.laid()
    forge.quiet = {2}
    forge.talk()
    assert [want.seat for want in forge.fold.owed] == [2] * 7
    party = forge.parties[1]
    party.certify(forge.ledger.tail, forge.now)
    party.certify(forge.ledger.tail, forge.now + HELD_FOR - 0.1)
    assert Shares not in kinds(duties(party, forge))
    impatient = copy.deepcopy(party)
    impatient.certify(forge.ledger.tail, forge.now + HELD_FOR)
    assert Shares in kinds(duties(impatient, forge))
    forge.add(0, Away(peer=forge.ids[2]))
    party.certify(forge.ledger.tail, forge.now + HELD_FOR - 0.1)
    assert Shares in kinds(duties(party, forge))


# ---------------------------------------------------------------- jobs


def test_shuffles_and_checks_are_handed_out_once_each() -> None:
    forge = BlindForge().keyed()
    first, second, third = (forge.ids.index(peer) for peer in forge.fold.blind.layers[-1].order)
    party = forge.restarted(first, forge.kept[first])
    (job,) = party.take_jobs()
    assert party.take_jobs() == []
    assert ShuffleDeck not in kinds(duties(party, forge))
    job.finish(job.run())
    (turn,) = [body for body in duties(party, forge) if isinstance(body, ShuffleDeck)]
    forge.add(first, turn)
    watcher = forge.restarted(third, forge.kept[third])
    (check,) = watcher.take_jobs()
    watcher.follow(forge.steps[-1], forge.ledger.tail)
    assert watcher.take_jobs() == []
    assert check.run() is True
    assert second != third


# ---------------------------------------------------------------- duties


def test_a_duty_is_the_same_until_it_is_done() -> None:
    forge = BlindForge().keying()
    (first,) = forge.parties[1].duties(forge.fold)
    assert list(forge.parties[1].duties(forge.fold)) == [first]
    assert isinstance(first[1], KeyCommit)
    forge = laid()
    assert list(forge.parties[1].duties(forge.fold)) == list(forge.parties[1].duties(forge.fold))
    keys = [key for key, _ in forge.parties[1].duties(forge.fold)]
    assert len(set(keys)) == len(keys)


def test_who_takes_no_part_in_the_deck_has_nothing_to_do_and_nothing_to_miss() -> None:
    forge = BlindForge().opened()
    forge.add(0, Away(peer=forge.ids[2]))
    assert kinds(forge.duties(2)) == {Back}
    forge.hand_opened()
    forge.add(2, Back())
    forge.talk()
    assert forge.duties(2) == []
    assert alarms(forge.parties[2]) == []
    forge.closed()
    assert forge.parties[2].take_secrets() is None


def test_a_card_that_is_not_known_yet_is_not_shown() -> None:
    forge = laid()
    forge.certifies = False
    forge.talk()
    with pytest.raises(Refusal, match="on their way"):
        forge.parties[1].move(forge.fold, dealt().view(1), parse_action("show"))


def test_a_move_that_is_not_legal_is_left_to_the_host() -> None:
    forge = dealt()
    seat = (forge.turn + 1) % 3
    act = forge.act(seat, "draw")
    assert (act.draw, act.hand_over) == (None, None)


def test_many_places_are_drawn_in_parts() -> None:
    forge = BlindForge(2, rules=dealt().rules.with_(deck__packs=2)).laid()
    hand = forge.fold.hand
    assert hand is not None
    owed = tuple(Want(slot, 1) for slot in range(80))
    many = msgspec.structs.replace(forge.fold, owed=owed)
    draws = [body for _, body in forge.parties[1].duties(many) if isinstance(body, Draw)]
    assert [len(draw.slots) for draw in draws] == [MAX_SLOTS, 80 - MAX_SLOTS]
    unlaid = msgspec.structs.replace(forge.fold, owed=(Want(200, 1),))
    assert not [body for _, body in forge.parties[1].duties(unlaid) if isinstance(body, Draw)]


def test_after_the_count_everybody_audits_and_the_host_closes() -> None:
    forge = dealt().play()
    assert [kinds(forge.duties(n)) for n in range(3)] == [{Audit}] * 3
    for guest in (1, 2):
        forge.add(guest, forge.duty(guest, Audit))
        assert forge.duties(guest) == []
        assert kinds(forge.duties(0)) == {Audit}
    forge.add(0, forge.duty(0, Audit))
    (score,) = forge.duties(0)
    assert isinstance(score, Score)
    forge.add(0, score)
    assert kinds(forge.duties(0)) == {HandOpen}


def test_once_the_hand_is_counted_nobody_offers_the_shares_it_still_owed() -> None:
    forge = dealt()
    forge.quiet = {0}
    forge.play(until=lambda: forge.fold.hand is not None and unshown(forge.fold.hand) == (0,))
    assert Shares in kinds(forge.duties(0))
    forge.add(0, forge.duty(0, Act))
    assert forge.fold.stage is Stage.COUNTED
    assert forge.fold.blind.unanswered(forge.ids[0])
    assert kinds(forge.duties(0)) == {Audit}


def test_once_the_hand_is_counted_nobody_draws_what_it_was_still_owed() -> None:
    forge = laid()
    party, counted = forge.parties[1], msgspec.structs.replace(forge.fold, stage=Stage.COUNTED)
    assert Draw in kinds(duties(party, forge))
    assert Draw not in {type(body) for _, body in party.duties(counted)}


def test_nobody_audits_what_it_has_not_checked() -> None:
    forge = dealt().play()
    again = forge.restarted(1, forge.kept[1])
    assert Audit in kinds(duties(again, forge))


def test_a_host_opens_the_hand_without_those_who_are_away() -> None:
    forge = BlindForge().opened()
    forge.add(0, Away(peer=forge.ids[1]))
    opened = forge.duty(0, HandOpen)
    assert opened.without == (forge.ids[1],)
    forge.add(0, opened)
    again = forge.parties[0].open_again(forge.fold, (forge.ids[2],))
    assert (again.hand, again.epoch, again.without) == (1, 1, (forge.ids[1], forge.ids[2]))


def test_with_too_few_here_no_hand_is_opened() -> None:
    forge = BlindForge(2).opened()
    forge.add(0, Away(peer=forge.ids[1]))
    assert forge.duties(0) == []


def test_a_host_cannot_give_up_a_blind_hand_by_its_word_alone() -> None:
    forge = dealt()
    with pytest.raises(Fault, match="proves nothing"):
        forge.add(0, Void(code="secret-lost", evidence=()))


def test_when_the_hand_is_void_its_cards_are_forgotten_and_the_key_is_kept() -> None:
    forge = dealt()
    key = kept_of(forge).key
    forge.fold = voided(forge.fold, HandVoid(forge.fold.number, "no-card", "", None)).fold
    for party in forge.parties:
        party.follow(Advance(forge.fold), forge.ledger.tail)
    assert forge.duties(1) == []
    forge.dealt()
    kept = kept_of(forge)
    assert (kept.key, kept.hand) == (key, 2)
    assert forge.parties[1].knows_hand(forge.fold, 1)


def test_a_new_roster_makes_a_new_key() -> None:
    forge = dealt(4)
    key = kept_of(forge).key
    forge.add(3, Departure())
    forge.dealt()
    assert kept_of(forge).key != key
    assert forge.parties[1].knows_hand(forge.fold, 1)


def test_a_state_without_a_hand_leaves_nothing_to_look_at() -> None:
    forge = BlindForge().opened()
    party = forge.parties[1]
    party.follow(Advance(forge.fold), forge.ledger.tail)
    with pytest.raises(Refusal):
        party.view(forge.fold, 1)
    with pytest.raises(Refusal, match="no longer has"):
        party.move(forge.fold, dealt().view(1), parse_action("draw"))
    assert isinstance(dealt().act(dealt().turn, "draw"), Act)
