"""Many games: which, played side by side, written as tables."""
