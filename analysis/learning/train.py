"""A training from beginning to end: stages of games and fits, lessons, the networks and profiles it leaves."""

from __future__ import annotations

import hashlib
import io
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import joblib
import numpy as np
import pandas as pd
import yaml

from ...simulator import file_ownership, kept_files, names, reading
from ...simulator.compile_cache import same_games, source_digest
from ...simulator.errors import UserError, with_sign
from ...simulator.file_ownership import write_whole
from ...simulator.kept_files import usable
from ...simulator.runs.run_plan import Plan, plan_by
from ...strategies import network_files, profiles, registry
from ...strategies.registry import Strategy
from ..questions import ladder
from ..stats.rates import WinShare
from ..tables.rendering import render
from . import fit as learning_fit
from .fit import POSITIONS, STUDIES, Lessons, RecordedGames, gathered, save

if TYPE_CHECKING:
    from .fit import Recorder


# --- A course of training: play, fit the value network, play with it, fit it again …, and judge it on games of its own
#
# Planners that sometimes stray play the games of the first stage; learners with the last network, who stray too, and some
# planners those of later stages, or of all if the course begins with a network (`start`). Before some of the learners' turns
# other ways to play them are studied (`strategies.training_data`). Every stage fits the last network to the games of the last
# three stages and the studies of the last two. Finished pieces stay in a folder: a stopped course continues there, and the
# same settings give the same files.

T = TypeVar("T")
PIECE = 50  # games of a file
REPORTED = 20  # one piece in this many is reported
STRAY = {"planner": 20, registry.LEARNER.name: 8, "quick": 8}  # percent of the turns
JUDGED = 2_000_003  # from the seeds of the training to those of the judgement
LAMBDA = 0.7  # share of who won in a position's label; the rest is the network's value a round later
FIRST = 4  # times as many games in the first stage, where games are fast
STUDIED = 3  # one turn in this many is studied, from the second stage on
GAMES_KEPT = 3  # stages whose games a network is fitted to
STUDIES_KEPT = 2  # stages whose studies a network is fitted to
SETTINGS = "settings.json"


@dataclass(frozen=True)
class TrainingSettings:
    """The settings that determine, with the rules, the networks of a course."""

    ruleset: str  # digest
    players: int
    games: int  # of each stage
    stages: int
    epochs: int
    seed: int
    start: str = ""  # digest of the network it starts from; "": none
    lessons: int = 0  # games that a policy learns from (`teaching`)
    policy: str = ""  # digest of the policy it starts from; "": none
    without: str = ""  # restriction of the learners (planning/restrictions.py), not of planners
    ahead: int = 0  # weights.SIMULATED_AHEAD of the players


EXAMPLE = TrainingSettings("", 0, 0, 0, 0, 0)  # gives the types of the fields


class Training:
    """A course of training in a folder; `start` and `policy` are the files of the networks it starts from."""

    def __init__(
        self, r: Any, settings: TrainingSettings, folder: Path, jobs: int, start: Path | None = None, policy: Path | None = None
    ) -> None:
        self.r, self.settings, self.folder, self.jobs, self.start, self.policy = r, settings, folder, jobs, start, policy
        self.in_training = str(folder / "in_training")  # the networks' name in the store, the same in all stages

    @contextmanager
    def held(self) -> Iterator[None]:
        """Lock the folder of this course, new or begun; raise UserError if it holds anything else."""
        with ExitStack() as stack:
            with usable(self.folder):
                stack.enter_context(file_ownership.opened(self.folder, SETTINGS, "training", "one of the same training"))
            self.begin()
            yield

    def begin(self) -> None:
        """Write the settings into the folder; raise UserError for a course with other settings or of another version."""
        path = self.folder / SETTINGS
        if not path.is_file():
            with usable(self.folder):
                self.folder.mkdir(parents=True, exist_ok=True)
                kept_files.write(path, {"engine": source_digest(), "settings": asdict(self.settings)})
            return
        settings, engine = _settings(path)
        more = settings.lessons < self.settings.lessons and replace(settings, lessons=self.settings.lessons) == self.settings
        if settings != self.settings and not more:
            differing = next(key for key, value in asdict(self.settings).items() if getattr(settings, key) != value)
            raise UserError(f"{self.folder}: holds a training with another {differing}; choose another folder (--out)")
        if not same_games(engine):
            raise UserError(
                f"{self.folder}: holds a training of another version of this program ({engine or 'not named'}; this is "
                f"{source_digest()}); finish it with that version, or choose another folder (--out)"
            )
        if more:  # the finished lessons stay
            with usable(self.folder):
                kept_files.write(path, {"engine": engine, "settings": asdict(self.settings)})

    @property
    def identity(self) -> str:
        """The mark in the files of the course's games: a digest of its settings without the number of lessons."""
        return kept_files.digest_of(asdict(replace(self.settings, lessons=0)))[:16]

    def run(self, say: Callable[[str], None]) -> None:
        """Run all stages; `say` gets lines about the progress."""
        stages: list[list[Path]] = []
        for stage in range(self.settings.stages):
            title = f"stage {stage + 1}/{self.settings.stages}"

            def played(games: int, title: str = title) -> None:
                say(f"{title}: {games:,} games")

            def fitted(epoch: int, loss: float, title: str = title) -> None:
                say(f"{title}: epoch {epoch}, mean loss {loss:.4f}")

            stages.append(self.play(stage, played))
            self.fit(stage, stages, fitted)

    def last_games(self) -> RecordedGames:
        """Return the positions of the last stage's held-out games."""
        return gathered(
            [(file, POSITIONS) for file in self.play(self.settings.stages - 1, lambda n: None)], held_out=True, of=self.identity
        )

    def knows(self, stage: int) -> bool:
        """Return whether the players of a stage have a network."""
        return stage > 0 or self.start is not None

    # --- Playing

    def player(self, stage: int) -> Strategy:
        """Return the player with the network of a stage."""
        network_files.put(self.in_training, self.settings.players, network_files.read(self.network_file(stage))[0])
        restrictions = [self.settings.without] if self.settings.without else []
        learner = registry.LEARNER.resolved()
        assert learner is not None
        profile = replace(learner, network=self.in_training, restrictions=restrictions)
        return Strategy(registry.LEARNER.name, registry.LEARNED, "in training", own=registry.as_text(asdict(profile)))

    def plan(self, stage: int) -> Plan:
        """Return the plan of a stage's games: planners at first, later learners with a planner at every third seat."""
        planner = Strategy("planner", "newdawn.strategies.learned.candidate_turns:choose_stray", "in training", "planner")
        pool = [self.player(stage - 1), self.player(stage - 1), planner] if self.knows(stage) else [planner]
        games = self.settings.games * (1 if self.knows(stage) else FIRST)
        seed = self.settings.seed + stage
        return plan_by(self.r, players=self.settings.players, games=games, seed=seed, strategy_pool=pool)

    def play(self, stage: int, report: Callable[[int], None]) -> list[Path]:
        """Play the missing games of a stage; return the files of all its positions (`gathered`)."""
        plan = self.plan(stage)

        def piece(first: int, n: int) -> Path:
            path = self.folder / f"games_{stage}_{first:06d}.npz"
            if not path.is_file():
                games, studies = self.record(plan, stage, first, n)
                save(path, games.small(), studies.small(), self.identity)
            return path

        return self.in_pieces(piece, plan.games, report)

    def in_pieces(self, play: Callable[[int, int], T], games: int, report: Callable[[int], None]) -> list[T]:
        """Return the results of `play` for pieces of the games (first, number), in order; some pieces are reported."""
        pieces = [(first, min(PIECE, games - first)) for first in range(0, games, PIECE)]
        played = joblib.Parallel(n_jobs=self.jobs, backend="threading", return_as="generator")(
            joblib.delayed(play)(*piece) for piece in pieces
        )
        results = []
        for (first, n), piece in zip(pieces, played, strict=True):
            results.append(piece)
            if first % (REPORTED * PIECE) == 0:
                report(first + n)
        return results

    def record(self, plan: Plan, stage: int, first: int, n: int) -> tuple[RecordedGames, RecordedGames]:
        """Play n games of a stage's plan from game `first` on; return their positions, and those of studies."""
        return self.recorder(plan).play(first, n, plan.players, STUDIED if self.knows(stage) else 0)

    def recorder(self, plan: Plan) -> Recorder:
        """Return the recorder of a plan's games."""
        from .fit import Recorder  # compiles the players

        stray, network = [STRAY.get(name, 0) for name in plan.library()], network_files.place(self.in_training)
        return Recorder(plan, self.r, stray, network, self.settings.ahead)

    # --- Fitting

    def network_file(self, stage: int) -> Path:
        """Return the file of a stage's network; of stage -1 the network that the course begins with."""
        if stage < 0:
            assert self.start is not None
            return self.start
        return self.folder / f"stage_{stage}_{self.settings.players}p.npz"

    def fit(self, stage: int, stages: Sequence[Sequence[Path]], report: Callable[[int, float], None]) -> np.record:
        """Return the network of a stage, fitted to the files of the stages so far, or read if it is finished.

        The labels of games are mixed with the value a round later by the network before it, if there is one.
        """
        path = self.network_file(stage)
        if path.is_file():
            return network_files.read(path)[0]
        games = [(file, POSITIONS) for files in stages[-GAMES_KEPT:] for file in files]
        learn = gathered([*games, *((file, STUDIES) for files in stages[-STUDIES_KEPT:] for file in files)], of=self.identity)
        before = None
        if self.knows(stage):
            before = network_files.read(self.network_file(stage - 1))[0]
            played = gathered(games, of=self.identity)
            learn.shares[: len(played.shares)] = learning_fit.mixed_labels(
                before, played.facts, played.shares, played.moments, LAMBDA
            )
            del played
        net = learning_fit.fit(
            learn.facts, learn.shares, learn.moments, seed=self.settings.seed + stage, epochs=self.settings.epochs,
            start=before, report=report,
        )  # fmt: skip
        about = asdict(self.settings) | {"stage": stage, "positions": len(learn.shares)}
        network_files.write(path, net, about)
        return net

    def judge(self, stage: int, against: str, games: int) -> WinShare:
        """Return the win share of the player of a stage against tables of another strategy, in games not trained on."""
        seed = self.settings.seed + JUDGED
        player, others, players = self.player(stage), registry.find(against), self.settings.players
        won = ladder.meet(self.r, player, others, players=players, games=games, seed=seed, jobs=self.jobs)
        return ladder.share(won)


def digest_of(start: Path, kind: network_files.Kind = network_files.VALUE) -> str:
    """Return the digest of a network's file for settings; raise UserError if it holds no network."""
    network_files.read(start, kind)
    return hashlib.sha256(start.read_bytes()).hexdigest()[:16]


def read_settings(path: Path) -> TrainingSettings:
    """Read the settings of a training; raise UserError if the file holds none."""
    return _settings(path)[0]


def _settings(path: Path) -> tuple[TrainingSettings, str]:
    """Return the settings of a training and the digest of the engine it was begun with, "" in old files."""
    expected, again = "the settings of a training", "choose another folder (--out)"
    data = kept_files.read(path, expected, again, unsealed=True)
    with reading.plainly(path, expected, again=again):
        settings = TrainingSettings(**data.get("settings", data))
        for name, value in asdict(settings).items():
            if type(value) is not type(getattr(EXAMPLE, name)):
                raise ValueError(f"{name}: {value!r} is not valid")
        return settings, str(data.get("engine", ""))


# --- Lessons with the last network of a course, and the policy fitted to them
#
# Players with the network, and with the policy that the course begins with if any, play among planners and archetypes; before
# some turns each option of the choices of policies is tried and played on (`strategies.training_data`).

NAME = "quick"  # the strategy that plays by a policy, and the file of the policy
TAUGHT = 6  # one turn in this many is a lesson
LEARNERS, PLANNERS = 8, 3  # entries in the pool of strategies; each archetype has one
SEEDS = 500_009  # from the seeds of the stages to those of lessons


def policy_file(course: Training) -> Path:
    """Return the file of a course's policy."""
    return course.folder / f"{NAME}_{course.settings.players}p.npz"


def plan(course: Training) -> Plan:
    """Return the plan of the lessons of a finished course."""
    box = names.BOXES[course.r.box]
    archetypes = [
        strategy for strategy in registry.STRATEGIES if ".archetypes:" in strategy.function and strategy.box in ("", box)
    ]
    planner = Strategy("planner", "newdawn.strategies.learned.candidate_turns:choose_stray", "in training", "planner")
    learner = course.player(course.settings.stages - 1) if course.policy is None else player(course)
    pool = [*[learner] * LEARNERS, *[planner] * PLANNERS, *archetypes]
    settings = course.settings
    seed = settings.seed + SEEDS
    return plan_by(course.r, players=settings.players, games=settings.lessons, seed=seed, strategy_pool=pool)


def teach(course: Training, report: Callable[[int], None]) -> list[Path]:
    """Play the missing games of a finished course's lessons; return the files of all."""
    games = plan(course)

    def piece(first: int, n: int) -> Path:
        part = "" if n == PIECE else f"_{n}"  # a course of more lessons plays the piece anew
        path = course.folder / f"lessons_{first:06d}{part}.npz"
        if not path.is_file():
            learning_fit.save_turns(path, course.recorder(games).teach(first, n, TAUGHT), course.identity)
        return path

    return course.in_pieces(piece, games.games, report)


def fit(course: Training, lessons: Lessons, report: Callable[[int, float], None]) -> np.record:
    """Return the policy of a course, fitted to its lessons, or read if it is finished."""
    path = policy_file(course)
    if path.is_file():
        policy, about = network_files.read(path, network_files.POLICY)
        if about.get("lessons") == course.settings.lessons:
            return policy
    before = None if course.policy is None else network_files.read(course.policy, network_files.POLICY)[0]
    policy = learning_fit.fit_policy(lessons.only(~lessons.held_out), seed=course.settings.seed, start=before, report=report)
    about = asdict(course.settings) | {"choices": len(lessons.turn)}
    network_files.write(path, policy, about, network_files.POLICY)
    return policy


def run(course: Training, say: Callable[[str], None]) -> Lessons:
    """Play the lessons of a finished course and fit its policy; return the held-out lessons."""
    files = teach(course, lambda games: say(f"lessons: {games:,} games"))
    lessons = learning_fit.lessons_of([learning_fit.load_turns(file, course.identity) for file in files])
    fit(course, lessons, lambda epoch, loss: say(f"policy: epoch {epoch}, mean loss {loss:.4f}"))
    return lessons.only(lessons.held_out)


def gain(course: Training, lessons: Lessons) -> tuple[float, float, int]:
    """Return how much the policy's cards raise the chance to win over the planner's, the standard error, and n."""
    cards = lessons.only(lessons.marks[:, 0, 0] != 0)
    gains = learning_fit.gains(network_files.read(policy_file(course), network_files.POLICY)[0], cards)
    return float(gains.mean()), float(gains.std(ddof=1) / np.sqrt(len(gains))), len(gains)


def player(course: Training, name: str = NAME) -> Strategy:
    """Return the player of that name with the last network of a course, and its policy or the one it began with."""
    players, last = course.settings.players, course.settings.stages - 1
    network_files.put(course.in_training, players, network_files.read(course.network_file(last))[0])
    file = policy_file(course)
    if not file.is_file():
        assert course.policy is not None
        file = course.policy
    policy = network_files.read(file, network_files.POLICY)[0]
    network_files.put(course.in_training, players, policy, network_files.POLICY)
    profile = replace(profiles.resolve(profiles.find(name)), network=course.in_training, policy=course.in_training)
    return Strategy(name, registry.LEARNED, "in training", own=registry.as_text(asdict(profile)))


def judge(course: Training, against: str, games: int, name: str = NAME) -> WinShare:
    """Return the win share of a player with a course's policy against tables of another strategy, in games not trained on."""
    settings = course.settings
    won = ladder.meet(
        course.r, player(course, name), registry.find(against), players=settings.players, games=games,
        seed=settings.seed + JUDGED, jobs=course.jobs,
    )  # fmt: skip
    return ladder.share(won)


# --- The files of a finished course: profile, tables and a picture of the calibration of its chances, judgement

LEARNER_NAME = registry.LEARNER.name
BY_POLICY = (NAME, "adept")  # players with value and policy


def finish(course: Training, games: int, say: Callable[[str], None]) -> Iterator[str]:
    """Write the files of a finished course, judge it by this many games, and yield lines about it.

    A course with lessons then fits its policy; `say` gets lines about the progress.
    """
    players, last = course.settings.players, course.settings.stages - 1
    net, about = network_files.read(course.network_file(last))
    path = course.folder / f"{LEARNER_NAME}_{players}p.npz"
    network_files.write(path, net, about)
    if course.settings.stages:
        games_held_out = course.last_games()
        losses = keep_chances(net, games_held_out, course.folder)
        yield f"log loss on {len(games_held_out.shares):,} positions of held-out games:"
        yield render(losses, "table")
        yield from _profile(course, LEARNER_NAME, {}, course.judge(last, "planner", games))
    if course.settings.lessons:
        held_out = run(course, say)
        more, error, turns = gain(course, held_out)
        figures = f"{with_sign(100 * more, 2)}% (standard error {error:.2%}, {turns:,} turns)"
        yield f"policy: by how much more often its cards lead to a win than the planner's: {figures}"
        for name in BY_POLICY:
            share = judge(course, "planner", games, name)
            yield from _profile(course, name, {"policy": f"./{NAME}"}, share)


def _profile(course: Training, name: str, more: Mapping[str, str], share: WinShare) -> Iterator[str]:
    """Write the profile of a player of a course, and yield lines with its win share and its file."""
    players = course.settings.players
    low, high = share.interval()
    yield f"{name} against {players - 1} x planner: {share.share:.1%} [{low:.1%}, {high:.1%}], n = {share.n:,}"
    profile = {
        "description": f"{name}, trained for {players} players",
        "like": name,
        "network": f"./{LEARNER_NAME}",
        **more,
    } | {
        "tuned": {
            "command": shlex.join(["newdawn", *sys.argv[1:]]),
            "ruleset": course.settings.ruleset,
            "against_planners": f"{share.share:.4f}, standard error {share.error:.4f}, n = {share.n}",
        },
    }
    written = course.folder / f"my_{name}.yaml"
    write_whole(written, yaml.safe_dump(profile, sort_keys=False, width=120).encode())
    yield f"profile: {written}"


def keep_chances(net: np.record, positions: RecordedGames, folder: Path) -> pd.DataFrame:
    """Write the quality of a network's chances on these positions: loss.csv, calibration.csv and .png; return the losses."""
    rounds = positions.moments[:, 1]
    losses = learning_fit.loss_by_round(net, positions.facts, positions.shares, rounds)
    calibration = learning_fit.calibration(net, positions.facts, positions.shares, rounds)
    for name, frame in (("loss", losses), ("calibration", calibration)):
        write_whole(folder / f"{name}.csv", frame.to_csv(index=False, lineterminator="\n").encode())
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    from ..pages.plots import plot_calibration

    figure, ax = plt.subplots(figsize=(5, 5))
    plot_calibration(calibration, ax)
    png = io.BytesIO()
    figure.savefig(png, dpi=120, bbox_inches="tight")
    plt.close(figure)
    write_whole(folder / "calibration.png", png.getvalue())
    return losses
