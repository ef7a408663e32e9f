"""What texts quote exists: paths, commands, options and modules in README, docs, docstrings, comments and templates."""

from __future__ import annotations

import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import click

from newdawn.scripts.cli.experiment import experiment
from newdawn.scripts.cli.main import main
from newdawn.simulator.errors import UserError
from newdawn.strategies.registry import DEFAULT, find

ROOT = Path(__file__).resolve().parent.parent
HISTORY = ("CHANGELOG.md", "results/")  # say what was
# Files that readers make, or that a command writes for them; pages that the site makes.
MADE = {
    "at_table.css", "at_table.js", "board.js",
    "FILE.py", "FILE.yaml", "NAME.yaml", "adapted_quick.yaml", "atlantis.yaml", "blessings.py", "board.svg", "bot.py",
    "change.yaml", "charts/leaders.svg", "cheap_petra.yaml", "egypt.yaml", "end.svg", "evidence/reference.md", "gallery.md",
    "games.ipynb", "goals.yaml",
    "house.yaml", "house_rule.yaml", "house_rules.yaml", "lab.js", "mine.py", "mine.yaml", "my_adept.yaml", "my_learner.yaml",
    "my_player.yaml", "my_quick.yaml", "my_rules.yaml", "my_strategy.py", "mybot.py", "pacifist.yaml", "path.yaml",
    "path/to/file.py", "rare.yaml",
    "peaceful.yaml", "phoenicia.yaml", "picture.svg", "profile.yaml", "proofs/test_mine.py",
    "reference/commands.md", "reference/functions.md", "reference/words.md",
}  # fmt: skip
# Options of other programs that texts name: mkdocs, pytest, ruff, pip, dask, mypy.
FOREIGN = {"--strict", "--dist", "--check", "--site-dir", "--config-settings", "--nthreads", "--package",
           "--directory", "--export", "--export-table", "--no-entry", "--gc-sections", "--strip-all"}  # fmt: skip
PATHS = re.compile(r"(?<![\w/.:$*{-])((?:[\w.-]+/)*[\w-]+\.(?:py|md|yaml|yml|j2|ipynb|svg|css|js|toml))(?![\w/*-])")


@cache
def tracked() -> tuple[str, ...]:
    """Return the files of the project, but for those that are ignored."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines()
    return tuple(listed or (path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if path.is_file()))


def spoken(source: str) -> str:
    """Return what a Python file says to people: its comments, and its texts."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return "\n".join(token.string for token in tokens if token.type in (tokenize.COMMENT, tokenize.STRING))


@cache
def texts() -> dict[str, str]:
    """Return all texts of the project by their files, tests apart."""
    found = {}
    for name in tracked():
        path = ROOT / name
        if name.startswith((*HISTORY, "tests/")) or not path.is_file():
            continue
        if path.suffix == ".py":
            found[name] = spoken(path.read_text("utf-8"))
        elif path.suffix in (".md", ".j2", ".toml") or name == ".ci/run" or name.startswith("simulator/data/"):
            found[name] = path.read_text("utf-8")
    return found


def lost_paths(text: str) -> list[str]:
    """Return the paths in a text that lead nowhere; a path may leave out where it begins."""
    found = (path.removeprefix("../").removeprefix("./") for path in PATHS.findall(text))
    outside = (path for path in found if not {path, path.rpartition("/")[2]} & MADE)
    return [path for path in outside if not any(f"/{one}".endswith(f"/{path}") for one in tracked())]


def quoted_commands(text: str) -> Iterator[list[str]]:
    """Yield the words of every command of ours between backticks, or at the beginning of a line."""
    inline = re.findall(r"(?<!`)`(?!`)([^`]+)`(?!`)", text)
    blocks = [
        *(" ".join(block.split()) if block.startswith("newdawn ") else block for block in inline),
        *re.findall(r"^ *(?:\S+/)?(newdawn [^\n]*(?:\\\n[^\n]*)*)", text, re.M),
    ]
    for block in blocks:
        for line in re.findall(r"(?:^|[\s(&|;])newdawn ([^\n]*)", block.replace("\\\n", " ")):
            yield line.split("#")[0].split(" | ")[0].split()


def unknown_words(words: list[str]) -> list[str]:
    """Return the words of a command that it does not know: its name, and its options."""
    command: click.Command = main
    while isinstance(command, click.Group) and words and re.fullmatch(r"[a-z][a-z-]+", words[0]):
        inner = command.get_command(click.Context(command), words[0])
        if inner is None:
            return [words[0]] if words[0] != "import" else []  # `from newdawn import …`
        command, words = inner, words[1:]
    if words and words[0].startswith("{"):
        return []  # a template, filled in elsewhere
    options = {option for param in command.params for option in (*param.opts, *param.secondary_opts)} | EVERYWHERE
    given = (re.match(r"--[a-z][a-z-]*", word) for word in words)
    return [option[0] for option in given if option and option[0] not in options]


EVERYWHERE = {"--help", "--help-all", "--version"}  # options of every command
PLACEHOLDER = re.compile(r"…|\.\.\.|[{}<>$]|^[A-Z][A-Z_]*(\.\w+)?$")
SEATS = {"strategies", "strategy_pool", "against", "player", "strategy"}  # options that name who plays


def wrong_values(words: list[str]) -> list[str]:
    """Return the values of a command's options that it would not take, as `option value: why`; placeholders are no values."""
    command: click.Command = main
    while isinstance(command, click.Group) and words:
        inner = command.get_command(click.Context(command), words[0])
        if inner is None:
            break
        command, words = inner, words[1:]
    context = click.Context(command)
    by_option = {option: param for param in command.params for option in (*param.opts, *param.secondary_opts)}
    wrong, left = [], [word.strip("\"'`,.;:)(") for word in words]
    while left:
        word = left.pop(0)
        option, equals, value = word.partition("=")
        param = by_option.get(option)
        if not isinstance(param, click.Option) or param.is_flag or param.nargs != 1:
            continue
        if not equals:
            if not left or left[0].startswith("--"):
                continue  # the option alone
            value = left.pop(0)
        if PLACEHOLDER.search(value):
            continue
        try:
            taken = param.type.convert(value, param, context)
            if param.name in SEATS:
                for name in [taken] if isinstance(taken, str) else taken:
                    known_player(name)
        except (click.UsageError, UserError) as error:
            wrong.append(f"{option} {value}: {error}")
    return wrong


def known_player(name: str) -> None:
    """Raise UserError if nobody of that name, or of those that a `+` joins, can play; files and functions are the reader's."""
    for one in name.split("+"):
        if not re.search(r"[/:]|\.(yaml|yml|py)$", one) and one not in (*"ABC", "mine"):
            find(one)


def all_options(command: click.Command = main) -> set[str]:
    """Return the options of all commands."""
    found = {option for param in command.params for option in (*param.opts, *param.secondary_opts)}
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            found |= all_options(inner)
    return found


def test_paths_lead_to_files():
    assert [f"{name}: {path}" for name, text in texts().items() for path in lost_paths(text)] == []


def test_commands_and_their_options_exist():
    wrong = [
        f"{name}: newdawn {' '.join(words)}: {word}"
        for name, text in texts().items()
        for words in quoted_commands(text)
        for word in unknown_words(words)
    ]
    assert wrong == []


def test_commands_take_the_values_they_are_quoted_with():
    wrong = [
        f"{name}: newdawn {' '.join(words)}: {why}"
        for name, text in texts().items()
        for words in quoted_commands(text)
        for why in wrong_values(words)
    ]
    assert wrong == []


def options_elsewhere() -> set[str]:
    """Return what looks like an option of a command: those of scripts, of other programs, and variables of styles."""
    sources = {name: (ROOT / name).read_text("utf-8") for name in tracked() if name.endswith((".py", ".css", ".j2"))}
    scripts = (text for name, text in sources.items() if name.startswith("scripts/"))
    found = {option for text in scripts for option in re.findall(r'"(--[a-z][a-z-]+)"', text)}
    found |= {variable for text in sources.values() for variable in re.findall(r"(--[a-z][a-z-]+):", text)}
    return found | FOREIGN | {f"--{command}" for command in experiment.commands}  # `experiment --ablate …` is taken, too


def test_options_alone_are_those_of_some_command():
    known = all_options() | options_elsewhere() | EVERYWHERE
    wrong = [
        f"{name}: {option}"
        for name, text in texts().items()
        for option in re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", text)
        if name.endswith((".md", ".py")) and option not in known
    ]
    assert wrong == []


def test_modules_that_are_run_exist():
    wrong = [
        f"{name}: {module}"
        for name, text in texts().items()
        for module in re.findall(r"python -m\s+(newdawn(?:\.\w+)+)", text)
        if find_spec(module) is None
    ]
    assert wrong == []


def test_the_strategy_that_plays_if_none_is_named_is_the_default():
    named = [(name, word) for name, text in texts().items() for word in re.findall(r"\((\w+), if no strategy is named\)", text)]
    assert named
    assert {word for _, word in named} == {DEFAULT}


# --- the test itself


def test_what_is_wrong_is_found():
    assert lost_paths("see engine/hexes.py, map.py, `nowhere.yaml` and mine.yaml") == [
        "engine/hexes.py",
        "nowhere.yaml",
    ]
    fenced = "```sh\nnewdawn rn --games 3\nnewdawn run --gmes 3 \\\n  --seed 1 # --no\n```\n"
    text = f"{fenced}and `newdawn rules lst` or `newdawn leaders`"
    assert [unknown_words(words) for words in quoted_commands(text)] == [["lst"], [], ["rn"], ["--gmes"]]
    found = wrong_values(["run", "--games", "many", "--strategies", "quick,planer", "--seed=3", "--box", "terra"])
    assert [why.split(":")[0] for why in found] == ["--games many", "--strategies quick,planer", "--box terra"]
    assert "did you mean 'planner'?" in found[1]
    quoted = "newdawn ladder --strategies A,B,mine.yaml --games … --players N --against quick --box"
    assert [wrong_values(words) for words in quoted_commands(quoted)] == [[]]
    assert spoken('x = 1  # a\ny = "b"') == '# a\n"b"'
