"""People who play at somebody's program: their seats, what they are told, how they go and come back."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from rummy_p2p.bots import LEVELS
from rummy_p2p.engine import NOBODY
from rummy_p2p.engine import events as ev
from rummy_p2p.node import guests as guests_module
from rummy_p2p.node.guest_seat import GuestSeat
from rummy_p2p.node.guests import FREE_TRIES, LONGEST_WAIT, MOST, Guests, NoGuest, Wrong
from rummy_p2p.node.peer import Peer
from rummy_p2p.node.players import BotPlayer
from rummy_p2p.node.seat import NetworkSeat
from rummy_p2p.protocol.events import HandOver, Seated
from rummy_p2p.sentences.screen import Said
from tests.node.party import RULES, heard, open_table, party, played, sit_down, start, until
from tests.node.test_seat import end, event, play_as_a_bot_would, told

HERE, ELSEWHERE = "192.168.1.7", "192.168.1.8"


@asynccontextmanager
async def at_adas(seats: int, *, bots: bool = False) -> AsyncIterator[tuple[Peer, Guests]]:
    """A table with so many seats, and those who play at its creator's program; with ``bots`` that stand in."""
    async with party("Ada") as made:
        (ada,) = made.peers
        guests = Guests(ada, open_table(ada, seats))
        player = BotPlayer(ada, LEVELS["normal"], 7, everything=True) if bots else None
        if player is not None:
            player.stands_in = guests.stands_in
        yield ada, guests
        if player is not None:
            player.close()
        guests.close()


def nothing() -> None:
    """The end of a terminal that is none."""


def names(guests: Guests) -> list[str]:
    return [seat.name for seat in guests._session.seats]


def test_a_guest_sits_down_and_the_table_says_whose_guest_it_is() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            session = open_table(ada, 3)
            host, guests = NetworkSeat(ada, session), Guests(ada, session)
            other = NetworkSeat(bea, await sit_down(bea, ada))
            guest = guests.sit(" Cem\x1b ", HERE, nothing)
            await told(host, "Cem sits down. At the table: Ada, Bea, Cem. Not ready yet: Bea.")
            await told(guest, "You sit down as Cem. At the table: Ada, Bea, Cem. Not ready yet: Bea.")
            await told(guest, "You are a guest at the program of Ada, which could see your cards.")
            await told(other, "Cem sits down.")
            for seat in (host, guest, other):
                facts = seat.facts()
                assert facts.guests == (("Cem", "Ada"),)
            assert not any((guest.facts().may_start, guest.facts().may_ready, guest.facts().may_rematch))
            assert not any((guest.facts().opener, guest.facts().ready))
            assert set(guest.commands()) == {"chat", "leave"}
            guest.commands()["chat"][1]("hello")
            said = await event(other, Said)
            while said.name != "Cem":
                said = await event(other, Said)
            assert said.text == "Cem: hello"
            guest.act("draw")
            await told(guest, "No match is being played")
            guests.close()

    played(scene)


def test_a_guest_plays_a_hand_and_others_see_no_difference() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            rules = RULES.with_(claim__window_ms=1)
            session = open_table(ada, 3, rules=rules)
            guests = Guests(ada, session)
            seats = [NetworkSeat(ada, session), NetworkSeat(bea, await sit_down(bea, ada, rules=rules))]
            seats.append(guests.sit("Cem", HERE, nothing))
            bea.do(lambda table, now: table.ready(now))
            await until(lambda: session.ready_to_start, ada)
            players = [asyncio.create_task(play_as_a_bot_would(seat)) for seat in seats]
            start(ada)
            lines = await asyncio.gather(*players)
            assert all("The deal of hand 1 was checked and is in order." in told_of for told_of in lines)
            guests.close()

    played(scene)


def test_a_guest_sees_no_cards_but_its_own() -> None:
    async def scene() -> None:
        async with at_adas(2) as (ada, guests):
            guest = GuestSeat(ada, guests._session, lambda _seat: None)
            assert guest.view() is None
            guest.close()
            guest = guests.sit("Cem", HERE, nothing)
            start(ada)
            await event(guest, ev.Turn)
            view = guest.view()
            assert view is not None
            assert view.seat == 1
            assert all(view.card(slot) is not None for slot in view.state.hands[1])
            assert all(view.card(slot) is None for slot in view.state.hands[0])
            guest.number = 7  # a seat that is none
            view = guest.view()
            assert view is not None
            assert (view.seat, guest.seat, view.hand) == (NOBODY, NOBODY, ())
            assert all(view.card(slot) is None for hand in view.state.hands for slot in hand)
            guest.act("draw")
            await told(guest, "You do not sit at this table.")
            guests.close()
            await end(guest)

    played(scene)


def test_who_is_cut_off_comes_back_to_the_seat_and_another_does_not_get_it() -> None:
    async def scene() -> None:
        async with at_adas(3) as (ada, guests):
            host = NetworkSeat(ada, guests._session)
            guest = guests.sit("Cem", HERE, nothing)
            with pytest.raises(NoGuest, match="Somebody called Cem plays here already"):
                guests.sit("CEM", ELSEWHERE, nothing, invited=True)
            guests.drop(guest)
            await end(guest)
            await told(host, "Cem: (my connection was lost; the seat is kept for me)")
            with pytest.raises(NoGuest, match="kept for the machine"):
                guests.sit("Cem", ELSEWHERE, nothing)
            again = guests.sit("cem", HERE, nothing)
            await told(again, "You are back at your seat.")
            await told(host, "Cem: (I am back)")
            assert names(guests) == ["Ada", "Cem"]
            guests.drop(again)
            moved = guests.sit("Cem", ELSEWHERE, nothing, invited=True)
            assert moved.seat == 1
            ended: list[str] = []
            guests.drop(moved)
            late = guests.sit("Cem", ELSEWHERE, lambda: ended.append("the old terminal"))
            guests.sit("Cem", ELSEWHERE, nothing)  # the old connection is dead, and nobody has missed it yet
            assert ended == ["the old terminal"]
            guests.drop(late)  # the old terminal has ended at last: nothing happens to the new one
            assert names(guests) == ["Ada", "Cem"]
            guests.close()
            with pytest.raises(NoGuest, match="closed"):
                guests.sit("Dag", HERE, nothing)

    played(scene)


def test_the_seat_is_free_again_when_a_guest_says_farewell_or_stays_away(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with at_adas(3) as (ada, guests):
            guest = guests.sit("Cem", HERE, nothing)
            guest.commands()["leave"][1]("")
            await until(lambda: names(guests) == ["Ada"], ada)
            await end(guest)
            monkeypatch.setattr(guests_module, "KEPT_FOR", 0.05)
            guests.drop(guests.sit("Dag", HERE, nothing))
            assert names(guests) == ["Ada", "Dag"]
            await until(lambda: names(guests) == ["Ada"], ada)

    played(scene)


def test_in_a_match_a_bot_plays_for_a_guest_who_has_gone_until_it_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with at_adas(2, bots=True) as (ada, guests):
            guest = guests.sit("Cem", HERE, nothing)
            start(ada)
            await event(guest, ev.Turn)
            assert guests.stands_in() == set()
            guests.drop(guest)
            assert guests.stands_in() == set(), "the seat is kept a while"
            again = guests.sit("Cem", HERE, nothing)
            again.commands()["leave"][1]("")
            assert guests.stands_in() == {1}
            await heard(ada, HandOver)
            while len((await heard(ada, Seated)).seats) > 1:
                pass
            assert names(guests) == ["Ada"], "the match is over, and the seat is free"

    played(scene)


def test_the_host_may_send_a_guest_away(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with at_adas(3) as (ada, guests):
            host = NetworkSeat(ada, guests._session)
            assert "dismiss" not in host.commands()
            host.dismiss = guests.dismiss
            ended: list[str] = []
            guest = guests.sit("Cem", HERE, lambda: ended.append("Cem"))
            host.commands()["dismiss"][1]("Dag")
            await told(host, "There is no guest called Dag here.")
            host.commands()["dismiss"][1](" cem")
            await told(host, "cem was sent away")
            await end(guest)
            assert ended == ["Cem"]
            await until(lambda: names(guests) == ["Ada"], ada)
            with pytest.raises(NoGuest, match="Ada has sent the guests of your machine away"):
                guests.sit("Eve", HERE, nothing)
            guests.drop(guests.sit("Fay", ELSEWHERE, nothing))
            assert guests.dismiss("Fay")

    played(scene)


def test_who_finds_no_seat_looks_on_and_gets_the_next_that_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with at_adas(2, bots=True) as (ada, guests):
            bea, cem, dag = (guests.sit(name, HERE, nothing) for name in ("Bea", "Cem", "Dag"))
            await told(cem, "There is no free seat now. You look on")
            news: list[None] = []
            stop = ada.watch(lambda: news.append(None))
            for _ in range(50):
                await asyncio.sleep(0)
            stop()
            assert len(news) < 3, "who waits does not keep the program busy"
            assert set(cem.commands()) == {"leave"}
            start(ada)
            bea.commands()["leave"][1]("")
            await event(cem, ev.Discarded)
            view = cem.view()
            assert view is not None
            assert (view.seat, view.hand, cem.facts().looks_on) == (NOBODY, (), "Cem")
            assert view.knowledge == {}, "what everybody has seen, and nothing besides"
            await told(cem, "The match is over; the winner")
            await told(cem, "You are a guest at the program of Ada")
            assert names(guests) == ["Ada", "Cem"]
            assert set(cem.commands()) == {"chat", "leave"}
            assert (cem.looks_on, cem.facts().looks_on) == (False, "")
            guests.drop(dag)  # nothing is kept for who only looks on
            await until(lambda: len(guests._places) == 1, ada)

    played(scene)


def test_only_so_many_guests_are_let_in(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with at_adas(3) as (ada, guests):
            for number in range(MOST):
                guests.sit(f"guest {number}", HERE, nothing)
            with pytest.raises(NoGuest, match="8 guests are here already"):
                guests.sit("Dag", HERE, nothing)
            ada.leave()
            with pytest.raises(NoGuest, match="closed"):
                guests.sit("Eve", HERE, nothing)

    played(scene)


def test_wrong_passwords_are_answered_at_once_three_times_then_slower_and_slower() -> None:
    wrong = Wrong()
    waits = [wrong.wait(HERE, float(n)) for n in range(12)]
    assert waits[:FREE_TRIES] == [0.0] * 3
    assert waits[FREE_TRIES : FREE_TRIES + 4] == [2.0, 4.0, 8.0, 16.0]
    assert set(waits[FREE_TRIES + 4 :]) == {LONGEST_WAIT}
    assert wrong.wait(ELSEWHERE, 12.0) == 0.0
    assert wrong.wait(HERE, 12.0 + guests_module.FORGOTTEN_AFTER) == 0.0
    for _ in range(4):
        wrong.wait(HERE, 700.0)
    wrong.right(HERE)
    assert wrong.wait(HERE, 700.0) == 0.0


def test_only_so_many_addresses_are_remembered() -> None:
    wrong = Wrong()
    for n in range(1000):
        wrong.wait(f"address {n}", 0.0)
    assert len(wrong._tries) == 256
