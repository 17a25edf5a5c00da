"""What is made or checked between the cards, read off what all peers have agreed on."""

from __future__ import annotations

from rummy_p2p.deal.blind_transcript import BlindTranscript
from rummy_p2p.deal.committed import Transcript
from rummy_p2p.deal.keys import KeyTranscript
from rummy_p2p.protocol.blind_dealing import unaudited
from rummy_p2p.protocol.state import Fold, Stage
from rummy_p2p.sentences.screen import Making


def making_of(fold: Fold | None) -> Making | None:
    """Return what is under way and how far it has come; None while cards are played, and before a hand is opened."""
    if fold is None:
        return None
    if fold.stage is Stage.COUNTED:
        return _audit(fold)
    if fold.stage not in (Stage.KEYING, Stage.DEALING, Stage.PLAYING) or fold.is_dealt:
        return None
    what, done, total = _deck(fold)
    return Making(what, done, total, _names(fold, fold.waits_for)) if total else None


def _deck(fold: Fold) -> tuple[str, int, int]:
    """Return which part of the work it is, and how many have done it, of how many."""
    if isinstance(fold.keying, KeyTranscript):
        key = fold.keying
        said = (key.commitments, key.vectors, key.boxes, key.confirmed)
        return "key", sum(map(len, said)), len(said) * len(key.peers)
    if isinstance(fold.deal, BlindTranscript):
        layer = fold.deal.layers[-1]
        if layer.shuffler is not None:
            return "shuffle", len(layer.proofs), len(layer.order)
        return "sign", len(layer.signed), len(layer.order)
    if isinstance(fold.deal, Transcript):
        peers = len(fold.deal.spec.peers)
        return "deal", len(fold.deal.promises) + len(fold.deal.entropies), 2 * peers + 1
    return "", 0, 0


def _audit(fold: Fold) -> Making:
    """Return who has found the deal of a counted hand in order; a deal by the host is recomputed when it opens it."""
    if not fold.is_blind:
        return Making("audit", 0, 1, _names(fold, (fold.host,)))
    late = unaudited(fold)
    return Making("audit", len(fold.audits), len(fold.audits) + len(late), _names(fold, late))


def _names(fold: Fold, peers: tuple[bytes, ...]) -> tuple[str, ...]:
    seated = {seat.owner for seat in fold.seats}
    return tuple(fold.name_of(peer) for peer in peers if peer in seated)
