"""Words and limits that several models share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from ... import limits, names

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
Terrain = Literal["grassland", "hills", "forest", "desert", "mountain", "water", "natural_wonder"]
Resource = Literal["marble", "mercury", "oil", "diamond"]
FocusType = Literal["culture", "science", "economy", "industry", "military"]
AnyFocusType = Literal["culture", "science", "economy", "industry", "military", "growth"]
WonderType = Literal["culture", "science", "economy", "military"]
Era = Literal["ancient", "medieval", "modern"]
Letter = Literal["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K"]
Icon = Literal["barbarians_appear", "barbarians_move", "trade", "districts", "government", "wonder", "none"]
if TYPE_CHECKING:
    Metric: TypeAlias = str
    TiMetric: TypeAlias = str
    Ranking: TypeAlias = str
    Point: TypeAlias = str
    TiPoint: TypeAlias = str
    Partners: TypeAlias = str
    TeamWins: TypeAlias = str
else:
    TiMetric = Literal[names.METRICS[1:]]
    Ranking = Literal[names.RANKINGS[1:]]
    TiPoint = Literal[tuple(names.POINTS)]
    Point = Literal[tuple(word for word in names.POINTS if word not in names.TI_POINTS)]
    Partners = Literal[names.PARTNERS]
    TeamWins = Literal[names.TEAM_WINS]
    Metric = Literal[tuple(word for word in names.METRICS[1:] if not names.METRIC[word].ti)]
Through = list[Literal["water", "rival_space", "barbarian"]]
PlayerCount = Literal["2", "3", "4"]
TiPlayerCount = Literal["2", "3", "4", "5"]
DESCRIBES = "describes what the engine does; no house rule can change it"
Words = Annotated[Any, DESCRIBES]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)


class Loose(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True, defer_build=True)


Bonus = Annotated[int, Field(ge=0, le=limits.MAX_START_BONUS)]


class StartBonus(Strict):
    """What a player gets before the first turn."""

    cities: Bonus
    control_tokens: Bonus
    wonders: Bonus
    technology_levels: Bonus
    trade_tokens: Bonus
    resources: Bonus
