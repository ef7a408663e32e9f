"""The planner: `plan` makes the plan of the turn, `worth` the worths of things by the `weights`, `cards` chooses the card, and
`planner` answers every question by the highest worth, explains itself and searches ahead. `armies` and `expansion` are for
Terra Incognita. `restrictions` names what a seat can be kept from.
"""
