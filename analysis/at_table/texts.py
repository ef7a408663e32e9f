"""What cards do, in words: on the cards of a game at the table, and beside the options of a question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...simulator.engine import decisions
from ...simulator.engine.turn import slot_in_place
from ...simulator.replay.sitting import Question, drafts
from ...simulator.rules import sentences
from ...simulator.rules.contents import box_of, name_of, section
from ...simulator.rules.packaged import printed_data


def on_cards(data: Mapping[str, Any], r: Any) -> dict[str, str]:
    """Return what stands on each focus card, by its name: the printed text in short; of a changed one, what it does now."""
    printed = dict(_focus_cards(printed_data(box_of(data))))
    now = dict(_focus_cards(data))
    codes = [code for code in range(int(r.n_cards)) if r.card_level[code] > 0]
    names = {code: name_of(r, "card", code) for code in codes}
    return {
        name: now[name]["effect"] if name in now and now[name] == printed.get(name) else sentences.card_text(r, code)
        for code, name in names.items()
    }


def _focus_cards(data: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the focus cards of the data by their names, those of leaders too."""
    for card in data["focus_cards"][section(data)].values():
        yield card["name"], card
    for leader in data["leaders"].values():
        if leader.get("unique_card"):
            yield leader["unique_card"]["name"], leader["unique_card"]


# ---------------------------------------------------------------------- beside an option


def does(question: Question, value: int, cards: Mapping[str, str]) -> str:
    """Return what an option brings that its words do not say: what a card, a world wonder or a district does; else "".

    `cards`: what stands on the focus cards (`on_cards`).
    """
    if value == decisions.PASS:
        return ""
    if question.code == decisions.UPGRADE:
        return cards[name_of(question.rules, "card", value // 8)]
    tell = OPTIONS.get(question.code)
    return "" if tell is None else tell(question, value)


def _of_row(question: Question, place: int) -> str:
    """Return what the card in a place of the own row does there; as a second card it acts from the slot that is asked for."""
    r, g, seat = question.rules, question.game, question.seat
    slot = int(slot_in_place(r, g, seat, place)) if question.code == decisions.CARD else question.about["slot"]
    return sentences.card_text(r, int(g.card[seat, g.row[seat, place]]), slot)


def _wonder(question: Question, value: int) -> str:
    if not (drafts(question.code, question.about) or decisions.WONDER_OPTION <= value < decisions.CITY_ON_CARAVAN):
        return ""
    return plain("; ".join(sentences.wonder(question.rules, value - decisions.WONDER_OPTION)[2:]))


def _diplomacy(question: Question, value: int) -> str:
    r, space = question.rules, question.about["space"]
    if space < 0 or question.code == decisions.RETURN_DIPLOMACY:
        return plain("; ".join(sentences.sentences(r, "diplomacy", value)))
    states = [cs for cs in range(int(r.n_city_states)) if question.game.city_state_space[cs] == space]
    return plain("; ".join(text for cs in states for text in sentences.sentences(r, "city_state", cs)))


def _district(question: Question, value: int) -> str:
    return plain("; ".join(sentences.district(question.rules, value % 8)[1:]))


def plain(text: str) -> str:
    """Return a sentence of `rules show` without rule numbers."""
    return sentences.RULE_NUMBERS.sub("", text)


OPTIONS: dict[int, Callable[[Question, int], str]] = {
    decisions.CARD: _of_row,
    decisions.OTHER_CARD: _of_row,
    decisions.INDUSTRY: _wonder,
    decisions.TAKE_DIPLOMACY: _diplomacy,
    decisions.RETURN_DIPLOMACY: _diplomacy,
    decisions.PLACE_DISTRICT: _district,
    decisions.NAME_DISTRICT: _district,
}
