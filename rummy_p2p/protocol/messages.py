"""What is said at a table. Each message is one packed map; `Signed` carries it from peer to peer.

The law of this file
--------------------
* Everything at a table is *gossip*: a Signed is verified, handled, and passed on once. The signature is over the
  payload as it was packed by its author; nobody ever packs it again.
* A **draft** is a Signed whose payload is a Draft: what its author wants in the ledger. A **record** is a Signed whose
  payload is an Ordered: the host's word that this draft stands at this place. So the ledger is a list of Signed, and a
  record's hash is the hash of its payload.
* What a message belongs to (table, match, hand, epoch) stands inside what is signed: nothing can be replayed elsewhere.
* A new kind of message comes with its user, a sample in tests/protocol/samples and a line in docs/protocol.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cached_property
from typing import Annotated, Final, TypeAlias

import msgspec

from rummy_p2p.deal import Opening
from rummy_p2p.protocol.codec import Bytes32, Bytes64, Chat, Code, Message, Nick, Part, Title, pack, unpack
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.fields import (
    GRACE,
    MAX_GRACE,
    MAX_PEERS,
    MAX_SEATS,
    MAX_SPECTATORS,
    Blob,
    Count,
    DealKind,
    Measure,
    SeatNumber,
    Short,
    Spectators,
    Term,
    Trust,
    Wish,
)
from rummy_p2p.protocol.identity import Identity, verify
from rummy_p2p.protocol.records import Body

PROTOCOL_VERSION: Final = 1
LABEL: Final = b"table"


class Signed(Message, frozen=True, dict=True):
    """The envelope of everything: who said it, what, and the signature over both label and payload."""

    author: Bytes32
    payload: Blob
    signature: Bytes64

    @cached_property
    def digest(self) -> bytes:
        """What tells two messages apart; the signature does not enter."""
        return hashlib.sha256(self.author + self.payload).digest()

    @cached_property
    def genuine(self) -> bool:
        """Whether the author has signed this very payload: a message never changes, so it is looked at once."""
        return verify(self.author, LABEL, self.payload, self.signature)

    @cached_property
    def content(self) -> Payload:
        """The payload, taken out once; RemoteProtocolError when it is none."""
        return unpack(self.payload, Payload)


# ---------------------------------------------------------------- forming a table


class PluginMark(Part, frozen=True):
    """A plugin that had a hand in the rules, for people to compare; the fingerprint is what programs compare."""

    name: Short
    version: Short


class TableInfo(Message, frozen=True, omit_defaults=True):
    """The creator tells what is played here; the table id is the hash of the creator's id and the nonce.

    ``closed``: who wants a seat must know the password; ``spectators``: whether others may look on, whether these may
    chat (``quiet``: they may not), whether they may come into the middle of a hand (``next-hand``: they may not);
    ``grace``: for how many seconds a player who is gone is waited for.
    """

    table: Bytes32
    nonce: Bytes32
    version: Count
    title: Title
    rules: Blob
    fingerprint: Bytes32
    plugins: Annotated[tuple[PluginMark, ...], msgspec.Meta(max_length=32)]
    seats: Annotated[int, msgspec.Meta(ge=1, le=MAX_SEATS)]
    deal: DealKind
    trust: Trust
    hands: Count
    closed: bool = False
    spectators: Spectators = "yes"
    grace: Annotated[int, msgspec.Meta(ge=1, le=MAX_GRACE)] = GRACE


class Join(Message, frozen=True):
    """A peer asks for a seat for its player and further ones for its bots. ``run`` is new whenever a program starts."""

    table: Bytes32
    run: Bytes32
    number: Count
    version: Count
    fingerprint: Bytes32
    nick: Nick
    bots: Annotated[int, msgspec.Meta(ge=0, lt=MAX_SEATS)]
    auto: bool
    wish: Wish


class Refused(Message, frozen=True):
    """The creator gives no seat: why, and what differs."""

    table: Bytes32
    to: Bytes32
    run: Bytes32
    code: Code
    differs: Annotated[tuple[Short, ...], msgspec.Meta(max_length=64)]


class Watch(Message, frozen=True):
    """Somebody asks a seated peer, over a link to it, to be let look on; told to nobody else."""

    table: Bytes32
    run: Bytes32
    number: Count
    version: Count
    nick: Nick


class Admitted(Message, frozen=True):
    """A seated peer lets somebody look on: all that is public comes over this link from now on. Repeats the number of
    the `Watch` that it answers.
    """

    table: Bytes32
    to: Bytes32
    run: Bytes32
    number: Count


class Aside(Message, frozen=True):
    """A seated peer passes on what somebody who looks on through it has said: the `Say` as it was signed."""

    table: Bytes32
    number: Count
    nick: Nick
    said: Annotated[bytes, msgspec.Meta(max_length=2048)]


class SeatEntry(Part, frozen=True):
    """One seat: its peer, the nick, which of the peer's seats it is (0: its player), and whether a program plays. A
    further seat that no program plays is that of a guest: a person who plays at the peer's program.
    """

    owner: Bytes32
    nick: Nick
    number: SeatNumber
    bot: bool


class PeerEntry(Part, frozen=True):
    """One peer at the table: its wish about being host, and whether its player is ready."""

    peer: Bytes32
    wish: Wish
    ready: bool


class Seating(Message, frozen=True):
    """The creator tells who sits where; a higher revision replaces a lower one."""

    table: Bytes32
    revision: Count
    seats: Annotated[tuple[SeatEntry, ...], msgspec.Meta(max_length=MAX_SEATS)]
    peers: Annotated[tuple[PeerEntry, ...], msgspec.Meta(max_length=MAX_PEERS)]


class Ready(Message, frozen=True):
    """A player is ready to start (after a match: to play again), or no longer."""

    table: Bytes32
    run: Bytes32
    number: Count
    ready: bool


class Start(Message, frozen=True):
    """The creator starts a match. Its hash, with the creator's id, is the match id."""

    table: Bytes32
    number: Count
    nonce: Bytes32
    fingerprint: Bytes32
    deal: DealKind
    trust: Trust
    hands: Count
    seats: Annotated[tuple[SeatEntry, ...], msgspec.Meta(min_length=1, max_length=MAX_SEATS)]
    peers: Annotated[tuple[PeerEntry, ...], msgspec.Meta(min_length=1, max_length=MAX_PEERS)]


class Vote(Message, frozen=True):
    """A seated peer's one vote of a term."""

    match: Bytes32
    term: Term
    candidate: Bytes32


class Leave(Message, frozen=True):
    """A peer gives its seats back; outside a match. The creator's own closes the table."""

    table: Bytes32
    run: Bytes32


class Say(Message, frozen=True, omit_defaults=True):
    """Chat: signed, but no part of the ledger. ``seat``: which of its author's seats speaks (0: its player)."""

    table: Bytes32
    number: Count
    text: Chat
    seat: SeatNumber = 0


class Ballot(Message, frozen=True):
    """A peer's voice for or against muting somebody, or taking somebody's seat; ``run`` as with Join."""

    table: Bytes32
    run: Bytes32
    number: Count
    measure: Measure
    about: Bytes32
    agree: bool


class Presence(Message, frozen=True, omit_defaults=True):
    """A sign of life: to whom this peer has links, how far its ledger goes, whose host it hears.

    ``last_term``: of the last record of its ledger; ``committed``: how far that is committed; ``follows``: the term
    whose host it hears, 0 when it has lost it; ``rests``: its player would like a pause; ``watching``: how many look
    on through it; ``suspends``: its player goes, keeps the seat and comes back to the match another time: the last word
    of a run. A higher number replaces a lower one.
    """

    table: Bytes32
    run: Bytes32
    number: Count
    links: Annotated[tuple[Bytes32, ...], msgspec.Meta(max_length=32)]
    match: Bytes32
    seq: Count
    last_term: Count
    committed: Count
    follows: Count
    rests: bool
    watching: Annotated[int, msgspec.Meta(ge=0, le=MAX_SPECTATORS)] = 0
    suspends: bool = False


# ---------------------------------------------------------------- the ledger on its way


class Draft(Message, frozen=True):
    """What its author wants in the ledger. ``number`` grows with its drafts; ``head``: what it had seen committed."""

    match: Bytes32
    hand: Count
    epoch: Count
    number: Count
    head: Bytes32
    body: Body


class Ordered(Message, frozen=True):
    """The host puts a draft (packed Signed) at a place of the ledger."""

    match: Bytes32
    term: Term
    seq: Annotated[int, msgspec.Meta(ge=1, le=1 << 31)]
    prev: Bytes32
    draft_digest: Bytes32
    draft: Blob


class Declined(Message, frozen=True):
    """The host does not order a draft: why, so that its author can tell the player."""

    match: Bytes32
    author: Bytes32
    number: Count
    code: Code
    knob: Short
    parameters: dict[str, int | str]


class Ack(Message, frozen=True):
    """Its author has verified and stored the ledger up to here."""

    match: Bytes32
    term: Term
    seq: Count
    head: Bytes32


class Boxed(Message, frozen=True):
    """Openings for one peer alone: a sealed box around the packed Signed of a Dealt."""

    match: Bytes32
    hand: Count
    epoch: Count
    to: Bytes32
    box: Blob


class Dealt(Message, frozen=True):
    """Inside a box: the openings of a seat's cards, signed, so that a wrong one convicts the host."""

    match: Bytes32
    hand: Count
    epoch: Count
    seat: SeatNumber
    openings: Annotated[tuple[Opening, ...], msgspec.Meta(min_length=1, max_length=64)]


class Accuse(Message, frozen=True):
    """A peer shows everybody signed messages that convict their author; the host's among them."""

    match: Bytes32
    code: Code
    evidence: Annotated[tuple[Blob, ...], msgspec.Meta(min_length=1, max_length=4)]


class Claim(Message, frozen=True):
    """Of two peers one has waited for the other longer than the table's grace time, and ends the match by that."""

    match: Bytes32
    seq: Count
    head: Bytes32
    waited: Count


class Ask(Message, frozen=True):
    """A peer that missed something asks for the records after ``seq``, and the host for its boxes of this hand."""

    match: Bytes32
    to: Bytes32
    number: Count
    seq: Count
    boxes: bool


class Records(Message, frozen=True):
    """Records (packed Signed) for a peer that asked."""

    match: Bytes32
    to: Bytes32
    number: Count
    records: Annotated[tuple[Blob, ...], msgspec.Meta(max_length=256)]


Payload: TypeAlias = (
    TableInfo
    | Join
    | Refused
    | Watch
    | Admitted
    | Aside
    | Seating
    | Ready
    | Start
    | Vote
    | Leave
    | Say
    | Ballot
    | Presence
    | Draft
    | Ordered
    | Declined
    | Ack
    | Boxed
    | Accuse
    | Claim
    | Ask
    | Records
)


# ---------------------------------------------------------------- signing and reading


def sign(identity: Identity, payload: Payload | Dealt) -> Signed:
    """Pack and sign a payload."""
    data = pack(payload)
    return Signed(author=identity.player_id, payload=data, signature=identity.sign(LABEL, data))


def is_genuine(message: Signed) -> bool:
    """Whether the author has signed this payload."""
    return message.genuine


def read(message: Signed) -> Payload:
    """The payload; RemoteProtocolError when it is none. The signature is the caller's matter."""
    return message.content


def read_packed(data: bytes, noted: Callable[[Signed], Signed] = lambda message: message) -> Signed:
    """A Signed that is carried inside another message, with its signature checked; RemoteProtocolError otherwise.

    ``noted`` gives the same message as it came before, if it did: what has been found out of that one is known.
    """
    message = noted(unpack(data, Signed))
    if not is_genuine(message):
        raise RemoteProtocolError("bad-signature")
    return message


def table_id(creator: bytes, nonce: bytes) -> bytes:
    """The id of a table: nobody but its creator can have made it."""
    return hashlib.sha256(b"rummy-p2p table\0" + creator + nonce).digest()


def read_table(message: Signed) -> TableInfo | None:
    """What a table plays, when this is its creator's own word; None for any other message."""
    try:
        info = read(message)
    except RemoteProtocolError:
        return None
    if not isinstance(info, TableInfo) or not is_genuine(message):
        return None
    return info if info.table == table_id(message.author, info.nonce) else None


def match_id(start: Signed) -> bytes:
    """The id of the match that a Start begins."""
    return hashlib.sha256(b"rummy-p2p match\0" + start.author + start.payload).digest()
