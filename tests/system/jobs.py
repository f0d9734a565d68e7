"""The jobs of the matrix: two dozen, drawn once, of which several always wait."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import cache

import echelon as ec
from echelon.model import Application, Applications, Demand, Demands, TaskGroup

SPEED = 1e9
"""Operations a second of every core of the platforms."""

COMPUTE_SHARE = 0.8
"""Share of their time in which tasks compute that also communicate."""


@dataclass(frozen=True)
class Job:
    """One job as it was drawn.

    Parameters
    ----------
    submit, run, requested : float
        In seconds.
    size : int
        Processors; one task on each.
    user : int
        Whose it is.
    memory : float
        That each task holds, in bytes.
    moved : float
        That each task moves to and from memory, in bytes.
    after : tuple of (int, float), default empty
        Places of its predecessors, and the seconds after their ends.
    """

    submit: float
    run: float
    requested: float
    size: int
    user: int
    memory: float
    moved: float
    after: tuple[tuple[int, float], ...] = ()


GAPS = (0, 0, 0, 0, 1, 2)
"""Between two submissions, in seconds."""


def drawn(
    seed: int = 2, count: int = 24, *, largest: int = 8, gaps: tuple[int, ...] = GAPS
) -> tuple[Job, ...]:
    """Return jobs that come faster than any of the platforms can run them; some asked for too little time."""
    draw = random.Random(seed)
    time, found = 3.0, []
    for _ in range(count):
        time += draw.choice(gaps)
        run = float(draw.randint(1, 40))
        asked = max(1.0, run + draw.choice((-6, 0, 0, 5, 20, 60)))
        size = min(largest, draw.choice((1, 1, 2, 3, 4, 5, 6, 8)))
        moved = run * draw.choice((0.0, 0.5e9, 1.5e9, 2.5e9))
        found.append(Job(time, run, asked, size, draw.randint(1, 4), draw.choice((0.0, 0.5e9, 1.5e9)), moved))
    return tuple(found)


def in_a_graph(jobs: tuple[Job, ...]) -> tuple[Job, ...]:
    """Return the jobs where every fourth waits for two before it, with and without a think time."""
    return tuple(
        replace(job, after=((place - 3, 0.0), (place - 1, 4.0))) if place % 4 == 3 else job
        for place, job in enumerate(jobs)
    )


def wide(jobs: tuple[Job, ...], size: int) -> tuple[Job, ...]:
    """Return the jobs where every ninth is larger than any cluster."""
    return tuple(replace(job, size=size) if place % 9 == 4 else job for place, job in enumerate(jobs))


FORTY = drawn(seed=1, count=40, gaps=(0, 0, 0, 1, 2, 5))
JOBS = {
    "plain": drawn(),
    "tasks": drawn(),
    "programs": drawn(),
    "graph": in_a_graph(drawn()),
    "wide": wide(drawn(), 13),
    "narrow": drawn(largest=4),
    "forty": FORTY,
    "forty tasks": FORTY,
    "forty in a graph": in_a_graph(FORTY),
}
"""By name: a log without a word on tasks; with tasks that use memory and network; of MPI programs; in which
jobs wait for others; with jobs larger than a cluster; with jobs that one node can hold; and the forty jobs on
which something once went wrong."""


@cache
def workload(name: str) -> ec.Workload:
    """Return jobs as a workload; `tasks` and `programs` also say what each task demands."""
    jobs = JOBS[name]
    table = ec.Workload.from_columns(
        name=name,
        submit_time=[job.submit for job in jobs],
        run_time=[job.run for job in jobs],
        requested_time=[job.requested for job in jobs],
        processors=[job.size for job in jobs],
        user=[job.user for job in jobs],
    )
    if edges := [(before, place, delay) for place, job in enumerate(jobs) for before, delay in job.after]:
        before, after, delay = zip(*edges, strict=True)
        table = table.with_dependencies(before, after, delay=delay)
    if name in {"tasks", "forty tasks"}:
        table = replace(table, demands=Demands.of([demand(job) for job in jobs]))
    if name in {"programs", "wide"}:
        table = replace(table, applications=Applications.of([program(job) for job in jobs]))
    return table


def is_mpi(job: Job) -> bool:
    """Return whether the tasks of a job may be in several nodes; the small jobs of user 1 share memory."""
    return job.user != 1 or job.size > 4


def demand(job: Job) -> Demand:
    """Return tasks that hold memory and move bytes; MPI tasks also send 40 MB to each other."""
    group = TaskGroup(job.size, job.run * SPEED, job.memory, job.moved)
    if not is_mpi(job):
        return Demand((group,), sequential=True)
    return Demand((group,), communication_volume=40e6, compute_share=COMPUTE_SHARE)


def program(job: Job) -> Application:
    """Return a program that sends over its nodes' links."""
    return Application(f"p{job.user}", compute_share=COMPUTE_SHARE, memory=job.memory, bandwidth=2e6)
