"""One screen: only who is on turn sits at it, the curtain falls with the turn, claims are called out behind it."""

from __future__ import annotations

import asyncio
import tomllib

import msgspec
import pytest

from rummy_p2p.bots import LEVELS
from rummy_p2p.engine import IllegalAction, KnobFailed, ParseError
from rummy_p2p.engine import events as ev
from rummy_p2p.offline.game import Game
from rummy_p2p.offline.hotseat import OneScreen, one_screen
from rummy_p2p.offline.scenario import Scenario, position
from rummy_p2p.ruleset import KnobFunction, Ruleset
from rummy_p2p.sentences import Notice
from tests.cases.positions import CATALOGUE, NORWEGIAN

BOT = LEVELS["normal"]
CLAIM = """
seats = ["A", "B", "C"]
first = "B"
[deal]
stock = "2h"
pile = "10c"
hands = { A = "4h 2s", B = "Qc Qh", C = "Ks 9d" }
table = [{ owner = "B", cards = "7c 8c 9c" }]
"""


def table(rules: Ruleset = NORWEGIAN, *, seed: int = 3, names: tuple[str, ...] = ("Ada", "Bea", "Cem")) -> OneScreen:
    return one_screen(rules, names, seed)


def at(text: str) -> OneScreen:
    """A table at a position, the curtain down."""
    placed = position(msgspec.convert({"game": "rummy-no", **tomllib.loads(text)}, Scenario), NORWEGIAN)
    screen = OneScreen(Game(NORWEGIAN, placed.match), ("Ada", "Bea", "Cem"))
    hand, _match, order = placed.snapshot()
    assert hand is not None
    screen._game.place(hand, order)
    for place in screen.places:
        place.news()
    return screen


def sitting(screen: OneScreen) -> int | None:
    """Who sits at the screen now, whatever was known of it before."""
    return screen.sitting


def play(screen: OneScreen) -> None:
    """Let a bot move for whoever sits at the screen."""
    seat = sitting(screen)
    assert seat is not None
    view = screen.places[seat].view()
    assert view is not None
    screen.places[seat].act(str(BOT(view, 0)))


def to_the_end(screen: OneScreen, most: int = 600) -> None:
    for _ in range(most):
        if screen.hand.over:
            return
        if screen.sitting is None:
            screen.lift()
        play(screen)
    raise AssertionError("no end")


def test_the_first_hand_is_dealt_behind_the_curtain() -> None:
    screen = table()
    assert sitting(screen) is None
    assert screen.waiting == screen.hand.turn
    assert [type(event).__name__ for event in screen.recent] == ["Dealt", "Upcard", "Turn"]
    with pytest.raises(IllegalAction) as refused:
        screen.places[screen.waiting].act("draw")
    assert refused.value.code == "not-your-turn"


def test_who_is_on_turn_sits_down_alone_and_the_curtain_falls_with_the_turn() -> None:
    screen = table()
    first = screen.waiting
    screen.lift()
    assert (sitting(screen), screen.recent) == (first, ())
    with pytest.raises(IllegalAction):
        screen.places[(first + 1) % 3].act("draw")
    screen.places[first].act("draw")
    assert sitting(screen) == first
    with pytest.raises(ParseError):
        screen.places[first].act("discard")
    view = screen.places[first].view()
    assert view is not None
    screen.places[first].act(f"discard {view.hand[0]}")
    assert sitting(screen) is None
    assert screen.waiting == (first + 1) % 3
    assert [type(event).__name__ for event in screen.recent] == ["Drew", "Discarded", "Turn"]


def test_what_happened_waits_for_each_player() -> None:
    screen = table()
    first, second = screen.waiting, (screen.waiting + 1) % 3
    assert len(screen.places[first].news()) == 3
    screen.lift()
    play(screen)
    assert [type(item).__name__ for item in screen.places[first].news()] in (["Drew"], ["Took"])
    assert screen.places[first].news() == ()
    assert len(screen.places[second].news()) == 4


def test_a_seat_hears_only_while_its_player_sits_there() -> None:
    async def hear() -> tuple[object, bool, object]:
        screen = table()
        first = screen.places[screen.waiting]
        asking = asyncio.ensure_future(first.next())
        await asyncio.sleep(0)
        waits = not asking.done()
        screen.lift()
        item = await asking
        screen.close()
        return item, waits, await first.next()

    item, waits, end = asyncio.run(hear())
    assert isinstance(item, ev.Dealt)
    assert waits
    assert end is None


def test_a_claim_is_called_out_behind_the_curtain() -> None:
    screen = at(CLAIM)
    assert screen.claimants() == (1, 2)
    events = screen.claim(2)
    assert any(isinstance(event, ev.Claimed) and event.seat == 2 for event in events)
    assert screen.claimants() == ()
    with pytest.raises(IllegalAction):
        screen.claim(2)


def test_nothing_is_claimed_while_somebody_sits_at_the_screen() -> None:
    screen = at(CLAIM)
    screen.lift()
    assert screen.claimants() == ()
    with pytest.raises(IllegalAction) as refused:
        screen.claim(2)
    assert refused.value.code == "no-claim-open"


@pytest.mark.parametrize("game", ["rummy-no", "gin", "rum-500-ro", "rummy-sv"])
def test_a_whole_hand_can_be_played_and_the_next_one_dealt(game: str) -> None:
    rules = CATALOGUE.compile(game)
    screen = table(rules, names=("Ada", "Bea"))
    to_the_end(screen)
    seat = sitting(screen)
    assert seat is not None  # whoever ended it sees what it came to
    last = screen.places[seat]
    assert any(isinstance(item, ev.Scored) for item in last.news())
    assert last.match().hand_number == screen.match.hand_number
    last.commands()["next"][1]("")
    assert (sitting(screen), screen.hand.over) == (None, False)


def test_the_next_hand_is_not_dealt_before_its_time() -> None:
    screen = table()
    screen.lift()
    place = screen.places[screen.waiting]
    place.news()
    place.commands()["next"][1]("")
    assert [item.text for item in place.news() if isinstance(item, Notice)] != []
    assert sitting(screen) is not None


def test_after_the_match_next_is_the_end() -> None:
    screen = table(NORWEGIAN.with_(match__target=1), names=("Ada", "Bea"))
    to_the_end(screen)
    assert screen.match.over
    screen.places[0].commands()["next"][1]("")
    assert screen.closed


def test_leaving_ends_it_for_all() -> None:
    screen = table()
    assert all(text for text, _command in screen.places[0].commands().values())
    screen.places[1].commands()["leave"][1]("")
    assert screen.closed
    assert asyncio.run(screen.places[0].next()) is None


def test_the_same_seed_deals_the_same_cards() -> None:
    one, other = table(seed=7), table(seed=7)
    assert [place.view() for place in one.places] == [place.view() for place in other.places]


def test_a_rule_that_fails_voids_the_hand_for_everybody() -> None:
    def fail(*_args: object) -> bool:
        raise ValueError("boom")

    broken = KnobFunction(name="may_open", plugin="test", version="1", source_hash="00", call=fail)
    screen = table(NORWEGIAN.with_function(broken), names=("Ada", "Bea"))
    with pytest.raises(KnobFailed):
        to_the_end(screen)
    assert screen.hand.over
    assert any(isinstance(item, ev.HandEnded) and item.ending == "void" for item in screen.places[0].news())
