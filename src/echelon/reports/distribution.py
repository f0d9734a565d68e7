"""How waiting times are distributed, on a logarithmic axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.model.columns import FloatColumn

SHORTEST = 1.0
"""Left end of the axis, in seconds."""


def wait_axis(waits: Sequence[FloatColumn], points: int = 400) -> FloatColumn:
    """Return waits from 1 s to the longest of all runs, evenly spaced in their logarithm, in seconds."""
    longest = max((float(wait.max(initial=0.0)) for wait in waits), default=0.0)
    return np.geomspace(SHORTEST, max(longest, 10 * SHORTEST), points)


def share_waiting_longer(wait: FloatColumn, axis: FloatColumn) -> NDArray[np.float64]:
    """Return, for each time of `axis`, the share of jobs that wait longer than it, 0 to 1.

    Cost: O(n log n).
    """
    return 1.0 - np.searchsorted(np.sort(wait), axis, side="right") / max(1, len(wait))
