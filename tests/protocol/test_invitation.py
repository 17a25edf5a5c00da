"""How many invitations are listened to, and whose answer is."""

from rummy_p2p.protocol.invitation import MOST_OF_ALL, MOST_OF_ONE, REMEMBERED, SPAN, Asked, Patience


def player(number: int) -> bytes:
    return number.to_bytes(32, "big")


def test_a_few_a_minute_of_each_player() -> None:
    patience = Patience()
    assert [patience.hears(player(1), now) for now in range(MOST_OF_ONE + 1)] == [True] * MOST_OF_ONE + [False]
    assert patience.hears(player(2), 5.0)
    assert patience.hears(player(1), SPAN)
    assert not patience.hears(player(1), SPAN)


def test_so_many_of_all_together_and_nothing_grows() -> None:
    patience = Patience()
    assert sum(patience.hears(player(number), 0.0) for number in range(1000)) == MOST_OF_ALL
    assert len(patience._times) == MOST_OF_ALL
    assert patience.hears(player(1), SPAN + 1)
    for number in range(1000):
        patience.not_before(player(number), 1e9)
    assert len(patience._quiet) == REMEMBERED


def test_none_of_whoever_was_told_not_now() -> None:
    patience = Patience()
    patience.not_before(player(1), 100.0)
    assert not patience.hears(player(1), 99.0)
    assert patience.hears(player(2), 99.0)
    assert patience.hears(player(1), 100.0)


def test_an_answer_is_heard_once_and_only_from_who_was_asked_to_that_table() -> None:
    asked = Asked()
    assert not asked.answered(player(1), b"table")
    asked.note(player(1), b"first")
    asked.note(player(1), b"table")
    assert not asked.answered(player(2), b"table")
    assert not asked.answered(player(1), b"first")
    assert asked.answered(player(1), b"table")
    assert not asked.answered(player(1), b"table")
    for number in range(1000):
        asked.note(player(number), b"table")
    assert len(asked._tables) == REMEMBERED
