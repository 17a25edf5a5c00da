"""The joint key: made by all, known to none; whoever does not keep to the rules is named."""

from __future__ import annotations

from itertools import combinations

import msgspec
import pytest

from rummy_p2p.deal.breach import Breach
from rummy_p2p.deal.group import L, minus, times_base, write_scalar
from rummy_p2p.deal.keys import (
    BOX_SIZE,
    KeyAnswer,
    KeyCommit,
    KeyComplaint,
    KeyMessage,
    KeyOk,
    KeyOpen,
    KeyParty,
    KeyShare,
    KeyShares,
    KeyStage,
    KeyTranscript,
    Postbox,
    begin_key,
    commit_to,
    evaluate,
    quorum,
    weights,
)
from rummy_p2p.deal.proofs import prove_log
from tests.deal import plain_verifier as plain
from tests.deal.blind_table import CONTEXT, IDS, POSTBOXES, SEEDS, STRANGER, dice, key_parties, made_key, refusal, talk

ADA, BEA, CEM = IDS[:3]
T2 = plain.encode((0, plain.P - 1, 1, 0))


def say(parties: dict[bytes, KeyParty], author: bytes, message: KeyMessage) -> None:
    for party in parties.values():
        party.receive(author, message)


def step(parties: dict[bytes, KeyParty], *silent: bytes) -> None:
    """Let everybody but the silent say what is due, once."""
    said = [(peer, message) for peer, party in parties.items() if peer not in silent for message in party.messages()]
    for author, message in said:
        say(parties, author, message)


def until(stage: KeyStage, count: int = 3) -> dict[bytes, KeyParty]:
    parties = key_parties(count)
    while parties[ADA].public.stage is not stage:
        step(parties)
    return parties


# ---------------------------------------------------------------- an honest key


@pytest.mark.parametrize(("count", "trust_all"), [(2, False), (3, False), (3, True), (6, False), (8, False)])
def test_all_end_with_one_key_and_any_t_of_them_have_it(count: int, *, trust_all: bool) -> None:
    key, shares = made_key(count, trust_all=trust_all)
    assert key.threshold == (count if trust_all else quorum(count))
    assert [times_base(shares[peer].scalar) for peer in key.peers] == list(key.shares)
    for chosen in list(combinations(range(1, count + 1), key.threshold))[:5]:
        secret = sum(w * shares[IDS[i - 1]].scalar for w, i in zip(weights(chosen), chosen, strict=True))
        assert times_base(secret) == key.public
    fewer = tuple(range(1, key.threshold))
    if fewer:
        guess = sum(w * shares[IDS[i - 1]].scalar for w, i in zip(weights(fewer), fewer, strict=True))
        assert times_base(guess) != key.public


def test_the_key_goes_through_its_stages() -> None:
    parties = key_parties(3)
    kinds: list[type] = [KeyCommit, KeyOpen, KeyShares, KeyOk]
    for stage, kind in zip(list(KeyStage)[:4], kinds, strict=True):
        assert {party.public.stage for party in parties.values()} == {stage}
        assert parties[ADA].public.missing() == IDS[:3]
        assert {type(m) for party in parties.values() for m in party.messages()} == {kind}
        assert refusal(parties[ADA].public.key) == ("no-key", None)
        step(parties)
    public = parties[ADA].public
    assert public.stage is KeyStage.DONE
    assert public.missing() == ()
    assert all(party.messages() == () for party in parties.values())
    assert len({party.public for party in parties.values()}) == 1


def test_a_plain_verifier_finds_the_same_key() -> None:
    parties = until(KeyStage.DEAL)
    opened = [party._opened for party in parties.values()]
    vectors, proofs = [each.vector for each in opened], [each.proof for each in opened]
    public = talk(parties)
    joint, *shares = plain.check_key(CONTEXT, IDS[:3], vectors, proofs)
    assert (public.key().public, public.key().shares) == (joint, tuple(shares))


def test_a_quorum_is_a_majority() -> None:
    assert [quorum(count) for count in range(1, 9)] == [1, 2, 2, 3, 3, 4, 4, 5]


def test_saying_it_again_is_saying_the_same() -> None:
    for stage in list(KeyStage)[:4]:
        party = until(stage)[BEA]
        assert party.messages() == party.messages() != ()


def test_the_polynomial_is_forgotten_when_the_key_is_done() -> None:
    parties = until(KeyStage.DONE)
    share = parties[ADA].share()
    assert times_base(share.scalar) == parties[ADA].public.key().share_of(ADA)
    parties[ADA].forget()
    assert refusal(parties[ADA].share) == ("no-key", None)


def test_secrets_are_not_shown_by_accident() -> None:
    parties = until(KeyStage.DONE)
    share = parties[ADA].share()
    shown = f"{share!r} {parties[ADA]!r} {POSTBOXES[ADA]!r}"
    assert share.to_bytes().hex() not in shown
    assert str(share.scalar) not in shown
    assert KeyShare.from_bytes(share.to_bytes()).scalar == share.scalar
    assert refusal(KeyShare.from_bytes, b"\xff" * 32) == ("bad-scalar", None)


def test_a_vector_is_evaluated_where_its_polynomial_is() -> None:
    polynomial = (5, 7, 11)
    vector = tuple(map(times_base, polynomial))
    assert evaluate(vector, 3) == times_base(5 + 7 * 3 + 11 * 9)
    assert evaluate(vector[:1], 3) == times_base(5)


# ---------------------------------------------------------------- what is not due


def test_what_a_peer_says_must_be_due() -> None:
    begun = until(KeyStage.COMMIT)[ADA].public
    commit, opened = KeyCommit(b"c" * 32), KeyOpen(b"v" * 64, b"p" * 64)
    assert refusal(begun.receive, STRANGER, commit) == ("key-not-due", None)
    assert refusal(begun.receive, ADA, opened) == ("key-not-due", None)
    assert refusal(begun.receive(ADA, commit).receive, ADA, commit) == ("key-not-due", None)
    assert begun.receive(ADA, commit).missing() == (BEA, CEM)
    for message in (KeyComplaint((BEA,)), KeyAnswer(BEA, bytes(32)), KeyOk(bytes(32))):
        assert refusal(begun.receive, ADA, message) == ("key-not-due", None)
    done = until(KeyStage.DONE)[ADA].public
    assert refusal(done.receive, ADA, KeyOk(done.digest())) == ("key-not-due", None)
    confirming = until(KeyStage.CONFIRM)[ADA].public
    ok = confirming.receive(ADA, KeyOk(confirming.digest()))
    assert refusal(ok.receive, ADA, KeyOk(ok.digest())) == ("key-not-due", None)
    assert refusal(ok.receive, ADA, KeyComplaint((BEA,))) == ("key-not-due", None)
    assert refusal(ok.receive, BEA, KeyComplaint((BEA,))) == ("key-not-due", None)
    assert refusal(ok.receive, BEA, KeyComplaint((STRANGER,))) == ("key-not-due", None)


def test_two_who_saw_different_vectors_do_not_agree() -> None:
    public = until(KeyStage.CONFIRM)[ADA].public
    assert refusal(public.receive, BEA, KeyOk(b"d" * 32)) == ("key-differs", None)


def test_a_program_that_was_restarted_makes_no_share_of_a_polynomial_that_nobody_knows() -> None:
    parties = until(KeyStage.CONFIRM)
    again = KeyParty(parties[ADA].public, BEA, POSTBOXES[BEA], dice("after the restart"))
    assert refusal(again.share) == ("no-key", None)
    assert times_base(parties[BEA].share().scalar)


def test_whoever_vanishes_is_named_missing_and_convicted_of_nothing() -> None:
    parties = key_parties(3)
    step(parties, CEM)
    assert parties[ADA].public.missing() == (CEM,)
    assert all(party.messages() == () for peer, party in parties.items() if peer != CEM)


def test_a_program_that_was_restarted_in_between_keeps_silent() -> None:
    parties = until(KeyStage.OPEN)
    again = KeyParty(parties[ADA].public, BEA, POSTBOXES[BEA], dice("after the restart"))
    assert again.messages() == ()


# ---------------------------------------------------------------- attacks


def opened_by(public: KeyTranscript, peer: bytes, polynomial: tuple[int, ...]) -> KeyOpen:
    vector = b"".join(map(times_base, polynomial))
    return KeyOpen(vector, prove_log(public.about(peer), polynomial[0], times_base(polynomial[0]), bytes(32)))


def committed_to(opened: KeyOpen) -> KeyTranscript:
    """The stage OPEN, with everybody bound to the same vector."""
    public = begin_key(CONTEXT, IDS[:3])
    for peer in IDS[:3]:
        public = public.receive(peer, KeyCommit(commit_to(CONTEXT, peer, opened)))
    return public


def test_another_vector_than_the_promised_one() -> None:
    public = committed_to(opened_by(begin_key(CONTEXT, IDS[:3]), BEA, (1, 2)))
    assert refusal(public.receive, BEA, opened_by(public, BEA, (3, 2))) == ("key-mismatch", BEA)


@pytest.mark.parametrize("polynomial", [(5,), (5, 6, 7)], ids=["t - 1", "t + 1"])
def test_a_vector_has_exactly_t_points(polynomial: tuple[int, ...]) -> None:
    opened = opened_by(begin_key(CONTEXT, IDS[:3]), BEA, polynomial)
    assert refusal(committed_to(opened).receive, BEA, opened) == ("bad-key-vector", BEA)


def test_a_rogue_key_has_no_proof_of_possession() -> None:
    """Bea's first point cancels Ada's, so that Bea alone would know the key: nobody knows its logarithm."""
    begun = begin_key(CONTEXT, IDS[:3])
    ada = opened_by(begun, ADA, (11, 12))
    rogue = minus(times_base(7), times_base(11))
    proof = prove_log(begun.about(BEA), 7, times_base(7), bytes(32))
    opened = KeyOpen(rogue + times_base(3), proof)
    assert refusal(committed_to(opened).receive, BEA, opened) == ("bad-proof", BEA)
    copied = KeyOpen(ada.vector, ada.proof)
    assert refusal(committed_to(copied).receive, BEA, copied) == ("bad-proof", BEA)


def test_a_proof_from_another_match_or_roster_is_none() -> None:
    for begun in (begin_key(b"x" * 32, IDS[:3]), begin_key(CONTEXT, IDS[:4])):
        opened = opened_by(begun, BEA, (1, 2))
        assert refusal(committed_to(opened).receive, BEA, opened) == ("bad-proof", BEA)


@pytest.mark.parametrize("point", [T2, plain.encode(plain.ZERO), b"\xff" * 32], ids=["T2", "neutral", "no point"])
def test_points_of_a_vector_have_prime_order(point: bytes) -> None:
    good = opened_by(begin_key(CONTEXT, IDS[:3]), BEA, (1, 2))
    opened = KeyOpen(good.vector[:32] + point, good.proof)
    assert refusal(committed_to(opened).receive, BEA, opened) == ("bad-point", BEA)


def test_a_wrong_share_is_complained_about_and_a_good_answer_is_used() -> None:
    parties = until(KeyStage.DEAL)
    (honest,) = parties[CEM].messages()
    assert isinstance(honest, KeyShares)
    spoiled = KeyShares((b"\0" * BOX_SIZE, honest.boxes[1]))
    for peer in (ADA, BEA):
        say(parties, peer, parties[peer].messages()[0])
    say(parties, CEM, spoiled)
    assert refusal(parties[ADA].share) == ("no-key", None)
    assert parties[ADA].messages() == (KeyComplaint((CEM,)),)
    assert parties[BEA].messages() == (KeyOk(parties[BEA].public.digest()),)
    say(parties, ADA, KeyComplaint((CEM,)))
    public = parties[ADA].public
    assert public.missing() == (CEM,)
    assert parties[ADA].messages() == () == parties[BEA].messages()
    assert refusal(public.receive, ADA, KeyComplaint((CEM,))) == ("key-not-due", None)
    assert refusal(public.receive, ADA, KeyOk(public.digest())) == ("key-not-due", None)
    assert refusal(public.receive, BEA, KeyAnswer(ADA, bytes(32))) == ("key-not-due", None)
    public = talk(parties)
    assert public.stage is KeyStage.DONE
    assert times_base(parties[ADA].share().scalar) == public.key().share_of(ADA)
    assert isinstance(public.answers[0], tuple)


@pytest.mark.parametrize("share", [write_scalar(5), (L + 5).to_bytes(32, "little"), bytes(32)])
def test_a_wrong_answer_convicts_the_sender(share: bytes) -> None:
    parties = until(KeyStage.CONFIRM)
    say(parties, ADA, KeyComplaint((CEM,)))
    assert refusal(parties[BEA].public.receive, CEM, KeyAnswer(ADA, share)) == ("bad-key-share", CEM)


def test_a_box_with_a_wrong_share_or_for_somebody_else_is_found() -> None:
    parties = until(KeyStage.DEAL)
    wrong = POSTBOXES[CEM].seal(ADA, write_scalar(5), bytes(24))
    foreign = POSTBOXES[CEM].seal(ADA, write_scalar(5), bytes(24))
    for peer in (ADA, BEA):
        say(parties, peer, parties[peer].messages()[0])
    say(parties, CEM, KeyShares((wrong, foreign)))
    assert [party.messages() for party in (parties[ADA], parties[BEA])] == [(KeyComplaint((CEM,)),)] * 2


def test_a_box_for_each_other_peer() -> None:
    parties = until(KeyStage.DEAL)
    assert refusal(parties[ADA].public.receive, CEM, KeyShares(())) == ("bad-key-share", CEM)


def test_whoever_owes_an_answer_and_vanishes_is_missing() -> None:
    parties = until(KeyStage.CONFIRM)
    say(parties, ADA, KeyComplaint((BEA, CEM)))
    assert parties[ADA].public.missing() == (BEA, CEM)
    step(parties, CEM)
    assert parties[ADA].public.missing() == (CEM,)


# ---------------------------------------------------------------- boxes


def test_only_the_receiver_opens_a_box_and_knows_from_whom_it_is() -> None:
    box = POSTBOXES[ADA].seal(BEA, b"t" * 32, b"n" * 24)
    assert len(box) == BOX_SIZE
    assert POSTBOXES[BEA].open(ADA, box) == b"t" * 32
    assert POSTBOXES[CEM].open(ADA, box) is None
    assert POSTBOXES[BEA].open(CEM, box) is None
    assert POSTBOXES[BEA].open(ADA, box[:10]) is None
    assert Postbox(SEEDS[1]).open(ADA, box) == b"t" * 32


def test_a_key_message_with_unknown_fields_is_none() -> None:
    raw = {"type": "key-ok", "digest": b"d" * 32, "more": 1}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(raw, KeyOk, builtin_types=(bytes,))


def test_a_breach_is_not_blamed_twice() -> None:
    breach = Breach("bad-proof", ADA)
    breach.blame(BEA)
    assert breach.culprit == ADA
