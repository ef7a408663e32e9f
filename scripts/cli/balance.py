"""`newdawn balance`, `tune` and `sensitivity`: which numbers to change; `fair`: which leaders and head starts are fair."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ...simulator.errors import counted, with_minus, with_sign
from . import progress, shared
from .answers import (
    answer_options,
    check_answer,
    house_rule,
    keep_answer,
    target_numbers,
    target_words,
    tell_next,
    with_commands,
)
from .main import continuable
from .shared import PATH, Names, output_options, plan_of, played, rare, ruleset_of, shown_p, table, tell

# --- `newdawn balance`

COUNT = click.IntRange(2)


@click.command()
@click.option("--leader", help="Leader whose win rate is wanted at --to.")
@click.option("--to", "share", metavar="SHARE", help="Win rate wanted, such as 25%.")
@click.option("--target", help="Instead of --leader and --to: any target of `newdawn tune`, such as build-rate:Petra=40%.")
@click.option(
    "--parameters", "globs", type=Names(), default="*", show_default=True, metavar="GLOB,…",
    help="Numbers that may be changed, such as 'leaders.*'.",
)  # fmt: skip
@rare("--margin", metavar="M", help="Tolerance around the target, such as 2% or 0.5 rounds [default: 2%; 1 round].")
@rare("--empty-abilities", is_flag=True, help="Try values, too, that leave an ability without effect.")
@click.option("--minutes", type=click.FloatRange(0.1), metavar="M", help="How long the search may take.")
@click.option("--all-games", type=click.IntRange(1_000), metavar="N", help="Instead of --minutes: games in all, no more.")
@rare("--levers", type=click.IntRange(1), default=8, show_default=True, help="Numbers searched after the screening.")
@rare("--screen", type=COUNT, default=60, show_default=True, help="Games of each change in the first round.")
@rare("--fresh", type=COUNT, default=12_000, show_default=True, help="Fresh games to confirm each change.")
@shared.plan(1_500, "Games of the best changes before the fresh ones.")
@shared.rules
@click.option("--out", type=PATH, metavar="DIR", help="Folder that keeps the games [default: results/balance-…].")
@shared.jobs
@output_options()
@shared.quiet
@click.pass_context
def balance(
    ctx: click.Context, leader: str | None, share: str | None, target: str | None, globs: tuple[str, ...],
    margin: str | None, empty_abilities: bool, levers: int, screen: int, fresh: int, minutes: float | None,
    all_games: int | None, box: str, rules_files: tuple[Path, ...], map_file: Path | None, out: Path | None, jobs: int,
    how: str, quiet: bool, **settings: Any,
) -> None:  # fmt: skip
    """Find the single changes of the rules that bring a figure to its target and gain the whole game most.

    \b
    newdawn balance --leader Scythia --to 25%
    newdawn balance --leader Scythia --to 25% --parameters 'leaders.*,wonders.*.cost'
    newdawn balance --leader Scythia --to 25% --leaders all
    newdawn balance --target game-length=15 --minutes 2
    newdawn balance --leaders all --to fair

    Tried are the leader's own card, then what it uses, then rules for all: numbers (and blocks of equal ones), lists, orders
    and switches. Other leaders' cards stay as they are, unless --leaders all or --parameters names them. Few games drop what
    is hopeless; the best play --games, and at last --fresh games that were not used to choose them. A change is on target if
    its whole interval lies within --margin of it. The first line says how many games that takes, and how long.

    What counts is what the whole game gains: how much nearer the figure comes to its target and all leaders to their fair
    shares, less what is thrown off (length, first player, agendas). A change that throws another leader off by more than
    sharing the wins explains is not advised. All games are kept in the folder; the same command continues after a stop.

    --leaders all --to fair seeks the few changes that bring all leaders to their fair shares together. No ability is left
    without effect, unless --empty-abilities allows it.

    `newdawn goals` asks for more than one figure: the few changes that meet many wishes.
    """
    from ...analysis.questions import balance as balancing
    from ...analysis.questions.tuning import parse_margin, parse_target
    from ...simulator.errors import UserError
    from ...simulator.rules.ruleset_contents import names_of

    observer = progress.observer(quiet)
    others = settings["leaders"] == ("all",)
    together = share == "fair"
    if together and not others:
        raise UserError("--to fair: expected --leaders all, too, which is every leader at its fair share; or --leader and 25%")
    if others and not together and leader is None and target is None:
        raise UserError("--leaders all: expected --to fair (every leader at its fair share), or a --leader and --to 25%")
    settings |= {"leaders": None} if others else {}
    if minutes is not None and all_games is not None:
        raise UserError("--minutes and --all-games: expected one of the two")
    if together:
        from . import goals as whole

        for option, other in (("--leader", leader), ("--target", target)):
            if other is not None:
                raise UserError(f"--leaders all and {option}: expected one of the two")
        ruleset = ruleset_of(rules_files, map_file, box)
        plan = plan_of(ruleset, settings)
        near = parse_margin(parse_target(f"win-rate:{plan.leaders[0]}=25%", names_of(ruleset.data, "leader"), box), margin)
        whole.fair_to_all(
            ruleset, plan, 0.02 if near is None else near, globs, empty_abilities,
            fresh=fresh if ctx.get_parameter_source("fresh") == ParameterSource.COMMANDLINE else None, minutes=minutes,
            most=all_games, out=out, jobs=jobs, how=how, observer=observer,
        )  # fmt: skip
        return
    ruleset = ruleset_of(rules_files, map_file, box)
    wanted = parse_target(_target(leader, share, target), names_of(ruleset.data, "leader"), box)
    if wanted.granted is not None:
        raise UserError(
            f"target {wanted.text}: only for `newdawn tune`, which plays pairs of games with and without the wonder"
        )
    near = parse_margin(wanted, margin)
    plan = plan_of(ruleset, settings)
    if wanted.figure.startswith("win rate of ") and wanted.figure.removeprefix("win rate of ") not in plan.leaders:
        raise UserError(f"target {wanted.text}: the leader never plays; expected one of {', '.join(plan.leaders)}")
    effort = balancing.Effort(screen, plan.games, fresh, levers)
    folder = out or Path("results") / f"balance-{plan.players}p-seed{plan.seed}-{ruleset.digest()[:8]}"
    check_answer(folder, balancing.TABLES)
    with continuable(folder):
        result = balancing.balance(
            plan, ruleset, wanted, globs, effort, near, folder, jobs, observer, not empty_abilities, others, minutes, all_games
        )
    if how in ("csv", "json"):
        click.echo(table(result.moves, how))
    else:
        notes = _notes(result, ruleset)
        click.echo(_heading(result, ruleset, plan, folder) if how == "table" else "", nl=how == "table")
        if len(result.moves):
            click.echo(_moves(result, how))
        if how == "table":
            _tell_advice(result, notes)
    _keep(folder, result, ruleset, plan)


def _keep(folder: Path, result: Any, ruleset: Any, plan: Any) -> None:
    """Keep the answer for its page: the changes as patch notes and house rules, and the rules as they are."""
    import pandas as pd

    from ...analysis.questions.balance import COMMAND, MOVES, UNCHANGED, decision
    from ...analysis.questions.possible_changes import left_out_words
    from ...analysis.questions.search_page import DECISION
    from ...analysis.tables.kept_answers import TARGET_ROW
    from ...analysis.tables.targets import figure_words

    moves, own, notes = result.moves, result.rules, _notes(result, ruleset)
    moves = moves.assign(what=notes, house_rule=[house_rule(overlay) for overlay in result.overlays])
    levels = {name: ends for name, ends in own.items() if isinstance(ends, tuple)}
    figures = [{"figure": name, **dict(zip(("value", "low", "high"), ends, strict=True))} for name, ends in levels.items()]
    confirmed = {name: own[name] for name in ("value", "low", "high", "n", "verdict", "verdict_key", "certainty")} | {
        "figure": TARGET_ROW
    }
    wanted = "" if result.target.wanted is None else f" at {figure_words(result.target.wanted, result.target.figure)}"
    said = decision(result, notes), result.untried, left_out_words(result.left_out)
    title = f"Balance: {result.target.figure}{wanted}"
    keep_answer(
        folder, COMMAND, title, ruleset, plan, {MOVES: moves, UNCHANGED: pd.DataFrame([confirmed, *figures])},
        sentences=[text for text in said if text],
        words=target_words(result.target) | {DECISION: said[0]},
        numbers=target_numbers(result.target, result.margin, result.fresh),
        compared=f"{counted(result.fresh, 'fresh game')} for each of {counted(len(moves), 'change')} and for the rules",
    )  # fmt: skip


def _notes(result: Any, ruleset: Any) -> list[str]:
    """Return what each change is, as patch notes."""
    from ...simulator.rules.edit import NOTHING_LEFT, empties
    from ...simulator.rules.load import with_overlay
    from ...simulator.rules.show import moved, patch_notes

    notes = []
    for row, overlay in zip(result.moves.to_dict("records"), result.overlays, strict=True):
        if isinstance(row["value"], str):
            changed = with_overlay(ruleset, overlay, "a change")
            notes.append("; ".join(map(str, patch_notes(changed.data, ruleset.data))))
            continue
        nothing = NOTHING_LEFT if empties(row["lever"], row["was"], row["value"]) else ""
        notes.append(f"{moved(ruleset.data, row['lever'], row['was'], row['value'])}{nothing}")
    return notes


def _target(leader: str | None, share: str | None, target: str | None) -> str:
    """Return the target of the options as text."""
    from ...simulator.errors import UserError

    if target is not None and leader is None and share is None:
        return target
    if target is not None or leader is None or share is None:
        raise UserError("expected a leader and a win rate (--leader Scythia --to 25%), or a --target such as game-length=18")
    return f"win-rate:{leader}={share}"


def _heading(result: Any, ruleset: Any, plan: Any, folder: Path) -> str:
    from ...analysis.tables.targets import figure_words

    figure = result.target.figure
    value, low, high = result.rules[figure]
    return "\n".join(
        [
            f"{played(ruleset, plan)}; games kept in {folder}",
            f"target: {result.target.text}; under the rules: {figure} {figure_words(value, figure)} "
            f"[{figure_words(low, figure)}, {figure_words(high, figure)}] (n = {result.rules['n']:,})",
            "",
        ]
    )


def _moves(result: Any, how: str) -> str:
    """Return the table of changes: the target's figure with each, what the whole game gains, and what else each moves."""
    import pandas as pd

    from ...analysis.questions.balance import SPOILS, spoiled
    from ...analysis.tables.paired_figures import ROUNDS, SPREAD
    from ...analysis.tables.targets import figure_words

    figure, rows = result.target.figure, []
    for row in result.moves.to_dict("records"):
        low, high = figure_words(row["low"], figure), figure_words(row["high"], figure)
        cells = {"change": row["lever"], "": with_minus(f"{row['was']} → {row['value']}"), "which is": row["scope"]}
        cells |= {figure: f"{figure_words(row['target_value'], figure)} [{low}, {high}]", "verdict": row["verdict"]}
        cells["the whole game"] = f"{row['advice']} {spoiled(row)}" if row["advice"] == SPOILS else row["advice"]
        cells["gains"] = with_sign(row["gain"])
        for name in (ROUNDS, SPREAD[1]):
            if name != figure:
                cells[f"{name}, change"] = _difference(row, name)
        side = row["side_of"]
        cells["largest side effect"] = f"{side} {_difference(row, side)}"
        rows.append(cells | {"n": f"{row['n']:,}"})
    return table(pd.DataFrame(rows), how)


def _difference(row: dict[Any, Any], figure: str) -> str:
    from ...analysis.stats.verdicts import DIFFERENT, verdict_of
    from ...analysis.tables.targets import figure_words

    star = " *" if verdict_of(row, f"{figure}_verdict") in DIFFERENT else ""
    value, low, high = (figure_words(row[f"{figure}{end}"], figure, signed=True) for end in ("", "_low", "_high"))
    return f"{value} [{low}, {high}]{star}".replace("%", "")


def _tell_advice(result: Any, notes: list[str]) -> None:
    """Print the advice in a sentence, what else it moves, and the change as a patch note and a house rule."""
    from ...analysis.questions.balance import decision
    from ...analysis.questions.possible_changes import left_out_words

    figure = result.target.figure
    if len(result.moves):
        tell(f"\n{counted(result.fresh, 'fresh game')} each. The intervals of {figure} hold together (95%). Changes of other "
             "figures are against the rules, in rounds or points; their intervals hold together, too; * = raised or lowered.\n"
             "The whole game gains, in units of what matters (one round, two points), what the figure and all leaders come "
             "nearer to their shares, less what is thrown off. Of another leader only what goes beyond sharing is a side "
             "effect.")  # fmt: skip
    tell(f"\n{decision(result, notes)}")
    for text in (result.untried, left_out_words(result.left_out)):
        if text:
            tell(text)
    if not result.advised:
        return
    best = result.moves.iloc[0]
    rates = [f"win rate of {name}" for name in result.target.leaders]
    others = [f"{name.removeprefix('win rate of ')} {_difference(dict(best), name)}"
              for name in rates if name != figure and name in best and best[name] == best[name]]  # fmt: skip
    tell(f"It moves the other leaders' win rates by: {'; '.join(others)} points.\n\nAs a patch note: {notes[0]}")
    click.echo(f"\nAs a house rule (--rules FILE):\n{house_rule(result.overlays[0])}")


# --- `newdawn tune` and `newdawn sensitivity`


class Values(click.ParamType):
    """A range of whole numbers such as 4:10, both ends included."""

    name = "range"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> range:
        """Return the range."""
        if isinstance(value, range):
            return value
        low, _, high = str(value).partition(":")
        try:
            values = range(int(low), int(high) + 1)
        except ValueError:
            self.fail(f"'{value}': expected two whole numbers, such as 4:10", param, ctx)
        if len(values) < 2:
            self.fail(f"'{value}': expected a smaller number before a larger one, such as 4:10", param, ctx)
        return values


@click.command()
@click.option("--parameter", "paths", required=True, multiple=True, metavar="PATH", help="Number to vary (repeatable).")
@click.option(
    "--target", required=True,
    help="leader-spread, seat-spread, game-length[=ROUNDS], first-player=SHARE, or a rate: win-rate:LEADER=SHARE, "
    "build-rate:WONDER=SHARE, claim-rate:AGENDA=SHARE; or effect:WONDER=POINTS, its worth to the seat that gets it.",
)  # fmt: skip
@click.option(
    "--range", "ranges", type=Values(), multiple=True, metavar="LOW:HIGH",
    help="Values to try, one range for each --parameter [default: 50% to 150%].",
)  # fmt: skip
@rare("--margin", metavar="M", help="Tolerance around the target, such as 2% or 0.5 rounds [default: 2%; 1 round].")
@rare("--fresh", type=click.IntRange(2), help="Fresh games to confirm each value [default: three times --games].")
@shared.plan(4_000)
@shared.rules
@answer_options
def tune(
    paths: tuple[str, ...], target: str, ranges: tuple[range, ...], margin: str | None, fresh: int | None,
    box: str, rules_files: tuple[Path, ...], map_file: Path | None, out: Path | None, jobs: int, how: str, quiet: bool,
    **settings: Any,
) -> None:  # fmt: skip
    """Search for the value of a number (or of a few) that comes nearest to a target.

    \b
    newdawn tune --parameter wonders.petra.cost --target leader-spread
    newdawn tune --parameter leaders.scythia.abilities.combat.amount --target win-rate:Scythia=25%
    newdawn tune --parameter wonders.pyramids.cost --target build-rate:Pyramids=40%
    newdawn tune --parameter wonders.petra.abilities.combat.amount --target effect:Petra=5%
    newdawn tune --parameter victory_cards.rules.base.cards_in_play --target game-length=18 --range 1:5

    All legal values in the range play a few games on the same seeds, the better half plays twice as many, and so on, until
    the best have played --games. Values that are not significantly worse than the best one are 'within noise'. The best,
    the second-best and the rules' own value then play fresh games, which say whether one of them reaches the target: its
    whole interval must lie within --margin of it.
    """
    from ...analysis.questions import tuning
    from ...analysis.questions.possible_changes import left_out_words
    from ...analysis.questions.tuning import parse_margin, parse_target
    from ...simulator.errors import UserError
    from ...simulator.rules.edit import find
    from ...simulator.rules.ruleset_contents import names_of

    check_answer(out, tuning.TABLES)
    ruleset = ruleset_of(rules_files, map_file, box)
    wanted = parse_target(target, names_of(ruleset.data, "leader"), box)
    near = parse_margin(wanted, margin)
    numbers = [find(ruleset, path) for path in paths]
    if len({number.path for number in numbers}) < len(numbers):
        raise UserError("--parameter: a number is given twice; expected different ones")
    if ranges and len(ranges) != len(numbers):
        raise UserError(f"--range: {len(ranges)} given for {len(numbers)} parameters; expected one for each, or none")
    plan = plan_of(ruleset, settings)
    if wanted.figure.startswith("win rate of ") and wanted.figure.removeprefix("win rate of ") not in plan.leaders:
        raise UserError(f"target {target}: the leader never plays; expected one of {', '.join(plan.leaders)}")
    observer = progress.observer(quiet)
    result = tuning.tune(plan, ruleset, numbers, wanted, list(ranges) or None, jobs, observer, near, fresh)
    if how == "table":
        tell(_tuned_heading(result, ruleset, plan))
    click.echo(_tuned(result, how))
    if how == "table":
        tell(_confirmed(result, fresh or tuning.FRESH * plan.games))
        if result.left_out:
            tell(f"\n{left_out_words(result.left_out)}")
    if out is not None:
        _keep_tuned(out, result, ruleset, plan, fresh or tuning.FRESH * plan.games)


def _keep_tuned(out: Path, result: Any, ruleset: Any, plan: Any, fresh: int) -> None:
    """Keep the answer for its page, with the values as patch notes and house rules."""
    from ...analysis.questions.possible_changes import left_out_words
    from ...analysis.questions.tuning import COMMAND, CONFIRMED, VALUES, conclusion
    from ...simulator.rules.edit import NOTHING_LEFT, empties, overlay_of
    from ...simulator.rules.show import moved, named

    tables, sentences = {VALUES: _with_fresh(result)}, [f"{result.target.text}; {result.reason}."]
    if result.confirmed is None:
        sentences.append("Not confirmed on fresh games: the search was stopped first.")
    else:
        labels = [_assigned(result.parameters, values) for values in result.confirmed["values"]]
        sentences.append(conclusion(labels, result.confirmed, result.target, result.margin))
        values = list(result.confirmed["values"])
        notes = ["; ".join(f"{moved(ruleset.data, number.path, number.value, value)}"
                           f"{NOTHING_LEFT if empties(number.path, number.value, value) else ''}"
                           for number, value in zip(result.parameters, row, strict=True) if number.value != value)
                 for row in values]  # fmt: skip
        overlays = [overlay_of(ruleset, dict(zip(result.parameters, row, strict=True))) for row in values]
        tables[CONFIRMED] = result.confirmed.drop(columns="values").assign(
            what=notes, keys=labels, house_rule=[house_rule(overlay) for overlay in overlays]
        )
    sentences += [left_out_words(result.left_out)] if result.left_out else []
    title = f"Tuning: {', '.join(named(ruleset.data, number.path) for number in result.parameters)}"
    keep_answer(
        out,
        COMMAND,
        title,
        ruleset,
        plan,
        tables,
        sentences=sentences,
        words=target_words(result.target),
        numbers=target_numbers(result.target, result.margin, fresh),
    )


def _tuned_heading(result: Any, ruleset: Any, plan: Any) -> str:
    own = ", ".join(f"{parameter.path} = {parameter.value}" for parameter in result.parameters)
    return "\n".join(
        [
            played(ruleset, plan),
            f"target: {result.target.text}; under the rules {own}; {result.reason}",
            "",
        ]
    )


def _tuned(result: Any, how: str) -> str:
    """Return the table of values; CSV and JSON hold every column in full."""
    import pandas as pd

    if how in ("csv", "json"):
        return table(_with_fresh(result), how)
    rows = []
    for row in result.table.to_dict("records"):
        mark = " (rules)" if row["printed"] else ""
        cells = {".".join(each.path.split(".")[-2:]): with_minus(f"{row[each.path]}{mark}") for each in result.parameters}
        aim = result.target.figure.replace(" ", "_")
        for name in dict.fromkeys([aim, "rounds", "leader_spread", "win_rate_of_the_first_player"]):
            cells[name.replace("_", " ")] = _with_interval(row, name)
        rows.append(cells | {"n": f"{row['n']:,}", "p (Holm)": shown_p(row["p_holm"]), "verdict": row["verdict"]})
    return table(pd.DataFrame(rows), how)


def _with_fresh(result: Any) -> Any:
    """Return the table of values with the figures of fresh games beside those of the search."""
    import numpy as np

    columns = {"value": "fresh_value", "low": "fresh_low", "high": "fresh_high", "n": "fresh_n", "verdict": "on_target"}
    columns |= {"verdict_key": "on_target_key"}
    fresh = {} if result.confirmed is None else {row["values"]: row for row in result.confirmed.to_dict("records")}
    own = [tuple(row) for row in result.table[[each.path for each in result.parameters]].to_numpy().tolist()]
    missing = {"verdict": "", "verdict_key": ""}
    return result.table.assign(
        **{name: [fresh[key][column] if key in fresh else missing.get(column, np.nan) for key in own]
           for column, name in columns.items()}
    )  # fmt: skip


def _with_interval(row: dict[Any, Any], name: str) -> str:
    if name not in row:  # of games that nobody won
        return "–"
    scale, mark = (1, "") if name == "rounds" else (100, "%")
    value, low, high = (scale * row[key] for key in (name, f"{name}_low", f"{name}_high"))
    return with_minus(f"{value:.1f}{mark} [{low:.1f}, {high:.1f}]")


def _confirmed(result: Any, fresh: int) -> str:
    """Return the table of fresh games, and a sentence on which value to take."""
    import pandas as pd

    from ...analysis.questions.tuning import conclusion
    from ...analysis.tables.targets import figure_words

    if result.confirmed is None:
        return "\nnot confirmed on fresh games: the search was stopped first"
    rows = []
    for row in result.confirmed.to_dict("records"):
        cells = {"value": ", ".join(map(str, row["values"])), "": row["role"]}
        figures = {result.target.figure: ("value", "low", "high")}
        for name in ("rounds", "leader spread"):
            key = name.replace(" ", "_")
            figures.setdefault(name, (key, f"{key}_low", f"{key}_high"))
        for figure, (value, low, high) in figures.items():
            cells[figure] = (
                f"{figure_words(row[value], figure)} [{figure_words(row[low], figure)}, {figure_words(row[high], figure)}]"
            )
        rows.append(cells | {"n": f"{row['n']:,}", "verdict": row["verdict"]})
    labels = [_assigned(result.parameters, values) for values in result.confirmed["values"]]
    return "\n".join(
        [
            f"\nOn {fresh:,} fresh games each, not used to choose the values (a column's intervals hold together, 95%):",
            table(pd.DataFrame(rows), "table"),
            "",
            conclusion(labels, result.confirmed, result.target, result.margin),
        ]
    )


def _assigned(parameters: Any, values: Any) -> str:
    from ...simulator.rules.edit import NOTHING_LEFT, empties

    pairs = zip(parameters, values, strict=True)
    nothing = {True: NOTHING_LEFT, False: ""}
    return ", ".join(f"{number.path} = {value}{nothing[empties(number.path, number.value, value)]}" for number, value in pairs)


@click.command()
@click.option(
    "--parameters", "globs", type=Names(), default="*", show_default=True, metavar="GLOB,…", help="Like 'wonders.*.cost'.",
)  # fmt: skip
@click.option(
    "--focus", type=Names(), default="game", show_default=True, help="Figures to watch: game, leaders, or both.",
)  # fmt: skip
@click.option("--top", type=click.IntRange(1), default=30, show_default=True, help="Changes to show; CSV and JSON have all.")
@shared.plan(400)
@shared.rules
@click.option("--out", type=PATH, metavar="DIR", help="Folder that keeps the results [default: results/sensitivity-…].")
@shared.jobs
@output_options()
@shared.quiet
def sensitivity(
    globs: tuple[str, ...], focus: tuple[str, ...], top: int, box: str, rules_files: tuple[Path, ...], map_file: Path | None,
    out: Path | None, jobs: int, how: str, quiet: bool, **settings: Any,
) -> None:  # fmt: skip
    """Move every number of the rules by one step, and rank the changes of the headline figures by size.

    \b
    newdawn sensitivity --games 400
    newdawn sensitivity --parameters 'wonders.*.cost,leaders.*' --focus game,leaders --format csv

    A step is a tenth, at least 1, down and up, where the rules allow it. Each changed ruleset plays --games games on the
    same seeds as the unchanged one. A difference matters if its whole interval lies beyond the margin (one round, two
    percentage points). Those come first, the largest on top. A star marks differences that are significant among all
    differences tested (5%). The heading says which difference would have been found; smaller ones may exist undetected.
    """
    from ...analysis.questions import sensitivity as moving
    from ...analysis.questions.possible_changes import Playable
    from ...analysis.tables import targets
    from ...analysis.tables.kept_answers import MOVED_NUMBERS, SENSITIVITY
    from ...simulator.errors import unknown
    from ...simulator.runs.run import Interrupted

    for group in focus:
        if group not in targets.GROUPS:
            raise unknown("group of figures", group, targets.GROUPS)
    ruleset = ruleset_of(rules_files, map_file, box)
    plan = plan_of(ruleset, settings)
    playable = Playable([plan])
    moved = moving.planned(plan, ruleset, globs, playable)
    folder = out or Path("results") / f"sensitivity-{plan.players}p-{plan.games}g-seed{plan.seed}-{ruleset.digest()[:8]}"
    check_answer(folder, [MOVED_NUMBERS])
    observer = progress.observer(quiet)
    if not quiet:
        numbers = len({change.parameter.path for change in moved})
        changes = f"{counted(len(moved), 'change')} of {counted(plan.games, 'game')} each"
        click.echo(f"{counted(numbers, 'number')}, {changes}; results: {folder}", err=True)
    stopped = False
    try:
        moving.sensitivity(plan, ruleset, moved, folder, jobs, observer, playable)
    except Interrupted as interrupted:
        stopped = True
        done = interrupted.done // plan.games
        done_so_far = f"{done} of {counted(len(moved), 'change')} kept in {folder}"
        click.echo(f"stopped: {done_so_far}; the same command continues", err=True)
        if not done:
            raise SystemExit(130) from None
    frame = moving.table(moving.read(folder, plan, ruleset), moved, focus)
    heading = _moved_heading(frame, ruleset, plan, sum(change.label not in playable.left_out for change in moved))
    if how == "table":
        tell(heading)
    click.echo(_moved(frame, top, how))
    if how == "table" and playable.left_out:
        tell(f"\n{playable.words()}")
    told = heading.strip().splitlines()[1:]
    keep_answer(
        folder, SENSITIVITY, "Sensitivity: every number moved by a step", ruleset, plan, {MOVED_NUMBERS: frame},
        sentences=[*told, *([playable.words()] if playable.left_out else [])],
        compared=f"{counted(plan.games, 'game')} a change",
    )  # fmt: skip
    if stopped:
        raise SystemExit(130)


def _moved_heading(frame: Any, ruleset: Any, plan: Any, planned: int) -> str:
    from ...analysis.questions.sensitivity import counts

    base = frame.drop_duplicates("figure").set_index("figure")
    figures = []
    for figure, row in base.iterrows():
        figures.append(f"{figure} {row['a']:.1f}" if figure == "rounds" else f"{figure} {row['a']:.1%}")
    finished = len(frame.drop_duplicates(["parameter", "value"]))
    return "\n".join(
        [
            played(ruleset, plan),
            f"{finished} of {counted(planned, 'change')}, "
            f"each {counted(plan.games, 'game')} on the same seeds as the unchanged rules",
            f"unchanged: {', '.join(figures)}",
            counts(frame),
            f"{int(frame['significant'].sum())} of {len(frame)} differences are significant (5% for any false finding)",
            f"true difference that 80% of such analyses find (median of what moved): {_detectable(frame)}",
            "",
        ]
    )


def _detectable(frame: Any) -> str:
    """Return for each figure the smallest difference that these games could be expected to show."""
    from ...analysis.questions.sensitivity import detectable

    sizes = detectable(frame).items()
    texts = (f"{name} {size:.1f}" if name == "rounds" else f"{name} {100 * size:.1f} points" for name, size in sizes)
    return ", ".join(texts) or "nothing moved"


def _change_verdict(part: Any) -> str:
    """Return the verdict on a change: the figures that it matters to; without any, undecided or too small."""
    from ...analysis.tables.targets import MATTERS, NOT_KNOWN, told

    figures = list(part.loc[told(part, MATTERS), "figure"])
    if figures:
        return f"{MATTERS}: {', '.join(figures)}"
    open_ = told(part, NOT_KNOWN).any()
    return NOT_KNOWN if open_ else str(part["verdict"].iloc[0])


def _moved(frame: Any, top: int, how: str) -> str:
    """Return one row per change, the largest first; CSV and JSON hold one row per change and figure."""
    import pandas as pd

    if how in ("csv", "json"):
        return table(frame, how)
    rows = []
    for (path, printed, value), part in list(frame.groupby(["parameter", "printed", "value"], sort=False))[:top]:
        cells = {"number": path, "change": with_minus(f"{printed} → {value}")}
        for row in part.to_dict("records"):
            scale = 1 if row["figure"] == "rounds" else 100
            if pd.isna(row["difference"]):
                cells[row["figure"]] = "-"
                continue
            reach = max(row["difference_all_high"] - row["difference"], row["difference"] - row["difference_all_low"])
            star = " *" if row["significant"] else ""
            cells[row["figure"]] = f"{with_sign(scale * row['difference'], 2)} ±{scale * reach:.2f}{star}"
        cells |= {"p adjusted": shown_p(part["p_adjusted"].min()), "n": f"{int(part['n'].max()):,}"}
        rows.append(cells | {"verdict": _change_verdict(part)})
    text = table(pd.DataFrame(rows), how)
    units = (
        "\ndifferences: rounds in rounds, all else in percentage points; intervals hold for all of them together (95%);\n"
        "* = significant: the interval excludes 0"
    )
    return text + (units if how == "table" else "")


# --- `newdawn fair`


@click.command()
@click.option(
    "--players", "words", type=Names(), required=True, metavar="NAME[:LEVEL],…",
    help="Who sits at the table; levels: strong, average (the default), beginner, or a strategy.",
)  # fmt: skip
@click.option("--leaders", type=Names(), metavar="A,B,…", help="Leaders that may be chosen [default: all].")
@click.option(
    "--margin", type=click.FloatRange(0.1, 50), default=3.0, show_default=True,
    help="Points off the fair share that do not matter.",
)  # fmt: skip
@shared.games(4_000, "Games of the table proposed; the search plays as many, or more.", least=100)
@shared.seed()
@shared.rules
@answer_options
def fair(
    words: tuple[str, ...], leaders: tuple[str, ...] | None, margin: float, games: int, seed: int, box: str,
    rules_files: tuple[Path, ...], map_file: Path | None, jobs: int, out: Path | None, how: str, quiet: bool,
) -> None:  # fmt: skip
    """Propose leaders and head starts that give everybody at the table the same chance to win.

    \b
    newdawn fair --players Ann:strong,Ben,Cleo
    newdawn fair --players Ann:strong,Ben,Cleo:beginner --leaders Rome,Egypt,Aztec,Sumeria --out results/tonight
    newdawn fair --players Ann,Ben,Cleo,Dan --box terra-incognita --margin 2

    Players of the lab stand for people: `quick` for strong ones, `planner` for the average, `builder` for beginners. Leaders
    are dealt out first; if that is not enough, whoever is weakest begins with trade tokens, then with control tokens and more.
    The proposal is played again on fresh seeds, and these games say how fair it is. --out keeps it as a page to print
    (`newdawn report DIR`), with the head starts as a house rule.
    """
    from ...analysis.questions import fair as question
    from ...analysis.stats.verdicts import for_reading

    people = question.persons(words)
    ruleset = ruleset_of(rules_files, map_file, box)
    check_answer(out, [question.TABLE])
    say = progress.Diary(quiet).say
    result = question.fair(
        people, ruleset, leaders=leaders, games=games, seed=seed, jobs=jobs, margin=margin, say=say,
        observer=progress.observer(quiet),
    )  # fmt: skip
    frame = with_commands(result.frame)
    shown = for_reading(frame.drop(columns=["p", "p_adjusted", "fair_share"])) if how in ("table", "markdown") else frame
    click.echo(table(shown, how))
    conclusion, limit = question.conclusion(result), question.limit(people)
    rule = house_rule(result.table.overlay) if result.table.overlay else ""
    sentences = [conclusion.text, *(question.sentence(row) for row in frame.to_dict("records")), limit]
    if how == "table":
        tell("\n".join(["", *sentences, *(["", "as a house rule:", rule] if rule else [])]))
        tell_next(frame)
    if out is not None:
        words_kept = {"house_rule": rule} if rule else {}
        plan = question.plan_of(result.table, ruleset, games, seed + 2)
        title = f"A fair table for {', '.join(person.name for person in people)}"
        keep_answer(
            out, question.COMMAND, title, ruleset, plan, {question.TABLE: frame}, sentences=sentences, words=words_kept,
            compared=f"{games:,} fresh games of the best of {result.tried} tables",
        )  # fmt: skip
