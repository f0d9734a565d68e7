"""NumberedHoldings: which processors of a counted machine each job held, where single ones may go down."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError

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
    first : IntColumn, shape (n + 1,)
        The processors of row i are ``node[first[i]:first[i + 1]]``.
    node : IntColumn
        Numbers of processors, from 0 in each site, ascending within each row.

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
    first: IntColumn
    node: IntColumn

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
        begins = np.cumsum(counts, dtype=np.int64) - counts
        first = np.concatenate(([0], np.cumsum(counts[order], dtype=np.int64)))
        places = np.repeat(begins[order] - first[:-1], counts[order]) + np.arange(first[-1])
        return cls(
            n_jobs, job[order].astype(np.int64), site[order].astype(np.int64), start[order], end[order],
            first.astype(np.int64), node[places],
        )  # fmt: skip

    def __post_init__(self) -> None:
        lengths = {len(self.job), len(self.site), len(self.start), len(self.end), len(self.first) - 1}
        if len(lengths) > 1:
            raise InputError("the columns of held processors must be equally long")
        wrong = ~(self.start < self.end)
        if wrong.any():
            raise InputError(f"processors must be held for some time; row {int(wrong.argmax())} is not")
        for one in fields(self)[1:]:
            getattr(self, one.name).flags.writeable = False

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.job)

    def nodes_of(self, row: int) -> IntColumn:
        """Return the processors of a row, numbered from 0 in their site."""
        return self.node[self.first[row] : self.first[row + 1]]

    def take(self, positions: IntColumn) -> NumberedHoldings:
        """Return the rows of the jobs at `positions`, ascending, which are numbered from 0 again."""
        rows = np.isin(self.job, positions)
        counts = np.diff(self.first)
        return NumberedHoldings(
            len(positions),
            np.searchsorted(positions, self.job[rows]),
            self.site[rows],
            self.start[rows],
            self.end[rows],
            np.concatenate(([0], np.cumsum(counts[rows]))).astype(np.int64),
            self.node[np.repeat(rows, counts)],
        )
