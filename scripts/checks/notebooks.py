"""Run the notebooks and save their output, to be read on a code host: `python -m newdawn.scripts.checks.notebooks RUN`.

RUN is a run folder; the notebook that compares rulesets plays games of its own. Pictures are small PNG files; none of this
machine (paths, times, warnings) is kept.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[2] / "analysis" / "notebooks"
SHOWN_AS = "results/first"  # the name of the run in the notebooks
PAIRS = "1000"
SMALL = "%config InlineBackend.rc = {'figure.dpi': 60, 'savefig.dpi': 60}"


def executed(path: Path, folder: Path) -> nbformat.NotebookNode:
    """Return the notebook with its results, run in the folder."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(SMALL))
    NotebookClient(notebook, timeout=900, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    del notebook.cells[0]
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number, cell in enumerate(code, 1):
        cell.execution_count = number
        cell.metadata = {}
        cell.outputs = [_kept(output, number) for output in cell.outputs if output.get("name") != "stderr"]
    return notebook


def _kept(output: nbformat.NotebookNode, number: int) -> nbformat.NotebookNode:
    """Return an output under its cell's number, without what only repeats a picture."""
    if output.output_type == "execute_result":
        output.execution_count = number
    if "image/png" in output.get("data", {}):
        output.data.pop("text/plain", None)
    return output


def main() -> None:
    """Run all notebooks and write them anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path, help="run folder that the notebooks show")
    run = parser.parse_args().run.resolve()
    os.environ |= {"NEWDAWN_RUN": SHOWN_AS, "NEWDAWN_GAMES": PAIRS}
    with tempfile.TemporaryDirectory() as name:
        link = Path(name) / SHOWN_AS
        link.parent.mkdir(parents=True)
        link.symlink_to(run, target_is_directory=True)
        for path in sorted(FOLDER.glob("*.ipynb")):
            nbformat.write(executed(path, Path(name)), path)
            print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
