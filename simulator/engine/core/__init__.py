"""What the engine stands on: `state` (every field), `rng`, `jit` (how functions are compiled), `log`, and choices;
`argument_types` names the types of the records, `functions` finds those of users.

`decisions` lists every question a strategy is asked, `decide` asks it. Compiled code is kept in `code_cache`; what that does
not hold is compiled `ahead`, side by side, by processes of `worker`.
"""
