"""Randomised experiments: intervals cover, nulls stay null, planted effects are found, and associations are not effects."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
import pytest
from known import KnownRun, category, draw, seated, tables

from newdawn.analysis.pages import plots
from newdawn.analysis.questions import experiment
from newdawn.analysis.questions.experiment import (
    Arm,
    Experiment,
    ablate,
    ablate_unique,
    ban,
    effects,
    give,
    grant,
    grant_of_expansion,
    run,
)
from newdawn.analysis.report import answer_page
from newdawn.analysis.tables.kept_answers import KeptAnswer
from newdawn.analysis.tables.win_rates import wonders
from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.load import with_overlay
from newdawn.simulator.runs.run import Interrupted, Silent
from newdawn.simulator.runs.run_plan import available_leaders, make_plan, plan_by

matplotlib.use("Agg")
PRINTED = load_ruleset()
LEADER_NAMES = np.array(names.LEADERS)


def pairs_of(without, with_, outcome=None, arm="Petra", first=0, leader=None):
    """Return pairs as an experiment leaves them, from shares of the win in both arms."""
    n = len(without)
    codes = np.zeros(n, int) if leader is None else leader
    return pd.DataFrame(
        {
            "game_id": np.arange(first, first + n), "arm": arm, "seat": 0, "leader": LEADER_NAMES[codes],
            "outcome": np.full(n, "given") if outcome is None else outcome, "won_without": without, "won_with": with_,
            "decided_without": True, "decided_with": True, "rounds_without": 20, "rounds_with": 20,
        }
    )  # fmt: skip


def together(arms):
    """Return the pairs of several treatments of the same games, from their shares of the win without and with."""
    n, games = len(arms), len(arms[0][0])
    frame = pairs_of(np.concatenate([a for a, _ in arms]), np.concatenate([b for _, b in arms]))
    names = category(np.repeat(np.arange(n), games), [f"treatment {i:03d}" for i in range(n)])
    return frame.assign(arm=names, game_id=np.tile(np.arange(games), n))


def coins(rng, n, base, effect, same):
    """Return wins without and with a treatment that adds `effect`; the luck is the same in a share `same` of the games."""
    luck = rng.random(n)
    other = np.where(rng.random(n) < same, luck, rng.random(n))
    return (luck < base).astype(float), (other < base + effect).astype(float)


# --- Method


@pytest.mark.parametrize(("effect", "same"), [(0.0, 0.0), (0.0, 0.9), (0.06, 0.5), (-0.1, 0.8)])
def test_intervals_cover_the_effect(effect, same):
    """400 experiments, each as one treatment of a table."""
    rng = np.random.default_rng(1)
    found = effects(together([coins(rng, 400, 0.25, effect, same) for _ in range(400)]))
    assert len(found) == 400
    covered = (found["effect_low"] <= effect) & (effect <= found["effect_high"])
    assert covered.mean() > 0.925
    if effect == 0:
        assert (found["p"] < 0.05).mean() < 0.075


@pytest.mark.calibration
def test_many_null_treatments_rarely_give_a_false_finding():
    """24 treatments without effect that share the untreated games: any finding at all in at most 5% of 200 experiments."""
    rng, false = np.random.default_rng(2), 0
    for _ in range(200):
        without = (rng.random(300) < 0.25).astype(float)
        others = np.where(rng.random((24, 300)) < 0.5, without, rng.random((24, 300)) < 0.25).astype(float)
        false += bool(effects(together([(without, other) for other in others]))["p_adjusted"].le(0.05).any())
    assert false <= 10


def test_the_figures_are_the_textbooks():
    rng = np.random.default_rng(3)
    without, with_ = coins(rng, 900, 0.25, 0.1, 0.4)
    found = effects(pairs_of(without, with_), {"Petra": 7}, half_width=0.01).iloc[0]
    d = with_ - without
    assert found["effect"] == pytest.approx(d.mean())
    assert found["half_width"] == pytest.approx(1.959964 * d.std(ddof=1) / 30, rel=1e-6)
    assert (found["without"], found["with"]) == (pytest.approx(without.mean()), pytest.approx(with_.mean()))
    assert found["effect_per_production"] == pytest.approx(d.mean() / 7)
    assert found["pairs_needed"] == np.ceil(900 * (found["half_width"] / 0.01) ** 2)
    assert (found["n"], found["not_given"], bool(found["few"])) == (900, 0, False)


def test_games_without_the_treatment_are_counted_and_do_not_dilute_the_effect():
    rng = np.random.default_rng(4)
    without, with_ = coins(rng, 600, 0.25, 0.3, 0.5)
    outcome = np.repeat(["given", "impossible", "not reached"], 200)
    with_[200:] = without[200:]
    found = effects(pairs_of(without, with_, outcome)).iloc[0]
    assert (found["n"], found["not_given"]) == (200, pytest.approx(2 / 3))
    assert found["effect"] == pytest.approx((with_ - without)[:200].mean())
    never = effects(pairs_of(without, without, np.full(600, "impossible"))).iloc[0]
    assert (never["n"], never["not_given"]) == (0, 1)
    assert (never["verdict"], never["certainty"]) == ("not compared", "untested")


def test_what_cannot_be_compared_is_said_in_one_line():
    won = np.array([1.0, 0.0])
    with pytest.raises(UserError, match="no treatment concerned any seat"):
        effects(pairs_of(won, won)[:0])
    with pytest.raises(UserError, match="1 of the 2 pairs"):
        effects(pairs_of(won[:1], won[:1]))
    found = effects(pairs_of(won, won[::-1]), {"Petra": 0.0}).iloc[0]
    assert np.isnan(found["effect_per_production"])  # a house rule may make a wonder free


def test_effects_by_leader_are_those_of_each_leaders_games():
    rng = np.random.default_rng(5)
    without, with_ = coins(rng, 2000, 0.25, 0.0, 0.5)
    leader = rng.integers(0, 8, 2000)
    rome = leader == names.LEADERS.index("Rome")
    with_[rome] = 1
    frame = effects(pairs_of(without, with_, leader=leader), by="leader").set_index("leader")
    assert frame.index[0] == "Rome"
    assert frame.loc["Rome", "effect"] == pytest.approx(1 - without[rome].mean())
    assert frame.loc["Rome", "n"] == rome.sum()
    assert (frame["p_adjusted"] <= 0.05).sum() == 1
    with pytest.raises(UserError, match=r"unknown split of effects 'sat'"):
        effects(pairs_of(without, with_), by="sat")


def test_large_tables_are_summed_in_parts(monkeypatch):
    rng = np.random.default_rng(6)
    whole = pd.concat([pairs_of(*coins(rng, 700, 0.25, 0.1, 0.5), arm=name) for name in ("Petra", "Oracle")])
    once = effects(whole)
    monkeypatch.setattr(experiment, "CHUNK", 190)
    pd.testing.assert_frame_equal(effects(whole.sample(frac=1, random_state=1)), once)


def test_a_wonder_that_only_leaders_ahead_build_shows_association_without_effect():
    """Whoever is ahead builds Petra, which does nothing: builders win far more often, and giving it changes nothing."""
    rng, n = np.random.default_rng(7), 6000
    leaders, order, cards = seated(rng, n, 4)
    ahead = rng.normal(0, 1, leaders.shape)  # how well the seats stand; nothing an experiment could see
    noise = rng.gumbel(size=leaders.shape)
    won = (ahead + noise == (ahead + noise).max(axis=1, keepdims=True)).astype(float)
    known = tables(leaders, order, cards, won, rng=rng)
    frame = known["wonders"]
    builder = ahead.argmax(axis=1)
    petra = frame["wonder"] == "Petra"
    frame["type"] = category(np.tile(np.arange(24) // 6, n), ["culture", "economy", "military", "science"])
    frame["era"] = category(np.zeros(len(frame), int), ["ancient"])
    frame["in_deck"] |= petra
    frame.loc[petra, "round_built"] = 9.0
    frame["round_revealed"], frame["captures"] = frame["round_built"], 0
    frame["builder"] = np.where(petra, np.repeat(builder, 24), np.where(frame["round_built"].notna(), 0.0, np.nan))
    associated = wonders([KnownRun(known, 4)]).set_index("wonder").loc["Petra"]
    assert associated["builder_win_rate_low"] > 0.4  # fair share: a quarter
    # The experiment: a random seat gets Petra; the game then goes on with other luck, and no advantage.
    seat = rng.integers(0, 4, n)
    fresh = np.where(rng.random((n, 1)) < 0.5, noise, rng.gumbel(size=noise.shape))
    again = (ahead + fresh == (ahead + fresh).max(axis=1, keepdims=True)).astype(float)
    found = effects(pairs_of(won[np.arange(n), seat], again[np.arange(n), seat])).iloc[0]
    assert found["effect_low"] < 0 < found["effect_high"]
    assert found["half_width"] < 0.02
    assert found["p_adjusted"] > 0.05


# --- Played games


def plan_of(ruleset=PRINTED, **changes):
    settings = {"players": 3, "games": 40, "seed": 5, "strategies": ["random"], "round_cap": 12} | changes
    return plan_by(ruleset.compile(), **settings)


def test_nothing_given_changes_nothing():
    plan = plan_of(strategies=["opportunist"], round_cap=200)
    frame = run(Experiment("gift", plan, PRINTED, (Arm("nothing"), Arm("nothing again")), 3), jobs=2)
    assert len(frame) == 80
    assert (frame["decided_without"] == frame["decided_with"]).all()
    assert (frame["won_without"] == frame["won_with"]).all()
    assert (frame["rounds_without"] == frame["rounds_with"]).all()
    assert (effects(frame)["effect"] == 0).all()
    assert effects(frame.assign(decided_without=False, decided_with=False))["effect"].isna().all()  # nobody won


@pytest.mark.parametrize("question", ["tokens", "wonder"])
def test_what_surely_helps_is_found_to_help(question, tmp_path):
    plan = plan_of(games=150, players=4, strategies=["opportunist"], round_cap=200)
    if question == "tokens":
        asked = give(plan, PRINTED, "trade-token", [9])
    else:  # a card that wants one economy wonder, which the seat then has
        rules = "victory_cards: {money_grubber: {condition: {at_least: 1}}, rules: {base: {cards_in_play: 1}}}"
        (tmp_path / "one.yaml").write_text(rules)
        asked = grant(plan, load_ruleset([tmp_path / "one.yaml"]), ["petra", "COLOSSUS"])
    frame = effects(run(asked, jobs=2), experiment.costs_of(asked)).set_index("arm")
    helps = frame.loc["9 trade-tokens" if question == "tokens" else "Colossus"]
    assert helps["effect"] > 0
    assert helps["effect_low"] > 0
    if question == "wonder":
        assert frame.loc["Petra", "cost"] == PRINTED.data["wonders"]["petra"]["cost"]


def test_all_treatments_of_a_game_share_the_untreated_one_and_its_seat():
    frame = run(grant(plan_of(games=12), PRINTED, at_round=4), jobs=2)
    assert len(frame) == 12 * len(names.WONDERS)
    each = frame.groupby("game_id")
    for column in ("seat", "leader", "won_without", "rounds_without"):
        assert (each[column].nunique() == 1).all()
    assert set(frame["outcome"]) <= {"given", "impossible"}


def test_a_round_that_few_games_reach_leaves_few_pairs():
    plan = plan_of(games=30, players=4, strategies=["opportunist"], round_cap=200)
    frame = run(grant(plan, PRINTED, ["Petra"], at_round=20), jobs=2)
    late = frame["rounds_without"] < 20
    assert (frame.loc[late, "outcome"] == "not reached").all()
    assert not (frame.loc[~late, "outcome"] == "not reached").any()
    same = frame["outcome"] != "given"
    assert 0 < same.sum() < 30
    assert (frame.loc[same, "won_without"] == frame.loc[same, "won_with"]).all()


def test_an_ability_is_taken_from_the_seat_that_has_the_leader():
    frame = run(ablate(plan_of(games=30), PRINTED, ["Rome", "Egypt"]), jobs=2)
    assert (frame["arm"].astype(str) == frame["leader"].astype(str)).all()
    assert set(frame["outcome"]) == {"given"}
    assert frame["game_id"].nunique() < 30  # games without either are left out


def test_with_an_ability_means_that_it_is_on():
    """The games 'with' are those of the rules, the games 'without' those of rules that switch the ability off."""
    from newdawn.simulator.rules.load import with_overlay
    from newdawn.simulator.runs.run import play_range

    plan = plan_of(games=40, strategies=["opportunist"], round_cap=200)
    frame = run(ablate(plan, PRINTED, ["Scythia"]), jobs=2)
    off = with_overlay(PRINTED, {"leaders": {"scythia": {"ability_works": False}}}, "off")
    for side, rules in (("with", PRINTED), ("without", off)):
        rows = play_range(plan, rules.compile(), 0, 40, Silent())
        won = rows.seats["won"][rows.seats["leader"] == names.LEADERS.index("Scythia")]
        assert frame[f"won_{side}"].tolist() == won.tolist()
        assert frame[f"rounds_{side}"].tolist() == rows.games["rounds"][frame["game_id"]].tolist()
    assert (frame["rounds_with"] != frame["rounds_without"]).any()


class Stopper(Silent):
    """Presses Ctrl-C after so many games."""

    def __init__(self, games):
        self.left = games

    def add(self, games):
        self.left -= games
        if self.left < 0:
            raise KeyboardInterrupt


def test_a_stopped_experiment_goes_on_and_may_be_extended(tmp_path, monkeypatch):
    monkeypatch.setattr(experiment, "BATCH", 20)
    asked = grant(plan_of(games=30), PRINTED, ["Petra", "Oracle"])
    out = tmp_path / "out"
    with pytest.raises(Interrupted) as stopped:
        run(asked, out, 1, Stopper(16))
    assert 0 < stopped.value.done < 30
    kept = {path.name: path.stat().st_mtime_ns for path in out.glob("pairs-*")}
    assert len(kept) == stopped.value.done // asked.batch
    found = run(asked, out, 2)
    assert kept.items() <= {path.name: path.stat().st_mtime_ns for path in out.glob("pairs-*")}.items()
    pd.testing.assert_frame_equal(found, run(asked, jobs=2))
    more = grant(plan_of(games=37), PRINTED, ["Petra", "Oracle"])
    longer = run(more, out, 2)
    pd.testing.assert_frame_equal(longer, run(more, jobs=2))
    pd.testing.assert_frame_equal(run(asked, out), found)  # fewer games: those only
    assert not list(out.glob(".*unfinished"))


def test_a_folder_of_something_else_is_refused(tmp_path):
    out = tmp_path / "out"
    run(grant(plan_of(games=4), PRINTED, ["Petra"]), out, 1)
    written = json.loads((out / experiment.EXPERIMENT).read_text())
    assert written["ruleset"]["digest"] == PRINTED.digest()
    assert written["plan"]["seed"] == 5
    for other, message in (
        (grant(plan_of(games=4), PRINTED, ["Oracle"]), "their 'arms' is not"),
        (grant(plan_of(games=4, seed=6), PRINTED, ["Petra"]), "their 'seed' is not"),
        (grant(plan_of(games=4), PRINTED, ["Petra"], at_round=2), "their 'round' is not"),
        (grant(plan_of(games=4), load_ruleset(["four_trade_tokens"]), ["Petra"]), "holds pairs of other rules"),
    ):
        with pytest.raises(UserError, match=message):
            run(other, out, 1)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("")
    with pytest.raises(UserError, match="holds other files"):
        run(grant(plan_of(games=4), PRINTED, ["Petra"]), tmp_path / "full", 1)
    (out / experiment.EXPERIMENT).write_text("[]")
    with pytest.raises(UserError, match="not the description of a folder of pairs"):
        run(grant(plan_of(games=4), PRINTED, ["Petra"]), out, 1)
    with pytest.raises(UserError, match="no finished batch"):
        experiment.read_pairs(tmp_path / "full")


# --- Questions


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda plan: grant(plan, PRINTED, ["Petr"]), r"unknown wonder 'Petr'.*did you mean 'Petra'"),
        (lambda plan: grant(plan, PRINTED, ["Petra", "petra"]), "'Petra' is named twice"),
        (lambda plan: grant(plan, load_ruleset(["without_two_wonders"]), ["Pentagon"]), "unknown wonder 'Pentagon'"),
        (lambda plan: grant(plan, PRINTED, at_round=13), "expected a round from 1 to 12, the round cap"),
        (lambda plan: give(plan, PRINTED, "token"), r"unknown gift 'token'.*did you mean 'trade-token'"),
        (lambda plan: give(plan, PRINTED, "trade-token", kind="oil"), "'oil' is a kind of resource"),
        (lambda plan: give(plan, PRINTED, "resource", kind="gold"), "unknown resource 'gold'"),
        (lambda plan: give(plan, PRINTED, "resource", [0]), "amount: 0 is not valid"),
        (lambda plan: ablate(plan, PRINTED, ["Roma"]), r"unknown leader 'Roma'.*did you mean 'Rome'"),
        (lambda plan: ban(PRINTED, "wonders", "Petra"), r"unknown thing to ban 'wonders'.*did you mean 'wonder'"),
        (lambda plan: ban(PRINTED, "card", "Pottery"), "unknown card 'Pottery'"),  # level I: in everyone's first row
        (lambda plan: ban(PRINTED, "agenda", "Explorers"), r"unknown agenda 'Explorers'.*did you mean 'Explorer'"),
    ],
)
def test_a_wrong_question_is_refused_in_one_line(ask, message):
    with pytest.raises(UserError, match=message) as error:
        ask(plan_of())
    assert "\n" not in str(error.value)


def test_bans_take_exactly_that_out():
    old = PRINTED.compile()
    assert ban(PRINTED, "wonder", "petra").name == "without Petra"
    changed = {
        ("wonder", "Petra"): {"wonder_available"},
        ("leader", "rome"): {"leader_available"},
        ("card", "Currency"): {"card_unavailable"},
        ("card", "Warmonger / Paranoid"): {"n_victory_cards"},
        ("agenda", "Explorer"): {"agenda_name"},
    }
    for (what, name), fields in changed.items():
        new = ban(PRINTED, what, name).compile()
        assert fields <= {field for field in old.dtype.names if np.any(old[field] != new[field])}


def test_pictures_are_labelled():
    from matplotlib.figure import Figure

    rng = np.random.default_rng(8)
    whole = pd.concat([pairs_of(*coins(rng, 300, 0.25, 0.1, 0.5), arm=name) for name in ("Petra", "Oracle")])
    frame = effects(whole, {"Petra": 7, "Oracle": 8})
    ax = Figure().subplots()
    plots.plot_wonder_effect(frame, ax)
    assert {label.get_text() for label in ax.get_yticklabels()} == {"Petra", "Oracle"}
    assert "percentage points" in ax.get_xlabel()
    assert ax.figure.axes[1].get_ylabel() == "cost, production"


def test_ties_between_leaders_and_shared_wins_enter_as_shares():
    won = draw(np.random.default_rng(9), np.zeros((500, 4)), shared=0.5)
    found = effects(pairs_of(won[:, 0], won[:, 1])).iloc[0]
    assert found["effect"] == pytest.approx((won[:, 1] - won[:, 0]).mean())


# --- Terra Incognita

BOX = load_ruleset(box="terra-incognita")


def box_plan(games=20, players=3):
    rules = BOX.compile()
    known = {"available_leaders": available_leaders(rules), "box": BOX.box}
    return make_plan(games=games, seed=1, players=players, strategies=("random",), **known)


@pytest.mark.parametrize(("what", "n"), [("district", 5), ("government", 6), ("fort", 1)])
def test_what_the_expansion_has_can_be_given(what, n):
    asked = grant_of_expansion(box_plan(), BOX, what)
    assert (asked.kind, len(asked.arms)) == (what, n)
    assert {arm.as_dict()["gives"] for arm in asked.arms} == {what}
    with pytest.raises(UserError, match=f"--{what}: only Terra Incognita has {what}s"):
        grant_of_expansion(make_plan(games=2, seed=1, available_leaders=names.LEADERS, players=2), PRINTED, what)


def test_a_gift_is_named_and_the_nearest_name_is_told():
    asked = grant_of_expansion(box_plan(), BOX, "district", ["campus"])
    assert [arm.name for arm in asked.arms] == ["Campus"]
    with pytest.raises(UserError, match="unknown district 'camp'"):
        grant_of_expansion(box_plan(), BOX, "district", ["camp"])


def test_a_unique_card_is_taken_from_its_leader_alone():
    asked = ablate_unique(box_plan(), BOX, ["Rome"])
    assert (asked.kind, [arm.name for arm in asked.arms]) == ("unique card", ["Military Engineering (Rome)"])
    changed = with_overlay(BOX, asked.arms[0].overlay, "without")
    cards = {name: leader["unique_card"]["available"] for name, leader in changed.data["leaders"].items()}
    assert [name for name, there in cards.items() if not there] == ["rome"]
    assert len(ablate_unique(box_plan(), BOX).arms) == 18
    with pytest.raises(UserError, match="unique-card: only Terra Incognita"):
        ablate_unique(make_plan(games=2, seed=1, available_leaders=names.LEADERS, players=2), PRINTED)
    with pytest.raises(UserError, match="Rome has none under these rules"):
        ablate_unique(box_plan(), changed, ["Rome"])


@pytest.mark.parametrize(
    ("arm", "kind", "said"),
    [
        ("Petra", "wonder", "Petra"),
        ("Rome", "leader", "Rome's ability"),
        ("Rome: any_city_caravans", "leader", "Rome's ability any city caravans"),
        ("Legion (Rome)", "unique card", "Legion (Rome)"),
        ("fort", "fort", "A fort"),
        ("campus", "district", "Campus"),
        ("3 trade-tokens", "gift", "A gift of 3 trade tokens"),
        ("1 marble", "gift", "A gift of 1 marble"),
    ],
)
def test_a_treatment_is_the_subject_of_a_sentence(arm, kind, said):
    assert experiment.subject(arm, kind) == said


@pytest.mark.parametrize(
    ("kind", "arm", "title", "clear", "nothing"),
    [
        ("leader", "Rome", "what a leader's ability is worth", "Rome's ability changes the chance", "No leader's ability"),
        ("fort", "fort", "what a fort is worth", "A fort changes the chance", "No fort changes"),
        ("gift", "3 trade-tokens", "what a gift is worth", "A gift of 3 trade tokens changes the chance", "No gift changes"),
    ],
)
def test_a_page_says_what_was_given_or_taken_away(kind, arm, title, clear, nothing):
    """Rome without its ability is still at the table: not Rome changes the chance to win, but its ability."""
    for effect, start in ((0.15, clear), (0.0, nothing)):
        rng = np.random.default_rng(1)
        found = effects(pairs_of(*((rng.random(900) < won).astype(float) for won in (0.2, 0.2 + effect)), arm=arm))
        kept = KeptAnswer("experiment", "x", {"strategies": "planner"}, {"effects": found}, words={"kind": kind})
        report = answer_page.build(kept, Path("x"))
        assert report.first.findings[0].text.startswith(start)
        assert [section.part.charts[0].title for section in report.sections] == [f"Effect of each {title[7:-9]}"]


def test_a_split_of_few_games_is_not_told_as_tested():
    """Eight leaders, each with too few games: what is not compared changes nothing and does not fail to."""
    rng = np.random.default_rng(1)
    few = [pairs_of(*(rng.random((2, 40)) < 0.3).astype(float), first=40 * k, leader=np.full(40, k)) for k in range(8)]
    found = effects(pd.concat(few, ignore_index=True), by="leader")
    kept = KeptAnswer("experiment", "x", {"strategies": "planner"}, {"effects": found}, words={"kind": "wonder"})
    screen = answer_page.build(kept, Path("x")).first
    assert [finding.text for finding in screen.findings] == ["Not enough games for a test: fewer than 100 in each of 8 rows."]
    assert "Petra (Rome)" in screen.verdicts[0].names
