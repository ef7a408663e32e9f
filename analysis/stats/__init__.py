"""Rates, intervals, tests and verdicts for many questions: methods, and no knowledge of the game.

rates -> inference (simultaneous intervals, ranks, rare changes) -> answer (verdicts against a margin, how sure they are, how
many games decide: nothing else judges) -> looks (intervals that hold over several looks)
paired (pairs of games); bands (figures that are wanted in bands); players_band (one figure over several players)
"""
