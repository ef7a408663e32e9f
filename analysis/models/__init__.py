"""Who wins, with seat, opponents and strategy taken out.

seatings (equal tables counted together) -> logit (conditional logit) -> strength, matchup, order
strength -> standing (the one answer on leaders: among equal players, untested where these and leaders cannot be distinguished)
interaction (leaders by strategy), matchup, strength.by_cards: what is left over, each by the score test of logit
random_effects (one figure over several players)
noise (the same with leaders of unequal noise: the null for pairs)
"""
