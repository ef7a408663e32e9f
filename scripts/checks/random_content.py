"""Random own content, each set played in a random game with every invariant checked before every decision.

    python -m newdawn.scripts.checks.random_content --sets 250 --jobs 2

A set has two own leaders, two own wonders, a city-state, a natural wonder, a focus card and a map tile, with up to three random
abilities each, and a victory card with two random agendas, all in one game: 250 sets are 1,000 leaders and wonders. Sets with
even numbers are of the base game, the others of Terra Incognita. Every ability that the models accept in the box may be drawn.
The number of a failing set draws it again.
"""

from __future__ import annotations

import json
import random
from typing import Any, get_args

import click

from ...simulator import names

LEADERS = WONDERS = 2
ABILITIES = 3
KINDS = ("culture", "science", "economy", "military")
# Not drawn: one a ruleset; with a card to give; of city-states; of diplomacy cards; with a file beside the rules.
NOT_DRAWN = ("trade_bank", "give_card", "city_state_as_city", "shared_land", "non_aggression", "own_function")
TERRAINS = ("grassland", "hills", "forest", "desert", "mountain", "water")
TILE = 22


def box_of_set(number: int) -> str:
    """Return the box of set `number`."""
    return names.BOXES[number % len(names.BOXES)]


def random_ability(dice: random.Random, *, wonder: bool, box: str = names.BOXES[0]) -> dict[str, Any]:
    """Draw an ability that its model and contract accept in the box, for a world wonder or anything else."""
    from pydantic import ValidationError

    from ...simulator.rules import codes, contract
    from ...simulator.rules.content_models import model_of
    from ...simulator.rules.ruleset_contents import words_of

    while True:
        effect = dice.choice(codes.EFFECTS)
        model = model_of(effect)
        drawn: dict[str, Any] = {"effect": effect}
        for name, field in model.model_fields.items():
            key = field.alias or name
            if key in ("effect", "works", "giver", "for_giver", "giver_places"):
                continue
            if not field.is_required() and dice.random() < 0.6:
                continue
            drawn[key] = _value(dice, key, field.annotation)
        try:
            model.model_validate(drawn)
        except ValidationError:
            continue
        if next(contract.faults(drawn, "wonders" if wonder else "leaders"), None):
            continue
        foreign = box == names.BOXES[0] and any(word in codes.TI_WORDS for word in words_of(drawn))
        if effect in NOT_DRAWN or foreign or (effect == "founds_city" and not wonder):
            continue
        if (
            drawn.get("whose") == "giver"
            or "other_has_given_card" in str(drawn)
            or (drawn.get("moment") in ("built", "built_or_captured") and not wonder)
        ):
            continue
        return drawn


def _value(dice: random.Random, key: str, annotation: Any) -> Any:
    options = _options(annotation)
    if key in ("if", "unless"):
        return {dice.choice(options): dice.randint(1, 3)}
    if key == "slots":
        return sorted(dice.sample(range(1, 6), dice.randint(1, 5)))
    if key in ("terrain", "target", "when", "doing", "type", "era", "through"):
        return dice.sample(options, dice.randint(1, len(options)))
    if options:
        return dice.choice(options)
    if key in ("coastal", "adjacent", "new_type", "reinforced", "once"):
        return dice.random() < 0.5
    return dice.randint(-3, 5)


def _options(annotation: Any) -> list[str]:
    options: list[str] = []
    for part in get_args(annotation):
        options += [part] if isinstance(part, str) else _options(part) if not isinstance(part, int) else []
    return list(dict.fromkeys(options))


def random_content(number: int) -> dict[str, Any]:
    """Return the house rules of set `number`."""
    dice, box = random.Random(number), box_of_set(number)

    def abilities(*, wonder: bool = False) -> list[dict[str, Any]]:
        return [random_ability(dice, wonder=wonder, box=box) for _ in range(dice.randint(1, ABILITIES))]

    row = ["culture", "science", "economy", "industry", "military"]
    resources = ["oil", "marble", "mercury", "diamond"]
    leaders = {
        f"own{k}": {"name": f"Own{k}", "start_row": dice.sample(row, 5), "abilities": abilities()} for k in range(LEADERS)
    }
    wonders = {
        f"work{k}": {
            "name": f"Work{k}", "type": dice.choice(KINDS), "era": "ancient", "cost": dice.randint(1, 9),
            "resources": dice.sample(resources, 2), "abilities": abilities(wonder=True),
        }
        for k in range(WONDERS)
    }  # fmt: skip
    state = {"name": "State", "type": dice.choice(row), "in_place_of": "seoul", "abilities": abilities()}
    natural = {"name": "Rock", "resource": dice.choice(resources), "in_place_of": "pantanal", "abilities": abilities()}
    card = {"name": "Card", "type": dice.choice(row), "level": dice.randint(2, 4), "abilities": abilities()}
    agendas = [{"name": name, "condition": random_condition(dice, box)} for name in ("One", "Two")]
    face = {"terrain": [dice.choice(TERRAINS) for _ in range(10)]}
    return {
        "leaders": leaders, "wonders": wonders, "city_states": {"state": state}, "natural_wonders": {"rock": natural},
        "focus_cards": {"card": card}, "tiles": {str(TILE): {"kind": "plain", "sides": {"A": face, "B": face}}},
        "victory_cards": {"one_two": {"agendas": agendas}},
    }  # fmt: skip


def random_condition(dice: random.Random, box: str) -> dict[str, Any]:
    """Draw the condition of an agenda, sometimes a pair."""
    from ...simulator.rules.board_models import Metric, TiMetric

    def one() -> dict[str, Any]:
        metric = dice.choice(get_args(Metric if box == names.BOXES[0] else TiMetric))
        kinds = {"type": KINDS, "level": range(1, names.N_LEVELS + 1), "terrain": TERRAINS}
        by = names.METRIC[metric].by
        kind = {by: dice.choice(kinds[by])} if by else {}
        return {"metric": metric, "at_least": dice.randint(1, 5), **kind}

    kind = dice.choice(["one", "any_of", "all_of"])
    return one() if kind == "one" else {kind: [one(), one()]}


def play_content(number: int, round_cap: int = 60) -> str:
    """Play set `number` with random players under the audit; return what is wrong, or ''."""
    import numpy as np

    from ...simulator.engine import audit, state
    from ...simulator.engine.audit import observe_audit
    from ...simulator.engine.choosing import seed_streams
    from ...simulator.engine.compile.jit import seat_strategies
    from ...simulator.engine.setup import start_game
    from ...simulator.engine.treatment import give_wonder
    from ...simulator.engine.turn import play_step
    from ...simulator.rules.load import load_ruleset, with_overlay
    from ...simulator.rules.ruleset_contents import written
    from ...strategies.archetypes import choose_random

    content = random_content(number)
    r, w = with_overlay(load_ruleset(box=box_of_set(number)), content, f"set {number}").compile(), state.new_work()
    leaders, wonders = written(r, "leader"), written(r, "wonder")
    g = np.zeros(1, state.STATE).view(np.recarray)[0]
    bots = seat_strategies(choose_random, observe_audit)
    g.players, g.round_cap = 2 + number % 3, round_cap
    for seat in range(g.players):
        g.leader[seat] = leaders.index(f"Own{seat}") if seat < LEADERS else seat
    seed_streams(g, 1, number)
    start_game(r, g, w, bots)
    play_step(r, g, w, bots)
    for k in range(WONDERS):  # for nobody may build them
        give_wonder(r, g, w, bots, k % int(g.players), wonders.index(f"Work{k}"))
    while play_step(r, g, w, bots) != 0 and w.violation == 0:
        pass
    if w.violation != 0:
        return f"set {number}: {audit.VIOLATIONS[w.violation]}: {json.dumps(content)}"
    return "" if g.to_do_n == 0 else f"set {number}: deeds left undone"


@click.command()
@click.option("--sets", default=250, show_default=True, help="Sets of two leaders, two wonders, and one of each other kind.")
@click.option("--first", default=0, show_default=True, help="Number of the first set.")
@click.option("--jobs", default=2, show_default=True, help="Worker threads.")
def main(sets: int, first: int, jobs: int) -> None:
    """Play random own content with all invariants on."""
    import joblib

    work = (joblib.delayed(play_content)(number) for number in range(first, first + sets))
    wrong = [text for text in joblib.Parallel(jobs, backend="threading")(work) if text]
    for text in wrong:
        click.echo(text)
    drawn = sets * (LEADERS + WONDERS)
    click.echo(f"{drawn:,} own leaders and wonders in {sets:,} games, {len(wrong)} of them with a violation")
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
