"""Rounds, the event dial: a whole game to its end (B3, B12)."""

from ... import names
from ...rules import ability_codes as codes
from ..board.abilities import ALL_SEATS
from ..board.agendas import settle
from ..board.barbarians import barbarians_appear, move_barbarians
from ..board.events import happen
from ..board.pieces import mature_cities
from ..board.trade import gain_trade
from ..cards.start_effects import follow_up
from ..core import decisions
from ..core.decide import clear_question
from ..core.jit import jit
from ..core.log import LOG_EVENT, LOG_ROUND, log
from .dial import resolve_icons
from .start_bonus import give_start_bonus
from .treatment import treat
from .turn import take_turn
from .winning import check_victory


@jit
def pay_mature_cities(r, g, w, bots):
    """Trade icon: every player gets trade tokens for mature cities, on any cards, clockwise from the first player."""
    for k in range(g.players):
        p = (g.first + k) % g.players
        gain_trade(r, g, w, bots, p, -1, r.event_trade_per_city * mature_cities(r, g, p), decisions.SOURCE_EVENT)
        happen(r, g, w, bots, p, codes.TRADE_ICON, 0, -1, -1, -1)


@jit
def turn_event_dial(r, g, w, bots):
    """B3.1, B12.1: move the arrow one section on and resolve its icons."""
    g.event = (g.event + 1) % r.event_sections
    icons = r.event_icons[g.event]
    log(w, LOG_EVENT, -1, g.event, icons, 0, 0, 0)
    clear_question(w)
    if icons & names.ICON_BARBARIANS_APPEAR:
        barbarians_appear(r, g, w, bots)
    if icons & names.ICON_BARBARIANS_MOVE:
        move_barbarians(r, g, w, bots)
    if icons & names.ICON_TRADE:
        pay_mature_cities(r, g, w, bots)
    if r.box == names.TI_BOX:
        resolve_icons(r, g, w, bots, icons)
    settle(r, g, w, bots)
    follow_up(r, g, w, bots)


@jit
def end_round(r, g, w, bots):
    """What abilities do at the end of a round, clockwise from the first player."""
    for k in range(g.players):
        p = (g.first + k) % g.players
        if g.moments[p] >> codes.END_OF_ROUND & 1 != 0:
            happen(r, g, w, bots, p, codes.END_OF_ROUND, 0, -1, -1, -1)
            follow_up(r, g, w, bots)


@jit
def begin_round(r, g, w, bots):
    """What happens before the first player's turn: event dial (not before round 1), check for victory, round cap (B3.4)."""
    if g.round_number > 0:
        end_round(r, g, w, bots)
        if r.win_check_after_dial == 0:
            check_victory(r, g, w)
        if g.ending == names.RUNNING:
            turn_event_dial(r, g, w, bots)
        if r.win_check_after_dial != 0:
            check_victory(r, g, w)
        if g.ending == names.RUNNING and g.round_number >= g.round_cap:
            g.ending = names.ROUND_CAP
        if g.ending != names.RUNNING:
            return
    g.round_number += 1
    if r.timed_abilities != 0:
        g.stale = ALL_SEATS
        settle(r, g, w, bots)
    log(w, LOG_ROUND, -1, g.round_number, 0, 0, 0, 0)
    if g.round_number == 1:
        give_start_bonus(r, g, w, bots)
    if g.round_number == g.treatment_round:
        treat(r, g, w, bots)


@jit
def play_step(r, g, w, bots):
    """Play one turn, with what comes before it if it is the first player's; return 1 while the game goes on."""
    if g.current == g.first:
        begin_round(r, g, w, bots)
        if g.ending != names.RUNNING:
            return 0
    take_turn(r, g, w, bots)
    g.current = (g.current + 1) % g.players
    return 1


@jit
def play_game(r, g, w, bots):
    """Play a game that has been set up (course/setup.py) to its end, or to the turn with an illegal answer (core/decide.py)."""
    while w.fault_n == 0 and play_step(r, g, w, bots) != 0:
        pass
