"""`newdawn goals`: the few changes that bring a whole game to its goals."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ...simulator.errors import counted
from . import progress, shared
from .answers import check_answer, house_rule, keep_answer
from .main import continuable
from .shared import PATH, output_options, ruleset_of, table, tell

FAIR_GAMES = 250_000  # of a search for all leaders: less than five minutes with planner on two processors


@dataclass(frozen=True)
class AdaptSettings:
    """How long players adapt, and the folder that keeps the trainings."""

    minutes: float
    games: int | None
    folder: Path
    quiet: bool

    def say(self, text: str) -> None:
        """Print a step."""
        if not self.quiet:
            click.echo(text, err=True)


def fair_to_all(
    ruleset: Any, plan: Any, margin: float, globs: tuple[str, ...], empty_abilities: bool, *, fresh: int | None,
    minutes: float | None, most: int | None, out: Path | None, jobs: int, how: str, observer: Any,
) -> None:  # fmt: skip
    """Search for the changes that bring all leaders to their fair shares together; show and keep the answer."""
    from ...analysis.goals.wishes import fair_shares

    globs = globs if globs != ("*",) else ("leaders.*",)
    most = FAIR_GAMES if minutes is None and most is None else most
    goals = fair_shares(
        ruleset, plan.leaders, plan.players, list(dict.fromkeys(plan.strategies)), margin, globs, empty_abilities
    )
    folder = out or Path("results") / f"goals-fair-{plan.players}p-seed{plan.seed}-{ruleset.digest()[:8]}"
    _answer(goals, ruleset, plan.seed, minutes, most, folder, jobs, how, observer, fresh, None)


@click.command()
@click.argument("file", type=PATH, metavar="FILE")
@click.option("--minutes", type=click.FloatRange(0.1), metavar="M", help="How long the search may take.")
@click.option("--all-games", type=click.IntRange(1_000), metavar="N", help="Instead of --minutes: games in all, no more.")
@click.option("--fresh", type=click.IntRange(2), help="Fresh games to confirm each point [default: as the file says].")
@click.option("--adapt", is_flag=True, help="Also play the advised change by players trained under it.")
@shared.training("players adapt to the change")
@shared.seed()
@shared.rules
@click.option("--out", type=PATH, metavar="DIR", help="Folder that keeps the games [default: results/goals-…].")
@shared.jobs
@output_options()
@shared.quiet
@click.pass_context
def goals(
    ctx: click.Context, file: Path, minutes: float | None, all_games: int | None, fresh: int | None, adapt: bool, budget: float,
    adapt_games: int | None, training: Path, seed: int, box: str, rules_files: tuple[Path, ...], map_file: Path | None,
    out: Path | None, jobs: int, how: str, quiet: bool,
) -> None:  # fmt: skip
    """Find the few changes of the rules that meet many wishes, or come nearest.

    \b
    newdawn rules new goals > goals.yaml
    newdawn goals goals.yaml

    The file says what is wanted of the whole game, who plays, and what may change at which price. All games are kept in the
    folder; the same command continues after a stop.
    """
    from ...analysis.goals.wishes import box_of, read_goals

    if ctx.get_parameter_source("box") != ParameterSource.COMMANDLINE:
        box = box_of(file)
    ruleset = ruleset_of(rules_files, map_file, box)
    wishes = read_goals(file, ruleset)
    folder = out or Path("results") / f"goals-{file.stem}-seed{seed}-{ruleset.digest()[:8]}"
    taught = AdaptSettings(budget, adapt_games, training, quiet) if adapt else None
    _answer(wishes, ruleset, seed, minutes, all_games, folder, jobs, how, progress.observer(quiet), fresh, taught)


def _answer(
    goals: Any, ruleset: Any, seed: int, minutes: float | None, most: int | None, folder: Path, jobs: int, how: str,
    observer: Any, fresh: int | None, taught: AdaptSettings | None,
) -> None:  # fmt: skip
    """Search for changes that meet the goals; show and keep the answer."""
    from dataclasses import replace

    import pandas as pd

    from ...analysis.goals.page import TABLES
    from ...simulator.errors import UserError, install

    try:
        from ...analysis.goals.seek import seek
    except ModuleNotFoundError as missing:
        if not str(missing.name).startswith("pymoo"):
            raise
        raise UserError(f"the search for goals needs pymoo; install it with: {install('pymoo')}") from None
    if minutes is not None or most is not None:
        goals = replace(goals, minutes=minutes, games=most)
    check_answer(folder, TABLES)
    with continuable(folder):
        sought = seek(goals, ruleset, seed=seed, out=folder, jobs=jobs, observer=observer, fresh=fresh)
        adapted = pd.DataFrame() if taught is None else _adapted(sought, taught)
    show(sought, adapted, how)
    keep(folder, sought, adapted, seed)


def _adapted(sought: Any, taught: AdaptSettings) -> Any:
    """Train players under the advised point, and return how it does when they play."""
    from ...analysis.goals.seek import adapted
    from ...analysis.learning.adapt import Budget

    n = max(100, sought.course.effort.fresh // 4)
    return adapted(sought, Budget(taught.minutes, taught.games), taught.folder, n, taught.say)


def show(sought: Any, adapted: Any, how: str) -> None:
    """Print the answer: the front as CSV or JSON, or everything for readers."""
    from ...analysis.goals import seek, wishes

    answer = sought.answer
    if how in ("csv", "json"):
        click.echo(table(answer.front, how))
        return
    tell("\n".join([f"{sought.goals.name}: {sought.space.ruleset.name}, played by {', '.join(sought.played_by)}", ""]))
    tell("\n".join(seek.conclusion(sought)))
    point = answer.points[answer.advised]
    if point:
        tell("\n".join(["", "As patch notes:", *(f"- {note}" for note in sought.space.notes(point))]))
        click.echo(f"\nAs a house rule (--rules FILE):\n{house_rule(sought.space.overlay(point))}")
    click.echo(f"\n{table(seek.front_table(answer), how)}\n\n{table(seek.goals_table(answer), how)}")
    tell(wishes.VERDICTS)
    for title, frame in (
        ("Moved beyond its margin, although no goal names it:", seek.moved_table(answer)),
        (f"Played by other strategies (wishes {wishes.MET}, {wishes.MISSED}, {wishes.OPEN}):", seek.held_table(sought.held)),
    ):
        if len(frame):
            click.echo(f"\n{title}\n{table(frame, how)}")
    if len(adapted):
        click.echo(f"\n{seek.adapted_words(adapted)}\n{table(seek.adapted_table(adapted), how)}")
    tell(f"\n{seek.model_words(answer, sought.result)}")


def keep(folder: Path, sought: Any, adapted: Any, seed: int) -> None:
    """Keep the answer for its page and for other programs."""
    import pandas as pd

    from ...analysis.goals import seek
    from ...analysis.goals.games import GoalsTable, plan_of
    from ...analysis.goals.page import TABLES

    answer, space, goals = sought.answer, sought.space, sought.goals
    front = answer.front.assign(house_rule=[house_rule(space.overlay(point)) if point else "" for point in answer.points])
    front = front.assign(advised=front["point"] == answer.advised)
    frames = (front, answer.goals, answer.moved, answer.expected, sought.held, adapted)
    tables = dict(zip(TABLES, frames, strict=True))
    tables = {name: frame if len(frame.columns) else pd.DataFrame({"point": []}) for name, frame in tables.items()}
    plan = plan_of(space.ruleset, GoalsTable(goals.players[0], goals.ways[0]), seed)
    n, places = int(front["n"].iloc[0]), len(sought.course.bands.tables)
    sentences = [*seek.conclusion(sought), *([seek.adapted_words(adapted)] if len(adapted) else [])]
    keep_answer(
        folder, "goals", f"Goals: {goals.name}", space.ruleset, plan, tables,
        sentences=sentences, words={"goals": goals.name, "model": seek.model_words(answer, sought.result)},
        players=sought.played_by, counts=goals.players,
        compared=f"{n:,} fresh games of {len(answer.points) - 1} points and of the rules at {counted(places, 'table')}",
    )  # fmt: skip
