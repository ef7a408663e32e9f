"""Pages of advice: what balance and tune found, as a patch note, a house rule, before and after; read back from the rows."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import yaml
from click.testing import CliRunner
from said import close
from test_sentences_of_trials import fresh_games

from newdawn.analysis.questions.search_page import AS_IT_IS, advice_line, judged
from newdawn.analysis.questions.tuning import parse_target
from newdawn.analysis.report import answer_page
from newdawn.analysis.report.answer_page import line
from newdawn.analysis.stats.verdicts import DIFFERENT, JUDGEMENT, Outcome, having, verdict_of
from newdawn.analysis.tables import targets
from newdawn.analysis.tables.kept_answers import TARGET_ROW, KeptAnswer, open_kept
from newdawn.analysis.tables.paired_figures import margin_of
from newdawn.analysis.tables.targets import confirm, side_effects
from newdawn.scripts.cli.answers import target_numbers, target_words
from newdawn.scripts.cli.main import main
from newdawn.simulator.rules import load_ruleset

FACTS = {"strategies": "planner", "players": "4", "rules": "printed, SHA-256 0", "seed": "1"}
NOTES = ["", "Petra: cost 7 → 6", "Petra: cost 7 → 5"]


def advice(command, text, games, seed):
    """Return a kept answer on three values, the rules first; and the frame that fresh games judged."""
    target = parse_target(text)
    fresh = fresh_games(np.random.default_rng([seed, games]), games, 3, targets.FIGURES)
    frame = confirm(fresh, target)
    words, numbers = target_words(target), target_numbers(target, None, games)
    house_rules = [f"wonders:\n  petra: {{cost: {cost}}}" for cost in (7, 6, 5)]
    if command == "tune":
        confirmed = frame.assign(
            what=NOTES, keys=["", "wonders.petra.cost = 6", "wonders.petra.cost = 5"], house_rule=house_rules
        )
        return KeptAnswer("tune", "x", FACTS, {"confirmed": confirmed}, ["Said."], words=words, numbers=numbers), frame
    rows, moved = [], side_effects(fresh)
    for place in (1, 2):
        row = {
            "lever": "wonders.petra.cost",
            "was": 7,
            "value": 7 - place,
            "what": NOTES[place],
            "house_rule": house_rules[place],
        }
        row |= {"target_value" if name == "value" else name: value for name, value in frame.iloc[place].items()}
        for found in moved[moved["place"] == place].to_dict("records"):
            sizes = {"": "difference", "_low": "difference_all_low", "_high": "difference_all_high"}
            sizes |= {f"_{name}": name for name in JUDGEMENT}
            row |= {f"{found['figure']}{end}": found[name] for end, name in sizes.items()}
        rows.append(row | {"side": 1.5, "side_of": "win rate of Rome", "side_beyond": 0.03})
    own = pd.DataFrame([dict(frame.iloc[0]) | {"figure": TARGET_ROW}])
    return KeptAnswer(
        "balance", "x", FACTS, {"moves": pd.DataFrame(rows), "rules": own}, ["Said."], words=words, numbers=numbers
    ), frame


def after_unfinished(report, row):
    """Return what is said after unfinished games: these come first, where the change that is advised moves them."""
    first, *rest = report.first.findings
    moved = "unfinished games_verdict" in row and row["what"] != AS_IT_IS
    moved = moved and verdict_of(row, "unfinished games_verdict") in DIFFERENT
    assert first.text.startswith("Games that nobody won: ") == moved
    return rest if moved else [first, *rest]


TARGETS = ["win-rate:Egypt=30%", "game-length=18", "leader-spread"]


@pytest.mark.parametrize("text", TARGETS)
@pytest.mark.parametrize("command", ["balance", "tune"])
@pytest.mark.parametrize("games", [60, pytest.param(900, marks=pytest.mark.soak), 9000])
def test_the_first_screen_of_advice_is_what_its_rows_say(command, text, games, tmp_path):
    target = parse_target(text)
    for seed in range(3):
        kept, frame = advice(command, text, games, seed)
        report = answer_page.build(kept, tmp_path)
        found, at = judged(kept)
        row, own = found.iloc[at], found[found["what"] == AS_IT_IS].iloc[0]
        place = NOTES.index("" if row["what"] == AS_IT_IS else row["what"])
        assert row["verdict"] == frame["verdict"].iloc[place]
        said = after_unfinished(report, row)
        decision, figures = said[:2]
        if row["verdict"] == Outcome.ON.value:
            assert decision.text.startswith(("To reach ", "Nothing has to change"))
        assert decision.text.startswith("Undecided whether a value reaches ") == (row["verdict"] == Outcome.OPEN.value)
        assert (row["what"] in decision.text) or decision.text.startswith("Nothing has to change: the rules as they are reach")
        # Before and after, with its interval, and n.
        told = re.findall(r"(-?[\d.]+)%? \[(-?[\d.]+)%?, (-?[\d.]+)%?\]", figures.text.replace("−", "-"))
        (texts,) = told
        assert all(close(text, row[name]) for text, name in zip(texts, ("figure", "figure_low", "figure_high"), strict=True))
        before = re.findall(r"goes from ([\d.]+)", figures.text)
        assert len(before) == (row["what"] != AS_IT_IS)
        assert all(close(text, own["figure"]) for text in before)
        assert f"n = {row['n']:,})" in figures.text
        scale = 1 if target.figure == "rounds" else 100
        assert row["figure"] == pytest.approx(scale * frame["value"].iloc[place])
        assert own["figure_low"] == pytest.approx(scale * frame["low"].iloc[0])
        if command == "balance" and row["what"] != AS_IT_IS and target.figure != "win rate of Rome":
            side = said[2].text
            assert side.startswith("The largest side effect: win rate of Rome ")
            assert side.endswith("points, 3.0 points further off its share than before, and than sharing the wins explains.")
        for finding in report.first.findings:
            assert len(finding.text.split()) <= 32
        assert len(said) <= 3
        if row["what"] != AS_IT_IS:
            assert report.first.changed == [f"{row['what']} (`{row['keys']}`)"]
            assert yaml.safe_load(report.first.house_rule) == {"wonders": {"petra": {"cost": 7 - place}}}
            assert report.origin.files == {"change.yaml": f"{report.first.house_rule}\n"}
        if target.wanted is not None:
            shown = {"win-rate:Egypt=30%": "30.0% ± 2 points", "game-length=18": "18.0 ± 1 round"}[text]
            assert shown in decision.text
            scale = 1 if target.figure == "rounds" else 100
            distances = [abs(each["figure"] - scale * target.wanted) for each in (own, row)]
            nearer = row["verdict"] != Outcome.ON.value and distances[0] < distances[1]
            assert ("The rules as they are lie nearer: " in decision.text) == nearer
            assert shown in line(kept) == advice_line(kept)
        meant = dict(report.first.meanings)
        assert f"{games:,} for each value and for the rules, {3 * games:,} in all" in meant["Fresh games"]
        assert meant["Who played"].startswith("All seats were played by `planner`")
        assert {name for verdict in report.first.verdicts for name in "; ".join(verdict.names).split("; ")} == set(
            found["what"]
        )


def test_what_else_moves_is_said_in_points_and_rounds_with_its_interval(tmp_path):
    for seed in range(3):
        kept, _ = advice("balance", "win-rate:Egypt=30%", 4000, seed)
        moves = kept.tables["moves"].set_index("what")
        report = answer_page.build(kept, tmp_path)
        part = next(section for section in report.sections if section.part.key == "side")
        assert "win rate of Egypt" not in set(part.frame["figure"])
        for row in part.frame.to_dict("records"):
            scale = 1 if row["figure"] == "rounds" else 100
            assert row["unit"] == ("rounds" if scale == 1 else "points")
            for end in ("", "_low", "_high"):
                size = row[f"difference{f'_all{end}' if end else ''}"]
                assert size == pytest.approx(scale * moves.loc[row["what"], f"{row['figure']}{end}"])
            assert row["verdict"] == moves.loc[row["what"], f"{row['figure']}_verdict"]
            low, high = row["difference_all_low"], row["difference_all_high"]
            differs = (low > 0 or high < 0) and max(-low, high) > margin_of(row["figure"]) * scale  # else it is within
            assert (verdict_of(row) in DIFFERENT) == differs
        row = judged(kept)[0].iloc[1]
        advised = row["what"]
        own = part.frame[(part.frame["what"] == advised) & having(part.frame, DIFFERENT)]
        assert len(part.findings) == max(1, min(3, len(own)))
        side = after_unfinished(report, row)[2].text
        rome = part.frame[(part.frame["what"] == advised) & (part.frame["figure"] == "win rate of Rome")].iloc[0]
        value, low, high = re.search(r"win rate of Rome ([+−\d.]+) \[([+−\d.]+), ([+−\d.]+)\] points,", side).groups()
        assert close(value, rome["difference"])
        assert close(low, rome["difference_all_low"])
        assert close(high, rome["difference_all_high"])


def test_the_target_has_a_line_and_its_margin_a_band(tmp_path):
    from matplotlib.figure import Figure

    kept, frame = advice("balance", "win-rate:Egypt=30%", 900, 1)
    report = answer_page.build(kept, tmp_path)
    part = next(section.part for section in report.sections if section.part.key == "target")
    ax = Figure().subplots()
    part.charts[0].draw(part.frame(kept), ax)
    assert any(list(one.get_xdata()) == [30, 30] for one in ax.get_lines())
    (band,) = ax.patches
    assert (band.get_x(), band.get_x() + band.get_width()) == pytest.approx((28, 32))
    assert [label.get_text() for label in ax.get_yticklabels()] == [AS_IT_IS, *NOTES[1:]]
    assert Outcome.RULES.value != AS_IT_IS
    assert len(frame) == 3


def test_a_real_search_is_shown_on_its_page_with_a_house_rule_that_plays(tmp_path):
    asked = ["balance", "--target", "game-length=9", "--parameters", "victory_cards.rules.base.cards_in_play", "--levers", "1",
             "--screen", "20", "--games", "20", "--fresh", "40", "--players", "2", "--strategies", "opportunist", "--jobs", "1",
             "--quiet", "--out", str(tmp_path / "kept")]  # fmt: skip
    played = CliRunner().invoke(main, asked)
    assert played.exit_code == 0, played.output
    assert re.search(r"As a patch note: Victory cards in play 3 → \d", played.output)
    made = CliRunner().invoke(main, ["report", str(tmp_path / "kept")])
    assert made.exit_code == 0, made.output
    kept = open_kept(tmp_path / "kept")
    best = kept.tables["moves"].iloc[0]
    page = (tmp_path / "kept" / "report" / "report.html").read_text("utf-8")
    assert f"Victory cards in play 3 → {best['value']}" in page
    assert f"{best['house_rule']}</pre>" in page
    assert "40 for each value and for the rules" in page
    changed = load_ruleset([tmp_path / "kept" / "report" / "change.yaml"])
    assert changed.data["victory_cards"]["rules"]["base"]["cards_in_play"] == best["value"]
    assert f"Victory cards in play 3 → {best['value']}" in made.output
    assert "newdawn compare printed" in made.output


@pytest.mark.parametrize("command", ["balance", "tune"])
def test_what_is_undecided_leads_to_the_command_with_as_many_games_as_decide(command, tmp_path):
    met = set()
    for seed in range(16):
        line = f"newdawn {command} --to 30% --fresh 400 --quiet --seed 3"
        kept = replace(advice(command, "win-rate:Egypt=30%", 400, seed)[0], line=line)
        steps = answer_page.build(kept, tmp_path).first.steps
        row = judged(kept)[0].iloc[judged(kept)[1]]
        more = [step.command for step in steps if "--fresh" in step.command]
        met.add(row["verdict"])
        if row["verdict"] != Outcome.OPEN.value:
            assert more == []
            continue
        games = int(more[0].removeprefix(f"newdawn {command} --to 30% --seed 3 --fresh "))
        assert row["games_fewest"] <= games < 1.1 * row["games_fewest"] + 100
        assert len(str(games).rstrip("0")) <= 2
    assert Outcome.OPEN.value in met
    assert len(met) > 1
