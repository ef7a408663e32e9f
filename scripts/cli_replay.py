"""`newdawn replay`: one game as a readable turn log, and its board as a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from simulator.errors import UserError

DEFAULT_PLAYERS = 4
SEAT_OPTIONS = ("players", "seed", "leaders", "leader_pool", "strategies", "strategy_pool", "round_cap", "rules", "map_file")


def split(text: str | None) -> list[str] | None:
    """Return the names of a comma-separated list, None if the option was not given."""
    return None if text is None else [word.strip() for word in text.split(",") if word.strip()]


@click.command("replay")
@click.option("--run", "run_folder", type=click.Path(path_type=Path), help="Take rules and seats from a run's folder.")
@click.option("--seed", type=int, help="Seed of the run.")
@click.option("--game", type=int, required=True, help="Number of the game in the run, from 0.")
@click.option("--players", type=int, help=f"Number of players (default {DEFAULT_PLAYERS}).")
@click.option("--leaders", help="Line-up: one leader a player, separated by commas.")
@click.option("--leader-pool", help="Leaders to draw from, separated by commas (default: all).")
@click.option("--strategies", help="One strategy for all, or one a player, separated by commas.")
@click.option("--strategy-pool", help="Strategies to draw from, separated by commas.")
@click.option("--rules", multiple=True, type=click.Path(path_type=Path), help="House rules (YAML); may be repeated.")
@click.option("--map", "map_file", type=click.Path(path_type=Path), help="Map file (YAML).")
@click.option("--round-cap", type=int, help="Round at which a game is stopped as unfinished.")
@click.option("--round", "last_round", type=int, help="Stop after this round (0: after the set-up).")
@click.option("--board", type=click.Path(path_type=Path), help="Draw the board at the end: a file .svg or .png.")
@click.option("--every-round", type=click.Path(path_type=Path), help="Draw the board after every round into a folder.")
@click.option("--choices", is_flag=True, help="Show every decision with its number of options.")
@click.option("--log", "log_file", type=click.Path(path_type=Path), help="Write the log to a file instead of the screen.")
def replay(run_folder, game, last_round, board, every_round, choices, log_file, **settings) -> None:
    """Play one game of a run again and tell it turn by turn."""
    if last_round is not None and last_round < 0:
        raise UserError(f"--round: {last_round} is not possible; expected a whole number from 0")
    check_picture(board)
    ruleset, plan = from_run(run_folder, settings) if run_folder else from_options(game, settings)
    from simulator.replay.stepper import Game  # compiles the engine, so only once the options are known to be right

    stepper = Game(ruleset, plan, game, choices)
    with writer(log_file) as tell:
        follow(stepper, tell, last_round, every_round)
    if board is not None:
        draw(stepper, board)


def check_picture(board: Path | None) -> None:
    """Refuse a picture format we do not write before a game is played for it."""
    if board is not None and board.suffix.lower() not in (".svg", ".png"):
        raise UserError(f"--board: '{board}': expected a name that ends in .svg or .png")


def from_run(folder: Path, settings: dict[str, Any]) -> tuple[Any, Any]:
    """Return the rules and the plan of a run folder."""
    from simulator.batch import manifest
    from simulator.batch.plan import Plan
    from simulator.rules import Ruleset

    given = [name for name in SEAT_OPTIONS if settings.get(name)]
    if given:
        option = "--" + given[0].replace("_file", "").replace("_", "-")
        raise UserError(f"{option}: the run folder '{folder}' says that already; give either --run or {option}")
    found = manifest.read(folder)
    plan = {key: tuple(value) if isinstance(value, list) else value for key, value in found["plan"].items()}
    return Ruleset(found["ruleset"]["name"], found["ruleset"]["data"]), Plan(**plan)


def from_options(game: int, settings: dict[str, Any]) -> tuple[Any, Any]:
    """Return the rules and a plan just long enough for the game; its length changes nothing in a game."""
    from simulator.batch.plan import ROUND_CAP, available_leaders, make_plan
    from simulator.rules import load_ruleset

    if settings["seed"] is None:
        raise UserError("--seed: missing; give the seed of the run, or its folder with --run")
    if game < 0:
        raise UserError(f"--game: {game} is not possible; expected a whole number from 0")
    ruleset = load_ruleset(settings["rules"], settings["map_file"])
    plan = make_plan(
        players=settings["players"] or DEFAULT_PLAYERS,
        games=game + 1,
        seed=settings["seed"],
        available_leaders=available_leaders(ruleset.compile()),
        leaders=split(settings["leaders"]),
        strategies=split(settings["strategies"]),
        leader_pool=split(settings["leader_pool"]),
        strategy_pool=split(settings["strategy_pool"]),
        round_cap=ROUND_CAP if settings["round_cap"] is None else settings["round_cap"],
    )
    return ruleset, plan


class writer:  # noqa: N801 - used like a function in a with statement
    """Give a function that writes lines to a file, or to the screen if there is none."""

    def __init__(self, path: Path | None) -> None:
        self.path = path

    def __enter__(self) -> Callable[[list[str]], None]:
        self.file = None
        if self.path is not None:
            try:
                self.file = self.path.open("w", encoding="utf-8")
            except OSError as error:
                raise UserError(f"--log: '{self.path}' cannot be written: {error.strerror}") from None
        return self.write

    def write(self, lines: list[str]) -> None:
        for line in lines:
            click.echo(line, file=self.file)

    def __exit__(self, *_: object) -> None:
        if self.file is not None:
            self.file.close()


def follow(stepper: Any, tell: Callable[[list[str]], None], last_round: int | None, every_round: Path | None) -> None:
    """Tell the game up to the end of a round, or to its end, and draw the board after each round if asked."""
    tell([*stepper.heading(), *stepper.opening])
    for number in rounds(stepper, tell):
        if every_round is not None:
            draw(stepper, every_round / f"round-{number:03}.svg")
        if number == last_round:
            return
    tell([stepper.closing()])


def rounds(stepper: Any, tell: Callable[[list[str]], None]) -> Iterator[int]:
    """Play on, telling every turn; yield the number of each round when it is over, 0 after the set-up."""
    yield 0
    players, told = stepper.plan.players, 0
    for lines in stepper.turns():
        tell(lines)
        number, turn_in_round = divmod(int(stepper.state.turn), players)
        if turn_in_round == 0 and number > told:
            told = number
            yield number


def draw(stepper: Any, path: Path) -> None:
    """Draw the board as it stands now."""
    from simulator.replay.board import draw_board

    draw_board(stepper.rules, stepper.state, path, stepper.title(), stepper.strategies, stepper.words.at)
