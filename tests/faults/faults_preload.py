"""Loaded once by the server that the processes of these tests are forked from: none of them has to load the engine."""

import distributed  # noqa: F401
import pandas  # noqa: F401
import pyarrow.parquet  # noqa: F401

import analysis.summaries  # noqa: F401
import scripts.cli_folders
import scripts.cli_progress  # noqa: F401
from simulator.batch.plan import available_leaders, make_plan
from simulator.batch.run import Player
from simulator.rules import load_ruleset

RULESET = load_ruleset()
PLAN = make_plan(
    players=2,
    games=2400,
    seed=3,
    available_leaders=available_leaders(RULESET.compile()),
    strategies=["random"],
    round_cap=3,
)
Player(PLAN, RULESET.compile())
