"""A turn in one line, made of its lines in the log (words.py)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..wording import counted

SPACE = r"([A-Za-z]+-?\d+)(?: \([^()]*\))?"
CARD = r"([^()]+) \([a-z]+ [IV]+\)"
# Deeds of the player at turn, in the order in which they are listed: pattern of the line in the log, and phrase. `{0}` is the
# pattern's first group; a phrase without groups stands once for all its lines, with their number.
DEEDS = tuple(
    (re.compile(pattern), phrase)
    for pattern, phrase in (
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
ONE_BY_ONE = ("attacks {0}", "dial to {1}")  # of several only the last is listed


def glance(lines: Iterable[str]) -> str:
    """Return a turn in a line, with the event before it; "" where the player at turn did nothing."""
    groups_of: dict[str, list[tuple[str, ...]]] = {}
    for line in lines:
        for pattern, phrase in DEEDS:
            if fits := pattern.fullmatch(line.strip()):
                groups_of.setdefault(phrase, []).append(fits.groups())
                break
    return "; ".join(_phrase(phrase, groups_of[phrase]) for _, phrase in DEEDS if phrase in groups_of)


def _phrase(phrase: str, matches: list[tuple[str, ...]]) -> str:
    if phrase == TOKENS:
        return counted(sum(int(amount) for (amount,) in matches), "trade token")
    if "{" not in phrase:
        noun, _, rest = phrase.partition(" ") if phrase.startswith(("token", "attack")) else (phrase, "", "")
        return f"{counted(len(matches), noun)} {rest}".strip()
    phrases = [phrase.format(*groups) for groups in (matches[-1:] if phrase in ONE_BY_ONE else matches)]
    return NAMED_SEAT.sub("", ", ".join(dict.fromkeys(phrases)))
