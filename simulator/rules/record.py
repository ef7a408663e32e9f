"""The compiled ruleset: one NumPy record that holds every number of the game.

`compile.py` fills it from the validated YAML; the jitted engine reads numbers from here and nowhere else.
Sentinel -1 means "none" unless a comment says otherwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import names
from . import codes
from .card_parts import COLUMNS as CARD_COLUMNS

RULES = np.dtype(
    [
        ("box", "i1"),  # names.BOXES
        # --- components.yaml: pieces and limits
        ("tokens_per_player", "i2"),  # control tokens
        ("cities_per_player", "i2"),  # without the capital
        ("caravans_per_player", "i2"),
        ("max_trade", "i2"),  # trade tokens a focus card holds (B13.1)
        ("resources_per_type", "i2"),
        ("water_tokens", "i2"),
        ("slots", "i2"),  # places of the focus row
        ("slot_number", "i1", (names.MAX_SLOTS,)),  # number of each place, from the left
        ("armies_per_player", "i2"),  # Terra Incognita, so for what follows here; all 0 in the base game
        ("guard_bonus", "i2"),  # defence with an own army beside the target (T5.7)
        ("reroll_allowed", "i1"),  # a trade token may roll the own die again (T5.9)
        ("fort_defence", "i2"),  # of a fort that nobody controls
        ("fort_touch_core", "i2"),  # core spaces a fort touches at least (T1.7)
        ("fort_enter_slot", "i2"),  # slot that caravans and armies need to enter a fort (T6.2)
        ("explore_price", "i2"),  # movement for exploring (T7.1)
        ("explore_touch", "i2"),  # laid spaces an explored tile touches at least (T7.2)
        ("trade_tokens_start", "i2", (names.MAX_LEADERS, names.N_TYPES)),  # at the start, by leader and focus type
        ("terrain_difficulty", "i1", (8,)),  # by terrain code
        ("city_state_difficulty", "i2"),
        # --- combat, production, arrivals (components.yaml)
        ("die_sides", "i2"),
        ("dice", "i2"),  # each side rolls and adds
        ("attacker_wins_ties", "i1"),  # else the defender (B9.8)
        # chance that the attacker wins, by its lead before the dice, from -MAX_LEAD
        ("win_percent", "i1", (2 * names.MAX_LEAD + 1,)),
        ("may_attack", "i1", (names.N_TARGETS,)),  # by target, TARGET_* of engine/state.py
        ("target_bonus", "i2", (names.N_TARGETS,)),  # defence of a city or capital beyond its terrain, by target
        ("city_state_defence", "i2"),
        ("city_defence_factor", "i2"),  # difficulty of a city's space counts this many times
        ("reinforced_bonus", "i2"),  # defence for each reinforced token
        ("barbarian_bonus", "i2"),  # defence of a barbarian beyond its terrain
        ("barbarian_steps", "i2"),  # that each barbarian moves
        ("barbarians_back", "i2"),  # beaten ones that return at a time at most
        ("maturity_gaps", "i2"),  # neighbouring spaces that a mature city may lack
        ("reset_place", "i2"),  # index of the place of the row that a resolved card returns to
        ("barbarian_reward", "i2"),  # trade tokens for a beaten barbarian
        ("capital_loot", "i2"),  # trade tokens taken from a beaten capital
        ("capital_raid", "i2"),  # trade tokens given up to a barbarian
        ("production_resource", "i2"),
        ("production_trade_token", "i2"),
        ("arrival_city_state_trade", "i2"),
        ("arrival_city_trade", "i2"),
        ("arrival_diplomacy", "i2"),
        ("caravans_per_target", "i2"),  # caravans a turn into the same place (B7.4)
        # to everyone, to the last in turn order, to each place in it, to each leader; by names.START_BONUSES
        ("start_bonus", "i1", (2 + len(names.PLACES) + names.MAX_LEADERS, len(names.START_BONUSES))),
        ("event_trade_per_city", "i2"),  # trade icon: tokens per mature city
        ("wonders_per_city", "i2"),
        ("trade_effect", "i2", (names.N_TYPES,)),  # what one trade token adds to a card of the type (B13.2)
        # --- dials.yaml
        ("dial_start", "i2"),
        ("dial_last", "i2"),
        ("dial_after_last", "i2"),
        ("dial_level", "i1", (names.MAX_DIAL,)),  # level gained on the space, 0 = none
        ("government_shift", "i1", (names.N_TYPES,)),  # places further right that a card with its government acts (T8.2)
        ("event_sections", "i2"),
        ("event_start", "i2"),  # index of the section the arrow starts on
        ("event_icons", "i1", (names.MAX_SECTIONS,)),  # ICON_* bits
        ("wonder_token_cost", "i2"),  # change of a wonder's cost while a trade token lies on its card (T9.2)
        # --- districts.yaml: trade tokens for each space around or mature city, ranges, amounts; 0 = no such option
        ("campus_mountains", "i2"),
        ("hub_mature_cities", "i2"),
        ("hub_deserts", "i2"),
        ("camp_strike", "i2"),  # barbarians or armies destroyed
        ("camp_strike_range", "i2"),
        ("camp_reward", "i2"),  # trade tokens for a barbarian
        ("camp_reinforce", "i2"),
        ("camp_reinforce_range", "i2"),
        ("zone_forests", "i2"),
        ("zone_city", "i2"),  # 1 = a city may be bought
        ("zone_city_price", "i2"),  # trade tokens of the industry card
        ("zone_city_range", "i2"),
        ("theater_tokens", "i2", (2,)),  # near itself, near a city with a world wonder
        ("theater_range", "i2", (2,)),
        # --- focus_cards.yaml, by card code
        ("card_name", "u1", (names.MAX_CARDS, names.MAX_NAME)),
        ("n_cards", "i2"),  # codes in use, those of cards that are not in the game included
        ("card_type", "i1", (names.MAX_CARDS,)),
        ("card_level", "i1", (names.MAX_CARDS,)),  # 1-4, 0 = there is no such card
        ("card_unique", "i1", (names.MAX_CARDS,)),  # leader whose unique card it is, -1 = a standard card
        ("card_unavailable", "i1", (names.MAX_CARDS,)),  # 1 = not in the game
        # parts of cards: numbers and bits (rules/card_parts.py), of some parts one for each slot
        *(
            (f"card_{part}", "i2", (names.MAX_CARDS, size) if size > 1 else (names.MAX_CARDS,))
            for part, size in CARD_COLUMNS.items()
        ),
        # --- leaders.yaml
        ("leader_name", "u1", (names.MAX_LEADERS, names.MAX_NAME)),  # by code, in UTF-8 (contents.written), as other names
        ("given_card_name", "u1", (names.MAX_LEADERS, names.MAX_NAME)),  # of the card the leader may give away, or empty
        ("leader_available", "i1", (names.MAX_LEADERS,)),
        ("leaders_dealt", "i2"),  # leaders dealt to each player, who plays one of them
        ("leader_bans", "i2"),  # leaders that each player bans before the deal
        ("leader_source", "i1"),  # names.LEADER_SOURCES: which leaders a player chooses from
        ("pick_order", "i1"),  # names.PICK_ORDERS
        ("leader_choice", "i1"),  # names.LEADER_CHOICES
        ("leader_rank", "i1", (names.MAX_LEADERS,)),  # place in the ranking that players choose by, 0 = first
        ("leader_ability", "i1", (names.MAX_LEADERS,)),  # 1 = the printed ability works
        ("leader_row", "i1", (names.MAX_LEADERS, names.MAX_SLOTS)),  # focus types from the leftmost place
        # --- wonders.yaml, by wonder code
        ("n_wonders", "i2"),
        ("wonder_name", "u1", (names.MAX_WONDERS, names.MAX_NAME)),
        ("wonder_available", "i1", (names.MAX_WONDERS,)),
        ("wonder_type", "i1", (names.MAX_WONDERS,)),  # focus type code
        ("wonders_of_type_n", "i1", (names.N_TYPES,)),
        ("wonders_of_type", "i1", (names.N_TYPES, names.MAX_WONDERS)),  # their codes
        ("wonder_era", "i1", (names.MAX_WONDERS,)),
        ("wonder_cost", "i2", (names.MAX_WONDERS,)),
        ("wonder_pays", "i1", (names.MAX_WONDERS, names.N_RESOURCES)),  # resources that pay
        ("deck_count", "i1", (names.MAX_PLAYERS + 1, 3)),  # cards of each era in each type's deck, by player count
        ("deck_size_max", "i2"),
        ("face_up_wonders", "i2"),  # cards of each deck that lie face up
        ("drafted_wonders", "i2"),  # that each player takes from the decks before the first turn
        ("first_player", "i1"),  # names.FIRST_PLAYERS
        # --- city_states.yaml, diplomacy.yaml
        ("n_city_states", "i2"),
        ("city_state_name", "u1", (names.MAX_CITY_STATES, names.MAX_NAME)),
        ("city_state_type", "i1", (names.MAX_CITY_STATES,)),
        ("city_state_copies", "i1", (names.MAX_CITY_STATES,)),
        ("n_diplomacy", "i2"),  # player diplomacy cards
        ("diplomacy_name", "u1", (names.MAX_DIPLOMACY, names.MAX_NAME)),
        ("diplomacy_limit", "i2"),  # cards held from one player
        # --- abilities, a row each: numbers, codes and bits of words by their keys (rules/codes.py)
        ("n_abilities", "i2"),
        ("leader_first", "i2", (names.MAX_LEADERS,)),  # rows of each leader: the first, and how many
        ("leader_n", "i1", (names.MAX_LEADERS,)),
        ("given_card_first", "i2", (names.MAX_LEADERS,)),  # of the card that the leader may give to another player (Ibrahim)
        ("given_card_n", "i1", (names.MAX_LEADERS,)),
        ("wonder_first", "i2", (names.MAX_WONDERS,)),
        ("wonder_n", "i1", (names.MAX_WONDERS,)),
        ("city_state_first", "i2", (names.MAX_CITY_STATES,)),
        ("city_state_n", "i1", (names.MAX_CITY_STATES,)),
        ("diplomacy_first", "i2", (names.MAX_DIPLOMACY,)),
        ("diplomacy_n", "i1", (names.MAX_DIPLOMACY,)),
        ("natural_wonder_first", "i2", (names.MAX_NATURAL_WONDERS,)),
        ("natural_wonder_n", "i1", (names.MAX_NATURAL_WONDERS,)),
        ("card_first", "i2", (names.MAX_CARDS,)),  # of focus cards
        ("card_n", "i1", (names.MAX_CARDS,)),
        ("everyone_first", "i2", (1,)),  # of every player, whatever its leader
        ("everyone_n", "i1", (1,)),
        ("timed_abilities", "i1"),  # 1 = some begin or end with a round
        *((f"ability_{column}", "i2", (names.MAX_ABILITIES,)) for column in codes.COLUMNS),
        ("n_functions", "i2"),  # of users, called by `own_function`:
        ("function_text", "u1", (names.MAX_FUNCTIONS, names.MAX_FUNCTION_TEXT)),  # module:name#digest of the file
        ("function_address", "i8", (names.MAX_FUNCTIONS,)),  # of its code in this process (engine/compile/user_functions.py)
        # --- natural_wonders.yaml
        ("n_natural_wonders", "i2"),
        ("natural_wonder_name", "u1", (names.MAX_NATURAL_WONDERS, names.MAX_NAME)),
        ("natural_wonder_resource", "i1", (names.MAX_NATURAL_WONDERS,)),
        # --- victory_cards.yaml
        ("n_victory_cards", "i2"),
        ("victory_in_play", "i2"),  # fort cards included
        ("fort_cards", "i2"),  # of these, fort cards (T1.12)
        ("victory_fort", "i1", (names.MAX_VICTORY_CARDS,)),  # 1 = a fort card
        ("victory_always", "i1", (names.MAX_VICTORY_CARDS,)),  # 1 = in play in every game, no fort card
        ("victory_must_stay", "i1", (names.MAX_VICTORY_CARDS,)),  # 1 = the claim ends when the condition fails (T3.3)
        ("claims_spared", "i2"),  # cards in play that need not be claimed (B3.3)
        ("tie_break", "i1", (names.MAX_RANKINGS,)),  # names.RANKINGS, one after the other
        ("round_limit", "i2"),  # round after which the game ends with a winner by limit_ranking, 0 = none
        ("limit_ranking", "i1", (names.MAX_RANKINGS,)),  # names.RANKINGS
        # --- scores.yaml, teams.yaml: of house rules only
        ("scored", "i1"),  # 1 = victory points decide games
        ("points", "i2", (len(names.METRICS),)),  # by names.METRICS
        ("points_round", "i2"),  # rounds after which the highest score wins, 0 = none
        ("points_to_win", "i2"),  # points that win when victory is checked, 0 = none
        ("printed_victory", "i1"),  # 1 = claimed victory cards win
        ("partners", "i1"),  # names.PARTNERS
        ("claims_together", "i1"),  # 1 = the claims of partners count together
        # --- victory_cards.yaml: agendas
        ("agenda_metric", "i1", (names.MAX_VICTORY_CARDS, 2)),
        ("agenda_target", "i2", (names.MAX_VICTORY_CARDS, 2)),
        ("agenda_type", "i1", (names.MAX_VICTORY_CARDS, 2)),  # focus type for METRIC_WONDERS_OF_TYPE
        ("agenda_level", "i1", (names.MAX_VICTORY_CARDS, 2)),  # level for METRIC_CARDS_OF_LEVEL
        ("agenda_metric2", "i1", (names.MAX_VICTORY_CARDS, 2)),  # the "or" of Warmonger, METRIC_NONE otherwise
        ("agenda_target2", "i2", (names.MAX_VICTORY_CARDS, 2)),
        ("agenda_kind", "i1", (names.MAX_VICTORY_CARDS, 2)),  # what the metric counts by: focus type, level or terrain
        ("agenda_kind2", "i1", (names.MAX_VICTORY_CARDS, 2)),
        ("agenda_both", "i1", (names.MAX_VICTORY_CARDS, 2)),  # 1 = both have to hold
        ("agenda_room", "i1", (names.MAX_VICTORY_CARDS, 2)),  # players who can claim it, 0 = everyone
        ("agendas_beyond", "i1"),  # 1 = some agenda has a metric of no printed agenda of the box (names.BEYOND_PRINT)
        ("agenda_name", "i1", (names.MAX_VICTORY_CARDS, 2)),  # code of the agenda
        ("agenda_title", "u1", (2 * names.MAX_VICTORY_CARDS, names.MAX_NAME)),  # by agenda code
        # --- tiles.yaml, by tile number - 1
        ("tile_keys", "i2"),  # tiles that keys are drawn for: the printed ones, own ones after them
        ("tile_in_set", "i1", (names.MAX_TILES,)),
        ("tile_kind", "i1", (names.MAX_TILES,)),  # 0 plain, 1 natural wonder, 2 city-state, 3 capital
        ("tile_terrain", "i1", (names.MAX_TILES, 2, names.TILE_SPACES)),
        ("tile_resource", "i1", (names.MAX_TILES, 2, names.TILE_SPACES)),
        ("tile_natural_wonder", "i1", (names.MAX_TILES, 2, names.TILE_SPACES)),
        ("tile_city_state", "i1", (names.MAX_TILES, 2, names.TILE_SPACES)),
        ("tile_barbarian", "i1", (names.MAX_TILES, 2, names.TILE_SPACES)),  # letter A = 0
        ("tile_capital", "i1", (names.MAX_TILES, 2)),  # space number of the star, -1 = none
        ("offset_q", "i1", (12, names.TILE_SPACES)),  # by side * 6 + rotation
        ("offset_r", "i1", (12, names.TILE_SPACES)),
        ("ring_n", "i1", (12,)),  # spaces around the shape of a tile, by side * 6 + rotation
        ("ring_q", "i1", (12, names.MAX_RING)),
        ("ring_r", "i1", (12, names.MAX_RING)),
        # --- map_layouts.yaml and the map settings
        ("map_mode", "i1"),  # 0 advanced, 1 fixed (first game or a user map)
        ("core_tiles", "i1"),
        ("core_natural_wonders", "i1"),  # tiles of the kind in the core
        ("core_city_states", "i1"),
        ("core_side_a_max", "i1"),  # die 1..this = side A
        ("core_q", "i1", (2, 4)),  # by side, draw
        ("core_r", "i1", (2, 4)),
        ("core_rotation", "i1", (2, 4)),
        # The core by the number of players; the fields above hold that of the most players.
        ("core_tiles_for", "i1", (names.MAX_PLAYERS + 1,)),
        ("core_q_for", "i1", (names.MAX_PLAYERS + 1, 2, 4)),  # by side, draw
        ("core_r_for", "i1", (names.MAX_PLAYERS + 1, 2, 4)),
        ("core_rotation_for", "i1", (names.MAX_PLAYERS + 1, 2, 4)),
        ("dealt_tiles", "i1"),
        ("touch_min", "i1"),
        ("touch_core", "i1"),
        ("fixed_tiles", "i1"),  # number of tiles of the fixed map
        ("fixed_tile", "i1", (names.MAX_LAYOUT_TILES,)),  # tile number - 1
        ("fixed_side", "i1", (names.MAX_LAYOUT_TILES,)),
        ("fixed_q", "i1", (names.MAX_LAYOUT_TILES,)),
        ("fixed_r", "i1", (names.MAX_LAYOUT_TILES,)),
        ("fixed_rotation", "i1", (names.MAX_LAYOUT_TILES,)),
        ("fixed_players", "i1", (names.MAX_LAYOUT_TILES, names.MAX_PLAYERS + 1)),  # 1 = tile lies on the map for n players
        ("fixed_forts", "i1"),  # forts whose places a user's map gives, 0 = the players lay them
        ("fixed_fort_q", "i1", (names.MAX_PLAYERS,)),
        ("fixed_fort_r", "i1", (names.MAX_PLAYERS,)),
        ("fixed_stack_n", "i1"),  # tiles of a given stack, -1 = the tiles left are shuffled
        ("fixed_stack", "i1", (names.MAX_TILES,)),  # tile numbers from the bottom up
        # --- rulings.yaml: the readings the rulebook leaves open
        ("win_check_after_dial", "i1"),  # B3.3a
        ("tie_is_shared", "i1"),  # B3.3b, else first in turn order
        ("city_keeps_natural_wonder", "i1"),  # B5.3a
        ("barbarian_stays_at_capital", "i1"),  # B11.3a
        ("barbarian_letter_order", "i1"),  # B11.3b, else reverse letter order
        ("destroyed_city_frees", "i1"),  # B11.3c
        ("barred_barbarian_turns_back", "i1"),  # Petra's erratum, else it stays where it is
        ("maracana_before", "i1"),  # Estadio do Maracana: the economy card first (erratum), else after
        ("maracana_once", "i1"),  # Estadio do Maracana: once a turn, else with each card that is resolved
        ("currency_ends_move", "i1"),  # Currency: removing a barbarian ends the caravan's move
        ("currency_counts_as_defeat", "i1"),  # Currency: Sumeria's ability sees the removal
        ("mass_media_through_anything", "i1"),  # else counted like an attack
        ("strike_spares_own", "i1"),  # Nuclear Power leaves own tokens alone
        ("chichen_itza_ignores_difficulty", "i1"),
        ("ruin_blocks_city", "i1"),  # a wonder token left on a space forbids a city there
        ("natural_wonder_counts_as_held", "i1"),  # Replaceable Parts: a natural wonder is a held resource
        ("city_counts_for_maturity", "i1"),  # B1.4a: a friendly city next door counts like a friendly control token
        ("barbarian_turns_at_edge", "i1"),  # B11.1a: over water it turns round at the edge, else counts from its space
        ("holes_are_water", "i1"),  # B14.4a: also without a water token
        ("carthage_counts_space", "i1"),  # Carthage counts the defended space itself
        ("machu_picchu_sees_as_if", "i1"),  # Machu Picchu acts on cards resolved "as if" in slot 1
        ("conqueror_may_keep_tokens", "i1"),  # without a token left the conqueror may take one off the map, else must
        ("liberator_takes_wonder", "i1"),  # who frees a city-state takes the wonder there, else it stays
        ("conqueror_moves", "i1"),  # Drama and Poetry may move a token off a conquered city-state, which frees it
        ("crowd_moves", "i1"),  # which barbarian of a shared space moves on, CROWD_* of barbarians.py
        ("attack_from_terrain", "i1"),  # an attacker's bonus for a terrain looks at the space attacked from
        ("wild_any_effect", "i1"),  # Chichen Itza: effects that ask for no city beside place tokens there, too
        ("spender_chooses", "i1"),  # which tokens of a card are spent is the player's choice, else those that stay go first
        ("surplus_figures", "i1"),  # caravans and armies beyond the number of a lower card, SURPLUS_* of pieces.py
        ("currency_kept_out", "i1"),  # a barbarian on a city-state keeps caravans of Currency out, too
        # --- of Terra Incognita
        ("repeat_sees_shift", "i1"),  # Venetian Arsenal repeats a card that acts as from its slot, wherever it lies
        ("wild_districts", "i1"),  # Chichen Itza: districts, too, go on its terrains without a city
        ("pact_lets_pass", "i1"),  # who may not attack a space may still pass it if its card passes such pieces
        ("shared_cities_mature", "i1"),  # Open Borders: the giver's cities count for maturity like its control tokens
        ("shared_tokens_reinforced", "i1"),  # Open Borders: the Encampment may reinforce the giver's tokens
        ("step_out_attacks", "i1"),  # an army that steps out beside a barbarian in its own capital attacks it
        ("radio_may_pass", "i1"),  # Radio's city may be declined alone
        ("explores_in_passing", "i1"),  # figures explore from spaces that they may pass but not stay on
        ("setup_holes_filled", "i1"),  # places closed in by forts and capital tiles get water tokens
        ("machu_two_left", "i1"),  # Machu Picchu sees the two leftmost places, else the places with its slot numbers
        ("government_leaves", "i1"),  # a replaced card loses its government token even if the type stays
        ("district_over_district", "i1"),  # a district may take the place of an own one
        ("district_is_placed_token", "i1"),  # placing a district sets off what follows placing a control token
        ("district_moves", "i1"),  # Drama and Poetry may move a district
        ("zone_takes_city_state", "i1"),  # a city-state token may pay one of Industrial Zone's three
        ("no_slot_grassland", "i1"),  # placing without a slot: grassland only, else any land
        ("deploy_zero", "i1"),  # an army may step out of its card with no movement
        ("no_retreat_to_start", "i1"),  # an army that cannot go back stands where it set out, else on its card
        ("capital_sweep", "i1"),  # a beaten capital sends the figures on it home
        ("figure_attack_returns_cards", "i1"),  # attacking a figure gives its owner's diplomacy cards back
        ("barbarian_hits_one_army", "i1"),  # of an owner's choice, else all armies on the space
        ("fort_no_city", "i1"),  # winner without a city piece: 0 the fort stays empty, 1 a token, 2 nothing happens
        ("contacts_tiles_only", "i1"),  # an explored tile has to touch spaces of tiles, else any laid ones
        ("effects_capture", "i1"),  # a wonder taken by an effect counts as captured
        ("carthage_won_tokens", "i1"),  # Carthage counts city-state tokens won, wherever, instead of those near
        ("amundsen_needs_city", "i1"),  # Amundsen-Scott needs another own city without a wonder
        ("spare", "i1"),
    ],
    align=True,
)

assert names.DECK_SIZE >= 9
assert names.MAX_BARBARIANS >= 9


class Draft:
    """A RULES record while it is filled: plain numbers and the record's arrays, as a record finds its fields slowly."""

    def __init__(self) -> None:
        rows = np.zeros(1, RULES)
        fields = {name: rows[name][0] for name in RULES.names or ()}
        numbers = {name: field.item() for name, field in fields.items() if not isinstance(field, np.ndarray)}
        self.__dict__.update(fields, **numbers, _rows=rows, _numbers=tuple(numbers))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"RULES has no field {name}")

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(getattr(self, name), np.ndarray):
            self.__dict__[name][...] = value
        else:
            self.__dict__[name] = value

    def __getitem__(self, name: str) -> Any:
        return self.__dict__[name]

    def record(self) -> np.record:
        """Return the record; raise OverflowError for a number too large for its field."""
        for name in self._numbers:
            self._rows[name] = self.__dict__[name]
        return self._rows.view(np.recarray)[0]


def copied(record: np.record) -> np.record:
    """Return a copy of a RULES record, to the byte: NumPy's own leaves what it likes between the fields."""
    return np.frombuffer(bytearray(record.tobytes()), RULES).view(np.recarray)[0]
