"""The source itself: `types` asks mypy, `picture` draws the folders and the imports between them."""
