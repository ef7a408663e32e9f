"""Own content by lot, from the tables of docs/abilities.md: leaders, wonders, cards and tokens with abilities in its words.

`random_rules` draws one house rule. What the page's tables allow is drawn; whether the program accepts it is asked elsewhere.
"""

from __future__ import annotations

import re
from functools import cache
from random import Random
from typing import Any

from content import BASE, EXPANSION, ROOT, Ability, key_of, printed
from meanings import KNOWN
from pieces_out import RESOURCES, TARGETS, TERRAINS, TYPES

# Not drawn: one a ruleset; of one printed card; a program beside the rules; what has no numbers to compare.
NOT_DRAWN = (
    "trade_bank", "city_state_as_city", "shared_land", "non_aggression", "own_function", "founds_city", "alliance", "give_card",
)  # fmt: skip
ROW = ("culture", "science", "economy", "industry", "military")
LAND = TERRAINS[:5]
SWITCHES_LEFT = ("attack_terrain", "machu_places")  # they change what "the space" and "slot 1" are


@cache
def page() -> dict[str, dict[str, tuple[str, bool]]]:
    """Return, for each effect on the page, its keys with what they may be and whether they may be left out."""
    text = (ROOT / "docs" / "abilities.md").read_text("utf-8")
    found = {}
    for part in re.split(r"^### ", text, flags=re.M)[1:]:
        effect = re.match(r"`(\w+)`", part)
        if effect:
            rows = re.findall(r"^\| `(\w+)` \| (.+?) \| .+? \| (.*?) ?\|$", part.split("\n## ")[0], re.M)
            found[effect[1]] = {key: (kind, "left out" in rest) for key, kind, rest in rows}
    return found


@cache
def section(title: str) -> list[str]:
    """Return the words in the first column of a section's table."""
    text = (ROOT / "docs" / "abilities.md").read_text("utf-8")
    part = text.split(f"\n## {title}")[1].split("\n## ")[0]
    return re.findall(r"^\| `(\w+)` \|", part, re.M)


@cache
def of_expansion() -> set[str]:
    """Return the words that the page gives to Terra Incognita alone."""
    text = (ROOT / "docs" / "abilities.md").read_text("utf-8")
    line = re.search(r"^Some words say something in Terra Incognita only: (.*)\.", text, re.M)
    assert line
    return set(re.findall(r"`(\w+)`", line[1].split(". ")[0]))


@cache
def _of(deeds: bool) -> list[str]:
    """Return the effects that are drawn: deeds, gains among them four times as often, or what holds."""
    found = [effect for effect, keys in page().items() if effect not in NOT_DRAWN and ("moment" in keys) == deeds]
    return found + [effect for effect in found if effect in ("trade_tokens", "resources")] * 3


def random_ability(dice: Random, box: str, kind: str, wild: float = 0.1) -> Ability:
    """Draw an ability for a kind of entry; `wild`: how often conditions come that its moment may not be able to answer."""
    while True:
        ability, free = any_ability(dice, wild)
        if box == BASE and of_expansion() & set(_words(ability)):
            continue
        if _suits(ability, kind) and (free or answered(ability)):
            return ability


def any_ability(dice: Random, wild: float = 0.1) -> tuple[Ability, bool]:
    """Draw an ability of the page's words, whether or not it makes sense, and whether it is one that need not."""
    effect = dice.choice(_of(dice.random() < 0.5))
    keys = page()[effect]
    ability: Ability = {"effect": effect}
    if "moment" in keys:
        ability["moment"] = dice.choice(section("Moments"))
    free = dice.random() < wild
    for key, (what, may_be_left) in keys.items():
        if key in ("moment", "from_round", "until_round") or (may_be_left and dice.random() < 0.65):
            continue
        ability[key] = _value(dice, key, what)
    if dice.random() < 0.1:
        ability["from_round"] = dice.randint(1, 9)
    if dice.random() < 0.1:
        ability["until_round"] = dice.randint(ability.get("from_round", 2), 14)
    return ability, free


def _value(dice: Random, key: str, what: str) -> Any:
    listed = re.findall(r"`(\w+)`", what)
    if key in ("if", "unless"):
        return {dice.choice(section("Counts, for `per`, `if` and `unless`")): dice.randint(1, 3)}
    if key == "per":
        return dice.choice(section("Counts, for `per`, `if` and `unless`"))
    if key == "slots":
        return sorted(dice.sample(range(1, 6), dice.randint(1, 4)))
    if what == "true, false":
        return dice.random() < 0.6
    if what in ("terrain", "target", "card type", "count"):
        words = {"terrain": LAND, "target": TARGETS, "card type": TYPES}[what]
        return dice.sample(words, dice.randint(1, len(words) - 1))
    if key in ("when", "doing", "through", "era", "among", "what", "on_terrain"):
        return dice.sample(listed, dice.randint(1, len(listed)))
    if listed:
        return dice.choice(listed)
    return dice.randint(1, 4)


def _words(ability: Ability) -> list[str]:
    found: list[str] = []
    for value in ability.values():
        found += (
            [value]
            if isinstance(value, str)
            else [x for x in value if isinstance(x, str)]
            if hasattr(value, "__iter__")
            else []
        )
    return found


def _suits(ability: Ability, kind: str) -> bool:
    """Can an entry of the kind have it at all?"""
    of_a_giver = "giver" in ability or "by" in ability or "for_giver" in ability or ability.get("whose") == "giver"
    if of_a_giver and kind != "diplomacy":
        return False
    if ability.get("giver_places") and not ability.get("for_giver"):
        return False
    if ability.get("moment") in ("built", "built_or_captured") and kind != "wonder":
        return False
    if ability.get("by") and kind != "diplomacy":
        return False
    return ability.get("from_level", 0) < ability.get("limit", 5) and ability.get("limit", 0) <= 4


def answered(ability: Ability) -> bool:
    """Can the moment of a deed say what its conditions ask? (What holds has no moment: counts of the cards are known.)"""
    moment = ability.get("moment")
    if moment is None:
        return True
    known = KNOWN[moment]
    asked = {"terrain": "space", "target": "target", "type": "type", "giver": "other"}
    if any(key in ability and what not in known for key, what in asked.items()):
        return False
    if ability.get("next_to") == "that_space" and "space" not in known:
        return False
    counts = {*ability.get("if", {}), *ability.get("unless", {}), ability.get("per")}
    needs = {
        "wonders_of_its_type": "type", "city_state_card_of_its_type": "type", "reinforced_lead": "other",
        "other_has_given_card": "other", "other_cities_on_tile": "space",
    }  # fmt: skip
    return all(what not in counts or needed in known for what, needed in needs.items())


# --- a house rule


def random_rules(number: int, accepted: Any, box: str, wild: float = 0.1) -> dict[str, Any]:
    """Return house rule `number`; `accepted(kind, abilities)` says whether an entry of the kind may have these."""
    dice = Random(number)

    def abilities(kind: str, most: int = 3) -> list[Ability]:
        wanted, found = dice.randint(1, most), []
        while len(found) < wanted:
            one = random_ability(dice, box, kind, wild)
            if accepted(kind, one):
                found.append(one)
        return found

    rules: dict[str, Any] = {} if box == BASE else {"box": EXPANSION}
    rules["leaders"] = {
        f"own{k}": {"name": f"Own{k}", "start_row": dice.sample(ROW, 5), "abilities": abilities("leader", 4)} for k in range(3)
    }
    if box == EXPANSION:
        card = {"name": "Ownposts", "type": "culture", "level": dice.randint(2, 4), "abilities": abilities("card")}
        tokens = {"tokens": 3, "next_to": "friendly_city", "terrain_limit": "slot", "effect": "three tokens"}
        rules["leaders"]["own0"]["unique_card"] = {**card, **tokens}
    rules["leaders"] |= _changed(dice, "leaders", "leader", box, abilities)
    rules["wonders"] = {
        f"work{k}": {
            "name": f"Work{k}", "type": dice.choice(("culture", "science", "economy", "military")),
            "era": "ancient", "cost": dice.randint(1, 6),
            "resources": dice.sample(RESOURCES, 2), "abilities": abilities("wonder"),
        }
        for k in range(3)
    }  # fmt: skip
    rules["diplomacy"] = {"treaty": {"name": "Treaty", "abilities": abilities("diplomacy")}}
    state = {"name": "Havana", "type": dice.choice(ROW), "in_place_of": "seoul", "abilities": abilities("city_state")}
    rules["city_states"] = {"havana": state}
    rock = {
        "name": "Ayers",
        "resource": dice.choice(RESOURCES),
        "in_place_of": "pantanal",
        "abilities": abilities("natural_wonder"),
    }
    rules["natural_wonders"] = {"ayers": rock}
    own = {"name": "Owncard", "type": dice.choice(ROW), "level": dice.randint(1, 3), "abilities": abilities("card")}
    if own["level"] == 1:  # so that it lies in every row from the start
        cards = printed("focus_cards")["ti" if box == EXPANSION else "base"]
        own["in_place_of"] = next(key_of(c["name"]) for c in cards if c["level"] == 1 and c["type"] == own["type"])
    rules["focus_cards"] = {"owncard": own}
    if dice.random() < 0.5:
        rules["everyone"] = {"abilities": abilities("everyone", 2)}
    rules["victory_cards"] = {"one_two": {"agendas": [_agenda(dice, name) for name in ("One", "Two")]}}
    gifts = {"trade_tokens": dice.randint(0, 5), "resources": dice.randint(0, 4), "control_tokens": dice.randint(0, 3)}
    rules["components"] = {"start_bonus": {"everyone": gifts}}
    if dice.random() < 0.5:
        rules["rulings"] = _rulings(dice, box)
    return rules


def _changed(dice: Random, stem: str, kind: str, box: str, abilities: Any) -> dict[str, Any]:
    """Draw printed leaders with a number changed, an ability added or taken away, or a printed power in an own list."""
    there = [x for x in printed(stem)[stem] if box == EXPANSION or x["set"] == "base"]
    one, two = dice.sample(there, 2)
    changed: dict[str, Any] = {key_of(one["civ"]): {"abilities": [*abilities(kind, 2)]}}
    first = next(iter(two["abilities"]))
    how = {"works": False} if dice.random() < 0.3 or "amount" not in first else {"amount": first["amount"] + 1}
    changed[key_of(two["civ"])] = {"abilities": {first["effect"]: how}}
    return changed


def _agenda(dice: Random, name: str) -> dict[str, Any]:
    metric = dice.choice(
        ("friendly_spaces", "control_tokens_on_map", "trade_tokens_gained", "cities_built", "caravans_arrived")
    )
    return {"name": name, "condition": {"metric": metric, "at_least": dice.randint(4, 30)}}


def _rulings(dice: Random, box: str) -> dict[str, str]:
    there = [key for key, ruling in printed("rulings").items() if ruling.get("box", box) == box and key not in SWITCHES_LEFT]
    return {key: dice.choice(list(printed("rulings")[key]["options"])) for key in dice.sample(sorted(there), 5)}
