"""Codes of the words that abilities are written in: the position in a tuple is the code (see `rules/models/abilities.py`).

An ability is a moment, conditions, an effect and an amount. The first group of effects are numbers that hold as long as
their card is held: the engine keeps their sums (`simulator/engine/board/abilities.py`). The second group is done at a moment.
"""

from __future__ import annotations

EFFECTS = (
    # --- hold as long as the card is held
    "combat", "reinforced_worth", "wonder_cost", "production", "difficulty", "difficulty_change", "culture_tokens",
    "dial_spaces", "caravan_steps", "shared_caravan_steps", "city_range", "attack_range", "attacks", "reinforcements",
    "attack_anywhere", "count_through", "caravans_from_any_city", "matures_with", "tokens_without_city", "chain_tokens",
    "edge_cities", "acts_as_slot", "slot_shift", "trade_bank", "extra_card", "repeat_card", "any_type_upgrade",
    "diplomacy_limit", "barbarians_barred", "roosevelt_corollary", "district_water",
    "waterside_cities", "shared_land", "non_aggression", "resources_as_trade", "combat_per_resource", "city_state_as_city",
    "conquers_visited", "learns_from_visited", "tokens_of_taken_cities", "founds_city",
    "following_token", "edge_water_linked",
    # --- are done at a moment
    "trade_tokens", "resources", "control_tokens", "reinforce", "advance_dial", "swap_cards", "remove_rival_tokens",
    "convert_token", "push_barbarian", "swap_diplomacy", "upgrade_cards", "raise_cards", "take_diplomacy", "resolve_district",
    "take_city", "explore", "give_card", "alliance", "own_function",
)  # fmt: skip
(
    COMBAT, REINFORCED_WORTH, WONDER_COST, PRODUCTION, DIFFICULTY, DIFFICULTY_CHANGE, CULTURE_TOKENS,
    DIAL_SPACES, CARAVAN_STEPS, SHARED_CARAVAN_STEPS, CITY_RANGE, ATTACK_RANGE, ATTACKS, REINFORCEMENTS,
    ATTACK_ANYWHERE, COUNT_THROUGH, CARAVANS_FROM_ANY_CITY, MATURES_WITH, TOKENS_WITHOUT_CITY, CHAIN_TOKENS,
    EDGE_CITIES, ACTS_AS_SLOT, SLOT_SHIFT, TRADE_BANK, EXTRA_CARD, REPEAT_CARD, ANY_TYPE_UPGRADE,
    DIPLOMACY_LIMIT, BARBARIANS_BARRED, ROOSEVELT_COROLLARY, DISTRICT_WATER,
    WATERSIDE_CITIES, SHARED_LAND, NON_AGGRESSION, RESOURCES_AS_TRADE, COMBAT_PER_RESOURCE, CITY_STATE_AS_CITY,
    CONQUERS_VISITED, LEARNS_FROM_VISITED, TOKENS_OF_TAKEN_CITIES, FOUNDS_CITY,
    FOLLOWING_TOKEN, EDGE_WATER_LINKED,
    TRADE_TOKENS, RESOURCES, CONTROL_TOKENS, REINFORCE, ADVANCE_DIAL, SWAP_CARDS, REMOVE_RIVAL_TOKENS,
    CONVERT_TOKEN, PUSH_BARBARIAN, SWAP_DIPLOMACY, UPGRADE_CARDS, RAISE_CARDS, TAKE_DIPLOMACY, RESOLVE_DISTRICT,
    TAKE_CITY, EXPLORE, GIVE_CARD, ALLIANCE, OWN_FUNCTION,
) = range(len(EFFECTS))  # fmt: skip
N_POWERS = TRADE_TOKENS  # effects that are one number of a player (or a table, or a set of bits)

# When a deed is done. "held" is for effects that hold; "built": the own wonder has just been built; "built_or_captured": or its
# card was taken through a won attack (T11.3).
MOMENTS = (
    "held", "built", "start_of_turn", "card_resolved", "card_reset", "attack_won", "defence_won", "barbarian_defeated",
    "city_built", "wonder_built", "arrival", "token_placed", "trade_icon", "built_or_captured", "end_of_turn", "first_turn",
    "attack_lost", "dial_turned", "end_of_round",
)  # fmt: skip
(
    HELD, BUILT, START_OF_TURN, CARD_RESOLVED, CARD_RESET, ATTACK_WON, DEFENCE_WON, BARBARIAN_DEFEATED,
    CITY_BUILT, WONDER_BUILT, ARRIVAL, TOKEN_PLACED, TRADE_ICON, BUILT_OR_CAPTURED, END_OF_TURN, FIRST_TURN,
    ATTACK_LOST, DIAL_TURNED, END_OF_ROUND,
) = range(len(MOMENTS))  # fmt: skip
# Further bits of a player's moments: some ability asks for the situation when a combat is fought, when a wonder is priced.
ASKS_COMBAT, ASKS_COST = len(MOMENTS), len(MOMENTS) + 1

# What `per`, `if` and `unless` count for the player: what it holds (known until a card changes hands) …
HELD_COUNTS = ("nothing", "own_wonders", "newest_era", "wonders_of_its_type", "city_state_card_of_its_type")
NOTHING, OWN_WONDERS, NEWEST_ERA, WONDERS_OF_ITS_TYPE, CITY_STATE_CARD_OF_ITS_TYPE = range(len(HELD_COUNTS))
# … and what is counted on the spot.
COUNTS = (
    *HELD_COUNTS, "cities", "mature_cities", "conquered_city_states", "natural_wonders", "coastal_spaces",
    "rival_capitals_defeated", "reinforced_tokens", "reinforced_lead", "attacks_won_this_turn", "resource_types",
    "victory_cards", "cards_replaced_this_turn", "own_districts", "other_has_given_card", "own_caravan_beside",
    "settlement_near", "water_beside", "other_cities_on_tile",
)  # fmt: skip
(
    CITIES, MATURE_CITIES, CITY_STATES, NATURAL_WONDERS, COASTAL_SPACES, CAPITALS_DEFEATED, REINFORCED_TOKENS,
    REINFORCED_LEAD, ATTACKS_WON, RESOURCE_TYPES, VICTORY_CARDS, CARDS_REPLACED, OWN_DISTRICTS, OTHER_HAS_GIVEN_CARD,
    CARAVAN_BESIDE, SETTLEMENT_NEAR, WATER_BESIDE, OTHER_CITIES_ON_TILE,
) = range(len(HELD_COUNTS), len(COUNTS))  # fmt: skip
FIRST_ON_THE_SPOT = CITIES
FIRST_AT_A_SPACE = CARAVAN_BESIDE
AT_A_SPACE = (CARAVAN_BESIDE, SETTLEMENT_NEAR, WATER_BESIDE, OTHER_CITIES_ON_TILE)

SIDES = ("attack", "defend")
ATTACK, DEFEND = range(2)

# For what a terrain's difficulty is asked: anything else is a fight.
DOINGS = ("fight", "move_caravan", "build_city", "culture_or_industry_card", "token_by_effect", "move_army")
FIGHT, MOVE_CARAVAN, BUILD_CITY, TOKEN_BY_CARD, TOKEN_BY_EFFECT, MOVE_ARMY = range(6)
N_DOINGS = len(DOINGS)

# What distances may be counted through, and by whom.
THROUGH = (
    "attack_water", "attack_rivals", "attack_barbarians", "city_water", "caravan_water", "caravan_barbarians",
    "army_water", "army_tokens",
)  # fmt: skip
(
    THROUGH_ATTACK_WATER, THROUGH_ATTACK_RIVALS, THROUGH_ATTACK_BARBARIANS, THROUGH_CITY_WATER, THROUGH_CARAVAN_WATER,
    THROUGH_CARAVAN_BARBARIANS, THROUGH_ARMY_WATER, THROUGH_ARMY_TOKENS,
) = range(len(THROUGH))  # fmt: skip

# Whose control tokens count for the maturity of own cities.
WHOSE = ("rivals", "giver")
RIVALS, GIVER = range(2)

# Where the arrival of a unique card's caravan pays, as bits.
ARRIVAL_CITY_STATE, ARRIVAL_RIVAL_CITY, ARRIVAL_IBRAHIM = 1, 2, 4

# Beside what control tokens are placed, or turned.
BESIDE = ("friendly_city", "friendly_space", "that_space", "anything")
BESIDE_CITY, BESIDE_FRIENDLY, BESIDE_THAT, BESIDE_ANYTHING = range(4)

NO_LIMIT = 99  # of the difficulty of spaces: no slot is named

# Does an ability of a diplomacy card act where its giver is concerned?
GIVERS = ("any", "only", "never")
ANY_GIVER, GIVER_ONLY, GIVER_NEVER = range(3)
# The giver of a diplomacy card is a seat, or this plus a city-state; leaders and wonders have none.
NO_GIVER, NO_ONE = -1, -2
CITY_STATE_GIVER = 16

# Words that say something only in Terra Incognita.
TI_WORDS = frozenset({
    "combat_per_resource", "non_aggression", "explore", "district_water", "resolve_district", "own_districts", "army_water",
    "army_tokens", "move_army", "fort", "caravan", "army", "growth",
})  # fmt: skip

# Once-a-turn effects (STATE.used_this_turn).
USED_EXTRA_CARD, USED_REPEAT, USED_SECOND_MOVE, USED_ARRIVAL_CITY = range(4)
N_USED = 4
