"""Pages of all answers: a sentence's figures are those of a row, and its badge is no surer than what that row says.

Tables are drawn: some rows differ, some do not, from few games and from many.
"""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from known import known_run
from said import INTERVAL, close, figures
from test_advice import FACTS, advice
from test_experiments import coins, pairs_of
from test_fair import LEADERS, RULES, known_games
from test_ladder import STRENGTHS, drawn
from test_sentences_of_answers import changes, differences
from test_sentences_of_trials import fresh_games

from newdawn.analysis.questions import adapted, coalition, fair, restricted_play, table_sizes
from newdawn.analysis.questions.experiment import effects
from newdawn.analysis.report import answer_page, one_page
from newdawn.analysis.stats.verdicts import ORDER
from newdawn.analysis.tables import strategy_strength
from newdawn.analysis.tables.figures_by_strategy import NUMBERS, changes_by_way, verdicts, ways
from newdawn.analysis.tables.kept_answers import KeptAnswer
from newdawn.analysis.tables.paired_figures import FIGURES, LEADER_FIGURES, PRINTED, Fours, Moments, game_figures
from newdawn.analysis.tables.paired_figures import compared as compared_pairs

# Which column says how sure a figure of a row is, where it is not that of the row's verdict.
SURE = {"unfinished": "unfinished_certainty", "own": "own_certainty", "mean": "stands_certainty", "share": None}
NAMED = ("Rome", "Egypt", "Aztec", "Japan")


def shifted(seed, games):
    """Two rulesets of which the second raises one leader, and what of the others' changes is their own."""
    sides = [known_run(np.random.default_rng([seed, games, k]), games, strength) for k, strength in enumerate(strengths(seed))]
    moments = Moments.empty(leaders=LEADER_FIGURES)
    moments.add(*(game_figures(one.tables, 0, games) for one in sides))
    return compared_pairs(moments, 0.02)


def strengths(seed):
    rng = np.random.default_rng(seed)
    return np.zeros(8), rng.normal(0, 0.5, 8)


def fours(seed, games):
    four = Fours.empty(len(FIGURES), LEADER_FIGURES)
    four.add(fresh_games(np.random.default_rng([seed, games]), games, 4, FIGURES))
    return adapted.side_by_side([four])


def treated(seed, games):
    rng = np.random.default_rng([seed, games])
    parts = []
    for arm, effect in (("Petra", 0.0), ("Colossus", 0.03), ("Oracle", 0.2)):
        pairs = pairs_of(*coins(rng, games, 0.25, effect, 0.5), arm=arm)
        parts.append(pairs.assign(decided_with=(rng.random(games) < rng.uniform(0.8, 1)) | (pairs["won_with"] > 0)))
    whole = pd.concat(parts, ignore_index=True)
    return effects(whole.assign(arm=pd.Categorical(whole["arm"]), leader=pd.Categorical(whole["leader"])))


def won(rng, games, rate):
    return np.where(rng.random(games) < 0.1, np.nan, (rng.random(games) < rate).astype(float))


def restricted(seed, games):
    rng = np.random.default_rng([seed, games])
    rates = {restricted_play.FREE: 0.3, "attacks": 0.02, "world wonders": 0.29, "looking ahead": 0.2}
    return restricted_play.RestrictedWins({name: won(rng, games, rate) for name, rate in rates.items()})


def allied(seed, games):
    rng = np.random.default_rng([seed, games])
    found = {
        name: coalition.CoalitionWins(won(rng, games, rng.uniform(0.2, 0.5)), won(rng, games, rng.uniform(0, 0.4)))
        for name in NAMED
    }
    return coalition.table(found, 4)


def by_way(seed, games):
    runs = {}
    for k, name in enumerate(("quick", "adept", "thinker")):
        run = known_run(np.random.default_rng([seed, games, k]), games, strengths(seed + k)[1], unfinished=0.1 * k)
        run.tables["seats"] = run.tables["seats"].assign(**dict.fromkeys(NUMBERS, 1))
        runs[name] = run
    table = ways(runs, PRINTED)
    return {"ways": table, "verdicts": verdicts(table)}


def changes_of_ways(seed, games):
    table = changes_by_way({name: differences(seed + k, games) for k, name in enumerate(("quick", "adept"))})
    return {"ways": table, "verdicts": verdicts(table)}


def met(seed, games):
    rng = np.random.default_rng([seed, games])
    rows = []
    for name in ("a", "b"):
        wins, decided = rng.random(games) < rng.uniform(0.1, 0.6), rng.random(games) < 0.9
        rows.append(strategy_strength.meeting(name, "c", 4, (wins & decided).astype(float), decided, np.full(games, 9.0)))
    return pd.DataFrame(rows)


def seated(seed, games):
    """Three people at a table, as it was found after one try."""
    people = fair.persons(("Ann:strong", "Ben", "Cleo:beginner"))
    table = fair.FairTable(people, tuple(LEADERS[seed : seed + 3]), (0, 0, 2 * seed))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fair, "_played", known_games)
        return fair.Proposal(table, fair.play(table, RULES, games, seed, 1), 1)


ANSWERS = {
    "compare": lambda *of: {"differences": shifted(*of)},
    "ban": lambda *of: {"differences": differences(*of)},
    "adapt": lambda *of: {"answers": fours(*of)},
    "experiment": lambda *of: {"effects": treated(*of)},
    "sensitivity": lambda *of: {"changes": changes(*of)},
    "ladder": lambda seed, games: {
        "ratings": strategy_strength.rated(drawn(np.random.default_rng([seed, games]), games, STRENGTHS))
    },
    "against": lambda *of: {"against": met(*of)},
    "ways": by_way,
    "compare --ways": changes_of_ways,
    "restrict": lambda *of: {"restricted": restricted_play.table(restricted(*of))},
    "coalition": lambda *of: {"coalitions": allied(*of)},
    "fair": None,
    "balance": None,
    "tune": None,
}


# Answers whose sentences are tested elsewhere, and where.
ELSEWHERE = {"move": "a comparison like `ban`", "goals": "test_goals_page.py", "plays compare": "test_sentences_of_plays.py",
             "compare variants": "test_variants.py",
             **dict.fromkeys(table_sizes.COMMANDS, "test_table_sizes.py")}  # fmt: skip


def test_every_answer_is_tried_here_or_it_is_said_where():
    assert set(answer_page.PAGES) - set(ANSWERS) == set(ELSEWHERE)


def answered(command, seed, games):
    """Return an answer of a command, as it is kept."""
    if command in ("balance", "tune"):
        return advice(command, "win-rate:Egypt=30%", games, seed)[0]
    if command == "fair":
        found = seated(seed, games)
        told = fair.conclusion(found)
        words = {"certainty": told.certainty}
        return KeptAnswer(
            command, "x", FACTS, {fair.TABLE: found.frame}, [told.text, fair.limit(found.table.people)], words=words
        )
    words = {"a": "A", "b": "B", "kind": "wonder"}
    return KeptAnswer(
        command, "x", FACTS, ANSWERS[command](seed, games), words=words, line=f"newdawn {command} --games {games}"
    )


def page(command, seed, games):
    """Return the page of an answer, and all rows of its tables, as they are kept and as they are shown."""
    kept = answered(command, seed, games)
    report = answer_page.build(kept, Path("x"))
    shown = [section.frame for section in report.sections]
    return report, [row for frame in [*shown, *kept.tables.values()] for row in frame.to_dict("records")]


def told(text, rows):
    """Return for each figure with its interval in a text how sure the rows are that have it; the surest first."""
    found = []
    for one in INTERVAL.findall(text):
        sure = []
        for row in rows:
            for name in {
                str(column).removesuffix("_low").removesuffix("_all") for column in row if str(column).endswith("_low")
            }:
                own = {column: value for column, value in row.items() if str(column).startswith(name)}
                if any(all(map(close, one, values)) for values in figures(own)):
                    sure.append(certainty(row, name))
        found.append(sorted((each for each in sure if isinstance(each, str)), key=ORDER.index) or (None if not sure else []))
    return found


def certainty(row, name):
    """Return how sure the row is of its figure; None where nothing is said of it but its size."""
    if name == "points" and "effect_certainty" in row:
        return row["effect_certainty"]
    return row.get(SURE.get(name, "certainty"), row.get(f"{name}_certainty"))


@pytest.mark.parametrize("games", [80, 3_000])
@pytest.mark.parametrize("command", ANSWERS)
def test_sentences_and_badges_are_those_of_their_rows(command, games):
    for seed in range(2):
        report, rows = page(command, seed, games)
        findings = [*report.first.findings, *(finding for section in report.sections for finding in section.findings)]
        assert findings
        for finding in findings:
            sure = told(finding.text, rows)
            assert None not in sure, f"{command}: no row says: {finding.text}"
            if finding.certainty in ("strong", "shown"):
                for each in sure:
                    assert not each or ORDER.index(finding.certainty) >= ORDER.index(each[0]), f"{finding} ({each})"


@pytest.mark.parametrize("command", ["compare", "experiment", "ladder", "restrict", "coalition"])
def test_what_is_open_has_a_next_command(command):
    """More games, as many as the rows say would decide: first of the next steps."""
    report, rows = page(command, 0, 400)
    assert any(row.get("games_fewest", np.nan) == row.get("games_fewest", np.nan) for row in rows)
    first = report.first.steps[0]
    of = " about the leaders" if command == "compare" else ""
    assert re.match(rf"Would more games decide what is open{of}\? At least [\d,]+ games would\.", first.question)
    assert first.command.startswith(f"newdawn {command} --games ")


@pytest.mark.parametrize("command", ANSWERS)
def test_the_page_to_hand_round_is_short_and_has_all_its_parts(command):
    kept = answered(command, 1, 400)
    sheet = one_page.of_answer(kept, answer_page.build(kept, Path("x")), "http://localhost:8000/#box=base")
    text = re.sub(r"<style>.*?</style>|<svg.*?</svg>|<[^>]+>", " ", one_page.fragment(sheet), flags=re.S)
    assert len(text.split()) <= one_page.WORDS
    assert sheet.words <= one_page.WORDS
    assert sheet.question.endswith("?")
    assert all((sheet.answer, sheet.sure, sheet.tonight, sheet.played))
    assert "http://localhost:8000/#box=base" in text
