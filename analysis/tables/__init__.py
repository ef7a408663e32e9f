"""What a run says: its tables read, counted, modelled, and shown.

read (runs and real plays) -> decoded_games (as numbers) -> summaries: win_rates, victory_cards, game, city_spaces,
ranks_of_runs, expansion; of optional tables: focus_card_use, map_places (both by associations), round_figures
logit (who wins a table) -> leader_strength, matchup (what strengths leave over), strategy_strength (and how they win)
paired_figures (the main figures of games, and of two rulesets game by game) -> figures_by_strategy, targets (of a search),
variants (several rulesets on the same seeds), whole (what a change does to the whole game)
real_plays (what runs predict of real plays, whether people's leaders win as often, who is nearest to them)
play_kinds (plays of teams, or with programs at the table)
column_meanings (what each column is, how it is written and headed)
rendering (tables for readers); kept_answers (in a folder); reference_results (those that come with the package)
"""
