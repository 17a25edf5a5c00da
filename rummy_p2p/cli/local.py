"""Commands that need no network: games, rules, variants, hand, scenario, practice."""

from __future__ import annotations

import sys
import textwrap
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import msgspec

from rummy_p2p.cli import ERROR, OK, RULES, USAGE, CommandError
from rummy_p2p.ruleset import Ruleset, RulesetError, differences
from rummy_p2p.sentences.commands import command_text, either, game_line, house_rule_line, kind_text, option_line
from rummy_p2p.sentences.lobby import lobby_text
from rummy_p2p.sentences.titles import title_text
from rummy_p2p.store import Paths, Store, StoreError
from rummy_p2p.variants.api import Game, HouseRule, Option
from rummy_p2p.variants.manager import Catalogue, Source, installed, make_catalogue

WIDTH = 100


def catalogue(options: Namespace) -> Catalogue:
    """Return the catalogue of this installation with the player's files and those that the command names as rules.

    Plugins that failed are named on stderr; with a file that the command names, that ends it.
    """
    named = [text for key in ("game", "diff", "house") for text in _texts(getattr(options, key, None))]
    found = make_catalogue(_sources(options, named))
    asked = {Path(text).name for text in named}
    for plugin in found.plugins:
        if not plugin.ok and plugin.name in asked:
            raise CommandError(plugin.error or plugin.name, USAGE)
        if not plugin.ok:
            sys.stderr.write(f"rummy-p2p: {command_text('left-out', error=str(plugin.error))}\n")
    return found


def _sources(options: Namespace, named: Sequence[str] = ()) -> tuple[Source, ...]:
    """Return what is installed, and the player's own files; what is wrong with their folder is told on stderr."""
    from rummy_p2p.variants.folder import own_variants, with_files

    own, notices = own_variants(store(options))
    for notice in notices:
        sys.stderr.write(f"rummy-p2p: {notice.sentence}\n")
    try:
        return with_files((*installed(), *own), named)
    except RulesetError as error:
        raise refused(error) from error


def _texts(value: str | Sequence[str] | None) -> Sequence[str]:
    return [value] if isinstance(value, str) else value or ()


def store(options: Namespace) -> Store:
    """Return the files of this installation, or of ``--data``."""
    return Store(Paths.of(Path(options.data) if options.data else None))


def compiled(games: Catalogue, game: str, house: Sequence[str]) -> Ruleset:
    """Compile a game, or end the command with the sentence why not."""
    try:
        return games.compile(game, house)
    except RulesetError as error:
        raise refused(error) from error


def refused(error: RulesetError) -> CommandError:
    """Return how a command ends when rules are refused."""
    return CommandError(str(error), RULES if error.code == "unknown-rule" else USAGE)


def answer(data: object) -> None:
    """Write one JSON object to stdout, in UTF-8 whatever the terminal speaks."""
    sys.stdout.buffer.write(msgspec.json.encode(data) + b"\n")


def say(*lines: str) -> None:
    """Write lines to stdout."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def games(options: Namespace) -> int:
    """List games and house rules."""
    found = catalogue(options)
    if options.json:
        answer(
            {
                "games": [_game(game, found) for game in found.games.values()],
                "house_rules": [_house_rule(rule, found) for rule in found.house_rules.values()],
            }
        )
        return OK
    for game in found.games.values():
        say(f"{game.id:14} {game_line(game.rules)}")
    say("", command_text("house-rules"))
    for rule in found.house_rules.values():
        options_ = (f"{'':14}   {_option_text(one)}" for one in rule.options)
        say(f"{rule.id:14} {house_rule_line(rule.title, rule.explain)}", *options_)
    return OK


def _game(game: Game, found: Catalogue) -> dict[str, object]:
    meta, players = game.rules.meta, game.rules.players
    return {
        "id": game.id,
        "title": meta.title,
        "players": (players.min, players.max),
        "minutes": meta.minutes,
        "difficulty": meta.difficulty,
        "plugin": found.owners[game.id],
    }


def _house_rule(rule: HouseRule, found: Catalogue) -> dict[str, object]:
    return {
        "id": rule.id,
        "title": rule.title,
        "options": [
            {"name": o.name, "type": o.type.__name__, "default": o.default, "choices": o.choices, "explain": o.explain}
            for o in rule.options
        ],
        "fits": found.fits(rule),
        "plugin": found.owners[rule.id],
        "explain": rule.explain,
    }


def _option_text(option: Option) -> str:
    values = [str(choice) for choice in option.choices] or [option.type.__name__]
    return option_line(option.name, values, None if option.default is None else str(option.default), option.explain)


def rules(options: Namespace) -> int:
    """Show the rule sheet, the knobs and what differs."""
    from rummy_p2p.variants.sheet import sheet

    found = catalogue(options)
    here = compiled(found, options.game, options.house)
    standard = compiled(found, options.diff or here.game, ())
    changed = differences(standard, here)
    paragraphs = sheet(here, changed)
    if options.json:
        answer(
            {
                "game": here.game,
                "house": here.house,
                "fingerprint": here.fingerprint,
                "knobs": here.knobs(),
                "sheet": paragraphs,
                "differs": [{"knob": knob, "standard": a, "here": b} for knob, (a, b) in changed.items()],
            }
        )
    else:
        say("\n\n".join(textwrap.fill(paragraph, WIDTH) for paragraph in paragraphs))
    return OK


def variants(options: Namespace) -> int:
    """List the plugins and how they fared, or carry out what the command wants of one."""
    if options.action:
        from rummy_p2p.cli.variants import carry_out

        return carry_out(options)
    plugins = make_catalogue(_sources(options)).plugins
    folder = store(options).variants_folder
    if options.json:
        answer({"plugins": plugins, "folder": str(folder)})
    else:
        say(*(f"{p.name:14} {p.source} {p.version} {'ok' if p.ok else p.error}" for p in plugins))
        say(command_text("folder", folder=str(folder)))
    return OK


def hand(options: Namespace) -> int:
    """Answer what the best arrangement of a hand is."""
    from rummy_p2p.offline import hand as asked

    here = compiled(catalogue(options), options.game, options.house)
    rounds = max(1, len(here.rounds))
    if not 1 <= options.round <= rounds:
        raise CommandError(command_text("no-round", rounds=rounds, round=options.round), USAGE)
    try:
        cards = asked.read_hand(options.cards, here)
        table = asked.read_table(options.table, here, cards)
    except asked.HandError as error:
        raise CommandError(str(error), USAGE) from error
    found = asked.answer(cards, here, table=table, opened=options.opened, round_index=options.round - 1)
    if options.json:
        answer(found)
        return OK
    say(*(f"{kind_text(meld.kind):4} {' '.join(meld.cards)} ({meld.points})" for meld in found.melds))
    say(*(f"add  {text}" for text in found.lay_offs))
    left = " ".join(found.deadwood)
    say(command_text("left", cards=left, points=found.deadwood_points) if left else command_text("left-nothing"))
    if found.best_discards:
        say(command_text("best-discard", cards=either(found.best_discards)))
    return OK


def scenario(options: Namespace) -> int:
    """Play scenario files and say which hold."""
    from rummy_p2p.offline.scenario import run_file, scenario_files

    paths = [Path(path) for path in options.paths]
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        raise CommandError(command_text("no-path", path=missing[0]), USAGE)
    files = scenario_files(paths)
    if not files:
        raise CommandError(command_text("no-scenarios", path=options.paths[0]), USAGE)
    found = catalogue(options)
    outcomes = [run_file(path, found) for path in files]
    failed = [outcome for outcome in outcomes if not outcome.ok]
    if options.json:
        answer({"passed": len(outcomes) - len(failed), "failed": len(failed), "files": outcomes})
    else:
        for outcome in failed:
            where = "at the end" if outcome.step is None else f"step {outcome.step}"
            say(f"{outcome.file}: {where}: expected {outcome.expected}, got {outcome.got}")
        say(f"{len(outcomes) - len(failed)} passed, {len(failed)} failed")
    return ERROR if failed else OK


def practice(options: Namespace) -> int:
    """Play alone against bots."""
    import asyncio

    from rummy_p2p.cli.lan import logging_to_file as set_up
    from rummy_p2p.cli.screen_play import on_screen, practise
    from rummy_p2p.offline.practice import practice_seat
    from rummy_p2p.ui.plain import run

    games = catalogue(options)
    here, levels = compiled(games, options.game, options.house), games.levels()
    if options.level not in levels:
        raise CommandError(lobby_text("no-level", level=repr(options.level), levels=", ".join(levels)), USAGE)
    if options.hands is not None and options.hands < 1:
        raise CommandError(command_text("too-few-hands", hands=options.hands), USAGE)
    seats = options.bots + 1
    if not here.players.min <= seats <= here.players.max:
        fitting = {"least": here.players.min - 1, "most": here.players.max - 1}
        raise CommandError(command_text("wrong-bots", title=title_text(here), bots=options.bots, **fitting), USAGE)
    history, files = _history(options), store(options)
    shown = on_screen(options, files)
    bot, nick = levels[options.level], options.nick or command_text("you")
    seat = practice_seat(here, seats, nick, options.seed, bot, options.hands, stays=shown)
    seat.pace = 1.0 if sys.stdin.isatty() and not options.no_pause and options.pace > 0 else 0.0
    if shown:
        with set_up(options, files):
            return practise(options, files, seat, seat.facts)
    return asyncio.run(run(seat, history=history))


def _history(options: Namespace) -> Path:
    """Return where typed lines are kept."""
    try:
        return store(options).history_file
    except StoreError as error:
        raise CommandError(str(error)) from error
