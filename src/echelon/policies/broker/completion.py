"""MCT and MST: the earliest completion, and the earliest start, in the sites' schedules by estimates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from echelon.errors import UnknownNameError
from echelon.policies.broker.contract import Belief, Information
from echelon.policies.broker.strategy import Strategy

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.broker.contract import GridView

_READINGS = ("before", "after", "job")


@dataclass(frozen=True, slots=True)
class MinimumCompletionTime(Strategy):
    """Choose the site that by plan has finished its jobs first: min C_max^i = max C_k over its jobs k.

    Parameters
    ----------
    belief : {"allocation", "execution"}, default "allocation"
        Which schedule is looked at.
    of : {"before", "after", "job"}, default "before"
        Whose completion: the site's jobs' without the one that arrives (a site without jobs is done now),
        the site's jobs' with it, or that of the arriving job itself.

    Raises
    ------
    UnknownNameError
        If a word is unknown.

    Notes
    -----
    Ties: the lowest site. Cost: one schedule a site, O(queue x (queue + running)) each, where it is not
    known from the time before. Source: Quezada Pina, CICESE 2012, section 3.2.1.6 (which leaves open whose
    completion; the proof of its Theorem 1 needs ``before``).
    """

    belief: Belief = "allocation"
    of: Literal["before", "after", "job"] = "before"

    name: ClassVar[str] = "mct"
    information: ClassVar[Information] = Information.SCHEDULES
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, 3.2.1.6"

    def __post_init__(self) -> None:
        Strategy.__post_init__(self)
        if self.of not in _READINGS:
            raise UnknownNameError("completion of mct, of", self.of, _READINGS)

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return the completion time, in seconds."""
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
