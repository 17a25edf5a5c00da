"""The demo: real programs on the loopback interface, what it answers, and the ledger that it keeps."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rummy_p2p.cli import ERROR, OK, USAGE, demo, main
from rummy_p2p.protocol.verify import verify

ROOT = Path(__file__).parents[2]
SAMPLES = 40

KEYS = {
    "peers": {"id", "nick", "pid"},
    "hands": {"hand", "deck_commitment", "records", "scores", "winner", "audit"},
    "match": {"over", "scores", "winner"},
}


def run(*words: str) -> tuple[dict[str, Any], str]:
    done = subprocess.run(
        [sys.executable, "-m", "rummy_p2p", "demo", "--json", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == OK, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found, done.stderr


def check_shape(found: dict[str, Any], peers: int) -> None:
    """As docs/cli.md says."""
    assert set(found) == {
        *("peers", "discovered_by", "host", "terms", "game", "house", "deal", "hands", "match", "ledger"),
        *("ledgers_equal", "seconds"),
    }
    assert [set(peer) for peer in found["peers"]] == [KEYS["peers"]] * peers
    assert all(set(hand) == KEYS["hands"] for hand in found["hands"])
    assert set(found["match"]) == KEYS["match"]
    assert found["host"] in {peer["id"] for peer in found["peers"]}
    assert [hand["hand"] for hand in found["hands"]] == list(range(1, len(found["hands"]) + 1))
    assert all(len(bytes.fromhex(hand["deck_commitment"])) == 32 for hand in found["hands"])


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("deal", "words"), [("blind", ()), ("blind", ("--trust", "all")), ("host", ("--deal", "host"))]
)
def test_two_programs_play_one_hand_and_its_ledger_is_proof_against_every_change(
    deal: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    found, errors = run("--peers", "2", "--keep", str(tmp_path), *words)
    check_shape(found, 2)
    assert (found["discovered_by"], found["terms"], found["ledgers_equal"]) == ("mdns", 1, True)
    assert [hand["audit"] for hand in found["hands"]] == ["ok"]
    assert (found["match"]["over"], found["deal"], found["game"]) == (False, deal, "rummy-no")
    assert errors == ""
    data = Path(found["ledger"]).read_bytes()
    report = verify(data)
    assert (report.ok, report.hands, report.records) == (True, 1, found["hands"][0]["records"] + 2)
    assert main(["verify", found["ledger"]]) == OK
    sizes = [len(data) * number // SAMPLES for number in range(SAMPLES)]
    for place in (*sizes, len(data) - 1):
        changed = verify(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        assert (place, changed.ok) == (place, False)
        [problem] = changed.problems
        assert problem.sentence
        assert problem.seq in records_at(data, place, report.records)


def records_at(data: bytes, place: int, last: int) -> tuple[int, ...]:
    """The number of the record to which a byte of a ledger file belongs; what stands behind them is about the last."""
    end = 0
    for number in range(1, last + 1):
        end += 4 + int.from_bytes(data[end : end + 4], "big")
        if place < end:
            return (number,)
    return (last, last + 1)


@pytest.mark.timeout(150)
def test_three_programs_play_a_whole_match_with_house_rules() -> None:
    found, _errors = run("--peers", "3", "--match", "--house", "joker-20:jokers=4", "--house", "limit=25")
    check_shape(found, 3)
    assert (found["discovered_by"], found["terms"], found["ledgers_equal"]) == ("mdns", 1, True)
    assert found["house"] == ["joker-20:jokers=4", "limit=25"]
    assert {hand["audit"] for hand in found["hands"]} == {"ok"}
    assert found["match"]["over"] is True
    assert found["match"]["scores"] == found["hands"][-1]["scores"]
    assert found["match"]["winner"] in {"Ada", "Bea", "Cem"}
    assert found["ledger"] is None


# ---------------------------------------------------------------- when it does not end well


def in_process(*words: str) -> int:
    return main(["demo", "--json", "--peers", "2", *words])


def test_a_game_that_is_not_for_so_many(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--peers", "7"]) == USAGE
    assert capsys.readouterr().err == (
        "rummy-p2p: Norwegian rummy is for 2 to 6 players, not 7. Choose with --peers.\n"
    )


def test_one_program_that_fails_ends_the_demo_at_once(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(demo, "PATIENCE", "nonsense")
    assert in_process() == ERROR
    told = capfdbinary.readouterr()
    found = json.loads(told.out)
    assert (found["hands"], found["ledgers_equal"], found["match"]["over"]) == ([], False, None)
    assert b"Bea: rummy-p2p: argument --wait: invalid float value: 'nonsense'" in told.err


def test_a_demo_that_does_not_end_is_stopped(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(demo, "PER_HAND", 0.2)
    assert in_process() == ERROR
    told = capfdbinary.readouterr()
    assert json.loads(told.out)["hands"] == []
    assert b"the demo did not come to an end in time; its programs are stopped." in told.err


class Fake(demo.Program):
    """A program that has already said what it had to say."""

    def __init__(self, *lines: demo.Line) -> None:
        self.lines = list(lines)


HAND = {"event": "hand", "hand": 1, "deck_commitment": "ab", "records": 9, "scores": {"Ada": 1}, "winner": "Ada"}


@pytest.mark.parametrize(
    ("others", "audit"),
    [
        ([HAND | {"audit": "ok"}], "ok"),
        ([HAND | {"audit": "bad-deck"}], "bad-deck"),
        ([HAND | {"audit": "ok", "deck_commitment": "cd"}], "the programs disagree"),
        ([], "missing"),
    ],
)
def test_a_hand_is_in_order_when_all_have_found_it_so(others: list[demo.Line], audit: str) -> None:
    first = HAND | {"audit": "ok"}
    assert demo._hand(first, [Fake(first), Fake(*others)])["audit"] == audit


def test_the_story_for_people() -> None:
    hand = {key: HAND[key] for key in HAND if key != "event"} | {"audit": "ok"}
    found = {
        "peers": [{"id": "1a", "nick": "Ada"}, {"id": "2b", "nick": "Bea"}],
        "discovered_by": "mdns",
        "host": "2b",
        "hands": [hand, hand | {"winner": None}],
        "match": {"over": True, "winner": "Ada"},
        "ledgers_equal": True,
        "seconds": 1.5,
    }
    assert demo._story(found) == [
        "2 programs found each other by mdns; Bea was elected host.",
        "Hand 1: deck ab, 9 records, winner Ada; totals: Ada 1; audit ok.",
        "Hand 1: deck ab, 9 records, winner nobody; totals: Ada 1; audit ok.",
        "Match won by Ada. All ledgers are equal. 1.5 s.",
    ]
    worse = found | {"match": {"over": False, "winner": None}, "ledgers_equal": False}
    assert demo._story(worse)[-1] == "The match was not played to its end. The ledgers DIFFER. 1.5 s."
