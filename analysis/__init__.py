"""From outcome tables to rates with intervals. Knows the tables of a run, never the engine's insides.

    import analysis
    run = analysis.open_run("results/first")
    analysis.leaders(run)

The functions take a run, or several that are pooled, and return a DataFrame; docs/analysis.md lists them with every
column. They are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# Function: its module. Modules must not have the name of a function here.
FUNCTIONS = {
    "open_run": "read",
    "overview": "summaries",
    "leaders": "summaries",
    "strengths": "strength",
    "leader_spread": "strength",
    "leaders_by_strategy": "hands",
    "by_cards": "strength",
    "factor_tests": "strength",
    "matchups": "matchup",
    "matchup_matrix": "matchup",
    "winning_agendas": "wins",
    "winning_times": "wins",
    "wonders": "summaries",
    "wonder_builders": "summaries",
    "victory": "summaries",
    "claim_rounds": "timing",
    "agenda_users": "claims",
    "card_sets": "claims",
    "card_set_leaders": "claims",
    "length": "game",
    "rounds": "game",
    "reasons": "game",
    "shortages": "game",
    "turn_order": "order",
    "lead": "leading",
    "comebacks": "leading",
    "predictability": "leading",
    "agreement": "agree",
    "settling": "cities",
    "compare_tables": "compare",
    "games_needed": "planning",
}

__all__ = ["FUNCTIONS", *FUNCTIONS]


def __getattr__(name: str) -> Any:
    if name not in FUNCTIONS:
        raise AttributeError(f"module 'analysis' has no attribute '{name}'")
    return getattr(import_module(f"analysis.{FUNCTIONS[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *FUNCTIONS})
