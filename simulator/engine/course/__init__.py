"""The course of a game: `setup` (B2) -> `turn` (B4) -> `play` (rounds, events, the end: B3, B12).

`frontier` builds the map of Terra Incognita (T1), `draws` has what both boxes draw for theirs; `dial` are the new icons of the
event dial (T4, T8, T9). `start_bonus` gives what house rules add to the set-up, `treatment` gives a seat something in a
randomised experiment; `invariants` checks the whole state, `map_audit` the expansion's map, for `violations`.
"""
