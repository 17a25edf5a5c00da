"""A table of peers that deal blindly, all in one process, with dice that fall the same way each time.

The public transcript is folded once and given to everybody, as the ledger does it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache

import msgspec
import pytest
from nacl.signing import SigningKey

from rummy_p2p.cards import Card, pack
from rummy_p2p.deal import DealError, Opening
from rummy_p2p.deal.blind import BlindDeal
from rummy_p2p.deal.blind_deck import Spec
from rummy_p2p.deal.blind_messages import BlindMessage
from rummy_p2p.deal.blind_transcript import BlindStage, BlindTranscript, begin_blind
from rummy_p2p.deal.breach import Breach
from rummy_p2p.deal.keys import JointKey, KeyParty, KeyShare, KeyStage, KeyTranscript, Postbox, begin_key

CONTEXT = hashlib.sha256(b"a match").digest()
SMALL = pack(1, 0)[:5]
SEEDS = [hashlib.sha256(b"seed %d" % number).digest() for number in range(8)]
IDS = tuple(bytes(SigningKey(seed).verify_key) for seed in SEEDS)
POSTBOXES = {peer: Postbox(seed) for peer, seed in zip(IDS, SEEDS, strict=True)}
STRANGER = bytes([9]) * 32


def dice(label: str) -> Callable[[int], bytes]:
    """Bytes that look random and are the same in every run; a new label, new bytes."""
    drawn = 0

    def roll(size: int) -> bytes:
        nonlocal drawn
        drawn += 1
        return hashlib.shake_256(f"{label} {drawn}".encode()).digest(size)

    return roll


def key_parties(count: int, *, trust_all: bool = False, label: str = "key") -> dict[bytes, KeyParty]:
    begun = begin_key(CONTEXT, IDS[:count], trust_all=trust_all)
    return {peer: KeyParty(begun, peer, POSTBOXES[peer], dice(f"{label} {peer.hex()}")) for peer in IDS[:count]}


def talk(parties: dict[bytes, KeyParty]) -> KeyTranscript:
    """Let everybody say what is due until nobody has anything to say."""
    while said := [(peer, message) for peer, party in parties.items() for message in party.messages()]:
        for author, message in said:
            for party in parties.values():
                party.receive(author, message)
    return next(iter(parties.values())).public


@cache
def made_key(count: int, *, trust_all: bool = False) -> tuple[JointKey, dict[bytes, KeyShare]]:
    """The key of so many peers, and their secret shares of it."""
    parties = key_parties(count, trust_all=trust_all)
    public = talk(parties)
    assert public.stage is KeyStage.DONE
    return public.key(), {peer: party.share() for peer, party in parties.items()}


def spec(count: int, cards: Sequence[Card] = SMALL, number: int = 0, **changes: object) -> Spec:
    made = Spec(CONTEXT, number, tuple(cards), made_key(count)[0], IDS[:count])
    return msgspec.structs.replace(made, **changes)


def record_of(author: bytes, message: BlindMessage) -> bytes:
    return hashlib.sha256(author + msgspec.msgpack.encode(message)).digest()


class Table:
    """So many peers with one deck."""

    def __init__(self, count: int, cards: Sequence[Card] = SMALL, hand: int = 0, label: str = "table") -> None:
        self.ids = IDS[:count]
        self.careless = False
        self.public = begin_blind(spec(count, cards, hand))
        shares = made_key(count)[1]
        self.deals = {
            peer: BlindDeal(
                self.public,
                peer,
                shares[peer],
                hashlib.sha256(label.encode() + peer).digest(),
                POSTBOXES[peer],
                dice(f"{label} {peer.hex()}"),
            )
            for peer in self.ids
        }

    def __getitem__(self, number: int) -> BlindDeal:
        return self.deals[self.ids[number]]

    def set(self, public: BlindTranscript) -> None:
        self.public = public
        for deal in self.deals.values():
            deal.public = public

    def hear(self, author: bytes | int, message: BlindMessage) -> None:
        """Put a message into the ledger."""
        peer = self.ids[author] if isinstance(author, int) else author
        self.set(self.public.receive(peer, message, record_of(peer, message)))

    def certify(self) -> None:
        """Everybody holds a certificate of all that has been said."""
        for deal in self.deals.values():
            deal.certify(each.id for each in self.public.requests)

    def talk(self, *silent: int) -> None:
        """Let everybody but the silent say what is due, until nobody has anything to say."""
        quiet = {self.ids[number] for number in silent}
        said = True
        while said:
            said = False
            for peer, deal in self.deals.items():
                self.check(deal)
                for message in () if peer in quiet else deal.messages():
                    self.hear(peer, message)
                    said = True

    def check(self, deal: BlindDeal) -> None:
        """Let a peer check the shuffles; where all are careless nobody looks."""
        for check in deal.checks():
            deal.note(check, holds=self.careless or check.holds())

    def stage(self) -> BlindStage:
        return self.public.stage

    def dealt(self) -> Table:
        self.talk()
        assert self.stage() is BlindStage.DEALT
        return self

    def draw(self, number: int, *slots: int, silent: Sequence[int] = ()) -> None:
        """One peer draws, the others answer."""
        self.hear(number, self[number].draw(slots))
        self.certify()
        self.talk(*silent)

    def flip(self, *slots: int, silent: Sequence[int] = ()) -> None:
        """The rules let slots be opened for all."""
        self.set(self.public.flip(slots, hashlib.sha256(b"flip %r" % (slots,)).digest()))
        self.certify()
        self.talk(*silent)

    def look(self, number: int, slot: int) -> Card:
        """What a peer sees in an own slot."""
        return self[number].look(slot)

    def show(self, number: int, *slots: int) -> dict[int, Card]:
        """A peer shows own slots to all."""
        openings = [self[number].open_private(slot, 0) for slot in slots]
        return self.show_openings(number, openings)

    def show_openings(self, number: int, openings: Sequence[Opening]) -> dict[int, Card]:
        public, faces = self.public.show(self.ids[number], openings)
        self.set(public)
        return faces


@cache
def _dealt(count: int, cards: tuple[Card, ...], label: str) -> BlindTranscript:
    return Table(count, cards, label=label).dealt().public


def dealt_table(count: int, cards: Sequence[Card] = SMALL, label: str = "table") -> Table:
    """A table at which the deck is signed; shuffled once for all tests."""
    table = Table(count, cards, label=label)
    table.set(_dealt(count, tuple(cards), label))
    return table


def refusal(act: Callable[..., object], *arguments: object) -> tuple[str, bytes | None]:
    """The code and the culprit of the refusal that an act meets."""
    with pytest.raises(DealError) as caught:
        act(*arguments)
    assert str(caught.value)
    return caught.value.code, caught.value.culprit if isinstance(caught.value, Breach) else None
