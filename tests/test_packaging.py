"""Workflows, hooks, container and recipe say what .ci/run, the README and pyproject.toml say."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import jinja2
import pytest
import yaml

from newdawn.scripts.house import index

ROOT = Path(__file__).resolve().parent.parent
CI = (ROOT / ".ci" / "run").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
README = (ROOT / "README.md").read_text("utf-8")
WORKFLOWS = {path.stem: yaml.safe_load(path.read_text("utf-8")) for path in (ROOT / ".github" / "workflows").glob("*.yml")}
# What workflows do beside the steps of .ci/run: what only they know (the tag), and the container.
ELSEWHERE = {
    'test -f "dist/newdawn_balance_lab-${GITHUB_REF_NAME#v}.tar.gz"',
    "docker build --tag newdawn --file .docker/Dockerfile .",
    "docker run --rm newdawn run --players 4 --games 200 --seed 1",
}
DOCKERFILE = (ROOT / ".docker" / "Dockerfile").read_text("utf-8")


def first_command() -> list[str]:
    """Return the words of the README's first `newdawn run`."""
    found = re.search(r"^newdawn (run .*)", README, re.M)
    assert found
    return shlex.split(found[1])


def steps() -> list[tuple[str, dict]]:
    """Return each step of each workflow with its name."""
    return [(name, step) for name, workflow in WORKFLOWS.items() for job in workflow["jobs"].values() for step in job["steps"]]


def functions() -> set[str]:
    """Return the steps that .ci/run has."""
    return set(re.findall(r"^(\w+)\(\) \{", CI, re.M))


def test_workflows_call_the_steps_of_ci():
    called = {step["run"] for _, step in steps() if "run" in step} - ELSEWHERE
    assert called == {f".ci/run {name}" for name in functions()}


def test_ci_alone_does_every_step():
    alone = CI.partition('export PATH="$venv')[2].split("\n")[1:]
    assert {line for line in alone if line} == functions()


@pytest.mark.skipif(sys.platform == "win32", reason="bash may be that of another system there")
def test_ci_is_a_script_that_bash_understands():
    assert subprocess.run(["bash", "-n", ROOT / ".ci" / "run"]).returncode == 0
    refused = subprocess.run([ROOT / ".ci" / "run", "ls"], capture_output=True, text=True)
    assert refused.returncode == 2
    assert refused.stderr == f"error: ls is no step: {' '.join(sorted(functions()))}\n"


def test_the_readmes_test_command_is_that_of_ci():
    command = re.search(r"pip install -e '\.\[test\]' && \S*python (-m pytest .*)", README)
    assert command
    assert f"&& python {command[1]}\n" in CI


def test_every_python_that_is_tested_is_named_and_the_other_way_round():
    tested = WORKFLOWS["tests"]["jobs"]["suite"]["strategy"]["matrix"]["python"]
    assert tested == WORKFLOWS["release"]["jobs"]["wheels"]["strategy"]["matrix"]["python"]
    named = [entry.rpartition(" :: ")[2] for entry in PROJECT["project"]["classifiers"] if "Python :: 3." in entry]
    assert tested == named
    assert PROJECT["project"]["requires-python"] == f">={tested[0]}"


def test_only_the_job_that_publishes_may_publish():
    rights = {
        (name, job): its["permissions"]
        for name, workflow in WORKFLOWS.items()
        for job, its in workflow["jobs"].items()
        if "permissions" in its
    }
    assert rights == {
        ("docs", "publish"): {"pages": "write", "id-token": "write"},
        ("release", "publish"): {"id-token": "write"},
    }
    assert all(workflow["permissions"] == {"contents": "read"} for workflow in WORKFLOWS.values())
    assert "password" not in json.dumps([step for _, step in steps()])


def test_only_what_every_platform_has_tried_is_published():
    jobs = WORKFLOWS["release"]["jobs"]
    assert jobs["publish"]["needs"] == ["build", "wheels"]
    uploaded = [step["with"]["path"] for job in jobs.values() for step in job["steps"] if "upload" in step.get("uses", "")]
    assert uploaded == ["dist", "dist/*-cp3*.whl"]  # the pure wheel and the source distribution once
    for system in ("ubuntu", "macos", "windows"):
        assert any(system in each for each in jobs["wheels"]["strategy"]["matrix"]["os"])


def test_hooks_are_the_linters_of_ci():
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"][0]["hooks"]
    linters = re.findall(r"^    (ruff .*)$", CI, re.M)
    assert [hook["entry"] for hook in hooks] == linters


def test_the_container_plays_the_readmes_first_command():
    words = re.search(r"^CMD (.*)$", DOCKERFILE, re.M)
    assert words
    assert json.loads(words[1]) == first_command()
    assert 'ENTRYPOINT ["newdawn"]' in DOCKERFILE


def test_the_container_gets_what_the_package_is_made_of():
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    tops = {package.split(".")[1] for package in PROJECT["tool"]["setuptools"]["packages"] if "." in package}
    files = {"pyproject.toml", "README.md", *PROJECT["project"]["license-files"], "__init__.py", "py.typed"}
    assert sent == tops | files
    python = re.search(r"^FROM python:([\d.]+)", DOCKERFILE, re.M)
    assert python
    assert python[1] in WORKFLOWS["tests"]["jobs"]["suite"]["strategy"]["matrix"]["python"]


def test_the_recipe_needs_what_the_project_needs():
    def load_file_data(name: str, from_recipe_dir: bool) -> dict:  # as conda-build does
        assert from_recipe_dir
        return tomllib.loads((ROOT / ".conda" / name).read_text("utf-8"))

    template = jinja2.Template((ROOT / ".conda" / "meta.yaml").read_text("utf-8"))
    recipe = yaml.safe_load(template.render(load_file_data=load_file_data, PYTHON="python"))
    needed = [re.split("[^a-z0-9]", each.lower())[0] for each in PROJECT["project"]["dependencies"]]
    assert [re.split("[- ]", each)[0] for each in recipe["requirements"]["run"]] == ["python", *needed]
    assert recipe["package"] == {"name": PROJECT["project"]["name"], "version": PROJECT["project"]["version"]}
    assert f"setuptools {PROJECT['build-system']['requires'][0].removeprefix('setuptools')}" in recipe["requirements"]["host"]
    assert recipe["about"]["license"] == PROJECT["project"]["license"]


@pytest.mark.parametrize("address", ["https://example.org/us/lab", ""])
def test_an_index_shows_links_and_pictures_that_work_there(address, tmp_path):
    """pip's report holds the metadata as built from a tree that was made ready."""
    tree = tmp_path / "source"
    tree.mkdir()
    for name in ("pyproject.toml", "README.md", "__init__.py", "py.typed", *PROJECT["project"]["license-files"]):
        shutil.copy(ROOT / name, tree)
    for package in PROJECT["tool"]["setuptools"]["packages"]:
        (tree / package.replace(".", "/").removeprefix("newdawn").lstrip("/")).mkdir(parents=True, exist_ok=True)
    index.prepare(tree, address)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps", "--ignore-installed"]
    command += ["--report", str(tmp_path / "report"), str(tree)]
    done = subprocess.run(command, capture_output=True, text=True)
    if "No matching distribution found for setuptools" in done.stderr:
        pytest.skip("no package index is at hand")
    assert done.returncode == 0, done.stderr
    (report,) = json.loads((tmp_path / "report").read_text("utf-8"))["install"]
    metadata, text = report["metadata"], report["metadata"]["description"]
    assert metadata["description_content_type"] == "text/markdown"
    assert "# New Dawn Balance Lab" in text
    here = re.findall(r"(!?)\[[^\]]*\]\(([^)]+)\)", README)
    shown = re.findall(r"(!?)\[[^\]]*\]\(([^)]+)\)", text)
    if not address:
        assert "project_url" not in metadata
        assert not shown
        return
    assert len(shown) == len(here) > 20
    files = f"{address}/{{}}/v{PROJECT['project']['version']}/"
    for picture, link in shown:
        start = files.format("raw" if picture else "blob")
        assert link.startswith(start)
        assert (ROOT / link.removeprefix(start).partition("#")[0]).exists(), link
    urls = dict(line.split(", ") for line in metadata["project_url"])
    assert urls["Source"] == address
    assert (ROOT / urls["Documentation"].removeprefix(files.format("blob"))).is_file()


def test_a_release_knows_the_projects_address():
    (step,) = (step for name, step in steps() if name == "release" and step.get("run") == ".ci/run package")
    assert step["env"] == {"PROJECT_URL": "${{ github.server_url }}/${{ github.repository }}"}


def test_the_citation_names_the_version():
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))["version"] == PROJECT["project"]["version"]
