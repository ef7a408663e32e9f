"""Restricted play: the restrictions of a seat by name; `strategies.learned.candidate_turns` removes the options.

A profile lists them (`restrictions: [attacks, agenda Paranoid]`). A seat's weight weights.FORBIDDEN holds those of RESTRICTIONS
as bits, and weights.IGNORED the `mark` of the agenda that it does not go for.

The last ones exactly:

    waiting        the card of a turn is the one that brings most at once; a better slot later counts nothing
    early cards    the card of a turn is always the one in the last slot
    looking ahead  no plan and no trial of the turn: every option counts by what it brings at once, the card as under `waiting`,
                   and a victory card only once a turn's work is missing (`plan.is_in_sight`)
    agenda NAME    the plan never chooses it, and nothing is worth more for its sake; who meets it still claims the card
"""

from collections.abc import Iterable

from ...simulator import names

RESTRICTIONS = {
    "attacks": "never attacks anything",
    "attacks on players": "never attacks rivals' control tokens, cities or capitals",
    "attacks on capitals": "never attacks rivals' capitals",
    "reinforcing": "never reinforces control tokens with a card",
    "world wonders": "builds no world wonders",
    "cities": "founds no cities",
    "caravans": "sends no caravans",
    "trade in combat": "spends no trade tokens in combat",
    "forts": "never attacks forts",
    "districts": "places no districts with its growth cards",
    "exploring": "never explores with an army or a caravan",
    "waiting": "never waits for a better slot",
    "early cards": "always waits for the last slot",
    "looking ahead": "looks no turn ahead",
}
OF_EXPANSION = ("forts", "districts", "exploring")
(
    ATTACKS, ON_PLAYERS, ON_CAPITALS, REINFORCING, WORLD_WONDERS, CITIES, CARAVANS, TRADE_IN_COMBAT,
    FORTS, DISTRICTS, EXPLORING, WAITING, EARLY_CARDS, LOOKING_AHEAD,
) = (1 << k for k in range(len(RESTRICTIONS)))  # fmt: skip
OPPOSED = ("waiting", "early cards")  # they exclude each other

AGENDA = "agenda "  # prefix of a restriction that ignores an agenda
# The name of an agenda as a number (FNV-1a, by G. Fowler, L. C. Noll and K.-P. Vo): own agendas of house rules have one, too.
MARK_SEED, MARK_PRIME, MARK_BITS, MARK_MASK = 2166136261, 16777619, 0xFFFFFFFF, 0x7FFFFFFF


def valid_in(box: int) -> tuple[str, ...]:
    """Return the restrictions with a meaning in a box (names.BOXES), without those that ignore an agenda."""
    return tuple(name for name in RESTRICTIONS if box == names.TI_BOX or name not in OF_EXPANSION)


def meaning(name: str) -> str:
    """Return what a player with the restriction does, as the end of a sentence."""
    return f"does not go for {name.removeprefix(AGENDA)}" if name.startswith(AGENDA) else RESTRICTIONS[name]


def ignored_agendas(names: Iterable[str]) -> list[str]:
    """Return the agendas that the restrictions ignore."""
    return [name.removeprefix(AGENDA) for name in names if name.startswith(AGENDA)]


def mark(agenda: str) -> int:
    """Return the number that stands for an agenda's name in weights.IGNORED; `plan.title_mark` computes it from the rules."""
    number = MARK_SEED
    for byte in agenda.encode():
        number = (number ^ byte) * MARK_PRIME & MARK_BITS
    return number & MARK_MASK | 1
