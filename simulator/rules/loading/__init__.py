"""From YAML to the RULES record: `load` (start here) reads, `models` and `checks` refuse, `overlay` puts house rules on
top, `compile` fills the record. `maps` reads maps of a user's, `once` refuses keys that are given twice, `parameters`
names single numbers.
"""
