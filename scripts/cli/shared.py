"""What commands share: options, tables on the screen, refusals, progress, keeping answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from ...simulator import names
from ...simulator.errors import counted, facts, listed, nearest
from .one_screen import begin, screen_of, width

# --- Options

F = TypeVar("F", bound=Callable[..., Any])


class Names(click.ParamType):
    """Names separated by commas."""

    name = "names"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """Return the names without spaces around them."""
        if not isinstance(value, str):
            return tuple(value)
        names = tuple(name.strip() for name in value.split(","))
        if not all(names):
            self.fail(f"'{value}': expected names separated by commas", param, ctx)
        return names


class TableSizes(click.ParamType):
    """Numbers of players separated by commas, such as 4 or 3,4: a question is asked at each of these tables."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """Return the numbers, each once."""
        if isinstance(value, tuple):
            return value
        words = [word.strip() for word in str(value).split(",")]
        if not all(word.isdecimal() for word in words):
            self.fail(f"'{value}': expected a number of players such as 4, or several such as 3,4", param, ctx)
        sizes = tuple(int(word) for word in words)
        if len(set(sizes)) < len(sizes):
            self.fail(f"'{value}': names a number of players twice; expected each once", param, ctx)
        return sizes


class LocalPath(click.Path):
    """A path on this machine."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; an address would become a folder of that name."""
        from ...simulator.runs import run_folder

        if isinstance(value, str) and not value.strip():
            self.fail(f"'{value}': expected the name of a file or folder", param, ctx)
        if isinstance(value, str) and run_folder.SIGN in value:
            value = run_folder.place(value)
            if not isinstance(value, Path):
                self.fail(f"'{value}' is an address; expected a path on this machine", param, ctx)
        return super().convert(value, param, ctx)


class RunPlace(click.ParamType):
    """Where a run is: a folder, or an address like s3://bucket/run."""

    name = "run"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the place; raise UserError if there is no driver for such an address."""
        from ...simulator.runs import run_folder

        return run_folder.place(value)


class Rare(click.Option):
    """An option that only `--help-all` lists if a command has many; the last one says which are left out."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option with its help, or nothing."""
        if len(ctx.command.params) <= FEW or HELP_ALL in ctx.meta.get(ARGUMENTS, ()):
            return super().get_help_record(ctx)
        left_out = [param for param in ctx.command.params if isinstance(param, Rare)]
        if self is not left_out[-1]:
            return None
        return HELP_ALL, f"Show {counted(len(left_out), 'more option')}: {', '.join(option.opts[0] for option in left_out)}."


rare = partial(click.option, cls=Rare)
PATH = LocalPath(path_type=Path)
PLACE = RunPlace()


def processors() -> int:
    """Return the default of --jobs."""
    import joblib

    return int(joblib.cpu_count())


def games(most: int, text: str, least: int = 2) -> Callable[[F], F]:
    """Add --games: `most` by default."""
    return click.option("--games", type=click.IntRange(least), default=most, show_default=True, help=text)


def seed(text: str = "Seed of the games.") -> Callable[[F], F]:
    """Add --seed; the plan of the games checks its range."""
    return click.option("--seed", type=int, default=1, show_default=True, help=text)


jobs = rare("--jobs", type=click.IntRange(1), default=processors, help="Workers [default: the processors of this machine].")
quiet = rare("--quiet", is_flag=True, help="No progress line.")
leaders = click.option(
    "--leaders", type=Names(), metavar="A,B,…", help="One leader a player; seats rotate evenly over the games."
)
leader_pool = rare("--leader-pool", type=Names(), metavar="A,B,…", help="Draw each game's leaders from these [default: all].")
strategies = click.option(
    "--strategies", type=Names(), metavar="A[,B,…]", help="One strategy for all, or one a player (rotating)."
)
strategy_pool = rare("--strategy-pool", type=Names(), metavar="A,B,…", help="Draw each seat's strategy from these.")
round_cap = rare("--round-cap", type=int, default=200, show_default=True, help="Stop a game unfinished after this round.")
box = click.option(
    "--box", type=click.Choice(names.BOXES), default=names.BOXES[0], show_default=True,
    help="Box to play: the base game, or with the expansion Terra Incognita.",
)  # fmt: skip
PLAYERS_HELP = "Players: 2 to {}, with the expansion to {}.".format(*(names.MOST_PLAYERS[box] for box in names.BOXES))
players = click.option("--players", type=int, default=4, show_default=True, help=PLAYERS_HELP)
players_of_tables = click.option(
    "--players", "players", type=TableSizes(), default="4", show_default=True, metavar="N[,N…]",
    help=f"{PLAYERS_HELP} Of several, such as 3,4, the answer says what holds at all of these tables.",
)  # fmt: skip
map_file = rare("--map", "map_file", type=PATH, metavar="FILE", help="Play on the map of this YAML file.")


def added(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Return a decorator that adds these options, in this order."""

    def add(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return add


rules_file = click.option(
    "--rules", "rules_files", type=PATH, metavar="FILE", multiple=True,
    help="House rules (a YAML file, or a packaged example by name: epic_game has 4 victory cards in play, two_of_three"
    " needs 2 to win) over the printed game; may be repeated, later ones win.",
)  # fmt: skip


def rules(function: F) -> F:
    """Add --box, --rules and --map."""
    return box(rules_file(map_file(function)))


def ruleset_of(rules_files: tuple[Path, ...], map_file: Path | None, box: str) -> Any:
    """Load the ruleset of the options; print notes on rules without effect."""
    from ...simulator.rules import load_ruleset

    return _noted(load_ruleset(rules_files, map_file, box))


def _noted(ruleset: Any) -> Any:
    from ...simulator.rules.edit import vain_at

    ctx = click.get_current_context(silent=True)
    options = ctx.params if ctx else {}
    counts = options.get("players") or len(options.get("seats") or ())
    counts = sorted({count for count in ([counts] if isinstance(counts, int) else counts) if type(count) is int and count > 1})
    for note in (*ruleset.notes, *(vain_at(ruleset, counts) if counts else ())):
        click.echo(f"note: {note}", err=True)
    return ruleset


def ruleset_named(name: Path, map_file: Path | None, box: str) -> Any:
    """Load 'printed', a box or a packaged example by name, or a file of rules; print notes on rules without effect."""
    from ...simulator.rules import load_ruleset
    from ...simulator.rules.load import PRINTED

    if str(name) in names.BOXES:
        return load_ruleset((), map_file, str(name))
    return _noted(load_ruleset([] if str(name) == PRINTED else [name], map_file, box))


def training(what: str, alone: bool = False) -> Callable[[F], F]:
    """Add the options of training, for commands with --adapt or (`alone`) for one that trains; `what` completes their help."""
    add, given, instead = (
        (click.option, "", "Instead of --budget") if alone else (rare, "With --adapt: ", "With --adapt, instead of --budget")
    )
    return added(
        add("--budget", type=click.FloatRange(0.1), default=5.0, show_default=True, metavar="MINUTES",
            help=f"{given}Time for which {what}."),
        add("--adapt-games", type=click.IntRange(20), help=f"{instead}: games in each stage of training."),
        add("--training", type=PATH, metavar="DIR", default=Path("results/adapted"), show_default=True,
            help=f"{given}Folder that keeps the trainings; the same command continues them."),
    )  # fmt: skip


def plan(
    most: int, text: str = "Number of games.", seeds: str = "Seed of the games.", least: int = 2, tables: bool = False
) -> Callable[[F], F]:
    """Add the options that decide which games are played: players, games, seed, leaders, strategies, round cap.

    `tables`: the question may be asked at several numbers of players at once; `each_table` has the settings of each.
    """
    return added(
        players_of_tables if tables else players,
        games(most, text, least),
        seed(seeds),
        leaders,
        leader_pool,
        strategies,
        strategy_pool,
        round_cap,
    )


def each_table(settings: Mapping[str, Any]) -> dict[int, dict[str, Any]]:
    """Return the options of `plan` at each of the numbers of players."""
    return {players: {**settings, "players": players} for players in settings["players"]}


def plan_of(ruleset: Any, settings: dict[str, Any]) -> Any:
    """Return the plan of the options of `plan`; raise UserError if the rules do not allow it."""
    from ...simulator.runs.run_plan import chosen_in_vain, plan_by

    r = ruleset.compile()
    plan = plan_by(r, **settings)
    if note := chosen_in_vain(plan, r):
        click.echo(f"note: {note}", err=True)
    return plan


def shown_p(p: float) -> str:
    """Return a p value for readers; '-' if there is none."""
    from ...analysis.stats.verdicts import p_words

    return p_words(p).replace("–", "-")


# --- Output
#
# `output_options` gives a command --format, --json, --wide and --all (`one_screen`); their values are in click's context, where
# `table` finds them.

FORMATS = ("table", "csv", "json", "markdown")
WIDE = "newdawn.wide"
JSON = "newdawn.json"


def _remember(key: str) -> Callable[[click.Context, click.Parameter, bool], None]:
    def keep(ctx: click.Context, _: click.Parameter, given: bool) -> None:
        ctx.meta[key] = given

    return keep


def _format(ctx: click.Context, _: click.Parameter, how: str | None) -> str:
    """Return the format wanted: --json is short for --format json."""
    if not ctx.meta.get(JSON):
        return how or "table"
    if how not in (None, "json"):
        raise click.UsageError(f"--json and --format {how}: expected one of the two", ctx)
    return "json"


def wide_option(function: F) -> F:
    """Add --wide."""
    return rare(
        "--wide", is_flag=True, expose_value=False, is_eager=True, callback=_remember(WIDE),
        help="Show every column, however wide the table.",
    )(function)  # fmt: skip


def all_option(function: F) -> F:
    """Add --all: everything, not one screen."""
    return rare(
        "--all", is_flag=True, expose_value=False, is_eager=True, callback=begin,
        help="Show everything, not just what fits a screen.",
    )(function)  # fmt: skip


def output_options(formats: Sequence[str] = FORMATS, text: str = "Output format.") -> Callable[[F], F]:
    """Add --format (parameter `how`), --json, --wide and --all."""

    def add(function: F) -> F:
        function = click.option(
            "--json", is_flag=True, expose_value=False, is_eager=True, callback=_remember(JSON), help="Short for --format json."
        )(all_option(wide_option(function)))
        return rare("--format", "how", type=click.Choice(formats), callback=_format, help=f"{text} [default: table]")(function)

    return add


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def table(frame: Any, how: str) -> str:
    """Return the frame in the format; on a terminal it is narrowed (not with --wide), and of one screen (not with --all)."""
    from ...analysis.tables.rendering import Screen, render

    context = click.get_current_context(silent=True)
    wide, screen = bool(context and context.meta.get(WIDE)), screen_of(context)
    if screen is None or how != "table":
        return render(frame, how, Screen(width(), wide))
    return screen.table(lambda lines: render(frame, how, Screen(width(), wide, lines)))


def strategies_of(runs: Sequence[Any]) -> list[str]:
    """Return who played the runs."""
    return list(dict.fromkeys(name for run in runs for name in run.manifest.get("plan", {}).get("strategies", ())))


def whose_games(players: int | Sequence[int], seed: int, strategies: Sequence[str]) -> str:
    """Return which games an answer is of: it holds for these players, at these tables."""
    tables = listed([players] if isinstance(players, int) else list(players))
    return f"{tables} players, seed {seed}, strategies: {', '.join(dict.fromkeys(strategies))}"


def played(ruleset: Any, plan: Any) -> str:
    """Return the first line of an answer about one ruleset: the rules, and whose games it is of."""
    return f"rules: {ruleset.name} ({ruleset.digest()[:12]}), {whose_games(plan.players, plan.seed, plan.strategies)}"


def fitted(text: str) -> str:
    """Return sentences with lines broken at the width of the terminal."""
    from ...analysis.tables.rendering import prose

    return prose(text, width())


def tell(text: str) -> None:
    """Print sentences, broken at the width of the terminal; on one screen those that there is room for."""
    screen = screen_of(click.get_current_context(silent=True))
    click.echo(fitted(text) if screen is None else screen.prose(fitted(text)))


def tell_json(value: Any) -> None:
    """Print a value as JSON."""
    import json

    click.echo(json.dumps(value, indent=1, ensure_ascii=False))


# --- Refusals: a line for people and, with --json, an object for programs

ARGUMENTS = "newdawn.arguments"  # the command's arguments, in click's context
HELP_ALL = "--help-all"
FEW = 15  # at most this many options on the first page of a command's help
WRONG = 2  # exit code


def remember(ctx: click.Context, arguments: Sequence[str]) -> None:
    """Keep the arguments of the command, for --json counts even if they cannot be parsed."""
    ctx.meta[ARGUMENTS] = list(arguments)


def refuse(ctx: click.Context, message: str, file: str = "", field: str = "") -> NoReturn:
    """Say what is wrong and end with exit code 2: a line on standard error; with --json also an object on standard output."""
    click.echo(f"error: {message}", err=True)
    arguments = ctx.meta.get(ARGUMENTS, [])
    if wants_json(arguments):
        place = _place(message, arguments)
        tell_json(facts(message, file or place.get("file", ""), field or place.get("field", "")))
    ctx.exit(WRONG)


def _place(message: str, arguments: Sequence[str]) -> dict[str, str]:
    """Return the file or option that a message begins with, as in `results/first: not a run folder`."""
    head = message.partition(": ")[0]
    if head.startswith("--"):
        return {"field": head.partition(" ")[0]}
    return {"file": head} if head in arguments or Path(head).exists() else {}


def wants_json(arguments: Sequence[str]) -> bool:
    """Return whether the arguments of a command ask for JSON."""
    arguments = list(arguments[: arguments.index("--")] if "--" in arguments else arguments)
    pairs = zip(["", *arguments], arguments, strict=False)
    return any(
        argument in ("--json", "--format=json") or (before, argument) == ("--format", "json") for before, argument in pairs
    )


def usage(error: click.UsageError) -> dict[str, str]:
    """Return the message and the field of an error in the arguments; an error that only shows help is raised again."""
    if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):
        raise error
    path = error.ctx.command_path if error.ctx else "newdawn"
    return {"message": f"{_message(error)}; see {path} --help", "field": _field(error)}


def _message(error: click.UsageError) -> str:
    """Return the message of click; where there are names to choose from, with the nearest, as in our own errors."""
    if isinstance(error, click.NoSuchOption) and error.possibilities:
        return f"No such option '{error.option_name}'{nearest(error.option_name, error.possibilities)}"
    group = error.ctx.command if error.ctx else None
    if isinstance(group, click.Group) and error.ctx and (given := re.match(r"No such command '(.*?)'", error.message)):
        return f"No such command '{given[1]}'{nearest(given[1], group.list_commands(error.ctx))}"
    kind = error.param.type if isinstance(error, click.BadParameter) and error.param else None
    if isinstance(kind, click.Choice) and (given := re.search(r"'(.*)' is not one of", error.message)):
        close = nearest(given[1], kind.choices)
        return f"Invalid value for '{_field(error)}': '{given[1]}': expected one of {', '.join(kind.choices)}{close}"
    if given := re.search(r"'(.*)' is not a valid (integer|float)", error.message):
        number = "a whole number such as 1000" if given[2] == "integer" else "a number such as 0.5"
        return f"Invalid value for '{_field(error)}': '{given[1]}': expected {number}"
    return error.format_message().removesuffix(".")


def _field(error: click.UsageError) -> str:
    param: Any = getattr(error, "param", None)
    return str(param.opts[-1] if param is not None else getattr(error, "option_name", ""))
