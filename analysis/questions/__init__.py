"""What designers ask: one module a question. From top to bottom: what it asks of the games, its table, its verdicts
(stats.answer), its sentences and its part of a page. Commands (scripts/cli) are thin faces of these.

Of a run: leaders, cards (wonders and victory cards), focus_cards, game, course (round by round), places, expansion,
open_readings (which moves which verdict).
Of games played for the question: compare (compared is its page), adapted (by players who have noticed), readings (open
readings of the rules), experiment, tuning, balance, advice (the page of both), restrict, coalition, ways, ladder, fair; arena
seats strategies for the last ones; plan says how many games a question needs; own what new content of house rules did (`rules
check --play`).
"""
