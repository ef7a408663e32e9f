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

from ...simulator import keeping, lock, names, ours, reading
from ...simulator.compile_cache import same_games, source_digest
from ...simulator.errors import UserError
from ...simulator.keeping import usable
from ...simulator.ours import write_whole
from ...simulator.runs.plan import Plan, plan_by
from ...strategies import network_files, profiles, registry
from ...strategies.registry import Strategy
from ..questions import arena
from ..tables.kept import render
from . import fit as learning_fit
from .fit import POSITIONS, STUDIES, Games, Lessons, gathered, save

if TYPE_CHECKING:
    from .fit import Recorder


# --- A course of training
#
# Play, fit the value, play with it, fit it again …, and judge it on games of its own.
#
# The first games are played by planners that stray now and then; those of every later stage by learners with the network of
# the stage before, who stray, too, among some planners. A course that goes on from a network (`start`) has learners from the
# first. Before some of their turns other ways to play these are studied (`strategies.training`). Every stage goes on
# from the network of the stage before and fits it to the games of the last three stages, and to the studies of the last two.
# What is finished lies in a folder: a stopped course goes on from there, and the same settings give the same files.

T = TypeVar("T")
PIECE = 50  # games that are kept, or lost, together
REPORTED = 20  # one piece in so many is reported
STRAY = {"planner": 20, registry.LEARNER.name: 8, "quick": 8}  # percent of the turns
JUDGED = 2_000_003  # seeds of the judgement begin so far behind those of the training
LAMBDA = 0.7  # of a position's label: how much of it is who won, rather than what the network says a round later
FIRST = 4  # times as many games in the first stage, which are quick
STUDIED = 3  # one turn in so many, but for the first stage
GAMES_KEPT = 3  # stages whose games a network is fitted to
STUDIES_KEPT = 2  # and whose studies
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
    start: str = ""  # digest of the network it goes on from; "": none
    lessons: int = 0  # games that a policy learns from (`teaching`)
    policy: str = ""  # digest of the policy it goes on from; "": none
    without: str = ""  # what the learners do without (planning/restrictions.py); planners among them play freely
    ahead: int = 0  # weights.SIMULATED_AHEAD of the players


EXAMPLE = Settings("", 0, 0, 0, 0, 0)  # of the kinds of its fields


class Course:
    """A course of training in a folder; `start` and `policy` are the files of the networks it goes on from."""

    def __init__(
        self, r: Any, settings: Settings, folder: Path, jobs: int, start: Path | None = None, policy: Path | None = None
    ) -> None:
        self.r, self.settings, self.folder, self.jobs, self.start, self.policy = r, settings, folder, jobs, start, policy
        self.in_training = str(folder / "in_training")  # one place in the store, whatever the number of stages

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the folder for this course, a new one or one in which it was begun; raise UserError if it is another's."""
        with ExitStack() as stack:
            with usable(self.folder):
                self.folder.mkdir(parents=True, exist_ok=True)
                stack.enter_context(ours.held(self.folder))
            self.begin()
            yield

    def begin(self) -> None:
        """Say in the folder which course it holds; raise UserError if that is another, of more lessons or another version."""
        path = self.folder / SETTINGS
        if not path.is_file():
            with usable(self.folder):
                if self.folder.exists() and any(one.name != lock.FILE for one in self.folder.iterdir()):
                    raise UserError(f"{self.folder}: is not empty and holds no training; choose another folder (--out)")
                self.folder.mkdir(parents=True, exist_ok=True)
                keeping.write(path, {"engine": source_digest(), "settings": asdict(self.settings)})
            return
        found, engine = _settings(path)
        more = found.lessons < self.settings.lessons and replace(found, lessons=self.settings.lessons) == self.settings
        if found != self.settings and not more:
            other = next(key for key, value in asdict(self.settings).items() if getattr(found, key) != value)
            raise UserError(f"{self.folder}: holds a training with another {other}; choose another folder (--out)")
        if not same_games(engine):
            raise UserError(
                f"{self.folder}: holds a training of another version of this program ({engine or 'not named'}; this is "
                f"{source_digest()}); finish it with that version, or choose another folder (--out)"
            )
        if more:  # the lessons there are count, too
            with usable(self.folder):
                keeping.write(path, {"engine": engine, "settings": asdict(self.settings)})

    @property
    def identity(self) -> str:
        """What the files of the course's games carry: a digest of its settings, but for how many lessons there are."""
        return keeping.digest_of(asdict(replace(self.settings, lessons=0)))[:16]

    def run(self, say: Callable[[str], None]) -> None:
        """Go through all stages; `say` is told how it gets on."""
        stages: list[list[Path]] = []
        for stage in range(self.settings.stages):
            words = f"stage {stage + 1}/{self.settings.stages}"

            def played(games: int, words: str = words) -> None:
                say(f"{words}: {games:,} games")

            def fitted(epoch: int, loss: float, words: str = words) -> None:
                say(f"{words}: epoch {epoch}, mean loss {loss:.4f}")

            stages.append(self.play(stage, played))
            self.fit(stage, stages, fitted)

    def last_games(self) -> Games:
        """Return the positions of the last stage that were kept from the fit."""
        return gathered(
            [(file, POSITIONS) for file in self.play(self.settings.stages - 1, lambda n: None)], held_out=True, of=self.identity
        )

    def knows(self, stage: int) -> bool:
        """Say whether the players of a stage have a network already."""
        return stage > 0 or self.start is not None

    # --- playing

    def player(self, stage: int) -> Strategy:
        """Return the player with the network of a stage."""
        network_files.put(self.in_training, self.settings.players, network_files.read(self.network_file(stage))[0])
        restrictions = [self.settings.without] if self.settings.without else []
        learner = registry.LEARNER.resolved()
        assert learner is not None
        profile = replace(learner, network=self.in_training, restrictions=restrictions)
        return Strategy(registry.LEARNER.name, registry.LEARNED, "in training", own=registry.as_text(asdict(profile)))

    def plan(self, stage: int) -> Plan:
        """Return the games of a stage: planners at first, later learners with a planner at every third seat."""
        planner = Strategy("planner", "newdawn.strategies.learned.ways:choose_stray", "in training", "planner")
        pool = [self.player(stage - 1), self.player(stage - 1), planner] if self.knows(stage) else [planner]
        games = self.settings.games * (1 if self.knows(stage) else FIRST)
        seed = self.settings.seed + stage
        return plan_by(self.r, players=self.settings.players, games=games, seed=seed, strategy_pool=pool)

    def play(self, stage: int, report: Callable[[int], None]) -> list[Path]:
        """Play the games of a stage, as far as they are not there yet; return the files of their positions (`gathered`)."""
        plan = self.plan(stage)
        return self.in_pieces(lambda first, n: self._piece(plan, stage, first, n), plan.games, report)

    def in_pieces(self, play: Callable[[int, int], T], games: int, report: Callable[[int], None]) -> list[T]:
        """Return what `play` returns of pieces of the games (first, number), in their order; some are reported."""
        pieces = [(first, min(PIECE, games - first)) for first in range(0, games, PIECE)]
        played = joblib.Parallel(n_jobs=self.jobs, backend="threading", return_as="generator")(
            joblib.delayed(play)(*piece) for piece in pieces
        )
        found = []
        for (first, n), piece in zip(pieces, played, strict=True):
            found.append(piece)
            if first % (REPORTED * PIECE) == 0:
                report(first + n)
        return found

    def _piece(self, plan: Plan, stage: int, first: int, n: int) -> Path:
        path = self.folder / f"games_{stage}_{first:06d}.npz"
        if not path.is_file():
            games, studies = self.record(plan, stage, first, n)
            save(path, games.small(), studies.small(), self.identity)
        return path

    def record(self, plan: Plan, stage: int, first: int, n: int) -> tuple[Games, Games]:
        """Play n games of a stage, whose plan it is, from game `first` on; return their positions, and those of studies."""
        return self.recorder(plan).play(first, n, plan.players, STUDIED if self.knows(stage) else 0)

    def recorder(self, plan: Plan) -> Recorder:
        """Return what plays the games of a plan for their positions."""
        from .fit import Recorder  # compiles the players

        stray, network = [STRAY.get(name, 0) for name in plan.library()], network_files.place(self.in_training)
        return Recorder(plan, self.r, stray, network, self.settings.ahead)

    # --- fitting

    def network_file(self, stage: int) -> Path:
        """Return where the network of a stage lies; that of stage -1 is the one the course goes on from."""
        if stage < 0:
            assert self.start is not None
            return self.start
        return self.folder / f"stage_{stage}_{self.settings.players}p.npz"

    def fit(self, stage: int, stages: Sequence[Sequence[Path]], report: Callable[[int, float], None]) -> np.record:
        """Fit the network of a stage to the files of the stages so far, or read it if it is there.

        Where there is a network before it, the labels of games are mixed with what that says a round later.
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

    def judge(self, stage: int, against: str, games: int) -> arena.Share:
        """Return what the player of a stage wins against tables of another strategy, in games never trained on."""
        seed = self.settings.seed + JUDGED
        one, others, players = self.player(stage), registry.find(against), self.settings.players
        won = arena.meet(self.r, one, others, players=players, games=games, seed=seed, jobs=self.jobs)
        return arena.share(won)


def digest_of(start: Path, kind: network_files.Kind = network_files.VALUE) -> str:
    """Return what settings keep of the file of a network to go on from; raise UserError if there is none in it."""
    network_files.read(start, kind)
    return hashlib.sha256(start.read_bytes()).hexdigest()[:16]


def read_settings(path: Path) -> Settings:
    """Read the settings of a training; raise UserError if the file holds none."""
    return _settings(path)[0]


def _settings(path: Path) -> tuple[Settings, str]:
    """Return the settings of a training and the version of the program that began it, "" if the file is too old to say."""
    what, again = "the settings of a training", "choose another folder (--out)"
    found = keeping.read(path, what, again, unsealed=True)
    with reading.plainly(path, what, again=again):
        settings = Settings(**found.get("settings", found))
        for name, value in asdict(settings).items():
            if type(value) is not type(getattr(EXAMPLE, name)):
                raise ValueError(f"{name}: {value!r} is not valid")
        return settings, str(found.get("engine", ""))


# --- The last part of a course of training
#
# Lessons by the network it came to, and the policy fitted to these.
#
# Players with the network, and with the policy that the course goes on from if there is one, play games among planners and
# archetypes; before one of so many turns each option of the choices that policies take is tried and played on
# (`strategies.training`). What is finished stays in the course's folder.

NAME = "quick"  # the strategy that plays by a policy, and the file of the policy
TAUGHT = 6  # one turn in so many
LEARNERS, PLANNERS = 8, 3  # entries of the pool that seats are drawn from; each archetype has one
SEEDS = 500_009  # the games of lessons begin so far behind those of the stages


def policy_file(course: Course) -> Path:
    """Return where the policy of a course lies."""
    return course.folder / f"{NAME}_{course.settings.players}p.npz"


def plan(course: Course) -> Plan:
    """Return the games of a finished course's lessons."""
    box = names.BOXES[course.r.box]
    archetypes = [one for one in registry.STRATEGIES if ".archetypes:" in one.function and one.box in ("", box)]
    planner = Strategy("planner", "newdawn.strategies.learned.ways:choose_stray", "in training", "planner")
    learner = course.player(course.settings.stages - 1) if course.policy is None else player(course)
    pool = [*[learner] * LEARNERS, *[planner] * PLANNERS, *archetypes]
    settings = course.settings
    seed = settings.seed + SEEDS
    return plan_by(course.r, players=settings.players, games=settings.lessons, seed=seed, strategy_pool=pool)


def teach(course: Course, report: Callable[[int], None]) -> list[Path]:
    """Play the games of a finished course's lessons, as far as they are not there yet; return their files."""
    games = plan(course)

    def piece(first: int, n: int) -> Path:
        part = "" if n == PIECE else f"_{n}"  # a course of more lessons plays the piece anew
        path = course.folder / f"lessons_{first:06d}{part}.npz"
        if not path.is_file():
            learning_fit.save_turns(path, course.recorder(games).teach(first, n, TAUGHT), course.identity)
        return path

    return course.in_pieces(piece, games.games, report)


def fit(course: Course, lessons: Lessons, report: Callable[[int, float], None]) -> np.record:
    """Fit the policy of a course to its lessons, or read it if it is there."""
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


def run(course: Course, say: Callable[[str], None]) -> Lessons:
    """Play the lessons of a finished course and fit its policy; return the lessons that were kept from the fit."""
    files = teach(course, lambda games: say(f"lessons: {games:,} games"))
    lessons = learning_fit.lessons_of([learning_fit.load_turns(file, course.identity) for file in files])
    fit(course, lessons, lambda epoch, loss: say(f"policy: epoch {epoch}, mean loss {loss:.4f}"))
    return lessons.only(lessons.held_out)


def gain(course: Course, lessons: Lessons) -> tuple[float, float, int]:
    """Return by how much more the policy's cards lead to a win than the planner's, its standard error, and the turns."""
    cards = lessons.only(lessons.marks[:, 0, 0] != 0)
    found = learning_fit.gains(network_files.read(policy_file(course), network_files.POLICY)[0], cards)
    return float(found.mean()), float(found.std(ddof=1) / np.sqrt(len(found))), len(found)


def player(course: Course, name: str = NAME) -> Strategy:
    """Return the player of that name with the value and the policy that a course came to, or goes on from."""
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


def judge(course: Course, against: str, games: int, name: str = NAME) -> arena.Share:
    """Return what a player with a course's policy wins against tables of another strategy, in games never trained on."""
    settings = course.settings
    won = arena.meet(
        course.r, player(course, name), registry.find(against), players=settings.players, games=games,
        seed=settings.seed + JUDGED, jobs=course.jobs,
    )  # fmt: skip
    return arena.share(won)


# --- What a course of training leaves behind
#
# A profile, tables and a picture of how good the chances are, a judgement.

LEARNER_NAME = registry.LEARNER.name
BY_POLICY = (NAME, "adept")  # who plays by value and policy


def finish(course: Course, games: int, say: Callable[[str], None]) -> Iterator[str]:
    """Write the files of a finished course, judge it by so many games, and yield what is to be said, line by line.

    A policy comes last, if the course has lessons; `say` is told how that gets on.
    """
    players, last = course.settings.players, course.settings.stages - 1
    net, about = network_files.read(course.network_file(last))
    path = course.folder / f"{LEARNER_NAME}_{players}p.npz"
    network_files.write(path, net, about)
    if course.settings.stages:
        seen = course.last_games()
        losses = keep_chances(net, seen, course.folder)
        yield f"log loss on {len(seen.shares):,} positions of held-out games:"
        yield render(losses, "table")
        yield from _profile(course, LEARNER_NAME, {}, course.judge(last, "planner", games))
    if course.settings.lessons:
        kept = run(course, say)
        more, error, turns = gain(course, kept)
        found = f"{more:+.2%} (standard error {error:.2%}, {turns:,} turns)"
        yield f"policy: by how much more often its cards lead to a win than the planner's: {found}"
        for name in BY_POLICY:
            share = judge(course, "planner", games, name)
            yield from _profile(course, name, {"policy": f"./{NAME}"}, share)


def _profile(course: Course, name: str, more: Mapping[str, str], share: arena.Share) -> Iterator[str]:
    """Write the profile of a player that a course has made, and yield how good it is and where it lies."""
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


def keep_chances(net: np.record, seen: Games, folder: Path) -> pd.DataFrame:
    """Write how good a network's chances are on these positions: loss.csv, calibration.csv and .png; return the losses."""
    rounds = seen.moments[:, 1]
    losses = learning_fit.loss_by_round(net, seen.facts, seen.shares, rounds)
    calibration = learning_fit.calibration(net, seen.facts, seen.shares, rounds)
    for name, frame in (("loss", losses), ("calibration", calibration)):
        write_whole(folder / f"{name}.csv", frame.to_csv(index=False, lineterminator="\n").encode())
    _draw(calibration, folder / "calibration.png")
    return losses


def _draw(calibration: pd.DataFrame, path: Path) -> None:
    """Draw how often seats won that were given such a chance (`fit.calibration`) into a file."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    from ..pages.plots import plot_calibration

    figure, ax = plt.subplots(figsize=(5, 5))
    plot_calibration(calibration, ax)
    drawn = io.BytesIO()
    figure.savefig(drawn, dpi=120, bbox_inches="tight")
    plt.close(figure)
    write_whole(path, drawn.getvalue())
