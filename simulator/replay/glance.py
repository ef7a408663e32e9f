"""A turn at a glance: what it came to, in a line made of its lines in the log (words.py)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..wording import counted

SPACE = r"([A-Za-z]+-?\d+)(?: \([^()]*\))?"
CARD = r"([^()]+) \([a-z]+ [IV]+\)"
# What the player at turn does, in the order of telling: the line of the log, and what is told of it. `{0}` is put in from the
# line; of several such lines a phrase without one is told once, with their number before it.
DEEDS = tuple(
    (re.compile(pattern), told)
    for pattern, told in (
        (rf"(?:.+: )?(?:plays|resolves) {CARD} from slot (\d).*", "{0} in slot {1}"),
        (rf"places a city on {SPACE}.*", "city on {0}"),
        (rf"builds ([^()]+) \([^()]*\) in the city on {SPACE}", "builds {0}"),
        (rf"places the (.+) on {SPACE}(?: in place.*)?", "{0} on {1}"),
        (rf"places a (?:reinforced )?control token on {SPACE}.*", "control token"),
        (rf"the (?:control token|[A-Z][A-Za-z ]+) of .+ on {SPACE} is reinforced", "token reinforced"),
        (r"moves the technology dial from (\d+) to (\d+)", "dial to {1}"),
        (rf"replaces {CARD} with {CARD}.*", "{1}"),
        (rf"caravan \d+ arrives at (.+) on {SPACE}", "caravan to {0}"),
        (r"takes the diplomacy card of (.+)", "card of {0}"),
        (r"takes (?:the token of )?([^()]+?)(?: from .*)?", "takes {0}"),
        (rf"attacks ((?:the |barbarian ).+) at {SPACE}", "attacks {0}"),
        (r"die .+: the attacker wins", "attack won"),
        (r"die .+: the attack fails", "attack lost"),
        (r"conquers ([^()]+?),.*", "conquers {0}"),
        (r"explores.*: tile (\d+)(?: .*)?", "explores tile {0}"),
        (r"gets (\d+) trade tokens? on .*", "trade tokens"),
        (r"\*\*\* .+ claims (.+) \(victory card \d+: .*\)", "claims {0}"),
        (r"Event dial to section \d+: (.+)", "event: {0}"),
    )
)
TOKENS = "trade tokens"
NAMED_SEAT = re.compile(r" \(seat \d\)")
ONE_BY_ONE = ("attacks {0}", "dial to {1}")  # of several, the last is told


def glance(lines: Iterable[str]) -> str:
    """Return what a turn came to, with the event before it; "" where the lines tell of no deed of the player at turn."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for line in lines:
        for pattern, told in DEEDS:
            if fits := pattern.fullmatch(line.strip()):
                found.setdefault(told, []).append(fits.groups())
                break
    return "; ".join(_told(told, found[told]) for _, told in DEEDS if told in found)


def _told(told: str, each: list[tuple[str, ...]]) -> str:
    if told == TOKENS:
        return counted(sum(int(amount) for (amount,) in each), "trade token")
    if "{" not in told:
        noun, _, rest = told.partition(" ") if told.startswith(("token", "attack")) else (told, "", "")
        return f"{counted(len(each), noun)} {rest}".strip()
    phrases = [told.format(*groups) for groups in (each[-1:] if told in ONE_BY_ONE else each)]
    return NAMED_SEAT.sub("", ", ".join(dict.fromkeys(phrases)))
