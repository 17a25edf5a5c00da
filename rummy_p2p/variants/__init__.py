"""Variants: plugins yield games and house rules; a table's choice is compiled to one Ruleset before a card moves.

``api`` is all that a plugin may import, ``hookspecs`` the list of hooks, ``manager`` the one place that touches pluggy.
``toml`` reads a house rule that is data, ``folder`` finds the player's own files, ``template`` writes one to begin
with; ``foreign`` decides by which rules somebody else's table is played. ``sheet`` (with ``matters`` and ``counting``)
puts a Ruleset into words.
"""
