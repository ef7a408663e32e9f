"""The figures that goals may name are those of the summaries: of the same games they say the same."""

import numpy as np
import pytest

from newdawn.analysis.goals.games import GoalsTable, plan_of
from newdawn.analysis.goals.wishes import KINDS, Figure, catalogue, read
from newdawn.analysis.tables import expansion, game, win_rates
from newdawn.analysis.tables.decoded_games import CodeNames, Games
from newdawn.analysis.tables.read import Everything, Sample
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.run import Silent, play_range, tables_of

GAMES = 60


def played(box, way="planner"):
    """Return figures and values of some games, and a function that gives these games to a summary."""
    rules = load_ruleset(box=box)
    plan, r = plan_of(rules, GoalsTable(3, way), 5), rules.compile()
    rows = play_range(plan, r, 0, GAMES, Silent())
    figures = catalogue(rules, [Figure(KINDS["matchup"], ("Scythia", "Egypt"))])
    frames = {name: part.to_pandas() for name, part in tables_of(plan, r, rows).items()}

    def sample():
        words = CodeNames()
        return Sample(words, [Everything(Games(frames, 3, words))])

    return figures, read(plan, r, rows, figures), sample, frames


@pytest.fixture(scope="module")
def base():
    return played("base")


@pytest.fixture(scope="module")
def wide():
    return played("terra-incognita")


def ratio(games, word, *subject):
    figures, values = games[:2]
    y, m = values[:, figures.index(Figure(KINDS[word], subject))].astype(float).sum(axis=0)
    return y / m


def test_the_course_of_games_is_that_of_the_summaries(base):
    sample = base[2]
    courses = game.courses(sample())
    assert ratio(base, "lead-changes") == pytest.approx(game.lead_of(courses)["changes"].iloc[0])
    assert ratio(base, "comebacks") == pytest.approx(game.comebacks_of(courses)["comeback_rate"].iloc[0])
    won = courses[courses["behind"] != game.NOBODY]
    share = (won["lead_round"] / won["rounds"] * won["games"]).sum() / won["games"].sum()
    assert ratio(base, "lead-for-good") == pytest.approx(share)
    assert ratio(base, "game-length") == pytest.approx(game.length(sample())["mean"].iloc[0])
    assert ratio(base, "unfinished") == game.length(sample())["unfinished_rate"].iloc[0]


def test_leaders_wonders_and_agendas_are_those_of_the_summaries(base):
    sample = base[2]
    for row in win_rates.leaders(sample()).to_dict("records"):
        assert ratio(base, "win-rate", row["leader"]) == pytest.approx(row["win_rate"])
    for row in win_rates.wonders(sample()).to_dict("records"):
        assert ratio(base, "build-rate", row["wonder"]) == pytest.approx(row["build_rate"])
    seats = [ratio(base, "seat-win-rate", name) for name in ("first", "second", "third")]
    assert sum(seats) == pytest.approx(1 - ratio(base, "unfinished"))


def test_cards_capitals_and_pairs_are_those_of_the_tables(base):
    seats = base[3]["seats"]
    kinds = ["culture", "science", "economy", "industry", "military"]
    uses = {kind: sum(seats[f"{kind}_slot{slot}"].sum() for slot in range(1, 6)) for kind in kinds}
    for kind in kinds:
        assert ratio(base, "card-use", kind) == pytest.approx(uses[kind] / sum(uses.values()))
    assert ratio(base, "capitals-beaten") == pytest.approx(seats["capitals_beaten"].sum() / GAMES)
    wins = (
        seats.pivot_table(index="game_id", columns="leader", values="won", observed=False)[["Scythia", "Egypt"]].dropna().sum()
    )
    assert ratio(base, "matchup", "Scythia", "Egypt") == pytest.approx(wins["Scythia"] / wins.sum())


@pytest.mark.soak
def test_the_expansions_figures_are_those_of_the_summaries(wide):
    seats = wide[3]["seats"]
    for column, name in expansion.PLACED.items():
        assert ratio(wide, "district-rate", name) == pytest.approx((seats[column] > 0).mean())
    for column, name in expansion.GOVERNED.items():
        assert ratio(wide, "government-rate", name) == pytest.approx((seats[column] > 0).mean())
    taken = seats["unique_card_round"].notna() & (seats["unique_card_round"] > 0)
    for leader, own in taken.groupby(seats["leader"].astype(str)):
        assert ratio(wide, "unique-card-rate", leader) == pytest.approx(own.mean())


def test_every_figure_has_a_place_and_shares_are_shares(wide):
    figures, values = wide[:2]
    assert len({figure.title for figure in figures}) == len(figures)
    shares = [place for place, figure in enumerate(figures) if figure.kind.unit == "share" and not figure.kind.mean]
    assert np.all(values[:, shares, 0] <= values[:, shares, 1] + 1e-6)
