"""`newdawn compare` of more than two rulesets: which is best? Start with `compare_variants`."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ...simulator.errors import UserError, counted, listed, unknown, with_sign
from ...simulator.reading import yaml_of
from . import answers, progress
from .answers import keep_answer, keeping_games
from .shared import each_table, ruleset_named, table, tell, tell_json, whose_games

MOST = 30  # rulesets in one comparison
ENDINGS = (".yaml", ".yml")


@dataclass(frozen=True)
class Variant:
    """A ruleset with its name in the answer, and how it is named on a command line."""

    name: str
    ruleset: Any
    typed: str = ""  # "": it cannot be named again in a word, since it comes from --vary


def files_of(named: Sequence[Path]) -> list[Path]:
    """Return the rulesets as they are named, each folder replaced by its files of house rules."""
    files: list[Path] = []
    for name in named:
        if not name.is_dir():
            files.append(name)
            continue
        inside = sorted(path for path in name.iterdir() if path.suffix in ENDINGS)
        if not inside:
            raise UserError(f"{name}: has no files of house rules; expected files that end in {' or '.join(ENDINGS)}")
        files += inside
    return files


def varied(base: Any, grid: Sequence[str]) -> list[Variant]:
    """Return the variants of a ruleset with all combinations of the values in `path=value,value …`."""
    from ...simulator.rules.load import with_overlay

    axes = [_axis(text) for text in grid]
    variants = []
    for values in itertools.product(*(values for _, values in axes)):
        overlay: dict[str, Any] = {}
        for (path, _), value in zip(axes, values, strict=True):
            place = overlay
            *above, last = path.split(".")
            for step in above:
                place = place.setdefault(step, {})
            place[last] = value
        name = ", ".join(f"{_short(path)} {_shown(value)}" for (path, _), value in zip(axes, values, strict=True))
        variants.append(Variant(name, with_overlay(base, overlay, f"--vary {name}")))
    return variants


def _axis(text: str) -> tuple[str, list[Any]]:
    path, equals, values = text.partition("=")
    parsed = yaml_of(f"[{values}]", f"--vary {text}") if equals and path.strip() else None
    if not parsed:
        raise UserError(f"--vary {text}: expected a number of the rules and its values, such as wonders.petra.cost=5,6,7")
    return path.strip(), parsed


def _short(path: str) -> str:
    """Return the end of a path that tells most: 'petra cost', 'scythia combat'."""
    steps = [step for step in path.split(".") if step not in ("abilities", "amount")]
    return " ".join(steps[-2:])


def _shown(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def all_variants(named: Sequence[Path], grid: Sequence[str], map_file: Path | None, box: str) -> list[Variant]:
    """Return the rulesets of a comparison, the first one first; raise UserError where two are the same rules."""
    files = files_of(named)
    if not files:
        raise UserError("expected rulesets to compare: `newdawn compare printed mine.yaml`")
    loaded = [(file, ruleset_named(file, map_file, box)) for file in files]
    names = [ruleset.name for _, ruleset in loaded]
    variants = [
        Variant(ruleset.name if names.count(ruleset.name) == 1 else file.stem, ruleset, str(file)) for file, ruleset in loaded
    ]
    if grid:
        base = variants[0].ruleset
        variants += [
            variant for variant in varied(base, grid) if variant.ruleset.digest() != base.digest()
        ]  # A stands for these
    if len(variants) > MOST:
        raise UserError(f"{len(variants)} rulesets: at most {MOST} can be compared at once; leave some out")
    seen: dict[str, str] = {}
    for variant in variants:
        if variant.ruleset.box != variants[0].ruleset.box:
            raise UserError(
                f"{variant.name}: is of the box {variant.ruleset.box}; several variants are compared within one box"
            )
        digest = variant.ruleset.digest()
        if digest in seen:
            raise UserError(f"{seen[digest]} and {variant.name}: are the same rules; expected different ones")
        seen[digest] = variant.name
    return variants


def compare_variants(
    named: Sequence[Path], grid: Sequence[str], *, games: int, seed: int, settings: dict[str, Any], leader: str,
    until_best: bool, box: str, map_file: Path | None, jobs: int, out: Path | None, how: str, quiet: bool,
) -> None:  # fmt: skip
    """Compare several rulesets on the same seeds, say which could be the best, and keep the answer in `out`."""
    from ...analysis.questions.variants import COMMAND, TABLE, findings, race
    from ...analysis.tables.variants import Goal
    from ...simulator.runs.run_plan import plan_by

    variants = all_variants(named, grid, map_file, box)
    answers.check_answer(out, [TABLE])
    records = [variant.ruleset.compile() for variant in variants]
    plans = {n: [plan_by(r, games=games, seed=seed, **own) for r in records] for n, own in each_table(settings).items()}
    if leader:
        for variant, plan in [pair for own in plans.values() for pair in zip(variants, own, strict=True)]:
            if leader not in plan.leaders:
                raise unknown(f"leader of {variant.name}", leader, plan.leaders)
    goal = Goal(leader)

    def report(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    with keeping_games(out, variants[0].ruleset):
        result = race(
            plans, [variant.ruleset for variant in variants], [variant.name for variant in variants], games, goal,
            until_best=until_best, jobs=jobs, observer=progress.observer(quiet), report=report,
        )  # fmt: skip
        _show(variants, plans, result, goal, how)
        if out is not None:
            keep_answer(
                out, COMMAND, f"{listed([v.name for v in variants[1:]])} against {variants[0].name}", variants[0].ruleset,
                first_of(plans), {TABLE: result.frame}, counts=list(plans),
                sentences=[finding.text for finding in findings(result.frame, goal)],
                words=_words(variants, result, leader, first_of(plans), _same_games(plans)),
                compared=f"{counted(result.games, 'game')} in all, {result.reason}",
            )  # fmt: skip


def first_of(plans: Mapping[int, Sequence[Any]]) -> Any:
    """Return the plan of the first ruleset at the first table."""
    return next(iter(plans.values()))[0]


def _same_games(plans: Mapping[int, Sequence[Any]]) -> str:
    """Return the options by which another comparison is of the same players, at the same tables."""
    plan = first_of(plans)
    tables, strategies = ",".join(map(str, plans)), ",".join(dict.fromkeys(plan.strategies))
    return f" --players {tables} {'--strategy-pool' if plan.strategies_drawn else '--strategies'} {strategies}"


def _words(variants: Sequence[Variant], result: Any, leader: str, plan: Any, asked: str) -> dict[str, str]:
    """Return what the page of the answer needs beside its table."""
    from ...analysis.tables.kept_answers import ADDRESS, CHANGES
    from ...analysis.web.lab_address import address_of_variants

    changes = [f"{variant.name}: {'; '.join(_notes(variants, variant))}" for variant in variants[1:]]
    commands = [f"{v.name}\tnewdawn compare {variants[0].typed} {v.typed}{asked}" for v in variants[1:] if v.typed]
    asked_there = address_of_variants([variant.ruleset for variant in variants], plan, leader)
    address = {ADDRESS: asked_there} if asked_there else {}
    return {**address, "leader": leader, CHANGES: "\n".join(changes), "commands": "\n".join(commands)}


def _notes(variants: Sequence[Variant], variant: Variant) -> list[str]:
    from ...simulator.rules.show import patch_notes

    return [str(note) for note in patch_notes(variant.ruleset.data, variants[0].ruleset.data)]


def _show(variants: Sequence[Variant], plans: Mapping[int, Sequence[Any]], result: Any, goal: Any, how: str) -> None:
    """Print the answer: sentences, then one row per ruleset."""
    from ...analysis.questions.variants import findings
    from ...analysis.tables.rendering import rows_of

    plan, counts = first_of(plans), list(plans)
    if how == "json":
        tell_json(
            {
                "best_by": f"{goal.leader}'s distance from its fair share" if goal.leader else "leader spread",
                "players": counts[0] if len(counts) == 1 else counts,
                "seed": plan.seed, "strategies": list(plan.strategies), "ended": result.reason,
                "rulesets": [
                    {"name": v.name, "digest": v.ruleset.digest(), "changes": _notes(variants, v)} for v in variants
                ],
                "rows": rows_of(result.frame),
            }
        )  # fmt: skip
        return
    if how == "csv":
        click.echo(table(result.frame, how))
        return
    tell(f"{whose_games(counts, plan.seed, plan.strategies)}; {counted(result.games, 'game')} in all: {result.reason}")
    tell("\n".join(finding.text for finding in findings(result.frame, goal)))
    click.echo()
    click.echo(table(_for_reading(result.frame, goal), how))


def _for_reading(frame: Any, goal: Any) -> Any:
    """Return the table with the columns that the question is about, as text."""
    import pandas as pd

    def size(row: Any, name: str, digits: int) -> str:
        if pd.isna(row[name]):
            return "-"
        low, high = (with_sign(row[f"{name}_all_{end}"], digits) for end in ("low", "high"))
        return f"{with_sign(row[name], digits)} [{low}, {high}]"

    rows = []
    for row in frame.to_dict("records"):
        asked = {f"{goal.leader} above its share": size(row, "leader_points", 1)} if goal.leader else {}
        at = {"players": row["players"]} if frame["players"].nunique() > 1 else {}
        rows.append(
            {
                **at, "variant": row["variant"], "leader spread": "-" if pd.isna(row["spread"]) else f"{row['spread']:.1f}",
                "change [95% all]": size(row, "spread_change", 1),
                **asked, "strong": row["too_strong"], "weak": row["too_weak"], "rounds": size(row, "rounds_change", 1),
                "n": f"{row['n']:,}", "the best?": row["standing"],
            }
        )  # fmt: skip
    return pd.DataFrame(rows)
