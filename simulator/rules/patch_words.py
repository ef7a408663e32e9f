"""Names of the rules' values in patch notes: a phrase for each path, to be followed by the old and the new value.

`WORDS` is searched for the path that `place` (`show.py`) returns, with an ability by its effect and a focus card by its type.
`{0}` is the last step of the path, `{1}` the one before it, `{noun}` what the ability's effect is called (`codes.py`).
"""

from __future__ import annotations

from .. import names

# Counts as plurals before "needed", where that is not the count's word.
NEEDED = {
    "newest_era": "eras up to that of the newest own wonder", "own_wonders": "own world wonders",
    "city_state_card_of_its_type": "city-state diplomacy cards of its type", "conquered_city_states": "conquered city-states",
    "reinforced_lead": "reinforced tokens ahead of the other player",
    "other_has_given_card": "leader's cards held by the other player,",
    "own_caravan_beside": "own caravans next to the defending space",
    "water_beside": "water spaces next to the defending space",
    "settlement_near": "city-state tokens and own cities near the defending space",
    "other_cities_on_tile": "other cities on its tile",
    **{f"{what}_behind": f"{more} fewer than the rival with most"
       for what, more in (("claims", "victory cards"), ("cities", "cities"), ("spaces", "friendly spaces"))},
    **{f"{what}_ahead": f"{more} more than any rival"
       for what, more in (("claims", "victory cards"), ("cities", "cities"), ("spaces", "friendly spaces"))},
}  # fmt: skip
# Metrics of agendas as plurals before "needed", where that is not the metric's text.
METRICS = {
    "cities_on_map_with_capital": "cities", "wonders_of_type": "{kind} wonders",
    "rival_capitals_defeated": "rival capitals beaten",
    "conquered_city_states_held": "conquered city-states", "natural_wonders_held": "natural wonders",
    "controlled_spaces_next_to_water_or_map_edge": "spaces held by water or the map's edge",
    "tech_dial_space_reached": "space of the technology dial", "focus_cards_of_level_in_row": "focus cards of level {kind}",
    "combat_total_of_a_won_attack": "total of a won attack", "forts_held": "forts",
    "diplomacy_cards_from_different_players_or_city_states": "players and city-states whose diplomacy cards are held,",
    "tiles_with_own_city": "tiles with an own city", "tiles_with_own_mature_city": "tiles with an own mature city",
    "diplomacy_cards_held": "diplomacy cards held", "reinforced_control_tokens": "reinforced control tokens",
    "eras_with_a_wonder": "eras with an own wonder", "wonder_types_held": "types of world wonders",
    "spaces_of_terrain": "friendly spaces of {kind}", "focus_cards_from_level": "focus cards of level {kind} or more",
}  # fmt: skip
LAND = {
    "city_state": "city-state",
    "rival_city": "rival city",
    "natural_wonder": "natural wonder",
    "free_fort": "free fort",
}  # steps of paths in words
MANY = {
    "barbarian": "barbarians", "city_state": "city-states", "control_token": "control tokens", "city": "cities",
    "capital": "capitals", "free_fort": "free forts", "caravan": "caravans", "army": "armies",
}  # fmt: skip

# --- Words by path: the first pattern that fits

_START = {"wonders": "world wonders", "technology_levels": "technology levels"}


def _start(of: str, form: str) -> dict[str, str]:
    """Return the phrases for a start bonus: for steps that differ from their names, then for the others."""
    return {**{f"{of}.{what}": form.format(words) for what, words in _START.items()}, f"{of}.*": form.format("{0}")}


ABILITIES = {
    "ability.*.if.*": "{needed} needed for the {short}", "ability.*.unless.*": "{needed} that prevent the {short}",
    "ability.*.from_round": "{short} from round", "ability.*.until_round": "{short} until round",
    "ability.*.works": "{short}, in force", "ability.*.moment": "moment of {short}", "ability.*.per": "{short} for each",
    "ability.combat.when": "combat bonus for", "ability.combat.within": "distance of the city-state token and city, at most",
    "ability.control_tokens.limit": "difficulty of their spaces, at most",
    "ability.convert_token.limit": "rival control tokens replaced",
    "ability.upgrade_cards.from_level": "level of the cards upgraded",
    "ability.upgrade_cards.limit": "level that cards are upgraded to",
    "ability.raise_cards.limit": "levels that each card is raised",
    "ability.take_city.within": "distance of the city taken, at most",
    "ability.explore.limit": "control tokens on the tile explored",
    "ability.own_function.worth": "worth of the function to the planner",
    "ability.own_function.function": "function", "ability.extra_card.card": "type of the extra card",
    "ability.*.amount": "{noun}{moment}", "ability.*.terrain": "terrains of {short}", "ability.*.target": "targets of {short}",
    "ability.*.type": "types of cards for {short}", "ability.*.giver": "{short} where the giver is concerned",
    "ability.*.for_giver": "{short} for the giver", "ability.*.giver_places": "{short} on a card of the giver's choice",
    "ability.*": "{short}, {0}",
}  # fmt: skip
CARDS = {  # by type
    "card.*.wonder_production.*": "production from slot {0}",
    "card.culture.tokens": "control tokens", "card.culture.next_to": "control tokens next to",
    "card.culture.then.move_own_tokens": "own control tokens that may move afterwards",
    "card.culture.then.tokens": "control tokens placed afterwards",
    "card.culture.then.rival_tokens": "rival control tokens turned over or replaced",
    "card.culture.then.range": "distance of these rival tokens, at most",
    "card.culture.then.trade_tokens": "trade tokens for each own mature city",
    "card.culture.from_slot_5.tokens": "control tokens on mountains from slot 5",
    "card.culture.from_slot_5.take_rival_city": "rival cities taken from slot 5",
    "card.culture.from_slot_5.range": "distance of the city taken from slot 5, at most",
    "card.science.first.trade_tokens": "trade tokens before the dial is turned",
    "card.science.first.resources": "resources before the dial is turned",
    "card.science.first.only_from_slot": "slot that the strike needs", "card.science.first.radius": "radius of the strike",
    "card.science.first.look_at_tiles": "tiles looked at", "card.science.first.place_up_to": "tiles laid of those looked at",
    "card.science.extra_dial.spaces": "extra spaces of the dial",
    "card.economy.caravans": "caravans that move", "card.economy.move": "steps of each caravan",
    "card.*.water": "water may be entered", "card.economy.may_enter_barbarian": "barbarians may be entered",
    "card.economy.then.swap_resources": "resources that may be swapped",
    "card.economy.after_reset.*": "slot that another card acts as after the reset",
    "card.economy.before_explore.*": "water tokens laid before exploring",
    "card.economy.on_arrival.resources": "resources on arrival",
    "card.economy.on_arrival.at": "gain on arrival at", "card.economy.on_arrival.build_city": "cities built on arrival",
    "card.economy.on_arrival.min_distance_from_own_capital": "distance from the own capital for a city on arrival, at least",
    "card.economy.on_arrival.range": "distance of the city built on arrival, at most",
    "card.industry.city_range": "distance of new cities, at most",
    "card.industry.city_range_from": "distance of new cities counted from",
    "card.industry.count_through_water": "distance of new cities counted through water",
    "card.industry.then.tokens_up_to": "control tokens next to the new city",
    "card.industry.extra_production.amount": "production for each own district",
    "card.industry.production_per_resource": "production of each resource",
    "card.industry.then_dial.spaces": "spaces of the dial after a world wonder",
    "card.industry.city_on_figure.figures": "figures on whose space a city may be built",
    "card.military.mode": "parts of the card that are done", "card.military.attacks": "attacks",
    "card.military.attack_range": "distance of attacks, at most", "card.military.count_through": "attacks counted through",
    "card.military.armies": "armies that move", "card.military.move": "steps of each army",
    "card.military.pass_through": "armies pass through", "card.military.combat_bonus": "combat bonus",
    "card.military.combat_bonus_vs_barbarian": "combat bonus against barbarians",
    "card.military.redeploy_defeated.armies": "beaten armies that set out again",
    "card.military.redeploy_defeated.per_turn": "times a turn that beaten armies set out again",
    "card.military.second_move.per_turn": "armies that move a second time in a turn",
    "card.military.own_turn_reinforced_bonus_change": "change in the defence of each reinforced token in the own turn",
    "card.growth.district.count": "districts placed",
    "card.growth.with_district.displaced_token_moves": "displaced control tokens that may move",
    "card.growth.then.tokens": "control tokens next to own districts",
    "card.growth.then.name_district_type": "types of district named",
    "card.growth.mode": "parts of the card that are done",
}  # fmt: skip
WORDS = {
    **ABILITIES, **CARDS, "tiles.tiles.*.available": "tile {1} in the game",
    "leaders.*.start_trade_tokens.*": "trade tokens on the {0} card", "leaders.*.head_start": "trade tokens of the head start",
    "leaders.*.start_row": "row from the left", "*.cost": "cost", "*.available": "in the game",
    "*.ability_works": "ability in force", "*.condition.at_least": "{metric} needed", "*.condition.metric": "what is counted",
    "*.condition.type": "type of the world wonders", "*.condition.level": "level of these cards", "*.condition.*": "{0}",
    "city_states.*.copies": "diplomacy cards", "*.shift": "slots the card moves",
    "wonders.*.resources": "resources that pay for it",

    "components.per_player.*.focus_bar_slots": "slots of each player's focus bar",
    "components.per_player.*": "{0} of each player",
    "components.shared.*.resource_tokens_per_type": "resource tokens of each type in the supply",
    "components.shared.*": "{0} in the supply",
    "components.limits.trade_tokens_per_focus_card": "trade tokens on a focus card, at most",
    "components.limits.wonders_per_city": "world wonders in a city, at most",
    "components.limits.caravans_into_one_place_per_turn": "caravans into one place in a turn, at most",
    "components.terrain_difficulty.city_state": "difficulty of a city-state",
    "components.terrain_difficulty.natural_wonder": "difficulty of a natural wonder",
    "components.terrain_difficulty.fort": "difficulty of a fort", "components.terrain_difficulty.*": "difficulty of {0}",
    "components.production.resource": "production of each resource",
    "components.caravan_arrival.diplomacy_card": "diplomacy cards for a caravan's arrival",
    "components.caravan_arrival.*.trade_tokens": "trade tokens for a caravan that reaches a {around}",
    "components.combat.die_sides": "sides of a die in combat", "components.combat.dice": "dice that each side rolls in combat",
    "components.combat.tie": "winner of a tie in combat", "components.combat.may_be_attacked.*": "{many} may be attacked",
    "components.combat.defence.city_difficulty_factor": "defence of a city, as a multiple of its terrain's difficulty",
    "components.combat.defence.city_bonus": "defence bonus of a city",
    "components.combat.defence.capital_bonus": "defence bonus of a capital",
    "components.combat.defence.barbarian_bonus": "defence bonus of a barbarian",
    "components.combat.defence.reinforced_token": "defence that a reinforced control token adds",
    "components.combat.defence.*": "defence of a {land}",
    "components.combat.guard_bonus.combat": "combat bonus of an army that guards a space",
    "components.combat.win_effect.barbarian.trade_tokens": "trade tokens for a beaten barbarian",
    "components.combat.win_effect.capital.trade_tokens_taken": "trade tokens taken from a beaten capital",
    "components.combat.*": "{0} in combat",
    "components.mature_city_gaps": "spaces beside a mature city that may be without a token",
    "components.focus_row_reset_to": "place of the row that a resolved card returns to",
    "components.wonder_decks.*": "{0} world wonders in a deck, {1} players",
    "components.face_up_wonders": "face-up world wonders of each deck",
    "components.drafted_wonders": "world wonders that each player drafts",
    "components.first_player": "first player of later rounds",
    "components.map_setup.*.core_tiles": "tiles of the core",
    "components.map_setup.*.core_tiles.*": "tiles of the core, {0} players",
    "components.map_setup.*.core_mix.*": "tiles of the core with a {land}",
    "components.map_setup.*.core_side_a_up_to": "highest die roll that lays the core on side A",
    "components.map_setup.*.dealt_tiles_per_player": "tiles dealt to each player",
    "components.map_setup.*.touch_spaces_min": "spaces of the map that a tile must touch",
    "components.map_setup.*.must_touch_core": "capital tiles must touch the core",
    "components.explore.price_steps": "steps that exploring costs",
    "components.explore.tile_touches_spaces_min": "spaces of the map that an explored tile must touch",
    "components.fort.enter_slot_min": "slot needed to enter a fort",
    "components.fort.touches_core_spaces_min": "spaces of the core that a fort must touch",
    "components.leader_deal.*.leaders_per_player": "leaders dealt to each player",
    "components.leader_deal.*.bans_per_player": "leaders that each player bans",
    "components.leader_deal.*.choose_from": "leaders to choose from",
    "components.leader_deal.*.pick_order": "order in which leaders are chosen",
    "components.leader_deal.*.choice": "how leaders are chosen", "components.leader_deal.*.ranking": "ranking of leaders",
    **_start("components.start_bonus.everyone", "{} of every player at the start"),
    **_start("leaders.*.start_bonus", "{} at the start"),
    **{
        path: words
        for place in ("last", *names.PLACES)
        for path, words in _start(
            f"components.start_bonus.{place}_in_turn_order", f"{{}} of the {place} player at the start"
        ).items()
    },
    "dials.tech_dial.level_spaces.*": "level space {0} of the technology dial",
    "dials.tech_dial.start": "first space of the technology dial",
    "dials.tech_dial.last_space": "last space of the technology dial",
    "dials.tech_dial.after_last": "space that the technology dial returns to after its last",
    "dials.event_dial_*.start_section": "first section of the event dial", "dials.event_dial_*": "sections of the event dial",
    "dials.icon_effects.barbarians_move.steps": "spaces that barbarians move",
    "dials.icon_effects.barbarians_move.hits.capital.*": "trade tokens lost to a barbarian at the capital",
    "dials.icon_effects.barbarians_appear.at_most": "barbarians that return at a time",
    "dials.icon_effects.trade.trade_tokens": "trade tokens at the trade icon",
    "dials.icon_effects.wonder.*": "change in the cost of world wonders at the wonder icon",
    "dials.*": "{0} on the event dial",
    "districts.*.mature_cities.trade_tokens": "trade tokens for each mature city",
    "districts.*.mountains.trade_tokens": "trade tokens for each mountain",
    "districts.*.deserts.trade_tokens": "trade tokens for each desert",
    "districts.*.forests.trade_tokens": "trade tokens for each forest",
    "districts.*.strike.destroy": "barbarians or armies destroyed",
    "districts.*.strike.range": "distance of what it destroys, at most",
    "districts.*.strike.barbarian_trade_token": "trade tokens for a barbarian destroyed",
    "districts.*.reinforce.reinforce": "control tokens reinforced",
    "districts.*.reinforce.range": "distance of reinforced tokens, at most",
    "districts.*.city.build_city": "cities bought", "districts.*.city.price_trade_tokens": "price of a city in trade tokens",
    "districts.*.city.range": "distance of the city bought, at most",
    "districts.*.near_itself.control_tokens": "control tokens near itself",
    "districts.*.near_itself.range": "distance of control tokens from itself, at most",
    "districts.*.near_wonder.control_tokens": "control tokens near a world wonder",
    "districts.*.near_wonder.range": "distance of control tokens from a world wonder, at most",
    "focus_cards.trade_token_effect.culture.*": "control tokens for a trade token on the culture card",
    "focus_cards.trade_token_effect.science.*": "spaces of the dial for a trade token on the science card",
    "focus_cards.trade_token_effect.economy.*": "steps of each caravan for a trade token on the economy card",
    "focus_cards.trade_token_effect.industry.*": "production for a trade token on the industry card",
    "focus_cards.trade_token_effect.military_*": "combat bonus for a trade token on the military card",
    "focus_cards.trade_token_effect.growth.*": "control tokens reinforced for a trade token on the growth card",
    "victory_cards.*.always_in_play": "in play in every game", "*.claims_at_most": "players who can claim it",
    "victory_cards.rules.*.claims_per_agenda": "players who can claim an agenda",
    "victory_cards.rules.*.cards_in_play": "victory cards in play",
    "victory_cards.rules.*.fort_cards_in_play": "fort cards in play",
    "victory_cards.rules.*.random_cards_in_play": "victory cards in play that are drawn",
    "victory_cards.rules.*.cards_needed": "victory cards needed to win",
    "victory_cards.rules.*.tie_break": "ties are broken by",
    "victory_cards.rules.*.round_limit": "round after which the game ends",
    "victory_cards.rules.*.at_round_limit": "the winner at the round limit has",
    "victory_cards.rules.*": "victory cards, {0}",
    "diplomacy.limits.per_other_player": "diplomacy cards held from each other player, at most",
    "diplomacy.limits.*": "diplomacy cards, {0}",
    "scores.points.tech_dial_space_reached": "victory points for each space reached on the technology dial",
    "scores.points.combat_total_of_a_won_attack": "victory points for the best total of a won attack",
    "scores.points.*": "victory points for {point}", "scores.after_round": "round after which the highest score wins",
    "scores.first_to": "victory points that win", "scores.printed_victory": "claimed victory cards win",
    "teams.partners": "partners sit", "teams.victory": "partners win with the victory cards of",
    "map.core_layout": "layout of the core", "map_layouts.*": "layout of the core, {1}, side {0}",
    "tiles.tiles.*.kind": "kind of tile {1}",
    "tiles.tiles.*.sides.*": "{0} of tile {3}, side {1}",
    "rulings.*": "reading of the rule “{0}”",
}  # fmt: skip
EACH = {  # of blocks: all values of a node
    "card.*.wonder_production.*": "production from each slot",
    "leaders.*.start_trade_tokens.*": "trade tokens on each card", "leaders.*.start_bonus.*": "each part of the start bonus",
    "components.start_bonus.everyone.*": "each part of every player's start bonus",
    **{
        f"components.start_bonus.{place}_in_turn_order.*": f"each part of the {place} player's start bonus"
        for place in ("last", *names.PLACES)
    },
    "components.combat.may_be_attacked.*": "everything may be attacked",
    "components.terrain_difficulty.*": "difficulty of every terrain",
    "components.wonder_decks.*": "world wonders of each era in a deck, {1} players",
    "components.map_setup.*.core_mix.*": "tiles of the core with a natural wonder, and with a city-state",
    "components.map_setup.*.core_tiles.*": "tiles of the core for any number of players",
    "scores.points.*": "victory points for everything",
}  # fmt: skip
LEVELS = {"dials.tech_dial.level_spaces.*": "level on space {0} of the technology dial"}  # of a parameter, WORDS name the space

# Words for 0.
ZEROS = {
    "victory_cards.rules.*.claims_per_agenda": "everyone", "*.claims_at_most": "everyone",
    "victory_cards.rules.*.round_limit": "none", "scores.after_round": "none", "scores.first_to": "none",
}  # fmt: skip
