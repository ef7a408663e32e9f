"""A game rebuilt from its replay: the lines of text and the data of its rules are all that is read.

`Rebuilt` reads line after line; a line that it does not understand, or that cannot be true of what stands there, is an error: a
card that lies elsewhere, a target that is not there, a combat that does not add up. `unlawful` says which rules are broken by
what stands there. `standing` says the same of the game itself, and `differences` compares the two: the map and what lies on it,
everybody's row with its tokens, and what lies beside the map.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from newdawn.simulator import names
from newdawn.simulator.engine import state
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.ruleset_contents import ability_holders, box_of, written

DIE = r"(?:die|dice)"
SEAT = r"[^()]+ \(seat (\d)\)"
SPACE = r"([A-Za-z]+-?\d+)(?: \([^()]*\))?"
CARD = r"([^()]+ \([a-z]+ [IV]+\)|no card|Great Zimbabwe)"
WONDER = r"([^()]+) \([a-z]+ [a-z]+ wonder, cost \d+\)"
COUNT = r"(\d+)"
SLOT = r"(\d(?: \([a-z ]+\))?)"
SUM = r"(?: \+ bonuses (-?\d+))?(?: \+ trade (\d+))? = (\d+)"
PIECES = {
    names.NO_PIECE: None, names.TOKEN: "token", names.REINFORCED: "reinforced", names.CITY: "city", names.CAPITAL: "capital",
}  # fmt: skip
STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
SIDES = {"A": "side_a", "B": "side_b"}
OUT, CARD_OF_FIGURE = "out of the game", "on its card"

RULES: list[tuple[re.Pattern[str], Callable[..., None]]] = []


def line(*patterns: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Say which lines a method reads. In place of WHO a line names a seat, or nobody: then it is the one at turn."""

    def enter(method: Callable[..., None]) -> Callable[..., None]:
        for pattern in patterns:
            RULES.append((re.compile(pattern.replace("WHO ", rf"(?:{SEAT} )?") + r"(?: \[[^\]]*\])?"), method))
        return method

    return enter


def rule_for(text: str) -> tuple[re.Pattern[str], Callable[..., None]]:
    """Return the first rule that reads a line."""
    rule = next(((pattern, method) for pattern, method in RULES if pattern.fullmatch(text)), None)
    assert rule is not None, f"nothing is said by: {text}"
    return rule


def reader_of(text: str) -> Callable[..., None]:
    """Return the method of `Rebuilt` that reads a line."""
    return rule_for(text)[1]


def letters_of(number: int) -> str:
    if number < 0:
        return letters_of(-number - 1).lower()
    return (letters_of(number // 26 - 1) if number >= 26 else "") + chr(ord("A") + number % 26)


def number_of(letters: str) -> int:
    if letters.islower():
        return -number_of(letters.upper()) - 1
    number = -1
    for letter in letters:
        number = (number + 1) * 26 + ord(letter) - ord("A")
    return number


def axial(space: str) -> tuple[int, int]:
    letters, row = re.fullmatch(r"([A-Za-z]+)(-?\d+)", space).groups()  # type: ignore[union-attr]
    return number_of(letters), int(row)


def space_at(q: int, r: int) -> str:
    return f"{letters_of(q)}{r}"


class Place:
    """A space of the map."""

    def __init__(self, terrain: str, tile: str) -> None:
        self.terrain, self.tile = terrain, tile
        self.owner: int | None = None
        self.piece: str | None = None
        self.district: str | None = None
        self.resource: str | None = None


ANY_TYPE = "Oxford University"  # whose owner may take a card of another type than the one it replaces
ANY_TYPE_EFFECTS = ("any_type_upgrade", "raise_cards")  # of own content, which may let others do so
GROUND_EFFECTS = ("difficulty", "difficulty_change")  # of own content, which may change what terrain defends


def own_abilities(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Return every ability in the data of rules whose entry is own, or that a printed entry has not."""
    printed = load_ruleset(box=box_of(data)).data
    before = dict(ability_holders(printed))
    return [
        ability
        for path, entry in ability_holders(data)
        for key, ability in entry["abilities"].items()
        if ability != before.get(path, {}).get("abilities", {}).get(key)
    ]


def type_of(card: str) -> str:
    """Return the type of a card that is named as in 'Flight (military IV)'."""
    return card.rpartition("(")[2].split()[0]


class Entry:
    """A focus card in a row."""

    def __init__(self, name: str) -> None:
        self.name, self.trade = name, 0


class Rebuilt:
    """What the lines of a replay say so far."""

    def __init__(self, data: dict[str, Any], players: int) -> None:
        """Begin a game of the rules' data (`load_ruleset().data`)."""
        self.data, self.players = data, players
        self.expansion = box_of(data) != names.BOXES[names.BASE_BOX]
        self.part = "ti" if self.expansion else "base"
        self.components = data["components"]
        own = [ability["effect"] for ability in own_abilities(data)]
        self.any_type = bool(set(own) & set(ANY_TYPE_EFFECTS))
        self.own_ground = bool(set(own) & set(GROUND_EFFECTS))
        places = {**data["city_states"], **data["natural_wonders"]}
        self.instead = {
            places[entry["in_place_of"]]["name"]: entry["name"] for entry in places.values() if entry.get("in_place_of")
        }
        self.current = -1
        self.leaders: dict[int, str] = {}
        self.map: dict[str, Place] = {}
        self.tokens_to_place = dict.fromkeys(range(players), self.components["per_player"][self.part]["control_tokens"])
        self.claims: set[tuple[int, int]] = set()
        self.rows: dict[int, list[Entry]] = {}
        self.caravans = {(seat, c): OUT for seat in range(players) for c in range(names.MAX_CARAVANS)}
        self.armies = {(seat, a): OUT for seat in range(players) for a in range(names.MAX_ARMIES)}
        self.barbarians: dict[str, str] = {}
        self.dial = dict.fromkeys(range(players), 0)
        self.resources = {(seat, kind): 0 for seat in range(players) for kind in names.RESOURCES}
        self.natural_wonders: dict[str, tuple[str, int | None, Entry | None]] = {}  # space, owner, card
        self.city_states: dict[str, tuple[str, int | None, Entry | None]] = {}
        self.city_state_cards: set[tuple[int, str]] = set()
        self.diplomacy: dict[tuple[int, str], int] = {}
        self.governments: dict[int, tuple[Entry, str]] = {}
        self.given: dict[int, int] = {}
        self.bank = 0
        self.face_up: dict[str, int] = {}  # trade tokens on each
        self.wonders: dict[str, str] = {}  # space of each that is built
        self.mixed_rows: set[int] = set()  # seats that took a card of another type than the one it replaced
        self.acting = 0  # slot that the card at work counts for
        self.attacked: tuple[str, str] | None = None  # what is attacked, and where
        self.played = False  # a card this turn?
        self.used = ""  # an effect that was used, of which something has to come
        self.combats = 0

    # ------------------------------------------------------------------ reading

    def read(self, lines: Iterable[str]) -> None:
        for text in lines:
            self.read_line(text.strip())

    def read_heading(self, lines: Iterable[str]) -> None:
        """Read who plays; the other lines of the heading are words on the rules."""
        for text in lines:
            if re.match(r"\s*seat \d: ", text):
                self.read_line(text.strip())

    def read_line(self, text: str) -> None:
        pattern, method = rule_for(text)
        used, self.used = self.used, ""
        assert not used or method not in (Rebuilt.uses, Rebuilt.plays, Rebuilt.resets, Rebuilt.turn, Rebuilt.event), used
        method(self, *pattern.fullmatch(text).groups())  # type: ignore[union-attr]

    def seat(self, seat: str | None) -> int:
        return self.current if seat is None else int(seat) - 1

    def named(self, leader: str) -> int:
        return next(seat for seat, name in self.leaders.items() if name == leader)

    def entry(self, seat: int, card: str) -> Entry | None:
        return next((entry for entry in self.rows[seat] if entry.name == card), None)

    def place_of(self, slot: str) -> int:
        """Return the place of the row that a slot's label says."""
        number = int(slot.split()[0])
        if not self.expansion:
            return number - 1
        return {"(far left)": 0, "(second)": 1}[slot.partition(" ")[2]] if number == 1 else number

    def clear(self, space: str) -> None:
        place = self.map[space]
        if place.piece in ("token", "reinforced") and place.district is None:
            self.tokens_to_place[place.owner] += 1  # type: ignore[index]
        place.owner = place.piece = place.district = None

    def put(self, seat: int, space: str, piece: str, district: str | None = None) -> None:
        if self.map[space].owner is not None:
            self.clear(space)
        place = self.map[space]
        place.owner, place.piece, place.district = seat, piece, district
        if piece in ("token", "reinforced"):
            place.resource = None  # the line that follows says who gets it
            if district is None:
                self.tokens_to_place[seat] -= 1

    # ------------------------------------------------------------------ set-up

    @line(r"seat (\d): (.+), played by .+")
    def sits(self, seat: str, leader: str) -> None:
        p = self.seat(seat)
        self.leaders[p] = leader
        sheet = next(entry for entry in self.data["leaders"].values() if entry["civ"] == leader)
        standard = self.data["focus_cards"][self.part]
        replaced = {card.get("in_place_of") for card in standard.values()}
        first = {card["type"]: card for key, card in standard.items() if card["level"] == 1 and key not in replaced}
        unique = sheet.get("unique_card")
        if unique and unique["level"] == 1:
            first[unique["type"]] = unique
        self.rows[p] = [Entry(f"{first[kind]['name']} ({kind} I)") for kind in sheet["start_row"]]
        for c in range(min(first["economy"].get("caravans", 0), self.components["per_player"][self.part]["caravans"])):
            self.caravans[p, c] = CARD_OF_FIGURE
        for a in range(first["military"].get("armies", 0) if self.expansion else 0):
            self.armies[p, a] = CARD_OF_FIGURE

    @line(rf"(?:Core:|{SEAT} lays|lays) tile (\d+)([AB]) with its space 0 on {SPACE}, turned (\d+)°")
    def tile(self, _: str, number: str, side: str, start: str, degrees: str) -> None:
        tiles = self.data["tiles"]
        printed = tiles["tiles"][number]["sides"][side]
        q0, r0 = axial(start)
        for i, (q, r) in enumerate(tiles["geometry"][SIDES[side]]):
            for _turn in range(int(degrees) // 60):
                q, r = -r, q + r
            self.lay(
                space_at(q0 + q, r0 + r),
                number,
                printed["terrain"][i],
                [f for f in printed.get("features", []) if f["space"] == i],
            )

    def lay(self, space: str, number: str, terrain: str, features: list[dict[str, Any]]) -> None:
        place = self.map[space] = Place(terrain, number)
        for feature in features:
            if "resource" in feature and self.supply(feature["resource"]) > 0:
                place.resource = feature["resource"]
            if "natural_wonder" in feature:
                self.natural_wonders[self.instead.get(feature["natural_wonder"], feature["natural_wonder"])] = (
                    space,
                    None,
                    None,
                )
            if "city_state" in feature:
                place.terrain = "grassland"
                self.city_states[self.instead.get(feature["city_state"], feature["city_state"])] = (space, None, None)
            if "barbarian" in feature:
                self.barbarians[feature["barbarian"]] = space

    def supply(self, kind: str) -> int:
        out = sum(place.resource == kind for place in self.map.values())
        all_there_are = self.components["shared"][self.part]["resource_tokens_per_type"]
        return int(all_there_are) - out - sum(self.resources[seat, kind] for seat in range(self.players))

    @line(rf"the hole at {SPACE} is filled with water")
    def hole(self, space: str) -> None:
        self.map[space] = Place("water", "0")

    @line(rf"WHO lays a water token on {SPACE}")
    def water(self, _: str, space: str) -> None:
        self.hole(space)

    @line(rf"WHO lays the fort at {SPACE}")
    def fort(self, _: str, space: str) -> None:
        self.map[space] = Place("forest", "fort")

    @line(rf"WHO places the capital on {SPACE}")
    def capital(self, seat: str, space: str) -> None:
        self.put(self.seat(seat), space, "capital")

    @line(rf"Turn \d+: {SEAT}")
    def turn(self, seat: str) -> None:
        self.current, self.played = self.seat(seat), False

    @line(r"Event dial to section .+")
    def event(self) -> None:
        self.current = -1

    # ------------------------------------------------------------------ the map

    @line(rf"WHO places a (reinforced )?control token on {SPACE}")
    def token(self, seat: str, reinforced: str | None, space: str) -> None:
        self.put(self.seat(seat), space, "reinforced" if reinforced else "token")

    @line(rf"WHO places the ([A-Z][A-Za-z ]+) on {SPACE}(?: in place of its own control token)?")
    def district(self, seat: str, district: str, space: str) -> None:
        self.put(self.seat(seat), space, "token", district)

    @line(rf"WHO takes its own [A-Za-z ]+ off {SPACE}")
    def takes_off(self, _: str, space: str) -> None:
        self.clear(space)

    @line(
        rf"the [A-Za-z ]+ of {SEAT} on {SPACE} is removed by .+",
        rf"the city of {SEAT} on {SPACE} is (?:lost to|destroyed by) .+",
    )
    def removed(self, seat: str, space: str) -> None:
        assert self.map[space].owner == self.seat(seat)
        self.clear(space)

    @line(rf"the [A-Za-z ]+ of {SEAT} on {SPACE} is (reinforced|turned to its unreinforced side)")
    def turned(self, seat: str, space: str, how: str) -> None:
        assert self.map[space].owner == self.seat(seat)
        self.map[space].piece = "reinforced" if how == "reinforced" else "token"

    @line(rf"WHO places a city on {SPACE}(?: in place of its own [A-Za-z ]+)?")
    def city(self, seat: str, space: str) -> None:
        self.put(self.seat(seat), space, "city")

    @line(
        rf"barbarian ([A-K]) is (?:barred|turned back at the edge) and stays on {SPACE}",
        rf"barbarian ([A-K]) (?:moves|is thrown back|is pushed) from {SPACE} to {SPACE}",
        rf"barbarian ([A-K]) (?:is barred and turns round|turns back at the map's edge), from {SPACE} to {SPACE}",
        rf"barbarian ([A-K]) appears at {SPACE}",
    )
    def barbarian(self, letter: str, *spaces: str) -> None:
        assert len(spaces) == 1 or self.barbarians[letter] == spaces[0]
        self.barbarians[letter] = spaces[-1]

    @line(rf"barbarian ([A-K]) is beaten at {SPACE} and leaves the map")
    def beaten(self, letter: str, space: str) -> None:
        assert self.barbarians[letter] == space
        self.barbarians[letter] = OUT

    @line(rf"caravan (\d)(?: of {SEAT})? moves from (?:its card|{SPACE}) to {SPACE}")
    def caravan(self, number: str, seat: str | None, start: str | None, end: str) -> None:
        which = self.seat(seat), int(number) - 1
        assert self.caravans[which] == (start or CARD_OF_FIGURE)
        self.caravans[which] = end

    @line(rf"WHO caravan (\d) arrives at .+ on {SPACE}")
    def arrives(self, seat: str | None, number: str, space: str) -> None:
        assert self.caravans[self.seat(seat), int(number) - 1] == space
        self.caravans[self.seat(seat), int(number) - 1] = CARD_OF_FIGURE

    @line(rf"caravan (\d)(?: of {SEAT})? goes back to its card(?: from {SPACE})?")
    def caravan_back(self, number: str, seat: str | None, _: str) -> None:
        self.caravans[self.seat(seat), int(number) - 1] = CARD_OF_FIGURE

    @line(rf"WHO moves army (\d) from (?:the military card|{SPACE}) to {SPACE}")
    def army(self, seat: str | None, number: str, start: str | None, end: str) -> None:
        which = self.seat(seat), int(number) - 1
        assert self.armies[which] == (start or CARD_OF_FIGURE)
        self.armies[which] = end

    @line(rf"army (\d) of {SEAT} goes back from {SPACE} to {SPACE}")
    def army_back(self, number: str, seat: str, _: str, end: str) -> None:
        self.armies[self.seat(seat), int(number) - 1] = end

    @line(rf"army (\d) of {SEAT} returns from {SPACE} to its card")
    def army_home(self, number: str, seat: str, _: str) -> None:
        self.armies[self.seat(seat), int(number) - 1] = CARD_OF_FIGURE

    @line(rf"WHO takes the token of (.+) from {SPACE}")
    def natural_wonder(self, seat: str | None, wonder: str, space: str) -> None:
        assert self.natural_wonders[wonder][0] == space
        self.natural_wonders[wonder] = (space, self.seat(seat), None)

    @line(rf"the token of (.+) goes back to its space at {SPACE}")
    def natural_wonder_back(self, wonder: str, space: str) -> None:
        self.natural_wonders[wonder] = (space, None, None)

    @line(rf"WHO puts the token of (.+) on {CARD}")
    def natural_wonder_on(self, seat: str | None, wonder: str, card: str) -> None:
        space, owner, _ = self.natural_wonders[wonder]
        assert owner == self.seat(seat)
        self.natural_wonders[wonder] = (space, owner, self.entry(owner, card))

    @line(rf"WHO builds {WONDER} in the city on {SPACE}")
    def builds(self, _: str, wonder: str, space: str) -> None:
        del self.face_up[wonder]
        self.wonders[wonder] = space

    @line(
        rf"{WONDER} lies in ruins on {SPACE}, lost by .+",
        rf"[^()]+ \(seat \d\) now controls {WONDER} on {SPACE}(?:, which .+ had)?",
    )
    def wonder_moved(self, wonder: str, space: str) -> None:
        self.wonders[wonder] = space

    # ------------------------------------------------------------------ rows and what lies beside the map

    @line(rf"WHO resets {CARD} from slot (.+)")
    def resets(self, seat: str | None, card: str, slot: str) -> None:
        assert self.played
        assert self.attacked is None
        row = self.rows[self.seat(seat)]
        row.insert(0, row.pop(self.place_of(slot)))
        assert row[0].name == card

    @line(r"WHO swaps the cards in slots (\d(?: \([a-z ]+\))?) and (\d(?: \([a-z ]+\))?)")
    def swaps(self, seat: str | None, one: str, other: str) -> None:
        row, a, b = self.rows[self.seat(seat)], self.place_of(one), self.place_of(other)
        row[a], row[b] = row[b], row[a]

    @line(rf"WHO replaces {CARD} with {CARD}(?:, which brings (.+))?")
    def replaces(self, seat: str | None, old: str, new: str, brings: str | None) -> None:
        p = self.seat(seat)
        entry = self.entry(p, old)
        assert entry is not None
        if type_of(old) != type_of(new) and self.any_type:
            self.mixed_rows.add(p)
        elif type_of(old) != type_of(new):
            space = self.wonders.get(ANY_TYPE)
            assert space, f"a card of another type without {ANY_TYPE}"
            assert self.map[space].owner == p, f"a card of another type by {ANY_TYPE}, which is another seat's"
            self.mixed_rows.add(p)
        entry.name = new
        for number, noun in re.findall(r"(\d+) (caravan|arm)", brings or ""):
            figures = self.caravans if noun == "caravan" else self.armies
            for which in [which for which in figures if which[0] == p and figures[which] == OUT][: int(number)]:
                figures[which] = CARD_OF_FIGURE

    @line(rf"WHO gets {COUNT} trade tokens? on {CARD}")
    def gets_trade(self, seat: str | None, number: str, card: str) -> None:
        self.change_trade(self.seat(seat), card, int(number))

    @line(rf"WHO gives {COUNT} trade tokens? from {CARD}(?:, uses .+)?")
    def gives_trade(self, seat: str | None, number: str, card: str) -> None:
        self.change_trade(self.seat(seat), card, -int(number))

    def change_trade(self, seat: int, card: str, number: int) -> None:
        if card == "Great Zimbabwe":
            self.bank += number
            return
        entry = self.entry(seat, card)
        assert entry is not None, card
        entry.trade += number

    @line(rf"WHO moves the technology dial from {COUNT} to {COUNT}")
    def turns_dial(self, seat: str | None, before: str, space: str) -> None:
        assert self.dial[self.seat(seat)] == int(before)
        self.dial[self.seat(seat)] = int(space)

    @line(rf"WHO (gets|pays) {COUNT} (marble|mercury|oil|diamond)")
    def resource(self, seat: str | None, verb: str, number: str, kind: str) -> None:
        self.resources[self.seat(seat), kind] += int(number) * (1 if verb == "gets" else -1)

    @line(r"WHO (takes|gives back) the diplomacy card of (.+)")
    def city_state_card(self, seat: str | None, verb: str, city_state: str) -> None:
        change = self.city_state_cards.add if verb == "takes" else self.city_state_cards.remove
        change((self.seat(seat), city_state))

    @line(r"WHO (takes|gives back) ([^()]+) of ([^()]+)")
    def player_card(self, seat: str | None, verb: str, card: str, giver: str) -> None:
        assert card in {entry["name"] for entry in self.data["diplomacy"][self.part].values()}
        if verb == "takes":
            self.diplomacy[self.named(giver), card] = self.seat(seat)
        else:
            assert self.diplomacy.pop((self.named(giver), card)) == self.seat(seat)

    @line(rf"WHO conquers (.+), whose token goes on {CARD}")
    def conquers(self, seat: str | None, city_state: str, card: str) -> None:
        p = self.seat(seat)
        self.city_states[city_state] = (self.city_states[city_state][0], p, self.entry(p, card))

    @line(r"WHO frees (.+)", r"()(.+) is free again")
    def frees(self, _: str, city_state: str) -> None:
        self.city_states[city_state] = (self.city_states[city_state][0], None, None)

    @line(rf"WHO lays (Monarchy|Republic|[A-Z][a-z]+) on {CARD}")
    def government(self, seat: str | None, government: str, card: str) -> None:
        p = self.seat(seat)
        self.governments[p] = (self.entry(p, card), government)  # type: ignore[assignment]

    @line(r"WHO takes back [A-Z][a-z]+")
    def government_leaves(self, seat: str | None) -> None:
        del self.governments[self.seat(seat)]

    @line(rf"\*\*\* {SEAT} claims .+ \(victory card (\d): .+\)")
    def claims_card(self, seat: str, place: str) -> None:
        self.claims.add((self.seat(seat), int(place)))
        self.tokens_to_place[self.seat(seat)] -= 1

    @line(rf"{SEAT} takes the token back from victory card (\d): its condition is lost")
    def loses_claim(self, seat: str, place: str) -> None:
        self.claims.remove((self.seat(seat), int(place)))
        self.tokens_to_place[self.seat(seat)] += 1

    @line(rf"{WONDER} is turned up")
    def turned_up(self, wonder: str) -> None:
        self.face_up[wonder] = 0

    @line(rf"{WONDER} gets a (second )?trade token(?: and leaves the game)?")
    def wonder_trade(self, wonder: str, second: str | None) -> None:
        if second:
            del self.face_up[wonder]
        else:
            self.face_up[wonder] += 1

    @line(rf"WHO gives .+ to {SEAT}")
    def gives_card(self, giver: str | None, seat: str) -> None:
        self.given[self.seat(giver)] = self.seat(seat)

    # ------------------------------------------------------------------ lines that say what is so

    @line(rf"WHO plays {CARD} from slot {SLOT}(?:, acting as slot (\d))?(?: and does nothing)?")
    def plays(self, seat: str | None, card: str, slot: str, acts: str | None) -> None:
        assert self.rows[self.seat(seat)][self.place_of(slot)].name == card
        self.acting, self.played = int(acts or slot[0]), True

    @line(
        rf"WHO [^:()]+: resolves (?:again )?{CARD} from slot {SLOT}"
        r"(?:, acting as slot (\d))?(?: and does nothing)?"
    )
    def resolves(self, seat: str | None, card: str, slot: str, acts: str | None) -> None:
        assert self.entry(self.seat(seat), card) is not None
        self.acting, self.played = int(acts or slot[0]), True

    @line(r"(?:.+ )?at the start of the turn: uses (.+)")
    def uses(self, effect: str) -> None:
        self.used = effect

    @line(rf"WHO attacks (.+) at {SPACE}")
    def attacks(self, _: str | None, target: str, space: str) -> None:
        assert self.attacked is None
        place, of = self.map[space], re.fullmatch(rf"the (.+) of {SEAT}", target)
        if target.startswith("barbarian "):
            assert self.barbarians[target.removeprefix("barbarian ")] == space
        elif target.startswith("the city-state "):
            assert self.city_states[target.removeprefix("the city-state ")] == (space, None, None)
        elif of is None:
            assert (target, place.tile, place.piece) == ("the uncontrolled fort", "fort", None)
        elif of[1] in ("army", "caravan"):
            figures = self.armies if of[1] == "army" else self.caravans
            assert space in {at for (owner, _), at in figures.items() if owner == self.seat(of[2])}
        else:
            token = place.district or "control token"
            assert (self.seat(of[2]), of[1]) == (place.owner, token if place.piece in ("token", "reinforced") else place.piece)
        self.attacked = (of[1] if of else target, space)

    @line(rf"{DIE} {COUNT} \+ slot {COUNT}{SUM} against {DIE} {COUNT} \+ (.+?){SUM}: the (attacker wins|attack fails)")
    def combat(self, die: str, slot: str, bonus: str, trade: str, total: str, rival: str, ground: str, *rest: str) -> None:
        rival_bonus, rival_trade, rival_total, won = rest
        assert self.attacked is not None
        target, space = self.attacked
        own, factor, defence, walls = re.fullmatch(
            r"(.+?) (?:(\d+) × )?(-?\d+)(?: \+ (?:city|capital) (-?\d+))?", ground
        ).groups()  # type: ignore[union-attr]
        difficulties, rules = self.components["terrain_difficulty"], self.components["combat"]
        printed_defence = rules["defence"]
        if target.startswith("the city-state"):
            assert ground == f"city-state {printed_defence['city_state']}"
        elif target == "the uncontrolled fort":
            assert ground == f"fort {printed_defence['free_fort']}"
        else:
            place, is_city = self.map[space], target in ("city", "capital")
            assert int(factor or 0) == (printed_defence["city_difficulty_factor"] if is_city else 0), ground
            assert int(walls or 0) == (printed_defence[f"{target}_bonus"] if is_city else 0), ground
            printed = difficulties["fort" if place.tile == "fort" else place.terrain]
            eased = int(defence) < printed and own.startswith("coastal ")
            assert int(defence) == printed or eased or self.own_ground, printed
        base = int(defence) * int(factor or 1) + int(walls or 0)
        assert int(slot) == self.acting
        assert {int(die), int(rival)} <= set(range(rules["dice"], rules["dice"] * rules["die_sides"] + 1))
        assert int(die) + int(slot) + int(bonus or 0) + int(trade or 0) == int(total)
        assert int(rival) + base + int(rival_bonus or 0) + int(rival_trade or 0) == int(rival_total)
        assert (won == "attacker wins") == (int(total) > int(rival_total))
        self.attacked = None
        self.combats += 1

    # ------------------------------------------------------------------ lines by which nothing moves

    @line(
        r"Round \d+",
        r"Seed .+",
        r"Victory cards.*:",
        r"Seat \d (?:bans|chooses|is dealt) .+",
        r"\d+\. .+",
        r"Set-up:",
        r"Victory of .+",
        r"Unfinished: .+",
        r".+ wins(?: a share of \d+/60)?",
        r"the barbarian die shows .+",
        r".+ rolls the .+ die again: .+",
        r"(?:.+ )?at the start of the turn: .+",
        r"(?:.+ )?strikes around .+",
        r"(?:.+ )?names the control token on .+",
        r"(?:.+ )?gives up the control token on .+",
        r"(?:.+ )?chooses .+",
        r"(?:.+ )?declines: .+",
        r"(?:.+ )?loses \d+ trade tokens?, for which .+",
        r"(?:.+ )?uses .+",
        r"(?:.+ )?has .+ as its own city no longer",
        r"(?:.+ )?explores.*: tile .+",
        r"the fort at .+ is uncontrolled again",
        r"(?:.+ )?replaces the city of .+ with one of its own",
        r".+ drafts .+",
        r"Each round after the first one begins with .+",
        r".+ is the first player",
    )
    def nothing(self, *_: str) -> None:
        """Nothing moves."""

    # ------------------------------------------------------------------ what stands

    def unlawful(self) -> list[str]:
        """Return which rules of the printed game what stands breaks, in words."""
        found = []
        for seat, row in self.rows.items():
            if len({type_of(entry.name) for entry in row}) != len(row) and seat not in self.mixed_rows:
                found.append(f"two cards of a type in the row of seat {seat + 1}")
            most = self.components["limits"]["trade_tokens_per_focus_card"]
            wrong = [entry for entry in row if not 0 <= entry.trade <= most]
            found += [f"{entry.name}: {entry.trade} trade tokens (B13.1)" for entry in wrong]
        cities = {space for space, place in self.map.items() if place.piece in ("city", "capital") and place.tile != "fort"}
        built = cities - {space for space, _, _ in self.city_states.values()}  # what was conquered may lie beside them (T6.6)
        for space in sorted(built):
            q, r = axial(space)
            found += [f"cities side by side at {space} (B8.4)" for dq, dr in STEPS if space_at(q + dq, r + dr) in built]
        for space, place in self.map.items():
            if place.piece is not None and place.terrain == "water":
                found.append(f"a {place.piece} on water at {space} (B5.2)")
        found += [f"more control tokens than there are: seat {p + 1} (B1.6)" for p, n in self.tokens_to_place.items() if n < 0]
        return found

    def standing(self) -> dict[str, Any]:
        """Return everything that the lines say, by name."""
        place_in = {id(entry): (seat, k) for seat, row in self.rows.items() for k, entry in enumerate(row)}

        def on(entry: Entry | None) -> Any:
            return None if entry is None else place_in[id(entry)]

        return {
            "map": {space: (place.terrain, place.tile) for space, place in self.map.items()},
            "pieces": {s: (p.owner, p.piece, p.district) for s, p in self.map.items() if p.owner is not None},
            "resources on the map": {space: place.resource for space, place in self.map.items() if place.resource},
            "control tokens left": self.tokens_to_place,
            "claims": self.claims,
            "rows": {seat: [(entry.name, entry.trade) for entry in row] for seat, row in self.rows.items()},
            "caravans": self.caravans,
            "armies": self.armies,
            "barbarians": self.barbarians,
            "dials": self.dial,
            "resources": self.resources,
            "natural wonders": {name: (s, owner, on(entry)) for name, (s, owner, entry) in self.natural_wonders.items()},
            "city-states": {name: (s, owner, on(entry)) for name, (s, owner, entry) in self.city_states.items()},
            "cards of city-states": self.city_state_cards,
            "diplomacy cards": self.diplomacy,
            "governments": {seat: (on(entry), government) for seat, (entry, government) in self.governments.items()},
            "cards given": self.given,
            "Great Zimbabwe": self.bank,
            "face-up wonders": self.face_up,
            "built wonders": self.wonders,
        }


def standing(r: Any, g: Any, at: Callable[[int], str], cards: Callable[[int], str]) -> dict[str, Any]:
    """Return the same of a game. `at` names its spaces, `cards` its focus cards."""
    players, spaces = range(int(g.players)), range(int(g.n_spaces))
    titles = {kind: written(r, kind) for kind in ("wonder", "city_state", "natural_wonder", "diplomacy")}

    def where(space: int) -> str:
        return {state.ON_CARD: CARD_OF_FIGURE, state.NOT_OWNED: OUT}.get(space) or at(space)

    def place_of(seat: int, holder: int) -> Any:
        places = [k for k in range(int(r.slots)) if g.row[seat, k] == holder]
        return (seat, places[0]) if places else None

    def tile_of(s: int) -> str:
        return "fort" if g.tile[s] >= names.FORT_TILE else str(int(g.tile[s]))

    return {
        "map": {at(s): (names.TERRAINS[g.terrain[s]], tile_of(s)) for s in spaces},
        "pieces": {
            at(s): (int(g.owner[s]), PIECES[int(g.piece[s])], names.DISTRICTS[g.district[s] - 1] if g.district[s] else None)
            for s in spaces
            if g.owner[s] >= 0
        },
        "resources on the map": {at(s): names.RESOURCES[g.resource[s]] for s in spaces if g.resource[s] >= 0},
        "control tokens left": {p: int(g.tokens_left[p]) for p in players},
        "claims": {(p, i + 1) for p in players for i in range(int(g.victory_count)) if g.claimed[p, i]},
        "rows": {
            p: [(cards(int(g.card[p, g.row[p, k]])), int(g.trade[p, g.row[p, k]])) for k in range(int(r.slots))]
            for p in players
        },
        "caravans": {(p, c): where(int(g.caravan[p, c])) for p in players for c in range(names.MAX_CARAVANS)},
        "armies": {(p, a): where(int(g.army[p, a])) for p in players for a in range(names.MAX_ARMIES)},
        "barbarians": {names.LETTERS[b]: at(s) if s >= 0 else OUT for b, s in enumerate(g.barbarian_space.tolist()) if s > -2},
        "dials": {p: int(g.dial[p]) for p in players},
        "resources": {(p, kind): int(g.resources[p, k]) for p in players for k, kind in enumerate(names.RESOURCES)},
        "natural wonders": {
            titles["natural_wonder"][i]: (
                at(int(g.natural_wonder_space[i])),
                int(owner) if owner >= 0 else None,
                place_of(owner, g.natural_wonder_holder[i]) if owner >= 0 else None,
            )
            for i, owner in enumerate(g.natural_wonder_owner.tolist())
            if owner > -2
        },
        "city-states": {
            titles["city_state"][i]: (
                at(int(g.city_state_space[i])),
                owner if owner >= 0 else None,
                place_of(owner, g.city_state_holder[i]) if owner >= 0 else None,
            )
            for i, owner in enumerate(g.city_state_owner.tolist())
            if owner > -2
        },
        "cards of city-states": {
            (p, titles["city_state"][i]) for p in players for i in range(int(r.n_city_states)) if g.city_state_cards[i, p]
        },
        "diplomacy cards": {
            (p, titles["diplomacy"][c]): int(g.diplomacy[p, c])
            for p in players
            for c in range(int(r.n_diplomacy))
            if g.diplomacy[p, c] >= 0
        },
        "governments": {
            p: (place_of(p, g.government[p]), names.GOVERNMENTS[g.government_type[p]]) for p in players if g.government[p] >= 0
        },
        "cards given": {p: int(g.given_card[p]) for p in players if g.given_card[p] >= 0},
        "Great Zimbabwe": int(g.wonder_bank),
        "face-up wonders": {
            titles["wonder"][i]: int(g.wonder_trade[i])
            for i, place in enumerate(g.wonder_place.tolist())
            if place == state.WONDER_FACE_UP
        },
        "built wonders": {
            titles["wonder"][i]: at(int(g.wonder_space[i]))
            for i, place in enumerate(g.wonder_place.tolist())
            if place == state.WONDER_BUILT
        },
    }


def differences(told: dict[str, Any], stands: dict[str, Any]) -> list[str]:
    """Return what the two say differently."""
    found = []
    for name, said in told.items():
        really = stands[name]
        if said == really:
            continue
        if isinstance(said, dict):
            keys = sorted({*said, *really}, key=str)
            found += [f"{name}, {k}: {said.get(k)}, in truth {really.get(k)}" for k in keys if said.get(k) != really.get(k)]
        else:
            found.append(f"{name}: {said}, in truth {really}")
    return found
