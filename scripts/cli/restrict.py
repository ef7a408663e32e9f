"""`newdawn restrict` and `coalition`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ...simulator.errors import counted, with_sign
from . import progress, shared
from .answers import answer_options, check_answer, keep_answer, keeping_games, tell_next, with_commands
from .main import continuable
from .shared import PATH, Names, played, ruleset_named, ruleset_of, table, tell

# --- `newdawn restrict`


@dataclass(frozen=True)
class RestrictRequest:
    """Which restrictions of which player to measure in which games, and how to show and keep the answer."""

    names: Sequence[str]
    player: Any
    games: int
    players: int
    seed: int
    jobs: int
    how: str
    out: Path | None
    say: Callable[[str], None]

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that decide which games are played."""
        return {"players": self.players, "games": self.games, "seed": self.seed, "jobs": self.jobs, "say": self.say}


@click.command()
@click.option("--player", help="Who plays: planner, thinker, or a profile like them [default: as for run].")
@click.option(
    "--without", type=Names(), metavar="A,B,…",
    help="Restrictions [default: all but agendas]; 'agenda NAME' ignores one agenda.",
)  # fmt: skip
@click.option("--agendas", is_flag=True, help="Ignore each agenda of the rules in turn.")
@shared.games(4_000, "Pairs of games for each restriction.")
@shared.players
@shared.seed()
@shared.rules
@click.option(
    "--beside", type=PATH, metavar="RULES",
    help="Ask the same under these rules, too ('printed', an example's name, a YAML file), and compare.",
)  # fmt: skip
@click.option("--adapt", is_flag=True, help="Ask twice: of the player as it is, and trained for each restriction.")
@shared.training("it trains for each restriction, and without any")
@answer_options
def restrict(
    player: str | None, without: tuple[str, ...] | None, agendas: bool, games: int, players: int, seed: int, box: str,
    rules_files: tuple[Path, ...], map_file: Path | None, beside: Path | None, adapt: bool, budget: float,
    adapt_games: int | None, training: Path, jobs: int, out: Path | None, how: str, quiet: bool,
) -> None:  # fmt: skip
    """Measure what a part of the game is worth: what a player loses by doing without it.

    \b
    newdawn restrict --games 4000 --out results/restricted
    newdawn restrict --agendas --players 3
    newdawn restrict --rules no_barbarians --beside printed
    newdawn restrict --player adept --without "attacks on capitals,reinforcing" --adapt --budget 5

    Every game is played twice on the same seed, with and without the restriction for one seat; all others play freely. The
    player has not learned to do without, so its loss is the most that the part can be worth to it. Intervals and
    verdicts hold for all restrictions together (95%; margin 2 points); only decided games count.

    Most restrictions exclude options. Without 'waiting', the player resolves the card that brings most at once, whatever a
    better slot would add later. Without 'early cards', it always resolves the card in the last slot. Without 'looking
    ahead', it makes no plan and tries no turn: every option counts by its immediate gain, and a victory card only once a
    turn's work is missing. 'agenda Paranoid' is never pursued; a player that meets it anyway claims its card.

    With --beside, the same seeds are played under other rules as well: how does the house rule change what a part of the
    game is worth? With --adapt, a learned player is also trained for each restriction, and as long without any, before it
    is measured again.
    """
    from ...analysis.questions import restrict as lab
    from ...analysis.questions import restricted_play
    from ...simulator.errors import UserError
    from ...simulator.runs.run_plan import check_players
    from ...strategies.registry import DEFAULT

    if adapt and beside is not None:
        raise UserError("--adapt and --beside: expected one of the two")
    ruleset = ruleset_of(rules_files, map_file, box)
    other = None if beside is None else ruleset_named(beside, map_file, box)
    if other is not None and other.digest() == ruleset.digest():
        raise UserError(f"--beside {beside}: the same rules as those of --rules; expected different ones")
    rules = [each.compile() for each in (ruleset, other) if each is not None]
    names = names_of(rules, without, agendas, adapt)
    for r in rules:
        check_players(players, r)
        restricted_play.check(names, r, "--without")
    check_answer(out, [lab.TABLE if other is None and not adapt else lab.BESIDE])
    strategy = restricted_play.player(player or DEFAULT)
    strategy.load()
    request = RestrictRequest(names, strategy, games, players, seed, jobs, how, out, progress.Diary(quiet).say)
    with keeping_games(out, ruleset):
        if adapt:
            from ...analysis.learning.adapt import Budget

            answer_adapted(request, ruleset, Budget(budget, adapt_games), training)
        elif other is not None:
            answer_beside(request, ruleset, other)
        else:
            answer(request, ruleset)


def names_of(rules: Sequence[Any], without: tuple[str, ...] | None, agendas: bool, adapt: bool) -> list[str]:
    """Return the restrictions to measure: those named, or all that every ruleset has.

    Raises UserError for one that cannot be trained for.
    """
    from ...analysis.questions import restricted_play
    from ...simulator.errors import UserError
    from ...strategies.planning import restrictions

    if adapt and without and restricted_play.UNTRAINED in without:
        raise UserError(
            f"--adapt: without '{restricted_play.UNTRAINED}' a player asks no network, so there is nothing to train"
        )
    valid = [name for name in restrictions.valid_in(rules[0].box) if all(name in restrictions.valid_in(r.box) for r in rules)]
    untrained = [restricted_play.UNTRAINED] if adapt else []
    wanted = list(without) if without else [] if agendas else [name for name in valid if name not in untrained]
    common = [
        name for name in restricted_play.agendas_of(rules[0]) if all(name in restricted_play.agendas_of(r) for r in rules)
    ]
    return [*wanted, *(f"{restrictions.AGENDA}{name}" for name in common if agendas)]


def answer(request: RestrictRequest, ruleset: Any) -> None:
    """Show, and keep, what the player loses by each restriction."""
    from ...analysis.questions import restrict as lab
    from ...analysis.questions import restricted_play
    from ...analysis.stats.verdicts import for_reading

    losses = restricted_play.restricted(ruleset.compile(), request.player, request.names, **request.settings)
    rows = losses.to_dict("records")
    begin(request, ruleset)
    if request.how in ("csv", "json"):
        click.echo(table(with_commands(losses).drop(columns="meaning"), request.how))
    else:
        click.echo(table(for_reading(losses).drop(columns="meaning"), request.how))
    sentences = [lab.sentence(row, request.players) for row in rows]
    answers = [" ".join(pair) for row in rows if (pair := lab.answer(row)) is not None]
    if request.how == "table":
        tell("\n".join([*sentences, *answers]))
        tell_next(losses)
    keep(request, ruleset, lab.TABLE, losses, sentences, f"What parts of the game are worth to {request.player.name}", {})


def answer_beside(request: RestrictRequest, ruleset: Any, other: Any) -> None:
    """Show, and keep, what the player loses by each restriction under two rulesets."""
    from ...analysis.questions import restrict as lab
    from ...analysis.questions import restricted_play

    won = []
    for rules in (other, ruleset):
        request.say(f"{rules.name}:")
        won.append(
            restricted_play.play(
                rules.compile(), restricted_play.without_each(request.player, request.names), request.player, **request.settings
            )
        )
    losses = restricted_play.side_by_side(won[0], won[1])
    a, b = called(other, ruleset)
    sentences = [lab.beside(row, request.players, a, b) for row in losses.to_dict("records")]
    begin(request, ruleset)
    show(request, losses, sentences, (a, b))
    title = f"What parts of the game are worth to {request.player.name}: {b} beside {a}"
    keep(request, ruleset, lab.BESIDE, losses, sentences, title, {"a": a, "b": b, "kind": "rules"})


def answer_adapted(request: RestrictRequest, ruleset: Any, budget: Any, folder: Path) -> None:
    """Show, and keep, what the player loses by each restriction as it is, and trained for it."""
    from ...analysis.learning import adapt
    from ...analysis.questions import restrict as lab
    from ...analysis.questions import restricted_play

    r, seats = ruleset.compile(), restricted_play.without_each(request.player, request.names)
    with continuable(folder):
        trained = adapt.trained_without(
            ruleset, request.player, list(seats), budget, folder, players=request.players, seed=request.seed, jobs=request.jobs,
            say=request.say,
        )  # fmt: skip
    request.say("as it is:")
    before = restricted_play.play(r, seats, request.player, **request.settings)
    request.say("trained:")
    after = restricted_play.play(r, trained, request.player, **request.settings)
    losses = restricted_play.side_by_side(before, after)
    sentences = [lab.trained(row, request.players) for row in losses.to_dict("records")]
    sentences += [
        lab.CONTROL.format(before=before.shares[restricted_play.FREE].mean(), after=after.shares[restricted_play.FREE].mean()),
        lab.CHANCE,
    ]
    a, b = "as it is", "trained"
    begin(request, ruleset)
    show(request, losses, sentences, (a, b))
    title = f"What parts of the game are worth to {request.player.name}, as it is and trained to do without"
    keep(request, ruleset, lab.BESIDE, losses, sentences, title, {"a": a, "b": b, "kind": "training"})


def called(first: Any, second: Any) -> tuple[str, str]:
    """Return the names of two rulesets, with digests if they are the same."""
    if first.name != second.name:
        return str(first.name), str(second.name)
    return f"{first.name} ({first.digest()[:8]})", f"{second.name} ({second.digest()[:8]})"


def begin(request: RestrictRequest, ruleset: Any) -> None:
    """Print whose games the answer is of, above a table."""
    if request.how == "table":
        tell(f"{played(ruleset, plan_of(request, ruleset))}\n")


def plan_of(request: RestrictRequest, ruleset: Any) -> Any:
    """Return the plan of the games without restrictions."""
    from ...analysis.questions import ladder

    return ladder.table_plan(ruleset.compile(), [request.player] * request.players, request.games, request.seed)


def show(request: RestrictRequest, losses: Any, sentences: Sequence[str], names: tuple[str, str]) -> None:
    """Print both tables beside each other, and the sentences; CSV and JSON hold every column in full."""
    import pandas as pd

    from ...analysis.stats.verdicts import verdict_words

    if request.how in ("csv", "json"):
        click.echo(table(with_commands(losses), request.how))
        return
    rows = []
    for row in losses.to_dict("records"):
        cells = {"without": row["restriction"]}
        for key, name in zip("ab", names, strict=True):
            cells[f"{name}: share"] = f"{row[f'{key}_share']:.1%} → {row[f'{key}_restricted']:.1%}"
            cells[f"{name}: points"] = _size(row, f"{key}_points")
        cells |= {"change": _size(row, "change"), "n": f"{row['n']:,}"}
        cells |= {"verdict": verdict_words(row), "certainty": row["certainty"]}
        rows.append(cells | {"small sample": "few" if row["small_sample"] else ""})
    shown = pd.DataFrame(rows)
    click.echo(table(shown if losses["small_sample"].any() else shown.drop(columns="small sample"), request.how))
    if request.how == "table":
        tell("\n".join(sentences))
        tell_next(losses)


def _size(row: Any, name: str) -> str:
    """Return a difference in points with the interval that holds for its table."""
    return f"{with_sign(row[name])} [{with_sign(row[f'{name}_all_low'])}, {with_sign(row[f'{name}_all_high'])}]"


def keep(
    request: RestrictRequest, ruleset: Any, name: str, losses: Any, sentences: Sequence[str], title: str, words: dict[str, str]
) -> None:
    """Keep an answer for its page, if that is wanted."""
    if request.out is None:
        return
    from ...analysis.questions.restrict import COMMAND

    plan, compared = plan_of(request, ruleset), f"{counted(request.games, 'pair')} of games for each restriction"
    keep_answer(request.out, COMMAND, title, ruleset, plan, {name: losses}, sentences=sentences, words=words, compared=compared)


# --- `newdawn coalition`


@click.command()
@click.option("--leaders", type=Names(), metavar="A,B,…", help="Leaders to play against, one by one [default: all].")
@click.option("--player", help="Who plays: quick, or a learned player like it [default: quick].")
@shared.games(1_000, "Pairs of games for each leader.")
@click.option(
    "--aim", type=click.IntRange(1, 100), default=100, show_default=True,
    help="Percentage of a rival's aim that is to stop the leader; the rest is to win.",
)  # fmt: skip
@shared.players
@shared.seed()
@shared.rules
@answer_options
def coalition(
    leaders: tuple[str, ...] | None, player: str | None, games: int, aim: int, players: int, seed: int, box: str,
    rules_files: tuple[Path, ...], map_file: Path | None, jobs: int, out: Path | None, how: str, quiet: bool,
) -> None:  # fmt: skip
    """Measure what a leader still wins when every rival plays against it.

    \b
    newdawn coalition --leaders Scythia
    newdawn coalition --box terra-incognita --games 2000 --out results/coalition
    newdawn coalition --leaders Scythia --aim 50 --rules mine.yaml

    People gang up on the player who is ahead. Each game is played twice on the same seed: once every rival plays to win,
    once to stop the leader. The rivals judge positions as they always do; they are not trained for this, so they may hold a
    leader less well than people would.

    Verdicts are on decided games; their intervals hold for all leaders together (95%). The margin is 2 points.
    """
    from ...analysis.questions import coalition as question
    from ...analysis.questions import ladder
    from ...analysis.stats.verdicts import for_reading
    from ...simulator.errors import UserError, named
    from ...simulator.runs.run_plan import available_leaders, check_players
    from ...strategies.registry import DEFAULT

    ruleset = ruleset_of(rules_files, map_file, box)
    r = ruleset.compile()
    check_players(players, r)
    available = available_leaders(r)
    chosen = list(dict.fromkeys(named("leader", name, available, "--leaders") for name in leaders or available))
    if len(available) <= players - 1:
        raise UserError(f"players: {players} need {players} leaders; the rules have {len(available)}")
    check_answer(out, [question.TABLE])
    strategy = question.player(player or DEFAULT)
    strategy.load()
    plan = ladder.table_plan(r, [strategy] * players, games, seed)
    say = progress.Diary(quiet).say
    with keeping_games(out, ruleset):
        frame = question.coalitions(
            r, chosen, strategy, players=players, games=games, seed=seed, jobs=jobs, share=10 * aim, say=say
        )
        frame = with_commands(frame)
        if how == "table":
            tell(f"{played(ruleset, plan)}\n")
        click.echo(table(for_reading(frame) if how in ("table", "markdown") else frame, how))
        lines = list(question.lines(frame).values())
        if how == "table":
            tell("\n".join([*lines, question.UNTRAINED]))
            tell_next(frame)
        if out is not None:
            title = f"What leaders win when the table plays against them, played by {strategy.name}"
            compared = f"{games:,} pairs of games a leader"
            keep_answer(
                out, question.COMMAND, title, ruleset, plan, {question.TABLE: frame}, sentences=[*lines, question.UNTRAINED],
                compared=compared, words={"aim": str(aim)},
            )  # fmt: skip
