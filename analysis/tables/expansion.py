"""Terra Incognita: win rates by districts, governments, exploring, forts and unique cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError
from ...simulator.runs.columns import DISTRICT_NAMES, GOVERNMENT_NAMES
from ..stats.inference import (
    normal_together,
)
from ..stats.rates import (
    SMALL_SAMPLE,
    clustered_rate_columns,
    hardly_any,
    median_of_counts,
    rate_columns,
)
from .decoded_games import WHOLE, Games
from .read import Runs, Sample, Selection, added, as_runs, counted_together, sample_of
from .win_rates import quantiles

# --- Questions of Terra Incognita: districts, governments, exploring, forts, unique cards, wonders that leave the game
#
# What seats did is compared with how often they won: associations, which are never called effects. Who is ahead explores and
# builds more; what a district, a fort or a card is worth only `newdawn experiment` says.
#
# Seats that did something and seats that did not sit at the same tables, and one wins what the other does not. So the
# difference of their win rates gets the error of its linearised terms, game by game (delta method): with y wins among m such
# seats of a game and Y among M others, a game adds (y - r m) / Σm - (Y - R M) / ΣM, squared and summed.

MANY = 3  # forts or tiles: this many or more share a row
GAMES_AT_ONCE = 1 << 15  # fits a processor's cache
CARD_ROUND = "unique_card_round"
Question = tuple[str, np.ndarray, np.ndarray]  # name of the row; the seats with it, the seats without it
Ask = Callable[[Games], list[Question]]
PLACED = {f"placed_{name}": name.replace("_", " ") for name in DISTRICT_NAMES}
GOVERNED = {f"turns_{name}": name for name in GOVERNMENT_NAMES}


def districts(runs: Runs) -> pd.DataFrame:
    """Return for each district how often seats placed it, and how often those won against seats that did not."""
    return associations(runs, "district")


def governments(runs: Runs) -> pd.DataFrame:
    """Return for each government how many seats had it when a turn of theirs began, and how often those won."""
    return associations(runs, "government")


def exploring(runs: Runs) -> pd.DataFrame:
    """Return how often seats won that explored no, one, two … tiles, against all seats that explored another number."""
    return associations(runs, "tiles")


def forts(runs: Runs) -> pd.DataFrame:
    """Return how often seats won that took no, one, two … forts, against all seats that took another number."""
    return associations(runs, "forts")


def unique_cards(runs: Runs) -> pd.DataFrame:
    """Return for each leader how often its unique card was taken and when, and how often it won with it and without it.

    Seats that have the card from the beginning count as having taken it in round 1.
    """
    sample = sample_of(_boxed(runs), ("occupied", "leader", "won"), [CARD_ROUND])
    total = added(_unique(s) for s in sample)
    if not total:
        return pd.DataFrame()
    frame = _association_table("leader", sample.words.leader, total, "unique cards")
    frame.insert(list(frame.columns).index("wins"), "median_round", quantiles(total["rounds"], median_of_counts))
    return frame[frame["n"] + frame["n_without"] > 0].sort_values("leader", ignore_index=True)


def _unique(s: Selection) -> dict[str, np.ndarray]:
    """Return what is counted of the seats of each leader with the unique card and without, and when it was taken."""
    leader, taken, size = s.games.leader, s.games.number(CARD_ROUND), len(s.games.words.leader)
    wide, here = int(taken.max(initial=0)) + 1, s.counting & (taken > 0)
    rounds = np.bincount(leader[here].astype(np.int64) * wide + taken[here], minlength=size * wide).reshape(size, wide)
    questions = [(str(code), (leader == code) & (taken > 0), (leader == code) & (taken <= 0)) for code in range(size)]
    return _counted(s, questions) | {"rounds": rounds}


def wonders_left(runs: Runs) -> pd.DataFrame:
    """Return for each world wonder how often it left the game unbuilt, with a second trade token of the wonder icon (T9.2).

    A face-up wonder that leaves is followed by the next one of its deck, so a wonder that was turned up, not built, and
    followed by another has left. The last wonder of a deck may have left or still lie there, which looks the same: neither is
    counted.
    """
    wanted = {"wonders": ["game_id", "wonder", "type", "era", "in_deck", "round_revealed", "round_built"]}
    parts = (_left(piece["wonders"]) for run in as_runs(_boxed(runs)) for piece in run.pieces(wanted))
    total = counted_together(parts, ["wonder", "type", "era"]).query("n > 0")
    frame = total.assign(**rate_columns(total["left"], total["revealed"], "left_rate"))
    frame["small_sample"] = frame["revealed"] < SMALL_SAMPLE
    return frame.sort_values(["left_rate", "wonder"], ascending=[False, True], ignore_index=True)


def _left(wonders: pd.DataFrame) -> pd.DataFrame:
    """Return a shard's counts by wonder: games in a deck (`n`), games in which it was turned up, built, or left the game."""
    shown = wonders.assign(revealed=wonders["round_revealed"].notna(), built=wonders["round_built"].notna())
    # Of two wonders turned up in one round the first was built in it: the icon removes none within a round.
    order = shown[shown["revealed"]].sort_values(["round_revealed", "built"], ascending=[True, False], kind="stable")
    last = ~order.duplicated(["game_id", "type"], keep="last")
    shown["left"] = False
    shown.loc[order.index, "left"] = ~order["built"] & ~last
    keys = ["wonder", "type", "era"]
    counts = shown.assign(n=shown["in_deck"])[[*keys, "n", "revealed", "built", "left"]]
    sums = counts.groupby(keys, as_index=False, sort=False, observed=True).sum()
    return sums.astype(dict.fromkeys(keys, str))  # shards have categories of their own


def _boxed(runs: Runs) -> Runs:
    """Return the runs; raise UserError if one was played without Terra Incognita."""
    for run in [] if isinstance(runs, Sample) else as_runs(runs):
        if run.box != names.BOXES[names.TI_BOX]:
            raise UserError(f"{run.path}: a run of the base game; expected one with --box {names.BOXES[names.TI_BOX]}")
    return runs


def _done(named: Mapping[str, str]) -> Ask:
    """Return the function that asks of each column whether it is more than 0."""
    return lambda games: [(name, games.number(column) > 0, games.number(column) == 0) for column, name in named.items()]


def _numbers(column: str) -> Ask:
    """Return the function that asks of each number up to MANY whether the column has it; MANY stands for all above."""

    def ask(games: Games) -> list[Question]:
        capped = np.minimum(games.number(column), MANY)
        return [(f"{k}{' or more' if k == MANY else ''}", capped == k, capped != k) for k in range(MANY + 1)]

    return ask


# By subject of a row: the columns of `seats`, the questions on them, and the family of the answers (`weight_of`).
QUESTIONS: dict[str, tuple[Sequence[str], Ask, str]] = {
    "district": (list(PLACED), _done(PLACED), "districts"),
    "government": (list(GOVERNED), _done(GOVERNED), "governments"),
    "tiles": (["tiles_explored"], _numbers("tiles_explored"), "exploring"),
    "forts": (["forts_taken"], _numbers("forts_taken"), "forts"),
}


def associations(runs: Runs, subject: str) -> pd.DataFrame:
    """Return one row per question: the seats that did it, how often these and the others won, the difference with intervals."""
    numbers, ask, family = QUESTIONS[subject]
    names: list[str] = []
    parts = []
    for s in sample_of(_boxed(runs), ("occupied", "won"), numbers):
        questions = ask(s.games)
        names = [name for name, _, _ in questions]
        parts.append(_counted(s, questions))
    return _association_table(subject, names, added(parts), family) if parts else pd.DataFrame()


def _counted(s: Selection, questions: Sequence[Question]) -> dict[str, np.ndarray]:
    """Return a row of `products` of the counted seats for each question, and the number of games."""
    with ThreadPoolExecutor() as threads:  # NumPy releases the interpreter's lock
        rows = list(threads.map(lambda question: _of_question(s, *question[1:]), questions))
    return {"products": np.array(rows), "games": np.array([np.count_nonzero(s.chosen)])}


def _of_question(s: Selection, with_: np.ndarray, without: np.ndarray) -> np.ndarray:
    """Return the `products` of the counted seats with something, and of those without it."""
    total = np.zeros(20)
    for low in range(0, len(s.games), GAMES_AT_ONCE):
        part = slice(low, low + GAMES_AT_ONCE)
        rows = []
        for seats in (with_[part] & s.counting[part], without[part] & s.counting[part]):
            rows += [_by_game(s.games.won[part] * seats) / WHOLE, _by_game(seats.view(np.int8))]
        total += _products(np.array(rows, float))
    return total


def _by_game(seats: np.ndarray) -> np.ndarray:
    """Return the sums over the seats of each game: seat by seat, which is faster than along so short an axis."""
    total = seats[:, 0].copy()  # the shares of a win are WHOLE in all, which a byte holds
    for seat in range(1, seats.shape[1]):
        total += seats[:, seat]
    return total


def _products(per_game: np.ndarray) -> np.ndarray:
    """Return the sums of y, m, Y, M, (4, n), over the games, and of all their products (for the delta method above)."""
    return np.concatenate([per_game.sum(axis=1), (per_game @ per_game.T).ravel()])


def _association_table(subject: str, names: Sequence[str], total: Mapping[str, np.ndarray], family: str) -> pd.DataFrame:
    """Return the table of questions from their names, their `products`, (questions, 20), and the number of games."""
    sums, games = total["products"], int(total["games"][0])
    y, m, others_y, others_m = sums[:, :4].T
    product = sums[:, 4:].reshape(-1, 4, 4)
    with np.errstate(divide="ignore", invalid="ignore"):
        r, q, share = y / m, others_y / others_m, m / (m + others_m)
        terms = np.stack([1 / m, -r / m, -1 / others_m, q / others_m], axis=1)  # of y, m, Y, M in a game's residual
        square = np.einsum("ki,kij,kj->k", terms, product, terms)
        error = 100 * np.sqrt(np.maximum(square, 0) * games / max(games - 1, 1))
        gap = 100 * (r - q)
    own = product[:, 0, 0] - 2 * r * product[:, 0, 1] + r**2 * product[:, 1, 1]
    spread = (1 - share) ** 2 * product[:, 1, 1] - 2 * share * (1 - share) * product[:, 1, 3] + share**2 * product[:, 3, 3]
    n, n_without = m.astype(np.int64), others_m.astype(np.int64)
    frame = pd.DataFrame({subject: list(names), "n": n, "n_without": n_without})
    frame = frame.assign(**clustered_rate_columns(m, m + others_m, spread, "share"), wins=y)
    frame = frame.assign(**clustered_rate_columns(y, m, own, "win_rate"), rate_without=q)
    few = (np.minimum(n, n_without) < SMALL_SAMPLE) | hardly_any(y, m) | hardly_any(others_y, others_m)
    frame["small_sample"] = few
    return frame.assign(**normal_together("association", gap, error, few, family=family))
