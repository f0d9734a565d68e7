"""Preemptive policies against a program that decides again in every second, by the rules as they are printed.

The program knows no events: in each second it takes jobs that come, decides who holds the processors, and
lets each of them work for a second. It shares no code with the engine; times are whole seconds.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate
from echelon.model import Instance, Workload
from echelon.policies import Policy, PreemptivePriority, RoundRobin, ShortestRemainingTimeFirst
from echelon.policies.order.one_formula import shortest_first

QUEUES = st.integers(-1, 2)
check = examples(150)


@st.composite
def instances(draw):
    """Return up to 12 jobs of whole seconds, many at once, on 1 to 5 processors."""
    processors = draw(st.integers(1, 5))
    job = st.tuples(
        st.integers(0, 12),
        st.integers(1, 9),
        st.integers(1, processors),
        st.integers(0, 6),
        st.integers(-1, 2),
    )
    submit, run, size, more, queue = zip(*draw(st.lists(job, min_size=1, max_size=12)), strict=True)
    request = [one + other for one, other in zip(run, more, strict=True)]
    table = Workload.from_columns(
        submit_time=submit, run_time=run, processors=size, requested_time=request, queue=queue
    )
    return Instance.of(table, processors, estimates=draw(st.sampled_from(("raise", "exact"))))


class Clerk:
    """One job, as the program keeps it."""

    def __init__(self, instance, position):
        self.position = position
        self.submit = int(instance.submit_time[position])
        self.left = int(instance.run_time[position])
        self.planned = int(instance.planned_time[position])
        self.base = int(instance.planned_time[position])
        self.queue = int(instance.workload.int_column("queue")[position])
        self.size = int(instance.size[position])
        self.waited = self.owed = 0
        self.runs = False


def seconds_held(instance, choose, switch):
    """Return, for each second, the positions of the jobs that hold processors in it."""
    coming = sorted((Clerk(instance, i) for i in range(len(instance))), key=lambda job: job.submit)
    there, held, now = [], [], 0
    while coming or there:
        arrived = [job for job in coming if job.submit == now]
        coming = [job for job in coming if job.submit > now]
        there += arrived
        chosen = choose(there, arrived, now) if there else []
        for job in there:
            if job in chosen and not job.runs:
                job.owed = switch
            job.runs = job in chosen
            job.waited += not job.runs
            if job.runs and job.owed:
                job.owed -= 1
            elif job.runs:
                job.left -= 1
                job.planned -= 1
        held.append(sorted(job.position for job in chosen))
        there = [job for job in there if job.left]
        now += 1
    return held


def packed(jobs, processors, *, fill):
    """Return those of `jobs`, first things first, that fit side by side."""
    kept = []
    for job in jobs:
        if sum(other.size for other in kept) + job.size <= processors:
            kept.append(job)
        elif not fill:
            break
    return kept


def by_key(key, processors, *, fill):
    """Return a rule: whoever has the smallest keys; who runs before who waits, then who came first."""

    def choose(there, arrived, now):
        ordered = sorted(there, key=lambda job: (key(job), not job.runs, job.submit, job.position))
        return packed(ordered, processors, fill=fill)

    return choose


class Turns:
    """Round robin: a list of rows, the first of which has the turn for some more seconds."""

    def __init__(self, processors, quantum, switch, *, fill):
        self.processors, self.quantum, self.switch, self.fill = processors, quantum, switch, fill
        self.rows, self.seconds, self.row = [], 0, None

    def __call__(self, there, arrived, now):
        # Everybody held a processor in the second before: nobody looked at the clock, and turns went on.
        lost = self.row is not None and not any(job in there for job in self.row)
        self.rows = [[job for job in row if job in there] for row in self.rows]
        self.rows = [row for row in self.rows if row]
        for job in sorted(arrived, key=lambda job: job.position):
            room = [row for row in self.rows if sum(one.size for one in row) + job.size <= self.processors]
            if room:
                room[0].append(job)
            else:
                self.rows.append([job])
        fresh = self.row is None or lost
        if not fresh and self.seconds == 0:
            if len(self.rows) > 1 and any(not job.runs for job in there):
                self.rows = [*self.rows[1:], self.rows[0]]
                fresh = True
            else:
                self.seconds = self.quantum
        if fresh:
            self.seconds = self.quantum + (self.switch if any(not job.runs for job in self.rows[0]) else 0)
        self.row = self.rows[0]
        self.seconds -= 1
        others = [job for row in self.rows[1:] for job in row] if self.fill else []
        return packed([*self.rows[0], *others], self.processors, fill=True)


def engine_seconds(instance, scheduler):
    """Return, for each second, who holds processors under the engine."""
    schedule = simulate(Scenario(instance, Policy.of(backfill=scheduler)))
    columns = [column.astype(int).tolist() for column in schedule.holding]
    held = [[] for _ in range(int(schedule.end_time.max()))]
    for job, start, end in zip(*columns, strict=True):
        for second in range(start, end):
            held[second].append(job)
    return [sorted(jobs) for jobs in held]


@check
@given(instance=instances(), switch=st.sampled_from((0, 0, 1, 3)), fill=st.booleans())
def test_srtf(instance, switch, fill):
    """Looking only at submissions and ends chooses the same jobs as looking every second."""
    rule = by_key(lambda job: job.planned, instance.processors, fill=fill)
    scheduler = ShortestRemainingTimeFirst(switch=switch, fill=fill)
    assert engine_seconds(instance, scheduler) == seconds_held(instance, rule, switch)


@check
@given(instance=instances(), switch=st.sampled_from((0, 0, 1, 3)), fill=st.booleans())
def test_priority_by_queue(instance, switch, fill):
    """Without aging priorities stand still, so here, too, looking at events is enough."""
    rule = by_key(lambda job: job.queue if job.queue >= 0 else 1, instance.processors, fill=fill)
    scheduler = PreemptivePriority(switch=switch, fill=fill)
    assert engine_seconds(instance, scheduler) == seconds_held(instance, rule, switch)


@check
@given(instance=instances(), aging=st.sampled_from((0.25, 1, 4)), fill=st.booleans())
def test_priority_with_aging(instance, aging, fill):
    """With a review every second it is the same as deciding every second."""
    rule = by_key(lambda job: job.base - aging * job.waited, instance.processors, fill=fill)
    scheduler = PreemptivePriority(order=shortest_first, aging=aging, review=1, fill=fill)
    assert engine_seconds(instance, scheduler) == seconds_held(instance, rule, 0)


@check
@given(
    instance=instances(),
    quantum=st.integers(1, 6),
    switch=st.sampled_from((0, 0, 1, 3)),
    fill=st.booleans(),
)
def test_round_robin(instance, quantum, switch, fill):
    """Rows and turns, counted down second by second."""
    rule = Turns(instance.processors, quantum, switch, fill=fill)
    scheduler = RoundRobin(quantum=quantum, switch=switch, fill=fill)
    assert engine_seconds(instance, scheduler) == seconds_held(instance, rule, switch)
