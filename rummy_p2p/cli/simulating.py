"""simulate: bots against bots, here, on all cores or on a cluster, and what that says of a game."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import lru_cache, partial
from importlib import import_module
from multiprocessing import get_context
from typing import Any

import msgspec

from rummy_p2p.bots import Strategy
from rummy_p2p.cli import ERROR, OK, USAGE, CommandError
from rummy_p2p.cli.local import answer, catalogue, compiled, say
from rummy_p2p.offline.simulate import Estimate, Plan, Played, Result, difference, play_deals, share_of, sum_up
from rummy_p2p.offline.simulate import simulate as play_all
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.simulation import (
    ending_text,
    endings_text,
    plain_interval,
    share_text,
    simulation_text,
    with_interval,
)
from rummy_p2p.sentences.titles import title_text


class Recipe(msgspec.Struct, frozen=True):
    """What a worker needs to play the same deals: words, not code. It compiles the rules by itself."""

    game: str
    house: tuple[str, ...]
    bots: tuple[str, ...]
    seed: int
    data: str | None
    fingerprint: str


def simulate(options: Namespace) -> int:
    """Play many hands and tell what came of it."""
    games = catalogue(options)
    rules = compiled(games, options.game, options.house)
    levels = tuple(level.strip() for level in options.bots.split(","))
    _examine(options, rules, levels, games.levels())
    other = compiled(games, options.compare, ()) if options.compare else None
    if other is not None:
        _examine(options, other, levels, games.levels())
    with _workers(options) as executor:
        here = _run(options, rules, (options.game, tuple(options.house)), executor)
        there = None if other is None else _run(options, other, (options.compare, ()), executor)
    if options.json:
        answer(_data(here) if there is None else {**_data(here), "compare": _data(there)})
    else:
        _tell(here, rules)
        if there is not None and other is not None:
            _compare(here, there, (_name(rules), _name(other)))
    return OK


def _examine(options: Namespace, rules: Ruleset, levels: Sequence[str], known: Mapping[str, Strategy]) -> None:
    """End the command when it asks for what cannot be played."""
    unknown = next((level for level in levels if level not in known), None)
    if unknown is not None:
        raise CommandError(simulation_text("no-level", level=repr(unknown), levels=", ".join(known)), USAGE)
    players = rules.players
    if not players.min <= len(levels) <= players.max:
        facts: dict[str, str | int] = {"title": title_text(rules), "least": players.min, "most": players.max}
        facts["count"] = len(levels)
        raise CommandError(simulation_text("wrong-bots", **facts), USAGE)
    if options.hands < 1:
        raise CommandError(simulation_text("few-hands", hands=options.hands), USAGE)
    if options.jobs < 1:
        raise CommandError(simulation_text("few-jobs", jobs=options.jobs), USAGE)


# --- who plays -------------------------------------------------------------------------------------------------------


@contextmanager
def _workers(options: Namespace) -> Iterator[Executor | None]:
    """Give the executor that the command asks for, and close it."""
    if options.cluster:
        with _cluster(options.cluster) as executor:
            yield executor
    elif options.jobs > 1:
        with ProcessPoolExecutor(options.jobs, get_context("spawn")) as executor:
            yield executor
    else:
        yield None


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    try:
        distributed: Any = import_module("distributed")  # an extra, and without types
    except ImportError as error:
        raise CommandError(simulation_text("no-cluster"), USAGE) from error
    try:
        client = distributed.Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise CommandError(simulation_text("lost-cluster", address=address, why=str(error)), ERROR) from error
    with client:
        executor: Executor = client.get_executor(pure=False)
        yield executor


def play_recipe(recipe: Recipe, first: int, end: int) -> list[Played]:
    """Play some deals of a recipe, in whatever process this is."""
    return play_deals(_plan(recipe), first, end)


@lru_cache(maxsize=4)
def _plan(recipe: Recipe) -> Plan:
    games = catalogue(Namespace(game=recipe.game, house=recipe.house, data=recipe.data))
    rules = compiled(games, recipe.game, recipe.house)
    if rules.fingerprint != recipe.fingerprint:
        raise CommandError(simulation_text("other-rules", game=recipe.game), ERROR)
    known = games.levels()
    return Plan(rules, tuple(known[level] for level in recipe.bots), recipe.seed)


def _run(options: Namespace, rules: Ruleset, words: tuple[str, tuple[str, ...]], executor: Executor | None) -> Result:
    levels = tuple(level.strip() for level in options.bots.split(","))
    recipe = Recipe(*words, levels, options.seed, options.data, rules.fingerprint)
    deals = max(1, round(options.hands / len(levels)))
    with _progress(title_text(rules), deals) as told:
        return sum_up(rules, levels, play_all(partial(play_recipe, recipe), deals, executor, told))


class _Bar:
    """A bar on stderr, drawn anew over itself; a stream that is no terminal gets nothing."""

    WIDTH = 30

    def __init__(self, title: str, deals: int) -> None:
        self._title = title
        self._deals = deals
        self._shown = sys.stderr.isatty()

    def __call__(self, done: int) -> None:
        if self._shown:
            full = self.WIDTH * done // self._deals
            sys.stderr.write(f"\r{self._title} [{'#' * full:{self.WIDTH}}] {100 * done // self._deals} %")
            sys.stderr.flush()

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


@contextmanager
def _progress(title: str, deals: int) -> Iterator[_Bar]:
    bar = _Bar(title, deals)
    bar(0)
    try:
        yield bar
    finally:
        bar.clear()


# --- what came of it -------------------------------------------------------------------------------------------------


def _data(result: Result) -> dict[str, object]:
    return {name: getattr(result, name) for name in result.__struct_fields__}


def _tell(result: Result, rules: Ruleset) -> None:
    say(simulation_text("head", title=title_text(rules), hands=result.hands))
    for seat, bot in enumerate(result.bots, 1):
        gain, won = _points(bot.gain), share_text(bot.won.mean, bot.won.around)
        say(simulation_text("bot", level=bot.level, seat=seat, gain=gain, won=won))
    unequal = [place for place in result.seats if abs(place.gain.mean) > place.gain.around]
    say(*(simulation_text("unfair", place=place.place + 1, gain=_points(place.gain)) for place in unequal))
    if not unequal:
        say(simulation_text("fair"))
    say(simulation_text("turns", turns=f"{result.turns.mean:.1f} ± {result.turns.around:.1f}"))
    say(simulation_text("endings", endings=endings_text(result.endings)))


Row = tuple[str, Estimate, Estimate]


def _rows(here: Result, there: Result) -> Iterator[Row]:
    """Yield what the two games are compared in: the words for it, here, there."""
    yield simulation_text("row-turns"), here.turns, there.turns
    yield simulation_text("row-first"), here.seats[0].gain, there.seats[0].gain
    for seat, (mine, its) in enumerate(zip(here.bots, there.bots, strict=True), 1):
        yield simulation_text("row-bot", level=mine.level, seat=seat), mine.gain, its.gain
    for ending in sorted({*here.endings, *there.endings}):
        yield simulation_text("row-ending", ending=ending_text(ending)), _share(here, ending), _share(there, ending)


def _share(result: Result, ending: str) -> Estimate:
    share = share_of(result.endings.get(ending, 0), result.hands)
    return Estimate(100 * share.mean, 100 * share.around)


def _compare(here: Result, there: Result, titles: tuple[str, str]) -> None:
    """Say a table: in what the games differ, by how much, and whether that is more than chance."""
    lines = [("", *titles, simulation_text("difference"))]
    for words, mine, its in _rows(here, there):
        more = difference(its, mine)
        beyond = " *" if abs(more.mean) > more.around else ""
        lines.append((words, plain_interval(*_pair(mine)), plain_interval(*_pair(its)), _points(more) + beyond))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    say("", *("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines), simulation_text("beyond"))


def _pair(found: Estimate) -> tuple[float, float]:
    return found.mean, found.around


def _name(rules: Ruleset) -> str:
    """Return what stands over a column: the title of the game, and its house rules."""
    return " ".join((title_text(rules), *(f"+{text}" for text in rules.house)))


def _points(found: Estimate) -> str:
    return with_interval(found.mean, found.around)
