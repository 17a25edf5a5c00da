"""One screen as a conversation: nothing of a hand stays in sight when the next player is called."""

from __future__ import annotations

import io

import pytest

from rummy_p2p.bots import LEVELS
from rummy_p2p.cards import face_text
from rummy_p2p.offline.hotseat import OneScreen
from rummy_p2p.ui.curtain import SharedConsole, Shown, play
from tests.cases.positions import NORWEGIAN
from tests.offline.test_hotseat import CLAIM, at, table

BOT = LEVELS["normal"]


def move(screen: OneScreen, console: SharedConsole, number: int = 0) -> Shown:
    """What a bot would type for whoever sits at the screen."""
    assert screen.sitting is not None
    view = screen.places[screen.sitting].view()
    assert view is not None
    return console.answer(str(BOT(view, number)))


def test_the_player_on_turn_is_called_and_nothing_is_shown_before() -> None:
    screen = table()
    console = SharedConsole(screen)
    name = screen.names[screen.waiting]
    assert console.begin().lines == (
        f"Pass the keyboard to {name}. Nobody's cards are on the screen.",
        f"{name}: press Enter when you are ready.",
    )
    assert console.prompt() == "> "
    assert console.complete("dr") == ()


def test_who_sits_there_is_known_for_the_own_history_of_lines() -> None:
    screen = table()
    console = SharedConsole(screen)
    assert console.sitting is None
    console.answer("")
    assert console.sitting == screen.waiting


def test_enter_raises_the_curtain_and_shows_the_hand() -> None:
    console = SharedConsole(table())
    shown = console.answer("")
    assert (shown.wipe, shown.bell, shown.leaves) == (True, True, False)
    assert any(line.startswith("! YOUR TURN.") for line in shown.lines)
    assert any(line.startswith("Hand: ") for line in shown.lines)
    assert console.prompt() == "draw> "
    assert console.complete("dr") == ("draw",)


def test_the_turn_ends_with_a_wiped_screen_and_what_all_may_know() -> None:
    screen = table()
    console = SharedConsole(screen)
    console.answer("")
    first = screen.sitting
    assert first is not None
    shown = move(screen, console)
    while screen.sitting is not None:
        shown = move(screen, console)
    assert shown.wipe
    text = " ".join(shown.lines)
    thrown = shown.lines[1].removeprefix(f"{screen.names[first]} discarded ").rstrip(".")
    view = screen.places[first].view()
    assert view is not None
    for card in view.hand:
        face = face_text(card.face)
        assert face == thrown or f" {face}" not in text
    assert "Hand:" not in text
    assert shown.lines[-1] == f"{screen.names[screen.waiting]}: press Enter when you are ready."


def test_a_refused_move_is_told_and_the_player_stays() -> None:
    screen = table()
    console = SharedConsole(screen)
    console.answer("")
    shown = console.answer("discard 2s")
    assert shown.lines[0].startswith(("You have not drawn yet", "You do not hold"))
    assert not shown.wipe
    assert screen.sitting is not None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rummy Cem", "Cem calls for 10c."),
        ("call", "Before that 10c may be claimed by Bea and Cem. Type rummy and a name, as in: rummy Bea"),
        ("CALL cem", "Cem calls for 10c."),
        ("call Ada", "Ada cannot claim anything now. These players can: Bea and Cem."),
        ("draw", "Before that 10c may be claimed by Bea and Cem. Type rummy and a name, as in: rummy Bea"),
    ],
)
def test_a_claim_is_typed_with_the_name_of_who_calls(text: str, told: str) -> None:
    screen = at(CLAIM)
    console = SharedConsole(screen)
    assert console.begin().lines[1].startswith("Before that 10c may be claimed by Bea and Cem.")
    assert console.answer(text).lines[0] == told


def test_where_nothing_can_be_claimed_enter_is_all_there_is() -> None:
    console = SharedConsole(table())
    assert console.answer("draw").lines[0] == "Nothing can be claimed now."


def test_a_whole_hand_goes_on_to_the_next_one() -> None:
    screen = table(names=("Ada", "Bea"))
    console = SharedConsole(screen)
    shown = console.begin()
    for number in range(600):
        shown = console.answer("") if screen.sitting is None else move(screen, console, number)
        if screen.hand.over:
            break
    assert shown.lines[-1] == "The hand is over. Press Enter for the next one, or type leave."
    assert any(line.startswith("Points of this hand: ") for line in shown.lines)
    shown = console.answer("")
    assert (shown.wipe, screen.sitting, screen.hand.over) == (True, None, False)
    shown = console.answer("")  # the other one hears how the last hand ended
    assert any(line.startswith("! YOUR TURN.") for line in shown.lines)


def test_after_the_match_enter_leaves() -> None:
    screen = table(NORWEGIAN.with_(match__target=1), names=("Ada", "Bea"))
    console = SharedConsole(screen)
    shown = console.begin()
    while not screen.match.over:
        shown = console.answer("") if screen.sitting is None else move(screen, console)
    assert shown.lines[-1] == "The match is over. Press Enter to leave."
    shown = console.answer("")
    assert shown.leaves
    assert "It was won by" in shown.lines[1]


@pytest.mark.parametrize("word", ["leave", "quit"])
def test_anybody_can_end_it(word: str) -> None:
    assert SharedConsole(table()).answer(word).leaves
    sitting = SharedConsole(table())
    sitting.answer("")
    assert sitting.answer(word).leaves


def test_lines_in_lines_out() -> None:
    written = io.StringIO()
    assert play(table(), io.StringIO("\ndraw\n"), written) == 0
    text = written.getvalue()
    assert text.count("\n" * 50) == 1  # once wiped
    assert "Pass the keyboard to" in text.partition("\n\n")[0]
    assert "You drew " in text


def test_leaving_by_word_is_the_end_too() -> None:
    written = io.StringIO()
    assert play(table(), io.StringIO("leave\nmore\n"), written) == 0
    assert written.getvalue().count("Pass the keyboard") == 1


def test_ctrl_c_is_an_exit_code() -> None:
    reader = io.StringIO()

    def interrupted(_size: int = -1) -> str:
        raise KeyboardInterrupt

    reader.readline = interrupted  # type: ignore[method-assign]  # a terminal would raise it there
    assert play(table(), reader, io.StringIO()) == 130
