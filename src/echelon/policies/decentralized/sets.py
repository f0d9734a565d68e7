"""The sets A, B and H of stealing: the job sizes that belong to each site."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.model.jobs.columns import IntColumn


@dataclass(frozen=True, slots=True)
class JobSets:
    """The partition of job sizes into sets A_i, B_i and H_i of each site i.

    With s_i the processors of site i, s_0 = 0, and x the threshold in percent: ::

        A_i = sizes in (max(x s_i / 100, s_{i-1}), s_i]
        B_i = sizes in (s_{i-1}, x s_i / 100]
        H_i = sizes in (x s_i / 100, s_{i-1}]

    So each size is in exactly one A or B, that of the smallest site that can hold it; H_i holds sizes that
    belong to A of smaller sites and exceed the threshold here, too; and at least one of B_i and H_i is empty.
    Among sites of equal size, only the first has an A or B.

    Parameters
    ----------
    sizes : sequence of int
        Processors of each site, ascending.
    threshold : float, default 50
        The boundary between A and B, in percent of the site, 0 to 100.
    at_threshold : {"B", "A"}, default "B"
        The set of a size exactly at the threshold.

    Notes
    -----
    Source: Quezada Pina, CICESE 2012, equations 11 to 13, after Schwiegelshohn, Tchernykh and Yahyapour 2008.

    Examples
    --------
    >>> grid1 = JobSets((100, 128, 240, 430, 1024, 1152, 1368))
    >>> grid1.interval("A", 0), grid1.interval("B", 0), grid1.interval("H", 1)
    (range(51, 101), range(1, 51), range(65, 101))
    """

    sizes: Sequence[int]
    threshold: float = 50.0
    at_threshold: Literal["B", "A"] = "B"

    def interval(self, name: str, site: int) -> range:
        """Return the sizes in set `name` of `site`: an interval, maybe empty."""
        size, below = int(self.sizes[site]), int(self.sizes[site - 1]) if site else 0
        limit = self._limit(size)
        if name == "A":
            return range(max(limit, below) + 1, size + 1)
        return range(below + 1, limit + 1) if name == "B" else range(limit + 1, below + 1)

    def home(self, size: IntColumn) -> IntColumn:
        """Return the site whose A or B each size is in, shape (n_jobs,)."""
        return np.searchsorted(np.asarray(self.sizes), size).astype(np.int64)

    def in_a(self, size: IntColumn) -> NDArray[np.bool_]:
        """Return whether each size is in A of its home (otherwise it is in B), shape (n_jobs,)."""
        limits = np.array([self._limit(int(one)) for one in self.sizes])
        return size > limits[self.home(size)]

    def _limit(self, size: int) -> int:
        """Return the largest job size within the threshold of a site of `size` processors."""
        share = self.threshold * size / 100.0
        return max(0, math.ceil(share) - 1) if self.at_threshold == "A" else math.floor(share)
