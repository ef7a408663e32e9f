"""The page of a search: what to change, how sure that is, and what else it moves."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.names import BOXES
from ...simulator.rules.load import PRINTED
from ...simulator.rules.show import shortened
from ..pages import plots
from ..pages.cells import counted_margin, number, points_of
from ..pages.report_parts import HINT, Chart, Column, Finding, Part
from ..pages.screen_parts import NEAREST, REACHES, First, Stands, Step
from ..pages.sentences import PAIRED, Made, of_row, quoted, unfinished_findings, who_played
from ..stats.claims import AsMeasured, Claim, Nothing, Stand, Undecided
from ..stats.inference import ALL
from ..stats.rates import SMALL_SAMPLE
from ..stats.verdicts import DIFFERENT, JUDGEMENT, KEY, MOST_GAMES, Outcome, having, outcome_of, round_up
from ..tables import reference_results
from ..tables.kept_answers import CHANGE_FILE, SEARCHED, TARGET_ROW, KeptAnswer
from ..tables.paired_figures import ROUNDS, UNFINISHED, margin_of
from ..tables.targets import TOLD
from . import balance, tuning
from .tuning import RULES_NEARER, advised, deciding, nearer_to

AS_IT_IS = "the rules as they are"
DECISION = "decision"  # the key of the kept words of `balance.decision`


# --- Searches


def judged(kept: KeptAnswer) -> tuple[pd.DataFrame, int]:
    """Return the values judged on fresh games, in the figure's unit, the rules first, and the index of the one advised.

    Columns: what (a patch note), keys, house_rule, figure, figure_low, figure_high, n, verdict, loss; of `balance` also those
    of other figures.
    """
    frame = kept.tables[SEARCHED[kept.command]].rename(columns={"low": "figure_low", "high": "figure_high"})
    if kept.command == balance.COMMAND:
        frame = frame.rename(columns={"value": "moved", "target_value": "figure"})
        frame = frame.assign(keys=frame["lever"] + " = " + frame["moved"].astype(str))
        own = kept.tables[balance.UNCHANGED].set_index("figure").loc[TARGET_ROW]
        rules = {"figure": own["value"], "figure_low": own["low"], "figure_high": own["high"], "n": own["n"]}
        rules |= {name: own[name] for name in JUDGEMENT} | {"loss": np.inf}
        advised_one = len(frame) > 0 and ("advice" not in frame or frame["advice"].iloc[0] == balance.ADVISED)
        at = int(advised_one)
        frame = pd.concat([pd.DataFrame([rules]), frame], ignore_index=True)
    else:
        frame = frame.rename(columns={"value": "figure"})
        at = advised(frame)
    frame["what"] = (frame["what"] if "what" in frame else pd.Series("", frame.index)).fillna("").replace("", AS_IT_IS)
    scale = 1.0 if kept.words["figure"] == ROUNDS else 100.0
    sizes = ("figure", "figure_low", "figure_high")
    frame = frame.assign(**{name: scale * frame[name] for name in sizes}, n=frame["n"].astype(int))
    return frame.fillna({"keys": "", "house_rule": ""}), at


def reaches(kept: KeptAnswer) -> bool:
    """Return whether the advised value reaches the target."""
    frame, at = judged(kept)
    return outcome_of(frame.iloc[at]) in REACHED


def sized(row: Any, figure: str) -> str:
    """Return a figure with its interval, in its unit."""
    return number(row["figure"], row["figure_low"], row["figure_high"]).replace(" [", f"{_percent(figure)} [")


def _percent(figure: str) -> str:
    return "" if figure == ROUNDS else "%"


def wanted(kept: KeptAnswer) -> str:
    """Return the target in words: '25.0% ± 2 points'; '' if the smallest figure is wanted."""
    if "wanted" not in kept.numbers:
        return ""
    rounds = kept.words["figure"] == ROUNDS
    scale, unit = (1, "round") if rounds else (100, "point")
    value, margin = scale * kept.numbers["wanted"], scale * kept.numbers["margin"]
    return f"{value:.1f}{_percent(kept.words['figure'])} ± {counted_margin(margin, unit)}"


def before_and_after(kept: KeptAnswer) -> str:
    """Say what the advised change does to the figure, on fresh games."""
    frame, at = judged(kept)
    figure, row, own = kept.words["figure"], frame.iloc[at], frame[frame["what"] == AS_IT_IS].iloc[0]
    name, unit = ("mean length", " rounds") if figure == ROUNDS else (figure, "")
    now = f"{sized(row, figure)}{unit} (n = {row['n']:,})"
    if row["what"] == AS_IT_IS:
        return f"The {name} is {now}."
    return f"The {name} goes from {number(own['figure'])}{_percent(figure)} to {now}."


def advice_line(kept: KeptAnswer) -> str:
    """Return the advice of a search: the change, the figure then, and its verdict against the target."""
    frame, at = judged(kept)
    row, figure, target = frame.iloc[at], kept.words["figure"], wanted(kept)
    if row["what"] == AS_IT_IS and DECISION in kept.words:
        return kept.words[DECISION]
    against = f" ({target} wanted)" if target else ""
    return f"{row['what']}: {figure} {sized(row, figure)} (n = {row['n']:,}), {row['verdict']}{against}."


# --- The page of `newdawn balance` and `newdawn tune`

CHAPTER = "What was found"
EXAMPLES = 3
NAMED = 3  # values named for a verdict
REACHED = {Outcome.ON, Outcome.BETTER}


def parts_of(kept: KeptAnswer, out: Path) -> tuple[list[Part], First]:
    """Return the parts and the first screen: values judged on fresh games, what else they move, all values tried."""
    parts = [_values(kept)] if tuning.VALUES in kept.tables else []
    if not _confirmed(kept):
        return parts, First(quoted(kept.sentences), chart="search", meanings=_meanings(kept))
    moved = [_side(kept)] if kept.command == balance.COMMAND and len(judged(kept)[0]) > 1 else []
    return [_target(kept), *moved, *parts], _first(kept, out)


def _confirmed(kept: KeptAnswer) -> bool:
    return kept.command == balance.COMMAND or len(kept.tables.get(SEARCHED[kept.command], ())) > 0


# --- The first screen


def _first(kept: KeptAnswer, out: Path) -> First:
    frame, at = judged(kept)
    row = frame.iloc[at]
    parts = [(outcome, frame[having(frame, {outcome})]) for outcome in TOLD]
    verdicts = [
        Stands(outcome.value, ["; ".join(shortened(rows["what"], NAMED))], "even" if outcome in REACHED else "open")
        for outcome, rows in parts if len(rows)
    ]  # fmt: skip
    sized_now = Finding(AsMeasured(frame, named=[kept.words["figure"]]), before_and_after(kept))
    findings = [*unfinished_findings(frame.iloc[[at]], "what"), _decision(kept, row), sized_now]
    if kept.command == balance.COMMAND and row["what"] != AS_IT_IS:
        moves = _moves(kept)
        largest = moves[(moves["what"] == row["what"]) & (moves["figure"] == row["side_of"])]
        side = [row.get("side_beyond", np.nan)]
        findings += [
            of_row(move, f"The largest side effect: {_moving(move)}{_beyond(row)}.", beside=side)
            for move in largest.to_dict("records")
        ]
        findings = [*_unfinished(moves[moves["what"] == row["what"]]), *findings]
    change = row["what"] != AS_IT_IS
    return First(
        findings, verdicts=verdicts, chart="target",
        change=REACHES if outcome_of(row) in REACHED else NEAREST,
        changed=[f"{row['what']} (`{row['keys']}`)"] if change else [],
        house_rule=str(row["house_rule"]) if change else "", meanings=_meanings(kept),
        steps=_steps(kept, row, out),
    )  # fmt: skip


def _unfinished(moves: pd.DataFrame) -> list[Finding]:
    """Say that a change leaves more or fewer games unfinished, if that is shown."""
    rows = moves[(moves["figure"] == UNFINISHED) & having(moves, DIFFERENT)].to_dict("records")
    return [of_row(row, f"Games that nobody won: {points_of(row, 'difference')} points.") for row in rows]


def _beyond(row: Any) -> str:
    """Return how much further off another leader ends than if all shared the wins, for only that counts."""
    alone = row.get("side_beyond", np.nan)
    return (
        ""
        if np.isnan(alone)
        else f", {100 * alone:.1f} points further off its share than before, and than sharing the wins explains"
    )


def _steps(kept: KeptAnswer, row: Any, out: Path) -> list[Step]:
    """Return the next steps: more fresh games if the verdict is open, other strategies if there is a change."""
    decidable = outcome_of(row) is Outcome.OPEN and kept.line and row["games_fewest"] <= MOST_GAMES
    steps = [_decided(kept, row)] if decidable else []
    by_others = row["what"] != AS_IT_IS and kept.facts["rules"].startswith(f"{PRINTED},")
    return [*steps, *([_by_others(kept, out)] if by_others else [])]


def _decided(kept: KeptAnswer, row: Any) -> Step:
    """Propose as many fresh games as would decide, rounded up to two digits: the same command, which continues."""
    games = round_up(row["games_fewest"])
    line = re.sub(r" --(fresh \S+|quiet)", "", kept.line)
    return Step(f"Does the nearest change reach the target? {deciding(row)}", f"{line} --fresh {games}")


def _by_others(kept: KeptAnswer, out: Path) -> Step:
    """Propose to compare the change with other strategies."""
    box = "" if kept.box == BOXES[0] else f" --box {kept.box}"
    ways = reference_results.ways(kept.facts["strategies"].split(", "), kept.box, kept.players)
    rules, games = f"{PRINTED} {shlex.quote(str(out / CHANGE_FILE))}", min(reference_results.games_of(ways))
    named = shlex.quote(",".join(ways))
    command = f"newdawn compare {rules} --ways {named} --players {kept.facts['players']}{box} --games {games}"
    return Step("Does the change do the same when better or other players play?", command)


def _decision(kept: KeptAnswer, row: Any) -> Finding:
    """Say whether a value reaches the target, and which to take."""
    target, frame = wanted(kept), judged(kept)[0]
    if decision := kept.words.get(DECISION):
        claim: Claim = balance.concluded(frame.head(1), frame.iloc[1:], "wanted" in kept.numbers)
        return Finding(replace(claim, named=[decision]), decision)
    outcome, named = outcome_of(row), [target, kept.words["figure"]]
    own = Stand(pd.DataFrame([row]), named=named)
    if outcome is Outcome.ON:
        if row["what"] == AS_IT_IS:
            return Finding(own, f"Nothing has to change: the rules as they are reach {target}.")
        return Finding(own, f"To reach {target}, change this: {row['what']}.")
    if outcome is Outcome.BETTER:
        return Finding(own, f"To lower the {kept.words['figure']}, change this: {row['what']}.")
    claim = Undecided(frame, named=named)
    if outcome is Outcome.OPEN:
        start = f"{Outcome.OPEN.value.capitalize()} whether a value reaches"
    elif outcome is Outcome.OFF:
        start, claim = "No value that was confirmed reaches", Stand(frame, named=named)
    else:
        return Finding(claim, f"No value does measurably better than the rules as they are; the nearest: {row['what']}.")
    return Finding(claim, f"{start} {target}; the nearest: {row['what']}.{_rules_nearer(kept, row)}")


def _rules_nearer(kept: KeptAnswer, row: Any) -> str:
    """Return a sentence that the rules as they are lie nearer to the target than the row's figure, if they do."""
    frame, _ = judged(kept)
    own, figure = frame.loc[frame["what"] == AS_IT_IS, "figure"].iloc[0], kept.words["figure"]
    nearer = nearer_to(kept.numbers["wanted"] * (1 if figure == ROUNDS else 100), own, row["figure"])
    return RULES_NEARER.format(f"{number(own)}{_percent(figure)}") if nearer else ""


def _meanings(kept: KeptAnswer) -> list[tuple[str, str]]:
    """Return who played, and the terms of the page with their meanings."""
    meanings = [who_played(kept)]
    if not _confirmed(kept):
        return meanings
    fresh, values = int(kept.numbers["fresh"]), len(judged(kept)[0])
    games = f"{fresh:,} for each value and for the rules, {values * fresh:,} in all. No value was chosen by them."
    meanings.append(("Fresh games", f"{games} The column n: those of them that the figure is of."))
    if "wanted" in kept.numbers:
        on, off, unclear = (outcome.value for outcome in (Outcome.ON, Outcome.OFF, Outcome.OPEN))
        meanings.append(
            ("Verdicts", f"{on.capitalize()}: the whole interval within {wanted(kept)}; {off}: none of it; else {unclear}.")
        )
    if kept.command == balance.COMMAND:
        text = "Changes against the rules on the same games, in points or rounds. The largest is measured by what matters "
        text += "(2 points, 1 round). Of another leader counts only how much further off its share it ends than before, and "
        text += "than sharing the wins explains."
        meanings.append(("Side effects", text))
        text = (
            "What comes nearer: the figure to its target, and all other leaders to their shares. What is thrown off is taken "
        )
        text += (
            "away: length, first player, unfinished games, the agenda moved most. All in units of what matters. A change that "
        )
        text += "throws a figure further off than it mends is not advised. Nor is one that throws a leader off beyond sharing."
        meanings.append(("What the whole game gains", text))
    return meanings


# --- The parts


def _target(kept: KeptAnswer) -> Part:
    figure = kept.words["figure"]
    frame, at = judged(kept)
    frame = frame.assign(small_sample=frame["n"] < SMALL_SAMPLE)
    gains = "gain" in frame
    whole = (
        Column("scope", "which is", "text"),
        Column("advice", "the whole game", "text"),
        ("gain", "by", "in units of what matters"),
    )
    columns = (
        "what", ("keys", "as house rules say it"), ("n", "fresh games", "that the figure is of"),
        Column("figure", f"{figure if figure == ROUNDS else f'{figure}, %'} [95% all]", "number"),
        Column("verdict", kind="text"), *(whole if gains else ()), HINT,
    )  # fmt: skip
    target = wanted(kept)
    return Part(
        "target", "On fresh games", lambda source: frame, columns, chapter=CHAPTER,
        note="The rules and the values that were found, on games by which none of them was chosen.",
        charts=(Chart(
            "target", f"{figure[0].upper()}{figure[1:]} by change{f': {target} wanted' if target else ''}",
            "Fresh games; 95% for all rows; dashed: the target, grey: within the margin of it; filled: on target.",
            partial(_draw_target, kept=kept), lambda rows: 1.1 + 0.32 * len(rows), message=lambda rows: _reached(rows.iloc[at]),
        ),),
        findings=lambda rows, source: quoted(kept.sentences),
    )  # fmt: skip


def _reached(row: Any) -> str:
    """Say that the advised row reaches the target on fresh games; '' if that is not shown."""
    whose = "The rules as they are" if row["what"] == AS_IT_IS else "The advised change"
    return {Outcome.ON: f"{whose} reach{'' if row['what'] == AS_IT_IS else 'es'} the target",
            Outcome.BETTER: f"{whose} does better than the rules as they are"}.get(outcome_of(row), "")  # fmt: skip


def _draw_target(frame: pd.DataFrame, ax: Any, kept: KeptAnswer) -> None:
    figure = kept.words["figure"]
    scale = 1.0 if figure == ROUNDS else 100.0
    line = scale * kept.numbers["wanted"] if "wanted" in kept.numbers else None
    if line is not None:
        reach = scale * kept.numbers["margin"]
        ax.axvspan(line - reach, line + reach, color=plots.MUTED, alpha=0.18, linewidth=0)
    axis, filled = figure if figure == ROUNDS else f"{figure}, %", having(frame, REACHED)
    plots.column(ax, frame, frame["what"], "figure", axis, ends=plots.EACH, filled=filled, reference=line)


def _moves(kept: KeptAnswer) -> pd.DataFrame:
    """Return what each value changes besides the target's figure: one row per value and figure, in points or rounds."""
    frame, _ = judged(kept)
    target = kept.words["figure"]
    figures = [str(name).removesuffix("_verdict") for name in frame.columns if str(name).endswith("_verdict")]
    rows = []
    for row in frame[frame["what"] != AS_IT_IS].to_dict("records"):
        for figure in figures:
            if figure == target or np.isnan(row[figure]):
                continue
            scale = 1.0 if figure == ROUNDS else 100.0
            ends = {f"difference{end}": scale * row[figure + own] for end, own in zip(ALL, ("", "_low", "_high"), strict=True)}
            rows.append({
                "what": row["what"], "figure": figure, "unit": "rounds" if figure == ROUNDS else "points", **ends,
                **{name: row[f"{figure}_{name}"] for name in JUDGEMENT},
                "matter": abs(row[figure]) / margin_of(figure),
                "whom": figure.removeprefix("win rate of "),
            })  # fmt: skip
    columns = ["what", "figure", "unit", *(f"difference{end}" for end in ALL), *JUDGEMENT, "matter", "whom"]
    return pd.DataFrame(rows, columns=pd.Index(columns))


def _moving(row: Any) -> str:
    return f"{row['figure']} {points_of(row, 'difference')} {row['unit']}"


def _side(kept: KeptAnswer) -> Part:
    frame, at = judged(kept)
    advice = str(frame.iloc[max(at, 1)]["what"])
    moves = _moves(kept)
    columns = (
        "what", "figure", "unit", ("difference", "against the rules [95% all]", "percentage points, or rounds"), "verdict",
    )  # fmt: skip

    def findings(rows: pd.DataFrame, source: Any) -> list[Finding]:
        own = rows[(rows["what"] == advice) & having(rows, DIFFERENT)].sort_values("matter", ascending=False, kind="stable")
        largest = own.head(EXAMPLES).to_dict("records")
        return [of_row(row, f"With {advice}: {_moving(row)}.") for row in largest] or [
            Finding(Nothing(rows, named=[advice]), f"With {advice} no other figure changes measurably.")
        ]

    return Part(
        "side", "What else moves", lambda source: moves, columns, rows=300, chapter=CHAPTER,
        note="Every other figure against the rules, on the same fresh games; intervals hold for all of them together.",
        charts=(Chart(
            "side", f"What else moves: {advice}",
            "Percentage points against the rules; 95% for all figures together; filled: differs from 0.",
            partial(_draw_side, advice=advice), lambda rows: 1.1 + 0.24 * int((rows["what"] == advice).sum()),
        ),),
        findings=findings,
    )  # fmt: skip


def _draw_side(frame: pd.DataFrame, ax: Any, advice: str) -> None:
    shown = frame[(frame["what"] == advice) & (frame["unit"] == "points")]
    shown = shown.sort_values("difference", ascending=False, kind="stable")
    plots.column(ax, shown, shown["whom"], "difference", "percentage points", filled=having(shown, DIFFERENT), reference=0)


def _values(kept: KeptAnswer) -> Part:
    values = kept.tables[tuning.VALUES]
    more = [
        Column(str(column), str(column).replace("_", " "), "text") for column in values.columns if not str(column).endswith(KEY)
    ]
    return Part("search", "Every value that was tried", lambda source: values.astype(str), more,
                note="Few games for the values that fell behind early, more for the best.", chapter=CHAPTER)  # fmt: skip


def _tuned(kept: KeptAnswer, out: Path) -> Made:
    """Return the page of `newdawn tune` or `newdawn balance`."""
    return *parts_of(kept, out), (PAIRED,)
