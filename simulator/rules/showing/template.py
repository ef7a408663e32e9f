"""Commented templates of own content: `newdawn rules new leader Atlantis`."""

from __future__ import annotations

from newdawn.simulator.errors import UserError, unknown
from newdawn.simulator.rules.contents import slug
from newdawn.simulator.rules.loading.overlay import named_abilities
from newdawn.simulator.rules.loading.packaged import printed_data

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
    # Two agendas; either one claims the card. Metrics: {metrics}
    agendas:
      - {{name: {name}, condition: {{metric: controlled_spaces_next_to_water_or_map_edge, at_least: 12}}}}
      - {{name: Merchant, condition: {{metric: wonders_of_type, at_least: 2, type: economy}}}}
"""
DIPLOMACY = """name: with {name}
diplomacy:
  {key}:
    name: {name}
    # Each player has one such card to give. giver: never = not against who gave it; only = only where the giver is concerned.
    abilities:
      - {{effect: combat, amount: 1, giver: never}}
"""
TEMPLATES = {"leader": LEADER, "wonder": WONDER, "agenda": AGENDA, "diplomacy": DIPLOMACY}


def template(kind: str, name: str) -> str:
    """Return a house-rule file with new content of the kind and name, ready to play; raise UserError for an unknown kind."""
    from newdawn.simulator.names import BOXES, METRIC_CARDS_OF_LEVEL, METRICS

    if kind not in TEMPLATES:
        raise unknown("kind of content", kind, list(TEMPLATES))
    key = slug(name)
    if not key or any(letter in name for letter in ":#{}[],/'\"&*?|<>=!%@`"):
        raise UserError(f"name: '{name}' is not possible; expected letters, digits and spaces, such as Atlantis")
    if any(key in named_abilities(printed_data(box)) for box in BOXES):
        raise UserError(f"name: there is a printed '{name}' already; expected another name")
    return TEMPLATES[kind].format(name=name, key=key, metrics=", ".join(METRICS[1:METRIC_CARDS_OF_LEVEL]))
