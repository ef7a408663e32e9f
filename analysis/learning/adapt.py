"""Adapting players to rules: what a learned player has learned goes on learning under these rules, by self-play and studies.

Its network goes through the stages of a course (`analysis.learning.course`) under the rules: learners with it play, among some
planners, some of their turns are studied, it is fitted on to that, and so again with the games of the stage before mixed in.
Where the player has a policy, as many games of lessons by the network it came to follow (`analysis.learning.course`), and
the policy is fitted on to these. How long is a number of games a stage, or minutes: these are turned into a number of games by
the speed of a few, once; the number stays with the course, so that the same number gives the same networks again.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import joblib

from ...simulator import names
from ...simulator.errors import UserError
from ...strategies import network_files, profiles, registry
from ...strategies.registry import Strategy
from ..questions import arena
from ..questions.restrict import FREE, restrict
from . import course as courses
from .course import Course, Settings, read_settings

STAGES, EPOCHS = 2, 2
LEAST = 20  # games of a stage: fewer leave nothing to measure the fit by
TIMED = 10  # games a thread plays to tell how many there is time for
PLAYING = 0.85  # of the minutes go into games, the rest into fits
NAME = "adapted"  # of networks, and what the names of adapted strategies begin with
APART = 1_000_003  # seeds of the training begin so far behind those of the comparison it is for
JUDGED = 400  # games in which adapted players meet those that are not


Learned = tuple[str, str | None]  # the network and the policy that a strategy plays with


@dataclass(frozen=True)
class Budget:
    """How long players adapt to a ruleset: so many games a stage, or as many as there is time for in so many minutes."""

    minutes: float = 5.0
    games: int | None = None

    @property
    def words(self) -> str:
        """Return the budget as part of a folder's name."""
        return f"{self.minutes:g}min" if self.games is None else f"{self.games}games"


def learned(strategy: Strategy) -> Learned | None:
    """Return the network and the policy that a strategy plays with; None if it has learned nothing that could be trained."""
    profile = strategy.resolved()
    return None if profile is None or profile.network is None else (profile.network, profile.policy)


def learners() -> list[str]:
    """Return the names of the strategies of the package that can adapt."""
    return [strategy.name for strategy in registry.STRATEGIES if learned(strategy) is not None]


def learned_by(strategies: Iterable[Strategy], option: str = "--strategies") -> list[Learned]:
    """Return what the strategies have learned, each once; raise UserError if none of them can adapt.

    `option` names strategies on the command line.
    """
    named = list(strategies)
    found = list(dict.fromkeys(one for strategy in named if (one := learned(strategy)) is not None))
    if found:
        return found
    names, known = ", ".join(dict.fromkeys(one.name for one in named)), learners()
    raise UserError(
        f"{names} has nothing to train; expected a strategy with a value network, such as {known[0]} "
        f"({option} {known[0]}), {', '.join(known[1:])}, or a profile of your own that names one"
    )


def course_of(
    ruleset: Any, known: Learned, budget: Budget, folder: Path, *, players: int, seed: int, jobs: int, games: int | None = None,
    without: str = "",
) -> Course:  # fmt: skip
    """Return the course, begun or to be gone on with, in which what is known adapts to a ruleset; it has a folder in `folder`.

    `games`: what the minutes of the budget have come to for the other side; both should have learned as long. `without`: a
    restriction that it learns to do with, too.
    `seed` is that of the comparison; the training's games have others. Raises UserError if there is no such network.
    """
    r = ruleset.compile()
    network, policy = (None if one is None else network_files.in_box(one, names.BOXES[r.box]) for one in known)
    start = network_files.file_of(str(network), players)
    digest = courses.digest_of(start)
    taught, taught_digest = None, ""
    if policy is not None:
        taught = network_files.file_of(policy, players, network_files.POLICY)
        taught_digest = courses.digest_of(taught, network_files.POLICY)
    called = Path(str(network)).name + (f"-policy-{Path(policy).name}" if policy else "")
    missing = f"-without-{plain(without)}" if without else ""
    name = f"{plain(ruleset.name)}-{ruleset.digest()[:8]}-{called}-{players}p-seed{seed}-{budget.words}{missing}"
    place = (folder / name).resolve()

    def course(games: int) -> Course:
        settings = Settings(
            ruleset.digest(), players, games, STAGES, EPOCHS, seed + APART, digest, games if policy else 0,
            taught_digest, without,
        )  # fmt: skip
        return Course(r, settings, place, jobs, start, taught)

    if budget.games is not None:
        return course(budget.games)
    if (place / courses.SETTINGS).is_file():
        return course(read_settings(place / courses.SETTINGS).games)
    if games is not None:
        return course(games)
    parts = STAGES + (policy is not None)
    return course(max(LEAST, int(60 * budget.minutes * PLAYING / parts * speed(course(TIMED * jobs), jobs))))


def plain(name: str) -> str:
    """Return a name as part of a folder's."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]


def speed(course: Course, jobs: int) -> float:
    """Return the games a second of a course's first stage, studies included, on so many threads."""
    plan = course.plan(0)
    course.record(plan, 0, 0, 1)  # compiles the players
    began = time.monotonic()
    threads = joblib.Parallel(n_jobs=jobs, backend="threading")
    threads(joblib.delayed(course.record)(plan, 0, k * TIMED, TIMED) for k in range(jobs))
    return TIMED * jobs / (time.monotonic() - began)


def train(course: Course, say: Callable[[str], None]) -> Path:
    """Go through a course, or on with it, lessons included, and return the file of the network that it comes to."""
    with course.held():
        course.run(say)
        if course.settings.lessons:
            courses.run(course, say)
        last = course.network_file(course.settings.stages - 1)
        net, about = network_files.read(last)
        path = network_files.file_of(str(course.folder / NAME), course.settings.players)
        network_files.write(path, net, about)
    return path


def adapted(strategy: Strategy, trained: Mapping[Learned, Course]) -> Strategy:
    """Return the strategy with what its own network and policy have become in a course; one that has none as it is.

    Its profile lies beside the networks, so that it can be played by name.
    """
    known, profile = learned(strategy), strategy.resolved()
    if known is None or profile is None:
        return strategy
    course = trained[known]
    path = course.folder / f"{NAME}_{Path(strategy.name).stem}.yaml"
    tuned = {"ruleset": course.settings.ruleset, "games": course.settings.games, "seed": course.settings.seed}
    policy = f"./{courses.NAME}" if profile.policy else None
    profiles.write(path, replace(profile, network=f"./{NAME}", policy=policy), tuned)
    return registry.find(str(path))


def trained_without(
    ruleset: Any, one: Strategy, names: Sequence[str], budget: Budget, folder: Path, *, players: int, seed: int, jobs: int,
    say: Callable[[str], None],
) -> dict[str, Strategy]:  # fmt: skip
    """Return the player with each of the restrictions, its network trained for that; FREE among them: trained without any.

    All are trained on as many games: what the minutes of the budget come to for the first of them.
    """
    (known,) = learned_by([one], "--player")
    found: dict[str, Strategy] = {}
    games = None
    for name in names:
        words = f"without {name}" if name != FREE else "without a restriction"
        course = course_of(ruleset, known, budget, folder, players=players, seed=seed, jobs=jobs, games=games, without=name)
        games = course.settings.games
        train(course, partial(_told, say, words))
        found[name] = restrict(adapted(one, {known: course}), [name] if name != FREE else [])
    return found


def _told(say: Callable[[str], None], words: str, text: str) -> None:
    say(f"training {words}: {text}")


def judge(course: Course, strategies: Sequence[Strategy], trained: Mapping[Learned, Course], games: int) -> arena.Share:
    """Return what the first learned strategy, adapted, wins against tables of itself as it was, under the course's rules."""
    one = next(strategy for strategy in strategies if learned(strategy) in trained)
    won = arena.meet(
        course.r, adapted(one, trained), one, players=course.settings.players, games=games,
        seed=course.settings.seed + courses.JUDGED, jobs=course.jobs,
    )  # fmt: skip
    return arena.share(won)
