"""The course of a game: `setup` (B2) -> `turn` (B4) -> `play` (rounds, events, the end: B3, B12).

`treatment` gives a seat something in a randomised experiment; `invariants` checks the whole state.
"""
