"""What no word of own content says, with the nearest way: the list of `data/unsayable.yaml`. Start with `answer`, which
tells who wrote an unknown word what comes nearest; `rows` is the list as a table for docs/abilities.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from importlib import resources

from ..reading import yaml_of

FILE = "unsayable.yaml"
LIKE = 0.74  # similarity of two parts of words from which one is the other misspelt: form_round, from_round
FUNCTION = "or write it as `own_function`, a function of your own"


@dataclass(frozen=True)
class Unsaid:
    """Something that designers want to say, and no word does."""

    words: tuple[str, ...]  # what they write for it
    wish: str
    nearest: str
    function: bool  # whether own_function can do it

    @property
    def way(self) -> str:
        """Return the nearest way, with `own_function` where that can do it."""
        return f"{self.nearest}; {FUNCTION}" if self.function else self.nearest


@cache
def wishes() -> tuple[Unsaid, ...]:
    """Return the list."""
    text = (resources.files("newdawn.simulator") / "data" / FILE).read_text("utf-8")
    return tuple(
        Unsaid(tuple(entry["words"]), entry["wish"], entry["nearest"], entry["function"]) for entry in yaml_of(text, FILE)
    )


def find(word: str, whole: bool = False) -> Unsaid | None:
    """Return the wish that a word stands for: one of whose words has all its parts there (`whole`: and it has no others), the
    longest of them; or None."""
    parts = set(map(_singular, _parts(word)))
    listed = ((set(map(_singular, _parts(text))), entry) for entry in wishes() for text in entry.words)
    found = [(len(own), entry) for own, entry in listed if (own == parts if whole else own <= parts)]
    return max(found, key=lambda pair: pair[0])[1] if found else None


def answer(word: str, valid: Iterable[str]) -> str:
    """Return what to tell about an unknown word, as the end of a message: the valid one that it is misspelt for, or the nearest
    way to say what nothing says, or nothing."""
    if close := misspelt(word, valid):
        return f"; did you mean '{close}'?"
    entry = find(word)
    return f"; no word says this ({entry.wish}); the nearest: {entry.way}" if entry else ""


def misspelt(word: str, valid: Iterable[str]) -> str:
    """Return the valid word that was meant and misspelt, or "": its parts are alike, in any order. A word that shares parts
    with another one (city_lost, city_built) means something else."""
    scores = {other: _alike(_parts(word), _parts(other)) for other in map(str, valid)}
    best = max(scores, key=lambda other: scores[other], default="")
    return best if best and scores[best] >= LIKE else ""


def rows() -> Iterator[str]:
    """Yield the list as rows of a table: wish, nearest way, whether own_function can do it."""
    for entry in wishes():
        yield f"| {entry.wish} | {entry.nearest} | {'yes' if entry.function else 'no'} |"


def _parts(word: str) -> list[str]:
    return str(word).lower().replace("-", "_").replace(" ", "_").split("_")


def _singular(part: str) -> str:
    return f"{part[:-3]}y" if part.endswith("ies") else part.removesuffix("s")


def _alike(given: list[str], other: list[str]) -> float:
    """Return how alike two words are: by their least alike parts, each with the one it is most alike to; or written as one."""
    whole = SequenceMatcher(None, "".join(given), "".join(other)).ratio() if 1 in (len(given), len(other)) else 0.0
    if len(given) != len(other):
        return whole if whole >= 0.9 else 0.0  # tradetokens
    left, least = list(other), 1.0
    for part in given:
        best = max(left, key=lambda own: _ratio(part, own))
        least = min(least, _ratio(part, best))
        left.remove(best)
    return least


def _ratio(a: str, b: str) -> float:
    return max(SequenceMatcher(None, x, y).ratio() for x, y in ((a, b), (_singular(a), _singular(b))))
