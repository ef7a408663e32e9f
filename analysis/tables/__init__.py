"""What a run says: its tables read, counted, modelled, and shown.

read (runs and real plays) -> columns (games as numbers) -> counts, claims, game, expansion, focus_cards, rounds,
places (summaries; associated: what goes with having something)
logit (who wins a table) -> strength (leaders), matchup (what strengths leave over)
forecast (what runs predict of real plays) -> people (whether people's leaders win as often, who is nearest to them)
kept (tables for reading, answers in a folder); reference (results that come with the package)
"""
