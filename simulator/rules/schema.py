"""Help for writers of house rules: the JSON Schema of a file, and commented templates."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Annotated, Any

from pydantic import TypeAdapter
from pydantic.fields import FieldInfo

from .. import names
from ..errors import UserError, unknown
from . import board_models, codes, content_models, contract
from .board_models import Meta
from .checks import MAY_HAVE, NEEDED, PAIRS, card_models, file_of
from .content_models import model_of
from .edit import keys
from .load import load_ruleset
from .overlay import INNER, WHOLE, changeable, describes, named_abilities
from .printed_game import leaves, printed_data
from .ruleset_contents import SECTIONS, fields_of, slug

# --- JSON Schemas of models as pydantic makes them, without references, titles and defaults

Schema = dict[str, Any]
LONG = 160  # characters from which a repeated schema becomes a definition


def of_type(kind: Any, meta: Meta) -> Schema:
    """Return the schema of a value of a type, with the bounds that its model gives."""
    bounds = tuple(bound for bound in meta if not isinstance(bound, FieldInfo | str))
    return _type_schema(Annotated[(kind, *bounds)] if bounds else kind)


@cache
def _type_schema(kind: Any) -> Schema:
    return _plain(TypeAdapter(kind).json_schema())


@cache
def of_model(model: Any) -> Schema:
    """Return the schema of a model; it must not be changed."""
    return _plain(model.model_json_schema())


def _plain(generated: Schema) -> Schema:
    """Return a schema of pydantic's with its definitions in place of the references to them."""
    definitions = generated.get("$defs", {})

    def plain(part: Schema) -> Schema:
        if "$ref" in part:
            return plain(definitions[part["$ref"].rpartition("/")[2]])
        return _mapped({key: value for key, value in part.items() if key not in ("title", "default", "$defs")}, plain)

    return plain(generated)


def _mapped(
    whole: Schema, change: Callable[[Schema], Schema], property_: Callable[[str, Schema], Schema] | None = None
) -> Schema:
    """Return a schema with its parts changed; `property_` changes the schemas of properties, by their names."""

    def value_of(key: str, value: Any) -> Any:
        if key in ("properties", "patternProperties"):
            return {name: property_(name, part) if property_ else change(part) for name, part in value.items()}
        if isinstance(value, list):
            return [change(part) if isinstance(part, dict) else part for part in value]
        return change(value) if isinstance(value, dict) else value

    return {key: value_of(key, value) for key, value in whole.items()}


def or_null(schema: Schema) -> Schema:
    """Return the schema of such a value or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def not_null(schema: Schema) -> Schema:
    """Return the inverse of `or_null`."""
    return next((part for part in schema.get("anyOf", ()) if part.get("type") != "null"), schema)


def without(schema: Schema, words: Iterable[str]) -> Schema:
    """Return the schema without some of its legal words."""
    rest = _mapped(schema, lambda part: without(part, words))
    return rest | ({"enum": [word for word in schema["enum"] if word not in words]} if "enum" in schema else {})


def any_spelling(key: str) -> str:
    """Return a pattern of all names with this slug: its letters in any case, with any signs between its words."""
    letters = (f"[{letter}{letter.upper()}]" if letter.isalpha() else letter for letter in key)
    return rf"^[\W_]*{''.join('[^a-zA-Z0-9]+' if letter == '_' else letter for letter in letters)}[\W_]*$"


def share(definitions: dict[str, Schema]) -> None:
    """Turn long schemas of properties that appear more than once into definitions. Modified in place."""
    counts: Counter[str] = Counter()
    shared: dict[str, str] = {}  # names of the new definitions, by schema

    def count(part: Schema) -> Schema:
        return _mapped(part, count, lambda _, inner: (counts.update([_text(inner)]), count(inner))[1])

    def refer(part: Schema) -> Schema:
        return _mapped(part, refer, reference)

    def reference(name: str, part: Schema) -> Schema:
        text = _text(part)
        if counts[text] < 2 or len(text) < LONG:
            return refer(part)
        return {"$ref": f"#/definitions/{shared.setdefault(text, f'{name}_{len(shared) + 1}')}"}

    for definition in definitions.values():
        count(definition)
    for name in list(definitions):
        definitions[name] = refer(definitions[name])
    new = list(shared)
    while new:
        before = len(shared)
        for text in new:
            definitions[shared[text]] = refer(json.loads(text))
        new = list(shared)[before:]


def _text(schema: Schema) -> str:
    return json.dumps(schema, sort_keys=True)


# --- A JSON Schema of house-rule files, for editors and other programs: `newdawn rules schema`
#
# It is made from the models that check the rules, the keys that house rules can change (`keys`) and their sentences. NOT_SAID
# lists what only the loader (`newdawn rules check`) checks.

DRAFT = "http://json-schema.org/draft-07/schema#"  # the version that most editors support
FILE = "house_rules.schema.json"  # the name in templates
COMMENT = f"""# yaml-language-server: $schema={FILE}
# An editor with YAML support completes and checks keys, once `newdawn rules schema > {FILE}` lies beside this file.
"""
# What a schema cannot check, each with a pattern of the loader's messages about it: the field, a colon, the message.
NOT_SAID = {
    "What has to agree in several places: how many leaders, cards and tiles there are, and what lies on which tile.":
        r"available (tiles|leaders)|cannot be false|as many as described|is not on tile|one tile whose features|cannot lie on"
        r"|on a tile of kind|as the tile's kind says|expected one mark|tiles on each side|lies on tile|more than one barbarian"
        r"|belongs to tile|there is room for|wonders of a type|expected \d+ cards$|agendas, of a fort card|is an agenda of",
    "A number whose limit is another value, such as no more victory cards needed than are in play.":
        r"expected at most \d+(, the|, so that|$)|cards a type$|expected 'all in play' or|cards in play with the fort"
        r"|a space from 1 to",
    "Which values the engine reads where that depends on other values.": r"the engine does not read it",
    "That nothing is named twice, and that some lists are in order.":
        r"is (named|there) twice|rising order|each focus type once|a second \w+ card|takes the place of|already has a level",
    "Names of content that a file brings, in any spelling, and that the key of new content is its name or number.":
        r"expected the key|is the name of|unknown (ability|natural_wonder|city_state)|\.ranking\.\d+: expected"
        r"|of type and level of its own|expected a number of its own",
    "What the keys of one ability or of one agenda have to do with each other.":
        r"no space belongs|nobody gains|for what the giver gains|says nothing|is missing: \w+ needs|, not both|`given_card`"
        r"|trade_bank is|never has the target|only a city-state has a type|is (never|always) so|leaves nothing|the round of"
        r"|is in round 1|the tokens named|in the turn of another|uses own abilities only|is about another player",
    "Notes of printed focus cards, which are right with one value.": r"is a note that changes nothing",
    "What victory points need to decide a game, and partners to win together.":
        r"expected points for something|points alone decide|without points that win|without partners",
    "That the module of an own function is there, and that a map is given.": r"there is no module|'user' is set by",
    "That 3.0 is no whole number.": r"a whole number, got -?\d+\.0",
}  # fmt: skip
# What the loader accepts and the schema does not: an editor need not propose it.
STRICTER = (
    "Keys other than names in another spelling (Cost for cost).",
    "Printed values that have no other, such as the name of a printed card.",
    "Another effect under the key of a printed ability.",
)


@cache
def schema() -> Schema:
    """Return the schema of a house-rule file, of the box that it names or the base game; it must not be changed."""
    base, expansion = names.BOXES
    definitions: dict[str, Schema] = {}
    for box in names.BOXES:
        definitions[box] = _Box(box, definitions).whole()
    share(definitions)
    return {
        "$schema": DRAFT,
        "title": "House rules for Civilization: A New Dawn",
        "$comment": " ".join(["What no schema can say:", *NOT_SAID, "What the program takes besides:", *STRICTER]),
        "if": {"properties": {"box": {"const": expansion}}, "required": ["box"]},
        "then": {"$ref": f"#/definitions/{expansion}"},
        "else": {"$ref": f"#/definitions/{base}"},
        "definitions": definitions,
    }


NAME = {"type": "string", "pattern": r"^[^,/]*[^\W_][^,/]*$", "maxLength": names.MAX_NAME}
# Mappings whose keys are names in any spelling.
NAMED = (".agendas", ".governments", ".districts")
NOT_OFFERED = {"name", "type", "level", "set", "in_place_of", "source", "disputed", "figures_inferred", "confidence", "gaps",
               "effect", "abilities"}  # fmt: skip


NOTHING: Schema = {"not": {}}  # no value


def _asks(effect: str, stem: str) -> list[Schema]:
    """Return what the moments of a deed do not know, as parts of the schema of its abilities, by the contract of the words."""
    if not codes.EFFECT[effect].deed:
        return []
    moments = [word for word, moment in codes.MOMENT.items() if word != "held" and moment.only in ("", stem)]
    parts = [
        _unless_known({key: NOTHING}, [word for word in moments if fact not in codes.MOMENT[word].knows])
        for key, fact in contract.ASKS.items()
    ]
    for fact in sorted({count.needs for count in codes.COUNT.values()} - {""}):
        words = [word for word, count in codes.COUNT.items() if count.needs == fact]
        none = {"not": {"enum": words}}
        asked = {"if": {"propertyNames": none}, "unless": {"propertyNames": none}, "per": none}
        asked = {key: value for key, value in asked.items() if key in codes.EFFECT[effect].keys}
        parts.append(_unless_known(asked, [word for word in moments if fact not in codes.MOMENT[word].knows]))
    vain = [word for word in moments if contract.comes_to_nothing(codes.EFFECT[effect], codes.MOMENT[word])]
    return [*parts, {"properties": {"moment": {"not": {"enum": vain}}}}] if vain else parts


def _unless_known(properties: Schema, moments: list[str]) -> Schema:
    """Return a schema that wants these of the properties of an ability at one of the moments."""
    at = {"properties": {"moment": {"enum": moments}}, "required": ["moment"]}
    return {"if": at, "then": {"properties": properties}}


class _Box:
    """Makes the schema of one box; shared parts go into `definitions`."""

    def __init__(self, box: str, definitions: dict[str, Schema]) -> None:
        self.box, self.part, self.definitions = box, SECTIONS[box], definitions
        ruleset = load_ruleset(box=box)
        self.data = ruleset.data
        self.leaves: dict[str, Schema] = {}
        for entry, key in zip(changeable(self.data), keys(ruleset), strict=True):
            self.leaves[entry.path] = {**of_type(entry.kind, entry.meta), "description": key.text}
        for path, text in leaves(self.data):
            if describes(path) and not path.startswith("disputes."):
                self.leaves[path] = {"type": "string", "description": f"A line for people to read; printed: {text}"}
        self.tree: dict[str, Any] = {}
        for path in self.leaves:
            *steps, last = path.split(".")
            node = self.tree
            for step in steps:
                node = node.setdefault(step, {})
            node[last] = None
        self.tree["everyone"] = {"abilities": {}}  # printed, it is empty

    def whole(self) -> Schema:
        """Return the schema of a file."""
        file = self._object("", self.tree)
        header = {
            "name": {"type": "string", "description": "Name of the house rules, as reports show it."},
            "description": {"type": "string", "description": "What they change and what they test."},
            "box": {"const": self.box, "description": f"The box they are for: {' or '.join(names.BOXES)}."},
        }
        file["properties"] = {**header, **file["properties"]}
        return file

    # --- printed entries

    def _node(self, path: str, tree: Any) -> Schema:
        if tree is None:
            return self.leaves[path]
        last = path.rpartition(".")[2]
        if last == "abilities":
            return self._abilities(path, self._at(path))
        if last == "condition":
            return self._condition(path, tree)
        if path in WHOLE:
            number = self.leaves[f"{path}.{next(iter(tree))}"]
            return {
                "type": "object", "propertyNames": {"pattern": r"^\d+$"}, "additionalProperties": number,
                "description": number["description"],
            }  # fmt: skip
        return self._object(path, tree)

    def _object(self, path: str, tree: Mapping[str, Any]) -> Schema:
        """Return the schema of a mapping of which any part may be given, its entries addressed in any legal way."""
        properties = {key: self._node(f"{path}.{key}".removeprefix("."), sub) for key, sub in tree.items()}
        properties |= self._added(path, tree)
        patterns: dict[str, Schema] = {}
        own: Schema | bool = False
        if path.endswith(NAMED) or file_of(path):
            properties = {key: self._reference(f"{path}.{key}", value) for key, value in properties.items()}
            patterns = {any_spelling(key): value for key, value in properties.items()}
            own = self._own_content(file_of(path)) if file_of(path) else False
        for key, value in list(properties.items()):
            if key.endswith(f"_{self.part}"):
                properties.setdefault(key.removesuffix(f"_{self.part}"), value)
        inner = self.part if tree.get(self.part) else INNER.get(path, "")
        within = [properties[inner]] if inner in properties else []
        if path == "victory_cards":
            cards = within[0]["properties"].values()
            within += [self.definitions[card["$ref"].rpartition("/")[2]]["properties"]["agendas"] for card in cards]
        for part in within:
            properties = {**part["properties"], **properties}
            patterns |= part.get("patternProperties", {})
            own = own or part["additionalProperties"]
        shape = {"type": "object", "properties": properties, "additionalProperties": own}
        return shape | ({"patternProperties": patterns} if patterns else {})

    def _added(self, path: str, tree: Mapping[str, Any]) -> dict[str, Schema]:
        """Return the schemas of the keys that house rules may add to a printed entry."""
        steps = path.split(".")
        if steps[0] == "natural_wonders" and len(steps) == 2 and "abilities" not in tree:
            return {"abilities": self._abilities(f"{path}.abilities", {})}
        unique = steps[0] == "leaders" and steps[2:3] == ["unique_card"]
        if not (unique or steps[:2] == ["focus_cards", self.part]) or len(steps) < 3:
            return {}
        printed, rest = self._at(".".join(steps[:3])), steps[3:]
        fields = of_model(card_models(self.data)[printed["type"]])["properties"]
        for step in rest:
            fields = not_null(fields[step]).get("properties", {}) if step in fields else {}
        offered = {
            key: self._without_notes(value)
            for key, value in fields.items()
            if key not in tree and key not in NOT_OFFERED and value and "const" not in value and key not in self._at(path)
        }
        if not rest and "abilities" not in tree:
            offered["abilities"] = self._abilities(f"{path}.abilities", {})
        return offered

    def _without_notes(self, schema: Schema) -> Schema:
        """Return the schema of a card's group of keys without those that are for people to read."""
        group = not_null(schema)
        if "properties" not in group:
            return schema
        fields = {key: value for key, value in group["properties"].items() if value}
        return or_null({**group, "properties": fields})

    def _condition(self, path: str, tree: Mapping[str, Any]) -> Schema:
        """Return the schema of an agenda's condition: a new one, or other numbers in the printed one."""
        numbers = {
            "type": "object",
            "properties": {key: self.leaves[f"{path}.{key}"] for key in tree},
            "additionalProperties": False,
        }
        whole = {"anyOf": [{"required": [word]} for word in ("metric", *PAIRS)]}
        return {"if": whole, "then": self._whole_condition(), "else": numbers}

    def _whole_condition(self) -> Schema:
        single, pair = (
            (content_models.TiCondition, content_models.TiPair)
            if self.part == "ti"
            else (content_models.Condition, content_models.Pair)
        )
        both = {"anyOf": [{"required": [word]} for word in PAIRS]}
        two = {word: not_null(value) for word, value in of_model(pair)["properties"].items()}
        return {"type": "object", "if": both, "then": {**of_model(pair), "properties": two}, "else": of_model(single)}

    # --- abilities

    def _abilities(self, path: str, printed: Mapping[str, Any]) -> Schema:
        """Return the schema of abilities: a new list, or changes of printed ones and new ones by key."""
        stem = "diplomacy" if ".given_card." in path else path.split(".")[0]
        new = {"$ref": f"#/definitions/{self._new_ability(stem)}"}
        changes = {key: self._ability(ability["effect"], stem) for key, ability in printed.items()}
        mapping = {"type": "object", "properties": changes, "additionalProperties": new}
        text = "What it can do. A list takes the place of what is printed; by key, a printed one is changed or another added."
        return {"description": text, "anyOf": [{"type": "array", "items": new}, mapping]}

    def _new_ability(self, stem: str) -> str:
        """Define the schema of a new ability and return the name of the definition."""
        name = f"{self.box}.ability_of_{stem}"
        if name not in self.definitions:
            effects = [
                word for word, effect in codes.EFFECT.items()
                if effect.only in ("", stem) and (self.part == "ti" or word not in codes.TI_WORDS)
            ]  # fmt: skip
            taken = {"type": "string", "description": "The ability of a printed leader, wonder or diplomacy card, by its name."}
            self.definitions[name] = {
                "type": "object",
                "properties": {
                    "effect": {"enum": effects, "description": "What it does: docs/abilities.md."},
                    "ability": taken,
                },
                "if": {"required": ["ability"]},
                "then": {"additionalProperties": False, "properties": {"ability": taken}},
                "else": {
                    "required": ["effect"],
                    "allOf": [
                        {
                            "if": {"properties": {"effect": {"const": word}}},
                            "then": {"allOf": [self._ability(word, stem), {"required": of_model(model_of(word))["required"]}]},
                        }
                        for word in effects
                    ],
                },
            }
        return name

    def _ability(self, effect: str, stem: str) -> Schema:
        """Return a reference to the schema of an effect's abilities in the entries of the file `stem`."""
        shape = of_model(model_of(effect))
        fields = {key: value for key, value in shape["properties"].items() if key in fields_of(effect)}
        if self.part != "ti":
            fields = {key: without(value, codes.TI_WORDS) for key, value in fields.items()}
        if "moment" in fields:
            of_others = {word for word, moment in codes.MOMENT.items() if moment.only not in ("", stem)}
            fields["moment"] = without(fields["moment"], of_others)
        if "whose" in fields and stem != "diplomacy":
            fields["whose"] = without(fields["whose"], {"giver"})
        if "giver" in fields and stem not in ("diplomacy", "city_states"):
            del fields["giver"]
        if "by" in fields and stem != "diplomacy":
            del fields["by"]
        if "for_giver" in fields and stem != "diplomacy":
            fields["for_giver"] = {"const": False}
        ability = {**shape, "properties": fields, "required": []}
        if asks := _asks(effect, stem):
            ability["allOf"] = asks
        same_effect = (name for name in self.definitions if name.startswith(f"{self.box}.{effect}_of_"))
        name = next((name for name in same_effect if self.definitions[name] == ability), f"{self.box}.{effect}_of_{stem}")
        self.definitions[name] = ability
        return {"$ref": f"#/definitions/{name}"}

    # --- own content

    def _own_content(self, file: str) -> Schema:
        """Define the schema of new content of a kind and return a reference to it."""
        name = f"{self.box}.own_{file}"
        if name not in self.definitions:
            self.definitions[name] = self._own_card() if file == "focus_cards" else self._own_entry(file)
        return {"$ref": f"#/definitions/{name}"}

    def _own_entry(self, file: str) -> Schema:
        model: Any = {
            "leaders": content_models.TiLeader if self.part == "ti" else content_models.Leader,
            "wonders": content_models.OwnWonder,
            "diplomacy": content_models.DiplomacyCard, "city_states": content_models.OwnCityState, "tiles": board_models.Tile,
            "victory_cards": content_models.VictoryCard, "natural_wonders": content_models.OwnNaturalWonder,
        }[file]  # fmt: skip
        fields = of_model(model)["properties"]
        words = [word for word in (*NEEDED[file], *MAY_HAVE[file]) if word in fields or word == "name"]
        properties = {word: fields["civ" if word == "name" and file == "leaders" else word] for word in words}
        properties |= self._special(file, properties)
        return {"type": "object", "properties": properties, "required": list(NEEDED[file]), "additionalProperties": False}

    def _special(self, file: str, properties: Mapping[str, Schema]) -> dict[str, Schema]:
        """Return those of the properties that new content has in another form than the complete entry."""
        gifts = {"$ref": f"#/definitions/{self._new_ability('diplomacy')}"}
        given = {
            "type": "object", "required": ["name", "abilities"], "additionalProperties": False,
            "properties": {"name": NAME, "abilities": {"type": "array", "items": gifts}, "effect": {"type": "string"}},
        }  # fmt: skip
        face = {**of_model(board_models.Face), "required": ["terrain"]}
        special: dict[str, Schema] = {
            "name": NAME,
            "in_place_of": {"enum": [key for key, entry in self._entries(file) if entry.get("set") != "own"]},
            "given_card": or_null(given),
            "agendas": self._own_agendas(),
            "sides": {**of_model(board_models.Tile)["properties"]["sides"], "additionalProperties": face, "minProperties": 2},
        }  # fmt: skip
        if "abilities" in properties:
            special["abilities"] = self._own_abilities(file)
        if "start_row" in properties:
            special["start_row"] = {**properties["start_row"], "minItems": 5}  # the expansion takes a row of the base game
            tokens = properties["start_trade_tokens"]
            special["start_trade_tokens"] = {**tokens, "description": "On the cards when the game begins."}
        if "unique_card" in properties:
            special["unique_card"] = or_null(self._card("leaders", ("available",)))
        return {word: value for word, value in special.items() if word in properties}

    def _own_abilities(self, stem: str) -> Schema:
        ability = {"$ref": f"#/definitions/{self._new_ability(stem)}"}
        return {"anyOf": [{"type": "array", "items": ability}, {"type": "object", "additionalProperties": ability}]}

    def _own_agendas(self) -> Schema:
        shape = of_model(content_models.TiAgenda if self.part == "ti" else content_models.Agenda)
        fields = shape["properties"] | {
            "condition": self._whole_condition(),
            "name": {"type": "string", "pattern": r"^[^/]*[^\W_][^/]*$", "maxLength": names.MAX_NAME},
        }
        agenda = {**shape, "properties": fields, "required": ["name", "condition"]}
        pair = {"minItems": 2, "maxItems": 2, "type": "array", "items": agenda}
        return {"anyOf": [pair, {"type": "object", "minProperties": 2, "maxProperties": 2, "additionalProperties": agenda}]}

    def _own_card(self) -> Schema:
        return self._card("focus_cards", None) | {
            "if": {"properties": {"level": {"const": 1}}, "required": ["level"]},
            "then": {"required": ["in_place_of"]},
        }

    def _card(self, stem: str, may_be_missing: Iterable[str] | None) -> Schema:
        """Return the schema of a whole focus card, by type; `may_be_missing`: None, everything but NEEDED."""
        special = self._special("focus_cards", {"name": {}, "in_place_of": {}})
        special["abilities"] = or_null(self._own_abilities(stem))
        kinds = []
        for kind, model in card_models(self.data).items():
            shape = of_model(model)
            needed = set(NEEDED["focus_cards"]) if may_be_missing is None else set(shape["required"]) - set(may_be_missing)
            fields = {key: value for key, value in shape["properties"].items() if key != "set"}
            then = {**shape, "properties": fields | special, "required": sorted(needed)}
            kinds.append({"if": {"properties": {"type": {"const": kind}}, "required": ["type"]}, "then": then})
        return {
            "type": "object",
            "required": ["type"],
            "properties": {"type": {"enum": list(card_models(self.data))}},
            "allOf": kinds,
        }

    def _entries(self, file: str) -> Iterable[tuple[str, Any]]:
        entries = self.data.get(file, {})
        return (entries.get(self.part) or entries.get(INNER.get(file, "")) or entries).items()

    def _at(self, path: str) -> Any:
        value: Any = self.data
        for step in path.split(".") if path else ():
            value = value[step]
        return value

    def _reference(self, path: str, schema: Schema) -> Schema:
        name = f"{self.box}.{path}"
        self.definitions[name] = schema
        return {"$ref": f"#/definitions/{name}"}


# --- Commented templates of own content: `newdawn rules new leader Atlantis`

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
FAN_LEADER = """name: with {name}
box: terra-incognita
leaders:
  {key}:
    name: {name}
    # Focus types from the leftmost place of the row; the second one is in slot 1, too. The growth card begins on the left.
    start_row: [growth, science, culture, economy, military, industry]
    # What it can do; docs/abilities.md has all words. Numbers can be tuned: newdawn tune --box terra-incognita --rules THIS \\
    #   --parameter leaders.{key}.abilities.combat.amount --target win-rate:{name}=20%
    abilities:
      - {{effect: combat, amount: 1, when: [defend]}}
      - {{effect: trade_tokens, amount: 1, moment: token_lost}}
    # The card that this leader alone may take, of level 1 to 4; in level 1 it lies in the row from the start. Its parts are
    # those of the cards of its type: newdawn rules show Radio --box terra-incognita
    unique_card:
      name: {name} Poets
      type: culture
      level: 2
      tokens: 3
      next_to: friendly_city
      terrain_limit: slot
      # What it gives while it lies in the row.
      abilities:
        - {{effect: trade_tokens, amount: 1, moment: token_placed, once: true}}
      effect: Up to 3 control tokens; the first token placed in a turn brings a trade token.   # a line for people to read
    # start_trade_tokens: {{culture: 1}}
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


def template(kind: str, name: str, box: str = names.BOXES[names.BASE_BOX]) -> str:
    """Return a house-rule file with new content of the kind and name, ready to play in the box; raise UserError for an unknown
    kind."""
    if kind not in TEMPLATES:
        raise unknown("kind of content", kind, [*TEMPLATES, "goals"])
    key = slug(name)
    if not key or any(letter in name for letter in ":#{}[],/'\"&*?|<>=!%@`"):
        raise UserError(f"name: '{name}' is not valid; expected letters, digits and spaces, such as Atlantis")
    if any(key in named_abilities(printed_data(box)) for box in names.BOXES):
        raise UserError(f"name: a printed '{name}' already exists; expected another name")
    if box == names.BOXES[names.BASE_BOX]:
        return COMMENT + TEMPLATES[kind].format(name=name, key=key)
    text = FAN_LEADER if kind == "leader" else TEMPLATES[kind].replace("\n", f"\nbox: {box}\n", 1)
    return COMMENT + text.format(name=name, key=key)
