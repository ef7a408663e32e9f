"""Players compared: `newdawn ladder`, all against each other; `ways`, the same game played by each of them."""

from __future__ import annotations

import json
import platform
import shlex
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import metadata
from math import gcd, isnan
from pathlib import Path
from typing import Any, NoReturn

import click

from ...simulator.errors import UserError, counted, with_minus
from ...simulator.file_ownership import check_files, write_files
from ...simulator.kept_files import COPIES, MIXED
from ...simulator.runs.run_folder import Place
from ...strategies.registry import STYLES
from . import progress, shared
from .answers import answer_options, check_answer, keep_answer, keeping_games, tell_next, with_commands
from .shared import PATH, PLACE, Names, fitted, output_options, ruleset_of, table, tell

# --- `newdawn ladder`

RATING_COLUMNS = ["rank", "strategy", "n", "wins", "win_rate", "win_rate_low", "win_rate_high"]
BIASED = "Results are biased if you chose the moment to stop by them."
AGAINST_NOTE = (
    "One seat of the strategy (row), all others copies of the opponent (column); seats rotate, leaders are drawn. "
    "Win rates are of decided games (n); intervals are Wilson's, 95% each, not corrected for looking at many pairs."
)


@click.command()
@shared.games(4_000, "Games; with --against, games of each pair.", least=1)
@click.option("--strategies", type=Names(), metavar="A,B,…", help="Who plays: names, profiles, functions [default: all].")
@click.option(
    "--against", type=Names(), metavar="A,B,…",
    help="Instead of mixed tables, play each strategy against copies of each of these ('all': of every one).",
)  # fmt: skip
@shared.players
@shared.seed("Seed; a game depends only on the seed and its number.")
@shared.rules
@shared.jobs
@output_options()
@click.option(
    "--out", type=PATH, metavar="DIR", help="Also write ladder.md, ladder.csv and ladder.json (or against.*) into this folder."
)
@shared.quiet
def ladder(
    games: int, strategies: tuple[str, ...] | None, against: tuple[str, ...] | None, players: int, seed: int,
    box: str, rules_files: tuple[Path, ...], map_file: Path | None, jobs: int, how: str, out: Path | None, quiet: bool,
) -> None:  # fmt: skip
    """Rate strategies by letting them play each other.

    \b
    newdawn ladder --games 20000 --out results/ladder
    newdawn ladder --strategies opportunist,mine.yaml --against random,autoplayer

    Tables mix the strategies: they are drawn without replacement, seats rotate and leaders are drawn evenly. The output
    rates the strategies (Plackett-Luce, with 95% intervals and simultaneous ranks). It also shows how often each wins beside
    whom, which agendas each strategy wins with, and how it plays. Ctrl-C ends it early and keeps what was played.
    """
    from ...strategies import registry

    ruleset = ruleset_of(rules_files, map_file, box)
    chosen = [registry.find(name) for name in strategies or registry.fast(box)]
    if out is not None:
        check_files(out, _names(MIXED if against is None else COPIES), "ratings")
    settings = {"players": players, "games": games, "seed": seed, "jobs": jobs}
    with keeping_games(out, ruleset):
        if against is None:
            output = _mixed(chosen, ruleset, settings, quiet)
        else:
            opponents = chosen if against == ("all",) else [registry.find(name) for name in against]
            output = _against(chosen, opponents, ruleset, settings, quiet)
        click.echo(_shown(output, how))
        if out is not None:
            _write(out, output)
            click.echo(f"written: {', '.join(str(out / name) for name in _names(output.stem))}", err=True)
    if output.stopped:
        raise SystemExit(130)


class Output:
    """What is shown and written: sentences, tables for readers (`shown`), tables in full, and where they come from."""

    def __init__(self, stem: str, title: str, provenance: dict[str, Any]) -> None:
        self.stem = stem
        self.title = title
        self.provenance = provenance
        self.sentences: list[str] = []
        self.shown: list[tuple[str, str, Any]] = []  # title, note, frame
        self.full: dict[str, Any] = {}
        self.stopped = False


def _provenance(chosen: list[Any], ruleset: Any, settings: dict[str, Any]) -> dict[str, Any]:
    from ...simulator.compile_cache import source_digest

    return {
        "command": shlex.join(["newdawn", *sys.argv[1:]]),
        "program": "newdawn-balance-lab",
        "engine": source_digest(),
        "ruleset": {"name": ruleset.name, "digest": ruleset.digest(), "box": ruleset.box},
        "players": settings["players"],
        "games_planned": settings["games"],
        "seed": settings["seed"],
        "strategies": [strategy.name for strategy in chosen],
        "own": [strategy.as_dict() for strategy in chosen if not strategy.packaged],
        "versions": {"python": platform.python_version()} | {name: metadata.version(name) for name in ("numba", "numpy")},
    }


def _load(chosen: list[Any]) -> None:
    """Load the strategies before the clock starts; raise UserError if two share a name."""
    names: dict[str, Any] = {}
    for strategy in chosen:
        if names.setdefault(strategy.name, strategy) != strategy:
            raise UserError(f"strategies: two different ones are named '{strategy.name}'")
        strategy.load()


def _nothing_done() -> NoReturn:
    click.echo("stopped before any game was finished", err=True)
    raise SystemExit(130)


# --- Mixed tables


def _mixed(chosen: list[Any], ruleset: Any, settings: dict[str, Any], quiet: bool) -> Output:
    from ...analysis.questions import ladder as lab

    output = Output(MIXED, "Ladder of strategies", _provenance(chosen, ruleset, settings))
    r = ruleset.compile()
    _load(chosen)
    observer = progress.observer(quiet)
    observer.begin(settings["games"], 0)
    try:
        played = lab.play_ladder(chosen, r, **settings, observer=observer)
    finally:
        observer.end()
    if played is None:
        _nothing_done()
    result = lab.report(played, settings["games"])
    output.stopped = result.stopped
    output.provenance["games"] = result.games
    output.provenance["unfinished"] = result.games - result.victories
    output.sentences = [
        f"{counted(result.games, 'game')} of {settings['players']} players, seed {settings['seed']}: {result.victories:,} won, "
        f"{result.games - result.victories:,} unfinished.",
    ]
    if result.stopped:
        output.sentences.append(f"Stopped: {counted(result.planned, 'game')} planned. {BIASED}")
    _describe(output, result)
    return output


def _describe(output: Output, result: Any) -> None:
    """Add the tables of a ladder to the output."""
    from ...analysis.tables import strategy_strength as lab
    from ...analysis.tables.kept_answers import PAIRS, RATINGS, SPREAD

    order = sorted(set(result.ways["strategy"]))
    if result.ratings is None:
        output.sentences.append(f"No ratings: {result.why_none}.")
    else:
        order = list(result.ratings["strategy"])
        output.full[RATINGS], output.full[SPREAD] = result.ratings, result.spread
        output.sentences.append(lab.spread_words(result.spread.iloc[0]))
        output.shown.append(
            ("Ratings", "400 points of the rating are odds of 10 to 1; intervals and ranks are simultaneous (95%); verdict: "
             "against the average, margin ±18. A strategy that never won has no rating.", _ratings_shown(result.ratings))
        )  # fmt: skip
    for name, frame in (
        (PAIRS, result.pairs), ("mixture", result.mixture), ("ways", result.ways), ("agendas", result.agendas),
        ("characters", result.characters),
    ):  # fmt: skip
        output.full[name] = frame
    n = result.pairs["n"]
    small = " Not enough games: read with care." if result.pairs["small_sample"].any() else ""
    output.shown += [
        ("Pairs", f"Win rate of the row in games with the column at the table; n from {n.min():,} to {n.max():,}.{small}",
         lab.pairs_matrix(result.pairs, order)),
        *_mixture_shown(result.mixture),
        ("How each wins", "Mean round of its wins, and victory cards claimed in all its games.",
         _ways_shown(result.ways, order)),
        ("Agendas of its wins", "Share of a strategy's wins, with the card in play, that claimed it by this agenda; n is in "
         "the full tables.", lab.agendas_matrix(result.agendas)[["agenda", *_present(result.agendas, order)]]),
        ("How each plays", "Means per game; * differs from the other seats of its games (Holm over all figures, 5%).",
         lab.characters_matrix(result.characters)[["measure", *order]]),
    ]  # fmt: skip


def _mixture_shown(frame: Any) -> list[tuple[str, str, Any]]:
    """Return the section on the mixture that no strategy beats; none if two of them never met."""
    import pandas as pd

    if frame.empty:
        return []
    shown = frame.sort_values("share_mean", ascending=False, kind="stable", ignore_index=True)
    rows = [
        {"strategy": row["strategy"], "share": _percent(row), "mean_share": f"{row['share_mean']:.0%}",
         "alpha_rank": f"{row['alpha_rank']:.0%}", "against_mixture": f"{row['against']:.1%}"}
        for row in shown.to_dict("records")
    ]  # fmt: skip
    note = (
        "Shares of the Nash mixture of the pairs' odds. Interval (95%) and mean are those of tables made of games drawn anew. "
        f"Against the mixture: the strategy's part of the wins where the two meet. Played by {_played_by(frame)}"
    )
    return [("Mixture that no strategy beats", note, pd.DataFrame(rows))]


def _played_by(frame: Any) -> str:
    """Return the option of `newdawn run` that plays like the mixture: the shortest pool, or the one strategy."""
    from ...analysis.tables.strategy_strength import POOL, pool

    places = Counter(pool(frame, POOL))
    names = [name for name, n in places.items() for _ in range(n // gcd(*places.values()))]
    return f"--strategy-pool {','.join(names)}" if len(names) > 1 else f"--strategies {names[0]}"


def _percent(row: dict[Any, Any]) -> str:
    low, high = (f"{100 * row[f'share_{end}']:.0f}" for end in ("low", "high"))
    return f"{100 * row['share']:.0f}% [{low}, {high}]"


def _present(frame: Any, order: list[str]) -> list[str]:
    return [name for name in order if name in set(frame["strategy"])]


def _ratings_shown(frame: Any) -> Any:
    from ...analysis.stats.verdicts import verdict_words

    shown = frame[RATING_COLUMNS].copy()
    rows = frame.to_dict("records")
    shown["rating"] = [_interval(row, "rating", "+.0f", "_all") for row in rows]
    shown["ranks"] = [_ranks(row) for row in rows]
    shown["verdict"] = [verdict_words(row) for row in rows]
    return shown.assign(small_sample=frame["small_sample"])


def _interval(row: dict[Any, Any], name: str, form: str, all_rows: str = "") -> str:
    """Return a value with its interval (`_all`: the one that holds for all rows), or - if there is none."""
    if isnan(row[name]):
        return "-"
    return with_minus(f"{row[name]:{form}} [{row[f'{name}{all_rows}_low']:{form}}, {row[f'{name}{all_rows}_high']:{form}}]")


def _ranks(row: dict[Any, Any]) -> str:
    if isnan(row["rank_best"]):
        return "-"
    best, worst = int(row["rank_best"]), int(row["rank_worst"])
    return f"{best}" if best == worst else f"{best}-{worst}"


def _ways_shown(frame: Any, order: list[str]) -> Any:
    shown = frame.set_index("strategy").loc[order].reset_index()
    shown["rounds"] = [_interval(row, "rounds", ".1f") for row in shown.to_dict("records")]
    shown["agendas"] = [f"{value:.2f}" for value in shown["agendas"]]
    return shown.drop(columns=["rounds_low", "rounds_high"])


# --- One against copies


def _against(chosen: list[Any], opponents: list[Any], ruleset: Any, settings: dict[str, Any], quiet: bool) -> Output:
    from ...analysis.questions import ladder as lab
    from ...analysis.tables import strategy_strength as strength

    everybody = list(dict.fromkeys([*chosen, *opponents]))
    output = Output(COPIES, "One against copies of another", _provenance(everybody, ruleset, settings))
    output.provenance["against"] = [strategy.name for strategy in opponents]
    r = ruleset.compile()
    _load(everybody)
    observer = progress.observer(quiet)
    meetings = sum(strategy.name != other.name for strategy in chosen for other in opponents)
    observer.begin(settings["games"] * meetings, 0)
    try:
        frame, output.stopped = lab.against(chosen, opponents, r, **settings, observer=observer)
    finally:
        observer.end()
    if not len(frame):
        _nothing_done()
    output.provenance["games"] = games = int(frame["n"].sum() + frame["unfinished"].sum())
    fair = frame["fair_share"].iloc[0]
    output.sentences = [f"{counted(games, 'game')} of {settings['players']} players, seed {settings['seed']}; "
                       f"the fair share is {fair:.1%}."]  # fmt: skip
    if output.stopped:
        output.sentences.append(f"Stopped after {len(frame)} of {counted(meetings, 'pair')}. {BIASED}")
    output.full[COPIES] = frame
    output.shown.append(("Win rates", AGAINST_NOTE, frame))
    if meetings > len(chosen):
        order = [strategy.name for strategy in everybody]
        matrix = strength.pairs_matrix(frame, order)
        output.shown.append(("Matrix", "Win rate of one seat of the row's strategy against copies of the column's.", matrix))
    return output


# --- Output


def _shown(output: Output, how: str) -> str:
    if how == "json":
        return json.dumps(_json(output), indent=1, ensure_ascii=False)
    if how == "csv":
        return _long(output).to_csv(index=False, lineterminator="\n").rstrip("\n")

    from ...analysis.tables.rendering import without_tags

    markdown = how == "markdown"
    parts = [f"{'# ' if markdown else ''}{output.title}", *output.sentences]
    for title, note, frame in output.shown:
        parts.append(f"## {title}\n\n{note}" if markdown else f"{title}\n{fitted(note)}")
        parts.append(table(frame, how))
    if markdown:
        source = output.provenance
        parts.append(
            f"Source: `{source['command']}`; {source['program']}, engine {source['engine']}, rules "
            f"'{source['ruleset']['name']}' {source['ruleset']['digest']}."
        )
        return without_tags("\n\n".join(parts))
    return "\n\n".join(parts)


def _json(output: Output) -> dict[str, Any]:
    return {"provenance": output.provenance} | {name: json.loads(table(frame, "json")) for name, frame in output.full.items()}


def _long(output: Output) -> Any:
    """Return all tables as one: one row per figure, with its interval and n where it has them."""
    import pandas as pd

    rows = []
    for name, frame in output.full.items():
        keys = [key for key in ("strategy", "opponent", "agenda", "measure") if key in frame]
        figures = [
            column for column in frame if column not in (*keys, "n", "small_sample") and not column.endswith(("_low", "_high"))
        ]
        for row in frame.to_dict("records"):
            other = next((row[key] for key in keys[1:]), "")
            for figure in figures:
                ends = (row.get(f"{figure}_low"), row.get(f"{figure}_high"))
                rows.append((name, row.get("strategy", ""), other, figure, row[figure], *ends, row["n"]))
    return pd.DataFrame(rows, columns=["table", "strategy", "other", "figure", "value", "low", "high", "n"])


def _write(out: Path, output: Output) -> None:
    """Write the three files, each whole or not at all."""
    from ...simulator.kept_files import as_text

    files = {name: _shown(output, how) + "\n" for name, how in _names(output.stem).items() if how != "json"}
    write_files(out, {**files, f"{output.stem}.json": as_text(_json(output))}, "ratings")


def _names(stem: str) -> dict[str, str]:
    """Return the names of the files and the format of each."""
    return {f"{stem}.md": "markdown", f"{stem}.csv": "csv", f"{stem}.json": "json"}


# --- `newdawn ways`

WAYS = ("quick", *STYLES)  # the default of --strategies
TOGETHER = "+"  # joins strategies that are drawn for each seat


class Counts(click.ParamType):
    """A number of games, or one for each strategy."""

    name = "counts"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """Return the numbers."""
        if isinstance(value, tuple):
            return value
        numbers = str(value).split(",")
        if not all(number.strip().isdecimal() and int(number) >= 2 for number in numbers):
            self.fail(f"'{value}': expected a number of games from 2, or one for each strategy, such as 4000,300", param, ctx)
        return tuple(int(number) for number in numbers)


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
    from ...analysis.questions import depends_on_players as lab
    from ...analysis.tables import figures_by_strategy as by_way

    check_answer(out, lab.TABLES)
    if folders:
        if strategies is not None or rules_files or map_file is not None:
            raise UserError("ways: expected folders of runs, or --strategies (with --rules and --map) to play; got both")
        if out is not None:
            raise UserError("--out: keeps only what is played; for runs, `newdawn report RUN --beside RUN2` writes the chapter")
        runs = lab.open_ways(folders)
        subjects = lab.subjects_of_run(next(iter(runs.values())))
        figures = by_way.ways(runs, subjects)
        show(figures, by_way.verdicts(figures), how)
        return
    from ...analysis.tables.paired_figures import subjects_of

    names = strategies or WAYS
    counts = games * len(names) if len(games) == 1 else games
    if len(counts) != len(names):
        raise UserError(f"--games: {len(counts)} numbers for {len(names)} strategies; expected one, or one for each")
    if len(names) < 2 or len(set(names)) < len(names):
        raise UserError(f"--strategies: {','.join(names)}; expected two or more different strategies")
    ruleset = ruleset_of(rules_files, map_file, box)
    plans = plans_of(ruleset, names, counts, {"players": players, "seed": seed, "round_cap": round_cap})
    with keeping_games(out, ruleset):
        figures = by_way.ways(played(ruleset, plans, jobs, quiet), subjects_of(ruleset.compile()))
        verdicts = by_way.verdicts(figures)
        show(figures, verdicts, how)
        if out is not None:
            compared = ", ".join(f"{counted(plan.games, 'game')} of {name}" for name, plan in plans.items())
            keep_answer(
                out, "ways", f"{ruleset.name}: strategies compared", ruleset, next(iter(plans.values())),
                dict(zip(lab.TABLES, (figures, verdicts), strict=True)), sentences=lab.sentences(figures, verdicts),
                compared=compared, players=list(plans),
            )  # fmt: skip


NAMED = ("strategies", "strategy_pool")


def check_options(names: tuple[str, ...], until_half_width: float | None, settings: dict[str, Any]) -> None:
    """Raise UserError for options of a comparison that exclude --ways, or if fewer than two strategies are named."""
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
    from ...analysis.questions import depends_on_players as lab
    from ...analysis.questions.compare import compare
    from ...analysis.tables import figures_by_strategy as by_way

    frames, pairs = {}, 0
    for both in plans.values():
        result = compare(both, rulesets, both[0].games, jobs=jobs, observer=observer, tables=len(plans))
        frames[both[0].strategies[0]], pairs = result.frame, result.pairs
    figures = by_way.changes_by_way(frames)
    verdicts = by_way.verdicts(figures)
    if how == "table":
        tell(f"A = {rulesets[0].name}, B = {rulesets[1].name}: what B changes, by strategy\n")
    show(figures, verdicts, how)
    if out is not None:
        title = f"{rulesets[1].name} against {rulesets[0].name}, by strategy"
        compared = f"{counted(pairs, 'game')} under each ruleset, by each of {len(frames)} strategies"
        plan = next(iter(plans.values()))[1]
        keep_answer(
            out, "compare --ways", title, rulesets[1], plan, dict(zip(lab.TABLES, (figures, verdicts), strict=True)),
            sentences=lab.sentences(figures, verdicts), compared=compared, players=list(frames), against=rulesets[0],
        )  # fmt: skip


def plans_of(ruleset: Any, names: tuple[str, ...], counts: tuple[int, ...], settings: dict[str, Any]) -> dict[str, Any]:
    """Return the plan of each way by its name: a strategy on all seats, or several that are drawn for each seat."""
    from ...simulator.runs.run_plan import plan_by

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
    from ...analysis.questions.ladder import LadderGames, play
    from ...simulator.runs.run import tables_of

    r, tables = ruleset.compile(), {}
    for name, plan in plans.items():
        observer = progress.observer(quiet)
        if not quiet:
            click.echo(f"{name}:", err=True)
        observer.begin(plan.games, 0)
        rows = play(plan, r, jobs, observer)
        observer.end()
        frames = {table: part.to_pandas() for table, part in tables_of(plan, r, rows).items()}
        tables[name] = LadderGames(plan.players, frames)
    return tables


def show(figures: Any, verdicts: Any, how: str) -> None:
    """Print the sentences and the figures side by side; CSV and JSON hold one row per figure and way, with its verdict."""
    import pandas as pd

    from ...analysis.questions import depends_on_players as lab
    from ...analysis.tables.figures_by_strategy import is_change

    if how in ("csv", "json"):
        judged = verdicts.drop(columns=["ways", "least", "most"])
        click.echo(table(with_commands(figures.merge(judged, on=["group", "figure"])), how))
        return
    if how == "table":
        for sentence in lab.sentences(figures, verdicts):
            tell(sentence)
        click.echo()
    records = verdicts.to_dict("records")
    bands = [lab.shown_band(row, is_change(figures)) for row in records]
    texts = verdicts.assign(depends=[lab.shown_verdict(row) for row in records], band=bands).set_index("figure")
    rows = []
    for figure, part in figures.groupby("figure", sort=False):
        over = {"over players": texts["band"][figure], "verdict": texts["stands"][figure]}
        ns = list(dict.fromkeys(f"{n:,}" for n in part["n"]))
        cells = {"figure": figure, **{row["way"]: lab.shown_value(row) for row in part.to_dict("records")}}
        rows.append(cells | {"n": "/".join(ns), "depends": texts["depends"][figure]} | over)
    click.echo(table(pd.DataFrame(rows).fillna("-"), how))
    if how == "table":
        tell_next(verdicts)
