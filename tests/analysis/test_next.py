"""What to do next: every command that a first screen proposes is one that the program takes, and asks about this run."""

import os
import re
import shlex
from dataclasses import replace
from types import SimpleNamespace

import click
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from test_answer import judged_figures
from test_first import mixed_run
from test_report import Known

from newdawn.analysis.pages.report_parts import Source
from newdawn.analysis.questions.coalition import CoalitionWins, lines, table
from newdawn.analysis.questions.depends_on_players import subjects_of_run
from newdawn.analysis.report import answer_page, build, write
from newdawn.analysis.report.first_screen import first
from newdawn.analysis.report.next_steps import games_to_play, minutes, needed_by_each, speed
from newdawn.analysis.report.page import PARTS
from newdawn.analysis.stats.inference import exact_ends
from newdawn.analysis.stats.verdicts import STRENGTH, Verdict, far, likely_decided, verdict_cells
from newdawn.analysis.tables import reference_results
from newdawn.analysis.tables.figures_by_strategy import figures_of
from newdawn.analysis.tables.kept_answers import KeptAnswer, again, facts_of, keep, open_kept
from newdawn.analysis.tables.read import open_run
from newdawn.analysis.tables.victory_cards import BETWEEN
from newdawn.scripts.cli.main import main
from newdawn.scripts.cli.shared import plan_of, ruleset_of
from newdawn.simulator import names
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.run import run_games
from newdawn.simulator.runs.run_plan import plan_by

TI = names.BOXES[names.TI_BOX]
KEYS = ("leaders", "leaders-by-strategy", "leaders-with-strategies", "order", "leaders-by-card", "card-sets")
SCREEN = [part for part in PARTS if part.key in KEYS]
PLANNER = {"strategies": ("planner",)}
RUNS = {  # box, rules, map, what is played
    "many": (names.BOXES[0], [], None, {"games": 1200, "players": 4} | PLANNER),
    "few": (names.BOXES[0], [], None, {"games": 12, "players": 2} | PLANNER),
    "unfinished": (names.BOXES[0], [], None, {"games": 150, "players": 3, "round_cap": 15} | PLANNER),
    "mixed": (names.BOXES[0], [], None, {"games": 400, "players": 4, "strategy_pool": ("planner", "opportunist")}),
    "each its own": (names.BOXES[0], [], None, {
        "games": 40, "players": 2, "leaders": ("Rome", "Egypt"), "strategies": ("planner", "opportunist")}),
    "house rules": (names.BOXES[0], ["weaker_scythia"], "mirror_two", {
        "games": 300, "players": 2, "leader_pool": ("Rome", "Egypt", "Scythia")} | PLANNER),
    "the box": (TI, [], None, {"games": 600, "players": 5} | PLANNER),
    "the box, few": (TI, [], None, {"games": 30, "players": 2} | PLANNER),
    "the box, unfinished": (TI, [], None, {"games": 100, "players": 3, "round_cap": 16} | PLANNER),
    "the box, mixed": (TI, ["peaceful_game"], None, {"games": 120, "players": 4, "strategy_pool": ("planner", "castellan")}),
}  # fmt: skip


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Runs of many kinds, each played when it is asked for."""
    folder, made = tmp_path_factory.mktemp("a folder of runs"), {}

    def run(name):
        if name not in made:
            box, rules, map_file, settings = RUNS[name]
            ruleset = load_ruleset(rules, map_file, box)
            plan = plan_by(ruleset.compile(), seed=3, **settings)
            run_games(plan, ruleset, folder / name, 1)
            report = build(open_run(folder / name), boards=0, parts=SCREEN)
            write(report, folder / name / "report", page=False, charts=False)
            made[name] = report, ruleset, plan
        return (folder / name, *made[name])

    return run


def parsed(line):
    """Return what click makes of a command line: the command's name and the values of its options; UsageError if nothing."""
    program, *words = shlex.split(line)
    assert program == "newdawn"
    command, context, path = main, click.Context(main, info_name="newdawn"), []
    while isinstance(command, click.Group):
        name, command, words = command.resolve_command(context, words)
        path.append(name)
        if isinstance(command, click.Group):
            context = click.Context(command, info_name=name, parent=context)
    return " ".join(path), command.make_context(path[-1], words, parent=context).params


LONGER = ("many", "mixed", "the box, few", "the box, unfinished", "the box, mixed")


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.soak if name in LONGER else ()) for name in RUNS])
def test_every_command_that_is_proposed_is_one_about_the_same_games(runs, name):
    folder, report, ruleset, plan = runs(name)
    proposed = [step.command for step in report.first.steps if step.command]
    assert 2 <= len(proposed) <= 3
    assert len(set(proposed)) == len(proposed)
    for line in proposed:
        command, values = parsed(line)
        if command in ("resume", "extend"):
            assert str(values["folder"]) == str(folder)
            continue
        own = plan if command != "run" else None
        rules = ruleset_of(tuple(values["rules_files"]), values.get("map_file"), values["box"])
        assert rules.digest() == ruleset.digest(), line
        assert values["players"] in (plan.players, (plan.players,))  # some commands play at several tables
        assert values.get("out") is None or values["out"].parent in (folder, folder.parent)
        if command in ("balance", "sensitivity"):
            settings = {key: values[key] for key in ("players", "games", "seed", "leaders", "leader_pool", "strategies",
                                                     "strategy_pool", "round_cap")}  # fmt: skip
            asked = plan_of(rules, settings)
            assert (asked.leaders, asked.strategies, asked.strategies_drawn, asked.round_cap) == (
                own.leaders, own.strategies, own.strategies_drawn, own.round_cap
            )  # fmt: skip
        if command == "balance":
            frame = next(one.frame for one in report.sections if one.part.key == "leaders")
            assert values["leader"] == far(frame)["leader"].iloc[0]
            assert float(values["share"].removesuffix("%")) == pytest.approx(100 / plan.players, abs=0.01)


def test_what_is_asked_next_is_what_the_report_leaves_open(runs):
    def asked(name):
        return [parsed(step.command)[0] for step in runs(name)[1].first.steps if step.command]

    assert asked("many")[:2] == ["balance", "ways"]
    assert asked("few")[:2] == ["extend", "ways"]
    assert asked("unfinished")[0] == asked("the box, unfinished")[0] == "run"
    longer = parsed(runs("unfinished")[1].first.steps[0].command)[1]
    assert (longer["round_cap"], longer["games"], longer["seed"]) == (30, 150, 3)
    drawn = parsed(runs("each its own")[1].first.steps[0].command)[1]
    assert drawn["strategy_pool"] == ("opportunist", "planner")
    assert drawn["leader_pool"] == ("Rome", "Egypt")
    # `newdawn ways` plays with all leaders; a run of some is asked again with another player.
    assert "run" in asked("house rules")
    assert "ways" not in asked("house rules")


@pytest.mark.soak
def test_a_proposed_command_is_played(runs):
    """The advice for the strongest leader, with fewer games, kept where the command says; the next report tells it."""
    folder, report, _, _ = runs("many")
    line = next(step.command for step in report.first.steps if step.command.startswith("newdawn balance"))
    leader = parsed(line)[1]["leader"]
    small = ["--parameters", f"leaders.{leader.lower()}.*", "--screen", "60", "--games", "60", "--fresh", "60", "--levers", "1",
             "--jobs", "1", "--quiet"]  # fmt: skip
    played = CliRunner().invoke(main, [*shlex.split(line)[1:], *small])
    assert played.exit_code == 0, played.output
    assert (folder / f"balance-{leader.lower()}" / "findings.json").is_file()
    again = build(open_run(folder), boards=0, parts=SCREEN, answers=answer_page.beside(open_run(folder)))
    asked = [step for step in again.first.steps if step.question.endswith(": which change makes it win 25%?")]
    (step,) = [step for step in asked if step.question.startswith(f"{leader} first")]
    assert step.place == "change"
    assert step.command == ""
    sixty = rf"It is undecided whether .* \(--fresh\)\. The nearest change: {leader}: .* → .*\."
    assert re.match(sixty, step.answer)
    assert not any(step.command.startswith("newdawn balance") for step in again.first.steps)


def test_answers_of_other_rules_or_players_are_not_taken_for_this_runs(runs):
    folder, _, ruleset, plan = runs("few")
    run = open_run(folder)
    facts = facts_of({"name": ruleset.name, "digest": ruleset.digest()}, [plan.players], 1, plan.strategies)
    kept = KeptAnswer(
        "ways", "ways", facts, {"ways": pd.DataFrame({"x": [1]}), "verdicts": pd.DataFrame({"x": [1]})}, ["Holds."]
    )
    wrong = {"rules": "printed, SHA-256 0123", "players": "4"}
    for name, value in wrong.items():
        keep(folder / f"other-{name}", KeptAnswer(kept.command, kept.title, facts | {name: value}, kept.tables, kept.sentences))
    keep(folder / "other-box", KeptAnswer(kept.command, kept.title, facts, kept.tables, kept.sentences, box=TI))
    searched = KeptAnswer("sensitivity", "moved", facts | {"strategies": "warrior"}, kept.tables, ["Moved."])
    keep(folder / "other-strategy", searched)
    (folder / "damaged").mkdir()
    (folder / "damaged" / "findings.json").write_text("{")
    assert answer_page.beside(run) == []
    keep(folder / "ways", kept)
    assert [one.line for one in answer_page.beside(run)] == ["Holds."]
    steps = build(run, boards=0, parts=SCREEN, answers=answer_page.beside(run)).first.steps
    assert ("Would a better or another player change the answer?", "Holds.") in [(one.question, one.answer) for one in steps]
    assert not any(one.command.startswith("newdawn ways") for one in steps)


def test_better_players_are_named_from_the_ladder_and_beyond_it():
    """`thinker` beats the ladder's best (docs/strategies.md); `adept` does not."""
    for box, best in zip(names.BOXES, ("quick", "inventor"), strict=True):  # of the ladder
        found = reference_results.better(["planner"], box, 4)
        assert found[0] == best
        assert not {"planner", "warrior", "builder"} & set(found)
        assert {"quick", "planner"} <= set(reference_results.better(["warrior", "builder"], box, 4))
        assert (
            reference_results.better(["quick"], box, 4)
            == reference_results.better(["adept", "planner"], box, 4)
            == ["thinker", "master"]
        )
        assert reference_results.better(["thinker"], box, 4) == ["master"]
        assert reference_results.about_better(["master"], box, 4) == "No strategy here plays better; people may."
        for own in ("planner", "quick", "master", "warrior"):
            ways = reference_results.ways([own], box, 4)
            assert ways[0] == own
            assert len(set(ways)) == 3
        assert reference_results.ways(["quick"], box, 4)[:2] == ["quick", "thinker"]
    assert reference_results.games_of(["quick", "thinker"]) == [2000, 300]


def test_more_games_are_asked_for_within_reason():
    """The fewest, doubled each time, that are expected to decide half of the open leaders; within 16 times as many."""
    hardly = judged_figures([0.0] * 8, 9.0, small=True)
    assert games_to_play(hardly, 2.0, 60) == (2000, 0.0)
    assert games_to_play(judged_figures([2.0] * 8, 0.3), 2.0, 4000)[0] == 64_000  # at the margin nothing decides soon
    for estimates, error in (([0.0, 0.3, 6.0, 9.0, -7.0, 1.0], 1.5), ([3.0, -3.0, 0.0, 0.5], 0.8)):
        frame = judged_figures(estimates, error)
        open_ones = int(frame["games_fewest"].notna().sum())
        games, decided = games_to_play(frame, 2.0, 4000)
        assert decided >= open_ones / 2 > likely_decided(frame, "points", 2.0, games / 4000 / 2) or games == 8000
        assert decided == pytest.approx(likely_decided(frame, "points", 2.0, games / 4000))


def test_precision_comes_first_where_most_leaders_are_open(runs):
    """With most of the leaders undecided more games come before what to change of the one that is off."""
    for name in ("many", "the box"):
        report = runs(name)[1]
        frame = next(one.frame for one in report.sections if one.part.key == "leaders")
        unclear = int((frame["games_fewest"].notna() | (frame["verdict"] == "not compared")).sum())
        commands = [parsed(step.command)[0] for step in report.first.steps if step.command]
        assert (commands[0] == "extend") == (2 * unclear > len(frame))
        if commands[0] == "extend":
            question = report.first.steps[0].question
            assert question.startswith(f"Which of the {unclear} open leaders (of {len(frame)}) are balanced? ")
            number = re.search(r"([\d,]+) games", question)[1].replace(",", "")
            assert f"--games {number}" in report.first.steps[0].command


def test_more_games_come_with_the_time_they_take_here(tmp_path, monkeypatch):
    """Four files of 500 games each, a minute apart, and one after a night: 500 games a minute."""
    folder = tmp_path / "run"
    (folder / "games").mkdir(parents=True)
    for number, at in enumerate((0, 60, 120, 180, 40_000)):
        path = folder / "games" / f"part-{number:06d}.parquet"
        path.touch()
        os.utime(path, (at, at))
    monkeypatch.setattr(
        "newdawn.simulator.runs.manifest.contents", lambda out: SimpleNamespace(plan=SimpleNamespace(games=2500))
    )
    played = speed(folder)
    assert 60 * played == pytest.approx(500, rel=0.4)
    assert minutes(60_000, 500 / 60) == " (about 120 minutes more)"
    assert minutes(100, 500 / 60) == " (less than a minute more)"
    assert minutes(100, None) == ""
    assert speed("s3://bucket/run") is None
    assert speed(tmp_path) is None


def test_ways_are_played_with_games_enough_for_the_headline(runs):
    """In so many games of each strategy the leader is found as far off again, by the interval of all figures, in 80%."""
    source, seen = Source(Known(np.where(np.array(names.LEADERS) == "Japan", 0.25, 0.0), games=20_000)), []
    row = far(source.judged).iloc[0]
    desk = SimpleNamespace(source=source, contents=SimpleNamespace(plan=SimpleNamespace(players=4)))
    games = needed_by_each(desk, source.judged, 3)
    questions = 3 * len(figures_of(subjects_of_run(source.run)))
    cases = np.random.default_rng(1).binomial(games, 0.5, 4000)
    wins = np.random.default_rng(2).binomial(cases, row["adjusted_rate"])
    low, _ = exact_ends(wins, cases)(1 - 0.05 / questions)
    assert 0.77 < (low > 0.25).mean() < 0.85
    assert needed_by_each(desk, Source(Known(np.zeros(8), games=4000)).judged, 3) == 0
    for name in ("many", "few"):
        report = runs(name)[1]
        line = next(step.command for step in report.first.steps if step.command.startswith("newdawn ways"))
        seen.append(min(parsed(line)[1]["games"]) if isinstance(parsed(line)[1]["games"], tuple) else parsed(line)[1]["games"])
    assert seen


# --- At most three sentences, none longer than 30 words


def short(screen):
    assert 1 <= len(screen) <= 3
    for finding in screen:
        assert len(finding.text.split()) <= 30, finding.text
        assert not re.search(r"[.!?] +\S", finding.text), finding.text
        assert finding.text.endswith(".")


@pytest.mark.parametrize("name", RUNS)
def test_a_first_screen_has_three_short_sentences_at_most(runs, name):
    short(runs(name)[1].screen)


@pytest.mark.parametrize("bonus", [0.0, 0.9])
def test_sentences_are_short_whatever_there_is_to_say(bonus):
    """Strong leaders, strategies, cards and places in one run, and nothing at all in another."""
    for run in (
        mixed_run(6000, 8, bonus),
        Known(np.linspace(-0.6, 0.6, 8), games=6000),
        Known(np.zeros(8), games=4000, seed=2),
    ):
        source = Source(run)
        frames = {part.key: part.frame(source) for part in SCREEN}
        short(first({key: frame for key, frame in frames.items() if frame is not None}, source).findings)


def test_each_kind_of_sentence_is_short_with_the_longest_names():
    longest = "Netherlands"
    cards = ["Civilized / Money Grubber", "Populous / Preservationist", "Industrious / Progressive", "Fort A / Fort B"]
    ends = {"_all_low": -12.3, "_all_high": -1.2, "": -6.7}
    base = {
        **verdict_cells(Verdict.FAR_BELOW, STRENGTH),
        "certainty": "strong",
        "p_adjusted": 0.0,
        "leader": longest,
        "strategy": "opportunist",
        "order": 4,
        "n": 123_456,
    }
    base |= {f"{size}{end}": x for size in ("points", "interaction", "rounds_difference") for end, x in ends.items()}
    base |= {
        "decided": 123_456,
        "games_fewest": np.nan,
        "n_with": 61_728,
        "n_without": 61_728,
        "card": cards[0],
        "cards": BETWEEN.join(cards),
    }
    frame = pd.DataFrame([base | {"wonder": "Amundsen-Scott Research Station"}])
    source = Source(Known(np.zeros(8), games=300))
    for key in ("leaders-with-strategies", "order", "effects"):
        (said,) = first({key: frame}, source).findings
        short([said])
    # One card with one leader, or the length with one set of cards, is no headline: a section and the leader's page have it.
    for key in ("leaders-by-card", "card-sets"):
        assert first({key: frame}, source).findings == []


def test_every_kind_of_answer_beside_a_run_is_told_by_a_sentence(runs):
    """An experiment and a ladder keep no sentences of their own: the first one of their page tells them."""
    folder, _, _, _ = runs("few")
    small = ["--players", "2", "--strategies", "planner", "--games", "12", "--jobs", "1", "--quiet", "--out"]
    for words in (["experiment", "grant", "--wonder", "Petra"], ["experiment", "ablate", "leader-ability", "--leader", "Rome"]):
        played = CliRunner().invoke(main, [*words, *small, str(folder / words[1])])
        assert played.exit_code == 0, played.output
    ladder = ["ladder", "--strategies", "planner,random", "--players", "2", "--games", "40", "--quiet"]
    assert CliRunner().invoke(main, [*ladder, "--out", str(folder / "ladder")]).exit_code == 0
    found = [one for one in answer_page.beside(open_run(folder)) if one.command in ("experiment", "ladder")]
    assert [one.title for one in found] == [
        "Experiment: what a leader's ability is worth", "Experiment: what a wonder is worth", "Ladder of strategies",
    ]  # fmt: skip
    for one in found:
        assert one.line != one.title
        assert one.line == answer_page.build(open_kept(one.place), one.place).first.findings[0].text


def coalition(folder, facts, leaders):
    """Keep what a table of known rivals leaves to each of the leaders."""
    rng = np.random.default_rng(1)
    won = {
        leader: CoalitionWins((rng.random(900) < 0.4).astype(float), (rng.random(900) < 0.3).astype(float))
        for leader in leaders
    }
    frame = table(won, 4)
    kept = KeptAnswer("coalition", "the table", facts, {"coalitions": frame})
    keep(folder, replace(kept, sentences=list(lines(kept).values())))
    return lines(kept)


def test_a_coalition_answers_for_the_leader_asked_about(runs):
    """Not for another one; of an answer about several leaders the sentences on this one are told."""
    folder, report, ruleset, plan = runs("many")
    strong = next(step.question for step in report.first.steps if "plays against" in step.question).split()[6]
    facts = facts_of({"name": ruleset.name, "digest": ruleset.digest()}, [plan.players], 1, ["quick"])

    def asked():
        steps = build(open_run(folder), boards=0, parts=SCREEN, answers=answer_page.beside(open_run(folder))).first.steps
        return {step.question: step.answer for step in steps}

    question = f"Can a table that plays against {strong} hold it?"
    others = [leader for leader in ("Egypt", "Rome", "Aztec") if leader != strong][:2]
    coalition(folder / "coalition", facts, others)
    assert asked()[question] == ""
    told = coalition(folder / "coalition", facts, [*others, strong])
    assert asked()[question] == told[strong]
    assert "The table:" not in asked()


def test_answers_in_the_runs_folder_come_before_those_beside_it(runs):
    folder, _, ruleset, plan = runs("the box, few")
    facts = facts_of({"name": ruleset.name, "digest": ruleset.digest()}, [plan.players], 1, plan.strategies)
    for at in range(6):
        keep(folder.parent / f"a{at}", KeptAnswer("ways", "ways", facts, {}, [f"Beside {at}."], box=TI))
    keep(folder / "ways", KeptAnswer("ways", "ways", facts, {}, ["Its own."], box=TI))
    lines = [one.line for one in answer_page.beside(open_run(folder))]
    assert lines[0] == "Its own."
    assert len(lines) == answer_page.MOST_BESIDE


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("compare a b --games 60", "compare a b --games 4700"),
        ("compare a b --until-decided", ""),  # it ended because nothing in focus was open
        ("compare a b --until-decided --most-games 9000", ""),
        ("compare a b --until-decided --most-games 900", "compare a b --until-decided --most-games 4700"),
        ("compare a b --most-games=900 --until-decided", "compare a b --until-decided --most-games 4700"),
    ],
)  # fmt: skip
def test_more_games_are_asked_for_in_the_words_of_the_command(line, said):
    assert again(f"newdawn {line}", 4_611.0) == (f"newdawn {said}" if said else "")
