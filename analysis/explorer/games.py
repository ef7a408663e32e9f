"""The games behind a figure: the list of them, and the sheet of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError
from ..tables.cases import Selection
from ..tables.columns import WHOLE, Events, Games, Words
from .loaded import shown_columns
from .sections import Shape, table

PAGE = 50  # games that are listed at a time
LIST = Shape("games", ("game",), ("rounds", "ending", "line_up", "counted", "cards"))
SEATS = Shape("seats", ("seat",), ("leader", "strategy", "order", "share", "claims", "built"))


def listing(selections: Sequence[Selection], words: Words, runs: Sequence[int], start: int) -> dict[str, Any]:
    """Return so many of the chosen games, from the start-th on, and how many games and counted seats there are in all."""
    chosen = [np.flatnonzero(s.chosen) for s in selections]
    before, rows, links = 0, [], {}
    for s, run, here in zip(selections, runs, chosen, strict=True):
        for at in here[max(0, start - before) : max(0, start + PAGE - before)]:
            name = f"{int(s.games.game_id[at]):,}" if len(runs) == 1 else f"run {run}, {int(s.games.game_id[at]):,}"
            links[name] = f"game/{run}/{int(s.games.game_id[at])}"
            rows.append({"game": name, **_facts(s.games, at, words), "counted": _counted(s, at)})
        before += len(here)
    frame = pd.DataFrame(rows, columns=["game", *LIST.columns])
    shown = table("games", "", LIST, [frame], lambda row: {"game": links[row["game"]]}, "the seats that count are the filter's")
    seats = sum(int(np.count_nonzero(s.counting)) for s in selections)
    return {"title": "Games", "games": before, "seats": seats, "from": start, "page": PAGE, "summary": [], "warnings": [],
            "sections": [shown]}  # fmt: skip


def _facts(games: Games, at: int, words: Words) -> dict[str, Any]:
    """Return what the list says of a game."""
    winners = [words.leader[games.leader[at, seat]] for seat in np.flatnonzero(games.won[at])]
    line_up = ", ".join(words.leader[code] for code in games.leader[at])
    return {"rounds": int(games.rounds[at]), "ending": f"won by {' and '.join(winners)}" if winners else "unfinished",
            "line_up": line_up, "cards": ", ".join(_bits(games.cards[at], words.card))}  # fmt: skip


def _counted(s: Selection, at: int) -> str:
    seats = np.flatnonzero(s.counting[at])
    return "all" if len(seats) == s.games.players else ", ".join(str(seat) for seat in seats)


def _bits(bits: int, names: Sequence[str]) -> list[str]:
    return sorted(name for code, name in enumerate(names) if int(bits) >> code & 1)


def place(games: Games, game_id: int) -> int:
    """Return where a game is among the columns; raise UserError if it is not there."""
    found = np.flatnonzero(games.game_id == game_id)
    if not len(found):
        raise UserError(f"game: {game_id} is not among the {len(games):,} finished games of the run")
    return int(found[0])


def sheet(games: Games, words: Words, run: int, game_id: int) -> dict[str, Any]:
    """Return one game: who sat where, what they claimed, built and held in the end."""
    at, held = place(games, game_id), shown_columns(games)
    claims, built = _by_seat(games.claims, games, at, words.agenda), _by_seat(games.built, games, at, words.wonder)
    rows, ends = [], []
    for seat in range(games.players):
        rows.append({
            "seat": seat, "leader": words.leader[games.leader[at, seat]], "strategy": words.strategy[games.strategy[at, seat]],
            "order": int(games.order[at, seat]), "share": games.won[at, seat] / WHOLE, "claims": claims[seat] or "none",
            "built": built[seat] or "none",
        })  # fmt: skip
        ends.append({"seat": seat, **{name: int(games.number(name)[at, seat]) for name in held}})
    facts = _facts(games, at, words)
    return {
        "title": f"Game {game_id:,}", "summary": [], "warnings": [], "replay": {"run": run, "game": game_id},
        "facts": [f"{facts['ending']} in round {facts['rounds']}", f"victory cards in play: {facts['cards'] or 'none'}"],
        "sections": [
            table("seats", "Seats", SEATS, [pd.DataFrame(rows)], note="claims and wonders with their rounds"),
            table("holdings", "At the end of the game", Shape("seats", ("seat",), tuple(held)), [pd.DataFrame(ends)]),
        ],
    }  # fmt: skip


def _by_seat(events: Events, games: Games, at: int, names: Sequence[str]) -> list[str]:
    """Return what happened at each seat of a game, with the round, as words."""
    found = []
    for seat in range(games.players):
        here = np.flatnonzero(events.at == at * games.players + seat)
        here = here[np.argsort(events.when[here], kind="stable")]
        found.append(", ".join(f"{names[events.what[i]]} ({int(events.when[i])})" for i in here))
    return found
