"""The text of docs/analysis.md: the functions of `analysis` and their columns, as `tables.column_meanings` has them."""

from __future__ import annotations

from inspect import getdoc, signature

from ... import analysis
from ...analysis.stats.inference import REPORT_ERROR, SHARED
from ...analysis.tables.column_meanings import WILSON, declared

HEAD = f"""# Functions of `analysis`

```python
from newdawn import analysis

run = analysis.open_run("results/first")
analysis.strengths(run)
```

Each takes a run, or a list of runs to pool, and returns a pandas DataFrame. (`settling` takes replayed games.) Shards are
read one by one, so memory does not grow with the number of games. `by="players"`, where there is one, gives each player
count its own rows. `analysis.plots` draws most tables, and `newdawn explore` shows many in the browser, under any filter.

- `<name>_low` and `<name>_high` are the ends of the 95% interval of `<name>`.
- `<name>_all_low` and `<name>_all_high` belong to tested figures. These intervals are simultaneous: all of a column hold
  together in 95% of runs (Bonferroni: with m questions each has the level 1 - 5%/m). In tables of a report beside the
  leaders' each question counts as {SHARED}, so that anything is said falsely in at most {REPORT_ERROR:.0%} of reports. A row
  differs from its reference (0, or the share named) exactly if its interval excludes it; then `p_adjusted` is at most 5%.
- Rates of seats that built or claimed something are associations. Effects come from `newdawn experiment` and `newdawn
  compare`.

This page is written by `NEWDAWN_WRITE_README=1 pytest tests/analysis/test_guide.py`.
"""


def as_markdown(columns: dict[str, list[str]]) -> str:
    """Return the page for the columns that each function's table has."""
    parts = [HEAD]
    for name in analysis.FUNCTIONS:
        function = getattr(analysis, name)
        parts.append(f"## `{name}{_arguments(function)}`\n\n{getdoc(function)}\n")
        if name not in columns:
            continue
        parts.append("| column | unit | meaning | 95% interval |\n|---|---|---|---|")
        shown = [column for column in columns[name] if not column.endswith(("_low", "_high"))]
        for column in shown:
            if column.startswith("claim_") and column[6:].isdigit() and column != "claim_1":
                continue
            unit, meaning, *interval = declared(name, column)
            kind = (interval or [WILSON])[0] if f"{column}_low" in columns[name] else ""
            parts.append(f"| `{column}` | {unit} | {meaning} | {kind} |")
        parts.append("")
    return "\n".join(parts)


def _arguments(function: object) -> str:
    names = signature(function).parameters.values()  # type: ignore[arg-type]
    return "(" + ", ".join(p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in names) + ")"
