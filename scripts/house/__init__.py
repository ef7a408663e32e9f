"""The source itself: `types` asks mypy, `picture` draws folders and imports, `guide` writes docs/analysis.md."""
