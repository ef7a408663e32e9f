"""Goals for the whole game: a page of wishes, and the few changes of the rules that meet them.

wishes (the goals file, and what it may name) -> games (changes, and games played under them) -> model (what each change moves)
-> stages (of the search, fresh games, verdicts) -> seek (the whole question, in words) -> page
"""
