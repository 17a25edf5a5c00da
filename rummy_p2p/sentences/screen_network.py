"""What the full screen says of the network: the doctor's room, how others come to a table, and who is known here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rummy_p2p.sentences.language import N_, _, plural

_TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        # the doctor
        "doctor-title": N_("Doctor: this machine and its network"),
        "doctor-title-way": N_("Doctor: this machine, and the way to {name}"),
        "doctor-asks": N_("name, address or code>"),
        "doctor-looks": N_("Looking at: {layer}"),
        "doctor-begins": N_("Beginning …"),
        "doctor-stopped": N_("Ended before it was through: a looks again."),
        "doctor-keys": N_("a = look again, w = the way to somebody, Esc = back to the lobby"),
        "doctor-all-well": N_("Nothing fails. f shows everything that was looked at."),
        "key-doctor": N_("Doctor"),
        "key-again": N_("Again"),
        "key-way": N_("The way to ..."),
        "key-failing": N_("What fails"),
        "key-everything": N_("Everything"),
        "help-doctor": N_("see what works between this machine and the network, and what to do about the rest"),
        "help-again": N_("look at everything again"),
        "help-way": N_("look at the way to somebody as well: a name, an address or a code"),
        "help-failing": N_("show only what fails, or everything"),
        "help-scroll": N_("go through the lines"),
        "help-back": N_("back to the lobby"),
        # how others come to a table
        "key-ways": N_("Code"),
        "help-ways": N_("the code, the address and the QR code of your table, large"),
        "ways-title": N_("How others come to {title}"),
        "ways-message": N_("Say it aloud: capitals do not matter, 0 is O, 1 is I and L. Esc = back"),
        "ways-by-code": N_("C takes the code; or in a shell:"),
        "ways-no-code": N_("There is no code for this address: only the address of a home network has one."),
        "ways-password": N_("Password: {password}"),
        "ways-ssh": N_("By ssh alone; the key it shows:"),
        "ways-none": N_("You have no table open. n opens one; then Q shows its code."),
        "ways-not-yours": N_("Only whoever opened this table has its code. v shows how others join."),
        "ways-gone": N_("The table is closed. Esc = back"),
        # guests by ssh
        "key-guests": N_("Guests by ssh"),
        "key-guests-stop": N_("No guests"),
        "help-guests": N_("let friends play here who have nothing but an ssh client"),
        "help-guests-stop": N_("let no guests in any more; those who are here go"),
        "guests-where": N_("Guests by ssh come to a table of your own: open one first (c)."),
        "guests-no-more": N_("No guests are let in any more."),
        "ways-ssh-brief": N_("By ssh, with nothing installed:"),
        # votes
        "key-vote": N_("Vote"),
        "help-vote": N_("vote that somebody leaves the table or is not heard; more than half of the others decide"),
        "vote-whom": N_("About whom?"),
        "vote-what": N_("Vote about {name}"),
        "vote-kick": N_("{name} leaves the table"),
        "vote-mute": N_("what {name} says is not shown"),
        "vote-not-kick": N_("{name} stays"),
        "vote-not-mute": N_("{name} is heard"),
        "vote-nobody": N_("There is nobody else at the table about whom one could vote."),
        # who is who
        "key-people": N_("People"),
        "help-people": N_("whom you know, who is here, and by which words; trust, forget, block"),
        "people-title": N_("People"),
        "people-nobody": N_("Nobody"),
        "people-none": N_(
            "Nobody is known here yet, and nobody else is on this network. Whoever you sit at a table with is kept in "
            "mind: the first key under a name is believed, and another one is refused until you say so."
        ),
        "people-message": N_("Up and down choose; compare the words aloud when you want to be sure"),
        "column-name": N_("Name"),
        "column-words": N_("Both of you see"),
        "column-standing": N_("Is"),
        "is-here": N_("here"),
        "is-known": N_("known"),
        "is-new": N_("new"),
        "is-blocked": N_("blocked"),
        "is-another-key": N_("other key"),
        "both-see": N_("Both of you see:"),
        "both-saw": N_("Before, you both saw:"),
        "about-known": N_("Known: this is the one you met."),
        "about-new": N_("Not met yet. Whoever sits down with you is believed; t does that now."),
        "about-blocked": N_("Blocked: no links, no seats, no word of theirs."),
        "about-another-key": N_(
            "Not the key that you know under this name: {name} has reinstalled, or it is somebody else. Ask, compare "
            "the words, and only then: t."
        ),
        "is-on-network": N_("Here now."),
        "has-table": N_("Here now, with {title} open."),
        "last-seen": N_("Last seen {when}."),
        "first-met": N_("First met {when}."),
        "key-trust": N_("Trust"),
        "key-block": N_("Block"),
        "key-unblock": N_("Unblock"),
        "key-forget": N_("Forget"),
        "help-trust": N_("believe that this is who the name says, in place of the key before"),
        "help-block": N_("have no links, no seats and no words with them; again: let them"),
        "help-forget": N_("know nothing of them any more: the next of that name is believed"),
        "help-people-move": N_("choose somebody"),
        "trusted-already": N_("{name} is known by this key already."),
        "unblock-first": N_("{name} is blocked: b unblocks."),
        "not-kept": N_("Nothing is kept of {name}."),
        "no-such-person": N_("Nobody called {name} is known or here."),
        "ask-trust": N_("Believe the new key of {name}? Now you both see: {words}. Before it was: {before}."),
        "ask-forget": N_("Forget {name}? The next of that name is believed, whoever it is."),
        "now-trusted": N_("{name} is known by this key from now on."),
        "now-blocked": N_("{name} is blocked."),
        "now-unblocked": N_("{name} is no longer blocked."),
        "now-forgotten": N_("{name} is forgotten."),
        "caution-blocked": N_("You have blocked {name}: P shows the list, b unblocks."),
        "caution-another-key": N_("{name} is known here by another key: ask who it is; P shows the words, t trusts."),
        "no-such-word": N_("Here one can type: {words}."),
    }
)


def network_say(which: str, **facts: str | int) -> str:
    """Return a text about the network."""
    return _(_TEXTS[which]).format_map(facts)


def looked_at_text(count: int) -> str:
    """Return how many things have been looked at."""
    return plural("{n} thing looked at", "{n} things looked at", count)
