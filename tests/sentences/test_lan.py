"""What is told about a table: from the creator's side and from a guest's, before, in and after a match."""

from dataclasses import dataclass, field, replace

import pytest

from rummy_p2p.protocol import events as tell
from rummy_p2p.protocol.faults import SENTENCES, Refusal, say
from rummy_p2p.protocol.messages import TableInfo
from rummy_p2p.protocol.roster import Seat
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.faces import on_screen, typed_card
from rummy_p2p.sentences.lan import _WRITERS, lan_command, left_line, refused_line, table_line
from variants_plugins.rummy_no import RULES

ADA, BEA, CEM = (bytes([n]) * 32 for n in range(3))
NOBODY = bytes(32)


def seats(*owners: bytes, bots: int = 0) -> tuple[Seat, ...]:
    names = {ADA: "Ada", BEA: "Bea", CEM: "Cem"}
    people = [Seat(0, owner, names[owner], bot=False) for owner in owners]
    return (*people, *(Seat(n, ADA, f"Bot {n} (Ada)", bot=True) for n in range(1, bots + 1)))


TWO, THREE = seats(ADA, BEA), seats(ADA, BEA, CEM)


@dataclass
class Played:
    seats: tuple[Seat, ...]
    is_blind: bool = False


@dataclass
class Table:
    """A table as one of its peers sees it."""

    me: bytes
    seats: tuple[Seat, ...]
    match: Played | None = None
    creator: bytes = ADA
    rules: Ruleset = RULES
    places: int = 3
    info: TableInfo = field(init=False)

    def __post_init__(self) -> None:
        self.info = TableInfo(
            table=NOBODY, nonce=NOBODY, version=1, title="Friday", rules=b"", fingerprint=NOBODY, plugins=(),
            seats=self.places, deal="host", trust="quorum", hands=0,
        )  # fmt: skip


def seated(
    table: Table, *, new: tuple[str, ...] = (), gone: tuple[str, ...] = (), ready: tuple[str, ...] = ()
) -> str | None:
    return table_line(tell.Seated(table.seats, new, gone, ready), table)


# ---------------------------------------------------------------- who sits

ALONE = "At the table: Ada. 2 seats are free. Others have to sit down before it can start."
WITH_BOTS = "At the table: Ada, Bot 1 (Ada), Bot 2 (Ada). Everybody is ready: type start."


@pytest.mark.parametrize(
    ("table", "ready", "told"),
    [
        (
            Table(ADA, seats(ADA)),
            (),
            ALONE,
        ),
        (Table(ADA, TWO), (), "At the table: Ada, Bea. 1 seat is free. Not ready yet: Bea."),
        (
            Table(ADA, TWO),
            ("Bea",),
            "At the table: Ada, Bea. 1 seat is free. Everybody is ready: type start.",
        ),
        (Table(ADA, THREE), (), "At the table: Ada, Bea, Cem. Not ready yet: Bea and Cem."),
        (
            Table(ADA, seats(ADA, bots=2)),
            (),
            WITH_BOTS,
        ),
        (Table(BEA, TWO), (), "At the table: Ada, Bea. 1 seat is free. Type ready when you are."),
        (Table(BEA, THREE), ("Bea",), "At the table: Ada, Bea, Cem. Not ready yet: Cem."),
        (
            Table(BEA, TWO),
            ("Bea",),
            "At the table: Ada, Bea. 1 seat is free. Everybody is ready: Ada starts.",
        ),
    ],
)
def test_what_the_table_waits_for(table: Table, ready: tuple[str, ...], told: str) -> None:
    assert seated(table, ready=ready) == told


@pytest.mark.parametrize(
    ("table", "ready", "told"),
    [
        (Table(BEA, TWO), (), "Press Enter when you are ready."),
        (Table(ADA, TWO), ("Bea",), "Everybody is ready: press Enter to start."),
        (Table(BEA, TWO, Played(TWO)), (), "Press y to play again."),
    ],
)
def test_on_a_screen_the_keys_are_named(table: Table, ready: tuple[str, ...], told: str) -> None:
    with on_screen(typed_card):
        assert str(seated(table, ready=ready)).endswith(told)
        paused = str(table_line(tell.Paused("host-lost", say("host-lost", {"players": "Bea"}), ("Bea",)), table))
    assert paused.endswith("If you would rather not wait, press q.")


@pytest.mark.parametrize(
    ("table", "ready", "told"),
    [
        (Table(BEA, TWO, Played(TWO)), (), "Type rematch to play again."),
        (Table(BEA, TWO, Played(TWO)), ("Bea",), "Everybody is ready: Ada starts."),
        (Table(ADA, TWO, Played(TWO)), (), "Type rematch to play again."),
        (Table(ADA, TWO, Played(TWO)), ("Ada",), "Not ready yet: Bea."),
        (Table(ADA, TWO, Played(TWO)), ("Bea",), "Everybody is ready: type start."),
    ],
)
def test_after_a_match_it_is_rematch(table: Table, ready: tuple[str, ...], told: str) -> None:
    line = seated(table, ready=ready)
    assert line is not None
    assert line.endswith(told)


def test_who_comes_and_goes() -> None:
    table = Table(ADA, TWO)
    assert str(seated(table, new=("Bea",))).startswith("Bea sits down. At the table: Ada, Bea.")
    assert str(seated(table, gone=("Cem",))).startswith("Cem has left. At the table: Ada, Bea.")
    assert str(seated(Table(BEA, TWO), new=("Ada", "Bea"))).startswith("You sit down as Bea. At the table: ")


def test_what_was_before_one_sat_down_is_not_told() -> None:
    assert seated(Table(BEA, seats(ADA))) == ""


# ---------------------------------------------------------------- the match


OWN_HOST = "You were elected host: your program deals. It can see the deck but cannot stack it."
ALL_SHUFFLE = "In this match all shuffle in turn: nobody sees or stacks the deck (2 of 2 together could look)."
BEA_AWAY = "Bea cannot be reached. The table goes on; the seat and its cards are kept until Bea is back."
NO_WINNER = "The host left. The match is over; the winner: nobody."
IN_MATCH = Table(ADA, seats(ADA), Played(TWO))


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (
            tell.Elected(1, ADA, "Ada"),
            OWN_HOST,
        ),
        (tell.Elected(1, BEA, "Bea"), "Bea was elected host and deals. The host can see the deck but cannot stack it."),
        (tell.DeckCommitted(3, bytes(32)), "Hand 3: the deck is shuffled and bound to 0000000000000000."),
        (tell.HandOver(3, (0,), (0,), 0, "ok", b"", 9, ()), "The deal of hand 3 was checked and is in order."),
        (tell.HandOver(3, (0,), (0,), 0, "bad-deck", b"", 9, ()), "The deal of hand 3 is NOT in order: bad-deck."),
        (tell.HandVoid(3, "left", "Bea left.", BEA), "Bea left."),
        (tell.MatchOver((1, 2), (1,), "", ""), "The match is over; the winner: Bea."),
        (tell.MatchOver((1, 2), (0, 1), "", ""), "The match is over; the winner: Ada and Bea."),
        (
            tell.MatchOver((1, 2), (), "host-left", "The host left."),
            NO_WINNER,
        ),
        (tell.Resumed(), "The table goes on."),
        (tell.MatchStarted(b"m", TWO, "blind", 2), ALL_SHUFFLE),
        (
            tell.MatchStarted(b"m", TWO),
            "In this match the host deals: its program can see the deck but cannot stack it.",
        ),
        (tell.Dealing(1, 0, 3), "3 players shuffle the deck, one after the other ..."),
        (tell.Dealing(2, 0, 3), ""),
        (tell.Dealing(3, 1, 3), ""),
        (tell.WentAway(BEA, "Bea"), BEA_AWAY),
        (tell.WentAway(ADA, "Ada"), "The others could not reach you; your seat and its cards were kept."),
        (tell.CameBack(BEA, "Bea"), "Bea is back."),
        (tell.CameBack(ADA, "Ada"), "You are back in the game."),
        (tell.Chatted(BEA, "Bea", "hello"), "Bea: hello"),
        (tell.FaultFound("two-votes", "Two votes.", None), "Two votes."),
        (tell.FaultFound("two-votes", "Two votes.", BEA), "Bea broke the rules of the table: Two votes."),
        (tell.TurnedAway("table-full", "All seats of this table are taken.", ()), "All seats of this table are taken."),
        (tell.TableClosed("table-closed", "It was closed."), "You have closed the table."),
        (tell.Happened(()), None),
        (tell.Known(0), None),
    ],
)
def test_what_happens_in_a_match(event: tell.TableEvent, told: str | None) -> None:
    assert table_line(event, IN_MATCH) == told


def test_in_a_blind_deal_the_host_only_orders() -> None:
    blind = Table(ADA, seats(ADA), Played(TWO, is_blind=True))
    assert table_line(tell.Elected(1, ADA, "Ada"), blind) == "You were elected host: your program orders the moves."
    assert table_line(tell.Elected(1, BEA, "Bea"), blind) == "Bea was elected host and orders the moves."


def test_a_guest_is_told_why_the_table_is_closed() -> None:
    assert table_line(tell.TableClosed("table-lost", "It is gone."), Table(BEA, TWO)) == "It is gone."


@pytest.mark.parametrize("code", ["host-lost", "no-quorum", "player-lost"])
def test_a_pause_says_for_whom_and_how_to_end_it(code: str) -> None:
    event = tell.Paused(code, say(code, {"players": "Bea, Cem"}), ("Bea", "Cem"))
    told = str(table_line(event, IN_MATCH))
    assert "Bea, Cem" in told
    assert told.endswith("or leave to give up your seat.")


def test_who_suspended_is_named_and_how_to_do_the_same() -> None:
    said = say("no-quorum", {"players": "Bea"})
    event = tell.Paused("no-quorum", said, ("Bea",), suspended=("Bea",))
    told = "Bea suspended the match: you can all go on with it another evening. To go as well, "
    assert table_line(event, IN_MATCH) == f"{told}type suspend: that keeps your seat, too."
    with on_screen(typed_card):
        assert table_line(event, IN_MATCH) == f"{told}press q, then s: that keeps your seat, too."
    without = "Bea suspended the match without giving up a seat. The table goes on in a moment."
    assert table_line(replace(event, code="player-lost"), IN_MATCH) == without
    others = replace(event, players=("Bea", "Cem"))
    assert str(table_line(others, IN_MATCH)).startswith("Too few players can be reached.")


def test_a_pause_that_all_agree_to_is_asked_for_and_told() -> None:
    assert table_line(tell.PauseWanted(("Bea",)), IN_MATCH) == "Bea would like a pause. Type pause to agree."
    assert table_line(tell.PauseWanted(()), IN_MATCH) == "Nobody asks for a pause any more."
    agreed = tell.Paused("agreed", say("agreed"), ("Ada", "Bea"))
    assert table_line(agreed, IN_MATCH) == SENTENCES["agreed"]


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (tell.Declined(0, "call", "claim-too-late", "claim.until", {}), "Too late: this discard is gone"),
        (tell.Declined(0, "draw", "not-your-turn", "", {"turn": 1}), "Bea is playing"),
        (tell.Declined(0, "draw", "wrong-hand", "", {}), SENTENCES["wrong-hand"]),
        (tell.Declined(0, "draw", "newer-code", "", {}), "The table says: newer-code."),
        (tell.Declined(0, "draw", "too-few-seated", "", {}), "This game needs ? players"),
        (tell.Declined(0, "draw", "not-your-turn", "", {"code": "x", "knob": 3, "turn": "y"}), "not your turn"),
    ],
)
def test_a_move_that_the_host_does_not_take(event: tell.Declined, why: str) -> None:
    told = str(table_line(event, IN_MATCH))
    assert told.startswith(f"Your move {event.move} came too late, or the host sees it otherwise: ")
    assert why in told


# ---------------------------------------------------------------- what one types


@pytest.mark.parametrize("name", ["ready", "unready", "start", "rematch", "chat", "leave"])
def test_every_command_has_its_line_of_help(name: str) -> None:
    assert lan_command(name)


def test_what_cannot_be_done_is_refused_in_the_words_of_the_table() -> None:
    assert refused_line(Refusal("not-all-ready", waiting="Bea")) == "Not everybody is ready yet: Bea."
    assert refused_line(Refusal("not-all-ready")) == "Not everybody is ready yet: ?."
    assert refused_line(Refusal("some-other")) == "The table says: some-other."
    assert left_line() == "You have left the table."


def test_there_is_a_line_or_another_teller_for_everything_that_happens() -> None:
    silent = {"Happened", "Played", "HandStarted", "MatchStarted", "Known"}  # their engine events are told, or nothing
    kinds = {kind.__name__ for kind in tell.TableEvent.__subclasses__() if kind.__module__ == tell.__name__}
    assert kinds == {kind.__name__ for kind in _WRITERS} | silent


def test_a_wish_for_a_pause_says_whose_and_how_one_agrees() -> None:
    table = Table(ADA, TWO, Played(TWO))
    assert str(table_line(tell.PauseWanted(("Bea",)), table)).endswith("Type pause to agree.")
    with on_screen(typed_card):
        assert str(table_line(tell.PauseWanted(("Bea",)), table)).endswith("Press P to agree.")
    assert str(table_line(tell.PauseWanted(("Ada",)), table)).startswith("You would like a pause.")
    assert table_line(tell.PauseWanted(()), table) == "Nobody asks for a pause any more."
