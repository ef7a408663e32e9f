"""The `newdawn` command: `start` begins, `main` lists the commands, one module a group of them (variants: `compare` of
several rulesets; table_sizes: `--players 3,4`); `shared` has options and tables on the screen, `margins` those
that are shares, `progress` the line of a command that plays games, `answers` what it keeps.
"""
