"""The lab in a page: a folder of files that any web host serves, in which the compiled engine plays in the browser.

build (what is in the folder) <- form (house rules as changes of the RULES record's bytes), words (what the page says)
static/engine.js (the engine for pages, workers and Node), static/page.js (where the page starts)
"""
