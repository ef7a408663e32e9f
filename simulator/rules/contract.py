"""What an ability may ask, by the contract of its words (`codes.py`): faults of an ability that could never act, or would not
act as it says. Start with `faults`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import listed
from . import codes, unsayable
from .codes import Count, Effect, Moment

# Keys of deeds that ask for what a moment may not know, and the counts' keys.
ASKS = {"terrain": codes.FACT_TERRAIN, "target": codes.FACT_TARGET, "type": codes.FACT_TYPE, "giver": codes.FACT_OTHER}
COUNTING = ("if", "unless", "per")
NOBODYS = ("barbarian", "city_state", "fort")  # targets that are no player's
GIVEN = ("diplomacy", "city_states")  # what has a giver
OWN_ONLY = ("start_of_turn", "first_turn")  # no moments for others


def knowing(*facts: str) -> tuple[str, ...]:
    """Return the moments at which all of these are known."""
    return tuple(word for word, moment in codes.MOMENT.items() if word != "held" and set(facts) <= moment.knows)


def known(effect: Effect, moment: str) -> frozenset[str]:
    """Return what is known where an ability acts: a deed at its moment, what holds where it is asked for."""
    return codes.MOMENT[moment].knows if effect.deed else effect.knows


def answers(effect: Effect, count: Count, moment: str) -> bool:
    """Say whether a count can be anything but 0 where the ability acts."""
    return count.needs in ("", *known(effect, moment))


def sets_itself_off(effect: str, moment: str) -> bool:
    """Say whether doing the deed can bring about its own moment."""
    return moment in codes.EFFECT[effect].sets_off


def faults(ability: Mapping[str, Any], stem: str) -> Iterator[tuple[str, str]]:
    """Yield key and message of what an ability asks in vain; its values fit the model of its effect.

    `stem`: the file of its entry; of a card that a leader gives away, "diplomacy".
    """
    effect = codes.EFFECT[ability["effect"]]
    if effect.deed:
        yield from _of_moment(ability, codes.MOMENT[ability["moment"]], stem)
        yield from _of_deed(ability, effect, codes.MOMENT[ability["moment"]])
        yield from _of_givers_moment(ability, stem)
    else:
        yield from _of_combat(ability, effect, stem)
    yield from _of_counts(ability, effect)
    yield from _of_rounds(ability)
    yield from _of_keys(ability, effect)
    yield from _of_givers(ability, effect, stem)


def _of_moment(ability: Mapping[str, Any], moment: Moment, stem: str) -> Iterator[tuple[str, str]]:
    """Yield what the moment of a deed does not know."""
    if moment.only not in ("", stem):
        yield "moment", f"'{moment.word}' is for world wonders: others may say wonder_built"
        return
    for key, fact in ASKS.items():
        if ability.get(key) is not None and fact not in moment.knows:
            yield key, f"says nothing: {moment.word} knows no {_plain(fact)}; {_where(knowing(fact))}"
    if ability.get("next_to") == "that_space" and codes.FACT_SPACE not in moment.knows:
        message = f"no space belongs to the moment {moment.word}; expected one of {', '.join(knowing(codes.FACT_SPACE))}"
        yield "next_to", message
    targets = ability.get("target")
    if targets and codes.FACT_TARGET in moment.knows:
        yield from _of_targets(targets, moment.targets, moment.word)
    if moment.word == "arrival" and ability.get("type") and targets != ["city_state"]:
        yield "type", "only a city-state has a type: add target: [city_state]"


def _of_deed(ability: Mapping[str, Any], effect: Effect, moment: Moment) -> Iterator[tuple[str, str]]:
    """Yield a moment at which a deed comes to nothing."""
    if comes_to_nothing(effect, moment):
        yield "moment", comes_to_nothing(effect, moment)
    elif effect.needs == codes.FACT_OTHER and set(ability.get("target") or ["city"]) <= set(NOBODYS):
        yield "target", f"{effect.word} is about another player, and {listed(ability['target'], 'or')} is none"


def comes_to_nothing(effect: Effect, moment: Moment) -> str:
    """Return why a deed comes to nothing at a moment, "" if it does not."""
    if effect.needs and effect.needs not in moment.knows:
        return f"{effect.word} needs {effect.needs}, and {moment.word} knows none; {_where(knowing(effect.needs))}"
    if effect.is_due and moment.word == "start_of_turn":
        return f"at start_of_turn the player chooses what is used, and would leave {effect.word}; say end_of_turn"
    return ""


def _of_givers_moment(ability: Mapping[str, Any], stem: str) -> Iterator[tuple[str, str]]:
    """Yield what cannot be asked of a moment of who gave the card."""
    if ability.get("by") != "giver":
        return
    if stem != "diplomacy":
        yield "by", "only diplomacy cards of players have such a giver"
    if ability["moment"] in OWN_ONLY:
        yield "by", f"at {ability['moment']} a player uses own abilities only; expected another moment"
    if ability.get("giver"):
        yield "giver", "says nothing beside `by: giver`: the giver is no other side of its own doing"
    for key in COUNTING:
        if (word := _counted(ability, key)) and codes.COUNT[word].needs in (codes.FACT_TURN, codes.FACT_ATTACKS):
            yield key, f"{word} is 0 at the giver's moments, in the turn of another"


def _of_targets(targets: Any, possible: tuple[str, ...], where: str) -> Iterator[tuple[str, str]]:
    """Yield targets that there cannot be."""
    wrong = next((word for word in targets if word not in possible), None)
    if wrong:
        yield "target", f"{where} never has the target {wrong}; expected one of {', '.join(possible)}"


def _of_combat(ability: Mapping[str, Any], effect: Effect, stem: str) -> Iterator[tuple[str, str]]:
    """Yield what a bonus in combat asks in vain."""
    if effect.word != "combat":
        return
    defends = ability.get("when") == ["defend"]
    if defends and ability.get("target"):
        yield from _of_targets(ability["target"], codes.MOMENT["defence_won"].targets, "defending")
    near = [key for key in COUNTING if _counted(ability, key) == "settlement_near"]
    if ability.get("within") and not near:
        yield "within", "says nothing without per: settlement_near"
    if near and not ability.get("within"):
        yield "within", "is missing: settlement_near needs a distance of 1 or more"
    for key in COUNTING:
        if defends and (word := _counted(ability, key)) and codes.COUNT[word].needs in (codes.FACT_TURN, codes.FACT_ATTACKS):
            yield key, f"{word} is 0 in defence, in the turn of another"


def _of_counts(ability: Mapping[str, Any], effect: Effect) -> Iterator[tuple[str, str]]:
    """Yield counts that are always 0 where the ability acts, or never what is asked."""
    moment = ability.get("moment", "held")
    for key in COUNTING:
        if not (word := _counted(ability, key)):
            continue
        count = codes.COUNT[word]
        if not answers(effect, count, moment):
            where = moment if effect.deed else effect.word
            yield key, f"says nothing: {where} knows no {_plain(count.needs)} for {word}; {where_counted(count)}"
        elif count.needs == codes.FACT_OTHER and set(ability.get("target") or ["city"]) <= set(NOBODYS):
            yield key, f"says nothing: {word} is about another player, and {listed(ability['target'], 'or')} is none"
        elif count.most and key != "per" and ability[key][word] > count.most:
            says = "never" if key == "if" else "always"
            yield key, f"is {says} so: {word} is at most {count.most}"
        elif key == "unless" and ability[key][word] <= count.least:
            yield key, f"leaves nothing: {word} is at least {count.least}"
    least, below = ability.get("if") or {}, ability.get("unless") or {}
    for both in (word for word in least if word in below and least[word] >= below[word]):
        yield "unless", f"leaves nothing: {both} is to be at least {least[both]} and fewer than {below[both]}"


def _of_rounds(ability: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield rounds that never come."""
    first, last = ability.get("from_round") or 0, ability.get("until_round") or 0
    if last and first > last:
        yield "until_round", f"expected at least {first}, the round of from_round, got {last}"
    if first > 1 and ability.get("moment") == "first_turn":
        yield "from_round", "the first turn is in round 1"


def _of_keys(ability: Mapping[str, Any], effect: Effect) -> Iterator[tuple[str, str]]:
    """Yield keys that say nothing beside others."""
    if ability.get("new_type") and ability.get("resource"):
        yield "new_type", "says nothing beside `resource`: it is for resources of the player's choice"
    if effect.word == "convert_token" and ability.get("limit", 1) > ability["amount"]:
        yield "limit", f"expected at most {ability['amount']}, the tokens named (amount), got {ability['limit']}"
    if ability.get("giver_places") and not ability.get("for_giver"):
        yield "giver_places", "is for what the giver gains: `for_giver: true`"


def _of_givers(ability: Mapping[str, Any], effect: Effect, stem: str) -> Iterator[tuple[str, str]]:
    """Yield words about a giver where there is none."""
    if ability.get("for_giver") and ability["moment"] == "start_of_turn":
        yield "for_giver", "nobody gains at the start of another player's turn"
    for key in ("giver", "for_giver"):
        if ability.get(key) and stem not in GIVEN:
            yield key, "only diplomacy cards have a giver"
    of_player = (ability.get("whose") == "giver", "whose"), (ability.get("for_giver") and stem == "city_states", "for_giver")
    for asked, key in of_player:
        if asked and stem != "diplomacy":
            yield key, "only diplomacy cards of players have such a giver"
    if ability.get("giver") != "only" or stem not in GIVEN:
        return
    moment = codes.MOMENT[ability.get("moment", "held")]
    possible = set(ability.get("target") or (effect.deed and moment.targets) or ("city_state", "city"))
    if effect.word == "combat" and ability.get("when") == ["defend"]:
        possible -= set(NOBODYS)
    if codes.FACT_OTHER in known(effect, moment.word) and not (
        "city_state" in possible if stem == "city_states" else possible - set(NOBODYS)
    ):
        giver = "a city-state" if stem == "city_states" else "a player"
        yield "giver", f"is never so: the giver is {giver}, which the target never is"


def _counted(ability: Mapping[str, Any], key: str) -> str:
    """Return the word that a key counts, "" for none."""
    value = ability.get(key)
    return str(value if key == "per" else next(iter(value))) if value else ""


def _plain(fact: str) -> str:
    """Return a fact without its article."""
    return fact.removeprefix("a ").removeprefix("the ").removeprefix("an")


def _where(moments: tuple[str, ...]) -> str:
    return f"it may be asked at {listed(moments, 'or')}"


def where_counted(count: Count) -> str:
    """Return where a count may be asked, as the end of a message."""
    effects = codes.EFFECT.values()
    keys = {
        effect.word: [key for key in COUNTING if count.word in getattr(effect.keys.get(key), "words", ())] for effect in effects
    }
    holding = [f"{word}{_only(keys[word], effect)}" for word, effect in codes.EFFECT.items() if keys[word] and not effect.deed]
    deeds = keys["trade_tokens"]
    moments = f" at {listed(knowing(count.needs), 'or')}" if count.needs else ""
    return f"it is for {listed([*holding, *([f'deeds{moments}'] if deeds else [])], 'and')}"


def _only(keys: list[str], effect: Effect) -> str:
    """Return the one key of an effect that may count something, in brackets, where others may not."""
    return f" ({keys[0]})" if len(keys) == 1 and sum(key in effect.keys for key in COUNTING) > 1 else ""


def unknown_effect(word: Any) -> str:
    """Return the message about a word that is no effect."""
    return f"unknown effect {word!r}{unsayable.answer(str(word), codes.EFFECT)}; see docs/abilities.md"
