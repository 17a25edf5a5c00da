"""A guest with the OpenSSH client, in a real terminal: plays a hand by keys and mouse, is cut off, and comes back."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.tables import title
from tests.lan.tmux import Tmux, Window, needs_openssh

pytestmark = [needs_openssh, pytest.mark.timeout(180)]
ROOT = Path(__file__).parents[2]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
    return port


@pytest.fixture
def tmux() -> Iterator[Tmux]:
    with Tmux() as server:
        yield server


def host_words(folder: Path, port: int, *words: str) -> list[str]:
    common = ["--interface", "lo", "--nick", "Ada", "--data", str(folder / "ada"), "--title", title()]
    return [sys.executable, "-m", "rummy_p2p", "host", "rummy-no", *words, "--ssh", str(port), *common]


def ssh_words(folder: Path, port: int, name: str = "Cem") -> list[str]:
    known = f"UserKnownHostsFile={folder / 'known_hosts'}"
    return [
        "ssh",
        "-F",
        "none",
        "-p",
        str(port),
        "-o",
        "StrictHostKeyChecking=accept-new",
        "-o",
        known,
        f"{name}@127.0.0.1",
    ]


def wait_for_door(port: int) -> None:
    deadline = time.monotonic() + 30
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert time.monotonic() < deadline, "nobody listens"
        time.sleep(0.1)


def play_by_keys(guest: Window) -> None:
    guest.press("d")
    guest.wait(r"You drew")
    guest.press("x")


def play_by_mouse(guest: Window) -> None:
    """Click on the stock, then on the button that discards what was drawn."""
    guest.click("d Draw")
    guest.wait(r"\[x Discard\]")
    guest.click("[x Discard]")


def play_hand(guest: Window) -> int:
    """Play one turn by keys and the next by mouse, until the hand is over; return how many there were."""
    turns = 0
    while True:
        found = guest.wait(r"YOUR TURN ─ d (draws|turns)|Thank you for playing")
        if found[1] is None:
            return turns
        if found[1] == "turns":
            guest.press("d")
            guest.wait("YOUR TURN ─ d draws")
        (play_by_mouse if turns % 2 else play_by_keys)(guest)
        turns += 1
        deadline = time.monotonic() + 20
        while re.search(r"YOUR TURN ─ d draws", "\n".join(guest.lines)) and time.monotonic() < deadline:
            time.sleep(0.05)


def test_a_guest_plays_a_hand_by_keys_and_mouse(tmux: Tmux, tmp_path: Path) -> None:
    port = free_port()
    words = host_words(tmp_path, port, "--auto", "normal", "--json", "--hands", "1")
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as host:
        try:
            wait_for_door(port)
            guest = tmux.open("cem", ssh_words(tmp_path, port))
            turns = play_hand(guest)
            assert turns > 1
            said, errors = host.communicate(timeout=60)
        finally:
            host.kill()
    assert f"ssh -p {port} NAME@127.0.0.1" in errors
    assert '"audit": "ok"' in said or '"audit":"ok"' in said


def test_a_guest_is_resized_cut_off_and_comes_back(tmux: Tmux, tmp_path: Path) -> None:
    port = free_port()
    host = tmux.open("ada", host_words(tmp_path, port))
    host.wait(rf"ssh -p {port} NAME@127\.0\.0\.1")
    host.wait(r"SHA256:\S")
    guest = tmux.open("cem", ssh_words(tmp_path, port))
    guest.wait("You are a guest at the program of Ada")
    host.wait("2 Cem +. by ssh")
    guest.resize(60, 20)
    guest.wait("The table needs a terminal of 80 by 24; this one has 60 by")
    guest.resize(120, 40)
    guest.wait("Norwegian rummy")
    host.press("Enter")
    guest.wait(r"── Scores|Log")
    before = hand_of(guest, host)
    os.kill(guest.pid, signal.SIGKILL)
    host.wait("my connection")
    again = tmux.open("cem-again", ssh_words(tmp_path, port), columns=120, rows=40)
    again.wait("You are back at your seat|YOUR TURN|Ada's turn")
    assert hand_of(again, host) == before
    again.press("q")
    again.wait("Really|leave|Leave")
    again.press("y")
    again.wait("Thank you for playing|Connection to 127.0.0.1 closed")
    host.press("q", "y")


def hand_of(guest: Window, host: Window) -> list[str]:
    """The cards in the guest's hand, as they are drawn."""
    guest.wait(r"─ Hand \d+")
    deadline = time.monotonic() + 20
    while True:
        below = "\n".join(guest.lines).rpartition("Hand ")[2]
        found = re.findall(r"[│]((?:10|[A2-9JQK])[♠♥♦♣])", below)
        if len(found) >= 7 or time.monotonic() > deadline:
            return found
        time.sleep(0.1)


def test_a_wrong_password_is_refused_and_the_right_one_lets_in(tmux: Tmux, tmp_path: Path) -> None:
    port = free_port()
    tmux.open("ada", host_words(tmp_path, port, "--password", "kestrel amber lantern"))
    wait_for_door(port)
    guest = tmux.open("cem", ssh_words(tmp_path, port))
    guest.wait("password:")
    for number in range(1, 4):
        guest.type("kestrel amber lamp\n")
        guest.wait("Permission denied, please try again" if number < 3 else r"Permission denied \(password\)")
    began = time.monotonic()
    guest = tmux.open("cem-2", ssh_words(tmp_path, port))
    guest.wait("password:")
    guest.type("kestrel amber lamp\n")
    guest.wait("please try again")
    assert time.monotonic() - began > 1.9, "the fourth is answered slowly"
    guest.type("Kestrel Amber Lantern\n")
    guest.wait("You are a guest at the program of Ada")
