"""Terra Incognita: what goes with winning there, and effects measured by experiments."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...simulator import kept_files, names
from ...simulator.errors import UserError, nearest, unknown
from ...simulator.reading import content_of, csv_of, plainly
from ..pages import plots
from ..pages.cells import points_of, rate, rate_of
from ..pages.chart_messages import BARS, MARKS, message, some_rows, tall
from ..pages.report_parts import VERDICT, Chart, Finding, Named, Part, Source, chapter
from ..pages.sentences import MOST, answers, goes_with_winning
from ..stats.claims import AsMeasured, Untested
from ..stats.inference import ENDS, of_intervals
from ..stats.rates import FEW_CASES, SMALL_SAMPLE
from ..stats.verdicts import CHANGE, STRENGTH, judged
from ..tables import expansion, win_rates
from ..tables.decoded_games import SEPARATOR
from ..tables.kept_answers import EFFECTS_FILE, games_in
from ..tables.rendering import EFFECTS

# --- The files of randomised experiments

PRINTED = (*names.WONDERS, *names.TI_WONDERS)
OF_WONDER = "wonder"
# Columns needed, and the names they may have. Effects are shares: 0.01 is one percentage point.
NEEDED = {
    "wonder": ("wonder", "arm"), "effect": ("effect",), "low": ("low", "effect_low"), "high": ("high", "effect_high"),
    "n": ("n",), "cost": ("cost",),
}  # fmt: skip
OPTIONAL = "p"  # of the experiment's test; without it p follows from the interval


def kind_of(path: Path) -> str:
    """Return what an experiment is about: the kind in its folder, or wonders for a file of effects."""
    if not (path / kept_files.EXPERIMENT).is_file():
        return OF_WONDER
    with plainly(path / kept_files.EXPERIMENT, "an experiment"):
        return str(kept_files.read(path / kept_files.EXPERIMENT, "an experiment", unsealed=True)["experiment"]["kind"])


GIVEN = ("arm", "without", "with", "effect", "effect_low", "effect_high", "effect_all_low", "effect_all_high", "p",
         "p_adjusted", "n", "small_sample")  # fmt: skip


def read_gifts(paths: Iterable[Path]) -> pd.DataFrame:
    """Return the effects of experiments that are not about world wonders.

    Columns: `kind`, `what`, `points` with intervals, `p`, `n`, and `games`, those of its experiment.

    Intervals and p values hold for all rows of an experiment; treatments that were never possible are left out. Raises
    UserError with file and column if one is not a table of effects.
    """
    parts = []
    for path in paths:
        effects = table_in(path / EFFECTS_FILE)
        missing = [name for name in GIVEN if name not in effects]
        if missing:
            raise UserError(f"{path / EFFECTS_FILE}: no column '{missing[0]}'; expected what `newdawn experiment` writes")
        given = effects[list(GIVEN)][effects["n"] > 0]
        given = given.assign(kind=kind_of(path), games=games_in(path) or int(given["n"].max()))
        parts.append(given.sort_values("effect", ascending=False))
    frame = pd.concat(parts, ignore_index=True).rename(columns={"arm": "what"})
    ends = {f"points{end}": 100 * frame[f"effect{end}"] for end in ENDS}
    return frame.assign(**ends, small_sample=frame["small_sample"].astype(bool))


def read_effects(path: Path) -> pd.DataFrame:
    """Return the effects in a file (or in the folder of an experiment), largest first, with corrected p values.

    Wonders that could never be given are left out. Raises UserError with file and column if a column is missing or holds
    no numbers.
    """
    path = path / EFFECTS_FILE if path.is_dir() else path
    content = table_in(path)
    frame = pd.DataFrame({key: content[_named(path, key, list(content.columns))] for key in NEEDED})
    frame[OPTIONAL] = content.get(OPTIONAL, pd.Series(np.nan, content.index))
    given = pd.to_numeric(frame["n"], errors="coerce") != 0
    frame = frame[given].astype({"wonder": str})
    for name in ("effect", "low", "high", "n", "cost"):
        numbers = pd.to_numeric(frame[name], errors="coerce")
        if numbers.isna().any():
            line = int(numbers.index[numbers.isna()][0])
            raise UserError(f"{path}: line {line + 2}, {name}: expected a number, got {frame.loc[line, name]!r}")
        frame[name] = numbers
    for wonder in frame["wonder"]:
        if wonder not in PRINTED:
            raise unknown(f"world wonder in {path}", wonder, PRINTED)
    _check(path, frame)
    p = pd.to_numeric(frame[OPTIONAL], errors="coerce")
    points, low, high = (100 * frame[name] for name in ("effect", "low", "high"))
    frame = frame.assign(points=points, points_low=low, points_high=high, **of_intervals("points", points, low, high, p))
    frame = frame.assign(**{f"effect_all_{end}": frame[f"points_all_{end}"] / 100 for end in ("low", "high")})
    frame = frame.rename(columns={"low": "effect_low", "high": "effect_high"})
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    frame["points_per_cost"] = frame["points"] / frame["cost"].where(frame["cost"] > 0)
    return frame.sort_values(["effect", "wonder"], ascending=[False, True], ignore_index=True)


def _check(path: Path, frame: pd.DataFrame) -> None:
    """Raise UserError if an effect is not a share (11 for 11 points), lies outside its interval, or appears twice."""
    twice = frame["wonder"].duplicated()
    for line, row in zip(frame.index, frame.to_dict("records"), strict=True):
        where = f"{path}: line {line + 2}, {row['wonder']}"
        if not -1 <= row["effect"] <= 1:
            raise UserError(f"{where}: effect: expected a share from -1 to 1 (0.01 is one point), got {row['effect']:g}")
        if not row["low"] <= row["effect"] <= row["high"]:
            raise UserError(f"{where}: expected low <= effect <= high, got {row['low']:g}, {row['effect']:g}, {row['high']:g}")
        if twice[line]:
            raise UserError(f"{where}: appears twice")


def table_in(path: Path) -> pd.DataFrame:
    """Return the table in a file of effects; raise UserError if it is none, or not what an experiment wrote there."""
    what, again = "a CSV file of effects", "the experiment's command, given again, writes it"
    content = content_of(path, expected=what)
    if path.name == EFFECTS_FILE and (beside := path.with_name(EFFECTS)).is_file():
        with plainly(beside, what):
            kept_files.check_digest(
                path, kept_files.digest_of(content), kept_files.read(beside, what, again)["files"][EFFECTS_FILE], again
            )
    if not content.strip():
        raise UserError(f"{path}: cannot be read as {what}: it is empty")
    table: pd.DataFrame = csv_of(content, path, what)
    return table


def _named(path: Path, key: str, columns: list[str]) -> str:
    """Return the name of the column in the file."""
    for name in NEEDED[key]:
        if name in columns:
            return name
    raise UserError(f"{path}: no column '{key}'; expected {', '.join(NEEDED)}{nearest(key, columns)}")


# --- Tables of the parts on Terra Incognita, and of experiments on its districts, forts and cards

METHOD = (
    "Seats that did it against all other seats of the same games (delta method, by game). Nothing is tested with fewer than "
    f"{SMALL_SAMPLE} seats, or {FEW_CASES} wins or losses, on a side."
)
Summary = Callable[[Any], pd.DataFrame]


def _of_box(summary: Summary, source: Source) -> pd.DataFrame | None:
    """Return the summary of a run of the expansion; None for the base game."""
    if source.run.box != names.BOXES[names.TI_BOX]:
        return None
    source.need_winners()
    return summary(source.run)


def _fort_cards(runs: Any) -> pd.DataFrame:
    """Return the victory cards about forts (those with one agenda): how often they were claimed, and by winners."""
    frame = win_rates.victory(runs)
    return frame[~frame["card"].str.contains(SEPARATOR, regex=False)].reset_index(drop=True)


def _forts(source: Source) -> pd.DataFrame | None:
    """Return seats by their forts; not compared if a fort card is in play, for then nobody wins without a fort."""
    frame = _of_box(expansion.forts, source)
    if frame is None or _fort_cards(source.run).empty:
        return frame
    return frame.assign(p=np.nan, p_adjusted=np.nan, **{f"association{end}": np.nan for end in ENDS})


def gifts(source: Source) -> pd.DataFrame | None:
    """Return the effects of experiments that are not about world wonders, with verdicts; None without experiments."""
    if not source.gifts:
        return None
    frame = read_gifts(source.gifts)
    return judged(frame.drop(columns="games"), "points", source.margin, frame["games"].to_numpy(), CHANGE)


# --- Findings


def _association(frame: pd.DataFrame, source: Source, what: str, nothing: str, answer: str, noun: str) -> list[Finding]:
    """Say what goes with winning; never that it causes it."""
    return goes_with_winning(
        frame, nothing, answer,
        lambda row: f"{row[what]} {points_of(row, 'association')} points (n = {row['n']:,} seats with it, "
        f"{row['n_without']:,} without)", noun,
    )  # fmt: skip


def _about_forts(frame: pd.DataFrame, source: Source, findings: Callable[..., list[Finding]]) -> list[Finding]:
    """Say what goes with winning, or why seats are not compared."""
    if frame["association"].isna().all():
        why = "with a fort card in play nobody wins without one"
        return [Finding(Untested(frame), f"Seats are {STRENGTH.not_compared} by their forts: {why}.")]
    return findings(frame, source)


def _without_tautology(part: Part) -> Part:
    """Return the part on forts, which does not compare seats if a fort card is in play."""
    charts = tuple(replace(chart, worth=lambda frame: bool(frame["p_adjusted"].notna().any())) for chart in part.charts)
    return replace(part, frame=_forts, charts=charts, findings=partial(_about_forts, findings=part.findings))


def _decided(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say in how many of the wins each fort card was claimed."""
    return [
        Finding(
            AsMeasured(pd.DataFrame([row])),
            f"Winners had claimed {row['agenda']} in {rate_of(row, 'winner_share')} of their wins with it in play "
            f"(n = {row['n']:,} games).",
        )
        for row in frame.sort_values("winner_share", ascending=False).head(MOST).to_dict("records")
    ]


def _left(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say how much the wonder icon removes."""
    left, revealed = int(frame["left"].sum()), int(frame["revealed"].sum())
    if left == 0:
        text = f"No world wonder left the game by the wonder icon ({revealed:,} were turned up)."
        return [Finding(AsMeasured(frame, beside=[revealed]), text)]
    took = f"The wonder icon took {left:,} of {revealed:,} world wonders that were turned up ({rate(left / revealed)})."
    most = [
        f" The highest rate: {row['wonder']} {rate_of(row, 'left_rate')} (n = {row['revealed']:,})."
        for row in frame[~frame["small_sample"]].head(1).to_dict("records")
    ]
    return [Finding(AsMeasured(frame, beside=[left, revealed, left / revealed]), "".join([took, *most]))]


def _given(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say what the gifts, and what is taken away, change."""
    return answers(
        frame, "None of these changes the chance to win detectably", "Given or taken at random, some change the chance to win",
        lambda row: f"{row['what']} ({row['kind']}) {points_of(row, 'points')} points (n = {row['n']:,})",
        noun="treatment",
    )  # fmt: skip


# --- The parts


def _habit(
    key: str, title: str, what: str, heading: str, note: str, nothing: str, answer: str, noun: str, title_text: str,
    *more: Named,
) -> Part:  # fmt: skip
    """Return the part on what goes with winning among seats that did something."""
    summary: Summary = getattr(expansion, key.replace("-", "_"))
    return Part(
        key, f"{title} (association)", partial(_of_box, summary),
        (
            (what, heading), ("n", "seats with it"), ("share", "share of the seats [95%]"), *more,
            ("win_rate", "won with it [95%]"), "n_without", "rate_without",
            ("association", "association, points [95% all]", "with it minus without it; no effect"), "p_adjusted",
            "small_sample",
        ),
        note=f"{note} An association: who is ahead does more.",
        method=METHOD,
        charts=(Chart(
            key, f"{title} (association)", f"Win rate with it minus without it. {BARS}",
            plots.plot_association, tall(0.27),
            worth=some_rows, message=message("association", title_text),
        ),),
        findings=partial(_association, what=what, nothing=nothing, answer=answer, noun=noun),
    )  # fmt: skip


PARTS = chapter(
    "Terra Incognita",
    Part(
        "gifts", "Effects of what was given or taken", gifts,
        (
            ("what", "what"), "kind", ("n", "pairs of games"), "without", "with",
            ("points", "effect, points [95% all]", "change of the chance to win; [95% all] within its kind"), "p_adjusted",
            VERDICT, "small_sample",
        ),
        note="Effects: the same games with and without what was given to a seat, or taken from a leader, at random.",
        method="Randomised experiments (`newdawn experiment`); intervals hold for all rows of one together.",
        charts=(Chart(
            "gifts", "Effects of what was given or taken", f"Change of the chance to win. {MARKS}",
            plots.plot_gifts, tall(0.24),
            message=message("points", "{what} ({kind}) {word} the chance to win by {size} points", "raises", "lowers"),
        ),),
        findings=_given, strict=True,
    ),
    _habit(
        "districts", "Which districts winners place", "district", "district", "Seats that placed the district, once or more.",
        "No district is detectably associated with winning", "Seats with certain districts win more or less often", "district",
        "Seats with {district} win {word} often than those without",
    ),
    _habit(
        "exploring", "Do explorers win?", "tiles", "tiles explored", "Seats by the number of tiles they explored.",
        "Exploring is not detectably associated with winning", "Win rates go with the number of tiles explored", "group",
        "Seats that explored {tiles} tiles win {word} often than others",
    ),
    _without_tautology(_habit(
        "forts", "Do forts go with winning?", "forts", "forts taken", "Seats by the number of forts they put a city on.",
        "Taking forts is not detectably associated with winning", "Win rates go with the number of forts taken", "group",
        "Seats that took {forts} forts win {word} often than others",
    )),
    Part(
        "fort-cards", "Do forts decide?", partial(_of_box, _fort_cards),
        (
            ("agenda", "fort card"), ("n", "games in play"), "claim_rate", "median_round",
            ("winner_share", "share of the wins [95%]", "of the wins with the card in play"), "small_sample",
        ),
        note="How often the winner had claimed the fort card that was in play.",
        findings=_decided,
    ),
    _habit(
        "governments", "Governments of winners", "government", "government", "Seats that began an own turn with it.",
        "No government is detectably associated with winning",
        "Seats with certain governments win more or less often", "government",
        "Seats with {government} win {word} often than those without",
    ),
    _habit(
        "unique-cards", "Unique cards: with and without", "leader", "leader",
        "Seats of the leader with its unique focus card, taken or there from the beginning (round 1).",
        "No unique card is detectably associated with winning",
        "Leaders win more or less often with their unique card", "leader",
        "{leader} wins {word} often with its unique card",
        ("median_round", "taken in round", "median"),
    ),
    Part(
        "wonders-left", "What the wonder icon removes", partial(_of_box, expansion.wonders_left),
        (
            "wonder", "type", "era", ("n", "games in a deck"), ("revealed", "turned up"), "built", ("left", "left the game"),
            ("left_rate", "left, of those turned up [95%]"), "small_sample",
        ),
        note="Face-up world wonders that nobody built before their second trade token.",
        findings=_left,
    ),
)  # fmt: skip
