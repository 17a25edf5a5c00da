"""A house rule as data: a TOML file with a title, knobs, and perhaps a base game and house rules laid beneath them.

    title = "Long evening"
    game = "rummy-sv"
    house = ["take-all"]
    [knobs]
    opening.points = 40
    scoring.in_hand.joker = 50

The law of the file
    The rule is called after its file (``long-evening``). A knob has its path as name, as everywhere; one that may be
    absent is taken away by "none". Whatever is wrong with a file is told with its line, the knob and what is allowed,
    when the file is read; what does not go with a game is told when the rule is laid over it. It is data: it may come
    from anybody.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Final, Literal, get_args, get_origin, get_type_hints

import msgspec

from rummy_p2p.protocol.text import TITLE_LIMIT, clean
from rummy_p2p.ruleset import Knobs, Round, Ruleset, RulesetError
from rummy_p2p.variants.api import HouseRule, Options, hookimpl
from rummy_p2p.variants.manager import ID, FileError, Source

MOST: Final = 64 * 1024
NONE: Final = "none"
_EXPLAIN_LIMIT: Final = 240
_KEYS: Final = {
    "title": "a text in quotes",
    "explain": "a text in quotes",
    "game": "the id of a game in quotes",
    "house": 'a list of house rules as they are typed, such as ["take-all", "limit=50"]',
    "knobs": "a table: a line [knobs], and below it knobs such as opening.points = 40",
}
_NOT_HERE: Final = ("game", "house", "functions")


class TomlRule(msgspec.Struct, frozen=True):
    """A file that was read: ``knobs`` by path, with values of the right types. The text is kept to find lines in it."""

    id: str
    file: str
    text: str
    title: str
    explain: str
    game: str
    house: tuple[str, ...]
    knobs: Mapping[str, object]

    def house_rule(self) -> HouseRule:
        """Return the house rule that the file is."""
        return HouseRule(self.id, self.title, self.explain, self.change, (), self.game, self.house)

    def change(self, rules: Ruleset, _options: Options) -> Ruleset:
        """Return the rules with the knobs of the file; FileError with line and knob when no table could play them."""
        try:
            return _with_knobs(rules, self.knobs)
        except RulesetError as error:
            raise self._misfit(rules, error) from error

    def _misfit(self, rules: Ruleset, error: RulesetError) -> FileError:
        """Name the knobs without which it would do; when there is none such, all."""
        guilty = [knob for knob in self.knobs if _goes(rules, self._without(knob))] or list(self.knobs)
        lines = [(line_of(self.text, ("knobs", *knob.split("."))), knob) for knob in guilty]
        told = ", ".join(f"line {line}: {knob} = {_written(self.knobs[knob])}" for line, knob in sorted(lines))
        return FileError(error.code, f"{self.file}, {told} does not go with {rules.game or 'this game'}: {error}")

    def _without(self, knob: str) -> Mapping[str, object]:
        return {path: value for path, value in self.knobs.items() if path != knob}


def _with_knobs(rules: Ruleset, knobs: Mapping[str, object]) -> Ruleset:
    return rules.with_(**{path.replace(".", "__"): value for path, value in knobs.items()})


def _goes(rules: Ruleset, knobs: Mapping[str, object]) -> bool:
    try:
        _with_knobs(rules, knobs)
    except RulesetError:
        return False
    return True


class _Plugin:
    """What the manager asks: a plugin that yields one house rule."""

    def __init__(self, rule: TomlRule) -> None:
        self._rule = rule

    @hookimpl
    def rummy_house_rules(self) -> list[HouseRule]:
        """Yield the rule."""
        return [self._rule.house_rule()]


def toml_source(path: Path) -> Source:
    """Return the plugin that a file is, called after it; the file is read when it is loaded."""
    return Source(path.name, str(path), "", lambda: _Plugin(read_rule(path)), own=True)


def source_of(rule: TomlRule) -> Source:
    """Return the plugin of a file that was read already."""
    return Source(Path(rule.file).name, rule.file, "", lambda: _Plugin(rule), own=True)


# --- reading ---------------------------------------------------------------------------------------------------------


def read_rule(path: Path) -> TomlRule:
    """Read a file; raises FileError with a sentence that names the file, and the line where there is one."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST + 1)
        text = content.decode()
    except OSError as error:
        raise FileError("unknown-rule", f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise FileError("bad-option", f"{path} is not text in UTF-8 (byte {error.start}).") from error
    if len(content) > MOST:
        raise FileError("bad-option", f"{path} is larger than {MOST // 1024} KiB, which no house rule needs.")
    return parse_rule(text, str(path))


def parse_rule(text: str, file: str) -> TomlRule:
    """Return the rule that a text is; ``file`` is what it is called. Raises FileError."""
    text = text.replace("\r\n", "\n")
    data = _parsed(text, file)
    reader = _Reader(text, file, data)
    knobs = dict(reader.knobs())
    house = reader.house()
    if not knobs and not house:
        raise FileError("bad-option", f"{file} changes nothing: it needs knobs below a line [knobs], or a list house.")
    title, explain = reader.word("title", TITLE_LIMIT), reader.word("explain", _EXPLAIN_LIMIT)
    if not title:
        raise FileError("bad-option", f'{file} needs a title: title = "Long evening"')
    explain = explain or f"Sets {', '.join(f'{knob} = {_written(value)}' for knob, value in knobs.items()) or title}."
    return TomlRule(_id_of(file), file, text, title, explain, reader.word("game", TITLE_LIMIT), house, knobs)


def _parsed(text: str, file: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        what, _, where = str(error).rpartition(" (at ")
        found = re.match(r"line (\d+), column (\d+)", where)
        place = f"{file}, line {found[1]}, column {found[2]}" if found else f"{file}, at its end"
        raise FileError("bad-option", f"{place}: this is not TOML: {what or error}.") from error
    except RecursionError as error:
        raise FileError("bad-option", f"{file} holds brackets within brackets beyond all measure.") from error


def _id_of(file: str) -> str:
    stem = Path(file).stem
    if ID.fullmatch(stem):
        return stem
    fitting = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-0123456789")[:40] or "long-evening"
    sentence = "A house rule is called after its file, by small letters, digits and hyphens"
    raise FileError("bad-option", f"{file}: {sentence}: call it {fitting}.toml, say.")


class _Reader:
    """Takes one file apart; whatever is wrong is told with its line."""

    def __init__(self, text: str, file: str, data: Mapping[str, object]) -> None:
        self._text = text
        self._file = file
        self._data = data
        for key in data:
            if key not in _KEYS:
                raise self._wrong((key,), _unknown_key(key))

    def word(self, key: str, limit: int) -> str:
        """Return a text of the file, made fit for a terminal; empty when there is none."""
        value = self._data.get(key, "")
        if not isinstance(value, str):
            raise self._wrong((key,), f"{key} is {_KEYS[key]}, not {_written(value)}.")
        return clean(value, limit)

    def house(self) -> tuple[str, ...]:
        """Return the house rules that are laid beneath the knobs."""
        value = self._data.get("house", [])
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise self._wrong(("house",), f"house is {_KEYS['house']}, not {_written(value)}.")
        return tuple(value)

    def knobs(self) -> Iterator[tuple[str, object]]:
        """Yield the knobs that the file sets, each of the right type."""
        value = self._data.get("knobs", {})
        if not isinstance(value, dict):
            raise self._wrong(("knobs",), f"knobs is {_KEYS['knobs']}, not {_written(value)}.")
        yield from self._group((), value)

    def _group(self, path: tuple[str, ...], table: Mapping[str, object]) -> Iterator[tuple[str, object]]:
        for key, value in table.items():
            here = (*path, key)
            name = ".".join(here)
            if name in knob_types() and "." not in key:
                yield name, self._value(here, value)
            elif name not in groups():
                raise self._wrong(("knobs", *here), _unknown_knob(path, key))
            elif isinstance(value, dict):
                yield from self._group(here, value)
            else:
                raise self._wrong(("knobs", *here), f"{name} is not a knob but a group of them: {_members(here)}.")

    def _value(self, path: tuple[str, ...], value: object) -> object:
        kind = knob_types()[".".join(path)]
        if value == NONE and _may_be_absent(kind):
            return None
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            near = _near(value, _choices(kind)) if isinstance(value, str) else ""
            told = f"{'.'.join(path)} is {allowed(kind)}, not {_written(value)}.{near}"
            raise self._wrong(("knobs", *path), told) from error
        return value

    def _wrong(self, path: Sequence[str], sentence: str) -> FileError:
        return FileError("bad-option", f"{self._file}, line {line_of(self._text, path)}: {sentence}")


def line_of(text: str, path: Sequence[str]) -> int:
    """Return the line on which the statement begins that first sets a path of keys.

    The text is read again and again, one line more each time: where it can be read so far a statement has ended.
    """
    lines = text.split("\n")
    begin = 1
    for number in range(1, len(lines) + 1):
        try:
            so_far = tomllib.loads("\n".join(lines[:number]))
        except tomllib.TOMLDecodeError:
            continue
        if _has(so_far, path):
            return begin
        begin = number + 1
    return begin


def _has(data: object, path: Sequence[str]) -> bool:
    for key in path:
        if not isinstance(data, dict) or key not in data:
            return False
        data = data[key]
    return True


# --- what is allowed -------------------------------------------------------------------------------------------------


@cache
def knob_types() -> Mapping[str, object]:
    """Return the type of every knob that a file may set, by its path."""
    return {path: kind for path, kind in _leaves("", Ruleset) if path not in _NOT_HERE}


@cache
def groups() -> frozenset[str]:
    """Return the paths of the groups of knobs."""
    parts = [path.split(".") for path in knob_types()]
    return frozenset(".".join(path[:count]) for path in parts for count in range(1, len(path)))


def _leaves(prefix: str, group: type) -> Iterator[tuple[str, object]]:
    for name, kind in get_type_hints(group).items():
        if isinstance(kind, type) and issubclass(kind, Knobs):
            yield from _leaves(f"{prefix}{name}.", kind)
        else:
            yield prefix + name, kind


def allowed(kind: object) -> str:
    """Return in words what values a type of knob takes."""
    if _may_be_absent(kind):
        rest = next(part for part in get_args(kind) if part is not NoneType)
        return f'{allowed(rest)} or "{NONE}"'
    if get_origin(kind) is Literal:
        return f"one of {', '.join(map(_written, get_args(kind)))}"
    if get_origin(kind) is tuple:
        first, second = get_args(kind)
        return _LISTS[first] if second is ... else f"two of these, such as [15, 30]: {allowed(first)}"
    return _WORDS[kind]


_WORDS: Final[Mapping[object, str]] = {int: "a whole number", bool: "true or false", str: "a text in quotes"}
_LISTS: Final[Mapping[object, str]] = {
    int: "a list of whole numbers, such as [10, 7, 7]",
    str: 'a list of texts, such as ["gin"]',
    Round: 'a list of rounds, such as [{ contract = "33", hand_size = 10 }]',
}


def _may_be_absent(kind: object) -> bool:
    return isinstance(kind, UnionType) and NoneType in get_args(kind)


def _choices(kind: object) -> tuple[str, ...]:
    return get_args(kind) if get_origin(kind) is Literal else ()


def _unknown_key(key: str) -> str:
    if key in knob_types() or key in groups():
        return f"{key} is a knob: write it below a line [knobs]."
    return f"There is no {_written(key)} in a house rule.{_near(key, _KEYS)} There are {', '.join(_KEYS)}."


def _unknown_knob(path: Sequence[str], key: str) -> str:
    name = ".".join((*path, key))
    if "." in key:
        return f"The parts of a knob are not quoted: write {_plain(key)}, without quotes."
    if not path and key in _NOT_HERE:
        where = "only a plugin can bring functions" if key == "functions" else f"{key} stands above the line [knobs]"
        return f"There is no knob called {key}: {where}."
    ends = [knob for knob in knob_types() if knob.rpartition(".")[2] == key]
    near = _near(name, ends) or _near(name, ends or knob_types()) or (f" Did you mean {ends[0]}?" if ends else "")
    return f"There is no knob called {_plain(name)}.{near} {_there(path)}"


def _there(path: Sequence[str]) -> str:
    where = f"In {'.'.join(path)} there are" if path else "There are the groups"
    return f"{where}: {_members(path)}."


def _members(path: Sequence[str]) -> str:
    """Return what stands directly in a group; in none, the groups and single knobs."""
    start = [*path]
    parts = [knob.split(".") for knob in knob_types()]
    return ", ".join(dict.fromkeys(part[len(start)] for part in parts if part[: len(start)] == start))


def _near(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    found = get_close_matches(name, list(known), 1)
    return f" Did you mean {found[0]}?" if found else ""


def _plain(name: str) -> str:
    return name if name.isascii() and name.isprintable() else _written(name)


def _written(value: object) -> str:
    """Return a value much as a file has it; control characters are written out."""
    import json

    return json.dumps(NONE if value is None else value, default=str)
