"""What is said about an option of a choice, one number after the other: their names, order and meaning (`marking` fills them).

As for the facts of a situation (`strategies.learned.facts`), every number is of the order of one, and whatever has a code
takes part. The choices are those at which a policy does better than the planner, as far as is known: at which space is taken,
attacked or reinforced, and where a caravan goes, lessons found nothing to gain.
"""

from collections.abc import Sequence

from ...simulator import names
from ...simulator.engine.core import decisions

NAMES: list[str] = []
MEANINGS: dict[str, str] = {}


def _mark(name: str, meaning: str) -> int:
    """Declare a mark and return its column."""
    NAMES.append(name)
    MEANINGS[name] = meaning
    return len(NAMES) - 1


def _marks(family: str, of: Sequence[object], meaning: str) -> int:
    """Declare a mark for each of several things and return the column of the first."""
    for thing in of:
        _mark(f"{family}_{str(thing).lower().replace(' ', '_')}", meaning)
    return len(NAMES) - len(of)


ASKED = (decisions.CARD, decisions.INDUSTRY, decisions.UPGRADE)
KIND = _marks("asked", [decisions.KINDS[kind] for kind in ASKED], "1: this is what is asked")
OWN = _marks("own", [decisions.KINDS[kind] for kind in ASKED], "1: the planner's choice, when this is what is asked")
GAP = _mark("gap", "how much less the planner thinks of it than of its own choice, in hundreds, at most 4")
WORTH = _mark("worth", "what the planner thinks of it, in hundreds, from -4 to 4")
PASSED = _mark("pass", "1: to pass")
TYPE = _marks("type", names.FOCUS_TYPES, "1: a card or world wonder of the type")
PLACE = _mark("slot", "slot number of the card, in fifths")
SUPPLY = _mark("trade", "trade tokens on the card, in thirds")
LEVEL = _mark("level", "level of the card or era of the world wonder, in thirds")
WONDER = _mark("wonder", "1: a world wonder")
FOUNDED = _mark("city", "1: a new city")
# --- the space of a new city
DIFFICULTY = _mark("difficulty", "difficulty of its terrain, in fifths")
COASTAL = _mark("coastal", "1: next to water or on the edge")
RESOURCE = _mark("resource", "1: a resource lies there")
NATURAL = _mark("natural", "1: a natural wonder lies there")
CITIES = _mark("cities_beside", "own cities beside it, in halves")
RIVALS = _mark("rivals_beside", "rivals' spaces beside it, in thirds")
WILD = _mark("barbarians_beside", "barbarians beside it, in halves")
FREE = _mark("free_beside", "free land beside it, in sixths")
PRIZES = _mark("prizes_beside", "resources and natural wonders on free land beside it, in halves")
HOME = _mark("home", "steps from the own capital, in eighths")
ENEMY = _mark("enemy", "steps from the nearest rival capital, in eighths")

# --- a card
GAIN = _mark("gain", "what the planner thinks the card brings at once, in hundreds, from -4 to 4")
LATER = _mark("later", "what it thinks the card would bring in the best slot, likewise")

N_MARKS = len(NAMES)
