"""What a run says: its tables read, counted, modelled, and shown.

read (runs and real plays) -> columns (games as numbers) -> counts, claims, game, expansion, focus_cards, rounds (summaries)
logit (who wins a table) -> strength (leaders), matchup (what strengths leave over)
kept (tables for reading, answers in a folder); reference (results that come with the package)
"""
