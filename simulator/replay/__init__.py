"""One game again, or one that waits for answers.

words          the turn log in words; expansion_words: fights, armies, districts; spaces: what spaces are called
stepper        a game played turn by turn, and how it ended
board          the board as data and as a picture; picture: players' boards beside it
film           the whole game as a page to watch, a turn at a glance
sitting        a game that stops at each question, for people and programs
"""
