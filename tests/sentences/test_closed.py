"""Every sentence of ``sentences.closed`` can be told, and says it in whole sentences where it is one."""

import string

import pytest

from rummy_p2p.sentences import closed


@pytest.mark.parametrize("code", sorted(closed._TEXTS))
def test_every_sentence_can_be_told(code: str) -> None:
    template = closed._TEXTS[code]
    facts = {name: "x" for _text, name, _spec, _kind in string.Formatter().parse(template) if name}
    told = closed.closed_text(code, **facts)
    assert "{" not in told
    assert told[0] == told[0].strip()
