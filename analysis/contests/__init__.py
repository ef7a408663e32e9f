"""What lets strategies play each other.

arena (games in memory) -> ladder (ratings), mixture (that no strategy beats), self_play (better weights), strategy_checks
(legal, repeatable …);
characters (what a strategy is like); restricted (what a part of the game is worth to a player; said by restricted_words);
coalitions (what a leader wins when the table plays against it);
ways (do findings depend on who plays); players (who they are, in plain words)
"""
