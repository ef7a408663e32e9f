"""Goals for the whole game: a page of wishes, and the few changes of the rules that meet them.

wishes (the goals file) -> figures (what it may name) -> bands (how far a game is from its goals)
changes (what may be changed, at which price) -> games (play and keep, one table of players and way of playing after the other)
model (what each change moves) -> search (points on the front) -> course (the stages, races) -> verdicts (fresh games)
trained (players who adapt to the chosen point), template (a commented goals file), told (the answer's sentences and tables)
"""
