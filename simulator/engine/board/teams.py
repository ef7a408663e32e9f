"""Partners: at a table of four, house rules may let two seats win together."""

from ... import names
from ..core.jit import inline


@inline
def has_partner(r):
    """Do two and two seats play together?"""
    return r.partners != names.NO_PARTNERS


@inline
def partner_of(r, p):
    """Return the partner's seat: it differs in one bit, that of who sits beside (0 and 1, 2 and 3) or opposite (0 and 2)."""
    return p ^ int(r.partners)


@inline
def is_partner(r, p, q):
    """Is seat `q` (-1: nobody) the partner of seat `p`?"""
    return has_partner(r) & (q == partner_of(r, p))
