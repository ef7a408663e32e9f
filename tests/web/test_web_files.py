"""What `newdawn web` writes goes over its own files only."""

import json
import re

from click.testing import CliRunner
from pages import needs_node, node

from newdawn.analysis.web import build
from newdawn.scripts.cli.main import main
from newdawn.simulator import file_ownership
from newdawn.simulator.rules import load_ruleset

# The engine with an empty module in the place of the compiled functions.
UNPACK = """
import { openEngine } from "STATIC/engine.js"; import fs from "node:fs";
const { info, files } = JSON.parse(fs.readFileSync(0)), text = new TextEncoder();
const empty = Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 0, 1, 6, 6, 1, 127, 0, 65, 0, 11, 7, 24, 2,
  6, ...text.encode("memory"), 2, 0, 11, ...text.encode("__heap_base"), 3, 0]);
const engine = await openEngine(async (name) => (name === "engine.json" ? text.encode(JSON.stringify(info)) : empty));
console.log(JSON.stringify(files.map((content) => {
  try { return engine.pack(Uint8Array.from(content)).name; } catch (error) { return error.message; }
})));
"""


def call(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


def test_packed_rules_are_not_written_over_rules(tmp_path):
    rules, packed = tmp_path / "mine.yaml", tmp_path / "mine.newdawn"
    rules.write_text("wonders: {petra: {cost: 5}}\n")
    first = [(call("web", "pack", rules, "--out", packed).exit_code, packed.read_bytes()) for _ in range(2)]
    assert first[0] == first[1]
    assert first[0][0] == 0
    assert json.loads(packed.read_bytes())["notes"] == ["Petra: cost 7 → 5"]
    refused = call("web", "pack", rules, "--out", rules)
    assert refused.exit_code == 2
    assert refused.output == f"error: --out: '{rules}' already exists and is not a file for the page; choose another name\n"
    assert rules.read_text() == "wonders: {petra: {cost: 5}}\n"


@needs_node
def test_a_damaged_or_foreign_file_of_rules_is_told_apart(tmp_path):
    good = build.pack(load_ruleset())
    at = good.index(b'"rules":"') + 200
    flipped = good[:at] + (b"B" if good[at : at + 1] == b"A" else b"A") + good[at + 1 :]
    other = re.sub(rb'"newdawn":"[^"]*"', b'"newdawn":"0"', good)
    given = {"info": build.about_engine() | {"boxes": {"base": {}}}, "files": []}
    given["files"] = [list(content) for content in (good, flipped, good[:-900], b"ID3", b"{}", other)]
    assert [said.partition(":")[0] for said in node(UNPACK, given)] == [
        "printed", "this file is damaged", "this file is damaged", *["this file is none that `newdawn web pack` wrote"] * 2,
        "this file was written for another version of the lab",
    ]  # fmt: skip


def test_the_page_is_not_written_over_another_one(tmp_path):
    assert "index.html" in dict(build.static_files())
    (tmp_path / "index.html").write_text("my own page")
    refused = call("web", "build", tmp_path)
    assert refused.exit_code == 2
    assert refused.output.startswith(f"error: {tmp_path / 'index.html'}: already exists and was not written by newdawn")
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]


def test_the_page_is_written_again_over_its_own_files(tmp_path, monkeypatch):
    monkeypatch.setattr("newdawn.simulator.engine.compile.webassembly.built", lambda *_: b"engine")
    monkeypatch.setattr(build, "cached_form", lambda box: b'{"left": []}')
    for text in ("first", "second"):
        monkeypatch.setattr(build, "words", lambda text=text: {"said": text})
        names = build.build(tmp_path, ["base"])
        written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
        assert file_ownership.ours_in(tmp_path) == set(names) == written - {file_ownership.MARK}
        assert (tmp_path / "words.json").read_text() == f'{{"said":"{text}"}}'
    (tmp_path / "notes.txt").write_text("mine")
    build.build(tmp_path, ["base"])
    assert (tmp_path / "notes.txt").read_text() == "mine"
