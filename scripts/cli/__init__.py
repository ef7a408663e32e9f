"""The `newdawn` command: `start` begins, `main` lists the commands, one module a group of them (variants: `compare` of
several rulesets; table_sizes: `--players 3,4`); `shared` has options, tables on the screen and the progress
line, `interrupt` watches for Ctrl-C.
"""
