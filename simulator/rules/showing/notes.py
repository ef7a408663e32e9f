"""What changes between two rulesets, as patch notes: "Scythia: trade tokens on each card 3 → 1", in the game's words.

A value is named by the innermost thing around it that has a printed name (a leader, a card, a wonder) and by what it is there;
the path, which house rules use, comes second. Values beside each other that change alike are one note, a new ability is one
sentence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import groupby
from typing import Any

from ... import names
from ..contents import SECTIONS
from ..loading.abilities import ability_holders, write_row
from ..loading.overlay import leaves
from ..loading.parameters import SWITCHES
from ..record import Draft
from .ability_sentences import sentence

BLOCK = "*"  # ends the path of a note about all values of a node
# What a value is, by its path: the first pattern that fits counts. {0} is the last step of the path.
WORDS = {
    "leaders.*.start_trade_tokens.*": "trade tokens on the {0} card", "leaders.*.head_start": "trade tokens of the head start",
    "leaders.*.start_row": "row from the left", "*.cost": "cost", "*.available": "in the game",
    "*.ability_works": "ability works", "*.condition.at_least": "needs at least", "*.condition.*": "{0}",
    "*.wonder_production.*": "production from slot {0}", "*.abilities.combat.amount": "combat bonus",
    "*.abilities.*.amount": "{1}", "*.abilities.*.from_round": "{1} from round", "*.abilities.*.until_round": "{1} until round",
    "*.abilities.*": "{1}, {0}", "components.mature_city_gaps": "spaces beside a mature city that may be without a token",
    "components.focus_row_reset_to": "place of the row that a resolved card returns to",
    "city_states.*.copies": "diplomacy cards", "*.shift": "slots the card moves",
    "components.per_player.*": "{0} of each player", "components.shared.*": "{0} in the supply",
    "components.terrain_difficulty.*": "difficulty of {0}", "components.combat.may_be_attacked.*": "{0} may be attacked",
    "components.combat.defence.*": "{0} in defence", "components.combat.*": "{0} in combat",
    "components.wonder_decks.*": "{0} world wonders in a deck, {1} players",
    "components.start_bonus.everyone.*": "{0} of every player at the start",
    "leaders.*.start_bonus.*": "{0} at the start", "components.face_up_wonders": "face-up world wonders of each deck",
    "components.leader_deal.*.leaders_per_player": "leaders dealt to each player",
    "components.leader_deal.*.bans_per_player": "leaders that each player bans",
    "components.leader_deal.*.choose_from": "leaders to choose from",
    "components.leader_deal.*.pick_order": "order in which leaders are chosen",
    "components.leader_deal.*.choice": "how leaders are chosen", "components.leader_deal.*.ranking": "ranking of leaders",
    **{
        f"components.start_bonus.{place}_in_turn_order.*": f"{{0}} of the {place} player at the start"
        for place in ("last", *names.PLACES)
    },
    "dials.tech_dial.level_spaces.*": "space {0} of the technology dial", "dials.tech_dial.*": "technology dial, {0}",
    "dials.icon_effects.barbarians_move.steps": "spaces that barbarians move",
    "dials.icon_effects.barbarians_appear.at_most": "barbarians that return at a time",
    "dials.*": "{0} on the event dial",
    "focus_cards.trade_token_effect.military_*": "{0} for a trade token on the military card",
    "focus_cards.trade_token_effect.*": "{0} for a trade token on the {1} card",
    "victory_cards.rules.*.cards_in_play": "victory cards in play",
    "victory_cards.rules.*.cards_needed": "victory cards needed to win",
    "victory_cards.rules.*.tie_break": "ties are broken by", "victory_cards.rules.*.round_limit": "the game ends after round",
    "victory_cards.rules.*.at_round_limit": "the winner at the round limit has",
    "victory_cards.rules.*": "victory cards, {0}", "diplomacy.limits.*": "diplomacy cards, {0}",
    "scores.points.*": "victory points for {0}", "scores.after_round": "round after which the highest score wins",
    "scores.first_to": "victory points that win", "scores.printed_victory": "claimed victory cards win",
    "teams.partners": "partners sit", "teams.victory": "partners win with the victory cards of",
    "rulings.*": "reading of the rules, {0}",
}  # fmt: skip
EACH = {
    "leaders.*.start_trade_tokens.*": "trade tokens on each card", "leaders.*.start_bonus.*": "each part of the start bonus",
    "components.start_bonus.everyone.*": "each part of every player's start bonus",
    **{
        f"components.start_bonus.{place}_in_turn_order.*": f"each part of the {place} player's start bonus"
        for place in ("last", *names.PLACES)
    },
}  # of blocks  # fmt: skip
LEVELS = {"dials.tech_dial.level_spaces.*": "level on space {0} of the technology dial"}  # a parameter moves the space instead
NAMES = ("name", "civ")
LEFT_OUT = {"abilities", "agendas", "options", *SECTIONS.values()}  # steps of a path that say nothing to a player
LONG = "(a list)"
EVERYONE = "Every player"


@dataclass(frozen=True)
class Note:
    """A change: of what, from which value to which, and the path that house rules use."""

    what: str
    old: str
    new: str
    path: str

    def __str__(self) -> str:
        if self.old == self.new == LONG:
            return f"{self.what}: changed"
        return f"{self.what} {self.old} → {self.new}" if self.old else f"{self.what}: {self.new}"


def patch_notes(new: Mapping[str, Any], old: Mapping[str, Any]) -> list[Note]:
    """Return the changes from the data of one ruleset to another's; descriptions that change nothing are left out."""
    before, after = dict(leaves(old)), dict(leaves(new))
    paths = [*before, *(path for path in after if path not in before)]
    changed = [path for path in paths if before.get(path) != after.get(path) or (path in before) != (path in after)]
    changed = [path for path in changed if not path.endswith((".effect", ".disputed")) or ".abilities." in path]
    notes = [*_whole(new, old, "new"), *_whole(old, new, "removed")]
    notes += [*_abilities(new, old, "{}"), *_abilities(old, new, "no longer: {}")]
    apart = tuple(f"{note.path}." for note in notes)
    changed = [path for path in changed if not path.startswith(apart)]
    for node, group in groupby(changed, key=lambda path: path.rpartition(".")[0]):
        part = list(group)
        block = len(part) > 1 and len(part) == sum(path.rpartition(".")[0] == node for path in paths)
        pairs = [(_shown(before, path), _shown(after, path)) for path in part]
        if block and len(set(pairs)) == 1:
            notes.append(Note(named(new, f"{node}.{BLOCK}"), *pairs[0], f"{node}.{BLOCK}"))
        else:
            notes += [Note(named(new, path, LEVELS), *pair, path) for path, pair in zip(part, pairs, strict=True)]
    return notes


def moved(data: Mapping[str, Any], path: str, old: int, new: int) -> Note:
    """Return the change of a parameter (rules/loading/parameters.py), or of a block of them, from a number to another."""
    before, after = (_text(SWITCHES[path][value]) if path in SWITCHES else str(value) for value in (old, new))
    return Note(named(data, path), before, after, path)


def _whole(there: Mapping[str, Any], missing: Mapping[str, Any], word: str) -> list[Note]:
    """Return a note for each named thing that is in one ruleset and not in the other."""
    return [Note(name, "", word, path) for path, name in _named_things(there) if _at(missing, path) is None]


def _abilities(there: Mapping[str, Any], missing: Mapping[str, Any], form: str) -> list[Note]:
    """Return a note for each ability of a thing in both rulesets that it has in one and not in the other."""
    held = dict(ability_holders(missing))
    found = []
    for path, entry in ability_holders(there):
        for key, ability in entry["abilities"].items():
            if path in held and key not in held[path]["abilities"]:
                whose = _holder(there, [*path.split("."), "abilities"])[0] or EVERYONE
                found.append(Note(whose, "", form.format(_said(ability)), f"{path}.abilities.{key}"))
    return found


def _said(ability: Mapping[str, Any]) -> str:
    """Return an ability in words."""
    draft = Draft()
    write_row(draft, 0, ability, "ability", own=True)
    return sentence(draft.record(), 0)


def _named_things(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield path and name of the outermost things that have one."""
    if not isinstance(value, Mapping):
        return
    if path and (name := _name(value)):
        yield path, name
        return
    for key, inner in value.items():
        yield from _named_things(inner, f"{path}.{key}" if path else str(key))


def _at(data: Any, path: str) -> Any:
    for step in path.split("."):
        data = data.get(step) if isinstance(data, Mapping) else None
    return data


def _name(value: Any) -> str:
    """Return the printed name of a thing, '' if it has none."""
    found = (value.get(key) for key in NAMES) if isinstance(value, Mapping) else ()
    return next((name for name in found if isinstance(name, str)), "")


def named(data: Mapping[str, Any], path: str, words_of: Mapping[str, str] | None = None) -> str:
    """Return what a path stands for: "Scythia: trade tokens on the culture card"; the path of a block ends with a star.

    `words_of` are words for patterns that come before those of WORDS.
    """
    holder, inner = _holder(data, path.split("."))
    steps = [step.replace("_", " ") for step in path.split(".")]
    whole = path.endswith(f".{BLOCK}")
    table = {**WORDS, **(EACH if whole else {}), **(words_of or {})}
    pattern = next((pattern for pattern in table if fnmatchcase(path, pattern)), "")
    last = ["each value" if whole else steps[-1], *reversed(steps[:-1])]
    rest = [step for step in steps[inner:-1] if step not in LEFT_OUT]
    words = table[pattern].format(*last) if pattern else ", ".join([*rest, last[0]])
    return f"{holder}: {words}" if holder else f"{words[0].upper()}{words[1:]}"


def _holder(data: Mapping[str, Any], steps: Sequence[str]) -> tuple[str, int]:
    """Return the name of the innermost thing around a value that has one, and the step at which its own values begin."""
    found, value = ("", 1), data
    for place, step in enumerate(steps[:-1], 1):
        if not isinstance(value, Mapping) or step not in value:
            break
        value = value[step]
        found = (_name(value), place) if _name(value) else found
    return found


def _shown(values: Mapping[str, Any], path: str) -> str:
    if path not in values:
        return "–"
    return _text(values[path])


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ", ".join(one.replace("_", " ") for one in value) or "none"
    if isinstance(value, list | dict):
        return LONG
    return value.replace("_", " ") if isinstance(value, str) else json.dumps(value)


def shortened(notes: Iterable[Note | str], most: int = 5) -> list[str]:
    """Return the notes as lines, at most so many, and how many more there are."""
    lines = [str(note) for note in notes]
    return lines if len(lines) <= most else [*lines[:most], f"{len(lines) - most} more"]
