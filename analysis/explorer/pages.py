"""What each view of the explorer shows: sections of tables and charts for one side or two, under a filter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError, unknown
from ..summaries import counts, expansion, wins
from ..summaries.counts import GROUPINGS
from ..tables.cases import Sample
from ..tables.columns import SEPARATOR, Words
from ..tables.render import for_reading, rows_of
from . import answers, tiers
from .filters import Filter
from .sections import Shape, chart, table, with_names

ASSOCIATION = (
    "an association: who is ahead builds and claims more, so it does not say what a wonder or an agenda is worth; "
    "experiments measure effects"
)
RATE = ("n", "wins", "win_rate", "fair_share")
LEADERS = Shape("leaders", ("leader",), (*RATE, "difference", "unfinished"), "win_rate")
JUDGED = Shape(
    "strengths", ("leader",), ("n", "decided", "adjusted_rate", "points", "verdict", "rank", "win_rate"), "adjusted_rate"
)
WONDER_COLUMNS = (
    "n", "revealed", "median_seen", "built", "build_rate", "median_round", "builder_win_rate", "fair_share", "captures",
    "unfinished",
)  # fmt: skip
WONDERS = Shape("wonders", ("wonder",), (*WONDER_COLUMNS, "type", "era"), "build_rate")
CLAIMED = ("n", "claims", "claim_rate", "median_round", "round_p25", "round_p75")
VICTORY = Shape("victory", ("card", "agenda"), (*CLAIMED, "claimant_win_rate", "fair_share", "unfinished"), "claim_rate")
OWN_COLUMNS = ("n", "built", "build_rate", "median_round", "builder_win_rate", "fair_share")
OWN_WONDERS = Shape("wonders", ("wonder",), OWN_COLUMNS, "build_rate")
TIMES = ("winners", "rounds_mean", "rounds_p25", "rounds_median", "rounds_p75")
WITH_CARD = ("n", "wins", "win_rate", "others_rate", "points", "p_adjusted")


@dataclass(frozen=True)
class Side:
    """The runs of one side of the page, pooled, under the filter."""

    title: str
    sample: Sample
    teams: bool = False  # a house rule lets partners win together


@dataclass(frozen=True)
class Asked:
    """A question: the sides, the filter, and the names that are known; `sides_of` answers it for another filter."""

    wanted: Filter
    words: Words
    sides_of: Callable[[Filter], Sequence[Side]]
    effects: Mapping[str, pd.DataFrame]

    def frames(self, function: Callable[..., Any], *more: Any, wanted: Filter | None = None) -> list[Any]:
        """Return what a function says of each side."""
        return [function(side.sample, *more) for side in self.sides_of(wanted or self.wanted)]

    @property
    def several_players(self) -> bool:
        """Say whether the runs of a side differ in their number of players."""
        return any(len({s.games.players for s in side.sample}) > 1 for side in self.sides_of(self.wanted))


def page_of(kind: str, name: str) -> str:
    """Return the address, within the page, of the view of a leader, wonder or card."""
    return f"{kind}/{quote(name, safe='')}"


def view(asked: Asked, path: Sequence[str], by: str | None) -> dict[str, Any]:
    """Return the view of a path such as ("leaders",) or ("wonder", "Petra"); raise UserError if there is none."""
    name = path[0]
    if by is not None and (name != "leaders" or by not in GROUPINGS):
        raise unknown("grouping of the leaders", by[:40], GROUPINGS)
    if len(path) == 1 and name in VIEWS:
        title, made = VIEWS[name]
        return _told(asked, title, asked.wanted, lambda: made(asked, by) if name == "leaders" else made(asked))
    if len(path) == 2 and name in PAGES:
        condition, known, page = PAGES[name]
        if path[1] not in getattr(asked.words, known):
            raise unknown(name, path[1][:40], getattr(asked.words, known))
        narrow = asked.wanted.narrowed(**{condition: path[1]})
        return _told(asked, path[1], narrow, lambda: page(asked, path[1], narrow))
    raise unknown("view", "/".join(path)[:60], [*VIEWS, "games", *(f"{each}/NAME" for each in PAGES)])


def _told(asked: Asked, title: str, wanted: Filter, made: Callable[[], list[dict[str, Any]]]) -> dict[str, Any]:
    """Return the answer: what the games are, a warning if they were chosen by what happened in them, the sections.

    Where one side has no games there are no sections: nothing can be said of it, nor compared with it.
    """
    summary = []
    for side in asked.sides_of(wanted):
        facts = pd.DataFrame([answers.overview(side.sample)])
        text = for_reading(facts).iloc[0].to_dict()
        summary.append({"title": side.title, "text": text, **rows_of(facts)[0]})
    warnings = []
    if asked.wanted.outcomes:
        named = ", ".join(asked.wanted.outcomes)
        warnings.append(f"Games chosen by what happened in them ({named}): every rate below is an association among these.")
    sides = asked.sides_of(asked.wanted)
    if any(not s.all_seats for side in sides for s in side.sample):
        warnings.append("Only seats that the filter names are counted: what others at their tables built and claimed is not.")
    sections = made() if all(side["games"] for side in summary) else []
    if len(sides) == 2:
        sections = [with_names(section, *(side.title for side in sides)) for section in sections]
    return {"title": title, "summary": summary, "warnings": warnings, "sections": sections}


# --- Views of the whole


def leaders_view(asked: Asked, by: str | None) -> list[dict[str, Any]]:
    """Return the leaders' win rates, by a grouping if asked for."""

    def links(row: Mapping[str, Any]) -> dict[str, Any]:
        here = asked.wanted.narrowed(leader=row["leader"])
        if by is not None:
            here = here.narrowed(**{by: str(row[by])})
        return {"leader": page_of("leader", row["leader"]), "n": here, "wins": here.narrowed(won="yes"),
                "unfinished": here.narrowed(winner="nobody")}  # fmt: skip

    sides = asked.sides_of(asked.wanted)
    if by is None and len(sides) == 1 and (found := answers.judged_leaders(sides[0].sample, sides[0].teams)) is not None:
        note = f"n counts seats, those of unfinished games included, which decided leaves out. {tiers.FAIR}"
        return [table("leaders", "", JUDGED, [found], links, note)]
    shape = Shape("leaders", ((by, "leader") if by else ("leader",)), LEADERS.columns, "win_rate")
    frames = asked.frames(counts.leaders, by)
    note = "n counts seats, those of unfinished games included; the dotted mark is the fair share"
    if len(frames) == 1 and by is None:
        note = f"{note}. {tiers.WITHOUT}"
    elif len(frames) == 2:
        note = f"{note}. {tiers.DIFFERENCE}"
    return [table("leaders", "", shape, frames, links, note)]


def wonders_view(asked: Asked) -> list[dict[str, Any]]:
    """Return how often world wonders were seen and built."""

    def links(row: Mapping[str, Any]) -> dict[str, Any]:
        here = asked.wanted.narrowed(deck=row["wonder"])
        return {"wonder": page_of("wonder", row["wonder"]), "n": here, "unfinished": here.narrowed(winner="nobody"),
                "built": asked.wanted.narrowed(built=row["wonder"])}  # fmt: skip

    frames = asked.frames(counts.wonders)
    return [table("wonders", "", WONDERS, frames, links, f"Builder win rate is {ASSOCIATION}.")]


def victory_view(asked: Asked) -> list[dict[str, Any]]:
    """Return how victory cards were claimed."""
    frames = asked.frames(counts.victory)
    return [table("victory", "", VICTORY, frames, _claims(asked.wanted), f"Claimant win rate is {ASSOCIATION}.")]


def _claims(wanted: Filter) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Return the links of a row about a card and an agenda."""

    def links(row: Mapping[str, Any]) -> dict[str, Any]:
        here = wanted.narrowed(card=row["card"])
        return {"card": page_of("card", row["card"]), "n": here, "claims": wanted.narrowed(claimed=row["agenda"]),
                "unfinished": here.narrowed(winner="nobody")}  # fmt: skip

    return links


def length_view(asked: Asked) -> list[dict[str, Any]]:
    """Return how long games take."""
    found = asked.frames(answers.length_counts)
    return [chart("length", "Rounds in which games ended", "games", found, asked.wanted)]


def expansion_view(asked: Asked) -> list[dict[str, Any]]:
    """Return what seats did in Terra Incognita, and how often those won that did it."""
    if not any(answers.boxed(side.sample).selections for side in asked.sides_of(asked.wanted)):
        raise UserError(
            f"expansion: no run here was played with the expansion; expected one with --box {names.BOXES[names.TI_BOX]}"
        )
    note = "association: win rate less that of the other seats; who is ahead builds and explores more"
    sections = []
    for what, (function, title) in DEEDS.items():
        # With a fort card in play nobody wins without a fort: to compare seats by theirs is a tautology.
        shape = Shape(function, (what,), ASSOCIATED[:4] if what == "forts" else ASSOCIATED, "win_rate")
        sections.append(table(function, title, shape, asked.frames(_of_the_box(expansion.associations), what), note=note))
    shape = Shape("unique_cards", ("leader",), ("n", "share", "median_round", *ASSOCIATED[2:]), "win_rate")

    def links(row: Mapping[str, Any]) -> dict[str, Any]:
        return {"leader": page_of("leader", row["leader"])}

    frames = asked.frames(_of_the_box(expansion.unique_cards))
    cards = table("unique_cards", "Unique cards, by the leader they belong to", shape, frames, links,
                  "n: seats of the leader that took the card; association: win rate with it less that without it")  # fmt: skip
    return [*sections, cards]


def _of_the_box(function: Callable[..., pd.DataFrame]) -> Callable[..., pd.DataFrame]:
    """Return the function as one of the selections of runs of Terra Incognita."""
    return lambda sample, *more: function(answers.boxed(sample), *more)


ASSOCIATED = ("n", "share", "wins", "win_rate", "rate_without", "association", "p_adjusted")
DEEDS = {  # by what a row is about: function of `analysis`, heading
    "district": ("districts", "Districts placed"), "government": ("governments", "Governments at the start of a turn"),
    "tiles": ("exploring", "Tiles explored"), "forts": ("forts", "Forts taken"),
}  # fmt: skip
VIEWS: dict[str, tuple[str, Callable[..., list[dict[str, Any]]]]] = {
    "leaders": ("Leaders", leaders_view), "wonders": ("World wonders", wonders_view),
    "victory": ("Victory cards", victory_view), "length": ("Length of the games", length_view),
    "expansion": ("Terra Incognita", expansion_view),
}  # fmt: skip


# --- Pages of one thing


def leader_page(asked: Asked, name: str, wanted: Filter) -> list[dict[str, Any]]:
    """Return the page of a leader: rates by seat, opponent and card, how and when it wins, what it builds and ends with."""

    def rates(by: str) -> dict[str, Any]:
        shape = Shape("leaders", (by,), (*RATE, "difference", "unfinished"), "win_rate")
        frames = asked.frames(counts.leaders, by, wanted=wanted)
        title = "By turn order" if by == "order" else f"By {by}"
        return table(f"by-{by}", title, shape, frames, lambda row: _won(wanted.narrowed(**{by: str(row[by])})))

    opponents = [frame[frame["opponent"] != name] for frame in asked.frames(answers.opponents, wanted=wanted)]
    winners = wanted.narrowed(won="yes")
    sections = [
        table("rate", "Win rate", LEADERS_ALONE, asked.frames(counts.leaders, wanted=wanted), lambda _: _won(wanted)),
        *(rates(by) for by in ("seat", "order", *(["players"] if asked.several_players else []))),
        *(each for each in [rates("strategy")] if len(each["rows"]) > 1),
        table("opponents", "By opponent", OPPONENTS, opponents,
              lambda row: {"opponent": page_of("leader", row["opponent"]), **_won(wanted.narrowed(table=row["opponent"]))},
              f"{name}'s win rate in games with the opponent at the table; others rate: in those without it; points: the "
              "difference, by which the rate is shaded; framed: p, corrected over the opponents, is at most 0.05"),
        table("cards", "By victory card in play", Shape("card_set_leaders", ("card",), WITH_CARD, "win_rate"),
              asked.frames(answers.by_card, wanted=wanted),
              lambda row: {"card": page_of("card", row["card"]), **_won(wanted.narrowed(card=row["card"]))},
              "others rate: in games without the card; points: the difference of the two, p corrected over the cards"),
        table("claims", f"How {name} wins: agendas in games it won", VICTORY_WINS,
              asked.frames(counts.victory, wanted=winners), _claims(winners),
              "claim rate: share of its won games with the card in play in which it claimed the card by the agenda"),
        table("times", f"When {name} wins", Shape("winning_times", ("leader",), TIMES),
              asked.frames(wins.winning_times, wanted=winners)),
        chart("ends", f"Rounds of the games {name} won", "games", asked.frames(answers.length_counts, wanted=winners), winners),
        table("wonders", f"World wonders {name} builds", OWN_WONDERS, asked.frames(counts.wonders, wanted=wanted),
              lambda row: {"wonder": page_of("wonder", row["wonder"]), "n": wanted.narrowed(deck=row["wonder"]),
                           "built": wanted.narrowed(built=row["wonder"])}, f"Builder win rate is {ASSOCIATION}."),
        table("holdings", "At the end of the game", Shape("holdings", ("what",), ("n", "mean", "p25", "median", "p75")),
              asked.frames(answers.holdings, wanted=wanted),
              note="means with Student's interval; trade gained, cities lost and capitals beaten are over the whole game"),
    ]  # fmt: skip
    return [*sections, *_effects(asked, "leader", name, "Effect of its ability being switched off")]


OPPONENTS = Shape("card_set_leaders", ("opponent",), WITH_CARD, "win_rate", shade="points")
LEADERS_ALONE = Shape("leaders", ("leader",), (*RATE, "difference", "unfinished"), "win_rate")
VICTORY_WINS = Shape("victory", ("card", "agenda"), CLAIMED, "claim_rate")


def _won(here: Filter) -> dict[str, Any]:
    """Return the links of a row of win rates."""
    return {"n": here, "wins": here.narrowed(won="yes"), "unfinished": here.narrowed(winner="nobody")}


def wonder_page(asked: Asked, name: str, wanted: Filter) -> list[dict[str, Any]]:
    """Return the page of a world wonder: how often it is built, by whom, when, with which cards; effects if known."""
    whole = [frame[frame["wonder"] == name] for frame in asked.frames(counts.wonders, wanted=wanted)]
    builders = Shape("wonder_builders", ("leader",), ("n", "built", "build_rate", "builder_win_rate"), "build_rate")

    def links(row: Mapping[str, Any]) -> dict[str, Any]:
        here = wanted.narrowed(leader=row["leader"])
        return {"leader": page_of("leader", row["leader"]), "n": here, "built": here.narrowed(built=name)}

    times = asked.frames(answers.wonder_times, name, wanted=wanted)
    return [
        *_effects(asked, "wonder", name, "Effect of being given the wonder"),
        table("rate", "How often it is built", Shape("wonders", ("wonder",), WONDER_COLUMNS, "build_rate"), whole,
              lambda _: {"n": wanted, "built": wanted.narrowed(built=name)}, f"Builder win rate is {ASSOCIATION}."),
        chart("times", "Rounds in which it was built", "games", times),
        table("builders", "By leader", builders, asked.frames(counts.wonder_builders, name, wanted=wanted), links,
              "n: games with the leader at the table and the wonder in a deck; builder win rate is an association"),
        table("cards", "By victory card in play", Shape("wonders", ("card",), ("n", "built", "build_rate"), "build_rate"),
              asked.frames(answers.wonder_by_card, name, wanted=wanted),
              lambda row: {"card": page_of("card", row["card"]), "n": wanted.narrowed(card=row["card"]),
                           "built": wanted.narrowed(card=row["card"], built=name)}),
    ]  # fmt: skip


def card_page(asked: Asked, name: str, wanted: Filter) -> list[dict[str, Any]]:
    """Return the page of a victory card: its agendas' claims, by leader, when, and how leaders fare with it in play."""
    whole = [frame[frame["card"] == name] for frame in asked.frames(counts.victory, wanted=wanted)]
    claimants = Shape("agenda_users", ("agenda", "leader"), ("n", "claims", "claim_rate", "claimant_win_rate"), "claim_rate")

    def claims(row: Mapping[str, Any]) -> dict[str, Any]:
        here = wanted.narrowed(leader=row["leader"])
        return {"leader": page_of("leader", row["leader"]), "n": here, "claims": here.narrowed(claimed=row["agenda"])}

    def fared(row: Mapping[str, Any]) -> dict[str, Any]:
        return {"leader": page_of("leader", row["leader"]), **_won(wanted.narrowed(leader=row["leader"]))}

    agendas = [agenda for agenda in name.split(SEPARATOR) if agenda in asked.words.agenda]
    return [
        table("rate", "How often it is claimed", VICTORY, whole, _claims(wanted), f"Claimant win rate is {ASSOCIATION}."),
        *(chart(f"times-{agenda}", f"Rounds of the claims by {agenda}", "claims",
                asked.frames(answers.claim_times, agenda, wanted=wanted)) for agenda in agendas),
        table("claimants", "Who claims it", claimants, asked.frames(answers.claimants, name, wanted=wanted), claims,
              "n: games with the leader at the table and the card in play; claimant win rate is an association"),
        table("leaders", "Leaders with the card in play", Shape("card_set_leaders", ("leader",), WITH_CARD, "win_rate"),
              asked.frames(answers.leaders_with_card, name), fared,
              "others rate: in games without the card; points: the difference of the two, p corrected over the leaders"),
    ]  # fmt: skip


PAGES: dict[str, tuple[str, str, Callable[..., list[dict[str, Any]]]]] = {
    "leader": ("leader", "leader", leader_page), "wonder": ("deck", "wonder", wonder_page), "card": ("card", "card", card_page),
}  # fmt: skip


def _effects(asked: Asked, kind: str, name: str, title: str) -> list[dict[str, Any]]:
    """Return what an experiment found about it; nothing where there was none."""
    frame = asked.effects.get(kind)
    if frame is None:
        return []
    shape = Shape("effects", (kind,), ("n", "points", "p_adjusted"))
    note = "percentage points of the chance to win, in the experiment's games, which are not filtered; p corrected over these"
    return [table("effects", title, shape, [frame[frame[kind] == name]], note=note)]
