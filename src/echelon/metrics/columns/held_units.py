"""HeldUnits: which parts of nodes jobs held, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.model.jobs.columns import ranges
from echelon.model.machines.node_units import unit_of_core
from echelon.model.schedules.features import Feature, features_of, there

if TYPE_CHECKING:
    from echelon.model import NodeUnits, Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn


class HeldUnits(NamedTuple):
    """Units that jobs held, one row for each time and place, in any order.

    Attributes
    ----------
    job : IntColumn, shape (n,)
        Position of the job.
    start, end : FloatColumn, shape (n,)
        From when to when, in seconds.
    first : IntColumn, shape (n + 1,)
        The units of row i are ``unit[first[i]:first[i + 1]]``.
    unit : IntColumn
        Numbers of units, in `NodeUnits`; each is one processor, and of a shared node one of its tasks.
    """

    job: IntColumn
    start: FloatColumn
    end: FloatColumn
    first: IntColumn
    unit: IntColumn

    def rows(self, rows: IntColumn) -> tuple[IntColumn, IntColumn]:
        """Return the units of some rows one behind the other, and the row of each."""
        counts = np.diff(self.first)[rows]
        return self.unit[ranges(self.first[rows], self.first[rows + 1])], np.repeat(rows, counts)


def held_units(schedule: Schedule, units: NodeUnits) -> HeldUnits | None:
    """Return which units jobs held, where that is known of some: by number, by core, or by shared node."""
    has = features_of(schedule)
    parts: list[HeldUnits] = []
    if schedule.numbered is not None:
        rows = schedule.numbered
        site = np.repeat(np.maximum(rows.site, 0), np.diff(rows.first))
        unit = units.first_unit[units.nodes(site, rows.node)]
        parts.append(HeldUnits(rows.job, rows.start, rows.end, rows.first, unit))
    if Feature.CORES in has:
        cores, shift = there(schedule.holdings), unit_of_core(units, schedule.instance.platform)
        parts.append(HeldUnits(cores.job, cores.start, cores.release, cores.first_core, shift[cores.cores]))
    if Feature.PLACES in has:
        tasks = there(schedule.places)
        start, end = tasks.times(schedule.start_time, schedule.end_time)
        unit = units.first_unit[units.nodes(tasks.site, tasks.node)]
        parts.append(HeldUnits(tasks.job, start, end, np.arange(len(unit) + 1), unit))
    return together(parts) if parts else None


def together(parts: list[HeldUnits]) -> HeldUnits:
    """Return the rows of at least one record behind each other."""
    if len(parts) == 1:
        return parts[0]
    job, start, end = (
        np.concatenate([getattr(part, name) for part in parts]) for name in HeldUnits._fields[:3]
    )
    counts = np.concatenate([np.diff(part.first) for part in parts])
    return HeldUnits(
        job,
        start,
        end,
        np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        np.concatenate([part.unit for part in parts]),
    )
