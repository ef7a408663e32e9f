"""What a strategy can be asked, and what the option values mean.

A strategy is called as ``choose(r, g, w, seat, kind, n, u)``: `seat` has to decide a matter of `kind` among the options
``w.option[0] … w.option[n - 1]``, every one of them legal; it returns the index of its choice. `n` is at least 2: what has
only one answer is not asked. `u` holds 64 fresh random bits. The `ask_…` fields of `w` tell more about the matter.
PASS, where it is offered, is always the last option.
"""

from ...declared import Words
from ...rules import ability_codes as codes
from ...sources import *  # noqa: F403

PASS = -1

KINDS = (
    "lay_tile", "place_tile", "start_effect", "card", "place_token", "take_off", "move_token", "rival_token",
    "strike", "name_token", "yield_token", "spend_trade", "upgrade", "gain_resource", "swap_resource", "place_trade",
    "natural_wonder_card", "caravan", "caravan_to", "take_diplomacy", "return_diplomacy", "industry", "pay",
    "wonder_city", "military", "reinforce", "attack", "city_state_fate", "loot", "lose_trade", "swap_cards",
    "geneva", "seoul", "other_card", "extra_economy", "repeat_card", "potala", "spend_token", "give_trade", "science",
    "move_on", "place_fort", "army", "army_to", "combat_spend", "army_target", "army_again", "growth", "place_district",
    "district", "district_effect", "district_space", "city_space", "government", "take_city", "displaced_token",
    "name_district", "army_city", "explored_tile", "stack_order", "water_space", "give_ibrahim", "ally", "conquer_visited",
    "non_aggression", "army_lost", "dial_anyway",
)  # fmt: skip

# Setting up the map (B14.3)
LAY_TILE = 0  # a tile number of the hand
PLACE_TILE = 1  # where: ((side * 6 + rotation) * GRID + q + GRID_ORIGIN) * GRID + r + GRID_ORIGIN; ask_space = tile number
# Turn
START_EFFECT = 2  # FX_* to use now (+ 64 for a second one of the kind …), or PASS: done (B4.1)
CARD = 3  # place in the row, 0 = leftmost (B4.2)
# Control tokens
PLACE_TOKEN = 4  # a space, or PASS; ask_cost trade tokens; ask_source tells the effect; ask_left free ones left
TAKE_OFF = 5  # space of an own control token to take off the map and use instead, or PASS (B1.6)
MOVE_TOKEN = 6  # from * 256 + to, or PASS (Drama and Poetry)
RIVAL_TOKEN = 7  # space of a rival token to weaken or remove, or PASS; ask_source
STRIKE = 8  # middle space of the strike, or PASS (Nuclear Power)
NAME_TOKEN = 9  # Eiffel Tower: a rival token's space, or PASS at the first; ask_space = the first one named, else -1
YIELD_TOKEN = 10  # asked of the rival: which of the two named tokens is turned
# Trade tokens, cards, resources
SPEND_TRADE = 11  # trade tokens to spend, 0 …; ask_holder, ask_source, in combat ask_attack and ask_defence
UPGRADE = 12  # new card * 8 + holder it replaces, or PASS; ask_level
GAIN_RESOURCE = 13  # a resource
SWAP_RESOURCE = 14  # given * 8 + taken, or PASS
PLACE_TRADE = 15  # holder to put a gained trade token on, or BANK (Great Zimbabwe)
NATURAL_WONDER_CARD = 16  # America: holder for the natural wonder's token; ask_space = natural wonder
# Caravans
CARAVAN = 17  # caravan to move next, or PASS
CARAVAN_TO = 18  # space to move it to, EXPLORE + space to explore from, or PASS; ask_left steps left; ask_space = caravan
TAKE_DIPLOMACY = 19  # from a rival (ask_seat): its card; from a city-state (ask_space): 0; or PASS
RETURN_DIPLOMACY = 20  # card of the rival ask_seat to give back first
# Industry
INDUSTRY = 21  # space for a city, WONDER_OPTION + wonder, CITY_ON_CARAVAN or CITY_ON_ARMY + space, or PASS
PAY = 22  # resource 0-3, PAY_NATURAL_WONDER + natural wonder, or PAY_TRADE; ask_wonder; ask_left production missing
WONDER_CITY = 23  # space of the city that gets ask_wonder; PASS where it may be left
# Military
MILITARY = 24  # MILITARY_*, or PASS
REINFORCE = 25  # space of an own token, or PASS; ask_left
ATTACK = 26  # space of the target, BARBARIAN_OPTION + space for a barbarian, or PASS; ask_left attacks left
CITY_STATE_FATE = 27  # 0 = take it, 1 = free it (B10.3); ask_space
LOOT = 28  # holder of the loser ask_seat to take a trade token from, or PASS; ask_space = the loser's capital
LOSE_TRADE = 29  # own holder that gives up a trade token to a barbarian
# Abilities, wonders, diplomacy
SWAP_CARDS = 30  # place * 8 + other place, or PASS; ask_source
GENEVA_SWAP = 31  # giver * 64 + card given back * 8 + card taken, or PASS
SEOUL_MOVE = 32  # barbarian * 256 + space, or PASS
OTHER_CARD = 33  # Capitalism: place of the second card, or PASS; ask_slot = the slot it is resolved as if from
EXTRA_ECONOMY = 34  # Estadio do Maracana: 0 = no, 1 = resolve the economy card too; ask_slot = its slot
REPEAT_CARD = 35  # Venetian Arsenal: 0 = no, 1 = resolve the card again
POTALA = 36  # Potala Palace: giver * 8 + card to take, or PASS; ask_left
# Trade tokens once more, science, barbarians
# SPEND_TOKEN: which is spent next: KEPT_NATURAL_WONDER + natural wonder, KEPT_CITY_STATE + city-state, PLAIN_TOKEN, or
# RESOURCE_TOKEN + resource
SPEND_TOKEN = 37
GIVE_TRADE = 38  # Embassy: holder of the giver ask_seat to put its trade token on; ask_space = the giver's capital
SCIENCE = 39  # 0 = the science card to no effect, 1 = carry it out (B6.1)
MOVE_ON = 40  # asked of the first player: which barbarian that shares its space moves on (B11.4)
# Terra Incognita: set-up, armies, combat
PLACE_FORT = 41  # where the own fort lies: (q + GRID_ORIGIN) * GRID + r + GRID_ORIGIN (T1.7)
ARMY = 42  # army to move next, or PASS (T5.1)
ARMY_TO = 43  # space to move it to, EXPLORE + space to explore from, or PASS: stay; ask_left steps left; ask_space = army
COMBAT_SPEND = 44  # SPEND_ONE, SPEND_REROLL, SPEND_RESOURCE + resource, or PASS: no more; ask_attack, ask_defence (T5.9)
ARMY_TARGET = 45  # target * 8 + seat: which piece on the space ask_space is attacked (T5.6)
ARMY_AGAIN = 46  # army that sets out once more, or PASS (Mass Production, Scorched Earth); ask_source
# Growth, districts, governments
GROWTH = 47  # GROWTH_DISTRICT, GROWTH_REINFORCE or (cards that do both) GROWTH_ALL, or PASS (T4)
PLACE_DISTRICT = 48  # space * 8 + district (T4.3)
DISTRICT = 49  # space of the own district that is resolved next (T4.5)
DISTRICT_EFFECT = 50  # which of its options, or PASS; ask_space = its space
DISTRICT_SPACE = 51  # space the option is used on: of an own token, BARBARIAN_OPTION or ARMY_OPTION + …; ask_space
CITY_SPACE = 52  # space for a city by an effect, or PASS; ask_source
GOVERNMENT = 53  # holder that gets the government token, or PASS (T8.1)
TAKE_CITY = 54  # space of the rival city that is replaced, or PASS (Radio, Cristo Redentor); ask_source
DISPLACED_TOKEN = 55  # space for the control token that a district displaced, or PASS (Mysticism)
NAME_DISTRICT = 56  # district type that everybody resolves (Globalization)
ARMY_CITY = 57  # space of the own city an army of the card is put into, or PASS; ask_space = army (Military Engineering)
EXPLORED_TILE = 58  # which of the tiles looked at is laid, or PASS (Astronomy)
STACK_ORDER = 59  # a tile looked at and where it goes: tile number * 2, + 1 on top of the stack, else to its bottom
WATER_SPACE = 60  # where a water token is laid: as PLACE_FORT, or PASS (Shipbuilding)
GIVE_IBRAHIM = 61  # seat that gets Ibrahim, or PASS (Grand Vizier)
ALLY = 62  # seat chosen by Lithuanian Union; its card follows as TAKE_DIPLOMACY
CONQUER_VISITED = 63  # 0 = no, 1 = the city-state just visited is conquered (Orszaghaz); ask_space
NON_AGGRESSION = 64  # place of the card the military card is swapped with, or PASS; ask_seat = the giver that struck
ARMY_LOST = 65  # army that a barbarian returns (T5.16, if only one)
DIAL_ANYWAY = 66  # 1 = the dial advances although no wonder was built, or PASS: the card to no effect (Craftsmanship, T11.4)

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

# --- what a deed is called among the options at the start of a turn

_NAMES = Words()
_OF_EFFECT: dict[int, int] = {}


def _start_effect(name: str, effect: int) -> int:
    """Declare what the deed of an effect is called, and return its option; any other deed is called by its word."""
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
