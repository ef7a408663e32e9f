"""Checks in a real browser: `chromium` opens one, `clicking` answers at the table of `newdawn play`, `play` clicks whole games,
`rare` every kind of question; `screenshot` takes a picture of a page."""
