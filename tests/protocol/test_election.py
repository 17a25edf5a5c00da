"""Votes make a host: by wish, then by id; nobody votes twice; no quorum, no host."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.election import (
    SPLIT_PAUSE,
    TERMS_AHEAD,
    TRANSITIONS,
    VOTE_TIMEOUT,
    Election,
    Input,
    State,
    check_votes,
    choose,
)
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.fields import Wish
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.messages import Ready, Signed, Vote, sign

PEERS = sorted((Identity(bytes([n]) * 32) for n in range(1, 6)), key=lambda peer: peer.player_id)
IDS = [peer.player_id for peer in PEERS]
MATCH = b"m" * 32


def election(*wishes: Wish) -> Election:
    return Election(IDS[0], MATCH, dict(zip(IDS, wishes, strict=False)))


def vote(peer: Identity, candidate: bytes, term: int = 1, match: bytes = MATCH) -> tuple[Signed, Vote]:
    ballot = Vote(match=match, term=term, candidate=candidate)
    return sign(peer, ballot), ballot


@pytest.mark.parametrize(
    ("wishes", "winner"),
    [
        (("if-needed", "if-needed", "if-needed"), 0),
        (("if-needed", "always", "always"), 1),
        (("never", "if-needed", "always"), 2),
        (("never", "never", "if-needed"), 2),
        (("never", "never", "never"), 0),
    ],
)
def test_the_wish_comes_first_and_ties_go_to_the_lowest_id(wishes: tuple[Wish, ...], winner: int) -> None:
    assert choose(dict(zip(IDS, wishes, strict=False)), IDS) == IDS[winner]


def test_who_cannot_be_reached_is_not_chosen() -> None:
    wishes: dict[bytes, Wish] = dict.fromkeys(IDS[:3], "if-needed")
    assert choose(wishes, IDS[1:]) == IDS[1]
    assert choose(wishes, ()) == IDS[0]


def test_a_quorum_elects_and_no_less() -> None:
    votes = election("if-needed", "if-needed", "if-needed", "if-needed")
    assert votes.open(IDS, 0.0) == Vote(match=MATCH, term=1, candidate=IDS[0])
    for peer in PEERS[:2]:
        votes.receive(*vote(peer, IDS[0]))
        votes.receive(*vote(peer, IDS[0]))
    assert (votes.state, votes.winner) == (State.VOTING, None)
    votes.receive(*vote(PEERS[2], IDS[0]))
    assert (votes.state, votes.winner) == (State.ELECTED, (1, IDS[0]))
    votes.receive(*vote(PEERS[3], IDS[0]))
    assert votes.winner == (1, IDS[0])
    assert {message.author for message in votes.votes_for(1, IDS[0])} == set(IDS[:4])
    assert votes.tick(IDS, 99.0) is None


def test_votes_that_come_before_the_start_count() -> None:
    votes = election("if-needed", "if-needed")
    for peer in PEERS[:2]:
        votes.receive(*vote(peer, IDS[1]))
    assert votes.winner == (1, IDS[1])


def test_who_has_voted_before_a_restart_does_not_vote_again() -> None:
    votes = election("if-needed", "if-needed", "if-needed")
    votes.receive(*vote(PEERS[0], IDS[2]))
    assert votes.open(IDS, 10.0) is None
    assert votes.tick(IDS, 10.0 + VOTE_TIMEOUT) == Vote(match=MATCH, term=2, candidate=IDS[0])


def test_what_is_decided_needs_no_more_votes() -> None:
    votes = election("if-needed", "if-needed", "if-needed")
    for peer in PEERS[1:3]:
        votes.receive(*vote(peer, IDS[2]))
    assert votes.open(IDS, 10.0) is None
    assert votes.winner == (1, IDS[2])


def test_without_a_quorum_in_time_the_next_term_is_voted_on() -> None:
    votes = election("if-needed", "if-needed", "if-needed")
    first = votes.open(IDS[:1], 10.0)
    assert first is not None
    votes.receive(sign(PEERS[0], first), first)
    assert votes.tick(IDS[1:], 10.0 + VOTE_TIMEOUT - 0.1) is None
    assert votes.tick(IDS[1:], 10.0 + VOTE_TIMEOUT) == Vote(match=MATCH, term=2, candidate=IDS[1])
    for peer in PEERS[1:3]:
        votes.receive(*vote(peer, IDS[1], term=2))
    assert votes.winner == (2, IDS[1])


def test_when_the_votes_of_all_who_are_there_are_split_the_next_term_comes_soon() -> None:
    votes, there = election("if-needed", "if-needed", "if-needed"), IDS[:2]
    first = votes.open(there, 10.0)
    assert first is not None
    votes.receive(sign(PEERS[0], first), first)
    assert votes.tick(there, 10.0 + SPLIT_PAUSE) is None  # the other has not voted yet
    votes.receive(*vote(PEERS[1], IDS[1]))
    assert votes.tick(there, 10.0 + SPLIT_PAUSE / 2) is None
    assert votes.tick(IDS, 10.0 + SPLIT_PAUSE) is None  # the third is there as well, and could decide it
    second = votes.tick(there, 10.0 + SPLIT_PAUSE)
    assert second is not None
    assert second.term == 2


def test_the_more_often_votes_are_split_the_longer_is_the_wait_until_one_has_won() -> None:
    votes, there, now = election("if-needed", "if-needed", "if-needed"), IDS[:2], 10.0
    ballot, waits = votes.open(there, now), []
    for term in range(1, 8):
        assert ballot is not None
        votes.receive(sign(PEERS[0], ballot), ballot)
        votes.receive(*vote(PEERS[1], IDS[1], term=term))
        began = now
        while (ballot := votes.tick(there, now)) is None:
            now += SPLIT_PAUSE / 4
        waits.append(now - began)
    assert waits == sorted(waits)
    assert waits[0] == pytest.approx(SPLIT_PAUSE, abs=SPLIT_PAUSE / 2)
    assert waits[-1] == pytest.approx(VOTE_TIMEOUT, abs=SPLIT_PAUSE)
    assert ballot is not None
    votes.receive(sign(PEERS[0], ballot), ballot)
    votes.receive(*vote(PEERS[1], IDS[0], term=ballot.term))
    assert votes.winner == (8, IDS[0])
    again = votes.again(IDS[1:2], {}, now)
    assert again is not None
    votes.receive(sign(PEERS[0], again), again)
    votes.receive(*vote(PEERS[1], IDS[0], term=again.term))
    assert votes.again(there, {}, now + SPLIT_PAUSE) is not None


def test_two_votes_of_one_voter_convict_it_with_the_proof() -> None:
    votes = election("if-needed", "if-needed", "if-needed")
    one, other = vote(PEERS[2], IDS[0]), vote(PEERS[2], IDS[1])
    votes.receive(*one)
    with pytest.raises(Fault) as caught:
        votes.receive(*other)
    assert (caught.value.code, caught.value.culprit) == ("two-votes", IDS[2])
    assert caught.value.evidence == (one[0], other[0])
    votes.receive(*vote(PEERS[2], IDS[1], term=2))


@pytest.mark.parametrize(
    "stray", [vote(PEERS[4], IDS[0]), vote(PEERS[0], IDS[4]), vote(PEERS[0], IDS[0], match=b"x" * 32)]
)
def test_votes_of_strangers_for_strangers_or_of_other_matches_do_not_count(stray: tuple[Signed, Vote]) -> None:
    votes = election("if-needed")
    votes.receive(*stray)
    assert votes.winner is None


@given(st.permutations(range(5)), st.lists(st.sampled_from(["always", "if-needed", "never"]), min_size=5, max_size=5))
def test_every_peer_elects_the_same_host_whatever_the_order_of_votes(order: list[int], wishes: list[Wish]) -> None:
    wished = dict(zip(IDS, wishes, strict=True))
    everybody = [Election(me, MATCH, wished) for me in IDS]
    ballots = [ballot for voter in everybody if (ballot := voter.open(IDS, 0.0))]
    assert len(ballots) == len(IDS)
    for peer_election in everybody:
        for n in order:
            peer_election.receive(sign(PEERS[n], ballots[n]), ballots[n])
    assert len({peer_election.winner for peer_election in everybody}) == 1
    assert everybody[0].winner == (1, choose(wished, IDS))


@pytest.mark.parametrize(("state", "what"), list(product(State, Input)))
def test_every_pair_of_the_machine(state: State, what: Input) -> None:
    votes = election("if-needed")
    votes.state = state
    if what in TRANSITIONS[state]:
        votes._move(what)
        assert votes.state is TRANSITIONS[state][what]
    else:
        with pytest.raises(KeyError):
            votes._move(what)


def packed(*ballots: tuple[Signed, Vote]) -> list[bytes]:
    return [pack(message) for message, _ in ballots]


def test_stored_votes_prove_the_host() -> None:
    check_votes(MATCH, IDS[:3], IDS[1], 2, packed(vote(PEERS[0], IDS[1], 2), vote(PEERS[2], IDS[1], 2)))


FORGED = Signed(author=IDS[2], payload=vote(PEERS[2], IDS[1], 2)[0].payload, signature=b"s" * 64)


@pytest.mark.parametrize(
    "second",
    [
        pack(vote(PEERS[0], IDS[1], 2)[0]),  # the same voter again
        pack(vote(PEERS[2], IDS[0], 2)[0]),  # another candidate
        pack(vote(PEERS[2], IDS[1], 1)[0]),  # another term
        pack(vote(PEERS[2], IDS[1], 2, b"x" * 32)[0]),  # another match
        pack(vote(PEERS[4], IDS[1], 2)[0]),  # not seated
        pack(sign(PEERS[2], Ready(table=MATCH, run=MATCH, number=1, ready=True))),
        pack(FORGED),
        b"nonsense",
    ],
)
def test_votes_that_prove_nothing(second: bytes) -> None:
    with pytest.raises(Fault) as caught:
        check_votes(MATCH, IDS[:3], IDS[1], 2, [*packed(vote(PEERS[0], IDS[1], 2)), second])
    assert (caught.value.code, caught.value.culprit) == ("bad-votes", IDS[1])


# ---------------------------------------------------------------- later terms


def elected() -> Election:
    votes = election("if-needed", "if-needed", "if-needed")
    first = votes.open(IDS[:3], 0.0)
    assert first is not None
    votes.receive(sign(PEERS[0], first), first)
    votes.receive(*vote(PEERS[1], IDS[0]))
    return votes


def test_one_vote_in_a_later_term_and_the_next_when_it_came_to_nothing() -> None:
    votes = elected()
    second = votes.again(IDS[1:3], {}, 10.0)
    assert second == Vote(match=MATCH, term=2, candidate=IDS[1])
    votes.receive(sign(PEERS[0], second), second)
    assert votes.again(IDS[1:3], {}, 10.0 + VOTE_TIMEOUT - 0.1) is None
    assert votes.again(IDS[1:3], {}, 10.0 + VOTE_TIMEOUT) == Vote(match=MATCH, term=3, candidate=IDS[1])


def test_as_long_as_no_quorum_says_that_the_host_is_lost_a_vote_waits_for_others() -> None:
    votes = elected()
    second = votes.again(IDS[1:3], {}, 10.0)
    assert second is not None
    votes.receive(sign(PEERS[0], second), second)
    votes.hold(12.0)
    assert votes.again(IDS[1:3], {}, 12.0 + VOTE_TIMEOUT - 0.1) is None
    assert votes.again(IDS[1:3], {}, 12.0 + VOTE_TIMEOUT) is not None


def test_the_vote_for_the_first_host_does_not_wait_for_others() -> None:
    votes = election("if-needed", "if-needed")
    first = votes.open(IDS[:2], 0.0)
    assert first is not None
    votes.receive(sign(PEERS[0], first), first)
    votes.hold(2.0)
    assert votes.tick(IDS[:2], VOTE_TIMEOUT) is not None


def test_who_is_behind_joins_the_term_of_the_others_at_once() -> None:
    votes = elected()
    second = votes.again(IDS[1:3], {}, 10.0)
    assert second is not None
    votes.receive(sign(PEERS[0], second), second)
    votes.receive(*vote(PEERS[2], IDS[2], term=5))
    assert votes.again(IDS[1:3], {}, 10.1) == Vote(match=MATCH, term=5, candidate=IDS[1])


def test_nobody_votes_before_the_election_is_open() -> None:
    assert election("if-needed", "if-needed").again(IDS[:2], {}, 9.0) is None


def test_who_has_voted_later_than_a_term_is_known_as_long_as_it_is_a_voter() -> None:
    votes = elected()
    votes.receive(*vote(PEERS[1], IDS[1], term=2))
    votes.receive(*vote(PEERS[2], IDS[2], term=3))
    assert votes.voted_after(1) == {IDS[1], IDS[2]}
    assert votes.voted_after(2) == {IDS[2]}
    votes.voters = frozenset(IDS[:2])
    assert votes.voted_after(1) == {IDS[1]}


def test_a_vote_for_a_term_far_ahead_is_left_alone() -> None:
    votes = elected()
    for peer in PEERS[:3]:
        votes.receive(*vote(peer, IDS[1], term=2 + TERMS_AHEAD))
    assert votes.winner == (1, IDS[0])
    assert votes.voted_after(1) == set()


def test_a_record_may_prove_a_host_without_votes_but_not_an_older_one() -> None:
    votes = elected()
    votes.has_won(3, IDS[2])
    votes.has_won(2, IDS[1])
    assert votes.winner == (3, IDS[2])
