"""Does a strategy take its last victory card when the rules offer it? Games among copies of it are searched for such turns.

    python -m newdawn.scripts.checks.last_cards --strategy quick --games 300 --seed 77201
    python -m newdawn.scripts.checks.last_cards --strategy quick --box terra-incognita --games 300 --seed 77202 --list

A card is *offered* to a seat that lacks one to win if some line of its turn claims it in at least three of four throws of the
dice. The lines are enumerated apart from the players: every card, with every option at each of the first questions of the turn
that give it a target, and at every two of the first three of them; the planner answers all others. The offer is *taken* if the
seat claims the card, or would with most other throws; it is *left out* if what the seat does wins the game as often, played on
by planners. All else is *missed*; `--list` names these turns for `newdawn replay`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numba import types

from ...analysis.stats.rates import wilson
from ...simulator import names
from ...simulator.engine import decisions, state
from ...simulator.engine.compile.argument_types import STATE_TYPE, declare_parameters
from ...simulator.engine.compile.jit import jit, seat_strategies, strategy
from ...simulator.engine.turn import begin_round, close_turn, open_turn, play_card, play_game, take_turn
from ...simulator.engine.winning import claims_to_win, has_enough
from ...simulator.replay.stepper import Game
from ...simulator.rules.load import load_ruleset
from ...simulator.runs.run_plan import plan_by
from ...strategies.learned.lookahead import copy_game
from ...strategies.planning.plan import WAYS_NOTED, make_plan
from ...strategies.planning.planner import choose_planner, plan_is_old, prepare
from ...strategies.registry import find

QUESTIONS = 7  # of a turn, whose options are enumerated one at a time
TOGETHER = 3  # the first of them, of which two at a time
ASKED = WAYS_NOTED  # notes of the seat: questions so far, the option to take at each + 1 (0: the planner's), how many there are
TAKEN = ASKED + 1
OPTIONS = TAKEN + QUESTIONS
SCREENED, THROWN = 4, 200  # throws of the dice that a line is tried with at first, and then
OFFERED = 0.75  # share of these that claims the card
SURE = 1.96  # standard errors of a difference in wins that is none of chance

declare_parameters(__name__, copy=STATE_TYPE, line=types.int64[::1], options=types.int64[::1])


@jit
def gives_a_target(kind):
    """Is this a question that gives a turn its direction or target?"""
    return (
        kind == decisions.PLACE_TOKEN
        or kind == decisions.INDUSTRY
        or kind == decisions.WONDER_CITY
        or kind == decisions.MILITARY
        or kind == decisions.REINFORCE
        or kind == decisions.ATTACK
        or kind == decisions.UPGRADE
        or kind == decisions.CARAVAN_TO
        or kind == decisions.TAKE_DIPLOMACY
        or kind == decisions.ARMY
        or kind == decisions.ARMY_TO
        or kind == decisions.ARMY_TARGET
        or kind == decisions.ARMY_AGAIN
        or kind == decisions.GROWTH
        or kind == decisions.PLACE_DISTRICT
        or kind == decisions.CITY_SPACE
    )


@strategy
def choose_listed(r, g, w, seat, kind, n, u):
    """Play like the planner except where the notes of its own turn name another option."""
    own = choose_planner(r, g, w, seat, kind, n, u)
    asked = int(g.notes[seat, ASKED])
    if g.current != seat or not gives_a_target(kind) or asked >= QUESTIONS:
        return own
    g.notes[seat, ASKED] = asked + 1
    g.notes[seat, OPTIONS + asked] = n
    named = int(g.notes[seat, TAKEN + asked])
    return named - 1 if 0 < named <= n else own


@jit
def play_line(r, g, w, bots, seat, line):
    """Play the turn of a seat by a line: place of the card in the row, then twice a question and the option there + 1 (0: the
    planner's)."""
    g.notes[seat, ASKED] = QUESTIONS  # before the card the planner decides
    open_turn(r, g, w, bots)
    if plan_is_old(g, seat):
        make_plan(r, g, w, seat)
    for k in range(QUESTIONS):
        g.notes[seat, TAKEN + k] = 0
        g.notes[seat, OPTIONS + k] = 0
    g.notes[seat, ASKED] = 0
    for k in (1, 3):
        if line[k + 1] != 0:
            g.notes[seat, TAKEN + line[k]] = line[k + 1]
    play_card(r, g, w, bots, seat, int(g.row[seat, line[0]]))
    close_turn(r, g, w, bots, seat)
    g.current = (g.current + 1) % g.players


@jit
def claims_last(r, g, w, bots, seat, throw, line, copy):
    """Return whether the seat's turn, played in a copy by the line with dice of this throw, claims its last card."""
    copy_game(copy, g)
    prepare(r, copy, seat, 1 + throw)
    play_line(r, copy, w, bots, seat, line)
    return has_enough(r, copy, seat)


@jit
def times_claimed(r, g, w, bots, seat, first, last, most, line, copy):
    """Return how often the line claims the card with the throws `first` … `last` - 1, given up after `most` failures."""
    claimed = 0
    for throw in range(first, last):
        claimed += 1 if claims_last(r, g, w, bots, seat, throw, line, copy) else 0
        if throw + 1 - first - claimed > most:
            break
    return claimed


@jit
def times_offered(r, g, w, bots, seat, line, copy):
    """Return how often of THROWN times the line claims the card; 0 where the first throws say that it seldom does."""
    if times_claimed(r, g, w, bots, seat, 0, SCREENED, 1, line, copy) < SCREENED - 1:
        return 0
    return times_claimed(r, g, w, bots, seat, SCREENED, SCREENED + THROWN, THROWN, line, copy)


@jit
def read_options(r, g, w, bots, seat, line, copy, options):
    """Fill how many options each question of the turn has if it is played by the line; 0 where there is no choice."""
    claims_last(r, g, w, bots, seat, 0, line, copy)
    for k in range(QUESTIONS):
        n = int(copy.notes[seat, OPTIONS + k])
        options[k] = n if n > 1 else 0


@jit
def try_with_others(r, g, w, bots, seat, one, line, copy):
    """Look among the lines with another option at a later question for one that offers; return how often it claims."""
    after = np.zeros(QUESTIONS, np.int64)
    read_options(r, g, w, bots, seat, line, copy, after)
    for other in range(one + 1, TOGETHER):
        line[3] = other
        for option in range(1, after[other] + 1):
            line[4] = option
            claimed = times_offered(r, g, w, bots, seat, line, copy)
            if claimed >= OFFERED * THROWN:
                return claimed
    line[4] = 0
    return 0


@jit
def find_line(r, g, w, bots, seat, line, copy):
    """Fill the first line found that claims the last card in OFFERED of the throws; return in how many, 0 if there is none."""
    options = np.zeros(QUESTIONS, np.int64)
    for place in range(r.slots):
        line[:] = 0
        line[0] = place
        claimed = times_offered(r, g, w, bots, seat, line, copy)
        if claimed >= OFFERED * THROWN:
            return claimed
        read_options(r, g, w, bots, seat, line, copy, options)
        alone = r.card_type[g.card[seat, g.row[seat, place]]] == names.CULTURE
        for one in range(QUESTIONS):
            for option in range(1, options[one] + 1):
                line[1], line[2], line[4] = one, option, 0
                claimed = times_offered(r, g, w, bots, seat, line, copy)
                if claimed < OFFERED * THROWN and one + 1 < TOGETHER and not alone:
                    claimed = try_with_others(r, g, w, bots, seat, one, line, copy)
                if claimed >= OFFERED * THROWN:
                    return claimed
    return 0


@jit
def lacks_one(r, g, seat):
    """Does the seat lack one victory card to win?"""
    return claims_to_win(r, g, seat) + 1 == g.victory_count - r.claims_spared


@jit
def start_turn(r, g, w, bots):
    """Begin the round before the first player's turn; return 1 while the game goes on."""
    if g.current == g.first:
        begin_round(r, g, w, bots)
    return 1 if g.ending == names.RUNNING else 0


@jit
def finish_turn(r, g, w, bots):
    """Play the turn that is to begin."""
    take_turn(r, g, w, bots)
    g.current = (g.current + 1) % g.players


@dataclass(frozen=True)
class Offer:
    """A turn in which a last card is offered: what became of it, and the wins of both lines, played on by planners."""

    game: int
    turn: int
    seat: int
    claims: float  # share of throws in which the line found claims the card
    outcome: str  # taken, left out, missed
    wins: float  # share of the throws won after that line; NaN where it is taken
    wins_taken: float  # and after what the seat does


class LineSearch:
    """Looks for lines that claim a seat's last card, in copies of a game."""

    def __init__(self, r: np.record) -> None:
        self.r, self.work = r, state.new_work()
        self.copies = np.zeros(1, state.STATE)
        self.copy = self.copies.view(np.recarray)[0]
        self.line = np.zeros(5, np.int64)
        self.listed, self.planners = seat_strategies(choose_listed), seat_strategies(choose_planner)

    def offer(self, before: np.record, seat: int) -> float:
        """Return the share of throws in which the line found claims the last card (`line`); 0 if none offers it."""
        return int(find_line(self.r, before, self.work, self.listed, seat, self.line, self.copy)) / THROWN

    def wins(self, before: np.record, seat: int, bots: Any = None) -> tuple[np.ndarray, float]:
        """Return, by throw, the share of the win after the line, or after what the player of the seat (`bots`) does, played on
        by planners; and how often that claims the card."""
        shares, claimed = np.zeros(THROWN), 0
        for throw in range(THROWN):
            if bots is None:
                claimed += bool(claims_last(self.r, before, self.work, self.listed, seat, throw, self.line, self.copy))
            else:
                self.copies[0] = before
                prepare(self.r, self.copy, seat, 1 + throw)
                finish_turn(self.r, self.copy, self.work, bots)
                claimed += bool(has_enough(self.r, self.copy, seat))
            play_game(self.r, self.copy, self.work, self.planners)
            winners = self.copy.winner[: self.copy.players]
            shares[throw] = winners[seat] / winners.sum() if self.copy.ending == names.VICTORY else 0.0
        return shares, claimed / THROWN

    def judge(self, before: np.record, seat: int, bots: Any) -> tuple[str, float, float]:
        """Return what became of an offer that the seat did not claim, and the wins after the line and after its own turn."""
        own, claimed = self.wins(before, seat, bots)
        if claimed >= 0.5:  # its dice failed
            return "taken", np.nan, float(own.mean())
        theirs, _ = self.wins(before, seat)
        gap = theirs - own
        more = gap.mean() > SURE * gap.std(ddof=1) / np.sqrt(len(gap))
        return "missed" if more else "left out", float(theirs.mean()), float(own.mean())


def offers_of(game: Game) -> Iterator[Offer]:
    """Play a game and yield its offers."""
    r, g, w, bots = game.rules, game.state, game.work, game.bots
    search, before = LineSearch(r), np.zeros(1, state.STATE)
    while start_turn(r, g, w, bots):
        w.log_n = 0
        seat, share = int(g.current), 0.0
        if lacks_one(r, g, seat):
            before[0] = game.states[0]
            share = search.offer(before.view(np.recarray)[0], seat)
        finish_turn(r, g, w, bots)
        if not share:
            continue
        outcome, wins, own = "taken", np.nan, np.nan
        if not has_enough(r, g, seat):
            outcome, wins, own = search.judge(before.view(np.recarray)[0], seat, bots)
        yield Offer(game.game, int(g.turn), seat, share, outcome, wins, own)


def read_games(
    strategy: str, games: int, seed: int, players: int = 4, box: str = names.BOXES[names.BASE_BOX]
) -> Iterator[Offer]:
    """Yield the offers of games among copies of a strategy."""
    ruleset = load_ruleset(box=box)
    plan = plan_by(ruleset.compile(), players=players, games=games, seed=seed, strategies=[find(strategy)])
    for game in range(games):
        yield from offers_of(Game(ruleset, plan, game))


def table(offers: list[Offer]) -> dict[str, Any]:
    """Return the figures by name: offers, what became of them, and the share taken with its 95% interval."""
    counts = {outcome: sum(offer.outcome == outcome for offer in offers) for outcome in ("taken", "missed", "left out")}
    n = counts["taken"] + counts["missed"]
    low, high = wilson(counts["taken"], n) if n else (np.nan, np.nan)
    share = f"{100 * counts['taken'] / n:.1f}% [{100 * float(low):.1f}, {100 * float(high):.1f}]" if n else "none offered"
    return {"offers": len(offers), **counts, "taken of taken and missed": share}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strategy", default="quick")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--box", choices=names.BOXES, default=names.BOXES[names.BASE_BOX])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="name the turns in which an offer is missed")
    given = parser.parse_args()
    offers = []
    for offer in read_games(given.strategy, given.games, given.seed, given.players, given.box):
        offers.append(offer)
        if given.list and offer.outcome == "missed":
            print(json.dumps(asdict(offer)), flush=True)
    print(json.dumps(table(offers), indent=1))


if __name__ == "__main__":
    main()
