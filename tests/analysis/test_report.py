"""The report of a run: what it finds in games of known truth, what it says of poor runs, and that its page works."""

from __future__ import annotations

import html.parser
import io
import re
import shutil
import subprocess
import zipfile
from dataclasses import replace
from importlib import resources
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
import yaml
from click.testing import CliRunner
from in_browser import needs_browser, opened
from known import draw, seated, tables
from matplotlib.figure import Figure
from said import unreadable_on

from newdawn.analysis.pages import plots
from newdawn.analysis.pages.cells import cell, points, rate
from newdawn.analysis.pages.chart_svg import DARK, LIGHT, STYLE, svg
from newdawn.analysis.pages.report_parts import Column, Source, column_of
from newdawn.analysis.questions.expansion import read_effects
from newdawn.analysis.questions.game import boards_findings
from newdawn.analysis.report import Part, build, write
from newdawn.analysis.report import page as report_page
from newdawn.analysis.report.leader_pages import typical_games
from newdawn.analysis.report.page import PAPER_ROWS, PARTS, TEXT, markdown
from newdawn.analysis.report.page import html as page_of
from newdawn.analysis.report.provenance import commands, rules_files
from newdawn.analysis.stats.inference import ALL
from newdawn.analysis.stats.verdicts import p_words
from newdawn.analysis.tables.leader_strength import plain_strengths
from newdawn.analysis.tables.read import Run, open_run
from newdawn.scripts.cli.main import main
from newdawn.simulator import names
from newdawn.simulator.errors import UserError, counted, half, listed
from newdawn.simulator.file_ownership import MARK
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.load import packaged_names
from newdawn.simulator.runs import manifest
from newdawn.simulator.runs.run import run_games
from newdawn.simulator.runs.run_plan import Plan

CHROMIUM = next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)


def a_plan(**changes):
    base = {
        "players": 2, "games": 200, "seed": 5, "round_cap": 40, "leaders": tuple(names.LEADERS), "leaders_drawn": True,
        "strategies": ("random",), "strategies_drawn": False,
    }  # fmt: skip
    return Plan(**(base | changes))


def play(folder, ruleset=None, **changes):
    run_games(a_plan(**changes), ruleset or load_ruleset(), folder, 1)
    return open_run(folder)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Games by the strategy that wins them, so that every part has something to say."""
    return play(tmp_path_factory.mktemp("report") / "run", strategies=("opportunist",), round_cap=200)


@pytest.fixture(scope="module")
def report(run):
    return build(run, boards=120)


@pytest.fixture(scope="module")
def page(report):
    return page_of(report)


class Known(Run):
    """Games drawn from a known model, as much of a run as the parts on leaders ask for."""

    def __init__(self, strength, games=20_000, seed=1):
        rng = np.random.default_rng(seed)
        leaders, order, cards = seated(rng, games, 4)
        frames = tables(leaders, order, cards, draw(rng, np.asarray(strength)[leaders]), rng=rng)
        self.frames = frames

    players = 4
    path = Path("drawn")
    manifest = {"plan": {}}  # noqa: RUF012 - never changed

    def pieces(self, wanted):
        yield {name: self.frames[name][list(columns)] for name, columns in wanted.items()}


def part(key):
    return next(one for one in PARTS if one.key == key)


def found(key, source):
    one = part(key)
    return one.findings(one.frame(source), source)


# --- Findings


def test_a_strong_leader_is_found_and_the_equal_ones_are_not():
    strength = np.where(np.array(names.LEADERS) == "Japan", 0.3, 0.0)
    source = Source(Known(strength))
    said = found("leaders", source)
    assert said[0].text.startswith("Japan is too strong: it wins ")
    assert "] points above the fair share (n = " in said[0].text
    assert said[0].certainty == "strong"
    assert said[-1].text == "Japan is the strongest leader; no other is plausibly strongest."
    for finding in said[1:-1]:
        assert finding.certainty in ("shown", "strong", "open")
    # The other seven lose what Japan wins; none of them is above.
    assert sum("bove the fair share" in finding.text for finding in said) == 1


def test_equal_leaders_are_undecided():
    source = Source(Known(np.zeros(8), games=4000, seed=2))
    texts = [finding.text for finding in found("leaders", source)]
    assert texts[0].startswith("Undecided: ")
    assert sum(leader in texts[0] for leader in names.LEADERS) == 3
    assert f" ({len(names.LEADERS) - 3} more: table). " in texts[0]
    assert [finding.certainty for finding in found("matchups", source)] == ["open"]
    assert [finding.certainty for finding in found("leaders-by-card", source)] == ["open"]


def test_precision_is_judged_by_the_wanted_half_width():
    """Wanted is what is printed: the interval of the leader with the widest, for all of them together."""
    source = Source(Known(np.where(np.array(names.LEADERS) == "Scythia", 1.05, 0.0), games=4000))
    frame = source.leaders
    reach = 50 * (frame["adjusted_rate_all_high"] - frame["adjusted_rate_all_low"])
    assert frame.loc[reach.idxmax(), "leader"] == "Scythia"  # near 50%, where the others' 20% take fewer games
    for wanted, enough in ((1.01, True), (0.99, False)):
        source.half_width = wanted * reach.max() / 100
        assert (", as precise as wanted (" in found("precision", source)[0].text) == enough
    needed = int(re.search(r"--games (\d+)", found("precision", source)[0].text)[1])
    assert needed == pytest.approx(4000 / 0.99**2, abs=100)


@pytest.mark.parametrize("games", [2, 30, 99, 100])
def test_a_few_games_do_not_tell_how_many_would_do(games):
    """After two games it said 'about 3,900 would do': intervals of two games end at 0 and 1."""
    text = found("precision", Source(Known(np.zeros(8), games=games)))[0].text
    assert ("in all: `newdawn extend" in text) == (games >= 100)
    assert (f"; {games} games are too few to say how many ±1 needs." in text) == (games < 100)


def test_a_median_between_two_rounds_is_said_as_it_is():
    run = Known(np.zeros(8), games=200)
    run.frames["games"] = run.frames["games"].assign(rounds=np.where(np.arange(200) < 100, 16, 17))
    frame = part("length").frame(Source(run))
    assert cell({"median": 16.5}, Column("median", "median", "rounds")).text == "16.5"
    assert frame is not None


def test_association_and_effect_keep_their_names(report, tmp_path, run):
    file = tmp_path / "effects.csv"
    file.write_text("wonder,effect,low,high,n,cost\nPetra,-0.03,-0.04,-0.02,900,7\nOracle,0.05,0.03,0.07,900,8\n")
    effects = part("effects")
    frame = effects.frame(Source(run, effects=file))
    assert frame["wonder"].tolist() == ["Oracle", "Petra"]
    assert frame["points_per_cost"].tolist() == pytest.approx([5 / 8, -3 / 7])
    said = effects.findings(frame, None)[0].text
    assert "Given at random, world wonders change the chance to win (2 of 2 world wonders tested)" in said
    assert "associat" not in said
    for section in report.sections:
        if section.part.key in ("wonders", "boards"):
            for finding in section.findings:
                if finding.certainty in ("shown", "strong"):
                    assert finding.text.startswith("Association, not effect.")


def test_effects_are_read_from_the_folder_of_an_experiment(tmp_path):
    lines = ["arm,cost,without,with,effect,effect_low,effect_high,p,p_holm,n", "Petra,7,.2,.3,.1,.05,.15,.04,.04,500"]
    (tmp_path / "effects.csv").write_text("\n".join([*lines, "Oracle,8,,,,,,,,0", ""]))
    frame = read_effects(tmp_path)
    assert frame["wonder"].tolist() == ["Petra"]  # the Oracle could never be given
    found = frame[["points", "points_low", "points_high", "p", "p_adjusted"]].iloc[0].tolist()
    assert found == pytest.approx([10, 5, 15, 0.04, 0.04])


def test_effects_say_how_many_games_their_experiment_needs(run, tmp_path):
    """A game gives a wonder to one seat only, if to any: pairs are fewer than the games that the command names."""
    lines = ["arm,cost,without,with,effect,effect_low,effect_high,p,n", "Petra,7,.2,.2,.01,-.02,.04,.9,300"]
    (tmp_path / "effects.csv").write_text("\n".join([*lines, ""]))
    alone = part("effects").frame(Source(run, effects=tmp_path))
    assert alone["games_fewest"].item() > 300
    for first in (0, 400):
        (tmp_path / f"pairs-{first:010d}-00400.parquet").touch()
    frame = part("effects").frame(Source(run, effects=tmp_path))
    assert frame["games_fewest"].item() == pytest.approx(alone["games_fewest"].item() * 800 / 300, abs=3)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("wonder,efect,low,high,n,cost\n", "no column 'effect'.*did you mean 'efect'"),
        ("wonder,effect,low,high,n,cost\nPetra,0.1,0,x,9,7\n", "line 2, high: expected a number, got 'x'"),
        ("wonder,effect,low,high,n,cost\nPetre,0.1,0,0.2,9,7\n", "did you mean 'Petra'"),
        ("wonder,effect,low,high,n,cost\nPetra,11,5,16,9,7\n", "line 2, Petra: effect: expected a share from -1 to 1.*got 11"),
        ("wonder,effect,low,high,n,cost\nPetra,0.1,0.2,0.3,9,7\n", "expected low <= effect <= high, got 0.2, 0.1, 0.3"),
        ("wonder,effect,low,high,n,cost\nPetra,0.1,0,0.2,9,7\nPetra,0.1,0,0.2,9,7\n", "line 3, Petra: appears twice"),
        ("", "cannot be read as a CSV file of effects"),
    ],
)
def test_a_wrong_file_of_effects(run, tmp_path, content, message):
    file = tmp_path / "effects.csv"
    file.write_text(content)
    with pytest.raises(UserError, match=message):
        build(run, effects=file, boards=0, parts=[part("effects")])


def test_equal_leaders_may_be_equal_and_unequal_ones_are_not():
    equal = found("spread", Source(Known(np.zeros(8), games=4000, seed=2)))[0]
    assert equal.certainty == "open"
    assert "[0.0, " in equal.text
    assert equal.text.startswith("The leaders may be equal: their spread is ")
    assert equal.text.endswith(" points (n = 4,000).")
    apart = found("spread", Source(Known(np.linspace(-0.4, 0.4, 8))))[0]
    assert apart.certainty == "shown"
    assert apart.text.startswith("The leaders are not equal: ")


def test_leaders_and_cards_that_do_not_matter_are_undecided():
    source = Source(Known(np.zeros(8), games=6000, seed=4))
    for key in ("leaders-agendas", "leaders-timing", "agenda-users", "card-sets", "card-set-leaders"):
        assert [finding.certainty for finding in found(key, source)] == ["open"], key


def test_what_was_planted_is_named_first():
    """Games with one victory card are four rounds longer, and those that Japan sits in two rounds shorter."""
    known = Known(np.where(np.array(names.LEADERS) == "Japan", 0.6, 0.0), games=6000, seed=3)
    games, seats = known.frames["games"], known.frames["seats"]
    card = games["card_1"].astype(str).iloc[0]
    there = games[["card_1", "card_2", "card_3"]].astype(str).eq(card).any(axis=1)
    japan = games["game_id"].isin(seats.loc[seats["leader"] == "Japan", "game_id"])
    games["rounds"] = games["rounds"] + 4 * there - 2 * japan
    source = Source(known)
    length = found("card-sets", source)[0]
    assert length.certainty == "strong"
    ((sign, cards),) = re.findall(r": ([+−]).*? rounds with (.*?) \(", length.text)
    assert (card in cards) == (sign == "+")
    timing = found("leaders-timing", source)[0]
    assert timing.certainty in ("shown", "strong")
    assert re.search(r"Japan −1\.\d \[−", timing.text)


def test_an_agenda_that_one_leader_uses_is_named_with_its_numbers():
    known = Known(np.zeros(8), games=6000, seed=5)
    claims, seats = known.frames["agendas"], known.frames["seats"]
    japan = seats.loc[seats["leader"] == "Japan", ["game_id", "seat"]]
    keys = pd.MultiIndex.from_frame(claims[["game_id", "seat"]])
    mine = keys.isin(pd.MultiIndex.from_frame(japan)) & (claims["agenda"] == "Populous").to_numpy()
    other = claims["card"].astype(str)[mine].str.split(" / ").str[1].iloc[0]
    claims.loc[mine, "agenda"] = other  # Japan claims the card by its other agenda only
    source = Source(known)
    for key in ("leaders-agendas", "agenda-users"):
        frame = part(key).frame(source).set_index(["leader", "agenda"])
        said = part(key).findings(frame.reset_index(), source)[0]
        row = frame.loc[("Japan", other)]
        assert row["p_adjusted"] < 0.001
        assert said.certainty in ("shown", "strong")
        assert f"Japan {'by' if key == 'leaders-agendas' else 'claims'} {other}, {row['points']:+.1f} [" in said.text
        assert said.text.index("Japan") < 90


def test_how_long_games_take_is_the_message_of_their_chart():
    run = Known(np.zeros(8), games=200)
    run.frames["games"] = run.frames["games"].assign(rounds=np.repeat([9, 12, 16, 17, 22, 30], [8, 20, 60, 84, 20, 8]))
    chart, frame = part("length").charts[0], part("length").frame(Source(run))
    assert chart.message(frame) == "Half of the games are over by round 17; 92% take 12 to 22"
    run.frames["games"] = run.frames["games"].assign(rounds=9)
    assert chart.message(part("length").frame(Source(run))) == ""


def test_the_agendas_claimed_first_and_last_are_named():
    frame = pd.DataFrame({"agenda": ["Late", "Early", "Few"], "median": [15.5, 9.0, 3.0], "small_sample": [False, False, True]})
    message = part("timing").charts[0].message
    assert message(frame) == "Median rounds of claims go from 9 (Early) to 15.5 (Late)"
    assert message(frame.assign(median=9.0)) == ""
    assert message(frame.head(1)) == ""


# --- Poor runs


def test_a_run_that_nobody_won(tmp_path):
    made = build(play(tmp_path / "run", games=100, round_cap=3), boards=20)
    text = markdown(made)
    assert "100 games (100.0% [96.3, 100.0]) reached the round cap without a winner." in text
    assert "Left out: nobody won any of these games" in text
    assert " above the fair share" not in text
    assert text.count("Left out: nobody won any of these games") >= 5


def test_each_leader_with_a_strategy_of_its_own(tmp_path):
    run = play(
        tmp_path / "run", leaders=("Rome", "Egypt"), leaders_drawn=False, strategies=("opportunist", "random"), games=40,
        round_cap=200,
    )  # fmt: skip
    made = build(run, boards=0)
    assert "strategies" not in {section.part.key for section in made.sections}
    assert any("always occur together" in finding.text for finding in made.limits)
    leaders = next(section for section in made.sections if section.part.key == "leaders")
    assert [finding.text[:21] for finding in leaders.findings] == ["No verdict on leaders"]
    assert leaders.findings[0].text.startswith(made.first.findings[0].text[:-1])


def test_one_leader_only():
    known = Known(np.zeros(8), games=200)
    known.frames["seats"]["leader"] = pd.Categorical(["Rome"] * 800)
    source = Source(known)
    frame = part("leaders").frame(source)
    assert frame["leader"].tolist() == ["Rome"]
    assert frame["win_rate"].iloc[0] == 0.25
    assert "only 'Rome' played" in source.notes[0]
    assert part("matchups").frame(source) is None
    for key in ("spread", "leaders-by-card", "card-set-leaders"):
        assert part(key).frame(source) is None
    assert len(part("order").frame(source)) == 4


def test_plain_places_hold_together():
    """Eight leaders of equal strength: single intervals shut one of them out of a place in all of these runs."""
    for seed in (5, 9, 13, 14, 23, 32):
        frame = plain_strengths(Known(np.zeros(8), games=400, seed=seed))
        assert frame["win_rate_low"].max() > frame["win_rate_high"].min()
        assert frame["rank_best"].tolist() == [1] * 8
        assert frame["rank_worst"].tolist() == [8] * 8


def test_few_games_of_an_experiment_are_marked(tmp_path):
    path = tmp_path / "effects.csv"
    path.write_text("wonder,effect,low,high,n,cost,p\nPetra,0.4,0.2,0.6,30,8,0.0001\nOracle,0.0,-0.1,0.1,500,7,1\n")
    frame = read_effects(path)
    assert frame["small_sample"].tolist() == [True, False]
    assert [finding.certainty for finding in part("effects").findings(frame, None)] == ["few"]


def test_a_stopped_run_of_another_version(run, tmp_path):
    folder = tmp_path / "stopped"
    shutil.copytree(run.path, folder)
    text = (folder / "manifest.json").read_text("utf-8")
    text = re.sub(r'"engine": "\w+"', '"engine": "0123456789abcdef"', text)
    (folder / "manifest.json").write_text(re.sub(r',\s+"digest": "\w+"\s+}\s*$', "}", text), "utf-8")  # from before it had one
    (folder / "games" / "part-000001.parquet").unlink()
    (folder / "checksums" / "part-000001.sha256").unlink()
    made = build(open_run(folder), boards=20, parts=[part("length"), part("boards")])
    assert made.summary == "100 games of 2 players (of 200 planned; the run is not finished)"
    assert made.limits[0].text.startswith("The run is not finished") or "Only 100 games" in made.limits[0].text
    boards = made.sections[-1]
    assert boards.frame is None
    assert "cannot be replayed" in boards.problem
    assert "engine 0123456789abcdef" in made.origin.note


def test_what_stands_beside_a_table_is_short():
    """A note or caption of two lines at most, a method of a short paragraph: what is only measured is the table."""
    for one in PARTS:
        assert len(one.note.split()) <= 25, one.key
        assert len(one.method.split()) <= 65, one.key
        assert [chart.key for chart in one.charts if len(chart.caption.split()) > 25] == [], one.key


# --- Provenance


@pytest.mark.parametrize("name", packaged_names("house rules"))
def test_the_house_rules_of_a_run_can_be_used_again(name, tmp_path):
    box = names.BOXES[name in ("peaceful_game", "kush")]
    ruleset = load_ruleset([name], box=box)
    (tmp_path / "again.yaml").write_text(rules_files(ruleset)["house_rules.yaml"], "utf-8")
    assert load_ruleset([tmp_path / "again.yaml"], box=box).digest() == ruleset.digest()


def test_a_map_can_be_used_again(tmp_path):
    files = rules_files(load_ruleset([], "mirror_two"))
    assert list(files) == ["map.yaml"]
    assert rules_files(load_ruleset()) == {}
    assert set(rules_files(load_ruleset(["longer_dial"], "mirror_two"))) == {"map.yaml", "house_rules.yaml"}


def test_commands_play_the_run_again():
    ruleset = load_ruleset()
    segments = [SimpleNamespace(seed=1, end=60), SimpleNamespace(seed=1, end=90), SimpleNamespace(seed=2, end=40)]
    plan = a_plan(leaders=("Rome", "Egypt"), leaders_drawn=False)
    assert commands(manifest.Contents(plan, ruleset, segments[:2], "x"), {"house_rules.yaml": ""}) == [
        "newdawn run --players 2 --games 90 --seed 1 --leaders Rome,Egypt --strategies random --rules house_rules.yaml "
        "--round-cap 40 --out again"
    ]
    lines = commands(manifest.Contents(a_plan(), ruleset, segments, "x"), {})
    assert "--leader" not in lines[0]
    assert [line.split(" --")[0] for line in lines] == ["newdawn run", "newdawn run", "newdawn merge again-1 again-2"]


# --- The page


class Structure(html.parser.HTMLParser):
    """Ids, outside references, and the nesting of elements."""

    VOID = frozenset({"meta", "br", "img", "link", "input", "hr"})

    def __init__(self):
        super().__init__()
        self.ids, self.links, self.stack, self.tags = [], [], [], []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append(tag)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        self.links += [attrs[name] for name in ("href", "src", "xlink:href") if name in attrs]
        if tag not in self.VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.stack.pop()

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag


def test_the_page_is_whole_and_needs_nothing_else(page):
    structure = Structure()
    structure.feed(page)
    assert structure.stack == []
    assert len(structure.ids) == len(set(structure.ids))
    inside = {f"#{name}" for name in structure.ids} | {f"{part.key}.csv" for part in PARTS}
    assert all(link in inside or link.startswith("data:") for link in structure.links)
    assert "@import" not in page
    assert not re.search(r"url\((?!#)", page)
    assert re.findall(r'<h2 class="headline">(.*?)</h2>', page) == [
        "Undecided: of 8 leaders none is shown to be too strong or too weak"
    ]
    titles = re.findall(r"<h2>(.*?)</h2>", page)
    assert titles[:3] == ["How sure", "What to do next", "Leaders: win rate against the fair share"]  # the first screen
    assert titles[3:10] == [
        "Leaders",
        "Cards and world wonders",
        "The course of the games",
        "When is a game decided?",
        "Open readings of the rules",
        "How many games",
        "Leader by leader",
    ]
    assert titles[10:] == ["What the figures cannot say", "Method", "Provenance"]
    assert structure.tags.count("figure") == structure.tags.count("svg") >= 9


def test_charts_are_text_and_follow_the_theme(page):
    svgs = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert all("var(--ink)" in svg and "<text" in svg for svg in svgs)
    assert "Scythia" in svgs[0]


def test_tables_have_interval_and_n(report):
    for section in report.sections:
        columns = [column_of(column) for column in section.part.columns]
        if any(column.kind == "rate" and "[95%]" in column.heading for column in columns):
            assert any(column.kind in ("count", "number") for column in columns), section.part.key
        for row in section.rows:
            assert len(row) == len(section.columns)


def test_every_table_is_a_file_too(report, tmp_path):
    files = write(report, tmp_path / "out")
    assert files[0].name == "report.html"
    assert {file.name for file in files} | {MARK} == {file.name for file in (tmp_path / "out").iterdir()}
    assert unreadable_on(tmp_path / "out") == []
    leaders = pd.read_csv(tmp_path / "out" / "leaders.csv")
    assert set(leaders["leader"]) == set(names.LEADERS)
    assert {"n", "adjusted_rate_low", "p_adjusted"} <= set(leaders.columns)
    text = (tmp_path / "out" / "report.md").read_text("utf-8")
    assert "newdawn run --players 2 --games 200 --seed 5 --strategies opportunist --round-cap 200 --out again" in text


def test_names_in_other_scripts_have_room_and_no_warnings(recwarn):
    name = "日本武尊" * 3
    text = svg(lambda ax: plots.forest(ax, [name, "नेपाल", "Россия"], [1, 2, 3], [0, 1, 2], [2, 3, 4]), "k", "title", 2.0)
    assert not [warning for warning in recwarn if "Glyph" in str(warning.message)]
    (end,) = re.findall(rf'<text [^>]*x="([\d.]+)"[^>]*>{name}<', text)
    assert float(end) >= len(name) * STYLE["font.size"]  # each of its letters is as wide as the font is high


def test_without_the_page_the_text_shows_the_same_charts(report, tmp_path):
    files = write(report, tmp_path, page=False)
    assert files[0].name == "report.md"
    assert not list(tmp_path.glob("*.html"))
    linked = re.findall(r"!\[[^]]*\]\(([^)]*)\)", files[0].read_text("utf-8"))
    assert len(linked) == page_of(report).count("<svg") >= 9
    assert sorted(linked) == sorted(file.name for file in files if file.suffix == ".svg")
    for name in linked:
        text = (tmp_path / name).read_text("utf-8")
        ElementTree.fromstring(text)
        assert set(re.findall(r"var\(--(\w+)\)", text)) <= set(LIGHT)


def test_less_is_written_on_demand(report, tmp_path):
    """Without charts the text links to none; only the tables named are written, and a name that no table has is refused."""
    files = {path.name for path in write(report, tmp_path, page=False, charts=False, tables=["leaders"])}
    assert files == {TEXT, "leaders.csv", *report.origin.files}
    assert ".svg" not in (tmp_path / TEXT).read_text("utf-8")
    with pytest.raises(UserError, match=r"unknown table of this report 'leader': .*did you mean 'leaders'"):
        write(report, tmp_path, tables=["leader"])


def test_charts_in_files_have_the_colours_of_the_page():
    style = (resources.files("newdawn.analysis.report") / "report.html.j2").read_text("utf-8")
    for colours in (LIGHT, DARK):
        assert all(f"--{name}: {colour};" in style for name, colour in colours.items())


def test_the_same_run_has_the_same_report(run):
    some = [part("leaders"), part("boards")]
    assert page_of(build(run, boards=120, parts=some)) == page_of(build(run, boards=120, parts=some))


def test_charts_are_drawn_for_who_shows_them_once(run, monkeypatch):
    """In the terminal none are."""
    drawn = []
    monkeypatch.setattr(report_page, "svg", lambda draw, key, *size: drawn.append(key) or "<svg></svg>")
    made = build(run, boards=0, parts=[part("leaders")])
    assert made.first.findings
    assert not drawn
    for _ in range(2):
        assert [picture.key for section in made.sections for picture in section.pictures] == drawn
    assert drawn


def test_what_is_written_in_a_name_stays_text(run):
    evil = Part("evil", "<b>&", lambda source: pd.DataFrame({"a": ["<script>x</script>"]}), (Column("a", "a<"),))
    page = page_of(build(run, parts=[evil], boards=0))
    assert "<script>x" not in page
    assert "&lt;script&gt;x" in page
    assert "&lt;b&gt;&amp;" in page


def test_a_folder_that_cannot_be_written(report, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written there"):
        write(report, tmp_path / "file" / "out")


@pytest.mark.soak
def test_a_report_replaces_itself_and_nobody_elses_files(run, tmp_path):
    def make():
        return CliRunner().invoke(main, ["report", str(run.path), "--out", str(tmp_path), "--boards", "0", "--quiet"])

    (tmp_path / "thesis.txt").write_text("mine")
    assert make().exit_code == 0
    assert make().exit_code == 0
    (tmp_path / MARK).unlink()  # as if the page was somebody's
    before = (tmp_path / "report.html").read_bytes()
    result = make()
    assert result.exit_code == 2
    assert "report.html: already exists and was not written by newdawn; choose another folder" in result.output
    assert len(result.output.splitlines()) == 1
    assert (tmp_path / "report.html").read_bytes() == before
    assert (tmp_path / "thesis.txt").read_text() == "mine"


# --- In a browser


def dump(tmp_path, page):
    """Return the document after its scripts have run."""
    file = tmp_path / "page.html"
    file.write_text(page, "utf-8")
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'user'}", "--dump-dom"]
    done = subprocess.run([*command, file.as_uri()], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout


HOOK = """
<script>
addEventListener("load", () => {
  const table = document.querySelector('table[data-key="leaders"]');
  const order = () => [...table.tBodies[0].rows].map(row => row.cells[0].textContent).join(",");
  const said = [];
  for (const at of [0, 0, 2]) { table.tHead.rows[0].cells[at].firstElementChild.click(); said.push(order()); }
  const counts = [...table.tBodies[0].rows].map(row => Number(row.cells[2].dataset.v));
  said.push(counts.every((n, i) => i === 0 || counts[i - 1] >= n));
  document.body.textContent = said.join(";");
});
</script></body>"""


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_a_click_sorts(page, tmp_path):
    said = dump(tmp_path, page.replace("</body>", HOOK))
    up, down, _, by_games = re.search(r"<body[^>]*>([^<]*)", said)[1].strip().split(";")
    assert up.split(",") == sorted(names.LEADERS)
    assert down.split(",") == sorted(names.LEADERS, reverse=True)
    assert by_games == "true"


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
@pytest.mark.soak
def test_no_sideways_scrolling_on_a_telephone(page, tmp_path):
    frame = page.replace("&", "&amp;").replace('"', "&quot;")
    hook = """<script>addEventListener("load", () => {
      const inner = document.querySelector("iframe").contentDocument.documentElement;
      document.body.textContent = `widths ${inner.clientWidth} ${inner.scrollWidth}`; });</script>"""
    said = dump(tmp_path, f'<body><iframe style="width:390px;height:800px;border:0" srcdoc="{frame}"></iframe>{hook}</body>')
    inner, scrolled = map(int, re.search(r"widths (\d+) (\d+)", said).groups())
    assert 360 <= inner <= 390
    assert scrolled <= inner


@pytest.fixture(scope="module")
def browser(report, tmp_path_factory):
    """The report's page in a browser, its files beside it."""
    page = write(report, tmp_path_factory.mktemp("page"))[0]
    with opened() as driver:
        driver.get(page.as_uri())
        yield driver


def sized(browser, width, height):
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.execute_script("scrollTo(0, 0)")


@needs_browser
@pytest.mark.parametrize(("width", "height"), [(1400, 900), (390, 844)])
def test_verdicts_and_the_leaders_chart_are_on_the_first_screen(browser, width, height):
    sized(browser, width, height)
    for what in (".verdicts", "#first svg.chart"):
        box = browser.execute_script("return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", what)
        assert 0 <= box["top"] < box["bottom"] <= height, what
        assert 0 <= box["left"] < box["right"] <= width, what


@needs_browser
def test_sections_fold_and_links_open_them(browser):
    from selenium.webdriver.common.by import By

    def unfolded():
        return browser.execute_script("return [...document.querySelectorAll('details.part[open]')].map(one => one.id)")

    sized(browser, 1400, 900)
    assert unfolded() == []
    chapter = browser.execute_script("return document.getElementById('length').closest('.chapter').id")
    assert not browser.find_element(By.CSS_SELECTOR, '.toc a[href="#length"]').is_displayed()
    browser.find_element(By.CSS_SELECTOR, f'.toc a[href="#{chapter}"]').click()
    browser.find_element(By.CSS_SELECTOR, '.toc a[href="#length"]').click()
    browser.implicitly_wait(5)
    assert browser.find_element(By.CSS_SELECTOR, "#length[open] table").is_displayed()
    toc = browser.execute_script("return document.querySelector('.toc').getBoundingClientRect().top")
    assert (browser.execute_script("return scrollY") > 0, round(toc)) == (True, 0)  # the contents stay
    browser.find_element(By.ID, "fold").click()
    assert unfolded() == []
    browser.find_element(By.ID, "unfold").click()
    assert len(unfolded()) >= 15
    browser.find_element(By.CSS_SELECTOR, "#leaders > summary").click()
    assert "leaders" not in unfolded()


@needs_browser
def test_a_table_is_searched_and_its_heads_and_names_stay(browser):
    from selenium.webdriver.common.by import By

    sized(browser, 390, 844)
    browser.execute_script("document.getElementById('unfold').click()")
    rows = browser.find_elements(By.CSS_SELECTOR, 'table[data-key="leaders-by-card"] tbody tr')
    box = browser.find_element(By.CSS_SELECTOR, '.search[data-for="leaders-by-card"]')
    box.send_keys("rome")
    shown = [row.text for row in rows if row.is_displayed()]
    assert 0 < len(shown) < len(rows)
    assert all("Rome" in text for text in shown)
    assert browser.find_element(By.CSS_SELECTOR, '[data-count="leaders-by-card"]').text == f"{len(shown)} of {len(rows)} rows"
    box.clear()
    box.send_keys(" ")
    assert sum(row.is_displayed() for row in rows) == len(rows)
    head, name = browser.execute_script(
        """const table = document.querySelector('table[data-key="leaders-by-card"]'), scroll = table.parentElement;
        scroll.scrollTo(200, 300);
        const at = cell => [cell.getBoundingClientRect().left, cell.getBoundingClientRect().top], frame = at(scroll);
        const row = [...table.tBodies[0].rows].find(row => at(row)[1] > frame[1] + 100);
        return [at(table.tHead.rows[0].cells[2])[1] - frame[1], at(row.cells[0])[0] - frame[0]];"""
    )
    assert abs(head) <= 1
    assert abs(name) <= 1


SEEN = """return [...document.querySelectorAll(arguments[0])].filter(one => one.checkVisibility(
    {contentVisibilityAuto: true, visibilityProperty: true}) && one.getClientRects().length).length"""
MOST_WORDS = 600  # that are open on a page by itself


@needs_browser
def test_little_is_open_by_itself_and_the_contents_lead_to_the_rest(browser):
    sized(browser, 1400, 900)
    browser.execute_script("location.hash = ''; location.reload()")
    words = browser.execute_script("return document.body.innerText").split()
    assert len(words) <= MOST_WORDS
    assert browser.execute_script(SEEN, "details.part") == 0


@needs_browser
def test_on_paper_is_what_bears_on_the_question_and_what_was_opened(browser, report):
    sized(browser, 1400, 900)
    browser.execute_script("document.getElementById('fold').click()")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    bearing = [section for section in report.sections if section.part.key in report.bearing]
    assert "leaders" in report.bearing
    until_seen(browser, "details.part table", len([section for section in bearing if section.frame is not None]))
    for what in (".toc", ".tools", "button", ".search", "#chapter-leaders", "#method", "#provenance"):
        assert browser.execute_script(SEEN, what) == 0, what
    assert browser.execute_script(SEEN, "#limits .findings li") == len(report.limits)
    # No question stands without its answer, or the command that answers it.
    for step in browser.execute_script("return [...document.querySelectorAll('.steps li')].map(one => one.innerText)"):
        assert "newdawn " in step or len(step.split("?")[-1].split()) > 3, step
    browser.execute_script("document.getElementById('leaders-by-card').closest('.chapter').open = true")
    browser.execute_script("document.getElementById('leaders-by-card').open = true")
    rows = browser.execute_script(SEEN, "#leaders-by-card tbody tr")
    note = browser.execute_script("return document.querySelector('#leaders-by-card p.paper').textContent")
    assert rows == PAPER_ROWS
    assert note.startswith(f"On paper: the first {PAPER_ROWS} rows of ")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "screen"})


def until_seen(browser, what, number):
    """Wait until so many are seen: the browser opens what is folded with its next picture."""
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 30).until(lambda _: browser.execute_script(SEEN, what) == number)


def test_every_section_says_itself_in_a_sentence_folded_or_not(report, page):
    for section in report.sections:
        assert section.brief.text.rstrip(".") not in ("", section.part.title), section.part.key
        assert not section.findings or section.brief == section.findings[0]
    briefs = re.findall(r'<summary><h3>.*?</h3><span class="brief">(.*?)</summary>', page)
    assert len(briefs) == len(report.sections) + len(report.leaders)
    assert "visibility: hidden" not in page


def test_each_leader_has_a_page_of_its_own_that_agrees_with_the_tables(run):
    """Rate, cards, agendas, opponents, rules and a game that can be watched; the first screen leads to it."""
    report = build(run, boards=0)
    assert [one.name for one in report.leaders] == list(section_of(report, "leaders").frame["leader"])
    page = page_of(report)
    for one in report.leaders:
        said = dict(one.lines)
        row = section_of(report, "leaders").frame.set_index("leader").loc[one.name]
        assert rate(*(row[f"adjusted_rate{end}"] for end in ALL)) in said["Wins"]
        assert one.verdict == row["verdict"]
        assert said["What it can do"].startswith("Row from the left: ")
        assert f'id="{one.key}"' in page
        assert f'<a href="#{one.key}">{one.name}</a>' in page
    assert "combat bonus 3" in dict(next(one for one in report.leaders if one.name == "Scythia").lines)["Its numbers"]
    seats, games = run.read("seats"), run.read("games").set_index("game_id")["rounds"]
    for typical in typical_games(run):
        won = seats[(seats["leader"] == typical.leader) & (seats["won"] == 1)]["game_id"]
        assert typical.game in set(won)
        assert games[typical.game] == typical.rounds == np.quantile(games[won], 0.5, method="lower")


def section_of(report, key):
    return next(one for one in report.sections if one.part.key == key)


@pytest.mark.soak
@needs_browser
def test_a_zip_file_holds_all_that_its_page_links_to_and_a_pdf_is_printed(tmp_path):
    run = play(tmp_path / "run", strategies=("opportunist",), round_cap=200, games=60, leaders=("Scythia", "Rome"))
    made = CliRunner().invoke(
        main, ["report", str(run.path), "--boards", "60", "--pdf", "--zip", "--out", str(tmp_path / "out")]
    )
    assert made.exit_code == 0, made.output
    assert (tmp_path / "out" / "report.pdf").read_bytes().startswith(b"%PDF")
    with zipfile.ZipFile(tmp_path / "out" / "report.zip") as packed:
        packed.extractall(tmp_path / "there")
    (folder,) = (tmp_path / "there").iterdir()
    page = folder / "report.html"
    structure = Structure()
    structure.feed(page.read_text("utf-8"))
    files = {link for link in structure.links if not link.startswith(("#", "data:"))}
    assert {"leaders.csv", "game-of-scythia.html"} <= files
    watched = [link for link in files if link.startswith("game-of-")]
    assert len(watched) == len(run.read("seats")["leader"].unique()) == 2, "one of each leader"
    assert all((folder / link).stat().st_size < 200_000 for link in watched)
    assert [link for link in files if not (folder / link).is_file()] == []
    assert yaml.safe_load((folder / "rules.yaml").read_text("utf-8")) == run.manifest["ruleset"]["data"]
    again = (tmp_path / "out" / "report.zip").read_bytes()
    CliRunner().invoke(main, ["report", str(run.path), "--boards", "60", "--zip", "--quiet", "--out", str(tmp_path / "out")])
    with zipfile.ZipFile(tmp_path / "out" / "report.zip") as packed, zipfile.ZipFile(io.BytesIO(again)) as before:
        assert packed.read(f"{folder.name}/report.html") == before.read(f"{folder.name}/report.html")


def test_without_a_browser_a_pdf_is_refused_in_one_line_before_the_work(run, tmp_path, monkeypatch):
    monkeypatch.setattr("newdawn.analysis.report.export.shutil.which", lambda path: None)
    made = CliRunner().invoke(main, ["report", str(run.path), "--pdf", "--out", str(tmp_path / "out")])
    assert (made.exit_code, made.output.count("\n")) == (2, 1)
    assert "--pdf: no Chromium, Chrome or Edge is installed here" in made.output
    assert not (tmp_path / "out").exists()


def test_one_game_that_never_ends_does_not_squash_the_axis():
    frame = pd.DataFrame({"rounds": [15, 16, 17, 200], "victories": [400, 500, 300, 0], "unfinished": [0, 0, 0, 1]})
    ax = Figure().subplots()
    plots.plot_rounds(frame, ax)
    assert ax.get_xlim()[1] < 25
    assert [text.get_text() for text in ax.texts] == ["round 19 or later: 1"]
    plots.plot_rounds(frame[:3], whole := Figure().subplots())
    assert not whole.texts


def test_rows_that_mirror_each_other_are_shown_once(report):
    by_key = {section.part.key: section for section in report.sections}
    agendas = by_key["leaders-agendas"]
    assert len(agendas.rows) < len(agendas.frame)
    assert agendas.left_out == 0
    pairs = pd.DataFrame({"leader": ["A", "B", "A"], "opponent": ["B", "A", "C"], "win_rate": [0.4, 0.6, np.nan]})
    assert list(part("matchups").once(pairs).index) == [1, 2]


@pytest.mark.parametrize("box", names.BOXES)
def test_the_box_is_told_at_a_glance(run, report, box):
    made = replace(report, box=box)
    words = {"base": "Base game", "terra-incognita": "Terra Incognita"}[box]
    text = page_of(made)
    assert f'<span class="badge">{words}</span>' in text
    assert f"– {words} –" in re.search(r"<title>(.*?)</title>", text)[1]
    assert markdown(made).splitlines()[0].endswith(f"– {words}")


def test_commands_have_neither_backticks_nor_placeholders(page, run):
    text = re.sub(r"<script>.*</script>", "", page, flags=re.DOTALL)
    assert "`" not in text
    assert f"<code>newdawn extend {run.path} --games" in page
    for command in re.findall(r"<code>(newdawn .*?)</code>", page):
        assert not re.search(r"\b(DIR|FILE|NAME)\b", command)


# --- Words


def test_numbers_in_words():
    assert rate(0.2504, -0.01, 1.2) == "25.0% [0.0, 100.0]"
    assert points(-0.04, -2.0, 1.26) == "0.0 [−2.0, +1.3]"
    assert p_words(0.0004) == "<0.001"
    assert p_words(np.nan) == "–"
    assert counted(1, "game") == "1 game"
    assert counted(1200, "game") == "1,200 games"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert (half(16.0), half(16.5)) == ("16", "16.5")
    row = {"x": np.nan, "rank_best": 1, "rank_worst": 3}
    assert cell(row, Column("x", "x", "count")).text == "–"
    assert cell(row, Column("rank_best", "places", "range")).text == "1–3"


def test_findings_on_boards_and_wonders_without_cases():
    boards = pd.DataFrame({"games": [20.0], "p_adjusted": [np.nan], "small_sample": [True]})
    assert boards_findings(boards, None)[0].certainty == "untested"


def test_a_report_of_one_game_says_so_and_plans_for_the_whole_pool(tmp_path):
    made = build(play(tmp_path / "run", games=1), boards=0, parts=[part("precision")])
    assert made.summary == "1 game of 2 players"
    assert f"2 drawn from {len(names.LEADERS)}" in " ".join(made.sections[0].frame["question"])
