"""The report of a run: one HTML page that needs nothing else, and its tables as Markdown and CSV.

`build(run)` works everything out, `write(report, folder)` writes it. A subject is a `Part` (part.py) in the list PARTS
(subjects.py): its table, its charts, its findings in words and a paragraph on the method come with it.

    subjects, expansion (which parts; shared: what they have in common) -> tables (what analysis says; effects: of experiments)
    -> findings (sentences), charts
    answers (pages of what compare, experiment, tune, balance, sensitivity and ladder kept; restrictions: restrict)
    ways (the chapter on who plays: a run beside others)
    first (the first screen: what to act on), next (what to ask next, as commands)
    page (start here: all parts, as HTML, Markdown, CSV), provenance (which run, rules and engine the figures are of)
"""

from ..pages.parts import Chart, Column, Finding, Part, Source
from .page import Report, Section, build, write

__all__ = ["Chart", "Column", "Finding", "Part", "Report", "Section", "Source", "build", "write"]
