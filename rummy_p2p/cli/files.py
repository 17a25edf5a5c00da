"""Commands about ledger files: verify."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from rummy_p2p.cli import ERROR, OK, USAGE, CommandError
from rummy_p2p.cli.local import answer, catalogue, say
from rummy_p2p.protocol.verify import rules_in
from rummy_p2p.protocol.verify import verify as check
from rummy_p2p.ruleset import Ruleset, RulesetError
from rummy_p2p.sentences.commands import command_text
from rummy_p2p.sentences.faults import retold
from rummy_p2p.sentences.lobby import ledger_text, lobby_text
from rummy_p2p.variants.foreign import rules_with_functions


def verify(options: Namespace) -> int:
    """Check a ledger file: signatures, chain, every card, every rule, the scores."""
    data, rules = read_ledger(options)
    report = check(data, rules)
    if options.json:
        answer({"ok": report.ok, "records": report.records, "hands": report.hands, "problems": report.problems})
    else:
        for problem in report.problems:
            say(command_text("problem", seq=problem.seq, sentence=retold(problem.sentence), code=problem.code))
        say(ledger_text(report.records, report.hands, in_order=report.ok))
    return OK if report.ok else ERROR


def read_ledger(options: Namespace) -> tuple[bytes, Ruleset | None]:
    """Return what stands in a ledger file, and its rules where they can be played here; or end the command."""
    try:
        data = Path(options.file).read_bytes()
    except OSError as error:
        why = error.strerror or str(error)
        raise CommandError(lobby_text("no-file", file=options.file, why=why), USAGE) from error
    return data, _rules(data, options)


def _rules(data: bytes, options: Namespace) -> Ruleset | None:
    """Return the rules of a ledger with the functions that are installed here; None when some of them are not."""
    canonical = rules_in(data)
    if canonical is None:
        return None
    try:
        return rules_with_functions(catalogue(options), canonical)
    except RulesetError:
        return None
