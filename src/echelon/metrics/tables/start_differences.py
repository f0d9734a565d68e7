"""Start differences: two schedules of the same jobs, job by job."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn


class StartDifferences(NamedTuple):
    """How a second schedule differs from a first one.

    Attributes
    ----------
    seconds : FloatColumn, shape (n_jobs,)
        Second start - first start of each job, in seconds: negative for jobs that start earlier.
    earlier, later, equal : int
        Jobs that start earlier or later in the second schedule, or at the same time.
    """

    seconds: FloatColumn
    earlier: int
    later: int
    equal: int

    def largest(self, count: int) -> IntColumn:
        """Return the positions of the `count` jobs whose start moved most, the most moved first.

        Ties: equal moves in the order of the jobs; jobs that did not move are never named.
        Cost: O(n log n).
        """
        moved = np.abs(self.seconds)
        order = np.argsort(-moved, kind="stable")[:count]
        return order[moved[order] > 0]


class Histogram(NamedTuple):
    """Jobs by start difference.

    Attributes
    ----------
    edges : FloatColumn, shape (n_bins + 1,)
        In seconds, ascending, symmetric about 0.
    jobs : IntColumn, shape (n_bins,)
        Jobs from each edge to the next, as `difference_histogram` says.
    """

    edges: FloatColumn
    jobs: IntColumn


def start_differences(first: FloatColumn, second: FloatColumn) -> StartDifferences:
    """Compare two schedules of the same jobs: which start earlier under the second, and which later.

    Parameters
    ----------
    first, second : FloatColumn, shape (n_jobs,)
        Start times in seconds, of the same jobs in the same order.

    Raises
    ------
    InputError
        If the numbers of jobs differ.

    Notes
    -----
    Ties: equal means equal as float64, not nearly. Cost: O(n).
    """
    if len(first) != len(second):
        raise InputError(f"the schedules must be of the same jobs, got {len(first)} and {len(second)} starts")
    seconds = second - first
    earlier, later = int(np.count_nonzero(seconds < 0)), int(np.count_nonzero(seconds > 0))
    return StartDifferences(seconds, earlier, later, len(seconds) - earlier - later)


def difference_edges(longest: float, *, smallest: float = 1.0, steps: int = 4) -> FloatColumn:
    """Return edges for a symmetric logarithmic axis: ..., -10, -1, 1, 10, ... with `steps` bins a decade.

    Parameters
    ----------
    longest : float
        Largest difference to be held, in seconds, >= 0; either sign.
    smallest : float, default 1
        Differences up to this many seconds either way share the bin in the middle; > 0.
    steps : int, default 4
        Bins a decade, >= 1.

    Returns
    -------
    FloatColumn, shape (2 k,)
        In seconds, ascending, symmetric; the last is at least `longest`, and k is at least 2.

    Notes
    -----
    Cost: O(k).
    """
    decades = np.log10(max(abs(longest), smallest) / smallest)
    count = max(1, int(np.ceil(steps * decades - 1e-9)))
    positive = smallest * 10.0 ** (np.arange(count + 1) / steps)
    # Rounding in the powers must not leave the longest out.
    positive[-1] = max(positive[-1], abs(longest))
    return np.concatenate((-positive[::-1], positive))


def difference_histogram(seconds: FloatColumn, edges: FloatColumn) -> Histogram:
    """Count jobs by start difference.

    Parameters
    ----------
    seconds : FloatColumn, shape (n_jobs,)
        Differences, within the edges.
    edges : FloatColumn, shape (2 k,)
        From `difference_edges`.

    Notes
    -----
    Ties: a difference on an edge belongs to the bin nearer to 0, on both sides, so that two schedules
    exchanged give the mirrored histogram.

    Cost: O(n log k).
    """
    half = len(edges) // 2
    outward = np.searchsorted(edges[half:], np.abs(seconds), side="left")
    bins = half - 1 + np.where(seconds < 0, -outward, outward)
    return Histogram(edges, np.bincount(bins, minlength=len(edges) - 1))
