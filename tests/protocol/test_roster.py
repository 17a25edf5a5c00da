"""Names at a table are told apart."""

from hypothesis import given
from hypothesis import strategies as st

from rummy_p2p.protocol.messages import SeatEntry
from rummy_p2p.protocol.roster import name_seats


def entries(*seats: tuple[str, int]) -> list[SeatEntry]:
    return [
        SeatEntry(owner=bytes([n]) * 32, nick=nick, number=number, bot=False) for n, (nick, number) in enumerate(seats)
    ]


def names(*seats: tuple[str, int]) -> list[str]:
    return [seat.name for seat in name_seats(entries(*seats))]


def test_equal_nicks_get_a_number_and_bots_say_whose_they_are() -> None:
    assert names(("Ada", 0), ("Ada", 1), ("Bea", 0), ("Ada", 0), ("Ada", 1)) == [
        "Ada", "Bot 1 (Ada)", "Bea", "Ada (2)", "Bot 1 (Ada) (2)",
    ]  # fmt: skip


def test_a_nick_that_looks_like_a_number_does_not_fool_it() -> None:
    assert names(("Ada (2)", 0), ("Ada", 0), ("Ada", 0)) == ["Ada (2)", "Ada", "Ada (3)"]


@given(st.lists(st.tuples(st.sampled_from(["Ada", "Ada (2)", "Bot 1 (Ada)"]), st.integers(0, 2)), max_size=8))
def test_no_two_seats_have_one_name(seats: list[tuple[str, int]]) -> None:
    found = names(*seats)
    assert len(set(found)) == len(found) == len(seats)
