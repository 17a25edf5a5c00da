#!/usr/bin/env python3
"""Brings the catalogues in rummy_p2p/locale up to date with what the program says: ``make languages`` runs it.

New messages come in empty, which is English on the screen, until somebody translates them; what the program says no
more goes out. ``--missing`` lists what is empty, and changes nothing.

The law of the file
    Found are the marked sentences (``_``, ``N_``, ``plural``), the help of commands, every table called SENTENCES below
    the line, and what the shipped plugins tell of themselves. Nothing is matched by likeness: a changed sentence is
    translated anew.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT: Final = Path(__file__).parents[1]
LOCALES: Final = ROOT / "rummy_p2p" / "locale"
DOMAIN: Final = "rummy_p2p"
PLUGINS: Final = "variants_plugins"
PARSER: Final = "rummy_p2p/cli/parser.py"
LANGUAGES: Final = ("sv", "nb", "tr", "ro")
HEAD: Final = (
    "# rummy-p2p in {language}. `make languages` adds what is new and compiles it; the msgstr are edited here.\n"
)
BEGUN: Final = datetime(2026, 1, 1, tzinfo=UTC)  # a date that does not move makes no differences

Text = str | tuple[str, str]


def found() -> dict[Text, list[str]]:
    """Return every message of the program with the files that say it, in the order of the files."""
    places: dict[Text, list[str]] = {}
    for text, place in (*_marked(), *_plugins()):
        if place not in places.setdefault(text, []):
            places[text].append(place)
    return places


def _marked() -> Iterator[tuple[Text, str]]:
    for package in ("rummy_p2p", PLUGINS):
        for path in sorted((ROOT / package).rglob("*.py")):
            place = path.relative_to(ROOT).as_posix()
            for node in _in_order(ast.parse(path.read_text("utf-8"))):
                yield from ((text, place) for text in _texts(node, place))


def _in_order(tree: ast.AST) -> list[ast.stmt | ast.expr]:
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.stmt | ast.expr)]
    return sorted(nodes, key=lambda node: (node.lineno, node.col_offset))


def _texts(node: ast.AST, place: str) -> Iterator[Text]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id in ("_", "N_") and _literal(node.args[0]):
            yield _literal(node.args[0])
        if node.func.id == "plural" and _literal(node.args[0]):
            yield _literal(node.args[0]), _literal(node.args[1])
        if node.func.id == "_told" and _literal(node.args[0]):
            yield _literal(node.args[0])
        if node.func.id == "conflict" and place.startswith(PLUGINS):
            yield from _strings(node)
    if isinstance(node, ast.Call) and place == PARSER:
        yield from _helps(node)
    if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(isinstance(one, ast.Name) and one.id.strip("_") == "SENTENCES" for one in targets):
            yield from (text for table in ast.walk(node.value) if isinstance(table, ast.Dict) for text in _table(table))
    if place.startswith(PLUGINS) and isinstance(node, ast.FunctionDef) and _explains(node):
        yield from (text for one in ast.walk(node) if isinstance(one, ast.Return) for text in _strings(one))


def _helps(call: ast.Call) -> Iterator[str]:
    """Yield what a call in the parser says in the help of a command."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    yield from (text for name in ("help", "description", "epilog", "title") if (text := _literal(named.get(name))))
    if isinstance(call.func, ast.Name) and call.func.id == "_command":
        yield _literal(call.args[3])
    if isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument_group":
        yield _literal(call.args[0])


def _table(table: ast.Dict) -> Iterator[str]:
    yield from (text for value in table.values if (text := _literal(value)))


def _explains(function: ast.FunctionDef) -> bool:
    """Whether a function of a plugin answers why a house rule does not go with a game."""
    return function.returns is not None and ast.unparse(function.returns) == "str | None"


def _strings(node: ast.AST) -> Iterator[str]:
    """Yield the whole sentences in a piece of program; one that is put together there is told as it is."""
    parts = {part for one in ast.walk(node) if isinstance(one, ast.JoinedStr) for part in one.values}
    yield from (text for one in ast.walk(node) if one not in parts and (text := _literal(one)).endswith("."))


def _literal(node: ast.AST | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _plugins() -> Iterator[tuple[Text, str]]:
    """Yield what the shipped plugins say of their games and house rules."""
    for path in sorted((ROOT / PLUGINS).glob("[a-z]*.py")):
        plugin = import_module(f"{PLUGINS}.{path.stem}")
        place = path.relative_to(ROOT).as_posix()
        for game in plugin.rummy_games() if hasattr(plugin, "rummy_games") else ():
            yield game.rules.meta.title, place
        for rule in plugin.rummy_house_rules() if hasattr(plugin, "rummy_house_rules") else ():
            texts = (rule.title, rule.explain, *(option.explain for option in rule.options))
            yield from ((text, place) for text in texts if text)


def po_file(language: str) -> Path:
    """Return where the translations of a language are written."""
    return LOCALES / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(language: str) -> Catalog:
    """Return the catalogue of a language; an empty one when there is none yet."""
    path = po_file(language)
    if not path.exists():
        return Catalog(language, DOMAIN)
    with path.open("rb") as file:
        return read_po(file, language, DOMAIN)


def brought_up_to_date(language: str, messages: dict[Text, list[str]]) -> Catalog:
    """Return a catalogue with exactly these messages, and the translations that are there already."""
    old = read(language)
    new = Catalog(
        language, DOMAIN, HEAD.format(language=language), "rummy-p2p", "0", fuzzy=False, creation_date=BEGUN,
        revision_date=BEGUN, last_translator="rummy-p2p", language_team=language, msgid_bugs_address="rummy-p2p",
    )  # fmt: skip
    for text, places in messages.items():
        known = old.get(text if isinstance(text, str) else text[0])
        same = known is not None and known.id == text
        new.add(text, known.string if known is not None and same else None, [(place, 0) for place in places])
    return new


def missing(catalog: Catalog) -> list[Text]:
    """Return the messages without a translation."""
    return [key(message) for message in catalog if message.id and not all(forms(message))]


def key(message: Message) -> Text:
    """Return the English of a message: one text, or the one for one and the one for many."""
    return message.id if isinstance(message.id, str) else (message.id[0], message.id[1])


def forms(message: Message) -> tuple[str, ...]:
    """Return the translations of a message: one, or one for each plural form of the language."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ("",))


def write(language: str, catalog: Catalog) -> None:
    """Write a catalogue, and compile it."""
    path = po_file(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog, width=110, include_lineno=False)
    with path.open("rb") as file:
        compiled = read_po(file, language, DOMAIN)
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, compiled)


def main(words: Iterable[str]) -> int:
    """Bring all languages up to date, or tell what is missing."""
    listing, messages, gaps = "--missing" in words, found(), 0
    for language in LANGUAGES:
        catalog = brought_up_to_date(language, messages)
        left = missing(catalog)
        gaps += len(left)
        if listing:
            print(*(f"{language}: {text!r}" for text in left), sep="\n")  # noqa: T201 -- the answer of a program
        else:
            write(language, catalog)
            print(f"{language}: {len(messages)} messages, {len(left)} to translate")  # noqa: T201 -- as above
    return 1 if listing and gaps else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
