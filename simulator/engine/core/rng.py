"""Random numbers: SplitMix64, one generator per stream of a game.

Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; constants of the reference
implementation by Sebastiano Vigna (public domain). Tests compare with its published outputs.
"""

import numpy as np

from . import state
from .jit import inline, jit

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
SHIFT_30 = np.uint64(30)
SHIFT_27 = np.uint64(27)
SHIFT_31 = np.uint64(31)
SHIFT_32 = np.uint64(32)
N_STREAMS = len(state.STREAMS)


@inline
def mix(u):
    """Return the SplitMix64 output of the state `u` (a bijection of 64-bit words)."""
    z = (u ^ (u >> SHIFT_30)) * MIX_1
    z = (z ^ (z >> SHIFT_27)) * MIX_2
    return z ^ (z >> SHIFT_31)


@jit
def seed_streams(g, seed, game):
    """Start every stream of game number `game` of the run `seed`; nothing else enters, so games are independent of batches."""
    run = mix(np.uint64(seed) + GAMMA)
    base = mix(run + GAMMA * np.uint64(game + 1))
    for stream in range(N_STREAMS):
        g.rng[stream] = mix(base + GAMMA * np.uint64(stream + 1))


@inline
def next_bits(g, stream):
    """Draw 64 random bits from a stream."""
    state = g.rng[stream] + GAMMA
    g.rng[stream] = state
    return mix(state)


@inline
def below_bits(u, n):
    """Map 64 random bits to 0 … n-1 (multiply and shift; the bias is below n / 2**32)."""
    return np.int64(((u >> SHIFT_32) * np.uint64(n)) >> SHIFT_32)


@inline
def below(g, stream, n):
    """Draw a whole number 0 … n-1."""
    return below_bits(next_bits(g, stream), n)


@inline
def roll_die(g, stream):
    """Roll a six-sided die, whatever dice the rules have for combat: 1 … 6."""
    return 1 + below(g, stream, 6)


@inline
def roll(r, g, stream):
    """Roll the dice of one side of a combat and add them (B9.4)."""
    total = 0
    for _ in range(r.dice):
        total += 1 + below(g, stream, r.die_sides)
    return total
