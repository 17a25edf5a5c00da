"""Invitations: those that come over a link are checked and passed on to whoever listens; others are sent here.

Nothing is done by an invitation itself: what becomes of it is the player's word.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rummy_p2p.node.inquiry import Inquirer
from rummy_p2p.node.transport import Connection
from rummy_p2p.protocol.errors import ProtocolError, RemoteProtocolError
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.forming import Phase
from rummy_p2p.protocol.invitation import Invitation, Patience
from rummy_p2p.protocol.messages import TableInfo, read_packed, read_table

if TYPE_CHECKING:
    from rummy_p2p.node.peer import Peer

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Invited:
    """Who invites, to which table, where it is, and whether its password is not wanted."""

    inviter: bytes
    nick: str
    creator: bytes
    info: TableInfo
    address: str
    admitted: bool


class Invitations:
    """What comes in at one program. Who listens first is not asked twice: all hear everything."""

    def __init__(self, me: bytes, is_blocked: Callable[[bytes], bool], is_near: Callable[[str], bool]) -> None:
        """``is_near``: whether an address is one on which a program of this game may be expected."""
        self._me = me
        self._is_blocked = is_blocked
        self._is_near = is_near
        self._listeners: list[Callable[[Invited], None]] = []
        self.patience = Patience()

    def listen(self, call: Callable[[Invited], None]) -> Callable[[], None]:
        """Call this with every invitation; what is returned ends it."""
        self._listeners.append(call)
        return lambda: self._listeners.remove(call)

    def hear(self, connection: Connection, message: Invitation, now: float) -> None:
        """Take one that came over a link. One that nobody can have meant ends the link."""
        if not self.patience.hears(connection.player_id, now):
            _log.info("%r invites too often, or was told not to", connection)
            return
        try:
            invited = self._read(connection, message)
        except RemoteProtocolError as error:
            _log.warning("%r broke the protocol: %s", connection, error)
            connection.hang_up(error.code, **error.parameters)
            return
        if invited is not None:
            for call in tuple(self._listeners):
                call(invited)

    def _read(self, connection: Connection, message: Invitation) -> Invited | None:
        """Return what it says; None when it is not for this player's ears."""
        offer = read_packed(message.offer)
        info = read_table(offer)
        if info is None:
            raise RemoteProtocolError("bad-field", detail="offer")
        own = offer.author == connection.player_id
        host = connection.address if own else message.host
        if offer.author == self._me or any(map(self._is_blocked, (offer.author, connection.player_id))):
            return None
        if not own and not self._is_private(host):
            _log.info("%r invites to a place that is none: %r", connection, host)
            return None
        place = f"[{host}]" if ":" in host else host
        address = f"rummy://{place}:{message.port}#{message.pin.hex()}"
        return Invited(connection.player_id, connection.nick, offer.author, info, address, own and message.admitted)

    def _is_private(self, host: str) -> bool:
        """Nobody makes this program call a machine on the internet."""
        with suppress(ValueError):
            return self._is_near(host)
        return False


async def invite(peer: Peer, asking: Inquirer, player: bytes) -> None:
    """Invite a player who is present to the table where this one sits; ProtocolError tells why that cannot be.

    Whom the creator of a closed table invites is let in without the password: the link has proved who that is.
    """
    session = peer.session
    if session is None or session.phase is not Phase.OPEN or not session.own_seats:
        raise Refusal("nothing-to-invite-to")
    if len(session.seats) >= session.info.seats:
        raise Refusal("table-full")
    admitted = session.info.closed and session.creator == session.me
    message = peer.invitation(session, admitted=admitted)
    if admitted:
        peer.do(lambda table, now: table.admit(player, now))
    if peer.send(player, message):
        return
    place = peer.place_of(player)
    if place is None:
        raise Refusal("nobody-there")
    for host in place.hosts[:-1]:
        with suppress(ProtocolError):
            await asking.tell(host, place.port, message, place.pin, player)
            return
    await asking.tell(place.hosts[-1], place.port, message, place.pin, player)
