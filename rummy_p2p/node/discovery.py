"""Finding each other on the LAN by mDNS, and noticing who is no longer there.

Laws of this file
* What is seen here is a hint and nothing more. Who a peer is, only its link proves.
* Whatever a stranger announces: it is a `Sighting` with clean fields, or a line in the log. Never an exception, never
  more than MAX_SIGHTINGS of them.
* mDNS cannot tell that a peer has crashed, so every peer seen is knocked at (a TCP connection, closed at once): `live`
  says that it answered; after two failures it is no longer listed, but knocked at now and then in case it comes back.
* Without an interface, without multicast, with port 5353 taken: `trouble` holds one sentence, and all else goes on.
  The interfaces are looked at again every 5 s.
* `stop` takes back the announcement and leaves no task and no socket.
"""

import asyncio
import errno
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from ipaddress import IPv4Address

from zeroconf import BadTypeInNameException, DNSQuestionType, IPVersion, ServiceStateChange, Zeroconf
from zeroconf import Error as ZeroconfError
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from rummy_p2p.node.announcement import (
    SERVICE_TYPE,
    Announcement,
    BadAnnouncement,
    Clean,
    Sighting,
    read_sighting,
    to_txt,
)
from rummy_p2p.node.interfaces import Choice, Interface, choose, scan
from rummy_p2p.protocol.text import clean as clean_text
from rummy_p2p.sentences.language import _

MAX_SIGHTINGS = 512
MAX_LOOKUPS = 16
MAX_KNOCKS = 8
KNOCK_GAP = 0.02  # at most 50 connections a second, whatever is announced
KNOCK_TIMEOUT = 1.0
LOOKUP_TIMEOUT = 2.0
POLL_INTERFACES = 5.0

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


# ---------------------------------------------------------------- who is still there (sans-IO)


@dataclass(slots=True)
class _Door:
    due: float
    knocked: float = float("-inf")
    open: bool = False
    failures: int = 0
    waiting: bool = False


class Liveness:
    """At whom to knock next and who counts as there. Does no I/O; `now` is in seconds of any clock that goes forward.

    A new peer is due at once, one that answered after EVERY, one that did not after AGAIN; after FAILURES in a row it
    is gone and due after LATER. What is announced again makes it due earlier, but not within AGAIN of the last knock.
    """

    EVERY, AGAIN, LATER, FAILURES = 10.0, 1.0, 10.0, 2

    def __init__(self) -> None:
        self._doors: dict[str, _Door] = {}

    def heard(self, key: str, now: float) -> None:
        """Something was announced by `key`."""
        door = self._doors.setdefault(key, _Door(now))
        if not door.open:
            door.due = min(door.due, max(now, door.knocked + self.AGAIN))

    def forget(self, key: str) -> None:
        self._doors.pop(key, None)

    def due(self, now: float) -> str | None:
        """The peer to knock at now, if any; it stays out until `answer`."""
        ready = [key for key, door in self._doors.items() if door.due <= now and not door.waiting]
        if not ready:
            return None
        key = min(ready, key=lambda each: self._doors[each].due)
        self._doors[key].waiting = True
        self._doors[key].knocked = now
        return key

    def answer(self, key: str, now: float, *, there: bool) -> bool:
        """Note what came of it; True when `key` appeared or disappeared by this."""
        door = self._doors.get(key)
        if door is None:
            return False
        before = (door.open, self.is_gone(key))
        door.waiting = False
        door.failures = 0 if there else door.failures + 1
        door.open = there or (door.open and not self.is_gone(key))
        door.due = now + (self.EVERY if there else self.LATER if self.is_gone(key) else self.AGAIN)
        return before != (door.open, self.is_gone(key))

    def is_live(self, key: str) -> bool:
        return key in self._doors and self._doors[key].open

    def is_gone(self, key: str) -> bool:
        return key in self._doors and self._doors[key].failures >= self.FAILURES

    def wait(self, now: float) -> float | None:
        """Seconds until the next one is due, None when nobody is."""
        times = [door.due for door in self._doors.values() if not door.waiting]
        return max(0.0, min(times) - now) if times else None


async def probe(address: str, port: int, timeout: float = KNOCK_TIMEOUT) -> bool:  # noqa: ASYNC109 - the answer is False
    """Whether something accepts a connection there within `timeout` seconds."""
    try:
        async with asyncio.timeout(timeout):
            _, writer = await asyncio.open_connection(address, port)
    except (OSError, ValueError, OverflowError):  # TimeoutError is an OSError
        return False
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return True


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
        self._said: Announcement | None = None
        self._count = secrets.randbelow(10_000)  # another program of this player may just have ended
        self._own_id = ""
        self._info: AsyncServiceInfo | None = None
        self._publishing = asyncio.Lock()
        self._broadcast: asyncio.Future[None] | None = None
        self._seen: dict[str, Sighting] = {}
        self._liveness = Liveness()
        self._tasks: set[asyncio.Task[None]] = set()
        self._lookups: set[str] = set()
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
        await self._publish()

    def sightings(self) -> list[Sighting]:
        """The other peers that are, or may be, there: the longest known first."""
        return [
            replace(each, live=self._liveness.is_live(key))
            for key, each in self._seen.items()
            if each.id != self._own_id and not self._liveness.is_gone(key)
        ]

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
        async with self._publishing:
            await self._close()

    # -- zeroconf

    async def _watch_interfaces(self) -> None:
        while True:
            await asyncio.sleep(POLL_INTERFACES)
            await self._refresh()

    async def _refresh(self) -> None:
        """Look at the interfaces; open, move or close mDNS accordingly."""
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
        """Ask by multicast (QM): the unicast reply to the first question gets lost on the loopback."""
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
            self._said.instance,
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
        elif name not in self._lookups and len(self._lookups) < MAX_LOOKUPS:
            self._lookups.add(name)
            self._spawn(self._look_up(zeroconf, info), "discovery-lookup")

    async def _look_up(self, mdns: Zeroconf, info: AsyncServiceInfo) -> None:
        """Ask for what was missing in the announcement."""
        try:
            with suppress(ZeroconfError):  # closed meanwhile
                if await info.async_request(mdns, LOOKUP_TIMEOUT * 1000, DNSQuestionType.QM):
                    self._take(info)
        finally:
            self._lookups.discard(info.name)

    def _take(self, info: AsyncServiceInfo) -> None:
        addresses = reachable(info.parsed_addresses(), self.choice)
        try:
            sighting = read_sighting(info.name, addresses, info.port, info.text, self._clean)
        except BadAnnouncement as error:
            _log.warning("bad-announcement: %r from %s: %s", info.name[:200], addresses, error)
            self._forget(info.name)
            return
        if sighting.id != self._own_id:
            self._note(sighting)
        elif self._said is not None and sighting.port != self._said.port:
            self.twin = sighting
            self._tell_news()

    def _note(self, sighting: Sighting) -> None:
        key = sighting.instance
        if self._seen.get(key) != sighting:
            self._seen[key] = sighting
            self._tell_news()
        if len(self._seen) > MAX_SIGHTINGS:
            self._forget(self._least_wanted(key))
        self._liveness.heard(key, self._now())
        self._wake.set()

    def _least_wanted(self, newest: str) -> str:
        """The oldest that never answered, so that a flood of inventions does not drive out the real ones."""
        silent = (key for key in self._seen if key != newest and not self._liveness.is_live(key))
        return next(silent, next(iter(self._seen)))

    def _forget(self, key: str) -> None:
        self._liveness.forget(key)
        if self._seen.pop(key, None) is not None:
            self._tell_news()

    # -- who is there

    async def _keep_knocking(self) -> None:
        while True:
            key = self._liveness.due(self._now()) if self._knocks < MAX_KNOCKS else None
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

    def _pause(self) -> float | None:
        """Seconds until there is somebody to knock at, None when only news can tell."""
        return None if self._knocks >= MAX_KNOCKS else self._liveness.wait(self._now())

    async def _knock(self, key: str) -> None:
        there = False
        try:
            there = await self._answers(self._seen.get(key))
        finally:
            self._knocks -= 1
            self._wake.set()
        if self._liveness.answer(key, self._now(), there=there):
            self._tell_news()

    @staticmethod
    async def _answers(sighting: Sighting | None) -> bool:
        if sighting is None:
            return False
        for address in sighting.addresses:
            if await probe(address, sighting.port):
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
