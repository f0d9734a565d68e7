"""MulticlusterRules: the settings of a multicluster apart from broker, local policy and estimator."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.execution.time_shared import TimeShared
from echelon.model import NoLocalLoad

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model import Experience, LocalLoadModel
    from echelon.policies.broker.site_filter import EveryFilter
    from echelon.policies.coallocation.contract import CoAllocation
    from echelon.policies.estimators.forecast import ForecastingEstimator
    from echelon.policies.global_queue.contract import GlobalQueueRule
    from echelon.policies.global_queue.limit import QueueLimit
    from echelon.policies.global_queue.several import JobQueue


@dataclass(frozen=True, slots=True)
class MulticlusterRules:
    """The global queue, its limits, co-allocation, and the execution of jobs.

    Parameters
    ----------
    global_queue : GlobalQueueRule
        Selects the next job and its cluster.
    limit : QueueLimit
        Limits the queue of a cluster.
    co_allocation : CoAllocation, optional
        Assigns a job nodes of several clusters; default: no job spans clusters.
    two_phase : bool, default False
        With a co-allocation: also start jobs that wait in a cluster on free nodes of several, when no job in
        the global queue can be dispatched (algorithm 4.5). Otherwise only those too large for every cluster.
    longest_stay : float, default infinity
        A job that has not started this long after its submission is rejected, in s, > 0. On other trees than
        a multicluster some global queue must say the same.
    local_users : LocalLoadModel, default none
        The local load of the nodes.
    execution : TimeShared, default without interference and noise
        Model of the actual speed of jobs.
    watched : tuple of ForecastingEstimator, default empty
        Further estimators that forecast every job, only to measure their accuracy.
    decision_time : float, default 0
        Time that the broker takes for each decision, in seconds, >= 0: one at a time, in the order of
        submission. A job joins the global queue at the end of its decision, for which the broker uses the
        information available then.
    queues : tuple of JobQueue, default empty
        Several global queues instead of one; see `echelon.engine.system_model.QueueRules`.
    queue_order : str, optional
        Which of them is served first; default: as they are listed.
    site_filter : EveryFilter, optional
        Leaves clusters out before one is chosen; default: none.
    refresh : float, default 0
        How old what is known of a cluster may become, in seconds, finite, >= 0.
    past : sequence of Experience, default empty
        Jobs that ended before the run, which estimators may learn from.

    Raises
    ------
    InputError
        If a number is out of range, or two phases are set without a co-allocation.
    """

    global_queue: GlobalQueueRule
    limit: QueueLimit
    co_allocation: CoAllocation | None = None
    two_phase: bool = False
    longest_stay: float = float("inf")
    local_users: LocalLoadModel = field(default_factory=NoLocalLoad)
    execution: TimeShared = field(default_factory=TimeShared)
    watched: tuple[ForecastingEstimator, ...] = ()
    past: Sequence[Experience] = ()
    decision_time: float = 0.0
    queues: tuple[JobQueue, ...] = ()
    queue_order: str | None = None
    site_filter: EveryFilter | None = None
    refresh: float = 0.0

    def __post_init__(self) -> None:
        if not (isinstance(self.longest_stay, int | float) and self.longest_stay > 0):
            raise InputError(f"must be a number above 0, got {self.longest_stay!r}", field="longest-stay")
        for name in ("decision_time", "refresh"):
            time = getattr(self, name)
            if not isinstance(time, int | float) or isinstance(time, bool) or not 0 <= time < math.inf:
                raise InputError(f"must be a finite number >= 0, got {time!r}", field=name.replace("_", "-"))
        if self.two_phase and self.co_allocation is None:
            raise InputError("needs a co-allocation, got none", field="two-phase")
