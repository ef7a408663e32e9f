"""The page of an answer that a command kept: what changes, by how much, how sure, for whom."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ....simulator.errors import UserError
from ....simulator.rules.showing.notes import shortened
from ... import plots
from ...contests import players
from ...statistics.answer import DIFFERENT, having, weakest
from ...statistics.inference import ALL, SIGNIFICANT
from ...statistics.rates import SMALL_SAMPLE
from ...tables import kept as keeping
from ...tables.kept import CAVEATS, Kept
from ...trials import sensitivity
from ...trials.adapted import CHANGES, LIMIT, NOTHING
from ...trials.headline import margin_of
from .. import restrictions, ways
from ..first import First, Verdict
from ..next import Step
from ..page import Report, worked_out
from ..part import Chart, Column, Finding, Part, evidence, number, points, points_of, rate, rate_of
from ..provenance import Provenance
from ..shared import HINT, Message, P, message
from . import advised, coalition, people, wished
from .lines import SEARCHED, by_verdict, change, compared_findings, in_units, more_games, scaled, who_played

EXAMPLES = 3
CHAPTER = "What was found"
NONE_CHANGES = "None of these changes measurably"
GROUPS = {"leaders": "The leaders", "game": "The game as a whole", "agendas": "Agendas", "wonders": "World wonders"}
ENDS = ("", "_low", "_high", "_all_low", "_all_high")
PAIRED = (
    "The same seeds were played both ways and compared game by game. Intervals [95% all] hold for all rows of the answer "
    "together (Bonferroni), and verdicts are read off them."
)
UNPAIRED = (
    "The two sides were played on other seeds, so nothing cancels. Intervals [95% all] hold for all rows of the answer "
    "together (Bonferroni), and verdicts are read off them."
)
FOURS = (
    "Players who have adapted are the same learned players, trained on under the rules they play by. What adapting changes is "
    "the difference of the two differences, over seeds of four games each."
)
ANSWERS = ("unaware_difference", "adapted_difference", "change")
Made = tuple[list[Part], First, Sequence[str]]  # parts, first screen, method


def caveats_of(kept: Kept) -> list[Finding]:
    """Return what must be known of the rules to read the answer right."""
    texts = kept.words.get(CAVEATS, "").splitlines()
    return [Finding(f"{text[0].upper()}{text[1:]}.", "limit") for text in texts]


def build(kept: Kept, path: Path, out: Path | None = None) -> Report:
    """Return the page's report of an answer that lies in the folder `path`; `out` is where the report will lie."""
    parts, screen, method = made(kept, path, out)
    sections = worked_out(parts, kept)
    facts = {name: str(value) for name, value in kept.facts.items()}
    lines = [kept.line] if kept.line else []
    played = f"All of this holds for games played by {kept.facts.get('strategies', 'those named below')}."
    played = kept.words.get("limit", played)
    summary = f"{kept.facts.get('compared', path.resolve().name)}; {kept.facts.get('players', '?')} players"
    return Report(
        kept.title, summary, sections, [Finding(played, "limit"), *caveats_of(kept)], screen,
        Provenance(facts, None, lines, files_of(screen), " ".join(kept.sentences)),
        kept.box, method,
    )  # fmt: skip


def files_of(screen: First) -> dict[str, str]:
    """Return the files that lie beside the page: the change that is advised, as a house rule, and others like it."""
    return ({advised.CHANGE_FILE: f"{screen.house_rule}\n"} if screen.house_rule else {}) | screen.files


def made(kept: Kept, path: Path, out: Path | None = None) -> Made:
    """Return parts, first screen and method of an answer; raise UserError if this version cannot read it."""
    if kept.command not in PAGES:
        raise UserError(f"{path}: an answer of '{kept.command}'; expected one of {', '.join(PAGES)}")
    try:
        asked = {"out": out or path / "report"} if kept.command in SEARCHED else {}
        parts, screen, method = PAGES[kept.command](kept, **asked)
        worked_out([replace(part, charts=()) for part in parts], kept)
    except KeyError as missing:
        raise UserError(
            f"{path}: its tables have no column {missing}, so another version of newdawn kept them; "
            f"expected what this one keeps: ask again with `newdawn {kept.command}`"
        ) from None
    if not screen.meanings and kept.command in ("experiment", "sensitivity"):
        screen = replace(screen, meanings=_meanings(kept)[:1])
    return parts, screen, method


def file_names(kept: Kept) -> list[str]:
    """Return the names of the tables that the page of an answer has."""
    if kept.command not in PAGES:
        return []
    parts, screen, _ = made(kept, Path())
    return [*(f"{part.key}.csv" for part in parts), *files_of(screen)]


# --- Figures that change


def _changes(frame: pd.DataFrame, sentence: Callable[[Any], str], size: str, nothing: str, reach: str = "") -> list[Finding]:
    """Return a sentence for each of the largest changes that are shown, or say that there is none, and what could be missed."""
    clear = frame[having(frame, DIFFERENT)].sort_values(size, key=np.abs, ascending=False, kind="stable")
    said = [Finding(sentence(row), row["certainty"]) for row in clear.head(EXAMPLES).to_dict("records")]
    if (more := len(clear) - EXAMPLES) > 0:
        text = f"{more} more of {len(frame)} {'differs' if more == 1 else 'differ'}: table."
        said.append(Finding(text, weakest(clear["certainty"].iloc[EXAMPLES:])))
    return said or [Finding(f"{nothing} ({len(frame)} tested).{_missed(frame, reach or size)}", "open")]


def _missed(frame: pd.DataFrame, size: str) -> str:
    """Say how large a difference the intervals of the rows leave possible, in their units."""
    units = frame["unit"] if "unit" in frame else pd.Series("points", frame.index)
    reach = frame[[f"{size}_all_low", f"{size}_all_high"]].abs().max(axis=1).groupby(units, sort=False).max().dropna()
    spans = " or ".join(f"{most:.1f} {unit}" for unit, most in reach.items())
    return f" Differences of up to {spans} could be missed." if spans else ""


def _compared(kept: Kept) -> Made:
    """Return the page of `newdawn compare`, or of a ban."""
    whole, paired = with_whom(in_units(kept.tables["differences"])), kept.words.get("seeds", "same") == "same"
    note = f"What B changes against A, on {'the same' if paired else 'other'} seeds."
    columns = (
        Column("figure", "figure"), Column("unit", "unit"), Column("n", "games", "count", "under each ruleset"),
        Column("a", f"A: {kept.words.get('a', 'A')}", "number"), Column("b", f"B: {kept.words.get('b', 'B')}", "number"),
        Column("difference", "B less A [95% all]", "points", "percentage points, or rounds"), P,
        Column("verdict", "verdict", "verdict"), HINT,
    )  # fmt: skip
    shifts = (
        Column("shared", "of that shared", "points", "what all leaders but the one that changes most change on average"),
        Column("own", "of its own [95% all]", "points", "the rest"), Column("own_verdict", "of its own: verdict"),
    )  # fmt: skip

    def sentence(row: Any) -> str:
        return f"{row['figure']}: {change(row)}."

    chart = Chart(
        "differences", "B less A", "Percentage points, 95% for all figures together; filled: differs from 0.",
        partial(_draw, label="whom", size="difference"), lambda frame: 1.1 + 0.24 * _shares(frame),
        worth=lambda frame: _shares(frame) > 0,
        message=_in_points("difference", "Under B the {figure} is {size} points {word}"),
    )  # fmt: skip
    parts = _by_group(
        whole, columns, note, chart, lambda frame, source: _changes(frame, sentence, "matter", NONE_CHANGES, "difference")
    )
    leaders = whole[whole["group"] == "leaders"]
    if leaders["own"].notna().any():
        parts = [replace(part, columns=(*columns, *shifts)) if part.key == f"{chart.key}-leaders" else part for part in parts]
    screen = First(
        compared_findings(whole), verdicts=by_verdict(leaders, "whom"), chart="differences-leaders",
        changed=_changed_rules(kept), meanings=_meanings(kept),
        steps=[*more_games(kept, leaders if len(leaders) else whole), *_by_others(kept)],
    )  # fmt: skip
    return parts, screen, (PAIRED if paired else UNPAIRED,)


def _by_group(
    whole: pd.DataFrame, columns: Sequence[Column], note: str, chart: Chart, findings: Callable[..., list[Finding]]
) -> list[Part]:
    """Return a part for each group of figures that is there; its key and title begin those of the chart."""

    def part(group: str, frame: pd.DataFrame) -> Part:
        key = f"{chart.key}-{group}"
        own = replace(chart, key=key, title=f"{GROUPS[group]}: {chart.title}")
        frame = frame.reset_index(drop=True)
        return Part(key, GROUPS[group], lambda _: frame, columns, note, charts=(own,), findings=findings, chapter=CHAPTER)

    return [part(group, frame) for group in GROUPS if len(frame := whole[whole["group"] == group])]


def _by_others(kept: Kept) -> list[Step]:
    """Ask whether other players would change the answer, with the command that found it."""
    words = shlex.split(kept.line)
    if words[:2] != ["newdawn", "compare"]:
        return []
    gone = ("--strategies", "--strategy-pool", "--until-half-width", "--out", "--format")
    kept_words = [word for at, word in enumerate(words) if word not in gone and (at == 0 or words[at - 1] not in gone)]
    ways = players.ways(kept.facts["strategies"].split(", "), kept.box, kept.players)
    few = min(players.games_of(ways))
    games = ["--games", str(few)] if few < players.MANY else []  # the last one counts
    command = shlex.join([*kept_words, *games, "--ways", ",".join(ways)])
    return [Step("Would a better or another player change the answer?", command)]


def _changed_rules(kept: Kept) -> list[str]:
    """Return what B changes in the rules of A, as patch notes."""
    return shortened(filter(None, kept.words.get(keeping.CHANGES, "").split("\n")))


def _meanings(kept: Kept) -> list[tuple[str, str]]:
    """Return who played, and what the words of the page mean."""
    return [
        who_played(kept),
        ("A and B", f"A: {kept.words.get('a', 'A')}; B: {kept.words.get('b', 'B')}. Differences are B less A."),
        ("Filled dots", "A filled dot differs from 0; of an open one a change is not shown."),
    ]  # fmt: skip


def with_whom(frame: pd.DataFrame) -> pd.DataFrame:
    """Return figures with whom or what they are of, and whether they rest on few games."""
    whom = frame["figure"].str.replace(r"^\w+ rate of ", "", regex=True)
    return frame.assign(whom=whom, small_sample=frame["n"] < SMALL_SAMPLE)


def _matter(frame: pd.DataFrame, size: str = "difference") -> pd.Series:
    """Return differences in units of what matters: one round, two percentage points."""
    matter: pd.Series = frame[size] / frame["figure"].map(margin_of)
    return matter


def _both_answers(kept: Kept) -> Made:
    """Return the page of `newdawn compare --adapt`: both answers, and what adapting changes."""
    found = kept.tables["answers"]
    whole = scaled(found, [f"{name}{end}" for name in ANSWERS for end in ALL])
    whole = with_whom(whole.assign(n=found[["n_a", "n_b"]].min(axis=1), matter=_matter(found, "change")))
    whole = whole[whole["unaware_difference"].notna()]
    columns = (
        Column("figure", "figure"), Column("unit", "unit"), Column("n", "games", "count", "under each ruleset, of each kind"),
        Column("unaware_difference", "B less A, not noticed [95% all]", "points", "by the players as they are"),
        Column("adapted_difference", "B less A, adapted [95% all]", "points", "by players trained under each ruleset"),
        Column("change", "adapting changes it by [95% all]", "points"), P, Column("verdict", "verdict", "verdict"), HINT,
    )  # fmt: skip

    def sentence(row: Any) -> str:
        before, after = (points(row[name]) for name in ANSWERS[:2])
        change = points_of(row, "change")
        start = f"{row['figure']}: adapting changes it by {change} {row['unit']} (n = {row['n']:,})."
        return f"{start} B less A is {before} for players who have not noticed, {after} for players who have."

    def moved(frame: pd.DataFrame, nothing: str) -> list[Finding]:
        return _changes(frame[frame["p_adjusted"].notna()], sentence, "matter", nothing, "change")

    chart = Chart(
        "answers", "B less A, by both kinds of players",
        "Percentage points, 95% for all figures together; below each: by adapted players; filled: adapting changes it.",
        _draw_both, lambda frame: 1.1 + 0.44 * _shares(frame), worth=lambda frame: _shares(frame) > 0,
        message=_in_points("change", "Adapting makes B's effect on the {figure} {size} points {word}"),
    )  # fmt: skip
    parts = _by_group(
        whole, columns, "What B changes against A, by both kinds of players.", chart,
        lambda frame, source: moved(frame, "Adapting changes none of these measurably"),
    )  # fmt: skip
    leaders = whole[whole["group"] == "leaders"]
    said = moved(whole, "Adapting changes no answer measurably")
    # How players were trained and how much each answer shows; what was compared and what changes is there already.
    more = [text for text in kept.sentences[2:] if not text.startswith((CHANGES, NOTHING))]
    said += [Finding(text, "limit" if text == LIMIT else "measured") for text in more]
    screen = First(
        said, verdicts=by_verdict(leaders, "whom"), chart="answers-leaders", changed=_changed_rules(kept),
        meanings=_meanings(kept)[:2], steps=more_games(kept, leaders if len(leaders) else whole),
    )  # fmt: skip
    return parts, screen, (PAIRED, FOURS)


def _in_points(size: str, text: str) -> Message:
    """Return the message on the figure that is drawn, one in percentage points, and changes most."""
    said = message(size, text, "higher", "lower")
    return lambda frame: said(frame[frame["unit"] == "points"])


def _draw_both(frame: pd.DataFrame, ax: Any) -> None:
    """Draw both answers of each figure, one below the other, with the intervals that hold together."""
    shown = frame[frame["unit"] == "points"].sort_values("unaware_difference", ascending=False, kind="stable")
    labels = [label for whom in shown["whom"] for label in (f"{whom}", "adapted")]
    ends = [np.stack([shown[f"{name}{end}"] for name in ANSWERS[:2]], axis=1).ravel() for end in ALL]
    plots.forest(ax, labels, *ends, filled=np.repeat(having(shown, DIFFERENT), 2), reference=0)
    ax.set_xlabel("percentage points")


def _shares(frame: pd.DataFrame) -> int:
    """Return the number of rows in percentage points."""
    return int((frame["unit"] == "points").sum())


def _draw(frame: pd.DataFrame, ax: Any, label: str, size: str) -> None:
    """Draw the sizes of changes in points, with the intervals that hold together."""
    shown = frame[frame["unit"] == "points"] if "unit" in frame else frame
    shown = shown[shown[size].notna()].sort_values(size, ascending=False, kind="stable")
    plots.column(ax, shown, shown[label], size, "percentage points", reference=0)


def _said(kept: Kept) -> list[Finding]:
    return [Finding(text) for text in kept.sentences]


def _experiment(kept: Kept) -> Made:
    """Return the page of `newdawn experiment`."""
    kind = kept.words.get("kind", "treatment")
    found = kept.tables["effects"]
    given = found[found["n"] > 0]
    given = given.assign(**{f"points{end}": 100 * given[f"effect{end}"] for end in ENDS})
    label = "arm"
    if "leader" in given:
        given, label = given.assign(whom=given["arm"] + ", " + given["leader"]), "whom"
    split = (Column("leader", "leader"),) if "leader" in given else ()
    columns = (
        Column("arm", kind), *split, Column("n", "pairs of games", "count"),
        Column("without", "won without it", "rate"), Column("with", "won with it", "rate"),
        Column("points", "effect, points [95% all]", "points", "change of the chance to win"), P,
        Column("verdict", "verdict", "verdict"), Column("not_given", "could not be given", "rate"), HINT,
    )  # fmt: skip

    def sentence(row: Any) -> str:
        size = points_of(row, "points")
        return (
            f"{row[label]} changes the chance to win by {size} points, from {rate(row['without'])} to {rate(row['with'])} "
            f"(n = {row['n']:,} pairs)."
        )

    part = Part(
        "worth", "Effects", lambda source: given.reset_index(drop=True), columns,
        note="Effects on the seat's chance to win: the same games with and without it.",
        charts=(Chart(
            "worth", f"Effect of each {kind}", "Percentage points of the chance to win; 95% for all rows; filled: not zero.",
            partial(_draw, label=label, size="points"), lambda frame: 1.1 + 0.24 * len(frame),
            message=message("points", f"{{{label}}} {{word}} the chance to win by {{size}} points", "raises", "lowers"),
        ),),
        chapter=CHAPTER,
    )  # fmt: skip
    screen = First(
        _changes(given, sentence, "points", f"No {kind} changes the chance to win measurably"),
        verdicts=by_verdict(given, label),
        chart="worth",
        steps=more_games(kept, given),
    )
    method = "One seat of a game, drawn at random, was treated, or the leader in question; whatever differs is caused by that."
    return [part], screen, (PAIRED, method)


def _tuned(kept: Kept, out: Path) -> Made:
    """Return the page of `newdawn tune` or `newdawn balance`."""
    return *advised.parts_of(kept, out), (PAIRED,)


def _moved(kept: Kept) -> Made:
    """Return the page of `newdawn sensitivity`."""
    found = kept.tables["changes"]
    sizes = (*(f"difference{end}" for end in ALL), "detectable")
    frame = scaled(found.drop(columns=["low", "high"]), sizes).assign(
        what=found["parameter"] + ": " + found["printed"].astype(str) + " → " + found["value"].astype(str),
        matter=_matter(found), small_sample=found["n"] < SMALL_SAMPLE,
    )  # fmt: skip

    def sentence(row: Any) -> str:
        size = points_of(row, "difference")
        return f"{row['what']}: {row['figure']} {size} {row['unit']} (n = {row['n']:,.0f})."

    columns = (
        Column("what", "change"), Column("figure", "figure"), Column("unit", "unit"), Column("n", "games", "count"),
        Column("changed", "changed", "count", "pairs of games that differ in it"),
        Column("difference", "difference [95% all]", "points"), P, Column("verdict", "does it matter?"),
        Column("detectable", "found with 80% chance from", "number"), HINT,
    )  # fmt: skip
    matters = frame[frame["verdict"] == sensitivity.MATTERS]

    def draw(shown: pd.DataFrame, ax: Any) -> None:
        most = shown[(shown["unit"] == "points") & (shown["p_adjusted"] <= SIGNIFICANT)].head(20)
        labels, axis = most["what"] + " (" + most["figure"] + ")", "percentage points, 95% for all differences together"
        plots.column(ax, most, labels, "difference", axis, filled=most["verdict"] == sensitivity.MATTERS, reference=0)

    part = Part(
        "moved", "Numbers moved by a step", lambda source: frame, columns, rows=300, chapter=CHAPTER,
        note="What a step of each number does to the headline figures, the largest first.",
        charts=(Chart(
            "moved", "The largest changes that are shown", "Shares only; rounds are in the table. Filled: matters.", draw,
            lambda shown: 1.1 + 0.24 * min(20, int(((shown["unit"] == "points") & (shown["p_adjusted"] <= SIGNIFICANT)).sum())),
            worth=lambda shown: bool(((shown["unit"] == "points") & (shown["p_adjusted"] <= SIGNIFICANT)).any()),
            message=lambda shown: _moving(shown[shown["verdict"] == sensitivity.MATTERS]),
        ),),
    )  # fmt: skip
    numbers = list(dict.fromkeys(matters["parameter"]))
    verdicts = [Verdict("matters", numbers[:12], "up")] if numbers else []
    largest = matters.sort_values("matter", key=np.abs, ascending=False, kind="stable").head(EXAMPLES).to_dict("records")
    said = [Finding(sentence(row), "few" if row["small_sample"] else evidence(row["p_adjusted"])) for row in largest]
    start = "" if said else "No number matters detectably. "
    said.append(Finding(f"{start}{sensitivity.counts(frame)}.", "measured" if largest else "open"))
    return [part], First(said, verdicts=verdicts, chart="moved"), (PAIRED,)


_moving = _in_points("difference", "{what} matters most: the {figure} is {size} points {word}")


def _laddered(kept: Kept) -> Made:
    """Return the page of `newdawn ladder`."""
    parts, said, verdicts = [], _said(kept), []
    if "ratings" in kept.tables:
        ratings = kept.tables["ratings"]

        def draw(frame: pd.DataFrame, ax: Any) -> None:
            plots.column(ax, frame, frame["strategy"], "rating", "rating; 400 are odds of 10 to 1", reference=0)

        columns = (
            Column("strategy", "strategy"), Column("n", "games", "count"), Column("rating", "rating [95% all]", "number"),
            Column("win_rate", "win rate [95%]", "rate"), P, Column("verdict", "verdict", "verdict"),
            Column("rank_best", "possible places", "range"), HINT,
        )  # fmt: skip
        parts.append(
            Part("strength", "Ratings", lambda source: ratings, columns, chapter=CHAPTER,
                 note="400 points of the rating are odds of 10 to 1; ranks hold simultaneously (95%).",
                 charts=(Chart("strength", "Ratings", "95% for all rows together; filled: differs from the average.", draw,
                               lambda frame: 1.1 + 0.27 * len(frame), message=_strongest),))
        )  # fmt: skip
        verdicts = by_verdict(ratings, "strategy")
        for row in ratings[ratings["rating"].notna()].head(EXAMPLES).to_dict("records"):
            size = number(row["rating"], row["rating_all_low"], row["rating_all_high"], 0)
            said.append(Finding(f"{row['strategy']}: rating {size} (n = {row['n']:,}).", row["certainty"]))
        for row in ratings[ratings["rating"].isna()].to_dict("records"):
            said.append(Finding(f"{row['strategy']} never won and has no rating (n = {row['n']:,}).", row["certainty"]))
    for name, title in (("against", "Win rates against copies"), ("pairs", "Pairs of strategies")):
        if name in kept.tables:
            parts.append(_strategies(kept.tables[name], name, title))
    if "against" in kept.tables:
        for row in kept.tables["against"].head(EXAMPLES).to_dict("records"):
            won = rate_of(row, "win_rate")
            said.append(Finding(f"{row['strategy']} wins {won} against {row['opponent']} (n = {row['n']:,}).", "measured"))
    return parts, First(said, verdicts=verdicts, chart="strength" if "ratings" in kept.tables else "versus"), ()


def _strongest(ratings: pd.DataFrame) -> str:
    """Say which strategy is the strongest, if only one may be."""
    first = ratings.loc[ratings["rank_best"] == 1, "strategy"] if "rank_best" in ratings else ratings["strategy"]
    return f"{first.iloc[0]} is the strongest" if len(first) == 1 and len(ratings) > 1 else ""


def _strategies(frame: pd.DataFrame, name: str, title: str) -> Part:
    """Return the part on win rates of strategies against each other."""
    columns = [Column("strategy", "strategy"), Column("opponent", "opponent"), Column("n", "games", "count"),
             Column("win_rate", "win rate [95%]", "rate")]  # fmt: skip
    some = frame.assign(pair=frame["strategy"] + " against " + frame["opponent"])

    def draw(rows: pd.DataFrame, ax: Any) -> None:
        plots.column(ax, rows, rows["pair"], "win_rate", "win rate, % (95% each)", ends=plots.EACH, scale=100)

    key = "versus" if name == "against" else "meetings"
    return Part(key, title, lambda source: some, columns, note="Win rate of the first in games with the second at the table.",
                charts=(Chart(key, title, "95% each.", draw, lambda rows: 1.1 + 0.24 * len(rows)),) if len(some) <= 30 else (),
                chapter=CHAPTER)  # fmt: skip


def _ways(kept: Kept) -> Made:
    """Return the page of `newdawn ways`, or of a comparison by several strategies."""
    texts = ("open", "players", "deviates", "stands", "stands_certainty")  # CSV has no empty text
    table, verdicts = kept.tables["ways"], kept.tables["verdicts"]
    verdicts = verdicts.astype(dict.fromkeys(texts, object)).fillna(dict.fromkeys(texts, ""))
    asked = verdicts[verdicts["stands"] != ""]
    asked = asked.assign(whom=[ways.lab.whom(str(figure)) for figure in asked["figure"]], verdict=asked["stands"])
    leaders = by_verdict(asked[asked["group"] == "leaders"], "whom")
    screen = First(ways.findings(table, verdicts), verdicts=leaders, chart="ways-leaders", steps=more_games(kept, verdicts))
    return ways.parts_of(table, verdicts, first_sentences=False), screen, ()


def _restricted(kept: Kept) -> Made:
    """Return the page of `newdawn restrict`."""
    part, alone = restrictions.part_of(kept, CHAPTER), restrictions.TABLE in kept.tables
    frame, size = kept.tables[part.key], "points" if alone else "change"
    nothing = f"None of these {'changes the chance to win' if alone else 'costs differs'} measurably"
    said = _changes(frame, lambda row: restrictions.sentence(row, kept), size, nothing)
    said = [*(restrictions.answers(frame) if alone else []), *said]
    said += restrictions.about_training(kept)
    screen = First(said, verdicts=by_verdict(frame, "restriction"), chart=part.key, steps=more_games(kept, frame))
    return [part], screen, (PAIRED, *restrictions.methods(kept))


PAGES: dict[str, Callable[..., Made]] = {
    "compare": _compared, "compare --adapt": _both_answers, "ban": _compared, "experiment": _experiment,
    "tune": _tuned, "balance": _tuned, "sensitivity": _moved, "ladder": _laddered, "against": _laddered,
    "balance --goals": wished.made, "ways": _ways, "compare --ways": _ways, "restrict": _restricted,
    "coalition": partial(coalition.page, chapter=CHAPTER), "plays compare": people.page,
}  # fmt: skip
