"""Every code of a table has a sentence; a fault says who."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from rummy_p2p.protocol.errors import SENTENCES as LINK_SENTENCES
from rummy_p2p.protocol.errors import LocalProtocolError, RemoteProtocolError
from rummy_p2p.protocol.faults import SENTENCES, Fault, Refusal, say

PACKAGE = Path(__file__).parents[2] / "rummy_p2p"
RAISERS = {"Fault", "Refusal", "DealError"}


def codes_raised() -> set[str]:
    """Every code that the source gives to a fault, a refusal or an error of the deal."""
    found = set()
    for path in [*(PACKAGE / "protocol").glob("*.py"), *(PACKAGE / "deal").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISERS and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    found.add(str(first.value))
    return found


def test_every_code_that_is_raised_has_a_sentence() -> None:
    assert codes_raised()
    assert codes_raised() - SENTENCES.keys() - LINK_SENTENCES.keys() == set()


@pytest.mark.parametrize("code", sorted(SENTENCES))
def test_a_sentence_is_one_and_can_always_be_said(code: str) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code)
    sentence = say(code)
    assert sentence[0].isupper() or sentence.startswith("?")
    assert sentence.rstrip().endswith((".", "?"))
    assert "{" not in sentence


def test_a_code_that_is_not_listed_is_named() -> None:
    assert say("new-code") == "The table says: new-code."


def test_a_fault_carries_the_culprit_and_a_refusal_is_our_own() -> None:
    fault = Fault("left", b"c" * 32, player="Cem")
    assert (fault.code, fault.culprit, fault.evidence) == ("left", b"c" * 32, ())
    assert str(fault).startswith("Cem left.")
    assert isinstance(fault, RemoteProtocolError)
    assert isinstance(Refusal("no-hand"), LocalProtocolError)
    assert str(Refusal("no-hand")) == "No cards are dealt at the moment."
