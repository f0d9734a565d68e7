"""Preemptive policies on nodes against a program that lists every task, by the rules as they are printed.

The program goes from one instant to the next in exact fractions. It keeps no groups of tasks, no heap and no
copies of a machine: who is where is a list, what is free is counted afresh for every question, and which jobs
go together is found by trying. It shares no code with the engine. All numbers are sums of powers of two, so
that the engine's are exact, too, and ties are ties in both.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
import pytest

from budgets import IN_FULL
from echelon.engine import reference
from echelon.engine.contract import Scenario
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.system_model import NodeLevelMachine
from echelon.execution import execution_named
from echelon.model import (
    Cluster,
    Core,
    Demand,
    Demands,
    Hardware,
    Instance,
    Node,
    Processor,
    TaskGroup,
    Workload,
)
from echelon.policies import Policy, PreemptivePriority, RoundRobin, ShortestRemainingTimeFirst
from echelon.policies.order.one_formula import shortest_first
from echelon.policies.placement import placement_named

NEVER = Fraction(10**9)


@dataclass
class Job:
    """A job with its tasks, each with the operations that it has left; 0: it has ended."""

    number: int
    submit: Fraction
    operations: Fraction
    left: list[Fraction]
    memory: float
    in_one_node: bool
    planned: Fraction
    cuts: bool
    cores: dict[int, int] = field(default_factory=dict)  # of the tasks that hold one
    begin: Fraction = Fraction(0)
    had: Fraction = Fraction(0)
    """How long it has held cores, without switches."""
    stays: list[list[Fraction]] = field(default_factory=list)

    @property
    def remaining(self):
        """Planned time left: the share of its longest task, and no more than it may still hold cores."""
        rest = max(self.left) / self.operations * self.planned
        return min(rest, self.planned - self.had) if self.cuts else rest

    @property
    def asks(self):
        """Tasks that need a core, most work first: those of a job in one node give theirs back."""
        tasks = [t for t, rest in enumerate(self.left) if rest or not self.in_one_node]
        return sorted(tasks, key=lambda t: (-self.left[t], t))

    def cut_at(self, now):
        return max(now, self.begin) + self.planned - self.had if self.cuts else NEVER


class Machine:
    """Nodes with cores of their own speeds, and who is on which core."""

    def __init__(self, nodes, jobs, rule, switch, *, fill):
        self.speed, self.node_of, self.memory = [], [], [memory for _, memory in nodes]
        for number, (speeds, _) in enumerate(nodes):
            self.speed += speeds
            self.node_of += [number] * len(speeds)
        self.coming, self.there, self.now = list(jobs), [], Fraction(0)
        self.rule, self.switch, self.fill = rule, Fraction(switch), fill

    def run(self):
        while self.coming or self.there:
            then = min(self.instants())
            for job in self.there:
                self.work(job, then)
            self.now = then
            for job in list(self.there):
                self.end(job)
            arrived = [job for job in self.coming if job.submit == self.now]
            self.coming = [job for job in self.coming if job.submit > self.now]
            self.there += arrived
            # While no job waits nobody decides, and a row that has ended gives way at the next submission.
            if not all(job.cores for job in self.there):
                self.change(self.rule(self, arrived))

    def instants(self):
        yield from (job.submit for job in self.coming)
        yield self.rule.turn_ends(self)
        for job in self.there:
            if job.cores:
                yield job.cut_at(self.now)
                going = [t for t in job.cores if job.left[t]]
                yield from (max(self.now, job.begin) + job.left[t] / self.speed[job.cores[t]] for t in going)

    def work(self, job, then):
        spell = max(Fraction(0), then - max(self.now, job.begin))
        if job.cores:
            job.had += spell
        for task, core in job.cores.items():
            job.left[task] = max(Fraction(0), job.left[task] - spell * self.speed[core])

    def end(self, job):
        if job.cores and (not any(job.left) or self.now >= job.cut_at(self.now)):
            self.there.remove(job)
            job.cores, job.stays[-1][1] = {}, self.now
        elif job.in_one_node:
            job.cores = {task: core for task, core in job.cores.items() if job.left[task]}

    def place(self, job, taken, tasks=None):
        """Return the cores of so many tasks beside what is taken (job, cores), lowest first, or None."""
        tasks = len(job.asks) if tasks is None else tasks
        busy = {core for _, cores in taken for core in cores}
        idle = [core for core in range(len(self.speed)) if core not in busy]
        room = dict(enumerate(self.memory))
        for other, cores in taken:
            for core in cores:
                room[self.node_of[core]] -= other.memory
        found = []
        for node in room:
            mine = [core for core in idle if self.node_of[core] == node]
            if job.memory:
                mine = mine[: int(room[node] // job.memory)] if room[node] < NEVER else mine
            if job.in_one_node and len(mine) < tasks:
                continue
            found += mine
        return found[:tasks] if len(found) >= tasks else None

    def together(self, jobs):
        """Return where waiting jobs go if the running ones among `jobs` stay, or None if they cannot all."""
        taken = [(job, list(job.cores.values())) for job in jobs if job.cores]
        where = {}
        for job in jobs:
            if not job.cores:
                if (cores := self.place(job, taken)) is None:
                    return None
                where[job.number] = cores
                taken.append((job, cores))
        return where

    def afresh(self, jobs):
        """Return whether the jobs, with all their tasks, go together on the empty machine."""
        taken = []
        for job in jobs:
            if (cores := self.place(job, taken, len(job.left))) is None:
                return False
            taken.append((job, cores))
        return True

    def kept(self, ordered):
        """Return who runs: by precedence, whoever goes together with those before."""
        kept = []
        for job in ordered:
            if self.together([*kept, job]) is not None:
                kept.append(job)
            elif not self.fill:
                break
        return kept

    def change(self, kept):
        where = self.together(kept)
        for job in self.there:
            if job.cores and job not in kept:
                job.cores, job.stays[-1][1] = {}, self.now
        for job in kept:
            if not job.cores:
                tasks = job.asks
                job.cores = dict(zip(tasks, where[job.number], strict=True))
                job.begin = self.now + self.switch
                job.stays.append([self.now, None])


class ByKey:
    """Whoever has the smallest keys; who runs before who waits, then who came first."""

    def __init__(self, key):
        self.key = key

    def turn_ends(self, machine):
        return NEVER

    def __call__(self, machine, arrived):
        return machine.kept(
            sorted(machine.there, key=lambda job: (self.key(job), not job.cores, job.submit, job.number))
        )


class Turns:
    """Rows of jobs that would go together on the empty machine; the first has the turn."""

    def __init__(self, quantum):
        self.quantum, self.rows, self.ends, self.row = Fraction(quantum), [], None, None

    def turn_ends(self, machine):
        waits = any(not job.cores for job in machine.there)
        return self.ends if self.ends is not None and waits and self.ends > machine.now else NEVER

    def __call__(self, machine, arrived):
        lost = self.row is None or not any(job in machine.there for job in self.row)
        self.rows = [[job for job in row if job in machine.there] for row in self.rows]
        self.rows = [row for row in self.rows if row]
        while not lost and self.ends < machine.now:
            self.ends += self.quantum
        for job in arrived:
            room = [row for row in self.rows if machine.afresh([*row, job])]
            if room:
                room[0].append(job)
            else:
                self.rows.append([job])
        if not lost and len(self.rows) > 1 and machine.now >= self.ends:
            self.rows, lost = [*self.rows[1:], self.rows[0]], True
        if lost:
            first = machine.kept(self.rows[0])
            pays = any(not job.cores for job in first)
            self.ends = machine.now + (machine.switch if pays else 0) + self.quantum
        self.row = list(self.rows[0])
        rows = self.rows if machine.fill else self.rows[:1]
        return machine.kept([job for row in rows for job in row])


def drawn(rng, kill):
    """Return nodes as (speeds, memory), and jobs as the program keeps them, each of which has room alone."""
    nodes = [
        (
            [Fraction(int(rng.choice([1, 2, 4]))) for _ in range(rng.integers(1, 4))],
            float(rng.choice([4, 8, np.inf])),
        )
        for _ in range(rng.integers(1, 5))
    ]
    jobs, empty = [], Machine(nodes, (), None, 0, fill=True)
    for _ in range(rng.integers(2, 14)):
        operations = Fraction(int(rng.choice([4, 8, 16, 32])))
        job = Job(
            len(jobs),
            Fraction(int(rng.integers(0, 24))),
            operations,
            [operations] * int(rng.integers(1, len(empty.speed) + 1)),
            float(rng.choice([0, 1, 2, 4])),
            bool(rng.random() < 0.5),
            Fraction(int(operations * rng.choice([0.5, 1, 2]))),
            cuts=kill,
        )
        if empty.place(job, []) is not None:
            jobs.append(job)
    jobs.sort(key=lambda job: job.submit)
    return nodes, [replace(job, number=number) for number, job in enumerate(jobs)]


def instance_of(nodes, jobs, estimates):
    """Return the instance of these jobs; one operation takes a core of speed 1 a second."""
    hardware = Hardware(
        (
            Cluster(
                tuple(
                    Node((Processor(tuple(Core(float(speed)) for speed in speeds)),), memory=memory)
                    for speeds, memory in nodes
                )
            ),
        )
    )
    demands = [
        Demand(
            (TaskGroup(len(job.left), float(job.operations), memory=job.memory),), sequential=job.in_one_node
        )
        for job in jobs
    ]
    table = Workload.from_columns(
        submit_time=[float(job.submit) for job in jobs],
        run_time=[1.0] * len(jobs),
        requested_time=[float(job.planned) for job in jobs],
        processors=[len(job.left) for job in jobs],
    )
    made = Instance.of(replace(table, demands=Demands.of(demands)), hardware, estimates=estimates)
    return replace(made, planned_time=np.array([float(job.planned) for job in jobs]))


RULES = {
    "srtf": lambda quantum: ByKey(lambda job: job.remaining),
    "priority": lambda quantum: ByKey(lambda job: job.planned),
    "turns": Turns,
}


def policy_of(rule, quantum, **shared):
    if rule == "turns":
        return RoundRobin(quantum=float(quantum), **shared)
    return (
        ShortestRemainingTimeFirst(**shared)
        if rule == "srtf"
        else PreemptivePriority(order=shortest_first, **shared)
    )


SEEDS = 300 if IN_FULL else 30


@pytest.mark.parametrize("estimates", ["raise", "kill"])
@pytest.mark.parametrize("rule", RULES)
def test_suspended_jobs_resume_where_there_is_room(rule, estimates):
    """Every stay of every job is that of the plain program, on nodes of unequal speeds and memories."""
    suspended = 0
    for seed in range(SEEDS):
        rng = np.random.default_rng([seed, *map(ord, rule + estimates)])
        nodes, jobs = drawn(rng, estimates == "kill")
        if not jobs:
            continue
        instance = instance_of(nodes, jobs, estimates)
        switch, quantum = float(rng.choice([0, 0, 1, 2])), int(rng.choice([1, 2, 4, 8]))
        fill = bool(rng.random() < 0.7)
        plain = Machine(nodes, jobs, RULES[rule](quantum), switch, fill=fill)
        plain.run()
        rules = NodeRules(placement_named("first-fit"), execution_named("speed"))
        policy = Policy.of(backfill=policy_of(rule, quantum, switch=switch, fill=fill))
        schedule = reference.simulate(Scenario(instance, policy, system_model=NodeLevelMachine(rules)))
        found = list(zip(*(column.tolist() for column in schedule.holding), strict=True))
        expected = [
            (job.number, float(start), float(end)) for job in jobs for start, end in job.stays if start < end
        ]
        assert found == expected, seed
        ran = [float(job.had) for job in jobs]
        assert schedule.instance.run_time.tolist() == ran, seed
        suspended += len(found) - len(jobs)
    assert suspended > SEEDS / 2
