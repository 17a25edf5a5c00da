"""What a player is told about a table on the LAN as such: who sits, who is host, the deck, pauses, faults, chat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol

from rummy_p2p.protocol import events as tell
from rummy_p2p.protocol.faults import Refusal, say
from rummy_p2p.protocol.messages import TableInfo
from rummy_p2p.protocol.roster import Seat
from rummy_p2p.rules.legality import IllegalAction
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.faces import is_on_screen
from rummy_p2p.sentences.faults import fault_text, retold
from rummy_p2p.sentences.language import N_, _, listed, plural
from rummy_p2p.sentences.refusals import SENTENCES as MOVE_SENTENCES
from rummy_p2p.sentences.refusals import refusal
from rummy_p2p.sentences.titles import table_title

_COMMANDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "ready": N_("say that you are ready to play"),
        "unready": N_("say that you are not ready yet"),
        "start": N_("start the match (only whoever opened the table)"),
        "rematch": N_("play again, when the match is over"),
        "chat": N_("say something to everybody: chat well played"),
        "pause": N_("ask for a pause; the table rests while everybody wants one"),
        "continue": N_("end your wish for a pause, and with it the pause"),
        "vote": N_("vote kick NAME or vote mute NAME; against it: vote not kick NAME"),
        "dismiss": N_("send a guest away who plays here by ssh: dismiss NAME"),
        "invite": N_("ask somebody who is here to this table: invite NAME"),
        "claim": N_("end the match when the other one of two has been gone for too long"),
        "sit": N_("ask for a seat: you get it when no match is played"),
        "suspend": N_("go away and come back later; your seat and your cards are kept"),
        "leave": N_("leave the table, and give up your seat"),
    }
)


class Players(Protocol):
    """A match, as far as the sentences ask."""

    @property
    def is_blind(self) -> bool:
        """Whether nobody sees the deck."""
        ...

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who plays on which seat."""
        ...


class Table(Protocol):
    """A table, as far as the sentences ask."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who sits where now."""
        ...

    @property
    def info(self) -> TableInfo:
        """What was said of it when it was opened."""
        ...

    @property
    def me(self) -> bytes:
        """This peer."""
        ...

    @property
    def creator(self) -> bytes:
        """Who opened the table."""
        ...

    @property
    def rules(self) -> Ruleset:
        """What is played."""
        ...

    @property
    def match(self) -> Players | None:
        """The match that is played, or was played last."""
        ...


def lan_command(name: str) -> str:
    """Return what a command of a table on the LAN does."""
    return _(_COMMANDS[name])


def sent_away_line() -> str:
    """Return that the others have sent the player away in the middle of a match."""
    return _("The others have decided that you leave. Your seat is given up, as if you had left by yourself.")


def vote_line() -> str:
    """Return how one votes."""
    return _("A vote looks like this: vote mute NAME, vote kick NAME, or against it: vote not kick NAME.")


def left_line() -> str:
    """Return that the player has left."""
    return _("You have left the table.")


def sits_later_line() -> str:
    """Return when somebody who looks on gets a seat."""
    return _("You get a seat when this match is over, if one is free.")


def nothing_to_suspend_line() -> str:
    """Return that only a match can be suspended."""
    return _("No match is being played that could be kept. Type leave to go.")


def move_kept_line() -> str:
    """Return what becomes of a move that is made while the table waits."""
    return _("The table waits. Your move is kept, and made as soon as the table goes on.")


def refused_line(error: Refusal) -> str:
    """Return why what the player asked for cannot be done now."""
    return fault_text(error.code, error.parameters, str(error))


def table_line(event: tell.TableEvent, table: Table) -> str | None:
    """Return the line for something that happened at the table; None when other lines say it already."""
    writer = _WRITERS.get(type(event))
    return writer(event, table) if writer else None


def _own_name(table: Table) -> str:
    return next((seat.name for seat in table.seats if seat.owner == table.me), "")


def _players(table: Table) -> tuple[Seat, ...]:
    """Who plays, or has just played: seats of the table may have changed hands since."""
    return table.seats if table.match is None else table.match.seats


# --- before and between matches --------------------------------------------------------------------------------------


def _seated(event: tell.Seated, table: Table) -> str:
    """Return nothing for what was before this player had a seat."""
    if all(seat.owner != table.me for seat in event.seats):
        return ""
    me, names = _own_name(table), [seat.name for seat in event.seats]
    parts = [_("{name} sits down.").format(name=name) for name in event.new]
    if me in event.new:  # whoever else is new here was there before
        parts = [_("You sit down as {name}.").format(name=me)]
    parts += [_("{name} has left.").format(name=name) for name in event.gone]
    parts += [_("At the table: {names}.").format(names=", ".join(names)), *_free(table.info.seats - len(names))]
    return " ".join([*parts, _what_to_do(event, table, me)])


def _free(count: int) -> Iterable[str]:
    return [plural("{n} seat is free.", "{n} seats are free.", count)] if count > 0 else []


def _what_to_do(event: tell.Seated, table: Table, me: str) -> str:
    """Return what the table waits for: others, somebody's word, or that who opened it starts."""
    creates, again = table.me == table.creator, table.match is not None
    late = _late(event, table.creator)
    if me in late or (creates and again and late and me not in event.ready):
        return _again_or_ready(again=again)
    if late:
        return _("Not ready yet: {names}.").format(names=listed(late))
    if len(event.seats) < max(2, table.rules.players.min):
        return _("Others have to sit down before it can start.")
    if creates:
        on_screen, typed = _("Everybody is ready: press Enter to start."), _("Everybody is ready: type start.")
        return on_screen if is_on_screen() else typed
    creator = next((seat.name for seat in event.seats if seat.owner == table.creator), "?")
    return _("Everybody is ready: {name} starts.").format(name=creator)


def _again_or_ready(*, again: bool) -> str:
    if is_on_screen():
        return _("Press y to play again.") if again else _("Press Enter when you are ready.")
    return _("Type rematch to play again.") if again else _("Type ready when you are.")


def _late(event: tell.Seated, creator: bytes) -> list[str]:
    """Return the players who have not said that they are ready; who opened the table says so by starting."""
    late: dict[bytes, str] = {}
    for seat in event.seats:  # further seats of a peer are played by its bots
        late.setdefault(seat.owner, seat.name)
    return [name for owner, name in late.items() if owner != creator and name not in event.ready]


# --- the match -------------------------------------------------------------------------------------------------------


def _started(event: tell.MatchStarted, _table: Table) -> str:
    if event.deal == "host":
        return _("In this match the host deals: its program can see the deck but cannot stack it.")
    peers = len({seat.owner for seat in event.seats})
    text = _("In this match all shuffle in turn: nobody sees or stacks the deck ({few} of {all} together could look).")
    return text.format(few=event.could_look, all=peers)


def _elected(event: tell.Elected, table: Table) -> str:
    if table.match is not None and table.match.is_blind:
        text = _("You were elected host: your program orders the moves.")
        return (
            text
            if event.host == table.me
            else _("{name} was elected host and orders the moves.").format(name=event.name)
        )
    if event.host == table.me:
        return _("You were elected host: your program deals. It can see the deck but cannot stack it.")
    text = _("{name} was elected host and deals. The host can see the deck but cannot stack it.")
    return text.format(name=event.name)


def _dealing(event: tell.Dealing, _table: Table) -> str:
    """Return a line when it begins: whoever reads lines does not want to count along."""
    if event.shuffled > 1 or event.signed:
        return ""
    return plural(
        "{n} player shuffles the deck ...", "{n} players shuffle the deck, one after the other ...", event.peers
    )


def _committed(event: tell.DeckCommitted, _table: Table) -> str:
    text = _("Hand {hand}: the deck is shuffled and bound to {mark}.")
    return text.format(hand=event.hand, mark=event.commitment.hex()[:16])


def _hand_over(event: tell.HandOver, _table: Table) -> str:
    if event.audit == "ok":
        return _("The deal of hand {hand} was checked and is in order.").format(hand=event.hand)
    return _("The deal of hand {hand} is NOT in order: {code}.").format(hand=event.hand, code=event.audit)


def _match_over(event: tell.MatchOver, table: Table) -> str:
    names = [seat.name for seat in _players(table)]
    winners = listed([names[seat] for seat in event.winners]) or _("nobody")
    line = _("The match is over; the winner: {names}.").format(names=winners)
    return f"{retold(event.sentence)} {line}" if event.sentence else line


def _paused(event: tell.Paused, _table: Table) -> str:
    said = fault_text(event.code, {"players": ", ".join(event.players)}, event.sentence)
    if event.code in {"agreed", "host-gone"}:
        return said
    if event.suspended == event.players:
        return _suspended(event)
    if is_on_screen():
        return _("{reason} If you would rather not wait, press q.").format(reason=said)
    text = _(
        "{reason} If you would rather not wait, type suspend to play on another day, or leave to give up your seat."
    )
    return text.format(reason=said)


def _suspended(event: tell.Paused) -> str:
    """Return who has gone to come back another time: the others may play on without, or go as well."""
    names = listed(list(event.suspended))
    if event.code == "player-lost":
        return _("{names} suspended the match without giving up a seat. The table goes on in a moment.").format(
            names=names
        )
    if is_on_screen():
        text = _(
            "{names} suspended the match: you can all go on with it another evening. To go as well, press q, then "
            "s: that keeps your seat, too."
        )
    else:
        text = _(
            "{names} suspended the match: you can all go on with it another evening. To go as well, type suspend: "
            "that keeps your seat, too."
        )
    return text.format(names=names)


def _pause_wanted(event: tell.PauseWanted, table: Table) -> str:
    if not event.players:
        return _("Nobody asks for a pause any more.")
    if event.players == (_own_name(table),):
        return _("You would like a pause. The table rests as soon as everybody here does.")
    if is_on_screen():
        text = _("{names} would like a pause. Press P to agree.")
    else:
        text = _("{names} would like a pause. Type pause to agree.")
    return text.format(names=listed(list(event.players)))


def _resumed(_event: tell.Resumed, _table: Table) -> str:
    return _("The table goes on.")


def _went_away(event: tell.WentAway, table: Table) -> str:
    if event.peer == table.me:
        return _("The others could not reach you; your seat and its cards were kept.")
    text = _("{name} cannot be reached. The table goes on; the seat and its cards are kept until {name} is back.")
    return text.format(name=event.name)


def _came_back(event: tell.CameBack, table: Table) -> str:
    if event.peer == table.me:
        return _("You are back in the game.")
    return _("{name} is back.").format(name=event.name)


def _fault_found(event: tell.FaultFound, table: Table) -> str:
    name = next((seat.name for seat in _players(table) if seat.owner == event.culprit), None)
    if name is None:
        return retold(event.sentence)
    return _("{name} broke the rules of the table: {sentence}").format(name=name, sentence=retold(event.sentence))


def _declined(event: tell.Declined, table: Table) -> str:
    names: Sequence[str] = [seat.name for seat in _players(table)]
    if event.code in MOVE_SENTENCES:
        error = IllegalAction(event.code, event.knob)
        error.parameters = dict(event.parameters)
        why = refusal(error, table.rules, names)
    else:
        why = fault_text(event.code, event.parameters, say(event.code, event.parameters))
    return _("Your move {move} came too late, or the host sees it otherwise: {why}").format(move=event.move, why=why)


def _closed(event: tell.TableClosed, table: Table) -> str:
    return _("You have closed the table.") if table.me == table.creator else retold(event.sentence)


def _let_in(_event: tell.LetIn, table: Table) -> str:
    text = _("You look on at {title}. Type sit to ask for a seat, leave to go.")
    opener = next((seat.name for seat in table.seats if seat.owner == table.creator), "")
    return text.format(title=table_title(table.info.title, table.rules.game, opener))


def _caught(event: tell.Caught, table: Table) -> str:
    names = listed([seat.name for seat in _players(table)])
    checked = plural("{n} record of this match was checked.", "{n} records of this match were checked.", event.records)
    return _("{checked} Playing: {names}.").format(checked=checked, names=names)


def _chatted(event: tell.Chatted, _table: Table) -> str:
    if event.watches:
        return _("{name} (looking on): {text}").format(name=event.name, text=event.text)
    return f"{event.name}: {event.text}"


def _voted(event: tell.Voted, _table: Table) -> str:
    """Return how somebody has voted, how it stands, and what is so by it."""
    wanted = {
        ("mute", True): _("{name} votes that {about} says nothing ({votes} of {needed} needed)."),
        ("mute", False): _("{name} votes that {about} may speak ({votes} for silence, {needed} needed)."),
        ("kick", True): _("{name} votes that {about} leaves the table ({votes} of {needed} needed)."),
        ("kick", False): _("{name} votes that {about} stays ({votes} for leaving, {needed} needed)."),
    }[event.measure, event.agree]
    facts = {"name": event.name, "about": event.about, "votes": event.votes, "needed": event.needed}
    line = wanted.format_map(facts)
    if event.decided is None:
        return line
    come = {
        ("mute", True): _("It is decided: what {about} says is not shown."),
        ("mute", False): _("It is decided: {about} is heard again."),
        ("kick", True): _("It is decided: {about} gives the seat up, at the latest when no match is played."),
        ("kick", False): _("It is decided: {about} may stay."),
    }[event.measure, event.decided]
    return f"{line} {come.format_map(facts)}"


def _as_written(event: tell.TableEvent, _table: Table) -> str:
    text: str = getattr(event, "sentence", "")
    return retold(text)


_WRITERS: Final[Mapping[type, Callable[..., str]]] = MappingProxyType(
    {
        tell.Seated: _seated,
        tell.TurnedAway: _as_written,
        tell.TableClosed: _closed,
        tell.MatchStarted: _started,
        tell.Elected: _elected,
        tell.Dealing: _dealing,
        tell.DeckCommitted: _committed,
        tell.HandOver: _hand_over,
        tell.HandVoid: _as_written,
        tell.MatchOver: _match_over,
        tell.Paused: _paused,
        tell.PauseWanted: _pause_wanted,
        tell.Resumed: _resumed,
        tell.WentAway: _went_away,
        tell.CameBack: _came_back,
        tell.FaultFound: _fault_found,
        tell.Declined: _declined,
        tell.Voted: _voted,
        tell.LetIn: _let_in,
        tell.Caught: _caught,
        tell.Chatted: _chatted,
    }
)
