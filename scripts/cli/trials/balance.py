"""`newdawn balance`: which single numbers of the rules bring a figure to its target, and what else they move."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ..shared import options, progress
from ..shared.answers import check_answer, house_rule, keep_answer, target_words
from ..shared.interrupt import continuable
from ..shared.options import PATH, Names, plan_of, ruleset_of
from ..shared.screen import output_options, table

COUNT = click.IntRange(2)


@click.command()
@click.option(
    "--goals", type=PATH, metavar="FILE", help="Instead of one target: a file of goals (`newdawn rules new goals` writes one)."
)
@click.option(
    "--minutes", type=click.FloatRange(0.1), metavar="M", help="With --goals, --leaders all: how long the search may take."
)
@click.option("--all-games", type=click.IntRange(1_000), metavar="N", help="Instead of --minutes: games in all, no more.")
@click.option("--adapt", is_flag=True, help="With --goals: also play the advised change by players trained under it.")
@options.training("players adapt to the change")
@click.option("--leader", help="Leader whose win rate is wanted at --to.")
@click.option("--to", "share", metavar="SHARE", help="Win rate wanted, such as 25%.")
@click.option("--target", help="Instead of --leader and --to: any target of `newdawn tune`, such as build-rate:Petra=40%.")
@click.option(
    "--parameters", "globs", type=Names(), default="*", show_default=True, metavar="GLOB,…",
    help="Numbers that may be changed, such as 'leaders.*'.",
)  # fmt: skip
@click.option("--margin", metavar="M", help="Tolerance around the target, such as 2% or 0.5 rounds [default: 2%; 1 round].")
@click.option("--empty-abilities", is_flag=True, help="Try values, too, that leave an ability without effect.")
@click.option("--levers", type=click.IntRange(1), default=5, show_default=True, help="Numbers searched after the screening.")
@click.option("--screen", type=COUNT, default=300, show_default=True, help="Games of each step in the screening.")
@click.option("--fresh", type=COUNT, default=12_000, show_default=True, help="Fresh games to confirm each value.")
@options.plan(2_000)
@options.rules
@click.option("--out", type=PATH, metavar="DIR", help="Folder that keeps the games [default: results/balance-…].")
@options.jobs
@output_options()
@options.quiet
@click.pass_context
def balance(
    ctx: click.Context, goals: Path | None, minutes: float | None, all_games: int | None, adapt: bool, budget: float,
    adapt_games: int | None, training: Path, leader: str | None, share: str | None, target: str | None, globs: tuple[str, ...],
    margin: str | None, empty_abilities: bool, levers: int, screen: int, fresh: int, box: str,
    rules_files: tuple[Path, ...], map_file: Path | None, out: Path | None, jobs: int, how: str, quiet: bool, **settings: Any,
) -> None:  # fmt: skip
    """Find the single changes of the rules that bring a figure to its target, ranked by their side effects.

    \b
    newdawn balance --leader Scythia --to 25%
    newdawn balance --leader Scythia --to 25% --parameters 'leaders.*,wonders.*.cost'
    newdawn balance --target game-length=15 --levers 3
    newdawn balance --leaders all --to fair

    Every number (and block of equal ones, such as a leader's trade tokens) is moved by a step and by a lot. The best are
    searched for the value nearest to the target (--games each). The values found then play --fresh games that were not used
    to choose them. A value is on target if its whole interval lies within --margin of it. Of those, the one that moves the
    other figures least comes first. All games are kept in the folder; the same command continues after a stop.

    Wins are zero-sum: what one leader loses the others gain. --leaders all --to fair seeks the changes that bring all of them
    to their fair shares together. No ability is left without effect, unless --empty-abilities allows it.

    With --goals, a file says what is wanted of the whole game, who plays, and what may change at which price. The answer is
    the few changes that meet the goals, or come nearest.

    \b
    newdawn rules new goals > goals.yaml
    newdawn balance --goals goals.yaml
    """
    from ....analysis.trials import balance as balancing
    from ....analysis.trials.target import parse_margin, parse_target
    from ....simulator.errors import UserError
    from ....simulator.rules.contents import names_of

    observer = progress.observer(quiet)
    if goals is not None:
        from . import goals as whole

        whole.check_options(ctx)
        given = {name for name in ("box", "fresh") if ctx.get_parameter_source(name) == ParameterSource.COMMANDLINE}
        taught = whole.Training(budget, adapt_games, training, quiet) if adapt else None
        whole.balance_goals(
            goals, taught=taught, box=box if "box" in given else None, rules_files=rules_files, map_file=map_file,
            seed=settings["seed"],
            fresh=fresh if "fresh" in given else None, minutes=minutes, most=all_games, out=out,
            jobs=jobs, how=how, observer=observer,
        )  # fmt: skip
        return
    together = settings["leaders"] == ("all",)
    if together != (share == "fair"):
        raise UserError("--leaders all and --to fair: expected both, which is every leader at its fair share, or none of them")
    if together:
        from . import goals as whole

        for option, other in (("--leader", leader), ("--target", target)):
            if other is not None:
                raise UserError(f"--leaders all and {option}: expected one of the two")
        ruleset = ruleset_of(rules_files, map_file, box)
        plan = plan_of(ruleset, settings | {"leaders": None})
        near = parse_margin(parse_target(f"win-rate:{plan.leaders[0]}=25%", names_of(ruleset.data, "leader"), box), margin)
        whole.fair_to_all(
            ruleset, plan, 0.02 if near is None else near, globs, empty_abilities,
            fresh=fresh if ctx.get_parameter_source("fresh") == ParameterSource.COMMANDLINE else None, minutes=minutes,
            most=all_games, out=out, jobs=jobs, how=how, observer=observer,
            taught=whole.Training(budget, adapt_games, training, quiet) if adapt else None,
        )  # fmt: skip
        return
    if minutes is not None or all_games is not None or adapt:
        raise UserError(
            "--minutes, --all-games and --adapt: only with --goals; expected --screen, --games, --fresh with a target"
        )
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
    check_answer(folder, ["moves", "rules"])
    with continuable(folder):
        found = balancing.balance(plan, ruleset, wanted, globs, effort, near, folder, jobs, observer, not empty_abilities)
    if how in ("csv", "json"):
        click.echo(table(found.moves, how))
    else:
        click.echo(_heading(found, ruleset, plan, folder) if how == "table" else "", nl=how == "table")
        click.echo(_moves(found, how))
    if how == "table":
        click.echo(_advice(found, effort, ruleset))
    _keep(folder, found, ruleset, plan, effort)


def _keep(folder: Path, found: Any, ruleset: Any, plan: Any, effort: Any) -> None:
    """Keep what was found for its page: the changes as patch notes and house rules, and the rules themselves beside them."""
    import pandas as pd

    from ....analysis.tables.kept import TARGET_ROW
    from ....analysis.trials.balance import not_numbers
    from ....analysis.trials.confirm import figure_words

    moves, own = found.moves, found.rules
    moves = moves.assign(what=_notes(found, ruleset), house_rule=[house_rule(overlay) for overlay in found.overlays])
    levels = {name: ends for name, ends in own.items() if isinstance(ends, tuple)}
    figures = [{"figure": name, **dict(zip(("value", "low", "high"), ends, strict=True))} for name, ends in levels.items()]
    confirmed = {name: own[name] for name in ("value", "low", "high", "n", "verdict")} | {"figure": TARGET_ROW}
    wanted = "" if found.target.wanted is None else f" at {figure_words(found.target.wanted, found.target.figure)}"
    title = f"Balance: {found.target.figure}{wanted}"
    keep_answer(
        folder, "balance", title, ruleset, plan, {"moves": moves, "rules": pd.DataFrame([confirmed, *figures])},
        sentences=[text for text in (_conclusion(found), not_numbers(ruleset, found.target.figure)) if text],
        words=target_words(found.target, found.margin, effort.fresh),
        compared=f"{effort.fresh:,} fresh games for each of {len(moves)} values and for the rules",
    )  # fmt: skip


def _notes(found: Any, ruleset: Any) -> list[str]:
    """Return what each value changes, in the game's words."""
    from ....simulator.rules.loading.parameters import NOTHING_LEFT, empties
    from ....simulator.rules.showing.notes import moved

    notes = []
    for row in found.moves.to_dict("records"):
        nothing = NOTHING_LEFT if empties(row["lever"], row["was"], row["value"]) else ""
        notes.append(f"{moved(ruleset.data, row['lever'], row['was'], row['value'])}{nothing}")
    return notes


def _target(leader: str | None, share: str | None, target: str | None) -> str:
    """Return the text of the target that the options mean."""
    from ....simulator.errors import UserError

    if target is not None and leader is None and share is None:
        return target
    if target is not None or leader is None or share is None:
        raise UserError("expected a leader and a win rate (--leader Scythia --to 25%), or a --target such as game-length=18")
    return f"win-rate:{leader}={share}"


def _heading(found: Any, ruleset: Any, plan: Any, folder: Path) -> str:
    from ....analysis.trials.confirm import figure_words

    figure = found.target.figure
    value, low, high = found.rules[figure]
    return "\n".join(
        [
            f"rules: {ruleset.name} ({ruleset.digest()[:12]}), {plan.players} players, seed {plan.seed}, "
            f"strategies: {', '.join(dict.fromkeys(plan.strategies))}; games kept in {folder}",
            f"target: {found.target.text}; under the rules {figure} is {figure_words(value, figure)} "
            f"[{figure_words(low, figure)}, {figure_words(high, figure)}] (n = {found.rules['n']:,})",
            "",
        ]
    )


def _moves(found: Any, how: str) -> str:
    """Return a row a value: what it does to the target's figure, and what else it moves."""
    import pandas as pd

    from ....analysis.trials.compare import SPREAD
    from ....analysis.trials.confirm import figure_words
    from ....analysis.trials.headline import ROUNDS

    figure, rows = found.target.figure, []
    for row in found.moves.to_dict("records"):
        low, high = figure_words(row["low"], figure), figure_words(row["high"], figure)
        cells = {"number": row["lever"], "change": f"{row['was']} -> {row['value']}"}
        cells |= {figure: f"{figure_words(row['target_value'], figure)} [{low}, {high}]", "verdict": row["verdict"]}
        for name in (ROUNDS, SPREAD[1]):
            if name != figure:
                cells[f"{name}, change"] = _difference(row, name)
        side = row["side_of"]
        cells["largest side effect"] = f"{side} {_difference(row, side)}"
        rows.append(cells | {"n": f"{row['n']:,}"})
    return table(pd.DataFrame(rows), how)


def _difference(row: dict[Any, Any], figure: str) -> str:
    from ....analysis.trials.confirm import figure_words

    star = " *" if row[f"{figure}_significant"] else ""
    value, low, high = (figure_words(row[f"{figure}{end}"], figure, signed=True) for end in ("", "_low", "_high"))
    return f"{value} [{low}, {high}]{star}".replace("%", "")


def _advice(found: Any, effort: Any, ruleset: Any) -> str:
    """Return what to change in a sentence, what that moves, and the change as a patch note and a house rule."""
    from ....analysis.trials.balance import not_numbers

    best, figure = found.moves.iloc[0], found.target.figure
    lines = [
        "",
        f"{effort.fresh:,} fresh games each. The intervals of {figure} hold together (95%). Changes of other figures are",
        "against the rules, in rounds or points; their intervals hold together, too; * = significant: the interval excludes 0.",
        "The largest side effect is in units of what matters (one round, two points); another leader's counts only",
        "beyond what the other leaders gain or lose on average.",
        "",
    ]
    lines.append(_conclusion(found))
    if untouched := not_numbers(ruleset, found.target.figure):
        lines.append(untouched)
    rates = [f"win rate of {name}" for name in found.target.leaders]
    names = [rate for rate in rates if rate != figure and rate in best]
    others = [f"{name.removeprefix('win rate of ')} {_difference(dict(best), name)}" for name in names]
    lines += [f"It moves the other leaders' win rates by: {'; '.join(others)} points.", ""]
    lines += [f"As a patch note: {_notes(found, ruleset)[0]}", "", "As a house rule (--rules FILE):"]
    return "\n".join([*lines, house_rule(found.overlays[0])])


def _conclusion(found: Any) -> str:
    """Return in a sentence what fresh games say of the change that is advised."""
    import pandas as pd

    from ....analysis.trials.confirm import RULES, conclusion

    confirmed = found.moves.rename(columns={"target_value": "value", "value": "moved"})[
        ["value", "low", "high", "loss", "n", "verdict", "certainty", "games_fewest", "games_most"]
    ]
    own = pd.DataFrame([{name: found.rules[name] for name in confirmed.columns}])
    words = [f"{row['lever']} = {row['value']} (now {row['was']})" for row in found.moves.to_dict("records")]
    return conclusion([*words, RULES], pd.concat([confirmed, own], ignore_index=True), found.target, found.margin, at=0)
