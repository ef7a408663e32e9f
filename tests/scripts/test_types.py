"""The check of types: it sees the four folders as one package, and names files as they lie in the repository."""

from pathlib import Path

from newdawn.scripts.house.import_graph import TOPS
from newdawn.scripts.house.types import checked


def test_a_wrong_type_is_found_across_folders_and_named_by_its_file(tmp_path):
    for top in TOPS:
        (tmp_path / top / "inner").mkdir(parents=True)
        for folder in (tmp_path, tmp_path / top, tmp_path / top / "inner"):
            (folder / "__init__.py").touch()
    (tmp_path / "pyproject.toml").write_text("[tool.mypy]\nnamespace_packages = false\n")
    (tmp_path / "simulator" / "inner" / "dice.py").write_text("SIDES = 6\n")
    wrong = Path("strategies", "inner", "player.py")
    (tmp_path / wrong).write_text("from ...simulator.inner import dice\n\nname: str = dice.SIDES\n")
    said, code = checked(tmp_path, [])
    assert said.startswith(f"{wrong}:3: error: Incompatible types"), said
    assert code == 1
    (tmp_path / wrong).write_text("from ...simulator.inner import dice\n\nsides: int = dice.SIDES\n")
    assert checked(tmp_path, [])[1] == 0
