"""Games that `newdawn play` kept: played again, they say who had which leader, and who won."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from ..engine.pieces import claims
from ..errors import UserError
from ..replay.interactive_game import ME, SavedGame, Sitting, game_of, is_game
from .checking import LogFile, Noted, NotedSeat, Reader, Reading

# --- Games that `newdawn play` kept, as files of choices
#
# Played again, they say who won.
#
# A seat says whether a person or which strategy played it. A file does not say who the person was.


def is_played(source: LogFile) -> bool:
    """Say whether the file is such a game."""
    return is_game(source.data)


def read_played(source: LogFile, reading: Reading) -> Iterator[Noted]:
    """Yield the game of the file; what it is called makes no difference, for the file knows what it is."""
    try:
        kept = game_of(source.path, source.data)
    except UserError as error:
        yield Noted("", faults=(("", str(error).removeprefix(f"{source.path}: ")),))
    else:
        yield end_of(source, kept)


def end_of(source: LogFile, kept: SavedGame) -> Noted:
    """Return a saved game, played again to its end."""
    sitting = None
    try:
        sitting = kept.sitting()
        for at in range(len(kept.choices)):
            if sitting.question is None:
                raise UserError("the game is over; expected no more")
            sitting.answer(kept.chosen(at, sitting.question))
        return _noted(source, kept, sitting)
    except UserError as error:
        where = "" if sitting is None else f"choices[{len(sitting.choices)}]"
        said = str(error).removeprefix(f"{source.path}: ").removeprefix(f"{where}: ")
        return Noted("", faults=((where, said),))
    finally:
        if sitting is not None:
            sitting.close()


def _noted(source: LogFile, kept: SavedGame, sitting: Sitting) -> Noted:
    """Return the play; one without an end is left."""
    if not sitting.over:
        when = sitting.table.when() if sitting.laid else "the map is being laid"
        return Noted("", left=f"not played to the end ({source.path}: {when[:1].lower()}{when[1:]})")
    g, words, seats = sitting.state, sitting.table.words, range(kept.plan.players)
    if not any(g.winner[seat] for seat in seats):
        return Noted("", left=f"without a winner ({source.path}: {sitting.closing[:1].lower()}{sitting.closing[1:]})")
    cards = "; ".join(words.victory_card(int(g.victory_card[k])) for k in range(int(g.victory_count)))
    return Noted(
        "", tuple(_played_seat(kept, sitting, seat) for seat in seats), _key(kept),
        rounds=str(int(g.round_number)), cards=cards, box=kept.ruleset.box, rules=kept.ruleset.digest(),
    )  # fmt: skip


def _played_seat(kept: SavedGame, sitting: Sitting, seat: int) -> NotedSeat:
    g, word = sitting.state, kept.seats[seat]
    return NotedSeat(
        f"seat {seat + 1}", sitting.table.words.short(seat), "yes" if g.winner[seat] else "no",
        order=str((seat - int(g.opened)) % kept.plan.players + 1), claimed=str(int(claims(g, seat))),
        strategy="" if word == ME else word,
    )  # fmt: skip


def _key(kept: SavedGame) -> str:
    """Return what a copy of the file has, too."""
    return hashlib.sha256(repr((kept.ruleset.digest(), kept.plan, kept.game, kept.choices)).encode()).hexdigest()


PLAYED = Reader("newdawn play", is_played, read_played, {})
