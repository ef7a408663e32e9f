"""The report of a run: one HTML page that needs nothing else, and its tables as Markdown and CSV.

`build(run)` works everything out, `write(report, folder)` writes it. A subject is a `Part` of a module of `questions`.

leader_pages (all about one leader), provenance, next_steps -> first_screen -> page (start here: all parts, as HTML,
Markdown, CSV) -> answer_page (of answers that commands kept), one_page (to hand round); export (film, PDF and zip
file of a report); second_process
(replayed_games: plays games again meanwhile)
"""

from ..pages.report_parts import Chart, Column, Finding, Part, Source
from .page import Report, ReportSection, build, write

__all__ = ["Chart", "Column", "Finding", "Part", "Report", "ReportSection", "Source", "build", "write"]
