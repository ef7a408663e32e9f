"""Players that have learned from their own games.

facts (what is known of a seat, as numbers) -> situation (works them out, from what board_changes left as it was) -> value
(networks: who will win) and policy (which option leads to a win more often)
candidate_turns (what could be done in a turn) -> lookahead (players that try them)
"""
