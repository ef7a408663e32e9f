"""Restricted play: what a seat may be made to do without, by name; `strategies.learned.ways` takes the options away.

A profile lists them (`restrictions: [attacks, caravans]`), and a seat's weight weights.FORBIDDEN holds them as bits.
"""

RESTRICTIONS = {
    "attacks": "never attacks anything",
    "attacks on players": "never attacks rivals' control tokens, cities or capitals",
    "attacks on capitals": "never attacks rivals' capitals",
    "reinforcing": "never reinforces control tokens with a military card",
    "world wonders": "builds no world wonders",
    "cities": "founds no cities",
    "caravans": "sends no caravans",
    "trade in combat": "spends no trade tokens in combat",
}
(ATTACKS, ON_PLAYERS, ON_CAPITALS, REINFORCING, WORLD_WONDERS, CITIES, CARAVANS, TRADE_IN_COMBAT) = (
    1 << k for k in range(len(RESTRICTIONS))
)
