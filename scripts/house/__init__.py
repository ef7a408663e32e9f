"""The source itself: `types` asks mypy, `floors` looks at the lowest versions of requirements, `import_graph` draws folders and
imports, `guide` writes docs/analysis.md.
"""
