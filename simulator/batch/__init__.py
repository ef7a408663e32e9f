"""From a plan of games to outcome tables on disk, in parallel. Start reading at `run.py`."""
