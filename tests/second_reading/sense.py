"""Does an ability say something that can come true? Read from docs/abilities.md and the rules, apart from the program.

Begin with `nonsense`. The program has to take what it finds nothing against, and to refuse the rest.
"""

from __future__ import annotations

from collections.abc import Iterator

from content import BASE, Ability
from draw import of_expansion, page
from meanings import DOINGS, KNOWN
from pieces_out import TARGETS

# The own turn, in which attacks of the turn are won and cards replaced; at its start no attack was won yet.
OWN_TURN = (
    "built", "built_or_captured", "card_resolved", "card_reset", "attack_won", "attack_lost", "barbarian_defeated",
    "city_built", "wonder_built", "arrival", "token_placed", "end_of_turn", "dial_turned",
)  # fmt: skip
AGAINST = {
    "attack_won": TARGETS,
    "attack_lost": TARGETS,
    "defence_won": ("token", "city", "capital", "caravan", "army"),
    "arrival": ("city_state", "city", "capital"),
}
NO_PLAYERS = {"barbarian", "city_state", "fort"}
OF_CARDS = (
    "own_wonders", "newest_era", "wonders_of_its_type", "city_state_card_of_its_type", "diplomacy_cards", "card_givers",
    "rival_card_givers",
)  # fmt: skip
OF_A_TYPE = ("wonders_of_its_type", "city_state_card_of_its_type")
OF_ANOTHER = ("reinforced_lead", "other_has_given_card")
OF_THE_TURN = ("attacks_won_this_turn", "cards_replaced_this_turn")
IN_COMBAT = ("own_caravan_beside", "settlement_near", "water_beside")
AT_MOST = {"newest_era": 3, "resource_types": 4, "own_districts": 5, "rival_card_givers": 4, "other_has_given_card": 1}
GIVERS = {"diplomacy": "player", "city_state": "city-state"}
# What holds and is read off the cards held alone; beside these, combat and the cost of wonders ask for the situation.
BY_CARDS = (
    "reinforced_worth", "production", "difficulty", "difficulty_change", "culture_tokens", "dial_spaces", "caravan_steps",
    "shared_caravan_steps", "city_range", "attack_range", "attacks", "reinforcements", "slot_shift", "spares", "forbids",
)  # fmt: skip


def nonsense(ability: Ability, kind: str, box: str) -> list[str]:
    """Return what is wrong with an ability of a leader, wonder, card … in the box, in words."""
    return [*_words(ability, kind, box), *_conditions(ability), *_counts(ability), *_giver(ability, kind), *_beside(ability)]


def _words(ability: Ability, kind: str, box: str) -> Iterator[str]:
    """Words that are not for this box or this kind of card."""
    said = [word for value in ability.values() for word in ([value] if isinstance(value, str) else _listed(value))]
    if box == BASE and of_expansion() & set(said):
        yield "a word of Terra Incognita"
    if ability.get("moment") in ("built", "built_or_captured") and kind != "wonder":
        yield "only a world wonder is built"
    if ability["effect"] == "founds_city" and kind != "wonder":
        yield "only a world wonder founds a city"
    if "per" in ability and "amount" not in page()[ability["effect"]]:
        yield "nothing to count for"


def _listed(value: object) -> list[str]:
    return [word for word in value if isinstance(word, str)] if isinstance(value, (list, tuple, dict)) else []


def _conditions(ability: Ability) -> Iterator[str]:
    """Conditions that the moment cannot answer, or that never hold."""
    moment = ability.get("moment")
    if moment:
        known = KNOWN[moment]
        asked = {"terrain": "space", "target": "target", "type": "type", "giver": "other"}
        yield from (f"{key} at {moment}" for key, fact in asked.items() if key in ability and fact not in known)
        if ability.get("next_to") == "that_space" and ("space" not in known or moment == "attack_lost"):
            yield f"no space to place at {moment}"
        if "target" in known and set(ability.get("target", ())) - set(AGAINST[moment]):
            yield f"a target that {moment} never has"
        if moment in ("built", "built_or_captured") and "type" in ability:
            yield "a world wonder's own type, which is always the same"
        if moment == "arrival" and "type" in ability and ability.get("target") != ["city_state"]:
            yield "the type of a city"
        if ability["effect"] == "steal_trade_tokens" and (
            "other" not in known or set(ability.get("target", ["city"])) <= NO_PLAYERS
        ):
            yield f"nobody to steal from at {moment}"
        if ability["effect"] == "pay_trade_tokens" and moment == "start_of_turn":
            yield "nobody would use that"
        if moment == "first_turn" and ability.get("from_round", 1) > 1:
            yield "the first turn is in round 1"
    defends = not moment and ability["effect"] == "combat" and ability.get("when") == ["defend"]
    if defends and set(ability.get("target", ())) - set(AGAINST["defence_won"]):
        yield "nobody defends these"
    if ability.get("until_round", 99) < ability.get("from_round", 1):
        yield "rounds that never come"


def _counts(ability: Ability) -> Iterator[str]:
    """Counts that are nothing there, or never (always) so many."""
    for key in ("if", "unless", "per"):
        if key not in ability:
            continue
        what, least = (ability["per"], 1) if key == "per" else next(iter(ability[key].items()))
        yield from _counted(ability, key, what)
        if what == "other_has_given_card":
            yield "no card that could have been given"  # of those drawn here no leader has one
        if key != "per" and least > AT_MOST.get(what, least):
            yield f"{what} is never {least}"
        if key == "unless" and what in ("cities", "friendly_spaces") and least <= 1:
            yield "everybody has a capital"
    both = set(ability.get("if", ())) & set(ability.get("unless", ()))
    if any(ability["if"][what] >= ability["unless"][what] for what in both):
        yield "at least and fewer than"


def _counted(ability: Ability, key: str, what: str) -> Iterator[str]:
    effect, moment = ability["effect"], ability.get("moment")
    if moment:
        yield from _counted_at(moment, key, what, ability)
    elif effect == "combat":
        if what in OF_A_TYPE or what == "other_cities_on_tile" or (what in IN_COMBAT and key != "per"):
            yield f"{what} in combat"
        if what in OF_ANOTHER and set(ability.get("target", ["city"])) <= NO_PLAYERS:
            yield f"{what} of nobody"
        if what in OF_THE_TURN and ability.get("when") == ["defend"]:
            yield f"no {what} in the turn of another"
        if what == "settlement_near" and not ability.get("within"):
            yield "near, but how near?"
    elif effect == "wonder_cost":
        if what in OF_ANOTHER or what in IN_COMBAT or what == "other_cities_on_tile":
            yield f"{what} where wonders are built"
    elif effect not in BY_CARDS or what not in OF_CARDS or (what in OF_A_TYPE and effect != "slot_shift"):
        yield f"{what} while a card is held"
    if effect in ("difficulty", "spares", "forbids") and key == "per":
        yield "nothing that could be counted up"


def _counted_at(moment: str, key: str, what: str, ability: Ability) -> Iterator[str]:
    known = KNOWN[moment]
    if what in OF_A_TYPE and "type" not in known:
        yield f"{what} at {moment}"
    if what in OF_ANOTHER and ("other" not in known or set(ability.get("target", ["city"])) <= NO_PLAYERS):
        yield f"{what} at {moment}"
    if what in IN_COMBAT or (
        what == "other_cities_on_tile" and (key == "per" or "space" not in known or moment == "attack_lost")
    ):
        yield f"{what} at {moment}"
    in_turn = moment in OWN_TURN or (what == "cards_replaced_this_turn" and moment == "start_of_turn")
    if what in OF_THE_TURN and not in_turn:
        yield f"{what} at {moment}"


def _giver(ability: Ability, kind: str) -> Iterator[str]:
    """Words about who gave a card where nobody did."""
    giver = GIVERS.get(kind)
    if ability.get("giver") and not giver:
        yield "no giver"
    if (ability.get("for_giver") or ability.get("whose") == "giver") and giver != "player":
        yield "no player gave it"
    if ability.get("giver_places") and not ability.get("for_giver"):
        yield "the giver gains nothing"
    if ability.get("for_giver") and ability.get("moment") == "start_of_turn":
        yield "nobody gains at the start of another's turn"
    if ability.get("by") == "giver":
        if giver != "player":
            yield "no player gave it"
        if ability.get("moment") in ("start_of_turn", "first_turn"):
            yield "what a player uses at the start of the turn is the player's own"
        if ability.get("giver"):
            yield "the giver is who does it, and no other side"
        for key in ("if", "unless", "per"):
            if key in ability and set(OF_THE_TURN) & {ability["per"] if key == "per" else next(iter(ability[key]))}:
                yield "the giver's turn is not the holder's"
    if ability.get("giver") != "only" or not giver:
        return
    against = set(ability.get("target") or AGAINST.get(ability.get("moment", ""), TARGETS))
    if ability["effect"] == "combat" and ability.get("when") == ["defend"]:
        against -= NO_PLAYERS
    if not ("city_state" in against if giver == "city-state" else against - NO_PLAYERS):
        yield "never against the giver"


def _beside(ability: Ability) -> Iterator[str]:
    """Keys that say nothing beside others."""
    if len(ability.get("among", "two")) < 2:
        yield "one card cannot change places"
    if ability.get("new_type") and "resource" in ability:
        yield "a new type, and this one"
    if ability["effect"] == "convert_token" and ability.get("limit", 1) > ability["amount"]:
        yield "more converted than named"
    if ability["effect"] == "combat" and ability.get("within") and ability.get("per") != "settlement_near":
        yield "within what?"
    if not set(ability.get("doing", DOINGS)) <= set(DOINGS):
        yield "nothing that has a difficulty"
