"""The rule sheet: a Ruleset in words, what differs from the standard game first; the words are those of ``matters``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from rummy_p2p.protocol.text import clean
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.language import _, listed
from rummy_p2p.sentences.titles import title_text
from rummy_p2p.variants.matters import matters


def sheet(rules: Ruleset, changed: Mapping[str, tuple[object, object]]) -> list[str]:
    """Return the paragraphs; ``changed`` is what ``ruleset.differences`` found between the standard game and this."""
    here = matters(rules)
    told = [f"{heading}: {' '.join(sentences)}" for heading, sentences in here.items()]
    return [_title(rules), *_differences(rules, here, changed), *told]


def difference_paragraphs(rules: Ruleset, changed: Mapping[str, tuple[object, object]]) -> list[str]:
    """Return only the paragraphs about what differs; ``changed`` as for ``sheet``."""
    return list(_differences(rules, matters(rules), changed))


def _title(rules: Ruleset) -> str:
    title = title_text(rules) or _("Rummy")
    if not rules.house:
        return _("{title}.").format(title=title)
    return _("{title}, with the house rules {house}.").format(title=title, house=clean(listed(list(rules.house)), 400))


def _differences(
    rules: Ruleset, here: Mapping[str, Sequence[str]], changed: Mapping[str, tuple[object, object]]
) -> Iterator[str]:
    """Yield for each matter the sentences that are new, with those in whose place they stand."""
    standard = matters(_standard(rules, changed))
    told = False
    for heading in dict.fromkeys((*here, *standard)):
        new = [text for text in here.get(heading, ()) if text not in standard.get(heading, ())]
        old = [text for text in standard.get(heading, ()) if text not in here.get(heading, ())]
        if new or old:
            told = True
            yield _difference(heading, " ".join(new), " ".join(old))
    if changed and not told:
        yield from (
            _("Different here: {knob} is {here}, not {standard}.").format(knob=knob, here=here_, standard=there)
            for knob, (there, here_) in changed.items()
        )


def _difference(heading: str, new: str, old: str) -> str:
    if not old:
        return _("Different here ({matter}): {new}").format(matter=heading, new=new)
    if not new:
        return _("Not here ({matter}): {old}").format(matter=heading, old=old)
    return _("Different here ({matter}): {new} Instead of: {old}").format(matter=heading, new=new, old=old)


def _standard(rules: Ruleset, changed: Mapping[str, tuple[object, object]]) -> Ruleset:
    """Return the Ruleset with everything put back; a function of a plugin can only be left out."""
    data = {knob.replace(".", "__"): was for knob, (was, _here) in changed.items() if not _is_function(knob)}
    kept = tuple(one for one in rules.functions if f"functions.{one.name}" not in changed)
    return msgspec.structs.replace(rules, functions=kept).with_(**data)


def _is_function(knob: str) -> bool:
    return knob.startswith("functions.")
