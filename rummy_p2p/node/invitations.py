"""Invitations: those that come over a link are checked and passed on to whoever listens; others are sent here.

Nothing is done by an invitation itself: what becomes of it is the player's word. Who says no tells the inviter so.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rummy_p2p.node.inquiry import Inquirer
from rummy_p2p.node.tls import Pin
from rummy_p2p.node.transport import Connection
from rummy_p2p.protocol.errors import ProtocolError, RemoteProtocolError
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.forming import Phase
from rummy_p2p.protocol.invitation import Asked, Invitation, InvitationDeclined, Patience
from rummy_p2p.protocol.messages import TableInfo, read_packed, read_table

if TYPE_CHECKING:
    from rummy_p2p.node.peer import Peer
    from rummy_p2p.node.places import Address

_Place = tuple[tuple[str, ...], int, Pin | None]
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Invited:
    """Who invites, to which table, where it is, and whether its password is not wanted."""

    inviter: bytes
    nick: str
    creator: bytes
    info: TableInfo
    host: str
    port: int
    pin: bytes
    admitted: bool

    @property
    def address(self) -> str:
        """Where the table is, as it is typed."""
        place = f"[{self.host}]" if ":" in self.host else self.host
        return f"rummy://{place}:{self.port}#{self.pin.hex()}"


class Invitations:
    """What comes in at one program. Who listens first is not asked twice: all hear everything."""

    def __init__(self, me: bytes, is_blocked: Callable[[bytes], bool], is_near: Callable[[str], bool]) -> None:
        """``is_near``: whether an address is one on which a program of this game may be expected."""
        self._me = me
        self._is_blocked = is_blocked
        self._is_near = is_near
        self._listeners: list[Callable[[Invited], None]] = []
        self._told_no: list[Callable[[str], None]] = []
        self.patience = Patience()
        self.asked = Asked()

    def listen(self, call: Callable[[Invited], None]) -> Callable[[], None]:
        """Call this with every invitation; what is returned ends it."""
        self._listeners.append(call)
        return lambda: self._listeners.remove(call)

    def listen_to_no(self, call: Callable[[str], None]) -> Callable[[], None]:
        """Call this with the name of whoever was invited from here and does not come; what is returned ends it."""
        self._told_no.append(call)
        return lambda: self._told_no.remove(call)

    def hear_no(self, connection: Connection, message: InvitationDeclined) -> None:
        """Take an answer that came over a link; one to no question is passed over."""
        if self.asked.answered(connection.player_id, message.table):
            for call in tuple(self._told_no):
                call(connection.nick)

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
        admitted, who = own and message.admitted, (connection.player_id, connection.nick)
        return Invited(*who, offer.author, info, host, message.port, message.pin, admitted)

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
    peer.invitations.asked.note(player, session.info.table)
    await _bring(peer, asking, player, message, _place(peer.place_of(player)))


async def decline(peer: Peer, asking: Inquirer, invited: Invited) -> None:
    """Tell whoever has invited this player that it does not come; ProtocolError tells why that cannot be."""
    place = _place(peer.place_of(invited.inviter))
    if place is None and invited.inviter == invited.creator:
        place = ((invited.host,), invited.port, invited.pin)
    await _bring(peer, asking, invited.inviter, InvitationDeclined(table=invited.info.table), place)


def _place(address: Address | None) -> _Place | None:
    return None if address is None else (address.hosts, address.port, address.pin)


async def _bring(
    peer: Peer, asking: Inquirer, player: bytes, message: Invitation | InvitationDeclined, place: _Place | None
) -> None:
    """Say it over the link that there is, or over one of its own."""
    if peer.send(player, message):
        return
    if place is None:
        raise Refusal("nobody-there")
    (*hosts, last), port, pin = place
    for host in hosts:
        with suppress(ProtocolError):
            await asking.tell(host, port, message, pin, player)
            return
    await asking.tell(last, port, message, pin, player)
