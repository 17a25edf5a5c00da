"""Where one stands in a film, and the whole as a conversation."""

from __future__ import annotations

import pytest

from rummy_p2p.offline.replay import Replay
from rummy_p2p.ui.replay import ReplayConsole, Viewing, seat_named, whole
from tests.offline.test_replay import film, match, unfinished
from tests.protocol.forge import Forge


def test_steps_stop_at_both_ends_and_say_so() -> None:
    viewing = Viewing(film())
    assert (viewing.step(-1), viewing.number) == ("This is the first record.", 1)
    assert (viewing.step(1), viewing.number) == ("", 2)
    assert (viewing.step(10_000), viewing.number) == ("This is the last record.", film().last)


def test_records_and_hands_are_found_by_their_numbers() -> None:
    viewing = Viewing(film())
    assert (viewing.to_record(" 12 "), viewing.number) == ("", 12)
    for text in ("0", "99999", "9999999999", "x", "", "²", "-1"):
        assert viewing.to_record(text).startswith("The records are 1 to ")
        assert viewing.number == 12
    assert (viewing.to_hand("2"), viewing.number) == ("", film().hands()[1])
    assert viewing.to_hand("3") == "The hands are 1 to 2. Type a number, as in: hand 2"


def test_from_hand_to_hand() -> None:
    viewing, (first, second) = Viewing(film()), film().hands()
    for by, number in ((1, first), (1, second), (1, film().last), (-1, second), (-1, first), (-1, 1), (-1, 1)):
        viewing.step_hand(by)
        assert viewing.number == number


def test_a_film_without_a_hand_says_so() -> None:
    assert Viewing(Replay(Forge().opened().file())).to_hand("1") == "No hand was begun in this ledger."


def test_seats_are_found_by_name_or_number() -> None:
    names = ("Ada", "Bea")
    assert [seat_named(names, text) for text in ("ada", "BEA ", "1", "2", "3", "0", "", "Cem")] == [
        0, 1, 0, 1, None, None, None, None,
    ]  # fmt: skip
    viewing = Viewing(film())
    assert viewing.to_seat("bea") == ""
    assert viewing.seat == 1
    assert viewing.to_seat("Cem\x1b[2J").startswith("There is no seat Cem")
    assert viewing.seat == 1
    assert viewing.to_seat("all") == ""
    seen = [viewing.seat]
    for _ in range(3):
        viewing.next_seat()
        seen.append(viewing.seat)
    assert seen == [None, 0, 1, None]


def test_the_conversation_shows_each_record_in_its_lines() -> None:
    console = ReplayConsole(film())
    assert console.show()[0] == f"Record 1 of {film().last}, Ada"
    assert console.answer("").lines[0].startswith("Record 2 of ")
    assert console.answer("n").lines[0].startswith("Record 3 of ")
    assert console.answer("p").lines[0].startswith("Record 2 of ")
    assert console.answer("hand 1").lines[1] == "  Ada opens hand 1."
    assert console.answer("12").lines[0].startswith("Record 12 of ")
    assert console.answer("record 13").lines[0].startswith("Record 13 of ")
    assert console.answer("seat Ada").lines[0].startswith("Record 13 of ")
    assert "not known" in "\n".join(console.answer("table").lines)


@pytest.mark.parametrize("text", ["shuffle", "\x1b[2J", "7h"])
def test_what_is_not_known_is_said(text: str) -> None:
    (line,) = ReplayConsole(film()).answer(text).lines
    assert line.startswith("I do not know ")
    assert line.isprintable()


def test_help_and_the_way_out() -> None:
    console = ReplayConsole(film())
    lines = console.answer("help").lines
    assert [line.split()[0] for line in lines] == [
        "next",
        "previous",
        "record",
        "hand",
        "seat",
        "table",
        "help",
        "quit",
    ]
    assert console.answer("?").lines == lines
    assert console.answer("q").leaves


def test_all_of_it_at_once() -> None:
    lines = whole(film())
    assert sum(line.startswith("Record ") for line in lines) == film().last
    assert lines[-1] == "  The match is over. It was won by Ada and Bea."  # after the hands that were agreed on
    assert "You drew" not in "\n".join(lines)
    assert "You drew" in "\n".join(whole(film(), 0))


def test_the_end_of_a_damaged_file_is_explained() -> None:
    data = match().file()
    cut = Replay(data[: len(data) // 2])
    assert whole(cut)[-1].startswith("The file is in order up to here.")
    viewing = Viewing(cut)
    assert viewing.step(10_000).startswith("The file is in order up to here.")
    assert whole(unfinished())[-1].startswith("  ")
