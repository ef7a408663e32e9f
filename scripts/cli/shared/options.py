"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from ....simulator import names

F = TypeVar("F", bound=Callable[..., Any])


class Names(click.ParamType):
    """Names separated by commas."""

    name = "names"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """Return the names without blanks around them."""
        if not isinstance(value, str):
            return tuple(value)
        names = tuple(name.strip() for name in value.split(","))
        if not all(names):
            self.fail(f"'{value}': expected names separated by commas", param, ctx)
        return names


class LocalPath(click.Path):
    """A path on this machine."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; an address would become a folder of that name."""
        from ....simulator.batch import places

        if isinstance(value, str) and not value.strip():
            self.fail(f"'{value}': expected the name of a file or folder", param, ctx)
        if isinstance(value, str) and places.SIGN in value:
            value = places.place(value)
            if not isinstance(value, Path):
                self.fail(f"'{value}' is an address; expected a path on this machine", param, ctx)
        return super().convert(value, param, ctx)


class RunPlace(click.ParamType):
    """Where a run lies: a folder, or an address like s3://bucket/run."""

    name = "run"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the place; raise UserError if there is no driver for such an address."""
        from ....simulator.batch import places

        return places.place(value)


PATH = LocalPath(path_type=Path)
PLACE = RunPlace()


def processors() -> int:
    """Return how many workers there are where --jobs names no number."""
    import joblib

    return int(joblib.cpu_count())


def games(most: int, text: str, least: int = 2) -> Callable[[F], F]:
    """Add --games: `most` by default."""
    return click.option("--games", type=click.IntRange(least), default=most, show_default=True, help=text)


def seed(text: str = "Seed of the games.") -> Callable[[F], F]:
    """Add --seed; whatever makes the plan of the games says which seeds there are."""
    return click.option("--seed", type=int, default=1, show_default=True, help=text)


jobs = click.option(
    "--jobs", type=click.IntRange(1), default=processors, help="Workers [default: the processors of this machine]."
)
quiet = click.option("--quiet", is_flag=True, help="No progress line.")
leaders = click.option(
    "--leaders", type=Names(), metavar="A,B,…", help="One leader a player; seats rotate evenly over the games."
)
leader_pool = click.option(
    "--leader-pool", type=Names(), metavar="A,B,…", help="Draw each game's leaders from these [default: all]."
)
strategies = click.option(
    "--strategies", type=Names(), metavar="A[,B,…]", help="One strategy for all, or one a player (rotating)."
)
strategy_pool = click.option("--strategy-pool", type=Names(), metavar="A,B,…", help="Draw each seat's strategy from these.")
round_cap = click.option(
    "--round-cap", type=int, default=200, show_default=True, help="Stop a game unfinished after this round."
)
box = click.option(
    "--box", type=click.Choice(names.BOXES), default=names.BOXES[0], show_default=True,
    help="Box to play: the base game, or with the expansion Terra Incognita.",
)  # fmt: skip
PLAYERS_HELP = "Players: 2 to {}, with the expansion to {}.".format(*(names.MOST_PLAYERS[box] for box in names.BOXES))
players = click.option("--players", type=int, default=4, show_default=True, help=PLAYERS_HELP)
map_file = click.option("--map", "map_file", type=PATH, metavar="FILE", help="Play on the map of this YAML file.")


def added(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Return what adds these options, in their order."""

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
    """Load the ruleset of the options; say what of it is in vain."""
    from ....simulator.rules import load_ruleset

    return _noted(load_ruleset(rules_files, map_file, box))


def _noted(ruleset: Any) -> Any:
    from ....simulator.rules.loading.parameters import vain_at

    ctx = click.get_current_context(silent=True)
    asked = ctx.params if ctx else {}
    counts = asked.get("players") or len(asked.get("seats") or ())
    counts = sorted({count for count in ([counts] if isinstance(counts, int) else counts) if type(count) is int and count > 1})
    for note in (*ruleset.notes, *(vain_at(ruleset, counts) if counts else ())):
        click.echo(f"note: {note}", err=True)
    return ruleset


def ruleset_named(word: Path, map_file: Path | None, box: str) -> Any:
    """Load the rules of a word: 'printed', the name of a box or of a packaged example, or a file; say what is in vain."""
    from ....simulator.rules import load_ruleset
    from ....simulator.rules.loading.load import PRINTED

    if str(word) in names.BOXES:
        return load_ruleset((), map_file, str(word))
    return _noted(load_ruleset([] if str(word) == PRINTED else [word], map_file, box))


def training(what: str) -> Callable[[F], F]:
    """Add what decides how long players are trained with --adapt, and where that is kept; `what`: what a budget is spent on."""
    return added(
        click.option("--budget", type=click.FloatRange(0.1), default=5.0, show_default=True, metavar="MINUTES",
                     help=f"With --adapt: time for which {what}."),
        click.option("--adapt-games", type=click.IntRange(20),
                     help="With --adapt, instead of --budget: games in each stage of training."),
        click.option("--training", type=PATH, metavar="DIR", default=Path("results/adapted"), show_default=True,
                     help="With --adapt: folder that keeps the trainings; the same command continues them."),
    )  # fmt: skip


def plan(most: int, text: str = "Number of games.", seeds: str = "Seed of the games.", least: int = 2) -> Callable[[F], F]:
    """Add what decides which games are played: players, games (`most` by default), seed, leaders, strategies, round cap."""
    return added(players, games(most, text, least), seed(seeds), leaders, leader_pool, strategies, strategy_pool, round_cap)


def plan_of(ruleset: Any, settings: dict[str, Any]) -> Any:
    """Return the plan of the options of `plan`; raise UserError if the rules do not allow it."""
    from ....simulator.games.plan import chosen_in_vain, plan_by

    r = ruleset.compile()
    plan = plan_by(r, **settings)
    if note := chosen_in_vain(plan, r):
        click.echo(f"note: {note}", err=True)
    return plan


def shown_p(p: float) -> str:
    """Return a p value for reading; '-' if there is none."""
    from ....analysis.statistics.answer import p_words

    return p_words(p).replace("–", "-")
