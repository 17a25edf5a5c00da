"""Ruleset: every knob of a game as frozen data, with ``with_()``, a canonical form and a fingerprint.

A game is a Ruleset; a house rule is a function from Ruleset to Ruleset. Nothing above this module knows a game by its
name. The knobs are grouped as a player would look for them; a knob's path (``scoring.in_hand.joker``) is its name in
TOML files, in refusals and in the rule sheet. Where data cannot say a rule, a *function knob* does: a pure function
with the name of its plugin, that plugin's version and the hash of its source, so that two peers can tell whether
theirs is the same.

The fingerprint is of the content: ``meta``, ``labels`` and the names of the game and its house rules do not enter it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, Final, Literal, cast

import msgspec

MOST_CARDS: Final = 26  # from some 30 on, finding out what a hand can lay takes seconds; no game deals half as many
KNOB_FUNCTIONS: Final = ("meld_points", "left_points", "may_open", "may_go_out", "hand_bonus")


class RulesetError(ValueError):
    """A knob does not exist, has a wrong value, or contradicts another. ``code``: one of the list of refusals."""

    def __init__(self, code: str, sentence: str) -> None:
        """Keep the code beside the sentence."""
        super().__init__(sentence)
        self.code = code


class Knobs(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of every group of knobs."""


class Players(Knobs, frozen=True):
    """How many may play."""

    min: int = 2
    max: int = 4


class Deck(Knobs, frozen=True):
    """What is shuffled: packs of 52 and jokers."""

    packs: int = 1
    jokers: int = 0


class Round(Knobs, frozen=True):
    """One hand of a match with contracts: digits of the contract (3 = set, 4 = run), cards in hand."""

    contract: str
    hand_size: int
    go_out: Literal["", "must-discard", "may-lay", "all-at-once"] = ""


class Melds(Knobs, frozen=True):
    """What a valid meld is. ``ace``: where it stands in a run; ``run_max`` 14 allows an ace at both ends."""

    set_min: int = 3
    set_max: int = 4
    distinct_suits: bool = True
    run_min: int = 3
    run_max: int = 14
    ace: Literal["low", "high", "either"] = "either"
    max_jokers: int | None = None
    min_naturals: int = 1


class Opening(Knobs, frozen=True):
    """What the first lay-down of a hand must be: points in one action, or the contract of the round."""

    points: int = 0
    waived_when_going_out: bool = False
    layoffs_count: bool = False
    further_melds: bool = True


class Draw(Knobs, frozen=True):
    """Where a turn's card comes from and what is owed for a card from the pile."""

    pile: Literal["top", "many"] = "top"
    must_use: Literal["no", "before-discard", "next-action"] = "no"
    must_use_top: bool = True
    must_use_who: Literal["everybody", "not-opened"] = "everybody"
    may_return: bool = False
    other_taken: Literal["free", "barred"] = "free"
    first_upcard_offer: bool = False
    upcard_cap: int | None = None


class JokerSwap(Knobs, frozen=True):
    """Who may take a joker off the table for the card it stands for."""

    who: Literal["never", "declared", "any-missing", "both-missing"] = "never"
    needs_opening: bool = True


class Claim(Knobs, frozen=True):
    """The one out-of-turn claim a game may have, and its price. ``window_ms`` is in milliseconds."""

    kind: Literal["none", "rummy-call", "knock-claim", "buy"] = "none"
    penalty: int = 0
    source: Literal["stock", "pile"] = "stock"
    priority: Literal["ledger", "seat"] = "ledger"
    turn_returns: bool = False
    after_opening: bool = True
    window_ms: int = 1500


class GoingOut(Knobs, frozen=True):
    """How a hand is won: last card discarded, last card laid, everything at once, or a knock."""

    how: Literal["must-discard", "may-lay", "all-at-once", "knock"] = "must-discard"
    knock_limit: int = 10
    big_gin: bool = False


class StockOut(Knobs, frozen=True):
    """What happens when the stock runs out. ``at``: cards left that count as run out for ``void`` (a dead hand)."""

    what: Literal["reshuffle", "turn-over", "hand-ends", "play-on", "void"] = "reshuffle"
    at: int = 0
    max_times: int = 3
    last_card_action: bool = False


class MeldValues(Knobs, frozen=True):
    """What a card counts in a meld on the table; a joker counts as the card it stands for; 2 to 10 as printed."""

    ace_low: int = 1
    ace_high: int = 11
    face: int = 10


class HandValues(Knobs, frozen=True):
    """What a card counts in hand at the end; 2 to 10 as printed."""

    ace: int = 1
    face: int = 10
    joker: int = 20


class Scoring(Knobs, frozen=True):
    """How a hand is counted. ``take_all_factor`` multiplies the others' points when somebody goes out in one turn."""

    kind: Literal["penalty", "meld-points", "gin"] = "penalty"
    in_play: MeldValues = MeldValues()
    in_hand: HandValues = HandValues()
    take_all_factor: int = 1
    gin_bonus: int = 0
    undercut_bonus: int = 0
    undercut_on_tie: bool = True
    game_bonus: int = 0
    box_bonus: int = 0
    big_gin_bonus: int = 0


class MatchEnd(Knobs, frozen=True):
    """When a match ends and who has won. ``limit``: who is above it is out; ``target``: a total that ends it."""

    target: int | None = None
    limit: int | None = None
    deals: int | None = None
    winner: Literal["lowest", "highest"] = "lowest"
    tie: Literal["shared", "one-more-hand"] = "shared"
    dealer: Literal["rotates", "rotates-unless-void"] = "rotates"


class Clock(Knobs, frozen=True):
    """Seconds for a move and for a whole game (0 = none); out of game time is a loss when ``game_loses``."""

    move_s: int = 0
    game_s: int = 0
    game_loses: bool = False


class Labels(Knobs, frozen=True):
    """Words the screen shows for moves whose name depends on the game."""

    call: str = "Call"
    knock: str = "Knock"


class Meta(Knobs, frozen=True):
    """What a player reads before choosing; no rule."""

    title: str = ""
    minutes: tuple[int, int] = (15, 30)
    difficulty: Literal["easy", "medium", "hard"] = "medium"
    similar: tuple[str, ...] = ()


class KnobFunction(msgspec.Struct, frozen=True, kw_only=True):
    """A pure function that stands where data cannot say a rule."""

    name: str
    plugin: str
    version: str
    source_hash: str
    call: Callable[..., object]

    def mark(self) -> tuple[str, str, str, str]:
        """Return what two peers compare: everything but the code itself."""
        return (self.name, self.plugin, self.version, self.source_hash)


class Ruleset(Knobs, frozen=True):
    """One game with its house rules, compiled: the only thing the engine is told about a game."""

    game: str = ""
    house: tuple[str, ...] = ()
    meta: Meta = Meta()
    labels: Labels = Labels()
    players: Players = Players()
    deck: Deck = Deck()
    hand_size: tuple[int, ...] = (7,)
    upcard: bool = True
    rounds: tuple[Round, ...] = ()
    melds: Melds = Melds()
    opening: Opening = Opening()
    draw: Draw = Draw()
    lay: Literal["in-play", "at-knock"] = "in-play"
    lay_off: Literal["never", "always", "after-opening", "after-knock"] = "after-opening"
    joker_swap: JokerSwap = JokerSwap()
    claim: Claim = Claim()
    going_out: GoingOut = GoingOut()
    stock_out: StockOut = StockOut()
    scoring: Scoring = Scoring()
    match: MatchEnd = MatchEnd()
    clock: Clock = Clock()
    functions: tuple[KnobFunction, ...] = ()

    @property
    def size(self) -> int:
        """Number of cards in the deck."""
        return 52 * self.deck.packs + self.deck.jokers

    @property
    def fingerprint(self) -> str:
        """Hex sha256 over the canonical form without names and words."""
        return hashlib.sha256(msgspec.json.encode(self._content(), order="sorted")).hexdigest()

    def canonical(self) -> bytes:
        """Return the data of the Ruleset as sorted JSON; ``from_canonical`` rebuilds all but the function knobs."""
        data = self._data()
        data["functions"] = [function.mark() for function in self.functions]
        return msgspec.json.encode(data, order="sorted")

    def knobs(self) -> dict[str, object]:
        """Return every knob by its path, in the order in which they are declared; values as JSON would hold them."""
        return dict(_flatten("", self._data()))

    def with_(self, **changes: object) -> Ruleset:
        """Return a Ruleset with knobs changed: ``with_(scoring__in_hand__joker=30, upcard=False)``.

        Raises RulesetError (``bad-option``) for a knob that does not exist or a value it cannot take.
        """
        data = self._data()
        for path, value in changes.items():
            _put(data, path.split("__"), value)
        return _rebuild(data, self.functions)

    def with_function(self, function: KnobFunction) -> Ruleset:
        """Return a Ruleset with a function knob set (one of ``KNOB_FUNCTIONS``; the last one given counts)."""
        if function.name not in KNOB_FUNCTIONS:
            raise RulesetError("bad-option", f"There is no function knob called {function.name!r}.")
        kept = [other for other in self.functions if other.name != function.name]
        return msgspec.structs.replace(self, functions=tuple(sorted((*kept, function), key=lambda f: f.name)))

    def function(self, name: str) -> KnobFunction | None:
        """Return the function knob of that name, if a plugin has set it."""
        return next((function for function in self.functions if function.name == name), None)

    def cards_each(self, seats: int, round_index: int = 0) -> int:
        """Return how many cards each of so many players is dealt; who is left after others are out, as the fewest."""
        if self.rounds:
            return self.rounds[min(round_index, len(self.rounds) - 1)].hand_size
        return self.hand_size[max(0, min(seats - self.players.min, len(self.hand_size) - 1))]

    def _data(self) -> dict[str, Any]:
        data = cast("dict[str, Any]", msgspec.to_builtins(msgspec.structs.replace(self, functions=())))
        del data["functions"]
        return data

    def _content(self) -> dict[str, Any]:
        data = self._data()
        for name in ("game", "house", "meta", "labels"):
            del data[name]
        data["functions"] = [function.mark() for function in self.functions]
        return data


def from_canonical(data: bytes, functions: tuple[KnobFunction, ...] = ()) -> Ruleset:
    """Rebuild a Ruleset from its canonical form; raises RulesetError when it is none or when functions are missing."""
    try:
        raw = msgspec.json.decode(data, type=dict[str, Any])
        marks = msgspec.convert(raw.pop("functions", []), list[tuple[str, str, str, str]])
    except (msgspec.DecodeError, RecursionError) as error:
        raise RulesetError("bad-option", f"These are not rules: {error}.") from error
    if marks != [function.mark() for function in functions]:
        raise RulesetError("unknown-rule", "These rules use functions of plugins that are not given.")
    return _rebuild(raw, functions)


def differences(one: Ruleset, other: Ruleset) -> dict[str, tuple[object, object]]:
    """Return the knobs in which two Rulesets differ, with both values; names and words left out."""
    mine, theirs = one.knobs(), other.knobs()
    words = ("game", "house", "meta", "labels")
    found = {
        path: (mine[path], theirs[path])
        for path in mine
        if path.split(".", maxsplit=1)[0] not in words and mine[path] != theirs[path]
    }
    for name in KNOB_FUNCTIONS:
        pair = tuple(rules.function(name) for rules in (one, other))
        marks = tuple(function.mark() if function else None for function in pair)
        if marks[0] != marks[1]:
            found[f"functions.{name}"] = (marks[0], marks[1])
    return found


def _rebuild(data: Mapping[str, Any], functions: tuple[KnobFunction, ...]) -> Ruleset:
    try:
        rules = msgspec.convert(data, Ruleset)
    except msgspec.ValidationError as error:
        raise RulesetError("bad-option", _explain(str(error))) from error
    _examine(rules)
    return msgspec.structs.replace(rules, functions=functions)


def _explain(error: str) -> str:
    what, _, where = error.partition(" - at ")
    return f"{where.strip('`').removeprefix('$.') or 'rules'}: {what}."


def _put(data: dict[str, Any], path: list[str], value: object) -> None:
    inner = data
    for name in path[:-1]:
        if not isinstance(inner.get(name), dict):
            raise RulesetError("bad-option", f"There is no knob called {'.'.join(path)!r}.")
        inner = inner[name]
    if path[-1] not in inner:
        raise RulesetError("bad-option", f"There is no knob called {'.'.join(path)!r}.")
    try:
        inner[path[-1]] = msgspec.to_builtins(value)
    except TypeError as error:
        raise RulesetError("bad-option", f"{'.'.join(path)}: {value!r} is not a value for a knob.") from error


def _flatten(prefix: str, value: object) -> list[tuple[str, object]]:
    if not isinstance(value, dict):
        return [(prefix.removesuffix("."), value)]
    return [pair for key, inner in value.items() for pair in _flatten(f"{prefix}{key}.", inner)]


def _examine(rules: Ruleset) -> None:
    """Refuse combinations that no table could play."""
    for wrong, sentence in chain(_wrong_deck(rules), _wrong_melds(rules), _wrong_play(rules)):
        if wrong:
            raise RulesetError("rule-conflict", f"These rules cannot be played: {sentence}.")


def _wrong_deck(rules: Ruleset) -> Iterator[tuple[bool, str]]:
    least, most = rules.players.min, rules.players.max
    sizes = [each.hand_size for each in rules.rounds] or list(rules.hand_size)
    yield not 1 <= least <= most, "players.min must be at least 1 and not above players.max"
    yield most > 8, "players.max can be at most 8"
    yield not 1 <= rules.deck.packs <= 3, "deck.packs can be 1 to 3"
    yield not 0 <= rules.deck.jokers <= 12, "deck.jokers can be 0 to 12"
    yield not sizes or min(sizes) < 1, "hand_size must be at least 1"
    dealt = max(rules.cards_each(n, i) * n for n in range(least, most + 1) for i in range(len(sizes)))
    yield dealt + 2 > rules.size, "there are not enough cards in the deck for so many players"
    yield max(sizes) > MOST_CARDS, f"hand_size can be at most {MOST_CARDS}"
    yield rules.draw.first_upcard_offer and not rules.upcard, "draw.first_upcard_offer needs an upcard"


def _wrong_melds(rules: Ruleset) -> Iterator[tuple[bool, str]]:
    melds = rules.melds
    yield not 2 <= melds.set_min <= melds.set_max, "melds.set_min must be 2 or more and not above set_max"
    yield not 2 <= melds.run_min <= melds.run_max <= 14, "melds.run_min must be 2 or more, run_max at most 14"
    yield melds.min_naturals < 1, "melds.min_naturals must be at least 1"
    wrong = [each.contract for each in rules.rounds if not each.contract or set(each.contract) - {"3", "4"}]
    yield bool(wrong), "a contract is made of 3 and 4"
    needed = [3 * each.contract.count("3") + 4 * each.contract.count("4") - each.hand_size for each in rules.rounds]
    yield any(more > 1 for more in needed), "a contract asks for more cards than are dealt"


def _wrong_play(rules: Ruleset) -> Iterator[tuple[bool, str]]:
    knock = rules.going_out.how == "knock"
    claim, end = rules.claim, rules.match
    yield knock != (rules.lay == "at-knock"), "lay = at-knock and going_out.how = knock need each other"
    yield knock != (rules.scoring.kind == "gin"), "going_out.how = knock and scoring.kind = gin need each other"
    yield knock and rules.players.max > 2, "a knock game is for two players"
    yield knock and claim.kind != "none", "a claim cannot be laid over a knock game"
    yield claim.window_ms < 0 or claim.penalty < 0, "claim.window_ms and claim.penalty cannot be negative"
    ends = (end.target, end.limit, end.deals)
    yield any(value is not None and value < 1 for value in ends), "match.target, limit and deals must be at least 1"
