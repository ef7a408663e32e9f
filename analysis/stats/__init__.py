"""Rates, intervals, verdicts."""
