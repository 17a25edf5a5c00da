"""Whom this player has met at a table, by which key each is known again, and who is blocked.

The law of the file
    The first key that comes under a name is believed, and no other one after it until the player says so. A key that is
    known already is always right, whatever its name is now. A file that is damaged is set aside, and that is said.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import msgspec

from rummy_p2p.sentences.closed import closed_text
from rummy_p2p.store import Paths, StoreError

MOST: Final = 500


class Known(msgspec.Struct, frozen=True):
    """Somebody: the key in hex, the name under which it was met first, since when, and whether it is blocked."""

    id: str
    nick: str
    since: int
    blocked: bool = False

    @property
    def key(self) -> bytes:
        """The key as it is compared."""
        return bytes.fromhex(self.id)


class People:
    """The list of one installation; the file is read for each call, for another program may have written it."""

    def __init__(self, paths: Paths) -> None:
        """Nothing is made before somebody is met."""
        self.path: Path = paths.state / "people.json"

    def known(self) -> tuple[Known, ...]:
        """Everybody, the latest first; StoreError when the file cannot be used."""
        try:
            found = msgspec.json.decode(self.path.read_bytes(), type=tuple[Known, ...])
            return tuple(each for each in found if len(each.key) == 32)
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise StoreError("store-failed", path=self.path, why=error.strerror or error) from error
        except (msgspec.DecodeError, ValueError):
            self._set_aside()
            return ()

    def impostor_of(self, nick: str, key: bytes) -> Known | None:
        """Return who is known under this name with another key; None when nobody is, or the key itself is known."""
        known = self.known()
        if any(each.key == key for each in known):
            return None
        return next((each for each in known if each.nick.casefold() == nick.casefold()), None)

    def is_blocked(self, key: bytes) -> bool:
        """Whether the player wants to have nothing to do with this key."""
        return any(each.blocked and each.key == key for each in self.known())

    def meet(self, nick: str, key: bytes, now: int) -> None:
        """Believe this key from now on; one that is known already stays as it is."""
        known = self.known()
        if all(each.key != key for each in known):
            self._write((Known(key.hex(), nick, now), *known)[:MOST])

    def trust(self, nick: str, key: bytes, now: int) -> None:
        """Believe this key from now on, and no longer another one of that name."""
        stays = tuple(each for each in self.known() if each.key != key and each.nick.casefold() != nick.casefold())
        self._write((Known(key.hex(), nick, now), *stays)[:MOST])

    def drop(self, key: bytes) -> None:
        """Forget this key."""
        self._write(tuple(each for each in self.known() if each.key != key))

    def mark(self, nick: str, key: bytes, now: int, *, blocked: bool) -> None:
        """Block this key, or no longer; one that is not known yet is from now on."""
        known = self.known()
        before = next((each for each in known if each.key == key), Known(key.hex(), nick, now))
        marked = msgspec.structs.replace(before, blocked=blocked)
        if before in known:
            self._write(tuple(marked if each.key == key else each for each in known))
        else:
            self._write((marked, *known)[:MOST])

    def forget(self, nick: str) -> bool:
        """Forget everybody of this name; whether there was somebody."""
        known = self.known()
        stays = tuple(each for each in known if each.nick.casefold() != nick.casefold())
        if len(stays) < len(known):
            self._write(stays)
        return len(stays) < len(known)

    def block(self, nick: str, *, blocked: bool) -> bool:
        """Block everybody of this name, or no longer; whether there was somebody."""
        known = self.known()
        named = {each.id for each in known if each.nick.casefold() == nick.casefold()}
        if named:
            self._write(
                tuple(msgspec.structs.replace(each, blocked=blocked) if each.id in named else each for each in known)
            )
        return bool(named)

    def _write(self, known: tuple[Known, ...]) -> None:
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            beside.write_bytes(msgspec.json.format(msgspec.json.encode(known)))
            beside.replace(self.path)
        except OSError as error:
            raise StoreError("store-failed", path=self.path, why=error.strerror or error) from error

    def _set_aside(self) -> None:
        aside = self.path.with_name("people.broken.json")
        try:
            self.path.replace(aside)
        except OSError as error:
            raise StoreError("store-failed", path=self.path, why=error.strerror or error) from error
        self.notice = closed_text("set-aside", aside=str(aside))

    notice = ""
