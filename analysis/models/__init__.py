"""Who wins, with seat, opponents and strategy taken out.

seatings (equal tables counted together) -> logit (conditional logit) -> strength, matchup, order
interaction (leaders in the hands of each strategy)
noise (the same with leaders of unequal noise: the null for pairs)
"""
