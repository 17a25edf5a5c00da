from __future__ import annotations

import re
from pathlib import Path

from rummy_p2p.sentences import simulation
from rummy_p2p.sentences.simulation import (
    ending_text,
    endings_text,
    plain_interval,
    share_text,
    simulation_text,
    with_interval,
)

ROOT = Path(__file__).parents[2] / "rummy_p2p"


def test_every_sentence_is_said_somewhere_and_can_be_said() -> None:
    source = (ROOT / "cli" / "simulating.py").read_text("utf-8")
    for code, text in simulation._TEXTS.items():
        assert f'"{code}"' in source, code
        facts = dict.fromkeys(re.findall(r"{(\w+)}", text), "7")
        assert "{" not in simulation_text(code, **facts)


def test_endings_are_told_with_their_share_the_most_frequent_first() -> None:
    assert endings_text({"stock": 1, "out": 3}) == "somebody goes out 75 %, the stock runs out 25 %"
    assert endings_text(dict.fromkeys(simulation._ENDINGS, 1)).count("%") == len(simulation._ENDINGS)


def test_figures_have_their_interval() -> None:
    assert with_interval(2.51, 1.1) == "+2.5 ± 1.1"
    assert plain_interval(2.51, 1.1) == "2.5 ± 1.1"
    assert ending_text("knock") == "a knock"
    assert share_text(0.575, 0.012) == "57.5 % ± 1.2"
