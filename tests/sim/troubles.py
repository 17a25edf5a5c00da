"""How each kind of trouble is done to a simulated LAN."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from tests.sim.node import Node
from tests.sim.plan import HOST, ON_TURN, Kind, Trouble

if TYPE_CHECKING:
    from tests.sim.world import World

START: TypeAlias = "Callable[[World], None]"
IDLE_LIMIT: Final = 20.0  # a link that is silent for so long is closed by the programs at its ends
HEALED_AFTER: Final = 0.5


def follow(world: World) -> None:
    """Put all troubles of the scenario into the world's future, and the moment when they are over."""
    troubles = world.scenario.troubles
    for trouble in troubles:
        world.at(world.began + trouble.at, None, partial(start, world, trouble))
    ends = max((trouble.at + trouble.span for trouble in troubles), default=0.0)
    world.at(world.began + ends + HEALED_AFTER, None, world.heal)


def start(world: World, trouble: Trouble) -> None:
    """Let a trouble begin; it ends by itself."""
    node = who(world, trouble.who)
    world.injected[trouble.kind] += 1
    world.tell(f"{trouble} -> {node.name}")
    KINDS[trouble.kind](world, node, trouble)


def who(world: World, role: int) -> Node:
    """Who has a role now."""
    fold, nodes = world.laws.newest, world.nodes
    if role == HOST and fold is not None and fold.host in world.by_id:
        return world.by_id[fold.host]
    if role == ON_TURN and fold is not None and fold.hand is not None:
        return world.by_id[fold.owner_of(fold.hand.turn)]
    return nodes[role % len(nodes)]


def _other(world: World, node: Node, trouble: Trouble) -> Node:
    others = [each for each in world.nodes if each is not node]
    return others[trouble.other % len(others)]


def _crash(world: World, node: Node, trouble: Trouble) -> None:
    node.doomed = trouble.stage
    if trouble.stage == "at-once" and node.is_up:
        world.stop(node)
    world.at(world.time + trouble.span, None, lambda: world.restart(node))


def _crash_all(world: World, node: Node, trouble: Trouble) -> None:
    for each in world.nodes:
        _crash(world, each, trouble)


def _pause(world: World, node: Node, trouble: Trouble) -> None:
    """Those at the other ends give a link up that is silent for too long."""
    node.asleep_until = max(node.asleep_until, world.time + trouble.span)
    if trouble.span > IDLE_LIMIT:
        for other in world.nodes:
            if other is not node:
                world.at(world.time + IDLE_LIMIT, None, partial(world.cut, node, other, 0.5))


def _cut(world: World, node: Node, trouble: Trouble) -> None:
    _block(world, node, _other(world, node, trouble), trouble.span)
    world.cut(node, _other(world, node, trouble), trouble.span)


def _half_open(world: World, node: Node, trouble: Trouble) -> None:
    other = _other(world, node, trouble)
    _block(world, node, other, trouble.span)
    world.cut(node, other, trouble.span, (0.0, trouble.span * trouble.amount))


def _block(world: World, one: Node, other: Node, span: float) -> None:
    link = world.network.link(one.id, other.id)
    link.blocked_until = max(link.blocked_until, world.time + span)


def _part(world: World, pairs: list[tuple[Node, Node]], trouble: Trouble) -> None:
    """No bytes between these: what is sent stalls; a link that is silent for too long is given up."""
    for one, other in pairs:
        _block(world, one, other, trouble.span)
        if trouble.amount < 0.5:
            world.cut(one, other, trouble.span)
            continue
        _stall(world, one, other, trouble.span)
        _stall(world, other, one, trouble.span)


def _stall(world: World, sender: Node, receiver: Node, span: float) -> None:
    direction = world.network.directions[sender.id, receiver.id]
    direction.stalled_until = max(direction.stalled_until, world.time + span)
    if span > IDLE_LIMIT:
        world.at(world.time + IDLE_LIMIT, None, lambda: world.cut(sender, receiver, span - IDLE_LIMIT))


def _split(world: World, node: Node, trouble: Trouble) -> None:
    """The peer and so many behind it on one side, the rest on the other."""
    at = world.nodes.index(node)
    ring = world.nodes[at:] + world.nodes[:at]
    size = 1 + trouble.other % max(1, len(ring) - 1)
    _part(world, [(one, other) for one in ring[:size] for other in ring[size:]], trouble)


def _isolate(world: World, node: Node, trouble: Trouble) -> None:
    _part(world, [(node, other) for other in world.nodes if other is not node], trouble)


def _one_way(world: World, node: Node, trouble: Trouble) -> None:
    _stall(world, node, _other(world, node, trouble), trouble.span)


def _deaf(world: World, node: Node, trouble: Trouble) -> None:
    for other in world.nodes:
        if other is not node:
            _stall(world, other, node, trouble.span)


def _slow_link(world: World, node: Node, trouble: Trouble) -> None:
    world.network.slow_until[node.id] = world.time + trouble.span


def _slow_disk(world: World, node: Node, trouble: Trouble) -> None:
    node.write_takes = 0.01 + 0.2 * trouble.amount
    world.at(world.time + trouble.span, None, lambda: setattr(node, "write_takes", 0.0))


def _jump(world: World, node: Node, trouble: Trouble) -> None:
    node.clock.change(world.time, jump=trouble.span)


def _drift(world: World, node: Node, trouble: Trouble) -> None:
    node.clock.change(world.time, rate=0.9 + 0.2 * trouble.amount)


def _replay(world: World, node: Node, trouble: Trouble) -> None:
    """Old messages come again, over a link to somebody who need not have heard them before."""
    for _ in range(1 + int(trouble.amount * 40)):
        if world.network.old:
            message = world.rng.choice(world.network.old)
            sender = _other(world, node, trouble)
            world.at(
                world.time + world.rng.uniform(0.0, trouble.span),
                node,
                partial(world.hear, node, sender.id, message),
            )


KINDS: Final[Mapping[Kind, Callable[[World, Node, Trouble], None]]] = {
    "crash": _crash,
    "crash-all": _crash_all,
    "pause": _pause,
    "cut": _cut,
    "half-open": _half_open,
    "split": _split,
    "isolate": _isolate,
    "one-way": _one_way,
    "deaf": _deaf,
    "slow-link": _slow_link,
    "slow-disk": _slow_disk,
    "jump": _jump,
    "drift": _drift,
    "replay": _replay,
}
