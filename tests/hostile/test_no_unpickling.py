"""What lies in a folder of the user's is data: nothing in the program unpickles it, for that would run what it says."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(path for top in ("simulator", "strategies", "analysis", "scripts") for path in (ROOT / top).rglob("*.py"))
PICKLES = {"pickle", "cPickle", "_pickle", "cloudpickle", "dill", "marshal", "shelve", "jsonpickle"}
READERS = {"load", "loads", "open", "Unpickler", "decode"}
CALLS = {"joblib.load", "torch.load", "pd.read_pickle", "pandas.read_pickle", "yaml.unsafe_load", "yaml.full_load"}
LOADERS = {"Loader", "FullLoader", "UnsafeLoader"}  # of yaml

ALLOWED = {
    "simulator/engine/compile/code_cache.py": "the compile cache: code of this program, kept by itself",
    "simulator/runs/guard_process.py": "a job from the process that started this one, in a folder that only the user can read",
    "scripts/checks/mutation.py": "results of its own forks, in a folder that only the user can read",
}


def dotted(node: ast.AST) -> str:
    """Return 'a.b' for the expression a.b."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def unpickles(text: str) -> Iterator[int]:
    """Yield the lines in which a source unpickles, or may do so."""
    for node in ast.walk(ast.parse(text)):
        name = dotted(node)
        module, _, reader = name.rpartition(".")
        if (module in PICKLES and reader in READERS) or name in CALLS or (module == "yaml" and reader in LOADERS):
            yield node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module in PICKLES | {"joblib", "torch"}:
            yield from [node.lineno for alias in node.names if alias.name in READERS]
        elif isinstance(node, ast.keyword) and node.arg == "allow_pickle" and ast.unparse(node.value) != "False":
            yield node.value.lineno


@pytest.mark.parametrize(
    "text",
    [
        "pickle.loads(x)", "pickle.load(x)", "class Reader(pickle.Unpickler): pass", "from pickle import loads",
        "marshal.load(x)", "np.load(x, allow_pickle=True)", "np.load(x, allow_pickle=y)", "joblib.load(x)",
        "from joblib import load", "torch.load(x)", "pd.read_pickle(x)", "yaml.load(x, yaml.UnsafeLoader)", "shelve.open(x)",
    ],
)  # fmt: skip
def test_it_is_found(text):
    assert list(unpickles(text)) == [1]


def test_what_is_harmless_is_not():
    assert not list(unpickles("np.load(x, allow_pickle=False); np.load(x); json.loads(x); pickle.dumps(x); yaml.safe_load(x)"))


def test_nothing_unpickles_what_lies_in_a_folder_of_the_users():
    found = {path.relative_to(ROOT).as_posix() for path in SOURCES if any(unpickles(path.read_text("utf-8")))}
    assert found == set(ALLOWED)
