"""Table sizes: what holds at tables of 3 and of 4 players, and what at only one? Start with `answer_of`, then `findings`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import counted, listed
from ..pages import plots
from ..pages.cells import points_of
from ..pages.report_parts import Chart, Column, Finding, Named, Part, Source
from ..pages.screen_parts import First, Stands, Step
from ..pages.sentences import FOUND_CHAPTER, PAIRED, Made, more_games, who_played
from ..stats.claims import Stand, Undecided
from ..stats.inference import ALL
from ..stats.player_counts import at_players, for_tables, joined
from ..stats.verdicts import DIFFERENT, JUDGEMENT, TONES, by_words, having, judged
from ..tables.kept_answers import AT_TABLES, BY_PLAYERS, CHANGES, KeptAnswer
from .compare import in_units
from .experiment import subject

# --- What is asked at several tables
#
# Each table (number of players) is played by itself; its intervals are made for all tables together, so what each of them shows
# holds at all (`stats.player_counts`).

OPTION = AT_TABLES


@dataclass(frozen=True)
class Asked:
    """What one asks at several tables: the noun of a row, and the words for one, and for several, that differ."""

    noun: str
    one: str
    many: str
    method: str


ASKED = {
    "compare": Asked("figure", "changes", "change", PAIRED),
    "experiment": Asked("effect", "is shown", "are shown", PAIRED),
    "run": Asked(
        "leader", "is shown to be off its fair share", "are shown to be off their fair share",
        "The leaders of each run are estimated as in its own report.",
    ),
}  # fmt: skip
METHOD = (
    "Each number of players was played by itself. Intervals [95% all] hold for all rows of all tables together (Bonferroni), "
    "so what each table shows holds at all of them; nothing is averaged over tables."
)
COMMANDS = tuple(f"{command} {OPTION}" for command in ASKED)
TABLES = BY_PLAYERS
KEYS = ("group", "what")
COLUMNS = (
    *KEYS, "unit", "n", "value", "value_all_low", "value_all_high", *JUDGEMENT, "games_fewest", "games_most",
)  # fmt: skip


# --- Its two tables, from those of each number of players


def of_comparison(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a comparison (`compared` with `tables`)."""
    own = in_units(frame)
    return _rows(own, "difference").assign(what="the " + own["figure"])[[*COLUMNS]]


def of_effects(frame: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Return the rows of an experiment's effects (`experiment.effects` with `tables`)."""
    whom = [f" ({leader})" for leader in frame["leader"]] if "leader" in frame else [""] * len(frame)
    subjects = [subject(arm, kind) for arm in frame["arm"]]
    subjects = [f"a{text[1:]}" if text.startswith("A ") else text for text in subjects]
    names = [f"the chance to win with {text}{who}" for text, who in zip(subjects, whom, strict=True)]
    scaled = frame.assign(**{f"effect{end}": 100 * frame[f"effect{end}"] for end in ALL}, group="effects", unit="points")
    return _rows(scaled, "effect").assign(what=names)[[*COLUMNS]]


def of_run(source: Source, tables: int) -> pd.DataFrame:
    """Return the leaders of a run, against the fair share, so that verdicts hold for this many runs together."""
    wider = for_tables(source.judged if source.decided else _nobody_won(source), "points", source.margin, source.games, tables)
    named = wider.assign(group="leaders", unit="points", what=wider["leader"])
    return _rows(named, "points")[[*COLUMNS]]


def _nobody_won(source: Source) -> pd.DataFrame:
    """Return the leaders of a run that nobody won: none is compared."""
    frame = pd.DataFrame({"leader": source.outcomes.levels["leader"], "n": 0})
    unknown = [*(f"points{end}" for end in ALL), "p", "p_adjusted"]
    return judged(frame.assign(**dict.fromkeys(unknown, np.nan)), "points", source.margin, source.games)


def _rows(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    return frame.assign(**{f"value{end}": frame[f"{name}{end}"] for end in ALL})


def answer_of(tables: Mapping[int, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Return the tables of an answer: the rows of each number of players, and what holds at all of them."""
    by_players = pd.concat([frame.assign(players=players) for players, frame in tables.items()], ignore_index=True)
    return dict(zip(TABLES, (by_players[["players", *COLUMNS]], joined(tables, KEYS)), strict=True))


# --- Sentences

MOST = 3  # rows with a sentence of their own
Row = Mapping[Any, Any]


def findings(tables: Mapping[str, pd.DataFrame], command: str) -> list[Finding]:
    """Findings: how many rows differ at all tables, and at some only; then the largest of each, with their sizes at each."""
    by_players, verdicts = (tables[name] for name in TABLES)
    asked, counts = ASKED[command.split()[0]], list(dict.fromkeys(by_players["players"]))
    everywhere = verdicts[having(verdicts, DIFFERENT)]
    somewhere = verdicts[~verdicts["everywhere"] & verdicts["what"].isin(_differing(by_players))]
    told = [_count(asked, everywhere, somewhere, len(verdicts), counts)]
    for part in (everywhere, somewhere):
        order = [_size(by_players, what) for what in part["what"]]
        largest = part.assign(size=order).sort_values("size", ascending=False, kind="stable")
        told += [_sized(row, by_players) for row in largest.head(MOST).to_dict("records")]
    return told


def _differing(by_players: pd.DataFrame) -> pd.Series:
    return by_players.loc[having(by_players, DIFFERENT), "what"]


def _size(by_players: pd.DataFrame, what: str) -> float:
    return float(by_players.loc[by_players["what"] == what, "value"].abs().max())


def _count(asked: Asked, everywhere: pd.DataFrame, somewhere: pd.DataFrame, rows: int, counts: Sequence[int]) -> Finding:
    """Say how many rows differ at all tables, and how many at some only."""
    where, one = at_players(counts), _at_some(counts)
    more = f"; {len(somewhere)} {'more ' if len(everywhere) else ''}{one}" if len(somewhere) else ""
    if everywhere.empty:
        return Finding(Undecided(somewhere, beside=counts), f"No {asked.noun} {asked.one} {where}{more}.")
    verb = asked.one if len(everywhere) == 1 else asked.many
    named = [str(what).removeprefix("the ") for what in everywhere["what"]]
    shown = f": {listed(named)}" if len(named) <= MOST else ""
    text = f"{len(everywhere)} of {counted(rows, asked.noun)} {verb} {where}{shown}{more}."
    return Finding(Stand(everywhere, beside=[*counts, rows, len(somewhere)]), text)


def _at_some(counts: Sequence[int]) -> str:
    return "at only one of the two" if len(counts) == 2 else "at some only"


def _sized(row: Row, by_players: pd.DataFrame) -> Finding:
    """Say a row's verdict at all tables, or that at each, with its size at each."""
    own = by_players[(by_players["what"] == row["what"]) & (by_players["group"] == row["group"])].to_dict("records")
    sizes = [f"{points_of(each, 'value')} {each['unit']} at {each['players']} (n = {each['n']:,})" for each in own]
    found = f"{row['verdict']} {row['holds']}" if row["everywhere"] else row["holds"]
    whom = f"{row['what'][:1].upper()}{row['what'][1:]}"
    text = f"{whom} is {found}: {', '.join(sizes)}."
    names = ("players", "n", *(f"value{end}" for end in ALL))
    beside = [float(each[name]) for each in own for name in names]
    return Finding(Stand(pd.DataFrame([row]), beside=beside, named=[whom]), text)


# --- The page of an answer

TITLES = {
    "game": "The game as a whole", "leaders": "The leaders", "effects": "Effects", "agendas": "Agendas",
    "wonders": "World wonders", "cards": "Focus cards", "skill": "Players of the line-up", "places": "Start places",
}  # fmt: skip


def wide(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return one row per figure: what holds at all tables, whether it differs at any of them, and value, interval and games at
    each (`at3`, `n3` …)."""
    by_players, verdicts = (tables[name] for name in TABLES)
    table = verdicts.merge(by_players[[*KEYS, "unit"]].drop_duplicates(), on=list(KEYS), how="left")
    for players, part in by_players.groupby("players", sort=False):
        names = {f"value{end}": f"at{players}{end}" for end in ALL} | {"n": f"n{players}"}
        table = table.merge(part[[*KEYS, *names]].rename(columns=names), on=list(KEYS), how="left")
    differing = table["what"].isin(_differing(by_players)) & ~table["everywhere"].astype(bool)
    return table.assign(differs=having(table, DIFFERENT) | differing)


def page(kept: KeptAnswer) -> Made:
    """Return the parts, the first screen and the method of an answer."""
    asked, counts, table = ASKED[kept.command.split()[0]], kept.counts, wide(kept.tables)
    columns: tuple[Named, ...] = (
        ("what", asked.noun), "unit",
        *(column for n in counts for column in (
            Column(f"at{n}", f"{n} players [95% all]", "points"), Column(f"n{n}", f"games, {n} players", "count"))),
        ("verdict", "at all tables"), ("holds", "where"),
    )  # fmt: skip
    shown, parts = findings(kept.tables, kept.command), []
    for group in [group for group in TITLES if (table["group"] == group).any()]:
        chart = Chart(
            f"tables-{group}", f"{TITLES[group]} {at_players(counts)}",
            "Percentage points, 95% for all rows and tables together; filled: holds at all tables.",
            partial(_draw, counts=counts), lambda frame: 1.1 + 0.22 * len(counts) * len(_drawn(frame)),
            worth=lambda frame: len(_drawn(frame)) > 0,
        )  # fmt: skip
        parts.append(
            Part(
                f"tables-{group}", TITLES[group], _of_group(table, group), columns, chapter=FOUND_CHAPTER, charts=(chart,),
                note="The same question at each number of players; intervals hold for all of them together.",
                summary=partial(_summary, asked=asked, counts=counts),
                fold=lambda frame: ~frame["differs"],
            )
        )  # fmt: skip
    verdicts = kept.tables[TABLES[1]]
    leaders = verdicts[verdicts["group"] == "leaders"] if (verdicts["group"] == "leaders").any() else verdicts
    steps = [Step(*line.split("\t", 1)) for line in kept.words.get("commands", "").splitlines()]
    screen = First(
        shown, verdicts=_stands(leaders, counts), chart=_leading(parts, table), headline=shown[0].text.rstrip("."),
        steps=[*more_games(kept, verdicts), *steps], meanings=[who_played(kept)],
        changed=kept.words.get(CHANGES, "").splitlines(),
    )  # fmt: skip
    return parts, screen, (METHOD, asked.method)


def _summary(frame: pd.DataFrame, asked: Asked, counts: Sequence[int]) -> str:
    """Say how many rows of a group differ at all tables, and how many at some only."""
    everywhere = int(having(frame, DIFFERENT).sum())
    somewhere = int(frame["differs"].sum()) - everywhere
    some = f"; {somewhere}{' more' if everywhere else ''} {_at_some(counts)}" if somewhere else ""
    many = f"{everywhere} of {counted(len(frame), asked.noun)} {asked.one if everywhere == 1 else asked.many}"
    return f"{many if everywhere else f'No {asked.noun} {asked.one}'} {at_players(counts)}{some}."


def _leading(parts: Sequence[Part], table: pd.DataFrame) -> str:
    """Return the key of the chart of the first screen: of a group with a row that differs everywhere, else at one table."""
    if not parts:
        return ""
    groups = [
        group for rows in (having(table, DIFFERENT), table["differs"]) for group in dict.fromkeys(table.loc[rows, "group"])
    ]
    keys = [part.key for part in parts]
    return next((key for group in groups if (key := f"tables-{group}") in keys), keys[0])


def _of_group(table: pd.DataFrame, group: str) -> Callable[[Source], pd.DataFrame]:
    own = table[table["group"] == group]
    clear = own["differs"].to_numpy()
    return lambda source: own.iloc[np.argsort(~clear, kind="stable")].reset_index(drop=True)


def _stands(verdicts: pd.DataFrame, counts: Sequence[int]) -> list[Stands]:
    """Return whom each verdict that holds at all tables concerns, then those whose verdict depends on the table."""
    everywhere = verdicts["everywhere"].astype(bool)
    held, others = verdicts[everywhere], verdicts[~everywhere]
    where = at_players(counts)
    badges = [
        Stands(words, [_short(what) for what in rows["what"]], TONES[verdict], where) for words, verdict, rows in by_words(held)
    ]
    whom = [f"{_short(row['what'])} ({row['holds']})" for row in others.to_dict("records")]
    return [*badges, *([Stands(str(others["verdict"].iloc[0]), whom, "open")] if whom else [])]


def _short(what: str) -> str:
    return what.removeprefix("the ").removeprefix("win rate of ").removeprefix("chance to win with ")


def _drawn(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that are drawn: those in points that differ at any table, or all if none does; at most twelve."""
    own = frame[frame["unit"] == "points"]
    clear = own[own["differs"]]
    return (clear if len(clear) else own).head(12)


def _draw(frame: pd.DataFrame, ax: Any, counts: Sequence[int]) -> None:
    """Draw each row, one line per number of players."""
    shown = _drawn(frame)
    labels = [f"{_short(what)}, {n} players" for what in shown["what"] for n in counts]
    ends = [shown[[f"at{n}{end}" for n in counts]].to_numpy(float).ravel() for end in ALL]
    filled = np.repeat((having(shown, DIFFERENT) & shown["everywhere"].astype(bool)).to_numpy(), len(counts))
    plots.forest(ax, labels, *ends, filled=filled, reference=0)
    ax.set_xlabel("percentage points")
