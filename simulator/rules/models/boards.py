"""Tiles, printed layouts, and maps of users."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from ... import limits
from .words import Axial, Letter, PlayerCount, Positive, Resource, Rotation, Side, Strict, Terrain, Words


class Feature(Strict):
    space: Annotated[int, Field(ge=0, lt=limits.TILE_SPACES)]
    resource: Resource | None = None
    natural_wonder: str | None = None
    city_state: str | None = None
    barbarian: Letter | None = None
    capital: Literal[True] | None = None


class Face(Strict):
    terrain: Annotated[list[Terrain], Field(min_length=limits.TILE_SPACES, max_length=limits.TILE_SPACES)]
    features: list[Feature]
    disputed_spaces: Annotated[list[dict[str, Any]], Field(default_factory=list)]


class Tile(Strict):
    number: Annotated[int, Field(ge=1, le=limits.MAX_TILES)]
    set: Literal["base", "ti", "own"]
    kind: Literal["plain", "natural_wonder", "city_state", "capital"]
    available: bool = True
    sides: dict[Side, Face]


Offset = Annotated[list[int], Field(min_length=2, max_length=2)]
Offsets = Annotated[list[Offset], Field(min_length=limits.TILE_SPACES, max_length=limits.TILE_SPACES)]


class Geometry(Strict):
    hex: Literal["pointy_top"]
    spaces: Literal[10]
    axial: Words
    pixel: Words
    side_a: Offsets
    side_b: Offsets
    mirror: Words
    neighbours: dict[str, list[int]]
    printed_number_corner: Words
    capital_space: Literal[0]
    drawing_side_a: Words
    drawing_side_b: Words


class PlacedTile(Strict):
    tile: Positive
    q: Axial
    r: Axial
    rotation: Rotation


class UserTile(PlacedTile):
    side: Side


class FirstGame(Strict):
    side: Side
    confidence: str
    players: dict[PlayerCount, list[int]]
    tiles: list[PlacedTile]


class CoreTile(Strict):
    draw: Annotated[int, Field(ge=1, le=4)]
    q: Axial
    r: Axial
    rotation: Rotation


class CoreLayout(Strict):
    confidence: str
    A: list[CoreTile]
    B: list[CoreTile]


class TiMapLayouts(Strict):
    core: dict[Literal["two_tiles", "four_tiles_column", "four_tiles_block"], CoreLayout]


class MapLayouts(TiMapLayouts):
    first_game: FirstGame


class UserMap(Strict):
    name: str
    description: str = ""
    players: Annotated[list[Annotated[int, Field(ge=2, le=limits.MAX_PLAYERS)]], Field(min_length=1)]
    tiles: Annotated[list[UserTile], Field(min_length=1, max_length=limits.MAX_LAYOUT_TILES)]


class UserFort(Strict):
    q: Axial
    r: Axial


class TiUserMap(UserMap):
    forts: Annotated[list[UserFort], Field(max_length=limits.MAX_PLAYERS, default_factory=list)]
    stack: list[Positive] | None = None


class MapSettings(Strict):
    mode: Literal["advanced", "first_game", "user"]
    core_layout: Literal["four_tiles_column", "four_tiles_block"]
    user_map: UserMap | None


class TiMapSettings(MapSettings):
    mode: Literal["advanced", "user"]  # type: ignore[assignment]
    user_map: TiUserMap | None
