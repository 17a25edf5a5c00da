from __future__ import annotations

import asyncio

import pytest

from rummy_p2p.bots import Strategy, simple
from rummy_p2p.engine import Action, IllegalAction, KnobFailed, ParseError, Phase, View, claimants, legal_actions
from rummy_p2p.engine import events as ev
from rummy_p2p.offline.practice import HUMAN, PracticeSeat, practice_seat
from rummy_p2p.rules import actions as act
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences import Notice, practice_notice
from rummy_p2p.variants.api import knob_function
from tests.cases.positions import NORWEGIAN, WITH_JOKERS

AT_ONCE = NORWEGIAN.with_(claim__window_ms=0)
A_WHILE = NORWEGIAN.with_(claim__window_ms=60_000)
Item = ev.Event | Notice


def seat_at(
    rules: Ruleset = AT_ONCE, seats: int = 2, seed: int = 1, bot: Strategy = simple.decide, hands: int | None = None
) -> PracticeSeat:
    return practice_seat(rules, seats, "Ada", seed, bot, hands)


async def play(seat: PracticeSeat, bot: Strategy = simple.decide) -> list[Item]:
    """Play the person's seat as a bot would, until the table has something to say or closes."""
    heard: list[Item] = []
    while (item := await seat.next()) is not None:
        heard.append(item)
        if isinstance(item, Notice):
            break
        act_once(seat, bot)
    return heard


def act_once(seat: PracticeSeat, bot: Strategy = simple.decide) -> None:
    view = seat.view()
    wish = bot(view, 0) if view.on_turn and view.state.phase in (Phase.DRAW, Phase.PLAY) else None
    if wish is not None:
        seat.act(str(wish))


def test_the_person_sits_first_among_bots() -> None:
    seat = seat_at(seats=4)
    assert (seat.seat, seat.names) == (0, ("Ada", "Bot 1", "Bot 2", "Bot 3"))
    assert seat.rules is AT_ONCE
    assert len(seat.view().hand) == 7
    assert seat.match().scores == (0, 0, 0, 0)


def test_the_same_seed_deals_the_same_cards() -> None:
    assert seat_at(seed=7).view() == seat_at(seed=7).view()
    assert seat_at(seed=7).view() != seat_at(seed=8).view()


@pytest.mark.parametrize("rules", [AT_ONCE, WITH_JOKERS.with_(claim__window_ms=0)], ids=["plain", "jokers"])
def test_a_hand_is_played_to_its_end(rules: Ruleset) -> None:
    async def scene() -> list[Item]:
        return await play(seat_at(rules, seats=3))

    heard = asyncio.run(scene())
    kinds = [type(item) for item in heard]
    assert kinds[:2] == [ev.Dealt, ev.Upcard]
    assert kinds[-2:] == [ev.Scored, Notice]
    assert heard[-1] == Notice(practice_notice("hand-over"))


def test_the_next_hand_is_dealt_when_the_person_says_so() -> None:
    async def scene() -> PracticeSeat:
        seat = seat_at()
        seat.commands()["next"][1]("")
        assert await seat.next() == ev.Dealt((10, 10), seat.match().dealer)
        heard = [*await play(seat), *await play(seat)]
        assert [item for item in heard if isinstance(item, Notice)] == [
            Notice(practice_notice("still-playing")),
            Notice(practice_notice("hand-over")),
        ]
        assert seat.view().state.over
        seat.commands()["next"][1]("")
        assert isinstance(await seat.next(), ev.Dealt)
        assert not seat.view().state.over
        return seat

    assert asyncio.run(scene()).match().hand_number == 2


def test_while_a_hand_is_played_no_other_is_dealt() -> None:
    async def scene() -> list[Item]:
        seat = seat_at()
        before = seat.view()
        seat.commands()["next"][1]("")
        assert seat.view() == before
        return [item for _ in range(4) if (item := await seat.next()) is not None]

    assert Notice(practice_notice("still-playing")) in asyncio.run(scene())


def test_bots_that_take_their_time_come_to_the_same_end() -> None:
    async def scene(pace: float) -> list[Item]:
        seat = seat_at()
        seat.pace = pace
        return await play(seat)

    assert asyncio.run(scene(0.0005)) == asyncio.run(scene(0.0))


def test_whoever_types_while_a_bot_thinks_is_answered_at_once() -> None:
    async def scene() -> Item | None:
        seat = seat_at()
        seat.pace = 1_000.0
        while seat._next_bot_move() is None or seat._lines:
            await seat.next() if seat._lines else act_once(seat)
        waiting = asyncio.create_task(seat.next())
        await asyncio.sleep(0)
        seat.commands()["hint"][1]("")
        return await waiting

    assert asyncio.run(scene()) == Notice("There is nothing for you to do just now.")


def test_a_hint_tells_what_to_do_and_why() -> None:
    async def scene() -> Item | None:
        seat = seat_at()
        while not (seat.view().on_turn and not seat._lines):
            await seat.next()
        seat.commands()["hint"][1]("")
        return await seat.next()

    told = asyncio.run(scene())
    assert isinstance(told, Notice)
    assert told.text.partition(":")[0] in ("Draw from the stock", "Take 9h")


def test_who_leaves_hears_what_is_left_and_then_nothing() -> None:
    async def scene() -> list[Item | None]:
        seat = seat_at()
        seat.commands()["leave"][1]("")
        return [await seat.next() for _ in range(5)]

    heard = asyncio.run(scene())
    assert [type(item) for item in heard[:3]] == [ev.Dealt, ev.Upcard, ev.Turn]
    assert heard[-2:] == [None, None]


def test_after_the_hands_that_were_asked_for_the_table_closes() -> None:
    async def scene() -> tuple[list[Item], Item | None]:
        seat = seat_at(hands=1)
        heard = await play(seat)
        seat.commands()["next"][1]("")
        return heard, await seat.next()

    heard, more = asyncio.run(scene())
    assert isinstance(heard[-1], ev.Scored)
    assert more == Notice(practice_notice("still-playing"))


def test_a_match_closes_the_table() -> None:
    async def scene() -> PracticeSeat:
        seat = seat_at(AT_ONCE.with_(match__target=None, match__deals=2))
        while (await play(seat)) and not seat.match().over:
            seat.commands()["next"][1]("")
        assert await seat.next() is None
        return seat

    seat = asyncio.run(scene())
    assert seat.match().winners
    with pytest.raises(IllegalAction, match="match-over"):
        seat.act("draw")


@pytest.mark.parametrize(
    ("text", "error"), [("dance", ParseError), ("discard Ks Kd", ParseError), ("done", IllegalAction)]
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(text: str, error: type[Exception]) -> None:
    async def scene() -> None:
        seat = seat_at()
        before = seat.view()
        with pytest.raises(error):
            seat.act(text)
        assert seat.view() == before

    asyncio.run(scene())


# --- claims ----------------------------------------------------------------------------------------------------------


def only_draws(view: View, _seed: int) -> Action | None:
    """Play without laying anything, and throw the highest card."""
    if not view.on_turn:
        return None
    if view.state.phase is Phase.PLAY:
        return act.Discard(max(view.hand, key=lambda card: card.rank))
    return act.Draw() if view.state.stock else legal_actions(view)[0]


async def until_a_claim(seat: PracticeSeat) -> bool:
    """Play until the person may claim a discard while a bot is on turn."""
    while await seat.next() is not None:
        hand = seat.view().state
        if hand.turn != HUMAN and HUMAN in claimants(hand):
            return True
        act_once(seat)
    return False


def test_the_person_has_time_to_claim_a_discard() -> None:
    async def scene() -> bool:
        for seed in range(60):
            seat = seat_at(A_WHILE, seats=3, seed=seed, bot=only_draws, hands=1)
            if await asyncio.wait_for(claims(seat), 10):
                return True
        return False

    async def claims(seat: PracticeSeat) -> bool:
        if not await until_a_claim(seat):
            return False
        waiting = asyncio.create_task(drain(seat))
        await asyncio.sleep(0)
        before = len(seat.view().hand)
        seat.act("call")
        assert len(seat.view().hand) == before + 1
        await waiting
        return True

    async def drain(seat: PracticeSeat) -> None:
        while not isinstance(await seat.next(), ev.Claimed):
            pass

    assert asyncio.run(scene())


# --- rules that fail -------------------------------------------------------------------------------------------------


def breaks(_given: object) -> int:
    raise ZeroDivisionError("division by zero")


def breaking(name: str) -> Ruleset:
    return AT_ONCE.with_function(knob_function(name, breaks, plugin="strange"))


def test_a_function_that_fails_under_a_bot_makes_the_hand_void() -> None:
    async def scene() -> tuple[list[Item], PracticeSeat]:
        seat = seat_at(breaking("may_open"), seed=3)
        heard = [*await play(seat, only_draws), *await play(seat, only_draws)]
        return heard, seat

    heard, seat = asyncio.run(scene())
    told = [item.text for item in heard if isinstance(item, Notice)]
    assert "strange" in told[0]
    assert told[1] == practice_notice("hand-over")
    assert ev.HandEnded("void", None) in heard
    assert (seat.match().scores, seat.match().hand_number) == ((0, 0), 1)


def test_a_function_that_fails_under_the_person_is_told_and_the_hand_is_void() -> None:
    async def scene() -> PracticeSeat:
        seat = seat_at(breaking("hand_bonus"), bot=only_draws, seed=2)
        with pytest.raises(KnobFailed, match="strange"):
            await play(seat)
        return seat

    seat = asyncio.run(scene())
    assert seat.view().state.ending == "void"
    assert seat.match().scores == (0, 0)


def test_a_table_that_stays_is_played_again() -> None:
    seat = practice_seat(AT_ONCE, 2, "Ada", 1, simple.decide, 1, stays=True)
    asyncio.run(until_scored(seat))
    assert seat.facts().may_rematch
    seat.commands()["next"][1]("")
    seat.commands()["rematch"][1]("")
    assert not seat.facts().may_rematch
    assert not seat.view().state.over
    assert seat.match().scores == (0, 0)
    seat.commands()["rematch"][1]("")
    heard = asyncio.run(play(seat))
    assert heard[-1] == Notice(practice_notice("still-playing"))


async def until_scored(seat: PracticeSeat) -> None:
    while not isinstance(await seat.next(), ev.Scored):
        act_once(seat)


def test_after_the_hands_that_were_wanted_the_one_who_leads_has_won() -> None:
    seat = practice_seat(NORWEGIAN, 2, "Ada", 1, simple.decide, 1, stays=True)
    assert seat.facts().over is None
    asyncio.run(until_scored(seat))
    over = seat.facts().over
    assert over is not None
    assert over.winners == tuple(number for number, total in enumerate(over.scores) if total == min(over.scores))
