"""SiteView: one cluster as estimators see it, and the pictures that simulations of its queue begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from echelon.engine.multicluster.nodes import program_of
from echelon.engine.multicluster.picture import Picture
from echelon.model import Forecast
from echelon.policies import NoBackfill

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.multicluster.machine import SlotMachine
    from echelon.engine.multicluster.nodes import SharedNodes
    from echelon.engine.multicluster.pace import Pace
    from echelon.model import Job
    from echelon.model.columns import FloatColumn
    from echelon.policies.estimators.forecast import Slowdown


class Projected(Protocol):
    """Starts and ends of a picture's jobs, in seconds."""

    @property
    def start(self) -> FloatColumn:
        """Of each job; nan of the running ones, and of those that never start."""

    @property
    def end(self) -> FloatColumn:
        """Of each job; nan of those that never end."""


class Projector(Protocol):
    """Whoever simulates a cluster's queue: the reference engine or its compiled twin."""

    def __call__(self, picture: Picture, *, to_the_end: bool = False) -> Projected:
        """Return when the jobs of `picture` start and end, at least the last of them."""


class SiteView:
    """What `echelon.policies.estimators.forecast.ClusterView` promises, answered from a `SlotMachine`.

    What jobs have done so far is measured, so the share of its work that is left of a running job is right;
    what slows it down besides the occupation of nodes and links is not known.

    Parameters
    ----------
    machine : SlotMachine
        The cluster.
    nodes : SharedNodes
        Of all clusters.
    pace : Pace
        Of all jobs.
    run_time : sequence of float
        Of each job alone on dedicated nodes, in seconds, by position.
    project : Projector
        Who simulates.
    """

    def __init__(
        self,
        machine: SlotMachine,
        nodes: SharedNodes,
        pace: Pace,
        *,
        run_time: Sequence[float],
        project: Projector,
    ) -> None:
        self._machine, self._nodes, self._pace = machine, nodes, pace
        self._run_time, self._project = run_time, project
        self.site = machine.cluster.site
        self.nodes = len(nodes.clusters[self.site])
        self.mpl = nodes.clusters[self.site].contract.mpl
        self.now = 0.0
        # Under other backfillings jobs that fit mostly start, too.
        self._overtake = not isinstance(machine.cluster.scenario.policy.scheduler, NoBackfill)

    @property
    def waiting(self) -> Sequence[Job]:
        """See `ClusterView.waiting`."""
        return tuple(self._machine.cluster.waiting.jobs)

    @property
    def waiting_work(self) -> float:
        """See `ClusterView.waiting_work`."""
        return sum(map(self._work, self._machine.cluster.waiting.jobs))

    def dedicated_time(self, job: Job) -> float:
        """See `ClusterView.dedicated_time`."""
        return self._run_time[job.position]

    def one_by_one(self, job: Job) -> Forecast:
        """Return when `job` would run alone at once if it fits, else when all others have run one by one."""
        cluster, alone = self._machine.cluster, self.dedicated_time(job)
        if cluster.fits(job):
            return Forecast(0.0, alone)
        before = (*self._running, *cluster.waiting.jobs)
        return Forecast(sum(self.dedicated_time(other) for other in before), alone)

    def mpl_of(self, job: Job) -> int:
        """See `ClusterView.mpl_of`."""
        cluster = self._machine.cluster
        if not cluster.fits(job):
            return 1
        return 1 + max(self._nodes.tasks(cluster.first_node + node) for node in cluster.nodes_for(job))

    def simulate(self, job: Job, slowdown: Slowdown | None = None) -> Forecast | None:
        """See `ClusterView.simulate`."""
        found = self._project(self.picture(job, slowdown))
        start, end = float(found.start[-1]), float(found.end[-1])
        return None if np.isnan(end) else Forecast(start - self.now, end - start)

    def whole(self, job: Job | None) -> tuple[list[Job], Projected]:
        """Return the running and waiting jobs, `job` last if there is one, and when all start and end."""
        jobs = [*self._running, *self._machine.cluster.waiting.jobs, *([job] if job else [])]
        return jobs, self._project(self.picture(job, None), to_the_end=True)

    @property
    def _running(self) -> list[Job]:
        return [running.job for running in self._machine.cluster.running]

    def picture(self, job: Job | None, slowdown: Slowdown | None) -> Picture:
        """Return the cluster as it is now, with `job` last in its queue if there is one."""
        cluster, nodes, here = self._machine.cluster, self._nodes, self._nodes.of(self.site)
        running = self._running
        jobs = [*running, *cluster.waiting.jobs, *([job] if job else [])]
        programs = [program_of(each) for each in jobs]
        alone = np.array([self._run_time[each.position] for each in jobs], dtype=np.float64)
        shares = np.array([program.compute_share for program in programs], dtype=np.float64)
        progress = [self._pace.running[each.position] for each in running]
        mine = [
            [node - here.start for node in each.nodes if here.start <= node < here.stop] for each in progress
        ]
        spread = [len(each.nodes) > 1 for each in progress]
        spread += [each.processors > 1 for each in jobs[len(running) :]]
        table = np.zeros((0, 0))
        if slowdown is not None:
            table = np.array([[slowdown(each, m) for m in range(1, self.mpl + 1)] for each in jobs])
        return Picture(
            now=self.now,
            processors=nodes.processors[here],
            power=nodes.power[here],
            memory=np.maximum(cluster.memory - nodes.taken_beyond[here], 0.0),
            link=nodes.link[here],
            ceiling=nodes.ceiling[here],
            tasks=self.mpl - cluster.cores,
            mpl=self.mpl,
            running=len(running),
            left=np.array(
                [*(each.left_at(self.now) for each in progress), *[1.0] * (len(jobs) - len(running))]
            ),
            compute_time=alone * shares,
            communication_time=alone - alone * shares,
            size=np.array([each.processors for each in jobs], dtype=np.int64),
            task_memory=np.array([program.memory for program in programs], dtype=np.float64),
            task_bandwidth=np.array(
                [program.bandwidth if apart else 0.0 for program, apart in zip(programs, spread, strict=True)]
            ),
            first_node=np.concatenate(([0], np.cumsum([len(each) for each in mine]))).astype(np.int64),
            nodes=np.array([node for each in mine for node in each], dtype=np.int64),
            overtake=self._overtake,
            slowdown=table,
        )

    def _work(self, job: Job) -> float:
        return job.processors * self._run_time[job.position] * program_of(job).compute_share
