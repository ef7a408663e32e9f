"""What unique cards of Terra Incognita add when a card of their type has been resolved.

Most of what they do beyond a standard card is a number that the type's own module reads: dial spaces (`science.py`), production
(`industry.py`), arrivals (`economy.py`). Here is what comes last.
"""

from newdawn.simulator.engine.board.pieces import mature_cities
from newdawn.simulator.engine.board.trade import gain_trade
from newdawn.simulator.engine.cards.culture import place_tokens
from newdawn.simulator.engine.cards.taking import take_rival_city
from newdawn.simulator.engine.core.decisions import SOURCE_MOUNTAIN, SOURCE_RADIO, SOURCE_UNIQUE
from newdawn.simulator.engine.core.jit import expansion

LAST_SLOT = 5  # what is printed for "the fifth slot"
FROM_OWN_CITIES = -1


@expansion
def finish_unique_culture(r, g, w, bots, p, h, slot) -> None:
    """From slot 5 a token on a mountain next to a friendly space (State Workforce) or a rival city (Radio); a trade token for
    each own mature city (Humanism)."""
    card = g.card[p, h]
    if slot >= LAST_SLOT:
        place_tokens(r, g, w, bots, p, h, slot, r.card_slot5_mountain_token[card], SOURCE_MOUNTAIN, -1)
        for _ in range(r.card_take_city[card]):
            take_rival_city(r, g, w, bots, p, SOURCE_RADIO, FROM_OWN_CITIES, r.card_take_city_range[card], 0)
    gain_trade(r, g, w, bots, p, -1, r.card_trade_per_mature[card] * mature_cities(r, g, p), SOURCE_UNIQUE)
