"""Seeing a game again: `stepper` plays it turn by turn.

words    the turn log in words; combat_words: those of combats; expansion_words: those of the second box
scene    what a picture shows; board draws the map, picture all of a game at a moment
player_board  what a player has and still needs, as JSON; player_board.js draws it
outcome  who won, by what
film     the whole game as a page to watch it on
settled  where the cities of a run's games stood
"""
