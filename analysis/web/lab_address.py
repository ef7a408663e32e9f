"""The address of the lab's page that asks the same question as a command. Start with `address_of`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from ...simulator.rules import load_ruleset
from ...simulator.rules.load import Ruleset
from ...simulator.rules.overlay import describes
from ...simulator.rules.printed_game import leaves
from ...simulator.runs.run_plan import Plan, available_leaders
from ...strategies.registry import STRATEGIES
from .house_rules_form import form_of

PAGE = "http://localhost:8000/"  # where `python -m http.server --directory lab` shows it
ASKABLE = ("compare", "compare --players", "run", "run --players")  # commands whose question the page asks, too


def changes_of(ruleset: Ruleset) -> dict[str, Any]:
    """Return the values in which a ruleset differs from the printed game, by path; what it removes is None."""
    new, old = dict(leaves(ruleset.data)), dict(leaves(load_ruleset(box=ruleset.box).data))
    paths = [path for path in dict.fromkeys((*new, *old)) if new.get(path) != old.get(path)]
    return {path: new.get(path) for path in paths if not describes(path)}


def address_of(ruleset: Ruleset, plan: Plan, against: Ruleset | None = None) -> str:
    """Return the address at which the page plays these games (static/question.js, `address`); "" if it cannot.

    It cannot compare with rules other than the printed ones, play own strategies, or change what its form does not have.
    """
    if against is not None and (against.box != ruleset.box or changes_of(against)):
        return ""
    changes = changes_of(ruleset)
    if not set(plan.strategies) <= {strategy.name for strategy in STRATEGIES} or not _in_form(ruleset.box, changes):
        return ""
    asked: dict[str, Any] = {"box": ruleset.box, "players": plan.players}
    if not plan.leaders_drawn or set(plan.leaders) != set(available_leaders(ruleset.compile())):
        asked["leaders"] = f"{'pool' if plan.leaders_drawn else 'lineup'}:{','.join(plan.leaders)}"
    asked |= {"play": _players(plan), "games": plan.games, "seed": plan.seed}
    asked |= {f"rule.{path}": json.dumps(changes[path]) for path in sorted(changes)}
    if changes and against is None:
        asked["compare"] = "no"
    return f"{PAGE}#{urlencode(asked)}"


MOST_VARIANTS, LETTERS = 4, "ABCD"  # that the page compares with the printed game at once


def address_of_variants(rulesets: Sequence[Ruleset], plan: Plan, leader: str = "") -> str:
    """Return the address at which the page compares rulesets with the first one; "" if it cannot.

    `leader`: whom the best brings nearest to its fair share; "": all leaders count.
    """
    printed, *variants = rulesets
    changes = [changes_of(ruleset) for ruleset in variants]
    able = not changes_of(printed) and len(variants) <= MOST_VARIANTS
    if not able or not all(own and _in_form(printed.box, own) for own in changes):
        return ""
    address = address_of(printed, plan)
    asked = {
        f"{f'{letter}.' if at else ''}rule.{path}": json.dumps(own[path])
        for at, (letter, own) in enumerate(zip(LETTERS, changes, strict=False))
        for path in sorted(own)
    }
    asked |= {"leader": leader} if leader else {}
    return f"{address}&{urlencode(asked)}" if address else ""


def _players(plan: Plan) -> str:
    names: Sequence[str] = plan.strategies
    if len(set(names)) == 1:
        return names[0]
    return f"{'pool' if plan.strategies_drawn else 'seats'}:{','.join(names)}"


def _in_form(box: str, changes: dict[str, Any]) -> bool:
    """Return whether the page's form has all of these keys, with these values."""
    if not changes:
        return True
    if not all(type(value) in (bool, int, str) for value in changes.values()) or len(changes) > MOST:
        return False
    rows = {row["key"]: row for row in form_of(box, tuple(changes))["rows"]}
    return all(path in rows and _fits(rows[path], value) for path, value in changes.items())


MOST = 30  # changes in an address


def _fits(row: dict[str, Any], value: Any) -> bool:
    if "least" in row:
        return type(value) is int and bool(row["least"] <= value <= row["most"])
    return value in row.get("values", (True, False))
