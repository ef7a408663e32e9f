"""Rules in words: `statements` (the numbered rules), `describe` (what a card does with these numbers), `disputes` (readings
the rulebook leaves open), `coverage` (which test proves which rule), `show` (all of it for `newdawn rules show`).
"""
