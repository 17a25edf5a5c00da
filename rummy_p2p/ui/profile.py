"""Who the player is to others, and what has been played here, as lines of a page."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import msgspec

from rummy_p2p.sentences.screen_lobby import hands_text, known_text, ledgers_text, matches_text, profile_text
from rummy_p2p.sentences.titles import title_text
from rummy_p2p.statistics import Played, Totals
from rummy_p2p.ui.lobby_model import Profile
from rummy_p2p.variants.manager import Catalogue


def profile_title() -> str:
    """Return the heading of the page."""
    return profile_text("title")


def profile_lines(profile: Profile, games: Catalogue) -> list[str]:
    """Return the page."""
    lines = [
        profile_text("nick", nick=profile.nick),
        profile_text("words", words=profile.words),
        profile_text("id", id=profile.id),
        profile_text("address", address=profile.address),
        profile_text("folder", folder=profile.folder),
        profile_text("version", version=profile.version),
        *([known_text(profile.peers)] if profile.peers else []),
        "",
    ]
    with_people = [total for total in profile.totals if not total.alone]
    alone = [total for total in profile.totals if total.alone]
    if not profile.totals:
        lines.append(profile_text("nothing"))
    lines += _part("with-people", with_people, games)
    lines += _part("alone", alone, games)
    if len(profile.totals) > 1:
        lines += ["", _sums(profile_text("together"), _together(profile.totals))]
    if profile.latest:
        lines += ["", profile_text("latest"), *(f"  {_match(match, games)}" for match in profile.latest)]
    if profile.ledgers:
        lines += ["", ledgers_text(profile.ledgers)]
    return lines


def _part(heading: str, totals: Iterable[Totals], games: Catalogue) -> list[str]:
    lines = [f"  {_line(total, games)}" for total in totals]
    return [profile_text(heading), *lines] if lines else []


def _line(total: Totals, games: Catalogue) -> str:
    return _sums(_title(total.game, games), total)


def _title(game: str, games: Catalogue) -> str:
    known = games.games.get(game)
    return title_text(known.rules) if known else game


def _together(totals: Iterable[Totals]) -> Totals:
    """Return the sums of all games."""
    rows = [msgspec.structs.astuple(total)[2:] for total in totals]
    return Totals("", False, *map(sum, zip(*rows, strict=True)))  # noqa: FBT003 -- the columns of a row


def _match(match: Played, games: Catalogue) -> str:
    when = datetime.fromtimestamp(match.began).astimezone().strftime("%Y-%m-%d %H:%M")
    result = profile_text("not-over" if not match.over else "won" if match.won else "lost")
    game, players = _title(match.game, games), ", ".join(match.players)
    return profile_text("match", when=when, game=game, players=players, result=result)


def _sums(game: str, total: Totals) -> str:
    return profile_text(
        "line",
        game=game,
        matches=matches_text(total.matches),
        won=total.won,
        hands=hands_text(total.hands),
        hands_won=total.hands_won,
        each=f"{total.points / max(1, total.hands):.1f}",
    )
