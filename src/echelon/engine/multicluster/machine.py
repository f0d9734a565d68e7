"""SlotMachine: one cluster of shared nodes during a run: its queue, its scheduler, its jobs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.machine import Machine
from echelon.engine.multicluster.cluster import slot_demand
from echelon.policies import Planned, capabilities

if TYPE_CHECKING:
    from echelon.engine.ledger import Ledger
    from echelon.engine.multicluster.cluster import SlotCluster
    from echelon.engine.multicluster.forecasts import ForecastBook
    from echelon.engine.multicluster.frozen_cluster import FrozenCluster
    from echelon.engine.multicluster.pace import Pace
    from echelon.engine.multicluster.shared_group import SharedGroup
    from echelon.engine.multicluster.site_view import SiteView
    from echelon.engine.observer import Place
    from echelon.model import Forecast, Job
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
    place : Place
        The site.
    pace : Pace
        The pace of all jobs.

    Attributes
    ----------
    group : SharedGroup
        All clusters of the run, in which jobs end.
    view : SiteView
        The cluster as estimators see it.
    forecasts : ForecastBook
        The forecasts of jobs here.
    adds_demands : bool
        Whether jobs come without what their tasks demand of slots.
    is_dispatched : bool
        Whether there is a global queue right above, which knows of deliveries and starts.
    """

    cluster: SlotCluster
    counts_its_jobs = True
    predicts_starts = True
    adds_demands = False
    is_dispatched = False
    group: SharedGroup
    view: SiteView
    forecasts: ForecastBook

    def __init__(
        self,
        ledger: Ledger,
        cluster: SlotCluster,
        place: Place,
        *,
        pace: Pace,
    ) -> None:
        super().__init__(ledger, cluster.processors, place.name, cluster=cluster, site=place.site)
        self.place, self.name = place, place.name
        self._pace = pace
        # Other schedulers never look at planned ends, so these need no correction.
        self._looks_ahead = capabilities(self._scheduler).looks_ahead

    def next_event(self, release: float) -> float:
        """See `System.next_event`: without ends, which all clusters have in common."""
        return min(release, self.next_time())

    def take_ends(self) -> list[Job]:
        """See `System.take_ends`: none, since all clusters have them in common."""
        return []

    def end(self, job: Job) -> None:
        """See `System.end`."""
        self.group.end(job)

    def forecast(self, job: Job) -> Forecast:
        """See `Leaf.forecast`: by the estimator."""
        return self.forecasts.forecast(job, self.cluster.site)

    def enter(self, job: Job) -> None:
        """See `Leaf.enter`; beside other sites, the job gets what its tasks demand of slots."""
        if self.adds_demands:
            job = self.ledger.jobs[job.position] = job._replace(demand=slot_demand(job))
        if not self.is_dispatched:
            job = self.ledger.jobs[job.position] = self.group.entering(job, self.cluster.site)
        super().enter(job)

    def planned_schedule(self, job: Job | None) -> list[Planned]:
        """See `Leaf.planned_schedule`: from a simulation of the queue, as the analytic estimators do."""
        cluster = self.cluster
        jobs, times = self.view.whole(job)
        # Events that never happen in the simulation are at infinity.
        starts, ends = (np.nan_to_num(column, nan=np.inf).tolist() for column in (times.start, times.end))
        plan = [Planned(*planned) for planned in zip(jobs, starts, ends, strict=True)]
        count = len(cluster.running)
        running = [
            planned._replace(start=cluster.dispatches.first_start(planned.job)) for planned in plan[:count]
        ]
        running, waiting = map(self._until_cut, (running, plan[count:]))
        rest = sorted(waiting, key=lambda p: (p.start, p.job.position))
        return [*sorted(running, key=lambda p: (p.end, p.job.position)), *rest]

    def _until_cut(self, plan: list[Planned]) -> list[Planned]:
        """Return the planned jobs with ends at their cuts at the latest."""
        last = self._pace.last_end
        return [one._replace(end=min(one.end, last(one.job.position, one.start))) for one in plan]

    def frozen(self) -> FrozenCluster:
        """See `Leaf.frozen`."""
        from echelon.engine.multicluster.frozen_cluster import FrozenCluster

        return FrozenCluster(self)

    def occupied(self, job: Job) -> int:
        """See `Leaf.occupied`."""
        nodes, cluster = self.group.nodes, self.cluster
        return sum(nodes.use[cluster.first_node + node].is_active for node in cluster.nodes_for(job))

    def memory_use(self) -> float:
        """See `Leaf.memory_use`: by tasks and owners; 0 for infinite memory."""
        nodes = self.group.nodes
        here = nodes.of(self.cluster.site)
        shares = nodes.held[here] / nodes.all_memory[here]
        owners = sum(use.memory for use in nodes.use[here])
        return float(shares.mean()) + owners / len(shares)

    def fullest_node(self) -> int:
        """See `Leaf.fullest_node`."""
        here = self.group.nodes.of(self.cluster.site)
        return max(map(self.group.nodes.tasks, range(here.start, here.stop)))

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
        """See `System.correct`: it is done where jobs wait, when the cluster decides."""
        return False

    def _correct(self) -> None:
        """Plan a later end for the jobs that run on at their planned end.

        A queue that was empty until now has ignored planned ends.
        """
        now, cluster = self.cluster.now, self.cluster
        if not self._looks_ahead or not cluster.waiting:
            return
        late = [running.job for running in cluster.running if running.planned_end <= now]
        for job in late:
            end = self._pace.outlook(job.position)
            # A job that stands still because of owners is planned as if it had just begun.
            if end == math.inf:
                end = min(now + job.planned_time, self._pace.cut_at(job.position))
            cluster.plan_end(job, end if end > now else math.nextafter(now, math.inf))

    def decide(self) -> None:
        """See `System.decide`."""
        self._correct()
        self.cluster.withdraw_late()
        super().decide()
        # Its queue may be in another order now.
        self.view.changed()

    def release(self, job: Job) -> None:
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
        assert self.place.site is not None
        for started in self.on_start:
            started(job, self.place.site)
        if not self.is_dispatched:
            self.group.started(job, cluster.site)
