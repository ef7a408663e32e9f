"""Every key of the rules that house rules can change, with its value, what it may be, and a sentence: `newdawn rules list`.

The keys are the values that the engine reads; what each may be is read off the models that check it, so the list cannot promise
what would be refused. Limits that depend on other values (no more victory cards in play than there are) are checked when house
rules are laid over, and not in the list.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import Any

import yaml

from ... import names
from ...errors import UserError, nearest
from ...reading import yaml_of
from ...wording import counted
from ..loading.changeable import changeable
from ..loading.load import Ruleset, load_ruleset
from ..loading.packaged import ruling_options
from ..models.choices import described
from .search import Key, Search, phrases

UNIQUE_CARD = re.compile(r"leaders\.\w+\.unique_card\.")
LONGEST = 60  # characters of a value shown; JSON has the whole


def keys(ruleset: Ruleset) -> list[Key]:
    """Return every key that can be changed, in the order of the data."""
    rulings = ruling_options(ruleset.box)
    listed = []
    for one in changeable(ruleset.data):
        said = described(one.kind, one.meta)
        text = f"{one.about}: {said}." if one.about else said or sentence(one.path)
        stem, _, rest = one.path.partition(".")
        listed.append(Key(one.path, one.value, one.allowed, str(rulings[rest]["text"]) if stem == "rulings" else text))
    return listed


def matching(ruleset: Ruleset, words: str) -> list[Key]:
    """Return the keys that fit the words of a search, or else most of them; all of them if there are none."""
    return found(ruleset, words)[0]


def found(ruleset: Ruleset, words: str) -> tuple[list[Key], list[str]]:
    """Return the keys that fit the words of a search, and what is to be said to it.

    If none fits all of them, those that fit most; with words that mean what the engine cannot do, none.
    Raises UserError, with the nearest word or the box that has such keys, if there is nothing.
    """
    listed = keys(ruleset)
    search = Search(words)
    said = search.notes(ruleset.box)
    if fit := search.among(listed):
        return fit, said
    for box in names.BOXES:
        if box != ruleset.box and search.among(keys(load_ruleset(box=box))):
            raise UserError(f"'{words}': no key of the box {ruleset.box} matches; the box {box} has some: add --box {box}")
    if not search.is_answered and (near := search.best(listed)):
        counts = ", ".join(f"{term}: {n or 'none'}" for term, n in search.each(listed).items())
        return near, [*said, f"No key matches all of it ({counts}); these match most."]
    if said:
        raise UserError(f"'{words}': {' '.join(said)}")
    if able := search.abilities():
        raise UserError(f"'{words}': no key of the game matches; abilities can do it: {', '.join(able)} (docs/abilities.md)")
    if "." in words:
        known = {key.path for key in listed}
    else:
        known = {word for key in listed for step in key.path.split(".") for word in (step, *step.split("_"))} | set(phrases())
    close = nearest(words, sorted(known), cutoff=0.7) or "; try 'cost', 'trade tokens' or 'wonders.*.cost'"
    raise UserError(f"'{words}': no key matches in path or meaning{close}")


def lines(some: list[Key]) -> list[str]:
    """Return the keys as text, those that one sentence describes together."""
    groups: dict[tuple[str, str], list[Key]] = {}
    for key in some:
        groups.setdefault((key.text, key.allowed), []).append(key)
    text = []
    for (said, allowed), group in groups.items():
        text.append(f"{said} ({allowed})")
        text += [f"    {key.path} = {_shown(key.value)}" for key in group]
    return [*text, f"{counted(len(some), 'key')} that house rules can change"]


def _shown(value: Any) -> str:
    """Return a value as it is written in YAML, cut where it is long."""
    text = yaml.safe_dump(value, default_flow_style=True, width=10_000, sort_keys=False).removesuffix("...\n").strip()
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


# --- sentences


@cache
def _sentences() -> dict[str, str]:
    text = (resources.files("newdawn.simulator") / "data" / "keys.yaml").read_text("utf-8")
    return dict(yaml_of(text, "keys.yaml"))


def sentence(path: str) -> str:
    """Return the sentence of keys.yaml about a path, '' if it has none."""
    place = UNIQUE_CARD.sub("focus_cards.ti.unique.", path)
    return next((text for pattern, text in _sentences().items() if fnmatchcase(place, pattern)), "")
