"""The court: whom this peer has blamed for what, and whom signed messages convict.

Evidence that convicts is shown to everybody (`Accuse`), so that nobody need take another's word. An accusation about a
deck that is not committed here yet is kept and looked at again; one that proves nothing is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rummy_p2p.deal.committed import Transcript
from rummy_p2p.protocol.codec import pack
from rummy_p2p.protocol.evidence import CONVICTING, convict
from rummy_p2p.protocol.faults import Fault
from rummy_p2p.protocol.gossip import Gossip
from rummy_p2p.protocol.messages import Accuse
from rummy_p2p.protocol.records import Void

ACCUSATIONS_KEPT: Final = 8


class Court:
    """The faults that are known in one match."""

    def __init__(self, match: bytes, gossip: Gossip) -> None:
        """Start with nobody blamed."""
        self._match = match
        self._gossip = gossip
        self._blamed: set[tuple[str, bytes | None]] = set()
        self._sentences: dict[bytes, Void] = {}
        self._accusations: list[Accuse] = []

    def report(self, fault: Fault) -> bool:
        """Note a fault found here, and show the proof to everybody; False when it is known already."""
        evidence = tuple(pack(message) for message in fault.evidence)
        proven = fault.code in CONVICTING and bool(evidence)
        fresh = self._note(fault, evidence if proven else ())
        if fresh and proven:
            self._gossip.say(Accuse(match=self._match, code=fault.code, evidence=evidence))
        return fresh

    def file(self, accuse: Accuse) -> None:
        """Put an accusation on the list for `hear`."""
        self._accusations = [*self._accusations[-ACCUSATIONS_KEPT:], accuse]

    def hear(self, deck: tuple[int, int, Transcript] | None) -> Iterator[Fault]:
        """Look at what others have shown: the faults that are proven and new."""
        heard, self._accusations = self._accusations, []
        for accuse in heard:
            try:
                culprit = convict(accuse.code, accuse.evidence, self._match, deck)
            except Fault:
                if accuse.code == "bad-opening":
                    self._accusations.append(accuse)
                continue
            fault = Fault(accuse.code, culprit)
            if self._note(fault, accuse.evidence):
                yield fault

    def sentence(self, culprit: bytes) -> Void | None:
        """What the host has to put into the ledger about a convicted guest."""
        return self._sentences.get(culprit)

    def _note(self, fault: Fault, evidence: tuple[bytes, ...]) -> bool:
        if (fault.code, fault.culprit) in self._blamed:
            return False
        self._blamed.add((fault.code, fault.culprit))
        if fault.culprit is not None and evidence:
            self._sentences[fault.culprit] = Void(code=fault.code, evidence=evidence)
        return True
