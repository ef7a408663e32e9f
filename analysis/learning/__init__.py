"""Training of the learned players (strategies/learned).

fit (positions, lessons, networks to them) -> train (from beginning to end) -> adapt (from a network there is, under
the rules of a comparison); tune_weights (by self-play); strategy_checks
"""
