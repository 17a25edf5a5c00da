"""The key table of the table room, the buttons made from it, and the way of the cursor over hand, melds and piles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rummy_p2p.engine import NOBODY, Phase, View
from rummy_p2p.sentences.screen import clock_text, table_text
from rummy_p2p.sentences.titles import label_text
from rummy_p2p.ui.room import Key
from rummy_p2p.ui.sitting_keys import Stand, getting_up, going_on, showing_ways, voting
from rummy_p2p.ui.table_moves import Fit, numbers_of
from rummy_p2p.ui.table_play import Options
from rummy_p2p.ui.table_state import TableState
from rummy_p2p.ui.votes import ask_vote

if TYPE_CHECKING:
    from rummy_p2p.ui.table_room import TableRoom

T = table_text
_OF_A_HAND = ("s", "H", "u")


class TableKeys:
    """The keys of one table room."""

    def __init__(self, room: TableRoom) -> None:
        self._room = room

    @property
    def _state(self) -> TableState:
        return self._room.state

    # --- tables of keys ----------------------------------------------------------------------------------------------

    def forming(self) -> tuple[Key, ...]:
        """Return the keys while no cards are dealt."""
        room = self._room
        return (
            *self._towards_cards(),
            *self.change(),
            *self._sits_down(),
            *self._claims(),
            Key(("i",), T("info"), room.show_info, help=T("info-help")),
            Key(("v",), T("invite"), room.invite, help=T("invite-help")),
            *self._code(),
            self._chat(),
            Key(("g",), T("log"), room.show_log, help=T("log-help")),
            Key(("r",), T("rules"), room.show_rules, help=T("rules-help")),
            getting_up(room.ask_to_leave),
            *self._vote(),
        )

    def _towards_cards(self) -> tuple[Key, ...]:
        """Return the keys of who has a seat of this program's: to be ready, to start, to play again; Enter leaves a
        table that is closed.
        """
        facts = self._room.facts()
        if self._state.closed:
            return (self._continue(),)
        if not (facts.opener or facts.ready or facts.may_ready or facts.may_rematch):
            return ()
        stand = Stand(facts.opener, facts.ready, facts.may_start, facts.may_rematch)
        ready = self._typing("unready" if facts.ready else "ready")
        return going_on(stand, ready, self._typing("start"), self._typing("rematch"))

    def playing(self, view: View, options: Options) -> tuple[Key, ...]:
        """Return the keys while cards are dealt."""
        if view.seat == NOBODY:
            return self._looking_on()
        if self._state.asking:
            return self._asking()
        if self._room.state.closed or view.state.over:
            return (self._continue(), *self._claims(), *self._always(), *self._code())
        if self._room.state.bot_plays:
            return (self._back(), *self._claims(), *self._always(), *self._ways())
        if claims := self._claims():
            return (*claims, *self._moves(view, options), *self._always(), *self._ways())
        return (*self._moves(view, options), *self._always(), *self._ways())

    def _looking_on(self) -> tuple[Key, ...]:
        """Return the keys of somebody without a hand: there is nothing to sort, to select or to be advised on."""
        end = (self._continue(),) if self._state.closed else self._sits_down()
        scrolls = tuple(key for key in self._ways() if key.keys[0] in ("pageup", "pagedown"))
        return (*end, *(key for key in self._always() if key.keys[0] not in _OF_A_HAND), *scrolls)

    def _sits_down(self) -> tuple[Key, ...]:
        """Return what only somebody has who looks on."""
        if "sit" not in self._room.seat.commands() or self._state.closed or self._room.facts().wants_seat:
            return ()
        return (Key(("b",), T("sit"), self._typing("sit"), help=T("sit-help")),)

    def _claims(self) -> tuple[Key, ...]:
        """Return what only one has who waits for the other of two; before its time it says how long is left."""
        opens = self._room.told().claim_opens
        if opens is None:
            return ()
        label = T("claim") if opens <= 0 else T("claim-in", time=clock_text(opens))
        return (Key(("f",), label, self._typing("claim"), help=T("claim-help")),)

    def _continue(self) -> Key:
        if self._room.facts().may_rematch and not self._state.closed:
            return Key(("y",), T("rematch"), self._typing("rematch"), bar=False)
        label = T("leave") if self._state.closed else T("next-hand")
        return Key(("enter",), label, self._room.next_hand, bar=False)

    def _back(self) -> Key:
        return Key(("b",), T("play-myself"), self._room.take_back, help=T("play-myself-help"))

    def _moves(self, view: View, options: Options) -> tuple[Key, ...]:
        play, room = self._room.play, self._room
        draw = T("turn-over" if options.turns_over else "draw")
        return (
            Key(("d",), draw, play.draw, options.draw, bar=False, help=T("draw-help")),
            Key(("t",), T("take"), room.take, options.take, bar=False, help=T("take-help")),
            *self._answers(view, options),
            Key(("m",), T("meld"), play.meld, options.meld, bar=False, help=T("meld-help")),
            Key(("a",), T("add"), play.add, options.add, bar=False, help=T("add-help")),
            Key(("x",), T("discard"), play.discard, options.discard, bar=False, help=T("discard-help")),
            *self._calls(view, options),
        )

    def _calls(self, view: View, options: Options) -> tuple[Key, ...]:
        """Return the key that claims or knocks, in a game that has it."""
        rules = view.state.rules
        if rules.claim.kind == "none" and rules.going_out.how != "knock":
            return ()
        said = T("knock-help" if rules.going_out.how == "knock" else "call-help")
        claim = self._room.claiming(view, options)
        label = self._call_label(options) if claim is None else claim.text
        return (Key(("c",), label, self._room.play.call, options.call, bar=False, help=said),)

    def _answers(self, view: View, options: Options) -> tuple[Key, ...]:
        """Return the keys that some moments alone have."""
        if options.answers:
            return (
                Key(("y",), T("keep"), self._typing("keep"), bar=False),
                Key(("n",), T("give"), self._typing("give"), bar=False),
            )
        if options.done:
            return (Key(("o",), T("done"), self._typing("done"), bar=False),)
        passing = view.state.phase is Phase.OFFER or options.passes
        return (Key(("p",), T("pass"), self._typing("pass"), options.passes, bar=False, help=T("pass-help")),) * passing

    def _call_label(self, options: Options) -> str:
        rules = self._room.seat.rules
        how = rules.going_out.how
        return label_text(rules.labels.knock if options.knocks or how == "knock" else rules.labels.call)

    def _always(self) -> tuple[Key, ...]:
        room, play = self._room, self._room.play
        pause = self.pause()
        loud = pause if pause and pause[0].bar else ()  # before what else there is room for
        return (
            *loud,
            Key(("i",), T("info"), room.show_info, help=T("info-help")),
            Key(("v",), T("invite"), room.invite, bool(room.facts().joining[1]), help=T("invite-help")),
            self._chat(),
            Key(("s",), T("sort"), room.sort, help=T("sort-help")),
            Key(("H",), T("hint"), play.hint, help=T("hint-help")),
            Key(("u",), T("undo"), play.undo, help=T("undo-help")),
            Key(("g",), T("log"), room.show_log, help=T("log-help")),
            Key(("r",), T("rules"), room.show_rules, help=T("rules-help")),
            getting_up(room.ask_to_leave),
            Key(("]",), T("side"), self._switch_side, bar=False, help=T("side-help")),
            *(() if loud else pause),
            *self._vote(),
        )

    def pause(self) -> tuple[Key, ...]:
        """Return the key that asks for a pause, agrees to one or ends it; in the bar as long as one is wanted."""
        facts = self._room.facts()
        if "pause" not in self._room.seat.commands() or facts.forming or facts.over is not None:
            return ()
        which = "pause-on" if facts.agreed else "pause-not" if facts.resting else "pause"
        which = "pause-agree" if facts.wants_pause and not facts.resting else which
        word, loud = "continue" if facts.resting else "pause", facts.agreed or bool(facts.wants_pause)
        return (Key(("P",), T(which), self._typing(word), bar=loud, help=T("pause-help")),)

    def change(self) -> tuple[Key, ...]:
        """Return the key by which who opened the table chooses other rules for another match."""
        change = self._room.other_rules
        if change is None or not self._room.facts().may_change or self._state.closed:
            return ()
        return (Key(("o",), T("other-rules"), change, help=T("other-rules-help")),)

    def _code(self) -> tuple[Key, ...]:
        """Return the key that shows the code of the player's own table."""
        invites = self._room.invites
        if self._state.closed or invites.ways() is None:
            return ()
        return (showing_ways(invites.show_ways, bar=True),)

    def _vote(self) -> tuple[Key, ...]:
        """Return the key for a vote, where others sit at the table."""
        room, vote = self._room, self._room.seat.commands().get("vote")
        others = [name for name, _words in room.facts().people]
        if vote is None or not others:
            return ()
        return (voting(lambda: ask_vote(room.screen, others, vote[1])),)

    def _chat(self) -> Key:
        talks = "chat" in self._room.seat.commands()
        return Key(("/",), T("chat"), self._room.chat, talks, help=T("chat-help"))

    def _ways(self) -> tuple[Key, ...]:
        return (
            Key(("space",), T("select"), self._select, help=T("select-help")),
            Key(("enter",), "", self._enter, bar=False, help=T("enter-help")),
            Key(("left", "h"), "", self._moving(-1), bar=False, help=T("move-help")),
            Key(("right", "l"), "", self._moving(1), bar=False, help=T("move-help")),
            Key(("up", "k"), "", self._climbing(-1), bar=False, help=T("zone-help")),
            Key(("down", "j"), "", self._climbing(1), bar=False, help=T("zone-help")),
            Key(("home",), "", self._moving(-99), bar=False),
            Key(("end",), "", self._moving(99), bar=False),
            Key(("<", "s-left"), "", self._carrying(-1), bar=False, help=T("carry-help")),
            Key((">", "s-right"), T("carry"), self._carrying(1), bar=False, help=T("carry-help")),
            Key(("pageup",), "", self._scrolling(-1), bar=False, help=T("scroll-help")),
            Key(("pagedown",), "", self._scrolling(1), bar=False, help=T("scroll-help")),
            *self._putting_down(),
        )

    def _putting_down(self) -> tuple[Key, ...]:
        """Return the key that takes the selection back, where there is one."""
        chosen = self._state.selected or self._state.armed is not None
        return (Key(("escape",), "", self._state.forget, bar=False, help=T("escape-help")),) if chosen else ()

    def _asking(self) -> tuple[Key, ...]:
        play, places = self._room.play, self._state.asking
        numbers = numbers_of(places)
        keys = [Key(("escape", "u"), T("cancel"), play.undo)]
        if len(numbers) == 1:
            keys += self._asking_where(places)
        elif numbers[-1] < 10:
            keys += [Key((str(number),), T("meld"), self._picking(number)) for number in numbers]
        else:
            digits = tuple("123456789")
            keys.append(Key(digits, T("which-number"), self._ask_number))
        return tuple(keys)

    def _asking_where(self, places: Sequence[Fit]) -> list[Key]:
        """Return the keys for the places on one meld: its ends, or the only place to add to, and its joker."""
        play, added = self._room.play, [fit.side for fit in places if not fit.swap]
        keys = []
        if "left" in added:
            keys.append(Key(("left", "h"), T("left-end"), lambda: play.answer(side="left")))
        if "right" in added:
            keys.append(Key(("right", "l"), T("right-end"), lambda: play.answer(side="right")))
        if None in added:
            keys.append(Key(("a",), T("add"), lambda: play.answer(swap=False)))
        if any(fit.swap for fit in places):
            keys.append(Key(("j",), T("take-joker"), lambda: play.answer(swap=True)))
        return keys

    def _ask_number(self) -> None:
        """Let the number of a meld be typed where one digit is not enough."""
        self._room.screen.open_line(T("which-number"), self._picked, once=True)

    def _picked(self, text: str) -> None:
        if text.isascii() and text.isdigit():
            self._room.play.answer(int(text[:3]))

    # --- buttons -----------------------------------------------------------------------------------------------------

    def buttons(self, view: View, options: Options) -> tuple[Key, ...]:
        """Return the buttons beside the player's name; one that does nothing now stays in its place."""
        if view.seat == NOBODY and not self._state.closed:
            return self._sits_down()
        if self._state.closed or view.state.over:
            return (self._continue(),)
        if self._state.bot_plays:
            return (self._back(), *self._claims())
        if claims := self._claims():
            return claims
        if self._state.asking:
            return self._asking()
        return tuple(key for key in self._moves(view, options) if self._is_button(key, view))

    def _is_button(self, key: Key, view: View) -> bool:
        rules = view.state.rules
        shown = {
            "d": False,
            "t": False,
            "m": rules.lay == "in-play",
            "a": rules.lay_off != "never" or rules.joker_swap.who != "never",
        }
        return shown.get(key.keys[0], True)

    def labels(self, options: Options) -> tuple[Key | None, Key | None]:
        """Return the buttons under the stock and the pile; none for who has no seat."""
        play = self._room.play
        if self._room.seat.seat == NOBODY:
            return None, None
        draw = T("turn-over" if options.turns_over else "draw")
        return (
            Key(("d",), draw, play.draw, options.draw),
            Key(("t",), T("take"), self._room.take, options.take),
        )

    def side(self) -> tuple[Key, ...]:
        """Return the buttons of the right side."""
        names = ("i", "v")
        return tuple(key for key in self._always() if key.keys[0] in names)

    # --- what they do ------------------------------------------------------------------------------------------------

    def _typing(self, text: str) -> Callable[[], None]:
        def act() -> None:
            self._room.play.do(text)

        return act

    def _picking(self, number: int) -> Callable[[], None]:
        return lambda: self._room.play.answer(number)

    def _switch_side(self) -> None:
        self._state.side = not self._state.side

    def _select(self) -> None:
        view = self._room.seat.view()
        slot = None if view is None else self._state.focused(view)
        if self._state.zone != "hand":
            self._room.screen.note(T("select-where"))
        elif slot is not None:
            self._state.toggle(slot)

    def _enter(self) -> None:
        """Do what is nearest: select the card, draw or take from the pile, add to the meld."""
        state, view = self._state, self._room.seat.view()
        if view is None or state.zone == "hand":
            self._select()
        elif state.zone == "piles" and state.at["piles"] == 0:
            self._room.play.draw()
        elif state.zone == "piles":
            self._room.take()
        else:
            self._room.play.add_here(state.at["table"] + 1)

    def _moving(self, by: int) -> Callable[[], None]:
        def move() -> None:
            state, view = self._state, self._room.seat.view()
            if view is None:
                return
            state.armed = None
            most = {"hand": len(state.loose(view)), "piles": 2, "table": len(view.state.table)}[state.zone]
            state.at[state.zone] = max(0, min(most - 1, state.at[state.zone] + by))
            self._keep_in_sight()

        return move

    def _climbing(self, by: int) -> Callable[[], None]:
        """Go up from row to row of the hand and over the melds to the piles, and down again."""

        def climb() -> None:
            state, view = self._state, self._room.seat.view()
            if view is None:
                return
            melds = len(view.state.table)
            if state.zone == "hand" and self._to_row(by, len(state.loose(view))):
                return
            if state.zone == "table" and 0 <= state.at["table"] + by < melds:
                state.at["table"] += by
            elif state.zone == "hand" and by < 0:
                state.zone = "table" if melds else "piles"
                state.at["table"] = max(0, melds - 1)
            elif state.zone == "piles" and by > 0:
                state.zone = "table" if melds else "hand"
                state.at["table"] = 0
            elif state.zone == "table":
                state.zone = "piles" if by < 0 else "hand"
            self._keep_in_sight()

        return climb

    def _to_row(self, by: int, cards: int) -> bool:
        """Go to the next row of the fan, to the card above or below; False where there is none."""
        per_row, at = self._state.per_row, self._state.at["hand"]
        rows = -(-cards // per_row) if per_row else 1
        if not per_row or not 0 <= at // per_row + by < rows:
            return False
        self._state.armed = None
        self._state.at["hand"] = min(cards - 1, at + by * per_row)
        return True

    def _keep_in_sight(self) -> None:
        state = self._state
        if state.zone == "table":
            at = state.at["table"]
            state.scroll = max(at - state.shown_melds + 1, min(state.scroll, at))

    def _carrying(self, by: int) -> Callable[[], None]:
        def carry() -> None:
            state, view = self._state, self._room.seat.view()
            slot = None if view is None else state.focused(view)
            if view is None or slot is None:
                return
            free = state.loose(view)
            place = free.index(slot) + by
            if 0 <= place < len(free):
                state.fan.move(slot, state.fan.slots.index(free[place]))
                state.at["hand"] = place

        return carry

    def _scrolling(self, by: int) -> Callable[[], None]:
        def scroll() -> None:
            state, view = self._state, self._room.seat.view()
            count = 0 if view is None else len(view.state.table) + len(state.staged)
            step = by * max(1, state.shown_melds - 1)
            state.scroll = max(0, min(count - state.shown_melds, state.scroll + step))

        return scroll
