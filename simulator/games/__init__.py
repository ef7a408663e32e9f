"""Which games to play, and playing them: `plan` (who sits where, how many games) -> `kernel` (compiled loop) -> `rows`."""
