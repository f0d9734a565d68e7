"""Left jobs: why jobs never started where the machine changed, and which jobs of a run did not complete."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.model.machines.node_units import NodeUnits
from echelon.model.schedules.status import REASONS, JobStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.model.instance import Instance
    from echelon.model.jobs.columns import IntColumn
    from echelon.model.machines.reservations import Reservation
    from echelon.model.schedules.schedule import Schedule

TOO_SHORT = "a reservation that was too short or too small for them"
"""Why jobs are held that fit no occurrence of the reservation that they name, as a clause like `REASONS`."""

_AS_PLANNED = (JobStatus.COMPLETED, JobStatus.KILLED)


def why_held(
    found: dict[str, list[int]], instance: Instance, reservations: Sequence[Reservation]
) -> dict[str, list[int]]:
    """Return the positions of jobs that never started by reason, those apart that fitted no reservation.

    Parameters
    ----------
    found : dict of str to list of int
        Positions by the clauses of `REASONS`.
    instance : Instance
        All jobs, as they were planned.
    reservations : sequence of Reservation
        Of the run.

    Notes
    -----
    Cost: O(jobs held * reservations).
    """
    ended = REASONS[JobStatus.HELD]
    if not (held := found.get(ended)):
        return found
    misfits = [position for position in held if not _ever_fits(position, instance, reservations)]
    rest = [position for position in held if position not in set(misfits)]
    parts = {reason: positions for reason, positions in found.items() if reason != ended}
    return parts | {reason: all_ for reason, all_ in ((ended, rest), (TOO_SHORT, misfits)) if all_}


def _ever_fits(position: int, instance: Instance, reservations: Sequence[Reservation]) -> bool:
    """Return whether a job fits any occurrence of the reservation that it names."""
    limits = instance.limits
    if limits is None or not limits.reservation[position]:
        return True
    name = limits.names[limits.reservation[position] - 1]
    return any(
        one.flex or instance.planned_time[position] <= one.end - one.start
        for one in reservations
        if one.name == name and instance.size[position] <= _most(instance, one)
    )


def _most(instance: Instance, reservation: Reservation) -> float:
    """Return how large a job the nodes of a reservation can hold; infinity where nodes take several tasks."""
    if instance.platform is not None and instance.platform.clusters:
        return float("inf")
    units = NodeUnits.of(instance)
    return len(units.of_nodes(units.first_node[reservation.site] + np.array(reservation.nodes))[0])


def never_started(instance: Instance, status: JobStatus | None = None) -> IntColumn:
    """Return the positions in the workload of jobs that never started as something changed.

    With a status only of those that it became.
    """
    reasons = {*REASONS.values(), TOO_SHORT} if status is None else {REASONS[status]}
    positions = [drop.positions for drop in instance.dropped if drop.is_rejected and drop.reason in reasons]
    return np.array([one for part in positions for one in part], dtype=np.int64)


def is_incomplete(schedule: Schedule) -> NDArray[np.bool_]:
    """Return which jobs of a schedule neither completed nor were cut at their requests, shape (n_jobs,)."""
    if schedule.status is None:
        return np.zeros(len(schedule.instance), dtype=np.bool_)
    found: NDArray[np.bool_] = ~np.isin(schedule.status, _AS_PLANNED)
    return found


def incomplete_jobs(schedule: Schedule) -> IntColumn:
    """Return the positions in the workload of all jobs of a run that did not complete, ascending."""
    instance = schedule.instance
    return np.sort(np.concatenate((instance.kept[is_incomplete(schedule)], never_started(instance))))
