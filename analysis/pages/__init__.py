"""What pages are made of.

parts (parts, columns, findings, verdicts, steps), sentences (about tables of tests), plots (every picture)
"""
