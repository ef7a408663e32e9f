"""Real plays that are counted apart: of teams, won by everybody, with programs at the table. Start at `kinds_table`."""

from __future__ import annotations

import pandas as pd

from ...simulator.names import PLAY_KINDS, SINGLE, TEAMS, TOGETHER
from ...simulator.plays.plays_folder import PEOPLE
from ..stats.rates import rate_columns
from .read import Plays

# --- Plays of other kinds: teams, all against the game, programs at the table
#
# A leader's fair share of plays of teams is 1 / the number of teams, and a win is its team's. Where everybody won, there is
# nothing to count but the plays.

PROGRAMS = "programs"
KIND_WORDS = {
    SINGLE: "each for themselves", TEAMS: "teams played", TOGETHER: "everybody won",
    PROGRAMS: "programs or strategies played some of the seats",
}  # fmt: skip


def kinds_of(plays: Plays) -> dict[str, int]:
    """Return the number of plays of each kind; plays with programs at the table are one of their own."""
    found = {kind: sum(part.planned_games for part in plays.of_kind(kind)) for kind in PLAY_KINDS}
    return found | {PROGRAMS: plays.with_strategies}


def kinds_table(plays: Plays) -> pd.DataFrame:
    """Return one row per kind (teams, programs) and leader of people: n, wins (a team's is each member's), rate, fair share."""
    parts = {TEAMS: plays.of_kind(TEAMS), PROGRAMS: [part for part in plays.all_parts if part.part.strategies]}
    frames = []
    for kind, some in parts.items():
        if not some:
            continue
        seats = pd.concat([part.read("seats") for part in some], ignore_index=True)
        size = seats.groupby("game_id")["seat"].transform("size")
        if kind == TEAMS:
            # Where nobody noted the teams, those who won are one and the others are one.
            named = seats["team"].fillna((seats["won"] > 0).map({True: "won", False: "lost"}))
            seats["fair"] = 1 / named.groupby(seats["game_id"]).transform("nunique")
            seats["gained"] = (seats["won"] > 0).astype(float)
        else:
            seats["fair"], seats["gained"] = 1 / size, seats["won"]
        seats = seats[seats["strategy"] == PEOPLE]
        by = seats.groupby("leader", sort=True)
        n, wins = by.size(), by["gained"].sum()
        frame = pd.DataFrame({"kind": kind, "leader": n.index, "n": n.to_numpy(), "wins": wins.to_numpy()})
        rates = rate_columns(wins.to_numpy(), n.to_numpy(), "win_rate")
        frames.append(frame.assign(**rates, fair_share=by["fair"].mean().to_numpy()))
    columns = ["kind", "leader", "n", "wins", "win_rate", "win_rate_low", "win_rate_high", "fair_share"]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)
