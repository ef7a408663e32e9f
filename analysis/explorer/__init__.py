"""A run, or several, to look into in the browser: filters over all games, pages of leaders, wonders and cards, replays.

filters (which games) -> pages (what is shown of them) -> server (on this machine only)
explorer.html.j2, .css, .js (the page; it fetches from its server only)
"""
