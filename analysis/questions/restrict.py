"""Restrict: what is a part of the game worth to a player who does without it?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError, with_sign
from ...simulator.rules.ruleset_contents import written
from ...strategies import profiles, registry
from ...strategies.planning import restrictions
from ...strategies.registry import Strategy
from ..pages import plots
from ..pages.chart_messages import message
from ..pages.report_parts import HINT, Chart, Column, Finding, Part
from ..pages.screen_parts import First
from ..pages.sentences import FOUND_CHAPTER, PAIRED, Made, _changes, by_verdict, more_games, of_row, quoted, unfinished_findings
from ..stats.claims import Limit, Quoted
from ..stats.inference import ALL, ENDS
from ..stats.verdicts import CHANGE, DIFFERENT, HIGHER, LOWER, Verdict, having, read, verdict_of
from ..tables.kept_answers import KeptAnswer, open_kept
from ..tables.paired_figures import UNFINISHED_COLUMNS, Fours, Moments, changes, compared, unfinished_of
from ..tables.read import Run
from . import ladder

# --- Restricted play: what a player loses by doing without a part of the game
#
# After A. Jaffe and others, "Evaluating competitive game balance with restricted play", AIIDE 2012. Every game is played
# twice on the same seed: one seat, which rotates, plays with a restriction or without, all others play without. The loss is
# the difference of that seat's share of the wins, compared game by game as two rulesets are (`analysis.questions.compare`). The
# player is otherwise the same, with the same weights and network: it has not learned to do without, so the loss is an upper
# bound for one that has.
#
# Two such tables can stand beside each other (`side_by_side`): by other rules, or by players who have trained for their
# restriction. Both are played on the same seeds and compared game by game.

FREE = ""  # no restriction
SHARES = ("share", "share_low", "share_high", "restricted", "restricted_low", "restricted_high")
KEPT = (*SHARES, *(f"points{end}" for end in ENDS))
JUDGED = ("p", "p_adjusted", "margin", "small_sample", "verdict", "verdict_key", "certainty", "games_fewest", "games_most")
COLUMNS = ("restriction", "meaning", "n", *KEPT, *JUDGED, *UNFINISHED_COLUMNS)
UNTRAINED = "looking ahead"  # a player without it does not use a network, so there is nothing to train


@dataclass(frozen=True)
class RestrictedWins:
    """What a seat wins, game by game (NaN: nobody won), by restriction, FREE included."""

    shares: Mapping[str, np.ndarray]

    @property
    def names(self) -> list[str]:
        """The restrictions."""
        return [name for name in self.shares if name != FREE]

    def figures(self, names: Sequence[str]) -> np.ndarray:
        """Return (games, names, 2): the share of the win with each restriction, and whether the game was decided."""
        won = np.stack([self.shares[name] for name in names], axis=1)
        return np.stack([np.nan_to_num(won), ~np.isnan(won)], axis=2).astype(float)


def agendas_of(r: Any) -> list[str]:
    """Return the agendas on the victory cards of the rules, by their codes."""
    names, codes = written(r, "agenda"), np.unique(r.agenda_name)
    return [names[code] for code in codes[codes >= 0]]


def check(wanted: Sequence[str], r: Any, where: str) -> None:
    """Raise UserError, beginning with `where`, if a name is not a restriction under the rules, or is named twice."""
    for name in wanted:
        profiles.check_restrictions([name], where, agendas_of(r))
        if not name.startswith(restrictions.AGENDA) and name not in restrictions.valid_in(r.box):
            raise UserError(
                f"{where}: {name}: none in the {names.BOXES[r.box]} game; expected {', '.join(restrictions.valid_in(r.box))}"
            )
    if len(set(wanted)) < len(wanted):
        raise UserError(f"{where}: names a restriction twice")


def player(name: str) -> Strategy:
    """Return the strategy of the name as one that heeds restrictions; raise UserError if it cannot."""
    strategy = registry.find(name)
    profile = strategy.resolved()
    if profile is None or strategy.function not in registry.HEEDS:
        expected = "planner, adept, thinker, master or a profile like them"
        raise UserError(f"strategy {name}: does not support restrictions; expected {expected}")
    return registry.of_profile(strategy.name, replace(profile, function=registry.HEEDS[strategy.function]))


def restrict(player: Strategy, names: Sequence[str]) -> Strategy:
    """Return the player with restrictions, under a name of its own."""
    profile = player.resolved()
    assert profile is not None
    restricted = [*profile.restrictions, *(name for name in names if name not in profile.restrictions)]
    profiles.check_restrictions(restricted, f"strategy {player.name}", restrictions.ignored_agendas(restricted))
    changed = replace(profile, restrictions=restricted)
    return replace(player, name=f"{player.name} without", own=registry.as_text(asdict(changed)))


def without_each(player: Strategy, names: Sequence[str]) -> dict[str, Strategy]:
    """Return the player without a restriction, and with each of them."""
    return {name: restrict(player, [name] if name != FREE else []) for name in (FREE, *names)}


def play(
    r: Any, seats: Mapping[str, Strategy], others: Strategy, *, players: int, games: int, seed: int, jobs: int = 1,
    say: Callable[[str], None] = lambda text: None,
) -> RestrictedWins:  # fmt: skip
    """Return what each player in `seats` (by restriction) wins against tables of `others`."""
    shares = {}
    for name, strategy in seats.items():
        say(f"without {name}" if name != FREE else "without a restriction")
        shares[name] = ladder.meet(r, strategy, others, players=players, games=games, seed=seed, jobs=jobs, nobody=np.nan)
    return RestrictedWins(shares)


def restricted(
    r: Any, player: Strategy, names: Sequence[str], *, players: int, games: int, seed: int, jobs: int = 1,
    say: Callable[[str], None] = lambda text: None,
) -> pd.DataFrame:  # fmt: skip
    """Return what the player loses by each restriction (`table`)."""
    return table(play(r, without_each(player, names), player, players=players, games=games, seed=seed, jobs=jobs, say=say))


def table(won: RestrictedWins) -> pd.DataFrame:
    """Return one row per restriction.

    Columns: restriction, meaning, n (pairs), share (without a restriction) and restricted (share with it) with Wilson's 95%
    intervals, points (their difference in percentage points, restricted less free) with points_low and points_high (95%), p,
    p_adjusted, points_all_low and points_all_high (for the whole table together), margin, small_sample, and the verdict on
    the difference (`answer.judged`). Both games of a pair have the same seed, and the seat that is restricted in one is counted
    in both; only decided games count.
    """
    moments = Moments.empty(len(won.names))
    moments.add(won.figures([FREE] * len(won.names)), won.figures(won.names))
    differences = compared(moments, figures=[("restrictions", name) for name in won.names])
    parts = [[value for which in (FREE, name) for value in _with_interval(won.shares[which])] for name in won.names]
    shares = pd.DataFrame(parts, columns=SHARES).assign(
        **unfinished_of([won.shares[FREE]] * len(won.names), [won.shares[name] for name in won.names])
    )
    return _rows(differences, "difference", "points", moments.n).assign(**shares)[list(COLUMNS)]


def _rows(differences: pd.DataFrame, size: str, points: str, n: int) -> pd.DataFrame:
    """Return differences of shares as rows of restrictions, in percentage points; columns `size` are renamed `points`."""
    ends = {f"{size}{end}": f"{points}{end}" for end in ("", "_all_low", "_all_high")}
    frame = differences.rename(columns={"figure": "restriction", "low": f"{points}_low", "high": f"{points}_high"} | ends)
    scaled = {f"{points}{end}": 100 * frame[f"{points}{end}"] for end in ENDS} | {"margin": 100 * frame["margin"]}
    return frame.assign(meaning=frame["restriction"].map(restrictions.meaning), n=n, **scaled)


def _with_interval(shares: np.ndarray) -> tuple[float, float, float]:
    """Return the mean of shares of decided games, and Wilson's interval of it."""
    mean = ladder.share(shares[~np.isnan(shares)])
    return (mean.share, *mean.interval())


def side_by_side(a: RestrictedWins, b: RestrictedWins) -> pd.DataFrame:
    """Return two tables of the same restrictions and seeds beside each other, and what B changes of each loss.

    Columns: restriction, meaning, n; those of `table` that KEPT names, once with `a_` and once with `b_` before the name
    (the intervals `_all_` hold for each table together); change (points of B less those of A) with change_low and change_high
    (95%), p, p_adjusted, change_all_low and change_all_high (for all changes together), margin, small_sample, and the verdict
    on the change (`answer.judged`).
    """
    fours, free = Fours.empty(len(a.names)), [FREE] * len(a.names)
    fours.add([won.figures(names) for won in (a, b) for names in (free, a.names)])
    losses = _rows(changes(fours, [("restrictions", name) for name in a.names]), "change", "change", fours.unaware.n)
    for key, frame in (("a", table(a)), ("b", table(b))):
        losses = losses.assign(**{f"{key}_{name}": frame[name] for name in KEPT})
    columns = [f"{key}_{name}" for key in "ab" for name in KEPT]
    return losses[["restriction", "meaning", "n", *columns, *(f"change{end}" for end in ENDS), *JUDGED]]


# --- Sentences on the rows, by the intervals that hold for the whole table, and answers to questions of designers

WAR, WONDERS, SKILL = "Is war necessary?", "Can one win without world wonders?", "How much is skill, how much is luck?"
QUESTIONS = {"attacks": WAR, "world wonders": WONDERS, "looking ahead": SKILL}
# How much of the chance to win depends on a part of the game: more than half, less, either of these, it costs; open.
MOST, SOME, EITHER, GAIN, OPEN = "most", "some", "either", "gain", "open"
ANSWERS = {
    WAR: {
        MOST: "For these players, yes", SOME: "It helps, for less than half of the wins",
        EITHER: f"It helps; whether by half is {CHANGE.undecided}", GAIN: "No", OPEN: CHANGE.undecided.capitalize(),
    },
    WONDERS: {
        MOST: "Hardly", SOME: "Yes, but less often", EITHER: f"Less often; whether half as often is {CHANGE.undecided}",
        GAIN: "Yes, even more often", OPEN: "No detectable difference",
    },
}  # fmt: skip
LEFT = "What a player wins without looking ahead is luck and plain good play; these rows cannot separate the two"

CONTROL = (
    "Trained as long without a restriction, it wins {after:.1%} of its games instead of {before:.1%}. Losses after training "
    "are measured against that."
)
CHANCE = (
    "The intervals cover the chance of the games, not that of the trainings: there is one training each, and another seed "
    "trains another player."
)


def points(row: Any, name: str) -> str:
    """Return a difference in percentage points with the interval that holds for the whole table."""
    value, low, high = (row[f"{name}{end}"] for end in ALL)
    return f"{with_sign(value)} points [{with_sign(low)}, {with_sign(high)}]"


def size(row: Any, name: str) -> str:
    """Return the size of a difference without its sign, with its interval."""
    low, high = row[f"{name}_all_low"], row[f"{name}_all_high"]
    low, high = (-high, -low) if row[name] < 0 else (low, high)
    return f"{abs(row[name]):.1f} points [{low:.1f}, {high:.1f}]"


def whom(row: Any, players: int) -> str:
    """Return whom a row is about."""
    return f"Of {players} players, one who {restrictions.meaning(row['restriction'])}"


def sentence(row: Any, players: int) -> str:
    """Return the sentence on a row of `table`."""
    start = whom(row, players)
    if verdict_of(row) is Verdict.NOT_COMPARED:
        return f"{start} has played too few games to be compared: {points(row, 'points')}."
    if verdict_of(row) not in DIFFERENT:
        return f"{start} does not win detectably more or less often: {points(row, 'points')}."
    return f"{start} {'loses' if row['points'] < 0 else 'gains'} {size(row, 'points')} of its chance to win."


def beside(row: Any, players: int, a: str, b: str) -> str:
    """Return the sentence on a row of `side_by_side` of rulesets A and B."""
    start = f"{whom(row, players)}: {with_sign(row['a_points'])} points of its chance to win under {a}, "
    start += f"{with_sign(row['b_points'])} under {b}."
    if verdict_of(row) is Verdict.NOT_COMPARED:
        return f"{start} Too few games were played to compare the two: {points(row, 'change')}."
    if verdict_of(row) not in DIFFERENT:
        return f"{start} The difference is not detectable: {points(row, 'change')}."
    return f"{start} Under {b} doing without costs {size(row, 'change')} {'less' if row['change'] > 0 else 'more'}."


def trained(row: Any, players: int) -> str:
    """Return the sentence on a row of `side_by_side` of players as they are (A), and trained for the restriction (B)."""
    before, after = (with_sign(row[name]) for name in ("a_points", "b_points"))
    start = f"{whom(row, players)}: {before} points of its chance to win, {after} once trained for that."
    if verdict_of(row) not in DIFFERENT:
        return f"{start} Training is not shown to make a difference: {points(row, 'change')}."
    verb = "makes up for" if row["change"] > 0 else "adds"
    return f"{start} Training {verb} {size(row, 'change')}."


def weight(row: Any) -> str:
    """Return how much of the chance to win depends on the part of the game: a key of ANSWERS."""
    if verdict_of(row) not in DIFFERENT:
        return OPEN
    if row["points"] > 0:
        return GAIN
    against_half = read(row["points_all_low"], row["points_all_high"], 0.0, -50 * row["share"])
    return MOST if against_half in LOWER else SOME if against_half in HIGHER else EITHER


def answer(row: Any) -> tuple[str, str] | None:
    """Return the question that a row of `table` answers, and the answer; None if it answers none."""
    question = QUESTIONS.get(row["restriction"])
    if question is None:
        return None
    return question, (skill(row) if question == SKILL else f"{ANSWERS[question][weight(row)]}: {wins(row)}.")


def skill(row: Any) -> str:
    """Return the answer on skill from the row of a player who does not look ahead."""
    if verdict_of(row) not in DIFFERENT:
        return f"Looking ahead is not shown to make a difference: {wins(row)}."
    if row["points"] > 0:
        return f"Looking ahead does not help these players: {wins(row)}."
    return f"Looking ahead is worth {size(row, 'points')}: {wins(row)}. {LEFT}."


def wins(row: Mapping[Any, Any]) -> str:
    """Return what the restricted player wins, and what others win."""
    whose = f"one who {restrictions.meaning(row['restriction'])} wins {row['restricted']:.1%} of its games"
    return f"{whose}, others {row['share']:.1%}: {points(row, 'points')} (n = {row['n']:,} pairs)"


# --- The page of `newdawn restrict`, and the chapter in a report (`newdawn report --restricted`)

CHAPTER = "Restricted play"
COMMAND = "restrict"
TABLE, BESIDE = KEYS = ("restricted", "beside")  # of the tables and of their parts
METHOD = (
    "Restricted play (Jaffe and others, AIIDE 2012): every game is played twice on the same seed, one seat with the "
    "restriction or without. The loss is the mean difference of its share of the win, at most what that part of the game is "
    "worth to it."
)
TRAINED = (
    "Trained players have gone on learning with the restriction, among planners without one; they are measured against the "
    "same player trained as long without it."
)


def chapter(run: Run, folder: Path) -> list[Part]:
    """Return the chapter of a run's report on the answer of `newdawn restrict` in a folder.

    Raises UserError if there is none, or one of other rules or another number of players.
    """
    kept = open_kept(folder)
    if kept is None or kept.command != COMMAND:
        raise UserError(f"{folder}: holds no answer of `newdawn {COMMAND} --out`")
    rules = run.manifest.get("ruleset", {})
    if not kept.facts["rules"].endswith(str(rules.get("digest"))):
        raise UserError(f"{folder}: asked under other rules ({kept.facts['rules']}) than the run's ({rules.get('name')})")
    if kept.players != run.players:
        raise UserError(f"{folder}: games of {kept.players} players; expected {run.players} as in the run")
    return [replace(part_of(kept, CHAPTER), findings=partial(_all_findings, kept=kept), method=" ".join(methods(kept)))]


def _all_findings(frame: pd.DataFrame, source: Any, kept: KeptAnswer) -> list[Finding]:
    """Return the answers to designers' questions, the sentences on the rows, and who played the games."""
    players = quoted([f"All of this holds for games of {kept.facts['strategies']}: {kept.facts['compared']}."], Limit)
    return [*(answers(frame) if TABLE in kept.tables else []), *_sentences(frame, kept), *about_training(kept), *players]


def methods(kept: KeptAnswer) -> Sequence[str]:
    """Return the paragraphs on the method of an answer."""
    return (METHOD, *([TRAINED] if is_trained(kept) else []))


def is_trained(kept: KeptAnswer) -> bool:
    """Return whether an answer also covers players trained for their restrictions."""
    return kept.words.get("kind") == "training"


def answers(frame: pd.DataFrame) -> list[Finding]:
    """Return the answers of the rows to the questions that designers ask."""
    answers = [(answer(row), row) for row in frame.to_dict("records")]
    return [of_row(row, " ".join(answer)) for answer, row in answers if answer is not None]


def about_training(kept: KeptAnswer) -> list[Finding]:
    """Return the sentences on training of an answer by trained players: its effect, and its uncertainty."""
    texts = kept.sentences[len(kept.tables[BESIDE]) :] if is_trained(kept) else []
    return [finding for text in texts for finding in quoted([text], Limit if text == CHANCE else Quoted)]


def kept_sentence(row: Any, kept: KeptAnswer) -> str:
    """Return the sentence on a row of either table."""
    if TABLE in kept.tables:
        return sentence(row, kept.players)
    if is_trained(kept):
        return trained(row, kept.players)
    return beside(row, kept.players, kept.words["a"], kept.words["b"])


def part_of(kept: KeptAnswer, chapter: str) -> Part:
    """Return the part on the table of an answer."""
    return _losses(kept, chapter) if TABLE in kept.tables else _both(kept, chapter)


def _losses(kept: KeptAnswer, chapter: str) -> Part:
    columns = (
        "restriction", "meaning", ("n", "pairs of games"), ("share", "wins without a restriction [95%]"),
        ("restricted", "wins with it [95%]"), ("points", "difference, points [95% all]", "change of the chance to win"),
        "p_adjusted", "verdict", HINT,
    )  # fmt: skip
    return Part(
        "restricted", "What doing without costs", lambda source: kept.tables[TABLE], columns, chapter=chapter,
        note="What one seat's chance to win changes by when its player does without a part of the game.",
        charts=(Chart(
            "restricted", "Change of the chance to win without it", "Percentage points, 95% for all rows; filled: not zero.",
            partial(_draw, sizes=("points",), marks=("",)), lambda frame: 1.1 + 0.24 * len(frame),
            message=message("points", "Doing without {restriction} {word} {size} points of winning chance", "gains", "costs"),
        ),),
        findings=lambda frame, source: _sentences(frame, kept),
    )  # fmt: skip


def _both(kept: KeptAnswer, chapter: str) -> Part:
    a, b = kept.words["a"], kept.words["b"]
    columns = (
        "restriction", "meaning", ("n", "pairs of games"), Column("a_points", f"{a}: difference, points [95% all]", "points"),
        Column("b_points", f"{b}: difference, points [95% all]", "points"),
        Column("change", f"{b} minus {a} [95% all]", "points", "difference of the differences"), "p_adjusted", "verdict", HINT,
    )  # fmt: skip
    return Part(
        "beside", "What doing without costs", lambda source: kept.tables[BESIDE], columns, chapter=chapter,
        note=f"What one seat's chance to win changes by when its player does without a part of the game: {a}, and {b}.",
        charts=(Chart(
            "beside", f"Change of the chance to win: {a}, {b}",
            f"Percentage points, 95% for all rows of each; below each: {b}; filled: {b} changes it.",
            partial(_draw, sizes=("a_points", "b_points"), marks=("", b)), lambda frame: 1.1 + 0.44 * len(frame),
            message=message("change", f"Doing without {{restriction}} costs {{size}} points {{word}}: {b}", "less", "more"),
        ),),
        findings=lambda frame, source: _sentences(frame, kept),
    )  # fmt: skip


def _sentences(frame: pd.DataFrame, kept: KeptAnswer) -> list[Finding]:
    return [of_row(row, kept_sentence(row, kept)) for row in _asked(frame, kept).to_dict("records")]


def _asked(frame: pd.DataFrame, kept: KeptAnswer) -> pd.DataFrame:
    """Return the rows with what their sentences name besides: how many play, and the rulesets."""
    return frame.assign(players=kept.players, a=kept.words.get("a", ""), b=kept.words.get("b", ""))


def _draw(frame: pd.DataFrame, ax: Any, sizes: tuple[str, ...], marks: tuple[str, ...]) -> None:
    """Draw the sizes of each row, one below the other, with the intervals that hold together."""
    shown = frame.sort_values(sizes[0], ascending=False, kind="stable")
    labels = [mark or str(name) for name in shown["restriction"] for mark in marks]
    ends = [np.stack([shown[f"{name}{end}"] for name in sizes], axis=1).ravel() for end in ALL]
    plots.forest(ax, labels, *ends, filled=np.repeat(having(shown, DIFFERENT), len(sizes)), reference=0)
    ax.set_xlabel("percentage points of the chance to win")


def _restricted(kept: KeptAnswer) -> Made:
    """Return the page of `newdawn restrict`."""
    part, alone = part_of(kept, FOUND_CHAPTER), TABLE in kept.tables
    frame, size = kept.tables[part.key], "points" if alone else "change"
    nothing = f"None of these {'changes the chance to win' if alone else 'costs differs'} measurably"
    findings = _changes(_asked(frame, kept), lambda row: kept_sentence(row, kept), size, nothing)
    findings = [*(unfinished_findings(frame, "restriction") if alone else []), *(answers(frame) if alone else []), *findings]
    findings += about_training(kept)
    screen = First(findings, verdicts=by_verdict(frame, "restriction"), chart=part.key, steps=more_games(kept, frame))
    return [part], screen, (PAIRED, *methods(kept))
