"""PlannedChanges: changes of a machine as they were asked for, and how to have them for a longer time."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.availability import Changes
from echelon.errors import InputError
from echelon.quantities import duration, tally

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from echelon.engine.contract import Scenario
    from echelon.model import Schedule
    from echelon.model.jobs.columns import FloatColumn

MOST_FAILURES_OF_AN_ATTEMPT = 50.0
"""An attempt that so many failures are expected in never succeeds: by an exponential law once in e^50."""

MOST_HORIZONS = 64
"""How many times the first horizon a run may last before it is given up."""


@dataclass(frozen=True, slots=True)
class PlannedChanges(Changes):
    """Changes of a machine during one run, with the settings by which they were asked for.

    Parameters
    ----------
    asked : mapping of str to object, default empty
        By setting, in canonical form or plain numbers; those that were not asked for are absent.
    not_modelled : tuple of str, default empty
        A clause on each thing that files carry and nothing models.
    notes : tuple of str, default empty
        A clause on each thing that a person should know of these files.
    streams : tuple of str, default empty
        Names of the random streams that they were drawn from.
    horizon : float, default infinity
        Up to where what has no natural end was drawn or repeated, in seconds.
    first_horizon : float, default infinity
        That of the first attempt at this run.
    failures_of_an_attempt : float, default 0
        How many failures by the law hit the nodes of the longest and largest job, on average, while it runs
        for its run time; 0 where work that was done is never lost.
    longest_gaps : tuple of float, default empty
        The longest time, in seconds, that repeated maintenance of all nodes of each site leaves free at once.
    up_to : callable (float) -> PlannedChanges, optional
        Makes the same up to another horizon; nothing before the earlier horizon differs.
    """

    asked: Mapping[str, Any] = field(default_factory=dict)
    not_modelled: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    streams: tuple[str, ...] = ()
    horizon: float = math.inf
    first_horizon: float = math.inf
    failures_of_an_attempt: float = 0.0
    longest_gaps: tuple[float, ...] = ()
    up_to: Callable[[float], PlannedChanges] | None = None

    @property
    def are_endless(self) -> bool:
        """Whether something of them has no natural end, so that a run may need them for longer."""
        return self.up_to is not None


def planned_changes_of(scenario: Scenario) -> PlannedChanges:
    """Return the changes of a scenario's machine as they were asked for; none where nothing was."""
    return scenario.changes if isinstance(scenario.changes, PlannedChanges) else PlannedChanges()


def extend_horizon(scenario: Scenario, schedule: Schedule) -> Scenario | None:
    """Return a scenario with twice the horizon if its run lasted longer than the horizon; else None.

    Raises
    ------
    InputError
        If the horizon is already `MOST_HORIZONS` times the first one, or a job cannot ever end: jobs fail
        faster than they proceed, or are planned for longer than repeated maintenance leaves free.
    """
    changes = scenario.changes
    if not isinstance(changes, PlannedChanges) or changes.up_to is None:
        return None
    ends = schedule.end_time[np.isfinite(schedule.end_time)]
    last = float(ends.max(initial=0.0))
    if last <= changes.horizon:
        return None
    late = schedule.start_time >= changes.horizon
    fits_nowhere = late & (schedule.instance.planned_time > _gaps(changes, schedule))
    is_hopeless = changes.failures_of_an_attempt > MOST_FAILURES_OF_AN_ATTEMPT or fits_nowhere.any()
    if is_hopeless or changes.horizon >= MOST_HORIZONS * changes.first_horizon:
        raise _endless(changes, schedule, last)
    return replace(scenario, changes=changes.up_to(2 * changes.horizon))


def _gaps(changes: PlannedChanges, schedule: Schedule) -> FloatColumn:
    """Return for how long each job could run where it ran between what repeats there, in seconds."""
    gaps = np.array(changes.longest_gaps)
    if schedule.site is not None and len(gaps):
        return gaps[schedule.site]
    return np.full(len(schedule.start_time), gaps[0] if len(gaps) == 1 else np.inf)


def _endless(changes: PlannedChanges, schedule: Schedule, last: float) -> InputError:
    """Return the error of a run that would never end, which says what keeps it from that."""
    usual = duration(changes.first_horizon / 2)
    problem = f"jobs still run after {duration(last)}, though undisturbed all would have ended in {usual}"
    if "failures" in changes.asked:
        return InputError(
            f"{problem}: nodes fail faster than the largest jobs end; give --checkpoint daly with "
            "--checkpoint-cost S so that they keep their work, --max-requeues N so that they are given up, "
            "or longer times between failures",
            field="failures",
        )
    late = np.flatnonzero(schedule.start_time >= changes.horizon).tolist()
    first = f", first job {schedule.instance.label(late[0])}," if late else ""
    return InputError(
        f"{problem}: {tally(len(late), 'job')}{first} could not start before what repeats ends for good; "
        "give shorter maintenance or reservations, or more time between them",
        field="maintenance" if "maintenance" in changes.asked else "reservations",
    )
