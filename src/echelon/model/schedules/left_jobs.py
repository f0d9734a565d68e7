"""Left jobs: why jobs never started where the machine changed, and which jobs of a run did not complete."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.model.machines.node_units import NodeUnits
from echelon.model.schedules.status import REASONS, JobStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from echelon.model.instance import Instance
    from echelon.model.jobs.columns import IntColumn
    from echelon.model.machines.reservations import Reservation
    from echelon.model.schedules.schedule import Schedule

TOO_SHORT = "a reservation that was too short or too small for them"
"""Why jobs are held that fit no occurrence of the reservation that they name, as a clause like `REASONS`."""

_AS_PLANNED = (JobStatus.COMPLETED, JobStatus.KILLED)


def why_held(
    reasons: dict[str, list[int]], instance: Instance, reservations: Sequence[Reservation]
) -> dict[str, list[int]]:
    """Return the positions of jobs that never started by reason, those apart that fitted no reservation.

    Parameters
    ----------
    reasons : dict of str to list of int
        Positions by the clauses of `REASONS`.
    instance : Instance
        All jobs, as they were planned.
    reservations : sequence of Reservation
        Of the run.

    Notes
    -----
    Cost: O(jobs held + units of nodes + nodes of all reservations), where jobs are held.
    """
    ended = REASONS[JobStatus.HELD]
    if not (held := reasons.get(ended)) or instance.limits is None:
        return reasons
    room = _room(instance, reservations)
    misfits = []
    for position in held:
        code = instance.limits.reservation[position]
        size, planned = instance.size[position], instance.planned_time[position]
        if code and not any(size <= most and planned <= length for most, length in room(code)):
            misfits.append(position)
    gone = set(misfits)
    rest = [position for position in held if position not in gone]
    parts = {reason: positions for reason, positions in reasons.items() if reason != ended}
    return parts | {reason: all_ for reason, all_ in ((ended, rest), (TOO_SHORT, misfits)) if all_}


def _room(
    instance: Instance, reservations: Sequence[Reservation]
) -> Callable[[int], set[tuple[float, float]]]:
    """Return a function from the code of a reservation to the largest size and length of a job in each of it.

    Where nodes take several tasks, it may be of any size.
    """
    limits, units = instance.limits, NodeUnits.of(instance)
    counts = np.diff(units.first_unit)
    is_shared = instance.platform is not None and bool(instance.platform.clusters)
    rooms: dict[str, set[tuple[float, float]]] = {}
    for one in reservations:
        nodes = units.first_node[one.site] + np.array(one.nodes)
        most = np.inf if is_shared else float(counts[nodes].sum())
        rooms.setdefault(one.name, set()).add((most, np.inf if one.flex else one.end - one.start))
    names = () if limits is None else limits.names
    return lambda code: rooms.get(names[code - 1], set())


def find_never_started(instance: Instance, status: JobStatus | None = None) -> IntColumn:
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
    mask: NDArray[np.bool_] = ~np.isin(schedule.status, _AS_PLANNED)
    return mask


def incomplete_jobs(schedule: Schedule) -> IntColumn:
    """Return the positions in the workload of all jobs of a run that did not complete, ascending."""
    instance = schedule.instance
    return np.sort(np.concatenate((instance.kept[is_incomplete(schedule)], find_never_started(instance))))
