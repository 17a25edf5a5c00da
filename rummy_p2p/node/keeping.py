"""What a peer has to find again on the disk: its match, the secrets of its hands, ledgers, where the others were.

A disk that is full, or a file that is damaged, stops nothing. It is told once; again only when it went well between.

What a session leaves to be written is taken as a `Page`, and `put` on the disk in whatever thread. All else belongs to
the event loop, and is not called while pages are being put.
"""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from rummy_p2p.journal import Journal
from rummy_p2p.protocol.disk import Unsaved
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


@dataclass(frozen=True, slots=True)
class Page:
    """What goes to the disk at one time: the match, its secrets, its ledger as a file, or that it is over; ``port``:
    where this program listens.
    """

    unsaved: Unsaved | None = None
    secrets: tuple[bytes, bytes] | None = None
    ledger: tuple[bytes, bytes] | None = None
    over: bytes | None = None
    port: int = 0


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
        self._given = (b"", 0)  # the match last written, and how many of its records
        self._is_behind = False
        self._failing: set[str] = set()

    def recall(self, match: bytes) -> bytes | None:
        """Return the secrets of a match."""
        try:
            return self._vault.hand_secrets(match) if self._vault is not None else None
        except StoreError as error:
            _log.error("the secrets of a match were not read: %s", error)
            return None

    def page(self, session: TableSession, port: int) -> Page | None:
        """Take what must be on the disk before anything is sent; None when that is nothing."""
        unsaved, secrets = session.unsaved(), session.secrets()
        match = session.match
        over = match.id if match is not None and match.is_over and not session.watches else None
        if self.journal is None or unsaved is None or not self._is_news(unsaved):
            unsaved = None
        if self.journal is None or over == self._done:
            over = None
        self._done = over or self._done
        secrets = secrets if self._vault is not None else None
        return Page(unsaved, secrets, None, over, port) if unsaved or secrets or over else None

    def _is_news(self, unsaved: Unsaved) -> bool:
        """Whether there is more than how far all is committed: that is written along with what comes next."""
        if unsaved.match == self._done:
            return False
        match, records = self._given
        known = records if match == unsaved.match else -1
        self._given = (unsaved.match, unsaved.kept + len(unsaved.records))
        return self._is_behind or bool(unsaved.records or unsaved.votes) or unsaved.kept != known

    def ledger_page(self, session: TableSession) -> Page | None:
        """Return the ledger as it is now, to be saved as a file."""
        match = session.match
        if match is None or self._save is None:
            return None
        return Page(ledger=(match.id, match.replica.ledger.to_bytes()))

    def put(self, pages: Sequence[Page]) -> list[str]:
        """Write pages down, one after the other as if each by itself; the sentences of what could not be."""
        told: list[str] = []
        for page in _together(pages):
            told += self._put(page)
        return told

    def _put(self, page: Page) -> list[str]:
        told: list[str] = []
        journal, vault = self.journal, self._vault
        unsaved, secrets, over, ledger = page.unsaved, page.secrets, page.over, page.ledger
        if unsaved is not None and journal is not None:
            told += self._try("match", lambda: journal.write(unsaved, page.port))
            self._is_behind = "match" in self._failing
            if unsaved.kept == 0 and not self._is_behind:
                self._prune(journal, unsaved.match)
        if secrets is not None and vault is not None:
            told += self._try("secrets", lambda: vault.save_hand_secrets(*secrets))
        if over is not None and journal is not None:
            told += self._try("match", lambda: journal.forget(over))
        if ledger is not None:
            told += self._try("ledger", lambda: self._save_ledger(*ledger))
        return told

    def _prune(self, journal: Journal, begun: bytes) -> None:
        """A match has begun: what is too old goes, and the secrets with it. Where that fails there is another time."""
        try:
            for match in journal.prune(begun):
                self.destroy(match)
        except StoreError as error:
            _log.warning("old matches stay: %s", error)

    def _save_ledger(self, match: bytes, ledger: bytes) -> None:
        if self._save is not None:
            self.ledger = self._save(match, ledger)

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


def _together(pages: Sequence[Page]) -> list[Page]:
    """Pages that follow each other, as few as they can be: what is written of one match is written at once."""
    found: list[Page] = []
    for page in pages:
        joined = _joined(found[-1], page) if found else None
        if joined is None:
            found.append(page)
        else:
            found[-1] = joined
    return found


def _joined(first: Page, second: Page) -> Page | None:
    """Two pages as one; None when something stands between them."""
    if first.ledger or first.over or second.ledger:
        return None
    one, other = first.unsaved, second.unsaved
    if one is not None and other is not None:
        if one.match != other.match:
            return None
        other = _merged(one, other)
    secrets = second.secrets or first.secrets
    if first.secrets and second.secrets and first.secrets[0] != second.secrets[0]:
        return None
    return Page(other or one, secrets, None, second.over, second.port)


def _merged(first: Unsaved, second: Unsaved) -> Unsaved:
    """What is to be written of a match in two steps, as one."""
    kept = min(first.kept, second.kept)
    records = (*first.records[: second.kept - kept], *second.records) if second.kept > kept else second.records
    return replace(second, kept=kept, records=records, votes=first.votes + second.votes)
