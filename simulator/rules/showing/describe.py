"""What the engine believes about a card, a wonder, a tile or a rule, in words and numbers: `newdawn rules show`.

Every number comes from the compiled RULES record, so the words say what is played, house rules included. The sentences
follow the engine's effects one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ... import names
from .. import ability_codes as codes
from ..contents import name_of, written
from ..loading.compile import ATTACKABLE, START_BONUS_FOR
from ..loading.compile_map import SIDES, TILE_KINDS
from . import cards_ti
from .ability_sentences import sentence, sentences
from .phrases import listed, plural

DISTRICT_RULES = (10, 6, 7, 9, 8)  # of section T4, by names.DISTRICTS
CITIES = ATTACKABLE.index("city")  # and the capital
ROMAN = ("I", "II", "III", "IV")


def flagged(row: np.ndarray, words: Iterable[Any]) -> list[Any]:
    """Return the words whose flag is set."""
    return [word for flag, word in zip(row, words, strict=False) if flag]


# --- focus cards


def focus_card(r: np.record, code: int) -> list[str]:
    """Describe a focus card."""
    kind, owner = int(r.card_type[code]), int(r.card_unique[code])
    describe = {
        names.CULTURE: _culture, names.SCIENCE: _science, names.ECONOMY: _economy, names.INDUSTRY: _industry,
        names.MILITARY: cards_ti.army if r.box else _military, names.GROWTH: cards_ti.growth,
    }[kind]  # fmt: skip
    gone = [] if not r.card_unavailable[code] else ["not in the game with these rules"]
    what = "focus card" if owner < 0 else f"unique focus card of {written(r, 'leader')[owner]}"
    title = f"{what}, {names.FOCUS_TYPES[kind]}, level {ROMAN[r.card_level[code] - 1]}"
    return [title, *gone, *describe(r, code), *(f"while it lies in the row: {text}" for text in sentences(r, "card", code))]


def _culture(r: np.record, c: int) -> Iterator[str]:
    extra = f"and {r.trade_effect[names.CULTURE]} more for each trade token spent"
    beside = "spaces" if r.card_tokens_by_friendly_space[c] else "cities"
    yield (
        f"place up to {plural(r.card_tokens[c], 'control token')}, {extra}, next to friendly {beside}, difficulty at most "
        "the slot number (B5.1, B5.2)"
    )
    if r.card_move_token[c]:
        yield f"then {plural(r.card_move_token[c], 'own control token')} may move to an adjacent empty land space"
    if r.card_border_tokens[c]:
        yield f"then place up to {plural(r.card_border_tokens[c], 'control token')} next to any friendly spaces"
    if r.card_weaken[c]:
        how = "through anything" if r.mass_media_through_anything else "as for an attack"
        yield (
            f"then {plural(r.card_weaken[c], 'rival control token')} within {r.card_weaken_range[c]} of a friendly space, "
            f"counted {how}: an unreinforced one is replaced by an own one, a reinforced one is turned over"
        )
    yield from cards_ti.culture(r, c)


def _science(r: np.record, c: int) -> Iterator[str]:
    if r.card_trade_first[c]:
        yield f"first {plural(r.card_trade_first[c], 'trade token')} on any own cards"
    if r.card_resource_first[c]:
        held = "resource tokens and natural wonders" if r.natural_wonder_counts_as_held else "resource tokens only"
        yield f"first {plural(r.card_resource_first[c], 'resource')} of a type not held (held: {held})"
    if r.card_strike_slot[c]:
        own = "own tokens are spared" if r.strike_spares_own else "own tokens, too"
        yield (
            f"first, from slot {r.card_strike_slot[c]} only, a strike on a space and all within {r.card_strike_radius[c]} "
            f"of it: control tokens are destroyed, reinforced ones turned over ({own})"
        )
    yield from cards_ti.science_first(r, c)
    yield f"advance the dial by the slot number, {r.trade_effect[names.SCIENCE]} more for each trade token spent (B6.1)"
    yield from cards_ti.science(r, c)


def _economy(r: np.record, c: int) -> Iterator[str]:
    water = "water allowed" if r.card_water[c] else "no water"
    steps = f"{plural(r.card_move[c], 'step')} each, {r.trade_effect[names.ECONOMY]} more for each trade token spent"
    yield f"{plural(r.card_caravans[c], 'caravan')}, up to {steps}; difficulty at most the slot number; {water} (B7.2, B7.3)"
    if r.card_enter_barbarian[c]:
        end = "its move ends there" if r.currency_ends_move else "it may use the rest of its steps"
        defeat = "counts as a defeat" if r.currency_counts_as_defeat else "does not count as a defeat"
        yield f"a caravan may enter a barbarian's space and removes it without a trade token; {end}; it {defeat}"
    if r.card_swap_resources[c]:
        yield f"then {plural(r.card_swap_resources[c], 'held resource')} may be swapped for any other"
    if r.card_resolve_other[c]:
        yield f"after the reset another card may be resolved as from slot {r.card_resolve_other[c]}, without a reset"
    yield from cards_ti.economy(r, c)


def _industry(r: np.record, c: int) -> Iterator[str]:
    slots = sorted({int(slot) for slot in r.slot_number[: r.slots]})
    production = listed(r.card_production[c, slot] for slot in slots)
    resource = r.card_resource_production[c] or r.production_resource
    yield (
        f"wonder: production {production} in slots {listed(slots)}, {resource} more for each fitting resource, "
        f"{r.production_trade_token} for each trade token spent (B8.5)"
    )
    start = "a friendly space or caravan" if r.card_city_from_caravan[c] else "a friendly space"
    water = "water does not stop the count" if r.card_city_through_water[c] else "not counted through water"
    yield f"or city: within {r.card_city_range[c]} of {start}, difficulty at most the slot number; {water} (B8.1 to B8.4)"
    if r.card_city_tokens[c]:
        yield f"then up to {plural(r.card_city_tokens[c], 'control token')} next to the new city"
    yield from cards_ti.industry(r, c)


def _military(r: np.record, c: int) -> Iterator[str]:
    if r.card_reinforce[c]:
        yield "reinforce up to slot-number control tokens (B9.1), or attack:"
    if r.card_attack_and_reinforce[c]:
        yield "attack, then reinforce up to the slot number less the attacks made:"
    through = flagged(
        np.array([r.card_through_water[c], r.card_through_rival[c], r.card_through_barbarian[c]]),
        ("water", "rival spaces", "barbarians"),
    )
    yield f"up to {plural(r.card_attacks[c], 'attack')} within {r.card_attack_range[c]} of a friendly space (B9.2)"
    yield f"the distance may be counted through: {listed(through)} (B9.3)"
    yield (
        f"combat: the slot number {r.card_combat[c]:+d}, against barbarians {r.card_combat_barbarian[c]:+d}; "
        f"{r.trade_effect[names.MILITARY]} more for each trade token spent (B9.5, B9.7)"
    )


# --- leaders


def leader(r: np.record, code: int) -> list[str]:
    """Describe a leader."""
    row = listed(names.FOCUS_TYPES[kind] for kind in r.leader_row[code, : r.slots])
    lines = ["leader" if r.leader_available[code] else "leader, not in the game with these rules", f"row from the left: {row}"]
    tokens = [f"{count} on {names.FOCUS_TYPES[kind]}" for kind, count in enumerate(r.trade_tokens_start[code]) if count]
    if tokens:
        lines.append(f"trade tokens at the start: {listed(tokens)}")
    if not r.leader_ability[code]:
        return [*lines, "the printed ability does not work with these rules"]
    given = name_of(r, "given_card", code)
    return [*lines, *sentences(r, "leader", code), *(f"{given}: {text}" for text in sentences(r, "given_card", code))]


# --- world wonders


def wonder(r: np.record, code: int) -> list[str]:
    """Describe a world wonder."""
    out = "" if r.wonder_available[code] else ", not in the game with these rules"
    pays = listed(flagged(r.wonder_pays[code], names.RESOURCES), "or")
    kind, era = names.FOCUS_TYPES[r.wonder_type[code]], names.ERAS[r.wonder_era[code]]
    return [f"world wonder, {kind}, {era}{out}", f"cost {r.wonder_cost[code]}, paid with {pays}", *_wonder_effects(r, code)]


def _wonder_effects(r: np.record, code: int) -> list[str]:
    """Return the wonder's abilities, each with the reading of a ruling that it is played with."""
    turned = "goes back one space the opposite way" if r.barred_barbarian_turns_back else "stays where it is"
    forest = "at any difficulty" if r.chichen_itza_ignores_difficulty else "if the slot allows their difficulty"
    order = "before" if r.maracana_before else "after"
    readings = {
        codes.BARBARIANS_BARRED: f": it {turned}", codes.TOKENS_WITHOUT_CITY: f", {forest}", codes.EXTRA_CARD: f", {order} it",
    }  # fmt: skip
    first = int(r.wonder_first[code])
    rows = range(first, first + int(r.wonder_n[code]))
    return [sentence(r, row) + readings.get(int(r.ability_effect[row]), "") for row in rows]


# --- city-states, diplomacy, natural wonders


def city_state(r: np.record, code: int) -> list[str]:
    """Describe a city-state and its diplomacy card."""
    kind = names.FOCUS_TYPES[r.city_state_type[code]]
    return [
        f"city-state, {kind}, printed on {_where(r.tile_city_state, code)}, difficulty {r.city_state_difficulty}",
        f"defence {r.city_state_defence}; a caravan brings {plural(r.arrival_city_state_trade, 'trade token')} on {kind}",
        f"its {plural(r.city_state_copies[code], 'diplomacy card')}: {'; '.join(sentences(r, 'city_state', code))}",
    ]


def diplomacy_card(r: np.record, code: int) -> list[str]:
    """Describe a player's diplomacy card."""
    return [f"diplomacy card of players; {r.diplomacy_limit} may be held from each player", *sentences(r, "diplomacy", code)]


def natural_wonder(r: np.record, code: int) -> list[str]:
    """Describe a natural wonder."""
    difficulty = r.terrain_difficulty[names.NATURAL_WONDER]
    return [
        f"natural wonder, printed on {_where(r.tile_natural_wonder, code)}, difficulty {difficulty}",
        f"its token pays as {names.RESOURCES[r.natural_wonder_resource[code]]} once a turn and is kept",
        *sentences(r, "natural_wonder", code),
    ]


def _where(marks: np.ndarray, code: int) -> str:
    """Return where on the tiles a mark is printed."""
    found = [f"{tile + 1}{SIDES[side]} space {space}" for tile, side, space in np.argwhere(marks == code)]
    return listed(found) if found else "no tile"


# --- victory cards


def agenda(r: np.record, code: int) -> list[str]:
    """Describe an agenda and its victory card."""
    found = np.argwhere(r.agenda_name[: r.n_victory_cards] == code)
    if not len(found):
        return ["agenda, not in the game with these rules"]
    card, half = found[0]
    if r.victory_fort[card]:
        return [f"agenda of a fort card; its claim ends when this fails (T3.3); {_cards_in_play(r)}", _condition(r, card, half)]
    other = written(r, "agenda")[r.agenda_name[card, 1 - half]]
    place = "alone" if len(found) > 1 else f"with {other}"
    return [f"agenda, {place} on one victory card; {_cards_in_play(r)}", _condition(r, card, half)]


def victory_card(r: np.record, code: int) -> list[str]:
    """Describe both agendas of a victory card."""
    titles = written(r, "agenda")
    if r.victory_fort[code]:
        return [f"fort card; {_cards_in_play(r)}", f"{titles[r.agenda_name[code, 0]]}: {_condition(r, code, 0)}"]
    halves = [f"{titles[r.agenda_name[code, half]]}: {_condition(r, code, half)}" for half in range(2)]
    return [f"victory card; {_cards_in_play(r)}", *halves]


def _cards_in_play(r: np.record) -> str:
    needed = f", {r.victory_in_play - r.claims_spared} of which win" if r.claims_spared else ""
    forts = f", {r.fort_cards} of them fort cards" if r.fort_cards else ""
    return f"{r.victory_in_play} cards are in play{forts}{needed}"


def _condition(r: np.record, card: int, half: int) -> str:
    place = (card, half)
    text = _metric(r.agenda_metric[place], r.agenda_target[place], r.agenda_kind[place])
    if r.agenda_metric2[place] != names.METRIC_NONE:
        other = _metric(r.agenda_metric2[place], r.agenda_target2[place], r.agenda_kind2[place])
        text += f"{' and' if r.agenda_both[place] else ', or'} {other}"
    return text


def _metric(metric: int, target: int, kind: int) -> str:
    counted = names.METRIC[names.METRICS[metric]]
    kinds = {"type": names.FOCUS_TYPES, "terrain": names.TERRAINS}.get(counted.by, ("", *ROMAN))
    return f"{target} or more {counted.text.format(kind=kinds[kind])}"


# --- tiles and dials


def tile(r: np.record, number: int, sides: Iterable[int]) -> list[str]:
    """Describe a tile: a picture of each side and its printed marks."""
    index = number - 1
    lines = [f"tile {number}, {TILE_KINDS[r.tile_kind[index]].replace('_', ' ')}"]
    for side in sides:
        lines += [f"side {SIDES[side]} (space numbers, unrotated):", *_picture(r, index, side)]
        marks = [f"space {space}: {mark}" for space in range(r.offset_q.shape[1]) for mark in _marks(r, index, side, space)]
        lines.append(f"printed: {'; '.join(marks) or 'nothing'}")
    return lines


def _picture(r: np.record, index: int, side: int) -> list[str]:
    """Return the spaces drawn where they lie: number and terrain."""
    q, row = r.offset_q[side * 6].astype(int), r.offset_r[side * 6].astype(int)
    left, width = (2 * q + row).min(), 9  # half a space is `width` characters
    lines = []
    for level in range(row.min(), row.max() + 1):
        text = ""
        for space in sorted(np.flatnonzero(row == level), key=lambda space: q[space]):
            word = names.TERRAINS[r.tile_terrain[index, side, space]].replace("natural_wonder", "nat. wonder")
            text = text.ljust((2 * q[space] + level - left) * width) + f"{space} {word}"
        lines.append("  " + text)
    return lines


def _marks(r: np.record, index: int, side: int, space: int) -> Iterator[str]:
    place = (index, side, space)
    for field, what, words in (
        (r.tile_resource, "resource", names.RESOURCES),
        (r.tile_natural_wonder, "natural wonder", written(r, "natural_wonder")),
        (r.tile_city_state, "city-state", written(r, "city_state")),
        (r.tile_barbarian, "barbarian", names.LETTERS),
    ):
        if field[place] >= 0:
            yield f"{what} {words[field[place]]}"
    if r.tile_capital[index, side] == space:
        yield "capital"


def tech_dial(r: np.record) -> list[str]:
    """Describe the technology dial."""
    levels = [f"{space}: level {ROMAN[level - 1]}" for space, level in enumerate(r.dial_level) if level]
    return [
        f"from {r.dial_start} to {r.dial_last}; the space after {r.dial_last} is {r.dial_after_last} (B6.3)",
        f"cards gained on reaching or passing: {', '.join(levels)} (B6.2)",
    ]


def event_dial(r: np.record) -> list[str]:
    """Describe the event dial."""
    sections = [
        f"section {index + 1}: {listed(_icons(r.event_icons[index])) if r.event_icons[index] else 'nothing'}"
        for index in range(r.event_sections)
    ]
    effects = [line for code in range(len(names.EVENT_ICONS)) if shows(r, code) for line in event_icon(r, code)[1:]]
    return [f"starts on section {r.event_start + 1}, not resolved (B2.4)", *sections, *effects]


def shows(r: np.record, code: int) -> bool:
    """Does the event dial show the icon?"""
    return any(r.event_icons[index] >> code & 1 for index in range(r.event_sections))


def event_icon(r: np.record, code: int) -> list[str]:
    """Describe an icon of the event dial."""
    on = [str(index + 1) for index in range(r.event_sections) if r.event_icons[index] >> code & 1]
    stays = "stays there" if r.barbarian_stays_at_capital else "goes back"
    order = "in the order of their letters" if r.barbarian_letter_order else "from the last letter back"
    effect = (
        "beaten barbarians return to their letter's space unless it holds a city or token (B11.5)",
        f"barbarians move one space, {order}; one that meets a capital takes {plural(r.capital_raid, 'trade token')} "
        f"and {stays} (B11.1, B11.2)",
        f"trade: {plural(r.event_trade_per_city, 'trade token')} for each own mature city (B12.1)",
        "districts: everyone resolves all own districts (T4.5)",
        "government: everyone may lay a government token on an own card in the first slot (T8.1)",
        f"wonder: a trade token on each face-up wonder changes its cost by {r.wonder_token_cost:+d}; a second one takes it "
        "out of the game (T9.2)",
    )[code]
    return [f"icon of the event dial, on section {listed(on)}", effect]


# --- districts, governments, forts, exploring


def district(r: np.record, code: int) -> list[str]:
    """Describe a district and its options."""
    return [f"district; one for each player (T4.2, T4.{DISTRICT_RULES[code]})", *cards_ti.DISTRICTS[code](r)]


def government(r: np.record, kind: int) -> list[str]:
    """Describe a government."""
    places = plural(r.government_shift[kind], "place")
    return [f"government: the {names.FOCUS_TYPES[kind]} card it lies on acts {places} further right (T8.2)"]


def fort(r: np.record) -> list[str]:
    """Describe what a fort is."""
    return [
        f"fort: terrain difficulty {r.terrain_difficulty[names.FORT]}, entered from slot {r.fort_enter_slot} on; "
        f"uncontrolled it defends with {r.fort_defence} (T6)",
        f"laid where it touches {plural(r.fort_touch_core, 'core space')} or more (T1.7)",
    ]


def exploring(r: np.record) -> list[str]:
    """Describe exploring."""
    return [f"{r.explore_price} movement, once a turn for each figure; the tile touches {r.explore_touch} spaces or more (T7)"]


# --- figures of rules


def numbers(r: np.record, field: str) -> str:
    """Return a field of the record in words."""
    value = getattr(r, field)
    leaders, agendas = written(r, "leader"), written(r, "agenda")
    special = {
        "terrain_difficulty": lambda: _pairs(names.TERRAINS[: names.FORT], value),
        "trade_effect": lambda: _pairs(names.FOCUS_TYPES[: names.GROWTH + r.box], value),
        "government_shift": lambda: _pairs(names.FOCUS_TYPES, value),
        "core_tiles_for": lambda: ", ".join(f"{players} players {tiles}" for players, tiles in enumerate(value) if tiles),
        "theater_tokens": lambda: _pairs(("near itself", "near a wonder"), value),
        "theater_range": lambda: _pairs(("near itself", "near a wonder"), value),
        "slot_number": lambda: listed(value[: r.slots]),
        "leader_row": lambda: "; ".join(
            f"{who}: {listed(names.FOCUS_TYPES[kind] for kind in row[: r.slots])}"
            for who, row in zip(leaders, value, strict=False)
        ),
        "trade_tokens_start": lambda: _pairs(leaders, value.sum(axis=1)),
        "deck_count": lambda: "; ".join(
            f"{players} players: {_pairs(names.ERAS, row)}" for players, row in enumerate(value) if row.any()
        ),
        "agenda_target": lambda: _pairs(
            [agendas[name] for name in r.agenda_name[: r.n_victory_cards].ravel()], value[: r.n_victory_cards].ravel()
        ),
        "may_attack": lambda: listed(flagged(value, (word.replace("_", " ") for word in ATTACKABLE))),
        "target_bonus": lambda: _pairs(ATTACKABLE[CITIES : CITIES + 2], value[CITIES:]),
        "tie_break": lambda: _rankings(value),
        "limit_ranking": lambda: _rankings(value),
        "start_bonus": lambda: "; ".join(
            f"{whose.replace('_', ' ')}: {_pairs(names.START_BONUSES, row)}"
            for whose, row in zip(START_BONUS_FOR, value, strict=True)
        ),
        "dial_level": lambda: ", ".join(f"space {space}: {level}" for space, level in enumerate(value) if level),
        "wonder_cost": lambda: _pairs(written(r, "wonder"), value),
        "city_state_copies": lambda: _pairs(written(r, "city_state"), value),
        "event_start": lambda: f"section {value + 1}",
        "event_icons": lambda: "; ".join(listed(_icons(bits)) if bits else "nothing" for bits in value[: r.event_sections]),
        "card_production": lambda: "; ".join(
            f"{card_label(r, c)}: {listed(value[c, 1:])}" for c in range(r.n_cards) if value[c].any()
        ),
    }
    if field in special:
        return special[field]()
    if np.ndim(value):
        return ", ".join(f"{card_label(r, c)} {value[c]}" for c in range(r.n_cards) if value[c]) or "0"
    return str(value)


def card_label(r: np.record, code: int) -> str:
    """Return type and level of a card, and whose it is."""
    whose = f" of {written(r, 'leader')[r.card_unique[code]]}" if r.card_unique[code] >= 0 else ""
    return f"{names.FOCUS_TYPES[r.card_type[code]]} {ROMAN[r.card_level[code] - 1]}{whose}"


def _pairs(words: Iterable[str], values: Iterable[Any]) -> str:
    return ", ".join(f"{word} {value}" for word, value in zip(words, values, strict=False))


def _rankings(codes: Iterable[int]) -> str:
    return listed((names.RANKINGS[code].replace("_", " ") for code in codes if code), "then")


def _icons(bits: int) -> list[str]:
    return [word.replace("_", " ") for bit, word in enumerate(names.EVENT_ICONS) if bits >> bit & 1]
