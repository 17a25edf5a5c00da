"""A table of somebody else, as the lobby shows it: its row, and whether its rules can be played here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from rummy_p2p.cli.finding import Row
from rummy_p2p.protocol.forming import Guest
from rummy_p2p.protocol.messages import TableInfo
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.protocol.text import CHAT_LIMIT, clean
from rummy_p2p.ruleset import Ruleset, RulesetError, differences, from_canonical
from rummy_p2p.sentences.faults import retold
from rummy_p2p.sentences.screen_lobby import install_lines, lobby_say
from rummy_p2p.sentences.titles import is_named, rule_words, title_text
from rummy_p2p.ui.form import Plan
from rummy_p2p.ui.lobby_model import Caution, Fit, State, TableRow
from rummy_p2p.variants.foreign import table_rules
from rummy_p2p.variants.manager import Catalogue, split_rule
from rummy_p2p.variants.sheet import difference_paragraphs

_PLUGIN: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")
_STATES: Final[dict[str, State]] = {"open": "open", "password": "password", "playing": "playing"}
_FITS: Final[dict[str, Fit]] = {"same": "same", "missing": "missing", "different": "different"}


class Offered(msgspec.Struct, frozen=True):
    """The rules of a table, None when they cannot be played here; and what the player must be told."""

    rules: Ruleset | None
    told: tuple[str, ...] = ()


def table_row(games: Catalogue, row: Row, number: int, caution: Caution = "") -> TableRow:
    """Return a table as the lobby lists it; ``caution``: what is to be thought of whoever has opened it."""
    rules, limit = _words(games, row)
    return TableRow(
        id=row.id,
        number=number,
        title=row.called,
        game=row.game,
        rules=rules,
        house=row.house,
        house_titles=house_titles(games, row.house),
        taken=row.seats.taken,
        total=row.seats.total,
        state=_STATES[row.state],
        host=row.host,
        limit=limit,
        fit=_FITS[row.rules],
        address=row.address,
        caution=caution,
    )


def plan_of(session: TableSession, guest: Guest, level: str, password: str) -> Plan:
    """Return a table that this player has opened as the form of a new table would have it."""
    info = session.info
    return Plan(
        session.rules.game,
        session.rules.house,
        info.title if is_named(info.title, session.rules.game) else "",
        info.seats,
        guest.bots,
        level,
        info.hands,
        guest.wish,
        info.deal,
        password,
        "yes" if password else info.spectators,
        info.grace,
    )


def offered_rules(games: Catalogue, info: TableInfo) -> Offered:
    """Return the rules of a table as far as they can be played here, and otherwise why not and what to do."""
    try:
        found = table_rules(games, info)
    except RulesetError as error:
        return Offered(None, (retold(str(error)), "", *_missing(games, info)))
    if found.rules.fingerprint != info.fingerprint.hex():
        return Offered(None, _difference(found.rules, info))
    return Offered(found.rules, found.told)


def _missing(games: Catalogue, info: TableInfo) -> tuple[str, ...]:
    """Return how the plugins of a table are installed that are not here; a name that is none is not shown."""
    here = {plugin.name for plugin in games.plugins if plugin.ok}
    names = [mark.name for mark in info.plugins if mark.name not in here and _PLUGIN.fullmatch(mark.name)]
    if not names:
        return ()
    return (lobby_say("get-plugins"), *install_lines(names), "", lobby_say("get-plugins-why"))


def _words(games: Catalogue, row: Row) -> tuple[str, str]:
    """Return what is played at a table in a few words, and how long."""
    game = games.games.get(row.game)
    name = title_text(game.rules) if game else row.game
    try:
        ends = games.compile(row.game, row.house).match if row.rules == "same" else None
    except RulesetError:
        ends = None
    limit = ends and (ends.limit or ends.target)
    return " + ".join((name, *house_titles(games, row.house))), str(limit) if limit else "-"


def house_titles(games: Catalogue, house: Sequence[str]) -> tuple[str, ...]:
    """Return what house rules are called, as far as they are installed here."""
    return tuple(_house_title(games, text) for text in house)


def _house_title(games: Catalogue, text: str) -> str:
    try:
        rule = games.house_rules.get(split_rule(text)[0])
    except RulesetError:
        rule = None
    return rule_words(rule.title) if rule else text


def _difference(mine: Ruleset, info: TableInfo) -> tuple[str, ...]:
    """Return in what the rules of a table differ from those that are here under the same names."""
    plugins = ", ".join(clean(f"{mark.name} {mark.version}", CHAT_LIMIT) for mark in info.plugins)
    told = (lobby_say("rules-differ"), "")
    try:
        theirs = from_canonical(info.rules, mine.functions)
    except RulesetError:
        return (*told, lobby_say("rules-versions", plugins=plugins))
    paragraphs = difference_paragraphs(theirs, differences(mine, theirs))
    return (*told, *paragraphs, "", lobby_say("rules-versions", plugins=plugins))
