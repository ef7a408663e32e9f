"""Commands that play games to answer a question: `compare` (and plan; `adapt`: by players who have noticed, too), `experiment`,
<<<<<<< HEAD
`tuning` (and sensitivity), `balance`, `restrict`, `coalition` (a leader against the whole table), `ways` (which findings hold
for all players), and `disputes` (what open readings of the rules change). `plays` asks people's games instead.
=======
`tuning` (and sensitivity), `balance` (`goals`: of a whole game), `restrict`, `ways` (which findings hold for all players), and
`disputes` (what open readings of the rules change).
>>>>>>> goals
"""
