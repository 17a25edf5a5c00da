"""The matches that are kept here and not over: listed, chosen, and told of before another table is opened."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from contextlib import closing

from rummy_p2p.cli import USAGE, CommandError
from rummy_p2p.cli.lan import refusals
from rummy_p2p.cli.local import store
from rummy_p2p.journal import Journal, Unfinished
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.sentences.lobby import kept_row_text, lobby_text
from rummy_p2p.store import StoreError

_LEAST_OF_AN_ID = 4


def kept_matches(options: Namespace) -> tuple[Unfinished, ...]:
    """Return the matches of this installation's player, the latest first."""
    files = store(options)
    with refusals(), closing(Journal(files.journal_file)) as journal:
        return journal.unfinished(Identity(files.identity()).player_id)


def choose(found: tuple[Unfinished, ...], wanted: str | None) -> Unfinished:
    """Return the match that is wanted, by its number in the list, its title or the beginning of its id."""
    if not found:
        raise CommandError(lobby_text("nothing-kept"), USAGE)
    if wanted is None:
        return found[0]
    text = wanted.casefold()
    if text.isdecimal() and 0 < int(text) <= len(found):
        return found[int(text) - 1]
    for each in found:
        is_id = len(text) >= _LEAST_OF_AN_ID and each.match.hex().startswith(text)
        if is_id or text == each.title.casefold():
            return each
    raise CommandError(lobby_text("no-such-match", name=wanted), USAGE)


def tell_kept(options: Namespace) -> None:
    """Say which match one could go back to instead; a file that cannot be read does not keep anybody from playing."""
    if options.auto:
        return
    try:
        sentence = kept_sentence(options)
    except CommandError as error:
        sentence = str(error)
    if sentence:
        sys.stderr.write(f"rummy-p2p: {sentence}\n")


def kept_sentence(options: Namespace) -> str:
    """Return how to go back to the latest match that no other program plays now; empty when there is none."""
    files = store(options)
    with closing(Journal(files.journal_file)) as journal:
        found = [each for each in kept_matches(options) if _is_free(journal, each)]
    if not found:
        return ""
    facts = {"title": found[0].title, "players": ", ".join(found[0].players), "match": found[0].match.hex()[:8]}
    return lobby_text("kept", **facts)


def _is_free(journal: Journal, match: Unfinished) -> bool:
    try:
        journal.claim(match.match)
    except StoreError:
        return False
    journal.release(match.match)
    return True


def kept_line(number: int, kept: Unfinished) -> str:
    """Return a match as a line of the list."""
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(kept.at))
    return kept_row_text(number, kept.match.hex(), kept.title, kept.hand, when, kept.players)


def kept_object(kept: Unfinished) -> dict[str, object]:
    """Return a match for programs."""
    return {
        "id": kept.match.hex(),
        "title": kept.title,
        "game": kept.game,
        "me": kept.name,
        "players": kept.players,
        "hand": kept.hand,
        "records": kept.records,
        "at": round(kept.at, 3),
    }
