"""The solver against a brute force that knows melds.py and nothing else, and the cases of the rule texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_p2p import arrange
from rummy_p2p.arrange import Arrangement, explore, naturals, search
from rummy_p2p.arrange.tables import Table
from rummy_p2p.cards import Card, cards_text, natural, parse_cards
from rummy_p2p.melds import (
    Meld,
    MeldError,
    Piece,
    Side,
    card_points,
    grow,
    meld_points,
    melds_of,
    read_meld,
    splits_into_runs,
)
from rummy_p2p.ruleset import HandValues, Melds, MeldValues, Ruleset

GIN = Ruleset().with_(
    lay="at-knock", lay_off="after-knock", going_out__how="knock", scoring__kind="gin", players__max=2
)
LOW_ACE = GIN.with_(melds__ace="low")
SIDES: tuple[Side, ...] = ("left", "right")

# ---------------------------------------------------------------- brute force

Family = tuple[Meld, ...]


@cache
def readings(cards: tuple[Card, ...], knobs: Melds) -> tuple[Meld, ...]:
    """Return every meld that uses exactly these cards."""
    exact = [pieces for pieces in melds_of(cards, knobs) if len(pieces) == len(cards)]
    return tuple(read_meld(pieces, knobs) for pieces in exact)


def groups_of(cards: tuple[Card, ...], knobs: Melds) -> dict[int, list[tuple[int, tuple[Meld, ...]]]]:
    """Return by its first card (a bit) every group of the cards that is a meld: the bits of its cards, its readings."""
    found: dict[int, list[tuple[int, tuple[Meld, ...]]]] = {}
    for mask in range(1, 1 << len(cards)):
        group = tuple(card for i, card in enumerate(cards) if mask >> i & 1)
        naturals = [card for card in group if not card.is_joker]
        if len({card.rank for card in naturals}) == 1 or len({card.suit for card in naturals}) == 1:
            as_melds = readings(group, knobs)
            if as_melds:
                found.setdefault(mask & -mask, []).append((mask, as_melds))
    return found


def families(cards: tuple[Card, ...], knobs: Melds) -> Iterator[tuple[tuple[tuple[Meld, ...], ...], tuple[Card, ...]]]:
    """Yield every way to divide the cards into melds (each with all its readings) and a rest."""
    groups = groups_of(cards, knobs)

    def divide(mask: int) -> Iterator[tuple[tuple[tuple[Meld, ...], ...], int]]:
        if not mask:
            yield (), 0
            return
        first = mask & -mask
        for melds, left in divide(mask ^ first):
            yield melds, left | first
        for group, as_melds in groups.get(first, []):
            if group & mask == group:
                for melds, left in divide(mask ^ group):
                    yield (as_melds, *melds), left

    for melds, left in divide((1 << len(cards)) - 1):
        yield melds, tuple(card for i, card in enumerate(cards) if left >> i & 1)


def hand_value(cards: Sequence[Card], values: HandValues) -> int:
    printed = {0: values.joker, 1: values.ace, 11: values.face, 12: values.face, 13: values.face}
    return sum(printed.get(card.rank, card.rank) for card in cards)


def open_places(meld: Meld, knobs: Melds) -> int:
    """Count where a natural card could be laid off."""
    if meld.kind == "set":
        return sum(_fits(meld, natural(meld.rank, suit, 9), None, knobs) for suit in range(4))
    faces = [natural((ordinal - 1) % 13 + 1, meld.suit, 9) for ordinal in (meld.low - 1, meld.high + 1)]
    return sum(_fits(meld, card, side, knobs) for card, side in zip(faces, SIDES, strict=True))


def _fits(meld: Meld, card: Card, side: Side | None, knobs: Melds) -> bool:
    return grown(meld, card, side, knobs) is not None


def grown(meld: Meld, card: Card, side: Side | None, knobs: Melds) -> Meld | None:
    try:
        return grow(meld, Piece(card), side, knobs)
    except MeldError:
        return None


def brute_least(cards: tuple[Card, ...], rules: Ruleset) -> tuple[int, int, int, int]:
    """Return deadwood, cards left, open places and runs of the best arrangement."""

    def cost(groups: Sequence[tuple[Meld, ...]], left: tuple[Card, ...]) -> tuple[int, int, int, int]:
        best = [min((open_places(meld, rules.melds), int(meld.kind == "run")) for meld in group) for group in groups]
        places, runs = (sum(column) for column in zip(*best, strict=True)) if best else (0, 0)
        return hand_value(left, rules.scoring.in_hand), len(left), places, runs

    return min(cost(groups, left) for groups, left in families(cards, rules.melds))


def brute_points(cards: tuple[Card, ...], rules: Ruleset) -> int:
    return max(
        sum(max(meld_points(meld, rules.scoring.in_play) for meld in group) for group in groups)
        for groups, _ in families(cards, rules.melds)
    )


def cost_of(found: Arrangement, rules: Ruleset) -> tuple[int, int, int, int]:
    places = sum(open_places(meld, rules.melds) for meld in found.melds)
    return found.deadwood, len(found.left), places, sum(meld.kind == "run" for meld in found.melds)


def check_made_of(found: Arrangement, cards: Sequence[Card], rules: Ruleset, table: tuple[Meld, ...] = ()) -> None:
    """Every card is in one place, every meld is one, the lay-offs can be laid in their order, the sums are right."""
    used = [card for meld in found.melds for card in meld.cards]
    laid = [piece.card for piece, _, _ in found.lay_offs]
    assert sorted((*used, *laid, *found.left)) == sorted(cards)
    for meld in found.melds:
        assert read_meld(meld.pieces(), rules.melds) == meld
    now = list(table)
    for piece, index, side in found.lay_offs:
        now[index] = grow(now[index], piece, side, rules.melds)
    assert found.deadwood == hand_value(found.left, rules.scoring.in_hand)
    assert found.points == sum(meld_points(meld, rules.scoring.in_play) for meld in found.melds)


# ---------------------------------------------------------------- random hands and rules


@st.composite
def meld_knobs(draw: st.DrawFn) -> Melds:
    set_min = draw(st.integers(2, 4))
    run_min = draw(st.integers(2, 5))
    return Melds(
        set_min=set_min,
        set_max=draw(st.integers(set_min, 6)),
        distinct_suits=draw(st.booleans()),
        run_min=run_min,
        run_max=draw(st.sampled_from([14, 13, run_min, run_min + 1, run_min + 2])),
        ace=draw(st.sampled_from(["low", "high", "either"])),
        max_jokers=draw(st.sampled_from([None, 0, 1, 2])),
        min_naturals=draw(st.integers(1, 3)),
    )


SHIPPED = st.sampled_from(
    [
        Melds(),
        Melds(ace="low"),
        Melds(run_max=13),
        Melds(max_jokers=1, min_naturals=2),
        Melds(min_naturals=2),
        Melds(set_max=8, distinct_suits=False, run_min=4, min_naturals=2),
    ]
)


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    small = st.integers(0, 30)
    in_hand = draw(st.one_of(st.just(HandValues()), st.builds(HandValues, ace=small, face=small, joker=small)))
    in_play = draw(st.one_of(st.just(MeldValues()), st.builds(MeldValues, ace_low=small, ace_high=small, face=small)))
    rules = Ruleset(melds=draw(st.one_of(SHIPPED, meld_knobs())))
    return rules.with_(scoring__in_hand=in_hand, scoring__in_play=in_play)


Region = tuple[tuple[int, ...], tuple[int, ...]]


@st.composite
def regions(draw: st.DrawFn) -> Region:
    """A few suits and neighbouring ranks: out of few cards there is something to arrange."""
    suits = draw(st.sampled_from([(0,), (0, 1), (1, 3), (0, 1, 2), (0, 1, 2, 3)]))
    low, width = draw(st.integers(1, 13)), draw(st.integers(2, 13))
    return suits, tuple((low + step - 1) % 13 + 1 for step in range(width))


@st.composite
def hands(draw: st.DrawFn, packs: int, jokers: int, most: int, region: Region | None = None) -> tuple[Card, ...]:
    """A hand out of a region, in any order."""
    suits, ranks = region or draw(regions())
    deck = [natural(rank, suit, copy) for copy in range(packs) for suit in suits for rank in ranks]
    deck += [Card.of(52, copy) for copy in range(jokers)]
    size = min(most, len(deck))
    return tuple(draw(st.lists(st.sampled_from(deck), unique=True, min_size=min(3, size), max_size=size)))


ONE_PACK = hands(packs=1, jokers=0, most=10)
TWO_PACKS = hands(packs=2, jokers=3, most=8)


@pytest.mark.parametrize("hand", [ONE_PACK, TWO_PACKS], ids=["one pack", "two packs and jokers"])
def test_least_deadwood_is_the_best_with_all_its_ties(hand: st.SearchStrategy[tuple[Card, ...]]) -> None:
    @given(hand, rulesets())
    def run(cards: tuple[Card, ...], rules: Ruleset) -> None:
        found = arrange.least_deadwood(cards, rules)
        check_made_of(found, cards, rules)
        assert cost_of(found, rules) == brute_least(cards, rules)
        assert arrange.least_deadwood_value(cards, rules) == found.deadwood

    run()


@pytest.mark.parametrize("hand", [ONE_PACK, TWO_PACKS], ids=["one pack", "two packs and jokers"])
@pytest.mark.parametrize(("name", "certain"), [("_MANY_STATES", 4), ("_TOO_MANY_STATES", 1)])
def test_hands_with_very_many_choices_are_searched_otherwise(
    hand: st.SearchStrategy[tuple[Card, ...]], name: str, certain: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    @given(hand, rulesets())
    def run(cards: tuple[Card, ...], rules: Ruleset) -> None:
        usual, points = arrange.least_deadwood(cards, rules), arrange.most_points(cards, rules).points
        monkeypatch.setattr(search, name, 0)
        monkeypatch.setattr(naturals, "_MANY_WAYS", 0)
        found, value = arrange.least_deadwood(cards, rules), arrange.least_deadwood_value(cards, rules)
        assert arrange.most_points(cards, rules).points == points
        monkeypatch.undo()
        check_made_of(found, cards, rules)
        assert value == usual.deadwood
        assert cost_of(found, rules)[:certain] == cost_of(usual, rules)[:certain]

    run()


@pytest.mark.parametrize("hand", [ONE_PACK, TWO_PACKS], ids=["one pack", "two packs and jokers"])
def test_most_points_are_the_most(hand: st.SearchStrategy[tuple[Card, ...]]) -> None:
    @given(hand, rulesets())
    def run(cards: tuple[Card, ...], rules: Ruleset) -> None:
        found = arrange.most_points(cards, rules)
        check_made_of(found, cards, rules)
        assert found.points == brute_points(cards, rules)

    run()


@given(st.one_of(ONE_PACK, TWO_PACKS), rulesets(), st.randoms(use_true_random=False))
def test_the_answer_depends_on_the_cards_and_not_on_their_order(
    cards: tuple[Card, ...], rules: Ruleset, dice: Random
) -> None:
    shuffled = list(cards)
    dice.shuffle(shuffled)
    one, other = arrange.least_deadwood(cards, rules), arrange.least_deadwood(shuffled, rules)
    assert one.melds == other.melds
    assert one.left == tuple(card for card in cards if card in one.left)
    assert set(one.left) == set(other.left)


@given(st.one_of(ONE_PACK, TWO_PACKS), rulesets())
def test_discards_tell_the_deadwood_of_the_rest(cards: tuple[Card, ...], rules: Ruleset) -> None:
    found = arrange.discards(cards, rules)
    assert list(found) == list(cards)
    for card, value in found.items():
        assert value == arrange.least_deadwood_value([other for other in cards if other != card], rules)


@given(st.one_of(ONE_PACK, TWO_PACKS), rulesets(), st.integers(0, 60))
def test_low_discards_are_those_that_leave_little(cards: tuple[Card, ...], rules: Ruleset, limit: int) -> None:
    left = arrange.discards(cards, rules)
    assert arrange.low_discards(cards, rules, limit) == tuple(card for card in cards if left[card] <= limit)


# ---------------------------------------------------------------- lay-offs


@st.composite
def tables(draw: st.DrawFn, knobs: Melds, region: Region | None = None) -> tuple[Meld, ...]:
    """Up to three melds of copies that are in no hand; jokers among them."""
    found = []
    for number in range(draw(st.integers(1, 3))):
        cards = draw(hands(packs=1, jokers=1, most=7, region=region))
        mine = tuple(Card.of(card.face, 4 + number) for card in cards)
        options = list(melds_of(mine, knobs))
        if options:
            found.append(read_meld(draw(st.sampled_from(options)), knobs))
    return tuple(found)


def tables_reached(cards: frozenset[Card], table: tuple[Meld, ...], knobs: Melds) -> set[frozenset[Card]]:
    """Return every rest of the cards that can be reached by laying cards off one at a time."""
    seen = {(cards, table)}
    waiting = [(cards, table)]
    while waiting:
        held, melds = waiting.pop()
        for card in held:
            for index, meld in enumerate(melds):
                for side in (None, *SIDES):
                    after = grown(meld, card, side, knobs)
                    if after is not None:
                        state = (held - {card}, (*melds[:index], after, *melds[index + 1 :]))
                        if state not in seen:
                            seen.add(state)
                            waiting.append(state)
    return {held for held, _ in seen}


Game = tuple[Ruleset, tuple[Card, ...], tuple[Meld, ...]]


@st.composite
def table_games(draw: st.DrawFn) -> Game:
    """Rules, a small hand, and melds on the table of the same region."""
    rules, region = draw(rulesets()), draw(regions())
    one_pack = hands(packs=1, jokers=0, most=7, region=region)
    two_packs = hands(packs=2, jokers=2, most=6, region=region)
    return rules, draw(st.one_of(one_pack, two_packs)), draw(tables(rules.melds, region))


@given(table_games())
def test_with_lay_offs_is_the_best_of_melds_and_lay_offs_together(game: Game) -> None:
    rules, cards, table = game
    found = arrange.with_lay_offs(cards, rules, table)
    check_made_of(found, cards, rules, table)
    rests = tables_reached(frozenset(cards), table, rules.melds)
    best = min(brute_least(tuple(sorted(rest)), rules)[:2] for rest in rests)
    assert (found.deadwood, len(found.left)) == best


@given(table_games())
def test_a_card_is_usable_when_some_way_uses_it(game: Game) -> None:
    rules, cards, table = game
    card, others = cards[0], cards[1:]
    ways = [
        (rest, left)
        for rest in tables_reached(frozenset(cards), table, rules.melds)
        for _, left in families(tuple(sorted(rest)), rules.melds)
    ]
    assert arrange.usable(card, others, rules, table) == any(card not in left for _, left in ways)
    only_melds = any(card not in left for _, left in families(tuple(sorted(cards)), rules.melds))
    assert arrange.usable(card, others, rules.with_(lay_off="never"), table) == only_melds


# ---------------------------------------------------------------- opening and going out

CONTRACTS = st.sampled_from(["3", "4", "33", "34", "44", "333", "334", "344", "444"])
GOING_OUT = st.sampled_from(["must-discard", "may-lay"])


@st.composite
def opening_rules(draw: st.DrawFn) -> Ruleset:
    rules = draw(rulesets()).with_(going_out__how=draw(GOING_OUT), opening__further_melds=draw(st.booleans()))
    kind = draw(st.sampled_from(["points", "contract", "none"]))
    if kind == "points":
        return rules.with_(opening__points=draw(st.integers(1, 60)), opening__waived_when_going_out=draw(st.booleans()))
    if kind == "none":
        return rules
    go_out = draw(st.sampled_from(["", "all-at-once"]))
    return rules.with_(players__max=2, rounds=[{"contract": draw(CONTRACTS), "hand_size": 15, "go_out": go_out}])


def opens(melds: Family, left: Sequence[Card], rules: Ruleset) -> bool:
    """Whether the melds are a lawful first lay-down of a hand of which so much is left."""
    how = how_out(rules)
    if not melds or (how == "must-discard" and not left) or (how == "all-at-once" and left):
        return False
    if rules.opening.points:
        out = len(left) <= (1 if how == "must-discard" else 0)
        points = sum(meld_points(meld, rules.scoring.in_play) for meld in melds)
        return points >= rules.opening.points or (rules.opening.waived_when_going_out and out)
    return not rules.rounds or meets(melds, rules)


def how_out(rules: Ruleset) -> str:
    return (rules.rounds[0].go_out if rules.rounds else "") or rules.going_out.how


def meets(melds: Family, rules: Ruleset) -> bool:
    contract = rules.rounds[0].contract
    runs = [meld for meld in melds if meld.kind == "run"]
    parts = sum(next(n for n in range(14, 0, -1) if splits_into_runs(run, n, rules.melds)) for run in runs)
    return len(melds) - len(runs) == contract.count("3") and len(runs) <= contract.count("4") <= parts


def all_families(cards: tuple[Card, ...], knobs: Melds) -> Iterator[tuple[Family, tuple[Card, ...]]]:
    """Yield every choice of melds with every reading of each."""
    for groups, left in families(cards, knobs):
        for melds in product(*groups):
            yield melds, left


@pytest.mark.parametrize("name", ["", "_MANY_STATES", "_TOO_MANY_STATES"])
def test_opening_is_the_first_lay_down_that_leaves_least(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name:
        monkeypatch.setattr(search, name, 0)

    @given(st.one_of(hands(packs=1, jokers=0, most=9), hands(packs=2, jokers=2, most=7)), opening_rules())
    def run(cards: tuple[Card, ...], rules: Ruleset) -> None:
        found = arrange.opening(cards, rules)
        lawful = [left for melds, left in all_families(tuple(sorted(cards)), rules.melds) if opens(melds, left, rules)]
        if found is None:
            assert not lawful
            return
        check_made_of(found, cards, rules)
        assert opens(found.melds, found.left, rules)
        out = rules.opening.waived_when_going_out and len(found.left) <= 1
        assert out or found.deadwood == min(hand_value(left, rules.scoring.in_hand) for left in lawful)

    run()


def goes_out(cards: tuple[Card, ...], table: tuple[Meld, ...], rules: Ruleset, *, discard: bool, opened: bool) -> bool:
    """Search all orders of acting: one lay-down that opens, further ones, lay-offs; on own melds as on the others."""
    at_once = how_out(rules) == "all-at-once"
    for rest in tables_reached(frozenset(cards), () if at_once or rules.lay_off == "never" else table, rules.melds):
        laid_off = len(rest) < len(cards)
        for melds, left in all_families(tuple(sorted(rest)), rules.melds):
            if len(left) != discard:
                continue
            if opened:
                fine = rules.opening.further_melds or not melds
            elif melds:
                fine = first_melds(melds, left, rules, laid_off=laid_off, discard=discard)
            else:
                fine = not laid_off or rules.lay_off == "always"
            if fine:
                return True
    return False


def first_melds(melds: Family, left: Sequence[Card], rules: Ruleset, *, laid_off: bool, discard: bool) -> bool:
    """Whether some of the melds open and the others may follow."""
    if rules.opening.points:
        points = sum(meld_points(meld, rules.scoring.in_play) for meld in melds)
        return points >= rules.opening.points or (rules.opening.waived_when_going_out and not laid_off)
    if not rules.rounds:
        return True
    if how_out(rules) == "all-at-once" or not rules.opening.further_melds:
        return meets(melds, rules)
    some = (chosen for size in range(1, len(melds) + 1) for chosen in combinations(melds, size))
    return any(meets(chosen, rules) for chosen in some)


@given(st.data())
def test_lay_all_finds_a_way_out_when_there_is_one(data: st.DataObject) -> None:
    rules = data.draw(opening_rules()).with_(lay_off=data.draw(st.sampled_from(["never", "always", "after-opening"])))
    region = data.draw(regions())
    table = data.draw(tables(rules.melds, region))
    one_pack = hands(packs=1, jokers=0, most=7, region=region)
    cards = data.draw(st.one_of(one_pack, hands(packs=2, jokers=2, most=5, region=region)))
    discard, opened = data.draw(st.booleans()), data.draw(st.booleans())
    found = arrange.lay_all(cards, rules, table=table, discard=discard, opened=opened)
    assert (found is not None) == goes_out(cards, table, rules, discard=discard, opened=opened)
    if found is not None:
        check_made_of(found, cards, rules, table)
        assert len(found.left) == discard


@pytest.mark.parametrize("patience", [2, 1000])
def test_best_first_finds_the_best_and_without_patience_a_good_one(patience: int) -> None:
    """Choose four digits; a number is worth the sum of its digits, less twenty if there is a nine."""
    start: tuple[int, ...] = ()

    def choose(number: tuple[int, ...], _level: int) -> list[tuple[int, ...]]:
        return [(*number, digit) for digit in (9, 8, 7, 1)]

    def outlook(number: tuple[int, ...], level: int) -> tuple[int, object]:
        return sum(number) + 9 * (4 - level), tuple(sorted(number))

    def worth(number: tuple[int, ...]) -> int:
        return sum(number) - 20 * (9 in number)

    found = explore.explore(start, 4, choose, outlook, worth, patience)
    assert found is not None
    assert len(found) == 4
    assert patience == 2 or found == (8, 8, 8, 8)


@pytest.mark.parametrize(("levels", "worth", "outlook"), [(1, None, 0), (1, 5, None), (99, 5, 0)])
def test_best_first_may_find_nothing(levels: int, worth: int | None, outlook: int | None) -> None:
    found = explore.explore(0, levels, lambda state, _: [state + 1], lambda _, __: (outlook, None), lambda _: worth, 1)
    assert found is None


def test_a_full_table_is_emptied_and_filled_anew() -> None:
    table: Table[int, int] = Table(lambda number: number * number, 2)
    assert [table[number] for number in (1, 2, 3, 1)] == [1, 4, 9, 1]
    assert dict(table) == {3: 9, 1: 1}


def test_so_many_rulesets_may_be_asked_about_as_there_are() -> None:
    cards = parse_cards("7s 7h 7d Kc")
    assert {arrange.least_deadwood_value(cards, Ruleset(game=str(number))) for number in range(200)} == {10}


# ---------------------------------------------------------------- cases


def hand(text: str) -> tuple[Card, ...]:
    return parse_cards(text)


def melds(text: str, knobs: Melds = GIN.melds) -> tuple[Meld, ...]:
    return tuple(read_meld([Piece(card) for card in parse_cards(part)], knobs) for part in text.split("|"))


@pytest.mark.parametrize(
    ("cards", "deadwood"),
    [
        pytest.param("3c 4c 5c 5d 5h 6h 7h 8h Js Qd", 25, id="G002"),
        pytest.param("Ac Ah As 2c 2h 2s 3c 3h 3s Kd", 10, id="G003"),
        pytest.param("Ac Ah As 2c 2h 2s 3c 3h 3s 4h", 0, id="G004"),
        pytest.param("Tc Qc 4d 9d 4h 9h Jh 4s 5s 6s", 56, id="G006"),
        pytest.param("Ac 4c 7c 2d 8d Jd 3h 5h Qh 6s Ks", 66, id="G008"),
        pytest.param("Ac 2c 3c 2d Td Jd 5h Qh 9s Ks", 56, id="G009"),
        pytest.param("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc", 0, id="G010"),
        pytest.param("5s 4h 6s Th 3h Jh 5h 9h 2h 4s", 0, id="G012"),
        pytest.param("Jc 9d 8s 6d Js 8h Td 8d 7d Jd", 16, id="G013"),
        pytest.param("As 2s 3s 4s Ac Ad 4c 4d 5h 6s", 13, id="G014"),
        pytest.param("6d 7d 8d 8h 8s 9d Td Jc Jd Js", 16, id="G015"),
        pytest.param("4s 4c 4d 4h 5s 5c 5d 6s 2c 3s 3c", 9, id="G016"),
        pytest.param("Qs Ks As 2h 3h 4h 7c 7d 7s 9d", 9, id="G022"),
        pytest.param("As 2s 3s Qs Ks Ac Ad 7h 7c 7d", 7, id="G023"),
        pytest.param("Ks Qs As Ah Ad 4c 5c 6c 9h 2d", 13, id="G024"),
        pytest.param("Ac 2c 3c 4d 5d 6d 7h 8h 9h Js", 10, id="G033"),
    ],
)
def test_deadwood_cases(cards: str, deadwood: int) -> None:
    assert arrange.least_deadwood(hand(cards), GIN).deadwood == deadwood
    assert arrange.least_deadwood_value(hand(cards), GIN) == deadwood


@pytest.mark.parametrize(
    ("cards", "deadwood"),
    [
        pytest.param("Qs Ks As 2h 3h 4h 7c 7d 7s 9d", 30, id="G022"),
        pytest.param("As 2s 3s Qs Ks Ac Ad 7h 7c 7d", 22, id="G023"),
        pytest.param("Ks Qs As Ah Ad 4c 5c 6c 9h 2d", 31, id="G024"),
    ],
)
def test_deadwood_cases_where_the_ace_is_low(cards: str, deadwood: int) -> None:
    assert arrange.least_deadwood_value(hand(cards), LOW_ACE) == deadwood


def test_g003_of_two_equally_good_arrangements_the_one_with_fewer_places_is_taken() -> None:
    found = arrange.least_deadwood(hand("Ac Ah As 2c 2h 2s 3c 3h 3s Kd"), GIN)
    assert [meld.kind for meld in found.melds] == ["set", "set", "set"]


def test_g016_after_the_best_discard() -> None:
    assert min(arrange.discards(hand("4s 4c 4d 4h 5s 5c 5d 6s 2c 3s 3c"), GIN).values()) == 3


@pytest.mark.parametrize(
    ("cards", "knocks"),
    [
        pytest.param("Js Jh Jd 8c 7s 7h 7d 4s 3d 2s Ac", "8c", id="G030"),
        pytest.param("7h 6h 5h 4s 4h 3h 2s As Ah Ad Ac", "7h 4s 4h 3h 2s As Ah Ad Ac", id="G032"),
    ],
)
def test_legal_knock_cases(cards: str, knocks: str) -> None:
    found = arrange.discards(hand(cards), GIN)
    assert {card for card, value in found.items() if value <= 10} == set(hand(knocks))
    assert 0 not in found.values()


@pytest.mark.parametrize(
    ("table", "cards", "deadwood"),
    [
        pytest.param("Ks Kc Kd | 5s 6s 7s | 9c Tc Jc", "2s 2c 2d 2h Ac 7c 8c 8s 9s 8d", 9, id="G040"),
        pytest.param("5s 5c 5d | 6s 6c 6d | 7s 7c 7d", "3s 4s 4c 4d 5h 6h 7h 8s 8c 8d", 3, id="G041"),
        pytest.param("5s 6s 7s | 5c 6c 7c | 5d 6d 7d", "3s 4s 4c 4d 5h 6h 7h 8s 8c 8d", 0, id="G042"),
        pytest.param("As Ac Ad | Tc Td Th | Js Qs Ks", "4s 5s 9s Ts 4c 5c 4d 5d 4h 5h", 0, id="G043"),
        pytest.param("Ac 2c 3c | 4d 5d 6d | 7h 8h 9h", "4c 5c 8d 9d Jd Jh Qh Kh 2s 3s", 32, id="G044"),
        pytest.param("Ac 2c 3c | 4d 5d 6d | 7h 8h 9h", "Jc Qc Kc Jd Qd Kd Jh Qh Kh Ts", 10, id="G045"),
    ],
)
def test_lay_off_cases(table: str, cards: str, deadwood: int) -> None:
    found = arrange.with_lay_offs(hand(cards), GIN, melds(table))
    check_made_of(found, hand(cards), GIN, melds(table))
    assert found.deadwood == deadwood


def test_g046_the_second_lay_off_stands_on_the_first() -> None:
    found = arrange.with_lay_offs(hand("5h 4h"), GIN, melds("Ah 2h 3h"))
    assert found.lay_offs == ((Piece(Card.parse("4h")), 0, "right"), (Piece(Card.parse("5h")), 0, "right"))


def test_a_joker_is_laid_off_on_a_set_of_a_rank_that_is_not_held() -> None:
    rules = Ruleset(lay_off="always")
    found = arrange.with_lay_offs(hand("JK 2c"), rules, melds("7s 7h 7d | Ks Kh Kd Kc"))
    assert found.lay_offs == ((Piece(Card.parse("JK")), 0, None),)
    assert found.left == hand("2c")


@pytest.mark.parametrize("cards", ["7h 8h JK", "7h 8h JK JK'", "6h 7h 8h JK", "5h 7h 8h JK JK'"])
def test_cards_below_a_run_are_joined_to_it_by_jokers(cards: str) -> None:
    rules = Ruleset(lay_off="always").with_(melds__run_min=5)
    found = arrange.with_lay_offs(hand(cards), rules, melds("10h Jh Qh Kh Ah", rules.melds))
    check_made_of(found, hand(cards), rules, melds("10h Jh Qh Kh Ah", rules.melds))
    assert found.left == ()


def test_g047_a_card_does_not_fit_across_a_gap() -> None:
    assert arrange.with_lay_offs(hand("9h"), GIN, melds("5h 6h 7h")).left == hand("9h")


@pytest.mark.parametrize(
    ("card", "others", "table", "expected"),
    [
        pytest.param("9d", "2s 3c Kh", "", False, id="D002"),
        pytest.param("5h", "9c 6h 7h", "", True, id="D003"),
        pytest.param("9d", "8d", "5d 6d 7d", True, id="D007"),
        pytest.param("9d", "2s", "5d 6d 7d", False, id="D007 without the link"),
    ],
)
def test_usable_cases(card: str, others: str, table: str, expected: bool) -> None:  # noqa: FBT001 - a row of the table
    laid = melds(table) if table else ()
    assert arrange.usable(Card.parse(card), hand(others), Ruleset(lay_off="always"), laid) is expected


THIRTY = Ruleset().with_(opening__points=30, deck__packs=2, deck__jokers=6, melds__max_jokers=1, melds__min_naturals=2)


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        pytest.param("7s 7h 7d 2c", None, id="F001"),
        pytest.param("10s 10h 10d 2c", 30, id="F002"),
        pytest.param("As Ah Ad 2c", 33, id="F003"),
        pytest.param("As 2s 3s 7c", None, id="F004"),
        pytest.param("9s 10s Js 2c", None, id="F006"),
        pytest.param("5s 6s 7s 4h 4d 4c Kc", 30, id="F007"),
        pytest.param("10s 10h JK 2c", 30, id="J020"),
        pytest.param("Qc JK Ac 2h", 31, id="J021"),
        pytest.param("Ac JK 3c Kd", None, id="J022"),
        pytest.param("7d 7s JK 9s 9c JK' 2c", 48, id="J037"),
    ],
)
def test_opening_cases(cards: str, points: int | None) -> None:
    found = arrange.opening(hand(cards), THIRTY)
    assert (found.points if found else None) == points


def test_a21_points_may_be_waived_for_who_goes_out() -> None:
    cards = hand("2s 3s 4s 2h 3h 4h Kc")
    waived = THIRTY.with_(opening__waived_when_going_out=True)
    assert arrange.opening(cards, THIRTY) is None
    assert arrange.lay_all(cards, THIRTY, discard=True) is None
    for found in (arrange.opening(cards, waived), arrange.lay_all(cards, waived, discard=True)):
        assert found is not None
        assert (cards_text(found.left), found.points) == ("Kc", 18)


@pytest.mark.parametrize("name", ["_MANY_STATES", "_TOO_MANY_STATES"])
def test_what_opens_may_leave_more_than_the_best_arrangement(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, name, 0)
    rules = THIRTY.with_(scoring__in_hand__ace=0)
    cards = hand("As 2s 3s Ah Ad 9c")
    assert arrange.least_deadwood(cards, rules).deadwood == 9
    found = arrange.opening(cards, rules)
    assert found is not None
    assert (found.deadwood, found.points) == (14, 33)


def test_j023_a_joker_beside_the_low_ace_counts_two() -> None:
    found = arrange.least_deadwood(hand("Ac JK 3c 4c 5c"), THIRTY)
    assert [str(meld) for meld in found.melds] == ["Ac JK=2c 3c 4c 5c"]
    assert found.points == 15
    assert [card_points(found.melds[0], index, THIRTY.scoring.in_play) for index in (0, 1)] == [1, 2]


CONTRACT = Ruleset().with_(
    deck__packs=2,
    deck__jokers=4,
    melds__set_max=8,
    melds__distinct_suits=False,
    melds__run_min=4,
    opening__further_melds=False,
    rounds=[
        {"contract": "44", "hand_size": 10},
        {"contract": "34", "hand_size": 10},
        {"contract": "444", "hand_size": 12, "go_out": "all-at-once"},
    ],
)


def test_e010_everything_fits_in_the_last_round() -> None:
    cards = hand("4s 5s 6s 7s 4d 5d 6d 7d 4h 5h 6h 7h 8d")
    found = arrange.lay_all(cards, CONTRACT, discard=False, round_index=2)
    assert found is not None
    assert found.left == ()
    assert arrange.opening(cards, CONTRACT, 2) == found


def test_e011_one_card_does_not_fit_in_the_last_round() -> None:
    cards = hand("4s 5s 6s 7s 4d 5d 6d 7d 4h 5h 6h 7h Kc")
    assert arrange.lay_all(cards, CONTRACT, discard=False, round_index=2) is None
    assert arrange.opening(cards, CONTRACT, 2) is None


def test_e012_a_run_of_eight_serves_as_two() -> None:
    found = arrange.opening(hand("4h 5h 6h 7h 8h 9h 10h Jh 2c"), CONTRACT, 0)
    assert found is not None
    assert found.left == hand("2c")


def test_e013_a_run_needs_four() -> None:
    assert arrange.opening(hand("3s 3h 3d 4h 5h 6h Kc"), CONTRACT, 1) is None


def test_e015_a_contract_is_a_minimum() -> None:
    found = arrange.opening(hand("3s 3h 3d 3c 4h 5h 6h 7h 8h Kc"), CONTRACT, 1)
    assert found is not None
    assert found.left == hand("Kc")


def test_e002_both_last_cards_are_laid_off() -> None:
    rules = THIRTY.with_(going_out__how="may-lay")
    found = arrange.lay_all(hand("10c Jc"), rules, table=melds("7c 8c 9c"), discard=False, opened=True)
    assert found is not None
    assert [str(piece) for piece, _, _ in found.lay_offs] == ["10c", "Jc"]


def test_e003_where_the_last_card_is_discarded_a_hand_of_one_meld_keeps_a_card_back() -> None:
    assert arrange.opening(hand("4d 5d 6d"), Ruleset()) is None
    found = arrange.opening(hand("4d 5d 6d 7d"), Ruleset())
    assert found is not None
    assert cards_text(found.left) == "4d"


def test_a_barred_card_is_not_the_one_to_discard() -> None:
    cards = hand("4d 5d 6d Kc")
    assert arrange.lay_all(cards, Ruleset(), discard=True) is not None
    assert arrange.lay_all(cards, Ruleset(), discard=True, barred=hand("Kc")) is None
    found = arrange.opening(hand("4d 5d 6d 7d"), Ruleset(), barred=hand("4d"))
    assert found is not None
    assert cards_text(found.left) == "7d"


def test_g017_and_g019_and_g020_and_g021_the_melds_of_a_hand() -> None:
    deck = [natural(rank, suit) for suit in range(4) for rank in range(1, 14)]
    assert len(list(melds_of(hand("As Ac Ad Ah 2s 3s"), LOW_ACE.melds))) == 6
    for rules, short, all_of_them in ((LOW_ACE, 185, 329), (GIN, 197, 369)):
        sizes = [len(pieces) for pieces in melds_of(deck, rules.melds)]
        assert (sum(size <= 5 for size in sizes), len(sizes)) == (short, all_of_them)
    twenty = hand("9h Ac Th 3c 3d 7c Qh 3h 8c 8d 4d 7h 8s 5h 4h As Td 3s 2s Ah")
    found = [read_meld(pieces, LOW_ACE.melds).kind for pieces in melds_of(twenty, LOW_ACE.melds)]
    assert (found.count("set"), found.count("run")) == (7, 2)
