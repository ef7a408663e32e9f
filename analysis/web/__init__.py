"""The lab in a page: a folder of files that any web host serves, in which the compiled engine plays in the browser.

build (what is in the folder) <- house_rules_form (as changes of the RULES record's bytes), page_texts (what the page says)
static/engine.js (the engine for pages, workers and Node), static/page.js (where the page starts)

lab_address (the address at which the page asks a command's question)

at_table (pages where people play and watch) <- python_to_javascript, explorer/play
games/sitting.js (a game that waits for people), games/host.js and games/watching.js (workers that play it, and films of it)

A report with its games as one file: onefile (with the run's columns, packed) <- python_to_javascript (the lab's functions and
templates as JavaScript, which tell and draw a game)
games/open.js (opens it), games/desk.js (answers the explorer), games/replay.js and games/film.js (play a game again)
"""
