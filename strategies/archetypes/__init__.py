"""Strategies that lean towards one way to win; what they share is in `leaning`. A module, a profile and a name each."""
