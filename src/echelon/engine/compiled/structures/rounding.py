"""Rounding: the next number above another, in kernels."""

from __future__ import annotations

import numpy as np

from echelon.libraries.kernel import kernel


@kernel
def next_above(x):
    """Return the least float64 above `x`, infinity above infinity.

    Floating-point numbers of one sign are in the order of their bits.
    """
    if not x < np.inf:
        return x
    if x == 0.0:
        return 5e-324
    bits = np.float64(x).view(np.int64)
    return np.int64(bits + 1 if x > 0.0 else bits - 1).view(np.float64)
