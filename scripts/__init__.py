"""What is run: `cli` (the `newdawn` command), `checks` (soak, twin, mutation, calibrate), `bench` (speed), `house` (source)."""
