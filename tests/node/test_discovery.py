"""Discovery on the loopback with real mDNS, and everything that can go wrong with it."""

import asyncio
import errno
import logging
import os
import threading
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Self

import ifaddr
import pytest
from zeroconf import ServiceInfo, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from rummy_p2p.node import discovery as module
from rummy_p2p.node import neighbours
from rummy_p2p.node.announcement import SERVICE_TYPE, Announcement, Sighting, TableInfo, TableState, to_txt
from rummy_p2p.node.discovery import Discovery, reachable
from rummy_p2p.node.interfaces import Choice, Interface

LO = Interface("lo", "127.0.0.1", 8, multicast=False)
ETH = Interface("eth0", "192.168.1.7", 24)
TABLE = TableInfo("4d" * 16, "Friday night", "rummy-no", "3c" * 32, 1, 4, TableState.OPEN, ("joker-20",))


def announcement(nick: str, port: int, table: TableInfo | None = None) -> Announcement:
    """Of a player who exists in this test alone: other tests may be on the same loopback."""
    return Announcement(nick, os.urandom(32).hex(), "2b" * 32, port, 1, table)


async def wait_for(discovery: Discovery, wanted: Callable[[], bool], seconds: float = 10) -> None:
    """Until `wanted` holds; the test's own time-out is the failure."""
    async with asyncio.timeout(seconds):
        revision = discovery.revision
        while not wanted():
            revision = await discovery.changed(revision)


def sighting_of(discovery: Discovery, said: Announcement) -> Sighting | None:
    return next((each for each in discovery.sightings() if each.id == said.id), None)


def is_live(discovery: Discovery, said: Announcement) -> bool:
    sighting = sighting_of(discovery, said)
    return sighting is not None and sighting.live


class Door:
    """A port that accepts connections and closes them, as long as it is open."""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()


def run(test: Callable[[], Coroutine[None, None, None]]) -> None:
    """Run it, and see that no task and no thread is left."""

    async def whole() -> None:
        threads = threading.active_count()
        await test()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert threading.active_count() <= threads

    asyncio.run(whole())


# ---------------------------------------------------------------- real mDNS on the loopback


def test_two_peers_find_each_other_on_the_loopback() -> None:
    async def test() -> None:
        async with Door() as door:
            ada, bea = announcement("Ada", door.port, TABLE), announcement("Bea", door.port)
            first, second = Discovery(["lo"]), Discovery(["lo"])
            await first.announce(ada)
            await first.start()
            await second.start()
            await second.announce(bea)
            assert first.trouble is None
            await wait_for(first, lambda: is_live(first, bea))
            await wait_for(second, lambda: is_live(second, ada))
            seen = sighting_of(second, ada)
            assert seen == Sighting(
                ada.instance, "Ada", ada.id, ada.pin, ("127.0.0.1",), door.port, 1, TABLE, live=True
            )
            assert sighting_of(first, ada) is None
            await first.stop()
            await second.stop()

    run(test)


def test_a_change_is_seen_and_a_goodbye_too() -> None:
    async def test() -> None:
        async with Door() as door:
            ada = announcement("Ada", door.port, TABLE)
            first, second = Discovery(["lo"]), Discovery(["lo"])
            await first.start()
            await second.start()
            await first.announce(ada)
            await wait_for(second, lambda: sighting_of(second, ada) is not None)
            full = replace(ada, table=replace(TABLE, taken=4, state=TableState.PLAYING))
            await first.announce(full)
            await wait_for(second, lambda: [s.table for s in second.sightings() if s.id == ada.id] == [full.table])
            renamed = replace(full, nick="Ada the Great")
            await first.announce(renamed)
            await wait_for(second, lambda: [s.nick for s in second.sightings() if s.id == ada.id] == [renamed.nick])
            await first.announce(None)
            await wait_for(second, lambda: sighting_of(second, ada) is None)
            await first.announce(ada)
            await wait_for(second, lambda: sighting_of(second, ada) is not None)
            await first.stop()
            await wait_for(second, lambda: sighting_of(second, ada) is None)
            await second.stop()

    run(test)


def test_a_peer_that_does_not_answer_is_not_listed_for_long() -> None:
    async def test() -> None:
        async with Door() as door:
            ada = announcement("Ada", door.port)
        first, second = Discovery(["lo"]), Discovery(["lo"])
        await second.start()
        await first.announce(ada)
        await first.start()
        await wait_for(second, lambda: sighting_of(second, ada) is not None)
        assert not is_live(second, ada)
        await wait_for(second, lambda: sighting_of(second, ada) is None)
        await first.stop()
        await second.stop()

    run(test)


def test_a_hostile_announcement_is_logged_and_harms_nobody(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        async with Door() as door:
            mallory = announcement("Mallory", door.port)
            ada = announcement("Ada", door.port)
            watcher, honest = Discovery(["lo"]), Discovery(["lo"])
            await watcher.start()
            stranger = AsyncZeroconf(["127.0.0.1"])
            for text in (b"\x03v=\xff", b"\xff" * 40, b"\x04v=1\x1b"):
                info = hostile(mallory, text)
                await (await stranger.async_register_service(info, cooperating_responders=True))
                await (await stranger.async_unregister_service(info))
            await honest.start()
            await honest.announce(ada)
            await wait_for(watcher, lambda: sighting_of(watcher, ada) is not None)
            assert sighting_of(watcher, mallory) is None
            await stranger.async_close()
            await honest.stop()
            await watcher.stop()

    def hostile(said: Announcement, text: bytes) -> ServiceInfo:
        return ServiceInfo(
            SERVICE_TYPE, said.instance, said.port, properties=text, server="m.local.", parsed_addresses=["127.0.0.1"]
        )

    with caplog.at_level(logging.WARNING):
        run(test)
    assert "bad-announcement" in caplog.text
    assert "\x1b" not in caplog.text


def test_stopping_twice_or_before_the_start_does_nothing() -> None:
    async def test() -> None:
        discovery = Discovery(["lo"])
        await discovery.stop()
        await discovery.start()
        await discovery.stop()
        await discovery.stop()

    run(test)


# ---------------------------------------------------------------- when the network refuses


def test_no_interface_is_one_sentence_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ifaddr, "get_adapters", list)

    async def test() -> None:
        discovery = Discovery()
        await discovery.start()
        await discovery.announce(announcement("Ada", 40000))
        assert discovery.trouble is not None
        assert discovery.trouble.code == "no-interface"
        assert "join by address" in discovery.trouble.sentence
        assert discovery.sightings() == []
        await discovery.stop()

    run(test)


def test_an_unknown_interface_is_named() -> None:
    async def test() -> None:
        discovery = Discovery(["eth9"], look=lambda: [ETH])
        await discovery.start()
        assert discovery.trouble is not None
        assert discovery.trouble.code == "no-interface"
        assert "eth0: another one was asked for" in discovery.trouble.sentence
        await discovery.stop()

    run(test)


def test_an_interface_without_multicast_is_told_apart() -> None:
    async def test() -> None:
        discovery = Discovery(look=lambda: [LO, replace(ETH, multicast=False)])
        await discovery.start()
        assert discovery.trouble is not None
        assert discovery.trouble.code == "no-multicast"
        await discovery.stop()

    run(test)


def test_an_interface_that_joins_no_group_is_no_multicast(monkeypatch: pytest.MonkeyPatch) -> None:
    """zeroconf skips such an interface and then has nothing to send on."""
    monkeypatch.setattr("zeroconf._utils.net.add_multicast_member", lambda *_: False)

    async def test() -> None:
        discovery = Discovery(["lo"])
        await discovery.start()
        assert discovery.trouble is not None
        assert discovery.trouble.code == "no-multicast"
        await discovery.stop()

    run(test)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OSError(errno.EADDRINUSE, "in use"), "mdns-port-taken"),
        (OSError(errno.EACCES, "denied"), "mdns-port-taken"),
        (OSError(errno.ENODEV, "No such device"), "no-interface"),
        (RuntimeError("No interfaces to listen on"), "no-interface"),
        (OSError(errno.EINVAL, "Invalid argument"), "no-multicast"),
        (OSError(errno.EMFILE, "Too many open files"), "mdns-failed"),
        (RuntimeError(), "mdns-failed"),
    ],
)
def test_what_zeroconf_refuses_is_a_sentence_with_a_code(
    monkeypatch: pytest.MonkeyPatch, error: Exception, code: str
) -> None:
    def refuse(*_: object, **__: object) -> AsyncZeroconf:
        raise error

    monkeypatch.setattr(module, "AsyncZeroconf", refuse)

    async def test() -> None:
        discovery = Discovery(["lo"])
        await discovery.start()
        await discovery.announce(announcement("Ada", 40000))
        assert discovery.trouble is not None
        assert discovery.trouble.code == code
        assert discovery.trouble.sentence.endswith(".")
        await discovery.stop()

    run(test)


def test_a_failing_announcement_is_logged_and_not_raised(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENETDOWN, "Network is down")

    monkeypatch.setattr(AsyncZeroconf, "async_register_service", refuse)

    async def test() -> None:
        discovery = Discovery(["lo"])
        await discovery.start()
        await discovery.announce(announcement("Ada", 40000))
        await discovery.stop()

    run(test)
    assert "Network is down" in caplog.text


def test_it_follows_the_interfaces(monkeypatch: pytest.MonkeyPatch) -> None:
    """None, then the loopback, then another address of it, then none again: the trouble comes and goes."""
    monkeypatch.setattr(module, "POLL_INTERFACES", 0.01)
    second = Interface("lo", "127.0.0.2", 8, multicast=False)
    present: list[Interface] = []

    async def test() -> None:
        async with Door() as door:
            ada = announcement("Ada", door.port)
            mover, watcher = Discovery(look=lambda: list(present)), Discovery(["lo"])
            await watcher.start()
            await mover.start()
            await mover.announce(ada)
            assert mover.trouble is not None
            present.append(LO)
            await wait_for(mover, lambda: mover.trouble is None)
            await wait_for(watcher, lambda: is_live(watcher, ada))
            present.append(second)
            await wait_for(watcher, lambda: addresses(watcher, ada) == {"127.0.0.1", "127.0.0.2"})
            present.clear()
            await wait_for(mover, lambda: mover.trouble is not None)
            await wait_for(watcher, lambda: sighting_of(watcher, ada) is None)
            await mover.stop()
            await watcher.stop()

    def addresses(discovery: Discovery, said: Announcement) -> set[str]:
        sighting = sighting_of(discovery, said)
        return set(sighting.addresses) if sighting else set()

    run(test)


class Deaf(Discovery):
    """Does not hear what is announced, until `hears`."""

    hears = False

    def _on_service(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if self.hears:
            super()._on_service(zeroconf, service_type, name, state_change)


def test_what_was_lost_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "POLL_INTERFACES", 0.01)

    async def test() -> None:
        async with Door() as door:
            ada, bea = announcement("Ada", door.port), announcement("Bea", door.port)
            told, deaf = Discovery(["lo"]), Deaf(["lo"])
            await told.announce(ada)
            await told.start()
            await deaf.announce(bea)
            await deaf.start()
            await wait_for(told, lambda: is_live(told, bea))
            deaf.hears = True
            monkeypatch.setattr(module, "ASK_ANEW", 0.3)
            await wait_for(deaf, lambda: is_live(deaf, ada))
            await told.stop()
            await deaf.stop()

    run(test)


def test_a_system_that_does_not_tell_its_interfaces_is_a_sentence() -> None:
    def look() -> list[Interface]:
        raise OSError(errno.EPERM, "not allowed")

    async def test() -> None:
        discovery = Discovery(look=look)
        await discovery.start()
        assert discovery.trouble is not None
        assert discovery.trouble.code == "mdns-failed"
        await discovery.stop()

    run(test)


# ---------------------------------------------------------------- what is noted


def service(number: int, address: str = "127.0.0.1") -> AsyncServiceInfo:
    said = Announcement(f"N{number}", f"{number:064x}", "2b" * 32, 1, 1)
    return AsyncServiceInfo(
        SERVICE_TYPE,
        f"N{number} {number:06x}.{SERVICE_TYPE}",
        port=1,
        properties=to_txt(said),
        parsed_addresses=[address],
    )


def test_the_number_of_sightings_is_bounded_and_real_ones_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "MAX_SIGHTINGS", 4)

    async def test() -> None:
        discovery = Discovery(look=lambda: [LO])
        discovery.choice = Choice((LO,))
        for number in range(2):
            discovery._take(service(number))
        real = discovery.sightings()[0].instance
        discovery._neighbours.doors.answer(real, 0, there=True)
        for number in range(2, 9):
            discovery._take(service(number))
        kept = [each.nick for each in discovery.sightings()]
        assert kept == ["N0", "N6", "N7", "N8"]

    run(test)


def test_a_name_that_is_no_name_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        discovery = Discovery(["lo"])
        async with AsyncZeroconf(["127.0.0.1"]) as mdns:
            discovery._on_service(mdns.zeroconf, SERVICE_TYPE, "\x1b." + SERVICE_TYPE, ServiceStateChange.Added)
        await discovery.stop()

    run(test)
    assert "bad-announcement" in caplog.text
    assert "\x1b" not in caplog.text


def test_lookups_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_LOOKUPS", 2)
    monkeypatch.setattr(module, "LOOKUP_TIMEOUT", 0.01)

    async def test() -> None:
        discovery = Discovery(["lo"])
        async with AsyncZeroconf(["127.0.0.1"]) as mdns:
            await mdns.zeroconf.async_wait_for_start()
            for number in range(5):
                name = f"N{number} {os.urandom(3).hex()}.{SERVICE_TYPE}"
                discovery._on_service(mdns.zeroconf, SERVICE_TYPE, name, ServiceStateChange.Added)
            assert len(discovery._lookups) == 2
            assert len(discovery._waiting) == 3
            discovery._zeroconf = mdns
            while discovery._tasks:
                await asyncio.gather(*discovery._tasks)
            discovery._zeroconf = None
            assert not discovery._lookups
            assert not discovery._waiting  # whoever had to wait has had a turn
            assert discovery.sightings() == []
        await discovery.stop()

    run(test)


def test_a_lookup_on_closed_mdns_is_nothing(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        discovery = Discovery(["lo"])
        async with AsyncZeroconf(["127.0.0.1"]) as mdns:
            pass
        name = f"N1 {os.urandom(3).hex()}.{SERVICE_TYPE}"
        discovery._on_service(mdns.zeroconf, SERVICE_TYPE, name, ServiceStateChange.Added)
        await asyncio.gather(*discovery._tasks)

    run(test)
    assert "discovery-lookup" not in caplog.text


def test_what_a_lookup_brings_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    async def answer(self: AsyncServiceInfo, zc: Zeroconf, timeout: float, kind: object) -> bool:  # noqa: ASYNC109 - as zeroconf has it
        known = service(7)
        self.addresses, self.port, self.text = known.addresses, known.port, known.text
        return True

    monkeypatch.setattr(AsyncServiceInfo, "async_request", answer)

    async def test() -> None:
        discovery = Discovery(["lo"])
        discovery.choice = Choice((LO,))
        async with AsyncZeroconf(["127.0.0.1"]) as mdns:
            name = f"N7 {os.urandom(3).hex()}.{SERVICE_TYPE}"
            discovery._on_service(mdns.zeroconf, SERVICE_TYPE, name, ServiceStateChange.Added)
            await asyncio.gather(*discovery._tasks)
        assert [each.nick for each in discovery.sightings()] == ["N7"]
        await discovery.stop()

    run(test)


def test_a_task_that_fails_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise KeyError("unforeseen")

    async def test() -> None:
        discovery = Discovery(["lo"])
        discovery._spawn(fail(), "discovery-test")
        await asyncio.gather(*discovery._tasks, return_exceptions=True)

    run(test)
    assert "discovery-test ended: KeyError('unforeseen')" in caplog.text


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (["192.168.1.9"], ["192.168.1.9"]),
        (["10.9.9.9", "192.168.1.9"], ["192.168.1.9", "10.9.9.9"]),
        (["8.8.8.8", "127.0.0.1", "224.0.0.251", "0.0.0.0", "240.0.0.1", "fe80::1"], []),  # noqa: S104 - to be refused
        (["169.254.3.4"], ["169.254.3.4"]),
    ],
)
def test_nobody_makes_us_knock_at_the_internet(said: list[str], kept: list[str]) -> None:
    assert reachable(said, Choice((ETH,))) == tuple(kept)


def test_the_loopback_is_reachable_when_it_is_used() -> None:
    assert reachable(["127.0.0.1"], Choice((LO,))) == ("127.0.0.1",)


def test_another_program_under_our_name_makes_it_longer(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        async with Door() as door:
            ada = announcement("Ada", door.port, TABLE)
            clash = replace(ada, id=ada.id[:6] + os.urandom(29).hex())
            assert clash.instance == ada.instance
            first, second, watcher = Discovery(["lo"]), Discovery(["lo"]), Discovery(["lo"])
            for discovery in (watcher, first, second):
                await discovery.start()
            await first.announce(ada)
            await wait_for(watcher, lambda: is_live(watcher, ada))
            await second.announce(clash)
            await wait_for(watcher, lambda: is_live(watcher, ada) and is_live(watcher, clash), 15)
            names = {each.instance for each in watcher.sightings() if each.id in (ada.id, clash.id)}
            assert len(names) == 2
            for discovery in (first, second, watcher):
                await discovery.stop()

    run(test)
    assert "a longer name is taken" in caplog.text


def test_records_of_two_programs_are_no_sighting(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        discovery = Discovery(["lo"])
        discovery.choice = Choice((LO,))
        mixed = service(7)
        mixed.server = f"rummy-{'2b' * 8}.local."
        discovery._take(mixed)
        assert discovery.sightings() == []

    run(test)
    assert "records of two programs" in caplog.text


def test_a_twin_that_was_seen_before_we_knew_ourselves_is_a_twin() -> None:
    async def test() -> None:
        discovery = Discovery(["lo"])
        discovery.choice = Choice((LO,))
        discovery._take(service(7))
        before = discovery.twin
        assert before is None
        await discovery.announce(Announcement("N7", f"{7:064x}", "2b" * 32, 2, 1))
        assert discovery.twin is not None
        assert discovery.twin.port == 1

    run(test)


def test_names_that_wait_for_a_lookup_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_LOOKUPS", 0)
    monkeypatch.setattr(module, "MAX_WAITING", 3)

    async def test() -> None:
        discovery = Discovery(["lo"])
        async with AsyncZeroconf(["127.0.0.1"]) as mdns:
            await mdns.zeroconf.async_wait_for_start()
            names = [f"N{number} {os.urandom(3).hex()}.{SERVICE_TYPE}" for number in range(5)]
            for name in names:
                discovery._on_service(mdns.zeroconf, SERVICE_TYPE, name, ServiceStateChange.Added)
            assert list(discovery._waiting) == names[2:]
        await discovery.stop()
        assert not discovery._waiting

    run(test)
