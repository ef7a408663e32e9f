"""The words of abilities, each declared once: its code, its meaning, its keys and its sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .. import names
from ..names import Words, enter

# --- How the words of abilities are declared: effects, their keys, moments, counts
#
# A word's declaration gives it its code, its columns of the RULES record, its pydantic model (`content_models.py`), its
# sentence (`sentences.py`), its words in patch notes and replays, its line in docs/abilities.md and its checks. Nothing here
# needs pydantic: the engine imports the codes.
#
# Sentences are templates (`sentences.py`): `{amount:trade token}`, `{terrain:, on *|, anywhere}`.

# What a count depends on: the cards and wonders held; the situation; a space; the tile of a space.
WITH_CARDS, ON_THE_SPOT, AT_A_SPACE, ON_THE_TILE = "with cards", "on the spot", "at a space", "on the tile"

# The contract of abilities: what is known at a moment, and where an effect asks for a condition. What a condition or a count
# needs is one of these; `contract.py` refuses what is asked where it is not known, and the engine passes on no more than this.
FACT_SPACE = "a space"  # beside which control tokens may be placed
FACT_TERRAIN = "the terrain of a space"
FACT_TYPE = "a focus type"  # of the card, wonder or city-state in question, one of several
FACT_ITS_TYPE = "its focus type"  # the same, also where it is the type of the ability's own card
FACT_TARGET = "a target"
FACT_OTHER = "another player"  # or city-state: the other side
FACT_TURN = "the player's own turn"
FACT_ATTACKS = "attacks of the player's own turn"

# How several abilities of an effect add up.
ADDED = "They are added up."
EACH = "Each of them acts."
LOWEST, HIGHEST = "The lowest number holds.", "The highest number holds."
ALL_OF_THEM = "What any of them allows is allowed."


@dataclass(frozen=True)
class Key:
    """A key of abilities beside `effect`, and its legal values."""

    kind: str  # number, switch, either (true, false, or not given), one or some of `words`, count, counts, text
    text: str = ""  # what it means, for docs
    words: tuple[Any, ...] = ()  # the legal words
    codes: tuple[Any, ...] = ()  # all words by their codes, or bits
    least: int = 0
    most: int = 0
    pattern: str = ""
    needed: bool = False
    default: Any = None
    absent: int = 0  # what the engine reads where the key is not given, or the effect has none

    def may_be(self, default: Any = None) -> Key:
        """Return the key for effects that need not give it."""
        return replace(self, needed=False, default=default)


Keys = Mapping[str, Key]


@dataclass(frozen=True)
class Effect:
    """What an ability does."""

    word: str
    noun: str  # what patch notes call it, or its amount
    meaning: str  # for docs
    says: str  # a template for its sentence, without moment and conditions
    keys: Keys
    deed: bool  # done at a moment; else it holds as long as its card is held
    only: str = ""  # the one file of the data whose entries may have it
    adds_up: bool = False  # its amounts add up to a number of the player
    does: str = ""  # what a replay says of a deed at the start of a turn; "": uses the card that it is named after
    together: str = ""  # how several of them act together, for docs
    knows: frozenset[str] = frozenset()  # of an effect that holds: what is known where it is asked for
    sets_off: tuple[str, ...] = ()  # of a deed: moments that it can bring about
    needs: str = ""  # of a deed: what its moment has to know
    is_due: bool = False  # of a deed: nobody would do it if it could be left, as at the start of a turn


@dataclass(frozen=True)
class Moment:
    """When a deed is done."""

    word: str
    says: str  # template for the beginning of a deed's sentence
    about: str  # when exactly, for docs
    knows: frozenset[str]  # what conditions may ask for, and counts
    targets: tuple[str, ...] = ()  # what the target can be
    only: str = ""  # the one file of the data whose entries may have it


@dataclass(frozen=True)
class Count:
    """What is counted for a player."""

    word: str
    says: str
    scope: str  # WITH_CARDS, ON_THE_SPOT, AT_A_SPACE or ON_THE_TILE
    needs: str = ""  # what has to be known, "" for nothing
    most: int = 0  # the highest number there can be, 0: none that is the same in every game
    least: int = 0  # the lowest number there can be
    about: str = ""  # what exactly is counted, for docs, where that is not plain


def number(least: int, most: int, text: str, *, absent: int = 0) -> Key:
    """Declare a key with a whole number."""
    return Key("number", text, least=least, most=most, needed=True, absent=absent)


def switch(text: str) -> Key:
    """Declare a key that is true or, if it is left out, false."""
    return Key("switch", text, default=False)


def either(text: str) -> Key:
    """Declare a key that is true, false, or left out for both."""
    return Key("either", text, codes=(False, True))


def one(codes: Iterable[str], text: str, *, of: Iterable[str] = (), absent: int = 0) -> Key:
    """Declare a key with one of the words `codes`, or of those in `of`."""
    return Key("one", text, tuple(of) or tuple(codes), tuple(codes), needed=True, absent=absent)


def some(codes: Iterable[Any], text: str, *, of: Iterable[Any] = (), least: int = 1, needed: bool = False) -> Key:
    """Declare a key with a list of at least `least` words; left out, it stands for all of them."""
    return Key("some", text, tuple(of) or tuple(codes), tuple(codes), least=least, needed=needed)


def written(pattern: str, text: str) -> Key:
    """Declare a key with a text."""
    return Key("text", text, pattern=pattern, needed=True)


# --- The words that abilities are written in
#
# An ability is a moment, conditions, an effect and an amount. Some effects are numbers that hold as long as their card is
# held: the engine keeps their sums (`simulator/engine/abilities.py`). Others are deeds, done at a moment.

# Words of Terra Incognita only; declarations add theirs.
TI_WORDS = {"fort", "caravan", "army", "growth"}
EFFECT: dict[str, Effect] = {}  # in the order of the codes, as the two that follow
MOMENT: dict[str, Moment] = {}
COUNT: dict[str, Count] = {}


# --- moments, things to count


# fmt: off
def _moment(word: str, says: str = "", about: str = "", knows: str = "", *, targets: tuple[str, ...] = (),
            only: str = "") -> int:
    """Declare a moment and return its code; `knows`: letters of FACTS."""
    facts = frozenset(FACTS[letter] for letter in knows)
    return enter(MOMENT, word, Moment(word, says, about, facts, targets, only))


FACTS = {
    "s": FACT_SPACE, "l": FACT_TERRAIN, "f": FACT_TYPE, "i": FACT_ITS_TYPE, "t": FACT_TARGET, "o": FACT_OTHER, "m": FACT_TURN,
    "a": FACT_ATTACKS,
}
VISITED, HELD_GROUND = ("city_state", "city", "capital"), ("token", "city", "capital", "caravan", "army")
HELD = _moment("held")  # no moment: for effects that hold
BUILT = _moment("built", "when it is built{terrain: on *}",
    "The world wonder has been built. The space is that of its city.", "slima",
    only="wonders")
START_OF_TURN = _moment("start_of_turn", "at the start of the turn",
    "The player's turn begins (B4.1). The player uses such abilities in any order, each once, or leaves them.", "m")
CARD_RESOLVED = _moment("card_resolved", "when a {type:* }card was resolved",
    "A focus card of the player was resolved, before its reset: each time, also when it is a second or an extra card.", "fima")
CARD_RESET = _moment("card_reset", "after the reset of a {type:* }card",
    "A focus card went back to the left of the row after it was resolved.", "fima")
ATTACK_WON = _moment("attack_won", "for each attack won{target: against *}{terrain: on *}",
    "An attack was won and what follows from it was done (B9.9). The space is the one attacked.", "sltoma",
    targets=names.TARGETS)
DEFENCE_WON = _moment("defence_won", "for each attack beaten off{target:, *}{terrain: on *}",
    "An attack of another player on a piece of the player was lost. The space is the one attacked.", "slto",
    targets=HELD_GROUND)
BARBARIAN_DEFEATED = _moment("barbarian_defeated", "for each barbarian defeated{terrain: on *}",
    "A barbarian was defeated by the player in an attack or by a district; by a caravan if the ruling "
    "`currency_counts_as_defeat` says so.", "slma")
CITY_BUILT = _moment("city_built", "for each city built{terrain: on *}",
    "A city was built, after the control tokens that its card places around it; not one that was taken or conquered.", "slma")
WONDER_BUILT = _moment("wonder_built", "for each world wonder built{type:, *}{terrain:, on *}",
    "A world wonder was built or given by a house rule. The space is that of its city.", "slfima")
ARRIVAL = _moment("arrival", "for each caravan that arrives{target: at a *}{type: of type *}{terrain:, on *}",
    "A caravan arrived at a city-state or in a rival city (B7.5), after what that pays. Only a city-state has a type: `type` "
    "goes with `target: [city_state]`.", "slfitoma", targets=VISITED)
TOKEN_PLACED = _moment("token_placed", "for each control token placed{terrain: on *}",
    "A control token was placed on an empty space by a card or an ability; not one that takes the place of a rival's.", "slma")
TRADE_ICON = _moment("trade_icon", "at the trade icon of the event dial",
    "The event dial shows trade and the player was paid for mature cities (B12.1), at the end of a round.")
# T11.3: or its card was taken through a won attack
BUILT_OR_CAPTURED = _moment("built_or_captured", "when it is built or captured{terrain: on *}",
    "The same as `built`, and when the wonder was captured by a won attack (T11.3).", "slima", only="wonders")
END_OF_TURN = _moment("end_of_turn", "at the end of the turn", "The player's card was resolved and reset.", "ma")
FIRST_TURN = _moment("first_turn", "at the start of the first turn",
    "The player's turn of round 1 begins, before `start_of_turn`. It is no choice: all of them act.")
ATTACK_LOST = _moment("attack_lost", "for each attack lost{target: against *}{terrain: on *}",
    "An attack of the player was lost.", "ltoma", targets=names.TARGETS)
DIAL_TURNED = _moment("dial_turned", "each time the technology dial is turned",
    "The player's technology dial was advanced, by any number of spaces, after the cards of its level spaces.", "ma")
END_OF_ROUND = _moment("end_of_round", "at the end of the round",
    "All players have had their turn, before victory is checked and the event dial turned; the first player comes first.")
# Losses are told when the card being resolved is finished, or the event dial has been turned: with what else waits until then.
CITY_LOST = _moment("city_lost", "for each own city lost{terrain: on *}",
    "A city of the player was destroyed, or taken by another player, who is the other player then. It comes when the card "
    "being resolved is finished, or the event dial has been turned.", "slo")
TOKEN_LOST = _moment("token_lost", "for each own control token lost{terrain: on *}",
    "A control token (or district) of the player was removed or replaced by another player, or destroyed by a barbarian. It "
    "comes with `city_lost`.", "slo")
CARAVAN_LOST = _moment("caravan_lost", "for each own caravan lost{terrain: on *}",
    "A caravan of the player was sent back to its card by a barbarian or another player. It comes with `city_lost`.", "slo")
ARMY_LOST = _moment("army_lost", "for each own army lost{terrain: on *}",
    "An army of the player was sent back to its card by a barbarian or another player; not one that lost its own attack "
    "(`attack_lost`). It comes with `city_lost`.", "slo")
# fmt: on
TI_WORDS |= {"army_lost"}
MOMENTS = tuple(MOMENT)
KNOWS_TARGET = sum(1 << code for code, moment in enumerate(MOMENT.values()) if FACT_TARGET in moment.knows)
# Further bits of a player's moments: an ability's amount has to be counted in each combat, for each wonder's cost.
ASKS_COMBAT, ASKS_COST = len(MOMENTS), len(MOMENTS) + 1


def _count(
    word: str,
    says: str,
    scope: str = ON_THE_SPOT,
    *,
    needs: str = "",
    most: int = 0,
    least: int = 0,
    about: str = "",
    ti: bool = False,
) -> int:
    """Declare what `per`, `if` and `unless` may count for the player, and return its code."""
    TI_WORDS.update({word} if ti else ())
    return enter(COUNT, word, Count(word, says, scope, needs, most, least, about))


NOTHING = _count("nothing", "", WITH_CARDS)
OWN_WONDERS = _count("own_wonders", "own world wonder", WITH_CARDS)
NEWEST_ERA = _count("newest_era", "era up to that of the newest own wonder", WITH_CARDS, most=3,
                    about="1 with an ancient one, 3 with a modern one")  # fmt: skip
WONDERS_OF_ITS_TYPE = _count("wonders_of_its_type", "own wonder of its type", WITH_CARDS, needs=FACT_ITS_TYPE)
CITY_STATE_CARD_OF_ITS_TYPE = _count(
    "city_state_card_of_its_type", "city-state's diplomacy card of its type", WITH_CARDS, needs=FACT_ITS_TYPE
)
CITIES = _count("cities", "own city", least=1)  # a capital is never lost
MATURE_CITIES = _count("mature_cities", "own mature city")
CITY_STATES = _count("conquered_city_states", "conquered city-state held")
NATURAL_WONDERS = _count("natural_wonders", "natural wonder held")
COASTAL_SPACES = _count("coastal_spaces", "own space next to water or at the map's edge")
CAPITALS_DEFEATED = _count("rival_capitals_defeated", "rival capital defeated")
REINFORCED_TOKENS = _count("reinforced_tokens", "own reinforced token on the map")
REINFORCED_LEAD = _count("reinforced_lead", "own reinforced token more than the other player's", needs=FACT_OTHER)
ATTACKS_WON = _count("attacks_won_this_turn", "attack won this turn", needs=FACT_ATTACKS, about="0 in the turns of others")
RESOURCE_TYPES = _count("resource_types", "type of resource held", most=len(names.RESOURCES), about="as resource tokens")
VICTORY_CARDS = _count("victory_cards", "victory card claimed")
CARDS_REPLACED = _count("cards_replaced_this_turn", "own focus card replaced this turn", needs=FACT_TURN,
                        about="by another one; 0 in the turns of others")  # fmt: skip
OWN_DISTRICTS = _count("own_districts", "own district on the map", most=5, ti=True)
OTHER_HAS_GIVEN_CARD = _count("other_has_given_card", "card of the leader that the other player has", needs=FACT_OTHER, most=1,
                              about="for leaders with a `given_card`")  # fmt: skip
CLAIMS_BEHIND = _count("claims_behind", "victory card claimed fewer than the rival with most")
CITIES_BEHIND = _count("cities_behind", "city fewer than the rival with most")
SPACES_BEHIND = _count("spaces_behind", "friendly space fewer than the rival with most")
CLAIMS_AHEAD = _count("claims_ahead", "victory card claimed more than any rival")
CITIES_AHEAD = _count("cities_ahead", "city more than any rival")
SPACES_AHEAD = _count("spaces_ahead", "friendly space more than any rival")
CARAVAN_BESIDE = _count("own_caravan_beside", "own caravan next to the defending space", AT_A_SPACE)
SETTLEMENT_NEAR = _count("settlement_near", "city-state token and own city within {within} of the defending space", AT_A_SPACE)
WATER_BESIDE = _count("water_beside", "water space next to the defending space", AT_A_SPACE)
OTHER_CITIES_ON_TILE = _count("other_cities_on_tile", "other city of anyone on its tile", ON_THE_TILE, needs=FACT_SPACE)
DIPLOMACY_CARDS = _count("diplomacy_cards", "diplomacy card held", WITH_CARDS, about="of players and city-states")
CARD_GIVERS = _count("card_givers", "player or city-state whose diplomacy card is held", WITH_CARDS)
RIVAL_CARD_GIVERS = _count("rival_card_givers", "rival whose diplomacy card is held", WITH_CARDS, most=names.MAX_PLAYERS - 1)
FRIENDLY_SPACES = _count("friendly_spaces", "friendly space", least=1)  # that of the capital
TOKENS_ON_MAP = _count("control_tokens_on_map", "own control token on the map", about="districts too")
RESOURCES_HELD = _count("resources_held", "resource or natural wonder token held")
TRADE_ON_CARDS = _count("trade_tokens_on_cards", "trade token on the own cards")
CARAVANS_OUT = _count("caravans_on_map", "own caravan on the map")
OWN_FORTS = _count("own_forts", "own fort", ti=True, about="with an own city on it")
DIAL_SPACE = _count("dial_space", "space that the technology dial has reached")
COUNTS = tuple(COUNT)


def _counts(*scopes: str) -> tuple[str, ...]:
    """Return the counts of these scopes."""
    return tuple(word for word, count in COUNT.items() if count.scope in scopes and word != "nothing")


def _bits(*scopes: str) -> int:
    """Return the codes of the counts of these scopes, as bits."""
    return sum(1 << code for code, count in enumerate(COUNT.values()) if count.scope in scopes)


COUNTED_BY_CARDS = _bits(WITH_CARDS)  # constant until a card changes hands
COUNTED_AT_A_SPACE = _bits(AT_A_SPACE, ON_THE_TILE)


# --- further words

SIDES = Words()
ATTACK = SIDES.add("attack", "attacking")
DEFEND = SIDES.add("defend", "defending")

# Purposes of a terrain's difficulty; everything but the others is a fight.
DOINGS = Words()
FIGHT = DOINGS.add("fight", "in combat")
MOVE_CARAVAN = DOINGS.add("move_caravan", "for caravans")
BUILD_CITY = DOINGS.add("build_city", "for cities")
TOKEN_BY_CARD = DOINGS.add("culture_or_industry_card", "placing control tokens with culture and industry cards")
TOKEN_BY_EFFECT = DOINGS.add("token_by_effect", "placing control tokens by other effects")
MOVE_ARMY = DOINGS.add("move_army", "for armies")
N_DOINGS = len(DOINGS)

# What distances may be counted through, by purpose.
THROUGH = Words()
THROUGH_ATTACK_WATER = THROUGH.add("attack_water", "attacks through water")
THROUGH_ATTACK_RIVALS = THROUGH.add("attack_rivals", "attacks through rival spaces")
THROUGH_ATTACK_BARBARIANS = THROUGH.add("attack_barbarians", "attacks through barbarians")
THROUGH_CITY_WATER = THROUGH.add("city_water", "cities through water")
THROUGH_CARAVAN_WATER = THROUGH.add("caravan_water", "caravans through water")
THROUGH_CARAVAN_BARBARIANS = THROUGH.add("caravan_barbarians", "caravans onto barbarians, which removes them")
THROUGH_ARMY_WATER = THROUGH.add("army_water", "armies through water")
THROUGH_ARMY_TOKENS = THROUGH.add("army_tokens", "armies through rival control tokens")
TI_WORDS |= {"move_army", "army_water", "army_tokens"}

# Whose control tokens count for the maturity of own cities.
WHOSE = Words()
RIVALS = WHOSE.add("rivals", "rival control tokens")
GIVER = WHOSE.add("giver", "the control tokens of the giver")

# Where the arrival of a unique card's caravan pays, as bits.
ARRIVAL_CITY_STATE, ARRIVAL_RIVAL_CITY, ARRIVAL_IBRAHIM = 1, 2, 4

# Beside what control tokens are placed, or turned.
BESIDE = Words()
BESIDE_CITY = BESIDE.add("friendly_city", "friendly cities")
BESIDE_FRIENDLY = BESIDE.add("friendly_space", "friendly spaces")
BESIDE_THAT = BESIDE.add("that_space", "that space")
BESIDE_ANYTHING = BESIDE.add("anything", "")

# What a player may be forbidden to do, as bits; attacks: `spares`.
FORBIDDEN = Words()
FORBIDDEN_CITIES = FORBIDDEN.add("cities", "building cities")
FORBIDDEN_WONDERS = FORBIDDEN.add("wonders", "building world wonders")
FORBIDDEN_CARAVANS = FORBIDDEN.add("caravans", "moving caravans")

# Whose moment a deed waits for.
WAITERS = Words()
OWN_MOMENT = WAITERS.add("holder", "")
GIVERS_MOMENT = WAITERS.add("giver", "of the giver's")

NO_LIMIT = 99  # of the difficulty of spaces: no slot is named

# Whether an ability of a diplomacy card acts against its giver.
GIVERS = Words()
ANY_GIVER = GIVERS.add("any", "")
GIVER_ONLY = GIVERS.add("only", ", of the giver only")
GIVER_NEVER = GIVERS.add("never", ", not against the giver")
# The giver of a diplomacy card is a seat, or this plus a city-state; leaders and wonders have none.
NO_GIVER = -1
CITY_STATE_GIVER = 16


# --- keys of abilities


def _amount(least: int, most: int, text: str) -> Key:
    return number(least, most, text, absent=1)


def _limit(least: int, most: int, text: str) -> Key:
    return number(least, most, text, absent=NO_LIMIT)


CHANGE = _amount(-20, 20, "what is added (below 0: taken off)")
AMOUNT = _amount(0, 20, "how many")
EASE = _amount(0, 9, "the difficulty they have at most")
LAND = tuple(word for word in names.TERRAINS if word not in ("water", "fort"))
TERRAIN = some(names.TERRAINS, "terrains of the space; all if not given", of=LAND)
OF_TERRAIN = some(names.TERRAINS, "terrains of the space", of=LAND, needed=True)
TARGET = some(names.TARGETS, "what is attacked, or visited; all if not given")
SIDE = some(SIDES, "in attack, in defence; both if not given")
COASTAL = either("true: only next to water or at the map's edge; false: only elsewhere")
DOING = some(DOINGS, "for what the difficulty is asked; everything if not given")
CARDS = some(names.FOCUS_TYPES, "focus types; all if not given")
WONDERS = some(names.FOCUS_TYPES, "types of the wonders; all if not given", of=names.FOCUS_TYPES[: names.GROWTH])
ERAS = some(names.ERAS, "their eras; all if not given")
SLOTS = some(range(6), "slot numbers of the cards; all if not given", of=range(1, 6))
ROUNDS = {  # keys of every effect
    "from_round": number(1, 99, "not before this round").may_be(),
    "until_round": number(1, 99, "not after this round").may_be(),
}
FROM_GIVER = one(GIVERS, "diplomacy cards: only or never where the giver is the other side", of=("only", "never")).may_be()
OF_GIVER = one(WHOSE, "of who gave the diplomacy card", of=("giver",))


def _conditions(per: tuple[str, ...], when: tuple[str, ...]) -> dict[str, Key]:
    """Return the keys that make an ability depend on counts: `per` of these, `if` and `unless` of `when`."""
    return {
        "if": Key("counts", "only while the player has at least so many: `{cities: 3}`", when, COUNTS),
        "unless": Key("counts", "not once the player has so many", when, COUNTS),
        "per": Key("count", "the amount counts once for each of these", per, COUNTS),
    }


def _asking(keys: Keys, knows: frozenset[str]) -> dict[str, Key]:
    """Return the keys of an effect that holds, without counts that need what is not known where it is asked for."""
    counting = ("count", "counts")
    words = {name: tuple(word for word in key.words if COUNT[word].needs in ("", *knows)) for name, key in keys.items()
             if key.kind in counting}  # fmt: skip
    return {name: replace(key, words=words[name]) if name in words else key for name, key in keys.items()}


ANYTHING = _counts(WITH_CARDS, ON_THE_SPOT)
BY_CARDS = _conditions(_counts(WITH_CARDS), _counts(WITH_CARDS))
WHILE_CARDS = {key: BY_CARDS[key] for key in ("if", "unless")}  # of what is no sum
BY_ANYTHING = _conditions(ANYTHING, ANYTHING)
IN_COMBAT = _conditions(_counts(WITH_CARDS, ON_THE_SPOT, AT_A_SPACE), ANYTHING)
OF_DEEDS = {
    **_conditions(ANYTHING, _counts(WITH_CARDS, ON_THE_SPOT, ON_THE_TILE)),
    "moment": one(MOMENTS, "when", of=MOMENTS[1:]),
    "terrain": TERRAIN,
    "target": TARGET,
    "type": CARDS,
    "giver": FROM_GIVER,
    "by": one(
        WAITERS, "diplomacy cards of players: the moment is that of who gave the card; the own one if not given", of=("giver",)
    ).may_be(),
    "once": switch("once a turn only, for each holder and each card that has it"),
}


def _effect(word: str, noun: str, meaning: str, says: str, keys: Keys, *, ti: bool = False, **more: Any) -> int:
    """Declare an effect and return its code."""
    TI_WORDS.update({word} if ti else ())
    keys = {name: key for name, key in keys.items() if name != "per" or "amount" in keys}  # it multiplies the amount
    return enter(EFFECT, word, Effect(word, noun, meaning, says, {**keys, **ROUNDS}, **more))


def _holds(word: str, noun: str, meaning: str, says: str, by: Keys | None = None, *, only: str = "", ti: bool = False,
           together: str = "", knows: str = "", **keys: Key) -> int:  # fmt: skip
    """Declare an effect that holds as long as its card is held; `by`: the conditions it may have, `knows`: letters of FACTS."""
    facts = frozenset(FACTS[letter] for letter in knows)
    return _effect(word, noun, meaning, says, {**_asking(by or {}, facts), **keys}, deed=False, only=only, ti=ti,
                   together=together, knows=facts)  # fmt: skip


def _more(word: str, noun: str, meaning: str, what: str, amount: Key = AMOUNT) -> int:
    """Declare an effect that holds and whose amounts add up over a player's abilities; `what` they add to, for its sentence."""
    keys = {**_asking(BY_CARDS, frozenset()), "amount": amount}
    return _effect(word, noun, meaning, f"{what}: {{amount:+d}}", keys, deed=False, adds_up=True, together=ADDED)


def _deed(word: str, noun: str, meaning: str, says: str, *, ti: bool = False, does: str = "", sets_off: tuple[str, ...] = (),
          needs: str = "", is_due: bool = False, **keys: Key) -> int:  # fmt: skip
    """Declare an effect that is done at a moment; `sets_off`: the moments that it can bring about."""
    return _effect(word, noun, meaning, says, {**OF_DEEDS, **keys}, deed=True, ti=ti, does=does, sets_off=sets_off,
                   needs=needs, is_due=is_due)  # fmt: skip


# One declaration to two or three lines; formatted, each would be ten.
# fmt: off
# --- effects that hold as long as their card is held

COMBAT = _holds("combat", "combat bonus", "A bonus to the player's total in combat (B9.5, B9.6).",
    "combat {amount:+d} {when:*|attacking and defending}{terrain:, if the {combat_space} is *}{target:, if the target is *}",
    IN_COMBAT, amount=CHANGE, when=SIDE, terrain=TERRAIN, target=TARGET,
    within=number(0, 9, "distance for `settlement_near`").may_be(0), giver=FROM_GIVER, together=ADDED,
    knows="sltoma")
REINFORCED_WORTH = _more("reinforced_worth", "defence that each reinforced token adds",
    "Each of the player's reinforced tokens that counts in defence gives so much more (B9.6).",
    "defence for each own reinforced token that counts", CHANGE)
WONDER_COST = _holds("wonder_cost", "change in the cost of world wonders",
    "Changes the cost of the world wonders that the player builds (B8.5).",
    "cost of {era:* }{type:* }world wonders: {amount:+d}", BY_ANYTHING, amount=CHANGE, type=WONDERS, era=ERAS,
    together=ADDED, knows="ima")
PRODUCTION = _more("production", "production added for world wonders",
    "More production for world wonders, whatever the slot (B8.5).", "production for world wonders",
    CHANGE)
_GROUND = (
    "in the own turn, difficulty of {terrain:&|all terrains}"
    "{coastal: next to water or at the map's edge| away from water and edge}{doing: &}: "
)
DIFFICULTY = _holds("difficulty", "difficulty of terrain, at most",
    "In the player's turn, terrains are no harder than this (B1.1).",
    _GROUND + "at most {amount}", WHILE_CARDS, amount=EASE, terrain=TERRAIN, coastal=COASTAL, doing=DOING, together=LOWEST)
DIFFICULTY_CHANGE = _holds("difficulty_change", "change in the difficulty of terrain",
    "In the player's turn, terrains are harder or easier by this, after every `difficulty` (B1.1).", _GROUND + "{amount:+d}",
    BY_CARDS, amount=CHANGE, terrain=TERRAIN, coastal=COASTAL, doing=DOING, together=ADDED)
CULTURE_TOKENS = _more("culture_tokens", "control tokens added to culture cards",
    "More control tokens of every culture card (B5.1).",
    "control tokens of a culture card")
DIAL_SPACES = _more("dial_spaces", "spaces added to science cards", "More spaces of the dial with every science card (B6.1).",
    "spaces of the dial with a science card")
CARAVAN_STEPS = _more("caravan_steps", "steps added to each caravan",
    "More steps for each caravan of an economy card (B7.2).", "steps of each caravan")
SHARED_CARAVAN_STEPS = _more("shared_caravan_steps", "steps added to all caravans together",
    "More steps for all caravans of an economy card together (Colossus).",
    "steps for all caravans of an economy card together")
CITY_RANGE = _more("city_range", "distance added for new cities",
    "Cities may be built farther away (B8.1).", "distance of new cities")
ATTACK_RANGE = _more("attack_range", "distance added to attacks",
    "Targets may be farther away (B9.2); in Terra Incognita armies move farther (T5.2).",
    "distance of attacks")
ATTACKS = _more("attacks", "attacks added to military cards",
    "More attacks with a military card (B9.2).", "attacks of a military card")
REINFORCEMENTS = _more("reinforcements", "tokens added when reinforcing",
    "More tokens turned when a military card reinforces (B9.1).",
    "tokens turned when reinforcing")
ATTACK_ANYWHERE = _holds("attack_anywhere", "attacks at any distance",
    "Targets at any distance; in Terra Incognita armies move any distance (Pentagon).",
    "attacks (Terra Incognita: moves of armies) at any distance", together=ALL_OF_THEM)
COUNT_THROUGH = _holds("count_through", "distances counted through obstacles",
    "Distances may be counted through what stops others (B7.3, B8.2, B9.3, T5.2).",
    "distances may be counted: {through:&|&}",
    through=some(THROUGH, "by attacks, cities, caravans or armies, through what", needed=True), together=ALL_OF_THEM)
CARAVANS_FROM_ANY_CITY = _holds("caravans_from_any_city", "caravans from any city",
    "Caravans on the card set out from any own city (Rome).",
    "caravans leave the card from any own city", together=ALL_OF_THEM)
MATURES_WITH = _holds("matures_with", "maturity with the tokens of others",
    "Other players' control tokens count for the maturity of own cities (Sydney Opera House, Open Borders).",
    "{whose} count for the maturity of own cities", whose=one(WHOSE, "all rivals', or those of who gave the diplomacy card"),
    together=ALL_OF_THEM)
TOKENS_WITHOUT_CITY = _holds("tokens_without_city", "control tokens without a city beside them",
    "Control tokens may be placed on empty spaces of these terrains without a city beside them (Chichen Itza).",
    "control tokens may be placed on any empty {terrain:*}, without a city beside it", terrain=OF_TERRAIN, together=ALL_OF_THEM)
CHAIN_TOKENS = _holds("chain_tokens", "chains of control tokens",
    "A control token placed on these terrains may be followed by others beside it there, again and again (Stonehenge).",
    "a control token placed on {terrain:*} may be followed by one on adjacent {terrain:*}, and so on", terrain=OF_TERRAIN,
    together=ALL_OF_THEM)
EDGE_CITIES = _holds("edge_cities", "distance counted to spaces at the map's edge",
    "For a city, empty spaces at the map's edge are only so far away (Great Lighthouse).",
    "for a city, empty spaces at the map's edge are {amount} away", amount=_amount(1, 20, "their distance"), together=LOWEST)
ACTS_AS_SLOT = _holds("acts_as_slot", "slot that its cards act as",
    "Cards in these slots are resolved as from another slot (Machu Picchu).",
    "{type:* cards|cards} in {slots:slot *|any slot} are resolved as from slot {amount}",
    amount=_amount(1, 5, "the slot number they act with"), slots=SLOTS, type=CARDS,
    together="Of those that name a card's slot the highest number holds.")
SLOT_SHIFT = _holds("slot_shift", "bonus to the slot of its cards",
    "Cards act with a slot number higher by this, after every `acts_as_slot`; no more than the row's last.",
    "{type:* cards|cards} in {slots:slot *|any slot}: slot number {amount:+d}", BY_CARDS, amount=CHANGE, slots=SLOTS,
    type=CARDS, together=ADDED, knows="i")
TRADE_BANK = _holds("trade_bank", "trade tokens that it stores",
    "Holds trade tokens; at the start of the turn they may be put on own cards (Great Zimbabwe). One ability of a ruleset.",
    "stores up to {amount:trade token}, moved to the own cards at the start of the turn", amount=AMOUNT,
    together="There is one in a ruleset.")
EXTRA_CARD = _holds("extra_card", "extra card resolved",
    "With a card of another type, the card of this type may be resolved and reset as well (Estadio do Maracana).",
    "with another card the {card} card may be resolved and reset as well",
    card=one(names.FOCUS_TYPES, "type of the card that may be resolved, too", absent=-1),
    together="Each type that is named gives an extra card.")
REPEAT_CARD = _holds("repeat_card", "slot that the repeated card acts as",
    "A card in these slots may be resolved once more, once a turn (Venetian Arsenal).",
    "a card in {slots:slot *|any slot} may be resolved once more as from slot {amount}, once a turn",
    amount=_amount(1, 5, "the slot number it has the second time"), slots=SLOTS,
    together="For each slot the highest number holds; still one card a turn is repeated.")
ANY_TYPE_UPGRADE = _holds("any_type_upgrade", "new cards of any type",
    "A card gained for a card of these types may be of any type (Oxford University).",
    "a card gained for a {type:*|card} may be of any type", type=CARDS, together=ALL_OF_THEM)
DIPLOMACY_LIMIT = _holds("diplomacy_limit", "diplomacy cards held from one player, at most",
    "So many diplomacy cards of each player may be held (Potala Palace).",
    "up to {amount:player diplomacy card} may be held from each player", amount=AMOUNT, together=HIGHEST)
BARBARIANS_BARRED = _holds("barbarians_barred", "barbarians kept out",
    "Barbarians do not enter own cities and own reinforced tokens (Petra).",
    "no barbarian enters own cities or own reinforced tokens", together=ALL_OF_THEM)
ROOSEVELT_COROLLARY = _holds("roosevelt_corollary", "natural wonder tokens on focus cards",
    "Natural wonder tokens lie on focus cards and pay there as trade token or resource (America).",
    "natural wonder tokens lie on focus cards and pay there as a trade token or as their resource", together=ALL_OF_THEM)
DISTRICT_WATER = _holds("district_water", "districts that use water",
    "For the effects of own districts, water next to any of them is friendly and of every terrain (Netherlands).",
    "for the effects of own districts, water next to any of them is friendly and of every terrain", ti=True,
    together=ALL_OF_THEM)
WATERSIDE_CITIES = _holds("waterside_cities", "difficulty of land next to water for cities, at most",
    "For cities, land next to water is no harder than this, also where their distance is counted (Auckland).",
    "for cities, difficulty of land next to water: at most {amount}", amount=EASE, together=LOWEST)
SHARED_LAND = _holds("shared_land", "the giver's land counted as own",
    "Another player's cities and control tokens count as the player's own for district effects and maturity (Open Borders).",
    "the giver's cities and control tokens count as own for district effects and maturity", whose=OF_GIVER,
    together=ALL_OF_THEM)
NON_AGGRESSION = _holds("non_aggression", "peace with the giver",
    "Neither attacks nor destroys or replaces another player's pieces. If that player strikes at a piece of the holder, the "
    "card may be given back: then the military card and another one of the row change places (Non-Aggression Pact).",
    "no attacks on the giver's pieces, none destroyed or replaced; if the giver strikes, the card may be given back and the "
    "military card change places with another of the row", ti=True, whose=OF_GIVER, together=ALL_OF_THEM)
RESOURCES_AS_TRADE = _holds("resources_as_trade", "resources spent as trade tokens",
    "Resource tokens may be spent as trade tokens of the card that the player is resolving (Palenque).",
    "resource tokens may be spent as trade tokens of the card being resolved", together=ALL_OF_THEM)
COMBAT_PER_RESOURCE = _holds("combat_per_resource", "combat bonus of each resource spent",
    "In combat, resource tokens may be spent for so much each (Jebel Barkal).",
    "each resource token spent in combat: {amount:+d}", ti=True, amount=AMOUNT, together=ADDED)
CITY_STATE_AS_CITY = _holds("city_state_as_city", "the city-state as an own city",
    "In the player's turn, the city-state is an own city in which no army may stay (Antananarivo).",
    "the city-state is an own city in the own turn, but no army may stay there", only="city_states", together=ALL_OF_THEM)
CONQUERS_VISITED = _holds("conquers_visited", "city-states conquered by caravans",
    "A city-state at which a caravan has arrived may be conquered (Orszaghaz).",
    "a city-state where a caravan has arrived may be conquered", together=ALL_OF_THEM)
LEARNS_FROM_VISITED = _holds("learns_from_visited", "cards learned from rivals",
    "Where a caravan has arrived in a rival city, a card may be replaced by one of its type with the level of a card of that "
    "type in the rival's row (Great Library).",
    "where a caravan arrives in a rival city, a card may be replaced by one of the type and level of a card of that rival",
    together=ALL_OF_THEM)
TOKENS_OF_TAKEN_CITIES = _holds("tokens_of_taken_cities", "tokens taken along with a city",
    "Before the player replaces a rival city, rival control tokens next to it are replaced, too (Statue of Liberty).",
    "before a rival city is replaced, rival control tokens next to it are replaced, too", together=ALL_OF_THEM)
FOUNDS_CITY = _holds("founds_city", "control tokens next to its city",
    "The world wonder is built with a new city for it, on a legal space at the map's edge (Amundsen-Scott).",
    "is built with a new city for it at the map's edge, and up to {amount:control token} next to that", only="wonders",
    amount=_amount(0, 6, "control tokens placed next to the city"), together="A wonder has one such ability.")
FOLLOWING_TOKEN = _holds("following_token", "control tokens that follow another",
    "A control token placed on these terrains may be followed by one beside it, on any land (Inca).",
    "a control token placed on {terrain:*|any land} may be followed by one beside it, on any land", terrain=OF_TERRAIN,
    together=ALL_OF_THEM)
EDGE_WATER_LINKED = _holds("edge_water_linked", "water linked at the map's edge",
    "For caravans, all water spaces at the map's edge lie side by side (Indonesia).",
    "for caravans, all water spaces at the map's edge lie side by side", together=ALL_OF_THEM)

SPARES = _holds("spares", "ban on attacks",
    "The player may not attack these (B9.2, T5.6).", "no attacks on {target:*|anything}", BY_CARDS,
    target=TARGET, together="What any of them spares is spared.")
FORBIDS = _holds("forbids", "ban",
    "The player may not do this: build cities with cards and abilities, build world wonders, move caravans (B7, B8). Cities "
    "may still be taken and conquered; attacks are forbidden by `spares`.", "forbidden: {what:&|&}", BY_CARDS,
    what=some(FORBIDDEN, "what is forbidden", needed=True), together="What any of them forbids is forbidden.")


# --- deeds: effects that are done at a moment

TRADE_TOKENS = _deed("trade_tokens", "trade tokens", "Gain trade tokens (B13).",
    "{amount:trade token}{for_giver: for the giver}{giver_places:, who chooses the card,} {card:on *|on any own cards}",
    amount=AMOUNT, card=one(names.FOCUS_TYPES, "card they go on; any own card if not given", absent=-1).may_be(),
    for_giver=switch("the giver of the diplomacy card gains them instead"),
    giver_places=switch("with `for_giver`: the giver chooses the card they go on"), does="gains trade tokens")
RESOURCES = _deed("resources", "resources", "Gain resources from the supply.",
    "{amount:resource} {resource:*|of choice}{new_type: of a type not held}", amount=AMOUNT,
    resource=one(names.RESOURCES, "which; of the player's choice if not given", absent=-1).may_be(),
    new_type=switch("only of a type not held"), does="gains resources")
CONTROL_TOKENS = _deed("control_tokens", "control tokens", "Place control tokens.",
    "up to {amount:control token} next to {next_to}, {limit:difficulty at most *|any land}{on_terrain:, on * only}"
    "{reinforced:, reinforced side up}",
    amount=AMOUNT, on_terrain=some(names.TERRAINS, "terrains they are placed on; any if not given", of=LAND),
    limit=_limit(0, 9, "highest difficulty of their spaces; any land if not given").may_be(),
    reinforced=switch("with their reinforced side up"),
    next_to=one(BESIDE, "beside what; `that_space` is the space of the moment",
                of=("friendly_city", "friendly_space", "that_space")).may_be("friendly_city"), sets_off=("token_placed",))
REINFORCE = _deed("reinforce", "control tokens reinforced", "Turn own control tokens to their reinforced side.",
    "up to {amount:own control token}{next_to: next to *} reinforced", amount=AMOUNT,
    next_to=one(BESIDE, "tokens beside what", of=("friendly_city", "anything")).may_be("anything"),
    does="reinforces control tokens")
ADVANCE_DIAL = _deed("advance_dial", "spaces that the dial advances",
    "Advance the technology dial; level spaces pay (B6.2).", "the dial advances by {amount}",
    amount=AMOUNT, does="advances the technology dial", sets_off=("dial_turned",))
SWAP_CARDS = _deed("swap_cards", "swaps of cards", "Two cards of the row may change places (Oracle, Aztec).",
    "{adjacent:neighbouring|two} {among:& }cards of the row may change places{amount:, * times|}",
    amount=_amount(0, 20, "how many times").may_be(1), adjacent=switch("neighbouring cards only"),
    among=some(names.FOCUS_TYPES, "types of the cards that may change places; all if not given", least=2))
REMOVE_RIVAL_TOKENS = _deed("remove_rival_tokens", "rival control tokens removed",
    "Remove rival control tokens next to friendly spaces (Forbidden City).",
    "removes up to {amount} rival control tokens next to friendly spaces", amount=AMOUNT)
CONVERT_TOKEN = _deed("convert_token", "rival control tokens named",
    "Name control tokens of one rival, who replaces some of them by the player's (Eiffel Tower).",
    "names {amount} control tokens of one rival, who replaces {limit} of them by the owner's, unreinforced",
    amount=_amount(1, 2, "tokens named"), limit=_limit(1, 2, "of these, tokens replaced").may_be(1))
PUSH_BARBARIAN = _deed("push_barbarian", "barbarians pushed away", "Move a barbarian to an adjacent empty land space (Seoul).",
    "{amount} barbarian may be moved to an adjacent empty land space", amount=AMOUNT)
SWAP_DIPLOMACY = _deed("swap_diplomacy", "diplomacy cards exchanged",
    "Change a diplomacy card held from a player for another of that player (Geneva).",
    "{amount} diplomacy card held from a player may be changed for another of that player", amount=AMOUNT)
UPGRADE_CARDS = _deed("upgrade_cards", "cards upgraded", "Cards of one level become cards of another (Pyramids).",
    "up to {amount} cards of level {from_level} become level {limit}", amount=AMOUNT,
    from_level=number(1, names.N_LEVELS, "level of the cards replaced"),
    limit=_limit(1, names.N_LEVELS, "level of the new cards"), does="takes better focus cards")
RAISE_CARDS = _deed("raise_cards", "cards raised", "Cards rise by levels, each card once (Porcelain Tower).",
    "up to {amount} cards go up by {limit} level", amount=AMOUNT,
    limit=_limit(1, names.N_LEVELS, "by how many levels").may_be(1), does="raises focus cards")
TAKE_DIPLOMACY = _deed("take_diplomacy", "diplomacy cards taken",
    "Take diplomacy cards of players of own choice (Potala Palace).",
    "take up to {amount} player diplomacy cards", amount=AMOUNT, does="takes diplomacy cards")
RESOLVE_DISTRICT = _deed("resolve_district", "own districts resolved",
    "Resolve own districts, each once (Nubia).", "{amount} own district is resolved",
    ti=True, amount=AMOUNT, does="uses a district", sets_off=("token_placed", "city_built", "barbarian_defeated"))
TAKE_CITY = _deed("take_city", "rival cities taken",
    "Replace rival cities, no capitals, without an army on them by own unused cities (Cristo Redentor).",
    "{amount:rival city} within {within} replaced by an own one, if no capital and no army is there", amount=AMOUNT,
    within=number(1, 9, "steps from the wonder, or from own cities where there is none"), does="takes a rival city")
EXPLORE = _deed("explore", "tiles explored", "Explore from any space at a tile's edge (Apadana).",
    "explores {amount:time} from the edge of any tile{limit:, then up to {limit:control token} on empty spaces of the new "
    "tile||}", ti=True, amount=AMOUNT,
    limit=_limit(0, 9, "control tokens then placed on empty spaces of the new tile").may_be(0), does="explores",
    sets_off=("token_placed",))
GIVE_CARD = _deed("give_card", "the leader's card given away",
    "Give the card that the leader has beside its abilities (`given_card: {name: …, abilities: […]}`) to another player, who "
    "has what it does from then on (Ottoman).", "the leader's card may be given to another player",
    does="may give Ibrahim to another player")
ALLIANCE = _deed("alliance", "diplomacy cards taken from the ally",
    "Choose a player, take so many of its diplomacy cards, and may hold any number of them from then on (Poland).",
    "take {amount} diplomacy card of a chosen player, of whom any number may be held", amount=AMOUNT, does="makes an alliance")
OWN_FUNCTION = _deed("own_function", "number handed to the function",
    "Calls a compiled function of your own, which may do anything through the engine's functions.",
    "calls {function} with {amount}",
    function=written(r"^[A-Za-z_][\w.]*:[A-Za-z_]\w*$", "module:name; the module lies where the command is given"),
    amount=_amount(-99, 99, "a number that is handed to it").may_be(1),
    worth=number(0, 20, "what the planner takes it for, in trade tokens").may_be(1),
    digest=written("", "of its file: written by the program").may_be(), does="uses an ability", sets_off=MOMENTS[1:])
STEAL_TRADE_TOKENS = _deed("steal_trade_tokens", "trade tokens stolen",
    "Take trade tokens from the cards of the other player onto own cards, as far as there are any (as of a beaten capital, "
    "B9.9).",
    "up to {amount:trade token} taken from that player", amount=AMOUNT, needs=FACT_OTHER, does="takes a rival's trade tokens")
PAY_TRADE_TOKENS = _deed("pay_trade_tokens", "trade tokens given up",
    "Give up trade tokens from own cards, of own choice and as far as there are any: a tribute.",
    "{amount:trade token} given up, as far as there are any", amount=AMOUNT, is_due=True, does="gives up trade tokens")
# fmt: on

EFFECTS = tuple(EFFECT)
IS_DEED = tuple(effect.deed for effect in EFFECT.values())
ADDS_UP = tuple(effect.adds_up for effect in EFFECT.values())
# Size of a player's numbers by effect: one (or a table, or a set of bits) for each effect that holds.
N_POWERS = len(EFFECTS) - IS_DEED[::-1].index(False)


# --- the columns of an ability in the RULES record


def _columns() -> dict[str, Key]:
    """Return the keys of abilities by name; a key has the same kind and codes in every effect."""
    keys: dict[str, Key] = {}
    for effect in EFFECT.values():
        for name, key in effect.keys.items():
            first = keys.setdefault(name, key)
            if (first.kind, first.codes, first.absent) != (key.kind, key.codes, key.absent):
                raise ValueError(f"{effect.word}: '{name}' is another thing in other effects")
    return keys


KEYS = _columns()
COLUMNS = (
    "effect",
    *(name for name, key in KEYS.items() if key.kind != "text"),
    *(f"{name}_least" for name, key in KEYS.items() if key.kind == "counts"),
    "function",  # number of a user's function in the RULES record, -1 = none
    "source",  # its name in the turn log (sources.SOURCES)
    "own",  # 1 = house rules gave it to its card
)

# Once-a-turn effects (STATE.used_this_turn).
(
    USED_EXTRA_CARD,
    USED_REPEAT,
    USED_SECOND_MOVE,
    USED_ARRIVAL_CITY,
    USED_SECOND_START,
    USED_SECOND_CARD,
) = range(6)
N_USED = 6
