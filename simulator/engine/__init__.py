"""The rules of the game as jitted functions on one record. Import `simulator.engine.play` to play games."""

from simulator.compile_cache import use_compile_cache

use_compile_cache()  # before any engine function is declared
