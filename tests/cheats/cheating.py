"""Tables at which one peer runs a changed program, and what has to come of it for all the others.

A cheat's session is the honest one, but for what it says: `lying` changes each thing that it wants in the ledger
before it is signed, and `told` signs a draft of its own. A host that cheats does not ask its own program for its
opinion: `ordered` makes a record of whatever it likes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, TypeVar, cast

import msgspec

from rummy_p2p.deal.blind import BlindDeal
from rummy_p2p.deal.blind_messages import Draw, SharePart, Shares, ShuffleDeck
from rummy_p2p.deal.blind_transcript import BlindTranscript
from rummy_p2p.deal.group import L, Point, plus, times, times_base
from rummy_p2p.deal.keys import KeyParty
from rummy_p2p.deal.proofs import prove_equal, prove_log
from rummy_p2p.deal.shuffle import Pair, Shuffled, prove_shuffle, shuffle, write_deck
from rummy_p2p.protocol.blind_hand import BlindParty
from rummy_p2p.protocol.events import DeckCommitted, FaultFound, HandVoid, MatchOver
from rummy_p2p.protocol.fields import Wish
from rummy_p2p.protocol.messages import Signed
from rummy_p2p.protocol.records import Act, Body
from rummy_p2p.ruleset import Ruleset
from tests.protocol.lan import NAMES, Lan, Peer, rummy
from tests.protocol.tampering import forge_draft, forge_record, match_of

T = TypeVar("T")
Lie: TypeAlias = Callable[[Body], Body | None]
Tampering: TypeAlias = Callable[[list[Pair], Point], None]
FRESH = bytes(32)


# ---------------------------------------------------------------- tables


def begun(
    count: int, seed: int, rules: Ruleset | None = None, *, hands: int = 1, host: str = "Ada"
) -> tuple[Lan, list[Peer]]:
    """A blind match that has been started at every peer, and no more; ``host``: who will be elected."""
    lan = Lan(seed, deal="blind")
    rules = rules or rummy()
    wishes: dict[bool, Wish] = {True: "always", False: "never"}
    peers = [lan.peer(name, rules, auto=True, wish=wishes[name == host]) for name in NAMES[:count]]
    lan.create(peers[0], seats=count, hands=hands)
    lan.mesh(peers)
    lan.run(lambda: all(peer.session is not None and len(peer.table.seats) == count for peer in peers))
    for peer in peers:
        peer.table.ready(lan.now)
        lan.pump(peer)
    lan.run(lambda: peers[0].table.ready_to_start)
    peers[0].table.start(lan.now)
    lan.pump(peers[0])
    lan.run(lambda: all(peer.table.match is not None for peer in peers))
    return lan, peers


def dealt(
    count: int, seed: int, rules: Ruleset | None = None, *, hands: int = 1, host: str = "Ada"
) -> tuple[Lan, list[Peer]]:
    """... and everybody knows its cards; nobody has made a move, and nobody will before the test says so."""
    lan, peers = begun(count, seed, rules, hands=hands, host=host)
    for peer in peers:
        peer.plays = False
    lan.run(lambda: all(has_cards(peer) for peer in peers))
    lan.settle()
    return lan, peers


def play(peers: Iterable[Peer]) -> None:
    for peer in peers:
        peer.plays = True


def has_cards(peer: Peer) -> bool:
    match = match_of(peer)
    fold = match.replica.committed
    seats = peer.table.own_seats
    is_dealt = fold.hand is not None and not fold.owed and not fold.flips
    return is_dealt and all(match._party.knows_hand(fold, seat) for seat in seats)


def party_of(peer: Peer) -> BlindParty:
    return cast("BlindParty", match_of(peer)._party)


def deal_of(peer: Peer) -> BlindDeal:
    deal = party_of(peer)._deal
    assert deal is not None
    return deal


def keying_of(peer: Peer) -> KeyParty:
    keying = party_of(peer)._keying
    assert keying is not None
    return keying


def bodies(peer: Peer, kind: type[T]) -> list[T]:
    """What of this kind stands in a peer's ledger."""
    return [entry.body for entry in match_of(peer).replica.ledger.entries if isinstance(entry.body, kind)]


def on_turn(peers: Iterable[Peer]) -> Peer:
    return next(peer for peer in peers if peer.table.view(peer.table.own_seats[0]).on_turn)


# ---------------------------------------------------------------- how one cheats


def lying(peer: Peer, lie: Lie) -> None:
    """From now on a peer says something else; where the lie is None it keeps silent."""
    match = match_of(peer)
    honest = match._propose

    def propose(key: str, body: Body, now: float) -> None:
        said = lie(body)
        if said is None:
            match._resting.add(key)
        else:
            honest(key, said, now)

    match._propose = propose  # type: ignore[method-assign]  # a cheat


def instead(kind: type[T], change: Callable[[T], Body | None]) -> Lie:
    """Lie about one kind of thing."""
    return lambda body: change(body) if isinstance(body, kind) else body


def instead_of_draw(change: Callable[[Draw], Draw]) -> Lie:
    """Lie about every draw, with a move or by itself."""

    def lie(body: Body) -> Body:
        if isinstance(body, Act) and body.draw is not None:
            return msgspec.structs.replace(body, draw=change(body.draw))
        return change(body) if isinstance(body, Draw) else body

    return lie


def send(lan: Lan, sender: Peer, receivers: Iterable[Peer], *messages: Signed) -> None:
    """Put messages on the wire."""
    for receiver in receivers:
        lan.queues[sender.id, receiver.id].extend(messages)


def told(lan: Lan, cheat: Peer, others: Sequence[Peer], body: Body, **changes: object) -> Signed:
    """A cheat wants this in the ledger."""
    draft = forge_draft(cheat, body, **changes)
    send(lan, cheat, others, draft)
    return draft


def ordered(lan: Lan, host: Peer, others: Sequence[Peer], body: Body) -> None:
    """A host that cheats orders this, said by itself."""
    send(lan, host, others, forge_record(host, forge_draft(host, body)))


# ---------------------------------------------------------------- false pieces


def false_shuffle(peer: Peer, tamper: Tampering) -> ShuffleDeck:
    """A turn with a deck that is no shuffle, and the best proof for it that there is."""
    public = deal_of(peer).public
    last, key = public.layers[-1], public.spec.key.public
    made = shuffle(last.decks[-1], key, b"cheat".ljust(32))
    deck = list(made.deck)
    tamper(deck, key)
    lie = Shuffled(tuple(deck), made.order, made.factors)
    about = last.about_turn(public.hand, len(last.proofs))
    proof = prove_shuffle(about, key, last.decks[-1], lie, FRESH)
    return ShuffleDeck(last.epoch, last.chain[-1], write_deck(lie.deck), proof)


def draw_with(public: BlindTranscript, author: bytes, slot: int, factor: int, base: Point | None = None) -> Draw:
    """A draw with a factor of one's own choice, over the c1 of its slot or over ``base``, proven for its slot."""
    layer = public.layer_of(slot)
    proof = prove_log(public.about_draw(layer, slot, author), factor, times_base(factor), FRESH)
    return Draw((slot,), plus(base or layer.pair(slot).c1, times_base(factor)), proof)


def joined(draws: Sequence[Draw]) -> Draw:
    """Draws of one slot each in one message."""
    slots = tuple(slot for draw in draws for slot in draw.slots)
    return Draw(slots, b"".join(draw.points for draw in draws), b"".join(draw.proofs for draw in draws))


def share_of(peer: Peer, name: bytes, secret: int | None = None, author: Peer | None = None) -> SharePart:
    """A share of a request, with a secret of one's own choice when asked to, in somebody's name."""
    deal, public = deal_of(peer), deal_of(peer).public
    asked = next(each for each in public.requests if each.id == name)
    scalar = deal._share.scalar if secret is None else secret
    shares = tuple(times(scalar, point) for point in asked.points)
    me = (author or peer).id
    about = asked.about(public.hand, me)
    proof = prove_equal(about, scalar, public.spec.key.share_of(me), asked.points, shares, FRESH)
    return SharePart(name, b"".join(shares), proof)


def shares_with(peer: Peer, secret: int | None = None) -> Callable[[Shares], Shares]:
    """Shares of the same requests, with another secret."""
    return lambda body: Shares(tuple(share_of(peer, part.request, secret) for part in body.parts))


def shifted(data: bytes, place: int) -> bytes:
    """The scalar at a place said in a second way: k + L."""
    at = 32 * place
    value = int.from_bytes(data[at : at + 32], "little") + L
    return data[:at] + value.to_bytes(32, "little") + data[at + 32 :]


# ---------------------------------------------------------------- what has to come of it


def one_ledger(peers: Sequence[Peer]) -> None:
    """These peers have committed the same records."""
    assert len({match_of(peer).replica.ledger.committed_head for peer in peers}) == 1


def nobody_else(peers: Sequence[Peer], cheat: Peer | None) -> None:
    """Nobody but the cheat was found to be at fault."""
    guilty = {None, cheat.id if cheat else None}
    assert {fault.culprit for peer in peers for fault in peer.all(FaultFound)} <= guilty
    assert {void.culprit for peer in peers for void in peer.all(HandVoid)} <= guilty


def put_out(lan: Lan, peers: Sequence[Peer], cheat: Peer, code: str, *, fully: bool = False) -> None:
    """The hand is void, the guest that cheated is named, and the others play on or have won.

    They have a key of their own and begin to shuffle; when asked for ``fully``, they go on until they see their cards.
    """
    honest = [peer for peer in peers if peer is not cheat]
    lan.run(lambda: all(peer.all(HandVoid) for peer in honest))
    for peer in honest:
        voids = [(void.code, void.culprit) for void in peer.all(HandVoid)]
        assert voids == [(code, cheat.id)], voids
        assert all(void.sentence for void in peer.all(HandVoid))
    if len(honest) == 1:
        _won(lan, honest[0])
    else:
        _goes_on(lan, honest, fully=fully)
    nobody_else(honest, cheat)
    one_ledger(honest)


def _won(lan: Lan, left: Peer) -> None:
    lan.settle()
    ends = [(over.code, over.winners) for over in left.all(MatchOver)]
    winners = left.table.own_seats if left.all(DeckCommitted) else ()  # nobody wins before the first deck
    assert ends == [("too-few-players", winners)], ends


def _goes_on(lan: Lan, honest: Sequence[Peer], *, fully: bool) -> None:
    ids = {peer.id for peer in honest}
    for peer in honest:
        peer.plays = False
    lan.run(lambda: all(ids == _keepers(peer) for peer in honest))
    if fully:
        lan.run(lambda: all(has_cards(peer) for peer in honest))
        lan.settle()
    else:
        _catch_up(lan, honest)
    assert not any(peer.all(MatchOver) for peer in honest)


def _keepers(peer: Peer) -> set[bytes]:
    """Who holds shares of the key that is in use."""
    key = match_of(peer).replica.committed.key
    return set(key.peers) if key is not None else set()


def _catch_up(lan: Lan, peers: Sequence[Peer]) -> None:
    """Until they have committed the same."""
    lan.run(lambda: len({match_of(peer).replica.ledger.committed_head for peer in peers}) == 1)


def deposed(lan: Lan, guests: Sequence[Peer], host: Peer, code: str) -> None:
    """Every guest has found the host out and follows another, or ends the match when there is none; nobody has anything
    to say against anybody else.
    """
    alone = len(guests) == 1
    lan.run(lambda: all(peer.all(MatchOver) if alone else _is_replaced(peer, host) for peer in guests))
    for peer in guests:
        faults = {(fault.code, fault.culprit) for fault in peer.all(FaultFound)}
        assert (code, host.id) in faults, faults
        assert [over.code for over in peer.all(MatchOver)] == (["host-convicted"] if alone else [])
    nobody_else(guests, host)
    _agree(guests)


def _is_replaced(peer: Peer, host: Peer) -> bool:
    """Whether a peer has seen a new host's first record committed."""
    return match_of(peer).replica.committed.host not in {None, host.id}


def _agree(peers: Sequence[Peer]) -> None:
    """What one of them has committed when it stops is what another has, as far as that goes."""
    ledgers = [match_of(peer).replica.ledger for peer in peers]
    least = min(ledger.committed for ledger in ledgers)
    assert len({ledger.hash_at(least) for ledger in ledgers}) == 1


def nothing_happened(peers: Sequence[Peer]) -> None:
    """Nobody was found to be at fault, and no hand was lost."""
    for peer in peers:
        assert not peer.all(FaultFound), peer.name
        assert not peer.all(HandVoid), peer.name
