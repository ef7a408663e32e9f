"""The page of `newdawn goals`: how many changes bring how many wishes, and each point with its verdicts and notes."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError, counted, listed, with_minus
from ...simulator.rules import load_ruleset
from ...simulator.rules.show import patch_notes, show
from ..pages import plots
from ..pages.report_parts import Chart, Column, Finding, Part
from ..pages.screen_parts import NEAREST, REACHES, First, Stands, Step
from ..pages.sentences import quoted, who_played
from ..questions.compare import NUMBERS
from ..stats.claims import AsMeasured, Nothing, Stand
from ..stats.verdicts import MOST_GAMES, round_up
from ..tables.kept_answers import KeptAnswer
from .wishes import MET, MISSED, OPEN, VERDICTS, told, value_words, with_interval

CHAPTER, POINTS = "What was found", "The points on the front"
TABLES = FRONT, GOALS, MOVED, EXPECTED, HELD, ADAPTED = ("front", "goals", "moved", "expected", "held", "adapted")
# FRONT is also the key of the chart, and the prefix of the keys of the points' parts, to which a click on a point leads.
TONES = {MET: "even", MISSED: "up", OPEN: "open"}
NAMED, KINDS = 6, 3  # wishes named in a sentence, and kinds of them on the first screen
LEADER = "win rate of "
ELSEWHERE = (
    "Still missed",
    "No change within",
    "At the end",
    "A wider range",
    "All ",
)  # beginnings of sentences that the page gives elsewhere
HALF = 0.5  # share of the wishes gained: the fewest changes that bring this many matter most
METHOD = (
    f"{VERDICTS} Of several strategies the worst counts. The distance adds up how far figures lie outside, in units of what "
    "matters.",
    "A model screened on paired seeds chose the points; all verdicts and intervals are of fresh games.",
)


def made(kept: KeptAnswer) -> tuple[list[Part], First, tuple[str, ...]]:
    """Return the page's parts, its first screen and its method."""
    empty = dict.fromkeys(("house_rule", "at_end"), "")
    front = kept.tables[FRONT].astype(dict.fromkeys(empty, object)).fillna(empty)
    parts = [_front(front, kept), _goals(kept, front)]
    optional = (("moved", _moved), ("held", _held), ("adapted", _adapted), ("expected", _expected))
    parts += [part(kept, front) for name, part in optional if len(kept.tables.get(name, ()))]
    parts += [_point(kept, row) for row in front[front["point"] > 0].to_dict("records")]
    return parts, _first(kept, front), METHOD


def _advised(front: pd.DataFrame) -> Any:
    return front[front["advised"]].iloc[0]


def rule_file(point: int) -> str:
    """Return the name of the house rule of a point, beside the page."""
    return f"point-{point}.yaml"


def _wishes(kept: KeptAnswer, point: int) -> pd.DataFrame:
    """Return the wishes under the rules and under a point, for readers."""
    frame = kept.tables[GOALS]
    own, rules = (frame[frame["point"] == place].reset_index(drop=True) for place in (point, 0))
    columns = [
        "goal",
        "figure",
        "players",
        "way",
        "band",
        "n",
        "verdict",
        "verdict_key",
        "certainty",
        "unit",
        "value",
        "low",
        "high",
    ]
    shown = own[[*columns, "wanted_low", "wanted_high"]].copy()
    shown["before"] = [with_interval(row) for row in rules.to_dict("records")]
    shown["after"] = [with_interval(row) for row in own.to_dict("records")]
    return shown.assign(**{f"before_{end}": rules[end] for end in ("value", "low", "high")})


# --- The first screen


def _first(kept: KeptAnswer, front: pd.DataFrame) -> First:
    row = _advised(front)
    shown = _wishes(kept, int(row["point"]))
    verdicts = []
    for word in (MET, MISSED, OPEN):
        names = list(dict.fromkeys(shown.loc[told(shown, word), "figure"]))
        if names:
            verdicts.append(Stands(f"{word}: {len(names)}", _kinds(names), TONES[word]))
    few = _enough(front)
    notes = [] if row["changes"] == 0 else patch_notes_of(kept, row)
    first = {note.key for note in patch_notes_of(kept, few)} if few is not None else {note.key for note in notes}
    ordered = [str(note) for note in notes if note.key in first], [str(note) for note in notes if note.key not in first]
    files = {
        rule_file(int(point["point"])): f"{point['house_rule']}\n" for point in front.to_dict("records") if point["point"] > 0
    }
    whole = row["met"] == row["wishes"]
    findings = quoted([text for text in kept.sentences if not text.startswith(ELSEWHERE)])
    if whole and findings and findings[0].text == kept.sentences[0]:  # the conclusion that all wishes are met
        findings[0] = Finding(Stand(shown, named=kept.sentences[:1]), kept.sentences[0])
    if few is not None:
        by_themselves = f"{_count(int(few['changes']))} changes by themselves bring {few['met']} of {row['wishes']} wishes"
        claim = AsMeasured(front)
        findings.append(Finding(claim, f"{by_themselves} (the point with {few['changes']} changes).", "change"))
    rules = str(kept.facts.get("rules", "")).partition(",")[0] or "given"
    return First(
        findings, verdicts=verdicts, chart=FRONT, change=REACHES if whole else f"{NEAREST}s",
        changed=ordered[0], rest=ordered[1], house_rule=str(row["house_rule"]) if notes else "", meanings=_meanings(kept),
        files=files, steps=_steps(kept, row, shown), headline=_answer(front, len(ordered[0]) if ordered[1] else 0),
        asked=f"Asked: which changes of the {rules} rules bring the game nearest to the goals “{kept.words.get('goals', '')}”, "
              f"{counted(int(row['wishes']), 'wish', 'wishes')} at tables of {kept.facts.get('players', '?')} players?",
    )  # fmt: skip


def _answer(front: pd.DataFrame, most: int) -> str:
    """Return the answer in one sentence; `most` is the number of changes that matter most."""
    row, rules = _advised(front), front.iloc[0]
    wishes, changes = counted(int(row["wishes"]), "wish", "wishes"), int(row["changes"])
    if not changes:
        whole = rules["met"] == rules["wishes"]
        return (
            f"Change nothing: the rules meet all {wishes}"
            if whole
            else f"No change helps: the rules meet {row['met']} of {wishes}"
        )
    bring = "change brings" if changes == 1 else "changes bring"
    met = f"all {wishes}" if row["met"] == row["wishes"] else f"{row['met']} of {wishes}"
    first = f"; these {_count(most).lower()} matter most" if most > 1 else "; this one matters most" if most else ""
    return f"{_count(changes)} {bring} {met}, {rules['met']} as the rules are{first}"


def _count(n: int) -> str:
    """Return a number that begins a sentence, in letters up to twelve."""
    word = {1: "one", **NUMBERS}.get(n, str(n))
    return f"{word[0].upper()}{word[1:]}"


def _kinds(figures: list[str]) -> list[str]:
    """Return the number of wishes of each kind: '24 win rates', '60 build rates'."""
    kinds = pd.Series(figures).str.extract(r"^(\w+ rate) of ")[0].fillna("other wish").value_counts()
    return [counted(int(n), kind, "other wishes" if kind == "other wish" else f"{kind}s")
            for kind, n in zip(map(str, kinds.index), kinds, strict=True)]  # fmt: skip


def _enough(front: pd.DataFrame) -> Any:
    """Return the point with the fewest changes that gain at least half of the wishes the advised one gains; None without it."""
    row = _advised(front)
    start = front["met"].iloc[0]
    points = front[(front["changes"] > 0) & (front["changes"] < row["changes"])]
    points = points[points["met"] - start >= HALF * (row["met"] - start)] if row["met"] > start else points.head(0)
    return None if points.empty else points.sort_values("changes", kind="stable").iloc[0]


@dataclass(frozen=True)
class ChangeNote:
    """A change as a patch note, and the text of its card afterwards."""

    note: str
    now: str = ""

    @property
    def key(self) -> str:
        """The note without its values: what is changed."""
        return self.note.rpartition(" → ")[0].rpartition(" ")[0]

    def __str__(self) -> str:
        return f"{self.note}. Now: {self.now}." if self.now else self.note


def patch_notes_of(kept: KeptAnswer, row: Any) -> list[ChangeNote]:
    """Return the changes of a point, with the changed cards' text where they are changes of the printed rules."""
    plain = [ChangeNote(text) for text in str(row["what"]).split("; ")]
    try:
        printed = load_ruleset(box=kept.box)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / rule_file(int(row["point"]))
            path.write_text(str(row["house_rule"]), "utf-8")
            then = load_ruleset([path], box=kept.box)
    except UserError:
        return plain
    notes = patch_notes(then.data, printed.data)
    if sorted(map(_values, map(str, notes))) != sorted(_values(change.note) for change in plain):
        return plain
    plain_ones = [note.path.endswith(".cost") or note.new == "0" for note in notes]  # the note says it all
    return [
        ChangeNote(str(note), "" if plain_one else _says(then, printed, note.what))
        for note, plain_one in zip(notes, plain_ones, strict=True)
    ]


def _values(note: str) -> str:
    """Return the values in a note: '3 → 6'."""
    match = re.search(r"\S+ → \S+$", note)
    return with_minus(match[0]) if match else note  # notes of earlier versions have hyphens


def _says(then: Any, printed: Any, card: str) -> str:
    """Return the changed lines of a card's text; '' if it has no text or only repeats the note."""
    name = card.partition(":")[0]
    try:
        before, after = show(printed, name), show(then, name)
    except UserError:
        return ""
    text = "; ".join(line.strip() for line in after if line not in before and line.startswith("  ") and "in short" not in line)
    return "" if text.startswith(card.partition(": ")[2].removeprefix("change in the ")) else text


def _steps(kept: KeptAnswer, row: Any, shown: pd.DataFrame) -> list[Step]:
    """Return the next steps: more fresh games for undecided wishes, wider ranges, players who have adapted."""
    if not kept.line:
        return []
    line, steps = re.sub(r" --(fresh \S+|quiet)", "", kept.line), []
    needed = kept.tables[GOALS]
    if "games_fewest" in needed:
        needed = needed.loc[needed["point"] == row["point"], "games_fewest"].dropna()
        within = needed[needed <= MOST_GAMES]
        undecided = f"{counted(len(needed), 'wish', 'wishes')} {OPEN}"
        if len(within):
            games = round_up(float(within.max()))
            steps.append(Step(f"{undecided}: at least {games:,} fresh games would decide.", f"{line} --fresh {games}"))
        elif len(needed):
            steps.append(Step(f"{undecided}, at the end of a band: no number of games that can be played decides."))
    if row["at_end"]:
        ends = len(str(row["at_end"]).split("; "))
        went = f"{_count(ends)} {'number' if ends == 1 else 'numbers'} went as far as the file of goals allows (by, from, to)"
        steps.append(Step(f"Would larger changes bring more? {went}.", line))
    elif row["missed"] and not row["changes"]:
        steps.append(Step("Would other numbers (changes in the goals file) bring the game nearer to its goals?", line))
    if row["changes"] and "--adapt" not in line:
        steps.append(Step("Does the advised change hold when players have adapted to it?", f"{line} --adapt"))
    return steps


def _meanings(kept: KeptAnswer) -> list[tuple[str, str]]:
    return [
        who_played(kept),
        ("Verdicts", VERDICTS),
        ("Fresh games", "Games that the search has not seen: what it found is not luck."),
    ]


# --- The front


def _front(front: pd.DataFrame, kept: KeptAnswer) -> Part:
    wishes = int(front["wishes"].iloc[0])
    shown = front.assign(taken=np.where(front["advised"], "→", ""), on=np.where(_on(front), "yes", "no"))
    columns = (
        Column("taken", "advised", "text"), Column("changes", kind="count"), Column("price", kind="number"),
        Column("distance", "distance [95%]", "number"), ("on", "on the front"), Column("met", kind="count"),
        Column("missed", kind="count"), Column("open", OPEN, "count"), ("n", "fresh games", "of each table"),
        ("what", "what changes"), ("at_end", "at an end of its range"),
    )  # fmt: skip
    return Part(
        FRONT, "How many changes bring how many wishes", lambda source: shown, columns, chapter=CHAPTER,
        note="The rules, and of each number of changes the combination nearest to the goals, on fresh games. Distance: how far "
             "figures lie outside their bands, in units of what matters (2 points, 1 round), added up. On the front: nearer to "
             "the goals than every cheaper point.",
        charts=(Chart(
            FRONT, _headline(front), f"Wishes met, of {wishes}; lines upwards: those that are open. Filled: advised. Click "
            "on a dot for its verdicts.", _draw_front, lambda rows: 3.4,
        ),),
        findings=lambda rows, source: quoted(list(filter(None, [*kept.sentences, kept.words.get("model", "")]))),
    )  # fmt: skip


def _on(front: pd.DataFrame) -> np.ndarray:
    """Return which points are on the front."""
    return front["front"].to_numpy(bool) if "front" in front else np.ones(len(front), bool)


def _headline(front: pd.DataFrame) -> str:
    """Return the title of the front's chart."""
    row, changes = _advised(front), counted(int(front["changes"].max()), "change")
    if row["changes"]:
        meet = "change meets" if row["changes"] == 1 else "changes meet"
        wishes = counted(int(row["wishes"]), "wish", "wishes")
        return f"{row['changes']} {meet} {row['met']} of {wishes} instead of {front['met'].iloc[0]}"
    return (
        "The rules meet every goal" if row["met"] == row["wishes"] else f"Up to {changes} bring the game measurably no nearer"
    )


def _draw_front(frame: pd.DataFrame, ax: Any) -> None:
    x, y = frame["changes"].to_numpy(float), frame["met"].to_numpy(float)
    ax.vlines(x, y, y + frame["open"], color=plots.BLUE, linewidth=1.3, zorder=2)
    on = _on(frame)
    ax.plot(x[on], y[on], "-", color=plots.BLUE, linewidth=1.3, zorder=2)
    faces = [plots.BLUE if advised else plots.PAPER for advised in frame["advised"]]
    # `svg` puts the chart's key before the link: the part of point 2 is front-2.
    links = [f"#{point}" if point else None for point in frame["point"]]
    marks = ax.scatter(x, y, s=90, c=faces, edgecolors=plots.BLUE, zorder=3)
    marks.set_urls(links)
    for row in frame.to_dict("records"):
        place = {"xytext": (0, -16), "textcoords": "offset points", "fontsize": 8.5, "ha": "center"}
        ax.annotate(str(row["met"]), (row["changes"], row["met"]), **place)
    wishes = int(frame["wishes"].iloc[0])
    ax.axhline(wishes, color=plots.MUTED, linewidth=1, linestyle="--", label=f"all {wishes}")
    ax.set_xticks(sorted(set(x)))
    ax.set_ylim(bottom=0, top=1.08 * wishes)
    ax.set_xlim(min(x) - 0.5, max(x) + 0.5)
    ax.set_xlabel("changes of the rules")
    ax.set_ylabel("wishes met")
    ax.grid(axis="y", linewidth=0.5, alpha=0.4)
    ax.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2)


# --- A point and its wishes

WISHES = (
    "figure", "way", "band", ("before", "rules [95%]"), ("after", "changed [95%]"), ("n", "n"), Column("verdict", kind="text"),
)  # fmt: skip


def _goals(kept: KeptAnswer, front: pd.DataFrame) -> Part:
    row = _advised(front)
    frame = _wishes(kept, int(row["point"]))
    missed = list(dict.fromkeys(frame.loc[told(frame, MISSED), "figure"]))
    sentence = f"Missed: {listed(missed[:NAMED])}{f' and {len(missed) - NAMED} more' if len(missed) > NAMED else ''}."
    return Part(
        "goals", "Every goal: before and after", lambda source: frame, WISHES, chapter=CHAPTER, rows=300,
        note="Each figure under the rules and under the advised point; shares in per cent.",
        charts=_leaders(frame, "goals"),
        findings=lambda rows, source: [
            Finding(Stand(frame[told(frame, MISSED)], beside=[len(missed) - NAMED]), sentence) if missed
            else Finding(Nothing(frame), "No goal is measurably missed.")
        ],
    )  # fmt: skip


def _leaders(frame: pd.DataFrame, key: str) -> tuple[Chart, ...]:
    """Return the charts of the leaders before and after, one for each number of players and strategy."""
    leaders = frame[frame["figure"].str.startswith(LEADER) & ~frame["figure"].str.contains(r" player\b", regex=True)]
    players = leaders["players"].astype(str) + " players"
    charts = []
    for at, ((count, way), group) in enumerate(leaders.groupby([players, "way"], sort=False)):
        rows = group.assign(whom=group["figure"].str.removeprefix(LEADER).str.replace(r" \(\d+ players\)$", "", regex=True))
        out = int((~told(rows, MET)).sum())
        met = "all in their bands" if not out else f"{len(rows) - out} of {len(rows)} shown to be in their bands"
        charts.append(Chart(
            f"{key}-leaders-{at}", f"Leaders before and after, {count}: {met}",
            f"Win rate, %, played by {way}; open: the rules, filled: changed; grey: the band.",
            partial(_draw_leaders, rows=rows), partial(_tall, size=len(rows)),
        ))  # fmt: skip
    return tuple(charts)


def _tall(_: pd.DataFrame, size: int) -> float:
    return 1.1 + 0.34 * size


def _draw_leaders(_: pd.DataFrame, ax: Any, rows: pd.DataFrame) -> None:
    shown = rows.sort_values("value", ascending=False, kind="stable")
    y = np.arange(len(shown))[::-1].astype(float)
    for shift, names, face in (
        (0.15, ("before_value", "before_low", "before_high"), plots.PAPER),
        (-0.15, ("value", "low", "high"), plots.BLUE),
    ):
        value, low, high = (100 * shown[name].to_numpy(float) for name in names)
        style = {"fmt": "o", "color": plots.BLUE, "markerfacecolor": face, "capsize": 3, "markersize": 5, "linewidth": 1.2}
        ax.errorbar(value, y + shift, xerr=np.maximum(np.stack([value - low, high - value]), 0), **style)
    if shown["wanted_low"].nunique() == 1 and shown["wanted_high"].nunique() == 1:
        low, high = (100 * np.clip(shown[f"wanted_{end}"].iloc[0], 0, 1) for end in ("low", "high"))
        ax.axvspan(low, high, color=plots.MUTED, alpha=0.18, linewidth=0)
    ax.set_yticks(y, list(shown["whom"]))
    ax.set_ylim(-0.6, len(shown) - 0.4)
    ax.set_xlabel("win rate, %")
    ax.grid(axis="x", linewidth=0.5, alpha=0.4)


def _point(kept: KeptAnswer, row: Any) -> Part:
    point = int(row["point"])
    frame = _wishes(kept, point)
    counts = f"{row['met']} of {row['wishes']} wishes are met, {row['missed']} missed, {row['open']} {OPEN}"
    own = AsMeasured(pd.DataFrame([row]))
    findings = [Finding(own, f"{counts} (n = {row['n']:,} fresh games of each table).")]
    notes = "; ".join(change.note for change in patch_notes_of(kept, row))
    text = f"Patch notes: {notes}. As a house rule: `{rule_file(point)}`, beside this page."
    findings.append(Finding(replace(own, named=[notes]), text))
    if not row["nearer"]:
        text = "It is not measurably nearer to the goals than a point with fewer changes."
        findings.append(Finding(Nothing(own.rows), text))
    title = f"{counted(int(row['changes']), 'change')}: {row['met']} of {counted(int(row['wishes']), 'wish', 'wishes')}"
    note = f"Distance {row['distance']:.1f} [{row['distance_low']:.1f}, {row['distance_high']:.1f}]."
    return Part(
        f"{FRONT}-{point}", title, lambda source: frame, WISHES, rows=300, chapter=POINTS, note=note,
        charts=_leaders(frame, f"{FRONT}-{point}"), findings=lambda rows, source: findings,
    )  # fmt: skip


# --- Optional parts


def _moved(kept: KeptAnswer, front: pd.DataFrame) -> Part:
    point = int(_advised(front)["point"])
    frame = kept.tables[MOVED]
    frame = frame[frame["point"] == point].reset_index(drop=True)
    ends = ("difference", "difference_all_low", "difference_all_high")
    frame = frame.assign(
        change=[with_interval(row, ends) for row in frame.to_dict("records")],
        rules=[value_words(row["a"], row["unit"]) for row in frame.to_dict("records")],
        changed=[value_words(row["b"], row["unit"]) for row in frame.to_dict("records")],
        far=np.where(frame["beyond"], "beyond its margin", ""),
    ).sort_values("beyond", ascending=False, kind="stable", ignore_index=True)
    columns = (
        "figure", "players", "way", "rules", "changed", ("change", "change [95% all]"),
        Column("pairs", "pairs of games", "count"), ("far", "beyond its margin?"),
    )  # fmt: skip
    out = frame[frame["beyond"]]
    names = [f"{row['figure']} ({row['players']} players)" for row in out.head(NAMED).to_dict("records")]
    more = f" and {len(out) - NAMED} more" if len(out) > NAMED else ""
    sentence = f"Moved beyond their margin, though no goal names them: {listed(names)}{more}."
    none = "No other figure moves measurably beyond its margin."
    return Part(
        "moved", "What else moves", lambda source: frame, columns, chapter=CHAPTER, rows=300,
        note="Figures that no goal names, against the rules on the same seeds; shares in percentage points.",
        findings=lambda rows, source: [
            Finding(Stand(out, beside=[len(out) - NAMED]), sentence) if names else Finding(Nothing(frame), none)
        ],
    )  # fmt: skip


def _held(kept: KeptAnswer, front: pd.DataFrame) -> Part:
    frame = kept.tables[HELD]
    frame = frame.assign(
        under=np.where(frame["changes"] == 0, "the rules", "changed"),
        found=[with_interval(row) for row in frame.to_dict("records")],
    )
    columns = ("way", "under", "figure", "band", ("found", "figure [95%]"), ("n", "n"), Column("verdict", kind="text"))
    findings = []
    for (way, under), group in frame.groupby(["way", "under"], sort=False):
        numbers = {word: int(told(group, word).sum()) for word in (MET, MISSED, OPEN)}
        words = ", ".join(f"{number} {word}" for word, number in numbers.items())
        findings.append(Finding(AsMeasured(group, beside=list(numbers.values())), f"Played by `{way}`, {under}: {words}."))
    return Part(
        "held", "Other strategies", lambda source: frame, columns, chapter=CHAPTER, rows=300,
        note="The rules and the advised point, played by others; a goal may depend on who plays.",
        findings=lambda rows, source: findings,
    )  # fmt: skip


def _adapted(kept: KeptAnswer, front: pd.DataFrame) -> Part:
    frame = kept.tables[ADAPTED]
    ends = ("before_value", "before_low", "before_high")
    frame = frame.assign(
        found=[with_interval(row) for row in frame.to_dict("records")],
        before=[with_interval(row, ends) for row in frame.to_dict("records")],
    )
    columns = (
        "figure", "band", ("before", "as they are [95%]"), ("found", "trained [95%]"), ("n", "n"),
        ("before_verdict", "verdict before"), Column("verdict", "verdict, trained", "text"), ("stands", "does it stand?"),
    )  # fmt: skip
    return Part(
        "adapted", "Players who have adapted", lambda source: frame, columns, chapter=CHAPTER, rows=300,
        note="The advised point, played by a learned player as it is, and by the same player trained under the changed rules.",
        findings=lambda rows, source: quoted([text for text in kept.sentences if "verdict" in text]),
    )  # fmt: skip


def _expected(kept: KeptAnswer, front: pd.DataFrame) -> Part:
    frame = kept.tables[EXPECTED]
    ends = ("expected", "expected_low", "expected_high")
    rows = frame.to_dict("records")
    frame = frame.assign(
        agrees=np.where(frame["within"], "yes", "no"), shown=[with_interval(row, ends) for row in rows],
        known=[with_interval(row, ("fresh", "low", "high")) for row in rows],
    )  # fmt: skip
    columns = (
        Column("point", kind="count"), "figure", "players", "way", ("shown", "expected [95%]"), ("known", "fresh games [95%]"),
        ("n", "n"), ("agrees", "do they agree?"),
    )  # fmt: skip
    return Part(
        "expected", "What the model expected", lambda source: frame, columns, chapter=CHAPTER,
        note="Point 0 is the rules. Shares in per cent. Model and games agree if the 95% interval of their difference holds 0.",
        findings=lambda rows, source: quoted(list(filter(None, [kept.words.get("model", "")]))),
    )  # fmt: skip
