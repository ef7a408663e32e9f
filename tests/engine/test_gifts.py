"""What experiments give in Terra Incognita: a district, a government, a fort. All rules hold after it."""

from __future__ import annotations

import numpy as np
import pytest
from started_games import BOTS, start
from table import ti_rules

from newdawn.simulator import names
from newdawn.simulator.engine import audit, state, treatment
from newdawn.simulator.engine.counts import forts_held
from newdawn.simulator.engine.map import is_fort

R = ti_rules()


@pytest.fixture
def started():
    """A game of three players of the expansion before its first round."""
    g, w = start(R, players=3, seed=4)
    g.round_number = 1
    return g, w


def audited(g, w):
    w.violation = 0
    audit.audit(R, g, w)
    return audit.VIOLATIONS[w.violation]


@pytest.mark.parametrize("district", range(names.N_DISTRICTS))
def test_a_district_lies_next_to_an_own_city_and_is_given_once(started, district):
    g, w = started
    assert treatment.give_of_expansion(R, g, w, BOTS, 1, names.TREAT_DISTRICT, district) == 1
    s = int(g.district_space[1, district])
    assert (g.owner[s], g.district[s]) == (1, 1 + district)
    assert s in g.neighbour[g.capital[1]]
    assert audited(g, w) == "none"
    before = np.asarray(g).copy()
    assert treatment.give_of_expansion(R, g, w, BOTS, 1, names.TREAT_DISTRICT, district) == 0
    assert np.asarray(g) == before


def test_a_district_needs_a_space(started):
    g, w = started
    g.owner[g.neighbour[g.capital[1]][g.neighbour[g.capital[1]] >= 0]] = 0
    assert treatment.give_district(R, g, w, BOTS, 1, names.CAMPUS) == 0


@pytest.mark.parametrize("kind", [names.INDUSTRY, names.GROWTH])
def test_a_government_lies_on_the_card_of_its_type(started, kind):
    g, w = started
    assert treatment.give_of_expansion(R, g, w, BOTS, 2, names.TREAT_GOVERNMENT, kind) == 1
    assert R.card_type[g.card[2, g.government[2]]] == kind == g.government_type[2]
    assert audited(g, w) == "none"
    assert treatment.give_of_expansion(R, g, w, BOTS, 2, names.TREAT_GOVERNMENT, kind) == 0
    other = (kind + 1) % names.N_TYPES
    assert (
        treatment.give_of_expansion(R, g, w, BOTS, 2, names.TREAT_GOVERNMENT, other) == 1
    )  # the token changes its side and card
    assert g.government_type[2] == other


def test_a_fort_is_the_nearest_free_one_and_holds_a_city(started):
    g, w = started
    forts = [s for s in range(g.n_spaces) if is_fort(g, s)]
    near = min(forts, key=lambda s: (steps(g, s, int(g.capital[0])), s))
    cities = int(g.cities_left[0])
    assert treatment.give_of_expansion(R, g, w, BOTS, 0, names.TREAT_FORT, -1) == 1
    assert g.owner[near] == 0
    assert (forts_held(g, 0), g.stat_forts[0], g.cities_left[0]) == (1, 1, cities - 1)
    assert audited(g, w) == "none"
    taken = 1
    while treatment.give_fort(R, g, w, BOTS, 0):
        taken += 1
    assert taken == min(len(forts), cities)  # every fort, or every city


def steps(g, s, t):
    q, r = int(g.axial_q[s] - g.axial_q[t]), int(g.axial_r[s] - g.axial_r[t])
    return max(abs(q), abs(r), abs(q + r))


@pytest.mark.parametrize("given", [names.TREAT_DISTRICT, names.TREAT_GOVERNMENT, names.TREAT_FORT])
def test_the_seat_drawn_is_given_it(started, given):
    g, w = started
    untouched = np.asarray(g).copy().view(np.recarray).reshape(1)[0]
    g.treatment, g.treatment_what = given, names.CAMPUS
    treatment.treat(R, g, w, BOTS)
    p = int(g.treated_seat)
    assert g.treated == names.TREATED_YES
    assert [name for name in ("district_space", "government", "cities") if (g[name] != untouched[name]).any()] == [
        {names.TREAT_DISTRICT: "district_space", names.TREAT_GOVERNMENT: "government", names.TREAT_FORT: "cities"}[given]
    ]
    assert (g.district_space[p, names.CAMPUS] >= 0) + (g.government[p] >= 0) + forts_held(g, p) == 1


def test_what_is_there_already_is_impossible(started):
    g, w = started
    g.cities_left[:] = 0
    g.treatment, g.treatment_what = names.TREAT_FORT, -1
    treatment.treat(R, g, w, BOTS)
    assert g.treated == names.TREATED_IMPOSSIBLE
    assert "treated" in (state.STATE.names or ())
