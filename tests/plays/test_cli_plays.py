"""`newdawn plays` at the command line, and a folder of plays before other commands."""

import json
import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

sys.path.append(str(Path(__file__).resolve().parents[1] / "analysis"))

from said import unreadable_on
from synthetic import write_run

from newdawn.analysis.tables.plays import open_plays
from newdawn.scripts.cli.main import main

HEADER = "play,leader,won,player\n"
GOOD = "1,Rome,yes,A\n1,Egypt,no,B\n2,Rome,no,A\n2,Egypt,no,B\n2,Japan,yes,C\n"
BAD = "3,Rmoe,yes,A\n3,Egypt,no,B\n"


def call(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def plays(tmp_path):
    (tmp_path / "good.csv").write_text(HEADER + GOOD)
    out = tmp_path / "plays"
    result = call("plays", "import", tmp_path / "good.csv", "--out", out)
    assert result.exit_code == 0, result.output
    return out


def test_new_writes_a_log_that_import_reads(tmp_path):
    file = tmp_path / "log.csv"
    assert call("plays", "new", file).exit_code == 0
    again = call("plays", "new", file)
    assert again.exit_code == 2
    assert "is not overwritten" in again.output
    result = call("plays", "import", file, "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert "1 play (1 of 3 players)" in result.output


def test_nothing_is_imported_beside_faults_unless_asked(tmp_path):
    file, out = tmp_path / "log.csv", tmp_path / "out"
    file.write_text(HEADER + GOOD + BAD)
    refused = call("plays", "import", file, "--out", out)
    assert refused.exit_code == 2
    assert f"{file}: row 7: leader: unknown leader 'Rmoe'" in refused.output
    assert "1 fault in 1 file: nothing was imported" in refused.output
    assert not out.exists()
    result = call("plays", "import", file, "--out", out, "--skip-unknown", "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["plays"] == 2
    assert len(found["left_out"]) == 1
    assert len(open_plays(out)) == 2


def test_where_nothing_matches_the_titles_are_listed_with_the_option_that_names_one(tmp_path):
    file = tmp_path / "log.csv"
    file.write_text("play,leader,won,game\n1,Rome,yes,Chess\n1,Egypt,no,\n2,Rome,yes,Our Civ\n2,Egypt,no,\n3,Rome,yes,Chess\n")
    refused = call("plays", "import", file, "--out", tmp_path / "out")
    assert refused.exit_code == 2
    assert refused.output.count("\n") == 1
    assert "3 plays of other games" in refused.output
    assert "if one of these is it, name it with --game: 'Chess' 2, 'Our Civ' 1" in refused.output
    assert call("plays", "import", file, "--out", tmp_path / "out", "--game", "our civ").exit_code == 0


def test_what_is_to_be_known_of_a_file_is_told(tmp_path):
    file = tmp_path / "log.csv"
    file.write_bytes("play;leader;won;player\n1;Rome;yes;J\xfcrgen\n1;Egypt;no;Ann\n".encode("cp1252"))
    result = call("plays", "import", file, "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert "read as Windows-1252, as Excel saves CSV" in " ".join(result.output.split())
    assert "Windows-1252" in json.loads((tmp_path / "out" / "manifest.json").read_text())["notes"][0]


def test_the_summaries_that_need_no_more_read_plays(plays):
    frame = json.loads(call("leaders", plays, "--json").output)
    rome = next(row for row in frame if row["leader"] == "Rome")
    assert (rome["n"], rome["wins"]) == (2, 1)
    assert rome["fair_share"] == pytest.approx((1 / 2 + 1 / 3) / 2)


def test_strengths_of_plays_whose_turn_order_was_noted(tmp_path):
    rows = [
        f"{k},Rome,{'yes' if k % 3 else 'no'},{k % 2 + 1}\n{k},Egypt,{'no' if k % 3 else 'yes'},{2 - k % 2}\n"
        for k in range(40)
    ]
    (tmp_path / "log.csv").write_text("play,leader,won,order\n" + "".join(rows))
    assert call("plays", "import", tmp_path / "log.csv", "--out", tmp_path / "out").exit_code == 0
    result = call("strengths", tmp_path / "out", "--json")
    assert result.exit_code == 0, result.output
    assert [row["leader"] for row in json.loads(result.output)] == ["Rome", "Egypt"]


@pytest.mark.parametrize("command", ["strengths", "wonders", "victory", "matchups"])
def test_other_summaries_say_in_one_line_what_plays_lack(plays, command):
    result = call(command, plays)
    assert result.exit_code == 2
    assert result.output.startswith("error: ")
    assert "real plays" in result.output
    assert "lack" in result.output
    assert result.output.count("\n") == 1


@pytest.mark.parametrize("words", [("report",), ("game",), ("verify",), ("resume",), ("ways",), ("explore",)])
def test_commands_that_need_a_run_say_so(plays, words):
    result = call(*words, plays)
    assert result.exit_code == 2
    assert "holds real plays" in result.output


# --- Comparing

MANY = "".join(f"{k},Rome,{'yes' if k % 3 else 'no'},A\n{k},Egypt,{'no' if k % 3 else 'yes'},B\n" for k in range(1, 31))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a run of two players in which Rome beats Egypt, two in three."""
    folder = write_run(tmp_path_factory.mktemp("runs") / "two", games=600)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["plan"]["strategies"] = ["quick"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


@pytest.fixture
def many(tmp_path):
    (tmp_path / "many.csv").write_text(HEADER + MANY + GOOD.replace("1,", "x,").replace("2,", "y,"))
    assert call("plays", "import", tmp_path / "many.csv", "--out", tmp_path / "many").exit_code == 0
    return tmp_path / "many"


def test_compare_says_what_it_found_and_how_little_few_plays_say(many, run, tmp_path):
    out = tmp_path / "answer"
    result = call("plays", "compare", many, "--with", run, "--out", out)
    assert result.exit_code == 0, result.output
    said = " ".join(result.output.split())
    assert "No detectable difference between people's leaders and those of `quick`" in said
    assert "With 31 plays, a difference of one leader under" in said
    assert "Left out: 1 play of 3: no games of 3 played by quick" in said
    page = (out / "report" / "report.html").read_text()
    for words in ("Leaders: people beside strategies", "Each leader by plays and simulation together"):
        assert words in page
    assert (out / "estimates.csv").is_file()
    assert unreadable_on(out / "report") == []
    again = call("report", out)
    assert again.exit_code == 0
    assert "no detectable difference: quick" in again.output


def test_compare_for_programs(many, run):
    found = json.loads(call("plays", "compare", many, "--with", run, "--json").output)
    assert found["plays"] == 31
    assert {row["leader"] for row in found["leaders"]} == {"Egypt", "Rome"}
    assert [row["way"] for row in found["agreement"]] == ["quick"]
    rome = next(row for row in found["estimates"] if row["leader"] == "Rome")
    assert rome["simulated_rate"] == pytest.approx(0.72, abs=0.05)
    assert 0.55 < rome["estimated_rate"] < 0.8
    assert 0 < rome["weight"] < 1
    assert call("plays", "compare", many, "--with", run, "--format", "csv").output.startswith("leader,way,n,")


def test_compare_refuses_in_one_line_what_cannot_be_compared(many, plays, run, tmp_path):
    for words, said in (
        ((plays, "--with", run), "expected 10 or more"), ((run, "--with", run), "not a folder of plays"),
        ((many, "--with", many), "holds real plays"), ((many, "--with", tmp_path / "none"), "not a run folder"),
        ((many,), "--with"),
    ):  # fmt: skip
        result = call("plays", "compare", *words)
        assert result.exit_code == 2, words
        assert said in result.output
        assert result.output.count("\n") == 1 or "Usage" in result.output


def test_too_few_plays_are_one_sentence_and_what_to_do(plays, run, tmp_path):
    few = call("plays", "compare", plays, "--with", run)
    assert few.exit_code == 2
    assert few.output == (
        f"error: {plays}: 2 plays of people were read; expected 10 or more: log 8 more and import them with these; "
        "1 play of 3: no games of 3 played by quick (newdawn run --players 3)\n"
    )
    rows = "".join(f"{k},Rome,yes,\n{k},Egypt,no,\n{k},Japan,no,\n" for k in range(12))
    (tmp_path / "three.csv").write_text(HEADER + rows)
    assert call("plays", "import", tmp_path / "three.csv", "--out", tmp_path / "three").exit_code == 0
    none = call("plays", "compare", tmp_path / "three", "--with", run)
    assert none.output == (
        f"error: {tmp_path / 'three'}: 12 plays of people were read, and 0 plays can be compared; expected 10 or more; "
        "12 plays of 3: no games of 3 played by quick (newdawn run --players 3)\n"
    )


def test_a_run_of_another_box_is_refused(many, run, tmp_path):
    other = tmp_path / "ti"
    shutil.copytree(run, other)
    manifest = json.loads((other / "manifest.json").read_text()) | {
        "ruleset": {"box": "terra-incognita", "name": "x", "digest": "y"}
    }
    (other / "manifest.json").write_text(json.dumps(manifest))
    result = call("plays", "compare", many, "--with", other)
    assert result.exit_code == 2
    assert "games of the box terra-incognita; expected base" in result.output


def test_a_report_takes_plays_beside_the_run(many, run, tmp_path):
    out = tmp_path / "report"
    result = call("report", run, "--beside", many, "--boards", 0, "--quiet", "--no-charts", "--out", out)
    assert result.exit_code == 0, result.output
    page = (out / "report.html").read_text()
    assert "Real plays" in page
    assert "With 31 plays, a difference of one leader under" in page
    assert (out / "people.csv").is_file()
    twice = call("report", run, "--beside", many, "--beside", many, "--out", out)
    assert twice.exit_code == 2
    assert "expected one such folder" in twice.output
