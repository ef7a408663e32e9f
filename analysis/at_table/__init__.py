"""A seat at the table: one game in the browser, in which some seats are answered by people.

view (the game, the bots' answers, what the page shows, what cards do) -> server (on this machine only)
table.html.j2, .css, .js (the page; it fetches from its server only)
"""
