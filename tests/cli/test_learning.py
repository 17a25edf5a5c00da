"""learn and hotseat: what they say where there is no terminal, what they refuse, and how they are typed in one."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from rummy_p2p.cli import OK, USAGE, main
from tests.cli.test_local import Run, run
from tests.ui.terminal import Terminal

__all__ = ["run"]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Typing:
    return Typing(monkeypatch, capsys, tmp_path)


class Typing:
    """Runs a command with lines to read in place of a terminal."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        self._patch, self._capsys, self._folder = monkeypatch, capsys, folder

    def __call__(self, text: str, *words: str) -> str:
        self._patch.setattr(sys, "stdin", io.StringIO(text))
        assert main([*words, "--data", str(self._folder)]) == OK
        return self._capsys.readouterr().out


def test_gin_is_learnt_step_by_step(typed: Typing) -> None:
    out = typed("draw\nnext\nquit\n", "learn", "gin")
    assert out.index("Step 1 of 9: The deal") < out.index("That is how every turn begins")
    assert "Step 2 of 9: Drawing" in out


def test_a_step_can_be_named_and_gin_is_what_is_learnt_without_a_name(typed: Typing) -> None:
    assert typed("", "learn", "--step", "7").startswith("Step 7 of 9: Gin\n")


def test_all_steps_are_on_one_page(run: Run) -> None:
    told = run("learn", "gin", "--all")
    assert told.code == OK
    assert told.out.startswith("Gin rummy: 2 players, 15-30 minutes, medium to learn\n")
    assert told.out.count("Your task: ") == 9


def test_another_game_is_learnt_in_a_guided_hand(typed: Typing) -> None:
    out = typed("tips\nquit\n", "learn", "rummy-no", "--nick", "Ada")
    assert out.startswith("Norwegian rummy: 2-6 players, 15-30 minutes, easy to learn\n")
    assert "\nTip: " in out
    assert "Players: Ada" not in out


def test_its_guide_is_on_one_page_as_well(run: Run) -> None:
    told = run("learn", "rum-500-ro", "--all")
    assert told.out.startswith("Romanian rum: 2 players, 20-40 minutes, hard to learn\n")
    assert "\nTips\n" in told.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("learn", "gin", "--step", "10"), "The steps are 1 to 9. Type step and a number, as in: step 5"),
        (
            ("learn", "rummy-no", "--step", "2"),
            "Norwegian rummy has no numbered steps: it is learnt in a guided hand. Leave --step out.",
        ),
        (("hotseat", "gin", "Ada"), "Gin rummy is for 2 players, not 1. Give one name for each."),
        (
            ("hotseat", "rummy-no", *"ABCDEFG"),
            "Norwegian rummy is for 2 to 6 players, not 7. Give one name for each.",
        ),
        (("hotseat", "gin", "Ada", "ADA"), "Two players are called Ada. Give everybody a name of their own."),
    ],
)
def test_what_cannot_be_is_told(words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == USAGE
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"rummy-p2p: {sentence}\n")


def test_one_screen_in_lines(typed: Typing) -> None:
    out = typed("\ndraw\nleave\n", "hotseat", "rummy-no", "Ada", "Bea", "--seed", "1")
    assert out.startswith("Pass the keyboard to ")
    assert "You drew " in out


def test_a_step_is_played_by_typing_in_a_terminal(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rummy_p2p", "learn", "gin", "--step", "1", "--plain", "--data", str(tmp_path)]
    with Terminal(command, folder=ROOT, env={"LANG": "C.UTF-8"}) as terminal:
        terminal.wait_for(r"^Step 1 of 9: The deal$")
        terminal.wait_for(r"^Your task: ")
        here = terminal.type("discard Kc")
        terminal.wait_for(r"^You have not drawn yet", here)
        terminal.wait_for(r"^A turn always begins with a card", here)
        here = terminal.type("draw")
        terminal.wait_for(r"^That is how every turn begins", here)
        here = terminal.type("next")
        terminal.wait_for(r"^Step 2 of 9: Drawing$", here)
        terminal.type("leave")
        assert terminal.wait_for_end() == 0
        assert terminal.echoes()


def test_a_step_is_played_by_typing_on_the_full_screen(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rummy_p2p", "learn", "gin", "--step", "1", "--data", str(tmp_path)]
    with Terminal(command, folder=ROOT, env={"LANG": "C.UTF-8"}, columns=80, rows=24) as terminal:
        terminal.wait_for(r"Step 1 of 9: The deal")
        terminal.type(":discard Kc")
        terminal.wait_for(r"─ Why ─")
        terminal.type("draw")
        terminal.wait_for(r"─ Done ─")
        terminal.type("next")
        terminal.wait_for(r"Step 2 of 9: Drawing")
        terminal.type("")  # back to the cards; then leave, and yes
        terminal.type("qy", enter=False)
        assert terminal.wait_for_end() == 0
        assert terminal.echoes()


def test_at_one_screen_the_last_hand_is_wiped_off_the_terminal(tmp_path: Path) -> None:
    words = ["hotseat", "gin", "Ada", "Bea", "--seed", "1", "--plain", "--data", str(tmp_path)]
    with Terminal([sys.executable, "-m", "rummy_p2p", *words], folder=ROOT, env={"LANG": "C.UTF-8"}) as terminal:
        first = terminal.wait_for(r"^(Ada|Bea): press Enter when you are ready\.$")[1]
        terminal.type("")
        terminal.wait_for(r"^! YOUR TURN\.")
        terminal.type("draw")
        thrown = terminal.wait_for(r"^Hand: .* (\S+) \(11 cards")[1]
        terminal.type(f"discard {thrown}")
        terminal.wait_for(rf"^{first} discarded {thrown}\.$")
        other = "Bea" if first == "Ada" else "Ada"
        terminal.wait_for(rf"^{other}: press Enter when you are ready\.$")
        assert not any("Hand:" in line or "YOUR TURN" in line for line in terminal.lines)
        terminal.type("leave")
        assert terminal.wait_for_end() == 0
