"""What a randomised experiment gives a seat in Terra Incognita: a district, a government, a fort (`treatment.py`)."""

from ... import names
from ..board.agendas import settle
from ..board.hexes import hex_distance, is_free_fort
from ..board.pieces import holder_of, put_city, put_district, rival_army_on
from ..cards.culture import no_slot
from ..cards.growth import district_fits
from ..core import decisions
from ..core.decide import choose
from ..core.jit import expansion, jit
from ..core.log import LOG_GOVERNMENT, log


@jit
def give_district(r, g, w, bots, p, district):
    """Seat `p` places its district where it likes, as if without a slot (T4.3); return 1 if it had it and there was a space."""
    if g.district_space[p, district] >= 0:
        return 0
    n = 0
    for s in range(g.n_spaces):
        if district_fits(r, g, p, s, no_slot(r)):
            w.option[n] = s * 8 + district
            n += 1
    if n == 0:
        return 0
    w.ask_source = decisions.SOURCE_GROWTH
    w.ask_slot = no_slot(r)
    put_district(g, w, p, choose(r, g, w, bots, p, decisions.PLACE_DISTRICT, n) // 8, district)
    settle(r, g, w, bots)
    return 1


@jit
def give_government(r, g, w, bots, p, kind):
    """Put the government token of the focus type on the card of that type of seat `p`, wherever it lies (T8); return 1 if it
    was not there."""
    h = holder_of(r, g, p, kind)
    if h < 0 or (g.government[p] == h and g.government_type[p] == kind):
        return 0
    log(w, LOG_GOVERNMENT, p, h, kind, g.government[p], 0, 0)
    g.government[p] = h
    g.government_type[p] = kind
    settle(r, g, w, bots)
    return 1


@jit
def nearest_free_fort(g, p):
    """Return the fort nearest to the capital of seat `p` that nobody controls and no rival army stands on, or -1."""
    found = -1
    for s in range(g.n_spaces):
        if not is_free_fort(g, s) or (g.owner[s] >= 0 and g.owner[s] != p) or rival_army_on(g, p, s):
            continue
        if found < 0 or hex_distance(g, s, g.capital[p]) < hex_distance(g, found, g.capital[p]):
            found = s
    return found


@jit
def give_fort(r, g, w, bots, p):
    """Seat `p` puts an unused city on the nearest free fort, as if it had beaten it (T6.3); return 1 if there was one."""
    s = nearest_free_fort(g, p)
    if s < 0 or g.cities_left[p] <= 0:
        return 0
    put_city(r, g, w, p, s)
    g.stat_forts[p] += 1
    settle(r, g, w, bots)
    return 1


@expansion
def give_of_expansion(r, g, w, bots, p, treatment, what) -> int:
    """Give seat `p` what only Terra Incognita has; return 1 if that was possible."""
    if treatment == names.TREAT_DISTRICT:
        return give_district(r, g, w, bots, p, what)
    if treatment == names.TREAT_GOVERNMENT:
        return give_government(r, g, w, bots, p, what)
    return give_fort(r, g, w, bots, p)
