"""What is run: `cli` (the `newdawn` command), `checks` (soak, twin, mutation), `bench` (speed)."""
