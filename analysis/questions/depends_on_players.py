"""Ways: which figures hold for all strategies, and which depend on who plays?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError, counted, with_sign
from ...simulator.rules.ruleset_contents import agenda_names, names_of
from ...simulator.runs.run_folder import Place
from ..pages import plots
from ..pages.report_parts import Chart, Column, Finding, Named, Part, Source
from ..pages.screen_parts import First
from ..pages.sentences import Made, by_verdict, more_games, of_row
from ..stats import rates
from ..stats.claims import AsMeasured, Deviate, FewCases, Nothing, Stand
from ..stats.inference import ALL
from ..stats.verdicts import (
    CHANGE,
    DEPENDS,
    DIFFERENT,
    FAR,
    STRENGTH,
    Verdict,
    by_words,
    having,
    verdict_of,
    verdict_words,
)
from ..tables.figures_by_strategy import SEPARATED, band_ways, fair_of, good_ways, is_change, is_share, verdicts, ways
from ..tables.kept_answers import KeptAnswer
from ..tables.paired_figures import ROUNDS, UNFINISHED, Subjects
from ..tables.read import Run, open_run

# --- Ways: runs under the same rules, each by other strategies (figures: `tables.figures_by_strategy`)

EXAMPLES = 3  # figures in a sentence


def subjects_of_run(run: Any) -> Subjects:
    """Return the leaders, agendas and wonders of a run's ruleset; the base game's for a run that keeps no rules."""
    data = run.manifest.get("ruleset", {}).get("data")
    if not data:
        return Subjects()
    return Subjects(tuple(names_of(data, "leader")), tuple(agenda_names(data)), tuple(names_of(data, "wonder")))


def open_ways(folders: Sequence[Place]) -> dict[str, Run]:
    """Return the runs in the folders by the names of their ways: the strategies, or the folders if two have the same.

    Raises UserError for a folder without a run, one named twice, or other rules or numbers of players than the first has.
    """
    runs = [open_run(folder) for folder in folders]
    for folder, run in zip(folders, runs, strict=True):
        if [other.resolve() for other in folders].count(folder.resolve()) > 1:
            raise UserError(f"{folder}: is named twice; expected each run once")
        rules, first = (x.manifest.get("ruleset", {}) for x in (run, runs[0]))
        if rules.get("digest") != first.get("digest"):
            own, others = (x.get("name", "unknown rules") for x in (rules, first))
            raise UserError(f"{folder}: played by other rules ({own}) than {folders[0]} ({others}); expected the same")
        if run.players != runs[0].players:
            raise UserError(f"{folder}: games of {run.players} players; expected {runs[0].players} as in {folders[0]}")
    names = [", ".join(dict.fromkeys(run.manifest["plan"].get("strategies", []))) for run in runs]
    twice = len(set(names)) < len(names)
    return {str(folder) if twice else name: run for folder, name, run in zip(folders, names, runs, strict=True)}


# --- Sentences


def unit_of(figure: str) -> tuple[float, int, str]:
    """Return the factor by which differences of a figure are shown, their digits and their unit."""
    if is_share(figure):
        return 100, 1, "points"
    return (1, 2, "rounds") if figure == ROUNDS else (1, 2, "a game")


def shown_value(row: Any) -> str:
    """Return the value of a row with the interval for all rows together, in its unit; differences have a sign."""
    scale, digits, _ = unit_of(row["figure"])
    value, low, high = (scale * row[f"value{end}"] for end in ALL)
    if "p_adjusted" in row:
        return f"{with_sign(value, digits)} [{with_sign(low, digits)}, {with_sign(high, digits)}]"
    return f"{value:.{digits}f}{'%' if scale == 100 else ''} [{low:.{digits}f}, {high:.{digits}f}]"


def shown_verdict(row: Any) -> str:
    """Return the verdict on a figure, with the games that would decide it, and the ways that it leaves out."""
    left_out = row["open"] and verdict_of(row) is Verdict.WITHIN
    return f"{row['verdict']} ({row['open']}: too few games)" if left_out else verdict_words(row)


def shown_band(row: Any, change: bool) -> str:
    """Return a figure, or a change, over strategies: average with interval, prediction for another, and which deviate."""
    if np.isnan(row["mean"]):
        return ""
    value, low, high, least, most = _band(row, change)
    deviates = f"; not {row['deviates']}" if row["deviates"] else ""
    return f"{value} [{low}, {high}], another {least} to {most}{deviates}"


def _band(row: Any, change: bool) -> list[str]:
    """Return the average over strategies with the ends of its interval, and those of the prediction; changes have a sign."""
    scale, digits, _ = unit_of(row["figure"])
    numbers = (scale * row[name] for name in ("mean", "mean_low", "mean_high", "prediction_low", "prediction_high"))
    return [with_sign(number, digits) if change else f"{number:.{digits}f}" for number in numbers]


def sentences(table: pd.DataFrame, verdicts: pd.DataFrame) -> list[str]:
    """Return the sentences on figures over strategies, and on which depend on who plays."""
    return [finding.text for finding in findings(table, verdicts)]


def findings(table: pd.DataFrame, verdicts: pd.DataFrame) -> list[Finding]:
    """Return these sentences, each with how sure it is."""
    told = [*_unfinished(table, verdicts), *_standing(table, verdicts), *_depending(verdicts, is_change(table))]
    noun = "change" if is_change(table) else "figure"
    groups = by_words(verdicts)
    rest = ", ".join(f"{len(rows)} {word if len(rows) == 1 else word.replace('depends', 'depend')}" for word, _, rows in groups)
    claim = AsMeasured(verdicts, beside=[len(rows) for *_, rows in groups])
    told.append(Finding(claim, f"Of {counted(len(verdicts), noun)}: {rest}."))
    left_out = verdicts.loc[having(verdicts, {Verdict.WITHIN}), "open"]
    for way in dict.fromkeys(table["way"]):
        few = sum(way in names.split(SEPARATED) for names in left_out)
        if few:
            text = f"{way}: too few games to be called alike, so left out of {counted(few, noun)}."
            told.append(Finding(FewCases(verdicts, beside=[few], named=[way]), text))
    return told


def _unfinished(table: pd.DataFrame, verdicts: pd.DataFrame) -> list[Finding]:
    """Say that games are unfinished more often in some ways than in others, if that is shown."""
    rows = verdicts[(verdicts["figure"] == UNFINISHED) & having(verdicts, DIFFERENT)].to_dict("records")
    what = "what is changed of them" if is_change(table) else "their share"
    return [
        of_row(row, f"Games that nobody won: {what} {row['verdict']}: {_pair(row)}. Win rates are of decided games only.")
        for row in rows
    ]


def _standing(table: pd.DataFrame, verdicts: pd.DataFrame) -> list[Finding]:
    """Say which figures stand beyond the margin over strategies, their predictions, and which strategies deviate."""
    change, players = is_change(table), band_ways(table)
    good = "the good players" if set(players) <= set(good_ways(table)) else "these players"
    named = f"{good} ({', '.join(players)})"
    far = verdicts[having(verdicts, FAR, "stands")]
    if far.empty:
        scale, noun = (CHANGE, "figure") if change else (STRENGTH, "leader or place")
        nothing = f"{noun} is {scale.far_above} or {scale.far_below}"
        told = [Finding(Nothing(verdicts, named=players), f"No {nothing} by detectably more than the margin over {named}.")]
    else:
        size = (far["mean"] - fair_of(table)).abs() / far["margin"]
        most = far.loc[size.sort_values(ascending=False, kind="stable").index]
        told = [
            Finding(Stand(pd.DataFrame([row]), "stands", named=players), _stands(row, named, change))
            for row in most.head(EXAMPLES).to_dict("records")
        ]
        if len(far) > EXAMPLES:
            text = f"{len(far) - EXAMPLES} more stand beyond the margin over {good}: table."
            told.append(Finding(Stand(most.iloc[EXAMPLES:], "stands"), text))
    for way in players:
        rows = verdicts[[way in names.split(SEPARATED) for names in verdicts["deviates"]]]
        if len(rows):
            own = [str(figure) for figure in rows["figure"]]
            more = f" ({len(own) - EXAMPLES} more: table)" if len(own) > EXAMPLES else ""
            text = f"{way} deviates from what the others predict: {', '.join(own[:EXAMPLES])}{more}."
            told.append(Finding(Deviate(rows, way, beside=[len(own) - EXAMPLES]), text))
    return told


def _stands(row: Any, named: str, change: bool) -> str:
    scale, _, unit = unit_of(row["figure"])
    value, low, high, least, most = _band(row, change)
    mark = f" {unit}" if change else "%" if scale == 100 else f" {unit}"
    size = f"{value}{mark} [{low}, {high}]" if mark == "%" else f"{value} [{low}, {high}]{mark}"
    start = f"Over {named} {whom(row['figure'], change)} is {row['stands']}: {size} on average."
    return f"{start} Another such player would make it {least} to {most}{mark}."


def _depending(verdicts: pd.DataFrame, change: bool) -> list[Finding]:
    """Say which figures differ by more than the margin, the furthest beyond it first."""
    most, noun = verdicts[having(verdicts, FAR)], "change" if change else "figure"
    margins = f"({rates.POINTS:g} points, {rates.ROUNDS:g} round, {rates.DEEDS:g} deeds a game)"
    beside = [rates.POINTS, rates.ROUNDS, rates.DEEDS, len(verdicts)]
    if most.empty:
        text = f"No {noun} {DEPENDS.far_above} by detectably more than the margin {margins}."
        return [Finding(Nothing(verdicts, beside=beside), text)]
    size = (most["difference_all_low"] / most["margin"]).sort_values(ascending=False, kind="stable")
    first, *others = (_pair(row) for row in most.loc[size.index].head(EXAMPLES).to_dict("records"))
    texts = ". ".join([first, *(f"{text[0].upper()}{text[1:]}" for text in others)])
    many = f"{len(most)} of {counted(len(verdicts), noun)} {'depends' if len(most) == 1 else 'depend'} on who plays"
    text = f"{many}: two strategies differ by more than the margin {margins}. Furthest apart: {texts}."
    return [Finding(Stand(most, beside=beside), text)]


def _pair(row: Any) -> str:
    scale, digits, unit = unit_of(row["figure"])
    gap, low, high = (with_sign(scale * row[f"difference{end}"], digits) for end in ALL)
    games = f"(n = {row['n_one']:,.0f} and {row['n_other']:,.0f})"
    return f"{row['figure']}, {row['one']} minus {row['other']} {gap} [{low}, {high}] {unit} {games}"


def whom(figure: str, change: bool = False) -> str:
    """Return the leader of a win rate; the whole figure, if it is a change."""
    return figure if change else figure.removeprefix("win rate of ")


# --- The chapter on several strategies: of `newdawn ways`, and of the report of a run beside others (`report --beside`)

CHAPTER = "Strategies compared"
GROUPS = {
    "leaders": "Leaders under each strategy", "game": "The game under each strategy",
    "agendas": "Agendas under each strategy", "wonders": "World wonders under each strategy",
    "deeds": "What players do under each strategy",
}  # fmt: skip
METHOD = (
    "Each strategy played a run of its own. Over the good players, each figure has an average, and what another of them would "
    "make of it (random effects, Hartung and Knapp 2001; Nagashima and others 2019). Whether strategies agree on it is read "
    f"off differences of two strategies (MOVER: Zou and Donner 2008), against a margin of {rates.POINTS:g} points, "
    f"{rates.ROUNDS:g} round or {rates.DEEDS:g} deeds a game. A strategy with fewer than 100 games, or a wider interval "
    "than the margin, is left out of verdicts that figures are alike."
)


def keys() -> list[str]:
    """Return the keys of all parts that a page can have."""
    return [f"ways-{group}" for group in GROUPS]


def parts_of(table: pd.DataFrame, verdicts: pd.DataFrame, first_sentences: bool = True) -> list[Part]:
    """Return the parts on the tables of `tables.figures_by_strategy`; the first has the sentences about all figures."""
    names, change = list(dict.fromkeys(table["way"])), is_change(table)
    wide = _wide(table, verdicts, names)
    columns: tuple[Named, ...] = (
        "figure", "unit", Column("games", "games", "text", "that count, of each way"),
        *(Column(f"way{k}", f"{name} [95% all]", "points" if change else "number") for k, name in enumerate(names)),
        ("difference", "largest difference [95% all]", "of two ways; points, rounds, or deeds a game"),
        ("depends", "does it depend on who plays?"), ("band", "over players [95%], another, but not"),
        ("stands", "verdict over players"), ("small_sample", "few?", "few games of a way: take the row as a hint"),
    )  # fmt: skip
    present = [group for group in GROUPS if (wide["group"] == group).any()]
    parts = []
    for group in present:
        shown = findings(table, verdicts) if first_sentences and group == present[0] else []
        parts.append(
            Part(
                f"ways-{group}", GROUPS[group], partial(_of_group, wide, group), columns, chapter=CHAPTER,
                note="The same figures by who played; intervals hold for all of them together.",
                method=METHOD if group == present[0] else "",
                charts=(Chart(
                    f"ways-{group}", GROUPS[group], f"95% for all figures and ways together; filled: {DEPENDS.far_above}.",
                    partial(_draw, names=names), partial(_height, names=names), worth=lambda frame: bool(_shares(frame).any()),
                    message=_depends_message,
                ),),
                findings=partial(_given, shown),
            )
        )  # fmt: skip
    return parts


def chapter_beside(run: Run, folders: Sequence[Place]) -> list[Part]:
    """Return the chapter on a run beside others of the same rules; raise UserError if they cannot be set beside it."""
    runs = open_ways([run.path, *folders])
    table = ways(runs, subjects_of_run(run))
    return parts_of(table, verdicts(table))


def _of_group(wide: pd.DataFrame, group: str, source: Source) -> pd.DataFrame:
    return wide[wide["group"] == group].reset_index(drop=True)


def _given(shown: Sequence[Finding], frame: pd.DataFrame, source: Source) -> list[Finding]:
    return list(shown)


def _shares(frame: pd.DataFrame) -> pd.Series:
    return frame["unit"].isin(("%", "points"))


def _wide(table: pd.DataFrame, verdicts: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Return one row per figure, with value and interval of each way in per cent or numbers."""
    rows = []
    for verdict in verdicts.to_dict("records"):
        part = table[(table["figure"] == verdict["figure"]) & (table["group"] == verdict["group"])]
        share = is_share(str(verdict["figure"]))
        row: dict[Any, Any] = dict(verdict) | {"small_sample": bool(part["small_sample"].any())}
        row |= {"depends": shown_verdict(verdict), "band": shown_band(verdict, is_change(table))}
        row["unit"] = "rounds" if verdict["figure"] == ROUNDS else "a game"
        if share:
            row["unit"] = "points" if is_change(table) else "%"
        row |= {f"difference{end}": (100 if share else 1) * verdict.get(f"difference{end}", np.nan) for end in ALL}
        row["games"] = " / ".join(dict.fromkeys(f"{n:,}" for n in part["n"]))
        by_way: Mapping[str, Any] = {row["way"]: row for row in part.to_dict("records")}
        for k, name in enumerate(names):
            for end in ALL:
                row[f"way{k}{end}"] = (100 if share else 1) * by_way[name][f"value{end}"] if name in by_way else np.nan
        rows.append(row)
    return pd.DataFrame(rows)


def _depends_message(frame: pd.DataFrame) -> str:
    """Say which of the figures drawn depends most on who plays, if one does."""
    depending = frame[_shares(frame) & having(frame, FAR)]
    if depending.empty:
        return ""
    most = depending.sort_values("difference", key=abs, ascending=False, kind="stable").iloc[0]
    return f"Who plays moves the {most['figure']} by up to {abs(most['difference']):.1f} points"


def _draw(frame: pd.DataFrame, ax: Any, names: Sequence[str]) -> None:
    """Draw each share, one line per strategy."""
    shown = frame[_shares(frame)]
    labels = [f"{whom(figure)}, {name}" for figure in shown["figure"] for name in names]
    columns = [[f"way{k}{end}" for k in range(len(names))] for end in ALL]
    ends = [shown[part].to_numpy().ravel() for part in columns]
    filled = np.repeat(having(shown, FAR).to_numpy(), len(names))
    change = (shown["unit"] == "points").any()
    plots.forest(ax, labels, *ends, filled=filled, reference=0 if change else None)
    ax.set_xlabel("percentage points" if change else "%")


def _height(frame: pd.DataFrame, names: Sequence[str]) -> float:
    return 1.1 + 0.22 * len(names) * int(_shares(frame).sum())


TABLES = ("ways", "verdicts")  # of `newdawn ways`


def _ways(kept: KeptAnswer) -> Made:
    """Return the page of `newdawn ways`, or of a comparison by several strategies."""
    texts = ("open", "players", "deviates", "stands", "stands_key", "stands_certainty")  # CSV has no empty text
    table, verdicts = (kept.tables[name] for name in TABLES)
    verdicts = verdicts.astype(dict.fromkeys(texts, object)).fillna(dict.fromkeys(texts, ""))
    standing = verdicts[verdicts["stands"] != ""]
    standing = standing.assign(whom=[whom(str(figure)) for figure in standing["figure"]])
    leaders = by_verdict(standing[standing["group"] == "leaders"], "whom", "stands")
    screen = First(findings(table, verdicts), verdicts=leaders, chart="ways-leaders", steps=more_games(kept, verdicts))
    return parts_of(table, verdicts, first_sentences=False), screen, ()
