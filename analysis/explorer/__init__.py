"""Pages that this machine serves to its browser: runs to look into, and a game that people play with strategies.

filters (which games) -> views (what is shown of them) -> server (on this machine only); explorer.html.j2, .css, .js
play (one game: what cards do, the strategies' answers, its view and its server); play.html.j2, .css, .js

A page fetches from its server only.
"""
