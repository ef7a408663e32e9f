"""From outcome tables to rates with intervals. Knows the tables of a run, never the engine's insides.

    from newdawn import analysis
    run = analysis.open_run("results/first")
    analysis.leaders(run)

The functions take a run, or several that are pooled, and return a DataFrame; docs/analysis.md lists them with every
column. They are imported when they are first used.

    stats       rates, intervals, tests, verdicts: methods, no game
    tables      what a run says: read, counted, modelled, rendered
    pages       what pages are made of
    questions   what designers ask: one module a question, with its table, verdicts, sentences and page
    learning    training of players that learn
    goals       a page of wishes for the whole game, and the few changes that meet them
    report      a run, or answers, as a page
    explorer    pages served to the browser: runs under filters, and a game that people play
    web         the lab as a page: games are played in the browser

docs/analysis.md is written from `tables/column_meanings.py`. Each room knows those above it only.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# Function: its module. Modules must not have the name of a function here.
FUNCTIONS = {
    "open_run": "tables.read",
    "overview": "tables.win_rates",
    "leaders": "tables.win_rates",
    "strengths": "tables.leader_strength",
    "leader_spread": "tables.leader_strength",
    "leaders_by_strategy": "tables.win_rates",
    "by_cards": "tables.leader_strength",
    "factor_tests": "tables.leader_strength",
    "matchups": "tables.matchup",
    "matchup_matrix": "tables.matchup",
    "winning_agendas": "tables.victory_cards",
    "winning_times": "tables.victory_cards",
    "wonders": "tables.win_rates",
    "wonder_builders": "tables.win_rates",
    "victory": "tables.win_rates",
    "claim_rounds": "tables.win_rates",
    "agenda_users": "tables.victory_cards",
    "card_sets": "tables.victory_cards",
    "card_set_leaders": "tables.victory_cards",
    "length": "tables.game",
    "rounds": "tables.game",
    "reasons": "tables.game",
    "shortages": "tables.game",
    "turn_order": "tables.leader_strength",
    "over_players": "stats.bands",
    "lead": "tables.game",
    "comebacks": "tables.game",
    "predictability": "tables.game",
    "districts": "tables.expansion",
    "governments": "tables.expansion",
    "exploring": "tables.expansion",
    "forts": "tables.expansion",
    "unique_cards": "tables.expansion",
    "wonders_left": "tables.expansion",
    "focus_cards": "tables.focus_card_use",
    "focus_card_wins": "tables.focus_card_use",
    "trajectories": "tables.round_figures",
    "ahead": "tables.round_figures",
    "behind": "tables.round_figures",
    "favourites": "tables.round_figures",
    "settled": "tables.round_figures",
    "place_wins": "tables.map_places",
    "start_places": "tables.map_places",
    "agreement": "tables.ranks_of_runs",
    "settling": "tables.city_spaces",
    "open_plays": "tables.read",
    "compare_plays": "questions.plays",
    "compare_tables": "questions.compare",
    "games_needed": "questions.how_many_games",
}

__all__ = ["FUNCTIONS", *FUNCTIONS]


def __getattr__(name: str) -> Any:
    if name not in FUNCTIONS:
        raise AttributeError(f"module 'analysis' has no attribute '{name}'")
    return getattr(import_module(f"newdawn.analysis.{FUNCTIONS[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *FUNCTIONS})
