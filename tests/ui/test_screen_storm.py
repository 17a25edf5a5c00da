"""A storm of keys, mouse and typed lines over the table at changing sizes, through the real toolkit."""

from __future__ import annotations

import asyncio

import pytest
from prompt_toolkit.input import PipeInput, create_pipe_input

from rummy_p2p.bots import LEVELS
from rummy_p2p.offline.practice import PracticeSeat, practice_seat
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.ui.table_room import TableRoom
from tests.ui.storm import Gale
from variants_plugins.gin import RULES as GIN
from variants_plugins.rum_500_ro import RULES as RUM_500
from variants_plugins.rummy_no import RULES as NORWEGIAN
from variants_plugins.rummy_sv import RULES as SWEDISH

GAMES = {"sv": (SWEDISH, 4), "no": (NORWEGIAN, 3), "gin": (GIN, 2), "500": (RUM_500, 2)}


class Storm(Gale):
    """Over a table of bots."""

    def __init__(self, rules: Ruleset, seats: int, seed: int, keys: PipeInput) -> None:
        super().__init__(seed, keys)
        still = rules.with_(claim__window_ms=0)
        self.seat: PracticeSeat = practice_seat(still, seats, "Ada", seed, LEVELS["normal"], stays=True)
        self.room = TableRoom(self.screen, self.seat, facts=self.seat.facts)

    def check_cards(self) -> None:
        """No card is lost or doubled on the way to the screen."""
        view = self.seat.view()
        self.room.state.follow(view)
        assert sorted(self.room.state.fan.slots) == sorted(view.state.hands[0])

    def begun(self) -> TableRoom:
        """The room, which has begun to listen."""
        self.room.begin()
        return self.room


def blow(game: str, seed: int, events: int, log: pytest.LogCaptureFixture) -> None:
    rules, seats = GAMES[game]
    while events > 0:
        with create_pipe_input() as keys:
            storm = Storm(rules, seats, seed, keys)
            events -= asyncio.run(storm.blow(events, storm.begun, storm.check_cards))
        seed += 100
    assert [record.getMessage() + str(record.exc_info) for record in log.records] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_storm_of_keys_and_mouse_breaks_nothing(game: str, caplog: pytest.LogCaptureFixture) -> None:
    blow(game, 1, 250, caplog)


@pytest.mark.nightly
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", range(4))
def test_a_long_storm_breaks_nothing(seed: int, caplog: pytest.LogCaptureFixture) -> None:
    blow(list(GAMES)[seed], seed + 10, 10_000, caplog)
