"""Of two, one that has waited long enough may end the match; the other is told, and believes what it noticed."""

from __future__ import annotations

import pytest

from rummy_p2p.protocol.events import MatchOver
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.forming import Phase
from rummy_p2p.protocol.messages import Claim, sign
from tests.protocol.lan import Lan, Peer, playing
from tests.protocol.tampering import match_of

GRACE = 20


def two_in_play() -> tuple[Lan, Peer, Peer]:
    lan, (ada, bea) = playing(2, 4, grace=GRACE)
    lan.run(lambda: ada.table.fold is not None and ada.table.fold.match is not None)
    lan.settle(1.0)
    return lan, ada, bea


def refused(lan: Lan, peer: Peer) -> tuple[str, str]:
    with pytest.raises(Refusal) as error:
        peer.table.claim(lan.now)
    return error.value.code, str(error.value)


def claim(lan: Lan, peer: Peer) -> None:
    peer.table.claim(lan.now)
    lan.pump(peer)


def test_nothing_is_claimed_while_the_other_is_here_or_may_come_back() -> None:
    lan, ada, bea = two_in_play()
    code, sentence = refused(lan, ada)
    assert code == "nobody-gone"
    assert sentence == "Bea is here. The match can be claimed only when the other player has been gone for 20 s."
    lan.cut(ada, bea)
    lan.settle(8.0)
    code, sentence = refused(lan, ada)
    assert code == "grace-left"
    assert sentence in {f"Bea may still come back: the match can be claimed in {left} s." for left in (11, 12, 13)}
    assert ada.table.claim_opens(lan.now) == pytest.approx(12.0, abs=1.1)
    lan.link(ada, bea)
    lan.settle(1.0)
    assert refused(lan, ada)[0] == "nobody-gone"
    assert ada.table.claim_opens(lan.now) is None


@pytest.mark.parametrize("claimant", [0, 1])
def test_after_the_grace_time_the_match_ends_and_the_other_is_told(claimant: int) -> None:
    lan, *two = two_in_play()
    ours, theirs = two[claimant], two[1 - claimant]
    lan.cut(ours, theirs)
    lan.settle(GRACE + 1.0)
    claim(lan, ours)
    (over,) = ours.all(MatchOver)
    assert (over.code, over.winners) == ("claimed", ours.table.match.own_seats if ours.table.match else ())
    assert over.sentence == (
        f"{theirs.name} was gone for longer than the 20 s that this table waits, so {ours.name} claimed the match."
    )
    assert ours.table.phase is not Phase.PLAYING
    assert match_of(theirs).claimed is None
    assert match_of(ours).claimed is not None  # kept for whoever comes back later
    assert refused(lan, ours)[0] == "no-match"
    assert not theirs.all(MatchOver)
    lan.link(ours, theirs)
    lan.settle(1.0)
    assert theirs.all(MatchOver) == [over]


def test_who_was_restarted_meanwhile_is_told_as_well() -> None:
    lan, ada, bea = two_in_play()
    lan.kill(bea)
    lan.settle(GRACE + 1.0)
    claim(lan, ada)
    lan.restart(bea)
    lan.link(ada, bea)
    lan.settle(1.0)
    assert bea.all(MatchOver) == ada.all(MatchOver)


def test_the_claim_of_somebody_who_was_not_missed_wins_nothing_here() -> None:
    lan, ada, bea = two_in_play()
    assert ada.table.match is not None
    false = Claim(match=ada.table.match.id, seq=1, head=bytes(32), waited=99)
    lan.take_in(bea, ada.id, sign(ada.identity, false))
    (over,) = bea.all(MatchOver)
    assert (over.code, over.winners) == ("claim-doubted", ())
    assert over.sentence.startswith("Ada claimed the match because you were gone; this program noticed nothing.")


def test_of_three_nobody_claims() -> None:
    lan, peers = playing(3, 2, grace=GRACE)
    lan.run(lambda: peers[0].table.host is not None)
    lan.cut(peers[0], peers[1])
    lan.settle(GRACE + 5.0)
    assert refused(lan, peers[0])[0] == "no-claim"
    assert peers[0].table.match is not None
    false = Claim(match=peers[0].table.match.id, seq=1, head=bytes(32), waited=99)
    lan.take_in(peers[0], peers[1].id, sign(peers[1].identity, false))
    assert not peers[0].all(MatchOver)


def test_those_who_look_on_are_told_who_claimed() -> None:
    lan, ada, bea = two_in_play()
    guest = lan.onlooker("Gus", ada.rules)
    lan.link(guest, ada)
    lan.settle(3.0)
    lan.cut(ada, bea)
    lan.settle(GRACE + 1.0)
    claim(lan, ada)
    lan.settle(1.0)
    assert guest.all(MatchOver) == ada.all(MatchOver)


def test_the_grace_time_is_the_tables() -> None:
    _lan, ada, _bea = two_in_play()
    assert ada.table.info.grace == GRACE
    assert ada.table.match is not None
    assert ada.table.match.grace == GRACE


def test_there_is_nothing_to_claim_before_a_match() -> None:
    lan = Lan()
    peer = lan.peer("Ada", playing(2)[1][0].rules)
    lan.create(peer)
    assert refused(lan, peer) == ("no-match", "No match is being played at this table.")
    assert peer.table.claim_opens(lan.now) is None


def test_nothing_is_claimed_against_somebody_who_suspended() -> None:
    lan, ada, bea = two_in_play()
    bea.table.suspend(lan.now)
    lan.pump(bea)
    lan.settle(0.1)
    lan.kill(bea)
    lan.settle(GRACE + 1.0)
    assert ada.table.claim_opens(lan.now) is None
    code, sentence = refused(lan, ada)
    assert code == "has-suspended"
    assert sentence.startswith("Bea has suspended the match, to go on another time.")
    lan.restart(bea)
    lan.link(ada, bea)
    lan.settle(1.0)
    lan.kill(bea)
    lan.settle(GRACE + 1.0)
    assert ada.table.claim_opens(lan.now) == 0


def test_nothing_is_claimed_against_somebody_who_has_not_been_there_since_one_came_back() -> None:
    lan, ada, bea = two_in_play()
    lan.kill(ada)
    lan.kill(bea)
    lan.restart(ada)
    lan.settle(GRACE + 1.0)
    assert ada.table.claim_opens(lan.now) is None
    assert refused(lan, ada) == (
        "not-back-yet", "Bea has not been here since you came back. Nobody loses the match by that."
    )  # fmt: skip
    lan.restart(bea)
    lan.link(ada, bea)
    lan.settle(1.0)
    assert refused(lan, ada)[0] == "nobody-gone"
    lan.cut(ada, bea)
    lan.settle(GRACE + 1.0)
    assert ada.table.claim_opens(lan.now) == 0
