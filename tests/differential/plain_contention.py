"""A second, slow simulator of memory and network contention, written from the published description alone.

It shares no code with echelon and exists to be compared with it.  Jobs start on the cores they name at the
instant they arrive; the program gives the end of every task and of every job, and the energy.

Sources, cited below by these numbers:

* 4.1 base time, 4.3 network and weighting, 5 release of cores: the thesis (3.4.2 to 3.4.4 there);
* 8.3 ``memory-v1``, 8.4 ``memory-v2``, 8.5 event loop: IRMASim's public code, its models V1 and V2;
* 10 (A4, A5, A11) readings of what the thesis leaves open, 11 defaults where neither source speaks.

Usage: ``python plain_contention.py CASES.json [NAME ...]`` prints what happens in each case as JSON.
"""

from __future__ import annotations

import json
import math
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: Two predicted ends closer than this, relative to the step, are one instant.
SAME_INSTANT = 1e-11


@dataclass(frozen=True)
class Processor:
    """A processor: cores, GHz, operations per cycle, MB/s, watts, and the six constants of section 8.3."""

    cores: int
    clock_rate: float
    dpflops_per_cycle: float = 1.0
    mem_bw: float = math.inf
    static_power: float = 0.0
    dynamic_power: float = 0.0
    min_power: float = 0.0
    contention: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Node:
    """A node: its processors, the capacity of its link in bytes/s, and the coefficients of section 8.4."""

    processors: tuple[Processor, ...]
    comm_bw: float = math.inf
    contention_v2: dict[str, float] = field(default_factory=dict)
    power_v2: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Task:
    """One task with its core ``(node, processor, core)``, its operations and its memory volume."""

    place: tuple[int, int, int]
    req_ops: float
    ipc: float = 1.0
    mem_vol: float = 0.0


@dataclass(frozen=True)
class Job:
    """A job: ``release`` is "job" (all cores at the end of the last task) or "task" (section 5)."""

    id: str
    submit: float
    tasks: tuple[Task, ...]
    comm_vol: float = 0.0
    compute_share: float = 1.0
    release: str = "job"


@dataclass(frozen=True)
class Network:
    """What loads a link and what an overloaded link does to a task (sections 4.3, 10 and 11).

    ``count``: "task" adds ``comm_vol`` once per task with a remote sibling,
    "pair" once per remote sibling (A4).
    ``time``: "second" takes the volume as the flow of one second, "task" divides it by
    the base time of the task (A5).
    ``factor``: a number is the thesis' constant S_c under overload; "proportional" is
    min(1, capacity/demand) (11).
    ``finished``: "communicates" keeps a finished task as a partner until its job ends (A11),
    "silent" does not.
    """

    count: str = "task"
    time: str = "second"
    factor: float | str = 0.8
    finished: str = "communicates"


@dataclass
class Running:
    """The state of one task that holds a core."""

    job: Job
    task: Task
    index: int
    rate: float
    ops: float
    left: float
    request: float
    memory_factor: float = 1.0
    network_factor: float = 1.0
    end: float | None = None

    @property
    def factor(self) -> float:
        """S_f = T_compute S_m + (1 - T_compute) S_c (section 4.3, the repaired formula)."""
        share = self.job.compute_share
        return share * self.memory_factor + (1 - share) * self.network_factor

    @property
    def base_time(self) -> float:
        """Run time without contention (section 4.1)."""
        return self.ops / self.rate


def sstep(u: float) -> float:
    """Return the smooth step of section 8.3: 1 below 0, 0 above 1."""
    if u < 0:
        return 1.0
    if u > 1:
        return 0.0
    return 1 - u**3 * (6 * u * u - 15 * u + 10)


def demand_floor(q: float, n: int, k: dict[str, float]) -> float:
    """Return D(q, n) of section 8.3."""
    u = (q - (k["da"] - n) * k["db"]) / (k["dc"] - n * k["dd"])
    crowd = 0.6 * n
    return sstep(u) * crowd / (1 + crowd) + 1 / (1 + crowd)


def memory_v1(total: float, q: float, n: int, k: dict[str, float]) -> float:
    """Return S(Q, q, n) of section 8.3, not yet rounded."""
    if total < k["c"]:
        return 1.0
    floor = demand_floor(q, n, k)
    if total > k["c"] + (floor - 1) / k["b"]:
        return floor
    return 1 + k["b"] * (total - k["c"])


def memory_v2(total: float, own: float, others: int, k: dict[str, float]) -> float:
    """Return S of section 8.4 for requests in the workload's unit (the 1e-3 is applied here)."""
    o, big_q, y = others, 1e-3 * total, 1e-3 * own

    def value(name: str) -> float:
        return k.get(name, 0.0)

    a = (value("abb") + o * value("aba")) + y * (value("aab") + o * value("aaa"))
    b = (value("bbb") + o * value("bba")) + y * (value("bab") + o * value("baa"))
    c = (
        (value("ccb") + o * value("cca"))
        + y * (value("cbb") + o * value("cba"))
        + y * y * (value("cab") + o * value("caa"))
    )
    d = (value("dbb") + o * value("dba")) + y * (value("dab") + o * value("daa"))
    return b + 0.9 * (c - b) * math.exp(-math.exp(a * (big_q - d)))


class Simulation:
    """One run; ``memory`` is "none", "memory-v1", "memory-v2" or "fair-share"; see `run` for the result."""

    def __init__(
        self,
        nodes: list[Node],
        jobs: list[Job],
        memory: str = "none",
        network: Network | None = None,
        rounding: int | None = 9,
    ) -> None:
        self.nodes, self.memory, self.network, self.rounding = nodes, memory, network, rounding
        self.waiting = sorted(jobs, key=lambda job: job.submit)
        self.jobs = jobs
        self.running: list[Running] = []
        self.now = 0.0
        self.joules = [[0.0 for _ in node.processors] for node in nodes]
        self.task_end: dict[str, list[float]] = {job.id: [math.nan] * len(job.tasks) for job in jobs}
        self.job_end: dict[str, float] = {}
        self.first_factor: dict[str, list[float]] = {job.id: [math.nan] * len(job.tasks) for job in jobs}

    # -- the event loop of section 8.5 ---------------------------------------------------------------------

    def run(self) -> dict[str, Any]:
        """Return ends of tasks and jobs, makespan, total energy and the factor of each task at its start."""
        while self.waiting or self.running:
            ends = {id(r): r.left / (r.rate * r.factor) for r in self.running if r.end is None}
            step = min(ends.values(), default=math.inf)
            arrives = bool(self.waiting) and self.waiting[0].submit - self.now <= step
            if arrives:
                step = self.waiting[0].submit - self.now
            self._advance(step)
            if arrives:
                self.now = self.waiting[0].submit
                self._arrive()
            self._complete({key for key, eta in ends.items() if eta <= step * (1 + SAME_INSTANT)})
        energy = sum(sum(row) for row in self.joules)
        return {
            "tasks": self.task_end,
            "jobs": self.job_end,
            "makespan": max(self.job_end.values()),
            "energy": energy,
            "speed_at_start": self.first_factor,
        }

    def _advance(self, step: float) -> None:
        """Let every unfinished task progress and every processor draw power for ``step`` seconds."""
        for row, node in enumerate(self.nodes):
            if self.memory == "memory-v2":
                self.joules[row][0] += self._node_power(row, node) * step
                continue
            for column, processor in enumerate(node.processors):
                self.joules[row][column] += self._processor_power(row, column, processor) * step
        for r in self.running:
            if r.end is None:
                r.left -= r.rate * r.factor * step
        self.now += step

    def _arrive(self) -> None:
        """Start every job that arrives now, then renew the factors it touches."""
        dirty: set[tuple[int, int]] = set()
        new: list[Running] = []
        while self.waiting and self.waiting[0].submit <= self.now:
            job = self.waiting.pop(0)
            for index, task in enumerate(job.tasks):
                if any(r.task.place == task.place for r in self.running):
                    raise ValueError(
                        f"job {job.id}: core {task.place} is held at {self.now} s; choose a free core"
                    )
                new.append(self._started(job, task, index))
                self.running.append(new[-1])
                dirty.add(task.place[:2])
        self._renew(dirty)
        for r in new:
            self.first_factor[r.job.id][r.index] = r.factor

    def _started(self, job: Job, task: Task, index: int) -> Running:
        """Return the state of a task at its start; q = mem_vol / (ops / R), fixed here (section 8.3)."""
        processor = self.nodes[task.place[0]].processors[task.place[1]]
        rate = processor.clock_rate * 1e9
        if self.memory != "memory-v2":
            rate *= processor.dpflops_per_cycle
        ops = float(math.ceil(task.req_ops / task.ipc))
        return Running(job, task, index, rate, ops, ops, task.mem_vol / (ops / rate))

    def _complete(self, done: set[int]) -> None:
        """End the tasks in ``done``, free what their jobs release (section 5), renew the factors."""
        for r in self.running:
            if id(r) in done:
                r.end, r.left, r.request = self.now, 0.0, 0.0
                self.task_end[r.job.id][r.index] = self.now
        over = {r.job.id for r in self.running} - {r.job.id for r in self.running if r.end is None}
        for name in over:
            self.job_end[name] = self.now
        leaving = [
            r for r in self.running if r.end is not None and (r.job.id in over or r.job.release == "task")
        ]
        self.running = [r for r in self.running if r not in leaving]
        if done:
            self._renew({r.task.place[:2] for r in leaving})

    # -- factors -------------------------------------------------------------------------------------------

    def _renew(self, dirty: set[tuple[int, int]]) -> None:
        """Renew S_m where a task started or was removed (section 8.3) and S_c everywhere (section 11)."""
        if self.memory in ("memory-v1", "memory-v2"):
            v2 = self.memory == "memory-v2"
            for r in self.running:
                touched = any(p[0] == r.task.place[0] if v2 else p == r.task.place[:2] for p in dirty)
                if r.end is None and touched:
                    r.memory_factor = self._memory_factor(r)
        elif self.memory == "fair-share":
            for r in self.running:
                r.memory_factor = self._memory_factor(r)
        for r in self.running:
            r.network_factor = self._network_factor(r)
            if r.end is None and r.factor <= 0:
                raise ValueError(
                    f"a task of job {r.job.id} has factor {r.factor} at {self.now} s; ask for less"
                )

    def _memory_factor(self, r: Running) -> float:
        """Return S_m of a task among its unfinished neighbors (processor, or node for ``memory-v2``)."""
        depth = 1 if self.memory == "memory-v2" else 2
        beside = [o for o in self.running if o.end is None and o.task.place[:depth] == r.task.place[:depth]]
        total = sum(o.request for o in beside)
        node = self.nodes[r.task.place[0]]
        processor = node.processors[r.task.place[1]]
        if self.memory == "fair-share":
            return 1.0 if total <= processor.mem_bw else processor.mem_bw / total
        if self.memory == "memory-v2":
            return memory_v2(total, r.request, len(beside) - 1, node.contention_v2)
        factor = memory_v1(total, r.request, len(beside) - 1, processor.contention)
        return factor if self.rounding is None else round(factor, self.rounding)

    def _partners(self, r: Running) -> int:
        """Return how many tasks of the same job it exchanges data with on other nodes (section 4.3)."""
        silent = self.network is not None and self.network.finished == "silent"
        if silent and r.end is not None:
            return 0
        return sum(
            o.job.id == r.job.id and o.task.place[0] != r.task.place[0] and not (silent and o.end is not None)
            for o in self.running
        )

    def _load(self, node: int) -> float:
        """Return the communication demand on a node's link in bytes/s."""
        assert self.network is not None
        load = 0.0
        for r in self.running:
            partners = self._partners(r) if r.task.place[0] == node else 0
            if partners:
                times = partners if self.network.count == "pair" else 1
                load += times * r.job.comm_vol / (r.base_time if self.network.time == "task" else 1.0)
        return load

    def _network_factor(self, r: Running) -> float:
        """Return S_c: 1 unless the demand is strictly above the capacity of its own node (section 4.3)."""
        if self.network is None or not self._partners(r):
            return 1.0
        node = r.task.place[0]
        capacity, load = self.nodes[node].comm_bw, self._load(node)
        if load <= capacity:
            return 1.0
        return capacity / load if self.network.factor == "proportional" else float(self.network.factor)

    # -- power ---------------------------------------------------------------------------------------------

    def _processor_power(self, node: int, column: int, processor: Processor) -> float:
        """Return watts of a processor: held cores are busy (section 8.3), idle from the start (11)."""
        busy = sum(r.task.place[:2] == (node, column) for r in self.running)
        if not busy:
            return processor.min_power * processor.static_power
        return processor.static_power + processor.dynamic_power * busy

    def _node_power(self, row: int, node: Node) -> float:
        """Return watts of a node under ``memory-v2`` (section 8.4), N and Q over its unfinished tasks."""
        here = [r for r in self.running if r.task.place[0] == row and r.end is None]
        p, n, q = node.power_v2, len(here), 1e-3 * sum(r.request for r in here)
        if not here:
            return p.get("pidle", 0.0)
        terms = {"p00": 1.0, "p10": q, "p20": q * q, "p01": n, "p02": n * n, "p11": q * n}
        return sum(p.get(name, 0.0) * value for name, value in terms.items())


def from_case(case: dict[str, Any], rounding: int | None = 9, **reading: Any) -> Simulation:
    """Return the simulation of a case of ``contention_cases.json``; ``reading`` overrides its network."""
    nodes = [
        Node(**{**node, "processors": tuple(Processor(**p) for p in node["processors"])})
        for node in case["nodes"]
    ]
    jobs = [
        Job(**{**job, "tasks": tuple(Task(**{**t, "place": tuple(t["place"])}) for t in job["tasks"])})
        for job in case["jobs"]
    ]
    network = Network(**{**case["network"], **reading}) if case.get("network") else None
    return Simulation(nodes, jobs, case.get("memory", "none"), network, rounding)


def main(arguments: list[str]) -> int:
    """Print the outcome of the named cases (or all) of a file."""
    cases = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))["cases"]
    chosen = [case for case in cases if case["name"] in arguments[1:] or len(arguments) == 1]
    outcome = {case["name"]: from_case(case).run() for case in chosen}
    sys.stdout.write(json.dumps(outcome, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
