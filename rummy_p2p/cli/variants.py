"""What a maker of house rules asks for: variants check, variants new, variants trust."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from rummy_p2p.cli import ERROR, OK, USAGE, CommandError
from rummy_p2p.cli.local import answer, refused, say, store
from rummy_p2p.offline.check import Checked, Misfit, TableTried, check_plugin
from rummy_p2p.offline.scenario import Outcome
from rummy_p2p.ruleset import RulesetError
from rummy_p2p.store import StoreError
from rummy_p2p.variants.folder import file_source, own_variants
from rummy_p2p.variants.manager import OWN, Catalogue, PluginInfo, installed, make_catalogue
from rummy_p2p.variants.template import new_plugin

RECORD = 12


def carry_out(options: Namespace) -> int:
    """Do what the command wants of one variant."""
    if not options.target:
        wanted = "NAME" if options.action == "new" else "FILE"
        raise CommandError(f"variants {options.action} needs a {wanted}.", USAGE)
    return {"check": _check, "new": _new, "trust": _trust}[options.action](options)


def _new(options: Namespace) -> int:
    folder = Path(options.into)
    try:
        plugin, test = new_plugin(options.target, folder)
    except RulesetError as error:
        raise refused(error) from error
    if options.json:
        answer({"plugin": str(plugin), "test": str(test)})
        return OK
    say(
        f"{plugin} is a plugin with one house rule; {test.name} is its test. Change what it does, then:",
        f"  {Path(sys.executable).name} -m pytest {test}",
        f"  rummy-p2p variants trust {plugin}",
        f"  rummy-p2p variants check {plugin}",
        f"To play with it, put it into {store(options).variants_folder}, then:",
        f"  rummy-p2p practice rummy-no --house {options.target}",
    )
    return OK


def _trust(options: Namespace) -> int:
    path = Path(options.target)
    if path.suffix != ".py":
        raise CommandError(f"{path} is not a plugin in Python; a house rule in TOML is data and needs no trust.", USAGE)
    files = store(options)
    try:
        digest = files.trust(path)
    except StoreError as error:
        raise CommandError(str(error)) from error
    if options.json:
        answer({"file": str(path), "sha256": digest})
        return OK
    say(f"{path} is trusted as it is now (sha256 {digest}). When it changes it must be trusted again.")
    if path.absolute().parent != files.variants_folder.absolute():
        say(f"To play with it, put it into {files.variants_folder}")
    return OK


# --- check -----------------------------------------------------------------------------------------------------------


def _check(options: Namespace) -> int:
    file = Path(options.target)
    if file.suffix not in OWN or not file.exists():
        told = "does not exist" if not file.exists() else "is neither a house rule in TOML nor a plugin in Python"
        raise CommandError(f"{file} {told}.", USAGE)
    if options.hands < 1:
        raise CommandError(f"--hands is how many hands each table plays, at least 1, not {options.hands}.", USAGE)
    found = _catalogue_with(file, options)
    failed = next((info for info in found.plugins if info.name == file.name and not info.ok), None)
    if failed is not None:
        return _left_out(file, failed, options)
    checked = check_plugin(found, file.name, file, options.hands, options.seed, lambda table: _tell(table, options))
    if options.json:
        answer({"file": str(file), "error": None, **_fields(checked)})
    else:
        say(*map(_misfit, checked.misfits), *map(_scenario, checked.scenarios), _sum(file, checked))
    return OK if checked.ok else ERROR


def _catalogue_with(file: Path, options: Namespace) -> Catalogue:
    """Return the catalogue in which the file stands in the place of the player's own file of that name."""
    files = store(options)
    own, notices = own_variants(files)
    for notice in notices:
        sys.stderr.write(f"rummy-p2p: {notice.sentence}\n")
    others = [source for source in own if source.name != file.name]
    return make_catalogue([*installed(), *others, file_source(file, files)])


def _left_out(file: Path, failed: PluginInfo, options: Namespace) -> int:
    if not options.json:
        raise CommandError(failed.error or file.name)
    answer(
        {"file": str(file), "error": failed.error, **_fields(Checked(ok=False, tables=(), misfits=(), scenarios=()))}
    )
    return ERROR


def _fields(checked: Checked) -> dict[str, object]:
    return {
        "ok": checked.ok,
        "tables": checked.tables,
        "misfits": checked.misfits,
        "scenarios": checked.scenarios,
    }


def _tell(table: TableTried, options: Namespace) -> None:
    """Say how a table fared as soon as it is known: a check takes its time."""
    if options.json:
        return
    name = " + ".join((table.game, *table.house))
    if table.ok:
        say(f"holds    {name}, {table.seats} players: {table.hands} hands, {table.actions} moves")
    else:
        say(f"BROKEN   {name}, {table.seats} players, seed {table.seed}: {table.law}: {table.problem}")
        say(*(f"           {line}" for line in table.record[-RECORD:]))
    sys.stdout.flush()


def _misfit(misfit: Misfit) -> str:
    return f"not for  {misfit.game}: {misfit.why}"


def _scenario(outcome: Outcome) -> str:
    if outcome.ok:
        return f"holds    {outcome.file}"
    where = "at the end" if outcome.step is None else f"step {outcome.step}"
    return f"BROKEN   {outcome.file}: {where}: expected {outcome.expected}, got {outcome.got}"


def _sum(file: Path, checked: Checked) -> str:
    if not checked.tables:
        return f"{file.name} fits no game that is here."
    laws = sum(not table.ok for table in checked.tables)
    failed = sum(not outcome.ok for outcome in checked.scenarios)
    tables, scenarios = len(checked.tables), len(checked.scenarios)
    if checked.ok:
        return f"{file.name}: every law holds at {tables} tables, and so do {scenarios} scenarios."
    return f"{file.name}: {laws} of {tables} tables and {failed} of {scenarios} scenarios fail."
