"""SlotMachine: one cluster of shared nodes during a run: its queue, its scheduler, its jobs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.machine import Machine
from echelon.engine.multicluster.sharing.slots import Slots, slot_demand
from echelon.engine.progress.progress_model import ProgressModel
from echelon.engine.queue.cluster import Cluster
from echelon.engine.tree.views.member import FrozenLeaf
from echelon.policies import Planned, capabilities

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.engine.contract import Scenario
    from echelon.engine.ledger.ledger import Ledger
    from echelon.engine.ledger.observer import Place
    from echelon.engine.multicluster.forecasting.forecasts import ForecastBook
    from echelon.engine.multicluster.forecasting.site_view import SiteView
    from echelon.engine.multicluster.shared_group import SharedGroup
    from echelon.engine.multicluster.shared_rates import SharedRates
    from echelon.engine.resources.capacity import Outage
    from echelon.model import Forecast, Job


class ClusterProgress(ProgressModel):
    """Jobs start here, and end where all of them do: see `echelon.engine.multicluster.shared_group`.

    Parameters
    ----------
    pace : SharedRates
        Of the jobs of all clusters.
    cluster : Cluster
        The queue and the jobs here.
    slots : Slots
        What they hold.
    """

    def __init__(self, pace: SharedRates, cluster: Cluster, slots: Slots) -> None:
        self._pace, self._cluster, self._slots = pace, cluster, slots

    def start(self, job: Job, end: float, switch: float) -> None:
        """See `ProgressModel.start`."""
        slots = self._slots
        nodes = sorted(slots.first_node + node for node in slots.assignments[job.position].where)
        self._pace.enter(job, tuple(nodes), self._cluster.now, switch)

    def next_time(self, other: float, planned: Iterable[float] = ()) -> float:
        """See `ProgressModel.next_time`."""
        return min(other, *planned) if planned else other

    def jobs_due(self, now: float) -> list[int]:
        """See `ProgressModel.jobs_due`: none here."""
        return []

    def outlook(self, position: int) -> float:
        """See `ProgressModel.outlook`."""
        return self._pace.outlook(position)

    def is_over(self, position: int, now: float) -> bool:
        """See `ProgressModel.is_over`."""
        return self._pace.is_over(position, now)

    def suspend(self, job: Job, now: float) -> tuple[Job | None, float | None]:
        """See `ProgressModel.suspend`: its tasks leave their nodes, and the share of its work is kept."""
        left = job._replace(planned_time=self.time_left(job))
        self._pace.set_aside(job.position, now)
        return left, None

    def time_left(self, job: Job) -> float:
        """Return what running `job` has left of its planned time, by its work, in seconds."""
        return self._pace.time_left(job, self._cluster.now)


class SlotMachine(Machine):
    """`Machine` of nodes that jobs share with each other and with the owners.

    The planned end of a job that runs beyond it becomes its end at the present rate, and all reservations
    are made again.

    Parameters
    ----------
    ledger : Ledger
        The ledger of the run.
    scenario : Scenario
        The run as clusters know it, with the estimator whose forecasts become planned times.
    slots : Slots
        Its nodes.
    place : Place
        The site.
    pace : SharedRates
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
        scenario: Scenario,
        slots: Slots,
        place: Place,
        *,
        pace: SharedRates,
    ) -> None:
        cluster = Cluster(ledger, slots, scenario, site=place.name)
        progress = ClusterProgress(pace, cluster, slots)
        if capabilities(cluster.policy.scheduler).preempts:
            cluster.time_left = progress.time_left
        super().__init__(
            ledger, slots.processors, place.name, cluster=cluster, site=place.site, progress=progress
        )
        self.slots = slots
        self.place, self.name = place, place.name
        self._pace = pace
        # Other schedulers never look at planned ends, so these need no correction.
        self._looks_ahead = capabilities(self._scheduler).looks_ahead

    def next_event(self, release: float) -> float:
        """See `System.next_event`: without ends, which all clusters have in common, and dispatches."""
        other = super().next_event(release)
        return min(other, self._next_planned_end()) if self._looks_ahead and self.cluster.waiting else other

    def end(self, job: Job) -> None:
        """See `System.end`: if a part of a job does, all of it."""
        self.group.end(self.ledger.jobs[job.position])

    def would_serve(self, cluster: Cluster, job: Job) -> bool:
        """See `Machine.would_serve`: a job needs a node for each of its tasks."""
        assert isinstance(cluster.resource, Slots)
        return job.processors <= int(np.count_nonzero(cluster.resource.mask_serving(cluster.now, job)))

    def forecast(self, job: Job) -> Forecast:
        """See `Leaf.forecast`: by the estimator, but no start before enough nodes are known to be open."""
        forecast = self.forecasts.forecast(job, self.slots.site)
        if not self.ledger.scenario.changes.are_any:
            return forecast
        now = self.ledger.now
        return forecast._replace(wait=max(forecast.wait, self.slots.opening(job, now) - now))

    def enter(self, job: Job) -> None:
        """See `Leaf.enter`; beside other sites, the job gets what its tasks demand of slots."""
        if self.adds_demands:
            job = self.ledger.jobs[job.position] = job._replace(demand=slot_demand(job))
        if not self.is_dispatched:
            job = self.ledger.jobs[job.position] = self.group.adapt(job, self.slots.site)
        super().enter(job)

    def withdraw(self, job: Job) -> None:
        """See `Leaf.withdraw`."""
        super().withdraw(job)
        if not self.is_dispatched:
            self.group.note_withdrawal(job, self.slots.site)

    def planned_schedule(self, job: Job | None) -> list[Planned]:
        """See `Leaf.planned_schedule`: from a simulation of the queue, as the analytic estimators do."""
        cluster = self.cluster
        jobs, times = self.view.predict_all(job)
        # Events that never happen in the simulation are at infinity.
        starts, ends = (np.nan_to_num(column, nan=np.inf).tolist() for column in (times.start, times.end))
        plan = [Planned(*planned) for planned in zip(jobs, starts, ends, strict=True)]
        count = len(cluster.running)
        running = [
            planned._replace(start=cluster.dispatches.first_start(planned.job)) for planned in plan[:count]
        ]
        running, waiting = map(self._cut_planned, (running, plan[count:]))
        rest = sorted(waiting, key=lambda p: (p.start, p.job.position))
        return [*sorted(running, key=lambda p: (p.end, p.job.position)), *rest]

    def _cut_planned(self, plan: list[Planned]) -> list[Planned]:
        """Return the planned jobs with ends at their cuts at the latest."""
        last = self._pace.last_end
        return [one._replace(end=min(one.end, last(one.job.position, one.start))) for one in plan]

    def freeze(self) -> FrozenCluster:
        """See `Leaf.freeze`."""
        return FrozenCluster(self)

    def occupied_nodes(self, job: Job) -> int:
        """See `Leaf.occupied_nodes`."""
        nodes, slots = self.group.nodes, self.slots
        return sum(
            nodes.use[slots.first_node + node].is_active for node in slots.nodes_for(job, self.cluster.now)
        )

    def memory_use(self) -> float:
        """See `Leaf.memory_use`: by tasks and owners; 0 for infinite memory; of nodes in service, if any."""
        nodes = self.group.nodes
        here = nodes.of(self.slots.site)
        shares = nodes.held[here] / nodes.all_memory[here]
        owners = [use.memory for use in nodes.use[here]]
        if self.slots.changes and (up := self.slots.mask_serving(self.ledger.now)).any():
            shares, owners = shares[up], np.array(owners)[up].tolist()
        return float(shares.mean()) + sum(owners) / len(shares)

    def fullest_node(self) -> int:
        """See `Leaf.fullest_node`."""
        here = self.group.nodes.of(self.slots.site)
        return max(map(self.group.nodes.tasks, range(here.start, here.stop)))

    def _next_planned_end(self) -> float:
        """Return the next planned end after now of a running job that does not stand still."""
        outlook = self._pace.outlook
        moving = (end for end, position, _ in self.cluster.running if outlook(position) < math.inf)
        # A job that has stood still until now may have had its planned end meanwhile.
        return max(next(moving, math.inf), math.nextafter(self.cluster.now, math.inf))

    def decide(self) -> None:
        """See `System.decide`."""
        # A queue that was empty until now has ignored planned ends.
        if self._looks_ahead and self.cluster.waiting:
            self._put_off()
        self.cluster.withdraw_late()
        super().decide()
        # Its queue may be in another order now.
        self.view.note_change()

    def owners_changed(self) -> None:
        """Look for room again after a change of owners; withdraw all reservations if it changes the room."""
        if self.slots.owners_changed():
            self.cluster.withdraw_all()

    def change_capacity(self, outage: Outage, *, down: bool) -> None:
        """See `System.change_capacity`."""
        super().change_capacity(outage, down=down)
        self.group.mark(self.slots.site)

    def _requeue(self, job: Job) -> None:
        """See `Machine._requeue`."""
        whole = self.ledger.jobs[job.position]
        if self.group.abandon(whole):
            self.cluster.waiting.add(whole)

    def _suspend(self, job: Job) -> None:
        """See `Machine._suspend`: a job of several clusters leaves all of them."""
        if self.group.spans(job.position):
            self.group.suspend(self.ledger.jobs[job.position])
        else:
            super()._suspend(job)

    def release(self, job: Job) -> None:
        """Release the slots of running `job`, or of a part of it, now."""
        self.cluster.release(job)
        self.cluster.note_end(job, self._dispatches.progress_of(job.position, self.cluster.now))

    def _place_of(self, job: Job) -> Place:
        """See `Machine._place_of`: the nodes of its tasks."""
        return self.group.place_of(job)

    def _waits_again(self, job: Job, place: Place) -> None:
        """See `Machine._waits_again`: if a part of a job does, all of it."""
        super()._waits_again(self.ledger.jobs[job.position], place)
        self.forecasts.note_change(self.slots.site)

    def _tell_start(self, job: Job) -> None:
        """See `Machine._tell_start`; what delivers jobs notes it and tells observers."""
        self._livelock.note_start()
        if self._predictions is not None:
            self._predictions.note_start(job.position)
        for started in self.on_start:
            started(job, self._index)
        if not self.is_dispatched:
            self.group.note_start(job, self.slots.site)


class FrozenCluster(FrozenLeaf):
    """`FrozenLeaf` of shared nodes: a status of one instant, and estimates stored when first asked for.

    The status (jobs, memory, tasks in nodes, room for a job) is that of the instant it was asked for. An
    estimate of a job is made by the cluster itself, which knows its state, when it is first asked for; the
    same answer is given until the next status.

    Parameters
    ----------
    machine : SlotMachine
        As it is now.

    Notes
    -----
    The source stores estimates without an end. Here a new status drops them, since rules that choose again
    when the state has changed would else never see another one.

    **Cost**: O(nodes of all clusters) per status. **Source**: M-CISNE thesis, appendices A.3.1 and A.3.3.
    """

    def __init__(self, machine: SlotMachine) -> None:
        twin = machine.cluster.copy()
        assert isinstance(twin.resource, Slots)
        twin.resource.know(machine.group.nodes.copy())
        super().__init__(
            machine,
            machine.planned_schedule,
            lambda job: machine.would_start(twin, job),
            lambda job: machine.would_serve(twin, job),
        )
        self._forecasts: dict[int, Forecast] = {}
        self._occupied: dict[int, int] = {}
        self._plans: dict[int, list[Planned]] = {}

    def forecast(self, job: Job) -> Forecast:
        """See `Member.forecast`: the stored estimate, else the estimator's present one."""
        if job.position not in self._forecasts:
            self._forecasts[job.position] = self._leaf.forecast(job)
        return self._forecasts[job.position]

    def occupied_nodes(self, job: Job) -> int:
        """See `Member.occupied_nodes`; stored with the estimate."""
        if job.position not in self._occupied:
            self._occupied[job.position] = self._leaf.occupied_nodes(job)
        return self._occupied[job.position]

    def planned_schedule(self, job: Job | None) -> list[Planned]:
        """See `Member.planned_schedule`; stored as estimates are."""
        key = -1 if job is None else job.position
        if key not in self._plans:
            self._plans[key] = self._plan(job)
        return list(self._plans[key])
