"""Keeping what a command found, for `newdawn report` and other programs."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from .options import PATH

out_option = click.option(
    "--out", type=PATH, metavar="DIR", help="Keep the answer there, too (CSV, JSON); 'newdawn report DIR' makes its page."
)


def keep_answer(
    out: Path, command: str, title: str, ruleset: Any, plan: Any, tables: Mapping[str, Any], *,
    sentences: Sequence[str] = (), words: Mapping[str, str] | None = None, compared: str = "", players: Sequence[str] = (),
) -> None:  # fmt: skip
    """Keep the tables and sentences of an answer in `out`; `compared` says how many games of what it rests on.

    `players`: names of the strategies, where those of the plan are not all.
    """
    from ....analysis.tables.kept import Kept, facts_of, keep
    from ....simulator.compile_cache import source_digest

    rules = {"name": ruleset.name, "digest": ruleset.digest()}
    facts = facts_of(rules, plan.players, plan.seed, players or plan.strategies)
    facts |= {"leaders": ", ".join(plan.leaders), "engine": source_digest(), **({"compared": compared} if compared else {})}
    line = shlex.join(["newdawn", *sys.argv[1:]])
    keep(out, Kept(command, title, facts, tables, sentences, ruleset.box, line, words or {}))
    click.echo(f"kept: {out} (newdawn report {shlex.quote(str(out))} makes its page)", err=True)


def check_answer(out: Path | None, tables: Sequence[str]) -> None:
    """Raise UserError, before any game is played, if the answer cannot be kept in `out`."""
    if out is not None:
        from ....analysis.tables.kept import check

        check(out, tables)
