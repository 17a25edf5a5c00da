"""Who is who at a table: the first key under a name is believed and kept, another is refused, the blocked stay out.

And the command people, which shows whom this player knows.
"""

from __future__ import annotations

import logging
import time
from argparse import Namespace
from collections.abc import Callable
from typing import Literal, NamedTuple

from rummy_p2p.cli import NETWORK, OK, USAGE, CommandError
from rummy_p2p.cli.local import answer, say, store
from rummy_p2p.node.peer import Peer
from rummy_p2p.people import Known, People
from rummy_p2p.protocol import events as tell
from rummy_p2p.protocol.identity import Identity
from rummy_p2p.protocol.text import NICK_LIMIT, clean, shared_words
from rummy_p2p.sentences.closed import closed_text
from rummy_p2p.store import Store, StoreError

_log = logging.getLogger(__name__)


def require_known(peer: Peer, files: Store, nick: str, key: bytes) -> None:
    """Refuse to sit down with somebody who is blocked, or who has another key than the one of that name."""
    people, name = People(files.paths), clean(nick, NICK_LIMIT)
    if people.is_blocked(key):
        raise CommandError(closed_text("blocked", name=name), NETWORK)
    if (before := people.impostor_of(nick, key)) is not None:
        raise CommandError(_another_key(peer.identity.player_id, name, before, key), NETWORK)


def _another_key(me: bytes, name: str, before: Known, key: bytes) -> str:
    return closed_text("another-key", name=name, before=shared_words(me, before.key), now=shared_words(me, key))


class Met(NamedTuple):
    """Somebody at the same table, the words that both see, and whether they have never met before."""

    name: str
    words: str
    is_new: bool

    @property
    def code(self) -> Literal["words-first", "words"]:
        """By which sentence that is told."""
        return "words-first" if self.is_new else "words"


class Meeting:
    """Hears who sits at the table, and keeps in mind who is new; what is to be told goes to ``say_line``, in whole
    sentences unless ``meet`` tells of a meeting in another way.
    """

    def __init__(
        self,
        peer: Peer,
        files: Store,
        say_line: Callable[[str], None],
        meet: Callable[[Met], None] | None = None,
    ) -> None:
        self._peer = peer
        self._people = People(files.paths)
        self._say = say_line
        self._tell = meet or (lambda met: say_line(closed_text(met.code, name=met.name, words=met.words)))
        self._seen: set[bytes] = set()

    def __call__(self, event: tell.TableEvent) -> None:
        """Take in what the table tells. A disk that is full stops nothing."""
        if not isinstance(event, tell.Seated):
            return
        for seat in event.seats:
            if seat.owner not in self._seen and not seat.guest and seat.owner != self._peer.identity.player_id:
                self._seen.add(seat.owner)
                try:
                    self._meet(seat.name, seat.owner)
                except StoreError as error:
                    _log.warning("%s was not written down: %s", seat.name, error)

    def _meet(self, nick: str, key: bytes) -> None:
        me, name = self._peer.identity.player_id, clean(nick, NICK_LIMIT)
        before = self._people.impostor_of(nick, key)
        if before is not None:
            self._say(_another_key(me, name, before, key))
            return
        is_first = all(each.key != key for each in self._people.known())
        self._people.meet(name, key, int(time.time()))
        self._tell(Met(name, shared_words(me, key), is_new=is_first))


def people(options: Namespace) -> int:
    """Show whom this player knows; forget, block or unblock somebody."""
    files = store(options)
    try:
        return _people(options, People(files.paths), Identity(files.identity()).player_id)
    except StoreError as error:
        raise CommandError(str(error)) from error


def _people(options: Namespace, known: People, me: bytes) -> int:
    if options.action is None:
        return _show(options, known, me)
    if not options.name:
        raise CommandError(closed_text("which", action=options.action), USAGE)
    name = clean(options.name, NICK_LIMIT)
    if options.action == "forget":
        found, said = known.forget(options.name), "forgotten"
    else:
        blocked = options.action == "block"
        found, said = known.block(options.name, blocked=blocked), "is-blocked" if blocked else "is-unblocked"
    if not found:
        raise CommandError(closed_text("no-such", name=name), USAGE)
    say(closed_text(said, name=name))
    return OK


def _show(options: Namespace, known: People, me: bytes) -> int:
    found = known.known()
    if options.json:
        rows = [
            {"id": each.id, "nick": each.nick, "words": shared_words(me, each.key), "blocked": each.blocked}
            for each in found
        ]
        answer({"people": rows})
        return OK
    for each in found:
        code = "row-blocked" if each.blocked else "row"
        say(closed_text(code, name=clean(each.nick, NICK_LIMIT), words=shared_words(me, each.key)))
    if not found:
        say(known.notice or closed_text("nobody"))
    return OK
