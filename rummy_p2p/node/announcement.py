"""What a peer says of itself on the LAN, as a TXT record of mDNS, and what is made of a stranger's.

The record has at most 400 bytes: `v` protocol version, `id` player id, `fp` fingerprint of the TLS certificate, `p`
nick, `c` a number that changes with each announcement; of a host also `t` table id, `n` title, `g` game, `r` ruleset
fingerprint, `s` seats taken/total, `st` open, code or playing, `h` house texts with semicolons between them. Nothing
here does I/O.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from rummy_p2p.protocol.text import NICK_LIMIT, TITLE_LIMIT
from rummy_p2p.protocol.text import clean as clean_text

SERVICE_TYPE = "_rummy-p2p._tcp.local."
MAX_TXT = 400
MAX_ADDRESSES = 4
ID_DIGITS, MAX_DIGITS = 6, 48  # of the id in a name, which has at most 63 bytes
HOUSE_LIMIT = 64

Clean = Callable[[str, int], str]


class TableState(Enum):
    """Who may sit down."""

    OPEN = "open"
    CODE = "code"
    PLAYING = "playing"


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table as its host announces it. `house` is None when it did not fit: ask the host."""

    id: str
    title: str
    game: str
    ruleset: str
    taken: int
    total: int
    state: TableState
    house: tuple[str, ...] | None = ()


@dataclass(frozen=True, slots=True)
class Announcement:
    """What this peer says of itself: player id and certificate pin are 64 hex digits."""

    nick: str
    id: str
    pin: str
    port: int
    version: int
    table: TableInfo | None = None

    @property
    def instance(self) -> str:
        """The full service name, unique by the id."""
        return self.named()

    def named(self, digits: int = ID_DIGITS) -> str:
        """The name with more digits of the id, for the day on which two programs have chosen the same."""
        nick = _cut(self.nick.replace(".", "-"), 62 - digits).strip() or "player"
        return f"{nick} {self.id[:digits]}.{SERVICE_TYPE}"


@dataclass(frozen=True, slots=True)
class Sighting:
    """What another peer says of itself. A hint: its link proves, or disproves, all of it."""

    instance: str
    nick: str
    id: str
    pin: str
    addresses: tuple[str, ...]
    port: int
    version: int
    table: TableInfo | None = None
    live: bool = False


def is_of_another(server: str | None, player: str) -> bool:
    """Whether the host name in an announcement belongs to another player than its text."""
    named = re.fullmatch(r"rummy-([0-9a-f]{16})\.local\.", server or "")
    return named is not None and named[1] != player[:16]


class BadAnnouncement(ValueError):
    """Somebody announced what is no announcement of this game."""


def to_txt(announcement: Announcement, count: int = 0) -> dict[str, bytes]:
    """The TXT record, at most MAX_TXT bytes: title cut, nick and house texts left out where they do not fit.

    ``count`` makes it another than those before: who hears again what it still has in its cache, takes no notice.
    """
    txt = {"v": b"%d" % announcement.version, "id": announcement.id.encode(), "fp": announcement.pin.encode()}
    txt["c"] = b"%d" % (count % 10_000)
    table = announcement.table
    if table is not None:
        seats = f"{table.taken}/{table.total}"
        fixed = {"t": table.id, "g": table.game, "r": table.ruleset, "s": seats, "st": table.state.value}
        txt |= {key: value.encode() for key, value in fixed.items()}
        txt["n"] = _cut(table.title, min(4 * TITLE_LIMIT, _room(txt))).encode()
    if _room(txt) < 0:
        raise ValueError("an id of this table is too long to be announced")
    _add_if_room(txt, "p", announcement.nick)
    if table is not None and table.house is not None and not any(";" in text for text in table.house):
        _add_if_room(txt, "h", ";".join(table.house))
    return txt


def _room(txt: dict[str, bytes]) -> int:
    """Bytes left for the value of one more key of one letter."""
    return MAX_TXT - 3 - sum(len(key) + len(value) + 2 for key, value in txt.items())


def _add_if_room(txt: dict[str, bytes], key: str, value: str) -> None:
    encoded = value.encode()
    if len(encoded) <= min(_room(txt), 250):  # one string of a TXT record has at most 255 bytes
        txt[key] = encoded


def _cut(text: str, size: int) -> str:
    """As much of `text` as fits into `size` bytes of UTF-8."""
    return text.encode(errors="ignore")[: max(size, 0)].decode(errors="ignore")


def read_sighting(
    instance: str, addresses: Iterable[str], port: int | None, text: bytes, clean: Clean = clean_text
) -> Sighting:
    """A sighting from the parts of an mDNS service, or BadAnnouncement."""
    txt = _split_txt(text)
    label = instance.removesuffix(f".{SERVICE_TYPE}")
    usable = tuple(addresses)[:MAX_ADDRESSES]
    if not usable or port is None or not 1 <= port <= 65535:
        raise BadAnnouncement("no address that can be reached")
    return Sighting(
        instance=instance,
        nick=clean(txt.get("p") or label.rpartition(" ")[0], NICK_LIMIT) or "?",
        id=_field(txt, "id", "[0-9a-f]{64}"),
        pin=_field(txt, "fp", "[0-9a-f]{64}"),
        addresses=usable,
        port=port,
        version=int(_field(txt, "v", "[0-9]{1,4}")),
        table=_read_table(txt, clean) if "t" in txt else None,
    )


def _read_table(txt: dict[str, str], clean: Clean) -> TableInfo:
    taken, total = map(int, _field(txt, "s", "[0-9]{1,3}/[0-9]{1,3}").split("/"))
    house = txt.get("h")
    return TableInfo(
        id=_field(txt, "t", "[0-9a-f]{8,64}"),
        title=clean(txt.get("n", ""), TITLE_LIMIT),
        game=_field(txt, "g", "[a-z0-9-]{1,32}"),
        ruleset=_field(txt, "r", "[0-9a-f]{64}"),
        taken=taken,
        total=total,
        state=TableState(_field(txt, "st", "open|code|playing")),
        house=None if house is None else tuple(filter(None, (clean(each, HOUSE_LIMIT) for each in house.split(";")))),
    )


def _split_txt(text: bytes) -> dict[str, str]:
    """The key=value strings of a TXT record; strings without a value are skipped, the first of a key counts."""
    if len(text) > MAX_TXT:
        raise BadAnnouncement(f"{len(text)} bytes of text")
    found: dict[str, str] = {}
    rest = text
    while rest:
        size, rest = rest[0], rest[1:]
        if size > len(rest):
            raise BadAnnouncement("cut off")
        key, separator, value = rest[:size].partition(b"=")
        rest = rest[size:]
        if separator:
            found.setdefault(_decode(key), _decode(value))
    return found


def _decode(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise BadAnnouncement("no UTF-8") from error


def _field(txt: dict[str, str], key: str, pattern: str) -> str:
    value = txt.get(key, "")
    if re.fullmatch(pattern, value, re.ASCII) is None:
        raise BadAnnouncement(f"field {key} is {value[:80]!r}")
    return value
