"""Many games: which ones, played into rows, side by side, and kept as Parquet tables.

run_plan (which games) -> kernel (playing them into rows; columns: the tables' columns; optional_tables)
run (many workers; cluster: on other machines) -> run_folder (a run on disk) -> manifest (its plan, rules and engine)
games_in_memory (games that a command plays in memory, kept until its answer is written)
guard, guard_process (functions of users, in a process of their own)
verify (checking and merging runs)
"""
