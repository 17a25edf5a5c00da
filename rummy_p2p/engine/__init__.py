"""The engine: the rules at work, on slots, from public information alone.

The same engine runs on the host, on every guest and in a replay; the host's copy knows no more than a guest's. Faces
come in as arguments (openings that the deal has verified); a seat's own faces are an overlay beside the state
(``View``). A hand is a fold over actions: ``apply(state, seat, action, shown) -> Step(state, events, wants)``.
"""

from rummy_p2p.engine.match import MatchState, MatchStep, forfeit, leaders, open_hand, reveal, settle, start_match
from rummy_p2p.engine.moves import apply, time_out, unshown
from rummy_p2p.engine.steps import Step, Want
from rummy_p2p.engine.view import (
    NOBODY,
    View,
    check,
    legal_actions,
    preview,
    public_view,
    read_action,
    to_show,
    view_for,
)
from rummy_p2p.rules.actions import Action, ParseError, parse_action
from rummy_p2p.rules.functions import KnobFailed
from rummy_p2p.rules.legality import IllegalAction, claimants
from rummy_p2p.rules.position import HandState, Phase, snapshot

__all__ = [
    "NOBODY",
    "Action",
    "HandState",
    "IllegalAction",
    "KnobFailed",
    "MatchState",
    "MatchStep",
    "ParseError",
    "Phase",
    "Step",
    "View",
    "Want",
    "apply",
    "check",
    "claimants",
    "forfeit",
    "leaders",
    "legal_actions",
    "open_hand",
    "parse_action",
    "preview",
    "public_view",
    "read_action",
    "reveal",
    "settle",
    "snapshot",
    "start_match",
    "time_out",
    "to_show",
    "unshown",
    "view_for",
]
