"""Evidence: signed messages that convict their author, whoever shows them.

two-bodies    two drafts of one author under one number
two-records   two records of one host for one place of one term
two-acks      two acknowledgements of one peer for one place of one term with different heads
two-votes     two votes of one peer in one term
bad-opening   the host's signed openings of a seat's cards, one of which does not fit the deck commitment
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from rummy_p2p.deal import DealError
from rummy_p2p.deal.committed import Transcript
from rummy_p2p.protocol.codec import unpack
from rummy_p2p.protocol.errors import RemoteProtocolError
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.messages import Ack, Dealt, Draft, Ordered, Payload, Signed, Vote, read_packed

T = TypeVar("T")


def convict(code: str, packed: Sequence[bytes], match: bytes, deal: tuple[int, int, Transcript] | None) -> bytes:
    """The culprit that the evidence convicts; Fault bad-evidence when it convicts nobody.

    ``deal``: hand, epoch and transcript of the deck that is being played with.
    """
    try:
        messages = [read_packed(data) for data in packed]
        guilty = _bad_opening(messages, match, deal) if code == "bad-opening" else _TWO[code](messages, match)
    except (RemoteProtocolError, KeyError, ValueError, TypeError) as error:
        raise Fault("bad-evidence") from error
    if not guilty:
        raise Fault("bad-evidence")
    return messages[0].author


def _two_bodies(messages: Sequence[Signed], match: bytes) -> bool:
    one, other = _pair(messages, Draft)
    return one.match == other.match == match and one.number == other.number


def _two_records(messages: Sequence[Signed], match: bytes) -> bool:
    one, other = _pair(messages, Ordered)
    return one.match == other.match == match and (one.term, one.seq) == (other.term, other.seq)


def _two_acks(messages: Sequence[Signed], match: bytes) -> bool:
    one, other = _pair(messages, Ack)
    same_place = (one.term, one.seq) == (other.term, other.seq)
    return one.match == other.match == match and same_place and one.head != other.head


def _two_votes(messages: Sequence[Signed], match: bytes) -> bool:
    one, other = _pair(messages, Vote)
    return one.match == other.match == match and one.term == other.term and one.candidate != other.candidate


def _pair(messages: Sequence[Signed], kind: type[T]) -> tuple[T, T]:
    """Two different messages of one author and one kind; ValueError when they are not that."""
    one, other = messages
    if one.author != other.author or one.digest == other.digest:
        raise ValueError("no pair")
    first, second = unpack(one.payload, Payload), unpack(other.payload, Payload)
    if not (isinstance(first, kind) and isinstance(second, kind)):
        raise TypeError("another kind of message")
    return first, second


def _bad_opening(messages: Sequence[Signed], match: bytes, deal: tuple[int, int, Transcript] | None) -> bool:
    """The host signed, for this very deck, an opening that the deck commitment contradicts."""
    (message,) = messages
    dealt = unpack(message.payload, Dealt)
    if deal is None or (dealt.match, dealt.hand, dealt.epoch) != (match, deal[0], deal[1]):
        return False
    if message.author != deal[2].spec.host:
        return False
    try:
        for opening in dealt.openings:
            deal[2].verify(opening.slot, opening)
    except DealError as error:
        return error.code in {"bad-opening", "not-in-deck"}
    return False


_TWO: Final[Mapping[str, Callable[[Sequence[Signed], bytes], bool]]] = {
    "two-bodies": _two_bodies,
    "two-records": _two_records,
    "two-acks": _two_acks,
    "two-votes": _two_votes,
}
CONVICTING: Final = frozenset({*_TWO, "bad-opening"})
