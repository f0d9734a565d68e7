"""MET: the machine that runs the job fastest, whatever else is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.broker.contract import Information
from echelon.policies.immediate.expected_times import Times, check_times, execution_time
from echelon.policies.immediate.strategy import ImmediateStrategy

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.immediate.contract import ImmediateView


@dataclass(frozen=True, slots=True)
class MinimumExecutionTime(ImmediateStrategy):
    """Choose the machine of least execution time of the job: min e_ij. Loads do not count.

    Parameters
    ----------
    times : {"planned", "history"}, default "planned"
        Execution times by the job's planned time and the machine's speed, or the mean CPU time of its
        application there (0 where it has never ended, so that it is tried).

    Raises
    ------
    UnknownNameError
        If `times` is neither word.

    Notes
    -----
    Ties: the lowest site, so that of equal machines one gets all jobs. Cost: O(sites). Source: Maheswaran et
    al., HCW 1999, immediate mode.
    """

    times: Times = "planned"

    name: ClassVar[str] = "met"
    source: ClassVar[str] = "Maheswaran et al., HCW 1999"
    goes_by: ClassVar[str] = "execution time"
    information: ClassVar[Information] = Information.ESTIMATES

    def __post_init__(self) -> None:
        ImmediateStrategy.__post_init__(self)
        check_times(self.times, self.name)

    def value(self, job: Job, site: int, view: ImmediateView) -> float:
        """Return the execution time, in seconds."""
        return execution_time(job, site, view, self.times)
