"""The notebooks run from the first cell to the last, on a small run, in one kernel."""

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[2] / "analysis" / "notebooks"
NAMES = ("leaders", "wonders", "victory_cards", "house_rule_comparison")


def read(name):
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def test_all_are_known():
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_results_are_saved_small_and_whole_and_there_is_text(name):
    """`python -m newdawn.scripts.checks.notebooks RUN` writes them anew."""
    path = FOLDER / f"{name}.ipynb"
    assert path.stat().st_size < 200_000
    notebook = read(name)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell.outputs]
    assert {output.output_type for output in outputs} <= {"stream", "execute_result", "display_data"}  # no error
    assert sum("image/png" in output.get("data", {}) for output in outputs) == sum("plt.show()" in cell.source for cell in code)
    assert "/tmp" not in path.read_text("utf-8")
    assert len(notebook.cells) - len(code) >= 3
    source = "\n".join(cell.source for cell in code)
    assert "NEWDAWN_GAMES" in source
    assert source.count("plt.subplots") == source.count("ax.set_xlabel")


@pytest.mark.soak
def test_all_run(tmp_path, monkeypatch):
    """One kernel for all, and one run, played by the first: starting up takes longer than the cells."""
    path = os.pathsep.join([str(FOLDER.parents[1]), os.environ.get("PYTHONPATH", "")])
    for name, value in {"PYTHONPATH": path, "TMPDIR": str(tmp_path), "NEWDAWN_GAMES": "60"}.items():
        monkeypatch.setenv(name, value)
    for name in ("NEWDAWN_RUN", "MPLBACKEND"):
        monkeypatch.delenv(name, raising=False)
    whole = nbformat.v4.new_notebook()
    for name in NAMES:
        whole.cells += [*read(name).cells, nbformat.v4.new_code_cell("os.environ['NEWDAWN_RUN'] = RUN\n%reset -f")]
        whole.cells[-1].source = whole.cells[-1].source if name != NAMES[-1] else ""
    NotebookClient(whole, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    printed = "".join(output.get("text", "") for cell in whole.cells for output in cell.get("outputs", []))
    assert printed.count("60 games in ") == 3
    assert "60 pairs" in printed
    pictures = [output for cell in whole.cells for output in cell.get("outputs", []) if output.output_type == "display_data"]
    assert len(pictures) >= 6
