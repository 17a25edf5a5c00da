"""The whole table on a canvas: header, opponents, piles, melds, the fan, buttons and the message line."""

from __future__ import annotations

from typing import Final, NamedTuple

from rummy_p2p.cards import Card
from rummy_p2p.sentences.screen import cards_in_hand, clock_text, table_text
from rummy_p2p.ui.canvas import Canvas, Target, cut, text_width, wrap
from rummy_p2p.ui.room import Key
from rummy_p2p.ui.table_fan import FanPlan, card_style, draw_fan, plan_fan
from rummy_p2p.ui.table_melds import draw_melds
from rummy_p2p.ui.table_scene import Opponent, Scene
from rummy_p2p.ui.table_side import button, draw_keys, draw_side
from rummy_p2p.ui.table_waiting import MAKING_WIDTH, draw_making, draw_pause, making_height

_BLOCK_WIDTH: Final = 24
_ART, _TALL_ART = 7, 20
_WIDE: Final = 100
_LEAST_NAME: Final = 5
_NAMES: Final = 8, 16  # the narrowest and the widest column of names
_LABEL: Final = 7  # of a pile, between its brackets


class Drawn(NamedTuple):
    """What came of the drawing: where the real cursor stands, how many melds are shown, how many cards a row has."""

    cursor: tuple[int, int] | None
    melds: int
    per_row: int = 0


def draw_table(canvas: Canvas, scene: Scene) -> Drawn:
    """Draw everything."""
    side = 0 if not scene.side else 34 if canvas.width >= 110 else 22
    width = canvas.width - side - 1 if side else canvas.width
    large = width >= 78 and canvas.height >= 32
    _draw_header(canvas, scene)
    board = canvas.part(0, 1, width, canvas.height - 2)
    blocks = large and width // max(1, len(scene.opponents)) >= _BLOCK_WIDTH
    top = _draw_opponents(board, scene, blocks=blocks)
    least = 4 if len(scene.opponents) > 3 else 5
    fan = plan_fan(len(scene.hand), width - 2 * large, board.height - top - 3 - least, large=large)
    hand_top = board.height - 2 - fan.height
    drawn = _draw_middle(board, scene, top, hand_top, large=large)
    _draw_waiting(board.part(0, top + 1, board.width, hand_top - top - 1), scene)
    cursor = _draw_hand(board, scene, fan, hand_top)
    if side:
        for y in range(1, canvas.height - 1):
            canvas.put(width, y, canvas.glyphs.down)
        draw_side(canvas.part(width + 1, 1, side, canvas.height - 2), scene)
    draw_message(canvas, scene)
    cursor = cursor or drawn.cursor
    per_row = fan.per_row if fan.rows > 1 else 0
    return Drawn(None if cursor is None else (cursor[0], cursor[1] + 1), drawn.melds, per_row)


def _joined(canvas: Canvas, text: str) -> str:
    return f" {canvas.glyphs.dot} ".join(text.split("\0"))


def _fitting_title(canvas: Canvas, parts: list[str], width: int) -> str:
    """Return table, game and round; where it is tight the game is left out, and the round is what is always there."""
    for shown in (parts, [parts[0], parts[-1]] if len(parts) > 2 else parts):
        title = _joined(canvas, "\0".join(shown))
        if text_width(title) <= width:
            return title
    ending = f" {canvas.glyphs.dot} {parts[-1]}"
    return cut(parts[0], width - text_width(ending), canvas.glyphs.more).rstrip() + ending


def _draw_header(canvas: Canvas, scene: Scene) -> None:
    status = _joined(canvas, scene.status if canvas.width >= _WIDE else scene.short_status)
    at = canvas.width - text_width(status)
    canvas.put(1, 0, _fitting_title(canvas, scene.title.split("\0"), at - 3), "title")
    canvas.put(at, 0, status, "alert" if scene.alarm else "")


# --- opponents -------------------------------------------------------------------------------------------------------


def _draw_opponents(board: Canvas, scene: Scene, *, blocks: bool) -> int:
    """Draw the other players; return the line below them."""
    if blocks:
        width = board.width // max(1, len(scene.opponents))
        for index, opponent in enumerate(scene.opponents):
            _draw_block(board.part(index * width, 0, width, 4), opponent)
        return 4
    wide = max((text_width(opponent.name) for opponent in scene.opponents), default=0)
    for y, opponent in enumerate(scene.opponents):
        _draw_row(board, opponent, y, min(max(wide, _NAMES[0]), _NAMES[1]))
    return len(scene.opponents)


def _draw_mark(canvas: Canvas, opponent: Opponent, y: int) -> None:
    if opponent.state == "turn":
        canvas.put(1, y, canvas.glyphs.turn, "green bold")
    elif opponent.state == "out":
        canvas.put(1, y, canvas.glyphs.out, "alert")
    elif opponent.state == "missing":
        canvas.put(1, y, "?", "alert")


def _said(opponent: Opponent) -> str:
    """Return what is to be known of a player besides the cards."""
    if opponent.state == "out":
        return table_text("eliminated")
    if opponent.state == "missing":
        return table_text("is-missing") if opponent.gone is None else _gone(opponent.gone)
    return table_text("opened") if opponent.opened else table_text("not-opened")


def _gone(seconds: float) -> str:
    return table_text("gone-for", time=clock_text(seconds))


def _draw_row(board: Canvas, opponent: Opponent, y: int, wide: int) -> None:
    """Draw a player in one line; a long name takes its room from the backs of the cards, which are counted beside."""
    _draw_mark(board, opponent, y)
    style = "dim" if opponent.state == "out" else "bold" if opponent.state == "turn" else ""
    board.put(3, y, cut(opponent.name, wide, board.glyphs.more), style)
    x = 4 + wide
    if opponent.state == "out":
        board.put(x, y, _said(opponent), "dim")
    else:
        board.put(x, y, board.glyphs.back * min(opponent.cards, 26 - x), "back")
        board.put(27, y, cards_in_hand(opponent.cards).rjust(8))
        board.put(37, y, cut(_said(opponent), 10, board.glyphs.more), "alert" if opponent.state == "missing" else "")
    board.put(board.width - text_width(opponent.score) - 2, y, opponent.score)


def _draw_block(canvas: Canvas, opponent: Opponent) -> None:
    glyphs = canvas.glyphs
    _draw_mark(canvas, opponent, 0)
    x = canvas.put(3, 0, cut(opponent.name, canvas.width - 14, glyphs.more), "bold")
    canvas.put(x + 2, 0, opponent.score)
    if opponent.state == "out":
        canvas.put(3, 1, _said(opponent), "dim")
        return
    shown = min(opponent.cards, canvas.width - 8)
    step = 2 if shown * 2 + 4 <= canvas.width else 1
    for index in range(shown):
        x = 3 + index * step
        last = index == shown - 1
        top = glyphs.top_left + glyphs.across * (2 if last else step - 1) + (glyphs.top_right if last else "")
        canvas.put(x, 1, top)
        canvas.put(x, 2, glyphs.down)
        canvas.put(x + 1, 2, glyphs.back * (2 if last else step - 1), "back")
        if last:
            canvas.put(x + 3, 2, glyphs.down)
    canvas.put(3, 3, f"{cards_in_hand(opponent.cards)}, {_said(opponent)}")


# --- piles and melds -------------------------------------------------------------------------------------------------


def _draw_middle(board: Canvas, scene: Scene, top: int, bottom: int, *, large: bool) -> Drawn:
    """Draw piles and melds between the opponents and the hand."""
    room = bottom - top - 1
    tall = large and room >= _TALL_ART
    left = 20 if tall else 19 if room >= _ART else 17
    line = board.glyphs.across
    board.put(0, top, line * board.width)
    stock = table_text("stock-n", n=scene.stock) if tall else table_text("stock")
    board.put(2, top, f" {stock} ", "bold")
    if not tall:
        board.put(9, top, f" {table_text('pile')} ", "bold")
    board.put(left, top, f" {table_text('table')} ", "bold")
    piles = board.part(0, top + 1, left, room)
    cursor = _draw_tall_piles(piles, scene) if tall else _draw_piles(piles, scene)
    melds = board.part(left, top + 1, board.width - left, room)
    shown, at = draw_melds(melds, scene, large=large)
    if at is not None:
        cursor = (at[0] + left, at[1])
    return Drawn(None if cursor is None else (cursor[0], cursor[1] + top + 1), shown)


def _draw_piles(canvas: Canvas, scene: Scene) -> tuple[int, int] | None:
    """Draw stock and pile side by side; without room for pictures in lines of text."""
    focus = scene.at if scene.zone == "piles" else -1
    if canvas.height < _ART:
        return _draw_pile_lines(canvas, scene, focus)
    _draw_stock(canvas, (1, 0, 7, 5), scene, focus=focus == 0)
    _draw_top(canvas, (10, 0, 7, 5), scene, focus=focus == 1)
    canvas.put(4 - len(str(scene.stock)) // 2, 2, f" {scene.stock} ", "bold", ("stock",))
    _draw_label(canvas, 0, 5, scene.labels[0])
    _draw_label(canvas, 10, 5, scene.labels[1])
    _draw_under(canvas, 1, 6, scene)
    return {0: (2, 1), 1: (11, 1)}.get(focus)


def _draw_pile_lines(canvas: Canvas, scene: Scene, focus: int) -> tuple[int, int] | None:
    canvas.put(1, 0, table_text("stock-n", n=scene.stock), "focus" if focus == 0 else "", ("stock",))
    _draw_label(canvas, 1, 1, scene.labels[0])
    x = canvas.put(1, 2, table_text("pile"), "focus" if focus == 1 else "", ("pile",))
    if scene.pile:
        canvas.put(x + 1, 2, canvas.glyphs.face(scene.pile[-1]), card_style(scene.pile[-1]), ("pile",))
    _draw_label(canvas, 1, 3, scene.labels[1])
    return {0: (1, 0), 1: (1, 2)}.get(focus)


def _draw_tall_piles(canvas: Canvas, scene: Scene) -> tuple[int, int] | None:
    focus = scene.at if scene.zone == "piles" else -1
    line = canvas.glyphs.across
    _draw_stock(canvas, (3, 0, 9, 7), scene, focus=focus == 0)
    _draw_label(canvas, 3, 7, scene.labels[0])
    canvas.put(0, 8, line * (canvas.width - 1))
    canvas.put(2, 8, f" {table_text('pile')} ", "bold")
    _draw_top(canvas, (3, 9, 9, 7), scene, focus=focus == 1)
    _draw_label(canvas, 3, 16, scene.labels[1])
    _draw_under(canvas, 2, 17, scene)
    return {0: (4, 1), 1: (4, 10)}.get(focus)


def _draw_stock(canvas: Canvas, place: tuple[int, int, int, int], scene: Scene, *, focus: bool) -> None:
    x, y, width, height = place
    canvas.box(x, y, width, height, style="focus" if focus else "", target=("stock",))
    for row in range(y + 1, y + height - 1 if scene.stock else y):
        canvas.put(x + 1, row, canvas.glyphs.back * (width - 2), "back", ("stock",))


def _draw_top(canvas: Canvas, place: tuple[int, int, int, int], scene: Scene, *, focus: bool) -> None:
    x, y, width, height = place
    style = "alert" if scene.claim is not None else "focus" if focus else ""
    canvas.box(x, y, width, height, style=style, target=("pile",))
    if scene.pile:
        draw_face(canvas, scene.pile[-1], place, ("pile",), marked=scene.pile_wanted)


def draw_face(
    canvas: Canvas, card: Card, place: tuple[int, int, int, int], target: Target, *, marked: bool = False
) -> None:
    """Draw the face of a whole card into its box."""
    x, y, width, height = place
    style = f"{card_style(card)} selected" if marked else card_style(card)
    face = canvas.glyphs.face(card)
    canvas.put(x + 1, y + 1, face, style, target)
    canvas.put(x + width - 1 - text_width(face), y + height - 2, face, style, target)
    if height > 5 and not card.is_joker:
        canvas.put(x + width // 2, y + height // 2, canvas.glyphs.suits[card.suit], style, target)


def _draw_label(canvas: Canvas, x: int, y: int, key: Key | None) -> None:
    if key is not None:
        label = cut(f"{key.cap} {key.label}", _LABEL).rstrip()
        text = f"[{label}]" if key.enabled else f"({label})"
        canvas.put(x, y, text, "enabled" if key.enabled else "disabled", ("key", key.keys[0]))


def _draw_under(canvas: Canvas, x: int, y: int, scene: Scene) -> None:
    """Name the cards under the top one, as far as there is room."""
    under = " ".join(canvas.glyphs.face(card) for card in reversed(scene.pile[:-1]))
    if under:
        canvas.put(x, y, cut(table_text("under", cards=under), canvas.width - x - 1, canvas.glyphs.more), "dim")


def _draw_waiting(middle: Canvas, scene: Scene) -> None:
    """Draw over piles and melds why nothing can be done, where that is so."""
    if scene.pause:
        draw_pause(middle, scene.pause, scene.gone)
    elif scene.making is not None:
        x, y = (middle.width - MAKING_WIDTH) // 2, max(0, middle.height - making_height(scene.making))
        draw_making(middle, scene.making, x, y)


# --- the hand --------------------------------------------------------------------------------------------------------


def _draw_hand(board: Canvas, scene: Scene, fan: FanPlan, top: int) -> tuple[int, int] | None:
    line = board.glyphs.across
    board.put(0, top, line * board.width)
    board.put(2, top, f" {cut(_joined(board, scene.hand_title), board.width - 4, board.glyphs.more)} ", "bold")
    indent = 2 if fan.step > 4 else 0
    window = board.part(indent, top + 1, board.width - indent, fan.height)
    if scene.no_seat:
        _draw_no_seat(window, scene)
    cursor = draw_fan(window, scene.hand, scene.hand_melds, fan) if scene.hand else None
    y = board.height - 1
    mark = board.glyphs.alert if scene.my_turn else board.glyphs.out if scene.out else " "
    board.put(1, y, mark, "alert")
    x = board.put(3, y, f"{cut(scene.name, 10, board.glyphs.more)} {scene.score}", "mine")
    draw_buttons(board, scene.buttons, x + 2, y)
    return None if cursor is None else (cursor[0] + indent, cursor[1] + top + 1)


def _draw_no_seat(window: Canvas, scene: Scene) -> None:
    lines = [line for text in scene.no_seat for line in wrap(text, window.width - 4)]
    for y, line in enumerate(lines[: window.height]):
        window.put(2, y, line)


def draw_buttons(canvas: Canvas, keys: tuple[Key, ...], x: int, y: int) -> None:
    """Draw the buttons in one line; those that do nothing now are left out first where it is tight."""
    shown = list(keys)
    while shown and x + sum(text_width(button(key)) + 1 for key in shown) > canvas.width + 1:
        idle = [key for key in shown if not key.enabled]
        shown.remove((idle or shown)[-1])
    draw_keys(canvas, shown, y, x)


def _turn_of(canvas: Canvas, name: str, room: int) -> str:
    """Return whose turn it is; of a long name so much that what can be done stays to be read. The mark alone, which
    stands before the name above as well, when there is no room for any of it.
    """
    room -= text_width(table_text("turn-of", name=""))
    if room < min(_LEAST_NAME, text_width(name)):
        return canvas.glyphs.turn
    return f"{canvas.glyphs.turn} {table_text('turn-of', name=cut(name, room, canvas.glyphs.more).rstrip())}"


def draw_message(canvas: Canvas, scene: Scene) -> None:
    """Draw the message line: my turn is loud."""
    line, y = canvas.glyphs.across, canvas.height - 1
    canvas.put(0, y, line * canvas.width)
    x = canvas.put(0, y, f"{line} ")
    if scene.pause:
        x = canvas.put(x, y, f"{canvas.glyphs.alert} {table_text('paused')}", "alert reverse")
        x = canvas.put(x, y, f" {line} ")
    elif scene.my_turn:
        x = canvas.put(x, y, f"{canvas.glyphs.alert} {table_text('your-turn')}", "alert reverse")
        x = canvas.put(x, y, f" {line} " if scene.message else " ")
    elif scene.claim is None:
        turn = next((one for one in scene.opponents if one.state == "turn"), None)
        if turn is not None:
            room = canvas.width - x - text_width(scene.message) - 6
            x = canvas.put(x, y, _turn_of(canvas, turn.name, room), "green bold")
            x = canvas.put(x, y, f" {line} " if scene.message else " ")
    if scene.claim is not None:
        x = canvas.put(x, y, f"{canvas.glyphs.alert} {scene.claim.text}", "alert reverse")
        x = canvas.put(x, y, f" {line} ")
    if scene.message:
        canvas.put(x, y, cut(f"{scene.message} ", canvas.width - x, canvas.glyphs.more), "bold")
