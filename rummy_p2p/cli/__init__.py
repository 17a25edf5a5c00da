"""The command line: the only place that wires everything together.

Every command is a function ``(Namespace) -> exit code`` in a module of its own, imported when it is asked for, so that
``--version`` loads nothing. Exit codes: 0 ok, 1 error, 2 usage, 3 network or host lost, 4 rules missing or different,
130 Ctrl-C. An error is one sentence on stderr; ``--debug`` shows where it came from.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib import import_module

from rummy_p2p.cli.parser import make_parser

OK, ERROR, USAGE, NETWORK, RULES, INTERRUPTED = 0, 1, 2, 3, 4, 130


class CommandError(Exception):
    """The command cannot go on; the text is the sentence for the player, ``exit_code`` how the program ends."""

    def __init__(self, sentence: str, exit_code: int = ERROR) -> None:
        """Keep both."""
        super().__init__(sentence)
        self.exit_code = exit_code


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    options = make_parser().parse_args(arguments)
    try:
        return _run(options)
    except CommandError as error:
        if options.debug:
            raise
        return _failed(str(error), error.exit_code)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the answer has gone; without this Python would complain when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ERROR
    except Exception as error:
        if options.debug:
            raise
        sentence = "Something went wrong in the program itself, and it had to stop"
        return _failed(f"{sentence} ({type(error).__name__}: {error}). Run it again with --debug to see where.", ERROR)


def _run(options: Namespace) -> int:
    module, _, name = options.run.partition(":")
    command = getattr(import_module(f"rummy_p2p.cli.{module}"), name)
    _speak(options.lang)
    code: int = command(options)
    sys.stdout.flush()
    return code


def _speak(language: str | None) -> None:
    from rummy_p2p.sentences import use_language

    use_language(language)


def _failed(sentence: str, exit_code: int) -> int:
    sys.stderr.write(f"rummy-p2p: {' '.join(sentence.split())}\n")
    return exit_code
