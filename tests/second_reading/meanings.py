"""What each word of an ability means, in plain Python: written from docs/abilities.md, the rules and the printed data alone.

Begin with `deeds`: what the abilities in force of a seat should do at a moment. `numbers` says what those come to that hold
while their card is held, `combat` what a fight adds. Nothing here knows the contract of the words (simulator/rules) or the
engine: where both agree, two readings of the page agree.

A condition that a moment cannot answer never holds: an ability that has one never acts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from content import EXPANSION, Ability, printed
from pieces_out import ERAS, RESOURCES, TARGETS, TERRAINS, TYPES, Source, Table

# --- What a moment is about


@dataclass(frozen=True)
class Moment:
    """Something that happens to a seat; None is what it is not about."""

    word: str
    seat: int
    space: int | None = None
    target: str | None = None
    type: str | None = None
    other: int | None = None


# What each moment can answer, beside whose it is.
KNOWN = {
    "built": ("space", "type"),
    "built_or_captured": ("space", "type"),
    "start_of_turn": (),
    "first_turn": (),
    "card_resolved": ("type",),
    "card_reset": ("type",),
    "attack_won": ("space", "target", "other"),
    "attack_lost": ("space", "target", "other"),
    "defence_won": ("space", "target", "other"),
    "barbarian_defeated": ("space",),
    "city_built": ("space",),
    "wonder_built": ("space", "type"),
    "arrival": ("space", "target", "type", "other"),  # the type of a city-state
    "token_placed": ("space",),
    "trade_icon": (),
    "end_of_turn": (),
    "dial_turned": (),
    "end_of_round": (),
    "city_lost": ("space", "other"),
    "token_lost": ("space", "other"),
    "caravan_lost": ("space", "other"),
    "army_lost": ("space", "other"),
    # no moments of deeds, but what effects that hold are asked for
    "held": (),
    "wonder": ("type",),
    "resolve": ("type",),
    "combat": ("space", "target", "other"),
}


def as_known(moment: Moment) -> Moment:
    """Return the moment with what it can answer only."""
    known = KNOWN[moment.word]
    return Moment(moment.word, moment.seat, **{key: getattr(moment, key) for key in known})


# --- Counts, for `per`, `if` and `unless`


def count(t: Table, p: int, what: str, at: Moment, ability: Ability) -> int | None:
    """Return how many there are of what a word counts for the seat; None if the moment cannot say.

    Where it can, but there is no other player (a barbarian) or no type (an arrival in a rival city), there are none.
    """
    if what in ("wonders_of_its_type", "city_state_card_of_its_type"):
        none = 0 if "type" in KNOWN[at.word] else None
        return none if at.type is None else OF_A_TYPE[what](t, p, at.type)
    if what in ("reinforced_lead", "other_has_given_card"):
        none = 0 if "other" in KNOWN[at.word] else None
        return none if not isinstance(at.other, int) else OF_ANOTHER[what](t, p, at.other)
    if what in ("own_caravan_beside", "settlement_near", "water_beside", "other_cities_on_tile"):
        return None if at.space is None else OF_A_SPACE[what](t, p, at.space, ability)
    return COUNTS[what](t, p)


def _wonders(t: Table, p: int) -> list[dict[str, Any]]:
    return [t.content.entries["wonder"][name] for name in t.wonders(p)]


def _city_state_cards(t: Table, p: int, kind: str) -> int:
    states = (t.content.entries["city_state"][source.name] for source in t.sources(p) if source.kind == "city_state")
    return sum(state["type"] == kind for state in states)


def _settlements(t: Table, p: int, s: int, ability: Ability) -> int:
    """Carthage: each city-state token on the map and each own city within so many steps."""
    near = t.within(s, ability.get("within", 0))
    if t.content.rulings.get("carthage_defended_space") == "does_not_count":
        near -= {s}
    states = sum(t["city_state_owner"][i] == -1 and t["city_state_space"][i] in near for i in range(len(t.words.city_state)))
    if t.content.rulings.get("carthage_tokens") == "won_anywhere":
        states = t["city_state_owner"].count(p)
    return states + sum(x in near for x in t.cities(p) if x not in t.lent())


def _caravans(t: Table, p: int, s: int) -> int:
    return sum(x in t.near(s) for x in t["caravan"][p] if x >= 0)


def _cities_on_tile(t: Table, s: int) -> int:
    tile = t["tile"][s]
    return sum(t.is_city(x) and t["tile"][x] == tile and x != s for x in t.spaces)


OF_A_TYPE = {
    "wonders_of_its_type": lambda t, p, kind: sum(wonder["type"] == kind for wonder in _wonders(t, p)),
    "city_state_card_of_its_type": _city_state_cards,
}
OF_ANOTHER = {
    "reinforced_lead": lambda t, p, q: max(0, t.reinforced(p) - t.reinforced(q)),
    "other_has_given_card": lambda t, p, q: int(t["given_card"][p] == q),
}
OF_A_SPACE = {
    "own_caravan_beside": lambda t, p, s, _: _caravans(t, p, s),
    "settlement_near": _settlements,
    "water_beside": lambda t, p, s, _: sum(t.terrain(x) == "water" for x in t.near(s)),
    "other_cities_on_tile": lambda t, p, s, _: _cities_on_tile(t, s),
}


def _diplomacy(t: Table, p: int) -> list[Source]:
    """The diplomacy cards of players and city-states that the seat holds."""
    return [source for source in t.sources(p) if source.kind in ("diplomacy", "city_state")]


def _claims(t: Table, p: int) -> int:
    return sum(claimed > 0 for claimed in t["claimed"][p])


def _city_count(t: Table, p: int) -> int:
    return sum(t.is_city(s) for s in t.own(p))


def _spaces(t: Table, p: int) -> int:
    return len(t.own(p))


def _best_rival(of: Any, t: Table, p: int) -> int:
    return max(of(t, q) for q in t.seats if q != p)


def _behind(of: Any) -> Any:
    return lambda t, p: max(0, _best_rival(of, t, p) - of(t, p))


def _ahead(of: Any) -> Any:
    return lambda t, p: max(0, of(t, p) - _best_rival(of, t, p))


COUNTS = {
    "own_wonders": lambda t, p: len(t.wonders(p)),
    "newest_era": lambda t, p: max((ERAS.index(wonder["era"]) + 1 for wonder in _wonders(t, p)), default=0),
    "cities": lambda t, p: len(t.cities(p)),
    "mature_cities": lambda t, p: sum(t.mature(p, s) for s in t.cities(p)),
    "conquered_city_states": lambda t, p: t["city_state_owner"].count(p),
    "natural_wonders": lambda t, p: t["natural_wonder_owner"].count(p),
    "coastal_spaces": lambda t, p: sum(t["coastal"][s] for s in t.own(p)),
    "rival_capitals_defeated": lambda t, p: t["capitals_beaten"][p],
    "reinforced_tokens": lambda t, p: t.reinforced(p),
    "attacks_won_this_turn": lambda t, p: t["attacks_won_this_turn"] if p == t["current"] else 0,
    "resource_types": lambda t, p: sum(n > 0 for n in t["resources"][p]),
    "victory_cards": _claims,
    "cards_replaced_this_turn": lambda t, p: t["cards_replaced"] if p == t["current"] else 0,
    "own_districts": lambda t, p: sum(s >= 0 for s in t["district_space"][p]),
    "claims_behind": _behind(_claims),
    "cities_behind": _behind(_city_count),
    "spaces_behind": _behind(_spaces),
    "claims_ahead": _ahead(_claims),
    "cities_ahead": _ahead(_city_count),
    "spaces_ahead": _ahead(_spaces),
    "diplomacy_cards": lambda t, p: len(_diplomacy(t, p)),
    "card_givers": lambda t, p: len(
        {source.giver if source.kind == "diplomacy" else source.name for source in _diplomacy(t, p)}
    ),
    "rival_card_givers": lambda t, p: len({source.giver for source in _diplomacy(t, p) if source.kind == "diplomacy"}),
    "friendly_spaces": _spaces,
    "control_tokens_on_map": lambda t, p: sum(t.is_token(s) for s in t.own(p)),
    "resources_held": lambda t, p: sum(t["resources"][p]) + t["natural_wonder_owner"].count(p),
    "trade_tokens_on_cards": lambda t, p: sum(n for n, card in zip(t["trade"][p], t["card"][p], strict=False) if card >= 0),
    "caravans_on_map": lambda t, p: sum(s >= 0 for s in t["caravan"][p]),
    "own_forts": lambda t, p: sum(t.is_fort(s) for s in t.own(p) if t.is_city(s)),
    "dial_space": lambda t, p: t["dial_reached"][p],
}


# --- Conditions and amounts


def fits(t: Table, p: int, ability: Ability, source: Source, at: Moment) -> bool:
    """Do the conditions of the ability hold: where and against whom it happens, and what the player has?"""
    return (
        _of_the_space(t, ability, at)
        and ("target" not in ability or at.target in ability["target"])
        and ("type" not in ability or at.type in ability["type"])
        and _of_the_giver(ability, source, at)
        and all(_at_least(t, p, ability, what, least, at) is True for what, least in ability.get("if", {}).items())
        and all(_at_least(t, p, ability, what, least, at) is False for what, least in ability.get("unless", {}).items())
    )


def _of_the_space(t: Table, ability: Ability, at: Moment) -> bool:
    return "terrain" not in ability or (at.space is not None and t.terrain(at.space) in ability["terrain"])


def _of_the_giver(ability: Ability, source: Source, at: Moment) -> bool:
    """`only`: the other side is who gave the card; `never`: it is not."""
    against_giver = source.giver is not None and source.giver == at.other
    return {None: True, "only": against_giver, "never": not against_giver}[ability.get("giver")]


def _at_least(t: Table, p: int, ability: Ability, what: str, least: int, at: Moment) -> bool | None:
    there = count(t, p, what, at, ability)
    return None if there is None else there >= least


def amount(t: Table, p: int, ability: Ability, at: Moment) -> int:
    """The amount counts once for each of what `per` names."""
    times = count(t, p, ability["per"], at, ability) if "per" in ability else 1
    return int(ability.get("amount", 1)) * (times or 0)


# --- Deeds


@dataclass(frozen=True)
class Deed:
    """What an ability does now: `who` gains or acts, so much, about this space."""

    who: int
    effect: str
    amount: int
    space: int | None
    ability: int  # its identity: the ability as it is written
    source: Source
    holder: int = -1  # who holds its card
    other: Any = None  # the other side


AT_ONCE = ("trade_tokens", "resources", "steal_trade_tokens", "pay_trade_tokens")
BY_A_WONDER = ("upgrade_cards", "raise_cards", "take_diplomacy", "take_city", "explore")  # done as soon as it is built


Causes = frozenset[tuple[int, int]]  # what has set off a deed, itself or by way of others: seats and abilities


def deeds(
    t: Table, moment: Moment, used: set[Any], wonder: str | None = None, causes: Causes = frozenset()
) -> Iterator[tuple[Ability, Deed]]:
    """Yield what the abilities in force of the seat do at the moment, in their order; of one `wonder` only, if it is named.

    `used`: what has been done this turn and is done once a turn only, by who holds it; what acts now is entered there.
    `causes`: what has set off the deed that brings the moment about. It is not set off again.
    """
    at = as_known(moment)
    for p, ability, source in waiting(t, moment):
        if (p, id(ability)) in causes or not fits(t, p, ability, source, at):
            continue
        if ability["effect"] == "steal_trade_tokens" and (not isinstance(at.other, int) or at.other == p):
            continue
        if wonder is not None and (source.kind, source.name) != ("wonder", wonder):
            continue
        holder = (p, id(ability), source.giver)
        if ability.get("once") and holder in used:
            continue
        how_many = amount(t, p, ability, at)
        used.add(holder)
        who = source.giver if ability.get("for_giver") else p
        if who is not None:
            yield ability, Deed(who, ability["effect"], how_many, at.space, id(ability), source, p, at.other)


def waiting(t: Table, moment: Moment) -> Iterator[tuple[int, Ability, Source]]:
    """Yield what waits for the moment, and whose it is: of the seat itself, then on cards that it gave to others."""
    for ability, source in t.held(moment.seat):
        if ability.get("moment") == moment.word and ability.get("by") != "giver":
            yield moment.seat, ability, source
    for holder in t.seats:
        for ability, source in t.held(holder) if holder != moment.seat else ():
            if ability.get("moment") == moment.word and ability.get("by") == "giver" and source.giver == moment.seat:
                yield holder, ability, source


def gains(t: Table, p: int, ability: Ability, deed: Deed) -> list[tuple[str, int, Any, int]]:
    """Return what is gained one by one: the effect, who gains, on which card or of what (None: of choice), who chooses."""
    if ability["effect"] == "steal_trade_tokens":
        return [("stolen", p, deed.other, deed.amount)]
    if ability["effect"] == "pay_trade_tokens":
        return [("paid", p, None, deed.amount)]
    if ability["effect"] == "trade_tokens":
        chooser = deed.who if ability.get("giver_places") else p
        return [("trade_tokens", deed.who, ability.get("card"), chooser)] * deed.amount
    what = ability.get("resource") or ("new" if ability.get("new_type") else None)
    return [("resources", deed.who, what, p)] * deed.amount


# --- The start of a turn: the player uses abilities in any order, and may leave them


def acts_at_start(t: Table, p: int, ability: Ability, source: Source, at: Moment) -> bool:
    """May the ability be used now, as far as its conditions go?"""
    return ability.get("moment") == at.word and fits(t, p, ability, source, at) and amount(t, p, ability, at) > 0


def usable_at_start(t: Table, p: int, used: Mapping[int, int]) -> dict[str, tuple[int, int]]:
    """Return, for each effect, how many abilities have a use now for certain, and how many may be offered at most."""
    at = Moment("start_of_turn", p)
    left = dict(used)
    found: dict[str, tuple[int, int]] = {}
    for ability, source in t.held(p):
        effect = ability["effect"]
        if effect == "trade_bank":
            sure = t["wonder_bank"] > 0 and t.room(p, None) > 0
        elif acts_at_start(t, p, ability, source, at):
            if left.get(id(ability), 0) > 0:
                left[id(ability)] -= 1
                continue
            sure = HAS_USE.get(effect, lambda *_: False)(t, p, ability)
        else:
            continue
        least, most = found.get(effect, (0, 0))
        found[effect] = (least + sure, most + 1)
    return found


HAS_USE = {
    "trade_tokens": lambda t, p, ability: not ability.get("for_giver") and t.room(p, ability.get("card")) > 0,
    "resources": lambda t, p, ability: (
        not ability.get("new_type")
        and (sum(t["supply"]) if "resource" not in ability else t["supply"][RESOURCES.index(ability["resource"])]) > 0
    ),
    "advance_dial": lambda t, p, ability: True,
    "control_tokens": lambda t, p, ability: bool(token_spaces(t, p, ability, None)) and t["tokens_left"][p] > 0,
    "reinforce": lambda t, p, ability: bool(plain_tokens(t, p, ability)),
    "remove_rival_tokens": lambda t, p, ability: bool(border_rivals(t, p)),
    "swap_cards": lambda t, p, ability: bool(swaps(t, p, ability)),
}


# --- What deeds may choose from


def token_spaces(t: Table, p: int, ability: Ability, at: int | None) -> set[int]:
    """Control tokens: the spaces on which one may be placed (B5.2) beside what the ability names."""
    limit = ability.get("limit")
    beside = {
        "friendly_city": lambda: t.cities(p),
        "friendly_space": lambda: t.own(p),
        "that_space": lambda: [] if at is None else [at],
    }[ability.get("next_to", "friendly_city")]()
    around = {x for s in beside for x in t.near(s)}
    wild = words(t, p, "tokens_without_city")
    if (
        t.content.rulings.get("chichen_itza_effects") == "beside_cities"
        and ability.get("next_to", "friendly_city") != "friendly_city"
    ):
        wild = set()
    free = t.content.rulings.get("chichen_itza_difficulty") == "ignored"
    beside_what = {s for s in around if _takes_token(t, p, s, limit)}
    anywhere = {s for s in t.spaces if t.terrain(s) in wild and t.empty(s) and _takes_token(t, p, s, None if free else limit)}
    return {s for s in beside_what | anywhere if t.terrain(s) in ability.get("on_terrain", TERRAINS)}


def _takes_token(t: Table, p: int, s: int, limit: int | None) -> bool:
    """B5.2, T5.15, T6.1: no water, no fort, not too hard, nothing there that a token cannot lie beside."""
    if t.terrain(s) == "water" or t.is_fort(s) or t.owner(s) is not None or t["barbarians"][s] or t["city_state"][s] >= 0:
        return False
    if t.rival_army(p, s):
        return False
    return limit is None or t.difficulty(p, s, "token_by_effect") <= limit


def plain_tokens(t: Table, p: int, ability: Ability) -> set[int]:
    """Reinforce: own tokens that are not reinforced yet."""
    found = {s for s in t.own(p) if t.piece(s) == "token"}
    if ability.get("next_to", "anything") == "friendly_city":
        found &= {x for s in t.cities(p) for x in t.near(s)}
    return found


def border_rivals(t: Table, p: int) -> set[int]:
    """Forbidden City: rival control tokens next to own spaces, no army there (T5.14), nobody's in peace (T12.4)."""
    friendly = t.own(p)
    spared = {source.giver for ability, source in t.held(p) if ability["effect"] == "non_aggression"}
    around = {x for s in friendly for x in t.near(s)}
    return {s for s in around if t.is_token(s) and t.owner(s) != p and not t["armies"][s] and t.owner(s) not in spared}


def swaps(t: Table, p: int, ability: Ability) -> set[tuple[int, int]]:
    """Places of two cards of the row that may change places."""
    row = t.row(p)
    among = ability.get("among", TYPES)
    good = [place for place, code in enumerate(row) if TYPES[t.words.card_type[code]] in among]
    pairs = {(a, b) for a in good for b in good if a < b}
    return {(a, b) for a, b in pairs if b - a == 1} if ability.get("adjacent") else pairs


# --- Effects that hold as long as their card is held

NOWHERE = Moment("held", -1)
ADDED = (
    "reinforced_worth", "production", "culture_tokens", "dial_spaces", "caravan_steps", "shared_caravan_steps", "city_range",
    "attack_range", "attacks", "reinforcements", "combat_per_resource", "founds_city",
)  # fmt: skip
THERE = (
    "attack_anywhere", "caravans_from_any_city", "barbarians_barred", "roosevelt_corollary", "district_water",
    "resources_as_trade",
    "city_state_as_city", "conquers_visited", "learns_from_visited", "tokens_of_taken_cities", "edge_water_linked",
)  # fmt: skip
LEAST = ("edge_cities", "waterside_cities")  # distances and difficulties: the best of several is the lowest
MOST = ("diplomacy_limit",)
WORDS = {
    "count_through": "through", "tokens_without_city": "terrain", "chain_tokens": "terrain", "following_token": "terrain",
    "spares": "target", "forbids": "what", "any_type_upgrade": "type", "matures_with": "whose", "extra_card": "card",
}  # fmt: skip
ALL_WORDS = {"terrain": TERRAINS, "target": TARGETS, "type": TYPES}
SLOTS = {"base": [1, 2, 3, 4, 5], EXPANSION: [1, 1, 2, 3, 4, 5]}
DOINGS = ("fight", "move_caravan", "build_city", "culture_or_industry_card", "token_by_effect", "move_army")
LOW = 0  # no terrain is easier than this


def _of(t: Table, p: int, effect: str) -> list[tuple[Ability, Source]]:
    """The abilities of the effect that hold now by what is known while the card is held."""
    return t.held_of(p, effect)


def _holds(t: Table, p: int, ability: Ability, at: Moment) -> bool:
    return all(_at_least(t, p, ability, what, least, at) is True for what, least in ability.get("if", {}).items()) and all(
        _at_least(t, p, ability, what, least, at) is False for what, least in ability.get("unless", {}).items()
    )


def added(t: Table, p: int, effect: str) -> int:
    """Abilities add up."""
    return sum(amount(t, p, ability, NOWHERE) for ability, _ in _of(t, p, effect) if _holds(t, p, ability, NOWHERE))


def is_there(t: Table, p: int, effect: str) -> bool:
    return bool(_of(t, p, effect))


def words(t: Table, p: int, effect: str) -> set[str]:
    """All words that the abilities of the effect name."""
    key = WORDS[effect]
    found: set[str] = set()
    for ability, _ in _of(t, p, effect):
        if _holds(t, p, ability, NOWHERE):
            named = ability.get(key, ALL_WORDS.get(key, ()))
            found |= {named} if isinstance(named, str) else set(named)
    return found


def wonder_cost(t: Table, p: int, kind: str, era: str) -> int:
    """What the cost of a world wonder of the type and era changes by."""
    at = Moment("wonder", p, type=kind)
    return sum(
        amount(t, p, ability, at)
        for ability, _ in _of(t, p, "wonder_cost")
        if kind in ability.get("type", TYPES) and era in ability.get("era", ERAS) and _holds(t, p, ability, at)
    )


def difficulty(t: Table, p: int, printed: int, doing: str, coastal: bool, terrain: str) -> int:
    """B1.1, in the player's own turn: no harder than every `difficulty` says, then changed by every `difficulty_change`."""

    def fitting(effect: str) -> list[int]:
        return [
            amount(t, p, ability, NOWHERE)
            for ability, _ in _of(t, p, effect)
            if terrain in ability.get("terrain", TERRAINS)
            and ability.get("coastal", coastal) == coastal
            and doing in ability.get("doing", DOINGS)
            and _holds(t, p, ability, NOWHERE)
        ]

    return min([printed, *fitting("difficulty")]) + sum(fitting("difficulty_change"))


def acting_slot(t: Table, p: int, kind: str, place: int, slots: list[int]) -> int:
    """The place of the row from which a card of the type acts: by `acts_as_slot`, then moved by every `slot_shift`."""
    here = slots[place]

    def named(ability: Ability) -> bool:
        wanted = ability.get("slots", slots)
        return (here in wanted) and kind in ability.get("type", TYPES)

    at = Moment("resolve", p, type=kind)
    as_from = [slots.index(ability["amount"]) for ability, _ in _of(t, p, "acts_as_slot") if named(ability)]
    acting = max(as_from, default=place)  # the best of several
    for ability, _ in _of(t, p, "slot_shift"):
        if named(ability) and _holds(t, p, ability, at):
            acting += amount(t, p, ability, at)
    return max(0, min(acting, len(slots) - 1))


# --- Combat


def combat(t: Table, p: int, side: str, s: int, target: str, other: int | None) -> int:
    """Return what the seat's abilities add on its side of a combat over the space against `other` (None: no player)."""
    at = Moment("combat", p, space=s, target=target, other=other)
    return sum(
        amount(t, p, ability, at)
        for ability, source in _of(t, p, "combat")
        if side in ability.get("when", ("attack", "defend")) and fits(t, p, ability, source, at)
    )


def best(t: Table, p: int, effect: str) -> int | None:
    """Of several of these only the best counts: the shortest distance, the lowest difficulty, the highest limit."""
    found = [ability["amount"] for ability, _ in _of(t, p, effect)]
    return (max if effect in MOST else min)(found) if found else None


def wrong_upgrades(t: Table, p: int, ability: Ability, options: list[int]) -> list[str]:
    """Upgrade and raise cards: return what is offered though it may not be (new card * 8 + the place it comes to)."""
    found = []
    any_type = words(t, p, "any_type_upgrade")
    for option in options:
        new, old = option // 8, t["card"][p][option % 8]
        level, before = t.words.card_level[new], t.words.card_level[old]
        if ability["effect"] == "upgrade_cards":
            good = before == ability["from_level"] and level == ability["limit"]
        else:
            good = level == before + ability.get("limit", 1)
        kinds = TYPES[t.words.card_type[new]], TYPES[t.words.card_type[old]]
        if not good or not (kinds[0] == kinds[1] or kinds[1] in any_type):
            found.append(f"offered: {t.words.card[new]} for {t.words.card[old]}")
    return found


def extra_card(t: Table, p: int, card: int) -> bool | None:
    """May another card be resolved and reset as well when the one on this holder is played? None: not said here."""
    types = {TYPES[t.words.card_type[code]] for code in t.row(p)}
    if (words(t, p, "extra_card") - {_type_on(t, p, card)}) & types:
        return True
    # Another card that comes beside (Capitalism) may bring one where this one does not.
    return None if _of(t, p, "extra_card") else False


def slot_for_repeat(t: Table, p: int, card: int, place: int) -> int | None:
    """The slot that counts for whether the card on this holder may be resolved again, as it lies in the row before it is
    resolved. None: not said here."""
    if t["government"][p] == card or "maracana_order" in t.content.rulings:
        return None
    slots = SLOTS[t.content.box]
    acts = t.content.box == EXPANSION and t.content.rulings.get("repeated_slot") != "lies_there"
    return slots[acting_slot(t, p, _type_on(t, p, card), place, slots) if acts else place]


def may_be_repeated(t: Table, p: int, slot: int | None) -> bool | None:
    """May a card that lay in the slot be resolved again, once it is resolved? None: not said here."""
    if slot is None:
        return None
    return any(slot in ability.get("slots", SLOTS[t.content.box]) for ability, _ in _of(t, p, "repeat_card"))


def _type_on(t: Table, p: int, card: int) -> str:
    return TYPES[t.words.card_type[t["card"][p][card]]]


def dial_after(space: int, steps: int) -> int:
    """B6.3: after the last space of the technology dial the next is an earlier one."""
    dial = printed("dials")["tech_dial"]
    for _ in range(steps):
        space = space + 1 if space < dial["last_space"] else dial["after_last"]
    return int(space)
