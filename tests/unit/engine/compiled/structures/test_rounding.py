"""The next number above, by its bits, is that of the standard library."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from echelon.engine.compiled.structures.rounding import next_above


@given(st.floats(allow_nan=False))
def test_next_above(x):
    """For every float, of either sign, subnormal, zero and infinite ones among them."""
    assert next_above(x) == math.nextafter(x, math.inf)


def test_edges():
    """Zeros of both signs go to the least number, the largest to infinity, and the least negative to zero."""
    assert next_above(-0.0) == next_above(0.0) == 5e-324
    assert next_above(1.7976931348623157e308) == math.inf
    assert next_above(-5e-324) == 0
    assert next_above(-math.inf) == -1.7976931348623157e308
