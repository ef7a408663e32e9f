# The four folders as type checkers see them: by the names they are imported by (pyproject.toml, package-dir).
