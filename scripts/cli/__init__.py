"""The `newdawn` command: `start` begins, `main` lists the commands; one module a group of them, `trials` for those that play
games to answer a question, options and progress line in `shared`."""
