"""What the scripted strategy cares about, as numbers in one place.

The unit is a hundredth of a turn: a thing worth 100 saves one turn of work. Numbers of the game are not here, they are
in the ruleset; these are opinions.
"""

# --- turns an agenda still takes, for each piece that is missing
CITY_TURNS = 230  # a city: an industry card and the wait for it
CITY_WITHOUT_SITE = 500  # a city for which no site is in sight
COAST_TURNS = 85  # a coastal space: a share of a culture card
DIAL_TURNS = 80  # a space of the technology dial
MATURE_TOKEN_TURNS = 75  # a control token around a city
MATURE_BLOCKED = 4  # a neighbour that a rival or barbarian holds counts as so many missing tokens
WONDER_TURNS = 430  # a world wonder the seat could pay at the next good slot
WONDER_PRODUCTION_TURNS = 60  # each production it is short of
HIDDEN_WONDER_TURNS = 650  # a world wonder still face down
WONDER_RIVAL_TURNS = 120  # for each world wonder of the type a rival already owns
WONDER_NO_CITY = 150  # no city is free for it
WONDERS_SOLD_OUT = 6000
NATURAL_WONDER_NEAR = 400  # a free natural wonder beside an own city
NATURAL_WONDER_STEP = 110  # each space it is farther away
NATURAL_WONDER_HELD = 500  # a rival holds it
ATTACK_TURNS = 330  # one military card with a good slot
APPROACH_STEP = 110  # each space a target is out of range
OUT_OF_THE_QUESTION = 9000
KEEP_PLAN = 85  # percent: an agenda already chosen counts as so much cheaper

# --- what a unit of progress is worth while its agenda is chosen (percent of the turns it saves)
NEED_PERCENT = 100
FINISH_PERCENT = 60  # more for the last missing piece, less for earlier ones
SIDE_PERCENT = 12  # what the other agenda of a card in play keeps

# --- what things are worth in any plan
TOKEN_BASE = 26
CITY_BASE = 85
CITY_EXTRA_BASE = 45  # more while the seat has few cities
CITIES_WANTED = 4
MATURE_BASE = 80  # a mature city: trade tokens, caravans start there
WONDER_BASE = 90
WONDER_ERA = 10
RESOURCE = 28
RESOURCE_WANTED = 45  # more, for each planned world wonder that takes it
NATURAL_WONDER_BASE = 60
TRADE_TOKEN = 22
DIPLOMACY = 22
UPGRADE = 75  # a card one level better
UPGRADE_FADE = 2  # percent less with every round
DIAL_BASE = 10
APPROACH_VALUE = 70  # each space nearer to a target the plan needs
BARBARIAN_NEAR = 12  # a barbarian next to a token
BARBARIAN_CITY = 30  # a barbarian within two of a new city
REINFORCE_BASE = 8
REINFORCE_CITY = 7  # beside an own city
REINFORCE_BARBARIAN = 28  # a barbarian stands next to it
DENY = 35  # percent of a piece's base value, for taking it from a rival
LEADER_DENY = 25  # for each victory card the rival has claimed
CARAVAN_ON_THE_WAY = 18
BARBARIAN_REWARD = 30

# --- choosing a focus card
WAIT_PERCENT = 45  # how much a better slot later counts against playing the card now
ADVANCE = 5  # for each place: a card played far right moves all others on

EXTRA_CARD_WORTH = 15  # the least an extra card must bring
MOVE_MARGIN = 15  # gain below which an own token stays where it is
TOKEN_FOR_TRADE = 20  # the least worth of a control token that costs a trade token
TAKE_OFF_LIMIT = 40  # an own token worth more stays on the map
PRODUCTION_PRICE = 5  # worth of a unit of production paid with resources or trade tokens

# --- combat
ATTACK_PERCENT = 60  # how attacks rate against other work
FIGHT_WORTH = 45  # the least gain worth trade tokens
PREMIUM_WORTH = 150  # the gain worth spending beyond the need, against the defender's trade tokens
ATTACK_BREAKS_DIPLOMACY = 12  # for each diplomacy card lost by it

# --- laying tiles
TILE_SAMPLE = 40  # places looked at
TILE_LAND, TILE_RESOURCE, TILE_NATURAL_WONDER, TILE_CITY_STATE, TILE_BARBARIAN = 1, 4, 6, 5, -6
TILE_RIVAL = -10  # a rival capital near the own
TILE_REACH = 9  # farther away a space means nothing
ROOM_NEAR, ROOM_FAR = 2, 4  # distances from the capital that count as its room
