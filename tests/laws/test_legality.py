"""Laws about what is allowed: the list, the preview and the execution agree, and a refusal leaves no trace."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import pytest
from hypothesis import given

from rummy_p2p.cards import cards_text
from rummy_p2p.engine import Action, IllegalAction, View, apply, check, legal_actions, preview, start_match, to_show
from rummy_p2p.engine.moves import attach
from rummy_p2p.offline.game import Game
from rummy_p2p.offline.universe import outcome, universe
from rummy_p2p.rules.legality import CODES
from tests.laws.playing import Run
from tests.laws.tables import LAW, SEEDS, Table, tried_for


def accepts(view: View, action: Action) -> bool:
    code = refusal(lambda: check(view, action))
    assert code in (None, *CODES)
    assert code == refusal(lambda: preview(view, action)), action  # to judge and to make the step come to the same
    return code is None


def refusal(act: Callable[[], object]) -> str | None:
    try:
        act()
    except IllegalAction as refused:
        return refused.code
    return None


@pytest.mark.parametrize("table", tried_for("listed"), ids=str)
@LAW
@given(seed=SEEDS)
def test_the_legal_list_is_what_check_accepts(table: Table, seed: int) -> None:
    run = Run(table, seed)
    moments = sorted(run.dice.sample(range(120), 12))
    for number, _ in enumerate(run.random_hand(time_outs=0.02)):
        if number not in moments:
            continue
        for seat in range(table.seats):
            agree(run.view(seat), run.dice, f"{run}\nseat {seat} holds {cards_text(run.view(seat).hand)}")


def agree(view: View, dice: Random, position: str) -> None:
    listed = legal_actions(view)
    assert [str(action) for action in listed if not accepts(view, action)] == [], position
    assert len(set(map(str, listed))) == len(listed), position
    comes_to = [outcome(view, action) for action in listed]
    missing = [str(one) for one in universe(view, dice) if accepts(view, one) and outcome(view, one) not in comes_to]
    assert missing == [], position


@pytest.mark.parametrize("table", tried_for("previewed"), ids=str)
@LAW
@given(seed=SEEDS)
def test_a_preview_and_the_execution_come_to_the_same(table: Table, seed: int) -> None:
    run = Run(table, seed)
    for _ in run.random_hand(time_outs=0.02):
        seat = run.dice.randrange(table.seats)
        view = run.view(seat)
        for action in run.dice.sample(legal := legal_actions(view), min(3, len(legal))):
            foreseen = preview(view, action)
            done = apply(view.state, seat, action, {slot: run.deck[slot] for slot in to_show(view, action)})
            assert attach(done.state, view.knowledge) == foreseen.state
            assert (done.events, done.wants) == (foreseen.events, foreseen.wants)


@pytest.mark.parametrize("table", tried_for("refused"), ids=str)
@LAW
@given(seed=SEEDS)
def test_a_refused_action_leaves_everything_as_it_was(table: Table, seed: int) -> None:
    dice = Random(seed)
    game = Game(table.rules, start_match(table.rules, table.seats), lambda cards: dice.sample(list(cards), len(cards)))
    game.next_hand()
    for _ in range(40):
        if game.view(0).state.over:
            break
        seat = dice.randrange(table.seats)
        junk = list(universe(game.view(seat), dice))
        for action in dice.sample(junk, min(20, len(junk))):
            before = (game.snapshot(), len(game.events), len(game.actions))
            code = refusal(partial(game.act, seat, action))
            if code is None:
                break
            assert code in CODES
            assert (game.snapshot(), len(game.events), len(game.actions)) == before
