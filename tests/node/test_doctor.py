"""The doctor on the loopback, with networks and neighbours of the test's own making."""

import asyncio
import errno
from collections.abc import Callable, Coroutine, Sequence

import pytest

from rummy_p2p.node import doctor as module
from rummy_p2p.node.checks import Check, Layer
from rummy_p2p.node.doctor import Doctor
from rummy_p2p.node.doctor_peer import PeerDoctor, Target, known_as
from rummy_p2p.node.inquiry import Inquirer
from rummy_p2p.node.interfaces import Choice, Interface, Reason
from rummy_p2p.node.multicast import Heard
from rummy_p2p.node.peer import Peer
from rummy_p2p.node.routes import Presence, Route
from rummy_p2p.protocol.errors import ProtocolError
from rummy_p2p.protocol.forming import Guest
from rummy_p2p.protocol.joincode import ShortPin
from rummy_p2p.protocol.settings import Settings
from rummy_p2p.sentences.doctor import detail_text, fix_text
from rummy_p2p.store import RememberedPeer
from tests.node.party import CERTIFICATES, RULES, Party, identity, open_table, party, played

LO = Interface("lo", "127.0.0.1", 8)
ETH = Interface("eth0", "192.168.1.7", 24)
TUN = Interface("tun0", "10.8.0.2", 24)
FACTS = {"command": "command", "commands": "commands"}
Scene = Callable[[Party, Inquirer], Coroutine[object, object, None]]


def at_the_doctors(scene: Scene, *nicks: str) -> None:
    """Run a scene with peers and somebody who asks."""

    async def run() -> None:
        asking = Inquirer(identity(), "Dag", CERTIFICATES["Dag"])
        async with party(*nicks) as made:
            await scene(made, asking)
            await asking.stop()

    played(run)


def codes(checks: Sequence[Check]) -> dict[str, bool]:
    """What was found; every check has its sentences."""
    for check in checks:
        assert detail_text(check.code, check.facts)
        assert bool(fix_text(check.fix, dict(check.facts) | FACTS)) == bool(check.fix)
    return {check.code: check.ok for check in checks}


def remembered(peer: Peer) -> RememberedPeer:
    key, pin = peer.identity.player_id.hex(), peer.transport.fingerprint.hex()
    return RememberedPeer(key, peer.nick, "127.0.0.1", peer.transport.port, pin, 1)


def test_a_neighbour_that_was_not_seen_is_asked_to_call_back() -> None:
    async def scene(made: Party, asking: Inquirer) -> None:
        ada, bea = made.peers
        checks = [each async for each in Doctor(ada, asking, [remembered(bea)], 0.1).examine()]
        found = codes(checks)
        assert found["used"]
        assert not found["loopback-only"]
        assert found["port-shared"]
        assert found["listens"]
        assert found["called-back"]

    at_the_doctors(scene, "Ada", "Bea")


def test_a_neighbour_that_cannot_reach_us_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    async def no(_address: str, _port: int) -> bool:
        return False

    async def scene(made: Party, asking: Inquirer) -> None:
        monkeypatch.setattr("rummy_p2p.node.callback.probe", no)
        doctor = Doctor(made.peers[0], asking, [remembered(made.peers[1])], 0.1)
        found = codes([each async for each in doctor.examine()])
        assert not found["not-reached"]

    at_the_doctors(scene, "Ada", "Bea")


@pytest.mark.parametrize(("answer", "code"), [(None, "no-word"), (TimeoutError(), "not-asked")])
def test_a_neighbour_that_does_not_say(answer: object, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def called_back(*_: object) -> object:
        if isinstance(answer, Exception):
            raise ProtocolError("refused", address="127.0.0.1", port=1)
        return answer

    async def scene(made: Party, asking: Inquirer) -> None:
        monkeypatch.setattr(asking, "called_back", called_back)
        doctor = Doctor(made.peers[0], asking, [remembered(made.peers[1])], 0.1)
        checks = [each async for each in doctor.examine()]
        assert codes(checks)[code]
        assert next(each for each in checks if each.code == code).skipped

    at_the_doctors(scene, "Ada", "Bea")


@pytest.mark.parametrize(
    ("heard", "code", "ok"),
    [
        (Heard(own=True, others={"10.0.0.9"}), "multicast-heard", True),
        (Heard(own=True), "multicast-alone", True),
        (Heard(), "multicast-deaf", False),
        (Heard(error=errno.ENETUNREACH), "multicast-refused", False),
        (Heard(error=errno.EADDRINUSE), "multicast-no-port", True),
    ],
)
def test_what_multicast_does_at_an_interface(heard: Heard, code: str, *, ok: bool) -> None:
    async def scene(made: Party, asking: Inquirer) -> None:
        assert codes([Doctor(made.peers[0], asking)._judge(ETH, heard)]) == {code: ok}

    at_the_doctors(scene, "Ada")


@pytest.mark.parametrize(
    ("choice", "found"),
    [
        (Choice((ETH,), ((TUN, Reason.VIRTUAL),)), {"used": True, "not-used": True}),
        (Choice((), ((ETH, Reason.DOWN),)), {"not-used": True, "no-interface": False}),
        (Choice((), ((ETH, Reason.NO_MULTICAST),)), {"not-used": True, "no-multicast-interface": False}),
        (Choice((LO,)), {"used": True, "loopback-only": False}),
    ],
)
def test_why_an_interface_is_used_or_not(choice: Choice, found: dict[str, bool]) -> None:
    async def scene(made: Party, asking: Inquirer) -> None:
        made.peers[0].discovery.choice = choice
        checks = Doctor(made.peers[0], asking)._interfaces()
        assert codes([each for each in checks if each.layer is Layer.INTERFACE]) == found

    at_the_doctors(scene, "Ada")


def test_a_vpn_and_a_taken_port_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(made: Party, asking: Inquirer) -> None:
        doctor = Doctor(made.peers[0], asking)
        monkeypatch.setattr(module, "route_to", lambda _address, _choice: Route("10.8.0.2", TUN))
        assert codes(doctor._vpn()) == {"vpn": True}
        monkeypatch.setattr("rummy_p2p.node.multicast.port_error", lambda: errno.EADDRINUSE)
        assert codes([doctor._port_5353()]) == {"port-taken": False}
        monkeypatch.setattr("rummy_p2p.node.multicast.port_error", lambda: errno.EPERM)
        assert codes([doctor._port_5353()]) == {"port-failed": False}

    at_the_doctors(scene, "Ada")


# ---------------------------------------------------------------- the way to one peer


def target(peer: Peer, *, host: str = "127.0.0.1", port: int = 0, pin: bytes | ShortPin | None = None) -> Target:
    return Target("it", host, (port or peer.transport.port,), pin)


async def way(asking: Inquirer, wanted: Target, choice: Choice | None = None, fit: str = "same") -> dict[str, bool]:
    doctor = PeerDoctor(asking, choice or Choice((LO,)), lambda _table: fit, lambda _table: "Gin rummy")
    return codes([each async for each in doctor.examine(wanted)])


@pytest.mark.parametrize("fit", ["same", "missing", "different"])
def test_from_the_name_to_the_rules(fit: str) -> None:
    async def scene(made: Party, asking: Inquirer) -> None:
        ada = made.peers[0]
        open_table(ada, 2)
        pin = ShortPin.of(ada.transport.fingerprint, 20)
        found = await way(asking, target(ada, host="localhost", pin=pin), fit=fit)
        assert list(found)[-5:] == ["same-network", "connected", "tls-pinned", "greeted", f"rules-{fit}"]
        assert found[f"rules-{fit}"] is (fit == "same")

    at_the_doctors(scene, "Ada")
    assert RULES.game == "rummy-no"


def test_a_table_without_a_name_is_called_after_who_has_it_and_its_game_by_its_name() -> None:
    async def scene(made: Party, asking: Inquirer) -> None:
        ada = made.peers[0]
        ada.open_table(RULES, Guest("Ada"), Settings(RULES.game, 2, 1))
        doctor = PeerDoctor(asking, Choice((LO,)), lambda _table: "same", lambda table: f"played by {table.game}")
        [told] = [each async for each in doctor.examine(target(ada)) if each.code == "rules-same"]
        assert told.facts == {"title": "Ada's table", "rules": "played by rummy-no"}

    at_the_doctors(scene, "Ada")


def test_a_peer_without_a_table_and_without_a_pin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rummy_p2p.node.inquiry.TABLE_WITHIN", 0.05)

    async def scene(made: Party, asking: Inquirer) -> None:
        found = await way(asking, target(made.peers[0]))
        assert {"tls-unpinned", "greeted", "no-table"} <= found.keys()
        assert all(found.values())

    at_the_doctors(scene, "Ada")


def test_each_layer_that_fails_is_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(made: Party, asking: Inquirer) -> None:
        ada = made.peers[0]
        assert not (await way(asking, target(ada, host="x" * 70)))["no-such-host"]
        assert not (await way(asking, target(ada, port=1)))["refused"]
        assert not (await way(asking, Target("it", "127.0.0.1", (1, 2))))["refused-all"]
        assert not (await way(asking, target(ada, pin=bytes(32))))["wrong-pin"]
        found = await way(asking, Target("it", "127.0.0.1", (ada.transport.port,), player=bytes(32)))
        assert list(found)[-1] == "no-greeting"
        monkeypatch.setattr("rummy_p2p.node.doctor_peer.route_to", lambda *_: Route(None))
        assert list(await way(asking, target(ada)))[-1] == "no-route"
        monkeypatch.setattr("rummy_p2p.node.doctor_peer.route_to", lambda *_: Route("10.8.0.2", TUN))
        assert list(await way(asking, target(ada)))[-1] == "through-vpn"

    at_the_doctors(scene, "Ada")


def test_another_program_is_told_by_its_missing_tls() -> None:
    async def scene(made: Party, asking: Inquirer) -> None:
        server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
        found = await way(asking, target(made.peers[0], port=server.sockets[0].getsockname()[1]))
        assert list(found)[-1] == "no-tls"
        server.close()
        await server.wait_closed()

    at_the_doctors(scene, "Ada")


@pytest.mark.parametrize(
    ("near", "there", "error", "code"),
    [
        (True, Presence.THERE, TimeoutError(), "no-answer"),
        (True, Presence.SILENT, TimeoutError(), "nobody-there"),
        (True, Presence.UNKNOWN, TimeoutError(), "no-answer-near"),
        (True, Presence.UNKNOWN, OSError(errno.EHOSTUNREACH, "no route"), "nobody-there"),
        (False, Presence.UNKNOWN, TimeoutError(), "no-answer-far"),
        (True, Presence.THERE, ConnectionRefusedError(errno.ECONNREFUSED, "no"), "refused"),
    ],
)
def test_why_tcp_does_not_pass(
    near: bool,  # noqa: FBT001 - a column of the table
    there: Presence,
    error: OSError,
    code: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene(_made: Party, asking: Inquirer) -> None:
        monkeypatch.setattr("rummy_p2p.node.doctor_peer.is_near", lambda *_: near)
        monkeypatch.setattr("rummy_p2p.node.doctor_peer.presence", lambda _address: there)
        doctor = PeerDoctor(asking, Choice((ETH,)), lambda _table: "same", lambda table: table.game)
        assert codes([doctor._why_not(error, 28660, 1)]) == {code: False}

    at_the_doctors(scene)


def test_a_name_or_title_on_the_network_is_a_target() -> None:
    async def scene(made: Party, asking: Inquirer) -> None:
        ada = made.peers[0]
        session = open_table(ada, 2)
        seen = [await asking.ask("127.0.0.1", ada.transport.port)]
        for text in ("ada", session.info.title.upper(), ada.identity.player_id.hex()):
            known = known_as(text, seen)
            assert known is not None
            assert (known.host, known.ports, known.pin) == (
                "127.0.0.1",
                (ada.transport.port,),
                ada.transport.fingerprint,
            )
        assert known_as("Bea", seen) is None

    at_the_doctors(scene, "Ada")
