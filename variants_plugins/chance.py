"""A level of play for comparisons: any move that is allowed, as the dice have it."""

from random import Random

from rummy_p2p.variants.api import Action, Bot, View, hookimpl, legal_actions


def decide(view: View, seed: int) -> Action | None:
    """Return any legal action; out of turn none, since what it takes it could not use."""
    actions = legal_actions(view)
    dice = Random(seed * 1_000_003 + len(view.state.stock) * 64 + len(view.hand))  # noqa: S311 -- seeded on purpose
    owes = view.on_turn or any(action.verb == "show" for action in actions)
    return dice.choice(actions) if owes and actions else None


@hookimpl
def rummy_bots() -> list[Bot]:
    """Yield the level."""
    return [Bot("chance", decide, "Any move that is allowed.")]
