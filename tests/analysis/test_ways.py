"""Ways of playing: figures of known games, verdicts read off intervals that hold together, sentences, pages."""

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from known import KnownRun, draw, seated, tables
from said import disagreement, unreadable
from test_compare import PLANTED

from newdawn.analysis.questions import depends_on_players as lab
from newdawn.analysis.questions.depends_on_players import parts_of
from newdawn.analysis.report import answer_page
from newdawn.analysis.stats.verdicts import CHANGE, DEPENDS, FAR, ORDER, STRENGTH
from newdawn.analysis.tables import figures_by_strategy as by_way
from newdawn.analysis.tables.decoded_games import wanted
from newdawn.analysis.tables.figures_by_strategy import DEEDS
from newdawn.analysis.tables.kept_answers import open_kept
from newdawn.analysis.tables.paired_figures import COLUMNS, LEADER_FIGURES, PRINTED, Moments, differences, game_figures
from newdawn.scripts.cli.main import main
from newdawn.simulator import names
from newdawn.simulator.errors import UserError

MORE, ALIKE, NOT_KNOWN, UNCLEAR = DEPENDS.far_above, DEPENDS.within, DEPENDS.undecided, DEPENDS.above
STRONG = 8 * PLANTED  # Japan wins far more than its share
SCYTHIA = np.where(np.array(names.LEADERS) == "Scythia", 1.5, 0.0)


def known_way(rng, n, strength, deeds=1.0, players=4):
    """Games in which leaders have these log odds, and a seat beats so many capitals, founds so many cities … on an average."""
    leaders, order, cards = seated(rng, n, players)
    frames = tables(leaders, order, cards, draw(rng, np.asarray(strength)[leaders]), rng=rng)
    for table, column in DEEDS.values():
        if column != "round_built":
            frames[table][column] = rng.poisson(deeds, len(frames[table]))
    return KnownRun(frames, players)


def row(frame, figure, **more):
    found = frame[frame["figure"] == figure]
    for column, value in more.items():
        found = found[found[column] == value]
    assert len(found) == 1
    return found.iloc[0]


@pytest.fixture(scope="module")
def found():
    """Bold players make Japan and Scythia win, calm ones make Japan lose; wild ones play few games."""
    rng = np.random.default_rng(1)
    runs = {"bold": known_way(rng, 3_000, STRONG + SCYTHIA, 0.5), "calm": known_way(rng, 3_000, SCYTHIA - STRONG, 2.0)}
    table = by_way.ways(runs | {"wild": known_way(rng, 60, SCYTHIA)}, PRINTED)
    return runs, table, by_way.verdicts(table)


def test_values_are_those_of_the_tables(found):
    runs, table, _ = found
    frames = runs["bold"].tables
    japan = frames["seats"][frames["seats"]["leader"] == "Japan"]
    said = row(table, "win rate of Japan", way="bold")
    assert (said["n"], said["value"]) == (len(japan), pytest.approx(japan["won"].mean()))
    assert said["fair"] == 0.25
    assert said["value_all_low"] < said["value_low"] < said["value"] < said["value_high"] < said["value_all_high"]
    games = frames["seats"].groupby("game_id")["capitals_beaten"].sum()
    beaten = row(table, "capitals beaten", way="bold")
    assert (beaten["n"], beaten["value"]) == (3_000, pytest.approx(games.mean()))
    assert beaten["value_high"] - beaten["value"] == pytest.approx(1.96 * games.std(ddof=0) / np.sqrt(2_999), rel=1e-3)
    built = row(table, "world wonders built", way="bold")
    assert built["value"] == pytest.approx(frames["wonders"]["round_built"].notna().sum() / 3_000)
    assert set(table.loc[table["way"] == "wild", "small_sample"]) == {True}


def test_intervals_over_players_end_where_figures_can_lie(found):
    _, _, verdicts = found
    ends = verdicts.set_index("figure")[
        [f"{what}_{end}" for what in ("mean", "mean_all", "prediction") for end in ("low", "high")]
    ]
    shares = ends[[" rate " in figure or "unfinished" in figure for figure in ends.index]]
    assert ends.min().min() == shares.min().min() == 0  # three players who differ much would reach beyond
    assert shares.max().max() <= 1 < ends.max().max()


def test_verdicts_say_what_was_planted(found):
    _, table, verdicts = found
    japan = row(verdicts, "win rate of Japan")
    assert (japan["verdict"], japan["stands"], japan["one"]) == (MORE, STRENGTH.undecided, "bold")
    assert japan["tau"] > 0.1
    assert japan["prediction_low"] < 0.25 < japan["prediction_high"]
    scythia = row(verdicts, "win rate of Scythia")
    assert scythia["stands"] == STRENGTH.undecided  # three players who differ so much do not say what players do on average
    assert scythia["mean_all_low"] < scythia["mean_low"] < scythia["mean"] < scythia["mean_high"] < scythia["mean_all_high"]
    assert scythia["players"] == "bold; calm; wild"  # none is known to be good, so all count
    beaten = row(verdicts, "capitals beaten")
    assert (beaten["verdict"], beaten["one"], beaten["other"]) == (MORE, "calm", "bold")
    assert row(verdicts, "win rate of Egypt")["verdict"] == NOT_KNOWN  # 3,000 games are too few for 2 points
    ways = [row(table, "capitals beaten", way=way)["value"] for way in ("calm", "bold")]
    assert (beaten["most"], beaten["least"], beaten["difference"]) == (ways[0], ways[1], pytest.approx(ways[0] - ways[1]))
    assert set(verdicts.loc[verdicts["verdict"] == MORE, "open"]) <= {"wild", "bold; calm; wild", ""}
    assert verdicts.loc[verdicts["verdict"] == MORE, "games_fewest"].isna().all()
    assert (verdicts.loc[verdicts["verdict"] == NOT_KNOWN, "games_fewest"] > 3_000).all()


def told(*ways, figure="rounds", pair=0.2):
    """Return the verdict on ways with these values; each is known to ± `pair`, or to ± what is given beside it."""
    rows = []
    for k, way in enumerate(ways):
        value, reach = way if isinstance(way, tuple) else (way, pair)
        low, high = value - reach, value + reach
        ends = {f"value{kind}_{end}": x for kind in ("", "_all", "_pair") for end, x in (("low", low), ("high", high))}
        rows.append({"group": "game", "figure": figure, "way": "abcd"[k], "n": 1000, "value": value, "fair": 15.0} | ends)
    return by_way.verdicts(pd.DataFrame(rows)).iloc[0]


def test_a_difference_is_held_against_the_margin_two_ways_at_a_time():
    """The margin is one round; two ways known to ± 0.2 are known to differ by what they do ± 0.28."""
    assert told(15.0, 16.3)["verdict"] == MORE
    assert told(15.0, 16.27)["verdict"] == UNCLEAR  # 0.99 to 1.55, which was called dependent, for the intervals do not meet
    assert told(15.0, 15.5)["verdict"] == ALIKE
    assert told(15.0, 15.75)["verdict"] == UNCLEAR  # they differ, and by less or by more
    assert told(15.0, 15.75, pair=0.9)["verdict"] == NOT_KNOWN
    assert told(15.0, 15.2)["verdict"] == ALIKE
    assert told(15.0, 15.1, 15.4)["verdict"] == ALIKE
    assert told(15.0, 15.1, 16.4)["verdict"] == MORE
    assert told(15.0)["verdict"] == DEPENDS.not_compared
    apart = told(16.5, 15.0, 15.1)
    assert (apart["one"], apart["other"], apart["difference"]) == ("a", "b", 1.5)
    assert apart["difference_all_low"] == pytest.approx(1.5 - 0.2 * 2**0.5)


def test_a_way_with_few_games_leaves_alike_open_for_itself_alone():
    few = told(15.0, 15.1, (15.2, 1.5))
    assert (few["verdict"], few["open"]) == (ALIKE, "c")
    assert lab.shown_verdict(few) == "alike within the margin (c: too few games)"
    assert told((15.0, 1.5), (15.1, 1.5), 15.0)["verdict"] == NOT_KNOWN
    assert told(15.0, (18.0, 1.5))["verdict"] == MORE  # few games are enough for a large difference
    assert told(15.0, 15.9, 15.4)["verdict"] == UNCLEAR  # and all three have enough


def test_alike_is_shown_and_not_assumed(monkeypatch):
    rng = np.random.default_rng(2)
    few, many = ({name: known_way(rng, n, SCYTHIA) for name in ("one", "other")} for n in (200, 12_000))
    assert not (by_way.verdicts(by_way.ways(few, PRINTED))["verdict"] == ALIKE).any()
    table = by_way.ways(many, PRINTED)
    deeds = by_way.verdicts(table).query("group == 'deeds'")
    assert (deeds["verdict"] == ALIKE).all()  # 4 a game, known to ± 0.1
    monkeypatch.setattr("newdawn.analysis.stats.rates.POINTS", 8.0)
    verdicts = by_way.verdicts(table)
    assert (verdicts.loc[verdicts["group"] == "leaders", "verdict"] == ALIKE).all()
    scythia = row(verdicts, "win rate of Scythia")
    assert scythia["mean"] == pytest.approx(table[table["figure"] == "win rate of Scythia"]["value"].mean(), abs=0.01)


def test_what_never_happened_in_few_games_is_not_known_to_be_alike():
    """The mean of twenty zeros has no spread; that is not to say that it is zero."""
    rng = np.random.default_rng(7)
    table = by_way.ways({"one": known_way(rng, 20, SCYTHIA, 0.0), "other": known_way(rng, 20, SCYTHIA, 0.0)}, PRINTED)
    lost = row(table, "cities lost", way="one")
    assert lost["value_low"] == 0
    assert lost["value_high"] > 0.1
    assert (by_way.verdicts(table).query("group == 'deeds'")["verdict"] == DEPENDS.not_compared).all()


@pytest.mark.calibration
def test_the_same_players_are_hardly_ever_told_apart():
    """Three ways that are one, 40 times: any figure said to depend on who plays in at most 5%."""
    run = known_way(np.random.default_rng(3), 14_400, STRONG)
    run.edges = np.arange(0, 14_401, 120)
    whole = wanted((*COLUMNS, "captured"), by_way.NUMBERS)
    pieces = [SimpleNamespace(players=4, pieces=lambda wanted, piece=piece: [piece]) for piece in run.pieces(whole)]
    wrong = 0
    for at in range(0, 120, 3):
        runs = dict(zip("abc", pieces[at : at + 3], strict=True))
        wrong += bool((by_way.verdicts(by_way.ways(runs, PRINTED))["verdict"] == MORE).any())
    assert wrong <= 2


def test_sentences_agree_with_the_rows():
    rng = np.random.default_rng(12)
    table = by_way.ways({name: known_way(rng, 1_500, SCYTHIA) for name in ("bold", "calm", "wild", "odd")}, PRINTED)
    verdicts = by_way.verdicts(table)
    said = lab.sentences(table, verdicts)
    scythia = row(verdicts, "win rate of Scythia")
    value, low, high = (100 * scythia[f"mean{end}"] for end in ("", "_low", "_high"))
    assert verdicts["prediction_low"].le(verdicts["mean_low"]).all()  # the average is known better than another player
    assert said[0].startswith(
        f"Over these players (bold, calm, wild, odd) Scythia is too strong: {value:.1f}% [{low:.1f}, {high:.1f}] on average. "
        f"Another such player would make it {100 * scythia['prediction_low']:.1f} to {100 * scythia['prediction_high']:.1f}%."
    )


def test_figures_are_averaged_over_the_players_that_are_named():
    """Else over the good ones: a player of one's own is not known to be one."""
    rng = np.random.default_rng(13)
    table = by_way.ways({name: known_way(rng, 600, STRONG) for name in ("quick", "adept", "mine")}, PRINTED)
    assert set(by_way.verdicts(table)["players"]) == {"quick; adept"}
    assert set(by_way.verdicts(table, ["quick", "mine"])["players"]) == {"quick; mine"}


def test_who_deviates_from_what_the_others_predict_is_named():
    """Seven players alike and one of whom Japan loses; each with the games it has."""
    rng = np.random.default_rng(11)
    runs = {name: known_way(rng, 600 + 300 * k, STRONG) for k, name in enumerate("abcdefg")}
    table = by_way.ways(runs | {"odd": known_way(rng, 2_000, -STRONG)}, PRINTED)
    verdicts = by_way.verdicts(table)
    japan = row(verdicts, "win rate of Japan")
    assert japan["deviates"] == "odd"
    told = [text for text in lab.sentences(table, verdicts) if text.startswith("odd deviates from what the others predict: ")]
    assert "win rate of Japan" in told[0]
    assert "; not odd" in lab.shown_band(japan, change=False)


def check_sentences(table, verdicts):
    """Each sentence names its row, with figures, interval and n, and is no surer than it; the counts are those of verdicts."""
    said, sure = lab.sentences(table, verdicts), {said.text: said.certainty for said in lab.findings(table, verdicts)}
    assert unreadable(said) == []
    far = [words.of(one) for words in (STRENGTH, CHANGE) for one in FAR]
    stand = verdicts[verdicts["stands"].isin(far)]
    told = [text for text in said if text.startswith("Over ")]
    assert len(told) == min(lab.EXAMPLES, len(stand))
    for text in told:
        (one,) = (
            one for one in stand.to_dict("records") if f") {lab.whom(one['figure'], by_way.is_change(table))} is " in text
        )
        assert f" is {one['stands']}: " in text
        assert sure[text] == one["stands_certainty"]
    noun = "change" if by_way.is_change(table) else "figure"
    more = verdicts[verdicts["verdict"] == MORE]
    depends = [text for text in said if re.search(r"depends? on who plays(:| by)", text)]
    assert len(depends) == 1
    if more.empty:
        assert depends[0].startswith(f"No {noun} depends on who plays by detectably more than the margin")
    else:
        count, of = re.match(rf"(\d+) of (\d+) {noun}s? depends? on who plays", depends[0]).groups()
        assert (int(count), int(of)) == (len(more), len(verdicts))
        examples = depends[0].partition("Furthest apart: ")[2]
        assert disagreement("ways", more, [SimpleNamespace(text=examples.replace("+", ""))]) is None
        assert examples.count("(n = ") == min(lab.EXAMPLES, len(more))
        beyond = (more["difference_all_low"] / more["margin"]).sort_values(ascending=False)
        assert examples.startswith(f"{more.loc[beyond.index[0], 'figure']}, ")
        assert ORDER.index(sure[depends[0]]) >= max(ORDER.index(one) for one in more["certainty"])
    rest = next(text for text in said if text.startswith(f"Of {len(verdicts)} {noun}"))
    counts = re.findall(r"(\d+) ([a-z][^.;]*?)(?=, \d|\.$)", rest.partition(": ")[2])
    expected = verdicts["verdict"].value_counts()
    assert {word: int(n) for n, word in counts} == {
        word if n == 1 else word.replace("depends", "depend"): n for word, n in expected.items()
    }
    for text in said:
        if left := re.match(rf"(.+): too few games to be called alike, so left out of (\d+) {noun}s?\.", text):
            rows = verdicts[verdicts["verdict"] == ALIKE]
            assert int(left[2]) == sum(left[1] in names.split("; ") for names in rows["open"])


def test_sentences_on_who_differs_agree_with_the_rows(found):
    check_sentences(*found[1:])
    rng = np.random.default_rng(8)
    for games, deeds in ((40, 1.0), (3_000, 1.0), (3_000, 1.6)):
        runs = {"one": known_way(rng, games, SCYTHIA), "other": known_way(rng, games, SCYTHIA, deeds)}
        table = by_way.ways(runs, PRINTED)
        check_sentences(table, by_way.verdicts(table))


def test_the_band_is_over_good_players_where_there_are_several():
    """Only pools of good players are good, and a way with few games counts by what it has."""
    rng = np.random.default_rng(9)
    good = {"quick": known_way(rng, 6_000, SCYTHIA), "13 architect + 7 settler": known_way(rng, 300, SCYTHIA)}
    table = by_way.ways(good | {"planner": known_way(rng, 6_000, STRONG, 2.0)}, PRINTED)
    assert by_way.band_ways(table) == list(good)
    found = by_way.verdicts(table)
    scythia, quick = row(found, "win rate of Scythia"), row(table, "win rate of Scythia", way="quick")
    assert scythia["players"] == "quick; 13 architect + 7 settler"
    assert scythia["mean"] == pytest.approx(quick["value"], abs=0.03)  # the way with many games weighs more
    alone = by_way.ways({"quick": good["quick"], "planner": good["quick"]}, PRINTED)
    assert by_way.band_ways(alone) == ["quick", "planner"]


def test_what_cannot_be_set_beside_each_other():
    rng = np.random.default_rng(4)
    with pytest.raises(UserError, match="1 strategy; expected two or more"):
        by_way.ways({"one": known_way(rng, 20, STRONG)}, PRINTED)
    with pytest.raises(UserError, match=r"games of 4 players \(one\), 3 players \(other\); expected one number"):
        by_way.ways({"one": known_way(rng, 20, STRONG), "other": known_way(rng, 20, STRONG, players=3)}, PRINTED)


def test_the_chapter_has_a_column_for_each_way(found):
    _, table, verdicts = found
    leaders = parts_of(table, verdicts)[0]
    frame = leaders.frame(SimpleNamespace())
    assert [column.heading for column in leaders.columns[3:6]] == ["bold [95% all]", "calm [95% all]", "wild [95% all]"]
    japan = row(frame, "win rate of Japan")
    assert japan["way1"] == pytest.approx(100 * row(table, "win rate of Japan", way="calm")["value"])
    assert japan["verdict"] == MORE
    assert japan["difference"] == pytest.approx(100 * row(verdicts, "win rate of Japan")["difference"])
    assert [finding.text for finding in leaders.findings(frame, SimpleNamespace())] == lab.sentences(table, verdicts)
    assert "ways-deeds" in [part.key for part in parts_of(table, verdicts)]


def test_changes_of_a_house_rule_are_asked_of_all_ways_together():
    """All players see Japan gain; wild ones see Scythia gain, calm ones see it lose."""
    rng = np.random.default_rng(5)

    def compared(change):
        moments = Moments.empty(leaders=LEADER_FIGURES)
        moments.add(*(game_figures(known_way(rng, 3_000, one).tables, 0, 3_000) for one in (np.zeros(8), change)))
        return moments

    seen = {"bold": compared(STRONG), "calm": compared(STRONG - SCYTHIA), "wild": compared(STRONG + SCYTHIA)}
    frames = {name: differences(moments, tables=3) for name, moments in seen.items()}
    table = by_way.changes_by_way(frames)
    verdicts = by_way.verdicts(table)
    assert row(verdicts, "win rate of Japan")["stands"] in (CHANGE.far_above, CHANGE.undecided)
    assert row(verdicts, "win rate of Japan")["mean_low"] > 0
    assert row(verdicts, "win rate of Scythia")["stands"] == CHANGE.undecided
    assert row(verdicts, "win rate of Scythia")["verdict"] == MORE
    check_sentences(table, verdicts)
    gained = row(verdicts, "win rate of Japan")
    assert lab.shown_band(gained, change=True).startswith(f"+{100 * gained['mean']:.1f} [+{100 * gained['mean_low']:.1f}, +")
    alone, together = row(differences(seen["bold"]), "win rate of Japan"), row(table, "win rate of Japan", way="bold")
    assert together["value"] == pytest.approx(alone["difference"])
    assert together["value_all_low"] < alone["difference_all_low"] < alone["difference_all_high"] < together["value_all_high"]


# --- the command


def newdawn(*arguments):
    return CliRunner().invoke(main, [str(word) for word in arguments])


SMALL = ["--players", "2", "--round-cap", "8", "--jobs", "1", "--quiet"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Two runs of the same rules, and one of others."""
    folder = tmp_path_factory.mktemp("ways")
    for name, more in {"a": ["random"], "b": ["opportunist"], "c": ["opportunist", "--rules", "longer_dial"]}.items():
        result = newdawn("run", "--games", 30, *SMALL, "--out", folder / name, "--strategies", *more)
        assert result.exit_code == 0, result.output
    return folder


def test_ways_are_played_told_and_kept(tmp_path):
    asked = newdawn("ways", "--strategies", "random,opportunist", "--games", "30,20", *SMALL, "--out", tmp_path)
    assert asked.exit_code == 0, asked.output
    assert "on who plays" in asked.output
    assert "30/20" in asked.output
    kept = open_kept(tmp_path)
    assert kept.facts["compared"] == "30 games of random, 20 games of opportunist"
    assert kept.facts["strategies"] == "random, opportunist"
    made = newdawn("report", tmp_path)
    assert made.exit_code == 0, made.output
    text = (tmp_path / "report" / "report.md").read_text("utf-8")
    assert "random [95% all] | opportunist [95% all]" in text
    assert kept.sentences[0] in text
    assert answer_page.build(kept, tmp_path).box == "base"


def test_players_joined_sit_down_by_lot(tmp_path):
    own = tmp_path / "a+b.yaml"  # a file is one player, whatever it is called
    own.write_text("like: opportunist\n")
    asked = newdawn("ways", "--strategies", f"random,{own}", "--games", 20, *SMALL, "--format", "csv")
    assert {line.split(",")[2] for line in asked.output.splitlines()[1:]} == {"random", "a+b"}
    asked = newdawn("ways", "--strategies", "random,opportunist+random+random", "--games", 60, *SMALL, "--format", "csv")
    assert asked.exit_code == 0, asked.output
    ways = {line.split(",")[2] for line in asked.output.splitlines()[1:]}
    assert ways == {"random", "1 opportunist + 2 random"}
    wrong = newdawn("ways", "--strategies", "random,opportunist+randon", *SMALL)
    assert wrong.exit_code == 2
    assert "did you mean 'random'" in wrong.output


def test_runs_are_set_beside_each_other_and_in_a_report(folders):
    asked = newdawn("ways", folders / "a", folders / "b", "--format", "csv")
    assert asked.exit_code == 0, asked.output
    assert asked.output.startswith("group,figure,way,n,value")
    made = newdawn("report", folders / "a", "--beside", folders / "b", "--boards", 0, "--quiet", "--out", folders / "page")
    assert made.exit_code == 0, made.output
    text = (folders / "page" / "report.md").read_text("utf-8")
    assert "### What players do under each strategy" in text  # nobody won, so no win rates
    assert "random [95% all] | opportunist [95% all]" in text
    assert (folders / "page" / "ways-deeds.csv").is_file()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--strategies", "planner"], "--strategies: planner; expected two or more different strategies"),
        (["--strategies", "planner,planner"], "expected two or more different strategies"),
        (["--strategies", "planner,worrier"], "did you mean 'warrior'"),
        (["--games", "9,9,9", "--strategies", "planner,random"], "--games: 3 numbers for 2 strategies"),
        (["--games", "many"], "'many': expected a number of games from 2, or one for each strategy"),
        (["a", "--strategies", "random"], "expected folders of runs, or --strategies"),
        (["a"], "1 strategy; expected two or more"),
        (["a", "a"], "a: is named twice"),
        (["a", "c"], "played by other rules (longer technology dial) than a (printed); expected the same"),
        (["a", "none"], "none"),
        (["a", "b", "--out", "kept"], "--out: keeps only what is played"),
    ],
)
def test_bad_input_ends_with_code_2_and_one_line(arguments, message, folders, monkeypatch):
    monkeypatch.chdir(folders)
    result = newdawn("ways", *arguments)
    assert result.exit_code == 2, result.output
    assert message in result.output
    assert result.output.count("\n") == 1


def test_two_rulesets_are_compared_by_several_ways(tmp_path):
    words = ["printed", "longer_dial", "--ways", "random,opportunist", "--games", "20", *SMALL]
    asked = newdawn("compare", *words, "--out", tmp_path)
    assert asked.exit_code == 0, asked.output
    assert "A = printed, B = longer technology dial: what B changes, by strategy" in asked.output
    assert newdawn("report", tmp_path).exit_code == 0
    text = (tmp_path / "report" / "report.md").read_text("utf-8")
    assert "20 games under each ruleset, by each of 2 strategies" in text
    assert "random [95% all] | opportunist [95% all]" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--ways", "planner"], "--ways: planner; expected two or more different strategies"),
        (["--ways", "planner,random", "--strategies", "random"], "--ways and --strategies: expected one of the two"),
        (["--ways", "planner,radnom"], "did you mean 'random'"),
    ],
)
def test_what_does_not_go_together_with_ways_is_said_in_one_line(arguments, message):
    result = newdawn("compare", "printed", "printed", *arguments)
    assert result.exit_code == 2, result.output
    assert message in result.output
    assert result.output.count("\n") == 1


def test_an_answer_is_not_set_beside_a_run(folders, tmp_path):
    newdawn("ways", "--strategies", "random,autoplayer", "--games", "4", *SMALL, "--out", tmp_path)
    result = newdawn("report", tmp_path, "--beside", folders / "a")
    assert result.exit_code == 2
    assert "holds an answer of `newdawn ways`; --beside expects a run" in result.output
