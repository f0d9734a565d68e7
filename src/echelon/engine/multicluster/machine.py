"""SlotMachine: one cluster of shared nodes during a run: its queue, its scheduler, its jobs."""

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
    """`Machine` of nodes that jobs share with each other and with the owners.

    The planned end of a job that runs beyond it becomes its end at the present rate, and all reservations
    are made again.

    Parameters
    ----------
    ledger : Ledger
        The ledger of the run.
    cluster : SlotCluster
        Its state.
    name : str
        Name of the site, for messages.
    pace : Pace
        The pace of all jobs.

    Attributes
    ----------
    on_start : callable (job, site) -> None
        Called at every start.
    is_last : bool
        Whether no further job will reach this cluster.
    """

    cluster: SlotCluster
    is_last = False

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
        self.on_start: Callable[[Job, int], None] = _ignore
        # Other schedulers never look at planned ends, so these need no correction.
        self._looks_ahead = capabilities(self._scheduler).looks_ahead

    def next_time(self) -> float:
        """Return the time of the next event here that requires a cycle, except ends and dispatches."""
        cluster, times = self.cluster, [math.inf]
        if cluster.waiting:
            if (due := cluster.next_reservation()) is not None:
                times.append(due)
            if (wake := cluster.next_wake()) is not None:
                times.append(wake)
            if self._looks_ahead:
                times.append(self._next_planned_end())
        return min(times)

    def _next_planned_end(self) -> float:
        """Return the next planned end after now of a running job that does not stand still."""
        outlook = self._pace.outlook
        moving = (end for end, position, _ in self.cluster.running if outlook(position) < math.inf)
        # A job that has stood still until now may have had its planned end meanwhile.
        return max(next(moving, math.inf), math.nextafter(self.cluster.now, math.inf))

    def correct(self) -> bool:
        """Plan a later end for the jobs that run on at their planned end; return whether there are any."""
        now, cluster = self.cluster.now, self.cluster
        if not self._looks_ahead or not cluster.waiting:
            return False
        late = [running.job for running in cluster.running if running.planned_end <= now]
        for job in late:
            end = self._pace.outlook(job.position)
            # A job that stands still because of owners is planned as if it had just begun.
            if end == math.inf:
                end = now + job.planned_time
            cluster.plan_end(job, end if end > now else math.nextafter(now, math.inf))
        return bool(late)

    def decide(self) -> None:
        """Run a scheduling cycle."""
        self.cluster.withdraw_late()
        super().decide()

    def end(self, job: Job) -> None:
        """Release the slots of running `job`, or of a part of it, now."""
        start = self._dispatches.last_start(job)
        self.cluster.release(job)
        self.cluster.note_end(job, self.cluster.now - start if start is not None else 0.0)

    def _start(self, job: Job, switch: float, where: Where | None) -> None:
        cluster = self.cluster
        cluster.start(job, switch, where)
        nodes = sorted(cluster.first_node + node for node in cluster.assignments[job.position].where)
        self._pace.enter(job, tuple(nodes), cluster.now)
        self._livelock.started()
        self.on_start(job, cluster.site)


def _ignore(job: Job, site: int) -> None:
    """Ignore a start, where there is no run around the machine."""
