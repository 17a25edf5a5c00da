"""The form of a new table on the whole screen: the lines on the left, what they mean and what is played beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rummy_p2p.ruleset import RulesetError, differences
from rummy_p2p.sentences.faults import retold
from rummy_p2p.sentences.screen_lobby import form_text, lobby_say
from rummy_p2p.sentences.titles import title_text
from rummy_p2p.ui.canvas import Canvas, wrap
from rummy_p2p.ui.form import Form, Plan
from rummy_p2p.ui.form_list import FieldList
from rummy_p2p.ui.lobby_draw import draw_buttons, draw_message
from rummy_p2p.ui.lobby_model import Lan
from rummy_p2p.ui.room import Key, Mouse
from rummy_p2p.ui.screen import Screen
from rummy_p2p.variants.sheet import difference_paragraphs

_LIST: Final = 50
Act = Callable[[], None]


class FormRoom:
    """A room over the lobby."""

    def __init__(self, screen: Screen, lan: Lan, form: Form, create: Callable[[Plan], None] | None = None) -> None:
        """Show the form as it stands. ``create``: what is done with it in place of a new table; nothing else then."""
        self._screen = screen
        self._lan = lan
        self._form = form
        self._list = FieldList(form.fields)
        self._instead = create

    # --- drawing -----------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """Draw the form."""
        left = _LIST if canvas.width < 100 else _LIST + 14
        height = canvas.height - 1
        canvas.box(0, 0, left, height, form_text("title"))
        self._list.draw(canvas.part(1, 1, left - 2, height - 3))
        keys = {key.keys[0]: key for key in self.keys()}
        draw_buttons(canvas.part(2, height - 2, left - 3, 1), 0, keys, ("c", "p", "o", "escape"))
        canvas.box(left, 0, canvas.width - left, height, self._list.current.label)
        self._draw_about(canvas.part(left + 2, 1, canvas.width - left - 4, height - 2))
        problem = self._form.problem()
        draw_message(canvas, form_text("problem", why=problem) if problem else form_text("keys"))

    def _draw_about(self, canvas: Canvas) -> None:
        field = self._list.current
        y = 0
        for style, text in [("", field.explain), ("yellow", field.why), *self._played()]:
            for line in wrap(text, canvas.width) if text else [""]:
                canvas.put(0, y, line, style)
                y += 1

    def _played(self) -> list[tuple[str, str]]:
        """Return what the rules come to."""
        try:
            plain, rules = self._form.plain, self._form.rules()
        except RulesetError as error:
            return [("red", retold(str(error)))]
        changed = differences(plain, rules)
        heading = ("title", form_text("played"))
        if not changed:
            return [heading, ("", form_text("plain-rules", title=title_text(plain)))]
        return [heading, *(("", paragraph) for paragraph in difference_paragraphs(rules, changed))]

    def cursor(self) -> tuple[int, int] | None:
        """Return the line that is stood on."""
        x, y = self._list.cursor()
        return x + 1, y + 1

    def title(self) -> str:
        """Return the title of the terminal."""
        return f"rummy-p2p: {form_text('title')}"

    # --- keys --------------------------------------------------------------------------------------------------------

    def keys(self) -> tuple[Key, ...]:
        """Return what can be done."""
        fits = not self._form.problem()
        return (
            Key(("escape", "q"), lobby_say("key-back"), self._screen.leave, help=form_text("help-back")),
            _key("c", "create", self._create, enabled=fits and not self._lan.busy),
            *self._alone(enabled=fits),
            _key("r", "rules", self._rules, enabled=fits),
            Key(("x",), form_text("key-plain"), self._plain, help=form_text("help-plain")),
            Key(("down", "j", "tab"), "", lambda: self._list.move(1), bar=False, help=lobby_say("help-line")),
            Key(("up", "k", "s-tab"), "", lambda: self._list.move(-1), bar=False),
            Key(("pagedown",), "", lambda: self._list.move(self._list.page), bar=False),
            Key(("pageup",), "", lambda: self._list.move(-self._list.page), bar=False),
            Key(("right", "l", "+"), "", lambda: self._step(1), bar=False, help=form_text("help-change")),
            Key(("left", "h", "-"), "", lambda: self._step(-1), bar=False),
            Key(("space",), "", self._switch, bar=False, help=form_text("help-switch")),
            Key(("enter",), "", self._type, bar=False, help=form_text("help-type")),
        )

    def _alone(self, *, enabled: bool) -> tuple[Key, ...]:
        """Return the keys for what needs nobody else."""
        if self._instead is not None:
            return ()
        practice = _key("p", "practice", self._practice, enabled=enabled)
        return practice, _key("o", "one-screen", self._one_screen, enabled=enabled)

    def mouse(self, event: Mouse) -> None:
        """A click on a line stands on it; on its box, its arrows or its value it changes it."""
        if event.kind in ("wheel-up", "wheel-down"):
            self._list.move(1 if event.kind == "wheel-down" else -1)
            return
        target = event.target or ()
        if event.kind != "up" or not target:
            return
        if target[0] == "key":
            self._screen.press(str(target[1]))
        elif target[0] == "scroll":
            self._list.move(int(target[1]) * self._list.page)
        elif target[0] == "field":
            self._list.stand_on(str(target[1]))
            acts = {"left": lambda: self._step(-1), "right": lambda: self._step(1), "on": self._switch}
            acts.get(str(target[2]), self._type if target[2] == "type" else lambda: None)()

    def _step(self, by: int) -> None:
        self._say_why_not()
        self._form.step(self._list.current.key, by)

    def _switch(self) -> None:
        self._say_why_not()
        self._form.toggle(self._list.current.key)

    def _say_why_not(self) -> None:
        if self._list.current.why:
            self._screen.note(self._list.current.why)

    def _type(self) -> None:
        """Switch a switch; let any other value be typed."""
        field = self._list.current
        if field.kind == "switch":
            self._switch()
            return

        def write(text: str) -> None:
            self._screen.note(self._form.write(field.key, text))

        self._screen.open_line(f"{field.label}>", write, once=True)

    def _plain(self) -> None:
        """Play the game as it is: no house rules."""
        for text in self._form.house:
            self._form.toggle(text.partition(":")[0])

    # --- what comes of it --------------------------------------------------------------------------------------------

    def _create(self) -> None:
        create = self._instead or self._lan.open
        self._leave_with(lambda: create(self._form.plan()))

    def _practice(self) -> None:
        self._leave_with(lambda: self._lan.practice(self._form.plan()))

    def _one_screen(self) -> None:
        self._leave_with(lambda: self._lan.one_screen(self._form.plan()))

    def _rules(self) -> None:
        self._lan.show("rules", self._form.game, self._form.house)

    def _leave_with(self, act: Act) -> None:
        """Go back to the lobby and do it there, unless the form stands for nothing that can be played."""
        problem = self._form.problem()
        if problem or self._lan.busy:
            self._screen.note(form_text("problem", why=problem) if problem else self._lan.busy)
            return
        self._screen.leave()
        act()

    # --- what is typed -----------------------------------------------------------------------------------------------

    def typed(self, text: str) -> None:
        """Set a line: ``seats 4``, ``limit 60``, ``take-all``, ``limit off``."""
        key, _space, value = text.strip().partition(" ")
        problem = self._form.write(key, value.strip())
        if problem:
            self._screen.note(problem)
        else:
            self._list.stand_on(key)

    def complete(self, text: str) -> tuple[str, ...]:
        """Return the lines that begin so."""
        if " " in text:
            switches = {field.key for field in self._form.fields() if field.kind == "switch"}
            return ("on", "off") if text.partition(" ")[0] in switches else ()
        return tuple(field.key for field in self._form.fields() if field.usable and field.key.startswith(text))


def _key(name: str, what: str, act: Act, *, enabled: bool) -> Key:
    return Key((name,), lobby_say(f"key-{what}"), act, enabled, help=lobby_say(f"help-{what}"))
