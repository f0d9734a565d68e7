"""Lottery with load: tickets by the expected execution time of a job beside the running jobs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.immediate.estimated_time import estimated_time
from echelon.policies.immediate.lottery import Lottery

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.immediate.contract import ImmediateView


@dataclass(frozen=True, slots=True)
class LotteryWithLoad(Lottery):
    """Draw a ticket; machines that would finish sooner have more: nb_i = ||max(TEE) / tee_ij||.

    tee_ij is the mean CPU time of the job's application at machine i, times the estimated load per core once
    the job runs there if that is above 1.

    Parameters
    ----------
    unseen : int, default 1000000
        As in `lottery`.

    Notes
    -----
    Rounding: to the nearest, halves up. Ties: none. Cost: O(sites). Source: the rule LotterySchedulerWithLoad
    of Rodrigues et al., about 2014, section 3.2, eqs. 3-7; a decision took 0.831 s there (Table 2).
    """

    name: ClassVar[str] = "lottery-load"
    source: ClassVar[str] = "Rodrigues et al., about 2014, section 3.2"
    goes_by: ClassVar[str] = "CPU times of earlier jobs and estimated loads"
    time_name: ClassVar[str] = "estimated time"

    def time(self, job: Job, site: int, view: ImmediateView) -> float | None:
        """Return the estimated execution time, in seconds; None if unknown."""
        return estimated_time(job, site, view)
