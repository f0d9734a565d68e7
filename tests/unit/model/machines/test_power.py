"""Power: what a site's parts draw is a number that makes sense."""

from __future__ import annotations

import math

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.model import Power


@pytest.mark.parametrize("wrong", [-1, math.nan, math.inf, True, "1", None])
@pytest.mark.parametrize("name", ["site_idle", "core_working", "efficiency"])
def test_what_is_no_power(name, wrong):
    """Nothing draws less than nothing, and what is no finite number is refused by its name."""
    given = {"site_idle": 1, "board_idle": 1, "core_idle": 1, "core_working": 1, "efficiency": 1, name: wrong}
    with pytest.raises(InputError, match=f"power, {name}: must be a finite number"):
        Power(**given)


def test_nothing_may_be_drawn_but_efficiency_is_a_ratio():
    """Zero is a power, and no efficiency."""
    assert Power(0, 0.0, np.float64(0), np.int64(0), 1).core_idle == 0
    with pytest.raises(InputError, match="efficiency: must be a finite number above 0, got 0"):
        Power(0, 0, 0, 0, 0)
