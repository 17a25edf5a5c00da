"""From plugins to one frozen Ruleset: finds the plugins, asks their hooks once, and compiles a game with house rules.

Plugins are asked in the order of their names, so that nothing depends on the machine; what is installed comes before
the player's own files, so that no file takes the place of a game. A plugin that fails at import or in a hook is
reported with its cause and left out; it never ends the program.

A file stands for a house rule: where a command wants one, ``FOLDER/evening.toml`` and ``evening`` are the same once the
file is loaded. A house rule that is for one game can stand in the place of the game: it is that game with the rule.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import Distribution, EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec
import pluggy

from rummy_p2p.ruleset import Ruleset, RulesetError
from rummy_p2p.sentences.faults import retold
from rummy_p2p.sentences.language import N_, _, listed
from rummy_p2p.variants import hookspecs
from rummy_p2p.variants.api import PROJECT, Bot, Game, HouseRule, Option, OptionValue

if TYPE_CHECKING:
    from rummy_p2p.bots import Strategy

_T = TypeVar("_T", bound=Game | HouseRule | Bot)
GROUP: Final = "rummy_p2p.variants"
TOML: Final = ".toml"
BUILT_IN: Final = ("easy", "normal", "hard")
OWN: Final = (TOML, ".py")
ONLY: Final = "RUMMY_P2P_LOAD_PLUGINS"
ID: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")
_TRUE: Final = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}


class FileError(RulesetError):
    """A file of a player cannot be used; the sentence names the file, and where it can the line and the knob."""


class PluginError(Exception):
    """A plugin failed: which, in which hook ("import" for none), and why."""

    def __init__(self, plugin: str, hook: str, cause: BaseException | str) -> None:
        """Keep the three parts."""
        told = isinstance(cause, str | FileError)
        text = str(cause) if told else f"{type(cause).__name__}: {cause}"
        super().__init__(f"The plugin {plugin!r} failed in {hook}: {text.removesuffix('.')}")
        self.plugin = plugin
        self.hook = hook


class Source(msgspec.Struct, frozen=True):
    """Where a plugin comes from and how to load it; names can be listed without importing. ``own``: a player's file."""

    name: str
    source: str
    version: str
    load: Callable[[], object]
    own: bool = False


class PluginInfo(msgspec.Struct, frozen=True):
    """One line of ``rummy-p2p variants``."""

    name: str
    source: str
    version: str
    ok: bool
    error: str | None = None


class Catalogue(msgspec.Struct, frozen=True):
    """All games and house rules of this installation, and how each plugin fared."""

    games: Mapping[str, Game]
    house_rules: Mapping[str, HouseRule]
    plugins: tuple[PluginInfo, ...]
    owners: Mapping[str, str]
    bots: Mapping[str, Bot] = {}

    def levels(self) -> Mapping[str, Strategy]:
        """Return how well bots can play, by name: the levels of the program, then those of plugins."""
        from rummy_p2p.bots import LEVELS

        return {**LEVELS, **{bot.id: bot.decide for bot in self.bots.values()}}

    def level_names(self) -> tuple[str, ...]:
        """Return the names of ``levels``, without loading what plays so well."""
        return (*BUILT_IN, *self.bots)

    def compile(self, game: str, house: Sequence[str] = ()) -> Ruleset:
        """Return the Ruleset of a game with house rules, laid over it in the order given; it names them by their ids.

        Raises RulesetError: ``unknown-rule``, ``bad-option`` or ``rule-conflict``, with a sentence.
        """
        base, laid = self._base(game)
        laid += tuple(map(file_id, house))
        rules = self.games[base].rules.with_(game=base)
        for text in laid:
            rules = self._lay_over(rules, text)
        return rules.with_(house=laid)

    def _base(self, name: str) -> tuple[str, tuple[str, ...]]:
        """Return a game, and the house rule that was named in its place when there is one."""
        rule = self.house_rules.get(file_id(name))
        if name in self.games:
            return name, ()
        if rule is None:
            known = ", ".join(self.games) or _("none")
            sentence = _("There is no game called {name}. Games: {known}.")
            raise RulesetError("unknown-rule", sentence.format(name=repr(name), known=known))
        if rule.game not in self.games:
            if rule.game:
                sentence = _("{rule} is for {game}, which is not here. Name a game and lay it over: --house {name}.")
            else:
                sentence = _("{rule} is a house rule for any game. Name a game and lay it over: --house {name}.")
            raise RulesetError("unknown-rule", sentence.format(rule=repr(name), name=name, game=rule.game))
        return rule.game, (rule.id,)

    def contributors(self, rules: Ruleset) -> tuple[PluginInfo, ...]:
        """Return the plugins that had a hand in rules which this catalogue has compiled."""
        names = {self.owners[rules.game]}
        ids = [split_rule(text)[0] for text in rules.house]
        while ids:
            rule = self.house_rules[ids.pop()]
            names.add(self.owners[rule.id])
            ids += [split_rule(file_id(text))[0] for text in rule.house]
        return tuple(plugin for plugin in self.plugins if plugin.ok and plugin.name in names)

    def fits(self, rule: HouseRule) -> tuple[str, ...]:
        """Return the games over which a house rule can be laid with its defaults."""
        return tuple(game for game in self.games if self._fits(game, rule))

    def _fits(self, game: str, rule: HouseRule) -> bool:
        try:
            self.compile(game, [rule.id])
        except RulesetError:
            return False
        return True

    def _lay_over(self, rules: Ruleset, text: str, above: tuple[str, ...] = ()) -> Ruleset:
        name, options = split_rule(text)
        rule = self.house_rules.get(name)
        if rule is None:
            known = ", ".join(self.house_rules) or _("none")
            sentence = _("There is no house rule called {name}. House rules: {known}.")
            raise RulesetError("unknown-rule", sentence.format(name=repr(name), known=known))
        _refuse_stranger(rule, rules, above)
        for beneath in rule.house:
            rules = self._lay_over(rules, file_id(beneath), (*above, name))
        values = read_options(rule, options)
        try:
            return _changed(rule, rules, values)
        except FileError:
            raise  # it names the file, the line and the game by itself
        except RulesetError as error:
            sentence = _("The house rule {rule} does not go with {game}: {why}")
            told = sentence.format(rule=repr(name), game=repr(rules.game), why=retold(str(error)))
            raise RulesetError(error.code, told) from error
        except Exception as error:
            failed = PluginError(self.owners.get(name, "?"), f"the house rule {name!r}", error)
            raise RulesetError("rule-conflict", f"{failed}. Play without this rule, or tell its author.") from error


def _refuse_stranger(rule: HouseRule, rules: Ruleset, above: Sequence[str]) -> None:
    if rule.game not in ("", rules.game):
        sentence = _("The house rule {rule} is for {game}, not for {other}.")
        told = sentence.format(rule=repr(rule.id), game=rule.game, other=rules.game)
        raise RulesetError("rule-conflict", told)
    if rule.id in above:
        sentence = _("The house rules {rules} bring each other along without end.")
        raise RulesetError("rule-conflict", sentence.format(rules=listed([repr(each) for each in above])))


def file_id(text: str) -> str:
    """Return the id of the house rule that a file stands for; any other text as it is."""
    return Path(text).stem if text.endswith(TOML) else text


def _changed(rule: HouseRule, rules: Ruleset, values: Mapping[str, OptionValue]) -> Ruleset:
    changed: object = rule.change(rules, values)
    if not isinstance(changed, Ruleset):
        raise TypeError(f"it answers {type(changed).__name__} where a Ruleset is needed")
    for function in rules.functions:
        other = changed.function(function.name)
        if other is not None and other.plugin != function.plugin:
            raise RulesetError("rule-conflict", f"{function.plugin!r} brings a {function.name} already.")
    return changed.with_()


def split_rule(text: str) -> tuple[str, dict[str, str]]:
    """Split ``RULE``, ``RULE=VALUE`` or ``RULE:option=value,option=value``; a bare value has the name ''.

    A value may hold commas: what follows one and names no option belongs to the value before it.
    """
    head, colon, tail = text.partition(":")
    name, equals, value = (part.strip() for part in head.partition("="))
    options = {"": value} if equals else {}
    last = None
    for part in tail.split(",") if colon else ():
        option, has_value, setting = (piece.strip() for piece in part.partition("="))
        if has_value and option and option not in options:
            options[option] = setting
            last = option
        elif last is not None and not has_value:
            options[last] += f",{option}"
        else:
            raise RulesetError(
                "bad-option", f"{text!r}: options look like {name}:option=value,option=value, each once."
            )
    return name, options


def read_options(rule: HouseRule, given: Mapping[str, str]) -> dict[str, OptionValue]:
    """Return all options of a rule with typed values; raises RulesetError (``bad-option``)."""
    values: dict[str, OptionValue] = {option.name: option.default for option in rule.options}
    for name, text in given.items():
        key = name or (rule.options[0].name if rule.options else "")
        option = next((option for option in rule.options if option.name == key), None)
        if option is None:
            known = ", ".join(option.name for option in rule.options) or _("none")
            if key:
                sentence = _("The house rule {rule} has no option {option}. Its options: {known}.")
            else:
                sentence = _("The house rule {rule} has nothing to set. Its options: {known}.")
            told = sentence.format(rule=repr(rule.id), option=repr(key), known=known)
            raise RulesetError("bad-option", told)
        values[key] = _read_value(rule, option, text)
    return values


def _read_value(rule: HouseRule, option: Option, text: str) -> OptionValue:
    value: OptionValue = text or None
    if option.type is bool:
        value = _TRUE.get(text.lower())
    elif option.type is int:
        value = int(text) if re.fullmatch(r"[0-9]{1,6}", text) and int(text) >= option.least else None
    elif option.choices and text not in option.choices:
        value = text.lower().replace("_", "-")
    if value is None or (option.choices and value not in option.choices):
        words = _(_TYPE_WORDS[option.type]).format(least=option.least)
        wanted = ", ".join(str(choice) for choice in option.choices) or words
        sentence = _("The house rule {rule}: {option} is {wanted}, not {text}.")
        told = sentence.format(rule=repr(rule.id), option=option.name, wanted=wanted, text=repr(text))
        raise RulesetError("bad-option", told)
    return value


_TYPE_WORDS: Final = {int: N_("a whole number from {least}"), bool: N_("yes or no"), str: N_("a word")}


def installed() -> tuple[Source, ...]:
    """Return the plugins of this installation, sorted by name; the environment may name the only ones to load."""
    return only_wanted(map(_of_entry_point, entry_points(group=GROUP)), own=False)


def only_wanted(sources: Iterable[Source], *, own: bool) -> tuple[Source, ...]:
    """Return those of the sources that the environment lets in, and one that fails for each that it names in vain.

    Files of players (``own``) are told from installed plugins by how their names end.
    """
    only = os.environ.get(ONLY)
    found = sorted(sources, key=_place)
    if only is None:
        return tuple(found)
    wanted = {name for part in only.split(",") if (name := part.strip()) and name.endswith(OWN) == own}
    missing = [_missing(name, own=own) for name in sorted(wanted - {source.name for source in found})]
    return tuple(sorted([*missing, *(source for source in found if source.name in wanted)], key=_place))


def _of_entry_point(point: EntryPoint) -> Source:
    maker, version = _maker_of(point.dist) if point.dist else (point.value, "")
    return Source(point.name, maker, version, point.load)


@lru_cache(maxsize=8)
def _maker_of(dist: Distribution) -> tuple[str, str]:
    """Return the name and version of a distribution; both are read anew from its files whenever they are asked for."""
    return dist.name, dist.version


def _missing(name: str, *, own: bool) -> Source:
    """Return a source that says, when it is loaded, that it was asked for and is not there."""

    def load() -> object:
        raise ModuleNotFoundError(f"{ONLY} names it, and it is not installed")

    return Source(name, ONLY, "", load, own)


def _place(source: Source) -> tuple[bool, str, str, str]:
    return source.own, source.name, source.source, source.version


def make_catalogue(sources: Iterable[Source]) -> Catalogue:
    """Load plugins and ask their hooks; what fails is listed with its error and left out."""
    games: dict[str, Game] = {}
    rules: dict[str, HouseRule] = {}
    bots: dict[str, Bot] = {}
    owners: dict[str, str] = {}
    infos: list[PluginInfo] = []
    for source in sorted(sources, key=_place):
        try:
            _refuse_twin(source, infos)
            new_games, new_rules, new_bots = _ask(source)
            things: list[Game | HouseRule | Bot] = [*new_games, *new_rules, *new_bots]
            _refuse_clashes(source, things, owners)
        except PluginError as error:
            infos.append(PluginInfo(source.name, source.source, source.version, ok=False, error=f"{error}."))
            continue
        games |= {game.id: game for game in new_games}
        rules |= {rule.id: rule for rule in new_rules}
        bots |= {bot.id: bot for bot in new_bots}
        owners |= {thing.id: source.name for thing in things}
        infos.append(PluginInfo(source.name, source.source, source.version, ok=True))
    by_name = (dict(sorted(games.items())), dict(sorted(rules.items())))
    return _without_misfits(Catalogue(*by_name, tuple(infos), owners, dict(sorted(bots.items()))))


def _without_misfits(found: Catalogue) -> Catalogue:
    """Leave out the plugins whose house rule for one game does not go with it: better told now than at the table."""
    failed: dict[str, PluginError] = {}
    for rule in found.house_rules.values():
        plugin = found.owners[rule.id]
        try:
            if rule.game:
                found.compile(rule.game, [rule.id])
        except RulesetError as error:
            failed[plugin] = PluginError(plugin, f"the house rule {rule.id!r}", str(error))
    return _without(found, failed) if failed else found


def _without(found: Catalogue, failed: Mapping[str, PluginError]) -> Catalogue:
    def fared(info: PluginInfo) -> PluginInfo:
        error = failed.get(info.name) if info.ok else None
        return msgspec.structs.replace(info, ok=False, error=f"{error}.") if error else info

    return Catalogue(
        {name: game for name, game in found.games.items() if found.owners[name] not in failed},
        {name: rule for name, rule in found.house_rules.items() if found.owners[name] not in failed},
        tuple(map(fared, found.plugins)),
        {name: owner for name, owner in found.owners.items() if owner not in failed},
        {name: bot for name, bot in found.bots.items() if found.owners[name] not in failed},
    )


def _ask(source: Source) -> tuple[list[Game], list[HouseRule], list[Bot]]:
    """Load one plugin into a manager of its own and collect what it yields."""
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hookspecs)
    try:
        module = source.load()
    except (Exception, SystemExit) as error:
        raise PluginError(source.name, "import", error) from error
    try:
        manager.register(module, name=source.name)
        manager.check_pending()
    except Exception as error:
        raise PluginError(source.name, "registration", error) from error
    games = _collect(source, "rummy_games", manager.hook.rummy_games, Game)
    rules = _collect(source, "rummy_house_rules", manager.hook.rummy_house_rules, HouseRule)
    bots = _collect(source, "rummy_bots", manager.hook.rummy_bots, Bot)
    if not games and not rules and not bots:
        raise PluginError(source.name, "registration", "it yields neither games nor house rules nor bots")
    return games, rules, bots


def _collect(source: Source, hook: str, call: Callable[[], list[Iterable[_T]]], kind: type[_T]) -> list[_T]:
    try:
        found = [thing for things in call() for thing in things]
        for thing in found:
            _examine(thing, kind)
    except (Exception, SystemExit) as error:
        raise PluginError(source.name, hook, error) from error
    return found


def _examine(thing: Game | HouseRule | Bot, kind: type[object]) -> None:
    """Raise when it is not what the hook should yield, or could not be used: nobody else has looked at its types."""
    if not isinstance(thing, kind):
        raise TypeError(f"it yields {type(thing).__name__} where {kind.__name__} is needed")
    if not ID.fullmatch(str(thing.id)):
        raise ValueError(f"{thing.id!r} is not an id: small letters, digits and hyphens")
    if isinstance(thing, Game):
        thing.rules.with_()
    elif isinstance(thing, Bot):
        if thing.id in BUILT_IN or not callable(thing.decide):
            raise ValueError(f"the level {thing.id!r} is one of the program, or cannot be called")
    elif any(option.type not in _TYPE_WORDS for option in thing.options):
        raise TypeError(f"the options of the house rule {thing.id!r} must be of the types int, bool or str")


def _refuse_twin(source: Source, infos: Sequence[PluginInfo]) -> None:
    twin = next((info for info in infos if info.name == source.name), None)
    if twin is not None:
        raise PluginError(source.name, "registration", f"another plugin of this name comes from {twin.source}")


def _refuse_clashes(source: Source, things: Sequence[Game | HouseRule | Bot], owners: Mapping[str, str]) -> None:
    ids = [thing.id for thing in things]
    clash = next((one for one in ids if one in owners or ids.count(one) > 1), None)
    if clash is not None:
        owner = owners.get(clash, source.name)
        raise PluginError(source.name, "registration", f"{clash!r} is already provided by {owner!r}")
