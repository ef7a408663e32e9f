"""Find what a name means and say all that is known about it: `newdawn rules show NAME`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ... import names
from ...errors import UserError, nearest
from ..contents import agenda_names, box_of, card_codes, entries, names_of, section, slug
from ..loading.compile_map import SIDES
from ..loading.load import Ruleset, load_ruleset
from ..loading.packaged import printed_data, ruling_options
from . import describe
from .statements import Statement, statements

Describe = Callable[[np.record], list[str]]
INFERRED = "its figures are those of the standard card of its level, as no source prints them"
TILE = re.compile(r"(?:tile\s*)?(\d+)\s*([ab]?)", re.IGNORECASE)


@dataclass(frozen=True)
class Subject:
    """Something that can be shown: its name, how to describe it from the record, and its line in the data."""

    name: str
    describe: Describe
    effect: str = ""
    note: str = ""


def show(ruleset: Ruleset, name: str) -> list[str]:
    """Return the lines about what `name` means; raise UserError with the nearest name if it means nothing."""
    found = list(subjects(ruleset.data))
    subject = _tile(ruleset, name) or _by_name(found, name)
    if subject is None:
        raise _nothing(ruleset.data, name, [subject.name for subject in found])
    r = ruleset.compile()
    box = box_of(ruleset.data)
    original = load_ruleset(box=box)
    tile = TILE.fullmatch(name.strip())
    known = [other.name for other in subjects(original.data)]
    is_printed = tile[1] in original.data["tiles"]["tiles"] if tile else subject.name in known
    now = subject.describe(r)
    printed = subject.describe(original.compile()) if is_printed else []
    lines = [subject.name, *(f"  {line}" for line in now)]
    if subject.effect:
        lines.append(f"  card text, in short: {subject.effect}")
    if subject.note:
        lines.append(f"  {subject.note}")
    changed = [line for line in printed if line not in now]
    if changed:
        lines += ["house rules change this; the printed game:", *(f"  {line}" for line in changed)]
    return [*lines, *_open_questions(ruleset, subject.name)]


def subjects(data: dict[str, Any]) -> Iterator[Subject]:
    """Yield all that has a name."""
    part = section(data)
    for key, code in card_codes(data).items():
        card = data["focus_cards"][part][key]
        yield Subject(card["name"], partial(describe.focus_card, code=code), card["effect"])
    for leader, entry in enumerate(entries(data, "leader").values()):
        if card := entry.get("unique_card"):
            code = names.N_CARDS + leader
            note = INFERRED if card.get("figures_inferred") else ""
            yield Subject(card["name"], partial(describe.focus_card, code=code), card["effect"], note)
    for kind, function in (
        ("leader", describe.leader),
        ("wonder", describe.wonder),
        ("city_state", describe.city_state),
        ("diplomacy", describe.diplomacy_card),
        ("natural_wonder", describe.natural_wonder),
    ):
        found = entries(data, kind).values()
        for code, (name, entry) in enumerate(zip(names_of(data, kind), found, strict=True)):
            effect = _leaders_text(entry) if kind == "leader" else entry.get("effect", "")
            yield Subject(name, partial(function, code=code), effect)
    yield from _victory(data)
    yield Subject("tech dial", describe.tech_dial)
    yield Subject("event dial", describe.event_dial)
    icons = [icon for one in data["dials"][f"event_dial_{part}"]["sections"] for icon in one["icons"]]
    for code, name in enumerate(names.EVENT_ICONS):
        if name in icons:
            yield Subject(name, partial(describe.event_icon, code=code))
    if part == "ti":
        yield from _expansion(data)
    for key, ruling in ruling_options(box_of(data)).items():
        yield Subject(key, partial(_ruling, ruling=ruling), "")
    sections: dict[str, list[Statement]] = {}
    for statement in statements().values():
        sections.setdefault(statement.section, []).append(statement)
        yield Subject(statement.number, partial(_rule, statement=statement))
    for section_name, rules in sections.items():
        yield Subject(section_name, partial(_section, rules=rules))


def _leaders_text(entry: dict[str, Any]) -> str:
    """Return whose sheet it is, its ability and what that does, and what the card does that it gives away."""
    if not entry["effect"]:
        return ""
    given = entry.get("given_card")
    card = f" {given['name']}: {given['effect']}" if given else ""
    return f"{entry['ability_name']} ({entry['leader']}). {entry['effect']}{card}"


def _expansion(data: dict[str, Any]) -> Iterator[Subject]:
    for district in data["districts"]["districts"].values():
        code = names.DISTRICTS.index(district["name"])
        yield Subject(district["name"], partial(describe.district, code=code), district["effect"])
    for government in data["governments"]["governments"].values():
        kind = names.FOCUS_TYPES.index(government["focus_type"])
        yield Subject(government["name"], partial(describe.government, kind=kind))
    yield Subject("fort", describe.fort)
    yield Subject("exploring", describe.exploring)


def _victory(data: dict[str, Any]) -> Iterator[Subject]:
    from ..loading.compile import victory_card_ids

    cards = data["victory_cards"][section(data)]
    effects = {agenda["name"]: agenda["effect"] for card in cards.values() for agenda in card["agendas"].values()}
    for code, name in enumerate(agenda_names(data)):
        yield Subject(name, partial(describe.agenda, code=code), effects[name])
    for code, key in enumerate(victory_card_ids(data)):
        title = " / ".join(agenda["name"] for agenda in cards[key]["agendas"].values())
        yield Subject(title, partial(describe.victory_card, code=code))


def _by_name(found: list[Subject], name: str) -> Subject | None:
    """Return the subject of the name: in any case, with underscores or without."""
    wanted = slug(name)
    return next((subject for subject in found if slug(subject.name) == wanted), None)


def _tile(ruleset: Ruleset, name: str) -> Subject | None:
    match = TILE.fullmatch(name.strip())
    if match is None:
        return None
    number, letter = int(match[1]), match[2].upper()
    known = [int(key) for key in ruleset.data["tiles"]["tiles"]]
    if number not in known:
        box = names.BOXES[names.TI_BOX]
        there = f" (it is in the box {box}: add --box {box})" if str(number) in printed_data(box)["tiles"]["tiles"] else ""
        raise UserError(f"unknown tile {number}{there}: expected {min(known)} to {max(known)}, with a side such as 12B")
    sides = [SIDES.index(letter)] if letter else list(range(len(SIDES)))
    return Subject(f"tile {number}{letter}", partial(describe.tile, number=number, sides=sides))


def _nothing(data: dict[str, Any], name: str, known: list[str]) -> UserError:
    for box in names.BOXES:
        if box != box_of(data) and _by_name(list(subjects(printed_data(box))), name):
            return UserError(f"'{name}' is in the box {box}: add --box {box}")
    kinds = "card, leader, wonder, city-state, agenda, dial, ruling, tile (12B) or rule number (B8.4)"
    return UserError(f"unknown name '{name}': expected a {kinds}{nearest(name, known)}")


# --- rules and rulings


def _rule(r: np.record, statement: Statement) -> list[str]:
    lines = [f"{statement.section} {statement.title}", statement.text]
    lines += [f"in force: {field.replace('_', ' ')}: {describe.numbers(r, field)}" for field in statement.numbers]
    for key, ruling in ruling_options(names.BOXES[r.box]).items():
        if ruling["rule"] == statement.number:
            lines.append(f"switch {key}: {_chosen(r, ruling)}")
    if statement.made_of:
        lines.append(f"see {describe.listed(statement.made_of)}")
    return lines


def _section(r: np.record, rules: list[Statement]) -> list[str]:
    return [rules[0].title, *(f"{rule.number} {rule.text}" for rule in rules)]


def _ruling(r: np.record, ruling: dict[str, Any]) -> list[str]:
    return [
        f"ruling about {ruling['rule']}: {ruling['text']}",
        f"in force: {_chosen(r, ruling)}",
        f"options: {describe.listed(ruling['options'], 'or')}; default {ruling['default']}",
    ]


def _chosen(r: np.record, ruling: dict[str, Any]) -> str:
    """Return the option in force, as the record has it."""
    value = int(getattr(r, ruling["field"]))
    return next(str(option) for option, code in ruling["options"].items() if code == value)


def _open_questions(ruleset: Ruleset, name: str) -> list[str]:
    """Return the rulings and disputes that speak of the name."""
    from .disputes import doubts_about

    return [
        f"open question ({doubt.kind}) {doubt.name}: chosen {doubt.chosen}; other reading {doubt.other}"
        for doubt in doubts_about(ruleset, name)
    ]
