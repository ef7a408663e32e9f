"""Experiment: what is it worth? Each game is played twice, with and without."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ...simulator import names
from ...simulator.errors import UserError, named, unknown
from ...simulator.file_ownership import write_whole
from ...simulator.kept_files import EXPERIMENT, check_digest, describe, digest_of, held, read, write, writing
from ...simulator.reading import content_of, parquet_of, plainly
from ...simulator.rules.content_models import Problem
from ...simulator.rules.load import PRINTED, Ruleset, check_map, from_data, with_overlay
from ...simulator.rules.ruleset_contents import names_of, section, slug
from ...simulator.runs.manifest import provenance
from ...simulator.runs.run import Interrupted, Observer, Player, Rows, Silent, UnderWay
from ...simulator.runs.run_plan import Plan
from ..pages.cells import points_of, rate
from ..pages.chart_messages import message
from ..pages.report_parts import HINT, Chart, Column, Part
from ..pages.screen_parts import First
from ..pages.sentences import FOUND_CHAPTER, PAIRED, Made, _changes, _draw, by_verdict, more_games, unfinished_findings
from ..stats.inference import ENDS
from ..stats.rates import SMALL_SAMPLE
from ..stats.verdicts import CHANGE, JUDGEMENT, Verdict, verdict_cells
from ..tables.kept_answers import ABILITY, EFFECTS_FILE, KeptAnswer, batches_in
from ..tables.paired_figures import UNFINISHED_COLUMNS, Moments, compared, unfinished
from ..tables.rendering import EFFECTS, EFFECTS_TABLE

# --- Treatments: what a seat is given, or which ability a leader goes without

BATCH = 400  # games a worker plays between two files
TAKEN_AWAY = {ABILITY: "ability", "unique card": "unique card"}  # what experiments of these kinds take away
GIFTS = (names.TREATMENTS[names.TREAT_RESOURCE], names.TREATMENTS[names.TREAT_TRADE])


@dataclass(frozen=True)
class Arm:
    """A treatment: something that a random seat is given, or a leader's ability, which the overlay switches off."""

    name: str
    treatment: int = names.TREAT_NONE
    what: int = -1
    amount: int = 1
    leader: str | None = None
    overlay: Mapping[str, Any] | None = None
    cost: float = float("nan")  # production, for a wonder

    def as_dict(self) -> dict[str, Any]:
        """Return what of the treatment decides how games are played."""
        return {"name": self.name, "gives": names.TREATMENTS[self.treatment], "what": self.what, "amount": self.amount,
                "overlay": dict(self.overlay or {})}  # fmt: skip


@dataclass(frozen=True)
class Experiment:
    """Which games are played, with which treatments, and from which round on."""

    kind: str  # what is varied: "wonder", "focus card", "district", "government", "fort", "gift", "leader" …
    plan: Plan
    ruleset: Ruleset
    arms: tuple[Arm, ...]
    round: int = 1

    @property
    def batch(self) -> int:
        """Game numbers a worker plays between two files."""
        return max(1, BATCH // (1 + len(self.arms)))


def grant(plan: Plan, ruleset: Ruleset, wonders: Sequence[str] | None = None, at_round: int = 1) -> Experiment:
    """Return the experiment that gives each of the wonders (default: all) to a random seat at the beginning of a round.

    The wonder lies under the capital, or the first city without one, as if built without its cost, with what it does
    when built; it is taken from its deck, or from the box, and a face-up card is followed by the next.
    """
    _check_round(at_round, plan)
    data = ruleset.data["wonders"]
    every = names_of(ruleset.data, "wonder")
    available = [name for name in every if data[slug(name)]["available"]]
    arms = []
    for word in wonders or available:
        name = named("wonder", word, available)
        arms.append(Arm(name, names.TREAT_WONDER, every.index(name), cost=float(data[slug(name)]["cost"])))
    return Experiment("wonder", plan, ruleset, _distinct(arms), at_round)


def give(
    plan: Plan, ruleset: Ruleset, what: str, amounts: Sequence[int] = (1,), kind: str | None = None, at_round: int = 1
) -> Experiment:
    """Return the experiment that gives a random seat trade tokens, or resources of a kind (default: of its choice)."""
    _check_round(at_round, plan)
    gift = named("gift", what, GIFTS)
    if kind is not None and gift != "resource":
        raise UserError(f"--kind: '{kind}' is a kind of resource; expected only with 'give resource'")
    code = -1 if kind is None else names.RESOURCES.index(named("resource", kind, names.RESOURCES))
    arms = []
    for amount in amounts:
        if not 1 <= amount <= 99:
            raise UserError(f"amount: {amount} is not valid; expected a whole number from 1 to 99")
        name = f"{amount} {kind or gift}" + ("" if amount == 1 or kind else "s")
        arms.append(Arm(name, names.TREATMENTS.index(gift), code, amount))
    return Experiment("gift", plan, ruleset, _distinct(arms), at_round)


def grant_card(plan: Plan, ruleset: Ruleset, cards: Sequence[str] | None = None, at_round: int = 1) -> Experiment:
    """Return the experiment that gives each of the focus cards (default: all above level I) to a random seat in a round.

    The card takes the place of the card of its type in the row, tokens and all, as if the dial had paid for it. It cannot be
    given to a seat that has it, or has a card of a higher level there; a unique card only to its leader.
    """
    _check_round(at_round, plan)
    r = ruleset.compile()
    available = [card for card in range(r.n_cards) if r.card_level[card] > 0 and r.card_unavailable[card] == 0]
    code_of = {bytes(r.card_name[card]).rstrip(b"\0").decode(): card for card in available}
    above = [name for name, card in code_of.items() if r.card_level[card] > 1]
    chosen = [named("focus card", word, list(code_of)) for word in cards or above]
    return Experiment("focus card", plan, ruleset, _distinct([Arm(n, names.TREAT_CARD, code_of[n]) for n in chosen]), at_round)


def ablate(plan: Plan, ruleset: Ruleset, leaders: Sequence[str] | None = None, each: bool = False) -> Experiment:
    """Return the experiment that plays with and without the ability of each of the leaders (default: of all dealt).

    `each`: every ability of a leader that has several on its own, too.
    """
    arms = []
    for word in leaders or plan.leaders:
        name = named("leader", word, plan.leaders)
        if not ruleset.data["leaders"][slug(name)]["ability_works"]:
            raise UserError(f"leader-ability: {name}'s ability is off under these rules, so it cannot be switched off")
        arms.append(Arm(name, leader=name, overlay={"leaders": {slug(name): {"ability_works": False}}}))
        abilities = ruleset.data["leaders"][slug(name)]["abilities"]
        for key, ability in abilities.items() if each and len(abilities) > 1 else ():
            if ability.get("works", True):
                overlay = {"leaders": {slug(name): {"abilities": {key: {"works": False}}}}}
                arms.append(Arm(f"{name}: {key}", leader=name, overlay=overlay))
    return Experiment(ABILITY, plan, ruleset, _distinct(arms))


def grant_of_expansion(
    plan: Plan, ruleset: Ruleset, what: str, wanted: Sequence[str] | None = None, at_round: int = 1
) -> Experiment:
    """Return the experiment that gives a random seat a district, a government or a fort (`what`) of Terra Incognita.

    `wanted`: which districts or governments (default: each). A district is placed where the player likes, as if no slot
    limited it; a government's token is put on the card of its type, wherever that lies; a fort is the nearest to the capital
    that nobody controls, and gets an unused city, as if it had been beaten.
    """
    _check_round(at_round, plan)
    if ruleset.box != names.BOXES[names.TI_BOX]:
        raise UserError(f"--{what}: only Terra Incognita has {what}s; expected --box {names.BOXES[names.TI_BOX]}")
    if what == "fort":
        return Experiment(what, plan, ruleset, (Arm("fort", names.TREAT_FORT),), at_round)
    all_names = {"district": names.DISTRICTS, "government": names.GOVERNMENTS}[what]
    treatment = {"district": names.TREAT_DISTRICT, "government": names.TREAT_GOVERNMENT}[what]
    chosen = [named(what, word, all_names) for word in wanted or all_names]
    return Experiment(
        what, plan, ruleset, _distinct([Arm(name, treatment, all_names.index(name)) for name in chosen]), at_round
    )


def ablate_unique(plan: Plan, ruleset: Ruleset, leaders: Sequence[str] | None = None) -> Experiment:
    """Return the experiment that plays with and without the unique focus card of each of the leaders (default: of all)."""
    if ruleset.box != names.BOXES[names.TI_BOX]:
        raise UserError(f"unique-card: only Terra Incognita has unique focus cards; expected --box {names.BOXES[names.TI_BOX]}")
    arms = []
    for word in leaders or plan.leaders:
        name = named("leader", word, plan.leaders)
        card = ruleset.data["leaders"][slug(name)].get("unique_card")
        if card is None or not card["available"]:
            if leaders is None:
                continue
            raise UserError(f"unique-card: {name} has none under these rules, so it cannot be taken away")
        overlay = {"leaders": {slug(name): {"unique_card": {"available": False}}}}
        arms.append(Arm(f"{card['name']} ({name})", leader=name, overlay=overlay))
    if not arms:
        raise UserError("unique-card: none of these leaders has one under these rules")
    return Experiment("unique card", plan, ruleset, _distinct(arms))


BANS = {
    "wonder": ("wonders",),
    "leader": ("leaders",),
    "card": ("focus_cards", "victory_cards"),
    "agenda": ("victory_cards",),
    "city-state": ("city_states",),
    "natural wonder": ("natural_wonders",),
}
ONE_PLACE = [what for what in BANS if what not in ("card", "agenda")]  # kinds under one section of the data


def ban(ruleset: Ruleset, what: str, name: str) -> Ruleset:
    """Return the rules without the wonder, leader, focus or victory card, agenda, city-state or natural wonder of the name."""
    kind = named("thing to ban", what, list(BANS))
    overlays = dict(_bannable(ruleset.data, kind))
    banned = named(kind, name, list(overlays))
    return with_overlay(ruleset, overlays[banned], f"without {banned}")


def move(ruleset: Ruleset, tile: int, other: int) -> Ruleset:
    """Return the rules with two tiles of the user's map in each other's place, turned as these lie."""
    if ruleset.data["map"]["mode"] != "user":
        raise UserError("move: players lay this map, or the rulebook; expected a map of yours (--map FILE)")
    data: dict[str, Any] = deepcopy(ruleset.data)
    laid = {entry["tile"]: entry for entry in data["map"]["user_map"]["tiles"]}
    for number in (tile, other):
        if number not in laid:
            raise UserError(f"move: tile {number} is not on the map; expected one of {', '.join(map(str, sorted(laid)))}")
    if tile == other:
        raise UserError(f"move: tile {tile} lies there already; expected another one after --with")
    place, other_place = ({key: laid[number][key] for key in ("q", "r", "rotation")} for number in (tile, other))
    laid[tile].update(other_place)
    laid[other].update(place)
    try:
        check_map(data["map"]["user_map"], data)
    except Problem as problem:
        raise UserError(f"move: tiles {tile} and {other} do not fit into each other's places: {problem.message}") from None
    change = f"tiles {tile} and {other} exchanged"
    return from_data(data, change if ruleset.name == PRINTED else f"{ruleset.name} + {change}")


def _bannable(data: Mapping[str, Any], what: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield name and overlay of everything of a kind that can be taken out of the game."""
    off = {"available": False}
    if what in ONE_PLACE:
        (stem,) = BANS[what]
        every = names_of(data, what.replace("-", "_").replace(" ", "_"))
        yield from ((name, {stem: {slug(name): off}}) for name in every if data[stem][slug(name)]["available"])
    elif what == "card":
        for key, card in data["focus_cards"][section(data)].items():
            if card["level"] > 1 and card["available"]:
                yield card["name"], {"focus_cards": {key: off}}
    for key, card in data["victory_cards"][section(data)].items() if what in ("card", "agenda") else ():
        if what == "card" and card["available"]:
            yield " / ".join(agenda["name"] for agenda in card["agendas"].values()), {"victory_cards": {key: off}}
        elif what == "agenda" and card["available"]:
            for half, agenda in card["agendas"].items():
                if agenda["available"]:
                    yield agenda["name"], {"victory_cards": {key: {"agendas": {half: off}}}}


def _distinct(arms: Sequence[Arm]) -> tuple[Arm, ...]:
    twice = next((arm.name for arm in arms if [other.name for other in arms].count(arm.name) > 1), None)
    if twice:
        raise UserError(f"'{twice}' is named twice; expected each treatment once")
    return tuple(arms)


def _check_round(at_round: int, plan: Plan) -> None:
    if not 1 <= at_round <= plan.round_cap:
        raise UserError(f"round: {at_round} is not valid; expected a round from 1 to {plan.round_cap}, the round cap")


# --- Randomised experiments: effects, not associations
#
# Design. Every game is played twice on the same seed: once as it is, once with the treatment for one seat. The seat is drawn
# from a random stream of its own, so the two games are the same, choice by choice, until the treatment, and every difference
# after it is caused by it. With d the seat's share of the win with the treatment less that without, the effect is the
# mean of d over the games in which the treatment was possible; that is decided before it takes place (the game has reached
# the round, the wonder is not built, the seat has a city for it), so it selects nobody by results. One untreated game serves
# all treatments of an experiment.
#
# An ability is the treatment of its leader's seat: *without* it the game is played with the ability switched off from the
# beginning, *with* it as the rules have it, so the effect is what the ability is worth. The game as the rules have it is
# played once; the games without an ability are those of the leaders at its table. A ban changes the rules for all seats, so
# its effects are those of `compare`.
#
# Uncertainty. The error is that of the paired differences (`pairs.compared`): a 95% interval for each effect, exact
# where few pairs differ. Verdicts hold for all effects of the table together (`inference.together`: 5% for any false finding,
# whatever the dependence between treatments that share the untreated games).
#
# The *builder win rate* of the report is an association: players who are ahead build more, so builders win more often even
# where the wonder does nothing.

MARK = b"newdawn_pairs"  # in the files of batches
VERSION = 4  # 3: without which games someone won; 2: without digests; 1: an ability's pairs had it on under 'without'
OUTCOMES = ("not reached", "given", "impossible")  # by names.TREATED_*
assert OUTCOMES[names.TREATED_NOT_YET] == "not reached"
assert OUTCOMES[names.TREATED_YES] == "given"

# One game with one treatment, beside the same game without it.
PAIR = np.dtype(
    [
        ("game_id", "i8"),
        ("arm", "i2"),
        ("seat", "i1"),
        ("leader", "i1"),
        ("outcome", "i1"),
        ("won_without", "f8"),
        ("won_with", "f8"),
        ("decided_without", "?"),
        ("decided_with", "?"),
        ("rounds_without", "i2"),
        ("rounds_with", "i2"),
    ]
)


# --- Playing


class _Table:
    """Plays the games of an experiment one by one. Each worker has its own."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.player = Player(experiment.plan, experiment.ruleset.compile())
        self.changed = {
            arm.name: Player(experiment.plan, with_overlay(experiment.ruleset, arm.overlay, arm.name).compile())
            for arm in experiment.arms
            if arm.overlay is not None
        }
        self.rows = self.player.rows(1)
        self.other = self.player.rows(1)

    def pairs(self, game: int) -> list[tuple[Any, ...]]:
        """Play one game as the rules have it and with each treatment, or without each ability; return its PAIR rows."""
        plain = self._play(self.player, game, Arm("nothing"), self.rows)
        rows = []
        for index, arm in enumerate(self.experiment.arms):
            seat = self._seat(arm, plain)
            if seat is None:
                continue
            outcome, other = names.TREATED_YES, plain
            if arm.leader is None:
                outcome = int(plain.games[0]["treated"])
            if outcome != names.TREATED_NOT_YET:
                other = self._play(self.changed.get(arm.name, self.player), game, arm, self.other)
                outcome = int(other.games[0]["treated"]) if arm.leader is None else outcome
            without, with_ = (plain, other) if arm.leader is None else (other, plain)
            rows.append(
                (
                    game, index, seat, plain.seats[seat]["leader"], outcome, without.seats[seat]["won"],
                    with_.seats[seat]["won"], _decided(without), _decided(with_), without.games[0]["rounds"],
                    with_.games[0]["rounds"],
                )
            )  # fmt: skip
        return rows

    def _seat(self, arm: Arm, plain: Rows) -> int | None:
        """Return the seat in question: the one drawn, or that of the leader; None if the leader is not at the table."""
        if arm.leader is None:
            return int(plain.games[0]["treated_seat"])
        at = np.flatnonzero(plain.seats["leader"] == names_of(self.experiment.ruleset.data, "leader").index(arm.leader))
        return int(at[0]) if len(at) else None

    def _play(self, player: Player, game: int, arm: Arm, rows: Rows) -> Rows:
        blank = player.states[1]
        blank.treatment, blank.treatment_what, blank.treatment_amount = arm.treatment, arm.what, arm.amount
        blank.treatment_round = self.experiment.round
        player.play(game, 1, rows, 0, 0)
        return rows


def _decided(rows: Rows) -> bool:
    """Say whether someone won the game."""
    return bool(rows.seats["won"].sum() > 0)


def play_pairs(experiment: Experiment, first: int, n: int, stop: threading.Event, observer: Observer) -> np.ndarray | None:
    """Play games first … first + n - 1 with every treatment and return their PAIR rows; None if stopped."""
    table, rows = _Table(experiment), []
    for game in range(first, first + n):
        if stop.is_set():
            return None
        rows += table.pairs(game)
        observer.add(1)
    return np.array(rows, PAIR)


def run(
    experiment: Experiment, out: Path | None = None, jobs: int | None = None, observer: Observer | None = None
) -> pd.DataFrame:
    """Play the games of the experiment that are missing in the folder, and return all its pairs as a DataFrame.

    The folder keeps every finished batch, so a stopped experiment continues where it stopped, and games can be added.
    Without a folder all is kept in memory only. Raises UserError if the folder holds another experiment, Interrupted on
    Ctrl-C.
    """
    observer = observer or Silent()
    _Table(experiment)  # import the engine before the clock starts
    with _opened(out, experiment) if out else nullcontext() as mark:
        games = experiment.plan.games
        done = [(first, min(n, games - first)) for first, n, _ in batches_in(out, games)] if out else []
        ready = sum(n for _, n in done)
        observer.begin(experiment.plan.games, ready)
        parts: list[pd.DataFrame] = []
        try:
            for rows, _, n in _played(experiment, done, jobs or joblib.cpu_count(), observer, out, mark):
                ready += n
                if out is None:
                    parts.append(_frame(rows, experiment))
        except KeyboardInterrupt:
            raise Interrupted(ready, experiment.plan.games) from None
        finally:
            observer.end()
    return (
        read_pairs(out, experiment.plan.games)
        if out
        else pd.concat(parts, ignore_index=True).sort_values(["game_id", "arm"], ignore_index=True)
    )


def _played(
    experiment: Experiment,
    done: list[tuple[int, int]],
    jobs: int,
    observer: Observer,
    out: Path | None,
    mark: str | None,
) -> Iterator[tuple[np.ndarray, int, int]]:
    """Play the missing batches in parallel, write them, and yield rows, first game and number of games of each."""
    batches = list(_missing(experiment, done))
    stop, under_way = threading.Event(), UnderWay()

    def task(first: int, n: int) -> tuple[np.ndarray | None, int, int]:
        rows = play_pairs(experiment, first, n, stop, observer)
        if rows is not None and out is not None:
            _write(out, _frame(rows, experiment), first, n, mark)
        return rows, first, n

    watched: Any = under_way.watch(task)  # type: ignore[arg-type]
    workers = max(1, min(jobs, len(batches)))
    parallel = joblib.Parallel(workers, backend="threading", return_as="generator_unordered", batch_size=1)
    results = parallel(joblib.delayed(watched)(first, n) for first, n in batches)
    try:
        yield from (result for result in results if result[0] is not None)
    finally:
        stop.set()
        results.close()
        under_way.wait()  # a batch being written counts as finished


def _missing(experiment: Experiment, done: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the batches, (first game, number of games), that fill the gaps between the finished ones."""
    at = 0
    for first, n in [*done, (experiment.plan.games, 0)]:
        yield from ((start, min(experiment.batch, first - start)) for start in range(at, first, experiment.batch))
        at = max(at, first + n)


# --- The folder


def _frame(pairs: np.ndarray, experiment: Experiment) -> pd.DataFrame:
    """Return PAIR rows with their names."""
    frame = pd.DataFrame(pairs)
    return frame.assign(
        arm=_named_codes(pairs["arm"], [arm.name for arm in experiment.arms]),
        leader=_named_codes(pairs["leader"], names_of(experiment.ruleset.data, "leader")),
        outcome=_named_codes(pairs["outcome"], OUTCOMES),
    )


def _named_codes(codes: np.ndarray, names: Sequence[str]) -> Any:
    return pd.Categorical.from_codes(codes.astype(np.int16), pd.Index(list(names)))


@contextmanager
def _opened(out: Path, experiment: Experiment) -> Iterator[str | None]:
    """Hold `out` as the folder of this experiment, and yield the mark of its batches; raise UserError if it is another's or
    cannot be written to."""
    design = {"version": VERSION, "kind": experiment.kind, "round": experiment.round, "batch": experiment.batch}
    design["arms"] = [arm.as_dict() for arm in experiment.arms]
    with held(out, EXPERIMENT, "pairs") as path:
        describe(path, provenance({"experiment": design}, experiment.plan, experiment.ruleset), "pairs")
        yield _mark(path)


def _mark(path: Path) -> str | None:
    """Return the mark of all batches of an experiment: a digest of design, rules and version; None in folders of versions
    without marks."""
    description = read(path, "the description of an experiment", unsealed=True)
    with plainly(path, "the description of an experiment"):
        if int(description["experiment"]["version"]) < VERSION:
            return None
        return digest_of(
            [description["experiment"], description["plan"], description["ruleset"]["digest"], description["engine"]]
        )


def parquet(frame: pd.DataFrame, mark: str | None = None) -> bytes:
    """Return the frame as the content of a Parquet file, which carries a digest of its values and the mark."""
    table, sink = pa.Table.from_pandas(frame, preserve_index=False), pa.BufferOutputStream()
    if mark is not None:
        table = table.replace_schema_metadata((table.schema.metadata or {}) | {MARK: _digest(frame, mark).encode()})
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue().to_pybytes()


def _digest(frame: pd.DataFrame, mark: str) -> str:
    return digest_of(f"{mark}\n{frame.to_csv(index=False, lineterminator=chr(10))}".encode())


def _write(out: Path, frame: pd.DataFrame, first: int, n: int, mark: str | None) -> None:
    with writing(out, "batches"):
        write_whole(out / f"pairs-{first:010d}-{n:05d}.parquet", parquet(frame, mark))


def _read_batch(path: Path, mark: str | None) -> pd.DataFrame:
    """Return the pairs of a batch; raise UserError if the file is not as it was written, or of another experiment."""
    again = "remove it to play its games again"
    content = content_of(path, expected="a batch of an experiment")
    with plainly(path, "a batch of an experiment", again=again):
        table = parquet_of(pa.BufferReader(content), path, again)
        frame: pd.DataFrame = table.to_pandas()
        if mark is not None:
            check_digest(path, _digest(frame, mark), (table.schema.metadata or {}).get(MARK, b"").decode(), again)
    missing = [name for name in PAIR.names or () if name not in frame]
    if missing:
        raise UserError(f"{path}: has no column {missing[0]}; remove it to play its games again")
    return frame


def read_pairs(out: Path, games: int | None = None) -> pd.DataFrame:
    """Return the finished pairs of an experiment's folder, up to this many games: one row per game and treatment.

    Columns: game_id, arm (the treatment), seat and leader it concerns, outcome, and the seat's share of the win, whether
    someone won and the rounds of the game, without and with it (an ability: off and on). Where the outcome is not 'given',
    both games are the same.
    """
    games = 2**62 if games is None else games
    mark = _mark(out / EXPERIMENT) if (out / EXPERIMENT).is_file() else None
    parts = [_read_batch(path, mark) for _, _, path in batches_in(out, games)]
    if not parts:
        raise UserError(f"{out}: no finished batch of an experiment in it")
    pairs = pd.concat(parts, ignore_index=True)
    for column in ("arm", "leader", "outcome"):  # the parts have the same categories
        pairs[column] = pd.Categorical(pairs[column], parts[0][column].cat.categories)
    return pairs[pairs["game_id"] < games].sort_values(["game_id", "arm"], ignore_index=True)


# --- Effects


def effects(
    pairs: pd.DataFrame, costs: Mapping[str, float] | None = None, by: str | None = None, half_width: float | None = None,
    tables: int = 1,
) -> pd.DataFrame:  # fmt: skip
    """Return one row per treatment: its effect on the seat's chance to win, with interval, verdict and n.

    `tables`: at how many tables (numbers of players) it is asked, for all of which the intervals then hold together.

    `without` and `with` are the win rates of the treated seats in the decided games (an ability: off and on), `effect` is the
    second less the first (0.01: one percentage point), `n` the decided games (the fewer
    of the two), `not_given` the share of pairs in which the treatment was not given; `unfinished_a`, `unfinished_b` and
    `unfinished` are the shares of games that nobody won, without and with it, and what it changes of them
    (`pairs.unfinished`). `costs` (production) give `effect_per_production`. `by="leader"` splits every treatment by the
    seat's leader; the corrections are over all rows. `pairs_needed` would give an interval of ± `half_width`.
    """
    if by not in (None, "leader"):
        raise unknown("split of effects", str(by), ["leader"])
    if pairs.empty:
        raise UserError("no treatment concerned any seat; play more games (--games), or name other leaders")
    keys = ["arm"] if by is None else ["arm", by]
    groups = pairs.groupby(keys, observed=True, sort=True).ngroup().to_numpy()
    names = pairs[keys].drop_duplicates().sort_values(keys, ignore_index=True)
    moments, cut = _moments(pairs, groups, len(names))
    differences = compared(moments, figures=[("effects", str(index)) for index in range(len(names))], tables=tables)
    frame = names.astype(str).assign(figure=[str(index) for index in range(len(names))])
    frame = frame.merge(differences, on="figure", how="left").rename(
        columns={"a": "without", "b": "with", "difference": "effect", "low": "effect_low", "high": "effect_high"}
        | {f"difference_all_{end}": f"effect_all_{end}" for end in ("low", "high")}
    )
    pairs_of = np.bincount(groups, minlength=len(names))
    # Users name the number of games, and not every game has the leader in question.
    played = (int(pairs["game_id"].max()) + 1) / moments.n
    for column in ("games_fewest", "games_most"):
        frame[column] = np.ceil(frame[column] * played)
    frame = frame.assign(**unfinished(cut), n=frame["n"].fillna(0).astype(np.int64), not_given=1 - cut.sums[:, 1] / pairs_of)
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    cost = frame["arm"].map(dict(costs or {})).astype(float)
    frame.insert(len(keys), "cost", cost)
    for column in ("effect", "effect_low", "effect_high"):
        frame[f"{column}_per_production"] = frame[column] / cost.where(cost > 0)
    wanted = ["without", "with", "effect", "effect_low", "effect_high", "half_width", "p", "p_adjusted"]
    wanted += ["effect_all_low", "effect_all_high", "margin", *JUDGEMENT, "games_fewest", "games_most", "pairing"]
    optional = []
    if half_width is not None:
        frame["pairs_needed"] = np.ceil(frame["n"] * (frame["half_width"] / half_width) ** 2)
        optional = ["pairs_needed"]
    per = ["effect_per_production", "effect_low_per_production", "effect_high_per_production"]
    ordered = [*keys, "cost", *wanted, *optional, "n", "not_given", "few", "small_sample", *per, *UNFINISHED_COLUMNS]
    frame["few"] = frame["few"].fillna(False).astype(bool)
    texts = verdict_cells(Verdict.NOT_COMPARED, CHANGE) | {"certainty": "untested"}
    frame = frame.astype(dict.fromkeys(texts, object)).fillna(texts)
    return frame[ordered].sort_values("effect", ascending=False, ignore_index=True, na_position="last")


CHUNK = 20_000  # games times groups in memory at a time


def _moments(pairs: pd.DataFrame, groups: np.ndarray, n_groups: int) -> tuple[Moments, Moments]:
    """Return the sums over games of wins in decided games, and of games that nobody won, for the treatments given in them."""
    moments, cut = Moments.empty(n_groups), Moments.empty(n_groups)
    given = (pairs["outcome"] == OUTCOMES[names.TREATED_YES]).to_numpy()
    game = np.unique(pairs["game_id"].to_numpy(), return_inverse=True)[1]
    won = pairs[["won_without", "won_with"]].to_numpy()
    decided = pairs[["decided_without", "decided_with"]].to_numpy(bool)
    total = int(game.max(initial=-1)) + 1
    order = np.argsort(game, kind="stable")
    size = max(1, CHUNK // n_groups)
    edges = np.searchsorted(game[order], np.arange(0, total + size, size))
    for chunk, (low, high) in enumerate(pairwise(edges)):
        rows = order[low:high]
        rows = rows[given[rows]]
        wins, lost = np.zeros((2, 2, min(size, total - chunk * size), n_groups, 2))
        at = game[rows] - chunk * size, groups[rows]
        for side in range(2):
            wins[side, *at, 0], wins[side, *at, 1] = won[rows, side], decided[rows, side]
            lost[side, *at, 0], lost[side, *at, 1] = ~decided[rows, side], 1
        moments.add(wins[0], wins[1])
        cut.add(lost[0], lost[1])
    return moments, cut


def write_effects(out: Path, frame: pd.DataFrame, line: str = "") -> None:
    """Write the effects into the experiment's folder as CSV and Parquet, their digests and the command line."""
    files = {EFFECTS_FILE: frame.to_csv(index=False, lineterminator="\n").encode(), f"{EFFECTS_TABLE}.parquet": parquet(frame)}
    try:
        for name, content in files.items():
            write_whole(out / name, content)
        write(out / EFFECTS, {"files": {name: digest_of(content) for name, content in files.items()}, "line": line})
    except OSError as error:
        raise UserError(f"{out}: cannot write the effects: {error.strerror}") from None


def costs_of(experiment: Experiment) -> dict[str, float]:
    """Return the production each treatment costs where it has a printed cost."""
    return {arm.name: arm.cost for arm in experiment.arms if not np.isnan(arm.cost)}


def subject(arm: str, kind: str) -> str:
    """Return a treatment as the subject of a sentence: 'Petra', 'A fort', 'A gift of 3 trade tokens', "Rome's ability"."""
    if kind == ABILITY:
        leader, _, ability = arm.partition(": ")
        return f"{leader}'s ability {ability.replace('_', ' ')}".rstrip()
    if kind == "gift":
        return f"A gift of {arm.replace('-', ' ')}"
    return f"A {arm}" if kind == arm else f"{arm[:1].upper()}{arm[1:]}"


def _experiment(kept: KeptAnswer) -> Made:
    """Return the page of `newdawn experiment`."""
    kind = kept.words.get("kind", "treatment")
    varied = f"leader's {TAKEN_AWAY[ABILITY]}" if kind == ABILITY else kind
    effects = kept.tables[EFFECTS_TABLE]
    given = effects[effects["n"] > 0]
    given = given.assign(**{f"points{end}": 100 * given[f"effect{end}"] for end in ENDS})
    label = "arm"
    given = given.assign(subject=[subject(str(arm), kind) for arm in given["arm"]], whose="the")
    if "leader" in given:
        given, label = given.assign(whom=given["arm"] + " (" + given["leader"] + ")", whose=given["leader"] + "'s"), "whom"
    split = ("leader",) if "leader" in given else ()
    columns = (
        ("arm", kind), *split, ("n", "pairs of games"), "without", "with",
        ("points", "effect, points [95% all]", "change of the chance to win"), "p_adjusted", "verdict",
        Column("not_given", "could not be given", "rate"), HINT,
    )  # fmt: skip

    def sentence(row: Any) -> str:
        size = points_of(row, "points")
        return (
            f"{row['subject']} changes {row['whose']} chance to win by {size} points, from {rate(row['without'])} to "
            f"{rate(row['with'])} (n = {row['n']:,} pairs)."
        )

    part = Part(
        "worth", "Effects", lambda source: given.reset_index(drop=True), columns,
        note="Effects on the seat's chance to win: the same games with and without it.",
        charts=(Chart(
            "worth", f"Effect of each {varied}", "Percentage points of the chance to win; 95% for all rows; filled: not zero.",
            partial(_draw, label=label, size="points"), lambda frame: 1.1 + 0.24 * len(frame),
            message=message("points", "{subject} {word} {whose} chance to win by {size} points", "raises", "lowers"),
        ),),
        chapter=FOUND_CHAPTER,
    )  # fmt: skip
    nothing = f"No {varied} changes the chance to win measurably"
    screen = First(
        [*unfinished_findings(given, label), *_changes(given, sentence, "points", nothing)],
        verdicts=by_verdict(given, label),
        chart="worth",
        steps=more_games(kept, given),
    )
    method = "One seat of a game, drawn at random, was treated, or the leader in question; whatever differs is caused by that."
    return [part], screen, (PAIRED, method)
