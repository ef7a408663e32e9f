"""Fair tables: leaders are dealt out evenly, the weak begin with more, and the sentences say what the rows say."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from newdawn.analysis.questions import fair, ladder
from newdawn.analysis.questions.fair import GIFTS, FairTable, Person, persons, sentence
from newdawn.analysis.stats.verdicts import DECIDED, Verdict, verdict_of
from newdawn.scripts.cli.main import main
from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.load import with_overlay
from newdawn.simulator.rules.ruleset_contents import written

RULES = load_ruleset()
LEADERS = ["Rome", "Egypt", "Aztec", "Scythia", "America"]
WORTH = dict(zip(LEADERS, (0.6, 0.6, 0.0, -0.3, -0.6), strict=True))  # log odds
BETTER = {"quick": 0.9, "planner": 0.0, "builder": -0.8}
GIFT = 0.12  # of each thing a leader begins with


def known_games(plan, r, jobs, observer):
    """Games of known chances: a leader's, a player's, and those of what the leader begins with."""
    rng = np.random.default_rng(plan.seed)
    known, library = written(r, "leader"), plan.library()
    bonus = r.start_bonus[len(r.start_bonus) - len(r.leader_available) :].sum(axis=1)[: len(known)]
    at = (np.arange(plan.players) + np.arange(plan.games)[:, None]) % plan.players  # line-ups rotate
    codes = np.array([known.index(name) for name in plan.leaders])
    leaders = rng.permuted(np.tile(codes, (plan.games, 1)), axis=1)[:, : plan.players] if plan.leaders_drawn else codes[at]
    players = np.array([library.index(name) for name in plan.strategies])[at % len(plan.strategies)]
    worth = np.array([WORTH.get(name, 0.0) for name in known]) + GIFT * bonus
    utility = worth[leaders] + np.array([BETTER[name] for name in library])[players]
    winner = (utility + rng.gumbel(size=utility.shape)).argmax(axis=1)
    every = np.arange(plan.games)
    seats = pd.DataFrame({"game_id": np.repeat(every, plan.players), "seat": np.tile(np.arange(plan.players), plan.games)})
    seats["leader"] = pd.Categorical.from_codes(leaders.ravel(), known)
    seats["strategy"] = pd.Categorical.from_codes(players.ravel(), library)
    seats["order"] = seats["seat"] + 1
    seats["won"] = (seats["seat"] == np.repeat(winner, plan.players)).astype(float)
    games = pd.DataFrame({"game_id": every, "players": plan.players, "rounds": 15})
    games["ending"] = pd.Categorical(["victory"] * plan.games, names.ENDINGS)
    return ladder.LadderGames(plan.players, {"games": games, "seats": seats})


@pytest.fixture
def known(monkeypatch):
    monkeypatch.setattr(fair, "_played", known_games)


def found(*words, **settings):
    return fair.fair(persons(words), RULES, **{"leaders": LEADERS, "games": 4_000, "seed": 3} | settings)


def test_the_strong_person_gets_a_weak_leader_and_nobody_a_head_start(known):
    """A leader 0.9 worse than the others' makes up for a player 0.9 better."""
    one = found("Ann:strong", "Ben", "Cleo", margin=4.0)
    worth = [
        WORTH[leader] + BETTER[person.player.name] for leader, person in zip(one.table.leaders, one.table.people, strict=True)
    ]
    assert max(worth) - min(worth) <= 0.31
    assert one.table.steps == (0, 0, 0)
    assert one.table.overlay == {}
    assert one.frame["verdict"].isin({"balanced", "undecided"}).all()


def test_whoever_is_weakest_begins_with_more_until_the_table_is_even(known):
    """With three leaders alike a beginner lacks 0.8: seven things, and no fewer than five or more than nine."""
    rules = RULES
    alike = dict.fromkeys(LEADERS, 0.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(globals(), "WORTH", alike)
        one = fair.fair(persons(("Ann", "Ben", "Cleo:beginner")), rules, leaders=LEADERS[:3], games=4_000, seed=5)
    at = [person.name for person in one.table.people].index("Cleo")
    assert 5 <= one.table.steps[at] <= 9
    assert sum(one.table.steps) - one.table.steps[at] <= 2
    assert not one.frame["verdict"].isin({"too strong", "too weak"}).any()
    given = with_overlay(rules, one.table.overlay, "start").data["leaders"][one.table.leaders[at].lower()]["start_bonus"]
    assert {what: n for what, n in given.items() if n} == dict(Counter(GIFTS[: one.table.steps[at]]))


def test_what_is_told_comes_from_games_that_chose_nothing(known, monkeypatch):
    seeds = []
    plain = fair._played
    monkeypatch.setattr(fair, "_played", lambda plan, *rest: seeds.append((plan.seed, plan.games)) or plain(plan, *rest))
    one = found("Ann", "Ben:beginner")
    assert seeds[-1] == (5, 4_000)
    assert {seed for seed, _ in seeds[:-1]} == {3, 4}
    assert one.tried == len(seeds) - 2


@pytest.mark.parametrize("seed", range(4))
def test_sentences_say_what_their_rows_say(known, seed):
    one = found("Ann:strong", "Ben", "Cleo:beginner", seed=seed, games=400, leaders=LEADERS[:3])
    told = fair.conclusion(one)
    verdicts = [verdict_of(row) for row in one.frame.to_dict("records")]
    assert told.text.startswith("Fair within") == (set(verdicts) == {Verdict.WITHIN})
    assert told.text.startswith("Nothing fair") == bool(set(verdicts) & (DECIDED - {Verdict.WITHIN}))
    order = ("strong", "shown", "few", "open", "untested")
    for row, verdict in zip(one.frame.to_dict("records"), verdicts, strict=True):
        assert (f"{row['person']} plays {row['leader']}") in told.text
        said = sentence(row)
        assert f"{row['win_rate']:.1%}" in said
        assert row["leader"] in said
        assert ("more than 3 points" in said and "or less" not in said) == (verdict in DECIDED - {Verdict.WITHIN})
        if told.text.startswith("Fair within"):
            assert order.index(told.certainty) >= order.index(row["certainty"])


def test_a_head_start_in_words():
    assert fair.head_start(0) == ""
    assert fair.head_start(1) == "1 trade token"
    assert fair.head_start(7) == "3 trade tokens, 2 control tokens, 1 resource and 1 city"
    whole = load_ruleset().data["components"]["start_bonus"]["everyone"]
    assert set(GIFTS) <= set(whole)
    people = (Person.of("Ann"), Person.of("Ben"))
    assert FairTable(people, ("Rome", "Egypt"), (0, 2)).overlay == {"leaders": {"egypt": {"start_bonus": {"trade_tokens": 2}}}}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("Ann:stronk", "Ben"), "--players: Ann: unknown level 'stronk'.*strong"),
        (("Ann", "Ann"), "Ann is named twice"),
        ((":strong", "Ben"), "':strong' has no name"),
    ],
)
def test_people_that_cannot_be(words, expected):
    with pytest.raises(UserError, match=expected):
        persons(words)


def test_too_few_leaders_and_too_many_people():
    with pytest.raises(UserError, match="2 leaders for 3 people"):
        found("Ann", "Ben", "Cleo", leaders=["Rome", "Egypt"])
    with pytest.raises(UserError, match="players"):
        found("A", "B", "C", "D", "E", "F")


def test_the_command_proposes_keeps_and_prints_a_page(known, tmp_path):
    runner = CliRunner()
    call = [
        "fair",
        "--players",
        "Ann:strong,Ben,Cleo",
        "--leaders",
        ",".join(LEADERS),
        "--games",
        400,
        "--out",
        tmp_path / "kept",
    ]
    result = runner.invoke(main, [*map(str, call), "--quiet"])
    assert result.exit_code == 0, result.output
    assert "Ann wins" in result.output
    assert "nobody has measured" in result.output
    result = runner.invoke(main, ["report", str(tmp_path / "kept"), "--out", str(tmp_path / "page")])
    assert result.exit_code == 0, result.output
    page = next((tmp_path / "page").glob("*.html")).read_text("utf-8")
    assert "A fair table for Ann, Ben, Cleo" in page
    assert "Ann plays" in page
    refused = runner.invoke(main, ["fair", "--players", "Ann:stronk,Ben"])
    assert refused.exit_code == 2
    assert "stronk" in refused.output
