"""What designers ask: one module a question. From top to bottom: what it asks of the games, its table, its verdicts
(stats.verdicts), its sentences and its part of a page. Commands (scripts/cli) are thin faces of these.

Of a run: leaders, cards (wonders, victory cards, focus cards), game, round_by_round, when_decided, places, expansion.
Of games played for the question: compare (two rulesets), variants (which of several is best), table_sizes (what holds at 3
and at 4 players), adapted (by players who have noticed), open_readings (of the rules, and which moves which verdict;
reading_effects plays both), experiment, possible_changes (what a search may change), budget (how long it takes), tuning,
sensitivity, balance, search_page (of tuning and balance), restrict (its games: restricted_play), coalition,
depends_on_players (`ways`), ladder, fair; plays (real ones, compared with runs); how_many_games a question needs (`plan`),
until_decided (a run that stops by itself); own_content and abilities_played (what those of house rules did: `rules check
--play`).
"""
