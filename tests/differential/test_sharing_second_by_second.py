"""Sites without a broker against a program that looks at every second, by the rules as they are printed.

The program shares no code with the engines; times are whole seconds. Each site is a list of who holds its
processors until when, really and by plan; all who wait stand in one list.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate
from echelon.engine.system_model import tree_of_sites
from echelon.model import Instance, Platform, Workload
from echelon.policies import broker_named, policy

check = examples(60)


@dataclass
class Task:
    name: int
    submit: int
    run: int
    plan: int
    size: int
    home: int
    start: int | None = None
    site: int | None = None


@dataclass
class Grid:
    sizes: list[int]
    latency: int
    refresh: int
    waiting: list[Task] = field(default_factory=list)
    holding: list[Task] = field(default_factory=list)

    def free(self, site):
        return self.sizes[site] - sum(task.size for task in self.holding if task.site == site)

    def knows(self, site, task, now):
        if task.home == site or not self.refresh:
            return True
        return task.submit <= now // self.refresh * self.refresh

    def known(self, site, now):
        return [task for task in self.waiting if self.knows(site, task, now)]

    def begin(self, task, site, now):
        assert task.size <= self.free(site)
        self.waiting.remove(task)
        task.site, task.start = site, now + (self.latency if site != task.home else 0)
        self.holding.append(task)

    def free_by_plan(self, site, time):
        held = (task for task in self.holding if task.site == site and task.start + task.plan > time)
        return self.sizes[site] - sum(task.size for task in held)


def fcfs(grid, site, queue, now):
    for task in queue:
        if task.size > grid.sizes[site]:
            continue
        if task.size > grid.free(site):
            break
        grid.begin(task, site, now)


def anything(grid, site, queue, now):
    for task in queue:
        if task.size <= grid.free(site):
            grid.begin(task, site, now)


def easy(grid, site, queue, now):
    queue = [task for task in queue if task.size <= grid.sizes[site]]
    while queue and queue[0].size <= grid.free(site):
        grid.begin(queue.pop(0), site, now)
    if not queue:
        return
    head, shadow = queue[0], now
    while grid.free_by_plan(site, shadow) < head.size:
        shadow += 1
    extra = grid.free_by_plan(site, shadow) - head.size
    for task in queue[1:]:
        end = now + task.plan + (grid.latency if site != task.home else 0)
        if task.size <= grid.free(site) and (end <= shadow or task.size <= extra):
            extra -= task.size if end > shadow else 0
            grid.begin(task, site, now)


def exchange(apply, *, always=False):
    def decide(grid, arrived, now):
        busy = set()
        for site in range(len(grid.sizes)):
            own = [task for task in arrived if task.home == site]
            apply(grid, site, own, now)
            if any(task.start is not None for task in own):
                busy.add(site)
        for site in range(len(grid.sizes)):
            if always or site not in busy:
                apply(grid, site, grid.known(site, now), now)

    return decide


def common_pool(grid, arrived, now):
    for site in range(len(grid.sizes)):
        anything(grid, site, grid.known(site, now), now)


def stealing(threshold, order="AHB", *, best=False, first_list=False):
    def members(grid, name, i, tasks):
        own, below = grid.sizes[i], grid.sizes[i - 1] if i else 0
        much = threshold * own / 100
        test = {
            "A": lambda size: max(much, below) < size <= own,
            "B": lambda size: below < size <= much,
            "H": lambda size: much < size <= below,
        }[name]
        return [task for task in tasks if test(task.size)]

    def pick(tasks, free):
        fitting = [task for task in tasks if task.size <= free]
        if best:
            fitting.sort(key=lambda task: -task.size)
        return fitting[0] if fitting else None

    def following(grid, i, now):
        known, free = grid.known(i, now), grid.free(i)
        for name in order:
            if own := members(grid, name, i, known):
                return pick(own, free)
        for victim in range(i - 1, -1, -1):
            for name in order:
                theirs = members(grid, name, victim, known)
                chosen = pick(theirs, free)
                if chosen is not None or (theirs and first_list):
                    return chosen
        return None

    def decide(grid, arrived, now):
        while True:
            before = len(grid.waiting)
            for i in range(len(grid.sizes)):
                while grid.free(i) and (task := following(grid, i, now)) is not None:
                    grid.begin(task, i, now)
            if len(grid.waiting) == before:
                return

    return decide


RULES = {
    "exchange:fcfs": exchange(fcfs),
    "exchange:easy": exchange(easy),
    "exchange:list": exchange(anything),
    "exchange:easy:takes=always": exchange(easy, always=True),
    "common-pool": common_pool,
    "stealing:50": stealing(50),
    "stealing:0": stealing(0),
    "stealing:100": stealing(100),
    "stealing:25:fit=best-fit": stealing(25, best=True),
    "stealing:75:sets=BAH": stealing(75, "BAH"),
    "stealing:50:steals=first-list": stealing(50, first_list=True),
}


def play(jobs, homes, decide, grid):
    """Return start and site of each job, played second by second; only news makes sites decide."""
    tasks = [Task(k, *job, home) for k, (job, home) in enumerate(zip(jobs, homes, strict=True))]
    now = 0
    while any(task.start is None for task in tasks) or grid.holding:
        held = len(grid.holding)
        grid.holding = [task for task in grid.holding if task.start + task.run > now]
        arrived = [task for task in tasks if task.submit == now]
        grid.waiting += arrived
        period = grid.refresh
        publishes = period and not now % period and any(task.submit > now - period for task in grid.waiting)
        if arrived or publishes or len(grid.holding) < held:
            decide(grid, arrived, now)
        now += 1
        assert now < 100_000
    return [task.start for task in tasks], [task.site for task in tasks]


@st.composite
def grids(draw):
    """Return up to 14 jobs of whole seconds, many at once, up to 4 sites, and what communication costs."""
    sizes = sorted(draw(st.lists(st.integers(1, 8), min_size=1, max_size=4)))
    job = st.tuples(st.integers(0, 15), st.integers(1, 9), st.integers(0, 9), st.integers(1, sizes[-1]))
    jobs = sorted(draw(st.lists(job, min_size=1, max_size=14)), key=lambda job: job[0])
    partition = draw(st.lists(st.integers(0, len(sizes)), min_size=len(jobs), max_size=len(jobs)))
    costs = draw(st.sampled_from([(0, 0), (0, 0), (2, 0), (0, 5), (3, 4)]))
    return [(submit, run, run + more, size) for submit, run, more, size in jobs], sizes, partition, costs


@pytest.mark.parametrize("spec", RULES)
def test_sharing_is_what_a_person_would_play(spec):
    """Every arrangement, with and without the cost of communication, gives the played schedule."""

    @check
    @given(grids())
    def test(grid):
        jobs, sizes, partition, (latency, refresh) = grid
        submit, run, plan, size = zip(*jobs, strict=True)
        workload = Workload.from_columns(
            submit_time=submit, run_time=run, requested_time=plan, processors=size, partition=partition
        )
        platform = Platform.of_sizes(sizes)
        workload.names["partition"] = platform.names
        smallest = [next(i for i in range(len(sizes)) if sizes[i] >= one) for one in size]
        homes = smallest
        if not spec.startswith("stealing"):
            homes = [code - 1 if code else least for code, least in zip(partition, smallest, strict=True)]
        told = f"{spec}:latency={latency}:refresh={refresh}"
        scenario = Scenario(
            Instance.of(workload, platform), policy("fcfs"), system_model=tree_of_sites(broker_named(told))
        )
        found = simulate(scenario)
        expected = play(jobs, homes, RULES[spec], Grid(sizes, latency, refresh))
        assert (found.start_time.tolist(), np.asarray(found.site).tolist()) == expected
        assert np.asarray(found.home_site).tolist() == homes

    test()
