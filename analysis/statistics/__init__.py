"""Rates, intervals, tests and corrections for many questions: methods, and no knowledge of the game.

rates -> inference (differences, Holm, simultaneous ranks) -> rate_spread (how far true rates lie apart)
rare: pairs of games that hardly ever differ
inference -> answer (verdicts against a margin, how sure they are, how many games decide: nothing else judges)
answer -> looks (intervals that hold over several looks at a growing number of games)
margins: what matters to a designer, unless an option says otherwise
"""
