"""The rules of the game as jitted functions on one record; `turn.play_game` plays a whole game.

state, decisions     the STATE record, and the decisions of strategies
compile    how functions become machine code (its own page lists what it relies on of numba and LLVM)
choosing   chance, the same on every machine; the turn log; asking a strategy
map, pieces, trade, counts, abilities, barbarians, exploring     the board, its pieces and their effects
culture, science, economy, industry, combat     the focus cards; growth, districts, armies, battle: Terra Incognita's
diplomacy, start_effects     diplomacy cards, and deeds at the start of a turn
setup, turn, winning     setting up, a turn and the dial, agendas and who has won; treatment: gifts of randomised experiments
known_to_seat  the game as a seat may know it; audit: invariants of the state
"""

from ..compile_cache import use_compile_cache

use_compile_cache()  # before any engine function is declared
