"""A seat's view: what it knows, what it may do, what it would open; and that everybody comes to the same state."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_p2p.cards import Card, cards_text, pack, parse_cards
from rummy_p2p.engine import (
    Action,
    HandState,
    IllegalAction,
    KnobFailed,
    Phase,
    Step,
    View,
    apply,
    check,
    claimants,
    legal_actions,
    open_hand,
    parse_action,
    preview,
    public_view,
    read_action,
    reveal,
    start_match,
    time_out,
    to_show,
    unshown,
    view_for,
)
from rummy_p2p.engine.events import Reshuffled
from rummy_p2p.melds import Piece
from rummy_p2p.rules import actions as act
from rummy_p2p.rules.functions import HandSummary
from rummy_p2p.ruleset import KnobFunction, Round, Ruleset
from tests.engine.play import Play

BASE = Ruleset().with_(players__max=4, deck__packs=2, deck__jokers=4)
GIN = Ruleset().with_(
    players__max=2,
    lay="at-knock",
    lay_off="after-knock",
    going_out__how="knock",
    scoring__kind="gin",
)
MUST_USE = BASE.with_(draw__must_use="before-discard", draw__pile="many", lay_off="always")
NEXT = MUST_USE.with_(draw__must_use="next-action")
USE_30 = MUST_USE.with_(opening__points=30)
AFTER_30 = USE_30.with_(lay_off="after-opening")
USE_SWAP = MUST_USE.with_(joker_swap__who="any-missing")
PLAY = Phase.PLAY


def legal(play: Play, letter: str = "A") -> set[str]:
    return {str(action) for action in legal_actions(play.view(letter))}


# --- what a seat knows -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("claim", ["none", "open"])
def test_who_has_no_seat_sees_what_lies_open_and_can_do_nothing(phase: Phase, claim: str) -> None:
    play = Play(BASE, "2s 3s", "4s 5s", pile="9c", phase=phase, claim=claim)
    view = public_view(play.state)
    assert (view.hand, view.on_turn, legal_actions(view)) == ((), False, ())
    assert [view.card(slot) for hand in play.state.hands for slot in hand] == [None] * 4
    assert view.card(play.state.pile[0]) == Card.parse("9c")


def test_a_view_holds_the_seats_own_cards_and_no_others() -> None:
    play = Play(BASE, "2s 3s", "4s 5s", pile="9c")
    everything = dict(enumerate(play.order))
    view = view_for(play.state, 0, everything)
    assert view.hand == parse_cards("2s 3s")
    assert set(view.knowledge) == set(play.state.hands[0])
    assert [view.card(slot) for slot in play.state.hands[1]] == [None, None]
    assert view.card(play.state.pile[0]) == Card.parse("9c")
    assert (view.on_turn, view_for(play.state, 1, everything).on_turn) == (True, False)


def test_a_view_does_not_make_up_what_it_was_not_told() -> None:
    play = Play(BASE, "2s 3s", "4s")
    first, second = play.state.hands[0]
    assert view_for(play.state, 0, {second: Card.parse("3s")}).hand == parse_cards("3s")
    assert view_for(play.state, 0, {}).card(first) is None


def test_a_card_taken_from_the_pile_is_known_without_being_told() -> None:
    play = Play(BASE, "2s", "4s", pile="9c").do("A take")
    assert cards_text(view_for(play.state, 0, {}).hand) == "9c"


# --- what is typed ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("discard 9c", "discard 9c'"),
        ("discard 9c'", "discard 9c'"),
        ("discard 4h", "discard 4h"),
        ("discard 8c", "discard 8c"),
        ("meld 9c 9c", "meld 9c' 9c"),
        ("Draw", "draw"),
    ],
)
def test_a_plain_face_is_the_copy_that_may_be_discarded(typed: str, read: str) -> None:
    play = Play(BASE, "9c' 8c 4h", "4s", pile="9c").do("A take")
    assert str(read_action(typed, play.view("A"))) == read


def test_a_plain_face_is_first_of_all_the_copy_that_must_be_used() -> None:
    play = Play(MUST_USE, "7h' 7s 7d Ks", "4s", pile="7h").do("A take")
    assert str(read_action("meld 7s 7h 7d", play.view("A"))) == "meld 7s 7h 7d"
    assert str(read_action("discard 7h", play.view("A"))) == "discard 7h'"


def test_where_only_the_taken_copy_is_held_it_is_meant() -> None:
    play = Play(BASE, "2s", "4s", pile="9c").do("A take")
    assert play.refused("A discard 9c") == "may-not-return"


# --- what is opened with a move --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "opened"),
    [
        ("draw", ""),
        ("meld 9s 9h 9d", "9s 9h"),
        ("add 8c 1", "8c"),
        ("swap 8c 1", "8c"),
        ("discard 8c", "8c"),
        ("discard 9d", ""),
        ("discard Ks", ""),
        ("knock 8c", "9s 9h 8c 8c'"),
        ("show", "9s 9h 8c 8c'"),
    ],
)
def test_only_hidden_cards_that_are_named_are_opened(move: str, opened: str) -> None:
    play = Play(BASE, "9s 9h 8c 8c'", "4s", pile="9d").do("A take")
    slots = to_show(play.view("A"), parse_action(move))
    assert cards_text([play.order[slot] for slot in slots]) == opened
    assert list(slots) == sorted(slots)


# --- checking beforehand ---------------------------------------------------------------------------------------------


def test_a_preview_is_what_the_move_comes_to_and_changes_nothing() -> None:
    play = Play(BASE, "9s 9h 9d Ks", "4s", phase=PLAY)
    before, digest = play.state, play.state.digest()
    step = preview(play.view("A"), parse_action("meld 9s 9h 9d"))
    assert [str(laid.meld) for laid in step.state.table] == ["9s 9h 9d"]
    assert (play.state, play.state.digest()) == (before, digest)


@pytest.mark.parametrize(
    ("rules", "hand", "pile", "take", "where", "refused"),
    [
        # in a meld with the hand, with the other taken cards, of twins, with jokers
        (MUST_USE, "7h 7d Ks", "7s", "take", {}, False),
        (MUST_USE, "7h 8d Ks", "7s", "take", {}, True),
        (MUST_USE, "2s Ks", "5h 9c 6h 7h", "take 4", {}, False),
        (MUST_USE, "2s Ks", "5h 9c 6h 7d", "take 4", {}, True),
        (MUST_USE, "7h' 7d Ks", "7h", "take", {}, True),
        (MUST_USE, "7h 7d 7c Ks", "7h'", "take", {}, False),
        (MUST_USE, "5h 6h 7h Ks", "7h'", "take", {}, False),
        (MUST_USE, "7d JK Ks", "7h", "take", {}, False),
        (MUST_USE, "7d 8h Ks", "JK", "take", {}, True),
        (MUST_USE, "7d 7h Ks", "JK", "take", {}, False),
        (MUST_USE.with_(melds__distinct_suits=False), "7h 7d Ks", "7h'", "take", {}, False),
        # on the table, at either end, after a link or two, for a joker
        (MUST_USE, "2s Ks", "8d", "take", {"table": "5d 6d 7d"}, False),
        (MUST_USE, "8d Ks", "9d", "take", {"table": "5d 6d 7d"}, False),
        (MUST_USE, "8d 9d Ks", "10d", "take", {"table": "5d 6d 7d"}, False),
        (MUST_USE, "JK Ks", "9d", "take", {"table": "5d 6d 7d"}, False),
        (MUST_USE, "8c Ks", "9d", "take", {"table": "5d 6d 7d"}, True),
        (NEXT, "8d Ks", "9d", "take", {"table": "5d 6d 7d"}, True),
        (NEXT, "2s Ks", "8d", "take", {"table": "5d 6d 7d"}, False),
        (MUST_USE.with_(lay_off="never"), "2s Ks", "8d", "take", {"table": "5d 6d 7d"}, True),
        (USE_SWAP, "2s Ks", "6d", "take", {"table": "5d JK 7d", "opened": "A"}, False),
        (USE_SWAP, "7h 10d Ks", "7s", "take", {"table": "9d JK Jd", "opened": "A"}, False),
        (USE_SWAP, "7h 10d Ks", "7s", "take", {"table": "9d JK Jd"}, True),
        # a discard must be left
        (MUST_USE, "7h 7d", "7s", "take", {}, True),
        (MUST_USE.with_(going_out__how="may-lay"), "7h 7d", "7s", "take", {}, False),
        # the first lay-down must be lawful
        (USE_30, "7h 7d Ks", "7s", "take", {}, True),
        (USE_30, "7h 7d Ks", "7s", "take", {"opened": "A"}, False),
        (USE_30, "7h 7d Ks Kh Kd 2c", "7s", "take", {}, False),
        (AFTER_30, "Ks Kh Kd 2c", "8d", "take", {"table": "5d 6d 7d"}, False),
        (AFTER_30, "Ks Kh 2c", "8d", "take", {"table": "5d 6d 7d"}, True),
        (
            MUST_USE.with_(rounds=(Round(contract="33", hand_size=9),), opening__further_melds=False),
            "Ks Kh Kd Qs Qh Qd 7h 7d 2c", "7s", "take", {}, False,
        ),
        # only where the game has it
        (MUST_USE.with_(draw__must_use_top=False), "2s Ks", "7s", "take", {}, False),
        (BASE, "2s Ks", "7s", "take", {}, False),
    ],
)  # fmt: skip
def test_a_card_that_must_be_used_is_taken_only_when_it_can_be(
    rules: Ruleset, hand: str, pile: str, take: str, where: dict[str, str], *, refused: bool
) -> None:
    play = Play(rules, hand, "4s", pile=pile, **where)  # type: ignore[arg-type]  # words for words
    if refused:
        refusal = play.refusal(f"A {take}")
        assert (refusal.code, refusal.knob) == ("nothing-to-use-it-for", "draw.must_use")
        assert refusal.parameters == {"card": pile.split(maxsplit=1)[0]}
        assert f"A {take}" not in legal(play)
    else:
        play.do(f"A {take}")
        assert way_out(play)


def way_out(play: Play) -> bool:
    """Whether the legal list leads on to the end of the turn."""
    if play.turn != "A" or play.state.phase is not PLAY:
        return True
    for action in legal_actions(play.view("A")):
        state, events = play.state, len(play.events)
        found = way_out(play.act("A", action))
        play.state, play.events = state, play.events[:events]
        if found:
            return True
    return False


def test_a_preview_opens_no_more_than_the_move_does() -> None:
    play = Play(GIN, "9s 9h 9d 2s Ks", "9c 5h", phase=PLAY).do("A knock Ks")
    previewed = preview(play.view("B"), parse_action("done")).state
    assert (previewed.phase, cards_text([play.order[slot] for slot in previewed.hands[1]])) == (Phase.COUNT, "9c 5h")
    assert play.do("B done").state.phase is Phase.COUNT


def test_a_move_that_would_make_it_impossible_to_use_the_card_is_refused() -> None:
    play = Play(MUST_USE, "7h 7d Ks", "4s", pile="7s", table="4h 5h 6h").do("A take")
    assert play.refused("A add 7h 1") == "must-use-taken"
    assert play.do("A meld 7s 7h 7d").state.owed is None


def test_another_move_may_come_first_when_the_card_stays_usable() -> None:
    play = Play(MUST_USE, "7h 7d Qs Qh Qd Ks 2c", "4s", pile="7s").do("A take", "A meld Qs Qh Qd", "A meld 7s 7h 7d")
    assert play.do("A discard Ks").turn == "B"


def test_whose_turn_is_over_owes_nothing_any_more() -> None:
    play = Play(MUST_USE.with_(going_out__how="may-lay"), "7h 7d", "4s", pile="7s").do("A take", "A meld 7s 7h 7d")
    assert play.state.ending == "out"


# --- the legal list --------------------------------------------------------------------------------------------------


def test_before_the_draw() -> None:
    play = Play(BASE.with_(draw__pile="many"), "2s 3s", "4s", pile="5s 6s")
    assert legal(play) == {"draw", "take", "take 2"}
    assert legal(play, "B") == set()


@pytest.mark.parametrize(
    ("rules", "stock", "pile", "moves"),
    [
        (BASE, "9s", "5s 6s", {"draw", "take"}),
        (BASE, "9s", "", {"draw"}),
        (BASE, "", "5s", {"take", "pass"}),
        (BASE.with_(stock_out__what="turn-over"), "", "5s 6s", {"take", "turn-over"}),
    ],
)
def test_ways_to_draw(rules: Ruleset, stock: str, pile: str, moves: set[str]) -> None:
    assert legal(Play(rules, "2s", "3s", stock=stock, pile=pile)) == moves


def test_the_offer_of_the_first_upcard() -> None:
    assert legal(Play(BASE, "2s", "3s", pile="5s", phase=Phase.OFFER)) == {"take", "pass"}


def test_melds_lay_offs_swaps_and_discards() -> None:
    rules = BASE.with_(joker_swap__who="any-missing")
    play = Play(rules, "9s 9h 9d 8c JK", "3s", table="5c 6c 7c | 10s JK' Qs", opened="A", phase=PLAY)
    moves = legal(play)
    assert {move for move in moves if move.startswith("discard")} == {
        "discard 9s", "discard 9h", "discard 9d", "discard 8c", "discard JK",
    }  # fmt: skip
    assert {"meld 9s 9h 9d", "meld 9s 9h JK", "meld 9s 9h 9d JK"} <= moves
    assert {"add 8c 1", "add JK 1", "add JK 1 left", "add 9s 2", "add JK 2", "add JK 2 left"} <= moves
    assert not any(move.startswith(("swap", "knock", "draw", "call")) for move in moves)
    assert "swap Js 2" in legal(Play(rules, "Js 2s", "3s", table="5c 6c 7c | 10s JK' Qs", opened="A", phase=PLAY))


def test_an_end_is_named_where_it_must_be() -> None:
    run = "2s 3s 4s 5s 6s 7s 8s 9s 10s Js Qs Ks"
    moves = legal(Play(BASE, "As 2h", "3s'", table=run, opened="A", phase=PLAY))
    assert {move for move in moves if move.startswith("add")} == {"add As 1 left", "add As 1 right"}


def test_a_lay_down_of_several_melds_is_listed_where_the_opening_needs_it() -> None:
    hand = "5s 6s 7s 4h 4d 4c 2h"
    assert {m for m in legal(Play(BASE, hand, "3s", phase=PLAY)) if "|" in m} == set()
    points = BASE.with_(opening__points=30)
    assert {m for m in legal(Play(points, hand, "3s", phase=PLAY)) if m.startswith("meld")} == {
        "meld 4h 4d 4c | 5s 6s 7s"
    }
    assert not [m for m in legal(Play(points, hand, "3s", phase=PLAY, opened="A")) if "|" in m]
    rounds = BASE.with_(rounds=(Round(contract="33", hand_size=10),))
    assert {m for m in legal(Play(rounds, "5s 5h 5d 4h 4d 4c 2h", "3s", phase=PLAY)) if "|" in m}
    assert not {m for m in legal(Play(rounds, "5s 5h 5d 4h 4d 2h", "3s", phase=PLAY)) if m.startswith("meld")}
    assert not {m for m in legal(Play(points, "10s 10h 10d 2h", "3s", phase=PLAY)) if "|" in m}


def test_the_opening_that_is_listed_keeps_a_card_that_may_be_discarded() -> None:
    points = BASE.with_(opening__points=30)
    play = Play(points, "Qs Qh Qd Qc 2s 2h 2d", "3s", pile="Kd").do("A take")
    openings = {move for move in legal(play) if move.startswith("meld")}
    assert "meld Qs Qh Qd Qc | 2s 2h 2d" not in openings
    assert openings


def test_in_gin_nothing_is_laid_before_the_knock() -> None:
    play = Play(GIN, "9s 9h 9d 2s Ks", "10s", phase=PLAY)
    assert {m for m in legal(play) if not m.startswith("discard")} == {"knock Ks", "knock 2s"}
    big = Play(GIN.with_(going_out__big_gin=True), "9s 9h 9d", "10s", phase=PLAY)
    assert {m for m in legal(big) if m.startswith("knock")} == {"knock", "knock 9s", "knock 9h", "knock 9d"} - {
        f"knock {card}" for card in ("9s", "9h", "9d")
    }


def test_after_a_knock_the_defender_lays_off_or_is_done() -> None:
    play = Play(GIN, "9s 9h 9d 2s Ks", "9c 5h", phase=PLAY).do("A knock Ks")
    assert legal(play) == set()
    assert legal(play, "B") == {"add 9c 1", "done"}


def test_claims_and_answers() -> None:
    rules = BASE.with_(claim__kind="buy", claim__penalty=1)
    play = Play(rules, "Ks 2s", "3s", "4s", phase=PLAY).do("A discard Ks")
    assert (legal(play, "A"), legal(play, "B"), legal(play, "C")) == (set(), {"draw", "take"}, {"call"})
    play.do("B draw", "C call")
    assert {"keep", "give", "discard 3s"} <= legal(play, "B")
    assert legal(play, "C") == set()


def test_at_the_end_everybody_shows_once() -> None:
    play = Play(BASE, "2s", "Ks", "4s", phase=PLAY, opened="A").do("A discard 2s")
    assert [legal(play, letter) for letter in "ABC"] == [set(), {"show"}, {"show"}]


def broken(_: HandSummary) -> int:
    raise ZeroDivisionError


def test_a_move_that_a_broken_rule_would_judge_is_listed_since_the_rule_cannot_say_no() -> None:
    function = KnobFunction(name="may_go_out", plugin="seven", version="1", source_hash="00", call=broken)
    play = Play(BASE.with_function(function), "2s", "Ks Kh", phase=PLAY)
    assert legal(play) == {"discard 2s"}
    with pytest.raises(KnobFailed) as failed:
        check(play.view("A"), parse_action("discard 2s"))
    assert (failed.value.plugin, failed.value.knob) == ("seven", "may_go_out")


def test_of_twins_both_may_be_discarded_but_not_the_one_that_was_taken() -> None:
    play = Play(BASE, "9c' 2s", "4s", pile="9c").do("A take")
    assert legal(play) == {"discard 9c'", "discard 2s"}


# --- everybody comes to the same state -------------------------------------------------------------------------------

GAMES = {
    "plain": BASE.with_(hand_size=(7,), lay_off="always"),
    "swaps": BASE.with_(hand_size=(9,), joker_swap__who="any-missing", going_out__how="may-lay", opening__points=20),
    "reshuffles": BASE.with_(deck__packs=1, hand_size=(11,), players__max=4, stock_out__max_times=5),
    "turn over": BASE.with_(
        deck__packs=1, hand_size=(10,), stock_out__what="turn-over", claim__kind="rummy-call", lay_off="always"
    ),
    "must use": MUST_USE.with_(hand_size=(8,), stock_out__what="hand-ends", draw__other_taken="barred"),
    "knock claim": BASE.with_(
        hand_size=(8,), claim__kind="knock-claim", claim__penalty=2, claim__source="pile", claim__turn_returns=True
    ),
    "buy": BASE.with_(hand_size=(8,), claim__kind="buy", claim__penalty=2, deck__packs=1, stock_out__what="play-on"),
    "contract": BASE.with_(
        rounds=(Round(contract="33", hand_size=10),), opening__further_melds=False, melds__distinct_suits=False,
        melds__set_max=8,
    ),
    "gin": GIN.with_(
        hand_size=(10,), going_out__knock_limit=40, draw__first_upcard_offer=True, stock_out__what="void",
        stock_out__at=2,
    ),
}  # fmt: skip


FEW = settings().max_examples // 4


class Peer:
    """What one seat's own program holds: the public state and the cards that were opened to this seat."""

    def __init__(self, state: HandState, seat: int) -> None:
        self.state = state
        self.seat = seat
        self.knowledge: dict[int, Card] = {}

    @property
    def view(self) -> View:
        return view_for(self.state, self.seat, self.knowledge)


class Table:
    """Some peers with a deck between them that opens what is wanted, and nothing else."""

    def __init__(self, rules: Ruleset, seats: int, dice: Random) -> None:
        self.dice = dice
        self.order = dice.sample(pack(rules.deck.packs, rules.deck.jokers), rules.size)
        step = open_hand(rules, start_match(rules, seats, dice.randrange(seats)))
        self.host = step.state
        self.peers = [Peer(step.state, seat) for seat in range(seats)]
        self._open(step)
        upcard = {want.slot: self.order[want.slot] for want in step.wants if want.seat is None}
        self._everybody(lambda state: reveal(state, upcard))

    def play(self, seat: int, action: Action) -> None:
        """The author opens its cards and says its move as text; everybody applies that."""
        peer = self.peers[seat]
        shown = {slot: peer.knowledge[slot] for slot in to_show(peer.view, action)}
        text = str(action)
        self._everybody(lambda state: apply(state, seat, parse_action(text), shown))

    def time_out(self) -> None:
        self._everybody(time_out)

    def everybody_agrees(self) -> bool:
        return {peer.state.digest() for peer in self.peers} == {self.host.digest()}

    def _everybody(self, step_of: Callable[[HandState], Step]) -> None:
        step = step_of(self.host)
        self.host = step.state
        for peer in self.peers:
            peer.state = step_of(peer.state).state
            assert peer.state == step.state
        self._open(step)

    def _open(self, step: Step) -> None:
        for event in step.events:
            if isinstance(event, Reshuffled):
                self.order += self.dice.sample(event.cards, len(event.cards))
        for want in step.wants:
            if want.seat is not None:
                self.peers[want.seat].knowledge[want.slot] = self.order[want.slot]
                assert self.host.faces[want.slot] is None


@settings(max_examples=FEW)
@given(st.sampled_from(sorted(GAMES)), st.integers(2, 4), st.integers(0, 10_000))
def test_host_and_guests_hold_the_same_bytes_and_a_seat_can_always_act_on_what_it_was_shown(
    game: str, seats: int, seed: int
) -> None:
    rules = GAMES[game]
    dice = Random(seed)
    table = Table(rules, min(seats, rules.players.max), dice)
    for _ in range(100):
        if table.host.over:
            break
        seat = unshown(table.host)[0] if table.host.phase is Phase.COUNT else table.host.turn
        callers = claimants(table.host)
        if callers and dice.random() < 0.3:
            seat = dice.choice(callers)
        legal_now = legal_actions(table.peers[seat].view)
        assert len(set(legal_now)) == len(legal_now)
        assert legal_now
        assert len(table.peers[seat].view.hand) == len(table.host.hands[seat])
        if dice.random() < 0.05 and table.host.phase is not Phase.COUNT:
            table.time_out()
        else:
            table.play(seat, dice.choice(legal_now))
    assert table.everybody_agrees()
    live = [*table.host.stock, *table.host.pile, *(slot for hand in table.host.hands for slot in hand)]
    laid = [card for meld in table.host.table for card in meld.meld.cards]
    assert sorted([*(table.order[slot] for slot in live), *laid]) == sorted(pack(rules.deck.packs, rules.deck.jokers))


@settings(max_examples=FEW)
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 10_000))
def test_single_card_moves_are_listed_when_and_only_when_they_are_accepted(game: str, seed: int) -> None:
    rules = GAMES[game]
    dice = Random(seed)
    table = Table(rules, 2, dice)
    for _ in range(30):
        if table.host.phase in (Phase.COUNT, Phase.OVER):
            break
        view = table.peers[table.host.turn].view
        listed = legal_actions(view)
        single = [action for action in listed if not isinstance(action, act.Lay)]
        assert {str(action) for action in single} == {
            str(action) for action in every_single(view) if accepted(view, action)
        }
        table.play(view.seat, dice.choice(listed))


def every_single(view: View) -> list[Action]:
    """Every action without a meld in it; a side only where one must be named or makes a difference."""
    state = view.state
    counts = range(1, len(state.pile) + 1)
    cards = view.hand
    found: list[Action] = [
        act.Draw(),
        act.TurnOver(),
        act.Pass(),
        act.Call(),
        act.Keep(),
        act.Give(),
        act.Done(),
        act.Show(),
    ]
    found += [act.Take(count) for count in counts]
    found += [act.Discard(card) for card in cards]
    found += [act.Knock(card) for card in cards]
    found.append(act.Knock())
    for number in range(1, len(state.table) + 1):
        found += [act.Swap(card, number) for card in cards]
        found += [add for card in cards for add in different_adds(view, card, number)]
    return found


def different_adds(view: View, card: Card, number: int) -> list[Action]:
    adds: list[Action] = [act.Add(Piece(card), number, side) for side in (None, "left", "right")]
    by_table: dict[object, Action] = {}
    for add in adds:
        if accepted(view, add):
            by_table.setdefault(preview(view, add).state.table, add)
    return list(by_table.values())


def accepted(view: View, action: Action) -> bool:
    try:
        check(view, action)
    except IllegalAction:
        return False
    return True


def test_the_hosts_copy_knows_no_more_than_a_spectators() -> None:
    table = Table(GAMES["plain"], 3, Random(1))
    known = {slot for slot, face in enumerate(table.host.faces) if face is not None}
    assert known == set(table.host.pile)
    assert msgspec.json.decode(msgspec.json.encode([face is None for face in table.host.faces])).count(False) == 1
