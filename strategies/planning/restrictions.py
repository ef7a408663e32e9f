"""Restricted play: what a seat may be made to do without, by name; `strategies.learned.ways` takes the options away.

A profile lists them (`restrictions: [attacks, caravans]`), and a seat's weight weights.FORBIDDEN holds them as bits.
"""

from newdawn.simulator.names import TI_BOX

RESTRICTIONS = {
    "attacks": "never attacks anything",
    "attacks on players": "never attacks rivals' control tokens, cities or capitals",
    "attacks on capitals": "never attacks rivals' capitals",
    "reinforcing": "never reinforces control tokens with a card",
    "world wonders": "builds no world wonders",
    "cities": "founds no cities",
    "caravans": "sends no caravans",
    "trade in combat": "spends no trade tokens in combat",
    "forts": "never attacks forts",
    "districts": "places no districts with its growth cards",
    "exploring": "never explores with an army or a caravan",
}
OF_EXPANSION = ("forts", "districts", "exploring")
(
    ATTACKS, ON_PLAYERS, ON_CAPITALS, REINFORCING, WORLD_WONDERS, CITIES, CARAVANS, TRADE_IN_COMBAT,
    FORTS, DISTRICTS, EXPLORING,
) = (1 << k for k in range(len(RESTRICTIONS)))  # fmt: skip


def known_in(box: int) -> tuple[str, ...]:
    """Return the restrictions that mean something in a box (names.BOXES)."""
    return tuple(name for name in RESTRICTIONS if box == TI_BOX or name not in OF_EXPANSION)
