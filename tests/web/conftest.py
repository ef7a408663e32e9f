"""The folder of the page, built once a session."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest

from newdawn.analysis.web.build import build


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the page for both boxes."""
    if shutil.which("node") is None:
        pytest.skip("no Node to run the engine in")
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("no linker for WebAssembly: pip install -e '.[web]'")
    folder = tmp_path_factory.mktemp("lab")
    build(folder)
    return folder
