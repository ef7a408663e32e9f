"""`newdawn experiment`: what a wonder, an ability, a gift or a ban does, by games played twice on the same seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ...simulator import names
from ...simulator.errors import counted, with_sign
from . import progress, shared
from .answers import answer_options, check_answer, command_line, tell_next, with_commands
from .margins import HALF_WIDTH
from .shared import PATH, Names, each_table, output_options, plan_of, played, rare, ruleset_of, table, tell


class Questions(click.Group):
    """A group whose commands may also be written like options: `experiment --ablate leader-ability --leader Rome`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, after taking the dashes off the command."""
        if args and args[0].startswith("--") and args[0][2:] in self.commands:
            args = [args[0][2:], *args[1:]]
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest question when there is none of that name."""
        from ...simulator.errors import unknown

        if args and args[0] not in self.commands and not args[0].startswith("-"):
            raise unknown("experiment", args[0], self.commands)
        return super().resolve_command(ctx, args)


@click.group(cls=Questions)
def experiment() -> None:
    """Measure what something is worth, by randomised experiments.

    \b
    newdawn experiment grant --wonder Petra           what is Petra worth?
    newdawn experiment grant                          … and each of the other wonders?
    newdawn experiment grant --card all --round 6     … and each focus card, in round 6?
    newdawn experiment grant --box terra-incognita --district all
    newdawn experiment ablate leader-ability --leader Rome
    newdawn experiment give trade-token --amount 1,3,9
    newdawn experiment ban wonder "Hanging Gardens"
    newdawn experiment move 3 --with 7 --map mine.yaml

    Every game is played twice on the same seed, with and without a treatment of one seat. Both games are the same until the
    treatment, so it causes what differs. The effect is the difference of the seat's win share.
    """


# The options of the experiments that treat one seat.
common = shared.added(
    shared.plan(1_000, tables=True),
    shared.rules,
    HALF_WIDTH,
    rare("--by", type=click.Choice(["leader"]), help="Split the effects by the leader of the seat."),
    shared.jobs,
    click.option("--out", type=PATH, metavar="DIR", help="Folder for the games [default: results/experiment-…]."),
    output_options(),
    shared.quiet,
)
AT_ROUND = click.option("--round", "at_round", type=int, default=1, show_default=True, help="Round at whose start it is given.")


@experiment.command()
@click.option("--wonder", "wonders", type=Names(), metavar="A,B,…", help="Wonders to give [default: every one, in turn].")
@click.option("--card", "cards", type=Names(), metavar="A,B,…", help="Focus cards to give, or 'all'.")
@click.option("--district", "districts", type=Names(), metavar="A,B,…", help="Districts of Terra Incognita to give, or 'all'.")
@click.option("--government", "governments", type=Names(), metavar="A,B,…", help="Its governments to give, or 'all'.")
@click.option("--fort", is_flag=True, help="Give one of its forts.")
@AT_ROUND
@common
def grant(
    wonders: tuple[str, ...] | None, cards: tuple[str, ...] | None, districts: tuple[str, ...] | None,
    governments: tuple[str, ...] | None, fort: bool, at_round: int, **settings: Any,
) -> None:  # fmt: skip
    """Give a world wonder, or a focus card, to a random seat, and measure how much more often it wins.

    \b
    newdawn experiment grant --wonder Petra
    newdawn experiment grant --card "Steam Power" --round 6
    newdawn experiment grant --box terra-incognita --fort

    The wonder lies under the capital (or the first city without one), as if it had been built at no cost. If the seat
    cannot have it in that round, because it is already built or no city is free, the game counts as 'not given'.

    A focus card takes the place of the card of its type in the row. It is 'not given' to a seat that has it, or has one of a
    higher level there; a unique card is given to its leader only.

    With Terra Incognita the gift may also be a district (placed where the player likes), a government (on the card of its
    type) or a fort (the nearest free one, with an unused city).
    """
    from ...analysis.questions.experiment import grant as make
    from ...analysis.questions.experiment import grant_card, grant_of_expansion
    from ...simulator.errors import UserError

    gifts = {"wonder": wonders, "card": cards, "district": districts, "government": governments, "fort": () if fort else None}
    given = [what for what, names in gifts.items() if names is not None] or ["wonder"]
    if len(given) > 1:
        raise UserError(f"--{given[1]}: expected one kind of gift, got --{given[0]}, too; ask one after the other")
    what, names = given[0], gifts[given[0]] or ()
    label = f"grant{'' if what == 'wonder' else f'-{what}'}-round{at_round}"
    if what == "wonder":
        _experiment(lambda plan, ruleset: make(plan, ruleset, wonders, at_round), label, names, settings)
        return
    wanted = None if [name.lower() for name in names] in ([], ["all"]) else names
    if what == "card":
        _experiment(lambda plan, ruleset: grant_card(plan, ruleset, wanted, at_round), label, wanted or (), settings)
        return
    _experiment(lambda plan, ruleset: grant_of_expansion(plan, ruleset, what, wanted, at_round), label, wanted or (), settings)


@experiment.command()
@click.argument("what", metavar="WHAT")
@click.option("--amount", "amounts", type=Names(), default="1", show_default=True, metavar="N,N,…", help="How many.")
@click.option("--kind", help="Kind of resource: marble, mercury, oil or diamond [default: of the player's choice].")
@AT_ROUND
@common
def give(what: str, amounts: tuple[str, ...], kind: str | None, at_round: int, **settings: Any) -> None:
    """Give a resource or trade tokens to a random seat, and measure how much more often it wins.

    \b
    newdawn experiment give trade-token --amount 1,3,9
    newdawn experiment give resource --kind marble

    The player chooses the cards for the trade tokens. Tokens that find no room are lost.
    """
    from ...analysis.questions.experiment import give as make

    numbers = _numbers(amounts)
    label = f"give-{what}-round{at_round}"
    parts = (*amounts, *([kind] if kind else []))
    _experiment(lambda plan, ruleset: make(plan, ruleset, what, numbers, kind, at_round), label, parts, settings)


TAKEN = ("leader-ability", "unique-card")


@experiment.command()
@click.argument("what", metavar="WHAT")
@click.option("--leader", "chosen", type=Names(), metavar="A,B,…", help="Leaders that lose it [default: each in turn].")
@click.option("--each", is_flag=True, help="Also each ability on its own, if a leader has several.")
@common
def ablate(what: str, chosen: tuple[str, ...] | None, each: bool, **settings: Any) -> None:
    """Measure what a leader's ability or unique card is worth, by playing with and without it.

    \b
    newdawn experiment ablate leader-ability --leader Rome
    newdawn experiment ablate unique-card --box terra-incognita

    `worth` is the leader's win rate with it minus that without it, in percentage points, over the games with the leader at
    the table. The other leaders keep theirs.
    """
    from ...analysis.questions import experiment
    from ...simulator.errors import UserError, unknown

    if what not in TAKEN:
        raise unknown("thing to switch off", what, TAKEN)
    if each and what != TAKEN[0]:
        raise UserError(f"--each: a leader has one unique card; expected only with '{TAKEN[0]}'")
    parts = (*(chosen or ()), *(("each",) if each else ()))

    def make(plan: Any, ruleset: Any) -> Any:
        if what == TAKEN[0]:
            return experiment.ablate(plan, ruleset, chosen, each)
        return experiment.ablate_unique(plan, ruleset, chosen)

    _experiment(make, f"ablate-{what}", parts, settings)


@experiment.command()
@click.argument("what", metavar="WHAT")
@click.argument("name", metavar="NAME")
@shared.plan(4_000, tables=True)
@shared.rules
@HALF_WIDTH
@answer_options
def ban(
    what: str, name: str, box: str, rules_files: tuple[Path, ...], map_file: Path | None, half_width: float,
    jobs: int, out: Path | None, how: str, quiet: bool, **settings: Any,
) -> None:  # fmt: skip
    """Play without a wonder, leader, agenda or card, and measure what changes.

    \b
    newdawn experiment ban wonder "Hanging Gardens"
    newdawn experiment ban agenda Explorer
    newdawn experiment ban city-state Seoul

    A card is a focus card or a victory card. Where a city-state lay is plain grassland; a natural wonder loses its token. A ban
    concerns every seat, so all headline figures are compared, game by game on the same seeds, as `newdawn compare` does.
    """
    from ...analysis.questions.experiment import ban as without

    _with_and_without("ban", lambda ruleset: without(ruleset, what, name), (rules_files, map_file, box), settings,
                      half_width, jobs, out, how, quiet)  # fmt: skip


@experiment.command()
@click.argument("tile", type=int)
@click.option("--with", "other", type=int, required=True, metavar="TILE", help="Tile with which it changes places.")
@shared.plan(4_000, tables=True)
@shared.rules
@HALF_WIDTH
@answer_options
def move(
    tile: int, other: int, box: str, rules_files: tuple[Path, ...], map_file: Path | None, half_width: float,
    jobs: int, out: Path | None, how: str, quiet: bool, **settings: Any,
) -> None:  # fmt: skip
    """Let two tiles of your map change places, a start place say, and measure what changes.

    \b
    newdawn experiment move 3 --with 7 --map mine.yaml --players 2

    Each tile keeps its side and lies turned as the other did. What seats win that begin on each tile is compared beside all
    headline figures, game by game on the same seeds, as `newdawn compare` does.
    """
    from ...analysis.questions.experiment import move as moved
    from ...simulator.runs.columns import PLACES_TABLE

    _with_and_without("move", lambda ruleset: moved(ruleset, tile, other), (rules_files, map_file, box), settings,
                      half_width, jobs, out, how, quiet, (PLACES_TABLE,))  # fmt: skip


def _with_and_without(
    command: str, change: Callable[[Any], Any], rules: tuple[Any, ...], settings: dict[str, Any], half_width: float, jobs: int,
    out: Path | None, how: str, quiet: bool, tables: tuple[str, ...] = (),
) -> None:  # fmt: skip
    """Compare rules with the changed rules, on the same seeds; show and keep the answer."""
    from ...analysis.questions.compare import TABLE, compare
    from .compare import keep_comparison, show

    if len(settings["players"]) == 1:
        check_answer(out, [TABLE])
    ruleset = ruleset_of(*rules)
    rulesets = (ruleset, change(ruleset))
    at_tables = {
        players: (replace(plan_of(rulesets[0], own), tables=tables), replace(plan_of(rulesets[1], own), tables=tables))
        for players, own in each_table(settings).items()
    }
    plans = next(iter(at_tables.values()))
    if len(at_tables) > 1:
        from .table_sizes import compare_at_tables

        compare_at_tables(
            rulesets,
            at_tables,
            plans[0].games,
            command=command,
            jobs=jobs,
            out=out,
            how=how,
            quiet=quiet,
            half_width=half_width,
        )
        return
    observer = progress.observer(quiet)
    result = compare(plans, rulesets, plans[0].games, half_width=half_width, jobs=jobs, observer=observer)
    show(rulesets, plans, result, half_width, how)
    if out is not None:
        keep_comparison(out, command, rulesets, plans, result, half_width)


def _numbers(amounts: tuple[str, ...]) -> list[int]:
    from ...simulator.errors import UserError

    try:
        return [int(amount) for amount in amounts]
    except ValueError:
        raise UserError(f"--amount: '{','.join(amounts)}': expected whole numbers separated by commas, such as 1,3") from None


def _experiment(make: Callable[[Any, Any], Any], label: str, parts: tuple[str, ...], settings: dict[str, Any]) -> None:
    """Play the experiment that `make(plan, ruleset)` returns and show its effects."""
    rules = settings.pop("rules_files"), settings.pop("map_file"), settings.pop("box")
    half_width, by, jobs, out, how, quiet = (settings.pop(key) for key in ("half_width", "by", "jobs", "out", "how", "quiet"))
    ruleset = ruleset_of(*rules)
    sizes = each_table(settings)
    plans = {players: plan_of(ruleset, own) for players, own in sizes.items()}
    folder = out or Path("results") / _folder_name(label, parts, plans, ruleset)
    options = {"by": by, "half_width": half_width, "jobs": jobs, "quiet": quiet}
    if len(sizes) > 1:
        from .table_sizes import experiment_at_tables

        experiment_at_tables(
            lambda players, place: _played(make(plans[players], ruleset), place, tables=len(sizes), **options)[:2],
            sizes, folder, how,
        )  # fmt: skip
        return
    design, frame, pairs, stopped = _played(make(next(iter(plans.values())), ruleset), folder, **options)
    if how == "table":
        tell(_heading(design, pairs, frame, folder))
    click.echo(_shown(frame, design.kind, how))
    if how == "table":
        tell(_notes(frame, design.kind))
        tell_next(frame)
    if stopped:
        raise SystemExit(130)


def _played(
    design: Any, folder: Path, *, by: str | None, half_width: float, jobs: int, quiet: bool, tables: int = 1
) -> tuple[Any, Any, Any, bool]:
    """Play an experiment in a folder; return it with its effects, its pairs, and whether it was stopped before its end.

    `tables`: at how many tables it is asked; of several, one that is stopped ends the command.
    """
    from ...analysis.questions import experiment
    from ...simulator.runs.run import Interrupted

    stopped = False
    try:
        pairs = experiment.run(design, folder, jobs, progress.observer(quiet))
    except Interrupted as interrupted:
        stopped = True
        done, games = interrupted.done, counted(interrupted.games, "game")
        click.echo(f"stopped: {done:,} of {games} kept in {folder}; the same command continues", err=True)
        if not done or tables > 1:
            raise SystemExit(130) from None
        pairs = experiment.read_pairs(folder, design.plan.games)
    frame = experiment.effects(pairs, experiment.costs_of(design), by, half_width, tables)
    experiment.write_effects(folder, frame, command_line())
    return design, frame, pairs, stopped


def _folder_name(label: str, subjects: tuple[str, ...], plans: Mapping[int, Any], ruleset: Any) -> str:
    from ...simulator.rules.ruleset_contents import slug

    seed = next(iter(plans.values())).seed
    parts = [label, *(slug(subject) for subject in subjects), f"{'-'.join(map(str, plans))}p", f"seed{seed}"]
    if ruleset.box != names.BOXES[0]:
        parts.append(ruleset.box)
    if ruleset.name != "printed":
        parts.append(slug(ruleset.name))
    return "experiment-" + "-".join(parts)


def _heading(design: Any, pairs: Any, frame: Any, folder: Path) -> str:
    plan, ruleset = design.plan, design.ruleset
    return "\n".join(
        [
            played(ruleset, plan),
            f"{_games_played(design, pairs)}; kept in {folder}",
            _counted(frame),
            "",
        ]
    )


def _counted(frame: Any) -> str:
    """Return how many effects have each verdict."""
    from ...analysis.stats.verdicts import by_words

    found = ", ".join(f"{len(rows)} {words}" for words, _, rows in by_words(frame))
    return f"of {counted(len(frame), 'effect')}: {found}"


def _games_played(design: Any, pairs: Any) -> str:
    """Return which games were played: not every one with every treatment."""
    from ...analysis.questions.experiment import TAKEN_AWAY

    games = pairs["game_id"].nunique()
    if design.kind in TAKEN_AWAY:
        return (
            f"{counted(games, 'game')} that met a leader in question, each played as the rules have it and again without the "
            f"{TAKEN_AWAY[design.kind]} of each of these leaders at its table ({counted(len(pairs), 'pair')})"
        )
    given = int((pairs["outcome"] == "given").sum())
    return (
        f"{counted(games, 'game')}, each played as it is and again with each treatment that was possible in it, "
        f"given at the beginning of round {design.round} ({counted(given, 'pair')})"
    )


def _notes(frame: Any, kind: str) -> str:
    from ...analysis.questions.experiment import TAKEN_AWAY
    from ...analysis.stats.verdicts import DIFFERENT, having

    if kind in TAKEN_AWAY:
        worths = [_worth(row, kind) for row in frame[having(frame, DIFFERENT)].to_dict("records") if "leader" not in row]
        return "\n".join(["", *worths, "intervals and p values hold for all rows of the table together (95%)"])
    notes = ["", "effect: percentage points of the chance to win, caused by the treatment; intervals hold for all rows (95%)"]
    if frame["cost"].notna().any():
        notes.append("per production: effect divided by the printed cost")
    if (frame["n"] < 1).any():
        notes.append("never possible: the treatment could not be given in any of the games")
    return "\n".join(notes)


def _worth(row: Mapping[str, Any], kind: str) -> str:
    """Return what a leader's ability or unique card is worth, in points of its win rate."""
    from ...analysis.questions.experiment import subject
    from ...analysis.stats.inference import ALL

    what = subject(row["arm"], kind)
    effect, low, high = (100 * row[f"effect{end}"] for end in ALL)
    return (
        f"{what} is worth {with_sign(effect)} points [{with_sign(low)}, {with_sign(high)}] of the leader's chance to win: "
        f"{row['with']:.1%} with it, {row['without']:.1%} without (n = {row['n']:,} pairs)"
    )


def _shown(frame: Any, kind: str, how: str) -> str:
    """Return the effects in the format; CSV and JSON hold every column in full."""
    import pandas as pd

    from ...analysis.questions.experiment import TAKEN_AWAY
    from ...analysis.stats.verdicts import verdict_words
    from ...analysis.tables.kept_answers import ABILITY

    if how in ("csv", "json"):
        return table(with_commands(frame), how)
    off, on = ("ability off", "ability on") if kind == ABILITY else ("without", "with")
    effect = "worth" if kind in TAKEN_AWAY else "effect"
    rows = []
    for row in frame.to_dict("records"):
        measured = row["n"] > 0
        cells = {kind: row["arm"]}
        if "leader" in row:
            cells["leader"] = row["leader"]
        if frame["cost"].notna().any():
            cells["cost"] = f"{row['cost']:.0f}"
        cells |= {
            off: f"{row['without']:.1%}" if measured else "-",
            on: f"{row['with']:.1%}" if measured else "-",
            effect: with_sign(100 * row["effect"]) if measured else "-",
            "95% for all rows": f"[{with_sign(100 * row['effect_all_low'])}, {with_sign(100 * row['effect_all_high'])}]"
            if measured
            else "-",
            "n": f"{row['n']:,}" + (" (few)" if row["small_sample"] else ""),
        }
        if kind not in TAKEN_AWAY:
            cells["not given"] = f"{row['not_given']:.1%}"
        if frame["cost"].notna().any():
            cells["per production"] = with_sign(100 * row["effect_per_production"], 2) if measured else "-"
        verdict = verdict_words(row) if measured else "never possible"
        rows.append(cells | {"verdict": verdict, "certainty": row["certainty"]})
    return table(pd.DataFrame(rows), how)
