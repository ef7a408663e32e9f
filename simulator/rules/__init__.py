"""Rules data: load, validate, overlay house rules, compile to the RULES record."""
