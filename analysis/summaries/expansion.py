"""Questions of Terra Incognita: districts, governments, exploring, forts, unique cards, and wonders that leave the game.

What seats did is compared with how often they won: associations, which never have the name of an effect. Who is ahead explores
and builds more; what a district, a fort or a card is worth only `newdawn experiment` says.

Seats that did something and seats that did not sit at the same tables, and one wins what the other does not. So the difference
of their win rates gets the error of its linearised terms, game by game (delta method): with y wins among m such seats of a
game and Y among M others, a game adds (y - r m) / Σm - (Y - R M) / ΣM, squared and summed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.batch.schema import DISTRICT_NAMES, GOVERNMENT_NAMES
from ...simulator.errors import UserError
from ..statistics.inference import around, normal_ends, together, two_sided
from ..statistics.rates import SMALL_SAMPLE, clustered_rate_columns, hardly_any, median_of_counts, rate_columns
from ..tables.read import Runs, listed

MANY = 3  # forts or tiles: so many or more are one row
Columns = Mapping[str, Any] | pd.DataFrame  # of `seats`, by name
Question = tuple[str, Any, Any]  # what a row is about; the seats with it, the seats without it (truth values)
PLACED = {f"placed_{name}": name.replace("_", " ") for name in DISTRICT_NAMES}
GOVERNED = {f"turns_{name}": name for name in GOVERNMENT_NAMES}


def districts(runs: Runs) -> pd.DataFrame:
    """Return for each district how often seats placed it, and how often those won against seats that did not."""
    return _associations(runs, "district")


def governments(runs: Runs) -> pd.DataFrame:
    """Return for each government how many seats had it at the beginning of an own turn, and how often those won."""
    return _associations(runs, "government")


def exploring(runs: Runs) -> pd.DataFrame:
    """Return how often seats won that explored no, one, two … tiles, against all seats that explored another number."""
    return _associations(runs, "tiles")


def forts(runs: Runs) -> pd.DataFrame:
    """Return how often seats won that took no, one, two … forts, against all seats that took another number."""
    return _associations(runs, "forts")


def unique_cards(runs: Runs) -> pd.DataFrame:
    """Return for each leader how often its unique card was taken and when, and how often it won with it and without it.

    Seats that have the card from the beginning count as having taken it in round 1.
    """
    seats = [piece["seats"] for run in _boxed(runs) for piece in run.pieces({"seats": ["leader", "unique_card_round"]})]
    rounds = pd.concat([part.astype({"leader": str}) for part in seats])
    medians = rounds.groupby("leader")["unique_card_round"].apply(
        lambda column: median_of_counts(*np.unique(column.dropna(), return_counts=True))
    )
    names = sorted(rounds["leader"].unique())

    def asked(seats: Columns) -> list[Question]:
        return with_card(names, np.asarray(seats["leader"].astype(str)), seats["unique_card_round"].notna())

    frame = association_table("leader", *_counted(runs, ["leader", "unique_card_round"], asked))
    return with_medians(frame, frame["leader"].map(medians))


def with_medians(frame: pd.DataFrame, medians: pd.Series) -> pd.DataFrame:
    """Return a table of unique cards with the median rounds in which they were taken."""
    frame.insert(list(frame.columns).index("wins"), "median_round", medians.astype(float))
    return frame


def with_card(leaders: Sequence[Any], leader: Any, taken: Any) -> list[Question]:
    """Return for each leader its seats with the unique card, and its seats without."""
    return [(name, (leader == name) & taken, (leader == name) & ~taken) for name in leaders]


def wonders_left(runs: Runs) -> pd.DataFrame:
    """Return for each world wonder how often it left the game unbuilt, with a second trade token of the wonder icon (T9.2).

    A face-up wonder that leaves is followed by the next one of its deck, so one that was turned up, not built, and followed
    by another has left. A deck's last wonder that left and the one that still lies there look alike: neither is counted.
    """
    wanted = {"wonders": ["game_id", "wonder", "type", "era", "in_deck", "round_revealed", "round_built"]}
    parts = [_left(piece["wonders"]) for run in _boxed(runs) for piece in run.pieces(wanted)]
    keys = ["wonder", "type", "era"]
    total = pd.concat(parts).groupby(keys, as_index=False, sort=False).sum().query("n > 0")
    frame = total.assign(**rate_columns(total["left"], total["revealed"], "left_rate"))
    frame["small_sample"] = frame["revealed"] < SMALL_SAMPLE
    return frame.sort_values(["left_rate", "wonder"], ascending=[False, True], ignore_index=True)


def _left(wonders: pd.DataFrame) -> pd.DataFrame:
    """Return a shard's counts by wonder: games in a deck (`n`), in which it was turned up, built, and left the game."""
    shown = wonders.assign(revealed=wonders["round_revealed"].notna(), built=wonders["round_built"].notna())
    # Of two wonders turned up in one round the first was built in it, for the icon takes none within a round.
    order = shown[shown["revealed"]].sort_values(["round_revealed", "built"], ascending=[True, False], kind="stable")
    last = ~order.duplicated(["game_id", "type"], keep="last")
    shown["left"] = False
    shown.loc[order.index, "left"] = ~order["built"] & ~last
    keys = ["wonder", "type", "era"]
    counts = shown.assign(n=shown["in_deck"])[[*keys, "n", "revealed", "built", "left"]]
    return counts.astype(dict.fromkeys(keys, str)).groupby(keys, as_index=False, sort=False).sum()


# --- What goes with winning


def _boxed(runs: Runs) -> Sequence[Any]:
    """Return the runs; raise UserError if one was played without the expansion."""
    found = listed(runs)
    for run in found:
        if run.box != names.BOXES[names.TI_BOX]:
            raise UserError(f"{run.path}: a run of the base game; expected one with --box {names.BOXES[names.TI_BOX]}")
    return found


def _done(named: Mapping[str, str]) -> Callable[[Columns], list[Question]]:
    """Return what asks of each column whether it is more than 0."""
    return lambda seats: [(name, seats[column] > 0, seats[column] == 0) for column, name in named.items()]


def _numbers(column: str) -> Callable[[Columns], list[Question]]:
    """Return what asks for each number up to MANY, which stands for all from there on."""

    def asked(seats: Columns) -> list[Question]:
        capped = np.minimum(seats[column], MANY)
        return [(f"{k}{' or more' if k == MANY else ''}", capped == k, capped != k) for k in range(MANY + 1)]

    return asked


# By what a row is about: the columns of `seats`, and what is asked of them.
QUESTIONS: dict[str, tuple[Sequence[str], Callable[[Columns], list[Question]]]] = {
    "district": (list(PLACED), _done(PLACED)),
    "government": (list(GOVERNED), _done(GOVERNED)),
    "tiles": (["tiles_explored"], _numbers("tiles_explored")),
    "forts": (["forts_taken"], _numbers("forts_taken")),
}


def _associations(runs: Runs, what: str) -> pd.DataFrame:
    """Return a row a question: how many seats did it, how often these won, and the others, with the difference's intervals."""
    return association_table(what, *_counted(runs, *QUESTIONS[what]))


def _counted(
    runs: Runs, columns: Sequence[str], asked: Callable[[Columns], list[Question]]
) -> tuple[list[str], np.ndarray, int]:
    """Return the names of the questions, a row of `products` each, and the number of games."""
    wanted = {"seats": list(dict.fromkeys(["game_id", "won", *columns]))}
    names: list[str] = []
    total, games = np.zeros(0), 0
    for run in _boxed(runs):
        for piece in run.pieces(wanted):
            seats = piece["seats"]
            ids, game = np.unique(seats["game_id"].to_numpy(), return_inverse=True)
            questions = asked(seats)
            names = [name for name, _, _ in questions]
            won = seats["won"].to_numpy(float)
            sums = []
            for _, with_, without in questions:
                weights = (won * with_, with_, won * without, without)
                sums.append(products(np.array([np.bincount(game, weight, len(ids)) for weight in weights])))
            total, games = np.array(sums) if not len(total) else total + np.array(sums), games + len(ids)
    return names, total, games


def products(per_game: np.ndarray) -> np.ndarray:
    """Return the sums of y, m, Y, M, (4, n), over the games, and of all their products: see the module docstring."""
    return np.concatenate([per_game.sum(axis=1), (per_game @ per_game.T).ravel()])


def association_table(what: str, names: Sequence[str], total: np.ndarray, games: int) -> pd.DataFrame:
    """Return the table of questions from their names, their `products`, (questions, 20), and the number of games."""
    y, m, others_y, others_m = total[:, :4].T
    product = total[:, 4:].reshape(-1, 4, 4)
    with np.errstate(divide="ignore", invalid="ignore"):
        r, q, share = y / m, others_y / others_m, m / (m + others_m)
        terms = np.stack([1 / m, -r / m, -1 / others_m, q / others_m], axis=1)  # of y, m, Y, M in a game's residual
        square = np.einsum("ki,kij,kj->k", terms, product, terms)
        error = 100 * np.sqrt(np.maximum(square, 0) * games / max(games - 1, 1))
        gap = 100 * (r - q)
    own = product[:, 0, 0] - 2 * r * product[:, 0, 1] + r**2 * product[:, 1, 1]
    spread = (1 - share) ** 2 * product[:, 1, 1] - 2 * share * (1 - share) * product[:, 1, 3] + share**2 * product[:, 3, 3]
    n, n_without = m.astype(np.int64), others_m.astype(np.int64)
    frame = pd.DataFrame({what: list(names), "n": n, "n_without": n_without})
    frame = frame.assign(**clustered_rate_columns(m, m + others_m, spread, "share"), wins=y)
    frame = frame.assign(**clustered_rate_columns(y, m, own, "win_rate"), rate_without=q)
    few = (np.minimum(n, n_without) < SMALL_SAMPLE) | hardly_any(y, m) | hardly_any(others_y, others_m)
    p = np.where(few, np.nan, two_sided(gap, error))
    frame["small_sample"] = few
    return frame.assign(**around("association", gap, error), **together("association", p, normal_ends(gap, error)))
