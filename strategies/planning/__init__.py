"""How the planner thinks: `plan` looks at the turn, `worth` says what things are worth by the `weights`, `cards` chooses which
to play, and `planner` answers every question by the highest worth, explains itself and searches ahead. `armies` and
`expansion` are what only Terra Incognita asks. `restrictions` names what a seat may be made to do without.
"""
