"""Checks in a real browser: `chromium` opens one, `play` clicks whole games at the table of `newdawn play`."""
