"""Many games: shares a plan out to workers and writes tables.

    run (start here) -> backends, cluster, threads (who works) -> tables (rows to Arrow) -> folder, manifest (what is on disk)
    -> places (on which disk, or in which object store)

`schema` is the contract with the readers: every table and column. `merge` and `verify` work on finished folders.
Strategies of users are let in by `guard`, after games in a process of their own (`guarded`).
"""
