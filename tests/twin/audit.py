"""Decision audit: what the twin expects to be offered at every decision, and a game played under its eyes.

An observer stops at decisions (all of them, or a random sample), the twin lists the options from the board alone, and
the two lists must be the same.
"""

from __future__ import annotations

import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import twin
from boards import started, strewn
from compare import describe, target_codes, upgrade_codes
from numba import objmode
from numba.core.errors import NumbaWarning
from twin import Board

from newdawn.simulator import names
from newdawn.simulator.engine import decisions, state
from newdawn.simulator.engine.choosing import (
    LOG_ARRIVAL,
    LOG_ATTACK,
    LOG_CARAVAN,
    LOG_CARD,
    LOG_CHOICE,
    LOG_COMBAT,
    LOG_DIAL,
    LOG_TOKEN_FLIP,
    LOG_TRADE,
    LOG_TURN,
    LOG_UPGRADE,
)
from newdawn.simulator.engine.compile.jit import jit, strategy
from newdawn.simulator.engine.turn import BY_MARACANA, CHOSEN, play_step
from newdawn.simulator.rules import load_ruleset

LOW_BITS = np.uint64(0xFFFFFF)

# The other readings that the twin knows.
OTHER = {
    "barbarian_at_capital": "goes_back",
    "maracana_order": "before",
    "maracana_times": "once_a_turn",
    "surplus_figures": "taken_back",
    "currency_at_city_state": "kept_out",
    "currency_after_barbarian": "move_ends",
    "mass_media_range": "like_an_attack",
    "chichen_itza_difficulty": "ignored",
    "city_on_wonder_ruin": "forbidden",
    "replaceable_parts_held": "natural_wonders_too",
    "mature_beside_city": "city_counts",
    "carthage_defended_space": "does_not_count",
    "machu_picchu_as_if": "does_not_act",
    "conquest_without_token": "must",
    "freed_city_state_wonder": "attacker_takes_it",
    "conqueror_of_city_state": "moves_and_frees",
    "crowded_barbarian": "by_die",
    "tokens_spent_first": "kept_ones",
}


def with_switches(seed: int, number: int) -> tuple[Any, dict[str, str]]:
    """Return the compiled rules of the base game with so many of the other readings, drawn at random, and those readings."""
    drawn = np.random.default_rng(seed).choice(sorted(OTHER), number, replace=False)
    rulings = {str(key): OTHER[key] for key in drawn}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "switches.yaml"
        path.write_text("rulings:\n" + "".join(f"  {key}: {word}\n" for key, word in rulings.items()), "utf-8")
        return load_ruleset([path]).compile(), rulings


class Asked:
    """One decision: who is asked what, on which board, and the words that go with it (`ask_…`)."""

    def __init__(self, g: Any, w: Any, seat: int, kind: int, options: list[int], rulings: dict[str, str]) -> None:
        self.b = Board(g, rulings)
        self.w = w
        self.seat = seat
        self.kind = kind
        self.options = options
        self.log_n = int(w.log_n)
        self.log = w.log[: self.log_n].tolist()

    def word(self, name: str) -> int:
        return int(self.w[f"ask_{name}"])

    def rows(self, code: int) -> list[list[int]]:
        """Return the rows of this turn's log with the code."""
        return [row for row in self.log if row[0] == code]

    def since_card(self) -> list[list[int]]:
        """Return the log from where the card now resolved began to act; empty if none has this turn."""
        starts = [i for i, row in enumerate(self.log) if row[0] == LOG_CARD]
        return self.log[starts[-1] :] if starts else []

    def chosen(self, kind: int, log: list[list[int]]) -> list[int]:
        """Return what was chosen, by the log, in decisions of the kind."""
        return [row[3] for row in log if row[0] == LOG_CHOICE and row[2] == kind]

    def slot(self) -> int:
        return self.word("slot")

    def card(self) -> dict[str, Any]:
        return self.b.card(self.seat, self.word("holder"))


# --- what each kind of decision should offer (without PASS)


def place_token(a: Asked) -> set[int]:
    source, slot = a.word("source"), a.slot()
    if source == decisions.SOURCE_CULTURE:
        return twin.culture_spaces(a.b, a.seat, slot)
    if source == decisions.SOURCE_BORDER:
        return twin.border_spaces(a.b, a.seat, slot)
    if source == decisions.SOURCE_HANGING_GARDENS:
        return twin.hanging_gardens_spaces(a.b, a.seat)
    if source == decisions.SOURCE_NEW_CITY:
        return twin.new_city_spaces(a.b, a.seat, a.word("space"), slot)
    assert source == decisions.SOURCE_STONEHENGE
    return twin.stonehenge_spaces(a.b, a.seat, [a.word("space")], slot, "culture")


def rival_token(a: Asked) -> set[int]:
    mass_media = a.word("source") == decisions.SOURCE_MASS_MEDIA
    return twin.mass_media_targets(a.b, a.seat) if mass_media else twin.forbidden_city_targets(a.b, a.seat)


def name_token(a: Asked) -> set[int]:
    first = a.word("space")
    if first < 0:
        return twin.nameable(a.b, a.seat)
    rival = a.b.owner[first]
    return set(a.b.tokens(rival)) - {first}  # type: ignore[arg-type]


def spend_trade(a: Asked) -> set[int]:
    return set(range(a.b.spendable(a.seat, a.word("holder")) + 1))


def upgrade(a: Asked) -> set[int]:
    source = a.word("source")
    if source == decisions.SOURCE_LEVEL:
        return upgrade_codes(twin.upgrades_to(a.b, a.seat, a.word("level")))
    if source == decisions.SOURCE_PYRAMIDS:
        return upgrade_codes(twin.raised(a.b, a.seat, twin.power("Pyramids", "upgrade_cards")["from_level"]))
    done = {row[2] for row in a.since_card() if row[0] == LOG_UPGRADE}  # Porcelain Tower raises two cards, not one twice
    return {code for code in upgrade_codes(twin.raised(a.b, a.seat, None)) if code % 8 not in done}


def gain_resource(a: Asked) -> set[int]:
    left = {k for k in range(names.N_RESOURCES) if a.b.g["supply"][k] > 0}
    if a.word("source") == decisions.SOURCE_REPLACEABLE:
        left -= {k for k in left if a.b.g["resources"][a.seat][k] > 0}
        if a.b.rulings["replaceable_parts_held"] == "natural_wonders_too":
            shown = {twin.base_game()["natural_wonder"][x] for x in a.b.natural_wonders(a.seat)}
            left -= {names.RESOURCES.index(x) for x in shown}
    return left


def swap_resource(a: Asked) -> set[int]:
    held, supply = a.b.g["resources"][a.seat], a.b.g["supply"]
    kinds = range(names.N_RESOURCES)
    return {give * 8 + take for give in kinds for take in kinds if give != take and held[give] and supply[take]}


def place_trade(a: Asked) -> set[int]:
    room = twin.roomy_cards(a.b, a.seat)
    source = a.word("source")
    if source == decisions.SOURCE_BANK:
        return room
    if source == decisions.SOURCE_ARRIVAL:
        city_state = a.rows(LOG_ARRIVAL)[-1][4]
        if city_state >= 0:  # B7.5: on the card of its type
            kind = twin.base_game()["city_state"][names.CITY_STATES[city_state]]["type"]
            room &= {h for h, t, _ in a.b.row(a.seat) if t == kind}
    bank = a.b.g["wonder_bank"] < twin.power("Great Zimbabwe", "trade_bank")["amount"]
    return room | ({decisions.BANK} if a.b.has(a.seat, "Great Zimbabwe") and bank else set())


def caravan_to(a: Asked) -> set[int]:
    place = a.b.g["caravan"][a.seat][a.word("space")]
    return twin.caravan_spaces(a.b, a.seat, place, a.word("left"), a.slot(), a.card())


def take_diplomacy(a: Asked) -> set[int]:
    giver = a.word("seat")
    if giver >= 0:
        return set(a.b.cards_with(giver, -1))
    city_state = names.CITY_STATES[a.word("space")]
    left = a.b.g["city_state_cards_left"][a.word("space")] > 0
    return {0} if left and not a.b.holds(a.seat, city_state) else set()


def industry(a: Asked) -> set[int]:
    h = a.word("holder")
    wonders = twin.affordable_wonders(a.b, a.seat, h, a.slot(), a.card())
    cities = twin.city_spaces(a.b, a.seat, a.slot(), a.card())
    return cities | {decisions.WONDER_OPTION + names.WONDERS.index(w) for w in wonders}


def pay(a: Asked) -> set[int]:
    base = {"resource": 0, "natural wonder": decisions.PAY_NATURAL_WONDER, "trade": decisions.PAY_TRADE}
    wonder = names.WONDERS[a.word("wonder")]
    return {base[what] + k for what, k, _ in twin.payments(a.b, a.seat, a.word("holder"), wonder)}


def military(a: Asked) -> set[int]:
    targets = twin.attack_targets(a.b, a.seat, a.card())
    return {decisions.MILITARY_REINFORCE} | ({decisions.MILITARY_ATTACK} if targets else set())


def spend_token(a: Asked) -> set[int]:
    """B10.2, America: what lies on the card; a natural wonder that can pay for the wonder is kept for that."""
    h = a.word("holder")
    accepted = []
    if a.word("source") == decisions.SOURCE_WONDER:
        accepted = twin.base_game()["wonder"][names.WONDERS[a.word("wonder")]]["resources"]
    kept = {decisions.KEPT_CITY_STATE + cs for cs in a.b.unspent_city_states(a.seat, h)}
    for i in a.b.unused_natural_wonders(a.seat):
        here = a.b.leader[a.seat] == "America" and a.b.g["natural_wonder_holder"][i] == h
        if here and twin.base_game()["natural_wonder"][names.NATURAL_WONDERS[i]] not in accepted:
            kept.add(decisions.KEPT_NATURAL_WONDER + i)
    return kept | ({decisions.PLAIN_TOKEN} if a.b.g["trade"][a.seat][h] > 0 else set())


def give_trade(a: Asked) -> set[int]:
    """Embassy: the cards of the giver with room for a trade token."""
    giver = a.word("seat")
    assert a.seat in {a.b.g["diplomacy"][giver][names.DIPLOMACY_CARDS.index("Embassy")]}
    return twin.roomy_cards(a.b, giver)


def move_on(a: Asked) -> set[int]:
    """B11.4: the barbarians that share a space; the first player is asked."""
    assert a.seat == a.b.g["first"]
    places = list(a.b.barbarian.values())
    return {letter for letter, s in a.b.barbarian.items() if places.count(s) > 1}


def rich_holders(a: Asked, seat: int) -> set[int]:
    return {h for h, _, _ in a.b.row(seat) if a.b.g["trade"][seat][h] > 0}


def swap_cards(a: Asked) -> set[int]:
    places = range(len(a.b.row(a.seat)))
    oracle = a.word("source") == decisions.SOURCE_ORACLE
    return {x * 8 + y for x in places for y in places if x < y and (y == x + 1 or not oracle)}


def other_card(a: Asked) -> set[int]:
    return {place for place, (h, _, _) in enumerate(a.b.row(a.seat)) if h != a.word("holder")}


def extra_economy(a: Asked) -> set[int]:
    """T12.24: with each card but the economy card, or by one ruling once a turn; of two economy cards either."""
    done = any(row[5] == BY_MARACANA for row in a.rows(LOG_CARD))
    again = not done or a.b.rulings["maracana_times"] == "each"
    cards = {h for h, kind, _ in a.b.row(a.seat) if kind == "economy"} - {a.word("holder")}
    both = {0, 1} | {decisions.EXTRA_OTHER + h for h in cards}
    return both if a.b.has(a.seat, "Estadio do Maracana") and again else set()


def potala(a: Asked) -> set[int]:
    limit = twin.power("Potala Palace", "diplomacy_limit")["amount"]
    rivals = [p for p in a.b.seats if p != a.seat and len(a.b.cards_with(p, a.seat)) < limit]
    return {p * 8 + k for p in rivals for k in a.b.cards_with(p, -1)}


EXPECTED: dict[int, Callable[[Asked], set[int]]] = {
    decisions.CARD: lambda a: set(range(len(a.b.row(a.seat)))),
    decisions.PLACE_TOKEN: place_token,
    decisions.TAKE_OFF: lambda a: set(a.b.tokens(a.seat)),
    decisions.MOVE_TOKEN: lambda a: {s * 256 + x for s, x in twin.token_steps(a.b, a.seat)},
    decisions.RIVAL_TOKEN: rival_token,
    decisions.STRIKE: lambda a: set(range(a.b.n)),
    decisions.NAME_TOKEN: name_token,
    decisions.SPEND_TRADE: spend_trade,
    decisions.UPGRADE: upgrade,
    decisions.GAIN_RESOURCE: gain_resource,
    decisions.SWAP_RESOURCE: swap_resource,
    decisions.PLACE_TRADE: place_trade,
    decisions.NATURAL_WONDER_CARD: lambda a: {h for h, _, _ in a.b.row(a.seat)},
    decisions.CARAVAN_TO: caravan_to,
    decisions.TAKE_DIPLOMACY: take_diplomacy,
    decisions.RETURN_DIPLOMACY: lambda a: set(a.b.cards_with(a.word("seat"), a.seat)),
    decisions.INDUSTRY: industry,
    decisions.PAY: pay,
    decisions.WONDER_CITY: lambda a: twin.wonder_cities(a.b, a.seat),
    decisions.MILITARY: military,
    decisions.REINFORCE: lambda a: {s for s in a.b.tokens(a.seat) if a.b.piece[s] == "token"},
    decisions.ATTACK: lambda a: target_codes(twin.attack_targets(a.b, a.seat, a.card())),
    decisions.CITY_STATE_FATE: lambda a: {0, 1},
    decisions.LOOT: lambda a: rich_holders(a, a.word("seat")),
    decisions.LOSE_TRADE: lambda a: rich_holders(a, a.seat),
    decisions.SWAP_CARDS: swap_cards,
    decisions.GENEVA_SWAP: lambda a: {p * 64 + old * 8 + new for p, old, new in twin.geneva_swaps(a.b, a.seat)},
    decisions.SEOUL_MOVE: lambda a: {letter * 256 + s for letter, s in twin.seoul_pushes(a.b)},
    decisions.OTHER_CARD: other_card,
    decisions.EXTRA_ECONOMY: extra_economy,
    decisions.REPEAT_CARD: lambda a: {0, 1} if a.b.has(a.seat, "Venetian Arsenal") else set(),
    decisions.POTALA: potala,
    decisions.SPEND_TOKEN: spend_token,
    decisions.GIVE_TRADE: give_trade,
    decisions.SCIENCE: lambda a: {0, 1},
    decisions.MOVE_ON: move_on,
}

# Kinds that cannot be declined.
MUST = {
    decisions.CARD,
    decisions.YIELD_TOKEN,
    decisions.SPEND_TRADE,
    decisions.GAIN_RESOURCE,
    decisions.NATURAL_WONDER_CARD,
    decisions.RETURN_DIPLOMACY,
    decisions.PAY,
    decisions.WONDER_CITY,
    decisions.CITY_STATE_FATE,
    decisions.LOSE_TRADE,
    decisions.EXTRA_ECONOMY,
    decisions.REPEAT_CARD,
    decisions.SPEND_TOKEN,
    decisions.GIVE_TRADE,
    decisions.SCIENCE,
    decisions.MOVE_ON,
}


def may_pass(a: Asked) -> bool:
    """May the matter be declined?"""
    if a.kind == decisions.NAME_TOKEN:
        return a.word("space") < 0
    if a.kind == decisions.PLACE_TRADE:
        return a.word("source") == decisions.SOURCE_BANK
    if a.kind == decisions.TAKE_OFF:  # who has won the victory card has to put a token there (B3.2)
        must = a.b.rulings["conquest_without_token"] == "must" and a.word("source") == decisions.SOURCE_CONQUEST
        return not must and a.word("source") != decisions.SOURCE_VICTORY
    return a.kind not in MUST


class Auditor:
    """Watches a game that is played with `w`: the observer calls `look`, the player of the game `after_turn`.

    With `every` decision seen the auditor also notices decisions that were not put.
    """

    def __init__(self, r: Any, g: Any, w: Any, every: bool = True, rulings: dict[str, str] | None = None) -> None:
        self.r, self.g, self.w = r, g, w
        self.every = every
        self.rulings = rulings or {}
        self.counts: Counter[str] = Counter()
        self.differences: list[tuple] = []
        self.combats: list[tuple[int, int, int]] = []
        self.levels: list[int] = []

    def same(self, what: str, engine: Any, own: Any, words: dict[str, int] | None = None) -> None:
        self.counts[what] += 1
        if engine != own:
            self.differences.append((what, int(self.g.turn), int(self.g.current), describe(engine, own), words or {}))

    # --- one decision

    def look(self, seat: int, kind: int, n: int) -> None:
        """Compare one decision with what the twin expects."""
        a = Asked(self.g, self.w, seat, kind, self.w.option[:n].tolist(), self.rulings)
        words = {name: a.word(name) for name in ("slot", "holder", "left", "cost", "source", "space", "seat")}
        own = self.expected(a) | ({decisions.PASS} if may_pass(a) else set())
        self.same(decisions.KINDS[kind], set(a.options), own, words)
        if len(set(a.options)) != n:
            self.differences.append(
                (f"{decisions.KINDS[kind]}: listed twice", int(self.g.turn), seat, str(sorted(a.options)), words)
            )
        self.check_card(a)
        self.check_amounts(a)
        if kind == decisions.SPEND_TRADE and a.word("source") == decisions.SOURCE_ATTACK:
            self.note_combat(a)
        if kind == decisions.UPGRADE and a.word("source") == decisions.SOURCE_LEVEL:
            self.levels.append(a.word("level"))

    def expected(self, a: Asked) -> set[int]:
        if a.kind == decisions.START_EFFECT:
            usable = {k for k, name in enumerate(decisions.START_EFFECTS) if twin.start_effect_usable(a.b, a.seat, name)}
            return usable - set(a.chosen(decisions.START_EFFECT, a.log))
        if a.kind == decisions.CARAVAN:
            moved = set(a.chosen(decisions.CARAVAN, a.since_card()))
            return caravans(a.b.g["caravan"][a.seat], moved | come_home(a.log, a.seat))
        if a.kind == decisions.YIELD_TOKEN:  # a rival with just two tokens leaves no choice for the second name
            named = set(a.chosen(decisions.NAME_TOKEN, a.log))
            return named if len(named) == 2 else set(a.b.tokens(a.seat))
        return EXPECTED[a.kind](a)

    def check_card(self, a: Asked) -> None:
        """First decision of a card: the slot it acts with, and the tokens a culture card places."""
        if a.log_n == 0 or a.log[-1][0] != LOG_CARD:
            return
        _, seat, place, slot, _, why, acting = a.log[-1]
        stands = why in (CHOSEN, BY_MARACANA)
        own = place + 1 if stands else 1
        sees = stands or a.b.rulings["machu_picchu_as_if"] == "acts"
        self.same("acting slot", (slot, acting), (own, twin.acting_slot(a.b, seat, own) if sees else own))
        if a.kind == decisions.PLACE_TOKEN and a.word("source") == decisions.SOURCE_CULTURE and a.word("cost") == 0:
            self.same("free tokens", a.word("left"), a.card()["tokens"] + twin.extra_culture_tokens(a.b, a.seat))

    def check_amounts(self, a: Asked) -> None:
        """Steps of caravans, attacks and reinforcements left, what an extra control token costs."""
        card = a.since_card()
        if a.kind == decisions.CARAVAN:
            spent = [-row[3] for row in card if row[0] == LOG_TRADE and row[3] < 0 and row[4] == decisions.SOURCE_ECONOMY]
            self.same("caravan steps", a.word("left"), a.card()["move"] + sum(spent))
        made = sum(row[0] == LOG_ATTACK for row in card)
        if a.kind == decisions.ATTACK:
            self.same("attacks left", a.word("left"), a.card()["attacks"] - made)
        if a.kind == decisions.REINFORCE:
            turned = sum(row[0] == LOG_TOKEN_FLIP and row[3] == names.REINFORCED for row in card)
            self.same("reinforcements left", a.word("left"), a.slot() - made - turned)
        if a.kind == decisions.PLACE_TOKEN and a.word("source") == decisions.SOURCE_CULTURE:
            can_pay = a.b.spendable(a.seat, a.word("holder")) > 0
            self.same("token cost", a.word("cost"), 0 if a.word("left") > 0 else int(can_pay))

    # --- what only the dice can tell, at the end of a turn

    def note_combat(self, a: Asked) -> None:
        kind = "barbarian" if a.word("target") == state.TARGET_BARBARIAN else "other"
        target = (kind, a.word("space"))
        acting = a.since_card()[0][6]
        attack_die = a.word("attack") - twin.attack_value(a.b, a.seat, target, acting, a.card())
        self.combats.append((a.log_n, attack_die, a.word("defence") - twin.defence_value(a.b, a.seat, target)))

    def after_turn(self) -> None:
        """Compare the dice and the dial with the log of the turn, and forget the turn."""
        log = self.w.log[: self.w.log_n].tolist()
        for log_n, attack_die, defence_die in self.combats:
            row = next(row for row in log[log_n:] if row[0] == LOG_COMBAT)
            self.same("combat", (row[2], row[4]), (attack_die, defence_die))
        if self.every:
            self.check_dial(log)
            self.check_silence(log)
        self.combats, self.levels = [], []

    def check_silence(self, log: list[list[int]]) -> None:
        """A culture or industry card that asked nothing had nothing to offer (matters with one answer are not asked)."""
        starts = [i for i, row in enumerate(log) if row[0] == LOG_CARD]
        if len(starts) != 1 or any(row[0] == LOG_CHOICE for row in log[starts[0] :]):
            return
        _, seat, _, _, code, _, acting = log[starts[0]]
        kind, level = names.FOCUS_TYPES[code // names.N_LEVELS], code % names.N_LEVELS + 1
        board = Board(self.g, self.rulings)
        board.turn_of = seat
        if kind == "culture":
            self.same("silent culture card", set(), twin.culture_spaces(board, seat, acting))
        if kind == "industry":
            card = twin.base_game()["card"][kind, level]
            holder = board.row(seat)[0][0]  # it has been reset
            own = twin.city_spaces(board, seat, acting, card) | twin.affordable_wonders(board, seat, holder, acting, card)
            self.same("silent industry card", set(), own)
        if kind == "military":  # reinforcing or attacking is asked, but with Mass Production both follow one another
            card = twin.base_game()["card"][kind, level]
            plain = {("token", s) for s in board.tokens(seat) if board.piece[s] == "token"}
            own = twin.attack_targets(board, seat, card) | plain if card["mode"] == "attack_then_reinforce" else {"the choice"}
            self.same("silent military card", set(), own)
        if kind == "economy":
            self.same("silent economy card", set(), {"which caravan"})

    def check_dial(self, log: list[list[int]]) -> None:
        """B6.1, B6.3: how far the dial went, and which levels were offered for it."""
        acting, spent, levels = 0, 0, []
        for row in log:
            if row[0] == LOG_CARD:
                acting, spent = row[6], 0
            elif row[0] == LOG_TRADE and row[3] < 0 and row[4] == decisions.SOURCE_SCIENCE:
                spent -= row[3]
            elif row[0] == LOG_DIAL:
                position, paid = twin.dial_after(row[2], acting + spent)
                self.same("dial", row[3], position)
                levels += paid
                seat = row[1]
        if levels:
            # A level all of whose cards lie in the row already has nothing to offer.
            silent = [level for level in set(levels) if not twin.upgrades_to(Board(self.g, self.rulings), seat, level)]
            asked, paid_for = Counter(self.levels), Counter(levels)
            wrong = {x for x in paid_for | asked if asked[x] > paid_for[x] or (asked[x] < paid_for[x] and x not in silent)}
            self.same("levels", set(), wrong)


def come_home(log: list[list[int]], seat: int) -> set[int]:
    """B7.4: the caravans of the seat that came back to their card in the turn that the log has come to."""
    begins = [i for i, row in enumerate(log) if row[0] == LOG_TURN]
    rows = [row for row in log[begins[-1] if begins else 0 :] if row[1] == seat]
    return {row[2] for row in rows if row[0] == LOG_ARRIVAL or (row[0] == LOG_CARAVAN and row[4] == state.ON_CARD)}


def caravans(places: Sequence[int], done: set[int]) -> set[int]:
    """B7.2: the caravans that can still move; those on the card are alike, so one stands for all."""
    owned = {c: place for c, place in enumerate(places) if place != state.NOT_OWNED and c not in done}
    on_card = sorted(c for c, place in owned.items() if place == state.ON_CARD)
    return {c for c, place in owned.items() if place != state.ON_CARD} | set(on_card[:1])


AUDITORS: list[Auditor] = []


def look(seat: int, kind: int, n: int) -> None:
    """Hand one decision to the auditor at work; an error of its own is a difference: compiled code would drop it."""
    auditor = AUDITORS[-1]
    try:
        auditor.look(int(seat), int(kind), int(n))
    except Exception as error:
        auditor.differences.append((f"auditor: {error!r}", int(auditor.g.turn), int(auditor.g.current), decisions.KINDS[kind]))


def make_observer() -> Any:
    """Return an observer that shows decisions of random play to the last auditor: one in ``w.script_n`` (0 = none)."""

    def audited(r, g, w, seat, kind, n, u):
        rate = np.int64(w.script_n)
        if rate == 0 or (rate > 1 and np.int64(u & LOW_BITS) % rate != 0):
            return 0
        w.script_pos = 1
        with objmode():
            look(seat, kind, n)
        return 0

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaWarning)  # object mode is not cached: as meant
        return strategy(audited)


@jit
def play_until_looked_at(r, g, w, bots):
    """Play on to the end of a turn with a decision that was looked at (`w.script_pos`); return 0 at the end of the game."""
    while True:
        w.log_n = 0
        w.script_pos = 0
        if play_step(r, g, w, bots) == 0:
            return 0
        if w.script_pos != 0:
            return 1


def watch(r: Any, w: Any, bots: Any, game: int, players: int, rate: int, rounds: int = 60, rulings: Any = None) -> Auditor:
    """Play one random game and compare one decision in `rate` (1 = every one, 0 = none)."""
    w.script_n = 0
    return watch_from(r, started(r, w, game, players, bots, rounds), w, bots, rate, rulings)


def watch_strewn(r: Any, w: Any, bots: Any, game: int, players: int, rounds: int = 3) -> Auditor:
    """Play some rounds from a board strewn with pieces, for the decisions random games seldom reach."""
    g = strewn(r, game, players)
    g.round_cap = rounds
    return watch_from(r, g, w, bots, 1)


def watch_from(r: Any, g: Any, w: Any, bots: Any, rate: int, rulings: Any = None) -> Auditor:
    """Play the game on to its end under the eyes of an auditor."""
    w.script_n, w.log_on, w.log_n = rate, 1, 0
    auditor = Auditor(r, g, w, rate == 1, rulings)
    AUDITORS.append(auditor)
    try:
        while play_until_looked_at(r, g, w, bots) != 0:
            auditor.after_turn()
    finally:
        AUDITORS.pop()
        w.script_n, w.log_on, w.log_n = 0, 0, 0
    return auditor
