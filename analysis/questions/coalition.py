"""Coalition: what does a leader still win when the whole table plays against it?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError, with_sign
from ...simulator.rules.ruleset_contents import written
from ...strategies import registry
from ...strategies.planning import weights
from ...strategies.registry import Strategy
from ..pages import plots
from ..pages.report_parts import Chart, Column, Finding, Part
from ..pages.screen_parts import First
from ..pages.sentences import by_verdict, more_games, of_row, unfinished_findings
from ..stats.claims import Limit
from ..stats.inference import ALL, surplus
from ..stats.rates import POINTS, SMALL_SAMPLE
from ..stats.verdicts import FAR, JUDGEMENT, STRENGTH, Verdict, having, judged, verdict_of
from ..tables.kept_answers import COALITION, KeptAnswer
from ..tables.paired_figures import Moments, compared, unfinished_of
from . import ladder

# --- Coalitions: how a leader does when the whole table plays against it
#
# People gang up on who is ahead. Every game is played twice on the same seed, with the leader in one seat, which rotates: its
# rivals play for themselves, or so that this leader does not win (weights.AGAINST). The same strategy plays the leader.

UNTRAINED = (
    "The rivals judge positions as they always do and are not trained to stop a leader; rivals who are may hold it better."
)
# By verdict: the leader when all play against it, and the effect of playing against it.
STANDS = {
    Verdict.FAR_ABOVE: "{leader} stays above its share by more than the margin",
    Verdict.ABOVE: "{leader} stays above its share, by more than the margin or less",
    Verdict.WITHIN: "{leader} stays within the margin of its share",
    Verdict.BELOW: "{leader} falls below its share, by more than the margin or less",
    Verdict.FAR_BELOW: "{leader} falls below its share by more than the margin",
    Verdict.UNDECIDED: "Whether {leader} stays above its share is {verdict}",
    Verdict.NOT_COMPARED: "{leader} has too few games for a verdict",
}
DOES = {
    Verdict.WITHIN: "That is no more than the margin away from the {share} it wins when nobody does",
    Verdict.UNDECIDED: "Whether that differs from the {share} it wins when nobody does is {verdict}",
    Verdict.NOT_COMPARED: "When nobody does it wins {share}",
}
DIFFERS = "It wins {share} when nobody does"
WHOLE = 1000  # per mille


@dataclass(frozen=True)
class CoalitionWins:
    """What a leader wins, game by game (NaN: nobody won): among rivals who play for themselves, and against it."""

    alone: np.ndarray
    against: np.ndarray


def player(name: str) -> Strategy:
    """Return the strategy of the name; raise UserError if it cannot play against a leader."""
    strategy = registry.find(name)
    profile = strategy.resolved()
    if profile is None or not profile.network:
        raise UserError(
            f"strategy {name}: cannot play against a leader; expected a learned player: quick, adept, thinker, master"
        )
    return strategy


def against(player: Strategy, code: int, share: int = WHOLE) -> Strategy:
    """Return a learned player that plays against the leader of a code, under a name of its own.

    `share`: per mille that the leader's chance not to win has in the value of a position; the rest is its own chance.
    """
    profile = player.resolved()
    assert profile is not None
    settings = {weights.NAMES[weights.AGAINST]: code + 1, weights.NAMES[weights.AGAINST_SHARE]: share}
    changed = replace(profile, weights=profile.weights | settings)
    return registry.of_profile(f"{player.name} against", changed)


def play(
    r: Any, leader: str, player: Strategy, *, players: int, games: int, seed: int, jobs: int = 1, share: int = WHOLE,
    say: Callable[[str], None] = lambda text: None,
) -> CoalitionWins:  # fmt: skip
    """Play the pairs of games of a leader."""
    code = written(r, "leader").index(leader)
    profile = player.resolved()
    assert profile is not None
    seated = registry.of_profile(f"{player.name} as leader", profile)
    settings = {"players": players, "games": games, "seed": seed, "jobs": jobs}
    won = []
    for rivals, how in ((player, "among rivals who play for themselves"), (against(player, code, share), "against all")):
        say(f"{leader} {how}")
        won.append(ladder.meet_as(r, leader, seated, rivals, **settings))
    return CoalitionWins(*won)


def table(won: dict[str, CoalitionWins], players: int, margin: float = POINTS) -> pd.DataFrame:
    """Return one row per leader.

    Columns: leader, n (decided games against it), share and against_rate (what it wins among rivals who play for
    themselves, and against them) with 95% intervals by Wilson, points (their difference, percentage points) with its
    intervals, `effect` and `effect_certainty` (the verdict on it), what that changes of unfinished games
    (`pairs.unfinished`), fair_share, ahead (against_rate less the fair share, points) with the interval that holds for all
    rows together, p and p_adjusted (is it the fair share?), margin, small_sample, and the verdict on `ahead`
    (`answer.judged`).
    """
    fair, leaders = 1 / players, list(won)
    moments = Moments.empty(len(won))
    moments.add(*(_figures([getattr(games, side) for games in won.values()]) for side in ("alone", "against")))
    change = compared(moments, figures=[("leaders", leader) for leader in leaders]).set_index("figure").loc[leaders]
    rows = []
    for leader, games in won.items():
        sides = [side[~np.isnan(side)] for side in (games.alone, games.against)]
        sizes = [value for shares in sides for value in (shares.mean(), *ladder.share(shares).interval())]
        rows.append([leader, len(sides[1]), *sizes])
    ends = [f"{name}{end}" for name in ("share", "against_rate") for end in ("", "_low", "_high")]
    frame = pd.DataFrame(rows, columns=["leader", "n", *ends])
    names = {"points": "difference", "points_low": "low", "points_high": "high"}
    names |= {f"points_all_{end}": f"difference_all_{end}" for end in ("low", "high")}
    frame = frame.assign(**{new: 100 * change[old].to_numpy() for new, old in names.items()})
    frame = frame.assign(**{of.replace("verdict", "effect"): change[of].to_numpy() for of in JUDGEMENT[:2]})
    frame = frame.assign(effect_certainty=change["certainty"].to_numpy())
    decided = [games.against[~np.isnan(games.against)] for games in won.values()]
    wins, n, squares = (
        np.array([k(games) for games in decided], float) for k in (np.sum, len, lambda games: games.var() * len(games))
    )
    frame = frame.assign(fair_share=fair, **surplus("ahead", wins, n, squares, fair), margin=margin)
    cut = unfinished_of([games.alone for games in won.values()], [games.against for games in won.values()])
    frame = frame.assign(small_sample=frame["n"] < SMALL_SAMPLE, **cut)
    return judged(frame, "ahead", margin, moments.n, STRENGTH)


def _figures(sides: Sequence[np.ndarray]) -> np.ndarray:
    """Return (games, leaders, 2): the leader's share of the win, and whether the game was played and decided."""
    won = np.full((max(map(len, sides)), len(sides)), np.nan)
    for k, side in enumerate(sides):
        won[: len(side), k] = side
    return np.stack([np.nan_to_num(won), ~np.isnan(won)], axis=2).astype(float)


def coalitions(
    r: Any, leaders: Sequence[str], player: Strategy, *, players: int, margin: float = POINTS, **how: Any
) -> pd.DataFrame:
    """Play every leader against its table and return how it does (`table`)."""
    return table({leader: play(r, leader, player, players=players, **how) for leader in leaders}, players, margin)


def sentence(row: Any) -> str:
    """Return the sentence on a leader when all play against it."""
    rate = f"{row['against_rate']:.1%} [{100 * row['against_rate_low']:.1f}, {100 * row['against_rate_high']:.1f}]"
    stands = STANDS[verdict_of(row)].format(leader=row["leader"], verdict=row["verdict"])
    return f"{stands} when all play against it: it wins {rate} (n = {row['n']:,})."


def effect(row: Any) -> str:
    """Return the sentence on the effect of playing against the leader."""
    share = f"{row['share']:.1%}"
    start = DOES.get(verdict_of(row, "effect"), DIFFERS).format(share=share, verdict=row["effect"])
    ends = [row[f"points{end}"] for end in ALL]
    size = (
        ""
        if verdict_of(row, "effect") is Verdict.NOT_COMPARED
        else f": {with_sign(ends[0])} points [{with_sign(ends[1])}, {with_sign(ends[2])}]"
    )
    return f"{start}{size}."


def lines_of(frame: pd.DataFrame) -> dict[str, str]:
    """Return both sentences on each leader."""
    return {str(row["leader"]): f"{sentence(row)} {effect(row)}" for row in frame.to_dict("records")}


def lines(kept: KeptAnswer) -> dict[str, str]:
    """Return both sentences on each leader of a kept answer."""
    return lines_of(kept.tables[TABLE])


# --- The page of `newdawn coalition`

COMMAND, TABLE = COALITION
METHOD = (
    "Every game is played twice on the same seed, the leader's seat rotating: rivals play to win, or to stop the leader. "
    "Verdicts are on decided games, against the fair share ± 2 points, for all leaders together (Bonferroni)."
)
COLUMNS = (
    "leader", ("n", "pairs of games"), ("share", "wins when rivals play to win [95%]"),
    ("against_rate", "wins when all play against it [95%]"), ("points", "difference, points [95% all]"),
    ("effect", "playing against it"), Column("ahead", "above its share then, points [95% all]", "points"),
    ("p_adjusted", "adjusted p", "p value for all leaders together: it wins its share then"), "verdict",
    ("small_sample", "few?", f"fewer than {SMALL_SAMPLE} pairs"),
)  # fmt: skip


def page(kept: KeptAnswer, chapter: str) -> tuple[list[Part], First, tuple[str, ...]]:
    """Return the parts, the first screen and the method of an answer."""
    frame = kept.tables[TABLE].sort_values("against_rate", ascending=False, kind="stable")
    chart = Chart(
        TABLE, "What each leader wins when all play against it",
        "95% each; filled: beyond its share ± 2 points; dashed: its share.",
        _draw, lambda rows: 1.1 + 0.27 * len(rows), message=_message,
    )  # fmt: skip
    part = Part(TABLE, "Leaders against the table", lambda source: frame, COLUMNS, chapter=chapter, charts=(chart,),
                note="What a leader wins among rivals who play to win, and among rivals who play to stop it.")  # fmt: skip
    findings = [
        finding
        for row in frame.head(3).to_dict("records")
        for finding in (of_row(row, sentence(row)), of_row(row, effect(row), "effect"))
    ]
    findings = [*unfinished_findings(frame, "leader", " against all"), *findings, Finding(Limit(), UNTRAINED)]
    screen = First(findings, verdicts=by_verdict(frame, "leader"), chart=TABLE, steps=more_games(kept, frame))
    return [part], screen, (METHOD,)


def _message(frame: pd.DataFrame) -> str:
    """Say which leader wins more than its share against the whole table."""
    ahead = frame.loc[having(frame, {Verdict.FAR_ABOVE}), "leader"]
    more = f" ({len(ahead) - 1} more)" if len(ahead) > 1 else ""
    return f"{ahead.iloc[0]} wins more than its share even when all play against it{more}" if len(ahead) else ""


def _draw(frame: pd.DataFrame, ax: Any) -> None:
    filled, fair = having(frame, FAR), 100 * float(frame["fair_share"].iloc[0])
    plots.column(
        ax, frame, frame["leader"], "against_rate", "win rate, %", ends=plots.EACH, filled=filled, scale=100, reference=fair
    )
