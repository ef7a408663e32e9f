"""`newdawn ways`: the same game played in several ways, and which findings hold for all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ...simulator.errors import UserError
from ...simulator.runs.folder import Place
from ...simulator.wording import counted
from ...strategies.registry import STYLES
from . import shared
from .shared import PLACE, Names, answer_options, check_answer, keep_answer, ruleset_of, table, tell, tell_next, with_commands

TABLES = ("ways", "verdicts")
WAYS = ("quick", *STYLES)  # where none are named
TOGETHER = "+"  # between players who sit down at the same tables by lot


class Counts(click.ParamType):
    """A number of games, or one for each strategy."""

    name = "counts"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """Return the numbers."""
        if isinstance(value, tuple):
            return value
        words = str(value).split(",")
        if not all(word.strip().isdecimal() and int(word) >= 2 for word in words):
            self.fail(f"'{value}': expected a number of games from 2, or one for each strategy, such as 4000,300", param, ctx)
        return tuple(int(word) for word in words)


@click.command()
@click.argument("folders", type=PLACE, nargs=-1, metavar="[RUN]...")
@click.option("--strategies", type=Names(), metavar="A,B,…", help=f"Strategies to compare [default: {','.join(WAYS)}].")
@click.option("--games", type=Counts(), default="2000", show_default=True, metavar="N[,N…]", help="Games of each strategy.")
@shared.players
@shared.seed()
@shared.rules
@shared.round_cap
@answer_options
def ways(
    folders: tuple[Place, ...], strategies: tuple[str, ...] | None, games: tuple[int, ...], players: int, seed: int, box: str,
    rules_files: tuple[Path, ...], map_file: Path | None, round_cap: int, jobs: int, out: Path | None, how: str,
    quiet: bool,
) -> None:  # fmt: skip
    """Play the same game with several strategies, each on all seats, and find what holds for all of them.

    \b
    newdawn ways --strategies planner,warrior,adept --games 4000,4000,1000
    newdawn ways --strategies quick,architect+architect+settler
    newdawn ways results/planners results/adepts

    The main figures (length, first player, leaders, agendas, world wonders, actions of the players) are shown side by side.
    Their intervals hold for all of them together (95%). A figure depends on who plays if two strategies differ by more
    than the margin (2 points, 1 round, 0.5 actions a game); it may also be alike within it, or stay undecided. `over players`
    is the average of the good players, whatever games each has, what another good player would make of it, and who deviates;
    `verdict` is that of the average. Players joined by + sit down at the same tables by lot. Given folders of finished runs of
    the same rules, it compares those and plays nothing.
    `newdawn report RUN --beside RUN2` makes it a chapter of a report.
    """
    from ...analysis.questions import ways as lab
    from ...analysis.tables import ways as by_way

    check_answer(out, TABLES)
    if folders:
        if strategies is not None or rules_files or map_file is not None:
            raise UserError("ways: expected folders of runs, or --strategies (with --rules and --map) to play; got both")
        if out is not None:
            raise UserError("--out: keeps only what is played; for runs, `newdawn report RUN --beside RUN2` writes the chapter")
        runs = lab.open_ways(folders)
        subjects = lab.subjects_of_run(next(iter(runs.values())))
        found = by_way.ways(runs, subjects)
        show(found, by_way.verdicts(found), how)
        return
    from ...analysis.tables.headline import subjects_of

    names = strategies or WAYS
    counts = games * len(names) if len(games) == 1 else games
    if len(counts) != len(names):
        raise UserError(f"--games: {len(counts)} numbers for {len(names)} strategies; expected one, or one for each")
    if len(names) < 2 or len(set(names)) < len(names):
        raise UserError(f"--strategies: {','.join(names)}; expected two or more different strategies")
    ruleset = ruleset_of(rules_files, map_file, box)
    plans = plans_of(ruleset, names, counts, {"players": players, "seed": seed, "round_cap": round_cap})
    found = by_way.ways(played(ruleset, plans, jobs, quiet), subjects_of(ruleset.compile()))
    verdicts = by_way.verdicts(found)
    show(found, verdicts, how)
    if out is not None:
        compared = ", ".join(f"{counted(plan.games, 'game')} of {name}" for name, plan in plans.items())
        keep_answer(
            out, "ways", f"{ruleset.name}: strategies compared", ruleset, next(iter(plans.values())),
            {"ways": found, "verdicts": verdicts}, sentences=lab.sentences(found, verdicts),
            compared=compared, players=list(plans),
        )  # fmt: skip


NAMED = ("strategies", "strategy_pool")


def check_options(names: tuple[str, ...], until_half_width: float | None, settings: dict[str, Any]) -> None:
    """Raise UserError for options of a comparison that do not go together with --ways, or if these are not several."""
    others = {"--until-half-width": until_half_width, **{f"--{name.replace('_', '-')}": settings[name] for name in NAMED}}
    for option, given in others.items():
        if given:
            raise UserError(f"--ways and {option}: expected one of the two")
    if len(names) < 2 or len(set(names)) < len(names):
        raise UserError(f"--ways: {','.join(names)}; expected two or more different strategies")


def compare_ways(
    rulesets: tuple[Any, Any], plans: Mapping[str, tuple[Any, Any]], *, jobs: int, observer: Any, how: str, out: Path | None
) -> None:
    """Compare two rulesets under each strategy, and show and keep which changes hold for all of them."""
    from ...analysis.questions import ways as lab
    from ...analysis.questions.compare import compare
    from ...analysis.tables import ways as by_way

    frames, pairs = {}, 0
    for both in plans.values():
        result = compare(both, rulesets, both[0].games, jobs=jobs, observer=observer, tables=len(plans))
        frames[both[0].strategies[0]], pairs = result.frame, result.pairs
    found = by_way.changes_by_way(frames)
    verdicts = by_way.verdicts(found)
    if how == "table":
        tell(f"A = {rulesets[0].name}, B = {rulesets[1].name}: what B changes, by strategy\n")
    show(found, verdicts, how)
    if out is not None:
        title = f"{rulesets[1].name} against {rulesets[0].name}, by strategy"
        compared = f"{counted(pairs, 'game')} under each ruleset, by each of {len(frames)} strategies"
        plan = next(iter(plans.values()))[1]
        keep_answer(
            out, "compare --ways", title, rulesets[1], plan, {"ways": found, "verdicts": verdicts},
            sentences=lab.sentences(found, verdicts), compared=compared, players=list(frames), against=rulesets[0],
        )  # fmt: skip


def plans_of(ruleset: Any, names: tuple[str, ...], counts: tuple[int, ...], settings: dict[str, Any]) -> dict[str, Any]:
    """Return the plan of each way by its name: a strategy on all seats, or several that are drawn for each seat."""
    from ...simulator.runs.plan import plan_by

    plans = {}
    for name, n in zip(names, counts, strict=True):
        pool = [name] if Path(name).is_file() else name.split(TOGETHER)
        who: dict[str, Any] = {"strategies": pool} if len(pool) == 1 else {"strategy_pool": pool}
        plan = plan_by(ruleset.compile(), games=n, **who, **settings)
        plans[words_of(plan.strategies)] = plan
    return plans


def words_of(strategies: Sequence[str]) -> str:
    """Return the name of a way: the strategy, or those of a pool with how often each is in it."""
    if len(strategies) == 1:
        return strategies[0]
    return f" {TOGETHER} ".join(f"{n} {name}" for name, n in Counter(strategies).items())


def played(ruleset: Any, plans: Mapping[str, Any], jobs: int, quiet: bool) -> dict[str, Any]:
    """Play the ways one after the other, in memory, and return their tables by name."""
    from ...analysis.questions.arena import Played, play
    from ...simulator.runs.run import tables_of

    r, found = ruleset.compile(), {}
    for name, plan in plans.items():
        observer = shared.observer(quiet)
        if not quiet:
            click.echo(f"{name}:", err=True)
        observer.begin(plan.games, 0)
        rows = play(plan, r, jobs, observer)
        observer.end()
        frames = {table: part.to_pandas() for table, part in tables_of(plan, r, rows).items()}
        found[name] = Played(plan.players, frames)
    return found


def show(found: Any, verdicts: Any, how: str) -> None:
    """Print what holds for all, and the figures side by side; CSV and JSON hold a row a figure and way, with its verdict."""
    import pandas as pd

    from ...analysis.questions import ways as lab

    if how in ("csv", "json"):
        judged = verdicts.drop(columns=["ways", "least", "most"])
        click.echo(table(with_commands(found.merge(judged, on=["group", "figure"])), how))
        return
    if how == "table":
        for sentence in lab.sentences(found, verdicts):
            tell(sentence)
        click.echo()
    records = verdicts.to_dict("records")
    said = verdicts.assign(told=[lab.shown_verdict(row) for row in records], band=[lab.shown_band(row) for row in records])
    said = said.set_index("figure")
    rows = []
    for figure, part in found.groupby("figure", sort=False):
        over = {"over players": said["band"][figure], "verdict": said["stands"][figure]}
        ns = list(dict.fromkeys(f"{n:,}" for n in part["n"]))
        cells = {"figure": figure, **{row["way"]: lab.shown_value(row) for row in part.to_dict("records")}}
        rows.append(cells | {"n": "/".join(ns), "depends": said["told"][figure]} | over)
    click.echo(table(pd.DataFrame(rows).fillna("-"), how))
    if how == "table":
        tell_next(verdicts)
