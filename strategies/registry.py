"""All strategies by name, what each claims to be (traits), and a user's own."""

from __future__ import annotations

import ast
import csv
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..simulator import late, names, user_modules
from ..simulator.errors import UserError, nearest, unknown
from . import profiles
from .planning import restrictions, weights

# --- Traits that packaged strategies declare and tests check: the measures in which one leads, what it needs chance for

NEVER, FOR_MAP, ALWAYS = "never", "to lay out the map", "always"


@dataclass(frozen=True)
class Traits:
    """Measurable claims of a strategy."""

    leads_in: tuple[str, ...] = ()  # measures (analysis.questions.ladder.MEASURES) in which it leads the archetypes
    chance: str = FOR_MAP  # what it uses its random bits for
    finishes: bool = True  # games among copies of it end by victory
    box: str = "base"  # where it is measured


TRAITS = {
    "expander": Traits(leads_in=("cities", "mature cities", "Civilized claimed")),
    "builder": Traits(leads_in=("world wonders",)),
    "scholar": Traits(leads_in=("science cards", "Technophile claimed")),
    "merchant": Traits(leads_in=("economy cards", "caravans arrived", "diplomacy cards")),
    "warrior": Traits(leads_in=("military cards", "attacks on players")),
    "explorer": Traits(leads_in=("culture cards",)),
    "pathfinder": Traits(leads_in=("tiles explored",), box="terra-incognita"),
    "urbanist": Traits(leads_in=("districts",), box="terra-incognita"),
    "castellan": Traits(leads_in=("forts taken",), box="terra-incognita"),
    "search": Traits(chance=ALWAYS),
    "fast": Traits(chance=ALWAYS),
    "quick": Traits(chance=ALWAYS),
    **dict.fromkeys(("conqueror", "architect", "settler", "inventor", "trader"), Traits(chance=ALWAYS)),
    "adept": Traits(chance=ALWAYS),
    "thinker": Traits(chance=ALWAYS),
    "master": Traits(chance=ALWAYS),
    "autoplayer": Traits(chance=FOR_MAP),
    "random": Traits(chance=ALWAYS, finishes=False),
}
ARCHETYPES = tuple(name for name, traits in TRAITS.items() if traits.leads_in and traits.box == "base")
OWN_OF_EXPANSION = tuple(name for name, traits in TRAITS.items() if traits.box != "base")  # archetypes of Terra Incognita only


def traits_of(name: str) -> Traits:
    """Return the traits of a strategy; one without, such as a user's own, has the defaults."""
    return TRAITS.get(name, Traits())


# --- The strategies by name, and a user's own by file or function
#
# What they play with is loaded late: names and descriptions need no engine.
#
# To add one to the package, add a line here and, if it has weights, a profile in `profiles/`. A strategy's module is imported
# and compiled only when it plays.

PLANNER = "newdawn.strategies.planning.planner:choose_planner"
SEARCH = "newdawn.strategies.planning.planner:choose_search"
LEARNED = "newdawn.strategies.learned.lookahead:choose_learned"
WAY = "newdawn.strategies.learned.candidate_turns:choose_way"  # the planner, with an eye on restrictions
HEEDS = {PLANNER: WAY, WAY: WAY, LEARNED: LEARNED}  # by function, the one that heeds restrictions


@dataclass(frozen=True)
class Strategy:
    """A name users type, the function behind it, the weights it is given, and one sentence about how it plays."""

    name: str
    function: str  # module:name
    description: str
    profile: str = ""  # name of a profile of the package; "" = none
    own: str = ""  # a profile of the user's, resolved, as JSON
    source: str = ""  # digest of the file of a function of the user's
    network: str = ""  # digest of the files of a value network of the user's
    packaged: bool = False
    slow: bool = False  # not among `fast`
    box: str = ""  # the only box it plays; "" = all

    def as_dict(self) -> dict[str, Any]:
        """Return the entry of a user's strategy in a manifest."""
        entry = asdict(self) | {"own": json.loads(self.own) if self.own else None}
        del entry["packaged"], entry["slow"], entry["box"]
        return entry

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> Strategy:
        """Return the strategy that `as_dict` wrote."""
        return cls(**{**written, "own": as_text(written["own"]) if written["own"] else ""})

    def load(self) -> Any:
        """Return the jitted function; its module is imported now. Raise UserError if there is none."""
        module_name, attribute = user_modules.parts(self.function)
        if self.source and _source(module_name) != self.source:
            raise UserError(f"strategy {self.name}: {module_name} has changed since the run was started")
        if self.packaged:
            return getattr(import_module(module_name), attribute)
        game = late.module("simulator.replay.interactive_game")
        what = f"strategy {self.name}"
        function = user_modules.imported(what, self.function)
        if game.takes_a_question(function):
            return game.bot(function)
        compiled = late.module("simulator.engine.compile.user_functions").compiled
        return compiled(what, function, "strategy", ", or let it take one parameter, the question")

    def weights(self, players: int, box: str = names.BOXES[names.BASE_BOX]) -> np.ndarray:
        """Return the weights: int32, one row a leader, by its code, columns as in weights.NAMES.

        The array is shared and cannot be written to.
        """
        profile = self.resolved() if self.network else None  # reading it takes as long as ten games
        if profile is not None and _trained(profile) != self.network:
            networks = " or ".join(name for name in (profile.network, profile.policy) if name)
            raise UserError(f"strategy {self.name}: {networks} is not the network that the run was started with")
        return _weights(self, players, box)

    def resolved(self) -> profiles.Profile | None:
        """Return the profile it plays with, with everything it takes over; None if it has no weights."""
        if self.own:
            return profiles.Profile.from_dict(json.loads(self.own))
        return profiles.resolve(profiles.find(self.profile)) if self.profile else None


@lru_cache(maxsize=256)
def _weights(strategy: Strategy, players: int, box: str) -> np.ndarray:
    profile = strategy.resolved()
    table = np.zeros((names.MAX_LEADERS, names.WEIGHTS), np.int32) if profile is None else profiles.table(profile, players, box)
    if profile is not None and profile.network is not None:
        network_files = late.module("strategies.network_files")
        table[:, weights.NETWORK] = network_files.use(network_files.in_box(profile.network, box), players)
    if profile is not None and profile.policy is not None and not table[0, weights.FORBIDDEN] & restrictions.LOOKING_AHEAD:
        network_files = late.module("strategies.network_files")
        policy = network_files.in_box(profile.policy, box)
        table[:, weights.POLICY] = network_files.use(policy, players, network_files.POLICY)
    table.flags.writeable = False
    return table


def _packaged(name: str, function: str, description: str, profile: str = "", slow: bool = False) -> Strategy:
    return Strategy(name, function, description, profile, packaged=True, slow=slow)


def _archetype(name: str, description: str, box: str = "") -> Strategy:
    """Return an archetype, whose function and profile have its name."""
    return replace(_packaged(name, f"newdawn.strategies.archetypes:choose_{name}", description, name), box=box)


STRATEGIES = (
    _packaged("planner", PLANNER, "quickest agendas, cards timed by slot, attacks by the odds; tuned by self-play", "planner"),
    _packaged("opportunist", PLANNER, "works towards the quickest agendas it sees, with weights set by hand", "opportunist"),
    _archetype("expander", "founds as many cities as the land holds and surrounds them with control tokens"),
    _archetype("builder", "builds world wonders, early and many"),
    _archetype("scholar", "turns the technology dial and plays cards of the highest levels"),
    _archetype("merchant", "sends caravans for trade tokens and diplomacy cards, and fights little"),
    _archetype("warrior", "goes for rival capitals, city-states and rivals' world wonders"),
    _archetype("explorer", "takes the spaces by the water and at the edge of the map"),
    _archetype(
        "pathfinder",
        "explores with caravans and armies, and settles what it finds (Terra Incognita)",
        names.BOXES[names.TI_BOX],
    ),
    _archetype("urbanist", "places all five districts where they bring most (Terra Incognita)", names.BOXES[names.TI_BOX]),
    _archetype("castellan", "takes forts early and holds them with armies (Terra Incognita)", names.BOXES[names.TI_BOX]),
    _packaged("search", SEARCH, "planner that checks its cards by simulation", "search", slow=True),
    _packaged("quick", LEARNED, "tries the cards a learned policy prefers, and takes the best position", "quick"),
    _packaged("fast", LEARNED, "takes the card a learned policy prefers; late in the game it tries the best two", "fast"),
    _packaged("adept", LEARNED, "quick with more ways of its turn, judged by its own next turn too", "adept", slow=True),
    _packaged("conqueror", LEARNED, "quick with a taste for war", "conqueror"),
    _packaged("architect", LEARNED, "quick with a taste for world wonders", "architect"),
    _packaged("settler", LEARNED, "quick with a taste for cities", "settler"),
    _packaged("inventor", LEARNED, "quick with a taste for technology", "inventor"),
    _packaged("trader", LEARNED, "quick with a taste for caravans and diplomacy cards", "trader"),
    _packaged("thinker", LEARNED, "plays the best ways of its turn on for 2 or 3 rounds, by that value", "thinker", slow=True),
    _packaged("master", LEARNED, "the thinker for four rounds, with many simulations, to check others", "master", slow=True),
    _packaged("autoplayer", "newdawn.strategies.autoplayer:choose_autoplayer", "the publisher's rule for a solitaire opponent"),
    _packaged("random", "newdawn.strategies.archetypes:choose_random", "picks any legal option with equal chance"),
)
STYLES = ("conqueror", "architect", "settler", "inventor", "trader")  # `quick` with a taste (learned/value.py)
GOOD = ("fast", "quick", *STYLES, "adept", "thinker", "master")  # those that beat the planner
LEARNER = _packaged("learner", LEARNED, "the value alone, without a policy", "learner", slow=True)  # plays while it is trained
DEFAULT = "quick"  # the strongest of those that play at least a hundred games a second
WEIGHTS_OF_FUNCTIONS = "planner"  # profile of users' functions


class Measured(NamedTuple):
    """The win rate of a strategy against three planners, in percent with a 95% interval, and its time, planner = 1."""

    box: str
    strategy: str
    wins: float
    low: float
    high: float
    n: int
    seed: int
    times: float


KINDS = (str, str, float, float, float, int, int, float)
FRONTIER = Path(__file__).parent / "frontier.csv"  # written by scripts/bench/frontier.py


def frontier() -> list[Measured]:
    """Return the measurements of the packaged strategies."""
    if not FRONTIER.is_file():
        return []
    with FRONTIER.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        return [Measured(*(kind(row[name]) for name, kind in zip(Measured._fields, KINDS, strict=True))) for row in rows]


def fast(box: str = names.BOXES[names.BASE_BOX]) -> list[str]:
    """Return the names of the packaged strategies that play the box and are fast enough for many games."""
    return [strategy.name for strategy in STRATEGIES if not strategy.slow and strategy.box in ("", box)]


def packaged() -> list[str]:
    """Return the names of the packaged strategies."""
    return [strategy.name for strategy in STRATEGIES]


def find(text: str) -> Strategy:
    """Return the strategy of that name (in any case), of a profile (path.yaml) or of a function (module:name).

    Raise UserError, with the nearest name if there is one.
    """
    text = text.strip()
    if text.lower().endswith((".yaml", ".yml")):
        return _own_profile(Path(text))
    if ":" in text:
        return _own_function(text)
    if text.endswith(user_modules.FILE):
        raise UserError(f"strategies: '{text}' names no function; expected the function, too, such as {text}:choose")
    for strategy in STRATEGIES:
        if strategy.name == text.lower():
            return strategy
    raise unknown("strategy", text, [*packaged(), "path/to/profile.yaml", "path/to/bot.py:function", "module:function"])


def written(entry: Mapping[str, Any]) -> Strategy:
    """Return the strategy that `Strategy.as_dict` wrote."""
    return Strategy.from_dict(entry)


@lru_cache(maxsize=256)  # a search asks it of the same players for each of its thousand rulesets
def check_box(strategy: Strategy, box: str) -> None:
    """Raise UserError if a strategy cannot play the box: it is for another one, or has no network for this one."""
    if strategy.box not in ("", box):
        hint = f"add --box {strategy.box}, or name one that plays {box}"
        raise UserError(f"strategy {strategy.name}: plays {strategy.box} only, not {box}; {hint}")
    profile = strategy.resolved()
    if profile is None or profile.network is None or profiles.is_path(profile.network):
        return
    network_files = late.module("strategies.network_files")
    name = network_files.in_box(profile.network, box)
    if name != box or not network_files.knows(name):
        raise UserError(
            f"strategy {strategy.name}: its value network does not know {box}; expected one that plays it, such as planner or "
            f"search, or one of your own that `newdawn strategies train --box {box}` has trained"
        )


def chance(opinions: np.ndarray) -> Any | None:
    """Return the compiled function for a seat's chance to win; None if none of these weights has a value network."""
    if not opinions[..., weights.NETWORK].any():
        return None
    return late.module("strategies.learned.value").chance_to_win


def docstring(strategy: Strategy) -> str:
    """Return the description of a strategy: the docstring of its function if that has several lines, else of its module.

    The module is read, not imported.
    """
    module, name = user_modules.parts(strategy.function)
    path = user_modules.file_of(module)
    if path is None:
        raise UserError(f"strategy {strategy.name}: there is no module '{module}'")
    tree = ast.parse(path.read_text("utf-8"))
    functions = {node.name: ast.get_docstring(node) or "" for node in tree.body if isinstance(node, ast.FunctionDef)}
    own = functions.get(name, "")
    return (own if "\n" in own else ast.get_docstring(tree)) or f"{module} says nothing about itself."


def _own_function(place: str) -> Strategy:
    """Return the strategy of a user's function; in a file, its name is that of the file and the function."""
    module, function = user_modules.parts(place)
    name = f"{Path(module).name}:{function}" if module.endswith(user_modules.FILE) else place
    return Strategy(name, place, "a function of yours", WEIGHTS_OF_FUNCTIONS, source=_source(module))


def _own_profile(path: Path) -> Strategy:
    profile = profiles.resolve(profiles.read(path))
    for key in ("network", "policy"):
        _check_beside(path, key, getattr(profile, key))
    if path.stem in packaged():
        raise UserError(f"{path}: '{path.stem}' is the name of a packaged strategy; rename the file")
    strategy = of_profile(path.stem, profile)
    user_modules.tell(path, [strategy.function])
    return strategy


def _check_beside(path: Path, key: str, name: str | None) -> None:
    """Raise UserError for a network by a plain name that is not packaged but a file beside the profile."""
    if name is None or profiles.is_path(name):
        return
    network_files = late.module("strategies.network_files")
    stem = re.sub(r"(_[2-9]p)?\.npz$", "", name)
    beside = re.compile(rf"{re.escape(stem)}(_[2-9]p)?\.npz")
    here = [file for file in path.parent.glob("*.npz") if beside.fullmatch(file.name)]
    if here and not network_files.knows(name):
        raise UserError(
            f"{path}: {key}: '{name}' is no network of this program; expected './{stem}' for the file {here[0].name} beside it",
            file=str(path), field=key,
        )  # fmt: skip


def of_profile(name: str, profile: profiles.Profile) -> Strategy:
    """Return the strategy of a resolved profile."""
    function = profile.function or PLANNER
    if profile.restrictions:
        if function not in HEEDS:
            raise UserError(f"profile {name}: {function} does not support restrictions; expected one like planner or adept")
        function = HEEDS[function]
    module = user_modules.parts(function)[0]
    source = "" if module.startswith("newdawn.strategies.") else _source(module)
    return Strategy(name, function, profile.description, own=as_text(asdict(profile)), source=source, network=_trained(profile))


def _trained(profile: profiles.Profile) -> str:
    """Return the digest of the user's networks; "" for packaged ones, which the digest of the engine covers."""
    own = [name for name in (profile.network, profile.policy) if name is not None and profiles.is_path(name)]
    if not own:
        return ""
    files = late.module("strategies.network_files")
    kinds = (profile.network, files.VALUE), (profile.policy, files.POLICY)
    return "".join(files.digest(name, kind) for name, kind in kinds if name in own)


def as_text(profile: Any) -> str:
    """Return the dictionary of a profile as JSON, for `Strategy.own`."""
    return json.dumps(profile, sort_keys=True)


def _source(module: str) -> str:
    """Return the digest of the file of a user's module."""
    digest = user_modules.digest_of(module)
    if not digest and module.endswith(user_modules.FILE):
        files = [path.name for path in Path(module).parent.glob(f"*{user_modules.FILE}")]
        raise UserError(f"strategies: there is no file '{module}'; expected path/to/bot.py:function{nearest(module, files)}")
    if not digest:
        raise UserError(f"strategies: there is no module '{module}' here; expected a name, path.yaml or module:function")
    return digest
