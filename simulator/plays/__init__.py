"""Real plays: games that people noted, read from their logs and kept as tables of a folder.

checking  what a log says of a play becomes a play that is known, or a list of faults
formats   readers of logs: CSV, BG Stats, BoardGameGeek, games that `newdawn play` kept
folder    all plays of several files, and the folder that keeps them: manifest and tables

A format is a `Reader` (checking.py) in the list of `folder`. Nothing here is counted: that is the matter of `analysis`.
"""
