"""Goals for the whole game: a page of wishes, and the few changes of the rules that meet them.

template -> wishes (the goals file) -> figures (what it may name) -> bands (how far a game is from its goals)
changes (what may be changed, at which price) -> games (played and kept, of each number of players and strategy)
model (what each change moves) -> search (points on the front) -> course (the stages, races) -> verdicts (fresh games)
seek (the whole question) -> trained (players who have adapted) -> words (the answer in words and tables)
"""
