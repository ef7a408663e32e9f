"""Pages of answers: what a command that played games for a question kept (analysis/tables/kept.py), put as a report.

comparisons (start here: which page belongs to which answer), advised (what to change: balance and tune),
coalition (what is left of leaders when the table plays against them), people (real plays beside strategies),
wished (goals for the whole game)
lines (an answer in one line) -> bound (a run and the answers about it on one page, and those that lie beside it)
`wished` is the page of goals for a whole game.
"""
