"""The runs on the desk, and answers to what is asked about them by an address."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, unquote

import pandas as pd

from ...simulator import names
from ...simulator.batch.places import Place
from ...simulator.errors import UserError, unknown
from ..tables.cases import Sample, Selection
from ..tables.columns import Words
from ..tables.read import Run
from . import games, pages
from .contrast import contrast
from .filters import Filter, read_filter, select
from .loaded import Loaded

KEPT = 12  # selections that are kept: going back to a view is quicker
ALL = "all"  # the runs pooled
MOST_QUERY = 4000  # characters of an address


def _rules(run: Run) -> str:
    """Return the name of a run's rules, with the box if it is not the base game."""
    name = str(run.manifest.get("ruleset", {}).get("name", "unknown rules"))
    return name if run.box == names.BOXES[0] else f"{name}, {run.box}"


class Desk:
    """Runs in memory. One question is answered at a time; several threads may ask."""

    def __init__(
        self,
        runs: Sequence[Run],
        effects: Mapping[str, pd.DataFrame] | None = None,
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.words = Words()
        self.loaded = [Loaded(run, self.words) for run in runs]
        self.effects = effects or {}
        self.lock = threading.Lock()
        self.kept: OrderedDict[tuple[int, Filter], Selection] = OrderedDict()
        for number, loaded in enumerate(self.loaded):
            tell(f"reading {loaded.run.path} ({number + 1} of {len(runs)})")
            loaded.look()
        self.titles = _titles([run.path for run in runs])

    def about(self) -> dict[str, Any]:
        """Return what the page's form offers: the runs and the names in them."""
        runs = [
            {"title": title, "games": len(loaded.games), "planned": loaded.run.planned_games, "players": loaded.games.players,
             "rules": _rules(loaded.run), "expansion": loaded.run.box == names.BOXES[names.TI_BOX],
             "seed": loaded.run.manifest["plan"].get("seed")}
            for title, loaded in zip(self.titles, self.loaded, strict=True)
        ]  # fmt: skip
        words = self.words
        kinds = {"leaders": words.leader, "strategies": words.strategy, "cards": words.card, "wonders": words.wonder,
                 "agendas": words.agenda}  # fmt: skip
        seats = max(loaded.games.players for loaded in self.loaded)
        return {"runs": runs, "seats": seats, **{kind: sorted(names) for kind, names in kinds.items()}}

    def look(self) -> dict[str, Any]:
        """Read games that have been finished since; return `about` with how many are new."""
        with self.lock:
            new = sum(loaded.look() for loaded in self.loaded)
            self.forget()
            return {**self.about(), "new": new}

    def forget(self) -> None:
        """Drop the selections that are kept."""
        self.kept.clear()

    def answer(self, path: str, query: str) -> dict[str, Any]:
        """Return a view under the filter of the query; raise UserError with one sentence if there is none such."""
        words = split_query(query)
        parts = [unquote(part) for part in path.split("/")]
        first, beside, by, start = (_single(words, name) for name in ("run", "beside", "by", "from"))
        with self.lock:
            wanted = read_filter(words, self.words)
            sides = [self._runs("run", first or "0"), *([self._runs("beside", beside)] if beside is not None else [])]
            if parts[0] == "games" and len(parts) == 1:
                return games.listing(self._selections(sides[0], wanted), self.words, sides[0], _whole("from", start or "0"))
            if parts[0] == "game" and len(parts) == 3:
                run, number = self._runs("run", parts[1])[0], _whole("game", parts[2])
                return games.sheet(self.loaded[run].games, self.words, run, number)
            if start is not None:
                raise UserError("from: only the view 'games' has it")
            return {**pages.view(self._asked(wanted, sides), parts, by), "contrast": self._contrast(sides)}

    def _contrast(self, sides: Sequence[list[int]]) -> dict[str, Any] | None:
        """Return in what two runs that stand beside each other differ; pooled runs are no single ones."""
        if len(sides) != 2 or any(len(runs) != 1 for runs in sides):
            return None
        first, second = (self.loaded[runs[0]].run.manifest for runs in sides)
        return contrast(first, second)

    def _asked(self, wanted: Filter, sides: Sequence[list[int]]) -> pages.Asked:
        def sides_of(condition: Filter) -> list[pages.Side]:
            return [
                pages.Side(
                    self._title(runs), Sample(self.words, self._selections(runs, condition)),
                    any(self.loaded[run].run.has_teams for run in runs),
                )
                for runs in sides
            ]  # fmt: skip

        return pages.Asked(wanted, self.words, sides_of, self.effects)

    def _title(self, runs: list[int]) -> str:
        return self.titles[runs[0]] if len(runs) == 1 else f"all {len(runs)} runs"

    def _selections(self, runs: list[int], wanted: Filter) -> list[Selection]:
        return [self._selection(run, wanted) for run in runs]

    def _selection(self, run: int, wanted: Filter) -> Selection:
        key = (run, wanted)
        if key not in self.kept:
            self.kept[key] = select(self.loaded[run].games, wanted, self.words)
            if len(self.kept) > KEPT:
                self.kept.popitem(last=False)
        self.kept.move_to_end(key)
        return self.kept[key]

    def _runs(self, name: str, text: str) -> list[int]:
        """Return the numbers of the runs that a word of an address names."""
        known = [str(number) for number in range(len(self.loaded))]
        if text == ALL:
            return [int(number) for number in known]
        if text not in known:
            raise unknown(name, text[:40], [*known, ALL])
        return [int(text)]

    def game(self, run: str, game_id: str) -> tuple[Place, int]:
        """Return the folder of a run and the number of one of its games; raise UserError if there is none such."""
        with self.lock:
            loaded = self.loaded[self._runs("run", run)[0]]
            number = _whole("game", game_id)
            games.place(loaded.games, number)
            return loaded.run.path, number


def split_query(query: str) -> dict[str, list[str]]:
    """Return the words of an address; raise UserError if they are none."""
    if len(query) > MOST_QUERY:
        raise UserError(f"the address is too long; expected at most {MOST_QUERY} characters")
    try:
        return parse_qs(query, keep_blank_values=True, strict_parsing=bool(query), errors="strict", max_num_fields=100)
    except ValueError:
        raise UserError("the address cannot be read; expected NAME=VALUE&NAME=VALUE in UTF-8") from None


def _single(words: dict[str, list[str]], name: str) -> str | None:
    """Take a word that may be there once out of an address."""
    values = words.pop(name, [])
    if len(values) > 1:
        raise UserError(f"{name}: given {len(values)} times; expected once")
    return values[0] if values else None


def _whole(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise UserError(f"{name}: '{text[:40]}': expected a whole number")
    return int(text)


def _titles(paths: Sequence[Place]) -> list[str]:
    """Return short names of folders that distinguish them."""
    short = [path.resolve().name for path in paths]
    return short if len(set(short)) == len(short) else [str(path) for path in paths]
