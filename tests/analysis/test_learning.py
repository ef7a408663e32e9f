"""Training: gradients, a fit of data with a known answer, its measures, and a whole course in miniature."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import numpy as np
import pytest
from click.testing import CliRunner

from newdawn.analysis.learning import fit
from newdawn.analysis.learning import train as courses
from newdawn.analysis.learning.fit import HELD_OUT, POSITIONS, STUDIES, gathered, joined
from newdawn.analysis.learning.train import Training, TrainingSettings
from newdawn.scripts.cli.main import main
from newdawn.simulator import file_ownership, kept_files
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules.load import load_ruleset
from newdawn.strategies import network_files, registry
from newdawn.strategies.learned import value
from newdawn.strategies.learned.facts import N_FACTS
from newdawn.strategies.planning import weights

RULES = load_ruleset().compile()
SETTINGS = TrainingSettings("digest", players=2, games=12, stages=2, epochs=1, seed=5)


def made(n: int, seats: int = 3, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions of which the first fact decides, by known odds, who wins; facts, shares, true chances."""
    rng = np.random.default_rng(seed)
    facts = np.zeros((n, seats, N_FACTS), np.float32)
    facts[:, :, :6] = rng.normal(size=(n, seats, 6))
    odds = np.exp(1.5 * facts[:, :, 0] - np.abs(facts[:, :, 1]))
    chances = odds / odds.sum(axis=1, keepdims=True)
    won = (chances.cumsum(axis=1) > rng.random((n, 1))).argmax(axis=1)
    return facts, np.eye(seats, dtype=np.float32)[won], chances


def test_gradients_are_those_of_the_loss():
    facts, shares, _ = made(8)
    net = fit.first_network(3)
    net.first *= 0.1
    net.first_bias[::2], net.first_bias[1::2] = 1, -1  # units well on or off: no kink lies within a step
    net.second_bias[::2], net.second_bias[1::2] = 5, -5
    loss, by = fit.gradients(net, facts, shares)
    assert loss == pytest.approx(fit.losses(net, facts, shares).mean(), rel=1e-4)
    rng = np.random.default_rng(0)
    for part in value.PARTS:
        direction = rng.normal(size=net[part].shape)
        ends = []
        for sign in (-1, 1):
            moved = net.copy()
            moved[part] = net[part] + sign * 1e-3 * direction
            ends.append(fit.losses(moved, facts.astype(np.float64), shares).mean())
        assert (by[part] * direction).sum() == pytest.approx((ends[1] - ends[0]) / 2e-3, rel=1e-3, abs=1e-5), part


def ways_of_turns(n: int, turns: np.ndarray) -> np.ndarray:
    """Moments of positions of which those of the same number are ways of one turn, of seat 1."""
    return np.stack([turns, np.full(n, 7), np.ones(n, int)], axis=1)


def test_the_contrast_counts_differences_between_the_ways_of_a_turn_alone():
    facts, shares, _ = made(9)
    net, turns = fit.first_network(3), np.array([0, 0, 0, 1, 1, 2, 3, 3, 3])
    chances = fit.values(net, facts.astype(np.float64))
    found, by = fit.contrast(chances, shares, turns, np.ones(9, int))
    wanted = 0.0
    for turn in range(4):
        error = (chances - shares)[turns == turn, 1]
        wanted += ((error - error.mean()) ** 2).sum()
    assert found == pytest.approx(fit.CONTRAST * wanted / 9)
    assert not by[5].any(), "a position that stands alone has nothing to differ from"
    shifted = shares + np.array([0.0, 0.2, 0.0])
    assert fit.contrast(chances, shifted, turns, np.ones(9, int))[0] == pytest.approx(found)
    direction, ends = np.random.default_rng(4).normal(size=chances.shape), []
    for step in (-1e-5, 1e-5):
        odds = chances * np.exp(step * direction)
        ends.append(fit.contrast(odds / odds.sum(axis=1, keepdims=True), shares, turns, np.ones(9, int))[0])
    assert (by * direction).sum() == pytest.approx((ends[1] - ends[0]) / 2e-5, rel=1e-5)
    both, _ = fit.gradients(net, facts, shares, turns, np.ones(9, int))
    assert both == pytest.approx(fit.gradients(net, facts, shares)[0] + found, rel=1e-4)


def tried(turns: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Eight ways of so many turns of seat 1: the turns differ much, their ways little, by the seventh fact; facts, chances."""
    facts, _, _ = made(turns, seed=seed)
    facts = np.repeat(facts, 8, axis=0)
    facts[:, 1, 6] = np.random.default_rng(seed).normal(size=len(facts))
    odds = np.exp(1.5 * facts[:, :, 0] - np.abs(facts[:, :, 1]) + 0.1 * facts[:, :, 6])
    return facts, (odds / odds.sum(axis=1, keepdims=True)).astype(np.float32)


def test_ways_of_a_turn_stay_together_and_a_fit_learns_their_differences():
    moments = ways_of_turns(7, np.array([4, 4, 5, 6, 6, 6, 4]))
    assert [part.tolist() for part in fit.turns_of(moments)] == [[0, 2, 3, 6], [2, 1, 3, 1]]
    facts, chances = tried(1_000, seed=1)
    fresh, true = tried(500, seed=2)
    errors = []
    for given in (None, ways_of_turns(8_000, np.arange(8_000) // 8)):
        net = fit.fit(facts, chances, given, seed=2, epochs=4)
        error = (fit.values(net, fresh) - true)[:, 1].reshape(-1, 8)
        errors.append(((error - error.mean(axis=1, keepdims=True)) ** 2).mean())
    assert errors[1] < 0.8 * errors[0]


def test_a_fit_finds_known_chances_and_is_the_same_again():
    facts, shares, _ = made(30_000)
    net = fit.fit(facts, shares, seed=1, epochs=6)
    fresh, won, true = made(4_000, seed=2)
    best = -(true * np.log(true)).sum(axis=1).mean()
    assert fit.losses(net, fresh, won).mean() < best + 0.02
    assert np.abs(fit.values(net, fresh) - true).mean() < 0.04
    short = [fit.fit(facts[:2_000], shares[:2_000], seed=9, epochs=1).tobytes() for _ in range(2)]
    assert short[0] == short[1] != fit.fit(facts[:2_000], shares[:2_000], seed=10, epochs=1).tobytes()


def test_calibration_and_loss_say_what_is_so():
    facts, shares, _ = made(20_000)
    rounds = np.repeat([2, 5, 8, 11, 30], 4_000)
    net = fit.fit(facts, shares, seed=1, epochs=8)
    table = fit.calibration(net, facts, shares, rounds)
    assert set(table["rounds"]) == {"1-3", "4-6", "7-9", "10-12", "19 on"}
    assert table["n"].sum() == shares.size
    near = fit.calibration(net, facts, shares, np.full(20_000, 1))
    assert (near["said"] - near["won"]).abs().max() < 0.05
    assert near["won"].is_monotonic_increasing
    losses = fit.loss_by_round(net, facts, shares, rounds).set_index("rounds")
    assert losses.loc["all", "log_loss"] == pytest.approx(fit.losses(net, facts, shares).mean())
    assert losses.loc["1-3", "n"] == 4_000
    assert losses["uniform"].tolist() == pytest.approx([np.log(3)] * len(losses))


def test_mixed_labels_lean_on_the_next_position_of_the_same_game():
    facts, shares, _ = made(5)
    net = fit.first_network(2)
    moments = np.array([[0, 1, 0], [0, 2, 0], [0, 3, 0], [1, 1, 0], [1, 2, 0]])
    said = fit.values(net, facts)
    mixed = fit.mixed_labels(net, facts, shares, moments, 0.75)
    assert mixed[2] == pytest.approx(shares[2])
    assert mixed[1] == pytest.approx(0.75 * shares[2] + 0.25 * said[2])
    assert mixed[0] == pytest.approx(0.75 * mixed[1] + 0.25 * said[1])
    assert mixed[4] == pytest.approx(shares[4])
    assert mixed.sum(axis=1) == pytest.approx(1)
    assert (fit.mixed_labels(net, facts, shares, moments, 1.0)[3] == shares[4]).all()


# --- a course


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("course") / "mine"
    course = Training(RULES, SETTINGS, folder, 1)
    course.begin()
    course.run(lambda text: None)
    return course


def positions(course, stage):
    """Return all positions of a stage's games, and of its studies."""
    files = course.play(stage, lambda n: None)
    return tuple(gathered([(file, kind) for file in files], held_out=None) for kind in (POSITIONS, STUDIES))


def test_positions_are_gathered_from_files_one_after_the_other(finished):
    games, studies = positions(finished, 1)
    files = finished.play(1, lambda n: None)
    both = [(file, kind) for kind in (POSITIONS, STUDIES) for file in files]
    whole = joined([games, studies])
    for held_out, chosen in ((True, whole.moments[:, 0] % HELD_OUT == 0), (False, whole.moments[:, 0] % HELD_OUT != 0)):
        found = gathered(both, held_out)
        for part in ("facts", "shares", "moments"):
            assert np.array_equal(getattr(found, part), getattr(whole.only(chosen), part))


def test_a_course_leaves_a_network_for_every_stage(finished):
    for stage in range(2):
        net, about = network_files.read(finished.network_file(stage))
        assert about["stage"] == stage
        assert about["positions"] > 50
        assert np.isfinite(net.first).all()
    games, studies = positions(finished, 1)
    assert len(studies.shares) > len(games.shares)
    assert studies.shares.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert set(studies.moments[:, 0]) <= set(range(12))
    assert not len(positions(finished, 0)[1].shares)
    assert games.facts.shape[1:] == (2, N_FACTS)
    assert games.shares.sum(axis=1) == pytest.approx(1)
    assert set(np.diff(games.moments[:, 1])) >= {1}  # a round apart


def test_labels_of_games_are_mixed_with_what_the_network_before_says(finished, tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(fit, "fit", lambda facts, shares, *more, **how: seen.append(shares) or fit.first_network(1))
    course = Training(RULES, SETTINGS, tmp_path, 1)
    (tmp_path / "stage_0_2p.npz").write_bytes(finished.network_file(0).read_bytes())
    stages = [finished.play(stage, lambda n: None) for stage in range(2)]
    course.fit(1, stages, lambda epoch, loss: None)
    games = gathered([(file, POSITIONS) for files in stages for file in files])
    studies = gathered([(file, STUDIES) for files in stages for file in files])
    before = network_files.read(finished.network_file(0))[0]
    mixed = fit.mixed_labels(before, games.facts, games.shares, games.moments, courses.LAMBDA)
    assert not np.array_equal(mixed, games.shares)
    assert np.array_equal(seen[0], np.concatenate([mixed, studies.shares]))


def test_a_course_goes_on_where_it_was_stopped_and_comes_to_the_same(finished, tmp_path):
    folder = tmp_path / "again"
    course = Training(RULES, SETTINGS, folder, 2)
    course.begin()
    course.play(0, lambda n: None)  # stopped here
    course = Training(RULES, SETTINGS, folder, 2)
    course.begin()
    before = {path.name: path.stat().st_mtime_ns for path in folder.glob("games_0*")}
    course.run(lambda text: None)
    assert {path.name: path.stat().st_mtime_ns for path in folder.glob("games_0*")} == before
    for stage in range(2):
        one, other = (network_files.read(c.network_file(stage))[0] for c in (course, finished))
        assert one.tobytes() == other.tobytes()
    assert not list(folder.glob(".*"))


def test_a_course_goes_on_to_more_lessons_but_not_back(tmp_path):
    few, more = replace(SETTINGS, lessons=10), replace(SETTINGS, lessons=60)
    for settings in (few, few, more, more):
        Training(RULES, settings, tmp_path / "mine", 1).begin()
    with pytest.raises(UserError, match="another lessons"):
        Training(RULES, few, tmp_path / "mine", 1).begin()
    with pytest.raises(UserError, match="another seed"):
        Training(RULES, replace(more, lessons=70, seed=6), tmp_path / "mine", 1).begin()


def test_another_course_and_foreign_folders_are_refused(finished, tmp_path):
    with pytest.raises(UserError, match="another seed"):
        Training(RULES, replace(SETTINGS, seed=6), finished.folder, 1).begin()
    (tmp_path / "note.txt").write_text("mine")
    with (
        pytest.raises(UserError, match=r"holds other files; .*one of the same training"),
        Training(RULES, SETTINGS, tmp_path, 1).held(),
    ):
        pass
    (tmp_path / courses.SETTINGS).write_text("{")
    with pytest.raises(UserError, match="cannot be read as the settings of a training"):
        Training(RULES, SETTINGS, tmp_path, 1).begin()


def test_a_training_of_another_version_or_at_work_is_refused(tmp_path):
    course = Training(RULES, SETTINGS, tmp_path, 1)
    with course.held(), pytest.raises(file_ownership.Busy, match="is writing into this folder"), course.held():
        pass
    course.begin()
    old = {"engine": "0123456789abcdef", "settings": asdict(SETTINGS)}
    kept_files.write(tmp_path / courses.SETTINGS, old)
    with pytest.raises(UserError, match="holds a training of another version of this program \\(0123456789abcdef; this is"):
        course.begin()
    (tmp_path / courses.SETTINGS).write_text(json.dumps(asdict(SETTINGS)))  # as the version before wrote it
    assert courses.read_settings(tmp_path / courses.SETTINGS) == SETTINGS
    with pytest.raises(UserError, match="another version of this program \\(not named; this is"):
        course.begin()


def test_games_of_another_training_are_refused(finished, tmp_path):
    (file, *_) = finished.play(0, lambda n: None)
    other = tmp_path / "games_0_000050.npz"
    other.write_bytes(file.read_bytes())
    with pytest.raises(UserError, match="is not of this training, or has another's name; remove it"):
        gathered([(other, POSITIONS)], of=finished.identity)
    with pytest.raises(UserError, match="is not of this training"):
        gathered([(file, POSITIONS)], of="other")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 4
    other.write_bytes(content)
    with pytest.raises(UserError, match=r"cannot be read as games of a training: .*remove it"):
        gathered([(other, POSITIONS)])


def test_the_command_trains_under_house_rules_and_what_it_leaves_can_play(tmp_path):
    out = tmp_path / "mine"
    words = ["strategies", "train", "--players", "2", "--games", "20", "--stages", "1", "--epochs", "1", "--judge", "4"]
    words += ["--lessons", "12", "--rules", "three_leaders", "--jobs", "1", "--out"]  # own leaders sit at the table, too
    result = CliRunner().invoke(main, [*words, str(out)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert "learner against 1 x planner" in result.output
    assert "quick against 1 x planner" in result.output
    left = {path.name for path in out.iterdir()}
    assert {"loss.csv", "calibration.csv", "calibration.png", "my_learner.yaml", "learner_2p.npz"} <= left
    assert {"my_quick.yaml", "my_adept.yaml", "quick_2p.npz", "lessons_000000_12.npz"} <= left
    for name in ("my_learner", "my_adept", "my_quick"):
        mine = registry.find(str(out / f"{name}.yaml"))
        assert mine.weights(2).any()
        assert mine.network
    assert mine.weights(2)[0, weights.POLICY] != 0
    before = (out / "quick_2p.npz").read_bytes()
    (out / "quick_2p.npz").unlink()
    again = CliRunner().invoke(main, [*words, str(out)], catch_exceptions=False)  # goes on from the lessons there are
    assert again.exit_code == 0
    assert (out / "quick_2p.npz").read_bytes() == before


@pytest.mark.soak
def test_training_can_go_on_from_a_network_of_another_table(finished, tmp_path):
    start = finished.network_file(1)
    words = ["strategies", "train", "--players", "3", "--games", "20", "--stages", "1", "--epochs", "1", "--judge", "4"]
    words += ["--lessons", "0", "--seed", "3", "--out", str(tmp_path / "mine"), "--start"]
    result = CliRunner().invoke(main, [*words, str(start)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    course = Training(RULES, courses.read_settings(tmp_path / "mine" / courses.SETTINGS), tmp_path / "mine", 1, start)
    assert len(positions(course, 0)[1].shares)  # learners from the first: their turns are studied
    other = CliRunner().invoke(main, [*words, str(finished.network_file(0))])
    assert other.exit_code == 2  # another course lies there
    assert "another start" in other.output
    missing = CliRunner().invoke(main, [*words, str(tmp_path / "nothing.npz")])
    assert "nothing.npz: cannot be read: No such file" in missing.output


def test_the_mean_of_networks_that_share_a_beginning(finished, tmp_path):
    start = finished.network_file(0)
    nets = []
    for seed in (3, 4):
        games, studies = positions(finished, 1)
        learn = games if seed == 3 else studies
        nets.append(fit.fit(learn.facts, learn.shares, seed=seed, epochs=1, start=network_files.read(start)[0]))
    for name, net in zip(("a", "b", "other"), [*nets, fit.first_network(99)], strict=True):
        network_files.write(tmp_path / f"{name}_2p.npz", net, {"players": 2, "seed": name})

    def average(*names):
        files = [str(tmp_path / f"{name}_2p.npz") for name in names]
        return CliRunner().invoke(main, ["strategies", "average", *files, "--out", str(tmp_path / "mean_2p.npz")])

    for names, words in ((("a",), "two networks or more"), (("a", "other"), "other_2p.npz: was not trained from the same")):
        refused = average(*names)
        assert refused.exit_code == 2
        assert words in " ".join(refused.output.split())
        assert not (tmp_path / "mean_2p.npz").exists()
    assert average("a", "b").exit_code == 0
    mean, about = network_files.read(tmp_path / "mean_2p.npz")
    for part in value.PARTS:
        assert mean[part] == pytest.approx((nets[0][part] + nets[1][part]) / 2, abs=1e-6)
    assert [one["seed"] for one in about["mean_of"]] == ["a", "b"]
    again = average("a", "b")
    assert again.exit_code == 2
    assert "already exists" in again.output
