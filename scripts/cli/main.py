"""The `newdawn` command.

Commands live in the modules of this folder, one line each in COMMANDS; a module is imported when its command is used,
so that `newdawn --help` answers at once.
"""

from __future__ import annotations

import errno
import os
import sys
from importlib import import_module

import click

from ...simulator.errors import UserError
from .shared.refusing import refuse, remember, usage

SCRIPTS = "newdawn.scripts"
# name: (module of SCRIPTS, attribute, one line for the list of commands)
COMMANDS = {
    "new": ("cli.new", "new", "A folder to start from: a house rule, a notebook, what to do with them."),
    "run": ("cli.run", "run", "Play games and write their outcome tables."),
    "resume": ("cli.folders", "resume", "Go on with a stopped run."),
    "extend": ("cli.folders", "extend", "Add games to a run."),
    "verify": ("cli.folders", "verify", "Check a run: checksums, counts, a sample of games replayed."),
    "merge": ("cli.folders", "merge", "Put runs of different seeds together."),
    "leaders": ("cli.summaries", "leaders", "Win rates of the leaders of a run."),
    "strengths": ("cli.summaries", "strengths", "How strong leaders are, corrected for seat and opponents."),
    "matchups": ("cli.summaries", "matchups", "Leader against leader."),
    "wonders": ("cli.summaries", "wonders", "How often world wonders were built, and by whom."),
    "victory": ("cli.summaries", "victory", "How victory cards and agendas were claimed."),
    "game": ("cli.game", "game", "Length, reasons of victory, lead changes, comebacks, shortages."),
    "report": ("cli.report", "report", "A run as one HTML page: findings, charts, tables."),
    "explore": ("cli.explore", "explore", "Runs in the browser: filters, pages of leaders and cards, replays."),
    "compare": ("cli.trials.compare", "compare", "Two rulesets on the same seeds: what a house rule changes."),
    "plan": ("cli.trials.compare", "plan", "How many games a question needs."),
    "experiment": ("cli.trials.experiment", "experiment", "What a wonder, an ability, a gift or a ban does: effects."),
    "tune": ("cli.trials.tuning", "tune", "Which value of a number serves a target."),
    "sensitivity": ("cli.trials.tuning", "sensitivity", "Which numbers of the rules the headline figures depend on."),
    "balance": ("cli.trials.balance", "balance", "What to change: numbers that bring a figure to its target."),
    "play": ("cli.play", "play", "Play a game yourself, against the strategies, in the browser."),
    "replay": ("cli.replay", "replay", "Show one game: turn log and board."),
    "strategies": ("cli.strategies", "strategies", "List, check and tune strategies."),
    "restrict": ("cli.trials.restrict", "restrict", "What a part of the game is worth: what its lack costs a player."),
    "coalition": ("cli.trials.coalition", "coalition", "What is left of a leader when the whole table plays against it."),
    "ladder": ("cli.ladder", "ladder", "Rate strategies by letting them play each other."),
    "ways": ("cli.trials.ways", "ways", "The same game played in several ways: what holds for all players."),
    "plays": ("cli.trials.plays", "plays", "Real plays: read people's logs, hold them against the simulation."),
    "rules": ("cli.rules", "rules", "Check house rules, look rules up, show their tests and doubts."),
    "bench": ("bench.measure", "bench", "Measure speed, memory, start-up and bytes a game."),
}


class LazyGroup(click.Group):
    """A group that imports a command when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of COMMANDS."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(f"{SCRIPTS}.{module}"), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, _, text) in COMMANDS.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command when there is none of that name."""
        from ...simulator.errors import unknown

        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise unknown("command", args[0], COMMANDS)
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Turn a wrong option before the command into one line and exit code 2."""
        remember(ctx, args)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            refuse(ctx, **usage(error))

    def invoke(self, ctx: click.Context) -> object:
        """Turn an error of the user's into one line and exit code 2."""
        try:
            return super().invoke(ctx)
        except UserError as error:
            refuse(ctx, str(error), error.file, error.field)
        except click.UsageError as error:
            refuse(ctx, **usage(error))
        except KeyboardInterrupt:
            click.echo("\nstopped", err=True)
            ctx.exit(130)
        except OSError as error:
            # Only what goes wrong with the output has no name; a reader that went away (head) is click's matter.
            if error.filename is not None:
                refuse(ctx, f"{error.filename}: {error.strerror}", str(error.filename))
            if error.errno in (None, errno.EPIPE):
                raise
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Python would try, and fail, once more when it ends
            refuse(ctx, f"the output cannot be written: {error.strerror}")


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="newdawn-balance-lab", prog_name="newdawn")
def main() -> None:
    """Simulate the board game Civilization: A New Dawn and measure its balance."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")


if __name__ == "__main__":
    main()
