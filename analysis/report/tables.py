"""The tables of a report's parts: what the functions of `analysis` say of the run, as far as its games allow."""

from __future__ import annotations

import pandas as pd

from ...simulator.wording import half
from ..models.interaction import interactions
from ..models.matchup import matchups
from ..models.order import turn_order
from ..models.strength import by_cards, leader_spread, strengths
from ..statistics.answer import CHANGE, judged
from ..summaries import claims, counts, game, hands, leading, wins
from ..summaries.cities import settling
from ..summaries.timing import claim_rounds
from ..trials.planning import games_needed
from .effects import read_effects
from .part import Source


def leaders(source: Source) -> pd.DataFrame:
    """Return the leaders by strength, with verdicts; not compared where each had players of its own."""
    return source.judged


def mended(source: Source) -> pd.DataFrame | None:
    """Return the other leaders as they would stand with the one furthest off mended; None where none is off."""
    return source.mended


def strategies(source: Source) -> pd.DataFrame | None:
    """Return the strategies by strength; None if only one played, or each leader had its own."""
    if len(source.strategies) < 2 or "strategy" not in source.factors:
        return None
    frame = strengths(source.outcomes, factors=source.factors, factor="strategy")
    return judged(frame, "points", source.margin, source.games)


def leaders_by_strategy(source: Source) -> pd.DataFrame | None:
    """Return the leaders by strategy; None if one strategy played, or each leader had its own."""
    if len(source.strategies) < 2:
        return None
    source.need_winners()
    frame = hands.leaders_by_strategy(source.run)
    return judged(frame, "points", source.margin, source.games) if len(frame) else None


def leaders_with_strategies(source: Source) -> pd.DataFrame | None:
    """Return how far each leader's strength depends on who plays it; None where games cannot tell."""
    if len(source.strategies) < 2 or not source.several_leaders or source.players_of:
        return None
    source.need_winners()
    return judged(interactions(source.outcomes, 1 / source.run.players), "interaction", source.margin, source.games, CHANGE)


def pairs(source: Source) -> pd.DataFrame | None:
    """Return the matchups; None where fewer than three leaders meet, or each at places of its own."""
    if len(source.outcomes.levels["leader"]) < 3 or source.places_of:
        return None
    return matchups(source.outcomes, source.factors)


def leaders_by_card(source: Source) -> pd.DataFrame | None:
    """Return the leaders' win rates with and without each victory card in play; None if they cannot be compared."""
    if not source.several_leaders or source.places_of:
        return None
    return judged(by_cards(source.run, source.factors), "points", source.margin, source.games, CHANGE)


def spread(source: Source) -> pd.DataFrame | None:
    """Return how far apart the leaders are; None if there is one leader only, or they cannot be compared."""
    if not source.several_leaders or source.untestable:
        return None
    return leader_spread(source.outcomes, factors=source.factors)


def winning_agendas(source: Source) -> pd.DataFrame:
    """Return by which agendas each leader wins."""
    source.need_winners()
    return wins.winning_agendas(source.run)


def winning_times(source: Source) -> pd.DataFrame:
    """Return when each leader wins; the median rounds of the winners' claims in one column of text, too."""
    source.need_winners()
    frame = wins.winning_times(source.run)
    medians = frame[[name for name in frame.columns if name.startswith("claim_")]]
    return frame.assign(claims=[" · ".join(half(x) for x in row if x == x) for row in medians.to_numpy()])


def order(source: Source) -> pd.DataFrame | None:
    """Return the advantage of each place in the turn order; None where it cannot be distinguished from that of leaders."""
    if source.places_of:
        return None
    return judged(turn_order(source.outcomes, source.factors), "points", source.margin, source.games)


def wonders(source: Source) -> pd.DataFrame:
    """Return the world wonders with their costs, and how their builders fared: an association."""
    costs = {wonder["name"]: wonder["cost"] for wonder in source.ruleset["wonders"].values() if wonder.get("available")}
    frame = counts.wonders(source.run)
    frame.insert(1, "cost", frame["wonder"].map(costs).astype(float))
    return counts.against_average(frame, frame["fair_share"] * source.decided)


def effects(source: Source) -> pd.DataFrame | None:
    """Return the table of the experiment's file; None if none was given."""
    if source.effects is None:
        return None
    frame = read_effects(source.effects)
    return judged(frame, "points", source.margin, int(frame["n"].max()), CHANGE)


def agendas(source: Source) -> pd.DataFrame:
    """Return the victory cards and agendas. Claimants are not tested against the average seat: who wins must have claimed."""
    return counts.victory(source.run)


def agenda_users(source: Source) -> pd.DataFrame:
    """Return which leader claims which agenda."""
    return claims.agenda_users(source.run)


def card_sets(source: Source) -> pd.DataFrame:
    """Return how long the games are with each combination of victory cards."""
    return judged(claims.card_sets(source.run), "rounds_difference", source.margin_rounds, source.games, CHANGE)


def card_set_leaders(source: Source) -> pd.DataFrame | None:
    """Return how the leaders fare with each combination of victory cards; None if there is one leader only."""
    if not source.several_leaders:
        return None
    return judged(claims.card_set_leaders(source.run), "points", source.margin, source.games, CHANGE)


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
    return leading.lead_of(source.courses)


def comebacks(source: Source) -> pd.DataFrame:
    """Return how often winners had been behind."""
    source.need_winners()
    return leading.comebacks_of(source.courses)


def predictability(source: Source) -> pd.DataFrame:
    """Return how well the claims so far predict the winner, by round."""
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
    from ...simulator.replay.settled import settled  # loads the engine

    frame = settling(settled(source.run.path, source.boards))
    ends = ("", "_low", "_high", "_all_low", "_all_high")
    return frame.assign(**{f"percentage_points{end}": 100 * frame[f"difference{end}"] for end in ends})


def precision(source: Source) -> pd.DataFrame:
    """Return how many games questions of the wanted precision need."""
    # In a few games not every leader of the pool has sat at a table.
    pool = max(len(source.run.manifest["plan"].get("leaders", ())), len(source.outcomes.levels["leader"]))
    seen = counts.leaders(source.run)
    rates = dict(zip(seen["leader"], seen["win_rate"], strict=True))
    margin = source.margin / 100
    return games_needed(source.half_width, source.run.players, pool, rates=rates, box=source.run.box, margin=margin)
