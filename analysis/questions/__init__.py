"""What designers ask: one module a question. From top to bottom: what it asks of the games, its table, its verdicts
(stats.verdicts), its sentences and its part of a page. Commands (scripts/cli) are thin faces of these.

Of a run: leaders, cards (wonders, victory cards, focus cards), game, course (round by round), places, expansion.
Of games played for the question: compare, adapted (by players who have noticed), readings (open readings of the rules, and
which moves which verdict), experiment, moves (what a search may change), tuning, balance, advice (the page of both), restrict,
coalition, ways, ladder, fair; plays (real ones, held against runs); plan says how many games a question needs; own what new
content of house rules did (`rules check --play`).
"""
