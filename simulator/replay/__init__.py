"""One game again, or one that waits for answers.

log_in_words   the turn log; expansion_words: fights, armies, districts; space_names: what spaces are called
stepper        a game played turn by turn, and how it ended
board          the board as data and as a picture; player_boards beside it
film           the whole game as a page to watch, a turn at a glance
interactive_game   a game that stops at each question, for people and programs
"""
