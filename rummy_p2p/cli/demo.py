"""``demo``: real programs on the loopback interface find each other, elect a host, deal, play and audit; no people."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from rummy_p2p.cli import ERROR, OK, USAGE, CommandError
from rummy_p2p.cli.local import answer, catalogue, compiled, say, store
from rummy_p2p.sentences.lobby import lobby_text
from rummy_p2p.sentences.titles import title_text
from rummy_p2p.store import Paths, Store, StoreError

NICKS: Final = ("Ada", "Bea", "Cem", "Dag", "Eli", "Fay", "Gus", "Hal")
PATIENCE: Final = 20.0
PER_HAND: Final = 60.0
MATCH: Final = 540.0

Line = dict[str, Any]


def demo(options: Namespace) -> int:
    """Run the demo; exit code 0 when everything ended as it should."""
    rules = compiled(catalogue(options), options.game, options.house)
    players = rules.players
    if not players.min <= options.peers <= players.max:
        facts = {"title": title_text(rules), "least": players.min, "most": players.max, "seats": options.peers}
        raise CommandError(lobby_text("wrong-peers", **facts), USAGE)
    started = time.monotonic()
    with ExitStack() as stack:
        folder = Path(options.keep or stack.enter_context(tempfile.TemporaryDirectory(prefix="rummy-demo-")))
        _lend_variants(options, folder)
        programs = asyncio.run(_run_all(options, folder))
        found = _conclude(options, programs, time.monotonic() - started) | {"game": rules.game, "house": rules.house}
    if options.json:
        answer(found)
    else:
        say(*_story(found))
    return OK if _ended_well(options, programs, found) else ERROR


def _lend_variants(options: Namespace, folder: Path) -> None:
    """Give every peer the games and house rules of this player, and the trust in them."""
    try:
        for nick in NICKS[: options.peers]:
            store(options).lend_variants(Store(Paths.of(folder / nick.lower())))
    except StoreError as error:
        raise CommandError(str(error)) from error


class Program:
    """One peer's process: what it said, and how it ended."""

    def __init__(self, nick: str, process: asyncio.subprocess.Process) -> None:
        """Begin to listen to it."""
        self.nick = nick
        self.lines: list[Line] = []
        self.errors = ""
        self.opened = asyncio.Event()
        self.process = process
        self.listening = asyncio.create_task(self._listen(), name=f"demo-{nick}")

    async def _listen(self) -> None:
        """Read its lines until it ends."""
        if self.process.stdout is None or self.process.stderr is None:
            return
        errors = asyncio.create_task(self.process.stderr.read())
        async for text in self.process.stdout:
            self.lines.append(msgspec.json.decode(text, type=Line))
            if self.lines[-1]["event"] == "open":
                self.opened.set()
        self.errors = (await errors).decode(errors="replace")
        await self.process.wait()
        self.opened.set()

    @property
    def failed(self) -> bool:
        """Whether it has ended otherwise than it should."""
        return self.process.returncode not in (None, 0)

    async def end(self) -> None:
        """Stop it if it still runs, and read what it has said."""
        if self.process.returncode is None:
            self.process.kill()
        await asyncio.gather(self.listening, return_exceptions=True)
        await self.process.wait()

    def all(self, event: str) -> list[Line]:
        """Return its lines of a kind."""
        return [line for line in self.lines if line["event"] == event]

    def last(self, event: str) -> Line:
        """Return its last line of a kind; an empty one when there is none."""
        return next(iter(self.all(event)[::-1]), {})


async def _run_all(options: Namespace, folder: Path) -> list[Program]:
    """Start the host, then the others at once, and wait until all have ended, or one has failed."""
    title = f"Demo {secrets.token_hex(3)}"
    dealt = [*(("--deal", options.deal) if options.deal else ()), "--trust", options.trust]
    host = ["host", options.game, "--seats", str(options.peers), "--title", title, *dealt, *_rules(options)]
    join = ["join", title, "--wait", str(PATIENCE)]
    programs: list[Program] = []
    async with _taken_down(programs):
        try:
            async with asyncio.timeout(MATCH if options.match else PER_HAND * (options.hands or 1)):
                for number, words in enumerate([host, *[join] * (options.peers - 1)]):
                    programs.append(await _spawn(options, folder, number, words))
                    await programs[0].opened.wait()
                await _all_ended(programs)
        except TimeoutError:
            sys.stderr.write("rummy-p2p: the demo did not come to an end in time; its programs are stopped.\n")
    return programs


async def _all_ended(programs: Sequence[Program]) -> None:
    """Wait until all have ended; the others have nobody to play with when one has failed."""
    waiting = {program.listening for program in programs}
    while waiting and not any(program.failed for program in programs):
        _done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)


@asynccontextmanager
async def _taken_down(programs: Sequence[Program]) -> AsyncIterator[None]:
    """Leave no program behind, and tell what they complained of."""
    try:
        yield
    finally:
        for program in programs:
            await program.end()
            sys.stderr.write("".join(f"{program.nick}: {line}\n" for line in program.errors.splitlines()))


def _rules(options: Namespace) -> list[str]:
    house = [word for rule in options.house for word in ("--house", rule)]
    return house if options.match else [*house, "--hands", str(options.hands or 1)]


async def _spawn(options: Namespace, folder: Path, number: int, words: Sequence[str]) -> Program:
    nick = NICKS[number]
    log = ["--log-level", options.log_level] if options.log_level else []
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "rummy_p2p", *words, *log, "--auto", "normal", "--json", "--seed",
        str(options.seed + number), "--nick", nick, "--interface", "lo", "--data", str(folder / nick.lower()),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, stdin=asyncio.subprocess.DEVNULL,
        env=os.environ | {"PYTHONUNBUFFERED": "1"}, limit=1 << 20,
    )  # fmt: skip
    return Program(nick, process)


# --- what came of it -------------------------------------------------------------------------------------------------


def _conclude(options: Namespace, programs: Sequence[Program], seconds: float) -> Line:
    """Put together what the programs said; they must agree in everything."""
    first = programs[0]
    ends = [program.last("match") for program in programs]
    hashes = {end.get("ledger_hash") for end in ends}
    found_by = {program.last("seated").get("discovered_by") for program in programs[1:]}
    return {
        "peers": [{"id": p.last("open").get("id"), "nick": p.nick, "pid": p.process.pid} for p in programs],
        "discovered_by": "mdns" if found_by == {"mdns"} else "address",
        "host": first.last("host").get("id"),
        "terms": ends[0].get("terms", 0),
        "deal": first.last("start").get("deal"),
        "hands": [_hand(line, programs) for line in first.all("hand")],
        "match": {key: ends[0].get(key) for key in ("over", "scores", "winner")},
        "ledger": ends[0].get("ledger") if options.keep else None,
        "ledgers_equal": len(programs) == options.peers and len(hashes) == 1 and None not in hashes,
        "seconds": round(seconds, 2),
    }


def _hand(line: Line, programs: Sequence[Program]) -> Line:
    """Return one hand, with the audit of all: ok only when every program found it so and saw the same."""
    kept = {key: line[key] for key in ("hand", "deck_commitment", "records", "scores", "winner")}
    seen = [next((other for other in p.all("hand") if other["hand"] == line["hand"]), None) for p in programs]
    audits = {"missing" if other is None else other["audit"] for other in seen}
    same = all(other is not None and all(other[key] == kept[key] for key in kept) for other in seen)
    audit = "ok" if audits == {"ok"} and same else "; ".join(sorted(audits - {"ok"})) or "the programs disagree"
    return kept | {"audit": audit}


def _ended_well(options: Namespace, programs: Sequence[Program], found: Line) -> bool:
    audited = bool(found["hands"]) and all(hand["audit"] == "ok" for hand in found["hands"])
    complete = bool(found["match"]["over"]) or not options.match
    return audited and complete and found["ledgers_equal"] and all(p.process.returncode == 0 for p in programs)


def _story(found: Line) -> list[str]:
    nicks = {peer["id"]: peer["nick"] for peer in found["peers"]}
    host = nicks.get(found["host"], "nobody")
    lines = [f"{len(nicks)} programs found each other by {found['discovered_by']}; {host} was elected host."]
    for hand in found["hands"]:
        scores = ", ".join(f"{name} {score}" for name, score in hand["scores"].items())
        lines.append(
            f"Hand {hand['hand']}: deck {hand['deck_commitment'][:16]}, {hand['records']} records, "
            f"winner {hand['winner'] or 'nobody'}; totals: {scores}; audit {hand['audit']}."
        )
    ended = "The match was not played to its end."
    if found["match"]["over"]:
        ended = f"Match won by {found['match']['winner']}."
    equal = "All ledgers are equal." if found["ledgers_equal"] else "The ledgers DIFFER."
    return [*lines, f"{ended} {equal} {found['seconds']} s."]
