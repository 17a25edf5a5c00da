"""Ordering: first come, first served, except for the claim window; and the clocks beside it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import msgspec

from rummy_p2p.engine import HandState
from rummy_p2p.protocol.fields import GRACE
from rummy_p2p.protocol.ledger import take_apart
from rummy_p2p.protocol.messages import Draft, Signed, read
from rummy_p2p.protocol.ordering import DROPPED_AFTER, ENTROPY_TIMEOUT, QUEUE_PER_AUTHOR, TOLERANCE, Ordering
from rummy_p2p.protocol.records import Act, Away, Back, Body, Departure, TimeOut, Void
from rummy_p2p.protocol.state import Advance, Fold, Stage
from rummy_p2p.ruleset import Ruleset
from tests.protocol.blind_forge import BlindForge
from tests.protocol.forge import Forge
from tests.protocol.lan import rummy

NOW = 100.0


def filed(ordering: Ordering, forge: Forge, author: int, body: Body) -> Signed:
    message = forge.draft(author, body)
    draft = read(message)
    assert isinstance(draft, Draft)
    ordering.file(message, draft, NOW)
    return message


def taken(ordering: Ordering, fold: Fold, now: float) -> list[int]:
    """The seats of the drafts in the order in which they are taken."""
    seats = []
    while (due := ordering.next_due(fold, now)) is not None:
        body = due[1].body
        assert isinstance(body, Act)
        seats.append(body.seat)
    return seats


def move(seat: int, verb: str = "call") -> Act:
    return Act(seat=seat, move=verb, openings=())


def hand_of(fold: Fold) -> HandState:
    assert fold.hand is not None
    return fold.hand


def claimable(rules: Ruleset | None = None) -> tuple[Forge, Ordering, Advance]:
    """Seat 0 has discarded what others could claim, seat 1 is on turn, and the window is open."""
    forge = Forge(4, rules=rules or rummy()).dealt()
    hand = msgspec.structs.replace(hand_of(forge.fold), discarder=0, turn=1, claim="open")
    before = forge.fold
    forge.fold = msgspec.structs.replace(forge.fold, hand=hand)
    ordering = Ordering(NOW)
    step = Advance(forge.fold)
    ordering.track(before, step, NOW)
    ordering.window_until = NOW + 1.5
    return forge, ordering, step


def test_drafts_are_taken_as_they_came_and_none_twice() -> None:
    forge = Forge().dealt()
    ordering = Ordering(NOW)
    for seat in (2, 0, 1):
        filed(ordering, forge, seat, move(seat, "draw"))
    waits = [ordering.waits]
    assert taken(ordering, forge.fold, NOW) == [2, 0, 1]
    assert [*waits, ordering.waits] == [True, False]
    filed(ordering, forge, 0, move(0, "draw"))
    ordering.clear()
    assert ordering.next_due(forge.fold, NOW) is None


def test_an_author_that_floods_loses_its_oldest() -> None:
    forge = Forge().dealt()
    ordering = Ordering(NOW)
    filed(ordering, forge, 2, move(2))
    for n in range(QUEUE_PER_AUTHOR + 7):
        filed(ordering, forge, 1, move(1, f"discard {n}"))
    assert taken(ordering, forge.fold, NOW) == [2] + [1] * QUEUE_PER_AUTHOR


def test_who_repeats_a_move_means_it_once_and_has_wanted_it_since_the_first_time() -> None:
    forge = Forge().dealt()
    ordering = Ordering(NOW)
    filed(ordering, forge, 1, move(1, "draw"))
    newer = forge.draft(1, move(1, "draw"))
    draft = read(newer)
    assert isinstance(draft, Draft)
    ordering.file(newer, draft, NOW + DROPPED_AFTER - 1)
    assert ordering.old_acts(NOW + DROPPED_AFTER - 0.1) == ()
    assert ordering.old_acts(NOW + DROPPED_AFTER) == ((newer, draft),)
    assert taken(ordering, forge.fold, NOW) == [1]


def test_a_departure_waits_for_the_match_to_open_and_outlives_the_hand() -> None:
    forge, ordering, _ = claimable()
    leaver = filed(ordering, forge, 2, Departure())
    filed(ordering, forge, 3, move(3))
    unopened = msgspec.structs.replace(forge.fold, hand=None, deal=None, stage=Stage.ROSTER)
    assert taken(ordering, unopened, NOW) == [3]
    ordering.clear()
    assert ordering.leavers == {leaver.author}
    due = ordering.next_due(forge.fold, NOW)
    assert due is not None
    assert due[0] is leaver
    assert ordering.leavers == frozenset()


def test_the_seat_on_turn_waits_for_the_window_and_claims_do_not() -> None:
    forge, ordering, _ = claimable()
    filed(ordering, forge, 1, move(1, "draw"))
    filed(ordering, forge, 3, move(3))
    filed(ordering, forge, 1, move(1))
    assert taken(ordering, forge.fold, NOW + 1.0) == [3, 1]
    assert taken(ordering, forge.fold, NOW + 1.5) == [1]


def test_by_the_seat_rule_all_claims_wait_and_the_nearest_comes_first() -> None:
    forge, ordering, _ = claimable(rummy(claim__priority="seat"))
    filed(ordering, forge, 1, move(1, "draw"))
    filed(ordering, forge, 3, move(3))
    filed(ordering, forge, 2, move(2))
    assert taken(ordering, forge.fold, NOW + 1.0) == []
    assert taken(ordering, forge.fold, NOW + 1.5) == [2, 3, 1]


def test_what_is_no_move_does_not_wait_for_the_window() -> None:
    forge, ordering, _ = claimable()
    message = filed(ordering, forge, 0, TimeOut(seat=1))
    due = ordering.next_due(forge.fold, NOW)
    assert due is not None
    assert due[0] == message


def test_no_move_is_taken_while_a_shuffled_pile_is_laid_out() -> None:
    forge = Forge().dealt()
    deal = forge.fold.committed
    waiting = msgspec.structs.replace(forge.fold, deal=deal.reshuffle(52, deal.spec.cards[:5]))
    ordering = Ordering(NOW)
    filed(ordering, forge, 1, move(1, "draw"))
    assert taken(ordering, waiting, NOW + 99) == []
    assert taken(ordering, forge.fold, NOW) == [1]


def window(before: Fold, step: Advance) -> float:
    """How long the window is that a step opens."""
    ordering = Ordering(NOW)
    ordering.track(before, step, NOW)
    return ordering.window_until - NOW


def steps() -> Iterator[tuple[Fold, Advance]]:
    for seed in range(9):
        for one, other in pairwise(Forge().dealt().play(seed=seed).steps):
            yield one.fold, other


def test_the_window_opens_with_a_discard_that_a_person_could_claim() -> None:
    before, step = next(pair for pair in steps() if window(*pair))
    assert window(before, step) == 1.5
    assert window(step.fold, step) == 0
    start = step.fold.start
    assert start is not None
    bots = tuple(msgspec.structs.replace(entry, bot=True) for entry in start.seats)
    among_bots = msgspec.structs.replace(step.fold, start=msgspec.structs.replace(start, seats=bots))
    assert window(before, Advance(among_bots, step.events)) == 0


# ---------------------------------------------------------------- clocks


def timed() -> tuple[Forge, Ordering]:
    forge = Forge(rules=rummy(clock__move_s=20)).dealt()
    ordering = Ordering(NOW)
    ordering.track(forge.steps[-2].fold, forge.steps[-1], NOW + 5)
    return forge, ordering


def test_a_turn_has_its_time_from_when_it_began() -> None:
    forge, ordering = timed()
    turn = hand_of(forge.fold).turn
    assert ordering.turn_ends(forge.fold) == NOW + 25
    assert ordering.overdue(forge.fold, NOW + 24) is None
    assert ordering.overdue(forge.fold, NOW + 25) == TimeOut(seat=turn)
    ordering.window_until = NOW + 8
    assert ordering.turn_ends(forge.fold) == NOW + 28
    ordering.restart(NOW + 50)
    assert ordering.turn_ends(forge.fold) == NOW + 70


def test_turns_are_charged_to_the_time_for_the_whole_game() -> None:
    forge = Forge(2, rules=rummy(clock__game_s=60, clock__game_loses=True)).dealt()
    ordering = Ordering(NOW)
    ordering.track(forge.steps[-2].fold, forge.steps[-1], NOW)
    now = NOW
    first = hand_of(forge.fold).turn
    for seat, seconds in ((first, 25), (1 - first, 5)):
        assert ordering.turn_ends(forge.fold) == now + 60
        forge.add(seat, forge.act(seat, "draw"))
        ordering.track(forge.steps[-2].fold, forge.steps[-1], now + 1)
        now += seconds
        forge.add(seat, forge.a_discard(seat))
        ordering.track(forge.steps[-2].fold, forge.steps[-1], now)
        ordering.window_until = NOW
    ends = now + 60 - 25
    assert ordering.turn_ends(forge.fold) == ends
    assert ordering.overdue(forge.fold, ends - 1) is None
    assert ordering.overdue(forge.fold, ends) == TimeOut(seat=first, game=True)
    entry = take_apart(forge.record(forge.draft(0, TimeOut(seat=first, game=True))))
    assert ordering.is_early(forge.fold, entry, ends - TOLERANCE - 0.1)
    assert not ordering.is_early(forge.fold, entry, ends - TOLERANCE)


def test_without_a_clock_or_a_hand_no_time_runs() -> None:
    forge = Forge().dealt()
    ordering = Ordering(NOW)
    assert ordering.turn_ends(forge.fold) is None
    assert ordering.turn_ends(Forge().fold) is None
    assert ordering.overdue(Forge().fold, NOW * 2) is None
    counted = Forge(rules=rummy(clock__move_s=20)).dealt().play()
    assert ordering.turn_ends(counted.fold) is None


def test_a_time_out_is_early_unless_the_own_clock_agrees() -> None:
    forge, ordering = timed()
    entry = take_apart(forge.record(forge.draft(0, TimeOut(seat=hand_of(forge.fold).turn))))
    assert ordering.is_early(forge.fold, entry, NOW + 25 - TOLERANCE - 0.1)
    assert not ordering.is_early(forge.fold, entry, NOW + 25 - TOLERANCE)


def test_another_attempt_at_a_deal_is_early_unless_the_own_clock_agrees() -> None:
    forge = Forge().opened().hand_opened()
    ordering = Ordering(NOW)
    ordering.track(forge.steps[-2].fold, forge.steps[-1], NOW)
    again = take_apart(forge.record(forge.draft(0, forge.hand_open(1, (forge.ids[2],)))))
    assert ordering.is_early(forge.fold, again, NOW + ENTROPY_TIMEOUT - TOLERANCE - 0.1)
    assert not ordering.is_early(forge.fold, again, NOW + ENTROPY_TIMEOUT - TOLERANCE)
    first = take_apart(forge.ledger.entries[-1].record)
    assert not ordering.is_early(forge.fold, first, NOW)


def test_those_whose_bytes_are_missing_are_late_after_a_while() -> None:
    forge = Forge().opened().hand_opened()
    for author, message in forge.shares()[:2]:
        forge.add(author, message)
    ordering = Ordering(NOW)
    assert ordering.late_peers(forge.fold, NOW + ENTROPY_TIMEOUT - 0.1) == ()
    assert ordering.late_peers(forge.fold, NOW + ENTROPY_TIMEOUT) == (forge.ids[2],)
    assert ordering.late_peers(Forge().dealt().fold, NOW * 2) == ()


def test_what_is_void_comes_before_all_else() -> None:
    forge = Forge().dealt()
    ordering = Ordering(NOW)
    filed(ordering, forge, 1, move(1, "draw"))
    void = filed(ordering, forge, 0, Void(code="knob-failed", evidence=()))
    due = ordering.next_due(forge.fold, NOW)
    assert due is not None
    assert due[0] == void
    assert taken(ordering, forge.fold, NOW) == [1]


def test_while_the_table_pauses_nothing_is_taken_but_that_somebody_is_away() -> None:
    forge = Forge().dealt()
    ordering = Ordering(NOW)
    filed(ordering, forge, 1, move(1, "draw"))
    assert ordering.next_due(forge.fold, NOW, Away) is None
    away = filed(ordering, forge, 0, Away(peer=forge.ids[2]))
    due = ordering.next_due(forge.fold, NOW, Away)
    assert due is not None
    assert due[0] == away
    assert ordering.next_due(forge.fold, NOW, Away) is None
    assert taken(ordering, forge.fold, NOW) == [1]


def test_nobody_is_taken_out_before_the_quorums_may_change() -> None:
    forge = Forge().dealt()
    ordering = Ordering(NOW)
    convicting = filed(ordering, forge, 0, Void(code="two-bodies", evidence=()))
    departure = filed(ordering, forge, 1, Departure())
    failed = filed(ordering, forge, 0, Void(code="knob-failed", evidence=()))
    found = []
    for may_part in (False, False, True, True):
        due = ordering.next_due(forge.fold, NOW, may_part=may_part)
        found.append(due[0] if due else None)
    assert found == [failed, None, convicting, departure]


def with_absent(rules: Ruleset | None = None) -> tuple[Forge, Ordering, int]:
    """The peer on turn has gone away, at NOW."""
    forge = Forge(rules=rules or rummy()).dealt()
    while hand_of(forge.fold).turn == 0:
        forge.add(0, forge.act(0, "draw"))
        forge.add(0, forge.a_discard(0))
    turn = hand_of(forge.fold).turn
    ordering = Ordering(NOW)
    ordering.track(forge.steps[-2].fold, forge.steps[-1], NOW)
    forge.add(0, Away(peer=forge.ids[turn]))
    ordering.track(forge.steps[-2].fold, forge.steps[-1], NOW)
    ordering.window_until = NOW
    return forge, ordering, turn


def test_an_absent_seat_is_passed_over_after_the_grace_time() -> None:
    forge, ordering, turn = with_absent()
    assert ordering.turn_ends(forge.fold) == NOW + GRACE
    assert ordering.overdue(forge.fold, NOW + GRACE - 1) is None
    assert ordering.overdue(forge.fold, NOW + GRACE) == TimeOut(seat=turn)
    entry = take_apart(forge.record(forge.draft(0, TimeOut(seat=turn))))
    assert ordering.is_early(forge.fold, entry, NOW + GRACE - TOLERANCE - 0.1)
    assert not ordering.is_early(forge.fold, entry, NOW + GRACE - TOLERANCE)
    forge.add(turn, Back())
    ordering.track(forge.steps[-2].fold, forge.steps[-1], NOW + 10)
    assert ordering.turn_ends(forge.fold) is None
    assert ordering.is_early(forge.fold, entry, NOW + 10 * GRACE)
    forge.add(0, Away(peer=forge.ids[turn]))
    ordering.track(forge.steps[-2].fold, forge.steps[-1], NOW + 20)
    assert ordering.turn_ends(forge.fold) == NOW + 20 + GRACE


def test_once_the_grace_time_is_over_an_absent_seat_is_passed_over_at_once() -> None:
    forge, ordering, turn = with_absent()
    now = NOW + 10 * GRACE
    ordering.track(forge.fold, Advance(forge.fold), now)
    ordering.restart(now)
    assert ordering.turn_ends(forge.fold) == now
    assert ordering.overdue(forge.fold, now) == TimeOut(seat=turn)


def test_the_clock_runs_for_an_absent_seat_as_well() -> None:
    forge, ordering, turn = with_absent(rummy(clock__move_s=20))
    assert ordering.turn_ends(forge.fold) == NOW + 20
    assert ordering.overdue(forge.fold, NOW + 20) == TimeOut(seat=turn)
    assert ordering.overdue(forge.fold, NOW + 19) is None


def test_those_whose_part_in_the_key_or_the_shuffle_is_missing_are_late_but_never_the_host() -> None:
    forge = BlindForge().keying()
    ordering = Ordering(NOW)
    assert ordering.late_peers(forge.fold, NOW + ENTROPY_TIMEOUT) == tuple(forge.ids[1:])
    forge.talk(lambda: forge.fold.stage is Stage.DEALING)
    (shuffler,) = forge.fold.waits_for
    late = () if shuffler == forge.fold.host else (shuffler,)
    assert ordering.late_peers(forge.fold, NOW + ENTROPY_TIMEOUT) == late
    assert ordering.late_peers(forge.fold, NOW + ENTROPY_TIMEOUT - 0.1) == ()


def test_a_key_that_waits_for_the_host_alone_is_late_too() -> None:
    forge = BlindForge().keying()
    forge.quiet = {0}
    forge.talk()
    ordering = Ordering(NOW)
    assert forge.fold.waits_for == (forge.fold.host,)
    assert ordering.late_peers(forge.fold, NOW + ENTROPY_TIMEOUT) == ()
    assert ordering.is_late(forge.fold, NOW + ENTROPY_TIMEOUT)
    assert not ordering.is_late(forge.fold, NOW + ENTROPY_TIMEOUT - 0.1)
    ordering.restart(NOW + 1)
    assert not ordering.is_late(forge.fold, NOW + ENTROPY_TIMEOUT)


def test_nothing_is_late_where_nothing_is_made() -> None:
    ordering = Ordering(NOW)
    for forge in (Forge(), Forge().opened(), Forge().dealt()):
        assert not ordering.is_late(forge.fold, NOW * 2)
