"""Commands that play games to answer a question: `compare` (and plan), `experiment`, `tuning` (and sensitivity), `balance`,
`restrict`, and `disputes` (what open readings of the rules change).
"""
