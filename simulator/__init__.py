"""The game: its rules as data, the engine that plays it, and runs of many games.

    data     the printed game as YAML
    rules    YAML -> Ruleset -> RULES record
    engine   the rules as compiled functions on one STATE record
    games    which games to play, and playing them into rows
    batch    many games side by side, written as Parquet tables
    plays    real plays, read from people's logs
    replay   one game again, in words and as a picture
    sitting  games that wait for answers from Python
    environments  the same for agents that learn: arrays in, arrays out

Each of them knows only those above it. Strategies, which play on the engine, come from outside (`runs/plan.py`).

All of them use `names` (the game's words and their codes), `sources` (by what a question is asked), `declared` (how words are
declared one a line), `limits` (sizes of arrays), `errors` and `wording`. `reading` makes one line of any file that cannot be
read, `keeping` writes and reads the files that are kept outside run folders, `compile_cache` says where compiled code is kept,
`lock` keeps two processes out of one folder, `ours` tells our files from those of others, `foreign` finds modules of users.
"""
