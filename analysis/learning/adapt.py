"""Adapting learned players to rules: their networks are trained further under these rules, by self-play and studies.

The network goes through the stages of a course (`analysis.learning.train`): learners with it play among some planners, some of
their turns are studied, and it is fitted to these games and those of the stage before. For a player with a policy, as many
games of lessons by the final network follow, and the policy is fitted to them. The budget is a number of games a stage, or
minutes, which the speed of a few games turns into such a number once; the course keeps it, so that it can be repeated.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import joblib

from ...simulator import names
from ...simulator.errors import UserError
from ...strategies import network_files, profiles, registry
from ...strategies.registry import Strategy
from ..questions import ladder
from ..questions.restricted_play import FREE, restrict
from ..stats.rates import WinShare
from . import train as courses
from .train import Training, TrainingSettings, read_settings

STAGES, EPOCHS = 2, 2
LEAST = 20  # games of a stage: fewer leave no held-out games to measure the fit
TIMED = 10  # games of a thread to measure the speed
PLAYING = 0.85  # share of the minutes for games; the rest is for fits
NAME = "adapted"  # of networks; prefix of adapted strategies
APART = 1_000_003  # from the seeds of the comparison to those of its training
JUDGED = 400  # games of adapted players against their originals


Learned = tuple[str, str | None]  # the network and the policy that a strategy plays with


@dataclass(frozen=True)
class Budget:
    """How long players adapt to a ruleset: games a stage, or minutes."""

    minutes: float = 5.0
    games: int | None = None

    @property
    def words(self) -> str:
        """Return the budget for a folder's name."""
        return f"{self.minutes:g}min" if self.games is None else f"{self.games}games"


def learned(strategy: Strategy) -> Learned | None:
    """Return the network and the policy of a strategy; None if it has no network to train."""
    profile = strategy.resolved()
    return None if profile is None or profile.network is None else (profile.network, profile.policy)


def learners() -> list[str]:
    """Return the names of the packaged strategies that can adapt."""
    return [strategy.name for strategy in registry.STRATEGIES if learned(strategy) is not None]


def learned_by(strategies: Iterable[Strategy], option: str = "--strategies") -> list[Learned]:
    """Return the different networks and policies of the strategies; raise UserError if none of them can adapt.

    `option` names the strategies on the command line.
    """
    strategies = list(strategies)
    networks = list(dict.fromkeys(pair for strategy in strategies if (pair := learned(strategy)) is not None))
    if networks:
        return networks
    names, able = ", ".join(dict.fromkeys(strategy.name for strategy in strategies)), learners()
    raise UserError(
        f"{names} has nothing to train; expected a strategy with a value network, such as {able[0]} "
        f"({option} {able[0]}), {', '.join(able[1:])}, or a profile of your own that names one"
    )


def course_of(
    ruleset: Any, networks: Learned, budget: Budget, folder: Path, *, players: int, seed: int, jobs: int,
    games: int | None = None, without: str = "",
) -> Training:  # fmt: skip
    """Return the course, new or begun, in which the networks adapt to a ruleset; its folder is in `folder`.

    `games`: the number of games that the minutes gave the other side of a comparison, so that both train as long. `without`: a
    restriction of the trained players. `seed`: that of the comparison; the training uses others. Raises UserError if there is
    no such network.
    """
    r = ruleset.compile()
    network, policy = (None if name is None else network_files.in_box(name, names.BOXES[r.box]) for name in networks)
    start = network_files.file_of(str(network), players)
    digest = courses.digest_of(start)
    policy_file, policy_digest = None, ""
    if policy is not None:
        policy_file = network_files.file_of(policy, players, network_files.POLICY)
        policy_digest = courses.digest_of(policy_file, network_files.POLICY)
    players_name = Path(str(network)).name + (f"-policy-{Path(policy).name}" if policy else "")
    restriction = f"-without-{plain(without)}" if without else ""
    name = f"{plain(ruleset.name)}-{ruleset.digest()[:8]}-{players_name}-{players}p-seed{seed}-{budget.words}{restriction}"
    course_folder = (folder / name).resolve()

    def course(games: int) -> Training:
        settings = TrainingSettings(
            ruleset.digest(), players, games, STAGES, EPOCHS, seed + APART, digest, games if policy else 0,
            policy_digest, without,
        )  # fmt: skip
        return Training(r, settings, course_folder, jobs, start, policy_file)

    if budget.games is not None:
        return course(budget.games)
    if (course_folder / courses.SETTINGS).is_file():
        return course(read_settings(course_folder / courses.SETTINGS).games)
    if games is not None:
        return course(games)
    parts = STAGES + (policy is not None)
    return course(max(LEAST, int(60 * budget.minutes * PLAYING / parts * speed(course(TIMED * jobs), jobs))))


def plain(name: str) -> str:
    """Return a name in small letters, figures and dashes, for the name of a folder."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]


def speed(course: Training, jobs: int) -> float:
    """Return the games a second of a course's first stage, studies included, on this many threads."""
    plan = course.plan(0)
    course.record(plan, 0, 0, 1)  # compiles the players
    began = time.monotonic()
    threads = joblib.Parallel(n_jobs=jobs, backend="threading")
    threads(joblib.delayed(course.record)(plan, 0, k * TIMED, TIMED) for k in range(jobs))
    return TIMED * jobs / (time.monotonic() - began)


def train(course: Training, say: Callable[[str], None]) -> Path:
    """Run a course, new or begun, with its lessons, and return the file of its last network."""
    with course.held():
        course.run(say)
        if course.settings.lessons:
            courses.run(course, say)
        last = course.network_file(course.settings.stages - 1)
        net, about = network_files.read(last)
        path = network_files.file_of(str(course.folder / NAME), course.settings.players)
        network_files.write(path, net, about)
    return path


def adapted(strategy: Strategy, trained: Mapping[Learned, Training]) -> Strategy:
    """Return the strategy with its trained network and policy; one without a network unchanged.

    Its profile is beside the networks, so that it can be played by name.
    """
    networks, profile = learned(strategy), strategy.resolved()
    if networks is None or profile is None:
        return strategy
    course = trained[networks]
    path = course.folder / f"{NAME}_{Path(strategy.name).stem}.yaml"
    tuned = {"ruleset": course.settings.ruleset, "games": course.settings.games, "seed": course.settings.seed}
    policy = f"./{courses.NAME}" if profile.policy else None
    profiles.write(path, replace(profile, network=f"./{NAME}", policy=policy), tuned)
    return registry.find(str(path))


def trained_without(
    ruleset: Any, player: Strategy, names: Sequence[str], budget: Budget, folder: Path, *, players: int, seed: int, jobs: int,
    say: Callable[[str], None],
) -> dict[str, Strategy]:  # fmt: skip
    """Return the player by restriction, its network trained for each; FREE: without a restriction.

    All are trained on the number of games that the budget gives the first of them.
    """
    (networks,) = learned_by([player], "--player")
    adapted_players: dict[str, Strategy] = {}
    games = None
    for name in names:
        restriction = f"without {name}" if name != FREE else "without a restriction"
        course = course_of(ruleset, networks, budget, folder, players=players, seed=seed, jobs=jobs, games=games, without=name)
        games = course.settings.games
        train(course, lambda text, restriction=restriction: say(f"training {restriction}: {text}"))  # type: ignore[misc]
        adapted_players[name] = restrict(adapted(player, {networks: course}), [name] if name != FREE else [])
    return adapted_players


def judge(course: Training, strategies: Sequence[Strategy], trained: Mapping[Learned, Training], games: int) -> WinShare:
    """Return the win share of the first learned strategy, adapted, against tables of its original, under the course's rules."""
    original = next(strategy for strategy in strategies if learned(strategy) in trained)
    won = ladder.meet(
        course.r, adapted(original, trained), original, players=course.settings.players, games=games,
        seed=course.settings.seed + courses.JUDGED, jobs=course.jobs,
    )  # fmt: skip
    return ladder.share(won)
