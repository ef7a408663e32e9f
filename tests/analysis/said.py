"""Reads what a sentence says back, finds the row of the table that it is about, and says whether it can be read at all."""

import re
from types import SimpleNamespace

import numpy as np

from newdawn.analysis.stats.verdicts import ORDER, sure_to_differ
from newdawn.analysis.tables.victory_cards import BETWEEN

NUMBER = r"[+−]?[\d,]+(?:\.\d+)?"
INTERVAL = re.compile(rf"({NUMBER})%? \[({NUMBER})%?, ({NUMBER})%?\]")
COUNT = re.compile(r"(?:n = |built |over )([\d,]+)")
# How a sentence names the row of a part's table; where nothing is said here: by the words of the first column.
NAMES = {
    "mended": "{leader} would be", "leaders-by-strategy": "{leader} played by {strategy}",
    "leaders-with-strategies": "{leader} with {strategy}",
    "matchups": "{leader} against {opponent}", "order": "place {order}",
    "leaders-by-card": "{leader} … with {card}", "leaders-agendas": "{leader} by {agenda}", "agendas": "{agenda}",
    "agenda-users": "{leader} claims {agenda}", "card-set-leaders": "{leader} … with {cards}",
    "comebacks": "by {behind} or more",
    "predictability": "after round {round}", "spread": "", "lead": "", "length": "", "gifts": "{what} ({kind})",
    "compare": "{figure}", "cut": "", "experiment": "{arm}", "sensitivity": "{what}: {figure}", "ladder": "{strategy}",
    "ways": "{figure}, {one} minus {other}", "ahead": "{measure} … end of round {round}",
    "behind": "{behind} {measure} behind … round {round}", "trajectories": "end of round {round}",
    "start-places": "tile {tile}",
}  # fmt: skip


def written(text, certainty="measured"):
    """A sentence as a page has it, which no claim vouches for."""
    return SimpleNamespace(text=text, certainty=certainty)


def read(text):
    return float(text.replace("−", "-").replace(",", ""))


def close(text, value):
    """A figure in a text is the value, rounded to as many places as the text has."""
    return abs(read(text) - value) <= 0.501 / 10 ** len(text.partition(".")[2])


def figures(row):
    """Yield (value, low, high) of all figures of a row, as they are and in per cent."""
    for name in (str(column).removesuffix("_low") for column in row if str(column).endswith("_low")):
        ends = [row.get(name.removesuffix("_all")), row[f"{name}_low"], row[f"{name}_high"]]
        if all(isinstance(end, float) for end in ends):
            yield ends
            yield [100 * ends[0], *(100 * np.clip(ends[1:], 0, 1))]
            yield [100 * end for end in ends]  # a change
            yield [-ends[0], -ends[2], -ends[1]]  # how far below


def named(key, row, piece):
    """Whether a piece of a sentence names the row."""
    form = NAMES.get(key, f"{{{next(iter(row))}}}")
    words = [word.format(**{str(name): value for name, value in row.items()}) for word in form.split(" … ")]
    plain = piece.replace(" and ", ", ")
    return all(re.search(rf"(?i)(?<!\w){re.escape(word.replace(BETWEEN, ', '))}(?!\w)", plain) for word in words)


def numbers(row):
    """Return the numbers of a row as counts are written."""
    return {f"{value:,.0f}" for value in row.values() if not isinstance(value, str) and value == value}


def disagreement(key, frame, findings):
    """Return the first piece of a sentence whose figures, intervals and counts are not those of a row it names; else None."""
    known = [(row, list(figures(row)), numbers(row)) for row in frame.to_dict("records")]
    for finding in findings:
        for piece in re.split(r"; |\. ", finding.text):
            told, counts = INTERVAL.findall(piece), COUNT.findall(piece)
            if told and not any(
                named(key, row, piece)
                and all(any(all(map(close, one, values)) for values in own) for one in told)
                and all(count in whole for count in counts)
                for row, own, whole in known
            ):
                return f"{key}: {piece}"
    return None


UNRANKED = re.compile(r"is the strongest|The strongest|Undecided which")  # of ranks, not of rows


def too_sure(key, frame, findings):
    """Return the first sentence whose badge is surer than what its row says of one that it names; else None.

    A sentence with a row's verdict is as sure as that is; another one says that the row differs.
    """
    if "p_adjusted" not in frame:
        return None
    for finding in findings:
        if finding.certainty not in ("strong", "shown") or UNRANKED.search(finding.text):
            continue
        for row in frame.to_dict("records"):
            if any(named(key, row, piece) for piece in re.split(r"; |\. ", finding.text)):
                judged = str(row.get("verdict", "")).partition(",")[0]
                says_it = judged and judged in finding.text.lower()
                own = row["certainty"] if says_it else sure_to_differ(row)
                if ORDER.index(finding.certainty) < ORDER.index(own):
                    return f"{key}: {finding.text} ({finding.certainty}) names {row} ({own})"
    return None


LONGEST = 25  # words of a sentence
LONGER = (
    "No verdict on leaders",  # names who played whom, and the option that mends it
)


def sentences(text):
    """The sentences of a finding, without what stands in brackets: n, intervals, how many were tested."""
    return [re.sub(r" *(\([^()]*\)|\[[^]]*\])", "", one) for one in re.split(r"(?<=[.:;?]) +(?=[A-Z\d−+`])", text)]


def unreadable(findings):
    """Return the sentences of findings (or texts) that are too long, or hold more than one interval."""
    found = []
    for text in (getattr(one, "text", one) for one in findings):
        whole = [one for one in re.split(r"(?<=[.?]) +(?=[A-Z`])", text) if not one.startswith(LONGER)]
        found += [one for one in whole if len(INTERVAL.findall(one)) > 1]
        found += [one for one in sentences(text) if len(one.split()) > LONGEST and not one.startswith(LONGER)]
    return found


def unreadable_on(folder):
    """Return such sentences of the Markdown beside a page: of its paragraphs and lists, without tables and commands."""
    text = re.sub(r"```.*?```", "", (folder / "report.md").read_text("utf-8"), flags=re.DOTALL)
    lines = [line.strip("-*> ") for line in text.splitlines() if not line.startswith(("|", "#", "!["))]
    return unreadable(re.sub(r"[*]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line)) for line in lines if line)
