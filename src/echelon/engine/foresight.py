"""Foresight: the schedule of a machine if every job ran for its planned time and nobody else came."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.ranking import reads_view
from echelon.engine.view import View
from echelon.policies import Conservative, Easy, FirstFit, NoBackfill, Plan, Planned, Reserve, Start

if TYPE_CHECKING:
    from echelon.engine.cluster import Cluster
    from echelon.engine.contract import Scenario
    from echelon.model import Job

FORESEEN = (NoBackfill, FirstFit, Easy, Conservative, Plan)
"""Kinds of backfilling whose schedules can be foreseen: all they know is in the queue and the profile."""


def blindness(scenario: Scenario) -> str | None:
    """Return why the schedules of a scenario's sites can not be foreseen, or None if they can."""
    policy = scenario.policy
    if type(policy.scheduler) not in FORESEEN:
        return f"{policy.scheduler.name!r} is none of {', '.join(kind.name for kind in FORESEEN)}"
    if scenario.learns:
        return f"the estimator {scenario.estimator.name!r} learns while time passes"
    for order in (policy.order, getattr(policy.scheduler, "candidates", None)):
        if order is not None and reads_view(scenario.instance, order, scenario.seed):
            return f"the order {order.name!r} reads the view, so its keys change with time"
    return None


def foresee(cluster: Cluster, job: Job | None) -> list[Planned]:
    """Return the schedule by plan of all jobs of `cluster`, which is not changed.

    Parameters
    ----------
    cluster : Cluster
        As it is now; under one of `FORESEEN`.
    job : Job, optional
        Joins its queue now.

    Returns
    -------
    list of Planned
        The running jobs by planned end, then position; then the waiting ones as they start.

    Notes
    -----
    Cost: that of the passes until the last job has started.
    """
    plan = [
        Planned(running.job, cluster.dispatches.first_start(running.job), running.planned_end)
        for running in cluster.running
    ]
    twin = cluster.copy()
    twin.dispatches = _PlannedDispatches(cluster)  # type: ignore[assignment]
    if job is not None:
        twin.submit(job)
    view = View(twin)
    while twin.waiting:
        for decision in twin.scenario.policy.scheduler.decide(view):
            if isinstance(decision, Start):
                end = twin.start(decision.job)
                plan.append(Planned(decision.job, twin.now, end))
            elif isinstance(decision, Reserve):
                twin.promise(decision.job, decision.time)
        twin.ended_early = False
        if twin.waiting:
            _advance(twin)
    return plan


def _advance(twin: Cluster) -> None:
    """Go on to the next planned end or promise."""
    times = [running.planned_end for running in twin.running[:1]]
    if (due := twin.next_promise()) is not None:
        times.append(due)
    twin.now = min(times)
    while twin.running and twin.running[0].planned_end <= twin.now:
        twin.release(twin.running[0].job)


class _PlannedDispatches:
    """What a cluster asks of `Dispatches`, where every job runs for its planned time."""

    def __init__(self, cluster: Cluster) -> None:
        self.planned_left = {job.position: job.planned_time for job in cluster.waiting.jobs}

    def dispatch(self, job: Job, now: float, switch: float) -> float:
        """Return when `job`, given processors now, ends."""
        return now + switch + self.planned_left[job.position]
