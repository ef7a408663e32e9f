"""Tables of runs: `newdawn leaders`, strengths, matchups, wonders, victory, game, cards, rounds, places."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import click

from ...simulator import names
from ...simulator.errors import UserError, counted, half, listed
from ...simulator.runs.run_folder import Place
from .margins import MARGIN, MARGIN_ROUNDS
from .shared import PLACE, Names, fitted, output_options, strategies_of, table, tell

# --- `newdawn leaders`, `strengths`, `matchups`, `wonders` and `victory`: summaries of one or more runs

F = TypeVar("F", bound=Callable[..., Any])


def summary_arguments(groupings: Sequence[str]) -> Callable[[F], F]:
    """Add the folders, --format and --by."""

    def add(function: F) -> F:
        if groupings:
            by = click.option("--by", type=click.Choice(list(groupings)), help="Split by this.")
            function = by(function)
        function = output_options()(function)
        return click.argument("folders", type=PLACE, nargs=-1, required=True, metavar="DIR...")(function)

    return add


def heading(runs: Sequence[Any]) -> str:
    """Return the lines above a table: how many games, how they ended, and their length."""
    from ...analysis.tables.read import PlaysOf
    from ...analysis.tables.win_rates import overview
    from ...simulator.rules.load import why_unfinished

    if any(isinstance(run, PlaysOf) for run in runs):  # people do not always note the length
        sizes = listed(f"{run.planned_games:,} of {run.players} players" for run in runs)
        return f"{counted(sum(run.planned_games for run in runs), 'game')}, real plays among them: {sizes}"
    facts = overview(runs)
    rounds = facts["rounds"]
    unfinished = facts["unfinished"]
    why = next((f"; {why}" for run in runs if unfinished and (why := why_unfinished(run.rules))), "")
    share = f" ({unfinished / facts['games']:.1%}; nobody won them{why})" if unfinished else ""
    lines = [
        f"{counted(facts['games'], 'game')}: {facts['victories']:,} won, {unfinished:,} unfinished{share}",
        f"rounds: median {half(rounds['50%'])}, {facts['rounds_share']:.1%} of the games from {rounds['5%']:.0f} to "
        f"{rounds['95%']:.0f}",
    ]
    strategies = strategies_of(runs)
    counts = listed(sorted({run.players for run in runs}))
    lines.insert(1, f"{counts} players, strategies: {', '.join(strategies)}" if strategies else f"{counts} players")
    if boxes := sorted({run.box for run in runs} - {names.BOXES[0]}):
        lines[0] += f"; {', '.join(boxes)}"
    if any(run.has_teams for run in runs):
        lines.append("teams: partners share a win, half each, so that no seat wins more than half of its games")
    if facts["games"] < facts["planned"]:
        lines.append(f"not finished: {facts['planned']:,} planned")
    return "\n".join(lines)


def pooled(folders: Sequence[Place]) -> list[Any]:
    """Open the runs; raise UserError if they are of several boxes."""
    from ...analysis.tables.read import opened

    runs = [run for folder in folders for run in opened(folder)]
    if len(boxes := list(dict.fromkeys(run.box for run in runs))) > 1:
        raise UserError(f"runs of several boxes ({', '.join(boxes)}) cannot be pooled; expected runs of one box")
    return runs


def print_summary(
    summary: Callable[..., Any], folders: Sequence[Place], how: str, by: str | None, note: str = "", **options: Any
) -> None:
    """Open the runs and print their summary; the note stands above a table."""
    runs = pooled(folders)
    text = table(summary(runs, by, **options), how)
    if how == "table":
        tell(f"{heading(runs)}\n{note}")
    click.echo(text)


def _print_agreement(folders: Sequence[Place], how: str) -> None:
    """Print how alike the runs rank the leaders that they share."""
    from ...analysis.tables.ranks_of_runs import agreement
    from ...analysis.tables.read import open_run

    runs = {str(folder): open_run(folder) for folder in folders}
    if len(runs) < 2:
        raise UserError("--by agreement: compares runs; expected two folders or more")
    if how == "table":
        lines = [
            f"{name}: {counted(run.planned_games, 'game')} of {run.players}, {run.box}, "
            f"strategies: {', '.join(strategies_of([run]))}"
            for name, run in runs.items()
        ]
        tell("\n".join([*lines, ""]))
    click.echo(table(agreement(runs), how))


def with_verdicts(
    summary: Callable[..., Any], name: str, margin: float, family: str, change: bool = False
) -> Callable[..., Any]:
    """Return the summary with verdicts on the column `name` against the margin, in its unit: on strengths, or on a change.

    `family` is the report's name of the table (`inference.weight_of`), so that its verdicts are those of the report.
    """
    from ...analysis.stats.verdicts import CHANGE, STRENGTH, judged
    from ...analysis.tables.win_rates import number_of_games

    def verdicts(runs: Any, by: str | None, **options: Any) -> Any:
        scale = CHANGE if change else STRENGTH
        return judged(summary(runs, by, **options), name, margin, number_of_games(runs), scale, family=family)

    return verdicts


def _by(functions: dict[str, str], by: str | None, default: Callable[..., Any]) -> tuple[Callable[..., Any], str | None]:
    """Return the function of `analysis` for this grouping and no `by`, or the default with `by`."""
    from ... import analysis

    if by not in functions:
        return default, by
    function = getattr(analysis, functions[by])
    return lambda runs, _: function(runs), None


@click.command()
@summary_arguments(["seat", "order", "players", "strategy", "agendas", "timing", "agreement"])
@MARGIN
def leaders(folders: tuple[Place, ...], how: str, by: str | None, margin: float) -> None:
    """Show each leader's win rate with its 95% interval, and the verdict on it.

    \b
    newdawn leaders results/first
    newdawn leaders results/first --by agendas

    `decided` counts the leader's games that someone won; a win shared by k players counts 1/k. `adjusted rate` is what the
    leader would win of them among equal players at balanced tables (the model of `newdawn strengths`), `points` that minus the
    fair share. Their intervals hold for all rows together (95%). Where many leaders have few games each, `pooled rate` is the
    better guess: the rate drawn to the fair share as far as chance explains the distances of all. `rank` gives the places that
    remain possible. `verdict` is read from that interval: too strong or too weak (beyond the margin), above or below with the
    size unclear, balanced (within the margin), or undecided, with the number of games that would decide. Leaders are not
    compared where each was played by strategies of its own.

    With --by seat, order, players or strategy, `difference` is the win rate as played less the fair share. There is no
    verdict, because a stronger strategy would look like a stronger leader. Seats count from 1 (from 0 in CSV and JSON).

    --by agendas and --by timing show how each leader wins, compared with the wins of all others: by which agendas, and
    when. (`points` are percentage points; `p adjusted` holds for the whole table.) --by agreement compares the order of the
    leaders between runs (Spearman): does a fifth player, or the other box, change it?
    """
    from ...analysis.tables import win_rates

    if by == "agreement":
        _print_agreement(folders, how)
        return
    how_they_win = {"agendas": "winning_agendas", "timing": "winning_times"}
    if by is None:
        _print_standing(folders, how, 100 * margin)
        return
    summary, rest = _by(how_they_win, by, win_rates.leaders)
    print_summary(summary, folders, how, rest)


def _print_standing(folders: Sequence[Place], how: str, margin: float) -> None:
    """Print the leaders with the verdicts on them."""
    from ...analysis.pages.report_parts import Source
    from ...analysis.tables.read import PlaysOf
    from ...analysis.tables.win_rates import leaders as plain

    runs = pooled(folders)
    if any(isinstance(run, PlaysOf) for run in runs):  # people choose their leaders, and verdicts need more games
        print_summary(plain, folders, how, None)
        return
    source = Source(runs, margin=margin)
    frame = leaders_table(source)
    print_summary(lambda runs, by: frame, folders, how, None, note_on(source) + _open_readings(source, frame))


def note_on(source: Any) -> str:
    """Return a note on the verdicts on leaders, as a line above their table; '' without one."""
    if source.players_of:
        played = listed([f"{leader} by {strategies}" for leader, strategies in source.players_of.items()])
        return f"no verdict on leaders: their strength cannot be distinguished from that of their players ({played})\n"
    if source.places_of:
        placed = listed([f"{leader} at {places}" for leader, places in source.places_of.items()])
        return f"no verdict on leaders: they cannot be distinguished from their places in the turn order ({placed})\n"
    if source.decided and source.among_equals:
        return "adjusted rate, points, rank, verdict: among equal players (model of `newdawn strengths`)\n"
    return ""


def _open_readings(source: Any, frame: Any) -> str:
    """Return a line for each open reading of the rules that a verdict on a leader may depend on."""
    from ...analysis.questions.leaders import open_readings
    from ...analysis.stats.verdicts import far

    first = source.runs[0]
    if "verdict_key" not in frame or not first.rules:
        return ""
    beyond = [str(name) for name in far(frame)["leader"]]
    return "".join(f"{finding.text}\n" for finding in open_readings(replace(source, runs=first), beyond))


def leaders_table(source: Any) -> Any:
    """Return the table of leaders of `newdawn leaders` and the end of `run`; plain win rates if nobody won."""
    from ...analysis.stats.inference import ENDS
    from ...analysis.stats.rates import in_words
    from ...analysis.tables.win_rates import leaders as plain

    if not source.decided:
        frame = plain(source.runs)
        return frame.drop(columns=["difference", "difference_all_low", "difference_all_high", "rank"])
    judged = source.judged
    judged = judged.assign(rank=in_words(judged["rank_best"], judged["rank_worst"]))
    ends = [f"{name}{end}" for name in ("adjusted_rate", "points") for end in ENDS]
    guesses = [f"pooled_rate{end}" for end in ("", "_low", "_high") if "pooled_rate" in judged]
    columns = ["leader", "decided", *ends, *guesses, "fair_share", "rank", "p", "p_adjusted", "n", "win_rate", "win_rate_low"]
    columns += ["win_rate_high"]
    return judged[[*columns, "verdict", "verdict_key", "certainty", "games_fewest", "games_most", "small_sample"]]


@click.command()
@summary_arguments(["players", "cards"])
@click.option(
    "--factor", type=click.Choice(["leader", "strategy"]), default="leader", show_default=True, help="Whose strength."
)
@MARGIN
def strengths(folders: tuple[Place, ...], how: str, by: str | None, factor: str, margin: float) -> None:
    """Rank the leaders by strength, corrected for turn order, opponents and strategies.

    \b
    newdawn strengths results/first
    newdawn strengths results/first --by cards

    The model is a conditional logit. `adjusted rate` is the share of the decided games that a leader would win if every
    line-up played equally often in every turn order. `points` is that rate less the fair share, in percentage points. `odds
    ratio` compares with the average leader. The intervals of `adjusted rate` and `points` hold for all rows together (95%).
    A leader differs from the fair share if its interval excludes it; `p adjusted` says the same. `rank best` to `rank
    worst` are the ranks that remain possible, for all leaders together. `chance first` is the probability that the leader
    is the strongest. `verdict` compares with the margin, as in `newdawn leaders`. --by cards estimates strengths
    with and without each victory card in play.

    `few` marks rows with fewer than 100 games, fewer than 10 wins or fewer than 10 losses: their intervals are too narrow.
    """
    from ...analysis.tables import leader_strength
    from ...simulator.errors import UserError

    if by == "cards":
        if factor != "leader":
            raise UserError(f"factor {factor}: expected leader with --by cards")
        summary = with_verdicts(
            lambda runs, _: leader_strength.by_cards(runs), "points", 100 * margin, "leaders by card", change=True
        )
        print_summary(summary, folders, how, None)
        return
    note = ""
    if factor == "leader" and how == "table" and by is None:
        from ...analysis.tables.read import opened

        row = leader_strength.leader_spread([run for folder in folders for run in opened(folder)]).iloc[0]
        rough = "; rough: not enough games, wins or losses" if row["small_sample"] else ""
        note = (
            f"leader spread: {row['spread']:.1f} points [{row['spread_low']:.1f}, {row['spread_high']:.1f}] "
            f"(standard deviation of the true win rates, without chance{rough})\n"
        )

    def over_looks(runs: Any, by: str | None, factor: str) -> Any:
        frame = leader_strength.strengths(runs, by, factor=factor)
        return leader_strength.LeaderStanding(runs).over_looks(frame) if by is None and factor == "leader" else frame

    family = "strategies" if factor == "strategy" else ""
    print_summary(with_verdicts(over_looks, "points", 100 * margin, family), folders, how, by, note, factor=factor)


@click.command()
@summary_arguments([])
@click.option(
    "--value", type=click.Choice(["win_rate", "surplus", "remainder"]), default="win_rate", show_default=True,
    help="What the table shows: wins of the row's leader, these less what strengths predict, or less strengths and noise.",
)  # fmt: skip
@click.option("--long", is_flag=True, help="One row for each pair, with intervals and tests (always in csv and json).")
def matchups(folders: tuple[Place, ...], how: str, value: str, long: bool) -> None:
    """Show how often each leader wins against every other leader, in % of the games that one of the two won.

    \b
    newdawn matchups results/first
    newdawn matchups results/first --value remainder

    `surplus` is the rate less what the two leaders' strengths predict, in percentage points: the misfit of the strength
    model. A surplus alone does not make a pair special, because leaders whose games vary more or less than others' cause
    it, too. `remainder` is what remains once each leader has a noise of its own. A star marks pairs whose remainder is not
    zero (`p adjusted` at most 5%, for all pairs). Brackets mark pairs with fewer than 100 games, or with fewer than 10 wins
    or losses.
    """
    from ...analysis.tables.matchup import matchup_table
    from ...analysis.tables.matchup import matchups as pairs

    if how in ("csv", "json") or long:
        print_summary(lambda runs, _: pairs(runs), folders, how, None)
    else:
        print_summary(lambda runs, _: matchup_table(pairs(runs), value), folders, how, None)


@click.command()
@summary_arguments(["players", "leader"])
def wonders(folders: tuple[Place, ...], how: str, by: str | None) -> None:
    """Show how often each world wonder is built, when, and how often its builders win.

    \b
    newdawn wonders results/first
    newdawn wonders results/first --by leader

    `n` counts the games with the wonder in a deck, `revealed` those in which it was turned up. The builders' win rate is an
    association, not the wonder's effect: players who build more may win more for other reasons.
    """
    from ...analysis.tables import win_rates

    print_summary(win_rates.wonders, folders, how, by)


@click.command()
@summary_arguments(["players", "leader", "combination", "combination-leaders"])
@MARGIN
@MARGIN_ROUNDS
def victory(folders: tuple[Place, ...], how: str, by: str | None, margin: float, margin_rounds: float) -> None:
    """Show how often each agenda is claimed, when, and how often its claimants win.

    \b
    newdawn victory results/first
    newdawn victory results/first --by combination

    `n` counts the games with the card in play. The claim rate is the share of them in which anyone claimed it by this
    agenda. `winner share` is the share of the wins in those games that used the agenda. The claimants' win rate says
    little: nobody wins without claims.

    --by leader shows which leader uses which agenda, against the other seats of the same games. --by combination shows the
    length of the games by the victory cards in play. --by combination-leaders shows the leaders' win rates by them, against
    their games with other cards. Intervals of differences hold for all rows together (95%). `few` marks fewer than 100
    games.
    """
    from ...analysis.tables import win_rates

    others = {"leader": "agenda_users", "combination": "card_sets", "combination-leaders": "card_set_leaders"}
    summary, rest = _by(others, by, win_rates.victory)
    if by == "combination":
        summary = with_verdicts(summary, "rounds_difference", margin_rounds, "length by card set", change=True)
    elif by == "combination-leaders":
        summary = with_verdicts(summary, "points", 100 * margin, "leaders by card set", change=True)
    print_summary(summary, folders, how, rest)


# --- `newdawn game`

PARTS = {  # by name: the function of `analysis`, the heading
    "length": ("length", "Length of the games, in rounds"),
    "rounds": ("rounds", "Games by the round in which they ended"),
    "reasons": ("reasons", "What the winners had claimed"),
    "seats": ("turn_order", "What each place in the turn order is worth, corrected for leaders and strategies"),
    "lead": ("lead", "Lead changes, and when the winner takes the lead for good (most victory cards claimed)"),
    "comebacks": ("comebacks", "Comebacks: how many victory cards the winners had been behind"),
    "predictability": ("predictability", "How well the victory cards claimed predict the winner, after each round"),
    "shortages": ("shortages", "What has run out by the end"),
}
EXPANSION = {
    "districts": "Districts placed, and what goes with winning (association)",
    "exploring": "Tiles explored, and what goes with winning (association)",
    "forts": "Forts taken, and what goes with winning (association)",
    "governments": "Governments, and what goes with winning (association)",
    "unique-cards": "Unique cards: when taken, and what goes with winning (association)",
    "wonders-left": "World wonders removed by the wonder icon",
}  # parts of runs with Terra Incognita
ROWS = 12  # of the reasons in the table of all parts


@click.command()
@click.argument("folders", type=PLACE, nargs=-1, required=True, metavar="DIR...")
@click.option("--part", type=click.Choice([*PARTS, *EXPANSION]), help="Show only this part [default: all].")
@click.option("--by", type=click.Choice(["players"]), help="Split by this.")
@MARGIN
@output_options(text="Output format; csv needs --part.")
def game(folders: tuple[Place, ...], part: str | None, by: str | None, margin: float, how: str) -> None:
    """Show the game as a whole: length, reasons of victory, turn order, lead changes, comebacks, shortages.

    \b
    newdawn game results/first
    newdawn game results/first --part predictability --format csv

    Runs of Terra Incognita also have parts on districts, exploring, forts, governments, unique cards, and wonders that left
    the game.

    Intervals are 95%. Those of `points` (seats) hold for all seats together. `verdict` compares them with the --margin:
    balanced, outside, or undecided.

    The leader of a game is here the seat that has claimed more victory cards than any other at the end of a round. `auc` is
    the probability that the later winner has claimed more than another seat picked at random (50%: a coin toss). `skill` is
    how much better than the fair share the claims forecast the winner (0: not at all, 100%: perfectly).
    """
    from ...analysis.tables.read import open_run
    from ...analysis.tables.rendering import rows_of
    from ...simulator.errors import DamagedTable, UserError

    if how == "csv" and part is None:
        raise UserError(f"format csv: expected one part, --part {', '.join(PARTS)}")
    runs = [open_run(folder) for folder in folders]
    boxed = all(run.box == names.BOXES[names.TI_BOX] for run in runs)
    parts = [part] if part else [*PARTS, *(EXPANSION if boxed else ())]
    damaged: list[str] = []  # parts
    if how == "json":
        every = {name: _json_part(name, runs, by, margin, damaged) for name in parts} if part is None else {}
        click.echo(json.dumps(every if part is None else rows_of(_frame(part, runs, by, margin)), indent=1))
        if damaged:
            raise SystemExit(1)
        return
    texts = [fitted(heading(runs))] if how == "table" else []
    for name in parts:
        try:
            frame = _frame(name, runs, by, margin)
            first = frame if part else _first_rows(name, frame)
            text = table(first, how)
            if len(first) < len(frame):
                text += f"\n… and {len(frame) - len(first)} more: --part {name}"
        except UserError as error:
            if part is not None:
                raise
            text = fitted(f"not available: {error}")
            damaged += [name] if isinstance(error, DamagedTable) else []
        title = EXPANSION.get(name) or PARTS[name][1]
        title = f"## {title}" if how == "markdown" else fitted(title)
        texts.append(text if part and how != "table" else f"{title}\n\n{text}")
    click.echo("\n\n".join(texts))
    if damaged:
        raise SystemExit(1)


def _json_part(name: str, runs: list[Any], by: str | None, margin: float, damaged: list[str]) -> Any:
    """Return the part's rows, or why there are none; add it to those that are `damaged`, if its tables are."""
    from ...analysis.tables.rendering import rows_of
    from ...simulator.errors import DamagedTable, UserError

    try:
        return rows_of(_frame(name, runs, by, margin))
    except UserError as error:
        damaged += [name] if isinstance(error, DamagedTable) else []
        return {"not known": str(error)}


def _first_rows(name: str, frame: Any) -> Any:
    """Return the rows shown when all parts are: the commonest reasons, and rounds with enough games."""
    if name == "reasons":
        return frame.head(ROWS)
    return frame[~frame["small_sample"]] if name == "predictability" and not frame["small_sample"].all() else frame


def _frame(name: str, runs: list[Any], by: str | None, margin: float) -> Any:
    from ... import analysis
    from ...simulator.errors import UserError

    if name in EXPANSION:
        if by:
            raise UserError(f"--by {by}: not for the part '{name}'; expected with {', '.join(PARTS)}")
        return getattr(analysis, name.replace("-", "_"))(runs)
    if name == "seats":  # always by player count: places are those of a table
        places = with_verdicts(lambda runs, _: analysis.turn_order(runs), "points", 100 * margin, "turn order")
        return places(runs, by)
    return getattr(analysis, PARTS[name][0])(runs, by)


# --- `newdawn cards`, `rounds` and `places`: of runs with these optional tables

CARD_PARTS = {
    "use": ("focus-cards", "How focus cards are taken and resolved"),
    "wins": ("focus-card-wins", "What goes with having a focus card (association)"),
}
PLACE_PARTS = {
    "start": "How often seats win by where they began",
    "held": "What goes with holding a place (association)",
}
ROUND_PARTS = {
    "ahead": "Who wins that is alone ahead (association)",
    "behind": "Who comes back, by deficit (association)",
    "decided": "When games are decided",
    "course": "What winners and others have",
}


def _say(runs: Sequence[Any], title: str, findings: Sequence[Any], frame: Any, how: str) -> None:
    """Print a table; in the format `table` with heading and findings above it."""
    text = table(frame, how)
    if how == "table":
        tell(f"{heading(runs)}\n\n{title}\n")
        for finding in findings:
            tell(finding.text)
        click.echo("")
    click.echo(text)


def _opened(folders: Sequence[Place], wanted: str) -> list[Any]:
    """Return the runs; raise UserError if one lacks the table."""
    runs = pooled(folders)
    for run in runs:
        run.need(wanted)
    return runs


@click.command()
@click.argument("folders", type=PLACE, nargs=-1, required=True, metavar="DIR...")
@click.option("--part", type=click.Choice(list(CARD_PARTS)), default="use", show_default=True, help="Which question.")
@output_options()
def cards(folders: tuple[Place, ...], part: str, how: str) -> None:
    """Show how often each focus card is taken, when, and from which slot it is resolved; which are dead.

    \b
    newdawn run --focus-cards --out results/first
    newdawn cards results/first
    newdawn cards results/first --part wins

    `take rate` is the share of the seats that might take the card; a card is dead if that is below 10%, for all rows together
    (95%). `resolved` is how often a seat that had the card resolved it, `slot 1` to `slot 5` from where.

    --part wins compares seats that had the card with seats of the same leader, strategy and place in the turn order that had
    it not: an association, for who is ahead takes more cards. What a card is worth: newdawn experiment grant --card NAME.
    """
    from ...analysis.questions import cards as question
    from ...analysis.tables import focus_card_use

    runs = _opened(folders, "focus_cards")
    if part == "use":
        frame = question.use(runs)
        findings = question.dead_cards(frame)
    else:
        frame = focus_card_use.focus_card_wins(runs)
        findings = question.wins_findings(frame, None)  # type: ignore[arg-type]
    _say(runs, CARD_PARTS[part][1], findings, frame, how)


@click.command()
@click.argument("folders", type=PLACE, nargs=-1, required=True, metavar="DIR...")
@click.option("--part", type=click.Choice(list(ROUND_PARTS)), default="ahead", show_default=True, help="Which question.")
@click.option("--measure", "measures", type=Names(), metavar="A,B,…", help="Only these, such as cities or a column of yours.")
@click.option("--round", "at_round", type=int, help="Only the end of this round.")
@MARGIN
@output_options()
def rounds(
    folders: tuple[Place, ...], part: str, measures: tuple[str, ...] | None, at_round: int | None, margin: float, how: str
) -> None:
    """Show how often seats win that are ahead or behind, when games are decided, and what winners have, round by round.

    \b
    newdawn run --rounds --out results/first
    newdawn rounds results/first --measure cities --round 8
    newdawn rounds results/first --part behind --measure cities --round 8
    newdawn rounds results/first --part decided

    A round is read after the turns of all seats. Wins are counted over the games that continued and that someone
    won. Being ahead is an association: who is ahead in cities is ahead in other things, too. Intervals of points hold for all
    rows of the table before --round chooses among them (95%). `verdict` compares with the --margin.

    --part decided forecasts the winner from all that the seats have: `settled rate` is the share of the games whose later
    winner was the favourite from then on to the end.
    """
    from ...analysis.questions import round_by_round
    from ...analysis.tables import round_figures

    runs = _opened(folders, "rounds")
    points = 100 * margin
    findings: list[Any] = []
    if part == "ahead":
        frame = round_by_round.ahead(runs, points, measures)
        findings = round_by_round.ahead_findings(_until(frame, at_round))
    elif part == "behind":
        frame = round_by_round.behind(runs, points, measures)
        findings = round_by_round.behind_findings(_until(frame, at_round))
    elif part == "course":
        frame = round_figures.trajectories(runs, measures)
        findings = round_by_round.course_findings(frame)
    else:
        frame, row = round_figures.decided(runs, measures)
        findings = round_by_round.decided_findings(_until(frame, at_round), row.iloc[0])
    if at_round is not None:
        if at_round not in set(frame["round"]):
            raise UserError(f"--round: no game went on after round {at_round}; expected 1 to {int(frame['round'].max())}")
        frame = frame[frame["round"] == at_round].reset_index(drop=True)
    _say(runs, ROUND_PARTS[part], findings, frame, how)


@click.command("places")
@click.argument("folders", type=PLACE, nargs=-1, required=True, metavar="DIR...")
@click.option("--part", type=click.Choice(list(PLACE_PARTS)), default="start", show_default=True, help="Which question.")
@MARGIN
@output_options()
def map_places(folders: tuple[Place, ...], part: str, margin: float, how: str) -> None:
    """Show whether every start place of the map is worth the same, and what goes with holding places.

    \b
    newdawn run --places --map mine.yaml --players 2 --out results/map
    newdawn places results/map
    newdawn places results/map --part held

    Start places are named by the tile that the capital lies on. `verdict` compares with the fair share ± --margin, for all rows
    together (95%). `newdawn report` draws a fixed map coloured by what its start places win.

    --part held compares seats that hold a natural wonder, a city-state, a tile (more of its spaces than any other seat) or
    a resource (a space with it) at the end with seats alike that do not: an association, for who is ahead takes more. What a
    place does: newdawn experiment ban "natural wonder" NAME, ban city-state NAME.
    """
    from ...analysis.questions import places as question
    from ...analysis.tables import map_places

    runs = _opened(folders, "places")
    if part == "start":
        frame = question.starts(runs, 100 * margin)
        findings = question.start_findings(frame)
    else:
        frame = map_places.place_wins(runs)
        findings = question.held_findings(frame)
    _say(runs, PLACE_PARTS[part], findings, frame, how)


def _until(frame: Any, at_round: int | None) -> Any:
    """Return the rows of the round asked for, if one is: sentences are about the last one tested."""
    return frame if at_round is None else frame[frame["round"] == at_round]
