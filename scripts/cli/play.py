"""`newdawn play` and `replay`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import click

from ...simulator import names
from ...simulator.errors import UserError, counted
from ...simulator.file_ownership import check_files, check_over, write_alone, write_files
from ...simulator.runs.run_folder import Place
from . import shared
from .shared import PATH, PLACE, PLAYERS_HELP, Names, rare, ruleset_of

# --- `newdawn play`

DEFAULT_SEATS = ("me", "quick", "quick", "quick")
FOLDER = Path("results/played")


@click.command()
@click.option(
    "--seats", type=Names(), default=",".join(DEFAULT_SEATS), show_default=True, metavar="A,B,…",
    help="Who sits where: `me` (once for each person) or a strategy.",
)  # fmt: skip
@click.option("--leader", "leaders", type=Names(), default=(), metavar="A[,B,…]", help="Your leader; one for each `me`.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of the game.")
@shared.rules
@click.option("--continue", "go_on", type=PATH, metavar="FILE", help="Continue the game saved in this file.")
@click.option(
    "--save", type=PATH, metavar="FILE", help=f"Save the game to this file after every choice [default: a new one in {FOLDER}]."
)
@click.option("--html", type=PATH, metavar="FILE", help="With --continue: write the game as a page to watch, and stop.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port to listen on [default: a free one].")
@click.option("--open/--no-open", "opens", default=True, show_default=True, help="Open the page in the browser.")
@click.pass_context
def play(
    ctx: click.Context, go_on: Path | None, save: Path | None, html: Path | None, port: int, opens: bool, **settings: Any
) -> None:
    """Play a game yourself, against the strategies or with others at the same screen.

    \b
    newdawn play --leader Rome
    newdawn play --box terra-incognita --seats me,quick,thinker,quick --seed 7
    newdawn play --continue results/played/game-1.json

    The page is served on 127.0.0.1 only, until Ctrl-C: nothing leaves this machine. The game is saved after every choice;
    --continue resumes it.
    """
    if go_on is not None:
        check_alone(ctx, go_on)
    if html is not None:
        watch(go_on, html)
        return
    with continued(go_on, save) if go_on else begun(save, settings) as (saved, path):
        click.echo("setting up the table ...", err=True)
        table = laid(saved, path, path)
        try:
            serve(table, path, port, opens)
        except KeyboardInterrupt:
            click.echo("ended", err=True)
        finally:
            table.close()


def serve(table: Any, path: Path, port: int, opens: bool) -> None:
    """Serve the page of a table until Ctrl-C."""
    from ...analysis.explorer.play import TableServer

    server = TableServer(table, port)
    click.echo(server.url)
    click.echo(f"the game is saved in {path}; Ctrl-C stops, `newdawn play --continue {path}` continues", err=True)
    if opens:
        click.launch(server.url)
    with server:
        server.serve_forever()


def laid(saved: Any, source: Path, path: Path | None = None) -> Any:
    """Return the table of a game from the file `source`, played up to the next question and saved in `path`, if any."""
    from ...analysis.explorer.play import PlayTable

    try:
        return PlayTable(saved, path)
    except UserError as error:
        raise UserError(f"{source}: {error}") if str(error).startswith("choices[") else error from None


def watch(go_on: Path | None, html: Path) -> None:
    """Write the page of a saved game."""
    from ...analysis.explorer.play import watched
    from ...simulator.replay.interactive_game import check_greenlet, write_text

    if go_on is None:
        raise UserError("--html: needs a saved game; expected --continue FILE, too")
    if html.exists() and html.resolve() == go_on.resolve():
        raise UserError(f"--html: '{html}' is the saved game itself; expected another file")
    check_file(html, HTML_BEGINS, "a page", "--html")
    saved = read_game(go_on)
    check_greenlet()
    table = laid(saved, go_on)  # another window may be playing it: its file stays as it is
    try:
        write_text(html, table.do(lambda: watched(saved)), "--html")
    finally:
        table.close()
    click.echo(f"{html}: open it in a browser")


@contextmanager
def begun(save: Path | None, settings: dict[str, Any]) -> Iterator[tuple[Any, Path]]:
    """Yield a new game and its file, which is locked meanwhile."""
    from ...simulator.replay.interactive_game import check_greenlet, held, new_game

    if save and save.exists():
        raise taken(save)
    ruleset = ruleset_of(settings["rules_files"], settings["map_file"], settings["box"])
    saved = new_game(ruleset, settings["seats"], settings["seed"], settings["leaders"])
    check_greenlet()  # only now, for errors in the arguments come first
    path = written_new(saved, save)
    with held(path):
        yield saved, path


def written_new(game: Any, save: Path | None) -> Path:
    """Write a new game to this file, or to the first free one of game-1.json, game-2.json, …; return the file."""
    for number in count(1):
        path = save or FOLDER / f"game-{number}.json"
        try:
            game.write_new(path)
            break
        except FileExistsError:
            if save:
                raise taken(save) from None
    return path


def taken(path: Path) -> UserError:
    """Return the error for a file that already exists."""
    return UserError(f"--save: '{path}' already exists; choose another name, or continue it: --continue {path}")


@contextmanager
def continued(go_on: Path, save: Path | None) -> Iterator[tuple[Any, Path]]:
    """Yield the game of a file, and the file it is saved in from now on, which is locked meanwhile."""
    from ...simulator.replay.interactive_game import check_greenlet, held, json_of

    path = save or go_on
    json_of(go_on)  # raises if there is nothing to continue
    if save and save.exists() and save.resolve() != go_on.resolve():
        raise taken(save)
    check_greenlet()
    with held(path):
        yield read_game(go_on), path


def check_alone(ctx: click.Context, go_on: Path) -> None:
    """Raise UserError for an option beside --continue whose value is in the file."""
    for name, option in (("seats", "--seats"), ("leaders", "--leader"), ("seed", "--seed"), ("rules_files", "--rules"),
                         ("map_file", "--map"), ("box", "--box")):  # fmt: skip
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise UserError(f"{option}: the file '{go_on}' already says that; give either --continue or {option}")


def read_game(go_on: Path) -> Any:
    """Return the game of a file; print a note if it was begun with another version."""
    from ...simulator.replay.interactive_game import read

    saved = read(go_on)
    if saved.aged:
        click.echo(
            f"note: {go_on} was started with another version of this program; its strategies may now choose differently",
            err=True,
        )
    return saved


# --- `newdawn replay`

# As in `newdawn run`; not click defaults, for with --run no option may be given.
DEFAULT_PLAYERS, DEFAULT_SEED = 4, 1
LOG_BEGINS, HTML_BEGINS = b"Seed ", b"<!DOCTYPE html>"
PICTURES = {".svg": b"<svg ", ".png": b"\x89PNG"}
NO_BOX = ("box", names.BOXES[0])  # a setting: the option was not given


@click.command("replay")
@click.option("--run", "run_folder", type=PLACE, metavar="DIR", help="Take rules and seats from this run's folder.")
@click.option("--game", type=int, default=0, show_default=True, help="Number of the game in the run, from 0.")
@click.option("--seed", type=int, help=f"Seed of the run [default: {DEFAULT_SEED}].")
@click.option("--players", type=int, help=f"{PLAYERS_HELP} [default: {DEFAULT_PLAYERS}]")
@shared.leaders
@shared.leader_pool
@shared.strategies
@shared.strategy_pool
@shared.rules
@rare("--round-cap", type=int, help="Stop the game unfinished after this round [default: 200].")
@click.option("--round", "last_round", type=int, help="Stop at the end of this round (0: after set-up).")
@click.option("--board", type=PATH, metavar="FILE", help="Draw the board at that point, as .svg or .png.")
@click.option("--every-round", type=PATH, metavar="DIR", help="Draw the board after every round, as SVG files in this folder.")
@click.option(
    "--html", type=PATH, metavar="FILE", help="Write a page to watch the game: board, slider, log, reasons for each choice."
)
@rare("--choices", is_flag=True, help="Show every decision with its number of options.")
@click.option("--log", "log_file", type=PATH, metavar="FILE", help="Write the log to this file instead of the screen.")
def replay(run_folder, game, last_round, board, every_round, html, choices, log_file, **settings) -> None:
    """Play one game of a run again, describe it turn by turn and draw its board.

    \b
    newdawn replay --seed 1 --game 5 --board end.svg
    newdawn replay --run results/duel --game 17 --round 10 --board round10.png
    newdawn replay --seed 1 --game 5 --html game.html

    Give the options of the run, or its folder with --run. Game K is then game K of its tables.
    """
    if last_round is not None and last_round < 0:
        raise UserError(f"--round: {last_round} is not valid; expected a whole number from 0")
    check_picture(board)
    check_file(html, HTML_BEGINS, "a page", "--html")
    check_file(log_file, LOG_BEGINS, "a log of a game", "--log")
    if run_folder:
        ruleset, plan, game = from_run(run_folder, game, settings)
    else:
        ruleset, plan = from_options(game, settings)
    from ...simulator.replay.stepper import Game  # compiles the engine, so only once the options are known to be right

    if every_round is not None:
        check_files(every_round, map(board_name, range(plan.round_cap + 1)), "boards", "--every-round")
    if html is not None:
        write_film(ruleset, plan, game, html, last_round)
        if log_file is None and every_round is None and board is None:
            return
    stepper = Game(ruleset, plan, game, choices)
    with log_lines(log_file) as tell:
        follow(stepper, tell, last_round, every_round)
    if board is not None:
        draw(stepper, board)


def board_name(number: int) -> str:
    """Return the name of a picture of --every-round."""
    return f"round-{number:03}.svg"


def write_film(ruleset: Any, plan: Any, game: int, path: Path, last_round: int | None) -> None:
    """Write the page of a game, with how the strategies valued their options."""
    from ...simulator.replay.film import write_film
    from ...simulator.replay.stepper import Game
    from ...strategies.explained_choices import explained

    turns = write_film(Game(ruleset, plan, game, instead=explained), path, last_round)
    click.echo(f"{path}: {counted(turns, 'turn')}; open it in a browser")


def check_folder(path: Path, option: str) -> None:
    """Raise UserError if the folder of an output file does not exist: a typing error makes no folders."""
    if not path.parent.is_dir():
        raise UserError(f"{option}: '{path}' cannot be written: there is no folder '{path.parent}'")


def check_picture(board: Path | None) -> None:
    """Raise UserError for another format of pictures, or a file that is not a picture, before a game is played."""
    if board is None:
        return
    begins = PICTURES.get(board.suffix.lower())
    if begins is None:
        raise UserError(f"--board: '{board}': expected a name that ends in .svg or .png")
    if board.parent.is_dir():  # else it is created
        check_file(board, begins, "a picture", "--board")


def from_run(folder: Place, game: int, settings: dict[str, Any]) -> tuple[Any, Any, int]:
    """Return the rules and the plan of a run folder, and the number of the game in its seed."""
    from dataclasses import replace

    from ...simulator.compile_cache import same_games, source_digest
    from ...simulator.runs import manifest

    given = next((name for name, value in settings.items() if value not in (None, ()) and (name, value) != NO_BOX), None)
    if given:
        option = "--" + given.removesuffix("_files").removesuffix("_file").replace("_", "-")
        raise UserError(f"{option}: the run folder '{folder}' already says that; give either --run or {option}")
    run = manifest.playable(folder)
    if not same_games(run.engine):
        click.echo(
            f"note: {folder} was played by another version of this program (engine {run.engine}; this is {source_digest()}); "
            "this may not be the game of its tables",
            err=True,
        )
    if not 0 <= game < run.plan.games:
        return run.ruleset, run.plan, game  # the stepper raises the error
    seed, number = run.locate(game)
    return run.ruleset, replace(run.plan, seed=seed), number


def from_options(game: int, settings: dict[str, Any]) -> tuple[Any, Any]:
    """Return the rules and a plan just long enough for the game, which does not depend on its length."""
    from ...simulator.runs.run_plan import MOST_GAMES, ROUND_CAP, plan_by

    if not 0 <= game < MOST_GAMES:
        raise UserError(f"--game: {game} is not valid; expected a whole number from 0 to {MOST_GAMES - 1}")
    ruleset = ruleset_of(settings["rules_files"], settings["map_file"], settings["box"])
    usual = {"players": DEFAULT_PLAYERS, "seed": DEFAULT_SEED, "round_cap": ROUND_CAP}
    options = {name: settings[name] for name in ("leaders", "strategies", "leader_pool", "strategy_pool")}
    options |= {name: value if settings[name] is None else settings[name] for name, value in usual.items()}
    return ruleset, plan_by(ruleset.compile(), games=game + 1, **options)


def check_file(path: Path | None, begins: bytes, what: str, option: str) -> None:
    """Raise UserError if an output file has no folder, or would replace a file of another kind."""
    if path is None:
        return
    check_folder(path, option)
    try:
        check_over(path, begins, what, option)
    except OSError as error:
        raise UserError(f"{option}: '{path}' cannot be written: {error.strerror}") from None


@contextmanager
def log_lines(path: Path | None) -> Iterator[Callable[[list[str]], None]]:
    """Yield a function that prints lines, or collects them for a file, which is written in the end."""
    log: list[str] = []
    if path is None:
        yield show
        return
    yield log.extend
    try:
        write_alone(path, "".join(f"{line}\n" for line in log).encode())
    except OSError as error:
        raise UserError(f"--log: '{path}' cannot be written: {error.strerror}") from None


def show(lines: list[str]) -> None:
    """Print the lines."""
    for line in lines:
        click.echo(line)


def follow(stepper: Any, tell: Callable[[list[str]], None], last_round: int | None, every_round: Path | None) -> None:
    """Log the game up to the end of a round, or to its end, and draw the board after each round if asked."""
    tell([*stepper.heading(), *stepper.opening])
    for number in rounds(stepper, tell):
        if every_round is not None:
            draw_into(stepper, every_round, number)
        if number == last_round:
            return
    tell([stepper.closing()])


def rounds(stepper: Any, tell: Callable[[list[str]], None]) -> Iterator[int]:
    """Play on and log every turn; yield the number of each round when it is over, 0 after the set-up."""
    yield 0
    players, last = stepper.plan.players, 0
    for lines in stepper.turns():
        tell(lines)
        number, turn_in_round = divmod(int(stepper.state.turn), players)
        if turn_in_round == 0 and number > last:
            last = number
            yield number


def draw_into(stepper: Any, out: Path, number: int) -> None:
    """Draw the board as it stands after round `number` into the folder."""
    from ...simulator.replay.board import svg_text
    from ...simulator.replay.player_boards import board_scene

    scene = board_scene(stepper.rules, stepper.state, stepper.title(), stepper.strategies)
    write_files(out, {board_name(number): svg_text(scene)}, "boards", "--every-round")


def draw(stepper: Any, path: Path) -> None:
    """Draw the board as it stands now."""
    from ...simulator.replay.player_boards import draw_board

    draw_board(stepper.rules, stepper.state, path, stepper.title(), stepper.strategies)
