"""What the engine stands on: `state` (every field), `rng`, `jit` (how functions are compiled, by their `argument_types`, and
call each other: `direct`), `log`, and choices.

`decisions` lists every question a strategy is asked, `decide` asks it; `functions` are those of users that rules call. Compiled
code is kept in `code_cache`; what that does not hold is compiled `ahead`, side by side, by processes of `worker`.
"""
