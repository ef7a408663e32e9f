"""A game at the table as a page to watch (simulator/replay/film.py), finished or not."""

from __future__ import annotations

from ...simulator.errors import UserError
from ...simulator.replay.film import Camera, Frame, page
from ...simulator.replay.stepper import Game
from ...simulator.sitting.kept import Kept
from ...strategies.told import told


def watched(kept: Kept) -> str:
    """Play the choices of a game again and return the page: set-up, turns, and the turn that is going on."""
    frames: list[Frame] = []
    cameras: list[Camera] = []

    def seen(game: Game, lines: list[str]) -> None:
        if not cameras:
            cameras.append(Camera(game))
        frames.append(cameras[0].frame(lines))

    sitting = kept.sitting(seen)
    bots = {seat: told(kept.plan.strategy(word).load()) for seat, word in enumerate(kept.seats) if seat not in kept.own}
    for chosen in kept.choices:
        question = sitting.question
        assert question is not None, "the choices are those of this game"
        if question.seat in bots:
            question.put(bots[question.seat])  # what it compares is told as its reason
        sitting.answer(chosen)
    if not cameras:
        raise UserError("replay: the map is not laid yet; there is nothing to watch")
    lines = sitting.so_far
    if not sitting.over and lines:
        sitting.table.rows = sitting.table.work.log[: int(sitting.table.work.log_n)].tolist()
        frames.append(cameras[0].frame(lines))
    frames[-1].lines.append((0, sitting.closing))
    made = page(sitting.table, frames)
    sitting.close()
    return made
