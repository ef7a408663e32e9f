"""A page on each leader: its rate, its best cards, agendas and opponents, a game to watch, and its numbers."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError, half, listed, with_minus
from ...simulator.rules import Ruleset
from ...simulator.rules.load import from_data
from ...simulator.rules.ruleset_contents import entries, names_of, slug
from ...simulator.rules.show import named, subjects
from ..pages.cells import points, points_of, rate, rate_of
from ..pages.report_parts import Source
from ..pages.screen_parts import Answer
from ..questions.possible_changes import levers
from ..stats.claims import extreme_first, most
from ..stats.inference import ALL
from ..stats.verdicts import TONES, differs, verdict_of, verdict_words
from ..tables.kept_answers import MOVED_NUMBERS, SENSITIVITY, open_kept
from ..tables.paired_figures import WIN_RATE
from ..tables.read import Run, sample_of

CHAPTER = "Leader by leader"
BEST = 2  # rows named
FIRST, CAPITAL = re.compile("^[a-z]"), re.compile("(^|: )(?!at most)[a-z]")
Frames = Mapping[str, pd.DataFrame]


@dataclass(frozen=True)
class LeaderPage:
    """The page of a leader: headings with their texts, and a game to watch."""

    name: str
    verdict: str
    tone: str
    brief: str
    lines: Sequence[tuple[str, str]]
    game: str = ""  # a sentence on its typical game
    watch: str = ""  # the command that makes the page of that game
    film: str = ""  # the file of that page beside the report

    @property
    def key(self) -> str:
        """Its anchor on the page."""
        return f"leader-{slug(self.name)}"


@dataclass(frozen=True)
class Typical:
    """A typical game of a leader: won in the median round of its wins."""

    leader: str
    game: int
    rounds: int


def leader_pages(frames: Frames, source: Source, answers: Sequence[Answer] = ()) -> list[LeaderPage]:
    """Return the pages of the leaders, the strongest first; none if no leader can be judged.

    Answers of `newdawn sensitivity` add the effects of each leader's numbers.
    """
    leaders = frames.get("leaders")
    if leaders is None or source.untestable or not source.decided:
        return []
    games = {typical.leader: typical for typical in typical_games(source.run)}
    ruleset = _ruleset(source)
    rules, numbers = _rules(ruleset), {} if ruleset is None else _numbers(ruleset, _measured(answers))
    pages = []
    for row in leaders.to_dict("records"):
        name = str(row["leader"])
        own = "; ".join(numbers.get(name, []))
        pages.append(_page(row, frames, games.get(name), rules.get(name, ""), own, source))
    return pages


def typical_games(run: Run) -> list[Typical]:
    """Return a typical won game of each leader that won one."""
    sample = sample_of(run, ("game_id", "rounds", "leader", "won", "decided"))
    won: dict[int, list[np.ndarray]] = {}
    for part in sample:
        games = part.games
        seat = np.argmax(games.won, axis=1)
        rows = np.arange(len(games))
        alone = games.decided & (games.won[rows, seat] == games.won.sum(axis=1))
        wins = np.stack([games.leader[rows, seat], games.game_id, games.rounds], axis=1).astype(np.int64)[alone]
        for code in np.unique(wins[:, 0]):
            won.setdefault(int(code), []).append(wins[wins[:, 0] == code])
    typical = []
    for code, parts in sorted(won.items()):
        all_won = np.concatenate(parts)
        middle = np.sort(all_won[:, 2])[(len(all_won) - 1) // 2]
        at = all_won[all_won[:, 2] == middle, 1].min()
        typical.append(Typical(sample.words.leader[code], int(at), int(middle)))
    return typical


def typical_game(run: Run) -> Typical | None:
    """Return the typical game of the run: of those of the leaders the one of median length."""
    games = sorted(typical_games(run), key=lambda typical: (typical.rounds, typical.game))
    return games[(len(games) - 1) // 2] if games else None


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
    tone = TONES[verdict_of(row)]
    return LeaderPage(name, str(row["verdict"]), tone, f"wins {won}", [pair for pair in lines if pair[1]], played, watch)


def _own(frame: pd.DataFrame | None, name: str) -> pd.DataFrame:
    return pd.DataFrame() if frame is None else frame[frame["leader"] == name]


def _cards(frame: pd.DataFrame | None, name: str) -> str:
    """Say with which victory cards in play it wins more or less, if that is shown."""
    own = _own(frame, name)
    if own.empty:
        return ""
    shown = own[differs(own) & ~own["small_sample"].astype(bool)]
    shown = extreme_first(shown, "points")
    if shown.empty:
        return "No victory card in play is shown to change how often it wins."
    return " ".join(f"With {row['card']} in play: {points_of(row)} points." for row in shown.head(BEST).to_dict("records"))


def _agendas(frame: pd.DataFrame | None, name: str) -> str:
    """Say by which agenda it wins most, and by which more or less often than the others."""
    own = _own(frame, name)
    if own.empty:
        return ""
    own = own[~own["small_sample"].astype(bool)]
    if own.empty:
        return "Too few wins to say."
    first, *alike = most(own, "use_rate").rows.to_dict("records")
    text = f"Most by {first['agenda']}: {rate_of(first, 'use_rate')} of its wins with the card."
    if alike:
        also = [f"{row['agenda']} ({rate(row['use_rate'])})" for row in alike[:BEST]]
        also += [f"{len(alike) - BEST} more"] if len(alike) > BEST else []
        text += f" It cannot be distinguished from {listed(also)}."
    for row in extreme_first(own[differs(own)], "points").head(1).to_dict("records"):
        word = "more" if row["points"] > 0 else "less"
        text += f" By {row['agenda']} {word} often than others: {points_of(row)} points."
    return text


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
    """Say against whom it does better or worse than the strengths of the two say; who is strong is strong against all."""
    own = _own(frame, name)
    own = own[own["p_adjusted"].notna()] if len(own) else own
    if len(own) < 2:
        return ""
    shown = extreme_first(own[differs(own)], "remainder").head(BEST).to_dict("records")
    texts = [f"Against {row['opponent']} {points_of(row, 'remainder')} points from what the strengths of the two say "
             f"(n = {row['decided']:,.0f} games that one of the two won)." for row in shown]  # fmt: skip
    if texts:
        return " ".join(texts)
    if differs(own.iloc[0], "whole_p"):
        return "Pairs of leaders deviate as a whole from what strengths say; whether its own do is open."
    return f"Against none of {len(own)} opponents is it shown to do better or worse than the strengths of the two say."


def _ruleset(source: Source) -> Ruleset | None:
    """Return the rules of the run; None if this version cannot read them."""
    try:
        return from_data(source.ruleset, "")
    except UserError:
        return None


def _rules(ruleset: Ruleset | None) -> dict[str, str]:
    """Return, by leader, the sentences of the rules on what it can do."""
    if ruleset is None:
        return {}
    r, leaders = ruleset.compile(), set(names_of(ruleset.data, "leader"))
    described = {subject.name: subject.describe(r)[1:] for subject in subjects(ruleset.data) if subject.name in leaders}
    return {name: " ".join(map(_sentence, lines)) for name, lines in described.items()}


def _sentence(line: str) -> str:
    """Return a line as a sentence, with a capital also after 'when …: '."""
    return f"{(FIRST if line.startswith('row ') else CAPITAL).sub(lambda letter: letter[0].upper(), line)}."


def _measured(answers: Sequence[Answer]) -> pd.DataFrame:
    """Return what a step of each number changes, from the answer of `newdawn sensitivity`; empty without one."""
    for answer in answers:
        if answer.command == SENSITIVITY and (kept := open_kept(answer.place)) is not None and MOVED_NUMBERS in kept.tables:
            return kept.tables[MOVED_NUMBERS]
    return pd.DataFrame(columns=["parameter", "figure"])


def numbers_of(name: str, source: Source) -> list[str]:
    """Return the numbers of a leader that are not 0, in words."""
    ruleset = _ruleset(source)
    return [] if ruleset is None else _numbers(ruleset, _measured(())).get(name, [])


def _numbers(ruleset: Ruleset, changes: pd.DataFrame) -> dict[str, list[str]]:
    """Return, by leader, its numbers that are not 0, in words, each with the effect of a step if that was measured."""
    data = ruleset.data
    keys = dict(zip(entries(data, "leader"), names_of(data, "leader"), strict=True))
    texts: dict[str, list[str]] = {}
    for lever in levers(ruleset, ("leaders.*",)):
        name = next((keys[step] for step in lever.name.split(".") if step in keys), "")
        steps = changes[(changes["parameter"] == lever.name) & (changes["figure"] == f"{WIN_RATE}{name}")].to_dict("records")
        does = listed([f"with {with_minus(str(step['value']))} it wins "
                       f"{points(*(100 * step[f'difference{end}'] for end in ALL))} points" for step in steps])  # fmt: skip
        if name and (lever.value or steps):
            label = named(data, lever.name).partition(": ")[2]
            texts.setdefault(name, []).append(f"{label} {with_minus(str(lever.value))}{f' ({does})' if steps else ''}")
    return texts
