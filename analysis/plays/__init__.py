"""Are people like these players? Real plays held against the simulation.

A play is a choice of one winner among the leaders at its table, so tables of different sizes, leaders that were chosen and not
dealt, and people who meet again are all taken as they were: only what happens within a play is compared.

tables.forecast (what runs predict of plays), tables.people (tests) -> compare (which plays count, sentences, page)
"""
