"""Every sentence of ``sentences.sharing`` can be told, and says it in whole sentences where it is one."""

import string

import pytest

from rummy_p2p.sentences import sharing


@pytest.mark.parametrize("code", sorted(sharing._TEXTS))
def test_every_sentence_can_be_told(code: str) -> None:
    template = sharing._TEXTS[code]
    facts = {name: "x" for _text, name, _spec, _kind in string.Formatter().parse(template) if name}
    told = sharing.sharing_text(code, **facts)
    assert "{" not in told
    assert told[0] == told[0].strip()
