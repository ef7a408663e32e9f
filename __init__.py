"""New Dawn Balance Lab: simulate, measure and balance the board game Civilization: A New Dawn.

    simulator   the game, from its data to runs of many games
    strategies  who plays it
    analysis    tables of a run to rates with intervals
    scripts     commands

This folder is installed as the package `newdawn` (pyproject.toml), with only these four of its folders.
"""
