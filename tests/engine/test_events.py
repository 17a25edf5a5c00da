"""Events: each is written with its name, and none tells a face that is not public."""

from __future__ import annotations

import msgspec
import pytest

from rummy_p2p.cards import Card
from rummy_p2p.engine import Phase
from rummy_p2p.engine import events as ev
from rummy_p2p.ruleset import Ruleset
from tests.engine.play import Play

BASE = Ruleset().with_(players__max=4, deck__packs=2, deck__jokers=2)
KINDS = sorted(
    (
        kind
        for kind in vars(ev).values()
        if isinstance(kind, type) and issubclass(kind, ev.Event) and kind is not ev.Event
    ),
    key=lambda kind: kind.__name__,
)


def test_every_kind_of_event_has_a_name_of_its_own() -> None:
    tags = [kind.__struct_config__.tag for kind in KINDS]
    assert tags == [kind.__name__.lower() for kind in KINDS]
    assert len(set(tags)) == len(KINDS)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_an_event_is_a_value_with_a_sentence_that_says_what_it_is(kind: type[ev.Event]) -> None:
    assert kind.__doc__
    assert kind.__doc__ != ev.Event.__doc__
    assert kind.__struct_config__.frozen
    assert kind.__struct_config__.eq


def test_an_event_is_written_as_json_with_its_name() -> None:
    written = msgspec.json.encode(ev.Discarded(1, Card.parse("9c")), enc_hook=int)
    assert msgspec.json.decode(written) == {"event": "discarded", "seat": 1, "card": int(Card.parse("9c"))}


def faces_told(event: ev.Event) -> set[int]:
    """Every card that is written down anywhere in an event."""
    data = msgspec.to_builtins(event, enc_hook=lambda card: {"card": int(card)})
    return set(_cards_in(data))


def _cards_in(data: object) -> list[int]:
    if isinstance(data, dict):
        return [data["card"]] if set(data) == {"card"} else [card for part in data.values() for card in _cards_in(part)]
    return [card for part in data for card in _cards_in(part)] if isinstance(data, list | tuple) else []


def test_a_drawn_card_is_told_by_its_place_alone() -> None:
    play = Play(BASE, "2s", "3s", stock="5s").do("A draw")
    assert [faces_told(event) for event in play.events] == [set()]


def test_nothing_is_told_but_what_everybody_has_seen() -> None:
    rules = BASE.with_(claim__kind="buy", claim__penalty=1, joker_swap__who="any-missing")
    play = Play(
        rules, "Ks Kd 2c", "2s 2h 2d 10s", "4s 5s", stock="7d 8d 9d", table="9s JK Js", owner=1, phase=Phase.PLAY
    )
    play.do(
        "A discard Ks", "C call", "B draw", "B meld 2s 2h 2d", "B swap 10s", "B discard 7d", "C take", "C discard 4s"
    )
    told = {card for event in play.events for card in faces_told(event)}
    assert told
    assert told <= {int(face) for face in play.state.faces if face is not None}
