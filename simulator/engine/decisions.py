"""The decisions of strategies, and the meaning of their options.

A strategy is called as ``choose(r, g, w, seat, kind, n, u)``: `seat` makes a decision of `kind` among the options
``w.option[0] … w.option[n - 1]``, every one of them legal; it returns the index of its choice. `n` is at least 2: a single
option is taken without asking. `u` holds 64 fresh random bits. The `ask_…` fields of `w` say more about the decision.
PASS, where it is offered, is always the last option.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..names import *  # noqa: F403
from ..names import Words
from ..rules import codes

PASS = -1

_KINDS = Words()
_OF_EXPANSION: list[bool] = []


def _kind(word: str, of_expansion: bool = False) -> int:
    """Declare a kind of decision and return its code."""
    _OF_EXPANSION.append(of_expansion)
    return _KINDS.add(word)


def _of_expansion(word: str) -> int:
    """Declare a kind of decision that, in the course of a game, belongs to Terra Incognita, and return its code."""
    return _kind(word, True)


def group(*kinds: int) -> NDArray[np.bool_]:
    """Return an array by kind of decision: True for those among `kinds`."""
    return np.isin(np.arange(len(_KINDS)), kinds)


# Setting up the map (B14.3)
LAY_TILE = _kind("lay_tile")  # a tile number of the hand
# where: ((side * 6 + rotation) * GRID + q + GRID_ORIGIN) * GRID + r + GRID_ORIGIN; ask_space = tile number
PLACE_TILE = _kind("place_tile")
# Turn
START_EFFECT = _kind("start_effect")  # FX_* to use now (+ 64 for a second one of the kind …), or PASS: done (B4.1)
CARD = _kind("card")  # place in the row, 0 = leftmost (B4.2)
# Control tokens
# a space, or PASS; ask_cost trade tokens; ask_source: the effect; ask_left free ones left
PLACE_TOKEN = _kind("place_token")
TAKE_OFF = _kind("take_off")  # space of an own control token to take off the map and use instead, or PASS (B1.6)
MOVE_TOKEN = _kind("move_token")  # from * 256 + to, or PASS (Drama and Poetry)
RIVAL_TOKEN = _kind("rival_token")  # space of a rival token to weaken or remove, or PASS; ask_source
STRIKE = _kind("strike")  # middle space of the strike, or PASS (Nuclear Power)
# Eiffel Tower: a rival token's space, or PASS at the first; ask_space = the first one named, else -1
NAME_TOKEN = _kind("name_token")
YIELD_TOKEN = _kind("yield_token")  # asked of the rival: which of the two named tokens is turned
# Trade tokens, cards, resources
SPEND_TRADE = _kind("spend_trade")  # trade tokens to spend, 0 …; ask_holder, ask_source, in combat ask_attack and ask_defence
UPGRADE = _kind("upgrade")  # new card * 8 + holder it replaces, or PASS; ask_level
GAIN_RESOURCE = _kind("gain_resource")  # a resource
SWAP_RESOURCE = _kind("swap_resource")  # given * 8 + taken, or PASS
PLACE_TRADE = _kind("place_trade")  # holder to put a gained trade token on, or BANK (Great Zimbabwe)
NATURAL_WONDER_CARD = _kind("natural_wonder_card")  # America: holder for the natural wonder's token; ask_space = natural wonder
# Caravans
CARAVAN = _kind("caravan")  # caravan to move next, or PASS
# space to move it to, EXPLORE + space to explore from, or PASS; ask_left steps left; ask_space = caravan
CARAVAN_TO = _kind("caravan_to")
TAKE_DIPLOMACY = _kind("take_diplomacy")  # from a rival (ask_seat): its card; from a city-state (ask_space): 0; or PASS
RETURN_DIPLOMACY = _kind("return_diplomacy")  # card of the rival ask_seat to give back first
# Industry
INDUSTRY = _kind("industry")  # space for a city, WONDER_OPTION + wonder, CITY_ON_CARAVAN or CITY_ON_ARMY + space, or PASS
PAY = _kind("pay")  # resource 0-3, PAY_NATURAL_WONDER + natural wonder, or PAY_TRADE; ask_wonder; ask_left production missing
WONDER_CITY = _kind("wonder_city")  # space of the city that gets ask_wonder; PASS where it may be left
# Military
MILITARY = _kind("military")  # MILITARY_*, or PASS
REINFORCE = _kind("reinforce")  # space of an own token, or PASS; ask_left
ATTACK = _kind("attack")  # space of the target, BARBARIAN_OPTION + space for a barbarian, or PASS; ask_left attacks left
CITY_STATE_FATE = _kind("city_state_fate")  # 0 = take it, 1 = free it (B10.3); ask_space
LOOT = _kind("loot")  # holder of the loser ask_seat to take a trade token from, or PASS; ask_space = the loser's capital
LOSE_TRADE = _kind("lose_trade")  # own holder that gives up a trade token to a barbarian
# Abilities, wonders, diplomacy
SWAP_CARDS = _kind("swap_cards")  # place * 8 + other place, or PASS; ask_source
GENEVA_SWAP = _kind("geneva")  # giver * 64 + card given back * 8 + card taken, or PASS
SEOUL_MOVE = _kind("seoul")  # barbarian * 256 + space, or PASS
OTHER_CARD = _kind("other_card")  # Capitalism: place of the second card, or PASS; ask_slot = the slot it is resolved as if from
# Estadio do Maracana: 0 = no, 1 = resolve the card of ask_holder, too; ask_slot = its slot; EXTRA_OTHER + holder: another one
EXTRA_ECONOMY = _kind("extra_economy")
EXTRA_OTHER = 2
REPEAT_CARD = _kind("repeat_card")  # Venetian Arsenal: 0 = no, 1 = resolve the card again
POTALA = _kind("potala")  # Potala Palace: giver * 8 + card to take, or PASS; ask_left
# Trade tokens once more, science, barbarians
# the token spent next: KEPT_NATURAL_WONDER + natural wonder, KEPT_CITY_STATE + city-state, PLAIN_TOKEN, or RESOURCE_TOKEN +
# resource
SPEND_TOKEN = _kind("spend_token")
# Embassy: holder of the giver ask_seat to put its trade token on; ask_space = the giver's capital
GIVE_TRADE = _kind("give_trade")
SCIENCE = _kind("science")  # 0 = the science card to no effect, 1 = carry it out (B6.1)
MOVE_ON = _kind("move_on")  # asked of the first player: which barbarian that shares its space moves on (B11.4)
# Terra Incognita: set-up, armies, combat
PLACE_FORT = _kind("place_fort")  # where the own fort lies: (q + GRID_ORIGIN) * GRID + r + GRID_ORIGIN (T1.7)
ARMY = _of_expansion("army")  # army to move next, or PASS (T5.1)
# space to move it to, EXPLORE + space to explore from, or PASS: stay; ask_left steps left; ask_space = army
ARMY_TO = _of_expansion("army_to")
# SPEND_ONE, SPEND_REROLL, SPEND_RESOURCE + resource, or PASS: no more; ask_attack, ask_defence (T5.9)
COMBAT_SPEND = _of_expansion("combat_spend")
ARMY_TARGET = _of_expansion("army_target")  # target * 8 + seat: which piece on the space ask_space is attacked (T5.6)
ARMY_AGAIN = _of_expansion("army_again")  # army that sets out once more, or PASS (Mass Production, Scorched Earth); ask_source
# Growth, districts, governments
GROWTH = _of_expansion("growth")  # GROWTH_DISTRICT, GROWTH_REINFORCE or (cards that do both) GROWTH_ALL, or PASS (T4)
PLACE_DISTRICT = _of_expansion("place_district")  # space * 8 + district (T4.3)
DISTRICT = _of_expansion("district")  # space of the own district that is resolved next (T4.5)
DISTRICT_EFFECT = _of_expansion("district_effect")  # which of its options, or PASS; ask_space = its space
# space the option is used on: of an own token, BARBARIAN_OPTION or ARMY_OPTION + …; ask_space
DISTRICT_SPACE = _of_expansion("district_space")
CITY_SPACE = _of_expansion("city_space")  # space for a city by an effect, or PASS; ask_source
GOVERNMENT = _of_expansion("government")  # holder that gets the government token, or PASS (T8.1)
TAKE_CITY = _of_expansion("take_city")  # space of the rival city that is replaced, or PASS (Radio, Cristo Redentor); ask_source
DISPLACED_TOKEN = _of_expansion("displaced_token")  # space for the control token that a district displaced, or PASS (Mysticism)
NAME_DISTRICT = _of_expansion("name_district")  # district type that everybody resolves (Globalization)
# space of the own city an army of the card is put into, or PASS; ask_space = army (Military Engineering)
ARMY_CITY = _of_expansion("army_city")
EXPLORED_TILE = _of_expansion("explored_tile")  # which of the tiles looked at is laid, or PASS (Astronomy)
# a tile looked at and where it goes: tile number * 2, + 1 on top of the stack, else to its bottom
STACK_ORDER = _of_expansion("stack_order")
WATER_SPACE = _of_expansion("water_space")  # where a water token is laid: as PLACE_FORT, or PASS (Shipbuilding)
GIVE_IBRAHIM = _of_expansion("give_ibrahim")  # seat that gets Ibrahim, or PASS (Grand Vizier)
ALLY = _of_expansion("ally")  # seat chosen by Lithuanian Union; its card follows as TAKE_DIPLOMACY
# 0 = no, 1 = the city-state just visited is conquered (Orszaghaz); ask_space
CONQUER_VISITED = _of_expansion("conquer_visited")
# place of the card the military card is swapped with, or PASS; ask_seat = the giver that struck
NON_AGGRESSION = _of_expansion("non_aggression")
ARMY_LOST = _of_expansion("army_lost")  # army that a barbarian returns (T5.16, if only one)
# 1 = the dial advances although no wonder was built, or PASS: the card to no effect (Craftsmanship, T11.4)
DIAL_ANYWAY = _of_expansion("dial_anyway")

KINDS = tuple(_KINDS)
OF_EXPANSION = np.array(_OF_EXPANSION)  # by kind

EXPLORE = 2000
SPEND_ONE, SPEND_REROLL, SPEND_RESOURCE = 0, 1, 2
GROWTH_DISTRICT, GROWTH_REINFORCE, GROWTH_ALL = 0, 1, 2

WONDER_OPTION = 1000
CITY_ON_CARAVAN, CITY_ON_ARMY = 2000, 3000  # Animal Husbandry: the figure there returns to its card
BARBARIAN_OPTION = 1000
ARMY_OPTION = 2000  # an army of a seat on a space: this plus seat * 256 + space
PAY_NATURAL_WONDER = 10
PAY_TRADE = 100
BANK = 7
KEPT_NATURAL_WONDER, KEPT_CITY_STATE, PLAIN_TOKEN, RESOURCE_TOKEN = 0, 100, 200, 300
MILITARY_REINFORCE, MILITARY_ATTACK = 0, 1

# --- names of deeds among the options at the start of a turn

_NAMES = Words()
_OF_EFFECT: dict[int, int] = {}


def _start_effect(name: str, effect: int) -> int:
    """Declare the name of an effect's deed, and return its option; other deeds have the effect's word as their name."""
    _OF_EFFECT[effect] = _NAMES.add(name)
    return _OF_EFFECT[effect]


FX_HANGING_GARDENS = _start_effect("Hanging Gardens", codes.CONTROL_TOKENS)
FX_FORBIDDEN_CITY = _start_effect("Forbidden City", codes.REMOVE_RIVAL_TOKENS)
FX_EIFFEL_TOWER = _start_effect("Eiffel Tower", codes.CONVERT_TOKEN)
FX_ORACLE = _start_effect("Oracle", codes.SWAP_CARDS)
FX_GREAT_ZIMBABWE = _start_effect("Great Zimbabwe", codes.TRADE_BANK)
FX_SEOUL = _start_effect("Seoul", codes.PUSH_BARBARIAN)
FX_GENEVA = _start_effect("Geneva", codes.SWAP_DIPLOMACY)
FX_TRADE_TOKENS = _start_effect("trade tokens", codes.TRADE_TOKENS)
FX_RESOURCES = _start_effect("resources", codes.RESOURCES)
FX_REINFORCE = _start_effect("reinforce", codes.REINFORCE)
FX_ADVANCE_DIAL = _start_effect("advance dial", codes.ADVANCE_DIAL)
FX_UPGRADE_CARDS = _start_effect("upgrade cards", codes.UPGRADE_CARDS)
FX_RAISE_CARDS = _start_effect("raise cards", codes.RAISE_CARDS)
FX_TAKE_DIPLOMACY = _start_effect("take diplomacy", codes.TAKE_DIPLOMACY)
FX_RESOLVE_DISTRICT = _start_effect("resolve district", codes.RESOLVE_DISTRICT)
FX_TAKE_CITY = _start_effect("take city", codes.TAKE_CITY)
FX_EXPLORE = _start_effect("explore", codes.EXPLORE)
FX_IBRAHIM = _start_effect("Ibrahim", codes.GIVE_CARD)
FX_ALLIANCE = _start_effect("alliance", codes.ALLIANCE)
FX_OWN_FUNCTION = _start_effect("own function", codes.OWN_FUNCTION)
for _effect, _word in enumerate(codes.EFFECTS):
    if codes.IS_DEED[_effect] and _effect not in _OF_EFFECT:
        _start_effect(_word.replace("_", " "), _effect)
START_EFFECTS = tuple(_NAMES)
START_KIND = tuple(_OF_EFFECT.get(effect, -1) for effect in range(len(codes.EFFECTS)))  # by effect; -1 = none
