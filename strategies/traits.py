"""What the strategies of this package say about themselves; tests hold them to it.

Beside the numbers of a profile and the docstring of its module (`newdawn strategies show NAME`) a strategy declares
what can be measured: in which figures of `analysis.contests.characters` it leads the archetypes, and what it needs chance for.
"""

from __future__ import annotations

from dataclasses import dataclass

NEVER, FOR_MAP, ALWAYS = "never", "to lay out the map", "always"


@dataclass(frozen=True)
class Traits:
    """What a strategy is like."""

    leads_in: tuple[str, ...] = ()  # measures (analysis.contests.characters.MEASURES) in which it leads the archetypes
    chance: str = FOR_MAP  # what it uses its random bits for
    finishes: bool = True  # games among copies of it end by victory
    box: str = "base"  # where it is measured


TRAITS = {
    "expander": Traits(leads_in=("cities", "mature cities", "Civilized claimed")),
    "builder": Traits(leads_in=("world wonders",)),
    "scholar": Traits(leads_in=("science cards", "Technophile claimed")),
    "merchant": Traits(leads_in=("economy cards", "caravans arrived", "diplomacy cards")),
    "warrior": Traits(leads_in=("military cards", "attacks on players")),
    "explorer": Traits(leads_in=("culture cards",)),
    "pathfinder": Traits(leads_in=("tiles explored",), box="terra-incognita"),
    "urbanist": Traits(leads_in=("districts",), box="terra-incognita"),
    "castellan": Traits(leads_in=("forts taken",), box="terra-incognita"),
    "search": Traits(chance=ALWAYS),
    "fast": Traits(chance=ALWAYS),
    "quick": Traits(chance=ALWAYS),
    **dict.fromkeys(("conqueror", "architect", "settler", "inventor", "trader"), Traits(chance=ALWAYS)),
    "adept": Traits(chance=ALWAYS),
    "thinker": Traits(chance=ALWAYS),
    "master": Traits(chance=ALWAYS),
    "autoplayer": Traits(chance=FOR_MAP),
    "random": Traits(chance=ALWAYS, finishes=False),
}
ARCHETYPES = tuple(name for name, traits in TRAITS.items() if traits.leads_in and traits.box == "base")
OWN_OF_EXPANSION = tuple(name for name, traits in TRAITS.items() if traits.box != "base")  # archetypes of Terra Incognita only


def traits_of(name: str) -> Traits:
    """Return what a strategy declares; one that declares nothing, such as a user's own, is held to the defaults."""
    return TRAITS.get(name, Traits())
