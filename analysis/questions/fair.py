"""Fair table: which leaders, and which head start, give everybody at the table the same chance to win?

Each person is represented by a strategy that is about as good (`LEVELS`). First these play with leaders drawn from all that
may be chosen, and a model of the games (`tables.logit`) predicts every way to deal out the leaders. The evenest deals are
played. While someone is more than the margin off the fair share, the weakest gets a head start, one thing after the other
(`GIFTS`). The best table is played again on fresh seeds, and only these games are reported, since the best of several looks
better than it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from math import perm
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError, counted, listed, named, with_sign
from ...simulator.rules.load import Ruleset, with_overlay
from ...simulator.rules.ruleset_contents import slug
from ...simulator.runs.run import Observer, Silent
from ...simulator.runs.run_plan import MAX_SEED, Plan, available_leaders, check_number, check_players, plan_by
from ...strategies import registry
from ...strategies.registry import Strategy
from ..pages import plots
from ..pages.report_parts import Chart, Finding, Part
from ..pages.screen_parts import First
from ..pages.sentences import by_verdict, more_games, of_row, quoted
from ..stats.claims import Claim, Limit, Stand, Undecided
from ..stats.inference import ENDS
from ..stats.verdicts import FAR, STRENGTH, Verdict, far, having, judged, verdict_of
from ..tables.kept_answers import FAIR, KeptAnswer
from ..tables.leader_strength import plain_strengths
from ..tables.logit import chances, fit_logit, outcomes
from . import ladder

# --- Who sits at the table

# How good a person is, and the strategy that represents it.
LEVELS = {"strong": registry.DEFAULT, "average": "planner", "beginner": "builder"}
AVERAGE = "average"
MARGIN = 3.0  # points off the fair share that people hardly notice
TRIED = 3  # deals that are played
SCOUT, TRIAL = 2, 4  # one game in this many has leaders drawn, or is played at each table that is tried
WITHOUT_GAIN = 3  # the search ends after this many head starts in a row without a fairer table
MOST_DEALS = 200_000  # deals compared; of more, this many are drawn
LEAST = 500  # games of each table that is tried
# Head start N gives the first N of these to the leader's player before the first turn.
GIFTS = (
    *("trade_tokens",) * 3, "control_tokens", "control_tokens", "resources", "cities", "technology_levels", "control_tokens",
    "wonders", "cities", "technology_levels",
)  # fmt: skip
GIFT_WORDS = {
    "trade_tokens": ("trade token",), "control_tokens": ("control token",), "resources": ("resource",),
    "cities": ("city", "cities"), "technology_levels": ("technology level",), "wonders": ("world wonder",),
}  # fmt: skip


@dataclass(frozen=True)
class Person:
    """A person at the table: a name, and the strategy that represents it."""

    name: str
    player: Strategy

    @classmethod
    def of(cls, word: str) -> Person:
        """Return the person of a word such as 'Ann', 'Ann:strong' or 'Ann:planner'; raise UserError for another."""
        name, _, level = (part.strip() for part in word.partition(":"))
        if not name:
            raise UserError(f"--players: '{word}' has no name; expected NAME or NAME:LEVEL, such as Ann:strong")
        levels = [*LEVELS, *registry.packaged()]
        player = named("level", level or AVERAGE, levels, f"--players: {name}")
        return cls(name, registry.find(LEVELS.get(player, player)))


def persons(words: Sequence[str]) -> tuple[Person, ...]:
    """Return the people at the table; raise UserError if a name comes twice."""
    people = tuple(Person.of(word) for word in words)
    names = [person.name for person in people]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise UserError(f"--players: {twice} is named twice; expected each person once")
    return people


# --- A table that may be fair


@dataclass(frozen=True)
class FairTable:
    """Who plays which leader, and the head start of each (how many of GIFTS)."""

    people: tuple[Person, ...]
    leaders: tuple[str, ...]
    steps: tuple[int, ...]

    @property
    def overlay(self) -> dict[str, Any]:
        """The house rule that gives the head starts."""
        bonuses = {
            slug(leader): {"start_bonus": dict(Counter(GIFTS[:step]))}
            for leader, step in zip(self.leaders, self.steps, strict=True)
            if step
        }
        return {"leaders": bonuses} if bonuses else {}

    def with_step(self, at: int) -> FairTable:
        """Return the table with one more of GIFTS for a person."""
        return replace(self, steps=tuple(step + (place == at) for place, step in enumerate(self.steps)))


def plan_of(table: FairTable, ruleset: Ruleset, games: int, seed: int) -> Plan:
    """Return the plan of games at a table: seats rotate, leaders with their people."""
    seats = [person.player for person in table.people]
    return plan_by(ruleset.compile(), players=len(seats), games=games, seed=seed, leaders=list(table.leaders), strategies=seats)


def play(
    table: FairTable,
    ruleset: Ruleset,
    games: int,
    seed: int,
    jobs: int,
    observer: Observer | None = None,
    margin: float = MARGIN,
) -> pd.DataFrame:
    """Play a table and return one row per person.

    Columns: person, player, leader, head_start (words), n (decided games), win_rate, points (above the fair share) with
    intervals (its own, and the one that holds for all persons together), and the verdict against the margin (`answer.judged`).
    """
    rules = with_overlay(ruleset, table.overlay, "head start") if table.overlay else ruleset
    plan, r = plan_of(table, rules, games, seed), rules.compile()
    frame = plain_strengths(_played(plan, r, jobs, observer)).set_index("leader").reindex(list(table.leaders)).reset_index()
    columns = ["leader", "decided", "fair_share", "p", "p_adjusted", "small_sample"]
    columns += [f"{name}{end}" for name in ("adjusted_rate", "points") for end in ENDS]
    frame = frame[columns].rename(columns=lambda name: name.replace("adjusted_rate", "win_rate").replace("decided", "n"))
    frame.insert(0, "person", [person.name for person in table.people])
    frame.insert(1, "player", [person.player.name for person in table.people])
    frame.insert(3, "head_start", [head_start(step) for step in table.steps])
    return judged(frame.assign(margin=margin), "points", margin, games, STRENGTH)


def head_start(step: int) -> str:
    """Return what a head start gives, in words; '' for none."""
    return listed([counted(n, *GIFT_WORDS[what]) for what, n in Counter(GIFTS[:step]).items()]) if step else ""


def _played(plan: Plan, r: Any, jobs: int, observer: Observer | None) -> Any:
    """Play games and return their tables."""
    watcher = observer or Silent()
    watcher.begin(plan.games, 0)
    try:
        return ladder.played(plan, r, ladder.play(plan, r, jobs, watcher))
    finally:
        watcher.end()


# --- The search


@dataclass(frozen=True)
class Proposal:
    """The table proposed, its figures on fresh games, and how many tables were tried."""

    table: FairTable
    frame: pd.DataFrame
    tried: int


def deals(
    people: Sequence[Person], leaders: Sequence[str], ruleset: Ruleset, *, games: int, seed: int, margin: float = MARGIN,
    jobs: int = 1, observer: Observer | None = None,
) -> list[tuple[str, ...]]:  # fmt: skip
    """Return the evenest ways to deal out the leaders by a model of games with leaders drawn, the best first."""
    r, seats = ruleset.compile(), [person.player for person in people]
    plan = plan_by(r, players=len(seats), games=games, seed=seed, leader_pool=list(leaders), strategies=seats)
    factors = ["leader", "order", *(["strategy"] if len({seat.name for seat in seats}) > 1 else [])]
    data = outcomes(_played(plan, r, jobs, observer), factors, cards=False)
    fit = fit_logit(data, factors)
    worth = np.zeros(len(seats))
    if "strategy" in factors:
        worth = fit.effects("strategy")[0][[data.levels["strategy"].index(seat.name) for seat in seats]]
    names, effects = data.levels["leader"], fit.effects("leader")[0]
    every = _every_deal(len(names), len(seats), seed)
    utility = effects[every] + worth
    # A head start can help whoever is weak: a deal counts as even as it is with them lifted to the median.
    lifted = np.maximum(utility, np.median(utility, axis=1, keepdims=True))
    off, off_lifted = (100 * np.abs(chances(values) - 1 / len(seats)).max(axis=1) for values in (utility, lifted))
    order = np.lexsort((off_lifted, np.where(off > margin, np.inf, off)))[:TRIED]
    return [tuple(names[code] for code in every[place]) for place in order]


def _every_deal(leaders: int, seats: int, seed: int) -> np.ndarray:
    """Return all ways to deal out leaders, shape (deals, seats), by codes; a random sample if there are too many."""
    if perm(leaders, seats) <= MOST_DEALS:
        return np.array(list(permutations(range(leaders), seats)))
    rng = np.random.default_rng(seed)
    return np.array([rng.permutation(leaders)[:seats] for _ in range(MOST_DEALS)])


def fair(
    people: Sequence[Person], ruleset: Ruleset, *, leaders: Sequence[str] | None = None, games: int, seed: int, jobs: int = 1,
    margin: float = MARGIN, observer: Observer | None = None, say: Callable[[str], None] = lambda text: None,
) -> Proposal:  # fmt: skip
    """Return the evenest table, played on fresh seeds; raise UserError for what cannot be played.

    `leaders`: which may be chosen (default: all of the rules).
    """
    r = ruleset.compile()
    check_players(len(people), r)
    check_number("seed", seed, 0, MAX_SEED - 2)
    available = available_leaders(r)
    chosen = list(dict.fromkeys(named("leader", name, available, "--leaders") for name in leaders or available))
    if len(chosen) < len(people):
        raise UserError(f"--leaders: {counted(len(chosen), 'leader')} for {len(people)} people; expected one each, or more")
    means: dict[str, Any] = {"jobs": jobs, "observer": observer}
    trial_games = max(LEAST, games // TRIAL)
    tried: list[tuple[float, FairTable, pd.DataFrame]] = []

    def attempt(table: FairTable, what: str) -> pd.DataFrame:
        say(f"{what}: {counted(trial_games, 'game')}")
        frame = play(table, ruleset, trial_games, seed + 1, margin=margin, **means)
        tried.append((furthest(frame), table, frame))
        return frame

    say(f"leaders drawn by lot: {counted(max(LEAST, games // SCOUT), 'game')}")
    for deal in deals(people, chosen, ruleset, games=max(LEAST, games // SCOUT), seed=seed, margin=margin, **means):
        table = FairTable(tuple(people), deal, (0,) * len(people))
        attempt(table, dealt(table))
    at = best(tried)
    off, table, frame = tried[at]
    while off > margin and len(tried) - best(tried) <= max(TRIED - at, WITHOUT_GAIN):
        weak = int(frame["points"].to_numpy().argmin())
        if table.steps[weak] == len(GIFTS):
            break
        table = table.with_step(weak)
        frame = attempt(table, f"{people[weak].name} begins with {head_start(table.steps[weak])}")
        off = furthest(frame)
    table = tried[best(tried)][1]
    say(f"the best of {counted(len(tried), 'table')}, on fresh seeds: {counted(games, 'game')}")
    return Proposal(table, play(table, ruleset, games, seed + 2, margin=margin, **means), len(tried))


def best(tried: Sequence[tuple[float, FairTable, pd.DataFrame]]) -> int:
    """Return the index of the table at which the person furthest from the fair share is nearest to it."""
    return int(np.argmin([off for off, _, _ in tried]))


def furthest(frame: pd.DataFrame) -> float:
    """Return how far the person furthest from the fair share stands from it, in points."""
    return float(frame["points"].abs().max())


# --- Sentences


def dealt(table: FairTable) -> str:
    """Say who plays which leader, and what each begins with."""
    return "; ".join(
        f"{person.name} plays {leader}{f' and begins with {head_start(step)}' if step else ''}"
        for person, leader, step in zip(table.people, table.leaders, table.steps, strict=True)
    )


STANDS = {
    Verdict.FAR_ABOVE: "more than {margin:g} points above the fair share",
    Verdict.ABOVE: "above the fair share, by more than {margin:g} points or less",
    Verdict.WITHIN: "within {margin:g} points of the fair share",
    Verdict.BELOW: "below the fair share, by more than {margin:g} points or less",
    Verdict.FAR_BELOW: "more than {margin:g} points below the fair share",
    Verdict.UNDECIDED: "whether that is within {margin:g} points of the fair share is open",
    Verdict.NOT_COMPARED: "too few games for a verdict",
}


def sentence(row: Any) -> str:
    """Return the sentence on a row of `play`."""
    rate = f"{row['win_rate']:.1%} [{100 * row['win_rate_all_low']:.1f}, {100 * row['win_rate_all_high']:.1f}]"
    stands = STANDS[verdict_of(row)].format(margin=row["margin"])
    return f"{row['person']} wins {rate} of {row['n']:,.0f} decided games as {row['leader']}: {stands}."


def conclusion(proposal: Proposal) -> Finding:
    """Return the finding on whether the proposed table is fair, and who plays what."""
    frame, who = proposal.frame, dealt(proposal.table)
    margin, claim = f"{frame['margin'].iloc[0]:g} points", concluded(frame)
    off, even = far(frame), having(frame, {Verdict.WITHIN})
    if even.all():
        return Finding(replace(claim, named=[who]), f"Fair within {margin}: {who}.")
    if len(off):
        row = off.iloc[0]
        ends = f"{with_sign(row['points'])} points [{with_sign(row['points_all_low'])}, {with_sign(row['points_all_high'])}]"
        text = f"Nothing fair was found. The evenest table: {who}. {row['person']} still stands {ends} from the fair share."
        return Finding(replace(claim, named=[who]), text)
    open_ones = listed(frame.loc[~even, "person"])
    verb = "stands" if (~even).sum() == 1 else "stand"
    text = f"The evenest table: {who}. These games do not decide whether {open_ones} {verb} within {margin} of the fair share."
    return Finding(replace(claim, named=[who]), text)


def concluded(frame: pd.DataFrame) -> Claim:
    """Return the claim on a table of people: that all stand within the margin, that some do not, or that it is open."""
    off = far(frame)
    if len(off):
        return Stand(off)
    return Stand(frame) if having(frame, {Verdict.WITHIN}).all() else Undecided(frame)


def limit(people: Sequence[Person]) -> str:
    """Return what the figures cannot say of people."""
    represented = listed([f"`{person.player.name}` for {person.name}" for person in people])
    return f"Programs stood for people ({represented}); how good these people are at this game nobody has measured."


# --- The page of `newdawn fair`

COMMAND, TABLE = FAIR
METHOD = (
    "A model of games with leaders drawn by lot says which deals would be even; the evenest are played, and whoever stands "
    "lowest begins with more, step by step. The figures are those of fresh games of the table that came out best. Seats "
    "rotate. Intervals and verdicts hold for all people together (Bonferroni); only decided games count."
)
COLUMNS = (
    "person", ("leader", "plays"), ("head_start", "begins with"), ("player", "stood for by"), ("n", "decided games"),
    ("win_rate", "wins [95% all]"), ("points", "above the fair share, points [95% all]"), "verdict", ("small_sample", "few?"),
)  # fmt: skip


def page(kept: KeptAnswer, chapter: str) -> tuple[list[Part], First, tuple[str, ...]]:
    """Return the parts, the first screen and the method of an answer."""
    frame = kept.tables[TABLE].assign(head_start=lambda frame: frame["head_start"].fillna(""))
    chart = Chart(
        TABLE, "What each person wins", "95% for all together; filled: beyond the margin; dashed: the fair share.", _draw,
        lambda rows: 1.1 + 0.4 * len(rows),
    )  # fmt: skip
    part = Part(
        TABLE, "The table", lambda source: frame, COLUMNS, chapter=chapter, charts=(chart,),
        note="Who plays and begins with what, and how far what each wins is from the fair share.",
    )  # fmt: skip
    claim = replace(concluded(frame), named=[kept.sentences[0]])
    findings = [Finding(claim, kept.sentences[0]), *(of_row(row, sentence(row)) for row in frame.to_dict("records"))]
    findings += quoted([kept.sentences[-1]], Limit)
    headline = re.split("[:.]", kept.sentences[0])[0]
    screen = First(
        findings, headline=headline, verdicts=by_verdict(frame, "person"), chart=TABLE, change="Head starts, as a house rule",
        house_rule=kept.words.get("house_rule", ""), steps=more_games(kept, frame),
    )  # fmt: skip
    return [part], screen, (METHOD,)


def _draw(frame: pd.DataFrame, ax: Any) -> None:
    labels = frame["person"] + " (" + frame["leader"] + ")"
    share = 100 * float(frame["fair_share"].iloc[0])
    plots.column(ax, frame, labels, "win_rate", "win rate, %", filled=having(frame, FAR), scale=100, reference=share)
