"""In what two runs that stand beside each other differ: box, rules, players, leaders, strategies, seeds, version."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from ...simulator import names
from ...simulator.rules import describe_diff

MOST_LINES = 12  # changes of rules that are listed
Fact = tuple[str, str, str]  # what, in the first run, in the second


def contrast(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Return from two manifests the facts in which the runs differ, what is alike, and the changed values of the rules, of
    which `more` are not listed."""
    one, two = facts(first), facts(second)
    differing: list[Fact] = [(what, one[what], two[what]) for what in one if one[what] != two[what]]
    alike = [what for what in one if one[what] == two[what]]
    lines, more = _rules(first, second)
    if lines and not any(what == "rules" for what, *_ in differing):
        differing.insert(0, ("rules", one["rules"], f"{two['rules']}, other values"))
        alike.remove("rules")
    return {"differs": differing, "alike": alike, "rules": lines, "more": more}


def facts(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return in words how a run was played."""
    plan, rules = manifest.get("plan", {}), manifest.get("ruleset", {})
    return {
        "box": str(rules.get("box", names.BOXES[0])),
        "rules": str(rules.get("name", "unknown")),
        "number of players": str(plan.get("players", "unknown")),
        "leaders": _named(plan, "leaders", "drawn for each game"),
        "strategies": _named(plan, "strategies", "drawn for each seat"),
        "round cap": str(plan.get("round_cap", "unknown")),
        "seed": ", ".join(dict.fromkeys(str(part.get("seed")) for part in manifest.get("segments", [plan]))),
        "version of the engine": str(manifest.get("engine", "unknown")),
    }


def _named(plan: Mapping[str, Any], what: str, drawn: str) -> str:
    """Return a pool's names in their alphabetical order, or those of a line-up as they sit."""
    found = [str(name) for name in plan.get(what, [])]
    if plan.get(f"{what}_drawn"):
        return f"{', '.join(sorted(found))} ({drawn})"
    return ", ".join(found if len(set(found)) > 1 else found[:1]) or "unknown"


def _rules(first: Mapping[str, Any], second: Mapping[str, Any]) -> tuple[list[str], int]:
    """Return the values in which the rules of one box differ, and how many more there are; boxes differ in everything."""
    data = [manifest.get("ruleset", {}).get("data") for manifest in (first, second)]
    if None in data or facts(first)["box"] != facts(second)["box"]:
        return [], 0
    old, new = (SimpleNamespace(data=found) for found in data)
    lines = describe_diff(new, old)
    return lines[:MOST_LINES], max(0, len(lines) - MOST_LINES)
