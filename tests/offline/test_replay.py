"""A ledger file is a film: every record in order, faces as far as the file tells them, and why it ends there."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_p2p.deal.committed import Transcript
from rummy_p2p.offline.replay import Replay
from rummy_p2p.protocol.events import Played
from rummy_p2p.protocol.ledger import read_stream, write_stream
from rummy_p2p.protocol.records import Departure, Void
from tests.protocol.forge import Forge
from tests.protocol.lan import rummy


@cache
def match() -> Forge:
    """Two hands of two players, the second with a pile that was shuffled anew."""
    forge = Forge(2, hands=2, rules=rummy(stock_out__what="reshuffle"))
    for seed in (1, 2):
        forge.dealt().play(seed=seed)
        forge.add(0, forge.score())
    return forge


@cache
def film() -> Replay:
    return Replay(match().file())


@cache
def unfinished() -> Replay:
    return Replay(Forge(2).dealt().play(6).file())


def test_every_record_is_a_frame_with_the_state_after_it() -> None:
    steps = match().steps
    assert film().problem is None
    assert film().stop() == ""
    assert film().last == len(steps)
    for frame, step in zip(film().frames, steps, strict=True):
        assert frame.fold == step.fold
        assert frame.events == step.events
    assert [frame.number for frame in film().frames] == list(range(1, film().last + 1))
    assert film().names == ("Ada", "Bea")
    assert film().rules.fingerprint == match().rules.fingerprint


def test_a_frame_says_what_it_is_and_whose() -> None:
    kinds = [frame.kind for frame in film().frames]
    assert kinds[:3] == ["roster", "host-change", "hand-open"]
    assert kinds[-1] == "score"
    assert kinds.count("hand-open") == 2
    acts = [frame for frame in film().frames if frame.kind == "act"]
    assert all(frame.move for frame in acts)
    assert {frame.author for frame in acts} == {"Ada", "Bea"}
    for frame in acts:
        (played,) = [event for event in frame.events if isinstance(event, Played)]
        assert frame.move == played.move
        assert frame.author == film().names[played.seat]


def test_hands_are_found_by_number() -> None:
    first, second = film().hands()
    assert film().frames[first - 1].kind == film().frames[second - 1].kind == "hand-open"
    assert (first, film().frames[second - 1].hand) == (3, 2)
    assert Replay(Forge().opened().file()).hands() == ()


def test_every_frame_can_be_told_from_every_seat() -> None:
    for seat in (None, 0, 1):
        for number in range(1, film().last + 1):
            assert film().heading(number).startswith(f"Record {number} of {film().last}")
            assert all(line and "{" not in line for line in film().lines(number, seat))
    silent = [frame.kind for frame in film().frames if not film().lines(frame.number)]
    assert silent == []


def test_after_the_score_the_whole_hand_is_known_from_its_beginning() -> None:
    dealt = next(frame.number for frame in film().frames if frame.kind == "flip")
    for seat in (0, 1):
        view = film().view(dealt, seat)
        assert view is not None
        assert len(view.hand) == 10
    lines = [line for number in range(1, film().last + 1) for line in film().lines(number)]
    assert "Ada drew a card." not in lines
    assert any(line.startswith("Ada drew ") for line in lines)


def test_the_faces_are_those_of_the_deck_also_after_a_reshuffle() -> None:
    reshuffled = 0
    for frame in film().frames:
        deal, known = frame.fold.deal, film().faces(frame.number)
        if not isinstance(deal, Transcript) or frame.fold.hand is None:
            continue
        reshuffled += len(deal.layers) > 1
        slots = {slot for layer in deal.layers for slot in range(layer.first, layer.first + len(layer.cards))}
        assert slots <= set(known)
        assert all(face in (None, known[slot]) for slot, face in enumerate(frame.fold.hand.faces))
    assert reshuffled


def test_from_a_seat_only_what_that_seat_saw() -> None:
    dealt = next(frame.number for frame in film().frames if frame.kind == "flip")
    ada, bea, *_ = film().table(dealt, 0)
    assert ada.endswith("(10 cards)")
    assert bea == "Bea: 10 cards, not known"
    assert film().table(dealt)[1].endswith("(10 cards)")
    drew = next(frame.number for frame in film().frames if frame.move == "draw" and frame.author == "Ada")
    (own,) = film().lines(drew, 0)
    assert own.startswith("You drew ")
    assert own != "You drew a card."
    assert film().lines(drew, 1) == ("Ada drew a card.",)


def test_of_a_hand_without_a_score_only_what_was_shown_is_known() -> None:
    last = unfinished().last
    hand = unfinished().frames[-1].fold.hand
    assert hand is not None
    assert dict(unfinished().faces(last)) == {slot: card for slot, card in enumerate(hand.faces) if card is not None}
    assert "not known" in unfinished().table(last)[0]
    assert unfinished().problem is None


def test_the_totals_follow_a_counted_hand() -> None:
    score = [frame.number for frame in film().frames if frame.kind == "score"]
    lines = film().lines(score[0])
    assert lines[0] == "Hand 1 is counted, and its deal is in order."
    assert lines[1].endswith(" after 1 hand.")
    assert film().match(score[0]) == film().frames[score[0] - 1].fold.match
    assert film().lines(score[1])[-1] == "The match is over. It was won by Ada and Bea."
    assert film().match(1) is None


def test_who_leaves_and_what_is_void_is_told() -> None:
    forge = Forge(3).dealt().play(4)
    forge.add(2, Departure())
    forge.dealt()
    forge.add(0, Void(code="secret-lost", evidence=()))
    told = Replay(forge.file())
    departure = next(frame.number for frame in told.frames if frame.kind == "departure")
    assert told.lines(departure)[0] == "Cem leaves the match."
    assert len(told.lines(departure)) >= 2
    assert told.lines(told.last)
    assert told.problem is None


def test_a_winner_is_named() -> None:
    forge = Forge(2, rules=rummy(match__target=1))
    while forge.fold.match is None or not forge.fold.match.over:
        forge.dealt().play()
        forge.add(0, forge.score())
    told = Replay(forge.file())
    assert told.lines(told.last)[-1].startswith("The match is over. It was won by ")


def test_between_hands_there_is_no_table() -> None:
    assert film().view(1, 0) is None
    assert film().table(1) == ()


def test_a_record_that_does_not_hold_ends_the_film() -> None:
    messages = list(read_stream(match().file()))
    payload = bytearray(messages[20].payload)
    payload[-1] ^= 1
    messages[20] = msgspec.structs.replace(messages[20], payload=bytes(payload))
    cut = Replay(write_stream(messages))
    assert cut.last == 20
    assert cut.problem is not None
    assert cut.problem.code == "bad-signature"
    assert cut.stop().startswith("The file is in order up to here. Record 21 is not: ")
    assert cut.frames == film().frames[:20]


@given(st.binary(max_size=200))
def test_any_bytes_are_a_film_without_pictures(data: bytes) -> None:
    empty = Replay(data)
    assert (empty.last, empty.names, empty.hands()) == (0, (), ())
    assert empty.stop().startswith("This file holds no record that could be shown: ")


@pytest.mark.parametrize("place", [3, 100, -1])
def test_a_file_that_breaks_off_is_shown_as_far_as_it_goes(place: int) -> None:
    data = match().file()
    cut = Replay(data[: len(data) * 2 // 3 + place])
    assert 0 < cut.last < film().last
    assert cut.problem is not None
