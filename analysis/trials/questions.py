"""What a randomised experiment asks (`experiments` plays it): which seat gets what, or which leader does without what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...simulator import names
from ...simulator.errors import UserError, named
from ...simulator.games.plan import Plan
from ...simulator.rules.contents import names_of, section, slug
from ...simulator.rules.loading.load import Ruleset, with_overlay

BATCH = 400  # games a worker plays between two files
GIFTS = (names.TREATMENTS[names.TREAT_RESOURCE], names.TREATMENTS[names.TREAT_TRADE])


@dataclass(frozen=True)
class Arm:
    """A treatment: something that a random seat is given, or a leader's ability, which the overlay takes from the rules."""

    name: str
    treatment: int = names.TREAT_NONE
    what: int = -1
    amount: int = 1
    leader: str | None = None
    overlay: Mapping[str, Any] | None = None
    cost: float = float("nan")  # production, for a wonder

    def as_dict(self) -> dict[str, Any]:
        """Return what decides which games are played."""
        return {"name": self.name, "gives": names.TREATMENTS[self.treatment], "what": self.what, "amount": self.amount,
                "overlay": dict(self.overlay or {})}  # fmt: skip


@dataclass(frozen=True)
class Experiment:
    """Which games are played, with which treatments, and from which round on."""

    kind: str  # the word for what is varied: "wonder", "district", "government", "fort", "gift", "leader", "unique card"
    plan: Plan
    ruleset: Ruleset
    arms: tuple[Arm, ...]
    round: int = 1

    @property
    def batch(self) -> int:
        """Game numbers a worker plays between two files."""
        return max(1, BATCH // (1 + len(self.arms)))


# --- What can be asked


def grant(plan: Plan, ruleset: Ruleset, wonders: Sequence[str] | None = None, at_round: int = 1) -> Experiment:
    """Return the experiment that gives each of the wonders (default: all) to a random seat at the beginning of a round.

    The wonder lies under the capital, or the first city without one, as if built without its cost, with what it does
    when built; it is taken from its deck, or from the box, and a face-up card is followed by the next.
    """
    _check_round(at_round, plan)
    data = ruleset.data["wonders"]
    every = names_of(ruleset.data, "wonder")
    known = [name for name in every if data[slug(name)]["available"]]
    arms = []
    for word in wonders or known:
        name = named("wonder", word, known)
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
        words = f"{amount} {kind or gift}" + ("" if amount == 1 or kind else "s")
        arms.append(Arm(words, names.TREATMENTS.index(gift), code, amount))
    return Experiment("gift", plan, ruleset, _distinct(arms), at_round)


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
    return Experiment("leader", plan, ruleset, _distinct(arms))


def grant_of_expansion(
    plan: Plan, ruleset: Ruleset, what: str, things: Sequence[str] | None = None, at_round: int = 1
) -> Experiment:
    """Return the experiment that gives a random seat a district, a government or a fort (`what`) of Terra Incognita.

    `things`: which districts or governments (default: each). A district is placed where the player likes, as if no slot
    limited it; a government's token is put on the card of its type, wherever that lies; a fort is the nearest to the capital
    that nobody controls, and gets an unused city, as if it had been beaten.
    """
    _check_round(at_round, plan)
    if ruleset.box != names.BOXES[names.TI_BOX]:
        raise UserError(f"--{what}: only Terra Incognita has {what}s; expected --box {names.BOXES[names.TI_BOX]}")
    if what == "fort":
        return Experiment(what, plan, ruleset, (Arm("fort", names.TREAT_FORT),), at_round)
    known = {"district": names.DISTRICTS, "government": names.GOVERNMENTS}[what]
    treatment = {"district": names.TREAT_DISTRICT, "government": names.TREAT_GOVERNMENT}[what]
    chosen = [named(what, word, known) for word in things or known]
    return Experiment(what, plan, ruleset, _distinct([Arm(name, treatment, known.index(name)) for name in chosen]), at_round)


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
}


def ban(ruleset: Ruleset, what: str, name: str) -> Ruleset:
    """Return the rules without the wonder, leader, focus or victory card, or agenda of the name."""
    word = named("thing to ban", what, list(BANS))
    known = dict(_bannable(ruleset.data, word))
    found = named(word, name, list(known))
    return with_overlay(ruleset, known[found], f"without {found}")


def _bannable(data: Mapping[str, Any], what: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield name and overlay of everything of a kind that can be taken out of the game."""
    off = {"available": False}
    if what == "wonder":
        every = names_of(data, "wonder")
        yield from ((name, {"wonders": {slug(name): off}}) for name in every if data["wonders"][slug(name)]["available"])
    elif what == "leader":
        every = names_of(data, "leader")
        yield from ((name, {"leaders": {slug(name): off}}) for name in every if data["leaders"][slug(name)]["available"])
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
