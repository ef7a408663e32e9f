"""The search for wrong input that is not answered: a small part of it, and that it sees what it looks for."""

import random

from newdawn.scripts.checks import hostile
from newdawn.scripts.checks.hostile import Trials, mutated_overlay, overlay_trials, tellings, try_overlay
from newdawn.simulator import names
from newdawn.simulator.rules.printed_game import printed_data


def test_mutated_house_rules_are_answered(tmp_path):
    trials = overlay_trials(60, 3, 600, tmp_path)
    assert trials.faults == []
    assert set(trials.counts) == {"accepted", "refused"}


def test_mutations_are_of_all_kinds_and_the_same_for_a_seed():
    texts = ["name: x\nwonders: {petra: {cost: 5}}\n"]
    printed = printed_data()
    first, second = ([mutated_overlay(random.Random(seed), printed, texts) for seed in range(50)] for _ in range(2))
    assert first == second
    assert len(set(first)) > 40


def test_tracebacks_and_silence_are_faults(tmp_path, monkeypatch):
    def breaks():
        raise KeyError("x")

    trials = Trials(600)
    trials.tried("one", breaks)
    trials.tried("two", lambda: "silent")
    trials.tried("three", lambda: "refused")
    assert [fault.split(":")[0] for fault in trials.faults] == ["one", "two"]
    assert next(tellings("calls", trials)) == "3 calls: 1 fault, 1 refused, 1 silent"
    monkeypatch.setattr("newdawn.simulator.rules.load._idle", lambda data, changed: [])
    file = tmp_path / "nothing.yaml"
    file.write_text("name: nothing\n")
    assert [try_overlay(file, box) for box in names.BOXES] == ["silent", "silent"]


def test_a_damaged_folder_is_damaged(tmp_path):
    for name in ("a", "b/c"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"content")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    hostile.damage(random.Random(1), tmp_path)
    assert before != {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
