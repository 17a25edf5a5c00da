"""Cases about the engine as such that no scenario file can say: the id of the case is in the name of its test."""

from __future__ import annotations

from random import Random
from typing import cast

import msgspec
import pytest

from rummy_p2p.bots import simple
from rummy_p2p.cards import Card, cards_text, pack
from rummy_p2p.engine import (
    Action,
    IllegalAction,
    View,
    check,
    forfeit,
    legal_actions,
    open_hand,
    parse_action,
    preview,
    read_action,
    reveal,
    start_match,
)
from rummy_p2p.engine import events as ev
from rummy_p2p.offline.game import Game, Saved, verify_position
from rummy_p2p.offline.universe import outcome, universe
from rummy_p2p.rules import actions as act
from rummy_p2p.rules.position import HandState, Phase
from rummy_p2p.ruleset import Deck, Ruleset
from tests.cases.positions import KNOCKING, NORWEGIAN, WITH_JOKERS, at, dealt

MID_TURN = """
seats = ["A", "B"]
[deal]
stock = "3d"
pile = "9c Jd"
table = [{ owner = "B", cards = "5h 6h 7h" }]
hands = { A = "8h 9h 2c", B = "Kd Ks" }
"""


def played_by_bots(game: Game) -> Game:
    """Let bots finish the hand."""
    while not game.view(0).state.over:
        seat = game.view(0).state.turn
        game.act(seat, cast("Action", simple.decide(game.view(seat), 0)))
    return game


def hand_of(game: Game) -> HandState:
    assert game.hand is not None
    return game.hand


def test_c006_a_saved_game_goes_on_exactly_where_it_was() -> None:
    game = at(MID_TURN)
    game.act(0, act.Draw())
    other = Game.restore(NORWEGIAN, game.snapshot())
    assert other.snapshot() == game.snapshot()
    assert hand_of(other).digest() == hand_of(game).digest()
    assert legal_actions(other.view(0)) == legal_actions(game.view(0))
    for each in (game, other):
        each.act(0, read_action("add 8h 1", each.view(0)))
        each.act(0, read_action("discard 2c", each.view(0)))
    assert other.snapshot() == game.snapshot()


def test_c006_a_match_without_a_hand_is_restored_as_well() -> None:
    saved = Game(NORWEGIAN, start_match(NORWEGIAN, 2)).snapshot()
    assert Game.restore(NORWEGIAN, saved).snapshot() == saved


def tampered(saved: Saved, **changes: object) -> Saved:
    hand, match, order = saved
    assert hand is not None
    return msgspec.structs.replace(hand, **changes), match, order


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"stock": (0, *range(9, 52))}, id="a card lies in two places"),
        pytest.param({"pile": ()}, id="cards are missing"),
        pytest.param({"pile": (8, 999)}, id="a slot does not exist"),
        pytest.param({"phase": "nonsense"}, id="no such phase"),
        pytest.param({"phase": Phase.OVER}, id="over without points"),
        pytest.param({"phase": Phase.COUNT}, id="counted without an ending"),
        pytest.param({"drawn": 9}, id="drawn before the draw"),
        pytest.param({"ending": "out"}, id="ended while it is played"),
        pytest.param({"points": (0, 0)}, id="points while it is played"),
        pytest.param({"turn": 7}, id="the turn of nobody"),
        pytest.param({"playing": (False, True)}, id="the turn of a seat that does not play"),
        pytest.param({"hands": ((3, 4, 5), (6, 7), ())}, id="more hands than seats"),
        pytest.param({"opened": (False, False)}, id="a meld of a seat that has laid none"),
        pytest.param({"seats": 3}, id="another number of seats"),
        pytest.param({"faces": (None,)}, id="faces are missing"),
        pytest.param({"faces": (Card.parse("As"), *[None] * 51)}, id="another face than the deck has"),
    ],
)
def test_c007_a_tampered_snapshot_is_refused(changes: dict[str, object]) -> None:
    saved = at(MID_TURN).snapshot()
    verify_position(NORWEGIAN, cast("HandState", saved[0]), saved[2])
    with pytest.raises(IllegalAction, match="invalid-deal"):
        Game.restore(NORWEGIAN, tampered(saved, **changes))


def test_c007_a_deck_with_a_repeated_card_is_refused() -> None:
    hand, match, order = at(MID_TURN).snapshot()
    with pytest.raises(IllegalAction, match="invalid-deal"):
        Game.restore(NORWEGIAN, (hand, match, (*order[:-1], order[0])))


def test_c007_false_points_are_refused() -> None:
    saved = played_by_bots(dealt()).snapshot()
    Game.restore(NORWEGIAN, saved)
    hand = cast("HandState", saved[0])
    margin = tuple(points + 1 for points in hand.points)
    line = msgspec.structs.replace(hand.sheet[1][0] if hand.sheet[1] else hand.sheet[0][0], points=500)
    for changes in ({"points": margin}, {"points": (500, 0), "sheet": ((line,), ())}):
        with pytest.raises(IllegalAction, match="invalid-deal"):
            Game.restore(NORWEGIAN, tampered(saved, **changes))


def test_c007_a_meld_that_is_none_is_refused() -> None:
    saved = at(MID_TURN).snapshot()
    laid = cast("HandState", saved[0]).table[0]
    for meld in (
        msgspec.structs.replace(laid.meld, places=(4, 5, 6)),
        msgspec.structs.replace(laid.meld, cards=(laid.meld.cards[0], laid.meld.cards[2], laid.meld.cards[1])),
    ):
        with pytest.raises(IllegalAction, match="invalid-deal"):
            Game.restore(NORWEGIAN, tampered(saved, table=(msgspec.structs.replace(laid, meld=meld),)))
    broken = msgspec.structs.replace(laid.meld, kind="set")
    with pytest.raises(IllegalAction, match="invalid-deal"):
        Game.restore(NORWEGIAN, tampered(saved, table=(msgspec.structs.replace(laid, meld=broken),)))


def test_c007_cards_that_have_changed_places_between_melds_are_refused() -> None:
    text = MID_TURN.replace('"5h 6h 7h" }]', '"5h 6h 7h" }, { owner = "B", cards = "9s 10s Js" }]')
    saved = at(text).snapshot()
    one, other = cast("HandState", saved[0]).table
    (a, b, c), (x, y, z) = one.meld.cards, other.meld.cards
    mixed = [
        msgspec.structs.replace(laid, meld=msgspec.structs.replace(laid.meld, cards=cards))
        for laid, cards in ((one, (a, b, z)), (other, (x, y, c)))
    ]
    with pytest.raises(IllegalAction, match="invalid-deal"):
        Game.restore(NORWEGIAN, tampered(saved, table=tuple(mixed)))


def test_c007_a_snapshot_of_other_rules_is_refused() -> None:
    with pytest.raises(IllegalAction, match="invalid-deal"):
        Game.restore(NORWEGIAN.with_(going_out__how="may-lay"), at(MID_TURN).snapshot())


def test_c008_what_is_handed_out_cannot_change_the_game() -> None:
    game = at(MID_TURN)
    before = game.snapshot()
    view = game.view(0)
    for owner, name in ((view.state, "turn"), (view, "seat"), (view.state.table[0].meld, "kind"), (game.match, "over")):
        with pytest.raises(AttributeError):
            setattr(owner, name, 1)
    cast("dict[int, Card]", view.knowledge).clear()
    assert game.snapshot() == before
    assert cards_text(game.view(0).hand) == "8h 9h 2c"


def test_c009_what_is_offered_can_be_done_and_the_rest_is_refused() -> None:
    game = at(MID_TURN)
    for action in (act.Draw(), read_action("add 8h 1", game.view(0))):
        for seat in (0, 1):
            view = game.view(seat)
            offered = [outcome(view, one) for one in legal_actions(view)]
            for one in universe(view, Random(1)):
                assert is_allowed(view, one) == (is_allowed(view, one) and outcome(view, one) in offered)
            assert all(is_allowed(view, one) for one in legal_actions(view))
        game.act(0, action)


def is_allowed(view: View, action: Action) -> bool:
    try:
        check(view, action)
    except IllegalAction:
        return False
    return True


def test_c010_the_order_of_a_hand_is_a_matter_of_the_screen() -> None:
    game = at(MID_TURN)
    before = game.snapshot()
    view = game.view(1)
    assert not view.on_turn
    assert cards_text(sorted(view.hand)) == "Ks Kd"
    assert cards_text(view.hand) == "Kd Ks"
    assert game.snapshot() == before
    assert parse_action("discard Kd", sorted(view.hand)) == parse_action("discard Kd", view.hand)


def test_c012_after_a_hand_everybody_is_dealt_afresh() -> None:
    dice = Random(3)
    game = Game(NORWEGIAN, start_match(NORWEGIAN, 3), lambda cards: dice.sample(list(cards), len(cards)))
    game.next_hand()
    with pytest.raises(IllegalAction, match="invalid-deal"):
        game.next_hand()
    old = hand_of(played_by_bots(game))
    game.next_hand()
    fresh = hand_of(game)
    opened = open_hand(NORWEGIAN, game.match)
    assert [len(hand) for hand in fresh.hands] == [7, 7, 7]
    assert (fresh.table, fresh.opened, fresh.points) == ((), (False,) * 3, ())
    assert fresh == reveal(opened.state, {21: cast("Card", fresh.faces[21])}).state
    assert fresh.digest() != old.digest()
    verify_position(NORWEGIAN, fresh, game.snapshot()[2])


def test_c014_when_a_player_leaves_the_others_can_be_given_the_match() -> None:
    match = msgspec.structs.replace(start_match(NORWEGIAN, 3), scores=(10, 40, 20))
    over = forfeit(match, 0, NORWEGIAN)
    assert over.match.over
    assert over.match.winners == (2,)
    assert over.events == (ev.MatchEnded((2,), (10, 40, 20)),)
    with pytest.raises(IllegalAction, match="match-over"):
        open_hand(NORWEGIAN, over.match)


def test_c014_a_hand_reaches_its_end_though_one_player_is_never_there() -> None:
    game = dealt(3)
    while not hand_of(game).over:
        if hand_of(game).turn == 1:
            game.time_out()
        else:
            seat = hand_of(game).turn
            game.act(seat, cast("Action", simple.decide(game.view(seat), 0)))
        assert len(game.actions) < 500
    assert hand_of(game).points[1] > 0


def test_c017_a_knock_that_does_not_come_about_leaves_all_cards_in_hand() -> None:
    text = """
    seats = ["A", "B"]
    phase = "play"
    [deal]
    hands = { A = "7h 8h 9h 2c 2d 2s Kd Qd 5s 4s 3c", B = "As" }
    """
    game = at(text, KNOCKING)
    before = game.snapshot()
    for move, code in (
        ("knock Kd | 7h 8h 9h | 2c 2d 2s", "knock-limit"),
        ("knock Kd | 7h 8h | 2c 2d 2s", "not-a-meld"),
        ("knock Kh | 7h 8h 9h", "not-in-hand"),
        ("knock", "cannot-knock"),
    ):
        with pytest.raises(IllegalAction, match=code):
            game.act(0, read_action(move, game.view(0)))
        assert game.snapshot() == before
    assert len(game.view(0).hand) == 11


def test_c019_a_second_card_is_judged_on_what_the_first_has_made_of_the_meld() -> None:
    game = at(MID_TURN)
    game.act(0, act.Draw())
    with pytest.raises(IllegalAction, match="does-not-fit"):
        check(game.view(0), read_action("add 9h 1", game.view(0)))
    staged = preview(game.view(0), read_action("add 8h 1", game.view(0))).state
    view = View(staged, 0, game.view(0).knowledge)
    both = preview(view, read_action("add 9h 1", view)).state
    assert str(both.table[0].meld) == "5h 6h 7h 8h 9h"
    assert str(hand_of(game).table[0].meld) == "5h 6h 7h"


def test_d010_an_empty_pile_is_not_offered() -> None:
    game = at('seats = ["A", "B"]\n[deal]\nhands = { A = "2c", B = "Ks" }')
    assert legal_actions(game.view(0)) == (act.Draw(),)


def test_e016_the_last_discard_is_told_before_the_end_it_brings() -> None:
    game = at('seats = ["A", "B"]\nphase = "play"\n[deal]\nhands = { A = "2c", B = "Ks" }')
    game.act(0, read_action("discard 2c", game.view(0)))
    told = [type(event) for event in game.events]
    assert told == [ev.Discarded, ev.WentOut, ev.HandEnded, ev.Shown, ev.Scored]
    assert game.events[0] == ev.Discarded(0, Card.parse("2c"))
    assert game.events[2] == ev.HandEnded("out", 0)


def test_j038_a_hand_with_many_jokers_can_be_played() -> None:
    text = 'seats = ["A", "B"]\nphase = "play"\n[deal]\nhands = { A = "JK JK JK JK 4h 5h 9s", B = "Ks" }'
    game = at(text, WITH_JOKERS)
    laid = [action for action in legal_actions(game.view(0)) if isinstance(action, act.Lay)]
    assert laid
    for action in laid:
        assert sum(card.is_joker for card in action.cards()) == 1
    with pytest.raises(IllegalAction, match="too-many-jokers"):
        check(game.view(0), read_action("meld JK JK JK", game.view(0)))


@pytest.mark.parametrize("seats", [2, 4])
def test_x006_every_card_is_in_one_place_after_every_command(seats: int) -> None:
    dice = Random(seats)
    game = Game(WITH_JOKERS, start_match(WITH_JOKERS, seats), lambda cards: dice.sample(list(cards), len(cards)))
    game.next_hand()
    while not hand_of(game).over:
        seat = hand_of(game).turn
        game.act(seat, dice.choice(legal_actions(game.view(seat))))
        verify_position(WITH_JOKERS, hand_of(game), game.snapshot()[2])


@pytest.mark.parametrize(("packs", "jokers", "size"), [(2, 6, 110), (1, 0, 52)])
def test_x007_a_deck_has_every_card_as_often_as_it_has_packs(packs: int, jokers: int, size: int) -> None:
    cards = pack(packs, jokers)
    assert len(set(cards)) == len(cards) == size == Ruleset(deck=Deck(packs=packs, jokers=jokers)).size
    for face in range(52):
        assert sum(card.face == face for card in cards) == packs
    assert sum(card.is_joker for card in cards) == jokers
    assert {card.rank for card in cards if not card.is_joker} == set(range(1, 14))
