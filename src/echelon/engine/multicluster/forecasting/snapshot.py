"""Snapshot: the present state of one cluster, as its monitors show it, for estimators that simulate it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.engine.multicluster.sharing.nodes import program_of
from echelon.policies import capabilities

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.engine.multicluster.machine import SlotMachine
    from echelon.engine.multicluster.shared_rates import SharedRates
    from echelon.engine.multicluster.sharing.nodes import SharedNodes
    from echelon.model import Job
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.estimators.forecast import Slowdown


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """Nodes, running jobs and waiting jobs of one cluster.

    Jobs are numbered: first the `running` jobs, then the waiting jobs in queue order; the job to be forecast
    is last.

    Parameters
    ----------
    now : float
        Time of the snapshot, in seconds.
    processors : FloatColumn, shape (n_nodes,)
        Processors of each node for parallel tasks, without those that its owner takes and the contract keeps.
    power : FloatColumn, shape (n_nodes,)
        Relative power P.
    memory : FloatColumn, shape (n_nodes,)
        Bytes that further tasks may take now, >= 0.
    link : FloatColumn, shape (n_nodes,)
        Capacity of each node's link for parallel tasks, without local traffic, in bytes a second, > 0.
    ceiling : FloatColumn, shape (n_nodes,)
        Limit of their demand on it by the contract, in bytes a second.
    tasks : IntColumn, shape (n_nodes,)
        Parallel tasks there now.
    mpl : int
        Largest number of tasks in a node, by the contract.
    running : int
        Number of running jobs.
    left : FloatColumn, shape (n_jobs,)
        Remaining share of each job's work, 0 to 1.
    compute_time, communication_time : FloatColumn, shape (n_jobs,)
        T^p and T^c of the whole job on dedicated nodes, in seconds.
    size : IntColumn, shape (n_jobs,)
        Nodes that each job needs in this cluster.
    task_memory, task_bandwidth : FloatColumn, shape (n_jobs,)
        Memory of each task, in bytes, and its demand on its node's link, in bytes a second (0 for a single
        task).
    first_node : IntColumn, shape (running + 1,)
        Start of each running job's nodes in `nodes`; the last entry is their number.
    nodes : IntColumn
        Nodes of the running jobs, ascending for each job.
    overtake : bool
        Whether any waiting job that fits starts (first-fit); otherwise the first that does not fit blocks.
    slowdown : FloatColumn, shape (n_jobs, mpl) or (0, 0)
        T / (T^p + T^c) of each job by the largest number of tasks in one of its nodes (column m - 1 for m);
        empty: by SP and SC.
    by_use : bool, default False
        Whether tasks share processors by use, not by count.
    """

    now: float
    processors: FloatColumn
    power: FloatColumn
    memory: FloatColumn
    link: FloatColumn
    ceiling: FloatColumn
    tasks: IntColumn
    mpl: int
    running: int
    left: FloatColumn
    compute_time: FloatColumn
    communication_time: FloatColumn
    size: IntColumn
    task_memory: FloatColumn
    task_bandwidth: FloatColumn
    first_node: IntColumn
    nodes: IntColumn
    overtake: bool
    slowdown: FloatColumn
    by_use: bool = False


class _ClusterState(NamedTuple):
    """The state between two changes in the cluster; columns of jobs have room for one more."""

    jobs: list[Job]
    running: int
    left: FloatColumn
    since: FloatColumn
    whole: FloatColumn
    compute_time: FloatColumn
    communication_time: FloatColumn
    size: IntColumn
    task_memory: FloatColumn
    task_bandwidth: FloatColumn
    first_node: IntColumn
    nodes: IntColumn
    memory: FloatColumn
    tasks: IntColumn


class SnapshotCache:
    """Makes a `Snapshot` of a cluster whenever an estimator simulates its queue.

    Parameters
    ----------
    machine, nodes, pace, run_time
        See `SiteView`.

    Notes
    -----
    Cost: O(tasks of running jobs + waiting jobs + nodes) after a change, otherwise O(jobs) in arrays.
    """

    def __init__(
        self, machine: SlotMachine, nodes: SharedNodes, pace: SharedRates, run_time: Sequence[float]
    ) -> None:
        cluster, self._slots = machine.cluster, machine.slots
        self._by_use = pace.shares_by_use
        self._cluster, self._nodes, self._pace, self._run_time = cluster, nodes, pace, run_time
        self._here = nodes.of(self._slots.site)
        self._mpl = nodes.clusters[self._slots.site].contract.mpl
        # Under a scheduler that lets jobs overtake, jobs that fit mostly start.
        self._overtake = capabilities(cluster.policy.scheduler).overtakes
        self._state: _ClusterState | None = None

    def forget(self) -> None:
        """Note that something has changed in the cluster."""
        self._state = None

    def take(
        self,
        now: float,
        job: Job | None,
        slowdown: Slowdown | None = None,
        *,
        barred: NDArray[np.bool_] | None = None,
    ) -> Snapshot:
        """Return a snapshot of the cluster, with `job` last in its queue if there is one.

        It is valid until the next snapshot is taken. No task is placed in nodes that are `barred`, shape
        (n_nodes,); default: none are.
        """
        state = self._state = self._state or self._look()
        count = len(state.jobs) + (job is not None)
        if job is not None:
            self._put(state, len(state.jobs), job)
        left = np.ones(count)
        # A job that stands still has an infinite whole: nothing is taken off.
        gone = (now - state.since) / state.whole
        left[: len(state.jobs)] = state.left
        # What is not yet paid of a switch counts as work.
        np.maximum(left[: state.running] - gone, 0.0, out=left[: state.running])
        nodes, here = self._nodes, self._here
        return Snapshot(
            now=now,
            processors=nodes.processors[here],
            power=nodes.power[here],
            memory=state.memory,
            link=nodes.link[here],
            # Below 0 a node has room for no task, as if its link were full.
            ceiling=nodes.ceiling[here] if barred is None else np.where(barred, -1.0, nodes.ceiling[here]),
            tasks=state.tasks,
            mpl=self._mpl,
            running=state.running,
            left=left,
            compute_time=state.compute_time[:count],
            communication_time=state.communication_time[:count],
            size=state.size[:count],
            task_memory=state.task_memory[:count],
            task_bandwidth=state.task_bandwidth[:count],
            first_node=state.first_node,
            nodes=state.nodes,
            overtake=self._overtake,
            slowdown=self._table([*state.jobs, *([job] if job else [])], slowdown),
            by_use=self._by_use,
        )

    def _look(self) -> _ClusterState:
        """Return the cluster's jobs and nodes until the next change."""
        cluster, here = self._cluster, self._here
        # By position: planned ends, by which the cluster keeps them, may be corrected at any time.
        running = sorted((running.job for running in cluster.running), key=lambda job: job.position)
        jobs = [*running, *cluster.waiting.jobs]
        progress = [self._pace.running[job.position] for job in running]
        mine = [[node - here.start for node in p.nodes if here.start <= node < here.stop] for p in progress]
        room = len(jobs) + 1
        state = _ClusterState(
            jobs,
            len(running),
            np.array(
                [*(p.left for p in progress), *map(self._pace.share_left, cluster.waiting.jobs)],
                dtype=np.float64,
            ),
            np.array([p.since for p in progress], dtype=np.float64),
            np.array([p.pace for p in progress], dtype=np.float64),
            np.empty(room),
            np.empty(room),
            np.empty(room, dtype=np.int64),
            np.empty(room),
            np.empty(room),
            np.concatenate(([0], np.cumsum([len(each) for each in mine]))).astype(np.int64),
            np.array([node for each in mine for node in each], dtype=np.int64),
            np.maximum(self._slots.memory - self._nodes.taken_beyond[here], 0.0),
            self._mpl - self._slots.cores,
        )
        # The slots of nodes that are down are held, but by no tasks.
        state.tasks[list(self._slots.down)] = 0
        for place, job in enumerate(jobs):
            self._put(state, place, job)
        for place, each in enumerate(progress):
            # A part of a job of several clusters talks to the others, too.
            if len(each.nodes) > 1:
                state.task_bandwidth[place] = program_of(each.job).bandwidth
        return state

    def _put(self, state: _ClusterState, place: int, job: Job) -> None:
        program, alone = program_of(job), self._run_time[job.position]
        computing = alone * program.compute_share
        state.compute_time[place], state.communication_time[place] = computing, alone - computing
        state.size[place], state.task_memory[place] = job.processors, program.memory
        state.task_bandwidth[place] = program.bandwidth if job.processors > 1 else 0.0

    def _table(self, jobs: list[Job], slowdown: Slowdown | None) -> FloatColumn:
        if slowdown is None:
            return np.zeros((0, 0))
        return np.array([[slowdown(job, m) for m in range(1, self._mpl + 1)] for job in jobs])
