"""The tables of a run in and out: `read` (a Run, whole or by shard) -> `grid` (rows to arrays by game and seat);
`render` (a DataFrame for people, as Markdown, CSV or JSON), `kept` (what commands keep of an answer). `reference` reads what is
kept under results/reference. The columns are in `simulator/batch/schema.py`.
"""
