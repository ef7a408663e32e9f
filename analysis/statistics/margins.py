"""What matters to a designer: the relevance margins, unless an option says otherwise."""

POINTS = 2.0  # percentage points: leaders, seats, cards, and all other shares
ROUNDS = 1.0  # the length of a game
