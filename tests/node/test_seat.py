"""A person's seat at a real table: what comes out of it, what can be typed, and how it ends."""

import asyncio
from dataclasses import replace
from typing import TypeVar

import pytest

from rummy_p2p.bots import LEVELS
from rummy_p2p.engine import IllegalAction
from rummy_p2p.engine import events as ev
from rummy_p2p.node.carrying import NotSaved
from rummy_p2p.node.seat import NetworkSeat
from rummy_p2p.protocol.events import Paused, Resumed, TableClosed
from rummy_p2p.protocol.forming import Guest, Phase
from rummy_p2p.protocol.settings import Settings
from rummy_p2p.sentences import Notice
from rummy_p2p.sentences.screen import Answered, Logged, Said
from tests.node.party import PATIENCE, RULES, Party, open_table, party, played, seated_table, sit_down, start

T = TypeVar("T")


async def told(seat: NetworkSeat, text: str) -> str:
    """The next notice with this text in it."""
    async with asyncio.timeout(PATIENCE):
        while True:
            item = await seat.next()
            assert item is not None
            if isinstance(item, Notice) and text in item.text:
                return item.text


async def event(seat: NetworkSeat, kind: type[T]) -> T:
    async with asyncio.timeout(PATIENCE):
        while True:
            item = await seat.next()
            assert item is not None
            if isinstance(item, kind):
                return item


async def end(seat: NetworkSeat) -> None:
    async with asyncio.timeout(PATIENCE):
        while await seat.next() is not None:
            pass


async def people(made: Party) -> list[NetworkSeat]:
    """Two persons in the middle of a hand."""
    sessions = await seated_table(made, hands=0)
    seats = [NetworkSeat(peer, session) for peer, session in zip(made.peers, sessions, strict=True)]
    start(made.peers[0])
    for seat in seats:
        await event(seat, ev.Turn)
    return seats


def test_before_the_match_the_table_is_told_and_what_cannot_be_done_is_answered() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            seat = NetworkSeat(ada, open_table(ada, 2))
            assert (seat.names, seat.seat, seat.view(), seat.match()) == (("Ada",), 0, None, None)
            await told(seat, "You sit down as Ada. At the table: Ada. 1 seat is free.")
            other = NetworkSeat(bea, await sit_down(bea, ada))
            await told(seat, "Bea sits down. At the table: Ada, Bea. Not ready yet: Bea.")
            seat.commands()["start"][1]("")
            await told(seat, "Not everybody is ready yet: Bea.")
            seat.act("draw")
            await told(seat, "No match is being played at this table.")
            other.commands()["start"][1]("")
            await told(other, "Only the player who opened the table starts the match.")
            assert (seat.facts().opener, seat.facts().ready) == (True, False)
            assert (other.facts().opener, other.facts().ready, other.facts().may_ready) == (False, False, True)
            other.commands()["ready"][1]("")
            await told(other, "Everybody is ready: Ada starts.")
            assert (other.facts().ready, other.facts().may_ready) == (True, False)
            other.commands()["unready"][1]("")
            await told(seat, "Everybody is ready: type start.")
            await told(seat, "Not ready yet: Bea.")
            other.commands()["ready"][1]("")
            await told(seat, "Everybody is ready: type start.")
            await told(other, "Everybody is ready: Ada starts.")
            seat.commands()["chat"][1]("well then")
            await told(other, "Ada: well then")
            seat.commands()["start"][1]("")
            await told(other, "was elected host")
            await event(other, ev.Dealt)
            seat.commands()["rematch"][1]("")
            await told(seat, "The match is not over yet.")

    played(scene)


def test_a_drawn_card_is_known_by_the_time_it_is_told() -> None:
    """Its face comes from the host a moment after the draw."""

    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            seats = await people(made)
            for _ in range(4):
                view = seats[0].view()
                assert view is not None
                seat = seats[view.state.turn]
                seat.act("draw")
                drew = await event(seat, ev.Drew)
                view = seat.view()
                assert view is not None
                assert view.card(drew.slot) is not None
                seat.act(f"discard {next(card for card in view.hand)}")
                for each in seats:
                    await event(each, ev.Turn)

    played(scene)


def test_two_people_play_a_hand_to_its_end_and_begin_another_match() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            sessions = await seated_table(made, rules=RULES.with_(claim__window_ms=1))
            seats = [NetworkSeat(peer, session) for peer, session in zip(made.peers, sessions, strict=True)]
            players = [asyncio.create_task(play_as_a_bot_would(seat)) for seat in seats]
            start(made.peers[0])
            told_of = await asyncio.gather(*players)
            assert all("The deal of hand 1 was checked and is in order." in lines for lines in told_of)
            for seat in seats:
                assert await told(seat, "Type rematch") == "At the table: Ada, Bea. Type rematch to play again."
            for lines, seat in zip(told_of, seats, strict=True):
                over = seat.facts().over
                assert over is not None
                told_winners = lines[-1].split(": ")[1].removesuffix(".")
                assert " and ".join(seat.names[winner] for winner in over.winners) == told_winners  # two may share it
            first = sessions[0].match
            for seat in reversed(seats):
                seat.commands()["rematch"][1]("")
            for seat in seats:
                await told(seat, "Hand 1: the deck is shuffled")
            assert sessions[0].match is not first
            assert all(seat.facts().over is None for seat in seats)

    played(scene)


async def play_as_a_bot_would(seat: NetworkSeat) -> list[str]:
    """Type what a bot thinks of until the match is over; return the notices up to then."""
    notices: list[str] = []
    while not notices or not notices[-1].startswith("The match is over; the winner: "):
        item = await seat.next()
        if isinstance(item, Notice):
            notices.append(item.text)
        view = seat.view() if seat.seat in seat._session.seats_to_think() else None
        action = None if view is None else LEVELS["normal"](view, 0)
        if action is not None:
            seat.act(str(action))
    return notices


def test_votes_are_typed_and_told() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea", "Cem") as made:
            sessions = await seated_table(made)
            ada, bea, cem = (NetworkSeat(peer, table) for peer, table in zip(made.peers, sessions, strict=True))
            for text in ("", "Bea", "hang Bea", "mute", "not mute"):
                ada.commands()["vote"][1](text)
                await told(ada, "A vote looks like this")
            ada.commands()["vote"][1]("mute Zoe")
            await told(ada, "Zoe is nobody about whom")
            ada.commands()["vote"][1]("MUTE cem")
            await told(bea, "Ada votes that Cem says nothing (1 of 2 needed).")
            bea.commands()["vote"][1]("mute Cem")
            await told(cem, "It is decided: what Cem says is not shown.")
            bea.commands()["vote"][1]("not mute Cem")
            said = await told(ada, "Bea votes that Cem may speak (1 for silence, 2 needed).")
            assert said.endswith("It is decided: Cem is heard again.")
            for seat in (ada, bea):
                seat.commands()["vote"][1]("kick Cem")
            await told(cem, "Cem gives the seat up, at the latest when no match is played.")
            await end(cem)

    played(scene)


def test_who_is_sent_away_in_a_match_leaves_it_as_a_player_leaves() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea", "Cem") as made:
            sessions = await seated_table(made)
            seats = [NetworkSeat(peer, table) for peer, table in zip(made.peers, sessions, strict=True)]
            start(made.peers[0])
            for seat in seats:
                await event(seat, ev.Turn)
            for seat in seats[:2]:
                seat.commands()["vote"][1]("kick Cem")
            await told(seats[2], "The others have decided that you leave.")
            await end(seats[2])
            assert not seats[2].lost
            for seat in seats[:2]:
                await told(seat, "Cem left.")
            assert seats[0].names == ("Ada", "Bea", "Cem")
            assert sessions[0].phase is Phase.PLAYING, "the others play on"

    played(scene)


def test_of_two_neither_sends_the_other_away_from_a_match() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = await people(made)
            ada.commands()["vote"][1]("kick Bea")
            assert "It is decided: Bea gives the seat up, at the latest" in await told(bea, "It is decided")
            assert bea.view() is not None
            bea.commands()["chat"][1]("I am here")
            await told(ada, "Bea: I am here")
            assert made.peers[0].session is not None
            assert made.peers[0].session.phase is Phase.PLAYING

    played(scene)


def test_a_move_that_is_not_allowed_is_refused_here_and_now() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            seats = await people(made)
            view = seats[0].view()
            assert view is not None
            with pytest.raises(IllegalAction) as caught:
                seats[1 - view.state.turn].act("draw")
            assert caught.value.code == "not-your-turn"
            with pytest.raises(IllegalAction) as caught:
                seats[view.state.turn].act("discard 99")
            assert caught.value.code == "parse-error"

    played(scene)


def test_who_leaves_is_told_so_and_the_others_hear_why_it_is_over() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            seats = await people(made)
            seats[1].commands()["leave"][1]("")
            await told(seats[1], "You have left the table.")
            await end(seats[1])
            assert not seats[1].lost
            await told(seats[0], "Bea left.")
            await told(seats[0], "There are not enough players left for this match. The match is over")
            assert seats[0].names == ("Ada", "Bea")
            assert await told(seats[0], "At the table") == (
                "Bea has left. At the table: Ada. 1 seat is free. Others have to sit down before it can start."
            )
            seats[0].commands()["leave"][1]("")
            await told(seats[0], "You have closed the table.")
            await end(seats[0])
            assert not seats[0].lost

    played(scene)


def test_one_that_cannot_be_reached_is_waited_for_and_leave_is_offered() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            seats = await people(made)
            await made.peers[1].stop()
            line = await told(seats[0], "Bea")
            assert "The table waits" in line
            facts = seats[0].facts()
            assert facts.missing == ("Bea",)
            assert facts.why == line
            assert line.endswith("or leave to give up your seat.")

    played(scene)


def test_a_creator_that_vanishes_before_the_match_ends_the_seat_badly() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            open_table(ada, 2)
            seat = NetworkSeat(bea, await sit_down(bea, ada))
            bea.events.put_nowait(TableClosed("table-lost", "The player who opened this table cannot be reached."))
            await told(seat, "cannot be reached")
            await end(seat)
            assert seat.lost

    played(scene)


def test_a_disk_that_is_full_is_told() -> None:
    async def scene() -> None:
        async with party("Ada") as made:
            [ada] = made.peers
            seat = NetworkSeat(ada, open_table(ada, 2))
            ada.events.put_nowait(NotSaved("The disk is full."))
            await told(seat, "The disk is full.")

    played(scene)


def test_a_table_tells_of_itself() -> None:
    async def play() -> None:
        async with party("Ada", "Bea") as made:
            sessions = await seated_table(made, hands=0)
            seats = [NetworkSeat(peer, session) for peer, session in zip(made.peers, sessions, strict=True)]
            facts = seats[0].facts()
            assert facts.forming
            assert facts.place == "lan"
            assert facts.joining[1].startswith("rummy://")
            assert len(facts.sitting) == 2
            start(made.peers[0])
            await event(seats[0], ev.Dealt)
            facts = seats[0].facts()
            assert not facts.forming
            assert facts.host in seats[0].names
            assert facts.deck
            seats[1].commands()["chat"][1]("well met")
            async with asyncio.timeout(PATIENCE):
                while not isinstance(said := await seats[0].next(), Said):
                    pass
            assert said.name == made.peers[1].nick

    asyncio.run(play())


def test_a_blind_deck_is_told_of_while_it_is_made_and_who_could_look() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            settings = Settings("Friday", 2, 1, deal="blind")
            session = ada.open_table(RULES, Guest(ada.nick, 0, wish="always"), settings)
            await sit_down(bea, ada)
            bea.do(lambda table, now: table.ready(now))
            seat = NetworkSeat(ada, session)
            assert seat.facts().could_look == (0, 0)
            await told(seat, "Everybody is ready")
            seen: list[str] = []
            unwatch = ada.watch(lambda: seen.extend([making.what] if (making := seat.facts().making) else []))
            start(ada)
            await event(seat, ev.Dealt)
            unwatch()
            assert list(dict.fromkeys(seen)) == ["key", "shuffle", "sign"]
            facts = seat.facts()
            assert (facts.deal, facts.could_look, facts.making, facts.away) == ("blind", (2, 2), None, ())

    played(scene)


def test_each_line_comes_as_what_it_is() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            seats = await people(made)
            seats[0].commands()["rematch"][1]("")
            kinds = {"The match is not over yet.": Answered}
            seats[1].commands()["chat"][1]("well then")
            async with asyncio.timeout(PATIENCE):
                while kinds:
                    item = await seats[0].next()
                    if isinstance(item, Notice) and item.text in kinds:
                        assert type(item) is kinds.pop(item.text)
            assert await told(seats[0], "Bea: well then") == "Bea: well then"

    played(scene)


def test_what_the_programs_do_is_for_the_log() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            sessions = await seated_table(made, hands=0)
            seat = NetworkSeat(made.peers[1], sessions[1])
            start(made.peers[0])
            found: list[Notice] = []
            async with asyncio.timeout(PATIENCE):
                while not isinstance(item := await seat.next(), ev.Turn):
                    found += [item] if isinstance(item, Notice) else []
            logged = [type(notice) is Logged for notice in found if "deck" in notice.text or "elected" in notice.text]
            assert logged
            assert all(logged)

    played(scene)


def test_a_pause_is_asked_for_agreed_to_and_ended() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = await people(made)
            ada.commands()["pause"][1]("")
            assert ada.facts().resting
            await told(bea, "would like a pause")
            assert (bea.facts().wants_pause, bea.facts().agreed) == (("Ada",), False)
            bea.commands()["pause"][1]("")
            for seat in (ada, bea):
                await told(seat, "agreed on a pause")
                facts = seat.facts()
                assert (facts.agreed, facts.missing, facts.wants_pause) == (True, (), ())
                assert facts.why.startswith("You have agreed on a pause.")
            ada.commands()["continue"][1]("")
            for seat in (ada, bea):
                await told(seat, "The table goes on.")
                assert not seat.facts().agreed

    played(scene)


def test_who_suspends_is_named_and_a_move_made_meanwhile_is_kept() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            seats = await people(made)
            view = seats[0].view()
            assert view is not None
            stays = view.state.turn
            here, gone = made.peers[stays], made.peers[1 - stays]
            gone.do(lambda table, now: table.suspend(now))
            await told(seats[stays], f"{gone.nick} suspended the match")
            assert seats[stays].facts().claim_opens is None
            assert f"{gone.nick} suspended the match" in seats[stays].facts().why
            seats[stays].act("draw")
            await told(seats[stays], "The table waits. Your move is kept, and made as soon as the table goes on.")
            assert here.session is not None
            assert here.session.paused

    played(scene)


def test_who_has_just_come_back_is_not_told_of_those_who_are_found_in_a_moment() -> None:
    async def scene() -> None:
        async with party("Ada") as made:
            seat = NetworkSeat(made.peers[0], open_table(made.peers[0], 2))
            early = Paused("host-lost", "The host cannot be reached.", ("Bea",), early=True)
            for event in (early, Resumed(), early, replace(early, early=False), Resumed()):
                made.peers[0].events.put_nowait(event)
            lines = [line.text for line in [await seat.next() for _ in range(3)] if isinstance(line, Notice)]
            assert lines[0].startswith("You sit down")
            assert lines[1].startswith("The host (Bea) cannot be reached.")
            assert lines[2] == "The table goes on."

    played(scene)
