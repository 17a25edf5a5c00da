"""The score of a hand on a canvas: the cards left with their values, why the points, the table of rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

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

_CARDS_AT: Final = 15
_CARD_LINES: Final = 3
_ROUND: Final = 5  # columns of a round in the table
_NAME: Final = 7  # columns of a name there
_BESIDE_ROUNDS: Final = _NAME + 10


class _Block(NamedTuple):
    """What is shown of a seat: why its points, and so many lines in all."""

    seat: int
    reasons: tuple[str, ...]
    height: int


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
    talks: bool  # whether anybody can be talked to
    scroll: int
    title: str


def draw_score(canvas: Canvas, scene: ScoreScene) -> int:
    """Draw everything; return how many lines of the seats are not to be seen."""
    side = 34 if canvas.width >= 110 else 22
    side = max(side, min(canvas.width // 2, _BESIDE_ROUNDS + _ROUND * min(6, len(scene.results.rounds))))
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
    over = score_text("match-over") if results.is_over else score_text("head", n=results.number)
    game = title_text(results.rules)
    title = f" {dot} ".join(dict.fromkeys(part for part in (scene.title, game, over) if part))
    at = canvas.width - text_width(scene.clock)
    canvas.put(1, 0, cut(title, at - 3, canvas.glyphs.more), "title")
    canvas.put(at, 0, scene.clock, "alert" if results.dealt else "")


def _draw_seats(board: Canvas, scene: ScoreScene) -> int:
    """Draw the headline and a block for each seat, the player's own first."""
    results = scene.results
    y = 0
    for text in (*results.outcome(), results.headline()):
        for part in wrap(text, board.width - 2) if text else ():
            board.put(1, y, part, "bold")
            y += 1
    room = board.height - y
    blocks = _blocks(scene, board.width, room)
    height = sum(block.height for block in blocks)
    hidden = max(0, height - room)
    sheet = board.part(0, y, board.width, room)
    top = -min(scene.scroll, hidden)
    for block in blocks:
        _draw_seat(sheet, scene, block, top)
        top += block.height
    return hidden


def _blocks(scene: ScoreScene, width: int, room: int) -> list[_Block]:
    """Return the blocks of the seats: with all reasons and a blank line where there is room, else with less."""
    results = scene.results
    seats = order_of(results.names, results.seat)
    reasons = [results.reasons(seat) for seat in seats]
    whole = [wrap(text, width - _CARDS_AT - 1) if text else [] for text in reasons]
    for lines, blank in ((whole, 1), (whole, 0), ([part[:1] for part in whole], 0)):
        blocks = [
            _Block(seat, tuple(part), _CARD_LINES + len(part) + blank) for seat, part in zip(seats, lines, strict=True)
        ]
        if sum(block.height for block in blocks) - blank <= room and (lines is whole or lines == whole):
            return blocks
    return [_Block(seat, (), _CARD_LINES) for seat in seats]


def _draw_seat(board: Canvas, scene: ScoreScene, block: _Block, y: int) -> None:
    """Draw who it is, the totals and how the hand went for this player; beside it the cards, and what for."""
    results, seat = scene.results, block.seat
    out = seat in scene.outs
    board.put(1, y, board.glyphs.out if out else " ", "alert")
    name = cut(name_of(results.names, seat), _CARDS_AT - 4, board.glyphs.more)
    board.put(3, y, name, "alert" if out else "bold" if seat == results.seat else "")
    board.put(3, y + 1, _sums(scene, seat), "alert" if out else "bold")
    status, style = _status(scene, seat)
    board.put(3, y + 2, status, style)
    _draw_left(board.part(_CARDS_AT, 0, board.width - _CARDS_AT - 1, board.height), results, seat, y)
    for row, text in enumerate(block.reasons, y + _CARD_LINES):
        board.put(_CARDS_AT, row, text, "dim")


def _sums(scene: ScoreScene, seat: int) -> str:
    """Return ``31 -> 57``."""
    scored, totals = scene.results.scored, scene.totals
    total = totals[seat] if seat < len(totals) else 0
    if scored is None or seat >= len(scored.points) or scene.results.sat_out(seat):
        return str(total)
    return f"{total - scored.points[seat]} -> {total}"


def _status(scene: ScoreScene, seat: int) -> tuple[str, str]:
    """Return how the hand went for a seat in a word or two, and its style."""
    results, limit = scene.results, scene.results.rules.match.limit
    if results.sat_out(seat):
        return score_text("out-before"), "dim"
    if seat in scene.outs:
        return f"{score_text('is-out')} > {limit}" if limit is not None else score_text("is-out"), "alert"
    if seat == results.winner:
        return results.hand_winner(), "green bold"
    said = score_text("you")
    named = seat != results.seat or name_of(results.names, seat).casefold() == said.casefold()
    return ("", "") if named else (said, "dim")


def _draw_left(canvas: Canvas, results: Results, seat: int, y: int) -> None:
    """Draw what a seat had left, the value over each card that counts."""
    cards = results.shown.get(seat, ())
    if not cards:
        if results.scored is not None and not results.sat_out(seat):
            canvas.put(0, y + 1, score_text("none-left"), "dim")
        return
    counted = _counted(cards, results.rules)
    shown = sorted(cards, key=lambda card: (card not in counted, card.face))
    step = 4 if len(cards) * 4 + 1 <= canvas.width else 3
    fitting = len(cards) if len(cards) * step + 1 <= canvas.width else max(1, (canvas.width - 5) // step)
    for index, card in enumerate(shown[:fitting]):
        _draw_card(canvas, card, (index * step, y, step), results.rules, counts=card in counted)
    end, glyphs = fitting * step, canvas.glyphs
    canvas.put(end, y + 1, glyphs.top_right)
    canvas.put(end, y + 2, glyphs.down)
    if len(shown) > fitting:
        canvas.put(end + 2, y + 2, f"+{len(shown) - fitting}", "dim")


def _draw_card(canvas: Canvas, card: Card, place: tuple[int, int, int], rules: Ruleset, *, counts: bool) -> None:
    """Draw a card without its right edge, which is the left one of the next."""
    (x, y, step), glyphs = place, canvas.glyphs
    if counts:
        canvas.put(x + 1, y, str(card_value(card, rules.scoring.in_hand)), "yellow")
    canvas.put(x, y + 1, glyphs.top_left + glyphs.across * (step - 1))
    face = cut(glyphs.face(card, narrow=step < 4), step - 1)
    canvas.put(x, y + 2, glyphs.down)
    canvas.put(x + 1, y + 2, face, card_style(card) if counts else "dim")


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
    canvas.put(
        0, y + 1, f"{line * 2} {table_text('chat-head' if scene.talks else 'log-head')} ".ljust(canvas.width, line)
    )
    room = canvas.height - y - 2
    lines = [part for text in timeline(canvas, scene.chat) for part in wrap(text, canvas.width - 2)]
    for row, text in enumerate(lines[-room:] if room > 0 else (), y + 2):
        canvas.put(1, row, text, "chat")


def _draw_rounds(canvas: Canvas, scene: ScoreScene) -> None:
    results = scene.results
    longest = max((text_width(name_of(results.names, seat)) for seat in range(len(results.names))), default=_NAME)
    room = canvas.width - (_BESIDE_ROUNDS - _NAME) - _ROUND * len(results.rounds)
    wide = max(_NAME, min(longest, room))  # few rounds leave room for long names
    columns = max(1, (canvas.width - _BESIDE_ROUNDS + _NAME - wide) // _ROUND)
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
