"""MCT and MST: the earliest completion and the earliest start in the sites' planned schedules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from echelon.errors import UnknownNameError
from echelon.policies.broker.contract import GridState, Information
from echelon.policies.broker.strategy import Strategy
from echelon.policies.immediate.execution_times import Times, check_times, completion_time, without_queues

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.broker.contract import GridView, Planned

_READINGS = ("before", "after", "job")


@dataclass(frozen=True, slots=True)
class MinimumCompletionTime(Strategy):
    """Choose the site that is planned to finish its jobs first: min C_max^i = max C_k over its jobs k.

    On time-shared machines: the machine with the earliest planned completion of the arriving job, min r_i +
    e_ij, the machine's ready time plus the job's execution time; `of` and `grid_state` have no effect then.

    Where machines change, the completion before the job is not before the job could start: a site without
    jobs that is down, or closed, completes when it is back.

    Parameters
    ----------
    grid_state : {"planned", "actual"}, default "planned"
        The state of the grid that the broker sees.
    of : {"before", "after", "job"}, default "before"
        The completion of the site's jobs without the arriving job (an empty site completes now), with it, or
        of the arriving job alone.
    times : {"planned", "history"}, default "planned"
        On time-shared machines: execution times from the job's planned time and the machine's speed, or the
        mean CPU time of its application there (0 if it has never ended there).

    Raises
    ------
    UnknownNameError
        If a word is unknown.

    Notes
    -----
    Ties: the lowest site. Cost: one schedule per site, O(queue x (queue + running)) each, unless the last one
    is still valid. Source: Quezada Pina, CICESE 2012, section 3.2.1.6 (which leaves open whose completion;
    the proof of its Theorem 1 needs ``before``); on time-shared machines: Maheswaran et al., HCW 1999,
    immediate mode, O(sites).
    """

    grid_state: GridState = "planned"
    of: Literal["before", "after", "job"] = "before"
    times: Times = "planned"

    name: ClassVar[str] = "mct"
    information: ClassVar[Information] = Information.SCHEDULES
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, 3.2.1.6; Maheswaran et al., HCW 1999"
    only_immediate: ClassVar[tuple[str, ...]] = ("times", "decision")
    only_queued: ClassVar[tuple[str, ...]] = ("of", "grid_state")

    def __post_init__(self) -> None:
        Strategy.__post_init__(self)
        if self.of not in _READINGS:
            raise UnknownNameError("completion of mct, of", self.of, _READINGS)
        check_times(self.times, self.name)

    def if_endless(self, job: Job, site: int, view: GridView) -> float:
        """Return the completion of this job alone: others of every site are never known to have room."""
        return self.value(job, site, view) if without_queues(view) else _find_planned(job, site, view).end

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return the completion time, in seconds."""
        if without_queues(view):
            return completion_time(job, site, view, self.times)
        if self.of == "before":
            done = max((planned.end for planned in view.schedule(site)), default=view.now)
            # When all others have ended it can start, unless something of the site is down or closed.
            return max(done, _find_planned(job, site, view).start) if view.machines_change else done
        if self.of == "after":
            return max(planned.end for planned in view.schedule(site, job))
        return _find_planned(job, site, view).end


@dataclass(frozen=True, slots=True)
class MinimumStartTime(Strategy):
    """Choose the site with the earliest planned start of the job: min s_j^i.

    Parameters
    ----------
    grid_state : {"planned", "actual"}, default "planned"
        The state of the grid that the broker sees.

    Notes
    -----
    Ties: the lowest site. Cost: one schedule per allowed site, up to the first where the job starts at once.
    Source: Quezada Pina, CICESE 2012, eq. 8.
    """

    grid_state: GridState = "planned"

    name: ClassVar[str] = "mst"
    information: ClassVar[Information] = Information.SCHEDULES
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, eq. 8"

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return the start of the job, in seconds; infinity if it is never known to have room."""
        return _find_planned(job, site, view).start


def _find_planned(job: Job, site: int, view: GridView) -> Planned:
    """Return `job` in the planned schedule of `site`, as if it joined now."""
    return next(planned for planned in view.schedule(site, job) if planned.job.position == job.position)
