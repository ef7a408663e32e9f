"""The vocabulary of abilities as a page, from the declarations of its words.

``python -m newdawn.simulator.rules.vocabulary`` writes docs/abilities.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .. import names
from ..errors import listed
from . import codes, unsayable
from .codes import AT_A_SPACE, ON_THE_SPOT, ON_THE_TILE, WITH_CARDS, Effect, Key
from .printed_game import printed_data
from .ruleset_contents import ability_holders

PAGE = Path(__file__).parents[2] / "docs" / "abilities.md"
HEAD = """# Abilities

What a leader, world wonder, city-state, diplomacy card, natural wonder or focus card does is a list of *abilities*. Each is
one `effect` with what belongs to it: an `amount`, conditions, and for a deed the `moment` at which it is done. The printed
game is written in these words (`simulator/data/leaders.yaml`, `wonders.yaml`, `city_states.yaml`, `diplomacy.yaml`), and so
are yours:

```yaml
leaders:
  atlantis:
    name: Atlantis
    start_row: [science, culture, economy, military, industry]
    abilities:
      - {effect: combat, amount: 1, when: [defend], per: water_beside}     # +1 for each water space beside the fight
      - {effect: trade_tokens, amount: 1, moment: city_built}              # a trade token for each city built
      - {ability: epic_quest}                                              # Sumeria's power as it is printed
wonders:
  crystal_palace:
    {name: Crystal Palace, type: economy, era: medieval, cost: 8, resources: [diamond, oil], abilities: [
      {effect: production, amount: 2}]}
victory_cards:
  seafarer_hermit:
    agendas:
      - {name: Seafarer, condition: {metric: controlled_spaces_next_to_water_or_map_edge, at_least: 12}}
      - name: Hermit
        condition:
          all_of: [{metric: natural_wonders_held, at_least: 1}, {metric: spaces_of_terrain, terrain: hills, at_least: 3}]
city_states:
  havana: {name: Havana, type: economy, in_place_of: kabul, abilities: [{effect: caravan_steps, amount: 1}]}
natural_wonders:
  ayers_rock: {name: Ayers Rock, resource: oil, in_place_of: grand_mesa, abilities: [{effect: attacks, amount: 1}]}
focus_cards:
  moon_school: {name: Moon School, type: science, level: 2, first: {trade_tokens: 1}, abilities: [
    {effect: trade_tokens, amount: 1, moment: dial_turned}]}
```

A city-state or natural wonder lies where the printed one lies whose place it takes, or on own tiles whose features name it.
Its abilities are those of who holds its diplomacy card, or its token. A focus card lies in every deck beside the printed one
of its type and level, or, with `in_place_of`, instead of it; every number it does not give is that of the printed one; its
abilities hold while it lies in the row. Tiles have numbers from 22 on and are drawn and dealt with the others; `tiles: {12:
{available: false}}` leaves a printed one in the box. `newdawn rules new city-state Havana` (natural-wonder, focus-card, tile
…) writes a template.

`newdawn rules new leader Atlantis` writes a commented template, `newdawn rules check FILE` names what is wrong with a file,
`newdawn rules check FILE --play 1000` plays it and names abilities that never came to anything and agendas nobody claimed. An
own entry has its name in small letters as its key; printed entries keep their codes, so a game with own content is dealt from
the same cards first.

A house rule changes one number of an ability by its key, which is its effect (`combat`, a second one `combat_2`):
`leaders: {scythia: {abilities: {combat: {amount: 1}}}}`; takes one away with `works: false`; adds one under a key of its own;
or gives a whole new list. `ability: NAME` stands for all abilities of a printed leader (or the name of its power), wonder,
city-state or diplomacy card.

An ability acts if all its conditions hold: `if`, `unless`, `terrain`, `target`, `type`, `giver`, its rounds, and `once`. Those
of a deed are asked at its moment, and so is what `per` counts. Trade tokens and resources are gained, stolen and given up at
once. Every other deed is noted with its amount and done later: when the card being resolved is finished (after its
`card_resolved`), again after its reset and at the end of the turn; outside of cards when the event dial has been turned and
after each player's `end_of_round`. Noted deeds are done in the order in which they were set off, and what they set off comes
last in that order. At once are also done what a player uses at the start of a turn, and of a wonder at its own `built` or
`built_or_captured` `upgrade_cards`, `raise_cards`, `take_diplomacy`, `take_city` and `explore`. What a player may do it may
also leave. Several abilities of one card act in the order of this page; what is gained at once
counts for those after it.

A deed can bring about moments: a control token that an ability places is a `token_placed`, a dial that it turns a
`dial_turned`. So that none runs in a circle, an ability acts once for each cause: what a player's ability has set off, itself
or by way of others, does not set it off again, on whichever of the player's cards it is. `once: true` is once a turn, whoever's
turn it is, for each holder and each card that has it.

A diplomacy card can wait for what its giver does: `{effect: trade_tokens, amount: 2, moment: wonder_built, by: giver}` gives
its holder two trade tokens when the player from whom it is builds a world wonder. What `if`, `unless` and `per` count is the
holder's.

Several abilities of one effect add up as the effect says below (*Together*). An ability that asks for what its moment does not
know, or that could never act, is refused with the way that works: the table of *Moments* says what each knows. A player can
have {room} at a time that wait for a moment or ask for the situation, and at most {to_do} deeds can wait.

`everyone: {abilities: […]}` is what every player can do, whatever the leader. Every ability may have `from_round` and
`until_round`: it acts in these rounds only. So no attacks on cities before round 5 are
`everyone: {abilities: [{effect: spares, target: [city, capital], until_round: 4}]}`, and help for whoever is behind is
`{effect: trade_tokens, amount: 1, moment: start_of_turn, if: {claims_behind: 1}}`.

Some words say something in Terra Incognita only: {only}. A house rule of the base game that uses one is refused.

{share}
"""
SHARE = """Of the printed leaders, world wonders, city-states and diplomacy cards, so many are written in words with numbers and
conditions alone: {of}. Each of the others has an ability that is a word of its own, made for one card, which any entry may
have, too."""
METRICS = """## Metrics

What an agenda counts: `condition: {metric: …, at_least: 4}`. A pair is `condition: {any_of: [{…}, {…}]}`, where one will do,
or `all_of`, where both have to hold. What no printed agenda of the box counts is looked at whenever something on the map has
changed and at the end of each card, not in between.

| metric | counts | by | box |
|---|---|---|---|"""
UNSAYABLE = """## What cannot be said

No word says these. An unknown word of an ability that stands for one of them is answered with the nearest way, and so is
`newdawn rules list WORD`. The last column says whether a function of your own can do it.

| wish | nearest | `own_function` |
|---|---|---|"""
FUNCTIONS = """## Functions of your own

Where words end, `own_function` calls a function of yours at any moment:

```yaml
leaders:
  atlantis:
    name: Atlantis
    start_row: [science, culture, economy, military, industry]
    abilities:
      - {effect: own_function, function: "blessings:tribute", moment: end_of_round, amount: 1}
```

```python
# blessings.py, where the command is given
from newdawn.simulator.engine.trade import gain_trade
from newdawn.simulator.engine.decisions import SOURCE_ABILITY
from newdawn.strategies import deed


@deed
def tribute(r, g, w, bots, p, s, amount):
    \"\"\"Every rival with more cities than the seat leaves it so many trade tokens.\"\"\"
    for q in range(g.players):
        if q != p and g.city_count[q] > g.city_count[p]:
            gain_trade(r, g, w, bots, p, -1, amount, SOURCE_ABILITY)
```

It gets the rules, the game, the workspace, the strategies, the seat, the space the moment is about (-1: none) and the
ability's amount, and changes the game through the engine's own functions: `pieces.py` (cities, tokens, caravans),
`trade.py` (trade tokens, resources), `science.py` (`advance_dial`) and the others; questions are asked with
`choosing.choose`. It is called when the card being resolved is finished, like every deed, and `settle` is called after it.
Conditions (`if`, `unless`, `terrain`, `once` …) are those of other deeds. At the start of a turn the player decides whether
it is used; the planner takes it for `worth` trade tokens.

As with strategies of your own: it is compiled with bounds checks and Python's errors, it plays its first games under guard,
in a process of their own (it has to leave the rules alone, and a game that passes every invariant; 10 s a call), and the
digest of its file is part of the ruleset, so that `newdawn resume` and `extend` refuse another version of it. Chance comes
from the game's own streams (`choosing.below(g, STREAM_DICE, n)`), or a game is not the same again.

Such a function is a program with the rights of whoever plays it. House rules of others that name one are read with a note; use
a module only if you trust who wrote it.
"""


CONDITIONS = ("if", "unless", "per")  # last in each table
SHARED = {
    "per": "count", "if": "count", "unless": "count", "terrain": "terrain", "target": "target", "type": "card type",
    "moment": "moment",
}  # fmt: skip
KINDS = {"number": "number", "switch": "true, false", "either": "true, false", "text": "text"}


def _keys(keys: Mapping[str, Key]) -> list[str]:
    """Return the rows of an effect's table of keys."""
    rows = []
    for name, key in sorted(keys.items(), key=lambda item: item[0] in CONDITIONS):
        if name != "digest" and name not in codes.ROUNDS:  # the head of the page has those of every effect
            words = "number" if key.words and isinstance(key.words[0], int) else ", ".join(f"`{word}`" for word in key.words)
            kind = SHARED.get(name) or KINDS.get(key.kind) or words
            need = "" if key.needed else f"`{key.default}` if left out" if key.default else "may be left out"
            rows.append(f"| `{name}` | {kind} | {key.text} | {need} |")
    return rows


SCOPES = {
    WITH_CARDS: "while the card is held",
    ON_THE_SPOT: "on the spot",
    AT_A_SPACE: "on the spot, `per` of combat only",
    ON_THE_TILE: "on the spot, `if` and `unless` of deeds only",
}


def _examples(effect: str, box: str) -> list[str]:
    examples = []
    for _, entry in ability_holders(printed_data(box)):
        for ability in entry["abilities"].values():
            if ability["effect"] == effect:
                text = ", ".join(f"{key}: {_shown(value)}" for key, value in ability.items())
                examples.append(f"{entry.get('civ', entry.get('name'))}: `{{{text}}}`")
    return examples


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(str, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {item}" for key, item in value.items()) + "}"
    return str(value)


def _effect(effect: Effect) -> list[str]:
    only = " In Terra Incognita only." if effect.word in codes.TI_WORDS else ""
    lines = [f"### `{effect.word}`", "", effect.meaning + only, ""]
    if effect.together:
        lines += [f"*Together*: {effect.together[0].lower()}{effect.together[1:]}", ""]
    if effect.sets_off and effect.sets_off != codes.MOMENTS[1:]:
        lines += [f"It can bring about {listed(f'`{moment}`' for moment in effect.sets_off)}.", ""]
    if keys := _keys(effect.keys):
        lines += ["| key | what | meaning | |", "|---|---|---|---|", *keys, ""]
    base, expansion = (_examples(effect.word, box) for box in names.BOXES)
    if base:
        lines += [f"Printed: {'; '.join(base)}.", ""]
    if added := [example for example in expansion if example not in base]:
        lines += [f"Printed in Terra Incognita: {'; '.join(added)}.", ""]
    return lines


def in_words(entry: Mapping[str, Any]) -> bool:
    """Say whether a printed entry's effects all have keys, so that none is a word for this card alone."""
    keys = [codes.EFFECT[ability["effect"]].keys for ability in entry["abilities"].values()]
    return bool(keys) and all(keys) and not entry.get("ability")


def share() -> str:
    """Return a sentence on the share of printed entries that are `in_words`, by box."""
    parts = []
    for box in names.BOXES:
        data = printed_data(box)
        entries = [entry for path, entry in ability_holders(data) if not path.endswith("_card")]
        written = sum(map(in_words, entries))
        parts.append(f"{box} {written} of {len(entries)} ({100 * written / len(entries):.0f}%)")
    return SHARE.replace("{of}", "; ".join(parts))


def _metrics() -> Iterator[str]:
    """Yield a row of the table for each metric that house rules may name."""
    for metric in names.METRIC.values():
        if metric.text:
            by, box = f"`{metric.by}`" if metric.by else "", "Terra Incognita" if metric.ti else "both"
            yield f"| `{metric.word}` | {metric.text.format(kind='…')} | {by} | {box} |"


MOMENTS = """What a moment knows can be asked: a *terrain* with `terrain`; a *target* with `target`; a *focus type* with `type`;
the *other player* with `giver`. Control tokens can be placed *beside that space*. Counts that need any of this are named where
they can be asked, too."""


def _knows(moment: codes.Moment) -> str:
    """Return what a moment knows, in words."""
    facts = {
        codes.FACT_TERRAIN: "terrain",
        codes.FACT_TARGET: f"target ({', '.join(moment.targets)})",
        codes.FACT_TYPE: "focus type",
        codes.FACT_OTHER: "other player",
        codes.FACT_SPACE: "beside that space",
    }
    counts = [
        f"`{word}`"
        for word, count in codes.COUNT.items()
        if count.needs in moment.knows and count.needs and count.scope != codes.AT_A_SPACE
    ]
    return "; ".join([*(text for fact, text in facts.items() if fact in moment.knows), *counts]) or "–"


def _by_cards(effect: Effect) -> bool:
    """Say whether an effect may only ask for what is known while its card is held."""
    words = effect.keys["if"].words if "if" in effect.keys else ()
    return bool(words) and all(codes.COUNT[word].scope == WITH_CARDS for word in words)


def _count(count: codes.Count) -> str:
    """Return the row of a count."""
    about = f" ({count.about})" if count.about else ""
    most = f"; at most {count.most}" if count.most else ""
    in_turn = count.needs in (codes.FACT_TURN, codes.FACT_ATTACKS)
    needs = ", in the own turn" if in_turn else f", where {count.needs} is known" if count.needs else ""
    return f"| `{count.word}` | {count.says.format(within='`within`')}{about} | {SCOPES[count.scope]}{needs}{most} |"


def page() -> str:
    """Return docs/abilities.md."""
    only = ", ".join(f"`{word}`" for word in sorted(codes.TI_WORDS))
    room, to_do = str(names.MAX_LISTED), str(names.MAX_TO_DO)
    lines = [
        HEAD.replace("{only}", only).replace("{share}", share()).replace("{room}", room).replace("{to_do}", to_do),
        "## Effects that hold as long as their card is held",
        "",
    ]
    lines += [line for effect in codes.EFFECT.values() if not effect.deed for line in _effect(effect)]
    lines += ["## Deeds: effects that are done at a moment", ""]
    lines += ["At the start of a turn the player uses them in any order (B4.1); at other moments they are done one by one.", ""]
    lines += [line for effect in codes.EFFECT.values() if effect.deed for line in _effect(effect)]
    lines += ["## Moments", "", MOMENTS, "", "| word | when | knows |", "|---|---|---|"]
    lines += [f"| `{moment.word}` | {moment.about} | {_knows(moment)} |" for moment in codes.MOMENT.values() if moment.says]
    lines += ["", "## Counts, for `per`, `if` and `unless`", "", "| word | counts each | known |", "|---|---|---|"]
    lines += [_count(count) for count in codes.COUNT.values() if count.says]
    held = [f"`{effect.word}`" for effect in codes.EFFECT.values() if _by_cards(effect)]
    lines += ["", f"Only counts known while the card is held go with {', '.join(held)}.", ""]
    lines += [METRICS, *_metrics(), "", UNSAYABLE, *unsayable.rows(), "", FUNCTIONS]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
