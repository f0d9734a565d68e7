"""MCT and MST: the earliest completion, and the earliest start, in the sites' schedules by estimates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from echelon.errors import UnknownNameError
from echelon.policies.broker.contract import Belief, Information
from echelon.policies.broker.strategy import Strategy
from echelon.policies.immediate.expected_times import Times, check_times, completion_time, without_queues

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.broker.contract import GridView

_READINGS = ("before", "after", "job")


@dataclass(frozen=True, slots=True)
class MinimumCompletionTime(Strategy):
    """Choose the site that by plan has finished its jobs first: min C_max^i = max C_k over its jobs k.

    On machines without queues: the one where the arriving job is done first by plan, min r_i + e_ij, its
    ready time and the job's execution time there; `of` and `belief` have no say then.

    Parameters
    ----------
    belief : {"allocation", "execution"}, default "allocation"
        Which schedule is looked at.
    of : {"before", "after", "job"}, default "before"
        Whose completion: the site's jobs' without the one that arrives (a site without jobs is done now),
        the site's jobs' with it, or that of the arriving job itself.
    times : {"planned", "history"}, default "planned"
        On machines without queues: execution times by the job's planned time and the machine's speed, or the
        mean CPU time of its application there (0 where it has never ended).

    Raises
    ------
    UnknownNameError
        If a word is unknown.

    Notes
    -----
    Ties: the lowest site. Cost: one schedule a site, O(queue x (queue + running)) each, where it is not
    known from the time before. Source: Quezada Pina, CICESE 2012, section 3.2.1.6 (which leaves open whose
    completion; the proof of its Theorem 1 needs ``before``); on machines without queues: Maheswaran et al.,
    HCW 1999, immediate mode, O(sites).
    """

    belief: Belief = "allocation"
    of: Literal["before", "after", "job"] = "before"
    times: Times = "planned"

    name: ClassVar[str] = "mct"
    information: ClassVar[Information] = Information.SCHEDULES
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, 3.2.1.6; Maheswaran et al., HCW 1999"
    only_immediate: ClassVar[tuple[str, ...]] = ("times", "decision")
    only_queued: ClassVar[tuple[str, ...]] = ("of", "belief")

    def __post_init__(self) -> None:
        Strategy.__post_init__(self)
        if self.of not in _READINGS:
            raise UnknownNameError("completion of mct, of", self.of, _READINGS)
        check_times(self.times, self.name)

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return the completion time, in seconds."""
        if without_queues(view):
            return completion_time(job, site, view, self.times)
        if self.of == "before":
            return max((planned.end for planned in view.schedule(site)), default=view.now)
        plan = view.schedule(site, job)
        if self.of == "after":
            return max(planned.end for planned in plan)
        return next(planned.end for planned in plan if planned.job.position == job.position)


@dataclass(frozen=True, slots=True)
class MinimumStartTime(Strategy):
    """Choose the site where the job by plan starts first: min s_j^i.

    Parameters
    ----------
    belief : {"allocation", "execution"}, default "allocation"
        Which schedule is looked at.

    Notes
    -----
    Ties: the lowest site. Cost: one schedule an allowed site, up to one where the job starts at once.
    Source: Quezada Pina, CICESE 2012, eq. 8.
    """

    belief: Belief = "allocation"

    name: ClassVar[str] = "mst"
    information: ClassVar[Information] = Information.SCHEDULES
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, eq. 8"

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return the start of the job, in seconds."""
        plan = view.schedule(site, job)
        return next(planned.start for planned in plan if planned.job.position == job.position)
