"""The one judge of records: what it lets through, and everything that it does not."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import get_args

import msgspec
import pytest

from rummy_p2p.cards import Card
from rummy_p2p.deal import DeckLaid, EntropyCommit, EntropyOpen, Opening
from rummy_p2p.engine import IllegalAction, KnobFailed, Phase, parse_action, unshown
from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.events import DeckCommitted, Elected, HandOver, HandStarted, HandVoid, MatchOver, Played
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.fields import NO_HEAD
from rummy_p2p.protocol.fold import BLIND_ONLY, OPEN_ONLY, TABLE, advance
from rummy_p2p.protocol.messages import PeerEntry, SeatEntry, Start, read, sign
from rummy_p2p.protocol.records import Act, Body, Departure, Flip, HandOpen, HostChange, Score, TimeOut, Void
from rummy_p2p.protocol.state import Stage
from rummy_p2p.ruleset import KnobFunction, Ruleset
from tests.protocol.blind_forge import BlindForge, dealt, laid
from tests.protocol.forge import SECRET, Forge
from tests.protocol.lan import rummy
from tests.protocol.test_messages import BODIES as SAMPLES

BODIES: dict[type, Body] = {type(body): body for body in SAMPLES} | {
    HandOpen: HandOpen(hand=9, epoch=0, promise=b"p" * 32, without=()),
    Flip: Flip(openings=(Opening(0, 0, b""),)),
    Act: Act(seat=0, move="draw", openings=()),
    TimeOut: TimeOut(seat=0),
    Score: Score(secret=SECRET, totals=()),
    Void: Void(code="nothing", evidence=()),
}


def rostered() -> Forge:
    forge = Forge()
    forge.add(0, forge.roster())
    return forge


def finished(count: int = 2) -> Forge:
    forge = Forge(count, hands=1).dealt().play()
    forge.add(0, forge.score())
    return forge


STAGES: dict[tuple[str, Stage], Callable[[], Forge]] = {
    ("host", Stage.EMPTY): Forge,
    ("host", Stage.ROSTER): rostered,
    ("host", Stage.BETWEEN): lambda: Forge().opened(),
    ("host", Stage.DEALING): lambda: Forge().opened().hand_opened(),
    ("host", Stage.PLAYING): lambda: Forge().dealt(),
    ("host", Stage.COUNTED): lambda: Forge().dealt().play(),
    ("host", Stage.OVER): finished,
    ("blind", Stage.BETWEEN): lambda: BlindForge().opened(),
    ("blind", Stage.KEYING): lambda: BlindForge().keying(),
    ("blind", Stage.DEALING): lambda: BlindForge().keyed(),
    ("blind", Stage.PLAYING): laid,
    ("blind", Stage.COUNTED): lambda: dealt().play(),
    ("blind", Stage.OVER): lambda: BlindForge(2, hands=1).dealt().closed(),
}


@cache
def at(place: tuple[str, Stage]) -> Forge:
    return STAGES[place]()


def refused(forge: Forge, author: int, body: Body, **changes: object) -> str:
    """The code with which a record is refused; nothing has changed by it."""
    before = forge.fold
    with pytest.raises((Fault, IllegalAction, KnobFailed)) as caught:
        advance(forge.fold, forge.motion(author, body, **changes))
    assert forge.fold == before
    assert str(caught.value)
    return getattr(caught.value, "code", "knob-failed")


def outcome(forge: Forge, author: int, body: Body) -> str:
    """The code of a refusal, or nothing."""
    try:
        advance(forge.fold, forge.motion(author, body))
    except (Fault, IllegalAction) as error:
        return error.code
    return ""


def test_every_kind_of_record_has_a_place() -> None:
    assert set(BODIES) == set(get_args(Body)) == {kind for kinds in TABLE.values() for kind in kinds}
    assert {stage for _, stage in STAGES} == set(Stage)


@pytest.mark.parametrize(("place", "kind"), list(product(STAGES, BODIES)))
def test_every_kind_at_every_stage_is_handled_or_out_of_place(place: tuple[str, Stage], kind: type) -> None:
    forge = at(place)
    deal, stage = place
    assert forge.fold.stage is stage
    has_no_place = kind in (OPEN_ONLY if deal == "blind" else BLIND_ONLY)
    if kind in TABLE[stage] and not has_no_place:
        assert outcome(forge, 0, BODIES[kind]) != "out-of-place"
    else:
        assert refused(forge, 0, BODIES[kind]) == "out-of-place"


def test_a_match_from_the_roster_to_the_end() -> None:
    forge = finished()
    told = [event for step in forge.steps for event in step.events]
    kinds = [type(event) for event in told if not isinstance(event, Played)]
    assert kinds[:3] == [Elected, HandStarted, DeckCommitted]
    assert kinds[-2:] == [HandOver, MatchOver]
    assert forge.fold.settled == 1
    over = next(event for event in told if isinstance(event, HandOver))
    assert over.records == forge.ledger.tail - 2
    assert over.totals == forge.fold.scores


def test_the_private_wants_are_those_of_the_engine() -> None:
    forge = Forge().dealt()
    dealt = next(step for step in forge.steps if any(isinstance(event, DeckCommitted) for event in step.events))
    assert len(dealt.private) == 21
    assert {want.seat for want in dealt.private} == {0, 1, 2}
    seat = forge.fold.hand.turn if forge.fold.hand else 0
    step = forge.add(seat, forge.act(seat, "draw"))
    assert [want.seat for want in step.private] == [seat]


# ---------------------------------------------------------------- belonging


def test_records_of_another_match_hand_or_attempt_do_not_count() -> None:
    forge = Forge().dealt()
    seat = forge.fold.hand.turn if forge.fold.hand else 0
    draw = forge.act(seat, "draw")
    assert refused(forge, seat, draw, match=b"x" * 32) == "wrong-match"
    for changes in ({"hand": 2}, {"hand": 0}, {"epoch": 1}):
        assert refused(forge, seat, draw, **changes) == "wrong-hand"
    assert refused(forge, 0, forge.hand_open(1), hand=7) == "out-of-place"
    dealing = Forge().opened().hand_opened()
    assert refused(dealing, 0, dealing.hand_open(1), hand=7) == "wrong-hand"


@pytest.mark.parametrize("kind", [Flip, TimeOut, Void])
def test_what_only_the_host_may_say(kind: type) -> None:
    assert refused(Forge().dealt(), 1, BODIES[kind]) == "wrong-author"


# ---------------------------------------------------------------- the beginning


def test_a_roster_that_nobody_agreed_on() -> None:
    forge = Forge()
    good = forge.roster()
    start_message = read(forge.start)
    assert isinstance(start_message, Start)
    other = sign(forge.peers[1], msgspec.structs.replace(start_message, number=2))
    for start in (b"", pack(other), pack(forge.vote(0))):
        assert refused(forge, 0, msgspec.structs.replace(good, start=start)) == "bad-roster"
    for rules in (b"{", rummy().with_(match__target=90).canonical()):
        assert refused(forge, 0, msgspec.structs.replace(good, rules=rules)) == "rules-differ"


def test_a_start_that_no_table_could_make() -> None:
    ids = Forge().ids
    seats = tuple(SeatEntry(owner=i, nick="N", number=0, bot=False) for i in ids)
    peers = tuple(PeerEntry(peer=i, wish="never", ready=True) for i in ids)
    cases: list[tuple[dict[str, object], str]] = [
        ({"fingerprint": b"f" * 32}, "rules-differ"),
        ({"peers": peers[:2]}, "bad-roster"),
        ({"peers": (*peers[:2], peers[0], peers[2])}, "bad-roster"),
        ({"seats": (*seats, seats[0])}, "bad-roster"),
        ({"seats": seats[:1], "peers": peers[:1]}, "bad-roster"),
    ]
    for changes, code in cases:
        forge = Forge(start=changes)
        assert refused(forge, 0, forge.roster()) == code


def test_a_host_that_was_not_elected() -> None:
    forge = rostered()
    good = forge.host_change()
    assert refused(forge, 0, msgspec.structs.replace(good, votes=good.votes[:1])) == "bad-votes"
    assert refused(forge, 0, msgspec.structs.replace(good, term=2)) == "wrong-term"
    stolen = HostChange(term=1, votes=tuple(pack(forge.vote(n, candidate=1)) for n in range(3)))
    assert refused(forge, 0, stolen) == "bad-votes"


# ---------------------------------------------------------------- the deal


def test_a_hand_is_opened_in_its_turn() -> None:
    forge = Forge().opened()
    good = forge.hand_open()
    for changes in ({"hand": 2}, {"epoch": 1}, {"without": (forge.ids[1],)}):
        assert refused(forge, 0, msgspec.structs.replace(good, **changes)) == "bad-hand-open"


def test_a_hand_is_opened_by_a_host_that_knows_who_has_left() -> None:
    """Its secret is bound to the peers of the hand; with one too many it would not be the one it was bound to."""
    forge = Forge().opened()
    seen, early = forge.ledger.head, forge.hand_open()
    forge.add(1, Departure())
    assert refused(forge, 0, early, head=seen) == "bad-hand-open"
    forge.hand_opened()
    assert forge.fold.deal is not None
    assert forge.ids[1] not in forge.fold.committed.spec.peers


def test_another_attempt_leaves_out_only_those_that_are_late() -> None:
    forge = Forge().opened().hand_opened()
    for author, message in forge.shares()[:2]:
        forge.add(author, message)
    host, prompt, late = forge.ids
    for without in ((), (prompt,), (host,), (prompt, late)):
        assert refused(forge, 0, forge.hand_open(1, without)) == "bad-hand-open"
    good = forge.hand_open(1, (late,))
    assert refused(forge, 0, msgspec.structs.replace(good, epoch=2)) == "bad-hand-open"
    step = forge.add(0, good)
    assert [(event.hand, event.attempt) for event in step.events if isinstance(event, HandStarted)] == [(1, 1)]
    assert forge.fold.deal is not None
    assert forge.fold.committed.spec.peers == (host, prompt)
    assert refused(forge, 2, EntropyCommit(commitment=b"c" * 32)) == "entropy-stranger"
    assert refused(forge, 0, forge.hand_open(2, (late,))) == "bad-hand-open"


def test_no_new_attempt_once_all_have_shown_their_bytes() -> None:
    forge = Forge().opened().hand_opened()
    for _ in range(2):
        for author, message in forge.shares():
            forge.add(author, message)
    assert refused(forge, 0, forge.hand_open(1, (forge.ids[1],))) == "bad-hand-open"
    assert refused(forge, 1, EntropyOpen(entropy=b"e" * 32)) == "entropy-early"


def test_the_first_dealer_comes_from_everybodys_bytes() -> None:
    forge = Forge().dealt()
    assert forge.fold.hand is not None
    assert forge.fold.deal is not None
    assert forge.fold.hand.dealer == int.from_bytes(forge.fold.deal.joint, "big") % 3


def test_the_host_flips_exactly_what_is_wanted() -> None:
    forge = Forge().opened().hand_opened()
    for _ in range(2):
        for author, message in forge.shares():
            forge.add(author, message)
    forge.add(0, forge.laid())
    (slot,) = forge.fold.flips
    assert refused(forge, 0, Flip(openings=(forge.opening(slot + 1),))) == "not-due"
    wrong = msgspec.structs.replace(forge.opening(slot), card=int(Card.parse("7h")))
    if wrong != forge.opening(slot):
        assert refused(forge, 0, Flip(openings=(wrong,))) == "bad-opening"
    assert refused(forge, 0, forge.act(0, "draw")) in {"draw-first", "not-your-turn"}
    forge.add(0, Flip(openings=(forge.opening(slot),)))
    assert forge.fold.hand is not None
    assert forge.fold.hand.phase is Phase.DRAW
    assert refused(forge, 0, Flip(openings=(forge.opening(slot),))) == "not-due"


# ---------------------------------------------------------------- moves


def turn_of(forge: Forge) -> int:
    assert forge.fold.hand is not None
    return forge.fold.hand.turn


def drawn() -> tuple[Forge, int]:
    forge = Forge().dealt()
    seat = turn_of(forge)
    forge.add(seat, forge.act(seat, "draw"))
    return forge, seat


def test_nobody_acts_for_the_seat_of_another() -> None:
    forge, seat = drawn()
    assert refused(forge, (seat + 1) % 3, forge.a_discard(seat)) == "wrong-author"
    assert refused(forge, 0, Act(seat=7, move="draw", openings=())) == "wrong-author"


def test_a_move_must_be_one_and_be_legal() -> None:
    forge, seat = drawn()
    assert refused(forge, seat, Act(seat=seat, move="frobnicate", openings=())) == "parse-error"
    assert refused(forge, seat, Act(seat=seat, move="draw", openings=())) == "already-drawn"


def test_a_move_shows_its_own_hidden_cards_and_no_others() -> None:
    forge, seat = drawn()
    good = forge.a_discard(seat)
    (opening,) = good.openings
    assert refused(forge, seat, msgspec.structs.replace(good, openings=())) == "not-in-hand"
    assert refused(forge, seat, msgspec.structs.replace(good, openings=(opening, opening))) == "needless-opening"
    hand = forge.fold.hand
    assert hand is not None
    foreign = forge.opening(hand.hands[(seat + 1) % 3][0])
    further = forge.opening(next(slot for slot in hand.hands[seat] if slot != opening.slot))
    for more in (foreign, further, forge.opening(hand.stock[0])):
        assert refused(forge, seat, msgspec.structs.replace(good, openings=(opening, more))) == "needless-opening"
    forged = msgspec.structs.replace(opening, proof=b"p" * 32)
    assert refused(forge, seat, msgspec.structs.replace(good, openings=(forged,))) == "bad-opening"
    other = msgspec.structs.replace(opening, card=further.card)
    assert refused(forge, seat, msgspec.structs.replace(good, openings=(other,))) == "bad-opening"
    forge.add(seat, good)


def test_a_move_made_before_the_last_one_was_seen_is_stale() -> None:
    forge, seat = drawn()
    move = forge.a_discard(seat)
    assert refused(forge, seat, move, head=forge.ledger.hash_at(forge.ledger.tail - 1)) == "stale-number"
    assert refused(forge, seat, move, head=NO_HEAD) == "stale-number"


def test_the_clock_ends_turns_only_where_there_is_one() -> None:
    forge, seat = drawn()
    assert refused(forge, 0, TimeOut(seat=seat)) == "not-due"
    forge = Forge(rules=rummy(clock__move_s=9)).dealt()
    seat = turn_of(forge)
    assert refused(forge, 0, TimeOut(seat=(seat + 1) % 3)) == "not-due"
    forge.add(0, TimeOut(seat=seat))
    assert turn_of(forge) == (seat + 1) % 3


def test_who_is_out_of_time_for_the_game_loses_the_match() -> None:
    forge, seat = drawn()
    assert refused(forge, 0, TimeOut(seat=seat, game=True)) == "not-due"
    forge = Forge(rules=rummy(clock__game_s=60, clock__game_loses=True)).dealt()
    seat = turn_of(forge)
    assert refused(forge, 0, TimeOut(seat=seat)) == "not-due"
    forge.add(0, TimeOut(seat=seat, game=True))
    assert forge.fold.stage is Stage.OVER
    assert forge.fold.match is not None
    assert forge.fold.match.over
    assert seat not in forge.fold.match.winners
    assert forge.steps[-1].events[-1].code == "out-of-time"  # type: ignore[attr-defined]  # a MatchOver


def reshuffling() -> Forge:
    """A hand in which the stock has run out and a draw shuffles the pile."""
    forge = Forge(2, rules=rummy(stock_out__what="reshuffle", claim__kind="none")).dealt()
    while len(forge.fold.deal.layers) == 1:  # type: ignore[union-attr]  # a hand is being played
        seat = turn_of(forge)
        forge.add(seat, forge.act(seat, "draw"))
        if len(forge.fold.deal.layers) == 1:  # type: ignore[union-attr]  # as above
            forge.add(seat, forge.a_discard(seat))
    return forge


def test_a_shuffled_pile_is_laid_out_anew_before_anybody_moves() -> None:
    forge = reshuffling()
    seat = turn_of(forge)
    assert forge.steps[-1].private
    (want,) = forge.steps[-1].private
    assert want.slot >= 52
    assert refused(forge, seat, Act(seat=seat, move="discard 7h", openings=())) == "not-due"
    assert refused(forge, 0, BODIES[DeckLaid]) == "bad-deck"
    forge.add(0, forge.laid())
    forge.add(seat, forge.a_discard(seat))
    forge.play()
    assert forge.fold.stage is Stage.COUNTED
    forge.add(0, forge.score())


# ---------------------------------------------------------------- the end of a hand


def test_the_host_shows_its_secret_and_the_right_totals() -> None:
    forge = Forge().dealt().play()
    good = forge.score()
    assert refused(forge, 0, msgspec.structs.replace(good, secret=b"T" * 32)) == "secret-differs"
    assert refused(forge, 0, msgspec.structs.replace(good, totals=(0, 0, 1000))) == "score-differs"
    forge.add(0, good)
    assert forge.fold.stage is Stage.BETWEEN
    dealer = forge.fold.match.dealer if forge.fold.match else None
    forge.dealt()
    assert forge.fold.hand is not None
    assert (forge.fold.number, forge.fold.hand.dealer) == (2, dealer)


def test_a_deck_that_was_stacked_is_found_when_the_hand_is_over() -> None:
    forge = Forge().opened().hand_opened()
    for _ in range(2):
        for author, message in forge.shares():
            forge.add(author, message)
    assert forge.deal is not None
    honest = forge.deal.public.lay_out(forge.deal.public.layers[0], SECRET)
    cards = [opening.card for opening in reversed(honest)]
    stacked = tuple(msgspec.structs.replace(o, card=card) for o, card in zip(honest, cards, strict=True))
    forge.deal._openings[0] = stacked
    forge.add(0, forge.laid())
    forge.add(0, Flip(openings=tuple(forge.opening(slot) for slot in forge.fold.flips)))
    forge.play()
    assert refused(forge, 0, forge.score()) == "deck-differs"


def before_the_last_move(rules: Ruleset, seed: int) -> Forge:
    forge = Forge(3, rules=rules).dealt()
    moves = Forge(3, rules=rules).dealt().play(seed=seed).ledger.tail - forge.ledger.tail
    return forge.play(moves - 1, seed)


def owing_of(forge: Forge) -> tuple[int, ...]:
    assert forge.fold.hand is not None
    return unshown(forge.fold.hand)


def test_a_function_that_fails_when_counting_is_seen_by_all() -> None:
    broken = False

    def left_points(_cards: object) -> int:
        return 1 // (not broken)

    function = KnobFunction(name="left_points", plugin="odd", version="1", source_hash="0" * 64, call=left_points)
    rules = rummy().with_function(function)
    forge = next(forge for seed in range(9) if owing_of(forge := before_the_last_move(rules, seed)))
    owing = owing_of(forge)
    broken = True
    draft = forge.draft(owing[0], forge.act(owing[0], "show"))
    assert refused(forge, owing[0], forge.act(owing[0], "show")) == "knob-failed"
    step = forge.add(0, Void(code="knob-failed", evidence=(pack(draft),)))
    (void,) = [event for event in step.events if isinstance(event, HandVoid)]
    assert (void.code, void.culprit) == ("knob-failed", None)
    assert "left_points" in void.sentence
    assert forge.fold.scores == (0, 0, 0)
    assert forge.fold.stage is Stage.BETWEEN


def test_a_failure_that_nobody_else_sees_voids_nothing() -> None:
    forge, seat = drawn()
    fine = pack(forge.draft(seat, forge.a_discard(seat)))
    illegal = pack(forge.draft(seat, Act(seat=seat, move="draw", openings=())))
    flip = pack(forge.draft(0, BODIES[Flip]))
    for evidence in ((), (b"x",), (fine,), (illegal,), (flip,), (pack(forge.vote(0)),)):
        assert refused(forge, 0, Void(code="knob-failed", evidence=evidence)) == "bad-evidence"
    counted = Forge().dealt().play()
    assert refused(counted, 0, Void(code="knob-failed", evidence=())) == "bad-evidence"


def test_a_host_that_lost_the_deck_may_give_up_the_hand() -> None:
    forge = Forge().opened()
    for count in range(1, 4):
        forge.hand_opened()
        step = forge.add(0, Void(code="secret-lost", evidence=()))
        assert [event.code for event in step.events if isinstance(event, HandVoid)] == ["secret-lost"]
        assert forge.fold.voids == count
    (over,) = [event for event in forge.steps[-1].events if isinstance(event, MatchOver)]
    assert (over.code, forge.fold.stage) == ("cannot-deal", Stage.OVER)


def test_a_hand_that_counts_ends_the_row_of_those_that_do_not() -> None:
    forge = Forge(2).opened().hand_opened()
    forge.add(0, Void(code="secret-lost", evidence=()))
    forge.dealt().play()
    forge.add(0, forge.score())
    assert (forge.fold.voids, forge.fold.settled, forge.fold.number) == (0, 1, 2)


# ---------------------------------------------------------------- who goes, and who is put out


def test_who_leaves_is_out_and_the_hand_is_void() -> None:
    forge, _ = drawn()
    step = forge.add(2, Departure())
    assert [event.code for event in step.events if isinstance(event, HandVoid)] == ["left"]
    assert (forge.fold.stage, forge.fold.peers) == (Stage.BETWEEN, tuple(forge.ids[:2]))
    assert forge.fold.out == {2}
    forge.dealt()
    assert forge.fold.hand is not None
    assert forge.fold.hand.playing == (True, True, False)
    step = forge.add(1, Departure())
    (over,) = [event for event in step.events if isinstance(event, MatchOver)]
    assert (over.code, over.winners) == ("too-few-players", (0,))


def test_who_leaves_before_the_first_deck_is_out_of_it() -> None:
    forge = Forge().opened()
    forge.add(2, Departure())
    assert forge.fold.stage is Stage.BETWEEN
    forge.dealt()
    assert forge.fold.hand is not None
    assert forge.fold.hand.playing == (True, True, False)


def test_when_too_few_are_left_before_the_first_deck_nobody_has_won() -> None:
    forge = Forge(2).opened().hand_opened()
    step = forge.add(1, Departure())
    (over,) = [event for event in step.events if isinstance(event, MatchOver)]
    assert (over.code, over.winners, over.scores) == ("too-few-players", (), (0, 0))


def test_who_was_eliminated_may_go_without_disturbing_anybody() -> None:
    forge = Forge()
    forge.opened()
    forge.add(2, Departure())
    again = Forge().dealt()
    assert again.fold.match is not None
    out = msgspec.structs.replace(again.fold.match, out=frozenset({2}))
    again.fold = msgspec.structs.replace(again.fold, match=out)
    step = again.add(2, Departure())
    assert step.events == ()
    assert again.fold.stage is Stage.PLAYING
    assert again.ids[2] not in again.fold.peers


def test_a_host_that_leaves_is_put_out_like_anybody_else() -> None:
    forge, _ = drawn()
    step = forge.add(0, Departure())
    (void,) = [event for event in step.events if isinstance(event, HandVoid)]
    assert (void.code, forge.fold.stage) == ("left", Stage.BETWEEN)
    assert forge.ids[0] not in forge.fold.peers


def test_a_guest_that_signed_two_bodies_is_put_out() -> None:
    forge, seat = drawn()
    guest = 1 if seat != 1 else 2
    forge.numbers[guest] += 1
    number = forge.numbers[guest]
    pair = tuple(
        pack(forge.draft(guest, Act(seat=guest, move=move, openings=()), number=number)) for move in ("draw", "call")
    )
    void = Void(code="two-bodies", evidence=pair)
    assert refused(forge, 0, msgspec.structs.replace(void, evidence=pair[:1])) == "bad-evidence"
    step = forge.add(0, void)
    assert [(e.code, e.culprit) for e in step.events if isinstance(e, HandVoid)] == [("two-bodies", forge.ids[guest])]
    assert guest in forge.fold.out
    forge.hand_opened()
    assert refused(forge, 0, void) == "bad-evidence"


def test_a_host_does_not_put_itself_out() -> None:
    forge, _ = drawn()
    number = forge.numbers[0] + 5
    pair = tuple(pack(forge.draft(0, Act(seat=0, move=move, openings=()), number=number)) for move in ("draw", "call"))
    assert refused(forge, 0, Void(code="two-bodies", evidence=pair)) == "bad-evidence"


def test_the_notation_in_the_ledger_is_the_exact_one() -> None:
    forge, seat = drawn()
    move = forge.a_discard(seat)
    loose = msgspec.structs.replace(move, move=f"  {move.move.upper().replace('DISCARD', 'Discard')}  ")
    step = forge.add(seat, loose)
    (played,) = [event for event in step.events if isinstance(event, Played)]
    assert played.move == str(parse_action(move.move))
