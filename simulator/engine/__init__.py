"""The rules of the game as jitted functions on one record; `turn.py` plays a whole game.

    core     what all of it stands on: the STATE record, chance, asking for decisions, compiling, the turn log
    board    what lies on the table: map, pieces, trade tokens, barbarians, victory cards; in time armies, districts, forts
    cards    what the five focus cards, diplomacy cards and effects at the start of a turn do
    course   setting up, a turn, the whole game, and the audit of all of it

Each of them knows only those above it.
"""

from ..compile_cache import use_compile_cache

use_compile_cache()  # before any engine function is declared
