"""Every sentence of ``sentences.guests`` can be told, and says it in whole sentences where it is one."""

import string

import pytest

from rummy_p2p.sentences import guests


@pytest.mark.parametrize("code", sorted(guests._TEXTS))
def test_every_sentence_can_be_told(code: str) -> None:
    template = guests._TEXTS[code]
    facts = {name: "x" for _text, name, _spec, _kind in string.Formatter().parse(template) if name}
    told = guests.guest_text(code, **facts)
    assert "{" not in told
    assert told[0] == told[0].strip()
