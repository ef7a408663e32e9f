"""The answer of a command that plays games: its games and tables are kept, its next step is named. Start with `keep_answer`."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from .shared import PATH, added, jobs, output_options, quiet, tell

# --- Keeping answers, for `newdawn report` and other programs

out_option = click.option(
    "--out", type=PATH, metavar="DIR",
    help="Also keep the answer in this folder (CSV, JSON); `newdawn report DIR` makes its page.",
)  # fmt: skip

# Options of every command that plays games for its answer: --jobs, --out, --format, --json, --wide, --quiet.
answer_options = added(jobs, out_option, output_options(), quiet)


def keep_answer(
    out: Path, command: str, title: str, ruleset: Any, plan: Any, tables: Mapping[str, Any], *,
    sentences: Sequence[str] = (), words: Mapping[str, str] | None = None, compared: str = "", players: Sequence[str] = (),
    counts: Sequence[int] = (), against: Any = None, numbers: Mapping[str, float] | None = None,
) -> None:  # fmt: skip
    """Keep the tables and sentences of an answer in `out`; `compared` says which games it rests on.

    `players`: the strategies, `counts`: the numbers of players, if not those of the plan; `against`: the rules that these are
    compared with.
    """
    from ...analysis.questions.compare import caveats
    from ...analysis.tables.kept_answers import ADDRESS, AGAINST, CAVEATS, CHANGES, KeptAnswer, facts_of, keep
    from ...analysis.web import lab_address
    from ...simulator.compile_cache import source_digest
    from ...simulator.rules.show import patch_notes

    rules = {"name": ruleset.name, "digest": ruleset.digest()}
    words = dict(words or {})
    if notes := caveats(ruleset, against, trained="--adapt" in command):
        words[CAVEATS] = "\n".join(notes)
    if against is not None:
        words[CHANGES] = "\n".join(f"{note} (`{note.path}`)" for note in patch_notes(ruleset.data, against.data))
    if command in lab_address.ASKABLE and (asked := lab_address.address_of(ruleset, plan, against)):
        words[ADDRESS] = asked
    facts = facts_of(rules, counts or [plan.players], plan.seed, players or plan.strategies)
    facts |= {"leaders": ", ".join(plan.leaders), "engine": source_digest(), **({"compared": compared} if compared else {})}
    facts |= {} if against is None else {AGAINST: f"{against.name}, SHA-256 {against.digest()}"}
    keep(out, KeptAnswer(command, title, facts, tables, sentences, ruleset.box, command_line(), words, numbers or {}))
    click.echo(f"kept: {out} (newdawn report {shlex.quote(str(out))} makes its page)", err=True)


def command_line() -> str:
    """Return the command that runs, as it was typed."""
    return shlex.join(["newdawn", *sys.argv[1:]])


def with_commands(frame: Any) -> Any:
    """Return the table of `answer.judged` with `command`: this command with the games that would decide a row, or ""."""
    from ...analysis.tables.kept_answers import again

    line = command_line()
    return frame.assign(command=[again(line, None if games != games else games) for games in frame["games_fewest"]])


def tell_next(frame: Any, of: str = "") -> None:
    """Print how many games would decide what is open (`of` these rows), and the command that plays them."""
    from ...analysis.stats.verdicts import games_words, still_needed
    from ...analysis.tables.kept_answers import again

    needed = still_needed(frame)
    if needed is not None:
        command = again(command_line(), needed[0])
        tell(f"What is open{of}: {games_words(*needed)} would decide all of it" + (f": {command}" if command else "."))


def house_rule(overlay: Mapping[str, Any]) -> str:
    """Return house rules as YAML."""
    import yaml

    text: str = yaml.safe_dump(overlay, default_flow_style=None, sort_keys=False)
    return text.rstrip()


def target_words(target: Any) -> dict[str, str]:
    """Return the target of a search for its page: the figure, and the target as it was typed."""
    return {"figure": target.figure, "target": target.text}


def target_numbers(target: Any, margin: float | None, fresh: int) -> dict[str, float]:
    """Return the numbers of a search for its page: fresh games of each value, the value wanted and its margin, if one is."""
    from ...analysis.tables.targets import near_enough

    if target.wanted is None:
        return {"fresh": fresh}
    return {"fresh": fresh, "wanted": float(target.wanted), "margin": float(near_enough(target, margin))}


@contextmanager
def keeping_games(out: Path | None, ruleset: Any) -> Iterator[None]:
    """Keep the games that an answer rests on in its folder until it is written; say so if the command is stopped before."""
    from ...simulator.runs.games_in_memory import FILE, kept_games

    try:
        with kept_games(out, ruleset):
            yield
    finally:
        if out is not None and (out / FILE).is_file():
            click.echo(f"{out}: keeps the games played so far; the same command continues", err=True)


def check_answer(out: Path | None, tables: Sequence[str]) -> None:
    """Raise UserError, before any game is played, if the answer cannot be kept in `out`."""
    if out is not None:
        from ...analysis.tables.kept_answers import check

        check(out, tables)
