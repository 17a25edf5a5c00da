"""The rules of a hand: what lies where (position), what can be done (actions), why not (legality), what it costs.

Everything here is public information and pure data. Slots say where a card lies; faces are attached to slots as far as
everybody has seen them. The engine above applies what legality has found to be in order.
"""
