"""Screens for people: each is put on a ``Seat`` and shows what that seat sees, in one direction.

``plain`` is lines of text and a prompt, for any terminal, for screen readers and for scripts.
"""
