"""A run, or several, to look into in the browser: filters over all games, pages of leaders, wonders and cards, replays.

    loaded (a run in memory) -> filters (which games, which seats) -> `summaries` of these, and answers (what only pages show)
        -> sections, pages, games (what the browser gets) -> desk (what is asked for, by its address)
        -> server, local (on this machine only; `analysis.at_table` is served like that, too)
    tiers (rows in groups, of sections)   contrast (in what two runs differ, for the desk)
    effects (of experiments, for the pages)   films (games played again to watch, on demand)
    explorer.html.j2, .css, .js (the page; it fetches from its server only)

Tables are counted by `summaries` and `statistics`; here is decided which games and seats they are about.
"""
