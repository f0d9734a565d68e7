"""Scene: what does not change of a cluster's pictures between two changes there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.engine.multicluster.nodes import program_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.engine.multicluster.pace import Progress
    from echelon.engine.multicluster.picture import Picture
    from echelon.model import Job
    from echelon.model.columns import FloatColumn


class Row(NamedTuple):
    """One job of a picture: T^p, T^c, its nodes, and what each of its tasks asks for."""

    compute: float
    communication: float
    size: int
    memory: float
    bandwidth: float


class Scene(NamedTuple):
    """A cluster between two changes: many jobs are asked about, of each picture only the last row is new.

    Attributes
    ----------
    jobs : list of Job
        The running ones, then those that wait.
    progress : list of Progress
        Of the running ones.
    picture : Picture
        Of these jobs; its moment, and what is left of jobs, mean nothing.
    """

    jobs: list[Job]
    progress: list[Progress]
    picture: Picture

    def at(self, now: float, *, joined: Row | None, slowdown: FloatColumn) -> Picture:
        """Return the picture at `now`, with the job of row `joined` last in the queue if there is one."""
        left = np.ones(len(self.jobs) + (joined is not None))
        left[: len(self.progress)] = [each.left_at(now) for each in self.progress]
        columns = {} if joined is None else self._longer(joined)
        return replace(self.picture, now=now, left=left, slowdown=slowdown, **columns)

    def _longer(self, row: Row) -> dict[str, Any]:
        picture = self.picture
        return {
            "compute_time": _longer(picture.compute_time, row.compute),
            "communication_time": _longer(picture.communication_time, row.communication),
            "size": _longer(picture.size, row.size),
            "task_memory": _longer(picture.task_memory, row.memory),
            "task_bandwidth": _longer(picture.task_bandwidth, row.bandwidth),
        }


def row_of(job: Job, alone: float, *, spread: bool) -> Row:
    """Return the row of a job that takes so long alone; one that is not spread over nodes sends nothing."""
    program = program_of(job)
    compute = program.compute_share * alone
    return Row(compute, alone - compute, job.processors, program.memory, program.bandwidth if spread else 0.0)


def columns_of(rows: Sequence[Row]) -> tuple[FloatColumn, ...]:
    """Return the columns of these rows."""
    return tuple(np.array(rows, dtype=np.float64).reshape(-1, len(Row._fields)).T.copy())


def _longer(column: NDArray[Any], value: float) -> NDArray[Any]:
    longer = np.empty(len(column) + 1, dtype=column.dtype)
    longer[:-1], longer[-1] = column, value
    return longer
