"""The rules of somebody else's table: as this installation has them, or, when a file of the creator's is among them, as
its creator tells them.

The law of the file
    A table names its game, its house rules and the plugins that had a hand in them, and carries the rules in full. What
    is installed here is compiled here. A house rule from a TOML file is data and may come from the creator: then the
    rules are taken as they are told, if all the functions that they use are installed here, and exactly so. Code never
    comes from a peer, and a rule that came is always told to the player.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from rummy_p2p.protocol.messages import TableInfo
from rummy_p2p.protocol.text import CHAT_LIMIT, TITLE_LIMIT, clean
from rummy_p2p.ruleset import KnobFunction, Labels, Meta, Ruleset, RulesetError, differences, from_canonical
from rummy_p2p.sentences.language import _, listed
from rummy_p2p.variants.manager import TOML, Catalogue, split_rule
from rummy_p2p.variants.sheet import difference_paragraphs

Mark = tuple[str, str, str, str]
_LABEL_LIMIT: Final = 12


class TableRules(msgspec.Struct, frozen=True):
    """A table's rules, and what its player must be told of them: nothing when they are this installation's own."""

    rules: Ruleset
    told: tuple[str, ...] = ()


class _Named(msgspec.Struct, frozen=True):
    """The names in a canonical form."""

    game: str
    house: tuple[str, ...] = ()
    functions: tuple[Mark, ...] = ()


def table_rules(games: Catalogue, info: TableInfo) -> TableRules:
    """Return the rules of a table. Raises RulesetError ``unknown-rule`` when something is not installed here, with the
    plugin that has it; ``rule-conflict`` when the creator contradicts itself.
    """
    named = _read(info.rules)
    files = {text for text in named.house if f"{_id(text)}{TOML}" in {mark.name for mark in info.plugins}}
    missing = [text for text in _unknown(games, named) if text not in files]
    if missing:
        plugins = ", ".join(clean(f"{mark.name} {mark.version}", TITLE_LIMIT) for mark in info.plugins) or _("unknown")
        sentence = _("This table plays {rules}, which this installation does not have. Plugins there: {plugins}.")
        raise RulesetError("unknown-rule", sentence.format(rules=_names(missing), plugins=plugins))
    if not files:
        return TableRules(_own(games, named))
    mine = _own_files(games, named)
    if mine is not None and mine.fingerprint == info.fingerprint.hex():
        return TableRules(mine)
    return _as_told(games, info, named, files)


def rules_with_functions(games: Catalogue, canonical: bytes) -> Ruleset:
    """Return rules from their canonical form, with the functions that they use from the plugins of this catalogue.

    Raises RulesetError ``unknown-rule`` with the plugins that are missing or differ.
    """
    named = _read(canonical)
    wanted = _functions(games, named)
    _refuse_missing([mark for mark in named.functions if mark not in {function.mark() for function in wanted}])
    return from_canonical(canonical, wanted)


def _as_told(games: Catalogue, info: TableInfo, named: _Named, files: set[str]) -> TableRules:
    rules = rules_with_functions(games, info.rules)
    if rules.fingerprint != info.fingerprint.hex():
        raise RulesetError("rule-conflict", _("What this table's creator says of its rules contradicts itself."))
    rules = _cleaned(rules)
    plain = _plain(games, named, files)
    sentence = _("This table plays by a file of its creator: {files}. It holds no code, only values of {game}'s rules.")
    first = sentence.format(files=_names(sorted(files)), game=_names([named.game]))
    changed = differences(plain, rules)
    paragraphs = difference_paragraphs(rules, changed) if changed else [_("It changes nothing that matters here.")]
    return TableRules(rules, (first, *paragraphs))


def _plain(games: Catalogue, named: _Named, files: set[str]) -> Ruleset:
    """Return the game with the house rules that are known here, to tell what the files change."""
    try:
        return games.compile(named.game, [text for text in named.house if text not in files])
    except RulesetError:  # those others go only together with the file
        return games.compile(named.game)


def _own(games: Catalogue, named: _Named) -> Ruleset:
    """Return the rules as they are installed here; a function of a plugin must be the same."""
    mine = games.compile(named.game, named.house)
    own = {function.mark() for function in mine.functions}
    _refuse_missing([mark for mark in named.functions if mark not in own])
    return mine


def _own_files(games: Catalogue, named: _Named) -> Ruleset | None:
    """Return the rules as they are here when this player has files of the same names; None when they cannot be."""
    try:
        return games.compile(named.game, named.house)
    except RulesetError:
        return None


def _unknown(games: Catalogue, named: _Named) -> Iterator[str]:
    if named.game not in games.games:
        yield named.game
    yield from (text for text in named.house if _id(text) not in games.house_rules)


def _read(canonical: bytes) -> _Named:
    try:
        return msgspec.json.decode(canonical, type=_Named)
    except (msgspec.DecodeError, RecursionError) as error:
        raise RulesetError("bad-option", _("These are not rules: {error}.").format(error=error)) from error


def _id(text: str) -> str:
    try:
        return split_rule(text)[0]
    except RulesetError:
        return text


def _functions(games: Catalogue, named: _Named) -> tuple[KnobFunction, ...]:
    """Return the functions that some house rule or game of this catalogue brings and that the rules use."""
    known: dict[Mark, KnobFunction] = {}
    for house in ((), named.house, *((text,) for text in (*named.house, *games.house_rules))):
        if not known.keys() >= set(named.functions):
            known |= {function.mark(): function for function in _brought(games, named.game, house)}
    return tuple(known[mark] for mark in named.functions if mark in known)


def _brought(games: Catalogue, game: str, house: Iterable[str]) -> tuple[KnobFunction, ...]:
    try:
        return games.compile(game, tuple(house)).functions
    except RulesetError:
        return ()


def _refuse_missing(marks: Iterable[Mark]) -> None:
    plugins = dict.fromkeys(clean(f"{plugin} {version}", TITLE_LIMIT) for _knob, plugin, version, _hash in marks)
    if plugins:
        sentence = _(
            "This table uses code of the plugin {plugins}, which this installation does not have, or not exactly so. "
            "Get the same file or package from the table's creator, and look at it before you trust it."
        )
        raise RulesetError("unknown-rule", sentence.format(plugins=listed(list(plugins))))


def _names(texts: Iterable[str]) -> str:
    return listed([clean(text, TITLE_LIMIT) or "?" for text in texts])


def _cleaned(rules: Ruleset) -> Ruleset:
    """Return the rules with the words of a stranger made fit for a terminal; they do not enter the fingerprint."""
    meta, labels = rules.meta, rules.labels
    return msgspec.structs.replace(
        rules,
        game=clean(rules.game, TITLE_LIMIT),
        house=tuple(clean(text, CHAT_LIMIT) for text in rules.house),
        meta=Meta(title=clean(meta.title, TITLE_LIMIT), minutes=meta.minutes, difficulty=meta.difficulty),
        labels=Labels(
            call=clean(labels.call, _LABEL_LIMIT) or Labels().call,
            knock=clean(labels.knock, _LABEL_LIMIT) or Labels().knock,
        ),
    )
