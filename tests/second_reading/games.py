"""Games of drawn content, watched: begin with `play`. Importing this puts Python between engine functions (`hooks`)."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

import draw
import hooks
from content import BASE, EXPANSION, Ability, Content, key_of
from verdicts import PRINTED, quick_refusal
from watch import Watch

from newdawn.simulator.engine import (
    abilities,
    choosing,
    combat,
    industry,
    pieces,
    science,
    setup,
    start_effects,
    state,
    trade,
    treatment,
    turn,
)
from newdawn.simulator.engine.compile.jit import needed_for, ready, seat_strategies
from newdawn.simulator.rules.load import with_overlay
from newdawn.simulator.rules.ruleset_contents import written

SEED = 57
WATCH = Watch()
HOOKED = {
    choosing.choose: WATCH.on_choose,
    trade.gain_trade: WATCH.on_gain_trade,
    trade.give_trade: WATCH.on_give_trade,
    trade.gain_resource: WATCH.on_gain_resource,
    trade.gain_resource_of: WATCH.on_gain_resource_of,
    trade.loot_trade: WATCH.on_loot_trade,
    trade.give_up_trade: WATCH.on_give_up_trade,
    pieces.take_token_off: WATCH.on_take_token_off,
    pieces.swap_token: WATCH.on_swap_token,
    pieces.take_city_off: WATCH.on_take_city_off,
    pieces.return_caravan: WATCH.on_return_caravan,
    pieces.return_army: WATCH.on_return_army,
    abilities.happen: WATCH.on_happen,
    industry.wonder_acts: WATCH.on_wonder_acts,
    science.advance_dial: WATCH.on_advance_dial,
    start_effects.do_deed: WATCH.on_do_deed,
    start_effects.follow_up: WATCH.on_follow_up,
    start_effects.start_of_turn: WATCH.on_start_of_turn,
    combat.attack_bonus: WATCH.on_attack_bonus,
    combat.defence_bonus: WATCH.on_defence_bonus,
    turn.close_turn: WATCH.on_close_turn,
    turn.end_round: WATCH.on_end_round,
    turn.play_card: WATCH.on_play_card,
}
MEDDLE: dict[str, Callable[..., Any]] = {}  # engine functions broken on purpose: function(call, arguments) instead of call()


def meddled(name: str, around: hooks.Around) -> hooks.Around:
    """Let what is in `MEDDLE` come between the reading and the engine's function."""

    def called(call: Any, *arguments: Any) -> Any:
        change = MEDDLE.get(name)
        return around(call if change is None else lambda: change(call, arguments), *arguments)

    return called


hooks.install({function: meddled(function.__name__, around) for function, around in HOOKED.items()}, WATCH.is_asking)

from newdawn.strategies.registry import find  # noqa: E402  # strategies call what is hooked

PLAYERS = {BASE: ["random", "warrior", "merchant", "builder", "expander", "scholar", "planner", "planner"]}
PLAYERS[EXPANSION] = [*PLAYERS[BASE], "castellan", "urbanist"]
Rows = Callable[[Any], None]


def as_it_is(r: Any) -> None:
    """Break nothing."""


class Draw:
    """Draws house rules that the program accepts, and counts what it refuses."""

    def __init__(self, box: str) -> None:
        self.box = box
        self.refused: list[tuple[Ability, str]] = []
        self.asked = 0

    def accepted(self, kind: str, ability: Ability) -> bool:
        self.asked += 1
        said = quick_refusal(self.box, kind, ability)
        if said:
            self.refused.append((ability, said))
        return not said

    def rules(self, number: int, wild: float) -> dict[str, Any]:
        return draw.random_rules(number, self.accepted, self.box, wild)


def play(rules: dict[str, Any], box: str, games: Iterable[int], title: str = "", cap: int = 25, rows: Rows = as_it_is) -> Watch:
    """Play the games of a house rule; `WATCH` has what differs. Own leaders are seated first, changed ones next.

    `rows` may change the compiled rules, to break something on purpose.
    """
    r = with_overlay(PRINTED[box], rules, "draw").compile()
    content = Content(box, rules)
    rows(r)
    leaders, wonders = written(r, "leader"), written(r, "wonder")
    own = [name for name in wonders if name in {entry.get("name") for entry in (rules.get("wonders") or {}).values()}]
    ready(*needed_for(r))
    w = state.new_work()
    for game in games:
        dice = np.random.default_rng([SEED, game])
        g = state.new_state()
        choosing.seed_streams(g, SEED, game)
        g.players = 2 + game % (3 if box == BASE else 4)
        g.round_cap = cap
        g.leader[: g.players] = _seated(r, rules, leaders, dice)[: g.players]
        players = [find(PLAYERS[box][int(dice.integers(len(PLAYERS[box])))]) for _ in range(g.players)]
        bots = seat_strategies([player.load() for player in players])
        for seat, player in enumerate(players):
            g.weights[seat] = player.weights(int(g.players), box)[g.leader[seat]]
        WATCH.begin(r, g, content, f"{title}, game {game}")
        setup.start_game(r, g, w, bots)
        turn.play_step(r, g, w, bots)
        for k, name in enumerate(own):  # else few would have them
            treatment.give_wonder(r, g, w, bots, k % int(g.players), wonders.index(name))
        while turn.play_step(r, g, w, bots) != 0:
            hooks.take_error()
        hooks.take_error()
        WATCH.counts["games"] += 1
    return WATCH


def _seated(r: Any, rules: dict[str, Any], leaders: list[str], dice: np.random.Generator) -> list[int]:
    """Return leaders in the order in which they are seated: own ones, then those that the house rule changes."""
    named = rules.get("leaders") or {}
    own = [code for code, name in enumerate(leaders) if name in {entry.get("name") for entry in named.values()}]
    others = [code for code in dice.permutation(len(leaders)).tolist() if code not in own and r.leader_available[code]]
    changed = [code for code in others if key_of(leaders[code]) in named]
    return list(dict.fromkeys([*dice.permutation(own).tolist(), *changed, *others]))


def compare(box: str, contents: Iterable[int], games: int, wild: float = 0.0, cap: int = 25) -> dict[str, Any]:
    """Compare so many games of each content by its number; return what was counted and what differed."""
    drawn = Draw(box)
    wrong: list[str] = []
    WATCH.counts.clear()
    WATCH.acted.clear()
    for number in contents:
        WATCH.differences.clear()
        play(drawn.rules(number, wild), box, range(number * 1000, number * 1000 + games), f"content {number}", cap)
        wrong += WATCH.differences
    counts = {**WATCH.counts, "abilities drawn": drawn.asked, "abilities refused": len(drawn.refused)}
    return {"counts": counts, "acted": dict(WATCH.acted), "wrong": wrong}


def printed_games(box: str, games: int) -> dict[str, Any]:
    """Compare games of the printed box."""
    WATCH.differences.clear()
    play({}, box, range(games), "printed")
    return {"counts": dict(WATCH.counts), "wrong": list(WATCH.differences)}


def drawn_rules(box: str, number: int, wild: float) -> dict[str, Any]:
    """Return the house rule of a number."""
    return Draw(box).rules(number, wild)


if __name__ == "__main__":  # what to do as JSON: a function and its arguments, again and again; the answers are printed as JSON
    sys.modules["games"] = sys.modules["__main__"]  # one watch a process
    import breaks
    import verdicts

    tasks = {"compare": compare, "printed": printed_games, "breaks": breaks.noticed, "drawn": drawn_rules,
             "unlike": verdicts.unlike, "noticed": verdicts.noticed, "sensible": verdicts.contents}  # fmt: skip
    print(json.dumps([tasks[name](**arguments) for name, arguments in json.loads(sys.argv[1])]))
