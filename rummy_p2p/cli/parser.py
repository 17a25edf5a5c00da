"""The parser: every command, its options and what it runs (``module:function``, imported only then)."""

from __future__ import annotations

import argparse
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NoReturn

from rummy_p2p import __version__

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction["_Parser"]  # noqa: SLF001 -- what add_subparsers returns has no other name


LANGUAGES = ("en", "sv", "nb", "tr", "ro")
LEVEL = "normal"
DECKS = ("two", "four", "safe", "mono")


class _Parser(ArgumentParser):
    """A parser that tells what is wrong in one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"rummy-p2p: {message}. See: {self.prog} --help\n")


class _Helper(argparse.HelpFormatter):
    """Writes the help in the language of the moment; what is typed stays as it is."""

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, _told("usage: ") if prefix is None else prefix)

    def start_section(self, heading: str | None) -> None:
        super().start_section(_told(heading))

    def add_text(self, text: str | None) -> None:
        super().add_text(_told(text))

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return _told(action.help)


def _told(text: str | None) -> str | None:
    """Return a text in the language that was chosen, if one was: nothing is loaded to tell the version."""
    if "rummy_p2p.sentences.language" not in sys.modules:
        return text
    from rummy_p2p.sentences.language import _

    return text and _(text)


def read(words: Sequence[str]) -> Namespace:
    """Return what a command line says. Most starts name no command: for them no command's options are made."""
    parser = _Parser(prog="rummy-p2p", add_help=False, allow_abbrev=False, exit_on_error=False)
    _without_command(parser)
    try:
        options, more = parser.parse_known_args(words)
    except argparse.ArgumentError:  # told by the parser that knows everything
        return make_parser().parse_args(words)
    return make_parser().parse_args(words) if more else options


def make_parser() -> ArgumentParser:
    """Return the parser of the whole command line."""
    parser = _Parser(
        prog="rummy-p2p",
        description="Rummy for a LAN party, in the terminal, with no server.",
        epilog="Without a command: the lobby in a terminal, the demo without one.",
        formatter_class=_Helper,
    )
    _without_command(parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for add in (_table_commands, _solo_commands, _learner_commands, _answer_commands, _demo):
        add(commands)
    return parser


def _without_command(parser: ArgumentParser) -> None:
    """Add what is understood where no command is named."""
    parser.add_argument("--version", action="version", version=f"rummy-p2p {__version__}")
    _common(parser, default=None)
    parser.set_defaults(run="start:start", house=[], auto=None)


def _common(parser: ArgumentParser, default: object = argparse.SUPPRESS) -> None:
    """Add what every command understands; below a command it only overrides when it is given."""
    plain = default if default is argparse.SUPPRESS else False
    group = parser.add_argument_group("common options")
    group.add_argument("--data", metavar="DIR", default=default, help="folder for identity, settings, ledgers and logs")
    group.add_argument(
        "--nick",
        metavar="NAME",
        default=default,
        help="your name at the table, this time; the settings of the lobby (S) keep one",
    )
    group.add_argument(
        "--interface", metavar="I", action="append", default=default, help="use this interface (name or address)"
    )
    group.add_argument("--port", metavar="P", type=int, default=default, help="listen on this TCP port")
    group.add_argument("--plain", action="store_true", default=plain, help="lines of text instead of a full screen")
    group.add_argument(
        "--ascii", action="store_true", default=plain, help="draw the screen with ASCII characters alone"
    )
    group.add_argument(
        "--color", choices=("auto", "always", "never"), default=default, help="colour on the screen (default: auto)"
    )
    group.add_argument("--deck", choices=DECKS, default=default, help="colours of the suits (default: four)")
    group.add_argument(
        "--faces", choices=("typed", "own"), default=default, help="court cards as typed, or your language's own"
    )
    group.add_argument("--no-mouse", action="store_true", default=plain, help="leave the mouse to the terminal")
    group.add_argument("--no-bell", action="store_true", default=plain, help="do not ring when it is your turn")
    group.add_argument("--lang", choices=LANGUAGES, default=default, help="language of the program")
    group.add_argument(
        "--log-level", metavar="LEVEL", default=default, help="what goes into the log file (default: warning)"
    )
    group.add_argument("--debug", action="store_true", default=plain, help="show where an error came from")


def _command(commands: Commands, name: str, run: str, text: str) -> ArgumentParser:
    parser = commands.add_parser(name, help=text, description=text, formatter_class=_Helper, parents=[_shared()])
    parser.set_defaults(run=run)
    return parser


@cache
def _shared() -> _Parser:
    """Return what all commands have, made once for all of them: it is read at each start."""
    parser = _Parser(add_help=False)
    _common(parser)
    return parser


def _json(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="answer with one JSON object")


def _house(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--house",
        metavar="RULE",
        action="append",
        default=[],
        help="a house rule: RULE, RULE=VALUE or RULE:option=value,...",
    )


def _game(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="the id of a game (see: rummy-p2p games)")
    _house(parser)


def _deal(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--deal", choices=("blind", "host"), help="who can see the deck: nobody (the default), or the host"
    )
    parser.add_argument(
        "--trust",
        choices=("quorum", "all"),
        default="quorum",
        help="blind deal: how many players together could look, and how many must be there to go on",
    )


def _host_command(commands: Commands) -> None:
    host = _command(commands, "host", "network:host", "open a table")
    _game(host)
    host.add_argument("--title", metavar="T", help="what the others see in their list")
    host.add_argument("--seats", metavar="N", type=int, help="how many play, bots included (default: 2)")
    host.add_argument("--bots", metavar="N", type=int, default=0, help="how many of the seats are bots of yours")
    _level(host)
    host.add_argument("--hands", metavar="N", type=int, help="play this many hands instead of a whole match")
    _deal(host)
    host.add_argument("--qr", action="store_true", help="show the table's address as a QR code as well")
    host.add_argument("--be-host", choices=("always", "if-needed", "never"), default="if-needed", help="your wish")
    host.add_argument(
        "--password",
        metavar="auto|WORDS",
        help="let in only whoever knows these words; auto: three words are chosen and shown",
    )
    host.add_argument(
        "--ssh",
        metavar="PORT",
        type=int,
        nargs="?",
        const=2222,
        help="let friends with nothing installed play at this program by ssh (default port: 2222)",
    )
    _plays(host)
    host.add_argument(
        "--spectators",
        choices=("yes", "quiet", "next-hand", "no"),
        default="yes",
        help="whether others may look on; quiet: without chat; next-hand: not from the middle of a hand (default: yes)",
    )
    host.add_argument(
        "--grace",
        metavar="S",
        type=int,
        default=60,
        help="seconds to wait for a player who is gone (default: 60)",
    )


def _table_commands(commands: Commands) -> None:
    _host_command(commands)
    watch = _command(commands, "watch", "watching:watch", "look on at a table without a seat")
    watch.add_argument(
        "table", metavar="TITLE|rummy://ADDRESS", nargs="?", help="which table (default: the first in play)"
    )
    watch.add_argument("--wait", metavar="S", type=float, default=20.0, help="seconds to look for the table")
    _scan(watch)
    watch.add_argument("--json", action="store_true", help="one JSON line for every event, until the match is over")
    join = _command(commands, "join", "network:join", "sit down at a table")
    join.add_argument(
        "table", metavar="TITLE|CODE|rummy://ADDRESS", nargs="?", help="which table (default: the first that is open)"
    )
    join.add_argument("--be-host", choices=("always", "if-needed", "never"), default="if-needed", help="your wish")
    join.add_argument("--password", metavar="WORDS", help="the password of a closed table (else it is asked for)")
    join.add_argument("--wait", metavar="S", type=float, default=20.0, help="seconds to look for the table")
    _scan(join)
    _plays(join)
    join.set_defaults(level=LEVEL, no_pause=False)  # who joins brings no bots
    resume = _command(commands, "resume", "resume:resume", "go back to a match that is not over")
    resume.add_argument(
        "match", metavar="MATCH", nargs="?", help="its number in the list, title or id (default: the latest)"
    )
    resume.add_argument("--list", action="store_true", help="list the matches that are kept here")
    _plays(resume)
    resume.set_defaults(level=LEVEL, no_pause=False)
    tables = _command(commands, "tables", "network:tables", "list the tables on the LAN")
    tables.add_argument("--wait", metavar="S", type=float, default=2.0, help="seconds to look")
    _scan(tables)
    _json(tables)
    doctor = _command(
        commands, "doctor", "doctoring:doctor", "what works between this machine and the LAN, layer by layer"
    )
    doctor.add_argument(
        "peer", metavar="PEER", nargs="?", help="look at the way to this one too: an address, a code, a title or a name"
    )
    doctor.add_argument("--wait", metavar="S", type=float, default=3.0, help="seconds to listen for others")
    _json(doctor)


def _scan(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--scan", action="store_true", help="look at the addresses of your network one by one, where nothing shows"
    )


def _level(parser: ArgumentParser) -> None:
    parser.add_argument("--level", metavar="L", default=LEVEL, help="how well they play: easy, normal, hard")
    parser.add_argument("--no-pause", action="store_true", help="bots do not take their time to think")


def _plays(parser: ArgumentParser) -> None:
    parser.add_argument("--auto", metavar="LEVEL", help="a bot plays this seat, without a person")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="seed of the bots' choices")
    parser.add_argument("--json", action="store_true", help="with --auto: one JSON line for every event")


def _solo_commands(commands: Commands) -> None:
    practice = _command(commands, "practice", "local:practice", "play alone against bots")
    _game(practice)
    practice.add_argument("--bots", metavar="N", type=int, default=1, help="how many bots (default: 1)")
    _level(practice)
    practice.add_argument("--seed", metavar="S", type=int, help="repeat the same deals")
    practice.add_argument("--hands", metavar="N", type=int, help="stop after this many hands")
    practice.add_argument(
        "--pace", metavar="S", type=float, default=0.35, help="seconds to look at a bot's move (default: 0.35)"
    )
    _simulate(_command(commands, "simulate", "simulating:simulate", "bots against bots: who wins, how fair, how long"))


def _simulate(simulate: ArgumentParser) -> None:
    _game(simulate)
    simulate.add_argument(
        "--bots", metavar="L1,L2,...", default="normal,normal", help="the level of each seat (default: normal,normal)"
    )
    simulate.add_argument("--hands", metavar="N", type=int, default=200, help="about how many hands (default: 200)")
    simulate.add_argument("--compare", metavar="GAME", help="play this game as well, without house rules, and compare")
    simulate.add_argument("--seed", metavar="S", type=int, default=0, help="other deals with another number")
    simulate.add_argument("--jobs", metavar="N", type=int, default=1, help="how many processes (default: 1)")
    simulate.add_argument("--cluster", metavar="ADDRESS", help="a dask.distributed scheduler that spreads the work")
    _json(simulate)


def _learner_commands(commands: Commands) -> None:
    learn = _command(
        commands, "learn", "learning:learn", "learn a game: gin in nine steps, the others in a guided hand"
    )
    learn.add_argument("game", metavar="GAME", nargs="?", default="gin", help="the id of a game (default: gin)")
    page = learn.add_mutually_exclusive_group()
    page.add_argument("--step", metavar="N", type=int, help="begin with this step")
    page.add_argument("--all", action="store_true", help="show everything on one page, without playing")
    hotseat = _command(commands, "hotseat", "learning:hotseat", "play at one screen, one after the other")
    _game(hotseat)
    hotseat.add_argument("names", metavar="NAME", nargs="+", help="the players, in the order of their turns")
    hotseat.add_argument("--seed", metavar="S", type=int, help="repeat the same deals")
    replay = _command(commands, "replay", "replaying:replay", "look through a ledger file, record by record, offline")
    replay.add_argument("file", metavar="FILE", help="the ledger of a match")
    replay.add_argument("--seat", metavar="S", help="look on from this seat: a name or a number from 1")
    _json(replay)


def _answer_commands(commands: Commands) -> None:
    _json(_command(commands, "games", "local:games", "what can be played, and the house rules"))
    rules = _command(commands, "rules", "local:rules", "the rules of a game with house rules")
    _game(rules)
    rules.add_argument("--diff", metavar="GAME", help="compare with this game")
    _json(rules)
    _variants(_command(commands, "variants", "local:variants", "the plugins and how they fared; make one, check it"))
    share = _command(commands, "share", "share:share", "let others on the LAN install the game from here")
    share.add_argument("--wheelhouse", metavar="DIR", help="folder with the packages (see: make wheelhouse)")
    _people(_command(commands, "people", "meeting:people", "whom you have met at a table, and whom you have blocked"))
    hand = _command(commands, "hand", "local:hand", "the best arrangement of a hand")
    _game(hand)
    hand.add_argument("cards", metavar="CARDS", help='the cards, as in "7h 8h 9h 2c JK"')
    hand.add_argument("--table", metavar="MELDS", default="", help='melds on the table, as in "4s 4h 4d | 5c 6c 7c"')
    hand.add_argument("--opened", action="store_true", help="you have laid down already")
    hand.add_argument("--round", metavar="N", type=int, default=1, help="which round, in a game with contracts")
    _json(hand)
    scenario = _command(commands, "scenario", "local:scenario", "play scenario files")
    scenario.add_argument("paths", metavar="FILE-OR-FOLDER", nargs="+", help="scenario files, or folders of them")
    _json(scenario)
    verify = _command(commands, "verify", "files:verify", "check a ledger file, offline")
    verify.add_argument("file", metavar="FILE", help="the ledger of a match")
    _json(verify)


def _people(people: ArgumentParser) -> None:
    people.add_argument(
        "action",
        nargs="?",
        choices=("forget", "block", "unblock"),
        help="forget NAME: believe the next key of that name; block NAME: no links, no seats, no chat",
    )
    people.add_argument("name", metavar="NAME", nargs="?", help="whom")
    _json(people)


def _variants(variants: ArgumentParser) -> None:
    variants.add_argument(
        "action",
        nargs="?",
        choices=("check", "new", "trust"),
        help="check FILE: hold a house rule or plugin against the laws and its scenarios; "
        "new NAME: write a plugin with its test; trust FILE: say yes to exactly this content of a plugin file",
    )
    variants.add_argument("target", metavar="FILE|NAME", nargs="?", help="what to check, make or trust")
    variants.add_argument("--into", metavar="DIR", default=".", help="new: where the files are written (default: here)")
    variants.add_argument("--hands", metavar="N", type=int, default=3, help="check: hands for each table (default: 3)")
    variants.add_argument("--seed", metavar="S", type=int, default=0, help="check: other hands with another number")
    _json(variants)


def _demo(commands: Commands) -> None:
    demo = _command(commands, "demo", "demo:demo", "the whole thing without people: real processes on this machine")
    _house(demo)
    demo.add_argument("--game", metavar="G", default="rummy-no", help="which game (default: rummy-no)")
    demo.add_argument("--peers", metavar="N", type=int, default=3, help="how many programs (default: 3)")
    _deal(demo)
    demo.add_argument("--hands", metavar="N", type=int, default=None, help="play this many hands (default: 1)")
    demo.add_argument("--match", action="store_true", help="play a whole match")
    demo.add_argument("--kill-host", action="store_true", help="end the host's process in the middle of the first hand")
    demo.add_argument("--seed", metavar="S", type=int, default=0, help="seed of the bots' choices")
    demo.add_argument("--keep", metavar="DIR", help="leave the peers' folders and ledgers here")
    _json(demo)
