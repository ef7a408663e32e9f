"""Random own content, each set played in a random game with every invariant checked before every decision.

    python -m newdawn.scripts.checks.random_content --sets 250 --jobs 2

A set is a house rule of the second reading's draw (`own_content`: own and changed leaders, wonders, cards and tokens with
abilities in the words of docs/abilities.md), with a map tile and two random agendas: 250 sets are 750 own leaders and as many
wonders. Sets with even numbers are of the base game, the others of Terra Incognita. The number of a failing set draws it again.
The soak and the referee draw the same content with `--content`.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any, get_args

import click

from ...simulator import names

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "tests" / "second_reading")]

LEADERS = WONDERS = 3  # own ones of a set
KINDS = ("culture", "science", "economy", "military")
TERRAINS = ("grassland", "hills", "forest", "desert", "mountain", "water")
TILE = 22
# What the second reading has no meanings for, and may stand in any set of the box.
ALLIANCE = {"effect": "alliance", "amount": 1, "moment": "first_turn"}
FOUNDER = {"effect": "founds_city", "amount": 2}


def box_of_set(number: int) -> str:
    """Return the box of set `number`."""
    return names.BOXES[number % len(names.BOXES)]


def own_content(box: str, number: int) -> dict[str, Any]:
    """Return house rule `number` of the box with own content that the program accepts, by readings as the box has them."""
    from draw import random_rules
    from verdicts import quick_refusal

    content: dict[str, Any] = random_rules(number, lambda kind, ability: not quick_refusal(box, kind, ability), box, 0.0)
    content.pop("rulings", None)
    dice = random.Random(number)
    if dice.random() < 0.3:
        content["leaders"]["own1"]["abilities"].append(ALLIANCE)
    if dice.random() < 0.3:
        content["wonders"]["work1"]["abilities"].append(FOUNDER)
    return content


def random_content(number: int) -> dict[str, Any]:
    """Return the house rules of set `number`."""
    box = box_of_set(number)
    dice, content = random.Random(number), own_content(box, number)
    face = {"terrain": [dice.choice(TERRAINS) for _ in range(10)]}
    content["tiles"] = {str(TILE): {"kind": "plain", "sides": {"A": face, "B": face}}}
    agendas = [{"name": name, "condition": random_condition(dice, box)} for name in ("One", "Two")]
    return content | {"victory_cards": {"one_two": {"agendas": agendas}}}


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


def own_codes(r: Any, kind: str) -> list[int]:
    """Return the codes of a set's own leaders or wonders in the compiled rules."""
    from ...simulator.rules.ruleset_contents import written

    stem = {"leader": "Own", "wonder": "Work"}[kind]
    return [code for code, name in enumerate(written(r, kind)) if name.startswith(stem) and name[len(stem) :].isdigit()]


def give_own_wonders(r: Any, g: Any, w: Any, bots: Any) -> None:
    """Give a set's own wonders to the players, one after the other, for nobody may build them; call it after the first step."""
    from ...simulator.engine.treatment import give_wonder

    for k, wonder in enumerate(own_codes(r, "wonder")):
        give_wonder(r, g, w, bots, k % int(g.players), wonder)


def play_content(number: int, round_cap: int = 60) -> str:
    """Play set `number` with random players under the audit; return what is wrong, or ''."""
    import numpy as np

    from ...simulator.engine import audit, state
    from ...simulator.engine.audit import observe_audit
    from ...simulator.engine.choosing import seed_streams
    from ...simulator.engine.compile.jit import seat_strategies
    from ...simulator.engine.setup import start_game
    from ...simulator.engine.turn import play_step
    from ...simulator.rules.load import load_ruleset, with_overlay
    from ...strategies.archetypes import choose_random

    content = random_content(number)
    r, w = with_overlay(load_ruleset(box=box_of_set(number)), content, f"set {number}").compile(), state.new_work()
    leaders = own_codes(r, "leader")
    g = np.zeros(1, state.STATE).view(np.recarray)[0]
    bots = seat_strategies(choose_random, observe_audit)
    g.players, g.round_cap = 2 + number % 3, round_cap
    for seat in range(g.players):
        g.leader[seat] = leaders[seat] if seat < LEADERS else seat
    seed_streams(g, 1, number)
    start_game(r, g, w, bots)
    play_step(r, g, w, bots)
    give_own_wonders(r, g, w, bots)
    while play_step(r, g, w, bots) != 0 and w.violation == 0:
        pass
    if w.violation != 0:
        return f"set {number}: {audit.VIOLATIONS[w.violation]}: {json.dumps(content)}"
    return "" if g.to_do_n == 0 or w.fault_n != 0 else f"set {number}: deeds left undone"


@click.command()
@click.option(
    "--sets", default=250, show_default=True, help="Sets of three leaders, three wonders, and one of each other kind."
)
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
