"""What a player is told and what can be typed, without a terminal."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_p2p.bots import LEVELS
from rummy_p2p.engine import claimants
from rummy_p2p.engine.events import Asked
from rummy_p2p.rules.functions import KnobFailed
from rummy_p2p.ruleset import Claim, RulesetError
from rummy_p2p.sentences import Notice
from rummy_p2p.ui.console import REMEMBERED, Console, Said, printable
from tests.ui.seat import FakeSeat
from variants_plugins.rummy_no import RULES

MINE = "7h 8h 9h 2c 4d Kd Ks 3s 10c Jc"
HERS = "5s 5h 5d 6c 7c 8c Jd Qd Ah 2h"
DECK = f"{MINE} {HERS} Kh 6h 9c"

# Three players have seven cards each; what Bea throws fits on what Ada has laid.
THREE = "7h 8h 9h 2c 4d Kd Ks 5s 5h 5d 9c Jd 10h Qd 2s 2h Ac Ad 3s 10c Jc Kh 6h 6s 6d"
NAMES = ("Ada", "Bea", "Cem")


def table(deck: str = DECK, names: tuple[str, ...] = ("Ada", "Bea")) -> tuple[FakeSeat, Console]:
    seat = FakeSeat(deck, names=names)
    seat.deal()
    return seat, Console(seat)


def heard(seat: FakeSeat, console: Console) -> list[str]:
    return [line for item in seat.said() for line in console.hear(item).lines]


def answered(console: Console, *texts: str) -> None:
    """Type lines that are all in order."""
    for text in texts:
        assert console.answer(text) == Said(), text


# --- what is heard ---------------------------------------------------------------------------------------------------


def test_the_deal_is_told_and_the_player_called_with_hand_pile_and_stock() -> None:
    assert heard(*table()) == [
        "Bea deals 10 cards to each player.",
        "The first card of the pile is Kh.",
        "! YOUR TURN. Pile: Kh. Stock: 31 cards. Type draw (stock) or take (pile).",
        "Hand: [7h 8h 9h] 3s Ks 4d Kd 2c 10c Jc (10 cards, 49 points outside melds).",
    ]


def test_only_the_call_to_the_own_turn_rings_the_bell() -> None:
    seat, console = table()
    assert [console.hear(item).bell for item in seat.said()] == [False, False, True]


def test_the_own_drawn_card_is_named_and_the_others_are_not() -> None:
    seat, console = table()
    heard(seat, console)
    answered(console, "draw")
    assert heard(seat, console) == [
        "You drew 6h.",
        "Hand: [6h 7h 8h 9h] 3s Ks 4d Kd 2c 10c Jc (11 cards, 49 points outside melds).",
    ]
    answered(console, "discard Kd")
    assert heard(seat, console) == ["You discarded Kd.", "It is Bea's turn."]
    seat.other("draw")
    assert heard(seat, console) == ["Bea drew a card."]


def test_who_does_not_begin_is_shown_the_cards_all_the_same() -> None:
    seat = FakeSeat(THREE, names=NAMES, seat=1)
    seat.deal()
    lines = heard(seat, Console(seat))
    assert lines[-2:] == ["Hand: [5s 5h 5d] 10h Jd Qd 9c (7 cards, 39 points outside melds).", "It is Ada's turn."]


def test_a_discard_that_fits_opens_the_call_with_a_bell_and_the_game_has_its_own_word_for_it() -> None:
    seat, console = table(THREE, NAMES)
    answered(console, "draw", "meld 7h 8h 9h", "discard Kd")
    heard(seat, console)
    seat.other("draw", "discard 10h")
    said = [console.hear(item) for item in seat.said()]
    assert [each.lines for each in said] == [
        ("Bea drew a card.",),
        ("Bea discarded 10h.", "You may claim 10h now (RUMMY): type rummy."),
        ("It is Cem's turn.",),
    ]
    assert [each.bell for each in said] == [False, True, False]
    answered(console, "RUMMY")
    assert heard(seat, console) == [
        "You called RUMMY and got 10h.",
        "Hand: Ks 6h 10h 4d 2c (5 cards, 32 points outside melds).",
    ]


def test_a_claim_on_the_own_turn_is_offered_once() -> None:
    seat, console = table(f"{MINE} 5s 5h 5d 6c 7c 8c Jd Qd 10h 2h Kh 6h 9c")
    answered(console, "draw", "meld 7h 8h 9h", "discard Kd")
    heard(seat, console)
    seat.other("draw", "discard 10h")
    offered = [line for line in heard(seat, console) if "claim 10h" in line]
    assert len(offered) == 1
    assert offered[0].startswith("! YOUR TURN.")


def test_a_late_claim_is_to_be_answered() -> None:
    rules = RULES.with_(claim=Claim(kind="buy", penalty=1))
    seat = FakeSeat(THREE, rules, NAMES)
    seat.deal()
    console = Console(seat)
    answered(console, "draw", "discard Kd")
    seat.other("draw", "discard Jd")
    seat.other("draw", "discard Jc", seat=2)
    answered(console, "draw")
    heard(seat, console)
    seat.other("call", seat=1)
    asked = [console.hear(item) for item in seat.said() if isinstance(item, Asked)]
    assert asked == [
        Said(
            (
                "Bea asks for Jc after the draw: the player who drew may keep the card, or give both away.",
                "Somebody asks for the discard. Type keep to keep the card that you drew, or give to let both go.",
            ),
            bell=True,
        )
    ]
    assert console.prompt() == "keep or give> "
    answered(console, "keep")


def test_a_hand_is_played_to_its_end_and_counted() -> None:
    seat, console = table("7h 8h 9h 2c 4d Kh Ks 3s 10c Jc 5s 5h 5d 6c 7c 8c Jd Qd Kd 2h Kc 6h 9c")
    answered(console, "draw", "discard Ks")
    heard(seat, console)
    seat.other("draw", "meld 5s 5h 5d | 6c 7c 8c 9c | Jd Qd Kd", "discard 2h")
    assert heard(seat, console) == [
        "Bea drew a card.",
        "Bea laid down for the first time, meld 1: 5s 5h 5d.",
        "Bea laid meld 2: 6c 7c 8c 9c.",
        "Bea laid meld 3: Jd Qd Kd.",
        "Bea discarded 2h.",
        "Bea went out, all in one turn.",
        "The hand is over. What is left in the others' hands is counted.",
        "You had 3s 6h 7h 8h 9h Kh 4d 2c 10c Jc left.",
        "Points of this hand: Ada: 69, Bea: 0.",
        "  Ada: 69 for cards left in hand (3s 6h 7h 8h 9h Kh 4d 2c 10c Jc)",
        "Bea: 0, Ada: 69 after 1 hand.",
        "The match ends when somebody has 100 points. The lowest total wins.",
    ]
    assert console.answer("score").lines == (
        "  Ada: 69 for cards left in hand (3s 6h 7h 8h 9h Kh 4d 2c 10c Jc)",
        "Bea: 0, Ada: 69 after 1 hand.",
        "The match ends when somebody has 100 points. The lowest total wins.",
    )
    assert console.answer("turn").lines == ("The hand is over.",)
    assert console.answer("draw").lines[0].startswith("This hand is over")
    assert console.prompt() == "> "


def test_what_the_table_says_is_shown_as_it_is() -> None:
    _seat, console = table()
    assert console.hear(Notice("Bea: hello")) == Said(("Bea: hello",))


def test_terminal_codes_of_strangers_do_not_get_through() -> None:
    seat, console = table(names=("Ada", "B\x1b[31mea"))
    said = [*heard(seat, console), *console.hear(Notice("\x1b]0;gotcha\a hi\nyou\x9b")).lines]
    said += [line for text in ("table", "score", "\x1b[2J", "draw \x1b") for line in console.answer(text).lines]
    assert all(line.isprintable() for line in said)
    assert said[0] == "B[31mea deals 10 cards to each player."


@given(st.text())
def test_only_what_is_printable_is_printed(text: str) -> None:
    assert printable(text).isprintable()
    assert len(printable(text)) == len(text)


# --- what is typed ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("discard 2c", "You have not drawn yet, and every turn begins with that."),
        ("draw now", "I cannot read 'draw now': nothing follows draw."),
        ("knock 2c", "You have not drawn yet"),
        (
            "turn-over",
            "The pile is turned over only when the stock is empty; it still has 31 cards. Type draw or take.",
        ),
        ("take 2", "Only the top card of the pile may be taken, not 2. Type take."),
        ("rummy", "There is no discard to claim."),
        ("rummy 2", "I cannot read 'call 2': nothing follows call."),
        ("pass", "You may pass only when there is no card to draw."),
        (
            "fold",
            "There is no command 'fold'. These can be typed: draw, take, turn-over, meld, add, discard, call, pass,",
        ),
    ],
)
def test_a_refused_line_says_why_and_changes_nothing(text: str, sentence: str) -> None:
    seat, console = table()
    before = seat.game.snapshot()
    said = console.answer(text)
    assert said.lines[0].startswith(sentence)
    assert len(said.lines) == 1
    assert not said.leaves
    assert seat.game.snapshot() == before


@pytest.mark.parametrize("error", [RulesetError("bad-option", "No."), KnobFailed("mine", "may_open", "ValueError: no")])
def test_every_kind_of_refusal_becomes_a_sentence(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    seat, console = table()
    monkeypatch.setattr(seat, "act", raising(error))
    assert len(console.answer("draw").lines) == 1


def raising(error: Exception) -> Callable[[str], None]:
    def fail(_text: str) -> None:
        raise error

    return fail


@pytest.mark.parametrize("text", ["", "   ", "\t"])
def test_an_empty_line_does_nothing(text: str) -> None:
    seat, console = table()
    before = seat.game.snapshot()
    assert console.answer(text) == Said()
    assert seat.game.snapshot() == before


def test_what_the_table_adds_is_called_with_the_rest_of_the_line() -> None:
    seat, console = table()
    assert console.answer("chat  hello  there ") == Said()
    assert seat.called == ["hello  there"]
    assert "  chat               say something to the table" in console.answer("help").lines


def test_help_lists_the_moves_of_this_game_alone() -> None:
    _seat, console = table()
    lines = console.answer("help").lines
    assert "  turn-over          make the pile the stock, when the stock is empty" in lines
    assert "  rummy              the same as call: RUMMY is this game's word for it" in lines
    assert not any(line.startswith(("  knock", "  swap", "  keep", "  done", "  show")) for line in lines)


def test_the_table_shows_piles_players_and_numbered_melds() -> None:
    seat, console = table()
    assert console.answer("table").lines == (
        "Pile: Kh. Stock: 31 cards.",
        "Players: Ada: 10 cards; Bea: 10 cards.",
        "No melds are on the table.",
    )
    answered(console, "draw", "meld 6h 7h 8h 9h", "discard Ks")
    seat.other("draw", "meld 5s 5h 5d")
    assert console.answer("table").lines == (
        "Pile: Ks on top of 1 card. Stock: 29 cards.",
        "Players: Ada: 6 cards, has laid down; Bea: 8 cards, has laid down.",
        "  1 Ada run  6h 7h 8h 9h",
        "  2 Bea set  5s 5h 5d",
    )


def test_the_turn_says_who_plays_and_what_can_be_done() -> None:
    _seat, console = table()
    assert console.answer("turn").lines[0].startswith("! YOUR TURN. Pile: Kh. Stock: 31 cards. Type draw (stock)")
    answered(console, "draw")
    assert "Lay what you can (meld, add), then discard a card" in console.answer("turn").lines[0]
    answered(console, "discard Kd")
    assert console.answer("turn").lines == ("It is Bea's turn.",)


def test_the_prompt_says_what_is_expected() -> None:
    seat, console = table()
    assert console.prompt() == "draw> "
    answered(console, "draw")
    assert console.prompt() == "play> "
    answered(console, "discard Kd")
    assert console.prompt() == "wait> "
    seat.game.hand = None
    assert console.prompt() == "> "


@pytest.mark.parametrize("text", ["hand", "table", "turn", "sort rank"])
def test_between_hands_there_is_nothing_to_show(text: str) -> None:
    assert Console(FakeSeat()).answer(text).lines == ("No hand is being played at the moment.",)


def test_cards_are_ordered_as_the_player_wishes() -> None:
    _seat, console = table()
    assert console.answer("sort suit").lines == ("Hand: 3s Ks 7h 8h 9h 4d Kd 2c 10c Jc (10 cards).",)
    assert console.answer("sort RANK").lines == ("Hand: 2c 3s 4d 7h 8h 9h 10c Jc Ks Kd (10 cards).",)
    assert console.answer("hand").lines == ("Hand: 2c 3s 4d 7h 8h 9h 10c Jc Ks Kd (10 cards).",)
    assert console.answer("sort colour").lines == ("Cards can be ordered by melds, suit or rank, as in: sort suit",)


def test_last_shows_what_has_happened() -> None:
    seat, console = table()
    assert console.answer("last").lines == ("Nothing has happened yet.",)
    heard(seat, console)
    console.hear(Notice("Bea: hello"))
    assert console.answer("last 2").lines == ("It is your turn.", "Bea: hello")
    assert console.answer("last").lines[0] == "Bea deals 10 cards to each player."
    for text in ("last 0", "last x", "last ²", "last -1"):
        assert console.answer(text).lines == ("Say how many lines to show, as in: last 5",)
    for number in range(REMEMBERED):
        console.hear(Notice(str(number)))
    assert len(console.answer("last 9999").lines) == REMEMBERED


def test_the_score_gives_the_totals_and_what_ends_the_match() -> None:
    _seat, console = table()
    assert console.answer("score").lines == (
        "Ada: 0, Bea: 0 after 0 hands.",
        "The match ends when somebody has 100 points. The lowest total wins.",
    )


def test_the_rules_are_told_in_short() -> None:
    _seat, console = table()
    assert console.answer("rules").lines[0] == "Norwegian rummy"


def test_quit_leaves() -> None:
    _seat, console = table()
    assert console.answer("quit") == Said(leaves=True)


# --- completion ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("d", ("draw", "discard", "deal")),
        ("ru", ("rummy", "rules")),
        ("TA", ("take", "table")),
        ("discard K", ("Ks", "Kd")),
        ("discard Ks ", ()),
        ("meld 7h 8h ", ("3s", "Ks", "9h", "4d", "Kd", "2c", "10c", "Jc")),
        ("meld 7h 8h 9h|1", ("10c",)),
        ("add Ks ", ("1",)),
        ("add Ks 1 l", ("left",)),
        ("add Ks 1 left ", ()),
        ("swap Ks ", ("1",)),
        ("meld Ks jk=q", ("JK=Qs", "JK=Qh", "JK=Qd", "JK=Qc")),
        ("sort ", ("melds", "suit", "rank")),
        ("chat ", ()),
        ("zzz", ()),
    ],
)
def test_an_unfinished_line_is_completed(text: str, words: tuple[str, ...]) -> None:
    seat, console = table()
    answered(console, "draw")
    seat.act("discard 6h")
    seat.other("draw", "meld 5s 5h 5d", "discard Jd")
    assert console.complete(text) == words


def test_of_two_equal_cards_each_can_be_named() -> None:
    seat = FakeSeat("7h 7h' 8h", RULES.with_(deck__packs=2))
    seat.deal()
    console = Console(seat)
    assert "7h" in console.complete("discard ")
    assert "7h" in console.complete("meld 7h ")
    assert "7h" not in console.complete("meld 7h 7h ")


def test_between_hands_no_card_is_completed() -> None:
    assert Console(FakeSeat()).complete("discard ") == ()
    assert Console(FakeSeat()).complete("add 7h ") == ()


# --- laws ------------------------------------------------------------------------------------------------------------


CARD = re.compile(r"\b(?:10|[2-9AJQK])[shdc]\b")


@given(seed=st.integers(0, 10_000))
@settings(max_examples=settings().max_examples // 4)  # each is a whole hand
def test_no_line_names_a_card_that_the_seat_has_never_seen(seed: int) -> None:
    seat = FakeSeat(seed=seed)
    seat.deal()
    console, seen = Console(seat), set[str]()
    for _ in range(80):
        view = seat.game.view(seat.seat)
        seen |= {str(card) for card in (*view.hand, *view.state.faces) if card is not None}
        lines = [
            *heard(seat, console),
            *(line for text in ("table", "turn", "last") for line in console.answer(text).lines),
        ]
        assert set(CARD.findall(" ".join(lines))) <= seen
        if view.state.over:
            break
        let_somebody_play(seat, seed)


def let_somebody_play(seat: FakeSeat, seed: int) -> None:
    hand = seat.game.hand
    assert hand is not None
    wishes = ((player, LEVELS["normal"](seat.game.view(player), seed)) for player in (*claimants(hand), hand.turn))
    player, action = next((player, action) for player, action in wishes if action is not None)
    seat.other(str(action), seat=player)
