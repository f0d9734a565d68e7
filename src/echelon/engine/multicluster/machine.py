"""SlotMachine: one cluster of shared nodes while time passes: its queue, its scheduler, its jobs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.machine import Machine
from echelon.policies import capabilities

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.engine.ledger import Ledger
    from echelon.engine.multicluster.cluster import SlotCluster
    from echelon.engine.multicluster.pace import Pace
    from echelon.model import Job
    from echelon.policies.contract import Where


class SlotMachine(Machine):
    """What `Machine` is, of nodes that jobs share with each other and with their owners.

    A job that runs on at its planned end is from then on planned to end when it will at its present rate,
    and all promises are made again.

    Parameters
    ----------
    ledger : Ledger
        Of the run.
    cluster : SlotCluster
        Its state.
    name : str
        Of the site, for messages.
    pace : Pace
        Of all jobs.

    Attributes
    ----------
    told : callable (job, site) -> None
        Hears of every start.
    """

    cluster: SlotCluster

    def __init__(
        self,
        ledger: Ledger,
        cluster: SlotCluster,
        name: str,
        *,
        pace: Pace,
    ) -> None:
        super().__init__(ledger, cluster.processors, name, cluster=cluster, site=cluster.site)
        self.name = name
        self._pace = pace
        self.told: Callable[[Job, int], None] = _nobody
        # Others never look at planned ends, so nobody need correct them.
        self._looks_ahead = capabilities(self._scheduler).looks_ahead

    def next_time(self) -> float:
        """Return when something happens here next that needs a pass, but for ends and deliveries."""
        cluster, times = self.cluster, [math.inf]
        if cluster.waiting:
            if (due := cluster.next_promise()) is not None:
                times.append(due)
            if (wake := cluster.next_wake()) is not None:
                times.append(wake)
            if self._looks_ahead:
                times.append(self._next_planned_end())
        return min(times)

    def _next_planned_end(self) -> float:
        """Return when the next running job but those that stand still is planned to end, after now."""
        outlook = self._pace.outlook
        moving = (end for end, position, _ in self.cluster.running if outlook(position) < math.inf)
        # One that has stood still until now may have been planned to end meanwhile.
        return max(next(moving, math.inf), math.nextafter(self.cluster.now, math.inf))

    def correct(self) -> bool:
        """Plan a later end for the jobs that run on at their planned end; return whether there are any."""
        now, cluster = self.cluster.now, self.cluster
        if not self._looks_ahead or not cluster.waiting:
            return False
        late = [running.job for running in cluster.running if running.planned_end <= now]
        for job in late:
            end = self._pace.outlook(job.position)
            # One that stands still for its owners' sake is planned as if it had just begun.
            if end == math.inf:
                end = now + job.planned_time
            cluster.plan_end(job, end if end > now else math.nextafter(now, math.inf))
        return bool(late)

    def decide(self) -> None:
        """Make a pass."""
        self.cluster.withdraw_late()
        super().decide()

    def end(self, job: Job) -> None:
        """Let running `job`, or a part of it, give its slots back now."""
        start = self._dispatches.last_start(job)
        self.cluster.release(job)
        self.cluster.note_end(job, self.cluster.now - start if start is not None else 0.0)

    def _start(self, job: Job, switch: float, where: Where | None) -> None:
        cluster = self.cluster
        cluster.start(job, switch, where)
        nodes = sorted(cluster.first_node + node for node in cluster.spots[job.position].where)
        self._pace.enter(job, tuple(nodes), cluster.now)
        self._patience.started()
        self.told(job, cluster.site)


def _nobody(job: Job, site: int) -> None:
    """Hear of a start without a run around it."""
