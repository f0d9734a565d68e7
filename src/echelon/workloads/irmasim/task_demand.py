"""Works: what the tasks of a job, of an entry of its tasks or of a profile do, from profiles or as said."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.workloads.irmasim.problems import nearest, show_value
from echelon.workloads.irmasim.records import ABOVE_ZERO, AT_LEAST_ZERO, REQUEST, Records

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.workloads.irmasim.problems import Problems

WORK_NAMES = {
    "reqops": "req_ops",
    "ipc": "ipc",
    "reqtime": "req_time",
    "reqenergy": "req_energy",
    "mem": "mem",
    "memvol": "mem_vol",
}
"""What a profile says of each task, by squeezed spelling."""

PROFILE_MEMORY_VOLUME = 1.0
"""Of a profile that does not say, in the file's unit; of a job that has its figures itself it is 0."""


class Works(NamedTuple):
    """What each task does, a row a job, an entry of tasks or a profile; NaN where it is not said.

    Parameters
    ----------
    operations : ndarray of float, shape (n,)
        Required operations / instructions per cycle.
    memory, memory_volume : ndarray of float, shape (n,)
        In bytes.
    requested_time : ndarray of float, shape (n,)
        In seconds; -1 if unknown.
    """

    operations: FloatColumn
    memory: FloatColumn
    memory_volume: FloatColumn
    requested_time: FloatColumn

    def where(self, mask: NDArray[np.bool_], other: Works) -> Works:
        """Return these rows where `mask` is true, and the other's elsewhere."""
        return Works(*(np.where(mask, mine, its) for mine, its in zip(self, other, strict=True)))

    def take(self, rows: IntColumn) -> Works:
        """Return some rows, in that order."""
        return Works(*(column[rows] for column in self))

    def join(self, other: Works) -> Works:
        """Return these rows and then the other's."""
        return Works(*map(np.concatenate, zip(self, other, strict=True)))


def read_works(records: Records, units: Mapping[str, int], *, memory_volume: float = 0.0) -> Works:
    """Return what records say themselves; NaN operations where they say nothing of them.

    Parameters
    ----------
    records : Records
        Jobs, entries of tasks, or profiles.
    units : mapping of str to int
        Powers of ten of bytes that ``mem`` and ``mem_vol`` are in.
    memory_volume : float, default 0.0
        Where none is given, in the file's unit.
    """
    required = records.numbers("req_ops", ABOVE_ZERO)
    per_cycle = records.numbers("ipc", ABOVE_ZERO, default=1.0)
    with np.errstate(all="ignore"):
        operations = required / per_cycle
    valid = (required > 0) & np.isfinite(required) & (per_cycle > 0)
    for place in np.flatnonzero(valid & ~((operations > 0) & np.isfinite(operations))).tolist():
        records.problems.add(records.path(place), "req_ops / ipc is too large for floating-point numbers")
    return Works(
        operations,
        records.numbers("mem", AT_LEAST_ZERO, default=0.0, shift=units["mem"]),
        records.numbers(
            "mem_vol", AT_LEAST_ZERO, default=memory_volume * 10.0 ** units["mem_vol"], shift=units["mem_vol"]
        ),
        records.numbers("req_time", REQUEST, default=-1.0),
    )


class Profiles:
    """The profiles of a file: named ones, and those written where a name could stand.

    Parameters
    ----------
    named : mapping of str to object
        As the file has them.
    problems : Problems
        Where to note what is wrong.
    """

    def __init__(self, named: Mapping[str, object], problems: Problems) -> None:
        self._rows = {name: row for row, name in enumerate(named)}
        self._objects = list(named.values())
        self._paths = [f"profiles.{name}" for name in named]
        self._problems = problems

    def rows_of(self, records: Records) -> IntColumn:
        """Return the row of each record's profile, -1 where it names none; unknown names are noted."""
        rows = [
            -1 if value is None else self._row(value, f"{records.path(place)}.profile")
            for place, value in enumerate(records.values("profile"))
        ]
        return np.array(rows, dtype=np.int64)

    def records(self) -> Records:
        """Return all profiles; call it after every `rows_of`, which may add some."""
        return Records(self._objects, self._paths.__getitem__, WORK_NAMES, self._problems)

    def _row(self, value: object, path: str) -> int:
        if isinstance(value, dict):
            self._objects.append(value)
            self._paths.append(path)
            return len(self._objects) - 1
        name = value if isinstance(value, str) else str(value) if type(value) is int else None
        if name is None:
            self._problems.add(path, f"got {show_value(value)}, expected the name of a profile")
            return -1
        if name not in self._rows:
            self._problems.add(path, f"unknown profile {name!r:.60}, {nearest(name, self._rows)}")
            return -1
        return self._rows[name]


def resolve_works(records: Records, rows: IntColumn, profiles: Works, units: Mapping[str, int]) -> Works:
    """Return what the records' tasks do: all of it from the profile where one is named, else as said."""
    own = read_works(records, units)
    if not len(profiles.operations):
        return own
    return profiles.take(np.maximum(rows, 0)).where(rows >= 0, own)


def count_beside_profiles(records: Records, rows: IntColumn) -> int:
    """Return how many records have figures of their own beside a profile's, which are not read."""
    own = np.zeros(len(records), dtype=np.bool_)
    for name in WORK_NAMES.values():
        own |= records.have_value(name)
    return int(np.count_nonzero(own & (rows >= 0)))
