"""Closed tables over real links: who knows the password sits down, the others hear nothing."""

import asyncio

import pytest

from rummy_p2p.node.announcement import TableState
from rummy_p2p.node.doorway import Doorway
from rummy_p2p.node.peer import Peer
from rummy_p2p.protocol.errors import PeerClosed, ProtocolError
from rummy_p2p.protocol.events import Chatted, MatchOver
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.forming import Guest
from rummy_p2p.protocol.messages import Say, Seating, Signed, read, read_table
from rummy_p2p.protocol.password import Knock, KnockAnswer, Knocking, NotWelcome, Welcome
from rummy_p2p.protocol.settings import Settings
from rummy_p2p.protocol.table import TableSession
from tests.node.party import PATIENCE, RULES, address_of, heard, party, played, start, until

PASSWORD = "kestrel amber lantern"  # noqa: S105 -- a test's


def closed_table(peer: Peer, seats: int = 3) -> TableSession:
    return peer.open_table(RULES, Guest(peer.nick, wish="always"), Settings("Friday", seats, 1, password=PASSWORD))


async def sit_down(peer: Peer, creator: Peer, password: str = "") -> TableSession:
    return await peer.sit_down(await peer.ask(address_of(creator)), RULES, Guest(peer.nick), password)


def test_who_knows_the_password_sits_down_and_plays() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea", "Cem") as made:
            ada, bea, cem = made.peers
            table = closed_table(ada)
            await sit_down(bea, ada, "Kestrel amber LANTERN")
            await sit_down(cem, ada, PASSWORD)
            for peer in (bea, cem):
                peer.do(lambda table, now: table.ready(now))
            await until(lambda: table.ready_to_start, ada)
            made.let_bots_play(ada, bea, cem)
            start(ada)
            for peer in made.peers:
                assert (await heard(peer, MatchOver)).code == ""

    played(scene)


def test_a_wrong_password_is_told_and_without_one_nothing_is_tried() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            closed_table(ada)
            with pytest.raises(Refusal, match="This table is closed"):
                await sit_down(bea, ada)
            for _ in range(3):
                with pytest.raises(Refusal, match="That is not the password"):
                    await sit_down(bea, ada, "kestrel amber lamp")
            with pytest.raises(Refusal, match="Try again in 30 seconds"):
                await sit_down(bea, ada, PASSWORD)
            assert bea.session is None

    played(scene)


def test_who_only_has_a_link_hears_neither_chat_nor_who_sits_there() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea", "Cem") as made:
            ada, bea, cem = made.peers
            closed_table(ada)
            offer = await cem.ask(address_of(ada))
            await sit_down(bea, ada, PASSWORD)
            ada.do(lambda table, now: table.chat("between us", now))
            await heard(bea, Chatted)
            kinds = {type(read(message)) for _author, message in cem._early}
            assert Say not in kinds
            assert Seating not in kinds
            info = read_table(offer)
            assert info is not None
            assert info.closed
            announced = ada._own_table()
            assert announced is not None
            assert announced.state is TableState.CODE

    played(scene)


def test_who_asks_for_a_seat_without_knocking_is_turned_away() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            closed_table(ada)
            offer = await bea.ask(address_of(ada))

            async def nothing(_offer: Signed, _password: str) -> None:
                """A changed program that does not knock."""

            bea._knock = nothing  # type: ignore[method-assign, assignment]  # that is the change
            with pytest.raises(ProtocolError, match="This table is closed"):
                await bea.sit_down(offer, RULES, Guest("Bea"))

    played(scene)


def test_the_password_is_shown_to_nobody_but_the_program_that_opened_the_table() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea", "Cem") as made:
            ada, bea, cem = made.peers
            closed_table(ada)
            offer = await bea.ask(address_of(ada))
            bea.rise()
            await bea.parted(PATIENCE)
            with pytest.raises(Refusal, match="shown only to the program that opened"):
                await bea.sit_down(offer, RULES, Guest("Bea"), PASSWORD)
            assert cem.session is None

    played(scene)


def test_what_nobody_has_asked_for_ends_the_link() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            session = closed_table(ada)
            await bea.ask(address_of(ada))
            link = bea._links[ada.identity.player_id][0]
            link.send(NotWelcome(table=session.info.table, code="wrong-password"))
            await until(lambda: link.closed is not None, bea)
            assert link.closed is not None
            assert isinstance(link.closed.error, PeerClosed)
            ada.rise()
            await bea.parted(PATIENCE)
            with pytest.raises(Refusal, match="Nobody has a table open"):
                await bea.ask(address_of(ada))
            bea._links[ada.identity.player_id][0].send(Knock(table=bytes(32), share=b"A" + bytes(32)))

    played(scene)


class Creator:
    """The other end of a link, which answers as a test wants."""

    fingerprint = b"f" * 32
    player_id = b"a" * 32

    def __init__(self, *answers: Knocking) -> None:
        self.doorway = Doorway(b"b" * 32)
        self._answers = list(answers)

    def send(self, _message: Knocking) -> None:
        if self._answers:
            self.doorway.hear(self, b"", self._answers.pop(0))  # type: ignore[arg-type]  # as much of one as is asked


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ([Welcome(table=bytes(32), mac=bytes(32))], "out of order"),
        ([KnockAnswer(table=bytes(32), share=b"B" + bytes([1]) * 32)], "wrong field"),
        ([], "cannot be reached"),
    ],
)
def test_a_door_that_answers_wrongly_or_not_at_all_is_told(
    monkeypatch: pytest.MonkeyPatch, answers: list[Knocking], sentence: str
) -> None:
    monkeypatch.setattr("rummy_p2p.node.doorway.ANSWER_WITHIN", 0.05)
    creator = Creator(*answers)
    with pytest.raises(ProtocolError, match=sentence):
        asyncio.run(creator.doorway.knock(creator, bytes(32), PASSWORD))  # type: ignore[arg-type]  # as above
