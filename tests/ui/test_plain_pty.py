"""A person types a whole hand against a bot, in a real terminal, and answers from nothing but what the screen shows."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from rummy_p2p.cards import Card, pack
from rummy_p2p.melds import MeldError, Piece, read_meld
from tests.ui.terminal import Terminal
from variants_plugins.rummy_no import RULES

ROOT = Path(__file__).parents[2]
MOST_TURNS = 120
# What a turn or a hand begins and ends with; a line that opens a claim in between is left alone.
NEXT = r"^(! YOUR TURN\..*|Points of this hand: .*)$"
HAND = r"^Hand: (.*?) \("


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    command = [sys.executable, "-m", "rummy_p2p", "practice", "rummy-no", "--bots", "1", "--plain", "--seed", "7"]
    with Terminal([*command, "--data", str(tmp_path)], folder=ROOT, env={"LANG": "C.UTF-8"}) as opened:
        yield opened


def melds_and_loose(shown: str) -> tuple[list[str], list[str]]:
    """Split ``[7h 8h 9h] 2c 4d`` into the melds in brackets and the cards behind them."""
    *melds, loose = shown.split("]")
    return [meld.strip(" [") for meld in melds], loose.split()


def no_meld(cards: list[str]) -> str:
    """Return three of the cards that are neither set nor run."""
    for chosen in combinations(cards, 3):
        try:
            read_meld([Piece(Card.parse(card)) for card in chosen], RULES.melds)
        except MeldError:
            return " ".join(chosen)
    raise AssertionError("every three of these cards are a meld")


def not_among(cards: list[str]) -> str:
    return next(str(card) for card in pack(1, 0) if str(card) not in cards)


def draw(terminal: Terminal, turn: str) -> str:
    """Draw in the way that the line of the turn offers; return the hand that is shown then."""
    word = next(word for word in ("draw", "turn-over", "take") if f"{word} (" in turn)
    here = terminal.type(word)
    if word == "turn-over":
        terminal.wait_for(r"^You turned the pile over", here)
        here = terminal.type("draw")
    return terminal.wait_for(rf"^You (?:drew|took) .*\n{HAND}", here)[1]


def lay_and_discard(terminal: Terminal, shown: str) -> int:
    """Lay the melds that the screen shows as long as a card stays for the pile; return the line of the discard."""
    melds, loose = melds_and_loose(shown)
    for meld in melds if loose else []:
        here = terminal.type(f"meld {meld}")
        terminal.wait_for(r"^You laid (?:meld|down)", here)
    card = loose[0] if loose else melds[0].split()[0]
    return terminal.type(f"discard {card}")


def test_a_person_plays_a_whole_hand_against_a_bot(terminal: Terminal) -> None:
    turn = terminal.wait_for(NEXT)[1]
    first = terminal.wait_for(HAND)[1]
    cards = first.replace("[", "").replace("]", "").split()
    assert len(cards) == 10
    for text, refused in (
        (f"discard {cards[0]}", "You have not drawn yet"),
        (f"meld {no_meld(cards)}", "You have not drawn yet"),
        ("discard", "I cannot read 'discard'"),
        ("shuffle", "There is no command 'shuffle'"),
    ):
        terminal.wait_for(f"^{refused}", terminal.type(text))
    shown = draw(terminal, turn)
    cards = shown.replace("[", "").replace("]", "").split()
    for text, refused in (
        ("draw", "You have drawn already"),
        (f"discard {not_among(cards)}", f"You do not hold {not_among(cards)}"),
        (f"meld {no_meld(cards)}", f"{no_meld(cards)} is not a meld"),
    ):
        terminal.wait_for(f"^{refused}", terminal.type(text))
    assert terminal.wait_for(HAND, terminal.type("hand"))[1] == shown
    for _ in range(MOST_TURNS):
        here = lay_and_discard(terminal, shown)
        turn = terminal.wait_for(NEXT, here)[1]
        if turn.startswith("Points"):
            break
        shown = draw(terminal, turn)
    else:
        pytest.fail(f"no end after {MOST_TURNS} turns")
    points = terminal.wait_for(r"^Points of this hand: You: (\d+), Bot 1: (\d+)\.$", here)
    assert points[1] != points[2]
    total = terminal.wait_for(r"^(.*) after 1 hand\.$", terminal.type("score"))[1]
    assert sorted(total.split(", ")) == sorted([f"You: {points[1]}", f"Bot 1: {points[2]}"])
    assert terminal.bells > 0
    terminal.type("quit")
    assert terminal.wait_for_end() == 0
    assert terminal.echoes()


def test_tab_completes_a_command_and_the_arrow_brings_it_back(terminal: Terminal) -> None:
    terminal.wait_for(NEXT)
    here = terminal.type("ha\t")
    shown = terminal.wait_for(HAND, here)[1]
    here = terminal.type("\x1b[A")
    assert terminal.wait_for(HAND, here)[1] == shown
    terminal.type("\x04", enter=False)
    terminal.wait_for(r"^Leave the table\? \(yes/no\)")
    terminal.type("yes")
    assert terminal.wait_for_end() == 0


def test_ctrl_c_asks_once_and_the_second_one_leaves(terminal: Terminal) -> None:
    terminal.wait_for(NEXT)
    terminal.type("\x03", enter=False)
    terminal.wait_for(r"^Leave the table\? \(yes/no\)")
    here = terminal.type("no")
    terminal.wait_for(r"^draw>", here + 1)
    here = terminal.type("\x03", enter=False)
    terminal.wait_for(r"^Leave the table\? \(yes/no\)", here)
    assert not terminal.echoes()
    terminal.type("\x03", enter=False)
    assert terminal.wait_for_end() == 130
    assert terminal.echoes()
