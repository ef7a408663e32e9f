"""Games that wait for answers: the engine asks, and whoever is asked may be Python, or somebody at the table.

asking    the questions as sentences, their options as answers
question  what is asked, as numbers and in words
bot       a function of a user's in plain Python as a strategy: it is called with the question
sitting   one game that stops at each question of some seats, goes on with an answer, and can take answers back
kept      a game at the table as a file of choices
branch    its turn in a copy, to see where an answer leads
"""
