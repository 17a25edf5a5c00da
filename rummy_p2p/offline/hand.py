"""The answer of ``rummy-p2p hand``: the best arrangement of a hand under a Ruleset, as plain data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast

import msgspec

from rummy_p2p.arrange import discards, lay_all, least_deadwood, opening, with_lay_offs
from rummy_p2p.cards import Card, pack
from rummy_p2p.engine import ParseError, parse_action
from rummy_p2p.melds import Meld, MeldError, Piece, meld_points, read_meld
from rummy_p2p.rules.actions import Lay
from rummy_p2p.ruleset import Ruleset
from rummy_p2p.sentences.faults import retold
from rummy_p2p.sentences.language import _

_MANY_JOKERS: Final = 12


class HandError(ValueError):
    """The cards or melds given are none; the text is the sentence."""


class MeldAnswer(msgspec.Struct, frozen=True):
    """One meld of the answer."""

    kind: str
    cards: tuple[str, ...]
    points: int


class HandAnswer(msgspec.Struct, frozen=True):
    """Fields of the JSON answer; cards and melds as they are written."""

    cards: tuple[str, ...]
    melds: tuple[MeldAnswer, ...]
    lay_offs: tuple[str, ...]
    deadwood: tuple[str, ...]
    deadwood_points: int
    points_in_melds: int
    can_open: bool
    can_go_out: bool
    best_discards: tuple[str, ...]
    knock_discards: tuple[str, ...]
    is_one_meld: bool


def read_hand(text: str, rules: Ruleset) -> tuple[Card, ...]:
    """Read the cards of a hand; a face written twice is its next copy. Raises HandError for what the deck has not.

    Jokers are read even where the deck has too few of them: what they would be good for may be asked of any game.
    """
    return _read(text, list(_deck(rules))).cards()


def read_table(text: str, rules: Ruleset, hand: tuple[Card, ...] = ()) -> tuple[Meld, ...]:
    """Read melds separated by bars, made of cards that are not in the hand."""
    if not text.strip():
        return ()
    read = _read(text, [card for card in _deck(rules) if card not in hand])
    return tuple(_read_meld(pieces, rules) for pieces in read.melds)


def _deck(rules: Ruleset) -> tuple[Card, ...]:
    return pack(rules.deck.packs, max(rules.deck.jokers, _MANY_JOKERS))


def _read(text: str, free: list[Card]) -> Lay:
    """Read cards as a move names them, with a copy that is still free for a plain face."""
    if not text.replace(",", " ").split():
        return Lay()
    try:
        lay = cast("Lay", parse_action(f"meld {text}", free))
    except ParseError as error:
        wanted = retold(error.wanted)
        raise HandError(f"{wanted[0].upper()}{wanted[1:]}.") from error
    for card in lay.cards():
        if card not in free:
            sentence = _("{card} is named more often than it is in the deck of this game.")
            raise HandError(sentence.format(card=card))
        free.remove(card)
    return lay


def _read_meld(pieces: tuple[Piece, ...], rules: Ruleset) -> Meld:
    try:
        return read_meld(pieces, rules.melds)
    except MeldError as error:
        text = " ".join(str(piece) for piece in pieces)
        sentence = _("{cards} is not a meld of this game ({code}).")
        raise HandError(sentence.format(cards=text, code=error.code)) from error


def answer(
    cards: tuple[Card, ...], rules: Ruleset, *, table: tuple[Meld, ...] = (), opened: bool = False, round_index: int = 0
) -> HandAnswer:
    """Return the best arrangement of the cards, with what can be opened, laid and discarded."""
    lays_off = bool(table) and (opened or rules.lay_off in ("always", "after-knock"))
    best = with_lay_offs(cards, rules, table) if lays_off else least_deadwood(cards, rules)
    left = discards(cards, rules) if cards else {}
    least = min(left.values(), default=0)
    knocks = rules.going_out.how == "knock"
    return HandAnswer(
        cards=_texts(cards),
        melds=tuple(_meld(meld, rules) for meld in best.melds),
        lay_offs=tuple(f"{piece} {index + 1}{f' {side}' if side else ''}" for piece, index, side in best.lay_offs),
        deadwood=_texts(best.left),
        deadwood_points=best.deadwood,
        points_in_melds=best.points,
        can_open=opened or _can_open(cards, rules, round_index),
        can_go_out=_can_go_out(cards, rules, table, opened=opened, round_index=round_index),
        best_discards=_texts(card for card in cards if left[card] == least),
        knock_discards=_texts(c for c in cards if knocks and left[c] <= rules.going_out.knock_limit),
        is_one_meld=_is_meld(cards, rules),
    )


def _can_open(cards: tuple[Card, ...], rules: Ruleset, round_index: int) -> bool:
    """Whether a first lay-down is among these cards; that one must be left to discard is asked of ``can_go_out``."""
    if _how(rules, round_index) == "must-discard":
        rounds = tuple(msgspec.structs.replace(one, go_out="") for one in rules.rounds)
        rules = rules.with_(going_out__how="may-lay", rounds=rounds)
    found = opening(cards, rules, round_index)
    return found is not None and bool(found.melds)


def _can_go_out(
    cards: tuple[Card, ...], rules: Ruleset, table: tuple[Meld, ...], *, opened: bool, round_index: int
) -> bool:
    how = _how(rules, round_index)
    if how == "knock":
        holds_drawn = len(cards) > rules.cards_each(2)
        least = (
            min(discards(cards, rules).values(), default=0) if holds_drawn else least_deadwood(cards, rules).deadwood
        )
        return least <= rules.going_out.knock_limit
    ways = {"must-discard": (True,), "may-lay": (False, True), "all-at-once": (False,)}[how]
    return any(
        lay_all(cards, rules, table=table, discard=discard, round_index=round_index, opened=opened) is not None
        for discard in ways
    )


def _how(rules: Ruleset, round_index: int) -> str:
    special = rules.rounds[round_index].go_out if rules.rounds else ""
    return special or rules.going_out.how


def _is_meld(cards: tuple[Card, ...], rules: Ruleset) -> bool:
    if not any(not card.is_joker for card in cards):
        return False
    try:
        read_meld([Piece(card) for card in cards], rules.melds)
    except MeldError:
        return False
    return True


def _meld(meld: Meld, rules: Ruleset) -> MeldAnswer:
    return MeldAnswer(meld.kind, tuple(str(meld).split()), meld_points(meld, rules.scoring.in_play))


def _texts(cards: Iterable[Card]) -> tuple[str, ...]:
    return tuple(str(card) for card in cards)
