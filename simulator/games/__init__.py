"""Which games to play, and playing them: `plan` (who sits where, how many games) -> `kernel` (compiled loop) -> `rows`.

`players` is the door through which strategies come in; the simulator does not know them otherwise.
"""
