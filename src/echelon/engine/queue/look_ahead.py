"""Look-ahead simulation: the schedule if all jobs run for their planned times and no job is submitted."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from echelon.engine.queue.decisions import Decisions
from echelon.engine.queue.ranking import reads_view
from echelon.engine.queue.view import View
from echelon.errors import PolicyError
from echelon.policies import BACKFILLS, Planned, Reserve, Start, Withdraw, capabilities

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.engine.queue.cluster import Cluster
    from echelon.model import Job
    from echelon.policies import Policy, Scheduler


_DECLARED = "declares that it is predictable, but"


def unsupported_reason(scenario: Scenario, policy: Policy) -> str | None:
    """Return why look-ahead simulation of sites under `policy` is not supported, or None if it is."""
    if not capabilities(policy.scheduler).predictable:
        return (
            f"{policy.scheduler.name!r} does not declare that it is predictable, as "
            f"{', '.join(rule.name for kind in BACKFILLS if capabilities(rule := kind()).predictable)} do"
        )
    for order in (policy.order, getattr(policy.scheduler, "candidates", None)):
        if order is not None and reads_view(scenario.instance, order, scenario.seed):
            return f"the order {order.name!r} reads the view, so its keys change with time"
    return None


def simulate_ahead(cluster: Cluster, job: Job | None) -> list[Planned]:
    """Return the planned schedule of all jobs of `cluster`, which is not changed.

    Parameters
    ----------
    cluster : Cluster
        In its current state; its scheduler is predictable.
    job : Job, optional
        Joins its queue now.

    Returns
    -------
    list of Planned
        The running jobs by planned end, then position; then the waiting jobs in order of start. One that
        never starts, since what it needs is never known to be open to it for so long, does so at infinity.

    Raises
    ------
    PolicyError
        If the scheduler fails, or makes a decision that is not predictable or breaks the rules.

    Notes
    -----
    Cost: the scheduling cycles until the last job has started.
    """
    plan = [
        Planned(running.job, cluster.dispatches.first_start(running.job), running.planned_end)
        for running in cluster.running
    ]
    twin = cluster.copy()
    twin.dispatches = _PlannedDispatches(cluster)  # type: ignore[assignment]
    if twin.resource.closures is not None:
        twin.resource.closures = twin.resource.closures.as_seen_at(cluster.now)
    if job is not None:
        twin.submit(job)
    scheduler = twin.policy.scheduler
    decisions = Decisions(scheduler.name, partial(scheduler.decide, View(twin)), lambda: twin.now)
    while twin.waiting:
        twin.withdraw_late()
        jobs = len(twin.waiting) + len(twin.running)
        for decision in decisions.cycle(jobs):
            if isinstance(decision, Start):
                twin.start(decision.job, decision.switch, decision.where)
                plan.append(Planned(decision.job, twin.now, twin.planned_end(decision.job)))
            else:
                _note(decision, twin, scheduler)
        twin.ended_early = False
        if twin.waiting and not _advance(twin, scheduler):
            return [*plan, *(Planned(job, math.inf, math.inf) for job in twin.waiting.jobs)]
    return plan


def _note(decision: object, twin: Cluster, scheduler: Scheduler) -> None:
    if isinstance(decision, Reserve):
        twin.reserve(decision.job, decision.time)
    elif isinstance(decision, Withdraw):
        twin.withdraw(decision.job)
    else:
        rule = f"{_DECLARED} gives {decision!r:.60}; expected Start, Reserve or Withdraw"
        raise PolicyError(scheduler.name, time=twin.now, job_id=None, broken_rule=rule)


def _advance(twin: Cluster, scheduler: Scheduler) -> bool:
    """Advance to the next planned end, the next reservation, or until nodes are closed or open to others.

    Return whether there is such a time.
    """
    resource = twin.resource
    times = [holder.planned_end for holder in twin.holders[:1]]
    if (due := twin.next_reservation()) is not None:
        times.append(due)
    if resource.closures is not None:
        times.append(resource.closures.next_change(twin.now))
    if not times:
        rule = f"{_DECLARED} leaves {len(twin.waiting)} jobs waiting on an empty machine"
        raise PolicyError(scheduler.name, time=twin.now, job_id=None, broken_rule=rule)
    if min(times) == math.inf:
        return False
    twin.now = min(times)
    while twin.running and twin.running[0].planned_end <= twin.now:
        twin.release(twin.running[0].job)
    for outage in [outage for outage, holder in resource.out.items() if holder.planned_end <= twin.now]:
        twin.change(outage, down=False)
    if resource.closures is not None:
        twin.ended_early |= resource.closures.end_at(twin.now)
    return True


class _PlannedDispatches:
    """Stands in for `Dispatches` where every job runs for its planned time."""

    def __init__(self, cluster: Cluster) -> None:
        self.next_planned = cluster.dispatches.next_planned
        self.planned_left = {job.position: job.planned_time for job in cluster.waiting.jobs}

    def dispatch(self, job: Job, now: float, switch: float) -> float:
        """Return the end of `job` if it starts now."""
        return now + switch + self.planned_left[job.position]
