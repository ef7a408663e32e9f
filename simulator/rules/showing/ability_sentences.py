"""Abilities in words and numbers, from the rows of the compiled RULES record: `newdawn rules show`, templates, reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ... import names
from .. import ability_codes as codes
from ..loading.abilities import CODES, MASKS


def plural(number: int, word: str) -> str:
    """Return number and word, with an s where there is not just one."""
    return f"{number} {word}" if number == 1 else f"{number} {word[:-1] + 'ies' if word.endswith('y') else word + 's'}"


def listed(words: Iterable[Any], last: str = "and") -> str:
    """Return ``a, b and c``."""
    texts = [str(word) for word in words]
    return f" {last} ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts) or "none"


PER = {
    "own_wonders": "own world wonder", "newest_era": "era up to that of the newest own wonder",
    "wonders_of_its_type": "own wonder of its type", "city_state_card_of_its_type": "city-state's diplomacy card of its type",
    "cities": "own city", "mature_cities": "own mature city", "conquered_city_states": "conquered city-state held",
    "natural_wonders": "natural wonder held", "coastal_spaces": "own space next to water or at the map's edge",
    "rival_capitals_defeated": "rival capital defeated", "reinforced_tokens": "own reinforced token on the map",
    "reinforced_lead": "own reinforced token more than the other player's",
    "attacks_won_this_turn": "attack won this turn", "resource_types": "type of resource held",
    "victory_cards": "victory card claimed", "cards_replaced_this_turn": "own focus card replaced this turn",
    "own_districts": "own district on the map", "other_has_given_card": "card of the leader that the other player has",
    "own_caravan_beside": "own caravan next to the defending space",
    "settlement_near": "city-state token and own city within {within} of the defending space",
    "water_beside": "water space next to the defending space", "other_cities_on_tile": "other city of anyone on its tile",
}  # fmt: skip
DOINGS = {
    "fight": "in combat", "move_caravan": "for caravans", "build_city": "for cities",
    "culture_or_industry_card": "placing control tokens with culture and industry cards",
    "token_by_effect": "placing control tokens by other effects", "move_army": "for armies",
}  # fmt: skip
MOMENTS = {
    "built": "when it is built", "start_of_turn": "at the start of the turn", "card_resolved": "when a {type}card was resolved",
    "card_reset": "after the reset of a {type}card", "attack_won": "for each attack won{target}{terrain}",
    "defence_won": "for each attack beaten off{target}{terrain}", "barbarian_defeated": "for each barbarian defeated",
    "city_built": "for each city built{terrain}", "wonder_built": "for each world wonder built{type}",
    "arrival": "for each caravan that arrives{target}", "token_placed": "for each control token placed{terrain}",
    "trade_icon": "at the trade icon of the event dial", "built_or_captured": "when it is built or captured",
    "end_of_turn": "at the end of the turn", "first_turn": "at the start of the first turn",
    "attack_lost": "for each attack lost{target}{terrain}", "dial_turned": "each time the technology dial is turned",
    "end_of_round": "at the end of the round",
}  # fmt: skip
THROUGH = {
    "attack_water": "attacks through water", "attack_rivals": "attacks through rival spaces",
    "attack_barbarians": "attacks through barbarians", "city_water": "cities through water",
    "caravan_water": "caravans through water", "caravan_barbarians": "caravans onto barbarians, which removes them",
    "army_water": "armies through water", "army_tokens": "armies through rival control tokens",
}  # fmt: skip


class Row:
    """An ability of the record: its keys as words again."""

    def __init__(self, r: np.record, row: int) -> None:
        self.r, self.row = r, row
        self.effect = codes.EFFECTS[r.ability_effect[row]]

    def number(self, key: str = "amount") -> int:
        return int(self.r[f"ability_{key}"][self.row])

    def word(self, key: str) -> str:
        return str(CODES[key][self.number(key)])

    def some(self, key: str) -> list[Any]:
        """Return the words of a mask, none if it has all of them."""
        every = MASKS[key]
        chosen = [word for bit, word in enumerate(every) if self.number(key) >> bit & 1]
        return [] if len(chosen) == len(every) else chosen

    def condition(self, key: str) -> tuple[str, int] | None:
        count = self.number(key)
        return (codes.COUNTS[count], self.number(f"{key}_least")) if count != codes.NOTHING else None

    def function(self) -> str:
        """Return where the function of a user's is: module:name."""
        return bytes(self.r.function_text[self.number("function")]).decode().partition("#")[0]

    def target(self) -> str:
        return listed((word.replace("city_state", "city-state") for word in self.some("target")), "or")

    def conditions(self) -> str:
        """Return what the amount counts for, and on what conditions, as the end of a sentence."""
        text = ""
        if self.number("per"):
            text += f" for each {PER[self.word('per')].format(within=self.number('within'))}"
        if found := self.condition("if"):
            text += f", with at least {found[1]} × {PER[found[0]]}"
        if found := self.condition("unless"):
            text += f", unless there is {PER[found[0]]}" if found[1] == 1 else f", with fewer than {found[1]} × {PER[found[0]]}"
        return text + {"any": "", "only": ", of the giver only", "never": ", not against the giver"}[self.word("giver")]

    def moment(self) -> str:
        types, terrain, target = self.some("type"), self.some("terrain"), self.some("target")
        word = MOMENTS[self.word("moment")].format(
            type=f"{listed(types, 'or')} " if types else "",
            terrain=f" on {listed(terrain, 'or')}" if terrain else "",
            target=f", {self.target()}" if target else "",
        )
        return f"{word}{' (once a turn)' if self.number('once') else ''}: "


def _combat(a: Row) -> str:
    side = {"attack": "attacking", "defend": "defending"}
    text = f"combat {a.number():+d} {listed(side[word] for word in a.some('when') or codes.SIDES)}"
    if a.some("terrain"):
        text += f", if the defending space is {listed(a.some('terrain'), 'or')}"
    return text + (f", if the target is {a.target()}" if a.some("target") else "") + a.conditions()


def _difficulty(a: Row) -> str:
    where = {1: " away from water and edge", 2: " next to water or at the map's edge", 3: ""}[a.number("coastal")]
    doing = f" {listed(DOINGS[word] for word in a.some('doing'))}" if a.some("doing") else ""
    how = f"at most {a.number()}" if a.effect == "difficulty" else f"{a.number():+d}"
    terrain = listed(a.some("terrain") or ["all terrains"])
    return f"in the own turn, difficulty of {terrain}{where}{doing}: {how}{a.conditions()}"


def _cost(a: Row) -> str:
    kinds = " ".join(listed(words, "or") for words in (a.some("era"), a.some("type")) if words)
    return f"cost of {kinds + ' ' if kinds else ''}world wonders: {a.number():+d}{a.conditions()}"


def _slots(a: Row) -> str:
    return f"slot {listed(a.some('slots'), 'or')}" if a.some("slots") else "any slot"


def _cards(a: Row) -> str:
    return f"{listed(a.some('type'), 'or')} cards" if a.some("type") else "cards"


def _trade_tokens(a: Row) -> str:
    where = f"on {names.FOCUS_TYPES[a.number('card')]}" if a.number("card") >= 0 else "on any own cards"
    who = " for the giver" if a.number("for_giver") else ""
    who += ", who chooses the card," if a.number("giver_places") else ""
    return f"{a.moment()}{plural(a.number(), 'trade token')}{who} {where}{a.conditions()}"


def _resources(a: Row) -> str:
    which = names.RESOURCES[a.number("resource")] if a.number("resource") >= 0 else "of choice"
    held = " of a type not held" if a.number("new_type") else ""
    return f"{a.moment()}{plural(a.number(), 'resource')} {which}{held}{a.conditions()}"


def _control_tokens(a: Row) -> str:
    beside = {"friendly_city": "friendly cities", "friendly_space": "friendly spaces", "that_space": "that space"}
    limit = a.number("limit")
    where = f"next to {beside[a.word('next_to')]}, {'any land' if limit == codes.NO_LIMIT else f'difficulty at most {limit}'}"
    side = ", reinforced side up" if a.number("reinforced") else ""
    return f"{a.moment()}up to {plural(a.number(), 'control token')} {where}{side}{a.conditions()}"


def _reinforce(a: Row) -> str:
    where = " next to own cities" if a.word("next_to") == "friendly_city" else ""
    return f"{a.moment()}up to {plural(a.number(), 'own control token')}{where} reinforced{a.conditions()}"


def _swap_cards(a: Row) -> str:
    which = "neighbouring" if a.number("adjacent") else "two"
    types = f"{listed(a.some('among'))} " if a.some("among") else ""
    return f"{a.moment()}{which} {types}cards of the row may change places, {plural(a.number(), 'time')}{a.conditions()}"


def _explore(a: Row) -> str:
    tokens = plural(a.number("limit"), "control token")
    then = f", then up to {tokens} on empty spaces of the new tile" if a.number("limit") else ""
    return f"{a.moment()}explores {plural(a.number(), 'time')} from the edge of any tile{then}{a.conditions()}"


def _plain(text: str) -> Callable[[Row], str]:
    return lambda a: text


def _more(text: str) -> Callable[[Row], str]:
    return lambda a: f"{text}: {a.number():+d}{a.conditions()}"


def _deed(text: str) -> Callable[[Row], str]:
    def sentence(a: Row) -> str:
        numbers = {key: a.number(key) for key in ("amount", "limit", "from_level")}
        return a.moment() + text.format(**numbers) + a.conditions()

    return sentence


SENTENCES: dict[str, Callable[[Row], str]] = {
    "combat": _combat,
    "reinforced_worth": _more("defence for each own reinforced token that counts"),
    "wonder_cost": _cost,
    "production": _more("production for world wonders"),
    "difficulty": _difficulty,
    "difficulty_change": _difficulty,
    "culture_tokens": _more("control tokens of a culture card"),
    "dial_spaces": _more("spaces of the dial with a science card"),
    "caravan_steps": _more("steps of each caravan"),
    "shared_caravan_steps": _more("steps for all caravans of an economy card together"),
    "city_range": _more("distance of new cities"),
    "attack_range": _more("distance of attacks"),
    "attacks": _more("attacks of a military card"),
    "reinforcements": _more("tokens turned when reinforcing"),
    "attack_anywhere": _plain("attacks (Terra Incognita: moves of armies) at any distance"),
    "count_through": lambda a: (
        f"distances may be counted: {listed(THROUGH[word] for word in a.some('through') or codes.THROUGH)}"
    ),
    "caravans_from_any_city": _plain("caravans leave the card from any own city"),
    "matures_with": lambda a: (
        f"{'rival control tokens' if a.word('whose') == 'rivals' else 'the control tokens of the giver'} count for the "
        "maturity of own cities"
    ),
    "tokens_without_city": lambda a: (
        f"control tokens may be placed on any empty {listed(a.some('terrain'), 'or')}, without a city beside it"
    ),
    "chain_tokens": lambda a: (
        f"a control token placed on {listed(a.some('terrain'), 'or')} may be followed by one on adjacent "
        f"{listed(a.some('terrain'), 'or')}, and so on"
    ),
    "edge_cities": lambda a: f"for a city, empty spaces at the map's edge are {a.number()} away",
    "acts_as_slot": lambda a: f"{_cards(a)} in {_slots(a)} are resolved as from slot {a.number()}",
    "slot_shift": lambda a: f"{_cards(a)} in {_slots(a)}: slot number {a.number():+d}{a.conditions()}",
    "trade_bank": lambda a: (
        f"stores up to {plural(a.number(), 'trade token')}, moved to the own cards at the start of the turn"
    ),
    "extra_card": lambda a: (
        f"with another card the {names.FOCUS_TYPES[a.number('card')]} card may be resolved and reset as well"
    ),
    "repeat_card": lambda a: f"a card in {_slots(a)} may be resolved once more as from slot {a.number()}, once a turn",
    "any_type_upgrade": lambda a: f"a card gained for a {listed(a.some('type') or ['card'], 'or')} may be of any type",
    "diplomacy_limit": lambda a: f"up to {plural(a.number(), 'player diplomacy card')} may be held from each player",
    "barbarians_barred": _plain("no barbarian enters own cities or own reinforced tokens"),
    "roosevelt_corollary": _plain(
        "natural wonder tokens lie on focus cards and pay there as a trade token or as their resource"
    ),
    "following_token": lambda a: (
        f"a control token placed on {listed(a.some('terrain') or ['any land'], 'or')} may be followed by one beside it, "
        "on any land"
    ),
    "edge_water_linked": _plain("for caravans, all water spaces at the map's edge lie side by side"),
    "district_water": _plain("for the effects of own districts, water next to any of them is friendly and of every terrain"),
    "trade_tokens": _trade_tokens,
    "resources": _resources,
    "control_tokens": _control_tokens,
    "reinforce": _reinforce,
    "advance_dial": _deed("the dial advances by {amount}"),
    "swap_cards": _swap_cards,
    "remove_rival_tokens": _deed("removes up to {amount} rival control tokens next to friendly spaces"),
    "convert_token": _deed(
        "names {amount} control tokens of one rival, who replaces {limit} of them by the owner's, unreinforced"
    ),
    "push_barbarian": _deed("{amount} barbarian may be moved to an adjacent empty land space"),
    "swap_diplomacy": _deed("{amount} diplomacy card held from a player may be changed for another of that player"),
    "upgrade_cards": _deed("up to {amount} cards of level {from_level} become level {limit}"),
    "raise_cards": _deed("up to {amount} cards go up by {limit} level"),
    "take_diplomacy": _deed("take up to {amount} player diplomacy cards"),
    "waterside_cities": lambda a: f"for cities, difficulty of land next to water: at most {a.number()}",
    "shared_land": _plain("the giver's cities and control tokens count as own for district effects and maturity"),
    "non_aggression": _plain(
        "no attacks on the giver's pieces, none destroyed or replaced; if the giver strikes, the card may be given back and "
        "the military card change places with another of the row"
    ),
    "resources_as_trade": _plain("resource tokens may be spent as trade tokens of the card being resolved"),
    "combat_per_resource": lambda a: f"each resource token spent in combat: {a.number():+d}",
    "city_state_as_city": _plain("the city-state is an own city in the own turn, but no army may stay there"),
    "conquers_visited": _plain("a city-state where a caravan has arrived may be conquered"),
    "learns_from_visited": _plain(
        "where a caravan arrives in a rival city, a card may be replaced by one of the type and level of a card of that rival"
    ),
    "tokens_of_taken_cities": _plain("before a rival city is replaced, rival control tokens next to it are replaced, too"),
    "founds_city": lambda a: (
        f"is built with a new city for it at the map's edge, and up to {plural(a.number(), 'control token')} next to that"
    ),
    "take_city": lambda a: (
        f"{a.moment()}{plural(a.number(), 'rival city')} within {a.number('within')} replaced by an own one, "
        f"if no capital and no army is there{a.conditions()}"
    ),
    "explore": _explore,
    "give_card": _deed("the leader's card may be given to another player"),
    "alliance": _deed("take {amount} diplomacy card of a chosen player, of whom any number may be held"),
    "own_function": lambda a: f"{a.moment()}calls {a.function()} with {a.number()}{a.conditions()}",
    "resolve_district": _deed("{amount} own district is resolved"),
}


def sentence(r: np.record, row: int) -> str:
    """Return an ability in words."""
    ability = Row(r, row)
    return SENTENCES[ability.effect](ability)


def sentences(r: np.record, kind: str, code: int) -> list[str]:
    """Return the abilities of a leader, wonder, city_state or diplomacy card (`kind`) in words."""
    first = int(r[f"{kind}_first"][code])
    return [sentence(r, row) for row in range(first, first + int(r[f"{kind}_n"][code]))]
