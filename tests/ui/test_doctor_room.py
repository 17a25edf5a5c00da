"""The doctor's room: what it shows, where it stands, and what its keys and words begin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from rummy_p2p.sentences.language import use_language
from rummy_p2p.ui.doctor_room import DoctorRoom, Remark
from rummy_p2p.ui.glyphs import ASCII
from rummy_p2p.ui.room import Mouse
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.style import Look
from tests.ui.lobby import SIZES, check_golden, click, drawn, make_screen, press

REMARKS = (
    Remark("ok", "program", "rummy-p2p 1.0, protocol 1, Python 3.11.7, zeroconf 0.150.0, on Linux 6.1."),
    Remark("ok", "plugins", "Loaded: rummy-no 1, gin 1, rummi-tr 1."),
    Remark("ok", "clock", "2026-11-30 11:40:00 UTC. It need not agree with the others'."),
    Remark("ok", "terminal", "80 columns, 24 lines."),
    Remark("ok", "interface", "eth0 192.168.1.23 is used."),
    Remark("ok", "interface", "docker0 172.17.0.1 is not used: it belongs to a container."),
    Remark("ok", "port-5353", "UDP port 5353 (mDNS) can be used together with others."),
    Remark(
        "fails",
        "multicast",
        "eth0 192.168.1.23: multicast was sent, and not even this program's own question came back.",
        "If others cannot connect to you, the firewall of this machine is in the way. Open it: sudo ufw allow "
        "28660:28667/tcp && sudo ufw allow 5353/udp",
    ),
    Remark("ok", "neighbours", "No other program of this game is seen.", "rummy-p2p join --scan searches."),
    Remark("ok", "listener", "The program takes connections at 192.168.1.23 port 28660."),
    Remark("skipped", "reachable", "Nobody is there who could try to connect to port 28660 of this machine."),
)
VERDICT = "One thing does not work. Begin with: multicast."


@dataclass
class FakeExamination:
    """An examination as a test wants it."""

    remarks: tuple[Remark, ...] = REMARKS
    whom: str = ""
    runs: bool = False
    verdict: str = VERDICT
    asked: list[str] = field(default_factory=list)

    def begin(self, whom: str = "") -> None:
        self.asked.append(f"begin {whom}".strip())

    def end(self) -> None:
        self.asked.append("end")

    def watch(self, _call: Callable[[], None]) -> None:
        self.asked.append("watch")


def doctor(found: FakeExamination, *, ascii_only: bool = False) -> tuple[FakeExamination, Screen, DoctorRoom]:
    screen = make_screen(replace(Look(), glyphs=ASCII) if ascii_only else Look())
    room = DoctorRoom(screen, found)
    screen.enter(room)
    assert found.asked == ["watch", f"begin {found.whom}".strip()]
    found.asked.clear()
    return found, screen, room


EXAMINATIONS: dict[str, Callable[[], FakeExamination]] = {
    "doctor": FakeExamination,
    "doctor-runs": lambda: FakeExamination(remarks=REMARKS[:7], runs=True, verdict=""),
    "doctor-way": lambda: FakeExamination(
        remarks=(*REMARKS[-2:], Remark("ok", "resolve", "Bea is 192.168.1.42."),
                 Remark("fails", "tcp", "192.168.1.42 is there, but nobody listens at port 28660.",
                        "Is the program still running there, and the port right?")),
        whom="Bea", verdict="One thing does not work. Begin with: TCP.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1] + 2}")
@pytest.mark.parametrize("name", EXAMINATIONS)
def test_it_looks_as_it_did(name: str, size: tuple[int, int]) -> None:
    _found, _screen, room = doctor(EXAMINATIONS[name]())
    check_golden(f"{name}-{size[0]}x{size[1] + 2}", drawn(room, size))


def test_it_looks_so_in_plain_characters_and_in_swedish() -> None:
    _found, _screen, room = doctor(FakeExamination(), ascii_only=True)
    canvas = drawn(room, ascii_only=True)
    assert all(row.isascii() for row in canvas.rows())
    check_golden("doctor-80x24-ascii", canvas)
    use_language("sv")
    try:
        check_golden("doctor-80x24-sv", drawn(room))
    finally:
        use_language("en")


def test_at_the_end_what_fails_is_in_view_and_one_goes_elsewhere_by_keys_and_wheel() -> None:
    many = (*REMARKS[:7] * 4, REMARKS[7], *REMARKS[8:] * 4)
    found, screen, room = doctor(FakeExamination(remarks=many))
    assert "FAILS  multicast" in drawn(room).rows()[1]
    press(screen, "home")
    assert "program" in drawn(room).rows()[1]
    press(screen, "end", "pageup", "up", "down", "pagedown")
    assert "own port" in "".join(drawn(room).rows())
    room.mouse(Mouse("wheel-up", None, 0, 0))
    room.mouse(Mouse("wheel-down", None, 0, 0))
    found.runs = True
    press(screen, "a")
    assert found.asked == ["begin"]
    assert "Nobody is there who" in "".join(drawn(room).rows()[-8:])


def test_only_what_fails_is_shown_when_that_is_wanted() -> None:
    found, screen, room = doctor(FakeExamination())
    press(screen, "f")
    shown = "\n".join(drawn(room).rows())
    assert "clock" not in shown
    assert "sudo ufw allow" in shown
    found.remarks = REMARKS[:7]
    assert "Nothing fails." in "\n".join(drawn(room).rows())
    press(screen, "f")
    assert "clock" in "\n".join(drawn(room).rows())


def test_keys_words_and_buttons_begin_and_end() -> None:
    found, screen, room = doctor(FakeExamination(whom="Bea"))
    press(screen, "a")
    for text in ("again", "way Ada", "doctor 7KQM-29XR", "doctor", "/way 10.0.0.7:28660"):
        room.typed(text)
    assert found.asked == ["begin Bea", "begin Bea", "begin Ada", "begin 7KQM-29XR", "begin", "begin 10.0.0.7:28660"]
    room.typed("dance")
    assert screen.noted == "Here one can type: again, doctor, way, back."
    assert room.complete("d") == ("doctor",)
    assert room.complete("way A") == ()
    pressed: list[str] = []
    screen.press = pressed.append  # type: ignore[method-assign,assignment]  # a screen that is not shown has no size
    click(screen, room, "[w The way")
    click(screen, room, "[Esc Back]")
    assert pressed == ["w", "escape"]
    room.typed("back")
    assert found.asked[-1] == "end"
    assert screen.room is None
