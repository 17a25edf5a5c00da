"""Succession: when a host is lost, who says so, and who is chosen then."""

from __future__ import annotations

from collections.abc import Sequence

from rummy_p2p.protocol.election import VOTE_TIMEOUT
from rummy_p2p.protocol.events import FaultFound
from rummy_p2p.protocol.gossip import SILENT_AFTER, Gossip
from rummy_p2p.protocol.messages import Presence, Vote, read, sign
from rummy_p2p.protocol.ordering import DROPPED_AFTER, Ordering
from rummy_p2p.protocol.records import Act, Departure
from rummy_p2p.protocol.replica import Replica
from rummy_p2p.protocol.succession import FORSAKEN_AFTER, RESUMED_PATIENCE, Succession
from tests.protocol.forge import Forge
from tests.protocol.test_ordering import filed
from tests.protocol.test_replica import give, records, replica

NOW = 100.0


class Voter:
    """One peer of a forged match, linked with all others, who all follow peer 0, the host of term 1."""

    def __init__(self, me: int = 1, count: int = 3) -> None:
        self.forge = Forge(count).dealt()
        self.me = me
        self.gossip = Gossip(self.forge.peers[me], b"t" * 32, b"r" * 32)
        self.gossip.known |= set(self.forge.ids)
        self.replica: Replica = replica(self.forge, me)
        give(self.replica, *records(self.forge))
        self.ordering = Ordering(NOW)
        self.told: list[FaultFound] = []
        wishes = dict.fromkeys(self.forge.ids, "if-needed")
        self.succession = Succession(wishes, self.replica, self.gossip, self.ordering, NOW, self.told.append)  # type: ignore[arg-type]  # the wishes are of the right kind
        for peer in self.others():
            self.gossip.connect(self.forge.ids[peer], NOW)
        self.numbers = [0] * count
        self.hear(NOW, self.others(), follows=1)
        self.succession.look(NOW, running=True)

    def others(self) -> list[int]:
        return [n for n in range(len(self.forge.ids)) if n != self.me]

    def hear(
        self, now: float, peers: Sequence[int], *, follows: int, committed: int = 0, seq: int | None = None
    ) -> None:
        """Signs of life of some peers."""
        for peer in peers:
            self.numbers[peer] += 1
            said = Presence(
                table=b"t" * 32,
                run=b"r" * 32,
                number=self.numbers[peer],
                links=tuple(other for other in self.forge.ids if other != self.forge.ids[peer]),
                match=self.forge.match,
                seq=self.replica.ledger.tail if seq is None else seq,
                last_term=1,
                committed=committed,
                follows=follows,
                rests=False,
            )
            self.gossip.accept(self.forge.ids[peer], sign(self.forge.peers[peer], said), now)

    def votes(self) -> list[tuple[int, int]]:
        """The votes that were sent: term, and for whom."""
        said = [read(item.message) for item in self.gossip.drain()]
        return [(vote.term, self.forge.ids.index(vote.candidate)) for vote in said if isinstance(vote, Vote)]

    def look(self, now: float) -> list[tuple[int, int]]:
        self.gossip.drain()
        self.succession.look(now, running=True)
        return self.votes()


def test_a_host_that_is_heard_is_followed() -> None:
    voter = Voter()
    assert voter.look(NOW + 1) == []
    assert voter.succession.follows == 1


def test_who_alone_cannot_hear_the_host_says_so_and_does_not_vote() -> None:
    voter = Voter()
    late = NOW + SILENT_AFTER + 1
    voter.hear(late, [2], follows=1)
    assert voter.look(late) == []
    assert voter.succession.follows == 0


def test_who_was_cut_off_does_not_vote_while_the_others_follow_a_host_that_it_does_not_know_yet() -> None:
    voter = Voter(count=5)
    late = NOW + SILENT_AFTER + 1
    voter.hear(late, [2, 3, 4], follows=2)
    assert voter.look(late) == []
    assert voter.succession.follows == 0
    voter.hear(late, [2, 3], follows=0)
    assert voter.look(late) == [(2, 1)]


def test_a_vote_of_an_earlier_run_is_not_given_again_nor_written_down_twice() -> None:
    voter = Voter()
    wishes = dict.fromkeys(voter.forge.ids, "if-needed")
    blank = Replica(voter.forge.peers[1], voter.forge.match, tuple(voter.forge.ids), voter.forge.rules)
    again = Succession(wishes, blank, voter.gossip, voter.ordering, NOW, voter.told.append)  # type: ignore[arg-type]  # the wishes are of the right kind
    voter.gossip.drain()
    again.restore([voter.forge.vote(1, 2)], NOW)
    again.open(NOW)
    assert voter.votes() == []
    assert again.election.term == 1
    assert again.take_votes() == ()


def test_who_knows_a_host_by_its_records_alone_does_not_vote_when_it_begins() -> None:
    voter = Voter()
    wishes = dict.fromkeys(voter.forge.ids, "if-needed")
    again = Succession(wishes, voter.replica, voter.gossip, voter.ordering, NOW, voter.told.append)  # type: ignore[arg-type]  # the wishes are of the right kind
    voter.gossip.drain()
    again.open(NOW)
    assert voter.votes() == []
    assert again.election.winner == (1, voter.forge.ids[0])


def test_who_leaves_votes_for_itself_rather_than_for_a_convicted_host_when_nobody_else_is_there() -> None:
    voter = Voter()
    filed(voter.ordering, voter.forge, 1, Departure())
    voter.succession.convict(voter.forge.ids[0])
    voter.gossip.lose(voter.forge.ids[2], NOW)
    late = NOW + SILENT_AFTER + 1
    voter.hear(late, [0], follows=0)
    assert voter.look(late) == [(2, 1)]


def test_a_quorum_that_has_lost_the_host_votes_for_the_best_of_those_who_are_left() -> None:
    voter = Voter()
    late = NOW + SILENT_AFTER + 1
    voter.hear(late, [2], follows=0)
    assert voter.look(late) == [(2, 1)]
    assert voter.look(late + 0.1) == []


def test_a_host_that_is_gone_by_its_link_is_lost_at_once() -> None:
    voter = Voter()
    voter.gossip.lose(voter.forge.ids[0], NOW + 0.1)
    voter.hear(NOW + 0.1, [2], follows=0)
    assert voter.look(NOW + 0.1) == []  # the other still says that it has a link to the host
    late = NOW + SILENT_AFTER + 1
    voter.hear(late, [2], follows=0)
    assert voter.look(late) == [(2, 1)]


def test_of_two_equal_ledgers_the_one_that_knows_more_to_be_committed_goes_on() -> None:
    voter = Voter()
    late = NOW + SILENT_AFTER + 1
    voter.hear(late, [2], follows=0, committed=3)
    assert voter.look(late) == [(2, 2)]


def test_nobody_votes_for_a_ledger_behind_its_own() -> None:
    voter = Voter(me=2)
    late = NOW + SILENT_AFTER + 1
    voter.hear(late, [1], follows=0, seq=voter.replica.ledger.tail - 1)
    assert voter.look(late) == [(2, 2)]


def test_a_convicted_host_gets_no_vote_again() -> None:
    voter = Voter()
    voter.succession.convict(voter.forge.ids[0])
    voter.hear(NOW + 1, [0], follows=1)
    voter.hear(NOW + 1, [2], follows=0)
    assert voter.look(NOW + 1) == [(2, 1)]


def test_a_host_that_says_that_it_leaves_is_replaced_at_once() -> None:
    voter = Voter()
    filed(voter.ordering, voter.forge, 0, Departure())
    voter.hear(NOW + 1, [0], follows=1)
    voter.hear(NOW + 1, [2], follows=0)
    assert voter.look(NOW + 1) == [(2, 1)]


def dropping(count: int = 3) -> tuple[Voter, float]:
    """A move of the seat on turn lies with everybody, and the host does nothing."""
    voter = Voter(count=count)
    assert voter.forge.fold.hand is not None
    turn = voter.forge.fold.hand.turn
    message = voter.forge.draft(turn, voter.forge.act(turn, "draw"))
    draft = read(message)
    voter.ordering.file(message, draft, NOW)  # type: ignore[arg-type]  # it is a draft
    late = NOW + DROPPED_AFTER
    voter.hear(late, voter.others(), follows=1)
    return voter, late


def test_a_host_that_leaves_a_move_lie_is_wanted_no_more_and_the_player_is_told_once() -> None:
    voter, late = dropping()
    assert voter.look(late - 0.1) == []
    assert voter.look(late) == []
    assert voter.succession.follows == 0
    voter.look(late + 0.1)
    assert [(told.code, told.culprit) for told in voter.told] == [("drops-moves", voter.forge.ids[0])]
    voter.hear(late + 0.2, [2], follows=0)
    assert voter.look(late + 0.2) == [(2, 1)]


def test_a_move_that_cannot_stand_is_no_reason() -> None:
    voter = Voter()
    assert voter.forge.fold.hand is not None
    other = (voter.forge.fold.hand.turn + 1) % 3
    filed(voter.ordering, voter.forge, other, Act(seat=other, move="draw", openings=()))
    late = NOW + DROPPED_AFTER
    voter.hear(late, voter.others(), follows=1)
    assert voter.look(late) == []
    assert voter.succession.follows == 1
    assert not voter.ordering.waits


def test_of_two_neither_deposes_the_other_for_a_move() -> None:
    voter, late = dropping(2)
    assert voter.look(late) == []
    assert (voter.succession.follows, voter.told) == (1, [])


def test_a_host_without_a_quorum_that_follows_gives_up() -> None:
    voter = Voter(me=0)
    for second in range(1, int(FORSAKEN_AFTER)):
        voter.hear(NOW + second, [1, 2], follows=0)
        voter.look(NOW + second)
        assert voter.succession.follows == 1
    voter.hear(NOW + FORSAKEN_AFTER, [1, 2], follows=0)
    assert voter.look(NOW + FORSAKEN_AFTER) == [(2, 0)]


def test_a_program_that_was_restarted_gives_the_host_a_moment() -> None:
    voter = Voter()
    voter.succession.restore((), NOW)
    voter.gossip.lose(voter.forge.ids[0], NOW)
    voter.hear(NOW + SILENT_AFTER + 1, [2], follows=0)
    assert voter.look(NOW + SILENT_AFTER + 1) == []
    assert voter.succession.follows == 1
    late = NOW + RESUMED_PATIENCE
    voter.hear(late, [2], follows=0)
    assert voter.look(late) == [(2, 1)]


def test_once_the_host_was_found_again_it_is_given_no_more_moments() -> None:
    voter = Voter()
    voter.succession.restore((), NOW)
    voter.hear(NOW + 1, voter.others(), follows=1)
    assert voter.look(NOW + 1) == []
    voter.gossip.lose(voter.forge.ids[0], NOW + 1.1)
    late = NOW + SILENT_AFTER + 1.2
    assert late < NOW + RESUMED_PATIENCE + 1
    voter.hear(late, [2], follows=0)
    assert voter.look(late) == [(2, 1)]


def test_of_its_own_ledger_only_what_the_others_know_tips_the_scales() -> None:
    voter = Voter(me=2)
    voter.replica.ledger.committed = 1  # since its last sign of life, which said 0 as that of the other does
    late = NOW + SILENT_AFTER + 1
    voter.hear(late, [1], follows=0)
    assert voter.look(late) == [(2, 1)]


def test_who_votes_says_where_it_stands_in_case_there_is_another_vote() -> None:
    voter = Voter()
    voter.succession.convict(voter.forge.ids[0])
    voter.hear(NOW + 1, [2], follows=0)
    voter.gossip.drain()
    voter.succession.look(NOW + 1, running=True)
    said = [type(read(item.message)) for item in voter.gossip.drain()]
    assert said[-2:] == [Presence, Vote]


def test_own_votes_are_handed_out_once_to_be_written_down() -> None:
    voter = Voter()
    voter.succession.convict(voter.forge.ids[0])
    voter.hear(NOW + 1, [2], follows=0)
    voter.look(NOW + 1)
    (vote,) = voter.succession.take_votes()
    assert (read(vote), vote.author) == (
        Vote(match=voter.forge.match, term=2, candidate=voter.forge.ids[1]),
        voter.forge.ids[1],
    )
    assert voter.succession.take_votes() == ()


def test_whoever_wins_is_followed_and_that_is_told_once() -> None:
    voter = Voter()
    voter.succession.convict(voter.forge.ids[0])
    voter.hear(NOW + 1, [2], follows=0)
    assert not voter.succession.look(NOW + 1, running=True)
    message = voter.forge.vote(2, 1, term=2)
    vote = read(message)
    assert isinstance(vote, Vote)
    voter.succession.election.receive(message, vote)
    assert voter.succession.look(NOW + 1, running=True)
    assert voter.succession.host == voter.forge.ids[1]
    assert voter.succession.has_won_here
    assert not voter.succession.look(NOW + 1.1, running=True)


def voted(voter: Voter, peer: int, term: int = 2) -> None:
    """A peer has voted for itself in a later term, and nobody with it."""
    message = voter.forge.vote(peer, peer, term)
    vote = read(message)
    assert isinstance(vote, Vote)
    voter.succession.election.receive(message, vote)


def test_who_has_voted_in_vain_is_taken_along_when_the_others_are_too_few_to_commit_without() -> None:
    voter = Voter(count=2)
    voted(voter, 0)
    for now in (NOW + 0.1, NOW + 1.0, NOW + VOTE_TIMEOUT):
        voter.hear(now, [0], follows=0)
        assert voter.look(now) == []
        assert voter.succession.follows == 1
    now = NOW + 0.1 + VOTE_TIMEOUT
    voter.hear(now, [0], follows=0)
    assert voter.look(now) == [(2, 1)]


def test_as_long_as_the_others_are_enough_a_vote_in_vain_disturbs_nobody() -> None:
    voter = Voter(count=5)
    voted(voter, 4)
    for second in range(1, 2 * int(VOTE_TIMEOUT)):
        voter.hear(NOW + second, voter.others(), follows=1)
        assert voter.look(NOW + second) == []
    assert voter.succession.follows == 1


def test_a_shortage_that_passes_is_none() -> None:
    voter = Voter(count=2)
    voted(voter, 0)
    voter.hear(NOW + 0.1, [0], follows=0)
    voter.look(NOW + 0.1)
    voter.look(NOW + SILENT_AFTER + 1)  # without the other there are too few anyway
    late = NOW + SILENT_AFTER + 2
    voter.hear(late, [0], follows=0)
    voter.look(late)
    assert voter.succession.follows == 1


def test_who_has_voted_in_a_later_term_follows_this_host_no_more() -> None:
    voter = Voter()
    voted(voter, 1)
    voter.hear(NOW + 1, [0, 2], follows=1)
    assert voter.look(NOW + 1) == []
    assert voter.succession.follows == 0
