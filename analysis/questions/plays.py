"""Real plays beside simulated games: do people play, and win, like the strategies?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError, counted, listed
from ...simulator.names import SINGLE
from ...simulator.runs.run_folder import Place
from ..pages import plots
from ..pages.chart_messages import message
from ..pages.report_parts import HINT, Chart, Column, Finding, Part
from ..pages.screen_parts import First, Stands
from ..pages.sentences import of_row, quoted
from ..stats.claims import AsMeasured, Limit, Nothing, Quoted, Stand, Undecided
from ..stats.verdicts import DIFFERENT, PEOPLE, STRONG, Nearness, Verdict, games_words, having, p_words, playable
from ..tables.kept_answers import KeptAnswer
from ..tables.play_kinds import KIND_WORDS, kinds_of
from ..tables.read import Plays, Run, open_plays, open_run
from ..tables.real_plays import (
    EQUAL,
    Forecast,
    Pooled,
    SeatedPlays,
    StrategyRuns,
    agreement,
    agreement_table,
    estimates_table,
    forecast_of,
    leaders_beside,
    pooled,
    scored,
    seated,
    ways_of,
)

# --- Real plays beside strategies: the tables of `newdawn plays compare`

COMMAND = "plays compare"
TABLES = LEADERS, AGREEMENT, NEAREST_WAY, ESTIMATES = ("leaders", "agreement", "nearest", "estimates")
ALIKE = frozenset(Verdict) - DIFFERENT  # not shown to differ
FEWEST = 10  # plays below which nothing is compared


@dataclass(frozen=True)
class Compared:
    """Tables by the names of TABLES, and the plays that they rest on: how many in all, and by number of players (`sizes`).

    `left`: why plays were left out, a line each; `notes`: other remarks; `people`: how many named people played more than
    once.
    """

    tables: Mapping[str, pd.DataFrame]
    plays: int
    sizes: Mapping[int, int]
    left: Sequence[str]
    notes: Sequence[str]
    people: int
    pooled: Pooled

    @property
    def ways(self) -> list[str]:
        """Names of the ways, in the order given."""
        return list(self.tables[AGREEMENT]["way"])


def compare_plays(plays: Plays, runs: Mapping[str, Run]) -> Compared:
    """Compare real plays (`open_plays`) with runs of the same box, by their folders; runs of one strategy count as one way.

    The tables are `leaders` (one row per leader and way: people's win rate, the rate that the way
    expects at the same tables, their difference, the smallest difference that the test sees), `agreement` (one row per way: the
    test over all leaders), `nearest` (which way gave the winners the largest chance) and `estimates` (each leader by plays and
    simulation together, with the weight of the plays). A play counts if every way has games with the same number of players, in
    which all its leaders played.
    """
    ways = _checked(plays, runs)
    whole = seated(plays.table("seats", people=True))
    usable = {way.name: way.knows(whole) for way in ways}
    in_all = np.logical_and.reduce(list(usable.values()))
    left = [*_of_other_kinds(plays), *(line for way in ways for line in _left(whole, way, usable[way.name]))]
    if in_all.sum() < FEWEST:
        raise UserError(_too_few(plays, len(whole), int(in_all.sum()), left))
    comparable = without_absent(whole.where(in_all))
    forecasts = [forecast_of(way, comparable) for way in ways]
    return compared(comparable, forecasts, left, _other_rules(plays, runs))


def _too_few(plays: Plays, read: int, n: int, left: Sequence[str]) -> str:
    """Return the message that only n of the plays that were read can be compared."""
    what = f"{plays.path}: {counted(read, 'play')} of people {'was' if read == 1 else 'were'} read"
    if read < FEWEST:
        what += f"; expected {FEWEST} or more: log {FEWEST - read} more and import them with these"
    else:
        what += f", and {counted(n, 'play')} can be compared; expected {FEWEST} or more"
    return "; ".join([what, *left])


def _checked(plays: Plays, runs: Mapping[str, Run]) -> list[StrategyRuns]:
    """Return the ways of the runs; raise UserError if there are none, or of another box."""
    if not runs:
        raise UserError("no runs to compare with; expected one or more (--with RUN)")
    for folder, run in runs.items():
        if run.box != plays.box:
            raise UserError(f"{folder}: games of the box {run.box}; expected {plays.box} as in {plays.path}", file=folder)
    return ways_of(runs)


def _other_rules(plays: Plays, runs: Mapping[str, Run]) -> list[str]:
    """Return a note for each run played under other rules than the plays were imported with."""
    own = plays.manifest["ruleset"]
    return [
        f"{folder} was played by other rules ('{rules['name']}') than the plays were imported with ('{own['name']}')"
        for folder, run in runs.items()
        if (rules := run.manifest.get("ruleset", own)).get("digest") != own["digest"]
    ]


def _of_other_kinds(plays: Plays) -> list[str]:
    """Return how many plays are left out because programs or strategies played some of the seats, or teams played."""
    lines = []
    for kind, n in kinds_of(plays).items():
        if kind != SINGLE and n:
            lines.append(f"{counted(n, 'play')}: {KIND_WORDS[kind]}")
    return lines


def _left(whole: SeatedPlays, way: StrategyRuns, usable: np.ndarray) -> list[str]:
    """Return why the way leaves plays out."""
    other = ~np.isin(whole.players, way.players)
    lines = []
    for players in np.unique(whole.players[other]):
        n = int((whole.players[other] == players).sum())
        lines.append(
            f"{counted(n, 'play')} of {players}: no games of {players} played by {way.name} (newdawn run --players {players})"
        )
    absent = int((~usable & ~other).sum())
    if absent:
        lines.append(f"{counted(absent, 'play')}: with leaders that never played in the games of {way.name}")
    return lines


def without_absent(plays: SeatedPlays) -> SeatedPlays:
    """Return the plays without the leaders and people who are in none of them."""

    def recoded(code: np.ndarray, names: Sequence[str]) -> tuple[np.ndarray, tuple[str, ...]]:
        here = np.unique(code[code >= 0])
        lookup = np.full(len(names) + 1, -1)
        lookup[here] = np.arange(len(here))
        return lookup[code], tuple(names[k] for k in here)

    (leader, leaders), (person, people) = recoded(plays.leader, plays.leaders), recoded(plays.person, plays.people)
    return SeatedPlays(leaders, people, leader, person, plays.order, plays.won)


def compared(plays: SeatedPlays, forecasts: Sequence[Forecast], left: Sequence[str], notes: Sequence[str]) -> Compared:
    """Return the tables of plays that every way can predict."""
    tests = [agreement(forecast, plays, tests=len(forecasts)) for forecast in forecasts]
    sizes = {int(k): int(n) for k, n in zip(*np.unique(plays.players, return_counts=True), strict=True)}
    usual = max(sizes, key=lambda k: (sizes[k], k))
    both = pooled(forecasts, plays, usual)
    tables = {
        LEADERS: leaders_beside(plays, tests),
        AGREEMENT: agreement_table(tests),
        NEAREST_WAY: scored(forecasts, plays),
        ESTIMATES: estimates_table(plays, both),
    }
    again = int((np.bincount(plays.person[plays.person >= 0], minlength=1) > 1).sum())
    return Compared(tables, len(plays), sizes, left, notes, again, both)


# --- Sentences

EXAMPLES = 3
LIMITS = ("Left out", "Note")  # beginnings of sentences on what was not compared
LIMIT = (
    "These plays were logged by some groups, and other groups may play differently. People chose the leaders that they like, "
    "so findings on leaders are associations."
)


def sentences(result: Compared) -> list[Finding]:
    """Return all sentences on a comparison."""
    tables = result.tables
    return [*from_tables(tables), *weighed(tables[ESTIMATES], result.pooled.ways), *left_out(result)]


def from_tables(tables: Mapping[str, pd.DataFrame]) -> list[Finding]:
    """Return the sentences on the tables of tests."""
    return [*agreeing(tables[AGREEMENT]), *differing(tables[LEADERS]), *near(tables[NEAREST_WAY])]


def agreeing(table: pd.DataFrame) -> list[Finding]:
    """Say for each way whether people's leaders win as often, and which difference could be missed."""
    lines = []
    for verdicts, text in (
        (DIFFERENT, "People's leaders do not win as often as those of {}."),
        (ALIKE, "No detectable difference between people's leaders and those of {}."),
    ):
        some = table[having(table, verdicts)]
        if len(some):
            ways = listed(f"`{row['way']}` (adjusted p {p_words(row['p_adjusted'])})" for row in some.to_dict("records"))
            lines.append(Finding(Stand(some, beside=[STRONG]), text.format(ways)))
    n, seen = int(table["plays"].iloc[0]), table["detectable"].min()
    if np.isnan(seen):
        text = f"With {counted(n, 'play')} no difference of one leader can be detected, however large."
    else:
        text = f"With {counted(n, 'play')}, a difference of one leader under {seen:.0f} points cannot be detected."
    lines.append(Finding(Limit(table), text))
    skill = table["skill"].max()
    if skill > 0:
        text = f"People differ in skill (standard deviation {skill:.1f} log odds); the test corrects for that."
        lines.append(Finding(AsMeasured(table), text))
    return lines


def differing(table: pd.DataFrame) -> list[Finding]:
    """Say which leaders differ from a way, the clearest first."""
    clear = table[having(table, DIFFERENT)].sort_values("p", kind="stable")
    ways, leaders = table["way"].nunique(), table["leader"].nunique()
    if clear.empty:
        tested = f"{counted(leaders, 'leader')}, {counted(ways, 'strategy', 'strategies')}"
        return [Finding(Nothing(table, beside=[leaders, ways]), f"No single leader differs detectably ({tested}).")]
    lines = [of_row(row, _leader(row)) for row in clear.head(EXAMPLES).to_dict("records")]
    rest = clear.iloc[EXAMPLES:]
    if len(rest):
        more = f"{len(rest)} more {'differs' if len(rest) == 1 else 'differ'}: see the table."
        lines.append(Finding(Stand(rest), more))
    return lines


def _leader(row: Any) -> str:
    """Return the sentence on one leader and way."""
    own = f"{100 * row['win_rate']:.0f}% [{100 * row['win_rate_low']:.0f}, {100 * row['win_rate_high']:.0f}]"
    would = f"`{row['way']}` would {100 * row['expected_rate']:.0f}%"
    return f"{row['leader']}: people win {own} of {counted(row['n'], 'play')}; {would}."


def near(table: pd.DataFrame) -> list[Finding]:
    """Say which way predicts the winners best, and whether that is shown."""
    ways, flat = table[table["way"] != EQUAL], table[table["way"] == EQUAL].iloc[0]
    best, several = ways.iloc[0], len(ways) > 1
    equal = f"equal chances {100 * flat['chance_of_winner']:.1f}%"
    score = f"it gave the winners {100 * best['chance_of_winner']:.1f}% on average, {equal}"
    if Nearness[best["verdict_key"]] is Nearness.NEAREST:
        verb = "is nearest to people" if several else "predicts the winners"
        return [Finding(Stand(ways.head(1), beside=[flat["chance_of_winner"]]), f"`{best['way']}` {verb}: {score}.")]
    lines = [Finding(Undecided(ways), "Undecided which strategy is nearest to people.")] if several else []
    lines.append(
        Finding(AsMeasured(table), f"`{best['way']}` {'comes first' if several else 'predicts the winners'}: {score}.")
    )
    if Nearness[flat["verdict_key"]] is not Nearness.FURTHER:
        lines.append(Finding(Nothing(table), f"`{best['way']}` does not predict winners detectably better than equal chances."))
    ends = table["plays_fewest"].max(), table["plays_most"].max()
    needed, decide = games_words(*ends, "plays"), [float(number) for number in map(playable, ends) if number]
    text = f"{needed[0].upper()}{needed[1:]}{' would decide it' if 'no number' not in needed else ''}."
    return [*lines, Finding(AsMeasured(table, beside=decide), text)]


def weighed(table: pd.DataFrame, ways: Mapping[str, float]) -> list[Finding]:
    """Say which leader has the highest estimate from plays and simulation together, and the weights of the two."""
    estimated = table[table["estimated_rate"].notna()]
    weight = 100 * float(np.average(estimated["weight"], weights=np.maximum(estimated["n"], 1)))
    shares = listed(f"`{way}` {100 * share:.0f}%" for way, share in sorted(ways.items(), key=lambda item: -item[1]))
    top = estimated.iloc[0]
    own = f"{100 * top['estimated_rate']:.0f}% [{100 * top['estimated_rate_low']:.0f}, {100 * top['estimated_rate_high']:.0f}]"
    texts = [
        f"Plays and simulation together: {top['leader']} has the highest estimate, {own} at tables of {top['players']}.",
        f"In these estimates the plays weigh {weight:.0f}%, the simulation {100 - weight:.0f}%.",
        *([f"Within the simulation the strategies weigh: {shares}."] if len(ways) > 1 else []),
    ]
    claim = AsMeasured(estimated, beside=[weight, 100 - weight, *ways.values()])
    return [Finding(claim, text) for text in texts]


def left_out(result: Compared) -> list[Finding]:
    """Say which plays could not be compared, and the notes on the others."""
    lines = [*(f"Left out: {line}." for line in result.left), *(f"Note: {line}." for line in result.notes)]
    return quoted(lines, Limit)


def people_table(result: Compared) -> pd.DataFrame:
    """Return the leaders with people's rate, each way's at the same tables as text, and the estimate."""
    leaders, estimates = result.tables[LEADERS], result.tables[ESTIMATES]
    first = leaders[leaders["way"] == result.ways[0]]
    frame = first[["leader", "n", "win_rate", "win_rate_low", "win_rate_high", "fair_share"]]
    for way in result.ways:
        own = leaders[leaders["way"] == way]
        marks = np.where(having(own, DIFFERENT), "*", "")
        frame = frame.assign(
            **{way: [f"{100 * rate:.1f}%{mark}" for rate, mark in zip(own["expected_rate"], marks, strict=True)]}
        )
    both = estimates[["leader", "estimated_rate", "estimated_rate_low", "estimated_rate_high", "weight"]]
    whole = frame.merge(both, on="leader").sort_values("estimated_rate", ascending=False, kind="stable", ignore_index=True)
    return whole.assign(weight=[f"{100 * weight:.0f}%" for weight in whole["weight"]])


def kept(result: Compared, plays: Plays, line: str = "") -> KeptAnswer:
    """Return the answer as it is kept; `line` is its command."""
    sizes = listed(f"{n:,} of {players}" for players, n in result.sizes.items())
    rules = plays.manifest["ruleset"]
    facts = {
        "rules": f"{rules['name']}, SHA-256 {rules['digest']}", "players": listed(result.sizes, "or"),
        "compared": f"{counted(result.plays, 'play')} ({sizes})",
        "strategies": ", ".join(result.ways), "plays": str(plays.path),
    }  # fmt: skip
    texts = [sentence.text for sentence in sentences(result)]
    title = f"People beside {listed(result.ways)}"
    return KeptAnswer(COMMAND, title, facts, result.tables, texts, plays.box, line, {"limit": LIMIT})


# --- The page of `newdawn plays compare`, and the chapter of a report (`report --beside PLAYS`)

CHAPTER = "What was found"
BESIDE = "Real plays"
MARKS = "Ds^vPX*"  # of the ways in charts
METHOD = (
    "A play is a choice of one winner among the leaders at its table. Each strategy gives every seat a chance, by its own "
    "games of as many players (conditional logit). Agreement is a score test of all leaders together, with people's skill "
    "taken out; single leaders have exact tests [95% all]."
)
POOLING = "Estimates: what a leader is worth to a strategy, and a normal deviation around 0 (mixed by evidence, Laplace)."


def page(kept: KeptAnswer) -> tuple[list[Part], First, tuple[str, ...]]:
    """Return parts, first screen and method of the answer."""
    leaders, tests = kept.tables[LEADERS], kept.tables[AGREEMENT]
    estimates, nearest = _estimates_part(kept.tables[ESTIMATES]), _nearest(kept.tables[NEAREST_WAY])
    parts = [_leaders(leaders), estimates, _agreement_part(tests), nearest]
    differ, alike = (list(map(str, tests.loc[having(tests, some), "way"])) for some in (DIFFERENT, ALIKE))
    verdicts = [
        *([Stands("people's leaders differ", differ, "down")] if differ else []),
        *([Stands(PEOPLE.undecided, alike, "open")] if alike else []),
    ]
    return parts, First(_findings(kept), verdicts=verdicts, chart="people"), (METHOD, POOLING)


def _findings(kept: KeptAnswer) -> list[Finding]:
    """Return the kept sentences as findings."""
    again = {finding.text: finding for finding in from_tables(kept.tables)}
    return [
        again[text] if text in again else quoted([text], Limit if text.startswith(LIMITS) else Quoted)[0]
        for text in kept.sentences
    ]


def chapter(run: Run, folder: Place, others: Sequence[Place]) -> list[Part]:
    """Return the chapter of a run's report on real plays, beside the run and others; raise UserError if they cannot be
    compared."""
    plays = open_plays(folder)
    answer = kept(compare_plays(plays, {str(run.path): run} | {str(other): open_run(other) for other in others}), plays)
    first, *rest = page(answer)[0]
    first = replace(first, findings=lambda frame, source: _findings(answer), method=f"{METHOD} {POOLING}")
    return [replace(part, chapter=BESIDE) for part in (first, *rest)]


def _leaders(frame: pd.DataFrame) -> Part:
    columns = (
        "leader", ("way", "strategy"), ("n", "plays"), ("win_rate", "people win [95%]"),
        ("fair_share", "fair share", "mean over its tables"),
        ("expected_rate", "the strategy would [95%]", "at the same tables"),
        ("points", "difference [95% all]", "percentage points"), "p_adjusted",
        ("detectable", "seen with 80% from", "points: from where people are said to differ"), Column("verdict", kind="text"),
        HINT,
    )  # fmt: skip
    many = frame["leader"].nunique()
    return Part(
        "people", "Leaders: people beside strategies", lambda source: frame, columns, chapter=CHAPTER, rows=300,
        note="People's win rates, and what each strategy would win at the very tables that people sat at.",
        charts=(Chart("people", "Leaders' win rates, people and strategies", "Bars: people, 95% each. Marks: each strategy.",
                      _draw_leaders, lambda shown: 1.5 + 0.36 * many,
                      message=message("points", "People win {word} often with {leader} than `{way}` would")),),
    )  # fmt: skip


def _draw_leaders(frame: pd.DataFrame, ax: Any) -> None:
    ways = list(dict.fromkeys(frame["way"]))
    own = frame[frame["way"] == ways[0]].sort_values("win_rate", ascending=False, kind="stable")
    ends = [100 * own[f"win_rate{end}"] for end in ("", "_low", "_high")]
    plots.forest(ax, [f"{row['leader']} (n = {row['n']:,})" for row in own.to_dict("records")], *ends)
    y = range(len(own))[::-1]
    for k, way in enumerate(ways):
        rates = frame[frame["way"] == way].set_index("leader").loc[own["leader"], "expected_rate"]
        ax.plot(
            100 * rates, [at - 0.18 for at in y], MARKS[k % len(MARKS)], color=plots.MUTED, markersize=5, label=way, zorder=3
        )
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, frameon=False, fontsize="small")
    ax.set_xlabel("win rate, %")


def _estimates_part(frame: pd.DataFrame) -> Part:
    estimated = frame[frame["estimated_rate"].notna()]
    players = int(frame["players"].iloc[0])
    columns = (
        "leader", ("n", "plays"), ("win_rate", "people win [95%]"),
        ("simulated_rate", "simulation", f"at balanced tables of {players}"),
        ("estimated_rate", "both together [95%]", f"at balanced tables of {players}"),
        Column("weight", "weight of the plays", "rate"),
    )  # fmt: skip

    def draw(shown: pd.DataFrame, ax: Any) -> None:
        ends = [100 * shown[f"estimated_rate{end}"] for end in ("", "_low", "_high")]
        plots.forest(ax, list(shown["leader"]), *ends, reference=100 / players, reference_label="fair share")
        ax.plot(
            100 * shown["simulated_rate"], range(len(shown))[::-1], "D", color=plots.MUTED, markersize=5, label="simulation"
        )
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False, fontsize="small")
        ax.set_xlabel(f"win rate at balanced tables of {players}, %")

    return Part(
        "estimates", "Each leader by plays and simulation together", lambda source: estimated, columns, chapter=CHAPTER,
        note="Few plays leave the simulation most of the weight; the more there are, the more people count.",
        charts=(Chart("estimates", "Plays and simulation together", "95% each. Diamonds: the simulation alone.", draw,
                      lambda shown: 1.5 + 0.3 * len(shown)),),
    )  # fmt: skip


def _agreement_part(frame: pd.DataFrame) -> Part:
    columns = (
        ("way", "strategy"), "plays", ("chi2", "χ²"), ("df", "degrees of freedom"), "p_adjusted",
        ("detectable", "seen with 80% from", "points: the least difference of one leader that the test sees"),
        ("skill", "skill", "standard deviation of people's skill, log odds"), Column("verdict", kind="text"),
    )  # fmt: skip
    return Part(
        "agreement", "Do people's leaders win as often?", lambda source: frame, columns, chapter=CHAPTER,
        note="One test over all leaders for each strategy, and the smallest difference that it could have seen.",
    )  # fmt: skip


def _nearest(frame: pd.DataFrame) -> Part:
    columns = (
        ("way", "strategy", f"'{EQUAL}': every seat alike"), "plays",
        Column("chance_of_winner", "chance given to the winner", "rate", "geometric mean"),
        Column("behind", "behind the best [95% all]", "ratio", "mean difference of the logarithms"),
        Column("plays_fewest", "plays that would decide", "count", "at least, with 80%"), Column("verdict", kind="text"),
    )  # fmt: skip
    return Part(
        "nearest", "Which strategy predicts the winners best?", lambda source: frame, columns, chapter=CHAPTER,
        note="The strategy that gave the winners of people's plays the largest chance is nearest to people.",
    )  # fmt: skip
