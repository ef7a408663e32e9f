"""Many games: which ones, played into rows, side by side, and kept as Parquet tables.

plan (which games) -> kernel (playing them into rows; columns: the tables' columns; counting: the optional tables)
run (many workers; cluster: on other machines) -> folder (a run on disk) -> manifest (its plan, rules and engine)
pieces (games that a command plays in memory, kept until its answer is written)
guard, guarded (functions of users, in a process of their own)
verify (checking and merging runs)
"""
