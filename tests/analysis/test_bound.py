"""A decision page: a run and the answers about it on one page; folders that do not belong together are named in one line."""

from __future__ import annotations

import html
import json
import re
import shlex
import shutil
from dataclasses import replace

import pytest
from click.testing import CliRunner
from in_browser import needs_browser, opened
from said import unreadable_on
from test_next import parsed
from test_report import Structure, play, sized

from newdawn.analysis.report import answer_page
from newdawn.analysis.tables.kept_answers import keep, open_kept
from newdawn.analysis.tables.read import open_run
from newdawn.scripts.cli.ladder import check_options
from newdawn.scripts.cli.main import main
from newdawn.scripts.cli.shared import ruleset_named
from newdawn.simulator.rules import load_ruleset

SMALL = ["--players", "2", "--strategies", "opportunist", "--jobs", "1", "--quiet"]
ASKED = {
    "compare": ["compare", "printed", "cheaper_wonders", "--games", "40", *SMALL],
    "other way round": ["compare", "cheaper_wonders", "printed", "--games", "12", *SMALL],
    "balance": ["balance", "--target", "game-length=9", "--parameters", "victory_cards.rules.base.cards_in_play",
                "--levers", "1", "--screen", "20", "--games", "20", "--fresh", "20", *SMALL],
    "tune": ["tune", "--parameter", "wonders.petra.cost", "--target", "build-rate:Petra=40%", "--range", "6:7", "--games", "8",
             "--fresh", "8", *SMALL],
    "ways": ["ways", "--strategies", "opportunist,random", "--games", "20", "--players", "2", "--jobs", "1", "--quiet"],
    "other rules": ["sensitivity", "--parameters", "wonders.petra.cost", "--games", "8", "--rules", "weaker_scythia", *SMALL],
    "other players": ["sensitivity", "--parameters", "wonders.petra.cost", "--games", "8", "--players", "3", *SMALL[2:]],
}  # fmt: skip


def newdawn(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A run and answers, each in its folder."""
    place = tmp_path_factory.mktemp("bound")
    play(place / "run", strategies=("opportunist",), games=120, round_cap=200, leaders=("Scythia", "Rome"))
    play(place / "second", strategies=("opportunist",), games=20, round_cap=200, seed=9)
    for name, words in ASKED.items():
        asked = newdawn(*words, "--out", place / name)
        assert asked.exit_code == 0, asked.output
    return place


@pytest.fixture(scope="module")
def page(folder):
    made = newdawn(
        "report",
        folder / "run",
        *(folder / name for name in ("compare", "balance", "tune", "ways")),
        "--boards",
        "0",
        "--quiet",
    )
    assert made.exit_code == 0, made.output
    return folder / "run" / "decision" / "report.html", made.output


def test_a_run_and_its_answers_are_one_page_with_one_first_screen(folder, page):
    path, output = page
    text = path.read_text("utf-8")
    structure = Structure()
    structure.feed(text)
    assert structure.stack == []
    assert len(structure.ids) == len(set(structure.ids))
    assert text.count('id="first"') == 1
    inside = {f"#{name}" for name in structure.ids}
    assert {link for link in structure.links if link.startswith("#")} <= inside
    files = {link for link in structure.links if not link.startswith(("#", "data:"))}
    assert all((path.parent / name).is_file() for name in files)
    assert {"answer1-differences-leaders.csv", "answer2-target.csv", "answer4-ways-leaders.csv", "leaders.csv"} <= files
    assert "<h1>Decision page: run</h1>" in text
    assert "120 games of 2 players, and 4 answers" in text
    # Each answer is told in its line, which leads to its chapter.
    for at, name in enumerate(("compare", "balance", "tune", "ways"), 1):
        kept = open_kept(folder / name)
        told = answer_page.answer(open_run(folder / "run"), folder / name, kept)
        assert re.search(rf'<a href="#answer{at}-[\w-]+">in full</a>', text)
        assert told.line in html.unescape(re.sub(r"<[^>]+>", "", text))
        assert kept.line in html.unescape(text)
    assert "What to do next" in text
    command = next(line.strip() for line in output.splitlines() if line.startswith("  newdawn "))
    assert command in html.unescape(re.sub(r"<[^>]+>", "", text))  # copied whole, broken between its options
    assert re.search(r"<pre class=.copied.>newdawn \w+[^<]*<span>--", text)
    assert (path.parent / "change.yaml").is_file()
    assert unreadable_on(path.parent) == []


def test_the_advice_comes_first_after_what_is_unbalanced(folder):
    run = open_run(folder / "run")
    answers = [(folder / name, open_kept(folder / name)) for name in ("compare", "balance")]
    made = answer_page.bind(run, answers, boards=0)
    advice = answer_page.build(open_kept(folder / "balance"), folder / "balance")
    assert made.first.findings[1:] == advice.first.findings[:2]
    assert made.first.house_rule == advice.first.house_rule != ""
    assert len(made.screen) <= 3
    without = answer_page.bind(run, answers[:1], boards=0)
    assert without.first.findings[1].text.startswith("Cheaper wonders against printed: ")
    assert without.first.house_rule == ""
    assert set(dict(advice.first.meanings)) <= set(dict(made.first.meanings))


def test_other_players_are_asked_for_with_a_command_that_compare_takes(folder):
    """Of a comparison with its own words, of advice with the change that lies beside the page."""
    assert newdawn("report", folder / "balance", "--quiet").exit_code == 0
    for name in ("compare", "balance", "tune"):
        kept = open_kept(folder / name)
        kept = replace(kept, line=shlex.join(["newdawn", *ASKED[name], "--out", "there"]))
        for step in answer_page.build(kept, folder / name).first.steps:
            command, values = parsed(step.command)
            if command == name != "compare":  # the same question, with more fresh games
                assert values["fresh"] > {"balance": 20, "tune": 8}[name]  # than were played
                continue
            assert command == "compare"
            assert (str(values["rulesets"][0]), values["players"], values["box"]) == ("printed", (2,), "base")
            check_options(values["ways"], values["until_half_width"], values)
            assert values["ways"][0] == "opportunist"
            assert values["out"] is None
            if name == "balance":
                assert ruleset_named(values["rulesets"][1], None, "base").digest() != load_ruleset().digest()


def test_a_comparison_with_the_runs_rules_on_either_side_is_about_it(folder):
    run = open_run(folder / "run")
    for name in ("compare", "other way round"):
        answer_page.check(run, folder / name, open_kept(folder / name))


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["run", "compare", "compare"], r"compare: is named twice; expected a run and different folders of answers"),
        (["run", "run"], r"run: is named twice"),
        (["run", "nowhere"], r"nowhere: is neither a run nor an answer that newdawn kept"),
        (["run", "second"], r"run and .*second: are both runs; expected one, and others with --beside"),
        (["compare", "balance"], r"compare, .*balance: are answers only; expected the run that they are about among them"),
        (["run", "other rules"], r"asked under the rules 'weaker Scythia'; expected those of the run .*, 'printed'"),
        (["run", "other players"], r"other players: asked of 3 players; expected 2 as in the run"),
        (["run", "other box"], r"other box: asked of the box terra-incognita; expected base, which the run .*run is of"),
        (["run", "damaged"], r"findings.json: cannot be read as what newdawn keeps"),
        (["run", "poll"], r"poll: an answer of 'poll'; expected one of compare, "),
    ],
)  # fmt: skip
def test_folders_that_do_not_belong_together_are_said_in_one_line(folder, names, message):
    (folder / "damaged").mkdir(exist_ok=True)
    (folder / "damaged" / "findings.json").write_text("{")
    kept = open_kept(folder / "compare")
    for name, change in (("other box", {"box": "terra-incognita"}), ("poll", {"command": "poll"})):
        if not (folder / name).exists():
            keep(folder / name, type(kept)(**{**vars(kept), **change}))
    made = newdawn("report", *(folder / name for name in names), "--boards", "0", "--quiet")
    assert made.exit_code == 2, made.output
    assert re.search(message, made.output), made.output
    assert made.output.count("\n") == 1
    assert "Traceback" not in made.output


def test_a_table_that_no_report_has_is_refused_before_the_work(folder):
    for place in ("run", "compare"):
        made = newdawn("report", folder / place, "--tables", "leaderz", "--boards", "0")
        assert made.exit_code == 2, made.output
        assert re.match(r"error: unknown table of this report 'leaderz': expected one of ", made.output)
        assert made.output.count("\n") == 1


def test_an_answer_of_an_earlier_format_is_said_in_one_line(folder, tmp_path):
    shutil.copytree(folder / "balance", tmp_path / "old")
    found = json.loads((tmp_path / "old" / "findings.json").read_text("utf-8"))
    old = {key: value for key, value in found.items() if key != "digest"} | {"version": 2}
    (tmp_path / "old" / "findings.json").write_text(json.dumps(old), "utf-8")
    made = newdawn("report", folder / "run", tmp_path / "old", "--boards", "0", "--quiet")
    assert made.exit_code == 2
    assert "kept by another version of newdawn (2); expected 3; the command that found it, given again" in made.output
    assert made.output.count("\n") == 1


def test_the_terminal_shows_the_first_screen_and_commands_that_can_be_copied(folder, page):
    lines = page[1].splitlines()
    assert lines[-1].startswith("report: ")
    at = lines.index("What to do next:")
    commands = [line for line in lines[at:] if line.startswith("  newdawn ")]
    assert commands
    found = newdawn("report", folder / "run", folder / "compare", "--boards", "0", "--quiet", "--json")
    facts = json.loads(found.stdout)
    assert len(facts["findings"]) <= 3
    assert {"question", "command", "answer", "link"} <= set(facts["next"][0])


@pytest.fixture(scope="module")
def browser():
    with opened() as driver:
        yield driver


@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768), (390, 844)])
def test_nothing_of_the_first_screen_is_cut_or_overlaps(browser, page, width, height, scheme):
    browser.get(page[0].as_uri())
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    sized(browser, width, height)
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    boxes = browser.execute_script(
        """return ['.verdicts', '#first figure', '.sure', '.next', '.meant-here'].map(one => {
          const part = document.querySelector(one), box = part.getBoundingClientRect();
          return [box.left, box.top, box.right, box.bottom, part.scrollWidth - part.clientWidth];
        });"""
    )
    assert all(0 <= box[0] < box[2] <= width and box[4] <= 1 for box in boxes)
    for one, a in enumerate(boxes):
        for b in boxes[one + 1 :]:
            apart = a[2] <= b[0] + 1 or b[2] <= a[0] + 1 or a[3] <= b[1] + 1 or b[3] <= a[1] + 1
            assert apart, (a, b)
    cut = browser.execute_script(
        "return [...document.querySelectorAll('#first pre, #first dd, #first li')]"
        ".filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent)"
    )
    assert cut == []
    # What stands on the page can be read: the ink differs from the paper.
    ink, paper = browser.execute_script(
        "const s = getComputedStyle(document.querySelector('#first pre')); return [s.color, s.backgroundColor]"
    )
    assert ink != paper
