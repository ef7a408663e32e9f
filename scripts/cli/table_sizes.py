"""`--players 3,4` of `compare`, `experiment` and `run`: one answer for several tables. Start with `answer_at_tables`."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from ...simulator.errors import UserError, counted
from . import answers, progress
from .answers import check_answer, keep_answer, keeping_games, tell_next
from .shared import table, tell, tell_json, whose_games


def check_out(out: Path | None) -> None:
    """Raise UserError, before any game is played, if the answer cannot be kept in `out`."""
    from ...analysis.questions.table_sizes import TABLES

    check_answer(out, TABLES)


def at_table(out: Path, players: int) -> Path:
    """Return the folder of the games at one of several tables."""
    return out / f"{players}p"


def answer_at_tables(
    asked: str, tables: Mapping[int, Any], ruleset: Any, plans: Sequence[Any], out: Path | None, how: str, *,
    title: str, compared: str, against: Any = None, steps: Sequence[tuple[str, str]] = (), heading: str = "",
) -> None:  # fmt: skip
    """Show what holds at all tables, from the rows of each (`questions.table_sizes`), and keep it in `out`.

    `asked` is the command; `steps` are questions with the commands that answer them, for the page.
    """
    from ...analysis.questions.table_sizes import ASKED, OPTION, answer_of, findings
    from ...analysis.tables.rendering import rows_of

    assert asked in ASKED
    answer, plan, counts = answer_of(tables), plans[0], list(tables)
    told = [finding.text for finding in findings(answer, asked)]
    by_players, verdicts = answer.values()
    if how == "json":
        facts = {"players": counts, "seed": plan.seed, "strategies": list(plan.strategies)}
        rules = [{"name": rules.name, "digest": rules.digest()} for rules in (against, ruleset) if rules is not None]
        tell_json(facts | {"rulesets": rules, "verdicts": rows_of(verdicts), "rows": rows_of(by_players)})
    elif how == "csv":
        click.echo(table(by_players, how))
    else:
        tell(f"{heading}{whose_games(counts, plan.seed, plan.strategies)}; {compared}")
        tell("\n".join(told))
        click.echo()
        click.echo(table(_for_reading(answer, counts), how))
        tell_next(verdicts)
    if out is not None:
        keep_answer(
            out, f"{asked} {OPTION}", title, ruleset, plan, answer, sentences=told, compared=compared, counts=counts,
            against=against, words={"commands": "\n".join("\t".join(step) for step in steps)},
        )  # fmt: skip


def _for_reading(answer: Mapping[str, Any], counts: Sequence[int]) -> Any:
    """Return one row per figure as text: its size at each table, what holds at all, and where."""
    import pandas as pd

    from ...analysis.pages.cells import points_of
    from ...analysis.questions.table_sizes import wide

    rows = []
    for row in wide(answer).to_dict("records"):
        sizes = {f"{n} players [95% all]": "-" if pd.isna(row[f"at{n}"]) else points_of(row, f"at{n}") for n in counts}
        rows.append({"": row["what"].removeprefix("the "), **sizes, "verdict": row["verdict"], "where": row["holds"]})
    return pd.DataFrame(rows)


# --- `newdawn compare`, `experiment ban` and `move`


def compare_at_tables(
    rulesets: tuple[Any, Any], plans: Mapping[int, tuple[Any, Any]], games: int, *, command: str, jobs: int, out: Path | None,
    how: str, quiet: bool, **until: Any,
) -> None:  # fmt: skip
    """Compare two rulesets at several tables; `until`: options of `questions.compare.compare` on when to stop."""
    from ...analysis.questions.compare import compare
    from ...analysis.questions.table_sizes import of_comparison

    check_out(out)
    observer, tables, played = progress.observer(quiet), {}, []
    with keeping_games(out, rulesets[1]) if out is not None else nullcontext():
        for players, own in plans.items():
            result = compare(own, rulesets, games, jobs=jobs, observer=observer, tables=len(plans), **until)
            tables[players] = of_comparison(result.frame)
            played.append(f"{counted(result.pairs, 'game')} at {players} players")
            if result.reason.startswith("stopped"):
                break
        a, b = (ruleset.name for ruleset in rulesets)
        steps = [
            (f"All figures at {players} players?", alone(players)) for players in tables
        ] if command == "compare" else []  # fmt: skip
        answer_at_tables(
            "compare", tables, rulesets[1], [own[1] for own in plans.values()], out, how, title=f"{b} against {a}",
            compared=f"{' and '.join(played)}, under each", against=rulesets[0], steps=steps, heading=f"A = {a}, B = {b}; ",
        )  # fmt: skip


def alone(players: int) -> str:
    """Return the command that runs, for one number of players only."""
    words, kept = shlex.split(answers.command_line()), []
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        if before == "--players":
            kept.append(str(players))
        elif word.startswith("--players="):
            kept.append(f"--players={players}")
        elif word != "--out" and before != "--out" and not word.startswith("--out="):
            kept.append(word)
    return shlex.join(kept)


# --- `newdawn experiment`


def experiment_at_tables(
    one: Callable[[int, Path], tuple[Any, Any]], sizes: Iterable[int], folder: Path, how: str
) -> None:  # fmt: skip
    """Ask an experiment at several tables: `one(players, folder)` plays one of them, and returns design and effects."""
    from ...analysis.questions.table_sizes import of_effects

    check_out(folder)
    tables, designs = {}, []
    for players in sizes:
        design, frame = one(players, at_table(folder, players))
        tables[players] = of_effects(frame, design.kind)
        designs.append(design)
    design = designs[0]
    steps = [
        (f"All figures at {players} players?", f"newdawn report {shlex.quote(str(at_table(folder, players)))}")
        for players in tables
    ]
    varied = "leader's ability" if design.kind == "leader" else design.kind
    answer_at_tables(
        "experiment", tables, design.ruleset, [x.plan for x in designs], folder, how, title=f"What a {varied} is worth",
        compared=f"{counted(design.plan.games, 'game')} at each table, with and without", steps=steps,
    )  # fmt: skip


# --- `newdawn run`


def run_at_tables(
    play: Callable[[int, Path], None], plans: Mapping[int, Any], ruleset: Any, out: Any, as_json: bool, quiet: bool
) -> None:
    """Play a run at each of several tables in folders of its own, and say which verdicts on leaders hold at all of them.

    `play(players, folder)` plays one of them.
    """
    from ...analysis.pages.report_parts import Source
    from ...analysis.questions.table_sizes import of_run
    from ...analysis.tables.read import open_run

    if not isinstance(out, Path):
        raise UserError(f"{out}: of several numbers of players the runs lie in a folder on this machine; expected --out DIR")
    check_out(out)
    tables = {}
    for players, plan in plans.items():
        folder = at_table(out, players)
        if not quiet:
            click.echo(f"{players} players: {counted(plan.games, 'game')} into {folder}", err=True)
        play(players, folder)
        tables[players] = of_run(Source(open_run(folder)), len(plans))
    steps = [
        (f"Everything about {players} players?", f"newdawn report {shlex.quote(str(at_table(out, players)))}")
        for players in plans
    ]
    answer_at_tables(
        "run", tables, ruleset, list(plans.values()), out, "json" if as_json else "table", title="Leaders at several tables",
        compared=" and ".join(f"{counted(plan.games, 'game')} at {players} players" for players, plan in plans.items()),
        steps=steps, heading=f"rules: {ruleset.name}; ",
    )  # fmt: skip
