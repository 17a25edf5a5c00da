"""Forming a table: the creator gives seats and starts; joiners ask, are seated or turned away."""

from __future__ import annotations

from itertools import product

import msgspec
import pytest

from rummy_p2p.protocol.events import Seated, TableClosed, TurnedAway
from rummy_p2p.protocol.faults import Fault, Refusal
from rummy_p2p.protocol.forming import TRANSITIONS, Forming, Guest, Input, Phase
from rummy_p2p.protocol.messages import (
    PROTOCOL_VERSION,
    Join,
    Leave,
    Payload,
    Ready,
    Refused,
    Say,
    Seating,
    Start,
    TableInfo,
)
from rummy_p2p.ruleset import Ruleset
from tests.protocol.lan import rummy

ADA, BEA, CEM = (bytes([n]) * 32 for n in (1, 2, 3))
TABLE, RUN = b"t" * 32, b"r" * 32


def info(rules: Ruleset | None = None, seats: int = 4, version: int = PROTOCOL_VERSION) -> TableInfo:
    rules = rules or rummy()
    return TableInfo(
        table=TABLE,
        nonce=b"n" * 32,
        version=version,
        title="Ada's table",
        rules=rules.canonical(),
        fingerprint=bytes.fromhex(rules.fingerprint),
        plugins=(),
        seats=seats,
        deal="host",
        trust="quorum",
        hands=0,
    )


def creator(**changes: object) -> Forming:
    made = Forming(ADA, ADA, info(**changes), rummy(), Guest("Ada"), RUN)  # type: ignore[arg-type]  # passed on
    made.begin(0.0)
    made.said.take()
    return made


def joiner(mine: Ruleset | None = None, **changes: object) -> Forming:
    made = Forming(BEA, ADA, info(**changes), mine or rummy(), Guest(" \x1b Bea"), RUN)  # type: ignore[arg-type]  # as above
    made.begin(0.0)
    return made


def join(**changes: object) -> Join:
    plain = Join(
        table=TABLE,
        run=RUN,
        number=1,
        version=PROTOCOL_VERSION,
        fingerprint=bytes.fromhex(rummy().fingerprint),
        nick="Bea",
        bots=0,
        auto=False,
        wish="if-needed",
    )
    return msgspec.structs.replace(plain, **changes)


def said(made: Forming) -> list[Payload]:
    return [payload for payload, _ in made.said.take()[0]]


def seated(made: Forming) -> list[str]:
    return [seat.name for seat in made.seats]


def started(made: Forming, **changes: object) -> Start:
    start = made.make_start(b"n" * 32)
    return msgspec.structs.replace(start, **changes)


def with_bea() -> Forming:
    made = creator()
    made.receive(BEA, join())
    made.receive(BEA, Ready(table=TABLE, run=RUN, number=1, ready=True))
    return made


def test_the_creator_tells_what_is_played_and_sits_down_first() -> None:
    made = Forming(ADA, ADA, info(), rummy(), Guest("Ada", bots=1), RUN)
    made.begin(0.0)
    payloads = said(made)
    assert [type(payload) for payload in payloads] == [TableInfo, Seating]
    assert seated(made) == ["Ada", "Bot 1 (Ada)"]


def test_a_joiner_asks_with_a_clean_name() -> None:
    made = joiner()
    (asked,) = said(made)
    assert isinstance(asked, Join)
    assert (asked.nick, asked.number, asked.run) == ("Bea", 1, RUN)
    assert Forming(BEA, ADA, info(), rummy(), Guest("\x1b"), RUN).guest.nick == "?"


def test_seats_are_given_as_long_as_there_are_some() -> None:
    made = creator(seats=3)
    made.receive(BEA, join(bots=1))
    made.receive(BEA, join(bots=1))
    assert seated(made) == ["Ada", "Bea", "Bot 1 (Bea)"]
    made.said.take()
    made.receive(CEM, join(run=b"c" * 32, nick="Cem"))
    (refused,) = said(made)
    assert isinstance(refused, Refused)
    assert (refused.code, refused.to, refused.run) == ("table-full", CEM, b"c" * 32)


@pytest.mark.parametrize(
    ("changes", "code"),
    [({"version": 99}, "version-mismatch"), ({"fingerprint": b"x" * 32}, "rules-mismatch")],
)
def test_the_creator_refuses_what_does_not_fit(changes: dict[str, object], code: str) -> None:
    made = creator()
    made.receive(BEA, join(**changes))
    (refused,) = said(made)
    assert isinstance(refused, Refused)
    assert refused.code == code
    assert len(refused.differs) == 2
    assert seated(made) == ["Ada"]


def test_a_joiner_is_told_why_and_does_not_ask_again() -> None:
    made = joiner()
    said(made)
    for payload in (
        Refused(table=TABLE, to=CEM, run=RUN, code="table-full", differs=()),
        Refused(table=TABLE, to=BEA, run=b"x" * 32, code="table-full", differs=()),
        Refused(table=TABLE, to=BEA, run=RUN, code="version-mismatch", differs=("7", "1")),
        Refused(table=TABLE, to=BEA, run=RUN, code="table-full", differs=()),
    ):
        made.receive(ADA, payload)
    told = made.said.take()[1]
    assert [event.code for event in told if isinstance(event, TurnedAway)] == ["version-mismatch", "table-full"]
    assert "version 7" in told[0].sentence  # type: ignore[attr-defined]  # a TurnedAway, as seen above
    made.tick((ADA, BEA), 100.0)
    assert said(made) == []


@pytest.mark.parametrize(
    ("mine", "theirs", "version", "code"),
    [
        (rummy(match__target=200), rummy(), PROTOCOL_VERSION, "rules-mismatch"),
        (rummy(), rummy(), 99, "version-mismatch"),
    ],
)
def test_a_joiner_that_does_not_fit_does_not_ask(mine: Ruleset, theirs: Ruleset, version: int, code: str) -> None:
    made = joiner(mine, rules=theirs, version=version)
    payloads, events = made.said.take()
    assert payloads == []
    assert [event.code for event in events if isinstance(event, TurnedAway)] == [code]


def test_who_has_no_seat_cannot_be_ready() -> None:
    with pytest.raises(Refusal):
        joiner().set_ready(ready=True)


def test_ready_counts_from_the_newest_word_of_the_running_program() -> None:
    made = with_bea()
    assert made.not_ready() == ()
    for payload in (
        Ready(table=TABLE, run=RUN, number=1, ready=False),
        Ready(table=TABLE, run=b"x" * 32, number=9, ready=False),
        Ready(table=b"x" * 32, run=RUN, number=9, ready=False),
        Say(table=TABLE, number=1, text="hi"),
    ):
        made.receive(BEA, payload)
    assert made.not_ready() == ()
    made.receive(BEA, Ready(table=TABLE, run=RUN, number=2, ready=False))
    assert made.not_ready() == ("Bea",)
    made.set_ready(ready=True)
    assert made.is_ready


def test_a_program_that_was_restarted_keeps_its_seat() -> None:
    made = with_bea()
    made.receive(BEA, join(run=b"2" * 32))
    assert seated(made) == ["Ada", "Bea"]
    made.receive(BEA, Leave(table=TABLE, run=RUN))
    assert seated(made) == ["Ada", "Bea"]
    made.receive(BEA, Leave(table=TABLE, run=b"2" * 32))
    assert seated(made) == ["Ada"]


def test_who_looks_on_has_no_seat_to_give_back() -> None:
    made = Forming(BEA, ADA, info(), rummy(), Guest("Bea", watches=True), RUN)
    made.leave()
    assert said(made) == []
    seated_one = joiner()
    seated_one.said.take()
    seated_one.leave()
    assert said(seated_one) == [Leave(table=TABLE, run=RUN)]


def test_at_a_closed_table_nobody_sits_down_without_the_password() -> None:
    made = Forming(ADA, ADA, msgspec.structs.replace(info(), closed=True), rummy(), Guest("Ada"), RUN)
    made.begin(0.0)
    made.said.take()
    made.receive(BEA, join())
    (refused,) = said(made)
    assert isinstance(refused, Refused)
    assert refused.code == "password-needed"
    assert seated(made) == ["Ada"]
    made.admitted.add(BEA)
    made.receive(BEA, join(number=2))
    assert seated(made) == ["Ada", "Bea"]


def test_a_join_that_is_repeated_after_the_leave_gives_no_seat() -> None:
    made = with_bea()
    made.receive(BEA, Leave(table=TABLE, run=RUN))
    made.receive(BEA, join())
    assert seated(made) == ["Ada"]
    made.receive(BEA, join(run=b"2" * 32))
    assert seated(made) == ["Ada", "Bea"]


def test_only_the_newest_seating_of_the_creator_counts() -> None:
    made = joiner()
    two = Seating(table=TABLE, revision=2, seats=(), peers=())
    made.receive(CEM, two)
    assert made.seating.revision == 0
    made.receive(ADA, two)
    made.receive(ADA, msgspec.structs.replace(two, revision=1))
    assert made.seating == two
    assert len([event for event in made.said.take()[1] if isinstance(event, Seated)]) == 1


# ---------------------------------------------------------------- starting


def test_a_start_begins_a_match_for_those_who_are_in_it() -> None:
    made = with_bea()
    start = started(made)
    guest = joiner()
    for author, wrong in (
        (CEM, start),
        (ADA, msgspec.structs.replace(start, table=b"x" * 32)),
        (ADA, msgspec.structs.replace(start, number=0)),
        (ADA, msgspec.structs.replace(start, fingerprint=b"x" * 32)),
        (ADA, msgspec.structs.replace(start, deal="blind")),
        (ADA, msgspec.structs.replace(start, trust="all")),
    ):
        assert not guest.started(author, wrong)
    assert guest.started(ADA, start)
    assert guest.phase is Phase.PLAYING
    assert not guest.started(ADA, msgspec.structs.replace(start, number=2))
    stranger = Forming(CEM, ADA, info(), rummy(), Guest("Cem"), RUN)
    assert not stranger.started(ADA, start)
    assert stranger.phase is Phase.OPEN


def test_a_start_that_no_table_could_make_is_a_fault() -> None:
    start = started(with_bea())
    with pytest.raises(Fault) as caught:
        joiner().started(ADA, msgspec.structs.replace(start, seats=start.seats[1:]))
    assert caught.value.code == "bad-roster"


def test_after_a_match_seats_are_taken_again_and_nobody_is_ready() -> None:
    made = with_bea()
    made.receive(CEM, join(run=b"c" * 32, nick="Cem"))
    made.receive(CEM, Ready(table=TABLE, run=b"c" * 32, number=1, ready=True))
    assert made.started(ADA, started(made))
    made.receive(CEM, Leave(table=TABLE, run=b"c" * 32))
    assert seated(made) == ["Ada", "Bea", "Cem"]
    made.over({CEM})
    assert (made.phase, seated(made), made.not_ready()) == (Phase.OPEN, ["Ada", "Bea"], ("Bea",))
    guest = joiner()
    guest.phase = Phase.PLAYING
    guest.over(())
    assert guest.phase is Phase.OPEN
    guest.phase = Phase.PLAYING
    guest.over({ADA})
    assert guest.phase is Phase.CLOSED


def test_a_table_is_closed_once() -> None:
    made = joiner()
    made.receive(ADA, Leave(table=TABLE, run=RUN))
    made.lost_creator()
    assert [event.code for event in made.said.take()[1] if isinstance(event, TableClosed)] == ["table-closed"]
    made.receive(ADA, Seating(table=TABLE, revision=5, seats=(), peers=()))
    assert made.seating.revision == 0


def test_while_a_match_is_played_the_leave_of_the_creator_closes_nothing_yet() -> None:
    made = joiner()
    made.phase = Phase.PLAYING
    made.receive(ADA, Leave(table=TABLE, run=RUN))
    assert made.phase is Phase.PLAYING


@pytest.mark.parametrize(("phase", "what"), list(product(Phase, Input)))
def test_every_pair_of_the_machine(phase: Phase, what: Input) -> None:
    after = TRANSITIONS[phase].get(what)
    if phase is Phase.CLOSED:
        assert after in {None, Phase.CLOSED}
    elif what is Input.CLOSE:
        assert after is Phase.CLOSED
    else:
        expected = {(Phase.OPEN, Input.START): Phase.PLAYING, (Phase.PLAYING, Input.OVER): Phase.OPEN}
        assert after is expected.get((phase, what))


# ---------------------------------------------------------------- guests of the creator's program


def test_a_guest_of_the_creators_program_has_a_seat_of_the_creator() -> None:
    table = creator()
    number = table.seat_guest("  Cem\x1b ")
    assert [(seat.owner, seat.name, seat.bot, seat.guest) for seat in table.seats] == [
        (ADA, "Ada", False, 0),
        (ADA, "Cem", False, number),
    ]
    assert len(table.seating.peers) == 1, "the creator counts once, whoever plays at its program"
    assert table.make_start(b"s" * 32).seats[1].number == number
    table.unseat_guest(number)
    assert [seat.name for seat in table.seats] == ["Ada"]
    assert table.seat_guest("") == number
    assert table.seats[1].name == "?"


def test_guests_and_bots_have_numbers_of_their_own() -> None:
    table = Forming(ADA, ADA, info(), rummy(), Guest("Ada", bots=1), RUN)
    table.begin(0.0)
    assert table.seat_guest("Cem") == 2
    table.unseat_guest(1)
    table.unseat_guest(0)
    assert [seat.name for seat in table.seats] == ["Ada", "Bot 1 (Ada)", "Cem"], "neither a bot nor the player is one"


def test_a_guest_is_not_seated_where_there_is_no_seat() -> None:
    full = creator(seats=2)
    full.seat_guest("Cem")
    with pytest.raises(Refusal, match="All seats"):
        full.seat_guest("Dag")
    with pytest.raises(Refusal, match="Only the player who opened"):
        joiner().seat_guest("Cem")
    start = full.make_start(b"s" * 32)
    assert full.started(ADA, start)
    with pytest.raises(Refusal, match="middle of a match"):
        full.seat_guest("Dag")
    with pytest.raises(Refusal, match="not over yet"):
        full.unseat_guest(1)
    full.over(())
    full.unseat_guest(1)
    assert [seat.name for seat in full.seats] == ["Ada"]
    full.leave()
    with pytest.raises(Refusal, match="has closed it"):
        full.seat_guest("Dag")
