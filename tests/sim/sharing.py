"""Work that every simulated peer would do over again is done once: a simulated hour has to fit into a second.

Signatures, forms and proofs are functions of bytes, and `advance` of a state and a draft, so that one answer serves all
peers; now and then it is worked out anew and compared, for a fold that does not only depend on its records would hide
behind this. The deck is cut down to the lowest ranks.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from types import ModuleType
from typing import Final

import pytest

from rummy_p2p import cards
from rummy_p2p.cards import Card
from rummy_p2p.protocol import blind_dealing, codec, fold, identity, messages, state
from rummy_p2p.protocol.ledger import Entry
from rummy_p2p.protocol.state import Advance, Fold, Motion
from rummy_p2p.ruleset import Ruleset

ADVANCE: Final = fold.advance
KEPT: Final = 1 << 14
RECHECKED: Final = 0.01

_Key = tuple[int | bytes, bytes, bytes, int, int, int]


class Folds:
    """The one fold of all peers: what a record came to, by the state that it came to and the draft."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._known: dict[_Key, tuple[Fold, Advance]] = {}
        self._after: dict[tuple[bytes, int, int], Fold] = {}

    def after(self, entry: Entry) -> Fold:
        """The state after a record that some peer has judged."""
        return self._after[entry.draft_message.digest, entry.ordered.term, entry.seq]

    def advance(self, before: Fold, motion: Motion) -> Advance:
        place: int | bytes = id(before) if before.start is not None else before.match_id
        key = (place, motion.digest, motion.host, motion.term, motion.seq, motion.seen)
        known = self._known.get(key)
        if known is None:
            made = fold.advance(before, motion)
            self._known[key] = (before, made)
            self._after[motion.digest, motion.term, motion.seq] = made.fold
            return made
        if self._rng.random() < RECHECKED:
            assert fold.advance(before, motion) == known[1], "the fold depends on more than the records"
        return known[1]


@contextmanager
def shared_work(seed: int, ranks: int) -> Iterator[Folds]:
    """Within this all peers share their work, and play with the ranks from the ace to ``ranks``."""
    with pytest.MonkeyPatch.context() as patch:
        folds = Folds(seed)
        for module in [module for module in sys.modules.values() if _asks_for_folds(module)]:
            patch.setattr(module, "advance", folds.advance)
        patch.setattr(messages, "verify", lru_cache(KEPT)(identity.verify))
        patch.setattr(messages, "unpack", lru_cache(KEPT)(codec.unpack))
        _cut_deck(patch, ranks)
        yield folds


def _asks_for_folds(module: ModuleType) -> bool:
    """Whether a module of the protocol, other than its own, has the fold from there."""
    return module is not fold and getattr(module, "advance", None) is ADVANCE


def _cut_deck(patch: pytest.MonkeyPatch, ranks: int) -> None:
    def pack(packs: int, jokers: int) -> tuple[Card, ...]:
        return tuple(card for card in cards.pack(packs, jokers) if card.is_joker or card.rank <= ranks)

    for module in (state, blind_dealing):
        patch.setattr(module, "pack", pack)
    patch.setattr(Ruleset, "size", property(lambda rules: 4 * ranks * rules.deck.packs + rules.deck.jokers))
