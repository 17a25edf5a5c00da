"""What the player is told and where: chat, news, answers and the log, how a match ends, the question before leaving."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
import pytest

from rummy_p2p.engine import MatchState
from rummy_p2p.engine import events as ev
from rummy_p2p.sentences import Notice
from rummy_p2p.sentences.screen import Answered, Logged, Over, Said, TableFacts
from rummy_p2p.ui.popup import Question
from rummy_p2p.ui.score_room import ScoreRoom
from rummy_p2p.ui.table_room import TableRoom
from tests.ui.table import CLAIMED, Clock, TableSeat, drawn, facts_with, make_room, position, text_of
from variants_plugins.gin import RULES as GIN


class Alone(TableSeat):
    """A seat at a table at which nobody hears a word."""

    def commands(self) -> Mapping[str, tuple[str, Callable[[str], None]]]:
        return {}


class Behind(TableSeat):
    """A seat whose totals come a moment after the hand has been counted, as on the network."""

    settled = False

    def match(self) -> MatchState | None:
        match = self.game.match
        if self.settled:
            return match
        return msgspec.structs.replace(match, scores=(31, 42, 67, 104), hand_number=3)


def press(room: TableRoom, *names: str) -> None:
    for name in names:
        room.screen.press(name)


def names(room: TableRoom) -> set[str]:
    return {key.keys[0] for key in tuple(room.keys())}


def question(room: TableRoom) -> str:
    press(room, "q")
    top = room.screen.room
    assert isinstance(top, Question)
    return top._question


# --- where it goes ---------------------------------------------------------------------------------------------------


def test_what_programs_do_goes_into_the_log_alone() -> None:
    room = make_room(TableSeat(*position(turn=1)))
    room.hear(Logged("Hand 1: the deck is shuffled and bound to c9e5."))
    assert room.screen.noted == ""
    assert room.state.heard() == []
    assert list(room.state.log) == ["Hand 1: the deck is shuffled and bound to c9e5."]


@pytest.mark.parametrize("turn", [0, 1])
def test_an_answer_goes_into_the_message_line_alone(turn: int) -> None:
    room = make_room(TableSeat(*position(turn=turn)))
    room.hear(Answered("The match is not over yet."))
    assert room.screen.noted == "The match is not over yet."
    assert room.state.heard() == []
    assert not room.state.log


def test_news_give_way_to_whose_turn_it_is() -> None:
    room = make_room(TableSeat(*position(turn=1)))
    room.hear(Notice("Cem is back."))
    assert room.screen.noted == "Cem is back."
    room.hear(ev.Turn(1))
    assert room.screen.noted == ""
    assert "▶ Bea's turn" in text_of(room)


def test_cards_in_sentences_look_as_on_the_table_and_words_stay_words() -> None:
    room = make_room(TableSeat(*position(), names=("Ada", "As", "Kc", "Dag")))
    room.hear(ev.Discarded(1, room.seat.view().hand[0]))  # type: ignore[union-attr]  # a hand is there
    room.hear(Said("As: who has 9s?", name="As"))
    assert room.state.log[-1] == "As discarded 7♥."
    assert "As: who has 9s?" in text_of(room)
    press(room, "i")
    shown = drawn(room.screen.room)  # type: ignore[arg-type]  # the page
    assert "4♠ 4♥ 4♦" in "\n".join(shown.rows())


def test_where_nobody_hears_the_chat_says_so_at_once() -> None:
    room = make_room(Alone(*position()))
    press(room, "/")
    assert "Nobody can hear you" in room.screen.noted
    assert not room.screen.line.is_open
    room.screen.note("")
    room.typed("chat hello")
    assert "Nobody can hear you" in room.screen.noted


# --- the time for all turns ------------------------------------------------------------------------------------------

TIMED = CLAIMED.with_(clock__game_s=600)


def test_the_time_for_the_whole_match_is_shown_and_runs_on_ones_own_turns_alone() -> None:
    clock = Clock()
    room = make_room(TableSeat(*position(TIMED)), clock=clock)
    for seat, seconds in ((0, 30.0), (1, 100.0), (0, 15.0)):
        room.hear(ev.Turn(seat))
        clock.now += seconds
    assert "Match 9:15" in text_of(room)
    press(room, "i")
    shown = "\n".join(drawn(room.screen.room).rows())  # type: ignore[arg-type]  # the page
    assert "Ada has 9:15 left for all turns of the match." in shown
    assert "Bea has 8:20 left for all turns of the match." in shown


def test_both_clocks_stand_below_each_other() -> None:
    clock = Clock()
    room = make_room(TableSeat(*position(TIMED.with_(clock__move_s=60))), clock=clock)
    room.hear(ev.Turn(0))
    clock.now = 10.0
    rows = text_of(room).splitlines()
    assert "Time 0:50" in rows[1]
    assert "Match 9:50" in rows[2]


# --- the end ---------------------------------------------------------------------------------------------------------


def ending(seat: TableSeat, facts: list[TableFacts]) -> TableRoom:
    """Ada throws her last card."""
    room = make_room(seat)
    room.facts = lambda: facts[-1]
    seat.said()
    room.hear(ev.Dealt((1, 3, 13, 0), 3))
    press(room, "x")
    for item in seat.said():
        room.hear(item)
    return room


def last_card() -> tuple[object, object]:
    return position(CLAIMED, hand="2h", melds=((1, "4s 4h 4d"), (0, "Qs Qd Qc")))


def test_the_totals_are_right_before_the_table_has_settled_the_hand() -> None:
    seat = Behind(*last_card())  # type: ignore[arg-type]  # state and order
    room = ending(seat, [facts_with()])
    score = room.screen.room
    assert isinstance(score, ScoreRoom)
    text = "\n".join(drawn(score).rows())
    assert "31 -> 31" in text
    assert "42 -> 56" in text
    seat.settled = True
    assert score.results.totals() == seat.game.match.scores


def test_the_first_round_stays_in_the_table_when_there_is_a_second() -> None:
    room = ending(TableSeat(*last_card()), [facts_with()])  # type: ignore[arg-type]  # state and order
    score = room.screen.room
    assert isinstance(score, ScoreRoom)
    for count in range(1, 6):
        score.results.rounds = [(n, 0, 0, 0) for n in range(count)]
        head = next(row for row in drawn(score).rows() if "Sum" in row)
        assert [f"R{n}" in head for n in range(max(1, count - 3), count + 1)] == [True] * min(4, count)


def test_a_match_of_so_many_hands_has_its_winner() -> None:
    facts = [facts_with()]
    room = ending(TableSeat(*last_card()), facts)  # type: ignore[arg-type]  # state and order
    facts.append(facts_with(forming=True, may_rematch=True, over=Over((1,), (31, 56, 158, 104))))
    room.hear(Notice("The match is over; the winner: Bea."))
    score = room.screen.room
    assert isinstance(score, ScoreRoom)
    text = "\n".join(drawn(score).rows())
    assert "the match is over" in text
    assert "The match is won by Bea." in text


def test_a_match_that_ends_because_players_left_shows_who_has_won_and_why() -> None:
    seat = TableSeat(*position())
    room = make_room(seat)
    why = "Too many players have left; the match is over."
    room.facts = lambda: facts_with(forming=True, over=Over((0,), (31, 42, 67, 104), why))
    room.hear(Notice(why))
    score = room.screen.room
    assert isinstance(score, ScoreRoom)
    text = "\n".join(drawn(score).rows())
    assert why in text
    assert "You have won the match!" in text
    press(room, "escape")
    room.hear(Notice("Bea sits down."))
    assert room.screen.room is room


def test_a_knocker_shows_what_was_left_and_is_told_in_the_second_person() -> None:
    near = "7h 8h 9h 10h 2c 2d 2s 3s 4s 3c Kd"
    state, order = position(GIN, hand=near, others=("3d 3h 8s Qh Jc 6d 6c Ks 10d Ac",), melds=(), pile="4c Jh")
    seat = TableSeat(state, order, names=("You", "Bot 1"))
    room = make_room(seat)
    seat.said()
    press(room, "c")
    seat.other("done")
    for item in seat.said():
        room.hear(item)
    score = room.screen.room
    assert isinstance(score, ScoreRoom)
    text = "\n".join(drawn(score).rows())
    assert "You have won the knock." in text
    assert "You has" not in text
    assert "no cards left" not in text
    assert text.count("You ") + text.count("you ") < 5


def test_a_move_typed_on_the_score_is_not_made_in_the_next_hand() -> None:
    room = ending(TableSeat(*last_card()), [facts_with()])  # type: ignore[arg-type]  # state and order
    score = room.screen.room
    assert isinstance(score, ScoreRoom)
    score.typed("draw")
    assert room.screen.room is score
    assert "This hand is counted" in room.screen.noted


def test_what_was_said_before_does_not_stick_to_the_score() -> None:
    seat = TableSeat(*last_card())  # type: ignore[arg-type]  # state and order
    room = make_room(seat)
    room.screen.note("There is nothing to lay.")
    room.hear(ev.Scored((0, 14, 91, 0), ((), (), (), ()), 0))
    assert isinstance(room.screen.room, ScoreRoom)
    assert room.screen.noted == ""


def test_e_asks_while_the_match_goes_on() -> None:
    room = ending(TableSeat(*last_card()), [facts_with()])  # type: ignore[arg-type]  # state and order
    press(room, "e")
    assert "Leave in the middle of the match?" in "\n".join(drawn(room.screen.room).rows())  # type: ignore[arg-type]  # asked


# --- leaving ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"place": "here"}, "The match ends here and is not kept."),
        ({"sitting": (("Ada", True, False), ("Bea", True, False))}, "The others have to go on without you."),
        ({"sitting": (("Ada", True, False), ("Bot 1 (Ada)", True, True))}, "Only bots play with you"),
        ({"over": Over((0,), (1, 2, 3, 4))}, "Leave the table?"),
    ],
)
def test_what_comes_of_leaving_is_said_as_it_is(facts: dict[str, object], said: str) -> None:
    room = make_room(TableSeat(*position()), facts=facts_with(**facts))
    assert said in question(room)


def test_a_bot_plays_on_until_the_seat_is_taken_back() -> None:
    asked: list[bool] = []
    sitting = (("Ada", True, False), ("Bea", True, False))
    room = make_room(TableSeat(*position()), facts=facts_with(sitting=sitting))
    assert "A bot" not in question(room)
    press(room, "n")
    room.substitute = lambda *, wanted: asked.append(wanted)
    assert "A bot can play for you, but only as long as this program runs" in question(room)
    press(room, "b")
    assert asked == [True]
    assert "A bot plays for you: b takes your seat back." in text_of(room)
    assert "x" not in names(room)
    press(room, "b")
    assert asked == [True, False]
    assert "x" in names(room)


def test_the_seat_is_the_players_again_when_the_match_is_over() -> None:
    asked: list[bool] = []
    room = make_room(TableSeat(*position()))
    room.substitute = lambda *, wanted: asked.append(wanted)
    room.hand_over()
    room.facts = lambda: facts_with(over=Over((0,), (31, 42, 67, 104), "Too many have left."))
    room.hear(Notice("Too many have left."))
    assert asked == [True, False]
    assert not room.state.bot_plays
