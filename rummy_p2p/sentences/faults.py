"""What the layers below say in English, said in the language of the moment.

The law of the file
    Below the line a fault is a code, its parameters and an English sentence made of a template. With the code the
    template is looked up; where only the sentence has come up here, it is recognised by the templates. What is not
    recognised stays as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from string import Formatter
from typing import Final

from rummy_p2p.deal import SENTENCES as DEAL_SENTENCES
from rummy_p2p.deal.breach import SENTENCES as BREACH_SENTENCES
from rummy_p2p.protocol.errors import SENTENCES as WIRE_SENTENCES
from rummy_p2p.protocol.faults import SENTENCES as TABLE_SENTENCES
from rummy_p2p.sentences.language import N_, _, current_language

_TEMPLATES: Final[Mapping[str, str]] = {**WIRE_SENTENCES, **BREACH_SENTENCES, **DEAL_SENTENCES, **TABLE_SENTENCES}
_AROUND: Final = (
    N_("The other side ended the connection and gave this reason: {sentence}"),
    N_("The connection was ended for the reason {code}."),
    N_("The table says: {code}."),
)
# How a move is written, as ``rules.actions`` tells it.
_WANTED: Final = (
    N_("type an action such as: draw"),
    N_("nothing follows {verb}"),
    N_("no action begins with {word}; actions: {verbs}"),
    N_("{word} should name a joker and the card it stands for, as in JK=Qd"),
    N_("{word} is not a card; cards look like 7h, 10s, Qd or JK"),
    N_("{word} should be how many cards to take"),
    N_("{word} should be the number of a meld"),
    N_("there is an empty meld; separate melds with one |"),
    N_("take is followed by at most one number"),
    N_("say which card and which meld, as in: add 10h 2"),
    N_("say which card and which meld, as in: swap Qd 2"),
    N_("discard exactly one card, as in: discard 9s"),
    N_("say which card you discard, as in: knock 4h | 7h 8h 9h"),
)


def fault_text(code: str, facts: Mapping[str, int | str], written: str) -> str:
    """Return the sentence of a code of the table; without a template what was written, in other words if possible."""
    template = TABLE_SENTENCES.get(code)
    return retold(written) if template is None else _(template).format_map(_Forgiving(facts))


def retold(sentence: str) -> str:
    """Return a sentence of a lower layer in the language of the moment."""
    if current_language() == "en":
        return sentence
    told = _(sentence)
    if told != sentence:
        return told
    for pattern, template in _patterns():
        match = pattern.fullmatch(sentence)
        if match:
            facts = match.groupdict()
            inner = facts.get("sentence")
            return _(template).format_map(facts | ({"sentence": retold(inner)} if inner else {}))
    return sentence


class _Forgiving(dict[str, int | str]):
    """A fact that a peer left out must not break the sentence."""

    def __missing__(self, key: str) -> str:
        return "?"


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the templates that leave something open; those that say most come first, as they recognise best."""
    texts = [text for text in (*_TEMPLATES.values(), *_AROUND, *_WANTED) if "{" in text]
    texts.sort(key=lambda text: -len(re.sub(r"{\w+}", "", text)))
    return tuple((re.compile("".join(_pattern(text)), re.DOTALL), text) for text in texts)


def _pattern(text: str) -> Iterator[str]:
    known: set[str] = set()
    for literal, name, _spec, _conversion in Formatter().parse(text):
        yield re.escape(literal)
        if name:
            yield f"(?P={name})" if name in known else f"(?P<{name}>.+?)"
            known.add(name)
