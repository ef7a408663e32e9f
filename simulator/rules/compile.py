"""From a ruleset to the RULES record: map, focus cards, abilities and numbers as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import names
from . import codes
from .card_parts import CardPart, parts_of
from .printed_game import Node
from .record import Draft
from .ruleset_contents import (
    PRINTED,
    SECTIONS,
    ability_holders,
    agenda_names,
    box_of,
    card_codes,
    entries,
    names_of,
    section,
    write_name,
    write_names,
    write_row,
    written,
)

# --- Fill the columns of tiles, geometry and map in the RULES record

LAND = {word: code for code, word in enumerate(names.TERRAINS)}
RESOURCE = {word: code for code, word in enumerate(names.RESOURCES)}
TILE_KINDS = ("plain", "natural_wonder", "city_state", "capital")
SIDES = ("A", "B")
MAP_MODES = {"advanced": 0, "first_game": 1, "user": 1}


def fill_tiles(r: Draft, tiles: Node) -> None:
    r.tile_keys = names.PRINTED_TILES
    for field in (r.tile_resource, r.tile_natural_wonder, r.tile_city_state, r.tile_barbarian, r.tile_capital):
        field[:] = -1
    for number, tile in tiles["tiles"].items():
        if r.box == names.BASE_BOX and tile.value["set"] == "ti":
            continue  # written by an older version
        index = int(number) - 1
        r.tile_in_set[index] = tile.get("available", True)
        r.tile_keys = max(int(r.tile_keys), index + 1)
        r.tile_kind[index] = TILE_KINDS.index(tile["kind"])
        for side, letter in enumerate(SIDES):
            face = tile["sides"][letter]
            r.tile_terrain[index, side] = [LAND[word] for word in face["terrain"]]
            for feature in face["features"]:
                _feature(r, index, side, feature)
    geometry = tiles["geometry"]
    for side, key in enumerate(("side_a", "side_b")):
        for rotation, spaces in enumerate(rotations(geometry[key])):
            shape = side * 6 + rotation
            r.offset_q[shape] = [q for q, _ in spaces]
            r.offset_r[shape] = [row for _, row in spaces]
            ring = spaces_around(spaces)
            r.ring_n[shape] = len(ring)
            r.ring_q[shape, : len(ring)] = [q for q, _ in ring]
            r.ring_r[shape, : len(ring)] = [row for _, row in ring]


def _take_off_the_map(r: Draft, root: Node) -> None:
    """Empty the spaces of natural wonders and city-states that house rules take out of the game."""
    for kind, table in (("natural_wonder", r.tile_natural_wonder), ("city_state", r.tile_city_state)):
        for code, key in enumerate(entries(root.value, kind)):
            if not root[f"{kind}s"][key]["available"]:
                table[table == code] = -1


def _feature(r: Draft, index: int, side: int, feature: Mapping[str, Any]) -> None:
    space = feature["space"]
    if "resource" in feature:
        r.tile_resource[index, side, space] = RESOURCE[feature["resource"]]
    if "natural_wonder" in feature:
        r.tile_natural_wonder[index, side, space] = written(r, "natural_wonder").index(feature["natural_wonder"])
    if "city_state" in feature:
        r.tile_city_state[index, side, space] = written(r, "city_state").index(feature["city_state"])
    if "barbarian" in feature:
        r.tile_barbarian[index, side, space] = names.LETTERS.index(feature["barbarian"])
    if "capital" in feature:
        r.tile_capital[index, side] = space


def rotations(spaces: list[list[int]]) -> list[list[tuple[int, int]]]:
    """Return the spaces' offsets after 0 to 5 clockwise turns of 60 degrees."""
    turned = [[(q, row) for q, row in spaces]]
    for _ in range(5):
        turned.append([(-row, q + row) for q, row in turned[-1]])
    return turned


def spaces_around(spaces: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spaces next to a group of spaces, sorted."""
    steps = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    return sorted({(q + dq, row + dr) for q, row in spaces for dq, dr in steps} - set(spaces))


def fill_map(r: Draft, root: Node, box: str) -> None:
    setup = root["components"]["map_setup"][box]
    settings = root["map"]
    layouts = root["map_layouts"]["core"]
    if box == "base":
        r.core_natural_wonders = setup["core_mix"]["natural_wonder"]
        r.core_city_states = setup["core_mix"]["city_state"]
        r.dealt_tiles = setup["dealt_tiles_per_player"]
        r.touch_core = setup["must_touch_core"]
    r.core_side_a_max = setup["core_side_a_up_to"]
    r.touch_min = setup["touch_spaces_min"]
    for players in root.value["components"]["players"][box]:
        tiles = setup["core_tiles"] if box == "base" else setup["core_tiles"][str(players)]
        r.core_tiles_for[players] = tiles
        layout = layouts[settings["core_layout"] if tiles == r.core_q.shape[1] else "two_tiles"]
        for side, letter in enumerate(SIDES):
            for draw, entry in enumerate(layout[letter]):
                r.core_q_for[players, side, draw] = entry["q"]
                r.core_r_for[players, side, draw] = entry["r"]
                r.core_rotation_for[players, side, draw] = entry["rotation"]
    most = max(root.value["components"]["players"][box])
    r.core_tiles = r.core_tiles_for[most]
    r.core_q, r.core_r, r.core_rotation = r.core_q_for[most], r.core_r_for[most], r.core_rotation_for[most]
    r.map_mode = MAP_MODES[settings["mode"]]
    r.fixed_tile[:] = r.fixed_stack_n = -1
    if settings["mode"] == "first_game":
        game = root["map_layouts"]["first_game"]
        tiles = [{**entry, "side": game["side"]} for entry in game["tiles"]]
        _fixed(r, tiles, {int(players): numbers for players, numbers in game["players"].items()})
    elif settings["mode"] == "user":
        user = settings["user_map"]
        _fixed(r, user["tiles"], dict.fromkeys(user["players"]))
        _fixed_frontier(r, user.get("forts") or [], user.get("stack"))


def _fixed_frontier(r: Draft, forts: list[dict[str, int]], stack: list[int] | None) -> None:
    """Fill in the forts and the stack that a user's map of the expansion gives."""
    r.fixed_forts = len(forts)
    r.fixed_fort_q[: len(forts)] = [fort["q"] for fort in forts]
    r.fixed_fort_r[: len(forts)] = [fort["r"] for fort in forts]
    if stack is not None:
        r.fixed_stack_n = len(stack)
        r.fixed_stack[: len(stack)] = stack


def _fixed(r: Draft, tiles: list[dict[str, Any]], players: dict[int, list[int] | None]) -> None:
    """Fill in the fixed map; `players`: the tiles on it by number of players (None: all)."""
    r.fixed_tiles = len(tiles)
    for index, entry in enumerate(tiles):
        r.fixed_tile[index] = entry["tile"] - 1
        r.fixed_side[index] = SIDES.index(entry["side"])
        r.fixed_q[index] = entry["q"]
        r.fixed_r[index] = entry["r"]
        r.fixed_rotation[index] = entry["rotation"]
        for count, numbers in players.items():
            r.fixed_players[index, count] = numbers is None or entry["tile"] in numbers


# --- Fill the columns of focus cards in the RULES record


def _card(r: Draft, card: Node, code: int, leader: int) -> None:
    """Fill in a focus card: its type, its level, the leader whose unique card it is (-1: a standard card), and its parts."""
    kind = card.value["type"]
    r.card_type[code], r.card_level[code] = names.FOCUS_TYPES.index(kind), card.value["level"]
    r.card_unique[code] = leader
    r.n_cards = max(int(r.n_cards), code + 1)
    r.card_unavailable[code] = not card["available"]
    for part in parts_of(kind, SECTIONS[names.BOXES[r.box]]):
        if part.path:
            _fill(r, part, card, code)


def _fill(r: Draft, part: CardPart, card: Node, code: int) -> None:
    """Write a card's value of a part into its columns."""
    value = _at(card, part.path)
    column = part.instead[1] if part.instead[0] and _at(card, part.instead[0]) else part.column
    words = [value] if isinstance(value, str) else value
    if part.by_slot:
        for slot, number in value.items():
            r[f"card_{column}"][code, int(slot)] = number
    elif column:
        r[f"card_{column}"][code] = sum(part.bits[word] for word in words or ()) if part.bits else value or 0
    for word, flag in part.flags.items():
        r[f"card_{flag}"][code] = word in (words or ())


def _at(card: Node, path: str) -> Any:
    """Return the value at a path of a card's data, None if there is none."""
    *groups, last = path.split(".")
    for group in groups:
        card = card.optional(group)
    return card.get(last)


# --- Fill the RULES record from the validated data
#
# Every number is read through a `Node`, which notes its path. So the loader knows which values the engine uses, and refuses a
# house rule that would change another value without any effect.

TYPE = {word: code for code, word in enumerate(names.FOCUS_TYPES)}
ERA = {word: code for code, word in enumerate(names.ERAS)}
ICON = {word: 1 << bit for bit, word in enumerate(names.EVENT_ICONS)}
ALL_IN_PLAY = "all in play"
CHECK_AT_FIRST_TURN = "start of the first player turn"
# By the codes TARGET_* of the engine.
ATTACKABLE = ("barbarian", "city_state", "control_token", "city", "capital", "free_fort", "caravan", "army")
TIES = ("defender", "attacker")
START_BONUS_FOR = ("everyone", "last_in_turn_order", *(f"{place}_in_turn_order" for place in names.PLACES))

Effects = Mapping[str, frozenset[str]]  # of the printed game, by path


def compile_rules(
    data: Mapping[str, Any], rulings: Mapping[str, Any], printed: Mapping[str, Any]
) -> tuple[np.record, set[str]]:
    """Return the RULES record of `data` and the paths of the values it was made from.

    `rulings` are the definitions in rulings.yaml; `data["rulings"]` holds the chosen words. `printed` are the printed game's
    data: the turn log names the card as the source of an ability that is printed on it.
    """
    r = Draft()
    seen: set[str] = set()
    root = Node(data, "", seen)
    box = section(data)
    r.box = names.BOXES.index(box_of(data))
    effects = effects_of(printed)
    _components(r, root, box)
    _dials(r, root["dials"], box)
    _trade_effects(r, root["focus_cards"]["trade_token_effect"], box)
    r.card_unique[:] = -1
    for key, code in card_codes(data).items():
        _card(r, root["focus_cards"][box][key], code, -1)
    if box == "ti":
        _expansion(r, root)
    for kind in PRINTED:
        write_names(r, kind, names_of(data, kind))
    write_names(r, "agenda", agenda_names(data))
    _leader_deal(r, root["components"]["leader_deal"][box], names_of(data, "leader"))
    _leaders(r, root, effects)
    _wonders(r, root, effects)
    _city_states(r, root, effects)
    _diplomacy(r, root, effects)
    _natural_wonders(r, root, effects)
    _card_words(r, root, effects)
    _abilities(r, root["everyone"], "everyone", 0, "ability", effects)
    rows = slice(int(r.n_abilities))
    r.timed_abilities = bool(np.any(r.ability_from_round[rows]) or np.any(r.ability_until_round[rows]))
    _victory(r, root)
    _scores(r, root["scores"])
    r.partners = names.PARTNERS.index(root["teams"]["partners"])
    r.claims_together = names.TEAM_WINS.index(root["teams"]["victory"])
    fill_tiles(r, root["tiles"])
    _take_off_the_map(r, root)
    fill_map(r, root, box)
    for key, chosen in root["rulings"].items():
        setattr(r, rulings[key]["field"], rulings[key]["options"][chosen])
    return r.record(), seen


def effects_of(data: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """Return the effects of everything with abilities, by path."""
    return {
        path: frozenset(ability["effect"] for ability in entry["abilities"].values()) for path, entry in ability_holders(data)
    }


def victory_card_ids(data: Mapping[str, Any]) -> list[str]:
    """Return the ids of the box's victory cards in the order of their codes; cards taken out of the game have none.

    The order is that of the agendas' codes, not of the file: a digest does not see the order of a mapping's keys.
    """
    cards = data["victory_cards"][section(data)]
    codes = agenda_names(data)
    return [key for key in sorted(cards, key=lambda key: agenda_keys(cards[key], codes)[0]) if cards[key]["available"]]


def agenda_keys(card: Mapping[str, Any], codes: list[str]) -> list[tuple[int, str]]:
    """Return code and key of a victory card's agendas, in the order of the codes (`contents.agenda_names`)."""
    return sorted((codes.index(agenda["name"]), key) for key, agenda in card["agendas"].items())


def _components(r: Draft, root: Node, box: str) -> None:
    components = root["components"]
    player = components["per_player"][box]
    r.tokens_per_player = player["control_tokens"]
    r.cities_per_player = player["cities"]
    r.caravans_per_player = player["caravans"]
    slots = player["focus_bar_slots"]
    r.slots = len(slots)
    r.slot_number[: len(slots)] = slots
    shared = components["shared"][box]
    r.resources_per_type = shared["resource_tokens_per_type"]
    r.water_tokens = shared["water_tokens"]
    limits = components["limits"]
    r.max_trade = limits["trade_tokens_per_focus_card"]
    r.wonders_per_city = limits["wonders_per_city"]
    r.caravans_per_target = limits["caravans_into_one_place_per_turn"]
    difficulty = components["terrain_difficulty"]
    for word, code in LAND.items():
        r.terrain_difficulty[code] = difficulty[word]
    r.city_state_difficulty = difficulty["city_state"]
    _combat(r, components["combat"])
    r.maturity_gaps = components["mature_city_gaps"]
    r.reset_place = components["focus_row_reset_to"] - 1
    r.production_resource = components["production"]["resource"]
    r.production_trade_token = root["focus_cards"]["trade_token_effect"]["industry"]["wonder_production"]
    arrival = components["caravan_arrival"]
    r.arrival_city_state_trade = arrival["city_state"]["trade_tokens"]
    r.arrival_city_trade = arrival["rival_city"]["trade_tokens"]
    r.arrival_diplomacy = arrival["diplomacy_card"]
    for row, whose in enumerate(START_BONUS_FOR):
        r.start_bonus[row] = _bonus(components["start_bonus"][whose])
    for players, eras in components["wonder_decks"][box].items():
        for era, code in ERA.items():
            r.deck_count[int(players), code] = eras[era]
    r.deck_size_max = r.deck_count.sum(axis=1).max()
    r.face_up_wonders = components["face_up_wonders"]
    r.drafted_wonders = components["drafted_wonders"]
    r.first_player = names.FIRST_PLAYERS.index(components["first_player"])


def _bonus(given: Node) -> list[int]:
    """Return a bonus before the first turn, by names.START_BONUSES."""
    return [given[kind] for kind in names.START_BONUSES]


def _combat(r: Draft, combat: Node) -> None:
    r.die_sides = combat["die_sides"]
    r.dice = combat["dice"]
    r.attacker_wins_ties = TIES.index(combat["tie"])
    r.win_percent = win_percent(combat["die_sides"], combat["dice"], TIES.index(combat["tie"]))
    r.may_attack[:] = [combat["may_be_attacked"].get(target, False) for target in ATTACKABLE]
    r.target_bonus[ATTACKABLE.index("city")] = combat["defence"]["city_bonus"]
    r.target_bonus[ATTACKABLE.index("capital")] = combat["defence"]["capital_bonus"]
    r.city_state_defence = combat["defence"]["city_state"]
    r.city_defence_factor = combat["defence"]["city_difficulty_factor"]
    r.reinforced_bonus = combat["defence"]["reinforced_token"]
    r.barbarian_bonus = combat["defence"]["barbarian_bonus"]
    r.barbarian_reward = combat["win_effect"]["barbarian"]["trade_tokens"]
    r.capital_loot = combat["win_effect"]["capital"]["trade_tokens_taken"]


def win_percent(sides: int, dice: int, ties: int) -> list[int]:
    """Return the attacker's chances to win, in whole percent, by its lead before the dice from -MAX_LEAD to MAX_LEAD.

    Both sides roll `dice` dice of `sides` sides and add them; `ties` is 1 if the attacker wins with equal totals.
    """
    throws = np.ones(1, np.int64)  # ways to roll each sum
    for _ in range(dice):
        throws = np.convolve(throws, np.ones(sides, np.int64))
    ways = np.convolve(throws, throws[::-1])  # ways in which the attacker's dice are ahead by -span … span
    span = dice * (sides - 1)
    ahead = np.arange(-span, span + 1) + ties
    return [int(ways[ahead + lead > 0].sum() * 100 // ways.sum()) for lead in range(-names.MAX_LEAD, names.MAX_LEAD + 1)]


def _dials(r: Draft, dials: Node, box: str) -> None:
    tech = dials["tech_dial"]
    r.dial_start = tech["start"]
    r.dial_last = tech["last_space"]
    r.dial_after_last = tech["after_last"]
    for space, level in tech["level_spaces"].items():
        r.dial_level[int(space)] = level
    event = dials[f"event_dial_{box}"]
    sections = event["sections"]
    r.event_sections = len(sections)
    r.event_start = event["start_section"] - 1
    for index, part in enumerate(sections):
        r.event_icons[index] = sum(ICON.get(icon, 0) for icon in part["icons"])
    icons = dials["icon_effects"]
    r.event_trade_per_city = icons["trade"]["trade_tokens"]
    r.capital_raid = icons["barbarians_move"]["hits"]["capital"]["trade_tokens_lost"]
    r.barbarian_steps = icons["barbarians_move"]["steps"]
    r.barbarians_back = icons["barbarians_appear"]["at_most"]


def _trade_effects(r: Draft, effect: Node, box: str) -> None:
    r.trade_effect[names.CULTURE] = effect["culture"]["control_tokens"]
    r.trade_effect[names.SCIENCE] = effect["science"]["dial_spaces"]
    r.trade_effect[names.ECONOMY] = effect["economy"]["steps_per_caravan"]
    r.trade_effect[names.INDUSTRY] = effect["industry"]["wonder_production"]
    r.trade_effect[names.MILITARY] = effect[f"military_{box}"]["combat"]
    r.trade_effect[names.GROWTH] = effect["growth"]["reinforce_tokens"]


def _expansion(r: Draft, root: Node) -> None:
    """Fill in what only Terra Incognita has."""
    components = root["components"]
    r.armies_per_player = components["per_player"]["ti"]["armies"]
    r.guard_bonus = components["combat"]["guard_bonus"]["combat"]
    r.fort_defence = components["combat"]["defence"]["free_fort"]
    r.fort_touch_core = components["fort"]["touches_core_spaces_min"]
    r.fort_enter_slot = components["fort"]["enter_slot_min"]
    r.explore_price = components["explore"]["price_steps"]
    r.explore_touch = components["explore"]["tile_touches_spaces_min"]
    r.reroll_allowed = root["focus_cards"]["trade_token_effect"]["military_ti"]["or_reroll_own_die"]
    r.wonder_token_cost = root["dials"]["icon_effects"]["wonder"]["cost_change_while_there"]
    for _, government in root["governments"]["governments"].items():
        r.government_shift[TYPE[government["focus_type"]]] = government["shift"]
    _districts(r, root["districts"]["districts"])


def _districts(r: Draft, districts: Node) -> None:
    options = {key: district["options"] for key, district in districts.items()}
    r.campus_mountains = options["campus"]["mountains"]["trade_tokens"]
    r.hub_mature_cities = options["commercial_hub"]["mature_cities"]["trade_tokens"]
    r.hub_deserts = options["commercial_hub"]["deserts"]["trade_tokens"]
    strike, reinforce = options["encampment"]["strike"], options["encampment"]["reinforce"]
    r.camp_strike, r.camp_strike_range, r.camp_reward = strike["destroy"], strike["range"], strike["barbarian_trade_token"]
    r.camp_reinforce, r.camp_reinforce_range = reinforce["reinforce"], reinforce["range"]
    r.zone_forests = options["industrial_zone"]["forests"]["trade_tokens"]
    city = options["industrial_zone"]["city"]
    r.zone_city, r.zone_city_price, r.zone_city_range = city["build_city"], city["price_trade_tokens"], city["range"]
    for index, key in enumerate(("near_itself", "near_wonder")):
        r.theater_tokens[index] = options["theater_square"][key]["control_tokens"]
        r.theater_range[index] = options["theater_square"][key]["range"]


# --- leaders, wonders, city-states, diplomacy


def _leader_deal(r: Draft, deal: Node, leaders: list[str]) -> None:
    r.leaders_dealt = deal["leaders_per_player"]
    r.leader_bans = deal["bans_per_player"]
    r.leader_source = names.LEADER_SOURCES.index(deal["choose_from"])
    r.pick_order = names.PICK_ORDERS.index(deal["pick_order"])
    r.leader_choice = names.LEADER_CHOICES.index(deal["choice"])
    ranking = deal["ranking"]
    r.leader_rank[:] = len(ranking)
    for place, name in enumerate(ranking):
        r.leader_rank[leaders.index(name)] = place


def _leaders(r: Draft, root: Node, printed: Effects) -> None:
    r.leader_row[:] = -1
    for code, key in enumerate(entries(root.value, "leader")):
        leader = root["leaders"][key]
        r.leader_available[code] = leader["available"]
        r.leader_ability[code] = leader["ability_works"]
        r.start_bonus[len(START_BONUS_FOR) + code] = _bonus(leader["start_bonus"])
        row = [TYPE[word] for word in leader["start_row"]]
        r.leader_row[code, : len(row)] = row
        for word, tokens in leader["start_trade_tokens"].items():
            r.trade_tokens_start[code, TYPE[word]] = tokens
        head_start = leader.get("head_start", 0)
        for place, kind in enumerate(row):
            r.trade_tokens_start[code, kind] += head_start // len(row) + (place < head_start % len(row))
        if "unique_card" in leader.value:
            _card(r, leader["unique_card"], names.N_CARDS + code, code)
        works = bool(leader["ability_works"])
        _abilities(r, leader, "leader", code, leader["civ"], printed, work=works)
        if leader.value.get("given_card"):
            card = leader["given_card"]
            write_name(r, "given_card", code, card["name"])
            _abilities(r, card, "given_card", code, card["name"], printed, work=works)


def _abilities(r: Draft, holder: Node, kind: str, code: int, source: str, printed: Effects, *, work: bool = True) -> None:
    """Write the abilities of a leader, wonder, city-state or diplomacy card into rows; `work` False: none of them works."""
    r[f"{kind}_first"][code] = r.n_abilities
    effects = printed.get(holder.path, frozenset())
    holder.seen.add(f"{holder.path}.abilities")
    # Sorted, as a digest does not see the order they were written in, and a manifest does not keep it.
    in_order = sorted(
        holder.optional("abilities").items(), key=lambda item: (codes.EFFECTS.index(item[1].value["effect"]), item[0])
    )
    for _, ability in in_order:
        ability.read_all()
        given = dict(ability.value)
        if given.pop("works", True) and work:
            write_row(r, int(r.n_abilities), given, source, own=given["effect"] not in effects)
            r.n_abilities += 1
    r[f"{kind}_n"][code] = r.n_abilities - r[f"{kind}_first"][code]


def _wonders(r: Draft, root: Node, printed: Effects) -> None:
    wonders = entries(root.value, "wonder")
    r.n_wonders = len(wonders)
    for code, key in enumerate(wonders):
        card = root["wonders"][key]
        r.wonder_available[code] = card["available"]
        kind = TYPE[card["type"]]
        r.wonder_type[code] = kind
        r.wonders_of_type[kind, r.wonders_of_type_n[kind]] = code
        r.wonders_of_type_n[kind] += 1
        r.wonder_era[code] = ERA[card["era"]]
        r.wonder_cost[code] = card["cost"]
        for word in card["resources"]:
            r.wonder_pays[code, RESOURCE[word]] = 1
        _abilities(r, card, "wonder", code, card["name"], printed)


def _city_states(r: Draft, root: Node, printed: Effects) -> None:
    city_states = entries(root.value, "city_state")
    r.n_city_states = len(city_states)
    for code, key in enumerate(city_states):
        state = root["city_states"][key]
        r.city_state_type[code] = TYPE[state["type"]]
        r.city_state_copies[code] = state["copies"]
        _abilities(r, state, "city_state", code, state["name"], printed)


def _diplomacy(r: Draft, root: Node, printed: Effects) -> None:
    keys = entries(root.value, "diplomacy")
    cards = root["diplomacy"][section(root.value)]
    r.n_diplomacy = len(keys)
    r.diplomacy_limit = root["diplomacy"]["limits"]["per_other_player"]
    for code, key in enumerate(keys):
        _abilities(r, cards[key], "diplomacy", code, cards[key]["name"], printed)


def _natural_wonders(r: Draft, root: Node, printed: Effects) -> None:
    natural_wonders = entries(root.value, "natural_wonder")
    r.n_natural_wonders = len(natural_wonders)
    for code, key in enumerate(natural_wonders):
        wonder = root["natural_wonders"][key]
        r.natural_wonder_resource[code] = RESOURCE[wonder["resource"]]
        _abilities(r, wonder, "natural_wonder", code, wonder["name"], printed)


def _card_words(r: Draft, root: Node, printed: Effects) -> None:
    """Write names and abilities of focus cards, the leaders' unique ones included."""
    cards = root["focus_cards"][section(root.value)]
    codes = {code: cards[key] for key, code in card_codes(root.value).items()}
    for leader, key in enumerate(entries(root.value, "leader")):
        if root.value["leaders"][key].get("unique_card"):
            codes[names.N_CARDS + leader] = root["leaders"][key]["unique_card"]
    for code, card in codes.items():
        write_name(r, "card", code, card["name"])
        _abilities(r, card, "card", code, card["name"], printed)


# --- victory cards


def _victory(r: Draft, root: Node) -> None:
    box = section(root.value)
    winning, cards = root["victory_cards"]["rules"][box], root["victory_cards"][box]
    r.victory_in_play = cards_in_play(winning)
    r.claims_spared = cards_in_play(winning) - cards_needed(winning)
    r.fort_cards = winning.get("fort_cards_in_play", 0)
    r.round_limit = winning["round_limit"]
    for field, key in ((r.tie_break, "tie_break"), (r.limit_ranking, "at_round_limit")):
        ranking = [names.RANKINGS.index(word) for word in winning[key]]
        field[: len(ranking)] = ranking
    r.agenda_name[:] = r.agenda_type[:] = r.agenda_kind[:] = r.agenda_kind2[:] = -1
    # Every card's switch is read, also that of a card which is in the game.
    r.n_victory_cards = sum(card["available"] for _, card in cards.items())
    codes = agenda_names(root.value)
    for code, card_id in enumerate(victory_card_ids(root.value)):
        agendas = cards[card_id]["agendas"]
        r.victory_fort[code] = bool(cards[card_id].value.get("fort"))
        r.victory_always[code] = cards[card_id]["always_in_play"]
        keys = agenda_keys({"agendas": agendas.value}, codes)
        available = [agendas[key]["available"] for _, key in keys]
        for half in range(2):
            # A fort card, or a card with one agenda out of the game, shows its other agenda twice.
            shown = half if half < len(keys) and available[half] else 1 - half
            name, key = keys[min(shown, len(keys) - 1)]
            r.agenda_name[code, half] = name
            r.victory_must_stay[code] = bool(agendas[key].value.get("must_stay_true"))
            r.agenda_room[code, half] = agendas[key]["claims_at_most"] or winning["claims_per_agenda"]
            _agenda(r, code, half, agendas[key]["condition"])
    if box == "ti":
        r.win_check_after_dial = winning["check"] == CHECK_AT_FIRST_TURN


def _scores(r: Draft, scores: Node) -> None:
    r.points_round, r.points_to_win = scores["after_round"], scores["first_to"]
    r.scored = bool(r.points_round or r.points_to_win)
    r.printed_victory = scores["printed_victory"]
    for word, points in scores["points"].items():
        r.points[names.POINTS[word]] = points


def cards_in_play(winning: Mapping[str, Any] | Node) -> int:
    """Return the number of victory cards in play, fort cards included; `winning`: victory_cards.rules of the box."""
    if winning.get("cards_in_play") is not None:
        return int(winning["cards_in_play"])
    return int(winning["fort_cards_in_play"]) + int(winning["random_cards_in_play"])


def cards_needed(winning: Mapping[str, Any] | Node) -> int:
    """Return the number of victory cards that a player has to claim; `winning`: victory_cards.rules of the box."""
    needed = winning["cards_needed"]
    return cards_in_play(winning) if needed == ALL_IN_PLAY else int(needed)


def _agenda(r: Draft, code: int, half: int, condition: Node) -> None:
    pair = condition.get("any_of") or condition.get("all_of")
    first, other = pair or (condition, None)
    r.agenda_metric[code, half] = names.METRICS.index(first["metric"])
    r.agenda_target[code, half] = first["at_least"]
    r.agenda_kind[code, half] = _counted_kind(first)
    if first.get("type"):
        r.agenda_type[code, half] = TYPE[first["type"]]
    r.agenda_level[code, half] = first.get("level") or 0
    if other is not None:
        r.agenda_metric2[code, half] = names.METRICS.index(other["metric"])
        r.agenda_target2[code, half] = other["at_least"]
        r.agenda_kind2[code, half] = _counted_kind(other)
        r.agenda_both[code, half] = "all_of" in condition.value
    beyond = names.BEYOND_PRINT[r.box]
    if (beyond >> int(r.agenda_metric[code, half]) | beyond >> int(r.agenda_metric2[code, half])) & 1:
        r.agendas_beyond = 1


def _counted_kind(condition: Mapping[str, Any] | Node) -> int:
    """Return the code of the focus type or terrain, or the level, that a metric counts by; -1 if it does not."""
    if condition.get("level"):
        return int(condition["level"])
    if condition.get("terrain"):
        return LAND[condition["terrain"]]
    return TYPE[condition["type"]] if condition.get("type") else -1
