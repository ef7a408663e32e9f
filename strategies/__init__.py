"""The players: jitted functions that answer every choice of the game, and the weights they are given.

    planning    the planner: weights -> features -> plan -> worth -> cards -> planner -> search
    archetypes  strategies that lean towards one way to win, on top of the planner
    registry    all of them by name, and a user's own; profiles (their weights as YAML), traits (what tests hold them to)

basic and autoplayer stand on their own.
"""
