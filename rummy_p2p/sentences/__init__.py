"""All text for players: why a move is refused, what has happened, what counts, what can be typed.

The law of the package
    Whoever shows something to a player takes the sentence from here; below there are codes, knobs and events, no words.
    Plain English in whole sentences, one for each case and not glued together from halves, so that each can be
    translated; it goes through gettext when it is shown (``language``), so that the language may change at any time.
    A sentence of a refusal says what, why and what to do. Nothing that a stranger wrote gets in uncleaned.
    Here are the sentences of cards and moves. What a table on the network says is in ``lan``, which needs the protocol.
"""

from rummy_p2p.sentences.events import event_line, score_lines, standings
from rummy_p2p.sentences.guide import (
    COMMANDS,
    Notice,
    answer_text,
    call_hint,
    command_lines,
    help_lines,
    labelled_call,
    practice_notice,
    rules_lines,
    turn_hint,
    unknown_command,
    verbs,
)
from rummy_p2p.sentences.language import use_language
from rummy_p2p.sentences.refusals import refusal
from rummy_p2p.sentences.table import ORDERS, Order, hand_line, prompt_text, table_lines, turn_lines

__all__ = [
    "COMMANDS",
    "ORDERS",
    "Notice",
    "Order",
    "answer_text",
    "call_hint",
    "command_lines",
    "event_line",
    "hand_line",
    "help_lines",
    "labelled_call",
    "practice_notice",
    "prompt_text",
    "refusal",
    "rules_lines",
    "score_lines",
    "standings",
    "table_lines",
    "turn_hint",
    "turn_lines",
    "unknown_command",
    "use_language",
    "verbs",
]
