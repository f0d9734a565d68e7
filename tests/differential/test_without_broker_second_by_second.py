"""Sites without a broker against a third program, as naive as can be: every second is tried.

It was written from the definitions alone and shares nothing with the engines: processors are counted anew
for each question, sets are made from the equations, publications are looked for among all seconds.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from echelon.engine import compiled, reference
from echelon.engine.contract import Scenario
from echelon.model import Instance, Platform
from echelon.policies import broker_named, policy
from echelon.testing import crowd

ENGINES = {"reference": reference.simulate, "compiled": compiled.simulate}


class Naive:
    """A grid, second by second."""

    def __init__(self, instance, rule, *, latency=0, refresh=0, **options):
        self.sizes = instance.platform.sizes.tolist()
        self.submit, self.run, self.plan, self.size = (
            column.astype(int).tolist()
            for column in (instance.submit_time, instance.run_time, instance.planned_time, instance.size)
        )
        self.rule, self.latency, self.refresh, self.options = rule, latency, refresh, options
        self.jobs = range(len(self.submit))
        self.home = [next(i for i, s in enumerate(self.sizes) if s >= size) for size in self.size]
        self.start, self.site = {}, {}

    def schedule(self):
        """Return start and site of every job."""
        now = 0
        while len(self.start) < len(self.submit):
            self.now = now
            ended = any(self.start[j] + self.run[j] == now for j in self.start)
            came = any(self.submit[j] == now for j in self.jobs)
            # A publication matters only for a job that others do not know of yet.
            told = self.refresh > 0 and now % self.refresh == 0
            news = told and any(now - self.refresh < self.submit[j] < now for j in self.waiting())
            if ended or came or news:
                getattr(self, self.rule)(**self.options)
            now += 1
        return [(self.start[j], self.site[j]) for j in self.jobs]

    def waiting(self):
        return sorted(
            (j for j in self.jobs if self.submit[j] <= self.now and j not in self.start),
            key=lambda j: (self.submit[j], j),
        )

    def known(self, site):
        last = self.now if not self.refresh else self.now // self.refresh * self.refresh
        return [j for j in self.waiting() if self.home[j] == site or self.submit[j] <= last]

    def free(self, site, at=None, ends="run"):
        """Return free processors of a site, now or later by plan."""
        at, last = self.now if at is None else at, getattr(self, ends)
        there = [j for j in self.start if self.site[j] == site and self.start[j] + self.run[j] > self.now]
        return self.sizes[site] - sum(self.size[j] for j in there if self.start[j] + last[j] > at)

    def take(self, job, site):
        assert self.size[job] <= self.free(site)
        self.start[job] = self.now + (self.latency if self.home[job] != site else 0)
        self.site[job] = site

    # Exchange and the common pool.

    def exchange(self, algorithm, always=False):
        started = []
        for site in range(len(self.sizes)):
            mine = [j for j in self.waiting() if self.submit[j] == self.now and self.home[j] == site]
            started.append(getattr(self, algorithm)(site, mine))
        for site in range(len(self.sizes)):
            if always or not started[site]:
                getattr(self, algorithm)(site, self.known(site))

    def pool(self):
        for site in range(len(self.sizes)):
            self.list(site, self.known(site))

    def list(self, site, queue):
        """Start the first that fits, again and again from the beginning."""
        started = 0
        while fitting := [j for j in queue if j not in self.start and self.size[j] <= self.free(site)]:
            self.take(fitting[0], site)
            started += 1
        return started

    def fcfs(self, site, queue):
        started = 0
        for job in (j for j in queue if self.size[j] <= self.sizes[site]):
            if self.size[job] > self.free(site):
                break
            self.take(job, site)
            started += 1
        return started

    def easy(self, site, queue):
        started = self.fcfs(site, queue)
        rest = [j for j in queue if j not in self.start and self.size[j] <= self.sizes[site]]
        if not rest:
            return started
        head = self.size[rest[0]]
        shadow = next(t for t in range(self.now, 10**9) if self.free(site, t, "plan") >= head)
        extra = self.free(site, shadow, "plan") - head
        for job in rest[1:]:
            end = self.now + (self.latency if self.home[job] != site else 0) + self.plan[job]
            if self.size[job] > self.free(site) or (end > shadow and self.size[job] > extra):
                continue
            self.take(job, site)
            started += 1
            if end > shadow:
                extra -= self.size[job]
        return started

    # Stealing.

    def stealing(self, percent, order="AHB", best=False, first_list=False):
        while sum(self.turn(site, percent, order, best, first_list) for site in range(len(self.sizes))):
            pass

    def turn(self, site, percent, order, best, first_list):
        """Let a site start all it can; return whether it started any."""
        started = False
        while True:
            lists = [self.set_of(name, site, site, percent) for name in order]
            own = next((jobs for jobs in lists if jobs), None)
            if own is None:
                stolen = [
                    self.set_of(name, victim, site, percent) for victim in range(site)[::-1] for name in order
                ]
                stolen = [jobs for jobs in stolen if jobs]
                if not first_list:
                    stolen = [jobs for jobs in stolen if min(self.size[j] for j in jobs) <= self.free(site)]
                own = stolen[0] if stolen else []
            fitting = [j for j in own if self.size[j] <= self.free(site)]
            if not fitting:
                return started
            widest = max(self.size[j] for j in fitting)
            self.take(next(j for j in fitting if not best or self.size[j] == widest), site)
            started = True

    def set_of(self, name, of, thief, percent):
        """Return the jobs that the thief knows of in a set, by the equations."""
        s, before = self.sizes[of], self.sizes[of - 1] if of else 0
        part = Fraction(percent) * s / 100
        belongs = {
            "A": lambda size: max(part, before) < size <= s,
            "B": lambda size: before < size <= part,
            "H": lambda size: part < size <= before,
        }[name]
        return [j for j in self.known(thief) if belongs(self.size[j])]


RULES = {
    **{f"exchange:{name}": ("exchange", {"algorithm": name}) for name in ("fcfs", "easy", "list")},
    "exchange:easy:takes=always": ("exchange", {"algorithm": "easy", "always": True}),
    "common-pool": ("pool", {}),
    **{f"stealing:{x}": ("stealing", {"percent": x}) for x in (0, 25, 50, 100)},
    "stealing:50:fit=best-fit": ("stealing", {"percent": 50, "best": True}),
    "stealing:50:steals=first-list": ("stealing", {"percent": 50, "first_list": True}),
    "stealing:75:sets=BHA": ("stealing", {"percent": 75, "order": "BHA"}),
}

costs = st.sampled_from(((0, 0), (0, 0), (3, 0), (0, 7), (2, 20), (1, 1)))


@pytest.mark.parametrize("words", RULES)
@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32 - 1),
    sizes=st.sampled_from(((4,), (4, 8), (3, 3, 9), (2, 5, 6, 10))),
    load=st.sampled_from((0.7, 1.2, 3.0)),
    cost=costs,
)
def test_three_programs_agree(words, seed, sizes, load, cost):
    """Both engines start every job when and where the naive program does."""
    platform = Platform.of_sizes(sizes)
    case = crowd(seed, 14, processors=platform.largest, load=load * platform.processors / platform.largest)
    instance = Instance.of(case.workload, platform)
    rule, options = RULES[words]
    latency, refresh = cost
    expected = Naive(instance, rule, latency=latency, refresh=refresh, **options).schedule()
    broker = broker_named(f"{words}:latency={latency}:refresh={refresh}")
    for name, simulate in ENGINES.items():
        found = simulate(Scenario(instance, policy("fcfs"), broker=broker))
        pairs = list(zip(found.start_time.astype(int).tolist(), found.site.tolist(), strict=True))
        assert pairs == expected, name
        assert np.array_equal(found.start_time, found.start_time.astype(int))
