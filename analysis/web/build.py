"""Writes the folder of the lab in a page: start with `build`.

engine.wasm             the compiled functions (engine/compile/webassembly.py)
engine.json             for engine.js: records, columns, players with their weights
rules-BOX.bin           the printed game, as the RULES record
form-BOX.json           house rules that a form can change, and the bytes of the record that they change (house_rules_form.py)
networks/*.bin          networks of learned players; fetched when one is to play
words.json, files.json  texts and constants of the page; files that it keeps for use without a network (page_texts.py)
the files of static/    the page, and engine.js
table.html, …           where people play and watch (at_table.py)
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from ...simulator import compile_cache, file_ownership, names
from ...simulator.engine import known_to_seat, setup, turn
from ...simulator.engine import map as game_map
from ...simulator.errors import UserError, counted
from ...simulator.rules import describe_diff, load_ruleset
from ...simulator.rules.load import own_functions
from ...simulator.rules.record import RULES
from ...simulator.rules.ruleset_contents import written
from ...simulator.rules.show import patch_notes
from ...simulator.runs import columns, kernel
from ...simulator.runs.run_folder import tables_in, victory_card_names
from ...simulator.runs.run_plan import MAX_ROUND_CAP, MIN_PLAYERS, ROUND_CAP
from ...strategies import explained_choices, network_files, registry
from ...strategies.learned import candidate_turns, lookahead, value
from ...strategies.planning import planner, weights
from .at_table import table_files
from .house_rules_form import form_of
from .page_texts import page_files, words


def _place(function: Any) -> str:
    """Return a function as module:name."""
    return f"{function.__module__}:{function.__name__}"


PLAY = _place(kernel.play_batch)
OPEN, STEP = _place(kernel.open_game), _place(turn.play_step)  # to play one game turn by turn
# For a seat at the table (games/sitting.js): what lays a tile in a copy of the game, and what the thinker's hints ask.
AT_TABLE = {
    name: _place(function)
    for name, function in {
        "forget": kernel.forget, "rebuildGrid": game_map.rebuild_grid, "layAt": game_map.lay_at,
        "clearSpaces": setup.clear_spaces, "clearThings": setup.clear_things, "clearSeats": setup.clear_seats,
        "hideUnknown": known_to_seat.hide_unknown, "prepare": planner.prepare, "chooseWay": candidate_turns.choose_way,
        "readShares": lookahead.read_shares, "forgetScores": value.forget_scores, "readChances": value.read_chances,
    }.items()
}  # fmt: skip
# By the function of a strategy, the one that makes the same choices and also gives its reasons.
TOLD = {_place(a): _place(b) for a, b in explained_choices.EXPLAINED.items()}
NETWORKS = {"newdawn.networks": network_files.VALUE, "newdawn.policies": network_files.POLICY}  # symbols in compiled code
WHAT, OPTION = "page", "DIR"
PLACE = 1  # of a network in its store; a page has one of each kind at a time
ROWS = {
    "games": columns.GAME_ROW, "seats": columns.SEAT_ROW, "wonders": columns.WONDER_ROW, "agendas": columns.AGENDA_ROW,
}  # fmt: skip


def build(folder: Path, boxes: Iterable[str] = names.BOXES, note: Callable[[str], None] = lambda _: None) -> list[str]:
    """Write the page for the boxes into the folder and return the names of its files; other files there are left alone.

    `note` hears the progress. Raises UserError if this installation cannot build it, the folder cannot be written to, or a
    file of someone else would be overwritten.
    """
    from ...simulator.engine.compile import webassembly

    boxes = [box for box in names.BOXES if box in set(boxes)]
    files = dict(static_files())
    file_ownership.check_files(folder, files, WHAT, OPTION)
    files["engine.wasm"] = webassembly.built(functions(boxes), list(NETWORKS), boxes, note)
    about: dict[str, Any] = {}
    for box in boxes:
        r = load_ruleset(box=box).compile()
        files[f"rules-{box}.bin"] = r.tobytes()
        files |= networks_of(box)
        note(f"{box}: the form of house rules, a minute or two unless it is kept")
        files[f"form-{box}.json"] = form = cached_form(box)
        for reason, n in Counter(reason for _, reason in json.loads(form)["left"]).items():
            note(f"{box}: {counted(n, 'key')} of `rules list` not in the form: {reason}")
        about[box] = about_box(box, r, playing(box))
    files["engine.json"] = _json(about_engine(turns=True) | {"boxes": about})
    files |= table_files(boxes, files)
    files["words.json"] = _json(words())
    files |= page_files(files)
    file_ownership.write_files(folder, files, WHAT, OPTION)
    return sorted(files)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def cached_form(box: str) -> bytes:
    """Return the form of a box, cached with the compiled functions until the rules or their code change."""
    from ...simulator.engine.compile import code_files

    root = compile_cache.ROOT
    sources = [*sorted((root / "simulator").rglob("*.py")), *sorted((root / "simulator" / "data").rglob("*.yaml"))]
    digest = hashlib.sha256(box.encode())
    for path in (*sources, Path(__file__).with_name("house_rules_form.py")):
        digest.update(path.read_bytes())
    owner, folder = digest.hexdigest().encode(), code_files.FOLDER
    cached = folder / f"form-{box}-{digest.hexdigest()[:16]}.json" if folder else None
    if cached and cached.is_file() and (content := code_files.unseal(owner, cached.read_bytes())):
        return content
    content = _json(form_of(box))
    if cached:
        compile_cache.make(cached.parent)
        file_ownership.write_whole(cached, code_files.seal(owner, content), lasting=False)
    return content


def pack(ruleset: Any) -> bytes:
    """Return house rules as a file that the page opens: the compiled record, as text, and a check sum of what is before it.

    Raises UserError if they call functions of the user's.
    """
    if own := own_functions(ruleset.data):
        raise UserError(f"{own[0]}: a page has no functions of your own; expected house rules without `own_function`")
    r, printed = ruleset.compile(), load_ruleset(box=ruleset.box)
    about = {
        "newdawn": compile_cache.source_digest(), "box": ruleset.box, "name": ruleset.name,
        "descriptions": ruleset.descriptions, "changes": describe_diff(ruleset, printed),
        "notes": [str(note) for note in patch_notes(ruleset.data, printed.data)],
        "digest": ruleset.digest(), "data": ruleset.data, "rules": base64.b64encode(r.tobytes()).decode(),
    }  # fmt: skip
    content = _json(about).removesuffix(b"}")
    return b'%s,"sum":%d}' % (content, zlib.crc32(content))


def functions(boxes: Iterable[str] = names.BOXES) -> list[str]:
    """Return the functions for pages (module:name): those that play games, and the strategies of the boxes, with and without
    reasons."""
    chosen = {strategy.function for box in boxes for strategy in playing(box)}
    return sorted({PLAY, OPEN, STEP, *AT_TABLE.values(), *chosen, *(TOLD[function] for function in chosen if function in TOLD)})


def static_files() -> Iterable[tuple[str, bytes]]:
    """Yield name and content of the files of the page that are the same in every build."""
    folder = resources.files(__package__) / "static"
    yield from (
        (file.name, file.read_bytes()) for file in sorted(folder.iterdir(), key=lambda file: file.name) if file.is_file()
    )


# --- engine.json


def about_engine(turns: bool = False) -> dict[str, Any]:
    """Return the records that engine.js fills and reads, and the limits of a plan; `turns`: also the state between turns."""
    from ...simulator.engine import state
    from ...simulator.engine.compile import webassembly
    from ...simulator.engine.compile.argument_types import BOTS

    records = {"rules": RULES, "seating": columns.SEATING, "bots": BOTS, **ROWS}
    if turns:
        records |= {"state": state.STATE, "work": state.WORK, "evaluation": value.EVALUATION}
    sizes = {"state": state.STATE.itemsize, "work": state.WORK.itemsize}
    sizes |= {symbol: kind.store.dtype.itemsize for symbol, kind in NETWORKS.items()}
    return {
        "version": compile_cache.source_digest(),
        "play": PLAY,
        "open": OPEN,
        "step": STEP,
        "asker": webassembly.ASKER,
        "atTable": AT_TABLE,
        "told": TOLD,
        "records": {name: layout(dtype) for name, dtype in records.items()},
        "sizes": sizes,
        "rows": {"leaders": names.MAX_LEADERS, "weights": names.WEIGHTS, "players": names.MAX_PLAYERS},
        "place": PLACE,
        "limits": {"strategies": columns.LIBRARY_SIZE, "roundCap": [1, MAX_ROUND_CAP]},
        "roundCap": ROUND_CAP,
        "names": {
            "focusTypes": names.FOCUS_TYPES, "eras": names.ERAS, "boxes": names.BOXES, "partners": names.PARTNERS,
            "teamPlayers": names.TEAM_PLAYERS,
        },
    }  # fmt: skip


def layout(dtype: np.dtype) -> dict[str, Any]:
    """Return the size of a record, and of each field its offset, type and shape."""
    fields: Mapping[str, Any] = dtype.fields or {}
    return {
        "size": dtype.itemsize,
        "fields": {
            name: [place[1], place[0].base.str[1:], *([list(place[0].shape)] if place[0].shape else [])]
            for name, place in fields.items()
        },
    }


def about_box(box: str, r: np.record, players: list[registry.Strategy]) -> dict[str, Any]:
    """Return the names of a box by code, the columns of its tables, and its strategies."""
    return {
        "players": counts_of(box),
        "leaders": written(r, "leader"),
        "wonders": written(r, "wonder"),
        "wonderTypes": [names.FOCUS_TYPES[code] for code in r.wonder_type[: r.n_wonders]],
        "wonderEras": [names.ERAS[code] for code in r.wonder_era[: r.n_wonders]],
        "victoryCards": victory_card_names(r),
        "agendas": written(r, "agenda"),
        "columns": {name: columns_of(name, box) for name in ROWS},
        "strategies": [about_player(strategy, box) for strategy in players],
        "default": registry.DEFAULT,
    }


def counts_of(box: str) -> list[int]:
    """Return the numbers of players that the box is for."""
    return list(range(MIN_PLAYERS, names.MOST_PLAYERS[box] + 1))


def columns_of(table: str, box: str) -> list[dict[str, Any]]:
    """Return the columns of a table that are fields of its rows, with their offsets and meanings."""
    listed = []
    for column in tables_in(box)[table].columns:
        if column.derived:
            continue
        field, place = ROWS[table].fields[column.field or column.name][:2]  # type: ignore[index]
        inside = int(np.ravel_multi_index(column.at, field.shape)) if column.at else 0
        about: dict[str, Any] = {
            "name": column.name, "offset": place + inside * field.base.itemsize, "kind": field.base.str[1:],
            "type": column.type, "unit": column.unit, "meaning": column.meaning,
        }  # fmt: skip
        if column.optional:
            about["null"] = column.null
        if column.words:
            about["words"] = column.words
        listed.append(about)
    return listed


# --- Players


def playing(box: str) -> list[registry.Strategy]:
    """Return the packaged strategies that play the box."""
    players = []
    for strategy in registry.STRATEGIES:
        try:
            registry.check_box(strategy, box)
        except UserError:
            continue
        players.append(strategy)
    return players


def about_player(strategy: registry.Strategy, box: str) -> dict[str, Any]:
    """Return name, function and description of a strategy, and its weights and networks by the number of players."""
    profile = strategy.resolved()
    learned = profile is not None and profile.network is not None
    counts = [players for players in counts_of(box) if not learned or players in network_files.knows(box)]
    tables: dict[str, Any] = {}
    networks: dict[str, dict[str, str]] = {}
    for players in counts:
        table = strategy.weights(players, box).copy()
        used = {
            symbol: column
            for symbol, column in zip(NETWORKS, (weights.NETWORK, weights.POLICY), strict=True)
            if learned and table[0, column] != 0
        }
        table[:, list(used.values())] = PLACE
        tables[str(players)] = sparse(table)
        networks[str(players)] = {symbol: network_name(symbol, box, players) for symbol in used}
    about = {
        "name": strategy.name, "function": strategy.function, "description": strategy.description, "slow": strategy.slow,
        "weights": tables,
    }  # fmt: skip
    return about | ({"networks": networks} if learned else {})


def sparse(table: np.ndarray) -> dict[str, Any]:
    """Return weights as the row of most leaders, and by leader the weights that differ."""
    common = Counter(row.tobytes() for row in table).most_common(1)[0][0]
    row = np.frombuffer(common, table.dtype)
    other = {
        str(code): {str(k): int(mine[k]) for k in np.flatnonzero(mine != row)}
        for code, mine in enumerate(table)
        if (mine != row).any()
    }
    return {"all": row.tolist(), "leaders": other}


def network_name(symbol: str, box: str, players: int) -> str:
    """Return the name of the file of a network."""
    path = network_files.file_of(box, players, NETWORKS[symbol])
    return f"networks/{symbol.rpartition('.')[2]}-{path.stem}.bin"


def networks_of(box: str) -> dict[str, bytes]:
    """Return the networks of the package for a box, by the names of their files."""
    files = {}
    for players in network_files.knows(box):
        for symbol, kind in NETWORKS.items():
            net, _ = network_files.read(network_files.file_of(box, players, kind), kind)
            files[network_name(symbol, box, players)] = net.tobytes()
    return files
