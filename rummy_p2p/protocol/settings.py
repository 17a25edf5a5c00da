"""What the creator of a table decides, and the message that tells everybody of it."""

from __future__ import annotations

from dataclasses import dataclass

from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.fields import GRACE, DealKind, Spectators, Trust
from rummy_p2p.protocol.messages import PROTOCOL_VERSION, PluginMark, TableInfo, table_id
from rummy_p2p.protocol.text import TITLE_LIMIT, clean
from rummy_p2p.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Settings:
    """What the creator decides: title, number of seats, hands of a match (0: until it is over), plugins to compare,
    who knows the deck (``deal``), how many of the peers together could look (``trust``), the password (empty: none),
    whether others may look on (``spectators``; nobody at a table with a password), and for how many seconds somebody
    who is gone is waited for (``grace``).
    """

    title: str
    seats: int
    hands: int = 0
    plugins: tuple[tuple[str, str], ...] = ()
    deal: DealKind = "host"
    trust: Trust = "quorum"
    password: str = ""
    spectators: Spectators = "yes"
    grace: int = GRACE


def describe_table(creator: bytes, nonce: bytes, rules: Ruleset, settings: Settings) -> TableInfo:
    """What a creator tells of its table; Refusal for a number of seats that the game is not for."""
    if not rules.players.min <= settings.seats <= rules.players.max:
        raise Refusal("too-few-seated", least=rules.players.min, seated=settings.seats)
    return TableInfo(
        table=table_id(creator, nonce),
        nonce=nonce,
        version=PROTOCOL_VERSION,
        title=clean(settings.title, TITLE_LIMIT) or rules.game,
        rules=rules.canonical(),
        fingerprint=bytes.fromhex(rules.fingerprint),
        plugins=tuple(PluginMark(name=name, version=version) for name, version in settings.plugins),
        seats=settings.seats,
        deal=settings.deal,
        trust=settings.trust,
        hands=settings.hands,
        closed=bool(settings.password),
        spectators="no" if settings.password else settings.spectators,
        grace=settings.grace,
    )
