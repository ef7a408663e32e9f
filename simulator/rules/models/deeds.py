"""The words of abilities: the effects that are done at a moment."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from .abilities import (
    IF,
    UNLESS,
    Amount,
    CardType,
    CardTypes,
    Giver,
    Least,
    Level,
    Moment,
    OnTheSpot,
    Resource,
    Targets,
    Terrains,
    TileCount,
)


class Deed(OnTheSpot):
    """When a deed is done, and where."""

    if_: Annotated[dict[TileCount, Least] | None, Field(alias="if", min_length=1, max_length=1, description=IF)] = None  # type: ignore[assignment]
    unless: Annotated[dict[TileCount, Least] | None, Field(min_length=1, max_length=1, description=UNLESS)] = None  # type: ignore[assignment]
    moment: Annotated[Moment, Field(description="when")]
    terrain: Terrains | None = None
    target: Targets | None = None
    type: CardTypes | None = None
    giver: Giver | None = None
    once: Annotated[bool, Field(description="once a turn only")] = False


class TradeTokens(Deed):
    """Gain trade tokens (B13)."""

    effect: Literal["trade_tokens"]
    amount: Amount
    card: Annotated[CardType | None, Field(description="card they go on; any own card if not given")] = None
    for_giver: Annotated[bool, Field(description="the giver of the diplomacy card gains them instead")] = False
    giver_places: Annotated[bool, Field(description="with `for_giver`: the giver chooses the card they go on")] = False


class Resources(Deed):
    """Gain resources from the supply."""

    effect: Literal["resources"]
    amount: Amount
    resource: Annotated[Resource | None, Field(description="which; of the player's choice if not given")] = None
    new_type: Annotated[bool, Field(description="only of a type not held")] = False


class ControlTokens(Deed):
    """Place control tokens."""

    effect: Literal["control_tokens"]
    amount: Amount
    limit: Annotated[int | None, Field(ge=0, le=9, description="highest difficulty of their spaces; any land if not given")] = (
        None
    )
    reinforced: Annotated[bool, Field(description="with their reinforced side up")] = False
    next_to: Annotated[
        Literal["friendly_city", "friendly_space", "that_space"],
        Field(description="beside what; `that_space` is the space of the moment"),
    ] = "friendly_city"


class Reinforce(Deed):
    """Turn own control tokens to their reinforced side."""

    effect: Literal["reinforce"]
    amount: Amount
    next_to: Annotated[Literal["friendly_city", "anything"], Field(description="tokens beside what")] = "anything"


class AdvanceDial(Deed):
    """Advance the technology dial; level spaces pay (B6.2)."""

    effect: Literal["advance_dial"]
    amount: Amount


class SwapCards(Deed):
    """Two cards of the row may change places (Oracle, Aztec)."""

    effect: Literal["swap_cards"]
    amount: Annotated[int, Field(ge=0, le=20, description="how many times")] = 1
    adjacent: Annotated[bool, Field(description="neighbouring cards only")] = False
    among: Annotated[
        list[CardType] | None, Field(min_length=2, description="types of the cards that may change places; all if not given")
    ] = None


class RemoveRivalTokens(Deed):
    """Remove rival control tokens next to friendly spaces (Forbidden City)."""

    effect: Literal["remove_rival_tokens"]
    amount: Amount


class ConvertToken(Deed):
    """Name control tokens of one rival, who replaces some of them by the player's (Eiffel Tower)."""

    effect: Literal["convert_token"]
    amount: Annotated[Literal[1, 2], Field(description="tokens named")]
    limit: Annotated[Literal[1, 2], Field(description="of these, tokens replaced")] = 1


class PushBarbarian(Deed):
    """Move a barbarian to an adjacent empty land space (Seoul)."""

    effect: Literal["push_barbarian"]
    amount: Amount


class SwapDiplomacy(Deed):
    """Change a diplomacy card held from a player for another of that player (Geneva)."""

    effect: Literal["swap_diplomacy"]
    amount: Amount


class UpgradeCards(Deed):
    """Cards of one level become cards of another (Pyramids)."""

    effect: Literal["upgrade_cards"]
    amount: Amount
    from_level: Annotated[Level, Field(description="level of the cards replaced")]
    limit: Annotated[Level, Field(description="level of the new cards")]


class RaiseCards(Deed):
    """Cards rise by levels, each card once (Porcelain Tower)."""

    effect: Literal["raise_cards"]
    amount: Amount
    limit: Annotated[Level, Field(description="by how many levels")] = 1


class TakeDiplomacy(Deed):
    """Take diplomacy cards of players of own choice (Potala Palace)."""

    effect: Literal["take_diplomacy"]
    amount: Amount


class TakeCity(Deed):
    """Replace rival cities, no capitals, without an army on them by own unused cities (Cristo Redentor)."""

    effect: Literal["take_city"]
    amount: Amount
    within: Annotated[int, Field(ge=1, le=9, description="steps from the wonder, or from own cities where there is none")]


class Explore(Deed):
    """Explore from any space at a tile's edge (Apadana)."""

    effect: Literal["explore"]
    amount: Amount
    limit: Annotated[int, Field(ge=0, le=9, description="control tokens then placed on empty spaces of the new tile")] = 0


class GiveCard(Deed):
    """Give the card that the leader has beside its abilities (`given_card: {name: …, abilities: […]}`) to another player, who
    has what it does from then on (Ottoman)."""

    effect: Literal["give_card"]


class Alliance(Deed):
    """Choose a player, take so many of its diplomacy cards, and may hold any number of them from then on (Poland)."""

    effect: Literal["alliance"]
    amount: Amount


class OwnFunction(Deed):
    """Calls a compiled function of your own, which may do anything through the engine's functions."""

    effect: Literal["own_function"]
    function: Annotated[
        str,
        Field(pattern=r"^[A-Za-z_][\w.]*:[A-Za-z_]\w*$", description="module:name; the module lies where the command is given"),
    ]
    amount: Annotated[int, Field(ge=-99, le=99, description="a number that is handed to it")] = 1
    worth: Annotated[int, Field(ge=0, le=20, description="what the planner takes it for, in trade tokens")] = 1
    digest: Annotated[str | None, Field(description="of its file: written by the program")] = None


class ResolveDistrict(Deed):
    """Resolve own districts, each once (Nubia)."""

    effect: Literal["resolve_district"]
    amount: Amount
