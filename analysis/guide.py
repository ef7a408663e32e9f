"""What every column of the functions of `analysis` means: the text of docs/analysis.md, checked by the tests."""

from __future__ import annotations

from inspect import getdoc, signature

from .. import analysis
from .stats.inference import REPORT_ERROR, SHARED

WILSON = "Wilson's score interval"
CLUSTERED = "Wilson's score interval, the game as the cluster (design effect)"
NORMAL = "estimate ± z standard errors, the game as the cluster"
STUDENT = "Student's interval of a mean"
NEWCOMBE = "Newcombe's interval of a difference of rates"
WELCH = "Welch's interval of a difference of means"
FEW = "fewer than 100 games, or 10 wins or losses: intervals of the model are too narrow"
SHARE, POINTS, ROUNDS = "share, 0 to 1", "percentage points", "rounds"

# Column: (unit, meaning), for all functions that have it; `function.column` where it means something of its own.
COLUMNS: dict[str, tuple[str, str]] = {
    "adjusted_rate": (SHARE, "share of decided games won if every line-up played equally often in every turn order"),
    "agenda": ("", "agenda"),
    "agenda_share": (SHARE, "share of the leader's claims of the card that used this agenda"),
    "agendas": ("", "agendas the winner had claimed"),
    "association": (POINTS, "win rate of the seats with it minus that of the seats without it: not an effect"),
    "auc": (SHARE, "chance that the later winner has claimed more than another seat picked at random; 0.5: a coin toss"),
    "average_share": (SHARE, "what the average seat of these games won: the fair share of the games that somebody won"),
    "behind": ("cards", "at least this many claims behind the best other seat at the end of some earlier round"),
    "build_rate": (SHARE, "built / n"),
    "builder_win_rate": (SHARE, "wins of the builders / built: an association, not an effect"),
    "built": ("games", "games in which it was built"),
    "captures": ("times", "times it changed hands after it was built"),
    "card": ("", "victory card, named by its two agendas"),
    "cards": ("", "victory cards in play"),
    "chance_first": (SHARE, "how often it is the strongest in draws from the estimates' distribution"),
    "changes": ("times", "mean number of times that another seat became the only leader"),
    "chi2": ("", "Wald's statistic"),
    "claim_1": (ROUNDS, "median round of the winner's first claim; `claim_2`, … of the next ones"),
    "claim_rate": (SHARE, "claims / n"),
    "victory.claim_rate": (SHARE, "share of the n games in which anyone claimed the card by this agenda"),
    "claimant_win_rate": (SHARE, "wins of the claimants / claims: an association that says little: winners must claim"),
    "claims": ("claims", "claims by this agenda"),
    "comeback_rate": (SHARE, "wins / n"),
    "component": ("", "component that ran out"),
    "decided": ("games", "of these, games that somebody won"),
    "matchups.decided": ("games", "of these, games that one of the two won"),
    "district": ("", "district"),
    "df": ("", "degrees of freedom"),
    "difference": (SHARE, "win rate minus fair share"),
    "settling.difference": (SHARE, "winners minus others of the same games"),
    "distance": ("spaces", "distance from the capital"),
    "era": ("", "era of the wonder"),
    "error": ("log odds", "standard error of log_odds"),
    "expected": (SHARE, "what the leaders' strengths predict"),
    "factor": ("", "factor of the model"),
    "forts": ("", "forts the seat put a city on"),
    "government": ("", "government"),
    "games": ("games", "games whose map had the space for a winner and for another"),
    "fair_share": (SHARE, "what a seat picked at random wins"),
    "left": ("games", "of these, games in which it left the game unbuilt, by the wonder icon"),
    "left_rate": (SHARE, "left / revealed"),
    "lead_round": (ROUNDS, "median round from whose end the winner led until the game ended"),
    "lead_round_p25": (ROUNDS, "its lower quartile"),
    "lead_round_p75": (ROUNDS, "its upper quartile"),
    "lead_share": (SHARE, "its median as a share of the game's rounds"),
    "last_round_rate": (SHARE, "share of won games whose winner took the lead in the last round only"),
    "lead_middle": (SHARE, "share of won games from lead_round_p25 to lead_round_p75, both included"),
    "leader": ("", "leader"),
    "leader_win_rate": (SHARE, "leader_wins / leading; unfinished games count as not won"),
    "leader_wins": ("wins", "wins of the seat that led, shared ones in parts"),
    "leaders": ("leaders", "number of leaders"),
    "leading": ("games", "of these, games in which one seat led alone"),
    "leading_rate": (SHARE, "leading / n"),
    "levels": ("", "number of its levels"),
    "log_odds": ("log odds", "strength against the average level"),
    "mean": (ROUNDS, "mean length"),
    "median": (ROUNDS, "median length; its interval is that of order statistics"),
    "median_round": (ROUNDS, "median round"),
    "wonders.median_round": (ROUNDS, "median round in which it was built"),
    "unique_cards.median_round": (ROUNDS, "median round in which the unique card was taken; 1: from the start"),
    "reasons.median_round": (ROUNDS, "median length of these games"),
    "median_seen": (ROUNDS, "median round in which it was turned up; 1: from the start"),
    "middle": (SHARE, "share of the games from p5 to p95, both included"),
    "n": ("games", "denominator of the rates of the row; unfinished games are in it"),
    "comebacks.n": ("games", "games that somebody won"),
    "matchups.p": ("", "p value of the single question whether the remainder is zero; empty: cannot be tested"),
    "matchups.n": ("games", "decided games with both at the table"),
    "predictability.n": ("games", "games that continued after the round"),
    "reasons.n": ("wins", "wins in games with the same cards in play"),
    "shortages.n": ("", "seats (pieces of a player) or games (decks)"),
    "winning_agendas.n": ("wins", "wins of the leader with the card in play, shared ones in parts"),
    "n_with": ("games", "games of the leader with the card in play"),
    "n_without": ("games", "games of the leader without it"),
    "odds_ratio": ("", "odds against those of the average level"),
    "opponent": ("", "the other leader"),
    "order": ("place", "place in the turn order, 1 first"),
    "other_rate": (SHARE, "share of the others with a city there"),
    "others": ("seats", "seats of other players whose map had the space"),
    "others_rate": (SHARE, "the rate it is compared with: other seats of the same games"),
    "leaders_by_strategy.others_rate": (SHARE, "win rate of all other leaders that the same strategy played"),
    "card_set_leaders.others_rate": (SHARE, "win rate of the leader in games with other cards"),
    "winning_agendas.others_rate": (SHARE, "that of all other leaders' wins"),
    "p": ("", "p value of the single question"),
    "p5": (ROUNDS, "5% of the games are no longer; `p25`, `p75`, `p95` correspondingly"),
    "p25": (ROUNDS, "lower quartile"),
    "p75": (ROUNDS, "upper quartile"),
    "p95": (ROUNDS, "95% of the games are no longer"),
    "claim_rounds.p5": (ROUNDS, "5% of the claims came by this round; `p25`, `p75`, `p95` correspondingly"),
    "claim_rounds.median": (ROUNDS, "median round of the claims"),
    "claim_rounds.p95": (ROUNDS, "95% of the claims came by this round"),
    "p_adjusted": ("", f"p value for all questions asked together: p times their number, beside the leaders times {SHARED}"),
    "p_holm": ("", "p value corrected over the rows of the table (Holm)"),
    "players": ("players", "number of players"),
    "pooled_rate": (SHARE, "adjusted rate drawn to the fair share as far as chance explains the distances of all"),
    "points": (POINTS, "adjusted rate minus fair share"),
    "agenda_users.points": (POINTS, "claim rate minus others_rate"),
    "by_cards.points": (POINTS, "rate_with minus rate_without"),
    "card_set_leaders.points": (POINTS, "win rate minus others_rate"),
    "leaders_by_strategy.points": (POINTS, "win rate minus others_rate"),
    "winning_agendas.points": (POINTS, "use rate minus others_rate"),
    "q": ("spaces", "axial coordinate from the capital, the middle of the map to the right"),
    "r": ("spaces", "axial coordinate from the capital, downwards"),
    "rank": ("rank", "rank by strength"),
    "leaders.rank": ("ranks", "ranks that remain possible, for all rows together (95%)"),
    "rank_best": ("rank", "best rank that remains possible, for all levels together (95%)"),
    "rank_worst": ("rank", "worst one"),
    "rate": (SHARE, "used_up / n"),
    "rate_with": (SHARE, "adjusted win rate with the card in play"),
    "rate_without": (SHARE, "adjusted win rate without it"),
    "remainder": (POINTS, "win rate minus what strengths and a noise of each leader predict"),
    "revealed": ("games", "games in which it was turned up, from the start or later"),
    "round": ("round", "at the end of this round"),
    "round_p25": (ROUNDS, "lower quartile of the rounds of the claims"),
    "round_p75": (ROUNDS, "upper quartile"),
    "rounds": (ROUNDS, "round in which the games ended"),
    "rounds_difference": (ROUNDS, "rounds_mean minus that of all other rows together"),
    "rounds_mean": (ROUNDS, "mean length of the games"),
    "rounds_median": (ROUNDS, "median length"),
    "rounds_p25": (ROUNDS, "lower quartile of the length"),
    "rounds_p75": (ROUNDS, "upper quartile"),
    "share": (SHARE, "share of all games"),
    "reasons.share": (SHARE, "share of all wins"),
    "share_so_far": (SHARE, "share of games that ended in this round or before"),
    "share_where_possible": (SHARE, "wins / n"),
    "skill": ("", "1 - Brier score of the best forecast by the claims / that of the fair share: 0 no better, 1 certain"),
    "small_sample": ("", "fewer than 100 cases"),
    "by_cards.small_sample": ("", FEW),
    "leader_spread.small_sample": ("", "fewer than 100 games, or a leader with fewer than 10 wins or losses"),
    "matchups.small_sample": ("", FEW),
    "settling.small_sample": ("", "fewer than 100 games; no p value"),
    "strengths.small_sample": ("", FEW),
    "turn_order.small_sample": ("", FEW),
    "leaders_by_strategy.small_sample": ("", FEW),
    "strategy": ("", "strategy that played the leader"),
    "spread": (POINTS, "standard deviation of the true win rates, without what chance adds"),
    "steady_rate": (SHARE, "share of games in which the lead never passed from one seat to another"),
    "surplus": (POINTS, "win rate minus expected: the misfit of the strength model"),
    "type": ("", "focus type of its deck"),
    "unfinished": ("games", "games stopped at the round cap; nobody won them, and n counts them"),
    "unfinished_rate": (SHARE, "unfinished / n"),
    "tiles": ("", "tiles the seat explored"),
    "use_rate": (SHARE, "wins / n"),
    "used_up": ("", "of these, with none left at the end"),
    "victories": ("games", "games that somebody won"),
    "widest": (POINTS, "largest minus smallest adjusted rate, chance included"),
    "win_rate": (SHARE, "wins / n"),
    "matchups.win_rate": (SHARE, "wins / decided"),
    "winner_rate": (SHARE, "share of the winners with a city there"),
    "winner_share": (SHARE, "share of the wins in those games that used the agenda"),
    "winners": ("seats", "winning seats; those of shared wins count fully"),
    "settling.winners": ("seats", "winners whose map had the space"),
    "wins": ("wins", "wins; one shared by k seats counts 1/k for each"),
    "winning_agendas.wins": ("wins", "of these, wins that had claimed the agenda"),
    "comebacks.wins": ("games", "of these, games whose winner had been behind"),
    "wonder": ("", "world wonder"),
}

# Of runs that have counted focus cards, or kept their rounds.
COLUMNS |= {
    **{f"{name}.{column}": meaning for name in ("focus_cards", "focus_card_wins") for column, meaning in {
        "card": ("", "focus card"), "type": ("", "its focus type"), "level": ("", "its level"),
        "leader": ("", "leader whose unique card it is; empty: a card of all"),
    }.items()},
    "focus_cards.n": ("seats", "seats that might take it: those that did not begin with it; of a unique card, its leader's"),
    "taken": ("seats", "of these, seats that took it"),
    "take_rate": (SHARE, "taken / n; tested against 10%, below which a card is dead"),
    "focus_cards.median_round": (ROUNDS, "median round in which it was taken"),
    "focus_cards.round_p25": (ROUNDS, "its lower quartile"),
    "had": ("seats", "seats that had it in their row, those that began with it included"),
    "resolved": ("times", "how often a seat that had it resolved it, on average"),
    **{f"slot_{slot}_rate": (SHARE, f"share of these times with slot number {slot}") for slot in range(1, 6)},
    "unused_rate": (SHARE, "share of the seats that had it that never resolved it"),
    "replaced_rate": (SHARE, "share of the seats that had it that put another card in its place"),
    "focus_card_wins.n": ("seats", "seats of decided games that had it; of a unique card, its leader's"),
    "focus_card_wins.n_without": ("seats", "the others"),
    "focus_card_wins.rate_without": (SHARE, "win rate of the others"),
    "focus_card_wins.association": (POINTS, "win rate with it minus that of seats alike without it: not an effect"),
    "measure": ("", "what is compared: a column of the table `rounds`"),
    "trajectories.n": ("games", "games with the round that somebody won"),
    "trajectories.winners": ("unit of measure", "mean of the winners"),
    "trajectories.others": ("unit of measure", "mean of the others of the same games"),
    "trajectories.lead": ("unit of measure", "mean of the games' differences, winners less others"),
    "ahead.n": ("games", "games that continued after the round and that somebody won"),
    "behind.n": ("seats", "seats of such games that are so far behind the best other seat"),
    "behind.behind": ("unit of measure", "the least deficit; 0: nobody is ahead of the seat"),
    "behind_most": ("unit of measure", "the largest deficit; empty: no limit"),
    **{f"{name}.points": (POINTS, "win rate less fair share") for name in ("ahead", "behind")},
    "favourites.n": ("games", "games that continued after the round and that somebody won, 20,000 at most"),
    "favourite_rate": (SHARE, "share of them that the seat with the best chance won"),
    "forecast_rate": (SHARE, "what the forecast gave that seat, on average"),
    "favourites.skill": ("", "1 - Brier score of the forecast / that of the fair share: 0 no better, 1 certain"),
    "settled_rate": (SHARE, "share of them whose later winner was the favourite from this round on"),
    "settled_round": (ROUNDS, "median round from which the later winner was the favourite to the end"),
    "settled_round_p25": (ROUNDS, "its lower quartile"),
    "settled_round_p75": (ROUNDS, "its upper quartile"),
    "place": ("", "place of the map: a natural wonder, city-state, tile or resource, or the tile on which a capital lies"),
    "place_wins.kind": ("", "what it is"),
    "place_wins.n": ("seats", "seats of decided games that held it at the end"),
    "place_wins.n_without": ("seats", "the others"),
    "place_wins.rate_without": (SHARE, "win rate of the others"),
    "place_wins.association": (POINTS, "win rate with it minus that of seats alike without it: not an effect"),
    "start_places.tile": ("", "the tile's number"),
    "start_places.n": ("seats", "seats of decided games that began there"),
    "start_places.points": (POINTS, "win rate minus the fair share"),
    "settled_share": (SHARE, "its median as a share of the game's rounds"),
    "settled.last_round_rate": (SHARE, "share of the games that only their last round decided"),
}  # fmt: skip

# What `<column>_low` and `<column>_high` are. Rates that are not named here have WILSON.
INTERVALS = {
    "association": NORMAL + " (delta method)",
    "adjusted_rate": NORMAL,
    "auc": NORMAL,
    "changes": NORMAL,
    "skill": NORMAL + " (delta method on pairs of games)",
    "claimant_win_rate": CLUSTERED,
    "other_rate": CLUSTERED,
    "shortages.rate": CLUSTERED,
    "strengths.win_rate": CLUSTERED,
    "remainder": "estimate ± z standard errors by the information of the score; wider where its skewness says so",
    "surplus": "estimate ± z standard errors, by the information of the score",
    "strengths.points": NORMAL,
    "turn_order.points": NORMAL,
    "settling.difference": "mean ± z standard errors over games",
    "by_cards.points": "estimate ± z standard errors, by the information of the score",
    "pooled_rate": "estimate ± z standard errors of the true rates given all estimates",
    "leaders_by_strategy.points": NORMAL + " (delta method)",
    "agenda_users.points": NORMAL,
    "odds_ratio": NORMAL + ", on the log scale",
    "points": NEWCOMBE,
    "mean": STUDENT,
    "median": "order statistics, free of distribution",
    "settled_round": "order statistics, free of distribution",
    "rounds_mean": STUDENT,
    "rounds_difference": WELCH,
    "spread": "inverted noncentral χ²; begins at 0 where equal leaders are possible",
}

INTERVALS |= {
    "take_rate": CLUSTERED, "focus_card_wins.association": NORMAL + " (delta method)", "winners": NORMAL, "others": NORMAL,
    "lead": NORMAL, "behind.win_rate": CLUSTERED, "ahead.points": WILSON, "behind.points": CLUSTERED,
    "place_wins.association": NORMAL + " (delta method)", "start_places.win_rate": CLUSTERED, "start_places.points": CLUSTERED,
    "favourites.skill": NORMAL + " (delta method)",
}  # fmt: skip

# The functions of `summaries.expansion` that say what goes with winning.
for _name in ("districts", "governments", "exploring", "forts", "unique_cards"):
    COLUMNS[f"{_name}.n"] = ("seats", "seats with it")
    COLUMNS[f"{_name}.n_without"] = ("seats", "seats without it; of unique cards: of the same leader")
    COLUMNS[f"{_name}.rate_without"] = (SHARE, "win rate of the seats without it")
    COLUMNS[f"{_name}.share"] = (SHARE, "n / (n + n_without)")
    COLUMNS[f"{_name}.wins"] = ("wins", "of these; a win shared by k seats counts 1/k for each")
    INTERVALS[f"{_name}.win_rate"] = INTERVALS[f"{_name}.share"] = CLUSTERED

HEAD = f"""# Functions of `analysis`

```python
from newdawn import analysis

run = analysis.open_run("results/first")
analysis.strengths(run)
```

Each takes a run, or a list of runs to pool, and returns a pandas DataFrame. (`settling` takes replayed games.) Shards are
read one by one, so memory does not grow with the number of games. `by="players"`, where there is one, gives each player
count its own rows. `analysis.plots` draws most tables, and `newdawn explore` shows many in the browser, under any filter.

- `<name>_low` and `<name>_high` are the ends of the 95% interval of `<name>`.
- `<name>_all_low` and `<name>_all_high` belong to tested figures. These intervals are simultaneous: all of a column hold
  together in 95% of runs (Bonferroni: with m questions each has the level 1 - 5%/m). In tables of a report beside the
  leaders' each question counts as {SHARED}, so that anything is said falsely in at most {REPORT_ERROR:.0%} of reports. A row
  differs from its reference (0, or the share named) exactly if its interval excludes it; then `p_adjusted` is at most 5%.
- Rates of seats that built or claimed something are associations. Effects come from `newdawn experiment` and `newdawn
  compare`.

This page is written by `NEWDAWN_WRITE_README=1 pytest tests/analysis/test_guide.py`.
"""


def meaning(function: str, column: str) -> tuple[str, str]:
    """Return the unit and meaning of a column of a function's table."""
    return COLUMNS.get(f"{function}.{column}") or COLUMNS[column]


def interval(function: str, column: str) -> str:
    """Return what kind of interval a column has."""
    return INTERVALS.get(f"{function}.{column}") or INTERVALS.get(column) or WILSON


def as_markdown(columns: dict[str, list[str]]) -> str:
    """Return the page for the columns that each function's table has."""
    parts = [HEAD]
    for name in analysis.FUNCTIONS:
        function = getattr(analysis, name)
        parts.append(f"## `{name}{_arguments(function)}`\n\n{getdoc(function)}\n")
        if name not in columns:
            continue
        parts.append("| column | unit | meaning | 95% interval |\n|---|---|---|---|")
        shown = [column for column in columns[name] if not column.endswith(("_low", "_high"))]
        for column in shown:
            if column.startswith("claim_") and column[6:].isdigit() and column != "claim_1":
                continue
            kind = interval(name, column) if f"{column}_low" in columns[name] else ""
            parts.append(f"| `{column}` | {' | '.join(meaning(name, column))} | {kind} |")
        parts.append("")
    return "\n".join(parts)


def _arguments(function: object) -> str:
    names = signature(function).parameters.values()  # type: ignore[arg-type]
    return "(" + ", ".join(p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in names) + ")"
