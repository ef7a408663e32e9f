"""Training of the learned players (strategies/learned): play, train, distil, judge."""
