"""What commands share: `options` (rules, plans, strategies on the command line), `screen` (tables that fit, JSON), the
`progress` line with the leaders ahead (`leading`), what Ctrl-C does (`interrupt`), what is said to
wrong input (`refusing`), and keeping
what was found (`answers`).
"""
