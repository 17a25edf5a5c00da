"""Laws over whole hands and matches: nothing is lost, everybody sees the same, it ends, and the sums are right."""

from __future__ import annotations

import pytest
from hypothesis import given, note, settings

from rummy_p2p.cards import pack
from rummy_p2p.engine.events import Scored
from rummy_p2p.sentences import verbs
from tests.laws.playing import Run, told
from tests.laws.tables import BASE, LAW, SEEDS, TABLES, Table, tried_for


def test_the_tables_of_the_base_list_are_among_those_tried() -> None:
    base = {Table(game, house, seats) for game, (counts, rules) in BASE.items() for house in rules for seats in counts}
    assert base - set(TABLES) == set()


def where_cards_lie(run: Run) -> list[int]:
    hand = run.hand
    slots = [*hand.stock, *hand.pile, *(slot for cards in hand.hands for slot in cards)]
    assert len(set(slots)) == len(slots)
    return sorted([*(run.deck[slot] for slot in slots), *(card for laid in hand.table for card in laid.meld.cards)])


@pytest.mark.parametrize("table", tried_for("conserved"), ids=str)
@LAW
@given(seed=SEEDS)
def test_every_card_is_in_one_place_and_peers_that_are_only_told_come_to_the_same_state(
    table: Table, seed: int
) -> None:
    run = Run(table, seed)
    cards = sorted(pack(run.rules.deck.packs, run.rules.deck.jokers))
    for _ in run.random_hand(time_outs=0.02):
        assert where_cards_lie(run) == cards
    note(str(run))
    assert told(run) == run.digests


@pytest.mark.parametrize("table", tried_for("opened"), ids=str)
@LAW
@given(seed=SEEDS)
def test_no_state_holds_a_face_that_was_not_opened_to_everybody(table: Table, seed: int) -> None:
    run = Run(table, seed)
    for _ in run.random_hand(time_outs=0.02):
        opened = {slot for slot, face in enumerate(run.hand.faces) if face is not None}
        assert opened <= run.open_slots
        assert all(run.hand.faces[slot] == run.deck[slot] for slot in opened)
        hands_known = [set(hand) <= opened | run.known[seat].keys() for seat, hand in enumerate(run.hand.hands)]
        assert all(hands_known), "a seat is shown the cards of its own hand"


@pytest.mark.parametrize("table", tried_for("sums"), ids=str)
@LAW
@given(seed=SEEDS)
def test_points_are_the_sum_of_their_reasons_and_totals_the_sum_of_points(table: Table, seed: int) -> None:
    run = Run(table, seed)
    for _ in range(2):
        if run.match.over:
            break
        for _ in run.random_hand():
            pass
        scored = [event for event in run.events if isinstance(event, Scored)]
        assert [event.points for event in scored] == [run.hand.points]
        assert run.hand.points == tuple(sum(line.points for line in lines) for lines in run.hand.sheet)
        run.settle()
    sums = [sum(points) for points in zip(*run.points, strict=True)]
    scoring = run.rules.scoring
    bonus = [
        box * scoring.box_bonus + (scoring.game_bonus if seat in run.match.winners else 0)
        for seat, box in enumerate(run.match.boxes)
    ]
    extra = bonus if run.match.over else [0] * table.seats
    assert list(run.match.scores) == [total + more for total, more in zip(sums, extra, strict=True)]


@pytest.mark.parametrize("game", sorted({table.game for table in TABLES}))
def test_random_matches_come_past_every_move_that_a_game_has(game: str) -> None:
    table = max((table for table in TABLES if (table.game, table.house) == (game, ())), key=lambda table: table.seats)
    missing = set(verbs(table.rules)) - {"pass", "keep", "give"}
    for seed in range(20):
        run = Run(table, seed)
        for _ in run.random_hand():
            pass
        missing -= {line.text.split()[0] for line in run.record}
        if not missing:
            break
    assert missing == set()


@pytest.mark.nightly
@pytest.mark.parametrize("table", TABLES, ids=str)
@settings(max_examples=5)
@given(seed=SEEDS)
def test_a_whole_match_ends_with_winners(table: Table, seed: int) -> None:
    run = Run(table, seed)
    while not run.match.over and len(run.points) < 200:
        for _ in run.random_hand(time_outs=0.01):
            pass
        run.settle()
    match = run.rules.match
    ends = run.rules.rounds or any(knob is not None for knob in (match.target, match.limit, match.deals))
    assert not ends or (run.match.over and run.match.winners)
