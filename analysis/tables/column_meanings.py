"""What the columns of tables are: unit, meaning, interval and format of each, said once for docs, pages and screens."""

from __future__ import annotations

from ..stats.inference import SHARED
from ..stats.rates import FEW_CASES, SMALL_SAMPLE

WILSON = "Wilson's score interval"
CLUSTERED = "Wilson's score interval, the game as the cluster (design effect)"
NORMAL = "estimate ± z standard errors, the game as the cluster"
DELTA = f"{NORMAL} (delta method)"
SCORE = "estimate ± z standard errors, by the information of the score"
ORDERED = "order statistics, free of distribution"
STUDENT = "Student's interval of a mean"
NEWCOMBE = "Newcombe's interval of a difference of rates"
WELCH = "Welch's interval of a difference of means"
FEW = "fewer than 100 games, or 10 wins or losses: intervals of the model are too narrow"
SHARE, POINTS, ROUNDS = "share, 0 to 1", "percentage points", "rounds"

# Column: unit, meaning and, where it has an interval that is not WILSON, which; `function.column` where it means something
# of its own.
COLUMNS: dict[str, tuple[str, ...]] = {
    # What a row is about.
    "agenda": ("", "agenda"), "agendas": ("", "agendas the winner had claimed"),
    "card": ("", "victory card, named by its two agendas"), "cards": ("", "victory cards in play"),
    "chi2": ("", "Wald's statistic"), "component": ("", "component that ran out"), "district": ("", "district"),
    "df": ("", "degrees of freedom"), "era": ("", "era of the wonder"), "factor": ("", "factor of the model"),
    "forts": ("", "forts the seat put a city on"), "government": ("", "government"), "leader": ("", "leader"),
    "levels": ("", "number of its levels"), "opponent": ("", "the other leader"), "p": ("", "p value of the single question"),
    "p_holm": ("", "p value corrected over the rows of the table (Holm)"), "small_sample": ("", "fewer than 100 cases"),
    "strategy": ("", "strategy that played the leader"), "type": ("", "focus type of its deck"),
    "tiles": ("", "tiles the seat explored"), "used_up": ("", "of these, with none left at the end"),
    "measure": ("", "what is compared: a column of the table `rounds`"), "wonder": ("", "world wonder"),
    # Figures.
    "adjusted_rate": (SHARE, "share of decided games won if every line-up played equally often in every turn order", NORMAL),
    "agenda_share": (SHARE, "share of the leader's claims of the card that used this agenda"),
    "association": (POINTS, "win rate of the seats with it minus that of the seats without it: not an effect", DELTA),
    "auc": (
        SHARE, "chance that the later winner has claimed more than another seat picked at random; 0.5: a coin toss", NORMAL,
    ),
    "average_share": (SHARE, "what the average seat of these games won: the fair share of the games that somebody won"),
    "behind": ("cards", "at least this many claims behind the best other seat at the end of some earlier round"),
    "build_rate": (SHARE, "built / n"),
    "builder_win_rate": (SHARE, "wins of the builders / built: an association, not an effect"),
    "built": ("games", "games in which it was built"),
    "captures": ("times", "times it changed hands after it was built"),
    "chance_first": (SHARE, "how often it is the strongest in draws from the estimates' distribution"),
    "changes": ("times", "mean number of times that another seat became the only leader", NORMAL),
    "claim_1": (ROUNDS, "median round of the winner's first claim; `claim_2`, … of the next ones"),
    "claim_rate": (SHARE, "claims / n"),
    "victory.claim_rate": (SHARE, "share of the n games in which anyone claimed the card by this agenda"),
    "claimant_win_rate": (
        SHARE, "wins of the claimants / claims: an association that says little: winners must claim", CLUSTERED,
    ),
    "claims": ("claims", "claims by this agenda"),
    "comeback_rate": (SHARE, "wins / n"),
    "decided": ("games", "of these, games that somebody won"),
    "matchups.decided": ("games", "of these, games that one of the two won"),
    "difference": (SHARE, "win rate minus fair share"),
    "settling.difference": (
        SHARE, "winners minus others of the same games if all had equally many cities", "mean ± z standard errors over games",
    ),
    "more_cities": (
        "cities", "winners' cities minus the others'; the same in every row", "mean ± z standard errors over games",
    ),
    "distance": ("spaces", "distance from the capital"),
    "error": ("log odds", "standard error of log_odds"),
    "expected": (SHARE, "what the leaders' strengths predict"),
    "games": ("games", "games whose map had the space for a winner and for another"),
    "fair_share": (SHARE, "what a seat picked at random wins"),
    "left": ("games", "of these, games in which it left the game unbuilt, by the wonder icon"),
    "left_rate": (SHARE, "left / revealed"),
    "lead_round": (ROUNDS, "median round from whose end the winner led until the game ended"),
    "lead_round_p25": (ROUNDS, "its lower quartile"), "lead_round_p75": (ROUNDS, "its upper quartile"),
    "lead_share": (SHARE, "its median as a share of the game's rounds"),
    "last_round_rate": (SHARE, "share of won games whose winner took the lead in the last round only"),
    "lead_middle": (SHARE, "share of won games from lead_round_p25 to lead_round_p75, both included"),
    "leader_win_rate": (SHARE, "leader_wins / leading; unfinished games count as not won"),
    "leader_wins": ("wins", "wins of the seat that led, shared ones in parts"), "leaders": ("leaders", "number of leaders"),
    "leading": ("games", "of these, games in which one seat led alone"), "leading_rate": (SHARE, "leading / n"),
    "log_odds": ("log odds", "strength against the average level"),
    "mean": (ROUNDS, "mean length", STUDENT),
    "median": (ROUNDS, "median length; its interval is that of order statistics", ORDERED),
    "median_round": (ROUNDS, "median round"), "wonders.median_round": (ROUNDS, "median round in which it was built"),
    "unique_cards.median_round": (ROUNDS, "median round in which the unique card was taken; 1: from the start"),
    "reasons.median_round": (ROUNDS, "median length of these games"),
    "median_seen": (ROUNDS, "median round in which it was turned up; 1: from the start"),
    "middle": (SHARE, "share of the games from p5 to p95, both included"),
    "n": ("games", "denominator of the rates of the row; unfinished games are in it"),
    "comebacks.n": ("games", "games that somebody won"),
    "matchups.p": ("", "p value of the single question whether the remainder is zero; empty: cannot be tested"),
    "matchups.n": ("games", "decided games with both at the table"),
    "predictability.p": ("", "p value of the single question whether who leads alone wins its fair share"),
    "predictability.n": ("games", "games that continued after the round"),
    "reasons.n": ("wins", "wins in games with the same cards in play"),
    "shortages.n": ("", "seats (pieces of a player) or games (decks)"),
    "winning_agendas.n": ("wins", "wins of the leader with the card in play, shared ones in parts"),
    "n_with": ("games", "games of the leader with the card in play"), "n_without": ("games", "games of the leader without it"),
    "odds_ratio": ("", "odds against those of the average level", f"{NORMAL}, on the log scale"),
    "order": ("place", "place in the turn order, 1 first"),
    "other_rate": (SHARE, "share of the others with a city there", CLUSTERED),
    "others": ("seats", "seats of other players whose map had the space"),
    "others_rate": (SHARE, "the rate it is compared with: other seats of the same games"),
    "leaders_by_strategy.others_rate": (SHARE, "win rate of all other leaders that the same strategy played"),
    "card_set_leaders.others_rate": (SHARE, "win rate of the leader in games with other cards"),
    "winning_agendas.others_rate": (SHARE, "that of all other leaders' wins"),
    "p5": (ROUNDS, "5% of the games are no longer; `p25`, `p75`, `p95` correspondingly"),
    "p25": (ROUNDS, "lower quartile"),
    "p75": (ROUNDS, "upper quartile"),
    "p95": (ROUNDS, "95% of the games are no longer"),
    "claim_rounds.p5": (ROUNDS, "5% of the claims came by this round; `p25`, `p75`, `p95` correspondingly"),
    "claim_rounds.median": (ROUNDS, "median round of the claims"),
    "claim_rounds.p95": (ROUNDS, "95% of the claims came by this round"),
    "p_adjusted": ("", f"p value for all questions asked together: p times their number, beside the leaders times {SHARED}"),
    "players": ("players", "number of players"),
    "pooled_rate": (
        SHARE, "adjusted rate drawn to the fair share as far as chance explains the distances of all",
        "estimate ± z standard errors of the true rates given all estimates",
    ),
    "points": (POINTS, "adjusted rate minus fair share", NORMAL),
    "agenda_users.points": (POINTS, "claim rate minus others_rate", NORMAL),
    "by_cards.points": (POINTS, "rate_with minus rate_without", SCORE),
    "card_set_leaders.points": (POINTS, "win rate minus others_rate", NEWCOMBE),
    "leaders_by_strategy.points": (POINTS, "win rate minus others_rate", DELTA),
    "winning_agendas.points": (POINTS, "use rate minus others_rate", NEWCOMBE),
    "q": ("spaces", "axial coordinate from the capital, the middle of the map to the right"),
    "r": ("spaces", "axial coordinate from the capital, downwards"), "rank": ("rank", "rank by strength"),
    "leaders.rank": ("ranks", "ranks that remain possible, for all rows together (95%)"),
    "rank_best": ("rank", "best rank that remains possible, for all levels together (95%)"),
    "rank_worst": ("rank", "worst one"),
    "rate": (SHARE, "used_up / n", CLUSTERED), "rate_with": (SHARE, "adjusted win rate with the card in play"),
    "rate_without": (SHARE, "adjusted win rate without it"),
    "remainder": (
        POINTS, "win rate minus what strengths and a noise of each leader predict",
        "estimate ± z standard errors by the information of the score; wider where its skewness says so",
    ),
    "revealed": ("games", "games in which it was turned up, from the start or later"),
    "round": ("round", "at the end of this round"), "round_p25": (ROUNDS, "lower quartile of the rounds of the claims"),
    "round_p75": (ROUNDS, "upper quartile"), "rounds": (ROUNDS, "round in which the games ended"),
    "rounds_difference": (ROUNDS, "rounds_mean minus that of all other rows together", WELCH),
    "rounds_mean": (ROUNDS, "mean length of the games", STUDENT), "rounds_median": (ROUNDS, "median length"),
    "rounds_p25": (ROUNDS, "lower quartile of the length"), "rounds_p75": (ROUNDS, "upper quartile"),
    "share": (SHARE, "share of all games"), "reasons.share": (SHARE, "share of all wins"),
    "share_so_far": (SHARE, "share of games that ended in this round or before"),
    "share_where_possible": (SHARE, "wins / n"),
    "skill": (
        "", "1 - Brier score of the best forecast by the claims / that of the fair share: 0 no better, 1 certain",
        f"{NORMAL} (delta method on pairs of games)",
    ),
    **{f"{one}.small_sample": ("", FEW) for one in ("by_cards", "matchups", "strengths", "turn_order", "leaders_by_strategy")},
    "leader_spread.small_sample": ("", "fewer than 100 games, or a leader with fewer than 10 wins or losses"),
    "settling.small_sample": ("", "fewer than 100 games; no p value"),
    "spread": (
        POINTS, "standard deviation of the true win rates, without what chance adds",
        "inverted noncentral χ²; begins at 0 where equal leaders are possible",
    ),
    "steady_rate": (SHARE, "share of games in which the lead never passed from one seat to another"),
    "surplus": (POINTS, "win rate minus expected: the misfit of the strength model", SCORE),
    "unfinished": ("games", "games stopped at the round cap; nobody won them, and n counts them"),
    "unfinished_rate": (SHARE, "unfinished / n"),
    "use_rate": (SHARE, "wins / n"),
    "victories": ("games", "games that somebody won"),
    "whole_chi2": ("", "χ² of all remainders together, by their covariance; the same in every row"),
    "whole_df": ("", "its degrees of freedom: directions that strengths and noises leave"),
    "whole_p": ("", "adjusted p value that the pairs as a whole deviate; no pair is shown to where they are not"),
    "widest": (POINTS, "largest minus smallest adjusted rate, chance included"),
    "win_rate": (SHARE, "wins / n"), "matchups.win_rate": (SHARE, "wins / decided"),
    "winner_rate": (SHARE, "share of the winners with a city there"),
    "winner_share": (SHARE, "share of the wins in those games that used the agenda"),
    "winners": ("seats", "winning seats; those of shared wins count fully"),
    "settling.winners": ("seats", "winners whose map had the space"),
    "wins": ("wins", "wins; one shared by k seats counts 1/k for each"),
    "winning_agendas.wins": ("wins", "of these, wins that had claimed the agenda"),
    "comebacks.wins": ("games", "of these, games whose winner had been behind"),
    # Of runs that have counted focus cards, or kept their rounds or places.
    **{f"{name}.{column}": meaning for name in ("focus_cards", "focus_card_wins") for column, meaning in {
        "card": ("", "focus card"), "type": ("", "its focus type"), "level": ("", "its level"),
        "leader": ("", "leader whose unique card it is; empty: a card of all"),
    }.items()},
    "focus_cards.n": ("seats", "seats that might take it: those that did not begin with it; of a unique card, its leader's"),
    "taken": ("seats", "of these, seats that took it"),
    "take_rate": (SHARE, "taken / n; tested against 10%, below which a card is dead", CLUSTERED),
    "focus_cards.median_round": (ROUNDS, "median round in which it was taken"),
    "focus_cards.round_p25": (ROUNDS, "its lower quartile"),
    "had": ("seats", "seats that had it in their row, those that began with it included"),
    "resolved": ("times", "how often a seat that had it resolved it, on average"),
    **{f"slot_{slot}_rate": (SHARE, f"share of these times with slot number {slot}") for slot in range(1, 6)},
    "unused_rate": (SHARE, "share of the seats that had it that never resolved it"),
    "replaced_rate": (SHARE, "share of the seats that had it that put another card in its place"),
    "focus_card_wins.n": ("seats", "seats of decided games that had it; of a unique card, its leader's"),
    "trajectories.n": ("games", "games with the round that somebody won"),
    "trajectories.winners": ("unit of measure", "mean of the winners", NORMAL),
    "trajectories.others": ("unit of measure", "mean of the others of the same games", NORMAL),
    "trajectories.lead": ("unit of measure", "mean of the games' differences, winners less others", NORMAL),
    "ahead.n": ("games", "games that continued after the round and that somebody won"),
    "behind.n": ("seats", "seats of such games that are so far behind the best other seat"),
    "behind.behind": ("unit of measure", "the least deficit; 0: nobody is ahead of the seat"),
    "behind_most": ("unit of measure", "the largest deficit; empty: no limit"),
    "ahead.points": (POINTS, "win rate less fair share"), "behind.points": (POINTS, "win rate less fair share", CLUSTERED),
    "favourites.n": ("games", "games that continued after the round and that somebody won, 20,000 at most"),
    "favourite_rate": (SHARE, "share of them that the seat with the best chance won"),
    "forecast_rate": (SHARE, "what the forecast gave that seat, on average"),
    "favourites.skill": ("", "1 - Brier score of the forecast / that of the fair share: 0 no better, 1 certain", DELTA),
    "settled_rate": (SHARE, "share of them whose later winner was the favourite from this round on"),
    "settled_round": (ROUNDS, "median round from which the later winner was the favourite to the end", ORDERED),
    "settled_round_p25": (ROUNDS, "its lower quartile"), "settled_round_p75": (ROUNDS, "its upper quartile"),
    "place": ("", "place of the map: a natural wonder, city-state, tile or resource, or the tile on which a capital lies"),
    "place_wins.kind": ("", "what it is"),
    **{f"{name}.{column}": meaning for name in ("focus_card_wins", "place_wins") for column, meaning in {
        "n_without": ("seats", "the others"), "rate_without": (SHARE, "win rate of the others"),
        "association": (POINTS, "win rate with it minus that of seats alike without it: not an effect", DELTA),
    }.items()},
    "place_wins.n": ("seats", "seats of decided games that held it at the end"),
    "start_places.tile": ("", "the tile's number"), "start_places.n": ("seats", "seats of decided games that began there"),
    "start_places.points": (POINTS, "win rate minus the fair share", CLUSTERED),
    "settled_share": (SHARE, "its median as a share of the game's rounds"),
    "settled.last_round_rate": (SHARE, "share of the games that only their last round decided"),
}  # fmt: skip

# The functions that say what goes with winning in Terra Incognita.
for _name in ("districts", "governments", "exploring", "forts", "unique_cards"):
    COLUMNS |= {
        f"{_name}.n": ("seats", "seats with it"),
        f"{_name}.n_without": ("seats", "seats without it; of unique cards: of the same leader"),
        f"{_name}.rate_without": (SHARE, "win rate of the seats without it"),
        f"{_name}.share": (SHARE, "n / (n + n_without)", CLUSTERED),
        f"{_name}.wins": ("wins", "of these; a win shared by k seats counts 1/k for each"),
    }
for _name in ("strengths", "behind", "start_places", "districts", "governments", "exploring", "forts", "unique_cards"):
    COLUMNS[f"{_name}.win_rate"] = (SHARE, "wins / n", CLUSTERED)

# The format of a column follows from its unit: rate, points (with sign), rounds, ratio (two decimals), text, or else count.
FORMATS = {SHARE: "rate", POINTS: "points", ROUNDS: "rounds", "log odds": "ratio", "": "text"}
UNITS = {name.rpartition(".")[2]: unit for name, (unit, *_) in sorted(COLUMNS.items(), key=lambda one: "." not in one[0])}
# Where it does not follow, and that of columns which functions of `analysis` do not have.
OTHERWISE = {
    "p": "p", "p_adjusted": "p", "p_holm": "p", "whole_p": "p", "verdict": "verdict", "small_sample": "flag",
    "rank_best": "range", "whole_df": "count", "whole_chi2": "number", "n": "count", "df": "count", "level": "count",
    "plays": "count", "used_up": "count", "cost": "rounds", "rounds_mean": "number", "spread": "number",
    "widest": "number", "chi2": "number", "detectable": "number", "changes": "ratio", "odds_ratio": "ratio",
    "log_loss": "ratio", "uniform": "ratio", "skill": "ratio", "difference": "points", "rounds_difference": "points",
    "restricted": "rate", "with": "rate", "without": "rate",
}  # fmt: skip
# Headings on pages of columns that are not called by their name there; the second text says more than the heading.
HEADINGS: dict[str, tuple[str, ...]] = {
    "p_adjusted": ("adjusted p", "p value for all questions that are asked together"),
    "small_sample": ("few?", f"fewer than {SMALL_SAMPLE} cases, or {FEW_CASES} wins or losses"),
    "points": ("difference, points [95% all]", "percentage points"),
    "association": ("association, points [95% all]", "among seats alike; no effect"),
    "win_rate": ("win rate [95%]",), "claim_rate": ("claimed by anyone [95%]",), "rounds_mean": ("mean rounds [95%]",),
    "rate_without": ("won without it",), "without": ("won without it",), "with": ("won with it",),
    "n_without": ("seats without",), "n": ("games",), "decided": ("decided games",), "rank_best": ("possible places",),
    "rounds_median": ("median",), "round": ("after round",), "cost": ("cost, production",), "wonder": ("world wonder",),
    "card": ("victory card",), "cards": ("victory cards in play",), "restriction": ("without",), "meaning": ("a player who",),
    "other": ("the other reading",), "way": ("played by",), "band": ("wanted",), "what": ("change",),
}  # fmt: skip


def declared(function: str, column: str) -> tuple[str, ...]:
    """Return the unit, the meaning and perhaps the interval of a column of a function's table."""
    return COLUMNS.get(f"{function}.{column}") or COLUMNS.get(column) or ("", "")


def heading_of(column: str) -> tuple[str, str]:
    """Return the heading of a column on pages, and what pages say about it."""
    heading, *meaning = HEADINGS.get(column) or (column.replace("_", " "),)
    return heading, "".join(meaning)


def format_of(column: str) -> str:
    """Return how pages and screens write a column: by its unit, where nothing else is said."""
    if column in OTHERWISE:
        return OTHERWISE[column]
    return "rate" if column.endswith("_rate") else FORMATS.get(UNITS.get(column, ""), "count")
