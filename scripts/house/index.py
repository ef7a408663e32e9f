"""Make a source tree ready for a package index: python -P scripts/house/index.py FOLDER

An index knows no files beside the README. With the project's address in PROJECT_URL, as the release workflow has it, links and
pictures point to the files of this version there, and the package names its addresses; without, links are plain text and
pictures are left out. The tree is changed in place, so `.ci/run package` hands over a copy.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from pathlib import Path

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)")  # to a file of the tree
URLS = {"Source": "", "Documentation": "/blob/{version}/docs/index.md", "Changelog": "/blob/{version}/CHANGELOG.md",
        "Issues": "/issues"}  # fmt: skip


def for_index(text: str, address: str, tag: str) -> str:
    """Return a README as an index can show it."""

    def link(found: re.Match[str]) -> str:
        picture, words, target = found.groups()
        if not address:
            return "" if picture else words
        return f"{picture}[{words}]({address}/{'raw' if picture else 'blob'}/{tag}/{target})"

    prose = re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in prose)


def prepare(folder: Path, address: str) -> None:
    """Rewrite the README of a tree, and name the addresses in its pyproject.toml."""
    readme, project = folder / "README.md", folder / "pyproject.toml"
    settings = project.read_text("utf-8")
    tag = f"v{tomllib.loads(settings)['project']['version']}"
    readme.write_text(for_index(readme.read_text("utf-8"), address, tag), "utf-8")
    if address:
        lines = [f'{name} = "{address}{path.format(version=tag)}"' for name, path in URLS.items()]
        project.write_text("\n".join([settings.rstrip(), "", "[project.urls]", *lines, ""]), "utf-8")


if __name__ == "__main__":
    prepare(Path(sys.argv[1]), os.environ.get("PROJECT_URL", "").rstrip("/"))
