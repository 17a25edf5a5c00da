"""The lobby as a picture: panes are functions of what is seen, and nothing is remembered here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from rummy_p2p.sentences.screen_lobby import count_text, free_text, lobby_say
from rummy_p2p.sentences.screen_network import network_say
from rummy_p2p.ui.canvas import Canvas, cut, text_width, wrap
from rummy_p2p.ui.form_list import draw_button
from rummy_p2p.ui.lobby_model import Looking, Person, SeatRow, Sitting, TableRow, Unfinished, Walking
from rummy_p2p.ui.room import Key
from rummy_p2p.ui.table_waiting import bar

WIDE: Final = 100
_TITLE: Final = 13
_SEATS, _LIMIT, _SIT = 6, 6, 9
_BAR: Final = 12
_ALONE_SECONDS: Final = 10  # until the network is suspected: before that others have hardly begun to answer
_PANE: Final = ("pane",)


class Sight(msgspec.Struct, frozen=True):
    """Everything that the lobby shows at one moment. ``keys`` by their first name; ``chosen``: a place in the list of
    unfinished matches and tables; ``naming``: what is said of the player's name where none is kept.
    """

    version: str
    nick: str
    place: str
    tables: tuple[TableRow, ...]
    people: tuple[Person, ...]
    looking: Looking
    keys: dict[str, Key]
    message: str
    about: tuple[tuple[str, str], ...]
    plan: tuple[tuple[str, str], ...]
    unfinished: tuple[Unfinished, ...] = ()
    sitting: Sitting | None = None
    chosen: int = 0
    found: str = ""
    busy: str = ""
    all_tables: int = 0
    walking: Walking | None = None
    naming: str = ""


def draw_lobby(canvas: Canvas, sight: Sight) -> None:
    """Draw everything."""
    width, height = canvas.width, canvas.height
    right = 34 if width >= WIDE else 24
    left = width - right
    body = height - 3
    upper = _upper_rows(sight, body)
    _draw_head(canvas, sight)
    alone = sight.sitting is None and not sight.tables and not sight.unfinished
    draw_tables(canvas.part(0, 1, width if alone else left, upper), sight)
    below = canvas.part(0, 1 + upper, left, body - upper)
    if sight.sitting is None:
        if not alone:
            draw_about(canvas.part(left, 1, right, upper), sight)
        draw_plan(below, sight)
        draw_people(canvas.part(left, 1 + upper, right, body - upper), sight)
    else:
        draw_seats(canvas.part(left, 1, right, upper), sight.sitting)
        draw_sitting(below, sight, sight.sitting)
        draw_chat(canvas.part(left, 1 + upper, right, body - upper), sight.sitting)
    _draw_hints(canvas, sight)
    draw_message(canvas, sight.message)


def _upper_rows(sight: Sight, body: int) -> int:
    """Return the height of the list: half of the board, or no more than the seats want where there is nothing in it."""
    if sight.sitting is None:
        return max(9, (body + 1) // 2)
    half = max(9, (body + 1) // 2 - 1)
    return half if sight.tables or sight.found else min(half, max(5, sight.sitting.total + 2))


def draw_message(canvas: Canvas, text: str) -> None:
    """Draw the message line: the last row."""
    glyphs = canvas.glyphs
    end = canvas.put(0, canvas.height - 1, cut(f"{glyphs.across} {text} ", canvas.width, glyphs.more), "bold")
    canvas.put(end, canvas.height - 1, glyphs.across * (canvas.width - end))


def _draw_head(canvas: Canvas, sight: Sight) -> None:
    name = lobby_say("name", version=sight.version)
    end = canvas.put(1, 0, name, "title")
    dot = f" {canvas.glyphs.dot} "
    counts = count_text(sight.all_tables, len(sight.people)).replace(", ", dot)
    here = lobby_say("here", nick=sight.nick, place=sight.place)
    text = cut(f"{here}{dot}{counts}", canvas.width - end - 3, canvas.glyphs.more)
    canvas.put(canvas.width - 1 - text_width(text), 0, text)


def _draw_hints(canvas: Canvas, sight: Sight) -> None:
    y = canvas.height - 2
    if sight.busy:
        canvas.put(1, y, sight.busy, "yellow")
        return
    if sight.walking is not None:
        draw_walk(canvas, y, sight.walking, sight.keys.get("s"))
        return
    x = 1 if sight.sitting is not None else canvas.put(1, y, lobby_say("not-listed"), "dim") + 1
    for name in ("C", "s", "d", "F") if sight.sitting is None else ():
        key = sight.keys.get(name)
        if key is not None:
            x = canvas.put(x, y, f"{key.cap} = {key.label}", "dim", ("key", name)) + 3
    if sight.looking.trouble and sight.tables:
        canvas.put(x, y, cut(sight.looking.trouble, canvas.width - x, canvas.glyphs.more), "red")


def draw_walk(canvas: Canvas, y: int, walking: Walking, stop: Key | None) -> None:
    """Draw how far the walk along the network is, and how it is ended."""
    end = "" if stop is None else f"{stop.cap} = {stop.label}"
    room = canvas.width - 3 - text_width(end) - _BAR
    x = canvas.put(1, y, cut(walking.said, room, canvas.glyphs.more), "yellow") + 1
    canvas.put(x, y, bar(walking.done, walking.total, min(_BAR, canvas.width - x), canvas.glyphs), "hint")
    canvas.put(canvas.width - 1 - text_width(end), y, end, "dim", ("key", "s"))


# --- tables ----------------------------------------------------------------------------------------------------------


def draw_tables(canvas: Canvas, sight: Sight) -> None:
    """Draw the list: matches to be gone on with first, then the tables, or why there are none."""
    title = lobby_say("tables-found", text=sight.found) if sight.found else lobby_say("tables")
    canvas.box(0, 0, canvas.width, canvas.height, title, target=_PANE)
    inner = canvas.part(1, 1, canvas.width - 2, canvas.height - 2)
    if not sight.tables and not sight.unfinished:
        _draw_none(inner, sight)
        return
    _draw_columns(inner, 0, ("table", "rules", "seats", "limit", "sit"))
    rows: list[Unfinished | TableRow] = [*sight.unfinished, *sight.tables]
    room = inner.height - 1
    first = min(max(0, sight.chosen - room + 1), max(0, len(rows) - room))
    for y, row in enumerate(rows[first : first + room], 1):
        chosen = first + y - 1 == sight.chosen
        target = ("row", first + y - 1)
        inner.fill(0, y, inner.width, 1, target=target)
        if chosen:
            inner.put(1, y, inner.glyphs.right, "title", target)
        if isinstance(row, Unfinished):
            text = lobby_say("go-on", title=row.title, players=", ".join(row.players))
            inner.put(3, y, cut(text, inner.width - 4, inner.glyphs.more), "alert", target)
        else:
            _draw_table(inner, y, row, "focus" if chosen else "")
    if first + room < len(rows):
        inner.put(inner.width - 1, inner.height - 1, "v", "dim")


def _columns(width: int) -> tuple[int, ...]:
    """Return where title, rules, seats, limit and sit begin."""
    title = _TITLE if width < WIDE - 34 else _TITLE + 9
    seats = width - _SEATS - _LIMIT - _SIT
    return 3, 3 + title, seats, seats + _SEATS, seats + _SEATS + _LIMIT


def _draw_columns(canvas: Canvas, y: int, names: Sequence[str]) -> None:
    for x, name in zip(_columns(canvas.width), names, strict=True):
        canvas.put(x, y, lobby_say(f"column-{name}"), "dim")


def _draw_table(canvas: Canvas, y: int, row: TableRow, style: str) -> None:
    xs = _columns(canvas.width)
    more, target = canvas.glyphs.more, canvas.target_at(0, y)
    canvas.put(xs[0], y, cut(row.title, xs[1] - xs[0] - 1, more), style or "bold", target)
    mark = {"missing": " (+)", "different": " (!)"}.get(row.fit, "")
    room = xs[2] - xs[1] - 1 - text_width(mark)
    name, *house = row.rules.split(" + ")
    short = f"{cut(name, room - 3, more)} +{len(house)}" if house else name
    rules = row.rules if text_width(row.rules) <= room else short
    end = canvas.put(xs[1], y, cut(rules, room, more), "", target)
    canvas.put(end, y, mark, "yellow", target)
    canvas.put(xs[2], y, f"{row.taken}/{row.total}", "", target)
    canvas.put(xs[3], y, cut(row.limit, _LIMIT - 1, more), "", target)
    canvas.put(xs[4], y, sit_text(row), "alert" if row.caution else "green" if row.has_room else "dim", target)


def sit_text(row: TableRow) -> str:
    """Return whether one may sit down, in a word."""
    if row.caution:
        return network_say(f"is-{row.caution}")
    if row.state == "open":
        return lobby_say("open" if row.has_room else "full")
    return lobby_say("code" if row.state == "password" else "playing")


def _draw_none(canvas: Canvas, sight: Sight) -> None:
    """Tell what is being tried, and why it may fail."""
    y = 0
    for style, text in _none_lines_of(sight):
        lines = wrap(text, canvas.width - 2)
        if y + len(lines) > canvas.height:
            continue  # what has no room is left out whole
        for line in lines:
            canvas.put(1, y, line, style)
            y += 1


def _none_lines_of(sight: Sight) -> list[tuple[str, str]]:
    """At a table of one's own nobody needs to know why there is no other."""
    if sight.sitting is None or sight.found:
        return none_lines(sight.looking, sight.found, alone=len(sight.people) < 2)
    trouble = [("red", sight.looking.trouble)] if sight.looking.trouble else []
    return [*trouble, ("dim", lobby_say("no-other-table"))]


def none_lines(looking: Looking, found: str = "", *, alone: bool = True) -> list[tuple[str, str]]:
    """Return the lines of an empty list with their styles; what may be in the way is told to who has been ``alone`` for
    a while.
    """
    if found:
        return [("", lobby_say("none-found", text=found))]
    lines = []
    if looking.trouble:
        lines.append(("red", looking.trouble))
    elif looking.used:
        lines.append(("", lobby_say("nobody-yet")))
    if looking.used:
        text = lobby_say("looking", interfaces=", ".join(looking.used), seconds=looking.seconds)
        lines.append(("bold", text))
    elif not looking.trouble:
        lines.append(("red", lobby_say("looking-nowhere")))
    lines += [("yellow", each) for each in looking.told]
    not_used = [("dim", lobby_say("not-used", interface=each)) for each in looking.rejected]
    waits = bool(looking.used) and (looking.seconds < _ALONE_SECONDS or not alone)
    if waits and not looking.trouble:
        return [*lines, *not_used]
    if not looking.trouble:
        lines += [("", lobby_say(each)) for each in ("why-none", "why-firewall", "why-isolated", "why-vpn")]
    lines.append(("", lobby_say("then-address")))
    return [*lines, *not_used, ("dim", lobby_say("by-what"))]


def draw_about(canvas: Canvas, sight: Sight) -> None:
    """Draw what is told of the table that is chosen: its title, then lines with their styles."""
    (_style, title), *lines = sight.about
    canvas.box(0, 0, canvas.width, canvas.height, title, target=_PANE)
    inner = canvas.part(2, 1, canvas.width - 4, canvas.height - 2)
    for y, (style, line) in enumerate(_fitting(lines, inner.width, inner.height - 1)):
        inner.put(0, y, line, style)
    key = sight.keys.get("enter")
    if (sight.tables or sight.unfinished) and key is not None:
        draw_button(inner, 0, inner.height - 1, key.cap, key.label, enabled=key.enabled, key="enter")


def _fitting(told: Sequence[tuple[str, str]], width: int, room: int) -> list[tuple[str, str]]:
    """Return as many lines as have room: what is dim is left out first, the last of it before the rest."""
    parts = [(style, wrap(text, width)) for style, text in told]
    while sum(len(lines) for _style, lines in parts) > room:
        dim = [place for place, (style, _lines) in enumerate(parts) if style == "dim"]
        if not dim:
            break
        del parts[dim[-1]]
    return [(style, line) for style, lines in parts for line in lines][:room]


def draw_people(canvas: Canvas, sight: Sight) -> None:
    """Draw who is here."""
    canvas.box(0, 0, canvas.width, canvas.height, f"{lobby_say('people')} (P)", target=("key", "P"))
    inner = canvas.part(2, 1, canvas.width - 4, canvas.height - 2)
    for y, person in enumerate(sight.people[: inner.height]):
        end = inner.put(0, y, person.nick, "bold" if person.me else "")
        note = lobby_say("me") if person.me else lobby_say("has-open", title=person.table) if person.table else ""
        if person.caution:
            note = network_say(f"is-{person.caution}")
        if note:
            style = "alert" if person.caution else "dim"
            inner.put(end, y, cut(f", {note}", inner.width - end, inner.glyphs.more), style)
    if len(sight.people) < 2 and inner.height > 1:
        inner.put(0, 1, lobby_say("nobody-else"), "dim")
    lines = wrap(sight.naming, inner.width) if sight.naming else []
    below = max(2, len(sight.people))
    if below + len(lines) <= inner.height:
        for y, line in enumerate(lines, inner.height - len(lines)):
            inner.put(0, y, line, "yellow", ("key", "S"))


# --- a new table -----------------------------------------------------------------------------------------------------


def draw_plan(canvas: Canvas, sight: Sight) -> None:
    """Draw the form of a new table in short, with what can be done with it."""
    canvas.box(0, 0, canvas.width, canvas.height, lobby_say("new-table"), target=("key", "n"))
    inner = canvas.part(2, 1, canvas.width - 4, canvas.height - 2)
    label = 2 + max(text_width(name) for name, _text in sight.plan)
    y = 0
    for name, text in sight.plan:
        inner.put(0, y, name, "dim", ("key", "n"))
        for line in wrap(text, inner.width - label)[: max(1, inner.height - y - 2)]:
            inner.put(label, y, line, "", ("key", "n"))
            y += 1
    draw_buttons(inner, inner.height - 2, sight.keys, ("n", "c", "p", "o", "r", "F"))


def draw_buttons(canvas: Canvas, y: int, keys: dict[str, Key], names: Sequence[str]) -> None:
    """Draw the keys of that name as buttons, on further lines where one is full."""
    x = 0
    for name in names:
        key = keys.get(name)
        if key is None:
            continue
        if x > 0 and x + text_width(f"[{key.cap} {key.label}]") > canvas.width:
            x, y = 0, y + 1
        x = draw_button(canvas, x, y, key.cap, key.label, enabled=key.enabled, key=name)


# --- at a table ------------------------------------------------------------------------------------------------------


def draw_seats(canvas: Canvas, sitting: Sitting) -> None:
    """Draw who sits at the player's table and is ready."""
    canvas.box(0, 0, canvas.width, canvas.height, sitting.title, target=_PANE)
    inner = canvas.part(2, 1, canvas.width - 4, canvas.height - 2)
    for number in range(min(sitting.total, inner.height)):
        if number >= len(sitting.seats):
            inner.put(0, number, f"{number + 1} {lobby_say('free')}", "dim")
            continue
        seat = sitting.seats[number]
        done = seat.ready or seat.opened or seat.bot or seat.guest
        word = _seat_word(seat)
        mark = inner.glyphs.check if done else inner.glyphs.more
        note = f"{word} {mark}"
        name = cut(seat.name, inner.width - 3 - text_width(note), inner.glyphs.more)
        inner.put(0, number, f"{number + 1} {name}", "bold" if seat.me else "")
        inner.put(inner.width - text_width(note), number, note, "green" if done else "yellow")


def _seat_word(seat: SeatRow) -> str:
    if seat.guest:
        return lobby_say("by-ssh")
    return lobby_say("bot" if seat.bot else "opened" if seat.opened else "ready" if seat.ready else "not-ready")


def draw_sitting(canvas: Canvas, sight: Sight, sitting: Sitting) -> None:
    """Draw what the table plays, what it waits for, how friends come, and what can be done."""
    which = "your-table" if sitting.mine else "at-table"
    canvas.box(0, 0, canvas.width, canvas.height, lobby_say(which, title=sitting.title), target=_PANE)
    inner = canvas.part(2, 1, canvas.width - 4, canvas.height - 2)
    lines = [("bold", sitting.rules), ("", sitting.why or lobby_say("can-start"))]
    if sitting.mine and not sitting.why and len(sitting.seats) < sitting.total:
        lines.append(("yellow", free_text(sitting.total - len(sitting.seats), len(sitting.seats))))
    if sitting.by_ssh:
        lines += [("dim", network_say("ways-ssh-brief")), ("", sitting.by_ssh)]
    if sitting.addresses:
        lines += [("dim", lobby_say("friends-join")), *(("", address) for address in sitting.addresses)]
    names = ("enter", "q", "v", "r", "Q", "G") if sitting.mine else ("enter", "q", "v", "r")
    rows = 2 if sitting.mine and inner.width < WIDE - 40 else 1
    y = 0
    for style, text in lines:
        for line in wrap(text, inner.width):
            if y < inner.height - rows:
                inner.put(0, y, line, style)
            y += 1
    draw_buttons(inner, inner.height - rows, sight.keys, names)


def draw_chat(canvas: Canvas, sitting: Sitting) -> None:
    """Draw what has been said, the latest at the bottom."""
    canvas.box(0, 0, canvas.width, canvas.height, lobby_say("chat"), target=("key", "/"))
    inner = canvas.part(2, 1, canvas.width - 4, canvas.height - 2)
    said = sitting.said or (lobby_say("no-chat-yet"),)
    lines = [line for text in said for line in _hanging(text, inner.width)]
    for y, line in enumerate(lines[-inner.height :] if inner.height > 0 else []):
        inner.put(0, y, line, "chat", ("key", "/"))


def _hanging(text: str, width: int) -> list[str]:
    first, *rest = wrap(text, width)
    return [first, *(f"  {line}" for line in wrap(" ".join(rest), width - 2))] if rest else [first]
