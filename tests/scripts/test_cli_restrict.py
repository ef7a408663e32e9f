"""`newdawn restrict --adapt`: a small real one with its training, its page, and going on with it."""

import numpy as np
import pytest
from click.testing import CliRunner

from newdawn.analysis.learning import adapt
from newdawn.analysis.learning.adapt import Budget
from newdawn.analysis.learning.train import read_settings
from newdawn.analysis.questions.restrict import CHANCE, trained
from newdawn.analysis.questions.restricted_play import FREE, player
from newdawn.analysis.tables.kept_answers import open_kept
from newdawn.scripts.cli.main import main
from newdawn.simulator.rules.load import load_ruleset
from newdawn.strategies import registry
from newdawn.strategies.planning import restrictions, weights

SMALL = ["--players", "2", "--games", "12", "--adapt-games", "20", "--jobs", "1", "--quiet"]
RULES = load_ruleset()


def newdawn(*arguments):
    return CliRunner().invoke(main, [str(word) for word in arguments])


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """An answer with its trainings."""
    folder = tmp_path_factory.mktemp("restrict")
    words = ["restrict", "--adapt", "--without", "cities,agenda Paranoid", *SMALL]
    words += ["--training", folder / "training", "--out", folder / "answer"]
    result = newdawn(*words)
    assert result.exit_code == 0, result.output
    return folder, words, result.output


@pytest.mark.soak
def test_both_losses_stand_side_by_side_and_have_a_page(asked):
    folder, _, output = asked
    kept = open_kept(folder / "answer")
    frame = kept.tables["beside"]
    assert frame["restriction"].tolist() == ["cities", "agenda Paranoid"]
    assert frame["change"].to_numpy() == pytest.approx((frame["b_points"] - frame["a_points"]).to_numpy())
    made = newdawn("report", folder / "answer")
    assert made.exit_code == 0, made.output
    text = (folder / "answer" / "report" / "report.md").read_text("utf-8")
    for row in frame.to_dict("records"):
        assert trained(row, 2) in output
        assert trained(row, 2) in text
    free = [f"{frame[f'{key}_share'][0]:.1%}" for key in "ba"]
    assert f"Trained as long without a restriction, it wins {free[0]} of its games instead of {free[1]}." in text
    assert CHANCE in text


@pytest.mark.soak
def test_each_restriction_has_a_training_of_its_own_and_the_same_command_goes_on_with_it(asked):
    folder, words, _ = asked
    places = sorted((folder / "training").iterdir())
    assert [read_settings(place / "settings.json").without for place in places] == ["", "agenda Paranoid", "cities"]
    assert len({read_settings(place / "settings.json").games for place in places}) == 1
    before = {place: (place / "adapted_2p.npz").read_bytes() for place in places}
    assert len(set(before.values())) == 3
    answer = (folder / "answer" / "beside.csv").read_bytes()
    again = newdawn(*words)
    assert again.exit_code == 0, again.output
    assert (folder / "answer" / "beside.csv").read_bytes() == answer
    assert {place: (place / "adapted_2p.npz").read_bytes() for place in places} == before


def test_the_player_in_training_does_without_and_the_planners_beside_it_do_not(tmp_path):
    paranoid = ("agenda Paranoid", weights.IGNORED, restrictions.mark("Paranoid"))
    for without, place, value in (("cities", weights.FORBIDDEN, restrictions.CITIES), paranoid):
        course = adapt.course_of(RULES, ("base", None), Budget(games=20), tmp_path, players=2, seed=1, jobs=1, without=without)
        plan = course.plan(0)
        found = {name: int(plan.strategy(name).weights(2)[0, place]) for name in plan.library()}
        assert found == {"learner": value, "planner": 0}


@pytest.mark.soak
def test_trained_players_keep_their_restriction_and_the_free_one_has_none(asked):
    folder, *_ = asked
    found = adapt.trained_without(
        RULES, player("adept"), [FREE, "cities"], Budget(games=20), folder / "training", players=2, seed=1, jobs=1,
        say=lambda text: None,
    )  # fmt: skip
    tables = {name: one.weights(2)[0] for name, one in found.items()}
    assert tables[FREE][weights.FORBIDDEN] == 0
    assert tables["cities"][weights.FORBIDDEN] == restrictions.CITIES
    packaged = registry.find("adept").weights(2)[0]
    assert len({int(table[weights.NETWORK]) for table in (packaged, *tables.values())}) == 3
    assert np.array_equal(tables[FREE][: len(weights.NAMES)], packaged[: len(weights.NAMES)])
