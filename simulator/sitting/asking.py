"""The questions of the game as sentences, one for each kind of decision (engine/core/decisions.py)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from .. import limits, names
from ..engine.core import decisions
from ..replay.words import SIDES, Words, count, named

# What stands in braces is put in by `FACTS`, when a sentence needs it.
SENTENCES = {
    decisions.LAY_TILE: "Which of your map tiles do you lay?",
    decisions.PLACE_TILE: "Where does tile {space_number} go, with which side and turned how?",
    decisions.START_EFFECT: "What do you use at the start of your turn?",
    decisions.CARD: "Which focus card do you resolve?",
    decisions.PLACE_TOKEN: "Where do you place a control token? ({source}; {left} left)",
    decisions.TAKE_OFF: "You have no control token left. Which one do you take off the map to use it again?",
    decisions.MOVE_TOKEN: "Which control token do you move, and where?",
    decisions.RIVAL_TOKEN: "Which rival control token do you weaken or remove? ({source})",
    decisions.STRIKE: "Which space is the middle of your strike?",
    decisions.NAME_TOKEN: "Which rival control tokens do you name for the Eiffel Tower?",
    decisions.YIELD_TOKEN: "{rival} uses the Eiffel Tower: which of your two control tokens do you give up?",
    decisions.SPEND_TRADE: "How many trade tokens do you spend from {card}? ({source})",
    decisions.UPGRADE: "Which new focus card do you take, in place of which?",
    decisions.GAIN_RESOURCE: "Which resource do you take?",
    decisions.SWAP_RESOURCE: "Which resource do you give for which?",
    decisions.PLACE_TRADE: "Which focus card gets the trade token? ({source})",
    decisions.NATURAL_WONDER_CARD: "Which focus card gets the token of {natural_wonder}?",
    decisions.CARAVAN: "Which caravan do you move next?",
    decisions.CARAVAN_TO: "Where does your caravan go? ({steps} left)",
    decisions.TAKE_DIPLOMACY: "Which diplomacy card do you take{from_whom}?",
    decisions.RETURN_DIPLOMACY: "Which diplomacy card do you give back to {rival}, to take another?",
    decisions.INDUSTRY: "What do you build: a city or a world wonder?",
    decisions.PAY: "What do you pay with for {wonder}? ({production} missing)",
    decisions.WONDER_CITY: "Which city gets {wonder}?",
    decisions.MILITARY: "What does your military card do: reinforce or attack?",
    decisions.REINFORCE: "Which control token do you reinforce? ({left} left)",
    decisions.ATTACK: "What do you attack? ({attacks} left)",
    decisions.CITY_STATE_FATE: "You have beaten {place}. Do you take it or free it?",
    decisions.LOOT: "From which card of {rival} do you take a trade token?",
    decisions.LOSE_TRADE: "A barbarian costs you a trade token. Which card gives it up?",
    decisions.SWAP_CARDS: "Which two cards of your focus row change places? ({source})",
    decisions.GENEVA_SWAP: "Which diplomacy card do you swap for which?",
    decisions.SEOUL_MOVE: "Which barbarian do you move, and where?",
    decisions.OTHER_CARD: "Which second card do you resolve, as if from slot {slot}?",
    decisions.EXTRA_ECONOMY: "Do you resolve your economy card, too, from slot {slot}?",
    decisions.REPEAT_CARD: "Do you resolve the card once more?",
    decisions.POTALA: "Which diplomacy card do you take? (Potala Palace; {left} left)",
    decisions.SPEND_TOKEN: "Which token do you spend next?",
    decisions.GIVE_TRADE: "The Embassy gives {rival} a trade token. Which of its cards gets it?",
    decisions.SCIENCE: "Do you carry out your science card?",
    decisions.MOVE_ON: "Several barbarians share a space. Which one moves on?",
    decisions.PLACE_FORT: "Where does your fort lie?",
    decisions.ARMY: "Which army do you move next?",
    decisions.ARMY_TO: "Where does your army go? ({steps} left)",
    decisions.COMBAT_SPEND: "The combat stands at {attack} against {defence}. What do you spend?",
    decisions.ARMY_TARGET: "Which piece on {place} do you attack?",
    decisions.ARMY_AGAIN: "Which army sets out once more? ({source})",
    decisions.GROWTH: "What does your growth card do?",
    decisions.PLACE_DISTRICT: "Which district do you place, and where?",
    decisions.DISTRICT: "Which district do you resolve next?",
    decisions.DISTRICT_EFFECT: "What does your district on {place} do?",
    decisions.DISTRICT_SPACE: "Where do you use your district on {place}?",
    decisions.CITY_SPACE: "Where do you place a city? ({source})",
    decisions.GOVERNMENT: "Which focus card gets your government?",
    decisions.TAKE_CITY: "Which rival city do you replace by an own one? ({source})",
    decisions.DISPLACED_TOKEN: "Where does the control token go that the district displaced?",
    decisions.NAME_DISTRICT: "Which type of district does everybody resolve?",
    decisions.ARMY_CITY: "Into which of your cities do you put army {army}?",
    decisions.EXPLORED_TILE: "Which of the map tiles that you looked at do you lay?",
    decisions.STACK_ORDER: "Which tile goes back to the stack, and where?",
    decisions.WATER_SPACE: "Where do you lay the water token?",
    decisions.GIVE_IBRAHIM: "Who gets Ibrahim?",
    decisions.ALLY: "Whom do you choose for an ally?",
    decisions.CONQUER_VISITED: "You have visited {place}. Do you conquer it?",
    decisions.NON_AGGRESSION: "{rival} struck you despite your pact. Which card changes places with the military card?",
    decisions.ARMY_LOST: "A barbarian drives one of your armies back to its card. Which one?",
    decisions.DIAL_ANYWAY: "You built no world wonder. Does your technology dial advance all the same?",
}
# What declining means, where "pass" says too little.
DECLINED = {
    decisions.START_EFFECT: "nothing more: on to the focus card",
    decisions.PLACE_TOKEN: "place no more tokens",
    decisions.NAME_TOKEN: "name none",
    decisions.UPGRADE: "keep the cards as they are",
    decisions.SWAP_RESOURCE: "keep the resources",
    decisions.CARAVAN: "move no more caravans",
    decisions.CARAVAN_TO: "stay here",
    decisions.INDUSTRY: "build nothing",
    decisions.MILITARY: "neither",
    decisions.REINFORCE: "reinforce no more",
    decisions.ATTACK: "attack nobody",
    decisions.LOOT: "take none",
    decisions.ARMY: "move no more armies",
    decisions.ARMY_TO: "stay here",
    decisions.COMBAT_SPEND: "spend nothing more",
    decisions.DIAL_ANYWAY: "no: the card to no effect",
}


def _place(words: Words, seat: int, about: Mapping[str, int]) -> str:
    return words.place(about["space"])


def _from_whom(words: Words, seat: int, about: Mapping[str, int]) -> str:
    if about["space"] >= 0:
        return f", of {words.ground(about['space'])}" if about["space"] < int(words.g.n_spaces) else ""
    return f" from {words.short(about['seat'])}" if about["seat"] >= 0 else ""


FACTS: dict[str, Callable[[Words, int, Mapping[str, int]], Any]] = {
    "space_number": lambda words, seat, about: about["space"],
    "place": _place,
    "natural_wonder": lambda words, seat, about: named(words.titles.natural_wonder, about["space"]),
    "source": lambda words, seat, about: named(decisions.SOURCES, about["source"], "an effect"),
    "left": lambda words, seat, about: about["left"],
    "steps": lambda words, seat, about: count(about["left"], "step"),
    "attacks": lambda words, seat, about: count(about["left"], "attack"),
    "production": lambda words, seat, about: about["left"],
    "rival": lambda words, seat, about: words.short(about["seat"]),
    "card": lambda words, seat, about: words.held(seat, about["holder"]),
    "from_whom": _from_whom,
    "wonder": lambda words, seat, about: named(words.titles.wonder, about["wonder"]),
    "slot": lambda words, seat, about: about["slot"],
    "attack": lambda words, seat, about: about["attack"],
    "defence": lambda words, seat, about: about["defence"],
    "army": lambda words, seat, about: about["space"] + 1,
}


class _Facts(dict[str, Any]):
    """What sentences put in, worked out when it is asked for."""

    def __init__(self, words: Words, seat: int, about: Mapping[str, int]) -> None:
        super().__init__()
        self.asked = words, seat, about

    def __missing__(self, name: str) -> Any:
        return FACTS[name](*self.asked)


def sentence(words: Words, seat: int, kind: int, about: Mapping[str, int]) -> str:
    """Return the question of a kind of decision; `about`: what else it says, by name (`Question.about`)."""
    return SENTENCES[kind].format_map(_Facts(words, seat, about))


def option(words: Words, seat: int, kind: int, value: int, about: Mapping[str, int]) -> str:
    """Return an option as an answer to the question: a focus card by its name, declining by what it means."""
    if value == decisions.PASS and kind in DECLINED:
        return DECLINED[kind]
    if value != decisions.PASS and kind in (decisions.CARD, decisions.OTHER_CARD):
        return f"{words.held(seat, int(words.g.row[seat, value]))} in slot {words.slot(value)}"
    if kind in (decisions.CARAVAN, decisions.ARMY, decisions.ARMY_AGAIN, decisions.ARMY_LOST) and value != decisions.PASS:
        return _figure(words, seat, kind, value)
    told = words.option(seat, kind, value, about["space"])
    if kind in (decisions.LAY_TILE, decisions.EXPLORED_TILE) and value != decisions.PASS:
        return f"{told} ({'; '.join(f'{name}: {_printed(words, value, side)}' for side, name in enumerate(SIDES))})"
    return told


def _printed(words: Words, tile: int, side: int) -> str:
    """Return what is printed on a side of a map tile."""
    r, at = words.r, (tile - 1, side)
    grounds: Counter[str] = Counter()
    for i in range(limits.TILE_SPACES):
        natural, city_state = int(r.tile_natural_wonder[*at, i]), int(r.tile_city_state[*at, i])
        ground = named(names.TERRAINS, int(r.tile_terrain[*at, i]))
        ground = named(words.titles.natural_wonder, natural, named(words.titles.city_state, city_state, ground))
        resource = int(r.tile_resource[*at, i])
        grounds[f"{ground} with {names.RESOURCES[resource]}" if resource >= 0 else ground] += 1
    return ", ".join(ground if n == 1 else f"{n} × {ground}" for ground, n in grounds.items())


def _figure(words: Words, seat: int, kind: int, value: int) -> str:
    """Return a caravan or an army by its number and where it stands."""
    caravan = kind == decisions.CARAVAN
    space = int((words.g.caravan if caravan else words.g.army)[seat, value])
    card = names.FOCUS_TYPES[names.ECONOMY if caravan else names.MILITARY]
    where = f"from {words.place(space)}" if space >= 0 else f"from the {card} card"
    return f"number {value + 1}, {where}"
