"""The source itself: `types` asks mypy, `import_graph` draws folders and imports, `guide` writes docs/analysis.md."""
