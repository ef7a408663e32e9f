"""Loaded once by the server that the processes of these tests are forked from: none of them has to load the engine."""

import distributed  # noqa: F401
import pandas  # noqa: F401
import pyarrow.parquet  # noqa: F401

import newdawn.analysis.tables.counts
import newdawn.scripts.cli.run
import newdawn.scripts.cli.shared  # noqa: F401
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.run import Player
from newdawn.simulator.runs.run_plan import plan_by

RULESET = load_ruleset()
PLAN = plan_by(RULESET.compile(), players=2, games=2400, seed=3, strategies=["random"], round_cap=3)
Player(PLAN, RULESET.compile())
