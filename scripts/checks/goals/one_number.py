"""Does `balance` find the one number that was planted on a leader's card, and does it advise nothing where nothing is wrong?

    python -m newdawn.scripts.checks.goals.one_number --out build/one_number

Each leader of the base game, and eight drawn ones of Terra Incognita, is made too strong or too weak by one number of its card,
drawn at random among those that move its win rate by HARM. Asked for the printed win rate, the advice should be that number, or
a change that leaves every other leader as near to print; and none may be thrown off by more than sharing explains. *Nulls* are
printed games. Fresh games with other seeds judge. Each trial is a line of OUT/trials.jsonl, so a stopped check continues.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import click
import numpy as np

from ....analysis.questions.balance import alike_of, balance
from ....analysis.questions.possible_changes import OWN, Move, Playable, levers, moves_of, subject_of, words_of
from ....analysis.questions.tuning import parse_target, play_figures, play_some
from ....analysis.stats.rates import wilson
from ....analysis.tables.targets import FIRST_LEADER, MARGIN
from ....analysis.tables.whole import shares_of, whole_of
from ....simulator import names
from ....simulator.rules import load_ruleset
from ....simulator.rules.load import Ruleset, with_overlay
from ....simulator.rules.ruleset_contents import names_of
from ....simulator.runs.run import Silent
from ....simulator.runs.run_plan import plan_by

HARM = 0.06  # of the leader's win rate
LOOK, TRUTH, AGAIN = 1_000, 20_000, 6_000  # games: of a number drawn, of the printed game, to judge an advice
SEEDS = {"truth": 777, "look": 778, "again": 779}
DRAWN = 8  # leaders of Terra Incognita
NULLS = (("base", "Rome"), ("base", "Aztec"), ("terra-incognita", "Poland"))


class Trials:
    """Planted numbers in one box, and what `balance` makes of them."""

    def __init__(self, box: str, way: str, games: int, among: int | None, seed: int, jobs: int, out: Path) -> None:
        self.box, self.games, self.among, self.seed, self.jobs = box, games, among, seed, jobs
        self.printed = load_ruleset(box=box)
        self.leaders = names_of(self.printed.data, "leader")
        self.plan = plan_by(self.printed.compile(), players=4, games=1, seed=1, strategies=[way])
        kept = out / f"printed-{way}-{box}.json"  # win rates under the printed rules
        if not kept.exists():
            kept.write_text(json.dumps(self.rates(self.play(self.printed, "truth", TRUTH)).tolist()), "utf-8")
        self.truth = np.array(json.loads(kept.read_text("utf-8")))

    def play(self, ruleset: Ruleset, seeds: str, n: int) -> np.ndarray:
        """Return the figures of games with seeds of their own."""
        return play_figures(self.plan, ruleset, SEEDS[seeds] * 100_000, n, self.jobs, Silent())

    def like(self, base: np.ndarray, rules: Ruleset, changed: Ruleset) -> np.ndarray:
        """Return the figures of the games that judge, under changed rules; those that the change cannot touch are the same."""
        alike = alike_of(base, rules, changed, self.leaders)
        after = np.array(base)
        at = np.arange(AGAIN) if alike is None else np.flatnonzero(alike.other)
        after[at] = play_some(self.plan, changed, SEEDS["again"] * 100_000 + at, self.jobs, Silent())
        return after

    def rates(self, games: np.ndarray) -> np.ndarray:
        """Return the leaders' win rates."""
        seats = games[:, FIRST_LEADER:].sum(axis=0, dtype=float)
        return np.asarray(seats[:, 0] / np.maximum(seats[:, 1], 1))

    def planted(self, leader: str) -> tuple[Move, Ruleset]:
        """Return a number of the leader's card, drawn among those that do harm (or the worst), and the rules with it."""
        at, rng = self.leaders.index(leader), np.random.default_rng([self.seed, self.leaders.index(leader)])
        subject = subject_of(self.printed, f"win rate of {leader}")
        moves = moves_of(self.printed, Playable([self.plan]), subject, (f"{subject.path}.*",))
        numbers = [move for move in moves if move.scope == OWN and move.lever is not None]
        harms: dict[float, Move] = {}
        for move in (numbers[place] for place in rng.permutation(len(numbers))):
            harms[abs(self.rates(self.play(move.ruleset, "look", LOOK))[at] - self.truth[at])] = move
            if max(harms) >= HARM:
                break
        chosen = harms[max(harms)]
        return chosen, with_overlay(self.printed, chosen.overlay, "planted")

    def looked_at(self, leader: str) -> tuple[str, ...]:
        """Return what may change: everything, or the leader's card and a draw of the values that are on no leader's card."""
        if self.among is None:
            return ("*",)
        own = f"{subject_of(self.printed, f'win rate of {leader}').path}.*"
        values = [each.name for each in levers(self.printed)] + [each.path for each in words_of(self.printed)]
        values = sorted({path for path in values if not path.startswith("leaders.")})
        drawn = np.random.default_rng([self.seed, self.leaders.index(leader), 1]).permutation(values)[: self.among]
        return (own, *map(str, drawn))

    def trial(self, leader: str, null: bool) -> dict[str, Any]:
        """Return what is advised for a leader with a planted number, or without one."""
        began, at = time.process_time(), self.leaders.index(leader)
        move, rules = (None, self.printed) if null else self.planted(leader)
        target = parse_target(f"win-rate:{leader}={100 * self.truth[at]:.1f}%", self.leaders, self.box)
        shares = dict(zip(self.leaders, self.truth.tolist(), strict=True))
        advice = balance(self.plan, rules, target, self.looked_at(leader), jobs=self.jobs, most=self.games, shares=shares)
        row: dict[str, Any] = {"box": self.box, "leader": leader, "planted": move.label if move else ""}
        row |= {"games": advice.played, "fresh": advice.fresh}
        row |= {"from": round(float(advice.rules["value"]), 3), "wanted": round(float(self.truth[at]), 3), "advice": ""}
        if advice.advised:
            best = advice.moves.iloc[0]
            changed = with_overlay(rules, advice.overlays[0], "advice")
            base = self.play(rules, "again", AGAIN)
            after = self.like(base, rules, changed)
            whole = whole_of(base, after, target, shares_of(target, base, shares))
            off = np.abs(self.rates(after) - self.truth)
            error = np.sqrt(self.truth * (1 - self.truth) / np.maximum(after[:, FIRST_LEADER:, 1].sum(axis=0), 1))
            near = np.delete(off <= MARGIN + 2 * error, at)
            row |= {"advice": f"{best['lever']}: {best['was']} → {best['value']}", "to": round(float(best["target_value"]), 3)}
            row |= {"number": bool(move and best["lever"] == move.path), "others_as_printed": bool(near.all())}
            row |= {"spoils": [name for name in whole.thrown if name in whole.beyond]}
        return row | {"seconds": round(time.process_time() - began)}


def summary(rows: list[dict[str, Any]]) -> list[str]:
    """Return the outcome in lines."""
    planted, nulls = [row for row in rows if row["planted"]], [row for row in rows if not row["planted"]]
    good = sum(bool(row["advice"]) and (row["number"] or row["others_as_printed"]) for row in planted)
    low, high = (100 * float(end) for end in wilson(good, max(1, len(planted))))
    spoilt = sum(bool(row.get("spoils")) for row in rows)
    return [
        f"planted: the number, or a change as good, is advised in {good} of {len(planted)} [{low:.0f}%, {high:.0f}%]",
        f"another leader thrown off beyond sharing: in {spoilt} of {len(rows)}",
        f"nothing planted: nothing advised in {sum(not row['advice'] for row in nulls)} of {len(nulls)}",
        f"{np.median([row['seconds'] for row in rows] or [0]):.0f} s of a processor a trial (median)",
    ]


@click.command()
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--way", default="planner", show_default=True)
@click.option("--all-games", "games", type=int, default=200_000, show_default=True, help="Of a trial.")
@click.option("--among", type=int, help="Besides the card, look at this many drawn values only [default: at all].")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the draws.")
@click.option("--seconds", type=float, help="Of a processor: after them no trial is begun.")
@click.option("--box", type=click.Choice([*names.BOXES, "both"]), default="both", show_default=True)
@click.option("--jobs", type=int, default=1, show_default=True)
def main(out: Path, way: str, games: int, among: int | None, seed: int, seconds: float | None, box: str, jobs: int) -> None:
    """Plant one number on each card, ask for advice, and count how often it is right."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / "trials.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    known = {(row["box"], row["leader"], not row["planted"]) for row in rows}
    missing = 0
    for name in names.BOXES if box == "both" else [box]:
        trials = Trials(name, way, games, among, seed, jobs, out)
        drawn = trials.leaders
        if name != names.BOXES[0]:
            drawn = [drawn[at] for at in np.random.default_rng(seed).permutation(len(drawn))[:DRAWN]]
        asked = [*((leader, False) for leader in drawn), *((leader, True) for own, leader in NULLS if own == name)]
        for leader, null in [each for each in asked if (name, *each) not in known]:
            if seconds is not None and time.process_time() > seconds:
                missing += 1
            else:
                rows.append(trials.trial(leader, null))
                with path.open("a", encoding="utf-8") as file:
                    file.write(f"{json.dumps(rows[-1], ensure_ascii=False)}\n")
                click.echo(json.dumps(rows[-1], ensure_ascii=False))
    click.echo("\n".join([*summary(rows), *([f"{missing} to play"] if missing else [])]))


if __name__ == "__main__":
    main()
