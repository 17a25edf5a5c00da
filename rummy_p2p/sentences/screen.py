"""What the full screen says: the shell, the table and the score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from rummy_p2p.sentences.guide import Notice
from rummy_p2p.sentences.language import N_, _, plural

_SHELL: Final[Mapping[str, str]] = {
    "too-small": N_("The table needs a terminal of {columns} by {rows}; this one has {width} by {height}."),
    "enlarge": N_("Make it larger, or leave with Ctrl-C and come back with --plain."),
    "failed": N_("Something went wrong in the program itself ({error}); you can go on. It is in the log."),
    "again-to-leave": N_("Press Ctrl-C once more to leave at once."),
    "mouse-on": N_("The mouse belongs to the game; M gives it back to the terminal."),
    "mouse-off": N_("The mouse belongs to the terminal, so that text can be marked; M gives it back to the game."),
    "deck": N_("Colours of the suits: {deck}."),
    "keys": N_("Keys"),
    "line-keys": N_("Enter Send  Tab Complete  Up Earlier lines  Esc Back to the keys"),
    "command": N_("do>"),
    "keys-act": N_("Keys act at once.  : to type a command"),
    "keys-act-chat": N_("Keys act at once.  : to type a command, / to chat"),
    "stray": N_("{key} does nothing here."),
    "stray-unseen": N_("This key does nothing here."),
    "stray-help": N_("? shows the keys."),
    "stray-out": N_("Esc closes this."),
    "help": N_("Help"),
    "command-label": N_("Type"),
    "command-help": N_("type a move or a command; Tab completes it, Esc comes back"),
    "help-help": N_("show the keys of this screen"),
    "mouse-label": N_("Mouse"),
    "mouse-help": N_("give the mouse to the terminal, to mark text, or back to the game"),
    "deck-label": N_("Colours"),
    "deck-help": N_("change the colours of the suits: two, four, safe, none"),
    "redraw-label": N_("Redraw"),
    "redraw-help": N_("draw the screen anew"),
    "close-label": N_("Close"),
    "page-end": N_("Up Down PgUp PgDn scroll, Esc closes"),
    "page-whole": N_("Esc closes"),
    "page-more": N_("{first}-{last} of {all}"),
    "no": N_("No"),
    "yes": N_("Yes"),
}


_TABLE: Final[Mapping[str, str]] = {
    "round": N_("round {n}"),
    "host": N_("host {name}"),
    "no-host": N_("no host yet"),
    "deal-host": N_("host deal"),
    "deal-blind": N_("blind deal"),
    "audit-ok": N_("last deal ok"),
    "audit-bad": N_("LAST DEAL NOT IN ORDER"),
    "here": N_("this machine"),
    "lan": N_("LAN"),
    "missing": N_("waiting for {names}"),
    "stock": N_("Stock"),
    "stock-n": N_("Stock {n}"),
    "pile": N_("Pile"),
    "table": N_("Table"),
    "under": N_("under: {cards}"),
    "opened": N_("opened"),
    "not-opened": N_("-"),
    "eliminated": N_("eliminated, watching"),
    "is-missing": N_("not here"),
    "gone-for": N_("gone {time}"),
    "paused": N_("THE TABLE WAITS"),
    "pause-agreed": N_("You have all agreed on a pause: P goes on."),
    "pause-status": N_("PAUSE: P goes on"),
    "pause-wanted": N_("pause wanted: {names}"),
    "missed-for": N_("{name} has been gone for {time}."),
    "waits-for": N_("waiting for {names}; q leaves."),
    "making": N_("A new deck"),
    "audit-title": N_("After the hand"),
    "making-key": N_("All programs make a key together"),
    "making-shuffle": N_("Everybody shuffles the deck in turn"),
    "making-sign": N_("Everybody checks the deck and signs it"),
    "making-deal": N_("The deck is shuffled and bound"),
    "making-audit": N_("The deal of this hand is checked"),
    "making-count": N_("{what}: {done} of {total}"),
    "making-waits": N_("Waiting for {names}."),
    "no-melds-yet": N_("no melds yet"),
    "melds-in-hand": N_("Melds stay in hand here until somebody knocks."),
    "fits": N_("{arrows} the selected card fits here"),
    "staged": N_("set aside, not laid yet"),
    "more-melds": N_("{n} more: PgUp PgDn"),
    "hand": N_("Hand {n}"),
    "sorted": N_("sorted: {mode}"),
    "by-hand": N_("your own order"),
    "outside": N_("{points} outside melds"),
    "new-last": N_("{mode}, new last"),
    "mode-melds": N_("melds"),
    "mode-suit": N_("suit"),
    "mode-rank": N_("rank"),
    "mode-manual": N_("by hand"),
    "set": N_("set"),
    "run": N_("run"),
    "your-turn": N_("YOUR TURN"),
    "turn-of": N_("{name}'s turn"),
    "watching": N_("You are out, watching."),
    "hand-is-over": N_("The hand is over."),
    "dealing": N_("The cards are being dealt."),
    "no-cards": N_("No cards are dealt yet."),
    "time": N_("Time {time}"),
    "no-clock": N_("No time limit"),
    "time-match": N_("Match {time}"),
    "time-left": N_("{name} has {time} left for all turns of the match."),
    "limit": N_("Limit {n}"),
    "target": N_("To {n}"),
    "deals": N_("Hands {n}"),
    "rounds": N_("Rounds {n}"),
    "open": N_("Open {n}"),
    "contract": N_("Contract {contract}"),
    "take-all": N_("Take all x{n}"),
    "call-on": N_("{label} on"),
    "chat-head": N_("Chat"),
    "log-head": N_("Log"),
    "scores-head": N_("Scores"),
    "sum": N_("Sum"),
    "you-are": N_("{name} (you)"),
    "seats": N_("At the table"),
    "ready": N_("ready"),
    "not-ready": N_("..."),
    "free": N_("free"),
    "bot": N_("a bot"),
    "by-ssh": N_("by ssh"),
    "ssh-how": N_("By ssh, with nothing installed:"),
    "password": N_("Password: {password}"),
    "ssh-key": N_("Host key: {fingerprint}"),
    "pair-words": N_("You and {name} both see: {words}."),
    "guest-trust": N_("{name} plays by ssh at the program of {owner}, which could see the cards of {name}."),
    # labels of buttons and keys
    "draw": N_("Draw"),
    "turn-over": N_("Turn over"),
    "take": N_("Take"),
    "pass": N_("Pass"),
    "meld": N_("Meld"),
    "meld-n": N_("Meld {n}"),
    "add": N_("Add"),
    "discard": N_("Discard"),
    "knock": N_("Knock"),
    "done": N_("Done"),
    "keep": N_("Keep"),
    "give": N_("Give"),
    "claim": N_("Claim"),
    "claim-in": N_("Claim {time}"),
    "sit": N_("Sit down"),
    "looks-on": N_("You look on"),
    "looks-on-sees": N_("You have no seat here. You see what everybody sees; nobody's hidden cards are shown."),
    "looks-on-sit": N_("To get a seat press b, or type sit: it is yours when this match is over, if one is free."),
    "looks-on-waits": N_("You have asked for a seat: it is yours when this match is over, if one is free."),
    "looks-on-line": N_("You look on: b asks for a seat, q leaves."),
    "looks-on-line-waits": N_("You look on, and have asked for a seat; q leaves."),
    "sort": N_("Sort"),
    "undo": N_("Undo"),
    "hint": N_("Hint"),
    "info": N_("Info"),
    "invite": N_("Invite"),
    "chat": N_("Chat"),
    "log": N_("Log"),
    "rules": N_("Rules"),
    "leave": N_("Leave"),
    "select": N_("Select"),
    "carry": N_("Carry card"),
    "side": N_("Sidebar"),
    "rematch": N_("Rematch"),
    "other-rules": N_("Other rules"),
    "pause": N_("Pause"),
    "pause-agree": N_("Agree to a pause"),
    "pause-not": N_("No pause"),
    "pause-on": N_("Go on"),
    "next-hand": N_("Next hand"),
    "cancel": N_("Cancel"),
    "left-end": N_("left end"),
    "right-end": N_("right end"),
    # what keys do, for the page of keys
    "draw-help": N_("draw the next card of the stock"),
    "take-help": N_("take from the pile; where several may be taken, choose how many"),
    "pass-help": N_("decline to draw, where that is possible"),
    "meld-help": N_("lay the selected cards; with nothing selected what is marked in blue"),
    "add-help": N_("add the selected card to a meld: then its number; onto a joker's place it takes the joker"),
    "discard-help": N_("put the selected card on the pile; a joker wants a second x"),
    "call-help": N_("claim the discard out of turn"),
    "knock-help": N_("knock: end the hand, when little is left outside your melds"),
    "claim-help": N_("end the match when the other one of two has been gone for too long"),
    "sit-help": N_("ask for a seat when this match is over"),
    "sort-help": N_("sort the hand by melds, suit or rank, or leave your own order alone"),
    "carry-help": N_("carry the card to the left or the right"),
    "move-help": N_("go from card to card"),
    "zone-help": N_("go between the hand, the table and the piles"),
    "select-help": N_("select a card, or no longer"),
    "select-where": N_("Space selects a card of your hand: Down goes there. Enter does what is nearest here."),
    "escape-help": N_("take the selection back"),
    "enter-help": N_("select the card; on a pile draw or take; on a meld add the selected card"),
    "undo-help": N_("take back what nobody has seen: melds set aside, then the selection"),
    "hint-help": N_("ask what a program would do here, and why"),
    "info-help": N_("who plays, who is host, how it is dealt"),
    "invite-help": N_("ask somebody who is here to this table, or see how others can join it"),
    "chat-help": N_("say something to everybody"),
    "log-help": N_("what has happened so far"),
    "rules-help": N_("the rules of this game in short"),
    "side-help": N_("hide or show the right side"),
    "scroll-help": N_("scroll the melds on the table"),
    "leave-help": N_("leave the table"),
    "other-rules-help": N_("choose other rules for another match; everybody here is invited to it"),
    "pause-help": N_("ask for a pause, agree to one, or end it; the table rests while everybody wants to"),
    # what the message line says
    "do-offer": N_("t takes {card}, p passes."),
    "do-offer-pass": N_("p passes."),
    "do-draw": N_("d draws from the stock, t takes {card}."),
    "do-draw-many": N_("d draws from the stock, t takes from the pile."),
    "do-draw-only": N_("d draws from the stock."),
    "do-turn-over": N_("d turns the pile over, t takes {card}."),
    "do-turn-over-only": N_("d turns the pile over."),
    "do-take-or-pass": N_("t takes {card}, p passes: then the hand ends."),
    "do-pass": N_("p passes: then the hand ends."),
    "do-answer": N_("Somebody asks for the discard: y keeps the card that you drew, n lets both go."),
    "do-play": N_("m lays what is marked; x discards {card} and ends your turn."),
    "do-play-none": N_("m lays what is marked; select a card to discard it with x."),
    "do-lay-selected": N_("m lays the selected cards; Esc takes the selection back."),
    "do-lay-staged": N_("m lays what is set aside; u takes it back."),
    "selected-no-meld": N_("The selected cards are not a meld; Esc takes the selection back."),
    "do-discard": N_("x discards {card} and ends your turn."),
    "type-play": N_("Type meld or add, then discard and a card."),
    "do-go-out": N_("x discards {card}: you go out and win the hand."),
    "do-discard-none": N_("Select a card: x discards it and ends your turn."),
    "do-knock": N_("x discards {card} and ends your turn; c knocks with {thrown}."),
    "do-knock-all": N_("All your cards lie in melds: c knocks without a discard."),
    "do-knock-none": N_("x discards the selected card; c knocks with {thrown}."),
    "do-lay-off": N_("Add what fits with a, then o."),
    "must-use": N_("{card} must be used this turn."),
    "card-fits": N_("{card} fits melds {numbers}: press a, then the number."),
    "card-fits-joker": N_("{card}: melds {numbers}, joker of {jokers}: press a, then the number."),
    "card-fits-one": N_("{card} fits meld {numbers}: press a."),
    "card-takes-joker": N_("{card} takes the joker of meld {numbers}: press a."),
    "card-or-joker": N_("{card} fits meld {numbers}, or takes its joker: press a."),
    "claim-open": N_("c ({label}) takes {card} from the pile."),
    "claim-price": N_("c ({label}) takes {card} from the pile, and {cards} more."),
    "which-meld": N_("Which meld takes {card}? {numbers}; Esc: none."),
    "which-end": N_("Which end of meld {number}? Left or Right; Esc: neither."),
    "add-or-joker": N_("Meld {number}: a adds {card}, j takes the joker for it; Esc: neither."),
    "end-or-joker": N_("Meld {number}: Left or Right adds {card}, j takes the joker for it."),
    "take-joker": N_("Take joker"),
    "which-number": N_("Meld number"),
    "joker-again": N_("A joker in hand counts {n}: press x once more to throw it away."),
    "staged-points": N_("{points} of {minimum} points are set aside: choose more and press m, or u to take back."),
    "staged-contract": N_("{melds} set aside: choose more and press m, or u to take back."),
    "nothing-selected": N_("Select a card first: arrows and Space, or the mouse."),
    "one-card": N_("Select one card for this; {n} are selected."),
    "open-short": N_("{points} of the {minimum} points that a first lay-down needs: collect more."),
    "open-contract": N_("The first lay-down must be {contract}: your cards do not make that yet."),
    "one-no-meld": N_("{card} alone is not a meld: Esc unselects it, then m lays what is marked."),
    "no-suggestion": N_("There is nothing to lay: cards of a meld would be marked with a blue line."),
    "nothing-to-undo": N_("There is nothing to take back: what has been laid or thrown is public."),
    "knocked-already": N_("The other player has knocked already: add what fits with a, then o."),
    "fits-nowhere": N_("{card} fits on no meld."),
    "drag": N_("{card}: drop it on a card, a meld, the pile"),
    "leave-question": N_("Leave the table?"),
    "leave-match-question": N_("Leave in the middle of the match? The others have to go on without you."),
    "leave-here-question": N_("Leave the table? The match ends here and is not kept."),
    "leave-bots-question": N_("Leave the table? Only bots play with you: the match ends here."),
    "leave-or-bot-question": N_(
        "Leave in the middle of the match? Your seat is given up then. A bot can play for you, but only as long as "
        "this program runs: your cards are known here alone."
    ),
    "leave-keeps": N_("Suspend keeps your seat and your cards for another time."),
    "suspend": N_("Suspend"),
    "bot-plays": N_("A bot plays"),
    "bot-plays-on": N_("A bot plays for you: b takes your seat back."),
    "play-myself": N_("Play myself"),
    "play-myself-help": N_("take your seat back from the bot that plays for you"),
    "no-chat": N_("Nobody can hear you: you are alone at this screen."),
    "stay": N_("Stay"),
    "closed": N_("The table is closed: Enter leaves."),
    "no-invite": N_("Nobody can be invited to this table: it is played on this machine alone."),
    "invite-later": N_("Nobody can sit down in the middle of a match: ask again when it is over."),
    "invite-head": N_("How friends join"),
    "invite-code": N_("By spoken code:   rummy-p2p join {code}"),
    "invite-large": N_("Q shows the code large, with a QR code."),
    "invite-name": N_("On this network:  rummy-p2p join {title}"),
    "invite-address": N_("By address:       rummy-p2p join {address}"),
    "muted": N_("{name} is muted in your chat; unmute {name} undoes that."),
    "unmuted": N_("{name} is heard again."),
    "nobody-called": N_("Nobody here is called {name}."),
    "mute-help": N_("mute NAME, unmute NAME: whose chat you do not want to read"),
    "pile-head": N_("Take how many from the pile?"),
    "pile-row": N_("take {n}"),
    "pile-refused": N_("not now"),
    "pile-keys": N_("Up Down choose, Enter takes, Esc closes"),
    "pile-useful": N_("underlined: finds its place in a meld"),
    "game": N_("Game: {title}"),
    "fingerprint": N_("Rules: {mark}"),
    "local-deal": N_("Dealt on this machine; the bots see nothing but their own cards."),
    "host-deal": N_(
        "Dealt by the host, who can see the deck but cannot stack it; every deal is checked after the hand."
    ),
    "blind-deal": N_("Dealt blind: nobody knows the order of the deck."),
    "could-look": N_("{few} of {all} programs would have to work together to look into it."),
    "audit-line-none": N_("No deal of this match has been checked yet: that is done after each hand."),
    "audit-line-ok": N_("The last deal was checked and is in order."),
    "audit-line-bad": N_("The last deal is NOT in order: {code}."),
    "deck-line": N_("This deck is bound to {mark}."),
}

_SCORE: Final[Mapping[str, str]] = {
    "head": N_("round {n} is over"),
    "match-over": N_("the match is over"),
    "next-in": N_("next hand in {time}"),
    "dealt": N_("THE NEXT HAND IS DEALT"),
    "ended-out": N_("{name} went out."),
    "ended-out-you": N_("You went out."),
    "ended-all": N_("{name} laid out everything at once: TAKE ALL, the others count x{n}."),
    "ended-all-you": N_("You laid out everything at once: TAKE ALL, the others count x{n}."),
    "ended-knock": N_("{name} has won the knock."),
    "ended-knock-you": N_("You have won the knock."),
    "ended-gin": N_("{name} has gin."),
    "ended-gin-you": N_("You have gin."),
    "ended-big-gin": N_("{name} has big gin."),
    "ended-big-gin-you": N_("You have big gin."),
    "ended-stock": N_("Nothing is left to draw: everything in hand is counted."),
    "ended-void": N_("The hand is void: nothing is counted."),
    "none-left": N_("no cards left"),
    "went-out": N_("went out"),
    "won-hand": N_("won hand"),
    "you": N_("you"),
    "is-out": N_("OUT"),
    "out-before": N_("out, watching"),
    "won": N_("The match is won by {names}."),
    "you-won": N_("You have won the match!"),
    "nobody-won": N_("Nobody has won the match."),
    "lowest": N_("Lowest sum wins"),
    "highest": N_("Highest sum wins"),
    "values": N_("In hand count: A {ace}, K Q J {face}, JK {joker}, others as printed"),
    "values-plain": N_("In hand count: A {ace}, K Q J {face}, others as printed"),
    "continue": N_("Continue"),
    "watch": N_("Watch"),
    "exit": N_("Exit"),
    "rematch": N_("Rematch"),
    "continue-help": N_("go on to the next hand"),
    "watch-help": N_("look on while the others play"),
    "exit-help": N_("leave the table"),
    "rematch-help": N_("play again with the same rules"),
    "look-help": N_("back to the table, to look at it once more"),
    "vote": N_("How fun are these rules?"),
    "vote-local": N_("(kept on this machine)"),
    "vote-help": N_("how fun these rules are, 1 to 5"),
    "voted": N_("Noted: {n} of 5."),
    "enter-next": N_("Enter: next hand"),
    "enter-wait": N_("Enter: back to the table"),
    "enter-leave": N_("Enter: leave the table"),
    "press-rematch": N_("y: play again, e: leave the table"),
    "hand-counted": N_("This hand is counted: Enter goes on, Esc shows the table."),
    "press-exit": N_("e: leave the table, Enter: look at it once more"),
    "more-lines": N_("Up and Down: more"),
}


class Making(msgspec.Struct, frozen=True):
    """What is being made or checked between the cards: how many have done their part, and who has not."""

    what: str  # key | shuffle | sign | deal | audit
    done: int
    total: int
    waits: tuple[str, ...] = ()


class Over(msgspec.Struct, frozen=True):
    """How a match has ended: who has won it, with what totals, and why where it ended before its time."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    why: str = ""


class TableFacts(msgspec.Struct, frozen=True):
    """What a table tells of itself beside the game: who is host, how it deals, who is missing, who sits there."""

    title: str = ""
    place: str = "here"  # here | lan
    host: str = ""
    deal: str = "local"  # local | host | blind
    audit: str = ""  # of the last hand: ok, or the code of what differs
    deck: str = ""  # what the deck of this hand is bound to
    missing: tuple[str, ...] = ()
    why: str = ""  # the sentence about those who are missing
    forming: bool = False
    sitting: tuple[tuple[str, bool, bool], ...] = ()  # name, ready, a bot
    free: int = 0
    opener: bool = False  # the player has opened this table, and starts
    ready: bool = False  # the player has said so
    may_ready: bool = False
    may_start: bool = False
    may_rematch: bool = False
    joining: tuple[str, str] = ("", "")  # title and address by which others join
    away: tuple[str, ...] = ()  # out of reach, and nobody waits for them
    could_look: tuple[int, int] = (0, 0)  # so many of so many together could look into a blind deck
    making: Making | None = None
    guests: tuple[tuple[str, str], ...] = ()  # who plays at somebody else's program: name, and whose it is
    people: tuple[tuple[str, str], ...] = ()  # the other programs' players, and the words that both see
    password: str = ""  # of a closed table, where the player may say it to others
    by_ssh: tuple[str, str] = ("", "")  # how guests come to this program, and the host key that they are shown
    continues_by_itself: bool = False  # the next hand is dealt without a word of the player
    may_change: bool = False  # the player may choose other rules for another match
    resting: bool = False  # the player would like a pause
    wants_pause: tuple[str, ...] = ()  # who would, while not everybody does
    agreed: bool = False  # the table rests because everybody wants that
    over: Over | None = None  # the match that was played last, when it is over
    looks_on: str = ""  # the name of who has no seat here
    wants_seat: bool = False  # who looks on has asked for one
    watching: int = 0  # how many look on
    claim_opens: float | None = None  # in how many seconds the match can be claimed, where that is so


class EndedEarly(Notice, frozen=True):
    """The match has ended before its time: who has won it all the same."""

    winners: tuple[int, ...] = ()


class Said(Notice, frozen=True):
    """A line of chat: ``text`` is the whole line, ``name`` who said it."""

    name: str = ""


class Logged(Notice, frozen=True):
    """A line about what the programs do among themselves: it belongs into the log, and interrupts nobody."""


class Waited(Notice, frozen=True):
    """A line about a table that waits, or goes on: one of a kind is enough, however often it does."""


class Answered(Notice, frozen=True):
    """What the player alone is answered: why something cannot be done. Nobody talks, and nothing has happened."""


def screen_text(which: str, **facts: object) -> str:
    """Return a text of the shell with its facts filled in."""
    return _(_SHELL[which]).format_map(facts)


def table_text(which: str, **facts: object) -> str:
    """Return a text of the table room."""
    return _(_TABLE[which]).format_map(facts)


def score_text(which: str, **facts: object) -> str:
    """Return a text of the score room."""
    return _(_SCORE[which]).format_map(facts)


def cards_in_hand(count: int) -> str:
    """Return ``3 cards`` for an opponent's row."""
    return plural("{n} card", "{n} cards", count)


def watching_text(count: int) -> str:
    """Return ``2 watching``; nothing when nobody is."""
    return plural("{n} watching", "{n} watching", count) if count else ""


def clock_text(seconds: float) -> str:
    """Return ``0:23``."""
    whole = max(0, int(seconds + 0.999))
    return f"{whole // 60}:{whole % 60:02}"


def practice_again() -> str:
    """Return what rematch does at a table of practice."""
    return _("play another match, when this one is over")
