"""Pages that this machine serves to its browser: runs to look into, and a game that people play with strategies.

filters (which games) -> pages (what is shown of them) -> server (on this machine only); explorer.html.j2, .css, .js
table (one game: what cards do, the strategies' answers, its view and its server); table.html.j2, .css, .js

A page fetches from its server only.
"""
