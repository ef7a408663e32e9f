"""What a run says: its tables read, counted, modelled, and shown.

read (runs and real plays) -> columns (games as numbers) -> counts, claims, game (summaries),
extra (focus cards, rounds, places)
logit (who wins a table) -> strength (leaders), matchup (what strengths leave over), strategies (how strong, how they win)
pairs (the main figures of games, and of two rulesets game by game) -> ways (by who plays), targets (of a search)
people (what runs predict of real plays, whether people's leaders win as often, who is nearest to them)
meanings (what each column is, how it is written and headed)
kept (tables for reading, answers in a folder); reference (results that come with the package)
"""
