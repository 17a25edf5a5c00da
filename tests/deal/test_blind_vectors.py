"""Known answers: points, proofs, a shuffle and a whole deal, as they must come out in every version of protocol 1.

A file that differs fails. ``RUMMY_P2P_GOLDEN=write`` writes them anew; whoever needs to has changed the protocol. What
is in the deal's file is verified twice: by the package and by the plain verifier, which know nothing of each other.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_p2p.cards import Card, pack
from rummy_p2p.deal import DealError, Opening
from rummy_p2p.deal.blind_deck import Spec, card_point
from rummy_p2p.deal.blind_messages import BlindMessage
from rummy_p2p.deal.blind_transcript import BlindStage, BlindTranscript, begin_blind
from rummy_p2p.deal.breach import Breach
from rummy_p2p.deal.group import hash_to_scalar, scalars_from, times, times_base, write_scalar
from rummy_p2p.deal.keys import KeyMessage, KeyStage, KeyTranscript, begin_key
from rummy_p2p.deal.proofs import About, prove_equal, prove_log
from rummy_p2p.deal.shuffle import generators, permutation, prove_shuffle, shuffle, write_deck
from tests.deal import plain_verifier as plain
from tests.deal.blind_table import IDS, SMALL, Table, key_parties, record_of

HERE = Path(__file__).parent / "vectors"
WRITE = os.environ.get("RUMMY_P2P_GOLDEN") == "write"
PEERS = IDS[:3]
ABOUT = About(b"H" * 32, 1, (4, 9), b"A" * 32, b"R" * 32)
FRESH = bytes(range(32))
FLIP = b"flip".ljust(32, b".")
FEW = settings().max_examples // 4
Tree = dict[str, object]
Said = tuple[bytes, str, bytes, bytes]  # author, kind, packed message, record


# ---------------------------------------------------------------- what is known


def points() -> Tree:
    return {
        "cards": {str(card): card_point(card).hex() for card in pack(2, 1)[::13] + pack(1, 2)[-2:]},
        "generators": [point.hex() for point in generators(3)],
        "scalar": write_scalar(hash_to_scalar("label", b"one", b"", b"two")).hex(),
        "scalars": [write_scalar(scalar).hex() for scalar in scalars_from(b"seed", "label", 2)],
        "permutation": list(permutation(12, b"seed")),
    }


def proofs() -> Tree:
    secret = 2**200 + 17
    bases = generators(2)
    products = tuple(times(secret, base) for base in bases)
    equal = prove_equal(ABOUT, secret, times_base(secret), bases, products, FRESH)
    return {
        "about": ABOUT.packed().hex(),
        "secret": write_scalar(secret).hex(),
        "fresh": FRESH.hex(),
        "public": times_base(secret).hex(),
        "log": prove_log(ABOUT, secret, times_base(secret), FRESH).hex(),
        "bases": [base.hex() for base in bases],
        "products": [product.hex() for product in products],
        "equal": equal.hex(),
    }


def one_shuffle() -> Tree:
    key = times_base(99)
    before = Table(2).public.layers[0].decks[0][:4]
    made = shuffle(before, key, FRESH)
    return {
        "key": key.hex(),
        "before": write_deck(before).hex(),
        "seed": FRESH.hex(),
        "order": list(made.order),
        "factors": [write_scalar(factor).hex() for factor in made.factors],
        "after": write_deck(made.deck).hex(),
        "proof": prove_shuffle(ABOUT, key, before, made, FRESH).hex(),
    }


def deal() -> Tree:
    """Key generation, shuffle, draws, a card for all, and what is shown."""
    said = list(key_talk())
    table = Table(3)
    said += record_until(table, lambda: table.stage() is BlindStage.DEALT)
    for number in range(2):
        said.append(entry(table, number, table[number].draw((2 * number, 2 * number + 1))))
    table.certify()
    said += record_until(table, lambda: not table.public.unanswered(PEERS[2]))
    table.set(table.public.flip((4,), FLIP))
    table.certify()
    said += record_until(table, lambda: table.public.face(4) is not None)
    openings = [(number, table[number].open_private(slot, 0)) for number, slot in ((0, 0), (1, 2), (0, 1))]
    for number, opening in openings:
        table.show_openings(number, [opening])
    spec = table.public.spec
    return {
        "context": spec.context.hex(),
        "hand": table.public.hand.hex(),
        "cards": [str(card) for card in spec.cards],
        "peers": [peer.hex() for peer in PEERS],
        "threshold": spec.key.threshold,
        "messages": [[PEERS.index(author), kind, packed.hex(), record.hex()] for author, kind, packed, record in said],
        "flip": {"slots": [4], "record": FLIP.hex()},
        "openings": [[number, o.slot, str(Card(o.card)), o.proof.hex()] for number, o in openings],
        "commitment": (table.public.commitment or b"").hex(),
        "faces": {str(slot): str(card) for slot, card in sorted(table.public.faces)},
    }


def key_talk() -> Iterator[Said]:
    parties = key_parties(3)
    while said := [(peer, message) for peer, party in parties.items() for message in party.messages()]:
        for author, message in said:
            for party in parties.values():
                party.receive(author, message)
            yield author, "key", msgspec.msgpack.encode(message), b""


def record_until(table: Table, is_enough: Callable[[], bool]) -> Iterator[Said]:
    while not is_enough():
        for number, peer in enumerate(PEERS):
            table.check(table.deals[peer])
            for message in table[number].messages():
                yield entry(table, number, message)


def entry(table: Table, number: int, message: BlindMessage) -> Said:
    table.hear(number, message)
    return PEERS[number], "deal", msgspec.msgpack.encode(message), record_of(PEERS[number], message)


MAKERS: dict[str, Callable[[], Tree]] = {"points": points, "proofs": proofs, "shuffle": one_shuffle, "deal": deal}


@cache
def known(name: str) -> Tree:
    found: Tree = json.loads((HERE / f"{name}.json").read_text("utf-8"))
    return found


@pytest.mark.parametrize("name", MAKERS)
def test_known_answers(name: str) -> None:
    made = json.loads(json.dumps(MAKERS[name]()))
    if WRITE:
        (HERE / f"{name}.json").write_text(json.dumps(made, indent=1) + "\n", "utf-8")
    assert made == known(name)


# ---------------------------------------------------------------- the deal in the file, verified by the package


def hexes(name: str) -> bytes:
    value = known("deal")[name]
    assert isinstance(value, str)
    return bytes.fromhex(value)


def messages() -> list[Said]:
    rows = known("deal")["messages"]
    assert isinstance(rows, list)
    return [
        (PEERS[number], kind, bytes.fromhex(packed), bytes.fromhex(record)) for number, kind, packed, record in rows
    ]


def openings() -> list[tuple[bytes, int, Card, bytes]]:
    rows = known("deal")["openings"]
    assert isinstance(rows, list)
    return [(PEERS[number], slot, Card.parse(card), bytes.fromhex(proof)) for number, slot, card, proof in rows]


def faces() -> dict[int, Card]:
    found = known("deal")["faces"]
    assert isinstance(found, dict)
    return {int(slot): Card.parse(card) for slot, card in found.items()}


def replayed(said: list[Said]) -> BlindTranscript:
    """The deal in the file as the package folds and audits it; DealError or a msgspec error when it does not hold."""
    key = begin_key(hexes("context"), PEERS)
    public: BlindTranscript | None = None
    for author, kind, packed, record in said:
        if kind == "key":
            key = key.receive(author, msgspec.msgpack.decode(packed, type=KeyMessage))
        else:
            public = public or begun(key)
            public = public.receive(author, msgspec.msgpack.decode(packed, type=BlindMessage), record)
            public = flipped_when_due(public)
    assert public is not None
    for author, slot, card, proof in openings():
        public, _ = public.show(author, [Opening(slot=slot, card=int(card), proof=proof)])
    public.audit()
    return public


def begun(key: KeyTranscript) -> BlindTranscript:
    assert key.stage is KeyStage.DONE
    return begin_blind(Spec(hexes("context"), 0, SMALL, key.key(), PEERS))


def flipped_when_due(public: BlindTranscript) -> BlindTranscript:
    answered = len(public.requests) == 2 and all(len(each.shares) == 2 for each in public.requests)
    return public.flip((4,), FLIP) if answered else public


def test_the_package_verifies_the_deal_in_the_file() -> None:
    public = replayed(messages())
    assert public.hand == hexes("hand")
    assert public.commitment == hexes("commitment")
    assert dict(public.faces) == faces()


@settings(max_examples=FEW)
@given(st.data())
def test_one_bit_changed_anywhere_is_found(data: st.DataObject) -> None:
    """Boxes are the one thing that only their receiver can judge; it complains (test_keys)."""
    said = messages()
    open_to_all = [at for at, (_, _, packed, _) in enumerate(said) if b"key-shares" not in packed]
    at = data.draw(st.sampled_from(open_to_all))
    author, kind, packed, record = said[at]
    bit = data.draw(st.integers(0, 8 * len(packed) - 1))
    flipped = (int.from_bytes(packed, "big") ^ 1 << bit).to_bytes(len(packed), "big")
    said[at] = (author, kind, flipped, record)
    with pytest.raises((DealError, msgspec.ValidationError, msgspec.DecodeError)) as caught:
        replayed(said)
    if isinstance(caught.value, Breach):
        assert caught.value.culprit in {None, author}


# ---------------------------------------------------------------- and by the plain verifier


def test_the_plain_verifier_verifies_the_deal_in_the_file() -> None:
    said = [(author, kind, msgspec.msgpack.decode(packed), record) for author, kind, packed, record in messages()]
    opened = {author: m for author, kind, m, _ in said if m["type"] == "key-open"}
    vectors, keyed = zip(*((opened[peer]["vector"], opened[peer]["proof"]) for peer in PEERS), strict=True)
    joint, *publics = plain.check_key(hexes("context"), PEERS, vectors, keyed)
    cards = [(card.copy, card.face) for card in SMALL]
    one = plain.Deal(hexes("hand"), joint, dict(zip(PEERS, publics, strict=True)), 2, cards, PEERS)
    for author, _, message, record in said:
        hear(one, author, message, record)
    for _, slot, card, proof in openings():
        one.show(slot, (card.copy, card.face), proof)
    assert one.chain == hexes("commitment")
    assert one.faces == {slot: (card.copy, card.face) for slot, card in faces().items()}


def hear(one: plain.Deal, author: bytes, message: dict[str, object], record: bytes) -> None:
    """Tell the plain verifier what was said."""
    match message:
        case {"type": "shuffle-deck", "deck": bytes(deck), "proof": bytes(proof)}:
            one.shuffle(author, deck, proof)
        case {"type": "deck-ok", "commitment": commitment}:
            assert commitment == one.chain
        case {"type": "draw", "slots": list(slots), "points": bytes(points), "proofs": bytes(proofs)}:
            one.draw(author, tuple(slots), points, proofs, record)
            if len(one.drawn) == 4:
                one.flip((4,), FLIP)
        case {"type": "shares", "parts": list(parts)}:
            for part in parts:
                one.share(author, part["request"], part["points"], part["proof"])
