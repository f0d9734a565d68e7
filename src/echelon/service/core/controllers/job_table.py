"""JobTable: the jobs of an engine as columns that grow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.model import Instance, Workload
from echelon.model.jobs.fields import FIELDS, UNKNOWN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model import Job, Platform

_COLUMNS = {
    "job_id": "job_id",
    "submit_time": "submit_time",
    "requested_processors": "processors",
    "requested_time": "requested_time",
    "run_time": "planned_time",
    "user": "user",
    "executable": "executable",
    "requested_memory": "memory",
}
"""The columns of a workload that jobs have here, by the attribute that they are."""


class GrowingColumn:
    """Values of one type, behind which others are appended: those that are there never change.

    Parameters
    ----------
    dtype : type
        Of the values.
    """

    def __init__(self, dtype: Any) -> None:  # noqa: ANN401  (what numpy takes)
        self._values = np.empty(64, dtype=dtype)
        self._length = 0

    def append(self, value: float) -> None:
        """Append a value. Cost: O(1), amortized."""
        if self._length == len(self._values):
            self._values = np.concatenate((self._values, np.empty_like(self._values)))
        self._values[self._length] = value
        self._length += 1

    def view(self) -> NDArray[Any]:
        """Return all values, read-only. Cost: O(1)."""
        view = self._values[: self._length]
        view.flags.writeable = False
        return view


class JobTable:
    """Jobs in the order of their coming: position k is the k-th.

    Parameters
    ----------
    platform : Platform
        The clusters.
    """

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        kinds = {spec.name: np.float64 if spec.kind == "float" else np.int64 for spec in FIELDS}
        self._columns = {name: GrowingColumn(kinds[name]) for name in _COLUMNS}
        self._unknown = {kind: GrowingColumn(kind) for kind in (np.float64, np.int64)}
        self._others = {name: kind for name, kind in kinds.items() if name not in _COLUMNS}
        self._position, self._killed = GrowingColumn(np.int64), GrowingColumn(np.bool_)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def add(self, job: Job) -> int:
        """Append a job; return its position."""
        for name, attribute in _COLUMNS.items():
            self._columns[name].append(getattr(job, attribute))
        for unknown in self._unknown.values():
            unknown.append(UNKNOWN)
        self._position.append(self._length)
        self._killed.append(False)
        self._length += 1
        return self._length - 1

    def instance(self) -> Instance:
        """Return all jobs as an instance, planned with their planned times. Cost: O(columns)."""
        columns = {name: column.view() for name, column in self._columns.items()}
        columns |= {name: self._unknown[kind].view() for name, kind in self._others.items()}
        planned = columns["run_time"]
        return Instance(
            Workload(columns, name="service"),
            self._position.view(),
            columns["submit_time"],
            planned,
            planned,
            columns["requested_processors"],
            self._killed.view(),
            self._platform,
            "raise",
        )
