"""Waiting: when to ask whom for what is missing, and what to tell the player."""

from __future__ import annotations

from rummy_p2p.protocol.gossip import Gossip
from rummy_p2p.protocol.messages import Ask, Presence, read, sign
from rummy_p2p.protocol.waiting import (
    ASK_AGAIN_AFTER,
    AWAY_AFTER,
    BOX_PATIENCE,
    GAP_PATIENCE,
    REMEMBERED,
    STOOD_STILL,
    Absence,
    Behind,
)
from tests.protocol.forge import Forge

FORGE = Forge(4)
ADA, BEA, CEM, DAG = FORGE.ids
MATCH = FORGE.match


def listener(*links: bytes) -> Gossip:
    made = Gossip(FORGE.peers[0], b"t" * 32, b"r" * 32)
    made.known = set(FORGE.ids)
    for peer in links:
        made.connect(peer, 0.0)
    made.drain()
    return made


def tells(made: Gossip, peer: int, seq: int, term: int = 1) -> None:
    said = Presence(
        table=b"t" * 32,
        run=b"r" * 32,
        number=seq,
        links=(ADA,),
        match=MATCH,
        seq=seq,
        last_term=term,
        committed=0,
        follows=1,
        rests=False,
    )
    made.accept(FORGE.ids[peer], sign(FORGE.peers[peer], said), 0.0)
    made.drain()


def asked(made: Gossip) -> list[tuple[bytes, bool]]:
    payloads = [read(item.message) for item in made.drain()]
    return [(payload.to, payload.boxes) for payload in payloads if isinstance(payload, Ask)]


def test_a_gap_is_asked_for_after_a_moment_and_whom_is_taken_in_turn() -> None:
    made = listener(BEA, CEM)
    behind = Behind(MATCH, made, 0.0)
    behind.look(3, 3, 1.0, term=1, gap=True, boxless=False, host=BEA)
    assert behind.misses_something
    assert asked(made) == []
    found = []
    now = 1.0 + GAP_PATIENCE
    for _ in range(3):
        behind.look(3, 3, now, term=1, gap=True, boxless=False, host=BEA)
        behind.look(3, 3, now + 0.1, term=1, gap=True, boxless=False, host=BEA)
        found += asked(made)
        now += ASK_AGAIN_AFTER
    assert [peer for peer, _ in found] == [BEA, CEM, BEA] or [peer for peer, _ in found] == [CEM, BEA, CEM]
    behind.look(4, 4, now, term=1, gap=False, boxless=False, host=BEA)
    assert not behind.misses_something


def test_a_gap_that_closes_by_itself_is_none() -> None:
    made = listener(BEA)
    behind = Behind(MATCH, made, 0.0)
    behind.look(3, 3, 1.0, term=1, gap=True, boxless=False, host=BEA)
    behind.look(5, 5, 1.2, term=1, gap=False, boxless=False, host=BEA)
    behind.look(5, 5, 1.4, term=1, gap=True, boxless=False, host=BEA)
    assert asked(made) == []


def test_who_says_that_it_is_ahead_is_asked() -> None:
    made = listener(BEA, CEM)
    behind = Behind(MATCH, made, 0.0)
    tells(made, 2, 9)
    for now in (1.0, 1.5):
        behind.look(3, 3, now, term=1, gap=False, boxless=False, host=BEA)
    assert asked(made) == [(CEM, False)]
    behind.answered(1.6)
    behind.look(5, 5, 1.6, term=1, gap=False, boxless=False, host=BEA)
    assert asked(made) == [(CEM, False)]


def test_who_has_records_of_a_later_term_is_asked_however_few_and_who_has_more_of_an_earlier_one_is_not() -> None:
    made = listener(BEA, CEM)
    behind = Behind(MATCH, made, 0.0)
    tells(made, 1, 9, term=1)
    tells(made, 2, 4, term=3)
    for now in (1.0, 1.5):
        behind.look(7, 3, now, term=2, gap=False, boxless=False, host=BEA)
    assert asked(made) == [(CEM, False)]


def test_while_answers_add_nothing_the_question_goes_back_to_where_another_ledger_may_have_parted() -> None:
    made = listener(BEA)
    behind = Behind(MATCH, made, 0.0)
    now = 1.0
    found = []
    for tail in (20, 20, 20, 20, 20, 20, 30, 30):
        for later in (now, now + GAP_PATIENCE):
            behind.look(tail, 14, later, term=1, gap=True, boxless=False, host=BEA)
        found += [payload.seq for item in made.drain() if isinstance(payload := read(item.message), Ask)]
        now += ASK_AGAIN_AFTER
    assert found == [20, 19, 18, 16, 14, 20, 30, 29]


def test_alone_there_is_nobody_to_ask() -> None:
    made = listener()
    behind = Behind(MATCH, made, 0.0)
    for now in (1.0, 2.0):
        behind.look(3, 3, now, term=1, gap=True, boxless=False, host=None)
    assert asked(made) == []


def test_cards_that_do_not_come_are_asked_from_the_host() -> None:
    made = listener(BEA, CEM)
    behind = Behind(MATCH, made, 0.0)
    for now in (1.0, 1.0 + BOX_PATIENCE - 0.1):
        behind.look(3, 3, now, term=1, gap=False, boxless=True, host=BEA)
    assert asked(made) == []
    behind.look(3, 3, 1.0 + BOX_PATIENCE, term=1, gap=False, boxless=True, host=BEA)
    assert asked(made) == [(BEA, True)]


# ---------------------------------------------------------------- absence


def test_how_long_a_peer_has_been_out_of_reach() -> None:
    absence = Absence()
    here, gone = frozenset({ADA, BEA}), frozenset({ADA})
    absence.look(here, here, 0.0)
    assert absence.lasts(BEA, 9.0) == 0.0
    absence.look(here, gone, 10.0)
    absence.look(here, gone, 12.0)
    assert absence.lasts(BEA, 14.0) == 4.0
    assert not absence.was_lost(BEA, 14.9, AWAY_AFTER)
    assert absence.was_lost(BEA, 15.0, AWAY_AFTER)
    absence.look(here, here, 16.0)
    assert absence.lasts(BEA, 17.0) == 0.0
    absence.look(here, gone, 18.0)
    assert absence.lasts(BEA, 20.0) == 2.0


def test_a_peer_that_was_lost_a_short_while_ago_is_remembered() -> None:
    """The host may have seen it gone while it came back here."""
    absence = Absence()
    both = frozenset({ADA, BEA})
    for now in (10.0, 12.0, 14.0):
        absence.look(both, frozenset({ADA}), now)
    absence.look(both, both, 16.0)
    assert absence.was_lost(BEA, 16.0 + REMEMBERED - 0.1, AWAY_AFTER)
    assert not absence.was_lost(BEA, 16.0 + REMEMBERED, AWAY_AFTER)
    assert not absence.was_lost(BEA, 17.0, 6.1)
    assert not absence.was_lost(ADA, 17.0, AWAY_AFTER)


def test_who_stood_still_itself_knows_nothing_of_who_was_gone_meanwhile() -> None:
    absence = Absence()
    both = frozenset({ADA, BEA})
    absence.look(both, both, 10.0)
    absence.look(both, both, 10.0 + STOOD_STILL - 0.1)
    assert not absence.was_lost(BEA, 13.0, 0.1)
    absence.look(both, both, 20.0)
    assert absence.was_lost(BEA, 20.0, AWAY_AFTER)
    assert absence.lasts(BEA, 20.0) == 0.0
    assert not absence.was_lost(BEA, 20.0 + REMEMBERED, AWAY_AFTER)


def test_a_program_that_was_not_running_knows_nothing_of_who_was_gone() -> None:
    absence = Absence()
    absence.was_down((ADA, BEA), 10.0)
    assert absence.was_lost(BEA, 10.0, AWAY_AFTER)
    assert not absence.was_lost(BEA, 10.0 + REMEMBERED, AWAY_AFTER)


def test_a_short_absence_does_not_make_a_long_one_forgotten() -> None:
    absence = Absence()
    both, one = frozenset({ADA, BEA}), frozenset({ADA})
    for there, now in ((one, 10.0), (one, 12.0), (both, 15.0), (one, 16.0), (both, 16.5)):
        absence.look(both, there, now)
    assert absence.was_lost(BEA, 17.0, AWAY_AFTER)
    for there, now in ((both, 18.0), (both, 20.0), (one, 22.0), (both, 24.0), (one, 26.0), (both, 28.5), (both, 31.0)):
        absence.look(both, there, now)
    assert not absence.was_lost(BEA, 31.5, AWAY_AFTER)
