"""Commented templates of own content: `newdawn rules new leader Atlantis`."""

from __future__ import annotations

from ...errors import UserError, unknown
from ..contents import slug
from ..loading.overlay import named_abilities
from ..loading.packaged import printed_data
from .schema import COMMENT

LEADER = """name: with {name}
leaders:
  {key}:
    name: {name}
    # Focus types from the leftmost place of the row (slot 1) to slot 5.
    start_row: [science, culture, economy, military, industry]
    # What it can do; docs/abilities.md has all words. Numbers can be tuned: newdawn tune --rules THIS \\
    #   --parameter leaders.{key}.abilities.combat.amount --target win-rate:{name}=25%
    abilities:
      - {{effect: combat, amount: 1, when: [defend]}}
      - {{effect: trade_tokens, amount: 1, moment: city_built}}
      # - {{ability: epic_quest}}   # the power of a printed leader, wonder or diplomacy card as it is
    # start_trade_tokens: {{culture: 1}}
    # effect: one line for people to read
"""
WONDER = """name: with {name}
wonders:
  {key}:
    name: {name}
    type: economy            # culture, economy, military or science: the deck it is in
    era: medieval            # ancient, medieval or modern
    cost: 9
    resources: [diamond, oil]  # two of marble, mercury, oil, diamond that pay for it
    # What it does; docs/abilities.md has all words. `moment: built` is for what it does once, when it is built.
    abilities:
      - {{effect: caravan_steps, amount: 1}}
      - {{effect: resources, amount: 1, moment: built}}
"""
AGENDA = """name: with {name}
victory_cards:
  {key}_merchant:
    # Two agendas; either one claims the card. Of a pair, any_of: one will do, all_of: both must hold. What can be counted,
    # and by what, is in docs/abilities.md, "Metrics".
    agendas:
      - {{name: {name}, condition: {{metric: controlled_spaces_next_to_water_or_map_edge, at_least: 12}}}}
      - name: Merchant
        condition: {{all_of: [{{metric: caravans_arrived, at_least: 3}}, {{metric: trade_tokens_on_cards, at_least: 4}}]}}
"""
DIPLOMACY = """name: with {name}
diplomacy:
  {key}:
    name: {name}
    # Each player has one such card to give. giver: never = not against who gave it; only = only where the giver is concerned.
    abilities:
      - {{effect: combat, amount: 1, giver: never}}
"""
CITY_STATE = """name: with {name}
city_states:
  {key}:
    name: {name}
    type: economy            # the focus card that a caravan's trade tokens go on: culture, science, economy, industry, military
    in_place_of: kabul       # it lies where this one is printed; without it, name it among the features of an own tile
    # What its diplomacy card gives; docs/abilities.md has all words. giver: never = not against the city-state itself.
    abilities:
      - {{effect: caravan_steps, amount: 1}}
    # copies: 2              # of its diplomacy card
"""
NATURAL_WONDER = """name: with {name}
natural_wonders:
  {key}:
    name: {name}
    resource: oil            # what its token pays as: marble, mercury, oil or diamond
    in_place_of: pantanal    # it lies where this one is printed; without it, name it among the features of an own tile
    # What who holds it can do; docs/abilities.md has all words.
    abilities:
      - {{effect: trade_tokens, amount: 1, moment: start_of_turn}}
"""
FOCUS_CARD = """name: with {name}
focus_cards:
  {key}:
    name: {name}
    type: science            # culture, science, economy, industry or military (Terra Incognita: growth)
    level: 2
    # Every player may take it beside the printed card of this type and level; with in_place_of there is only this one.
    # in_place_of: mathematics
    # Numbers as on the printed card, unless they are given here: newdawn rules show Mathematics
    first: {{trade_tokens: 1}}
    # What it gives while it lies in the row; docs/abilities.md has all words.
    abilities:
      - {{effect: trade_tokens, amount: 1, moment: dial_turned}}
"""
TILE = """name: with the tile {name}
tiles:
  22:                        # a number of its own, from 22 on; newdawn rules show tile 1 has the spaces' numbers
    kind: plain              # plain, natural_wonder, city_state or capital (with a mark of that kind on each side)
    sides:
      A:
        terrain: [grassland, hills, forest, grassland, desert, hills, grassland, mountain, water, water]
        features: [{{space: 1, resource: oil}}]
      B:
        terrain: [hills, grassland, grassland, water, forest, desert, hills, grassland, grassland, water]
        features: [{{space: 4, resource: marble}}]
  # 12: {{available: false}}   # a printed one that stays in the box
"""
TEMPLATES = {
    "leader": LEADER, "wonder": WONDER, "agenda": AGENDA, "diplomacy": DIPLOMACY, "city-state": CITY_STATE,
    "natural-wonder": NATURAL_WONDER, "focus-card": FOCUS_CARD, "tile": TILE,
}  # fmt: skip


def template(kind: str, name: str) -> str:
    """Return a house-rule file with new content of the kind and name, ready to play; raise UserError for an unknown kind."""
    from ... import names

    if kind not in TEMPLATES:
        raise unknown("kind of content", kind, [*TEMPLATES, "goals"])
    key = slug(name)
    if not key or any(letter in name for letter in ":#{}[],/'\"&*?|<>=!%@`"):
        raise UserError(f"name: '{name}' is not valid; expected letters, digits and spaces, such as Atlantis")
    if any(key in named_abilities(printed_data(box)) for box in names.BOXES):
        raise UserError(f"name: a printed '{name}' already exists; expected another name")
    return COMMENT + TEMPLATES[kind].format(name=name, key=key)
