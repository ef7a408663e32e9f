"""What a report's tables say, in sentences, each with how sure it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from newdawn.analysis.report.part import Finding, Source, counted, evidence, listed, number, points, rate
from newdawn.analysis.statistics.inference import QUANTILE
from newdawn.analysis.summaries import game
from newdawn.analysis.summaries.claims import BETWEEN
from newdawn.analysis.summaries.counts import overview

SIGNIFICANT = 0.05
MOST = 3  # examples named in a sentence about many


def _rows(frame: pd.DataFrame) -> list[dict[Any, Any]]:
    return frame.to_dict("records")


def _joined(texts: Iterable[str]) -> str:
    return "; ".join(texts)


# --- Leaders


def leaders(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say who is above and below the fair share, by how much, and who cannot be told from it."""
    return [*_strengths(frame, "leader"), *_first(frame, "leader")]


def strategies(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which strategies win more than their share: leaders' figures depend on them."""
    return _strengths(frame, "strategy")


def _strengths(frame: pd.DataFrame, factor: str) -> list[Finding]:
    """Return one finding a significant row, and one for all the others together."""
    found = [_strength(row, factor) for row in _rows(frame) if row["p_holm"] < SIGNIFICANT]
    rest = frame[~(frame["p_holm"] < SIGNIFICANT)]
    if len(rest):
        texts = [f"{row[factor]} {_points(row)}" for row in _rows(rest)]
        share = rate(float(frame["fair_share"].iloc[0]))
        found.append(Finding(f"Not told apart from the fair share of {share}: {_joined(texts)}.", "open"))
    if frame["small_sample"].any():
        few = listed([str(name) for name in frame.loc[frame["small_sample"], factor]])
        found.append(Finding(f"Few games, or hardly a win or a loss, so that intervals are rough: {few}.", "few"))
    return found


def _strength(row: dict[Any, Any], factor: str) -> Finding:
    side = "above" if row["points"] > 0 else "below"
    size = points(abs(row["points"]), *sorted(abs(row[f"points_{end}"]) for end in ("low", "high"))).replace("+", "")
    text = (
        f"{row[factor]} is {side} the fair share of {rate(row['fair_share'])} by {size} points: "
        f"it wins {rate(row['adjusted_rate'])} of the decided games (n = {row['n']:,.0f})."
    )
    return Finding(text, "few" if row["small_sample"] else evidence(row["p_holm"]))


def _points(row: dict[Any, Any]) -> str:
    return f"{points(row['points'], row['points_low'], row['points_high'])} points"


def _first(frame: pd.DataFrame, factor: str) -> list[Finding]:
    """Say who may be the strongest."""
    names = [str(name) for name in frame.loc[frame["rank_best"] == 1, factor]]
    if len(names) == 1:
        return [Finding(f"{names[0]} is the strongest {factor} of these games; no other can be first.", "shown")]
    if len(names) == len(frame):
        return [Finding(f"Which {factor} is the strongest cannot be said: any of them may be.", "open")]
    return [Finding(f"The strongest {factor} is one of {listed(names)}; these games do not say which.", "open")]


def pairs(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which pairs are special: beyond the leaders' strengths, and beyond what unequal noise brings about."""
    once = frame[frame["leader"] < frame["opponent"]]
    found = once[once["p_holm"] < SIGNIFICANT].sort_values("remainder", key=abs, ascending=False)
    tested = counted(once["p_holm"].notna().sum(), "pair")
    if tested.startswith("0 "):
        return [Finding("No pair of leaders can be tested: these tables fit any strengths.", "open")]
    if found.empty:
        text = f"No pair of leaders is shown to be special: strengths and unequal noise explain what happens ({tested} tested)."
        return [Finding(text, "open")]
    texts = [f"{row['leader']} against {row['opponent']} {_left_over(row)}" for row in _rows(found.head(MOST))]
    text = f"Of {tested} of leaders {len(found)} go otherwise than strengths and unequal noise let expect: {_joined(texts)}"
    return [Finding(f"{text}{_more(found)}.", _certainty(found))]


def _left_over(row: dict[Any, Any]) -> str:
    return f"{points(row['remainder'], row['remainder_low'], row['remainder_high'])} points"


def cards(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which leaders profit or suffer from a victory card in play."""
    found = frame[frame["p_holm"] < SIGNIFICANT].sort_values("p_holm")
    if found.empty:
        return [Finding("No leader is shown to depend on which victory cards are in play.", "open")]
    texts = [f"{row['leader']} {_points(row)} with {row['card']}" for row in _rows(found.head(MOST))]
    many = f"{len(found)} of {len(frame)} combinations"
    text = f"A victory card in play instead of another matters to some leaders ({many}): {_joined(texts)}"
    return [Finding(f"{text}{_more(found)}.", evidence(found["p_holm"].max()))]


def spread(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say how far apart the leaders are, and whether they may all be equal."""
    row = _rows(frame)[0]
    size = number(row["spread"], row["spread_low"], row["spread_high"])
    text = f"The leader spread (standard deviation of the true win rates) is {size} points over {counted(row['n'], 'game')}"
    if not row["spread_low"] > 0:
        return [Finding(f"{text}: equal leaders are possible.", "few" if row["small_sample"] else "open")]
    return [Finding(f"{text}: the leaders are not equal.", "few" if row["small_sample"] else "shown")]


def winning_agendas(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which leaders win by agendas that the others use less."""
    found, many = _told_apart(frame)
    if found.empty:
        return [Finding("No leader is shown to win by other agendas than the rest.", "open")]
    texts = [
        f"{row['leader']} by {row['agenda']} in {_rate(row, 'use_rate')} of its wins, {_points(row)} against the others"
        for row in _rows(found.head(MOST))
    ]
    text = f"Leaders win by different agendas ({many} combinations differ): {_joined(texts)}{_more(found)}."
    return [Finding(text, evidence(found["p_holm"].max()))]


def winning_times(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which leaders win in shorter or longer games than the others."""
    found = frame[(frame["p_holm"] < SIGNIFICANT) & ~frame["small_sample"]]
    if found.empty:
        return [Finding("No leader is shown to win faster or later than the others.", "open")]
    texts = [
        f"{row['leader']} {_difference(row)}" for row in _rows(found)
    ]
    text = f"The games that leaders win differ in length, in rounds against the others' wins: {_joined(texts)}."
    return [Finding(text, evidence(found["p_holm"].max()))]


def _certainty(found: pd.DataFrame) -> str:
    """Return how sure a finding about these rows is: as sure as the least sure of them; 'few' if one is a small sample."""
    return "few" if found["small_sample"].any() else evidence(found["p_holm"].max())


def _told_apart(frame: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Return the rows that lie above what they are compared with, the largest first, and '5 of 80' for both sides."""
    found = frame[(frame["p_holm"] < SIGNIFICANT) & ~frame["small_sample"]]
    above = found[found["points"] > 0].sort_values("points", ascending=False)
    return above, f"{len(found)} of {len(frame)}"


def _rate(row: dict[Any, Any], name: str) -> str:
    return rate(row[name], row[f"{name}_low"], row[f"{name}_high"])


def _more(found: pd.DataFrame) -> str:
    return " and more" if len(found) > MOST else ""


# --- Wonders


def wonders(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which wonders are associated with winning; never that they cause it."""
    tested = frame[(frame["built"] > 0) & (frame["p_holm"] < SIGNIFICANT)]
    found: list[Finding] = []
    above = tested["builder_win_rate"] > tested["average_share"]
    for word, part in (("more", tested[above]), ("less", tested[~above])):
        if len(part):
            ordered = part.sort_values("builder_win_rate", ascending=word == "less")
            texts = [_association(row) for row in _rows(ordered.head(MOST))]
            most = f"; the {'most' if word == 'more' else 'least'}" if len(part) > MOST else ""
            text = f"Builders of {counted(len(part), 'world wonder')} won {word} than the average seat{most}: {_joined(texts)}."
            found.append(Finding(f"Association, not effect. {text}", evidence(part["p_holm"].max())))
    if not found:
        found.append(Finding("No world wonder is shown to be associated with winning.", "open"))
    few = frame["small_sample"]
    if few.any():
        found.append(Finding(f"{few.sum()} of {len(frame)} world wonders were built fewer than 100 times.", "few"))
    return found


def _association(row: dict[Any, Any]) -> str:
    won = rate(row["builder_win_rate"], row["builder_win_rate_low"], row["builder_win_rate_high"])
    return f"{row['wonder']} {won} (built {row['built']:,.0f} times)"


def effects(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say what having a wonder does to the chance to win."""
    found = frame[frame["p_holm"] < SIGNIFICANT].sort_values("effect", key=abs, ascending=False)
    if found.empty:
        return [Finding("No world wonder is shown to change the chance to win of who is given it.", "open")]
    texts = [
        f"{row['wonder']} {_points(row)} for {row['cost']:.0f} production"
        for row in _rows(found.head(MOST))
    ]
    text = f"Given at random, {counted(len(found), 'world wonder')} change the chance to win; the most: {_joined(texts)}."
    return [Finding(text, _certainty(found))]


# --- Victory


def agendas(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say for each card which of its agendas wins use, and which agendas are hardly ever claimed."""
    found = []
    for card, part in frame.groupby("card", sort=True):
        best = part.sort_values("winner_share", ascending=False)
        texts = [
            f"{row['agenda']} {rate(*(row[f'winner_share{end}'] for end in ('', '_low', '_high')))} of the wins, claimed in "
            f"{rate(row['claim_rate'], row['claim_rate_low'], row['claim_rate_high'])} of the games"
            + ("" if np.isnan(row["median_round"]) else f", median round {row['median_round']:.0f}")
            for row in _rows(best)
            if not np.isnan(row["winner_share"])
        ]
        if texts:
            n = int(part["n"].iloc[0])
            text = f"{card} ({counted(n, 'game')}): {_joined(texts)}."
            found.append(Finding(text, "few" if n < 100 else "measured"))
    return found


def agenda_users(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which leaders claim an agenda more often than the other seats."""
    found, many = _told_apart(frame)
    if found.empty:
        return [Finding("No leader is shown to claim other agendas than the other seats of its games.", "open")]
    texts = [
        f"{row['leader']} claims {row['agenda']} in {_rate(row, 'claim_rate')} of its games with the card, {_points(row)} "
        "against the other seats"
        for row in _rows(found.head(MOST))
    ]
    text = f"Leaders claim different agendas ({many} combinations differ): {_joined(texts)}{_more(found)}."
    return [Finding(text, evidence(found["p_holm"].max()))]


def card_sets(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say with which cards the games are longest and shortest."""
    if len(frame) < 2:
        return [Finding("All games had the same victory cards in play.", "measured")]
    found = frame[(frame["p_holm"] < SIGNIFICANT) & ~frame["small_sample"]].sort_values("rounds_difference")
    if found.empty:
        return [Finding("The length of the games is not shown to depend on which victory cards are in play.", "open")]
    texts = [
        f"{number(row['rounds_mean'], row['rounds_mean_low'], row['rounds_mean_high'])} rounds with {_cards(row)} "
        f"({_difference(row)} against all other games, n = {row['n']:,})"
        for row in _rows(found.iloc[[0, -1]] if len(found) > 1 else found)
    ]
    text = f"The length depends on the victory cards in play ({len(found)} of {len(frame)} combinations): {_joined(texts)}."
    return [Finding(text, evidence(found["p_holm"].max()))]


def _cards(row: dict[Any, Any]) -> str:
    return listed(row["cards"].split(BETWEEN))


def _difference(row: dict[Any, Any]) -> str:
    return points(*(row[f"rounds_difference{end}"] for end in ("", "_low", "_high")))


def card_set_leaders(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which leaders fare better or worse with a combination of cards."""
    found = frame[(frame["p_holm"] < SIGNIFICANT) & ~frame["small_sample"]].sort_values("points", key=abs, ascending=False)
    if found.empty:
        return [Finding("No leader is shown to depend on the combination of victory cards in play.", "open")]
    texts = [f"{row['leader']} {_points(row)} with {_cards(row)}" for row in _rows(found.head(MOST))]
    text = f"Combinations of victory cards matter to some leaders ({len(found)} of {len(frame)}): {_joined(texts)}"
    return [Finding(f"{text}{_more(found)}.", evidence(found["p_holm"].max()))]


def reasons(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Name the combination of agendas that wins most often."""
    if frame.empty:
        return [Finding("Nobody won any of these games.", "measured")]
    top = frame.iloc[0]
    where = rate(top["share_where_possible"], top["share_where_possible_low"], top["share_where_possible_high"])
    text = f"The most frequent way to win: {top['agendas']}, {rate(top['share'])} of all wins ({where} where possible)."
    return [Finding(text, "few" if top["small_sample"] else "measured")]


# --- The game


def length(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say how long games take and how many are unfinished."""
    row = game.length(source.run).iloc[0]
    text = (
        f"Games take {row['median']:.0f} rounds in the median ({_median_interval(row)}"
        f"mean {number(row['mean'], row['mean_low'], row['mean_high'])}, n = {row['n']:,.0f}); "
        f"{rate(row['middle'])} of them from {row['p5']:.0f} to {row['p95']:.0f}."
    )
    found = [Finding(text, "few" if row["n"] < 100 else "measured")]
    unfinished = rate(row["unfinished_rate"], row["unfinished_rate_low"], row["unfinished_rate_high"])
    if row["unfinished"]:
        text = f"{counted(row['unfinished'], 'game')} ({unfinished}) reached the round cap without a winner."
        found.append(Finding(f"{text} They count as games that nobody won.", "measured"))
    return found


def _median_interval(row: Any) -> str:
    """Return the interval of the median in words; nothing where there are too few games for one."""
    return "" if np.isnan(row["median_low"]) else f"95% interval {row['median_low']:.0f} to {row['median_high']:.0f}; "


def order(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say whether moving first or last is an advantage."""
    found = frame[frame["p_holm"] < SIGNIFICANT]
    texts = [f"place {row['order']} {_points(row)}" for row in _rows(frame if found.empty else found)]
    if found.empty:
        return [Finding(f"No advantage of a place in the turn order is shown: {_joined(texts)}.", "open")]
    return [Finding(f"The turn order matters: {_joined(texts)} against the fair share.", _certainty(found))]


def lead(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say how often the lead changes, and when the winner takes it for good."""
    row = _rows(frame)[0]
    certainty = "few" if row["small_sample"] else "measured"
    changes = number(row["changes"], row["changes_low"], row["changes_high"], 2)
    text = (
        f"The lead in victory cards passes to another seat {changes} times a game; in {_rate(row, 'steady_rate')} of the games "
        f"it never does (n = {row['n']:,})."
    )
    found = [Finding(text, certainty)]
    if row["victories"]:
        quartiles = f"{row['lead_round_p25']:.0f} to {row['lead_round_p75']:.0f}"
        text = (
            f"The winner leads for good from round {row['lead_round']:.0f} on (median; in {rate(row['lead_middle'])} of the "
            f"games round {quartiles}); in {_rate(row, 'last_round_rate')} of the won games only in the last round."
        )
        found.append(Finding(text, certainty))
    return found


def comebacks(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say how many winners had been behind."""
    texts = [f"by {row['behind']} or more {_rate(row, 'comeback_rate')}" for row in _rows(frame[frame["wins"] > 0])]
    if not texts:
        return [Finding("No winner had been behind in victory cards at the end of an earlier round.", "measured")]
    text = f"Winners who had been behind in victory cards at the end of an earlier round: {_joined(texts)}"
    certainty = "few" if frame["small_sample"].any() else "measured"
    return [Finding(f"{text} of {counted(frame['n'].iloc[0], 'won game')}.", certainty)]


def predictability(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say how well the claims foretell the winner after a quarter, half and three quarters of the median length."""
    median = int((frame["n"] > frame["n"].max() / 2).sum()) + 1
    rounds = sorted({max(1, round(share * median)) for share in (0.25, 0.5, 0.75)})
    shown = frame[frame["round"].isin(rounds)]
    texts = [
        f"after round {row['round']} one seat leads alone in {_rate(row, 'leading_rate')} of the games going on "
        f"(n = {row['n']:,})" + (f" and wins {_rate(row, 'leader_win_rate')} of these" if row["leading"] else "")
        for row in _rows(shown)
    ]
    text = f"{_joined(texts)} (fair share {rate(shown['fair_share'].iloc[0])}). "
    told = _joined(f"{_rate(row, 'auc')} after round {row['round']}" for row in _rows(shown) if not np.isnan(row["auc"]))
    more = f"The claims alone tell the later winner from another seat in {told}; 50% is a coin toss." if told else ""
    certainty = "few" if shown["small_sample"].any() else "measured"
    return [Finding((text[0].upper() + text[1:] + more).strip(), certainty)]


def shortages(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say what was used up most often."""
    found = frame[frame["used_up"] > 0].head(MOST)
    if found.empty:
        return [Finding("No component was used up at the end of any game.", "measured")]
    texts = [f"{row['component']} {rate(row['rate'], row['rate_low'], row['rate_high'])}" for row in _rows(found)]
    return [Finding(f"Used up at the end of the game: {_joined(texts)}.", "measured")]


def boards(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say where winners have cities more or less often than the others."""
    games = int(frame["games"].max()) if len(frame) and frame["games"].notna().any() else 0
    found = frame[frame["p_holm"] < SIGNIFICANT].sort_values("p_holm")
    if frame.empty or frame["small_sample"].all():
        return [Finding(f"Too few games ({games}) to say where winners have their cities.", "few")]
    if found.empty:
        text = f"Where cities stand around the capital is not shown to differ between winners and others ({games:,} games)."
        return [Finding(text, "open")]
    more = int((found["difference"] > 0).sum())
    near, far = int(found["distance"].min()), int(found["distance"].max())
    text = (
        f"Association, not effect. Winners have cities more often on {more} and less often on {len(found) - more} of the "
        f"{len(frame)} spaces around the capital ({games:,} games played again), {near} to {far} spaces from it."
    )
    return [Finding(text, evidence(found["p_holm"].max()))]


# --- Precision and limits


def precision(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say whether the leaders' intervals are as narrow as wanted, and how many games would do."""
    data = source.outcomes
    games = sum(t.games.sum() for t in data.tables)
    seats = np.zeros(len(data.levels["leader"]))
    for t in data.tables:
        codes = t.codes["leader"].ravel()
        seats += np.bincount(codes, np.repeat(t.games, t.players), len(seats))
    fair = 1 / source.run.players
    widest = QUANTILE * float(np.sqrt(fair * (1 - fair) / seats[seats > 0].min()))
    wanted = source.half_width
    reached = f"each leader's win rate is known to about ±{100 * widest:.2g} points; wanted are ±{100 * wanted:.2g}"
    if widest <= wanted:
        return [Finding(f"Precise enough: {reached}.", "measured")]
    needed = int(np.ceil(games * (widest / wanted) ** 2 / 100)) * 100
    text = f"Not precise enough: {reached}. About {needed:,} games in all would do (`newdawn extend DIR --games {needed}`)."
    return [Finding(text, "limit")]


def limits(source: Source) -> list[Finding]:
    """Say what the figures cannot say."""
    facts, names = overview(source.run), source.strategies
    found = list(source.notes)
    played = f"strategy {names[0]}" if len(names) == 1 else f"strategies {listed(names)}"
    found += [
        f"All of this holds for games between players of the {played}. A leader whose strength these players do not use "
        "looks weaker here than it is at your table.",
        "What builders, claimants or settlers won is an association: who is ahead builds, claims and settles more.",
        "A rule that the rulebook leaves open was read in one way; docs/disputes.md says how much the others change.",
    ]
    if facts["games"] < facts["planned"]:
        found.insert(0, f"The run is not finished: {facts['games']:,} of {facts['planned']:,} games are there.")
    if facts["games"] < 1000:
        found.insert(0, f"Only {counted(facts['games'], 'game')}: intervals are wide, and 'undecided' means just that.")
    if facts["unfinished"]:
        share = facts["unfinished"] / facts["games"]
        found.append(f"{rate(share)} of the games were stopped unfinished; who would have won them is unknown.")
    return [Finding(text, "limit") for text in found]
