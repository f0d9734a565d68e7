"""Replicas: every copy of a job that ran somewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from echelon.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn


@dataclass(frozen=True, slots=True, eq=False)
class Replicas:
    """Every copy of a job that ran somewhere, of runs whose jobs may be replicated.

    Parameters
    ----------
    job : IntColumn, shape (n_replicas,)
        Position of the job.
    site : IntColumn, shape (n_replicas,)
        Place of its site in the platform.
    start, end : FloatColumn, shape (n_replicas,)
        When it was dispatched, and when it ended or was canceled, in seconds.
    finished : ndarray of bool, shape (n_replicas,)
        Whether the copy completed; exactly one a job. The others were canceled then.
    cpu_time : FloatColumn, shape (n_replicas,), optional
        How long each of its processes had computed by its end, in seconds.
    """

    job: IntColumn
    site: IntColumn
    start: FloatColumn
    end: FloatColumn
    finished: NDArray[np.bool_]
    cpu_time: FloatColumn | None = None

    def __post_init__(self) -> None:
        columns = [self.job, self.site, self.start, self.end, self.finished]
        columns += [] if self.cpu_time is None else [self.cpu_time]
        if len({len(column) for column in columns}) > 1:
            raise InputError("columns of replicas must be equally long")
        for column in columns:
            column.flags.writeable = False

    def __len__(self) -> int:
        """Return the number of copies."""
        return len(self.job)
