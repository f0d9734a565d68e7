"""Sweep: how sums over what is in each part of a machine change with time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn


class Sweep(NamedTuple):
    """Changes in the parts of a machine: ordered by part, then time, one row each.

    Attributes
    ----------
    part : IntColumn, shape (n,)
        Number of the part.
    time : FloatColumn, shape (n,)
        When, in seconds.
    span : FloatColumn, shape (n,)
        From this change to the next one in this part, in seconds; 0 after its last.
    sums : FloatColumn, shape (columns, n)
        What is in the part after this change.
    place : IntColumn, shape (n,)
        Which row each change that was given has become.
    """

    part: IntColumn
    time: FloatColumn
    span: FloatColumn
    sums: FloatColumn
    place: IntColumn

    def integral(self, rate: FloatColumn) -> FloatColumn:
        """Return the integral of a rate up to each row, from the first row of all on, shape (n,).

        Differences of two rows of one part are what matters: the integral between them.
        """
        grown = np.cumsum(rate * self.span)
        return np.concatenate((grown[:0] if not len(grown) else np.zeros(1), grown[:-1]))

    def by_part(self, rate: FloatColumn, parts: int) -> FloatColumn:
        """Return the integral of a rate over each part's rows, shape (parts,)."""
        return sum_by_part(self.part, rate * self.span, parts)


def sum_by_part(part: IntColumn, values: FloatColumn, parts: int) -> FloatColumn:
    """Return the sum of the values of each part, shape (parts,)."""
    return np.bincount(part, values, parts).astype(np.float64, copy=False)


def sweep(part: IntColumn, time: FloatColumn, change: FloatColumn) -> Sweep:
    """Return the sums of changes in each part over time.

    Parameters
    ----------
    part : IntColumn, shape (n,)
        Where each change is.
    time : FloatColumn, shape (n,)
        When, in seconds.
    change : FloatColumn, shape (columns, n)
        By how much; the changes of a part add up to 0.

    Notes
    -----
    Ties: sums hold after the row's own change; rows of one instant follow each other with a span of 0.
    Cost: O(n log n).
    """
    order = np.lexsort((time, part))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    by_part, by_time = part[order], time[order]
    same = by_part[1:] == by_part[:-1]
    span = np.append(np.where(same, np.diff(by_time), 0.0), np.zeros(min(1, len(order))))
    sums = np.cumsum(change[:, order], axis=1)
    # What a part leaves behind is rounding, and must not count in the next one.
    first = np.flatnonzero(np.concatenate((np.ones(min(1, len(order)), dtype=np.bool_), ~same)))
    before = np.where(first > 0, sums[:, first - 1], 0.0)
    sums -= np.repeat(before, np.diff(np.append(first, len(order))), axis=1)
    return Sweep(by_part, by_time, span, sums, place)
