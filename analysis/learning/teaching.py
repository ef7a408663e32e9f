"""The last part of a course of training: lessons by the network it came to, and the policy fitted to these.

Players with the network, and with the policy that the course goes on from if there is one, play games among planners and
archetypes; before one of so many turns each option of the choices that policies take is tried and played on
(`strategies.training.lessons`). What is finished stays in the course's folder.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from ...simulator import names
from ...simulator.games.plan import Plan, plan_by
from ...strategies import network_files, profiles, registry
from ...strategies.registry import Strategy
from ..contests import arena
from . import distil
from .course import JUDGED, PIECE, Course
from .distil import Lessons

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
    archetypes = [one for one in registry.STRATEGIES if ".archetypes." in one.function and one.box in ("", box)]
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
            distil.save(path, course.recorder(games).teach(first, n, TAUGHT), course.identity)
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
    policy = distil.fit(lessons.only(~lessons.held_out), seed=course.settings.seed, start=before, report=report)
    about = asdict(course.settings) | {"choices": len(lessons.turn)}
    network_files.write(path, policy, about, network_files.POLICY)
    return policy


def run(course: Course, say: Callable[[str], None]) -> Lessons:
    """Play the lessons of a finished course and fit its policy; return the lessons that were kept from the fit."""
    files = teach(course, lambda games: say(f"lessons: {games:,} games"))
    lessons = distil.lessons_of([distil.load(file, course.identity) for file in files])
    fit(course, lessons, lambda epoch, loss: say(f"policy: epoch {epoch}, mean loss {loss:.4f}"))
    return lessons.only(lessons.held_out)


def gain(course: Course, lessons: Lessons) -> tuple[float, float, int]:
    """Return by how much more the policy's cards lead to a win than the planner's, its standard error, and the turns."""
    cards = lessons.only(lessons.marks[:, 0, 0] != 0)
    found = distil.gains(network_files.read(policy_file(course), network_files.POLICY)[0], cards)
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
