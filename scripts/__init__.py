"""What a person runs: the `newdawn` command and the benchmark."""
