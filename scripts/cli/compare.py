"""`newdawn compare`: rulesets on the same seeds. `newdawn plan`: how many games a question needs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ...simulator.errors import UserError, counted, with_sign
from ...simulator.runs.run_folder import Place
from . import progress, shared
from .answers import answer_options, check_answer, keep_answer, keeping_games, tell_next, with_commands
from .margins import HALF_WIDTH, Share
from .one_screen import on_one_screen
from .shared import PATH, PLACE, Names, each_table, output_options, rare, ruleset_named, strategies_of, table, tell, whose_games

MOST_GAMES, MOST_DECIDED = 1_000_000, 100_000


def rulesets_of(a: Path, b: Path, map_file: Path | None, box: str) -> tuple[Any, Any]:
    """Return the rulesets to compare; print a note if partners share wins under one only."""
    from ...analysis.questions.compare import shared_wins

    rulesets = (ruleset_named(a, map_file, box), ruleset_named(b, map_file, box))
    for text in shared_wins(*rulesets):
        click.echo(f"note: {text}", err=True)
    return rulesets


def both_plans(rulesets: tuple[Any, Any], games: int, seeds: tuple[int, int], settings: dict[str, Any]) -> tuple[Any, Any]:
    """Return the plans of both sides; of two boxes, and if none are named, with the leaders that both have."""
    from ...simulator.runs.run_plan import available_leaders, plan_by

    first, second = (ruleset.compile() for ruleset in rulesets)
    if rulesets[0].box != rulesets[1].box and not settings["leaders"] and not settings["leader_pool"]:
        common = set(available_leaders(second))
        settings = settings | {"leader_pool": tuple(name for name in available_leaders(first) if name in common)}
    return plan_by(first, games=games, seed=seeds[0], **settings), plan_by(second, games=games, seed=seeds[1], **settings)


OF_TWO = ("half_width", "until_decided", "until_half_width", "focus", "most_games", "other_seed", "focus_cards", "ways")


def refuse_for_several(ctx: click.Context) -> None:
    """Raise UserError for an option that compares two rulesets only."""
    for name in OF_TWO:
        if ctx.get_parameter_source(name) == ParameterSource.COMMANDLINE:
            raise UserError(f"--{name.replace('_', '-')}: compares two rulesets; of several, compare A with one of them")


@click.command()
@click.argument("rulesets", type=PATH, nargs=-1, required=True, metavar="A B [C …]")
@shared.plan(4_000, "Games under each ruleset.", "Seed of both runs.", tables=True)
@click.option(
    "--vary", multiple=True, metavar="PATH=VALUES",
    help="Add a variant of A for each value, such as wonders.petra.cost=5,6,7; of several, all combinations.",
)  # fmt: skip
@click.option("--leader", metavar="LEADER", help="Of several variants: the best brings this leader nearest to its fair share.")
@click.option("--until-best", is_flag=True, help="Of several variants: play on only those that could be the best.")
@HALF_WIDTH
@click.option("--until-decided", is_flag=True, help="Play until every figure in focus is clear, at most --most-games.")
@rare("--until-half-width", type=Share(), help="Play until every figure in focus is known to ± this, such as 0.5%.")
@click.option(
    "--focus", type=Names(), default="leaders", show_default=True,
    help="Figures watched while it plays: game, leaders, agendas, wonders, cards.",
)  # fmt: skip
@rare(
    "--most-games", type=click.IntRange(2),
    help=f"Most games until that is so [default: {MOST_GAMES:,}, until decided {MOST_DECIDED:,}].",
)  # fmt: skip
@rare("--other-seed", type=int, help="Play B with this seed: unpaired, to see what chance alone does.")
@click.option("--focus-cards", is_flag=True, help="Compare how often each focus card is taken, too.")
@shared.box
@shared.map_file
@click.option("--ways", type=Names(), metavar="A,B,…", help="Compare by each of these strategies in turn, each on all seats.")
@answer_options
@click.pass_context
def compare(
    ctx: click.Context, rulesets: tuple[Path, ...], vary: tuple[str, ...], leader: str | None, until_best: bool, games: int,
    half_width: float, until_decided: bool, until_half_width: float | None, focus: tuple[str, ...], most_games: int | None,
    seed: int, other_seed: int | None, focus_cards: bool, box: str, map_file: Path | None, ways: tuple[str, ...] | None,
    jobs: int, out: Path | None, how: str, quiet: bool, **settings: Any,
) -> None:  # fmt: skip
    """Compare rulesets on the same seeds: what B changes against A, or which of several is best.

    \b
    newdawn compare printed cheaper_wonders --games 10000
    newdawn compare printed weaker_scythia no_barbarians --until-best
    newdawn compare printed --vary leaders.scythia.abilities.combat.amount=1,2 --leader Scythia
    newdawn compare printed mine.yaml --until-decided
    newdawn compare printed mine.yaml --until-half-width 0.5%
    newdawn compare printed mine.yaml --players 3,4
    newdawn compare base terra-incognita

    A and B are YAML files of house rules, names of packaged examples (simulator/data/house_rules), `printed` (the rules of
    --box), or the name of a box. Two boxes are compared with the leaders that both have. Each row is a headline figure: its
    values, the difference B - A, its half-width (95%, for this figure alone), the 95% interval that holds for all figures
    together, the verdict, which is read from that interval (margin: 2 points, 1 round), and the games that would decide what is
    open. Win rates are of decided games. `pairing` is the factor by which the common seeds save games.

    Of more than two (folders stand for the house rules in them; --vary adds variants of A), all are played on the same seeds,
    A once, and the answer says which could be the best: the one with the smallest leader spread, or, with --leader, the one
    that brings this leader nearest to its fair share. --until-best plays on only those that could be, up to --games each.

    With --until-decided it looks several times while it plays, and all intervals hold over its looks: it ends when each
    figure in focus is shown to differ, or to lie within what matters.

    With several --players, each table is played by itself, and the answer says what holds at all of them, and what at which.

    With --ways, it is played by each of several strategies in turn: which changes hold for all of them, and which depend on
    who plays? A house rule changes how one should play: `newdawn adapt` compares by players who are trained for it, too.
    """
    from ...analysis.questions.compare import TABLE, Comparison, clear
    from ...analysis.questions.compare import compare as play_both
    from ...analysis.questions.depends_on_players import TABLES as WAYS_TABLES
    from ...simulator.runs.columns import FOCUS_CARDS_TABLE

    if vary or len(rulesets) > 2 or any(path.is_dir() for path in rulesets):
        from .variants import compare_variants

        refuse_for_several(ctx)
        compare_variants(
            rulesets, vary, games=games, seed=seed, settings=settings, leader=leader or "", until_best=until_best, box=box,
            map_file=map_file, jobs=jobs, out=out, how=how, quiet=quiet,
        )  # fmt: skip
        return
    if len(rulesets) < 2:
        raise UserError("B: expected a second ruleset, or --vary; `newdawn compare printed mine.yaml`")
    for option in ("--leader",) * bool(leader) + ("--until-best",) * until_best:
        raise UserError(f"{option}: only of several variants; expected more rulesets, or --vary")
    a, b = rulesets
    for option, given in (("--until-half-width", until_half_width), ("--ways", ways)):
        if until_decided and given:
            raise UserError(f"--until-decided and {option}: expected one of the two")
    named = {name for name in ("games", "focus", "most_games") if ctx.get_parameter_source(name) == ParameterSource.COMMANDLINE}
    if until_decided and "games" in named:
        raise UserError("--until-decided and --games: expected --most-games, up to which it plays")
    if not until_decided and until_half_width is None:
        for name in sorted(named - {"games"}):
            raise UserError(f"--{name.replace('_', '-')}: only with --until-decided or --until-half-width")
    most = most_games or (MOST_DECIDED if until_decided else MOST_GAMES)

    both = rulesets_of(a, b, map_file, box)
    seeds = (seed, seed if other_seed is None else other_seed)
    if ways is not None:
        from . import ladder as by_way

        by_way.check_options(ways, until_half_width, settings)
    if len(settings["players"]) == 1:
        check_answer(out, WAYS_TABLES if ways is not None else [TABLE])
    if focus_cards and ways:
        raise UserError("--focus-cards and --ways: expected one of the two")
    counting = (FOCUS_CARDS_TABLE,) if focus_cards else ()
    at_tables = {
        players: tuple(replace(plan, tables=counting) for plan in both_plans(both, games, seeds, own))
        for players, own in each_table(settings).items()
    }
    if ways is not None and len(at_tables) > 1:
        raise UserError("--players and --ways: of several strategies expected one number of players, such as --players 4")
    plans, settings = next(iter(at_tables.values())), next(iter(each_table(settings).values()))
    by_name = {name: both_plans(both, games, seeds, settings | {"strategies": (name,)}) for name in ways or ()}
    for text in _same_rules(both, seed, seed) if other_seed is None else []:
        click.echo(f"note: {text}", err=True)
    wanted = until_half_width or half_width
    observer = progress.observer(quiet)
    if ways is not None:
        with keeping_games(out, both[1]):
            by_way.compare_ways(both, by_name, jobs=jobs, observer=observer, how=how, out=out)
        return

    def report(so_far: Comparison) -> None:
        if until_decided and not quiet:
            click.echo(f"{counted(so_far.pairs, 'pair')}: {so_far.reason}; playing on", err=True)
        if until_decided:
            return
        watched = so_far.frame[so_far.frame["group"].isin(focus) & (so_far.frame["figure"] != "rounds")]
        widest = watched.sort_values("half_width").iloc[-1] if len(watched) else None
        if widest is not None and not quiet:
            click.echo(f"{counted(so_far.pairs, 'pair')}: {widest['figure']} ±{widest['half_width']:.2%}; playing on", err=True)

    if len(at_tables) > 1:
        from .table_sizes import compare_at_tables

        compare_at_tables(
            both, at_tables, games, command="compare", jobs=jobs, out=out, how=how, quiet=quiet, half_width=wanted,
            until=until_half_width is not None, focus=focus, most_games=most, report=report,
            decided=clear if until_decided else None,
        )  # fmt: skip
        return
    with keeping_games(out, both[1]):
        result = play_both(
            plans, both, games, half_width=wanted, until=until_half_width is not None, focus=focus,
            most_games=most, jobs=jobs, observer=observer, report=report, decided=clear if until_decided else None,
        )  # fmt: skip
        show(both, plans, result, wanted, how)
        if out is not None:
            keep_comparison(out, "compare", both, plans, result, wanted)


def show(rulesets: Any, plans: Any, result: Any, wanted: float, how: str) -> None:
    """Print a comparison: its heading, the table, and the games that would decide what is open."""
    from ...analysis.pages.sentences import OF_LEADERS

    short = how == "table" and on_one_screen()
    if how == "table":
        tell((answered if short else heading)(rulesets, plans, result, wanted))
    click.echo(as_text(result.frame, how) if not short else table(most_changed(result.frame), how))
    if how == "table":
        leaders = result.frame[result.frame["group"] == "leaders"]
        tell_next(*(leaders, OF_LEADERS) if len(leaders) else (result.frame,))


def keep_comparison(out: Path, command: str, rulesets: Any, plans: Any, result: Any, wanted: float) -> None:
    """Keep a comparison for its page."""
    from ...analysis.questions.compare import TABLE, compared_findings, in_units
    from ...analysis.tables.kept_answers import NOTES

    notes = [*_same_rules(rulesets, plans[1].seed, plans[0].seed), *_unlike(rulesets, plans)]
    notes += [] if result.reason == "the games asked for" else [f"games were played until: {result.reason}"]
    names, same = [_called(ruleset, rulesets) for ruleset in rulesets], plans[0].seed == plans[1].seed
    keep_answer(
        out, command, f"{names[1]} against {names[0]}", rulesets[1], plans[1], {TABLE: result.frame},
        sentences=[finding.text for finding in compared_findings(in_units(result.frame))],
        words={"a": names[0], "b": names[1], "seeds": "same" if same else "other", NOTES: "\n".join(notes)},
        compared=f"{counted(result.pairs, 'game')} under each", against=rulesets[0],
    )  # fmt: skip


def heading(rulesets: Any, plans: Any, result: Any, wanted: float) -> str:
    """Return what was compared, how precisely, and the findings."""
    from ...analysis.questions.compare import compared_findings, in_units

    same = plans[0].seed == plans[1].seed
    enough = result.frame["enough"][result.frame["difference"].notna()]
    lines = [
        f"A = {_called(rulesets[0], rulesets)}, B = {_called(rulesets[1], rulesets)}",
        whose_games(plans[0].players, plans[0].seed, plans[0].strategies),
        f"{counted(result.pairs, 'game')} under each, {'on the same seeds' if same else 'on other seeds'}; {result.reason}",
        f"precision: {int(enough.sum())} of {len(enough)} figures are known to ±{wanted:.2%} (rounds: of A's mean)",
    ]
    lines += _unlike(rulesets, plans)
    lines += [finding.text for finding in compared_findings(in_units(result.frame))]
    return "\n".join(lines) + "\n"


CHANGES_NAMED = 2  # changes of the rules on one screen


def answered(rulesets: Any, plans: Any, result: Any, wanted: float) -> str:
    """Return what one screen says: what was changed in words, the answer, how many figures did not change, who played."""
    from ...analysis.questions.compare import compared_findings, headline, in_units
    from ...analysis.stats.verdicts import DIFFERENT, Verdict, having
    from ...simulator.rules.show import patch_notes

    frame = in_units(result.frame)
    notes = [str(note) for note in patch_notes(rulesets[1].data, rulesets[0].data)]
    more = f"; {len(notes) - CHANGES_NAMED} more" if len(notes) > CHANGES_NAMED else ""
    changed = f"{'; '.join(notes[:CHANGES_NAMED])}{more}" if notes else _called(rulesets[1], rulesets)
    different, within = (int(having(frame, kinds).sum()) for kinds in (DIFFERENT, {Verdict.WITHIN}))
    open_ones = len(frame) - different - within
    alike = f"{within} {'is' if within == 1 else 'are'} unchanged within the margin"
    undecided = f"{open_ones} {'is' if open_ones == 1 else 'are'} open"
    same = "on the same seeds" if plans[0].seed == plans[1].seed else "on other seeds"
    return "\n".join(
        [
            f"{headline(frame)}.",
            f"B against A: {changed}.",
            *(finding.text for finding in compared_findings(frame)[:2]),
            f"Of {counted(len(frame), 'figure')} {different} changed, {alike}, {undecided}.",
            f"{counted(result.pairs, 'game')} under each, {same}; {', '.join(dict.fromkeys(plans[1].strategies))} played.",
            "",
        ]
    )


def most_changed(frame: Any) -> Any:
    """Return the table of one screen: one row per figure, what changed first, then what is open; one interval in each."""
    import numpy as np
    import pandas as pd

    from ...analysis.questions.compare import in_units
    from ...analysis.stats.verdicts import DIFFERENT, Verdict, having

    own = in_units(frame)
    order = np.select([having(own, DIFFERENT), having(own, {Verdict.UNDECIDED})], [2, 1], 0) * 1e6 + own["matter"].abs()
    rows = []
    for row in own.loc[order.sort_values(ascending=False, kind="stable").index].to_dict("records"):
        mark = "" if row["unit"] == "rounds" else "%"
        ends = _interval(row["difference_all_low"], row["difference_all_high"], 1)
        nobody = row["a"] == row["b"] == 0 and row["group"] in ("wonders", "agendas", "cards")
        rows.append(
            {
                "figure": row["figure"], "before": f"{row['a']:.1f}{mark}", "after": f"{row['b']:.1f}{mark}",
                "change": f"{with_sign(row['difference'])} {ends}",
                "verdict": "never" if nobody else row["verdict"],
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def _unlike(rulesets: Any, plans: Any) -> list[str]:
    """Return what pairs of games do not have in common."""
    notes = []
    if plans[0].leaders != plans[1].leaders:
        notes.append("the rulesets deal different leaders, so pairs share maps and decks, but not always leaders")
    if rulesets[0].box != rulesets[1].box:
        notes.append(f"leaders: {', '.join(plans[0].leaders)}; the boxes use different maps, so pairs have little in common")
    return notes


def _same_rules(rulesets: Any, seed: int, other_seed: int) -> list[str]:
    """Return a note if the two rulesets are the same, so that nothing changes but by chance."""
    if rulesets[0].digest() != rulesets[1].digest():
        return []
    if seed != other_seed:
        return ["A and B are the same rules on different seeds: what differs is chance"]
    return ["A and B are the same rules, so nothing can change; --other-seed shows what chance does"]


def _called(ruleset: Any, rulesets: Any) -> str:
    """Return the name of a ruleset, with its box if two boxes are compared."""
    if rulesets[0].box == rulesets[1].box:
        return str(ruleset.name)
    return f"{ruleset.box} ({ruleset.name})"


def as_text(frame: Any, how: str) -> str:
    """Return the comparison in the format; CSV and JSON hold every column in full."""
    import pandas as pd

    from ...analysis.stats.verdicts import verdict_words

    if how in ("csv", "json"):
        return table(with_commands(frame), how)
    rows = []
    for row in frame.to_dict("records"):
        scale, mark = (1, "") if row["figure"] == "rounds" else (100, "%")
        compared = not pd.isna(row["difference"])
        rows.append(
            {
                "figure": row["figure"],
                "A": f"{scale * row['a']:.1f}{mark}" if row["n_a"] else "-",
                "B": f"{scale * row['b']:.1f}{mark}" if row["n_b"] else "-",
                "difference": with_sign(scale * row["difference"], 2) if compared else "-",
                "±": f"{scale * row['half_width']:.2f}" if compared else "-",
                "95% for all figures": _interval(scale * row["difference_all_low"], scale * row["difference_all_high"]),
                **_shift(frame, row),
                "n": _shown_n(row["n_a"], row["n_b"]),
                "pairing": f"{row['pairing']:.2f}" if not pd.isna(row["pairing"]) else "-",
                "verdict": verdict_words(row),
                "certainty": row["certainty"],
            }
        )
    return table(pd.DataFrame(rows), how)


def _shift(frame: Any, row: Any) -> dict[str, str]:
    """Return the shared part of a leader's change and the leader's own, if they can be separated."""
    if not ("own" in frame and frame["own"].notna().any()):
        return {}
    if row["own"] != row["own"]:
        return {"shared": "", "own [95% all]": ""}
    low, high = (100 * row[f"own_all_{end}"] for end in ("low", "high"))
    return {
        "shared": with_sign(100 * row["shared"], 2),
        "own [95% all]": f"{with_sign(100 * row['own'], 2)} {_interval(low, high)}",
    }


def _interval(low: float, high: float, digits: int = 2) -> str:
    return "-" if low != low else f"[{with_sign(low, digits)}, {with_sign(high, digits)}]"


def _shown_n(a: int, b: int) -> str:
    """Return the games behind a figure under both rulesets, with a mark if there are few."""
    from ...analysis.stats.rates import SMALL_SAMPLE

    few = " (few)" if 0 < min(a, b) < SMALL_SAMPLE else ""
    return (f"{a:,}" if a == b else f"{a:,}/{b:,}") + few


PLANNED = 0.005  # the half-width planned for, if nothing else is wanted
NO_RATES = "the fair share for each leader; there are no reference games of {} players"


@click.command()
@click.argument("folder", type=PLACE, metavar="[DIR]", required=False)
@click.option("--half-width", type=Share(), help="Precision wanted, as ± this [default: 0.5%].")
@click.option("--find", type=Share(), help="Instead: a difference that is to get its verdict with a probability of 80%.")
@click.option("--margin", type=Share(), default=0.02, help="Relevance margin of leaders' verdicts [default: 2%].")
@click.option("--players", type=click.IntRange(2, 5), help="Players at a table [default: those of the run, or 4].")
@click.option("--leader-pool", "leaders", type=click.IntRange(2), help="Leaders drawn from [default: of the run, or all].")
@click.option("--rate", type=Share(), help="Win rate expected of the leader that decides [default: the reference's].")
@click.option(
    "--pairing", type=float, default=1.0, show_default=True,
    help="Factor by which common seeds save games (the column `pairing` of a first `newdawn compare`).",
)  # fmt: skip
@shared.box
@output_options()
@click.pass_context
def plan(
    ctx: click.Context, folder: Place | None, half_width: float | None, find: float | None, margin: float, players: int | None,
    leaders: int | None, rate: float | None, pairing: float, box: str, how: str,
) -> None:  # fmt: skip
    """Calculate how many games a question needs for a 95% interval of ± the half-width.

    \b
    newdawn plan --half-width 0.5%
    newdawn plan results/first --half-width 1% --pairing 1.5
    newdawn plan --find 4% --players 4

    The slowest figure decides: the leader whose win rate is nearest to 50%. Rates are those of the run in DIR, or of the
    reference results with the same number of players. The half-width is that on the page: the report's intervals hold for all
    leaders together. `detectable` is the difference of which the page says `verdict` with a probability of 80% at that many
    games. --find plans for such a difference: of a leader truly so far from the fair share the verdict is too strong or too
    weak (beyond --margin), or balanced (within). Games of a comparison are counted under each ruleset.
    """
    import pandas as pd

    from ...analysis.questions.how_many_games import games_needed
    from ...analysis.stats.verdicts import MOST_GAMES, games_words
    from ...analysis.tables import reference_results
    from ...simulator.runs.run_plan import check_players_of_box

    if half_width is not None and find is not None:
        raise UserError("--half-width and --find: expected one of the two")
    half_width = PLANNED if half_width is None else half_width
    if folder is None:
        players = players or 4
        check_players_of_box(players, box)
        rates, whose, who = None, "the reference games", reference_results.played_by(players, box)
    else:
        from ...analysis.tables.read import open_run
        from ...analysis.tables.win_rates import leaders as leaders_of

        run = open_run(folder)
        if ctx.get_parameter_source("box") == ParameterSource.COMMANDLINE and box != run.box:
            raise UserError(f"--box {box}: {folder} is of the box {run.box}; expected no --box, or no folder")
        if rate is None and players not in (None, run.players):
            raise UserError(
                f"--players {players}: the win rates of {folder} are those of {run.players} players; expected a run of "
                f"{players}, or no folder (then rates are those of the reference games of {players}), or --rate"
            )
        seen = leaders_of(run)
        rates, whose, who = dict(zip(seen["leader"], seen["win_rate"], strict=True)), str(folder), strategies_of([run])
        box, players = run.box, players or run.players
        leaders = leaders or max(len(rates), len(run.manifest["plan"].get("leaders", ())))
    if rate is not None:
        rates = {"a leader": rate}
    elif how == "table":
        by = f", strategies: {', '.join(who)}" if who else ""
        known = folder is not None or who
        tell(f"win rates expected: {f'those of {whose} ({players} players{by})' if known else NO_RATES.format(players)}\n")
    frame = games_needed(half_width, players, leaders, pairing, rates, find, box, margin)
    if how in ("table", "markdown"):
        cells = {
            "question": frame["question"],
            "slowest figure": frame["slowest"],
            "half-width": ["-" if pd.isna(value) else f"±{value:.2%}" for value in frame["half_width"]],
            "games": [f"{value:,.0f}" if value < MOST_GAMES else games_words(value, value) for value in frame["games"]],
            "verdict": frame["verdict"],
            "detectable": ["-" if pd.isna(value) else f"{value:.2%}" for value in frame["detectable"]],
        }
        frame = pd.DataFrame(cells)
    click.echo(table(frame, how))
