"""Rates, intervals, tests and verdicts for many questions: methods, and no knowledge of the game.

rates -> inference (simultaneous intervals, ranks, rare changes, pairs of games) -> verdicts (against a margin, how sure
they are, how many games decide: nothing else judges) -> sample_sizes (games for a verdict, looks at a growing number of games),
claims (what a sentence says of rows, and how sure that is)
best (which of several could be the best); player_counts (what holds at tables of 3 and of 4 players); bands (figures that
are wanted in bands, one figure over several players)
"""
