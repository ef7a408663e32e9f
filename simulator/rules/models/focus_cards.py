"""Focus cards: a model for each type, those of Terra Incognita (unique cards too) on top of those of the base game."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from ... import limits
from .words import Box, Change, DialSpaces, Level, Slot, Small, Strict, Through, Words


class CultureTrade(Strict):
    control_tokens: Small
    terrain_limit: Words


class GrowthTrade(Strict):
    reinforce_tokens: Small
    even_if_card_placed_a_district: Words


class BaseMilitaryTrade(Strict):
    combat: Small
    when: Words


class TradeTokenEffect(Strict):
    culture: CultureTrade
    science: dict[Literal["dial_spaces"], DialSpaces]
    economy: dict[Literal["steps_per_caravan"], Small]
    industry: dict[Literal["wonder_production"], Small]
    military_base: BaseMilitaryTrade
    growth: GrowthTrade


class MilitaryTrade(BaseMilitaryTrade):
    or_reroll_own_die: bool


class TiTradeTokenEffect(Strict):
    culture: CultureTrade
    science: dict[Literal["dial_spaces"], DialSpaces]
    economy: dict[Literal["steps_per_caravan"], Small]
    industry: dict[Literal["wonder_production"], Small]
    military_ti: MilitaryTrade
    growth: GrowthTrade


class FocusCard(Strict):
    name: str
    type: str
    level: Level
    set: Literal["base", "ti", "own"] | None = None  # a leader's unique card has none
    in_place_of: str | None = None  # own cards: key of the printed one that is not in the game
    source: Box | None = None  # in Terra Incognita: the box the card was printed in
    available: bool
    disputed: bool = False
    confidence: Literal["low", "medium", "high"] = "high"
    gaps: Annotated[list[str], Field(default_factory=list)]
    effect: str
    abilities: dict[str, dict[str, Any]] | None = None  # hold while the card lies in the row


class CultureThen(Strict):
    move_own_tokens: Small = 0
    distance: Literal[1] = 1
    target: Words = None
    optional: Words = True
    tokens: Small = 0
    next_to: Literal["friendly_space"] = "friendly_space"
    terrain_limit: Literal["slot"] = "slot"
    rival_tokens: Small = 0
    range: Small = 0
    counted_from: Literal["friendly_space"] = "friendly_space"
    if_unreinforced: Words = None
    if_reinforced: Words = None


class CultureCard(FocusCard):
    tokens: Small
    next_to: Literal["friendly_city"]
    terrain_limit: Literal["slot"]
    then: CultureThen | None = None


class ScienceFirst(Strict):
    trade_tokens: Small = 0
    on: Words = None
    resources: Small = 0
    choice: Words = None
    only_from_slot: Slot | None = None
    radius: Small = 0
    unreinforced: Words = None
    reinforced: Words = None


class ScienceCard(FocusCard):
    first: ScienceFirst | None = None
    dial: Literal["slot"]


class EconomyThen(Strict):
    swap_resources: Small
    optional: Words


class AfterReset(Strict):
    resolve_other_card_as_slot: Slot
    reset_it: Words
    per_turn: Literal[1]


class EconomyCard(FocusCard):
    caravans: Annotated[int, Field(ge=0, le=limits.MAX_CARAVANS)]
    move: Small
    terrain_limit: Literal["slot"]
    water: bool
    may_enter_barbarian: bool = False
    barbarian_removed: Words = False
    barbarian_trade_token: Literal[0] = 0
    ends_move: Words = None
    switch: Words = None  # the ruling that says otherwise
    then: EconomyThen | None = None
    after_reset: AfterReset | None = None


class IndustryThen(Strict):
    condition: Literal["city built"]
    tokens_up_to: Small
    next_to: Literal["new_city"]
    terrain_limit: Literal["slot"]


class IndustryCard(FocusCard):
    mode: Literal["choose_one"]
    wonder_production: dict[Literal["1", "2", "3", "4", "5"], Small]
    city_range: Small
    city_range_from: list[Literal["friendly_space", "friendly_caravan"]]
    city_terrain_limit: Literal["slot"]
    count_through_water: bool
    then: IndustryThen | None = None


class MilitaryCard(FocusCard):
    mode: Literal["choose_one", "attack_then_reinforce"]
    reinforce: Words
    attacks: Small
    attack_range: Small
    combat: Literal["slot"]
    combat_bonus: Change
    combat_bonus_vs_barbarian: Change
    count_through: Through


FOCUS_CARDS: dict[str, type[FocusCard]] = {
    "culture": CultureCard,
    "science": ScienceCard,
    "economy": EconomyCard,
    "industry": IndustryCard,
    "military": MilitaryCard,
}


# --- focus cards of Terra Incognita, unique cards included


class TiCultureThen(CultureThen):
    trade_tokens: Small = 0
    per: Literal["own mature city"] = "own mature city"
    on: Words = None


class FromSlot5(Strict):
    tokens: Small = 0
    terrain: Literal["mountain"] = "mountain"
    next_to: Literal["friendly_space"] = "friendly_space"
    take_rival_city: Annotated[int, Field(ge=0, le=1)] = 0
    range: Small = 0
    counted_from: Literal["friendly_city"] = "friendly_city"
    not_capital: Literal[True] = True
    no_army_there: Literal[True] = True


class TiCultureCard(CultureCard):
    next_to: Literal["friendly_city", "friendly_space"]  # type: ignore[assignment]
    then: TiCultureThen | None = None
    from_slot_5: FromSlot5 | None = None


class TiScienceFirst(ScienceFirst):
    owners: Words = None
    on_army_space: Words = None
    look_at_tiles: Small = 0
    stack: Literal["bottom"] = "bottom"
    place_up_to: Annotated[int, Field(ge=0, le=1)] = 0
    as_explore_from: Words = None
    rest: Words = None


class ExtraDial(Strict):
    spaces: DialSpaces
    condition: Literal["controls a world wonder"] | None = None
    per: Literal["resource type held, natural wonders count"] | None = None


class TiScienceCard(ScienceCard):
    first: TiScienceFirst | None = None
    extra_dial: ExtraDial | None = None


class BeforeExplore(Strict):
    place_water_token: Small
    where: Words = None
    per_resolution: Words = 1
    optional: Words = True


Port = Literal["city_state", "rival_city"]


class OnArrival(Strict):
    at: Annotated[list[Port], Field(min_length=1)] | Literal["rival_city", "capital of the Ibrahim holder"]
    resources: Small = 0
    choice: Words = None
    min_distance_from_own_capital: Small = 0
    build_city: Annotated[int, Field(ge=0, le=1)] = 0
    range: Small = 0
    per_turn: Literal[1] = 1
    optional: Words = False


class TiEconomyCard(EconomyCard):
    before_explore: BeforeExplore | None = None
    on_arrival: OnArrival | None = None


class ExtraProduction(Strict):
    amount: Small
    per: Words = None


class ThenDial(Strict):
    spaces: DialSpaces
    after: Words = None


class CityOnFigure(Strict):
    figures: Annotated[list[Literal["caravan", "army"]], Field(min_length=1)]
    range: Words = 0
    terrain_limit: Words = None
    legal_space: Words = True
    figure_returns_to_card: Words = True


class TiIndustryCard(IndustryCard):
    extra_production: ExtraProduction | None = None
    production_per_resource: Small | None = None
    then_dial: ThenDial | None = None
    city_on_figure: CityOnFigure | None = None


class Redeploy(Strict):
    armies: Small
    per_turn: Words = 1
    from_: Annotated[Words, Field(alias="from")] = None
    may_attack: Words = True


class SecondMove(Strict):
    per_turn: Small
    after: Words = None
    price: Words = None


class ArmyCard(FocusCard):
    """A military card of Terra Incognita."""

    armies: Annotated[int, Field(ge=0, le=limits.MAX_ARMIES)]
    move: Small
    terrain_limit: Literal["slot"]
    water: bool
    combat: Literal["slot"]
    combat_bonus: Change
    combat_bonus_vs_barbarian: Change
    redeploy_defeated: Redeploy | None = None
    pass_through: list[Literal["unreinforced_control_token", "caravan", "barbarian", "city_state"]] | None = None
    not_through: Words = None
    districts_as_tokens: Literal[True] | None = None
    own_turn_reinforced_bonus_change: Change = 0
    second_move: SecondMove | None = None


class DistrictPlacing(Strict):
    count: Annotated[int, Field(ge=0, le=5)]
    next_to: Words = None
    terrain_limit: Words = None
    may_replace: Words = None


class WithDistrict(Strict):
    displaced_token_moves: Annotated[int, Field(ge=0, le=1)]
    to: Words = None
    optional: Words = True


class GrowthThen(Strict):
    tokens: Small = 0
    next_to: Literal["friendly_district"] = "friendly_district"
    terrain_limit: Literal["slot"] = "slot"
    name_district_type: Annotated[int, Field(ge=0, le=1)] = 0
    resolved_by: Words = None
    armies_from_card: Literal["each may enter an own city space"] | None = None
    reinforce: Literal["all own tokens in or next to a space with an own army"] | None = None


class GrowthCard(FocusCard):
    mode: Literal["choose_one", "all"]
    district: DistrictPlacing
    with_district: WithDistrict | None = None
    then: GrowthThen | None = None
    reinforce: Literal["slot"] | None = None


TI_FOCUS_CARDS: dict[str, type[FocusCard]] = {
    "culture": TiCultureCard,
    "science": TiScienceCard,
    "economy": TiEconomyCard,
    "industry": TiIndustryCard,
    "military": ArmyCard,
    "growth": GrowthCard,
}
