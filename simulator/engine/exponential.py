"""The exponential function, with the same bits on every system.

C libraries differ in its last bit, which is enough for a learned player to choose otherwise, and so for another game. Sums and
products of doubles are the same everywhere.
"""

from __future__ import annotations

import numpy as np

from .compile.jit import inline

LOG2_E = 1.4426950408889634
LN_2 = 0.6931471805599453
LOWEST, HIGHEST = -104.0, 89.0  # beyond them the result is 0 or infinity
FRACTION_BITS, BIAS = 52, 1023  # of a double


@inline
def exp(x):
    """Return e to the power of `x`, rounded to float32: at most one unit in the last place from the true value.

    e^x = 2^k e^y with |y| <= ln 2 / 2, and the series of e^y up to the eighth power has an error below 2e-10.
    """
    x = max(LOWEST, min(HIGHEST, np.float64(x)))
    k = int(x * LOG2_E + (0.5 if x >= 0.0 else -0.5))
    y = x - k * LN_2
    series = 1.0 + y / 8.0
    series = 1.0 + y / 7.0 * series
    series = 1.0 + y / 6.0 * series
    series = 1.0 + y / 5.0 * series
    series = 1.0 + y / 4.0 * series
    series = 1.0 + y / 3.0 * series
    series = 1.0 + y / 2.0 * series
    series = 1.0 + y * series
    return np.float32(series * np.int64((k + BIAS) << FRACTION_BITS).view(np.float64))
