"""Commands for those who learn, and for several players at one screen: learn, hotseat."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import Final

from rummy_p2p.bots import LEVELS
from rummy_p2p.cli import OK, USAGE, CommandError
from rummy_p2p.cli.lan import logging_to_file
from rummy_p2p.cli.local import catalogue, compiled, say, store
from rummy_p2p.cli.screen_play import on_screen
from rummy_p2p.cli.screen_rooms import PACE
from rummy_p2p.cli.settled import chosen
from rummy_p2p.offline.hotseat import OneScreen, one_screen
from rummy_p2p.offline.lesson import Course
from rummy_p2p.offline.lesson_gin import STEPS, gin_course
from rummy_p2p.offline.lesson_guide import GuidedSeat, guide_page, guided_seat
from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.lessons import lesson_text
from rummy_p2p.sentences.replays import curtain_text
from rummy_p2p.sentences.titles import title_text
from rummy_p2p.ui.console import Seat
from rummy_p2p.ui.curtain import play
from rummy_p2p.ui.curtain_room import CurtainRoom
from rummy_p2p.ui.learn_room import GuideRoom, LearnRoom
from rummy_p2p.ui.plain import run
from rummy_p2p.ui.room import Room
from rummy_p2p.ui.screen import Screen

# The deals of a guided hand: always the same ones, so that a learner can go through them twice.
GUIDE_SEED: Final = 5
TEACHER: Final = "Bea"
MOST_SEATS: Final = 3


def learn(options: Namespace) -> int:
    """Teach a game: gin in steps, any other game in a guided hand."""
    rules = compiled(catalogue(options), options.game, ())
    if rules.game == "gin":
        return _steps(options, rules)
    if options.step is not None:
        raise CommandError(lesson_text("no-steps", title=title_text(rules)), USAGE)
    if options.all:
        say(*guide_page(rules))
        return OK
    seats = max(rules.players.min, min(MOST_SEATS, rules.players.max))
    shown = on_screen(options, store(options))
    seat = guided_seat(rules, seats, options.nick or "You", GUIDE_SEED, LEVELS["normal"], stays=shown)
    return _shown(options, lambda screen: _guide_room(screen, seat)) if shown else _in_lines(seat)


def _guide_room(screen: Screen, seat: GuidedSeat) -> Room:
    room = GuideRoom(screen, seat, facts=seat.facts, pace=PACE)
    room.begin()
    return room


def _steps(options: Namespace, rules: Ruleset) -> int:
    first = 1 if options.step is None else options.step
    if not 1 <= first <= len(STEPS):
        raise CommandError(lesson_text("no-step", last=len(STEPS)), USAGE)
    course = gin_course(rules, (options.nick or "You", TEACHER), first)
    if options.all:
        say(*course.page())
        return OK
    shown = on_screen(options, store(options))
    return _shown(options, lambda screen: _learn_room(screen, course)) if shown else _in_lines(course)


def _learn_room(screen: Screen, course: Course) -> Room:
    room = LearnRoom(screen, course, pace=PACE)
    room.begin()
    return room


def _in_lines(seat: Seat) -> int:
    return asyncio.run(run(seat, history=None))


def _shown(options: Namespace, make: Callable[[Screen], Room]) -> int:
    """Show a room on the full screen until it has been left."""
    files = store(options)

    async def show() -> int:
        screen = Screen(chosen(options, files).look())
        return await screen.run(make(screen))

    with logging_to_file(options, files):
        return asyncio.run(show())


def hotseat(options: Namespace) -> int:
    """Play at one screen, one after the other."""
    rules = compiled(catalogue(options), options.game, options.house)
    table = one_screen(rules, _names(rules, options.names), options.seed)
    if not on_screen(options, store(options)):
        return play(table)
    return _shown(options, lambda screen: _curtain_room(screen, table))


def _curtain_room(screen: Screen, table: OneScreen) -> Room:
    room = CurtainRoom(screen, table)
    room.begin()
    return room


def _names(rules: Ruleset, given: Sequence[str]) -> tuple[str, ...]:
    """Return the players' names, each one's own; the command ends where they do not suit the game."""
    players, names = rules.players, tuple(clean(name, NICK_LIMIT) or "?" for name in given)
    if not players.min <= len(names) <= players.max:
        facts = {"least": players.min, "most": players.max, "count": len(names)}
        code = "names-exact" if players.min == players.max else "names"
        raise CommandError(curtain_text(code, title=title_text(rules), **facts), USAGE)
    twins = [name for name in names if [other.lower() for other in names].count(name.lower()) > 1]
    if twins:
        raise CommandError(curtain_text("twins", name=twins[0]), USAGE)
    return names
