"""What can go wrong at a table: the codes and sentences of the ledger, the deal and the table session.

    ProtocolError
    |-- RemoteProtocolError
    |   `-- Fault             somebody at the table broke its rules; says who, and carries the proof where there is one
    `-- LocalProtocolError
        `-- Refusal           our own player asked for what cannot be done now

A Fault is about the *author* of a message, who need not be the neighbour that passed it on: it closes no link.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from rummy_p2p.deal import SENTENCES as DEAL_SENTENCES
from rummy_p2p.deal.breach import SENTENCES as BREACH_SENTENCES
from rummy_p2p.protocol.errors import LocalProtocolError, RemoteProtocolError

if TYPE_CHECKING:
    from rummy_p2p.protocol.messages import Signed

SENTENCES: Final[Mapping[str, str]] = {
    **DEAL_SENTENCES,
    **BREACH_SENTENCES,
    # proposals and records
    "bad-signature": "A message bears a signature that is not its author's. The sender may run a changed program.",
    "wrong-match": "A message belongs to another match.",
    "wrong-hand": "A message belongs to another hand of this match.",
    "wrong-author": "A player acted for a seat that belongs to somebody else.",
    "wrong-host": "Somebody who is not the host tried to order the actions.",
    "wrong-term": "A record was ordered in a term that has not begun or is over.",
    "stale-number": "A message was numbered lower than an earlier one of the same player.",
    "unknown-head": "A player refers to a record that this ledger does not have.",
    "two-bodies": "A player signed two messages under one number. That is cheating, or two copies of one program.",
    "two-records": "The host signed two different records for one place of the ledger. That is cheating.",
    "two-votes": "A player voted for two hosts in one term. That is cheating, or two copies of one program.",
    "two-acks": "A player confirmed two different ledgers. That is cheating, or two copies of one program.",
    "broken-chain": "A record does not continue the ledger before it.",
    "ledger-full": "This match has grown beyond what a ledger may hold. Finish here and start a new match.",
    "out-of-place": "A record of kind {kind} has no place at this point of the match.",
    "illegal-action": "A move that the rules do not allow was put into the ledger ({reason}).",
    "bad-roster": "The list of players in the ledger is not the one that was agreed.",
    "bad-votes": "The votes in the ledger do not make this player the host.",
    "rules-differ": "The rules in the ledger are not the ones that were agreed.",
    "needless-opening": "A card was shown that this move does not show.",
    "bad-evidence": "What is given as proof of a fault proves nothing.",
    "bad-hand-open": "A hand was opened that is not the next one, or without players who had shown what they must.",
    "score-differs": "The scores of the host are not those that the rules give.",
    "too-early": "A time-out was declared before the time was over.",
    "not-due": "Nothing of this kind is due now.",
    "knob-failed": "The rule {knob} of the plugin {plugin} failed ({cause}). The hand does not count.",
    "secret-lost": "The host's program was restarted in the middle of the hand. The hand does not count.",
    "secrets-gone": "This program no longer has what opens your cards of this hand. Wait for the next one, or leave.",
    "left": "{player} left. The hand does not count; whoever is left plays on when there are enough.",
    "deck-lost": "The host that had dealt is gone, and the deck with it. The hand is dealt anew by the next host.",
    "host-left": "The host left, so this match ends here. Start a new one.",
    "out-of-time": "A player has used up the time for the whole game, and loses the match by that.",
    "too-few-players": "There are not enough players left for this match.",
    "host-cheated": "The host was caught cheating with the deck, so this match ends here. Start a new one.",
    "too-few-here": "Too few players are here for this game. The hand is dealt anew when they are back.",
    "drops-moves": "The host holds back a move that it could put in order. The others choose another host.",
    "false-away": "The host said that a player is gone who is not. That is cheating.",
    "cannot-deal": "Three hands in a row did not count, so this match ends here.",
    "bad-certificate": "An acknowledgement in the file is not of this ledger.",
    "empty-ledger": "The file holds no record.",
    # forming a table
    "version-mismatch": "This table speaks protocol version {theirs}, this program {ours}. Update the older one.",
    "rules-mismatch": "This table plays by other rules than this program knows under that name: {differs}.",
    "password-needed": "This table is closed: a seat is for whoever knows its password. Ask for it, and join with it.",
    "wrong-password": "That is not the password of this table. Ask for it again; how it is written does not matter.",
    "too-many-tries": "Too many wrong passwords were tried at this table. Try again in {seconds} seconds.",
    "not-the-door": (
        "The password is shown only to the program that opened the table, and at this address is another one. Ask for "
        "the address of that program."
    ),
    "false-door": (
        "The program that shows this table does not know its password: somebody may be standing in between. Compare "
        "the three words with whoever invited you."
    ),
    "voted-out": "The players of this table have voted that you give your seat up. Choose another table, or open one.",
    "muted-by-vote": "The players of this table have voted that you say nothing. You can go on playing.",
    "no-vote-about": "{name} is nobody about whom you can vote here.",
    "not-the-creator": "Whoever opened the table cannot be sent away from it. Leave, and open another one.",
    "guest-of": "{name} is a guest at the program of {owner}. Ask {owner}, who can send guests away.",
    "table-full": "All seats of this table are taken.",
    "table-playing": "This table is in the middle of a match. Wait until it is over, or watch.",
    "table-closed": "The player who opened this table has closed it. Choose another, or open one.",
    "table-lost": "The player who opened this table cannot be reached any more. Choose another table, or open one.",
    "no-spectators": "The players of this table want nobody to look on. Choose another table, or ask for a seat.",
    "next-hand": (
        "At this table nobody is let in to look on in the middle of a hand. You will be let in with the next one."
    ),
    "too-many-watching": "{most} look on at this table already, and it takes no more. Try again later.",
    "has-seat": "You have a seat in the match that is played there. Go back to it with resume.",
    "only-watching": "You are looking on: moves are made by those who have a seat.",
    "quiet-table": "At this table those who look on do not chat. The players can still be heard.",
    "not-let-in": "No player of this table can be reached at the moment. Try again in a moment.",
    "not-seated": "You do not sit at this table.",
    "not-your-seat": "This seat belongs to another player.",
    "not-creator": "Only the player who opened the table starts the match.",
    "not-all-ready": "Not everybody is ready yet: {waiting}.",
    "too-few-seated": "This game needs {least} players; {seated} are seated. Wait for others, or add bots.",
    "no-table-there": "Nobody has a table open at {address} port {port}. Ask them to open one, or open one yourself.",
    "no-match": "No match is being played at this table.",
    "match-running": "The match is not over yet.",
    # inviting
    "nothing-to-invite-to": "You can invite others while you sit at a table that waits for players.",
    "nobody-there": "This player cannot be reached any more.",
    "creator-unknown": (
        "The address of whoever opened this table is not known here. Tell others the name of the table instead."
    ),
    "not-your-table": "Only the player who opened the table can choose other rules for it.",
    "action-pending": "Your last move is still on its way. Wait a moment.",
    "cards-coming": "Your cards are still on their way. Wait a moment.",
    "no-hand": "No cards are dealt at the moment.",
    # who waits for the other one of two
    "nobody-gone": "{player} is here. The match can be claimed only when the other player has been gone for {grace} s.",
    "grace-left": "{player} may still come back: the match can be claimed in {left} s.",
    "has-suspended": "{player} has suspended the match, to go on another time. Nobody loses the match by that.",
    "not-back-yet": "{player} has not been here since you came back. Nobody loses the match by that.",
    "no-claim": "A match can be claimed only when two play. Here the others go on without whoever is gone.",
    "claimed": "{player} was gone for longer than the {grace} s that this table waits, so {winner} claimed the match.",
    "claim-doubted": "{winner} claimed the match because you were gone; this program noticed nothing. Nobody wins.",
    # pausing
    "cut-off": "No player of this table can be reached. The program goes on looking for them.",
    "host-lost": "The host ({players}) cannot be reached. The table waits; it goes on by itself when the host is back.",
    "host-gone": "The host ({players}) cannot be reached. Another player takes over in a moment.",
    "no-quorum": "Too few players can be reached. The table waits for {players} and goes on by itself.",
    "player-lost": "{players} cannot be reached. The table waits a moment and goes on by itself.",
    "agreed": "You have agreed on a pause. The table goes on as soon as one of you wants to.",
    "no-match-to-pause": "No match is being played that could pause.",
    "forked": "A host told two stories, and the others went on with the one you did not hear. The match ends here.",
    "host-convicted": "The host was caught breaking the rules: {sentence} This match ends here; start a new one.",
}


def say(code: str, parameters: Mapping[str, str | int] | None = None) -> str:
    """The sentence of a code; a code that is not listed is named as it is."""
    return SENTENCES.get(code, "The table says: {code}.").format_map(
        _Forgiving({"code": code} | dict(parameters or {}))
    )


class _Forgiving(dict[str, str | int]):
    """A parameter that a peer left out must not break the sentence."""

    def __missing__(self, key: str) -> str:
        return "?"


class Fault(RemoteProtocolError):
    """Somebody at the table broke its rules: who (None: cannot be told), and the signed messages that prove it."""

    def __init__(
        self, code: str, culprit: bytes | None = None, evidence: tuple[Signed, ...] = (), **parameters: str | int
    ) -> None:
        """Keep the culprit and the proof beside the code."""
        super().__init__(code, **parameters)
        self.culprit = culprit
        self.evidence = evidence

    def __str__(self) -> str:
        """Say it in the table's words."""
        return say(self.code, self.parameters)


class Refusal(LocalProtocolError):
    """Our own player asked for something that cannot be done now; nothing was said to anybody."""

    def __str__(self) -> str:
        """Say it in the table's words."""
        return say(self.code, self.parameters)
