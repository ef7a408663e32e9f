"""A page on each leader: its rate, the cards, agendas and opponents it does well with, a game to watch, and its numbers."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError, half, listed
from ...simulator.rules import Ruleset
from ...simulator.rules.contents import entries, names_of, slug
from ...simulator.rules.load import from_data
from ...simulator.rules.show import named, subjects
from ..pages.parts import Answer, Source, points, points_of, rate, rate_of
from ..questions.balance import levers
from ..stats.answer import TONES, differs, verdict_of, verdict_words
from ..stats.inference import ALL
from ..tables.kept import open_kept
from ..tables.pairs import WIN_RATE
from ..tables.read import Run, sample_of

CHAPTER = "Leader by leader"
BEST, FEWEST = 2, 20  # rows named of a kind; games that one of two opponents won, below which a pair is not named
FIRST, CAPITAL = re.compile("^[a-z]"), re.compile("(^|: )(?!at most)[a-z]")
Frames = Mapping[str, pd.DataFrame]


@dataclass(frozen=True)
class LeaderPage:
    """All that a report says of one leader: headings with their texts, and a game of it to watch."""

    name: str
    verdict: str
    tone: str
    brief: str
    lines: Sequence[tuple[str, str]]
    game: str = ""  # which game of it is typical
    watch: str = ""  # the command that makes a page of that
    film: str = ""  # the file beside the report that is that page

    @property
    def key(self) -> str:
        """Where it stands on the page."""
        return f"leader-{slug(self.name)}"


@dataclass(frozen=True)
class Typical:
    """A game that stands for others: won by the leader in a round that is the median of those it won."""

    leader: str
    game: int
    rounds: int


def leader_pages(frames: Frames, source: Source, answers: Sequence[Answer] = ()) -> list[LeaderPage]:
    """Return the pages of the leaders, the strongest first; none where no leader can be judged.

    What the numbers of a leader do is known where `answers` has that of `newdawn sensitivity`.
    """
    leaders = frames.get("leaders")
    if leaders is None or source.untestable or not source.decided:
        return []
    games = {one.leader: one for one in typical_games(source.run)}
    ruleset = _known(source)
    rules, numbers = _rules(ruleset), {} if ruleset is None else _numbers(ruleset, _measured(answers))
    found = []
    for row in leaders.to_dict("records"):
        name = str(row["leader"])
        own = "; ".join(numbers.get(name, []))
        found.append(_page(row, frames, games.get(name), rules.get(name, ""), own, source))
    return found


def typical_games(run: Run) -> list[Typical]:
    """Return a typical won game of each leader that won one."""
    sample = sample_of(run, ("game_id", "rounds", "leader", "won", "decided"))
    won: dict[int, list[np.ndarray]] = {}
    for part in sample:
        games = part.games
        seat = np.argmax(games.won, axis=1)
        rows = np.arange(len(games))
        there = games.decided & (games.won[rows, seat] == games.won.sum(axis=1))
        found = np.stack([games.leader[rows, seat], games.game_id, games.rounds], axis=1).astype(np.int64)[there]
        for code in np.unique(found[:, 0]):
            won.setdefault(int(code), []).append(found[found[:, 0] == code])
    typical = []
    for code, parts in sorted(won.items()):
        all_won = np.concatenate(parts)
        middle = np.sort(all_won[:, 2])[(len(all_won) - 1) // 2]
        at = all_won[all_won[:, 2] == middle, 1].min()
        typical.append(Typical(sample.words.leader[code], int(at), int(middle)))
    return typical


def typical_game(run: Run) -> Typical | None:
    """Return the game that stands for the run: of the leaders' typical ones that whose length is the median."""
    found = sorted(typical_games(run), key=lambda one: (one.rounds, one.game))
    return found[(len(found) - 1) // 2] if found else None


def _page(row: Any, frames: Frames, game: Typical | None, rules: str, numbers: str, source: Source) -> LeaderPage:
    name = str(row["leader"])
    won = f"{rate_of(row, 'adjusted_rate', ALL)} of {row['decided']:,.0f} decided games"
    lines = [
        ("Wins", f"It wins {won}. The fair share is {rate(row['fair_share'])}: {verdict_words(row)}."),
        ("With which cards", _cards(frames.get("leaders-by-card"), name)),
        ("By which agendas", _agendas(frames.get("leaders-agendas"), name)),
        ("When", _times(frames.get("leaders-timing"), name)),
        ("Against whom", _opponents(frames.get("matchups"), name)),
        ("What it can do", rules),
        ("Its numbers", numbers),
    ]
    played = watch = ""
    if game is not None:
        played = f"Game {game.game:,}: it won in round {game.rounds}, the middle of all its wins."
        watch = f"newdawn replay --run {shlex.quote(str(source.run.path))} --game {game.game} --html {slug(name)}.html"
    tone = TONES[verdict_of(row["verdict"])]
    return LeaderPage(name, str(row["verdict"]), tone, f"wins {won}", [pair for pair in lines if pair[1]], played, watch)


def _own(frame: pd.DataFrame | None, name: str) -> pd.DataFrame:
    return pd.DataFrame() if frame is None else frame[frame["leader"] == name]


def _cards(frame: pd.DataFrame | None, name: str) -> str:
    """Say with which victory cards in play it wins more or less, where that is shown."""
    own = _own(frame, name)
    if own.empty:
        return ""
    shown = own[differs(own) & ~own["small_sample"].astype(bool)]
    shown = shown.sort_values("points", key=np.abs, ascending=False, kind="stable")
    if shown.empty:
        return "No victory card in play is shown to change how often it wins."
    return " ".join(f"With {one['card']} in play: {points_of(one)} points." for one in shown.head(BEST).to_dict("records"))


def _agendas(frame: pd.DataFrame | None, name: str) -> str:
    """Say by which agendas it wins more often than the others, where that is shown, and by which most."""
    own = _own(frame, name)
    if own.empty:
        return ""
    own = own[~own["small_sample"].astype(bool)]
    most = own.sort_values("use_rate", ascending=False, kind="stable").head(1).to_dict("records")
    if not most:
        return "Too few wins to say."
    said = f"Most by {most[0]['agenda']}: {rate_of(most[0], 'use_rate')} of its wins with the card."
    apart = own[differs(own)].sort_values("points", key=np.abs, ascending=False, kind="stable").head(1).to_dict("records")
    for one in apart:
        word = "more" if one["points"] > 0 else "less"
        said += f" By {one['agenda']} {word} often than others: {points_of(one)} points."
    return said


def _times(frame: pd.DataFrame | None, name: str) -> str:
    """Say in which round it wins, and whether that is earlier or later than others do."""
    own = _own(frame, name).to_dict("records")
    if not own:
        return ""
    row = own[0]
    middle = f"Half of its {row['winners']:,} wins come in rounds {half(row['rounds_p25'])} to {half(row['rounds_p75'])}"
    apart = f" Against the wins of others: {points_of(row, 'rounds_difference')} rounds." if bool(differs(row)) else ""
    return f"{middle}.{apart}"


def _opponents(frame: pd.DataFrame | None, name: str) -> str:
    """Say against whom it does best and worst: of the games that one of the two won."""
    own = _own(frame, name)
    own = own[own["decided"] >= FEWEST] if len(own) else own
    if len(own) < 2:
        return ""
    ordered = own.sort_values("win_rate", ascending=False, kind="stable").to_dict("records")
    best, worst = (f"{rate_of(one, 'win_rate')} (n = {one['decided']:,.0f})" for one in (ordered[0], ordered[-1]))
    start = f"Best against {ordered[0]['opponent']}: of the games that one of the two won it won {best}."
    return f"{start} Worst against {ordered[-1]['opponent']}: {worst}."


def _known(source: Source) -> Ruleset | None:
    """Return the rules of the run; None where this version does not know them."""
    try:
        return from_data(source.ruleset, "")
    except UserError:
        return None


def _rules(ruleset: Ruleset | None) -> dict[str, str]:
    """Return by leader what the rules say it can do."""
    if ruleset is None:
        return {}
    r, known = ruleset.compile(), set(names_of(ruleset.data, "leader"))
    said = {one.name: one.describe(r)[1:] for one in subjects(ruleset.data) if one.name in known}
    return {name: " ".join(map(_sentence, lines)) for name, lines in said.items()}


def _sentence(line: str) -> str:
    """Return what a card says as sentences: of one that says when, what happens then is a sentence of its own."""
    return f"{(FIRST if line.startswith('row ') else CAPITAL).sub(lambda found: found[0].upper(), line)}."


def _measured(answers: Sequence[Answer]) -> pd.DataFrame:
    """Return what moving each number by a step was found to change, of an answer about this run; empty without one."""
    for answer in answers:
        if answer.command == "sensitivity" and (kept := open_kept(answer.place)) is not None and "changes" in kept.tables:
            return kept.tables["changes"]
    return pd.DataFrame(columns=["parameter", "figure"])


def numbers_of(name: str, source: Source) -> list[str]:
    """Return the numbers of a leader that are not 0, in words."""
    ruleset = _known(source)
    return [] if ruleset is None else _numbers(ruleset, _measured(())).get(name, [])


def _numbers(ruleset: Ruleset, changes: pd.DataFrame) -> dict[str, list[str]]:
    """Return by leader its numbers that are not 0, in words, and what a step of each does where that was measured."""
    data = ruleset.data
    keys = dict(zip(entries(data, "leader"), names_of(data, "leader"), strict=True))
    said: dict[str, list[str]] = {}
    for one in levers(ruleset, ("leaders.*",)):
        name = next((keys[step] for step in one.name.split(".") if step in keys), "")
        steps = changes[(changes["parameter"] == one.name) & (changes["figure"] == f"{WIN_RATE}{name}")].to_dict("records")
        does = listed([f"with {step['value']} it wins {points(*(100 * step[f'difference{end}'] for end in ALL))} points"
                       for step in steps])  # fmt: skip
        if name and (one.value or steps):
            words = named(data, one.name).partition(": ")[2]
            said.setdefault(name, []).append(f"{words} {one.value}{f' ({does})' if steps else ''}")
    return said
