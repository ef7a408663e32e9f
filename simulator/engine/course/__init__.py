"""The course of a game: `setup` (B2) -> `turn` (B4) -> `play` (rounds, events: B3, B12) -> `winning` (who has
won, and by what).

`draws` are the random draws of both set-ups, `frontier` is that of Terra Incognita (T1), `dial` has the new icons of its event
dial (T4, T8, T9). `start_bonus` gives what house rules add to the set-up, `treatment` (with `gifts` of the expansion) gives a
seat something in a randomised experiment; `invariants` checks the whole state, `map_audit` the expansion's map; `violations`
names what they find. `known` takes out of a copy of the game what a seat may not know.
"""
