"""Several global queues against a slow program that shares no code with Echelon and knows only whole seconds.

Sites are counts of processors without queues of their own (limit 0). The program follows the pages: a job
joins the first queue that takes it; each queue in turn sends what its rule allows; then sites start what they
got; again, until nothing is sent. A site that has got a job in a turn takes no other one in it.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

import echelon as ec
from budgets import examples


@dataclass
class Task:
    """A job of the slow program."""

    number: int
    submit: int
    run: int
    size: int
    kind: int
    start: int = -1
    site: int = -1


TAKES = {
    "small(tasks(most=1)); big": (lambda job: job.size <= 1, lambda job: True),
    "big(tasks(least=3)); short(time(most=4)); rest": (
        lambda job: job.size >= 3, lambda job: job.run <= 4, lambda job: True,
    ),
    "x(type(1)); y(type(2)); z": (lambda job: job.kind == 1, lambda job: job.kind == 2, lambda job: True),
    "odd(type(1), tasks(most=2)); all": (lambda job: job.kind == 1 and job.size <= 2, lambda job: True),
}  # fmt: skip
"""Words of queues, and the same as functions."""


class Slow:
    """Plays a run, second by second."""

    def __init__(self, jobs, sizes, takes, order, *, overtakes, apart):
        self.jobs, self.sizes, self.takes = jobs, sizes, takes
        self.order, self.overtakes, self.apart = order, overtakes, apart
        self.queues = [[] for _ in takes]
        self.running = [[] for _ in sizes]
        self.next_queue = 0
        self.joined = []

    def play(self):
        """Return the start and the site of every job."""
        now = 0
        while any(job.start < 0 for job in self.jobs):
            self.running = [[job for job in here if job.start + job.run > now] for here in self.running]
            for job in self.jobs:
                if job.submit == now:
                    self.joined.append(job.number)
                    next(q for q, takes in zip(self.queues, self.takes, strict=True) if takes(job)).append(
                        job
                    )
            while self.turn(now):
                pass
            now += 1
        return [(job.start, job.site) for job in self.jobs]

    def served(self):
        """Return the numbers of the queues in the order of this turn."""
        numbers = [n for n, queue in enumerate(self.queues) if queue]
        if self.order == "rotating":
            return sorted(numbers, key=lambda n: (n - self.next_queue) % len(self.queues))
        if self.order == "oldest":
            return sorted(numbers, key=lambda n: self.joined.index(self.queues[n][0].number))
        return numbers

    def turn(self, now):
        """Let each queue send what it can once; return whether anything was sent."""
        sent = {}
        for number in self.served():
            for job in list(self.queues[number]):
                takers = [
                    site for site in range(len(self.sizes)) if site not in sent and self.has_room(job, site)
                ]
                if takers:
                    site = min(takers, key=lambda site: (len(self.running[site]), self.sizes[site], site))
                    sent[site] = job
                    self.queues[number].remove(job)
                    self.next_queue = (number + 1) % len(self.queues)
                elif not self.overtakes:
                    break
        for site, job in sent.items():
            job.start, job.site = now, site
            self.running[site].append(job)
        return bool(sent)

    def has_room(self, job, site):
        """Return whether a site has the processors, and runs no job of the same kind where that matters."""
        here = self.running[site]
        free = self.sizes[site] - sum(other.size for other in here)
        return job.size <= free and not (self.apart and any(other.kind == job.kind for other in here))


ROW = st.tuples(st.integers(0, 15), st.integers(1, 9), st.integers(1, 4), st.integers(1, 3))


@examples(150)
@given(
    st.lists(ROW, min_size=1, max_size=18),
    st.lists(st.integers(2, 5), min_size=1, max_size=3),
    st.sampled_from(sorted(TAKES)),
    st.sampled_from(("listed", "rotating", "oldest")),
    st.tuples(st.booleans(), st.booleans()),
)
def test_several_queues_are_those_of_a_slow_program(rows, sizes, spec, order, rules):
    """Start for start and site for site: three orders, two rules, with and without a site filter."""
    overtakes, apart = rules
    rows = [row for row in sorted(rows) if row[2] <= max(sizes)]
    if not rows:
        return
    jobs = [Task(number, *row) for number, row in enumerate(rows)]
    expected = Slow(jobs, sizes, TAKES[spec], order, overtakes=overtakes, apart=apart).play()
    submit, run, size, kind = zip(*rows, strict=True)
    found = ec.simulate(
        ec.Workload.from_columns(
            submit_time=submit, run_time=run, requested_time=run, processors=size, executable=kind
        ),
        platform=sizes, broker="ml", queues=spec, queue_order=order, queue_limit=0,
        global_queue="fpfs" if overtakes else "fcfs", site_filter="not-running:same" if apart else "none",
    ).schedule  # fmt: skip
    assert list(zip(found.start_time.tolist(), found.site.tolist(), strict=True)) == expected


@pytest.mark.parametrize(("order", "expected"), [("listed", [0, 5, 10]), ("rotating", [0, 10, 5])])
def test_the_slow_program_by_hand(order, expected):
    """One processor, jobs of 5 s at 0, 1 and 2, of kinds 1, 1 and 2: it is y's turn after job 0 of x."""
    jobs = [Task(0, 0, 5, 1, 1), Task(1, 1, 5, 1, 1), Task(2, 2, 5, 1, 2)]
    slow = Slow(jobs, [1], TAKES["x(type(1)); y(type(2)); z"], order, overtakes=False, apart=False)
    assert [start for start, _ in slow.play()] == expected
