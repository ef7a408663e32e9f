"""Own leaders, wonders, diplomacy and victory cards in a house-rule file: understood, refused in one line, and played."""

from __future__ import annotations

import json

import numpy as np
import pytest

from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import codes, describe_diff, load_ruleset
from newdawn.simulator.rules.load import from_data
from newdawn.simulator.rules.ruleset_contents import written
from newdawn.simulator.rules.schema import TEMPLATES, template
from newdawn.simulator.rules.show import show
from newdawn.simulator.rules.vocabulary import PAGE, page
from newdawn.simulator.runs.run import Silent, play_range, tables_of
from newdawn.simulator.runs.run_plan import plan_by

LEADER = "{name: Atlantis, start_row: [science, culture, economy, military, industry]%s}"
ATLANTIS = f"leaders: {{atlantis: {LEADER}}}"
WONDER = "wonders: {crystal_palace: {name: Crystal Palace, type: economy, era: medieval, cost: 8, resources: [oil]%s}}"
ABILITIES = ", abilities: [{effect: combat, amount: 2, when: [defend]}, {ability: epic_quest}]"


@pytest.fixture
def rules(tmp_path):
    def load(text, name="house.yaml", box="base"):
        file = tmp_path / name
        file.write_text(text, "utf-8")
        return load_ruleset([file], box=box)

    return load


def refused(rules, text):
    with pytest.raises(UserError) as caught:
        rules(text)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_a_template_for_a_leader_of_the_expansion_has_six_types_and_a_card_of_its_own(rules):
    text = template("leader", "Kush", "terra-incognita")
    changed = rules(text, box="terra-incognita").compile()
    assert written(changed, "leader")[-1] == "Kush"
    assert "Kush Poets" in [bytes(row).rstrip(b"\0").decode() for row in changed.card_name]


@pytest.mark.parametrize("kind", TEMPLATES)
def test_every_template_is_for_the_box_asked_for(rules, kind):
    assert rules(template(kind, "New Dawn", "terra-incognita"), box="terra-incognita").box == "terra-incognita"


def test_an_own_leader_has_the_code_after_the_printed_ones_and_its_abilities(rules):
    r = rules(ATLANTIS % ABILITIES).compile()
    assert written(r, "leader")[8:] == ["Atlantis"]
    rows = slice(r.leader_first[8], r.leader_first[8] + r.leader_n[8])
    assert r.ability_amount[rows].tolist() == [2, 1]
    assert r.leader_row[8, :5].tolist() == [1, 0, 2, 4, 3]
    assert r.leader_available[8]
    assert r.ability_own[rows].tolist() == [1, 1]


def test_printed_entries_keep_their_codes_and_numbers(rules):
    printed, r = load_ruleset().compile(), rules(f"{ATLANTIS % ABILITIES}\n{WONDER % ''}").compile()
    for field in ("leader_row", "leader_available"):
        assert np.array_equal(printed[field][:8], r[field][:8])
    for field in ("wonder_cost", "wonder_type", "wonder_era", "wonder_pays"):
        assert np.array_equal(printed[field][:24], r[field][:24])
    assert not printed.ability_own.any()


def test_own_content_shows_in_the_diff_and_by_its_name(rules):
    ruleset = rules(ATLANTIS % ABILITIES)
    assert "leaders.atlantis.abilities.combat.amount: (none) -> 2" in describe_diff(ruleset, load_ruleset())
    shown = "\n".join(show(ruleset, "atlantis"))
    assert "combat +2 defending" in shown
    assert "for each barbarian defeated: 1 resource of choice" in shown
    assert "the printed game" not in shown


def test_own_content_survives_the_way_through_a_manifest(rules):
    ruleset = rules(f"{ATLANTIS % ABILITIES}\n{WONDER % ABILITIES}")
    again = from_data(json.loads(json.dumps(ruleset.data, sort_keys=True)))
    assert again.digest() == ruleset.digest()
    assert again.compile().tobytes() == ruleset.compile().tobytes()


def test_a_later_file_changes_own_content(rules, tmp_path):
    rules(ATLANTIS % ABILITIES, "a.yaml")
    second = tmp_path / "b.yaml"
    second.write_text("leaders: {atlantis: {abilities: {combat: {amount: 3}}}}")
    r = load_ruleset([tmp_path / "a.yaml", second]).compile()
    assert r.ability_amount[r.leader_first[8]] == 3


def test_an_ability_may_be_added_to_a_printed_leader(rules):
    r = rules("leaders: {rome: {abilities: {walls: {effect: combat, amount: 1, when: [defend]}}}}").compile()
    first = r.leader_first[names.ROME]
    assert r.leader_n[names.ROME] == 2
    found = zip(r.ability_effect[first : first + 2].tolist(), r.ability_own[first : first + 2].tolist(), strict=True)
    assert dict(found) == {codes.COMBAT: 1, codes.CARAVANS_FROM_ANY_CITY: 0}


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        (ATLANTIS % ", abilities: [{effect: combatt, amount: 1}]",
         "house.yaml: leaders.atlantis.abilities.combatt.effect: unknown effect 'combatt'; did you mean 'combat'?"),
        (ATLANTIS % ", abilities: [{effect: combat}]", "leaders.atlantis.abilities.combat.amount: is missing"),
        (ATLANTIS % ", abilities: [{effect: combat, amount: 1, terain: [hills]}]",
         "leaders.atlantis.abilities.combat.terain: unknown key: combat has"),
        (ATLANTIS % ", abilities: [{effect: combat, amount: 1, terain: [hills]}]", "did you mean 'terrain'?"),
        (ATLANTIS % ", abilities: [{effect: combat, amount: 1, terrain: [hils]}]", "did you mean 'hills'?"),
        (ATLANTIS % ", abilities: [{effect: production, amount: 1, per: cities}]", "production.per: expected 'own_wonders'"),
        (ATLANTIS % ", abilities: [{effect: combat, amount: 1, if: {citis: 2}}]", "did you mean 'cities'?"),
        (ATLANTIS % ", abilities: [{effect: combat, amount: 1, if: {}}]", "abilities.combat.if: expected"),
        (ATLANTIS % ", abilities: [{effect: trade_tokens, amount: 1}]", "trade_tokens.moment: is missing"),
        (ATLANTIS % ", abilities: [{effect: trade_tokens, amount: 1, moment: built}]", "'built' is for world wonders"),
        (ATLANTIS % ", abilities: [{effect: combat, amount: 1, giver: never}]", "only diplomacy cards have a giver"),
        (ATLANTIS % ", abilities: [{effect: matures_with, whose: giver}]", "only diplomacy cards of players have such a giver"),
        (ATLANTIS % ", abilities: [{effect: control_tokens, amount: 1, moment: card_reset, next_to: that_space}]",
         "control_tokens.next_to: no space belongs to the moment card_reset"),
        (ATLANTIS % ", abilities: [{effect: trade_bank, amount: 2}]", "a trade_bank is for one world wonder only"),
        (ATLANTIS % ", abilities: [{ability: epic_qest}]", "unknown ability 'epic_qest'; did you mean 'epic_quest'?"),
        (ATLANTIS % ", abilities: [{ability: petra, amount: 2}]", "abilities.amount: unknown key beside `ability`"),
        (ATLANTIS % ", abilities: [combat]", "expected abilities such as"),
        (ATLANTIS % ", abilities: 3", "expected a list of abilities, got 3"),
        (ATLANTIS % ", colour: red", "leaders.atlantis.colour: unknown key: expected one of name, start_row"),
        ("leaders: {atlantis: {name: Atlantis}}", "leaders.atlantis.start_row: is missing"),
        ("leaders: {atlantis: {start_row: [culture]}}", "leaders.atlantis: unknown key"),
        (f"leaders: {{rom: {LEADER % ''}}}".replace("Atlantis", "Rome"), "'Rome' is the name of leaders.rome, too"),
        (f"leaders: {{atl: {LEADER % ''}}}", "expected the key atlantis for the name 'Atlantis'"),
        (f"leaders: {{atlantis: {LEADER % ''}}}".replace("Atlantis", "At/lantis"), "a name without commas and slashes"),
        (f"leaders: {{x: {LEADER % ''}}}".replace("Atlantis", "x" * 60), "expected at most 48 letters"),
        (ATLANTIS.replace("military", "militray") % "", "did you mean 'military'?"),
        (ATLANTIS.replace("military", "science") % "", "leaders.atlantis.start_row: expected each focus type once"),
        (WONDER.replace("cost: 8", "cost: eight") % "", "wonders.crystal_palace.cost: expected a whole number, got 'eight'"),
        (WONDER.replace("medieval", "bronze") % "", "wonders.crystal_palace.era: expected 'ancient', 'medieval' or 'modern'"),
        ("victory_cards: {one: {agendas: [{name: A, condition: {metric: mature_cities, at_least: 2}}]}}",
         "expected a list of two agendas"),
        ("victory_cards: {two: {agendas: [{name: A}, {name: B}]}}", "agendas.0.condition: is missing"),
        ("victory_cards: {two: {agendas: [{name: A, condition: {metric: mature_citys, at_least: 2}}, "
         "{name: B, condition: {metric: mature_cities, at_least: 2}}]}}", "did you mean 'mature_cities'?"),
        ("victory_cards: {two: {agendas: [{name: Explorer, condition: {metric: mature_cities, at_least: 2}}, "
         "{name: B, condition: {metric: mature_cities, at_least: 2}}]}}", "is an agenda of"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line_with_the_nearest_word(rules, text, fragment):
    assert fragment in refused(rules, text)


@pytest.mark.parametrize(
    ("stem", "room", "entry"),
    [
        ("leaders", names.MAX_LEADERS - 8, LEADER % ""),
        ("wonders", names.MAX_WONDERS - 24, "{name: Atlantis, type: economy, era: modern, cost: 8, resources: [oil]}"),
        ("diplomacy", names.MAX_DIPLOMACY - 4, "{name: Atlantis, abilities: []}"),
    ],
)
def test_there_is_room_for_many_and_one_line_beyond(rules, stem, room, entry):
    def text(n):
        return "\n".join([f"{stem}:", *(f"  x{i}: {entry.replace('Atlantis', f'X{i}')}" for i in range(n))])

    most = room + {"leaders": 8, "wonders": 24, "diplomacy": 4}[stem]
    assert rules(text(room)).compile() is not None
    assert f"there is room for {most} {stem}" in refused(rules, text(room + 1))


def test_the_room_is_what_was_asked_for():
    assert (names.MAX_LEADERS >= 24, names.MAX_WONDERS >= 48, names.MAX_VICTORY_CARDS >= 16) == (True, True, True)


@pytest.mark.parametrize("kind", sorted(TEMPLATES))
def test_templates_are_ready_to_play(rules, kind):
    assert describe_diff(rules(template(kind, "New Dawn")), load_ruleset())


def test_templates_refuse_unknown_kinds_and_printed_names():
    with pytest.raises(UserError, match="did you mean 'leader'"):
        template("leadr", "Atlantis")
    with pytest.raises(UserError, match="a printed 'Petra' already exists"):
        template("wonder", "Petra")
    with pytest.raises(UserError, match="is not valid"):
        template("leader", "{bad}")


def test_the_page_of_the_vocabulary_is_up_to_date():
    """`python -m newdawn.simulator.rules.vocabulary` writes it."""
    assert PAGE.read_text("utf-8") == page()


# --- played


def played(ruleset, games=40, **settings):
    r = ruleset.compile()
    plan = plan_by(r, players=3, games=games, seed=3, **settings)
    return plan, r, play_range(plan, r, 0, games, Silent())


def test_own_content_is_in_the_tables_by_its_name(rules):
    card = ("victory_cards: {sea_card: {agendas: [{name: Sailor, condition: "
            "{metric: controlled_spaces_next_to_water_or_map_edge, at_least: 3}}, "
            "{name: Hermit, condition: {metric: natural_wonders_held, at_least: 3}}]}}")  # fmt: skip
    ruleset = rules(f"{ATLANTIS % ABILITIES}\n{WONDER % ABILITIES}\n{card}")
    plan, r, rows = played(ruleset, leaders=["Atlantis", "Rome", "Egypt"])
    tables = {name: table.to_pandas() for name, table in tables_of(plan, r, rows).items()}
    assert (tables["seats"]["leader"] == "Atlantis").sum() == 40
    assert "Crystal Palace" in set(tables["wonders"]["wonder"])
    assert "Sailor" in set(tables["agendas"]["agenda"])
    assert any("Hermit / Sailor" in set(tables["games"][f"card_{k}"]) for k in (1, 2, 3))


@pytest.mark.soak
@pytest.mark.parametrize(("strategy", "times"), [("planner", 1.1), ("quick", 1.05)])
def test_a_planted_strong_ability_is_used(rules, strategy, times):
    """More cities are built where each brings three trade tokens, and more games won; `quick` settles much without them."""
    strong = ", abilities: [{effect: trade_tokens, amount: 3, moment: city_built}, {effect: dial_spaces, amount: 2}]"
    cities, wins = {}, {}
    for name, abilities in (("with", strong), ("without", "")):
        _, _, rows = played(rules(ATLANTIS % abilities), 300, leaders=["Atlantis", "Rome", "Egypt"], strategies=[strategy])
        mine = rows.seats[rows.seats["leader"] == 8]
        cities[name], wins[name] = mine["stat_cities_built"].mean(), mine["won"].mean()
    assert cities["with"] > times * cities["without"]
    assert wins["with"] > wins["without"] + 0.1
