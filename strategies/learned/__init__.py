"""Players that have learned from their own games.

    facts (what is known of a seat, as numbers) -> situation, prospects (work them out) -> networks, value (who will win)
    ways (what could be done in a turn) -> lookahead -> player
    study (ways that nobody took) -> positions (games to learn from)
"""
