"""Seeing a game again: `stepper` plays it turn by turn.

    words    the turn log in words
    scene    what a picture shows; board draws it
    settled  where the cities of a run's games stood
"""
