"""Many games: which ones, played into rows, side by side, and kept as Parquet tables.

plan (which games) -> kernel (playing them into rows; columns: what is counted; counting: focus cards, rounds, places)
run (many workers; cluster: on other machines) -> folder (a run on disk) -> manifest (what it is of)
guard, guarded (functions of users, in a process of their own)
verify (checking and merging runs)
"""
