"""What a peer has to find again on the disk: its match, the secrets of its hands, ledgers, where the others were.

A disk that is full, or a file that is damaged, stops nothing. It is told once; again only when it went well between.
"""

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from rummy_p2p.journal import Journal
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.store import Notice, RememberedPeer, StoreError

_log = logging.getLogger(__name__)

SaveLedger = Callable[[bytes, bytes], Path]


class Vault(Protocol):
    """Where secrets of a match lie that must outlive this program; either may raise StoreError."""

    def hand_secrets(self, match: bytes) -> bytes | None:
        """Return what was saved last; None when there is nothing."""
        ...

    def save_hand_secrets(self, match: bytes, content: bytes) -> None:
        """Write them down, for nobody else to read; empty: they can go."""
        ...


class AddressBook(Protocol):
    """Where peers are known again by; either may raise StoreError."""

    def peers(self) -> tuple[tuple[RememberedPeer, ...], Notice | None]:
        """Return the remembered peers, latest first."""
        ...

    def remember(self, peer: RememberedPeer) -> None:
        """Put a peer in place of what was known of it."""
        ...


class Keeper:
    """The disk, as one peer uses it. Without ``journal`` and ``book`` a match lasts as long as its program."""

    def __init__(self, save: SaveLedger | None, vault: Vault | None) -> None:
        """``save(match id, ledger)`` says where it lies now."""
        self.journal: Journal | None = None
        self.book: AddressBook | None = None
        self.ledger: Path | None = None
        self._save = save
        self._vault = vault
        self._done = b""
        self._failing: set[str] = set()

    def recall(self, match: bytes) -> bytes | None:
        """Return the secrets of a match."""
        try:
            return self._vault.hand_secrets(match) if self._vault is not None else None
        except StoreError as error:
            _log.error("the secrets of a match were not read: %s", error)
            return None

    def write(self, session: TableSession, port: int) -> list[str]:
        """Write down what must be there before anything is sent: the match, then its secrets; the sentences of what
        could not be.
        """
        unsaved, found, told = session.unsaved(), session.secrets(), []
        journal, vault = self.journal, self._vault
        if unsaved is not None and journal is not None and unsaved.match != self._done:
            told += self._try("match", lambda: journal.write(unsaved, port))
        if found is not None and vault is not None:
            told += self._try("secrets", lambda: vault.save_hand_secrets(*found))
        if session.match is not None and session.match.is_over and not session.watches:
            told += self.forget(session.match.id)
        return told

    def save(self, session: TableSession) -> list[str]:
        """Save the ledger as it is now."""
        match, save = session.match, self._save
        if match is None or save is None:
            return []

        def keep() -> None:
            self.ledger = save(match.id, match.replica.ledger.to_bytes())

        return self._try("ledger", keep)

    def forget(self, match: bytes) -> list[str]:
        """A match is over, or its seats were given up: nobody comes back to it."""
        journal = self.journal
        if journal is None or match == self._done:
            return []
        self._done = match
        return self._try("match", lambda: journal.forget(match))

    def destroy(self, match: bytes) -> None:
        """The secrets of a match that was left are of no more use."""
        vault = self._vault
        if vault is not None:
            self._try("secrets", lambda: vault.save_hand_secrets(match, b""))

    def release(self, match: bytes) -> None:
        """This program plays a match no longer; any may come back to it."""
        if self.journal is not None:
            self.journal.release(match)

    def remember(self, player: bytes, nick: str, address: str, port: int, pin: bytes | None) -> None:
        """Note where a peer is."""
        book, seen = self.book, int(time.time())
        if book is not None:
            peer = RememberedPeer(player.hex(), nick, address, port, pin.hex() if pin else None, seen)
            self._try("peers", lambda: book.remember(peer))

    def remembered(self) -> tuple[RememberedPeer, ...]:
        """Return where peers were."""
        try:
            return self.book.peers()[0] if self.book is not None else ()
        except StoreError as error:
            _log.error("the remembered peers were not read: %s", error)
            return ()

    def _try(self, what: str, work: Callable[[], None]) -> list[str]:
        try:
            work()
        except StoreError as error:
            _log.error("%s not saved: %s", what, error)
            is_news = what not in self._failing
            self._failing.add(what)
            return [str(error)] if is_news else []
        self._failing.discard(what)
        return []
