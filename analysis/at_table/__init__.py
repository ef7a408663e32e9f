"""A seat at the table: one game in the browser, in which some seats are answered by people.

reckoning (what the thinker thinks of a game) -> played (the game, the bots' answers, taking choices back)
    -> places (where an option lies), tiles (pictures of map tiles) -> view (what the page shows, as JSON)
    -> watched (the game as a page to watch) -> server (on this machine only)
table.html.j2, .css, .js (the page; it fetches from its server only)
"""
