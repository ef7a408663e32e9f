"""Profiles: the weights of a strategy, as YAML.

    like: planner          the profile it starts from; without it every weight has to be there
    function: module:name  the jitted function that plays with the weights [that of the profile it is like]
    description: ...       one sentence
    weights: {...}         the weights that differ (strategies/planning/weights.py names them)
    players: {2: {...}}    weights that differ once more with so many players
    boxes: {terra-incognita: {...}}  weights that differ once more in that box
    leaders: {Rome: {...}} weights that differ once more for a leader
    network: packaged      value network of a learned player: that of the package for the box played, or ./NAME for
                           NAME_4p.npz … beside this file
    policy: base           policy network of a learned player, in the same way
    restrictions: [...]    what it does without (planning/restrictions.py); for functions of strategies/learned
    tuned: {...}           where the numbers come from: command, seeds, figures

The profiles of this package lie in `profiles/`; a user's own may be like any of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from ..simulator import names
from ..simulator.errors import UserError, named, nearest, unknown
from ..simulator.file_ownership import write_alone
from ..simulator.reading import LONGEST_NAME, plainly, text_of, yaml_of
from .planning import restrictions, weights

FOLDER = Path(__file__).parent / "profiles"
PLAYER_COUNTS = range(2, max(names.MOST_PLAYERS.values()) + 1)
LOWEST, HIGHEST = -32_000, 32_000
OTHER_BOXES = tuple(box for code, box in enumerate(names.BOXES) if code != names.BASE_BOX)  # `weights`: the base game

Weights = dict[str, int]


@dataclass
class Profile:
    """A profile as it is written; `resolve` puts it on top of the one it is like.

    No pydantic model: every worker reads profiles, and needs that library for nothing else.
    """

    like: str | None = None
    function: str | None = None
    description: str = ""
    weights: Weights = field(default_factory=dict)
    players: dict[int, Weights] = field(default_factory=dict)
    boxes: dict[str, Weights] = field(default_factory=dict)
    leaders: dict[str, Weights] = field(default_factory=dict)
    network: str | None = None
    policy: str | None = None
    restrictions: list[str] = field(default_factory=list)
    tuned: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> Profile:
        """Return the profile of a `dataclasses.asdict`, also from JSON, where keys are strings."""
        return cls(**{**written, "players": {int(count): given for count, given in written["players"].items()}})


FIELDS = tuple(Profile.__dataclass_fields__)
NETWORKS = ("network", "policy")
TEXTS = ("like", "function", "description", *NETWORKS)
TYPE_NAMES = {str: "a string", int: "an integer", dict: "a dictionary", list: "a list"}


def packaged() -> list[str]:
    """Return the names of the profiles of this package."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def read(path: Path) -> Profile:
    """Read a profile; raise UserError naming file, field and what was expected."""
    data = yaml_of(text_of(path, "profile"), str(path), string_keys=False)
    with plainly(path, "a profile"):
        profile = parse(data, str(path))
        for name in NETWORKS:
            network = getattr(profile, name)
            if network is not None and is_path(network):
                setattr(profile, name, str((path.parent / network).resolve()))
    return profile


def is_path(network: str) -> bool:
    """Is the network of a profile a user's file, not a packaged one?"""
    return "/" in network or "\\" in network


def parse(data: Any, where: str) -> Profile:
    """Check what a profile file holds; `where` names it in errors."""
    if not isinstance(data, dict):
        raise UserError(f"{where}: expected a mapping with weights and, as a rule, 'like: planner'")
    for name in data:
        if name not in FIELDS:
            raise unknown("field", str(name), FIELDS, where)
    _check_kinds(data, where)
    for name in NETWORKS:
        if len(data.get(name) or "") > LONGEST_NAME:
            raise UserError(f"{where}: {name}: has {len(data[name])} characters; expected at most {LONGEST_NAME}")
    profile = Profile(**data)
    if profile.function is not None and not re.fullmatch(r"[\w.]+:\w+", profile.function):
        raise UserError(f"{where}: function: '{profile.function}' is not valid; expected module:name")
    if profile.like is not None and profile.like not in packaged():
        raise unknown("profile", profile.like, packaged(), f"{where}: like")
    for count in profile.players:
        if count not in PLAYER_COUNTS:
            raise UserError(f"{where}: players: {count} is not valid; expected 2 to {PLAYER_COUNTS[-1]}")
    by_name = [named("leader", leader, names.LEADERS, where) for leader in profile.leaders]
    if twice := next((leader for leader in by_name if by_name.count(leader) > 1), None):
        raise UserError(f"{where}: leaders: '{twice}' is named twice")
    profile.leaders = dict(zip(by_name, profile.leaders.values(), strict=True))
    for box in profile.boxes:
        if box not in OTHER_BOXES:
            raise unknown("box", box, OTHER_BOXES, f"{where}: boxes")
    for given in (profile.weights, *profile.players.values(), *profile.boxes.values(), *profile.leaders.values()):
        for name, value in given.items():
            if name not in weights.MEANINGS:
                raise UserError(
                    f"{where}: unknown weight '{name}'; `newdawn strategies weights` lists them{nearest(name, weights.NAMES)}"
                )
            if not LOWEST <= value <= HIGHEST:
                raise UserError(f"{where}: {name}: {value} is not valid; expected {LOWEST} to {HIGHEST}")
    if profile.like is None and (missing := set(weights.NAMES) - set(profile.weights) - set(weights.DEFAULTS)):
        raise UserError(f"{where}: {min(missing)} is missing; say 'like: planner' to inherit what is not named")
    return profile


def check_restrictions(
    names: Sequence[str], where: str = "", agendas: Sequence[str] = (*names.AGENDAS, *names.TI_AGENDAS)
) -> None:
    """Raise UserError, beginning with `where`, for unknown or contradictory restrictions (planning/restrictions.py).

    `agendas`: those that may be ignored; in a profile the printed ones.
    """
    place = f"{where}: " if where else ""
    for name in names:
        if name not in restrictions.RESTRICTIONS and not (isinstance(name, str) and name.startswith(restrictions.AGENDA)):
            raise unknown("restriction", str(name), [*restrictions.RESTRICTIONS, f"{restrictions.AGENDA}NAME"], where)
    for agenda in restrictions.ignored_agendas(names):
        if agenda not in agendas:
            raise unknown("agenda", agenda, agendas, where)
    if len(both := set(restrictions.ignored_agendas(names))) > 1:
        raise UserError(f"{place}{' and '.join(sorted(both))} cannot both be ignored; expected one agenda at most")
    if set(restrictions.OPPOSED) <= set(names):
        raise UserError(f"{place}{' and '.join(restrictions.OPPOSED)} exclude each other; expected one of the two")


def restriction_bits(names: Iterable[str]) -> int:
    """Return the restrictions as the bits of weights.FORBIDDEN."""
    order = list(restrictions.RESTRICTIONS)
    return sum(1 << order.index(name) for name in set(names) & set(order))


def _check_kinds(data: Mapping[str, Any], where: str) -> None:
    """Raise UserError for the first field of a wrong type."""
    for name, value in data.items():
        _check_kind(value, str if name in TEXTS else list if name == "restrictions" else dict, name, where)
    check_restrictions(data.get("restrictions", ()), f"{where}: restrictions")
    for name in ("players", "boxes", "leaders"):
        for key, given in data.get(name, {}).items():
            _check_kind(key, int if name == "players" else str, f"{name}: {key}", where)
            _check_kind(given, dict, f"{name}.{key}", where)
            for weight, value in given.items():
                _check_kind(value, int, f"{name}.{key}.{weight}", where)
    for weight, value in data.get("weights", {}).items():
        _check_kind(value, int, f"weights.{weight}", where)


def _check_kind(value: Any, kind: type, name: str, where: str) -> None:
    if not isinstance(value, kind) or isinstance(value, bool):
        raise UserError(f"{where}: {name}: expected {TYPE_NAMES[kind]}, not {value!r}")


def find(name: str) -> Profile:
    """Return a profile of this package; raise UserError if there is none of the name."""
    if name not in packaged():
        raise unknown("profile", name, packaged())
    return read(FOLDER / f"{name}.yaml")


def resolve(profile: Profile, seen: tuple[str, ...] = ()) -> Profile:
    """Return the profile with everything it inherits from the one it is like."""
    if profile.like is None:
        return replace(profile, weights=weights.DEFAULTS | profile.weights)
    if profile.like in seen:
        raise UserError(f"profile {profile.like}: is like itself, via {', '.join(seen)}")
    base = resolve(find(profile.like), (*seen, profile.like))
    return Profile(
        function=profile.function or base.function,
        description=profile.description or base.description,
        weights=base.weights | profile.weights,
        players=_merge(base.players, profile.players, profile.weights),
        boxes=_merge(base.boxes, profile.boxes, profile.weights),
        leaders=_merge(base.leaders, profile.leaders, profile.weights),
        network=profile.network or base.network,
        policy=profile.policy or base.policy,
        restrictions=[*base.restrictions, *(name for name in profile.restrictions if name not in base.restrictions)],
    )


def _merge(base: Mapping[Any, Weights], own: Mapping[Any, Weights], over: Weights) -> dict[Any, Weights]:
    """Return the exceptions of both; the own weights for all (`over`) replace inherited exceptions."""
    inherited = {key: {name: value for name, value in given.items() if name not in over} for key, given in base.items()}
    return {key: inherited.get(key, {}) | own.get(key, {}) for key in {**inherited, **own}}


def table(profile: Profile, players: int, box: str) -> np.ndarray:
    """Return the weights of a resolved profile with so many players in the box: one row a leader, by code."""
    rows = np.zeros((names.MAX_LEADERS, names.WEIGHTS), np.int32)
    common = profile.weights | profile.players.get(players, {}) | profile.boxes.get(box, {})
    for code in range(names.MAX_LEADERS):
        leader = names.LEADERS[code] if code < len(names.LEADERS) else ""  # leaders of house rules have no exceptions
        values = common | profile.leaders.get(leader, {})
        rows[code, : len(weights.NAMES)] = [values[name] for name in weights.NAMES]
    rows[:, weights.FORBIDDEN] = restriction_bits(profile.restrictions)
    for agenda in restrictions.ignored_agendas(profile.restrictions):
        rows[:, weights.IGNORED] = restrictions.mark(agenda)
    return rows


def write(path: Path, profile: Profile, tuned: Mapping[str, Any]) -> None:
    """Write a resolved profile with the origin of its numbers."""
    data = {name: value for name, value in asdict(profile).items() if value} | {"tuned": dict(tuned)}
    data["weights"] = {name: profile.weights[name] for name in weights.NAMES}
    write_alone(path, yaml.safe_dump(data, sort_keys=False, width=120, allow_unicode=True).encode())
