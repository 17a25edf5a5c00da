"""What stands around a text that is read, and on the keys of the rooms where one reads, learns and looks back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rummy_p2p.sentences.language import N_, _, plural

_READING: Final[Mapping[str, str]] = {
    # a long text
    "place": N_("lines {first} to {last} of {all}"),
    "scroll": N_("Scroll"),
    "page": N_("Page"),
    "down": N_("one line down"),
    "up": N_("one line up"),
    "pagedown": N_("one page down"),
    "pageup": N_("one page up"),
    "home": N_("to the beginning"),
    "end": N_("to the end"),
    "back": N_("Back"),
    "back-help": N_("back to where you came from"),
    # the rules
    "differs": N_("What differs here"),
    "changes": N_("Differences"),
    "changes-help": N_("show only what the house rules change, or everything again"),
    "changes-shown": N_("Only what the house rules change; d shows everything again"),
    "rules-message": N_("The rules"),
    "rules-title": N_("Rules: {title}"),
    "heading": N_("Next heading"),
    "heading-next": N_("to the next heading"),
    "heading-back": N_("to the heading before"),
    # a match looked through again
    "replay-title": N_("Replay: {title}"),
    "record": N_("record {number} of {last}"),
    "seen-by": N_("seen by {name}"),
    "seen-all": N_("{name} in front, o shows all"),
    "played": N_("{players} played {title}."),
    "hand-begins": N_("Hand {hand} begins at record {number}."),
    "hands-more": N_("The last one, hand {hand}, begins at record {number}."),
    "how-to-look": N_("n goes on, ] goes to the next hand, g to any record or hand; s changes the seat."),
    "this-record": N_("At this record:"),
    "next": N_("Next"),
    "next-help": N_("to the next record"),
    "previous": N_("Back"),
    "previous-help": N_("to the record before"),
    "next-hand": N_("Next hand"),
    "next-hand-help": N_("to the beginning of the next hand"),
    "previous-hand": N_("Hand"),
    "previous-hand-help": N_("to the beginning of this hand, then of the one before"),
    "go": N_("Go to"),
    "go-help": N_("go to a record by its number, or type: hand 2, seat Bea"),
    "go-prompt": N_("Record"),
    "seat": N_("Seat"),
    "seat-help": N_("look on from the next seat; after the last one all that is known is shown again"),
    "open-hands": N_("All hands"),
    "open-hands-help": N_("show the cards of all players as far as they are known here"),
    "no-cards": N_("No cards are dealt at this record."),
    "first-help": N_("to the first record"),
    "last-help": N_("to the last record"),
    # lessons
    "learn-title": N_("Learn: {title}"),
    "play-step": N_("Play"),
    "play-step-help": N_("go to the table and play this step"),
    "next-step": N_("Next step"),
    "next-step-help": N_("to the next step"),
    "back-step": N_("Step back"),
    "back-step-help": N_("to the step before"),
    "again": N_("Again"),
    "again-help": N_("begin this step again"),
    "all-steps": N_("All steps"),
    "all-steps-help": N_("all steps on one page, or one step again"),
    "task": N_("Task"),
    "task-help": N_("show again what this step asks for"),
    "your-task": N_("Your task"),
    "well-done": N_("Done"),
    "not-quite": N_("Not yet"),
    "why": N_("Why"),
    "tip": N_("Tip"),
    "close": N_("Close"),
    "close-help": N_("put the box away"),
    "finish": N_("Finish"),
    "finish-help": N_("end the lesson"),
    # one screen
    "curtain": N_("One screen"),
    "lift": N_("I am ready"),
    "lift-help": N_("raise the curtain: only for the player who is called"),
    "claim": N_("Claim"),
    "claim-help": N_("claim the discard, by name"),
    "claim-question": N_("Who claims {card}?"),
    "nobody": N_("Nobody"),
    "next-deal": N_("Next hand"),
    "next-deal-help": N_("deal the next hand"),
    "leave": N_("Leave"),
    "leave-help": N_("end the game for all at this screen"),
    "leave-question": N_("End the game for everybody at this screen?"),
    "yes": N_("End it"),
    "no": N_("Play on"),
}


def size_text(hands: int, records: int) -> str:
    """Return ``2 hands in 609 records.``"""
    facts = {"hands": plural("{n} hand", "{n} hands", hands), "records": plural("{n} record", "{n} records", records)}
    return _("{hands} in {records}.").format_map(facts)


def reading_text(code: str, **facts: str | int) -> str:
    """Return what stands in a room to read in, or on one of its keys."""
    return _(_READING[code]).format_map(facts)
