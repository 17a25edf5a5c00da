"""The score of a hand on a canvas: the cards left with their values, why the points, the table of rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rummy_p2p.cards import Card
from rummy_p2p.rules.scoring import card_value
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.screen import score_text, table_text
from rummy_p2p.sentences.titles import title_text
from rummy_p2p.ui.canvas import Canvas, cut, text_width, wrap
from rummy_p2p.ui.room import Key
from rummy_p2p.ui.score_results import Results, order_of, values_text
from rummy_p2p.ui.table_cards import best
from rummy_p2p.ui.table_fan import card_style
from rummy_p2p.ui.table_scene import name_of
from rummy_p2p.ui.table_side import draw_keys, timeline

_CARDS_AT: Final = 12
_BLOCK: Final = 4


@dataclass(frozen=True, slots=True)
class ScoreScene:
    """Everything that the score room shows."""

    results: Results
    totals: tuple[int, ...]
    outs: frozenset[int]
    keys: tuple[Key, ...]
    vote: int | None  # None: the player is not asked
    message: str
    clock: str
    chat: tuple[tuple[str, str], ...]
    scroll: int
    title: str


def draw_score(canvas: Canvas, scene: ScoreScene) -> int:
    """Draw everything; return how many lines of the seats are not to be seen."""
    side = 34 if canvas.width >= 110 else 22
    side = max(side, min(canvas.width // 2, 15 + 5 * min(6, len(scene.results.rounds))))
    width = canvas.width - side - 1
    _draw_header(canvas, scene)
    for y in range(1, canvas.height - 1):
        canvas.put(width, y, canvas.glyphs.down)
    bottom = canvas.height - 4
    board = canvas.part(0, 1, width, bottom - 1)
    hidden = _draw_seats(board, scene)
    y = draw_keys(canvas.part(0, bottom, width, 2), scene.keys, 0)
    if scene.vote is not None:
        _draw_vote(canvas.part(0, bottom + y, width, 1), scene)
    _draw_side(canvas.part(width + 1, 1, side, canvas.height - 2), scene)
    line = canvas.glyphs.across
    canvas.put(0, canvas.height - 1, line * canvas.width)
    canvas.put(0, canvas.height - 1, cut(f"{line} {scene.message} ", canvas.width, canvas.glyphs.more), "bold")
    return hidden


def _draw_header(canvas: Canvas, scene: ScoreScene) -> None:
    results, dot = scene.results, canvas.glyphs.dot
    over = score_text("match-over") if results.ended else score_text("head", n=results.number)
    game = title_text(results.rules)
    title = f" {dot} ".join(dict.fromkeys(part for part in (scene.title, game, over) if part))
    at = canvas.width - text_width(scene.clock)
    canvas.put(1, 0, cut(title, at - 3, canvas.glyphs.more), "title")
    canvas.put(at, 0, scene.clock, "alert" if results.dealt else "")


def _draw_seats(board: Canvas, scene: ScoreScene) -> int:
    """Draw the headline and a block for each seat, the player's own first."""
    results = scene.results
    y = 0
    for text in (results.outcome(), results.headline()):
        for part in wrap(text, board.width - 2) if text else ():
            board.put(1, y, part, "bold")
            y += 1
    seats = order_of(results.names, results.seat)
    room = board.height - y
    block = _BLOCK if len(seats) * _BLOCK <= room else 3
    hidden = max(0, len(seats) * block - room)
    sheet = board.part(0, y, board.width, room)
    for index, seat in enumerate(seats):
        _draw_seat(sheet, scene, seat, index * block - min(scene.scroll, hidden), tight=block < _BLOCK)
    return hidden


def _draw_seat(board: Canvas, scene: ScoreScene, seat: int, y: int, *, tight: bool) -> None:
    results = scene.results
    out = seat in scene.outs
    board.put(1, y + 1, board.glyphs.out if out else " ", "alert")
    name = cut(name_of(results.names, seat), _CARDS_AT - 4, board.glyphs.more)
    board.put(3, y + 1, name, "bold" if seat == results.seat else "")
    if out:
        board.put(3, y + 1, name, "alert")
    if seat == results.winner:
        board.put(3, y + 2, score_text("winner"), "green bold")
    elif seat == results.seat:
        board.put(3, y + 2, score_text("you"), "dim")
    sums = _sums(scene, seat)
    room = board.width - _CARDS_AT - text_width(sums) - 2
    _draw_left(board.part(_CARDS_AT, 0, room, board.height), results, seat, y)
    board.put(board.width - text_width(sums) - 1, y + 1, sums, "alert" if out else "bold")
    if not tight:
        board.put(_CARDS_AT, y + 3, cut(results.reasons(seat), board.width - _CARDS_AT - 1, board.glyphs.more), "dim")


def _sums(scene: ScoreScene, seat: int) -> str:
    """Return ``31 -> 57``, with a word for who is out by it."""
    scored, totals = scene.results.scored, scene.totals
    total = totals[seat] if seat < len(totals) else 0
    if scored is None or seat >= len(scored.points) or scene.results.sat_out(seat):
        return str(total)
    text = f"{total - scored.points[seat]} -> {total}"
    limit = scene.results.rules.match.limit
    if seat in scene.outs and limit is not None and total > limit:
        return f"{text}  {score_text('is-out')} > {limit}"
    return text


def _draw_left(canvas: Canvas, results: Results, seat: int, y: int) -> None:
    """Draw what a seat had left, the value over each card that counts."""
    cards = results.shown.get(seat, ())
    if not cards:
        if results.scored is not None:
            canvas.put(0, y + 2, score_text("out-before" if results.sat_out(seat) else "none-left"), "dim")
        return
    counted = _counted(cards, results.rules)
    step = next((step for step in (4, 3) if len(cards) * step + 1 <= canvas.width), 3)
    shown = sorted(cards, key=lambda card: (card not in counted, card.face))
    fitting = max(1, (canvas.width - 2) // step)
    glyphs = canvas.glyphs
    values = results.rules.scoring.in_hand
    for index, card in enumerate(shown[:fitting]):
        x, last = index * step, index == min(len(shown), fitting) - 1
        if card in counted:
            canvas.put(x + 1, y, str(card_value(card, values)), "yellow")
        canvas.put(x, y + 1, glyphs.top_left + glyphs.across * (step - 1) + (glyphs.top_right if last else ""))
        canvas.put(x, y + 2, glyphs.down)
        face = cut(glyphs.face(card, narrow=step < 4), step - 1)
        canvas.put(x + 1, y + 2, face, card_style(card) if card in counted else "dim")
        if last:
            more = glyphs.more if len(shown) > fitting else glyphs.down
            canvas.put(x + step, y + 2, more)


def _counted(cards: tuple[Card, ...], rules: Ruleset) -> tuple[Card, ...]:
    """Return the cards that count: all of them, or what is loose where melds stay in hand."""
    return best(cards, rules).left if rules.scoring.kind == "gin" else cards


def _draw_vote(canvas: Canvas, scene: ScoreScene) -> None:
    x = canvas.put(1, 0, score_text("vote"), "dim") + 1
    for number in range(1, 6):
        chosen = number == scene.vote
        text = f"[{number}]" if chosen else f" {number} "
        x = canvas.put(x, 0, text, "bold" if chosen else "", ("key", str(number)))
    if x + 1 + text_width(score_text("vote-local")) <= canvas.width:
        canvas.put(x + 1, 0, score_text("vote-local"), "dim")


def _draw_side(canvas: Canvas, scene: ScoreScene) -> None:
    """Draw the table of rounds, who wins by what, what cards count, and the chat."""
    results = scene.results
    _draw_rounds(canvas, scene)
    y = len(results.names) + 2
    which = "highest" if results.rules.match.winner == "highest" else "lowest"
    for text in (score_text(which), values_text(results.rules)):
        for part in wrap(text, canvas.width - 2):
            canvas.put(1, y, part, "dim")
            y += 1
    line = canvas.glyphs.across
    canvas.put(0, y + 1, f"{line * 2} {table_text('chat-head')} ".ljust(canvas.width, line))
    room = canvas.height - y - 2
    lines = [part for text in timeline(canvas, scene.chat) for part in wrap(text, canvas.width - 2)]
    for row, text in enumerate(lines[-room:] if room > 0 else (), y + 2):
        canvas.put(1, row, text, "chat")


def _draw_rounds(canvas: Canvas, scene: ScoreScene) -> None:
    results = scene.results
    wide = 7
    columns = max(1, (canvas.width - wide - 10) // 5)
    first = max(0, len(results.rounds) - columns)
    x = wide + 2
    for number in range(first + 1, len(results.rounds) + 1):
        x = canvas.put(x, 0, f"R{number}".rjust(5))
    canvas.put(x, 0, table_text("sum").rjust(6))
    for row, seat in enumerate(range(len(results.names)), 1):
        name = cut(name_of(results.names, seat), wide, canvas.glyphs.more)
        canvas.put(1, row, name, "bold" if seat == results.seat else "")
        x = wide + 2
        for points in results.rounds[first:]:
            x = canvas.put(x, row, str(points[seat] if seat < len(points) else "").rjust(5))
        x = canvas.put(x, row, str(scene.totals[seat] if seat < len(scene.totals) else 0).rjust(6), "bold")
        canvas.put(x, row, canvas.glyphs.out if seat in scene.outs else "", "alert")
