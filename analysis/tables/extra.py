"""Summaries of the optional tables: focus cards, the course of games round by round, places of the map."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError, unknown
from ...simulator.rules.ruleset_contents import names_of, section, written
from ...simulator.runs.columns import START, TILE
from ..stats.inference import against_share, around, normal_together, points_above
from ..stats.rates import (
    SMALL_SAMPLE,
    as_cases,
    clustered_rate_columns,
    hardly_any,
    median_of_counts,
    quantile_of_counts,
    rate_columns,
)
from .decoded_games import RESOLVED, WHOLE, CodeNames, Games, places, wanted
from .game import median_interval
from .logit import chances
from .read import Runs, Sample, Selection, added, as_runs, sample_of
from .win_rates import quantiles

# --- Win rates of seats that have a card or a place against comparable seats without it: an association
#
# Comparable seats play the same leader with the same strategy at the same place in the turn order (at tables of one size): a
# cell. With n seats that have a thing and m that have not in a cell, of whom shares y and z win, the association is Σ w (y - z)
# / Σ w, w = n m / (n + m): the difference within cells, weighted by its precision (W. Cochran, Biometrics 10, 1954; the
# coefficient of the thing in a regression with an effect of each cell). A game is one case: with d = 1 where a seat has the
# thing, p the share of its cell that has it and e the residual, it adds Σ (d - p) e over its seats, squared and summed. It is
# no effect: who is ahead takes more.

COMPARED = ("occupied", "leader", "strategy", "order", "won", "decided")


@dataclass(frozen=True)
class Holding:
    """Things that seats may have: the column of `Games`, their names, exclusive owners, and which names are `compared`."""

    column: str
    names: Callable[[CodeNames], Sequence[str]]
    owner: Mapping[str, str] = field(default_factory=dict)
    compared: Callable[[str], bool] = lambda name: True


def associated(runs: Runs, words: CodeNames, of: Holding, family: str) -> pd.DataFrame:
    """Return for each thing how often seats won that had it, against comparable seats without it (Cochran, 1954; see above).

    Columns: name, n (seats of decided games that had it), n_without (the others; for a thing that only one leader may have,
    those of that leader), wins, win_rate and rate_without (as played), association (percentage points, with its intervals), p,
    p_adjusted, small_sample. What nearly all comparable seats have, or hardly any, is not tested.
    """
    columns = (*COMPARED, of.column)
    sample = sample_of(runs, columns, words=words)
    total = added(_cells(s, of) for s in sample)
    names = [name for name in of.names(sample.words) if of.compared(name)]
    codes = [code for code, name in enumerate(of.names(sample.words)) if of.compared(name)]
    cells = np.arange(total["n"].shape[-1])
    # Seats and wins by thing, with it or not, and cell.
    may_have = (
        np.stack([_may_have(name, of, sample.words, cells) for name in names]) if names else np.zeros((0, len(cells)), bool)
    )
    n, y = (
        np.stack([np.where(may_have, total[seats] - total[held][codes], 0.0), total[held][codes]], axis=1)
        for seats, held in (("n", "n_with"), ("y", "y_with"))
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.nan_to_num(n[:, 0] * n[:, 1] / n.sum(axis=1))
        rate = np.where(n > 0, y / n, 0.0)
        scale = weight.sum(axis=1)
        gap = (weight * (rate[:, 1] - rate[:, 0])).sum(axis=1) / scale
        share, mean = (np.nan_to_num(part / n.sum(axis=1)) for part in (n[:, 1], y.sum(axis=1)))
    square, games = np.zeros(len(names)), 0
    for s in sample_of(runs, columns, words=words):  # second pass: the residuals need the cells of all games
        square += _squares(s, of, codes, share, mean, np.nan_to_num(gap))
        games += int(np.count_nonzero(s.chosen & s.games.decided))
    with np.errstate(divide="ignore", invalid="ignore"):
        error = 100 * np.sqrt(square * games / max(games - 1, 1)) / scale
    (without, with_), (lost, won) = n.sum(axis=2).T, y.sum(axis=2).T
    few = (np.minimum(with_, without) < SMALL_SAMPLE) | hardly_any(won, with_) | hardly_any(lost, without)
    few |= ~(scale >= SMALL_SAMPLE / 2)  # hardly any comparable seats differ
    few |= np.any([hardly_any((weight * rate[:, side]).sum(axis=1), scale) for side in (0, 1)], axis=0)
    frame = pd.DataFrame({"name": names, "n": with_.astype(np.int64), "n_without": without.astype(np.int64), "wins": won})
    frame = frame.assign(**rate_columns(won, with_, "win_rate"), rate_without=lost / np.where(without > 0, without, np.nan))
    return frame.assign(**normal_together("association", 100 * gap, error, few, family=family), small_sample=few)


MOST_PLACES, MOST_LEADERS = 8, 64  # bounds in the code of a cell; the first also for players


def _may_have(name: str, of: Holding, words: CodeNames, cells: np.ndarray) -> np.ndarray:
    """Return the cells whose seats may have a thing: all, or those of its only owner."""
    if not (owner := of.owner.get(name, "")):
        return np.ones(len(cells), bool)
    return cells % MOST_LEADERS == (words.leader.index(owner) if owner in words.leader else -1)


def _seated(s: Selection) -> tuple[np.ndarray, np.ndarray]:
    """Return which seats are compared (counted ones of decided games), and the cell of each seat."""
    games = s.games
    leader, strategy, order = (column.ravel().astype(np.int64) for column in (games.leader, games.strategy, games.order))
    # The strategy leads the code: a strategy met later gets new cells at the end, which `added` pads.
    cell = ((strategy * MOST_PLACES + order) * MOST_PLACES + games.players) * MOST_LEADERS + leader
    counted = s.counting.ravel() & np.repeat(games.decided, games.players)
    return counted, np.where(counted, cell, 0)


def _had(s: Selection, of: Holding, counted: np.ndarray, cell: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return thing and seat of all that compared seats had, sorted by thing; exclusive things count for their owner only."""
    events = getattr(s.games, of.column)
    names = of.names(s.games.words)
    leaders = s.games.words.leader
    owner = np.array(
        [leaders.index(leader) if (leader := of.owner.get(name, "")) in leaders else -1 for name in names], np.int64
    )
    alone = np.array([bool(of.owner.get(name, "")) for name in names], bool)
    what, at = events.what.astype(np.int64), events.at.astype(np.int64)
    relevant = counted[at] & (~alone[what] | (cell[at] % MOST_LEADERS == owner[what]))
    order = np.argsort(what[relevant].astype(np.int8), kind="stable")
    return what[relevant][order], at[relevant][order]


def _cells(s: Selection, of: Holding) -> dict[str, np.ndarray]:
    """Return seats (`n`) and their wins (`y`) by cell, and those that had a thing (`_with`) by thing and cell."""
    counted, cell = _seated(s)
    size = (1 + int(s.games.strategy.max(initial=0))) * MOST_PLACES**2 * MOST_LEADERS
    what, at = _had(s, of, counted, cell)
    things, wins = len(of.names(s.games.words)), s.wins / WHOLE
    key = what * size + cell[at]
    return {
        "n": np.bincount(cell[counted], minlength=size).astype(float), "y": np.bincount(cell[counted], wins[counted], size),
        "n_with": np.bincount(key, minlength=things * size).reshape(things, size).astype(float),
        "y_with": np.bincount(key, wins[at], things * size).reshape(things, size),
    }  # fmt: skip


def _squares(
    s: Selection, of: Holding, codes: Sequence[int], share: np.ndarray, mean: np.ndarray, gap: np.ndarray
) -> np.ndarray:
    """Return by thing the sum over games of the squared contributions."""
    counted, cell = _seated(s)
    what, at = _had(s, of, counted, cell)
    edges = np.searchsorted(what, [*codes, len(of.names(s.games.words))])
    wins = s.wins / WHOLE
    cells, place = np.unique(cell, return_inverse=True)
    squares = np.zeros(len(codes))
    for row, code in enumerate(codes):
        had = at[edges[row] : np.searchsorted(what, code, "right")]
        p, m = share[row, cells], mean[row, cells]
        # A seat without the thing adds -p (w - m + g p), linear in its wins w, by cell.
        terms = (p * (m - gap[row] * p))[place] - p[place] * wins
        apart = 1 - p[place[had]]
        terms[had] = apart * (wins[had] - m[place[had]] - gap[row] * apart)
        squares[row] = ((terms * counted).reshape(-1, s.games.players).sum(axis=1) ** 2).sum()
    return squares


# --- Focus cards: how often they are taken, when, from which slot they are resolved, and win rates of those who have them
#
# Runs have the table `focus_cards` if played with `newdawn run --focus-cards`.

FACTS = ["card", "type", "level", "leader"]
UNUSED = 0.1  # share of the seats that might take a card below which it is hardly ever taken
COUNTED = ("occupied", "leader", "held", "held_replaced", "held_resolved")


def facts_of(rules: Mapping[str, Any]) -> pd.DataFrame:
    """Return the available focus cards of the rules: card, type, level, leader ("" for all)."""
    if not rules:
        return pd.DataFrame(columns=FACTS)
    cards = [(card, "") for card in rules["focus_cards"][section(rules)].values()]
    cards += [(leader["unique_card"], leader["civ"]) for leader in rules["leaders"].values() if "unique_card" in leader]
    return pd.DataFrame(
        [(card["name"], card["type"], int(card["level"]), leader) for card, leader in cards if card.get("available", True)],
        columns=FACTS,
    )


def _card_facts(runs: Runs, rules: Mapping[str, Any] | None) -> pd.DataFrame:
    """Return the focus cards of the rules, of the first run's rules, or of a sample."""
    if rules is None and isinstance(runs, Sample):
        cards = pd.DataFrame([(card, *facts) for card, facts in runs.words.focus_facts.items()], columns=FACTS)
        return cards[cards["card"].isin(runs.words.focus)].reset_index(drop=True)
    return facts_of(as_runs(runs)[0].manifest.get("ruleset", {}).get("data", {}) if rules is None else rules)


def _words(runs: Runs, facts: pd.DataFrame) -> CodeNames:
    """Return names that hold every focus card from the start, so that seats without a later card are counted, too."""
    words = CodeNames(focus=list(facts["card"]))
    for s in sample_of(runs, ("held",), words=words) if not len(facts) else ():
        s.games.held  # noqa: B018
    return words


def focus_cards(runs: Runs, rules: Mapping[str, Any] | None = None) -> pd.DataFrame:
    """Return for each focus card how often it was taken and when, and how often it was resolved, from which slot.

    `n` counts the seats that might take it, those that do not begin with it; of a unique card, seats of its leader; of a card
    of level I none. `take_rate` is tested against 10%, below which a card is hardly ever taken. `had` counts the seats that had
    it in their row, `resolved` is how often these resolved it on average; `slot_1_rate` to `slot_5_rate` are the shares by slot
    number. `unused_rate` is the share of them that never resolved it, `replaced_rate` that of those that replaced it by another
    card. `rules` names the cards, and which are unique; by default those of the first run.
    """
    facts = _card_facts(runs, rules)
    sample = sample_of(runs, COUNTED, words=_words(runs, facts))
    owner = dict(zip(facts["card"], facts["leader"], strict=True))
    total = added(_counted(s) for s in sample)
    names = list(sample.words.focus)
    counts = pd.DataFrame({name: total[name] for name in ("taken", "kk", "started", "had", "unused", "replaced")})
    counts["median_round"] = quantiles(total["rounds"], median_of_counts)
    for name, share in (("round_p25", 0.25), ("round_p75", 0.75)):
        counts[name] = quantiles(total["rounds"], partial(quantile_of_counts, share=share))
    times = total["resolved"].sum(axis=1)
    counts["resolved"] = np.divide(times, total["had"], out=np.full(len(names), np.nan), where=total["had"] > 0)
    for slot, name in enumerate(RESOLVED):
        counts[f"{name}_rate"] = np.divide(total["resolved"][:, slot], times, out=np.full(len(names), np.nan), where=times > 0)
    cards = pd.concat([facts, pd.DataFrame({"card": [name for name in names if name not in owner]})], ignore_index=True)
    frame = cards.fillna({"type": "", "level": 0, "leader": ""}).merge(counts.assign(card=names), on="card", how="left")
    whole = ["taken", "kk", "started", "had", "unused", "replaced"]
    frame = frame.fillna(dict.fromkeys(whole, 0)).astype(dict.fromkeys([*whole, "level"], np.int64))
    leaders = dict(zip(sample.words.leader, total["seats"], strict=True))
    seats = np.array([leaders.get(name, 0) if name else int(total["seats"].sum()) for name in frame["leader"]])
    games = np.array([leaders.get(name, 0) if name else int(total["games"][0]) for name in frame["leader"]])
    # Cards of level I, where a leader's unique card replaces one, cannot be taken: the dial pays for higher levels.
    n = np.where(frame["level"] == 1, 0, np.maximum(seats - frame["started"].to_numpy(), 0))
    taken = frame["taken"].to_numpy(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        rate, each = taken / n, n / games
        # As if the seats that may take it were as many in each game.
        squares = frame["kk"] - 2 * rate * each * taken + rate**2 * each * n
    cases = as_cases(taken, n, squares)
    frame = frame.assign(n=n, **clustered_rate_columns(taken, n, squares, "take_rate"))
    frame = frame.assign(**against_share("take_rate", *cases, UNUSED, SMALL_SAMPLE, "focus cards"))
    frame = frame.assign(**rate_columns(frame["unused"], frame["had"], "unused_rate"))
    frame = frame.assign(**rate_columns(frame["replaced"], frame["had"], "replaced_rate"), small_sample=n < SMALL_SAMPLE)
    ordered = ["card", "type", "level", "leader", "n", "taken", "take_rate", "take_rate_low", "take_rate_high"]
    ordered += ["p", "p_adjusted", "take_rate_all_low", "take_rate_all_high", "median_round", "round_p25", "round_p75", "had"]
    ordered += [
        "resolved",
        *(f"{name}_rate" for name in RESOLVED),
        *(f"{name}_rate{end}" for name in ("unused", "replaced") for end in ("", "_low", "_high")),
    ]
    return frame[[*ordered, "small_sample"]].sort_values(["type", "level", "leader", "card"], ignore_index=True)


def _counted(s: Selection) -> dict[str, np.ndarray]:
    """Return the counts by focus card, and by leader (`seats`), of the counted seats."""
    games, held = s.games, s.games.held
    size, counting = len(games.words.focus), s.counting.ravel()
    counted = counting[held.at]
    what, when, at = held.what[counted].astype(np.int64), held.when[counted].astype(np.int64), held.at[counted]
    taken, resolved = when > 0, games.held_resolved[counted].astype(np.int64)
    # The number of seats of a game that took a card: seats of one game are one case.
    key, count = np.unique(at[taken].astype(np.int64) // games.players * size + what[taken], return_counts=True)
    kk = np.bincount(key % size, count.astype(float) ** 2, size) if size else np.zeros(0)
    wide = int(when.max(initial=0)) + 1
    rounds = np.bincount(what[taken] * wide + when[taken], minlength=size * wide).reshape(size, wide)

    def sums(values: np.ndarray) -> np.ndarray:
        return np.bincount(what, values, size)

    return {
        "taken": sums(taken), "kk": kk, "started": sums(~taken), "had": sums(np.ones(len(what))), "rounds": rounds,
        "unused": sums(resolved.sum(axis=1) == 0), "replaced": sums(games.held_replaced[counted]),
        "resolved": np.stack([sums(resolved[:, slot]) for slot in range(len(RESOLVED))], axis=1),
        "seats": np.bincount(s.of_seats(games.leader), minlength=len(games.words.leader)),
        "games": np.array([np.count_nonzero(s.chosen)]),
    }  # fmt: skip


def takers(games: Games, cards: Iterable[tuple[str, str]]) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield for each focus card (`takeable`) the numbers of seats of each game that took it, and that might.

    Seats that begin with the card might not; of a unique card only its leader's might.
    """
    held, words, size = games.held, games.words, len(games)
    game = held.at // games.players
    for name, leader in cards:
        of_card = held.what == (words.focus.index(name) if name in words.focus else -1)
        took, began = (np.bincount(game[of_card & when], minlength=size) for when in (held.when > 0, held.when == 0))
        seats = games.occupied
        if leader:
            seats = seats & (games.leader == (words.leader.index(leader) if leader in words.leader else -1))
        yield name, took, seats.sum(axis=1) - began


def takeable(r: np.record) -> list[tuple[str, str]]:
    """Return the focus cards of the compiled rules above level I, each with its only leader, or ""."""
    leaders = written(r, "leader")
    codes = [card for card in range(r.n_cards) if r.card_level[card] > 1 and r.card_unavailable[card] == 0]
    owners = (leaders[owner] if (owner := int(r.card_unique[card])) >= 0 else "" for card in codes)
    return list(zip((bytes(r.card_name[card]).rstrip(b"\0").decode() for card in codes), owners, strict=True))


def focus_card_wins(runs: Runs, rules: Mapping[str, Any] | None = None) -> pd.DataFrame:
    """Return for each focus card how often seats won that had it, against comparable seats without it (`associated`).

    `n` counts the seats of decided games with the card in their row at any time, `n_without` the others; of a unique card,
    those of its leader.
    """
    facts = _card_facts(runs, rules)
    owner = dict(zip(facts["card"], facts["leader"], strict=True))
    frame = associated(runs, _words(runs, facts), Holding("held", lambda words: words.focus, owner), "focus cards of winners")
    frame = frame.rename(columns={"name": "card"})
    named = facts if len(facts) else pd.DataFrame({"card": frame["card"], "type": "", "level": 0, "leader": ""})
    return named.merge(frame, on="card").sort_values(["type", "level", "leader", "card"], ignore_index=True)


# --- Places of the map: win rates of those who hold one at the end, and by where seats began
#
# Runs have the table `places` if played with `newdawn run --places`.

KINDS = {"natural_wonder": "natural wonder", "city_state": "city-state"}
BEGUN, HELD = START.format(""), TILE.format("")
HOLDING = Holding("at_places", lambda words: words.place, compared=lambda name: not name.startswith(BEGUN))


def kinds_of(rules: Mapping[str, Any], places: Sequence[str]) -> dict[str, str]:
    """Return the kind of each place that a seat can hold: natural wonder, city-state, tile, or resource."""
    by_name = dict.fromkeys(names.RESOURCES, "resource") | {
        name: word for kind, word in KINDS.items() for name in names_of(rules, kind)
    }
    return {name: by_name.get(name, "tile") for name in places if name in by_name or name.startswith(HELD)}


def place_wins(runs: Runs) -> pd.DataFrame:
    """Return for each place how often seats won that held it at the end, against comparable seats.

    Columns: place, kind, and those of `associated`: an association, for who is ahead takes more. A seat holds a tile if it has
    more of its spaces than any other, and a resource if it has a space on which that is printed. Places that nobody held are
    left out.
    """
    frame = associated(runs, CodeNames(), HOLDING, "places of winners").rename(columns={"name": "place"})
    kinds = kinds_of(as_runs(runs)[0].manifest["ruleset"]["data"], frame["place"].tolist())
    frame = frame[frame["place"].isin(kinds)]
    frame.insert(1, "kind", [kinds[name] for name in frame["place"]])
    number = frame["place"].str.removeprefix(HELD).where(frame["kind"] == "tile", "0").astype(int)
    return frame.assign(number=number).sort_values(["kind", "number", "place"], ignore_index=True).drop(columns="number")


def start_places(runs: Runs) -> pd.DataFrame:
    """Return how often seats won by the tile on which their capital lies, a row a tile.

    Columns: place ('start on tile 5'), tile, n (seats of decided games), wins, win_rate with its interval, fair_share, points
    (win_rate less the fair share, percentage points) with its intervals, p, p_adjusted, small_sample. Where the map is fixed
    and the start places are dealt, as in the first game's and users' maps, this is the effect of the start place.
    """
    sample = sample_of(runs, ("occupied", "outcome", "won", "decided", "at_places"))
    total = added(_begun(s) for s in sample)
    names = np.array(sample.words.place, object)
    rows = [code for code, name in enumerate(names) if name.startswith(BEGUN) and total["n"][code] > 0]
    n, wins, squares, fair = (total[name][rows] for name in ("n", "wins", "squares", "fair"))
    squares = squares - wins**2 / np.maximum(n, 1)
    frame = pd.DataFrame({"place": names[rows], "tile": [int(name.removeprefix(BEGUN)) for name in names[rows]]})
    frame = frame.assign(n=n.astype(np.int64), wins=wins, **clustered_rate_columns(wins, n, squares, "win_rate"))
    frame["fair_share"] = fair / n
    frame = frame.assign(**against_share("win_rate", *as_cases(wins, n, squares), frame["fair_share"], family="start places"))
    frame = frame.assign(**points_above(frame, "win_rate", frame["fair_share"]))
    return frame.assign(small_sample=n < SMALL_SAMPLE).sort_values("tile", ignore_index=True)


def _begun(s: Selection) -> dict[str, np.ndarray]:
    """Return seats of decided games, wins, squares and fair shares by place; places held are counted along."""
    games, events = s.games, s.games.at_places
    counted = s.counting.ravel()[events.at] & games.decided[events.at // games.players]
    what, share = events.what[counted].astype(np.int64), s.wins[events.at[counted]] / WHOLE
    size = len(games.words.place)
    return {
        "n": np.bincount(what, minlength=size).astype(float), "wins": np.bincount(what, share, size),
        "squares": np.bincount(what, share**2, size), "fair": np.bincount(what, minlength=size) / games.players,
    }  # fmt: skip


# --- The course of games by what each seat has at the end of each round: winners and others, who is ahead, who is behind
#
# Runs have the table `rounds` if played with `newdawn run --rounds`. A round is read after the turns of all seats; figures on
# what follows a round are about the games that continued after it. All are associations: who is ahead in cities is ahead in
# other things, too.
#
# Favourites. After each round the seats' chances to win are estimated from all that they have, by a conditional logit (D.
# McFadden, 1974) of the differences at the table. Games are forecast by the fit to the other half of the games, so no game
# forecasts itself. The favourite is the seat with the best chance. `skill` is Brier's score (G. Brier, Monthly Weather Review
# 78, 1950) against that of the fair share, 1 - Σ(p - y)² / Σ(fair - y)²: 0, no better; 1, certain.

MEASURES = ("cities", "spaces", "dial", "wonders", "trade", "agendas", "combats_won")
CHANCE = "chance"
# Size of a step of deficit, which is a row.
DEFICITS = {"cities": 1, "spaces": 5, "dial": 4, "wonders": 1, "trade": 3, "agendas": 1, "combats_won": 3}
MOST_BEHIND = 4  # the last step, without an upper limit
MOST_FORECAST = 20_000  # games forecast at most
STEPS, RIDGE = 25, 1e-3


def measures_of(runs: Runs | RoundGames) -> list[str]:
    """Return the measures of the runs' rounds: the usual columns, the chance to win, and the user's columns."""
    if isinstance(runs, RoundGames):
        return runs.measures
    own = [[str(column["name"]) for column in run.manifest.get("plan", {}).get("columns", ())] for run in as_runs(runs)]
    return [*MEASURES, CHANCE, *(name for name in own[0] if all(name in others for others in own))]


def _measure(runs: Runs | RoundGames, measures: Sequence[str] | None) -> list[str]:
    possible = measures_of(runs)
    for name in measures or ():
        if name not in possible:
            raise unknown("measure", name, possible)
    return list(measures or possible)


class Courses:
    """Games with what their seats have at the end of each round."""

    def __init__(self, games: Games, rows: pd.DataFrame) -> None:
        self.games, self.rows = games, rows
        self.rounds = games.rounds.astype(np.int64)
        self.won = games.won / WHOLE
        self.wide = int(self.rounds.max(initial=0))
        self.at = (  # game, seat, round
            places(games.game_id, rows["game_id"]),
            rows["seat"].to_numpy(np.int64),
            rows["round"].to_numpy(np.int64) - 1,
        )

    def of(self, name: str) -> np.ndarray:
        """Return a column by game, seat and round, NaN where the game is over or the value missing."""
        values = np.full((len(self.games), self.games.players, self.wide), np.nan)
        values[self.at] = self.rows[name].to_numpy(float)
        return values

    @property
    def going(self) -> np.ndarray:
        """Return which decided games continue after each round."""
        return (np.arange(1, self.wide + 1) < self.rounds[:, None]) & self.games.decided[:, None]


@dataclass(frozen=True)
class RoundGames:
    """Games read for several questions, and the measures of their rounds."""

    measures: list[str]
    courses: list[Courses]

    @property
    def games(self) -> int:
        """Return the number of games."""
        return sum(len(course.games) for course in self.courses)


def read(runs: Runs) -> RoundGames:
    """Return the games of the runs with all measures of their rounds."""
    measures = measures_of(runs)
    return RoundGames(measures, list(courses_of(runs, measures)))


def courses_of(runs: Runs | RoundGames, measures: Sequence[str]) -> Iterator[Courses]:
    """Yield the games of the runs, shard by shard; raise UserError if a run has no rounds."""
    if isinstance(runs, RoundGames):
        yield from runs.courses
        return
    if isinstance(runs, Sample):
        raise TypeError("rounds are read from runs")
    tables = wanted(("won", "decided", "rounds")) | {"rounds": ["game_id", "round", "seat", *measures]}
    for run in as_runs(runs):
        for piece in run.pieces(tables):
            yield Courses(Games(piece, run.players, CodeNames()), piece["rounds"])


def _together(parts: Iterator[tuple[str, np.ndarray]], width: int) -> dict[str, np.ndarray]:
    """Return sums of arrays (…, rounds) by name; later parts may have more rounds."""
    totals: dict[str, np.ndarray] = {}
    for name, values in parts:
        current = totals.get(name)
        if current is None or current.shape[-1] < values.shape[-1]:
            total = np.zeros((*values.shape[:-1], max(values.shape[-1], width)))
            if current is not None:
                total[..., : current.shape[-1]] += current
            totals[name] = current = total
        current[..., : values.shape[-1]] += values
    return totals


def trajectories(runs: Runs | RoundGames, measures: Sequence[str] | None = None) -> pd.DataFrame:
    """Return for each measure and round what winners and others have on average, over games that somebody won.

    `n` counts the games that had the round. Seats that share a win count for their shares; the others are those that did not
    win. `lead` is the mean difference of winners and others within games; it is tested for all rows together, before `measures`
    selects among them.
    """
    names, wanted = measures_of(runs), _measure(runs, measures)

    def sums() -> Iterator[tuple[str, np.ndarray]]:
        for course in courses_of(runs, names):
            share = course.won[:, :, None]
            everybody = np.all(course.won > 0, axis=1, keepdims=True)[
                :, :, None
            ]  # if all share the win, all are the others, too
            lost = (share == 0) | everybody
            rest = lost / np.maximum(lost.sum(axis=1, keepdims=True), 1)
            for name in names:
                value = course.of(name)
                won, other = (np.sum(weight * value, axis=1) for weight in (share, rest))
                counts = course.games.decided[:, None] & ~np.isnan(won)
                a, b = np.where(counts, won, 0.0), np.where(counts, other, 0.0)
                yield name, np.stack([part.sum(axis=0) for part in (counts, a, a * a, b, b * b, a - b, (a - b) ** 2)])

    parts = []
    for name, total in _together(sums(), 1).items():
        n = total[0]
        columns: dict[str, Any] = {"measure": name, "round": np.arange(1, len(n) + 1), "n": n.astype(np.int64)}
        for place, word in enumerate(("winners", "others")):
            columns |= around(word, *_mean(n, total[1 + 2 * place], total[2 + 2 * place]))
        columns |= dict(zip(("lead", "error"), _mean(n, *total[5:7]), strict=True))
        parts.append(pd.DataFrame(columns)[n > 0])
    frame = pd.concat(parts, ignore_index=True).assign(small_sample=lambda table: table["n"] < SMALL_SAMPLE)
    tested = normal_together("lead", frame["lead"], frame.pop("error"), frame["small_sample"], family="winners' courses")
    return _of(wanted, frame.assign(**tested))


def _of(measures: Sequence[str], frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of these measures, in their order."""
    return pd.concat([frame[frame["measure"] == name] for name in measures], ignore_index=True)


def _mean(n: np.ndarray, total: np.ndarray, squares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return means over games and their standard errors."""
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = total / n
        return mean, np.sqrt(np.maximum(squares / n - mean**2, 0) / (n - 1))


def ahead(runs: Runs | RoundGames, measures: Sequence[str] | None = None) -> pd.DataFrame:
    """Return for each measure and round how often the seat that leads alone in it wins in the end.

    `n` counts the decided games that continued after the round; in `leading` of them one seat had more than every other.
    `points` is the seat's win rate less the fair share, in percentage points, tested for all rows together, before `measures`
    selects among them.
    """
    names, wanted = measures_of(runs), _measure(runs, measures)

    def sums() -> Iterator[tuple[str, np.ndarray]]:
        for course in courses_of(runs, names):
            for name in names:
                value = course.of(name)
                valid = course.going & ~np.isnan(value).any(axis=1)
                best = np.max(value, axis=1)
                top = value == best[:, None]
                alone = valid & (top.sum(axis=1) == 1)
                wins = np.where(alone, (top * course.won[:, :, None]).sum(axis=1), 0.0)
                fair = alone / course.games.players
                yield name, np.stack([part.sum(axis=0) for part in (valid, alone, wins, fair)])

    parts = []
    for name, (n, leading, wins, fair) in _together(sums(), 1).items():
        columns = {"measure": name, "round": np.arange(1, len(n) + 1), "n": n, "leading": leading, "wins": wins, "fair": fair}
        parts.append(pd.DataFrame(columns)[n > 0])
    frame = pd.concat(parts, ignore_index=True).astype({"n": np.int64, "leading": np.int64})
    frame = frame.assign(**rate_columns(frame["leading"], frame["n"], "leading_rate"))
    frame = frame.assign(**rate_columns(frame["wins"], frame["leading"], "win_rate"))
    return _of(wanted, _points(frame, frame["wins"], frame["leading"], "who is ahead"))


def _points(frame: pd.DataFrame, wins: Any, cases: Any, family: str) -> pd.DataFrame:
    """Return the table with tests of the win rates less the fair share; `fair` are the wins expected by it."""
    n = frame["leading"] if "leading" in frame else frame["n"]
    fair = frame["fair"] / n.where(n > 0)
    tested = against_share("win_rate", wins, cases, fair, SMALL_SAMPLE, family)
    frame = frame.drop(columns="fair").assign(fair_share=fair, **tested, small_sample=n < SMALL_SAMPLE)
    return frame.assign(**points_above(frame, "win_rate", fair))


def behind(runs: Runs | RoundGames, measures: Sequence[str] | None = None) -> pd.DataFrame:
    """Return for each measure, round and deficit how often seats so far behind the best other seat win in the end.

    `behind` is the least deficit of the row, `behind_most` the largest (empty: no limit); 0 are seats that nobody is ahead of.
    `n` counts the seats of decided games that continued after the round; seats of one game are one case in the intervals.
    `points` is the win rate less the fair share, tested for all rows of the usual measures together, before `measures` selects
    among them; other measures, such as the chance to win, are tested by themselves.
    """
    wanted = _measure(runs, measures) if measures else list(DEFICITS)
    usual, others = list(DEFICITS), [name for name in wanted if name not in DEFICITS]
    families = [names for names in (usual, others) if set(names) & set(wanted)]
    return _of(wanted, pd.concat([_behind(runs, names) for names in families], ignore_index=True))


def _behind(runs: Runs | RoundGames, names: Sequence[str]) -> pd.DataFrame:
    """Return the rows of these measures, tested together."""

    def sums() -> Iterator[tuple[str, np.ndarray]]:
        for course in courses_of(runs, names):
            for name in names:
                yield name, np.stack(list(_deficits(course, name)))

    parts = []
    for name, total in _together(sums(), 1).items():
        width = DEFICITS.get(name, 1)
        for step, (n, wins, yy, ym, mm, fair) in enumerate(total):
            columns: dict[str, Any] = {"measure": name, "round": np.arange(1, len(n) + 1)}
            columns |= {"behind": 0 if step == 0 else 1 + (step - 1) * width}
            columns["behind_most"] = 0 if step == 0 else np.nan if step == MOST_BEHIND else step * width
            columns |= {"n": n, "wins": wins, "yy": yy, "ym": ym, "mm": mm, "fair": fair}
            parts.append(pd.DataFrame(columns)[n > 0])
    frame = pd.concat(parts, ignore_index=True).astype({"n": np.int64, "behind": np.int64})
    rate = frame["wins"] / frame["n"]
    squares = frame["yy"] - 2 * rate * frame["ym"] + rate**2 * frame["mm"]
    frame = frame.drop(columns=["yy", "ym", "mm"]).assign(
        **clustered_rate_columns(frame["wins"], frame["n"], squares, "win_rate")
    )
    frame = _points(frame, *as_cases(frame["wins"], frame["n"], squares), "who is behind")
    return frame.sort_values(["round", "behind"], kind="stable", ignore_index=True)


def _deficits(course: Courses, name: str) -> Iterator[np.ndarray]:
    """Yield for each step of deficit, by round: seats, wins, sums over games of y², y m and m², and wins by the fair share."""
    value, width = course.of(name), DEFICITS.get(name, 1)
    valid = course.going & ~np.isnan(value).any(axis=1)
    with np.errstate(invalid="ignore"):
        gap = np.max(value, axis=1)[:, None] - value
        step = np.where(gap <= 0, 0, np.minimum(1 + np.floor((np.maximum(gap, 1) - 1) / width), MOST_BEHIND))
    for number in range(MOST_BEHIND + 1):
        seats = (step == number) & valid[:, None]
        m, y = seats.sum(axis=1).astype(float), (seats * course.won[:, :, None]).sum(axis=1)
        yield np.stack([part.sum(axis=0) for part in (m, y, y * y, y * m, m * m, m / course.games.players)])


def decided(runs: Runs | RoundGames, measures: Sequence[str] | None = None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return `favourites` and `settled`, from one forecast."""
    total, first, rounds = _forecasts(runs, measures)
    return _favourites(total), _settled(first, rounds)


def favourites(runs: Runs | RoundGames, measures: Sequence[str] | None = None) -> pd.DataFrame:
    """Return for each round how well all that the seats have forecasts the winner, and how many games are settled.

    `n` counts the games that continued after the round; in `favourite_rate` of them the seat with the best chance won, against
    `fair_share`. `forecast_rate` is its mean forecast chance. `settled_rate` is the share of these games whose winner was the
    favourite from this round to the end. At most 20,000 games are forecast. With `measures`, from these alone.
    """
    return decided(runs, measures)[0]


def _favourites(total: dict[str, np.ndarray]) -> pd.DataFrame:
    n = total["n"]
    frame = pd.DataFrame({"round": np.arange(1, len(n) + 1), "n": n.astype(np.int64)})
    with np.errstate(divide="ignore", invalid="ignore"):
        frame = frame.assign(**rate_columns(total["right"], n, "favourite_rate"), fair_share=total["fair"] / n)
        frame["forecast_rate"] = total["chance"] / n
        frame = frame.assign(**_skill(total), **rate_columns(total["settled"], n, "settled_rate"))
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    return frame[frame["n"] > 0].reset_index(drop=True)


def settled(runs: Runs | RoundGames, measures: Sequence[str] | None = None) -> pd.DataFrame:
    """Return one row: from the end of which round on the later winner was the favourite (`favourites`).

    `n` counts the games that somebody won. `settled_round` is the median of these rounds with its interval, `settled_round_p25`
    and `settled_round_p75` their quartiles; `settled_share` the median of their share of the game's rounds; `last_round_rate`
    the share of the games that only their last round decided.
    """
    return decided(runs, measures)[1]


def _settled(first: np.ndarray, rounds: np.ndarray) -> pd.DataFrame:
    n = len(first)
    row: dict[str, Any] = {"n": n}
    for name, share in (("settled_round", 0.5), ("settled_round_p25", 0.25), ("settled_round_p75", 0.75)):
        row[name] = quantile_of_counts(*np.unique(first, return_counts=True), share)
    row["settled_round_low"], row["settled_round_high"] = median_interval(*np.unique(first.astype(float), return_counts=True))
    row["settled_share"] = float(np.median(first / rounds))
    frame = pd.DataFrame([row])
    late = np.array([np.count_nonzero(first == rounds)])
    return frame.assign(**rate_columns(late, np.array([n]), "last_round_rate"), small_sample=n < SMALL_SAMPLE)


def _forecasts(runs: Runs | RoundGames, measures: Sequence[str] | None) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray]:
    """Return sums of the forecasts by round, and for each game the round that settled it and its last round."""
    names = [name for name in _measure(runs, measures) if measures or name in MEASURES]
    tables: dict[int, list[DecidedGames]] = {}
    games = 0
    for course in courses_of(runs, names):
        tables.setdefault(course.games.players, []).append(_facts(course, names))
        games += len(tables[course.games.players][-1].won)
        if games >= MOST_FORECAST:
            break
    total: dict[str, np.ndarray] = {}
    when: list[np.ndarray] = []
    for parts in tables.values():
        sums, first = _forecast(parts)
        when.append(np.stack([first, np.concatenate([part.rounds for part in parts])]))
        for name, values in sums.items():
            old = total.get(name, np.zeros(0))
            total[name] = np.zeros(max(len(old), len(values)))
            for part in (old, values):
                total[name][: len(part)] += part
    if not total or not total["n"].any():
        raise UserError(f"fewer than {SMALL_SAMPLE} games that somebody won went on after round 1: too few to forecast")
    first, last = np.concatenate(when, axis=1)
    return total, first, last


@dataclass(frozen=True)
class DecidedGames:
    """Decided games: shares of the win, rounds, and rows of what a seat of a game has at the end of a round."""

    won: np.ndarray
    rounds: np.ndarray
    at: tuple[np.ndarray, np.ndarray, np.ndarray]  # round, game, seat
    values: np.ndarray


def _facts(course: Courses, names: Sequence[str]) -> DecidedGames:
    """Return the decided games, with the measures to forecast from."""
    usable = course.games.decided & (course.rounds > 0)
    game, seat, number = course.at
    rows = usable[game]
    at = number[rows], (np.cumsum(usable) - 1)[game[rows]], seat[rows]
    return DecidedGames(course.won[usable], course.rounds[usable], at, course.rows[list(names)].to_numpy(np.float32)[rows])


def _forecast(parts: Sequence[DecidedGames]) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Return sums of the forecasts by round, and the round that settled each game."""
    won, rounds = (np.concatenate([getattr(part, name) for part in parts]) for name in ("won", "rounds"))
    wide, players = int(rounds.max(initial=0)), won.shape[1]
    facts = np.full((wide, *won.shape, parts[0].values.shape[1]), np.nan, np.float32)
    before = 0
    for part in parts:
        number, game, seat = part.at
        facts[number, game + before, seat] = part.values
        before += len(part.won)
    best = np.zeros((len(won), wide), bool)  # whether the favourite is among the winners
    totals = {name: np.zeros(wide) for name in ("n", "right", "fair", "chance", "gain", "loss", "gg", "gl", "ll")}
    weights = [np.zeros(facts.shape[3])] * 2  # start: those of the round before
    half = np.arange(len(won)) % 2
    for at in range(wide):
        going = np.flatnonzero(rounds > at + 1)
        last = np.flatnonzero(rounds == at + 1)  # ends with this round: the winner is the favourite
        best[last, at] = True
        if len(going) < SMALL_SAMPLE:
            best[going, at] = False
            continue
        x = facts[at, going].astype(float)
        x = np.nan_to_num((x - x.mean(axis=1, keepdims=True)) / np.maximum(x.std(axis=(0, 1)), 1e-9))
        chance = np.zeros((len(going), players))
        for side in range(2):
            own = half[going] == side
            weights[side] = _fitted(x[~own], won[going][~own], weights[side])
            chance[own] = chances(x[own] @ weights[side])
        favourite = chance.argmax(axis=1)
        rows = np.arange(len(going))
        share = won[going][rows, favourite]
        best[going, at] = share > 0
        loss, fair = ((chance - won[going]) ** 2).sum(axis=1), ((1 / players - won[going]) ** 2).sum(axis=1)
        sums = {"n": np.ones(len(going)), "right": share, "fair": np.full(len(going), 1 / players), "loss": fair, "gain": loss}
        sums |= {"chance": chance[rows, favourite], "gg": loss * loss, "gl": loss * fair, "ll": fair * fair}
        for name, values in sums.items():
            totals[name][at] = values.sum()
    settled = np.flip(np.logical_and.accumulate(np.flip(best | (np.arange(1, wide + 1) >= rounds[:, None]), 1), 1), 1)
    totals["settled"] = (settled & (np.arange(1, wide + 1) < rounds[:, None])).sum(axis=0).astype(float)
    totals["settled"] = np.where(totals["n"] > 0, totals["settled"], 0)
    return totals, 1 + np.argmax(settled, axis=1)


def _fitted(x: np.ndarray, won: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return the weights of a conditional logit by Newton's method, with a slight ridge, as a column may be constant."""
    size = x.shape[2]
    penalty = RIDGE * len(x) * np.eye(size)
    for _ in range(STEPS):
        chance = chances(x @ weight)
        mean = np.einsum("gs,gsk->gk", chance, x)
        gradient = np.einsum("gs,gsk->k", won - won.sum(axis=1, keepdims=True) * chance, x) - penalty @ weight
        flat = x.reshape(-1, size)
        information = flat.T @ (flat * chance.reshape(-1, 1)) - mean.T @ mean + penalty
        step = np.linalg.solve(information, gradient)
        weight = weight + step
        if np.abs(step).max(initial=0) < 1e-6:
            break
    return weight


def _skill(total: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the columns of `skill`, a ratio of means over games (delta method)."""
    n, loss, fair = total["n"], total["gain"], total["loss"]
    ratio = loss / fair
    square = total["gg"] - 2 * ratio * total["gl"] + ratio**2 * total["ll"]
    return around("skill", 1 - ratio, np.sqrt(np.maximum(square, 0) * n / np.maximum(n - 1, 1)) / fair)
