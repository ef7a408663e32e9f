"""The rules of the game as jitted functions on one record. Import `simulator.engine.play` to play games."""
