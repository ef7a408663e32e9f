"""What a report's tables say, in sentences, each with how sure it is."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError
from ...simulator.rules.loading.load import from_data, not_aimed_at
from ...simulator.rules.showing.disputes import Doubt, doubts_about
from ...simulator.wording import counted, listed
from ...strategies.registry import DEFAULT
from ..contests import players
from ..statistics.answer import (
    DIFFERENT,
    HIGHER,
    LOWER,
    STRENGTH,
    Verdict,
    differs,
    far,
    having,
    read,
    weakest,
    weakest_difference,
)
from ..statistics.inference import ALL
from ..statistics.rates import SMALL_SAMPLE
from ..summaries import game
from ..summaries.claims import BETWEEN
from ..summaries.counts import overview
from ..tables import reference
from ..trials.readings import LEADER
from .part import Finding, Source, number, points, points_of, rate, rate_of

MOST = 3  # named in a sentence, or with a sentence of their own, of many
DEAD = 0.1  # share of the games with its card below which an agenda is hardly ever claimed
ROUNDS = "rounds_difference"
LARGE = {"points": 25, "rounds": 5}  # so many could be missed: how many more says nothing


def _rows(frame: pd.DataFrame) -> list[dict[Any, Any]]:
    return frame.to_dict("records")


# --- Leaders


def leaders(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say who is off the fair share and by how much, which verdict the others have, and what depends on an open reading."""
    if source.untestable:
        return [not_compared(source)]
    named = [str(name) for name in frame.loc[having(frame, DIFFERENT), "leader"]]
    said = _strengths(frame, "leader", source.margin, source.among_equals)
    return [*said, *_first(frame, "leader"), *open_readings(source, named)]


def open_readings(source: Source, leaders: Iterable[str]) -> list[Finding]:
    """Return a sentence for each open reading of the rules with a known weight that is about one of the leaders, and one for
    those whose weight is not known."""
    found = weighty_readings(source, leaders)
    said = [f"An open reading of the rules, {doubt.name}: {weight_of(leader, row)}" for leader, doubt, row in found if row]
    open_ones = [(leader, doubt) for leader, doubt, row in found if not row]
    if open_ones:
        names = some_of([f"{doubt.name} ({leader})" for leader, doubt in open_ones])
        known = [doubt.name for _, doubt in open_ones if doubt.overlay]
        only = f" --only {shlex.quote(known[0])}" if len(known) == 1 else ""
        how = f" `newdawn rules disputes --box {source.run.box} --games 2000{only}` weighs them." if known else ""
        said.append(f"Open readings of the rules whose weight is not known: {names}.{how}")
    return [Finding(text, "limit") for text in said]


def weighty_readings(source: Source, leaders: Iterable[str]) -> list[tuple[str, Doubt, dict[str, str] | None]]:
    """Return each open reading of the rules that speaks of one of the leaders, with its weight (None: not measured), unless it
    is known to change that leader's win rate by less than the margin. Of a run whose rules this version does not know: none.

    What is known was measured with `newdawn rules disputes --games` by the printed rules; it lies with the reference results.
    """
    try:
        ruleset = from_data(source.ruleset, "")
    except UserError:
        return []
    known = {(row["doubt"], row["measure"]): row for row in reference.readings(source.run.box)}
    found = []
    for leader in dict.fromkeys(leaders):
        for doubt in doubts_about(ruleset, leader):
            row = known.get((doubt.name, f"{LEADER}{leader}"))
            if row is None or max(abs(float(row["change_low"])), abs(float(row["change_high"]))) >= source.margin / 100:
                found.append((leader, doubt, row))
    return found


def weight_of(leader: str, row: dict[str, str]) -> str:
    """Say what the other reading changes for the leader, or that it is not known whether it does."""
    change, low, high = (100 * float(row[name]) for name in ("change", "change_low", "change_high"))
    size = f"{points(change, low, high)} points (played by {DEFAULT}, n = {int(row['n']):,} pairs; docs/disputes.md)."
    if read(low, high, 0.0) in DIFFERENT:
        return f"the other one changes the win rate of {leader} by {size}"
    return f"it is {STRENGTH.undecided} whether the other one changes the win rate of {leader}: {size}"


def not_compared(source: Source) -> Finding:
    """Say that leaders cannot be compared, since each was played by strategies of its own, or at places of its own."""
    if not source.players_of:
        placed = _some([f"{leader} at {places}" for leader, places in source.places_of.items()])
        named = ",".join(list(source.places_of)[: source.run.players])
        return Finding(
            f"No verdict on leaders: they cannot be distinguished from their places in the turn order ({placed}). To compare "
            f"leaders, name one a player, who then take every place: --leaders {named}.",
            "untested",
        )
    played = _some([f"{leader} by {strategies}" for leader, strategies in source.players_of.items()])
    return Finding(
        f"No verdict on leaders: their strength cannot be distinguished from that of who played them ({played}). "
        f"To compare leaders, draw the strategy of each seat: --strategy-pool {','.join(source.strategies)}.",
        "untested",
    )


def _some(words: list[str]) -> str:
    """Return the first of the words in a sentence, and how many more there are."""
    return listed(words if len(words) <= MOST else [*words[:MOST], f"{len(words) - MOST} more"])


def strategies(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which strategies win more than their share: leaders' figures depend on them."""
    return _strengths(frame, "strategy", source.margin)


def leaders_by_strategy(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which leaders do better or worse than the others that the same strategy played."""
    return answers(
        frame,
        "No leader does detectably better or worse than the others that the same strategy played",
        "Leaders do better or worse than the others that the same strategy played",
        lambda row: f"{row['leader']} played by {row['strategy']} {_points(row)} (n = {row['n']:,})",
    )


def leaders_with_strategies(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which leaders are stronger or weaker with a strategy than the two are by themselves."""
    return answers(
        frame,
        "No leader's strength depends detectably on the strategy that plays it",
        "Some leaders' strength depends on the strategy that plays them",
        lambda row: f"{row['leader']} with {row['strategy']} {_points(row, 'interaction')} (n = {row['decided']:,.0f})",
        size="interaction",
        noun="pair",
    )


GROUPS = {  # how a sentence begins that names the rows of a verdict, beyond those with sentences of their own
    Verdict.FAR_ABOVE: f"{{also}}{STRENGTH.far_above}, more than {{margin}} above the fair share: ",
    Verdict.FAR_BELOW: f"{{also}}{STRENGTH.far_below}, more than {{margin}} below the fair share: ",
    Verdict.ABOVE: f"{STRENGTH.above.replace(',', ' the fair share,')}: ",
    Verdict.BELOW: f"{STRENGTH.below.replace(',', ' the fair share,')}: ",
    Verdict.WITHIN: f"{STRENGTH.within}, within {{margin}} of the fair share: ", Verdict.UNDECIDED: f"{STRENGTH.undecided}: ",
    Verdict.NOT_COMPARED: f"{STRENGTH.not_compared}, for few games or hardly a win or a loss: ",
}  # fmt: skip


def _strengths(frame: pd.DataFrame, factor: str, margin: float, among_equals: bool = False) -> list[Finding]:
    """Return one finding for each of the rows furthest beyond the margin, and one that names those of each other verdict."""
    off = far(frame)
    found = [_strength(row, factor, among_equals) for row in _rows(off.head(MOST))]
    rest, said = frame.drop(index=off.index[:MOST]), f"{margin:g} point{'' if margin == 1 else 's'}"
    for verdict, start in GROUPS.items():
        part = rest[having(rest, {verdict})]
        if len(part):
            words = start.format(also="also " if having(frame, {verdict}).sum() > len(part) else "", margin=said)
            text = f"{words[0].upper()}{words[1:]}{some_of([str(name) for name in part[factor]])}."
            missed = _missed(part) if verdict is Verdict.UNDECIDED else ""
            found.append(Finding(f"{text}{missed}", weakest(part["certainty"])))
    return found


def _strength(row: dict[Any, Any], factor: str, among_equals: bool) -> Finding:
    """Say how far from the fair share; where strategies differ, which rate is the model's and which as played."""
    side, sign = ("above", 1) if row["points"] > 0 else ("below", -1)
    size = number(sign * row["points"], *sorted(sign * row[f"points{end}"] for end in ALL[1:]))
    wins, played = "it wins", ""
    if among_equals:
        wins, played = "it would win", f", among equal players; it won {rate(row['wins'] / row['decided'])} as played"
    text = (
        f"{row[factor]} is {row['verdict']}: {wins} {rate(row['adjusted_rate'])}, {size} points {side} the fair share{played}"
    )
    return Finding(f"{text} (n = {row['decided']:,.0f}).", row["certainty"])


def mended(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say what the other leaders would be if the one furthest off won its fair share, and who would no longer be off."""
    found = [Finding(f"{row['leader']} would be {row['verdict']} with {row['mended']} at {rate(row['fair_share'])}: "
                     f"{rate_of(row, 'adjusted_rate', ALL)} instead of {rate(row['rate_now'])} (n = {row['decided']:,.0f}).",
                     row["certainty"]) for row in _rows(far(frame).head(MOST))]  # fmt: skip
    now = source.judged.set_index("leader")
    for kind, word in ((HIGHER, "above"), (LOWER, "below")):
        was = frame["leader"].isin(now.index[having(now, kind)])
        names = [str(name) for name in frame.loc[was & ~having(frame, kind), "leader"]]
        if names:
            which = f"{word} the fair share now, and would not be shown to be with {frame['mended'].iloc[0]} mended"
            found.append(Finding(f"{word[0].upper()}{which[1:]}: {some_of(names)}.", "open"))
    return found or [in_short(frame)]


def in_short(frame: pd.DataFrame) -> Finding:
    """Say in one sentence what the others would be with one leader mended: who would be off, and how many are what else."""
    off, counts = far(frame), []
    start = f"With {frame['mended'].iloc[0]} at {rate(frame['fair_share'].iloc[0])},"
    for verdict in (Verdict.FAR_ABOVE, Verdict.FAR_BELOW, Verdict.ABOVE, Verdict.BELOW, *REST):
        number = int(having(frame, {verdict}).sum() - having(off.head(1), {verdict}).sum())
        counts += [f"{number} {in_a_list(STRENGTH.of(verdict))}"] if number else []
    if off.empty:
        certainty = weakest(frame["certainty"]) if having(frame, {Verdict.WITHIN}).all() else "open"
        return Finding(f"{start} none of the others is shown to be beyond the margin: {listed(counts)}.", certainty)
    row = _rows(off)[0]
    others = f"; of the others {listed(counts)}" if counts else ""
    text = f"{start} {row['leader']} would be {row['verdict']}: {rate_of(row, 'adjusted_rate', ALL)}{others}."
    return Finding(text, weakest(frame.loc[~having(frame, REST[1:]), "certainty"]))


def in_a_list(verdict: str) -> str:
    """Return a verdict without a comma: 'above (size unclear)'."""
    word, _, more = verdict.partition(", ")
    return f"{word} ({more})" if more else word


REST = (Verdict.WITHIN, Verdict.UNDECIDED, Verdict.NOT_COMPARED)


def _missed(frame: pd.DataFrame, size: str = "points") -> str:
    """Say how large a difference the intervals of the rows leave possible."""
    reach, unit = frame[[f"{size}_all_low", f"{size}_all_high"]].abs().max().max(), _unit(size)
    if np.isnan(reach):
        return ""
    if reach > LARGE[unit]:
        return f" Even differences of more than {LARGE[unit]} {unit} could be missed."
    return f" Differences of up to {reach:.1f} {unit} could be missed."


def _unit(size: str) -> str:
    return "rounds" if size == ROUNDS else "points"


def some_of(names: Sequence[str]) -> str:
    """Return the first names, and how many more the table has."""
    more = len(names) - MOST
    return listed(names) if more <= 0 else f"{', '.join(names[:MOST])} ({more} more: table)"


def _points(row: dict[Any, Any], name: str = "points") -> str:
    return f"{points_of(row, name)} {_unit(name)}"


def _first(frame: pd.DataFrame, factor: str) -> list[Finding]:
    """Say who may be the strongest."""
    names = [str(name) for name in frame.loc[frame["rank_best"] == 1, factor]]
    if len(names) == 1:
        certainty = "few" if frame["small_sample"].any() else "shown"
        return [Finding(f"{names[0]} is the strongest {factor}; no other is plausibly strongest.", certainty)]
    if len(names) == len(frame):
        return [Finding(f"Undecided which {factor} is the strongest: any of them may be.", "open")]
    return [Finding(f"The strongest {factor} is one of {len(names)}: {some_of(names)}.", "open")]


def pairs(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which pairs are special: beyond the leaders' strengths, and beyond what unequal noise brings about."""
    once = frame[frame["leader"] < frame["opponent"]]
    found = once[differs(once)].sort_values("remainder", key=abs, ascending=False)
    tested = counted(once["p_adjusted"].notna().sum(), "pair")
    if tested.startswith("0 "):
        return [Finding("No pair of leaders can be tested: these tables fit any strengths.", "open")]
    if found.empty:
        nothing = f"No pair of leaders deviates detectably from what their strengths predict ({tested} tested)."
        return [Finding(f"{nothing}{_missed(once[once['p_adjusted'].notna()], 'remainder')}", "open")]
    row = _rows(found)[0]
    largest = f"{row['leader']} against {row['opponent']} {_points(row, 'remainder')}"
    text = f"Of {tested} of leaders {len(found)} deviate from what strengths and unequal noise predict: {largest}"
    return [Finding(f"{text}{_more(found)}.", weakest_difference(found))]


def cards(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which leaders profit or suffer from a victory card in play."""
    return answers(
        frame,
        "No leader's win rate depends detectably on which victory cards are in play",
        "Some leaders' win rates depend on which victory cards are in play",
        lambda row: (
            f"{row['leader']} {_points(row)} with {row['card']} (n = {row['n_with']:,} and {row['n_without']:,} without it)"
        ),
    )


def spread(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say how far apart the leaders are, and whether they may all be equal."""
    row = _rows(frame)[0]
    size = number(row["spread"], row["spread_low"], row["spread_high"])
    text = f"their spread is {size} points (n = {row['n']:,})"
    if not row["spread_low"] > 0:
        return [Finding(f"The leaders may be equal: {text}.", "few" if row["small_sample"] else "open")]
    return [Finding(f"The leaders are not equal: {text}.", "few" if row["small_sample"] else "shown")]


def winning_agendas(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which leaders win by agendas that the others use less."""
    return answers(
        frame.sort_values("points", ascending=False),
        "No leader wins by detectably different agendas",
        "Leaders win by different agendas",
        lambda row: f"{row['leader']} by {row['agenda']}, {_points(row)} against the others' wins (n = {row['n']:,.0f})",
        question=("leader", "card"),
    )


def winning_times(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which leaders win in shorter or longer games than the others."""
    return answers(
        frame, "No leader wins detectably earlier or later than the others",
        "Leaders win earlier or later than the others",
        lambda row: f"{row['leader']} {_points(row, ROUNDS)} (n = {row['winners']:,})",
        size=ROUNDS, noun="leader",
    )  # fmt: skip


def answers(
    frame: pd.DataFrame,
    nothing: str,
    answer: str,
    example: Callable[[dict[Any, Any]], str],
    *,
    size: str = "points",
    question: Sequence[str] = (),
    noun: str = "combination",
) -> list[Finding]:
    """Return what a table of tests says: that nothing is tested, `nothing` found, or how much, with the largest `answer`.

    Rows alike in the columns `question` are one question. What rests on small samples is said in a sentence of its own.
    """
    tested = frame[frame["p_adjusted"].notna()]
    every = [len(rows.drop_duplicates(list(question)) if question else rows) for rows in (tested, frame)]
    if tested.empty:
        why = f"fewer than {SMALL_SAMPLE} cases, or hardly a win or a loss, in each of {counted(every[1], noun)}"
        return [Finding(f"Not enough games for a test: {why}.", "untested")]
    # Rounded, so that of two mirrored rows the one that stands first in the table is named.
    found = frame[differs(frame)].sort_values(size, key=lambda values: values.abs().round(9), ascending=False, kind="stable")
    if question:
        found = found.drop_duplicates(list(question))
    if found.empty:
        return [Finding(f"{nothing} ({every[0]:,} of {counted(every[1], noun)} tested).{_missed(tested, size)}", "open")]
    said = []
    few = found["small_sample"].to_numpy(bool)
    for part, start in ((found[~few], answer), (found[few], f"From few cases: {answer[0].lower()}{answer[1:]}")):
        if len(part):
            many = f"{len(part):,} of {counted(every[0], noun)} tested"
            largest = ". The largest estimate" if len(part) > 1 else ""
            said.append(Finding(f"{start} ({many}){largest}: {example(_rows(part)[0])}.", weakest_difference(part)))
    return said


def _more(found: pd.DataFrame) -> str:
    return " and more" if len(found) > 1 else ""


# --- Wonders


def wonders(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which wonders are associated with winning; never that they cause it."""
    tested, clear = int(frame["p_adjusted"].notna().sum()), frame[differs(frame)]
    found: list[Finding] = []
    above = clear["builder_win_rate"] > clear["average_share"]
    for word, part in (("more", clear[above]), ("less", clear[~above])):
        if len(part):
            row = _rows(part.sort_values("builder_win_rate", ascending=word == "less"))[0]
            most = f". The {'highest' if word == 'more' else 'lowest'} rate" if len(part) > 1 else ""
            many = f"Builders of {len(part)} of {counted(tested, 'world wonder')} won {word} than the average seat"
            found.append(Finding(f"Association, not effect. {many}{most}: {_association(row)}.", weakest_difference(part)))
    if not tested:
        text = f"Not enough games for a test: each world wonder was built fewer than {SMALL_SAMPLE} times."
        return [Finding(text, "untested")]
    if not found:
        text = f"No world wonder is detectably associated with winning ({tested} of {len(frame)} tested)."
        ends = [100 * (frame[f"builder_win_rate_all_{end}"] - frame["average_share"]) for end in ("low", "high")]
        missed = frame.assign(points_all_low=ends[0], points_all_high=ends[1])[frame["p_adjusted"].notna()]
        found.append(Finding(f"{text}{_missed(missed)}", "open"))
    few = frame["small_sample"]
    if few.any():
        found.append(
            Finding(f"{few.sum()} of {len(frame)} world wonders were built fewer than {SMALL_SAMPLE} times: not tested.", "few")
        )
    return found


def _association(row: dict[Any, Any]) -> str:
    won = rate_of(row, "builder_win_rate", ALL)
    return f"{row['wonder']} {won} (built {counted(row['built'], 'time')})"


def effects(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say what having a wonder does to the chance to win."""
    return answers(
        frame,
        "No world wonder changes the chance to win detectably",
        "Given at random, world wonders change the chance to win",
        lambda row: f"{row['wonder']} {_points(row)} for {row['cost']:.0f} production (n = {row['n']:,})",
        noun="world wonder",
    )


# --- Victory


def agendas(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which agendas are hardly ever claimed: their cards might as well lack them."""
    dead = frame[(frame["claim_rate_high"] < DEAD) & ~frame["small_sample"]].sort_values("claim_rate", kind="stable")
    found = [
        Finding(f"{row['agenda']} is hardly ever claimed: in {rate_of(row, 'claim_rate')} of the games (n = {row['n']:,}).")
        for row in _rows(dead.head(MOST))
    ]
    if len(dead) > MOST:
        others = some_of([str(name) for name in dead["agenda"].iloc[MOST:]])
        found.append(Finding(f"Also claimed in less than {rate(DEAD)} of the games with their cards: {others}."))
    return found


def agenda_users(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which leader claims an agenda more or less often than the other seats."""
    return answers(
        frame.sort_values("points", ascending=False),
        "No leader claims detectably different agendas from the other seats",
        "Leaders claim different agendas",
        lambda row: f"{row['leader']} claims {row['agenda']}, {_points(row)} against the other seats (n = {row['n']:,})",
        question=("leader", "card"),
    )


def card_sets(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say with which cards the games are longest and shortest."""
    if len(frame) < 2:
        return [Finding("All games had the same victory cards in play.", "measured")]
    return answers(
        frame,
        "Game length does not depend detectably on which victory cards are in play",
        "Game length depends on the victory cards in play",
        lambda row: f"{_points(row, ROUNDS)} with {_cards(row)} (n = {row['n']:,})",
        size=ROUNDS,
    )


def _cards(row: dict[Any, Any]) -> str:
    return listed(row["cards"].split(BETWEEN))


def card_set_leaders(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which leaders fare better or worse with a combination of cards."""
    return answers(
        frame,
        "No leader's win rate depends detectably on the combination of victory cards in play",
        "Some leaders' win rates depend on the combination of victory cards in play",
        lambda row: f"{row['leader']} {_points(row)} with {_cards(row)} (n = {row['n']:,})",
    )


# --- The game


def length(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say how many games are unfinished; how long they take is a picture."""
    row = game.length(source.run).iloc[0]
    if not row["unfinished"]:
        return []
    unfinished = rate(row["unfinished_rate"], row["unfinished_rate_low"], row["unfinished_rate_high"])
    return [Finding(f"{counted(row['unfinished'], 'game')} ({unfinished}) reached the round cap without a winner.", "measured")]


def order(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say whether moving first or last is an advantage."""
    clear = frame[differs(frame)]
    games = counted(frame["n"].iloc[0], "game")
    if clear.empty:
        if having(frame, {Verdict.WITHIN}).all():
            text = f"All places in the turn order are {STRENGTH.within}, within the margin of the fair share"
            return [Finding(f"{text} ({games}).", weakest(frame["certainty"]))]
        return [Finding(f"No place in the turn order has a detectable advantage ({games}).{_missed(frame)}", "open")]
    row = _rows(clear.sort_values("points", key=abs, ascending=False, kind="stable"))[0]
    largest = f"place {row['order']} {_points(row)} against the fair share, {row['verdict']}"
    certainty = weakest([weakest_difference(clear), row["certainty"]])
    return [Finding(f"The turn order matters: {largest}{_more(clear)} ({games}).", certainty)]


def boards(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say where winners have cities more or less often than the others."""
    games = int(frame["games"].max()) if len(frame) and frame["games"].notna().any() else 0
    found = frame[differs(frame)]
    if frame.empty or frame["small_sample"].all():
        return [Finding(f"Not enough games to compare where winners have their cities ({games} are too few).", "untested")]
    if found.empty:
        where = "Where cities stand around the capital does not differ detectably between winners and others"
        return [Finding(f"{where} ({counted(games, 'game')}).", "open")]
    more = int((found["difference"] > 0).sum())
    near, far = int(found["distance"].min()), int(found["distance"].max())
    text = (
        f"Association, not effect. Of the {len(frame)} spaces around the capital, winners have cities more often on {more} and "
        f"less often on {len(found) - more} ({counted(games, 'game')} played again). They lie {near} to {far} spaces away."
    )
    return [Finding(text, weakest_difference(found))]


# --- Precision and limits


def precision(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say whether the leaders' printed intervals are as narrow as wanted, and how many games would do."""
    if source.decided == 0:
        return [Finding("Nobody won any of these games, so no number of games can be planned.", "limit")]
    leaders, games = source.leaders, source.games
    reach = 50 * (leaders["adjusted_rate_all_high"] - leaders["adjusted_rate_all_low"])
    widest, name, wanted = float(reach.max()), leaders["leader"].iloc[int(reach.argmax())], 100 * source.half_width
    reached = f"The leaders' win rates are known to ±{widest:.2f} points or better (widest: {name})"
    if widest <= wanted:
        return [Finding(f"{reached}, as precise as wanted (±{wanted:.2g}).", "measured")]
    if games < SMALL_SAMPLE:
        return [Finding(f"{reached}; {counted(games, 'game')} are too few to say how many ±{wanted:.2g} needs.", "limit")]
    needed = int(np.ceil(games * (widest / wanted) ** 2 / 100)) * 100
    command = f"newdawn extend {shlex.quote(str(source.run.path))} --games {needed}"
    return [Finding(f"{reached}. ±{wanted:.2g} needs about {counted(needed, 'game')} in all: `{command}`.", "limit")]


def _leaders_are_chosen(source: Source) -> bool:
    """Say whether the run's rules let players ban leaders, or choose them by a ranking, and no line-up did it for them."""
    data = source.run.manifest.get("ruleset", {}).get("data", {})
    deals = data.get("components", {}).get("leader_deal", {}).values()
    asks = any(deal.get("choice") == "ranking" or deal.get("bans_per_player") for deal in deals)
    return asks and bool(source.run.manifest.get("plan", {}).get("leaders_drawn", True))


def limits(source: Source) -> list[Finding]:
    """Say what the figures cannot say."""
    facts, names = overview(source.run), source.strategies
    found = list(source.notes)
    found += [
        f"All of this holds for games played by {listed(names)}: a strength that they do not use is not seen.",
        "What builders, claimants or settlers won is an association: who is ahead does more.",
        "Rules that the rulebook leaves open were read in one way; docs/disputes.md weighs the others.",
    ]
    found += [f"{text[0].upper()}{text[1:]}." for text in not_aimed_at(source.run.rules)]
    if len(names) == 1 and (lacking := players.neglected(names[0], source.run.box, source.run.players)):
        found.append(lacking)
    if _leaders_are_chosen(source):
        found.append(
            "Leaders were banned or chosen by a house rule, not dealt evenly. Verdicts on them take their places and opponents "
            "out; win rates as played do not."
        )
    if facts["games"] < facts["planned"]:
        found.insert(0, f"The run is not finished: {facts['games']:,} of {counted(facts['planned'], 'game')} are there.")
    if facts["games"] < 1000:
        found.insert(0, f"Only {counted(facts['games'], 'game')}: intervals are wide, and much stays {STRENGTH.undecided}.")
    if facts["unfinished"]:
        share = facts["unfinished"] / facts["games"]
        found.append(f"{rate(share)} of the games were stopped unfinished; who would have won them is unknown.")
    return [Finding(text, "limit") for text in found]
