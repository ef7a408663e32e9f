"""What a package index is told beside pyproject.toml: the README as it can be read there, and where the project lives.

An index knows no files beside the README. With the project's address in PROJECT_URL, as the release workflow has it, links and
pictures point to the files of this version there; without, links are plain text and pictures are left out.
"""

import os
import re
import tomllib
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).resolve().parent
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)")  # to a file of this folder
URLS = {"Source": "", "Documentation": "/blob/{version}/docs/index.md", "Changelog": "/blob/{version}/CHANGELOG.md",
        "Issues": "/issues"}  # fmt: skip


def address() -> str:
    """Return the project's address, "" if it is not known."""
    return os.environ.get("PROJECT_URL", "").rstrip("/")


def tag() -> str:
    """Return the tag of this version."""
    return f"v{tomllib.loads((HERE / 'pyproject.toml').read_text('utf-8'))['project']['version']}"


def description(text: str, address: str, tag: str) -> str:
    """Return the README for an index."""

    def link(found: re.Match[str]) -> str:
        picture, words, target = found.groups()
        if not address:
            return "" if picture else words
        return f"{picture}[{words}]({address}/{'raw' if picture else 'blob'}/{tag}/{target})"

    prose = re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in prose)


if __name__ == "__main__":
    setup(
        script_name=__file__,  # lest it be taken for a module of the package
        long_description=description((HERE / "README.md").read_text("utf-8"), address(), tag()),
        long_description_content_type="text/markdown",
        project_urls={name: address() + path.format(version=tag()) for name, path in URLS.items()} if address() else {},
    )
