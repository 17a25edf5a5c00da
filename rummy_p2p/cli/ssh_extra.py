"""Whether guests by ssh can be let in at all: what that takes is an extra, and slow to load."""

from __future__ import annotations

from importlib.util import find_spec

from rummy_p2p.sentences.guests import guest_text


def why_no_ssh() -> str:
    """Return why no guests can be let in by ssh, and what to do; nothing where they can. Nothing is loaded for it."""
    return "" if find_spec("asyncssh") else guest_text("no-ssh")
