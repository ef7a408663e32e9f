"""The tables of a run in and out: `read` (a Run, whole or by shard) -> `grid` (rows to arrays by game and seat);
`render` (a DataFrame for people, as Markdown, CSV or JSON). The columns are in `simulator/batch/schema.py`.
"""
