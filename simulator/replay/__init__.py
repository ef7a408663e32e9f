"""Seeing a game: the turn log in words, the board as a picture, and the stepper that plays a game turn by turn."""
