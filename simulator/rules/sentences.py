"""Rules as sentences: abilities, focus cards, districts, leaders and wonders in plain English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from .. import names
from ..errors import counted, listed, with_minus
from . import codes, contract
from .card_parts import COLUMNS, parts_of
from .compile import ATTACKABLE, SIDES, START_BONUS_FOR, TILE_KINDS
from .ruleset_contents import SECTIONS, name_of, written

# --- The templates of sentences about rules; `{key:…}` stands for the value of the key
#
#     {amount}  {amount:+d}            the number
#     {amount:trade token}             1 trade token, 2 trade tokens
#     {terrain:, on *|, anywhere}      if words are given, with `*` for them (`a, b or c`; `&`: `a, b and c`) | else
#     {reinforced:, reinforced side up}  if it is true | else
#     {limit:at most *|any|none}       if a number is given | if it is not | if it is 0
#
# A phrase may hold others: `{limit:up to {limit:token}}`.


def plural(number: int, word: str) -> str:
    """Return '1 space', '2 spaces', '2 cities'."""
    return f"{number} {word}" if number == 1 else f"{number} {word[:-1] + 'ies' if word.endswith('y') else word + 's'}"


HEAD = re.compile(r"\b(wonder|era|card|city-state(?! token|')|city(?!-)|space|capital|token|attack|type|district|caravan)\b")


def many(number: int, count: str) -> str:
    """Return a number of a count: "3 attacks won this turn"."""
    text = f"{number} {count}"
    noun = HEAD.search(text)
    if noun is None:
        return text
    return text[: noun.start()] + plural(number, noun.group()).partition(" ")[2] + text[noun.end() :]


def _case(phrases: str, case: int) -> str:
    """Return the phrase for a case, '' if there is none."""
    return phrases.split("|")[case] if phrases.count("|") >= case else ""


class Number:
    """A number in a sentence; `absent`: the value that stands for none."""

    def __init__(self, value: int, absent: int = 0) -> None:
        self.value, self.absent = int(value), absent

    def __format__(self, phrases: str) -> str:
        if "|" not in phrases and "*" not in phrases:
            return with_minus(f"{self.value:{phrases}}") if phrases[:1] in ("", "+") else plural(self.value, phrases)
        case = 2 if self.value == 0 and phrases.count("|") > 1 else int(self.value == self.absent)
        return _case(phrases, case).replace("*", with_minus(str(self.value)))


class Switch:
    """True, false, or None for either."""

    def __init__(self, value: bool | None) -> None:
        self.value = value

    def __format__(self, phrases: str) -> str:
        return "" if self.value is None else _case(phrases, int(not self.value))


class Chosen:
    """Words chosen of `every`; none stands for all of them."""

    def __init__(self, words: Sequence[str], every: Sequence[str] = ()) -> None:
        self.words, self.every = words, every

    def __format__(self, phrases: str) -> str:
        phrase = _case(phrases or "*", int(not self.words))
        words = self.words or self.every
        return phrase.replace("*", listed(words, "or")).replace("&", listed(words))


# --- Abilities in words and numbers, from the rows of the compiled RULES record


def function_name(r: np.record, code: int) -> str:
    """Return a function of the user's as module:name."""
    return bytes(r.function_text[code]).decode().partition("#")[0]


TEXTS = (
    codes.SIDES
    | codes.DOINGS
    | codes.THROUGH
    | codes.WHOSE
    | codes.BESIDE
    | codes.GIVERS
    | codes.FORBIDDEN
    | {"city_state": "city-state"}
)

LEADS = {"claims": ("victory card",), "cities": ("city", "cities"), "spaces": ("friendly space",)}  # of …_behind and …_ahead


class AbilityRow:
    """An ability of the record: the values of its keys, for templates."""

    def __init__(self, r: np.record, row: int) -> None:
        self.r, self.row = r, row
        self.effect = codes.EFFECT[codes.EFFECTS[self.number("effect")]]

    def number(self, column: str) -> int:
        """Return the value of a column."""
        return int(self.r[f"ability_{column}"][self.row])

    def __getitem__(self, name: str) -> Any:
        if name == "function":  # of a user's: module:name
            return function_name(self.r, self.number("function"))
        if name == "combat_space":  # whose terrain counts, by the ruling of that name
            return "space attacked from, or defended," if self.r.attack_from_terrain else "defending space"
        key, value = codes.KEYS[name], self.number(name)
        if key.kind == "number":
            return Number(value, key.absent)
        if key.kind == "switch":
            return Switch(bool(value))
        if key.kind == "either":
            return Switch({1: False, 2: True}.get(value))
        if key.kind == "one":
            text = TEXTS.get(key.codes[value], key.codes[value]) if value >= 0 else ""
            return Chosen([text] if text else [])
        texts = [TEXTS.get(word, str(word)) for word in key.codes]
        chosen = [text for bit, text in enumerate(texts) if value >> bit & 1]
        return Chosen(chosen if len(chosen) < len(texts) else [], texts)

    def counted(self, column: str) -> str:
        """Return what is counted, '' for nothing."""
        return codes.COUNT[codes.COUNTS[self.number(column)]].says.format_map(self)

    def conditions(self) -> str:
        """Return the conditions, and what the amount is multiplied by, as the end of a sentence."""
        text = ""
        if what := self.counted("per"):
            text += f" for each {what}"
        if what := self.counted("if"):
            text += self.lead("if") or f", with at least {many(self.number('if_least'), what)}"
        if what := self.counted("unless"):
            least = self.number("unless_least")
            fewer = f", unless there is any {what}" if least == 1 else f", with fewer than {many(least, what)}"
            text += self.lead("unless") or fewer
        return f"{text}{self['giver']}{self.rounds()}"

    def lead(self, column: str) -> str:
        """Return a condition about being behind or ahead of the rival with most, '' for any other."""
        what, _, side = codes.COUNTS[self.number(column)].rpartition("_")
        if side not in ("behind", "ahead"):
            return ""
        return f", {column} {side} by {counted(self.number(f'{column}_least'), *LEADS[what])} or more"

    def rounds(self) -> str:
        """Return the rounds in which the ability acts, as the end of a sentence; '' for all."""
        first, last = self.number("from_round"), self.number("until_round")
        if first and last:
            return f", in rounds {first} to {last}" if first < last else f", in round {first}"
        return f", from round {first} on" if first else f", until round {last}" if last else ""

    def moment(self) -> str:
        """Return the moment of a deed, as the beginning of a sentence."""
        says = codes.MOMENT[codes.MOMENTS[self.number("moment")]].says.format_map(self)
        whose = " (the giver's)" if self.number("by") else ""
        return f"{says}{whose}{' (once a turn)' if self.number('once') else ''}: "

    def sentence(self) -> str:
        """Return the ability in words."""
        if not self.effect.deed:
            return self.effect.says.format_map(self) + self.conditions()
        own = contract.sets_itself_off(self.effect.word, codes.MOMENTS[self.number("moment")])
        circle = ", not for what it has set off itself" if own else ""
        return self.moment() + self.effect.says.format_map(self) + self.conditions() + circle


def sentence(r: np.record, row: int) -> str:
    """Return an ability in words."""
    return AbilityRow(r, row).sentence()


def sentences(r: np.record, kind: str, code: int) -> list[str]:
    """Return the abilities of a leader, wonder, city_state or diplomacy card (`kind`) in words."""
    first = int(r[f"{kind}_first"][code])
    return [sentence(r, row) for row in range(first, first + int(r[f"{kind}_n"][code]))]


# --- Districts in words and numbers


def _trade(tokens: int, card: str, per: str) -> str:
    return f"{plural(tokens, 'trade token')} on {card} for each {per}"


def _theater(r: np.record) -> Iterator[str]:
    centres = ("it", "an own city with a world wonder")
    tokens = [
        f"{plural(number, 'control token')} within {distance} of {centre}"
        for number, distance, centre in zip(r.theater_tokens, r.theater_range, centres, strict=True)
    ]
    yield f"{tokens[0]}, or {tokens[1]}, on any land"


def _campus(r: np.record) -> Iterator[str]:
    yield _trade(r.campus_mountains, "the science card", "mountain or natural wonder space around")


def _hub(r: np.record) -> Iterator[str]:
    yield _trade(r.hub_mature_cities, "any own cards", "own mature city")
    yield f"or {_trade(r.hub_deserts, 'the economy card', 'desert around')}"


def _zone(r: np.record) -> Iterator[str]:
    yield _trade(r.zone_forests, "the industry card", "forest around")
    if r.zone_city:
        price = plural(r.zone_city_price, "trade token")
        yield f"or a city on a legal space within {r.zone_city_range} of a friendly one for {price} of the industry card"


def _camp(r: np.record) -> Iterator[str]:
    reward = plural(r.camp_reward, "trade token")
    yield f"{r.camp_strike} barbarian ({reward}) or rival army within {r.camp_strike_range} destroyed"
    yield f"and, or, {plural(r.camp_reinforce, 'control token')} within {r.camp_reinforce_range} reinforced"


# By names.DISTRICTS.
DISTRICTS = (_theater, _campus, _hub, _zone, _camp)


# --- A card, a wonder, a tile or a rule in words and numbers: `newdawn rules show`
#
# Every number comes from the compiled RULES record, so the sentences say what is played, house rules included.

DISTRICT_RULES = (10, 6, 7, 9, 8)  # of section T4, by names.DISTRICTS
CITIES = ATTACKABLE.index("city")  # and the capital
ROMAN = ("I", "II", "III", "IV")


def flagged(row: np.ndarray, words: Iterable[Any]) -> list[Any]:
    """Return the words whose flag is set."""
    return [word for flag, word in zip(row, words, strict=False) if flag]


# --- focus cards


def focus_card(r: np.record, code: int) -> list[str]:
    """Describe a focus card."""
    kind, owner = int(r.card_type[code]), int(r.card_unique[code])
    unavailable = ["not in the game with these rules"] if r.card_unavailable[code] else []
    whose = "focus card" if owner < 0 else f"unique focus card of {written(r, 'leader')[owner]}"
    title = f"{whose}, {names.FOCUS_TYPES[kind]}, level {ROMAN[r.card_level[code] - 1]}"
    held = (f"while it lies in the row: {text}" for text in sentences(r, "card", code))
    return [title, *unavailable, *Card(r, code).sentences(), *held]


RULE_NUMBERS = re.compile(r" \([BT]\d[^()]*\)")
NOTHING_ADDED = re.compile(r" \+0, against barbarians \+0|the distance may be counted through: none; ")


def card_text(r: np.record, code: int, slot: int = 0) -> str:
    """Return what a focus card does, without rule numbers, and with the slot's number if it is given."""
    text = "; ".join([*Card(r, code, slot).sentences(), *sentences(r, "card", code)])
    if slot:
        text = text.replace("the slot number", str(slot)).replace("slot-number", str(slot)).replace(f" in slots {slot}", "")
    return NOTHING_ADDED.sub("", RULE_NUMBERS.sub("", text)).replace(":; ", ": ")


class Card:
    """A focus card of the record: the values of its parts (rules/card_parts.py) for templates, in all slots or in one."""

    def __init__(self, r: np.record, code: int, slot: int = 0) -> None:
        self.r, self.code, self.kind, self.slot = r, code, int(r.card_type[code]), slot
        self.parts = parts_of(names.FOCUS_TYPES[self.kind], SECTIONS[names.BOXES[r.box]])
        self.named = {part.path.rpartition(".")[2]: part for part in self.parts if part.words or part.by_slot}

    def __getitem__(self, name: str) -> Any:
        slots = [self.slot] if self.slot else sorted({int(slot) for slot in self.r.slot_number[: self.r.slots]})
        if name in ("trade", "slots"):
            return listed(slots) if name == "slots" else Number(self.r.trade_effect[self.kind])
        part = self.named.get(name)
        if part and part.by_slot:
            return listed(self.column(part.column)[slot] for slot in slots)
        if part:
            words = [word for word, bit in part.bits.items() if self.column(part.column) & bit]
            words += [word for word, flag in part.flags.items() if self.column(flag)]
            return Chosen([part.texts.get(word, word) for word in words])
        return Number(self.column(name) if name in COLUMNS else self.r[name])

    def column(self, name: str) -> Any:
        """Return the card's value of a column."""
        return self.r[f"card_{name}"][self.code]

    def has(self, name: str) -> bool:
        """Say whether the card has anything in a column."""
        value = self.column(name)
        return any(value) if COLUMNS[name] > 1 else bool(value)

    def sentences(self) -> Iterator[str]:
        """Yield what the card does."""
        for part in self.parts:
            if part.says and (not part.path or any(self.has(column) for column in part.columns)):
                yield part.says.format_map(self)


# --- leaders


def leader(r: np.record, code: int) -> list[str]:
    """Describe a leader."""
    row = listed(names.FOCUS_TYPES[kind] for kind in r.leader_row[code, : r.slots])
    lines = ["leader" if r.leader_available[code] else "leader, not in the game with these rules", f"row from the left: {row}"]
    tokens = [f"{count} on {names.FOCUS_TYPES[kind]}" for kind, count in enumerate(r.trade_tokens_start[code]) if count]
    if tokens:
        lines.append(f"trade tokens at the start: {listed(tokens)}")
    if not r.leader_ability[code]:
        return [*lines, "the printed ability does not work with these rules"]
    given = name_of(r, "given_card", code)
    given_card = (f"{given}: {text}" for text in sentences(r, "given_card", code))
    return [*lines, *sentences(r, "leader", code), *given_card, *_unique_card(r, code)]


def _unique_card(r: np.record, leader_code: int) -> Iterator[str]:
    """Yield what the unique card of a leader does."""
    for code in np.flatnonzero(r.card_unique == leader_code).tolist():
        name = bytes(r.card_name[code]).rstrip(b"\0").decode()
        if name and r.box == names.TI_BOX:
            kind, level = names.FOCUS_TYPES[r.card_type[code]], ROMAN[r.card_level[code] - 1]
            yield f"unique card {name} ({kind}, level {level}): {card_text(r, code)}"


# --- world wonders


def wonder(r: np.record, code: int) -> list[str]:
    """Describe a world wonder."""
    out = "" if r.wonder_available[code] else ", not in the game with these rules"
    pays = listed(flagged(r.wonder_pays[code], names.RESOURCES), "or")
    kind, era = names.FOCUS_TYPES[r.wonder_type[code]], names.ERAS[r.wonder_era[code]]
    return [f"world wonder, {kind}, {era}{out}", f"cost {r.wonder_cost[code]}, paid with {pays}", *_wonder_effects(r, code)]


def _wonder_effects(r: np.record, code: int) -> list[str]:
    """Return the wonder's abilities, each with the reading in force of the ruling about it."""
    turned = "goes back one space the opposite way" if r.barred_barbarian_turns_back else "stays where it is"
    forest = "at any difficulty" if r.chichen_itza_ignores_difficulty else "if the slot allows their difficulty"
    order = ("before it" if r.maracana_before else "after it") + ", once a turn" * int(r.maracana_once)
    readings = {
        codes.BARBARIANS_BARRED: f": it {turned}", codes.TOKENS_WITHOUT_CITY: f", {forest}", codes.EXTRA_CARD: f", {order}",
    }  # fmt: skip
    first = int(r.wonder_first[code])
    rows = range(first, first + int(r.wonder_n[code]))
    return [sentence(r, row) + readings.get(int(r.ability_effect[row]), "") for row in rows]


# --- city-states, diplomacy, natural wonders


def city_state(r: np.record, code: int) -> list[str]:
    """Describe a city-state and its diplomacy card."""
    kind = names.FOCUS_TYPES[r.city_state_type[code]]
    return [
        f"city-state, {kind}, printed on {_where(r.tile_city_state, code)}, difficulty {r.city_state_difficulty}",
        f"defence {r.city_state_defence}; a caravan brings {plural(r.arrival_city_state_trade, 'trade token')} on {kind}",
        f"its {plural(r.city_state_copies[code], 'diplomacy card')}: {'; '.join(sentences(r, 'city_state', code))}",
    ]


def diplomacy_card(r: np.record, code: int) -> list[str]:
    """Describe a player's diplomacy card."""
    return [f"diplomacy card of players; {r.diplomacy_limit} may be held from each player", *sentences(r, "diplomacy", code)]


def natural_wonder(r: np.record, code: int) -> list[str]:
    """Describe a natural wonder."""
    difficulty = r.terrain_difficulty[names.NATURAL_WONDER]
    return [
        f"natural wonder, printed on {_where(r.tile_natural_wonder, code)}, difficulty {difficulty}",
        f"its token pays as {names.RESOURCES[r.natural_wonder_resource[code]]} once a turn and is kept",
        *sentences(r, "natural_wonder", code),
    ]


def _where(marks: np.ndarray, code: int) -> str:
    """Return the spaces of the tiles on which a mark is printed."""
    spaces = [f"{tile + 1}{SIDES[side]} space {space}" for tile, side, space in np.argwhere(marks == code)]
    return listed(spaces) if spaces else "no tile"


# --- victory cards


def agenda(r: np.record, code: int) -> list[str]:
    """Describe an agenda and its victory card."""
    halves = np.argwhere(r.agenda_name[: r.n_victory_cards] == code)
    if not len(halves):
        return ["agenda, not in the game with these rules"]
    card, half = halves[0]
    if r.victory_fort[card]:
        return [
            f"agenda of a fort card; its claim ends when this fails (T3.3); {_cards_in_play(r)}",
            _condition(r, card, half) + _claims(r, card, half),
        ]
    other = written(r, "agenda")[r.agenda_name[card, 1 - half]]
    beside = "alone" if len(halves) > 1 else f"with {other}"
    always = ", always in play" if r.victory_always[card] else ""
    title = f"agenda, {beside} on one victory card{always}; {_cards_in_play(r)}"
    return [title, _condition(r, card, half) + _claims(r, card, half)]


def _claims(r: np.record, card: int, half: int) -> str:
    """Return the limit of players who can claim an agenda, as the end of a sentence; "" if everyone can."""
    room = int(r.agenda_room[card, half])
    return f"; only the first {'player' if room == 1 else f'{room} players'} can claim it" if room else ""


def victory_card(r: np.record, code: int) -> list[str]:
    """Describe both agendas of a victory card."""
    titles = written(r, "agenda")
    if r.victory_fort[code]:
        kind, shown = "fort card", 1
    else:
        kind, shown = f"victory card{', always in play' if r.victory_always[code] else ''}", 2
    halves = [
        f"{titles[r.agenda_name[code, half]]}: {_condition(r, code, half)}{_claims(r, code, half)}" for half in range(shown)
    ]
    return [f"{kind}; {_cards_in_play(r)}", *halves]


def _cards_in_play(r: np.record) -> str:
    needed = f", {r.victory_in_play - r.claims_spared} of which win" if r.claims_spared else ""
    forts = f", {r.fort_cards} of them fort cards" if r.fort_cards else ""
    return f"{r.victory_in_play} cards are in play{forts}{needed}"


def winning(r: np.record) -> list[str]:
    """Return sentences about house rules on other ways to win, the first player of a round and the wonder draft."""
    lines = []
    if r.drafted_wonders:
        drafted = counted(int(r.drafted_wonders), "world wonder")
        lines.append(f"Every player drafts {drafted} before the first turn and alone may build them.")
    if r.first_player:
        who = {names.FIRST_NEXT: "the next player clockwise", names.FIRST_BEHIND: "the player who is furthest behind"}
        lines.append(f"Each round after the first one begins with {who[int(r.first_player)]}.")
    if r.scored:
        given = ", ".join(f"{points} for {word}" for word, points in _points(r))
        last = f"the highest score after round {r.points_round} wins" if r.points_round else ""
        first = f"{r.points_to_win} points win when a winner is looked for" if r.points_to_win else ""
        lines.append(f"Victory points: {given}; {', or '.join(filter(None, (first, last)))}.")
    if not r.printed_victory:
        lines.append("Claimed victory cards alone do not win.")
    if r.partners:
        ways = {names.BESIDE: "beside each other (seats 1 and 2, 3 and 4)", names.OPPOSITE: "opposite (seats 1 and 3, 2 and 4)"}
        cards = "the cards that both have claimed are" if r.claims_together else "the cards of one of them are"
        lines.append(f"Partners sit {ways[r.partners]} and do not attack each other. They win together when {cards} enough.")
    return lines


def _condition(r: np.record, card: int, half: int) -> str:
    place = (card, half)
    text = _metric(r.agenda_metric[place], r.agenda_target[place], r.agenda_kind[place])
    if r.agenda_metric2[place] != names.METRIC_NONE:
        other = _metric(r.agenda_metric2[place], r.agenda_target2[place], r.agenda_kind2[place])
        text += f"{' and' if r.agenda_both[place] else ', or'} {other}"
    return text


def _metric(metric: int, target: int, kind: int) -> str:
    return f"{target} or more {counted_by(metric, kind)}"


def counted_by(metric: int, kind: int) -> str:
    """Return what an agenda counts (names.METRICS), after a number; `kind`: the focus type, terrain or level it counts by."""
    entry = names.METRIC[names.METRICS[metric]]
    kinds = {"type": names.FOCUS_TYPES, "terrain": names.TERRAINS}.get(entry.by, ("", *ROMAN))
    return entry.text.format(kind=kinds[kind])


# --- tiles and dials


def tile(r: np.record, number: int, sides: Iterable[int]) -> list[str]:
    """Describe a tile: a picture of each side and its printed marks."""
    index = number - 1
    lines = [f"tile {number}, {TILE_KINDS[r.tile_kind[index]].replace('_', ' ')}"]
    for side in sides:
        lines += [f"side {SIDES[side]} (space numbers, unrotated):", *_picture(r, index, side)]
        marks = [f"space {space}: {mark}" for space in range(r.offset_q.shape[1]) for mark in _marks(r, index, side, space)]
        lines.append(f"printed: {'; '.join(marks) or 'nothing'}")
    return lines


def _picture(r: np.record, index: int, side: int) -> list[str]:
    """Return the spaces drawn in their places, each with number and terrain."""
    q, row = r.offset_q[side * 6].astype(int), r.offset_r[side * 6].astype(int)
    left, width = (2 * q + row).min(), 9  # half a space is `width` characters
    lines = []
    for level in range(row.min(), row.max() + 1):
        text = ""
        for space in sorted(np.flatnonzero(row == level), key=lambda space: q[space]):
            word = names.TERRAINS[r.tile_terrain[index, side, space]].replace("natural_wonder", "nat. wonder")
            text = text.ljust((2 * q[space] + level - left) * width) + f"{space} {word}"
        lines.append("  " + text)
    return lines


def _marks(r: np.record, index: int, side: int, space: int) -> Iterator[str]:
    place = (index, side, space)
    for field, kind, words in (
        (r.tile_resource, "resource", names.RESOURCES),
        (r.tile_natural_wonder, "natural wonder", written(r, "natural_wonder")),
        (r.tile_city_state, "city-state", written(r, "city_state")),
        (r.tile_barbarian, "barbarian", names.LETTERS),
    ):
        if field[place] >= 0:
            yield f"{kind} {words[field[place]]}"
    if r.tile_capital[index, side] == space:
        yield "capital"


def tech_dial(r: np.record) -> list[str]:
    """Describe the technology dial."""
    levels = [f"{space}: level {ROMAN[level - 1]}" for space, level in enumerate(r.dial_level) if level]
    return [
        f"from {r.dial_start} to {r.dial_last}; the space after {r.dial_last} is {r.dial_after_last} (B6.3)",
        f"cards gained on reaching or passing: {', '.join(levels)} (B6.2)",
    ]


def event_dial(r: np.record) -> list[str]:
    """Describe the event dial."""
    sections = [
        f"section {index + 1}: {listed(_icons(r.event_icons[index])) if r.event_icons[index] else 'nothing'}"
        for index in range(r.event_sections)
    ]
    effects = [line for code in range(len(names.EVENT_ICONS)) if shows(r, code) for line in event_icon(r, code)[1:]]
    return [f"starts on section {r.event_start + 1}, not resolved (B2.4)", *sections, *effects]


def shows(r: np.record, code: int) -> bool:
    """Say whether the event dial shows the icon."""
    return any(r.event_icons[index] >> code & 1 for index in range(r.event_sections))


def event_icon(r: np.record, code: int) -> list[str]:
    """Describe an icon of the event dial."""
    on = [str(index + 1) for index in range(r.event_sections) if r.event_icons[index] >> code & 1]
    stays = "stays there" if r.barbarian_stays_at_capital else "goes back"
    order = "in the order of their letters" if r.barbarian_letter_order else "from the last letter back"
    effect = (
        "beaten barbarians return to their letter's space unless it holds a city or token (B11.5)",
        f"barbarians move one space, {order}; one that meets a capital takes {plural(r.capital_raid, 'trade token')} "
        f"and {stays} (B11.1, B11.2)",
        f"trade: {plural(r.event_trade_per_city, 'trade token')} for each own mature city (B12.1)",
        "districts: everyone resolves all own districts (T4.5)",
        "government: everyone may lay a government token on an own card in the first slot (T8.1)",
        f"wonder: a trade token on each face-up wonder changes its cost by {Number(r.wonder_token_cost):+d}; a second one "
        "takes it out of the game (T9.2)",
    )[code]
    return [f"icon of the event dial, on section {listed(on)}", effect]


# --- districts, governments, forts, exploring


def district(r: np.record, code: int) -> list[str]:
    """Describe a district and its options."""
    return [f"district; one for each player (T4.2, T4.{DISTRICT_RULES[code]})", *DISTRICTS[code](r)]


def government(r: np.record, kind: int) -> list[str]:
    """Describe a government."""
    places = plural(r.government_shift[kind], "place")
    return [f"government: the {names.FOCUS_TYPES[kind]} card it lies on acts {places} further right (T8.2)"]


def fort(r: np.record) -> list[str]:
    """Describe forts."""
    return [
        f"fort: terrain difficulty {r.terrain_difficulty[names.FORT]}, entered from slot {r.fort_enter_slot} on; "
        f"uncontrolled it defends with {r.fort_defence} (T6)",
        f"laid where it touches {plural(r.fort_touch_core, 'core space')} or more (T1.7)",
    ]


def exploring(r: np.record) -> list[str]:
    """Describe exploring."""
    return [f"{r.explore_price} movement, once a turn for each figure; the tile touches {r.explore_touch} spaces or more (T7)"]


# --- figures of rules


def numbers(r: np.record, field: str) -> str:
    """Return a field of the record in words."""
    value = getattr(r, field)
    leaders, agendas = written(r, "leader"), written(r, "agenda")
    special = {
        "terrain_difficulty": lambda: _pairs(names.TERRAINS[: names.FORT], value),
        "trade_effect": lambda: _pairs(names.FOCUS_TYPES[: names.GROWTH + r.box], value),
        "government_shift": lambda: _pairs(names.FOCUS_TYPES, value),
        "core_tiles_for": lambda: ", ".join(f"{players} players {tiles}" for players, tiles in enumerate(value) if tiles),
        "theater_tokens": lambda: _pairs(("near itself", "near a wonder"), value),
        "theater_range": lambda: _pairs(("near itself", "near a wonder"), value),
        "slot_number": lambda: listed(value[: r.slots]),
        "leader_row": lambda: "; ".join(
            f"{who}: {listed(names.FOCUS_TYPES[kind] for kind in row[: r.slots])}"
            for who, row in zip(leaders, value, strict=False)
        ),
        "trade_tokens_start": lambda: _pairs(leaders, value.sum(axis=1)),
        "deck_count": lambda: "; ".join(
            f"{players} players: {_pairs(names.ERAS, row)}" for players, row in enumerate(value) if row.any()
        ),
        "agenda_target": lambda: _pairs(
            [agendas[name] for name in r.agenda_name[: r.n_victory_cards].ravel()], value[: r.n_victory_cards].ravel()
        ),
        "may_attack": lambda: listed(flagged(value, (word.replace("_", " ") for word in ATTACKABLE))),
        "target_bonus": lambda: _pairs(ATTACKABLE[CITIES : CITIES + 2], value[CITIES:]),
        "tie_break": lambda: _rankings(value),
        "limit_ranking": lambda: _rankings(value),
        "points": lambda: _pairs(*zip(*_points(r), strict=True)) if value.any() else "none",
        "printed_victory": lambda: "yes" if value else "no",
        "partners": lambda: names.PARTNERS[value],
        "claims_together": lambda: names.TEAM_WINS[value],
        "start_bonus": lambda: "; ".join(
            f"{whose.replace('_', ' ')}: {_pairs(names.START_BONUSES, row)}"
            for whose, row in zip((*START_BONUS_FOR, *leaders), value, strict=False)
            if whose in START_BONUS_FOR or row.any()
        ),
        "dial_level": lambda: ", ".join(f"space {space}: {level}" for space, level in enumerate(value) if level),
        "wonder_cost": lambda: _pairs(written(r, "wonder"), value),
        "city_state_copies": lambda: _pairs(written(r, "city_state"), value),
        "event_start": lambda: f"section {value + 1}",
        "event_icons": lambda: "; ".join(listed(_icons(bits)) if bits else "nothing" for bits in value[: r.event_sections]),
        "card_production": lambda: "; ".join(
            f"{card_label(r, c)}: {listed(value[c, 1:])}" for c in range(r.n_cards) if value[c].any()
        ),
    }
    if field in special:
        return special[field]()
    if np.ndim(value):
        return ", ".join(f"{card_label(r, c)} {value[c]}" for c in range(r.n_cards) if value[c]) or "0"
    return str(value)


def card_label(r: np.record, code: int) -> str:
    """Return type and level of a card, and its leader if it is unique."""
    whose = f" of {written(r, 'leader')[r.card_unique[code]]}" if r.card_unique[code] >= 0 else ""
    return f"{names.FOCUS_TYPES[r.card_type[code]]} {ROMAN[r.card_level[code] - 1]}{whose}"


def _pairs(words: Iterable[str], values: Iterable[Any]) -> str:
    return ", ".join(f"{word} {value}" for word, value in zip(words, values, strict=False))


def _rankings(codes: Iterable[int]) -> str:
    return listed((names.RANKINGS[code].replace("_", " ") for code in codes if code), "then")


def _points(r: np.record) -> list[tuple[str, int]]:
    """Return the sources of victory points, each with its points."""
    return [(word.replace("_", " "), int(r.points[code])) for word, code in names.POINTS.items() if r.points[code]]


def _icons(bits: int) -> list[str]:
    return [word.replace("_", " ") for bit, word in enumerate(names.EVENT_ICONS) if bits >> bit & 1]
