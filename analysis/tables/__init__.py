"""What a run says: its tables read, counted, modelled, and shown.

read (runs and real plays) -> columns (games as numbers) -> counts, claims, game, expansion (summaries)
logit (who wins a table) -> strength (leaders), matchup (what strengths leave over), strategies (how strong, how they win)
headline (the main figures of games) -> pairs (of two rulesets, game by game), ways (by who plays), targets (of a search)
kept (tables for reading, answers in a folder); reference (results that come with the package)
"""
