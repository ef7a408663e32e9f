"""Who wins, with seat, opponents and strategy taken out.

seatings (equal tables counted together) -> logit (conditional logit) -> strength, matchup, order
strength -> standing (the one answer on leaders: among equal players, untested where these and leaders cannot be distinguished)
mended (the others, if the one furthest off won its fair share)
interaction (leaders by strategy), matchup, strength.by_cards: what is left over, each by the score test of logit
random_effects (one figure over several players)
players_band (the same with intervals for many figures together)
noise (the same with leaders of unequal noise: the null for pairs)
"""
