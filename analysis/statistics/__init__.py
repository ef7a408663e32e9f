"""Rates, intervals, tests and corrections for many questions: methods, and no knowledge of the game.

rates -> inference (differences, Holm, simultaneous ranks) -> rate_spread (how far true rates lie apart)
rare: pairs of games that hardly ever differ
answer: what an interval says against a value and a margin, how sure that is, and how many games would decide it
margins: what matters to a designer, unless an option says otherwise
"""
