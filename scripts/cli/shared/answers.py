"""Keeping what a command found, for `newdawn report` and other programs."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from .options import PATH, added, jobs, quiet
from .screen import output_options, tell

out_option = click.option(
    "--out",
    type=PATH,
    metavar="DIR",
    help="Also keep the answer in this folder (CSV, JSON); `newdawn report DIR` makes its page.",
)

# What every command adds that asks by games of its own: --jobs, --out, --format, --json, --wide, --quiet.
answer_options = added(jobs, out_option, output_options(), quiet)


def keep_answer(
    out: Path, command: str, title: str, ruleset: Any, plan: Any, tables: Mapping[str, Any], *,
    sentences: Sequence[str] = (), words: Mapping[str, str] | None = None, compared: str = "", players: Sequence[str] = (),
    counts: Sequence[int] = (), against: Any = None,
) -> None:  # fmt: skip
    """Keep the tables and sentences of an answer in `out`; `compared` says how many games of what it rests on.

    `players`: names of the strategies, `counts`: numbers of players, where those of the plan are not all; `against`: the rules
    that these are compared with.
    """
    from ....analysis.tables.kept import AGAINST, CAVEATS, CHANGES, Kept, facts_of, keep
    from ....analysis.trials.compare import caveats
    from ....simulator.compile_cache import source_digest
    from ....simulator.rules.showing.notes import patch_notes

    rules = {"name": ruleset.name, "digest": ruleset.digest()}
    words = dict(words or {})
    if found := caveats(ruleset, against, trained="--adapt" in command):
        words[CAVEATS] = "\n".join(found)
    if against is not None:
        words[CHANGES] = "\n".join(f"{note} (`{note.path}`)" for note in patch_notes(ruleset.data, against.data))
    facts = facts_of(rules, counts or [plan.players], plan.seed, players or plan.strategies)
    facts |= {"leaders": ", ".join(plan.leaders), "engine": source_digest(), **({"compared": compared} if compared else {})}
    facts |= {} if against is None else {AGAINST: f"{against.name}, SHA-256 {against.digest()}"}
    keep(out, Kept(command, title, facts, tables, sentences, ruleset.box, command_line(), words))
    click.echo(f"kept: {out} (newdawn report {shlex.quote(str(out))} makes its page)", err=True)


def command_line() -> str:
    """Return the command that runs, as it was typed."""
    return shlex.join(["newdawn", *sys.argv[1:]])


def with_commands(frame: Any) -> Any:
    """Return the table of `answer.judged` with `command`: what would decide a row, this command with more games; else ""."""
    from ....analysis.tables.kept import again

    line = command_line()
    return frame.assign(command=[again(line, None if games != games else games) for games in frame["games_fewest"]])


def tell_next(frame: Any) -> None:
    """Print how many games would decide what these do not, and the command that plays them."""
    from ....analysis.statistics.answer import games_words, still_needed
    from ....analysis.tables.kept import again

    needed = still_needed(frame)
    if needed is not None:
        command = again(command_line(), needed[0])
        tell(f"What is open: {games_words(*needed)} would decide all of it" + (f": {command}" if command else "."))


def house_rule(overlay: Mapping[str, Any]) -> str:
    """Return what a file of house rules says, as YAML."""
    import yaml

    text: str = yaml.safe_dump(overlay, default_flow_style=None, sort_keys=False)
    return text.rstrip()


def target_words(target: Any, margin: float | None, fresh: int) -> dict[str, str]:
    """Return what the page of a search calls its target: the figure, the value wanted and how near is near enough."""
    from ....analysis.trials.confirm import near_enough

    words = {"figure": target.figure, "target": target.text, "fresh": str(fresh)}
    if target.wanted is None:
        return words
    return words | {"wanted": repr(float(target.wanted)), "margin": repr(float(near_enough(target, margin)))}


def check_answer(out: Path | None, tables: Sequence[str]) -> None:
    """Raise UserError, before any game is played, if the answer cannot be kept in `out`."""
    if out is not None:
        from ....analysis.tables.kept import check

        check(out, tables)
