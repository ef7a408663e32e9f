"""Checks of the whole state, run before every decision when the audit is on."""

from simulator.engine.jit import jit


@jit
def audit(r, g, w):
    """Placeholder so that imports work while the real checks are being written."""
    return 0
