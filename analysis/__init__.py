"""From outcome tables to rates with intervals. Knows the tables of a run, never the engine's insides."""
