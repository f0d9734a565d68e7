"""Pictures: takes pictures of one cluster, retaking only what has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.engine.multicluster.nodes import program_of
from echelon.engine.multicluster.picture import Picture
from echelon.policies import capabilities

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.multicluster.cluster import SlotCluster
    from echelon.engine.multicluster.nodes import SharedNodes
    from echelon.engine.multicluster.pace import Pace
    from echelon.model import Job
    from echelon.model.columns import FloatColumn, IntColumn
    from echelon.policies.estimators.forecast import Slowdown


class _Scene(NamedTuple):
    """What stays from one change in the cluster to the next; columns of jobs have room for one more."""

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


class Pictures:
    """Makes a `Picture` of a cluster whenever an estimator simulates its queue.

    Parameters
    ----------
    cluster : SlotCluster
        The cluster.
    nodes : SharedNodes
        Of all clusters.
    pace : Pace
        Of all jobs.
    run_time : sequence of float
        Of each job alone on dedicated nodes, in seconds, by position.

    Notes
    -----
    Cost: O(tasks of running jobs + waiting jobs + nodes) after a change, else O(jobs) in arrays.
    """

    def __init__(
        self, cluster: SlotCluster, nodes: SharedNodes, pace: Pace, run_time: Sequence[float]
    ) -> None:
        self._by_use = pace.shares_by_use
        self._cluster, self._nodes, self._pace, self._run_time = cluster, nodes, pace, run_time
        self._here = nodes.of(cluster.site)
        self._mpl = nodes.clusters[cluster.site].contract.mpl
        # Under a scheduler that lets jobs overtake, those that fit mostly start.
        self._overtake = capabilities(cluster.scenario.policy.scheduler).overtakes
        self._scene: _Scene | None = None

    def forget(self) -> None:
        """Take note that something has changed in the cluster."""
        self._scene = None

    def take(self, now: float, job: Job | None, slowdown: Slowdown | None = None) -> Picture:
        """Return the cluster as it is now, with `job` last in its queue if there is one.

        What it holds is good until the next picture is taken.
        """
        scene = self._scene = self._scene or self._look()
        count = len(scene.jobs) + (job is not None)
        if job is not None:
            self._put(scene, len(scene.jobs), job)
        left = np.ones(count)
        # A job that stands still has an infinite whole: nothing is taken off.
        gone = (now - scene.since) / scene.whole
        np.maximum(scene.left - gone, 0.0, out=left[: scene.running])
        nodes, here = self._nodes, self._here
        return Picture(
            now=now,
            processors=nodes.processors[here],
            power=nodes.power[here],
            memory=scene.memory,
            link=nodes.link[here],
            ceiling=nodes.ceiling[here],
            tasks=scene.tasks,
            mpl=self._mpl,
            running=scene.running,
            left=left,
            compute_time=scene.compute_time[:count],
            communication_time=scene.communication_time[:count],
            size=scene.size[:count],
            task_memory=scene.task_memory[:count],
            task_bandwidth=scene.task_bandwidth[:count],
            first_node=scene.first_node,
            nodes=scene.nodes,
            overtake=self._overtake,
            slowdown=self._table([*scene.jobs, *([job] if job else [])], slowdown),
            by_use=self._by_use,
        )

    def _look(self) -> _Scene:
        """Return the cluster's jobs and nodes as they are until something changes."""
        cluster, here = self._cluster, self._here
        # By position: planned ends, by which the cluster keeps them, may be corrected at any time.
        running = sorted((running.job for running in cluster.running), key=lambda job: job.position)
        jobs = [*running, *cluster.waiting.jobs]
        progress = [self._pace.running[job.position] for job in running]
        mine = [[node - here.start for node in p.nodes if here.start <= node < here.stop] for p in progress]
        room = len(jobs) + 1
        scene = _Scene(
            jobs,
            len(running),
            np.array([p.left for p in progress], dtype=np.float64),
            np.array([p.since for p in progress], dtype=np.float64),
            np.array([p.whole for p in progress], dtype=np.float64),
            np.empty(room),
            np.empty(room),
            np.empty(room, dtype=np.int64),
            np.empty(room),
            np.empty(room),
            np.concatenate(([0], np.cumsum([len(each) for each in mine]))).astype(np.int64),
            np.array([node for each in mine for node in each], dtype=np.int64),
            np.maximum(cluster.memory - self._nodes.taken_beyond[here], 0.0),
            self._mpl - cluster.cores,
        )
        for place, job in enumerate(jobs):
            self._put(scene, place, job)
        for place, each in enumerate(progress):
            # A part of a job of several clusters talks to the others, too.
            if len(each.nodes) > 1:
                scene.task_bandwidth[place] = program_of(each.job).bandwidth
        return scene

    def _put(self, scene: _Scene, place: int, job: Job) -> None:
        program, alone = program_of(job), self._run_time[job.position]
        computing = alone * program.compute_share
        scene.compute_time[place], scene.communication_time[place] = computing, alone - computing
        scene.size[place], scene.task_memory[place] = job.processors, program.memory
        scene.task_bandwidth[place] = program.bandwidth if job.processors > 1 else 0.0

    def _table(self, jobs: list[Job], slowdown: Slowdown | None) -> FloatColumn:
        if slowdown is None:
            return np.zeros((0, 0))
        return np.array([[slowdown(job, m) for m in range(1, self._mpl + 1)] for job in jobs])
