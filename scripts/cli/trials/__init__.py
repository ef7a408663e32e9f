"""Commands that play games to answer a question: `compare` (and plan; `adapt`: by players who have noticed, too), `experiment`,
`tuning` (and sensitivity), `balance` (`goals`: of a whole game), `restrict`, `coalition` (a leader against the whole table),
`ways` (which findings hold for all players), and `disputes` (what open readings of the rules change). `plays` asks people's
games instead.
"""
