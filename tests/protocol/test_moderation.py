"""Votes about players: how they are counted."""

from __future__ import annotations

from rummy_p2p.protocol.fields import Measure
from rummy_p2p.protocol.messages import Ballot
from rummy_p2p.protocol.moderation import REMEMBERED, Count, Moderation

ADA, BEA, CEM, DAG = (bytes([n]) * 32 for n in range(4))
TABLE, RUN = b"t" * 32, b"r" * 32


def ballot(about: bytes = DAG, number: int = 1, measure: Measure = "mute", *, agree: bool = True) -> Ballot:
    return Ballot(table=TABLE, run=RUN, number=number, measure=measure, about=about, agree=agree)


def test_more_than_half_of_the_others_decide_and_may_take_it_back() -> None:
    votes, peers = Moderation(), (ADA, BEA, CEM, DAG)
    assert votes.cast(ADA, ballot(), peers) == Count(1, 2, None)
    assert not votes.holds("mute", DAG)
    assert votes.cast(BEA, ballot(), peers) == Count(2, 2, decided=True)
    assert votes.holds("mute", DAG)
    assert not votes.holds("kick", DAG)
    assert votes.cast(CEM, ballot(), peers) == Count(3, 2, None)
    assert votes.cast(ADA, ballot(number=2, agree=False), peers) == Count(2, 2, None)
    assert votes.cast(BEA, ballot(number=2, agree=False), peers) == Count(1, 2, decided=False)
    assert not votes.holds("mute", DAG)


def test_nobody_votes_twice_about_the_own_person_or_from_outside() -> None:
    votes, peers = Moderation(), (ADA, BEA, CEM)
    votes.cast(ADA, ballot(CEM), peers)
    assert votes.cast(ADA, ballot(CEM), peers) is None, "an old one that comes again"
    assert votes.cast(ADA, ballot(CEM, 2), peers) == Count(1, 2, None), "the same voice once more"
    assert votes.cast(CEM, ballot(CEM), peers) is None
    assert votes.cast(DAG, ballot(CEM), peers) is None
    assert votes.cast(ADA, ballot(DAG), peers) is None


def test_only_so_much_is_remembered() -> None:
    votes = Moderation()
    crowd = [n.to_bytes(32, "big") for n in range(2 * REMEMBERED)]
    for peer in crowd[1:]:
        votes.cast(peer, ballot(crowd[0]), crowd)
    assert len(votes._ballots) == REMEMBERED
