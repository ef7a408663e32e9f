"""The `newdawn` command: `main` lists the commands; one module a group of them, options and progress line in `shared`."""
