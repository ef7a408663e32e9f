"""`newdawn adapt`: compare two rulesets by players who have not noticed the change, and by players who have."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ...simulator.errors import counted, listed, with_sign
from . import progress, shared
from .answers import answer_options, check_answer, keep_answer, keeping_games, tell_next, with_commands
from .compare import both_plans, rulesets_of
from .main import continuable
from .shared import PATH, table, tell

CONTROL = "a control: both rulesets are the same, so only the chance of the trainings changes anything"
OTHER_SEED = 101  # added to the seed for each further training


@click.command()
@click.argument("a", type=PATH, metavar="A")
@click.argument("b", type=PATH, metavar="B")
@shared.training("players adapt in each of two trainings under each ruleset", alone=True)
@shared.plan(4_000, "Games under each ruleset.", "Seed of both runs.", least=4)
@shared.box
@shared.map_file
@answer_options
def adapt(
    a: Path, b: Path, budget: float, adapt_games: int | None, training: Path, games: int, seed: int, box: str,
    map_file: Path | None, jobs: int, out: Path | None, how: str, quiet: bool, **settings: Any,
) -> None:  # fmt: skip
    """Compare two rulesets, A and B, by players who have noticed the change, and by players who have not.

    \b
    newdawn adapt printed no_attacks_on_capitals --budget 5
    newdawn adapt printed printed

    A house rule changes how one should play. Learned players (quick, if no strategy is named) are trained further under each
    of the two rulesets, twice, for trainings differ by chance. The comparison is then played twice on the same seeds: by the
    players as they are, and by those who have adapted. A ruleset compared with itself is a control. A and B are named as for
    `newdawn compare`.
    """
    from ...analysis.learning.adapt import Budget
    from ...analysis.pages.sentences import OF_LEADERS
    from ...analysis.questions import adapted as trial

    rulesets = rulesets_of(a, b, map_file, box)
    check_answer(out, [trial.TABLE])
    plans = both_plans(rulesets, games, (seed, seed), settings)
    learning = Learning(plans, Budget(budget, adapt_games), training, jobs, quiet)
    observer = progress.observer(quiet)
    with continuable(training):
        # A control's trainings are all of one ruleset, each with a seed of its own.
        firsts = (0, trial.TRAININGS if is_control(rulesets) else 0)
        sides = [learning.side(*side) for side in zip(rulesets, plans, firsts, strict=True)]
    trained = list(zip(*(adapted for adapted, _ in sides), strict=True))
    with keeping_games(out, rulesets[1]):
        answers = trial.compare_adapted(plans, trained, rulesets, plans[0].games, jobs=jobs, observer=observer)
        lines = heading(rulesets, plans, answers, [line for _, line in sides])
        if how == "table":
            tell("\n".join(lines) + "\n")
        click.echo(as_text(answers.frame, how))
        if how == "table":
            tell_next(answers.frame[answers.frame["group"] == "leaders"], OF_LEADERS)
        if out is not None:
            title = f"{rulesets[1].name} against {rulesets[0].name}, before and after players adapt"
            keep_answer(
                out, "adapt", title, rulesets[1], plans[1], {trial.TABLE: answers.frame}, sentences=lines,
                words={"a": str(rulesets[0].name), "b": str(rulesets[1].name)},
                compared=f"{counted(answers.seeds, 'game')} under each, by each kind of players", against=rulesets[0],
            )  # fmt: skip


def is_control(rulesets: tuple[Any, Any]) -> bool:
    """Return whether a ruleset is compared with itself: then only trainings are, which differ by chance alone."""
    return bool(rulesets[0].digest() == rulesets[1].digest())


class Learning:
    """Trains the players of one side after the other."""

    def __init__(self, plans: tuple[Any, Any], budget: Any, folder: Path, jobs: int, quiet: bool) -> None:
        from ...analysis.learning import adapt

        self.strategies = [plans[0].strategy(name) for name in plans[0].strategies]
        self.learned = adapt.learned_by(self.strategies)  # raises errors before anything is played
        self.budget, self.folder, self.jobs, self.say = budget, folder, jobs, progress.Diary(quiet).say
        self.games: dict[adapt.Learned, int] = {}  # of a stage

    def side(self, ruleset: Any, plan: Any, first: int) -> tuple[list[Any], str]:
        """Return the plans of one side with the players of each training, and a line about these.

        `first`: the trainings before these, which have other seeds.
        """
        from ...analysis.learning import adapt
        from ...analysis.questions.adapted import TRAININGS

        made = [self._training(ruleset, plan, number) for number in range(first, first + TRAININGS)]
        course = made[0][1]
        games, places = course.settings.games, listed([str(self.folder / course.folder.name) for _, course, _ in made])
        lessons = " and as many of lessons" if course.settings.lessons else ""
        shares = listed(["{:.1%} [{:.1%}, {:.1%}]".format(share.share, *share.interval()) for *_, share in made])
        line = (
            f"{ruleset.name}: adapted twice by {adapt.STAGES} stages of {counted(games, 'game')}{lessons} "
            f"(--adapt-games {games}), kept in {places}; among {plan.players - 1} who have not noticed "
            f"one who has wins {shares}, n = {made[0][2].n:,} each (fair share {1 / plan.players:.1%})"
        )
        return [own for own, *_ in made], line

    def _training(self, ruleset: Any, plan: Any, number: int) -> tuple[Any, Any, Any]:
        """Return the plan with the players of one training, its course, and how often one of them wins among the originals."""
        from ...analysis.learning import adapt

        trained = {}
        for learned in self.learned:
            settings = {"players": plan.players, "seed": plan.seed + OTHER_SEED * number, "jobs": self.jobs}
            course = adapt.course_of(ruleset, learned, self.budget, self.folder, **settings, games=self.games.get(learned))
            self.games[learned] = course.settings.games
            adapt.train(course, lambda text: self.say(f"{ruleset.name}: {text}"))
            trained[learned] = course
        chosen = [adapt.adapted(strategy, trained) for strategy in self.strategies]
        own = tuple(sorted({strategy for strategy in chosen if not strategy.packaged}, key=lambda strategy: strategy.name))
        self.say(f"{ruleset.name}: judging")
        share = adapt.judge(course, self.strategies, trained, min(plan.games, adapt.JUDGED))
        return replace(plan, strategies=tuple(strategy.name for strategy in chosen), own=own), course, share


def heading(rulesets: Any, plans: Any, answers: Any, trainings: list[str]) -> list[str]:
    """Return what was compared, how players were trained, and whether adapting changes the answer."""
    from ...analysis.questions import adapted as trial
    from ...analysis.stats.verdicts import DIFFERENT, having

    changed = {name: int(having(answers.frame, DIFFERENT, f"{name}_verdict").sum()) for name in trial.KINDS}
    total = {name: int(answers.frame[f"{name}_difference"].notna().sum()) for name in trial.KINDS}
    stopped = "; stopped early by hand: results are biased if you chose the moment by them" if answers.stopped else ""
    return [
        f"A = {rulesets[0].name}, B = {rulesets[1].name}; players: {', '.join(dict.fromkeys(plans[0].strategies))}",
        f"{counted(answers.seeds, 'game')} under each by each kind of players, on the same seeds{stopped}",
        *trainings,
        *([CONTROL] if is_control(rulesets) else []),
        f"players who have not noticed: {changed[trial.UNAWARE]} of {total[trial.UNAWARE]} figures are raised or lowered; "
        "players who have adapted: "
        f"{changed[trial.ADAPTED]} of {total[trial.ADAPTED]} (5% for any false finding in each answer)",
        trial.sentence(answers.frame),
        trial.training_words(answers.frame),
    ]


def as_text(frame: Any, how: str) -> str:
    """Return both answers side by side in the format; CSV and JSON hold every column in full."""
    import pandas as pd

    from ...analysis.questions import adapted as trial
    from ...analysis.stats.verdicts import verdict_words
    from ...analysis.tables import paired_figures

    if how in ("csv", "json"):
        return table(with_commands(frame), how)
    rows = []
    for row in frame.to_dict("records"):
        scale = 1 if row["figure"] == paired_figures.ROUNDS else 100
        cells = {"figure": row["figure"]}
        for name, label in ((trial.UNAWARE, "not noticed"), (trial.ADAPTED, "adapted")):
            values = [f"{scale * row[f'{name}_{side}']:.1f}" if row[f"n_{side}"] else "-" for side in ("a", "b")]
            cells[f"A → B, {label}"] = " → ".join(values)
            cells[f"difference, {label}"] = _size(*(scale * row[f"{name}_difference{end}"] for end in trial.ALL))
        cells |= {
            "adapting changes it by": _size(*(scale * row[f"change{end}"] for end in trial.ALL)),
            "n": f"{row['n_a']:,}" if row["n_a"] == row["n_b"] else f"{row['n_a']:,}/{row['n_b']:,}",
            "verdict": verdict_words(row),
            "certainty": row["certainty"],
        }
        rows.append(cells)
    return table(pd.DataFrame(rows), how)


def _size(value: float, low: float, high: float) -> str:
    """Return a difference with the interval that holds for all figures; '-' without one."""
    return "-" if value != value else f"{with_sign(value)} [{with_sign(low)}, {with_sign(high)}]"
