"""`newdawn plays` at the command line, and a folder of plays before other commands."""

import json

import pytest
from click.testing import CliRunner

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
    assert "nothing is overwritten" in again.output
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


def test_the_summaries_that_need_no_more_read_plays(plays):
    frame = json.loads(call("leaders", plays, "--json").output)
    rome = next(row for row in frame if row["leader"] == "Rome")
    assert (rome["n"], rome["wins"]) == (2, 1)
    assert rome["fair_share"] == pytest.approx((1 / 2 + 1 / 3) / 2)


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
