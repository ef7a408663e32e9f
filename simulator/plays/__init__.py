"""Real plays: games that people noted, read from their logs and kept as tables of a folder.

checking  what a log says of a play becomes a play that is known, or a list of faults
sheets    tables: CSV with a row a seat, or a row a play
formats   what programs export: BG Stats, BoardGameGeek
played    games that `newdawn play` kept
page_log  logs of games that people played in the page
log       all plays of several files
plays_folder  the folder that keeps them: manifest and tables

A format is a `Reader` (checking.py) in the list of `log`. Nothing here is counted: that is the matter of `analysis`.
"""
