"""A report with its games and the engine in one file that opens without a server; the games packed as typed columns."""

from __future__ import annotations

import base64
import json
import re
import shlex
import zlib
from collections.abc import Callable, Mapping
from typing import Any

import jinja2
import numpy as np

from ...simulator import compile_cache, names
from ...simulator.errors import UserError, as_named, counted
from ...simulator.rules.load import own_functions
from ...simulator.runs import manifest
from ..explorer import filters, views
from ..explorer.filters import Loaded
from ..explorer.server import LIST, SEATS, SHEET, page_of, rules_of
from ..explorer.views import Shape
from ..pages.report_parts import Source
from ..stats.sample_sizes import looks_of
from ..stats.verdicts import STRENGTH, Verdict, verdict_cells
from ..tables.decoded_games import CodeNames, Events, Games
from ..tables.read import Run
from ..tables.win_rates import GROUPINGS
from . import at_table, build, python_to_javascript
from .page_texts import words

# --- The games of a run in few bytes: typed columns, each compressed as a browser can read it (games/packed.js)
#
# A column is rows of whole numbers of one, two or four bytes. Events that happen at most once a game and name, such as building
# a world wonder, have a row for each name with the round in each game, or 0. Their details, such as the builder, are a list in
# the order of these rows.

KINDS: dict[str, type[np.integer]] = {"u1": np.uint8, "u2": np.uint16, "i4": np.int32}
STRATEGIES = (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE)
NO_CARD = 255


def squeezed(content: bytes) -> bytes:
    """Return the bytes as `deflate-raw`, by the strategy that needs the fewest."""
    attempts = []
    for strategy in STRATEGIES:
        maker = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, strategy)
        attempts.append(maker.compress(content) + maker.flush())
    return min(attempts, key=len)


def kind_of(column: np.ndarray) -> str:
    """Return the narrowest type that holds the numbers of a column."""
    low, high = int(column.min(initial=0)), int(column.max(initial=0))
    return next(kind for kind, of in KINDS.items() if np.iinfo(of).min <= low and high <= np.iinfo(of).max)


def written(column: np.ndarray) -> tuple[str, bytes]:
    """Return a column's type and its bytes, in little-endian order."""
    kind = kind_of(column)
    return kind, np.ascontiguousarray(column, np.dtype(KINDS[kind]).newbyteorder("<")).tobytes()


def packed(games: Games) -> dict[str, np.ndarray]:
    """Return the columns of the games, by name; raise UserError if a seat is empty."""
    n, players = games.leader.shape
    if not games.occupied.all():
        raise UserError("one file: a seat of these games has no row; expected the games of `newdawn run`")
    in_game = games.cards >> np.arange(len(games.words.card))[:, None] & 1
    in_play = np.full((in_game.sum(axis=0).max(initial=0), n), NO_CARD)
    code, at = np.nonzero(in_game)
    in_play[in_game.cumsum(axis=0)[code, at] - 1, at] = code
    columns = {
        "id": games.game_id, "rounds": games.rounds, "decided": games.decided, "cards": in_play, "leader": games.leader.T,
        "strategy": games.strategy.T, "order": games.order.T, "won": games.won.T,
        "deck": games.deck >> np.arange(len(games.words.wonder))[:, None] & 1,
    }  # fmt: skip
    if n and np.array_equal(columns["id"], np.arange(columns["id"][0], columns["id"][0] + n)):
        columns["id"] = columns["id"][:1]  # consecutive numbers
    columns["revealed"] = _grid(games.revealed, len(games.words.wonder), n)
    columns["built"], columns["builder"] = _by_seat(games.built, len(games.words.wonder), n, players)
    # The few captures of wonders that were not built are a list of their own.
    captures, stands = _grid(games.captured, len(games.words.wonder), n), columns["built"] > 0
    columns["captures"] = captures[stands]
    columns["stray"] = np.stack([*np.nonzero(captures * ~stands), captures[(captures > 0) & ~stands]])
    claims, layer = games.claims, 0
    while len(claims.at):
        # Each further claim by the same agenda and seat in a game, which is rare, goes to another layer.
        code = claims.what.astype(np.int64) * (n * players) + claims.at
        _, first = np.unique(code, return_index=True)
        layer_claims = Events(claims.at[first], claims.what[first], claims.when[first])
        columns[f"claims{layer}"] = _grid(layer_claims, len(games.words.agenda), n * players)
        rest = np.setdiff1d(np.arange(len(code)), first)
        claims, layer = Events(claims.at[rest], claims.what[rest], claims.when[rest]), layer + 1
    return {name: np.asarray(column).astype(np.int64) for name, column in columns.items()}


def _grid(events: Events, names: int, places: int) -> np.ndarray:
    """Return, by name and place, the round in which something happened, or 0."""
    grid = np.zeros((names, places), np.int16)
    grid[events.what, events.at] = events.when
    return grid


def _by_seat(events: Events, names: int, n: int, players: int) -> tuple[np.ndarray, np.ndarray]:
    """Return, by name and game, the round in which something happened, and the seats in that order."""
    when, who = np.zeros((names, n), np.int16), np.zeros((names, n), np.int8)
    when[events.what, events.at // players] = events.when
    who[events.what, events.at // players] = events.at % players
    return when, who[when > 0]


# --- A report with its games as one file: start with `page`
#
# After the page of the report come, compressed, the run's columns, the explorer (games/desk.js), and the engine that plays any
# of the games again (games/replay.js). The file needs no server and no network; games/open.js unpacks what the address names.
# `newdawn explore` is for larger runs.

MOST_GAMES = 250_000
VIEWS = ("leaders", "wonders", "victory", "length")
NEEDED = (
    "confidence", "significant", "quantile", "weights", "smallSample", "clustered", "fewCases", "rareFew", "normalFrom",
    "mostLineUps", "points", "rounds", "power", "strong", "mostGames", "order", "whole", "separator", "random", "endings",
    "scale", "verdicts",
)  # fmt: skip
EXPLORER, REPLAYER = "onefile.js", "replay.js"


def check(run: Run) -> None:
    """Raise UserError if the run is too large for one file."""
    if run.planned_games > MOST_GAMES:
        raise UserError(
            f"--one-file: {run.path} has {counted(run.planned_games, 'game')}; expected at most {MOST_GAMES:,}, of which a "
            f"browser can open the file; `newdawn explore {run.path}` shows runs of any size"
        )


def page(report: str, run: Run, beside: Mapping[str, str], note: Callable[[str], None] = lambda _: None) -> str:
    """Return the page of a report with the games of its run and the files beside it in it; `note` hears the progress."""
    run_words = CodeNames()
    loaded = Loaded(run, run_words)
    loaded.look()
    columns = packed(loaded.games)
    files = {f"beside/{name}": as_named(text).encode() for name, text in beside.items() if f'href="{name}"' in report}
    shown = []
    for name, column in columns.items():
        kind, files[f"columns/{name}"] = written(column)
        shown.append([name, kind, len(column) if column.ndim > 1 else 1])
    replay = _replay(run, files, note)
    about = _about(run, loaded, run_words) | {"columns": shown, "replay": replay}
    texts = words()
    files |= {"run.json": _json(about), "words.json": _json({name: texts[name] for name in NEEDED})}
    replays = not replay["why"]
    static = _scripts()
    for script in (EXPLORER, *([REPLAYER] if replays else [])):
        files |= {name: static[name] for name in at_table.modules(script, static)}
    shell = page_of("newdawn.analysis.explorer", "explorer.html.j2", script="explorer.js", style="explorer.css")
    files["explorer.html"] = as_named(shell.render(nonce="", title=about["title"], problem="")).encode()
    return _with(report, files, static["open.js"].decode(), loaded)


def _json(value: Any) -> bytes:
    return as_named(json.dumps(value, ensure_ascii=False, separators=(",", ":"))).encode()


def _scripts() -> dict[str, bytes]:
    """Return the scripts of this page and of the lab in a page, by name."""
    return dict(build.static_files()) | at_table.game_scripts(at_table=False)


# --- The run for the explorer


def _about(run: Run, loaded: Loaded, run_words: CodeNames) -> dict[str, Any]:
    """Return the names by code, tables and notes for desk.js, and why there are no verdicts, if so."""
    plan, games = run.manifest["plan"], loaded.games
    rows = [verdict_cells(verdict, STRENGTH) for verdict in Verdict]
    return {
        "title": run.path.resolve().name, "players": run.players, "planned": run.planned_games, "games": len(games),
        "box": run.box, "rules": rules_of(run), "seed": plan.get("seed"), "roundCap": int(games.rounds.max(initial=0)),
        "names": {kind: getattr(run_words, kind) for kind in ("leader", "strategy", "card", "agenda", "wonder", "facts")},
        "filter": filters.NAMES, "any": filters.ANY, "outcomes": filters.OUTCOMES, "groupings": GROUPINGS,
        "views": {name: views.VIEWS[name][0] for name in VIEWS}, "shapes": _shapes(),
        "tiers": [[rows[k]["verdict_key"], group["title"]] for group in filters.by_verdict(rows) for k in group["rows"]],
        "without": filters.WITHOUT, "unjudged": _unjudged(run),
    }  # fmt: skip


def _unjudged(run: Run) -> str:
    """Return why the page's model cannot be fitted to the run's games; "" if it can."""
    lab = f"`newdawn explore {run.path}` has them"
    if len(set(run.manifest["plan"].get("strategies", ()))) > 1:
        return f"No verdicts in this file: several strategies play, which only the lab separates from leaders; {lab}"
    if run.has_teams:
        return filters.WITHOUT
    if looks_of(run.manifest).at:
        return f"No verdicts in this file: the run was played until it was decided, over several looks; {lab}"
    if Source(run).untestable:
        return f"No verdicts in this file: these games cannot tell leaders from who played them or where they sat; {lab}"
    return ""


def _shapes() -> dict[str, Any]:
    """Return the tables of the views, from the declarations of the explorer."""
    judged = views.JUDGED
    counts = "n counts seats, those of unfinished games included"
    fair = filters.FAIR.partition(" The rank is")[0]
    shapes = {
        # Without possible places, which take a simulation.
        "judged": ("leaders", judged.columns, judged, f"{counts}, which decided leaves out. {fair}"),
        "wonders": ("wonders", views.WONDERS.columns, views.WONDERS, f"Builder win rate is {views.ASSOCIATION}."),
        "victory": ("victory", views.VICTORY.columns, views.VICTORY, f"Claimant win rate is {views.ASSOCIATION}."),
        "games": ("games", LIST.columns, LIST, "the seats that count are the filter's"),
        "seats": ("seats", SEATS.columns, SEATS, SHEET),
    }  # fmt: skip
    for by in (None, *GROUPINGS):
        shape = Shape("leaders", ((by, "leader") if by else ("leader",)), views.LEADERS.columns, "win_rate")
        note = f"{counts}; the dotted mark is the fair share"
        shapes[f"leaders_{by}" if by else "leaders"] = "leaders", shape.columns, shape, note
    titles = {"seats": "Seats"}
    return {
        key: {
            "name": name, "title": titles.get(key, ""), "note": note, "rate": shape.rate, "keys": len(shape.keys),
            "columns": [views.column_of(shape, column, None) for column in (*shape.keys, *(c for c in columns if c != "rank"))],
        }
        for key, (name, columns, shape, note) in shapes.items()
    }  # fmt: skip


# --- The engine and the players of the run


def _replay(run: Run, files: dict[str, bytes], note: Callable[[str], None]) -> dict[str, Any]:
    """Add what plays the games again to `files`; return the plan for it, or why only the lab can do it."""
    command = f"newdawn replay --run {shlex.quote(str(run.path))} --game NUMBER --html game-NUMBER.html"
    why = _unplayable(run)
    if why:
        return {"why": f"{why}; the lab replays them:", "command": command}
    from ...simulator.engine.compile import webassembly

    contents = manifest.playable(run.path)
    plan, r = contents.plan, contents.ruleset.compile()
    try:
        files["engine.wasm"] = webassembly.built(build.functions(), list(build.NETWORKS), names.BOXES, note)
    except UserError as error:
        note(f"no replays in the file: {error}")
        return {"why": "The engine is not in this file; the lab replays its games:", "command": command}
    players: list[Any] = [plan.strategy(name) for name in plan.library()]
    about = build.about_box(run.box, r, players)
    used = {file for player in about["strategies"] for file in player.get("networks", {}).get(str(plan.players), {}).values()}
    files |= {name: content for name, content in build.networks_of(run.box).items() if name in used}
    files[f"rules-{run.box}.bin"] = r.tobytes()
    files["engine.json"] = _json(build.about_engine(turns=True) | {"boxes": {run.box: about}})
    settings = {
        "box": run.box, "players": plan.players, "roundCap": plan.round_cap,
        "leaders": {"kind": "pool" if plan.leaders_drawn else "lineup", "names": plan.leaders},
        "strategies": {"kind": "pool" if plan.strategies_drawn else "seats", "names": plan.strategies},
    }  # fmt: skip
    segments = [[segment.seed, segment.first, segment.games] for segment in contents.segments]
    return {
        "why": "",
        "command": command,
        "plan": settings,
        "segments": segments,
        "fields": python_to_javascript.fields_of_names(),
    }


def _unplayable(run: Run) -> str:
    """Return why a page cannot play the games of a run again; "" if it can."""
    try:
        contents = manifest.playable(run.path)
    except UserError:
        return "This version of the lab does not know the rules of these games"
    if not compile_cache.same_games(contents.engine):
        return "These games were played by another version of the lab"
    if own_functions(contents.ruleset.data):
        return "House rules of these games call a Python function, which no page can run"
    functions = build.functions()
    for name in contents.plan.library():
        strategy: Any = contents.plan.strategy(name)
        if strategy.function not in functions or strategy.source:
            return f"{name} is a strategy in Python, which no page can run"
        if strategy.network:
            return f"{name} has a network of its own, which is not in this file"
    return ""


# --- The file

TEMPLATE = """
<script type="application/json" id="newdawn-index">{{ index }}</script>
<script type="text/plain" id="newdawn-bytes">{{ content }}</script>
<script>
{{ script }}
</script>
"""
HEAD = """
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' blob: 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'">
<style>.exploring body > :not(#newdawn-wrong) { display: none; }
#newdawn-games { padding: .5rem 1rem; margin: 0; border-bottom: 2px solid; }</style>
<script>if (/^#explore\\//.test(location.hash)) document.documentElement.classList.add("exploring");</script>
"""  # noqa: E501
LINE = """
<nav id="newdawn-games" aria-label="Games"><a href="#explore/leaders"><b>Explore the {{ games }} games of this report</b></a>:
filters, tables,{{ replays }} all of it in this file.<noscript> The games need JavaScript.</noscript></nav>
"""


def _with(report: str, files: Mapping[str, bytes], script: str, loaded: Loaded) -> str:
    """Return the page of the report with the files and the script that opens them."""
    index, at, packed_files = {}, 0, []
    for name, content in files.items():
        small = squeezed(content)
        index[name] = [at, len(small)]
        at += len(small)
        packed_files.append(small)
    environment = jinja2.Environment(autoescape=False, undefined=jinja2.StrictUndefined)
    end = environment.from_string(TEMPLATE).render(
        index=json.dumps(index), content=base64.b64encode(b"".join(packed_files)).decode(), script=script
    )
    replays = " replays;" if "engine.wasm" in files else ""
    line = environment.from_string(LINE).render(games=f"{len(loaded.games):,}", replays=replays)
    head, _, body = report.partition("</head>")
    body, _, last = body.rpartition("</body>")
    report = f"{head}{HEAD}</head>{body}{end}</body>{last}"
    return re.sub(r"(<body[^>]*>)", lambda tag: tag[1] + line, report, count=1)
