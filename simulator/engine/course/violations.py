"""What the audit of the whole state can find wrong (`invariants`, `map_audit`), by code."""

from ..core.jit import jit

VIOLATIONS = (
    "none",
    "control tokens are not conserved",
    "cities are not conserved, or the list of cities is wrong",
    "count of friendly spaces is wrong",
    "count of coastal spaces is wrong",
    "a piece has no owner or an owner no piece",
    "something stands on water",
    "a city stands next to a city or city-state",
    "resource tokens are not conserved",
    "a barbarian is not where its space says",
    "two barbarians share a space, or one stands on a piece it should have destroyed",
    "a caravan is not where its space says",
    "a card holds more trade tokens than allowed, or fewer than none",
    "the row is not a permutation of its cards",
    "a focus card is in a row twice",
    "a wonder's token and its place disagree",
    "two wonders lie under one city",
    "the wonder decks and the places of their cards disagree",
    "a natural wonder does not belong to whoever holds its space",
    "a city-state is free and conquered at once",
    "city-state diplomacy cards are not conserved",
    "a player holds an own diplomacy card, or too many of one rival",
    "an agenda is satisfied but not claimed",
    "the technology dial is off its spaces",
    "a resource or city-state token lies under a piece",
    "the numbers of a player's abilities are not those of what the player holds",
    "a district is not where its owner has it, or lies on no control token",
    "a government token lies on no card, or on one of another type",
    "a wonder that is not face up bears trade tokens, or one bears too many",
    "a fort card's token stays though its condition has failed",
    "a control token lies on a fort",
    "the tiles laid and those of the stack are not the tiles of the game",
    "a fort lies where none may, or something lies on it or beside it that may not",
    "the neighbours, the edge or the coast of a space are wrong",
    "a city or control token lies under a rival army",
    "an army is not where its space says, or a player has too many",
    "an army stays with a rival army, a free city-state or an uncontrolled fort",
    "a leader's card is given to nobody who may have it, or a player is its own ally",
)
(
    OK, TOKENS, CITIES, SPACES, COAST, OWNERS, ON_WATER, CITY_NEXT_TO_CITY, RESOURCES, BARBARIAN_SPACE, BARBARIAN_STAND,
    CARAVAN_SPACE, TRADE, ROW, CARD_TWICE, WONDER_TOKEN, WONDER_TWICE, DECKS, NATURAL_WONDER, CITY_STATE, CITY_STATE_CARDS,
    DIPLOMACY, AGENDA, DIAL, COVERED, NUMBERS, DISTRICT, GOVERNMENT, WONDER_TRADE, FORT_CLAIM, FORT_TOKEN,
    TILES, FORT, GROUND, UNDER_ARMY, ARMY_SPACE, ARMY_STAYS, LEADER_CARD,
) = range(len(VIOLATIONS))  # fmt: skip


@jit
def report(w, code, where):
    """Keep the first violation."""
    if w.violation == OK:
        w.violation = code
        w.violation_at = where
