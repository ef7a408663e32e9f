"""Words and limits that several models share."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ... import names

Small = Annotated[int, Field(ge=0, le=99)]
Positive = Annotated[int, Field(ge=1, le=99)]
DialSpaces = Annotated[int, Field(ge=0, le=20)]  # that one thing adds to a move of the dial
Change = Annotated[int, Field(ge=-20, le=20)]
Slot = Annotated[int, Field(ge=1, le=5)]
Level = Annotated[int, Field(ge=1, le=names.N_LEVELS)]
Axial = Annotated[int, Field(ge=-50, le=50)]
Rotation = Annotated[int, Field(ge=0, le=5)]
Side = Literal["A", "B"]
Box = Literal["base", "ti"]
Land = Literal["grassland", "hills", "forest", "desert", "mountain"]
Terrain = Literal["grassland", "hills", "forest", "desert", "mountain", "water", "natural_wonder"]
Resource = Literal["marble", "mercury", "oil", "diamond"]
FocusType = Literal["culture", "science", "economy", "industry", "military"]
AnyFocusType = Literal["culture", "science", "economy", "industry", "military", "growth"]
WonderType = Literal["culture", "science", "economy", "military"]
Era = Literal["ancient", "medieval", "modern"]
Letter = Literal["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K"]
Icon = Literal["barbarians_appear", "barbarians_move", "trade", "districts", "government", "wonder", "none"]
Metric = Literal[
    "cities_on_map_with_capital", "wonders_of_type", "rival_capitals_defeated", "conquered_city_states_held",
    "controlled_spaces_next_to_water_or_map_edge", "mature_cities", "natural_wonders_held", "tech_dial_space_reached",
    "focus_cards_of_level_in_row", "reinforced_control_tokens", "diplomacy_cards_from_different_players_or_city_states",
    "resource_and_natural_wonder_tokens", "tiles_with_own_city", "wonders_of_one_era", "eras_with_a_wonder",
    "tiles_with_own_mature_city", "wonder_types_held", "control_tokens_on_map", "friendly_spaces", "spaces_of_terrain",
    "world_wonders", "diplomacy_cards_held", "trade_tokens_on_cards", "trade_tokens_gained", "caravans_on_map",
    "caravans_arrived", "cities_built", "attacks_won", "attacks_beaten_off", "barbarians_defeated", "rival_cities_defeated",
    "focus_cards_from_level",
]  # fmt: skip
TiMetric = Literal[
    "cities_on_map_with_capital", "wonders_of_type", "rival_capitals_defeated", "conquered_city_states_held",
    "controlled_spaces_next_to_water_or_map_edge", "mature_cities", "natural_wonders_held", "tech_dial_space_reached",
    "focus_cards_of_level_in_row", "reinforced_control_tokens", "combat_total_of_a_won_attack",
    "diplomacy_cards_from_different_players_or_city_states", "resource_and_natural_wonder_tokens", "tiles_with_own_city",
    "wonders_of_one_era", "districts_on_map", "eras_with_a_wonder", "tiles_with_own_mature_city", "wonder_types_held",
    "forts_held", "control_tokens_on_map", "friendly_spaces", "spaces_of_terrain", "world_wonders", "diplomacy_cards_held",
    "trade_tokens_on_cards", "trade_tokens_gained", "caravans_on_map", "caravans_arrived", "cities_built", "attacks_won",
    "attacks_beaten_off", "barbarians_defeated", "rival_cities_defeated", "focus_cards_from_level",
]  # fmt: skip
Through = list[Literal["water", "rival_space", "barbarian"]]
PlayerCount = Literal["2", "3", "4"]
TiPlayerCount = Literal["2", "3", "4", "5"]
DESCRIBES = "describes what the engine does; no house rule can change it"
Words = Annotated[Any, DESCRIBES]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)


class Loose(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True, defer_build=True)
