"""The weights of strategies: their names, order and meaning. The numbers lie in `profiles/`.

A worth is in hundredths of a turn: a thing worth 100 saves one turn of work. Numbers of the game are in the ruleset; weights
are a strategy's opinions (`g.weights`, one row a seat). Here a name stands for the place of the number in that row.
"""

from collections.abc import Sequence

from ...simulator import names

ROW_PLACES = 5  # places of the focus row that are told apart; the last stands for all beyond
PLACES = tuple(f"{kind}_{place + 1}" for kind in names.FOCUS_TYPES for place in range(ROW_PLACES))

OUT_OF_THE_QUESTION = 9000  # turns of something impossible
TILE_SAMPLE = 40  # places for a tile that are looked at

NAMES: list[str] = []
MEANINGS: dict[str, str] = {}
DEFAULTS: dict[str, int] = {}  # of weights newer than the profiles, which need not name them


def _weight(name: str, meaning: str, default: int | None = None) -> int:
    """Declare a weight and return its place."""
    NAMES.append(name)
    MEANINGS[name] = meaning
    if default is not None:
        DEFAULTS[name] = default
    return len(NAMES) - 1


def _weights(family: str, of: Sequence[str], meaning: str, default: int | None = None) -> int:
    """Declare a weight for each of several things and return the place of the first."""
    for thing in of:
        _weight(f"{family}_{thing.lower().replace(' ', '_')}", meaning, default)
    return len(NAMES) - len(of)


# --- turns an agenda still takes, for each piece that is missing
CITY_TURNS = _weight("city_turns", "a city: an industry card and the wait for it")
CITY_WITHOUT_SITE = _weight("city_without_site", "a city for which no site is in sight")
COAST_TURNS = _weight("coast_turns", "a coastal space: a share of a culture card")
DIAL_TURNS = _weight("dial_turns", "a space of the technology dial")
MATURE_TOKEN_TURNS = _weight("mature_token_turns", "a control token around a city")
MATURE_BLOCKED = _weight("mature_blocked", "a neighbour that a rival or barbarian holds counts as so many missing tokens")
WONDER_TURNS = _weight("wonder_turns", "a world wonder the seat could pay at the next good slot")
WONDER_PRODUCTION_TURNS = _weight("wonder_production_turns", "each production it is short of")
HIDDEN_WONDER_TURNS = _weight("hidden_wonder_turns", "a world wonder still face down")
WONDER_RIVAL_TURNS = _weight("wonder_rival_turns", "for each world wonder of the type a rival already owns")
WONDER_NO_CITY = _weight("wonder_no_city", "no city is free for it")
WONDERS_SOLD_OUT = _weight("wonders_sold_out", "turns of a wonder agenda that cannot be met any more")
NATURAL_WONDER_NEAR = _weight("natural_wonder_near", "a free natural wonder beside an own city")
NATURAL_WONDER_STEP = _weight("natural_wonder_step", "each space it is farther away")
NATURAL_WONDER_HELD = _weight("natural_wonder_held", "a rival holds it")
ATTACK_TURNS = _weight("attack_turns", "one military card with a good slot")
APPROACH_STEP = _weight("approach_step", "each space a target is out of range")
KEEP_PLAN = _weight("keep_plan", "percent: an agenda already chosen counts as so much cheaper")
AGENDA = _weights("agenda", names.AGENDAS, "percent of the estimate that counts when agendas are compared")

# --- what a unit of progress is worth while its agenda is chosen (percent of the turns it saves)
NEED_PERCENT = _weight("need_percent", "percent of the turns saved that a step towards a chosen agenda is worth")
FINISH_PERCENT = _weight("finish_percent", "more for the last missing piece, less for earlier ones")
SIDE_PERCENT = _weight("side_percent", "what the other agenda of a card in play keeps")

# --- what things are worth in any plan
TOKEN_BASE = _weight("token_base", "a control token")
CITY_BASE = _weight("city_base", "a city")
CITY_EXTRA_BASE = _weight("city_extra_base", "more while the seat has few cities")
CITIES_WANTED = _weight("cities_wanted", "cities up to which more count extra")
MATURE_BASE = _weight("mature_base", "a mature city: trade tokens, caravans start there")
WONDER_BASE = _weight("wonder_base", "a world wonder")
WONDER_ERA = _weight("wonder_era", "more for each era")
RESOURCE = _weight("resource", "a resource token")
RESOURCE_WANTED = _weight("resource_wanted", "more, for each planned world wonder that takes it")
NATURAL_WONDER_BASE = _weight("natural_wonder_base", "a natural wonder")
TRADE_TOKEN = _weight("trade_token", "a trade token")
SUPPLY = _weights("supply", names.FOCUS_TYPES, "percent of a trade token's worth on a card of the type")
SUPPLY_NEED = _weights(
    "supply_need", names.FOCUS_TYPES, "thousandths of the need the type serves that a trade token on it adds"
)
DIPLOMACY = _weight("diplomacy", "a diplomacy card")
UPGRADE = _weight("upgrade", "a card one level better")
UPGRADE_FADE = _weight("upgrade_fade", "percent less with every round")
DIAL_BASE = _weight("dial_base", "a space of the technology dial")
APPROACH_VALUE = _weight("approach_value", "each space nearer to a target the plan needs")
BARBARIAN_NEAR = _weight("barbarian_near", "a barbarian next to a token")
BARBARIAN_CITY = _weight("barbarian_city", "a barbarian within two of a new city")
REINFORCE_BASE = _weight("reinforce_base", "a reinforced token")
REINFORCE_CITY = _weight("reinforce_city", "beside an own city")
REINFORCE_BARBARIAN = _weight("reinforce_barbarian", "a barbarian stands next to it")
DENY = _weight("deny", "percent of a piece's base value, for taking it from a rival")
LEADER_DENY = _weight("leader_deny", "for each victory card the rival has claimed")
ROOM = _weight("room", "percent of the worth of a mature city that room for its tokens counts at a new city")
PRIZE_NEAR = _weight("prize_near", "percent of the worth of a prize beside a new city")
ARRIVAL = _weight("arrival", "percent of the worth of the trade tokens of a caravan in a rival city")
CARAVAN_ON_THE_WAY = _weight("caravan_on_the_way", "a caravan that arrives nowhere this turn")
BARBARIAN_REWARD = _weight("barbarian_reward", "a barbarian beaten")
BASE_FADE = _weight("base_fade", "percent less of what is worth something in any plan, for each victory card claimed")
UPGRADE_TYPE = _weights("upgrade", names.FOCUS_TYPES, "more for a better card of the type")
LEADING = _weight("leading", "percent more for taking from a rival, for each victory card it is ahead of the others")

# --- choosing a focus card
WAIT_PERCENT = _weight("wait_percent", "how much a better slot later counts against playing the card now")
ADVANCE = _weight("advance", "for each place: a card played far right moves all others on")
EXTRA_CARD_WORTH = _weight("extra_card_worth", "the least an extra card must bring")
MOVE_MARGIN = _weight("move_margin", "gain below which an own token stays where it is")
TOKEN_FOR_TRADE = _weight("token_for_trade", "the least worth of a control token that costs a trade token")
TAKE_OFF_LIMIT = _weight("take_off_limit", "an own token worth more stays on the map")
PRODUCTION_PRICE = _weight("production_price", "worth of a unit of production paid with resources or trade tokens")
PLAY = _weights("play", PLACES, "more for resolving a card of the type in that place of the row")

# --- combat
ATTACK_PERCENT = _weight("attack_percent", "how attacks rate against other work")
FIGHT_WORTH = _weight("fight_worth", "the least gain worth trade tokens")
PREMIUM_WORTH = _weight("premium_worth", "the gain worth spending beyond the need, against the defender's trade tokens")
ATTACK_BREAKS_DIPLOMACY = _weight("attack_breaks_diplomacy", "for each diplomacy card lost by it")

# --- laying tiles
TILE_LAND = _weight("tile_land", "a land space")
TILE_RESOURCE = _weight("tile_resource", "a resource")
TILE_NATURAL_WONDER = _weight("tile_natural_wonder", "a natural wonder")
TILE_CITY_STATE = _weight("tile_city_state", "a city-state")
TILE_BARBARIAN = _weight("tile_barbarian", "a barbarian symbol")
TILE_RIVAL = _weight("tile_rival", "a rival capital near the own")
TILE_REACH = _weight("tile_reach", "farther away a space means nothing")
ROOM_NEAR = _weight("room_near", "distances from the capital that count as its room")
ROOM_FAR = _weight("room_far", "distances from the capital that count as its room")
# --- simulation (strategies/planning/planner.py)
SIMULATIONS = _weight("simulations", "games played on from each choice of a card")
SIMULATED_ROUNDS = _weight("simulated_rounds", "rounds they are played on")
SIMULATED_CARDS = _weight("simulated_cards", "learned players: cards that are tried", 0)
SIMULATED_STEPS = _weight("simulated_steps", "learned players: cards that are tried with other first steps", 0)
SIMULATED_OPTIONS = _weight("simulated_options", "learned players: other options tried at a step, at most 3", 3)
SIMULATED_WAYS = _weight("simulated_ways", "learned players: ways of the turn that are played on", 0)
SIMULATED_THROWS = _weight("simulated_throws", "learned players: times a turn with dice is tried", 1)
SIMULATED_LAST = _weight("simulated_last", "learned players: 1: where one victory card is lacking every card is tried", 0)
SIMULATED_TRUST = _weight("simulated_trust", "learned players: per mille of the chance to win for a turn of the planner's", 0)
SIMULATED_MARGIN = _weight("simulated_margin", "learned players: per mille by which other first steps must look better", 0)
SIMULATED_AHEAD = _weight(
    "simulated_ahead", "learned players: per mille of a way's worth that is judged after the own next turn, rivals skipped", 0
)
SIMULATED_SURE = _weight(
    "simulated_sure",
    "learned players: per mille of the chance to win by which the policy must prefer a card to take it untried; 0: never",
    0,
)
SIMULATED_FROM = _weight("simulated_from", "learned players: round before which what the policy prefers is taken untried", 0)
AGAINST = _weight(
    "against",
    "learned players: 1 + the leader's place in the rules, against whom they play; -1: whoever is likeliest to win",
    0,
)
AGAINST_SHARE = _weight(
    "against_share", "learned players: per mille of a way's worth that is that rival's chance not to win", 1000
)
TASTES = WAR, WONDERS, CITIES, TECHNOLOGY, TRADE = range(5)  # (learned/value.py)
N_TASTES = len(TASTES)
_GIVE = "learned players: per mille of the chance to win that they give for"
TASTE = _weight("taste_war", f"{_GIVE} an attack won on rivals' pieces", 0)
_weight("taste_wonders", f"{_GIVE} a world wonder", 0)
_weight("taste_cities", f"{_GIVE} a city", 0)
_weight("taste_technology", f"{_GIVE} a space of the technology dial, or a level of a focus card", 0)
_weight("taste_trade", f"{_GIVE} a caravan that arrives, or a diplomacy card of others", 0)
# --- Terra Incognita
TI_AGENDA = _weights("agenda", names.TI_AGENDAS, "percent of the estimate that counts when agendas are compared", 100)
LEVEL_TURNS = _weight("level_turns", "a focus card of the level an agenda asks for", 420)
REINFORCED_TURNS = _weight("reinforced_turns", "a reinforced control token", 38)
BIG_WIN_TURNS = _weight("big_win_turns", "an attack won with a high total", 480)
GIVER_TURNS = _weight("giver_turns", "a diplomacy card of another giver", 130)
PRIZE_TURNS = _weight("prize_turns", "a resource or natural wonder token to keep", 110)
DISTRICT_TURNS = _weight("district_turns", "a district on the map", 190)
FORT_TURNS = _weight("fort_turns", "a fort", 330)
DISTRICT_BASE = _weights("base", names.DISTRICTS, "a district of the type", 110)
DISTRICT_YIELD = _weight("district_yield", "each trade token it would bring at a time, now or with friendly neighbours", 85)
FORT_BASE = _weight("fort_base", "a fort", 110)
FIGURE_BASE = _weight("figure_base", "a rival army or caravan sent home", 30)
EXPLORING = _weight("exploring", "a tile found", 45)
GUARD = _weight("guard", "percent of what would be lost on a space that an army guards there", 40)
GUARD_FIRST = _weight("guard_first", "percent of a guard's worth that an attack or a tile to be found has to beat", 100)
FORT_HOLD = _weight("fort_hold", "percent of a fort's turns that a victory card that depends on an own fort is worth", 60)
FORT_DENY = _weight("fort_deny", "percent of a fort's turns that a rival's victory card that depends on its fort is worth", 20)
RESCUE = _weight("rescue", "a fort that decides at the end of this round whether a seat wins; 0: like any other", 3000)
FORT_SHELTER = _weight(
    "fort_shelter", "less for a fort as the home of a world wonder, thirds of a difficulty: everybody attacks it", 12
)
UNIQUE_CARD = _weight("unique_card", "the own leader's unique card, more than the standard card of its type and level", 10)
FIGHT_PRICE = _weight("fight_price", "percent of a trade token's worth that spending it in a combat costs", 60)
TILE_FORT = _weight("tile_fort", "a fort near the own capital", 3)
SETBACK = _weight("setback", "an attack of an army in vain", 12)
ARMY_STEP = _weight("army_step", "each space an army is nearer to what is worth an attack", 9)
BARREN = _weight("barren", "percent of a district's worth that is left where it would bring nothing", 100)
LEAST_CHANCE = _weight("least_chance", "percent: an army makes no attack with a lower chance", 0)
LAST_PERCENT = _weight("last_percent", "percent more that a step towards the last victory card is worth", 0)
JOINT_WAR = _weight("joint_war", "a Joint War, more than any diplomacy card", 60)
DEFENSIVE_PACT = _weight("defensive_pact", "a Defensive Pact, more than any diplomacy card", 30)
NON_AGGRESSION = _weight("non_aggression", "a Non-Aggression Pact, which forbids attacks on its giver, likewise", -35)
SIEGES = _weight("sieges", "cities and capitals of rivals won, after which each further one is worth a twentieth less", 40)
# --- what learned players do otherwise than the planner, whose weights were tuned without it
SURE_FIGHT = _weight("sure_fight", "1: an attacker pays for what the defender cannot answer, or nothing (base game)", 0)
SHELTER_GROUND = _weight("shelter_ground", "a city as the home of a world wonder, for each step of difficulty", 3)
SHELTER_CAPITAL = _weight("shelter_capital", "more for the capital, which no barbarian destroys, likewise", 4)

# --- no weights of profiles: settings of learned players (strategies/learned) in the last places of the row
NETWORK = names.WEIGHTS - 1  # place of the value network in the store (learned/value.py)
STRAY = names.WEIGHTS - 2  # training: percent of the own turns that are played at random
FORBIDDEN = names.WEIGHTS - 3  # what the seat does without, as bits (planning/restrictions.py)
POLICY = names.WEIGHTS - 4  # place of the policy network in the store (learned/policy.py), 0: none
IGNORED = names.WEIGHTS - 5  # the agenda it does not go for (restrictions.mark), 0: none

assert len(NAMES) <= IGNORED
