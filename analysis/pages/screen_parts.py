"""What a first screen is made of: verdicts, steps with their answers, who played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...simulator.errors import listed
from ..tables import reference_results
from .report_parts import Finding


@dataclass(frozen=True)
class Answer:
    """The answer of a command to a question about the run, as kept in `place`."""

    command: str
    about: str  # the figure that a search was for
    line: str  # the answer in a sentence
    place: Path
    title: str
    lines: Mapping[str, str] = field(default_factory=dict)  # of each leader, where it is asked of leaders


@dataclass(frozen=True)
class Step:
    """A question, the command that answers it, and the answer if there is one."""

    question: str
    command: str = ""
    answer: str = ""
    link: str = ""  # to the full answer on the page
    place: str = "next"  # its heading on the first screen: "change", "sure", "next" or "asked"


ABOUT = "What is changed"  # the heading of changes that the user asked about
REACHES, NEAREST = "What to change", "The nearest change"  # headings of a change that reaches its target, and of another


@dataclass(frozen=True)
class First:
    """The first screen: a headline, verdicts with the names they concern, a chart (its key), sentences, and a table of texts.

    The table of a run has the leaders' rates under each strategy. `changed` are changes of the rules as patch notes,
    `house_rule` is the change advised, as YAML. `steps` are what to do next, `meanings` terms and what they mean.
    """

    findings: list[Finding]
    headings: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    note: str = ""
    verdicts: list[Stands] = field(default_factory=list)
    chart: str = ""
    change: str = ABOUT
    changed: list[str] = field(default_factory=list)
    house_rule: str = ""
    steps: list[Step] = field(default_factory=list)
    meanings: list[tuple[str, str]] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)  # beside the page, except for the change advised
    headline: str = ""  # the verdict in one short sentence
    asked: str = ""  # the question, if the title does not ask it
    rest: list[str] = field(default_factory=list)  # more of `changed`, folded away

    @property
    def advises(self) -> bool:
        """Whether the page proposes a change, which then comes before how sure it is."""
        return self.change != ABOUT

    def placed(self, place: str) -> list[Step]:
        """Return the steps that stand under a heading."""
        return [step for step in self.steps if step.place == place]


@dataclass(frozen=True)
class Stands:
    """A verdict and whom it concerns; `tone` is one of answer.TONES; `meaning` says when the verdict is given."""

    words: str
    names: list[str]
    tone: str
    meaning: str = ""


def who(strategies: Sequence[str], box: str, seats: int) -> str:
    """Return who played, how strong they are, and whether a better player may change the answer."""
    names = listed([f"`{name}`" for name in strategies])
    one = len(strategies) == 1
    played = f"{'All seats' if one else 'Seats'} were played by {names}, {'a program' if one else 'programs'} of this tool."
    return " ".join(
        [played, *reference_results.described(strategies, box, seats), reference_results.about_better(strategies, box, seats)]
    )
