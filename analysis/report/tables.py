"""The tables of a report's parts: what the functions of `analysis` say of the run, as far as its games allow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from newdawn.analysis.models.matchup import matchups
from newdawn.analysis.models.order import turn_order
from newdawn.analysis.models.strength import by_cards, leader_spread, strengths
from newdawn.analysis.report.effects import read_effects
from newdawn.analysis.report.part import Source
from newdawn.analysis.statistics.inference import holm, two_sided
from newdawn.analysis.statistics.rates import SMALL_SAMPLE
from newdawn.analysis.summaries import claims, counts, game, leading, wins
from newdawn.analysis.summaries.cities import settling
from newdawn.analysis.summaries.timing import claim_rounds
from newdawn.analysis.trials.compare import games_needed
from newdawn.simulator.errors import UserError


def leaders(source: Source) -> pd.DataFrame:
    """Return the leaders by strength, corrected as far as these games allow, or by their plain win rates."""
    source.need_winners()
    try:
        return strengths(source.outcomes, factors=source.factors)
    except UserError as error:
        source.notes.append(f"Leaders: plain win rates, not corrected for turn order, opponents and strategies: {error}.")
    return plain_leaders(source)


def plain_leaders(source: Source) -> pd.DataFrame:
    """Return plain win rates in the columns of `strengths`: p values are those of the score test.

    Unfinished games are in these rates, so the fair share is that of the games that somebody won.
    """
    frame = counts.leaders(source.run)
    frame["fair_share"] *= source.decided
    ends = ("", "_low", "_high")
    frame = frame.assign(**{f"adjusted_rate{end}": frame[f"win_rate{end}"] for end in ends})
    frame = frame.assign(**{f"points{end}": 100 * (frame[f"win_rate{end}"] - frame["fair_share"]) for end in ends})
    places = frame["rank"].str.split("-")
    frame["rank_best"], frame["rank_worst"] = places.str[0].astype(int), places.str[-1].astype(int)
    return frame.assign(rank=np.arange(1, len(frame) + 1), **_tested(frame["fair_share"], frame["win_rate"], frame["n"]))


def _against_average(frame: pd.DataFrame, rate: str, n: str, source: Source) -> dict[str, Any]:
    """Return the share of the average seat (the fair share of the games that somebody won) and the test against it."""
    average = frame["fair_share"] * source.decided
    return {"average_share": average, **_tested(average, frame[rate], frame[n])}


def _tested(average: pd.Series, rate: pd.Series, n: pd.Series) -> dict[str, Any]:
    """Return p values of rates against a share: Wilson's interval as a test. Below SMALL_SAMPLE cases nothing is tested."""
    error = np.sqrt(average * (1 - average) / n.where(n >= SMALL_SAMPLE))
    p = two_sided(rate - average, error)
    return {"p": p, "p_holm": holm(p)}


def strategies(source: Source) -> pd.DataFrame | None:
    """Return the strategies by strength; None if only one played, or each leader had its own."""
    if len(source.strategies) < 2 or "strategy" not in source.factors:
        return None
    return strengths(source.outcomes, factors=source.factors, factor="strategy")


def pairs(source: Source) -> pd.DataFrame | None:
    """Return the matchups; None at tables where fewer than three leaders meet."""
    if len(source.outcomes.levels["leader"]) < 3:
        return None
    return matchups(source.outcomes, source.factors)


def leaders_by_card(source: Source) -> pd.DataFrame | None:
    """Return the leaders' win rates with and without each victory card in play; None if there is one leader only."""
    return by_cards(source.outcomes, source.factors) if source.several_leaders else None


def spread(source: Source) -> pd.DataFrame | None:
    """Return how far apart the leaders are; None if there is one leader only."""
    return leader_spread(source.outcomes, factors=source.factors) if source.several_leaders else None


def winning_agendas(source: Source) -> pd.DataFrame:
    """Return by which agendas each leader wins."""
    source.need_winners()
    return wins.winning_agendas(source.run)


def winning_times(source: Source) -> pd.DataFrame:
    """Return when each leader wins; the median rounds of the winners' claims in one column of text, too."""
    source.need_winners()
    frame = wins.winning_times(source.run)
    medians = frame[[name for name in frame.columns if name.startswith("claim_")]]
    return frame.assign(claims=[" · ".join(f"{x:.0f}" for x in row if x == x) for row in medians.to_numpy()])


def order(source: Source) -> pd.DataFrame:
    """Return the advantage of each place in the turn order."""
    return turn_order(source.outcomes, source.factors)


def wonders(source: Source) -> pd.DataFrame:
    """Return the world wonders with their costs, and how their builders fared: an association."""
    costs = {wonder["name"]: wonder["cost"] for wonder in source.ruleset["wonders"].values() if wonder.get("available")}
    frame = counts.wonders(source.run)
    frame.insert(1, "cost", frame["wonder"].map(costs).astype(float))
    return frame.assign(**_against_average(frame, "builder_win_rate", "built", source))


def effects(source: Source) -> pd.DataFrame | None:
    """Return the table of the experiment's file; None if none was given."""
    return None if source.effects is None else read_effects(source.effects)


def agendas(source: Source) -> pd.DataFrame:
    """Return the victory cards and agendas. Claimants are not tested against the average seat: who wins must have claimed."""
    return counts.victory(source.run)


def agenda_users(source: Source) -> pd.DataFrame:
    """Return which leader claims which agenda."""
    return claims.agenda_users(source.run)


def card_sets(source: Source) -> pd.DataFrame:
    """Return how long the games are with each combination of victory cards."""
    return claims.card_sets(source.run)


def card_set_leaders(source: Source) -> pd.DataFrame | None:
    """Return how the leaders fare with each combination of victory cards; None if there is one leader only."""
    return claims.card_set_leaders(source.run) if source.several_leaders else None


def timing(source: Source) -> pd.DataFrame:
    """Return in which rounds agendas were claimed."""
    return claim_rounds(source.run)


def reasons(source: Source) -> pd.DataFrame:
    """Return by which agendas games were won."""
    source.need_winners()
    return game.reasons(source.run)


def rounds(source: Source) -> pd.DataFrame:
    """Return how long games took."""
    return game.rounds(source.run)


def lead(source: Source) -> pd.DataFrame:
    """Return how often the lead changes, and when the winner takes it."""
    return leading.lead_of(source.told)


def comebacks(source: Source) -> pd.DataFrame:
    """Return how often winners had been behind."""
    source.need_winners()
    return leading.comebacks_of(source.told)


def predictability(source: Source) -> pd.DataFrame:
    """Return how well the claims so far foretell the winner, by round."""
    source.need_winners()
    return leading.predictability(source.run)


def shortages(source: Source) -> pd.DataFrame:
    """Return which components were used up."""
    source.ruleset  # noqa: B018  (says what is wrong if there are no rules to count by)
    return game.shortages(source.run)


def boards(source: Source) -> pd.DataFrame | None:
    """Return where winners and others had cities, from games played again; None if none are wanted."""
    if source.boards == 0:
        return None
    from newdawn.simulator.replay.settled import settled  # loads the engine

    frame = settling(settled(source.run.path, source.boards))
    ends = ("", "_low", "_high")
    return frame.assign(**{f"percentage_points{end}": 100 * frame[f"difference{end}"] for end in ends})


def precision(source: Source) -> pd.DataFrame:
    """Return how many games questions of the wanted precision need."""
    # In a few games not every leader of the pool has sat at a table.
    pool = max(len(source.run.manifest["plan"].get("leaders", ())), len(source.outcomes.levels["leader"]))
    return games_needed(source.half_width, source.run.players, pool)
