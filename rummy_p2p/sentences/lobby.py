"""What a player is told away from a table: the list of tables, how others join, why there is no seat, old ledgers."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rummy_p2p.sentences.guide import help_line
from rummy_p2p.sentences.language import N_, _, plural

_TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        # why not
        "no-table": N_(
            "No open table was seen in {seconds} s. Open one with: rummy-p2p host GAME, or join by address: "
            "rummy-p2p join rummy://ADDRESS"
        ),
        "no-such-table": N_(
            "No table called {name} was seen in {seconds} s. Is it open? rummy-p2p tables lists what there is; where "
            "that does not work a table is joined by address: rummy-p2p join rummy://ADDRESS"
        ),
        "twin": N_(
            "That table was opened by this very player, in another program. To be a second player on this machine, "
            "start one of the two with a folder of its own: --data DIR"
        ),
        "no-such-number": N_("There is no table {name} in the list. Type tables to see it."),
        "bad-address": N_("{text} is not an address. They look like this: rummy://192.168.1.23:40123#pin"),
        "bad-offer": N_(
            "What the program at that address says of its table is not signed by it. Choose another table."
        ),
        "wrong-seats": N_("{title} is for {least} to {most} players, not {seats}. Choose with --seats."),
        "wrong-grace": N_("A player who is gone can be waited for from 1 to {most} seconds. Choose with --grace."),
        "wrong-peers": N_("{title} is for {least} to {most} players, not {seats}. Choose with --peers."),
        "too-many-bots": N_("Of {seats} seats at most {most} can be bots; one is yours. Choose with --bots."),
        "too-few-to-kill": N_(
            "When one of two is killed the other cannot go on alone. Choose at least {least} with --peers."
        ),
        "no-level": N_("There is no level {level}. Levels: {levels}."),
        "too-large": N_(
            "This deck of {cards} cards is too large for the blind deal (at most {most}): the host deals, and can "
            "see it."
        ),
        "too-large-blind": N_(
            "This deck of {cards} cards is too large for the blind deal (at most {most}). Let the host deal: "
            "--deal host"
        ),
        "no-file": N_("The ledger {file} cannot be read: {why}."),
        "bad-line": N_("This line cannot be read: {why}."),
        "nothing-kept": N_("There is no match to go back to. Open a table with: rummy-p2p host GAME"),
        "no-such-match": N_("No match that is kept here is called {name}. Those that are: rummy-p2p resume --list"),
        "kept": N_("{title} ({players}) is not over. Go on with it: rummy-p2p resume {match}"),
        "resumed": N_("You are back at {title}: {game}. Waiting for the others; they come back in the same way."),
        "suspended": N_("The match is kept, with your seat and your cards. Come back to it with: rummy-p2p resume"),
        # what is there
        "nobody": N_(
            "No table is open on this network yet. Type host GAME to open one; games lists what can be played."
        ),
        "new-table": N_("A table was opened:"),
        "table-gone": N_("{title} is no longer there."),
        "back": N_("You are in the lobby again."),
        "lobby": N_("This is the lobby. Tables on this network appear here as they open. Type help to see what else."),
        "no-rules": N_("not installed here"),
        "other-rules": N_("rules differ"),
        "open": N_("open"),
        "password": N_("password"),
        "playing": N_("playing"),
        # at a new table
        "table-open": N_("{title} is open: {game}, {seats}. Friends on this network join with:"),
        "by-address": N_("Where that does not work:"),
        "joined-later": N_(
            "{title} is in the middle of a match: you look on, and get a seat when it is over, if one is free."
        ),
        "looking-on": N_("You look on at {title}: {game}."),
        "table-joined": N_("You have joined {title}: {game}, {seats}."),
    }
)
_COMMANDS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "tables": ("tables", N_("show the tables on this network")),
        "join": ("join 1", N_("sit down at a table: its number, its title, or its rummy:// address")),
        "host": ("host rummy-no", N_("open a table; help host tells about seats, bots and house rules")),
        "watch": ("watch 1", N_("look on at a table: its number, its title, or its rummy:// address")),
        "resume": ("resume", N_("go back to a match that is not over")),
        "practice": ("practice rummy-no", N_("play alone against bots")),
        "learn": ("learn gin", N_("learn a game: gin in nine steps, another in a guided hand")),
        "hotseat": ("hotseat gin Ada Bea", N_("play with others at this keyboard, one after the other")),
        "replay": ("replay FILE", N_("step through a match that has been played")),
        "games": ("games", N_("show what can be played, and the house rules")),
        "rules": ("rules rummy-no", N_("show the rules of a game")),
        "variants": ("variants", N_("show the plugins that are installed")),
        "doctor": ("doctor", N_("tell what works between this machine and the network, and what does not")),
        "help": ("help", N_("show this list; help join tells more about one of them")),
        "quit": ("quit", N_("leave")),
    }
)
LOBBY_WORDS: Final = tuple(_COMMANDS)


def lobby_text(code: str, **facts: str | int) -> str:
    """Return a sentence of the lobby."""
    return _(_TEXTS[code]).format_map(facts)


def lobby_help() -> tuple[str, ...]:
    """Return what can be typed in the lobby."""
    return tuple(help_line(example, _(sentence)) for example, sentence in _COMMANDS.values())


def ledger_text(records: int, hands: int, *, in_order: bool) -> str:
    """Return what a check of a ledger file came to."""
    text = _("{records}, {hands}: in order.") if in_order else _("{records}, {hands}: NOT in order.")
    counted = plural("{n} record", "{n} records", records), plural("{n} hand", "{n} hands", hands)
    return text.format(records=counted[0], hands=counted[1])


def seats_text(count: int) -> str:
    """Return ``1 seat``, ``3 seats``."""
    return plural("{n} seat", "{n} seats", count)


def row_text(number: int, title: str, seats: str, state: str, host: str, rules: str) -> str:
    """Return a table as a line of the list that fits into 80 columns as long as its rules are short."""
    return f"{number:>3}  {title:<20.20} {seats:>4} {lobby_text(state):<9} {host:<14.14} {rules}"


def rules_text(played: str, fit: str) -> str:
    """Return what is played at a table, and whether this installation can: same, missing or different."""
    doubt = {"missing": lobby_text("no-rules"), "different": lobby_text("other-rules")}.get(fit)
    return f"{played} ({doubt})" if doubt else played


def kept_row_text(number: int, match: str, title: str, hand: int, when: str, players: tuple[str, ...]) -> str:
    """Return a match that is not over as a line of a list."""
    text = _("hand {hand}").format(hand=hand)
    return f"{number:>3}  {match:<8.8} {title:<20.20} {text:<8} {when}  {', '.join(players)}"
