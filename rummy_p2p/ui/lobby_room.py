"""The lobby: tables that come and go, a new table, the table where one sits down, and the ways to the other rooms.

The law of the file
    The room knows a ``Lan`` and a ``Screen`` and nothing of the network. What it shows is asked for at every drawing;
    its own state is which row is chosen, what is searched for, and the form. A key that cannot do anything now says
    why when it is pressed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from rummy_p2p import __version__
from rummy_p2p.ruleset import RulesetError
from rummy_p2p.sentences.screen_lobby import form_text, lobby_say, players_text, taken_text
from rummy_p2p.sentences.screen_network import network_say
from rummy_p2p.sentences.titles import rule_words
from rummy_p2p.ui.canvas import Canvas
from rummy_p2p.ui.form import Form
from rummy_p2p.ui.invited import choices, invite_called
from rummy_p2p.ui.lobby_choice import Chooser
from rummy_p2p.ui.lobby_draw import Sight, draw_lobby
from rummy_p2p.ui.lobby_model import Lan, Sitting, TableRow, Unfinished
from rummy_p2p.ui.lobby_words import Typed
from rummy_p2p.ui.room import Key, Mouse
from rummy_p2p.ui.screen import Screen
from rummy_p2p.ui.sitting_keys import Stand, getting_up, going_on, showing_ways, voting
from rummy_p2p.ui.votes import ask_vote

_REFRESH: Final = 5.0

Act = Callable[[], None]
Named = Literal["kept", "given", "login"]  # by the settings, for this start alone, by the system


class LobbyRoom:
    """The first room."""

    def __init__(self, screen: Screen, lan: Lan, form: Form, named: Named = "kept") -> None:
        """Show what ``lan`` knows, for as long as the room is there; ``named``: from where the player's name comes."""
        self._screen = screen
        self._lan = lan
        self.form = form
        self._named: Named = named
        self._chosen = ""
        self._found = ""
        self._words = Typed(self)
        self._stop = lan.watch(screen.redraw)
        self._stop_clock = screen.every(_REFRESH, lambda: None)  # seconds are counted while nothing is found

    def meet(self, lan: Lan) -> None:
        """Show what another ``lan`` knows from now on."""
        self._stop()
        self._lan = lan
        self._stop = lan.watch(self._screen.redraw)
        self._screen.redraw()

    def close(self) -> None:
        """Look no more."""
        self._stop()
        self._stop_clock()

    @property
    def lan(self) -> Lan:
        """The network, for what is typed."""
        return self._lan

    # --- what is there -----------------------------------------------------------------------------------------------

    def _tables(self) -> tuple[TableRow, ...]:
        wanted = self._found.casefold()
        tables = self._lan.tables()
        return tuple(row for row in tables if wanted in f"{row.title} {row.rules} {row.game} {row.host}".casefold())

    def _rows(self) -> tuple[Unfinished | TableRow, ...]:
        unfinished = () if self._lan.sitting() is not None else self._lan.unfinished()
        return (*unfinished, *self._tables())

    def _at(self) -> int:
        """Return the place of the chosen row; a row that has gone gives its place to another."""
        return next((place for place, row in enumerate(self._rows()) if row.id == self._chosen), 0)

    def row(self) -> Unfinished | TableRow | None:
        """The row that is chosen."""
        rows = self._rows()
        return rows[self._at()] if rows else None

    # --- drawing -----------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """Draw the lobby as it is now."""
        draw_lobby(canvas, self._sight())

    def _sight(self) -> Sight:
        lan = self._lan
        sitting = lan.sitting()
        return Sight(
            version=__version__,
            nick=lan.nick,
            place=lan.place,
            tables=self._tables(),
            people=lan.people(),
            looking=lan.looking(),
            keys={key.keys[0]: key for key in self.keys()},
            message=self._message(sitting),
            about=tuple(self._about()),
            plan=tuple(self._plan()),
            unfinished=() if sitting is not None else lan.unfinished(),
            sitting=sitting,
            chosen=self._at(),
            found=self._found,
            busy=lan.busy,
            all_tables=len(lan.tables()),
            walking=lan.walking,
            naming="" if self._named == "kept" else lobby_say(f"named-{self._named}", nick=lan.nick),
        )

    def _message(self, sitting: Sitting | None) -> str:
        if sitting is not None:
            return _sitting_message(sitting)
        row = self.row()
        if row is None:
            return lobby_say("say-new")
        if isinstance(row, Unfinished):
            return lobby_say("say-go-on", title=row.title)
        looks_on = row.state == "playing" and row.fit == "same"
        which = "say-join" if self._can_enter() else "say-look-on" if looks_on else "say-why"
        return lobby_say(which, title=row.title)

    def _about(self) -> list[tuple[str, str]]:
        row = self.row()
        if row is None:
            return [("", lobby_say("no-table-chosen")), ("dim", lobby_say("nothing-chosen"))]
        if isinstance(row, Unfinished):
            return _about_unfinished(row)
        titles = ", ".join(row.house_titles or row.house)
        house = lobby_say("house", house=titles) if titles else lobby_say("no-house")
        opened = lobby_say("opened-by", host=row.host, seats=taken_text(row.taken, row.total))
        return [("", row.title), ("bold", row.rules.partition(" + ")[0]), why_not(row), ("", opened), ("", house)]

    def _plan(self) -> list[tuple[str, str]]:
        form = self.form
        meta, players = form.plain.meta, form.plain.players
        about = form_text("about", players=players_text(players.min, players.max), least=meta.minutes[0],
                          most=meta.minutes[1], difficulty=form_text(meta.difficulty))  # fmt: skip
        dot = f" {self._screen.look.glyphs.dot} "
        seats = f"{form.seats}{dot}{lobby_say('bots-label')} {form.bots}"
        hands = f"{dot}{lobby_say('hands-label')} {form.hands}" if form.hands else ""
        titles = [rule_words(form.games.house_rules[text.partition(":")[0]].title) for text in form.house]
        return [
            (lobby_say("rules-label"), form.summary().partition(" + ")[0]),
            ("", about),
            (lobby_say("seats-label"), seats + hands),
            (lobby_say("house-label"), ", ".join(titles) or lobby_say("none")),
        ]

    def cursor(self) -> tuple[int, int] | None:
        """Return where the chosen row is."""
        return (2, 3 + self._at()) if self._lan.sitting() is None and self._rows() else None

    def title(self) -> str:
        """Return the title of the terminal."""
        sitting = self._lan.sitting()
        return f"rummy-p2p: {lobby_say('title') if sitting is None else sitting.title}"

    # --- keys --------------------------------------------------------------------------------------------------------

    def keys(self) -> tuple[Key, ...]:
        """Return what can be done now."""
        sitting = self._lan.sitting()
        own = self._table_keys() if sitting is None else self._sitting_keys(sitting)
        seated = sitting is not None
        return (
            *own,
            _key("i", "profile", self.profile, bar=True),
            _key("v", "invite", self.invite, enabled=sitting is not None and _has_room(sitting), bar=True),
            _key("/", "chat", self.chat, enabled=seated, bar=True),
            _key("f", "find", self.find, bar=True),
            _key("r", "rules", self.rules, bar=True),
            _key("y", "replays", lambda: self._lan.show("replays", "", ()), bar=True),
            _key("S", "settings", lambda: self._lan.show("settings", "", ()), bar=True),
            Key(("P",), network_say("key-people"), self.people, bar=False, help=network_say("help-people")),
            Key(("d",), network_say("key-doctor"), self.doctor, bar=False, help=network_say("help-doctor")),
            _key("F", "learn", lambda: self._lan.show("learn", self.form.game, ())),
            Key(("down", "j"), "", lambda: self._move(1), bar=False, help=lobby_say("help-move")),
            Key(("up", "k"), "", lambda: self._move(-1), bar=False),
            Key(("pagedown",), "", lambda: self._move(8), bar=False),
            Key(("pageup",), "", lambda: self._move(-8), bar=False),
            *(Key((str(number),), "", self._choosing(number), bar=False) for number in range(1, 10)),
        )

    def _table_keys(self) -> tuple[Key, ...]:
        problem = self.form.problem()
        alone = not self._lan.busy
        return (
            _key(
                "enter",
                "go-on" if isinstance(self.row(), Unfinished) else "join",
                self.enter,
                enabled=alone and self._can_enter(),
            ),
            Key(("n",), lobby_say("key-new"), self.new, bar=False, help=lobby_say("help-new")),
            *self._watch_keys(alone=alone),
            _key("c", "create", self.create, enabled=alone and not problem),
            _key("p", "practice", self.practice, enabled=not problem),
            _key("o", "one-screen", self.one_screen, enabled=not problem),
            _key("C", "address", self.address),
            _key("s", "stop" if self._lan.walking else "walk", self._lan.walk),
            _key("q", "quit", self.quit, bar=True),
        )

    def _watch_keys(self, *, alone: bool) -> tuple[Key, ...]:
        """Return what can be done at a table in play, where one is chosen."""
        row = self.row()
        if not isinstance(row, TableRow) or row.state != "playing":
            return ()
        return (_key("w", "look-on", self.look_on, enabled=alone and row.fit == "same" and not row.caution),)

    def look_on(self) -> None:
        """Look on at the table that is chosen."""
        row = self.row()
        if not isinstance(row, TableRow) or row.state != "playing":
            return
        if self._lan.busy:
            self._screen.note(lobby_say("still-busy", what=self._lan.busy))
        else:
            self._lan.look_on(row.address)

    def _can_enter(self) -> bool:
        row = self.row()
        return isinstance(row, Unfinished) or (row is not None and _takes_in(row))

    def _sitting_keys(self, sitting: Sitting) -> tuple[Key, ...]:
        stand = Stand(sitting.mine, sitting.ready, may_start=not sitting.why)
        leave_first = lambda: self._screen.note(lobby_say("sitting-already", title=sitting.title))  # noqa: E731 -- a key's
        closed = Key(("n", "c", "p", "o", "C"), "", leave_first, enabled=False, bar=False)
        door = "guests-stop" if sitting.by_ssh else "guests"
        guests = Key(
            ("G",), network_say(f"key-{door}"), self._lan.let_guests_in, bar=False, help=network_say(f"help-{door}")
        )
        own = (showing_ways(self.ways, bar=False), guests) if sitting.mine else ()
        on = going_on(stand, self._lan.ready, self.start, self._lan.ready)
        return (*on, *own, getting_up(self.leave), voting(self.vote), closed)

    def mouse(self, event: Mouse) -> None:
        """A click chooses, a double click or one on a button does; the wheel goes through the list."""
        if event.kind in ("wheel-up", "wheel-down"):
            self._move(1 if event.kind == "wheel-down" else -1)
            return
        target = event.target or ()
        if target[:1] == ("row",) and event.kind in ("down", "double"):
            rows = self._rows()
            self._chosen = rows[min(int(target[1]), len(rows) - 1)].id
            if event.kind == "double":
                self.enter()
        elif target[:1] == ("key",) and event.kind == "up":
            self._screen.press(str(target[1]))

    def _move(self, by: int) -> None:
        rows = self._rows()
        if rows:
            self._chosen = rows[min(max(self._at() + by, 0), len(rows) - 1)].id

    def _choosing(self, number: int) -> Act:
        def choose() -> None:
            row = next((row for row in self._tables() if row.number == number), None)
            if row is None:
                self._screen.note(lobby_say("no-number", number=number))
            else:
                self._chosen = row.id

        return choose

    # --- what a key does ---------------------------------------------------------------------------------------------

    def enter(self) -> None:
        """Sit down at what is chosen, or be told why not."""
        row = self.row()
        if (sitting := self._lan.sitting()) is not None:
            self._screen.note(lobby_say("sitting-already", title=sitting.title))
        elif isinstance(row, Unfinished):
            self._lan.resume(row.id)
        elif row is None:
            found = self._found and self._lan.tables()
            self._screen.note(lobby_say("none-shown", text=self._found) if found else lobby_say("no-table-yet"))
        elif row.caution:
            self._screen.note(why_not(row)[1])
        elif row.state == "playing" and row.fit == "same":
            question = lobby_say("ask-look-on", title=row.title)
            answers = (("y", form_text("yes"), self.look_on), ("n", form_text("no"), lambda: None))
            self._screen.ask(question, answers)
        elif row.fit == "same" and not _takes_in(row):
            self._screen.note(why_not(row)[1])
        else:  # a password, or rules that are missing or differ: asked for, so that it can be told what and in what
            self._join(row.address)

    def _join(self, table: str) -> None:
        if self._lan.busy:
            self._screen.note(lobby_say("still-busy", what=self._lan.busy))
        else:
            self._lan.join(table)

    def new(self) -> None:
        """Fill in the form."""
        from rummy_p2p.ui.form_room import FormRoom

        self._screen.enter(FormRoom(self._screen, self._lan, self.form))

    def create(self) -> None:
        """Open the table of the form."""
        self._unless_problem(lambda: self._lan.open(self.form.plan()))

    def practice(self) -> None:
        """Play alone by the rules of the form."""
        self._unless_problem(lambda: self._lan.practice(self.form.plan()))

    def one_screen(self) -> None:
        """Play with others at this screen."""
        self._unless_problem(lambda: self._lan.one_screen(self.form.plan()))

    def _unless_problem(self, act: Act) -> None:
        problem = self.form.problem()
        if problem:
            self._screen.note(form_text("problem", why=problem))
        else:
            act()

    def address(self) -> None:
        """Ask where a table is, and join there."""

        def go(text: str) -> None:
            if text.strip():
                self._join(text.strip())

        self._screen.open_line(lobby_say("ask-address"), go, once=True)

    def find(self, text: str | None = None) -> None:
        """Show only what has these letters; ask for them when none are given."""
        if text is not None:
            self._found = text.strip()
        elif self._found:
            self._found = ""
        else:
            self._screen.open_line(lobby_say("ask-find"), self.find, once=True)

    def chat(self) -> None:
        """Say something at the table."""
        if self._lan.sitting() is None:
            self._screen.note(lobby_say("no-chat"))
        else:
            self._screen.open_line(lobby_say("ask-chat"), self._lan.say, once=True)

    def invite(self, name: str = "") -> None:
        """Ask somebody who is present to the table: whoever is called so, or let one be chosen."""
        sitting = self._lan.sitting()
        found = choices(self._lan.people(), self._lan.invite)
        if sitting is None or not _has_room(sitting):
            self._screen.note(lobby_say("invite-where" if sitting is None else "invite-full"))
        elif not found:
            self._screen.note(lobby_say("invite-nobody"))
        elif name:
            self._screen.note(invite_called(self._lan.people(), name, self._lan.invite))
        else:
            self._screen.enter(Chooser(self._screen.below, self._screen.leave, lobby_say("invite-whom"), found))

    def rules(self) -> None:
        """Read the rules of the chosen table, as far as they are installed here, or of the form."""
        row = self.row()
        game, house = self.form.game, self.form.house
        if isinstance(row, TableRow) and row.fit != "missing":
            game, house = row.game, row.house
        try:
            self.form.games.compile(game, house)
        except RulesetError:
            house = ()
        self._lan.show("rules", game, house)

    def people(self) -> None:
        """See whom one knows, and who is here."""
        self._lan.show("people")

    def doctor(self) -> None:
        """See what works here, and what does not."""
        self._lan.show("doctor")

    def ways(self) -> None:
        """Show how others come to the own table."""
        self._lan.show("ways")

    def profile(self) -> None:
        """Show who the player is."""
        from rummy_p2p.ui.profile import profile_lines, profile_title

        self._screen.page(profile_title(), lambda: profile_lines(self._lan.profile(), self.form.games))

    def start(self) -> None:
        """Start the match, or say what it waits for."""
        sitting = self._lan.sitting()
        if sitting is not None and sitting.why:
            self._screen.note(sitting.why)
        else:
            self._lan.start()

    def vote(self) -> None:
        """Vote about somebody at the table."""
        sitting = self._lan.sitting()
        seats = () if sitting is None else sitting.seats
        names = [seat.name for seat in seats if not (seat.me or seat.bot or seat.guest)]
        ask_vote(self._screen, names, self._lan.vote)

    def leave(self) -> None:
        """Leave the table; who opened it is asked, for the others have to leave as well."""
        sitting = self._lan.sitting()
        if sitting is None:
            self._screen.note(lobby_say("not-sitting"))
        elif sitting.mine and len(sitting.seats) > 1:
            question = lobby_say("ask-close", title=sitting.title)
            self._screen.ask(question, (("y", form_text("yes"), self._lan.leave), ("n", form_text("no"), lambda: None)))
        else:
            self._lan.leave()

    def quit(self) -> None:
        """Leave the program; asks when there is a table to be left."""
        sitting = self._lan.sitting()
        if sitting is None:
            self._lan.quit()
            return
        question = lobby_say("ask-quit", title=sitting.title)
        self._screen.ask(question, (("y", form_text("yes"), self._lan.quit), ("n", form_text("no"), lambda: None)))

    # --- what is typed -----------------------------------------------------------------------------------------------

    def typed(self, text: str) -> None:
        """Carry out a line."""
        self._words.typed(text)

    def complete(self, text: str) -> tuple[str, ...]:
        """Return what the last word may become."""
        return self._words.complete(text, self._tables())


def _key(name: str, what: str, act: Act, *, enabled: bool = True, bar: bool = False) -> Key:
    return Key((name,), lobby_say(f"key-{what}"), act, enabled, bar, lobby_say(f"help-{what}"))


def _has_room(sitting: Sitting) -> bool:
    return len(sitting.seats) < sitting.total


def _about_unfinished(row: Unfinished) -> list[tuple[str, str]]:
    hand = [("", lobby_say("go-on-hand", hand=row.hand))] if row.hand else []
    when = [("dim", lobby_say("go-on-when", when=row.when))] if row.when else []
    return [("", row.title), ("bold", ", ".join(row.players)), *hand, *when, ("", lobby_say("go-on-how"))]


def _sitting_message(sitting: Sitting) -> str:
    if sitting.mine:
        return lobby_say("say-wait", why=sitting.why) if sitting.why else lobby_say("say-start")
    return lobby_say("say-not-ready" if sitting.ready else "say-ready")


def _takes_in(row: TableRow) -> bool:
    """Whether one can sit down at a table, with its password where it has one."""
    return row.fit == "same" and not row.caution and (row.has_room or row.state == "password")


def why_not(row: TableRow) -> tuple[str, str]:
    """Return whether one can sit down at a table, and if not why: a style and a sentence."""
    if row.caution:
        return "alert", network_say(f"caution-{row.caution}", name=row.host)
    if row.state == "password":
        return "yellow", lobby_say("needs-code")
    if row.state == "playing":
        return "yellow", lobby_say("is-playing")
    if not row.has_room:
        return "yellow", lobby_say("is-full")
    return {
        "same": ("green", lobby_say("same-rules")),
        "missing": ("yellow", lobby_say("missing-rules")),
        "different": ("yellow", lobby_say("different-rules")),
    }[row.fit]
