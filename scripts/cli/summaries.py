"""`newdawn leaders`, `strengths`, `matchups`, `wonders` and `victory`: summaries of one or more runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from ...analysis.statistics.margins import POINTS, ROUNDS
from ...simulator import names
from ...simulator.batch.places import Place
from ...simulator.errors import UserError
from ...simulator.wording import counted, half, listed
from .shared.options import PLACE
from .shared.screen import output_options, table, tell
from .trials.compare import Share

F = TypeVar("F", bound=Callable[..., Any])
MARGIN = click.option(
    "--margin", type=Share(), default=POINTS / 100, show_default=f"{POINTS:g}%",
    help="Relevance margin: what differs by less than ± so much of the wins does not matter.",
)  # fmt: skip
MARGIN_ROUNDS = click.option(
    "--margin-rounds", type=click.FloatRange(0, min_open=True), default=ROUNDS, show_default=True,
    help="Relevance margin of the length of a game, in rounds.",
)  # fmt: skip


def summary_arguments(groupings: Sequence[str]) -> Callable[[F], F]:
    """Add the folders, --format and --by."""

    def add(function: F) -> F:
        if groupings:
            by = click.option("--by", type=click.Choice(list(groupings)), help="One row for each of these, too.")
            function = by(function)
        function = output_options()(function)
        return click.argument("folders", type=PLACE, nargs=-1, required=True, metavar="DIR...")(function)

    return add


def heading(runs: Sequence[Any]) -> str:
    """Return the lines above a table: how many games, how they ended, what is counted."""
    from ...analysis.summaries.counts import overview
    from ...analysis.tables.plays import PlaysOf

    if any(isinstance(run, PlaysOf) for run in runs):  # how long they took is not always noted
        sizes = listed(f"{run.planned_games:,} of {run.players} players" for run in runs)
        return f"{counted(sum(run.planned_games for run in runs), 'game')}, real plays among them: {sizes}"
    facts = overview(runs)
    rounds = facts["rounds"]
    lines = [
        f"{counted(facts['games'], 'game')}: {facts['victories']:,} won, {facts['unfinished']:,} unfinished "
        f"({facts['unfinished'] / facts['games']:.1%}, won by nobody, in every n)",
        f"rounds: median {half(rounds['50%'])}, {facts['rounds_share']:.1%} of the games from {rounds['5%']:.0f} to "
        f"{rounds['95%']:.0f}",
    ]
    if boxes := sorted({run.box for run in runs} - {names.BOXES[0]}):
        lines[0] += f"; {', '.join(boxes)}"
    if facts["games"] < facts["planned"]:
        lines.append(f"not finished: {facts['planned']:,} planned")
    return "\n".join(lines)


def print_summary(
    summary: Callable[..., Any], folders: Sequence[Place], how: str, by: str | None, note: str = "", **options: Any
) -> None:
    """Open the runs, make the summary and print it; the note stands above a table."""
    from ...analysis.tables.plays import opened

    runs = [run for folder in folders for run in opened(folder)]
    if len(boxes := list(dict.fromkeys(run.box for run in runs))) > 1:
        raise UserError(f"runs of several boxes ({', '.join(boxes)}) are not counted together; expected runs of one box")
    text = table(summary(runs, by, **options), how)
    if how == "table":
        tell(f"{heading(runs)}\n{note}")
    click.echo(text)


def _print_agreement(folders: Sequence[Place], how: str) -> None:
    """Print how far the runs rank the leaders that they share alike."""
    from ...analysis.summaries.agree import agreement
    from ...analysis.tables.read import open_run

    runs = {str(folder): open_run(folder) for folder in folders}
    if len(runs) < 2:
        raise UserError("--by agreement: compares runs; expected two folders or more")
    if how == "table":
        said = [f"{name}: {counted(run.planned_games, 'game')} of {run.players}, {run.box}" for name, run in runs.items()]
        tell("\n".join([*said, ""]))
    click.echo(table(agreement(runs), how))


def with_verdicts(summary: Callable[..., Any], name: str, margin: float) -> Callable[..., Any]:
    """Return the summary with verdicts on the column `name` against the margin, in its unit."""
    from ...analysis.summaries.counts import number_of_games
    from ...analysis.trials.relevance import judged

    def verdicts(runs: Any, by: str | None, **options: Any) -> Any:
        return judged(summary(runs, by, **options), name, margin, number_of_games(runs))

    return verdicts


def _by(functions: dict[str, str], by: str | None, default: Callable[..., Any]) -> tuple[Callable[..., Any], str | None]:
    """Return the function of `analysis` for this grouping and what is left of it, or the default with `by`."""
    from ... import analysis

    if by not in functions:
        return default, by
    function = getattr(analysis, functions[by])
    return lambda runs, _: function(runs), None


@click.command()
@summary_arguments(["seat", "order", "players", "strategy", "agendas", "timing", "agreement"])
@MARGIN
def leaders(folders: tuple[Place, ...], how: str, by: str | None, margin: float) -> None:
    """Show the win rate of each leader with its 95% interval, and the report's verdict on it.

    n counts the leader's games, unfinished ones included; a win shared by k players counts 1/k. The win rate is that of these
    games. `points` is what the leader would win of the decided games among equal players at balanced tables, less the fair
    share (the model of `newdawn strengths`), with an interval that holds for all rows together (95%); `rank` is the places that
    remain possible. `verdict` is read off that interval: balanced within the margin, outside it, or undecided, and how many
    games it takes at least to decide. Where each leader was played by strategies of its own nothing is tested.

    With --by seat, order, players or strategy, `difference` is the win rate as played less the fair share, and there is no
    verdict: strategies of different strength would be taken for leaders'.

    --by agendas and --by timing show how each leader wins: by which agendas, and when, against all other leaders' wins
    (`points`: percentage points; `p adjusted`: for the whole table together). --by agreement says for each pair of runs how
    far they rank the leaders alike (Spearman): does a fifth player, or the other box, change their order?
    """
    from ...analysis.summaries import counts

    if by == "agreement":
        _print_agreement(folders, how)
        return
    how_they_win = {"agendas": "winning_agendas", "timing": "winning_times"}
    if by is None:
        _print_standing(folders, how, 100 * margin)
        return
    summary, rest = _by(how_they_win, by, counts.leaders)
    print_summary(summary, folders, how, rest)


def _print_standing(folders: Sequence[Place], how: str, margin: float) -> None:
    """Print the leaders' rates as played beside the verdicts on them."""
    from ...analysis.models.standing import Standing
    from ...analysis.summaries.counts import leaders as plain
    from ...analysis.tables.plays import PlaysOf, opened

    runs = [run for folder in folders for run in opened(folder)]
    if any(isinstance(run, PlaysOf) for run in runs):  # what people chose is not dealt evenly, and verdicts need more games
        print_summary(plain, folders, how, None)
        return
    standing = Standing(runs)
    note = ""
    if standing.players_of:
        played = listed([f"{leader} by {strategies}" for leader, strategies in standing.players_of.items()])
        note = f"no verdict on leaders: their strength cannot be distinguished from that of who played them ({played})\n"
    elif standing.decided and standing.among_equals:
        note = "win rate: as played in these games; points, rank, verdict: among equal players (model of `newdawn strengths`)\n"
    print_summary(lambda runs, by: _with_standing(standing, margin), folders, how, None, note)


def _with_standing(standing: Any, margin: float) -> Any:
    """Return the leaders' plain win rates with what is said of them; just these where nobody won."""
    from ...analysis.statistics.rates import in_words
    from ...analysis.summaries.counts import leaders as plain
    from ...analysis.trials.relevance import judged

    frame = plain(standing.runs).drop(columns=["difference", "difference_all_low", "difference_all_high", "rank"])
    if not standing.decided:
        return frame
    found = judged(standing.leaders, "points", margin, standing.games)
    found["rank"] = in_words(found["rank_best"], found["rank_worst"])
    ends = ["points", "points_low", "points_high", "points_all_low", "points_all_high"]
    said = found[["leader", *ends, "rank", "p", "p_adjusted", "verdict", "games_to_decide", "small_sample"]]
    return frame.drop(columns="small_sample").merge(said, on="leader", how="left")


@click.command()
@summary_arguments(["players", "cards"])
@click.option(
    "--factor", type=click.Choice(["leader", "strategy"]), default="leader", show_default=True, help="Whose strength."
)
@MARGIN
def strengths(folders: tuple[Place, ...], how: str, by: str | None, factor: str, margin: float) -> None:
    """Rank the leaders by strength, corrected for turn order, opponents and strategies (conditional logit).

    `adjusted rate` is the share of the decided games a leader would win if every line-up played equally often in every
    turn order; `points` is that less the fair share, in percentage points; `odds ratio` compares with the average leader.
    The intervals of `adjusted rate` and `points` hold for all rows together (95%); a leader differs from the fair share if
    its interval leaves it out, which is what `p adjusted` says, too. `rank best` to `rank worst` are the ranks that remain
    possible, for all leaders together; `chance first` is how likely it is that the leader is the strongest. `verdict`
    compares with the margin: balanced within it, outside it, or undecided. --by cards: with each victory card in play and
    without it.
    'few' marks fewer than 100 games, or hardly a win or hardly a loss (fewer than 10): intervals are too narrow there.
    """
    from ...analysis.models import strength
    from ...simulator.errors import UserError

    if by == "cards":
        if factor != "leader":
            raise UserError(f"factor {factor}: expected leader with --by cards")
        summary = with_verdicts(lambda runs, _: strength.by_cards(runs), "points", 100 * margin)
        print_summary(summary, folders, how, None)
        return
    note = ""
    if factor == "leader" and how == "table" and by is None:
        from ...analysis.tables.plays import opened

        row = strength.leader_spread([run for folder in folders for run in opened(folder)]).iloc[0]
        rough = "; few games, or a leader with hardly a win or loss: rough" if row["small_sample"] else ""
        note = (
            f"leader spread: {row['spread']:.1f} points [{row['spread_low']:.1f}, {row['spread_high']:.1f}] "
            f"(standard deviation of the true win rates, without chance{rough})\n"
        )
    print_summary(with_verdicts(strength.strengths, "points", 100 * margin), folders, how, by, note, factor=factor)


@click.command()
@summary_arguments([])
@click.option(
    "--value", type=click.Choice(["win_rate", "surplus", "remainder"]), default="win_rate", show_default=True,
    help="What the table shows: wins of the row's leader, less what strengths say, or strengths and unequal noise.",
)  # fmt: skip
@click.option("--long", is_flag=True, help="One row a pair, with intervals and tests (always in csv and json).")
def matchups(folders: tuple[Place, ...], how: str, value: str, long: bool) -> None:
    """Show leader against leader: how often the row's leader won when one of the two did, in % of these games.

    `surplus` is that less what the two leaders' strengths say, in percentage points: the misfit of the strength model. It
    does not make a pair special, for leaders whose games vary more or less than others' bring it about, too. `remainder`
    is what is left if each leader has a noise of its own; a star marks pairs where that is not zero (`p adjusted` at most
    5%, for all pairs), brackets fewer than 100 games, or hardly a win or a loss in them.
    """
    from ...analysis.models.matchup import matchup_table
    from ...analysis.models.matchup import matchups as found

    if how in ("csv", "json") or long:
        print_summary(lambda runs, _: found(runs), folders, how, None)
    else:
        print_summary(lambda runs, _: matchup_table(found(runs), value), folders, how, None)


@click.command()
@summary_arguments(["players", "leader"])
def wonders(folders: tuple[Place, ...], how: str, by: str | None) -> None:
    """Show how often each world wonder was seen and built, when, and how its builders fared.

    n counts the games with the wonder in a deck, `revealed` those in which it was turned up. The builders' win rate is an
    association, not the wonder's effect: who builds more may win more for other reasons. --by leader: who builds it.
    """
    from ...analysis.summaries import counts

    print_summary(counts.wonders, folders, how, by)


@click.command()
@summary_arguments(["players", "leader", "combination", "combination-leaders"])
@MARGIN
@MARGIN_ROUNDS
def victory(folders: tuple[Place, ...], how: str, by: str | None, margin: float, margin_rounds: float) -> None:
    """Show how often each agenda was claimed, when, and how its claimants fared.

    n counts the games with the card in play; the claim rate is the share of them in which anyone claimed it by this
    agenda. `winner share` is the share of the wins in those games that used the agenda. What claimants win is next to a
    tautology: nobody wins without claims.

    --by leader: which leader uses which agenda, against the other seats of the same games. --by combination: length of
    the games by the victory cards in play. --by combination-leaders: win rates of the leaders by them, against their
    games with other cards. Intervals of differences hold for all rows together (95%); 'few' marks fewer than 100 games.
    """
    from ...analysis.summaries import counts

    others = {
        "leader": "agenda_users",
        "combination": "card_sets",
        "combination-leaders": "card_set_leaders",
    }
    summary, rest = _by(others, by, counts.victory)
    if by == "combination":
        summary = with_verdicts(summary, "rounds_difference", margin_rounds)
    elif by == "combination-leaders":
        summary = with_verdicts(summary, "points", 100 * margin)
    print_summary(summary, folders, how, rest)
