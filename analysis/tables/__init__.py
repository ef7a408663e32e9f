"""The tables of a run in and out: `read` (a Run, whole or by shard) -> `grid` (rows to arrays by game) -> `columns` (games as
numbers by game and seat) -> `cases` (which games and seats count, and sums added up shard by shard); `plays` (real plays, read
like runs), `render` (a DataFrame for people, as Markdown, CSV or JSON), `kept` (what commands keep of an
answer). `reference` reads what is kept under results/reference. What the tables hold is declared in
`simulator/runs/columns.py`.
"""
