"""The form of a new table: its fields are made from the games and house rules that are installed, none is written here.

The law of the file
    A ``Form`` is state and has no screen: a room shows ``fields()`` and calls ``step``, ``toggle`` and ``write``. What
    cannot be chosen stays in its place with its reason. The rules it stands for are compiled as everywhere else, so
    what the form allows is what a table allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, TypeVar

import msgspec

from rummy_p2p.protocol.fields import GRACE, MAX_GRACE, WISH, DealKind, Spectators, Wish
from rummy_p2p.protocol.text import TITLE_LIMIT, clean, said
from rummy_p2p.ruleset import Ruleset, RulesetError
from rummy_p2p.sentences.faults import retold
from rummy_p2p.sentences.screen_lobby import form_group, form_text, house_text, players_text, seconds_text, wish_text
from rummy_p2p.sentences.titles import rule_words, title_text
from rummy_p2p.ui.form_rules import group_of, present_value
from rummy_p2p.variants.api import HouseRule, Option
from rummy_p2p.variants.manager import Catalogue, split_rule

T = TypeVar("T", bound=str)
Kind = Literal["choice", "number", "text", "switch", "heading", "fixed"]
WISHES: Final[tuple[Wish, ...]] = ("if-needed", "always", "never")
DEALS: Final[tuple[DealKind, ...]] = ("blind", "host")
LOOKING_ON: Final[tuple[Spectators, ...]] = ("yes", "quiet", "next-hand", "no")
GRACES: Final = (15, 30, 60, 120, 300, 600)
GROUPS: Final = ("match", "laying", "drawing")
NORMAL: Final = "normal"
MOST_HANDS: Final = 20
AUTO: Final = "auto"
_HARD: Final = ("easy", "medium", "hard")
_YES: Final = {True: "yes", False: "no"}
_ON: Final = ("on", "yes", "true", "1")
_OFF: Final = ("off", "no", "false", "0")


class Plan(msgspec.Struct, frozen=True):
    """A table as it is wanted."""

    game: str
    house: tuple[str, ...] = ()
    title: str = ""
    seats: int = 2
    bots: int = 0
    level: str = NORMAL
    hands: int = 0
    wish: Wish = WISH
    deal: DealKind = "blind"
    password: str = ""  # of a closed table; AUTO: one is made
    spectators: Spectators = "yes"
    grace: int = GRACE
    ssh: bool = False  # guests are let in who have nothing but an ssh client

    def words(self) -> list[str]:
        """Return it as the words of a command line behind ``host``."""
        words = [self.game, *(word for text in self.house for word in ("--house", text))]
        words += ["--seats", str(self.seats), "--bots", str(self.bots), "--be-host", self.wish]
        words += ["--deal", self.deal]
        words += ["--spectators", self.spectators, "--grace", str(self.grace)]
        words += ["--password", self.password] if self.password else []
        words += ["--level", self.level] if self.bots else []
        words += ["--title", self.title] if self.title else []
        words += ["--ssh"] if self.ssh else []
        return words + (["--hands", str(self.hands)] if self.hands else [])


class Field(msgspec.Struct, frozen=True):
    """One line of the form. ``key`` is what ``step``, ``toggle`` and ``write`` take, and what can be typed."""

    key: str
    label: str
    kind: Kind
    value: str = ""
    explain: str = ""
    on: bool = False
    depth: int = 0
    why: str = ""

    @property
    def usable(self) -> bool:
        """Whether it can be stood on and changed."""
        return self.kind not in ("heading", "fixed")


class Form:
    """What is chosen so far."""

    def __init__(self, games: Catalogue, levels: Sequence[str], title: str = "") -> None:
        """Begin with the game that is the easiest to learn, as it is played without house rules."""
        self.games = games
        self._levels = tuple(levels)
        self._fits: dict[tuple[str, tuple[str, ...], str], str] = {}
        self._on: dict[str, dict[str, str]] = {}
        self.title = title
        self.level = NORMAL if NORMAL in self._levels else self._levels[0]
        self.hands = 0
        self.wish: Wish = WISHES[0]
        self.deal: DealKind = DEALS[0]
        self.password = ""
        self.spectators: Spectators = LOOKING_ON[0]
        self.grace = GRACE
        self.ssh = False
        self.no_ssh = ""  # why guests by ssh cannot be let in, where that is so
        self.bots = 0
        self.game = min(games.games, key=lambda game: _HARD.index(games.games[game].rules.meta.difficulty), default="")
        self.seats = self._least

    # --- what it stands for ------------------------------------------------------------------------------------------

    @property
    def plain(self) -> Ruleset:
        """The game without house rules."""
        return self.games.compile(self.game)

    @property
    def house(self) -> tuple[str, ...]:
        """The house rules that are on, as they are named everywhere, in the order in which they were chosen."""
        return tuple(_rule_text(name, options) for name, options in self._on.items())

    def rules(self) -> Ruleset:
        """Return the rules; RulesetError when these house rules do not go together."""
        return self.games.compile(self.game, self.house)

    def problem(self) -> str:
        """Return why there can be no such table; nothing when there can."""
        try:
            players = self.rules().players
        except RulesetError as error:
            return retold(str(error))
        if not players.min <= self.seats <= players.max:
            return form_text("wrong-seats", players=players_text(players.min, players.max), seats=self.seats)
        return ""

    def plan(self) -> Plan:
        """Return what is wanted."""
        title = clean(self.title, TITLE_LIMIT)
        return Plan(
            self.game,
            self.house,
            title,
            self.seats,
            self.bots,
            self.level,
            self.hands,
            self.wish,
            self.deal,
            self.password,
            self.spectators,
            self.grace,
            self.ssh and not self.no_ssh,
        )

    def summary(self) -> str:
        """Return the game with its house rules in a few words."""
        titles = [rule_words(self.games.house_rules[name].title) for name in self._on]
        return " + ".join((title_text(self.plain), *titles))

    # --- the lines ---------------------------------------------------------------------------------------------------

    def fields(self) -> tuple[Field, ...]:
        """Return all lines as they stand now."""
        return (*self._table_fields(), *self._house_fields())

    def _table_fields(self) -> Iterator[Field]:
        meta, players = self.plain.meta, self.plain.players
        about = form_text(
            "about",
            players=players_text(players.min, players.max),
            least=meta.minutes[0],
            most=meta.minutes[1],
            difficulty=form_text(meta.difficulty),
        )
        yield _field("game", "choice", title_text(self.plain), explain=about)
        yield _field("title", "text", self.title or form_text("untitled"))
        yield _field("seats", "choice", str(self.seats), on=self._span[0] < self._span[1])
        yield _field("bots", "choice", str(self.bots))
        yield _field("level", "choice", self.level, why="" if len(self._levels) > 1 else form_text("one-level"))
        yield _field("hands", "number", str(self.hands) if self.hands else form_text("whole-match"))
        yield _field("be-host", "choice", wish_text(self.wish))
        words = {"": form_text("anyone"), AUTO: form_text("auto-password")}.get(self.password, self.password)
        yield _field("password", "choice", words)
        yield _field("deal", "choice", form_text(f"{self.deal}-deal"))
        looking = form_text("watch-no" if self.password else f"watch-{self.spectators}")
        yield _field("spectators", "choice", looking, why=form_text("closed-to-all") if self.password else "")
        yield _field("grace", "number", seconds_text(self.grace))
        yield self._ssh_field()

    def _ssh_field(self) -> Field:
        """Return the line that can be stood on also where it cannot be switched, so that its reason can be read."""
        on = self.ssh and not self.no_ssh
        told = form_text("explain-ssh")
        return Field("ssh", form_text("field-ssh"), "switch", _YES[on], told, on, why=self.no_ssh)

    def _house_fields(self) -> Iterator[Field]:
        found = [(group_of(self.games, self.game, rule), rule) for rule in self._fitting()]
        for group in GROUPS:
            members = [rule for wanted, rule in found if wanted == group]
            if members:
                yield Field(f"group-{group}", form_group(group), "heading")
            for rule in members:
                yield from self._rule_fields(rule)

    def _fitting(self) -> Iterable[HouseRule]:
        """Return the house rules that can be laid over the game, or over those that are on, and these themselves."""
        rules, grounds = self.games.house_rules.values(), dict.fromkeys(((), self.house))
        return [
            rule
            for rule in rules
            if rule.id in self._on or not all(self._objection(ground, rule.id) for ground in grounds)
        ]

    def _rule_fields(self, rule: HouseRule) -> Iterator[Field]:
        on = rule.id in self._on
        why = "" if on else self._objection(self.house, rule.id)
        explain = house_text(rule.title, rule.explain)
        yield Field(rule.id, rule_words(rule.title), "switch", _YES[on], explain, on, why=why)
        for option in rule.options if on else ():
            value = self._option_value(rule, option)
            kind: Kind = "text" if option.type is str and not option.choices else "choice"
            kind = "number" if option.type is int else kind
            explain = house_text(rule.title, ", ".join(filter(None, (option.name, rule_words(option.explain)))))
            yield Field(f"{rule.id}.{option.name}", option.name, kind, value, explain, depth=1)

    def _option_value(self, rule: HouseRule, option: Option) -> str:
        given = self._on.get(rule.id, {}).get(option.name)
        if given is not None:
            return given
        value = option.default if option.default is not None else present_value(self.games, self.game, rule, option)
        return _YES[value] if isinstance(value, bool) else "" if value is None else str(value)

    def _objection(self, house: tuple[str, ...], rule: str) -> str:
        """Return why a house rule cannot be laid over these."""
        key = (self.game, house, rule)
        if key not in self._fits:
            try:
                self.games.compile(self.game, (*house, rule))
                self._fits[key] = ""
            except RulesetError as error:
                self._fits[key] = retold(str(error))
        return self._fits[key]

    # --- changing ----------------------------------------------------------------------------------------------------

    def step(self, key: str, by: int) -> None:
        """Go to the next or the last value of a line."""
        if key == "game":
            self._set_game(_neighbour(tuple(self.games.games), self.game, by))
        elif key == "seats":
            self._set_seats(self.seats + by)
        elif key == "bots":
            self.bots = min(max(self.bots + by, 0), self.seats - 1)
        elif key == "level":
            self.level = _neighbour(self._levels, self.level, by)
        elif key == "hands":
            self.hands = (self.hands + by) % (MOST_HANDS + 1)
        elif key == "be-host":
            self.wish = _neighbour(WISHES, self.wish, by)
        elif key == "deal":
            self.deal = _neighbour(DEALS, self.deal, by)
        elif key == "spectators":
            self.spectators = _neighbour(LOOKING_ON, self.spectators, by)
        elif key == "grace":
            self.grace = _next_of(GRACES, self.grace, by)
        elif key in ("password", "ssh"):
            self._step_door(key)
        elif key in self.games.house_rules:
            self.toggle(key)
        else:
            self._step_option(key, by)

    def _step_door(self, key: str) -> None:
        """Go to the other of two ways in which the table is closed or open to others."""
        if key == "password":
            self.password = "" if self.password else AUTO
        else:
            self.ssh = not (self.ssh or self.no_ssh)

    def toggle(self, key: str) -> None:
        """Switch a house rule on or off; any other line goes on to its next value."""
        if key not in self.games.house_rules:
            self.step(key, 1)
        elif key in self._on:
            del self._on[key]
            self._keep_what_fits()
        elif not self._objection(self.house, key):
            self._on[key] = {}

    def write(self, key: str, text: str) -> str:
        """Set a line to what was typed; return why not, or nothing."""
        if key == "title":
            self.title = clean(text, TITLE_LIMIT)
            return ""
        if key == "password":
            return self._write_password(text)
        if key == "ssh":
            self.ssh = not self.no_ssh and text.casefold() not in _OFF
            return self.no_ssh
        if key == "game":
            return self._write_game(text)
        if key == "be-host" and text in WISHES:
            self.wish = text
            return ""
        if key == "deal" and text in DEALS:
            self.deal = text
            return ""
        if key == "spectators" and text in LOOKING_ON:
            self.spectators = text
            return ""
        if key == "level" and text in self._levels:
            self.level = text
            return ""
        if key in ("seats", "bots", "hands", "grace"):
            return self._write_count(key, text)
        return self._write_rule(key, text)

    def take(self, plan: Plan) -> None:
        """Stand for another plan."""
        self._set_game(plan.game)
        for text in plan.house:
            name, options = split_rule(text)
            first = self.games.house_rules[name].options
            self._on[name] = {option or first[0].name: value for option, value in options.items()}
        self.title, self.seats, self.bots, self.level = plan.title, plan.seats, plan.bots, plan.level
        self.hands, self.wish, self.deal, self.password = plan.hands, plan.wish, plan.deal, plan.password
        self.spectators, self.grace, self.ssh = plan.spectators, plan.grace, plan.ssh

    @property
    def _span(self) -> tuple[int, int]:
        players = self.plain.players
        return players.min, players.max

    @property
    def _least(self) -> int:
        return self._span[0] if self.game else 2

    def _set_game(self, game: str) -> None:
        self.game = game
        self._keep_what_fits()
        self._set_seats(self.seats)

    def _keep_what_fits(self) -> None:
        """Let go of house rules that do not go with the game, or stood on one that is gone."""
        chosen, self._on = self._on, {}
        for name, options in chosen.items():
            text = _rule_text(name, options)
            if not self._objection(self.house, text):
                self._on[name] = options

    def _set_seats(self, seats: int) -> None:
        least, most = self._span
        self.seats = min(max(seats, least), most)
        self.bots = min(self.bots, self.seats - 1)

    def _write_game(self, text: str) -> str:
        wanted = text.casefold()
        for game in self.games.games.values():
            if wanted in (game.id, game.rules.meta.title.casefold()):
                self._set_game(game.id)
                return ""
        return form_text("no-game", name=clean(text, TITLE_LIMIT), games=", ".join(self.games.games))

    def _write_password(self, text: str) -> str:
        """Close the table with these words, or with some that are made; ``none`` opens it to everybody."""
        words = said(clean(text, TITLE_LIMIT))
        self.password = "" if words in ("", "none", *_OFF) else words
        return ""

    def _write_count(self, key: str, text: str) -> str:
        if not (text.isascii() and text.isdigit() and len(text) <= 3):
            return form_text("no-number", name=clean(text, TITLE_LIMIT))
        count = int(text)
        least, most = self._span
        if key == "seats" and not least <= count <= most:
            return form_text("wrong-seats", players=players_text(least, most), seats=count)
        if key == "seats":
            self._set_seats(count)
        elif key == "bots":
            self.bots = min(count, self.seats - 1)
        elif key == "grace":
            self.grace = min(max(count, 1), MAX_GRACE)
        else:
            self.hands = min(count, MOST_HANDS)
        return ""

    def _write_rule(self, key: str, text: str) -> str:
        """Set a house rule, or an option of it, as ``limit 60``, ``limit off`` or ``knock-claim.count 3``."""
        name, _dot, option = key.partition(".")
        rule = self.games.house_rules.get(name)
        if rule is None:
            return form_text("no-line", name=clean(key, TITLE_LIMIT))
        if not option and text.casefold() in _OFF:
            self._on.pop(name, None)
            return ""
        value = option or text.casefold() not in ("", *_ON)
        if value and not rule.options:
            return form_text("nothing-to-set", title=rule_words(rule.title))
        before = {each: dict(options) for each, options in self._on.items()}
        options = self._on.setdefault(name, {})
        if value:
            options[option or rule.options[0].name] = text.strip()
        return self._kept_or_taken_back(before)

    def _step_option(self, key: str, by: int) -> None:
        name, _dot, wanted = key.partition(".")
        rule = self.games.house_rules.get(name)
        option = next((one for one in rule.options if one.name == wanted), None) if rule else None
        if rule is None or option is None or name not in self._on:
            return
        before = {each: dict(options) for each, options in self._on.items()}
        self._on[name][wanted] = _stepped(option, self._option_value(rule, option), by)
        self._kept_or_taken_back(before)

    def _kept_or_taken_back(self, before: dict[str, dict[str, str]]) -> str:
        try:
            self.rules()
        except RulesetError as error:
            self._on = before
            return retold(str(error))
        return ""


def _field(key: str, kind: Kind, value: str, *, explain: str = "", why: str = "", on: bool = True) -> Field:
    """Return a line about the table; what can only be one thing is there and cannot be changed."""
    told = explain or form_text(f"explain-{key}")
    return Field(key, form_text(f"field-{key}"), kind if on and not why else "fixed", value, told, why=why)


def _rule_text(name: str, options: dict[str, str]) -> str:
    given = ",".join(f"{option}={value}" for option, value in options.items())
    return f"{name}:{given}" if given else name


def _neighbour(values: Sequence[T], value: T, by: int) -> T:
    return values[(values.index(value) + by) % len(values)]


def _next_of(numbers: Sequence[int], number: int, by: int) -> int:
    """Return the next of these numbers above or below one that need not be among them; at the ends it stays there."""
    if by > 0:
        return next((each for each in numbers if each > number), numbers[-1])
    return next((each for each in reversed(numbers) if each < number), numbers[0])


def _stepped(option: Option, value: str, by: int) -> str:
    """Return the value of an option one step further."""
    if option.type is bool:
        return _YES[value != "yes"]
    if option.type is int:
        return str(max(option.least, _next_number(int(value or 0), by)))
    choices = [str(choice) for choice in option.choices]
    return _neighbour(choices, value if value in choices else choices[-1 if by > 0 else 0], by) if choices else value


def _next_number(number: int, by: int) -> int:
    """Return the next round number: by ones below 10, by fives below 50, by tens above."""
    size = 1 if number + min(by, 0) < 10 else 5 if number + min(by, 0) < 50 else 10
    return (number // size + by) * size if by > 0 or number % size == 0 else number // size * size
