"""Finding each other on the LAN by mDNS, and noticing who is no longer there.

Laws of this file
* What is seen here is a hint and nothing more. Who a peer is, only its link proves.
* Whatever a stranger announces: it is a `Sighting` with clean fields, or a line in the log. Never an exception, never
  more than `neighbours.MAX_SIGHTINGS` of them.
* mDNS cannot tell that a peer has crashed, so every peer seen is knocked at (a TCP connection, closed at once): `live`
  says that it answered; after two failures it is no longer listed, but knocked at now and then in case it comes back.
  Whoever is listed is knocked at first: a flood of inventions delays nobody who is there.
* Two programs that chose the same name make theirs longer, by more digits of their ids.
* Without an interface, without multicast, with port 5353 taken: `trouble` holds one sentence, and all else goes on.
  The interfaces are looked at again every 5 s.
* An announcement that was lost, or whose lookup brought nothing, is asked for again within ASK_ANEW.
* `stop` takes back the announcement and leaves no task and no socket.
"""

import asyncio
import errno
import logging
import secrets
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address

from zeroconf import BadTypeInNameException, DNSQuestionType, IPVersion, ServiceStateChange, Zeroconf
from zeroconf import Error as ZeroconfError
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from rummy_p2p.node.announcement import (
    ID_DIGITS,
    MAX_DIGITS,
    SERVICE_TYPE,
    Announcement,
    BadAnnouncement,
    Clean,
    Sighting,
    is_of_another,
    read_sighting,
    to_txt,
)
from rummy_p2p.node.interfaces import Choice, Interface, choose, scan
from rummy_p2p.node.liveness import probe
from rummy_p2p.node.neighbours import Neighbours
from rummy_p2p.protocol.text import clean as clean_text
from rummy_p2p.sentences.language import _

MAX_LOOKUPS = 16
MAX_WAITING = 1024  # names that wait for a lookup; the oldest give way
MAX_KNOCKS = 16
FOR_LISTED = 4  # of these, so many are kept for those who are listed
KNOCK_GAP = 0.02  # at most 50 connections a second, whatever is announced
LOOKUP_TIMEOUT = 2.0
POLL_INTERFACES = 5.0
ASK_ANEW = 30.0  # zeroconf asks four times in 14 s and then not for an hour: what was lost until then would stay unseen

_SENTENCES = {
    "no-interface": (
        "No network interface can be used ({why}), so tables on the network cannot be found. Connect to a network, "
        "choose one with --interface, or join by address."
    ),
    "no-multicast": (
        "The network interface carries no multicast ({why}), so tables on the network cannot be found. Join by address."
    ),
    "mdns-port-taken": (
        "Another program holds UDP port 5353 for itself, so tables on the network cannot be found. End that program or "
        "join by address."
    ),
    "mdns-failed": (
        "Tables on the network cannot be found ({why}). Join by address, or choose another interface with --interface."
    ),
}

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why nobody can be found just now."""

    code: str
    sentence: str


def reachable(addresses: Iterable[str], choice: Choice) -> tuple[str, ...]:
    """Those of a stranger's addresses that are worth a connection: on our networks first, then other private ones.
    Nobody makes us knock at a machine on the internet.
    """
    found = [IPv4Address(address) for address in addresses if ":" not in address]
    near = [each for each in found if any(each in used.network for used in choice.used)]
    far = [each for each in found if each not in near and each.is_private and not _is_special(each)]
    return tuple(str(each) for each in near + far if not each.is_multicast and not each.is_unspecified)


def _is_special(address: IPv4Address) -> bool:
    return address.is_loopback or address.is_reserved or address.is_unspecified


# ---------------------------------------------------------------- the network


class Discovery:
    """Announces this peer and watches for the others, from `start` to `stop`. Belongs to one event loop."""

    def __init__(
        self,
        interfaces: Sequence[str] = (),
        *,
        clean: Clean = clean_text,
        look: Callable[[], Sequence[Interface]] = scan,
    ) -> None:
        self.trouble: Trouble | None = None
        self.choice = Choice()
        self.revision = 0
        self.twin: Sighting | None = None  # another program of this very player, which cannot be spoken with
        self._asked = tuple(interfaces)
        self._clean = clean
        self._look = look
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._asked_at = 0.0
        self._said: Announcement | None = None
        self._count = secrets.randbelow(10_000)  # another program of this player may just have ended
        self._own_id = ""
        self._info: AsyncServiceInfo | None = None
        self._publishing = asyncio.Lock()
        self._broadcast: asyncio.Future[None] | None = None
        self._digits = ID_DIGITS
        self._neighbours = Neighbours()
        self._tasks: set[asyncio.Task[None]] = set()
        self._lookups: set[str] = set()
        self._waiting: dict[str, None] = {}
        self._knocks = 0
        self._news = asyncio.Event()
        self._wake = asyncio.Event()

    # -- for the caller

    async def start(self) -> None:
        """Begin. What the network refuses is in `trouble` afterwards."""
        await self._refresh()
        self._spawn(self._watch_interfaces(), "discovery-interfaces")
        self._spawn(self._keep_knocking(), "discovery-knocking")

    async def announce(self, announcement: Announcement | None) -> None:
        """Say this from now on, in place of what was said before; None: say nothing."""
        self._said = announcement
        self._count += 1
        self._own_id = announcement.id if announcement else self._own_id
        if announcement is not None and self.twin is None:
            seen = self._neighbours.of(announcement.id)  # before we knew that this is our own id
            self.twin = next((each for each in seen if each.port != announcement.port), None)
        await self._publish()

    def sightings(self, of: Collection[str] | None = None) -> list[Sighting]:
        """The other peers that are, or may be, there: the longest known first. Or those of them with these ids."""
        return self._neighbours.shown(self._own_id, of)

    async def changed(self, since: int) -> int:
        """Wait until `revision` is more than `since`: sightings or trouble have changed. The new revision."""
        while self.revision <= since:
            await self._news.wait()
        return self.revision

    async def stop(self) -> None:
        """Take back the announcement and end everything. A second call does nothing."""
        tasks = [*self._tasks, *([self._broadcast] if self._broadcast else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._broadcast = None
        self._lookups.clear()
        self._waiting.clear()
        async with self._publishing:
            await self._close()

    # -- zeroconf

    async def _watch_interfaces(self) -> None:
        while True:
            await asyncio.sleep(POLL_INTERFACES)
            await self._refresh()

    async def _refresh(self) -> None:
        """Look at the interfaces; open, move or close mDNS accordingly; else ask anew when it is time."""
        try:
            choice = choose(self._look(), self._asked)
            moved, self.choice = choice.addresses != self.choice.addresses, choice
            if not choice.used:
                await self._close()
                self._tell(self._why_none())
            elif self._zeroconf is None:
                await self._open()
            elif moved:
                await self._move(self._zeroconf)
            elif self._now() >= self._asked_at + ASK_ANEW:
                await self._browse(self._zeroconf)
        except (OSError, RuntimeError, ZeroconfError) as error:
            _log.warning("mDNS failed: %r", error)
            await self._close()
            self._tell(_trouble_of(error))

    async def _open(self) -> None:
        self._zeroconf = mdns = AsyncZeroconf(list(self.choice.addresses), ip_version=IPVersion.V4Only)
        await mdns.zeroconf.async_wait_for_start()
        if not mdns.zeroconf.engine.senders:
            await self._close()
            self._tell(_trouble("no-multicast", why=", ".join(each.name for each in self.choice.used)))
            return
        await self._browse(mdns)
        self._tell(None)
        await self._publish()

    async def _move(self, mdns: AsyncZeroconf) -> None:
        """Follow the interfaces, and ask anew: who is there, and here we are."""
        await mdns.async_update_interfaces(list(self.choice.addresses))
        await self._browse(mdns)
        await self._publish()

    async def _close(self) -> None:
        mdns, self._zeroconf, self._info = self._zeroconf, None, None
        if self._browser is not None:
            await self._browser.async_cancel()
            self._browser = None
        if mdns is not None:
            await mdns.async_close()

    async def _browse(self, mdns: AsyncZeroconf) -> None:
        """Ask by multicast (QM): the unicast reply to the first question gets lost on the loopback. Whoever is known
        already is named in the question and does not answer.
        """
        self._asked_at = self._now()
        if self._browser is not None:
            await self._browser.async_cancel()
        self._browser = AsyncServiceBrowser(
            mdns.zeroconf, SERVICE_TYPE, [self._on_service], question_type=DNSQuestionType.QM
        )

    async def _publish(self) -> None:
        async with self._publishing:
            if self._zeroconf is None:
                return
            try:
                await self._say(self._zeroconf, self._service())
            except (
                OSError,
                RuntimeError,
                ZeroconfError,
            ) as error:  # the interface went away meanwhile: `_refresh` tells
                _log.warning("announcing failed: %r", error)

    async def _say(self, mdns: AsyncZeroconf, new: AsyncServiceInfo | None) -> None:
        old, self._info = self._info, None
        if self._broadcast is not None:
            self._broadcast.cancel()  # it would repeat what is no longer so
            self._broadcast = None
        if old is not None and (new is None or new.name != old.name):
            await (await mdns.async_unregister_service(old))  # its repeated goodbyes must not hit what comes next
            old = None
        if new is not None:
            sent = mdns.async_update_service(new) if old else self._register(mdns, new)
            self._broadcast = asyncio.ensure_future(await sent)
        self._info = new

    @staticmethod
    async def _register(mdns: AsyncZeroconf, info: AsyncServiceInfo) -> Awaitable[None]:
        """Without the 1.2 s of probing for the name: ours carries the id."""
        return await mdns.async_register_service(info, cooperating_responders=True)

    def _service(self) -> AsyncServiceInfo | None:
        if self._said is None:
            return None
        return AsyncServiceInfo(
            SERVICE_TYPE,
            self._said.named(self._digits),
            port=self._said.port,
            properties=to_txt(self._said, self._count),
            server=f"rummy-{self._said.id[:16]}.local.",
            parsed_addresses=list(self.choice.addresses),
        )

    # -- what is heard

    def _on_service(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        """Called by the browser, with these names of parameters."""
        if state_change is ServiceStateChange.Removed:
            self._forget(name)
            return
        try:
            info = AsyncServiceInfo(service_type, name)
        except BadTypeInNameException:
            _log.warning("bad-announcement: the name %r", name[:200])
            return
        if info.load_from_cache(zeroconf):
            self._take(info)
        elif name not in self._lookups:
            self._waiting[name] = self._waiting.pop(name, None)
            if len(self._waiting) > MAX_WAITING:
                del self._waiting[next(iter(self._waiting))]
            self._look_up_next(zeroconf)

    def _look_up_next(self, mdns: Zeroconf) -> None:
        """The name that was heard last comes first: in a flood it is as good as any, else there is no other."""
        while self._waiting and len(self._lookups) < MAX_LOOKUPS:
            name, _nothing = self._waiting.popitem()
            self._lookups.add(name)
            self._spawn(self._look_up(mdns, AsyncServiceInfo(SERVICE_TYPE, name)), "discovery-lookup")

    async def _look_up(self, mdns: Zeroconf, info: AsyncServiceInfo) -> None:
        """Ask for what was missing in the announcement."""
        try:
            with suppress(ZeroconfError):  # closed meanwhile
                if await info.async_request(mdns, LOOKUP_TIMEOUT * 1000, DNSQuestionType.QM):
                    self._take(info)
        finally:
            self._lookups.discard(info.name)
            if self._zeroconf is not None:
                self._look_up_next(mdns)

    def _take(self, info: AsyncServiceInfo) -> None:
        addresses = reachable(info.parsed_addresses(), self.choice)
        try:
            sighting = read_sighting(info.name, addresses, info.port, info.text, self._clean)
            self._look_for_clash(info, sighting)
        except BadAnnouncement as error:
            _log.warning("bad-announcement: %r from %s: %s", info.name[:200], addresses, error)
            self._forget(info.name)
            return
        if sighting.id != self._own_id:
            if self._neighbours.note(sighting, self._now()):
                self._tell_news()
            self._wake.set()
        elif self._said is not None and sighting.port != self._said.port:
            self.twin = sighting
            self._tell_news()

    def _look_for_clash(self, info: AsyncServiceInfo, sighting: Sighting) -> None:
        """Under one name the records of two programs get mixed up. When it is ours, ours becomes longer."""
        own = self._info is not None and info.name == self._info.name
        if own and (sighting.id != self._own_id or is_of_another(info.server, self._own_id)):
            self._take_longer_name(info.name)
        if is_of_another(info.server, sighting.id):
            raise BadAnnouncement("records of two programs")

    def _take_longer_name(self, name: str) -> None:
        if self._digits < MAX_DIGITS:
            _log.warning("another program announces itself as %r: a longer name is taken", name[:200])
            self._digits = min(MAX_DIGITS, 2 * self._digits)
            self._spawn(self._publish(), "discovery-rename")

    def _forget(self, key: str) -> None:
        if self._neighbours.forget(key):
            self._tell_news()

    # -- who is there

    async def _keep_knocking(self) -> None:
        while True:
            key = self._next_door()
            if key is not None:
                self._knocks += 1
                self._spawn(self._knock(key), "discovery-knock")
                await asyncio.sleep(KNOCK_GAP)
                continue
            self._wake.clear()
            # Not wait_for: in Python 3.11 it swallows a cancellation that comes together with the event.
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pause()):
                    await self._wake.wait()

    def _next_door(self) -> str | None:
        """At whom to knock now; those who never answered do not get all the knocks there are."""
        if self._knocks >= MAX_KNOCKS:
            return None
        return self._neighbours.doors.due(self._now(), only_open=self._knocks >= MAX_KNOCKS - FOR_LISTED)

    def _pause(self) -> float | None:
        """Seconds until there is somebody to knock at, None when only news can tell."""
        if self._knocks >= MAX_KNOCKS:
            return None
        return self._neighbours.doors.wait(self._now(), only_open=self._knocks >= MAX_KNOCKS - FOR_LISTED)

    async def _knock(self, key: str) -> None:
        there = False
        try:
            there = await self._answers(self._neighbours.get(key), self._neighbours.doors.patience(key))
        finally:
            self._knocks -= 1
            self._wake.set()
        if self._neighbours.doors.answer(key, self._now(), there=there):
            self._tell_news()

    @staticmethod
    async def _answers(sighting: Sighting | None, patience: float) -> bool:
        if sighting is None:
            return False
        for address in sighting.addresses:
            if await probe(address, sighting.port, patience):
                return True
        return False

    # -- small things

    def _why_none(self) -> Trouble:
        why = ", ".join(f"{each.name}: {reason}" for each, reason in self.choice.rejected) or _("there is none")
        return _trouble("no-multicast" if self.choice.without_multicast else "no-interface", why=why)

    def _tell(self, trouble: Trouble | None) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            if trouble is not None:
                _log.warning("%s: %s", trouble.code, trouble.sentence)
            self._tell_news()

    def _tell_news(self) -> None:
        self.revision += 1
        self._news.set()
        self._news = asyncio.Event()

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def _spawn(self, work: Coroutine[None, None, None], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("%s ended: %r", task.get_name(), error, exc_info=error)


def _trouble(code: str, why: str = "") -> Trouble:
    return Trouble(code, _(_SENTENCES[code]).format(why=why))


def _trouble_of(error: Exception) -> Trouble:
    """What a refusal of zeroconf or of the system means."""
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.EADDRINUSE, errno.EACCES):  # Windows says EACCES when the other program is exclusive
        return _trouble("mdns-port-taken")
    if number in (errno.ENODEV, errno.EADDRNOTAVAIL) or "No interfaces" in str(error):
        return _trouble("no-interface", why=str(error))
    if number in (errno.EINVAL, errno.ENOPROTOOPT, errno.EOPNOTSUPP):
        return _trouble("no-multicast", why=str(error))
    return _trouble("mdns-failed", why=str(error) or type(error).__name__)
