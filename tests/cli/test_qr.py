"""QR codes of half blocks: right, and small enough for 80x24."""

import sys
from os import terminal_size
from pathlib import Path

import pytest

from rummy_p2p.cli import qr as module
from rummy_p2p.cli.qr import has_qr, picture, qr_lines, this_python

segno = pytest.importorskip("segno", reason="the extra qr is not installed")

ADDRESS = "rummy://192.168.100.123:28660#" + "2b" * 32


def dark(lines: tuple[str, ...]) -> list[list[bool]]:
    """The modules again, as a camera sees them on a dark terminal."""
    upper = {" ": (True, True), "▄": (True, False), "▀": (False, True), "█": (False, False)}
    return [[upper[cell][half] for cell in line] for line in lines for half in (0, 1)]


def test_an_address_fits_on_the_screen_and_is_the_code_of_segno() -> None:
    lines = qr_lines(ADDRESS)
    assert len(lines) <= 23
    assert {len(line) for line in lines} == {41}
    wanted = [
        [bool(cell) for cell in row]
        for row in segno.make_qr(ADDRESS, error="l", boost_error=False).matrix_iter(border=2)
    ]
    assert dark(lines)[: len(wanted)] == wanted


def test_ipv6_fits_too() -> None:
    lines = qr_lines("rummy://[2001:db8:1234:5678:9abc:def0:1234:5678]:28660#" + "2b" * 32)
    assert len(lines) <= 23


def test_without_blocks_two_letters_are_a_module() -> None:
    lines = qr_lines("x", ascii_only=True)
    assert set("".join(lines)) == {" ", "#"}
    assert len(lines[0]) == 2 * len(lines)


def test_the_picture_has_a_line_above(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "get_terminal_size", lambda: terminal_size((80, 24)))
    assert picture(ADDRESS)[0] == "The same address as a QR code:"
    monkeypatch.setattr(module, "get_terminal_size", lambda: terminal_size((40, 24)))
    [told] = picture(ADDRESS)
    assert told.startswith("The QR code needs 41 columns and 21 lines")


def test_without_segno_a_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "segno", None)
    assert not has_qr()
    [told] = picture(ADDRESS)
    assert f"Install it with: {this_python()} -m pip install segno." in told


def test_the_python_that_runs_this_is_named_as_it_can_be_typed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "executable", str(tmp_path / ".venv" / "bin" / "python"))
    assert this_python() == str(Path(".venv") / "bin" / "python")
    monkeypatch.setattr(sys, "executable", "/opt/my games/bin/python")
    assert this_python() == "'/opt/my games/bin/python'"
