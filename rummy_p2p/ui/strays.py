"""Keys that mean nothing where they are pressed: which keys these can be, and what is said of one.

The law of the file
    What is said stands in the line under the board, where nothing else is said: it hides no other sentence. It goes
    with the next key that means something, with its room, or after a moment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.keys import KEY_ALIASES, Keys

from rummy_p2p.protocol.text import clean
from rummy_p2p.sentences.screen import screen_text
from rummy_p2p.ui.bar import HELP
from rummy_p2p.ui.room import Key, key_cap

_NO_KEYS: Final = frozenset(key for key in Keys if key.value.startswith("<"))  # the mouse, what is pasted, answers
_NAMES: Final = {KEY_ALIASES[name]: name for name in ("enter", "tab", "backspace", "c-space")} | {" ": "space"}


def stray_bindings(press: Callable[[str], None]) -> KeyBindings:
    """Return bindings for every key of a keyboard, none of them for what the mouse or the terminal itself sends; what
    is bound to a key besides goes before them, as long as it is merged behind them.
    """
    bindings = KeyBindings()

    def pressed(event: KeyPressEvent) -> None:
        key = event.key_sequence[-1].key
        if key not in _NO_KEYS:
            press(key.value if isinstance(key, Keys) else key)

    for key in Keys:
        if key not in _NO_KEYS:
            bindings.add(key, eager=True)(pressed)
    bindings.add(Keys.Any)(pressed)  # letters; not eager, or it would also take what is no key
    return bindings


def stray_text(name: str, keys: Iterable[Key]) -> str:
    """Return what is said of a key that is none of these: that it does nothing, and which key leads on."""
    cap = clean(key_cap(_NAMES.get(name, name)), 16)  # nothing where it cannot be shown
    what = screen_text("stray", key=cap) if cap else screen_text("stray-unseen")
    helps = any(key.keys[0] == HELP for key in keys)
    return f"{what} {screen_text('stray-help' if helps else 'stray-out')}"
