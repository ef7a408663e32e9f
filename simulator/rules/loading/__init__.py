"""From YAML to the RULES record: `load` (start here) reads, `models` and `checks` refuse, `overlay` puts house rules on
top, `own` completes what they add, `compile` fills the record, `abilities` the rows of what leaders and cards can do.
`maps` reads maps of a user's, `once` refuses keys that are given twice, `parameters` names single numbers.
"""
