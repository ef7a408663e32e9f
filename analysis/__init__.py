"""From outcome tables to rates with intervals. Knows the tables of a run, never the engine's insides.

    from newdawn import analysis
    run = analysis.open_run("results/first")
    analysis.leaders(run)

The functions take a run, or several that are pooled, and return a DataFrame; docs/analysis.md lists them with every
column. They are imported when they are first used.

    statistics  rates, intervals, tests: methods, no game
    tables      a run's tables, read and rendered
    summaries   what a run says, counted
    models      who wins, with seat, opponents and strategy taken out
    plays       real plays beside the simulation
    trials      what plays games to answer questions about rules
    contests    what lets strategies play each other
    learning    training of players that learn
    goals       a page of wishes for the whole game, and the few changes that meet them
    report      all of it as a page; `plots` are its pictures
    explorer    runs in the browser, under filters
    at_table    a game in the browser, played by people and strategies

`guide` is the text of docs/analysis.md. Each room knows those above it only.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# Function: its module. Modules must not have the name of a function here.
FUNCTIONS = {
    "open_run": "tables.read",
    "overview": "summaries.counts",
    "leaders": "summaries.counts",
    "strengths": "models.strength",
    "leader_spread": "models.strength",
    "leaders_by_strategy": "summaries.hands",
    "by_cards": "models.strength",
    "factor_tests": "models.strength",
    "matchups": "models.matchup",
    "matchup_matrix": "models.matchup",
    "winning_agendas": "summaries.wins",
    "winning_times": "summaries.wins",
    "wonders": "summaries.counts",
    "wonder_builders": "summaries.counts",
    "victory": "summaries.counts",
    "claim_rounds": "summaries.timing",
    "agenda_users": "summaries.claims",
    "card_sets": "summaries.claims",
    "card_set_leaders": "summaries.claims",
    "length": "summaries.game",
    "rounds": "summaries.game",
    "reasons": "summaries.game",
    "shortages": "summaries.game",
    "turn_order": "models.order",
    "over_players": "models.random_effects",
    "player_deviations": "models.random_effects",
    "lead": "summaries.leading",
    "comebacks": "summaries.leading",
    "predictability": "summaries.leading",
    "districts": "summaries.expansion",
    "governments": "summaries.expansion",
    "exploring": "summaries.expansion",
    "forts": "summaries.expansion",
    "unique_cards": "summaries.expansion",
    "wonders_left": "summaries.expansion",
    "agreement": "summaries.agree",
    "settling": "summaries.cities",
    "open_plays": "tables.plays",
    "compare_plays": "plays.compare",
    "compare_tables": "trials.compare",
    "games_needed": "trials.planning",
}

__all__ = ["FUNCTIONS", *FUNCTIONS]


def __getattr__(name: str) -> Any:
    if name not in FUNCTIONS:
        raise AttributeError(f"module 'analysis' has no attribute '{name}'")
    return getattr(import_module(f"newdawn.analysis.{FUNCTIONS[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *FUNCTIONS})
