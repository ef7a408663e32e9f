"""Real plays: games that people noted, read from their logs and kept as tables of a folder.

noted     what a log says of a play, as it is written there
sheet     reads a CSV file with a row a seat; its template
bgstats   reads the export of BG Stats
bgg       reads plays as BoardGameGeek gives them, XML or JSON
played    reads games that `newdawn play` kept
spelling  leaders and victory cards in any spelling near enough
checking  what was noted becomes a play that is known, or a list of faults
reading   which reader a file needs; all plays of several files
folder    the folder of plays: manifest and tables

A format is a `Reader` (noted.py) in the list of `reading`. Nothing here is counted: that is the matter of `analysis`.
"""
