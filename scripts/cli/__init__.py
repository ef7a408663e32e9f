"""The `newdawn` command: `start` begins, `main` lists the commands; one module a group of them, options and progress line in
`shared`."""
