"""What the full screen says in the lobby, in the form of a new table, in the settings and in the profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from rummy_p2p.sentences.language import N_, _, plural

# --- the lobby -------------------------------------------------------------------------------------------------------

_LOBBY: Final[Mapping[str, str]] = MappingProxyType(
    {
        "title": N_("Lobby"),
        "name": N_("rummy-p2p {version}  Lobby"),
        "here": N_("{nick} @ {place}"),
        "tables": N_("Tables on this LAN"),
        "tables-found": N_("Tables on this LAN with “{text}”"),
        "column-table": N_("Table"),
        "column-rules": N_("Rules"),
        "column-seats": N_("Seats"),
        "column-limit": N_("Limit"),
        "column-sit": N_("Sit"),
        "open": N_("open"),
        "full": N_("full"),
        "code": N_("password"),
        "playing": N_("playing"),
        "go-on": N_("Go on with {title}: {players}"),
        "key-go-on": N_("Go on"),
        "go-on-hand": N_("Hand {hand} is being played."),
        "go-on-when": N_("Last played {when}."),
        "go-on-how": N_("Everybody has to come back for it."),
        "people": N_("Players here"),
        "me": N_("you"),
        "has-open": N_("has {title}"),
        "named-login": N_("You are called {nick} here: S changes it."),
        "named-given": N_("You are called {nick} this time: S keeps a name."),
        "nobody-else": N_("Nobody else yet."),
        "new-table": N_("New table (n)"),
        "your-table": N_("Your table: {title}"),
        "at-table": N_("You sit at {title}"),
        "chat": N_("Chat at the table"),
        "no-chat-yet": N_("/ says something to everybody here."),
        "no-table-chosen": N_("No table"),
        "nothing-chosen": N_("What you choose on the left is explained here."),
        "opened-by": N_("{host} has opened it: {seats}."),
        "no-house": N_("No house rules."),
        "house": N_("House rules: {house}."),
        "same-rules": N_("Your rules are the same."),
        "missing-rules": N_("(+) Its rules are not installed here. Enter tells how to get them."),
        "different-rules": N_("(!) Its rules differ from yours. Enter shows how."),
        "needs-code": N_("It is closed: to join, you need its password."),
        "is-playing": N_("A match is being played: w looks on; a seat may be free after it."),
        "is-full": N_("All its seats are taken."),
        "free": N_("free"),
        "ready": N_("ready"),
        "bot": N_("bot"),
        "by-ssh": N_("by ssh"),
        "opened": N_("opened it"),
        "not-ready": N_("not ready"),
        "rules-label": N_("Rules"),
        "house-label": N_("House"),
        "seats-label": N_("Seats"),
        "bots-label": N_("Bots"),
        "hands-label": N_("Hands"),
        "none": N_("none"),
        "friends-join": N_("Friends on this network find it by itself, or with:"),
        "wait-for-start": N_("It starts when everybody is ready and {name} says so."),
        "can-start": N_("Everybody is ready: Enter starts."),
        # looking for tables
        "looking": N_("Looking for tables on {interfaces}: {seconds} s so far."),
        "nobody-yet": N_("Nobody has a table open yet: n opens one."),
        "looking-nowhere": N_("There is no network interface to search on."),
        "by-what": N_("Programs find each other by multicast DNS (UDP port 5353), then connect by TCP."),
        "why-none": N_("If somebody has a table open and it is not here:"),
        "why-firewall": N_("- a firewall there or here drops UDP 5353 or the program's TCP port;"),
        "why-isolated": N_("- a guest Wi-Fi keeps its devices apart, or one of you is on another network;"),
        "why-vpn": N_("- a VPN takes the traffic: end it, or choose with --interface."),
        "then-address": N_("Then: C connects by address or code, s searches, d is the doctor."),
        "not-used": N_("Not used: {interface}."),
        "none-found": N_("No table has “{text}” in its name, its rules or its player. f and Enter show all."),
        "no-other-table": N_("No other table is open on this network."),
        "no-table-yet": N_("No table can be joined yet: n opens one, C connects by address or code, s searches."),
        "no-number": N_("There is no table {number} in the list: arrows choose one that is there."),
        "none-shown": N_("No table has “{text}”: f shows all of them again."),
        # the message line
        "say-join": N_("Enter = join {title}, n = new table"),
        "say-look-on": N_("Enter = look on at {title}, n = new table"),
        "say-why": N_("Enter = why not {title}, n = new table"),
        "say-go-on": N_("Enter = go on with {title}, n = new table"),
        "say-new": N_("n = new table, p = practice against bots, C = connect by address or code"),
        "say-ready": N_("Enter = you are ready, q = leave the table"),
        "say-not-ready": N_("You are ready. Enter = not yet, q = leave the table"),
        "say-start": N_("Enter = start the match, q = close the table"),
        "say-wait": N_("{why} q = close the table"),
        "not-listed": N_("Not listed?"),
        # keys
        "key-join": N_("Join"),
        "key-look-on": N_("Look on"),
        "key-new": N_("New table"),
        "key-change": N_("Change"),
        "key-create": N_("Create"),
        "key-practice": N_("Practice"),
        "key-one-screen": N_("One screen"),
        "key-profile": N_("Profile"),
        "key-invite": N_("Invite"),
        "key-chat": N_("Chat"),
        "key-find": N_("Find"),
        "key-rules": N_("Rules"),
        "key-replays": N_("Replays"),
        "key-learn": N_("Learn"),
        "key-settings": N_("Settings"),
        "key-quit": N_("Quit"),
        "key-address": N_("Address, code"),
        "key-walk": N_("Search"),
        "key-stop": N_("Stop"),
        "key-ready": N_("Ready"),
        "key-not-ready": N_("Not yet"),
        "key-start": N_("Start"),
        "key-back": N_("Back"),
        "key-choose": N_("Choose"),
        "key-reset": N_("As usual"),
        "help-look-on": N_("look on at the table that is chosen, without a seat"),
        "ask-look-on": N_("{title} is in the middle of a match. Look on until it is over? (b asks for a seat then.)"),
        "help-join": N_("sit down at the table that is chosen, or be told why not"),
        "help-move": N_("choose a table"),
        "help-go-on": N_("go on with the match that is chosen"),
        "help-number": N_("choose the table with this number"),
        "help-line": N_("choose a line of the form"),
        "help-line-settings": N_("choose a setting"),
        "help-new": N_("fill in the form of a new table"),
        "help-create": N_("open the table as the form has it"),
        "help-practice": N_("play alone against bots by the rules of the form"),
        "help-one-screen": N_("play with others at this one screen"),
        "help-profile": N_("who you are to others, and what you have played"),
        "help-chat": N_("say something to everybody at the table"),
        "help-walk": N_("search your network, address by address, and list the tables that answer"),
        "help-stop": N_("end the search of the network"),
        "help-find": N_("show only the tables whose name, rules or player have these letters"),
        "help-rules": N_("read the rules of the table that is chosen, or of the form"),
        "help-replays": N_("step through a match that has been played"),
        "help-learn": N_("learn a game step by step"),
        "help-settings": N_("your name, colours, language and so on"),
        "help-quit": N_("leave the program"),
        "help-address": N_("join a table that is not in the list: by address, code, name, or who has it open"),
        "help-ready": N_("be ready to play, or no longer"),
        "help-start": N_("start the match, when everybody is ready"),
        "help-invite": N_("ask somebody here to your table"),
        # answers
        "invite-where": N_("Sit down at a table first, or open one: then you can ask others to it."),
        "invite-full": N_("All seats of this table are taken."),
        "invite-nobody": N_("Nobody else is here to be asked. Friends can join by the address of the table."),
        "invite-whom": N_("Invite whom?"),
        "invite-how": N_("Somebody else: how friends join"),
        "invite-which": N_("Several players here are called {name}: choose one with v."),
        "invite-no-such": N_("Nobody here is called {name}, or sits at the table already."),
        "inviting": N_("Inviting {name} …"),
        "invited": N_("{name} has been asked, and sits down if the answer is yes."),
        "invite-here": N_("To ask somebody to your table, type: invite NAME. You can ask: {names}."),
        "says-no": N_("{name} says no."),
        "invited-ask": N_("{name} invites you to {title}: {game}. Join?"),
        "invited-closed": N_("You will be asked for its password then."),
        "invited-leaves": N_("You will leave {title} for it."),
        "invited-later": N_("{name} invites you to {title}: {game}. You will be asked after this match."),
        "invited-line": N_("{name} invites you to {title}: {game}. To join, type: join {address}"),
        "invited-line-later": N_(
            "{name} invites you to {title}: {game}. To join, leave this table and type: rummy-p2p join {address}"
        ),
        "invited-yes": N_("Yes"),
        "invited-no": N_("No"),
        "invited-quiet": N_("Nothing from {name} for {minutes} minutes"),
        "invited-gone": N_("The table {title} is not open there any more."),
        "unknown-game": N_("a game that is not installed here"),
        "ask-chat": N_("chat>"),
        "no-chat": N_("Chat is at the table: sit down at one first."),
        "sitting-already": N_("You sit at {title}. Leave it first (q)."),
        "not-sitting": N_("You sit at no table."),
        "wrong-names": N_("{title} is for {players}, not for {count}. Type all their names, with commas between them."),
        "twin-names": N_("Two players are called {name}: give each a name of their own."),
        "ask-names": N_("names of {players}, commas between>"),
        "how-names": N_(
            "Everybody plays at this keyboard in turn. Type the names with commas between them, as in: Ada, Bea. Enter "
            "deals."
        ),
        "ask-find": N_("find>"),
        "ask-address": N_("address, code or name>"),
        "ask-leave": N_("Leave the table {title}?"),
        "ask-close": N_("Close the table {title}? Everybody else has to leave it, too."),
        "ask-quit": N_("You sit at {title}. Leave it and the program?"),
        "any-table": N_("the first table that is open"),
        "none-seen": N_(
            "No open table was found. s searches your network, d tells what is in the way, C connects by address or "
            "code."
        ),
        "not-seen": N_(
            "No table and nobody called {name} was found. s searches your network, d tells what is in the way, C "
            "connects by address or code."
        ),
        "connecting": N_("Connecting to {title} …"),
        "few-seated": N_("Others have to sit down first: {seated} of at least {least} are here."),
        "late": N_("Not ready yet: {names}."),
        "sits-down": N_("* {name} sits down"),
        "has-left": N_("* {name} has left"),
        "told-rules": N_("The rules of {title}"),
        "opening": N_("Opening the table …"),
        "working": N_("Working: {what} …"),
        "still-busy": N_("Wait a moment: {what}"),
        "no-unfinished": N_("There is no match to go on with."),
        "no-replays": N_("No match has been kept yet."),
        "not-there": N_("That is not there yet."),
        "press-enter": N_("Press Enter to go back to the lobby."),
        "output": N_("What it says"),
        "all-invited": N_("* Everybody who sat at the table before has been invited to this one."),
        "no-form": N_("The game of this table has no form here: leave the table and open another one."),
        "suspended": N_("Your seat and your cards are kept: the match stands at the top of the list, Enter goes on."),
        "table-closed": N_("You are in the lobby again."),
        "cannot-join": N_("No seat at {title}"),
        "get-plugins": N_("What is missing here, and how it is installed beside this program:"),
        "get-plugins-why": N_(
            "Only from a place that you trust: a plugin is code. Then start the program again. Nothing is ever fetched "
            "from another player."
        ),
        "rules-differ": N_("The rules of this table are not those that you have under the same names:"),
        "rules-versions": N_("Both of you need the same version of: {plugins}."),
    }
)

_TYPED: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "search": ("search", N_("search your network for tables; again ends it")),
        "find": ("find gin", N_("show only tables like this; find alone shows all")),
        "new": ("new", N_("fill in the form of a new table")),
        "ready": ("ready", N_("at a table: be ready")),
        "unready": ("unready", N_("at a table: be ready no longer")),
        "start": ("start", N_("at your table: start the match")),
        "chat": ("chat hello", N_("at a table: say something to everybody")),
        "invite": ("invite Bea", N_("at a table: ask somebody who is here to it")),
        "leave": ("leave", N_("leave the table")),
        "profile": ("profile", N_("who you are, and what you have played")),
        "vote": ("vote kick Bea", N_("at a table: vote that somebody leaves, or: vote mute Bea, vote not kick Bea")),
        "guests": ("guests", N_("at your table: let friends in by ssh; again ends it")),
        "code": ("code", N_("at your table: its code, address and QR code, large")),
        "settings": ("settings", N_("your name, colours, language and so on")),
    }
)


def lobby_say(which: str, **facts: str | int) -> str:
    """Return a text of the lobby."""
    return _(_LOBBY[which]).format_map(facts)


def typed_lines() -> tuple[tuple[str, str], ...]:
    """Return what can be typed in the full screen alone: an example and what it does."""
    return tuple((example, _(sentence)) for example, sentence in _TYPED.values())


TYPED_WORDS: Final = tuple(_TYPED)


def count_text(tables: int, people: int) -> str:
    """Return ``4 tables · 8 players`` without the dot: two texts to be put side by side by the screen."""
    return f"{plural('{n} table', '{n} tables', tables)}, {plural('{n} player', '{n} players', people)}"


def seconds_text(seconds: int) -> str:
    """Return ``12 s``."""
    return _("{n} s").format(n=seconds)


def free_text(free: int, players: int) -> str:
    """Return what becomes of seats that nobody has taken when the match starts."""
    return plural(
        "{n} seat is still free: you can wait for somebody, or start without, with {players}.",
        "{n} seats are still free: you can wait for others, or start without, with {players}.",
        free,
        players=plural("{n} player", "{n} players", players),
    )


def taken_text(taken: int, total: int) -> str:
    """Return ``1 of 2 seats taken``."""
    return plural("{taken} of {n} seat taken", "{taken} of {n} seats taken", total, taken=str(taken))


# --- the form --------------------------------------------------------------------------------------------------------

_FORM: Final[Mapping[str, str]] = MappingProxyType(
    {
        "title": N_("New table"),
        "about": N_("{players}, {least}-{most} minutes, {difficulty} to learn."),
        "easy": N_("easy"),
        "medium": N_("medium"),
        "hard": N_("hard"),
        "untitled": N_("(called after you)"),
        "whole-match": N_("a whole match"),
        "anyone": N_("anyone on this network"),
        "host-deal": N_("the host"),
        "blind-deal": N_("nobody: all shuffle"),
        "auto-password": N_("who knows three words"),
        "watch-yes": N_("anyone"),
        "watch-quiet": N_("anyone, without chat"),
        "watch-next-hand": N_("anyone, not mid-hand"),
        "watch-no": N_("nobody"),
        "closed-to-all": N_("Nobody looks on at a table with a password."),
        "one-level": N_("There is one level so far."),
        "wrong-seats": N_("These rules are for {players}, not for {seats}."),
        "no-game": N_("There is no game {name}. Games: {games}."),
        "no-number": N_("{name} is not a number that fits here."),
        "nothing-to-set": N_("{title} has nothing to set: it is on or off."),
        "no-line": N_("There is no line {name} in this form."),
        "field-game": N_("Game"),
        "field-title": N_("Name of the table"),
        "field-seats": N_("Seats"),
        "field-bots": N_("Bots among them"),
        "field-level": N_("Level of the bots"),
        "field-hands": N_("Length"),
        "field-be-host": N_("You as host"),
        "field-password": N_("Who may sit"),
        "field-deal": N_("Deal by"),
        "field-spectators": N_("Who may look on"),
        "field-grace": N_("Wait for the absent"),
        "field-ssh": N_("Guests by ssh"),
        "explain-title": N_("What the others see in their list. Enter types it."),
        "explain-seats": N_("How many play, your bots included."),
        "explain-bots": N_("How many of the seats are bots of yours; one seat is yours."),
        "explain-level": N_("How well your bots play."),
        "explain-hands": N_("A whole match by the rules, or this many hands."),
        "explain-be-host": N_("One of the programs at the table is elected to put the moves in order. Your wish."),
        "explain-password": N_(
            "Anyone on this network, or whoever knows a password: three words that are made when the table is opened, "
            "or your own (Enter types them; none: anyone). Whom you invite needs no password."
        ),
        "explain-deal": N_("All shuffle in turn and nobody sees the deck; or the host deals, and its program sees it."),
        "explain-spectators": N_(
            "Whoever looks on sees what everybody sees, no hidden cards, and may chat. Typed: yes; quiet, without "
            "chat; next-hand, let in when the next hand begins; no."
        ),
        "explain-grace": N_(
            "How many seconds to wait for a player who is gone, when it is that player's turn. With two players, "
            "the other may end the match after that."
        ),
        "explain-ssh": N_(
            "Friends with nothing but an ssh client play at this program, which could see their cards. At the table G "
            "lets them in, or no longer."
        ),
        "group-match": N_("The match and the clock"),
        "group-laying": N_("Laying down"),
        "group-drawing": N_("Drawing and claiming"),
        "if-needed": N_("if needed"),
        "always": N_("gladly"),
        "never": N_("never"),
        "yes": N_("yes"),
        "no": N_("no"),
        "as-usual": N_("as usual"),
        "played": N_("What is played"),
        "plain-rules": N_("{title} as it is usually played."),
        "keys": N_("Arrows choose and change, Space switches, Enter types a value"),
        "problem": N_("Not like this: {why}"),
        "help-change": N_("change the line"),
        "help-switch": N_("switch a house rule on or off"),
        "help-type": N_("type a value for the line"),
        "help-back": N_("back to the lobby; the form stays as it is"),
        "key-plain": N_("No house rules"),
        "help-plain": N_("switch all house rules off"),
    }
)


def form_text(which: str, **facts: str | int) -> str:
    """Return a text of the form of a new table."""
    return _(_FORM[which]).format_map(facts)


def form_group(group: str) -> str:
    """Return the heading of a group of house rules."""
    return form_text(f"group-{group}")


def wish_text(wish: str) -> str:
    """Return what a wish about being host is called."""
    return form_text(wish)


def value_text(value: str) -> str:
    """Return how the value of an option is shown; what is no word of ours is shown as it is."""
    return form_text(value) if value in ("yes", "no") else value


def players_text(least: int, most: int) -> str:
    """Return ``2 players``, ``2-4 players``."""
    if least == most:
        return plural("{n} player", "{n} players", least)
    return _("{least}-{most} players").format(least=least, most=most)


def house_text(title: str, explain: str) -> str:
    """Return what a house rule, or an option of one, is about; the words are its author's."""
    return f"{_(title)}: {_(explain)}"


# --- settings --------------------------------------------------------------------------------------------------------

_SETTINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "title": N_("Settings"),
        "file": N_("Kept in {path}"),
        "field-nick": N_("Your name"),
        "field-deck": N_("Colours of the suits"),
        "field-color": N_("Colours"),
        "field-ascii": N_("Plain characters"),
        "field-faces": N_("Court cards"),
        "field-lang": N_("Language"),
        "field-bell": N_("Bell"),
        "field-mouse": N_("Mouse"),
        "field-interface": N_("Network interface"),
        "field-plain": N_("Lines of text"),
        "explain-nick": N_("What the others call you. It holds when the lobby is opened again."),
        "explain-deck": N_("two: red and black; four: each suit its own; safe: for colour-blind eyes; mono: letters."),
        "explain-color": N_("auto asks the terminal and NO_COLOR; never keeps bold and reverse."),
        "explain-ascii": N_("Letters and plain lines in place of suits and boxes, for terminals that need it."),
        "explain-faces": N_("typed: A J Q K; own: as cards of your language show them. What is typed stays A J Q K."),
        "explain-lang": N_("The language of the program; auto asks the system."),
        "explain-bell": N_("Ring once when it is your turn, and when a card may be claimed."),
        "explain-mouse": N_("Click and drag. Without it the terminal marks text; M switches it at any time."),
        "explain-interface": N_("Where tables are looked for; auto takes all that lead to a network."),
        "explain-plain": N_("Lines of text as with --plain, for screen readers and dumb terminals."),
        "auto": N_("auto"),
        "from-flag": N_("given when the program was started; the file holds from the next start on"),
        "from-env": N_("given by the environment; the file is used without that"),
        "from-file": N_("from the file"),
        "from-default": N_("as usual"),
        "not-empty": N_("A name has at least one letter."),
        "no-value": N_("{name} is one of: {values}."),
        "saved": N_("Kept: {name} is {value}."),
        "unset": N_("Taken out of the file: {name} is as usual."),
        "keys": N_("Arrows choose and change, Enter types a value, u takes a line out of the file"),
        "help-unset": N_("take the line out of the file: as usual again"),
        "help-back": N_("back to the lobby"),
        "reopened": N_("The lobby was opened again with the new settings."),
    }
)


def settings_text(which: str, **facts: str | int) -> str:
    """Return a text of the settings."""
    return _(_SETTINGS[which]).format_map(facts)


# --- profile ---------------------------------------------------------------------------------------------------------

_PROFILE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "title": N_("Profile"),
        "nick": N_("Name: {nick}. It is changed in the settings (S)."),
        "words": N_("Known to others as: {words}. Compare it aloud when you want to be sure."),
        "id": N_("Identity: {id}"),
        "address": N_("Address of this program: {address}"),
        "folder": N_("Your files: {folder}"),
        "with-people": N_("With people:"),
        "alone": N_("Practice against bots:"),
        "version": N_("Program: rummy-p2p {version}"),
        "together": N_("All together"),
        "latest": N_("Latest matches:"),
        "won": N_("won"),
        "lost": N_("not won"),
        "not-over": N_("not played to its end"),
        "match": N_("{when}  {game}: {players} ({result})"),
        "nothing": N_("Nothing has been played to the end of a hand yet."),
        "line": N_("{game}: {matches}, {won} won; {hands}, {hands_won} won, {each} points a hand"),
    }
)


def profile_text(which: str, **facts: str | int) -> str:
    """Return a text of the profile."""
    return _(_PROFILE[which]).format_map(facts)


def matches_text(count: int) -> str:
    """Return ``1 match``, ``3 matches``."""
    return plural("{n} match", "{n} matches", count)


def hands_text(count: int) -> str:
    """Return ``1 hand``, ``3 hands``."""
    return plural("{n} hand", "{n} hands", count)


def known_text(count: int) -> str:
    """Return how many others this program has met."""
    return plural("You have met {n} other player so far.", "You have met {n} other players so far.", count)


def ledgers_text(count: int) -> str:
    """Return how many matches are kept."""
    return plural("{n} match is kept and can be looked at again (y).",
                  "{n} matches are kept and can be looked at again (y).", count)  # fmt: skip


def install_lines(names: Sequence[str]) -> tuple[str, ...]:
    """Return for each plugin the command that installs it beside this program, as it was installed."""
    return tuple(f"  pipx inject rummy-p2p rummy-p2p-{name}" for name in names)
