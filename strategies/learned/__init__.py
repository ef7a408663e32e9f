"""Players that have learned from their own games.

facts (inputs of networks: names and order) -> situation (fills them; board_changes: what can be kept from the last time)
-> networks, value (who will win; chance says it at the end of each round)
marks (what is known of an option) -> policy (which option leads to a win more often)
ways (what could be done in a turn) -> lookahead (players that try them)
"""
