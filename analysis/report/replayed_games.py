"""Games of a run played again for its report: where winners settle, and films of typical games. Loads the engine."""

from __future__ import annotations

import pandas as pd

from ...simulator.compile_cache import same_games
from ...simulator.errors import UserError
from ...simulator.replay.film import page, shoot
from ...simulator.replay.log_in_words import settled
from ...simulator.replay.stepper import Game
from ...simulator.runs import manifest
from ...simulator.runs.run_folder import Place
from ...strategies.explained_choices import explained
from ..tables.city_spaces import settling
from ..tables.read import open_run
from .leader_pages import typical_game, typical_games


def cities(path: Place, games: int) -> pd.DataFrame:
    """Return where winners and others had cities in about this many games of a run, played again."""
    return settling(settled(path, games))


def films(path: Place) -> dict[str, tuple[str, str]]:
    """Return, by leader, a sentence on its typical game and the page to watch it; empty if games cannot be played again.

    The leader whose game is typical of the run comes first.
    """
    made: dict[str, tuple[str, str]] = {}
    run = open_run(path)
    try:
        contents, of_run = manifest.contents(run.path), typical_game(run)
        if of_run is None or not same_games(contents.engine):
            return {}
        for typical in [of_run, *(each for each in typical_games(run) if each != of_run)]:
            game = Game(contents.ruleset, contents.plan, typical.game, instead=explained)
            text = f"game {typical.game:,}, won by {typical.leader} in round {typical.rounds}"
            made[typical.leader] = text, page(game, shoot(game), packed=True)
    except UserError:
        pass
    return made
