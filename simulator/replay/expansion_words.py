"""Words for what only Terra Incognita brings: armies, forts, exploring, districts, governments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from newdawn.simulator import names


def named(words: Sequence[str], code: int, otherwise: str = "nothing") -> str:
    """Return the word of a code, or `otherwise` when the code stands for none."""
    return words[code] if 0 <= code < len(words) else otherwise


class ExpansionWords:
    """The sentences of the rows; `words.Words` gives the rest of what they need."""

    who: Any
    short: Any
    leader: Any
    place: Any
    held: Any
    wonder: Any

    def log_army(self, seat, army, start, end, *_):
        if end < 0:
            return f"army {army + 1} of {self.leader(seat)} returns from {self.place(start)} to its card"
        origin = "the military card" if start < 0 else self.place(start)
        return f"{self.who(seat)}moves army {army + 1} from {origin} to {self.place(end)}"

    def log_fort(self, seat, space, *_):
        if seat < 0:
            return f"the fort at {self.place(space)} is uncontrolled again"
        return f"{self.who(seat)}lays the fort at {self.place(space)}"

    def log_explore(self, seat, kind, number, space, tile, *_):
        figure = f"{named(('caravan', 'army'), kind)} {number + 1}" if number >= 0 else "an effect"
        found = f"tile {tile}" if tile > 0 else "a tile that fits nowhere and goes on top of the stack"
        return f"{self.who(seat)}explores from {self.place(space)} ({figure}): {found}"

    def log_district(self, seat, space, district, *_):
        return f"{self.who(seat)}places the {named(names.DISTRICTS, district)} on {self.place(space)}"

    def log_district_used(self, seat, space, district, option, *_):
        how = "to no effect" if option < 0 else f"option {option + 1}"
        return f"{self.who(seat)}resolves the {named(names.DISTRICTS, district)} on {self.place(space)}: {how}"

    def log_government(self, seat, holder, kind, *_):
        token = named(names.GOVERNMENTS, kind)
        if holder < 0:
            return f"{self.who(seat)}takes back {token}"
        return f"{self.who(seat)}lays {token} on {self.held(seat, holder)}"

    def log_wonder_trade(self, seat, wonder, tokens, *_):
        if tokens > 1:
            return f"{self.wonder(wonder)} gets a second trade token and leaves the game"
        return f"{self.wonder(wonder)} gets a trade token"

    def log_reroll(self, seat, side, before, now, *_):
        return f"{self.leader(seat)} rolls the {named(('attack', 'defence'), side)} die again: {before}, now {now}"

    def log_agenda_lost(self, seat, place, *_):
        return f"{self.leader(seat)} takes the token back from victory card {place + 1}: its condition is lost"

    def log_ibrahim(self, seat, *_):
        return f"Ibrahim is with {self.leader(seat)}"

    def log_city_taken(self, seat, space, old, *_):
        return f"{self.who(seat)}replaces the city of {self.short(old)} on {self.place(space)} by an own one"
