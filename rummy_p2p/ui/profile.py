"""Who the player is to others, and what has been played here, as lines of a page."""

from __future__ import annotations

from collections.abc import Iterable

from rummy_p2p.sentences.screen_lobby import hands_text, ledgers_text, matches_text, profile_text
from rummy_p2p.sentences.titles import title_text
from rummy_p2p.statistics import Totals
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
        "",
    ]
    with_people = [total for total in profile.totals if not total.alone]
    alone = [total for total in profile.totals if total.alone]
    if not profile.totals:
        lines.append(profile_text("nothing"))
    lines += _part("with-people", with_people, games)
    lines += _part("alone", alone, games)
    if profile.ledgers:
        lines += ["", ledgers_text(profile.ledgers)]
    return lines


def _part(heading: str, totals: Iterable[Totals], games: Catalogue) -> list[str]:
    lines = [f"  {_line(total, games)}" for total in totals]
    return [profile_text(heading), *lines] if lines else []


def _line(total: Totals, games: Catalogue) -> str:
    game = games.games.get(total.game)
    return profile_text(
        "line",
        game=title_text(game.rules) if game else total.game,
        matches=matches_text(total.matches),
        won=total.won,
        hands=hands_text(total.hands),
        hands_won=total.hands_won,
        each=f"{total.points / max(1, total.hands):.1f}",
    )
