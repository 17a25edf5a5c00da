"""Our levels against OpenSpiel's simple gin bot: hands won, points, time for a decision.

    python tests/bench/arena_openspiel.py [--json] [--level L] [--deals N] [--samples N] [--rivals-python PATH]

Every deal is played twice, once from either seat. Our engine is the referee; OpenSpiel's stands beside it and has to
take every action and come to the same score. House rules make our gin theirs (tests/rivals/test_open_spiel.py, which
also names the few rules in which they differ); a hand in which the two referees part is told, and not counted unless
they name the same winner and part over points alone (their simple bot forgets melds when it defends): then ours count.
The interval is that of 95 %, over deals. OpenSpiel is looked for in the interpreter given by ``--rivals-python`` or
RUMMY_RIVALS_PYTHON, which needs what rummy-p2p needs as well; where there is none it says so and ends.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rummy_p2p.bots import Strategy
    from rummy_p2p.cards import Card
    from rummy_p2p.engine import Action, HandState
    from rummy_p2p.ruleset import Ruleset

ROOT = Path(__file__).parents[2]
HOUSE = ("ace=low", "first-upcard-offer", "may-return", "undercut-on-tie=no", "fiftieth-card-action")
TAKE, DRAW, PASS, KNOCK, MELD = 52, 53, 54, 55, 56
SUITS = (0, 3, 2, 1)  # theirs are s c d h, ours s h d c


class Parted(Exception):
    """The two referees do not agree."""


def gin() -> Ruleset:
    """Return their gin; the plugins are named, since the rivals' interpreter has not got ours installed."""
    from rummy_p2p.variants.manager import Source, make_catalogue

    names = ("gin", "knobs", "match_rules", "claims")
    sources = [Source(name, "", "", partial(import_module, f"variants_plugins.{name}")) for name in names]
    return make_catalogue(sources).compile("gin", HOUSE)


def number(card: Card) -> int:
    return SUITS[card.suit] * 13 + card.rank - 1


def card_of(number: int) -> Card:
    from rummy_p2p.cards import Card

    return Card.of(SUITS[number // 13] * 13 + number % 13)


class Duel:
    """One deal in both programs; ``ours`` is the seat of our bot."""

    def __init__(self, rules: Ruleset, level: Strategy, deal: int, ours: int) -> None:
        from rummy_p2p.cards import pack
        from rummy_p2p.engine import start_match
        from rummy_p2p.offline.game import Game

        self.spiel: Any = import_module("pyspiel")
        self.rules, self.level, self.seed, self.seat = rules, level, deal, ours
        order = Random(deal).sample(pack(1, 0), 52)
        self.game = Game(rules, start_match(rules, 2, dealer=1), lambda _: order)
        self.game.next_hand()
        game = self.spiel.load_game("gin_rummy")
        self.utils = self.spiel.gin_rummy.GinRummyUtils(13, 4, 10)
        self.theirs = game.new_initial_state()
        self.bot = self.spiel.make_simple_gin_rummy_bot(game.get_parameters(), 1 - ours)
        self.stock = iter(order)
        self.at_the_wall = False
        self.parted_over_points = False
        self.times: list[float] = []
        self.deal()

    @property
    def hand(self) -> HandState:
        if self.game.hand is None:
            raise Parted("no hand")
        return self.game.hand

    def deal(self) -> None:
        while self.theirs.is_chance_node():
            self.theirs.apply_action(number(next(self.stock)))

    def they(self, action: int) -> None:
        if self.theirs.is_terminal() or action not in self.theirs.legal_actions():
            raise Parted("refused")
        self.theirs.apply_action(action)
        self.deal()

    def play(self) -> int:
        """Return our bot's points, less the other's."""
        while not self.hand.over:
            if self.theirs.is_terminal():
                raise Parted("ended")
            if self.hand.turn == self.seat:
                self.ours()
            else:
                self.rival()
        if not self.theirs.is_terminal():
            raise Parted("goes on")
        points = self.hand.points
        here, there = points[0] - points[1], self.theirs.returns()[0]
        if here * there <= 0 and here != there:
            raise Parted("winner")
        self.parted_over_points = here != there
        return points[self.seat] - points[1 - self.seat]

    def is_wall(self) -> bool:
        return bool(self.theirs.current_phase() == self.spiel.gin_rummy.Phase.WALL)

    # --- our bot

    def ours(self) -> None:
        from rummy_p2p.rules.actions import Add, Discard, Done, Draw, Knock, Pass, Take

        begin = time.process_time()
        action = self.level(self.game.view(self.seat), self.seed * 1_000 + len(self.game.actions))
        self.times.append(time.process_time() - begin)
        if action is None:
            raise Parted("no move")
        if isinstance(action, Knock):
            self.our_knock(action)
            return
        self.game.act(self.seat, action)
        if self.is_wall():
            if not isinstance(action, Take):
                self.they(PASS)
        elif isinstance(action, Take | Draw | Pass):
            self.they({Take: TAKE, Draw: DRAW, Pass: PASS}[type(action)])
        elif isinstance(action, Discard):
            self.they(number(action.card))
        elif isinstance(action, Add):
            self.they(number(action.piece.card))
        elif isinstance(action, Done):
            self.they(PASS)
            self.their_defence()

    def our_knock(self, knock: Action) -> None:
        from rummy_p2p.arrange import least_deadwood
        from rummy_p2p.rules.actions import Knock

        if not isinstance(knock, Knock) or knock.card is None:
            raise Parted("big gin")
        best = least_deadwood([card for card in self.game.view(self.seat).hand if card != knock.card], self.rules)
        self.they(KNOCK)
        self.they(number(knock.card))
        for meld in best.melds:
            cards = list(meld.cards)
            while len(cards) > 5:
                self.they(self.meld(cards[:3]))
                cards = cards[3:]
            self.they(self.meld(cards))
        self.they(PASS)
        self.game.act(self.seat, knock)
        if self.hand.over:
            self.rival_defends()

    def meld(self, cards: list[Card]) -> int:
        return MELD + int(self.utils.meld_to_int(sorted(map(number, cards))))

    def their_defence(self) -> None:
        """Lay our melds in theirs; ours has counted them."""
        from rummy_p2p.rules.scoring import cards_left

        for meld in self.utils.best_meld_group([number(card) for card in cards_left(self.hand, self.seat)]):
            self.they(MELD + self.utils.meld_to_int(meld))
        self.they(PASS)

    # --- the rival

    def step(self) -> int:
        action = int(self.bot.step(self.theirs))
        self.they(action)
        return action

    def rival(self) -> None:
        from rummy_p2p.engine import Phase
        from rummy_p2p.melds import Piece
        from rummy_p2p.rules.actions import Add, Discard, Done, Draw, Pass, Take

        seat, wall, phase = self.hand.turn, self.is_wall(), self.hand.phase
        action = self.step()
        if action == KNOCK:
            if wall:
                self.game.act(seat, Take())
            self.rival_knocks(seat)
        elif phase is Phase.LAY_OFF and action == PASS:
            self.rival_defends()
            self.game.act(seat, Done())
        elif phase is Phase.LAY_OFF:
            self.game.act(seat, Add(Piece(card_of(action))))
        elif action in (TAKE, DRAW, PASS):
            self.game.act(seat, {TAKE: Take(), DRAW: Draw(), PASS: Pass()}[action])
        else:
            self.game.act(seat, Discard(card_of(action)))

    def rival_knocks(self, seat: int) -> None:
        from rummy_p2p.melds import Piece
        from rummy_p2p.rules.actions import Knock

        card, melds = card_of(self.step()), []
        while (action := self.step()) != PASS:
            melds.append(tuple(Piece(card_of(each)) for each in self.utils.int_to_meld[action - MELD]))
        self.game.act(seat, Knock(card, tuple(melds)))
        if self.hand.over:
            self.their_defence()

    def rival_defends(self) -> None:
        """Let the rival lay its melds after a knock, when it lays off nothing more."""
        while not self.theirs.is_terminal():
            self.step()


def compare(level: Strategy, deals: range) -> dict[str, object]:
    """Play every deal from either seat and return the figures."""
    from rummy_p2p.engine import IllegalAction

    rules, parted = gin(), Counter[str]()
    by_deal: list[float] = []
    results: list[int] = []
    times: list[float] = []
    for deal in deals:
        pair = []
        for seat in (0, 1):
            duel = Duel(rules, level, deal, seat)
            try:
                pair.append(duel.play())
                parted["points"] += duel.parted_over_points
            except Parted as why:
                parted[str(why)] += 1
            except IllegalAction as why:
                parted[why.code] += 1
            times += duel.times
        results += pair
        by_deal += [statistics.mean(pair)] if pair else []
    return figures(results, by_deal, times) | {"parted": dict(+parted)}


def figures(results: list[int], by_deal: list[float], times: list[float]) -> dict[str, object]:
    won, lost = sum(each > 0 for each in results), sum(each < 0 for each in results)
    share = won / max(1, won + lost)
    return {
        "hands": len(results),
        "decided": won + lost,
        "won": round(share, 4),
        "won_interval": round(1.96 * math.sqrt(share * (1 - share) / max(1, won + lost)), 4),
        "points": round(statistics.mean(by_deal), 2),
        "points_interval": round(1.96 * statistics.pstdev(by_deal) / math.sqrt(len(by_deal)), 2),
        "median_ms": round(1000 * statistics.median(times), 1),
        "mean_ms": round(1000 * statistics.mean(times), 1),
    }


def run_here(arguments: argparse.Namespace) -> None:
    sys.path.insert(0, str(ROOT))
    from rummy_p2p.bots import LEVELS, hard

    first = arguments.first
    level = LEVELS[arguments.level]
    if arguments.samples:
        level = partial(hard.decide, samples=arguments.samples)
    print(json.dumps({"level": arguments.level} | compare(level, range(first, first + arguments.deals))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one object instead of a line")
    parser.add_argument("--level", default="hard")
    parser.add_argument("--deals", type=int, default=25)
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    parser.add_argument("--samples", type=int, help="how many worlds hard looks at")
    parser.add_argument("--rivals-python", default=os.environ.get("RUMMY_RIVALS_PYTHON"))
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.here:
        run_here(arguments)
        return
    if not arguments.rivals_python:
        print("arena skipped: no --rivals-python given")
        return
    command = [arguments.rivals_python, str(Path(__file__).resolve()), "--here", *sys.argv[1:]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"arena skipped: {done.stderr.strip().splitlines()[-1]}")
        return
    print(done.stdout.strip() if arguments.json else said(json.loads(done.stdout)))


def said(found: dict[str, Any]) -> str:
    won, around = 100 * found["won"], 100 * found["won_interval"]
    return (
        f"gin against open-spiel's simple bot: {found['level']} wins {won:.1f} % ± {around:.1f} of {found['decided']} "
        f"decided hands, {found['points']:+} ± {found['points_interval']} points a hand; a decision takes "
        f"{found['median_ms']} ms at the median; referees parted: {found['parted'] or 'never'}"
    )


if __name__ == "__main__":
    main()
