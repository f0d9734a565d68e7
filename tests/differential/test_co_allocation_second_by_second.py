"""Jobs in several clusters beside policies that suspend, against a program that looks at every second.

The program shares no code with the engine. Clusters are counts of equal nodes; a job that no cluster can hold
takes free nodes of the lowest clusters, and leaves all of them as soon as one of their policies drops it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine.reference import simulate
from echelon.model import SharedCluster, SocialContract, Workstation
from echelon.policies.coallocation import Span
from echelon.testing.multiclusters import cluster_case


@dataclass(frozen=True)
class LowestNodes:
    """Takes the first nodes that are offered, those of the lowest clusters."""

    name: ClassVar[str] = "lowest-nodes"

    def span(self, problem):
        """Return the lowest nodes."""
        return Span(tuple(range(problem.tasks)), 1.0, 0.0, proved=True, seconds=0.0)


@dataclass
class Task:
    name: int
    submit: int
    left: int
    size: int
    at: dict = field(default_factory=dict)
    home: int | None = None
    begin: int = 0
    start: int = 0
    suspended: int = -1
    held: list = field(default_factory=list)


class Labs:
    """The clusters, the queue above them, and who runs where."""

    def __init__(self, sizes, switch, fill):
        self.sizes, self.switch, self.fill = sizes, switch, fill
        self.queue, self.tasks = [], []

    def free(self, lab):
        return self.sizes[lab] - sum(task.at.get(lab, 0) for task in self.tasks)

    def begin(self, task, at, now):
        task.at, task.start, task.begin = at, now, now + self.switch

    def leave(self, task, now):
        if now > task.start:
            task.held.append((task.start, now, tuple(sorted(task.at.items()))))
        task.at = {}

    def dispatch(self, now):
        """Serve the queue from its head until one has to wait; return whether any was served."""
        served = False
        while self.queue:
            head = self.queue[0]
            homes = [lab for lab, size in enumerate(self.sizes) if size >= head.size]
            if homes:
                head.home = homes[0]
            else:
                at, left = {}, head.size
                for lab in range(len(self.sizes)):
                    if taken := min(left, self.free(lab)):
                        at[lab], left = taken, left - taken
                if left or head.suspended == now:
                    return served
                self.begin(head, at, now)
            self.queue.pop(0)
            served = True
        return served

    def choose(self, lab, now):
        """Let those with the least time left hold the nodes of a cluster; return whether that changes it."""
        mine = [task for task in self.tasks if task.home == lab and task not in self.queue]
        here = [*mine, *(task for task in self.tasks if task.home is None and lab in task.at)]
        if all(task.at for task in here):
            return False
        here.sort(key=lambda task: (task.left, lab not in task.at, task.submit, task.name))
        room, kept = self.sizes[lab], []
        for task in here:
            size = task.at.get(lab, task.size)
            if size <= room:
                kept.append(task)
                room -= size
            elif not self.fill:
                break
        dropped = [task for task in here if task.at and task not in kept]
        for task in dropped:
            self.leave(task, now)
            if task.home is None:
                task.suspended = now
                self.queue = sorted([*self.queue, task], key=lambda one: (one.submit, one.name))
        new = [task for task in kept if not task.at]
        for task in new:
            self.begin(task, {lab: task.size}, now)
        return bool(dropped or new)


def attempts_by_program(jobs, sizes, switch, fill):
    """Return when and with how many nodes of each cluster every job ran."""
    labs, now = Labs(sizes, switch, fill), 0
    coming = [Task(name, *job) for name, job in enumerate(jobs)]
    every = list(coming)
    while coming or labs.tasks:
        ended = [task for task in labs.tasks if task.at and not task.left]
        for task in ended:
            labs.leave(task, now)
            labs.tasks.remove(task)
        joined = [task for task in coming if task.submit == now]
        for task in joined:
            coming.remove(task)
            labs.tasks.append(task)
            labs.queue.append(task)
        changes = bool(ended or joined)
        while changes:
            served = labs.dispatch(now)
            chosen = [labs.choose(lab, now) for lab in range(len(sizes))]
            changes = served or any(chosen)
        for task in labs.tasks:
            task.left -= bool(task.at) and task.begin <= now
        now += 1
    return [task.held for task in every]


def attempts_of(schedule):
    """Return the same of a schedule, from the nodes of its tasks."""
    places = schedule.places
    start, end = places.times(schedule.start_time, schedule.end_time)
    counts = defaultdict(lambda: defaultdict(int))
    for job, site, since, to in zip(
        places.job.tolist(), places.site.tolist(), start.tolist(), end.tolist(), strict=True
    ):
        counts[job, since, to][site] += 1
    found = [[] for _ in range(len(schedule.instance))]
    for (job, since, to), at in sorted(counts.items()):
        found[job].append((since, to, tuple(sorted(at.items()))))
    return found


@st.composite
def crowds(draw):
    """Return up to twelve jobs of whole seconds, some for all clusters, and the sizes of these."""
    sizes = sorted(draw(st.lists(st.integers(1, 4), min_size=2, max_size=3)))
    job = st.tuples(st.integers(0, 12), st.integers(1, 9), st.integers(1, sum(sizes)))
    return sorted(draw(st.lists(job, min_size=1, max_size=12)), key=lambda one: one[0]), sizes


def scheduled(jobs, sizes, spec):
    """Return the schedule of jobs on clusters of these sizes, each of which has this policy."""
    clusters = [SharedCluster((Workstation(),) * size, SocialContract(mpl=1)) for size in sizes]
    case = cluster_case([(float(a), float(b), c) for a, b, c in jobs], clusters)
    return simulate(case.scenario(spec, broker="first-site", estimator="exact", co_allocation=LowestNodes()))


@examples(240)
@given(crowds(), st.sampled_from((0, 1, 2)), st.booleans())
def test_parts_are_suspended_and_resumed_together(crowd, switch, fill):
    """Every attempt of every job is that of the program, in as many nodes of the same clusters."""
    spec = f"srtf:switch={switch}:fill={'yes' if fill else 'no'}"
    expected = attempts_by_program(*crowd, switch, fill)
    assert attempts_of(scheduled(*crowd, spec)) == expected


def test_a_job_of_two_clusters_leaves_both_when_one_drops_it():
    """A shorter job takes its nodes of one cluster; it resumes at the end of that, with what it has left."""
    jobs = [(0, 10, 5), (2, 3, 2), (4, 20, 1)]
    # The third comes while the first waits for the second, which leaves it too few nodes.
    expected = [
        [(0.0, 2.0, ((0, 2), (1, 3))), (5.0, 13.0, ((0, 2), (1, 3)))],
        [(2.0, 5.0, ((0, 2),))],
        [(13.0, 33.0, ((0, 1),))],
    ]
    schedule = scheduled(jobs, [2, 3], "srtf")
    assert attempts_of(schedule) == expected == attempts_by_program(jobs, [2, 3], 0, fill=True)
    assert schedule.counts["preemptions"] == 1
    assert np.array_equal(schedule.instance.run_time, [10.0, 3.0, 20.0])
