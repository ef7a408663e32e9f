"""The checks of the rules data: each file against its models, then what has to agree across files.

A check raises a `Problem` that names the path of the value; the loader adds the file and shows it to the user.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from newdawn.simulator import limits
from newdawn.simulator.errors import nearest
from newdawn.simulator.rules.ability_codes import TI_WORDS
from newdawn.simulator.rules.contents import OWN, box_of, names_of, printed_names, section, slug
from newdawn.simulator.rules.loading.abilities import MODELS, ability_holders, fields_of, words_of
from newdawn.simulator.rules.loading.compile import ALL_IN_PLAY, cards_in_play
from newdawn.simulator.rules.models import boards, content, focus_cards, pieces
from newdawn.simulator.rules.models.focus_cards import FOCUS_CARDS, TI_FOCUS_CARDS


class Problem(Exception):
    """A value that does not fit: where it is, and what is wrong with it."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path, self.message = path, message


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def check(path: str, kind: Any, value: Any) -> None:
    """Raise a Problem for the first thing in `value` that does not fit the type `kind`."""
    if kind is Any:
        return
    try:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            kind.model_validate(value)
        else:
            _adapter(kind).validate_python(value, strict=True)
    except ValidationError as error:
        raise _problem(path, kind, value, error.errors()[0]) from None


def _problem(path: str, kind: Any, value: Any, error: Any) -> Problem:
    place = ".".join([path, *_known_steps(value, error["loc"])])
    given = error["input"]
    context = error.get("ctx", {})
    reason = error["type"]
    if reason == "extra_forbidden":
        fields = list(getattr(kind, "model_fields", {})) if len(error["loc"]) == 1 else []
        listing = f": expected one of {', '.join(fields)}" if fields else ""
        return Problem(place, f"unknown key{listing}{nearest(str(error['loc'][-1]), fields)}")
    if reason == "missing":
        return Problem(place, "is missing")
    if reason == "literal_error":
        options = [word.strip(" '") for word in context["expected"].replace(" or ", ", ").split(",")]
        return Problem(place, f"expected {context['expected']}, got {given!r}{nearest(str(given), options)}")
    expected = EXPECTED.get(reason, "").format(**context) or error["msg"].removeprefix("Input should be ")
    return Problem(place, f"expected {expected}, got {_short(given)}")


def _known_steps(value: Any, steps: tuple[Any, ...]) -> list[str]:
    """Keep the steps that lead through the data: pydantic adds names of its own for unions and dictionary keys."""
    kept: list[str] = []
    for step in steps:
        if isinstance(value, Mapping) and str(step) in value:
            value = value[str(step)]
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step] if step < len(value) else None
        elif not (isinstance(value, Mapping) and step == steps[-1]) or step == "[key]":
            continue
        kept.append(str(step))
    return kept


EXPECTED = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "string_type": "a text",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "less_than": "less than {lt}",
    "too_short": "at least {min_length} in the list",
    "too_long": "at most {max_length} in the list",
    "none_required": "nothing (null)",
}


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "…"


def validate(data: Mapping[str, Any]) -> None:
    """Check all the data, file by file and then across files; raise a Problem for the first that is wrong."""
    for path, kind, value in _parts(data):
        check(path, kind, value)
    _check_abilities(data)
    _check_agendas(data)
    for cross_check in CROSS_CHECKS:
        cross_check(data)


def _parts(data: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Yield each part of the data with the model it must fit."""
    box = section(data)
    yield from _expansion_parts(data) if box == "ti" else _base_parts(data)
    kinds = card_models(data)
    for key, card in data["focus_cards"][box].items():
        _known(f"focus_cards.{box}.{key}.type", card.get("type"), kinds)
        yield f"focus_cards.{box}.{key}", kinds[card["type"]], card
    yield from _each("natural_wonders", content.NaturalWonder, data["natural_wonders"])
    yield "diplomacy.limits", content.DiplomacyLimits, data["diplomacy"]["limits"]
    yield "tiles.geometry", boards.Geometry, data["tiles"]["geometry"]
    yield from _each("tiles.tiles", boards.Tile, data["tiles"]["tiles"])
    yield "disputes", content.Disputes, data["disputes"]


def _base_parts(data: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    yield "components", pieces.Components, data["components"]
    yield "dials", pieces.Dials, data["dials"]
    yield "focus_cards.trade_token_effect", focus_cards.TradeTokenEffect, data["focus_cards"]["trade_token_effect"]
    yield from _each("leaders", content.Leader, data["leaders"])
    yield from _wonders(data, content.Wonder)
    yield from _each("city_states", content.CityState, data["city_states"])
    yield from _each("diplomacy.base", content.DiplomacyCard, data["diplomacy"]["base"])
    yield "victory_cards.rules", content.VictoryRuleSets, data["victory_cards"]["rules"]
    yield from _each("victory_cards.base", content.VictoryCard, data["victory_cards"]["base"])
    yield "map_layouts", boards.MapLayouts, data["map_layouts"]
    yield "map", boards.MapSettings, data["map"]


def _expansion_parts(data: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    yield "components", pieces.TiComponents, data["components"]
    yield "dials", pieces.TiDials, data["dials"]
    yield "focus_cards.trade_token_effect", focus_cards.TiTradeTokenEffect, data["focus_cards"]["trade_token_effect"]
    yield from _each("leaders", content.TiLeader, data["leaders"])
    for key, leader in data["leaders"].items():
        if card := leader.get("unique_card"):
            path = f"leaders.{key}.unique_card"
            _known(f"{path}.type", card.get("type"), TI_FOCUS_CARDS)
            yield path, TI_FOCUS_CARDS[card["type"]], card
    yield from _wonders(data, content.Wonder)
    yield from _each("city_states", content.CityState, data["city_states"])
    yield from _each("diplomacy.ti", content.TiDiplomacyCard, data["diplomacy"]["ti"])
    yield "victory_cards.rules", content.TiVictoryRuleSets, data["victory_cards"]["rules"]
    yield from _each("victory_cards.ti", content.TiVictoryCard, data["victory_cards"]["ti"])
    yield "map_layouts", boards.TiMapLayouts, data["map_layouts"]
    yield "map", boards.TiMapSettings, data["map"]
    yield from _each("governments.governments", content.Government, data["governments"]["governments"])
    yield from _each("districts.districts", content.District, data["districts"]["districts"])


def _wonders(data: Mapping[str, Any], kind: Any) -> Iterator[tuple[str, Any, Any]]:
    for key, wonder in data["wonders"].items():
        yield f"wonders.{key}", content.OwnWonder if wonder.get("set") == "own" else kind, wonder


def card_models(data: Mapping[str, Any]) -> dict[str, type[focus_cards.FocusCard]]:
    """Return the model of each type's focus cards in the box."""
    return TI_FOCUS_CARDS if section(data) == "ti" else FOCUS_CARDS


def _each(path: str, kind: Any, entries: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    for key, entry in entries.items():
        yield f"{path}.{key}", kind, entry


def _known(path: str, word: Any, words: Mapping[str, Any]) -> None:
    if word not in words:
        raise Problem(path, f"expected one of {', '.join(words)}, got {word!r}{nearest(str(word), words)}")


def _check_abilities(data: Mapping[str, Any]) -> None:
    """Check every ability against the model of its effect, and that it can stand where it stands."""
    banks = 0
    base = section(data) == "base"
    for path, entry in ability_holders(data):
        stem = "diplomacy" if path.endswith(".given_card") else path.split(".")[0]
        for key, ability in entry["abilities"].items():
            _ability(f"{path}.abilities.{key}", ability, stem)
            foreign = next((word for word in words_of(ability) if base and word in TI_WORDS), None)
            if foreign:
                raise Problem(f"{path}.abilities.{key}", f"'{foreign}' is a word of Terra Incognita, and this is the base game")
            if ability["effect"] == "give_card" and "given_card" not in entry:
                raise Problem(f"{path}.abilities.{key}", "give_card is for leaders with a `given_card`")
            banks += ability["effect"] == "trade_bank"
            if ability["effect"] == "trade_bank" and (banks > 1 or not path.startswith("wonders.")):
                raise Problem(f"{path}.abilities.{key}", "a trade_bank is for one world wonder only: its tokens lie on it")


TI_ICONS = ("districts", "government", "wonder")
WITH_SPACE = (
    "built", "built_or_captured", "attack_won", "defence_won", "barbarian_defeated", "city_built", "wonder_built", "arrival",
    "token_placed",
)  # fmt: skip


def _ability(path: str, ability: Mapping[str, Any], stem: str) -> None:
    effect = ability.get("effect")
    if effect is None:
        raise Problem(f"{path}.effect", "is missing")
    if effect not in MODELS:
        raise Problem(f"{path}.effect", f"unknown effect {effect!r}{nearest(str(effect), MODELS)}; see docs/abilities.md")
    for key in ability:
        keys = fields_of(effect)
        if key not in keys:
            raise Problem(f"{path}.{key}", f"unknown key: {effect} has {', '.join(keys[1:])}{nearest(key, keys)}")
    check(path, MODELS[effect], ability)
    if ability.get("moment") in ("built", "built_or_captured") and stem != "wonders":
        raise Problem(f"{path}.moment", f"'{ability['moment']}' is for world wonders: others may say wonder_built")
    for word, only, what in (("founds_city", "wonders", "world wonders"), ("city_state_as_city", "city_states", "city-states")):
        if effect == word and stem != only:
            raise Problem(f"{path}.effect", f"{word} is for {what} only")
    if ability.get("next_to") == "that_space" and ability["moment"] not in WITH_SPACE:
        message = f"no space belongs to the moment {ability['moment']}; expected one of {', '.join(WITH_SPACE)}"
        raise Problem(f"{path}.next_to", message)
    if ability.get("for_giver") and ability["moment"] == "start_of_turn":
        raise Problem(f"{path}.for_giver", "nobody gains at the start of another player's turn")
    gift = stem in ("diplomacy", "city_states")
    for key in ("giver", "for_giver"):
        if ability.get(key) and not gift:
            raise Problem(f"{path}.{key}", "only diplomacy cards have a giver")
    if ability.get("giver_places") and not ability.get("for_giver"):
        raise Problem(f"{path}.giver_places", "is for what the giver gains: `for_giver: true`")
    given: tuple[tuple[str, Any], ...] = (("whose", "giver"), ("for_giver", True))
    for key, word in given:
        if ability.get(key) == word and stem != "diplomacy":
            raise Problem(f"{path}.{key}", "only diplomacy cards of players have such a giver")


def _check_agendas(data: Mapping[str, Any]) -> None:
    box = section(data)
    one, either = (content.TiCondition, content.TiAnyOf) if box == "ti" else (content.Condition, content.AnyOf)
    for key, card in data["victory_cards"][box].items():
        for agenda_key, agenda in card["agendas"].items():
            path = f"victory_cards.{box}.{key}.agendas.{agenda_key}.condition"
            condition = agenda["condition"]
            check(path, either if "any_of" in condition else one, condition)
            if condition.get("metric") == "wonders_of_type" and not condition.get("type"):
                raise Problem(f"{path}.type", "is missing: wonders_of_type needs a focus type")
            if condition.get("metric") == "focus_cards_of_level_in_row" and not condition.get("level"):
                raise Problem(f"{path}.level", "is missing: focus_cards_of_level_in_row needs a level")


# --- checks across files


def _names_are(path: str, found: list[str], expected: tuple[str, ...]) -> None:
    for name in found:
        if name not in expected:
            raise Problem(path, f"unknown name '{name}'{nearest(name, expected)}")
    for name in expected:
        if found.count(name) != 1:
            raise Problem(path, f"'{name}' must be there once, is there {found.count(name)} times")


def _printed(entries: Mapping[str, Any], name: str = "name") -> list[str]:
    return [entry[name] for entry in entries.values() if entry.get("set") != OWN]


def _check_names(data: Mapping[str, Any]) -> None:
    box, part = box_of(data), section(data)
    _names_are("leaders", _printed(data["leaders"], "civ"), printed_names(box, "leader"))
    _names_are("wonders", _printed(data["wonders"]), printed_names(box, "wonder"))
    _names_are("city_states", _printed(data["city_states"]), printed_names(box, "city_state"))
    _names_are("natural_wonders", _printed(data["natural_wonders"]), printed_names(box, "natural_wonder"))
    _names_are(f"diplomacy.{part}", _printed(data["diplomacy"][part]), printed_names(box, "diplomacy"))
    cards = [card for card in data["victory_cards"][part].values() if card.get("set") != OWN]
    agendas = [agenda["name"] for card in cards for agenda in card["agendas"].values()]
    _names_are(f"victory_cards.{part}", agendas, printed_names(box, "agenda"))
    seen: dict[str, str] = {}
    for key, card in data["victory_cards"][part].items():
        if len(card["agendas"]) != (1 if card.get("fort") else 2):
            raise Problem(f"victory_cards.{part}.{key}.agendas", "expected two agendas, of a fort card one")
        for word, agenda in card["agendas"].items():
            if seen.setdefault(slug(agenda["name"]), key) != key:
                path = f"victory_cards.{part}.{key}.agendas.{word}.name"
                raise Problem(path, f"'{agenda['name']}' is an agenda of {seen[slug(agenda['name'])]}, too")


def _check_counts(data: Mapping[str, Any]) -> None:
    """Compare the entries of the files with the numbers of pieces in the box."""
    part = section(data)
    box = data["components"]["shared"][part]
    tiles = list(data["tiles"]["tiles"].values())
    letters = {feature["barbarian"] for _, _, feature in _features(tiles) if feature.get("barbarian")}
    cards = [card for card in data["victory_cards"][part].values() if card.get("set") != OWN]
    wonders = len(_printed(data["wonders"]))
    counted = {
        "map_tiles": len(tiles),
        "leaders": len(_printed(data["leaders"], "civ")),
        "barbarians": len(letters),
        "wonder_cards": wonders,
        "wonder_tokens": wonders,
        "city_states": len(data["city_states"]),
        "natural_wonders": len(data["natural_wonders"]),
        "victory_cards": sum(not card.get("fort") for card in cards),
    }
    if part == "ti":
        counted["fort_cards"] = len(cards) - counted["victory_cards"]
        printed = (leader for leader in data["leaders"].values() if leader["set"] != OWN)
        counted["unique_focus_cards"] = sum("unique_card" in leader for leader in printed)
    for piece, number in counted.items():
        # House rules may leave barbarians in the box by taking their marks off the tiles.
        if number > box[piece] or (number < box[piece] and piece != "barbarians"):
            raise Problem(f"components.shared.{part}.{piece}", f"expected {number}, as many as described, got {box[piece]}")
    pieces = data["components"]["per_player"][part]
    if len(data["focus_cards"][part]) != pieces["focus_cards"]:
        raise Problem(f"focus_cards.{part}", f"expected {pieces['focus_cards']} cards")


def _check_cards(data: Mapping[str, Any]) -> None:
    levels: Counter[tuple[str, int]] = Counter()
    box = section(data)
    for key, card in data["focus_cards"][box].items():
        levels[card["type"], card["level"]] += 1
        if levels[card["type"], card["level"]] > 1:
            raise Problem(f"focus_cards.{box}.{key}.level", f"a second {card['type']} card of level {card['level']}")
    for key, leader in data["leaders"].items():
        if len(set(leader["start_row"])) != len(leader["start_row"]):
            raise Problem(f"leaders.{key}.start_row", "expected each focus type once")
    slots = data["components"]["per_player"][box]["focus_bar_slots"]
    if slots != sorted(slots):
        raise Problem(f"components.per_player.{box}.focus_bar_slots", "expected slot numbers in rising order")


def _check_wonders(data: Mapping[str, Any]) -> None:
    printed: Counter[str] = Counter()
    for wonder in data["wonders"].values():
        if wonder["set"] != OWN:
            printed[wonder["type"]] += 1
    kind, number = printed.most_common(1)[0]
    if number > limits.DECK_SIZE:
        raise Problem("wonders", f"at most {limits.DECK_SIZE} wonders of a type, {kind} has {number}")
    box = section(data)
    for players, eras in data["components"]["wonder_decks"][box].items():
        if sum(eras.values()) > limits.DECK_SIZE:
            raise Problem(f"components.wonder_decks.{box}.{players}", f"expected at most {limits.DECK_SIZE} cards a type")


def _check_dials(data: Mapping[str, Any]) -> None:
    tech = data["dials"]["tech_dial"]
    for space in tech["level_spaces"]:
        if not space.isdigit() or not 1 <= int(space) <= tech["last_space"]:
            raise Problem(f"dials.tech_dial.level_spaces.{space}", f"expected a space from 1 to {tech['last_space']}")
    for key in ("start", "after_last"):
        if tech[key] > tech["last_space"]:
            raise Problem(f"dials.tech_dial.{key}", f"expected at most {tech['last_space']}, the last space")
    dial = f"event_dial_{section(data)}"
    event = data["dials"][dial]
    if event["start_section"] > len(event["sections"]):
        raise Problem(f"dials.{dial}.start_section", f"expected at most {len(event['sections'])}")
    for index, part in enumerate(event["sections"]):
        for icon in part["icons"]:
            if icon in TI_ICONS and section(data) != "ti":
                raise Problem(f"dials.{dial}.sections.{index}", f"icon '{icon}' needs the expansion")


def _check_available(data: Mapping[str, Any]) -> None:
    leaders = sum(leader.get("available", False) for leader in data["leaders"].values())
    if leaders < 2:
        raise Problem("leaders", f"expected at least 2 available leaders, got {leaders}")
    box = section(data)
    deal = data["components"]["leader_deal"][box]
    if deal["leaders_per_player"] * 2 > leaders:
        message = f"expected at most {leaders // 2}, so that {leaders} leaders do for two players"
        raise Problem(f"components.leader_deal.{box}.leaders_per_player", message)
    known = names_of(data, "leader")
    for place, name in enumerate(deal["ranking"]):
        if name not in known:
            path = f"components.leader_deal.{box}.ranking.{place}"
            raise Problem(path, f"expected one of {', '.join(known)}, got '{name}'{nearest(name, known)}")
    twice = next((name for name in deal["ranking"] if deal["ranking"].count(name) > 1), None)
    if twice:
        raise Problem(f"components.leader_deal.{box}.ranking", f"'{twice}' is named twice")
    for key, card in data["focus_cards"][box].items():
        if card["level"] == 1 and not card["available"]:
            raise Problem(f"focus_cards.{box}.{key}.available", "cannot be false: every player begins with the level I cards")
    for key, card in data["victory_cards"][box].items():
        if not any(agenda["available"] for agenda in card["agendas"].values()):
            message = "cannot be false for both agendas of a card: make the card itself unavailable"
            raise Problem(f"victory_cards.{box}.{key}.agendas.{next(iter(card['agendas']))}.available", message)
    rules = data["victory_cards"]["rules"][box]
    for key, fort in (("cards_in_play", False), ("random_cards_in_play", False), ("fort_cards_in_play", True)):
        cards = sum(card["available"] for card in data["victory_cards"][box].values() if bool(card.get("fort")) == fort)
        if rules.get(key, 0) > cards:
            path = f"victory_cards.rules.{box}.{key}"
            raise Problem(path, f"expected at most {cards}, the cards available, got {rules[key]}")


def _check_winning(data: Mapping[str, Any]) -> None:
    box = section(data)
    rules = data["victory_cards"]["rules"][box]
    in_play, needed = cards_in_play(rules), rules["cards_needed"]
    if not 1 <= in_play <= limits.MAX_IN_PLAY:
        message = f"expected 1 to {limits.MAX_IN_PLAY} victory cards in play with the fort cards, got {in_play}"
        raise Problem(f"victory_cards.rules.{box}.random_cards_in_play", message)
    if needed != ALL_IN_PLAY and (type(needed) is not int or not 1 <= needed <= in_play):
        message = f"expected '{ALL_IN_PLAY}' or 1 to {in_play}, the cards in play, got {_short(needed)}"
        raise Problem(f"victory_cards.rules.{box}.cards_needed", message)
    for key in ("tie_break", "at_round_limit"):
        twice = next((word for word in rules[key] if rules[key].count(word) > 1), None)
        if twice:
            raise Problem(f"victory_cards.rules.{box}.{key}", f"'{twice}' is named twice")


def _features(tiles: list[Mapping[str, Any]]) -> Iterator[tuple[int, str, Mapping[str, Any]]]:
    for tile in tiles:
        for side, face in tile["sides"].items():
            for feature in face["features"]:
                yield tile["number"], side, feature


def _check_tiles(data: Mapping[str, Any]) -> None:
    tiles = data["tiles"]["tiles"]
    for key, tile in tiles.items():
        if set(tile["sides"]) != {"A", "B"}:
            raise Problem(f"tiles.tiles.{key}.sides", "expected sides A and B")
        for side, face in tile["sides"].items():
            _check_face(f"tiles.tiles.{key}.sides.{side}", tile, face, data)
    homes: dict[str, int] = {}
    for number, side, feature in _features(list(tiles.values())):
        letter = feature.get("barbarian")
        if letter and homes.setdefault(letter, number) != number:
            path = f"tiles.tiles.{number}.sides.{side}"
            raise Problem(path, f"barbarian {letter} already belongs to tile {homes[letter]}")
    for stem, word in (("natural_wonders", "natural_wonder"), ("city_states", "city_state")):
        placed = {feature[word]: (number, side) for number, side, feature in _features(list(tiles.values())) if word in feature}
        for key, entry in data[stem].items():
            if placed.get(entry["name"]) != (entry["tile"], entry["side"]):
                raise Problem(f"{stem}.{key}", f"is not on tile {entry['tile']}{entry['side']}")


def _check_face(path: str, tile: Mapping[str, Any], face: Mapping[str, Any], data: Mapping[str, Any]) -> None:
    barbarians = 0
    for feature in face["features"]:
        where = f"{path}.features"
        terrain = face["terrain"][feature["space"]]
        marks = [word for word in feature if word != "space"]
        if len(marks) != 1:
            raise Problem(where, f"space {feature['space']}: expected one mark, got {len(marks)}")
        mark = marks[0]
        if mark in ("natural_wonder", "city_state"):
            _named_here(where, mark, feature[mark], tile, data)
        barbarians += mark == "barbarian"
        if (terrain == "natural_wonder") != (mark == "natural_wonder") or (mark != "natural_wonder" and terrain == "water"):
            raise Problem(where, f"space {feature['space']}: a {mark} cannot lie on {terrain}")
        if mark == "capital" and tile["kind"] != "capital":
            raise Problem(where, f"a capital on a tile of kind {tile['kind']}")
    if barbarians > 1:
        raise Problem(path, "more than one barbarian")
    wanted = {"capital": "capital", "natural_wonder": "natural_wonder", "city_state": "city_state"}.get(tile["kind"])
    if wanted and sum(wanted in feature for feature in face["features"]) != 1:
        raise Problem(path, f"expected one {wanted}, as the tile's kind says")


def _named_here(path: str, mark: str, name: str, tile: Mapping[str, Any], data: Mapping[str, Any]) -> None:
    known = [entry["name"] for entry in data[f"{mark}s"].values()]
    if name not in known:
        raise Problem(path, f"unknown {mark} '{name}'{nearest(name, known)}")
    if tile["kind"] != mark:
        raise Problem(path, f"a {mark} on a tile of kind {tile['kind']}")


def _check_geometry(data: Mapping[str, Any]) -> None:
    geometry = data["tiles"]["geometry"]
    for key, mirrored in (("side_a", False), ("side_b", True)):
        spaces = [tuple(space) for space in geometry[key]]
        if mirrored and spaces != [(-q - r, r) for q, r in geometry["side_a"]]:
            raise Problem("tiles.geometry.side_b", "expected the mirror image of side_a")
        for space, listed in geometry["neighbours"].items():
            q, r = spaces[int(space)]
            around = {(q + 1, r), (q, r + 1), (q - 1, r + 1), (q - 1, r), (q, r - 1), (q + 1, r - 1)}
            if sorted(listed) != [other for other, place in enumerate(spaces) if place in around]:
                raise Problem(f"tiles.geometry.neighbours.{space}", f"does not fit {key}")


CROSS_CHECKS: tuple[Callable[[Mapping[str, Any]], None], ...] = (
    _check_names, _check_counts, _check_cards, _check_wonders, _check_dials, _check_available, _check_winning, _check_tiles,
    _check_geometry,
)  # fmt: skip
