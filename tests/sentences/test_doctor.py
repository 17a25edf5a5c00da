"""Every check of the doctor has its sentence, and every remedy."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rummy_p2p
from rummy_p2p.node.checks import Layer
from rummy_p2p.sentences import doctor
from rummy_p2p.sentences.doctor import detail_text, fix_text, layer_text, verdict

SOURCES = [Path(rummy_p2p.__file__).parent / name for name in (
    "node/doctor.py", "node/doctor_peer.py", "cli/doctoring.py", "cli/doctor_terminal.py"
)]  # fmt: skip
SAID = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)


@pytest.mark.parametrize("layer", Layer)
def test_every_layer_has_a_name(layer: Layer) -> None:
    assert layer_text(layer.value)


@pytest.mark.parametrize("code", sorted(doctor._DETAILS))
def test_every_sentence_is_said_somewhere(code: str) -> None:
    stem = code.rpartition("-")[0] if code.startswith("rules-") else code
    assert re.search(rf'"{code}"|"{stem}-\{{', SAID)


@pytest.mark.parametrize("code", sorted(doctor._FIXES))
def test_every_remedy_is_given_somewhere(code: str) -> None:
    assert f'"{code}"' in SAID


def test_how_many_there_are() -> None:
    facts = {"name": "eth0", "address": "10.0.0.7"}
    assert "one machine answers" in detail_text("multicast-heard", facts | {"others": 1})
    assert "3 machines answer" in detail_text("multicast-heard", facts | {"others": 3})
    assert detail_text("seen", {"count": 2, "names": "Ada, Bea"}) == "2 programs of this game: Ada, Bea."


def test_nothing_to_do_is_nothing_to_say() -> None:
    assert fix_text("", {}) == ""


def test_the_last_line_names_the_layer_to_begin_with() -> None:
    assert verdict(0, "") == "All that could be looked at works."
    assert verdict(1, "tcp") == "One thing does not work. Begin with: TCP."
    assert verdict(3, "port-5353") == "3 things do not work. Begin with: UDP port 5353."
