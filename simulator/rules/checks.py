"""Checks that models cannot make: across entries, and of own content beside or in place of printed content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from .. import names
from ..errors import nearest
from . import board_models, codes, content_models, contract, unsayable
from .card_parts import NOTES
from .compile import ALL_IN_PLAY, cards_in_play
from .content_models import FOCUS_CARDS, TI_FOCUS_CARDS, Problem, check, model_of, short
from .printed_game import printed_data
from .ruleset_contents import (
    OWN,
    SECTIONS,
    ability_holders,
    box_of,
    fields_of,
    focus_types,
    has_teams,
    names_of,
    printed_names,
    replaced,
    section,
    slug,
    words_of,
)

# --- The checks of the rules data
#
# Each part against its model, then across files. A check raises a `Problem` that names the path of the value; the loader adds
# the file and shows it to the user.


def validate(data: Mapping[str, Any]) -> None:
    """Check the data, file by file and then across files; raise a Problem for the first wrong value."""
    for path, kind, value in parts(data):
        check(path, kind, value)
    check_abilities(data)
    _check_agendas(data)
    for cross_check in CROSS_CHECKS:
        cross_check(data)


def parts(data: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Yield each part of the data with the model it must fit."""
    box, ti = section(data), section(data) == "ti"
    yield "components", board_models.TiComponents if ti else board_models.Components, data["components"]
    yield "dials", board_models.TiDials if ti else board_models.Dials, data["dials"]
    trade = content_models.TiTradeTokenEffect if ti else content_models.TradeTokenEffect
    yield "focus_cards.trade_token_effect", trade, data["focus_cards"]["trade_token_effect"]
    yield from _each("leaders", content_models.TiLeader if ti else content_models.Leader, data["leaders"])
    for key, leader in data["leaders"].items():
        if ti and (card := leader.get("unique_card")):
            path = f"leaders.{key}.unique_card"
            _check_word(f"{path}.type", card.get("type"), TI_FOCUS_CARDS)
            if leader["set"] == OWN:
                _check_notes(path, card, data)
            yield path, TI_FOCUS_CARDS[card["type"]], card
    for key, wonder in data["wonders"].items():
        yield f"wonders.{key}", content_models.OwnWonder if wonder.get("set") == OWN else content_models.Wonder, wonder
    yield from _each(
        f"diplomacy.{box}", content_models.TiDiplomacyCard if ti else content_models.DiplomacyCard, data["diplomacy"][box]
    )
    winning, cards = data["victory_cards"]["rules"], data["victory_cards"][box]
    yield "victory_cards.rules", content_models.TiVictoryRuleSets if ti else content_models.VictoryRuleSets, winning
    yield from _each(f"victory_cards.{box}", content_models.TiVictoryCard if ti else content_models.VictoryCard, cards)
    yield "map_layouts", board_models.TiMapLayouts if ti else board_models.MapLayouts, data["map_layouts"]
    yield "map", board_models.TiMapSettings if ti else board_models.MapSettings, data["map"]
    if ti:
        yield from _each("governments.governments", content_models.Government, data["governments"]["governments"])
        yield from _each("districts.districts", content_models.District, data["districts"]["districts"])
    kinds = card_models(data)
    for key, card in data["focus_cards"][box].items():
        _check_word(f"focus_cards.{box}.{key}.type", card.get("type"), kinds)
        if card["set"] == OWN:
            _check_notes(f"focus_cards.{box}.{key}", card, data)
        yield f"focus_cards.{box}.{key}", kinds[card["type"]], card
    for key, wonder in data["natural_wonders"].items():
        yield (
            f"natural_wonders.{key}",
            content_models.OwnNaturalWonder if wonder["set"] == OWN else content_models.NaturalWonder,
            wonder,
        )
    for key, state in data["city_states"].items():
        yield f"city_states.{key}", content_models.OwnCityState if state["set"] == OWN else content_models.CityState, state
    yield "everyone", content_models.Everyone, data["everyone"]
    yield "scores", content_models.TiScores if box == "ti" else content_models.Scores, data["scores"]
    yield "teams", content_models.Teams, data["teams"]
    yield "diplomacy.limits", content_models.DiplomacyLimits, data["diplomacy"]["limits"]
    yield "tiles.geometry", board_models.Geometry, data["tiles"]["geometry"]
    yield from _each("tiles.tiles", board_models.Tile, data["tiles"]["tiles"])
    yield "disputes", content_models.Disputes, data["disputes"]


def _check_notes(path: str, card: Mapping[str, Any], data: Mapping[str, Any]) -> None:
    """Raise a Problem if an own card says what no part of the engine reads, unless it is true of all cards with that key."""
    for note in NOTES[card["type"]].split():
        given = _at_path(card, note)
        true = _printed_notes(box_of(data), card["type"], note, str(card.get("mode", "")))
        if given is not None and given not in true:
            said = " or ".join(f"{word!r}" for word in true)
            hint = f"expected {said}, what printed cards say, or nothing" if true else "leave it out"
            raise Problem(f"{path}.{note}", f"is a note that changes nothing; {hint}, got {short(given)}")


def _at_path(node: Any, path: str) -> Any:
    for step in path.split("."):
        node = node.get(step) if isinstance(node, Mapping) else None
    return node


@cache
def _printed_notes(box: str, kind: str, note: str, mode: str) -> list[Any]:
    """Return what the printed cards of a type and mode say at a key that is for people to read."""
    data = printed_data(box)
    unique = (leader["unique_card"] for leader in data["leaders"].values() if leader.get("unique_card"))
    cards = [card for card in (*data["focus_cards"][section(data)].values(), *unique) if card["type"] == kind]
    values: list[Any] = []
    for card in cards:
        value = _at_path(card, note)
        if value is not None and value not in values and str(card.get("mode", "")) == mode:
            values.append(value)
    return values


def card_models(data: Mapping[str, Any]) -> dict[str, type[content_models.FocusCard]]:
    """Return the model of each type's focus cards in the box."""
    return TI_FOCUS_CARDS if section(data) == "ti" else FOCUS_CARDS


def _each(path: str, kind: Any, entries: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    for key, entry in entries.items():
        yield f"{path}.{key}", kind, entry


def _check_word(path: str, word: Any, words: Mapping[str, Any]) -> None:
    if word not in words:
        raise Problem(path, f"expected one of {', '.join(words)}, got {word!r}{nearest(str(word), words)}")


def check_abilities(data: Mapping[str, Any]) -> None:
    """Check every ability against the model of its effect, and that it can stand where it stands."""
    banks = abilities = 0
    functions: set[str | None] = set()
    base = section(data) == "base"
    of_everyone = _waiting(data["everyone"])
    for path, entry in ability_holders(data):
        if path.startswith("leaders.") and (waiting := of_everyone + _waiting(entry)) > names.MAX_LISTED:
            message = (
                f"a player has room for {names.MAX_LISTED} that wait for a moment; with those of everyone there are {waiting}"
            )
            raise Problem(f"{path}.abilities", message)
        stem = "diplomacy" if path.endswith(".given_card") else path.split(".")[0]
        for key, ability in entry["abilities"].items():
            _ability(f"{path}.abilities.{key}", ability, stem)
            foreign = next((word for word in words_of(ability) if base and word in codes.TI_WORDS), None)
            if foreign:
                raise Problem(f"{path}.abilities.{key}", f"'{foreign}' is a word of Terra Incognita, and this is the base game")
            if ability["effect"] == "give_card" and "given_card" not in entry:
                raise Problem(f"{path}.abilities.{key}", "give_card is for leaders with a `given_card`")
            _check_given(f"{path}.abilities.{key}", entry, ability)
            abilities += 1
            if abilities > names.MAX_ABILITIES:
                message = f"there is room for {names.MAX_ABILITIES} abilities, printed ones included"
                raise Problem(f"{path}.abilities.{key}", message)
            functions.add(ability.get("function"))
            if len(functions - {None}) > names.MAX_FUNCTIONS:
                raise Problem(f"{path}.abilities.{key}", f"there is room for {names.MAX_FUNCTIONS} own functions")
            if len(f"{ability.get('function')}#{ability.get('digest')}") > names.MAX_FUNCTION_TEXT:
                raise Problem(f"{path}.abilities.{key}.function", "expected a shorter module:name")
            banks += ability["effect"] == "trade_bank"
            if ability["effect"] == "trade_bank" and (banks > 1 or not path.startswith("wonders.")):
                raise Problem(f"{path}.abilities.{key}", "a trade_bank is for one world wonder only: its tokens lie on it")


def _waiting(entry: Mapping[str, Any]) -> int:
    """Return how many abilities of an entry wait for a moment as long as it is held."""
    return sum(ability.get("moment", "built") != "built" for ability in entry["abilities"].values())


def _check_given(path: str, entry: Mapping[str, Any], ability: Mapping[str, Any]) -> None:
    """Raise a Problem where an ability asks for a card that no leader has given away."""
    for key in contract.COUNTING:
        asked = ability.get(key)
        if asked and "other_has_given_card" in ([asked] if isinstance(asked, str) else asked) and "given_card" not in entry:
            raise Problem(f"{path}.{key}", "other_has_given_card is for leaders with a `given_card`")


PAIRS = ("any_of", "all_of")
TI_ICONS = ("districts", "government", "wonder")


def _ability(path: str, ability: Mapping[str, Any], stem: str) -> None:
    effect = ability.get("effect")
    if effect is None:
        raise Problem(f"{path}.effect", "is missing")
    if not isinstance(effect, str) or effect not in codes.EFFECT:
        raise Problem(f"{path}.effect", contract.unknown_effect(effect))
    for key in ability:
        keys = fields_of(effect)
        if key not in keys:
            raise Problem(f"{path}.{key}", f"unknown key: {effect} has {', '.join(keys[1:])}{unsayable.answer(key, keys)}")
    check(path, model_of(effect), ability)
    if codes.EFFECT[effect].only not in ("", stem):
        what = {"wonders": "world wonders", "city_states": "city-states"}[codes.EFFECT[effect].only]
        raise Problem(f"{path}.effect", f"{effect} is for {what} only")
    for key, message in contract.faults(ability, stem):
        raise Problem(f"{path}.{key}", message)


def _check_agendas(data: Mapping[str, Any]) -> None:
    box = section(data)
    single, pair = (
        (content_models.TiCondition, content_models.TiPair) if box == "ti" else (content_models.Condition, content_models.Pair)
    )
    for key, card in data["victory_cards"][box].items():
        for agenda_key, agenda in card["agendas"].items():
            path = f"victory_cards.{box}.{key}.agendas.{agenda_key}.condition"
            condition = agenda["condition"]
            pairs = [key for key in PAIRS if isinstance(condition, Mapping) and key in condition]
            check(path, pair if pairs else single, condition)
            if empty := next((key for key in pairs if condition[key] is None), None):
                raise Problem(f"{path}.{empty}", "expected a list of two conditions, got None")
            if len(pairs) > 1:
                raise Problem(f"{path}.{pairs[1]}", f"expected {PAIRS[0]} or {PAIRS[1]}, not both")
            for place, part in [(f"{path}.{key}.{nth}", part) for key in pairs for nth, part in enumerate(condition[key])]:
                _check_condition(place, part)
            if not pairs:
                _check_condition(path, condition)


def _check_condition(path: str, condition: Mapping[str, Any]) -> None:
    """Check that a metric has the focus type, level or terrain it counts by, and no other."""
    metric = condition["metric"]
    for key, word in (("type", "focus type"), ("level", "level"), ("terrain", "terrain")):
        wanted = names.METRIC[metric].by == key
        if wanted and not condition.get(key):
            raise Problem(f"{path}.{key}", f"is missing: {metric} needs a {word}")
        if not wanted and condition.get(key):
            raise Problem(f"{path}.{key}", f"says nothing: {metric} counts by no {word}")


# --- checks across files


def _names_are(path: str, listed: list[str], expected: tuple[str, ...]) -> None:
    for name in listed:
        if name not in expected:
            raise Problem(path, f"unknown name '{name}'{nearest(name, expected)}")
    for name in expected:
        if listed.count(name) != 1:
            raise Problem(path, f"'{name}' must be there once, is there {listed.count(name)} times")


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
    tiles = [tile for tile in data["tiles"]["tiles"].values() if tile["set"] != OWN]
    letters = {feature["barbarian"] for _, _, feature in _features(tiles) if feature.get("barbarian")}
    cards = [card for card in data["victory_cards"][part].values() if card.get("set") != OWN]
    wonders = len(_printed(data["wonders"]))
    counted = {
        "map_tiles": len(tiles),
        "leaders": len(_printed(data["leaders"], "civ")),
        "barbarians": len(letters),
        "wonder_cards": wonders,
        "wonder_tokens": wonders,
        "city_states": len(_printed(data["city_states"])),
        "natural_wonders": len(_printed(data["natural_wonders"])),
        "victory_cards": sum(not card.get("fort") for card in cards),
    }
    if part == "ti":
        counted["fort_cards"] = len(cards) - counted["victory_cards"]
        printed = (leader for leader in data["leaders"].values() if leader["set"] != OWN)
        counted["unique_focus_cards"] = sum("unique_card" in leader for leader in printed)
        districts = data["components"]["per_player"]["ti"]["districts"]
        if sum(data["districts"]["per_player"].values()) != districts:
            raise Problem("districts.per_player", f"expected {districts} in all")
    for piece, number in counted.items():
        # House rules may leave barbarians in the box by taking their marks off the tiles.
        if number > box[piece] or (number < box[piece] and piece != "barbarians"):
            raise Problem(f"components.shared.{part}.{piece}", f"expected {number}, as many as described, got {box[piece]}")
    pieces = data["components"]["per_player"][part]
    if len(_printed(data["focus_cards"][part])) != pieces["focus_cards"]:
        raise Problem(f"focus_cards.{part}", f"expected {pieces['focus_cards']} cards")


def _check_cards(data: Mapping[str, Any]) -> None:
    levels: Counter[tuple[str, int]] = Counter()
    box = section(data)
    for key, card in data["focus_cards"][box].items():
        levels[card["type"], card["level"]] += card["set"] != OWN
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
    if number > names.DECK_SIZE:
        raise Problem("wonders", f"at most {names.DECK_SIZE} wonders of a type, {kind} has {number}")
    box = section(data)
    for players, eras in data["components"]["wonder_decks"][box].items():
        if sum(eras.values()) > names.DECK_SIZE:
            raise Problem(f"components.wonder_decks.{box}.{players}", f"expected at most {names.DECK_SIZE} cards a type")


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


def _check_deal(data: Mapping[str, Any], place: str, deal: Mapping[str, Any], leaders: int) -> None:
    """Raise a Problem unless `leaders` are enough for two players, and the ranking names leaders once each."""
    most = leaders // 2 - deal["bans_per_player"]
    if most < 1:
        message = f"expected at most {leaders // 2 - 1}, so that {leaders} leaders do for two players"
        raise Problem(f"{place}.bans_per_player", message)
    if deal["leaders_per_player"] > most:
        message = f"expected at most {most}, so that {leaders} leaders do for two players"
        raise Problem(f"{place}.leaders_per_player", message)
    if deal["choose_from"] != names.LEADER_SOURCES[names.FROM_DEALT] and deal["leaders_per_player"] > 1:
        message = f"expected 1 with choose_from: {deal['choose_from']}, got {deal['leaders_per_player']}"
        raise Problem(f"{place}.leaders_per_player", message)
    valid = names_of(data, "leader")
    for index, name in enumerate(deal["ranking"]):
        if name not in valid:
            raise Problem(f"{place}.ranking.{index}", f"expected one of {', '.join(valid)}, got '{name}'{nearest(name, valid)}")
    twice = next((name for name in deal["ranking"] if deal["ranking"].count(name) > 1), None)
    if twice:
        raise Problem(f"{place}.ranking", f"'{twice}' is named twice")


def _check_available(data: Mapping[str, Any]) -> None:
    leaders = sum(leader.get("available", False) for leader in data["leaders"].values())
    if leaders < 2:
        raise Problem("leaders", f"expected at least 2 available leaders, got {leaders}")
    box = section(data)
    _check_deal(data, f"components.leader_deal.{box}", data["components"]["leader_deal"][box], leaders)
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
    _check_always(data["victory_cards"][box], rules, f"victory_cards.{box}")


def _check_always(cards: Mapping[str, Any], rules: Mapping[str, Any], path: str) -> None:
    """Check the cards in play in every game: available, no fort cards, and no more than there is room for."""
    always = [key for key, card in cards.items() if card["always_in_play"]]
    room = cards_in_play(rules) - rules.get("fort_cards_in_play", 0)
    for nth, key in enumerate(always):
        place = f"{path}.{key}.always_in_play"
        if cards[key].get("fort"):
            raise Problem(place, "cannot be true: fort_cards_in_play says how many fort cards are in play")
        if not cards[key]["available"]:
            raise Problem(place, "cannot be true: the card is not in the game (available: false)")
        if nth >= room:
            raise Problem(place, f"expected at most {room} such cards, as many as are in play, got {len(always)}")


def _check_winning(data: Mapping[str, Any]) -> None:
    box = section(data)
    rules = data["victory_cards"]["rules"][box]
    in_play, needed = cards_in_play(rules), rules["cards_needed"]
    if not 1 <= in_play <= names.MAX_IN_PLAY:
        message = f"expected 1 to {names.MAX_IN_PLAY} victory cards in play with the fort cards, got {in_play}"
        raise Problem(f"victory_cards.rules.{box}.random_cards_in_play", message)
    if needed != ALL_IN_PLAY and (type(needed) is not int or not 1 <= needed <= in_play):
        message = f"expected '{ALL_IN_PLAY}' or 1 to {in_play}, the cards in play, got {short(needed)}"
        raise Problem(f"victory_cards.rules.{box}.cards_needed", message)
    for key in ("tie_break", "at_round_limit"):
        twice = next((word for word in rules[key] if rules[key].count(word) > 1), None)
        if twice:
            raise Problem(f"victory_cards.rules.{box}.{key}", f"'{twice}' is named twice")


def _check_ways_to_win(data: Mapping[str, Any]) -> None:
    """Check that points can win, that there is a way to win, and that only partners win together."""
    scores = data["scores"]
    given, ends = any(scores["points"].values()), scores["after_round"] or scores["first_to"]
    if ends and not given:
        raise Problem("scores.points", "expected points for something, such as {victory_cards: 5, cities: 1}")
    if given and not ends:
        raise Problem("scores", "expected after_round or first_to, or both: points alone decide nothing")
    if data["teams"]["victory"] == names.TEAM_WINS[1] and not has_teams(data):
        raise Problem("teams.victory", "says nothing without partners: expected teams.partners as well")
    if not scores["printed_victory"] and not ends:
        raise Problem("scores.printed_victory", "cannot be false without points that win: expected after_round or first_to")


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
        placed: dict[str, list[tuple[int, str]]] = {}
        for number, side, feature in _features(list(tiles.values())):
            if word in feature:
                placed.setdefault(feature[word], []).append((number, side))
        for key, entry in data[stem].items():
            _check_place(f"{stem}.{key}", entry, placed.get(entry["name"], []), key in replaced(data[stem]))


def _check_place(path: str, entry: Mapping[str, Any], places: list[tuple[int, str]], is_replaced: bool) -> None:
    """Check that a printed city-state or natural wonder lies on its tile, an own one on just one tile."""
    if entry["set"] == OWN:
        if len({number for number, _ in places}) != 1:
            listed = ", ".join(f"{number}{side}" for number, side in places) or "none"
            raise Problem(path, f"expected one tile whose features name it, or in_place_of a printed one; tiles: {listed}")
    elif places != ([] if is_replaced else [(entry["tile"], entry["side"])]):
        raise Problem(path, f"is not on tile {entry['tile']}{entry['side']}")


def _check_tile_supply(data: Mapping[str, Any]) -> None:
    """Check that there are tiles enough for every number of players, and no more than the map has room for."""
    part = section(data)
    setup = data["components"]["map_setup"][part]
    most = max(int(players) for players in data["components"]["players"][part])
    kinds = Counter(tile["kind"] for tile in data["tiles"]["tiles"].values() if tile.get("available", True))
    others = sum(kinds.values()) - kinds["capital"]
    if part == "base":
        mix = setup["core_mix"]
        needed = {**mix, "capital": most}
        if sum(mix.values()) < setup["core_tiles"]:
            message = f"expected {setup['core_tiles']} tiles in all for the core, got {sum(mix.values())}"
            raise Problem(f"components.map_setup.{part}.core_mix", message)
        wanted = sum(mix.values()) + most * setup["dealt_tiles_per_player"]
    else:
        needed = {"capital": most}
        wanted = setup["core_tiles"][str(most)]
        room = names.MAX_SPACES - names.MAX_PLAYERS - data["components"]["shared"][part]["water_tokens"]
        if (others + most) * names.TILE_SPACES > room:
            at_most = room // names.TILE_SPACES - most
            raise Problem("tiles.tiles", f"expected at most {at_most} available tiles without a star, got {others}")
    for kind, number in needed.items():
        if kinds[kind] < number:
            raise Problem("tiles.tiles", f"expected at least {number} available tiles of kind {kind}, got {kinds[kind]}")
    if others < wanted:
        raise Problem("tiles.tiles", f"expected at least {wanted} available tiles without a star, got {others}")


def _check_face(path: str, tile: Mapping[str, Any], face: Mapping[str, Any], data: Mapping[str, Any]) -> None:
    barbarians = 0
    for feature in face["features"]:
        where = f"{path}.features"
        terrain = face["terrain"][feature["space"]]
        marks = [word for word, name in feature.items() if word != "space" and name is not None]
        if len(marks) != 1 or len(feature) > 2:
            raise Problem(where, f"space {feature['space']}: expected one mark, got {len(marks)}")
        mark = marks[0]
        if mark in ("natural_wonder", "city_state"):
            printed = [entry["name"] for entry in data[f"{mark}s"].values()]
            if feature[mark] not in printed:
                raise Problem(where, f"unknown {mark} '{feature[mark]}'{nearest(feature[mark], printed)}")
            if tile["kind"] != mark:
                raise Problem(where, f"a {mark} on a tile of kind {tile['kind']}")
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
    _check_names, _check_counts, _check_cards, _check_wonders, _check_dials, _check_available, _check_winning,
    _check_ways_to_win, _check_tiles, _check_tile_supply, _check_geometry,
)  # fmt: skip


# --- Own content: leaders, world wonders, cards, city-states, natural wonders and map tiles that a house rule adds
#
# An entry with a new key and a `name` (a victory card: `agendas`, a tile: `kind`) is own content. It is completed here to the
# form of the printed entries, so that checks, compiling, tables and reports treat it alike.

GROWTH_CARD = names.FOCUS_TYPES[names.GROWTH]
PRINTED_COPIES = 2  # diplomacy cards of each printed city-state
# Where own entries may stand, the key that makes one new, and the room the engine has for entries of the kind.
ROOM = {
    "leaders": ("name", names.MAX_LEADERS),
    "wonders": ("name", names.MAX_WONDERS),
    "diplomacy": ("name", names.MAX_DIPLOMACY),
    "victory_cards": ("agendas", names.MAX_VICTORY_CARDS),
    "city_states": ("name", names.MAX_CITY_STATES),
    "natural_wonders": ("name", names.MAX_NATURAL_WONDERS),
    "focus_cards": ("name", names.MAX_OWN_CARDS),  # beside the printed ones
    "tiles": ("kind", names.MAX_TILES),
}
NEEDED = {
    "leaders": ("name", "start_row"),
    "wonders": ("name", "type", "era", "cost", "resources"),
    "diplomacy": ("name", "abilities"),
    "victory_cards": ("agendas",),
    "city_states": ("name", "type"),
    "natural_wonders": ("name", "resource"),
    "focus_cards": ("name", "type", "level"),
    "tiles": ("kind", "sides"),
}
MAY_HAVE = {
    "leaders": (
        "leader", "ability_name", "effect", "abilities", "available", "ability_works", "start_trade_tokens", "start_bonus",
        "unique_card", "given_card",
    ),
    "wonders": ("effect", "abilities", "available"),
    "diplomacy": ("effect",),
    "victory_cards": ("available", "always_in_play"),
    "city_states": ("abilities", "copies", "in_place_of", "effect", "available"),
    "natural_wonders": ("abilities", "in_place_of", "effect", "available"),
    "focus_cards": ("in_place_of", "abilities", "available", "effect"),  # and all that the printed ones of the type have
    "tiles": ("available",),
}  # fmt: skip
PARTED = ("diplomacy", "victory_cards", "focus_cards")  # files with a part for each box: diplomacy.base
WITHOUT_NAME = ("victory_cards", "tiles")


def path_of(file: str, part: str) -> str:
    """Return the path of a kind's entries in the data; `part`: contents.section."""
    return f"{file}.{part}" if file in PARTED else "tiles.tiles" if file == "tiles" else file


def file_of(path: str) -> str:
    """Return the file whose entries are at `path`; "" if no entries of content are there."""
    stem = path.partition(".")[0]
    return stem if stem in ROOM and path in [path_of(stem, part) for part in SECTIONS.values()] else ""


def is_new(node: Mapping[str, Any], path: str, key: str, value: Any) -> bool:
    """Say whether a house rule adds an entry under this key."""
    mark = ROOM.get(file_of(path), ("",))[0]
    return bool(mark) and slug(key) not in node and isinstance(value, Mapping) and mark in value


def entry(
    data: Mapping[str, Any],
    node: Mapping[str, Any],
    path: str,
    key: str,
    given: Mapping[str, Any],
    list_abilities: Callable[..., Any],
) -> Any:
    """Return the complete entry of new content; raise a Problem that names what is missing, unknown or too much."""
    place, file = f"{path}.{key}", file_of(path)
    keys: tuple[str, ...] = (*NEEDED[file], *MAY_HAVE[file])
    if file == "focus_cards":
        _check_type(place, given, data)
        fields = (field for field in card_models(data)[given["type"]].model_fields if field != "set")
        keys = tuple(dict.fromkeys([*keys, *fields]))
    for word in given:
        if word not in keys:
            raise Problem(f"{place}.{word}", f"unknown key: expected one of {', '.join(keys)}{nearest(word, keys)}")
    for word in NEEDED[file]:
        if word not in given:
            raise Problem(f"{place}.{word}", "is missing")
    _check_room(node, file, place)
    new: dict[str, Any] = BUILDERS[file](place, given, data)
    if file not in WITHOUT_NAME:
        _check_name(node, path, place, given["name"])
        new["abilities"] = list_abilities(given.get("abilities", []), f"{place}.abilities")
    if "in_place_of" in given:
        _check_replaced(node, place, given)
    if isinstance(new.get("unique_card"), dict) and "abilities" in new["unique_card"]:
        listed = list_abilities(new["unique_card"]["abilities"], f"{place}.unique_card.abilities")
        new["unique_card"] = {**new["unique_card"], "abilities": listed}
    if given.get("given_card") is not None:
        new["given_card"] = _given_card(f"{place}.given_card", given["given_card"], list_abilities)
    return new


def _given_card(place: str, card: Any, list_abilities: Callable[..., Any]) -> dict[str, Any]:
    """Return the complete card that an own leader may give to another player."""
    if not isinstance(card, Mapping) or not {"name", "abilities"} <= set(card) <= {"name", "abilities", "effect"}:
        raise Problem(place, f"expected a card with a name and abilities, got {card!r}")
    _check_title(place, card["name"])
    return {
        "name": card["name"],
        "effect": card.get("effect", ""),
        "abilities": list_abilities(card["abilities"], f"{place}.abilities"),
    }


def as_given(path: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return a complete entry of new content as a house rule writes it: the inverse of `entry`."""
    written = {**entry, "name": entry.get("civ", entry.get("name"))}
    if file_of(path) == "focus_cards":
        written["abilities"] = list(entry["abilities"].values())
        return {word: value for word, value in written.items() if word != "set"}
    for parts in ("abilities", "agendas"):
        if parts in entry:
            written[parts] = list(entry[parts].values())
    if "abilities" in entry.get("unique_card", {}):
        written["unique_card"] = {**entry["unique_card"], "abilities": list(entry["unique_card"]["abilities"].values())}
    if "given_card" in entry:
        written["given_card"] = {**entry["given_card"], "abilities": list(entry["given_card"]["abilities"].values())}
    return {word: written[word] for word in (*NEEDED[file_of(path)], *MAY_HAVE[file_of(path)]) if written.get(word) is not None}


def _check_room(node: Mapping[str, Any], file: str, place: str) -> None:
    most = ROOM[file][1]
    if file == "focus_cards":
        most += sum(card["set"] != OWN for card in node.values())
    if len(node) >= most:
        raise Problem(place, f"there is room for {most} {file.replace('_', ' ')}, printed ones included")


def _check_title(place: str, name: Any) -> None:
    if not isinstance(name, str) or not slug(name):
        raise Problem(f"{place}.name", f"expected a text, got {name!r}")
    if len(name.encode()) > names.MAX_NAME:
        raise Problem(f"{place}.name", f"expected at most {names.MAX_NAME} letters, got {len(name)}")


def _check_name(node: Mapping[str, Any], path: str, place: str, name: Any) -> None:
    _check_title(place, name)
    if "/" in name or "," in name:
        raise Problem(f"{place}.name", f"expected a name without commas and slashes, got {name!r}")
    word = "civ" if path == "leaders" else "name"
    for key, other in node.items():
        if slug(str(other[word])) == slug(name):
            raise Problem(f"{place}.name", f"'{name}' is the name of {path}.{key}, too")
    if place != f"{path}.{slug(name)}":
        raise Problem(f"{place}.name", f"expected the key {slug(name)} for the name '{name}'")


def _check_type(place: str, given: Mapping[str, Any], data: Mapping[str, Any]) -> None:
    """Raise a Problem unless a focus card's type and level are known."""
    types = list(card_models(data))
    for word, valid in (("type", types), ("level", range(1, names.N_LEVELS + 1))):
        if word not in given:
            raise Problem(f"{place}.{word}", "is missing")
        if given[word] not in valid:
            listed = ", ".join(map(str, valid))
            raise Problem(f"{place}.{word}", f"expected one of {listed}, got {given[word]!r}{nearest(str(given[word]), types)}")


def _check_replaced(node: Mapping[str, Any], place: str, given: Mapping[str, Any]) -> None:
    """Raise a Problem unless `in_place_of` names a printed entry of the same type and level that no other entry replaces."""
    path, key = f"{place}.in_place_of", given["in_place_of"]
    printed = [other for other, entry in node.items() if entry.get("set") != OWN]
    if key not in printed:
        raise Problem(path, f"expected one of {', '.join(printed)}, got {key!r}{nearest(str(key), printed)}")
    taken = next((other for other, entry in node.items() if entry.get("in_place_of") == key), None)
    if taken:
        raise Problem(path, f"{taken} takes the place of {key} already")
    if "level" in node[key] and (node[key]["type"], node[key]["level"]) != (given["type"], given["level"]):
        wanted = f"{node[key]['type']} of level {node[key]['level']}"
        raise Problem(path, f"expected a printed card of type and level of its own, got {key}, {wanted}")


def take_place(data: Mapping[str, Any], path: str, key: str) -> None:
    """Put a new city-state or natural wonder on the tile of the printed one whose place it takes."""
    stem = path.partition(".")[0]
    new = data[stem].get(key, {}) if stem in ("city_states", "natural_wonders") else {}
    if not new.get("in_place_of"):
        return
    old, mark = data[stem][new["in_place_of"]]["name"], stem.removesuffix("s")
    for tile in data["tiles"]["tiles"].values():
        for face in tile["sides"].values():
            for feature in face["features"]:
                if feature.get(mark) == old:
                    feature[mark] = new["name"]


def _leader(place: str, given: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    types = focus_types(data)
    row = given["start_row"]
    if isinstance(row, list) and len(row) == len(types) - 1 and GROWTH_CARD in types and GROWTH_CARD not in row:
        row = [GROWTH_CARD, *row]  # a row of the base game: in the expansion the growth card lies to the left of it
    card = given.get("unique_card")
    return {
        "civ": given["name"],
        "leader": given.get("leader", given["name"]),
        "set": OWN,
        "ability_name": given.get("ability_name", given["name"]),
        "effect": given.get("effect", ""),
        "start_row": row,
        "available": given.get("available", True),
        "ability_works": given.get("ability_works", True),
        **({"unique_card": {"available": True, **card} if isinstance(card, Mapping) else card} if card is not None else {}),
        "start_trade_tokens": _numbers(given.get("start_trade_tokens", {}), types),
        "start_bonus": _numbers(given.get("start_bonus", {}), names.START_BONUSES),
    }


def _numbers(given: Any, words: tuple[str, ...]) -> Any:
    """Return a number for each word, 0 where none is given; anything but a mapping stays as it is, for the models to refuse."""
    return {**dict.fromkeys(words, 0), **given} if isinstance(given, Mapping) else given


def _wonder(place: str, given: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    own = {word: given[word] for word in NEEDED["wonders"]}
    return {**own, "set": OWN, "effect": given.get("effect", ""), "available": given.get("available", True)}


def _focus_card(place: str, given: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """Complete a focus card: numbers it must have and does not give are those of the printed card of its type and level."""
    model = card_models(data)[given["type"]]
    printed = next(
        card
        for card in data["focus_cards"][section(data)].values()
        if card["set"] != OWN and (card["type"], card["level"]) == (given["type"], given["level"])
    )
    if given["level"] == 1 and "in_place_of" not in given:
        raise Problem(f"{place}.level", "a card of level 1 is there in place of a printed one only: say in_place_of")
    needed = [word for word, field in model.model_fields.items() if field.is_required() and word in printed]
    return {**{word: printed[word] for word in needed}, "effect": "", "available": True, **given, "set": OWN}


def _tile(place: str, given: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    number = place.rsplit(".", 1)[1]
    if not number.isdigit() or not names.PRINTED_TILES < int(number) <= names.MAX_TILES:
        raise Problem(place, f"expected a number of its own, from {names.PRINTED_TILES + 1} to {names.MAX_TILES}")
    sides = given["sides"]
    if isinstance(sides, Mapping):
        sides = {
            letter: {"features": [], "disputed_spaces": [], **face} if isinstance(face, Mapping) else face
            for letter, face in sides.items()
        }
    return {"number": int(number), "set": OWN, "kind": given["kind"], "available": given.get("available", True), "sides": sides}


def _victory_card(path: str, given: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    place = f"{path}.agendas"
    agendas = given["agendas"]
    listed = list(agendas.values()) if isinstance(agendas, Mapping) else agendas
    if not isinstance(listed, list) or len(listed) != 2 or not all(isinstance(agenda, Mapping) for agenda in listed):
        raise Problem(place, "expected a list of two agendas, each with a name and a condition")
    by_key = {}
    for nth, agenda in enumerate(listed):
        for word in ("name", "condition"):
            if word not in agenda:
                raise Problem(f"{place}.{nth}.{word}", "is missing")
        name = agenda["name"]
        if not isinstance(name, str) or not slug(name) or "/" in name or len(name.encode()) > names.MAX_NAME:
            raise Problem(f"{place}.{nth}.name", f"expected a text of at most {names.MAX_NAME} letters without slashes")
        if slug(name) in by_key:
            raise Problem(f"{place}.{nth}.name", f"'{name}' appears twice")
        by_key[slug(name)] = {"available": True, "claims_at_most": 0, "effect": "", **agenda}
    switches = {"available": given.get("available", True), "always_in_play": given.get("always_in_play", False)}
    return {"id": path.rsplit(".", 1)[1], "set": OWN, **switches, "agendas": by_key}


BUILDERS: dict[str, Callable[[str, Mapping[str, Any], Mapping[str, Any]], dict[str, Any]]] = {
    "leaders": _leader,
    "wonders": _wonder,
    "diplomacy": lambda place, given, data: {"name": given["name"], "set": OWN, "effect": given.get("effect", "")},
    "victory_cards": _victory_card,
    "city_states": lambda place, given, data: {"copies": PRINTED_COPIES, "effect": "", "available": True, **given, "set": OWN},
    "natural_wonders": lambda place, given, data: {"effect": "", "available": True, **given, "set": OWN},
    "focus_cards": _focus_card,
    "tiles": _tile,
}
