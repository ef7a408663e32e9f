"""Training of the learned players (strategies/learned).

fit (positions, lessons, networks to them) -> course (a training from beginning to end) -> adapt (from a network there is, under
the rules of a comparison); strategies (weights from self-play, and checks of a strategy)
"""
