"""Profiles: what they take over, and what is refused with a clear message."""

import json
import re
from copy import deepcopy

import numpy as np
import pytest
import yaml

from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.strategies import profiles, registry
from newdawn.strategies.planning import weights
from newdawn.strategies.registry import Strategy


def write(path, **data):
    path.write_text(yaml.safe_dump(data), "utf-8")
    return path


def test_packaged_profiles_are_whole_and_play():
    assert set(profiles.packaged()) - {registry.LEARNER.name} <= set(registry.packaged())
    for name in profiles.packaged():
        whole = profiles.resolve(profiles.find(name))
        assert set(whole.weights) == set(weights.NAMES)
        assert whole.function


def test_a_profile_takes_over_what_it_does_not_say(tmp_path):
    base = profiles.resolve(profiles.find("opportunist"))
    path = write(
        tmp_path / "mine.yaml", like="opportunist", description="mine", weights={"deny": 99},
        players={2: {"deny": 50}}, leaders={"Rome": {"resource": -3}},
    )  # fmt: skip
    mine = registry.find(str(path))
    four, two = mine.weights(4), mine.weights(2)
    deny, resource, rome = weights.NAMES.index("deny"), weights.NAMES.index("resource"), names.LEADERS.index("Rome")
    assert four.shape == (names.MAX_LEADERS, names.WEIGHTS)
    assert set(four[:, deny]) == {99}
    assert set(two[:, deny]) == {50}
    assert four[rome, resource] == -3
    others = np.delete(np.arange(len(names.LEADERS)), rome)
    assert set(four[others, resource]) == {base.weights["resource"]}
    assert set(four[:, weights.NAMES.index("city_turns")]) == {base.weights["city_turns"]}
    assert mine.description == "mine"
    assert mine.load() is registry.find("opportunist").load()


def test_what_a_profile_says_for_all_replaces_the_exceptions_it_takes_over(tmp_path, monkeypatch):
    base = deepcopy(profiles.resolve(profiles.find("opportunist")))
    base.leaders = {"Rome": {"deny": 1, "resource": 2}}
    base.players = {3: {"deny": 7}}
    monkeypatch.setattr(profiles, "find", lambda name: base)
    found = profiles.resolve(profiles.Profile(like="opportunist", weights={"deny": 99}))
    assert found.leaders == {"Rome": {"resource": 2}}
    assert found.players == {3: {}}


def test_a_resolved_profile_survives_the_manifest(tmp_path):
    path = write(tmp_path / "mine.yaml", like="scholar", players={2: {"deny": 50}}, leaders={"Rome": {"resource": -3}})
    mine = registry.find(str(path))
    again = Strategy.from_dict(json.loads(json.dumps(mine.as_dict())))
    assert again == mine
    assert all((again.weights(players) == mine.weights(players)).all() for players in (2, 3, 4))
    path.unlink()
    assert again.load() is not None


def test_weights_cannot_be_changed_by_those_who_get_them():
    with pytest.raises(ValueError, match="read-only"):
        registry.find("opportunist").weights(4)[0, 0] = 1


def test_a_written_profile_is_read_back(tmp_path):
    found = profiles.resolve(profiles.find("warrior"))
    profiles.write(tmp_path / "tuned.yaml", found, {"command": "…"})
    again = profiles.read(tmp_path / "tuned.yaml")
    assert again.weights == found.weights
    assert again.function == found.function
    assert again.tuned == {"command": "…"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a\n- b", "expected a mapping"),
        ("weights: {", "not valid YAML"),
        ("", "expected a mapping"),
        ("like: opportunist\nwieghts: {deny: 3}", "unknown field 'wieghts'.*did you mean 'weights'"),
        ("like: opportunist\nweights: {denny: 3}", "unknown weight 'denny'.*did you mean 'deny'"),
        ("like: opportunist\nweights: {deny: 3.5}", r"weights.deny: .*integer.*3.5"),
        ("like: opportunist\nweights: {deny: true}", "weights.deny: .*integer.*True"),
        ("like: opportunist\nweights: {deny: many}", "weights.deny: .*integer.*'many'"),
        ("like: opportunist\nweights: [deny]", "weights: .*dictionary"),
        ("like: opportunist\nweights: {deny: 40000}", "deny: 40000 is not valid; expected -32000 to 32000"),
        ("like: opportunist\nleaders: {Roma: {deny: 3}}", "unknown leader 'Roma'.*did you mean 'Rome'"),
        ("like: opportunist\nleaders: {Rome: {denny: 3}}", "unknown weight 'denny'"),
        ("like: opportunist\nplayers: {6: {deny: 3}}", "players: 6 is not valid; expected 2 to 5"),
        ("like: opportunist\nplayers: {two: {deny: 3}}", "players"),
        ("like: oportunist", r"mine.yaml: like: unknown profile 'oportunist'.*did you mean 'opportunist'"),
        ("like: opportunist\nlike: planner", "line 2.*'like' appears twice"),
        ("like: opportunist\nweights: {deny: 3, deny: 4}", "'deny' appears twice"),
        ("like: 3", "like: .*string"),
        ("weights: {deny: 3}", "is missing; say 'like: "),
        ("like: opportunist\nfunction: planner", "function: 'planner' is not valid; expected module:name"),
        ("like: opportunist\nfunction: 'no_such_module:f'", "there is no module 'no_such_module'"),
        ("like: opportunist\nfunction: 'sys:path'", "there is no module 'sys' here"),
    ],
)
def test_what_is_refused(tmp_path, text, message):
    path = tmp_path / "mine.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(UserError) as raised:
        registry.find(str(path))
    assert re.search(message, str(raised.value)), str(raised.value)
    assert "\n" not in str(raised.value)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(UserError, match="cannot read the profile: No such file"):
        registry.find(str(tmp_path / "none.yaml"))
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match="cannot read the profile"):
        registry.find(str(tmp_path / "bytes.yaml"))


def test_a_profile_that_is_like_itself(monkeypatch):
    found = {"a": profiles.Profile(like="b"), "b": profiles.Profile(like="a")}
    monkeypatch.setattr(profiles, "find", lambda name: found[name])
    with pytest.raises(UserError, match="profile b: is like itself, via b, a"):
        profiles.resolve(found["b"], ("b",))


def test_a_name_of_the_package_is_taken(tmp_path):
    with pytest.raises(UserError, match="'scholar' is the name of a packaged strategy"):
        registry.find(str(write(tmp_path / "scholar.yaml", like="opportunist")))
