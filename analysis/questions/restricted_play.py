"""Games of players who do without a part of the game, and what they lose by it. Start with `restricted`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError
from ...simulator.rules.ruleset_contents import written
from ...strategies import profiles, registry
from ...strategies.planning import restrictions
from ...strategies.registry import Strategy
from ..stats.inference import ENDS
from ..tables.paired_figures import UNFINISHED_COLUMNS, Fours, Moments, changes, compared, unfinished_of
from . import ladder

# --- Restricted play: what a player loses by doing without a part of the game
#
# After A. Jaffe and others, "Evaluating competitive game balance with restricted play", AIIDE 2012. Every game is played
# twice on the same seed: one seat, which rotates, plays with a restriction or without, all others play without. The loss is
# the difference of that seat's share of the wins, compared game by game as two rulesets are (`analysis.questions.compare`). The
# player is otherwise the same, with the same weights and network: it has not learned to do without, so the loss is an upper
# bound for one that has.
#
# Two such tables can stand beside each other (`side_by_side`): by other rules, or by players who have trained for their
# restriction. Both are played on the same seeds and compared game by game.

FREE = ""  # no restriction
SHARES = ("share", "share_low", "share_high", "restricted", "restricted_low", "restricted_high")
KEPT = (*SHARES, *(f"points{end}" for end in ENDS))
JUDGED = ("p", "p_adjusted", "margin", "small_sample", "verdict", "verdict_key", "certainty", "games_fewest", "games_most")
COLUMNS = ("restriction", "meaning", "n", *KEPT, *JUDGED, *UNFINISHED_COLUMNS)
UNTRAINED = "looking ahead"  # a player without it does not use a network, so there is nothing to train


@dataclass(frozen=True)
class RestrictedWins:
    """What a seat wins, game by game (NaN: nobody won), by restriction, FREE included."""

    shares: Mapping[str, np.ndarray]

    @property
    def names(self) -> list[str]:
        """The restrictions."""
        return [name for name in self.shares if name != FREE]

    def figures(self, names: Sequence[str]) -> np.ndarray:
        """Return (games, names, 2): the share of the win with each restriction, and whether the game was decided."""
        won = np.stack([self.shares[name] for name in names], axis=1)
        return np.stack([np.nan_to_num(won), ~np.isnan(won)], axis=2).astype(float)


def agendas_of(r: Any) -> list[str]:
    """Return the agendas on the victory cards of the rules, by their codes."""
    names, codes = written(r, "agenda"), np.unique(r.agenda_name)
    return [names[code] for code in codes[codes >= 0]]


def check(wanted: Sequence[str], r: Any, where: str) -> None:
    """Raise UserError, beginning with `where`, if a name is not a restriction under the rules, or is named twice."""
    for name in wanted:
        profiles.check_restrictions([name], where, agendas_of(r))
        if not name.startswith(restrictions.AGENDA) and name not in restrictions.valid_in(r.box):
            raise UserError(
                f"{where}: {name}: none in the {names.BOXES[r.box]} game; expected {', '.join(restrictions.valid_in(r.box))}"
            )
    if len(set(wanted)) < len(wanted):
        raise UserError(f"{where}: names a restriction twice")


def player(name: str) -> Strategy:
    """Return the strategy of the name as one that heeds restrictions; raise UserError if it cannot."""
    strategy = registry.find(name)
    profile = strategy.resolved()
    if profile is None or strategy.function not in registry.HEEDS:
        expected = "planner, adept, thinker, master or a profile like them"
        raise UserError(f"strategy {name}: does not support restrictions; expected {expected}")
    return registry.of_profile(strategy.name, replace(profile, function=registry.HEEDS[strategy.function]))


def restrict(player: Strategy, names: Sequence[str]) -> Strategy:
    """Return the player with restrictions, under a name of its own."""
    profile = player.resolved()
    assert profile is not None
    restricted = [*profile.restrictions, *(name for name in names if name not in profile.restrictions)]
    profiles.check_restrictions(restricted, f"strategy {player.name}", restrictions.ignored_agendas(restricted))
    changed = replace(profile, restrictions=restricted)
    return replace(player, name=f"{player.name} without", own=registry.as_text(asdict(changed)))


def without_each(player: Strategy, names: Sequence[str]) -> dict[str, Strategy]:
    """Return the player without a restriction, and with each of them."""
    return {name: restrict(player, [name] if name != FREE else []) for name in (FREE, *names)}


def play(
    r: Any, seats: Mapping[str, Strategy], others: Strategy, *, players: int, games: int, seed: int, jobs: int = 1,
    say: Callable[[str], None] = lambda text: None,
) -> RestrictedWins:  # fmt: skip
    """Return what each player in `seats` (by restriction) wins against tables of `others`."""
    shares = {}
    for name, strategy in seats.items():
        say(f"without {name}" if name != FREE else "without a restriction")
        shares[name] = ladder.meet(r, strategy, others, players=players, games=games, seed=seed, jobs=jobs, nobody=np.nan)
    return RestrictedWins(shares)


def restricted(
    r: Any, player: Strategy, names: Sequence[str], *, players: int, games: int, seed: int, jobs: int = 1,
    say: Callable[[str], None] = lambda text: None,
) -> pd.DataFrame:  # fmt: skip
    """Return what the player loses by each restriction (`table`)."""
    return table(play(r, without_each(player, names), player, players=players, games=games, seed=seed, jobs=jobs, say=say))


def table(won: RestrictedWins) -> pd.DataFrame:
    """Return one row per restriction.

    Columns: restriction, meaning, n (pairs), share (without a restriction) and restricted (share with it) with Wilson's 95%
    intervals, points (their difference in percentage points, restricted less free) with points_low and points_high (95%), p,
    p_adjusted, points_all_low and points_all_high (for the whole table together), margin, small_sample, and the verdict on
    the difference (`answer.judged`). Both games of a pair have the same seed, and the seat that is restricted in one is counted
    in both; only decided games count.
    """
    moments = Moments.empty(len(won.names))
    moments.add(won.figures([FREE] * len(won.names)), won.figures(won.names))
    differences = compared(moments, figures=[("restrictions", name) for name in won.names])
    parts = [[value for which in (FREE, name) for value in _with_interval(won.shares[which])] for name in won.names]
    shares = pd.DataFrame(parts, columns=SHARES).assign(
        **unfinished_of([won.shares[FREE]] * len(won.names), [won.shares[name] for name in won.names])
    )
    return _rows(differences, "difference", "points", moments.n).assign(**shares)[list(COLUMNS)]


def _rows(differences: pd.DataFrame, size: str, points: str, n: int) -> pd.DataFrame:
    """Return differences of shares as rows of restrictions, in percentage points; columns `size` are renamed `points`."""
    ends = {f"{size}{end}": f"{points}{end}" for end in ("", "_all_low", "_all_high")}
    frame = differences.rename(columns={"figure": "restriction", "low": f"{points}_low", "high": f"{points}_high"} | ends)
    scaled = {f"{points}{end}": 100 * frame[f"{points}{end}"] for end in ENDS} | {"margin": 100 * frame["margin"]}
    return frame.assign(meaning=frame["restriction"].map(restrictions.meaning), n=n, **scaled)


def _with_interval(shares: np.ndarray) -> tuple[float, float, float]:
    """Return the mean of shares of decided games, and Wilson's interval of it."""
    mean = ladder.share(shares[~np.isnan(shares)])
    return (mean.share, *mean.interval())


def side_by_side(a: RestrictedWins, b: RestrictedWins) -> pd.DataFrame:
    """Return two tables of the same restrictions and seeds beside each other, and what B changes of each loss.

    Columns: restriction, meaning, n; those of `table` that KEPT names, once with `a_` and once with `b_` before the name
    (the intervals `_all_` hold for each table together); change (points of B less those of A) with change_low and change_high
    (95%), p, p_adjusted, change_all_low and change_all_high (for all changes together), margin, small_sample, and the verdict
    on the change (`answer.judged`).
    """
    fours, free = Fours.empty(len(a.names)), [FREE] * len(a.names)
    fours.add([won.figures(names) for won in (a, b) for names in (free, a.names)])
    losses = _rows(changes(fours, [("restrictions", name) for name in a.names]), "change", "change", fours.unaware.n)
    for key, frame in (("a", table(a)), ("b", table(b))):
        losses = losses.assign(**{f"{key}_{name}": frame[name] for name in KEPT})
    columns = [f"{key}_{name}" for key in "ab" for name in KEPT]
    return losses[["restriction", "meaning", "n", *columns, *(f"change{end}" for end in ENDS), *JUDGED]]
