"""How far every seat is from its victory cards, and how far that makes its rivals: the last facts of a situation."""

from numba import types

from ...simulator import names
from ...simulator.engine.board.metrics import metric
from ...simulator.engine.core.argument_types import declare_parameters
from ...simulator.engine.core.jit import inline, jit
from ..planning.features import ignores
from . import facts as at

declare_parameters(__name__, facts=types.float32[:, ::1])

MOST_TURNS = 20.0  # of what cannot be done


@inline
def raise_to(facts, p, column, value):
    """Keep the higher of the fact and the value."""
    if value > facts[p, column]:
        facts[p, column] = value


@inline
def lack_of(r, g, p, what, kind, target):
    """Return what seat `p` lacks of a target of an agenda."""
    return max(0, target - int(metric(r, g, p, what, kind)))


@inline
def counts_wonders(what):
    """Does the agenda count world wonders of several types (T3.4)?"""
    return what == names.METRIC_ERA or what == names.METRIC_ERAS or what == names.METRIC_WONDER_TYPES


@jit
def ease_of(r, g, p, what, kind, lack, facts):
    """Return what decides how soon an agenda can be met, by what it counts; the other facts have to be there."""
    if what == names.METRIC_CITIES:
        return facts[p, at.SITES]
    if what == names.METRIC_WONDERS_OF_TYPE:
        return facts[p, at.WONDER_SHORT + kind]
    if what == names.METRIC_CAPITALS_DEFEATED:
        return facts[p, at.HOPE_CAPITAL]
    if what == names.METRIC_CITY_STATES:
        return facts[p, at.HOPE_STATE] if lack < 2 else facts[p, at.HOPE_NEXT_STATE]
    if what == names.METRIC_COAST:
        return facts[p, at.ROOM_COAST]
    if what == names.METRIC_MATURE_CITIES:
        return facts[p, at.MISSING_LEAST] if lack < 2 else facts[p, at.MISSING_SECOND]
    if what == names.METRIC_NATURAL_WONDERS:
        return facts[p, at.NATURAL_NEAR] if lack < 2 else facts[p, at.NATURAL_NEXT]
    return facts[p, at.SLOT + names.SCIENCE] + facts[p, at.TRADE + names.SCIENCE]


@jit
def turns_of(p, what, kind, lack, facts):
    """Return about how many turns what an agenda counts still takes if so much is missing.

    The rates are about the planner's, which come from self-play (profiles/planner.yaml), but half as long for a card's level.
    """
    if what == names.METRIC_CITIES or what == names.METRIC_TILES:
        sites = min(lack, 5.0 * facts[p, at.SITES])
        return 1.8 * sites + 3.9 * (lack - sites)
    if what == names.METRIC_WONDERS_OF_TYPE:
        if 4.0 * facts[p, at.WONDER_LEFT + kind] < lack:
            return MOST_TURNS
        return 3.9 + 1.5 * max(0.0, facts[p, at.WONDER_SHORT + kind]) + 7.0 * (lack - 1)
    if what == names.METRIC_CAPITALS_DEFEATED:
        return 1.0 / max(0.1, facts[p, at.HOPE_CAPITAL])
    if what == names.METRIC_CITY_STATES:
        turns = 1.0 / max(0.1, facts[p, at.HOPE_STATE])
        return turns if lack < 2 else turns + 1.0 / max(0.1, facts[p, at.HOPE_NEXT_STATE])
    if what == names.METRIC_COAST:
        return 0.9 * lack
    if what == names.METRIC_MATURE_CITIES:
        tokens = facts[p, at.MISSING_LEAST] if lack < 2 else facts[p, at.MISSING_LEAST] + facts[p, at.MISSING_SECOND]
        return 2.0 * tokens
    if what == names.METRIC_NATURAL_WONDERS:
        turns = 3.5 + 3.3 * facts[p, at.NATURAL_NEAR]
        return turns if lack < 2 else turns + 3.5 + 3.3 * facts[p, at.NATURAL_NEXT]
    if what == names.METRIC_FORTS:
        return lack * (1.5 + 1.0 / max(0.1, facts[p, at.HOPE_FORT]))
    if what == names.METRIC_BEST_ATTACK:
        return 4.5
    if what == names.METRIC_CARDS_OF_LEVEL:
        return 4.5 * lack
    if what == names.METRIC_REINFORCED:
        return 0.5 * lack
    if what == names.METRIC_RESOURCES:
        return 1.2 * lack
    if what == names.METRIC_DISTRICTS:
        return 1.6 * lack
    if counts_wonders(what):
        return 4.2 * lack
    return 2.1 * lack


@jit
def chance_soon(g, p, what, kind, lack, facts):
    """Return the chance that seat `p` gets in its next turn what an agenda counts if so much is missing.

    Odds of attacks are exact, and what a card brings without dice is a yes or no; a city is taken for certain where a site
    is in sight.
    """
    if what == names.METRIC_COAST:
        return 1.0 if lack <= min(5.0 * facts[p, at.TOKENS_NOW], 10.0 * facts[p, at.ROOM_COAST]) else 0.0
    if what == names.METRIC_DIAL:
        return 1.0 if lack <= 5.0 * facts[p, at.SLOT + names.SCIENCE] + 3.0 * facts[p, at.TRADE + names.SCIENCE] else 0.0
    if lack > 1:
        return 0.0
    if counts_wonders(what):
        return 1.0 if facts[p, at.WONDER_NOW] > 0.0 and facts[p, at.WONDER_HOMES] > 0.0 else 0.0
    if what == names.METRIC_FORTS:
        return facts[p, at.STRIKE_FORT]
    if what == names.METRIC_CITIES or what == names.METRIC_TILES:
        founded = 1.0 if g.cities_left[p] > 0 and facts[p, at.SITES] > 0.0 else 0.0
        return max(founded, max(facts[p, at.STRIKE_CITY], facts[p, at.STRIKE_STATE]))
    if what == names.METRIC_WONDERS_OF_TYPE:
        return facts[p, at.WONDER_CAN + kind] if facts[p, at.WONDER_HOMES] > 0.0 else 0.0
    if what == names.METRIC_CAPITALS_DEFEATED:
        return facts[p, at.STRIKE_CAPITAL]
    if what == names.METRIC_CITY_STATES:
        return facts[p, at.STRIKE_STATE]
    if what == names.METRIC_MATURE_CITIES:
        return 1.0 if 6.0 * facts[p, at.MISSING_LEAST] <= 5.0 * facts[p, at.TOKENS_NOW] else 0.0
    if what == names.METRIC_NATURAL_WONDERS:
        beside = facts[p, at.NATURAL_NEAR] < 0.2 and facts[p, at.SLOT + names.CULTURE] > 0.9
        return max(1.0 if beside else 0.0, facts[p, at.STRIKE_NATURAL])
    return 0.0


@jit
def read_agendas(r, g, p, facts):
    """Fill what the victory cards say about seat `p` (last: it looks at the other facts), but for an agenda it ignores."""
    left = 0
    lack_sum = 0.0
    lack_most = 0.0
    turns_next = MOST_TURNS
    turns_most = 0.0
    turns_all = 0.0
    for i in range(g.victory_count):
        if g.claimed[p, i] != 0:
            continue
        left += 1
        card = int(g.victory_card[i])
        nearest = 1.0
        quickest = MOST_TURNS
        for a in range(2):
            if ignores(r, g, p, card, a):
                continue
            name = int(r.agenda_name[card, a])
            kind = int(r.agenda_kind[card, a])
            target = max(1, int(r.agenda_target[card, a]))
            lack = lack_of(r, g, p, r.agenda_metric[card, a], kind, target)
            share = lack / target
            what = int(r.agenda_metric[card, a])
            if r.agenda_metric2[card, a] != names.METRIC_NONE:
                target = max(1, int(r.agenda_target2[card, a]))
                other = lack_of(r, g, p, r.agenda_metric2[card, a], int(r.agenda_kind2[card, a]), target)
                if other / target < share or other < lack:
                    kind = int(r.agenda_kind2[card, a])
                    lack = other
                    share = other / target
                    what = int(r.agenda_metric2[card, a])
            soon = chance_soon(g, p, what, kind, lack, facts) if lack > 0 else 0.0
            if name < at.AGENDAS_KNOWN:
                facts[p, at.OPEN + name] = 1.0
                facts[p, at.LACK + name] = share
                facts[p, at.LAST_STEP + name] = 1.0 if lack == 1 else 0.0
                facts[p, at.EASE + name] = ease_of(r, g, p, what, kind, lack, facts) if lack > 0 else 0.0
                facts[p, at.SOON + name] = soon
            elif r.box == names.TI_BOX and name < at.AGENDAS_KNOWN + len(names.TI_AGENDAS):
                of_box = name - at.AGENDAS_KNOWN
                facts[p, at.BOX_OPEN + of_box] = 1.0
                facts[p, at.BOX_LACK + of_box] = share
                facts[p, at.BOX_LAST_STEP + of_box] = 1.0 if lack == 1 else 0.0
            nearest = min(nearest, share)
            if lack > 0:
                raise_to(facts, p, at.SOON_BEST, soon)
                quickest = min(quickest, turns_of(p, what, kind, lack, facts))
            else:
                quickest = 0.0
        lack_sum += nearest
        lack_most = max(lack_most, nearest)
        turns_next = min(turns_next, quickest)
        turns_most = max(turns_most, quickest)
        turns_all += quickest
    facts[p, at.CLAIMED] = (g.victory_count - left) / 5.0
    facts[p, at.LEFT] = left / 5.0
    facts[p, at.LAST_CARD] = 1.0 if left == 1 else 0.0
    facts[p, at.LAST_TWO] = 1.0 if left == 2 else 0.0
    facts[p, at.LACK_SUM] = lack_sum
    facts[p, at.LACK_MOST] = lack_most
    facts[p, at.TURNS_NEXT] = turns_next / 10.0 if left > 0 else 0.0
    facts[p, at.TURNS_MOST] = turns_most / 10.0
    facts[p, at.TURNS_ALL] = turns_all / 20.0
    facts[p, at.FINISH] = facts[p, at.SOON_BEST] if left == 1 else 0.0


@jit
def read_rivals(g, p, facts):
    """Fill how far the rivals of seat `p` are, from their own facts."""
    facts[p, at.RIVAL_AHEAD] = -1.0
    facts[p, at.RIVAL_NEAREST] = 5.0
    facts[p, at.RIVAL_TURNS] = MOST_TURNS
    fewest = 9.0
    mine = (p - g.current + g.players) % g.players
    for q in range(g.players):
        if q == p:
            continue
        first = (q - g.current + g.players) % g.players < mine
        raise_to(facts, p, at.RIVAL_AHEAD, facts[q, at.CLAIMED] - facts[p, at.CLAIMED])
        if facts[q, at.LAST_CARD] > 0:
            facts[p, at.RIVAL_LAST] += 1.0
            facts[p, at.RIVAL_LAST_SOON] += 1.0 if first else 0.0
        facts[p, at.RIVAL_TURNS] = min(facts[p, at.RIVAL_TURNS], facts[q, at.TURNS_ALL])
        raise_to(facts, p, at.RIVAL_FINISH, facts[q, at.FINISH])
        raise_to(facts, p, at.RIVAL_FINISH_FIRST, facts[q, at.FINISH] if first else 0.0)
        if facts[q, at.LEFT] == 0:
            facts[p, at.RIVAL_DONE] += 1.0
        if facts[q, at.LEFT] < fewest or (facts[q, at.LEFT] == fewest and facts[q, at.LACK_SUM] < facts[p, at.RIVAL_NEAREST]):
            fewest = facts[q, at.LEFT]
            facts[p, at.RIVAL_NEAREST] = facts[q, at.LACK_SUM]
