"""The pages behind the keys of the table: info, how others join."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rummy_p2p.engine import MatchState, View
from rummy_p2p.protocol.text import NICK_LIMIT, clean
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences import rules_lines, standings, table_lines
from rummy_p2p.sentences.screen import TableFacts, clock_text, table_text, watching_text
from rummy_p2p.sentences.titles import title_text
from rummy_p2p.ui.table_forming import door_lines
from rummy_p2p.ui.table_scene import name_of
from rummy_p2p.ui.table_state import TableState
from rummy_p2p.ui.table_waiting import Gone, gone_line


def info_lines(
    facts: TableFacts,
    rules: Ruleset,
    names: Sequence[str],
    view: View | None,
    match: MatchState | None,
    gone: Sequence[Gone] = (),
    times: Sequence[str] = (),
) -> Iterator[str]:
    """Yield who plays, who is host, how it is dealt and checked, who is gone, who has what time, the rules in short."""
    yield table_text("game", title=title_text(rules))
    if facts.place == "lan":
        yield table_text("host", name=clean(facts.host, NICK_LIMIT)) if facts.host else table_text("no-host")
    yield table_text({"host": "host-deal", "blind": "blind-deal"}.get(facts.deal, "local-deal"))
    if facts.could_look[1]:
        yield table_text("could-look", few=facts.could_look[0], all=facts.could_look[1])
    if facts.deck:
        yield table_text("deck-line", mark=facts.deck[:16])
    if facts.audit:
        yield table_text("audit-line-ok" if facts.audit == "ok" else "audit-line-bad", code=facts.audit)
    elif facts.place == "lan":
        yield table_text("audit-line-none")
    for name, words in facts.people:
        yield table_text("pair-words", name=clean(name, NICK_LIMIT), words=words)
    for name, owner in facts.guests:
        yield table_text("guest-trust", name=clean(name, NICK_LIMIT), owner=clean(owner, NICK_LIMIT))
    if facts.watching:
        yield watching_text(facts.watching)
    if facts.why:
        yield facts.why
    yield from map(gone_line, gone)
    yield from times
    yield ""
    yield from () if match is None else standings(match, names, rules)
    yield from () if view is None else table_lines(view, names)
    yield ""
    yield from rules_lines(rules)
    yield table_text("fingerprint", mark=rules.fingerprint[:16])
    yield table_text("mute-help")


def time_lines(view: View, state: TableState, names: Sequence[str], now: float) -> Iterator[str]:
    """Yield what everybody has left of the time for all turns, where there is such a clock."""
    for seat in range(view.state.seats):
        left = state.match_left(view.state, seat, now)
        if left is not None:
            yield table_text("time-left", name=name_of(names, seat), time=clock_text(left[0]))


def invite_lines(facts: TableFacts, code: str = "") -> tuple[str, ...]:
    """Return how others join this table, first by what can be said aloud; nothing where nobody can."""
    title, address = facts.joining
    if not address:
        return ()
    name, door = table_text("invite-name", title=title), door_lines(facts)
    if not code:
        return name, table_text("invite-address", address=address), *door
    short = table_text("invite-address", address=address.partition("#")[0])
    return table_text("invite-code", code=code), name, short, table_text("invite-large"), *door
