"""What a seat sees, in lines; the usual cases are in tests/ui/test_console.py."""

from __future__ import annotations

import msgspec

from rummy_p2p.cards import pack
from rummy_p2p.engine import Phase, open_hand, start_match, view_for
from rummy_p2p.sentences import hand_line, table_lines, turn_lines
from tests.sentences.games import NAMES, ROMANIAN, changed, view_of


def test_a_hand_and_a_table_at_their_limits() -> None:
    view = view_of(0)
    assert hand_line(changed(view, hands=((), (1,)))) == "Hand: no cards."
    assert turn_lines(changed(view, phase=Phase.DEALING), NAMES) == ("The cards are being dealt.",)
    assert table_lines(changed(view, playing=(True, False)), NAMES)[1] == "Players: Ada: 10 cards; Bea is out."
    assert table_lines(changed(view, pile=()), NAMES)[0] == "Pile: empty. Stock: 31 cards."
    assert table_lines(view_of(0, ROMANIAN), NAMES)[0] == "Pile, the top card last: Kc. Stock: 25 cards."
    assert table_lines(view, ["A\x1bda"])[1] == "Players: Ada: 10 cards; Seat 2: 10 cards."


def test_a_hand_of_very_many_cards_is_shown_by_suit() -> None:
    rules = ROMANIAN.with_(deck__packs=2, hand_size=[26])
    state = open_hand(rules, start_match(rules, 2, 1)).state
    held = msgspec.structs.replace(state, hands=(tuple(range(30)), state.hands[1]))
    view = view_for(held, 0, dict(enumerate(pack(1, 0)[:30])))
    assert hand_line(view).endswith("2d 3d 4d (30 cards).")
