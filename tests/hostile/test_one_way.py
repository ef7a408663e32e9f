"""Files are read by simulator/reading.py and kept by kept_files.py and file_ownership.py; nothing else opens one."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOPS = ("simulator", "strategies", "analysis", "scripts/cli")
SOURCES = sorted(path for top in TOPS for path in (ROOT / top).rglob("*.py"))
OF_PATHS = {"read_text", "read_bytes", "write_text", "write_bytes", "savefig", "print_png", "to_parquet"}
CALLS = {
    "json.load", "json.loads", "np.load", "np.memmap", "np.fromfile", "np.genfromtxt", "np.save", "np.savez",
    "np.savez_compressed", "csv.reader", "csv.DictReader", "zipfile.ZipFile", "pq.ParquetFile", "pq.read_table",
    "pq.read_metadata", "pq.write_table", "yaml.load", "yaml.safe_load", "yaml.parse", "open", "os.open",
}  # fmt: skip

# What else opens or parses something, and why that is no file of others, or is read in that way all the same.
ITSELF = "the one way itself"
PACKAGED = "files of this package"
CHILD = "what this program gives to a process that it has started, or gets from it"
CODE = "compiled code and sources of this program; a digest stands before what is kept"
MEMORY = "in memory only"
ALLOWED = {
    "simulator/reading.py": ITSELF,
    "simulator/kept_files.py": ITSELF,
    "simulator/file_ownership.py": ITSELF,
    "simulator/compile_cache.py": CODE,
    "simulator/engine/compile/ahead.py": "what the system says of its free memory",
    "simulator/engine/compile/code_files.py": CODE,
    "simulator/engine/compile/webassembly.py": CODE,
    "simulator/user_modules.py": "a user's module, for its digest",
    "simulator/plays/plays_folder.py": "tables of plays, by their digests and under `plainly`",
    "simulator/plays/writing.py": "tables of plays, made in memory",
    "simulator/plays/asked.py": "the words of an option",
    "simulator/plays/opening.py": "a workbook that `reading` has read, under `plainly`: how large it is unpacked",
    "simulator/plays/sheets.py": "a text that `reading` has read, under its own error",
    "simulator/plays/spelling.py": PACKAGED,
    "simulator/replay/board.py": MEMORY,
    "simulator/replay/film.py": PACKAGED,
    "simulator/rules/coverage.py": "tests of this project",
    "simulator/rules/edit.py": PACKAGED,
    "simulator/rules/unsayable.py": PACKAGED,
    "simulator/rules/printed_game.py": PACKAGED,
    "simulator/rules/schema.py": MEMORY,
    "simulator/rules/show.py": PACKAGED,
    "simulator/rules/vocabulary.py": "writes a page of the documentation",
    "simulator/runs/run_folder.py": "the tables of runs, which have a way of their own: checksums, staging",
    "simulator/runs/guard.py": CHILD,
    "simulator/runs/guard_process.py": CHILD,
    "simulator/runs/games_in_memory.py": f"{MEMORY}: what a journal has read",
    "simulator/runs/verify.py": "the tables of runs",
    "strategies/network_files.py": "of a file that `reading` has read: what a network says of itself, its digest",
    "strategies/registry.py": PACKAGED,
    "analysis/explorer/play.py": MEMORY,
    "analysis/explorer/server.py": f"{PACKAGED}; {CHILD}",
    "analysis/goals/page.py": "rules of an answer, written for `load_ruleset`",
    "analysis/learning/train.py": "the digest of a network that was read; a picture in memory",
    "analysis/learning/fit.py": MEMORY,
    "analysis/pages/chart_svg.py": MEMORY,
    "analysis/questions/experiment.py": MEMORY,
    "analysis/report/export.py": "the files of a report that was written a moment ago",
    "analysis/report/provenance.py": "rules of a run, written for `load_ruleset`",
    "analysis/report/page.py": PACKAGED,
    "analysis/tables/read.py": "labels of a run's tables",
    "analysis/tables/reference_results.py": PACKAGED,
    "analysis/web/at_table.py": PACKAGED,
    "analysis/web/build.py": PACKAGED,
    "scripts/cli/bench.py": "what the system says of itself",
    "scripts/cli/ladder.py": MEMORY,
    "scripts/cli/main.py": "the terminal, when it is gone",
    "scripts/cli/rules.py": "whether a file is the one that would be written",
}


def dotted(node: ast.AST) -> str:
    """Return 'a.b' for the expression a.b."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def touches(text: str) -> Iterator[int]:
    """Yield the lines in which a source opens, writes or parses something."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        name, method = dotted(node.func), node.func.attr if isinstance(node.func, ast.Attribute) else ""
        copies = name == "json.loads" and isinstance(node.args[0], ast.Call) and dotted(node.args[0].func) == "json.dumps"
        opens = method == "open" and bool(node.args or node.keywords) and not name.startswith("webbrowser.")
        if not copies and (name in CALLS or name.startswith(("pd.read_", "ElementTree.")) or method in OF_PATHS or opens):
            yield node.lineno


@pytest.mark.parametrize(
    "text",
    [
        "open(x)", "x.open('w')", "x.open(mode='rb')", "(a / b).read_text()", "x.write_bytes(y)", "json.load(x)",
        "json.loads(x)", "pd.read_csv(x)", "np.load(x)", "yaml.safe_load(x)", "ElementTree.fromstring(x)", "figure.savefig(x)",
        "zipfile.ZipFile(x)",
    ],
)  # fmt: skip
def test_it_is_found(text):
    assert list(touches(text)) == [1]


def test_what_touches_no_file_is_not():
    assert not list(touches("json.loads(json.dumps(x)); tables.open(); json.dumps(x); reading.json_in(x); webbrowser.open(x)"))


def test_nothing_else_opens_or_parses_files():
    found = {path.relative_to(ROOT).as_posix() for path in SOURCES if any(touches(path.read_text("utf-8")))}
    assert found - set(ALLOWED) == set()
    assert set(ALLOWED) - found == set(), "no longer needed"
