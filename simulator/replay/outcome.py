"""How a game came out, in a sentence or two: who won, by which agendas, in which round, or who was closest."""

from __future__ import annotations

from .. import names
from ..engine.board.teams import partner_of
from ..engine.course.winning import has_enough, team_score, won_by
from ..wording import counted
from .stepper import Game
from .words import FIRST_SEAT


def headline(game: Game) -> str:
    """Return who won, in which round and by which agendas; of an unfinished game, who has claimed most victory cards."""
    g, seats = game.state, range(game.plan.players)
    if g.ending == names.VICTORY:
        winners = [seat for seat in seats if g.winner[seat]]
        return " ".join([_won(game, winners), *_decided(game, winners)])
    if g.ending == names.ROUND_CAP:
        stopped = f"Nobody won: the game was stopped at the round cap of {game.plan.round_cap}."
    else:
        stopped = f"The game goes on after round {int(g.round_number)}, where this replay ends."
    if game.rules.scored:
        points = [f"{_player(game, seat)} {number}" for seat, number in enumerate(game.scores())]
        return f"{stopped} Victory points: {_listed(points)}."
    most = max(len(claimed(game, seat)) for seat in seats)
    if not most:
        return f"{stopped} Nobody has claimed a victory card."
    leading = [seat for seat in seats if len(claimed(game, seat)) == most]
    having = "has" if len(leading) == 1 else "have"
    return f"{stopped} {_listed([_player(game, seat) for seat in leading])} {having} {most} of {needed(game)} victory cards."


def claimed(game: Game, seat: int) -> list[tuple[int, str]]:
    """Return the round and the agenda of each victory card that a seat has claimed, in the order of the rounds."""
    g = game.state
    places = [place for place in range(int(g.victory_count)) if g.claimed[seat, place]]
    return sorted(
        (int(g.claimed_round[seat, place]), game.words.agenda(int(g.victory_card[place]), int(g.claimed[seat, place]) - 1))
        for place in places
    )


def needed(game: Game) -> int:
    """Return how many victory cards win."""
    return int(game.state.victory_count - game.rules.claims_spared)


def _won(game: Game, winners: list[int]) -> str:
    number = int(game.state.round_number)
    by_points = won_by(game.rules, game.state) == names.WON_BY_POINTS
    had = {seat: counted(game.scores()[seat], "point") if by_points else _agendas(game, seat) for seat in winners}
    if len(winners) > 1:
        shared = _listed([f"{_player(game, seat)} with {had[seat]}" for seat in winners])
        return f"{'Partners won' if _are_partners(game, winners) else 'A shared win'} in round {number}: {shared}."
    return f"{_player(game, winners[0])} won in round {number} with {had[winners[0]]}."


def _are_partners(game: Game, winners: list[int]) -> bool:
    return bool(game.rules.partners) and len(winners) == 2 and partner_of(game.rules, winners[0]) == winners[1]


def _decided(game: Game, winners: list[int]) -> list[str]:
    """Return what decided among several candidates: the round limit, or the ranking of those with as much."""
    how = won_by(game.rules, game.state)
    others = [seat for seat in range(game.plan.players) if seat not in winners]
    if how == names.WON_BY_POINTS:
        return _behind(game, winners, others)
    if how != names.WON_BY_CARDS:
        return [f"Nobody had the {needed(game)} victory cards: the ranking at the round limit decided."]
    beaten = [seat for seat in others if has_enough(game.rules, game.state, seat)]
    if not beaten:
        return []
    return [f"{_listed([_player(game, seat) for seat in beaten])} had enough victory cards, too: the tie-break decided."]


def _behind(game: Game, winners: list[int], others: list[int]) -> list[str]:
    """Return the points of those who did not win, and whether a tie-break decided."""
    if not others:
        return []
    points = _listed([f"{_player(game, seat)} {game.scores()[seat]}" for seat in others])
    best, next_best = (max(int(team_score(game.rules, game.state, seat)) for seat in part) for part in (winners, others))
    return [f"The others: {points}.", *(["The tie-break decided."] if best == next_best else [])]


def _agendas(game: Game, seat: int) -> str:
    found = claimed(game, seat)
    if not found:
        return "no victory card"
    agendas = _listed([f"{agenda} (round {number})" for number, agenda in found])
    return f"{counted(len(found), 'victory card')}: {agendas}"


def _player(game: Game, seat: int) -> str:
    return f"{game.words.short(seat)} (seat {seat + FIRST_SEAT}, {game.strategies[seat]})"


def _listed(texts: list[str]) -> str:
    """Return "A", "A and B", "A, B and C"."""
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
