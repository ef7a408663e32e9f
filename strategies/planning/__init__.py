"""How the planner thinks: what may be looked at (`features`), the `plan` of a turn, what things are `worth` by the
`weights`, what abilities bring (`gains`), which of the `cards` to play, and `planner`, which answers every question by the
highest worth (`tiles` and `caravans`: where these go;
`armies` and `expansion`: what only Terra Incognita asks). `search` looks ahead by simulation. `restrictions` names what a
seat may be made to do without. `explain` keeps the planner's worths for readers of a replay.
"""
