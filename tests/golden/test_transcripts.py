"""One transcript for each shipped game and number of seats: the first two hands between bots, as text.

A transcript that is missing or has changed fails. ``RUMMY_P2P_GOLDEN=write`` writes them anew; then read the difference
as you would read code.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from rummy_p2p.bots import simple
from rummy_p2p.cards import cards_text
from rummy_p2p.engine import MatchState, Phase, legal_actions, start_match
from rummy_p2p.engine import events as ev
from rummy_p2p.offline.game import Game
from rummy_p2p.rules.position import HandState
from rummy_p2p.variants.manager import installed, make_catalogue

HERE = Path(__file__).parent
CATALOGUE = make_catalogue(installed())
WRITE = os.environ.get("RUMMY_P2P_GOLDEN") == "write"
SEATS = "ABCDEFGH"
HANDS = 2
TABLES = [
    (game, seats)
    for game, one in CATALOGUE.games.items()
    for seats in range(one.rules.players.min, one.rules.players.max + 1)
]


def path_of(game: str, seats: int) -> Path:
    return HERE / f"{game}-{seats}.txt"


def transcript(game: str, seats: int) -> str:
    dice = Random(f"{game} {seats}")
    rules = CATALOGUE.compile(game)
    play = Game(rules, start_match(rules, seats), lambda cards: dice.sample(list(cards), len(cards)))
    lines = [f"{rules.meta.title} for {seats}"]
    for _ in range(HANDS):
        if not play.match.over:
            number = play.match.hand_number
            play.next_hand()
            lines += ["", f"hand {number}, dealer {SEATS[play.match.dealer]}", *dealt(play), *moves(play, dice)]
            lines += [*count(hand_of(play)), *totals(play.match)]
    return "\n".join(lines) + "\n"


def hand_of(play: Game) -> HandState:
    assert play.hand is not None
    return play.hand


def dealt(play: Game) -> Iterator[str]:
    for seat in range(play.match.seats):
        yield f"{SEATS[seat]} has {cards_text(play.view(seat).hand)}"
    top = hand_of(play).top()
    if top is not None:
        yield f"upcard {top}"


def moves(play: Game, dice: Random) -> Iterator[str]:
    """Yield the moves; now and then a bot does anything that is allowed, so that more than good play is seen."""
    while not hand_of(play).over:
        hand = hand_of(play)
        for seat in (*(seat for seat in range(hand.seats) if seat != hand.turn), hand.turn):
            view = play.view(seat)
            action = simple.decide(view, len(play.actions))
            if hand.phase is Phase.PLAY and seat == hand.turn and dice.random() < 0.1:
                action = dice.choice(legal_actions(view))
            if action is None:
                continue
            first = len(play.events)
            play.act(seat, action)
            yield f"{SEATS[seat]} {action}{drawn(play, first)}"
            break


def drawn(play: Game, first: int) -> str:
    """Return the cards that came from the stock with a move, for whoever reads the transcript."""
    drew = [event for event in play.events[first:] if isinstance(event, ev.Drew)]
    faces = [f"{SEATS[event.seat]} gets {play.snapshot()[2][event.slot]}" for event in drew]
    return f" ({', '.join(faces)})" if faces else ""


def count(hand: HandState) -> Iterator[str]:
    yield f"{hand.ending}, won by {'nobody' if hand.winner is None else SEATS[hand.winner]}"
    for number, laid in enumerate(hand.table, 1):
        yield f"{number} of {SEATS[laid.owner]}: {laid.meld}"
    for seat, lines in enumerate(hand.sheet):
        for line in lines:
            yield f"{SEATS[seat]} {line.what} {line.points} {cards_text(line.cards)}".rstrip()
    yield f"points {' '.join(map(str, hand.points))}"


def totals(match: MatchState) -> Iterator[str]:
    yield f"totals {' '.join(map(str, match.scores))}"
    if match.out:
        yield f"out {' '.join(SEATS[seat] for seat in sorted(match.out))}"
    if match.over:
        yield f"winners {' '.join(SEATS[seat] for seat in match.winners)}"


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=[f"{game}-{seats}" for game, seats in TABLES])
def test_a_match_reads_as_it_did(game: str, seats: int) -> None:
    path, text = path_of(game, seats), transcript(game, seats)
    if WRITE:
        path.write_text(text, encoding="utf-8", newline="\n")
    assert path.exists(), "there is no transcript; run again with RUMMY_P2P_GOLDEN=write and read what it writes"
    assert path.read_text("utf-8") == text


def test_no_transcript_is_left_of_what_is_gone() -> None:
    assert {path.name for path in HERE.glob("*.txt")} == {path_of(game, seats).name for game, seats in TABLES}
