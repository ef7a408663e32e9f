"""What lets strategies play each other.

    arena (games in memory) -> ladder (ratings), self_play (better weights), strategy_checks (legal, repeatable …);
    characters (what a strategy is like)
"""
