"""What the engine stands on: `state` (every field), `rng`, `exponential`, `jit` (how functions are compiled, by their
`argument_types`, and call each other: `direct`), `log`, and choices. What of numba's insides that rests on, and where:
`insides`.

`decisions` lists every question a strategy is asked, `decide` asks it; `functions` are those of users that rules call. Compiled
code is kept by `code_cache` in `code_files`; what these lack is compiled `ahead`, side by side, by processes of `worker`.
"""
