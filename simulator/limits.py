"""Sizes of the compiled records: room for the base game and for Terra Incognita (five players, six slots)."""

MAX_PLAYERS = 5
MAX_SLOTS = 6
MAX_SPACES = 256
PRINTED_TILES = 21
MAX_TILES = 30  # own ones included
FORT_TILE = MAX_TILES + 1  # forts are tiles of their own (T3.4): this code plus the seat whose fort it was
TILE_SPACES = 10
MAX_RING = 24  # spaces around a tile
MAX_CITIES = 12  # of a player, the capital and city-states that count as own included
MAX_CITY_PIECES = 7  # without the capital
MAX_DEALT = 4  # leaders dealt to one player
MAX_BANS = 4  # leaders that one player bans
MAX_CARAVANS = 5
MAX_ARMIES = 4
MAX_BARBARIANS = 11
MAX_LEADERS = 32
MAX_OWN_CARDS = 16  # focus cards that house rules add to the printed ones
MAX_CARDS = 72  # focus cards of a player: the standard ones, one for each leader, own ones
MAX_WONDERS = 48
MAX_CITY_STATES = 16
MAX_NATURAL_WONDERS = 16
MAX_DIPLOMACY = 8
MAX_VICTORY_CARDS = 16
MAX_NAME = 48  # bytes of a name
MAX_IN_PLAY = 5
MAX_DIAL = 64
MAX_DIE_SIDES = 20
MAX_DICE = 2  # each side rolls in combat
MAX_LEAD = MAX_DICE * MAX_DIE_SIDES  # lead before the dice with which a side can still lose a combat
MAX_RANKINGS = 3  # by which a tie is broken, one after the other
MAX_SCORE = 32_000  # victory points are counted up to this
MAX_START_BONUS = 5  # things of a kind that a house rule gives before the first turn
MAX_SECTIONS = 12
MAX_LAYOUT_TILES = 21
WEIGHTS = 224  # opinions of a strategy (strategies/planning/weights.py)
MEMO = 512  # numbers a strategy may keep in the workspace within a turn
DECK_SIZE = 12  # world wonders of a type
MAX_ABILITIES = 320  # abilities of a ruleset
MAX_FUNCTIONS = 16  # of users, that a ruleset calls at moments
MAX_FUNCTION_TEXT = 160  # bytes of module:name#digest
MAX_LISTED = 60  # abilities of one player that wait for a moment or depend on the situation
MAX_TO_DO = 64  # deeds of abilities that wait for the end of a card

# Side of the square look-up grid of axial coordinates; the origin lies in its middle.
GRID = 128
GRID_ORIGIN = GRID // 2
