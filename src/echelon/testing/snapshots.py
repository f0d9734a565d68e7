"""Snapshots of one cluster, explicit or random, for queue predictions outside a simulation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.multicluster.forecasting.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from echelon.model.jobs.columns import FloatColumn


@dataclass(frozen=True, slots=True)
class SnapshotJob:
    """One job of a snapshot.

    Parameters
    ----------
    compute, communication : float
        T^p and T^c, in seconds.
    size : int, default 1
        Nodes it needs.
    nodes : tuple of int, default empty
        Nodes of a running job's tasks, ascending; their number is then its size.
    memory, bandwidth : float, default 0
        Demand of each task, in bytes and bytes per second.
    left : float, default 1
        Share of its work that is left.
    """

    compute: float
    communication: float = 0.0
    size: int = 1
    nodes: tuple[int, ...] = ()
    memory: float = 0.0
    bandwidth: float = 0.0
    left: float = 1.0


def snapshot_of(
    jobs: Sequence[SnapshotJob],
    *,
    power: ArrayLike,
    processors: ArrayLike = 1.0,
    memory: ArrayLike = math.inf,
    link: ArrayLike = math.inf,
    ceiling: ArrayLike = math.inf,
    mpl: int = 1,
    now: float = 0.0,
    overtake: bool = False,
    slowdown: ArrayLike = (),
    by_use: bool = False,
) -> Snapshot:
    """Return the snapshot of these jobs, the running ones first, on nodes of these figures.

    `power` gives the number of nodes; each other figure is one value for all nodes, or one per node. `memory`
    is the memory for further tasks. `slowdown` is the table of the snapshot, `by_use` how processors are
    shared.
    """
    running = [job for job in jobs if job.nodes]
    if any(job.nodes for job in jobs[len(running) :]):
        raise ValueError("running jobs come first")
    n_nodes = len(np.asarray(power))
    nodes = np.array([node for job in running for node in job.nodes], dtype=np.int64)
    table = np.asarray(slowdown, dtype=np.float64)

    def each(figure: ArrayLike) -> FloatColumn:
        return np.broadcast_to(np.asarray(figure, dtype=np.float64), n_nodes).copy()

    def column(name: str) -> FloatColumn:
        return np.array([getattr(job, name) for job in jobs], dtype=np.float64)

    return Snapshot(
        now=now,
        processors=each(processors),
        power=each(power),
        memory=each(memory),
        link=each(link),
        ceiling=each(ceiling),
        tasks=np.bincount(nodes, minlength=n_nodes).astype(np.int64),
        mpl=mpl,
        running=len(running),
        left=column("left"),
        compute_time=column("compute"),
        communication_time=column("communication"),
        size=np.array([len(job.nodes) or job.size for job in jobs], dtype=np.int64),
        task_memory=column("memory"),
        task_bandwidth=column("bandwidth"),
        first_node=np.cumsum([0, *(len(job.nodes) for job in running)], dtype=np.int64),
        nodes=nodes,
        overtake=overtake,
        slowdown=table if table.size else np.empty((0, 0)),
        by_use=by_use,
    )


def random_snapshot(
    seed: int,
    *,
    nodes: int,
    mpl: int,
    running: int,
    waiting: int,
    crowded: bool = True,
    table: bool = False,
    by_use: bool = False,
    overtake: bool = False,
    now: float = 0.0,
) -> Snapshot:
    """Return a random snapshot of this seed.

    Parameters
    ----------
    seed : int
        Equal seeds give equal snapshots.
    nodes, mpl : int
        Nodes, and most tasks in one, >= 1.
    running, waiting : int
        Jobs that run, as far as there is room for them, and that wait.
    crowded : bool, default True
        Whether memory, links and processors are scarce, so that each sometimes blocks a job, saturates or is
        missing; otherwise only the number of tasks is limited.
    table : bool, default False
        Whether there is a table of slowdowns.
    by_use, overtake, now
        As in `Snapshot`.
    """
    generator = np.random.default_rng(seed)
    short = {
        "processors": generator.choice([0.0, 0.5, 1.0, 2.0], nodes, p=[0.1, 0.2, 0.5, 0.2]),
        "memory": generator.integers(0, 100, nodes).astype(np.float64),
        "link": generator.choice([5.0, 10.0, 20.0, math.inf], nodes),
        "ceiling": generator.choice([15.0, 30.0, math.inf], nodes),
    }
    jobs = _running_jobs(generator, nodes=nodes, mpl=mpl, count=running)
    jobs += [_job(generator, size=_size(generator, nodes)) for _ in range(waiting)]
    return snapshot_of(
        jobs,
        power=generator.choice([0.5, 0.8, 1.0], nodes),
        **(short if crowded else {}),
        mpl=mpl,
        now=now,
        overtake=overtake,
        by_use=by_use,
        slowdown=1.0 + generator.random((len(jobs), mpl)).cumsum(axis=1) if table else (),
    )


def _running_jobs(generator: np.random.Generator, *, nodes: int, mpl: int, count: int) -> list[SnapshotJob]:
    tasks, jobs = np.zeros(nodes, dtype=np.int64), list[SnapshotJob]()
    for _ in range(count):
        able = np.flatnonzero(tasks < mpl)
        size = _size(generator, nodes)
        if len(able) >= size:
            where = np.sort(generator.choice(able, size, replace=False))
            tasks[where] += 1
            jobs.append(_job(generator, size=size, nodes=tuple(where.tolist()), left=generator.random()))
    return jobs


def _size(generator: np.random.Generator, nodes: int) -> int:
    return int(min(nodes, np.ceil(2.0 ** generator.uniform(0, math.log2(nodes)))))


def _job(
    generator: np.random.Generator, *, size: int, nodes: tuple[int, ...] = (), left: float = 1.0
) -> SnapshotJob:
    """Return a job of whole seconds, so that some end together, perhaps without any work."""
    return SnapshotJob(
        compute=float(generator.integers(0, 60)),
        communication=float(generator.integers(0, 40)) if size > 1 else 0.0,
        size=size,
        nodes=nodes,
        memory=float(generator.integers(0, 40)),
        bandwidth=float(generator.integers(0, 12)) if size > 1 else 0.0,
        left=left,
    )
