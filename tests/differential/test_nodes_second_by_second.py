"""The engine of nodes against a program in exact fractions that asks everything again at every instant.

It was written from the rules as they are printed and shares nothing with the engine but the instance: no
bundles of tasks, no heap, no profile kept up. Every task has its operations left as a fraction, every rate is
worked out afresh, and what is free at a time is counted from a list of who holds what until when.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest

from budgets import IN_FULL
from echelon.engine import reference
from echelon.engine.contract import Scenario
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.system_model import NodeLevelMachine
from echelon.execution import execution_named, network_named
from echelon.model import (
    ESTIMATES,
    Cluster,
    Core,
    Demand,
    Demands,
    Hardware,
    Instance,
    MemoryCurveV1,
    Node,
    Processor,
    TaskGroup,
    Workload,
)
from echelon.policies import policy
from echelon.policies.placement import placement_named

CURVE = MemoryCurveV1(b=-1.85e-05, c=32000, da=1.75, db=2000, dc=50000, dd=6000)
BACKFILLINGS = {
    "fcfs": "none",
    "first-fit": "first_fit",
    "easy": "easy",
    "conservative": "conservative",
    "plan": "plan",
}
PLACEMENTS = ("first-fit", "best-fit", "worst-fit", "high-gigaflops", "best-fit:high-gigaflops")


@dataclass
class Task:
    """One task on its core."""

    job: int
    core: int
    left: Fraction
    speed: Fraction
    bandwidth: Fraction
    done: bool = False


class Naive:
    """One machine of nodes."""

    def __init__(self, instance, rule, order, names):
        self.hardware, self.rule, self.order = instance.hardware, rule, order
        self.place_spec, self.execution, self.network = names
        self.kills = instance.estimates == "kill"
        self.submit = [Fraction(t) for t in instance.submit_time.tolist()]
        self.run = [Fraction(t) for t in instance.run_time.tolist()]
        self.plan_time = [Fraction(t) for t in instance.planned_time.tolist()]
        self.demand = [instance.demands[j] for j in range(len(instance))]
        self.node_of = self.hardware.node_of_core.tolist()
        self.processor_of = self.hardware.processor_of_core.tolist()
        self.nodes = range(len(self.hardware.nodes))
        self.now, self.waiting, self.tasks = Fraction(0), [], []
        self.start, self.end, self.plan_end, self.spread, self.promise = {}, {}, {}, {}, {}
        self.held = {}

    def outcome(self):
        """Return start and end of every job."""
        arrivals = sorted(range(len(self.submit)), key=lambda j: (self.submit[j], j))
        while arrivals or self.waiting or self.held:
            self.advance_to(min(self.times(arrivals)))
            early = self.take_ends()
            late = [j for j in self.held if self.plan_end[j] <= self.now]
            outlooks = {j: self.outlook(j) for j in late}
            self.plan_end.update(outlooks)
            if late:
                self.promise.clear()
            while arrivals and self.submit[arrivals[0]] == self.now:
                self.waiting.append(arrivals.pop(0))
            self.waiting.sort(key=self.key)
            getattr(self, self.rule)(early)
        return [(self.start[j], self.end[j]) for j in range(len(self.submit))]

    def key(self, j):
        first = {"fcfs": 0, "shortest-first": self.plan_time[j], "largest-first": -self.demand[j].tasks}
        return (first[self.order], self.submit[j], j)

    # How fast tasks run.

    def times(self, arrivals):
        if arrivals:
            yield self.submit[arrivals[0]]
        for task, rate in self.rates():
            yield self.now + task.left / rate
        for j in self.held:
            if self.plan_end[j] > self.now:
                yield self.plan_end[j]
        for time, _ in self.promise.values():
            if time > self.now:
                yield time

    def advance_to(self, now):
        for task, rate in self.rates():
            task.left -= rate * (now - self.now)
        self.now = now

    def rates(self):
        """Return (task, operations a second) of all that run."""
        going = [task for task in self.tasks if not task.done]
        if self.execution == "fixed":
            return [(task, Fraction(1)) for task in going]
        return [(task, task.speed * self.factor(task, going)) for task in going]

    def factor(self, task, going):
        share = Fraction(self.demand[task.job].compute_share)
        return share * self.memory_factor(task, going) + (1 - share) * self.network_factor(task)

    def memory_factor(self, task, going):
        number = self.processor_of[task.core]
        beside = [other.bandwidth for other in going if self.processor_of[other.core] == number]
        asked, limit = sum(beside), Fraction(self.hardware.processors[number].memory_bandwidth)
        if self.execution == "memory-share":
            return limit / asked if asked > limit and task.bandwidth else Fraction(1)
        if self.execution == "memory-v1":
            return self.v1(float(asked) / 1e6, float(task.bandwidth) / 1e6, len(beside) - 1)
        return Fraction(1)

    @staticmethod
    def v1(asked, mine, others):
        u = (mine - (CURVE.da - others) * CURVE.db) / (CURVE.dc - others * CURVE.dd)
        step = 1 if u < 0 else 0 if u > 1 else 1 - u**3 * (6 * u**2 - 15 * u + 10)
        most = 0.6 * others
        floor = step * most / (1 + most) + 1 / (1 + most)
        if asked < CURVE.c:
            return Fraction(1)
        if asked > CURVE.c + (floor - 1) / CURVE.b:
            return Fraction(round(floor, 9))
        return Fraction(round(1 + CURVE.b * (asked - CURVE.c), 9))

    def network_factor(self, task):
        """Return S_c: a half in a node whose tasks with siblings elsewhere send more than its bandwidth."""
        node = self.node_of[task.core]
        if self.network == "none" or not self.talks(task.job):
            return Fraction(1)
        sent = sum(
            Fraction(self.demand[other.job].communication_volume)
            for other in self.tasks
            if self.node_of[other.core] == node and self.talks(other.job)
        )
        return Fraction(1, 2) if sent > self.hardware.nodes[node].network_bandwidth else Fraction(1)

    def talks(self, j):
        here = {self.node_of[task.core] for task in self.tasks if task.job == j}
        return not self.demand[j].sequential and len(here) > 1 and self.demand[j].communication_volume > 0

    def outlook(self, j):
        return max(self.now + task.left / rate for task, rate in self.rates() if task.job == j)

    # Ends.

    def take_ends(self):
        """End what ends now; return whether cores came back before their planned time."""
        early = False
        for task in self.tasks:
            task.done = task.done or task.left == 0
        for j in list(self.held):
            mine = [task for task in self.tasks if task.job == j]
            cut = self.kills and self.plan_end[j] <= self.now
            over = cut or all(task.done for task in mine)
            back = mine if over else [t for t in mine if t.done and self.demand[j].sequential]
            early = early or bool(back and self.plan_end[j] > self.now)
            for task in back:
                self.tasks.remove(task)
                self.held[j].remove(task.core)
            if over:
                del self.held[j]
                self.end[j] = self.now
        return early

    # What is free.

    def free(self, claims, begin, end):
        """Return free cores and memory of every node throughout [begin, end), of (job, spread, from, to)."""
        times = [begin, *(a for _, _, a, _ in claims if begin < a < end)]
        return [self.free_at(claims, time) for time in times]

    def free_at(self, claims, time):
        cores = self.hardware.node_cores.tolist()
        memory = self.hardware.node_memory.tolist()
        for j, spread, a, b in claims:
            if a <= time < b:
                for node, count in spread.items():
                    cores[node] -= count
                    memory[node] -= count * self.demand[j].memory
        return cores, memory

    @staticmethod
    def least(*rooms):
        cores = [min(column) for column in zip(*(cores for cores, _ in rooms), strict=True)]
        return cores, [min(column) for column in zip(*(memory for _, memory in rooms), strict=True)]

    def room_now(self):
        return self.free_at(self.running_claims(), self.now)

    def running_claims(self):
        return [
            (j, Counter(self.node_of[core] for core in cores), self.start[j], self.plan_end[j])
            for j, cores in self.held.items()
        ]

    def promised_claims(self):
        return [(j, spread, t, t + self.plan_time[j]) for j, (t, spread) in self.promise.items()]

    def earliest(self, claims, j):
        """Return the earliest time, and the nodes, at which `j` can be for its planned time."""
        for time in sorted({self.now, *(b for _, _, _, b in claims if b > self.now)}):
            room = self.least(*self.free(claims, time, time + self.plan_time[j]))
            if (cores := self.place(j, *room)) is not None:
                return time, Counter(self.node_of[core] for core in cores)
        raise AssertionError("a job that fits on the empty machine fits at last")

    # Where a job goes.

    def core_key(self, core):
        return (-self.hardware.core_speed[core] if "gigaflops" in self.place_spec else 0, core)

    def place(self, j, cores, memory, idle=None, *, free_choice=True):
        """Return the cores of `j`, of which each node gives `cores` at most; all are idle at a later time."""
        demand = self.demand[j]
        if idle is None:
            idle = range(self.hardware.cores)
        holds = [
            n if not demand.memory else min(n, int(m // demand.memory) if m < 1e300 else n)
            for n, m in zip(cores, memory, strict=True)
        ]
        mine = {n: sorted((c for c in idle if self.node_of[c] == n), key=self.core_key) for n in self.nodes}
        if demand.sequential:
            able = [n for n in self.nodes if holds[n] >= demand.tasks]
            return mine[self.in_order(able, cores, mine)[0]][: demand.tasks] if able else None
        if demand.nodes and free_choice:
            return self.evenly(demand, holds, cores, mine)
        if demand.tasks_per_node and free_choice:
            holds = [min(n, demand.tasks_per_node) for n in holds]
        if sum(holds) < demand.tasks:
            return None
        by_core = "fit" not in self.place_spec or self.place_spec.startswith("first-fit")
        given = Counter()
        taken = []
        for core in (
            sorted((c for n in self.nodes for c in mine[n]), key=self.core_key)
            if by_core
            else [c for n in self.in_order([n for n in self.nodes if holds[n]], cores, mine) for c in mine[n]]
        ):
            if given[self.node_of[core]] < holds[self.node_of[core]] and len(taken) < demand.tasks:
                given[self.node_of[core]] += 1
                taken.append(core)
        return taken

    def evenly(self, demand, holds, cores, mine):
        able = [n for n in self.nodes if holds[n] >= -(-demand.tasks // demand.nodes)]
        if len(able) < demand.nodes:
            return None
        whole, rest = divmod(demand.tasks, demand.nodes)
        chosen = self.in_order(able, cores, mine)[: demand.nodes]
        return [c for k, n in enumerate(chosen) for c in mine[n][: whole + (k < rest)]]

    def in_order(self, nodes, cores, mine):
        sign = {"best": 1, "worst": -1}.get(self.place_spec.split("-")[0], 0)
        return sorted(nodes, key=lambda n: (sign * cores[n], self.core_key(mine[n][0])))

    # What starts.

    def try_now(self, j, room=None):
        """Return the cores on which `j` would start now, or None."""
        busy = {core for cores in self.held.values() for core in cores}
        idle = [core for core in range(self.hardware.cores) if core not in busy]
        return self.place(j, *(room or self.room_now()), idle)

    def go(self, j, cores):
        self.waiting.remove(j)
        self.promise.pop(j, None)
        self.start[j], self.plan_end[j] = self.now, self.now + self.plan_time[j]
        self.held[j] = list(cores)
        groups = [group for group in self.demand[j].groups for _ in range(group.tasks)]
        for core, group in zip(cores, groups, strict=True):
            speed = Fraction(float(self.hardware.core_speed[core]))
            left = self.run[j] if self.execution == "fixed" else Fraction(group.operations)
            wanted = Fraction(group.memory_volume) * speed / Fraction(group.operations)
            self.tasks.append(Task(j, core, left, speed, wanted))

    def go_there(self, j, spread):
        """Start `j` in the nodes it was promised or planned in."""
        self.go(j, self.there(j, spread))

    def there(self, j, spread):
        """Return so many idle cores in these nodes."""
        cores, memory = self.room_now()
        there = [spread.get(n, 0) for n in self.nodes]
        assert all(a <= b for a, b in zip(there, cores, strict=True))
        busy = {core for held in self.held.values() for core in held}
        idle = [core for core in range(self.hardware.cores) if core not in busy]
        return self.place(j, there, memory, idle, free_choice=False)

    def none(self, early):
        while self.waiting and (cores := self.try_now(self.waiting[0])) is not None:
            self.go(self.waiting[0], cores)

    def first_fit(self, early):
        for j in list(self.waiting):
            if (cores := self.try_now(j)) is not None:
                self.go(j, cores)

    def easy(self, early):
        self.none(early)
        if not self.waiting:
            return
        head, *rest = self.waiting
        claims = self.running_claims()
        shadow, where = self.earliest(claims, head)
        then = self.free_at(claims, shadow)
        for j in rest:
            cores = self.try_now(j)
            if cores is None:
                continue
            if self.now + self.plan_time[j] > shadow:
                kept = self.place(head, *self.without(then, j, cores))
                if kept is None:
                    left = self.without(then, head, [], where)
                    found = self.place(j, *self.least(left, self.room_now()))
                    if found is None:
                        continue
                    cores = self.there(j, Counter(self.node_of[core] for core in found))
                    kept = self.place(head, *self.without(then, j, cores))
                    if kept is None:
                        continue
                then = self.without(then, j, cores)
                where = Counter(self.node_of[core] for core in kept)
            self.go(j, cores)

    def without(self, room, j, cores, spread=None):
        gone = spread or Counter(self.node_of[core] for core in cores)
        each = self.demand[j].memory
        return (
            [n - gone.get(node, 0) for node, n in enumerate(room[0])],
            [m - gone.get(node, 0) * each for node, m in enumerate(room[1])],
        )

    def conservative(self, early):
        held = [j for j in self.waiting if j in self.promise]
        for j in [*(held if early else []), *(j for j in self.waiting if j not in self.promise)]:
            before = self.promise.pop(j, None)
            found = self.earliest([*self.running_claims(), *self.promised_claims()], j)
            # Where it is moves only if it comes earlier.
            self.promise[j] = before if before is not None and before[0] <= found[0] else found
        for j in list(self.waiting):
            if self.promise[j][0] == self.now:
                self.go_there(j, self.promise[j][1])

    def plan(self, early):
        claims, due = self.running_claims(), []
        for j in self.waiting:
            time, spread = self.earliest(claims, j)
            claims.append((j, spread, time, time + self.plan_time[j]))
            if time == self.now:
                due.append((j, spread))
        for j, spread in due:
            self.go_there(j, spread)


def machine(rng):
    """Return a machine of 1 to 4 nodes of unequal processors."""
    clocks = [1.0, 2.0, 4.0] if rng.random() < 0.5 else [1.0]

    def processor():
        cores = tuple(Core(float(rng.choice(clocks))) for _ in range(rng.integers(1, 4)))
        return Processor(cores, memory_bandwidth=float(rng.choice([1e10, 4e10])), memory_curve=CURVE)

    def node():
        return Node(
            tuple(processor() for _ in range(rng.integers(1, 3))),
            memory=float(rng.choice([4, 8, np.inf])),
            network_bandwidth=float(rng.choice([4, 12])),
        )

    return Hardware((Cluster(tuple(node() for _ in range(rng.integers(1, 5)))),))


def demand(rng, hardware):
    """Return what a job asks for, which need not fit."""
    sequential = bool(rng.random() < 0.5)
    tasks = int(rng.integers(1, hardware.cores + 1))
    sizes = [tasks] if sequential or rng.random() < 0.5 else [1] * min(tasks, 3)
    groups = tuple(
        TaskGroup(
            size,
            float(rng.integers(1, 30)),
            memory=float(rng.choice([0, 1, 2, 4])),
            memory_volume=float(rng.choice([0, 1e11, 4e11])),
        )
        for size in sizes
    )
    if sequential:
        return Demand(groups, sequential=True)
    return Demand(
        groups,
        nodes=int(rng.choice([0, 0, 0, 2])),
        tasks_per_node=int(rng.choice([0, 0, 2])),
        communication_volume=float(rng.choice([0, 3, 5])),
        compute_share=float(rng.choice([0, 0.5, 1])),
    )


def fits(one, hardware):
    """Return whether the naive program finds a place for it on the empty machine."""
    room = Naive.__new__(Naive)
    room.demand, room.place_spec, room.hardware = [one], "first-fit", hardware
    room.nodes, room.node_of = range(len(hardware.nodes)), hardware.node_of_core.tolist()
    return room.place(0, hardware.node_cores.tolist(), hardware.node_memory.tolist()) is not None


def instance(rng, estimates):
    """Return up to 23 jobs on a machine, with whole run times and planned times."""
    hardware = machine(rng)
    drawn = [demand(rng, hardware) for _ in range(rng.integers(4, 24))]
    demands = [one for one in drawn if fits(one, hardware)] or [Demand((TaskGroup(1, 7.0),))]
    count = len(demands)
    longest = np.array([max(group.operations for group in one.groups) for one in demands])
    table = Workload.from_columns(
        submit_time=np.sort(rng.integers(0, 40, count)).astype(float),
        run_time=rng.integers(1, 20, count).astype(float),
        requested_time=np.ceil(longest * rng.choice([0.5, 1, 2, 4], count)),
        processors=[one.tasks for one in demands],
    )
    made = Instance.of(replace(table, demands=Demands.of(demands)), hardware, estimates=estimates)
    return replace(made, run_time=np.ceil(made.run_time), planned_time=np.ceil(made.planned_time))


def scenario(seed, spec, execution):
    """Return a random case of a policy under an execution, and what the naive program makes of it."""
    rng = np.random.default_rng([seed, *map(ord, spec + execution)])
    small = instance(rng, str(rng.choice(ESTIMATES)))
    order = str(rng.choice(["fcfs", "shortest-first", "largest-first"]))
    place = str(rng.choice(PLACEMENTS))
    network = "none" if execution == "fixed" else str(rng.choice(["none", "constant:factor=0.5"]))
    rules = NodeRules(placement_named(place), execution_named(execution), network_named(network))
    named = "none" if spec == "fcfs" else spec
    naive = Naive(small, BACKFILLINGS[spec], order, (place, execution, network))
    return Scenario(small, policy(f"{named}:{order}"), system_model=NodeLevelMachine(rules)), naive


@pytest.mark.parametrize("execution", ["fixed", "speed", "memory-share", "memory-v1"])
@pytest.mark.parametrize("spec", BACKFILLINGS)
def test_nodes_equal_the_naive_program(spec, execution):
    """Start and end of every job are what asking everything again gives, in random small cases."""
    for seed in range(100 if IN_FULL else 7):
        given, naive = scenario(seed, spec, execution)
        schedule = reference.simulate(given)
        expected = np.array(naive.outcome(), dtype=float).reshape(-1, 2)
        found = np.column_stack((schedule.start_time, schedule.end_time))
        if execution == "fixed":
            assert found.tolist() == expected.tolist(), seed
        else:
            assert found == pytest.approx(expected, rel=1e-9), seed
