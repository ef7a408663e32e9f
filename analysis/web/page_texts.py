"""Constants, texts, columns and synonyms of the lab for the page, so that none is written twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...simulator import names
from ...simulator.rules import load_ruleset
from ...simulator.rules.edit import ignored_words, phrases
from ...simulator.rules.ruleset_contents import written
from ...simulator.runs.run_plan import LIMITS, MIN_PLAYERS, ROUND_CAP
from ...strategies import registry
from ..pages import sentences
from ..pages.report_parts import CERTAINTIES, Named, column_of
from ..questions import compare, variants
from ..questions.leaders import open_readings
from ..report.page import PARTS
from ..stats import best, inference, rates, verdicts
from ..tables import logit, reference_results
from ..tables.decoded_games import SEPARATOR, WHOLE
from ..tables.variants import DEAD

TABLES = ("leaders", "wonders", "agendas", "length", "order")  # parts of the report that the page also has
LEFT_OUT = {"leaders": {"rank", "rank_best", "pooled_rate"}, "wonders": {"cost"}}  # columns that only the lab can fill
SIDES = ("printed", "house rules")
FRONTIER_SEATS = 4  # a strategy against three planners
KINDS = {"STRENGTH": verdicts.STRENGTH, "CHANGE": verdicts.CHANGE}


def words() -> dict[str, Any]:
    """Return them for JSON; `static/words.js` reads them."""
    state = np.random.default_rng(0).bit_generator.state["state"]
    return {
        "confidence": rates.CONFIDENCE, "significant": inference.SIGNIFICANT, "quantile": inference.QUANTILE,
        "weights": {family: inference.weight_of(family) for family in ("turn order", "world wonders")},
        "smallSample": rates.SMALL_SAMPLE, "clustered": rates.CLUSTERED, "fewCases": rates.FEW_CASES,
        "rareFew": inference.RARE_FEW, "normalFrom": inference.NORMAL_FROM, "mostLineUps": logit.MOST_LINE_UPS,
        "points": rates.POINTS, "halfWidth": rates.PRECISION, "rounds": rates.ROUNDS, "power": verdicts.POWER,
        "strong": verdicts.STRONG,
        "mostGames": verdicts.MOST_GAMES, "order": verdicts.ORDER, "whole": WHOLE, "separator": SEPARATOR,
        "random": {name: str(value) for name, value in state.items()},
        "endings": names.ENDINGS, "boxes": names.BOXES, "mostPlayers": names.MOST_PLAYERS, "fewestPlayers": MIN_PLAYERS,
        "roundCap": ROUND_CAP, "limits": LIMITS,
        "scale": [verdict.name for verdict in verdicts.Verdict], "told": [verdict.name for verdict in verdicts.TOLD],
        "verdicts": {kind: {verdict.name: own.of(verdict) for verdict in verdicts.Verdict} for kind, own in KINDS.items()},
        "tones": {verdict.name: tone for verdict, tone in verdicts.TONES.items()},
        "certainties": CERTAINTIES,
        "groups": {verdict.name: text for verdict, text in sentences.GROUPS.items()},
        "most": sentences.MOST, "large": sentences.LARGE, "numbers": compare.NUMBERS,
        "paired": sentences.PAIRED, "groupTitles": compare.GROUP_TITLES,
        "tables": _tables() | {"compared": _columns(compare.compared_columns(*SIDES)), "shifts": _columns(compare.SHIFTED)}
        | {"variants": _variants()},
        "standing": {standing.name: standing.value for standing in best.Standing}, "dead": DEAD,
        "synonyms": {word: {"keys": phrase.keys, "note": phrase.note} for word, phrase in phrases().items()},
        "ignored": ignored_words(),
        "readings": {box: _readings(box) for box in names.BOXES},
        "better": {box: _better(box) for box in names.BOXES}, "goodPlayers": {box: _good_players(box) for box in names.BOXES},
    }  # fmt: skip


def _better(box: str) -> dict[str, str]:
    """Return, by player, a sentence on who plays better; none for those above whom there is nobody."""
    told = {}
    for strategy in registry.packaged():
        players = reference_results.better([strategy], box, FRONTIER_SEATS)
        told[strategy] = f"{players[0]} plays better." if players else ""
    measured = {row.strategy: row for row in registry.frontier() if row.box == box}
    if registry.DEFAULT in measured:
        row = measured[registry.DEFAULT]
        told["planner"] = (
            f"Fast, but weaker than {row.strategy}, which builds world wonders otherwise and wins {row.wins:.1f}% "
            f"[{row.low:.1f}, {row.high:.1f}] of its games against three of it (25% would be even). "
            f"{row.strategy.capitalize()} takes {row.times:.0f} times as long."
        )
    return {strategy: text for strategy, text in told.items() if text}


def _good_players(box: str) -> dict[str, dict[str, list[float]]]:
    """Return, by the number of players, the mean of each figure over good players, and where another would lie (shares)."""
    digest = load_ruleset(box=box).digest()
    bands = {}
    for players in range(MIN_PLAYERS, names.MOST_PLAYERS[box] + 1):
        frame = reference_results.good_players(box, players, digest)
        if frame is not None:
            bands[str(players)] = {str(figure): [float(x) for x in row] for figure, row in frame.iterrows()}
    return bands


def _readings(box: str) -> dict[str, list[str]]:
    """Return, by leader, the sentences on open readings of the rules that its verdict may depend on."""
    ruleset = load_ruleset(box=box)
    source: Any = SimpleNamespace(ruleset=ruleset.data, run=SimpleNamespace(box=box), margin=rates.POINTS)
    sentences_of = {
        name: [finding.text for finding in open_readings(source, [name])] for name in written(ruleset.compile(), "leader")
    }
    return {name: texts for name, texts in sentences_of.items() if texts}


def _tables() -> dict[str, Any]:
    """Return title, note, method and columns of the parts in TABLES."""
    tables = {}
    for part in PARTS:
        if part.key in TABLES:
            columns = [column for column in map(column_of, part.columns) if column.name not in LEFT_OUT.get(part.key, ())]
            tables[part.key] = {"title": part.title, "note": part.note, "method": part.method, "columns": _columns(columns)}
    return tables


def _variants() -> dict[str, Any]:
    """Return title, note, method and columns of the table of several rulesets, all at one number of players."""
    columns: Sequence[Named] = variants.COLUMNS
    shown = [column for column in map(column_of, columns) if column.name != "players"]
    return {"title": variants.TITLE, "note": variants.NOTE, "method": variants.METHOD, "columns": _columns(shown)}


def _columns(columns: Sequence[Named]) -> list[dict[str, str]]:
    return [asdict(column_of(column)) for column in columns]


# --- The files of a page

LIST, KEEPER = "files.json", "sw.js"
NO_DIGEST = b'const DIGEST = "";'  # in the keeper's source


def page_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return what keeps the page's files in a browser: the list of their names with one digest of all, and `static/sw.js` with
    that digest in it, by which a browser sees that there is a new build."""
    hashed = hashlib.sha256(b"".join(hashlib.sha256(files[name]).digest() + name.encode() for name in sorted(files)))
    digest, names = hashed.hexdigest()[:16], [name for name in sorted(files) if name not in (LIST, KEEPER)]
    listed = json.dumps({"digest": digest, "files": names}).encode()
    return {LIST: listed, KEEPER: files[KEEPER].replace(NO_DIGEST, NO_DIGEST.replace(b'""', f'"{digest}"'.encode()))}
