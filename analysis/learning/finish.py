"""What a course of training leaves behind: a profile, tables and a picture of how good the chances are, a judgement."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from ...simulator.ours import write_whole
from ...strategies import network_files, registry
from ..contests import arena
from ..tables.render import render
from . import fit, teaching
from .course import Course
from .games import Games

NAME = registry.LEARNER.name
TAUGHT = (teaching.NAME, "adept")  # who plays by value and policy


def finish(course: Course, games: int, say: Callable[[str], None]) -> Iterator[str]:
    """Write the files of a finished course, judge it by so many games, and yield what is to be said, line by line.

    A policy comes last, if the course has lessons; `say` is told how that gets on.
    """
    players, last = course.settings.players, course.settings.stages - 1
    net, about = network_files.read(course.network_file(last))
    path = course.folder / f"{NAME}_{players}p.npz"
    network_files.write(path, net, about)
    if course.settings.stages:
        seen = course.last_games()
        losses = keep_chances(net, seen, course.folder)
        yield f"log loss on {len(seen.shares):,} positions of held-out games:"
        yield render(losses, "table")
        yield from _profile(course, NAME, {}, course.judge(last, "planner", games))
    if course.settings.lessons:
        kept = teaching.run(course, say)
        more, error, turns = teaching.gain(course, kept)
        found = f"{more:+.2%} (standard error {error:.2%}, {turns:,} turns)"
        yield f"policy: by how much more often its cards lead to a win than the planner's: {found}"
        for name in TAUGHT:
            share = teaching.judge(course, "planner", games, name)
            yield from _profile(course, name, {"policy": f"./{teaching.NAME}"}, share)


def _profile(course: Course, name: str, more: Mapping[str, str], share: arena.Share) -> Iterator[str]:
    """Write the profile of a player that a course has made, and yield how good it is and where it lies."""
    players = course.settings.players
    low, high = share.interval()
    yield f"{name} against {players - 1} x planner: {share.share:.1%} [{low:.1%}, {high:.1%}], n = {share.n:,}"
    profile = {"description": f"{name}, trained for {players} players", "like": name, "network": f"./{NAME}", **more} | {
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
    losses = fit.loss_by_round(net, seen.facts, seen.shares, rounds)
    calibration = fit.calibration(net, seen.facts, seen.shares, rounds)
    for name, frame in (("loss", losses), ("calibration", calibration)):
        write_whole(folder / f"{name}.csv", frame.to_csv(index=False, lineterminator="\n").encode())
    _draw(calibration, folder / "calibration.png")
    return losses


def _draw(calibration: pd.DataFrame, path: Path) -> None:
    """Draw how often seats won that were given such a chance (`fit.calibration`) into a file."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    from ..plots import plot_calibration

    figure, ax = plt.subplots(figsize=(5, 5))
    plot_calibration(calibration, ax)
    figure.savefig(path, dpi=120, bbox_inches="tight")
    plt.close(figure)
