"""The network as the lobby of the full screen wants it: a peer, its table, what it sees, and the ways to other rooms.

The law of the file
    One thing at a time is under way (``busy``); what comes of it is a change or a sentence. What the network, the disk
    or the rules refuse ends that one thing. The table's events are told here until its match begins; then the table
    room hears them, and when that has been left this peer gets up.
"""

from __future__ import annotations

import asyncio
import secrets
from argparse import Namespace
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, Literal

from msgspec import structs

from rummy_p2p.cli import CommandError
from rummy_p2p.cli.finding import NotSeen
from rummy_p2p.cli.lan import refusals
from rummy_p2p.cli.meeting import Meeting, Met
from rummy_p2p.cli.screen_doing import Doing
from rummy_p2p.cli.screen_found import Found
from rummy_p2p.cli.screen_guests import GuestDoor
from rummy_p2p.cli.screen_invited import Invitees
from rummy_p2p.cli.screen_joining import Joining
from rummy_p2p.cli.screen_network import NetworkRooms
from rummy_p2p.cli.screen_offer import plan_of
from rummy_p2p.cli.screen_people import PeopleBook
from rummy_p2p.cli.screen_play import keep_vote
from rummy_p2p.cli.screen_rooms import Rooms
from rummy_p2p.cli.screen_seen import Seen
from rummy_p2p.cli.screen_sitting import is_ready, sitting_at, title_of
from rummy_p2p.cli.screen_table import Seats
from rummy_p2p.cli.ssh_extra import why_no_ssh
from rummy_p2p.deal.shuffle import MAX_DECK
from rummy_p2p.node.invitations import Invited
from rummy_p2p.node.peer import Peer
from rummy_p2p.node.seat import read_vote
from rummy_p2p.protocol import events as tell
from rummy_p2p.protocol.faults import Refusal
from rummy_p2p.protocol.forming import Guest, Phase
from rummy_p2p.protocol.password import make_password
from rummy_p2p.protocol.settings import Settings
from rummy_p2p.protocol.table import TableSession
from rummy_p2p.protocol.text import TITLE_LIMIT, clean, said
from rummy_p2p.ruleset import Ruleset, RulesetError
from rummy_p2p.sentences.closed import closed_text
from rummy_p2p.sentences.faults import retold
from rummy_p2p.sentences.lan import refused_line, table_line, vote_line
from rummy_p2p.sentences.screen_lobby import lobby_say
from rummy_p2p.statistics import Statistics
from rummy_p2p.store import Store
from rummy_p2p.ui.form import AUTO, Form, Plan
from rummy_p2p.ui.form_room import FormRoom
from rummy_p2p.ui.lobby_model import Looking, Person, Profile, Room, Sitting, TableRow, Unfinished, Walking
from rummy_p2p.ui.screen import Screen
from rummy_p2p.variants.manager import Catalogue

KEPT: Final = 200

Watcher = Callable[[], None]


class ScreenLan:
    """What the lobby asks of the network. Belongs to one stay in the lobby."""

    def __init__(
        self,
        options: Namespace,
        peer: Peer,
        files: Store,
        games: Catalogue,
        screen: Screen,
        kept: Callable[[], tuple[Unfinished, ...]] = tuple,
    ) -> None:
        """Begin to look and to hear; ``close`` ends it. ``kept`` lists the matches to be gone on with, latest first."""
        self._doing = Doing(screen, asyncio.get_running_loop().time)
        self.errand: list[str] | None = None
        self._options = options
        self._peer = peer
        self._files = files
        self._games = games
        self._screen = screen
        self._kept = kept
        self._unfinished = kept()
        self._statistics = Statistics(files.paths)
        self._rooms = Rooms(options, files, games, screen, self.run_outside)
        self.levels = games.levels()
        self._seats = Seats(peer, screen, self._statistics, self.levels, self._back, partial(keep_vote, files))
        self._seats.present, self._seats.ask_in = self.people, self.invite
        self._seats.other_rules = self.other_rules
        self._opened: Plan | None = None  # the table that this player has opened last
        self._watchers: list[Watcher] = []
        self._said: deque[str] = deque(maxlen=KEPT)
        self._ready: tuple[str, ...] = ()
        self._hearing: asyncio.Task[None] | None = None
        self._stop = peer.watch(self._follow)
        self._meet_no_more = peer.listen(Meeting(peer, files, self._tell_words, self._meet))
        self._invitees = Invitees(self, peer, files)
        self._found = Found(peer, files, screen, self._changed)
        self._book = PeopleBook(peer.identity.player_id, files, self._found, screen, self._changed)
        self._seen = Seen(peer, files, games, screen, self._found, self._book)
        self._guests = GuestDoor(peer, files, screen, self._seats, self._changed)
        self.network = NetworkRooms(peer, files, games, screen, self._book, self._seats, self._guests)
        self._going = Joining(self, options, peer, files, self._found)
        self._looking = self._start(self._look(), "lobby-look")

    def close(self) -> None:
        """Hear and look no more."""
        self._stop()
        self._meet_no_more()
        self._invitees.close()
        self._looking.cancel()
        self._found.close()
        self._guests.shut()
        self._doing.end()
        self._hear_no_more()
        self._seats.rise()

    def _start(self, work: Coroutine[object, object, None], name: str) -> asyncio.Task[None]:
        """Do something beside the drawing; it may be ended before it has begun."""
        task = self._screen.start(work, name)
        task.add_done_callback(lambda _task: work.close())
        return task

    def watch(self, call: Watcher) -> Callable[[], None]:
        """Call this whenever something may have changed."""
        self._watchers.append(call)
        return lambda: self._watchers.remove(call)

    async def _look(self) -> None:
        revision = -1
        while True:
            revision = await self._peer.discovery.changed(revision)
            self._changed()

    def _changed(self) -> None:
        for call in tuple(self._watchers):
            call()

    # --- who and what is there ---------------------------------------------------------------------------------------

    @property
    def nick(self) -> str:
        """The player's name."""
        return self._peer.nick

    @property
    def place(self) -> str:
        """This machine."""
        return self._seen.place

    def tables(self) -> tuple[TableRow, ...]:
        """Return the tables that are there."""
        return self._seen.tables()

    def people(self) -> tuple[Person, ...]:
        """Return this player and all who answer at the door."""
        return self._seen.people()

    def looking(self) -> Looking:
        """Return how tables are looked for."""
        return self._seen.looking()

    def profile(self) -> Profile:
        """Return who the player is."""
        return self._seen.profile()

    def invite(self, person: str) -> None:
        """Ask the player with this id to the own table."""
        self._invitees.invite(person)

    @property
    def walking(self) -> Walking | None:
        """How far the walk along the network is."""
        return self._found.walking

    def walk(self) -> None:
        """Begin to walk along the network, or end that."""
        self._found.walk()

    @property
    def busy(self) -> str:
        """What is under way, and for how long."""
        return self._doing.said

    def unfinished(self) -> tuple[Unfinished, ...]:
        """Return the matches to be gone on with, as they were when the lobby was entered or a table left."""
        return self._unfinished

    def resume(self, match: str) -> None:
        """Go back to a match: that takes the network for itself, so it is done outside."""
        if any(each.id == match for each in self._unfinished):
            self.run_outside(["resume", match])
        else:
            self._screen.note(lobby_say("no-unfinished"))

    # --- the table ---------------------------------------------------------------------------------------------------

    def sitting(self) -> Sitting | None:
        """Return the table where this player sits."""
        session = self._peer.session
        if session is None or session.phase is Phase.CLOSED or not session.own_seats:
            return None
        return sitting_at(session, self._games, self._peer.address, self._ready, self._said, self._guests.way[0])

    def let_guests_in(self, port: int | None = None) -> None:
        """Let guests in by ssh, or no longer."""
        self._guests.switch(port)

    def ready(self) -> None:
        """Be ready, or no longer."""
        session = self._peer.session
        if session is None:
            self._screen.note(lobby_say("not-sitting"))
            return
        wanted = not is_ready(session, self._ready)
        self._do(lambda table, now: table.ready(now, ready=wanted))

    def start(self) -> None:
        """Start the match."""
        self._do(lambda table, now: table.start(now))

    def say(self, text: str) -> None:
        """Say something to everybody at the table."""
        if self.sitting() is None:
            self._screen.note(lobby_say("no-chat"))
        else:
            self._do(lambda table, now: table.chat(text, now))

    def vote(self, text: str) -> None:
        """Vote about somebody at the table, as it was typed: kick Bea."""
        action = read_vote(text)
        if self.sitting() is None:
            self._screen.note(lobby_say("not-sitting"))
        elif action is None:
            self._screen.note(vote_line())
        else:
            self._do(action)

    def leave(self) -> None:
        """Get up."""
        self._guests.shut()
        self._seats.rise()
        self._back()

    def _do(self, action: Callable[[TableSession, float], None]) -> None:
        try:
            self._peer.do(action)
        except Refusal as refusal:
            self._tell(refused_line(refusal))

    def _back(self) -> None:
        """There is no table any more."""
        self._guests.shut()
        self._hear_no_more()
        self._screen.line.close()
        self._said.clear()
        self._ready = ()
        self._unfinished = self._kept()
        self._changed()

    # --- sitting down ------------------------------------------------------------------------------------------------

    def open(self, plan: Plan) -> None:
        """Open a table."""
        wanted = self._wanted(plan)
        if wanted is not None:
            self.open_table(*wanted, plan.level, ssh=self._guests.port if plan.ssh else None)

    def _wanted(self, plan: Plan) -> tuple[Ruleset, Settings, Guest] | None:
        """Return what a plan comes to; None when there can be no such table, and the player has been told why."""
        try:
            rules = self._games.compile(plan.game, plan.house)
        except RulesetError as error:
            self._tell(retold(str(error)))
            return None
        plugins = tuple((plugin.name, plugin.version) for plugin in self._games.contributors(rules))
        title = plan.title or rules.game
        deal = plan.deal if rules.size <= MAX_DECK else "host"
        password = make_password(secrets.token_bytes) if plan.password == AUTO else plan.password
        table = Settings(title, plan.seats, plan.hands, plugins, deal, password=password)
        settings = replace(table, spectators=plan.spectators, grace=plan.grace)
        return rules, settings, Guest(self.nick, plan.bots, wish=plan.wish)

    def open_table(
        self, rules: Ruleset, settings: Settings, guest: Guest, level: str, *, ssh: int | None = None
    ) -> None:
        """Open a table with these rules; ``ssh``: the port at which guests are let in, if they are."""
        if self.sits():
            return
        try:
            session = self._peer.open_table(rules, guest, settings)
        except Refusal as refusal:
            self._tell(refused_line(refusal))
            return
        self._sit_at_own(session, settings, guest, level)
        if ssh is not None:
            self.let_guests_in(ssh)

    def _sit_at_own(self, session: TableSession, settings: Settings, guest: Guest, level: str) -> None:
        self._said.clear()
        self.sit(session, level)
        self._seats.password = said(settings.password)
        self._opened = plan_of(session, guest, level, self._seats.password)
        if settings.password:
            self._said.append(closed_text("password", password=self._seats.password))

    def other_rules(self) -> None:
        """Let who opened the table choose what is played there next."""
        if self._opened is None or self._opened.game not in self._games.games:
            self._screen.note(lobby_say("no-form"))
            return
        form = Form(self._games, tuple(self.levels))
        form.no_ssh = why_no_ssh()
        form.take(structs.replace(self._opened, ssh=self._guests.is_open))
        self._screen.enter(FormRoom(self._screen, self, form, self._reopen))

    def _reopen(self, plan: Plan) -> None:
        """Open another table in place of this one; everybody who sits here is invited to it."""
        wanted = self._wanted(plan)
        if wanted is None:
            return
        rules, settings, guest = wanted
        try:
            session = self._peer.reopen(rules, guest, settings)
        except Refusal as refusal:
            self._tell(refused_line(refusal))
            return
        self._hear_no_more()
        self._seats.put_away()
        self._ready = ()
        self._sit_at_own(session, settings, guest, plan.level)
        self._guests.move(wanted=plan.ssh)
        self._said.append(lobby_say("all-invited"))

    def join(self, table: str) -> None:
        """Sit down at a table: its number, title, address or code."""
        self._going.join(table)

    def look_on(self, table: str) -> None:
        """Look on at a table: its number, title, address or code."""
        self._going.look_on(table)

    @property
    def going(self) -> Joining:
        """The ways to tables, for what is typed."""
        return self._going

    def sits(self) -> bool:
        """Whether a seat is taken already, or being taken; the player is told."""
        session = self._peer.session
        if session is not None:
            self._screen.note(lobby_say("sitting-already", title=title_of(session)))
        elif self.busy:
            self._screen.note(lobby_say("still-busy", what=self.busy))
        return session is not None or bool(self.busy)

    def accept(self, invited: Invited) -> None:
        """Go to the table of an invitation, away from wherever the player is."""
        self._seats.leave_room()
        if self._peer.session is not None:
            self.leave()
        while (top := self._screen.room) is not None and self._screen.below(top) is not None:
            self._screen.leave()
        if not self.sits():
            self._going.accept(invited)

    def look(self, session: TableSession) -> None:
        """Be at a table without a seat."""
        self._seats.sit("normal")
        self._seats.play(session)

    def sit(self, session: TableSession, level: str) -> None:
        """Be at a table: hear what happens there until the match begins. What has been said already stays: by which
        words one knows the others.
        """
        self._screen.line.close()  # the next key is one of the table
        self._seats.password = ""
        self._seats.sit(level)
        self._hearing = self._start(self._hear(session), "lobby-table")
        self._follow()

    async def _hear(self, session: TableSession) -> None:
        while True:
            event = await self._peer.events.get()
            if isinstance(event, tell.Seated):
                self._ready = event.ready
                self._said += [lobby_say("sits-down", name=name) for name in event.new]
                self._said += [lobby_say("has-left", name=name) for name in event.gone]
            elif isinstance(event, tell.TableClosed | tell.TurnedAway):
                self._hearing = None
                self._seats.rise()
                self._back()
                self._tell(table_line(event, session) or lobby_say("table-closed"))
                return
            elif line := table_line(event, session):
                self._said.append(line)
            self._changed()

    def _tell_words(self, line: str) -> None:
        self._said.append(line)
        self._changed()

    def _meet(self, met: Met) -> None:
        """Somebody sits at the table. The first time that is to be seen wherever the player is."""
        which: Literal["new-briefly", "known-briefly"] = "new-briefly" if met.is_new else "known-briefly"
        self._tell_words(closed_text(which, name=met.name, words=met.words))
        if met.is_new:
            self._screen.note(closed_text("words-first", name=met.name, words=met.words))

    def _hear_no_more(self) -> None:
        hearing, self._hearing = self._hearing, None
        if hearing is not None:
            hearing.cancel()

    def _follow(self) -> None:
        """Something at the table has changed. When its match begins, the table room takes over, events and all."""
        session = self._peer.session
        if session is not None and session.phase is Phase.PLAYING and self._hearing is not None:
            self._hear_no_more()
            self._seats.play(session)
        self._changed()

    # --- without the network, and other rooms ------------------------------------------------------------------------

    def practice(self, plan: Plan) -> None:
        """Play alone against bots."""
        if not self.sits():
            self._seats.practice(self._games.compile(plan.game, plan.house), plan)

    def one_screen(self, plan: Plan) -> None:
        """Play with several people at this screen."""
        if not self.sits():
            self._rooms.one_screen(plan)

    def show(self, what: Room, game: str = "", house: tuple[str, ...] = ()) -> None:
        """Open another room."""
        if what == "rules":
            self._rooms.rules(game, house)
        elif what == "learn":
            self._rooms.learn(game)
        elif what == "replays":
            self._rooms.replays()
        elif what == "doctor":
            self.network.doctor()
        elif what == "people":
            self.network.people()
        elif what == "ways":
            self.network.ways()
        else:
            self._rooms.settings(may_reopen=self._peer.session is None)

    def command(self, text: str) -> None:
        """Carry out a line of the command line."""
        from rummy_p2p.cli.screen_words import carry_out_line

        carry_out_line(self, self._options, text)

    # --- for what is typed -------------------------------------------------------------------------------------------

    @property
    def screen(self) -> Screen:
        """The screen."""
        return self._screen

    @property
    def games(self) -> Catalogue:
        """What can be played."""
        return self._games

    def begin(self, what: str, work: Coroutine[object, object, None]) -> None:
        """Do something that takes a while; what is refused is told."""
        self._doing.begin(what)
        self._start(self._until_done(work), "lobby-work")

    def goes_on(self, what: str) -> None:
        """Say what is being done now."""
        self._doing.goes_on(what)

    async def _until_done(self, work: Coroutine[object, object, None]) -> None:
        try:
            with refusals():
                await work
        except NotSeen as error:
            which: Literal["none-seen", "not-seen"] = "not-seen" if error.wanted else "none-seen"
            self._screen.note(lobby_say(which, name=clean(error.wanted, TITLE_LIMIT)))
        except CommandError as error:
            self._tell(retold(str(error)))
        finally:
            self._doing.end()
            self._changed()

    def _tell(self, text: str) -> None:
        """Say something where it has room: in the message line or on a page."""
        if len(text) <= self._screen.app.output.get_size().columns - 4:
            self._screen.note(text)
        else:
            self._screen.page(lobby_say("title"), lambda: [text])

    def tell(self, line: str) -> None:
        """Tell what has come of something: in the message line, and among what is said at the table."""
        self._screen.note(line)
        self._tell_words(line)

    def run_outside(self, words: Sequence[str]) -> None:
        """Close the screen, run a command line in the terminal (none: nothing), and open the lobby anew."""
        self.errand = list(words)
        self.quit()

    def quit(self) -> None:
        """Leave the lobby."""
        while self._screen.room is not None:
            self._screen.leave()
