"""How others come to the own table: what is drawn, and what is left out where there is no room for it."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from rummy_p2p.cli.qr import qr_lines
from rummy_p2p.sentences.language import use_language
from rummy_p2p.ui.glyphs import ASCII
from rummy_p2p.ui.style import Look
from rummy_p2p.ui.ways_room import Ways, WaysRoom
from tests.ui.lobby import SIZES, check_golden, click, drawn, make_screen

pytest.importorskip("segno", reason="the QR code needs it")
ADDRESS = "rummy://192.168.1.23:28660#" + "2b" * 32
WAYS = Ways(
    title="Friday LAN",
    code="7KQM-29XR-4TDF",
    address=ADDRESS,
    by_name="rummy-p2p join 'Friday LAN'",
    qr=qr_lines(ADDRESS),
    password="kestrel amber lantern",  # noqa: S106 -- nobody's
    ssh=("ssh -p 2222 NAME@192.168.1.23", "SHA256:9fQ2kT0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX"),
)
ALL = {
    "ways": WAYS,
    "ways-no-segno": msgspec.structs.replace(WAYS, qr=(), password="", ssh=("", "")),
    "ways-no-code": msgspec.structs.replace(WAYS, code="", address="rummy://[fd00::17]:28660"),
    "ways-long": msgspec.structs.replace(WAYS, code="7KQM-29XR-4TDF-W8ZH", address="rummy://192.168.1.23:40123"),
}


def room(ways: Ways | None, *, ascii_only: bool = False) -> WaysRoom:
    screen = make_screen(replace(Look(), glyphs=ASCII) if ascii_only else Look())
    shown = WaysRoom(screen, lambda: ways)
    screen.enter(shown)
    return shown


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1] + 2}")
@pytest.mark.parametrize("name", ALL)
def test_it_looks_as_it_did(name: str, size: tuple[int, int]) -> None:
    check_golden(f"{name}-{size[0]}x{size[1] + 2}", drawn(room(ALL[name]), size))


def test_it_looks_so_in_plain_characters_and_in_swedish() -> None:
    plain = msgspec.structs.replace(WAYS, qr=qr_lines(ADDRESS, ascii_only=True))
    for size in SIZES:
        canvas = drawn(room(plain, ascii_only=True), size, ascii_only=True)
        assert all(row.isascii() for row in canvas.rows())
        check_golden(f"ways-{size[0]}x{size[1] + 2}-ascii", canvas)
    use_language("sv")
    try:
        check_golden("ways-80x24-sv", drawn(room(WAYS)))
    finally:
        use_language("en")


def test_all_of_it_fits_on_the_smallest_screen() -> None:
    shown = "\n".join(drawn(room(WAYS)).rows())
    address, key = "rummy://192.168.1.23:28660", "oP8qR9sT0uV1wX"
    for line in (f"join {WAYS.code}", address, f"Password: {WAYS.password}", WAYS.ssh[0], key, *WAYS.qr):
        assert line in shown


def test_it_leads_back_and_says_when_the_table_has_gone() -> None:
    shown = room(WAYS)
    screen = shown._screen
    pressed: list[str] = []
    screen.press = pressed.append  # type: ignore[method-assign,assignment]  # a screen that is not shown has no size
    click(screen, shown, "[Esc Back]")
    assert pressed == ["escape"]
    shown.typed("back")
    assert screen.room is None
    assert shown.complete("b") == ()
    assert drawn(room(None)).rows()[-1].startswith("─ The table is closed. Esc = back")
