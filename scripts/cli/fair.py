"""`newdawn fair`: leaders and head starts that give everybody at a table the same chance."""

from __future__ import annotations

from pathlib import Path

import click

from . import shared
from .shared import (
    Names,
    answer_options,
    check_answer,
    house_rule,
    keep_answer,
    ruleset_of,
    table,
    tell,
    tell_next,
    with_commands,
)


@click.command()
@click.option(
    "--players", "words", type=Names(), required=True, metavar="NAME[:LEVEL],…",
    help="Who sits at the table; levels: strong, average (the default), beginner, or a strategy.",
)  # fmt: skip
@click.option("--leaders", type=Names(), metavar="A,B,…", help="Leaders that may be chosen [default: all].")
@click.option(
    "--margin",
    type=click.FloatRange(0.1, 50),
    default=3.0,
    show_default=True,
    help="Points off the fair share that do not matter.",
)  # fmt: skip
@shared.games(4_000, "Games of the table proposed; the search plays as many, or more.", least=100)
@shared.seed()
@shared.rules
@answer_options
def fair(
    words: tuple[str, ...], leaders: tuple[str, ...] | None, margin: float, games: int, seed: int, box: str,
    rules_files: tuple[Path, ...], map_file: Path | None, jobs: int, out: Path | None, how: str, quiet: bool,
) -> None:  # fmt: skip
    """Propose leaders and head starts that give everybody at the table the same chance to win.

    \b
    newdawn fair --players Ann:strong,Ben,Cleo
    newdawn fair --players Ann:strong,Ben,Cleo:beginner --leaders Rome,Egypt,Aztec,Russia --out results/tonight
    newdawn fair --players Ann,Ben,Cleo,Dan --box terra-incognita --margin 2

    Players of the lab stand for people: `quick` for strong ones, `planner` for the average, `builder` for beginners. Leaders
    are dealt out first; if that is not enough, whoever is weakest begins with trade tokens, then with control tokens and more.
    The proposal is played again on fresh seeds, and these games say how fair it is. --out keeps it as a page to print
    (`newdawn report DIR`), with the head starts as a house rule.
    """
    from ...analysis.questions import fair as question
    from ...analysis.stats.answer import for_reading

    people = question.persons(words)
    ruleset = ruleset_of(rules_files, map_file, box)
    check_answer(out, [question.TABLE])
    say = shared.Diary(quiet).say
    found = question.fair(
        people, ruleset, leaders=leaders, games=games, seed=seed, jobs=jobs, margin=margin, say=say,
        observer=shared.observer(quiet),
    )  # fmt: skip
    frame = with_commands(found.frame)
    shown = for_reading(frame.drop(columns=["p", "p_adjusted", "fair_share"])) if how in ("table", "markdown") else frame
    click.echo(table(shown, how))
    conclusion, limit = question.conclusion(found), question.limit(people)
    rule = house_rule(found.table.overlay) if found.table.overlay else ""
    said = [conclusion.text, *(question.sentence(row) for row in frame.to_dict("records")), limit]
    if how == "table":
        tell("\n".join(["", *said, *(["", "as a house rule:", rule] if rule else [])]))
        tell_next(frame)
    if out is not None:
        words_kept = {"certainty": conclusion.certainty, **({"house_rule": rule} if rule else {})}
        plan = question.plan_of(found.table, ruleset, games, seed + 2)
        title = f"A fair table for {', '.join(one.name for one in people)}"
        keep_answer(
            out, question.COMMAND, title, ruleset, plan, {question.TABLE: frame}, sentences=said, words=words_kept,
            compared=f"{games:,} fresh games of the best of {found.tried} tables",
        )  # fmt: skip
