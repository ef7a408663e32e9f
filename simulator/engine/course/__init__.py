"""The course of a game: `setup` (B2) -> `turn` (B4) -> `play` (rounds, events, the end: B3, B12).

`start_bonus` gives what house rules add to the set-up, `treatment` gives a seat something in a randomised experiment;
`invariants` checks the whole state.
"""
