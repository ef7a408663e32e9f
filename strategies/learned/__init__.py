"""Players that have learned from their own games: facts of a seat, a value over them, and players that look ahead with it."""
