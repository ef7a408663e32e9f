"""Players that have learned from their own games.

    facts (what is known of a seat, as numbers) -> situation (works them out) -> networks, value (who will win)
    positions (games to learn from), ways (what could be done in a turn) -> lookahead -> adept, thinker
"""
