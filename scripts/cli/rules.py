"""`newdawn rules`: check, list, show, where, coverage, disputes, diff, schema, new. `newdawn new`: a folder to start from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ...simulator.errors import counted
from . import shared
from .answers import with_commands
from .shared import PATH, fitted, json_option, output_options, table, tell_json

# --- `newdawn rules disputes`

DOUBTS = ("ruling", "dispute", "tile space")  # rules.show.KINDS, which is not imported only to show help


@click.command()
@click.option("--games", type=click.IntRange(2), help="Measure it: play this many games with each reading.")
@click.option("--only", multiple=True, metavar="NAME", help="Only this ruling or dispute (repeatable).")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(DOUBTS), help="Only questions of this kind (repeatable).")
@click.option("--summary", is_flag=True, help="Show one line for each measured reading.")
@shared.box
@shared.rules_file
@shared.players
@shared.seed("Seed of the measured games.")
@shared.strategies
@shared.round_cap
@shared.jobs
@output_options()
def disputes(
    games: int | None, only: tuple[str, ...], kinds: tuple[str, ...], summary: bool, box: str,
    rules_files: tuple[Path, ...], players: int, seed: int, strategies: tuple[str, ...] | None,
    round_cap: int, jobs: int, how: str,
) -> None:  # fmt: skip
    """List rulings and disputes: what was chosen, and how to play the other reading.

    \b
    newdawn rules disputes --games 2000 --only win_check --only barbarian_order
    newdawn rules disputes --box terra-incognita --games 2000 --kind ruling --summary

    With --games both readings are played on the same seeds. The changes have 95% intervals: of each leader's win rate in
    percentage points, and of the length of the game.
    """
    from ...simulator.rules import load_ruleset
    from ...simulator.rules.show import doubts, find_doubt

    ruleset = load_ruleset(rules_files, box=box)
    wanted = [find_doubt(ruleset, name) for name in only] or doubts(ruleset)
    wanted = [doubt for doubt in wanted if not kinds or doubt.kind in kinds]
    if games is None:
        click.echo(_listing(wanted, how))
        return
    if not only:
        wanted = [doubt for doubt in wanted if doubt.overlay is not None]
    click.echo(_measured(ruleset, wanted, how, summary, players, games, seed, strategies, round_cap, jobs))


def _listing(doubts: Sequence[Any], how: str) -> str:
    from ...simulator.rules.show import KINDS, PLAY

    if how == "table":
        lines = []
        for kind in KINDS:
            mine = [doubt for doubt in doubts if doubt.kind == kind]
            lines += [f"{kind}s", ""] if mine else []
            for doubt in mine:
                lines += [
                    doubt.name, f"  {doubt.about}", f"  chosen: {doubt.chosen}" + (f" ({doubt.why})" if doubt.why else ""),
                    f"  other reading: {doubt.other}", f"  changes play: {PLAY[doubt.play]}", f"  switch: {doubt.switch}", "",
                ]  # fmt: skip
        return fitted("\n".join(lines).rstrip())
    import pandas as pd

    fields = ("kind", "name", "about", "chosen", "other", "why")
    rows = [
        {**{field: getattr(doubt, field) for field in fields}, "changes_play": PLAY[doubt.play], "switch": doubt.switch}
        for doubt in doubts
    ]
    return table(pd.DataFrame(rows), how)


def _measured(
    ruleset: Any, doubts: Sequence[Any], how: str, short: bool, players: int, games: int, seed: int,
    strategies: tuple[str, ...] | None, round_cap: int, jobs: int,
) -> str:  # fmt: skip
    from ...analysis.questions.reading_effects import as_text, measure, summary
    from ...simulator.runs.run_plan import plan_by

    settings = {"players": players, "games": games, "seed": seed, "strategies": strategies, "round_cap": round_cap}
    plan = plan_by(ruleset.compile(), **settings)
    frame = measure(plan, ruleset, doubts, jobs)
    if how in ("csv", "json"):
        return table(summary(frame) if short else with_commands(frame), how)
    heading = (
        f"{counted(games, 'game')} of {players} players with each reading, seed {seed}, "
        f"strategies {', '.join(plan.strategies)}; "
        "change = other reading minus chosen one, rates in percentage points of decided games; intervals and verdicts hold for "
        "all changes of this table together (95%)"
    )
    return f"{fitted(heading)}\n\n{table(summary(frame) if short else as_text(frame), how)}"


# --- `newdawn rules`


@click.group()
def rules() -> None:
    """Check house rules, or look up the rules that the engine plays by.

    \b
    newdawn rules list petra
    newdawn rules check my_rules.yaml
    """


rules.add_command(disputes)


@rules.command()
@click.argument("files", type=PATH, nargs=-1, required=True, metavar="FILE...")
@shared.box
@click.option("--play", "games", type=click.IntRange(1), help="Also play this many games, and say what came of it.")
@json_option
def check(files: tuple[Path, ...], box: str, games: int | None, as_json: bool) -> None:
    """Check house rules: every key, name and number, and whether the game can be set up with them.

    \b
    newdawn rules check my_rules.yaml
    newdawn rules check my_rules.yaml --play 1000

    Everything that is wrong is reported at once. --play also plays games (three players, `planner`; 1,000 are mostly enough).
    It says how often new and changed leaders, wonders and agendas were played, built and claimed, and won, with 95% intervals,
    tells how often each new ability acted and was held back by its conditions, each with a line of a replay, names abilities
    that never acted or without which every game ends the same, and says if nobody won some of the games.
    """
    from ...simulator import errors
    from ...simulator.errors import counted
    from ...simulator.rules import load_ruleset
    from ...simulator.rules.load import problems, why_unfinished

    wrong = problems(files, box)
    if len(wrong) > 1:
        whole = f"{counted(len(wrong), 'error')}, each as if those above were taken out"
        if as_json:
            each = [errors.facts(str(error), error.file, error.field) for error in wrong]
            tell_json({"files": [str(file) for file in files], "fine": False, "error": whole, "errors": each})
            raise SystemExit(2)
        for error in wrong:
            click.echo(str(error), err=True)
        raise errors.UserError(whole)
    ruleset = load_ruleset(files, box=box)
    ruleset.compile()
    idle: list[tuple[str, int]] = []
    done: list[Any] = []
    served: list[Any] = []
    undecided = 0
    if games:
        from ...analysis.questions.abilities_played import acted
        from ...analysis.questions.own_content import deeds, idle_abilities, unfinished

        undecided = unfinished(ruleset, games)
        done = deeds(ruleset, games)
        served = acted(ruleset, games)
        idle = [*idle_abilities(ruleset, games), *((deed.path, games) for deed in done if deed.never)]
        busy = {one.path for one in served if one.times and not one.holds}
        idle = [(path, played) for path, played in idle if path not in busy]
        known = {path for path, _ in idle}
        idle += [(one.path, games) for one in served if not one.times and one.path not in known]
    if as_json:
        entries = [{"agenda" if ".agendas." in path else "ability": path, "games": played} for path, played in idle]
        facts = {"files": [str(file) for file in files], "fine": True, "name": ruleset.name, "digest": ruleset.digest()}
        tell_json(
            facts
            | (
                {
                    "never_acted": entries,
                    "did": [vars(deed) for deed in done],
                    "acted": [one.facts() for one in served],
                    "unfinished": undecided,
                }
                if games
                else {}
            )
        )
        return
    if undecided:
        why = why_unfinished(ruleset.data)
        click.echo(f"nobody won {undecided:,} of {counted(games or 0, 'game')}{f'; {why}' if why else ''}", err=True)
    for path, played in idle:
        never = "was never claimed" if ".agendas." in path else "never changed anything"
        click.echo(f"{path}: {never} in {played:,} games", err=True)
    for deed in done:
        if not deed.never and deed.what != "agenda":
            click.echo(f"{deed.path}: {deed.sentence()}")
    for one in served:
        click.echo(f"{one.path}: {one.sentence()}")
    click.echo(f"{', '.join(str(file) for file in files)}: fine (rules digest {ruleset.digest()[:12]})")
    for note in ruleset.notes:
        click.echo(f"note: {note}")


@rules.command()
@click.argument("kind", metavar="KIND")
@click.argument("name", nargs=-1)
@shared.box
def new(kind: str, name: tuple[str, ...], box: str) -> None:
    """Print a commented template for new content, or for the goals of a whole game.

    \b
    newdawn rules new leader Atlantis > atlantis.yaml
    newdawn run --rules atlantis.yaml --games 1000
    newdawn rules new leader Kush --box terra-incognita > mine.yaml
    newdawn rules new goals > goals.yaml
    newdawn goals goals.yaml

    KIND is leader, wonder, agenda, diplomacy (a diplomacy card), city-state, natural-wonder, focus-card, tile or goals.
    """
    from ...analysis.goals.wishes import GOALS, KIND
    from ...simulator.rules.schema import template

    if kind == KIND:
        click.echo(GOALS.format(name=" ".join(name) or "my goals"), nl=False)
        return
    text = template(kind, " ".join(name) or "My own", box)  # raises for an unknown kind, naming all
    if not name:
        raise click.MissingParameter(param_hint="NAME...", param_type="argument")
    click.echo(text, nl=False)


@rules.command()
def schema() -> None:
    """Print a JSON Schema of house-rule files, with which editors complete and check keys while you type.

    \b
    newdawn rules schema > house_rules.schema.json

    The templates of `newdawn rules new` tell editors to look for it beside them. `rules check` has the last word.
    """
    from ...simulator.rules.schema import schema as json_schema

    tell_json(json_schema())


@rules.command()
@click.argument("files", type=PATH, nargs=-1, required=True, metavar="FILE...")
@shared.box
@json_option
def diff(files: tuple[Path, ...], box: str, as_json: bool) -> None:
    """List what house rules change in the printed game.

    \b
    newdawn rules diff my_rules.yaml
    """
    from ...simulator.rules import describe_diff, load_ruleset

    changes = describe_diff(load_ruleset(files, box=box), load_ruleset(box=box))
    _lines(changes or ["no difference"], changes, as_json)


@rules.command()
@click.argument("name", nargs=-1, required=True)
@shared.box
@shared.rules_file
@json_option
def show(name: tuple[str, ...], box: str, rules_files: tuple[Path, ...], as_json: bool) -> None:
    """Print what the engine plays by: a card, leader, wonder, city-state, agenda, dial, ruling, tile or rule.

    \b
    newdawn rules show Petra
    newdawn rules show tile 12B
    newdawn rules show B8.4 --rules house.yaml
    newdawn rules show Georgia --box terra-incognita

    The numbers are those of the compiled rules, house rules included.
    """
    from ...simulator.rules import load_ruleset
    from ...simulator.rules.show import show as lines_about

    lines = lines_about(load_ruleset(rules_files, box=box), " ".join(name))
    _lines(lines, lines, as_json)


@rules.command("list")
@click.argument("words", nargs=-1, metavar="[WORD]...")
@shared.box
@shared.rules_file
@json_option
def list_keys(words: tuple[str, ...], box: str, rules_files: tuple[Path, ...], as_json: bool) -> None:
    """List the keys that house rules can change, with value, range and meaning.

    \b
    newdawn rules list petra
    newdawn rules list trade tokens
    newdawn rules list catch-up
    newdawn rules list 'wonders.*.cost' --rules house.yaml
    newdawn rules list army --box terra-incognita

    Words select the keys that have all of them, or synonyms of them (gold, draft, catch-up), in path or meaning; if none
    has, those that have most of them. A word with a * is a pattern for paths. Limits that depend on other values are checked
    by `rules check`. docs/abilities.md lists what abilities may say.
    """
    from ...simulator.rules import load_ruleset
    from ...simulator.rules.edit import lines, search

    keys, notes = search(load_ruleset(rules_files, box=box), " ".join(words))
    for note in notes:
        click.echo(f"note: {note}", err=True)
    if as_json:
        tell_json([key.as_dict() for key in keys])
    else:
        click.echo("\n".join(lines(keys)))


@rules.command()
@click.argument("name", nargs=-1, required=True)
@shared.box
@json_option
def where(name: tuple[str, ...], box: str, as_json: bool) -> None:
    """Show where a card, leader, wonder, city-state, agenda or rule is in the program, data and tests.

    \b
    newdawn rules where Petra
    newdawn rules where B9.10
    newdawn rules where campus --box terra-incognita
    """
    from ...simulator.rules.coverage import where as lines_about

    lines = lines_about(" ".join(name), box)
    _lines(lines, lines, as_json)


def _lines(lines: list[str], values: list[str], as_json: bool) -> None:
    """Print the lines, or the values as JSON."""
    if as_json:
        tell_json(values)
    else:
        click.echo("\n".join(lines))


@rules.command()
@output_options(("table", "markdown", "json"))
@shared.box
@click.option("--tests", "folder", type=PATH, metavar="DIR", help="Folder of the tests [default: this project's].")
def coverage(how: str, box: str, folder: Path | None) -> None:
    """Show which tests prove each rule of a box and each effect printed in it.

    \b
    newdawn rules coverage
    newdawn rules coverage --box terra-incognita

    Tests name what they prove in their markers. Exit code 1 means that an entry has no test, 2 that a marker names nothing
    known.
    """
    from ...simulator.rules.coverage import coverage as read_coverage
    from ...simulator.rules.coverage import find_tests

    result = read_coverage(folder or find_tests(), box)
    click.echo({"table": _table, "markdown": _markdown, "json": _json}[how](result))
    for problem in result.problems:
        click.echo(f"error: {problem}", err=True)
    if result.problems or result.uncovered:
        raise SystemExit(2 if result.problems else 1)


def _tests(entry: Any) -> list[str]:
    return entry.tests or ([f"by {', '.join(entry.made_of)}"] if entry.proven else ["NO TEST"])


def _summary(result: Any) -> str:
    missing = [entry.name for entry in result.uncovered]
    proven = f"{len(result.entries) - len(missing)} of {len(result.entries)} entries are proven by tests"
    return f"{proven}; without a test: {', '.join(missing)}" if missing else proven


def _table(result: Any) -> str:
    lines = []
    kind = ""
    for entry in result.entries:
        if entry.kind != kind:
            kind = entry.kind
            lines += ["", kind]
        lines.append(f"  {entry.name}: {entry.text}")
        lines += [f"      {test}" for test in _tests(entry)]
    return "\n".join([*lines[1:], "", _summary(result)])


def _markdown(result: Any) -> str:
    rows = ["| kind | entry | what it says | tests |", "| --- | --- | --- | --- |"]
    for entry in result.entries:
        cells = [entry.kind, entry.name, entry.text, "<br>".join(_tests(entry))]
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join([*rows, "", _summary(result)])


def _json(result: Any) -> str:
    import json

    entries = [
        {key: getattr(entry, key) for key in ("marker", "kind", "name", "text", "tests", "made_of", "proven")}
        for entry in result.entries
    ]
    uncovered = [entry.name for entry in result.uncovered]
    return json.dumps({"entries": entries, "uncovered": uncovered, "problems": result.problems}, indent=1)


# --- `newdawn new`: a folder with a commented house rule, goals, a notebook and a README

RULE, NOTEBOOK, README, RUN, ANSWER = "house_rule.yaml", "games.ipynb", "README.md", "games", "answer"
GOALS_FILE, BALANCED = "goals.yaml", "balanced"
HOUSE_RULE = """name: my house rule
description: Petra costs 5 instead of 7, so that it is built more often.
# box: terra-incognita        # with the expansion; add --box terra-incognita to the commands of README.md
wonders:
  petra: {cost: 5}
# Remove the # of a line to try it. `newdawn rules list WORD` finds other keys: list gold, list draft, list catch-up.
# leaders:
#   scythia: {abilities: {combat: {amount: 2}}}                     # its combat bonus; printed: 3
#   rome: {start_trade_tokens: {economy: 1}}                        # on its economy card, before the first turn
#   japan: {available: false}                                       # stays in the box
#   egypt: {start_bonus: {cities: 1}}                               # another city, before the first turn
# components:
#   start_bonus: {last_in_turn_order: {trade_tokens: 1}}            # for the last player
#   face_up_wonders: 2                                              # of each type; printed: 1
#   leader_deal: {bans_per_player: 1}                               # leaders each player bans; list draft finds more
#   combat: {tie: attacker}                                         # who wins a tie; printed: defender
# victory_cards:
#   rules: {cards_in_play: 4}                                       # a longer game
# scores: {points: {victory_cards: 5, cities: 1}, after_round: 15}  # the most points after round 15 win
# teams: {partners: opposite}                                       # seats 0 and 2 against 1 and 3; for four players
"""
STEPS = f"""1. `newdawn rules check {RULE}` and `newdawn rules diff {RULE}`: is the rule understood, and what does it change?
2. `newdawn compare printed {RULE} --games 2000 --out {ANSWER}`: what it changes in the game, on the same seeds.
3. `newdawn report {ANSWER}`: the answer as a page, `{ANSWER}/report/report.html`.
4. `newdawn run --rules {RULE} --games 2000 --out {RUN}`: games to look at; `newdawn report {RUN}` writes their report.
5. `jupyter lab {NOTEBOOK}`: the tables of these games in pandas (Jupyter: `pip install jupyterlab ipykernel`).
6. `newdawn goals {GOALS_FILE} --out {BALANCED}`: the few changes that bring the whole game to the goals of that file.
"""
CELLS = (
    ("markdown", f"# My house rule\n\nThe games are those of step 4 in {README}: `newdawn run --rules {RULE} … --out {RUN}`."),
    ("code", f"""import matplotlib.pyplot as plt
import pandas as pd

from newdawn import analysis

run = analysis.open_run("{RUN}")
facts = analysis.overview(run)
print(f"{{facts['games']:,}} games; median {{facts['rounds']['50%']:.0f}} rounds")"""),
    ("markdown", "A row of `seats` is one seat of one game; `won` is its share of the win."),
    ("code", """seats = pd.read_parquet(run.path / "seats", columns=["game_id", "leader", "won"])
seats.groupby("leader", observed=True)["won"].agg(["mean", "size"]).sort_values("mean", ascending=False).round(3)"""),
    ("markdown", "The win rates of the leaders, corrected for seat and opponents, with 95% intervals."),
    ("code", """strengths = analysis.strengths(run)
strengths[["leader", "n", "adjusted_rate", "adjusted_rate_low", "adjusted_rate_high"]].round(3)"""),
    ("code", """shown = strengths.sort_values("adjusted_rate")
ends = [shown["adjusted_rate"] - shown["adjusted_rate_low"], shown["adjusted_rate_high"] - shown["adjusted_rate"]]
fig, ax = plt.subplots(figsize=(7, 0.4 * len(shown) + 1))
ax.errorbar(shown["adjusted_rate"], shown["leader"].astype(str), xerr=ends, fmt="o")
ax.set_xlabel("win rate (95% interval)")
plt.show()"""),
)  # fmt: skip


@click.command()
@click.argument("folder", type=PATH, metavar="DIR")
def new_folder(folder: Path) -> None:
    """Create a folder to start from: a house rule, goals, a notebook and a README with the next steps.

    \b
    newdawn new my_game

    Existing files are never overwritten.
    """
    from ...analysis.goals.wishes import GOALS
    from ...simulator.errors import UserError
    from ...simulator.file_ownership import held, write_new
    from ...simulator.rules.schema import COMMENT, FILE, schema

    files = {
        README: f"# {folder.resolve().name}\n\n{STEPS}",
        RULE: COMMENT + HOUSE_RULE,
        GOALS_FILE: GOALS.format(name="my goals"),
        NOTEBOOK: _notebook(),
        FILE: json.dumps(schema(), ensure_ascii=False) + "\n",
    }
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder}: is a file; expected a folder", file=str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    with held(folder, "is writing into this folder; wait for it, or choose another one", "DIR"):
        present = {name for name in files if (folder / name).exists()}
        own = {name for name in present if len(present) < len(files) and (folder / name).read_bytes() == files[name].encode()}
        for path in (folder / name for name in files if name in present - own):  # files of a killed command are completed
            raise UserError(f"{path}: already exists and is not overwritten; expected another folder", file=str(path))
        for name, text in files.items():
            if name not in own:
                write_new(folder / name, text.encode())
    click.echo(f"{folder}: {', '.join(files)}. Begin with {folder / README}.")


def _notebook() -> str:
    """Return the content of the notebook's file."""
    cells: list[dict[str, Any]] = []
    for nth, (kind, source) in enumerate(CELLS):
        cell = {"cell_type": kind, "id": f"cell-{nth}", "metadata": {}, "source": source.splitlines(keepends=True)}
        cells.append(cell | ({"execution_count": None, "outputs": []} if kind == "code" else {}))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
