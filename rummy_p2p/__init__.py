"""Rummy for a LAN party, in the terminal, with no server."""

__version__ = "0.1.0"
