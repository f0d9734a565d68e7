"""Tables of ours that the grid study printed nothing for."""

from __future__ import annotations

import math

import numpy as np
import pytest

from echelon.reproduce.grid.data import METRICS, NINE
from echelon.reproduce.grid.listings import intervals_listing
from echelon.reproduce.grid.two_levels import TwoLevels


def test_means_have_their_intervals():
    """Of waits 100 and 300 in two weeks the mean is 200, the interval by t of one degree 200 ± 1270.6."""
    values = np.ones((len(METRICS), 2, len(NINE)))
    values[METRICS.index("t_w"), :, 0] = (100, 300)
    listing = intervals_listing({"Grid 1": TwoLevels(values, values)})
    assert len(listing.rows) == 2 * len(NINE)
    assert listing.heads[-3:] == ("t_w", "from", "to")
    first = listing.rows[0]
    assert first[:3] == ("Grid 1", NINE[0], "1")
    assert first[-3:] == pytest.approx((200, 200 - 1270.62, 200 + 1270.62), abs=0.01)


def test_one_week_has_no_interval():
    """The mean of a single experiment stands without bounds."""
    values = np.ones((len(METRICS), 1, len(NINE)))
    row = intervals_listing({"Grid 1": TwoLevels(values, values)}).rows[0]
    assert row[3] == 1.0
    assert math.isnan(row[4])
