"""The game: its rules as data, the engine that plays it, and runs of many games.

    data     the printed game as YAML
    rules    YAML -> Ruleset -> RULES record
    engine   the rules as compiled functions on one STATE record
    runs     which games to play, many side by side, written as Parquet tables
    plays    real plays, read from people's logs
    replay   one game again, in words and as a picture; or one that waits for answers
    environments  games for agents that learn: arrays in, arrays out

Each of them knows only those above it. Strategies, which play on the engine, come from outside (`runs/run_plan.py`).

All of them use `names` (the game's words and their codes, sizes of arrays), `counters` (what a game counts for its tables) and
`errors`; `reading` reads files of every format, `kept_files` writes files that carry a digest, `file_ownership` tells our files
from those of others and locks them, `compile_cache` says where compiled code is kept, `user_modules` finds modules of users,
`late` modules of our own that are imported when they are used.
"""
