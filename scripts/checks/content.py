"""Random own leaders and wonders, each set played in a random game with every invariant checked before every decision.

    python -m newdawn.scripts.checks.content --sets 250 --jobs 2

A set has two own leaders and two own wonders with up to three random abilities each, all four in one game: 250 sets are 1,000
leaders and wonders. Every ability that the models accept may come. A failure is told by its number, which draws it again.
"""

from __future__ import annotations

import json
import random
from typing import Any, get_args

import click

LEADERS = WONDERS = 2
ABILITIES = 3
KINDS = ("culture", "science", "economy", "military")
# One of a ruleset; with a card to give; of city-states; of diplomacy cards.
NOT_DRAWN = ("trade_bank", "give_card", "city_state_as_city", "shared_land")


def random_ability(dice: random.Random, *, wonder: bool) -> dict[str, Any]:
    """Draw an ability that the model of its effect accepts, for a leader or a world wonder."""
    from pydantic import ValidationError

    from newdawn.simulator.rules.ability_codes import TI_WORDS
    from newdawn.simulator.rules.loading.abilities import MODELS, words_of
    from newdawn.simulator.rules.loading.checks import WITH_SPACE

    while True:
        effect = dice.choice(list(MODELS))
        model = MODELS[effect]
        drawn: dict[str, Any] = {"effect": effect}
        for name, field in model.model_fields.items():
            key = field.alias or name
            if key in ("effect", "works", "giver", "for_giver", "giver_places"):
                continue
            if (not field.is_required() and dice.random() < 0.6):
                continue
            drawn[key] = _value(dice, key, field.annotation)
        try:
            model.model_validate(drawn)
        except ValidationError:
            continue
        if drawn.get("next_to") == "that_space" and drawn["moment"] not in WITH_SPACE:
            continue
        if effect in NOT_DRAWN or any(word in TI_WORDS for word in words_of(drawn)):
            continue
        if drawn.get("whose") == "giver" or (drawn.get("moment") in ("built", "built_or_captured") and not wonder):
            continue
        return drawn


def _value(dice: random.Random, key: str, annotation: Any) -> Any:
    words = _words(annotation)
    if key in ("if", "unless"):
        return {dice.choice(words): dice.randint(1, 3)}
    if key == "slots":
        return sorted(dice.sample(range(1, 6), dice.randint(1, 5)))
    if key in ("terrain", "target", "when", "doing", "type", "era", "through"):
        return dice.sample(words, dice.randint(1, len(words)))
    if words:
        return dice.choice(words)
    if key in ("coastal", "adjacent", "new_type", "reinforced", "once"):
        return dice.random() < 0.5
    return dice.randint(-3, 5)


def _words(annotation: Any) -> list[str]:
    found: list[str] = []
    for part in get_args(annotation):
        found += [part] if isinstance(part, str) else _words(part) if not isinstance(part, int) else []
    return list(dict.fromkeys(found))


def random_content(number: int) -> dict[str, Any]:
    """Return the house rules of set `number`."""
    dice = random.Random(number)

    def abilities(*, wonder: bool) -> list[dict[str, Any]]:
        return [random_ability(dice, wonder=wonder) for _ in range(dice.randint(1, ABILITIES))]

    row = ["culture", "science", "economy", "industry", "military"]
    leaders = {
        f"own{k}": {"name": f"Own{k}", "start_row": dice.sample(row, 5), "abilities": abilities(wonder=False)}
        for k in range(LEADERS)
    }
    wonders = {
        f"work{k}": {
            "name": f"Work{k}", "type": dice.choice(KINDS), "era": "ancient", "cost": dice.randint(1, 9),
            "resources": ["oil", "marble"], "abilities": abilities(wonder=True),
        }
        for k in range(WONDERS)
    }  # fmt: skip
    return {"leaders": leaders, "wonders": wonders}


def play_content(number: int, round_cap: int = 60) -> str:
    """Play set `number` with random players under the audit; return what is wrong, or an empty text."""
    import numpy as np

    from newdawn.simulator.engine.core.jit import seat_strategies
    from newdawn.simulator.engine.core.rng import seed_streams
    from newdawn.simulator.engine.core.state import STATE, new_work
    from newdawn.simulator.engine.course.invariants import observe_audit
    from newdawn.simulator.engine.course.play import play_step
    from newdawn.simulator.engine.course.setup import start_game
    from newdawn.simulator.engine.course.treatment import give_wonder
    from newdawn.simulator.engine.course.violations import VIOLATIONS
    from newdawn.simulator.names import LEADERS as PRINTED_LEADERS
    from newdawn.simulator.names import WONDERS as PRINTED_WONDERS
    from newdawn.simulator.rules.loading.load import load_ruleset, with_overlay
    from newdawn.strategies.basic import choose_random

    content = random_content(number)
    r, w = with_overlay(load_ruleset(), content, f"set {number}").compile(), new_work()
    g = np.zeros(1, STATE).view(np.recarray)[0]
    bots = seat_strategies(choose_random, observe_audit)
    g.players, g.round_cap = 2 + number % 3, round_cap
    for seat in range(g.players):
        g.leader[seat] = len(PRINTED_LEADERS) + seat if seat < LEADERS else seat
    seed_streams(g, 1, number)
    start_game(r, g, w, bots)
    play_step(r, g, w, bots)
    for k in range(WONDERS):  # else nobody might build them
        give_wonder(r, g, w, bots, k % int(g.players), len(PRINTED_WONDERS) + k)
    while play_step(r, g, w, bots) != 0 and w.violation == 0:
        pass
    if w.violation != 0:
        return f"set {number}: {VIOLATIONS[w.violation]}: {json.dumps(content)}"
    return "" if g.to_do_n == 0 else f"set {number}: deeds left undone"


@click.command()
@click.option("--sets", default=250, show_default=True, help="Sets of two leaders and two wonders.")
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
