"""Bots play the seats that they are for, once for each position, and get over what goes wrong."""

import asyncio
import logging
import threading

import pytest

from rummy_p2p.bots import LEVELS
from rummy_p2p.engine import Action, View, parse_action
from rummy_p2p.node import players as players_module
from rummy_p2p.node.players import BotPlayer
from rummy_p2p.protocol.events import Chatted, MatchOver
from rummy_p2p.protocol.forming import Guest
from tests.node.party import PATIENCE, RULES, address_of, heard, open_table, party, played, seated_table, start, until


class Counting:
    """A strategy that notes for which seats it was asked; ``action`` is its only idea."""

    def __init__(self, action: Action | None = None) -> None:
        self.asked: list[int] = []
        self.action = action

    def __call__(self, view: View, _seed: int) -> Action | None:
        self.asked.append(view.seat)
        return self.action


def test_a_bot_plays_its_own_seat_and_leaves_the_player_alone() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = made.peers
            session = open_table(ada, 3, bots=1)
            await bea.sit_down(await bea.ask(address_of(ada)), RULES, Guest("Bea"))
            bea.do(lambda table, now: table.ready(now))
            await until(lambda: session.ready_to_start, ada)
            strategy = Counting()
            bot = BotPlayer(ada, strategy, 0, everything=False)
            start(ada)
            await until(lambda: bool(strategy.asked), ada)
            bot.close()
            assert [seat.name for seat in session.seats] == ["Ada", "Bot 1 (Ada)", "Bea"]
            assert set(strategy.asked) == {1}

    played(scene)


def test_a_position_is_thought_about_once() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            sessions = await seated_table(made)
            strategy = Counting()
            bot = BotPlayer(made.peers[0], strategy, 0, everything=True)
            start(made.peers[0])
            await until(lambda: bool(strategy.asked), made.peers[0])
            bot._wake()
            bot._wake()
            await asyncio.sleep(0)
            for _ in range(3):
                made.peers[1].do(lambda table, now: table.chat("still here", now))
            await until(lambda: made.peers[0].events.qsize() > 5, made.peers[0])
            asked = len(strategy.asked)
            assert sessions[0].ledger is not None
            assert asked <= sessions[0].ledger.committed
            bot._think()
            assert not bot._thoughts
            assert len(strategy.asked) == asked
            bot.close()

    played(scene)


def test_the_table_goes_on_while_a_bot_thinks() -> None:
    ready = threading.Event()

    def slow(view: View, seed: int) -> Action | None:
        assert ready.wait(PATIENCE)
        return LEVELS["normal"](view, seed)

    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            ada, bea = await seated_table(made)
            bots = [BotPlayer(peer, slow, 0, everything=True) for peer in made.peers]
            start(made.peers[0])
            await until(lambda: any(bot._thoughts for bot in bots), *made.peers)
            assert bea.ledger is not None
            thought_at = bea.ledger.committed
            made.peers[0].do(lambda table, now: table.chat("take your time", now))
            await heard(made.peers[1], Chatted)
            assert any(bot._thoughts for bot in bots)
            ready.set()
            await until(lambda: ada.ledger is not None and ada.ledger.committed > thought_at, *made.peers)
            for bot in bots:
                bot.close()

    played(scene)


def test_a_move_that_is_refused_is_logged_and_thought_about_again_later(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players_module, "AGAIN_AFTER", 0.0)

    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            await seated_table(made)
            stubborn = Counting(parse_action("discard 2c"))
            bot = BotPlayer(made.peers[0], stubborn, 0, everything=True)
            start(made.peers[0])
            await until(lambda: len(stubborn.asked) > 1, made.peers[0])
            bot.close()
            asked = len(stubborn.asked)
            made.peers[0].do(lambda table, now: table.chat("enough", now))
            assert len(stubborn.asked) == asked

    with caplog.at_level(logging.WARNING):
        played(scene)
    assert "the bot on seat 0 could not discard 2c" in caplog.text


def test_a_bot_that_comes_late_plays_on() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            sessions = await seated_table(made)
            start(made.peers[0])
            await until(
                lambda: all(each.fold is not None and each.fold.hand is not None for each in sessions), *made.peers
            )
            made.let_bots_play(*made.peers)
            assert (await heard(made.peers[1], MatchOver)).code == ""

    played(scene)


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_every_level_plays_a_hand_and_takes_its_time(level: str) -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            await seated_table(made)
            bots = [BotPlayer(peer, LEVELS[level], 3, everything=True, pace=0.001) for peer in made.peers]
            start(made.peers[0])
            assert (await heard(made.peers[1], MatchOver)).code == ""
            for bot in bots:
                bot.close()

    played(scene)


def test_what_it_means_to_do_is_dropped_when_something_happens_or_it_is_to_play_no_more() -> None:
    async def scene() -> None:
        async with party("Ada", "Bea") as made:
            sessions = await seated_table(made)
            start(made.peers[0])
            await until(lambda: sessions[0].fold is not None and sessions[0].fold.hand is not None, made.peers[0])
            stubborn = Counting(parse_action("discard 2c"))
            bot = BotPlayer(made.peers[0], stubborn, 0, everything=True, pace=1_000.0)
            await until(lambda: bool(stubborn.asked), made.peers[0])
            first = bot._meant[0]
            bot._mean_to(sessions[0], 0, parse_action("draw"), 1_000.0)
            assert first.cancelled()
            bot.close()
            assert bot._meant[0].cancelled()

    played(scene)


def test_without_a_table_there_is_nothing_to_think_about() -> None:
    async def scene() -> None:
        async with party("Ada") as made:
            bot = BotPlayer(made.peers[0], LEVELS["normal"], 0, everything=True)
            bot._think()
            bot.close()

    played(scene)
