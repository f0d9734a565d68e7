"""Kept jobs: the instance and the schedule of a run without the jobs that it rejected."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.columns import read_only

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from echelon.model.instance import Instance
    from echelon.model.jobs.columns import IntColumn
    from echelon.model.schedules.forecasts import Forecasts, TaskPlaces
    from echelon.model.schedules.schedule import Schedule

Column = TypeVar("Column", bound="NDArray[Any] | None")


def kept_positions(instance: Instance, rejected: Mapping[str, Sequence[int]]) -> IntColumn:
    """Return the positions of the jobs that were not rejected, ascending.

    Parameters
    ----------
    instance : Instance
        All jobs of the run.
    rejected : mapping of str to sequence of int
        Positions of those rejected, by reason.

    Raises
    ------
    InputError
        If all jobs were rejected.
    """
    gone = [position for positions in rejected.values() for position in positions]
    kept = np.setdiff1d(np.arange(len(instance)), gone)
    if not len(kept):
        reasons = "; ".join(f"{len(all_)} with {reason}" for reason, all_ in rejected.items())
        raise InputError(f"no job is left to simulate: {reasons}", file=instance.workload.name)
    return kept


def without(instance: Instance, rejected: Mapping[str, Sequence[int]]) -> Instance:
    """Return the instance without the jobs at these positions, by reason."""
    left = np.arange(len(instance))
    for reason, positions in rejected.items():
        out = np.flatnonzero(np.isin(left, positions))
        if len(out):
            instance, left = instance.without(out, reason), np.delete(left, out)
    return instance


def drop_rejected(instance: Instance, rejected: Mapping[str, Sequence[int]]) -> Instance:
    """Return the instance without jobs that were present until they were rejected: others waited for them."""
    return replace(without(instance, rejected), absent_predecessors=instance.absent_predecessors)


def schedule_without(
    schedule: Schedule, rejected: Mapping[str, Sequence[int]], *, interrupted: bool
) -> Schedule:
    """Return the schedule of the jobs that were not rejected, numbered again in all that was recorded.

    Parameters
    ----------
    schedule : Schedule
        Of all jobs; those rejected never started.
    rejected : mapping of str to sequence of int
        Positions of those rejected, by reason; they are dropped from the instance with it.
    interrupted : bool
        Whether some job was preempted or paid a switch: then attempts stay recorded.

    Raises
    ------
    InputError
        If all jobs were rejected.

    Notes
    -----
    Cost: O(jobs + rows of all records).
    """
    kept = kept_positions(schedule.instance, rejected)
    attempts = schedule.recorded
    recorded = attempts is not None and (interrupted or attempts.copies)
    return replace(
        schedule,
        instance=drop_rejected(schedule.instance, rejected),
        start_time=schedule.start_time[kept],
        predicted_time=_of(schedule.predicted_time, kept),
        recorded=attempts.take(kept) if attempts is not None and recorded else None,
        site=_of(schedule.site, kept),
        home_site=_of(schedule.home_site, kept),
        end=_of(schedule.end, kept),
        holdings=schedule.holdings and schedule.holdings.take(kept),
        places=schedule.places and _places_of(schedule.places, kept),
        delivered=_of(schedule.delivered, kept),
        forecasts=tuple(_forecasts_of(one, kept) for one in schedule.forecasts),
        cpu_time=_of(schedule.cpu_time, kept),
        status=_of(schedule.status, kept),
        first_reserved=_of(schedule.first_reserved, kept),
        numbered=None if schedule.numbered is None else schedule.numbered.take(kept),
    )


def _of(column: Column, kept: IntColumn) -> Column:
    return column if column is None else read_only(column[kept])  # type: ignore[return-value]


def _places_of(places: TaskPlaces, kept: IntColumn) -> TaskPlaces:
    rows = np.isin(places.job, kept)
    job = np.searchsorted(kept, places.job[rows])
    kinds = ("site", "node", *(() if places.start is None else ("start", "end")))
    return replace(places, job=job, **{kind: getattr(places, kind)[rows] for kind in kinds})


def _forecasts_of(forecasts: Forecasts, kept: IntColumn) -> Forecasts:
    columns = {name: _of(getattr(forecasts, name), kept) for name in ("wait", "run", "seconds")}
    return replace(forecasts, **columns)
