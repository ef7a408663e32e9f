"""`newdawn adapt`: a small real one with its training, its page, going on with it, and messages."""

import json
from io import StringIO

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from newdawn.analysis.learning import adapt
from newdawn.analysis.learning.adapt import Budget
from newdawn.analysis.learning.train import digest_of, read_settings
from newdawn.analysis.tables.kept_answers import open_kept
from newdawn.scripts.cli.main import main
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules.load import load_ruleset
from newdawn.strategies import network_files, registry
from newdawn.strategies.planning import weights

SMALL = ["--players", "2", "--games", "12", "--adapt-games", "20", "--jobs", "1", "--quiet"]


def newdawn(*arguments):
    return CliRunner().invoke(main, [str(word) for word in arguments])


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """An answer with its training; the strategies: a quick player, and a planner, which has nothing to train."""
    folder = tmp_path_factory.mktemp("adapt")
    words = ["adapt", "printed", "no_attacks_on_capitals", *SMALL, "--strategies", "quick,planner"]
    words += ["--training", folder / "training", "--out", folder / "answer"]
    result = newdawn(*words)
    assert result.exit_code == 0, result.output
    return folder, words, result.output


@pytest.mark.soak
def test_both_answers_stand_side_by_side(asked):
    folder, _, output = asked
    for words in ("A = printed, B = no attacks on capitals", "12 games under each by each kind of players", "not noticed",
                  "Adapting changes none of the", "(--adapt-games 20)", "adapting changes it by",
                  "Trainings under the same rules differ"):  # fmt: skip
        assert words in output
    kept = open_kept(folder / "answer")
    frame = kept.tables["answers"]
    assert {"unaware_difference", "adapted_difference", "change", "change_all_low", "p_adjusted", "n_a"} <= set(frame.columns)
    assert (frame["seeds"] == 12).all()
    assert frame["change"].dropna().to_numpy() == pytest.approx(
        (frame["adapted_difference"] - frame["unaware_difference"])[frame["change"].notna()].to_numpy()
    )
    assert len(json.loads((folder / "answer" / "answers.json").read_text())) == len(frame)


def test_the_answer_has_a_page(asked):
    folder, *_ = asked
    made = newdawn("report", folder / "answer")
    assert made.exit_code == 0, made.output
    text = (folder / "answer" / "report" / "report.md").read_text("utf-8")
    for words in ("Not enough games for a test: fewer than 100", "adapting changes it by [95% all]",
                  "adapted twice by 2 stages of", "intervals are wider by as much as trainings differ"):  # fmt: skip
        assert words in text
    assert (folder / "answer" / "report" / "answers-leaders.svg").is_file()


@pytest.mark.soak
def test_trainings_are_kept_and_gone_on_with_and_come_to_the_same(asked, tmp_path):
    folder, words, output = asked
    trainings = sorted((folder / "training").iterdir())
    assert [path.name.split("-")[0] for path in trainings] == ["no", "no", "printed", "printed"]
    files = {path: path.stat().st_mtime_ns for one in trainings for path in one.glob("*_*.npz") if "games" in path.name}
    again = newdawn(*words)
    assert again.output == output
    assert {path: path.stat().st_mtime_ns for path in files} == files
    rules = load_ruleset(["no_attacks_on_capitals"])
    course = adapt.course_of(rules, ("base", None), Budget(games=20), tmp_path, players=2, seed=1, jobs=2)
    fresh = network_files.read(adapt.train(course, lambda text: None))[0]
    kept, about = network_files.read(trainings[0] / "adapted_2p.npz")
    assert fresh.tobytes() == kept.tobytes() != network_files.read(network_files.file_of("base", 2))[0].tobytes()
    assert about["ruleset"] == rules.digest()


def test_the_policy_of_a_player_that_has_one_goes_on_learning_too(asked):
    folder, *_ = asked
    place = next((folder / "training").glob("no-*"))
    path = network_files.file_of("base", 2, network_files.POLICY)
    before = network_files.read(path, network_files.POLICY)[0]
    policy, about = network_files.read(place / "quick_2p.npz", network_files.POLICY)
    assert policy.tobytes() != before.tobytes()
    assert np.abs(policy.second - before.second).max() < 0.2  # it went on from there
    assert (about["lessons"], about["policy"]) == (20, digest_of(path, network_files.POLICY))
    mine, packaged = (registry.find(name).weights(2)[0] for name in (str(place / "adapted_quick.yaml"), "quick"))
    assert mine[weights.POLICY] != packaged[weights.POLICY]
    course = adapt.course_of(load_ruleset(), ("base", None), Budget(games=20), folder, players=2, seed=1, jobs=1)
    assert (course.settings.lessons, course.settings.policy) == (0, "")


@pytest.mark.soak
def test_a_ruleset_compared_with_itself_is_a_control_of_two_trainings(asked):
    folder, *_ = asked
    words = [*SMALL, "--strategies", "quick,planner", "--training", folder / "training", "--format", "csv"]
    result = newdawn("adapt", "printed", "printed", *words)
    assert result.exit_code == 0, result.output
    nets = [network_files.read(path)[0] for path in sorted(folder.glob("training/printed-*/adapted_2p.npz"))]
    assert len({net.tobytes() for net in nets}) == 4
    frame = pd.read_csv(StringIO(result.output))
    assert (frame["unaware_difference"].dropna() == 0).all()
    heading = newdawn("adapt", "printed", "printed", *words[:-2]).output
    assert "a control: both rulesets are the same" in " ".join(heading.split())


def test_the_adapted_player_can_be_played_by_name_and_the_planner_stays_what_it_is(asked):
    folder, *_ = asked
    path = next(folder.glob("training/no-*/adapted_quick.yaml"))
    mine = registry.find(str(path))
    assert mine.function == registry.LEARNED
    assert mine.resolved().weights == registry.find("quick").resolved().weights
    assert mine.network
    planner = registry.find("planner")
    assert adapt.adapted(planner, {}) == planner


def test_minutes_become_a_number_of_games_once(tmp_path, monkeypatch):
    monkeypatch.setattr(adapt, "speed", lambda course, jobs: 7.0)
    words = {"players": 2, "seed": 1, "jobs": 1}
    rules = load_ruleset()
    course = adapt.course_of(rules, ("base", None), Budget(2.0), tmp_path, **words)
    assert course.settings.games == int(120 * adapt.PLAYING / adapt.STAGES * 7)
    assert course.settings.seed != 1  # the comparison's games are others
    other_side = adapt.course_of(rules, ("base", None), Budget(2.0), tmp_path, **words, games=33)
    assert other_side.settings.games == 33
    taught = adapt.course_of(rules, ("base", "base"), Budget(2.0), tmp_path, **words)
    assert taught.settings.games == taught.settings.lessons == int(120 * adapt.PLAYING / (adapt.STAGES + 1) * 7)
    course.begin()
    monkeypatch.setattr(adapt, "speed", lambda course, jobs: 1.0)
    assert adapt.course_of(rules, ("base", None), Budget(2.0), tmp_path, **words).settings == course.settings
    assert read_settings(course.folder / "settings.json") == course.settings
    assert adapt.course_of(rules, ("base", None), Budget(0.1), tmp_path, **words).settings.games == adapt.LEAST


def test_the_speed_is_that_of_games_with_studies(tmp_path):
    course = adapt.course_of(load_ruleset(), ("base", None), Budget(games=20), tmp_path, players=2, seed=1, jobs=1)
    assert 0.01 < adapt.speed(course, 1) < 10_000
    assert not course.folder.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--strategies", "planner"], "planner has nothing to train; expected a strategy with a value network"),
        (["--strategies", "planner"], "such as quick (--strategies quick), fast, adept, conqueror, "),
        (["--strategy-pool", "random,warrior"], "random, warrior has nothing to train"),
        (["--budget", "0"], "--budget': 0.0 is not in the range"),
        (["--adapt-games", "5"], "--adapt-games': 5 is not in the range"),
    ],
)
def test_bad_input_ends_with_code_2_and_one_line(arguments, message, tmp_path):
    result = newdawn("adapt", "printed", "printed", "--quiet", "--training", tmp_path / "t", *arguments)
    assert result.exit_code == 2, result.output
    assert message in result.output
    assert result.output.count("\n") == 1
    assert not (tmp_path / "t").exists()


def test_a_training_that_is_none_is_refused(tmp_path):
    course = adapt.course_of(load_ruleset(), ("base", None), Budget(games=20), tmp_path, players=2, seed=1, jobs=1)
    course.folder.mkdir(parents=True)
    (course.folder / "settings.json").write_text('{"seed": 1}')
    with pytest.raises(UserError, match="cannot be read as the settings of a training"):
        course.begin()
    (tmp_path / "file").write_text("")
    result = newdawn("adapt", "printed", "printed", *SMALL, "--training", tmp_path / "file")
    assert result.exit_code == 2
    assert result.output.count("\n") == 1


@pytest.mark.soak
def test_the_sentences_of_the_page_agree_with_its_rows(asked):
    from newdawn.analysis.report import answer_page

    folder, *_ = asked
    kept = open_kept(folder / "answer")
    frame = kept.tables["answers"]
    japan = frame["figure"] == "win rate of Japan"
    frame.loc[japan, ["p", "p_adjusted", "change", "change_all_low", "change_all_high"]] = [1e-6, 1e-4, 0.2, 0.1, 0.3]
    frame.loc[japan, ["verdict", "verdict_key", "certainty"]] = ["raised", "FAR_ABOVE", "strong"]
    frame.loc[japan, ["unaware_difference", "adapted_difference"]] = [-0.05, 0.15]
    report = answer_page.build(kept, folder)
    said = report.first.findings[0].text
    assert said.startswith("win rate of Japan: adapting changes it by +20.0 [+10.0, +30.0] points")
    assert "B minus A is −5.0 for players who have not noticed, +15.0 for players who have" in said
    assert report.first.verdicts[0].words == "raised"
    assert report.first.verdicts[0].names == ["Japan"]
    assert isinstance(report.sections[0].frame, pd.DataFrame)
