"""A course of training: play, fit the value, play with it, fit it again …, and judge it on games of its own.

The first games are played by planners that stray now and then; those of every later stage by adepts with the network of the
stage before, who stray, too, among some planners. Every stage fits a network to the games of all stages so far. What is
finished lies in a folder: a stopped course goes on from there, and the same settings give the same files.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import joblib
import numpy as np

from newdawn.analysis.contests import arena
from newdawn.analysis.learning import fit
from newdawn.simulator.errors import UserError
from newdawn.simulator.games.plan import Plan, available_leaders, make_plan
from newdawn.simulator.names import BOXES
from newdawn.strategies import network_files, profiles, registry
from newdawn.strategies.registry import Strategy

PIECE = 250  # games that are kept, or lost, together
REPORTED = 4  # one piece in so many is reported
STRAY = {"planner": 20, "adept": 8}  # percent of the turns
HELD_OUT = 10  # one game in so many is kept from the fit, to measure the loss
JUDGED = 2_000_003  # seeds of the judgement begin so far behind those of the training
LAMBDA = 0.7  # of a position's label: how much of it is who won, rather than what the network says a round later
SETTINGS = "settings.json"


@dataclass(frozen=True)
class Settings:
    """What decides, with the rules, what comes out of a course."""

    ruleset: str  # digest
    players: int
    games: int  # of each stage
    stages: int
    epochs: int
    seed: int


@dataclass(frozen=True)
class Games:
    """Positions to learn from: facts (n, seats, N_FACTS), share of the win (n, seats), and game, round and mover (n, 3)."""

    facts: np.ndarray
    shares: np.ndarray
    moments: np.ndarray

    @property
    def held_out(self) -> np.ndarray:
        """Which positions are of games kept from the fit."""
        return np.asarray(self.moments[:, 0] % HELD_OUT == 0)

    def only(self, chosen: np.ndarray) -> Games:
        """Return the chosen positions."""
        return Games(self.facts[chosen], self.shares[chosen], self.moments[chosen])


def joined(games: Iterable[Games]) -> Games:
    """Return the positions of all, one after the other."""
    each = list(games)
    parts = ([one.facts for one in each], [one.shares for one in each], [one.moments for one in each])
    return Games(*(np.concatenate(part) for part in parts))


class Course:
    """A course of training in a folder."""

    def __init__(self, r: Any, settings: Settings, folder: Path, jobs: int) -> None:
        self.r, self.settings, self.folder, self.jobs = r, settings, folder, jobs

    def begin(self) -> None:
        """Make the folder, or make sure that it holds this course; raise UserError if it does not."""
        path = self.folder / SETTINGS
        wanted = asdict(self.settings)
        if path.is_file():
            try:
                found = json.loads(path.read_text("utf-8"))
            except ValueError:
                raise UserError(f"{path}: not the settings of a training; choose another folder (--out)") from None
            if found != wanted:
                other = next((key for key in wanted if found.get(key) != wanted[key]), "settings")
                raise UserError(f"{self.folder}: holds a training with another {other}; choose another folder (--out)")
            return
        if self.folder.exists() and any(self.folder.iterdir()):
            raise UserError(f"{self.folder}: is not empty and holds no training; choose another folder (--out)")
        self.folder.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(wanted, indent=1) + "\n", "utf-8")

    def run(self, say: Callable[[str], None]) -> None:
        """Go through all stages; `say` is told how it gets on."""
        so_far: list[Games] = []
        for stage in range(self.settings.stages):
            words = f"stage {stage + 1}/{self.settings.stages}"

            def played(games: int, words: str = words) -> None:
                say(f"{words}: {games:,} games")

            def fitted(epoch: int, loss: float, words: str = words) -> None:
                say(f"{words}: epoch {epoch}, mean loss {loss:.4f}")

            so_far.append(self.play(stage, played))
            self.fit(stage, joined(so_far), fitted)

    def last_games(self) -> Games:
        """Return the positions of the last stage that were kept from the fit."""
        games = self.play(self.settings.stages - 1, lambda n: None)
        return games.only(games.held_out)

    # --- playing

    def player(self, stage: int) -> Strategy:
        """Return the adept with the network of a stage."""
        name = str(self.folder / "in_training")  # one place in the store, whatever the number of stages
        network_files.put(name, self.settings.players, network_files.read(self.network_file(stage))[0])
        profile = replace(profiles.resolve(profiles.find("adept")), network=name)
        return Strategy("adept", registry.ADEPT, "in training", own=registry.as_text(asdict(profile)))

    def plan(self, stage: int) -> Plan:
        """Return the games of a stage: planners at first, later adepts with a planner at every third seat."""
        planner = Strategy("planner", "newdawn.strategies.learned.ways:choose_stray", "in training", "planner")
        pool = [planner] if stage == 0 else [self.player(stage - 1), self.player(stage - 1), planner]
        return make_plan(
            players=self.settings.players, games=self.settings.games, seed=self.settings.seed + stage,
            available_leaders=available_leaders(self.r), box=BOXES[self.r.box], strategy_pool=pool,
        )  # fmt: skip

    def play(self, stage: int, report: Callable[[int], None]) -> Games:
        """Play the games of a stage, as far as they are not there yet, and return their positions."""
        plan = self.plan(stage)
        pieces = list(range(0, plan.games, PIECE))
        played = joblib.Parallel(n_jobs=self.jobs, backend="threading", return_as="generator")(
            joblib.delayed(self._piece)(plan, stage, first) for first in pieces
        )
        found = []
        for first, games in zip(pieces, played, strict=True):
            found.append(games)
            if first % (REPORTED * PIECE) == 0:
                report(min(plan.games, first + PIECE))
        return joined(found)

    def _piece(self, plan: Plan, stage: int, first: int) -> Games:
        from newdawn.analysis.learning.recorder import Recorder  # compiles the players

        path = self.folder / f"games_{stage}_{first:06d}.npz"
        if path.is_file():
            with np.load(path) as kept:
                return Games(kept["facts"].astype(np.float32), kept["shares"], kept["moments"])
        recorder = Recorder(plan, self.r, [STRAY[name] for name in plan.library()])
        facts, shares, moments = recorder.play(first, min(PIECE, plan.games - first), plan.players)
        kept_facts = facts.astype(np.float16)
        _write_whole(path, lambda file: np.savez(file, facts=kept_facts, shares=shares, moments=moments))
        return Games(kept_facts.astype(np.float32), shares, moments)

    # --- fitting

    def network_file(self, stage: int) -> Path:
        """Return where the network of a stage lies."""
        return self.folder / f"stage_{stage}_{self.settings.players}p.npz"

    def fit(self, stage: int, games: Games, report: Callable[[int, float], None]) -> np.record:
        """Fit the network of a stage to the positions, or read it if it is there.

        From the second stage on the labels are mixed with what the network of the stage before says a round later.
        """
        path = self.network_file(stage)
        if path.is_file():
            return network_files.read(path)[0]
        shares = games.shares
        if stage > 0:
            before = network_files.read(self.network_file(stage - 1))[0]
            shares = fit.mixed_labels(before, games.facts, shares, games.moments, LAMBDA)
        learn = ~games.held_out
        net = fit.fit(
            games.facts[learn], shares[learn], seed=self.settings.seed + stage, epochs=self.settings.epochs, report=report
        )
        about = asdict(self.settings) | {"stage": stage, "positions": int(learn.sum())}
        _write_whole(path, lambda file: network_files.write(file, net, about))
        return net

    def judge(self, stage: int, against: str, games: int) -> arena.Share:
        """Return what the adept of a stage wins against tables of another strategy, in games never trained on."""
        seed = self.settings.seed + JUDGED
        one, others, players = self.player(stage), registry.find(against), self.settings.players
        won = arena.meet(self.r, one, others, players=players, games=games, seed=seed, jobs=self.jobs)
        return arena.share(won)


def _write_whole(path: Path, write: Callable[[Any], None]) -> None:
    """Write a file under another name first: what has its name is whole."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    with unfinished.open("wb") as file:
        write(file)
    unfinished.replace(path)
