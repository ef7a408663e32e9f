"""Are people like these players? Real plays (`analysis/tables/read.py`) held against the simulation.

A play is a choice of one winner among the leaders at its table, so tables of different sizes, leaders that were chosen and not
dealt, and people who meet again are all taken as they were: only what happens within a play is compared.

seated (plays as arrays) ─┬─► ways (the chances that a strategy gives each seat of these plays)
choice (who wins a play, given such chances: leaders and people on top)
agree (do people win as often as a way says? the test, and what it could see)
nearest (which way predicts these winners best)
pool (each leader by people's plays and the simulation together)
compare (all of it, as tables) -> words (in sentences)
"""
