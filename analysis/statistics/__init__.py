"""Rates, intervals, tests and corrections for many questions: methods, and no knowledge of the game.

rates -> inference (differences, Holm, simultaneous ranks) -> rate_spread (how far true rates lie apart)
rare: pairs of games that hardly ever differ
answer: verdicts, how sure they are, and the games that would decide
margins: what matters to a designer, unless an option says otherwise
"""
