"""The command line: the only place that wires everything together.

Every command is a function ``(Namespace) -> exit code`` in a module of its own, imported when it is asked for, so that
``--version`` loads nothing. Exit codes: 0 ok, 1 error, 2 usage, 3 network or host lost, 4 rules missing or different,
130 Ctrl-C. An error is one sentence on stderr; ``--debug`` shows where it came from.
"""

from __future__ import annotations

import gc
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from rummy_p2p.cli.parser import read

OK, ERROR, USAGE, NETWORK, RULES, INTERRUPTED = 0, 1, 2, 3, 4, 130


class CommandError(Exception):
    """The command cannot go on; the text is the sentence for the player, ``exit_code`` how the program ends."""

    def __init__(self, sentence: str, exit_code: int = ERROR) -> None:
        """Keep both."""
        super().__init__(sentence)
        self.exit_code = exit_code


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    if {"-h", "--help"} & set(words):
        _speak(_spoken(words))
    options = read(words)
    try:
        return _run(options)
    except CommandError as error:
        if options.debug:
            raise
        return _failed(_retold(str(error)), error.exit_code)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the answer has gone; without this Python would complain when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ERROR
    except Exception as error:
        if options.debug:
            raise
        return _failed(_sentence_of(error), ERROR)


@contextmanager
def loading() -> Iterator[None]:
    """Collect no garbage meanwhile: modules stay; to look through them again and again is a seventh of the start."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():
            gc.freeze()  # and back: now all of it is old, else it would be looked through at once
            gc.unfreeze()
        if collects:
            gc.enable()


def _run(options: Namespace) -> int:
    module, _, name = options.run.partition(":")
    with loading():
        command = getattr(import_module(f"rummy_p2p.cli.{module}"), name)
        _speak(options)
    code: int = command(options)
    sys.stdout.flush()
    return code


def _spoken(words: Sequence[str]) -> Namespace:
    """Return what a command line that asks for help says about the language, before anything of it is carried out."""
    parser = ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("--lang", nargs="?")
    parser.add_argument("--data", nargs="?")
    return parser.parse_known_args(words)[0]


def _speak(options: Namespace) -> None:
    """Speak the language of the flag, of RUMMY_P2P_LANG, of the config file, or else that of the system."""
    from rummy_p2p.sentences.language import known_language, use_language

    around = known_language(os.environ.get("RUMMY_P2P_LANG", ""))
    use_language(known_language(options.lang or "") or around or _kept_language(options.data))


def _kept_language(folder: str | None) -> str | None:
    from rummy_p2p.store import Paths, Store, StoreError

    try:
        return Store(Paths.of(Path(folder) if folder else None)).config().lang
    except StoreError:  # the command that needs the file says what is wrong with it
        return None


def _retold(sentence: str) -> str:
    from rummy_p2p.sentences.faults import retold

    return retold(sentence)


def _sentence_of(error: Exception) -> str:
    from rummy_p2p.sentences.language import _

    text = _(
        "Something went wrong in the program itself, and it had to stop ({error}). Run it again with --debug to see "
        "where."
    )
    return text.format(error=f"{type(error).__name__}: {error}")


def _failed(sentence: str, exit_code: int) -> int:
    sys.stderr.write(f"rummy-p2p: {' '.join(sentence.split())}\n")
    return exit_code
