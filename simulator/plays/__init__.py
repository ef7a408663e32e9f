"""Real plays: games that people noted, read from their logs and kept as tables of a folder.

checking  what a log says of a play becomes a play that is known, or a list of faults
spelling  leaders, victory cards and the game in any spelling near enough
values    what cells mean: dates, lengths, ranks, several values in a cell
asked     what is not certain: questions, and the answers that options give
headings  the columns of tables, what others call them, the template
sheets    tables, from CSV and workbooks: a row a seat, or a row a play
formats   what programs export: BG Stats, BoardGameGeek, NemeStats
played    games that `newdawn play` kept
page_log  logs of games that people played in the page
opening   a file: text in its letters, JSON, XML, the sheet of a workbook
log       all plays of several files, and which of them are one game
plays_folder  the folder that keeps them: manifest and tables; writing  writes it

A format is a `Reader` (checking.py) in the list of `log`. Nothing here is counted: that is the matter of `analysis`.
"""
