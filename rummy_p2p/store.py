"""What stays on this machine between two evenings: identity, certificate, config, known peers, matches, the log; and
which plugin files the player trusts.

Laws of this file
* Bytes in, bytes out. What a ledger or a certificate means is decided elsewhere.
* With `--data DIR` everything lies below DIR; otherwise where this system keeps such things (platformdirs).
* Secrets (identity seed, TLS key) are 0600 and are refused while other users of the machine can read them.
* A file is complete or absent: it is written beside its place, flushed to the disk, and renamed.
* Nothing that another peer wrote is ever part of a path. A saved match is named by its id: bytes here, hex on the disk.
* Every OSError becomes a StoreError: one sentence and a code. A damaged file that the program wrote itself is set aside
  and said (`Notice`); one that a person wrote is never touched (StoreError).
"""

import errno
import itertools
import logging
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from rummy_p2p.sentences.language import _

APP = "rummy-p2p"
SEED_SIZE = 32
MAX_PEERS = 64
MAX_PLUGIN = 1024 * 1024  # a plugin file is code that somebody has read
MAX_FILE = 64 * 1024 * 1024  # a ledger is at most 16 MiB; nothing larger is ever ours
LOG_SIZE = 1024 * 1024
LOG_COPIES = 3

_SENTENCES = {
    "disk-full": "The disk is full: {path} could not be written. Free some space and try again.",
    "no-permission": (
        "This user may not use {path} ({why}). Change its owner or rights, or choose another folder with --data."
    ),
    "store-failed": "{path} could not be used ({why}). Choose another folder with --data.",
    "file-missing": "{path} does not exist.",
    "file-too-large": "{path} is larger than anything this program writes. Move it away.",
    "secret-exposed": "Other users of this machine can read the secret key in {path}. Run: chmod 600 '{path}'",
    "identity-damaged": (
        "The identity file {path} holds {size} bytes instead of 32. Put a copy of it back, or move it away to get a "
        "new identity."
    ),
    "config-broken": "The config file {path} is not understood: {why}. Mend that line or move the file away.",
    "config-bad-option": "{key} cannot be set to {value} in the config file.",
    "bad-match-id": "A saved match is named by an id of 8 to 64 bytes, not of {size}.",
    "journal-busy": "Another program of yours holds {path} and does not let go of it. Close that one, or wait.",
    "journal-newer": "{path} was written by a newer version of this program. Bring this one up to date.",
    "journal-set-aside": (
        "The file of unfinished matches was damaged. It is kept as {aside}, and a new one is begun: matches that were "
        "in it can be gone on with by the others alone."
    ),
    "match-damaged": "What was kept of this match in {path} is damaged; it cannot be gone on with from here.",
    "match-in-play": "This match is being played by another program of yours just now.",
    "peers-set-aside": "The list of remembered peers was damaged. It is kept as {aside}, and a new list is begun.",
    "trust-set-aside": (
        "The list of trusted plugin files was damaged. It is kept as {aside}; trust your files again: "
        "rummy-p2p variants trust FILE"
    ),
    "trust-exposed": (
        "Other users of this machine may change {path}, so no plugin file is trusted. "
        "Look through it, then run: chmod 600 '{path}'"
    ),
}
_CODES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "disk-full"),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "no-permission"),
}
_temporary = itertools.count()


class StoreError(Exception):
    """A file could not be used. `str()` is the sentence for the player, `code` is for the program."""

    def __init__(self, code: str, **parts: object) -> None:
        super().__init__(_(_SENTENCES[code]).format(**parts))
        self.code = code


class Notice(msgspec.Struct, frozen=True):
    """Something the player should know although the program goes on."""

    code: str
    sentence: str


class Paths(msgspec.Struct, frozen=True):
    """The four folders; none of them need exist yet."""

    config: Path
    data: Path
    state: Path
    log: Path

    @classmethod
    def of(cls, root: Path | None = None) -> "Paths":
        """Below `root`, or where this system keeps such things."""
        if root is not None:
            return cls(root / "config", root / "data", root / "state", root / "log")
        import platformdirs

        home = platformdirs.PlatformDirs(APP, appauthor=False)
        return cls(home.user_config_path, home.user_data_path, home.user_state_path, home.user_log_path)


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player may write into config.toml; None means: not said."""

    nick: str | None = None
    lang: Literal["en", "sv", "nb", "tr", "ro"] | None = None
    color: Literal["auto", "always", "never"] | None = None
    deck: Literal["two", "four", "safe", "mono"] | None = None
    plain: bool | None = None
    ascii: bool | None = None
    faces: Literal["typed", "own"] | None = None
    bell: bool | None = None
    mouse: bool | None = None
    interface: str | None = None
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] | None = None


_Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class RememberedPeer(msgspec.Struct, frozen=True):
    """A peer we once spoke with: where it was, and by which keys it is known again (hex)."""

    id: _Digest
    nick: str
    address: str
    port: Annotated[int, msgspec.Meta(ge=1, le=65535)]
    pin: _Digest | None
    seen: int


class Store:
    """The files of one installation."""

    def __init__(self, paths: Paths) -> None:
        self.paths = paths

    # -- secrets

    def identity(self) -> bytes:
        """The 32 secret bytes of this installation; made at the first call ever."""
        path = self.paths.data / "identity"
        if not _exists(path):
            _create(path, secrets.token_bytes(SEED_SIZE))
        seed = _read_secret(path)
        if len(seed) != SEED_SIZE:
            raise StoreError("identity-damaged", path=path, size=len(seed))
        return seed

    def certificate(self) -> bytes | None:
        """Certificate and key as PEM, exactly as saved, or None."""
        path = self.paths.data / "tls.pem"
        return _read_secret(path) if _exists(path) else None

    def save_certificate(self, pem: bytes) -> None:
        _write(self.paths.data / "tls.pem", pem)

    def ssh_host_key(self) -> bytes | None:
        """The key by which guests know this machine again, exactly as saved, or None."""
        path = self.paths.data / "ssh_host_ed25519_key"
        return _read_secret(path) if _exists(path) else None

    def save_ssh_host_key(self, key: bytes) -> None:
        _write(self.paths.data / "ssh_host_ed25519_key", key)

    def hand_secrets(self, match: bytes) -> bytes | None:
        """What opens this player's cards in a match that is not over; None when there is nothing."""
        path = self._hand_file(match)
        return _read_secret(path) if _exists(path) else None

    def save_hand_secrets(self, match: bytes, content: bytes) -> None:
        """Keep them for this player alone; with nothing in them the file goes."""
        path = self._hand_file(match)
        if content:
            _write(path, content)
        else:
            with _told(path):
                path.unlink(missing_ok=True)

    def _hand_file(self, match: bytes) -> Path:
        return self.paths.state / "hands" / f"{match.hex()}.secret"

    # -- config

    @property
    def config_file(self) -> Path:
        return self.paths.config / "config.toml"

    def config(self) -> Config:
        """What the player wrote; all unsaid when there is no file."""
        path = self.config_file
        if not _exists(path):
            return Config()
        try:
            return _parse_config(_read(path))
        except ValueError as error:
            raise StoreError("config-broken", path=path, why=error) from error

    def set_option(self, key: str, value: str | int | bool | None) -> None:  # noqa: FBT001 - a value, not a switch
        """Set one option, or take it out (None); every other line of the file, comments included, stays as it is."""
        before = self.config()  # a file that is not understood is not edited
        path = self.config_file
        text = _read(path).decode() if _exists(path) else ""
        try:
            changed = _with_option(text, key, value)
            fits = _parse_config(changed.encode()) == msgspec.structs.replace(before, **{key: value})
        except (ValueError, TypeError):
            changed, fits = text, False
        if not fits:
            raise StoreError("config-bad-option", key=key, value=repr(value))
        _write(path, changed.encode())

    # -- peers

    def peers(self) -> tuple[tuple[RememberedPeer, ...], Notice | None]:
        """The remembered peers, latest first; a damaged list is set aside, and the notice says so."""
        path = self.paths.state / "peers.json"
        if not _exists(path):
            return (), None
        try:
            return msgspec.json.decode(_read(path), type=tuple[RememberedPeer, ...])[:MAX_PEERS], None
        except (msgspec.DecodeError, UnicodeDecodeError):
            return (), _set_aside(path, "peers-set-aside")

    def remember(self, peer: RememberedPeer) -> None:
        """Put `peer` at the head of the list, in place of what was known of its id."""
        known, _ = self.peers()
        kept = (peer, *(old for old in known if old.id != peer.id))[:MAX_PEERS]
        _write(self.paths.state / "peers.json", msgspec.json.format(msgspec.json.encode(kept)))

    # -- matches

    def save_ledger(self, match_id: bytes, ledger: bytes) -> Path:
        path = self._ledger_path(match_id)
        _write(path, ledger)
        return path

    def load_ledger(self, match_id: bytes) -> bytes:
        path = self._ledger_path(match_id)
        if not _exists(path):
            raise StoreError("file-missing", path=path)
        return _read(path)

    def ledgers(self) -> tuple[Path, ...]:
        """All saved matches, latest first."""
        folder = self.paths.data / "ledgers"
        with _told(folder):
            found = [path for path in folder.glob("*.ledger") if path.is_file()] if _exists(folder) else []
            return tuple(sorted(found, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True))

    def _ledger_path(self, match_id: bytes) -> Path:
        if not 8 <= len(match_id) <= 64:
            raise StoreError("bad-match-id", size=len(match_id))
        return self.paths.data / "ledgers" / f"{match_id.hex()}.ledger"

    @property
    def journal_file(self) -> Path:
        """Where matches that are not over are written down while they are played."""
        return self.paths.state / "matches.db"

    # -- the player's own games and house rules

    @property
    def variants_folder(self) -> Path:
        """The player's own games and house rules; need not exist."""
        return self.paths.config / "variants"

    def variants(self) -> tuple[Path, ...]:
        """The files in that folder, by name."""
        folder = self.variants_folder
        with _told(folder):
            return tuple(sorted(path for path in folder.iterdir() if path.is_file())) if _exists(folder) else ()

    def plugin(self, path: Path) -> bytes:
        """What a plugin file holds."""
        content = _read(path)
        if len(content) > MAX_PLUGIN:
            raise StoreError("file-too-large", path=path)
        return content

    @property
    def _trust_file(self) -> Path:
        return self.paths.state / "trusted.json"

    def trusted(self) -> tuple[frozenset[str], Notice | None]:
        """The SHA-256 of every plugin file that the player has said yes to; none when the list cannot be believed."""
        path = self._trust_file
        if not _exists(path):
            return frozenset(), None
        with _told(path):
            exposed = os.name == "posix" and bool(path.stat().st_mode & 0o022)
        if exposed:
            return frozenset(), Notice("trust-exposed", _(_SENTENCES["trust-exposed"]).format(path=path))
        try:
            return frozenset(msgspec.json.decode(_read(path), type=dict[_Digest, str])), None
        except (msgspec.DecodeError, UnicodeDecodeError):
            return frozenset(), _set_aside(path, "trust-set-aside")

    def trust(self, path: Path) -> str:
        """Say yes to exactly this content of a file; returns its SHA-256."""
        digest = sha256(self.plugin(path)).hexdigest()
        known, _ = self.trusted()
        names = msgspec.json.decode(_read(self._trust_file), type=dict[str, str]) if known else {}
        _write(self._trust_file, msgspec.json.format(msgspec.json.encode(names | {digest: path.name})))
        return digest

    def lend_variants(self, other: "Store") -> None:
        """Give another installation of the same player these files, and the trust in them."""
        for path in self.variants():
            _write(other.variants_folder / path.name, _read(path))
        if self.trusted()[0]:
            _write(other.paths.state / "trusted.json", _read(self._trust_file))

    # -- the rest

    @property
    def history_file(self) -> Path:
        """Where typed lines are kept for the next time; its folder exists after the call."""
        _folder(self.paths.state)
        return self.paths.state / "history"


# ---------------------------------------------------------------- the log


def set_up_log(paths: Paths, level: str = "WARNING") -> logging.Handler:
    """Send every log record of the process to a rotating file and nothing to the terminal. A folder that cannot be used
    raises StoreError and leaves the log silent. The caller may close the handler with `close_log`.
    """
    from logging.handlers import RotatingFileHandler

    root = logging.getLogger()
    root.setLevel(level)
    silent = logging.NullHandler()  # without any handler Python would print warnings on the terminal
    root.addHandler(silent)
    _folder(paths.log)
    path = paths.log / f"{APP}.log"
    with _told(path):
        handler = RotatingFileHandler(path, maxBytes=LOG_SIZE, backupCount=LOG_COPIES, encoding="utf-8")
    handler.handleError = _fail_in_silence  # type: ignore[method-assign, assignment]  # no class of our own: it loads much
    handler.setFormatter(_Visible("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root.addHandler(handler)
    root.removeHandler(silent)
    return handler


def close_log(handler: logging.Handler) -> None:
    """Take back what `set_up_log` did. What a full disk did not take is lost: nobody plays the worse for it."""
    logging.getLogger().removeHandler(handler)
    with suppress(OSError):
        handler.close()


def _fail_in_silence(_record: logging.LogRecord) -> None:
    """A full disk must not write over the cards on the screen."""


class _Visible(logging.Formatter):
    """A record quotes strangers: whoever looks at the log in a terminal must not meet their control bytes."""

    _HIDDEN = dict.fromkeys([*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0)], "\N{REPLACEMENT CHARACTER}")

    def format(self, record: logging.LogRecord) -> str:
        return super().format(record).translate(self._HIDDEN)


# ---------------------------------------------------------------- files


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn an OSError into a sentence about `path`."""
    try:
        yield
    except OSError as error:
        raise StoreError(
            _CODES.get(error.errno or 0, "store-failed"), path=path, why=error.strerror or error
        ) from error


def _exists(path: Path) -> bool:
    with _told(path):
        return path.exists()


def _folder(path: Path) -> None:
    with _told(path):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)


def _read(path: Path) -> bytes:
    with _told(path), path.open("rb") as file:
        content = file.read(MAX_FILE + 1)
    if len(content) > MAX_FILE:
        raise StoreError("file-too-large", path=path)
    return content


def _read_secret(path: Path) -> bytes:
    with _told(path):
        mode = path.stat().st_mode
    if os.name == "posix" and mode & 0o077:
        raise StoreError("secret-exposed", path=path)
    return _read(path)


def _write(path: Path, content: bytes) -> None:
    """Replace `path` as a whole, 0600; after a crash there is the old file or the new one."""
    _folder(path.parent)
    with _told(path), _beside(path, content) as temporary:
        temporary.replace(path)
        _flush_folder(path.parent)


def _create(path: Path, content: bytes) -> None:
    """Make `path`, 0600, complete from its first moment. When another process was faster, its file stays."""
    _folder(path.parent)
    with _told(path), _beside(path, content) as temporary:
        try:
            path.hardlink_to(temporary)
        except FileExistsError:
            pass
        except OSError:  # a file system without links, such as FAT on a memory stick
            with suppress(FileExistsError):
                _new_file(path, content)
        _flush_folder(path.parent)


@contextmanager
def _beside(path: Path, content: bytes) -> Iterator[Path]:
    """A flushed file with `content` in the same folder, gone afterwards if it still has its temporary name."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{next(_temporary)}")
    with suppress(FileNotFoundError):
        temporary.unlink()  # left by a process that had our number and crashed
    try:
        _new_file(temporary, content)
        yield temporary
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()


def _new_file(path: Path, content: bytes) -> None:
    binary = getattr(os, "O_BINARY", 0)  # Windows alone has, and needs, it
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | binary, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _flush_folder(path: Path) -> None:
    """Make a rename survive a power cut, where the system offers it."""
    if os.name != "posix":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        with suppress(OSError):  # some network file systems refuse; the file itself is on the disk
            os.fsync(handle)
    finally:
        os.close(handle)


def _set_aside(path: Path, code: str) -> Notice:
    aside = path.with_name(f"{path.stem}.broken{path.suffix}")
    with _told(path):
        path.replace(aside)
    return Notice(code, _(_SENTENCES[code]).format(aside=aside))


# ---------------------------------------------------------------- editing config.toml


def _parse_config(content: bytes) -> Config:
    """Raises ValueError: TOMLDecodeError, ValidationError and UnicodeDecodeError all are one."""
    import tomllib

    return msgspec.convert(tomllib.loads(content.decode()), Config)


def _with_option(text: str, key: str, value: str | int | bool | None) -> str:  # noqa: FBT001 - as in set_option
    """`text` with the line of `key` replaced, added at the end (there are no tables), or taken out."""
    import tomlkit  # only who changes a setting pays for it

    document = tomlkit.parse(text)
    if value is not None:
        document[key] = value
    elif key in document:
        del document[key]
    return tomlkit.dumps(document)
