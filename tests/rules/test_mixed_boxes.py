"""Mixed boxes: leaders and wonders of the expansion as house rules of the base game, and where the rules do not allow it."""

import pytest
import yaml

from newdawn.simulator import names
from newdawn.simulator.engine import state
from newdawn.simulator.engine.audit import observe_audit
from newdawn.simulator.engine.choosing import seed_streams
from newdawn.simulator.engine.compile.jit import seat_strategies
from newdawn.simulator.engine.setup import start_game
from newdawn.simulator.engine.turn import play_step
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.ruleset_contents import entries, slug, written
from newdawn.strategies.archetypes import choose_random

ROW = ["science", "culture", "economy", "military", "industry"]

# What needs armies, districts, exploring, growth cards or a card of the leader's own.
ONLY_THERE = {
    "Indonesia": "'army_water' is a word of Terra Incognita",
    "Netherlands": "'district_water' is a word of Terra Incognita",
    "Nubia": "'resolve_district' is a word of Terra Incognita",
    "Ottoman": "give_card is for leaders with a `given_card`",
    "Apadana": "'explore' is a word of Terra Incognita",
    "Jebel Barkal": "'combat_per_resource' is a word of Terra Incognita",
    "University of Sankore": "'growth' is a word of Terra Incognita",
}


def guest(name):
    """Return house rules with the ability of the expansion's leader or wonder as one of the base game's."""
    if name in names.TI_LEADERS:
        return {"leaders": {"guest": {"name": "Guest", "start_row": ROW, "abilities": [{"ability": slug(name)}]}}}
    wonder = {"type": "culture", "era": "ancient", "cost": 7, "resources": ["marble", "oil"]}
    return {"wonders": {"guest": {"name": "Guest", **wonder, "abilities": [{"ability": slug(name)}]}}}


@pytest.fixture
def base(tmp_path):
    """Load house rules in the base game."""

    def load(rules):
        file = tmp_path / "mixed.yaml"
        file.write_text(yaml.safe_dump(rules), "utf-8")
        return load_ruleset([file])

    return load


@pytest.mark.parametrize("name", [*names.TI_LEADERS, *names.TI_WONDERS])
def test_what_the_base_game_has_words_for_may_be_taken_over_the_rest_is_refused_in_one_line(base, name):
    if name in ONLY_THERE:
        with pytest.raises(UserError) as caught:
            base(guest(name))
        assert ONLY_THERE[name] in str(caught.value)
        assert "\n" not in str(caught.value)
    else:
        data = base(guest(name)).data
        kind = "leader" if name in names.TI_LEADERS else "wonder"
        assert entries(data, kind)["guest"]["abilities"]


def test_leaders_of_the_expansion_play_the_base_game_under_the_audit(base):
    guests = {name: guest(name)["leaders"]["guest"] | {"name": f"Guest {name}"} for name in ("China", "England", "Inca")}
    r = base({"leaders": {f"guest_{slug(name)}": entry for name, entry in guests.items()}}).compile()
    w, g = state.new_work(), state.new_state()
    g.players, g.round_cap = 3, 8
    g.leader[:3] = [written(r, "leader").index(entry["name"]) for entry in guests.values()]
    seed_streams(g, 1, 0)
    bots = seat_strategies(choose_random, observe_audit)
    start_game(r, g, w, bots)
    while play_step(r, g, w, bots) != 0:
        pass
    assert (int(w.violation), int(g.round_number)) == (0, 8)
