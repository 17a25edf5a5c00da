"""Checking what a file brings: the laws hold at every table where it can be played, and so do its scenarios."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from rummy_p2p.offline.laws import LawBroken, try_hand
from rummy_p2p.offline.scenario import Outcome, run_file, scenario_files
from rummy_p2p.ruleset import Ruleset, RulesetError
from rummy_p2p.variants.api import HouseRule, OptionValue
from rummy_p2p.variants.manager import Catalogue


class TableTried(msgspec.Struct, frozen=True):
    """How a table fared: hands and actions that were played; the law that is broken, with the moves that led there."""

    game: str
    house: tuple[str, ...]
    seats: int
    hands: int
    actions: int
    ok: bool
    law: str | None = None
    problem: str | None = None
    seed: int | None = None
    record: tuple[str, ...] = ()


class Misfit(msgspec.Struct, frozen=True):
    """A game over which a house rule cannot be laid, and why; no fault of either."""

    game: str
    house: str
    why: str


class Checked(msgspec.Struct, frozen=True):
    """What holds of a file. ``ok``: it can be played somewhere, and everything holds wherever it can."""

    ok: bool
    tables: tuple[TableTried, ...]
    misfits: tuple[Misfit, ...]
    scenarios: tuple[Outcome, ...]


Tell = Callable[[TableTried], None]


def check_plugin(
    catalogue: Catalogue, plugin: str, file: Path, hands: int, seed: int, tell: Tell = lambda _table: None
) -> Checked:
    """Play ``hands`` random hands at each table of what a plugin of the catalogue brings; ``tell`` hears of each."""
    tables: list[TableTried] = []
    misfits: list[Misfit] = []
    for game, text in _combinations(catalogue, plugin):
        try:
            rules = catalogue.compile(game, [text] if text else [])
        except RulesetError as error:
            misfits.append(Misfit(game, text, str(error)))
            continue
        for seats in sorted({rules.players.min, rules.players.max}):
            tables.append(_try_table(rules, seats, hands, seed))
            tell(tables[-1])
    scenarios = tuple(run_file(path, catalogue) for path in scenarios_beside(file))
    ok = bool(tables) and all(table.ok for table in tables) and all(outcome.ok for outcome in scenarios)
    return Checked(ok, tuple(tables), tuple(misfits), scenarios)


def scenarios_beside(file: Path) -> list[Path]:
    """Return the scenario files that belong to a file: of the same name, and those in the folder ``scenarios``."""
    folder = file.parent / "scenarios"
    named = [*file.parent.glob(f"{file.stem}.scenario.toml"), *file.parent.glob(f"{file.stem}.*.scenario.toml")]
    return [*sorted(named), *scenario_files([folder] if folder.is_dir() else [])]


def _combinations(catalogue: Catalogue, plugin: str) -> Iterator[tuple[str, str]]:
    """Yield each game of the plugin, and each of its house rules, in each setting, with each game it may be for."""
    yield from ((game, "") for game in catalogue.games if catalogue.owners[game] == plugin)
    for rule in catalogue.house_rules.values():
        if catalogue.owners[rule.id] == plugin:
            games = [rule.game] if rule.game else list(catalogue.games)
            yield from ((game, text) for text in _settings(rule) for game in games)


def _settings(rule: HouseRule) -> Iterator[str]:
    """Yield the rule as it is, and with every choice of its options that is not the default."""
    yield rule.id
    for option in rule.options:
        choices = option.choices or ((True, False) if option.type is bool else ())
        others = [choice for choice in choices if choice not in (None, option.default)]
        yield from (f"{rule.id}:{option.name}={_typed(choice)}" for choice in others)


def _typed(choice: OptionValue) -> str:
    return ("yes" if choice else "no") if isinstance(choice, bool) else str(choice)


def _try_table(rules: Ruleset, seats: int, hands: int, seed: int) -> TableTried:
    actions = 0
    for number in range(hands):
        try:
            actions += try_hand(rules, seats, seed + number).actions
        except LawBroken as broken:
            return TableTried(
                rules.game, rules.house, seats, number, actions, ok=False,
                law=broken.law, problem=broken.sentence, seed=seed + number, record=broken.record,
            )  # fmt: skip
    return TableTried(rules.game, rules.house, seats, hands, actions, ok=True)
