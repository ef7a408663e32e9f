"""From YAML to the RULES record: `load` (start here) reads, `packaged` what is printed in one of the `boxes`, `checks` (with
`rules.models`) refuse, `overlay` puts house rules on top, `own` completes what they add, `compile` fills the record,
`compile_cards` its columns of focus cards, `compile_map` those of tiles and map, `abilities` the rows of what leaders and cards
can do. `maps` reads maps of a user's, `once` refuses keys that are given twice, `changeable` knows what house rules can change,
`parameters` names single numbers.
"""
