"""Every game of this installation, dealt blindly to few and to many, with random legal moves to the end of a hand."""

from __future__ import annotations

import random

import msgspec
import pytest

from rummy_p2p.deal.blind_messages import HandOver as GivenAway
from rummy_p2p.deal.blind_messages import HandOverFault, HandOverShown, ShuffleDeck
from rummy_p2p.engine import Action, Phase, View, legal_actions
from rummy_p2p.protocol.events import HandOver, MatchOver
from rummy_p2p.protocol.records import Act, Audit
from rummy_p2p.ruleset import Deck, Players, Ruleset
from rummy_p2p.variants.manager import installed, make_catalogue
from tests.cheats.cheating import (
    begun,
    bodies,
    instead,
    lying,
    nothing_happened,
    one_ledger,
    party_of,
    put_out,
    told,
)
from tests.protocol.lan import Lan, Peer, play_out, random_move
from tests.protocol.tampering import match_of

CATALOGUE = make_catalogue(installed())
RULES = {game: CATALOGUE.compile(game, ()) for game in CATALOGUE.games}


def eager(view: View, rng: random.Random) -> Action | None:
    """Claim whatever can be claimed, and be slow with all else: so that others may claim late."""
    if view.on_turn:
        return random_move(view, rng) if rng.random() < 0.5 else None
    return next((move for move in legal_actions(view) if move.verb == "call"), None)


def late(view: View, rng: random.Random) -> Action | None:
    """Claim when the next player has drawn already, who takes time to go on."""
    has_drawn = view.state.phase is Phase.PLAY
    if view.on_turn:
        return random_move(view, rng) if not has_drawn or rng.random() < 0.2 else None
    return next((move for move in legal_actions(view) if move.verb == "call"), None) if has_drawn else None


def one_hand(rules: Ruleset, count: int, seed: int, *, claiming: bool = False) -> tuple[Lan, list[Peer]]:
    lan, peers = begun(count, seed, rules)
    for peer in peers:
        peer.think = eager if claiming else None
    play_out(lan, peers)
    return lan, peers


def in_order(peers: list[Peer]) -> None:
    """One hand was played and found to be in order by everybody."""
    nothing_happened(peers)
    one_ledger(peers)
    for peer in peers:
        assert [over.code for over in peer.all(MatchOver)] == [""]
        assert [over.audit for over in peer.all(HandOver)] == ["ok"]
    assert len(bodies(peers[0], Audit)) == len(peers)


SEATS = [
    pytest.param(
        game,
        seats,
        id=f"{game} for {seats}",
        marks=[] if seats == rules.players.min else [pytest.mark.nightly, pytest.mark.timeout(300)],
    )
    for game, rules in RULES.items()
    for seats in sorted({rules.players.min, rules.players.max})
]


def test_the_games_of_this_installation_are_all_here() -> None:
    assert {"rummy-no", "rummy-sv", "rummi-tr", "gin", "rum-500-ro", "contract-no"} <= RULES.keys()


@pytest.mark.parametrize(("game", "seats"), SEATS)
def test_a_blind_hand_of_every_game(game: str, seats: int) -> None:
    _, peers = one_hand(RULES[game], seats, 1)
    in_order(peers)
    assert len(bodies(peers[0], ShuffleDeck)) >= seats


def given_away(peer: Peer) -> list[GivenAway]:
    return [act.hand_over for act in bodies(peer, Act) if act.hand_over is not None]


def late_buy() -> tuple[Lan, list[Peer]]:
    """A hand with buyers, up to the first card that its drawer has to give away."""
    lan, peers = begun(3, 7, RULES["contract-no"], host="Bea")
    for peer in peers:
        peer.think = late
    return lan, peers


def test_a_late_buy_takes_a_drawn_card_over() -> None:
    lan, peers = late_buy()
    lan.run(lambda: all(given_away(peer) for peer in peers))
    for peer in peers:
        peer.plays = False
    lan.settle()
    (given,) = given_away(peers[0])
    taker = lan.peers[given.to]
    assert given.slot in hidden(taker)
    assert party_of(taker)._faces.keys() >= {given.slot}
    assert not bodies(peers[0], HandOverFault)
    nothing_happened(peers)
    one_ledger(peers)


def hidden(peer: Peer) -> tuple[int, ...]:
    view = peer.table.view(peer.table.own_seats[0])
    return tuple(slot for slot in view.state.hands[view.seat] if view.state.faces[slot] is None)


def change_box(peer: Peer, box: bytes) -> None:
    """This peer gives cards away with something else in the box."""
    lying(
        peer,
        instead(
            Act,
            lambda body: (
                body
                if body.hand_over is None
                else msgspec.structs.replace(body, hand_over=msgspec.structs.replace(body.hand_over, box=box))
            ),
        ),
    )


def test_a_box_with_nothing_in_it_is_doubted_and_what_was_in_it_shown() -> None:
    """The giver is honest when it is asked: the taker gets its card, and nobody is to blame."""
    lan, peers = late_buy()
    for peer in peers:
        change_box(peer, bytes(72))
    lan.run(lambda: all(given_away(peer) and bodies(peer, HandOverShown) for peer in peers))
    for peer in peers:
        peer.plays = False
    lan.settle()
    (given,) = given_away(peers[0])
    assert [body.slot for body in bodies(peers[0], HandOverFault)] == [given.slot]
    assert party_of(lan.peers[given.to])._faces.keys() >= {given.slot}
    nothing_happened(peers)


def test_a_wrong_number_in_a_hand_over_convicts_the_giver() -> None:
    lan, peers = late_buy()
    for peer in (peers[0], peers[2]):
        change_box(peer, bytes(72))
        lie_about_number(peer)

    def cheats() -> list[bytes]:
        """Whose hand-overs stand in the ledger, of those who lie."""
        entries = match_of(peers[1]).replica.ledger.entries
        return [entry.author for entry in entries if is_giving(entry.body) and entry.author != peers[1].id]

    lan.run(lambda: bool(cheats()))
    put_out(lan, peers, lan.peers[cheats()[0]], "bad-hand-over")


def test_a_right_box_that_is_doubted_harms_nobody_but_the_doubter() -> None:
    """What was in the box is shown to all, and the taker has its card: nobody is convicted for a word of doubt."""
    lan, peers = late_buy()
    lan.run(lambda: all(given_away(peer) for peer in peers))
    for peer in peers:
        peer.plays = False
    lan.settle()
    (given,) = given_away(peers[0])
    taker = lan.peers[given.to]
    told(lan, taker, [peer for peer in peers if peer is not taker], HandOverFault(given.slot))
    lan.settle()
    assert [body.slot for body in bodies(peers[0], HandOverShown)] == [given.slot]
    assert party_of(taker)._faces.keys() >= {given.slot}
    nothing_happened(peers)
    one_ledger(peers)


def is_giving(body: object) -> bool:
    return isinstance(body, Act) and body.hand_over is not None


def lie_about_number(peer: Peer) -> None:
    lying(peer, instead(HandOverShown, lambda body: HandOverShown(body.slot, (5).to_bytes(32, "little"))))


@pytest.mark.nightly
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("seats", "seed"), [(3, 1), (6, 6)])
def test_hands_with_buyers_late_buyers_and_reshuffles_to_the_end(seats: int, seed: int) -> None:
    lan, peers = begun(seats, seed, RULES["contract-no"])
    for peer in peers:
        peer.think = eager
    lan.run(lambda: all(peer.all(MatchOver) for peer in peers), 1_000_000)
    lan.settle()
    in_order(peers)
    assert len(given_away(peers[0])) == 1
    assert any(act.move == "call" for act in bodies(peers[0], Act))
    assert len(bodies(peers[0], ShuffleDeck)) > seats


def test_a_hand_with_a_reshuffle_to_the_end() -> None:
    rules = RULES["rummy-sv"].with_(deck=Deck(packs=1, jokers=2), players=Players(min=2, max=2), hand_size=(24,))
    _, peers = one_hand(rules, 2, 1)
    in_order(peers)
    assert len(bodies(peers[0], ShuffleDeck)) > 2
