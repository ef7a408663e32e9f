"""The exponential of compiled code: the same bits on every system.

That of a system's C library is right to the last bit or nearly so, and that bit differs from library to library; it is enough
for a learned player to choose otherwise, and then the game is another one. Sums and products of doubles are the same on all.
"""

from __future__ import annotations

import numpy as np

from .compile.jit import inline

LOG2_E = 1.4426950408889634
LN_2 = 0.6931471805599453
LOWEST, HIGHEST = -104.0, 89.0  # beyond: 0 and infinity
FRACTION_BITS, BIAS = 52, 1023  # of a double


@inline
def exp(x):
    """Return e to the power of `x`, rounded to float32: at most one unit in the last place from the true value.

    e^x = 2^k e^y with |y| <= ln 2 / 2, and the series of e^y is good to 2e-10 after the eighth power.
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
