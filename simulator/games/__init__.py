"""Which games to play, and playing them: `plan` (who sits where, how many games) -> `kernel` (compiled loop) -> `rows`.

`leaders` deals each seat its leader, or lets seats ban and draft them.

`columns` declares what is told of a finished game: rows, tables, their description and readers follow from it.

`players` is the door through which strategies come in; the simulator does not know them otherwise.
"""
