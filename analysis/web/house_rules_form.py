"""House rules by form: the numbers, switches and choices of `newdawn rules list`, and what they change in the RULES record.

The page cannot read YAML. At build time each value is compiled (`form_of`), and the cells of the record that it changes are
listed; engine.js writes them. Three things depend on many values and are worked out in the page as in `rules/compile.py`:
which abilities and victory cards have rows, and fields that follow from others (FOLLOWING). Values that otherwise change the
same cell are compiled together, or left out with the reason.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import combinations, product
from typing import Any, Literal, get_args, get_origin

import numpy as np

from ...simulator import names
from ...simulator.errors import UserError
from ...simulator.rules import codes, edit, load_ruleset
from ...simulator.rules.board_models import alternatives, bounds
from ...simulator.rules.compile import ALL_IN_PLAY, agenda_keys, victory_card_ids
from ...simulator.rules.load import compiled, compiled_with
from ...simulator.rules.overlay import WHOLE, Changeable, changeable
from ...simulator.rules.record import RULES
from ...simulator.rules.ruleset_contents import section

ABILITY = [name for name in RULES.names or () if name.startswith("ability_")]
FIRST = [name.removesuffix("_first") for name in RULES.names or () if name.endswith("_first")]
HOLDERS = [kind for kind in FIRST if f"{kind}_n" in (RULES.names or ())]
AGENDA = [name for name in RULES.names or () if name.startswith("agenda_") and name != "agenda_title"]
BLANK = dict.fromkeys(("agenda_name", "agenda_type", "agenda_kind", "agenda_kind2"), -1)  # of an absent card
# Fields that the page works out (engine.js, `follow`).
FOLLOWING = (
    "n_abilities", "timed_abilities", "n_victory_cards", "victory_fort", "victory_must_stay", "agendas_beyond", "claims_spared",
    "deck_size_max", "scored", "win_percent", "wonders_of_type_n", "wonders_of_type",
)  # fmt: skip
WORKED_OUT = {*ABILITY, *AGENDA, *FOLLOWING, *(f"{kind}_{part}" for kind in HOLDERS for part in ("first", "n"))}
# Some values are refused by the checks unless others are set: they are compiled with these.
BESIDE: tuple[dict[str, Any], ...] = (
    {},
    {"scores.points.victory_cards": 2, "scores.after_round": 10},
    {"scores.points.victory_cards": 2, "scores.first_to": 10},
    {"scores.points.cities": 2, "scores.after_round": 10},
    {"teams.partners": names.PARTNERS[1]},
)
MOST_TOGETHER = 64  # combinations compiled together
MOST_VALUES = 130  # values of a number compiled one by one
Cell = tuple[Any, ...]  # ("r", byte, type), ("a", ability, column), ("g", card, agenda, column)


@dataclass
class FormRow:
    """A value of the form."""

    key: str
    kind: str  # number, switch, choice
    value: Any  # the printed value
    values: list[Any]  # all values that the models allow
    cells: list[Cell] = field(default_factory=list)
    line: list[list[int]] | None = None  # by cell factor and summand, if all cells are linear in the number
    table: dict[str, list[int]] | None = None  # else by value the numbers of the cells
    unread: dict[str, list[str]] = field(default_factory=dict)  # by value the keys that are then without effect


def values_of(key: Changeable) -> list[Any] | None:
    """Return the values that the models allow; None if the key is not a number, switch or choice."""
    values: list[Any] = []
    for kind, meta in alternatives(key.kind, key.meta):
        if kind is bool:
            values += [False, True]
        elif kind is int:
            low, high = bounds(meta)
            if high is None:
                return None
            values += range(low, high + 1)
        elif get_origin(kind) is Literal:
            values += get_args(kind)
        else:
            return None
    return values


def kind_of(key: Changeable, values: Sequence[Any]) -> str:
    """Return whether a key is a switch, number or choice."""
    if isinstance(key.value, bool):
        return "switch"
    return "number" if all(type(value) is int for value in values) else "choice"


def word(value: Any) -> str:
    """Return a value as the key of a table in JSON, as JavaScript's String() writes it."""
    return json.dumps(value) if not isinstance(value, str) else value


class Printed:
    """The printed game of a box, compiled, and with changes."""

    def __init__(self, box: str) -> None:
        self.ruleset = load_ruleset(box=box)
        self.data = self.ruleset.data
        self.record, self.read = compiled(self.data)
        self.order = sorted(
            (int(self.record[f"{kind}_first"][code]), int(n > 0), HOLDERS.index(kind), code)
            for kind in HOLDERS
            for code, n in enumerate(self.record[f"{kind}_n"])
            if n > 0 or self.record[f"{kind}_first"][code] > 0
        )
        self.cards = victory_card_ids(self.data)
        self.agendas = [[key for _, key in agenda_keys(self.card(key), names_of_agendas(self.record))] for key in self.cards]

    def card(self, key: str) -> Mapping[str, Any]:
        """Return a victory card of the data."""
        card: Mapping[str, Any] = self.data["victory_cards"][section(self.data)][key]
        return card

    def changed(self, values: Mapping[str, Any]) -> tuple[np.record, set[str]] | None:
        """Return the record compiled with other values, and the paths that were read; None if they are refused."""
        try:
            return compiled_with(self.ruleset, nested(values), "form")
        except UserError:
            return None

    def differences(self, r: np.record, base: np.record) -> dict[Cell, int]:
        """Return the cells in which a record differs from another, if their abilities and cards have the same rows."""
        cells: dict[Cell, int] = {}
        for name, place in (RULES.fields or {}).items():
            if name in WORKED_OUT:
                continue
            new, old = np.atleast_1d(r[name]).ravel(), np.atleast_1d(base[name]).ravel()
            for at in np.flatnonzero(new != old):
                cells["r", place[1] + int(at) * new.itemsize, new.dtype.str[1:]] = int(new[at])
        if r.n_abilities == base.n_abilities:
            for column, name in enumerate(ABILITY):
                for row in np.flatnonzero(r[name] != base[name]):
                    cells["a", int(row), column] = int(r[name][row])
        if r.n_victory_cards == base.n_victory_cards and not (r.agenda_name != base.agenda_name).any():
            for column, name in enumerate(AGENDA):
                for card, half in zip(*np.nonzero(r[name] != base[name]), strict=True):
                    nth = min(int(half), len(self.agendas[card]) - 1)
                    cells["g", int(card), nth, column] = int(r[name][card, half])
        return cells


def names_of_agendas(r: np.record) -> list[str]:
    """Return the names of the agendas by their codes."""
    from ...simulator.rules.ruleset_contents import written

    return written(r, "agenda")


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of a house-rule file with these values."""
    whole: dict[str, Any] = {}
    for path, value in values.items():
        node = whole
        *steps, last = path.split(".")
        for step in steps:
            node = node.setdefault(step, {})
        node[last] = value
    return whole


# --- The form of a box


def form_of(box: str, patterns: Sequence[str] = ("*",)) -> dict[str, Any]:
    """Return the form of a box for engine.js, of the keys that fit one of the patterns.

    Keys of `rules list` that it lacks are under `left`, with the reason.
    """
    printed = Printed(box)
    rows: dict[str, FormRow] = {}
    left: list[tuple[str, str]] = []
    for key in changeable(printed.data):
        if not any(fnmatchcase(key.path, pattern) for pattern in patterns):
            continue
        values = values_of(key)
        if values is None:
            left.append((key.path, "is not a number, switch or choice"))
        elif key.path.startswith(WHOLE):
            left.append((key.path, "is written as a whole, with its neighbours"))
        else:
            row = FormRow(key.path, kind_of(key, values), key.value, values)
            reason = fill(printed, row)
            if reason:
                left.append((key.path, reason))
            else:
                rows[key.path] = row
    joined, gone = together(printed, rows)
    left += gone
    about = {entry.path: entry for entry in edit.keys(printed.ruleset)}
    return {
        "box": box,
        "rows": [shown(row, printed, about[path]) for path, row in rows.items()],
        "joined": joined,
        "abilities": abilities_of(printed, rows),
        "victory": victory_of(printed),
        "limits": [without(limit, rows, printed.data) for limit in limits_of(printed)],
        "following": following_of(printed),
        "left": left,
    }


def fill(printed: Printed, row: FormRow) -> str:
    """Compile a row at its values; return why it cannot be in the form, "" if it can."""
    numbers = row.kind == "number"
    values = sample(row.values, row.value) if numbers else row.values
    for beside in BESIDE:
        if row.key not in beside and len(changes := tried(printed, row, values, beside)) > 1:
            break
    else:
        return "has no other value that the checks allow"
    if numbers and (line := in_line(changes, printed, row)):
        row.line = line
        return ""
    if numbers:
        if len(row.values) > MOST_VALUES:
            return "changes the record in no simple way"
        changes = tried(printed, row, row.values, beside)
    row.cells = touched(changes)
    before = [cell_of(printed.record, cell) for cell in row.cells]
    row.table = {
        word(value): [cells.get(cell, old) for cell, old in zip(row.cells, before, strict=True)]
        for value, cells in changes.items()
    }
    return ""


def touched(changes: Mapping[Any, Mapping[Cell, int]]) -> list[Cell]:
    """Return the cells that some value changes."""
    return sorted({cell for cells in changes.values() for cell in cells}, key=str)


def sample(values: Sequence[int], value: int) -> list[int]:
    """Return some of the values of a number: the ends, the middle, and those around the printed one."""
    return sorted({values[0], values[len(values) // 2], values[-1], value - 1, value, value + 1} & set(values))


def tried(printed: Printed, row: FormRow, values: Sequence[Any], beside: Mapping[str, Any]) -> dict[Any, dict[Cell, int]]:
    """Return, by value, the cells that it changes, for the values that the checks allow `beside` others."""
    base = printed.changed(beside)
    assert base is not None
    changes: dict[Any, dict[Cell, int]] = {row.value: {}}
    for value in values:
        result = None if value == row.value else printed.changed({**beside, row.key: value})
        if result is None:
            continue
        r, read = result
        changes[value] = printed.differences(r, base[0])
        if unread := sorted(base[1] - read - {row.key}):
            row.unread[word(value)] = unread
    return changes


def in_line(changes: Mapping[int, Mapping[Cell, int]], printed: Printed, row: FormRow) -> list[list[int]] | None:
    """Set the row's cells; return factor and summand of each if all are linear in the number, else None."""
    row.cells, line = touched(changes), []
    for cell in row.cells:
        old = cell_of(printed.record, cell)
        points = sorted((value, cells.get(cell, old)) for value, cells in changes.items())
        (x, y), (x2, y2) = points[0], points[-1]
        factor = (y2 - y) // (x2 - x)
        if any(number != y + factor * (value - x) for value, number in points):
            return None
        line.append([factor, y - factor * x])
    return line


def cell_of(r: np.record, cell: Cell) -> int:
    """Return the number in a cell of the printed record."""
    if cell[0] == "r":
        return int(np.frombuffer(r.tobytes(), cell[2], 1, cell[1])[0])
    if cell[0] == "a":
        return int(r[ABILITY[cell[2]]][cell[1]])
    return int(r[AGENDA[cell[3]]][cell[1], cell[2]])


def together(printed: Printed, rows: dict[str, FormRow]) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    """Compile together the rows that change the same cell; remove those with too many values from `rows`.

    Returns the groups, and the removed keys with the reason.
    """
    users: dict[Cell, list[str]] = {}
    for key, row in rows.items():
        for cell in row.cells:
            users.setdefault(cell, []).append(key)
    groups: list[set[str]] = []
    for keys in users.values():
        if len(keys) > 1:
            met = [group for group in groups if group & set(keys)]
            groups = [group for group in groups if group not in met] + [set(keys).union(*met)]
    joined: list[dict[str, Any]] = []
    removed: list[tuple[str, str]] = []
    for group in sorted(groups, key=min):
        keys = sorted(group)
        if add_up(printed, [rows[key] for key in keys]):
            continue
        if np.prod([len(rows[key].values) for key in keys]) > MOST_TOGETHER:
            reason = f"is one of {len(keys)} keys that change the same part of the rules, too many to be joined: {keys[0]}, …"
            removed += [(key, reason) for key in keys]
            for key in keys:
                del rows[key]
            continue
        outcomes: dict[str, dict[Cell, int]] = {}
        for values in product(*(rows[key].values for key in keys)):
            other_values = {key: value for key, value in zip(keys, values, strict=True) if value != rows[key].value}
            changes = allowed(printed, other_values)
            if changes is not None:
                outcomes["|".join(map(word, values))] = changes
        cells = touched(outcomes)
        before = [cell_of(printed.record, cell) for cell in cells]
        table = {
            value: [one.get(cell, old) for cell, old in zip(cells, before, strict=True)] for value, one in outcomes.items()
        }
        joined.append({"keys": keys, "cells": cells, "table": table})
        for key in keys:
            rows[key].cells, rows[key].line, rows[key].table = [], None, None
    return joined, removed


def allowed(printed: Printed, values: Mapping[str, Any]) -> dict[Cell, int] | None:
    """Return the cells that values change together; None if the checks refuse them, even with fewer cards needed to win."""
    if not values:
        return {}
    if alone := printed.changed(values):
        return printed.differences(alone[0], printed.record)
    fewer = {f"victory_cards.rules.{section(printed.data)}.cards_needed": 1}
    base, result = printed.changed(fewer), printed.changed({**fewer, **values})
    return printed.differences(result[0], base[0]) if base and result else None


def numbers_at(row: FormRow, value: Any) -> list[int]:
    """Return the numbers of the cells of a row for a value."""
    if row.line is not None:
        return [factor * value + summand for factor, summand in row.line]
    return (row.table or {})[word(value)]


def add_up(printed: Printed, rows: Sequence[FormRow]) -> bool:
    """Return whether the changes of rows add up in their common cells, tested at several values for all and for each two."""
    for nth in range(3):
        values = {row.key: [value for value in sample_of(row) if value != row.value] for row in rows}
        asked = {key: some[nth % len(some)] for key, some in values.items() if some}
        for chosen in (asked, *({one: asked[one], other: asked[other]} for one, other in combinations(sorted(asked), 2))):
            result = printed.changed(chosen)
            if result is None:
                return False
            more: Counter[Cell] = Counter()
            for row in rows:
                if row.key in chosen:
                    now, old = numbers_at(row, chosen[row.key]), numbers_at(row, row.value)
                    for cell, a, b in zip(row.cells, now, old, strict=True):
                        more[cell] += a - b
            wanted = {cell: cell_of(printed.record, cell) + by for cell, by in more.items() if by}
            if printed.differences(result[0], printed.record) != wanted:
                return False
    return True


def sample_of(row: FormRow) -> list[Any]:
    """Return some values of a row; of a number small ones, so that sums stay valid."""
    if row.line is None:
        return [value for value in row.values if word(value) in (row.table or {})][:4]
    return row.values[:4]


# --- Rows on the page

STEMS = {
    "components": "Pieces and set-up", "dials": "Dials", "focus_cards": "Focus cards", "leaders": "Leaders",
    "wonders": "World wonders", "city_states": "City-states", "diplomacy": "Diplomacy cards",
    "natural_wonders": "Natural wonders", "victory_cards": "Victory cards and winning", "everyone": "Every player",
    "scores": "Victory points", "teams": "Teams", "tiles": "Map tiles", "map": "Map", "map_layouts": "Map",
    "governments": "Governments", "districts": "Districts", "rulings": "Open readings",
}  # fmt: skip
UNSAID = {"abilities", "agendas", "base", "ti", "tiles", "governments", "districts", "condition", "rules", "base_and_ti"}


def shown(row: FormRow, printed: Printed, about: Any) -> dict[str, Any]:
    """Return a row for the page and for engine.js."""
    stem = row.key.partition(".")[0]
    entry: dict[str, Any] = {
        "key": row.key, "title": title(row.key, printed.data), "section": STEMS.get(stem, stem), "text": about.text,
        "kind": row.kind, "value": row.value,
    }  # fmt: skip
    whole = row.values == list(range(row.values[0], row.values[-1] + 1)) if row.kind == "number" else False
    if whole and row.table is None:
        entry |= {"least": row.values[0], "most": row.values[-1]}
    elif row.table is not None:
        entry["values"] = [value for value in row.values if word(value) in row.table]
    else:
        entry["values"] = row.values
    if row.cells:
        entry["cells"] = row.cells
        entry |= {"line": row.line} if row.line is not None else {"table": row.table}
    if row.unread:
        entry["unread"] = row.unread
    return entry


def title(key: str, data: Mapping[str, Any]) -> str:
    """Return a key in words: the name of the thing, then the rest."""
    parts: list[str] = []
    node: Any = data
    for step in key.split(".")[:-1]:
        node = node.get(step) if isinstance(node, Mapping) else None
        name = (node.get("civ") or node.get("name") or node.get("names")) if isinstance(node, Mapping) else None
        if isinstance(name, str):
            parts.append(name)
        elif parts and step not in UNSAID:
            parts.append(step.replace("_", " "))
    last = key.rpartition(".")[2].replace("_", " ")
    steps = key.split(".")
    if not parts:
        parts = [step.replace("_", " ") for step in steps[1:-1] if step not in UNSAID][-2:]
    text = ": ".join([*parts, last])
    return text[0].upper() + text[1:]


# --- Abilities and victory cards, whose rows the page works out


def abilities_of(printed: Printed, rows: Mapping[str, FormRow]) -> dict[str, Any]:
    """Return the abilities in the order of their rows, with their holders and the switches that remove them."""
    r, order = printed.record, printed.order
    holders = [
        {"first": cell(f"{HOLDERS[kind]}_first", code), "n": cell(f"{HOLDERS[kind]}_n", code)} for _, _, kind, code in order
    ]
    abilities: list[dict[str, Any]] = []
    for holder, (_, _, kind, code) in enumerate(order):
        abilities += [{"holder": holder, "switches": []} for _ in range(int(r[f"{HOLDERS[kind]}_n"][code]))]
    for key in rows:
        if not key.endswith((".works", ".ability_works")):
            continue
        result = printed.changed({key: False})
        if result is None:
            continue
        lost = [
            holder
            for holder, (_, _, kind, code) in enumerate(order)
            if result[0][f"{HOLDERS[kind]}_n"][code] < r[f"{HOLDERS[kind]}_n"][code]
        ]
        for row in gone(printed, key, lost):
            abilities[row]["switches"].append(key)
    columns = [place(name) for name in ABILITY]
    timed = [ABILITY.index("ability_from_round"), ABILITY.index("ability_until_round")]
    return {"rows": abilities, "holders": holders, "columns": columns, "most": names.MAX_ABILITIES, "timed": timed}


def gone(printed: Printed, key: str, holders: Sequence[int]) -> Iterator[int]:
    """Yield the rows of abilities that a switch removes: all of the holders that lose some, or only its own."""
    for holder in holders:
        first, _, kind, code = printed.order[holder]
        n = int(printed.record[f"{HOLDERS[kind]}_n"][code])
        if key.endswith(".ability_works"):
            yield from range(first, first + n)
            continue
        path, _, rest = key.partition(".abilities.")
        abilities: Any = printed.data
        for step in [*path.split("."), "abilities"]:
            abilities = abilities[step]
        keys = sorted(abilities, key=lambda name: (codes.EFFECTS.index(abilities[name]["effect"]), name))
        yield first + keys.index(rest.partition(".")[0])


def victory_of(printed: Printed) -> dict[str, Any]:
    """Return the victory cards in the order of their codes, with the switches of cards and agendas."""
    box, r = section(printed.data), printed.record
    cards = []
    for code, key in enumerate(printed.cards):
        path = f"victory_cards.{box}.{key}"
        agendas = [
            {
                "switch": f"{path}.agendas.{word}.available",
                "half": half,
                "stays": bool(printed.card(key)["agendas"][word].get("must_stay_true")),
            }
            for half, word in enumerate(printed.agendas[code])
        ]
        cards.append({"switch": f"{path}.available", "fort": int(r.victory_fort[code]), "agendas": agendas})
    columns = [[*place(name), BLANK.get(name, 0)] for name in AGENDA]
    beyond = [metric for metric in range(len(names.METRICS)) if names.BEYOND_PRINT[int(r.box)] >> metric & 1]
    return {
        "cards": cards,
        "columns": columns,
        "beyond": beyond,
        "metrics": [AGENDA.index("agenda_metric"), AGENDA.index("agenda_metric2")],
    }


def place(name: str) -> list[Any]:
    """Return the offset of a field of the record, and its type."""
    fields: Mapping[str, Any] = RULES.fields or {}
    kind, at = fields[name][:2]
    return [at, kind.base.str[1:]]


def cell(name: str, at: int) -> list[Any]:
    """Return the offset of an entry of a field, and its type."""
    start, kind = place(name)
    return [start + at * np.dtype(kind).itemsize, kind]


def following_of(printed: Printed) -> dict[str, Any]:
    """Return the inputs of FOLLOWING that are not in the record."""
    key = f"victory_cards.rules.{section(printed.data)}.cards_needed"
    return {"needed": key, "printed": value_at(printed.data, key), "all": ALL_IN_PLAY, "lead": names.MAX_LEAD}


# --- Limits on several values together (rules/checks.py)


def limits_of(printed: Printed) -> list[dict[str, Any]]:
    """Return the limits on sums of several values, each with its message.

    A switch counts 1 if it is on, [key, value] if the key has that value, [key, null] if it is not 0.
    """
    data, box = printed.data, section(printed.data)
    limits: list[dict[str, Any]] = []

    def limit(text: str, terms: Sequence[tuple[int, Any]], most: int, only: Sequence[Any] = ()) -> None:
        limits.append({"text": text, "terms": [list(term) for term in terms], "most": most, "if": list(only)})

    for players, eras in data["components"]["wonder_decks"][box].items():
        place_ = f"components.wonder_decks.{box}.{players}"
        limit(
            f"{place_}: expected at most {names.DECK_SIZE} cards a type",
            [(1, f"{place_}.{era}") for era in eras],
            names.DECK_SIZE,
        )
    tech = data["dials"]["tech_dial"]
    last = "dials.tech_dial.last_space"
    for key in ("start", "after_last"):
        limit(f"dials.tech_dial.{key}: expected at most the last space", [(1, f"dials.tech_dial.{key}"), (-1, last)], 0)
    limit(f"{last}: expected at least the last space with a level", [(-1, last)], -max(map(int, tech["level_spaces"])))
    event = f"dials.event_dial_{box}"
    limit(
        f"{event}.start_section: expected one of its sections",
        [(1, f"{event}.start_section")],
        len(data["dials"][f"event_dial_{box}"]["sections"]),
    )
    leaders = [(-1, f"leaders.{key}.available") for key in data["leaders"]]
    limit("leaders: expected at least 2 available leaders", leaders, -2)
    deal = f"components.leader_deal.{box}"
    dealt = [(2, f"{deal}.leaders_per_player"), (2, f"{deal}.bans_per_player")]
    limit(f"{deal}: the leaders available do not do for two players", [*dealt, *leaders], 0)
    left = names.LEADER_SOURCES[names.FROM_ALL_LEFT]
    limit(
        f"{deal}.leaders_per_player: expected 1 with choose_from: {left}",
        [(1, f"{deal}.leaders_per_player")],
        1,
        [[f"{deal}.choose_from", left]],
    )
    wonders = [f"wonders.{key}.type" for key in data["wonders"]]
    for kind in {wonder["type"]: None for wonder in data["wonders"].values()}:
        terms = [(1, [key, kind]) for key in wonders]
        limit(f"wonders: at most {names.DECK_SIZE} wonders of a type, {kind} has more", terms, names.DECK_SIZE)
    for path in [key.path for key in changeable(data) if key.path.endswith(".convert_token.limit")]:
        amount = f"{path.removesuffix('limit')}amount"
        limit(f"{path}: expected at most the tokens named (amount)", [(1, path), (-1, amount)], 0)
    cards = data["victory_cards"][box]
    for key, card in cards.items():
        agendas = [(-1, f"victory_cards.{box}.{key}.agendas.{name}.available") for name in card["agendas"]]
        limit(f"victory_cards.{box}.{key}: cannot be without both agendas: make the card itself unavailable", agendas, -1)
    rules = data["victory_cards"]["rules"][box]
    path = f"victory_cards.rules.{box}"
    in_play = [key for key in ("cards_in_play", "random_cards_in_play", "fort_cards_in_play") if key in rules]
    for key in in_play:
        there = [
            (-1, f"victory_cards.{box}.{name}.available")
            for name, card in cards.items()
            if bool(card.get("fort")) == (key == "fort_cards_in_play")
        ]
        limit(f"{path}.{key}: expected at most the cards available", [(1, f"{path}.{key}"), *there], 0)
    always = [(1, f"victory_cards.{box}.{name}.always_in_play") for name, card in cards.items() if not card.get("fort")]
    for _, key in always:
        absent = [key.replace("always_in_play", "available"), False]
        limit(f"{key}: cannot be true of a card that is not in the game", [(1, key)], 0, [absent])
    drawn = (-1, f"{path}.{'cards_in_play' if 'cards_in_play' in rules else 'random_cards_in_play'}")
    limit(f"{path}: expected no more cards that are always in play than are in play", [*always, drawn], 0)
    counted = [(1, f"{path}.{key}") for key in in_play]
    limit(f"{path}: expected at most {names.MAX_IN_PLAY} victory cards in play", counted, names.MAX_IN_PLAY)
    limit(f"{path}: expected at least 1 victory card in play", [(-1, key) for _, key in counted], -1)
    limit(
        f"{path}.cards_needed: expected at most the cards in play",
        [(1, f"{path}.cards_needed"), *((-1, key) for _, key in counted)],
        0,
    )
    points = [(1, [f"scores.points.{name}", None]) for name in data["scores"]["points"]]
    ends = [(1, ["scores.after_round", None]), (1, ["scores.first_to", None])]
    for key in ("after_round", "first_to"):
        limit("scores.points: expected points for something", [(-1, term) for _, term in points], -1, [[f"scores.{key}", None]])
    for name in data["scores"]["points"]:
        limit(
            "scores: expected after_round or first_to, or both: points alone decide nothing",
            [(-1, term) for _, term in ends],
            -1,
            [[f"scores.points.{name}", None]],
        )
    limit(
        "scores.printed_victory: cannot be false without points that win: expected after_round or first_to",
        [(-1, term) for _, term in ends],
        -1,
        [["scores.printed_victory", False]],
    )
    limit(
        "teams.victory: says nothing without partners: expected teams.partners as well",
        [(1, ["teams.partners", names.PARTNERS[0]])],
        0,
        [["teams.victory", names.TEAM_WINS[1]]],
    )
    limits += tile_limits(printed)
    return limits


def without(limit: dict[str, Any], rows: Mapping[str, FormRow], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the limit with the printed values of keys that are not in the form."""
    terms, most = [], limit["most"]
    for factor, term in limit["terms"]:
        if isinstance(term, str) and term not in rows:
            value = value_at(data, term)
            most -= factor * (value if isinstance(value, int) else 0)
        else:
            terms.append([factor, term])
    return {**limit, "terms": terms, "most": most}


def value_at(data: Mapping[str, Any], path: str) -> Any:
    """Return the printed value at a path; switches that are not written are on."""
    node: Any = data
    for step in path.split("."):
        if step not in node:
            return True
        node = node[step]
    return node


def tile_limits(printed: Printed) -> list[dict[str, Any]]:
    """Return the limits on the tiles in the game."""
    data, box = printed.data, section(printed.data)
    setup = data["components"]["map_setup"][box]
    players = max(int(count) for count in data["components"]["players"][box])
    by_kind: dict[str, list[str]] = {}
    for number, tile in data["tiles"]["tiles"].items():
        by_kind.setdefault(tile["kind"], []).append(f"tiles.tiles.{number}.available")
    limits: list[dict[str, Any]] = []
    path = f"components.map_setup.{box}"
    others = [(-1, key) for kind, keys in by_kind.items() if kind != "capital" for key in keys]
    capitals = [(-1, key) for key in by_kind["capital"]]
    limits.append(
        {
            "text": f"tiles.tiles: expected at least {players} available tiles of kind capital",
            "terms": capitals,
            "most": -players,
        }
    )
    if box == "base":
        mix = [(1, f"{path}.core_mix.{kind}") for kind in setup["core_mix"]]
        for kind in setup["core_mix"]:
            terms = [(1, f"{path}.core_mix.{kind}"), *((-1, key) for key in by_kind[kind])]
            limits.append({"text": f"tiles.tiles: too few available tiles of kind {kind}", "terms": terms, "most": 0})
        terms = [*mix, (players, f"{path}.dealt_tiles_per_player"), *others]
        limits.append({"text": "tiles.tiles: too few available tiles without a star", "terms": terms, "most": 0})
    else:
        terms = [(1, f"{path}.core_tiles.{players}"), *others]
        limits.append({"text": "tiles.tiles: too few available tiles without a star", "terms": terms, "most": 0})
        room = names.MAX_SPACES - names.MAX_PLAYERS - players * names.TILE_SPACES
        terms = [(1, f"components.shared.{box}.water_tokens"), *((names.TILE_SPACES, key) for _, key in others)]
        limits.append({"text": "tiles.tiles: too many available tiles without a star", "terms": terms, "most": room})
    return [{**limit, "terms": [list(term) for term in limit["terms"]], "if": []} for limit in limits]
