"""NumberedHoldings: which processors of a counted machine each job held, where single ones may go down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.columns import ranges, starts_of
from echelon.model.schedules.number_sets import NumberSets, number_sets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn


@dataclass(frozen=True, slots=True, eq=False)
class NumberedHoldings:
    """One row for each time at which a job held processors, in order of job, then start.

    Where nodes are modeled, `Holdings` say the same of their cores.

    Parameters
    ----------
    n_jobs : int
        Jobs of the instance.
    job : IntColumn, shape (n,)
        Position in the instance.
    site : IntColumn, shape (n,)
        Index of the site in the platform; -1 on one machine.
    start, end : FloatColumn, shape (n,)
        In seconds; end > start.
    sets : NumberSets
        The processors of each row, as intervals, by their numbers from 0 in each site.

    Raises
    ------
    InputError
        If columns differ in length, or a row ends no later than it starts.
    """

    n_jobs: int
    job: IntColumn
    site: IntColumn
    start: FloatColumn
    end: FloatColumn
    sets: NumberSets

    @classmethod
    def by_job(  # noqa: PLR0917  (columns)
        cls,
        n_jobs: int,
        job: NDArray[Any],
        site: NDArray[Any],
        start: NDArray[Any],
        end: NDArray[Any],
        counts: NDArray[Any],
        node: NDArray[Any],
    ) -> NumberedHoldings:
        """Return them from rows in any order, with the number of processors of each row in `counts`."""
        order = np.lexsort((start, job))
        begins, rows = np.cumsum(counts, dtype=np.int64) - counts, np.arange(len(order))
        chosen = ranges(begins[order], begins[order] + counts[order])
        sets = number_sets(np.repeat(rows, counts[order]), node[chosen].astype(np.int64), len(order))
        return cls(
            n_jobs, job[order].astype(np.int64), site[order].astype(np.int64), start[order], end[order], sets
        )

    def __post_init__(self) -> None:
        lengths = {len(self.job), len(self.site), len(self.start), len(self.end), len(self.sets.offsets) - 1}
        if len(lengths) > 1:
            raise InputError("the columns of held processors must be equally long")
        wrong = ~(self.start < self.end)
        if wrong.any():
            raise InputError(f"processors must be held for some time; row {int(wrong.argmax())} is not")
        for column in (self.job, self.site, self.start, self.end, *self.sets):
            column.flags.writeable = False

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.job)

    @property
    def first(self) -> IntColumn:
        """Where the processors of each row begin in `node`, shape (n + 1,). Cost: O(intervals)."""
        return starts_of(self.sets.sizes)

    @property
    def node(self) -> IntColumn:
        """Numbers of all processors, from 0 in each site, ascending in each row. Cost: O(processors)."""
        return ranges(self.sets.first, self.sets.last + 1)

    def nodes_of(self, row: int) -> IntColumn:
        """Return the processors of a row, numbered from 0 in their site."""
        here = slice(self.sets.offsets[row], self.sets.offsets[row + 1])
        return ranges(self.sets.first[here], self.sets.last[here] + 1)

    def take(self, positions: IntColumn) -> NumberedHoldings:
        """Return the rows of the jobs at `positions`, ascending, which are numbered from 0 again."""
        rows = np.flatnonzero(np.isin(self.job, positions))
        return NumberedHoldings(
            len(positions),
            np.searchsorted(positions, self.job[rows]),
            self.site[rows],
            self.start[rows],
            self.end[rows],
            self.sets.take(rows),
        )
